//! Real libraries: every path that `CUDA_NVRTC_LIBRARIES` lists, separated by colons.

use crate::facts::Facts;
use crate::in_child;
use core::ffi::{CStr, c_char, c_int};
use cuda_sys::nvrtc::{self, Symbol, Version, nvrtcProgram, nvrtcResult};
use std::ffi::CString;
use std::ptr::{null, null_mut};

#[test]
fn real_libraries_have_their_functions_and_compile() {
    let Some(libraries) = std::env::var("CUDA_NVRTC_LIBRARIES").ok().filter(|paths| !paths.is_empty()) else {
        crate::say_skip!("CUDA_NVRTC_LIBRARIES lists no libraries");
        return;
    };
    for path in libraries.split(':') {
        let out = in_child("compiler::child", path);
        assert!(out.contains("compiled by NVRTC of CUDA "), "{path}: {out}");
    }
}

/// Tests the library that `CUDA_SYS_NVRTC_LIBRARY` names.
#[test]
#[ignore = "runs in a child process"]
fn child() {
    let library = nvrtc::library().unwrap();
    let version = library.version().unwrap();
    for symbol in Symbol::all() {
        assert_eq!(library.has(symbol), symbol.is_in(version), "{symbol} in {version}");
        assert_eq!(library.missing(symbol).is_none(), library.has(symbol), "{symbol}");
    }
    assert!(
        Symbol::all().filter_map(|symbol| library.missing(symbol)).all(|missing| !missing.is_unexpected())
    );
    names_of_codes(version);
    architectures();
    programs();
    if !library.has(Symbol::nvrtcGetNVVMSize) {
        // SAFETY: the slot holds a stub, which ignores its arguments.
        let code = unsafe { nvrtc::nvrtcGetNVVMSize(null_mut(), null_mut()) };
        assert_eq!(code, nvrtcResult::NVRTC_ERROR_INTERNAL_ERROR);
    }
    println!("compiled by NVRTC of CUDA {version}");
}

fn ok(code: nvrtcResult) {
    assert_eq!(code, nvrtcResult::NVRTC_SUCCESS);
}

/// The compiled names are those of the library, for the codes that it knows.
fn names_of_codes(version: Version) {
    let Some(facts) = Facts::read() else { return };
    for code in nvrtcResult::all() {
        // SAFETY: the function accepts any number.
        let text = unsafe { nvrtc::nvrtcGetErrorString(code) };
        // SAFETY: NVRTC returns a text that lives as long as the library.
        let text = unsafe { CStr::from_ptr(text) }.to_str().unwrap();
        let name = code.name().unwrap();
        if facts.measured(name, version).is_some_and(|known| known) {
            assert_eq!(text, name);
        } else {
            assert!(text == name || text == "NVRTC_ERROR unknown", "{name}: {text}");
        }
    }
}

fn architectures() {
    let mut count = 0;
    // SAFETY: the count is valid for a write.
    ok(unsafe { nvrtc::nvrtcGetNumSupportedArchs(&raw mut count) });
    let mut architectures: Vec<c_int> = vec![0; usize::try_from(count).unwrap()];
    // SAFETY: there is room for as many as NVRTC counted.
    ok(unsafe { nvrtc::nvrtcGetSupportedArchs(architectures.as_mut_ptr()) });
    assert!(architectures.contains(&80), "{architectures:?}");
}

/// Program that is destroyed when dropped.
struct Program(nvrtcProgram);

impl Program {
    fn new(source: &CStr) -> Program {
        let mut program = null_mut();
        // SAFETY: the program is valid for a write, the texts end in NUL, and there are no headers.
        ok(unsafe {
            nvrtc::nvrtcCreateProgram(
                &raw mut program,
                source.as_ptr(),
                c"test.cu".as_ptr(),
                0,
                null(),
                null(),
            )
        });
        assert!(!program.is_null());
        Program(program)
    }

    fn compile(&self, options: &[&CStr]) -> nvrtcResult {
        let options: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        let count = c_int::try_from(options.len()).unwrap();
        // SAFETY: the program is live, and there are as many options.
        unsafe { nvrtc::nvrtcCompileProgram(self.0, count, options.as_ptr()) }
    }

    /// Returns bytes whose size one function reports and that another function fills.
    fn bytes(
        &self,
        size: unsafe fn(nvrtcProgram, *mut usize) -> nvrtcResult,
        fill: unsafe fn(nvrtcProgram, *mut c_char) -> nvrtcResult,
    ) -> Vec<u8> {
        let mut length = 0;
        // SAFETY: the program is live, and the length is valid for a write.
        ok(unsafe { size(self.0, &raw mut length) });
        let mut bytes = vec![0; length];
        // SAFETY: the program is live, and there is room for as many bytes as NVRTC reported.
        ok(unsafe { fill(self.0, bytes.as_mut_ptr().cast()) });
        bytes
    }

    fn log(&self) -> String {
        let bytes = self.bytes(nvrtc::nvrtcGetProgramLogSize, nvrtc::nvrtcGetProgramLog);
        CString::from_vec_with_nul(bytes).unwrap().into_string().unwrap()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: the program is live; NVRTC sets it to null.
        ok(unsafe { nvrtc::nvrtcDestroyProgram(&raw mut self.0) });
        assert!(self.0.is_null());
    }
}

fn programs() {
    let program = Program::new(
        c"template <typename T> __global__ void twice(T *x) { x[threadIdx.x] += x[threadIdx.x]; }",
    );
    // SAFETY: the program is live, and the text ends in NUL.
    ok(unsafe { nvrtc::nvrtcAddNameExpression(program.0, c"twice<float>".as_ptr()) });
    let code = program.compile(&[c"--gpu-architecture=compute_80"]);
    assert_eq!(code, nvrtcResult::NVRTC_SUCCESS, "{}", program.log());
    let mut name = null();
    // SAFETY: the program is live and compiled, the text ends in NUL, the name is valid for a write.
    ok(unsafe { nvrtc::nvrtcGetLoweredName(program.0, c"twice<float>".as_ptr(), &raw mut name) });
    // SAFETY: the name lives as long as the program.
    let name = unsafe { CStr::from_ptr(name) }.to_str().unwrap();
    let ptx = program.bytes(nvrtc::nvrtcGetPTXSize, nvrtc::nvrtcGetPTX);
    let ptx = CString::from_vec_with_nul(ptx).unwrap().into_string().unwrap();
    assert!(ptx.contains(".target sm_80") && ptx.contains(&format!(".entry {name}")), "{ptx}");

    let program = Program::new(c"extern \"C\" __global__ void nothing() {}");
    ok(program.compile(&[c"--gpu-architecture=sm_80"]));
    let cubin = program.bytes(nvrtc::nvrtcGetCUBINSize, nvrtc::nvrtcGetCUBIN);
    assert!(cubin.starts_with(b"\x7fELF"));

    let program = Program::new(c"__global__ void broken() { undeclared = 1; }");
    assert_eq!(program.compile(&[]), nvrtcResult::NVRTC_ERROR_COMPILATION);
    let log = program.log();
    assert!(log.contains("undeclared") && log.contains("error"), "{log}");
    let program = Program::new(c"");
    assert_eq!(program.compile(&[c"--no-such-option"]), nvrtcResult::NVRTC_ERROR_INVALID_OPTION);
}
