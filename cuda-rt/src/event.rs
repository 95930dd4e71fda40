//! Events: marks in streams that threads and streams wait for, and between which time is measured.
//!
//! | type | stands for | released by |
//! |---|---|---|
//! | [`Event`] | a `CUevent` | `cuEventDestroy` |
//! | [`EventFlags`] | how threads wait for an event, and whether it records a time | – |
//!
//! # From PyCUDA
//!
//! The [guide](crate::coming_from::pycuda#streams-and-events) leads from the names of PyCUDA to the items here.

#![allow(unsafe_code)]

use crate::context::{Context, call_by_handle, past_captures, release_by_handle};
use crate::error::{Code, Error, OrDetail, Result};
use crate::handle::{DriverHandle, KeepSlot, Owned, Releasing, made};
use core::fmt;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use cuda_sys::{CUevent, CUevent_flags_enum as C, Symbol};

/// For errors.
pub(crate) const EVENT_OF_ANOTHER_CONTEXT: &str = "the event belongs to another context";

flags! {
    /// The way in which threads wait for an event, and the abilities of the event.
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::Event;
    /// use cuda_rt::event::EventFlags;
    ///
    /// // The thread sleeps while it waits, and there are no times to take.
    /// let event = Event::with_flags(&context, EventFlags::BLOCKING_SYNC | EventFlags::DISABLE_TIMING)?;
    /// event.record(&stream)?.synchronize()?;
    /// assert!(event.milliseconds_since(&event).is_err());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "CUevent_flags")]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct EventFlags {
        /// No flag: the event records a time. Waiting threads spin or yield, according to the flags of the context.
        #[doc(alias = "CU_EVENT_DEFAULT")]
        const DEFAULT = C::CU_EVENT_DEFAULT.0;
        /// Blocking wait: a thread in [`Event::synchronize`] sleeps.
        #[doc(alias = "CU_EVENT_BLOCKING_SYNC")]
        const BLOCKING_SYNC = C::CU_EVENT_BLOCKING_SYNC.0;
        /// No time recorded: the cheapest event to wait for.
        #[doc(alias = "CU_EVENT_DISABLE_TIMING")]
        const DISABLE_TIMING = C::CU_EVENT_DISABLE_TIMING.0;
        /// Event that other processes can open; only together with [`DISABLE_TIMING`](Self::DISABLE_TIMING).
        #[doc(alias = "CU_EVENT_INTERPROCESS")]
        const INTERPROCESS = C::CU_EVENT_INTERPROCESS.0;
        /// Flags of newer drivers.
        const _ = !0;
    }
}

/// A mark in a stream. [`Stream::wait_event`](crate::Stream::wait_event) makes another stream wait for it.
///
/// Dropping does not wait, even while the event is pending.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::{Event, Stream};
///
/// let stream = Stream::new(&context)?;
/// let (start, end) = (Event::new(&context)?, Event::new(&context)?);
/// start.record(&stream)?;
/// // ... work ...
/// end.record(&stream)?.synchronize()?;
/// println!("{:?}", end.elapsed_since(&start)?);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUevent")]
pub struct Event(Owned<EventHandle>);

struct EventHandle {
    raw: CUevent,
    keep: KeepSlot,
    /// True if the event may be a part of a capture of other code. Never set back.
    exposed: AtomicBool,
    context: Context,
}

// SAFETY: a `CUevent` names an object that the driver locks by itself; it is not bound to a thread.
unsafe impl Send for EventHandle {}
// SAFETY: nothing is changed through `&EventHandle`; the driver synchronises calls that share an event.
unsafe impl Sync for EventHandle {}

impl DriverHandle for EventHandle {
    #[inline]
    fn keep_slot(&mut self) -> Option<&mut KeepSlot> {
        Some(&mut self.keep)
    }

    fn release_call(&self) -> Symbol {
        Symbol::cuEventDestroy_v2
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        release_by_handle(&self.context, Symbol::cuEventDestroy_v2, || {
            // SAFETY: the owner releases the event once, and does not use it afterwards.
            unsafe { inline_check!(cuEventDestroy_v2(self.raw)) }
        })
    }
}

/// Returns whether a query failed because the event belongs to a capture. After the end of the capture the driver calls the event
/// invalid (question `capture-captured-event` of `conformance/answers.tsv`).
pub(crate) fn is_of_capture(failure: &Error) -> bool {
    matches!(failure.code(), Some(Code::CapturedEvent | Code::InvalidValue))
}

impl Event {
    /// Creates an event that records a time. Wraps `cuEventCreate`.
    ///
    /// # Errors
    ///
    /// - [`Code::OutOfMemory`].
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let event = cuda_rt::Event::new(&context)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuEventCreate")]
    pub fn new(context: &Context) -> Result<Event> {
        Event::with_flags(context, EventFlags::DEFAULT)
    }

    /// Creates an event with flags. Wraps `cuEventCreate`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: `flags` has unknown flags, or [`INTERPROCESS`](EventFlags::INTERPROCESS) without
    ///   [`DISABLE_TIMING`](EventFlags::DISABLE_TIMING).
    /// - Same as [`Event::new`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::Event;
    /// use cuda_rt::error::Code;
    /// use cuda_rt::event::EventFlags;
    ///
    /// Event::with_flags(&context, EventFlags::INTERPROCESS | EventFlags::DISABLE_TIMING)?;
    /// let error = Event::with_flags(&context, EventFlags::INTERPROCESS).unwrap_err();
    /// assert_eq!(error.code(), Some(Code::InvalidValue));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuEventCreate")]
    pub fn with_flags(context: &Context, flags: EventFlags) -> Result<Event> {
        let bound = context.bind_inline(Symbol::cuEventCreate)?;
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write; the context is current.
        let created = unsafe { inline_check!(cuEventCreate(&raw mut raw, flags.bits())) };
        drop(bound);
        let created = created.or_detail(&[Code::InvalidValue], &|| format!("flags {:#x}", flags.bits()));
        made(created, !raw.is_null(), || Event::wrap(raw, context))
    }

    /// Takes ownership of a raw event. Dropping the returned value destroys the event.
    ///
    /// # Safety
    ///
    /// `raw` is a live event of `context`, which no other code destroys. No graph that records it or waits for it is launched
    /// after the returned value was dropped, unless the graph keeps the returned value.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let event = cuda_rt::Event::new(&context)?;
    /// use cuda_rt::Event;
    ///
    /// let raw = event.into_raw();
    /// // SAFETY: live, of this context, and no other code has it.
    /// let event = unsafe { Event::from_raw(raw, &context) };
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn from_raw(raw: CUevent, context: &Context) -> Event {
        let event = Event::wrap(raw, context);
        event.expose();
        event
    }

    /// Takes ownership of a raw event whose handle no other code has.
    ///
    /// # Safety
    ///
    /// `raw` is a live event of `context`, which no other code destroys or uses.
    pub(crate) unsafe fn from_own_raw(raw: CUevent, context: &Context) -> Event {
        Event::wrap(raw, context)
    }

    fn wrap(raw: CUevent, context: &Context) -> Event {
        let (keep, exposed) = (KeepSlot::default(), AtomicBool::new(false));
        Event(Owned::new(EventHandle { raw, keep, exposed, context: context.clone() }))
    }

    /// Returns the raw handle without destroying the event. The caller must destroy the event.
    ///
    /// Graphs that [keep](crate::graph::Keep) the event keep its context alive, and no longer the event. The caller must keep a handle to
    /// the context, and destroy the event after the last of these graphs.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let event = cuda_rt::Event::new(&context)?;
    /// let raw = event.into_raw();
    /// # // SAFETY: live, and no other code has it.
    /// # drop(unsafe { cuda_rt::Event::from_raw(raw, &context) });
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn into_raw(self) -> CUevent {
        let EventHandle { raw, mut keep, context, .. } = self.0.into_inner();
        // Otherwise the context could end before the graphs.
        keep.leave(context);
        raw
    }

    /// Returns the raw handle. The caller must not destroy the event.
    ///
    /// From this call on, the event counts as one that a capture of other code may have recorded. A stream that waits for the
    /// event counts as exposed. The caller makes the promises of [`AsStream::as_raw`](crate::stream::AsStream::as_raw).
    pub fn as_raw(&self) -> CUevent {
        self.expose();
        self.0.raw
    }

    /// Returns the place by which graphs keep the event.
    pub(crate) fn keep_slot(&self) -> &KeepSlot {
        &self.0.keep
    }

    /// Returns the raw handle for a call of this crate, which does not pass the handle on.
    #[inline]
    pub(crate) fn raw(&self) -> CUevent {
        self.0.raw
    }

    /// Marks the event as one that may be a part of a capture of other code.
    pub(crate) fn expose(&self) {
        self.0.exposed.store(true, Ordering::Release);
    }

    /// Returns whether the event may be a part of a capture of other code.
    #[inline]
    pub(crate) fn is_exposed(&self) -> bool {
        self.0.exposed.load(Ordering::Relaxed)
    }

    /// Refuses an event of a capture before `call`: the call would draw all streams of a context into the capture.
    pub(crate) fn refuse_captured(&self, call: Symbol) -> Result<()> {
        if self.is_exposed() {
            // A query of such an event fails.
            past_captures(|| self.is_done()).map_err(|error| error.before(call))?;
        }
        Ok(())
    }

    /// Returns the context that the event belongs to.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Waits until the mark is reached. Returns at once if the event was never recorded.
    /// Wraps `cuEventSynchronize`.
    ///
    /// # Blocking
    ///
    /// Until the mark is reached.
    ///
    /// # Errors
    ///
    /// - [`Code::CapturedEvent`]: the event was last recorded in a stream capture. The failure invalidates the capture.
    /// - [`Code::InvalidValue`]: the event was last recorded in a capture that has ended or is invalidated.
    /// - The failure of queued work.
    /// - [`Code::StreamCaptureUnsupported`]: any thread captures a graph in the global mode, or this thread does in the
    ///   thread-local mode, and the mode of this thread is not relaxed. The failure invalidates the capture.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let event = cuda_rt::Event::new(&context)?;
    /// event.record(&stream)?;
    /// event.synchronize()?; // what was on the stream before is done
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuEventSynchronize")]
    pub fn synchronize(&self) -> Result<&Self> {
        call_by_handle(&self.0.context, Symbol::cuEventSynchronize, || {
            // SAFETY: the event is live.
            unsafe { inline_check!(cuEventSynchronize(self.0.raw)) }
        })?;
        self.0.context.release_waiting();
        Ok(self)
    }

    /// Returns whether the mark is reached, or the event was never recorded. Does not wait.
    /// Wraps `cuEventQuery`.
    ///
    /// # Errors
    ///
    /// - [`Code::CapturedEvent`]: the event was last recorded in a stream capture. The failure invalidates the capture.
    /// - [`Code::InvalidValue`]: the event was last recorded in a capture that has ended or is invalidated.
    /// - The failure of queued work. After a failure, the result is never `Ok(false)`.
    /// - [`Code::StreamCaptureUnsupported`], as for [`synchronize`](Event::synchronize).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let event = cuda_rt::Event::new(&context)?;
    /// event.record(&stream)?;
    /// while !event.is_done()? {
    ///     std::thread::yield_now();
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuEventQuery")]
    pub fn is_done(&self) -> Result<bool> {
        // SAFETY: the event is live.
        call_by_handle(&self.0.context, Symbol::cuEventQuery, || unsafe { poll!(cuEventQuery(self.0.raw)) })
    }

    /// Returns the milliseconds on the device from `start` to this mark.
    ///
    /// The resolution is about half a microsecond. The result is negative if this mark was reached first. Wraps
    /// `cuEventElapsedTime`.
    ///
    /// # Errors
    ///
    /// - [`Code::NotReady`]: a mark is not reached yet.
    /// - [`Code::InvalidHandle`]: an event was never recorded, records no time, or belongs to another context.
    /// - [`Code::CapturedEvent`]: an event was last recorded in a stream capture. The capture goes on.
    /// - [`Code::InvalidValue`]: an event was last recorded in a capture that has ended or is invalidated.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let (start, end) = (cuda_rt::Event::new(&context)?, cuda_rt::Event::new(&context)?);
    /// # start.record(&stream)?;
    /// # end.record(&stream)?.synchronize()?;
    /// println!("{} ms", end.milliseconds_since(&start)?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuEventElapsedTime", "cuEventElapsedTime_v2"))]
    pub fn milliseconds_since(&self, start: &Event) -> Result<f32> {
        let _bound = self.0.context.bind_inline(Symbol::cuEventElapsedTime_v2)?;
        let mut milliseconds = 0.0;
        let taken = if cuda_sys::driver()?.has(Symbol::cuEventElapsedTime_v2) {
            // SAFETY: both events are live, `milliseconds` is valid for a write.
            unsafe { inline_check!(cuEventElapsedTime_v2(&raw mut milliseconds, start.0.raw, self.0.raw)) }
        } else {
            // SAFETY: both events are live, `milliseconds` is valid for a write.
            unsafe { inline_check!(cuEventElapsedTime(&raw mut milliseconds, start.0.raw, self.0.raw)) }
        };
        taken.or_detail(&[Code::InvalidHandle], &|| {
            "both events must have been recorded, record times, and belong to one context".to_owned()
        })?;
        Ok(milliseconds)
    }

    /// Returns the time on the device from `start` to this mark.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): this mark was reached first.
    /// - Same as [`Event::milliseconds_since`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let (start, end) = (cuda_rt::Event::new(&context)?, cuda_rt::Event::new(&context)?);
    /// # start.record(&stream)?;
    /// # end.record(&stream)?.synchronize()?;
    /// println!("{:?}", end.elapsed_since(&start)?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuEventElapsedTime")]
    pub fn elapsed_since(&self, start: &Event) -> Result<Duration> {
        let milliseconds = self.milliseconds_since(start)?;
        Duration::try_from_secs_f64(f64::from(milliseconds) / 1e3).map_err(|_| {
            Error::invalid(
                "event",
                format_args!("the end completed {} ms before the start; swap the events", -milliseconds),
            )
        })
    }

    /// Returns the time on the device from this mark to `end`: the reverse of [`elapsed_since`](Event::elapsed_since).
    ///
    /// # Errors
    ///
    /// Same as [`Event::elapsed_since`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let (start, end) = (cuda_rt::Event::new(&context)?, cuda_rt::Event::new(&context)?);
    /// # start.record(&stream)?;
    /// # end.record(&stream)?.synchronize()?;
    /// assert_eq!(start.elapsed_till(&end)?, end.elapsed_since(&start)?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuEventElapsedTime")]
    pub fn elapsed_till(&self, end: &Event) -> Result<Duration> {
        end.elapsed_since(self)
    }

    /// Destroys the event and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). If graphs [keep](crate::graph::Keep) the event, the last of them destroys
    /// the event. Wraps `cuEventDestroy`.
    ///
    /// # Errors
    ///
    /// An earlier failure. The event is consumed in any case.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let event = cuda_rt::Event::new(&context)?;
    /// event.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuEventDestroy")]
    pub fn close(self) -> Result<()> {
        self.0.close()
    }
}

/// Events of a whole context.
impl Context {
    /// Records the event after all work that is queued in the context now, on all its streams. Wraps `cuCtxRecordEvent`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidHandle`]: the event belongs to another context.
    /// - [`Code::StreamCaptureUnsupported`]: a stream of the context is capturing a graph. The capture is invalidated.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.5.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
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
        let recorded = unsafe { check!(cuCtxRecordEvent(self.as_raw(), event.raw())) };
        if event.context() == self {
            recorded
        } else {
            recorded.or_detail(&[Code::InvalidHandle], &|| EVENT_OF_ANOTHER_CONTEXT.to_owned())
        }
    }

    /// Makes all work that is queued in the context from now on wait for the event, also on streams made later. The host does not
    /// wait. The event may belong to another context or device. Wraps `cuCtxWaitEvent`.
    ///
    /// # Errors
    ///
    /// - [`Code::CapturedEvent`]: the event was recorded in a capture. The capture is invalidated.
    /// - [`Code::InvalidValue`]: the event was last recorded in a capture that has ended.
    /// - [`Code::StreamCaptureUnsupported`]: a stream of the context is capturing a graph. The capture is invalidated.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.5.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
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
        event.refuse_captured(Symbol::cuCtxWaitEvent)?;
        let _bound = self.bind(Symbol::cuCtxWaitEvent)?;
        // SAFETY: both are live. The driver keeps what it needs of the event, so it may be dropped at once.
        unsafe { check!(cuCtxWaitEvent(self.as_raw(), event.raw())) }
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Event").field("raw", &self.0.raw).field("context", &self.0.context).finish()
    }
}
