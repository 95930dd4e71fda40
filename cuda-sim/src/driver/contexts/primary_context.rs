//! Primary contexts: one for each device, with a reference count.

#![allow(unsafe_code)]

use crate::driver::contexts::context::{check_flags, end_when_done};
use crate::driver::handles::Handle;
use crate::driver::{Answer, Call, State, check_out, put};
use core::ffi::{c_int, c_uint};
use cuda_sys::{CUcontext, CUdevice, CUresult};

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn retain(call: &mut Call<'_>, to: *mut CUcontext, device: CUdevice) -> Answer {
    primary_of(call, device)?;
    check_out(to)?;
    let handle = activate(call, device)?;
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }?;
    call.state.devices[device as usize].retains += 1;
    Ok(())
}

/// Creates the primary context of a device, unless it exists.
pub(super) fn activate(call: &mut Call<'_>, device: CUdevice) -> Answer<Handle> {
    let Device { primary, flags } = primary_of(call, device)?;
    let active = primary.filter(|handle| call.state.contexts.get(*handle).is_some());
    // An existing context is returned even after a sticky error (measured).
    if let (None, Some(failure)) = (active, call.state.sticky) {
        return Err(failure);
    }
    let handle = match primary {
        Some(handle) if active.is_some() => handle,
        Some(handle) => {
            // The new context has the same handle as before, and another identity (measured).
            let context = call.state.make_context(device, flags, true);
            call.state.contexts.revive(handle, context);
            handle
        }
        None => {
            let context = call.state.make_context(device, flags, true);
            call.state.contexts.insert(context)
        }
    };
    call.state.devices[device as usize].primary = Some(handle);
    Ok(handle)
}

/// State of a device's primary context.
struct Device {
    primary: Option<Handle>,
    flags: c_uint,
}

fn primary_of(call: &Call<'_>, device: CUdevice) -> Answer<Device> {
    let device = call.state.device(device)?;
    Ok(Device { primary: device.primary, flags: device.primary_flags })
}

pub(crate) fn release(call: &mut Call<'_>, device: CUdevice) -> Answer {
    let Device { primary, .. } = primary_of(call, device)?;
    let has_green_contexts = primary.is_some_and(|primary| call.state.has_green_contexts(primary));
    let own = &mut call.state.devices[device as usize];
    own.retains = match own.retains {
        0 if has_green_contexts => return Err(CUresult::CUDA_ERROR_NOT_PERMITTED),
        retains => retains.checked_sub(1).ok_or(CUresult::CUDA_ERROR_INVALID_CONTEXT)?,
    };
    end_if_unused(call, device)
}

/// Ends the primary context of a device if nothing retains it. Does not end it if another thread has retained it before
/// its work is done (measured).
pub(super) fn end_if_unused(call: &mut Call<'_>, device: CUdevice) -> Answer {
    let Some(primary) = primary_of(call, device)?.primary else { return Ok(()) };
    let is_unused = move |state: &State| {
        state.devices[device as usize].retains == 0 && !state.has_green_contexts(primary)
    };
    if !is_unused(call.state) {
        return Ok(());
    }
    end_when_done(call, primary, is_unused)
}

/// Ends the context. The reference count and the handle stay, and the flags are reset (measured).
pub(crate) fn reset(call: &mut Call<'_>, device: CUdevice) -> Answer {
    let primary = primary_of(call, device)?.primary;
    if primary.is_some_and(|primary| call.state.has_green_contexts(primary)) {
        return Err(CUresult::CUDA_ERROR_NOT_PERMITTED);
    }
    call.state.devices[device as usize].primary_flags = 0;
    match primary {
        Some(handle) => end_when_done(call, handle, |_| true),
        None => Ok(()),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn state(
    call: &mut Call<'_>,
    device: CUdevice,
    flags: *mut c_uint,
    active: *mut c_int,
) -> Answer {
    let Device { primary, flags: value } = primary_of(call, device)?;
    let is_active = primary.is_some_and(|handle| call.state.contexts.get(handle).is_some());
    // SAFETY: the program's promise.
    unsafe { put(flags, value) }?;
    // SAFETY: the program's promise.
    unsafe { put(active, c_int::from(is_active)) }
}

pub(crate) fn set_flags(call: &mut Call<'_>, device: CUdevice, flags: c_uint) -> Answer {
    check_flags(call, flags)?;
    let Device { primary, .. } = primary_of(call, device)?;
    call.state.devices[device as usize].primary_flags = flags;
    if let Some(context) = primary.and_then(|handle| call.state.contexts.get_mut(handle)) {
        context.flags = flags;
    }
    Ok(())
}
