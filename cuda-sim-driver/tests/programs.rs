//! Programs in other languages, with the library in the place of the driver.

#![allow(clippy::unwrap_used, clippy::panic)]
#![cfg(target_os = "linux")]

mod library;

use cuda_suite::skip;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A folder in which the library has the names that linkers and loaders look for.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("driver");
        std::fs::create_dir_all(&folder).unwrap();
        for name in ["libcuda.so", "libcuda.so.1"] {
            let link = folder.join(name);
            let _ = std::fs::remove_file(&link);
            std::os::unix::fs::symlink(library::path(), link).unwrap();
        }
        folder
    })
}

/// Runs a program in the library's presence; its output, if it ended well.
fn run(command: &mut Command) -> String {
    let output = command
        .env("LD_LIBRARY_PATH", folder())
        .env_remove("CUDA_SIM")
        .env_remove("CUDA_VISIBLE_DEVICES")
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{command:?} ended with {}: {out}\n{err}", output.status);
    // What the driver says of its own errors.
    assert!(!err.contains("error of the software driver"), "{err}");
    out
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Compiles the program in C against the header in `headers`, linked with the library.
fn compile(headers: &OsStr, name: &str, options: &[&str]) -> PathBuf {
    let program = folder().join(name);
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/c/program.c");
    let output = Command::new("cc")
        .args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"])
        .args(options)
        .arg("-isystem")
        .arg(headers)
        .arg(source)
        .arg("-L")
        .arg(folder())
        .args(["-lcuda", "-lpthread", "-o"])
        .arg(&program)
        .output()
        .unwrap();
    assert!(output.status.success(), "cc: {}", String::from_utf8_lossy(&output.stderr));
    program
}

/// Its folder of headers, or why there is none.
fn headers() -> Result<std::ffi::OsString, &'static str> {
    if !is_there("cc") {
        return Err("there is no C compiler");
    }
    std::env::var_os("CUDA_HEADER_DIR").ok_or("CUDA_HEADER_DIR does not say where cuda.h is")
}

/// What the program in C prints, and its kernels.
const OUTPUT: &str = "program 1\nkernel 1\nprogram 2\nkernel 2\nall as it should be\n";

#[test]
fn a_program_in_c() {
    match headers() {
        Ok(headers) => {
            let program = compile(&headers, "program", &[]);
            assert_eq!(run(&mut Command::new(program)), OUTPUT);
        }
        Err(reason) => skip!("{reason}"),
    }
}

#[test]
fn a_program_in_c_for_the_per_thread_default_stream() {
    match headers() {
        Ok(headers) => {
            let options = ["-DCUDA_API_PER_THREAD_DEFAULT_STREAM"];
            let program = compile(&headers, "program_per_thread", &options);
            assert_eq!(run(&mut Command::new(program)), OUTPUT);
        }
        Err(reason) => skip!("{reason}"),
    }
}

#[test]
fn a_program_in_python() {
    if !is_there("python3") {
        skip!("there is no Python");
    }
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program.py");
    assert_eq!(run(Command::new("python3").arg(source)), "all as it should be\n");
}
