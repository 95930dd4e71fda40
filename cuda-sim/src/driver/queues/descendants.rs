//! Kernels that kernels launch.
//!
//! They run after the grid that launched them, in the order of their launches, and each is followed by its own
//! descendants. Hardware may run them earlier. Kernels of tail launches run last.

use crate::driver::memory::malloc_heap::ContextHeap;
use cuda_sim_engine::{ChildLaunch, ChildLaunches, Launch, Program};
use std::sync::Arc;

/// Kernels that a kernel and its descendants have launched, and that have not run.
pub(super) struct Descendants {
    children: Arc<ChildLaunches>,
    pub(super) program: Arc<Program>,
    pub(super) malloc_heap: Option<Arc<ContextHeap>>,
    /// Properties of the first launch, which the others share.
    shared: Launch,
    /// Kernels that wait, the next one last. The kernels that a kernel launches come before those that wait already.
    waiting: Vec<ChildLaunch>,
    nanoseconds: u64,
}

impl Descendants {
    pub(super) fn new(
        children: Arc<ChildLaunches>,
        program: Arc<Program>,
        shared: Launch,
        malloc_heap: Option<Arc<ContextHeap>>,
    ) -> Self {
        Self { children, program, malloc_heap, shared, waiting: Vec::new(), nanoseconds: 0 }
    }

    /// Records the end of a grid, after its virtual time.
    pub(super) fn finish(&mut self, nanoseconds: u64) {
        self.nanoseconds = self.nanoseconds.saturating_add(nanoseconds);
        self.waiting.extend(self.children.take().rev());
    }

    /// Returns the virtual time of all finished grids.
    pub(super) fn nanoseconds(&self) -> u64 {
        self.nanoseconds
    }

    /// Returns the next kernel and its launch.
    pub(super) fn next(&mut self) -> Option<(usize, Launch)> {
        let ChildLaunch { kernel, grid, block, dynamic_shared, cluster, params, .. } = self.waiting.pop()?;
        let launch =
            Launch { grid, block, dynamic_shared, params, cluster, workspace: 0, ..self.shared.clone() };
        Some((kernel, launch))
    }
}
