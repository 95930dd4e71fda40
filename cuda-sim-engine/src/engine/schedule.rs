//! The order in which blocks, or clusters of blocks, run.

use std::collections::VecDeque;

use super::cluster::Cluster;
use super::random_order::{Permutation, Random};

/// Limit of unfinished blocks at once: as many as a large device runs.
const RESIDENT: u64 = 132 * 16;
/// Limit of the memory of unfinished blocks, in bytes. At least as many blocks as a device has multiprocessors are
/// always allowed.
const RESIDENT_BYTES: u64 = 2 << 30;
const RESIDENT_LEAST: u64 = 132;

/// Steps of the warps of a block before others have their turn.
const SLICE: u64 = 1 << 20;

/// Unfinished clusters of a launch. Without clusters, each block is one.
#[derive(Debug)]
pub(super) struct Schedule {
    count: u64,
    /// Number of clusters that have begun.
    begun: u64,
    /// Limit of unfinished clusters at once.
    resident: u64,
    /// Number of clusters that have finished.
    finished: u64,
    /// Cycles of the finished clusters: of the longest, and of all.
    longest: u64,
    total: u64,
    /// Steps executed since a cluster finished.
    fruitless: u64,
    /// Clusters that have begun and wait for their turn.
    suspended: VecDeque<Turn>,
    order: Option<(Permutation, Random)>,
}

/// Cluster, and the steps that it may run before others do.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) cluster: Cluster,
    pub(super) left: u64,
}

/// Next task.
#[derive(Debug)]
pub(super) enum Task {
    /// Start of the cluster with this number, which may run `left` steps.
    Begin { number: u64, left: u64 },
    /// Continuation of a cluster.
    Resume(Turn),
}

impl Schedule {
    /// Creates the schedule of a launch. `bytes` is the approximate size of the state of one block.
    pub(super) fn new(count: u64, bytes: u64, order: Option<u64>) -> Self {
        let order = order.map(|seed| (Permutation::new(count, seed), Random::new(seed, count)));
        let resident = (RESIDENT_BYTES / bytes.max(1)).clamp(RESIDENT_LEAST, RESIDENT);
        Self {
            count,
            begun: 0,
            resident,
            finished: 0,
            longest: 0,
            total: 0,
            fruitless: 0,
            suspended: VecDeque::new(),
            order,
        }
    }

    /// Returns whether every block has finished.
    pub(super) fn is_finished(&self) -> bool {
        self.finished == self.count
    }

    /// Returns the number of blocks that are not running.
    pub(super) fn waiting(&self) -> u64 {
        self.count - self.begun + self.suspended.len() as u64
    }

    /// Returns the next task, or `None` if other threads run all remaining ones.
    pub(super) fn next(&mut self) -> Option<Task> {
        // A cluster that has time left continues.
        if self.suspended.front().is_some_and(|turn| turn.left != 0) {
            return self.suspended.pop_front().map(Task::Resume);
        }
        let may_begin = self.begun < self.count && self.begun - self.finished < self.resident;
        let waiting = self.suspended.len() as u64;
        let begin = match &mut self.order {
            Some((_, random)) if may_begin => random.below(waiting + 1) == 0,
            _ => may_begin,
        };
        if begin {
            let number = match &self.order {
                Some((permutation, _)) => permutation.at(self.begun),
                None => self.begun,
            };
            self.begun += 1;
            return Some(Task::Begin { number, left: SLICE });
        }
        let chosen = match &mut self.order {
            Some((_, random)) => random.below(waiting) as usize,
            None => 0,
        };
        let turn = self.suspended.remove(chosen)?;
        Some(Task::Resume(Turn { left: SLICE, ..turn }))
    }

    /// Takes back a cluster that can continue.
    pub(super) fn suspend(&mut self, turn: Turn) {
        if turn.left == 0 {
            self.suspended.push_back(turn);
        } else {
            self.suspended.push_front(turn);
        }
    }

    /// Records that a cluster has finished, and the cycles of each of its blocks.
    pub(super) fn finish(&mut self, cycles: impl Iterator<Item = u64>) {
        self.finished += 1;
        for cycles in cycles {
            self.longest = self.longest.max(cycles);
            self.total = self.total.saturating_add(cycles);
        }
        self.fruitless = 0;
    }

    /// Records executed steps in which no block has finished.
    pub(super) fn spend(&mut self, steps: u64) {
        self.fruitless = self.fruitless.saturating_add(steps);
    }

    /// Returns how many steps of `limit` are left before some block must finish.
    pub(super) fn left(&self, limit: u64) -> u64 {
        limit.saturating_sub(self.fruitless)
    }

    /// Returns the cycles of the finished blocks on a device that runs `at_once` of them at once.
    pub(super) fn cycles(&self, at_once: u64) -> u64 {
        self.longest.max(self.total.div_ceil(at_once.max(1)))
    }

    /// Discards everything that has not finished.
    pub(super) fn abandon(&mut self) {
        self.begun = self.count;
        self.finished = self.count;
        self.suspended.clear();
    }
}
