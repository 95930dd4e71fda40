//! Programs that use musl: errors instead of a driver.
//!
//! ```sh
//! cargo test -p cuda-sys --test musl --target x86_64-unknown-linux-musl
//! ```

#![cfg(target_env = "musl")]
#![allow(clippy::unwrap_used)]

use cuda_sys::{CUresult, Driver};

#[cfg(target_feature = "crt-static")]
const ADVICE: &str = "(a program linked statically with musl opens no library; build for a glibc target)";
#[cfg(not(target_feature = "crt-static"))]
const ADVICE: &str = "(NVIDIA's libraries need glibc, and this program uses musl; build for a glibc target)";

#[test]
fn load_error_tells_how_to_build() {
    let error = Driver::load().unwrap_err();
    assert!(error.to_string().ends_with(ADVICE), "{error}");
    let error = cuda_sys::nvrtc::Library::load().unwrap_err();
    assert!(error.to_string().ends_with(ADVICE), "{error}");
}

#[test]
fn functions_answer_without_a_driver() {
    // SAFETY: no driver is loaded.
    let code = unsafe { cuda_sys::cuInit(0) };
    assert_eq!(code, CUresult::CUDA_ERROR_SHARED_OBJECT_INIT_FAILED);
}

#[cfg(target_feature = "crt-static")]
#[test]
fn static_program_opens_no_library() {
    // SAFETY: a static program opens no library.
    let error = unsafe { Driver::open("libc.so") }.unwrap_err();
    assert!(error.to_string().contains("libc.so: Dynamic loading not supported"), "{error}");
}

/// NVIDIA's libraries are of this kind: their initialisers call functions that only glibc has.
#[cfg(not(target_feature = "crt-static"))]
#[test]
fn library_that_needs_glibc_is_refused() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, library) = (folder.join("glibc.c"), folder.join("libglibc.so"));
    std::fs::write(
        &source,
        "void *__register_atfork(void);\n\
         __attribute__((constructor)) static void begin(void) { __register_atfork(); }\n\
         int cuInit(unsigned flags) { return 0; }\n\
         int cuDriverGetVersion(int *version) { return 0; }\n",
    )
    .unwrap();
    let mut compiler = std::process::Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-nostdlib", "-o"]).arg(&library).arg(&source);
    assert!(compiler.status().unwrap().success());
    // SAFETY: the library only calls a missing function, and is refused for this reason.
    let error = unsafe { Driver::open(&library) }.unwrap_err();
    assert!(error.to_string().contains("__register_atfork: symbol not found"), "{error}");
}
