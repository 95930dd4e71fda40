//! Mistakes with memory: use after free, copies of unwritten rows, frees, pools, and failures that no call returns.

use super::{KERNELS, filled, launch_loaded, launch_on, run_kernel};
use crate::raw::{allocate, context, function, stream};
use core::ffi::c_void;
use cuda_sys::*;
use std::ptr::{from_ref, null_mut};
use std::sync::atomic::{AtomicBool, Ordering};

/// A kernel uses stream-ordered memory after the stream has freed it.
pub(super) fn used_after_free_async() -> CUresult {
    context(0);
    let (on, kernel) = (stream(0), function(KERNELS, c"fill"));
    let mut out = 0;
    crate::call!(cuMemAllocAsync(&raw mut out, 256, on));
    launch_loaded(on, kernel, 1, 64, &[out]);
    crate::call!(cuMemFreeAsync(out, on));
    launch_loaded(on, kernel, 1, 64, &[out]);
    crate::code!(cuCtxSynchronize())
}

/// No mistake: the stream frees the memory after both kernels.
pub(super) fn freed_after_use() -> CUresult {
    context(0);
    let (on, kernel) = (stream(0), function(KERNELS, c"fill"));
    let mut out = 0;
    crate::call!(cuMemAllocAsync(&raw mut out, 256, on));
    launch_loaded(on, kernel, 1, 64, &[out]);
    launch_loaded(on, kernel, 1, 64, &[out]);
    crate::call!(cuMemFreeAsync(out, on));
    crate::code!(cuCtxSynchronize())
}

/// A kernel uses page-locked memory that was freed.
pub(super) fn freed_page_locked() -> CUresult {
    context(0);
    let mut host = null_mut();
    crate::call!(cuMemHostAlloc(&raw mut host, 256, 0));
    let mut device = 0;
    crate::call!(cuMemHostGetDevicePointer_v2(&raw mut device, host, 0));
    crate::call!(cuMemFreeHost(host));
    run_kernel(c"fill", 1, 64, &[device])
}

/// A kernel uses memory whose registration has ended.
pub(super) fn unregistered() -> CUresult {
    context(0);
    let mut words = vec![0_u32; 4096];
    let pointer = words.as_mut_ptr().cast::<c_void>();
    crate::call!(cuMemHostRegister_v2(pointer, 4 * words.len(), 0));
    let mut device = 0;
    crate::call!(cuMemHostGetDevicePointer_v2(&raw mut device, pointer, 0));
    crate::call!(cuMemHostUnregister(pointer));
    run_kernel(c"fill", 1, 64, &[device])
}

/// A kernel is given the address of pageable memory.
pub(super) fn host_pointer() -> CUresult {
    context(0);
    let words = [0_u32; 64];
    run_kernel(c"fill", 1, 64, &[words.as_ptr().expose_provenance() as u64])
}

/// A kernel uses a variable of a module that was unloaded.
pub(super) fn unloaded_variable() -> CUresult {
    context(0);
    let (kernel, mut module) = (function(KERNELS, c"fill"), null_mut());
    crate::call!(cuModuleLoadData(&raw mut module, KERNELS.as_ptr().cast()));
    let (mut table, mut bytes) = (0, 0);
    crate::call!(cuModuleGetGlobal_v2(&raw mut table, &raw mut bytes, module, c"table".as_ptr()));
    crate::call!(cuModuleUnload(module));
    launch_loaded(null_mut(), kernel, 1, 16, &[table]);
    crate::code!(cuCtxSynchronize())
}

/// A kernel uses memory of a context that was destroyed.
pub(super) fn destroyed_context() -> CUresult {
    let ended = context(0);
    let out = allocate(256);
    crate::call!(cuCtxDestroy_v2(ended));
    context(0);
    run_kernel(c"fill", 1, 64, &[out])
}

/// A graph is launched after the memory of its kernel was freed.
pub(super) fn freed_in_graph() -> CUresult {
    context(0);
    let (on, out) = (stream(1), allocate(256));
    let _other = allocate(256);
    let kernel = function(KERNELS, c"fill");
    let (mut graph, mut executable) = (null_mut(), null_mut());
    crate::call!(cuStreamBeginCapture_v2(on, CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL));
    launch_loaded(on, kernel, 1, 64, &[out]);
    crate::call!(cuStreamEndCapture(on, &raw mut graph));
    crate::call!(cuGraphInstantiateWithFlags(&raw mut executable, graph, 0));
    crate::call!(cuMemFree_v2(out));
    crate::call!(cuGraphLaunch(executable, on));
    crate::code!(cuStreamSynchronize(on))
}

/// Memory is freed twice.
pub(super) fn freed_twice() -> CUresult {
    context(0);
    let out = allocate(256);
    crate::call!(cuMemFree_v2(out));
    crate::code!(cuMemFree_v2(out))
}

/// A pool of the device, and memory of it.
fn pool_with_memory(on: CUstream) -> (CUmemoryPool, CUdeviceptr) {
    let mut props = CUmemPoolProps {
        allocType: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
        ..CUmemPoolProps::default()
    };
    props.location.type_ = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE;
    let (mut pool, mut memory) = (null_mut(), 0);
    crate::call!(cuMemPoolCreate(&raw mut pool, &raw const props));
    crate::call!(cuMemAllocFromPoolAsync(&raw mut memory, 256, pool, on));
    (pool, memory)
}

/// A pool is destroyed while its memory is in use. Drivers may crash in a synchronization after that.
pub(super) fn pool_in_use() -> CUresult {
    context(0);
    let (pool, _) = pool_with_memory(stream(1));
    crate::code!(cuMemPoolDestroy(pool))
}

/// A pool is destroyed while a free of its memory waits for a function of the program.
pub(super) fn pool_being_freed() -> CUresult {
    extern "C" fn wait(flag: *mut c_void) {
        // SAFETY: the flag below, which lives for the rest of the process.
        let flag = unsafe { &*flag.cast::<AtomicBool>() };
        while !flag.load(Ordering::Acquire) {
            std::thread::yield_now();
        }
    }
    context(0);
    let on = stream(1);
    let (pool, memory) = pool_with_memory(on);
    let flag: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    crate::call!(cuLaunchHostFunc(on, Some(wait), from_ref(flag).cast_mut().cast()));
    crate::call!(cuMemFreeAsync(memory, on));
    let code = crate::code!(cuMemPoolDestroy(pool));
    flag.store(true, Ordering::Release);
    code
}

/// No mistake: a pool is destroyed after a query has told that the free is done.
pub(super) fn pool_freed() -> CUresult {
    context(0);
    let on = stream(1);
    let (pool, memory) = pool_with_memory(on);
    crate::call!(cuMemFreeAsync(memory, on));
    while crate::code!(cuStreamQuery(on)) == CUresult::CUDA_ERROR_NOT_READY {}
    crate::code!(cuMemPoolDestroy(pool))
}

/// A kernel faults, and the program ends without a call that could say so.
pub(super) fn failure_unseen() -> CUresult {
    context(0);
    launch_on(null_mut(), c"fill", 1, 32, &[0]);
    CUresult::CUDA_SUCCESS
}

/// The bytes from row to row in the copies of rows.
const PITCH: usize = 512;

/// A copy of 4 rows of words between the host and the device.
fn rows(host: *mut u32, host_pitch: usize, device: CUdeviceptr, pitch: usize, width: usize) -> CUDA_MEMCPY2D {
    // SAFETY: numbers and pointers, which may be zero.
    let mut copy: CUDA_MEMCPY2D = unsafe { core::mem::zeroed() };
    copy.srcMemoryType = CUmemorytype::CU_MEMORYTYPE_DEVICE;
    (copy.srcDevice, copy.srcPitch) = (device, pitch);
    copy.dstMemoryType = CUmemorytype::CU_MEMORYTYPE_HOST;
    (copy.dstHost, copy.dstPitch) = (host.cast(), host_pitch);
    (copy.WidthInBytes, copy.Height) = (width, 4);
    copy
}

/// Memory for 4 rows of 512 bytes. The first 256 bytes of each row are written.
fn half_written() -> CUdeviceptr {
    let device = allocate(4 * PITCH);
    crate::call!(cuMemsetD2D8_v2(device, PITCH, 1, 256, 4));
    device
}

/// The host copies whole rows. The second half of each was never written.
pub(super) fn copied_unwritten_rows() -> CUresult {
    context(0);
    let (device, mut words) = (half_written(), [0_u32; PITCH]);
    let copy = rows(words.as_mut_ptr(), PITCH, device, PITCH, PITCH);
    crate::code!(cuMemcpy2D_v2(&raw const copy))
}

/// The host copies the written half of each row, with the wrong pitch.
pub(super) fn pitch_too_small() -> CUresult {
    context(0);
    let (device, mut words) = (half_written(), [0_u32; PITCH]);
    let copy = rows(words.as_mut_ptr(), 256, device, 256, 256);
    crate::code!(cuMemcpy2D_v2(&raw const copy))
}

/// No mistake: the host copies the written half of each row.
pub(super) fn copied_rows() -> CUresult {
    context(0);
    let (device, mut words) = (half_written(), [0_u32; PITCH]);
    let copy = rows(words.as_mut_ptr(), 256, device, PITCH, 256);
    crate::code!(cuMemcpy2D_v2(&raw const copy))
}

/// Threads add to words. Only the first 16 of 32 were written.
pub(super) fn atomic_unwritten() -> CUresult {
    context(0);
    let (totals, _other) = (allocate(128), filled(32));
    crate::call!(cuMemsetD32_v2(totals, 0, 16));
    run_kernel(c"add_each", 1, 32, &[totals])
}

/// Launches `fill_checked`, whose parameters have 12 bytes, with so many bytes of arguments.
fn launch_with_buffer(mut bytes: usize) -> CUresult {
    context(0);
    let kernel = function(KERNELS, c"fill_checked");
    let mut arguments = [0_u32; 3];
    let out = filled(64);
    (arguments[0], arguments[1], arguments[2]) = (out as u32, (out >> 32) as u32, 64);
    let mut extra = [
        CU_LAUNCH_PARAM_BUFFER_POINTER,
        arguments.as_mut_ptr().cast(),
        CU_LAUNCH_PARAM_BUFFER_SIZE,
        (&raw mut bytes).cast(),
        CU_LAUNCH_PARAM_END,
    ];
    crate::call!(cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, null_mut(), null_mut(), extra.as_mut_ptr()));
    crate::code!(cuCtxSynchronize())
}

/// The number of words is missing.
pub(super) fn arguments_too_short() -> CUresult {
    launch_with_buffer(8)
}

/// No mistake: the buffer has all arguments.
pub(super) fn arguments_in_a_buffer() -> CUresult {
    launch_with_buffer(12)
}
