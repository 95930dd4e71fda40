//! The driver itself: its state, and the way every function goes through.
//!
//! All state of a machine is behind one lock, and work is done while it is held, bit by bit. So no two kernels or copies
//! run at the same time, and what the engine sees of memory does not change under it. Between two bits the lock is
//! free, and other threads have their turn.

#![allow(unsafe_code)]

mod array;
mod array_content;
mod array_limits;
mod array_memory;
mod batch;
mod block;
mod callback;
mod chance;
mod context;
mod copy;
mod copy_entries;
mod device;
mod entries;
mod event;
mod fat_binary;
mod fill;
mod first;
mod fork;
mod function;
mod general;
mod graphics;
mod handles;
mod heap;
mod host_memory;
mod images;
mod install;
mod instruments;
mod ipc;
mod launch;
mod launch_attributes;
mod leaks;
mod legacy_launch;
mod library;
mod library_kernel;
mod library_load;
mod limits;
mod link;
mod linked;
mod live;
mod logs;
mod machine;
mod managed;
mod managed_batch;
mod managed_entries;
mod managed_queries;
mod marks;
mod memory;
mod module;
mod numbered;
mod objects;
mod occupancy;
mod others;
mod pages;
mod peer;
mod pointer;
mod pool;
mod pool_settings;
mod pool_sharing;
mod posing;
mod primary;
mod procaddress;
mod queue;
mod reach;
mod rules;
mod source;
mod spans;
mod stream;
mod surface;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod system;
mod texture;
mod texture_limits;
mod texture_queries;
mod texture_values;
mod transfer;
mod twins;
mod unsupported;
mod virtual_memory;
mod virtual_sharing;
mod window;

use crate::collections::IdMap;
use crate::config::{Config, FreedPoolMemory, HandleReuse};
use crate::counts::Counting;
use crate::faults::Faults;
use core::ffi::{CStr, c_void};
use core::ptr::NonNull;
use cuda_sys::{CUdevice, CUdeviceptr, CUresult, Driver, DriverVersion, Symbol, SymbolSet};
use rules::Needs;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(feature = "nvrtc")]
pub(crate) use general::forever;
pub use install::{InstallError, install, install_once, install_unless_gpu};
pub use machine::{Entered, Machine};

pub use first::first_versions;
pub use others::lacks;
pub use rules::{documented_codes, internal_errors};
pub use twins::per_thread;

/// The address of a function of the software driver, for those who put their own layer in front of it
/// with [`cuda_sys::install`]. Configured by [`install`], or else by default.
///
/// That goes for the second versions too, in which the per-thread default stream stands for the null stream
/// (`cuMemcpy_ptds`, `cuLaunchKernel_ptsz` and so on). `None` for names that the release does not have which the driver
/// poses as: that of the [`Machine`] which this thread has entered, or else that of the process.
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
    resolve_for(Machine::current().release(), name)
}

fn resolve_for(release: DriverVersion, name: &CStr) -> Option<NonNull<c_void>> {
    let is_there = |symbol: &Symbol| symbol.since() <= release && symbol.is_on_this_system();
    match Symbol::from_name(name.to_str().ok()?) {
        Some(symbol) => Some(symbol).filter(is_there).map(address_of),
        None => others::named(name, release),
    }
}

/// The address of a function, whatever release has it.
fn address_of(symbol: Symbol) -> NonNull<c_void> {
    match symbol.set() {
        SymbolSet::Driver => entries::implemented(symbol).unwrap_or_else(|| unsupported::stub(symbol)),
        SymbolSet::PerThread => twins::implemented(symbol).unwrap_or_else(unsupported::nothing),
        _ => graphics::address_of(symbol).unwrap_or_else(unsupported::nothing),
    }
}

/// All functions, whatever release has them, for those of them that call others.
pub(crate) fn functions() -> &'static Driver {
    static FUNCTIONS: OnceLock<Driver> = OnceLock::new();
    FUNCTIONS.get_or_init(|| {
        let resolver = |name: &'static CStr| Symbol::from_name(name.to_str().ok()?).map(address_of);
        // SAFETY: these are the software driver's functions, with the signatures of their names.
        unsafe { Driver::from_resolver("cuda-sim", resolver) }
    })
}

static CONFIG: OnceLock<Config> = OnceLock::new();

/// What a driver function says in the end.
type Answer<T = ()> = Result<T, CUresult>;

/// The body of one function. Called at most once. Behind a pointer, so that the way of every function is compiled once and
/// not for each function.
type Body<'body> = &'body mut dyn FnMut(&mut Call<'_>) -> Answer;

/// Everything that the driver of a machine knows.
struct State {
    config: Config,
    /// Another one after each reset.
    identity: u64,
    initialized: bool,
    /// The failure that ended the process's use of CUDA. Every later call reports it.
    sticky: Option<CUresult>,
    devices: Vec<device::Device>,
    contexts: handles::Handles<context::Context>,
    /// The devices of contexts that are gone.
    ended_contexts: IdMap<handles::Handle, CUdevice>,
    streams: handles::Handles<stream::Stream>,
    events: handles::Handles<event::Event>,
    modules: handles::Handles<module::Module>,
    functions: handles::Handles<function::Function>,
    pools: handles::Handles<pool::Pool>,
    memories: handles::Handles<virtual_memory::Memory>,
    libraries: handles::Handles<library::Library>,
    kernels: handles::Handles<library::LibraryKernel>,
    linkers: handles::Handles<link::Linker>,
    images: images::Images,
    heap: heap::Heap,
    /// Memory that is queued to be freed.
    freed: IdMap<CUdeviceptr, pool::Freed>,
    queue: queue::Queue,
    #[cfg(feature = "nvrtc")]
    nvrtc: crate::nvrtc_state::Programs,
    /// Functions of the program whose turn has come.
    callbacks: callback::Due,
    /// Whether there is a thread for work in the background.
    has_worker: bool,
    /// Recordings of shared events that are not done yet, and whether there is a thread that looks at whether other
    /// processes wait for them.
    recordings: Vec<event::Recording>,
    has_listener: bool,
    /// What kernels have printed, to be written when the call in progress ends.
    printed: Vec<u8>,
    faults: Faults,
    counting: Counting,
    /// Virtual time in nanoseconds: of the program, and of the operation that is being done, or was done last.
    clock: u64,
    now: u64,
    /// Where the schedule's chances come from.
    chances: chance::Chances,
    /// How many calls there were.
    calls: u64,
    /// How many threads a kernel may use. Asked of the system once, since that takes longer than a small kernel.
    threads: usize,
    /// How many recordings of events there were.
    records: u64,
}

impl State {
    fn new(config: Config, machine: u64) -> State {
        static IDENTITY: AtomicU64 = AtomicU64::new(1);
        let devices = config.visible_devices();
        let recycle = config.handles == HandleReuse::AtOnce;
        let guards_freed = match config.freed_pool_memory {
            FreedPoolMemory::ByHandles => !recycle,
            FreedPoolMemory::Faults => true,
            FreedPoolMemory::Mapped => false,
        };
        let numbers = || handles::Numbers::new(recycle);
        let mut state = State {
            heap: heap::Heap::new(devices.len(), config.memory_bytes, machine, (recycle, guards_freed)),
            devices: devices.into_iter().map(device::Device::new).collect(),
            identity: IDENTITY.fetch_add(1, Ordering::Relaxed),
            initialized: false,
            sticky: None,
            contexts: handles::Handles::new(numbers()),
            ended_contexts: IdMap::new(),
            streams: handles::Handles::new(numbers()),
            events: handles::Handles::new(numbers()),
            modules: handles::Handles::new(numbers()),
            functions: handles::Handles::new(numbers()),
            pools: handles::Handles::new(numbers()),
            memories: handles::Handles::new(numbers()),
            libraries: handles::Handles::new(numbers()),
            kernels: handles::Handles::new(numbers()),
            linkers: handles::Handles::new(numbers()),
            images: images::Images::new(numbers),
            freed: IdMap::new(),
            queue: queue::Queue::default(),
            #[cfg(feature = "nvrtc")]
            nvrtc: crate::nvrtc_state::Programs::default(),
            callbacks: callback::Due::default(),
            has_worker: false,
            recordings: Vec::new(),
            has_listener: false,
            printed: Vec::new(),
            faults: Faults::new(config.faults.clone(), config.kernel_faults.clone()),
            counting: Counting::default(),
            clock: 0,
            now: 0,
            chances: chance::Chances::new(config.schedule),
            calls: 0,
            threads: config.kernel_threads(),
            records: 0,
            config,
        };
        state.make_default_pools();
        state
    }

    /// Notes that the program knows that it is as late as `time`.
    fn pass(&mut self, time: u64) {
        self.clock = self.clock.max(time);
    }
}

/// One call in progress.
struct Call<'state> {
    state: &'state mut State,
    /// The current context: set for [`Needs::Current`] and [`Needs::Context`].
    context: handles::Handle,
    /// Done after the body, before the function returns.
    waiting: Option<Waiting>,
}

/// How many things may be done when a program asks whether work is done.
const ASKED: usize = 256;

/// What a function does when its waiting is over. It may have to wait for more.
type Afterwards = Box<dyn FnOnce(&mut State) -> Answer<Option<Waiting>>>;

/// Calls a function of the program without the machine's lock. The result is done with the lock.
type Question = Box<dyn FnOnce() -> Afterwards>;

/// Why a function gives up the machine's lock before it returns.
enum Waiting {
    /// For work, and what is done then.
    Work {
        ops: Vec<queue::OpId>,
        then: Option<Afterwards>,
    },
    Question(Question),
}

/// The way of every function: what it needs, its body, its answer.
fn dispatch(symbol: Symbol, body: Body<'_>) -> CUresult {
    if callback::is_in_call() {
        return CUresult::CUDA_ERROR_NOT_PERMITTED;
    }
    let needs = rules::of(symbol).needs;
    if fork::is_child() && !fork::permits(symbol) {
        return CUresult::CUDA_ERROR_NOT_INITIALIZED;
    }
    if needs != Needs::Nothing && callback::is_inside() && !callback::permits(symbol) {
        return CUresult::CUDA_ERROR_NOT_PERMITTED;
    }
    machine::call(symbol, needs, body)
}

impl<'state> Call<'state> {
    /// The order of these checks was measured: an empty stack comes before an earlier failure.
    fn begin(state: &'state mut State, needs: Needs) -> Answer<Self> {
        let mut context = handles::Handle::NULL;
        if needs != Needs::Nothing && !state.initialized {
            return Err(CUresult::CUDA_ERROR_NOT_INITIALIZED);
        }
        if matches!(needs, Needs::Current | Needs::Context) {
            context = state.top().ok_or(CUresult::CUDA_ERROR_INVALID_CONTEXT)?;
            if needs == Needs::Context && state.contexts.get(context).is_none() {
                return Err(CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED);
            }
        }
        match state.sticky {
            Some(failure) if needs.is_healthy() => Err(failure),
            _ => Ok(Call { state, context, waiting: None }),
        }
    }

    /// Returns only when all of `ops` are done, for a program that asks for nothing else. So it knows of memory that was
    /// freed: of what `sees` says. It is as late then as `time` says.
    fn synchronize(
        &mut self,
        ops: impl IntoIterator<Item = queue::OpId>,
        sees: impl Fn(&heap::FreedBy) -> bool + 'static,
        time: impl FnOnce(&State) -> u64 + 'static,
    ) {
        let then: Afterwards = Box::new(move |state| {
            state.heap.see_freed(sees);
            state.pass(time(state));
            Ok(None)
        });
        self.waiting = Some(Waiting::Work { ops: ops.into_iter().collect(), then: Some(then) });
    }

    /// Returns only when all of `ops` are done; without any, they were done just now.
    fn wait_for(&mut self, ops: impl IntoIterator<Item = queue::OpId>) {
        let ops = Vec::from_iter(ops);
        if ops.is_empty() {
            self.state.pass(self.state.now);
        }
        self.waiting = Some(Waiting::Work { ops, then: None });
    }

    /// The answer to a question for work that is not done. Where nothing works in the background, the work goes on a
    /// little, so that asking again and again ends some time.
    fn not_ready(&mut self, ops: &[queue::OpId]) -> Answer {
        if self.state.goes_on_when_asked(ops) {
            let needed = self.state.queue.needed_for(ops);
            // Several short things at once, since what is needed is not found out for nothing.
            for _ in 0..ASKED {
                let left = self.state.queue.len();
                self.state.step(queue::Wanted::These(&needed), machine::IN_TURN);
                if self.state.queue.len() == left || !self.state.queue.has_any(ops) {
                    break;
                }
            }
        }
        // What has failed meanwhile is not ready, but not for long.
        self.state.sticky.map_or(Err(CUresult::CUDA_ERROR_NOT_READY), Err)
    }

    /// Waits for all of `ops`, and then does something more.
    fn wait_then(
        &mut self,
        ops: Vec<queue::OpId>,
        then: impl FnOnce(&mut State) -> Answer + 'static,
    ) -> Answer {
        if !self.state.queue.has_any(&ops) {
            return then(self.state);
        }
        let then = move |state: &mut State| then(state).map(|()| None);
        self.waiting = Some(Waiting::Work { ops, then: Some(Box::new(then)) });
        Ok(())
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

/// Says that an out-parameter is wanted, before anything is made for it.
fn check_out<T>(to: *mut T) -> Answer {
    if to.is_null() { Err(CUresult::CUDA_ERROR_INVALID_VALUE) } else { Ok(()) }
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
