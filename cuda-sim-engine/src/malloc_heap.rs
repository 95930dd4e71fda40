//! The heap that `malloc` and `free` of kernels work on.

use std::fmt;

/// A heap of device memory, which the threads of a launch share.
pub trait MallocHeap: fmt::Debug + Send + Sync {
    /// Allocates a block. Returns its address, or 0 if there is not enough memory.
    fn allocate(&self, size: u64) -> u64;

    /// Frees a block.
    ///
    /// # Errors
    ///
    /// If no block of the heap that is in use begins at the address. Nothing changes then.
    fn free(&self, address: u64) -> Result<(), FreeError>;
}

/// The reason why a block cannot be freed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FreeError {
    /// The block at the address is free already.
    Twice,
    /// No block begins at the address.
    NoBlock,
}
