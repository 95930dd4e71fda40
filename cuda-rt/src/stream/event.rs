//! Events in streams.

#![allow(unsafe_code)]

use super::AsStream;
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
        // The stream's context, because a special handle means the current context's stream.
        let _bound = stream.context().bind(Symbol::cuEventRecord)?;
        // SAFETY: both are live, and the stream's context is current.
        let recorded = unsafe { check!(cuEventRecord(self.as_raw(), stream.as_raw())) };
        if stream.context() == self.context() {
            recorded?;
        } else {
            recorded.or_detail(&[Code::InvalidHandle], &|| EVENT_OF_ANOTHER_CONTEXT.to_owned())?;
        }
        Ok(self)
    }
}
