//! Compares the layout of the bindings with C.
//!
//! `expected.tsv` holds every fact: sizes, alignments, offsets and types of fields, enumerators, constants, aliases and
//! prototypes. Two sides are compared with it. The first side is the compiled Rust types. The second side is NVIDIA's
//! headers as read by C compilers, if `CUDA_HEADER_DIR` is set. The compilers are independent of bindgen.
//!
//! With `LAYOUT_WRITE=1` the table is written from the Rust side. The C side then checks it.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, unsafe_code)]

mod c;
mod facts;
mod names;
mod rust;

use c::Compiler;
use facts::{Fact, Table};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Returns the folder of NVIDIA's headers, if there is one and the repository around this crate has the headers that they include.
fn headers() -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("CUDA_HEADER_DIR")?);
    (folder.join("cuda.h").is_file() && c::stubs().is_dir()).then_some(folder)
}

fn table_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/layout/expected.tsv")
}

/// Reason why no C compiler can check the facts.
const NO_HEADERS: &str =
    "CUDA_HEADER_DIR does not say where cuda.h is, or the crate is not in its repository";

/// Prints on a line that the test harness does not capture.
fn say_skip(reason: &str) {
    let _ = writeln!(std::io::stderr(), "SKIP: layout: {reason}");
}

/// One test for everything, so that its counts are printed last.
#[test]
fn layout() {
    let rust = rust::facts();
    if std::env::var_os("LAYOUT_WRITE").is_some_and(|value| value == "1") {
        std::fs::write(table_path(), Table(rust.clone()).to_string()).unwrap();
    }
    let expected = Table::read(&table_path());

    let mut differences = expected.compare(&rust);
    println!("Rust as compiled: {} facts, {} differ", rust.len(), differences.len());
    for compiler in Compiler::ALL {
        let found = match (headers(), compiler.is_there()) {
            (None, _) => {
                say_skip(&format!("{}: {NO_HEADERS}", compiler.command));
                continue;
            }
            (_, false) => {
                say_skip(&format!("{} is not installed, or has no C library", compiler.command));
                continue;
            }
            (Some(headers), true) => compiler.compare(&expected, &headers),
        };
        println!(
            "{} ({}): {} facts, {} differ",
            compiler.command,
            compiler.target,
            found.looked_at,
            found.wrong.len()
        );
        differences.extend(found.wrong);
    }
    if let (Some(headers), true) = (headers(), Compiler::ALL[0].is_there()) {
        let unknown = names::unknown(&headers, &expected);
        println!("names in the headers that the bindings lack: {}", unknown.len());
        differences.extend(unknown);
    }
    for difference in differences.iter().take(50) {
        println!("  {difference}");
    }
    println!("layout: {} facts, {} differences", expected.0.len(), differences.len());
    assert!(differences.is_empty());
}

/// Makes each kind of mistake in bindings, one at a time. Each side must find exactly that mistake.
#[test]
fn mistakes_are_found() {
    let expected = Table::read(&table_path());
    let mistakes = [
        ("a field of another type of the same size", "type", "CUdevprop_st.clockRate", "c_uint"),
        ("a field in another place", "offset", "CUDA_MEMCPY3D_st.Height", "176"),
        ("another size", "size", "CUlaunchConfig_st", "64"),
        ("another number of an enumerator", "enumerator", "cudaError_enum::CUDA_ERROR_NOT_FOUND", "501"),
        ("an argument of another type", "prototype", "cuMemAlloc_v2", "(*mut CUdeviceptr, c_uint)"),
        ("an argument too few", "prototype", "cuEventElapsedTime_v2", "(*mut f32, CUevent)"),
        ("an alias of another type", "alias", "CUdeviceptr_v2", "c_uint"),
        ("a constant of another value", "constant", "CU_IPC_HANDLE_SIZE", "65"),
    ];
    let rust = rust::facts();
    let compilers = || Compiler::ALL.iter().filter(|compiler| compiler.is_there());
    if headers().is_none() || compilers().next().is_none() {
        say_skip(&format!("mistakes are shown to no C compiler: there is none, or {NO_HEADERS}"));
    }
    for (what, kind, name, wrong) in mistakes {
        let mut seeded = expected.clone();
        let fact = seeded.0.iter_mut().find(|fact| (fact.kind, fact.name.as_str()) == (kind, name));
        let fact = fact.unwrap_or_else(|| panic!("{kind} {name}"));
        assert_ne!(fact.value, wrong, "{what}");
        wrong.clone_into(&mut fact.value);
        let found = seeded.compare(&rust);
        assert!(found.len() == 1 && found[0].contains(name), "{what}: {found:?}");
        for compiler in compilers() {
            if let Some(headers) = headers() {
                let found = compiler.compare(&seeded, &headers).wrong;
                assert!(
                    found.len() == 1 && found[0].contains(name),
                    "{what}, {}: {found:?}",
                    compiler.command
                );
            }
        }
    }
    // One fact that is not in the table, and one that is in the table only.
    let mut short = expected.clone();
    short.0.retain(|fact| fact.name != "CUuuid_st.bytes" || fact.kind != "offset");
    assert_eq!(short.compare(&rust).len(), 1);
    if let (Some(headers), true) = (headers(), Compiler::ALL[0].is_there()) {
        let name = "cudaError_enum::CUDA_ERROR_NOT_FOUND";
        let mut lacking = expected.clone();
        lacking.0.retain(|fact| fact.name != name);
        let found = names::unknown(&headers, &lacking);
        assert!(found.len() == 1 && found[0].starts_with("CUDA_ERROR_NOT_FOUND "), "{found:?}");
    }
    let mut long = expected.clone();
    long.0.push(Fact { kind: "size", name: "CUnothing_st".to_owned(), value: "8".to_owned() });
    assert_eq!(long.compare(&rust).len(), 1);
}
