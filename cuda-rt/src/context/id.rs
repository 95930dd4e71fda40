//! The identity of a context.

use core::ptr::without_provenance_mut;
use cuda_sys::CUcontext;

/// The identity of a context. Handles to one context have the same identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ContextId {
    /// The address of the handle. A later context may have it.
    pub(super) address: usize,
    /// The driver's number, which no later context has. `None` before CUDA 12.0.
    pub(super) id: Option<u64>,
    /// This crate's number of a context that this crate has made, where the driver has none; else 0.
    pub(super) own: u64,
}

impl ContextId {
    pub(crate) fn as_raw(self) -> CUcontext {
        without_provenance_mut(self.address)
    }

    /// Returns whether no later context has this identity.
    pub(crate) fn is_unique(self) -> bool {
        self.id.is_some() || self.own != 0
    }

    /// Returns whether both can be one context: a handle that the driver has returned lacks this crate's number.
    pub(crate) fn may_be(self, other: ContextId) -> bool {
        (self.address, self.id) == (other.address, other.id)
    }
}
