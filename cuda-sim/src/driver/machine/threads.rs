//! The threads of a machine: background work, callbacks, and work that other processes wait for.

use super::Machine;
use super::call_path::{CALL_STEPS, Inner, POLL_INTERVAL};
use crate::config::Schedule;
use crate::console;
use crate::driver::State;
use crate::driver::operations::TURN_STEPS;
use crate::driver::queues::host_function;
use crate::driver::queues::queue::{Step, Wanted};
use crate::driver::rules;
use crate::float_environment::{DefaultEnvironment, in_program};
use cuda_sys::CUresult;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Duration;

/// Stack size of a thread that may run functions of the program. On hardware, a function with four MiB of variables
/// does not overflow its stack.
const STACK: usize = 8 << 20;

/// Interval between checks for calls of the program, under a schedule that works in calls.
const QUIET_POLL: Duration = Duration::from_millis(10);
/// Number of checks without a call after which work continues by itself. The program may be polling memory that the
/// work writes.
const QUIET_POLLS: u32 = 20;

impl Inner {
    /// Starts the threads for the remaining work: background work, and callbacks in threads of their own.
    pub(super) fn ensure_threads(self: &Arc<Self>, state: &mut State) {
        if !state.has_worker && state.queue.can_move() {
            state.has_worker = match state.config.schedule {
                Schedule::Eager => self.start("cuda-sim worker", Inner::work),
                Schedule::Random(_) | Schedule::Replay(_) => {
                    self.start("cuda-sim watch", Inner::work_when_quiet)
                }
                Schedule::Lazy => false,
            };
        }
        while state.host_calls.lacks_thread() && self.start("cuda-sim host calls", Inner::call_back) {
            state.host_calls.add_thread();
        }
        if !state.has_listener && state.is_to_be_listened() {
            state.has_listener = self.start("cuda-sim listener", Inner::listen);
        }
    }

    /// Runs work outside of any call. A panic becomes a failure, which later calls report.
    pub(super) fn guard(&self, work: impl FnOnce()) {
        if catch_unwind(AssertUnwindSafe(work)).is_err() {
            rules::internal_error("a thread of the driver panicked");
            self.lock().fail(CUresult::CUDA_ERROR_UNKNOWN);
        }
    }

    /// Starts a thread that does not keep the machine alive. If the system refuses, calls that wait do the work.
    pub(super) fn start(self: &Arc<Self>, name: &str, work: fn(&Weak<Inner>)) -> bool {
        let inner = Arc::downgrade(self);
        let thread = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK);
        let begin = move || {
            let _environment = DefaultEnvironment::enter();
            work(&inner);
        };
        // The thread inherits the program's environment, for the functions of the program.
        match in_program(|| thread.spawn(begin)) {
            Ok(_) => true,
            Err(error) => {
                console::say(&format!("{name}: no thread could be started: {error}"));
                false
            }
        }
    }
}

impl Inner {
    /// Works in the background until there is nothing to do.
    pub(super) fn work(inner: &Weak<Inner>) {
        while let Some(inner) = inner.upgrade() {
            let (mut is_done, mut step) = (false, Step::Idle);
            inner.guard(|| {
                let mut state = inner.lock();
                if state.queue.can_move() {
                    step = state.step(Wanted::All, TURN_STEPS);
                    inner.ensure_threads(&mut state);
                } else {
                    state.has_worker = false;
                    is_done = true;
                }
            });
            if is_done {
                return;
            }
            if matches!(step, Step::Waiting | Step::AwaitingMemory) {
                std::thread::sleep(POLL_INTERVAL);
            }
            inner.yield_to_callers();
            if inner.waiting.load(Ordering::Relaxed) > 0 {
                // A waiting call works itself, and this thread would delay it. Other work must still progress, because
                // the awaited work may wait for it.
                drop(inner);
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }

    /// Works while the program makes no calls, under a schedule that works in calls. Ends when nothing is queued.
    pub(super) fn work_when_quiet(inner: &Weak<Inner>) {
        let (mut calls, mut quiet) = (None, 0_u32);
        loop {
            std::thread::sleep(if quiet < QUIET_POLLS { QUIET_POLL } else { Duration::ZERO });
            let Some(inner) = inner.upgrade() else { return };
            let (mut is_done, mut step) = (false, Step::Idle);
            inner.guard(|| {
                let mut state = inner.lock();
                let is_quiet = calls == Some(state.calls) && inner.waiting.load(Ordering::Relaxed) == 0;
                (calls, quiet) = (Some(state.calls), if is_quiet { quiet.saturating_add(1) } else { 0 });
                if !state.queue.can_move() {
                    state.has_worker = false;
                    is_done = true;
                } else if quiet >= QUIET_POLLS {
                    step = state.step(Wanted::All, TURN_STEPS);
                    inner.ensure_threads(&mut state);
                }
            });
            if is_done {
                return;
            }
            if matches!(step, Step::Waiting | Step::AwaitingMemory) {
                std::thread::sleep(POLL_INTERVAL);
            }
            inner.yield_to_callers();
        }
    }

    /// Does the work that other processes wait for, if it is not done by itself, as long as some of their events must
    /// be recorded.
    pub(super) fn listen(inner: &Weak<Inner>) {
        while let Some(inner) = inner.upgrade() {
            let (mut is_done, mut step) = (false, Step::Idle);
            inner.guard(|| {
                let mut state = inner.lock();
                if state.is_to_be_listened() {
                    step = state.listen();
                    inner.ensure_threads(&mut state);
                } else {
                    state.has_listener = false;
                    is_done = true;
                }
            });
            if is_done {
                return;
            }
            if step == Step::Moved {
                inner.yield_to_callers();
            } else {
                drop(inner);
                std::thread::sleep(POLL_INTERVAL);
            }
        }
    }

    /// Runs callbacks until none is left.
    pub(super) fn call_back(inner: &Weak<Inner>) {
        while let Some(inner) = inner.upgrade() {
            let mut state = inner.lock();
            let Some((op, context, callback)) = state.host_calls.begin() else {
                state.host_calls.remove_thread();
                return;
            };
            let identity = state.identity;
            drop(state);
            // If no handle is left, the machine ends.
            let Some(machine) = inner.owner.upgrade().map(Machine) else { return };
            // Calls of the function go to the machine of its stream.
            let entered = machine.enter();
            host_function::run(callback);
            drop((entered, machine));
            inner.guard(|| {
                let mut state = inner.lock();
                if state.identity == identity {
                    state.host_calls.end(context);
                    state.finish(op);
                    state.run_ready_work(CALL_STEPS);
                }
                inner.ensure_threads(&mut state);
            });
            inner.returned.notify_all();
        }
    }
}
