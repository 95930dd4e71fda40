//! Access of devices to the memory of a pool.

#![allow(unsafe_code)]

use super::MemPool;
use crate::context::RelaxedCaptureMode;
use crate::device::Device;
use crate::error::{Code, OrDetail, Result};
use crate::handle::{DeferredErrors, ensure_not_in_host_function};
use crate::memory::AccessFlags;
use crate::peer::{change_pool_access, is_pool_open, pool_access, query_pool_access};
use cuda_sys::Symbol;

impl MemPool {
    /// Returns the access flags of a device for memory of the pool. Wraps `cuMemPoolGetAccess`.
    ///
    /// # Errors
    ///
    /// - [`Code::StreamCaptureUnsupported`]: as for [`MemPool::new`]. [`has_access`](MemPool::has_access) invalidates
    ///   no capture.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::Device;
    /// use cuda_rt::memory::{AccessFlags, MemPool};
    ///
    /// let pool = MemPool::default_of(Device::get(0)?)?;
    /// assert_eq!(pool.access(Device::get(0)?)?, AccessFlags::READ_WRITE);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemPoolGetAccess")]
    pub fn access(&self, device: Device) -> Result<AccessFlags> {
        // SAFETY: the pool is live.
        unsafe { pool_access(self.as_raw(), device) }.map(|flags| AccessFlags(flags.0))
    }

    /// Sets the access flags of a device for memory of the pool. Returns whether they changed. Wraps `cuMemPoolGetAccess` and
    /// `cuMemPoolSetAccess`.
    ///
    /// The access covers all present and future memory of the pool. The pool's own device always has full access.
    ///
    /// [Peer access](crate::peer#memory-pools) between contexts is separate, except for the default pool. Enabling peer access
    /// also enables access to the default pool, and disabling it may disable that access again.
    ///
    /// A kernel, a fill or a copy in a context of `device` that uses memory of the pool by its address needs access. Copies of
    /// this crate between buffers of two contexts need none.
    ///
    /// The driver does not wait for kernels. A kernel that loses access fails with [`Code::IllegalAddress`], and the process
    /// cannot use the driver afterwards. Wait for such kernels before disabling access. See [`peer`](crate::peer#failures).
    ///
    /// # Blocking
    ///
    /// Disabling access waits until copies of this crate between the two devices are done. It also waits for launches of graphs
    /// with memory of both devices, and for the streams of ended [guards](crate::memory::UseOn) between the devices.
    /// Afterwards, launches of these graphs are refused: build such a graph again.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidDevice`]: the device cannot access the memory, or is the pool's own and would lose access.
    /// - [`Code::NotSupported`]: the access is [`AccessFlags::READ`].
    /// - [`Code::StreamCaptureUnsupported`]: the call would change the access, and the condition of [`MemPool::new`]
    ///   holds. The failure invalidates the capture.
    /// - [`Poisoned`](crate::error::ErrorKind::Poisoned): access would be disabled, and a launched graph may still copy between
    ///   the two devices.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::Device;
    /// use cuda_rt::memory::{AccessFlags, MemPool, MemPoolOptions};
    ///
    /// let (owner, consumer) = (Device::get(0)?, Device::get(1)?);
    /// let pool = MemPool::new(owner, MemPoolOptions::new())?;
    /// assert!(!pool.has_access(consumer)?);
    /// assert!(pool.set_access(consumer, AccessFlags::READ_WRITE)?);
    /// assert!(!pool.set_access(consumer, AccessFlags::READ_WRITE)?); // no change
    /// assert!(pool.has_access(consumer)?);
    /// assert!(pool.set_access(consumer, AccessFlags::NONE)?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemPoolSetAccess", "set_mempool_access_enabled"))]
    pub fn set_access(&self, device: Device, access: AccessFlags) -> Result<bool> {
        if self.device() == device && access == AccessFlags::READ_WRITE {
            return Ok(false);
        }
        // The record is locked during the driver call, which may wait for the host function that makes this call.
        ensure_not_in_host_function(Symbol::cuMemPoolSetAccess)?;
        let mut errors = DeferredErrors::default();
        let flags = cuda_sys::CUmemAccess_flags_enum(access.0);
        // SAFETY: the pool is live, and of this device.
        let changed = unsafe { change_pool_access(self.as_raw(), self.device(), device, flags, &mut errors) };
        let asked = || format!("access {access} for device {}", device.as_raw());
        changed.or_detail(&[Code::InvalidDevice, Code::NotSupported, Code::InvalidValue], &asked)
    }

    /// Returns whether a device can be given access to memory of the pool. Wraps `cuDeviceCanAccessPeer`.
    ///
    /// The pool's own device has access.
    ///
    /// # Errors
    ///
    /// No failure is expected of a live driver.
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

    /// Returns whether a device has access to memory of the pool. Wraps `cuMemPoolGetAccess`.
    ///
    /// The pool's own device has access. The driver is called in the relaxed capture mode, in which the call invalidates no
    /// capture.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::Device;
    /// # use cuda_rt::memory::MemPool;
    /// let pool = MemPool::default_of(Device::get(0)?)?;
    /// assert!(pool.has_access(Device::get(0)?)?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemPoolGetAccess", "is_mempool_access_enabled"))]
    pub fn has_access(&self, device: Device) -> Result<bool> {
        if self.device() == device {
            return Ok(true);
        }
        // The record is locked during the driver call, which may wait for the function that makes this query.
        ensure_not_in_host_function(Symbol::cuMemPoolGetAccess)?;
        let _relaxed = RelaxedCaptureMode::new();
        // SAFETY: the pool is live.
        unsafe { query_pool_access(self.as_raw(), device) }
    }

    /// Returns whether access is recorded, or was found by an earlier query. Makes no driver call.
    pub(crate) fn has_recorded_access(&self, device: Device) -> bool {
        self.device() == device || is_pool_open(self.as_raw(), device)
    }
}
