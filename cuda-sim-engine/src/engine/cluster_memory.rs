//! Shared memory of the blocks of a cluster, as each block addresses it.
//!
//! The shared memory of the block of rank `r` begins at offset `r * PART` for every block of the cluster, as on hardware
//! (conformance fact V1042). The running block has its own memory as one slice, which the fast paths try. An access that
//! misses the slice searches the cluster.

use super::memory_backend::Shared;
use crate::fault::FaultKind;

/// Number of offsets for the shared memory of a block. No block has more memory.
const PART: u64 = 1 << 24;
/// Largest number of ranks of a cluster on hardware.
const MAX_RANKS: u64 = 16;
/// First offset in the memory of another block that no block can access.
const MAX_SHARED: u64 = 256 << 10;

/// Shared memory of the blocks of a cluster.
#[derive(Debug, Default)]
pub(super) struct ClusterMemory {
    /// Rank of the block that runs.
    pub(super) rank: u32,
    /// Memory by rank, while the block runs. Empty without a cluster. The memory of the block itself is not here.
    pub(super) blocks: Vec<Vec<u32>>,
}

/// Returns the rank of the block that an offset names.
pub(super) fn rank_of(offset: u64) -> u32 {
    u32::try_from(offset / PART).unwrap_or(u32::MAX)
}

/// Converts an offset to one in the memory of the block that it names.
pub(super) fn inside(offset: u64) -> u64 {
    offset % PART
}

/// Returns the offset of the same place in the memory of the block of a rank. Addresses have eight bits for the rank.
pub(super) fn mapped(rank: u32, offset: u64) -> u64 {
    u64::from(rank & 0xff) * PART + offset % PART
}

impl ClusterMemory {
    /// Returns the memory of the running block.
    #[inline(always)]
    pub(super) fn own<'a>(&self, words: &'a mut [u32]) -> Shared<'a> {
        Shared { words, start: self.start() }
    }

    /// Returns the offset of the memory of the running block.
    #[inline(always)]
    pub(super) fn start(&self) -> u64 {
        mapped(self.rank, 0)
    }

    /// Returns the memory that an offset names. If there is no such block, the memory is empty.
    #[inline]
    pub(super) fn at<'a>(&'a mut self, own: &'a mut [u32], offset: u64) -> Shared<'a> {
        if self.is_own(offset) { self.own(own) } else { self.of_rank(offset) }
    }

    #[cold]
    fn of_rank(&mut self, offset: u64) -> Shared<'_> {
        let words = self.blocks.get_mut(rank_of(offset) as usize).map(Vec::as_mut_slice).unwrap_or_default();
        Shared { words, start: offset - inside(offset) }
    }

    /// Returns whether an offset is in the memory of the running block. Some instructions can access only this memory.
    pub(super) fn is_own(&self, offset: u64) -> bool {
        rank_of(offset) == self.rank
    }

    /// Returns the fault of an access to an offset without memory (conformance fact V1043).
    #[cold]
    pub(super) fn fault_at(&self, offset: u64) -> FaultKind {
        let is_remote = !self.is_own(offset) && u64::from(rank_of(offset)) < MAX_RANKS;
        match inside(offset) {
            _ if self.blocks.is_empty() || !is_remote => FaultKind::OutOfWindow,
            MAX_SHARED.. => FaultKind::IllegalAddress,
            _ => FaultKind::OutOfCluster,
        }
    }
}
