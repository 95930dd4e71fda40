//! The state of access from one context to another.

use super::PoolGrant;
use super::record::{lock_record, pair, probe};
use crate::context::{Context, RelaxedCaptureMode};
use crate::error::Result;
use crate::handle::{DeferredErrors, is_forked_child, is_inside};
use cuda_sys::Symbol;

/// State of access of kernels of one context to the memory of another. Made by [`Context::peer_access_state`].
///
/// Each method makes a new query. The costs differ:
///
/// | method | source | driver calls |
/// |---|---|---|
/// | [`is_supported`](PeerAccessState::is_supported) | the driver | one, which invalidates no capture |
/// | [`is_enabled`](PeerAccessState::is_enabled) | the driver, by enabling and disabling | one or two, slow if access is not enabled |
/// | [`recorded`](PeerAccessState::recorded) | this crate | none |
///
/// ```
/// # let (consumer, owner) = cuda_doc::peers()?;
/// if consumer.peer_access_state(&owner).is_supported()? {
///     consumer.enable_peer_access(&owner)?;
/// }
/// # consumer.disable_peer_access(&owner)?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct PeerAccessState<'a> {
    own: &'a Context,
    peer: &'a Context,
}

impl<'a> PeerAccessState<'a> {
    pub(super) fn new(own: &'a Context, peer: &'a Context) -> Self {
        PeerAccessState { own, peer }
    }

    /// Returns whether access can be enabled. Wraps `cuDeviceCanAccessPeer`.
    ///
    /// A context has access to itself, and cannot have access to other contexts of its device. For another device the answer is
    /// that of [`Device::can_access_peer`](crate::Device::can_access_peer).
    ///
    /// # Errors
    ///
    /// No failure is expected of a live driver.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (consumer, owner) = cuda_doc::peers()?;
    /// assert!(consumer.peer_access_state(&owner).is_supported()?);
    /// assert!(consumer.peer_access_state(&consumer).is_supported()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuDeviceCanAccessPeer", "is_peer_access_supported"))]
    pub fn is_supported(self) -> Result<bool> {
        Ok(self.own == self.peer || self.own.device().can_access_peer(self.peer.device())?)
    }

    /// Returns whether access to [plain](crate::memory::MemorySource::Plain) memory is enabled, by this crate or by other code.
    /// Wraps `cuCtxEnablePeerAccess` and `cuCtxDisablePeerAccess`.
    ///
    /// The driver has no query for it. So this method enables access. If that succeeds, it disables access again. Both happen in
    /// the relaxed capture mode, in which they invalidate no capture. A context always has access to itself.
    ///
    /// # Blocking
    ///
    /// Waits until copies of this crate between the two devices are done.
    ///
    /// # Driver notes
    ///
    /// On H200s with driver 580 the call took 50 to 90 ms where access was disabled, and one or two microseconds where it was
    /// enabled.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (consumer, owner) = cuda_doc::peers()?;
    /// assert!(!consumer.peer_access_state(&owner).is_enabled()?);
    /// assert!(consumer.peer_access_state(&consumer).is_enabled()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuCtxEnablePeerAccess", "cuCtxDisablePeerAccess", "is_peer_access_enabled"))]
    pub fn is_enabled(self) -> Result<bool> {
        let (own, peer) = (self.own, self.peer);
        if own == peer {
            return Ok(true);
        }
        let mut errors = DeferredErrors::default();
        let _bound = own.bind(Symbol::cuCtxEnablePeerAccess)?;
        let _relaxed = RelaxedCaptureMode::new();
        probe(own, peer, &mut errors)
    }

    /// Returns the outcome for the default pool, if this crate has enabled access and not disabled it since. Otherwise returns
    /// `None`. Makes no driver call.
    ///
    /// The method can be called while a graph is being captured. Inside a [host function](crate::stream#host-functions) the
    /// result is `None`. The record does not know of access that other code has enabled or disabled.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (consumer, owner) = cuda_doc::peers()?;
    /// use cuda_rt::peer::PoolGrant;
    ///
    /// assert_eq!(consumer.peer_access_state(&owner).recorded(), None);
    /// let _access = consumer.peer_access(&owner)?;
    /// assert_eq!(consumer.peer_access_state(&owner).recorded(), Some(PoolGrant::Granted));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn recorded(self) -> Option<PoolGrant> {
        // In a forked child, the thread that locked the record does not exist. Inside a host function, that thread may wait for
        // the function.
        if is_forked_child() || is_inside() {
            return None;
        }
        lock_record().get(pair(self.own, self.peer)).map(|access| access.pool)
    }

    /// Returns whether access is recorded, or was found enabled by an earlier query. Makes no driver call.
    pub(crate) fn is_recorded(self) -> bool {
        let Self { own, peer } = self;
        own == peer || !is_forked_child() && lock_record().is_on(pair(own, peer))
    }
}
