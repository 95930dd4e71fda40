//! Enabling and disabling peer access.

use super::record::{disable, enable};
use super::{PeerAccessGuard, PeerAccessState};
use crate::context::Context;
use crate::error::{Code, Result};
use crate::handle::DeferredErrors;
use cuda_sys::Symbol;

/// Outcome of giving a device access to the default pool of a peer. Most memory comes from this pool.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::peer::PoolGrant;
/// use cuda_rt::{Context, Device};
///
/// let consumer = Context::primary(Device::get(0)?)?;
/// let owner = Context::primary(Device::get(1)?)?;
/// assert_eq!(consumer.enable_peer_access(&owner)?.pool, PoolGrant::Granted);
/// # consumer.disable_peer_access(&owner)?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PoolGrant {
    /// Access to the pool, too.
    Granted,
    /// No pools: all memory of the device is plain memory.
    NoPools,
    /// Access to plain memory only. The code is the refusal of `cuMemPoolSetAccess`.
    Refused(Code),
}

/// Outcome of [`Context::enable_peer_access`].
///
/// ```
/// # let (consumer, owner) = cuda_doc::peers()?;
/// let first = consumer.enable_peer_access(&owner)?;
/// let second = consumer.enable_peer_access(&owner)?;
/// assert!(first.changed && !second.changed);
/// # consumer.disable_peer_access(&owner)?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PeerChange {
    /// True if access was disabled before.
    pub changed: bool,
    /// Access to the default pool of the peer's device.
    pub pool: PoolGrant,
}

impl Context {
    /// Enables access of kernels of this context to `peer`'s memory. Wraps `cuCtxEnablePeerAccess` and `cuMemPoolSetAccess`.
    ///
    /// Access covers present and future allocations of `peer`, and the default pool of its device. It has one direction, and
    /// lasts until it is disabled or one of the contexts ends: see [`peer`](crate::peer). If access is enabled already, the only
    /// effect is that guards leave it enabled. A context always has access to its own memory.
    ///
    /// # Errors
    ///
    /// If a call fails, access is as it was before.
    ///
    /// - [`Code::PeerAccessUnsupported`]: the devices cannot access each other's memory, or the contexts are two of one device.
    /// - [`Code::TooManyPeers`]: the device has as many peers as it can have at a time. Without `NVSwitch` that is eight,
    ///   system-wide.
    /// - [`Code::StreamCaptureUnsupported`]: any thread captures a graph in the global mode, or this thread does in the
    ///   thread-local mode, and the mode of this thread is not relaxed. The failure invalidates the capture.
    /// - An earlier failure, or a failure to enable access to the pool.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (consumer, owner) = cuda_doc::peers()?;
    /// assert!(consumer.enable_peer_access(&owner)?.changed);
    /// assert!(consumer.peer_access_state(&owner).is_enabled()?);
    /// assert!(!owner.peer_access_state(&consumer).is_enabled()?); // the other direction
    /// # consumer.disable_peer_access(&owner)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuCtxEnablePeerAccess", "cuMemPoolSetAccess", "set_peer_access_enabled"))]
    pub fn enable_peer_access(&self, peer: &Context) -> Result<PeerChange> {
        if self == peer {
            let pool = if peer.has_pools() { PoolGrant::Granted } else { PoolGrant::NoPools };
            return Ok(PeerChange { changed: false, pool });
        }
        let mut errors = DeferredErrors::default();
        let _bound = self.bind(Symbol::cuCtxEnablePeerAccess)?;
        enable(self, peer, &mut errors, |access, changed| {
            access.explicit = true;
            PeerChange { changed, pool: access.pool }
        })
    }

    /// Disables access of kernels of this context to `peer`'s memory. Returns whether it was enabled. Wraps
    /// `cuCtxDisablePeerAccess`.
    ///
    /// The call does not wait for running kernels. A kernel that touches memory of the peer afterwards faults.
    /// [Guards](PeerAccessGuard) of the pair have nothing left to disable. A context keeps access to its own memory.
    ///
    /// # Blocking
    ///
    /// Waits until copies of this crate between the two devices are done.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): textures or surfaces of this context still use arrays or
    ///   memory of the peer, so that a kernel that samples them would fault.
    /// - [`Code::StreamCaptureUnsupported`]: as for [`enable_peer_access`](Context::enable_peer_access).
    /// - An earlier failure, or a failure to disable access to the pool. Access between the contexts is disabled nevertheless.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (consumer, owner) = cuda_doc::peers()?;
    /// consumer.enable_peer_access(&owner)?;
    /// assert!(consumer.disable_peer_access(&owner)?);
    /// assert!(!consumer.disable_peer_access(&owner)?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuCtxDisablePeerAccess", "set_peer_access_enabled"))]
    pub fn disable_peer_access(&self, peer: &Context) -> Result<bool> {
        if self == peer {
            return Ok(false);
        }
        let mut errors = DeferredErrors::default();
        let _bound = self.bind(Symbol::cuCtxDisablePeerAccess)?;
        disable(self, peer, &mut errors)
    }

    /// Enables access to `peer`'s memory until the last guard of the pair is dropped.
    ///
    /// # Errors
    ///
    /// - Same as [`enable_peer_access`](Context::enable_peer_access).
    /// - [`Code::PeerAccessUnsupported`]: `peer` is the same context.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (first, second) = cuda_doc::peers()?;
    /// // Both directions or none: if the second call fails, the first guard disables access again.
    /// let guards = [first.peer_access(&second)?, second.peer_access(&first)?];
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuCtxEnablePeerAccess", "cuCtxDisablePeerAccess"))]
    pub fn peer_access(&self, peer: &Context) -> Result<PeerAccessGuard> {
        PeerAccessGuard::new(self, peer)
    }

    /// Returns the state of access to `peer`'s memory. Makes no driver call: the methods of the state do.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (consumer, owner) = cuda_doc::peers()?;
    /// let state = consumer.peer_access_state(&owner);
    /// assert!(state.is_supported()? && !state.is_enabled()? && state.recorded().is_none());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn peer_access_state<'a>(&'a self, peer: &'a Context) -> PeerAccessState<'a> {
        PeerAccessState::new(self, peer)
    }
}
