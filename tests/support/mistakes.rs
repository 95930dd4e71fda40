//! Small driver-API programs with one mistake each, and the same programs without it.
//!
//! They run on the driver or machine of the thread. The tests compare the reports of the software driver. The example
//! `mistakes` runs one of them on the driver that `CUDA_DRIVER` names, for example under a tool that checks programs on hardware.

// For programs in the way of `raw`: each calls the raw API a few times.
#![allow(clippy::macro_metavars_in_unsafe)]

mod kernels;
mod memory;
mod streams;

use crate::raw::{allocate, context, function, stream};
use core::ffi::{CStr, c_void};
use cuda_sys::*;
use std::ptr::null_mut;

/// The kernels, compiled from `tests/kernels/mistakes.cu` with line information.
static KERNELS: &CStr = {
    let bytes = concat!(include_str!("../kernels/mistakes.ptx"), "\0").as_bytes();
    match CStr::from_bytes_with_nul(bytes) {
        Ok(text) => text,
        Err(_) => panic!("the text has a NUL inside"),
    }
};

/// A program.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// The name, for the command line.
    pub name: &'static str,
    /// Runs it. The last answer of the driver is part of the result, not of the test.
    pub run: fn() -> CUresult,
}

/// All programs, those with mistakes first.
pub const PROGRAMS: &[Program] = &[
    Program { name: "past-the-end", run: past_the_end },
    Program { name: "far-past-the-end", run: far_past_the_end },
    Program { name: "past-shared", run: past_shared },
    Program { name: "freed", run: freed },
    Program { name: "null", run: null },
    Program { name: "misaligned", run: misaligned },
    Program { name: "leak", run: leak },
    Program { name: "unwritten", run: unwritten },
    Program { name: "copied-unwritten", run: copied_unwritten },
    Program { name: "no-barrier", run: no_barrier },
    Program { name: "left-early", run: left_early },
    Program { name: "two-barriers", run: two_barriers },
    Program { name: "no-atomic", run: no_atomic },
    Program { name: "before-the-start", run: kernels::before_the_start },
    Program { name: "atomic-past-the-end", run: kernels::atomic_past_the_end },
    Program { name: "atomic-misaligned", run: kernels::atomic_misaligned },
    Program { name: "vector-misaligned", run: kernels::vector_misaligned },
    Program { name: "shared-misaligned", run: kernels::shared_misaligned },
    Program { name: "past-dynamic-shared", run: kernels::past_dynamic_shared },
    Program { name: "past-variable", run: kernels::past_variable },
    Program { name: "past-constants", run: kernels::past_constants },
    Program { name: "past-local", run: kernels::past_local },
    Program { name: "no-syncwarp", run: kernels::no_syncwarp },
    Program { name: "barrier-in-loop", run: kernels::barrier_in_loop },
    Program { name: "outside-mask", run: kernels::outside_mask },
    Program { name: "same-word", run: kernels::same_word },
    Program { name: "in-place", run: kernels::in_place },
    Program { name: "used-after-free-async", run: memory::used_after_free_async },
    Program { name: "freed-page-locked", run: memory::freed_page_locked },
    Program { name: "unregistered", run: memory::unregistered },
    Program { name: "host-pointer", run: memory::host_pointer },
    Program { name: "unloaded-variable", run: memory::unloaded_variable },
    Program { name: "destroyed-context", run: memory::destroyed_context },
    Program { name: "freed-in-graph", run: memory::freed_in_graph },
    Program { name: "freed-twice", run: memory::freed_twice },
    Program { name: "pool-in-use", run: memory::pool_in_use },
    Program { name: "pool-being-freed", run: memory::pool_being_freed },
    Program { name: "arguments-too-short", run: memory::arguments_too_short },
    Program { name: "failure-unseen", run: memory::failure_unseen },
    Program { name: "copied-unwritten-rows", run: memory::copied_unwritten_rows },
    Program { name: "pitch-too-small", run: memory::pitch_too_small },
    Program { name: "atomic-unwritten", run: memory::atomic_unwritten },
    Program { name: "unordered-streams", run: streams::unordered_streams },
    Program { name: "copy-beside-kernel", run: streams::copy_beside_kernel },
    Program { name: "fill-beside-copy", run: streams::fill_beside_copy },
    Program { name: "event-too-early", run: streams::event_too_early },
    Program { name: "wrong-stream-awaited", run: streams::wrong_stream_awaited },
    Program { name: "page-locked-reused", run: streams::page_locked_reused },
    Program { name: "host-copy-too-early", run: streams::host_copy_too_early },
    Program { name: "default-stream-ignored", run: streams::default_stream_ignored },
    Program { name: "allocated-elsewhere", run: streams::allocated_elsewhere },
    Program { name: "freed-elsewhere", run: streams::freed_elsewhere },
    Program { name: "freed-by-host", run: streams::freed_by_host },
    Program { name: "graph-branches", run: streams::graph_branches },
    Program { name: "inside", run: inside },
    Program { name: "written", run: written },
    Program { name: "barrier", run: barrier },
    Program { name: "atomic", run: atomic },
    Program { name: "inside-dynamic-shared", run: kernels::inside_dynamic_shared },
    Program { name: "syncwarp", run: kernels::syncwarp },
    Program { name: "not-in-place", run: kernels::not_in_place },
    Program { name: "freed-after-use", run: memory::freed_after_use },
    Program { name: "pool-freed", run: memory::pool_freed },
    Program { name: "arguments-in-a-buffer", run: memory::arguments_in_a_buffer },
    Program { name: "copied-rows", run: memory::copied_rows },
    Program { name: "event-between", run: streams::event_between },
    Program { name: "same-stream", run: streams::same_stream },
    Program { name: "halves", run: streams::halves },
    Program { name: "stream-awaited", run: streams::stream_awaited },
    Program { name: "page-locked-reused-later", run: streams::page_locked_reused_later },
    Program { name: "host-copy-later", run: streams::host_copy_later },
    Program { name: "blocking-streams", run: streams::blocking_streams },
    Program { name: "allocated-before", run: streams::allocated_before },
    Program { name: "freed-after", run: streams::freed_after },
    Program { name: "freed-by-host-later", run: streams::freed_by_host_later },
    Program { name: "graph-edge", run: streams::graph_edge },
];

/// The program of this name.
///
/// # Panics
///
/// Panics if there is none.
pub fn run(name: &str) -> CUresult {
    let program = PROGRAMS.iter().find(|program| program.name == name);
    (program.unwrap_or_else(|| panic!("there is no program {name}")).run)()
}

/// Launches a kernel on a stream.
fn launch_on(stream: CUstream, name: &CStr, blocks: u32, threads: u32, params: &[u64]) {
    launch_loaded(stream, function(KERNELS, name), blocks, threads, params);
}

/// Launches a kernel that is loaded on a stream.
fn launch_loaded(stream: CUstream, kernel: CUfunction, blocks: u32, threads: u32, params: &[u64]) {
    let mut places: Vec<*mut c_void> =
        params.iter().map(|param| std::ptr::from_ref(param).cast_mut().cast()).collect();
    let places = places.as_mut_ptr();
    crate::call!(cuLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, 0, stream, places, null_mut()));
}

/// Launches a kernel, and waits for it.
fn run_kernel(name: &CStr, blocks: u32, threads: u32, params: &[u64]) -> CUresult {
    launch_on(null_mut(), name, blocks, threads, params);
    crate::code!(cuCtxSynchronize())
}

/// Two blocks of 128 threads store to 250 words.
fn past_the_end() -> CUresult {
    context(0);
    let out = allocate(4 * 250);
    run_kernel(c"fill", 2, 128, &[out])
}

/// The same with so many threads that some are outside of all pages.
fn far_past_the_end() -> CUresult {
    context(0);
    let out = allocate(4 * 250);
    run_kernel(c"fill", 4096, 256, &[out])
}

/// The last of 64 threads stores behind 64 words of shared memory.
fn past_shared() -> CUresult {
    context(0);
    run_kernel(c"shift", 1, 64, &[filled(64)])
}

/// Memory that was freed is filled, in a page that holds other memory.
fn freed() -> CUresult {
    context(0);
    let (out, _other) = (allocate(256), allocate(256));
    crate::call!(cuMemFree_v2(out));
    run_kernel(c"fill", 1, 64, &[out])
}

fn null() -> CUresult {
    context(0);
    run_kernel(c"fill", 1, 32, &[0])
}

fn misaligned() -> CUresult {
    context(0);
    let bytes = allocate(64);
    run_kernel(c"unaligned", 1, 1, &[bytes, 2])
}

/// No mistake.
fn inside() -> CUresult {
    context(0);
    let out = allocate(4 * 250);
    assert!(run_kernel(c"fill_checked", 2, 128, &[out, 250]).is_success());
    run_kernel(c"unaligned", 1, 1, &[out, 996])
}

/// Memory of the current context, filled with words.
fn filled(words: usize) -> CUdeviceptr {
    let address = allocate(4 * words);
    crate::call!(cuMemsetD32_v2(address, 1, words));
    address
}

/// A stream and memory that nothing destroys.
fn leak() -> CUresult {
    context(0);
    let _ = (stream(0), allocate(64));
    CUresult::CUDA_SUCCESS
}

/// A kernel reads 64 words. Only 32 of them were written.
fn unwritten() -> CUresult {
    context(0);
    let (input, out) = (allocate(256), allocate(128));
    crate::call!(cuMemsetD32_v2(input, 1, 32));
    run_kernel(c"sum_pairs", 1, 32, &[input, out])
}

/// The host copies 16 words. Only 8 of them were written.
fn copied_unwritten() -> CUresult {
    context(0);
    let (from, mut to) = (allocate(64), [0_u32; 16]);
    crate::call!(cuMemsetD32_v2(from, 1, 8));
    crate::code!(cuMemcpyDtoH_v2(to.as_mut_ptr().cast(), from, 64))
}

/// No mistake: memory is written by copies, fills and kernels before it is read.
fn written() -> CUresult {
    context(0);
    let (first, second, out) = (allocate(256), allocate(256), allocate(128));
    let mut words = [1_u32; 64];
    crate::call!(cuMemcpyHtoD_v2(first, words.as_ptr().cast(), 128));
    crate::call!(cuMemsetD8_v2(first + 128, 1, 128));
    crate::call!(cuMemcpyDtoD_v2(second, first, 256));
    assert!(run_kernel(c"sum_pairs", 1, 32, &[second, out]).is_success());
    assert!(run_kernel(c"reverse", 1, 32, &[out]).is_success());
    crate::code!(cuMemcpyDtoH_v2(words.as_mut_ptr().cast(), out, 128))
}

/// Threads read what others store to shared memory, without a barrier.
fn no_barrier() -> CUresult {
    context(0);
    run_kernel(c"reverse_unsynchronized", 1, 64, &[filled(64)])
}

/// No mistake: a barrier is between the stores and the loads.
fn barrier() -> CUresult {
    context(0);
    run_kernel(c"reverse", 1, 64, &[filled(64)])
}

/// 24 of 64 threads end before the barrier.
fn left_early() -> CUresult {
    context(0);
    run_kernel(c"leave_early", 1, 64, &[filled(64), 40])
}

/// Each warp waits at a barrier instruction of its own.
fn two_barriers() -> CUresult {
    context(0);
    run_kernel(c"two_barriers", 1, 64, &[filled(64)])
}

/// Blocks add to a word one after another or at the same time.
fn no_atomic() -> CUresult {
    context(0);
    run_kernel(c"count", 8, 32, &[filled(1)])
}

/// No mistake: blocks add to a word by an atomic operation.
fn atomic() -> CUresult {
    context(0);
    run_kernel(c"count_atomically", 8, 32, &[filled(1)])
}
