//! Turning peer access on and off.

use super::PeerAccess;
use super::record::{disable, enable, pair, probe, with_record};
use crate::context::{Context, RelaxedCaptureMode};
use crate::error::{Code, Result};
use crate::handle::{DeferredErrors, is_forked_child, is_inside};
use cuda_sys::Symbol;

/// Whether [peer access](crate::peer) covers memory of the owner's default pool, where most memory comes from.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::{Context, Device};
/// use cuda_rt::peer::PoolAccess;
///
/// let consumer = Context::primary(Device::get(0)?)?;
/// let owner = Context::primary(Device::get(1)?)?;
/// assert_eq!(consumer.enable_peer_access(&owner)?, PoolAccess::Granted);
/// # consumer.disable_peer_access(&owner)?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PoolAccess {
    /// It is within reach.
    Granted,
    /// The device has no pools: all of its memory is plain, and within reach.
    NoPools,
    /// The driver does not share the pool: the code of `cuMemPoolSetAccess`. Plain memory alone is within reach.
    Refused(Code),
}

impl Context {
    /// Gives kernels of this context access to `peer`'s memory: what was allocated and what will be, the default pool of its
    /// device included. Wraps `cuCtxEnablePeerAccess` and `cuMemPoolSetAccess`.
    ///
    /// It goes one way, and stays until it is disabled or one of the contexts ends; see [`peer`](crate::peer).
    /// [`ensure_peer_access`](Context::ensure_peer_access) takes it as it comes, and
    /// [`peer_access`](Context::peer_access) gives a guard.
    ///
    /// # Errors
    ///
    /// - [`Code::PeerAccessAlreadyEnabled`]: it is on already. Guards that have turned it on will leave it on.
    /// - [`Code::PeerAccessUnsupported`]: the devices do not reach each other, or are one; so are the contexts (measured).
    /// - [`Code::TooManyPeers`]: the device has as many peers as it can at a time. Without `NVSwitch` that is eight, system-wide
    ///   (documented).
    /// - [`Code::StreamCaptureUnsupported`]: this thread, or in the global mode any, captures a graph, which is lost
    ///   (measured).
    /// - An earlier failure, or one of opening the pool; then access is as it was.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::{Context, Device};
    /// use cuda_rt::error::Code;
    ///
    /// let consumer = Context::primary(Device::get(0)?)?;
    /// let owner = Context::primary(Device::get(1)?)?;
    /// consumer.enable_peer_access(&owner)?;
    /// let again = consumer.enable_peer_access(&owner).unwrap_err();
    /// assert_eq!(again.code(), Some(Code::PeerAccessAlreadyEnabled));
    /// consumer.disable_peer_access(&owner)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuCtxEnablePeerAccess", "cuMemPoolSetAccess"))]
    pub fn enable_peer_access(&self, peer: &Context) -> Result<PoolAccess> {
        let mut leftovers = DeferredErrors::default();
        let _bound = self.bind(Symbol::cuCtxEnablePeerAccess)?;
        enable(self, peer, &mut leftovers, |access, already| {
            access.pinned = true;
            already.map_or(Ok(access.pool), Err)
        })
    }

    /// Takes from kernels of this context the access to `peer`'s memory, also from those that run: it does not wait for them
    /// (measured). [Guards](PeerAccess) of the pair have nothing to undo any more. Wraps `cuCtxDisablePeerAccess`.
    ///
    /// # Blocking
    ///
    /// Until copies of this crate between the two devices are done.
    ///
    /// # Errors
    ///
    /// [`Code::PeerAccessNotEnabled`] if it is off;
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) while textures or surfaces of this context are made
    /// of the peer's arrays or memory, since a kernel that uses them would fault; [`Code::StreamCaptureUnsupported`] as for
    /// [`enable_peer_access`](Context::enable_peer_access), an earlier failure, or one of closing the pool; in that case
    /// access is off all the same.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Context, Device};
    /// # let (consumer, owner) = (Context::primary(Device::get(0)?)?, Context::primary(Device::get(1)?)?);
    /// use cuda_rt::error::Code;
    ///
    /// let error = consumer.disable_peer_access(&owner).unwrap_err();
    /// assert_eq!(error.code(), Some(Code::PeerAccessNotEnabled));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxDisablePeerAccess")]
    pub fn disable_peer_access(&self, peer: &Context) -> Result<()> {
        let mut leftovers = DeferredErrors::default();
        let _bound = self.bind(Symbol::cuCtxDisablePeerAccess)?;
        disable(self, peer, &mut leftovers)
    }

    /// Sees to it that kernels of this context have access to `peer`'s memory: whether that was new. Otherwise as
    /// [`enable_peer_access`](Context::enable_peer_access).
    ///
    /// # Errors
    ///
    /// Same as [`enable_peer_access`](Context::enable_peer_access), but not [`Code::PeerAccessAlreadyEnabled`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Context, Device};
    /// # let (consumer, owner) = (Context::primary(Device::get(0)?)?, Context::primary(Device::get(1)?)?);
    /// assert!(consumer.ensure_peer_access(&owner)?);
    /// assert!(!consumer.ensure_peer_access(&owner)?); // was on already
    /// # consumer.disable_peer_access(&owner)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxEnablePeerAccess")]
    pub fn ensure_peer_access(&self, peer: &Context) -> Result<bool> {
        let mut leftovers = DeferredErrors::default();
        let _bound = self.bind(Symbol::cuCtxEnablePeerAccess)?;
        enable(self, peer, &mut leftovers, |access, already| {
            access.pinned = true;
            Ok(already.is_none())
        })
    }

    /// Sees to it that kernels of this context have no access to `peer`'s memory: whether they had it. Otherwise as
    /// [`disable_peer_access`](Context::disable_peer_access).
    ///
    /// # Errors
    ///
    /// Same as [`disable_peer_access`](Context::disable_peer_access), but not [`Code::PeerAccessNotEnabled`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Context, Device};
    /// # let (consumer, owner) = (Context::primary(Device::get(0)?)?, Context::primary(Device::get(1)?)?);
    /// consumer.enable_peer_access(&owner)?;
    /// assert!(consumer.ensure_no_peer_access(&owner)?);
    /// assert!(!consumer.ensure_no_peer_access(&owner)?); // was off already
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxDisablePeerAccess")]
    pub fn ensure_no_peer_access(&self, peer: &Context) -> Result<bool> {
        match self.disable_peer_access(peer) {
            Ok(()) => Ok(true),
            Err(error) if error.code() == Some(Code::PeerAccessNotEnabled) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Access to `peer`'s memory for kernels of this context, until the last such guard is dropped.
    ///
    /// # Errors
    ///
    /// Same as [`ensure_peer_access`](Context::ensure_peer_access).
    #[doc(alias("cuCtxEnablePeerAccess", "cuCtxDisablePeerAccess"))]
    pub fn peer_access(&self, peer: &Context) -> Result<PeerAccess> {
        PeerAccess::new(self, peer)
    }

    /// Gives kernels of either context access to the other one's memory: both, or neither. If the second direction cannot
    /// be had, the first is as it was before.
    ///
    /// # Errors
    ///
    /// Same as [`ensure_peer_access`](Context::ensure_peer_access), in either direction.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Context, Device};
    /// # let (first, second) = (Context::primary(Device::get(0)?)?, Context::primary(Device::get(1)?)?);
    /// first.ensure_peer_access_both_ways(&second)?;
    /// assert!(second.ensure_no_peer_access(&first)?);
    /// assert!(first.ensure_no_peer_access(&second)?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxEnablePeerAccess")]
    pub fn ensure_peer_access_both_ways(&self, peer: &Context) -> Result<()> {
        // Guards until both are there: nobody else's access is touched.
        let first = self.peer_access(peer)?;
        let second = peer.peer_access(self)?;
        first.pin();
        second.pin();
        Ok(())
    }

    /// What this crate knows of access from this context to `peer`'s memory, without asking the driver: `None` if it has
    /// not been turned on by this crate, or was turned off by it.
    ///
    /// This can be asked while a graph is being captured. Inside a [host function](crate::stream#host-functions) nothing is
    /// known. What other libraries do it does not know.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Context, Device};
    /// # let (consumer, owner) = (Context::primary(Device::get(0)?)?, Context::primary(Device::get(1)?)?);
    /// use cuda_rt::peer::PoolAccess;
    ///
    /// assert_eq!(consumer.recorded_peer_access(&owner), None);
    /// let _access = consumer.peer_access(&owner)?;
    /// assert_eq!(consumer.recorded_peer_access(&owner), Some(PoolAccess::Granted));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn recorded_peer_access(&self, peer: &Context) -> Option<PoolAccess> {
        // The record may be locked by a thread that is not there, or that waits for the function that asks here.
        if is_forked_child() || is_inside() {
            return None;
        }
        with_record(|record| record.get(pair(self, peer)).map(|access| access.pool))
    }

    /// Whether kernels of this context have access to `peer`'s plain memory, whoever turned it on. To its own they have.
    ///
    /// The driver can only be asked by trying to turn it on, and if that works, off again. On H200s that took 50 to 90 ms, and
    /// a microsecond or two if it was on (measured). It is done in the relaxed capture mode, in which it ends no capture
    /// (measured). Wraps `cuCtxEnablePeerAccess` and `cuCtxDisablePeerAccess`.
    ///
    /// # Blocking
    ///
    /// Until copies of this crate between the two devices are done.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Context, Device};
    /// # let (consumer, owner) = (Context::primary(Device::get(0)?)?, Context::primary(Device::get(1)?)?);
    /// assert!(!consumer.is_peer_access_enabled(&owner)?);
    /// assert!(consumer.is_peer_access_enabled(&consumer)?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuCtxEnablePeerAccess", "cuCtxDisablePeerAccess"))]
    pub fn is_peer_access_enabled(&self, peer: &Context) -> Result<bool> {
        if self == peer {
            return Ok(true);
        }
        let mut leftovers = DeferredErrors::default();
        let _bound = self.bind(Symbol::cuCtxEnablePeerAccess)?;
        let _relaxed = RelaxedCaptureMode::new();
        probe(self, peer, &mut leftovers)
    }
}
