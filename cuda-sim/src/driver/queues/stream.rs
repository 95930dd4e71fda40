//! Streams.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::handles::new_id;
use crate::driver::operations::{OpId, StreamId};
use crate::driver::queues::default_stream::default_stream;
use crate::driver::queues::host_function;
use crate::driver::queues::stream_attributes::Attributes;
use crate::driver::stream_order::Known;
use crate::driver::{Answer, Call, State, check_out, put, put_if_wanted};
use core::ffi::{c_int, c_uint};
use core::ptr::null_mut;
use cuda_sys::{
    CU_STREAM_LEGACY, CU_STREAM_PER_THREAD, CUcontext, CUdevResource, CUdevResourceType, CUdevice,
    CUgreenCtx, CUresult, CUstream, CUstream_flags_enum as Flags,
};

/// A stream.
pub(crate) struct Stream {
    pub(crate) context: Handle,
    /// Green context of the stream.
    pub(crate) green: Option<Handle>,
    flags: c_uint,
    pub(crate) priority: c_int,
    pub(crate) id: u64,
    pub(crate) attributes: Attributes,
}

/// Returns the stream of a handle: the null stream means the default stream of the call.
fn named(stream: CUstream) -> CUstream {
    if stream.is_null() { default_stream() } else { stream }
}

impl State {
    /// Returns the context of the work on a stream. The special handles belong to the current context.
    pub(crate) fn stream_context(&self, stream: CUstream) -> Answer<Handle> {
        self.stream(stream).map(|(_, context)| context)
    }

    /// Returns the stream of a handle, and the context of the work there.
    pub(crate) fn stream(&self, stream: CUstream) -> Answer<(StreamId, Handle)> {
        let stream = named(stream);
        // Streams of the current context. In a callback there is none, and the query is not permitted (measured).
        let current = || match self.current_context() {
            Err(_) if host_function::is_inside() => Err(CUresult::CUDA_ERROR_NOT_PERMITTED),
            answer => answer,
        };
        if stream == CU_STREAM_PER_THREAD {
            let context = current()?;
            if self.current_green().is_some() {
                // Green contexts have no such stream (measured).
                return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
            }
            return Ok((StreamId::PerThread(context, crate::thread::number()), context));
        }
        if stream == CU_STREAM_LEGACY {
            let context = current()?;
            return Ok((StreamId::Legacy(self.current_green().unwrap_or(context)), context));
        }
        let handle = Handle::of(stream);
        match self.streams.get(handle) {
            Some(stream) => Ok((StreamId::Made(handle, stream.id), stream.context)),
            None if self.ended_streams.contains(handle) => Err(CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED),
            None => Err(CUresult::CUDA_ERROR_INVALID_HANDLE),
        }
    }

    /// Returns a stream on which batches may be queued: any stream except the legacy stream, in all forms of its handle
    /// (measured).
    pub(crate) fn stream_for_batch(&self, stream: CUstream) -> Answer<(StreamId, Handle)> {
        match self.stream(stream)? {
            (StreamId::Legacy(_), _) => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
            // A capture continues after a refused batch (measured).
            (on_stream, _) if self.captures.of_stream(on_stream).is_some() => {
                Err(CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED)
            }
            on => Ok(on),
        }
    }

    /// Returns the streams of a context for which the legacy stream waits, among those that programs created.
    fn blocking_streams(&self, context: Handle) -> Vec<StreamId> {
        let ids = self.streams.iter().filter(|(_, stream)| stream.context == context);
        let ids = ids.map(|(handle, stream)| StreamId::Made(handle, stream.id));
        ids.filter(|on_stream| self.is_blocking(*on_stream)).collect()
    }

    /// Refuses a query of a captured stream, and of the legacy stream if this disturbs a capture.
    fn check_stream_uncaptured(&mut self, stream: CUstream) -> Answer {
        if self.captures.is_empty() {
            return Ok(());
        }
        let on = self.stream(stream)?;
        self.check_uncaptured(on)
    }

    /// Refuses a query of the legacy stream if this disturbs a capture.
    fn check_legacy_unused(&mut self, stream: CUstream) -> Answer {
        match self.stream(stream)? {
            (StreamId::Legacy(_), _) => self.check_stream_uncaptured(stream),
            _ => Ok(()),
        }
    }

    /// Returns the priority of a stream; 0 for the special ones.
    pub(crate) fn priority_of(&self, stream: CUstream) -> c_int {
        self.streams.get(Handle::of(stream)).map_or(0, |stream| stream.priority)
    }

    /// Returns whether a stream is not destroyed, and its context neither.
    pub(crate) fn is_live_stream(&self, on_stream: StreamId) -> bool {
        match on_stream {
            StreamId::Made(handle, id) => self.streams.get(handle).is_some_and(|stream| stream.id == id),
            StreamId::Legacy(of) | StreamId::PerThread(of, _) | StreamId::Whole(of) | StreamId::Gate(of) => {
                self.contexts.get(of).is_some() || self.green_contexts.get(of).is_some()
            }
        }
    }

    /// Returns whether a stream and the legacy stream wait for each other.
    pub(crate) fn is_blocking(&self, on_stream: StreamId) -> bool {
        match on_stream {
            StreamId::Made(handle, _) => {
                let flags = self.streams.get(handle).map_or(0, |stream| stream.flags);
                flags & Flags::CU_STREAM_NON_BLOCKING.0 == 0
            }
            StreamId::Legacy(of) => self.green_contexts.get(of).is_none(),
            StreamId::PerThread(..) => true,
            StreamId::Whole(_) | StreamId::Gate(_) => false,
        }
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create(call: &mut Call<'_>, to: *mut CUstream, flags: c_uint) -> Answer {
    // SAFETY: the program's promise.
    unsafe { create_with_priority(call, to, flags, 0) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create_with_priority(
    call: &mut Call<'_>,
    to: *mut CUstream,
    flags: c_uint,
    priority: c_int,
) -> Answer {
    if flags & !Flags::CU_STREAM_NON_BLOCKING.0 != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    check_out(to)?;
    let green = call.state.current_green();
    // Streams of green contexts are always non-blocking (measured).
    let flags = if green.is_some() { Flags::CU_STREAM_NON_BLOCKING.0 } else { flags };
    let handle = call.state.new_stream((call.context, green), flags, priority)?;
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create_in_green_context(
    call: &mut Call<'_>,
    to: *mut CUstream,
    green: CUgreenCtx,
    flags: c_uint,
    priority: c_int,
) -> Answer {
    let green = Handle::of(green);
    let context = call.state.green_context(green)?.primary;
    if flags != Flags::CU_STREAM_NON_BLOCKING.0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    check_out(to)?;
    let handle = call.state.new_stream((context, Some(green)), flags, priority)?;
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

impl State {
    fn new_stream(
        &mut self,
        (context, green): (Handle, Option<Handle>),
        flags: c_uint,
        priority: c_int,
    ) -> Answer<Handle> {
        // The priority is clamped to the valid range (measured).
        let device = self.live_context(context)?.device;
        let (greatest, least) = self.profile(device).stream_priorities;
        let priority = priority.max(greatest).min(least);
        let attributes = Attributes::default();
        let id = new_id();
        if let Some(order) = &mut self.work_order {
            order.note_stream(id);
        }
        let handle = self.streams.insert(Stream { context, green, flags, priority, id, attributes });
        // The handle may be one of a stream that ended with its context.
        self.ended_streams.remove(handle);
        Ok(handle)
    }
}

/// Destroys a stream. Its queued work is still done (measured). Memory that it has freed can be released (fact V1108).
pub(crate) fn destroy(call: &mut Call<'_>, stream: CUstream) -> Answer {
    // The special handles cannot be destroyed (measured), and no other value is a stream.
    let handle = Handle::of(stream);
    let known = call.state.streams.get(handle).ok_or(if call.state.ended_streams.contains(handle) {
        // Measured for green contexts.
        CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED
    } else {
        CUresult::CUDA_ERROR_INVALID_HANDLE
    })?;
    let (on_stream, context) = (StreamId::Made(handle, known.id), known.context);
    if !call.state.heap.managed.is_empty() {
        // Memory stays attached to the stream until its work is done.
        call.state.submit((on_stream, context), None, 0, move |state| {
            state.heap.managed.detach(|known, _| known == on_stream);
            Ok(())
        });
    }
    call.state.end_captures_of_stream(on_stream);
    call.state.streams.remove(handle);
    call.state.queue.close(on_stream);
    call.state.heap.see_freed(|(of, ..)| *of == on_stream);
    Ok(())
}

/// Refuses a wait for a stream, or a query of it, if this disturbs a capture.
fn check_captures(call: &mut Call<'_>, stream: CUstream) -> Answer {
    if call.state.captures.is_empty() {
        return Ok(());
    }
    let on = call.state.stream(stream)?;
    call.state.check_uncaptured(on)?;
    call.state.check_unsafe()
}

pub(crate) fn synchronize(call: &mut Call<'_>, stream: CUstream) -> Answer {
    check_captures(call, stream)?;
    let (on_stream, context) = call.state.stream(stream)?;
    let ops = pending(call, stream)?;
    // The legacy stream waits for other streams, too.
    let others: Vec<StreamId> = match on_stream {
        StreamId::Legacy(_) => call.state.blocking_streams(context),
        _ => Vec::new(),
    };
    let ids = others.clone();
    // Frees before an event for which the stream has waited are known, too (fact V1108).
    let awaited = call.state.queue.awaited_by(on_stream);
    let is_awaited = move |of: StreamId, freed: u64| {
        awaited.iter().any(|(awaited, _, number)| *awaited == of && freed < *number)
    };
    call.synchronize(
        ops,
        Known::Stream(on_stream),
        move |(of, _, freed)| *of == on_stream || others.contains(of) || is_awaited(*of, *freed),
        move |state| {
            let ids = ids.into_iter().chain([on_stream]);
            ids.map(|on_stream| state.queue.time_of((on_stream, context))).max().unwrap_or(0)
        },
    );
    Ok(())
}

/// Queries a stream. The query lets its work progress, if nothing else does.
pub(crate) fn query(call: &mut Call<'_>, stream: CUstream) -> Answer {
    check_captures(call, stream)?;
    let ops = pending(call, stream)?;
    if !ops.is_empty() {
        return call.not_ready(&ops);
    }
    let stream = call.state.stream(stream)?;
    call.state.pass(call.state.queue.time_of(stream));
    call.state.learn(&Known::Stream(stream.0));
    Ok(())
}

/// Returns the work that is queued on a stream, and the work that it waits for. The legacy stream waits for other
/// blocking streams.
fn pending(call: &mut Call<'_>, stream: CUstream) -> Answer<Vec<OpId>> {
    let (on_stream, context) = call.state.stream(stream)?;
    Ok(match on_stream {
        StreamId::Legacy(_) => call.state.queue.of_blocking_streams(context),
        _ => call.state.queue.last_of(on_stream).into_iter().collect(),
    })
}

/// Returns the properties of a stream from its creation. The special streams are blocking, with priority 0 (measured).
fn facts(call: &Call<'_>, stream: CUstream) -> Answer<(c_uint, c_int, u64)> {
    let context = call.state.stream_context(stream)?;
    match call.state.streams.get(Handle::of(stream)) {
        Some(stream) => Ok((stream.flags, stream.priority, stream.id)),
        // These numbers are unique. The driver has numbers of its own for these streams.
        None => {
            if let Some(green) = call.state.current_green() {
                return Ok((Flags::CU_STREAM_NON_BLOCKING.0, 0, u64::MAX - green.0));
            }
            let id = if named(stream) == CU_STREAM_PER_THREAD {
                1 << 62 | context.0 << 14 | crate::thread::number()
            } else {
                u64::MAX - context.0
            };
            Ok((0, 0, id))
        }
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_flags(call: &mut Call<'_>, stream: CUstream, flags: *mut c_uint) -> Answer {
    call.state.check_stream_uncaptured(stream)?;
    let (value, _, _) = facts(call, stream)?;
    // SAFETY: the program's promise.
    unsafe { put(flags, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_priority(call: &mut Call<'_>, stream: CUstream, priority: *mut c_int) -> Answer {
    let (_, value, _) = facts(call, stream)?;
    // SAFETY: the program's promise.
    unsafe { put(priority, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_id(call: &mut Call<'_>, stream: CUstream, id: *mut u64) -> Answer {
    call.state.check_stream_uncaptured(stream)?;
    let (_, _, value) = facts(call, stream)?;
    // SAFETY: the program's promise.
    unsafe { put(id, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_context(call: &mut Call<'_>, stream: CUstream, context: *mut CUcontext) -> Answer {
    call.state.check_legacy_unused(stream)?;
    let (on_stream, value) = call.state.stream(stream)?;
    // The result is the green context (measured).
    let value = call.state.green_of(on_stream).unwrap_or(value);
    // SAFETY: the program's promise.
    unsafe { put(context, value.pointer()) }
}

/// Returns the primary context and the green context.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_contexts(
    call: &mut Call<'_>,
    stream: CUstream,
    context: *mut CUcontext,
    green: *mut CUgreenCtx,
) -> Answer {
    // At least one of them must be requested (measured).
    if context.is_null() && green.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let (on_stream, value) = call.state.stream(stream)?;
    let own = call.state.green_of(on_stream);
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(context, value.pointer()) };
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(green, own.map_or(null_mut(), Handle::pointer)) };
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_green_context(
    call: &mut Call<'_>,
    stream: CUstream,
    green: *mut CUgreenCtx,
) -> Answer {
    let (on_stream, _) = call.state.stream(stream)?;
    let own = call.state.green_of(on_stream);
    // SAFETY: the program's promise.
    unsafe { put(green, own.map_or(null_mut(), Handle::pointer)) }
}

/// Returns a resource as documented. Not measured.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_resource(
    call: &mut Call<'_>,
    stream: CUstream,
    to: *mut CUdevResource,
    kind: CUdevResourceType,
) -> Answer {
    let (on_stream, context) = call.state.stream(stream)?;
    let device = call.state.live_context(context)?.device;
    check_out(to)?;
    let resource = call.state.resource_of_stream(call.state.green_of(on_stream), device, kind)?;
    // SAFETY: the program's promise.
    unsafe { put(to, resource) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_device(call: &mut Call<'_>, stream: CUstream, device: *mut CUdevice) -> Answer {
    call.state.check_stream_uncaptured(stream)?;
    let context = call.state.stream_context(stream)?;
    let value = call.state.live_context(context)?.device;
    // SAFETY: the program's promise.
    unsafe { put(device, value) }
}
