//! Runs every example of cuda-rt on the software driver, and compares its output.

#![allow(clippy::unwrap_used, clippy::panic)]

use cuda_suite::skip;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An example, its arguments, and the lines that it prints. `*` stands for any text, and the line `...` for any lines.
type Row = (&'static str, &'static [&'static str], &'static [&'static str]);

const DRIVER: &str = "no usable GPU (*): this runs on cuda-sim";

/// The examples that need nothing but the driver.
const ROWS: &[Row] = &[
    ("vector_add", &[], &[DRIVER, "device: NVIDIA H200", "1000003 sums, all right"]),
    (
        "02_device_query",
        &[],
        &[
            DRIVER,
            "CUDA * bindings, driver for CUDA *",
            "2 device(s)",
            "",
            "Device(0): NVIDIA H200",
            "  compute capability           9.0",
            "...",
            "  multiprocessors              132",
            "...",
            "  peers                        1",
            "",
            "Device(1): NVIDIA H200",
            "...",
            "  peers                        0",
        ],
    ),
    (
        "03_device_function",
        &[],
        &[
            DRIVER,
            "without the other text: cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX (218: *)",
            "ptxas fatal   : Unresolved extern function 'cube'",
            "a function that is no kernel: cuModuleGetFunction: CUDA_ERROR_NOT_FOUND (500: *): `cube`, and there are no kernels: *",
            "1000 squares and as many cubes, all right",
        ],
    ),
    (
        "12_explicit_graph",
        &[],
        &[
            DRIVER,
            "5 nodes, 4 edges",
            "* lines of DOT",
            "round 1: all sums are right",
            "round 2: all sums are right",
            "round 3: all sums are right",
        ],
    ),
    ("01_quick_start", &[], &["[11.0, 22.0, 33.0]"]),
    ("11_async_overlap", &[], &[DRIVER, "8 chunks of 100003 elements, all right"]),
    ("05_peer_access", &[], &[DRIVER, "device Device(0) read [1, 2, 3, 4] of device Device(1)"]),
    (
        "06_peer_texture",
        &[],
        &[
            DRIVER,
            "without access: cuTexRefSetArray: CUDA_ERROR_PEER_ACCESS_NOT_ENABLED (705: *): from device 0 to the memory of device 1",
            "a texture reference of Device(0) read 32 texels of Device(1)",
            "a texture object of Device(0) read 32 texels of Device(1)",
        ],
    ),
    (
        "04_growing_buffer",
        &[],
        &[
            DRIVER,
            "1: 500000 numbers in 2 MiB of 1024 MiB of addresses",
            "2: 1000000 numbers in 4 MiB of 1024 MiB of addresses",
            "3: 1500000 numbers in 6 MiB of 1024 MiB of addresses",
            "4: 2000000 numbers in 8 MiB of 1024 MiB of addresses",
            "5: 2500000 numbers in 10 MiB of 1024 MiB of addresses",
            "the last one is [499999.0]",
        ],
    ),
    (
        "07_texture_rotate",
        &["45", "turned.ppm"],
        &[DRIVER, "reference and object have turned 65536 pixels alike", "written to turned.ppm"],
    ),
    (
        "09_access_patterns",
        &[],
        &[
            DRIVER,
            "device 0: NVIDIA H200, MemoryCapabilities {*}",
            "1. pageable memory: copied, because *",
            "2. page-locked memory: used in place, because *",
            "3. device memory for the host: copied, because *",
            "4. managed memory for the host: used in place, because *",
            "5. atomics of both sides: a counter for each side, because *",
            "6. memory of another device: plain used in place, of a pool used in place, because *",
            "7. a launch that is checked: refused, because it says: launching `twice`: parameter 0 *",
        ],
    ),
];

/// The examples that need a compiler, which is not always there.
const WITH_COMPILER: &[Row] = &[
    (
        "08_nvrtc_template",
        &[],
        &[
            DRIVER,
            "compiler: NVRTC of CUDA *",
            "compiled for compute_90; stored in the cache",
            "draw<float>",
            "draw<long long>",
            "[10.0, 10.5, 11.0, 11.5, 12.0, 12.5]",
            "[10, 10, 11, 11, 12, 12]",
        ],
    ),
    ("10_nvrtc_cache", &[], MEASURED),
];

const MEASURED: &[&str] = &[
    "NVRTC of CUDA *, median:",
    "  opening the library * ms   (of 1: *)",
    "  PTX, first in the process * ms   (of 1: *)",
    "  PTX, compiled, no cache * ms   (of *: *)",
    "  PTX, compiled and stored * ms   (of *: *)",
    "  PTX, found in the cache * ms   (of *: *)",
    "  machine code, compiled, no cache * ms   (of *: *)",
    "  machine code, compiled and stored * ms   (of *: *)",
    "  machine code, found in the cache * ms   (of *: *)",
];

/// The names of all examples.
fn examples() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cuda-rt/examples");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_example =
        |path: &PathBuf| path.join("main.rs").exists() || path.extension().is_some_and(|end| end == "rs");
    paths.filter(is_example).map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

/// The program of an example, which `cargo test` without a choice of tests builds beside this one.
fn program(name: &str) -> PathBuf {
    let path = std::env::current_exe().unwrap();
    let folder = path.parent().unwrap().parent().unwrap().join("examples");
    let path = folder.join(name).with_extension(std::env::consts::EXE_EXTENSION);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("cuda-rt/examples").join(name);
    let source = if source.is_dir() { source.join("main.rs") } else { source.with_extension("rs") };
    let age = |path: &Path| path.metadata().and_then(|file| file.modified()).ok();
    assert!(age(&path) >= age(&source), "{} is missing or old: run cargo build --examples", path.display());
    path
}

/// Returns whether a line is the expected one.
fn is_like(line: &str, expected: &str) -> bool {
    let mut parts = expected.split('*');
    let Some(mut rest) = parts.next().and_then(|start| line.strip_prefix(start)) else { return false };
    let Some(end) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some((_, behind)) = rest.split_once(part) else { return false };
        rest = behind;
    }
    rest.ends_with(end)
}

fn run(name: &str, arguments: &[&str], expected: &[&str], folder: &Path, compiler: Option<&str>) {
    let mut command = Command::new(program(name));
    command.args(arguments).current_dir(folder).env_remove("CUDA_SIM").env_remove("CUDA_VISIBLE_DEVICES");
    command.env("CUDA_RT_NVRTC_CACHE_DIR", folder).env_remove("CUDA_RT_NVRTC_CACHE_DISABLE");
    command.envs(compiler.map(|library| ("CUDA_SYS_NVRTC_LIBRARY", library)));
    let output = command.output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{name}: {}\n{out}\n{err}", output.status);
    let mut lines = out.lines();
    let mut is_any = false;
    for wanted in expected {
        if *wanted == "..." {
            is_any = true;
            continue;
        }
        let is_there = match is_any {
            true => lines.any(|line| is_like(line, wanted)),
            false => lines.next().is_some_and(|line| is_like(line, wanted)),
        };
        assert!(is_there, "{name} does not print in its place: {wanted}\n{out}");
        is_any = false;
    }
    assert_eq!(lines.next(), None, "{name} prints more\n{out}");
}

#[test]
fn every_example_is_run_by_these_tests() {
    let rows: Vec<&str> = ROWS.iter().chain(WITH_COMPILER).map(|(name, ..)| *name).collect();
    assert_eq!(examples(), rows.iter().map(|name| (*name).to_owned()).collect());
}

/// Examples use the GPU of the machine, if there is one.
fn has_gpu() -> bool {
    cuda_sim::install_unless_gpu(cuda_sim::Config::default()).unwrap().is_none()
}

#[test]
fn examples_print_what_is_expected() {
    if has_gpu() {
        skip!("the examples run on the GPU of this machine");
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, arguments, expected) in ROWS {
        run(name, arguments, expected, folder.path(), None);
    }
    let picture = std::fs::read(folder.path().join("turned.ppm")).unwrap();
    assert!(picture.starts_with(b"P6 256 256 255\n"));
    assert_eq!(picture.len(), 15 + 3 * 256 * 256);
}

/// Argument types are compared with the kernel on every driver, also if only the code has its parameters.
#[test]
fn quick_start_runs_on_drivers_of_every_age() {
    for version in ["11.0", "12.2", "13.0"] {
        let mut command = Command::new(program("01_quick_start"));
        command.env("CUDA_DRIVER", "sim").env("CUDA_SIM", format!("version={version}"));
        let output = command.output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!((&*out, &*err), ("[11.0, 22.0, 33.0]\n", ""), "{version}");
    }
}

/// The NVRTC of a release.
fn compiler(part_of_path: &str) -> Option<String> {
    let libraries = std::env::var("CUDA_NVRTC_LIBRARIES").unwrap_or_default();
    let paths = std::env::split_paths(&libraries).map(|path| path.display().to_string());
    paths.into_iter().find(|path| path.contains(part_of_path))
}

#[test]
fn examples_with_a_compiler_print_what_is_expected() {
    if has_gpu() {
        skip!("the examples run on the GPU of this machine");
    }
    // The software driver takes its PTX.
    let Some(compiler) = compiler("nvrtc-11.8") else {
        skip!("CUDA_NVRTC_LIBRARIES names no NVRTC of CUDA 11.8");
    };
    let folder = tempfile::tempdir().unwrap();
    for (name, arguments, expected) in WITH_COMPILER {
        run(name, arguments, expected, folder.path(), Some(&compiler));
    }
}

#[test]
fn the_cost_of_headers_is_measured() {
    // The compiler and the headers are of one release.
    let (Some(compiler), Ok(headers)) = (compiler("nvrtc.so.13"), std::env::var("CUDA_HEADER_DIR")) else {
        skip!("CUDA_NVRTC_LIBRARIES names no NVRTC of CUDA 13, or CUDA_HEADER_DIR no headers");
    };
    let expected = [
        "  cuda_fp16.h, compiled, no cache * ms   (of 1: *)",
        "  cuda_fp16.h, compiled and stored * ms   (of 1: *)",
        "  cuda_fp16.h, first in the process * ms   (of *: *)",
        "  cuda_fp16.h, found in the cache * ms   (of *: *)",
    ];
    let folder = tempfile::tempdir().unwrap();
    let expected = [MEASURED, &expected].concat();
    run("10_nvrtc_cache", &[&headers], &expected, folder.path(), Some(&compiler));
}

#[test]
fn patterns_match_lines() {
    for (line, expected, is) in [
        ("abc", "abc", true),
        ("abc", "ab", false),
        ("abc", "a*", true),
        ("abc", "*c", true),
        ("abc", "a*c", true),
        ("ac", "a*c", true),
        ("a", "a*a", false),
        ("abcd", "a*c*", true),
        ("abcd", "a*e*", false),
        ("", "*", true),
    ] {
        assert_eq!(is_like(line, expected), is, "{line} {expected}");
    }
}
