//! Accesses of kernels outside of allocations that do not fault.

use super::launch_check::{Findings, Mistake, ThreadAccess, ThreadPlace};
use crate::driver::memory::address_ranges;
use crate::driver::memory::malloc_heap::ContextHeap;
use core::ops::Range;
use cuda_sim_engine::{ObservedAccess, ObservedSpace};
use std::sync::Arc;

/// Unit of shared memory: accesses outside of units fault.
const SHARED_UNIT: u64 = 1024;

/// Memory of a launch.
#[derive(Debug, Default)]
pub(super) struct AccessCheck {
    /// Mapped addresses. Accesses to other addresses fault.
    mapped: Vec<Range<u64>>,
    /// Addresses of allocations.
    allocated: Vec<Range<u64>>,
    /// End of the shared memory of a block.
    shared_end: u64,
    /// Heap of `malloc` in the kernel. Its blocks change while the kernel runs.
    malloc_heap: Option<Arc<ContextHeap>>,
}

/// Returns whether one of some sorted ranges contains `size` bytes at an address.
fn holds(ranges: &[Range<u64>], address: u64, size: u64) -> bool {
    let after = ranges.partition_point(|range| range.start <= address);
    let range = after.checked_sub(1).and_then(|index| ranges.get(index));
    range.is_some_and(|range| address < range.end && size <= range.end - address)
}

impl AccessCheck {
    pub(super) fn new(shared_end: u64, malloc_heap: Option<Arc<ContextHeap>>) -> AccessCheck {
        AccessCheck { shared_end, malloc_heap, ..AccessCheck::default() }
    }

    /// Sets the mapped addresses and the allocations among them.
    pub(super) fn set_memory(&mut self, mapped: Vec<Range<u64>>, allocated: Vec<Range<u64>>) {
        self.mapped = address_ranges::merged(mapped);
        self.allocated = address_ranges::merged(allocated);
    }

    pub(super) fn access(&self, access: &ObservedAccess<'_>, findings: &mut Findings) {
        for thread in access.threads {
            let mut parts = access.parts(thread).map(|(address, size)| (address, u64::from(size)));
            let outside = parts.find(|(address, size)| match access.space {
                ObservedSpace::Global => {
                    let of_malloc =
                        || self.malloc_heap.as_ref().is_some_and(|heap| heap.holds(*address, *size));
                    !holds(&self.allocated, *address, *size) && !of_malloc()
                }
                ObservedSpace::Shared => address.saturating_add(*size) > self.shared_end,
            });
            if let Some((address, size)) = outside
                && !self.faults(access.space, thread.address, access.size.into())
            {
                let at = ThreadPlace { site: access.site, block: access.block.index, thread: thread.number };
                let own = ThreadAccess { kind: access.kind, address, size };
                findings.note(at, Mistake::OutOfBounds(access.space, own));
            }
        }
    }

    /// Returns whether an access faults. It is reported elsewhere then.
    fn faults(&self, space: ObservedSpace, address: u64, size: u64) -> bool {
        match space {
            ObservedSpace::Global => !holds(&self.mapped, address, size),
            ObservedSpace::Shared => {
                address.saturating_add(size) > self.shared_end.next_multiple_of(SHARED_UNIT)
            }
        }
    }
}
