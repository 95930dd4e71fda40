//! Operations of several streams, and of the host, that use the same memory without an order.
//!
//! The streams are non-blocking: the default stream does not wait for them.

use super::{KERNELS, filled, launch_loaded};
use crate::raw::{context, function, stream};
use core::ffi::c_void;
use cuda_sys::*;
use std::ptr::{null, null_mut};

/// Words of each buffer.
const WORDS: usize = 64;
const BYTES: usize = 4 * WORDS;

/// A stream that the default stream does not wait for.
fn own_stream() -> CUstream {
    stream(CUstream_flags::CU_STREAM_NON_BLOCKING.0)
}

fn event() -> CUevent {
    let mut event = null_mut();
    crate::call!(cuEventCreate(&raw mut event, 0));
    event
}

/// Page-locked memory for a buffer.
fn page_locked() -> *mut c_void {
    let mut host = null_mut();
    crate::call!(cuMemHostAlloc(&raw mut host, BYTES, 0));
    // SAFETY: as many bytes were allocated.
    unsafe { host.cast::<u8>().write_bytes(1, BYTES) };
    host
}

/// A buffer that is written, which the host knows.
fn buffer() -> CUdeviceptr {
    let buffer = filled(WORDS);
    crate::call!(cuCtxSynchronize());
    buffer
}

fn end() -> CUresult {
    crate::code!(cuCtxSynchronize())
}

/// A kernel on one stream writes what a kernel on another reads. `order` comes between the two.
fn two_kernels(order: fn(CUstream, CUstream)) -> CUresult {
    context(0);
    let (fill, sum) = (function(KERNELS, c"fill"), function(KERNELS, c"sum_pairs"));
    let (data, out, first, second) = (buffer(), buffer(), own_stream(), own_stream());
    launch_loaded(first, fill, 1, 64, &[data]);
    order(first, second);
    launch_loaded(second, sum, 1, 32, &[data, out]);
    end()
}

pub(super) fn unordered_streams() -> CUresult {
    two_kernels(|_, _| {})
}

/// No mistake: the second stream waits for an event of the first.
pub(super) fn event_between() -> CUresult {
    two_kernels(|first, second| {
        let event = event();
        crate::call!(cuEventRecord(event, first));
        crate::call!(cuStreamWaitEvent(second, event, 0));
    })
}

/// The host waits for the second stream, and not for the first.
pub(super) fn wrong_stream_awaited() -> CUresult {
    two_kernels(|_, second| crate::call!(cuStreamSynchronize(second)))
}

/// No mistake: the host waits for the first stream.
pub(super) fn stream_awaited() -> CUresult {
    two_kernels(|first, _| crate::call!(cuStreamSynchronize(first)))
}

/// The second stream waits for an event that was recorded before the kernel was launched.
pub(super) fn event_too_early() -> CUresult {
    context(0);
    let (fill, sum) = (function(KERNELS, c"fill"), function(KERNELS, c"sum_pairs"));
    let (data, out, first, second) = (buffer(), buffer(), own_stream(), own_stream());
    let event = event();
    crate::call!(cuEventRecord(event, first));
    launch_loaded(first, fill, 1, 64, &[data]);
    crate::call!(cuStreamWaitEvent(second, event, 0));
    launch_loaded(second, sum, 1, 32, &[data, out]);
    end()
}

/// A kernel writes what a copy on a stream reads.
fn kernel_and_copy(streams: impl Fn() -> (CUstream, CUstream)) -> CUresult {
    context(0);
    let (fill, data, host) = (function(KERNELS, c"fill"), buffer(), page_locked());
    let (first, second) = streams();
    launch_loaded(first, fill, 1, 64, &[data]);
    crate::call!(cuMemcpyDtoHAsync_v2(host, data, BYTES, second));
    end()
}

pub(super) fn copy_beside_kernel() -> CUresult {
    kernel_and_copy(|| (own_stream(), own_stream()))
}

/// No mistake: both are on one stream.
pub(super) fn same_stream() -> CUresult {
    kernel_and_copy(|| {
        let stream = own_stream();
        (stream, stream)
    })
}

/// The kernel is on the default stream, which a non-blocking stream does not wait for.
pub(super) fn default_stream_ignored() -> CUresult {
    kernel_and_copy(|| (null_mut(), own_stream()))
}

/// No mistake: the default stream and a blocking stream wait for each other.
pub(super) fn blocking_streams() -> CUresult {
    kernel_and_copy(|| (null_mut(), stream(0)))
}

/// A fill and a copy on two streams write the same bytes from `offset` on.
fn fill_and_copy(offset: usize) -> CUresult {
    context(0);
    let (data, host) = (buffer(), page_locked());
    let (first, second) = (own_stream(), own_stream());
    crate::call!(cuMemsetD32Async(data, 7, WORDS / 2, first));
    crate::call!(cuMemcpyHtoDAsync_v2(data + offset as u64, host, BYTES - offset, second));
    end()
}

pub(super) fn fill_beside_copy() -> CUresult {
    fill_and_copy(BYTES / 4)
}

/// No mistake: they write different halves.
pub(super) fn halves() -> CUresult {
    fill_and_copy(BYTES / 2)
}

/// Page-locked memory is written by the host's copy while a stream may still read it.
fn reused(wait: bool) -> CUresult {
    context(0);
    let (data, other, host, on) = (buffer(), buffer(), page_locked(), own_stream());
    crate::call!(cuMemcpyHtoDAsync_v2(data, host, BYTES, on));
    if wait {
        crate::call!(cuStreamSynchronize(on));
    }
    crate::call!(cuMemcpyDtoH_v2(host, other, BYTES));
    end()
}

pub(super) fn page_locked_reused() -> CUresult {
    reused(false)
}

/// No mistake: the host waits for the stream.
pub(super) fn page_locked_reused_later() -> CUresult {
    reused(true)
}

/// The host copies from page-locked memory to which a stream may still write.
fn host_copy(wait: bool) -> CUresult {
    context(0);
    let (data, other, host, on) = (buffer(), buffer(), page_locked(), own_stream());
    crate::call!(cuMemcpyDtoHAsync_v2(host, data, BYTES, on));
    let event = event();
    crate::call!(cuEventRecord(event, on));
    if wait {
        crate::call!(cuEventSynchronize(event));
    }
    crate::call!(cuMemcpyHtoD_v2(other, host, BYTES));
    end()
}

pub(super) fn host_copy_too_early() -> CUresult {
    host_copy(false)
}

/// No mistake: the host waits for the event.
pub(super) fn host_copy_later() -> CUresult {
    host_copy(true)
}

/// Stream-ordered memory of one stream is filled on another. `order` comes between the allocation and the fill.
fn allocated(order: fn(CUstream, CUstream)) -> CUresult {
    context(0);
    let (first, second) = (own_stream(), own_stream());
    let mut data = 0;
    crate::call!(cuMemAllocAsync(&raw mut data, BYTES, first));
    order(first, second);
    crate::call!(cuMemsetD32Async(data, 7, WORDS, second));
    end()
}

pub(super) fn allocated_elsewhere() -> CUresult {
    allocated(|_, _| {})
}

/// No mistake: the second stream waits for an event after the allocation.
pub(super) fn allocated_before() -> CUresult {
    allocated(|first, second| {
        let event = event();
        crate::call!(cuEventRecord(event, first));
        crate::call!(cuStreamWaitEvent(second, event, 0));
    })
}

/// A stream frees memory that a fill on another stream may still write. `order` comes between the two.
fn freed(order: fn(CUstream, CUstream)) -> CUresult {
    context(0);
    let (first, second) = (own_stream(), own_stream());
    let mut data = 0;
    crate::call!(cuMemAllocAsync(&raw mut data, BYTES, first));
    crate::call!(cuStreamSynchronize(first));
    crate::call!(cuMemsetD32Async(data, 7, WORDS, second));
    order(first, second);
    crate::call!(cuMemFreeAsync(data, first));
    end()
}

pub(super) fn freed_elsewhere() -> CUresult {
    freed(|_, _| {})
}

/// No mistake: the stream that frees waits for an event after the fill.
pub(super) fn freed_after() -> CUresult {
    freed(|first, second| {
        let event = event();
        crate::call!(cuEventRecord(event, second));
        crate::call!(cuStreamWaitEvent(first, event, 0));
    })
}

/// The host frees stream-ordered memory that a fill may still write. This free does not wait.
fn freed_at_once(wait: bool) -> CUresult {
    context(0);
    let on = own_stream();
    let mut data = 0;
    crate::call!(cuMemAllocAsync(&raw mut data, BYTES, on));
    crate::call!(cuMemsetD32Async(data, 7, WORDS, on));
    if wait {
        crate::call!(cuStreamSynchronize(on));
    }
    crate::call!(cuMemFree_v2(data));
    end()
}

pub(super) fn freed_by_host() -> CUresult {
    freed_at_once(false)
}

/// No mistake: the host waits for the stream.
pub(super) fn freed_by_host_later() -> CUresult {
    freed_at_once(true)
}

/// A graph of a fill and a kernel that reads what the fill writes.
fn graph(has_edge: bool) -> CUresult {
    let current = context(0);
    let (kernel, on) = (function(KERNELS, c"increment"), own_stream());
    let data = buffer();
    let (mut graph, mut fill, mut increment, mut executable) =
        (null_mut(), null_mut(), null_mut(), null_mut());
    crate::call!(cuGraphCreate(&raw mut graph, 0));
    let params =
        CUDA_MEMSET_NODE_PARAMS { dst: data, pitch: 0, value: 7, elementSize: 4, width: WORDS, height: 1 };
    crate::call!(cuGraphAddMemsetNode(&raw mut fill, graph, null_mut(), 0, &raw const params, current));
    let mut argument = (&raw const data).cast_mut().cast::<c_void>();
    // SAFETY: numbers and pointers, which may be zero.
    let mut params: CUDA_KERNEL_NODE_PARAMS_v2 = unsafe { core::mem::zeroed() };
    (params.func, params.kernelParams) = (kernel, &raw mut argument);
    (params.gridDimX, params.gridDimY, params.gridDimZ) = (1, 1, 1);
    (params.blockDimX, params.blockDimY, params.blockDimZ) = (WORDS as u32, 1, 1);
    let before = if has_edge { (&raw const fill, 1) } else { (null(), 0) };
    crate::call!(cuGraphAddKernelNode_v2(&raw mut increment, graph, before.0, before.1, &raw const params));
    crate::call!(cuGraphInstantiateWithFlags(&raw mut executable, graph, 0));
    crate::call!(cuGraphLaunch(executable, on));
    crate::call!(cuGraphLaunch(executable, on));
    end()
}

/// No edge is between the two nodes.
pub(super) fn graph_branches() -> CUresult {
    graph(false)
}

/// No mistake: an edge is between the two nodes.
pub(super) fn graph_edge() -> CUresult {
    graph(true)
}
