//! Initialisation, versions, and the names of codes.

#![allow(unsafe_code)]

use crate::console::say;
use crate::driver::processes::fork;
use crate::driver::processes::lasting_strings::forever;
use crate::driver::rules::since;
use crate::driver::rules::version_emulation::known;
use crate::driver::{Answer, Call, put};
use core::ffi::{c_char, c_int, c_uint};
use core::ptr::null;
use cuda_sys::{CUoutput_mode, CUresult, DriverVersion};

pub(crate) fn init(call: &mut Call<'_>, flags: c_uint) -> Answer {
    if flags != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // A device that `CUDA_VISIBLE_DEVICES` names twice is refused here (measured).
    if call.state.config.visible.as_ref().is_some_and(|visible| visible.len() > call.state.devices.len()) {
        return Err(CUresult::CUDA_ERROR_INVALID_DEVICE);
    }
    if call.state.devices.is_empty() {
        return Err(CUresult::CUDA_ERROR_NO_DEVICE);
    }
    call.state.initialized = true;
    fork::note_initialized();
    Ok(())
}

/// Refuses every call, as drivers do since CUDA 12.0, even before they are initialised (conformance fact V212).
pub(crate) fn profiler_initialize(
    call: &mut Call<'_>,
    _: *const c_char,
    _: *const c_char,
    _: CUoutput_mode,
) -> Answer {
    if call.state.config.driver_version < DriverVersion::new(12, 0) {
        say("the profiler that drivers before CUDA 12.0 had is not simulated");
    }
    Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
}

/// Does nothing, because there is no profiler.
pub(crate) fn profiler(_: &mut Call<'_>) -> Answer {
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn driver_version(call: &mut Call<'_>, version: *mut c_int) -> Answer {
    // SAFETY: the program's promise.
    unsafe { put(version, call.state.config.driver_version.0) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn error_name(call: &mut Call<'_>, code: CUresult, text: *mut *const c_char) -> Answer {
    // SAFETY: the program's promise.
    unsafe { put_text(call, code, CUresult::name, text) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn error_string(call: &mut Call<'_>, code: CUresult, text: *mut *const c_char) -> Answer {
    // SAFETY: the program's promise.
    unsafe { put_text(call, code, CUresult::description, text) }
}

/// Writes the text of a code. For an unknown code, the pointer is null and the result is `INVALID_VALUE` (measured).
///
/// # Safety
///
/// `to` is null or valid for a write.
unsafe fn put_text(
    call: &Call<'_>,
    code: CUresult,
    text: fn(CUresult) -> Option<&'static str>,
    to: *mut *const c_char,
) -> Answer {
    let is_known = known(since::CODES, code.0, call.state.config.driver_version);
    let pointer = text(code).filter(|_| is_known).map_or(null(), |text| forever(text).as_ptr());
    // SAFETY: the caller's promise is the same.
    unsafe { put(to, pointer) }?;
    if pointer.is_null() { Err(CUresult::CUDA_ERROR_INVALID_VALUE) } else { Ok(()) }
}
