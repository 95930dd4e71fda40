//! Shared memory of the blocks of a cluster, as each block addresses it.
//!
//! The shared memory of the block of rank `r` begins at offset `r * PART` for every block of the cluster, as on hardware
//! (conformance fact V1042). Only the block of rank 0, and a block without a cluster, has its memory as one slice that
//! begins at offset 0. The memory of other ranks is in [`ClusterMemory`], also while its own block runs. The fast paths
//! therefore try one slice, and an access that misses the slice searches the cluster.

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
    /// Memory by rank, while the block runs. Empty without a cluster. The memory of rank 0 is not here while the block of
    /// rank 0 runs.
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
    /// Returns the memory that an offset names, and the offset in it. If there is no such block, the memory is empty.
    #[inline]
    pub(super) fn at<'a>(&'a mut self, own: &'a mut [u32], offset: u64) -> (Shared<'a>, u64) {
        if offset < PART && self.rank == 0 { (Shared(own), offset) } else { self.of_rank(offset) }
    }

    #[cold]
    fn of_rank<'a>(&'a mut self, offset: u64) -> (Shared<'a>, u64) {
        let memory = self.blocks.get_mut(rank_of(offset) as usize).map(Vec::as_mut_slice).unwrap_or_default();
        (Shared(memory), inside(offset))
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
