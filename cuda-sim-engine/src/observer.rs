//! Observers, which are told what the threads of a launch do to memory.
//!
//! Launches without an observer pay nothing for this: with one, steps run one by one.

use crate::fault::AccessKind;
use std::fmt;

/// A step of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// The number of the function in its [`Program`](crate::Program).
    pub function: usize,
    /// The number of the step in the function.
    pub step: u32,
}

/// A memory that several threads reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObservedSpace {
    /// Device memory, by device addresses.
    Global,
    /// Shared memory of the block, by offsets.
    Shared,
}

/// A block of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObservedBlock {
    /// The index in the grid.
    pub index: [u32; 3],
    /// The same as one number.
    pub number: u64,
    /// The number of the cluster. Without clusters, each block is one.
    pub cluster: u64,
}

/// A thread, and what it does in an access of its warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ObservedThread {
    /// The number of the thread in its block.
    pub number: u32,
    /// The address.
    pub address: u64,
    /// A number that is the same for stores of the same value. 0 for other accesses.
    pub value: u64,
}

/// An access to memory by threads of one warp, each to its own address.
#[derive(Debug)]
pub struct ObservedAccess<'a> {
    /// The step.
    pub site: Site,
    /// The block.
    pub block: ObservedBlock,
    /// The kind of access.
    pub kind: AccessKind,
    /// The memory.
    pub space: ObservedSpace,
    /// Bytes that each thread accesses.
    pub size: u32,
    /// True for `volatile`, `relaxed`, `acquire` and `release` accesses, and for atomic operations.
    pub is_strong: bool,
    /// True for loads, and for atomic operations whose result is used.
    pub returns: bool,
    /// The threads.
    pub threads: &'a [ObservedThread],
}

/// Threads of one warp that arrive at a barrier of their block.
#[derive(Debug)]
pub struct ObservedArrival<'a> {
    /// The step.
    pub site: Site,
    /// The block.
    pub block: ObservedBlock,
    /// The number of the barrier. The barrier of a cluster comes after the others.
    pub barrier: u32,
    /// True if the barrier waits for all threads of the block.
    pub takes_all: bool,
    /// The numbers of the threads in their block.
    pub threads: &'a [u32],
}

/// Is told what the threads of a launch do, before they do it. All blocks of the launch run on one thread of the host.
pub trait Observer: fmt::Debug + Send + Sync {
    /// Threads of a warp are about to access memory. An access that faults is told too.
    fn access(&self, access: &ObservedAccess<'_>);

    /// A thread is about to write memory in a way that [`access`](Self::access) does not tell: matrices, tensors, bulk copies.
    fn untold_write(&self);

    /// Threads arrive at a barrier of their block.
    fn arrive(&self, arrival: &ObservedArrival<'_>);

    /// A barrier of a block has let its threads go on.
    fn complete(&self, block: ObservedBlock, barrier: u32);

    /// Threads of a warp wait for each other (`bar.warp.sync`), and go on.
    fn meet(&self, block: ObservedBlock, threads: &[u32]);

    /// Threads of a warp name a mask of lanes that they are not in, in a barrier, a shuffle or another operation of the warp.
    fn outside_mask(&self, site: Site, block: ObservedBlock, members: u32, threads: &[u32]);

    /// Threads end.
    fn exit(&self, site: Site, block: ObservedBlock, threads: &[u32]);
}
