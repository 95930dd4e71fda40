//! The driver's description of streams of other code.

#![allow(unsafe_code)]

use super::{Stream, call_on};
use crate::context::CurrentContextGuard;
use crate::device::Device;
use crate::error::Result;
use core::ptr::null_mut;
use cuda_sys::{CUcontext, CUgreenCtx, CUstream, Symbol};

/// The driver's description of a stream. Returned by [`StreamInfo::of_raw`].
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::stream::StreamInfo;
///
/// // SAFETY: the stream is live.
/// let info = unsafe { StreamInfo::of_raw(stream.as_raw()) }?;
/// assert_eq!((info.context, info.device), (context.as_raw(), context.device()));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct StreamInfo {
    /// The handle of the stream's context. For a stream of a green context, it is the primary context. Before CUDA 12.5 it is the
    /// green context itself, [as a context](crate::green::GreenContext::as_raw_context).
    pub context: CUcontext,
    /// The handle of the stream's green context. `None` if there is none, or the driver is older than CUDA 12.4.
    pub green_context: Option<CUgreenCtx>,
    /// The device of the stream.
    pub device: Device,
    /// The driver's number for the stream, unique in the process. `None` before CUDA 12.0.
    pub id: Option<u64>,
}

impl StreamInfo {
    /// Queries the driver about a stream of other code. Wraps `cuStreamGetCtx`, `cuStreamGetDevice` and `cuStreamGetId`, and
    /// `cuStreamGetGreenCtx` if `cuStreamGetCtx` does not return the green context.
    ///
    /// # Errors
    ///
    /// - An earlier failure.
    /// - [`Code::InvalidContext`](crate::error::Code::InvalidContext): `raw` is null or another handle of a default stream, and
    ///   no context is current.
    /// - [`Code::StreamCaptureUnsupported`](crate::error::Code::StreamCaptureUnsupported): the stream is being
    ///   captured. The failure invalidates the capture.
    /// - [`Code::StreamCaptureImplicit`](crate::error::Code::StreamCaptureImplicit): `raw` is a handle of the legacy
    ///   stream, and a blocking stream of the context is being captured. The failure invalidates the capture.
    ///
    /// # Safety
    ///
    /// `raw` is a live stream, or the handle of a default stream.
    #[doc(alias("cuStreamGetCtx", "cuStreamGetGreenCtx", "cuStreamGetDevice", "cuStreamGetId"))]
    pub unsafe fn of_raw(raw: CUstream) -> Result<StreamInfo> {
        let driver = cuda_sys::driver()?;
        let (mut context, mut green) = (null_mut(), null_mut());
        if driver.has(Symbol::cuStreamGetCtx_v2) {
            // SAFETY: the stream is live, as the caller says; both places are valid for a write.
            unsafe { check!(cuStreamGetCtx_v2(raw, &raw mut context, &raw mut green)) }?;
        } else {
            // SAFETY: as above.
            unsafe { check!(cuStreamGetCtx(raw, &raw mut context)) }?;
            if driver.has(Symbol::cuStreamGetGreenCtx) {
                // SAFETY: as above.
                unsafe { check!(cuStreamGetGreenCtx(raw, &raw mut green)) }?;
            }
        }
        let mut device = 0;
        if driver.has(Symbol::cuStreamGetDevice) {
            // SAFETY: the stream is live, `device` is valid for a write.
            unsafe { check!(cuStreamGetDevice(raw, &raw mut device)) }?;
        } else {
            let _bound = CurrentContextGuard::new(context, Symbol::cuCtxGetDevice)?;
            // SAFETY: `device` is valid for a write; the context of a live stream is alive, and current.
            unsafe { check!(cuCtxGetDevice(&raw mut device)) }?;
        }
        let mut id = 0;
        let has_id = driver.has(Symbol::cuStreamGetId);
        if has_id {
            // SAFETY: the stream is live, `id` is valid for a write.
            unsafe { check!(cuStreamGetId(raw, &raw mut id)) }?;
        }
        Ok(StreamInfo {
            context,
            green_context: (!green.is_null()).then_some(green),
            device: Device::from_handle(device),
            id: has_id.then_some(id),
        })
    }
}

impl Stream {
    /// Returns the device of the stream, as the driver reports it. Wraps `cuStreamGetDevice`.
    ///
    /// [`Context::device`](crate::Context::device) of the stream's context returns the same without a driver call.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.8.
    /// - [`Code::StreamCaptureUnsupported`](crate::error::Code::StreamCaptureUnsupported): the stream is being
    ///   captured. The failure invalidates the capture.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// assert_eq!(stream.device()?, context.device());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamGetDevice")]
    pub fn device(&self) -> Result<Device> {
        let mut device = 0;
        let place = &raw mut device;
        call_on(self, Symbol::cuStreamGetDevice, || {
            // SAFETY: the stream is live, and the place valid for a write.
            unsafe { check!(cuStreamGetDevice(self.raw(), place)) }
        })?;
        Ok(Device::from_handle(device))
    }
}
