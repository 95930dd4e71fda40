//! The heap of `malloc` and `free` in kernels.

use std::fmt;

/// Heap of device memory, which the threads of a launch share.
pub trait MallocHeap: fmt::Debug + Send + Sync {
    /// Allocates a block. Returns its address, or 0 if there is not enough memory.
    fn allocate(&self, size: u64) -> u64;

    /// Frees a block.
    ///
    /// # Errors
    ///
    /// If no block in use begins at the address. Nothing changes then.
    fn free(&self, address: u64) -> Result<(), FreeError>;
}

/// Error of [`MallocHeap::free`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FreeError {
    /// The block at the address is free already.
    Twice,
    /// No block begins at the address.
    NoBlock,
}
