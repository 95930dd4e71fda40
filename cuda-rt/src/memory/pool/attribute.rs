//! Properties of memory pools.

#![allow(unsafe_code)]

use super::MemPool;
use crate::error::{Code, OrDetail, Result};
use cuda_sys::{CUmemPool_attribute, CUmemoryPool};

/// A property of a memory pool: any number that some driver knows.
///
/// The constants are those of CUDA 13.5. A driver refuses numbers that it does not know. `MemPoolAttribute(number)` makes numbers
/// that only newer drivers know.
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

/// Memory of a pool, reserved and in use.
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

/// Conditions under which a pool reuses freed memory. All are enabled at first.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::Device;
/// use cuda_rt::memory::{MemPool, MemPoolOptions, MemPoolReuse};
///
/// let pool = MemPool::new(Device::get(0)?, MemPoolOptions::new())?;
/// // Every run uses memory in the same way.
/// pool.set_reuse(MemPoolReuse { opportunistic: false, ..pool.reuse()? })?;
/// assert!(!pool.reuse()?.opportunistic);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemPoolReuse {
    /// Reuse on another stream that waits for an event after the free.
    pub follow_event_dependencies: bool,
    /// Reuse when the free happens to be done.
    pub opportunistic: bool,
    /// Reuse on another stream, which the driver makes wait for the free.
    pub internal_dependencies: bool,
}

/// A value that the driver reads and writes: a number of 4 or 8 bytes, as documented so far. The type has more room, because the
/// caller may name any attribute.
type Value = [u64; 8];

impl MemPool {
    /// Returns the value of a property. Wraps `cuMemPoolGetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know the property, or the pool is [imported](MemPool::import_fd).
    /// - [`Code::StreamCaptureUnsupported`]: as for [`MemPool::new`].
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

    /// Sets a property. Wraps `cuMemPoolSetAttribute`.
    ///
    /// The reserved and used byte counts cannot be set, except the highest ones, to 0.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know the property, or refuses the value.
    /// - [`Code::StreamCaptureUnsupported`]: as for [`MemPool::new`].
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

    /// Returns the release threshold, in bytes. 0 at first. If the pool has reserved more than this, used and unused, it returns
    /// unused memory to the device when a stream, an event or a context is synchronised.
    ///
    /// # Errors
    ///
    /// Same as [`MemPool::attribute`].
    #[doc(alias("cuMemPoolGetAttribute", "CU_MEMPOOL_ATTR_RELEASE_THRESHOLD"))]
    pub fn release_threshold(&self) -> Result<u64> {
        self.attribute(MemPoolAttribute::RELEASE_THRESHOLD)
    }

    /// Sets the [release threshold](Self::release_threshold), in bytes.
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
    /// pool.set_release_threshold(u64::MAX)?; // all memory, so that later allocations are fast
    /// assert_eq!(pool.release_threshold()?, u64::MAX);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemPoolSetAttribute", "CU_MEMPOOL_ATTR_RELEASE_THRESHOLD"))]
    pub fn set_release_threshold(&self, bytes: u64) -> Result<()> {
        self.set_attribute(MemPoolAttribute::RELEASE_THRESHOLD, bytes)
    }

    /// Returns the reserved and used memory of the pool. The four numbers are queried one after the other.
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

    /// Resets the highest numbers of [`MemPool::usage`].
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

    /// Returns the conditions under which freed memory is reused.
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

    /// Sets the conditions under which freed memory is reused. Under every condition, reuse waits for the earlier work with the
    /// memory.
    ///
    /// # Errors
    ///
    /// Same as [`MemPool::set_attribute`]. Some of the conditions may have been set.
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
    // SAFETY: the caller's promise; `to` has room for any number.
    unsafe { check!(cuMemPoolGetAttribute(pool, number(attribute), to)) }
        .or_detail(&[Code::InvalidValue], &|| format!("attribute {attribute}"))?;
    // Numbers of 4 bytes are in the lowest bytes: hosts of CUDA are little-endian.
    Ok(value[0])
}

/// Sets a property.
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
    // SAFETY: the caller's promise; `from` holds a number of any size.
    unsafe { check!(cuMemPoolSetAttribute(pool, number(attribute), from)) }
        .or_detail(&[Code::InvalidValue], &|| format!("attribute {attribute}, value {value}"))
}

fn number(attribute: MemPoolAttribute) -> CUmemPool_attribute {
    cuda_sys::CUmemPool_attribute_enum(attribute.0)
}
