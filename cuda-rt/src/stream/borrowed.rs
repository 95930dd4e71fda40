//! Borrowed streams.

#![allow(unsafe_code)]

use super::as_stream::{Parts, Sealed};
use super::{AsStream, Handle, Stream, expose, is_done, is_same, synchronize, wait_event, wait_stream};
use crate::context::Context;
use crate::error::Result;
use crate::event::Event;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::sync::atomic::AtomicBool;
use cuda_sys::CUstream;

/// A borrowed stream: three pointers, which can be copied. Made from a [`Stream`], or from the handle of another library.
///
/// Work can be queued on it as on a [`Stream`]. Memory cannot live on it, because it keeps nothing alive.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::{Event, Stream};
/// use cuda_rt::stream::StreamRef;
///
/// let stream = Stream::new(&context)?;
/// let (one, other): (StreamRef<'_>, StreamRef<'_>) = (stream.as_stream_ref(), stream.as_stream_ref());
/// assert_eq!(one, other);
/// let event = Event::new(&context)?;
/// event.record(&one)?;
/// one.synchronize()?;
/// assert!(event.is_done()?);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// A borrow cannot outlive its stream:
///
/// ```compile_fail,E0505
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0).unwrap()).unwrap();
/// let stream = cuda_rt::Stream::new(&context).unwrap();
/// let borrowed = stream.as_stream_ref();
/// drop(stream);
/// borrowed.synchronize().unwrap();
/// ```
#[doc(alias = "CUstream")]
#[derive(Clone, Copy)]
pub struct StreamRef<'stream> {
    raw: CUstream,
    context: &'stream Context,
    /// The mark of the stream; `None` if other code may always capture it.
    exposure: Option<&'stream AtomicBool>,
}

// SAFETY: a `CUstream` names an object that the driver locks by itself, and that is not bound to a thread. Public functions take no
// handle of the per-thread stream, and `StreamOrder`, which may have it, is not `Send`. The context may be shared between threads.
unsafe impl Send for StreamRef<'_> {}
// SAFETY: nothing is changed through a shared reference; the driver synchronises calls that share a stream.
unsafe impl Sync for StreamRef<'_> {}

impl<'stream> StreamRef<'stream> {
    /// Borrows a stream by its raw handle. Allocates nothing, and makes no driver call.
    ///
    /// # Safety
    ///
    /// As long as the value or a copy of it is used, `raw` is a live stream of `context`. It is neither null nor
    /// `CU_STREAM_PER_THREAD`. For null, use [`Stream::legacy`]. `CU_STREAM_PER_THREAD` means another stream on each thread:
    /// use [`PerThreadStream`](crate::stream::PerThreadStream) for that.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::sys;
    /// use cuda_rt::stream::StreamRef;
    ///
    /// fn wait(raw: sys::CUstream, context: &cuda_rt::Context) -> cuda_rt::Result<()> {
    ///     // SAFETY: the library that calls this keeps the stream until it returns.
    ///     unsafe { StreamRef::from_raw(raw, context) }.synchronize()
    /// }
    ///
    /// wait(stream.as_raw(), &context)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub const unsafe fn from_raw(raw: CUstream, context: &'stream Context) -> StreamRef<'stream> {
        StreamRef { raw, context, exposure: None }
    }

    /// Borrows a live stream of this crate that is no default stream, with its mark.
    pub(super) fn with_exposure(
        raw: CUstream,
        context: &'stream Context,
        exposure: &'stream AtomicBool,
    ) -> StreamRef<'stream> {
        StreamRef { raw, context, exposure: Some(exposure) }
    }

    /// Borrows any stream. For use on this thread, because the handle may mean another stream elsewhere.
    pub(crate) fn of(stream: &'stream impl AsStream) -> StreamRef<'stream> {
        StreamRef { raw: stream.raw(), context: stream.context(), exposure: stream.exposure() }
    }

    /// Returns the raw handle. The caller must not destroy the stream; see [`AsStream::as_raw`].
    pub fn as_raw(self) -> CUstream {
        expose(&self);
        self.raw
    }

    /// Returns the context that the stream belongs to.
    pub const fn context(self) -> &'stream Context {
        self.context
    }

    /// Waits until all work queued on the stream is done. Wraps `cuStreamSynchronize`.
    ///
    /// # Blocking
    ///
    /// Until the stream is done.
    ///
    /// # Errors
    ///
    /// Same as [`Stream::synchronize`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// stream.as_stream_ref().synchronize()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamSynchronize")]
    pub fn synchronize(self) -> Result<()> {
        synchronize(&self)
    }

    /// Returns whether all work queued on the stream is done. Does not wait. Wraps `cuStreamQuery`.
    ///
    /// # Errors
    ///
    /// Same as [`Stream::is_done`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// assert!(stream.as_stream_ref().is_done()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamQuery")]
    pub fn is_done(self) -> Result<bool> {
        is_done(&self)
    }

    /// Makes later work on the stream wait for the event. Wraps `cuStreamWaitEvent`.
    ///
    /// # Errors
    ///
    /// Same as [`Stream::wait_event`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let event = cuda_rt::Event::new(&context)?;
    /// stream.as_stream_ref().wait_event(&event)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamWaitEvent")]
    pub fn wait_event(self, event: &Event) -> Result<()> {
        wait_event(&self, event)
    }

    /// Makes later work on the stream wait for the work that is queued on another stream now. See [`Stream::wait_stream`].
    ///
    /// # Errors
    ///
    /// Same as [`Stream::wait_stream`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # use cuda_rt::Stream;
    /// let (first, second) = (Stream::new(&context)?, Stream::new(&context)?);
    /// second.as_stream_ref().wait_stream(&first)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuEventRecord", "cuStreamWaitEvent"))]
    pub fn wait_stream(self, other: &impl AsStream) -> Result<()> {
        wait_stream(&self, other)
    }
}

impl Sealed for StreamRef<'_> {
    #[inline]
    fn parts(&self) -> Parts<'_> {
        Parts { raw: self.raw, exposure: self.exposure }
    }
}

impl AsStream for StreamRef<'_> {
    fn as_raw(&self) -> CUstream {
        StreamRef::as_raw(*self)
    }

    fn context(&self) -> &Context {
        self.context
    }
}

impl<'stream> From<&'stream Stream> for StreamRef<'stream> {
    fn from(stream: &'stream Stream) -> Self {
        stream.as_stream_ref()
    }
}

/// Two borrows are equal if they are of the same stream.
impl PartialEq for StreamRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        is_same(self, other)
    }
}

impl Eq for StreamRef<'_> {}

impl Hash for StreamRef<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
        self.context.hash(state);
    }
}

impl fmt::Debug for StreamRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("StreamRef").field("raw", &self.raw).field("context", self.context).finish()
    }
}
