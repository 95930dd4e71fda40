//! Events: marks in streams, to wait for and to take times between.
//!
//! | type | stands for | ends by |
//! |---|---|---|
//! | [`Event`] | a `CUevent` | `cuEventDestroy` |
//! | [`EventFlags`] | how threads wait for it, and whether it takes the time | – |
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
    /// How an event is waited for, and what it can do.
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
        /// Takes times; waiting threads spin or yield as the context is set.
        #[doc(alias = "CU_EVENT_DEFAULT")]
        const DEFAULT = C::CU_EVENT_DEFAULT.0;
        /// A thread in [`Event::synchronize`] sleeps.
        #[doc(alias = "CU_EVENT_BLOCKING_SYNC")]
        const BLOCKING_SYNC = C::CU_EVENT_BLOCKING_SYNC.0;
        /// Takes no times: the cheapest event to wait for.
        #[doc(alias = "CU_EVENT_DISABLE_TIMING")]
        const DISABLE_TIMING = C::CU_EVENT_DISABLE_TIMING.0;
        /// Can be shared with other processes; only together with [`DISABLE_TIMING`](Self::DISABLE_TIMING).
        #[doc(alias = "CU_EVENT_INTERPROCESS")]
        const INTERPROCESS = C::CU_EVENT_INTERPROCESS.0;
        /// Newer drivers may know others.
        const _ = !0;
    }
}

/// A mark in a stream.
///
/// Dropping does not wait, also while the event is pending.
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
            unsafe { check!(cuEventDestroy_v2(self.raw)) }
        })
    }
}

/// Returns whether an event that was asked about belongs to a capture. After the end of the capture the driver calls the event
/// invalid (question `capture-captured-event` of `conformance/answers.tsv`).
pub(crate) fn is_of_capture(failure: &Error) -> bool {
    matches!(failure.code(), Some(Code::CapturedEvent | Code::InvalidValue))
}

impl Event {
    /// Makes an event that takes times. Wraps `cuEventCreate`.
    ///
    /// # Errors
    ///
    /// [`Code::OutOfMemory`], or an earlier failure.
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

    /// Makes an event with these flags. Wraps `cuEventCreate`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`] for unknown flags, or
    /// [`INTERPROCESS`](EventFlags::INTERPROCESS) without [`DISABLE_TIMING`](EventFlags::DISABLE_TIMING).
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
        let bound = context.bind(Symbol::cuEventCreate)?;
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write; the context is current.
        let created = unsafe { check!(cuEventCreate(&raw mut raw, flags.bits())) };
        drop(bound);
        let created = created.or_detail(&[Code::InvalidValue], &|| format!("flags {:#x}", flags.bits()));
        made(created, !raw.is_null(), || Event::wrap(raw, context))
    }

    /// Takes over an event: it is destroyed when the value is dropped.
    ///
    /// # Safety
    ///
    /// `raw` is a live event of `context`, which no other code destroys.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let event = cuda_rt::Event::new(&context)?;
    /// use cuda_rt::Event;
    ///
    /// let raw = event.into_raw();
    /// // SAFETY: live, of this context, and nobody else's.
    /// let event = unsafe { Event::from_raw(raw, &context) };
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn from_raw(raw: CUevent, context: &Context) -> Event {
        let event = Event::wrap(raw, context);
        event.expose();
        event
    }

    /// Does the same for an event that no other code has the handle of.
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

    /// Returns the handle. The caller must destroy the event.
    ///
    /// Graphs that [keep](crate::graph::Keep) the event keep it no longer: the caller must destroy the event after the last of them.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let event = cuda_rt::Event::new(&context)?;
    /// let raw = event.into_raw();
    /// # // SAFETY: live, and nobody else's.
    /// # drop(unsafe { cuda_rt::Event::from_raw(raw, &context) });
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn into_raw(self) -> CUevent {
        self.0.into_inner().raw
    }

    /// Returns the handle. It stays this value's: it must not be destroyed.
    ///
    /// From then on, the event counts as one that a capture of other code may have recorded. A stream that waits for it counts as
    /// exposed. The promises of [`AsStream::as_raw`](crate::stream::AsStream::as_raw) hold.
    pub fn as_raw(&self) -> CUevent {
        self.expose();
        self.0.raw
    }

    /// Returns the place by which graphs keep the event.
    pub(crate) fn keep_slot(&self) -> &KeepSlot {
        &self.0.keep
    }

    /// Returns the handle for a call of this crate, which does not hand it on.
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

    /// Refuses an event of a capture before `call`, which would draw all streams of a context in.
    pub(crate) fn refuse_captured(&self, call: Symbol) -> Result<()> {
        if self.is_exposed() {
            // Asking for such an event fails.
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
    /// The failure of something that was queued.
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
            unsafe { check!(cuEventSynchronize(self.0.raw)) }
        })?;
        Ok(self)
    }

    /// Returns whether the mark is reached. True of an event that was never recorded. Does not wait.
    /// Wraps `cuEventQuery`.
    ///
    /// # Errors
    ///
    /// The failure of something that was queued: never taken for "not yet".
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

    /// Milliseconds on the device from `start` to this mark, with a resolution of about half a
    /// microsecond; negative if this mark was reached first. Wraps `cuEventElapsedTime`.
    ///
    /// # Errors
    ///
    /// [`Code::NotReady`] while a mark is not reached;
    /// [`Code::InvalidHandle`] if an event was never recorded, takes no
    /// times, or is of another device.
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
        let _bound = self.0.context.bind(Symbol::cuEventElapsedTime_v2)?;
        let mut milliseconds = 0.0;
        let taken = if cuda_sys::driver()?.has(Symbol::cuEventElapsedTime_v2) {
            // SAFETY: both events are live, `milliseconds` is valid for a write.
            unsafe { check!(cuEventElapsedTime_v2(&raw mut milliseconds, start.0.raw, self.0.raw)) }
        } else {
            // SAFETY: both events are live, `milliseconds` is valid for a write.
            unsafe { check!(cuEventElapsedTime(&raw mut milliseconds, start.0.raw, self.0.raw)) }
        };
        taken.or_detail(&[Code::InvalidHandle], &|| {
            "both events must have been recorded, take times, and be of one device".to_owned()
        })?;
        Ok(milliseconds)
    }

    /// Returns the time on the device from `start` to this mark.
    ///
    /// # Errors
    ///
    /// Same as [`Event::milliseconds_since`], and
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) if this mark was reached first.
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

    /// Returns the time on the device from this mark to `end`: [`elapsed_since`](Event::elapsed_since) the
    /// other way round.
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

    /// Destroys the event and reports the driver's answer, which a drop can only give to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuEventDestroy`.
    ///
    /// # Errors
    ///
    /// An earlier failure. The event is gone all the same.
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

/// Events of a whole context, instead of one stream.
impl Context {
    /// Sets the event's mark after everything that is queued in the context now, on all its streams. Wraps
    /// `cuCtxRecordEvent`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidHandle`] if the event is of another context, [`Code::StreamCaptureUnsupported`] while a stream
    /// of the context is capturing a graph: the capture ends;
    /// [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) with drivers before CUDA 12.5, or an earlier
    /// failure.
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

    /// Makes everything that is queued in the context from now on wait for the event, on all its streams, those made later
    /// too. The host does not wait. The event may belong to another context or device. Wraps `cuCtxWaitEvent`.
    ///
    /// # Errors
    ///
    /// - [`Code::CapturedEvent`] if the event was recorded in a capture: the capture ends.
    /// - [`Code::StreamCaptureUnsupported`] while a stream of the context is capturing a graph: the capture ends.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) with drivers before CUDA 12.5, or an earlier
    ///   failure.
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
