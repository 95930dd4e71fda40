//! Simulated machines: the machine of the process, and private ones.

mod call_path;
mod end_report;
mod instruments;
mod live_count;
mod live_objects;
mod threads;

pub(crate) use call_path::dispatch;

use crate::config::{Config, Hold, Schedule};
use crate::console;
use crate::counts::{CountLog, Counting};
use crate::driver::gl::Gl;
use crate::driver::processes::fork;
use crate::driver::queues::order::{Order, OrderRecord};
use crate::driver::{SharedSemaphore, State};
use crate::faults::{CallLog, Faults};
use crate::float_environment::DefaultEnvironment;
use crate::reports::Reports;
use call_path::Inner;
use core::cell::RefCell;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use cuda_sys::DriverVersion;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, TryLockError, Weak};
use std::time::Duration;

/// Configuration of the machine of the process.
pub(crate) static CONFIG: OnceLock<Config> = OnceLock::new();

/// Simulated machine: its devices, and the state of their driver.
///
/// Every process has one machine, which [`install`](crate::install) configures. A program can create private machines.
/// A thread that has [entered](Machine::enter) a machine calls its driver, and does not see the other machines. Tests
/// that would disturb each other can thus run in parallel.
///
/// The available functions are those of the process's driver. A function that is newer than the release of the entered
/// machine returns `CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER`, as [`cuda_sys`] does for functions that a driver lacks.
///
/// Threads do not inherit the machine of the thread that starts them. Each thread must enter it. Objects of a machine
/// must be used and dropped by threads that have entered it. A thread that has entered none calls the machine of the
/// process. If nothing has initialised the machine of the process, calls return `CUDA_ERROR_NOT_INITIALIZED`. After
/// the second such call of a thread, or at the end of the thread, the standard error says once that the thread has entered no
/// machine.
///
/// A machine ends when its last handle is dropped. A host function holds a handle while it runs. Dropping the last
/// handle waits some milliseconds for kernels to pause. Afterwards no work of the machine continues, and queued work is
/// never done.
///
/// Page-locked memory and managed memory are unmapped only by the functions that free them. If their context or their
/// machine ends first, they are never unmapped, because the program may still hold their addresses. Linked images that
/// a program has not freed when the machine ends are never freed either. Names that a driver function returned stay
/// valid until the process ends.
///
/// If a host function drops a value of `cuda-rt`, `cuda-rt` releases it on another thread, which has entered no
/// machine. A value of a private machine is therefore not released. Before CUDA 12.0, contexts have no ids. If such a
/// value has retained a primary context, the release goes to the machine of the process.
///
/// At a fork, another thread of the parent may be using a machine. In the child, functions that change this machine
/// then have no effect, and functions that read it return empty values.
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

/// Machine that handles share. It ends when the last handle drops this.
struct Owner(Arc<Inner>);

/// Guard of a thread that has entered a [`Machine`]. The thread leaves the machine when the guard is dropped.
#[derive(Debug)]
#[must_use = "the thread leaves the machine when this is dropped"]
pub struct MachineGuard {
    ticket: u64,
    /// Makes the guard belong to its thread.
    thread: PhantomData<*const ()>,
}

thread_local! {
    /// Machines that this thread has entered, the current one last. Without a destructor, so that destructors of a
    /// program's own thread-locals can still use it.
    static ENTERED: ManuallyDrop<RefCell<Vec<(u64, Machine)>>> =
        const { ManuallyDrop::new(RefCell::new(Vec::new())) };
}

/// Number of the next private machine. The machine of the process has number 0.
static NUMBER: AtomicU64 = AtomicU64::new(1);

/// Number of private machines.
static PRIVATE: AtomicUsize = AtomicUsize::new(0);

/// Returns the next unique number.
fn next(counter: &AtomicU64) -> u64 {
    counter.fetch_add(1, Ordering::Relaxed)
}

/// Milliseconds that the end of the process waits for the state. A thread that has ended may still hold its lock.
const PATIENCE: u32 = 1000;

impl Machine {
    /// Creates a private machine. [`Machine`] has an example.
    #[must_use]
    pub fn new(config: Config) -> Machine {
        PRIVATE.fetch_add(1, Ordering::Relaxed);
        Machine::numbered(config, next(&NUMBER))
    }

    fn numbered(config: Config, number: u64) -> Machine {
        fork::watch();
        let log = config.calls.as_deref().and_then(CallLog::begin);
        let count_log = config.counts.as_deref().and_then(CountLog::begin);
        let reports = config.reports.as_deref().and_then(Reports::begin_file);
        let release = config.driver_version;
        let mut state = State::new(config, number);
        state.faults.set_log(log);
        state.counting.set_log(count_log);
        state.reports.set_file(reports);
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

    /// Returns the machine of this thread's calls: the one entered last, or else that of the process.
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

    /// Returns the machine of the process, with the configuration of the first call of [`install`](crate::install).
    pub(crate) fn of_process() -> &'static Machine {
        static MACHINE: OnceLock<Machine> = OnceLock::new();
        MACHINE.get_or_init(|| {
            let config = CONFIG.get_or_init(Config::default).clone();
            if config.report_leaks || matches!(config.schedule, Schedule::Replay(_)) {
                end_report::report_at_the_end();
            }
            Machine::numbered(config, 0)
        })
    }

    /// Returns the lines for the standard error at the end of the process.
    pub(crate) fn report_of_process() -> Vec<String> {
        // A child that never used the driver has no state of its own.
        if fork::is_child() {
            return Vec::new();
        }
        for _ in 0..PATIENCE {
            match Machine::of_process().inner().state.try_lock() {
                Ok(mut state) => return state.report_at_the_end(),
                Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner().report_at_the_end(),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
            }
        }
        Vec::new()
    }

    /// Directs the calls of this thread to this machine until the result is dropped. Can be nested. [`Machine`] has an example.
    pub fn enter(&self) -> MachineGuard {
        static TICKET: AtomicU64 = AtomicU64::new(0);
        let ticket = next(&TICKET);
        ENTERED.with(|entered| entered.borrow_mut().push((ticket, self.clone())));
        MachineGuard { ticket, thread: PhantomData }
    }

    /// Resets the machine to its initial state: not initialised, without contexts, memory, failures, rules and records.
    /// The rules of its configuration apply again. The log of calls continues. Calls in progress in other threads fail.
    ///
    /// In such a call, `cuda-rt` may be waiting for a copy that uses page-locked memory. If the call fails, `cuda-rt`
    /// cannot know whether the copy is complete, and aborts the process.
    ///
    /// Page-locked memory, managed memory and linked images stay valid at their addresses, and are never freed. Names
    /// that a driver function returned stay valid, too.
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
        // A new number, so that earlier handles and addresses never name new objects.
        let log = state.faults.take_log();
        let count_log = state.counting.take_log();
        let reports = state.reports.take_file();
        let before = core::mem::replace(&mut *state, State::new(config, next(&NUMBER)));
        state.faults.set_log(log);
        state.counting.set_log(count_log);
        state.reports.set_file(reports);
        self.inner().returned.notify_all();
        drop(state);
        // After the machine is unlocked, because objects of the program may call the driver when they are dropped.
        drop(before);
    }

    /// Returns the release of the driver of this machine.
    pub(crate) fn release(&self) -> DriverVersion {
        self.inner().release
    }

    /// Counts the objects that the program has created and not destroyed.
    pub(crate) fn live_handles(&self) -> crate::live::LiveHandles {
        self.lock().map(|state| state.live()).unwrap_or_default()
    }

    /// Lists the objects that the program has created and not destroyed.
    pub(crate) fn listed_objects(&self) -> Vec<crate::reports::LiveObject> {
        self.lock().map(|state| state.live_objects()).unwrap_or_default()
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

    /// Runs `work` on the objects of the stand-in for OpenGL, after the queued work that the object `name` waits for.
    /// Returns `None` in the child of a fork that cannot use the machine.
    pub(crate) fn with_gl<R>(&self, name: Option<u32>, work: impl FnOnce(&mut Gl) -> R) -> Option<R> {
        let _environment = DefaultEnvironment::enter();
        let mut state = self.lock()?;
        let ops = name.and_then(|name| state.graphics.gl.object(name)).map(|object| object.ops.clone());
        if let Some(ops) = ops {
            // A failure of the work leaves the bytes unchanged.
            (state, _) = self.inner().wait(state, &ops);
        }
        Some(work(&mut state.graphics.gl))
    }

    /// Does the queued work that signals a semaphore. Returns false if there is none.
    pub(crate) fn do_signals(&self, semaphore: &SharedSemaphore) -> bool {
        let _environment = DefaultEnvironment::enter();
        let Some(mut state) = self.lock() else { return false };
        let ops = state.signals_of(semaphore);
        // A failure of the work removes the signals.
        !ops.is_empty() && self.inner().wait(state, &ops).1.is_ok()
    }

    /// Starts a record of the order of queued work. Under [`Schedule::Replay`], the operations in `holds` are held
    /// back, instead of those of the schedule.
    pub(crate) fn record_order(&self, holds: &[Hold]) {
        if let Some(mut state) = self.lock() {
            state.work_order = Some(Box::new(Order::recorded(holds)));
        }
    }

    /// Returns whether the machine has a sticky failure.
    pub(crate) fn has_failed(&self) -> bool {
        self.lock().is_some_and(|state| state.sticky.is_some())
    }

    /// Takes the record of the order of queued work. Returns an empty record if there is none.
    pub(crate) fn take_order(&self) -> OrderRecord {
        let order =
            self.lock().and_then(|mut state| state.work_order.as_mut().map(|order| order.take_record()));
        order.unwrap_or_default()
    }

    pub(crate) fn with_counting<R: Default>(&self, work: impl FnOnce(&mut Counting) -> R) -> R {
        self.lock().map(|mut state| work(&mut state.counting)).unwrap_or_default()
    }

    /// Returns the failure that no call has returned.
    pub(crate) fn failure_unseen(&self) -> Option<cuda_sys::CUresult> {
        self.lock().and_then(|state| state.unseen_failure())
    }

    pub(crate) fn with_reports<R: Default>(&self, work: impl FnOnce(&mut Reports) -> R) -> R {
        self.lock().map(|mut state| work(&mut state.reports)).unwrap_or_default()
    }

    fn inner(&self) -> &Arc<Inner> {
        &self.0.0
    }

    fn lock(&self) -> Option<MutexGuard<'_, State>> {
        self.inner().lock_unless_lost()
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        if self.0.number != 0 {
            PRIVATE.fetch_sub(1, Ordering::Relaxed);
        }
        // A thread of the driver holds the lock for its turn, and then finds no work.
        let Some(mut state) = self.0.lock_unless_lost() else { return };
        // A failed test ends before it makes every call.
        let misfit = if std::thread::panicking() { None } else { state.misfit_at_the_end() };
        let nothing = Config { devices: 0, host_threads: 1, ..Config::default() };
        let before = core::mem::replace(&mut *state, State::new(nothing, next(&NUMBER)));
        drop(state);
        if let Some(misfit) = misfit {
            console::say(&misfit);
        }
        // After the machine is unlocked, because objects of the program may call the driver when they are dropped.
        drop(before);
    }
}

impl Drop for MachineGuard {
    fn drop(&mut self) {
        let left = ENTERED.with(|entered| {
            let mut entered = entered.borrow_mut();
            let position = entered.iter().rposition(|(ticket, _)| *ticket == self.ticket);
            let left = position.map(|position| entered.remove(position));
            if entered.is_empty() {
                // A thread that has left all machines frees the list.
                *entered = Vec::new();
            }
            left
        });
        // After the end of the borrow, because this may end the machine.
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
