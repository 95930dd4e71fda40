//! One call in progress: its state, what it waits for, and how it writes out-parameters.

#![allow(unsafe_code)]

use crate::driver::State;
use crate::driver::handles;
use crate::driver::memory::heap;
use crate::driver::operations::OpId;
use crate::driver::queues::queue;
use crate::driver::rules::Needs;
use crate::driver::stream_order::{Known, StreamOrder};
use cuda_sys::CUresult;

/// The result of a driver function.
pub(crate) type Answer<T = ()> = Result<T, CUresult>;

/// The body of one function. Called at most once. A pointer, so that the path of a call is compiled once, and not for each
/// function.
pub(crate) type Body<'body> = &'body mut dyn FnMut(&mut Call<'_>) -> Answer;

/// One call in progress.
pub(crate) struct Call<'state> {
    pub(crate) state: &'state mut State,
    /// The current context, which is the primary one if a green context is current: set for [`Needs::Current`] and [`Needs::Context`].
    pub(crate) context: handles::Handle,
    /// Done after the body, before the function returns.
    pub(crate) waiting: Option<Waiting>,
}

/// How many things may be done when a program asks whether work is done.
const ASKED: usize = 256;
/// Steps of warps that a question has a kernel execute: some hundred microseconds. A thread may ask about a thousand operations behind
/// one kernel, again and again.
const ASKED_STEPS: u64 = 1 << 14;

/// The rest of a function that has waited. It may have to wait again.
pub(crate) type Continuation = Box<dyn FnOnce(&mut State) -> Answer<Option<Waiting>>>;

/// Calls a function of the program without the machine's lock. The result is done with the lock.
pub(crate) type ProgramCall = Box<dyn FnOnce() -> Continuation>;

/// Why a function gives up the machine's lock before it returns.
pub(crate) enum Waiting {
    /// For work, and what is done then.
    Work {
        ops: Vec<OpId>,
        /// The work that the program knows to be done then.
        known: Known,
        then: Option<Continuation>,
    },
    ProgramCall(ProgramCall),
}

impl<'state> Call<'state> {
    /// The order of these checks was measured: an empty stack comes before an earlier failure.
    pub(crate) fn begin(state: &'state mut State, needs: Needs) -> Answer<Self> {
        let mut context = handles::Handle::NULL;
        if needs != Needs::Nothing && !state.initialized {
            return Err(CUresult::CUDA_ERROR_NOT_INITIALIZED);
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

    /// Returns only when all of `ops` are done, for a program that asks for nothing else. So it knows of memory that was
    /// freed: of what `sees` says. It is as late then as `time` says.
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

    /// Returns only when all of `ops` are done; without any, they were done just now.
    pub(crate) fn wait_for(&mut self, ops: impl IntoIterator<Item = OpId>) {
        self.wait_and_know(ops, Known::All);
    }

    /// Returns only when the operation that was queued last is done; `op` is `None` if it is done.
    pub(crate) fn wait_for_latest(&mut self, op: Option<OpId>) {
        let latest = self.state.order.as_ref().and_then(StreamOrder::latest);
        self.wait_and_know(op, Known::Node(latest));
    }

    /// The same without the program knowing that it is done: hardware need not wait.
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

    /// The answer to a question for work that is not done. Where nothing works in the background, the work goes on a
    /// little, so that asking again and again ends some time.
    pub(crate) fn not_ready(&mut self, ops: &[OpId]) -> Answer {
        if self.state.goes_on_when_asked(ops) {
            let needed = self.state.queue.needed_for(ops);
            // Several short things at once, since what is needed is not found out for nothing.
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

    /// Waits for all of `ops`, and then does something more.
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

/// Says that an out-parameter is wanted, before anything is made for it.
pub(crate) fn check_out<T>(to: *mut T) -> Answer {
    if to.is_null() { Err(CUresult::CUDA_ERROR_INVALID_VALUE) } else { Ok(()) }
}

/// Writes an out-parameter that may be left out.
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
