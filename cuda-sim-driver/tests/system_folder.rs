//! Under Windows, the driver is searched in the system's folder only.
//!
//! Each search runs in a child, which is a copy of this program.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, unsafe_code)]
#![cfg(windows)]

mod library;

use cuda_suite::skip;
use cuda_sys::{Driver, LoadError};
use std::path::{Path, PathBuf};
use std::process::Command;

const NAME: &str = "nvcuda.dll";

#[test]
#[ignore = "runs in a child process"]
fn in_child() {
    let text = |loaded: Result<Driver, LoadError>| match loaded {
        Ok(driver) => driver.version().unwrap().to_string(),
        Err(error) => error.to_string(),
    };
    println!("by load: {}", text(Driver::load()));
    // Last, because a library that the process has opened is found by its name. SAFETY: the library behaves as the
    // driver does.
    println!("by name: {}", text(unsafe { Driver::open(NAME) }));
}

/// Returns the answers of [`Driver::load`] and [`Driver::open`] in a program in `folder`. `folder` is the current folder, too, and all of
/// `PATH`.
fn search(folder: &Path) -> (String, String) {
    let program = folder.join("program.exe");
    std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let output = Command::new(program)
        .args(["--exact", "in_child", "--ignored", "--nocapture"])
        .current_dir(folder)
        .env("PATH", folder)
        .env_remove("CUDA_SYS_LIBRARY")
        .env_remove("CUDA_SIM")
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{out}\n{}", String::from_utf8_lossy(&output.stderr));
    let answer = |question: &str| {
        let found = out.lines().find_map(|line| line.strip_prefix(question));
        found.unwrap_or_else(|| panic!("{out}")).to_owned()
    };
    (answer("by load: "), answer("by name: "))
}

/// Copy of the library, which is deleted when dropped.
struct Copy(PathBuf);

impl Copy {
    fn new(folder: &Path) -> Copy {
        let path = folder.join(NAME);
        assert!(!path.exists(), "{} is there already", path.display());
        std::fs::copy(library::path(), &path).unwrap();
        Copy(path)
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn driver_is_loaded_from_the_system_folder_only() {
    if Driver::load().is_ok() {
        skip!("this machine has a driver");
    }
    let folder = std::path::absolute(env!("CARGO_TARGET_TMPDIR")).unwrap().join("system-folder");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let _beside = Copy::new(&folder);
    let (by_load, by_name) = search(&folder);
    assert!(by_load.starts_with("no CUDA driver could be loaded: nvcuda.dll: "), "{by_load}");
    assert_eq!(by_name, "13.0", "the library is where Windows finds it");

    let Some(system) = std::env::var_os("CUDA_SYSTEM_FOLDER") else {
        skip!("CUDA_SYSTEM_FOLDER names no system folder that tests may write to");
    };
    let _installed = Copy::new(Path::new(&system));
    assert_eq!(search(&folder).0, "13.0");
}
