//! Allocations near an address, for reports: those that there are, and those that there were.

use super::{Allocation, Heap};
use crate::driver::call_site::CallSite;
use std::collections::VecDeque;

/// How many freed allocations are remembered.
const REMEMBERED: usize = 1024;

/// The last allocations that were freed.
#[derive(Debug, Default)]
pub(super) struct History(VecDeque<Allocation>);

impl History {
    /// Notes that an allocation is freed, by `present` unless another call has asked for it.
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
    /// All allocations with an address, those that are queued to be freed included.
    pub(crate) fn addressed(&self) -> impl Iterator<Item = &Allocation> {
        self.allocations.values().filter(|found| !found.kind.is_internal())
    }

    /// The allocation that holds an address.
    pub(crate) fn at(&self, address: u64) -> Option<&Allocation> {
        let (_, found) = self.allocations.at_or_before(address)?;
        (address - found.base < found.size && !found.kind.is_internal()).then_some(found)
    }

    /// The allocation that held an address, the last one that was freed.
    pub(crate) fn freed_at(&self, address: u64) -> Option<&Allocation> {
        let held = |found: &&Allocation| address >= found.base && address - found.base < found.size;
        self.history.0.iter().rev().find(held)
    }

    /// The allocations around an address: the last one that begins before it, and the first one that begins after it.
    pub(crate) fn around(&self, address: u64) -> [Option<&Allocation>; 2] {
        let known = |found: &&Allocation| !found.kind.is_internal();
        let before = self.allocations.range(..=address).rev().map(|(_, found)| found).find(known);
        let after = self.allocations.range(address..).map(|(_, found)| found).find(known);
        [before, after]
    }
}
