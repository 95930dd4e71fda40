//! Guards of peer access.

use super::PoolGrant;
use super::record::{enable, leave, leave_without, pair, with_record};
use crate::context::{Context, ContextRequirement, release_in};
use crate::error::{ErrorKind, Result};
use crate::handle::{DeferredErrors, DriverHandle, Owned, Releasing};
use cuda_sys::Symbol;

/// Guard under which one context has access to the memory of another. Made by [`Context::peer_access`].
///
/// The last guard of a pair disables access that guards have enabled. Access that was enabled before stays enabled, and so does
/// access that other code has [enabled](Context::enable_peer_access) meanwhile.
///
/// Kernels that use the access must have ended before the drop, which does not wait for them. Otherwise they fail with
/// [`IllegalAddress`](crate::error::Code::IllegalAddress), after which the process cannot use the driver any more. Synchronise
/// the stream on every path out of a function, including early returns. Launches in a lazy order, as `cuda-sim` can make them,
/// reveal a missing wait.
///
/// # Blocking
///
/// The last guard waits until copies of this crate between the two devices are done.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::{Context, Device};
///
/// let consumer = Context::primary(Device::get(0)?)?;
/// let owner = Context::primary(Device::get(1)?)?;
/// let access = consumer.peer_access(&owner)?;
/// assert!(consumer.peer_access_state(&owner).is_enabled()?);
/// drop(access);
/// assert!(!consumer.peer_access_state(&owner).is_enabled()?);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "the access is only certain as long as this lives"]
pub struct PeerAccessGuard(Owned<PeerAccessHandle>);

#[derive(Debug)]
struct PeerAccessHandle {
    own: Context,
    peer: Context,
    /// Number of the access that the guard counts for.
    number: u64,
    pool: PoolGrant,
}

impl PeerAccessGuard {
    pub(super) fn new(own: &Context, peer: &Context) -> Result<PeerAccessGuard> {
        let mut errors = DeferredErrors::default();
        let _bound = own.bind(Symbol::cuCtxEnablePeerAccess)?;
        let (number, pool) = enable(own, peer, &mut errors, |access, changed| {
            access.guards += 1;
            access.by_guards |= changed;
            (access.number, access.pool)
        })?;
        let (own, peer) = (own.clone(), peer.clone());
        Ok(PeerAccessGuard(Owned::new(PeerAccessHandle { own, peer, number, pool })))
    }

    /// Returns a guard of recorded access, without a driver call.
    pub(super) fn recorded(own: &Context, peer: &Context) -> Option<PeerAccessGuard> {
        with_record(|record| {
            let access = record.get(pair(own, peer))?;
            access.guards += 1;
            let (number, pool) = (access.number, access.pool);
            let (own, peer) = (own.clone(), peer.clone());
            Some(PeerAccessGuard(Owned::new(PeerAccessHandle { own, peer, number, pool })))
        })
    }

    /// Returns whether the access covers the default pool of the peer's device.
    pub fn pool(&self) -> PoolGrant {
        self.0.pool
    }

    /// Returns the context whose kernels have access.
    pub fn context(&self) -> &Context {
        &self.0.own
    }

    /// Returns the context that owns the accessible memory.
    pub fn peer(&self) -> &Context {
        &self.0.peer
    }

    /// Releases the guard, and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuCtxDisablePeerAccess`.
    ///
    /// # Blocking
    ///
    /// The same as dropping: see [`PeerAccessGuard`](PeerAccessGuard#blocking).
    ///
    /// # Errors
    ///
    /// - [`Code::PeerAccessNotEnabled`](crate::error::Code::PeerAccessNotEnabled): other code has disabled access without this
    ///   crate.
    /// - An earlier failure.
    ///
    /// The guard is consumed in any case.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (consumer, owner) = cuda_doc::peers()?;
    /// consumer.peer_access(&owner)?.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxDisablePeerAccess")]
    pub fn close(self) -> Result<()> {
        self.0.close()
    }
}

impl DriverHandle for PeerAccessHandle {
    fn release_call(&self) -> Symbol {
        Symbol::cuCtxDisablePeerAccess
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        let (own, peer, number) = (&self.own, &self.peer, self.number);
        let mut has_entered = false;
        let left =
            release_in(own, ContextRequirement::Current, Symbol::cuCtxDisablePeerAccess, &mut |errors| {
                has_entered = true;
                leave(own, peer, number, errors)
            });
        match left {
            Err(error) if !has_entered => {
                // Only pools remain to be released.
                let mut errors = DeferredErrors::default();
                let is_gone = error.kind() == ErrorKind::ContextLost;
                let left = leave_without(own, peer, number, is_gone, &mut errors);
                errors.add(left);
                Err(error)
            }
            left => left,
        }
    }
}
