//! Access of devices to the memory of a pool.

#![allow(unsafe_code)]

use super::MemPool;
use crate::context::RelaxedCaptureMode;
use crate::device::Device;
use crate::error::{Code, OrDetail, Result};
use crate::handle::{DeferredErrors, ensure_not_in_callback};
use crate::memory::MemAccess;
use crate::peer::{change_pool_access, is_pool_open, pool_access, query_pool_access};
use cuda_sys::Symbol;

impl MemPool {
    /// What work on a device may do with memory of the pool. Wraps `cuMemPoolGetAccess`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuMemPoolGetAccess")]
    pub fn access(&self, device: Device) -> Result<MemAccess> {
        // SAFETY: the pool is live.
        unsafe { pool_access(self.as_raw(), device) }.map(|flags| MemAccess(flags.0))
    }

    /// Lets work on a device use memory of the pool, or no longer: all of it, what was allocated and what will be. The
    /// pool's own device has all access, and keeps it. Wraps `cuMemPoolSetAccess`.
    ///
    /// It does not go with [peer access](crate::peer) between contexts. Where access is given, kernels reach the memory, and
    /// copies within one context; copies between buffers of this crate need none.
    ///
    /// Kernels that use the access must have ended before it is taken away: the driver does not wait for them (measured).
    /// While a graph is being captured, the driver refuses the call, and the capture is lost (fact V919).
    ///
    /// # Blocking
    ///
    /// Taking access away waits until copies of this crate between the two devices are done.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidDevice`] if the device cannot reach the memory, or is the pool's own and would lose it;
    /// [`Code::NotSupported`] for [`MemAccess::READ`] (measured); or an earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::memory::{MemAccess, MemPool, MemPoolOptions};
    ///
    /// let (owner, consumer) = (Device::get(0)?, Device::get(1)?);
    /// let pool = MemPool::new(owner, MemPoolOptions::new())?;
    /// assert_eq!(pool.access(consumer)?, MemAccess::NONE);
    /// pool.set_access(consumer, MemAccess::READ_WRITE)?;
    /// assert_eq!(pool.access(consumer)?, MemAccess::READ_WRITE);
    /// pool.set_access(consumer, MemAccess::NONE)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemPoolSetAccess")]
    pub fn set_access(&self, device: Device, access: MemAccess) -> Result<()> {
        // The record is locked while the driver is called, which may wait for the host function that asks here.
        ensure_not_in_callback(Symbol::cuMemPoolSetAccess)?;
        let mut leftovers = DeferredErrors::default();
        let flags = cuda_sys::CUmemAccess_flags_enum(access.0);
        // SAFETY: the pool is live, and of this device.
        let changed =
            unsafe { change_pool_access(self.as_raw(), self.device(), device, flags, &mut leftovers) };
        let asked = || format!("access {access} for device {}", device.as_raw());
        changed.or_detail(&[Code::InvalidDevice, Code::NotSupported, Code::InvalidValue], &asked)
    }

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
    /// # use cuda_rt::Device;
    /// # use cuda_rt::memory::MemPool;
    /// let pool = MemPool::default_of(Device::get(0)?)?;
    /// assert!(pool.can_have_access(Device::get(0)?)?);
    /// assert!(pool.can_have_access(Device::get(1)?)?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuDeviceCanAccessPeer", "is_mempool_access_supported"))]
    pub fn can_have_access(&self, device: Device) -> Result<bool> {
        Ok(self.device() == device || device.can_access_peer(self.device())?)
    }

    /// Whether work on a device has access to memory of the pool. Its own device has. Wraps `cuMemPoolGetAccess`, which is asked in the relaxed
    /// capture mode, so that it ends no capture (measured).
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias("cuMemPoolGetAccess", "is_mempool_access_enabled"))]
    pub fn has_access(&self, device: Device) -> Result<bool> {
        if self.device() == device {
            return Ok(true);
        }
        // The record is locked while the driver is called, which may wait for the function that asks here.
        ensure_not_in_callback(Symbol::cuMemPoolGetAccess)?;
        let _relaxed = RelaxedCaptureMode::new();
        // SAFETY: the pool is live.
        unsafe { query_pool_access(self.as_raw(), device) }
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
    /// Same as [`set_access`](MemPool::set_access).
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::Device;
    /// # use cuda_rt::memory::{MemPool, MemPoolOptions};
    /// let pool = MemPool::new(Device::get(0)?, MemPoolOptions::new())?;
    /// let consumer = Device::get(1)?;
    /// assert!(!pool.has_access(consumer)?);
    /// assert!(pool.set_open_to(consumer, true)?);
    /// assert!(!pool.set_open_to(consumer, true)?); // was open already
    /// assert!(pool.has_access(consumer)?);
    /// assert!(pool.set_open_to(consumer, false)?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemPoolSetAccess", "set_mempool_access_enabled"))]
    pub fn set_open_to(&self, device: Device, enabled: bool) -> Result<bool> {
        if self.has_access(device)? == enabled || self.device() == device {
            return Ok(false);
        }
        self.set_access(device, if enabled { MemAccess::READ_WRITE } else { MemAccess::NONE })?;
        Ok(true)
    }

    /// Whether this crate has opened the pool to a device, or has found it open when it was asked before. Asks no driver.
    pub(crate) fn has_recorded_peer_access(&self, device: Device) -> bool {
        self.device() == device || is_pool_open(self.as_raw(), device)
    }
}
