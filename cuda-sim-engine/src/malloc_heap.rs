//! The heap that `malloc` and `free` of kernels work on.

use std::fmt;

/// A heap of device memory, which the threads of a launch share.
pub trait MallocHeap: fmt::Debug + Send + Sync {
    /// Allocates a block. Returns its address, or 0 if there is not enough memory.
    fn allocate(&self, size: u64) -> u64;

    /// Frees a block. An address that is the start of no block changes nothing.
    ///
    /// # Errors
    ///
    /// [`FreedTwice`] if the block at the address is free already.
    fn free(&self, address: u64) -> Result<(), FreedTwice>;
}

/// A block that is freed is free already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreedTwice;
