//! Events in streams.

#![allow(unsafe_code)]

use super::as_stream::call_on;
use super::as_stream::may_be_captured;
use super::as_stream::wait_event_with_flags;
use super::{AsStream, Handle, Stream, captures};
use crate::error::{Code, OrDetail, Result};
use crate::event::{EVENT_OF_ANOTHER_CONTEXT, Event};
use cuda_sys::{CUevent_record_flags_enum as CRecord, CUevent_wait_flags_enum as CWait, Symbol};

flags! {
    /// Way in which a capture of other code records an event. See [`Event::record_with_flags`].
    ///
    /// ```
    /// use cuda_rt::stream::EventRecordFlags;
    ///
    /// assert_eq!(EventRecordFlags::default(), EventRecordFlags::DEFAULT);
    /// ```
    #[doc(alias = "CUevent_record_flags")]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct EventRecordFlags {
        /// Mark of a place in the capture.
        #[doc(alias = "CU_EVENT_RECORD_DEFAULT")]
        const DEFAULT = CRecord::CU_EVENT_RECORD_DEFAULT.0;
        /// Record of the event by each launch of the graph.
        #[doc(alias = "CU_EVENT_RECORD_EXTERNAL")]
        const EXTERNAL = CRecord::CU_EVENT_RECORD_EXTERNAL.0;
        /// Flags of newer drivers.
        const _ = !0;
    }
}

flags! {
    /// Way in which a capture of other code waits for an event. See [`Stream::wait_event_with_flags`].
    ///
    /// ```
    /// use cuda_rt::stream::EventWaitFlags;
    ///
    /// assert_eq!(EventWaitFlags::default(), EventWaitFlags::DEFAULT);
    /// ```
    #[doc(alias = "CUevent_wait_flags")]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct EventWaitFlags {
        /// Wait for an event that belongs to the capture.
        #[doc(alias = "CU_EVENT_WAIT_DEFAULT")]
        const DEFAULT = CWait::CU_EVENT_WAIT_DEFAULT.0;
        /// Wait for the event by each launch of the graph.
        #[doc(alias = "CU_EVENT_WAIT_EXTERNAL")]
        const EXTERNAL = CWait::CU_EVENT_WAIT_EXTERNAL.0;
        /// Flags of newer drivers.
        const _ = !0;
    }
}

impl Event {
    /// Records the event after all work that is queued on the stream now. Replaces the previous mark. Wraps `cuEventRecord`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidHandle`]: the stream belongs to another context.
    /// - An earlier failure.
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
        self.record_by(stream, Symbol::cuEventRecord, || {
            // SAFETY: both are live, and the stream's context is current if its handle does not name it.
            unsafe { inline_check!(cuEventRecord(self.raw(), stream.raw())) }
        })
    }

    /// Records the event like [`record`](Event::record), with flags for captures. Wraps `cuEventRecordWithFlags`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: flags are unknown.
    /// - [`Code::IllegalState`]: [`EXTERNAL`](EventRecordFlags::EXTERNAL) is set, and the stream is not being captured.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.1.
    /// - Same as [`record`](Event::record).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let event = cuda_rt::Event::new(&context)?;
    /// use cuda_rt::stream::EventRecordFlags;
    ///
    /// event.record_with_flags(&stream, EventRecordFlags::DEFAULT)?.synchronize()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuEventRecordWithFlags")]
    pub fn record_with_flags(&self, stream: &impl AsStream, flags: EventRecordFlags) -> Result<&Self> {
        let recorded = self.record_by(stream, Symbol::cuEventRecordWithFlags, || {
            // SAFETY: both are live, and the stream's context is current if its handle does not name it.
            unsafe { inline_check!(cuEventRecordWithFlags(self.raw(), stream.raw(), flags.bits())) }
        });
        recorded.or_detail(&[Code::InvalidValue], &|| format!("flags {:#x}", flags.bits()))
    }

    /// Marks the event if it becomes a part of a capture when it is recorded on the stream.
    pub(crate) fn expose_if_captured(&self, stream: &impl AsStream) -> Result<()> {
        if may_be_captured(stream) && captures(stream)? {
            self.expose();
        }
        Ok(())
    }

    /// Records by `record`, which makes `call`.
    #[inline]
    fn record_by(
        &self,
        stream: &impl AsStream,
        call: Symbol,
        record: impl Fn() -> Result<()>,
    ) -> Result<&Self> {
        if may_be_captured(stream) {
            return self.record_in_capture(stream, call, &record);
        }
        let recorded = call_on(stream, call, record);
        if recorded.is_ok() && !may_be_captured(stream) {
            return Ok(self);
        }
        self.look_at_record(stream, recorded)
    }

    #[cold]
    #[inline(never)]
    fn record_in_capture(
        &self,
        stream: &impl AsStream,
        call: Symbol,
        record: &dyn Fn() -> Result<()>,
    ) -> Result<&Self> {
        self.expose_if_captured(stream).map_err(|error| error.before(call))?;
        self.explain_record(stream, call_on(stream, call, record))
    }

    #[cold]
    #[inline(never)]
    fn look_at_record(&self, stream: &impl AsStream, recorded: Result<()>) -> Result<&Self> {
        if self.expose_if_captured(stream).is_err() {
            // The stream was drawn in meanwhile, or may have been.
            self.expose();
        }
        self.explain_record(stream, recorded)
    }

    fn explain_record(&self, stream: &impl AsStream, recorded: Result<()>) -> Result<&Self> {
        if stream.context() == self.context() {
            recorded?;
        } else {
            recorded.or_detail(&[Code::InvalidHandle], &|| EVENT_OF_ANOTHER_CONTEXT.to_owned())?;
        }
        Ok(self)
    }
}

impl Stream {
    /// Makes later work wait like [`wait_event`](Stream::wait_event), with flags for captures. Wraps `cuStreamWaitEvent`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: flags are unknown. Drivers before CUDA 11.1 know none.
    /// - [`Code::IllegalState`]: [`EXTERNAL`](EventWaitFlags::EXTERNAL) is set, and the stream is not being captured.
    /// - Same as [`wait_event`](Stream::wait_event).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let event = cuda_rt::Event::new(&context)?;
    /// use cuda_rt::stream::EventWaitFlags;
    ///
    /// stream.wait_event_with_flags(&event, EventWaitFlags::DEFAULT)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamWaitEvent")]
    pub fn wait_event_with_flags(&self, event: &Event, flags: EventWaitFlags) -> Result<()> {
        wait_event_with_flags(self, event, flags.bits())
            .or_detail(&[Code::InvalidValue], &|| format!("flags {:#x}", flags.bits()))
    }
}
