//! Per-thread default streams.

use super::as_stream::{Parts, Sealed};
use super::{AsStream, is_done, synchronize, wait_event, wait_stream};
use crate::context::Context;
use crate::error::Result;
use crate::event::Event;
use core::marker::PhantomData;
use cuda_sys::{CU_STREAM_PER_THREAD, CUstream};

/// The calling thread's default stream in a context.
///
/// Its handle means another stream on every thread, so the value cannot be sent to other threads, and memory cannot live on it.
/// It is a blocking stream.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::Event;
/// use cuda_rt::stream::PerThreadStream;
///
/// let stream = PerThreadStream::new(&context);
/// Event::new(&context)?.record(&stream)?;
/// stream.synchronize()?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// ```compile_fail
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0).unwrap()).unwrap();
/// let stream = cuda_rt::stream::PerThreadStream::new(&context);
/// std::thread::spawn(move || stream.synchronize()); // another thread's stream has the same handle
/// ```
#[doc(alias = "CU_STREAM_PER_THREAD")]
#[derive(Debug, Clone)]
pub struct PerThreadStream {
    context: Context,
    _not_send: PhantomData<*const ()>,
}

impl PerThreadStream {
    /// Returns this thread's default stream in `context`.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let stream = cuda_rt::stream::PerThreadStream::new(&context);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn new(context: &Context) -> PerThreadStream {
        PerThreadStream { context: context.clone(), _not_send: PhantomData }
    }

    /// Waits until all work queued on the stream is done. Wraps `cuStreamSynchronize`.
    ///
    /// # Blocking
    ///
    /// Until the stream is done.
    ///
    /// # Errors
    ///
    /// Same as [`Stream::synchronize`](crate::Stream::synchronize).
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// cuda_rt::stream::PerThreadStream::new(&context).synchronize()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamSynchronize")]
    pub fn synchronize(&self) -> Result<()> {
        synchronize(self)
    }

    /// Returns whether all work queued on the stream is done. Does not wait. Wraps `cuStreamQuery`.
    ///
    /// # Errors
    ///
    /// Same as [`Stream::is_done`](crate::Stream::is_done).
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// assert!(cuda_rt::stream::PerThreadStream::new(&context).is_done()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamQuery")]
    pub fn is_done(&self) -> Result<bool> {
        is_done(self)
    }

    /// Makes later work on the stream wait for the event. Wraps `cuStreamWaitEvent`.
    ///
    /// # Errors
    ///
    /// Same as [`Stream::wait_event`](crate::Stream::wait_event).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let event = cuda_rt::Event::new(&context)?;
    /// event.record(&stream)?;
    /// cuda_rt::stream::PerThreadStream::new(&context).wait_event(&event)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamWaitEvent")]
    pub fn wait_event(&self, event: &Event) -> Result<()> {
        wait_event(self, event)
    }

    /// Makes later work on the stream wait for the work that is queued on another stream now. See
    /// [`Stream::wait_stream`](crate::Stream::wait_stream).
    ///
    /// # Errors
    ///
    /// Same as [`Stream::wait_stream`](crate::Stream::wait_stream).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// cuda_rt::stream::PerThreadStream::new(&context).wait_stream(&stream)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuEventRecord", "cuStreamWaitEvent"))]
    pub fn wait_stream(&self, other: &impl AsStream) -> Result<()> {
        wait_stream(self, other)
    }
}

impl Sealed for PerThreadStream {
    #[inline]
    fn parts(&self) -> Parts<'_> {
        Parts { raw: CU_STREAM_PER_THREAD, exposure: None }
    }
}

impl AsStream for PerThreadStream {
    fn as_raw(&self) -> CUstream {
        CU_STREAM_PER_THREAD
    }

    fn context(&self) -> &Context {
        &self.context
    }
}
