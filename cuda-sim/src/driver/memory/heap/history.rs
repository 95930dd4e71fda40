//! Live and freed allocations near an address, for reports.

use super::{Allocation, Heap};
use crate::driver::call_site::CallSite;
use std::collections::VecDeque;

/// Limit of the freed allocations that are kept.
const REMEMBERED: usize = 1024;

/// Freed allocations, the most recent last.
#[derive(Debug, Default)]
pub(super) struct History(VecDeque<Allocation>);

impl History {
    /// Records that an allocation is freed, by `present` unless another call has requested it.
    pub(super) fn note(&mut self, allocation: &Allocation, present: CallSite) {
        if allocation.kind.is_internal() {
            return;
        }
        if self.0.len() == REMEMBERED {
            self.0.pop_front();
        }
        let freed_by = if allocation.is_freed { allocation.freed_by } else { present };
        self.0.push_back(Allocation { is_freed: true, freed_by, ..*allocation });
    }
}

impl Heap {
    /// Returns all allocations with an address, including those whose free is queued.
    pub(crate) fn addressed(&self) -> impl Iterator<Item = &Allocation> {
        self.allocations.values().filter(|found| !found.kind.is_internal())
    }

    /// Returns the allocation that contains an address.
    pub(crate) fn at(&self, address: u64) -> Option<&Allocation> {
        let (_, found) = self.allocations.at_or_before(address)?;
        (address - found.base < found.size && !found.kind.is_internal()).then_some(found)
    }

    /// Returns the most recently freed allocation that contained an address.
    pub(crate) fn freed_at(&self, address: u64) -> Option<&Allocation> {
        let held = |found: &&Allocation| address >= found.base && address - found.base < found.size;
        self.history.0.iter().rev().find(held)
    }

    /// Returns the allocations around an address: the last one that begins before it, and the first one that begins
    /// after it.
    pub(crate) fn around(&self, address: u64) -> [Option<&Allocation>; 2] {
        let known = |found: &&Allocation| !found.kind.is_internal();
        let before = self.allocations.range(..=address).rev().map(|(_, found)| found).find(known);
        let after = self.allocations.range(address..).map(|(_, found)| found).find(known);
        [before, after]
    }
}
