//! One call in progress: its state, its waits, and the writes to its out-parameters.

#![allow(unsafe_code)]

use crate::driver::State;
use crate::driver::handles;
use crate::driver::memory::heap;
use crate::driver::operations::OpId;
use crate::driver::queues::queue;
use crate::driver::rules::Needs;
use crate::driver::stream_order::{Known, StreamOrder};
use cuda_sys::CUresult;

/// Result of a driver function.
pub(crate) type Answer<T = ()> = Result<T, CUresult>;

/// Body of one function, called at most once. A pointer, so that the path of a call is compiled once, and not for each
/// function.
pub(crate) type Body<'body> = &'body mut dyn FnMut(&mut Call<'_>) -> Answer;

/// Call in progress.
pub(crate) struct Call<'state> {
    pub(crate) state: &'state mut State,
    /// Current context, which is the primary one if a green context is current. Set for [`Needs::Current`] and
    /// [`Needs::Context`].
    pub(crate) context: handles::Handle,
    /// Work to do after the body, before the function returns.
    pub(crate) waiting: Option<Waiting>,
}

/// Limit of the operations that a query may do.
const ASKED: usize = 256;
/// Steps of warps that a query executes of a kernel: some hundred microseconds. A thread may query a thousand
/// operations behind one kernel repeatedly.
const ASKED_STEPS: u64 = 1 << 14;

/// Rest of a function after a wait. It may wait again.
pub(crate) type Continuation = Box<dyn FnOnce(&mut State) -> Answer<Option<Waiting>>>;

/// Call of a function of the program without the machine's lock. The result runs with the lock.
pub(crate) type ProgramCall = Box<dyn FnOnce() -> Continuation>;

/// Reason why a function releases the machine's lock before it returns.
pub(crate) enum Waiting {
    /// Wait for work, with a continuation.
    Work {
        ops: Vec<OpId>,
        /// Work that the program knows to be done after the wait.
        known: Known,
        then: Option<Continuation>,
    },
    ProgramCall(ProgramCall),
}

impl<'state> Call<'state> {
    /// Begins a call after the checks of its needs. The check for an empty stack precedes that for an earlier failure
    /// (measured).
    pub(crate) fn begin(state: &'state mut State, needs: Needs) -> Answer<Self> {
        let mut context = handles::Handle::NULL;
        if needs != Needs::Nothing && !state.initialized {
            return Err(CUresult::CUDA_ERROR_NOT_INITIALIZED);
        }
        if needs == Needs::NotGone
            && let Some(top) = state.top()
            && state.contexts.get(state.context_behind(top)).is_none()
        {
            return Err(CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED);
        }
        if matches!(needs, Needs::Current | Needs::Context) {
            let top = state.top().ok_or(CUresult::CUDA_ERROR_INVALID_CONTEXT)?;
            context = state.context_behind(top);
            if needs == Needs::Context && state.contexts.get(context).is_none() {
                return Err(CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED);
            }
        }
        match state.sticky {
            Some(failure) if needs.reports_sticky() => Err(failure),
            _ => Ok(Call { state, context, waiting: None }),
        }
    }

    /// Waits until all of `ops` are done, for a program that queries nothing else. `sees` is the work that the program
    /// then knows to be done, which includes frees of memory. `time` is the virtual time of the return.
    pub(crate) fn synchronize(
        &mut self,
        ops: impl IntoIterator<Item = OpId>,
        known: Known,
        sees: impl Fn(&heap::FreedBy) -> bool + 'static,
        time: impl FnOnce(&State) -> u64 + 'static,
    ) {
        let then: Continuation = Box::new(move |state| {
            state.heap.see_freed(sees);
            state.pass(time(state));
            Ok(None)
        });
        self.waiting = Some(Waiting::Work { ops: ops.into_iter().collect(), known, then: Some(then) });
    }

    /// Waits until all of `ops` are done. If there are none, they were done just now.
    pub(crate) fn wait_for(&mut self, ops: impl IntoIterator<Item = OpId>) {
        self.wait_and_know(ops, Known::All);
    }

    /// Waits until the operation that was queued last is done; `op` is `None` if it is done.
    pub(crate) fn wait_for_latest(&mut self, op: Option<OpId>) {
        let latest = self.state.order.as_ref().and_then(StreamOrder::latest);
        self.wait_and_know(op, Known::Node(latest));
    }

    /// Waits in the same way, without recording that the program knows the work to be done. Hardware need not wait.
    pub(crate) fn wait_unknown(&mut self, op: Option<OpId>) {
        self.wait_and_know(op, Known::Nothing);
    }

    fn wait_and_know(&mut self, ops: impl IntoIterator<Item = OpId>, known: Known) {
        let ops = Vec::from_iter(ops);
        if ops.is_empty() {
            self.state.pass(self.state.now);
        }
        self.waiting = Some(Waiting::Work { ops, known, then: None });
    }

    /// Returns the answer to a query of work that is not done. If no work runs in the background, the work progresses a
    /// little, so that repeated queries end.
    pub(crate) fn not_ready(&mut self, ops: &[OpId]) -> Answer {
        if self.state.goes_on_when_asked(ops) {
            let needed = self.state.queue.needed_for(ops);
            // Several short operations at once, because a query costs time of its own.
            for _ in 0..ASKED {
                let left = self.state.queue.len();
                if self.state.step(queue::Wanted::These(&needed), ASKED_STEPS) == queue::Step::AwaitingMemory
                {
                    self.state.do_other_work();
                }
                if self.state.queue.len() == left || !self.state.queue.has_any(ops) {
                    break;
                }
            }
        }
        // After a failure, the work is not ready, and later calls report the failure.
        self.state.sticky.map_or(Err(CUresult::CUDA_ERROR_NOT_READY), Err)
    }

    /// Waits for all of `ops`, then runs the continuation.
    pub(crate) fn wait_then(
        &mut self,
        ops: Vec<OpId>,
        then: impl FnOnce(&mut State) -> Answer + 'static,
    ) -> Answer {
        if !self.state.queue.has_any(&ops) {
            self.state.learn(&Known::All);
            return then(self.state);
        }
        let then = move |state: &mut State| then(state).map(|()| None);
        self.waiting = Some(Waiting::Work { ops, known: Known::All, then: Some(Box::new(then)) });
        Ok(())
    }
}

/// Writes an out-parameter.
///
/// # Safety
///
/// `to` is null or valid for a write, as the driver API demands of the program.
pub(crate) unsafe fn put<T>(to: *mut T, value: T) -> Answer {
    if to.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so valid for a write.
    unsafe { to.write(value) };
    Ok(())
}

/// Checks that an out-parameter is not null, before an object is created for it.
pub(crate) fn check_out<T>(to: *mut T) -> Answer {
    if to.is_null() { Err(CUresult::CUDA_ERROR_INVALID_VALUE) } else { Ok(()) }
}

/// Writes an out-parameter that may be null.
///
/// # Safety
///
/// Same as for [`put`].
pub(crate) unsafe fn put_if_wanted<T>(to: *mut T, value: T) {
    if !to.is_null() {
        // SAFETY: the caller's promise is the same.
        let _ = unsafe { put(to, value) };
    }
}
