//! Streams of all kinds, and the calls that are the same on each.

#![allow(unsafe_code)]

use super::{PerThreadStream, Stream, StreamRef};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::event::{Event, EventFlags};
use cuda_sys::{CUstream, CUstreamCaptureStatus, Symbol};

/// Anything that work can be put on: a [`Stream`], a [`StreamRef`], the thread's own [`PerThreadStream`], or a reference to
/// one of these.
///
/// Other types cannot implement it.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::{Event, Result, Stream};
/// use cuda_rt::stream::{AsStream, PerThreadStream};
///
/// fn mark(stream: &impl AsStream) -> Result<Event> {
///     let event = Event::new(stream.context())?;
///     event.record(stream)?;
///     Ok(event)
/// }
///
/// mark(&Stream::new(&context)?)?.synchronize()?;
/// mark(&PerThreadStream::new(&context))?.synchronize()?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub trait AsStream: sealed::Sealed {
    /// Returns the handle.
    ///
    /// Raw calls must not destroy the stream. While a capture of raw calls lasts, no other thread may copy between host and
    /// device memory on a stream of the capture, since the graph would keep borrowed memory. The same holds for streams that
    /// [`wait_event`](Stream::wait_event) or [`wait_stream`](Stream::wait_stream) may draw into the capture.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::sys;
    /// use cuda_rt::stream::{AsStream, PerThreadStream};
    ///
    /// assert_eq!(PerThreadStream::new(&context).as_raw(), sys::CU_STREAM_PER_THREAD);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    fn as_raw(&self) -> CUstream;

    /// Returns the context that the stream belongs to.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::stream::{AsStream, PerThreadStream};
    ///
    /// assert_eq!(PerThreadStream::new(&context).context(), &context);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    fn context(&self) -> &Context;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Stream {}
    impl Sealed for super::PerThreadStream {}
    impl Sealed for super::StreamRef<'_> {}
    impl<S: super::AsStream + ?Sized> Sealed for &S {}
}

impl<S: AsStream + ?Sized> AsStream for &S {
    #[inline]
    fn as_raw(&self) -> CUstream {
        S::as_raw(self)
    }

    #[inline]
    fn context(&self) -> &Context {
        S::context(self)
    }
}

impl AsStream for Stream {
    fn as_raw(&self) -> CUstream {
        self.0.raw
    }

    fn context(&self) -> &Context {
        &self.0.context
    }
}

pub(crate) fn synchronize(stream: &impl AsStream) -> Result<()> {
    let _bound = stream.context().bind(Symbol::cuStreamSynchronize)?;
    // SAFETY: the stream is live, and its context is current.
    unsafe { check!(cuStreamSynchronize(stream.as_raw())) }
}

#[inline]
pub(crate) fn is_done(stream: &impl AsStream) -> Result<bool> {
    let _bound = stream.context().bind(Symbol::cuStreamQuery)?;
    // SAFETY: the stream is live, and its context is current.
    unsafe { poll!(cuStreamQuery(stream.as_raw())) }
}

pub(crate) fn wait_event(stream: &impl AsStream, event: &Event) -> Result<()> {
    const NO_FLAGS: u32 = 0;
    let _bound = stream.context().bind(Symbol::cuStreamWaitEvent)?;
    // SAFETY: both are live, and the stream's context is current. The driver keeps what it needs of
    // the event, so it may be dropped at once.
    unsafe { check!(cuStreamWaitEvent(stream.as_raw(), event.as_raw(), NO_FLAGS)) }
}

pub(crate) fn refuse_capture(stream: &impl AsStream, call: Symbol) -> Result<()> {
    let _bound = stream.context().bind(call)?;
    refuse_capture_bound(stream, call)
}

#[inline]
pub(super) fn refuse_capture_bound(stream: &impl AsStream, call: Symbol) -> Result<()> {
    let mut status = CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
    // SAFETY: the stream is live, `status` is valid for a write, the context is current.
    unsafe { check!(cuStreamIsCapturing(stream.as_raw(), &raw mut status)) }
        .map_err(|error| error.before(call))?;
    if status == CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE {
        Ok(())
    } else {
        Err(Error::capturing(call))
    }
}

pub(crate) fn wait_stream(stream: &impl AsStream, other: &impl AsStream) -> Result<()> {
    if is_same(stream, other) {
        return Ok(());
    }
    let mark = Event::with_flags(other.context(), EventFlags::DISABLE_TIMING)?;
    mark.record(other).and_then(|reached| wait_event(stream, reached))
}

/// Returns whether both are the same stream.
#[inline]
pub(crate) fn is_same(stream: &impl AsStream, other: &impl AsStream) -> bool {
    // The legacy stream's handle is the same number in every context.
    stream.as_raw() == other.as_raw() && stream.context() == other.context()
}

/// Returns whether a live stream is being captured, with its context current.
#[inline]
pub(crate) fn is_capturing(stream: CUstream) -> Result<bool> {
    let mut status = CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
    // SAFETY: the stream is live, `status` is valid for a write, the context is current.
    unsafe { check!(cuStreamIsCapturing(stream, &raw mut status)) }?;
    Ok(status != CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE)
}
