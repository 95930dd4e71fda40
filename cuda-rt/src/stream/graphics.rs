//! Streams whose work is recorded into a command list of a graphics API.

#![allow(unsafe_code)]

use super::{Stream, StreamFlags};
use crate::context::Context;
use crate::error::{Code, OrDetail, Result};
use crate::handle::{is_forked_child, must_defer, report};
use core::ffi::c_void;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use cuda_sys::{
    CUstream, CUstreamCigCaptureParams, CUstreamCigDataType_enum as Type, CUstreamCigParam, Symbol,
};

/// A list of commands of a graphics API.
#[doc(alias = "CUstreamCigDataType")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CommandList {
    /// An `ID3D12CommandList` of Direct3D 12.
    #[doc(alias = "STREAM_CIG_DATA_TYPE_D3D12_COMMAND_LIST")]
    D3d12(*mut c_void),
    /// The handle that `vkGetCommandBufferInternalHandleNV` returns for a command buffer of Vulkan.
    #[doc(alias = "STREAM_CIG_DATA_TYPE_VULKAN_COMMAND_BUFFER_HANDLE_NV")]
    Vulkan(*mut c_void),
}

/// A stream whose work is recorded into a [`CommandList`]. Since CUDA 13.1; not run on hardware.
///
/// The work runs when the graphics API executes the list. Raw calls queue the work: kernels, copies and fills. No method of this
/// crate uses the stream.
///
/// Dropping the value ends the recording, unless [`end`](GraphicsStream::end) has ended it, and destroys the stream. If
/// the recording cannot be ended, for example inside a host function, the stream is never destroyed.
#[derive(Debug)]
pub struct GraphicsStream {
    /// `None` after a failure, when the stream is not destroyed.
    stream: Option<Stream>,
    is_recording: bool,
    /// The thread that began the recording must end it.
    _not_send: PhantomData<*const ()>,
}

impl GraphicsStream {
    /// Creates a stream, and begins to record its work into a list. Wraps `cuStreamCreate` and `cuStreamBeginCaptureToCig`.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.1.
    /// - [`Code::InvalidContext`]: the context was not created by [`Context::with_graphics`].
    /// - [`Code::NotSupported`]: the device cannot record into such lists.
    /// - [`Code::InvalidValue`]: the driver refuses the list.
    /// - Same as [`Stream::new`].
    ///
    /// # Safety
    ///
    /// - The list is live, of the context's device, and in the recording state until [`end`](GraphicsStream::end).
    /// - The graphics API executes the list after `end`, at most once. Memory and modules of the work stay alive until then.
    /// - The value is dropped after the execution, or the list is never executed. The same holds for streams that wait for its work.
    #[doc(alias("cuStreamBeginCaptureToCig", "CUstreamCigCaptureParams"))]
    pub unsafe fn begin(context: &Context, list: CommandList) -> Result<GraphicsStream> {
        const CALL: Symbol = Symbol::cuStreamBeginCaptureToCig;
        if let Some(missing) = cuda_sys::driver()?.missing(CALL) {
            return Err(missing.into());
        }
        let stream = Stream::with_flags(context, StreamFlags::NON_BLOCKING)?;
        let (kind, data) = match list {
            CommandList::D3d12(data) => (Type::STREAM_CIG_DATA_TYPE_D3D12_COMMAND_LIST, data),
            CommandList::Vulkan(data) => (Type::STREAM_CIG_DATA_TYPE_VULKAN_COMMAND_BUFFER_HANDLE_NV, data),
        };
        let mut param = CUstreamCigParam { streamSharedDataType: kind, streamSharedData: data };
        let mut params = CUstreamCigCaptureParams { streamCigParams: &raw mut param };
        let bound = context.bind(CALL)?;
        // SAFETY: the stream is live and private, its context is current, and the parameters are valid for reads. The rest is the caller's
        // promise.
        let begun = unsafe { check!(cuStreamBeginCaptureToCig(stream.raw(), &raw mut params)) };
        drop(bound);
        let refusals = [Code::InvalidContext, Code::NotSupported, Code::InvalidValue];
        if let Err(error) = begun {
            // After an earlier failure the stream may be recording. Then it is not destroyed.
            if !error.code().is_some_and(|code| refusals.contains(&code)) {
                let _left = ManuallyDrop::new(stream);
            }
            return Err(error).or_detail(&refusals, &|| format!("{list:?}"));
        }
        Ok(GraphicsStream { stream: Some(stream), is_recording: true, _not_send: PhantomData })
    }

    /// Returns the raw stream, for raw calls that queue work. The caller must not destroy or capture the stream.
    pub fn as_raw(&self) -> CUstream {
        self.stream.as_ref().map_or(core::ptr::null_mut(), Stream::raw)
    }

    /// Ends the recording. Afterwards the list can be executed. Later calls do nothing. Wraps `cuStreamEndCaptureToCig`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuStreamEndCaptureToCig")]
    pub fn end(&mut self) -> Result<()> {
        let Some(stream) = self.stream.as_ref().filter(|_| self.is_recording) else { return Ok(()) };
        let bound = stream.context().bind(Symbol::cuStreamEndCaptureToCig)?;
        // SAFETY: the stream is live, it records, and its context is current.
        let ended = unsafe { check!(cuStreamEndCaptureToCig(stream.raw())) };
        drop(bound);
        self.is_recording = ended.is_err();
        ended
    }
}

impl Drop for GraphicsStream {
    fn drop(&mut self) {
        if is_forked_child() {
            return;
        }
        // Another thread could not end the recording.
        if !must_defer() {
            report(self.end());
        }
        if self.is_recording {
            // A stream that still records is not destroyed.
            let _left = ManuallyDrop::new(self.stream.take());
        }
    }
}
