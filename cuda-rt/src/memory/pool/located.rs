//! Pools by location and allocation type: of the host, of NUMA nodes, and of managed memory.

#![allow(unsafe_code)]

use super::attribute::{MemPoolAttribute, attribute_of, set_attribute_of};
use super::registry::{self, Found};
use super::trim;
use crate::driver::initialised;
use crate::error::{Code, Error, OrDetail, Result};
use crate::memory::location::MemLocation;
use core::fmt;
use core::ptr::null_mut;
use cuda_sys::{CUmemAllocationType_enum as C, CUmemoryPool};

/// Type of the memory of a pool.
///
/// ```
/// use cuda_rt::memory::MemAllocationType;
///
/// assert_eq!(MemAllocationType::default(), MemAllocationType::Pinned);
/// ```
#[doc(alias = "CUmemAllocationType")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum MemAllocationType {
    /// Memory that stays at its location.
    #[default]
    #[doc(alias = "CU_MEM_ALLOCATION_TYPE_PINNED")]
    Pinned,
    /// Managed memory, whose preferred location is the location of the pool.
    #[doc(alias = "CU_MEM_ALLOCATION_TYPE_MANAGED")]
    Managed,
}

impl MemAllocationType {
    fn as_raw(self) -> C {
        match self {
            MemAllocationType::Pinned => C::CU_MEM_ALLOCATION_TYPE_PINNED,
            MemAllocationType::Managed => C::CU_MEM_ALLOCATION_TYPE_MANAGED,
        }
    }
}

/// The default memory pool of a location and an allocation type. The driver keeps it for the life of the process.
///
/// Buffers take memory from pools of devices: see [`MemPool`](super::MemPool). A `LocatedPool` also names the pools of the host,
/// of its NUMA nodes, and of managed memory. Their memory is allocated with [`as_raw`](LocatedPool::as_raw) and
/// `cuMemAllocFromPoolAsync` of [`sys`](crate::sys).
///
/// # Driver notes
///
/// Driver 580 crashes in copies between two devices if one of them has no access to memory of a pool of the host.
///
/// ```
/// # cuda_sim::install_once();
/// # if cuda_rt::driver_version()? < cuda_rt::driver::DriverVersion::new(13, 0) { return Ok(()); }
/// use cuda_rt::memory::{LocatedPool, MemAllocationType, MemLocation, MemPoolAttribute};
///
/// let Ok(pool) = LocatedPool::default_of(MemLocation::HOST, MemAllocationType::Pinned) else { return Ok(()) };
/// assert_eq!(pool, LocatedPool::current_of(MemLocation::HOST, MemAllocationType::Pinned)?);
/// assert_eq!(pool.attribute(MemPoolAttribute::USED_MEM_CURRENT)?, 0);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUmemoryPool")]
#[derive(Clone, Copy)]
pub struct LocatedPool {
    raw: CUmemoryPool,
    location: MemLocation,
    allocation_type: MemAllocationType,
}

// SAFETY: the pool lives as long as the process; the driver locks it by itself, and does not bind it to a thread.
unsafe impl Send for LocatedPool {}
// SAFETY: as above.
unsafe impl Sync for LocatedPool {}

impl LocatedPool {
    /// Returns the default pool of a location and an allocation type. Wraps `cuMemGetDefaultMemPool`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the location does not exist.
    /// - [`Code::NotSupported`]: the location has no pools.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.0.
    /// - An earlier failure.
    #[doc(alias = "cuMemGetDefaultMemPool")]
    pub fn default_of(location: MemLocation, allocation_type: MemAllocationType) -> Result<LocatedPool> {
        let raw = initialised(|| {
            let (mut raw, mut place) = (null_mut(), location.as_raw());
            let (to, at) = (&raw mut raw, &raw mut place);
            // SAFETY: `to` is valid for a write, `at` for a read; the location may be any.
            unsafe { check!(cuMemGetDefaultMemPool(to, at, allocation_type.as_raw())) }
                .or_detail(REFUSED, &|| described(location, allocation_type))?;
            Ok(raw)
        })?;
        Ok(LocatedPool { raw, location, allocation_type })
    }

    /// Returns the current pool of a location and an allocation type, if it is the default one. Wraps `cuMemGetDefaultMemPool`
    /// and `cuMemGetMemPool`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): another pool is current, of this crate or of other code.
    ///   It can be destroyed, so a `LocatedPool` cannot name it. [`MemPool::current_of`](super::MemPool::current_of) returns
    ///   pools of this crate.
    /// - Otherwise same as [`default_of`](LocatedPool::default_of).
    #[doc(alias = "cuMemGetMemPool")]
    pub fn current_of(location: MemLocation, allocation_type: MemAllocationType) -> Result<LocatedPool> {
        let default = LocatedPool::default_of(location, allocation_type)?;
        let (mut raw, mut place) = (null_mut(), location.as_raw());
        let (to, at) = (&raw mut raw, &raw mut place);
        // SAFETY: `to` is valid for a write, `at` for a read; the location may be any.
        unsafe { check!(cuMemGetMemPool(to, at, allocation_type.as_raw())) }
            .or_detail(REFUSED, &|| described(location, allocation_type))?;
        if raw == default.raw {
            return Ok(default);
        }
        let of = described(location, allocation_type);
        let text = match registry::find(raw) {
            Found::Pool(_) | Found::Ending => format!(
                "the current one of {of} is {raw:p}, a `MemPool` of this crate; use `MemPool::current_of`, or make the default one \
                 current"
            ),
            Found::Unknown => format!(
                "the current one of {of} is {raw:p}, which was made by other code and may be destroyed; make the default one current"
            ),
        };
        Err(Error::invalid("memory pool", format_args!("{text}")))
    }

    /// Makes the pool current for its location and allocation type, in the whole process. Wraps `cuMemSetMemPool`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # if cuda_rt::driver_version()? < cuda_rt::driver::DriverVersion::new(13, 0) { return Ok(()); }
    /// # use cuda_rt::memory::{LocatedPool, MemAllocationType, MemLocation};
    /// if let Ok(pool) = LocatedPool::default_of(MemLocation::HOST, MemAllocationType::Managed) {
    ///     pool.make_current()?;
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemSetMemPool")]
    pub fn make_current(&self) -> Result<()> {
        let mut place = self.location.as_raw();
        // SAFETY: the location is valid for a read; the pool lives as long as the process.
        unsafe { check!(cuMemSetMemPool(&raw mut place, self.allocation_type.as_raw(), self.raw)) }
            .or_detail(REFUSED, &|| described(self.location, self.allocation_type))
    }

    /// Returns the raw handle. The caller must not destroy the pool.
    pub fn as_raw(&self) -> CUmemoryPool {
        self.raw
    }

    /// Returns the location by which the pool was requested.
    pub fn location(&self) -> MemLocation {
        self.location
    }

    /// Returns the type of the memory.
    pub fn allocation_type(&self) -> MemAllocationType {
        self.allocation_type
    }

    /// Returns the value of a property. Wraps `cuMemPoolGetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know the property.
    /// - [`Code::StreamCaptureUnsupported`]: as for [`MemPool::new`](super::MemPool::new).
    #[doc(alias = "cuMemPoolGetAttribute")]
    pub fn attribute(&self, attribute: MemPoolAttribute) -> Result<u64> {
        // SAFETY: the pool lives as long as the process.
        unsafe { attribute_of(self.raw, attribute) }
    }

    /// Sets a property. Wraps `cuMemPoolSetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know the property, or refuses the value.
    /// - [`Code::StreamCaptureUnsupported`]: as for [`MemPool::new`](super::MemPool::new).
    #[doc(alias = "cuMemPoolSetAttribute")]
    pub fn set_attribute(&self, attribute: MemPoolAttribute, value: u64) -> Result<()> {
        // SAFETY: as above.
        unsafe { set_attribute_of(self.raw, attribute, value) }
    }

    /// Returns unused memory to the system. The pool keeps at least `keep` reserved bytes, used and unused. Wraps
    /// `cuMemPoolTrimTo`.
    ///
    /// # Errors
    ///
    /// - [`Code::StreamCaptureUnsupported`]: as for [`MemPool::new`](super::MemPool::new).
    /// - An earlier failure.
    #[doc(alias = "cuMemPoolTrimTo")]
    pub fn trim_to(&self, keep: usize) -> Result<()> {
        // SAFETY: as above.
        unsafe { trim(self.raw, keep) }
    }
}

/// The codes with which drivers refuse locations.
const REFUSED: &[Code] = &[Code::InvalidValue, Code::InvalidDevice, Code::NotSupported];

fn described(location: MemLocation, allocation_type: MemAllocationType) -> String {
    match allocation_type {
        MemAllocationType::Pinned => format!("memory of {location}"),
        MemAllocationType::Managed => format!("managed memory of {location}"),
    }
}

/// Two handles are equal if they name the same pool.
impl PartialEq for LocatedPool {
    fn eq(&self, other: &LocatedPool) -> bool {
        self.raw == other.raw
    }
}

impl Eq for LocatedPool {}

impl fmt::Debug for LocatedPool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("LocatedPool")
            .field("raw", &self.raw)
            .field("location", &self.location)
            .field("allocation_type", &self.allocation_type)
            .finish()
    }
}
