//! Functions of the program that are notified about a device, and attributes of synchronisation objects of other
//! systems.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::{Answer, Call, check_out, put};
use core::ffi::{c_int, c_void};
use cuda_sys::{CUasyncCallback, CUasyncCallbackHandle, CUdevice, CUresult};

/// Registered function. It is never called, because no device under Linux has a memory budget.
pub(crate) struct Notification {
    device: CUdevice,
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn register(
    call: &mut Call<'_>,
    device: CUdevice,
    function: CUasyncCallback,
    _: *mut c_void,
    to: *mut CUasyncCallbackHandle,
) -> Answer {
    // Hardware crashes if there is no place for the handle.
    check_out(to)?;
    call.state.device(device)?;
    function.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    let handle = call.state.notifications.insert(Notification { device });
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

pub(crate) fn unregister(call: &mut Call<'_>, device: CUdevice, handle: CUasyncCallbackHandle) -> Answer {
    call.state.device(device)?;
    let handle = Handle::of(handle);
    // Hardware crashes for an ended registration.
    let found = call.state.notifications.get(handle).filter(|found| found.device == device);
    found.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    call.state.notifications.remove(handle);
    Ok(())
}

/// Refuses the call, because devices under Linux do not support `NvSciSync` objects.
pub(crate) fn scisync_attributes(
    call: &mut Call<'_>,
    attributes: *mut c_void,
    device: CUdevice,
    flags: c_int,
) -> Answer {
    const SIGNAL_AND_WAIT: c_int = 3;
    if attributes.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    call.state.device(device)?;
    if flags == 0 || flags & !SIGNAL_AND_WAIT != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
}
