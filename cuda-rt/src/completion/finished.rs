//! Futures of queued work.

use super::poller::{self, Entry, is_gone, is_reached};
use crate::context::ask_if_alive;
use crate::error::Result;
use crate::event::{Event, EventFlags};
use crate::handle::{defer_drop, ensure_not_in_host_function, is_forked_child, is_inside};
use crate::stream::{AsStream, PerThreadStream, Stream, StreamRef, refuse_capture};
use core::fmt;
use core::future::Future;
use core::mem::replace;
use core::pin::Pin;
use core::task::{Poll, Waker};
use cuda_sys::Symbol;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Way in which a task that awaits the device is woken.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::completion::WakeBy;
///
/// let finished = stream.finished()?.wake_by(WakeBy::Polling);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum WakeBy {
    /// A host function on the companion stream of the awaited stream. In addition, a thread of this crate queries the driver
    /// every 2 milliseconds.
    #[default]
    HostFunction,
    /// A thread of this crate, which queries the driver every 20 microseconds.
    Polling,
}

/// Future of the end of the work that was queued when [`Stream::finished`] was called.
///
/// [`Event::finished`] returns the future of the work that was queued when the event was last recorded.
///
/// The result is `Ok` when the work is done, or the failure of queued work. If the future is polled after its result, it returns
/// the same result again. Dropping the future does not wait.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
///
/// async fn fill(stream: &cuda_rt::Stream) -> cuda_rt::Result<DeviceBuf<u32>> {
///     let buffer = DeviceBuf::<u32>::zeroed(stream, 1000)?;
///     stream.finished()?.await?;
///     Ok(buffer)
/// }
/// # fn wait<F: Future>(future: F) -> F::Output {
/// #     struct Unpark(std::thread::Thread);
/// #     impl std::task::Wake for Unpark { fn wake(self: std::sync::Arc<Self>) { self.0.unpark() } }
/// #     let waker = std::sync::Arc::new(Unpark(std::thread::current())).into();
/// #     let mut future = std::pin::pin!(future);
/// #     loop {
/// #         let polled = future.as_mut().poll(&mut std::task::Context::from_waker(&waker));
/// #         let std::task::Poll::Ready(output) = polled else { std::thread::park(); continue };
/// #         return output;
/// #     }
/// # }
/// # wait(fill(&stream))?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[must_use = "futures do nothing unless they are awaited"]
pub struct Finished {
    shared: Arc<Shared>,
    by: WakeBy,
}

/// The stream on which a host function wakes the task.
enum Beside {
    /// The companion of a stream.
    Of(Stream),
    /// A stream of this future alone.
    Own(Stream),
    None,
}

pub(crate) struct Shared {
    /// Event that is reached when the work is done. `None` if the work was done at the start.
    mark: Option<Event>,
    beside: Beside,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The result, once known.
    outcome: Option<Result<()>>,
    /// Woken when there may be a result.
    waker: Option<Waker>,
    /// True if a host function is queued.
    has_function: bool,
    /// True if the thread of this crate queries the driver.
    is_polled: bool,
}

impl Shared {
    /// Locks the state. `None` in the child of a fork: a thread that does not exist there may hold the lock.
    fn state(&self) -> Option<MutexGuard<'_, State>> {
        let lock = || self.state.lock().unwrap_or_else(PoisonError::into_inner);
        (!is_forked_child()).then(lock)
    }

    /// Takes the waker of the last poll. The caller must drop it with nothing locked: it is code of the program.
    fn take_waker(&self) -> Option<Waker> {
        self.state()?.waker.take()
    }

    /// Wakes the task of the last poll, with nothing locked.
    fn wake(&self) {
        if let Some(waker) = self.take_waker() {
            waker.wake();
        }
    }

    /// Sets a field of the state, and returns the previous value; in the child of a fork, `value`.
    fn replace<T>(&self, field: impl FnOnce(&mut State) -> &mut T, value: T) -> T {
        match self.state() {
            Some(mut state) => replace(field(&mut state), value),
            None => value,
        }
    }

    /// Queries the driver. The context must live.
    fn look(&self) -> Poll<Result<()>> {
        match self.mark.as_ref().map_or(Ok(true), is_reached) {
            Ok(false) => Poll::Pending,
            Ok(true) => Poll::Ready(Ok(())),
            Err(error) => Poll::Ready(Err(error)),
        }
    }

    /// Returns whether the work is done, unless the context has ended. For destructors and threads of this crate. Invalidates no
    /// capture, and is not refused because of one.
    pub(super) fn is_reached_if_alive(&self) -> Result<bool> {
        let Some(mark) = &self.mark else { return Ok(true) };
        ask_if_alive(mark.context(), Symbol::cuEventQuery, || is_reached(mark))
    }
}

/// A future for which the thread of this crate queries the driver.
struct Polled {
    shared: Weak<Shared>,
    is_urgent: bool,
}

impl Entry for Polled {
    fn is_over(&mut self) -> bool {
        let Some(shared) = self.shared.upgrade() else { return true };
        let shared = DroppedElsewhere(Some(shared));
        let Some(shared) = &shared.0 else { return true };
        let reached = shared.is_reached_if_alive();
        let is_over = !matches!(reached, Ok(false));
        if is_over {
            if let Err(error) = reached
                && is_gone(&error)
            {
                // The next poll must not use a handle that is invalid.
                shared.replace(|state| &mut state.outcome, Some(Err(error)));
            }
            // The next poll queries by itself. It may come on another thread at once.
            shared.replace(|state| &mut state.is_polled, false);
            shared.wake();
        }
        is_over
    }

    fn is_urgent(&self) -> bool {
        self.is_urgent
    }
}

/// A share that is dropped on another thread if it is the last one, even after a waker has panicked.
struct DroppedElsewhere(Option<Arc<Shared>>);

impl Drop for DroppedElsewhere {
    fn drop(&mut self) {
        if let Some(last) = self.0.take().and_then(Arc::into_inner) {
            // Dropping the last handle to a context waits, which this thread must not do.
            defer_drop(last);
        }
    }
}

impl Finished {
    /// Makes the future of work that is done when `mark` is reached.
    fn new(mark: Option<Event>, beside: Beside) -> Finished {
        let shared = Arc::new(Shared { mark, beside, state: Mutex::default() });
        Finished { shared, by: WakeBy::default() }
    }

    /// Makes the future of an event that is recorded on a stream.
    pub(crate) fn of_mark(mark: Event, stream: &Stream) -> Finished {
        Finished::new(Some(mark), Beside::Of(stream.clone()))
    }

    /// Chooses how a waiting task is woken.
    pub fn wake_by(mut self, by: WakeBy) -> Finished {
        self.by = by;
        self
    }

    /// Returns the shared state, which keeps the event, and the waker of the last poll, which is not woken any more. Dropping the
    /// waker is code of the program, which may panic.
    pub(crate) fn into_parts(self) -> (Arc<Shared>, Option<Waker>) {
        (self.shared.clone(), self.shared.take_waker())
    }

    /// Ensures that the task will be woken.
    fn arm(&self) {
        let shared = &self.shared;
        let has_function = |value| shared.replace(|state| &mut state.has_function, value);
        let is_polled = |value| shared.replace(|state| &mut state.is_polled, value);
        let mut is_urgent = self.by == WakeBy::Polling || matches!(shared.beside, Beside::None);
        // The driver must not be called inside a host function.
        if !is_urgent && !is_inside() && !has_function(true) {
            is_urgent = self.queue_function().is_err();
            has_function(!is_urgent);
        }
        is_urgent |= is_inside();
        if !is_polled(true) {
            let entry = Polled { shared: Arc::downgrade(shared), is_urgent };
            if poller::add(Box::new(entry)).is_err() {
                // There is no thread. The task queries by itself.
                is_polled(false);
                shared.wake();
            }
        }
    }

    /// Queues a host function that wakes the task, on the companion stream.
    fn queue_function(&self) -> Result<()> {
        match &self.shared.beside {
            Beside::Of(stream) => self.queue_on(stream.beside()?),
            Beside::Own(stream) => self.queue_on(stream.as_stream_ref()),
            Beside::None => Ok(()),
        }
    }

    fn queue_on(&self, stream: StreamRef<'_>) -> Result<()> {
        let Some(mark) = &self.shared.mark else { return Ok(()) };
        stream.wait_event(mark)?;
        let shared = Arc::downgrade(&self.shared);
        stream.launch_host_function(move || {
            if let Some(shared) = shared.upgrade() {
                shared.wake();
            }
        })
    }
}

impl Future for Finished {
    type Output = Result<()>;

    fn poll(self: Pin<&mut Self>, task: &mut core::task::Context<'_>) -> Poll<Result<()>> {
        let shared = &self.shared;
        // Makes no driver call inside a host function. There the thread of this crate queries.
        let look = || if is_inside() { Poll::Pending } else { shared.look() };
        let known = shared.state().and_then(|state| state.outcome.clone());
        if let Some(outcome) = known {
            return Poll::Ready(outcome);
        }
        let mut answer = look();
        if answer.is_pending() {
            if is_forked_child() {
                // Nothing else wakes the task here.
                task.waker().wake_by_ref();
                return answer;
            }
            // Cloning and dropping the waker is code of the program, done with nothing locked.
            let waker = task.waker().clone();
            drop(shared.replace(|state| &mut state.waker, Some(waker)));
            self.arm();
            // The wake may have been due between the query and the registration of the waker.
            answer = look();
        }
        if let Poll::Ready(outcome) = &answer {
            shared.replace(|state| &mut state.outcome, Some(outcome.clone()));
            drop(shared.take_waker());
        }
        answer
    }
}

impl Drop for Finished {
    fn drop(&mut self) {
        // A thread that queries at this moment may keep the rest a little longer. It wakes no task any more.
        drop(self.shared.take_waker());
    }
}

impl fmt::Debug for Finished {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Cloned, so that nothing is locked while the program's writer runs.
        let outcome = self.shared.state().and_then(|state| state.outcome.clone());
        formatter
            .debug_struct("Finished")
            .field("mark", &self.shared.mark)
            .field("outcome", &outcome)
            .field("by", &self.by)
            .finish()
    }
}

/// Records an event at the end of the work that is queued on a stream now.
fn mark_on(stream: &impl AsStream) -> Result<Event> {
    // A graph would record the event instead.
    refuse_capture(stream, Symbol::cuEventRecord)?;
    let mark = Event::with_flags(stream.context(), EventFlags::DISABLE_TIMING)?;
    mark.record(stream)?;
    Ok(mark)
}

/// Makes the future of the work that is queued on a stream without a companion stream.
fn finished_with_own(stream: &impl AsStream) -> Result<Finished> {
    let beside = Beside::Own(Stream::new(stream.context())?);
    Ok(Finished::new(Some(mark_on(stream)?), beside))
}

impl Stream {
    /// Returns a future of the end of the work that is queued on the stream now. Does not wait. Wraps `cuEventCreate` and
    /// `cuEventRecord`.
    ///
    /// The first wait creates a companion stream, which lives as long as this stream: see [`completion`](crate::completion).
    ///
    /// # Errors
    ///
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream is being captured.
    /// - Same as [`Event::new`] and [`Event::record`].
    ///
    /// The future returns the failure of queued work.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// async fn wait(stream: &cuda_rt::Stream) -> cuda_rt::Result<()> {
    ///     // ... launches ...
    ///     stream.finished()?.await
    /// }
    /// # drop(wait(&stream));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuEventCreate", "cuEventRecord", "cuLaunchHostFunc"))]
    pub fn finished(&self) -> Result<Finished> {
        Ok(Finished::of_mark(mark_on(self)?, self))
    }
}

impl PerThreadStream {
    /// Returns a future of the end of the work that is queued on the stream now. Does not wait. Wraps `cuStreamCreate`,
    /// `cuEventCreate` and `cuEventRecord`.
    ///
    /// The future may be polled on any thread.
    ///
    /// # Errors
    ///
    /// Same as [`Stream::finished`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let finished = cuda_rt::stream::PerThreadStream::new(&context).finished()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuEventCreate", "cuEventRecord", "cuLaunchHostFunc"))]
    pub fn finished(&self) -> Result<Finished> {
        finished_with_own(self)
    }
}

impl StreamRef<'_> {
    /// Returns a future of the end of the work that is queued on the stream now. Does not wait. Wraps `cuStreamCreate`,
    /// `cuEventCreate` and `cuEventRecord`.
    ///
    /// # Errors
    ///
    /// Same as [`Stream::finished`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// let finished = stream.as_stream_ref().finished()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuEventCreate", "cuEventRecord", "cuLaunchHostFunc"))]
    pub fn finished(self) -> Result<Finished> {
        finished_with_own(&self)
    }
}

impl Event {
    /// Returns a future that completes when the mark is reached. Does not wait.
    ///
    /// The future waits for the present mark: if the event is recorded again, the future does not change. If the event was never
    /// recorded, the future completes at once. Wraps `cuEventQuery`, and if the mark is not reached also `cuStreamCreate`,
    /// `cuStreamWaitEvent`, `cuEventCreate` and `cuEventRecord`.
    ///
    /// # Errors
    ///
    /// - The failure of queued work.
    /// - [`Code::CapturedEvent`](crate::error::Code::CapturedEvent): the event was recorded in a capture.
    /// - [`Code::InvalidValue`](crate::error::Code::InvalidValue): the event was last recorded in a capture that has
    ///   ended.
    /// - If the mark is not reached: same as [`Stream::new`] and [`Event::new`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// async fn wait(event: &cuda_rt::Event) -> cuda_rt::Result<()> {
    ///     event.finished()?.await
    /// }
    /// # drop(wait(cuda_rt::Event::new(&context)?.record(&stream)?));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuEventQuery", "cuStreamWaitEvent", "cuLaunchHostFunc"))]
    pub fn finished(&self) -> Result<Finished> {
        ensure_not_in_host_function(Symbol::cuEventQuery)?;
        if is_reached(self)? {
            return Ok(Finished::new(None, Beside::None));
        }
        let beside = Stream::new(self.context())?;
        beside.wait_event(self)?;
        let mark = mark_on(&beside)?;
        Ok(Finished::new(Some(mark), Beside::Own(beside)))
    }
}
