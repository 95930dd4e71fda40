//! Memory without an address.

#![allow(unsafe_code)]

use super::options::{PhysicalMemoryOptions, PhysicalMemoryProperties};
use crate::context::release_alone;
use crate::device::Device;
use crate::error::{Code, Error, OrDetail, Result};
use crate::handle::{DriverHandle, Owned, Releasing, made};
use crate::memory::{DevicePtr, MemLocation, ShareableHandleTypes};
use core::fmt;
use core::ptr::without_provenance_mut;
use core::sync::atomic::{AtomicUsize, Ordering};
use cuda_sys::Symbol;
use cuda_sys::{
    CUmemAllocationGranularity_flags, CUmemAllocationGranularity_flags_enum as Granularity,
    CUmemAllocationProp, CUmemGenericAllocationHandle,
};
use std::sync::Arc;

/// Memory of a device or of the host that has no address until it is [mapped](super::VirtualMemory::map). Clones are handles to the same memory.
/// The memory is released when the last handle is dropped and the memory is not mapped any more.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::Device;
/// use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions};
///
/// let (device, options) = (Device::get(0)?, PhysicalMemoryOptions::new());
/// let granularity = PhysicalMemory::granularity(device, options)?;
/// let memory = PhysicalMemory::new(device, 2 * granularity, options)?;
/// assert_eq!(memory.size_bytes(), 2 * granularity);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUmemGenericAllocationHandle")]
#[derive(Clone)]
pub struct PhysicalMemory(Arc<Owned<Inner>>);

struct Inner {
    raw: CUmemGenericAllocationHandle,
    bytes: usize,
    /// The device of memory for parts of arrays.
    tile_pool: Option<Device>,
    /// Number of mappings that this crate has made.
    mappings: AtomicUsize,
}

impl PhysicalMemory {
    /// Returns the smallest unit of sizes and offsets, in bytes. Wraps `cuMemGetAllocationGranularity`.
    ///
    /// # Errors
    ///
    /// Same as [`PhysicalMemory::new`] on devices without virtual memory management.
    #[doc(alias("cuMemGetAllocationGranularity", "CU_MEM_ALLOC_GRANULARITY_MINIMUM"))]
    pub fn granularity(device: Device, options: PhysicalMemoryOptions) -> Result<usize> {
        granularity(MemLocation::device(device), options, Granularity::CU_MEM_ALLOC_GRANULARITY_MINIMUM)
    }

    /// Returns the fastest unit of sizes and offsets, in bytes. Wraps `cuMemGetAllocationGranularity`.
    ///
    /// # Errors
    ///
    /// Same as [`PhysicalMemory::granularity`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions};
    ///
    /// let (device, options) = (Device::get(0)?, PhysicalMemoryOptions::new());
    /// let best = PhysicalMemory::recommended_granularity(device, options)?;
    /// assert_eq!(best % PhysicalMemory::granularity(device, options)?, 0);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemGetAllocationGranularity", "CU_MEM_ALLOC_GRANULARITY_RECOMMENDED"))]
    pub fn recommended_granularity(device: Device, options: PhysicalMemoryOptions) -> Result<usize> {
        granularity(MemLocation::device(device), options, Granularity::CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
    }

    /// Allocates `bytes` bytes of a device's memory, without setting them. Wraps `cuMemCreate`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): `bytes` is 0, or no multiple of the
    ///   [granularity](PhysicalMemory::granularity).
    /// - [`Code::OutOfMemory`].
    /// - [`Code::NotSupported`]: the device has no virtual memory management.
    /// - Another code of the driver: it refuses the options.
    /// - An earlier failure.
    #[doc(alias = "cuMemCreate")]
    pub fn new(device: Device, bytes: usize, options: PhysicalMemoryOptions) -> Result<PhysicalMemory> {
        PhysicalMemory::new_at(MemLocation::device(device), bytes, options)
    }

    /// Allocates `bytes` bytes of memory at a location, without setting them. Wraps `cuMemCreate`.
    ///
    /// Memory of the host needs
    /// [`HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED`](crate::device::DeviceAttribute::HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED).
    /// Only memory of a NUMA node can be shared with other processes. Where the memory is mapped, devices and the host need
    /// [access](super::VirtualMemory::set_access) [of their own](super::VirtualMemory::set_host_access). Views of such
    /// mappings need the access of all devices.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the options request a tile pool, and the location is not a
    ///   device.
    /// - [`Code::InvalidValue`]: there is no such location, or memory at the location cannot have these options.
    /// - Same as [`PhysicalMemory::new`], with the granularity of memory at the location.
    ///
    /// # Driver notes
    ///
    /// With driver 580 the host has the same granularity as devices.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::Device;
    /// use cuda_rt::memory::{AccessFlags, MemLocation, PhysicalMemory, PhysicalMemoryOptions, VirtualMemory};
    ///
    /// let (device, options) = (context.device(), PhysicalMemoryOptions::new());
    /// # if device.host_numa_virtual_memory_management_supported()? {
    /// let unit = PhysicalMemory::granularity(device, options)?;
    /// let physical = PhysicalMemory::new_at(MemLocation::host_numa(0), unit, options)?;
    /// assert_eq!(physical.properties()?.location, Some(MemLocation::host_numa(0)));
    /// let mut memory = VirtualMemory::reserve(&stream, unit)?;
    /// memory.map(0, &physical)?;
    /// memory.set_access(.., &Device::all()?, AccessFlags::READ_WRITE)?;
    /// memory.slice_mut::<u32>(..2)?.copy_from_host(&[1, 2])?;
    /// assert_eq!(memory.slice::<u32>(..2)?.to_vec()?, [1, 2]);
    /// # }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemCreate")]
    pub fn new_at(
        location: MemLocation,
        bytes: usize,
        options: PhysicalMemoryOptions,
    ) -> Result<PhysicalMemory> {
        if bytes == 0 {
            return Err(Error::empty("physical memory"));
        }
        if options.is_tile_pool() && location.as_device().is_none() {
            return Err(Error::invalid(
                "physical memory",
                format_args!("location {location} has no tile pools; use a device"),
            ));
        }
        let unit = granularity(location, options, Granularity::CU_MEM_ALLOC_GRANULARITY_MINIMUM)?;
        multiple_of("size", bytes as u64, unit)?;
        let properties = options.at(location);
        let mut raw = 0;
        // SAFETY: `raw` is valid for a write, `properties` for a read.
        let created = unsafe { check!(cuMemCreate(&raw mut raw, bytes, &raw const properties, 0)) }
            .or_detail(&[Code::OutOfMemory], &|| format!("{bytes} bytes of {location}"))
            .or_detail(REFUSED, &|| format!("{bytes} bytes of {}", described(location, options)));
        let tile_pool = location.as_device().filter(|_| options.is_tile_pool());
        made(created, raw != 0, || PhysicalMemory::of(raw, bytes, tile_pool))
    }

    /// Takes ownership of a raw handle, which is released with the last handle of this crate.
    ///
    /// Drivers do not distinguish tile pools from other memory. Therefore memory from a raw handle cannot be mapped to arrays.
    ///
    /// # Safety
    ///
    /// - `raw` is a live handle to `bytes` bytes, made by `cuMemCreate` or an import, and released by no other code.
    /// - The memory is not a [tile pool](PhysicalMemoryOptions::tile_pool).
    /// - If other code maps the memory, its work is ordered with the work of this crate.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::Device;
    /// # use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions};
    /// # let (device, options) = (Device::get(0)?, PhysicalMemoryOptions::new());
    /// # let mine = PhysicalMemory::new(device, PhysicalMemory::granularity(device, options)?, options)?;
    /// let (raw, bytes) = (mine.as_raw(), mine.size_bytes());
    /// std::mem::forget(mine);
    /// // SAFETY: the handle is live and not mapped, and no other code releases it.
    /// let again = unsafe { PhysicalMemory::from_raw(raw, bytes) };
    /// assert_eq!(again.properties()?.device, Some(device));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemRelease")]
    pub unsafe fn from_raw(raw: CUmemGenericAllocationHandle, bytes: usize) -> PhysicalMemory {
        PhysicalMemory::wrap(raw, bytes)
    }

    /// Returns the memory of the mapping at an address. Wraps `cuMemRetainAllocationHandle`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: there is no mapping.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// The mapping there is of `bytes` bytes, and exists. Its uses by that address are ordered with its uses by the returned
    /// value.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::Device;
    /// # use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions, VirtualMemory};
    /// # let (device, options) = (Device::get(0)?, PhysicalMemoryOptions::new());
    /// # let granularity = PhysicalMemory::granularity(device, options)?;
    /// # let mut range = VirtualMemory::reserve(&stream, granularity)?;
    /// range.map(0, &PhysicalMemory::new(device, granularity, options)?)?;
    /// // SAFETY: the mapping above, which is not used.
    /// let memory = unsafe { PhysicalMemory::mapped_at(range.ptr(), granularity) }?;
    /// range.unmap(..)?;
    /// range.map(0, &memory)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemRetainAllocationHandle")]
    pub unsafe fn mapped_at<T>(ptr: DevicePtr<T>, bytes: usize) -> Result<PhysicalMemory> {
        let mut raw = 0;
        let address = without_provenance_mut(ptr.as_raw() as usize);
        // SAFETY: `raw` is valid for a write; the caller's promise for the address.
        let retained = unsafe { check!(cuMemRetainAllocationHandle(&raw mut raw, address)) }
            .or_detail(&[Code::InvalidValue], &|| format!("address {:#x}", ptr.as_raw()));
        made(retained, raw != 0, || PhysicalMemory::wrap(raw, bytes))
    }

    pub(super) fn wrap(raw: CUmemGenericAllocationHandle, bytes: usize) -> PhysicalMemory {
        PhysicalMemory::of(raw, bytes, None)
    }

    fn of(raw: CUmemGenericAllocationHandle, bytes: usize, tile_pool: Option<Device>) -> PhysicalMemory {
        let mappings = AtomicUsize::new(0);
        PhysicalMemory(Arc::new(Owned::first(Inner { raw, bytes, tile_pool, mappings })))
    }

    /// Refuses memory for parts of arrays, which has no addresses.
    pub(super) fn refuse_tile_pool(&self, call: Symbol) -> Result<()> {
        if self.0.tile_pool.is_none() {
            return Ok(());
        }
        let text = format_args!("it is a tile pool, for parts of arrays only; use memory that is not");
        Err(Error::invalid_for(call, text))
    }

    /// Returns the device of memory for parts of arrays.
    pub(crate) fn tile_pool_device(&self) -> Option<Device> {
        self.0.tile_pool
    }

    /// Returns the raw handle. The caller must not release the handle.
    pub fn as_raw(&self) -> CUmemGenericAllocationHandle {
        self.0.raw
    }

    /// Returns the size in bytes.
    pub fn size_bytes(&self) -> usize {
        self.0.bytes
    }

    /// Returns the properties of the memory. Wraps `cuMemGetAllocationPropertiesFromHandle`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuMemGetAllocationPropertiesFromHandle")]
    pub fn properties(&self) -> Result<PhysicalMemoryProperties> {
        let mut found = CUmemAllocationProp::default();
        // SAFETY: `found` is valid for a write; the handle is live: the driver crashes on other handles (measured).
        unsafe { check!(cuMemGetAllocationPropertiesFromHandle(&raw mut found, self.0.raw)) }?;
        let location = MemLocation::from_raw(found.location);
        Ok(PhysicalMemoryProperties {
            device: location.and_then(MemLocation::as_device),
            location,
            handle_types: ShareableHandleTypes::from_bits_retain(found.requestedHandleTypes.0),
            is_compressible: found.allocFlags.compressionType != 0,
            is_gpu_direct_rdma_capable: found.allocFlags.gpuDirectRDMACapable != 0,
        })
    }

    /// Releases the memory, if this is the last handle to it, and returns the driver's answer. Mappings stay. A drop can report a
    /// failure only to the [hook](crate::handle::set_drop_hook). Wraps `cuMemRelease`.
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
    /// # use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions};
    /// # let (device, options) = (Device::get(0)?, PhysicalMemoryOptions::new());
    /// # let memory = PhysicalMemory::new(device, PhysicalMemory::granularity(device, options)?, options)?;
    /// memory.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemRelease")]
    pub fn close(self) -> Result<()> {
        Owned::close_last(self.0)
    }

    /// Counts a mapping, if it is the only one or may be one of several.
    pub(super) fn count_in(&self, may_alias: bool) -> Result<()> {
        if may_alias {
            self.0.mappings.fetch_add(1, Ordering::AcqRel);
            return Ok(());
        }
        let first = self.0.mappings.compare_exchange(0, 1, Ordering::AcqRel, Ordering::Acquire);
        first.map(drop).map_err(|_| {
            let text =
                "the physical memory is mapped already; use the unsafe `map_again` for a second address";
            Error::invalid_for(Symbol::cuMemMap, format_args!("{text}"))
        })
    }

    pub(super) fn count_out(&self) {
        self.0.mappings.fetch_sub(1, Ordering::AcqRel);
    }
}

fn granularity(
    location: MemLocation,
    options: PhysicalMemoryOptions,
    which: CUmemAllocationGranularity_flags,
) -> Result<usize> {
    let properties = options.at(location);
    let mut unit = 0;
    // SAFETY: `unit` is valid for a write, `properties` for a read.
    unsafe { check!(cuMemGetAllocationGranularity(&raw mut unit, &raw const properties, which)) }
        .or_detail(REFUSED, &|| format!("memory of {}", described(location, options)))?;
    Ok(unit)
}

/// The answers about a location or options.
const REFUSED: &[Code] = &[Code::InvalidValue, Code::InvalidDevice, Code::NotPermitted, Code::NotSupported];

fn described(location: MemLocation, options: PhysicalMemoryOptions) -> String {
    format!("{location}, handle types {:#x}", options.types().bits())
}

/// Refuses a value that is not a multiple of a unit.
pub(super) fn multiple_of(what: &'static str, value: u64, unit: usize) -> Result<()> {
    // A unit of 0 accepts every number: no driver returns it.
    match value.checked_rem(unit as u64) {
        None | Some(0) => Ok(()),
        Some(_) => Err(Error::not_a_multiple(what, value, unit)),
    }
}

/// Two handles are equal if they name the same memory.
impl PartialEq for PhysicalMemory {
    fn eq(&self, other: &PhysicalMemory) -> bool {
        self.0.raw == other.0.raw
    }
}

impl Eq for PhysicalMemory {}

impl fmt::Debug for PhysicalMemory {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PhysicalMemory")
            .field("raw", &format_args!("{:#x}", self.0.raw))
            .field("bytes", &self.0.bytes)
            .finish()
    }
}

impl DriverHandle for Inner {
    fn release_call(&self) -> Symbol {
        Symbol::cuMemRelease
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        release_alone(&mut || {
            // SAFETY: the owner releases the handle once, and does not use it afterwards. A mapping keeps the memory alive.
            unsafe { check!(cuMemRelease(self.raw)) }
        })
    }
}
