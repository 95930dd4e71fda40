//! Counting what a launch executes.
//!
//! Launches that are not counted pay nothing for this: it is done where a launch with a limit of steps looks at that.

use std::sync::atomic::{AtomicU64, Ordering};

/// What the threads of a launch have executed so far.
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

    /// How often warps have executed an instruction.
    pub fn instructions(&self) -> u64 {
        self.instructions.load(Ordering::Relaxed)
    }

    /// How often threads have.
    pub fn of_threads(&self) -> u64 {
        self.of_threads.load(Ordering::Relaxed)
    }
}
