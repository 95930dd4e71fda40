//! Products of four warps in progress: which warps have arrived at, and executed, which of them.
//!
//! A product begins when all four warps have arrived at it (conformance fact V1227).

use std::collections::VecDeque;

/// Warps that multiply together.
pub(super) const WARPS: usize = 4;
/// Limit of the incomplete lists of products of a warp. A wait for older ones ends at once.
const MOST_COMMITS: usize = 1 << 12;

/// Products of the warps of a block.
#[derive(Debug, Default)]
pub(super) struct GroupProducts(Vec<Group>);

/// Products of four warps.
#[derive(Debug, Default)]
struct Group {
    /// Number of products at which each warp has arrived.
    arrivals: [u64; WARPS],
    /// Number of products at which all warps have arrived.
    begun: u64,
    /// Number of products that each warp has executed.
    counts: [u64; WARPS],
    /// Number of products that all warps have executed.
    done: u64,
    /// Number of products before each `wgmma.commit_group` of each warp. Those that are done are left out.
    commits: [VecDeque<u64>; WARPS],
}

impl Group {
    /// Notes which products are done. `live` has the lanes of each warp that have not exited.
    fn settle(&mut self, live: &[u32]) {
        let of_all = |counts: &[u64; WARPS]| {
            let counts = counts.iter().zip(live).filter(|(_, lanes)| **lanes != 0);
            counts.map(|(count, _)| *count).min().unwrap_or(u64::MAX)
        };
        (self.begun, self.done) = (of_all(&self.arrivals), of_all(&self.counts));
        for commits in &mut self.commits {
            while commits.front().is_some_and(|count| *count <= self.done) {
                commits.pop_front();
            }
        }
    }
}

impl GroupProducts {
    pub(super) fn reset(&mut self) {
        self.0.clear();
    }

    fn of_warp(&mut self, warp: u32) -> &mut Group {
        let index = warp as usize / WARPS;
        if self.0.len() <= index {
            self.0.resize_with(index + 1, Group::default);
        }
        &mut self.0[index]
    }

    /// Counts the arrival of a warp at a product. Returns the number of its arrivals.
    pub(super) fn arrive(&mut self, warp: u32, live: &[u32]) -> u64 {
        let group = self.of_warp(warp);
        let arrivals = &mut group.arrivals[warp as usize % WARPS];
        *arrivals += 1;
        let count = *arrivals;
        group.settle(live.get(warp as usize / WARPS * WARPS..).unwrap_or_default());
        count
    }

    /// Returns whether all warps have arrived at the first `count` products of their four.
    pub(super) fn has_begun(&self, warp: u32, count: u64) -> bool {
        self.0.get(warp as usize / WARPS).is_none_or(|group| group.begun >= count)
    }

    /// Counts a product that a warp has executed.
    pub(super) fn count(&mut self, warp: u32, live: &[u32]) {
        let group = self.of_warp(warp);
        group.counts[warp as usize % WARPS] += 1;
        group.settle(live.get(warp as usize / WARPS * WARPS..).unwrap_or_default());
    }

    /// Ends a list of products of a warp (`wgmma.commit_group`).
    pub(super) fn commit(&mut self, warp: u32) {
        let group = self.of_warp(warp);
        let count = group.counts[warp as usize % WARPS];
        let commits = &mut group.commits[warp as usize % WARPS];
        // Empty lists after this one end with it.
        if count > group.done {
            if commits.len() == MOST_COMMITS {
                commits.pop_front();
            }
            commits.push_back(count);
        }
    }

    /// Returns the product for which a warp waits, so that at most `pending` of its lists are incomplete.
    pub(super) fn awaited(&mut self, warp: u32, pending: usize) -> u64 {
        let commits = &self.of_warp(warp).commits[warp as usize % WARPS];
        let last = pending.checked_add(1).and_then(|newer| commits.len().checked_sub(newer));
        last.and_then(|last| commits.get(last)).copied().unwrap_or(0)
    }

    /// Returns whether all warps have executed the first `count` products of their four.
    pub(super) fn is_done(&self, warp: u32, count: u64) -> bool {
        self.0.get(warp as usize / WARPS).is_none_or(|group| group.done >= count)
    }

    /// Notes that threads have exited.
    pub(super) fn settle(&mut self, live: &[u32]) {
        for (group, live) in self.0.iter_mut().zip(live.chunks(WARPS)) {
            group.settle(live);
        }
    }
}
