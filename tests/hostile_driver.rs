//! A driver that fails after its work twice in a row, waits for host functions, and answers with impossible numbers.

#![allow(clippy::unwrap_used, clippy::panic, unsafe_code)]

use core::ffi::{CStr, c_uint, c_void};
use core::ptr::NonNull;
use cuda_rt::context::ContextFlags;
use cuda_rt::error::ErrorKind;
use cuda_rt::graph::Graph;
use cuda_rt::memory::{AccessFlags, MemPool, MemPoolOptions};
use cuda_rt::{Context, Device, LaunchConfig, Module, Stream};
use cuda_suite::inside_host_function;
use cuda_suite::raw::current;
use cuda_sys::{CUcontext, CUgraph, CUgraphNode, CUjit_option, CUmodule, CUresult, Driver, Symbol};
use std::cell::{Cell, RefCell};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

static BEHIND: OnceLock<Driver> = OnceLock::new();

thread_local! {
    /// The number of loads, and of unloads, that fail after their work.
    static LATE: Cell<(u32, u32)> = const { Cell::new((0, 0)) };
    /// The context that the hook makes current.
    static OTHER: RefCell<Option<Context>> = const { RefCell::new(None) };
    static TOLD: Cell<u32> = const { Cell::new(0) };
}

/// A host function is to return before access is enabled.
static IS_CALLED: AtomicBool = AtomicBool::new(false);
static HAS_RETURNED: AtomicBool = AtomicBool::new(false);
static GAVE_UP: AtomicBool = AtomicBool::new(false);

unsafe extern "C" fn load(
    module: *mut CUmodule,
    image: *const c_void,
    count: c_uint,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
) -> CUresult {
    let load = BEHIND.get().unwrap().cuModuleLoadDataEx;
    let mut logs = Vec::new();
    // SAFETY: there are as many options.
    let given = unsafe { std::slice::from_raw_parts(options, count as usize) };
    // SAFETY: there are as many values.
    let given_values = unsafe { std::slice::from_raw_parts(values, count as usize) };
    for (index, option) in given.iter().enumerate() {
        if matches!(*option, CUjit_option::CU_JIT_INFO_LOG_BUFFER | CUjit_option::CU_JIT_ERROR_LOG_BUFFER) {
            // The next value is the size of the buffer.
            logs.push((given_values[index].cast::<u8>(), given_values[index + 1].addr()));
        }
    }
    // SAFETY: the caller's promise to the driver function.
    let code = unsafe { load(module, image, count, options, values) };
    let (loads, unloads) = LATE.get();
    if loads == 0 || code != CUresult::CUDA_SUCCESS {
        return code;
    }
    LATE.set((loads - 1, unloads));
    // Logs that are full, so that there is another attempt with larger ones.
    for (buffer, size) in logs {
        // SAFETY: the buffer has this size.
        unsafe { buffer.write_bytes(b'w', size - 1) };
        // SAFETY: inside the buffer.
        let last = unsafe { buffer.add(size - 1) };
        // SAFETY: inside the buffer, which nothing else uses.
        unsafe { last.write(0) };
    }
    CUresult::CUDA_ERROR_OUT_OF_MEMORY
}

unsafe extern "C" fn unload(module: CUmodule) -> CUresult {
    // SAFETY: the caller's promise to the driver function.
    let code = unsafe { (BEHIND.get().unwrap().cuModuleUnload)(module) };
    let (loads, unloads) = LATE.get();
    if unloads == 0 {
        return code;
    }
    LATE.set((loads, unloads - 1));
    CUresult::CUDA_ERROR_OUT_OF_MEMORY
}

unsafe extern "C" fn enable(peer: CUcontext, flags: c_uint) -> CUresult {
    IS_CALLED.store(true, Ordering::SeqCst);
    // As drivers wait in other calls (V804), but not for ever.
    let mut patience = 2000;
    while !HAS_RETURNED.load(Ordering::SeqCst) && patience > 0 {
        std::thread::sleep(Duration::from_millis(1));
        patience -= 1;
    }
    GAVE_UP.store(patience == 0, Ordering::SeqCst);
    // SAFETY: the caller's promise to the driver function.
    unsafe { (BEHIND.get().unwrap().cuCtxEnablePeerAccess)(peer, flags) }
}

/// Answers every question for a number of nodes with a number that no list can have.
unsafe extern "C" fn count_nodes(_graph: CUgraph, _nodes: *mut CUgraphNode, count: *mut usize) -> CUresult {
    // SAFETY: the caller's promise to the driver function.
    unsafe { count.write(usize::MAX) };
    CUresult::CUDA_SUCCESS
}

fn layered(name: &'static CStr) -> Option<NonNull<c_void>> {
    let pointer = match Symbol::from_name(name.to_str().unwrap())? {
        Symbol::cuModuleLoadDataEx => (load as *const ()).cast_mut().cast(),
        Symbol::cuModuleUnload => (unload as *const ()).cast_mut().cast(),
        Symbol::cuGraphGetNodes => (count_nodes as *const ()).cast_mut().cast(),
        Symbol::cuCtxEnablePeerAccess => (enable as *const ()).cast_mut().cast(),
        _ => return cuda_sim::resolve(name),
    };
    NonNull::new(pointer)
}

fn device() -> Device {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        // SAFETY: the software driver's functions.
        let behind = unsafe { Driver::from_resolver("cuda-sim", cuda_sim::resolve) };
        assert!(BEHIND.set(behind).is_ok());
        // SAFETY: the same functions, some of them behind others of their signatures.
        unsafe { cuda_sys::install("a hostile driver", layered) }.unwrap();
        cuda_suite::fail_on_internal_errors();
        cuda_rt::handle::set_drop_hook(|_| {
            TOLD.set(TOLD.get() + 1);
            OTHER.with_borrow(|other| {
                if let Some(other) = other {
                    other.set_current().unwrap();
                }
            });
        });
    });
    Device::get(0).unwrap()
}

#[test]
fn a_load_stays_in_its_context_despite_the_hook() {
    let device = device();
    let own = Context::new(device, ContextFlags::default()).unwrap();
    OTHER.set(Some(Context::new(device, ContextFlags::default()).unwrap()));
    LATE.set((1, 1));
    let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry k() { ret; }";
    let module = Module::from_ptx(&own, ptx).unwrap();
    assert_eq!((LATE.get(), TOLD.get()), ((0, 0), 1));
    // The hook was called when the thread was as it was, and what it made current stays.
    assert_eq!(current(), OTHER.with_borrow(|other| other.as_ref().unwrap().as_raw()));
    let kernel = module.function("k").unwrap().typed::<()>().unwrap();
    let stream = Stream::new(&own).unwrap();
    // The end of the other context takes nothing of the module along.
    drop(OTHER.take());
    // SAFETY: the kernel does nothing.
    unsafe { kernel.launch(LaunchConfig::new(1, 1), &stream, ()) }.unwrap();
    stream.synchronize().unwrap();
}

#[test]
fn impossible_count_is_an_error() {
    let context = Context::new(device(), ContextFlags::default()).unwrap();
    let error = Graph::new(&context).unwrap().nodes().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfHostMemory, "{error}");
}

#[test]
fn set_access_in_a_host_function_does_not_wait() {
    let near = device();
    let far = Device::get(1).unwrap();
    let (context, peer) =
        (Context::new(near, ContextFlags::default()).unwrap(), Context::primary(far).unwrap());
    let stream = Stream::new(&context).unwrap();
    let pool = MemPool::new(near, MemPoolOptions::new()).unwrap();
    let enabling = std::thread::spawn(move || context.enable_peer_access(&peer));
    while !IS_CALLED.load(Ordering::SeqCst) {
        std::thread::yield_now();
    }
    let (answers, answered) = channel();
    stream
        .launch_host_function(move || {
            for access in [AccessFlags::READ_WRITE, AccessFlags::NONE] {
                answers.send(pool.set_access(far, access)).unwrap();
            }
            HAS_RETURNED.store(true, Ordering::SeqCst);
        })
        .unwrap();
    let answers: Vec<_> = answered.iter().collect();
    enabling.join().unwrap().unwrap();
    let call = "cuMemPoolSetAccess";
    let refusal = inside_host_function(call);
    assert_eq!(answers, [refusal.clone(), refusal]);
    // Neither waited for the record of access, which is locked while the driver waits.
    assert!(!GAVE_UP.load(Ordering::SeqCst));
}
