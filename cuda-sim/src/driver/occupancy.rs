//! How many blocks of a kernel a multiprocessor holds.
//!
//! Registers are given out by a compiler for machines that are not here; the engine estimates them. So the results
//! are estimates, where registers decide. Kernels of libraries may be asked about as well as functions.

#![allow(unsafe_code)]

use super::{Answer, Call, put};
use crate::exec::Kernel;
use core::ffi::{c_int, c_uint};
use cuda_sys::{
    CUdevice, CUdevice_attribute_enum as Attribute, CUfunction, CUoccupancy_flags_enum as Flags,
    CUoccupancyB2DSize, CUresult,
};

pub(super) const WARP: u64 = 32;
/// Registers are given out in units of this many for a warp.
const REGISTER_UNIT: u64 = 256;
/// And shared memory in units of as many bytes.
const SHARED_UNIT: u64 = 128;

/// The registers that a warp of a kernel takes.
pub(super) fn registers_of_warp(kernel: &Kernel) -> u64 {
    (u64::from(kernel.registers.max(16)) * WARP).next_multiple_of(REGISTER_UNIT)
}

impl Call<'_> {
    /// How many blocks of `threads` threads fit on one multiprocessor at a time.
    pub(super) fn blocks_at_once(&self, function: CUfunction, threads: u64, dynamic: u64) -> Answer<u64> {
        let (found, _, kernel) = self.function(function)?;
        let device = self.state.live_context(found.context)?.device;
        let limit = |attribute| self.state.limit_of(device, attribute);
        if threads == 0 || threads > self.max_threads(found, kernel) {
            return Ok(0);
        }
        let warps = threads.div_ceil(WARP);
        let by_threads =
            limit(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / (warps * WARP);
        let registers = registers_of_warp(kernel) * warps;
        let by_registers = limit(Attribute::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR) / registers;
        let own = u64::from(kernel.static_shared) + self.reserved_shared(device);
        let shared = own.checked_add(dynamic).and_then(|shared| shared.checked_next_multiple_of(SHARED_UNIT));
        // More than can be counted is more than there is.
        let Some(shared) = shared else { return Ok(0) };
        let by_shared =
            limit(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR).checked_div(shared);
        let by_blocks = limit(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
        Ok(by_threads.min(by_registers).min(by_shared.unwrap_or(u64::MAX)).min(by_blocks))
    }

    /// What the system takes of each block's shared memory.
    fn reserved_shared(&self, device: CUdevice) -> u64 {
        self.state.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK)
    }
}

fn check_flags(flags: c_uint) -> Answer {
    if flags & !Flags::CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE.0 == 0 {
        Ok(())
    } else {
        Err(CUresult::CUDA_ERROR_INVALID_VALUE)
    }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn active_blocks(
    call: &mut Call<'_>,
    blocks: *mut c_int,
    function: CUfunction,
    block: c_int,
    dynamic: usize,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { active_blocks_with_flags(call, blocks, function, block, dynamic, 0) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn active_blocks_with_flags(
    call: &mut Call<'_>,
    blocks: *mut c_int,
    function: CUfunction,
    block: c_int,
    dynamic: usize,
    flags: c_uint,
) -> Answer {
    check_flags(flags)?;
    let function = call.launchable(function)?;
    call.function(function)?;
    // No threads are INVALID_VALUE (measured).
    let threads = u64::try_from(block).ok().filter(|threads| *threads > 0);
    let threads = threads.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    let value = call.blocks_at_once(function, threads, dynamic as u64)?;
    // SAFETY: the program's promise.
    unsafe { put(blocks, value as c_int) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn potential_block_size(
    call: &mut Call<'_>,
    grid: *mut c_int,
    block: *mut c_int,
    function: CUfunction,
    size: CUoccupancyB2DSize,
    dynamic: usize,
    limit: c_int,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { potential_block_size_with_flags(call, grid, block, function, size, dynamic, limit, 0) }
}

/// The size of blocks that fills a multiprocessor best; of several, the largest.
///
/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)] // the driver's own
pub(super) unsafe fn potential_block_size_with_flags(
    call: &mut Call<'_>,
    grid: *mut c_int,
    block: *mut c_int,
    function: CUfunction,
    size: CUoccupancyB2DSize,
    dynamic: usize,
    limit: c_int,
    flags: c_uint,
) -> Answer {
    check_flags(flags)?;
    if grid.is_null() || block.is_null() || limit < 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let function = call.launchable(function)?;
    let (found, _, kernel) = call.function(function)?;
    let device = call.state.live_context(found.context)?.device;
    let mut most = call.max_threads(found, kernel);
    if limit > 0 {
        most = most.min(limit.unsigned_abs().into());
    }
    let mut best = (0, 0, 0);
    let whole_warps = (1..=most as u32 / WARP as u32).rev().map(|warps| u64::from(warps) * WARP);
    for threads in whole_warps.chain((most < WARP).then_some(most)) {
        let dynamic = match size {
            // A call of the driver in it would wait for this one forever, so it is refused.
            // SAFETY: the program's promise about its function.
            Some(size) => super::callback::in_call(|| unsafe { size(threads as c_int) }),
            None => dynamic,
        };
        let blocks = call.blocks_at_once(function, threads, dynamic as u64)?;
        if blocks * threads > best.0 {
            best = (blocks * threads, threads, blocks);
        }
    }
    let multiprocessors = call.state.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    // SAFETY: the program's promise.
    unsafe { put(grid, (best.2 * multiprocessors) as c_int) }?;
    // SAFETY: the program's promise.
    unsafe { put(block, best.1 as c_int) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn available_shared(
    call: &mut Call<'_>,
    size: *mut usize,
    function: CUfunction,
    blocks: c_int,
    block: c_int,
) -> Answer {
    let function = call.launchable(function)?;
    let (found, _, kernel) = call.function(function)?;
    let device = call.state.live_context(found.context)?.device;
    let count = u64::try_from(blocks).ok().filter(|blocks| *blocks > 0 && block > 0);
    let count = count.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    let limit = |attribute| call.state.limit_of(device, attribute);
    let each = limit(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) / count;
    let own = call.reserved_shared(device) + u64::from(kernel.static_shared);
    let room = (each & !(SHARED_UNIT - 1)).saturating_sub(own);
    let most = limit(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    let room = room.min(most.saturating_sub(u64::from(kernel.static_shared)));
    // SAFETY: the program's promise.
    unsafe { put(size, room as usize) }
}
