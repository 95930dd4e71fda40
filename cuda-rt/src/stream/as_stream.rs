//! Streams of all kinds, and the calls that are the same on each.

#![allow(unsafe_code)]

use super::Stream;
#[cfg(doc)]
use super::{PerThreadStream, StreamRef};
use crate::context::{Context, call_by_handle, call_in_context};
use crate::error::{Error, Result};
use crate::event::{Event, EventFlags};
use crate::handle::ensure_not_in_host_function;
use core::sync::atomic::{AtomicBool, Ordering};
use cuda_sys::{CU_STREAM_LEGACY, CUstream, CUstreamCaptureStatus, Symbol};

/// A stream of any kind: a [`Stream`], a [`StreamRef`], the thread's own [`PerThreadStream`], or a reference to one of these.
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
    /// Returns the raw handle.
    ///
    /// Raw calls must not destroy the stream. From this call on, the stream counts as exposed: calls of this crate query the
    /// driver whether other code is capturing it.
    ///
    /// Code that captures through the handle makes these promises:
    ///
    /// - While another thread is inside a call of this crate on a stream, no capture begins on the stream, or draws the stream
    ///   in.
    /// - The code keeps everything alive that the capture records, for every launch of the graph. It ends the capture before the
    ///   last handle to the stream is dropped.
    /// - An event that the capture has recorded enters this crate only by [`Event::from_raw`], or was passed to the code by
    ///   [`Event::as_raw`].
    ///
    /// For a handle that a profiler or a debugger has passed on, the code makes the same promises. It also calls this method
    /// before it captures: only this call marks the stream as exposed.
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
    use core::sync::atomic::AtomicBool;
    use cuda_sys::CUstream;

    /// Handle of a stream for calls of this crate. Opaque to other code.
    #[derive(Debug)]
    pub struct Parts<'stream> {
        pub(crate) raw: CUstream,
        /// The mark that is set if other code may capture the stream; `None` if other code always may.
        pub(crate) exposure: Option<&'stream AtomicBool>,
    }

    pub trait Sealed {
        fn parts(&self) -> Parts<'_>;

        /// Returns the stream, if its handle can be kept.
        #[doc(hidden)]
        #[inline]
        fn as_owned(&self) -> Option<&super::Stream> {
            None
        }
    }
}
pub(super) use sealed::{Parts, Sealed};

/// Parts of a stream that only this crate reads.
pub(crate) trait Handle: AsStream {
    /// Returns the raw handle, which this crate does not pass on.
    #[inline]
    fn raw(&self) -> CUstream {
        self.parts().raw
    }

    /// Returns the mark of exposure.
    ///
    /// The mark is set if other code may capture the stream. Returns `None` if other code always may.
    #[inline]
    fn exposure(&self) -> Option<&AtomicBool> {
        self.parts().exposure
    }

    /// Returns the stream, if its handle can be kept.
    #[inline]
    fn owned(&self) -> Option<&Stream> {
        self.as_owned()
    }
}

impl<S: AsStream + ?Sized> Handle for S {}

/// Marks a stream as one that other code may capture.
pub(crate) fn expose(stream: &impl AsStream) {
    if let Some(mark) = stream.exposure() {
        mark.store(true, Ordering::Release);
    }
}

/// Returns whether other code may be capturing a stream.
#[inline]
pub(crate) fn may_be_capturing(stream: &impl AsStream) -> bool {
    stream.exposure().is_none_or(|mark| mark.load(Ordering::Relaxed))
}

/// Returns whether other code may be capturing a stream itself. The legacy stream cannot be captured.
#[inline]
pub(super) fn may_be_captured(stream: &impl AsStream) -> bool {
    may_be_capturing(stream) && !stream.raw().is_null() && stream.raw() != CU_STREAM_LEGACY
}

/// Returns whether the driver finds the context by a stream's handle.
///
/// If so, the handle means the same stream in every context and on every thread.
#[inline]
pub(super) fn names_context(raw: CUstream) -> bool {
    const LAST_SPECIAL: usize = 2;
    raw.addr() > LAST_SPECIAL
}

/// Makes a call on a stream. If the driver does not find the context by the handle, the context is current.
#[inline]
pub(crate) fn call_on<T>(stream: &impl AsStream, call: Symbol, attempt: impl Fn() -> Result<T>) -> Result<T> {
    if names_context(stream.raw()) {
        return call_by_handle(stream.context(), call, attempt);
    }
    call_in_context(stream.context(), call, &attempt)
}

impl<S: AsStream + ?Sized> Sealed for &S {
    #[inline]
    fn parts(&self) -> Parts<'_> {
        S::parts(self)
    }

    #[inline]
    fn as_owned(&self) -> Option<&Stream> {
        S::as_owned(self)
    }
}

impl<S: AsStream + ?Sized> AsStream for &S {
    fn as_raw(&self) -> CUstream {
        S::as_raw(self)
    }

    #[inline]
    fn context(&self) -> &Context {
        S::context(self)
    }
}

impl Sealed for Stream {
    #[inline]
    fn parts(&self) -> Parts<'_> {
        Parts { raw: self.0.raw, exposure: Some(&self.0.exposed) }
    }

    #[inline]
    fn as_owned(&self) -> Option<&Stream> {
        Some(self)
    }
}

impl AsStream for Stream {
    fn as_raw(&self) -> CUstream {
        Stream::as_raw(self)
    }

    fn context(&self) -> &Context {
        &self.0.context
    }
}

pub(crate) fn synchronize(stream: &impl AsStream) -> Result<()> {
    // SAFETY: the stream is live, and its context is current if the handle does not name it.
    let waited = call_on(stream, Symbol::cuStreamSynchronize, || unsafe {
        inline_check!(cuStreamSynchronize(stream.raw()))
    });
    stream.context().release_waiting();
    waited
}

#[inline]
pub(crate) fn is_done(stream: &impl AsStream) -> Result<bool> {
    // SAFETY: the stream is live, and its context is current if the handle does not name it.
    call_on(stream, Symbol::cuStreamQuery, || unsafe { poll!(cuStreamQuery(stream.raw())) })
}

pub(crate) fn wait_event(stream: &impl AsStream, event: &Event) -> Result<()> {
    const NO_FLAGS: u32 = 0;
    wait_event_with_flags(stream, event, NO_FLAGS)
}

#[inline]
pub(crate) fn wait_event_with_flags(stream: &impl AsStream, event: &Event, flags: u32) -> Result<()> {
    // Waiting for an event of a capture draws the stream in. Marked before the call, so that later calls of other threads know.
    // Marked after the call too, in case the event was recorded in a capture meanwhile.
    expose_if_exposed(stream, event);
    let waited = call_on(stream, Symbol::cuStreamWaitEvent, || {
        // SAFETY: both are live, and the stream's context is current if its handle does not name it. The driver keeps its own
        // data of the event, so the event may be dropped at once.
        unsafe { inline_check!(cuStreamWaitEvent(stream.raw(), event.raw(), flags)) }
    });
    expose_if_exposed(stream, event);
    waited
}

/// Marks the stream if the event may be part of a capture.
#[inline]
fn expose_if_exposed(stream: &impl AsStream, event: &Event) {
    if event.is_exposed() {
        expose(stream);
    }
}

pub(crate) fn refuse_capture(stream: &impl AsStream, call: Symbol) -> Result<()> {
    ensure_not_in_host_function(call)?;
    if may_be_capturing(stream) { refuse_if_capturing(stream, call) } else { Ok(()) }
}

#[cold]
fn refuse_if_capturing(stream: &impl AsStream, call: Symbol) -> Result<()> {
    if captures(stream).map_err(|error| error.before(call))? {
        Err(Error::capturing(call, stream.raw()))
    } else {
        Ok(())
    }
}

/// Returns whether the stream is being captured. Queries the driver only if other code may capture the stream.
pub(crate) fn captures(stream: &impl AsStream) -> Result<bool> {
    if !may_be_capturing(stream) {
        return Ok(false);
    }
    call_on(stream, Symbol::cuStreamIsCapturing, || is_capturing(stream.raw()))
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
    stream.raw() == other.raw() && stream.context() == other.context()
}

/// Returns whether a live stream is being captured, with its context current.
#[inline]
pub(crate) fn is_capturing(stream: CUstream) -> Result<bool> {
    let mut status = CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
    // SAFETY: the stream is live, `status` is valid for a write, the context is current.
    unsafe { inline_check!(cuStreamIsCapturing(stream, &raw mut status)) }?;
    Ok(status != CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE)
}
