//! Processes without a usable library: errors that list the libraries that were tried, and no panic.

use crate::{in_child, shared_library};
use core::ffi::{c_char, c_int, c_uint, c_void};
use cuda_sys::nvrtc::{self, Library, nvrtcBundledHeadersInfo, nvrtcProgram, nvrtcResult};
use std::mem::MaybeUninit;

/// Returns the error that the child printed.
fn error(library: &str) -> String {
    let out = in_child("absence::child", library);
    out.lines().find(|line| line.starts_with("error: ")).unwrap_or_else(|| panic!("{out}")).to_owned()
}

/// Return value that can mean a missing function.
trait Answer {
    fn says_none(self) -> bool;
}

impl Answer for nvrtcResult {
    fn says_none(self) -> bool {
        self == nvrtcResult::NVRTC_ERROR_INTERNAL_ERROR
    }
}

impl Answer for *const c_char {
    fn says_none(self) -> bool {
        self.is_null()
    }
}

/// Returns an argument: a number, a null pointer, or no callback.
fn zero<T: Copy>() -> T {
    let zero = MaybeUninit::zeroed();
    // SAFETY: called below only for types for which all zero is a valid value.
    unsafe { zero.assume_init() }
}

macro_rules! call_every_function {
    ($([$($facts:tt)*] fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        $(
            // SAFETY: no library is loaded.
            let answer: $result = unsafe { nvrtc::$name($(zero::<$type>()),*) };
            assert!(answer.says_none(), stringify!($name));
        )*
    };
}

/// Calls everything that a process without NVRTC can call.
#[test]
#[ignore = "runs in a child process"]
fn child() {
    // The functions first, because they look for a library too.
    cuda_sys::for_each_nvrtc_function!(call_every_function);
    let load = nvrtc::library().unwrap_err();
    println!("\nerror: {load}");
    assert!(std::ptr::eq(nvrtc::library().unwrap_err(), load));
    // SAFETY: no function is passed.
    let install = |origin: &str| unsafe { nvrtc::install(origin, |_| None) };
    // No function was handed out, so the installation succeeds.
    assert_eq!(install("in time").unwrap().origin(), "in time");
    assert_eq!(nvrtc::library().unwrap().origin(), "in time");
    assert_eq!(install("too late").unwrap_err().origin, "in time");
    assert_eq!(nvrtcResult::NVRTC_ERROR_COMPILATION.name(), Some("NVRTC_ERROR_COMPILATION"));
}

#[test]
fn a_library_that_is_not_there() {
    let text = error("/nonexistent");
    let start = "error: no NVRTC library could be loaded: CUDA_SYS_NVRTC_LIBRARY=/nonexistent: ";
    let reason = text.strip_prefix(start).unwrap_or_else(|| panic!("{text}"));
    // The text of the system occurs once. Windows writes it in its own language.
    assert!(cfg!(windows) || reason.starts_with("cannot open"), "{text}");
    assert!(cfg!(not(windows)) || reason.contains(" (os error 126) ("), "{text}");
    assert!(text.ends_with("(no other library was tried)"), "{text}");
}

#[test]
fn a_library_that_is_not_nvrtc() {
    let Some(library) = shared_library("not_nvrtc", "int something_else(void) { return 0; }") else { return };
    let text = error(library.to_str().unwrap());
    assert!(text.contains("libnot_nvrtc.so is not NVRTC: it does not export nvrtcVersion"), "{text}");
    // A driver's library, given by mistake, is refused too.
    let text = "int nvrtcVersion(int *major, int *minor) { return 0; }";
    let Some(library) = shared_library("half_nvrtc", text) else { return };
    // SAFETY: it exports a function with this signature.
    let error = unsafe { Library::open(library) }.unwrap_err();
    assert!(error.to_string().contains("does not export nvrtcCompileProgram (no other library"), "{error}");
}

#[test]
fn no_library_at_all() {
    if Library::load().is_ok() {
        crate::say_skip!("this machine has NVRTC");
        return;
    }
    // An empty name counts as unset.
    let text = error("");
    let names: &[&str] = if cfg!(windows) {
        &["nvrtc64_130_0.dll", "nvrtc64_120_0.dll", "nvrtc64_112_0.dll"]
    } else {
        &["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "/usr/local/cuda/lib64/libnvrtc.so.13"]
    };
    let reason = if cfg!(windows) { "" } else { "cannot open " };
    for (index, name) in names.iter().enumerate() {
        let before = if index == 0 { "error: no NVRTC library could be loaded: " } else { "; " };
        assert!(text.contains(&format!("{before}{name}: {reason}")), "{name}: {text}");
    }
    let advice = "(install NVRTC, a part of the CUDA toolkit, or name its library in CUDA_SYS_NVRTC_LIBRARY)";
    assert!(text.ends_with(advice), "{text}");
}
