//! Shared memory of the blocks of a cluster, as each block addresses it.
//!
//! A block has its own shared memory at the offsets below [`PART`], and the memory of the block of rank `r` at
//! `FIRST + r * PART`. So accesses to its own memory are the same in a cluster as without one, and an access to another
//! block misses that memory before anything asks for the cluster. Offsets between the two are of no block: accesses that run
//! over the end of shared memory fault there, as on hardware.

use super::memory_backend::Shared;

/// Offsets that a block has for each shared memory. No block has more memory.
pub(super) const PART: u64 = 1 << 24;
/// Where the memory of the block of rank 0 begins.
const FIRST: u64 = 1 << 30;
/// No block has this rank. Its offsets have 32 bits all the same.
const NO_RANK: u32 = 128;

/// The shared memory of the other blocks of a cluster.
#[derive(Debug, Default)]
pub(super) struct ClusterMemory {
    /// The rank of the block.
    pub(super) rank: u32,
    /// By rank, while the block runs. The block has its own memory itself.
    pub(super) others: Vec<Vec<u32>>,
}

/// The rank of the block that an offset means, which a block of rank `own` uses.
pub(super) fn rank_of(own: u32, offset: u64) -> u32 {
    if offset < PART {
        return own;
    }
    let rank = offset.checked_sub(FIRST).and_then(|past| u32::try_from(past / PART).ok());
    rank.unwrap_or(NO_RANK)
}

/// The same place in the memory of the block of a rank.
pub(super) fn mapped(rank: u32, offset: u64) -> u64 {
    FIRST + u64::from(rank.min(NO_RANK)) * PART + offset % PART
}

impl ClusterMemory {
    /// The memory that an offset means, and the offset in it. Where there is no such block, the memory is empty.
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
