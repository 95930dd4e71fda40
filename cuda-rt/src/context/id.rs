//! Identity of contexts.

#![allow(unsafe_code)]

use crate::error::{Code, Result};
use core::ptr::without_provenance_mut;
use cuda_sys::CUcontext;

/// The identity of a context. Handles to one context have the same identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ContextId {
    /// The address of the handle. A later context may have the same address.
    pub(super) address: usize,
    /// The driver's number, which no later context has. `None` before CUDA 12.0.
    pub(super) id: Option<u64>,
    /// This crate's number of a context that this crate has created, if the driver has no numbers; otherwise 0.
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

/// Returns whether a context still exists, as far as the driver can tell.
///
/// Other code may have reset the primary context or destroyed a foreign one. The driver crashes on handles that were in such a
/// context. A context that this crate destroys itself exists as long as any object refers to it.
pub(crate) fn is_live(context: ContextId) -> Result<bool> {
    let Some(id) = context.id else { return Ok(true) };
    match id_of(context.as_raw()) {
        Ok(now) => Ok(now == id),
        Err(error) if error.code() == Some(Code::ContextIsDestroyed) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Returns the driver's number for a context.
pub(super) fn id_of(context: CUcontext) -> Result<u64> {
    let mut id = 0;
    // SAFETY: `id` is valid for a write; the driver also answers for a destroyed context (measured: CONTEXT_IS_DESTROYED).
    unsafe { check!(cuCtxGetId(context, &raw mut id)) }?;
    Ok(id)
}
