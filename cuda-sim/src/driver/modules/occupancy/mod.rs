//! Occupancy: how many blocks of a kernel a multiprocessor holds.
//!
//! The number of registers depends on the compiler for real devices, so the engine estimates it. If registers limit the
//! result, the result is an estimate. Otherwise it is the result of an H200. Devices of other profiles have their own
//! limits, but the allocation units below are those of an H200. Queries accept kernels of libraries as well as
//! functions.

#![allow(unsafe_code)]

mod clusters;

pub(crate) use clusters::{active_clusters, cluster_size};

use crate::driver::handles::Handle;
use crate::driver::modules::function::Function;
use crate::driver::{Answer, Call, Continuation, Waiting, put};
use core::ffi::{c_int, c_uint};
use cuda_sim_engine::{Kernel, MAX_THREADS};
use cuda_sys::{
    CUdevice_attribute_enum as Attribute, CUfunc_cache_enum as CUfunc_cache, CUfunction,
    CUoccupancy_flags_enum as Flags, CUoccupancyB2DSize, CUresult,
};

pub(crate) const WARP: u64 = 32;
/// Unit of the registers of a warp.
const REGISTER_UNIT: u64 = 256;
/// Unit of shared memory in bytes.
const SHARED_UNIT: u64 = 128;
/// Partitions of a multiprocessor, each with its own registers and warps.
const PARTS: u64 = 4;
/// Possible sizes of the shared memory of a multiprocessor in KiB, in addition to the largest size.
const SPLITS: [u64; 8] = [8, 16, 32, 64, 100, 132, 164, 196];

/// Returns the number of warps of a kernel for which there are registers.
pub(crate) fn warps_with_registers(kernel: &Kernel, registers: u64) -> u64 {
    let warp = (u64::from(kernel.registers.max(1)) * WARP).next_multiple_of(REGISTER_UNIT);
    registers / PARTS / warp * PARTS
}

/// Split of the memory between shared memory and the level-1 cache.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Split {
    /// According to the kernel's preference.
    Wished,
    /// The least shared memory if the kernel prefers 0 percent, otherwise the most. Used in the search for the best
    /// block size (measured).
    LeastAlone,
}

impl Call<'_> {
    fn limit(&self, function: &Function, attribute: Attribute) -> u64 {
        let device = self.state.contexts.get(function.context).map_or(0, |context| context.device);
        self.state.limit_of(device, attribute)
    }

    /// Returns the number of blocks of `threads` threads that fit on one multiprocessor at a time.
    pub(crate) fn blocks_at_once(&self, function: CUfunction, threads: u64, dynamic: u64) -> Answer<u64> {
        self.blocks(function, threads, dynamic, Split::Wished)
    }

    fn blocks(&self, function: CUfunction, threads: u64, dynamic: u64, split: Split) -> Answer<u64> {
        let (found, _, kernel) = self.function(function)?;
        if threads == 0 || dynamic > u64::from(found.max_dynamic_shared) {
            return Ok(0);
        }
        let needed = u64::from(kernel.static_shared) + self.reserved_shared(found) + dynamic;
        let shared = needed.next_multiple_of(SHARED_UNIT);
        let by_shared = self.shared_of_processor(found, shared, split).checked_div(shared);
        Ok(self.blocks_without_shared(found, kernel, threads).min(by_shared.unwrap_or(u64::MAX)))
    }

    /// Returns the number of blocks that fit if shared memory is not counted. The limits in the PTX of the kernel are
    /// ignored (measured).
    fn blocks_without_shared(&self, found: &Function, kernel: &Kernel, threads: u64) -> u64 {
        if threads > self.limit(found, Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK) {
            return 0;
        }
        let warps = threads.div_ceil(WARP).max(1);
        let registers = self.limit(found, Attribute::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
        let most = self.limit(found, Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / WARP;
        let warps_at_once = most.min(warps_with_registers(kernel, registers));
        let blocks = self.limit(found, Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
        blocks.min(warps_at_once / warps)
    }

    /// Returns the shared memory of a multiprocessor: the kernel's preference, but enough for one block.
    fn shared_of_processor(&self, found: &Function, block: u64, split: Split) -> u64 {
        let all = self.limit(found, Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
        let Some(percent) = found.shared_percent() else { return all };
        if split == Split::LeastAlone && percent > 0 {
            return all;
        }
        let enough = |bytes: &u64| *bytes * 100 >= all * percent && *bytes >= block;
        SPLITS.into_iter().map(|split| split << 10).find(enough).map_or(all, |bytes| bytes.min(all))
    }

    /// Returns the shared memory of each block that the system reserves.
    fn reserved_shared(&self, found: &Function) -> u64 {
        self.limit(found, Attribute::CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK)
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
pub(crate) unsafe fn active_blocks(
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
pub(crate) unsafe fn active_blocks_with_flags(
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
    // Zero threads are INVALID_VALUE (measured).
    let threads = u64::try_from(block).ok().filter(|threads| *threads > 0);
    let threads = threads.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    let value = call.blocks_at_once(function, threads, dynamic as u64)?;
    // SAFETY: the program's promise.
    unsafe { put(blocks, value as c_int) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn potential_block_size(
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

/// Returns the size of blocks with the highest occupancy; of several, the largest.
///
/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)] // the driver's own
pub(crate) unsafe fn potential_block_size_with_flags(
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
    let mut most = call.declared_threads(found, kernel).min(MAX_THREADS);
    if limit > 0 {
        most = most.min(limit.unsigned_abs().into());
    }
    let all = call.limit(found, Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    // A current green context limits the multiprocessors (measured).
    let multiprocessors = match call.state.part_of(call.state.current_green()) {
        Some(part) => part.len() as u64,
        None => call.state.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
    };
    let finish = move |best: Best| {
        // SAFETY: the program's promise.
        unsafe { put(grid, (best.blocks * multiprocessors) as c_int) }?;
        // SAFETY: the program's promise.
        unsafe { put(block, best.threads as c_int) }
    };
    let mut search = Search { function, most, all, warps: most.div_ceil(WARP), best: Best::default() };
    match size {
        Some(size) => {
            // SAFETY: the program guarantees its function.
            let dynamic_of = move |threads| unsafe { size(threads as c_int) };
            call.waiting = search.ask(dynamic_of, finish)?;
            Ok(())
        }
        None => {
            while let Some(threads) = search.next() {
                search.compare(call, threads, dynamic)?;
            }
            finish(search.best)
        }
    }
}

/// Size of blocks, and the number of them that a multiprocessor holds.
#[derive(Clone, Copy, Default)]
struct Best {
    threads: u64,
    blocks: u64,
}

/// Search for the size of blocks with the highest occupancy. It goes from the limit down, in steps of a warp, until a
/// size reaches full occupancy.
struct Search {
    function: CUfunction,
    most: u64,
    all: u64,
    /// Warps of the next size.
    warps: u64,
    best: Best,
}

impl Search {
    /// Returns the threads of the next size, if a better size is possible.
    fn next(&mut self) -> Option<u64> {
        let is_over = self.warps == 0 || self.best.threads * self.best.blocks == self.all;
        let warps = (!is_over).then_some(self.warps)?;
        self.warps -= 1;
        Some(self.most.min(warps * WARP))
    }

    fn compare(&mut self, call: &Call<'_>, threads: u64, dynamic: usize) -> Answer {
        let blocks = call.blocks(self.function, threads, dynamic as u64, Split::LeastAlone)?;
        if blocks * threads > self.best.threads * self.best.blocks {
            self.best = Best { threads, blocks };
        }
        Ok(())
    }

    /// Searches with the shared memory that the program's function returns for each size. The function runs without the
    /// machine's lock, so that it may use the [`Machine`](crate::Machine).
    fn ask(
        mut self,
        dynamic_of: impl Fn(u64) -> usize + Copy + 'static,
        finish: impl FnOnce(Best) -> Answer + 'static,
    ) -> Answer<Option<Waiting>> {
        let Some(threads) = self.next() else { return finish(self.best).map(|()| None) };
        let question = move || -> Continuation {
            let dynamic = crate::driver::queues::host_function::in_call(|| dynamic_of(threads));
            Box::new(move |state| {
                let call = Call { state, context: Handle::NULL, waiting: None };
                self.compare(&call, threads, dynamic)?;
                self.ask(dynamic_of, finish)
            })
        };
        Ok(Some(Waiting::ProgramCall(Box::new(question))))
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn available_shared(
    call: &mut Call<'_>,
    size: *mut usize,
    function: CUfunction,
    blocks: c_int,
    block: c_int,
) -> Answer {
    let function = call.launchable(function)?;
    let (found, _, kernel) = call.function(function)?;
    let positive = |number| u64::try_from(number).ok().filter(|number| *number > 0);
    let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
    let (count, threads) = (positive(blocks).ok_or(invalid)?, positive(block).ok_or(invalid)?);
    let declared = u64::from(kernel.static_shared);
    let least = (declared + call.reserved_shared(found)).next_multiple_of(SHARED_UNIT);
    let shared = call.shared_of_processor(found, least, Split::Wished);
    let at_once = call.blocks_without_shared(found, kernel, threads).min(shared / least.max(1));
    if count > at_once {
        return Err(invalid);
    }
    let most = u64::from(found.max_dynamic_shared);
    // For one block, the result is the limit of the function. For several blocks, the reserved memory of each block is
    // not counted (measured).
    let room = match count {
        1 => most,
        _ => most.min(((shared / count) & !(SHARED_UNIT - 1)).saturating_sub(declared)),
    };
    // SAFETY: the program's promise.
    unsafe { put(size, room as usize) }
}

impl Function {
    /// Returns the preferred share of the memory as shared memory, in percent.
    fn shared_percent(&self) -> Option<u64> {
        match (u64::try_from(self.carveout), self.cache) {
            (Ok(percent), _) => Some(percent),
            (Err(_), CUfunc_cache::CU_FUNC_CACHE_PREFER_L1) => Some(0),
            (Err(_), CUfunc_cache::CU_FUNC_CACHE_PREFER_EQUAL) => Some(50),
            (Err(_), _) => None,
        }
    }
}
