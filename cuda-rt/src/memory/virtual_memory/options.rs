//! Options of physical memory and of reserved addresses.

#[cfg(doc)]
use super::PhysicalMemory;
use crate::device::Device;
use crate::memory::{DevicePtr, MemLocation, ShareableHandleTypes};
use cuda_sys::{
    CUdeviceptr, CUmemAllocationCompType_enum as Compression, CUmemAllocationHandleType_enum,
    CUmemAllocationProp, CUmemAllocationProp_st__bindgen_ty_1, CUmemAllocationType_enum,
};

/// `CU_MEM_CREATE_USAGE_TILE_POOL`, in its field's type.
const TILE_POOL: u16 = cuda_sys::CU_MEM_CREATE_USAGE_TILE_POOL as u16;

/// Options of physical memory.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::Device;
/// use cuda_rt::device::DeviceAttribute;
/// use cuda_rt::memory::PhysicalMemoryOptions;
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
    is_tile_pool: bool,
}

impl PhysicalMemoryOptions {
    /// Returns options without sharing, compression or other properties.
    pub const fn new() -> Self {
        Self {
            handle_types: ShareableHandleTypes::NONE,
            is_compressible: false,
            is_gpu_direct_rdma_capable: false,
            is_tile_pool: false,
        }
    }

    /// Sets the forms in which the memory can be shared with other processes.
    #[must_use]
    pub const fn handle_types(self, types: ShareableHandleTypes) -> Self {
        Self { handle_types: types, ..self }
    }

    /// Sets whether the device may compress the contents of the memory.
    #[must_use]
    pub const fn compressible(self, is_compressible: bool) -> Self {
        Self { is_compressible, ..self }
    }

    /// Sets whether other devices on the bus may access the memory by `GPUDirect` RDMA.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_rt::memory::PhysicalMemoryOptions;
    /// let options = PhysicalMemoryOptions::new().gpu_direct_rdma_capable(true);
    /// ```
    #[must_use]
    pub const fn gpu_direct_rdma_capable(self, is_capable: bool) -> Self {
        Self { is_gpu_direct_rdma_capable: is_capable, ..self }
    }

    /// Sets whether the memory is a tile pool: memory that [`ArrayMappings`](crate::array::ArrayMappings) maps to parts of
    /// arrays. A tile pool cannot be mapped to addresses, and cannot be shared with other processes.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_rt::memory::PhysicalMemoryOptions;
    /// let options = PhysicalMemoryOptions::new().tile_pool(true);
    /// ```
    #[must_use]
    #[doc(alias = "CU_MEM_CREATE_USAGE_TILE_POOL")]
    pub const fn tile_pool(self, is_tile_pool: bool) -> Self {
        Self { is_tile_pool, ..self }
    }

    pub(super) fn is_tile_pool(self) -> bool {
        self.is_tile_pool
    }

    pub(super) fn types(self) -> ShareableHandleTypes {
        self.handle_types
    }

    pub(super) fn at(self, location: MemLocation) -> CUmemAllocationProp {
        let compression = if self.is_compressible {
            Compression::CU_MEM_ALLOCATION_COMP_GENERIC
        } else {
            Compression::CU_MEM_ALLOCATION_COMP_NONE
        };
        CUmemAllocationProp {
            type_: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
            requestedHandleTypes: CUmemAllocationHandleType_enum(self.handle_types.bits()),
            location: location.as_raw(),
            win32HandleMetaData: self.handle_types.object_attributes(),
            allocFlags: CUmemAllocationProp_st__bindgen_ty_1 {
                // 0 or 1.
                compressionType: compression.0 as u8,
                gpuDirectRDMACapable: u8::from(self.is_gpu_direct_rdma_capable),
                usage: if self.is_tile_pool { TILE_POOL } else { 0 },
                ..CUmemAllocationProp_st__bindgen_ty_1::default()
            },
        }
    }
}

/// Properties of physical memory. Returned by [`PhysicalMemory::properties`].
///
/// ```
/// # cuda_sim::install_once();
/// # use cuda_rt::Device;
/// # use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions};
/// # let (device, options) = (Device::get(0)?, PhysicalMemoryOptions::new());
/// # let memory = PhysicalMemory::new(device, PhysicalMemory::granularity(device, options)?, options)?;
/// assert_eq!(memory.properties()?.device, Some(device));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PhysicalMemoryProperties {
    /// Device of the memory; `None` if the memory is elsewhere.
    pub device: Option<Device>,
    /// Location of the memory; `None` if the driver names none.
    pub location: Option<MemLocation>,
    /// Forms in which the memory can be shared.
    pub handle_types: ShareableHandleTypes,
    /// True if the device may compress the contents.
    pub is_compressible: bool,
    /// True if other devices on the bus may access the memory.
    pub is_gpu_direct_rdma_capable: bool,
}

/// Options of reserved addresses.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions, VirtualMemory, VirtualMemoryOptions};
///
/// let unit = PhysicalMemory::granularity(context.device(), PhysicalMemoryOptions::new())?;
/// let options = VirtualMemoryOptions::new().alignment(4 * unit);
/// let memory = VirtualMemory::reserve_with(&stream, unit, options)?;
/// assert_eq!(memory.ptr().as_raw() % (4 * unit) as u64, 0);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VirtualMemoryOptions {
    alignment: usize,
    wanted: CUdeviceptr,
}

impl VirtualMemoryOptions {
    /// Returns options without alignment and address.
    pub const fn new() -> Self {
        Self { alignment: 0, wanted: 0 }
    }

    /// Sets the alignment of the address: a power of two, in bytes, or 0 for the driver's choice.
    #[must_use]
    pub const fn alignment(self, bytes: usize) -> Self {
        Self { alignment: bytes, ..self }
    }

    /// Sets the wanted address. If it is not free, the driver chooses another one.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_rt::DevicePtr;
    /// # use cuda_rt::memory::VirtualMemoryOptions;
    /// let options = VirtualMemoryOptions::new().at(DevicePtr::from_raw(0x7000_0000_0000));
    /// ```
    #[must_use]
    pub const fn at(self, ptr: DevicePtr<u8>) -> Self {
        Self { wanted: ptr.as_raw(), ..self }
    }

    /// Returns the alignment and the address.
    pub(super) fn get(self) -> (usize, CUdeviceptr) {
        (self.alignment, self.wanted)
    }
}
