//! Green contexts: parts of a device for some of the work of its primary context.
//!
//! A green context has no memory, modules or events of its own, but uses those of the primary context. It is not a
//! [`Context`](super::context::Context). A program that makes one current works in the primary context. The default
//! stream is then the green context's own.

#![allow(unsafe_code)]

use crate::driver::contexts::dev_resource::{Description, Multiprocessors, Workqueues};
use crate::driver::contexts::primary_context;
use crate::driver::handles::{Handle, new_id};
use crate::driver::operations::StreamId;
use crate::driver::{Answer, Call, State, check_out, put};
use core::ffi::c_uint;
use cuda_sys::{
    CUcontext, CUdevResourceDesc, CUdevice, CUgreenCtx, CUgreenCtxCreate_flags as Flags, CUresult,
};
use std::sync::Arc;

const INVALID_CONTEXT: CUresult = CUresult::CUDA_ERROR_INVALID_CONTEXT;

/// Green context.
pub(crate) struct GreenContext {
    /// Primary context of the device.
    pub(crate) primary: Handle,
    pub(super) id: u64,
    /// True if the program has converted it to a context, and may use it as one.
    is_context: bool,
    pub(crate) multiprocessors: Arc<Multiprocessors>,
    pub(crate) workqueues: Workqueues,
}

impl State {
    /// Returns a live green context, or the error why there is none.
    pub(crate) fn green_context(&self, green: Handle) -> Answer<&GreenContext> {
        match self.green_contexts.get(green) {
            Some(green) => Ok(green),
            None if self.green_contexts.is_stale(green) => Err(CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED),
            None => Err(INVALID_CONTEXT),
        }
    }

    /// Returns the context for a handle: the primary context, if the handle is that of a green context.
    pub(crate) fn context_behind(&self, context: Handle) -> Handle {
        let green = self.green_contexts.get(context).filter(|green| green.is_context);
        green.map_or(context, |green| green.primary)
    }

    /// Returns whether a handle is or was that of a context.
    pub(crate) fn is_known_context(&self, context: Handle) -> bool {
        let is_green = match self.green_contexts.get(context) {
            Some(green) => green.is_context,
            None => self.green_contexts.is_stale(context),
        };
        is_green || self.contexts.get(context).is_some() || self.contexts.is_stale(context)
    }

    /// Returns the green context that is current on this thread.
    pub(crate) fn current_green(&self) -> Option<Handle> {
        self.top().filter(|top| self.green_contexts.get(*top).is_some())
    }

    /// Returns the green context of the work on a stream.
    pub(crate) fn green_of(&self, on_stream: StreamId) -> Option<Handle> {
        match on_stream {
            StreamId::Made(handle, id) => self.streams.get(handle).filter(|stream| stream.id == id)?.green,
            StreamId::Legacy(of) | StreamId::PerThread(of, _) | StreamId::Whole(of) | StreamId::Gate(of) => {
                self.green_contexts.get(of).map(|_| of)
            }
        }
    }

    /// Returns the streams of a green context.
    pub(crate) fn streams_of_green(&self, green: Handle) -> Vec<StreamId> {
        let made = self.streams.iter().filter(|(_, stream)| stream.green == Some(green));
        made.map(|(handle, stream)| StreamId::Made(handle, stream.id))
            .chain([StreamId::Legacy(green)])
            .collect()
    }

    /// Returns the multiprocessors that run the kernels of a green context.
    pub(crate) fn part_of(&self, green: Option<Handle>) -> Option<Arc<[u32]>> {
        let green = green.and_then(|green| self.green_contexts.get(green))?;
        Some(green.multiprocessors.numbers.as_slice().into())
    }

    /// Returns whether a primary context has green contexts, which keep it alive.
    pub(super) fn has_green_contexts(&self, primary: Handle) -> bool {
        self.green_contexts.iter().any(|(_, green)| green.primary == primary)
    }

    /// Ends a green context with its streams. Their queued work is still done (measured).
    fn end_green_context(&mut self, green: Handle) {
        let streams = self.streams_of_green(green);
        for on_stream in &streams {
            self.invalidate_capture_of(*on_stream);
            let of = *on_stream;
            self.heap.managed.detach(|known, _| known == of);
            self.queue.close(of);
        }
        self.queue.close(StreamId::Whole(green));
        self.queue.close(StreamId::Gate(green));
        if let Some(ended) = self.green_contexts.remove(green) {
            self.ended_contexts.insert(green, ended.multiprocessors.device);
        }
        let ended = self.streams.iter().filter(|(_, stream)| stream.green == Some(green));
        self.ended_streams.extend(ended.map(|(handle, _)| handle));
        self.streams.retain(|stream| stream.green != Some(green));
        self.default_stream_attributes.retain(|stream, _| *stream != StreamId::Legacy(green));
        self.heap.see_freed(|(of, ..)| streams.contains(of));
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create(
    call: &mut Call<'_>,
    to: *mut CUgreenCtx,
    description: CUdevResourceDesc,
    device: CUdevice,
    flags: c_uint,
) -> Answer {
    call.state.device(device)?;
    let description = if description.is_null() {
        // All of the device (measured).
        let multiprocessors = Arc::new(call.state.multiprocessors_of_device(device));
        Description { multiprocessors, workqueues: Workqueues::DEFAULT }
    } else {
        let found = call.state.resource_descriptions.get(Handle::of(description));
        found.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?.clone()
    };
    if flags != Flags::CU_GREEN_CTX_DEFAULT_STREAM.0 || description.multiprocessors.device != device {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    check_out(to)?;
    let primary = primary_context::activate(call, device)?;
    let green = call.state.green_contexts.insert(GreenContext {
        primary,
        id: new_id(),
        is_context: false,
        multiprocessors: description.multiprocessors,
        workqueues: description.workqueues,
    });
    // SAFETY: the program's promise.
    unsafe { put(to, green.pointer()) }
}

/// Destroys a green context. This ends the primary context, too, if the program does not retain it (measured).
pub(crate) fn destroy(call: &mut Call<'_>, green: CUgreenCtx) -> Answer {
    let handle = Handle::of(green);
    let device = call.state.green_context(handle)?.multiprocessors.device;
    call.state.end_green_context(handle);
    primary_context::end_if_unused(call, device)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn as_context(call: &mut Call<'_>, to: *mut CUcontext, green: CUgreenCtx) -> Answer {
    let handle = Handle::of(green);
    call.state.green_context(handle)?;
    // SAFETY: the program's promise. The handle is the same (measured).
    unsafe { put(to, handle.pointer()) }?;
    if let Some(green) = call.state.green_contexts.get_mut(handle) {
        green.is_context = true;
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_id(call: &mut Call<'_>, green: CUgreenCtx, id: *mut u64) -> Answer {
    let handle =
        if green.is_null() { call.state.current_green().ok_or(INVALID_CONTEXT)? } else { Handle::of(green) };
    let value = call.state.green_context(handle)?.id;
    // SAFETY: the program's promise.
    unsafe { put(id, value) }
}
