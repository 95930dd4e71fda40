//! Which block, or cluster of blocks, runs next.

use std::collections::VecDeque;

use super::cluster::Cluster;
use super::random_order::{Permutation, Random};

/// How many unfinished blocks there may be at once: as many as a large device would run.
const RESIDENT: u64 = 132 * 16;
/// Fewer, if they would take more memory than this; but never fewer than a device has multiprocessors.
const RESIDENT_BYTES: u64 = 2 << 30;
const RESIDENT_LEAST: u64 = 132;

/// How many steps of its warps a block gets before others have their turn.
const SLICE: u64 = 1 << 20;

/// The clusters of a launch that have not finished. Without clusters, each block is one.
#[derive(Debug)]
pub(super) struct Schedule {
    count: u64,
    /// How many have been begun.
    begun: u64,
    /// How many may be unfinished at once.
    resident: u64,
    /// How many have finished.
    finished: u64,
    /// The cycles of those that have finished: of the longest, and of all.
    longest: u64,
    total: u64,
    /// Steps that were executed since one finished.
    fruitless: u64,
    /// Those that were begun, and wait for their turn.
    suspended: VecDeque<Turn>,
    order: Option<(Permutation, Random)>,
}

/// A cluster, and how much longer it may run before others do.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) cluster: Cluster,
    pub(super) left: u64,
}

/// What to do next.
#[derive(Debug)]
pub(super) enum Task {
    /// Begin the cluster of this number, which may run for so long.
    Begin { number: u64, left: u64 },
    /// Go on with a cluster.
    Resume(Turn),
}

impl Schedule {
    /// `bytes` is what the state of one block takes, roughly.
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

    /// Whether every block has finished.
    pub(super) fn is_finished(&self) -> bool {
        self.finished == self.count
    }

    /// How many blocks nobody runs now.
    pub(super) fn waiting(&self) -> u64 {
        self.count - self.begun + self.suspended.len() as u64
    }

    /// What to do next, unless all that is left to do is being done.
    pub(super) fn next(&mut self) -> Option<Task> {
        // Who has not used up its time goes on.
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

    /// Takes back a cluster that can go on.
    pub(super) fn suspend(&mut self, turn: Turn) {
        if turn.left == 0 {
            self.suspended.push_back(turn);
        } else {
            self.suspended.push_front(turn);
        }
    }

    /// Notes that a cluster has finished, and how many cycles each of its blocks took.
    pub(super) fn finish(&mut self, cycles: impl Iterator<Item = u64>) {
        self.finished += 1;
        for cycles in cycles {
            self.longest = self.longest.max(cycles);
            self.total = self.total.saturating_add(cycles);
        }
        self.fruitless = 0;
    }

    /// Notes that steps were executed, and no block has finished.
    pub(super) fn spend(&mut self, steps: u64) {
        self.fruitless = self.fruitless.saturating_add(steps);
    }

    /// How many steps are left of `limit` before some block has to finish.
    pub(super) fn left(&self, limit: u64) -> u64 {
        limit.saturating_sub(self.fruitless)
    }

    /// How many cycles the blocks that have finished take on a device that runs `at_once` of them at once.
    pub(super) fn cycles(&self, at_once: u64) -> u64 {
        self.longest.max(self.total.div_ceil(at_once.max(1)))
    }

    /// Gives up everything that has not finished.
    pub(super) fn abandon(&mut self) {
        self.begun = self.count;
        self.finished = self.count;
        self.suspended.clear();
    }
}
