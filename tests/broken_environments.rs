//! Environments in which CUDA does not work: each is made here, and its error is the one that the table in
//! `cuda-rt/docs/troubleshooting.md` has.
//!
//! A process has one driver, so each environment is a child, which is this program again.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, unsafe_code)]

use cuda_rt::{Context, Device, Error, Module, Stream};
use cuda_sim::{Config, FaultRule, Profile};
use cuda_suite::fatbin::{Packing, Piece, fat_binary};
use cuda_suite::{note_skip, shared_library};
use cuda_sys::{CUdevice_attribute_enum as Attribute, CUresult, Symbol};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

const ENVIRONMENT: &str = "CUDA_SUITE_ENVIRONMENT";
/// The message of a row, if it is that of the row above.
const SAME: &str = "the same";

/// A row of a table of the page.
#[derive(Debug)]
struct Row {
    environment: String,
    kind: String,
    code: String,
    message: String,
    tried: String,
}

/// The rows of all tables whose first column is `environment`.
fn rows() -> Vec<Row> {
    let page = include_str!("../cuda-rt/docs/troubleshooting.md");
    let mut rows = Vec::new();
    let mut is_table = false;
    for line in page.lines() {
        let Some(line) = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")) else {
            is_table &= line.starts_with("|---");
            continue;
        };
        let cells: Vec<&str> = line.split(" | ").collect();
        if cells[0] == "environment" {
            is_table = true;
        } else if is_table {
            let [environment, kind, code, message, _, _, tried] = cells[..] else { panic!("{line}") };
            rows.push(Row {
                environment: environment.replace('`', ""),
                kind: kind.trim_matches('`').to_owned(),
                code: code.to_owned(),
                message: message.trim_matches('`').to_owned(),
                tried: tried.to_owned(),
            });
        }
    }
    rows
}

/// Returns whether the text is the pattern, in which `…` stands for any text.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, others)) = pattern.split_once('…') else { return text == pattern };
    let Some(mut rest) = text.strip_prefix(start) else { return false };
    let others: Vec<&str> = others.split('…').collect();
    let [between @ .., end] = &others[..] else { return false };
    for part in between {
        let Some((_, behind)) = rest.split_once(part) else { return false };
        rest = behind;
    }
    rest.ends_with(end)
}

/// An environment, and the way to make it.
struct Case {
    /// The first cell of its row.
    environment: &'static str,
    /// Writes files to the folder that the dynamic linker looks in first. `None` if something is missing for that.
    files: fn(&Path) -> Option<()>,
    variables: &'static [(&'static str, &'static str)],
    /// The call of the child that fails there.
    fails: fn() -> Result<(), Error>,
}

const NO_FILES: fn(&Path) -> Option<()> = |_| Some(());

const DRIVER: &str = "libcuda.so.1";

fn stand_in(folder: &Path, source: &str) -> Option<()> {
    shared_library(folder, DRIVER, source).map(drop)
}

/// A driver for CUDA 12.4 with one device, whose `cuInit` answers this.
fn answering(folder: &Path, code: u32) -> Option<()> {
    let source = format!(
        "int cuInit(unsigned f) {{ return {code}; }}\n\
         int cuDriverGetVersion(int *v) {{ *v = 12040; return 0; }}\n\
         int cuDeviceGetCount(int *n) {{ *n = 1; return {}; }}\n",
        if code == 0 { 0 } else { 3 }
    );
    stand_in(folder, &source)
}

/// Returns whether the machine has no driver.
fn no_driver() -> Option<()> {
    cuda_sys::Driver::load().is_err().then_some(())
}

/// A driver's library with another byte in its header. The dynamic linker passes over it, to the driver of the machine.
fn changed(folder: &Path, place: usize, byte: u8) -> Option<()> {
    no_driver()?;
    answering(folder, 0)?;
    let path = folder.join(DRIVER);
    let mut bytes = std::fs::read(&path).ok()?;
    bytes[place] = byte;
    std::fs::write(path, bytes).ok()
}

fn count() -> Result<(), Error> {
    Device::count().map(drop)
}

fn primary() -> Result<(), Error> {
    Context::primary(Device::get(0)?).map(drop)
}

/// The software driver, as the variables describe it.
fn simulated() {
    cuda_sim::install(Config::from_env().unwrap()).unwrap();
}

/// Returns whether the tests run on the machine's driver. Then environments that a program can make by itself are made with it.
fn is_real() -> bool {
    std::env::var("CUDA_DRIVER").is_ok_and(|driver| driver == "real")
}

/// Asks the machine's driver, or the software driver.
fn count_of_either() -> Result<(), Error> {
    if !is_real() {
        simulated();
    }
    count()
}

/// A context of the software driver on a device with this compute mode, if making contexts answers this code.
fn refused_context(code: CUresult, mode: i32) -> Result<(), Error> {
    let mode_number = Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_MODE.0;
    cuda_sim::install(Config {
        profiles: vec![Profile::H200.with_attribute(mode_number, mode)],
        faults: vec![FaultRule::new(Symbol::cuDevicePrimaryCtxRetain, code)],
        ..Config::default()
    })
    .unwrap();
    primary()
}

const EXCLUSIVE: i32 = 3;
const PTX: &str = ".version 6.4\n.target sm_50\n.address_size 64\n.visible .entry nothing() { ret; }";

fn load(text: &str) -> Result<(), Error> {
    simulated();
    Module::from_ptx(&Context::primary(Device::get(0)?)?, text).map(drop)
}

/// A child of a process that has initialised the driver, in which the driver does not work.
fn in_forked_child() -> Result<(), Error> {
    count()?;
    let mut ends = [0; 2];
    // SAFETY: there is a place for both ends.
    assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
    // SAFETY: the child asks, writes and ends.
    let child = unsafe { libc::fork() };
    if child == 0 {
        print_failure(count());
        // SAFETY: the child ends here, without the parent's exit handlers.
        unsafe { libc::_exit(0) };
    }
    let mut status = 0;
    // SAFETY: `status` is valid for a write.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert_eq!(status, 0);
    Ok(())
}

fn cases() -> Vec<Case> {
    let case = |environment, files, variables, fails| Case { environment, files, variables, fails };
    vec![
        case("no driver library", |_| no_driver(), &[], count),
        case(
            "CUDA_SYS_LIBRARY names a file that does not exist",
            NO_FILES,
            &[("CUDA_SYS_LIBRARY", "/nonexistent/libcuda.so.1")],
            count,
        ),
        case(
            "the toolkit's stub library is found first",
            |folder| {
                stand_in(
                    folder,
                    "int cuInit(unsigned f) { return 34; }\nint cuDriverGetVersion(int *v) { return 34; }",
                )
            },
            &[],
            count,
        ),
        case(
            "a library without driver functions has the name",
            |folder| stand_in(folder, "int something_else(void) { return 0; }"),
            &[],
            count,
        ),
        case("the file is empty", |folder| std::fs::write(folder.join(DRIVER), "").ok(), &[], count),
        case(
            "the file is no library",
            |folder| std::fs::write(folder.join(DRIVER), [b'x'; 4096]).ok(),
            &[],
            count,
        ),
        // The fifth byte is the class, and the 19th the machine.
        case("the library is for 32 bits", |folder| changed(folder, 4, 1), &[], count),
        case("the library is for another processor", |folder| changed(folder, 18, 243), &[], count),
        case(
            "a library that the driver needs is missing",
            |folder| {
                shared_library(folder, "libneeded.so.1", "int needed(void) { return 0; }")?;
                let source = folder.join("driver.c");
                std::fs::write(&source, "int needed(void); int cuInit(unsigned f) { return needed(); }")
                    .ok()?;
                let mut compiler = Command::new("cc");
                compiler.args(["-shared", "-fPIC", "-o"]).arg(folder.join(DRIVER)).arg(source);
                compiler.arg(folder.join("libneeded.so.1")).status().ok()?.success().then_some(())?;
                std::fs::remove_file(folder.join("libneeded.so.1")).ok()
            },
            &[],
            count,
        ),
        case("no kernel module, or no /dev/nvidia*", |folder| answering(folder, 100), &[], count),
        case("CUDA_VISIBLE_DEVICES is empty", NO_FILES, &[("CUDA_VISIBLE_DEVICES", "")], count_of_either),
        case("CUDA_VISIBLE_DEVICES=-1", NO_FILES, &[("CUDA_VISIBLE_DEVICES", "-1")], count_of_either),
        case(
            "CUDA_VISIBLE_DEVICES=99 with fewer devices",
            NO_FILES,
            &[("CUDA_VISIBLE_DEVICES", "99")],
            count_of_either,
        ),
        case("CUDA_VISIBLE_DEVICES=0,0", NO_FILES, &[("CUDA_VISIBLE_DEVICES", "0,0")], count_of_either),
        case("a service of the system does not run", |folder| answering(folder, 802), &[], count),
        case("library and kernel module differ", |folder| answering(folder, 803), &[], count),
        case("forward compatibility on a GPU without it", |folder| answering(folder, 804), &[], count),
        case("no permission for /dev/nvidia*", |folder| answering(folder, 304), &[], count),
        case("the driver fails for an unknown reason", |folder| answering(folder, 999), &[], count),
        case(
            "a driver older than CUDA 11.0",
            |folder| {
                stand_in(
                    folder,
                    "int cuInit(unsigned f) { return 0; }\n\
                     int cuDriverGetVersion(int *v) { *v = 10020; return 0; }\n\
                     int cuDeviceGetCount(int *n) { *n = 1; return 0; }",
                )
            },
            &[],
            count,
        ),
        case("the driver is older than a function", NO_FILES, &[("CUDA_SIM", "version=11.0")], || {
            simulated();
            cuda_rt::memory::MemPool::default_of(Device::get(0)?).map(drop)
        }),
        case(
            "a layer in front of the driver lacks a function",
            |folder| answering(folder, 0),
            &[],
            || Device::get(0).map(drop),
        ),
        case("the device does not exist", NO_FILES, &[("CUDA_SIM", "devices=2")], || {
            simulated();
            Device::get(2).map(drop)
        }),
        case("exclusive compute mode, and another process uses the device", NO_FILES, &[], || {
            refused_context(CUresult::CUDA_ERROR_DEVICE_UNAVAILABLE, EXCLUSIVE)
        }),
        case("no memory left for a context", NO_FILES, &[], || {
            refused_context(CUresult::CUDA_ERROR_OUT_OF_MEMORY, 0)
        }),
        case("PTX of a newer compiler", NO_FILES, &[("CUDA_SIM", "version=12.4")], || {
            load(".version 99.0\n.target sm_50\n.address_size 64\n")
        }),
        case(
            "the driver's PTX compiler is missing",
            NO_FILES,
            &[("CUDA_SIM", "fault=cuModuleLoadDataEx:221")],
            || load(PTX),
        ),
        case("no code for the device", NO_FILES, &[("CUDA_SIM", "profile=h200")], || {
            simulated();
            let text = ".version 8.7\n.target sm_120\n.address_size 64\n.visible .entry nothing() { ret; }";
            let piece = Piece { text, target: 120, packing: Packing::Plain };
            let context = Context::primary(Device::get(0)?)?;
            // SAFETY: the fat binary is well-formed.
            unsafe { Module::from_fatbin(&context, fat_binary(&[piece])) }.map(drop)
        }),
        case(
            "no NVRTC library",
            |_| cuda_sys::nvrtc::Library::load().is_err().then_some(()),
            &[],
            || cuda_rt::nvrtc::version().map(drop),
        ),
        case(
            "a process that was forked after the driver was initialised",
            |folder| {
                if is_real() {
                    return Some(());
                }
                stand_in(
                    folder,
                    "#include <unistd.h>\n\
                     static int user;\n\
                     int cuInit(unsigned f) { if (!user) user = getpid(); return user == getpid() ? 0 : 3; }\n\
                     int cuDriverGetVersion(int *v) { *v = 12040; return 0; }\n\
                     int cuDeviceGetCount(int *n) { *n = 1; return cuInit(0); }",
                )
            },
            &[],
            in_forked_child,
        ),
        case(
            "a kernel has failed before",
            NO_FILES,
            &[("CUDA_SIM", "fault=cuStreamSynchronize:700:sticky")],
            || {
                simulated();
                Stream::new(&Context::primary(Device::get(0)?)?)?.synchronize()
            },
        ),
    ]
}

/// Prints kind, code and message, for the parent to read.
fn print_failure(outcome: Result<(), Error>) {
    if let Err(error) = outcome {
        let code = error.code().map_or("-".to_owned(), |code| code.number().to_string());
        println!("failure\t{:?}\t{code}\t{}", error.kind(), error.to_string().replace('\n', " ⏎ "));
    }
}

#[test]
#[ignore = "runs in a child process"]
fn child() {
    let environment = std::env::var(ENVIRONMENT).unwrap();
    let case = cases().into_iter().find(|case| case.environment == environment).unwrap();
    print_failure((case.fails)());
}

/// Returns kind, code and message of the failure, or none if the environment cannot be made here.
fn failure(case: &Case, library: Option<&Path>) -> Option<[String; 3]> {
    let folder = tempfile::tempdir().unwrap();
    (case.files)(folder.path())?;
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "child", "--ignored", "--nocapture"]).env(ENVIRONMENT, case.environment);
    for name in ["CUDA_SYS_LIBRARY", "CUDA_SYS_NVRTC_LIBRARY", "CUDA_SIM", "CUDA_VISIBLE_DEVICES"] {
        child.env_remove(name);
    }
    let mut search = vec![folder.path().as_os_str().to_owned()];
    search.extend(std::env::var_os("LD_LIBRARY_PATH").filter(|folders| !folders.is_empty()));
    child.env("LD_LIBRARY_PATH", search.join(OsStr::new(":"))).envs(case.variables.iter().copied());
    if let Some(library) = library {
        child.env("CUDA_SYS_LIBRARY", library);
    }
    let child = child.output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    assert!(child.status.success(), "{}: {out}\n{err}", case.environment);
    let line = out.lines().find_map(|line| line.split_once("failure\t"));
    let parts: Vec<&str> =
        line.unwrap_or_else(|| panic!("{}: {out}\n{err}", case.environment)).1.split('\t').collect();
    Some([parts[0].to_owned(), parts[1].to_owned(), parts[2].to_owned()])
}

fn expect(row: &Row, [kind, code, message]: [String; 3], wrong: &mut Vec<String>) {
    if (&row.kind, &row.code) != (&kind, &code) || !matches(&row.message, &message) {
        wrong.push(format!(
            "{}\n  page: {} {} {}\n  here: {kind} {code} {message}",
            row.environment, row.kind, row.code, row.message
        ));
    }
}

#[test]
fn each_message_is_the_one_in_the_page() {
    let (rows, mut wrong) = (rows(), Vec::new());
    for case in cases() {
        let Some(row) = rows.iter().find(|row| row.environment == case.environment) else {
            wrong.push(format!("{}: no row\n  here: {:?}", case.environment, failure(&case, None)));
            continue;
        };
        match failure(&case, None) {
            Some(failure) => expect(row, failure, &mut wrong),
            None => note_skip("each_message_is_the_one_in_the_page", case.environment),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A row is tried here, or says by the word `no` that it was not, or where it was.
#[test]
fn rows_that_claim_to_be_tried_are() {
    let cases: BTreeSet<_> = cases().iter().map(|case| case.environment.to_owned()).collect();
    let mut claimed = BTreeSet::new();
    for row in rows() {
        let is_same = row.message == SAME;
        match row.tried.split([',', ' ', '(']).next().unwrap() {
            "stand-in" | "cuda-sim" => {
                assert!(!is_same && claimed.insert(row.environment.clone()), "{row:?}")
            }
            "no" | "H200" => {}
            other => panic!("{other}: {row:?}"),
        }
    }
    assert_eq!(claimed, cases);
}

/// Programs for musl are tried in `cuda-sys/tests/musl.rs`, where the compiler makes such.
#[test]
fn rows_of_musl_have_the_words_of_the_source() {
    let source = include_str!("../cuda-sys/src/library.rs");
    let rows: Vec<Row> = rows().into_iter().filter(|row| row.environment.ends_with("for musl")).collect();
    assert_eq!(rows.len(), 2);
    for row in rows {
        let advice = row.message.rsplit_once("…(").unwrap().1.trim_end_matches(')');
        assert!(source.contains(&format!("\"{advice}\"")), "{advice}");
    }
}

/// NVIDIA's own libraries of several ages, on a system without the kernel module.
#[test]
fn nvidias_libraries_without_a_kernel_module() {
    if Path::new("/proc/driver/nvidia").exists() {
        cuda_suite::skip!("this system has the kernel module");
    }
    let Some(listed) = std::env::var_os("CUDA_DRIVER_LIBRARIES").filter(|listed| !listed.is_empty()) else {
        cuda_suite::skip!("CUDA_DRIVER_LIBRARIES names none");
    };
    let rows = rows();
    let row = rows.iter().find(|row| row.environment == "no kernel module, or no /dev/nvidia*").unwrap();
    let mut wrong = Vec::new();
    for library in std::env::split_paths(&listed) {
        let case = Case { environment: "no driver library", files: NO_FILES, variables: &[], fails: count };
        let [kind, code, message] = failure(&case, Some(&library)).unwrap();
        // The row has the name by which a system finds its driver.
        let message = message.replace(&format!("CUDA_SYS_LIBRARY={}", library.display()), DRIVER);
        expect(row, [kind, code, message], &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_pattern_matches_whole_texts() {
    for (pattern, text) in [("a", "a"), ("a…", "abc"), ("…c", "cbc"), ("a…c…e", "abcde")] {
        assert!(matches(pattern, text), "{pattern} {text}");
    }
    for (pattern, text) in [("a", "ab"), ("…c", "cb"), ("a…c", "b c"), ("a…c…e", "abde")] {
        assert!(!matches(pattern, text), "{pattern} {text}");
    }
}
