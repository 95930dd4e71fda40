//! Streams. What is queued on one is done at once, so a stream is never busy.

#![allow(unsafe_code)]

use super::handles::Handle;
use super::{Answer, Call, State, put};
use core::ffi::{c_int, c_uint};
use cuda_sys::{
    CU_STREAM_LEGACY, CU_STREAM_PER_THREAD, CUcontext, CUdevice, CUevent, CUresult, CUstream,
    CUstream_flags_enum as Flags, CUstreamCaptureMode, CUstreamCaptureStatus,
};

/// A stream.
pub(super) struct Stream {
    pub(super) context: Handle,
    flags: c_uint,
    priority: c_int,
    id: u64,
}

/// Nanoseconds of virtual time that every queued operation takes.
const OPERATION: u64 = 1000;

impl State {
    /// The context that work on this stream belongs to. The special handles are the current context's.
    pub(super) fn stream_context(&self, stream: CUstream) -> Answer<Handle> {
        if stream.is_null() || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD {
            return self.current_context();
        }
        match self.streams.get(Handle::of(stream)) {
            Some(stream) => Ok(stream.context),
            None => Err(CUresult::CUDA_ERROR_INVALID_HANDLE),
        }
    }

    /// Lets time pass for one operation on a stream, and gives the stream's context.
    pub(super) fn queue(&mut self, stream: CUstream) -> Answer<Handle> {
        let context = self.stream_context(stream)?;
        self.clock += OPERATION;
        Ok(context)
    }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn create(call: &mut Call<'_>, to: *mut CUstream, flags: c_uint) -> Answer {
    // SAFETY: the program's promise.
    unsafe { create_with_priority(call, to, flags, 0) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn create_with_priority(
    call: &mut Call<'_>,
    to: *mut CUstream,
    flags: c_uint,
    priority: c_int,
) -> Answer {
    if flags & !Flags::CU_STREAM_NON_BLOCKING.0 != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // Moved to the nearest one that there is (measured).
    let (greatest, least) = call.state.config.profile.stream_priorities;
    let priority = priority.max(greatest).min(least);
    let id = call.state.next_id();
    let handle = call.state.streams.insert(Stream { context: call.context, flags, priority, id });
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

pub(super) fn destroy(call: &mut Call<'_>, stream: CUstream) -> Answer {
    // The special handles cannot be destroyed (measured), and nothing else is a stream.
    call.state.streams.remove(Handle::of(stream)).map(drop).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
}

/// For waiting and asking alike: the stream is always done.
pub(super) fn done(call: &mut Call<'_>, stream: CUstream) -> Answer {
    call.state.stream_context(stream).map(drop)
}

pub(super) fn wait_event(call: &mut Call<'_>, stream: CUstream, event: CUevent, flags: c_uint) -> Answer {
    if call.state.events.get(Handle::of(event)).is_none() {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    if flags & !1 != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    call.state.queue(stream).map(drop)
}

/// What a stream was made as; the special ones are blocking, of priority 0 (measured).
fn facts(call: &Call<'_>, stream: CUstream) -> Answer<(c_uint, c_int, u64)> {
    let context = call.state.stream_context(stream)?;
    match call.state.streams.get(Handle::of(stream)) {
        Some(stream) => Ok((stream.flags, stream.priority, stream.id)),
        // Numbers that no other stream gets: the driver has some of its own for these.
        None => Ok((0, 0, u64::MAX - 2 * context.0 - u64::from(stream == CU_STREAM_PER_THREAD))),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_flags(call: &mut Call<'_>, stream: CUstream, flags: *mut c_uint) -> Answer {
    let (value, _, _) = facts(call, stream)?;
    // SAFETY: the program's promise.
    unsafe { put(flags, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_priority(call: &mut Call<'_>, stream: CUstream, priority: *mut c_int) -> Answer {
    let (_, value, _) = facts(call, stream)?;
    // SAFETY: the program's promise.
    unsafe { put(priority, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_id(call: &mut Call<'_>, stream: CUstream, id: *mut u64) -> Answer {
    let (_, _, value) = facts(call, stream)?;
    // SAFETY: the program's promise.
    unsafe { put(id, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_context(call: &mut Call<'_>, stream: CUstream, context: *mut CUcontext) -> Answer {
    let value = call.state.stream_context(stream)?;
    // SAFETY: the program's promise.
    unsafe { put(context, value.pointer()) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_device(call: &mut Call<'_>, stream: CUstream, device: *mut CUdevice) -> Answer {
    let context = call.state.stream_context(stream)?;
    let value = call.state.live_context(context)?.device;
    // SAFETY: the program's promise.
    unsafe { put(device, value) }
}

/// Capturing cannot be begun yet, so no stream does it.
///
/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn is_capturing(
    call: &mut Call<'_>,
    stream: CUstream,
    status: *mut CUstreamCaptureStatus,
) -> Answer {
    call.state.stream_context(stream)?;
    // SAFETY: the program's promise.
    unsafe { put(status, CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE) }
}

/// Each thread's mode, which matters only while something is captured.
///
/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn exchange_capture_mode(_: &mut Call<'_>, mode: *mut CUstreamCaptureMode) -> Answer {
    use core::cell::Cell;
    thread_local! {
        static MODE: Cell<u32> = const { Cell::new(0) };
    }
    if mode.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so valid for a read.
    let wanted = unsafe { mode.read() };
    if wanted.0 > CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED.0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let before = MODE.try_with(|current| current.replace(wanted.0)).unwrap_or(0);
    // SAFETY: the program's promise.
    unsafe { put(mode, cuda_sys::CUstreamCaptureMode_enum(before)) }
}
