//! Streams: queues of work for a device.
//!
//! | type | stands for | released by |
//! |---|---|---|
//! | [`Stream`] | a stream of the program, also of a [green context](crate::green), or the context's [legacy](Stream::legacy) default stream | `cuStreamDestroy`; the legacy stream is not destroyed |
//! | [`PerThreadStream`] | the calling thread's default stream | – |
//! | [`StreamRef`] | a borrowed stream | – |
//! | [`AsStream`] | the trait of these | – |
//! | [`GraphicsStream`], [`CommandList`] | a stream whose work is recorded into a command list of a graphics API | `cuStreamEndCaptureToCig` |
//! | [`StreamInfo`] | the driver's description of a stream of other code | – |
//! | [`EventRecordFlags`], [`EventWaitFlags`] | how captures of other code record events and wait for them | – |
//! | [`StreamFlags`] | whether a stream and the legacy default stream wait for each other | – |
//!
//! Work on one stream runs in order. Different streams run independently, with one exception: the legacy default stream and every
//! [blocking](StreamFlags::DEFAULT) stream of its context wait for each other. [`Stream::new`] creates non-blocking streams.
//!
//! # From PyCUDA
//!
//! The [guide](crate::coming_from::pycuda#streams-and-events) leads from the names of PyCUDA to the items here.
//!
//! # Host functions
//!
//! [`launch_host_function`](Stream::launch_host_function) and [`add_callback`](Stream::add_callback) queue a function of the
//! program on a stream. The driver calls the function when its turn comes, on a thread of the driver: one for each context. Later
//! work of the stream waits until the function returns, and so do functions on other streams of the context. So a host function
//! should be short, and wake another thread for longer work.
//!
//! - **A host function cannot call the driver**, which forbids such calls. Every call of this crate that would call the driver is
//!   refused: [`InsideHostFunction`](crate::error::ErrorKind::InsideHostFunction). Values that are dropped inside the function,
//!   including its captured values, go to a thread of this crate, which releases them in order.
//! - **A host function must not block on device work**, directly or indirectly. For example, taking a lock held by a thread that
//!   is in `synchronize` deadlocks, and so does waiting for another function of the context. If a function never returns, no
//!   other function of its context is called, its stream hangs, and its context cannot be released.
//! - **A host function should not wait for a thread that calls the driver**, whatever the call. With driver 580, a stream takes
//!   about a thousand launches behind a function. As soon as another launch waits there, calls that allocate memory, or that make
//!   streams, events or modules, wait for the function, too.
//! - A panic in a host function is caught, and goes to the [hook](crate::handle::set_drop_hook).
//! - A host function is called at most once. After a failure, a function of `launch_host_function` is not called. A callback
//!   added with `add_callback` also runs after a failure and receives the error. The driver may call it a few seconds late if no
//!   other driver call is made.
//! - A function that is not called is dropped with its stream, or with the last handle to the context, when the context has
//!   ended. On drivers before CUDA 12.0 the context must have been created by [`Context::new`]. A function on a
//!   [`PerThreadStream`] is dropped with the context, too. A function is not dropped if it keeps the stream or the context alive
//!   itself, nor while other code keeps a primary context alive.
//! - A host function should not store values of this crate in a thread-local variable. Such values are dropped when the driver's
//!   thread ends, outside all functions. The driver may be shutting down by then.
//! - Dropping the stream does not wait for the function, which is called nevertheless. The end of a context waits for the
//!   function. At the end of the process the function is not called.
//! - A host function cannot be queued on a stream that is being captured: each launch of the graph would call it, or none.

#![allow(unsafe_code)]

mod as_stream;
mod beside;
mod borrowed;
mod delayed_frees;
mod event;
mod flags;
mod foreign;
mod graphics;
mod green;
mod host_function;
mod owner;
mod per_thread;

pub use crate::context::capture_state::expect_foreign_captures;
pub use as_stream::AsStream;
pub use borrowed::StreamRef;
pub use event::{EventRecordFlags, EventWaitFlags};
pub use flags::StreamFlags;
pub use foreign::StreamInfo;
pub use graphics::{CommandList, GraphicsStream};
pub use host_function::HostTaskSyncMode;
pub use per_thread::PerThreadStream;

use crate::context::{
    Context, ContextRequirement, RelaxedCaptureMode, release_after, release_again, retry_once,
    strict_captures,
};
use crate::error::{Code, OrDetail, Result, from_call};
use crate::event::Event;
use crate::green::GreenContext;
use crate::handle::{Owned, is_forked_child, made};
use crate::list::CollectVec;
use as_stream::names_context;
pub(crate) use as_stream::{
    Handle, call_on, captures, expose, is_capturing, is_done, is_same, may_be_capturing, refuse_capture,
    synchronize, wait_event, wait_stream,
};
use beside::Beside;
use core::any::Any;
use core::fmt;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, Ordering};
use cuda_sys::Symbol;
use cuda_sys::{CU_STREAM_LEGACY, CUdeviceptr, CUresult, CUstream, cuMemFreeAsync};
use delayed_frees::DelayedFrees;
use owner::{Inner, Kind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// A stream. Clones are handles to the same stream. The last handle to the stream, and to memory that lives on it, destroys the
/// stream.
///
/// Dropping does not wait: the driver completes the queued work and then destroys the stream.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::Stream;
///
/// let stream = Stream::new(&context)?;
/// stream.synchronize()?;
/// assert!(stream.is_done()?);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUstream")]
#[derive(Clone)]
pub struct Stream(Arc<Owned<Inner>>);

impl Stream {
    /// Creates a stream with the default priority that does not wait for the legacy default stream. Wraps `cuStreamCreate`.
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
    /// let stream = cuda_rt::Stream::new(&context)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamCreate")]
    pub fn new(context: &Context) -> Result<Stream> {
        Stream::with_flags(context, StreamFlags::NON_BLOCKING)
    }

    /// Creates a stream with flags and the default priority. Wraps `cuStreamCreate`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: unknown flags.
    /// - [`Code::OutOfMemory`].
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::Stream;
    /// use cuda_rt::stream::StreamFlags;
    ///
    /// let blocking = Stream::with_flags(&context, StreamFlags::DEFAULT)?;
    /// assert_eq!(blocking.flags()?, StreamFlags::DEFAULT);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamCreate")]
    pub fn with_flags(context: &Context, flags: StreamFlags) -> Result<Stream> {
        Stream::create(context, Symbol::cuStreamCreate, flags, |raw| {
            // SAFETY: `raw` is valid for a write; the context is current.
            unsafe { check!(cuStreamCreate(raw, flags.bits())) }
        })
    }

    /// Creates a stream with flags and a priority; lower numbers go first. Wraps `cuStreamCreateWithPriority`.
    ///
    /// The driver moves a priority outside [`Context::stream_priority_range`] to the nearest one inside.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: unknown flags.
    /// - [`Code::OutOfMemory`].
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::Stream;
    /// use cuda_rt::stream::StreamFlags;
    ///
    /// let greatest = *context.stream_priority_range()?.start();
    /// let urgent = Stream::with_priority(&context, StreamFlags::NON_BLOCKING, greatest)?;
    /// assert_eq!(urgent.priority()?, greatest);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamCreateWithPriority")]
    pub fn with_priority(context: &Context, flags: StreamFlags, priority: i32) -> Result<Stream> {
        Stream::create(context, Symbol::cuStreamCreateWithPriority, flags, |raw| {
            // SAFETY: `raw` is valid for a write; the context is current.
            unsafe { check!(cuStreamCreateWithPriority(raw, flags.bits(), priority)) }
        })
    }

    /// Calls `create`, which calls `call`, with the context current.
    fn create(
        context: &Context,
        call: Symbol,
        flags: StreamFlags,
        create: impl FnOnce(*mut CUstream) -> Result<()>,
    ) -> Result<Stream> {
        let bound = context.bind(call)?;
        let mut raw = null_mut();
        let created = create(&raw mut raw);
        drop(bound);
        let created = created.or_detail(&[Code::InvalidValue], &|| format!("flags {:#x}", flags.bits()));
        made(created, !raw.is_null(), || Stream::wrap(raw, Kind::Owned, context))
    }

    /// Returns the context's legacy default stream: stream 0 in C. It waits for all blocking
    /// streams of the context, and they for it.
    ///
    /// While a blocking stream of the context is being captured, most calls on the legacy stream fail with
    /// [`Code::StreamCaptureImplicit`]. Their failure invalidates the capture.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let legacy = cuda_rt::Stream::legacy(&context);
    /// legacy.synchronize()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "CU_STREAM_LEGACY")]
    pub fn legacy(context: &Context) -> Stream {
        Stream::wrap(CU_STREAM_LEGACY, Kind::Legacy, context)
    }

    /// Takes ownership of a raw stream, which is destroyed with the last handle to it.
    ///
    /// # Safety
    ///
    /// `raw` is a live stream of `context` made by `cuStreamCreate` or `cuStreamCreateWithPriority`,
    /// which no other code destroys.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::{Stream, sys};
    ///
    /// let mut raw = std::ptr::null_mut();
    /// let entered = context.enter()?;
    /// // SAFETY: `raw` is valid for a write, and the context is current.
    /// assert!(unsafe { sys::cuStreamCreate(&mut raw, 0) }.is_success());
    /// // SAFETY: made above in this context, and no other code destroys it.
    /// let stream = unsafe { Stream::from_raw(raw, &context) };
    /// stream.synchronize()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn from_raw(raw: CUstream, context: &Context) -> Stream {
        let stream = Stream::wrap(raw, Kind::Owned, context);
        expose(&stream);
        stream
    }

    /// Wraps a stream of other code, and keeps `owner` alive until the last handle is dropped.
    ///
    /// # Safety
    ///
    /// `raw` is a live stream of `context`, no special handle such as `CU_STREAM_PER_THREAD`, and stays live at least until
    /// `owner` is dropped.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::Stream;
    ///
    /// let owner = Box::new(stream.clone());
    /// // SAFETY: live, of this context, and kept so by its owner.
    /// let borrowed = unsafe { Stream::from_raw_with_owner(stream.as_raw(), &context, owner) };
    /// borrowed.synchronize()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn from_raw_with_owner(
        raw: CUstream,
        context: &Context,
        owner: Box<dyn Any + Send + Sync>,
    ) -> Stream {
        Stream::wrap(raw, Kind::Foreign { _owner: owner }, context)
    }

    fn wrap(raw: CUstream, kind: Kind, context: &Context) -> Stream {
        Stream::wrap_in(raw, kind, context, None)
    }

    /// Becomes the owner of a stream, which may be one of a green context.
    fn wrap_in(raw: CUstream, kind: Kind, context: &Context, green: Option<GreenContext>) -> Stream {
        let (delayed_frees, context) = (DelayedFrees::default(), context.clone());
        // The legacy stream cannot be captured, but a capture on a stream that it waits for restricts it.
        let exposed = AtomicBool::new(!matches!(kind, Kind::Owned));
        Stream(Arc::new(Owned::new(Inner {
            raw,
            exposed,
            beside: Beside::default(),
            kind,
            delayed_frees,
            green,
            context,
        })))
    }

    /// Returns the raw handle. The caller must not destroy the stream; see [`AsStream::as_raw`].
    pub fn as_raw(&self) -> CUstream {
        expose(self);
        self.0.raw
    }

    /// Returns the raw handle for a call of this crate, which does not pass the handle on.
    #[inline]
    pub(crate) fn raw(&self) -> CUstream {
        self.0.raw
    }

    /// Borrows the stream as a value that can be copied.
    pub fn as_stream_ref(&self) -> StreamRef<'_> {
        StreamRef::of(self)
    }

    /// Returns the context that the stream belongs to.
    #[doc(alias = "cuStreamGetCtx")]
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Returns the driver's number for the stream, unique in the process. Unlike handles, numbers are not reused.
    ///
    /// Wraps `cuStreamGetId`.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.0.
    /// - [`Code::StreamCaptureUnsupported`]: the stream is being captured. The failure invalidates the capture.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// assert_eq!(stream.id()?, stream.clone().id()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamGetId")]
    pub fn id(&self) -> Result<u64> {
        let _bound = self.context().bind(Symbol::cuStreamGetId)?;
        let mut id = 0;
        // SAFETY: the stream is live, `id` is valid for a write, the context is current.
        unsafe { check!(cuStreamGetId(self.0.raw, &raw mut id)) }?;
        Ok(id)
    }

    /// Returns the flags with which the stream was created. Wraps `cuStreamGetFlags`.
    ///
    /// # Errors
    ///
    /// - [`Code::StreamCaptureUnsupported`]: the stream is being captured. The failure invalidates the capture.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// assert_eq!(stream.flags()?, cuda_rt::stream::StreamFlags::NON_BLOCKING);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamGetFlags")]
    pub fn flags(&self) -> Result<StreamFlags> {
        let _bound = self.context().bind(Symbol::cuStreamGetFlags)?;
        let mut flags = 0;
        // SAFETY: the stream is live, `flags` is valid for a write, the context is current.
        unsafe { check!(cuStreamGetFlags(self.0.raw, &raw mut flags)) }?;
        Ok(StreamFlags::from_bits_retain(flags))
    }

    /// Returns the stream's priority; lower numbers go first. Wraps `cuStreamGetPriority`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// assert_eq!(stream.priority()?, 0);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamGetPriority")]
    pub fn priority(&self) -> Result<i32> {
        let _bound = self.context().bind(Symbol::cuStreamGetPriority)?;
        let mut priority = 0;
        // SAFETY: the stream is live, `priority` is valid for a write, the context is current.
        unsafe { check!(cuStreamGetPriority(self.0.raw, &raw mut priority)) }?;
        Ok(priority)
    }

    /// Waits until all work queued on the stream is done. Wraps `cuStreamSynchronize`.
    ///
    /// # Blocking
    ///
    /// Until the stream is done.
    ///
    /// # Errors
    ///
    /// - The failure of queued work, on this stream or elsewhere in the process.
    /// - [`Code::StreamCaptureUnsupported`]: the stream is being captured. The failure invalidates the capture.
    /// - The same: any thread captures a graph in the global mode, or this thread does in the thread-local mode, and the
    ///   mode of this thread is not relaxed. The failure invalidates that capture.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// stream.synchronize()?;
    /// assert!(stream.is_done()?);
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
    /// Same as [`Stream::synchronize`]. After a failure the result is never `false` instead.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// while !stream.is_done()? {
    ///     std::thread::yield_now();
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamQuery")]
    #[inline]
    pub fn is_done(&self) -> Result<bool> {
        is_done(self)
    }

    /// Makes later work on the stream wait for the event. The host does not wait. Wraps `cuStreamWaitEvent`.
    ///
    /// If the event was never recorded, the stream does not wait. The event may belong to another device.
    ///
    /// # Errors
    ///
    /// - [`Code::StreamCaptureIsolation`]: the stream is being captured, and the event was recorded outside the capture. The
    ///   failure invalidates the capture. The reverse is no error: a stream that waits for an event of a capture becomes a part
    ///   of that capture.
    /// - [`Code::StreamCaptureMerge`]: the stream is being captured, and the event was recorded in another capture. The
    ///   failure invalidates both captures.
    /// - [`Code::InvalidValue`]: the event was last recorded in a capture that has ended. If the stream is being
    ///   captured, the failure invalidates its capture.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::{Event, Stream};
    ///
    /// let (first, second) = (Stream::new(&context)?, Stream::new(&context)?);
    /// let done = Event::new(&context)?;
    /// done.record(&first)?;
    /// second.wait_event(&done)?; // later work on `second` comes after the earlier work on `first`
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamWaitEvent")]
    pub fn wait_event(&self, event: &Event) -> Result<()> {
        wait_event(self, event)
    }

    /// Makes later work on the stream wait for the work that is queued on another stream now. The host does not wait.
    ///
    /// The other stream may belong to another context or device. If both are the same stream, the call does nothing. Wraps
    /// `cuEventCreate`, `cuEventRecord`, `cuStreamWaitEvent` and `cuEventDestroy`, one call of each, with an event that records
    /// no time.
    ///
    /// If the other stream is being captured, this one becomes a part of the same capture. If this one is being captured and the
    /// other one is not, the call fails, and the failure invalidates the capture: see [`wait_event`](Stream::wait_event).
    ///
    /// # Errors
    ///
    /// Same as [`Event::new`], [`Event::record`] and [`wait_event`](Stream::wait_event). If the call fails, this stream does not
    /// wait.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::{DeviceBuf, Stream};
    ///
    /// let (uploads, work) = (Stream::new(&context)?, Stream::new(&context)?);
    /// let data = DeviceBuf::<f32>::zeroed(&uploads, 1000)?;
    /// work.wait_stream(&uploads)?;
    /// // ... kernels on `work` that read `data` ...
    /// uploads.wait_stream(&work)?; // `data` is freed on its home stream, after the kernels
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuEventRecord", "cuStreamWaitEvent"))]
    pub fn wait_stream(&self, other: &impl AsStream) -> Result<()> {
        wait_stream(self, other)
    }

    /// Returns whether the stream is being captured into a graph. Wraps `cuStreamIsCapturing`.
    ///
    /// # Errors
    ///
    /// - [`Code::StreamCaptureImplicit`]: the stream is the legacy stream, and a blocking stream of the context is
    ///   being captured. This failure does not invalidate the capture.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// assert!(!stream.is_capturing()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamIsCapturing")]
    pub fn is_capturing(&self) -> Result<bool> {
        let _bound = self.context().bind(Symbol::cuStreamIsCapturing)?;
        is_capturing(self.0.raw)
    }

    /// Returns the context requirement of freeing memory of this stream.
    pub(crate) fn frees_by(&self) -> ContextRequirement {
        if matches!(self.0.kind, Kind::Owned) {
            ContextRequirement::None
        } else {
            ContextRequirement::Current
        }
    }

    /// Frees memory of the stream-ordered allocator that lives on this stream, with the context current. While the stream is
    /// being captured, the free is delayed.
    #[inline]
    pub(crate) fn free(&self, address: CUdeviceptr) -> Result<()> {
        self.0.free(address)
    }

    /// Returns whether allocating memory on the stream takes one call and no preparation.
    #[inline]
    pub(crate) fn has_short_way(&self) -> bool {
        names_context(self.0.raw)
            && !self.0.exposed.load(Ordering::Relaxed)
            && self.0.delayed_frees.is_empty()
            && !is_forked_child()
    }

    /// Frees memory like [`free`](Stream::free), on a stream whose handle names its context, which need not be current. Leaves
    /// captures elsewhere intact. Must not be called inside a host function or in a child of a fork.
    pub(crate) fn free_by_handle(&self, address: CUdeviceptr) -> Result<()> {
        if strict_captures() || !self.0.delayed_frees.is_empty() {
            return self.free_the_long_way(address, self.context().lives());
        }
        let lives = self.context().lives();
        if lives != Some(true) {
            return self.free_the_long_way(address, lives);
        }
        // SAFETY: the owner of the memory has passed it on; this is its home stream, which is live.
        let freed = unsafe { cuMemFreeAsync(address, self.0.raw) };
        if freed.is_success() { Ok(()) } else { self.not_freed(address, freed) }
    }

    #[cold]
    #[inline(never)]
    fn not_freed(&self, address: CUdeviceptr, freed: CUresult) -> Result<()> {
        let freed = from_call(Symbol::cuMemFreeAsync, freed);
        let Err(error) = self.0.not_freed(address, freed) else { return Ok(()) };
        release_again(self.context(), Symbol::cuMemFreeAsync, error, &|| self.0.free(address))
    }

    #[cold]
    #[inline(never)]
    fn free_the_long_way(&self, address: CUdeviceptr, lives: Option<bool>) -> Result<()> {
        release_after(self.context(), lives, Symbol::cuMemFreeAsync, || {
            let _relaxed = strict_captures().then(RelaxedCaptureMode::new);
            self.0.free(address)
        })
    }

    /// Frees delayed memory, with the context current. Memory whose free fails stays delayed.
    pub(crate) fn free_delayed(&self) {
        let _ = self.0.delayed_frees.free(self.0.raw);
    }

    /// Returns whether the stream is being captured, or waits for a stream that is. For destructors, before `call`.
    pub(crate) fn takes_part_in_capture(&self, call: Symbol) -> Result<bool> {
        if !may_be_capturing(self) {
            return Ok(false);
        }
        let _bound = retry_once(|| self.context().bind(call))?;
        self.0.takes_part_in_capture(call)
    }

    /// Returns whether two handles are clones of each other.
    #[inline]
    pub(crate) fn is_same_handle(&self, other: &Stream) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the lock for ordering launches with the stream. All handles to a stream have the same one.
    fn launch_lock(&self) -> &'static Mutex<()> {
        static LOCKS: [Mutex<()>; 64] = [const { Mutex::new(()) }; 64];
        static OTHERS: Mutex<()> = Mutex::new(());
        // Streams are objects of the driver, far enough apart in memory.
        LOCKS.get(self.0.raw.addr() / 64 % LOCKS.len()).unwrap_or(&OTHERS)
    }

    /// Returns the place of the lock in the order in which all threads lock.
    pub(crate) fn launch_order(&self) -> usize {
        core::ptr::from_ref(self.launch_lock()).addr()
    }

    /// Keeps other threads from ordering launches with streams, which are sorted by [`launch_order`](Stream::launch_order).
    /// Locks nothing in the child of a fork: a thread that does not exist there may hold a lock.
    pub(crate) fn lock_launches(streams: &[Stream]) -> Vec<MutexGuard<'static, ()>> {
        if is_forked_child() {
            return Vec::new();
        }
        let mut locks: Vec<&'static Mutex<()>> = streams.iter().map(Stream::launch_lock).collect_vec();
        locks.dedup_by_key(|lock| core::ptr::from_ref(*lock));
        locks.into_iter().map(|lock| lock.lock().unwrap_or_else(PoisonError::into_inner)).collect_vec()
    }

    /// Returns the identity of the stream, which is valid after the end of the stream.
    pub(crate) fn to_id(&self) -> StreamId {
        StreamId(Arc::downgrade(&self.0))
    }

    /// Refuses `call` if the stream is capturing: the graph would keep memory that the caller only lends.
    pub(crate) fn refuse_capture(&self, call: Symbol) -> Result<()> {
        refuse_capture(self, call)
    }

    /// Waits for the stream, whose context is current.
    #[inline]
    pub(crate) fn synchronize_bound(&self) -> Result<()> {
        // SAFETY: the stream is live, and its context is current.
        unsafe { inline_check!(cuStreamSynchronize(self.0.raw)) }
    }

    /// Destroys the stream, if this is the last handle to it, and returns the driver's answer. A drop can report a failure only
    /// to the [hook](crate::handle::set_drop_hook). Wraps `cuStreamDestroy`.
    ///
    /// A thread that unregisters host memory holds handles to the streams that it waits for. If one of these is the last handle,
    /// that thread destroys the stream.
    ///
    /// # Errors
    ///
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): buffers of the legacy stream were dropped while
    ///   a blocking stream was being captured, and the capture has not ended. Their memory is not freed.
    /// - An earlier failure.
    ///
    /// The handle is consumed in any case.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// stream.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamDestroy")]
    pub fn close(self) -> Result<()> {
        Owned::close_last(self.0)
    }
}

/// Identity of a stream, which does not keep the stream alive. The address is not reused as long as this value lives.
pub(crate) struct StreamId(Weak<Owned<Inner>>);

impl StreamId {
    /// Returns whether `stream` is a clone of the identified handle. False for a handle to the same stream that was made
    /// separately.
    pub(crate) fn is(&self, stream: &Stream) -> bool {
        core::ptr::eq(self.0.as_ptr(), Arc::as_ptr(&stream.0))
    }
}

/// Two handles are equal if they name the same stream.
impl PartialEq for Stream {
    #[inline]
    fn eq(&self, other: &Stream) -> bool {
        is_same(self, other)
    }
}

impl Eq for Stream {}

impl core::hash::Hash for Stream {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.as_stream_ref().hash(state);
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Stream").field("raw", &self.0.raw).field("context", &self.0.context).finish()
    }
}
