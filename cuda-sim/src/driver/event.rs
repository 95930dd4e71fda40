//! Events, with times of a virtual clock.

#![allow(unsafe_code)]

use super::handles::Handle;
use super::{Answer, Call, put};
use core::ffi::c_uint;
use cuda_sys::{CUdevice, CUevent, CUevent_flags_enum as Flags, CUresult, CUstream};

/// An event.
pub(super) struct Event {
    pub(super) context: Handle,
    device: CUdevice,
    flags: c_uint,
    /// When it was last recorded, in nanoseconds.
    recorded: Option<u64>,
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn create(call: &mut Call<'_>, to: *mut CUevent, flags: c_uint) -> Answer {
    let known =
        Flags::CU_EVENT_BLOCKING_SYNC.0 | Flags::CU_EVENT_DISABLE_TIMING.0 | Flags::CU_EVENT_INTERPROCESS.0;
    let shared = flags & Flags::CU_EVENT_INTERPROCESS.0 != 0;
    let timed = flags & Flags::CU_EVENT_DISABLE_TIMING.0 == 0;
    if flags & !known != 0 || shared && timed {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let device = call.state.live_context(call.context)?.device;
    let event = Event { context: call.context, device, flags, recorded: None };
    let handle = call.state.events.insert(event);
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

pub(super) fn destroy(call: &mut Call<'_>, event: CUevent) -> Answer {
    call.state.events.remove(Handle::of(event)).map(drop).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
}

fn find<'call>(call: &'call Call<'_>, event: CUevent) -> Answer<&'call Event> {
    call.state.events.get(Handle::of(event)).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
}

pub(super) fn record(call: &mut Call<'_>, event: CUevent, stream: CUstream) -> Answer {
    let context = find(call, event)?.context;
    // A stream of another context is refused (measured).
    if call.state.stream_context(stream)? != context {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    call.state.queue(stream)?;
    let now = call.state.clock;
    if let Some(event) = call.state.events.get_mut(Handle::of(event)) {
        event.recorded = Some(now);
    }
    Ok(())
}

/// For waiting and asking alike: what was recorded is reached, and what was not counts as reached
/// (measured).
pub(super) fn done(call: &mut Call<'_>, event: CUevent) -> Answer {
    find(call, event).map(drop)
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn elapsed(call: &mut Call<'_>, to: *mut f32, start: CUevent, end: CUevent) -> Answer {
    let (start, end) = (find(call, start)?, find(call, end)?);
    let timed = |event: &Event| event.flags & Flags::CU_EVENT_DISABLE_TIMING.0 == 0;
    // All of these are INVALID_HANDLE (measured).
    let times = match (start.recorded, end.recorded) {
        (Some(first), Some(last)) if timed(start) && timed(end) && start.device == end.device => {
            (first, last)
        }
        _ => return Err(CUresult::CUDA_ERROR_INVALID_HANDLE),
    };
    let nanoseconds = times.1 as f64 - times.0 as f64;
    // SAFETY: the program's promise.
    unsafe { put(to, (nanoseconds / 1e6) as f32) }
}
