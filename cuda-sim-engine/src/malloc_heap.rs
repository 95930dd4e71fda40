//! The heap of `malloc` and `free` in kernels.

use std::fmt;

/// Heap of device memory, which the threads of a launch share.
pub trait MallocHeap: fmt::Debug + Send + Sync {
    /// Allocates a block. Returns its address, or 0 if there is not enough memory.
    fn allocate(&self, size: u64) -> u64;

    /// Frees a block. An address that is not the start of a block has no effect.
    ///
    /// # Errors
    ///
    /// [`FreedTwice`] if the block at the address is already free.
    fn free(&self, address: u64) -> Result<(), FreedTwice>;
}

/// Error of [`MallocHeap::free`] for a block that is already free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreedTwice;
