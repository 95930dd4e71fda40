//! Mistakes of kernels: addresses, barriers, and threads that race.

use super::{KERNELS, filled, run_kernel};
use crate::raw::{allocate, context, function};
use core::ffi::c_void;
use cuda_sys::*;
use std::ptr::null_mut;

/// The first of 32 threads stores before the first word of an allocation, behind another one.
pub(super) fn before_the_start() -> CUresult {
    context(0);
    let (_other, data) = (allocate(1000), allocate(1024));
    run_kernel(c"shift_down", 1, 32, &[data])
}

/// The last 8 of 32 threads add to words past the end.
pub(super) fn atomic_past_the_end() -> CUresult {
    context(0);
    run_kernel(c"add_each", 1, 32, &[filled(24)])
}

pub(super) fn atomic_misaligned() -> CUresult {
    context(0);
    run_kernel(c"add_unaligned", 1, 1, &[filled(16), 2])
}

/// 16 bytes are loaded from an address that is a multiple of 4.
pub(super) fn vector_misaligned() -> CUresult {
    context(0);
    run_kernel(c"load_four", 1, 1, &[filled(16), filled(4)])
}

/// 4 bytes are loaded from shared memory at an address that is not a multiple of 4.
pub(super) fn shared_misaligned() -> CUresult {
    context(0);
    run_kernel(c"unaligned_shared", 1, 32, &[filled(1), 1])
}

/// Launches `reverse_dynamic` for 64 words with so many bytes of dynamic shared memory.
fn reverse_dynamic(bytes: u32) -> CUresult {
    context(0);
    let data = filled(64);
    let kernel = function(KERNELS, c"reverse_dynamic");
    let mut param = (&raw const data).cast_mut().cast::<c_void>();
    crate::call!(cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, bytes, null_mut(), &raw mut param, null_mut()));
    crate::code!(cuCtxSynchronize())
}

/// The launch gives 64 bytes of dynamic shared memory for 64 words.
pub(super) fn past_dynamic_shared() -> CUresult {
    reverse_dynamic(64)
}

/// No mistake: the launch gives 256 bytes.
pub(super) fn inside_dynamic_shared() -> CUresult {
    reverse_dynamic(256)
}

/// 32 threads store to a variable of 16 words.
pub(super) fn past_variable() -> CUresult {
    context(0);
    run_kernel(c"fill_table", 1, 32, &[])
}

/// A load past the end of all constants.
pub(super) fn past_constants() -> CUresult {
    context(0);
    run_kernel(c"constant_at", 1, 1, &[filled(1), 1 << 20])
}

/// A load past the end of all local memory of the thread.
pub(super) fn past_local() -> CUresult {
    context(0);
    run_kernel(c"local_at", 1, 1, &[filled(1), 1 << 24])
}

/// Threads of a warp read what others store to shared memory, without `__syncwarp`.
pub(super) fn no_syncwarp() -> CUresult {
    context(0);
    run_kernel(c"rotate_unsynchronized", 1, 32, &[filled(32)])
}

/// No mistake: `__syncwarp` is between the stores and the loads.
pub(super) fn syncwarp() -> CUresult {
    context(0);
    run_kernel(c"rotate", 1, 32, &[filled(32)])
}

/// One warp waits at a barrier twice, and the other one three times.
pub(super) fn barrier_in_loop() -> CUresult {
    context(0);
    let (counts, words) = (allocate(8), [2_u32, 3]);
    crate::call!(cuMemcpyHtoD_v2(counts, words.as_ptr().cast(), 8));
    run_kernel(c"repeat_barrier", 1, 64, &[counts])
}

/// 64 threads store different numbers to one word.
pub(super) fn same_word() -> CUresult {
    context(0);
    run_kernel(c"same_word", 1, 64, &[filled(1)])
}

/// Threads read the words that other threads write.
pub(super) fn in_place() -> CUresult {
    context(0);
    run_kernel(c"smooth_in_place", 1, 64, &[filled(64)])
}

/// No mistake: the kernel reads one buffer and writes another.
pub(super) fn not_in_place() -> CUresult {
    context(0);
    run_kernel(c"smooth", 1, 64, &[filled(64), filled(64)])
}

/// Half of a warp waits for the other half, and not for itself.
pub(super) fn outside_mask() -> CUresult {
    context(0);
    run_kernel(c"half_syncwarp", 1, 32, &[filled(32)])
}
