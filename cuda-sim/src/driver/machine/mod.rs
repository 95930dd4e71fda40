//! Simulated machines: the one of the process, and private ones.

use super::queue::{OpId, Step, Wanted};
use super::rules::{self, Needs};
use super::{Afterwards, Answer, Body, CONFIG, Call, Question, State, Waiting, fork, leaks};
use crate::config::{Config, Schedule};
use crate::console;
use crate::counts::{CountLog, Counting};
use crate::faults::{CallLog, Faults, Injected};
use core::cell::RefCell;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use cuda_sys::{CUresult, DriverVersion, Symbol};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, OnceLock, PoisonError, TryLockError, Weak};
use std::time::Duration;

/// A simulated machine: its devices and all that a driver knows of them.
///
/// Every process has one, which [`install`](crate::install) configures. Others can be made: a thread that
/// [enters](Machine::enter) one calls its driver, and sees nothing of the rest. So tests that would disturb each
/// other can run side by side.
///
/// The functions that there are for a program are those of the process's driver. One that is newer than the release
/// that the machine poses as answers `CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER` there, as [`cuda_sys`] does for functions
/// that a driver lacks.
///
/// Threads do not inherit the machine of the thread that starts them: each has to enter it, and what was made on a machine
/// is to be used and dropped by threads that are on it. A thread that has entered none calls the machine of the process.
/// If nothing has initialised that one, calls return `CUDA_ERROR_NOT_INITIALIZED`, and the standard error says once that the
/// thread is on no machine.
///
/// A machine ends when its last handle is dropped. A host function has a handle while it runs. Dropping the last handle
/// waits some milliseconds for kernels to pause. Afterwards no work of the machine goes on, and queued work is never done.
///
/// Page-locked memory and managed memory are unmapped only by the functions that free them. If their context or their
/// machine ends first, they are never unmapped, since the program may still hold their addresses. Linked images that a
/// program has not freed when the machine ends are never freed either. Names that a driver function returned stay valid
/// until the process ends.
///
/// If a host function drops a value of `cuda-rt`, `cuda-rt` releases it on another thread, which is on no machine. A value
/// of a private machine is therefore not released. Before CUDA 12.0, contexts have no ids: if such a value retained a primary
/// context, the release goes to the machine of the process.
///
/// In the child of a fork, another thread of the parent may have been using a machine. In that child, functions that
/// change this machine do nothing, and functions that read it return empty values.
///
/// # Examples
///
/// ```
/// use cuda_sim::{Config, Machine};
/// use cuda_sys::{CUresult, cuDeviceGetCount, cuInit};
///
/// cuda_sim::install_once().unwrap();
/// let count = || {
///     let mut count = 0;
///     // SAFETY: no flags, as the API demands.
///     assert_eq!(unsafe { cuInit(0) }, CUresult::CUDA_SUCCESS);
///     // SAFETY: `count` is valid for a write.
///     assert_eq!(unsafe { cuDeviceGetCount(&mut count) }, CUresult::CUDA_SUCCESS);
///     count
/// };
/// assert_eq!(count(), 2);
/// let large = Machine::new(Config { devices: 8, ..Config::default() });
/// let entered = large.enter();
/// assert_eq!(count(), 8);
/// drop(entered);
/// assert_eq!(count(), 2);
/// ```
#[derive(Clone)]
pub struct Machine(Arc<Owner>);

/// The machine that handles share. The machine ends when the last handle drops this.
struct Owner(Arc<Inner>);

struct Inner {
    state: Mutex<State>,
    /// The handles. Threads of the driver have none, so that they do not keep the machine alive.
    owner: Weak<Owner>,
    /// Told when a callback has returned.
    returned: Condvar,
    /// Threads that want the state: whoever works in the background lets them go first.
    wanted: AtomicU32,
    /// Threads that wait for work, and so do it.
    waiting: AtomicU32,
    number: u64,
    /// Beside the state, since it never changes.
    release: DriverVersion,
}

/// Has a thread call the driver of a [`Machine`], as long as this lives.
#[derive(Debug)]
#[must_use = "the thread leaves the machine when this is dropped"]
pub struct Entered {
    ticket: u64,
    /// It belongs to its thread.
    thread: PhantomData<*const ()>,
}

thread_local! {
    /// The machines that this thread has entered, the current one last. Without a destructor, so that it is there for
    /// those of a program's own thread-locals.
    static ENTERED: ManuallyDrop<RefCell<Vec<(u64, Machine)>>> =
        const { ManuallyDrop::new(RefCell::new(Vec::new())) };
}

/// The number of the next machine. That of the process has 0.
static NUMBER: AtomicU64 = AtomicU64::new(1);

/// How many private machines there are.
static PRIVATE: AtomicUsize = AtomicUsize::new(0);

/// Numbers that are given out once.
fn next(counter: &AtomicU64) -> u64 {
    counter.fetch_add(1, Ordering::Relaxed)
}

/// The stack of a thread, on which functions of the program may run: as large as what they have on hardware, where one
/// with four MiB of variables does not overflow it (measured).
const STACK: usize = 8 << 20;

/// Steps of warps that a call may execute before it returns: some ten milliseconds.
const AT_ONCE: u64 = 1 << 22;
/// Those between two looks at what else there is to do.
pub(super) const IN_TURN: u64 = 1 << 19;

/// Between two looks at whether another process has come so far, or waits.
const ELSEWHERE: Duration = Duration::from_micros(200);

/// Between two looks at whether the program makes calls, under a schedule that works in calls.
const LOOK: Duration = Duration::from_millis(10);
/// Looks without a call after which work goes on by itself: the program may be watching memory that the work writes.
const QUIET_LOOKS: u32 = 20;

/// How many milliseconds the end of the process waits for the state, which a thread may have taken along.
const PATIENCE: u32 = 1000;

impl Machine {
    /// A machine of its own.
    ///
    /// # Examples
    ///
    /// See [`Machine`].
    #[must_use]
    pub fn new(config: Config) -> Machine {
        PRIVATE.fetch_add(1, Ordering::Relaxed);
        Machine::numbered(config, next(&NUMBER))
    }

    fn numbered(config: Config, number: u64) -> Machine {
        fork::watch();
        let log = config.calls.as_deref().and_then(CallLog::begin);
        let count_log = config.counts.as_deref().and_then(CountLog::begin);
        let release = config.driver_version;
        let mut state = State::new(config, number);
        state.faults.set_log(log);
        state.counting.set_log(count_log);
        Machine(Arc::new_cyclic(|owner| {
            Owner(Arc::new(Inner {
                release,
                state: Mutex::new(state),
                owner: Weak::clone(owner),
                returned: Condvar::new(),
                wanted: AtomicU32::new(0),
                waiting: AtomicU32::new(0),
                number,
            }))
        }))
    }

    /// The machine that this thread's calls go to: the one entered last, or else that of the process.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::{Config, Machine};
    ///
    /// let machine = Machine::new(Config::default());
    /// assert_ne!(Machine::current(), machine);
    /// let entered = machine.enter();
    /// assert_eq!(Machine::current(), machine);
    /// # drop(entered);
    /// ```
    #[must_use]
    pub fn current() -> Machine {
        let entered = ENTERED.with(|entered| entered.borrow().last().map(|(_, machine)| machine.clone()));
        entered.unwrap_or_else(|| Machine::of_process().clone())
    }

    /// The machine of the process, as the first call of [`install`](crate::install) configured it.
    pub(super) fn of_process() -> &'static Machine {
        static MACHINE: OnceLock<Machine> = OnceLock::new();
        MACHINE.get_or_init(|| {
            let config = CONFIG.get_or_init(Config::default).clone();
            if config.report_leaks {
                leaks::report_at_the_end();
            }
            Machine::numbered(config, 0)
        })
    }

    /// What of the machine of the process is alive while that ends, if anything is.
    pub(super) fn leaks_of_process() -> Option<String> {
        // A child that never used the driver has nothing of its own.
        if fork::is_child() {
            return None;
        }
        for _ in 0..PATIENCE {
            match Machine::of_process().inner().state.try_lock() {
                Ok(state) => return state.leaks(),
                Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner().leaks(),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
            }
        }
        None
    }

    /// Has this thread's calls go to this machine until the result is dropped. Can be nested.
    ///
    /// # Examples
    ///
    /// See [`Machine`].
    pub fn enter(&self) -> Entered {
        static TICKET: AtomicU64 = AtomicU64::new(0);
        let ticket = next(&TICKET);
        ENTERED.with(|entered| entered.borrow_mut().push((ticket, self.clone())));
        Entered { ticket, thread: PhantomData }
    }

    /// Makes the machine as it was at first: not initialised, without contexts, memory, failures, rules and records, but
    /// for the rules of its configuration, which hold anew. The file that calls are written to goes on. Calls in progress
    /// in other threads fail.
    ///
    /// `cuda-rt` may be waiting for a copy that uses page-locked memory in such a call. If the call fails, `cuda-rt` cannot
    /// tell whether the copy is over, and aborts the process.
    ///
    /// Page-locked memory, managed memory and linked images stay valid for those who have their addresses, and are never
    /// freed. Names that a driver function returned stay valid, too.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::{Config, Machine};
    /// use cuda_sys::{CUresult, cuCtxGetCurrent, cuInit};
    ///
    /// cuda_sim::install_once().unwrap();
    /// let machine = Machine::new(Config::default());
    /// let entered = machine.enter();
    /// let mut context = std::ptr::null_mut();
    /// // SAFETY: no flags, as the API demands.
    /// assert_eq!(unsafe { cuInit(0) }, CUresult::CUDA_SUCCESS);
    /// // SAFETY: `context` is valid for a write.
    /// assert_eq!(unsafe { cuCtxGetCurrent(&mut context) }, CUresult::CUDA_SUCCESS);
    /// machine.reset();
    /// // SAFETY: as above.
    /// assert_eq!(unsafe { cuCtxGetCurrent(&mut context) }, CUresult::CUDA_ERROR_NOT_INITIALIZED);
    /// # drop(entered);
    /// ```
    pub fn reset(&self) {
        let Some(mut state) = self.lock() else { return };
        let config = state.config.clone();
        // A number of its own, so that handles and addresses from before are not those of something else now.
        let log = state.faults.take_log();
        let count_log = state.counting.take_log();
        let before = core::mem::replace(&mut *state, State::new(config, next(&NUMBER)));
        state.faults.set_log(log);
        state.counting.set_log(count_log);
        self.inner().returned.notify_all();
        drop(state);
        // Not while the machine is locked: what belongs to the program may call the driver when it is dropped.
        drop(before);
    }

    /// The release that it poses as.
    pub(super) fn release(&self) -> DriverVersion {
        self.inner().release
    }

    /// What its program has made and not given back, as far as there is a handle to count.
    pub(super) fn live_handles(&self) -> crate::live::LiveHandles {
        self.lock().map(|state| state.live()).unwrap_or_default()
    }

    pub(crate) fn with_faults<R: Default>(&self, work: impl FnOnce(&mut Faults) -> R) -> R {
        self.lock().map(|mut state| work(&mut state.faults)).unwrap_or_default()
    }

    /// Returns `None` in the child of a fork that cannot use the machine.
    #[cfg(feature = "nvrtc")]
    pub(crate) fn with_nvrtc<R>(
        &self,
        work: impl FnOnce(&mut crate::nvrtc_state::Programs, &mut Faults) -> R,
    ) -> Option<R> {
        let mut state = self.lock()?;
        let State { nvrtc, faults, .. } = &mut *state;
        Some(work(nvrtc, faults))
    }

    pub(crate) fn with_counting<R: Default>(&self, work: impl FnOnce(&mut Counting) -> R) -> R {
        self.lock().map(|mut state| work(&mut state.counting)).unwrap_or_default()
    }

    fn inner(&self) -> &Arc<Inner> {
        &self.0.0
    }

    fn lock(&self) -> Option<MutexGuard<'_, State>> {
        self.inner().lock_unless_lost()
    }
}

impl Inner {
    /// Locks the state. In the child of a fork, returns `None` if the state is locked: the thread that would unlock it may
    /// exist in the parent alone.
    fn lock_unless_lost(&self) -> Option<MutexGuard<'_, State>> {
        if fork::is_child() { fork::lock(&self.state) } else { Some(self.lock()) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic in a function was answered with `CUDA_ERROR_UNKNOWN`; the state goes on.
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

    /// The way of every function: what it needs, its body, the work that it queued or waits for, its answer.
    fn call(self: &Arc<Self>, symbol: Symbol, needs: Needs, body: Body<'_>) -> CUresult {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let state = self.lock_unless_lost().ok_or(CUresult::CUDA_ERROR_NOT_INITIALIZED)?;
            let (mut state, answer) = self.attend(state, symbol, needs, body);
            if !fork::is_child() {
                self.employ(&mut state);
            }
            let printed = core::mem::take(&mut state.printed);
            drop(state);
            // Who has the standard output may be waiting for the state.
            console::print(&printed);
            answer
        }));
        match outcome {
            Ok(Ok(())) => CUresult::CUDA_SUCCESS,
            Ok(Err(code)) => code,
            Err(_) => {
                rules::internal_error(&format!("{symbol} panicked"));
                // What it queued may point to memory that is its caller's again once it has returned. In a child of a fork
                // nothing is done, and the lock may be that of a thread which is not there.
                if !fork::is_child() {
                    self.lock().fail(CUresult::CUDA_ERROR_UNKNOWN);
                }
                CUresult::CUDA_ERROR_UNKNOWN
            }
        }
    }

    fn attend<'state>(
        self: &'state Arc<Self>,
        mut state: MutexGuard<'state, State>,
        symbol: Symbol,
        needs: Needs,
        body: Body<'_>,
    ) -> (MutexGuard<'state, State>, Answer) {
        state.calls += 1;
        if symbol.since() > self.release {
            return (state, Err(CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER));
        }
        // Both are nothing, if nobody watches.
        let current = state.faults.is_watching().then(|| state.current());
        let injected = current.and_then(|current| state.faults.meet(symbol, current));
        if let (Some(injected), Some(current)) = (injected.filter(|injected| !injected.after), current) {
            let answer = state.answer_injected(injected);
            state.faults.record(symbol, answer, current);
            return (state, answer);
        }
        let (mut answer, waiting) = match Call::begin(&mut state, needs) {
            Ok(mut call) => (body(&mut call), call.waiting.take()),
            Err(code) => (Err(code), None),
        };
        // What was queued before a fork is for the parent to do.
        if answer.is_ok() && !fork::is_child() {
            state.settle(AT_ONCE);
            let waits = matches!(waiting, Some(Waiting::Work { .. }));
            let mut next = waiting;
            while let Some(waiting) = next.take() {
                let afterwards;
                match waiting {
                    Waiting::Work { ops, then } => {
                        if !ops.is_empty() {
                            rules::check_waiting(symbol);
                        }
                        let streams = state.queue.streams_of(&ops);
                        (state, answer) = self.wait(state, &ops);
                        let times = streams.into_iter().map(|stream| state.queue.time_of(stream));
                        let last = times.max().unwrap_or(0);
                        state.pass(last);
                        state.print();
                        afterwards = then;
                    }
                    Waiting::Question(question) => (state, answer, afterwards) = self.ask(state, question),
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
                // Waiting tells of failures of what was waited for.
                if let (Ok(()), Some(failure), true) = (answer, state.sticky, needs.is_healthy()) {
                    answer = Err(failure);
                }
            }
        }
        let code = answer.err().unwrap_or(CUresult::CUDA_SUCCESS);
        // Taken in any case: what another call is short of later is another matter.
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
        // Nobody may have been watching when the call began.
        if state.faults.is_watching() {
            let current = current.unwrap_or_else(|| state.current());
            state.faults.record(symbol, answer, current);
        }
        (state, answer)
    }

    /// Calls a function of the program without the lock.
    fn ask<'state>(
        &'state self,
        state: MutexGuard<'state, State>,
        question: Question,
    ) -> (MutexGuard<'state, State>, Answer, Option<Afterwards>) {
        let identity = state.identity;
        drop(state);
        let then = question();
        let state = self.lock();
        let answer = state.still(identity);
        (state, answer, Some(then))
    }

    /// Works until none of `ops` is left.
    fn wait<'state>(
        self: &'state Arc<Self>,
        mut state: MutexGuard<'state, State>,
        ops: &[OpId],
    ) -> (MutexGuard<'state, State>, Answer) {
        let identity = state.identity;
        let needed = state.queue.needed_for(ops);
        let wanted = if state.waits_for_all() { Wanted::All } else { Wanted::These(&needed) };
        let _waiting = Waiter::new(&self.waiting);
        while state.identity == identity && state.queue.has_any(ops) {
            match state.step(wanted, IN_TURN) {
                Step::Moved => {
                    // A kernel may wait for what a host function writes.
                    self.employ(&mut state);
                    // Others may have calls to make, which the work here may be waiting for.
                    drop(state);
                    self.give_way();
                    state = self.lock();
                }
                Step::Waiting => {
                    self.employ(&mut state);
                    drop(state);
                    std::thread::sleep(ELSEWHERE);
                    state = self.lock();
                }
                Step::Idle if state.queue.is_busy() => {
                    self.employ(&mut state);
                    let waited = self.returned.wait_timeout(state, Duration::from_millis(10));
                    let timeout;
                    (state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
                    if timeout.timed_out() && state.is_by_chance() {
                        // The program's function may be watching memory that other work writes.
                        state.step(Wanted::All, IN_TURN);
                    }
                }
                // Work only waits for earlier work, so something can always be done.
                Step::Idle => return (state, Err(CUresult::CUDA_ERROR_UNKNOWN)),
            }
        }
        let answer = state.still(identity);
        (state, answer)
    }

    /// Lets another thread have the state, if one wants it.
    fn give_way(&self) {
        if self.wanted.load(Ordering::Relaxed) > 0 {
            std::thread::sleep(Duration::from_micros(20));
        }
    }

    /// Sees to it that what is left to do is done: work in the background, callbacks in threads of their own.
    fn employ(self: &Arc<Self>, state: &mut State) {
        if !state.has_worker && state.queue.can_move() {
            state.has_worker = match state.config.schedule {
                Schedule::Eager => self.start("cuda-sim worker", Inner::work),
                Schedule::Random(_) => self.start("cuda-sim watch", Inner::work_when_quiet),
                Schedule::Lazy => false,
            };
        }
        while state.callbacks.lacks_thread() && self.start("cuda-sim callbacks", Inner::call_back) {
            state.callbacks.add_thread();
        }
        if !state.has_listener && state.is_to_be_listened() {
            state.has_listener = self.start("cuda-sim listener", Inner::listen);
        }
    }

    /// Works outside of any call. A panic is a failure, which whoever waits is told.
    fn guard(&self, work: impl FnOnce()) {
        if catch_unwind(AssertUnwindSafe(work)).is_err() {
            rules::internal_error("a thread of the driver panicked");
            self.lock().fail(CUresult::CUDA_ERROR_UNKNOWN);
        }
    }

    /// Starts a thread, which does not keep the machine. If there is none to be had, calls that wait do the work.
    fn start(self: &Arc<Self>, name: &str, work: fn(&Weak<Inner>)) -> bool {
        let inner = Arc::downgrade(self);
        let thread = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK);
        match thread.spawn(move || work(&inner)) {
            Ok(_) => true,
            Err(error) => {
                console::say(&format!("{name}: no thread could be started: {error}"));
                false
            }
        }
    }
}

impl State {
    /// Fails if a reset took away what a call in progress is about.
    fn still(&self, identity: u64) -> Answer {
        if self.identity == identity { Ok(()) } else { Err(CUresult::CUDA_ERROR_DEINITIALIZED) }
    }

    fn leaks(&self) -> Option<String> {
        let live = self.live();
        (!live.is_empty()).then(|| live.to_string())
    }

    /// What a call answers that a rule has fail.
    fn answer_injected(&mut self, injected: Injected) -> Answer {
        // Else a program would take memory back that queued work uses.
        let ends_work = rules::ends_work(injected.code) && self.queue.has_memory_work();
        if injected.sticky || ends_work {
            // The first failure is the one that stays.
            if self.sticky.is_none() {
                self.faults.end(injected.code);
            }
            self.fail(injected.code);
        }
        Err(injected.code)
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        if self.0.number != 0 {
            PRIVATE.fetch_sub(1, Ordering::Relaxed);
        }
        // A thread of the driver holds the lock for its turn, and finds nothing to do afterwards.
        let Some(mut state) = self.0.lock_unless_lost() else { return };
        let nothing = Config { devices: 0, host_threads: 1, ..Config::default() };
        let before = core::mem::replace(&mut *state, State::new(nothing, next(&NUMBER)));
        drop(state);
        // Not while the machine is locked: what belongs to the program may call the driver when it is dropped.
        drop(before);
    }
}

impl Inner {
    /// Works in the background as long as there is something to do.
    fn work(inner: &Weak<Inner>) {
        while let Some(inner) = inner.upgrade() {
            let (mut is_done, mut step) = (false, Step::Idle);
            inner.guard(|| {
                let mut state = inner.lock();
                if state.queue.can_move() {
                    step = state.step(Wanted::All, IN_TURN);
                    inner.employ(&mut state);
                } else {
                    state.has_worker = false;
                    is_done = true;
                }
            });
            if is_done {
                return;
            }
            if step == Step::Waiting {
                std::thread::sleep(ELSEWHERE);
            }
            inner.give_way();
            if inner.waiting.load(Ordering::Relaxed) > 0 {
                // Whoever waits works, and would only be held up. What it does not wait for has to go on all the same, since
                // the work that it waits for may be waiting for that.
                drop(inner);
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }

    /// Works while the program makes no calls, under a schedule that works in calls. Ends when nothing is queued.
    fn work_when_quiet(inner: &Weak<Inner>) {
        let (mut calls, mut quiet) = (None, 0_u32);
        loop {
            std::thread::sleep(if quiet < QUIET_LOOKS { LOOK } else { Duration::ZERO });
            let Some(inner) = inner.upgrade() else { return };
            let (mut is_done, mut step) = (false, Step::Idle);
            inner.guard(|| {
                let mut state = inner.lock();
                let is_quiet = calls == Some(state.calls) && inner.waiting.load(Ordering::Relaxed) == 0;
                (calls, quiet) = (Some(state.calls), if is_quiet { quiet.saturating_add(1) } else { 0 });
                if !state.queue.can_move() {
                    state.has_worker = false;
                    is_done = true;
                } else if quiet >= QUIET_LOOKS {
                    step = state.step(Wanted::All, IN_TURN);
                    inner.employ(&mut state);
                }
            });
            if is_done {
                return;
            }
            if step == Step::Waiting {
                std::thread::sleep(ELSEWHERE);
            }
            inner.give_way();
        }
    }

    /// Does what other processes wait for, where work is not done by itself, as long as there are events of theirs to be
    /// recorded.
    fn listen(inner: &Weak<Inner>) {
        while let Some(inner) = inner.upgrade() {
            let (mut is_done, mut step) = (false, Step::Idle);
            inner.guard(|| {
                let mut state = inner.lock();
                if state.is_to_be_listened() {
                    step = state.listen();
                    inner.employ(&mut state);
                } else {
                    state.has_listener = false;
                    is_done = true;
                }
            });
            if is_done {
                return;
            }
            if step == Step::Moved {
                inner.give_way();
            } else {
                drop(inner);
                std::thread::sleep(ELSEWHERE);
            }
        }
    }

    /// Calls back until there is nothing more to call.
    fn call_back(inner: &Weak<Inner>) {
        while let Some(inner) = inner.upgrade() {
            let mut state = inner.lock();
            let Some((op, context, callback)) = state.callbacks.begin() else {
                state.callbacks.remove_thread();
                return;
            };
            let identity = state.identity;
            drop(state);
            // If no handle is left, the machine ends.
            let Some(machine) = inner.owner.upgrade().map(Machine) else { return };
            // What it may ask, it asks the machine of its stream.
            let entered = machine.enter();
            super::callback::run(callback);
            drop((entered, machine));
            inner.guard(|| {
                let mut state = inner.lock();
                if state.identity == identity {
                    state.callbacks.end(context);
                    state.finish(op);
                    state.settle(AT_ONCE);
                }
                inner.employ(&mut state);
            });
            inner.returned.notify_all();
        }
    }
}

/// A thread that waits, as long as this lives.
struct Waiter<'counter>(&'counter AtomicU32);

impl<'counter> Waiter<'counter> {
    fn new(counter: &'counter AtomicU32) -> Self {
        counter.fetch_add(1, Ordering::Relaxed);
        Waiter(counter)
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Calls a function of the machine that this thread is on.
pub(super) fn call(symbol: Symbol, needs: Needs, body: Body<'_>) -> CUresult {
    let entered = ENTERED.with(|entered| entered.borrow().last().map(|(_, machine)| machine.clone()));
    match entered {
        Some(machine) => machine.inner().call(symbol, needs, body),
        None => {
            let code = Machine::of_process().inner().call(symbol, needs, body);
            if code == CUresult::CUDA_ERROR_NOT_INITIALIZED {
                hint_at_enter(symbol);
            }
            code
        }
    }
}

/// Says once that a thread which gets `CUDA_ERROR_NOT_INITIALIZED` has entered no machine, if there is a private machine
/// that it may have been meant to enter.
#[cold]
fn hint_at_enter(symbol: Symbol) {
    static ONCE: Once = Once::new();
    if fork::is_child()
        || PRIVATE.load(Ordering::Relaxed) == 0
        || Machine::of_process().inner().lock().initialized
    {
        return;
    }
    ONCE.call_once(|| {
        let thread = std::thread::current();
        let name = thread.name().unwrap_or("without a name");
        console::say(&format!(
            "{symbol}: CUDA_ERROR_NOT_INITIALIZED: the thread {name} has entered no machine, and the machine of the \
             process is not initialised; to use a private machine, call Machine::enter in this thread"
        ));
    });
}

impl Drop for Entered {
    fn drop(&mut self) {
        let left = ENTERED.with(|entered| {
            let mut entered = entered.borrow_mut();
            let position = entered.iter().rposition(|(ticket, _)| *ticket == self.ticket);
            let left = position.map(|position| entered.remove(position));
            if entered.is_empty() {
                // A thread that has left everything leaves nothing behind.
                *entered = Vec::new();
            }
            left
        });
        // Not while the list is borrowed: this may be the end of the machine.
        drop(left);
    }
}

impl PartialEq for Machine {
    fn eq(&self, other: &Machine) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Machine {}

impl core::fmt::Debug for Machine {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("Machine").field("number", &self.inner().number).finish_non_exhaustive()
    }
}
