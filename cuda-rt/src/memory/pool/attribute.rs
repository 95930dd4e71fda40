//! Properties of memory pools.

#![allow(unsafe_code)]

use super::MemPool;
use crate::error::{Code, OrDetail, Result};
use cuda_sys::{CUmemPool_attribute, CUmemoryPool};

/// A property of a memory pool: any number that some driver knows.
///
/// The constants are those of CUDA 13.5. A driver refuses the ones it does not know, and may know others: make those
/// with `MemPoolAttribute(number)`.
///
/// ```
/// use cuda_rt::memory::MemPoolAttribute;
///
/// assert_eq!(MemPoolAttribute::RELEASE_THRESHOLD.to_string(), "RELEASE_THRESHOLD");
/// assert_eq!(MemPoolAttribute(99).to_string(), "MemPoolAttribute(99)");
/// ```
#[doc(alias = "CUmemPool_attribute")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemPoolAttribute(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../../generated/mem_pool_attribute.rs");

/// How much memory a pool has, and how much of it is in use, in bytes.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::{MemPool, MemPoolOptions};
///
/// let pool = MemPool::new(context.device(), MemPoolOptions::new())?;
/// let buffer = DeviceBuf::<u8>::zeroed_in(&stream, 1000, &pool)?;
/// let usage = pool.usage()?;
/// assert!(usage.used >= 1000 && usage.reserved >= usage.used);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemPoolUsage {
    /// Bytes in use now.
    pub used: u64,
    /// The most that was in use at a time.
    pub used_high: u64,
    /// Bytes of the pool now.
    pub reserved: u64,
    /// The most that it had at a time.
    pub reserved_high: u64,
}

/// When a pool uses freed memory again. All of it is allowed at first.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::Device;
/// use cuda_rt::memory::{MemPool, MemPoolOptions, MemPoolReuse};
///
/// let pool = MemPool::new(Device::get(0)?, MemPoolOptions::new())?;
/// // So that every run uses memory in the same way.
/// pool.set_reuse(MemPoolReuse { opportunistic: false, ..pool.reuse()? })?;
/// assert!(!pool.reuse()?.opportunistic);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemPoolReuse {
    /// On another stream, if that waits for an event after the free.
    pub follow_event_dependencies: bool,
    /// When the free happens to be done.
    pub opportunistic: bool,
    /// On another stream, which the driver makes wait for the free.
    pub internal_dependencies: bool,
}

/// A value that the driver reads and writes: a number of 4 or 8 bytes, as documented so far. There is more room, since
/// the number of the attribute is the caller's.
type Value = [u64; 8];

impl MemPool {
    /// Returns the value of a property. Wraps `cuMemPoolGetAttribute`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`] if the driver does not know it, or the pool is [imported](MemPool::import_fd).
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::memory::{MemPool, MemPoolAttribute};
    ///
    /// let pool = MemPool::default_of(Device::get(0)?)?;
    /// assert_eq!(pool.attribute(MemPoolAttribute::REUSE_ALLOW_OPPORTUNISTIC)?, 1);
    /// assert!(pool.attribute(MemPoolAttribute(99)).is_err());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemPoolGetAttribute")]
    pub fn attribute(&self, attribute: MemPoolAttribute) -> Result<u64> {
        // SAFETY: the pool is live.
        unsafe { attribute_of(self.as_raw(), attribute) }
    }

    /// Changes a property. Of counts of bytes only the highest can be set, and only to 0. Wraps `cuMemPoolSetAttribute`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`] if the driver does not know it, or it cannot be set so.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::memory::{MemPool, MemPoolAttribute, MemPoolOptions};
    ///
    /// let pool = MemPool::new(Device::get(0)?, MemPoolOptions::new())?;
    /// pool.set_attribute(MemPoolAttribute::REUSE_ALLOW_OPPORTUNISTIC, 0)?;
    /// assert_eq!(pool.attribute(MemPoolAttribute::REUSE_ALLOW_OPPORTUNISTIC)?, 0);
    /// assert!(pool.set_attribute(MemPoolAttribute::USED_MEM_CURRENT, 0).is_err());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemPoolSetAttribute")]
    pub fn set_attribute(&self, attribute: MemPoolAttribute, value: u64) -> Result<()> {
        // SAFETY: the pool is live.
        unsafe { set_attribute_of(self.as_raw(), attribute, value) }
    }

    /// Returns how much unused memory the pool keeps when a stream or an event is synchronised, in bytes: 0 at first.
    /// The rest goes back to the device.
    ///
    /// # Errors
    ///
    /// Same as [`MemPool::attribute`].
    #[doc(alias("cuMemPoolGetAttribute", "CU_MEMPOOL_ATTR_RELEASE_THRESHOLD"))]
    pub fn release_threshold(&self) -> Result<u64> {
        self.attribute(MemPoolAttribute::RELEASE_THRESHOLD)
    }

    /// Changes how much unused memory the pool keeps, in bytes.
    ///
    /// # Errors
    ///
    /// Same as [`MemPool::set_attribute`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::memory::{MemPool, MemPoolOptions};
    ///
    /// let pool = MemPool::new(Device::get(0)?, MemPoolOptions::new())?;
    /// pool.set_release_threshold(u64::MAX)?; // everything, so that later allocations are fast
    /// assert_eq!(pool.release_threshold()?, u64::MAX);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemPoolSetAttribute", "CU_MEMPOOL_ATTR_RELEASE_THRESHOLD"))]
    pub fn set_release_threshold(&self, bytes: u64) -> Result<()> {
        self.set_attribute(MemPoolAttribute::RELEASE_THRESHOLD, bytes)
    }

    /// Returns how much memory the pool has, and how much of it is in use. The four are asked for one after the other.
    ///
    /// # Errors
    ///
    /// Same as [`MemPool::attribute`].
    #[doc(alias = "cuMemPoolGetAttribute")]
    pub fn usage(&self) -> Result<MemPoolUsage> {
        Ok(MemPoolUsage {
            used: self.attribute(MemPoolAttribute::USED_MEM_CURRENT)?,
            used_high: self.attribute(MemPoolAttribute::USED_MEM_HIGH)?,
            reserved: self.attribute(MemPoolAttribute::RESERVED_MEM_CURRENT)?,
            reserved_high: self.attribute(MemPoolAttribute::RESERVED_MEM_HIGH)?,
        })
    }

    /// Counts the highest numbers of [`MemPool::usage`] from now on.
    ///
    /// # Errors
    ///
    /// Same as [`MemPool::set_attribute`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::DeviceBuf;
    /// # use cuda_rt::memory::{MemPool, MemPoolOptions};
    /// let pool = MemPool::new(context.device(), MemPoolOptions::new())?;
    /// DeviceBuf::<u8>::zeroed_in(&stream, 1000, &pool)?.close()?;
    /// stream.synchronize()?;
    /// assert!(pool.usage()?.used_high >= 1000);
    /// pool.reset_high_marks()?;
    /// assert_eq!(pool.usage()?.used_high, 0);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemPoolSetAttribute")]
    pub fn reset_high_marks(&self) -> Result<()> {
        self.set_attribute(MemPoolAttribute::USED_MEM_HIGH, 0)?;
        self.set_attribute(MemPoolAttribute::RESERVED_MEM_HIGH, 0)
    }

    /// Returns when freed memory is used again.
    ///
    /// # Errors
    ///
    /// Same as [`MemPool::attribute`].
    #[doc(alias = "cuMemPoolGetAttribute")]
    pub fn reuse(&self) -> Result<MemPoolReuse> {
        Ok(MemPoolReuse {
            follow_event_dependencies: self.attribute(MemPoolAttribute::REUSE_FOLLOW_EVENT_DEPENDENCIES)?
                != 0,
            opportunistic: self.attribute(MemPoolAttribute::REUSE_ALLOW_OPPORTUNISTIC)? != 0,
            internal_dependencies: self.attribute(MemPoolAttribute::REUSE_ALLOW_INTERNAL_DEPENDENCIES)? != 0,
        })
    }

    /// Changes when freed memory is used again. None of it lets work meet before its time.
    ///
    /// # Errors
    ///
    /// Same as [`MemPool::set_attribute`]. Then some of it may be changed.
    #[doc(alias = "cuMemPoolSetAttribute")]
    pub fn set_reuse(&self, reuse: MemPoolReuse) -> Result<()> {
        for (attribute, is_allowed) in [
            (MemPoolAttribute::REUSE_FOLLOW_EVENT_DEPENDENCIES, reuse.follow_event_dependencies),
            (MemPoolAttribute::REUSE_ALLOW_OPPORTUNISTIC, reuse.opportunistic),
            (MemPoolAttribute::REUSE_ALLOW_INTERNAL_DEPENDENCIES, reuse.internal_dependencies),
        ] {
            self.set_attribute(attribute, u64::from(is_allowed))?;
        }
        Ok(())
    }
}

/// Returns the value of a property.
///
/// # Safety
///
/// The pool is live.
pub(super) unsafe fn attribute_of(pool: CUmemoryPool, attribute: MemPoolAttribute) -> Result<u64> {
    let mut value: Value = [0; 8];
    let to = (&raw mut value).cast();
    // SAFETY: the caller's promise; there is room for any number behind `to`.
    unsafe { check!(cuMemPoolGetAttribute(pool, number(attribute), to)) }
        .or_detail(&[Code::InvalidValue], &|| format!("attribute {attribute}"))?;
    // Numbers of 4 bytes come first: hosts of CUDA have the lowest byte there.
    Ok(value[0])
}

/// Changes a property.
///
/// # Safety
///
/// The pool is live.
pub(super) unsafe fn set_attribute_of(
    pool: CUmemoryPool,
    attribute: MemPoolAttribute,
    value: u64,
) -> Result<()> {
    let mut given: Value = [value, 0, 0, 0, 0, 0, 0, 0];
    let from = (&raw mut given).cast();
    // SAFETY: the caller's promise; there is a number of any size behind `from`.
    unsafe { check!(cuMemPoolSetAttribute(pool, number(attribute), from)) }
        .or_detail(&[Code::InvalidValue], &|| format!("attribute {attribute}, value {value}"))
}

fn number(attribute: MemPoolAttribute) -> CUmemPool_attribute {
    cuda_sys::CUmemPool_attribute_enum(attribute.0)
}
