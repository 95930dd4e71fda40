//! Checks of what kernels do, and reports of their mistakes.

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

/// Device addresses lie above those of the host.
const FIRST_DEVICE_ADDRESS: u64 = 1 << 48;

impl State {
    /// The check of a launch with blocks of this size that begins now, whose shared memory ends at an offset, and which may call
    /// `malloc` on a heap. Page-locked memory is at other addresses by `host_offset`. `None` if nothing is checked.
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

    /// Tells the check of a launch which memory there is while the kernel goes on, given what the kernel reaches.
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
        // Where kernels reach all memory of the host, most of it is none of the driver's.
        let checked = segments.iter().filter(|segment| !reaches_host || segment.base >= FIRST_DEVICE_ADDRESS);
        let checked = checked.map(|segment| segment.base..segment.base + segment.len).collect();
        let offset = self.host_offset(device);
        let allocations = self.heap.addressed().map(|found| {
            let base = if found.kind.is_host() { found.base + offset } else { found.base };
            base..base + found.size
        });
        let workspace = (workspace != 0).then_some(workspace..workspace + 16);
        check.set_memory(checked, allocations.chain(workspace).collect());
    }
}
