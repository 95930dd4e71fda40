//! Access between devices as a state: what it is, and what it is to be, whoever has set it.

use super::record;
use super::record::with_record;
use crate::handle::is_forked_child;

use crate::context::Context;
use crate::error::Result;

impl Context {
    /// Whether kernels of this context can be given access to `peer`'s memory. To its own it has. Wraps
    /// `cuDeviceCanAccessPeer`.
    ///
    /// It cannot be given access to other contexts of the same device. The answer for another device is that of
    /// [`Device::can_access_peer`](crate::Device::can_access_peer).
    ///
    /// # Errors
    ///
    /// None are expected of a live driver.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Context, Device};
    /// # let (consumer, owner) = (Context::primary(Device::get(0)?)?, Context::primary(Device::get(1)?)?);
    /// assert!(consumer.is_peer_access_supported(&owner)?);
    /// assert!(consumer.is_peer_access_supported(&consumer)?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDeviceCanAccessPeer")]
    pub fn is_peer_access_supported(&self, peer: &Context) -> Result<bool> {
        Ok(self == peer || self.device().can_access_peer(peer.device())?)
    }

    /// Sees to it that kernels of this context have access to `peer`'s memory, or that they have none: whether that was a
    /// change. It goes one way: for the other there is the same call of `peer`.
    ///
    /// What is so already is left alone. A context always has access to its own memory, which is no change and cannot be
    /// taken. From what cannot have access none is taken. Otherwise it is
    /// [`ensure_peer_access`](Context::ensure_peer_access), the default pool of the peer's device included, or
    /// [`ensure_no_peer_access`](Context::ensure_no_peer_access).
    ///
    /// # Blocking
    ///
    /// Taking access away waits until copies of this crate between the two devices are done.
    ///
    /// # Errors
    ///
    /// Those of the two.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Context, Device};
    /// # let (consumer, owner) = (Context::primary(Device::get(0)?)?, Context::primary(Device::get(1)?)?);
    /// assert!(consumer.set_peer_access(&owner, true)?);
    /// assert!(!consumer.set_peer_access(&owner, true)?); // was on already
    /// assert!(consumer.is_peer_access_enabled(&owner)?);
    /// assert!(!owner.is_peer_access_enabled(&consumer)?); // the other way it is off
    /// assert!(consumer.set_peer_access(&owner, false)?);
    /// assert!(!consumer.set_peer_access(&owner, false)?);
    /// assert!(!consumer.set_peer_access(&consumer, true)?); // of itself it always is
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuCtxEnablePeerAccess", "cuCtxDisablePeerAccess", "set_peer_access_enabled"))]
    pub fn set_peer_access(&self, peer: &Context, enabled: bool) -> Result<bool> {
        if self == peer {
            return Ok(false);
        }
        if enabled { self.ensure_peer_access(peer) } else { self.ensure_no_peer_access(peer) }
    }

    /// Whether this crate has turned access on, or has found it on when it was asked before. Asks no driver.
    pub(crate) fn has_recorded_peer_access(&self, peer: &Context) -> bool {
        self == peer || !is_forked_child() && with_record(|record| record.is_on(record::pair(self, peer)))
    }
}
