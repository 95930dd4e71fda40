//! Peer access that textures and surfaces need.

use super::guard::PeerAccessGuard;
use super::record::{lock_record, pair, restore, with_record};
use crate::context::{Context, ContextRequirement, release_in, wait_for_all};
use crate::error::{Error, ErrorKind, Result};
use crate::handle::is_forked_child;
use core::mem::ManuallyDrop;
use cuda_sys::Symbol;

/// Peer access that a texture or surface of one context needs to texels of another context. As long as the lease lives, no call
/// of this crate disables the access. [`release`](Self::release) or [`release_unused`](Self::release_unused) ends it, a drop does not.
///
/// # Blocking
///
/// [`release`](Self::release) waits until all work of the sampling context is done: freeing memory of another context does not
/// wait for that work.
#[derive(Debug)]
pub(crate) struct PeerAccessLease {
    own: Context,
    peer: Context,
    /// Keeps access enabled that this crate knows of.
    access: Option<PeerAccessGuard>,
}

impl PeerAccessLease {
    /// Leases access of `own` to arrays of `owner`, unless they are one context. Does not check whether access is enabled.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the contexts are two of one device, which have no access to
    /// each other's arrays, or the devices cannot access each other's arrays.
    pub(crate) fn to_array(
        own: &Context,
        owner: &Context,
        user: &'static str,
    ) -> Result<Option<PeerAccessLease>> {
        if own == owner {
            return Ok(None);
        }
        let (device, peer) = (own.device(), owner.device());
        if device == peer {
            return Err(Error::invalid(
                "array",
                format_args!(
                    "it and {user} belong to different contexts of device {}; use one context",
                    peer.as_raw()
                ),
            ));
        }
        if !device.peer_capabilities(peer)?.array_access {
            let (device, peer) = (device.as_raw(), peer.as_raw());
            return Err(Error::invalid(
                "array",
                format_args!(
                    "device {device} has no access to arrays of device {peer}; copy it to device {device}"
                ),
            ));
        }
        Ok(Some(PeerAccessLease::new(own, owner)))
    }

    /// Leases access of `own` to memory of `owner`, unless they are one context.
    pub(crate) fn to_memory(own: &Context, owner: &Context) -> Option<PeerAccessLease> {
        (own != owner).then(|| PeerAccessLease::new(own, owner))
    }

    fn new(own: &Context, peer: &Context) -> PeerAccessLease {
        if is_forked_child() {
            // The record may be locked by a thread that does not exist here.
            return PeerAccessLease { own: own.clone(), peer: peer.clone(), access: None };
        }
        // In this order, so that recorded access cannot be disabled any more.
        *lock_record().textures.get_or_default(pair(own, peer)) += 1;
        let access = PeerAccessGuard::recorded(own, peer);
        PeerAccessLease { own: own.clone(), peer: peer.clone(), access }
    }

    /// Checks that access is enabled, by this crate or by other code. Enables recorded access again if other code has disabled
    /// it. May wait for copies between the two devices.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): access is disabled.
    /// - An earlier failure.
    pub(crate) fn demand_access(&self) -> Result<()> {
        let is_on = {
            let _bound = self.own.bind(Symbol::cuCtxEnablePeerAccess)?;
            restore(&self.own, &self.peer)?
        };
        if is_on == Some(true) || self.own.peer_access_state(&self.peer).is_enabled()? {
            return Ok(());
        }
        let (device, peer) = (self.own.device().as_raw(), self.peer.device().as_raw());
        Err(Error::invalid(
            "memory of a peer",
            format_args!("device {device} has no peer access to device {peer}; enable it first"),
        ))
    }

    /// Runs `bind`, whose outcome may depend on whether access is enabled. No other thread probes access meanwhile: a probe
    /// enables it for a moment.
    pub(crate) fn steadily<R>(bind: impl FnOnce() -> R) -> R {
        if is_forked_child() {
            // The record may be locked by a thread that does not exist here.
            return bind();
        }
        with_record(|_| bind())
    }

    /// Releases the lease when no kernel needs it any more.
    ///
    /// # Errors
    ///
    /// It is unknown whether kernels have ended. The access then stays enabled forever. The caller must leak the sampled
    /// resource.
    pub(crate) fn release(self) -> Result<()> {
        if is_forked_child() {
            // The record may be locked by a thread that does not exist here.
            return Ok(());
        }
        let waited =
            release_in(&self.own, ContextRequirement::Current, Symbol::cuCtxSynchronize, &mut |errors| {
                wait_for_all(&self.own, errors)
            });
        match waited {
            Ok(()) => {}
            // The kernels of a context end with it.
            Err(error) if error.kind() == ErrorKind::ContextLost => {}
            Err(error) => {
                // Kept forever.
                let _ = ManuallyDrop::new(self.access);
                return Err(error);
            }
        }
        self.release_unused();
        Ok(())
    }

    /// Releases the lease without waiting for kernels: none needs it. May wait for copies between the two devices.
    pub(crate) fn release_unused(self) {
        if is_forked_child() {
            return;
        }
        let PeerAccessLease { own, peer, access } = self;
        with_record(|record| {
            let pair = pair(&own, &peer);
            if let Some(textures) = record.textures.get_mut(&pair) {
                *textures = textures.saturating_sub(1);
                if *textures == 0 {
                    record.textures.remove(&pair);
                }
            }
        });
        drop(access);
        // Guards that were dropped meanwhile have left access enabled. Failures go to the hook.
        drop(PeerAccessGuard::recorded(&own, &peer));
    }
}
