//! Events in streams.

#![allow(unsafe_code)]

use super::as_stream::call_on;
use super::{AsStream, Handle, captures, may_be_capturing};
use crate::error::{Code, OrDetail, Result};
use crate::event::{EVENT_OF_ANOTHER_CONTEXT, Event};
use cuda_sys::Symbol;

impl Event {
    /// Sets the mark after everything that is queued on the stream now, in place of the last one. Wraps
    /// `cuEventRecord`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidHandle`] if the stream is of another context, or an earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let event = cuda_rt::Event::new(&context)?;
    /// event.record(&stream)?.synchronize()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuEventRecord")]
    pub fn record(&self, stream: &impl AsStream) -> Result<&Self> {
        // A special handle means the current context's stream.
        let recorded = call_on(stream, Symbol::cuEventRecord, || {
            // SAFETY: both are live, and the stream's context is current if its handle does not name it.
            unsafe { check!(cuEventRecord(self.raw(), stream.raw())) }
        });
        // If other code captures the stream, the event is a part of the capture.
        if may_be_capturing(stream) && captures(stream) != Ok(false) {
            self.expose();
        }
        if stream.context() == self.context() {
            recorded?;
        } else {
            recorded.or_detail(&[Code::InvalidHandle], &|| EVENT_OF_ANOTHER_CONTEXT.to_owned())?;
        }
        Ok(self)
    }
}
