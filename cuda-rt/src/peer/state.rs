//! Access between devices as a state: what it is, and what it is to be, whoever has set it.

use super::record;
use super::record::with_record;
use crate::callback::ensure_not_in_callback;
use crate::context::Context;
use crate::device::Device;
use crate::error::Result;
use crate::fork::is_forked_child;
use crate::memory::{MemAccess, MemPool};
use cuda_sys::Symbol;

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

impl MemPool {
    /// Whether work on a device can be given access to memory of the pool. The pool's own device has it. Wraps
    /// `cuDeviceCanAccessPeer`.
    ///
    /// # Errors
    ///
    /// None are expected of a live driver.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Device, MemPool};
    /// let pool = MemPool::default_of(Device::get(0)?)?;
    /// assert!(pool.can_be_opened_to(Device::get(0)?)?);
    /// assert!(pool.can_be_opened_to(Device::get(1)?)?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuDeviceCanAccessPeer", "is_mempool_access_supported"))]
    pub fn can_be_opened_to(&self, device: Device) -> Result<bool> {
        Ok(self.device() == device || device.can_access_peer(self.device())?)
    }

    /// Whether work on a device has access to memory of the pool. Its own device has. Wraps `cuMemPoolGetAccess`, which is asked in the relaxed
    /// capture mode, so that it ends no capture (measured).
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// See [`MemPool::set_open_to`].
    #[doc(alias("cuMemPoolGetAccess", "is_mempool_access_enabled"))]
    pub fn is_open_to(&self, device: Device) -> Result<bool> {
        if self.device() == device {
            return Ok(true);
        }
        // The record is locked while the driver is called, which may wait for the function that asks here.
        ensure_not_in_callback(Symbol::cuMemPoolGetAccess)?;
        let has_access = || Ok(self.access(device)? != MemAccess::NONE);
        if is_forked_child() {
            // The record may be locked by a thread that is not there; the driver refuses everything.
            return has_access();
        }
        let _relaxed = crate::context::Relaxed::new();
        // In one, since others may change it meanwhile.
        with_record(|record| {
            let has_access = has_access()?;
            record.note_pool(self.as_raw(), device, has_access);
            Ok(has_access)
        })
    }

    /// Sees to it that work on a device has access to memory of the pool, for reading and writing, or that it has none:
    /// whether that was a change. For the other way there is the same call of a pool of the other device.
    ///
    /// What is so already is left alone. The pool's own device always has access, which is no change and cannot be taken.
    /// Otherwise it is [`set_access`](MemPool::set_access).
    ///
    /// # Blocking
    ///
    /// Taking access away waits until copies of this crate between the two devices are done.
    ///
    /// # Errors
    ///
    /// Those of [`set_access`](MemPool::set_access).
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Device, MemPool, MemPoolOptions};
    /// let pool = MemPool::new(Device::get(0)?, MemPoolOptions::new())?;
    /// let consumer = Device::get(1)?;
    /// assert!(!pool.is_open_to(consumer)?);
    /// assert!(pool.set_open_to(consumer, true)?);
    /// assert!(!pool.set_open_to(consumer, true)?); // was open already
    /// assert!(pool.is_open_to(consumer)?);
    /// assert!(pool.set_open_to(consumer, false)?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemPoolSetAccess", "set_mempool_access_enabled"))]
    pub fn set_open_to(&self, device: Device, enabled: bool) -> Result<bool> {
        if self.is_open_to(device)? == enabled || self.device() == device {
            return Ok(false);
        }
        self.set_access(device, if enabled { MemAccess::READ_WRITE } else { MemAccess::NONE })?;
        Ok(true)
    }

    /// Whether this crate has opened the pool to a device, or has found it open when it was asked before. Asks no driver.
    pub(crate) fn has_recorded_peer_access(&self, device: Device) -> bool {
        self.device() == device
            || !is_forked_child() && with_record(|record| record.is_pool_open(self.as_raw(), device))
    }
}
