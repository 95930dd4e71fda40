//! Memory without an address.

#![allow(unsafe_code)]

use crate::context::release_alone;
use crate::device::Device;
use crate::error::{Code, Detail, Detailed, InvalidArgument, Result, report};
use crate::memory::{DevicePtr, MemLocation, ShareableHandleTypes};
use core::fmt;
use core::ptr::without_provenance_mut;
use core::sync::atomic::{AtomicUsize, Ordering};
use cuda_sys::{
    CUmemAllocationCompType_enum as Compression, CUmemAllocationGranularity_flags,
    CUmemAllocationGranularity_flags_enum as Granularity, CUmemAllocationHandleType_enum,
    CUmemAllocationProp, CUmemAllocationProp_st__bindgen_ty_1, CUmemAllocationType_enum,
    CUmemGenericAllocationHandle, CUmemLocationType_enum,
};
use std::sync::Arc;

/// Memory of a device that has no address until it is [mapped](super::VirtualMemory::map). Clones are handles to the same
/// memory; it is given back when the last of them is gone, and nothing is mapped to it any more.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::{Device, PhysicalMemory, PhysicalMemoryOptions};
///
/// let (device, options) = (Device::get(0)?, PhysicalMemoryOptions::new());
/// let granularity = PhysicalMemory::granularity(device, options)?;
/// let memory = PhysicalMemory::new(device, 2 * granularity, options)?;
/// assert_eq!(memory.size_bytes(), 2 * granularity);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUmemGenericAllocationHandle")]
#[derive(Clone)]
pub struct PhysicalMemory(Arc<Inner>);

struct Inner {
    raw: CUmemGenericAllocationHandle,
    bytes: usize,
    /// Where it is mapped by this crate: how often.
    mappings: AtomicUsize,
}

/// What new memory is to be like.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::{Device, DeviceAttribute, PhysicalMemoryOptions};
///
/// let device = Device::get(0)?;
/// let can_compress = device.attribute(DeviceAttribute::GENERIC_COMPRESSION_SUPPORTED)? != 0;
/// let options = PhysicalMemoryOptions::new().compressible(can_compress);
/// # let _ = options;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUmemAllocationProp")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PhysicalMemoryOptions {
    handle_types: ShareableHandleTypes,
    is_compressible: bool,
    is_gpu_direct_rdma_capable: bool,
}

impl PhysicalMemoryOptions {
    /// Not to be shared with other processes, nothing else in particular.
    ///
    /// # Examples
    ///
    /// See [`PhysicalMemoryOptions`].
    pub const fn new() -> Self {
        Self {
            handle_types: ShareableHandleTypes::NONE,
            is_compressible: false,
            is_gpu_direct_rdma_capable: false,
        }
    }

    /// In which forms the memory can be shared with other processes.
    ///
    /// # Examples
    ///
    /// See [`PhysicalMemory::export_fd`].
    #[must_use]
    pub const fn handle_types(self, types: ShareableHandleTypes) -> Self {
        Self { handle_types: types, ..self }
    }

    /// Whether the device may compress what is in it.
    ///
    /// # Examples
    ///
    /// See [`PhysicalMemoryOptions`].
    #[must_use]
    pub const fn compressible(self, is_compressible: bool) -> Self {
        Self { is_compressible, ..self }
    }

    /// Whether other devices on the bus may reach it by `GPUDirect` RDMA.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_rt::PhysicalMemoryOptions;
    /// let options = PhysicalMemoryOptions::new().gpu_direct_rdma_capable(true);
    /// ```
    #[must_use]
    pub const fn gpu_direct_rdma_capable(self, is_capable: bool) -> Self {
        Self { is_gpu_direct_rdma_capable: is_capable, ..self }
    }

    fn on(self, device: Device) -> CUmemAllocationProp {
        let compression = if self.is_compressible {
            Compression::CU_MEM_ALLOCATION_COMP_GENERIC
        } else {
            Compression::CU_MEM_ALLOCATION_COMP_NONE
        };
        CUmemAllocationProp {
            type_: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
            requestedHandleTypes: CUmemAllocationHandleType_enum(self.handle_types.bits()),
            location: MemLocation::device(device).as_raw(),
            allocFlags: CUmemAllocationProp_st__bindgen_ty_1 {
                // 0 or 1.
                compressionType: compression.0 as u8,
                gpuDirectRDMACapable: u8::from(self.is_gpu_direct_rdma_capable),
                ..CUmemAllocationProp_st__bindgen_ty_1::default()
            },
            ..CUmemAllocationProp::default()
        }
    }
}

/// What the driver says of physical memory. From [`PhysicalMemory::properties`].
///
/// ```
/// # cuda_sim::install_once();
/// # use cuda_rt::{Device, PhysicalMemory, PhysicalMemoryOptions};
/// # let (device, options) = (Device::get(0)?, PhysicalMemoryOptions::new());
/// # let memory = PhysicalMemory::new(device, PhysicalMemory::granularity(device, options)?, options)?;
/// assert_eq!(memory.properties()?.device, Some(device));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PhysicalMemoryProperties {
    /// The device; `None` if the memory is elsewhere.
    pub device: Option<Device>,
    /// In which forms it can be shared.
    pub handle_types: ShareableHandleTypes,
    /// Whether the device may compress what is in it.
    pub is_compressible: bool,
    /// Whether other devices on the bus may reach it.
    pub is_gpu_direct_rdma_capable: bool,
}

impl PhysicalMemory {
    /// What sizes and offsets must be multiples of, in bytes: the least such unit. Wraps `cuMemGetAllocationGranularity`.
    ///
    /// # Errors
    ///
    /// Those of devices without virtual memory management.
    ///
    /// # Examples
    ///
    /// See [`PhysicalMemory`].
    #[doc(alias("cuMemGetAllocationGranularity", "CU_MEM_ALLOC_GRANULARITY_MINIMUM"))]
    pub fn granularity(device: Device, options: PhysicalMemoryOptions) -> Result<usize> {
        granularity(device, options, Granularity::CU_MEM_ALLOC_GRANULARITY_MINIMUM)
    }

    /// The unit that is best for speed, in bytes. Wraps `cuMemGetAllocationGranularity`.
    ///
    /// # Errors
    ///
    /// Those of [`PhysicalMemory::granularity`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::{Device, PhysicalMemory, PhysicalMemoryOptions};
    ///
    /// let (device, options) = (Device::get(0)?, PhysicalMemoryOptions::new());
    /// let best = PhysicalMemory::recommended_granularity(device, options)?;
    /// assert_eq!(best % PhysicalMemory::granularity(device, options)?, 0);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemGetAllocationGranularity", "CU_MEM_ALLOC_GRANULARITY_RECOMMENDED"))]
    pub fn recommended_granularity(device: Device, options: PhysicalMemoryOptions) -> Result<usize> {
        granularity(device, options, Granularity::CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
    }

    /// `bytes` of a device's memory. Its contents are whatever was there before. Wraps `cuMemCreate`.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument::Empty`], and [`InvalidArgument::NotAMultiple`] of the [granularity](PhysicalMemory::granularity);
    /// [`Code::OutOfMemory`]; and what the driver says if it cannot be as the options say.
    ///
    /// # Examples
    ///
    /// See [`PhysicalMemory`].
    #[doc(alias = "cuMemCreate")]
    pub fn new(device: Device, bytes: usize, options: PhysicalMemoryOptions) -> Result<PhysicalMemory> {
        if bytes == 0 {
            return Err(InvalidArgument::Empty { what: "the physical memory" }.into());
        }
        multiple_of("a size of", bytes as u64, PhysicalMemory::granularity(device, options)?)?;
        let properties = options.on(device);
        let mut raw = 0;
        // SAFETY: `raw` is valid for a write, `properties` for a read.
        unsafe { check!(cuMemCreate(&raw mut raw, bytes, &raw const properties, 0)) }
            .detailed(Code::OutOfMemory, || Detail::Memory { bytes, free: None })
            .detailed(Code::InvalidValue, || Detail::Shareable(options.handle_types))
            .detailed(Code::NotPermitted, || Detail::Shareable(options.handle_types))?;
        Ok(PhysicalMemory::wrap(raw, bytes))
    }

    /// Takes over a handle: it is released with the last handle of this crate.
    ///
    /// # Safety
    ///
    /// `raw` is a live handle from `cuMemCreate` or its like to `bytes` bytes, which nobody else releases as often as it was
    /// had. Where the memory is mapped by others, what is done with it there is ordered with what is done with it here.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Device, PhysicalMemory, PhysicalMemoryOptions};
    /// # let (device, options) = (Device::get(0)?, PhysicalMemoryOptions::new());
    /// # let mine = PhysicalMemory::new(device, PhysicalMemory::granularity(device, options)?, options)?;
    /// let (raw, bytes) = (mine.as_raw(), mine.size_bytes());
    /// std::mem::forget(mine);
    /// // SAFETY: live, since nobody has released it, or will, and not mapped.
    /// let again = unsafe { PhysicalMemory::from_raw(raw, bytes) };
    /// assert_eq!(again.properties()?.device, Some(device));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemRelease")]
    pub unsafe fn from_raw(raw: CUmemGenericAllocationHandle, bytes: usize) -> PhysicalMemory {
        PhysicalMemory::wrap(raw, bytes)
    }

    /// The memory that is mapped at an address. Wraps `cuMemRetainAllocationHandle`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`] if there is no mapping.
    ///
    /// # Safety
    ///
    /// The mapping there is of `bytes` bytes, and lives. What is done with it by that address is ordered with what is done
    /// with it here.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # use cuda_rt::{Device, PhysicalMemory, PhysicalMemoryOptions, VirtualMemory};
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
        // SAFETY: `raw` is valid for a write; the address is only looked up.
        unsafe { check!(cuMemRetainAllocationHandle(&raw mut raw, address)) }?;
        Ok(PhysicalMemory::wrap(raw, bytes))
    }

    fn wrap(raw: CUmemGenericAllocationHandle, bytes: usize) -> PhysicalMemory {
        PhysicalMemory(Arc::new(Inner { raw, bytes, mappings: AtomicUsize::new(0) }))
    }

    /// The handle. It stays this crate's: it must not be released.
    ///
    /// # Examples
    ///
    /// See [`PhysicalMemory::from_raw`].
    pub fn as_raw(&self) -> CUmemGenericAllocationHandle {
        self.0.raw
    }

    /// The size in bytes.
    ///
    /// # Examples
    ///
    /// See [`PhysicalMemory`].
    pub fn size_bytes(&self) -> usize {
        self.0.bytes
    }

    /// What the driver says of it. Wraps `cuMemGetAllocationPropertiesFromHandle`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// See [`PhysicalMemoryProperties`].
    #[doc(alias = "cuMemGetAllocationPropertiesFromHandle")]
    pub fn properties(&self) -> Result<PhysicalMemoryProperties> {
        let mut found = CUmemAllocationProp::default();
        // SAFETY: `found` is valid for a write; the handle is live: the driver crashes on others (measured).
        unsafe { check!(cuMemGetAllocationPropertiesFromHandle(&raw mut found, self.0.raw)) }?;
        let device = if found.location.type_ == CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE {
            // SAFETY: a location on a device holds its number.
            Some(Device::from_handle(unsafe { found.location.__bindgen_anon_1.id }))
        } else {
            None
        };
        Ok(PhysicalMemoryProperties {
            device,
            handle_types: ShareableHandleTypes::from_bits_retain(found.requestedHandleTypes.0),
            is_compressible: found.allocFlags.compressionType != 0,
            is_gpu_direct_rdma_capable: found.allocFlags.gpuDirectRDMACapable != 0,
        })
    }

    /// A file descriptor by which another process can [import](PhysicalMemory::import_fd) the memory; a Unix socket carries
    /// it there. The memory must have been made for [this](PhysicalMemoryOptions::handle_types). Wraps
    /// `cuMemExportToShareableHandle`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`] if it was not.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::{Device, PhysicalMemory, PhysicalMemoryOptions, ShareableHandleTypes};
    ///
    /// let device = Device::get(0)?;
    /// let options = PhysicalMemoryOptions::new().handle_types(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR);
    /// let memory = PhysicalMemory::new(device, PhysicalMemory::granularity(device, options)?, options)?;
    /// let _to_be_sent = memory.export_fd()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[cfg(unix)]
    #[doc(alias = "cuMemExportToShareableHandle")]
    pub fn export_fd(&self) -> Result<std::os::fd::OwnedFd> {
        use CUmemAllocationHandleType_enum as Type;
        use std::os::fd::FromRawFd;

        let mut file: core::ffi::c_int = -1;
        let to = (&raw mut file).cast();
        let kind = Type::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
        // SAFETY: the handle is live; a shareable one of this type is an `int`, and `to` is valid for a write of one.
        unsafe { check!(cuMemExportToShareableHandle(to, self.0.raw, kind, 0)) }
            .detailed(Code::InvalidValue, || {
                Detail::Shareable(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR)
            })?;
        // SAFETY: the driver has made it for the caller.
        Ok(unsafe { std::os::fd::OwnedFd::from_raw_fd(file) })
    }

    /// Memory of another process. The file is not needed any more after that. Wraps `cuMemImportFromShareableHandle`.
    ///
    /// # Errors
    ///
    /// [`Code::Unknown`](crate::Code::Unknown) or others if it is something else (measured: 999).
    ///
    /// # Safety
    ///
    /// `file` comes from [`PhysicalMemory::export_fd`], or what that wraps, for memory of `bytes` bytes. What other processes
    /// do with it is ordered with what is done with it here.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Device, PhysicalMemory, PhysicalMemoryOptions, ShareableHandleTypes};
    /// use std::os::fd::{AsFd, OwnedFd};
    ///
    /// # let device = Device::get(0)?;
    /// # let options = PhysicalMemoryOptions::new().handle_types(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR);
    /// # let theirs = PhysicalMemory::new(device, PhysicalMemory::granularity(device, options)?, options)?;
    /// # let bytes = theirs.size_bytes();
    /// let received: OwnedFd = theirs.export_fd()?; // in truth, from a socket
    /// // SAFETY: exported memory of this size, which the other side does not use meanwhile.
    /// let memory = unsafe { PhysicalMemory::import_fd(received.as_fd(), bytes) }?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[cfg(unix)]
    #[doc(alias = "cuMemImportFromShareableHandle")]
    pub unsafe fn import_fd(file: std::os::fd::BorrowedFd<'_>, bytes: usize) -> Result<PhysicalMemory> {
        use CUmemAllocationHandleType_enum as Type;
        use std::os::fd::AsRawFd;

        let mut raw = 0;
        // A handle of this type is passed in the place of a pointer to it.
        let handle = without_provenance_mut(file.as_raw_fd() as usize);
        let kind = Type::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
        // SAFETY: `raw` is valid for a write; the file is open, and the caller's promise says what it is.
        unsafe { check!(cuMemImportFromShareableHandle(&raw mut raw, handle, kind)) }?;
        Ok(PhysicalMemory::wrap(raw, bytes))
    }

    /// Gives the memory up, if this is the last handle to it, and reports the driver's answer, which a drop can only give to
    /// the [hook](crate::error::set_drop_hook). Where it is mapped it stays. Wraps `cuMemRelease`.
    ///
    /// # Errors
    ///
    /// An earlier failure. The handle is gone all the same.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Device, PhysicalMemory, PhysicalMemoryOptions};
    /// # let (device, options) = (Device::get(0)?, PhysicalMemoryOptions::new());
    /// # let memory = PhysicalMemory::new(device, PhysicalMemory::granularity(device, options)?, options)?;
    /// memory.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemRelease")]
    pub fn close(self) -> Result<()> {
        match Arc::into_inner(self.0) {
            Some(mut inner) => inner.release(),
            None => Ok(()),
        }
    }

    /// Counts a mapping in, if it may be one of several, or is the only one.
    pub(super) fn count_in(&self, may_alias: bool) -> Result<()> {
        if may_alias {
            self.0.mappings.fetch_add(1, Ordering::AcqRel);
            return Ok(());
        }
        let first = self.0.mappings.compare_exchange(0, 1, Ordering::AcqRel, Ordering::Acquire);
        first.map(drop).map_err(|_| InvalidArgument::MappedElsewhere.into())
    }

    pub(super) fn count_out(&self) {
        self.0.mappings.fetch_sub(1, Ordering::AcqRel);
    }
}

fn granularity(
    device: Device,
    options: PhysicalMemoryOptions,
    which: CUmemAllocationGranularity_flags,
) -> Result<usize> {
    let properties = options.on(device);
    let mut unit = 0;
    // SAFETY: `unit` is valid for a write, `properties` for a read.
    unsafe { check!(cuMemGetAllocationGranularity(&raw mut unit, &raw const properties, which)) }?;
    Ok(unit)
}

/// Refuses a value that is not a multiple of a unit.
pub(super) fn multiple_of(what: &'static str, value: u64, unit: usize) -> Result<()> {
    // Every number is one of no unit: there is no such driver.
    match value.checked_rem(unit as u64) {
        None | Some(0) => Ok(()),
        Some(_) => Err(InvalidArgument::NotAMultiple { what, value, unit }.into()),
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

impl Inner {
    /// The first call releases, later ones have nothing to do.
    fn release(&mut self) -> Result<()> {
        let raw = core::mem::take(&mut self.raw);
        if raw == 0 {
            return Ok(());
        }
        release_alone(|| {
            // SAFETY: the handle was this value's, and is nobody's now. What is mapped keeps the memory.
            unsafe { check!(cuMemRelease(raw)) }
        })
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        report(self.release());
    }
}
