//! Memory pools of the driver.

#![allow(unsafe_code)]

mod access;
mod attribute;
mod located;
mod registry;
mod retired;
mod share;

pub use attribute::{MemPoolAttribute, MemPoolReuse, MemPoolUsage};
pub use located::{LocatedPool, MemAllocationType};
pub use share::MemPoolPtr;

use super::access::ShareableHandleTypes;
use super::location::MemLocation;
use crate::context::release_alone;
use crate::device::Device;
use crate::error::{Code, Error, OrDetail, Result};
use crate::handle::{DriverHandle, Owned, Releasing, is_forked_child, made};
use crate::peer::forget_pool;
use core::any::Any;
use core::fmt;
use core::mem::ManuallyDrop;
use core::ptr::null_mut;
use cuda_sys::Symbol;
use cuda_sys::{CUmemAllocationHandleType_enum, CUmemAllocationType_enum, CUmemPoolProps, CUmemoryPool};
use registry::Found;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// A memory pool of the driver's stream-ordered allocator. Clones are handles to the same pool.
///
/// [`DeviceBuf::zeroed_in`](crate::DeviceBuf::zeroed_in) and similar functions allocate from the pool, and each buffer keeps its
/// pool alive. A pool of the program is destroyed with the last of its handles and buffers. [Default](MemPool::default_of) pools
/// are not destroyed.
///
/// A pool is destroyed only after all its memory has been returned to the device. If a free is queued, the driver returns the
/// memory in a later synchronization. So this crate tries again whenever a call waits for a stream, an event or a context of the
/// device, and when a stream of the device is dropped. Until then the release threshold of the pool is 0.
///
/// A pool that was [current](MemPool::make_current) is never destroyed, but has no unused memory from then on. The same holds for
/// all pools with drivers older than CUDA 11.3, which cannot tell whether a pool has memory.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::{MemPool, MemPoolOptions};
///
/// let pool = MemPool::new(context.device(), MemPoolOptions::new())?;
/// let buffer = DeviceBuf::from_host_in(&stream, &[1, 2, 3], &pool)?;
/// drop(pool); // the buffer keeps the pool alive
/// assert_eq!(buffer.to_vec()?, [1, 2, 3]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// # Driver notes
///
/// Driver 580 crashes in a later synchronization if a pool is destroyed while its memory is in use, or while a free is queued. It
/// also crashes if a pool that was current is destroyed while another thread allocates memory without naming a pool.
#[doc(alias = "CUmemoryPool")]
#[derive(Clone)]
pub struct MemPool(Arc<Owned<Inner>>);

struct Inner {
    raw: CUmemoryPool,
    device: Device,
    kind: Kind,
    /// The number that distinguishes the pool from earlier ones of the same handle.
    number: u64,
}

enum Kind {
    /// The default pool of the device, which is not destroyed.
    Default,
    Owned,
    /// A pool of another process.
    Imported,
    /// A pool of other code. The owner is dropped last, or never if the pool was current.
    Foreign {
        owner: Option<Box<dyn Any + Send + Sync>>,
    },
}

// SAFETY: a `CUmemoryPool` names an object that the driver locks by itself; it is not bound to a thread. The other fields
// are `Send`.
unsafe impl Send for Inner {}
// SAFETY: nothing is changed through `&Inner`; the driver synchronises calls that share a pool.
unsafe impl Sync for Inner {}

/// Options of a new pool.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::Device;
/// use cuda_rt::memory::{MemPool, MemPoolOptions, ShareableHandleTypes};
///
/// let options = MemPoolOptions::new().handle_types(ShareableHandleTypes::NONE);
/// let pool = MemPool::new(Device::get(0)?, options)?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUmemPoolProps")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemPoolOptions {
    handle_types: ShareableHandleTypes,
    max_bytes: usize,
}

impl MemPoolOptions {
    /// Returns options with the driver's own limit and without sharing.
    pub const fn new() -> Self {
        Self { handle_types: ShareableHandleTypes::NONE, max_bytes: 0 }
    }

    /// Sets the forms in which the pool can be shared with other processes: see
    /// [`DeviceAttribute::MEMPOOL_SUPPORTED_HANDLE_TYPES`](crate::device::DeviceAttribute::MEMPOOL_SUPPORTED_HANDLE_TYPES).
    #[must_use]
    pub const fn handle_types(self, types: ShareableHandleTypes) -> Self {
        Self { handle_types: types, ..self }
    }

    /// Sets the largest size of the pool, in bytes. If it is 0, the driver chooses the limit. Drivers before CUDA 12.2
    /// refuse any other value.
    ///
    /// # Driver notes
    ///
    /// The driver rounds the size up. Measured: to a multiple of 32 MiB.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_rt::memory::MemPoolOptions;
    /// let options = MemPoolOptions::new().max_bytes(256 << 20);
    /// ```
    #[must_use]
    pub const fn max_bytes(self, bytes: usize) -> Self {
        Self { max_bytes: bytes, ..self }
    }
}

impl MemPool {
    /// Creates a pool of memory of a device. Wraps `cuMemPoolCreate`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver refuses the options.
    /// - [`Code::OutOfMemory`]: there is not so much memory.
    /// - [`Code::NotSupported`] or [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the device has no
    ///   pools.
    /// - [`Code::StreamCaptureUnsupported`]: any thread captures a graph in the global mode, or this thread does in the
    ///   thread-local mode, and the mode of this thread is not relaxed. The failure invalidates the capture.
    /// - An earlier failure.
    #[doc(alias = "cuMemPoolCreate")]
    pub fn new(device: Device, options: MemPoolOptions) -> Result<MemPool> {
        let MemPoolOptions { handle_types, max_bytes } = options;
        let properties = CUmemPoolProps {
            allocType: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
            handleTypes: CUmemAllocationHandleType_enum(handle_types.bits()),
            location: MemLocation::device(device).as_raw(),
            win32SecurityAttributes: handle_types.security_attributes(),
            maxSize: max_bytes,
            ..CUmemPoolProps::default()
        };
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write, `properties` for a read.
        let created = unsafe { check!(cuMemPoolCreate(&raw mut raw, &raw const properties)) }
            .or_detail(&[Code::InvalidValue, Code::OutOfMemory], &|| {
                format!("handle types {:#x}, max_bytes {max_bytes}", handle_types.bits())
            });
        made(created, !raw.is_null(), || MemPool::wrap(raw, device, Kind::Owned))
    }

    /// Returns the default pool of a device. Wraps `cuDeviceGetDefaultMemPool`.
    ///
    /// # Errors
    ///
    /// Same as [`MemPool::new`] on devices without pools.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::memory::MemPool;
    ///
    /// let device = Device::get(0)?;
    /// let pool = MemPool::default_of(device)?;
    /// assert_eq!(pool, MemPool::current_of(device)?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuDeviceGetDefaultMemPool"))]
    pub fn default_of(device: Device) -> Result<MemPool> {
        default_pool(device).map(|raw| MemPool::wrap(raw, device, Kind::Default))
    }

    /// Returns the current pool of a device, from which allocations come that name no pool. Wraps `cuDeviceGetMemPool`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): other code has created the current pool, and may destroy
    ///   it. This includes a pool of [`from_raw_with_owner`](MemPool::from_raw_with_owner) after
    ///   [`make_current`](MemPool::make_current).
    /// - Same as [`MemPool::new`] on devices without pools.
    #[doc(alias("cuDeviceGetMemPool"))]
    pub fn current_of(device: Device) -> Result<MemPool> {
        loop {
            let raw = current_pool(device)?;
            if raw == default_pool(device)? {
                return Ok(MemPool::wrap(raw, device, Kind::Default));
            }
            match registry::find(raw) {
                Found::Pool(known) => return Ok(MemPool(known)),
                // The thread that releases it may be waiting for this one.
                Found::Ending => retired::end_current(raw, device)?,
                // It may have ended since the query.
                Found::Unknown if current_pool(device)? != raw => {}
                Found::Unknown => {
                    return Err(Error::invalid(
                        "memory pool",
                        format_args!(
                            "the current one of device {} was made by other code, which may destroy it; make a pool of this \
                             crate current by `MemPool::make_current`",
                            device.as_raw()
                        ),
                    ));
                }
            }
        }
    }

    /// Makes the pool the current one of its device, from which allocations come that name no pool.
    ///
    /// The change holds in the whole process, for all its libraries. Wraps `cuDeviceSetMemPool`.
    ///
    /// When the last handle to a pool of this crate is dropped, the default pool becomes current again. The pool itself is not
    /// [destroyed](MemPool). A pool of [other code](MemPool::from_raw_with_owner) stays current, and its owner is never dropped.
    ///
    /// [Peer access](crate::peer) covers only the default pool: [`set_access`](MemPool::set_access) enables access to other
    /// pools.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the pool is [imported](MemPool::import_fd).
    /// - [`Code::StreamCaptureUnsupported`]: as for [`MemPool::new`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::memory::{MemPool, MemPoolOptions};
    ///
    /// let device = Device::get(0)?;
    /// let pool = MemPool::new(device, MemPoolOptions::new())?;
    /// pool.make_current()?;
    /// assert_eq!(MemPool::current_of(device)?, pool);
    /// MemPool::default_of(device)?.make_current()?;
    /// assert_ne!(MemPool::current_of(device)?, pool);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuDeviceSetMemPool"))]
    pub fn make_current(&self) -> Result<()> {
        // SAFETY: the pool is live.
        unsafe { retired::make_current(self.as_raw(), self.device()) }
    }

    /// Takes ownership of a pool, which is destroyed with the last of its handles and buffers.
    ///
    /// # Safety
    ///
    /// `raw` is a live pool made by `cuMemPoolCreate` with memory of `device`, which no other code destroys or makes current.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::{Device, sys};
    /// use cuda_rt::memory::MemPool;
    ///
    /// let device = Device::get(0)?;
    /// let mut properties = sys::CUmemPoolProps::default();
    /// properties.allocType = sys::CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED;
    /// properties.location.type_ = sys::CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE;
    /// let mut raw = std::ptr::null_mut();
    /// // SAFETY: `raw` is valid for a write, `properties` for a read.
    /// assert!(unsafe { sys::cuMemPoolCreate(&mut raw, &properties) }.is_success());
    /// // SAFETY: made above for the first device, and no other code destroys it.
    /// let pool = unsafe { MemPool::from_raw(raw, device) };
    /// assert_eq!(pool.as_raw(), raw);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemPoolDestroy")]
    pub unsafe fn from_raw(raw: CUmemoryPool, device: Device) -> MemPool {
        MemPool::wrap(raw, device, Kind::Owned)
    }

    /// Wraps a pool of other code, and keeps `owner` alive until the last handle and buffer is dropped.
    ///
    /// # Safety
    ///
    /// - `raw` is a live pool with memory of `device`, and stays live at least until `owner` is dropped.
    /// - When `owner` is dropped, memory of the pool may be in use, and frees of its memory may be queued. Dropping `owner` does not
    ///   destroy the pool then: see the *Driver notes* of [`MemPool`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::memory::{MemPool, MemPoolOptions};
    ///
    /// let device = Device::get(0)?;
    /// let mine = MemPool::new(device, MemPoolOptions::new())?;
    /// // SAFETY: live, of this device, and kept so by its owner.
    /// let borrowed = unsafe { MemPool::from_raw_with_owner(mine.as_raw(), device, Box::new(mine.clone())) };
    /// assert_eq!(borrowed, mine);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn from_raw_with_owner(
        raw: CUmemoryPool,
        device: Device,
        owner: Box<dyn Any + Send + Sync>,
    ) -> MemPool {
        MemPool::wrap(raw, device, Kind::Foreign { owner: Some(owner) })
    }

    /// Returns whether the pool is of another process. Memory of such a pool comes only from pointers that the other process
    /// exports.
    pub(in crate::memory) fn is_imported(&self) -> bool {
        matches!(self.0.kind, Kind::Imported)
    }

    fn wrap(raw: CUmemoryPool, device: Device, kind: Kind) -> MemPool {
        let is_owned = matches!(kind, Kind::Owned);
        let pool = Arc::new(Owned::first(Inner { raw, device, kind, number: registry::next_number() }));
        if is_owned {
            forget_pool(raw);
            registry::add(&pool);
        }
        MemPool(pool)
    }

    /// Returns the raw handle. The caller must not destroy the pool.
    pub fn as_raw(&self) -> CUmemoryPool {
        self.0.raw
    }

    /// Returns the device of the memory.
    pub fn device(&self) -> Device {
        self.0.device
    }

    /// Returns unused memory to the device. The pool keeps at least `keep` reserved bytes, used and unused. Memory whose free is
    /// queued counts as in use. Wraps `cuMemPoolTrimTo`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the pool is [imported](MemPool::import_fd).
    /// - [`Code::StreamCaptureUnsupported`]: as for [`MemPool::new`].
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::{MemPool, MemPoolOptions};
    ///
    /// let pool = MemPool::new(context.device(), MemPoolOptions::new())?;
    /// pool.set_release_threshold(u64::MAX)?;
    /// drop(DeviceBuf::<u8>::zeroed_in(&stream, 1000, &pool)?);
    /// stream.synchronize()?;
    /// pool.trim_to(0)?;
    /// assert_eq!(pool.usage()?.reserved, 0);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemPoolTrimTo")]
    pub fn trim_to(&self, keep: usize) -> Result<()> {
        // SAFETY: the pool is live.
        unsafe { trim(self.as_raw(), keep) }
    }

    /// Destroys the pool, if this is the last handle to it and no buffer has memory of it, and returns the driver's answer. A
    /// drop can report a failure only to the [hook](crate::handle::set_drop_hook). Wraps `cuMemPoolDestroy`.
    ///
    /// If a free is queued, the pool is destroyed [later](MemPool), and the result is `Ok(())`. A pool that was
    /// [current](MemPool::make_current) is not destroyed.
    ///
    /// # Errors
    ///
    /// An earlier failure. The handle is consumed in any case.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::Device;
    /// # use cuda_rt::memory::{MemPool, MemPoolOptions};
    /// MemPool::new(Device::get(0)?, MemPoolOptions::new())?.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemPoolDestroy")]
    pub fn close(self) -> Result<()> {
        Owned::close_last(self.0)
    }
}

impl MemPool {
    /// Returns the pool with an address that the driver names: the default pool of its device, or a live pool of this crate.
    /// Other pools may have been destroyed, and are not returned.
    pub(crate) fn known(address: usize, device: Device) -> Result<Option<MemPool>> {
        if address == 0 {
            return Ok(None);
        }
        let default = default_pool(device)?;
        if default.addr() == address {
            return Ok(Some(MemPool::wrap(default, device, Kind::Default)));
        }
        match registry::find(core::ptr::without_provenance_mut(address)) {
            Found::Pool(known) => Ok(Some(MemPool(known))),
            Found::Ending | Found::Unknown => Ok(None),
        }
    }
}

/// # Safety
///
/// The pool is live.
unsafe fn trim(pool: CUmemoryPool, keep: usize) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { check!(cuMemPoolTrimTo(pool, keep)) }
}

fn current_pool(device: Device) -> Result<CUmemoryPool> {
    let mut raw = null_mut();
    // SAFETY: `raw` is valid for a write.
    unsafe { check!(cuDeviceGetMemPool(&raw mut raw, device.as_raw())) }?;
    Ok(raw)
}

fn default_pool(device: Device) -> Result<CUmemoryPool> {
    let mut raw = null_mut();
    // SAFETY: `raw` is valid for a write.
    unsafe { check!(cuDeviceGetDefaultMemPool(&raw mut raw, device.as_raw())) }?;
    Ok(raw)
}

/// Two handles are equal if they name the same pool.
impl PartialEq for MemPool {
    fn eq(&self, other: &MemPool) -> bool {
        self.0.raw == other.0.raw
    }
}

impl Eq for MemPool {}

impl fmt::Debug for MemPool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MemPool").field("raw", &self.0.raw).field("device", &self.0.device).finish()
    }
}

impl DriverHandle for Inner {
    fn release_call(&self) -> Symbol {
        Symbol::cuMemPoolDestroy
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        match &mut self.kind {
            Kind::Default => return Ok(()),
            Kind::Foreign { owner } => {
                let owner = owner.take();
                if !is_forked_child() && retired::was_current(self.raw) {
                    // An allocation that names no pool may be about to take memory of it.
                    let _kept = ManuallyDrop::new(owner);
                    return Ok(());
                }
                // Code of the program, which may panic.
                let dropped = catch_unwind(AssertUnwindSafe(|| drop(owner)));
                // Unless it is a pool of this crate or of a device, the pool may be destroyed. Another query finds out if it is only
                // imported.
                let is_known = || matches!(MemPool::known(self.raw.addr(), self.device), Ok(Some(_)));
                if !is_forked_child() && !is_known() {
                    forget_pool(self.raw);
                }
                return dropped.or_else(|payload| resume_unwind(payload));
            }
            Kind::Owned => {
                // SAFETY: the owner releases the pool once, and does not use it afterwards.
                let retired = unsafe { retired::retire(self.raw, self.device) };
                // Afterwards: until then, `current_of` finds the pool ending, and makes the default pool current.
                registry::remove(self.raw, self.number);
                return retired;
            }
            Kind::Imported if !is_forked_child() && retired::was_current(self.raw) => return Ok(()),
            Kind::Imported => {}
        }
        let destroyed = release_alone(&mut || {
            forget_pool(self.raw);
            // SAFETY: the owner releases the pool once, and does not use it afterwards.
            unsafe { check!(cuMemPoolDestroy(self.raw)) }
        });
        match destroyed {
            // The driver keeps what it has imported (measured).
            Err(error) if error.code() == Some(Code::InvalidValue) => Ok(()),
            destroyed => destroyed,
        }
    }
}
