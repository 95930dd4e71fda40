//! Shared memory of the blocks of a cluster, as each block addresses it.
//!
//! A block has its own shared memory at the offsets below [`PART`]. The memory of the block of rank `r` is at `FIRST +
//! r * PART`. Accesses to a block's own memory are therefore the same with and without clusters. An access to another
//! block misses that memory, and only then reaches the code for clusters. Offsets between the two ranges belong to no
//! block. Accesses that overrun shared memory fault there, as on hardware.

use super::memory_backend::Shared;

/// Range of offsets for each shared memory. No block has more memory.
pub(super) const PART: u64 = 1 << 24;
/// Offset of the memory of the block of rank 0.
const FIRST: u64 = 1 << 30;
/// Rank that no block has. Its offsets still fit in 32 bits.
const NO_RANK: u32 = 128;

/// Shared memory of the other blocks of a cluster.
#[derive(Debug, Default)]
pub(super) struct ClusterMemory {
    /// Rank of the block.
    pub(super) rank: u32,
    /// Memory of the other blocks by rank, while the block runs. The entry of the block itself is empty.
    pub(super) others: Vec<Vec<u32>>,
}

/// Returns the rank of the block that owns an offset. `own` is the rank of the block that uses it.
pub(super) fn rank_of(own: u32, offset: u64) -> u32 {
    if offset < PART {
        return own;
    }
    let rank = offset.checked_sub(FIRST).and_then(|past| u32::try_from(past / PART).ok());
    rank.unwrap_or(NO_RANK)
}

/// Returns the same offset in the memory of the block with a rank.
pub(super) fn mapped(rank: u32, offset: u64) -> u64 {
    FIRST + u64::from(rank.min(NO_RANK)) * PART + offset % PART
}

impl ClusterMemory {
    /// Returns the memory of an offset, and the offset in it. The memory is empty if there is no such block.
    #[inline]
    pub(super) fn at<'a>(&'a mut self, own: &'a mut [u32], offset: u64) -> (Shared<'a>, u64) {
        if offset < PART { (Shared(own), offset) } else { self.of_rank(own, offset) }
    }

    #[cold]
    fn of_rank<'a>(&'a mut self, own: &'a mut [u32], offset: u64) -> (Shared<'a>, u64) {
        let rank = rank_of(self.rank, offset);
        let memory = if rank == self.rank {
            own
        } else {
            self.others.get_mut(rank as usize).map(Vec::as_mut_slice).unwrap_or_default()
        };
        (Shared(memory), offset % PART)
    }
}
