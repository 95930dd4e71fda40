//! The time of a block, in cycles of the device's clock.
//!
//! All blocks of a launch begin with the kernel. A step of a warp takes one cycle of its block. In this cycle, no other
//! warp of the block makes a step. Time does not depend on the speed of the host.

use crate::launch::Timing;

/// Additional steps that a turn of a warp counts.
pub(super) const TURN_STEPS: u64 = 8;
/// Steps that sleeping counts.
pub(super) const SLEEP_STEPS: u64 = 32;
/// Additional steps of a global load or store that other threads may observe.
pub(super) const STRONG_STEPS: u64 = 12;
/// Cycles of a read of the clock.
const READ_CYCLES: u64 = 64;
/// Longest sleep in nanoseconds, according to the PTX manual.
const LONGEST_SLEEP: u32 = 1_000_000;

/// Clock of a block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Clock {
    /// Steps that warps have executed, as the measure of work.
    pub(super) steps: u64,
    /// Cycles in which no warp executed a step.
    ahead: u64,
}

/// Returns the additional steps of an atomic operation of some lanes.
pub(super) fn atomic_steps(mask: u32) -> u64 {
    4 + 2 * u64::from(mask.count_ones())
}

/// Returns the number of steps between two positions.
#[inline(always)]
fn distance(from: u32, to: u32) -> u64 {
    u64::from(to).wrapping_sub(u64::from(from))
}

impl Clock {
    /// Returns the cycles since the block began.
    pub(super) fn cycles(&self) -> u64 {
        self.steps.saturating_add(self.ahead)
    }

    /// Counts work beyond the steps themselves.
    pub(super) fn work(&mut self, steps: u64) {
        self.steps = self.steps.wrapping_add(steps);
    }

    /// Counts the steps of a group between two positions, except its [branches](Self::branch).
    #[inline(always)]
    pub(super) fn pass(&mut self, from: u32, to: u32) {
        self.steps = self.steps.wrapping_add(distance(from, to));
    }

    /// Corrects the count for a branch, because steps are counted by position. Until then, the count may be negative.
    #[inline(always)]
    pub(super) fn branch(&mut self, from: u32, to: u32) {
        self.steps = self.steps.wrapping_add(distance(to, from).wrapping_add(1));
    }

    /// Reads the clock for a group whose steps between two positions are not counted yet.
    pub(super) fn read(&mut self, from: u32, to: u32) -> u64 {
        self.ahead = self.ahead.saturating_add(READ_CYCLES);
        self.steps.wrapping_add(distance(from, to)).saturating_add(self.ahead)
    }

    /// Waits until `cycles`.
    pub(super) fn skip_to(&mut self, cycles: u64) {
        self.ahead = self.ahead.max(cycles.saturating_sub(self.steps));
    }

    /// Returns the cycle at which a thread wakes that falls asleep now.
    pub(super) fn wake_after(&self, nanoseconds: u32, timing: &Timing) -> u64 {
        self.cycles().saturating_add(timing.cycles(nanoseconds.min(LONGEST_SLEEP).into()))
    }
}
