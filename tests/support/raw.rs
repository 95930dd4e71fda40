//! Helpers for tests of the raw API: calls and their objects, on whichever driver or machine the thread uses.

// For tests, which are about what the raw API does: each calls it dozens of times, and handles are what it gave them.
#![allow(clippy::macro_metavars_in_unsafe, clippy::not_unsafe_ptr_arg_deref)]

use core::ffi::{CStr, c_char, c_void};
use cuda_sim::{Config, Machine, MachineGuard};
use cuda_sys::{
    CUcontext, CUdevice, CUdeviceptr, CUfunction, CUresult, CUstream, cuCtxCreate_v2, cuCtxDestroy_v2,
    cuCtxGetApiVersion, cuCtxGetCurrent, cuDeviceGetCount, cuDevicePrimaryCtxReset_v2, cuInit,
    cuLaunchKernel, cuMemAlloc_v2, cuMemHostAlloc, cuMemHostGetDevicePointer_v2, cuMemcpyDtoH_v2,
    cuModuleGetFunction, cuModuleLoadData, cuStreamCreate,
};
use std::cell::RefCell;
use std::ptr::null_mut;
use std::sync::atomic::AtomicU32;

/// Makes a call of the driver, and returns its code.
#[macro_export]
macro_rules! code {
    ($call:expr) => {
        // SAFETY: handles are live, and pointers are of variables in scope or of memory as large as is said; what is not
        // so is refused.
        unsafe { $call }
    };
}

/// A call of the driver that succeeds.
#[macro_export]
macro_rules! call {
    ($call:expr) => {
        assert_eq!($crate::code!($call), cuda_sys::CUresult::CUDA_SUCCESS, stringify!($call))
    };
}

/// A machine of the software driver, which this thread is on as long as the second part lives.
pub fn machine(config: Config) -> (Machine, MachineGuard) {
    cuda_sim::install_once().expect("no other driver is in use");
    crate::fail_on_internal_errors();
    let machine = Machine::new(config);
    let entered = machine.enter();
    call!(cuInit(0));
    (machine, entered)
}

thread_local! {
    /// The contexts that [`context`] has made on this thread.
    static CONTEXTS: RefCell<Vec<CUcontext>> = const { RefCell::new(Vec::new()) };
}

/// The same bytes as characters of C, which have a sign on some systems and none on others.
pub fn characters<const N: usize>(bytes: &[u8; N]) -> [c_char; N] {
    bytes.map(|byte| c_char::from_ne_bytes([byte]))
}

/// A new context of a device, current from here on.
pub fn context(device: CUdevice) -> CUcontext {
    let mut context = null_mut();
    call!(cuCtxCreate_v2(&raw mut context, 0, device));
    CONTEXTS.with_borrow_mut(|contexts| contexts.push(context));
    context
}

/// Destroys what [`context`] has made on this thread, as far as it is still there, and the primary contexts.
pub fn destroy_contexts() {
    for context in CONTEXTS.take() {
        let mut version = 0;
        if code!(cuCtxGetApiVersion(context, &raw mut version)).is_success() {
            let _ = code!(cuCtxDestroy_v2(context));
        }
    }
    let mut count = 0;
    let _ = code!(cuDeviceGetCount(&raw mut count));
    for device in 0..count {
        let _ = code!(cuDevicePrimaryCtxReset_v2(device));
    }
}

/// The context that is current on this thread; null if none is.
pub fn current() -> CUcontext {
    let mut context = null_mut();
    call!(cuCtxGetCurrent(&raw mut context));
    context
}

/// A new stream of the current context.
pub fn stream(flags: u32) -> CUstream {
    let mut stream = null_mut();
    call!(cuStreamCreate(&raw mut stream, flags));
    stream
}

/// Memory of the current context.
pub fn allocate(bytes: usize) -> CUdeviceptr {
    let mut address = 0;
    call!(cuMemAlloc_v2(&raw mut address, bytes));
    address
}

/// Page-locked words, zero at first, and their address on the device.
pub fn page_locked(words: usize) -> (&'static [AtomicU32], CUdeviceptr) {
    let (mut host, mut device) = (null_mut(), 0);
    call!(cuMemHostAlloc(&raw mut host, 4 * words, 0));
    call!(cuMemHostGetDevicePointer_v2(&raw mut device, host, 0));
    // SAFETY: as many words, aligned, and freed by no test: a machine leaves them when it ends.
    (unsafe { std::slice::from_raw_parts(host.cast(), words) }, device)
}

/// A kernel of a text, loaded into the current context.
pub fn function(ptx: &CStr, name: &CStr) -> CUfunction {
    let (mut module, mut function) = (null_mut(), null_mut());
    call!(cuModuleLoadData(&raw mut module, ptx.as_ptr().cast()));
    call!(cuModuleGetFunction(&raw mut function, module, name.as_ptr()));
    function
}

/// Returns the answer to a launch of `threads` threads, with parameters of eight bytes each. The first bytes hold a smaller one.
pub fn try_launch(function: CUfunction, threads: u32, stream: CUstream, params: &[u64]) -> CUresult {
    let mut places: Vec<*mut c_void> =
        params.iter().map(|param| std::ptr::from_ref(param).cast_mut().cast()).collect();
    code!(cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, stream, places.as_mut_ptr(), null_mut()))
}

/// Launches one thread.
pub fn launch(function: CUfunction, stream: CUstream, params: &[u64]) {
    assert_eq!(try_launch(function, 1, stream, params), CUresult::CUDA_SUCCESS);
}

/// A word of memory.
pub fn read(address: CUdeviceptr) -> u32 {
    let mut value = 0_u32;
    call!(cuMemcpyDtoH_v2((&raw mut value).cast(), address, 4));
    value
}
