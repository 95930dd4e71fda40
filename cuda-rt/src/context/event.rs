//! Events of a whole context, instead of one stream.

#![allow(unsafe_code)]

use super::Context;
use crate::error::{Code, OrDetail, Result};
use crate::event::{EVENT_OF_ANOTHER_CONTEXT, Event};
use cuda_sys::Symbol;

impl Context {
    /// Sets the event's mark after everything that is queued in the context now, on all its streams. Wraps
    /// `cuCtxRecordEvent`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidHandle`] if the event is of another context (measured), [`Code::StreamCaptureUnsupported`] while a
    /// stream of the context is capturing a graph, and the capture is lost (measured),
    /// [`FunctionMissing`](crate::ErrorKind::FunctionMissing) with drivers before CUDA 12.5, or an earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// use cuda_rt::Event;
    ///
    /// let all = Event::new(&context)?;
    /// context.record_event(&all)?;
    /// all.synchronize()?; // what was queued on any stream of the context is done
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxRecordEvent")]
    pub fn record_event(&self, event: &Event) -> Result<()> {
        let _bound = self.bind(Symbol::cuCtxRecordEvent)?;
        // SAFETY: both are live.
        let recorded = unsafe { check!(cuCtxRecordEvent(self.as_raw(), event.as_raw())) };
        if event.context() == self {
            recorded
        } else {
            recorded.or_detail(&[Code::InvalidHandle], &|| EVENT_OF_ANOTHER_CONTEXT.to_owned())
        }
    }

    /// Makes everything that is queued in the context from now on wait for the event, on all its streams, those made later
    /// too. The host does not wait. The event may belong to another context or device. Wraps `cuCtxWaitEvent`.
    ///
    /// # Errors
    ///
    /// [`Code::StreamCaptureUnsupported`] while a stream of the context is capturing a graph, and the capture is lost
    /// (measured), [`FunctionMissing`](crate::ErrorKind::FunctionMissing) with drivers before CUDA 12.5, or an earlier
    /// failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// use cuda_rt::{Event, Stream};
    ///
    /// let stream = Stream::new(&context)?;
    /// let done = Event::new(&context)?;
    /// done.record(&stream)?;
    /// context.wait_event(&done)?; // what follows anywhere in the context comes after what was on `stream`
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxWaitEvent")]
    pub fn wait_event(&self, event: &Event) -> Result<()> {
        let _bound = self.bind(Symbol::cuCtxWaitEvent)?;
        // SAFETY: both are live. The driver keeps what it needs of the event, so it may be dropped at once.
        unsafe { check!(cuCtxWaitEvent(self.as_raw(), event.as_raw())) }
    }
}
