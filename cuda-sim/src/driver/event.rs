//! Events, with times of a virtual clock.

#![allow(unsafe_code)]

use super::handles::Handle;
use super::queue::OpId;
use super::stream::Lane;
use super::{Answer, Call, check_out, put};
use core::ffi::c_uint;
use cuda_sys::{CUcontext, CUevent, CUevent_flags_enum as Flags, CUresult, CUstream};

/// An event.
pub(super) struct Event {
    pub(super) context: Handle,
    flags: c_uint,
    /// The operation that it marks, and when that was done, in nanoseconds of virtual time.
    pub(super) recorded: Option<OpId>,
    time: Option<u64>,
    /// Which recording that is.
    record: u64,
    /// The stream that it is recorded on, and when, among all that is asked of streams.
    after: Option<(Lane, u64)>,
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
    check_out(to)?;
    let event = Event { context: call.context, flags, recorded: None, time: None, record: 0, after: None };
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
    let on = call.state.stream(stream)?;
    record_on(call, event, on);
    Ok(())
}

/// Marks all that is queued in a context. The event has to be its own (measured).
pub(super) fn record_of_context(call: &mut Call<'_>, context: CUcontext, event: CUevent) -> Answer {
    let context = Handle::of(context);
    call.state.live_context(context)?;
    if find(call, event)?.context != context {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    record_on(call, event, (Lane::Whole(context), context));
    Ok(())
}

/// Has all that is queued in a context from now on wait for an event of any context.
pub(super) fn wait_of_context(call: &mut Call<'_>, context: CUcontext, event: CUevent) -> Answer {
    let context = Handle::of(context);
    call.state.live_context(context)?;
    let recorded = find(call, event)?.recorded;
    call.state.submit((Lane::Gate(context), context), recorded, 0, |_| Ok(()));
    Ok(())
}

fn record_on(call: &mut Call<'_>, event: CUevent, on: (Lane, Handle)) {
    let handle = Handle::of(event);
    // Until its turn comes, the event has no time. If it is recorded again by then, that counts.
    call.state.records += 1;
    let (record, number) = (call.state.records, call.state.next_id());
    if let Some(event) = call.state.events.get_mut(handle) {
        (event.record, event.time, event.after) = (record, None, Some((on.0, number)));
    }
    let op = call.state.submit(on, None, 0, move |state| {
        let now = state.now;
        if let Some(event) = state.events.get_mut(handle).filter(|event| event.record == record) {
            event.time = Some(now);
        }
        Ok(())
    });
    if let Some(event) = call.state.events.get_mut(handle) {
        event.recorded = op;
    }
}

pub(super) fn record_with_flags(
    call: &mut Call<'_>,
    event: CUevent,
    stream: CUstream,
    flags: c_uint,
) -> Answer {
    // The only flag is for captures.
    if flags & !1 != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    record(call, event, stream)
}

/// What was not recorded counts as reached (measured).
fn pending(call: &Call<'_>, event: CUevent) -> Answer<Option<OpId>> {
    Ok(find(call, event)?.recorded.filter(|op| call.state.queue.has(*op)))
}

pub(super) fn synchronize(call: &mut Call<'_>, event: CUevent) -> Answer {
    let op = pending(call, event)?;
    let after = find(call, event)?.after;
    call.synchronize(op, move |(lane, _, freed)| {
        after.is_some_and(|(of, number)| of == *lane && *freed < number)
    });
    Ok(())
}

pub(super) fn query(call: &mut Call<'_>, event: CUevent) -> Answer {
    match pending(call, event)? {
        Some(op) => call.not_ready(&[op]),
        None => Ok(()),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn elapsed(call: &mut Call<'_>, to: *mut f32, start: CUevent, end: CUevent) -> Answer {
    let (first, last) = (find(call, start)?, find(call, end)?);
    let timed = |event: &Event| event.flags & Flags::CU_EVENT_DISABLE_TIMING.0 == 0 && event.record != 0;
    // All of these are INVALID_HANDLE (measured).
    if !timed(first) || !timed(last) || first.context != last.context {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    let (Some(first), Some(last)) = (first.time, last.time) else {
        return Err(CUresult::CUDA_ERROR_NOT_READY);
    };
    let nanoseconds = last as f64 - first as f64;
    // SAFETY: the program's promise.
    unsafe { put(to, (nanoseconds / 1e6) as f32) }
}
