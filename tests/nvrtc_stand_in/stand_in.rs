//! A compiler in the place of NVRTC, which can be told to fail, and tells what is left of its programs.
//!
//! It knows kernels by `extern "C" __global__ void name(` and by name expressions, and makes empty ones of them.
//! Everything that it keeps is of the thread that calls: tests in other threads do not meet.

#![allow(unsafe_code)]

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::{NonNull, null_mut};
use cuda_sys::nvrtc::{self, nvrtcProgram, nvrtcResult};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::CString;

/// What the stand-in says of itself.
pub(crate) const RELEASE: (i32, i32) = (13, 0);

#[derive(Default)]
struct Program {
    source: String,
    expressions: Vec<CString>,
    lowered: BTreeMap<CString, CString>,
    ptx: Vec<u8>,
    cubin: Vec<u8>,
    lto_ir: Vec<u8>,
    log: Vec<u8>,
}

#[derive(Default)]
struct State {
    programs: BTreeMap<usize, Program>,
    made: usize,
    calls: Vec<&'static str>,
    /// Which call fails, and how.
    fault: Option<(usize, nvrtcResult)>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
    static MEANWHILE: RefCell<Option<Box<dyn FnOnce()>>> = RefCell::default();
}

/// Does something while the next program is compiled.
pub(crate) fn meanwhile(work: impl FnOnce() + 'static) {
    MEANWHILE.set(Some(Box::new(work)));
}

/// Forgets what was called, and lets the call with this number fail.
pub(crate) fn begin(fault: Option<(usize, nvrtcResult)>) {
    STATE.with_borrow_mut(|state| *state = State { fault, ..State::default() });
}

/// What was called since [`begin`], and how many programs are left.
pub(crate) fn end() -> (Vec<&'static str>, usize) {
    STATE.with_borrow_mut(|state| {
        state.fault = None;
        (std::mem::take(&mut state.calls), state.programs.len())
    })
}

/// How often something was compiled since [`begin`].
pub(crate) fn compilations() -> usize {
    STATE.with_borrow(|state| state.calls.iter().filter(|call| **call == "nvrtcCompileProgram").count())
}

/// Puts the stand-in in the place of NVRTC, for the whole process.
pub(crate) fn install() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        // SAFETY: the functions have the signatures of their names, and do what NVRTC's do.
        unsafe { nvrtc::install("a stand-in", function) }.unwrap();
    });
}

/// Counts a call, and says how it fails if it does.
fn enter(name: &'static str) -> Option<nvrtcResult> {
    STATE.with_borrow_mut(|state| {
        let number = state.calls.len();
        state.calls.push(name);
        state.fault.and_then(|(nth, code)| (nth == number).then_some(code))
    })
}

/// Does something with a program that is there.
fn with(
    name: &'static str,
    program: nvrtcProgram,
    work: impl FnOnce(&mut Program) -> nvrtcResult,
) -> nvrtcResult {
    if let Some(code) = enter(name) {
        return code;
    }
    STATE.with_borrow_mut(|state| match state.programs.get_mut(&program.addr()) {
        Some(program) => work(program),
        None => nvrtcResult::NVRTC_ERROR_INVALID_PROGRAM,
    })
}

fn text(pointer: *const c_char) -> CString {
    // SAFETY: callers hand over C strings.
    unsafe { CStr::from_ptr(pointer) }.to_owned()
}

fn write<T>(place: *mut T, value: T) -> nvrtcResult {
    // SAFETY: callers hand over places that are valid for a write.
    unsafe { place.write(value) };
    nvrtcResult::NVRTC_SUCCESS
}

fn copy(bytes: &[u8], place: *mut c_char) -> nvrtcResult {
    // SAFETY: callers have room for as many bytes as they were told.
    unsafe { place.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    nvrtcResult::NVRTC_SUCCESS
}

fn list(count: c_int, texts: *const *const c_char) -> Vec<CString> {
    (0..usize::try_from(count).unwrap())
        .map(|index| {
            // SAFETY: the list has as many texts as the caller says.
            let place = unsafe { texts.add(index) };
            // SAFETY: as above.
            text(unsafe { place.read() })
        })
        .collect()
}

extern "C" fn version(major: *mut c_int, minor: *mut c_int) -> nvrtcResult {
    if let Some(code) = enter("nvrtcVersion") {
        return code;
    }
    if std::env::var_os("STAND_IN_IS_SILENT").is_some() {
        return nvrtcResult::NVRTC_ERROR_INVALID_INPUT;
    }
    let _ = write(major, RELEASE.0);
    write(minor, RELEASE.1)
}

const ARCHITECTURES: [c_int; 4] = [75, 80, 90, 120];

extern "C" fn count_architectures(count: *mut c_int) -> nvrtcResult {
    enter("nvrtcGetNumSupportedArchs").unwrap_or_else(|| write(count, ARCHITECTURES.len() as c_int))
}

extern "C" fn architectures(place: *mut c_int) -> nvrtcResult {
    if let Some(code) = enter("nvrtcGetSupportedArchs") {
        return code;
    }
    // SAFETY: the caller has room for as many as it was told.
    unsafe { place.copy_from_nonoverlapping(ARCHITECTURES.as_ptr(), ARCHITECTURES.len()) };
    nvrtcResult::NVRTC_SUCCESS
}

extern "C" fn create(
    program: *mut nvrtcProgram,
    source: *const c_char,
    _: *const c_char,
    headers: c_int,
    texts: *const *const c_char,
    names: *const *const c_char,
) -> nvrtcResult {
    let failure = enter("nvrtcCreateProgram");
    let mut source = text(source).into_string().unwrap();
    for text in list(headers, texts).into_iter().chain(list(headers, names)) {
        source += text.to_str().unwrap();
    }
    // A handle is written even if the call fails: then there is a program to be destroyed too.
    STATE.with_borrow_mut(|state| {
        state.made += 16;
        state.programs.insert(state.made, Program { source, ..Program::default() });
        let _ = write(program, core::ptr::without_provenance_mut(state.made));
    });
    failure.unwrap_or(nvrtcResult::NVRTC_SUCCESS)
}

extern "C" fn destroy(program: *mut nvrtcProgram) -> nvrtcResult {
    let failure = enter("nvrtcDestroyProgram");
    // SAFETY: the caller's handle is valid for reads and writes.
    let handle = unsafe { program.replace(null_mut()) };
    let removed = STATE.with_borrow_mut(|state| state.programs.remove(&handle.addr()));
    match (failure, removed) {
        (Some(code), _) => code,
        (None, None) => nvrtcResult::NVRTC_ERROR_INVALID_PROGRAM,
        (None, Some(_)) => nvrtcResult::NVRTC_SUCCESS,
    }
}

extern "C" fn add_name(program: nvrtcProgram, expression: *const c_char) -> nvrtcResult {
    with("nvrtcAddNameExpression", program, |program| {
        program.expressions.push(text(expression));
        nvrtcResult::NVRTC_SUCCESS
    })
}

extern "C" fn compile(program: nvrtcProgram, count: c_int, options: *const *const c_char) -> nvrtcResult {
    let options: Vec<String> =
        list(count, options).into_iter().map(|option| option.into_string().unwrap()).collect();
    if let Some(work) = MEANWHILE.take() {
        work();
    }
    with("nvrtcCompileProgram", program, |program| {
        if let Some(option) = options.iter().find(|option| option.contains("no-such-option")) {
            program.log = format!("nvrtc: error: unrecognized option {option} found\n\0").into_bytes();
            return nvrtcResult::NVRTC_ERROR_INVALID_OPTION;
        }
        if program.source.contains("nonsense") {
            program.log = b"program.cu(1): error: nonsense\n\n\0".to_vec();
            return nvrtcResult::NVRTC_ERROR_COMPILATION;
        }
        program.log = b"program.cu(1): warning: a stand-in compiled this\n\0".to_vec();
        let architecture = options[0].rsplit('_').next().unwrap();
        let mut names: Vec<String> = Vec::new();
        for expression in &program.expressions {
            let name = expression.to_str().unwrap();
            let base = name.split('<').next().unwrap();
            let lowered = format!("_Z{}{base}v{}", base.len(), name.len());
            program.lowered.insert(expression.clone(), CString::new(lowered.clone()).unwrap());
            names.push(lowered);
        }
        for rest in program.source.split("extern \"C\" __global__ void ").skip(1) {
            names.push(rest.split('(').next().unwrap().to_owned());
        }
        let mut ptx = format!(".version 8.0\n.target sm_{architecture}\n.address_size 64\n");
        for name in names {
            ptx += &format!(".visible .entry {name}()\n{{ ret; }}\n");
        }
        program.ptx = (ptx + "\0").into_bytes();
        if options[0].contains("=sm_") && !program.source.contains("no machine code") {
            program.cubin = empty_elf();
        }
        program.lto_ir = b"LTO-IR".to_vec();
        nvrtcResult::NVRTC_SUCCESS
    })
}

/// An ELF file of 64 bits, for CUDA, with one section that has nothing in it.
fn empty_elf() -> Vec<u8> {
    let mut bytes = vec![0; 128];
    bytes[..8].copy_from_slice(b"\x7fELF\x02\x01\x01\x33");
    bytes[16..20].copy_from_slice(&[2, 0, 190, 0]);
    bytes[20] = 1;
    bytes[40] = 64;
    bytes[52..62].copy_from_slice(&[64, 0, 56, 0, 0, 0, 64, 0, 1, 0]);
    bytes
}

macro_rules! results {
    ($($size:ident $size_name:literal $fill:ident $fill_name:literal $field:ident;)*) => {$(
        extern "C" fn $size(program: nvrtcProgram, size: *mut usize) -> nvrtcResult {
            with($size_name, program, |program| write(size, program.$field.len()))
        }

        extern "C" fn $fill(program: nvrtcProgram, place: *mut c_char) -> nvrtcResult {
            with($fill_name, program, |program| copy(&program.$field, place))
        }
    )*};
}
results! {
    ptx_size "nvrtcGetPTXSize" ptx "nvrtcGetPTX" ptx;
    cubin_size "nvrtcGetCUBINSize" cubin "nvrtcGetCUBIN" cubin;
    lto_ir_size "nvrtcGetLTOIRSize" lto_ir "nvrtcGetLTOIR" lto_ir;
    log_size "nvrtcGetProgramLogSize" log "nvrtcGetProgramLog" log;
}

extern "C" fn lowered(
    program: nvrtcProgram,
    expression: *const c_char,
    name: *mut *const c_char,
) -> nvrtcResult {
    with("nvrtcGetLoweredName", program, |program| match program.lowered.get(&text(expression)) {
        Some(lowered) => write(name, lowered.as_ptr()),
        None => nvrtcResult::NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID,
    })
}

fn function(name: &'static CStr) -> Option<NonNull<c_void>> {
    NonNull::new(match name.to_str().ok()? {
        "nvrtcVersion" => version as *mut c_void,
        "nvrtcGetNumSupportedArchs" => count_architectures as *mut c_void,
        "nvrtcGetSupportedArchs" => architectures as *mut c_void,
        "nvrtcCreateProgram" => create as *mut c_void,
        "nvrtcDestroyProgram" => destroy as *mut c_void,
        "nvrtcAddNameExpression" => add_name as *mut c_void,
        "nvrtcCompileProgram" => compile as *mut c_void,
        "nvrtcGetPTXSize" => ptx_size as *mut c_void,
        "nvrtcGetPTX" => ptx as *mut c_void,
        "nvrtcGetCUBINSize" => cubin_size as *mut c_void,
        "nvrtcGetCUBIN" => cubin as *mut c_void,
        "nvrtcGetLTOIRSize" => lto_ir_size as *mut c_void,
        "nvrtcGetLTOIR" => lto_ir as *mut c_void,
        "nvrtcGetProgramLogSize" => log_size as *mut c_void,
        "nvrtcGetProgramLog" => log as *mut c_void,
        "nvrtcGetLoweredName" => lowered as *mut c_void,
        _ => return None,
    })
}
