//! Observers of the memory accesses of a launch.
//!
//! Launches without an observer have no overhead. With an observer, steps run one by one.

use crate::fault::AccessKind;
use std::fmt;

/// Step of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// Number of the function in its [`Program`](crate::Program).
    pub function: usize,
    /// Number of the step in the function.
    pub step: u32,
}

/// Memory that several threads share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObservedSpace {
    /// Device memory, by device addresses.
    Global,
    /// Shared memory of the block, by offsets.
    Shared,
}

/// Block of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObservedBlock {
    /// Index in the grid.
    pub index: [u32; 3],
    /// Index in the grid as one number.
    pub number: u64,
    /// Number of the cluster. Without clusters, each block is one.
    pub cluster: u64,
}

/// Thread, and its part of an access of its warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ObservedThread {
    /// Number of the thread in its block.
    pub number: u32,
    /// The address.
    pub address: u64,
    /// Number that is the same for stores of the same value; 0 for other accesses.
    pub value: u64,
}

/// Memory access of threads of one warp, each at its own address.
#[derive(Debug)]
pub struct ObservedAccess<'a> {
    /// The step.
    pub site: Site,
    /// The block.
    pub block: ObservedBlock,
    /// Kind of access.
    pub kind: AccessKind,
    /// The memory.
    pub space: ObservedSpace,
    /// Bytes that each thread accesses.
    pub size: u32,
    /// Bytes of `size` that the program uses, a bit for each byte. All bits are set, except in loads after
    /// `.pragma "used_bytes_mask …"`.
    pub used: u32,
    /// True for `volatile`, `relaxed`, `acquire` and `release` accesses, and for atomic operations.
    pub is_strong: bool,
    /// True for loads, and for atomic operations whose result is used.
    pub returns: bool,
    /// The threads.
    pub threads: &'a [ObservedThread],
}

impl ObservedAccess<'_> {
    /// Returns the address and the size of each run of bytes that a thread uses. Without a mask, this is the whole access.
    pub fn parts(&self, thread: &ObservedThread) -> impl Iterator<Item = (u64, u32)> + use<> {
        let (address, size) = (thread.address, self.size);
        // The mask covers the largest load. No access with a mask has more bytes.
        let used = u64::from(self.used) | u64::MAX << 32;
        let mut at = 0;
        core::iter::from_fn(move || {
            let rest = used.checked_shr(at).filter(|_| at < size)?;
            let start = at + rest.trailing_zeros();
            let run = used.checked_shr(start)?.trailing_ones();
            at = if start + run < u64::BITS { size.min(start + run) } else { size };
            (start < size).then(|| (address.saturating_add(start.into()), at - start))
        })
    }
}

/// Arrival of threads of one warp at a barrier of their block.
#[derive(Debug)]
pub struct ObservedArrival<'a> {
    /// The step.
    pub site: Site,
    /// The block.
    pub block: ObservedBlock,
    /// Number of the barrier. The barrier of a cluster comes after the others.
    pub barrier: u32,
    /// True if the barrier waits for all threads of the block.
    pub takes_all: bool,
    /// Numbers of the threads in their block.
    pub threads: &'a [u32],
}

/// Observer of the threads of a launch. The engine calls it before each action. All blocks of the launch run on one
/// host thread.
pub trait Observer: fmt::Debug + Send + Sync {
    /// Receives an access to memory before it happens. This includes accesses that fault.
    fn access(&self, access: &ObservedAccess<'_>);

    /// Receives a write that [`access`](Self::access) does not report: matrices, tensors, bulk copies.
    fn untold_write(&self);

    /// Receives the arrival of threads at a barrier of their block.
    fn arrive(&self, arrival: &ObservedArrival<'_>);

    /// Receives the completion of a barrier of a block.
    fn complete(&self, block: ObservedBlock, barrier: u32);

    /// Receives the completion of a barrier of a warp (`bar.warp.sync`).
    fn meet(&self, block: ObservedBlock, threads: &[u32]);

    /// Receives threads of a warp whose own lane is missing in the mask of lanes that they name. The mask may be that
    /// of a barrier, a shuffle or another operation of the warp.
    fn outside_mask(&self, site: Site, block: ObservedBlock, members: u32, threads: &[u32]);

    /// Threads end.
    fn exit(&self, site: Site, block: ObservedBlock, threads: &[u32]);
}
