//! NVRTC without a library, with replacements, with real libraries, and compared with its own header.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, unsafe_code)]

/// Prints that something is skipped, on a line that the test harness does not capture.
macro_rules! say_skip {
    ($($reason:tt)+) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), "SKIP: nvrtc: {}", format_args!($($reason)+));
    }};
}
pub(crate) use say_skip;

mod absence;
mod compiler;
mod facts;
mod header;
#[cfg(windows)]
mod windows;

use cuda_sys::nvrtc::{Absence, Library, Symbol, Version, nvrtcResult};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs this program's ignored test `name` with `CUDA_SYS_NVRTC_LIBRARY` set to `library`. Returns its output.
///
/// A process has one library, so each case runs in a child.
fn in_child(name: &str, library: &str) -> String {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--ignored", "--nocapture"])
        .env("CUDA_SYS_NVRTC_LIBRARY", library)
        // The second library of NVRTC is in the same folder, which not every build of NVRTC searches.
        .env("LD_LIBRARY_PATH", Path::new(library).parent().unwrap_or(Path::new("")))
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    assert!(child.status.success(), "{out}\n{err}");
    assert!(out.contains("1 passed"), "there is one such test: {out}");
    out.into_owned()
}

/// Returns a folder for files of the tests.
fn folder() -> &'static Path {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(folder).unwrap();
    folder
}

/// Compiles a shared library from C text, if there is a C compiler.
fn shared_library(name: &str, text: &str) -> Option<PathBuf> {
    let (source, library) = (folder().join(format!("{name}.c")), folder().join(format!("lib{name}.so")));
    std::fs::write(&source, text).unwrap();
    let status = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status();
    match status {
        Ok(status) => {
            assert!(status.success(), "{text}");
            Some(library)
        }
        Err(error) => {
            println!("SKIP: there is no C compiler: {error}");
            None
        }
    }
}

/// Builds a library that reports a release and compiles nothing.
fn stand_in(name: &str, release: Version) -> Option<PathBuf> {
    let text = format!(
        "int nvrtcVersion(int *major, int *minor) {{ *major = {}; *minor = {}; return 0; }}\n\
         int nvrtcCompileProgram(void *program, int count, const char *const *options) {{ return 6; }}\n",
        release.major, release.minor
    );
    shared_library(name, &text)
}

#[test]
fn missing_functions_name_the_release_that_has_them() {
    let Some(path) = stand_in("nvrtc_of_11_2", Version::new(11, 2)) else { return };
    // SAFETY: the library exports the functions of the C text, with these signatures.
    let library = unsafe { Library::open(&path) }.unwrap();
    assert_eq!(library.version(), Some(Version::new(11, 2)));
    assert!(library.has(Symbol::nvrtcVersion) && library.has(Symbol::nvrtcCompileProgram));
    assert_eq!(Symbol::all().filter(|symbol| library.has(*symbol)).count(), 2);
    assert_eq!(library.missing(Symbol::nvrtcCompileProgram), None);
    assert_eq!(library.address(Symbol::nvrtcGetPTX), None);
    assert!(library.address(Symbol::nvrtcVersion).is_some());
    // SAFETY: this function of the library reads no argument.
    let code = unsafe { (library.nvrtcCompileProgram)(std::ptr::null_mut(), 0, std::ptr::null()) };
    assert_eq!(code, nvrtcResult::NVRTC_ERROR_COMPILATION);
    // SAFETY: the slot holds a stub, which ignores its arguments.
    let code = unsafe { (library.nvrtcGetTileIRSize)(std::ptr::null_mut(), std::ptr::null_mut()) };
    assert_eq!(code, nvrtcResult::NVRTC_ERROR_INTERNAL_ERROR);

    let missing = library.missing(Symbol::nvrtcGetTileIRSize).unwrap();
    assert_eq!((missing.absence(), missing.is_unexpected()), (Absence::TooOld, false));
    let text = "nvrtcGetTileIRSize needs NVRTC of CUDA 13.2 or newer; the loaded one is of CUDA 11.2";
    assert_eq!(missing.to_string(), text);
    assert_eq!(format!("{missing:?}"), format!("MissingSymbol({text})"));
    let missing = library.missing(Symbol::nvrtcGetNVVM).unwrap();
    assert_eq!(missing.absence(), Absence::TooOld);
    let missing = library.missing(Symbol::nvrtcGetPTX).unwrap();
    assert_eq!((missing.absence(), missing.is_unexpected()), (Absence::Unexpected, true));
    assert_eq!(
        missing.to_string(),
        "NVRTC has nvrtcGetPTX since CUDA 7.0, but the loaded library does not export it although it reports CUDA 11.2"
    );
}

#[test]
fn a_newer_library_removed_functions() {
    let Some(path) = stand_in("nvrtc_of_13_0", Version::new(13, 0)) else { return };
    // SAFETY: the library exports the functions of the C text, with these signatures.
    let library = unsafe { Library::open(&path) }.unwrap();
    let missing = library.missing(Symbol::nvrtcGetNVVM).unwrap();
    assert_eq!((missing.absence(), missing.is_unexpected()), (Absence::Removed, false));
    assert_eq!(
        missing.to_string(),
        "nvrtcGetNVVM needs NVRTC of CUDA 11.4 or newer, but older than 13.0, which removed it; \
         the loaded one is of CUDA 13.0"
    );
}

#[test]
fn a_library_that_keeps_its_release_to_itself() {
    let source = "int nvrtcVersion(int *major, int *minor) { *major = 12; return 3; }\n\
                  int nvrtcCompileProgram(void *program, int count, const char *const *options) { return 6; }";
    let Some(path) = shared_library("nvrtc_of_nothing", source) else { return };
    // SAFETY: the library exports the functions of the C text, with these signatures.
    let library = unsafe { Library::open(&path) }.unwrap();
    assert_eq!(library.version(), None);
    assert!(format!("{library:?}").contains("nvrtc_of_nothing"), "{library:?}");
    let missing = library.missing(Symbol::nvrtcGetLTOIR).unwrap();
    assert_eq!(missing.absence(), Absence::Unknown);
    let text = "nvrtcGetLTOIR needs NVRTC of CUDA 12.0 or newer; the loaded one does not export it";
    assert_eq!(missing.to_string(), text);
    let missing = library.missing(Symbol::nvrtcGetNVVM).unwrap().to_string();
    assert!(missing.ends_with(", but older than 13.0, which removed it; the loaded one does not export it"));
}

#[test]
fn installed_library_takes_all_calls() {
    let Some(path) = stand_in("nvrtc_installed", Version::new(12, 4)) else { return };
    in_child("installed", path.to_str().unwrap());
}

#[test]
#[ignore = "runs in a child process"]
fn installed() {
    let named = Library::load().unwrap();
    assert!(
        named.origin().starts_with("CUDA_SYS_NVRTC_LIBRARY=")
            && named.origin().ends_with("nvrtc_installed.so")
    );
    // SAFETY: no function is passed.
    let empty = unsafe { Library::from_resolver("empty", |_| None) };
    let library = named.install().unwrap();
    let error = empty.install().unwrap_err();
    assert_eq!(error.to_string(), format!("an NVRTC library is in use already: {}", library.origin()));
    assert!(std::ptr::eq(cuda_sys::nvrtc::library().unwrap(), library));
    // SAFETY: this function of the library reads no argument.
    let code = unsafe { cuda_sys::nvrtc::nvrtcCompileProgram(std::ptr::null_mut(), 0, std::ptr::null()) };
    assert_eq!(code, nvrtcResult::NVRTC_ERROR_COMPILATION);
    // SAFETY: the slot holds a stub, which ignores its arguments.
    let text = unsafe { cuda_sys::nvrtc::nvrtcGetErrorString(code) };
    assert!(text.is_null());
}
