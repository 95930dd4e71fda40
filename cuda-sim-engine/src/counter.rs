//! Counts the instructions that a launch executes.
//!
//! Launches without a counter have no overhead. The loop counts in the same place where it checks a limit of steps.

use std::sync::atomic::{AtomicU64, Ordering};

/// Instructions that the threads of a launch have executed so far.
#[derive(Debug, Default)]
pub struct Counter {
    instructions: AtomicU64,
    of_threads: AtomicU64,
}

impl Counter {
    /// Counts an instruction that threads of one warp execute together.
    pub(super) fn count(&self, threads: u32) {
        self.instructions.fetch_add(1, Ordering::Relaxed);
        self.of_threads.fetch_add(threads.into(), Ordering::Relaxed);
    }

    /// Returns how many instructions warps have executed.
    pub fn instructions(&self) -> u64 {
        self.instructions.load(Ordering::Relaxed)
    }

    /// Returns how many instructions threads have executed.
    pub fn of_threads(&self) -> u64 {
        self.of_threads.load(Ordering::Relaxed)
    }
}
