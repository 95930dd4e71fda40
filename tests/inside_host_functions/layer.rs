//! A table of driver functions in front of the software driver. It records the calls that come from inside a host function.
//! On request, a call of another thread waits until the host function has returned, as on hardware (facts V804, V942).

use core::ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_ulonglong, c_ushort, c_void};
use core::ptr::NonNull;
use cuda_sim::{Config, Machine, MachineGuard, Profile};
use cuda_sys::*;
use std::cell::{Cell, RefCell};
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The role of a thread in a test. Threads that the crate starts have no role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The test itself: its calls never wait.
    Test,
    /// A thread that calls the driver while a host function runs.
    Other,
    /// The thread that runs a host function.
    HostFunction,
}

/// Calls that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Held {
    /// The first call of the other thread that has not waited yet. Calls of one function after calls of one other function
    /// are the same call.
    Next,
    /// All calls of threads that the crate has started.
    OfTheCrate,
}

/// A call, and the one before it.
pub(crate) type Pair = (Option<Symbol>, Symbol);

/// A host function that takes longer is taken to wait for the call that waits for it.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Default)]
struct State {
    held: Option<Held>,
    /// The last call of the other thread.
    last: Option<Symbol>,
    /// Calls that have waited, the last one at the end.
    have_waited: Vec<Pair>,
    waiting: usize,
    /// The step of a host function in which a call waited for too long.
    gave_up: Option<usize>,
    /// Calls since [`begin`], but those of the test and of the other thread.
    calls: Vec<(Option<Role>, Symbol)>,
}

static STATE: Mutex<State> = Mutex::new(State {
    held: None,
    last: None,
    have_waited: Vec::new(),
    waiting: 0,
    gave_up: None,
    calls: Vec::new(),
});
static CHANGED: Condvar = Condvar::new();
static BEHIND: OnceLock<Driver> = OnceLock::new();
static MACHINE: OnceLock<Machine> = OnceLock::new();
/// The step that a host function is in.
static STEP: AtomicUsize = AtomicUsize::new(0);
/// The exit code of a forked child at a call that crashes it on hardware.
pub(crate) const CRASHED: i32 = 9;
/// In the child of a fork, nothing of this process's driver works.
static IS_CHILD: AtomicBool = AtomicBool::new(false);

thread_local! {
    static ROLE: Cell<Option<Role>> = const { Cell::new(None) };
    static ENTERED: RefCell<Option<ManuallyDrop<MachineGuard>>> = const { RefCell::new(None) };
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The machine of all threads of the process.
pub(crate) fn machine() -> &'static Machine {
    MACHINE.get_or_init(|| {
        // Unicast and multicast logical endpoints, which no device of the profiles supports.
        let profile = Profile::H200.with_attribute(153, 1).with_attribute(154, 1);
        let (driver_version, profiles) = (DriverVersion(13050), vec![profile]);
        Machine::new(Config { driver_version, profiles, ..Config::default() })
    })
}

/// Puts the table in place, once.
pub(crate) fn install() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        // Else the functions would be those of another release.
        join();
        cuda_sim::nvrtc::install_once().unwrap();
        // SAFETY: the software driver's functions.
        let behind = unsafe { Driver::from_resolver("cuda-sim", cuda_sim::resolve) };
        assert!(BEHIND.set(behind).is_ok());
        // SAFETY: the same functions behind others of their signatures.
        unsafe { cuda_sys::install("a table that lets calls wait", layered) }.unwrap();
        cuda_suite::fail_on_internal_errors();
    });
}

/// The calling thread is on the machine from now on.
fn join() {
    ENTERED.with_borrow_mut(|entered| {
        entered.get_or_insert_with(|| ManuallyDrop::new(machine().enter()));
    });
}

pub(crate) fn set_role(role: Option<Role>) {
    ROLE.set(role);
    join();
}

/// Forgets what was seen but which calls have waited, and says which calls are to wait.
pub(crate) fn begin(held: Option<Held>) {
    let mut state = state();
    let have_waited = std::mem::take(&mut state.have_waited);
    *state = State { held, have_waited, ..State::default() };
}

/// Forgets which calls have waited.
pub(crate) fn begin_work() {
    state().have_waited.clear();
}

/// Is true once a call has waited.
pub(crate) fn has_waited() -> bool {
    !state().have_waited.is_empty()
}

/// Lets the call that has waited last wait again. Returns it.
pub(crate) fn wait_again() -> Pair {
    state().have_waited.pop().unwrap()
}

/// Waits until a call waits, or until `is_over`. Returns whether a call waits.
pub(crate) fn is_reached(is_over: impl Fn() -> bool) -> bool {
    let mut state = state();
    while state.waiting == 0 && !is_over() {
        state =
            CHANGED.wait_timeout(state, Duration::from_micros(100)).unwrap_or_else(PoisonError::into_inner).0;
    }
    state.waiting > 0
}

/// Says which step a host function begins.
pub(crate) fn begin_step(step: usize) {
    STEP.store(step, Ordering::Relaxed);
}

/// Lets all calls go on, from now on. Returns the step that one has waited for in vain.
pub(crate) fn release() -> Option<usize> {
    let mut state = state();
    state.held = None;
    CHANGED.notify_all();
    state.gave_up
}

/// Calls since [`begin`] of threads without a role, and of host functions.
pub(crate) fn calls() -> Vec<(Option<Role>, Symbol)> {
    state().calls.clone()
}

/// From now on this process is the child of a fork.
pub(crate) fn become_child() {
    IS_CHILD.store(true, Ordering::Relaxed);
}

/// Before each call. Returns what the driver answers in the child of a fork.
fn before(symbol: Symbol) -> Option<CUresult> {
    if IS_CHILD.load(Ordering::Relaxed) {
        return Some(in_child(symbol));
    }
    join();
    let role = ROLE.get();
    if role == Some(Role::Test) {
        return None;
    }
    let mut state = state();
    let pair = (state.last, symbol);
    if role == Some(Role::Other) {
        state.last = Some(symbol);
    } else {
        state.calls.push((role, symbol));
    }
    let is_held = match state.held {
        Some(Held::Next) => role == Some(Role::Other) && !state.have_waited.contains(&pair),
        Some(Held::OfTheCrate) => role.is_none(),
        None => false,
    };
    if is_held {
        state.have_waited.push(pair);
        state.waiting += 1;
        CHANGED.notify_all();
        let begun = Instant::now();
        while state.held.is_some() {
            state = CHANGED
                .wait_timeout(state, Duration::from_millis(100))
                .unwrap_or_else(PoisonError::into_inner)
                .0;
            if begun.elapsed() > PATIENCE {
                state.gave_up = Some(STEP.load(Ordering::Relaxed));
                state.held = None;
                CHANGED.notify_all();
            }
        }
        state.waiting -= 1;
    }
    None
}

/// As measured (facts A7 to A9 and Q20).
fn in_child(symbol: Symbol) -> CUresult {
    match symbol {
        Symbol::cuMemFreeAsync
        | Symbol::cuEventDestroy_v2
        | Symbol::cuStreamQuery
        | Symbol::cuEventRecord => CUresult::CUDA_SUCCESS,
        Symbol::cuCtxGetCurrent
        | Symbol::cuCtxPushCurrent_v2
        | Symbol::cuCtxGetId
        | Symbol::cuMemFree_v2
        | Symbol::cuModuleUnload
        | Symbol::cuDevicePrimaryCtxRelease_v2
        | Symbol::cuCtxDestroy_v2
        | Symbol::cuInit => CUresult::CUDA_ERROR_NOT_INITIALIZED,
        Symbol::cuMemAllocAsync => CUresult::CUDA_ERROR_OUT_OF_MEMORY,
        // Hardware crashes in some functions, and others were not measured.
        _ => {
            let name = symbol.c_name();
            // SAFETY: the bytes are those of the name.
            unsafe { libc::write(2, name.as_ptr().cast(), name.count_bytes()) };
            // SAFETY: the child ends here, without the parent's exit handlers.
            unsafe { libc::_exit(CRASHED) }
        }
    }
}

macro_rules! layer {
    ($(#[$summary:meta] #[$details:meta] [$group:ident since $since:literal] fn $name:ident($($argument:ident: $type:ty),*) -> CUresult;)*) => {
        fn layered(name: &'static CStr) -> Option<NonNull<c_void>> {
            let symbol = Symbol::from_name(name.to_str().unwrap())?;
            BEHIND.get().unwrap().has(symbol).then(|| match symbol {
                $(Symbol::$name => {
                    #[allow(non_snake_case)]
                    unsafe extern "C" fn $name($($argument: $type),*) -> CUresult {
                        if let Some(answer) = before(Symbol::$name) {
                            return answer;
                        }
                        // SAFETY: the caller's promise to the driver function.
                        unsafe { (BEHIND.get().unwrap().$name)($($argument),*) }
                    }
                    NonNull::new(($name as *const ()).cast_mut().cast()).unwrap()
                })*
                // Functions that `cuda.h` does not declare are passed on.
                other => BEHIND.get().unwrap().address(other).unwrap(),
            })
        }
    };
}
for_each_function!(layer);
