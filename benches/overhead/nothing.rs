//! A driver of functions that do nothing, so that only the cost of the layers around it is left.
//!
//! They return the values that a program needs to continue: one device, a context, handles that are not null. Each checks whether
//! calls are being noted. That takes two instructions, the same for each caller.

use core::cell::Cell;
use core::ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_ulonglong, c_ushort, c_void};
use core::hint::black_box;
use core::ptr::{NonNull, null_mut, without_provenance_mut};
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use cuda_sys::*;
use std::sync::{Mutex, PoisonError};

/// If true, calls are noted.
static NOTING: AtomicBool = AtomicBool::new(false);
static NOTED: Mutex<Vec<&'static CStr>> = Mutex::new(Vec::new());

#[cold]
#[inline(never)]
fn note(name: &'static CStr) {
    NOTED.lock().unwrap_or_else(PoisonError::into_inner).push(name);
}

/// From here on the calls of the process are noted.
pub(crate) fn begin() {
    *NOTED.lock().unwrap_or_else(PoisonError::into_inner) = Vec::with_capacity(1000);
    NOTING.store(true, Ordering::Relaxed);
}

/// The calls since then, in order.
pub(crate) fn end() -> Vec<&'static CStr> {
    NOTING.store(false, Ordering::Relaxed);
    core::mem::take(&mut *NOTED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A handle that is not null, of no object.
fn handle<T>(number: usize) -> *mut T {
    without_provenance_mut(number)
}

/// The current context. There is one thread in a program that is measured.
static CURRENT: AtomicPtr<CUctx_st> = AtomicPtr::new(null_mut());
const CONTEXT: usize = 0x1000;

/// The address of its first memory.
const FIRST: CUdeviceptr = 1 << 48;

/// An address that no other memory of the thread has. Threads have no number in common, which each would wait for.
fn memory(bytes: usize) -> CUdeviceptr {
    thread_local! {
        static NEXT: Cell<CUdeviceptr> = const { Cell::new(FIRST) };
    }
    NEXT.replace(NEXT.get() + (bytes as CUdeviceptr).next_multiple_of(256))
}

/// With `(value)`, writes that where the first argument says; otherwise does what the block says.
macro_rules! functions {
    ($d:tt $(fn $name:ident($to:ident: $to_type:ty $(, $argument:ident: $type:ty)*) $answer:tt)*) => {
        $(
            #[allow(non_snake_case)]
            #[unsafe(no_mangle)]
            extern "C" fn $name($to: $to_type $(, $argument: $type)*) -> CUresult {
                if NOTING.load(Ordering::Relaxed) {
                    note(const { named(concat!(stringify!($name), "\0")) });
                }
                functions!(@answer $to $answer)
            }
        )*

        /// Expands to what follows a name, if no function above has it.
        macro_rules! otherwise {
            $(($name $d($rest:tt)*) => {};)*
            ($other:ident $d($rest:tt)*) => { $d($rest)* };
        }
    };
    (@answer $to:ident ($value:expr)) => {{
        // SAFETY: callers give the driver places that are valid for what they ask for.
        unsafe { $to.write($value) };
        CUresult::CUDA_SUCCESS
    }};
    (@answer $to:ident $answer:block) => { $answer };
}

const fn named(name: &str) -> &CStr {
    match CStr::from_bytes_with_nul(name.as_bytes()) {
        Ok(name) => name,
        Err(_) => c"",
    }
}

functions! { $
    fn cuDriverGetVersion(to: *mut c_int) (13000)
    fn cuDeviceGetCount(to: *mut c_int) (1)
    fn cuDeviceGet(to: *mut CUdevice, _ordinal: c_int) (0)
    fn cuDeviceGetAttribute(to: *mut c_int, attribute: CUdevice_attribute, _device: CUdevice) {
        // It can do everything except reading pageable memory.
        let able = attribute != CUdevice_attribute::CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS;
        // SAFETY: the callers pass a place for a number.
        unsafe { to.write(c_int::from(able)) };
        CUresult::CUDA_SUCCESS
    }
    fn cuDevicePrimaryCtxRetain(to: *mut CUcontext, _device: CUdevice) (handle(CONTEXT))
    fn cuCtxGetCurrent(to: *mut CUcontext) (CURRENT.load(Ordering::Relaxed))
    fn cuCtxSetCurrent(context: CUcontext) {
        CURRENT.store(context, Ordering::Relaxed);
        CUresult::CUDA_SUCCESS
    }
    fn cuCtxPushCurrent_v2(context: CUcontext) {
        CURRENT.store(context, Ordering::Relaxed);
        CUresult::CUDA_SUCCESS
    }
    fn cuCtxPopCurrent_v2(to: *mut CUcontext) {
        // SAFETY: the callers pass a place for a context.
        unsafe { to.write(CURRENT.load(Ordering::Relaxed)) };
        CURRENT.store(null_mut(), Ordering::Relaxed);
        CUresult::CUDA_SUCCESS
    }
    fn cuCtxGetDevice(to: *mut CUdevice) (0)
    fn cuCtxGetId(_context: CUcontext, to: *mut c_ulonglong) {
        // SAFETY: the callers pass a place for a number.
        unsafe { to.write(1) };
        CUresult::CUDA_SUCCESS
    }
    fn cuStreamCreate(to: *mut CUstream, _flags: c_uint) (handle(0x2000))
    fn cuStreamCreateWithPriority(to: *mut CUstream, _flags: c_uint, _priority: c_int) (handle(0x2000))
    fn cuStreamIsCapturing(_stream: CUstream, to: *mut CUstreamCaptureStatus) {
        // SAFETY: the callers pass a place for a status.
        unsafe { to.write(CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE) };
        CUresult::CUDA_SUCCESS
    }
    fn cuThreadExchangeStreamCaptureMode(to: *mut CUstreamCaptureMode)
        (CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL)
    fn cuEventCreate(to: *mut CUevent, _flags: c_uint) (handle(0x3000))
    fn cuModuleLoadData(to: *mut CUmodule, _image: *const c_void) (handle(0x4000))
    fn cuModuleLoadDataEx(
        to: *mut CUmodule,
        _image: *const c_void,
        _count: c_uint,
        _options: *mut CUjit_option,
        _values: *mut *mut c_void
    ) (handle(0x4000))
    fn cuModuleGetFunction(to: *mut CUfunction, _module: CUmodule, _name: *const c_char) (handle(0x5000))
    // Every function has the parameters of the kernel `three`, which `kernels!` compares.
    fn cuFuncGetParamCount(_function: CUfunction, to: *mut usize) {
        // SAFETY: the callers pass a place for a number.
        unsafe { to.write(3) };
        CUresult::CUDA_SUCCESS
    }
    fn cuFuncGetParamInfo(_function: CUfunction, index: usize, offset: *mut usize, size: *mut usize) {
        // SAFETY: the callers pass a place for a number.
        unsafe { offset.write(8 * index) };
        // SAFETY: as above.
        unsafe { size.write(if index < 2 { 8 } else { 4 }) };
        CUresult::CUDA_SUCCESS
    }
    fn cuGraphCreate(to: *mut CUgraph, _flags: c_uint) (handle(0x6000))
    fn cuGraphAddKernelNode_v2(
        to: *mut CUgraphNode,
        _graph: CUgraph,
        _dependencies: *const CUgraphNode,
        _count: usize,
        _params: *const CUDA_KERNEL_NODE_PARAMS_v2
    ) (handle(0x7000))
    fn cuGraphInstantiateWithParams(
        to: *mut CUgraphExec,
        _graph: CUgraph,
        _params: *mut CUDA_GRAPH_INSTANTIATE_PARAMS
    ) (handle(0x8000))
    fn cuMemAlloc_v2(to: *mut CUdeviceptr, bytes: usize) (memory(bytes))
    fn cuMemAllocAsync(to: *mut CUdeviceptr, bytes: usize, _stream: CUstream) (memory(bytes))
    fn cuMemAllocFromPoolAsync(to: *mut CUdeviceptr, bytes: usize, _pool: CUmemoryPool, _stream: CUstream)
        (memory(bytes))
    fn cuPointerGetAttribute(_to: *mut c_void, _attribute: CUpointer_attribute, _address: CUdeviceptr) {
        // The answer for memory that the driver does not know.
        CUresult::CUDA_ERROR_INVALID_VALUE
    }
    fn cuPointerGetAttributes(
        count: c_uint,
        attributes: *mut CUpointer_attribute,
        to: *mut *mut c_void,
        address: CUdeviceptr
    ) {
        for index in 0..count as usize {
            // SAFETY: the list has so many entries.
            let attribute = unsafe { attributes.wrapping_add(index).read() };
            // SAFETY: and so has this.
            let place = unsafe { to.wrapping_add(index).read() };
            // Memory of this driver is plain memory of the one context. Nothing is known of other memory: the values are 0.
            let value = match attribute {
                _ if address < FIRST => 0,
                CUpointer_attribute::CU_POINTER_ATTRIBUTE_CONTEXT => CONTEXT as u64,
                CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE => 2,
                CUpointer_attribute::CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE => 1,
                _ => 0,
            };
            if attribute == CUpointer_attribute::CU_POINTER_ATTRIBUTE_CONTEXT {
                // SAFETY: a handle is of 64 bits.
                unsafe { place.cast::<u64>().write(value) };
            } else {
                // SAFETY: the callers here ask for no other attributes that are larger than 32 bits.
                unsafe { place.cast::<c_uint>().write(value as c_uint) };
            }
        }
        CUresult::CUDA_SUCCESS
    }
    // Everything has its own name.
    fn cuGetProcAddress(
        _symbol: *const c_char,
        _to: *mut *mut c_void,
        _version: c_int,
        _flags: cuuint64_t
    ) { CUresult::CUDA_ERROR_NOT_FOUND }
    fn cuGetProcAddress_v2(
        _symbol: *const c_char,
        _to: *mut *mut c_void,
        _version: c_int,
        _flags: cuuint64_t,
        _status: *mut CUdriverProcAddressQueryResult
    ) { CUresult::CUDA_ERROR_NOT_FOUND }
}

macro_rules! others {
    ($(#[$summary:meta] #[$details:meta] [$group:ident since $since:literal] fn $name:ident($($argument:ident: $type:ty),*) -> CUresult;)*) => {
        $(otherwise! { $name
            #[allow(non_snake_case)]
            #[unsafe(no_mangle)]
            extern "C" fn $name($(_: $type),*) -> CUresult {
                if NOTING.load(Ordering::Relaxed) {
                    note(const { named(concat!(stringify!($name), "\0")) });
                }
                // Otherwise the linker merges all of them.
                black_box(CUresult::CUDA_SUCCESS)
            }
        })*

        /// The address of a function.
        pub(crate) fn resolve(name: &CStr) -> Option<NonNull<c_void>> {
            let address = match Symbol::from_name(name.to_str().ok()?)? {
                $(Symbol::$name => $name as *const (),)*
                _ => return None,
            };
            NonNull::new(address.cast_mut().cast())
        }
    };
}
for_each_function!(others);

/// A call that the compiler knows: what a program makes that is linked with the driver.
#[allow(dead_code)] // the shared library has no use for it
pub(crate) fn linked(to: *mut CUcontext) -> CUresult {
    cuCtxGetCurrent(to)
}
