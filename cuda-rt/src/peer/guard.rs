//! Access as long as somebody needs it.

use super::record::with_record;
use crate::context::{By, Context, release_in};
use crate::error::{Result, report};
use crate::fork::is_forked_child;

/// Access from one context to the memory of another, at least as long as this lives. Made by
/// [`Context::peer_access`].
///
/// The last guard of a pair turns off what guards have turned on. Access that was on before stays on, and so does what
/// others have [asked](Context::ensure_peer_access) for meanwhile.
///
/// Dropping does not wait for kernels, not even for those that use the access: let them end first.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::{Context, Device};
///
/// let consumer = Context::primary(Device::get(0)?)?;
/// let owner = Context::primary(Device::get(1)?)?;
/// let access = consumer.peer_access(&owner)?;
/// assert!(consumer.is_peer_access_enabled(&owner)?);
/// drop(access);
/// assert!(!consumer.is_peer_access_enabled(&owner)?);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "the access is only certain as long as this lives"]
pub struct PeerAccess {
    own: Context,
    peer: Context,
    /// Which access it counts for; `None` once it has been given up.
    number: Option<u64>,
}

impl PeerAccess {
    pub(super) fn new(own: &Context, peer: &Context) -> Result<PeerAccess> {
        let _bound = own.bind()?;
        let number = with_record(|record, leftovers| record.guard(own, peer, leftovers))?;
        Ok(PeerAccess { own: own.clone(), peer: peer.clone(), number: Some(number) })
    }

    /// The context whose kernels have access.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Context, Device};
    /// # let (consumer, owner) = (Context::primary(Device::get(0)?)?, Context::primary(Device::get(1)?)?);
    /// assert_eq!(consumer.peer_access(&owner)?.context(), &consumer);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn context(&self) -> &Context {
        &self.own
    }

    /// The context whose memory they reach.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Context, Device};
    /// # let (consumer, owner) = (Context::primary(Device::get(0)?)?, Context::primary(Device::get(1)?)?);
    /// assert_eq!(consumer.peer_access(&owner)?.peer(), &owner);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn peer(&self) -> &Context {
        &self.peer
    }

    /// Gives the access up, and reports the driver's answer, which a drop can only give to the
    /// [hook](crate::error::set_drop_hook). Wraps `cuCtxDisablePeerAccess`.
    ///
    /// # Errors
    ///
    /// [`Code::PeerAccessNotEnabled`](crate::Code::PeerAccessNotEnabled) if others have turned it off behind this crate's
    /// back, or an earlier failure. The guard is gone all the same.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Context, Device};
    /// # let (consumer, owner) = (Context::primary(Device::get(0)?)?, Context::primary(Device::get(1)?)?);
    /// consumer.peer_access(&owner)?.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxDisablePeerAccess")]
    pub fn close(mut self) -> Result<()> {
        self.release()
    }

    fn release(&mut self) -> Result<()> {
        let Some(number) = self.number.take() else { return Ok(()) };
        if is_forked_child() {
            // The record may be locked by a thread that is not there.
            return Ok(());
        }
        let (own, peer) = (&self.own, &self.peer);
        let mut has_left = false;
        let left = release_in(own, By::Current, || {
            has_left = true;
            with_record(|record, leftovers| record.leave(own, peer, number, leftovers, true))
        });
        if !has_left {
            // The context is gone, or cannot be entered: there is nothing to be had of the driver.
            let _ = with_record(|record, leftovers| record.leave(own, peer, number, leftovers, false));
        }
        left
    }
}

impl Drop for PeerAccess {
    fn drop(&mut self) {
        report(self.release());
    }
}
