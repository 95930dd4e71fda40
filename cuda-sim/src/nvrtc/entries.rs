//! The functions of the stand-in for NVRTC.

#![allow(unsafe_code)]

use crate::driver::{Machine, forever};
use crate::nvrtc_state::{Compiled, Output, Program, Source};
use crate::panics::message_of;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::{NonNull, null_mut};
use cuda_sys::nvrtc::{AlreadyInstalled, Library, Symbol, nvrtcProgram, nvrtcResult};
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const DONE: nvrtcResult = nvrtcResult::NVRTC_SUCCESS;
const INVALID: nvrtcResult = nvrtcResult::NVRTC_ERROR_INVALID_INPUT;

/// Release that the stand-in reports.
const RELEASE: (c_int, c_int) = (13, 0);

/// Architectures that it reports as supported.
const ARCHITECTURES: [c_int; 4] = [75, 80, 90, 120];

/// Runs a call of a function with this work.
fn call(symbol: Symbol, work: impl FnOnce(&Machine) -> nvrtcResult) -> nvrtcResult {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let machine = Machine::current();
        // The machine cannot be used in the child of a fork.
        let Some(rule) = machine.with_nvrtc(|_, faults| faults.nvrtc.meet(symbol)) else {
            return nvrtcResult::NVRTC_ERROR_INTERNAL_ERROR;
        };
        let code = match rule {
            Some((code, false)) => code,
            Some((code, true)) => Some(work(&machine)).filter(|own| !own.is_success()).unwrap_or(code),
            None => work(&machine),
        };
        machine.with_nvrtc(|_, faults| faults.nvrtc.record(symbol, code));
        code
    }));
    outcome.unwrap_or_else(|panic| {
        // The stand-in itself, or a destructor of the compiler, has panicked.
        let _ = message_of(panic);
        nvrtcResult::NVRTC_ERROR_INTERNAL_ERROR
    })
}

/// Runs a call for an existing program.
fn with(
    symbol: Symbol,
    program: nvrtcProgram,
    work: impl FnOnce(&mut Program) -> nvrtcResult,
) -> nvrtcResult {
    call(symbol, |machine| {
        let code = machine.with_nvrtc(|programs, _| programs.programs.get_mut(program.addr()).map(work));
        code.flatten().unwrap_or(nvrtcResult::NVRTC_ERROR_INVALID_PROGRAM)
    })
}

/// # Safety
///
/// `text` is null or a C string.
unsafe fn text(text: *const c_char) -> Option<CString> {
    // SAFETY: not null, so a C string.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_owned())
}

fn string(text: CString) -> String {
    String::from_utf8_lossy(text.as_bytes()).into_owned()
}

/// # Safety
///
/// `texts` has `count` C strings, or is null.
unsafe fn list(count: c_int, texts: *const *const c_char) -> Option<Vec<String>> {
    let count = usize::try_from(count).ok()?;
    if count > 0 && texts.is_null() {
        return None;
    }
    (0..count)
        .map(|index| {
            // SAFETY: within the list.
            let place = unsafe { texts.add(index) };
            // SAFETY: as above, and valid for a read.
            let entry = unsafe { place.read() };
            // SAFETY: an entry is a C string.
            unsafe { text(entry) }.map(string)
        })
        .collect()
}

/// # Safety
///
/// `place` is null or valid for a write.
unsafe fn put<T>(place: *mut T, value: T) -> nvrtcResult {
    if place.is_null() {
        return INVALID;
    }
    // SAFETY: not null, so valid for a write.
    unsafe { place.write(value) };
    DONE
}

/// # Safety
///
/// `place` is null or has room for the bytes.
unsafe fn copy(bytes: &[u8], place: *mut c_char) -> nvrtcResult {
    if place.is_null() {
        return INVALID;
    }
    // SAFETY: not null, so there is room.
    unsafe { place.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    DONE
}

unsafe extern "C" fn error_string(code: nvrtcResult) -> *const c_char {
    forever(code.name().unwrap_or("NVRTC_ERROR unknown")).as_ptr()
}

unsafe extern "C" fn version(major: *mut c_int, minor: *mut c_int) -> nvrtcResult {
    call(Symbol::nvrtcVersion, |_| {
        // SAFETY: the program's promise.
        let first = unsafe { put(major, RELEASE.0) };
        // SAFETY: likewise.
        let second = unsafe { put(minor, RELEASE.1) };
        if first.is_success() { second } else { first }
    })
}

unsafe extern "C" fn count_architectures(count: *mut c_int) -> nvrtcResult {
    // SAFETY: the program's promise.
    call(Symbol::nvrtcGetNumSupportedArchs, |_| unsafe { put(count, ARCHITECTURES.len() as c_int) })
}

unsafe extern "C" fn architectures(place: *mut c_int) -> nvrtcResult {
    call(Symbol::nvrtcGetSupportedArchs, |_| {
        if place.is_null() {
            return INVALID;
        }
        // SAFETY: the program has room for the number that it received.
        unsafe { place.copy_from_nonoverlapping(ARCHITECTURES.as_ptr(), ARCHITECTURES.len()) };
        DONE
    })
}

unsafe extern "C" fn create(
    program: *mut nvrtcProgram,
    source: *const c_char,
    name: *const c_char,
    headers: c_int,
    texts: *const *const c_char,
    names: *const *const c_char,
) -> nvrtcResult {
    static HANDLE: AtomicUsize = AtomicUsize::new(16);
    call(Symbol::nvrtcCreateProgram, |machine| {
        // SAFETY: the program's promise.
        let (source, name) = (unsafe { text(source) }, unsafe { text(name) });
        // SAFETY: likewise.
        let (texts, names) = (unsafe { list(headers, texts) }, unsafe { list(headers, names) });
        let (Some(source), Some(texts), Some(names)) = (source, texts, names) else { return INVALID };
        if program.is_null() {
            return INVALID;
        }
        let source = Source {
            name: name.map(string).unwrap_or_default(),
            text: string(source),
            headers: names.into_iter().zip(texts).collect(),
            ..Source::default()
        };
        // A number that is unique among machines, so that a handle used on the wrong machine is refused.
        let handle = HANDLE.fetch_add(16, Ordering::Relaxed);
        machine.with_nvrtc(|programs, _| {
            programs.programs.insert(handle, Program { source, output: None });
        });
        // SAFETY: as above.
        unsafe { put(program, core::ptr::without_provenance_mut(handle)) }
    })
}

unsafe extern "C" fn destroy(program: *mut nvrtcProgram) -> nvrtcResult {
    call(Symbol::nvrtcDestroyProgram, |machine| {
        if program.is_null() {
            return INVALID;
        }
        // SAFETY: not null, so valid for reads and writes.
        let handle = unsafe { program.replace(null_mut()) };
        let removed = machine.with_nvrtc(|programs, _| programs.programs.remove(handle.addr()));
        if removed.flatten().is_some() { DONE } else { nvrtcResult::NVRTC_ERROR_INVALID_PROGRAM }
    })
}

unsafe extern "C" fn add_name(program: nvrtcProgram, expression: *const c_char) -> nvrtcResult {
    with(Symbol::nvrtcAddNameExpression, program, |program| {
        // SAFETY: the program's promise.
        let Some(expression) = (unsafe { text(expression) }) else { return INVALID };
        if program.output.is_some() {
            return nvrtcResult::NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
        }
        program.source.name_expressions.push(string(expression));
        DONE
    })
}

unsafe extern "C" fn compile(
    program: nvrtcProgram,
    count: c_int,
    options: *const *const c_char,
) -> nvrtcResult {
    call(Symbol::nvrtcCompileProgram, |machine| {
        // SAFETY: the program's promise.
        let Some(options) = (unsafe { list(count, options) }) else { return INVALID };
        let found = machine.with_nvrtc(|programs, _| {
            let program = programs.programs.get_mut(program.addr())?;
            program.source.options = options;
            Some((program.source.clone(), Arc::clone(&programs.compiler)))
        });
        let Some((source, compiler)) = found.flatten() else {
            return nvrtcResult::NVRTC_ERROR_INVALID_PROGRAM;
        };
        // The machine is not locked, because the function may call the driver.
        let output = catch_unwind(AssertUnwindSafe(|| compiler(&source))).unwrap_or_else(|panic| {
            let log = format!("the compiler panicked: {}", message_of(panic));
            Output::failure(nvrtcResult::NVRTC_ERROR_INTERNAL_ERROR, log)
        });
        let code = output.code;
        machine.with_nvrtc(|programs, _| {
            if let Some(program) = programs.programs.get_mut(program.addr()) {
                program.output = Some(in_c(output));
            }
        });
        code
    })
}

/// Cuts texts at the first NUL.
fn in_c(output: Output) -> Compiled {
    let text = |text: String| {
        let mut bytes = text.into_bytes();
        bytes.truncate(bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len()));
        CString::new(bytes).unwrap_or_default()
    };
    let lowered = output.lowered.into_iter().map(|(expression, name)| (text(expression), text(name)));
    Compiled {
        ptx: output.ptx,
        cubin: output.cubin,
        lto_ir: output.lto_ir,
        log: text(output.log).into_bytes_with_nul(),
        lowered: lowered.collect(),
    }
}

/// Returns a part of the output. A program that has not been compiled has an empty log only.
fn output(program: &Program, part: fn(&Compiled) -> &[u8]) -> Vec<u8> {
    let empty = Compiled { log: vec![0], ..Compiled::default() };
    part(program.output.as_ref().unwrap_or(&empty)).to_vec()
}

macro_rules! outputs {
    ($($size:ident $size_symbol:ident $fill:ident $fill_symbol:ident $field:ident;)*) => {$(
        unsafe extern "C" fn $size(program: nvrtcProgram, size: *mut usize) -> nvrtcResult {
            with(Symbol::$size_symbol, program, |program| {
                // SAFETY: the program's promise.
                unsafe { put(size, output(program, |output| &output.$field).len()) }
            })
        }

        unsafe extern "C" fn $fill(program: nvrtcProgram, place: *mut c_char) -> nvrtcResult {
            with(Symbol::$fill_symbol, program, |program| {
                // SAFETY: the program has room for the number of bytes that it received.
                unsafe { copy(&output(program, |output| &output.$field), place) }
            })
        }
    )*};
}
outputs! {
    ptx_size nvrtcGetPTXSize ptx nvrtcGetPTX ptx;
    cubin_size nvrtcGetCUBINSize cubin nvrtcGetCUBIN cubin;
    lto_ir_size nvrtcGetLTOIRSize lto_ir nvrtcGetLTOIR lto_ir;
    log_size nvrtcGetProgramLogSize log nvrtcGetProgramLog log;
}

unsafe extern "C" fn lowered(
    program: nvrtcProgram,
    expression: *const c_char,
    name: *mut *const c_char,
) -> nvrtcResult {
    with(Symbol::nvrtcGetLoweredName, program, |program| {
        // SAFETY: the program's promise.
        let Some(expression) = (unsafe { text(expression) }) else { return INVALID };
        let Some(output) = &program.output else {
            return nvrtcResult::NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
        };
        match output.lowered.get(&expression) {
            // SAFETY: likewise.
            Some(lowered) => unsafe { put(name, forever(&lowered.to_string_lossy()).as_ptr()) },
            None => nvrtcResult::NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID,
        }
    })
}

/// Installs these functions in place of NVRTC's.
pub(super) fn install() -> Result<&'static Library, AlreadyInstalled> {
    // SAFETY: the functions have the signatures and the behaviour of their names.
    unsafe { cuda_sys::nvrtc::install("cuda-sim, a stand-in for NVRTC", function) }
}

/// Returns the address of a function of the stand-in.
pub(super) fn function(name: &'static CStr) -> Option<NonNull<c_void>> {
    use Symbol as S;
    NonNull::new(match Symbol::from_name(name.to_str().ok()?)? {
        S::nvrtcGetErrorString => error_string as *mut c_void,
        S::nvrtcVersion => version as *mut c_void,
        S::nvrtcGetNumSupportedArchs => count_architectures as *mut c_void,
        S::nvrtcGetSupportedArchs => architectures as *mut c_void,
        S::nvrtcCreateProgram => create as *mut c_void,
        S::nvrtcDestroyProgram => destroy as *mut c_void,
        S::nvrtcAddNameExpression => add_name as *mut c_void,
        S::nvrtcCompileProgram => compile as *mut c_void,
        S::nvrtcGetPTXSize => ptx_size as *mut c_void,
        S::nvrtcGetPTX => ptx as *mut c_void,
        S::nvrtcGetCUBINSize => cubin_size as *mut c_void,
        S::nvrtcGetCUBIN => cubin as *mut c_void,
        S::nvrtcGetLTOIRSize => lto_ir_size as *mut c_void,
        S::nvrtcGetLTOIR => lto_ir as *mut c_void,
        S::nvrtcGetProgramLogSize => log_size as *mut c_void,
        S::nvrtcGetProgramLog => log as *mut c_void,
        S::nvrtcGetLoweredName => lowered as *mut c_void,
        _ => return None,
    })
}
