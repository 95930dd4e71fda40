//! The order in which blocks, or clusters of blocks, run.

use std::collections::VecDeque;

use super::cluster::Cluster;
use super::random_order::{Permutation, Random};

/// Limit of unfinished blocks at once: as many as a large device runs.
const RESIDENT: u64 = 132 * 16;
/// Limit of the memory of unfinished blocks, in bytes. If these wait for others, at least as many blocks as a device has
/// multiprocessors may be unfinished.
const RESIDENT_BYTES: u64 = 2 << 30;
const RESIDENT_LEAST: u64 = 132;

/// Steps in which no block finishes, before blocks may wait for others in a manner that the engine does not recognise.
const PATIENCE: u64 = 1 << 31;

/// Steps of the warps of a block before others have their turn.
const SLICE: u64 = 1 << 20;

/// Unfinished clusters of a launch. Without clusters, each block is one.
#[derive(Debug)]
pub(super) struct Schedule {
    count: u64,
    /// Number of clusters that have begun.
    begun: u64,
    /// Limit of unfinished clusters at once, and the limit unless all of them wait for others.
    resident: u64,
    affordable: u64,
    /// Steps in which no cluster finishes, before the second limit no longer holds.
    patience: u64,
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
    /// Creates the schedule of a launch. `bytes` is the approximate size of the state of one cluster, and `limit` the
    /// number of steps before some cluster must finish. Each of the `workers` has a cluster.
    pub(super) fn new(count: u64, bytes: u64, limit: u64, order: Option<u64>, workers: usize) -> Self {
        let order = order.map(|seed| (Permutation::new(count, seed), Random::new(seed, count)));
        let affordable =
            (RESIDENT_BYTES / bytes.max(1)).clamp((workers.max(1) as u64).min(RESIDENT_LEAST), RESIDENT);
        Self {
            count,
            begun: 0,
            resident: affordable.max(RESIDENT_LEAST),
            affordable,
            patience: PATIENCE.min(limit / 2),
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
        let may_begin = self.begun < self.count && self.has_room();
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
        // If others may begin only after a cluster has finished, its turns become longer until one does.
        let is_awaited = self.begun < self.count && !may_begin && self.unfinished() < self.resident;
        let longer = self.fruitless.min(self.patience.saturating_sub(self.fruitless));
        let left = if is_awaited { longer.max(SLICE) } else { SLICE };
        Some(Task::Resume(Turn { left, ..turn }))
    }

    fn unfinished(&self) -> u64 {
        self.begun - self.finished
    }

    /// Returns whether another cluster may be unfinished.
    fn has_room(&self) -> bool {
        if self.unfinished() < self.affordable {
            return true;
        }
        // A cluster that another thread runs may finish.
        let all_wait =
            || !self.suspended.is_empty() && self.suspended.iter().all(|turn| turn.cluster.watches());
        self.unfinished() < self.resident && (self.fruitless >= self.patience || all_wait())
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
