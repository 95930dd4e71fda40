//! The path of every call: the lock, faults, requirements, the body, the work that the call waits for, and its result.

use super::{ENTERED, Machine, Owner, PRIVATE};
use crate::cancellation::Uncancelled;
use crate::console;
use crate::driver::call_site::CallSite;
use crate::driver::operations::{OpId, TURN_STEPS};
use crate::driver::processes::fork;
use crate::driver::queues::host_function;
use crate::driver::queues::queue::{Step, Wanted};
use crate::driver::rules::{self, Needs};
use crate::driver::{Answer, Body, Call, Continuation, ProgramCall, State, Waiting};
use crate::faults::{Current, Injected};
use crate::float_environment::DefaultEnvironment;
use cuda_sys::{CUresult, DriverVersion, Symbol};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError, TryLockError, Weak};
use std::time::Duration;

/// Part of a machine that its handles share with the threads of its driver.
pub(super) struct Inner {
    pub(super) state: Mutex<State>,
    /// Handles of the machine. Threads of the driver have none, so that they do not keep the machine alive.
    pub(super) owner: Weak<Owner>,
    /// Notified when a callback has returned.
    pub(super) returned: Condvar,
    /// Number of threads that wait for the lock. Background threads yield to them.
    pub(super) wanted: AtomicU32,
    /// Number of threads that wait for work, and therefore do it.
    pub(super) waiting: AtomicU32,
    pub(super) number: u64,
    /// Outside of the state, because it never changes.
    pub(super) release: DriverVersion,
}

/// Steps of warps that a call may execute before it returns: some ten milliseconds.
pub(super) const CALL_STEPS: u64 = 1 << 22;
/// Interval between checks of the progress and the waits of other processes.
pub(super) const POLL_INTERVAL: Duration = Duration::from_micros(200);

impl Inner {
    /// Locks the state. In the child of a fork, returns `None` if the state is locked. The thread that would unlock it
    /// may exist in the parent only.
    pub(super) fn lock_unless_lost(&self) -> Option<MutexGuard<'_, State>> {
        if fork::is_child() { fork::lock(&self.state) } else { Some(self.lock()) }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        // A panic in a function was turned into `CUDA_ERROR_UNKNOWN`, and the state stays usable.
        match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                self.wanted.fetch_add(1, Ordering::Relaxed);
                let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                self.wanted.fetch_sub(1, Ordering::Relaxed);
                state
            }
        }
    }

    /// Runs one call on this machine: the body, the work that it queued or waits for, and the result.
    pub(super) fn call(self: &Arc<Self>, symbol: Symbol, needs: Needs, body: Body<'_>) -> CUresult {
        let _environment = DefaultEnvironment::enter();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let mut state = self.lock_unless_lost().ok_or(CUresult::CUDA_ERROR_NOT_INITIALIZED)?;
            // In the child of a fork, the thread that would unlock the process does not exist.
            while state.is_locked_for(needs) && !fork::is_child() {
                drop(state);
                std::thread::sleep(POLL_INTERVAL);
                state = self.lock();
            }
            let (mut state, answer) = self.run_call(state, symbol, needs, body);
            if !fork::is_child() {
                self.ensure_threads(&mut state);
            }
            let printed = core::mem::take(&mut state.printed);
            let destructors = core::mem::take(&mut state.destructors);
            if let Err(code) = answer {
                state.log_failure(symbol, needs, code);
            }
            let untold = state.take_untold();
            drop(state);
            for destructor in destructors {
                host_function::run(destructor.call());
            }
            // The thread that holds the standard output may be waiting for the state.
            console::print(&printed);
            if let Some(untold) = untold {
                untold.tell(&|| self.lock_unless_lost());
            }
            answer
        }));
        match outcome {
            Ok(Ok(())) => CUresult::CUDA_SUCCESS,
            Ok(Err(code)) => code,
            Err(_) => {
                rules::internal_error(&format!("{symbol} panicked"));
                // Queued work may use memory that the program reuses after the return. In a child of a fork, no work is
                // done, and a thread that does not exist there may hold the lock.
                if !fork::is_child() {
                    self.lock().fail(CUresult::CUDA_ERROR_UNKNOWN);
                }
                CUresult::CUDA_ERROR_UNKNOWN
            }
        }
    }

    pub(super) fn run_call<'state>(
        self: &'state Arc<Self>,
        mut state: MutexGuard<'state, State>,
        symbol: Symbol,
        needs: Needs,
        body: Body<'_>,
    ) -> (MutexGuard<'state, State>, Answer) {
        state.calls += 1;
        let site = CallSite::new(symbol, state.calls);
        state.present.set(site);
        if let Some(order) = &mut state.work_order {
            order.begin_call(symbol);
        }
        if symbol.since() > self.release {
            return (state, Err(CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER));
        }
        // Both are `None` without rules and records.
        let current = state.faults.is_watching().then(|| state.current());
        let injected = current.and_then(|current| state.faults.meet(symbol, current));
        if let (Some(injected), Some(current)) = (injected.filter(|injected| !injected.after), current) {
            let answer = state.answer_injected(injected);
            state.record_call(symbol, answer, current);
            return (state, answer);
        }
        let (mut answer, waiting) = match Call::begin(&mut state, needs) {
            Ok(mut call) => match call.check_captures(symbol) {
                Ok(()) => (body(&mut call), call.waiting.take()),
                Err(code) => (Err(code), None),
            },
            Err(code) => (Err(code), None),
        };
        let waiting = match state.captures.take_changes() {
            _ if answer.is_err() => waiting,
            None => waiting,
            Some(Ok(question)) => Some(Waiting::ProgramCall(question)),
            Some(Err(code)) => {
                answer = Err(code);
                None
            }
        };
        // Work that was queued before a fork belongs to the parent.
        if answer.is_ok() && !fork::is_child() {
            state.run_ready_work(CALL_STEPS);
            let waits = matches!(waiting, Some(Waiting::Work { .. }));
            let ordered = state.work_order.as_ref().and_then(|order| order.present());
            let mut next = waiting;
            while let Some(waiting) = next.take() {
                let afterwards;
                match waiting {
                    Waiting::Work { ops, known, then } => {
                        if !ops.is_empty() {
                            rules::check_waiting(symbol);
                        }
                        let streams = state.queue.streams_of(&ops);
                        (state, answer) = self.wait(state, &ops);
                        let times = streams.into_iter().map(|stream| state.queue.time_of(stream));
                        let last = times.max().unwrap_or(0);
                        state.pass(last);
                        state.learn(&known);
                        state.print();
                        afterwards = then;
                    }
                    Waiting::ProgramCall(question) => (state, answer, afterwards) = self.ask(state, question),
                }
                // Other threads may have made calls in between.
                state.present.set(site);
                if let Some(order) = &mut state.work_order {
                    order.resume(ordered);
                }
                if answer.is_ok() {
                    match afterwards.map_or(Ok(None), |then| then(&mut state)) {
                        Ok(more) => next = more,
                        Err(code) => answer = Err(code),
                    }
                }
            }
            if waits {
                state.chances.note_wait();
                // A wait reports failures of the work that it waited for.
                if let (Ok(()), Some(failure), true) = (answer, state.sticky, needs.reports_sticky()) {
                    answer = Err(failure);
                }
            }
        }
        let code = answer.err().unwrap_or(CUresult::CUDA_SUCCESS);
        if state.sticky == Some(code) && !state.is_failure_seen {
            // The failed kernel may have printed before (fact V1169).
            state.print();
            state.is_failure_seen = true;
        }
        // Always taken, because a later shortage belongs to another call.
        let shortage = state.heap.take_shortage();
        if code == CUresult::CUDA_ERROR_OUT_OF_MEMORY {
            state.explain_shortage(symbol, shortage);
        }
        if !state.faults.has_ended_with(code) {
            rules::check(symbol, code);
        }
        if let (Ok(()), Some(injected)) = (answer, injected) {
            answer = state.answer_injected(injected);
        }
        if let Some(code) = state.end_ordered_call() {
            answer = Err(code);
        }
        // The record may have begun during the call.
        if state.faults.is_watching() {
            let current = current.unwrap_or_else(|| state.current());
            state.record_call(symbol, answer, current);
        }
        (state, answer)
    }

    /// Calls a function of the program without the lock.
    pub(super) fn ask<'state>(
        &'state self,
        state: MutexGuard<'state, State>,
        question: ProgramCall,
    ) -> (MutexGuard<'state, State>, Answer, Option<Continuation>) {
        let identity = state.identity;
        drop(state);
        let then = question();
        let state = self.lock();
        let answer = state.check_not_reset(identity);
        (state, answer, Some(then))
    }

    /// Works until none of `ops` is left.
    pub(super) fn wait<'state>(
        self: &'state Arc<Self>,
        mut state: MutexGuard<'state, State>,
        ops: &[OpId],
    ) -> (MutexGuard<'state, State>, Answer) {
        let identity = state.identity;
        let mut needed = state.queue.needed_for(ops);
        let waits_for_all = state.waits_for_all();
        let _waiting = WorkWaiter::new(&self.waiting);
        while state.identity == identity && state.queue.has_any(ops) {
            let wanted = if waits_for_all { Wanted::All } else { Wanted::These(&needed) };
            match state.step(wanted, TURN_STEPS) {
                Step::Moved => {
                    // A kernel may wait for memory that a host function writes.
                    self.ensure_threads(&mut state);
                    // Other threads may make calls that the work here waits for.
                    drop(state);
                    self.yield_to_callers();
                    state = self.lock();
                }
                step @ (Step::Waiting | Step::AwaitingMemory) => {
                    if step == Step::AwaitingMemory {
                        state.do_other_work();
                    }
                    self.ensure_threads(&mut state);
                    drop(state);
                    std::thread::sleep(POLL_INTERVAL);
                    state = self.lock();
                }
                // A condition of a graph has queued more work.
                Step::Idle if state.queue.extend_needed(ops, &mut needed) => {}
                Step::Idle if state.queue.is_busy() => {
                    self.ensure_threads(&mut state);
                    let waited = self.returned.wait_timeout(state, Duration::from_millis(10));
                    let timeout;
                    (state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
                    if timeout.timed_out() && state.works_in_calls() {
                        // The program's function may poll memory that other work writes.
                        state.step(Wanted::All, TURN_STEPS);
                    }
                }
                // Work waits for earlier work only, so some work can always be done.
                Step::Idle => return (state, Err(CUresult::CUDA_ERROR_UNKNOWN)),
            }
        }
        let answer = state.check_not_reset(identity);
        (state, answer)
    }

    /// Lets another thread lock the state, if one waits for it.
    pub(super) fn yield_to_callers(&self) {
        if self.wanted.load(Ordering::Relaxed) > 0 {
            std::thread::sleep(Duration::from_micros(20));
        }
    }
}

impl State {
    /// Records the end of a call if the order of work is given. Returns the failure if the schedule does not fit the
    /// call.
    fn end_ordered_call(&mut self) -> Option<CUresult> {
        if self.sticky.is_some() {
            return None;
        }
        let misfit = self.work_order.as_mut()?.end_call()?;
        console::say(&format!("the schedule does not fit the program: {misfit}"));
        // Programs conclude from this code that no queued work uses their memory any more.
        let code = CUresult::CUDA_ERROR_LAUNCH_FAILED;
        self.faults.end(code);
        self.fail(code);
        Some(code)
    }

    /// Records a call, and the queued work that was done in it.
    fn record_call(&mut self, symbol: Symbol, answer: Answer, current: Current) {
        let State { faults, work_order, .. } = self;
        faults.record(symbol, answer, current, || {
            work_order.as_mut().map(|order| order.take_done()).unwrap_or_default()
        });
    }

    /// Fails if a reset has removed the objects of a call in progress.
    fn check_not_reset(&self, identity: u64) -> Answer {
        if self.identity == identity { Ok(()) } else { Err(CUresult::CUDA_ERROR_DEINITIALIZED) }
    }

    /// Returns the result of a call for which a rule injects a failure.
    fn answer_injected(&mut self, injected: Injected) -> Answer {
        // Otherwise a program would reuse memory that queued work uses.
        let ends_work = rules::ends_work(injected.code) && self.queue.has_memory_work();
        if injected.sticky || ends_work {
            // The first failure is kept.
            if self.sticky.is_none() {
                self.faults.end(injected.code);
            }
            self.fail(injected.code);
        }
        Err(injected.code)
    }
}

/// Guard of a thread that waits.
struct WorkWaiter<'counter>(&'counter AtomicU32);

impl<'counter> WorkWaiter<'counter> {
    fn new(counter: &'counter AtomicU32) -> Self {
        counter.fetch_add(1, Ordering::Relaxed);
        WorkWaiter(counter)
    }
}

impl Drop for WorkWaiter<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Calls a function of the machine of this thread.
fn call(symbol: Symbol, needs: Needs, body: Body<'_>) -> CUresult {
    let entered = ENTERED.with(|entered| entered.borrow().last().map(|(_, machine)| machine.clone()));
    match entered {
        Some(machine) => machine.inner().call(symbol, needs, body),
        None => {
            let code = Machine::of_process().inner().call(symbol, needs, body);
            if code == CUresult::CUDA_ERROR_NOT_INITIALIZED {
                note_refusal(symbol);
            }
            code
        }
    }
}

/// Last call that returned `CUDA_ERROR_NOT_INITIALIZED` to a thread on no machine, and the name of the thread. A program may
/// initialise the driver after such a call, so the explanation waits for the next one, or for the end of the thread.
struct Refusal(Cell<Option<(Symbol, String)>>);

thread_local! {
    static REFUSAL: Refusal = const { Refusal(Cell::new(None)) };
}

impl Drop for Refusal {
    fn drop(&mut self) {
        if let Some((symbol, thread)) = self.0.take() {
            hint_at_enter(symbol, &thread);
        }
    }
}

#[cold]
fn note_refusal(symbol: Symbol) {
    if fork::is_child() || PRIVATE.load(Ordering::Relaxed) == 0 {
        return;
    }
    // Threads of libraries set their mode at the start, whether they need a machine or not.
    if symbol == Symbol::cuThreadExchangeStreamCaptureMode {
        return;
    }
    let Some(thread) = crate::thread::name() else { return };
    // At the end of a thread, the variable may be gone.
    let earlier = REFUSAL.try_with(|refusal| refusal.0.replace(Some((symbol, thread)))).ok().flatten();
    if let Some((symbol, thread)) = earlier {
        hint_at_enter(symbol, &thread);
    }
}

/// Explains once that a thread has entered no machine, unless the machine of the process is initialised.
fn hint_at_enter(symbol: Symbol, name: &str) {
    static ONCE: Once = Once::new();
    if fork::is_child() || Machine::of_process().inner().lock().initialized {
        return;
    }
    ONCE.call_once(|| {
        console::say(&format!(
            "{symbol}: CUDA_ERROR_NOT_INITIALIZED: the thread {name} has entered no machine, and the machine of the \
             process is not initialised; to use a private machine, call Machine::enter in this thread"
        ));
    });
}

/// Returns whether a function may end the context of another call. Hardware crashes if a function that
/// `cuOccupancyMaxPotentialBlockSize` calls destroys the context (conformance fact V519). The other functions were not
/// measured.
fn ends_contexts(symbol: Symbol) -> bool {
    matches!(
        symbol,
        Symbol::cuCtxDestroy_v2
            | Symbol::cuCtxDetach
            | Symbol::cuDevicePrimaryCtxRelease_v2
            | Symbol::cuDevicePrimaryCtxReset_v2
    )
}

/// Runs one call of the program on the machine that the thread has entered.
pub(crate) fn dispatch(symbol: Symbol, body: Body<'_>) -> CUresult {
    let _uncancelled = Uncancelled::enter();
    if host_function::is_in_call() && ends_contexts(symbol) {
        return CUresult::CUDA_ERROR_NOT_PERMITTED;
    }
    let rule = rules::of(symbol);
    if fork::is_child() && !fork::permits(symbol) {
        return CUresult::CUDA_ERROR_NOT_INITIALIZED;
    }
    if host_function::is_inside() && !rule.is_permitted_inside() {
        return CUresult::CUDA_ERROR_NOT_PERMITTED;
    }
    call(symbol, rule.needs, body)
}
