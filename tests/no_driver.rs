//! Without a usable driver: errors that list the attempts, and never a panic.
//!
//! A process has one driver, so each case runs in a child, which is this program again.

// `cuda-sim-driver/tests/system_folder.rs` is about Windows.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, unsafe_code)]

use cuda_rt::Device;
use cuda_rt::error::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs this program's test `child` with `CUDA_SYS_LIBRARY` set to `library`; what it printed.
fn in_child(library: &str) -> String {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--ignored", "--nocapture"])
        .env("CUDA_SYS_LIBRARY", library)
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    assert!(child.status.success(), "{out}\n{err}");
    out.lines().find(|line| line.starts_with("error: ")).unwrap_or_else(|| panic!("{out}")).to_owned()
}

/// Each function that can be called first, in a process without a driver.
#[test]
#[ignore = "runs in a child process"]
fn child() {
    let load = cuda_sys::driver().unwrap_err();
    println!("error: {load}");
    let errors = [
        cuda_rt::init().unwrap_err(),
        cuda_rt::driver_version().unwrap_err(),
        Device::count().unwrap_err(),
        Device::get(0).unwrap_err(),
        Device::by_pci_bus_id("0000:00:00.0").unwrap_err(),
    ];
    for error in errors {
        assert_eq!((error.kind(), error.context()), (ErrorKind::DriverUnavailable, Some(load)));
        assert_eq!((error.code(), error.is_sticky()), (None, false));
        assert_eq!(error.to_string(), load.to_string());
    }
    // The raw functions answer too.
    // SAFETY: no driver is there to do anything.
    let code = unsafe { cuda_sys::cuInit(0) };
    assert_eq!(code, cuda_sys::CUresult::CUDA_ERROR_SHARED_OBJECT_INIT_FAILED);
    // SAFETY: as above.
    let code = unsafe { cuda_sys::cuMemFree_v2(0) };
    assert_eq!(code, cuda_sys::CUresult::CUDA_ERROR_SHARED_OBJECT_INIT_FAILED);
}

#[test]
fn missing_named_library_is_reported() {
    let text = in_child("/nonexistent");
    assert!(
        text.starts_with("error: no CUDA driver could be loaded: CUDA_SYS_LIBRARY=/nonexistent: "),
        "{text}"
    );
    assert!(text.contains("/nonexistent: cannot open"), "the system's own words, once: {text}");
    assert!(text.ends_with("(no other library was tried)"), "{text}");
}

/// Folders that are searched for the driver, beside those of the dynamic linker.
#[cfg(target_arch = "aarch64")]
const FOLDERS: [&str; 3] = ["aarch64-linux-gnu/nvidia", "aarch64-linux-gnu/tegra", "wsl/lib"];
#[cfg(not(target_arch = "aarch64"))]
const FOLDERS: [&str; 1] = ["wsl/lib"];

#[test]
fn missing_driver_is_reported() {
    // An empty name counts as none.
    if cuda_sys::Driver::load().is_ok() {
        cuda_suite::skip!("this machine has a driver");
    }
    let text = in_child("");
    let rest = text.strip_prefix("error: no CUDA driver could be loaded: libcuda.so.1: cannot open ");
    let mut rest = rest.unwrap_or_else(|| panic!("{text}"));
    for folder in FOLDERS {
        let attempt = format!("; /usr/lib/{folder}/libcuda.so.1: cannot open ");
        rest = rest.split_once(&attempt).unwrap_or_else(|| panic!("{folder}: {text}")).1;
    }
    let advice = "(install the NVIDIA driver, or name its library in CUDA_SYS_LIBRARY)";
    assert!(rest.ends_with(advice), "{text}");
}

/// The folders of Jetson's driver and of WSL's, each with a stand-in, in a view of the file system that only the child has.
#[test]
fn driver_in_each_system_folder_is_found() {
    if cuda_sys::Driver::load().is_ok() {
        cuda_suite::skip!("this machine has a driver");
    }
    let source = "int cuInit(unsigned f) { return 0; }\n\
                  int cuDriverGetVersion(int *v) { *v = 12060; return 0; }";
    let Some(library) = library("found", source) else { cuda_suite::skip!("there is no C compiler") };
    for folder in FOLDERS {
        let above = tempfile::tempdir().unwrap();
        let place = above.path().join(folder);
        std::fs::create_dir_all(&place).unwrap();
        std::fs::copy(&library, place.join("libcuda.so.1")).unwrap();
        let lower = format!("lowerdir={}:/usr/lib", above.path().display());
        let apart = |script: &str| {
            let mut command = Command::new("unshare");
            command.args(["--user", "--map-root-user", "--mount", "sh", "-ec", script, &lower]);
            command.arg(std::env::current_exe().unwrap());
            command.args(["--exact", "found_child", "--ignored", "--nocapture"]);
            command.env_remove("CUDA_SYS_LIBRARY").output()
        };
        const MOUNT: &str = "mount -t overlay overlay -o \"$0\" /usr/lib";
        if !apart(MOUNT).is_ok_and(|output| output.status.success()) {
            cuda_suite::skip!("this system gives no process a file system of its own");
        }
        let child = apart(&format!("{MOUNT}; \"$@\"")).unwrap();
        let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
        assert!(child.status.success(), "{out}\n{err}");
        let found = format!("found: /usr/lib/{folder}/libcuda.so.1");
        assert!(out.lines().any(|line| line == found), "{out}");
    }
}

#[test]
#[ignore = "runs in a child process"]
fn found_child() {
    println!("found: {}", cuda_sys::driver().unwrap().origin());
}

fn library(name: &str, text: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    cuda_suite::shared_library(folder, &format!("lib{name}.so"), text)
}

#[test]
fn other_library_in_place_of_the_driver_is_refused() {
    let Some(library) = library("no_driver", "int something_else(void) { return 0; }") else {
        cuda_suite::skip!("there is no C compiler");
    };
    let text = in_child(library.to_str().unwrap());
    assert!(text.contains("libno_driver.so is not a CUDA driver: it does not export cuInit"), "{text}");
}

/// The functions of a library that has the name of the driver and is another library must not be called.
#[test]
fn incomplete_driver_library_is_refused() {
    let Some(library) = library("some_names", "int cuDriverGetVersion = 7;") else {
        cuda_suite::skip!("there is no C compiler");
    };
    let text = in_child(library.to_str().unwrap());
    assert!(text.contains("libsome_names.so is not a CUDA driver: it does not export cuInit"), "{text}");
}

/// A refused library may have begun something that goes on.
#[test]
fn a_refused_library_that_has_begun_a_thread() {
    let source = "#include <pthread.h>\n#include <unistd.h>\n\
                  static volatile int n;\n\
                  static void *spin(void *p) { for (;;) { n++; usleep(100); } return p; }\n\
                  int cuInit(unsigned f) { return 34; }\n\
                  int cuDriverGetVersion(int *v) { pthread_t t; pthread_create(&t, 0, spin, 0); usleep(20000); return 34; }";
    let Some(library) = library("thread", source) else { cuda_suite::skip!("there is no C compiler") };
    let text = in_child(library.to_str().unwrap());
    assert!(text.contains("is the CUDA toolkit's stub library"), "{text}");
}

/// Returns the answer that a library in this process gets when it asks for the driver.
extern "C" fn suite_asks_for_the_driver() -> i32 {
    match cuda_sys::driver() {
        Ok(_) => 1,
        Err(error) => i32::from(error.to_string().contains("while it was opening the driver library")) * 2,
    }
}

/// A library that calls the crate while the crate opens it gets an answer.
#[test]
fn library_that_opens_the_driver_in_its_constructor() {
    let source = "static int (*ask)(void); static int asked = -1;\n\
                  void suite_ask(int (*f)(void)) { ask = f; }\n\
                  int suite_asked(void) { return asked; }\n\
                  int cuInit(unsigned f) { return 0; }\n\
                  int cuDriverGetVersion(int *v) { if (ask) asked = ask(); *v = 12040; return 0; }";
    let Some(library) = library("asking", source) else { cuda_suite::skip!("there is no C compiler") };
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "asking_child", "--ignored", "--nocapture"])
        .env("CUDA_SYS_LIBRARY", library)
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    assert!(child.status.success(), "{out}\n{err}");
}

#[test]
#[ignore = "runs in a child process"]
fn asking_child() {
    let path = std::ffi::CString::new(std::env::var("CUDA_SYS_LIBRARY").unwrap()).unwrap();
    // SAFETY: the library was made for this.
    let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
    assert!(!library.is_null());
    // SAFETY: the library is open, and the name ends.
    let tell = unsafe { libc::dlsym(library, c"suite_ask".as_ptr()) };
    // SAFETY: the function has this signature.
    let tell: extern "C" fn(extern "C" fn() -> i32) = unsafe { std::mem::transmute(tell) };
    tell(suite_asks_for_the_driver);
    assert_eq!(cuda_sys::driver().unwrap().version(), Some(cuda_sys::DriverVersion::new(12, 4)));
    // SAFETY: as above.
    let asked = unsafe { libc::dlsym(library, c"suite_asked".as_ptr()) };
    // SAFETY: as above.
    let asked: extern "C" fn() -> i32 = unsafe { std::mem::transmute(asked) };
    assert_eq!(asked(), 2, "it was told that the driver is being opened");
    assert_eq!(suite_asks_for_the_driver(), 1);
}

#[test]
fn the_toolkits_stub() {
    // Like the toolkit's own, which answers 34 to everything.
    let source = "int cuInit(unsigned f) { return 34; }\nint cuDriverGetVersion(int *v) { return 34; }";
    let Some(library) = library("stub", source) else { cuda_suite::skip!("there is no C compiler") };
    let text = in_child(library.to_str().unwrap());
    assert!(text.contains("is the CUDA toolkit's stub library, good for linking only"), "{text}");
}

#[test]
fn missing_functions_name_the_release_that_has_them() {
    let source = "int cuInit(unsigned f) { return 0; }\n\
                  int cuDriverGetVersion(int *v) { *v = 11000; return 0; }\n\
                  int cuDeviceGetCount(int *n) { *n = 3; return 0; }";
    let Some(library) = library("old", source) else { cuda_suite::skip!("there is no C compiler") };
    // SAFETY: it exports what C says, with these signatures.
    let driver = unsafe { cuda_sys::Driver::open(&library) }.unwrap();
    assert_eq!(driver.version(), Some(cuda_sys::DriverVersion::new(11, 0)));
    let symbol = cuda_sys::Symbol::cuEventElapsedTime_v2;
    let null = std::ptr::null_mut::<u8>();
    // SAFETY: the slot holds a stub, which ignores its arguments.
    let code = unsafe { (driver.cuEventElapsedTime_v2)(null.cast(), null.cast(), null.cast()) };
    assert_eq!(code, cuda_sys::CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER);
    let missing = driver.missing(symbol).unwrap();
    assert!(!missing.is_unexpected());
    let text = "cuEventElapsedTime_v2 needs a driver for CUDA 12.8 or newer; the loaded one is for CUDA 11.0";
    assert_eq!(missing.to_string(), text);
    // The driver is new enough for this function and lacks it: another library is in its place.
    let missing = driver.missing(cuda_sys::Symbol::cuMemAlloc_v2).unwrap();
    assert!(missing.is_unexpected());
    assert!(missing.to_string().ends_with("does not export it although it reports CUDA 11.0"), "{missing}");
    assert_eq!(driver.missing(cuda_sys::Symbol::cuDeviceGetCount), None);

    // An installed driver is used by all calls.
    let installed = driver.install().unwrap();
    assert!(installed.origin().ends_with("libold.so"));
    assert_eq!(cuda_sys::driver().unwrap().origin(), installed.origin());
    assert_eq!(Device::count().unwrap(), 3);
    let error = Device::get(0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FunctionMissing, "{error}");
    assert!(error.context::<cuda_sys::MissingSymbol>().unwrap().is_unexpected(), "{error}");
}
