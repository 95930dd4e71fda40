//! Checks of kernels, and reports of their mistakes.

mod access_check;
mod barrier_check;
mod init_check;
mod launch_check;
mod nearest;
mod race_check;
mod stream_check;
mod telling;

pub(crate) use launch_check::LaunchCheck;
pub(crate) use telling::Launched;

use crate::driver::State;
use crate::driver::memory::malloc_heap::ContextHeap;
use access_check::AccessCheck;
use barrier_check::BarrierCheck;
use cuda_sim_engine::Segment;
use cuda_sys::{CUdevice, CUdevice_attribute_enum as Attribute};
use init_check::InitCheck;
use launch_check::Checks;
use race_check::RaceCheck;
use std::sync::Arc;
use stream_check::StreamCheck;

/// First address that only devices have. All host addresses are lower.
const FIRST_DEVICE_ADDRESS: u64 = 1 << 48;

impl State {
    /// Returns the check for a launch that begins now, or `None` if all checks are off.
    ///
    /// The blocks have this size, and their shared memory ends at an offset. `heap` is the heap of `malloc`, if the
    /// launch may call it. The device addresses of page-locked memory differ from the host addresses by `host_offset`.
    pub(crate) fn new_check(
        &self,
        block: [u32; 3],
        shared_end: u64,
        host_offset: u64,
        malloc_heap: Option<Arc<ContextHeap>>,
    ) -> Option<Arc<LaunchCheck>> {
        let config = &self.config;
        let threads = block.iter().product();
        let checks = Checks {
            accesses: config.memcheck.then(|| AccessCheck::new(shared_end, malloc_heap)),
            reads: self.heap.written.clone().map(InitCheck),
            races: config.racecheck.then(|| RaceCheck::new(threads)),
            streams: self.order.clone().map(|order| StreamCheck { order, host_offset }),
            barriers: config.synccheck.then(|| BarrierCheck::new(threads)),
        };
        let is_on =
            config.memcheck || config.initcheck || config.racecheck || config.streamcheck || config.synccheck;
        is_on.then(|| Arc::new(LaunchCheck::new(checks)))
    }

    /// Updates the memory in the check of a launch while the kernel runs, from the segments that the kernel can access.
    pub(crate) fn renew_check(
        &self,
        check: &LaunchCheck,
        device: CUdevice,
        workspace: u64,
        segments: &[Segment],
    ) {
        if !check.needs_memory() {
            return;
        }
        let reaches_host = self.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) != 0;
        // If kernels can access all memory of the host, most of it does not belong to the driver.
        let is_of_driver =
            |base: u64| base >= FIRST_DEVICE_ADDRESS || self.heap.ranges.reservation(base).is_some();
        let checked = segments.iter().filter(|segment| !reaches_host || is_of_driver(segment.base));
        let checked = checked.map(|segment| segment.base..segment.base + segment.len).collect();
        let offset = self.host_offset(device);
        let allocations = self.heap.addressed().map(|found| {
            let has_offset = found.kind.is_host() && !found.kind.is_mapped();
            let base = if has_offset { found.base + offset } else { found.base };
            base..base + found.size
        });
        let workspace = (workspace != 0).then_some(workspace..workspace + 16);
        check.set_memory(checked, allocations.chain(workspace).collect());
    }
}
