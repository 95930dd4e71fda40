//! The properties of a device, as an open set.

use crate::device::Device;
use crate::error::Result;
use core::fmt;

/// A property of a device: any number that some driver knows.
///
/// The constants are those of CUDA 13.5. A driver refuses the ones it does not know, and may know
/// others: make those with `DeviceAttribute(number)`.
///
/// ```
/// use cuda_rt::DeviceAttribute;
///
/// assert_eq!(DeviceAttribute::WARP_SIZE.to_string(), "WARP_SIZE");
/// assert_eq!(DeviceAttribute(9999).to_string(), "DeviceAttribute(9999)");
/// ```
#[doc(alias = "CUdevice_attribute")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceAttribute(pub u32);

/// Who may use a device.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::{ComputeMode, Device};
///
/// let mut usable = Device::all()?;
/// usable.retain(|device| device.compute_mode() != Ok(ComputeMode::Prohibited));
/// assert_eq!(usable.len(), 2);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUcomputemode")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ComputeMode {
    /// Several contexts at a time.
    Default,
    /// Nobody: contexts cannot be made.
    Prohibited,
    /// One process at a time.
    ExclusiveProcess,
    /// A mode that CUDA 13.5 does not name; 1 was "one thread at a time", until CUDA 8.
    Other(i32),
}

impl ComputeMode {
    pub(crate) fn from_raw(number: i32) -> Self {
        match number {
            0 => Self::Default,
            2 => Self::Prohibited,
            3 => Self::ExclusiveProcess,
            other => Self::Other(other),
        }
    }
}

/// Each line: the C name without its prefix, its number, the method, what it is.
macro_rules! attributes {
    ($($name:ident = $number:literal $c_name:literal, $method:ident, $meaning:literal;)*) => {
        impl DeviceAttribute {
            $(
                #[doc = concat!("The value is ", $meaning, ".")]
                #[doc(alias = $c_name)]
                pub const $name: Self = Self($number);
            )*

            /// All that CUDA 13.5 names, once each.
            ///
            /// # Examples
            ///
            /// ```
            /// use cuda_rt::DeviceAttribute;
            ///
            /// assert!(DeviceAttribute::all().any(|attribute| attribute == DeviceAttribute::WARP_SIZE));
            /// ```
            pub fn all() -> impl ExactSizeIterator<Item = DeviceAttribute> + Clone {
                NAMES.iter().map(|(attribute, _)| *attribute)
            }
        }

        static NAMES: &[(DeviceAttribute, &str)] = &[$((DeviceAttribute::$name, stringify!($name)),)*];

        /// One method for each attribute, which gives the number that the driver gives.
        ///
        /// Each fails as [`Device::attribute`] does: with
        /// [`Code::InvalidValue`](crate::Code::InvalidValue) if this driver does not know the attribute.
        #[allow(clippy::missing_errors_doc)]
        impl Device {
            $(
                #[doc = concat!("Gives ", $meaning, ".")]
                #[doc(alias = $c_name)]
                pub fn $method(self) -> Result<i32> {
                    self.attribute(DeviceAttribute::$name)
                }
            )*
        }
    };
}

/// Older names of the same numbers.
macro_rules! aliases {
    ($($old:ident = $name:ident $c_name:literal, $method:ident;)*) => {
        impl DeviceAttribute {
            $(
                #[doc = concat!("An older name of [`", stringify!($name), "`](Self::", stringify!($name), ").")]
                #[doc(alias = $c_name)]
                pub const $old: Self = Self::$name;
            )*
        }

        /// Methods under older names.
        #[allow(clippy::missing_errors_doc)]
        impl Device {
            $(
                #[doc = concat!("The attribute [`", stringify!($name), "`](DeviceAttribute::", stringify!($name), ") under its older name.")]
                #[doc(alias = $c_name)]
                pub fn $method(self) -> Result<i32> {
                    self.attribute(DeviceAttribute::$old)
                }
            )*
        }
    };
}

/// The C name without its prefix.
impl fmt::Display for DeviceAttribute {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.iter().find(|(attribute, _)| attribute == self) {
            Some((_, name)) => formatter.pad(name),
            None => write!(formatter, "DeviceAttribute({})", self.0),
        }
    }
}

impl fmt::Debug for DeviceAttribute {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

attributes! {
    MAX_THREADS_PER_BLOCK = 1 "CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK", max_threads_per_block, "the most threads a block can have";
    MAX_BLOCK_DIM_X = 2 "CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X", max_block_dim_x, "the most threads a block can have along x";
    MAX_BLOCK_DIM_Y = 3 "CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y", max_block_dim_y, "the most threads a block can have along y";
    MAX_BLOCK_DIM_Z = 4 "CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z", max_block_dim_z, "the most threads a block can have along z";
    MAX_GRID_DIM_X = 5 "CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X", max_grid_dim_x, "the most blocks a grid can have along x";
    MAX_GRID_DIM_Y = 6 "CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y", max_grid_dim_y, "the most blocks a grid can have along y";
    MAX_GRID_DIM_Z = 7 "CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z", max_grid_dim_z, "the most blocks a grid can have along z";
    MAX_SHARED_MEMORY_PER_BLOCK = 8 "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK", max_shared_memory_per_block, "bytes of shared memory a block can have without opting in to more";
    TOTAL_CONSTANT_MEMORY = 9 "CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY", total_constant_memory, "bytes of constant memory a module can have";
    WARP_SIZE = 10 "CU_DEVICE_ATTRIBUTE_WARP_SIZE", warp_size, "threads in a warp";
    MAX_PITCH = 11 "CU_DEVICE_ATTRIBUTE_MAX_PITCH", max_pitch, "the greatest pitch of a copy, in bytes";
    MAX_REGISTERS_PER_BLOCK = 12 "CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK", max_registers_per_block, "32-bit registers that a block can use";
    CLOCK_RATE = 13 "CU_DEVICE_ATTRIBUTE_CLOCK_RATE", clock_rate, "the multiprocessors' highest clock rate, in kHz";
    TEXTURE_ALIGNMENT = 14 "CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT", texture_alignment, "bytes to which the address of memory bound to a texture is aligned";
    GPU_OVERLAP = 15 "CU_DEVICE_ATTRIBUTE_GPU_OVERLAP", gpu_overlap, "1 if copies can overlap with kernels; deprecated in favour of the number of copy engines";
    MULTIPROCESSOR_COUNT = 16 "CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT", multiprocessor_count, "multiprocessors on the device";
    KERNEL_EXEC_TIMEOUT = 17 "CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT", kernel_exec_timeout, "1 if kernels that run too long are stopped";
    INTEGRATED = 18 "CU_DEVICE_ATTRIBUTE_INTEGRATED", integrated, "1 if the GPU shares the host's memory controller";
    CAN_MAP_HOST_MEMORY = 19 "CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY", can_map_host_memory, "1 if host memory can be mapped into the device's address space";
    COMPUTE_MODE = 20 "CU_DEVICE_ATTRIBUTE_COMPUTE_MODE", compute_mode_raw, "who may use the device; see [`Device::compute_mode`](crate::Device::compute_mode)";
    MAXIMUM_TEXTURE1D_WIDTH = 21 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH", maximum_texture1d_width, "elements, the widest 1-D texture";
    MAXIMUM_TEXTURE2D_WIDTH = 22 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH", maximum_texture2d_width, "elements, the widest 2-D texture";
    MAXIMUM_TEXTURE2D_HEIGHT = 23 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT", maximum_texture2d_height, "elements, the highest 2-D texture";
    MAXIMUM_TEXTURE3D_WIDTH = 24 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH", maximum_texture3d_width, "elements, the widest 3-D texture";
    MAXIMUM_TEXTURE3D_HEIGHT = 25 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT", maximum_texture3d_height, "elements, the highest 3-D texture";
    MAXIMUM_TEXTURE3D_DEPTH = 26 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH", maximum_texture3d_depth, "elements, the deepest 3-D texture";
    MAXIMUM_TEXTURE2D_LAYERED_WIDTH = 27 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH", maximum_texture2d_layered_width, "elements, the widest layered 2-D texture";
    MAXIMUM_TEXTURE2D_LAYERED_HEIGHT = 28 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT", maximum_texture2d_layered_height, "elements, the highest layered 2-D texture";
    MAXIMUM_TEXTURE2D_LAYERED_LAYERS = 29 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS", maximum_texture2d_layered_layers, "the most layers of a 2-D texture";
    SURFACE_ALIGNMENT = 30 "CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT", surface_alignment, "bytes to which surfaces are aligned";
    CONCURRENT_KERNELS = 31 "CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS", concurrent_kernels, "1 if several kernels of a context can run at once";
    ECC_ENABLED = 32 "CU_DEVICE_ATTRIBUTE_ECC_ENABLED", ecc_enabled, "1 if the memory corrects errors";
    PCI_BUS_ID = 33 "CU_DEVICE_ATTRIBUTE_PCI_BUS_ID", pci_bus_id_raw, "the device's bus number on the PCI bus";
    PCI_DEVICE_ID = 34 "CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID", pci_device_id, "the device's slot number on the PCI bus";
    TCC_DRIVER = 35 "CU_DEVICE_ATTRIBUTE_TCC_DRIVER", tcc_driver, "1 if the device runs with Windows' TCC driver";
    MEMORY_CLOCK_RATE = 36 "CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE", memory_clock_rate, "the memory's highest clock rate, in kHz";
    GLOBAL_MEMORY_BUS_WIDTH = 37 "CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH", global_memory_bus_width, "bits that the memory bus is wide";
    L2_CACHE_SIZE = 38 "CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE", l2_cache_size, "bytes of level-2 cache";
    MAX_THREADS_PER_MULTIPROCESSOR = 39 "CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR", max_threads_per_multiprocessor, "the most threads resident on a multiprocessor";
    ASYNC_ENGINE_COUNT = 40 "CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT", async_engine_count, "copy engines that work beside kernels";
    UNIFIED_ADDRESSING = 41 "CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING", unified_addressing, "1 if the device and the host share one address space";
    MAXIMUM_TEXTURE1D_LAYERED_WIDTH = 42 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH", maximum_texture1d_layered_width, "elements, the widest layered 1-D texture";
    MAXIMUM_TEXTURE1D_LAYERED_LAYERS = 43 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS", maximum_texture1d_layered_layers, "the most layers of a 1-D texture";
    CAN_TEX2D_GATHER = 44 "CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER", can_tex2d_gather, "1 if arrays for texture gathers can be made; deprecated";
    MAXIMUM_TEXTURE2D_GATHER_WIDTH = 45 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH", maximum_texture2d_gather_width, "elements, the widest 2-D texture made for gathers";
    MAXIMUM_TEXTURE2D_GATHER_HEIGHT = 46 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT", maximum_texture2d_gather_height, "elements, the highest 2-D texture made for gathers";
    MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE = 47 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE", maximum_texture3d_width_alternate, "elements, the widest 3-D texture of the alternate shape; 0 if there is none";
    MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE = 48 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE", maximum_texture3d_height_alternate, "elements, the highest 3-D texture of the alternate shape; 0 if there is none";
    MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE = 49 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE", maximum_texture3d_depth_alternate, "elements, the deepest 3-D texture of the alternate shape; 0 if there is none";
    PCI_DOMAIN_ID = 50 "CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID", pci_domain_id, "the device's PCI domain";
    TEXTURE_PITCH_ALIGNMENT = 51 "CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT", texture_pitch_alignment, "bytes to which the pitch of memory bound to a 2-D texture is aligned";
    MAXIMUM_TEXTURECUBEMAP_WIDTH = 52 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH", maximum_texturecubemap_width, "elements, the widest cubemap texture, and the highest";
    MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH = 53 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH", maximum_texturecubemap_layered_width, "elements, the widest layered cubemap texture, and the highest";
    MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS = 54 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS", maximum_texturecubemap_layered_layers, "the most layers of a cubemap texture";
    MAXIMUM_SURFACE1D_WIDTH = 55 "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH", maximum_surface1d_width, "elements, the widest 1-D surface";
    MAXIMUM_SURFACE2D_WIDTH = 56 "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH", maximum_surface2d_width, "elements, the widest 2-D surface";
    MAXIMUM_SURFACE2D_HEIGHT = 57 "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT", maximum_surface2d_height, "elements, the highest 2-D surface";
    MAXIMUM_SURFACE3D_WIDTH = 58 "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH", maximum_surface3d_width, "elements, the widest 3-D surface";
    MAXIMUM_SURFACE3D_HEIGHT = 59 "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT", maximum_surface3d_height, "elements, the highest 3-D surface";
    MAXIMUM_SURFACE3D_DEPTH = 60 "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH", maximum_surface3d_depth, "elements, the deepest 3-D surface";
    MAXIMUM_SURFACE1D_LAYERED_WIDTH = 61 "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH", maximum_surface1d_layered_width, "elements, the widest layered 1-D surface";
    MAXIMUM_SURFACE1D_LAYERED_LAYERS = 62 "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS", maximum_surface1d_layered_layers, "the most layers of a 1-D surface";
    MAXIMUM_SURFACE2D_LAYERED_WIDTH = 63 "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH", maximum_surface2d_layered_width, "elements, the widest layered 2-D surface";
    MAXIMUM_SURFACE2D_LAYERED_HEIGHT = 64 "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT", maximum_surface2d_layered_height, "elements, the highest layered 2-D surface";
    MAXIMUM_SURFACE2D_LAYERED_LAYERS = 65 "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS", maximum_surface2d_layered_layers, "the most layers of a 2-D surface";
    MAXIMUM_SURFACECUBEMAP_WIDTH = 66 "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH", maximum_surfacecubemap_width, "elements, the widest cubemap surface";
    MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH = 67 "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH", maximum_surfacecubemap_layered_width, "elements, the widest layered cubemap surface";
    MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS = 68 "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS", maximum_surfacecubemap_layered_layers, "the most layers of a cubemap surface";
    MAXIMUM_TEXTURE1D_LINEAR_WIDTH = 69 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH", maximum_texture1d_linear_width, "elements, the widest 1-D texture on linear memory; deprecated, since it depends on the element";
    MAXIMUM_TEXTURE2D_LINEAR_WIDTH = 70 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH", maximum_texture2d_linear_width, "elements, the widest 2-D texture on linear memory";
    MAXIMUM_TEXTURE2D_LINEAR_HEIGHT = 71 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT", maximum_texture2d_linear_height, "elements, the highest 2-D texture on linear memory";
    MAXIMUM_TEXTURE2D_LINEAR_PITCH = 72 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH", maximum_texture2d_linear_pitch, "bytes, the greatest pitch of a 2-D texture on linear memory";
    MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH = 73 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH", maximum_texture2d_mipmapped_width, "elements, the widest mipmapped 2-D texture";
    MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT = 74 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT", maximum_texture2d_mipmapped_height, "elements, the highest mipmapped 2-D texture";
    COMPUTE_CAPABILITY_MAJOR = 75 "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR", compute_capability_major, "the compute capability's number before the dot";
    COMPUTE_CAPABILITY_MINOR = 76 "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR", compute_capability_minor, "the compute capability's number after the dot";
    MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH = 77 "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH", maximum_texture1d_mipmapped_width, "elements, the widest mipmapped 1-D texture";
    STREAM_PRIORITIES_SUPPORTED = 78 "CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED", stream_priorities_supported, "1 if streams can have priorities";
    GLOBAL_L1_CACHE_SUPPORTED = 79 "CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED", global_l1_cache_supported, "1 if the level-1 cache serves global memory";
    LOCAL_L1_CACHE_SUPPORTED = 80 "CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED", local_l1_cache_supported, "1 if the level-1 cache serves local memory";
    MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81 "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR", max_shared_memory_per_multiprocessor, "bytes of shared memory on a multiprocessor";
    MAX_REGISTERS_PER_MULTIPROCESSOR = 82 "CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR", max_registers_per_multiprocessor, "32-bit registers on a multiprocessor";
    MANAGED_MEMORY = 83 "CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY", managed_memory, "1 if memory can be managed: one address for the host and the device";
    MULTI_GPU_BOARD = 84 "CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD", multi_gpu_board, "1 if the board carries several GPUs";
    MULTI_GPU_BOARD_GROUP_ID = 85 "CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID", multi_gpu_board_group_id, "a number that the GPUs of one board share";
    HOST_NATIVE_ATOMIC_SUPPORTED = 86 "CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED", host_native_atomic_supported, "1 if the link to the host carries all atomic operations";
    SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO = 87 "CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO", single_to_double_precision_perf_ratio, "how many times faster single precision is than double";
    PAGEABLE_MEMORY_ACCESS = 88 "CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS", pageable_memory_access, "1 if the device reaches pageable host memory without registering it";
    CONCURRENT_MANAGED_ACCESS = 89 "CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS", concurrent_managed_access, "1 if host and device may touch managed memory at the same time";
    COMPUTE_PREEMPTION_SUPPORTED = 90 "CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED", compute_preemption_supported, "1 if running kernels can be preempted";
    CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM = 91 "CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM", can_use_host_pointer_for_registered_mem, "1 if the device reaches registered host memory at the host's address";
    CAN_USE_STREAM_MEM_OPS_V1 = 92 "CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1", can_use_stream_mem_ops_v1, "1 if streams have memory operations of the first interface; deprecated";
    CAN_USE_64_BIT_STREAM_MEM_OPS_V1 = 93 "CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1", can_use_64_bit_stream_mem_ops_v1, "1 if these work on 64 bits; deprecated. Ask this one on drivers before CUDA 12.0";
    CAN_USE_STREAM_WAIT_VALUE_NOR_V1 = 94 "CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1", can_use_stream_wait_value_nor_v1, "1 if these can wait for a NOR; deprecated. Ask this one on drivers before CUDA 12.0";
    COOPERATIVE_LAUNCH = 95 "CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH", cooperative_launch, "1 if kernels can be launched cooperatively";
    COOPERATIVE_MULTI_DEVICE_LAUNCH = 96 "CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH", cooperative_multi_device_launch, "1 if that works across devices; deprecated";
    MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97 "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN", max_shared_memory_per_block_optin, "bytes of shared memory a block can have when its kernel opts in";
    CAN_FLUSH_REMOTE_WRITES = 98 "CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES", can_flush_remote_writes, "1 if outstanding remote writes can be flushed";
    HOST_REGISTER_SUPPORTED = 99 "CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED", host_register_supported, "1 if host memory can be registered";
    PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES = 100 "CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES", pageable_memory_access_uses_host_page_tables, "1 if the device reaches pageable memory through the host's page tables";
    DIRECT_MANAGED_MEM_ACCESS_FROM_HOST = 101 "CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST", direct_managed_mem_access_from_host, "1 if the host reaches managed memory on the device without moving it";
    VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102 "CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED", virtual_memory_management_supported, "1 if address ranges can be reserved and mapped";
    HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 103 "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED", handle_type_posix_file_descriptor_supported, "1 if memory can be exported as a file descriptor";
    HANDLE_TYPE_WIN32_HANDLE_SUPPORTED = 104 "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED", handle_type_win32_handle_supported, "1 if memory can be exported as a Windows NT handle";
    HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED = 105 "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED", handle_type_win32_kmt_handle_supported, "1 if memory can be exported as a Windows KMT handle";
    MAX_BLOCKS_PER_MULTIPROCESSOR = 106 "CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR", max_blocks_per_multiprocessor, "the most blocks resident on a multiprocessor";
    GENERIC_COMPRESSION_SUPPORTED = 107 "CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED", generic_compression_supported, "1 if memory can be compressed";
    MAX_PERSISTING_L2_CACHE_SIZE = 108 "CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE", max_persisting_l2_cache_size, "bytes of level-2 cache that can be set aside for persisting lines";
    MAX_ACCESS_POLICY_WINDOW_SIZE = 109 "CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE", max_access_policy_window_size, "bytes, the largest access policy window";
    GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED = 110 "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED", gpu_direct_rdma_with_cuda_vmm_supported, "1 if memory from virtual memory management can be shared by RDMA";
    RESERVED_SHARED_MEMORY_PER_BLOCK = 111 "CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK", reserved_shared_memory_per_block, "bytes of shared memory that the driver keeps in each block";
    SPARSE_CUDA_ARRAY_SUPPORTED = 112 "CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED", sparse_cuda_array_supported, "1 if arrays can be sparse";
    READ_ONLY_HOST_REGISTER_SUPPORTED = 113 "CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED", read_only_host_register_supported, "1 if host memory can be registered as read-only";
    TIMELINE_SEMAPHORE_INTEROP_SUPPORTED = 114 "CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED", timeline_semaphore_interop_supported, "1 if external timeline semaphores can be imported";
    MEMORY_POOLS_SUPPORTED = 115 "CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED", memory_pools_supported, "1 if there is a stream-ordered allocator";
    GPU_DIRECT_RDMA_SUPPORTED = 116 "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED", gpu_direct_rdma_supported, "1 if other PCI devices can reach the memory directly";
    GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS = 117 "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS", gpu_direct_rdma_flush_writes_options, "how such writes can be flushed: bits of `CUflushGPUDirectRDMAWritesOptions`";
    GPU_DIRECT_RDMA_WRITES_ORDERING = 118 "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING", gpu_direct_rdma_writes_ordering, "what sees such writes unflushed: a `CUGPUDirectRDMAWritesOrdering`";
    MEMPOOL_SUPPORTED_HANDLE_TYPES = 119 "CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES", mempool_supported_handle_types, "how pools can be exported: bits of `CUmemAllocationHandleType`";
    CLUSTER_LAUNCH = 120 "CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH", cluster_launch, "1 if blocks can be launched in clusters";
    DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED = 121 "CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED", deferred_mapping_cuda_array_supported, "1 if arrays can get their memory later";
    CAN_USE_64_BIT_STREAM_MEM_OPS = 122 "CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS", can_use_64_bit_stream_mem_ops, "1 if streams' memory operations work on 64 bits";
    CAN_USE_STREAM_WAIT_VALUE_NOR = 123 "CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR", can_use_stream_wait_value_nor, "1 if streams' memory operations can wait for a NOR";
    DMA_BUF_SUPPORTED = 124 "CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED", dma_buf_supported, "1 if memory can be shared as a Linux dma-buf";
    IPC_EVENT_SUPPORTED = 125 "CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED", ipc_event_supported, "1 if events can be shared between processes";
    MEM_SYNC_DOMAIN_COUNT = 126 "CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT", mem_sync_domain_count, "memory synchronisation domains";
    TENSOR_MAP_ACCESS_SUPPORTED = 127 "CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED", tensor_map_access_supported, "1 if kernels can use tensor maps";
    HANDLE_TYPE_FABRIC_SUPPORTED = 128 "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED", handle_type_fabric_supported, "1 if memory can be exported as a fabric handle";
    UNIFIED_FUNCTION_POINTERS = 129 "CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS", unified_function_pointers, "1 if function pointers are the same on all devices";
    NUMA_CONFIG = 130 "CU_DEVICE_ATTRIBUTE_NUMA_CONFIG", numa_config, "whether the device is a NUMA node of the host: a `CUdeviceNumaConfig`";
    NUMA_ID = 131 "CU_DEVICE_ATTRIBUTE_NUMA_ID", numa_id, "the NUMA node that the device's memory is; -1 if it is none";
    MULTICAST_SUPPORTED = 132 "CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED", multicast_supported, "1 if multicast objects and multimem instructions work";
    MPS_ENABLED = 133 "CU_DEVICE_ATTRIBUTE_MPS_ENABLED", mps_enabled, "1 if contexts are made through the multi-process service";
    HOST_NUMA_ID = 134 "CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID", host_numa_id, "the host's NUMA node that is nearest to the device; -1 if there are none";
    D3D12_CIG_SUPPORTED = 135 "CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED", d3d12_cig_supported, "1 if compute can run inside Direct3D 12's graphics";
    MEM_DECOMPRESS_ALGORITHM_MASK = 136 "CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK", mem_decompress_algorithm_mask, "what the decompression engine can do: bits of `CUmemDecompressAlgorithm`";
    MEM_DECOMPRESS_MAXIMUM_LENGTH = 137 "CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH", mem_decompress_maximum_length, "bytes, the most that it decompresses at once";
    VULKAN_CIG_SUPPORTED = 138 "CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED", vulkan_cig_supported, "1 if compute can run inside Vulkan's graphics";
    GPU_PCI_DEVICE_ID = 139 "CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID", gpu_pci_device_id, "the PCI device identifier in the upper 16 bits, the vendor's in the lower";
    GPU_PCI_SUBSYSTEM_ID = 140 "CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID", gpu_pci_subsystem_id, "the PCI subsystem identifier in the upper 16 bits, its vendor's in the lower";
    HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 141 "CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED", host_numa_virtual_memory_management_supported, "1 if virtual memory management can place memory on the host's NUMA nodes";
    HOST_NUMA_MEMORY_POOLS_SUPPORTED = 142 "CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED", host_numa_memory_pools_supported, "1 if pools can take memory from the host's NUMA nodes";
    HOST_NUMA_MULTINODE_IPC_SUPPORTED = 143 "CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED", host_numa_multinode_ipc_supported, "1 if such memory can be shared between machines";
    HOST_MEMORY_POOLS_SUPPORTED = 144 "CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED", host_memory_pools_supported, "1 if pools can take host memory";
    HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 145 "CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED", host_virtual_memory_management_supported, "1 if virtual memory management can place memory on the host";
    HOST_ALLOC_DMA_BUF_SUPPORTED = 146 "CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED", host_alloc_dma_buf_supported, "1 if page-locked host memory can be shared as a dma-buf";
    ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED = 147 "CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED", only_partial_host_native_atomic_supported, "1 if the link to the host carries only some atomic operations";
    ATOMIC_REDUCTION_SUPPORTED = 148 "CU_DEVICE_ATTRIBUTE_ATOMIC_REDUCTION_SUPPORTED", atomic_reduction_supported, "1 if atomic reductions work over the link";
    LOCALITY_DOMAIN_COUNT = 149 "CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_COUNT", locality_domain_count, "locality domains on the device";
    MAX_OVERSIZED_SHARED_MEMORY_PER_BLOCK = 150 "CU_DEVICE_ATTRIBUTE_MAX_OVERSIZED_SHARED_MEMORY_PER_BLOCK", max_oversized_shared_memory_per_block, "bytes of shared memory a block can have in the oversized mode";
    D3D12_CIG_STREAMS_SUPPORTED = 151 "CU_DEVICE_ATTRIBUTE_D3D12_CIG_STREAMS_SUPPORTED", d3d12_cig_streams_supported, "1 if Direct3D 12's graphics can hold several streams";
    DMA_BUF_MMAP_SUPPORTED = 152 "CU_DEVICE_ATTRIBUTE_DMA_BUF_MMAP_SUPPORTED", dma_buf_mmap_supported, "1 if a dma-buf of the device's memory can be mapped by the host";
    LOGICAL_ENDPOINT_UNICAST_SUPPORTED = 153 "CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_SUPPORTED", logical_endpoint_unicast_supported, "1 if there are unicast logical endpoints";
    LOGICAL_ENDPOINT_MULTICAST_SUPPORTED = 154 "CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_MULTICAST_SUPPORTED", logical_endpoint_multicast_supported, "1 if there are multicast logical endpoints";
    LOGICAL_ENDPOINT_COUNTED_OPS_SUPPORTED = 155 "CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_COUNTED_OPS_SUPPORTED", logical_endpoint_counted_ops_supported, "1 if logical endpoints count operations";
    LOGICAL_ENDPOINT_UNICAST_ACCESS_ON_OWNER_DEVICE_SUPPORTED = 156 "CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_ACCESS_ON_OWNER_DEVICE_SUPPORTED", logical_endpoint_unicast_access_on_owner_device_supported, "1 if the owner can use its own unicast endpoint";
    LOCALITY_DOMAIN_MULTIPROCESSOR_COUNT = 157 "CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_MULTIPROCESSOR_COUNT", locality_domain_multiprocessor_count, "multiprocessors in a locality domain";
    LOGICAL_ENDPOINT_SUPPORTED_HANDLE_TYPES = 158 "CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_SUPPORTED_HANDLE_TYPES", logical_endpoint_supported_handle_types, "how logical endpoints can be exported: bits of `CUmemAllocationHandleType`";
    VULKAN_CIG_STREAMS_SUPPORTED = 159 "CU_DEVICE_ATTRIBUTE_VULKAN_CIG_STREAMS_SUPPORTED", vulkan_cig_streams_supported, "1 if Vulkan's graphics can hold several streams";
    TENSOR_MAP_LARGE_TENSOR_MIN_SIZE = 160 "CU_DEVICE_ATTRIBUTE_TENSOR_MAP_LARGE_TENSOR_MIN_SIZE", tensor_map_large_tensor_min_size, "bytes from which a tensor counts as large for tensor maps";
    GPU_DIRECT_RDMA_WITH_LOCALIZED_MEMORY_SUPPORTED = 161 "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_LOCALIZED_MEMORY_SUPPORTED", gpu_direct_rdma_with_localized_memory_supported, "1 if memory of one locality domain can be shared by RDMA";
}

aliases! {
    SHARED_MEMORY_PER_BLOCK = MAX_SHARED_MEMORY_PER_BLOCK "CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK", shared_memory_per_block;
    REGISTERS_PER_BLOCK = MAX_REGISTERS_PER_BLOCK "CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK", registers_per_block;
    MAXIMUM_TEXTURE2D_ARRAY_WIDTH = MAXIMUM_TEXTURE2D_LAYERED_WIDTH "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH", maximum_texture2d_array_width;
    MAXIMUM_TEXTURE2D_ARRAY_HEIGHT = MAXIMUM_TEXTURE2D_LAYERED_HEIGHT "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT", maximum_texture2d_array_height;
    MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES = MAXIMUM_TEXTURE2D_LAYERED_LAYERS "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES", maximum_texture2d_array_numslices;
    VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED = VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED "CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED", virtual_address_management_supported;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compute_mode_without_a_name_keeps_its_number() {
        let modes = [0, 1, 2, 3, 7].map(ComputeMode::from_raw);
        let (other, named) = (ComputeMode::Other, [ComputeMode::Prohibited, ComputeMode::ExclusiveProcess]);
        assert_eq!(modes, [ComputeMode::Default, other(1), named[0], named[1], other(7)]);
    }
}
