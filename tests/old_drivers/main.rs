//! NVIDIA's own driver libraries of several ages, without a GPU: their exports, their answers for the addresses of functions, and
//! the errors for missing functions.
//!
//! `CUDA_DRIVER_LIBRARIES` lists their paths, with colons between (`scripts/fetch drivers` gets some). Where there is
//! none for a release, a library with the same exports stands in, compiled from `conformance/exports.tsv`.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, unsafe_code)]

mod entry_points;
mod exports;

use cuda_sys::{Driver, DriverVersion};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A column of `conformance/exports.tsv`: what one driver exports.
struct Exports {
    release: DriverVersion,
    /// `550.163.01`, for example.
    driver: String,
    architecture: String,
    symbols: BTreeSet<&'static str>,
}

/// Every driver whose exports were examined.
fn measured() -> Vec<Exports> {
    let table = include_str!("../../conformance/exports.tsv");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    let heads = rows[0].iter().enumerate().skip(1);
    heads
        .map(|(column, head)| {
            let parts: Vec<&str> = head.split(' ').collect();
            let [release, driver, architecture] = parts[..] else { panic!("{head}") };
            let exported = rows[1..].iter().filter(|row| row[column] == "x");
            Exports {
                release: DriverVersion(release.parse().unwrap()),
                driver: driver.to_owned(),
                architecture: architecture.to_owned(),
                symbols: exported.map(|row| row[0]).collect(),
            }
        })
        .collect()
}

/// The real libraries that there are here, opened.
fn real() -> Vec<(PathBuf, Driver)> {
    let Some(listed) = std::env::var_os("CUDA_DRIVER_LIBRARIES").filter(|listed| !listed.is_empty()) else {
        return Vec::new();
    };
    std::env::split_paths(&listed)
        .map(|path| {
            // SAFETY: the user who lists a library vouches for it.
            match unsafe { Driver::open(&path) } {
                Ok(driver) => (path, driver),
                Err(error) => panic!("CUDA_DRIVER_LIBRARIES: {error}"),
            }
        })
        .collect()
}

/// A library that exports what a driver does, and answers nothing but its release; none without a C compiler, or a
/// place for it.
fn stand_in(exports: &Exports) -> Option<Driver> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(folder).ok()?;
    let name =
        format!("stand-in-{}-{:?}", exports.driver, std::thread::current().id()).replace(['(', ')'], "");
    let (source, library) = (folder.join(format!("{name}.c")), folder.join(format!("{name}.so")));
    let others = exports.symbols.iter().filter(|symbol| **symbol != "cuDriverGetVersion");
    let mut text: String = others.map(|symbol| format!("int {symbol}(void) {{ return 999; }}\n")).collect();
    text += &format!("int cuDriverGetVersion(int *v) {{ *v = {}; return 0; }}\n", exports.release.0);
    std::fs::write(&source, text).unwrap();
    Command::new("cc").arg("--version").output().ok()?;
    let compiled =
        Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status().unwrap();
    assert!(compiled.success());
    // SAFETY: nothing of it is called but what gives the release.
    Some(unsafe { Driver::open(&library) }.unwrap())
}
