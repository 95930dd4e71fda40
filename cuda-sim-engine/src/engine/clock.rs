//! The time of a block, in cycles of the device's clock.
//!
//! Every block of a launch begins with the kernel. A step of a warp takes one cycle of its block, in which no other warp of
//! the block makes a step. Nothing depends on the speed of the host.

use crate::launch::Timing;

/// Steps that a turn of a warp counts as, beside those that it executes.
pub(super) const TURN_STEPS: u64 = 8;
/// Steps that sleeping counts as.
pub(super) const SLEEP_STEPS: u64 = 32;
/// Steps that a load or store of global memory counts as, beside its own, which other threads may watch.
pub(super) const STRONG_STEPS: u64 = 12;
/// Cycles that reading the clock takes.
const READ_CYCLES: u64 = 64;
/// The longest sleep, in nanoseconds, as the PTX manual says.
const LONGEST_SLEEP: u32 = 1_000_000;

/// The clock of a block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Clock {
    /// Steps that warps have executed: the measure of work.
    pub(super) steps: u64,
    /// Cycles in which no warp executed anything.
    ahead: u64,
}

/// Steps that an atomic operation of some lanes counts as, beside its own.
pub(super) fn atomic_steps(mask: u32) -> u64 {
    4 + 2 * u64::from(mask.count_ones())
}

/// How many steps one place is behind another.
#[inline(always)]
fn distance(from: u32, to: u32) -> u64 {
    u64::from(to).wrapping_sub(u64::from(from))
}

impl Clock {
    /// Cycles since the block began.
    pub(super) fn cycles(&self) -> u64 {
        self.steps.saturating_add(self.ahead)
    }

    /// Counts work beyond the steps themselves.
    pub(super) fn work(&mut self, steps: u64) {
        self.steps = self.steps.wrapping_add(steps);
    }

    /// Counts the steps of a group that went from one place to another, apart from its [branches](Self::branch).
    #[inline(always)]
    pub(super) fn pass(&mut self, from: u32, to: u32) {
        self.steps = self.steps.wrapping_add(distance(from, to));
    }

    /// Makes up for a branch, since steps are counted by how far a group gets. In between, the count may be below zero.
    #[inline(always)]
    pub(super) fn branch(&mut self, from: u32, to: u32) {
        self.steps = self.steps.wrapping_add(distance(to, from).wrapping_add(1));
    }

    /// The cycles at which a group reads the clock that has got from one place to another and is not counted yet.
    pub(super) fn read(&mut self, from: u32, to: u32) -> u64 {
        self.ahead = self.ahead.saturating_add(READ_CYCLES);
        self.steps.wrapping_add(distance(from, to)).saturating_add(self.ahead)
    }

    /// Waits until `cycles`.
    pub(super) fn skip_to(&mut self, cycles: u64) {
        self.ahead = self.ahead.max(cycles.saturating_sub(self.steps));
    }

    /// When a thread wakes up that begins to sleep now.
    pub(super) fn wake_after(&self, nanoseconds: u32, timing: &Timing) -> u64 {
        self.cycles().saturating_add(timing.cycles(nanoseconds.min(LONGEST_SLEEP).into()))
    }
}
