//! The driver itself: its state, and the way every function goes through.
//!
//! All state is behind one lock, and work is done while it is held. So no two kernels or copies run at
//! the same time, and what the engine sees of memory does not change under it.

#![allow(unsafe_code)]

mod context;
mod device;
mod entries;
mod event;
mod general;
mod handles;
mod heap;
mod launch;
mod memory;
mod module;
mod stream;
mod unsupported;

use crate::config::Config;
use core::ffi::{CStr, c_void};
use core::ptr::NonNull;
use cuda_sys::{AlreadyInstalled, CUresult, Driver, Symbol};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Makes the software driver the one that [`cuda_sys`] calls, for the rest of the process.
///
/// # Errors
///
/// A driver had been installed, loaded or looked for before.
///
/// # Examples
///
/// ```
/// use cuda_sim::Config;
/// use cuda_sys::{CUresult, cuDeviceGetCount, cuInit};
///
/// cuda_sim::install(Config { devices: 4, ..Config::default() })?;
/// let mut count = 0;
/// // SAFETY: no flags, as the API demands.
/// assert_eq!(unsafe { cuInit(0) }, CUresult::CUDA_SUCCESS);
/// // SAFETY: `count` is valid for a write.
/// assert_eq!(unsafe { cuDeviceGetCount(&mut count) }, CUresult::CUDA_SUCCESS);
/// assert_eq!(count, 4);
/// # Ok::<(), cuda_sys::AlreadyInstalled>(())
/// ```
pub fn install(config: Config) -> Result<&'static Driver, AlreadyInstalled> {
    // The configuration of the first call counts: if it was not this one, neither is the driver.
    let _ = CONFIG.set(config);
    // SAFETY: `resolve` gives functions that keep to the driver API, with its signatures: `entries`
    // has the compiler compare them.
    unsafe { cuda_sys::install("cuda-sim, the software driver", resolve) }
}

/// Uses the machine's own driver if it has a GPU that works, and installs the software driver otherwise. The reason is
/// given in that case, so that the program can say what it runs on: `None` means the machine's own.
///
/// This calls `cuInit`.
///
/// # Errors
///
/// A driver had been installed, loaded or looked for before.
///
/// ```
/// match cuda_sim::install_unless_gpu(cuda_sim::Config::default())? {
///     None => println!("on the GPU"),
///     Some(reason) => println!("in software, since there is no GPU: {reason}"),
/// }
/// # Ok::<(), cuda_sys::AlreadyInstalled>(())
/// ```
pub fn install_unless_gpu(config: Config) -> Result<Option<String>, AlreadyInstalled> {
    match working_gpu() {
        Ok(driver) => driver.install().map(|_| None),
        Err(reason) => install(config).map(|_| Some(reason)),
    }
}

/// The machine's driver, if it has a GPU. Not installed yet.
fn working_gpu() -> Result<Driver, String> {
    let driver = Driver::load().map_err(|error| error.to_string())?;
    // SAFETY: no flags, as the API demands.
    let initialized = unsafe { (driver.cuInit)(0) };
    if initialized.is_success() { Ok(driver) } else { Err(format!("cuInit: {initialized}")) }
}

/// [`install`] with the default configuration, for examples and tests that may run several times in a
/// process. Does nothing if a driver is in use, or if one was looked for and not found: then that failure stands.
///
/// # Examples
///
/// ```
/// cuda_sim::install_once();
/// cuda_sim::install_once(); // does nothing
/// assert_eq!(cuda_sys::driver().unwrap().origin(), "cuda-sim, the software driver");
/// ```
pub fn install_once() {
    let _ = install(Config::default());
}

/// The address of a function of the software driver, for those who put their own layer in front of it
/// with [`cuda_sys::install`]. Configured by [`install`], or else by default.
///
/// `None` for names that the posed driver version does not have.
///
/// # Examples
///
/// A test that makes an allocation fail, to see what a program does then:
///
/// ```
/// use core::ffi::{CStr, c_void};
/// use core::ptr::NonNull;
/// use cuda_sys::{CUdeviceptr, CUresult, cuMemAlloc_v2};
///
/// extern "C" fn out_of_memory(_: *mut CUdeviceptr, _: usize) -> CUresult {
///     CUresult::CUDA_ERROR_OUT_OF_MEMORY
/// }
///
/// let resolver = |name: &'static CStr| match name.to_bytes() {
///     b"cuMemAlloc_v2" => NonNull::new(out_of_memory as *mut c_void),
///     _ => cuda_sim::resolve(name),
/// };
/// // SAFETY: the functions have the signatures of their names, and keep to the API.
/// unsafe { cuda_sys::install("cuda-sim without memory", resolver) }?;
///
/// let mut address = 0;
/// // SAFETY: `address` is valid for a write.
/// let code = unsafe { cuMemAlloc_v2(&mut address, 4) };
/// assert_eq!(code, CUresult::CUDA_ERROR_OUT_OF_MEMORY);
/// # Ok::<(), cuda_sys::AlreadyInstalled>(())
/// ```
pub fn resolve(name: &'static CStr) -> Option<NonNull<c_void>> {
    let symbol = Symbol::from_name(name.to_str().ok()?)?;
    let exists = symbol.since() <= CONFIG.get_or_init(Config::default).driver_version;
    exists.then(|| entries::implemented(symbol).unwrap_or_else(|| unsupported::stub(symbol)))
}

static CONFIG: OnceLock<Config> = OnceLock::new();
static STATE: OnceLock<Mutex<State>> = OnceLock::new();

/// What a driver function says in the end.
type Answer<T = ()> = Result<T, CUresult>;

/// Everything that the driver knows.
struct State {
    config: Config,
    initialized: bool,
    /// The failure that ended the process's use of CUDA. Every later call reports it.
    sticky: Option<CUresult>,
    devices: Vec<device::Device>,
    contexts: handles::Handles<context::Context>,
    streams: handles::Handles<stream::Stream>,
    events: handles::Handles<event::Event>,
    modules: handles::Handles<module::Module>,
    functions: handles::Handles<module::Function>,
    heap: heap::Heap,
    /// Nanoseconds of virtual time.
    clock: u64,
    /// The last number given to a context or stream.
    last_id: u64,
}

fn state() -> MutexGuard<'static, State> {
    let state = STATE.get_or_init(|| Mutex::new(State::new(CONFIG.get_or_init(Config::default).clone())));
    // A panic in a function was answered with `CUDA_ERROR_UNKNOWN`; the state goes on.
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn new(mut config: Config) -> State {
        config.devices = config.devices.min(Config::MOST_DEVICES);
        State {
            devices: (0..config.devices).map(device::Device::new).collect(),
            heap: heap::Heap::new(config.devices as usize, config.memory_bytes),
            config,
            initialized: false,
            sticky: None,
            contexts: handles::Handles::new(0x1),
            streams: handles::Handles::new(0x2),
            events: handles::Handles::new(0x3),
            modules: handles::Handles::new(0x4),
            functions: handles::Handles::new(0x5),
            clock: 0,
            last_id: 0,
        }
    }

    fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }
}

/// What must be in order before a function does its own work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// Nothing.
    Nothing,
    /// `cuInit`.
    Init,
    /// `cuInit`, and no failure that ended everything.
    Health,
    /// A current context, whatever state it is in.
    Current,
    /// A current context that is alive, and no failure that ended everything.
    Context,
}

/// One call in progress.
struct Call<'state> {
    state: &'state mut State,
    /// The current context: set for [`Needs::Current`] and [`Needs::Context`].
    context: handles::Handle,
}

/// The way of every function: what it needs, its body, its answer.
fn dispatch(symbol: Symbol, needs: Needs, body: impl FnOnce(&mut Call<'_>) -> Answer) -> CUresult {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let mut state = state();
        let mut call = Call::begin(&mut state, needs)?;
        body(&mut call)
    }));
    match outcome {
        Ok(Ok(())) => CUresult::CUDA_SUCCESS,
        Ok(Err(code)) => code,
        Err(_) => {
            general::say(&format!("{symbol} panicked, which is an error of the software driver"));
            CUresult::CUDA_ERROR_UNKNOWN
        }
    }
}

impl<'state> Call<'state> {
    /// The order of these checks was measured: an empty stack comes before an earlier failure.
    fn begin(state: &'state mut State, needs: Needs) -> Answer<Self> {
        let mut context = handles::Handle::NULL;
        if needs != Needs::Nothing && !state.initialized {
            return Err(CUresult::CUDA_ERROR_NOT_INITIALIZED);
        }
        if matches!(needs, Needs::Current | Needs::Context) {
            context = context::top().ok_or(CUresult::CUDA_ERROR_INVALID_CONTEXT)?;
            if needs == Needs::Context && state.contexts.get(context).is_none() {
                return Err(CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED);
            }
        }
        match state.sticky {
            Some(failure) if matches!(needs, Needs::Health | Needs::Context) => Err(failure),
            _ => Ok(Call { state, context }),
        }
    }
}

/// Writes an out-parameter.
///
/// # Safety
///
/// `to` is null or valid for a write, as the driver API demands of the program.
unsafe fn put<T>(to: *mut T, value: T) -> Answer {
    if to.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so valid for a write.
    unsafe { to.write(value) };
    Ok(())
}

/// Writes an out-parameter that may be left out.
///
/// # Safety
///
/// See [`put`].
unsafe fn put_if_wanted<T>(to: *mut T, value: T) {
    if !to.is_null() {
        // SAFETY: the caller's promise is the same.
        let _ = unsafe { put(to, value) };
    }
}
