//! Programs in other languages, with the library in place of the driver.

#![allow(clippy::unwrap_used, clippy::panic)]
#![cfg(any(target_os = "linux", windows))]

mod library;

use cuda_suite::skip;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Returns a folder in which the library has the names that linkers and loaders expect.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("driver");
        std::fs::create_dir_all(&folder).unwrap();
        #[cfg(unix)]
        for name in ["libcuda.so", "libcuda.so.1"] {
            let link = folder.join(name);
            let _ = std::fs::remove_file(&link);
            std::os::unix::fs::symlink(library::path(), link).unwrap();
        }
        // Windows searches the folder of the program.
        #[cfg(windows)]
        std::fs::copy(library::path(), folder.join("nvcuda.dll")).unwrap();
        folder
    })
}

/// Runs a program with the library. Returns its output, if it succeeded.
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
    // Prefix of the driver's messages about its own errors.
    assert!(!err.contains("error of the software driver"), "{err}");
    out
}

#[cfg(unix)]
fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Compiles the program in C and links it with the library. The error says why it cannot be compiled.
#[cfg(unix)]
fn compile(name: &str, options: &[&str]) -> Result<PathBuf, &'static str> {
    compile_source(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/c/program.c")), name, options)
}

#[cfg(unix)]
fn compile_source(source: &Path, name: &str, options: &[&str]) -> Result<PathBuf, &'static str> {
    if !is_there("cc") {
        return Err("there is no C compiler");
    }
    let headers =
        std::env::var_os("CUDA_HEADER_DIR").ok_or("CUDA_HEADER_DIR does not say where cuda.h is")?;
    let program = folder().join(name);
    let output = Command::new("cc")
        .args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"])
        .args(options)
        .arg("-isystem")
        .arg(headers)
        .arg(source)
        .arg("-L")
        .arg(folder())
        .args(["-lcuda", "-lpthread", "-lm", "-o"])
        .arg(&program)
        .output()
        .unwrap();
    assert!(output.status.success(), "cc: {}", String::from_utf8_lossy(&output.stderr));
    Ok(program)
}

/// Returns the program that `scripts/test-windows` has compiled.
#[cfg(windows)]
fn compile(name: &str, _: &[&str]) -> Result<PathBuf, &'static str> {
    let compiled =
        std::env::var_os("CUDA_C_PROGRAMS").ok_or("CUDA_C_PROGRAMS names no folder of compiled programs")?;
    let name = format!("{name}.exe");
    let program = folder().join(&name);
    std::fs::copy(Path::new(&compiled).join(name), &program).unwrap();
    Ok(program)
}

/// Output of the program in C and of its kernels.
const OUTPUT: &str = "program 1\nkernel 1\nprogram 2\nkernel 2\nall as it should be\n";

fn program_in_c(name: &str, options: &[&str]) {
    match compile(name, options) {
        Ok(program) => {
            let output = run(&mut Command::new(program));
            let (mut lines, mut expected): (Vec<_>, Vec<_>) =
                (output.lines().collect(), OUTPUT.lines().collect());
            // Under Windows, a program has a C library of its own choice, and the driver does not know its buffer.
            if cfg!(windows) {
                lines.sort_unstable();
                expected.sort_unstable();
            }
            assert_eq!(lines, expected);
        }
        Err(reason) => skip!("{reason}"),
    }
}

#[test]
fn a_program_in_c() {
    program_in_c("program", &[]);
}

#[test]
fn a_program_in_c_for_the_per_thread_default_stream() {
    program_in_c("program_per_thread", &["-DCUDA_API_PER_THREAD_DEFAULT_STREAM"]);
}

/// The guide for programmers who know C shows a program in both languages. The documentation tests run the one in Rust.
#[cfg(unix)]
#[test]
fn program_of_the_guide_for_c_runs() {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../cuda-rt/docs/coming-from/c.md");
    let text = std::fs::read_to_string(guide).unwrap();
    let (_, program) = text.split_once("\n```c\n").unwrap();
    let (program, _) = program.split_once("\n```\n").unwrap();
    let source = folder().join("guide.c");
    std::fs::write(&source, format!("{program}\n")).unwrap();
    match compile_source(&source, "guide", &[]) {
        Ok(program) => {
            assert_eq!(run(&mut Command::new(program)), "the last of 100000 elements is 49999.5\n");
        }
        Err(reason) => skip!("{reason}"),
    }
}

#[cfg(unix)]
#[test]
fn a_program_in_python() {
    if !is_there("python3") {
        skip!("there is no Python");
    }
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program.py");
    assert_eq!(run(Command::new("python3").arg(source)), "all as it should be\n");
}
