// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl DeviceAttribute {
    /// The value is the largest number of threads of a block.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK")]
    pub const MAX_THREADS_PER_BLOCK: Self = Self(1);
    /// The value is the largest number of threads of a block along x.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X")]
    pub const MAX_BLOCK_DIM_X: Self = Self(2);
    /// The value is the largest number of threads of a block along y.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y")]
    pub const MAX_BLOCK_DIM_Y: Self = Self(3);
    /// The value is the largest number of threads of a block along z.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z")]
    pub const MAX_BLOCK_DIM_Z: Self = Self(4);
    /// The value is the largest number of blocks of a grid along x.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X")]
    pub const MAX_GRID_DIM_X: Self = Self(5);
    /// The value is the largest number of blocks of a grid along y.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y")]
    pub const MAX_GRID_DIM_Y: Self = Self(6);
    /// The value is the largest number of blocks of a grid along z.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z")]
    pub const MAX_GRID_DIM_Z: Self = Self(7);
    /// The value is the bytes of shared memory of a block without opting in to more.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK")]
    pub const MAX_SHARED_MEMORY_PER_BLOCK: Self = Self(8);
    /// The value is the bytes of constant memory of a module.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY")]
    pub const TOTAL_CONSTANT_MEMORY: Self = Self(9);
    /// The value is the number of threads of a warp.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_WARP_SIZE")]
    pub const WARP_SIZE: Self = Self(10);
    /// The value is the largest pitch of a copy, in bytes.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_PITCH")]
    pub const MAX_PITCH: Self = Self(11);
    /// The value is the number of 32-bit registers of a block.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK")]
    pub const MAX_REGISTERS_PER_BLOCK: Self = Self(12);
    /// The value is the multiprocessors' highest clock rate, in kHz.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CLOCK_RATE")]
    pub const CLOCK_RATE: Self = Self(13);
    /// The value is the alignment of the address of memory that is bound to a texture, in bytes.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT")]
    pub const TEXTURE_ALIGNMENT: Self = Self(14);
    /// The value is 1 if copies can overlap with kernels; deprecated in favour of the number of copy engines.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GPU_OVERLAP")]
    pub const GPU_OVERLAP: Self = Self(15);
    /// The value is the number of multiprocessors of the device.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT")]
    pub const MULTIPROCESSOR_COUNT: Self = Self(16);
    /// The value is 1 if kernels that run too long are stopped.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT")]
    pub const KERNEL_EXEC_TIMEOUT: Self = Self(17);
    /// The value is 1 if the GPU shares the host's memory controller.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_INTEGRATED")]
    pub const INTEGRATED: Self = Self(18);
    /// The value is 1 if host memory can be mapped into the device's address space.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY")]
    pub const CAN_MAP_HOST_MEMORY: Self = Self(19);
    /// The value is the processes that may use the device: see [`Device::compute_mode`](crate::Device::compute_mode).
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_COMPUTE_MODE")]
    pub const COMPUTE_MODE: Self = Self(20);
    /// The value is the largest width of a 1-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH")]
    pub const MAXIMUM_TEXTURE1D_WIDTH: Self = Self(21);
    /// The value is the largest width of a 2-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH")]
    pub const MAXIMUM_TEXTURE2D_WIDTH: Self = Self(22);
    /// The value is the largest height of a 2-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT")]
    pub const MAXIMUM_TEXTURE2D_HEIGHT: Self = Self(23);
    /// The value is the largest width of a 3-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH")]
    pub const MAXIMUM_TEXTURE3D_WIDTH: Self = Self(24);
    /// The value is the largest height of a 3-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT")]
    pub const MAXIMUM_TEXTURE3D_HEIGHT: Self = Self(25);
    /// The value is the largest depth of a 3-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH")]
    pub const MAXIMUM_TEXTURE3D_DEPTH: Self = Self(26);
    /// The value is the largest width of a layered 2-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH")]
    pub const MAXIMUM_TEXTURE2D_LAYERED_WIDTH: Self = Self(27);
    /// The value is the largest height of a layered 2-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT")]
    pub const MAXIMUM_TEXTURE2D_LAYERED_HEIGHT: Self = Self(28);
    /// The value is the largest number of layers of a 2-D texture.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS")]
    pub const MAXIMUM_TEXTURE2D_LAYERED_LAYERS: Self = Self(29);
    /// The value is the alignment of surfaces, in bytes.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT")]
    pub const SURFACE_ALIGNMENT: Self = Self(30);
    /// The value is 1 if several kernels of a context can run at once.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS")]
    pub const CONCURRENT_KERNELS: Self = Self(31);
    /// The value is 1 if the memory corrects errors.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_ECC_ENABLED")]
    pub const ECC_ENABLED: Self = Self(32);
    /// The value is the device's bus number on the PCI bus.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_PCI_BUS_ID")]
    pub const PCI_BUS_ID: Self = Self(33);
    /// The value is the device's slot number on the PCI bus.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID")]
    pub const PCI_DEVICE_ID: Self = Self(34);
    /// The value is 1 if the device runs with Windows' TCC driver.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_TCC_DRIVER")]
    pub const TCC_DRIVER: Self = Self(35);
    /// The value is the memory's highest clock rate, in kHz.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE")]
    pub const MEMORY_CLOCK_RATE: Self = Self(36);
    /// The value is the width of the memory bus, in bits.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH")]
    pub const GLOBAL_MEMORY_BUS_WIDTH: Self = Self(37);
    /// The value is the bytes of the level-2 cache.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE")]
    pub const L2_CACHE_SIZE: Self = Self(38);
    /// The value is the largest number of resident threads of a multiprocessor.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR")]
    pub const MAX_THREADS_PER_MULTIPROCESSOR: Self = Self(39);
    /// The value is the number of copy engines that work while kernels run.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT")]
    pub const ASYNC_ENGINE_COUNT: Self = Self(40);
    /// The value is 1 if the device and the host share one address space.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING")]
    pub const UNIFIED_ADDRESSING: Self = Self(41);
    /// The value is the largest width of a layered 1-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH")]
    pub const MAXIMUM_TEXTURE1D_LAYERED_WIDTH: Self = Self(42);
    /// The value is the largest number of layers of a 1-D texture.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS")]
    pub const MAXIMUM_TEXTURE1D_LAYERED_LAYERS: Self = Self(43);
    /// The value is 1 if arrays for texture gathers can be made; deprecated.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER")]
    pub const CAN_TEX2D_GATHER: Self = Self(44);
    /// The value is the largest width of a 2-D texture made for gathers, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH")]
    pub const MAXIMUM_TEXTURE2D_GATHER_WIDTH: Self = Self(45);
    /// The value is the largest height of a 2-D texture made for gathers, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT")]
    pub const MAXIMUM_TEXTURE2D_GATHER_HEIGHT: Self = Self(46);
    /// The value is the largest width of a 3-D texture of the alternate shape, in elements; 0 if there is none.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE")]
    pub const MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE: Self = Self(47);
    /// The value is the largest height of a 3-D texture of the alternate shape, in elements; 0 if there is none.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE")]
    pub const MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE: Self = Self(48);
    /// The value is the largest depth of a 3-D texture of the alternate shape, in elements; 0 if there is none.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE")]
    pub const MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE: Self = Self(49);
    /// The value is the device's PCI domain.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID")]
    pub const PCI_DOMAIN_ID: Self = Self(50);
    /// The value is the alignment of the pitch of memory that is bound to a 2-D texture, in bytes.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT")]
    pub const TEXTURE_PITCH_ALIGNMENT: Self = Self(51);
    /// The value is the largest width and height of a cubemap texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH")]
    pub const MAXIMUM_TEXTURECUBEMAP_WIDTH: Self = Self(52);
    /// The value is the largest width and height of a layered cubemap texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH")]
    pub const MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH: Self = Self(53);
    /// The value is the largest number of layers of a cubemap texture.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS")]
    pub const MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS: Self = Self(54);
    /// The value is the largest width of a 1-D surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH")]
    pub const MAXIMUM_SURFACE1D_WIDTH: Self = Self(55);
    /// The value is the largest width of a 2-D surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH")]
    pub const MAXIMUM_SURFACE2D_WIDTH: Self = Self(56);
    /// The value is the largest height of a 2-D surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT")]
    pub const MAXIMUM_SURFACE2D_HEIGHT: Self = Self(57);
    /// The value is the largest width of a 3-D surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH")]
    pub const MAXIMUM_SURFACE3D_WIDTH: Self = Self(58);
    /// The value is the largest height of a 3-D surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT")]
    pub const MAXIMUM_SURFACE3D_HEIGHT: Self = Self(59);
    /// The value is the largest depth of a 3-D surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH")]
    pub const MAXIMUM_SURFACE3D_DEPTH: Self = Self(60);
    /// The value is the largest width of a layered 1-D surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH")]
    pub const MAXIMUM_SURFACE1D_LAYERED_WIDTH: Self = Self(61);
    /// The value is the largest number of layers of a 1-D surface.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS")]
    pub const MAXIMUM_SURFACE1D_LAYERED_LAYERS: Self = Self(62);
    /// The value is the largest width of a layered 2-D surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH")]
    pub const MAXIMUM_SURFACE2D_LAYERED_WIDTH: Self = Self(63);
    /// The value is the largest height of a layered 2-D surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT")]
    pub const MAXIMUM_SURFACE2D_LAYERED_HEIGHT: Self = Self(64);
    /// The value is the largest number of layers of a 2-D surface.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS")]
    pub const MAXIMUM_SURFACE2D_LAYERED_LAYERS: Self = Self(65);
    /// The value is the largest width of a cubemap surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH")]
    pub const MAXIMUM_SURFACECUBEMAP_WIDTH: Self = Self(66);
    /// The value is the largest width of a layered cubemap surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH")]
    pub const MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH: Self = Self(67);
    /// The value is the largest number of layers of a cubemap surface.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS")]
    pub const MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS: Self = Self(68);
    /// The value is the largest width of a 1-D texture on linear memory, in elements; deprecated, since it depends on the element.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH")]
    pub const MAXIMUM_TEXTURE1D_LINEAR_WIDTH: Self = Self(69);
    /// The value is the largest width of a 2-D texture on linear memory, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH")]
    pub const MAXIMUM_TEXTURE2D_LINEAR_WIDTH: Self = Self(70);
    /// The value is the largest height of a 2-D texture on linear memory, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT")]
    pub const MAXIMUM_TEXTURE2D_LINEAR_HEIGHT: Self = Self(71);
    /// The value is the largest pitch of a 2-D texture on linear memory, in bytes.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH")]
    pub const MAXIMUM_TEXTURE2D_LINEAR_PITCH: Self = Self(72);
    /// The value is the largest width of a mipmapped 2-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH")]
    pub const MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH: Self = Self(73);
    /// The value is the largest height of a mipmapped 2-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT")]
    pub const MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT: Self = Self(74);
    /// The value is the number of the compute capability before the dot.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR")]
    pub const COMPUTE_CAPABILITY_MAJOR: Self = Self(75);
    /// The value is the number of the compute capability after the dot.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR")]
    pub const COMPUTE_CAPABILITY_MINOR: Self = Self(76);
    /// The value is the largest width of a mipmapped 1-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH")]
    pub const MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH: Self = Self(77);
    /// The value is 1 if streams can have priorities.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED")]
    pub const STREAM_PRIORITIES_SUPPORTED: Self = Self(78);
    /// The value is 1 if the level-1 cache serves global memory.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED")]
    pub const GLOBAL_L1_CACHE_SUPPORTED: Self = Self(79);
    /// The value is 1 if the level-1 cache serves local memory.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED")]
    pub const LOCAL_L1_CACHE_SUPPORTED: Self = Self(80);
    /// The value is the bytes of shared memory of a multiprocessor.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR")]
    pub const MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: Self = Self(81);
    /// The value is the number of 32-bit registers of a multiprocessor.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR")]
    pub const MAX_REGISTERS_PER_MULTIPROCESSOR: Self = Self(82);
    /// The value is 1 if memory can be managed: one address for the host and the device.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY")]
    pub const MANAGED_MEMORY: Self = Self(83);
    /// The value is 1 if the board carries several GPUs.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD")]
    pub const MULTI_GPU_BOARD: Self = Self(84);
    /// The value is a number that the GPUs of one board share.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID")]
    pub const MULTI_GPU_BOARD_GROUP_ID: Self = Self(85);
    /// The value is 1 if the link to the host carries all atomic operations.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED")]
    pub const HOST_NATIVE_ATOMIC_SUPPORTED: Self = Self(86);
    /// The value is the factor by which single precision is faster than double precision.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO")]
    pub const SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO: Self = Self(87);
    /// The value is 1 if the device can access pageable host memory without registration.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS")]
    pub const PAGEABLE_MEMORY_ACCESS: Self = Self(88);
    /// The value is 1 if host and device may access managed memory at the same time.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS")]
    pub const CONCURRENT_MANAGED_ACCESS: Self = Self(89);
    /// The value is 1 if running kernels can be preempted.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED")]
    pub const COMPUTE_PREEMPTION_SUPPORTED: Self = Self(90);
    /// The value is 1 if the device can access registered host memory at the host's address.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM")]
    pub const CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM: Self = Self(91);
    /// The value is 1 if streams have memory operations of the first interface; deprecated.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1")]
    pub const CAN_USE_STREAM_MEM_OPS_V1: Self = Self(92);
    /// The value is 1 if memory operations of the first interface work on 64 bits; deprecated. Use this attribute with drivers before CUDA 12.0.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1")]
    pub const CAN_USE_64_BIT_STREAM_MEM_OPS_V1: Self = Self(93);
    /// The value is 1 if memory operations of the first interface can wait for a NOR; deprecated. Use this attribute with drivers before CUDA 12.0.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1")]
    pub const CAN_USE_STREAM_WAIT_VALUE_NOR_V1: Self = Self(94);
    /// The value is 1 if kernels can be launched cooperatively.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH")]
    pub const COOPERATIVE_LAUNCH: Self = Self(95);
    /// The value is 1 if cooperative launches work across devices; deprecated.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH")]
    pub const COOPERATIVE_MULTI_DEVICE_LAUNCH: Self = Self(96);
    /// The value is the bytes of shared memory of a block whose kernel opts in.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN")]
    pub const MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: Self = Self(97);
    /// The value is 1 if outstanding remote writes can be flushed.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES")]
    pub const CAN_FLUSH_REMOTE_WRITES: Self = Self(98);
    /// The value is 1 if host memory can be registered.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED")]
    pub const HOST_REGISTER_SUPPORTED: Self = Self(99);
    /// The value is 1 if the device accesses pageable memory through the host's page tables.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES")]
    pub const PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES: Self = Self(100);
    /// The value is 1 if the host can access managed memory on the device without moving it.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST")]
    pub const DIRECT_MANAGED_MEM_ACCESS_FROM_HOST: Self = Self(101);
    /// The value is 1 if address ranges can be reserved and mapped.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED")]
    pub const VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: Self = Self(102);
    /// The value is 1 if memory can be exported as a file descriptor.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED")]
    pub const HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED: Self = Self(103);
    /// The value is 1 if memory can be exported as a Windows NT handle.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED")]
    pub const HANDLE_TYPE_WIN32_HANDLE_SUPPORTED: Self = Self(104);
    /// The value is 1 if memory can be exported as a Windows KMT handle.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED")]
    pub const HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED: Self = Self(105);
    /// The value is the largest number of resident blocks of a multiprocessor.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR")]
    pub const MAX_BLOCKS_PER_MULTIPROCESSOR: Self = Self(106);
    /// The value is 1 if memory can be compressed.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED")]
    pub const GENERIC_COMPRESSION_SUPPORTED: Self = Self(107);
    /// The value is the bytes of the level-2 cache that can be set aside for persisting lines.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE")]
    pub const MAX_PERSISTING_L2_CACHE_SIZE: Self = Self(108);
    /// The value is the largest size of an access policy window, in bytes.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE")]
    pub const MAX_ACCESS_POLICY_WINDOW_SIZE: Self = Self(109);
    /// The value is 1 if memory from virtual memory management can be shared by RDMA.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED")]
    pub const GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED: Self = Self(110);
    /// The value is the bytes of shared memory that the driver reserves in each block.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK")]
    pub const RESERVED_SHARED_MEMORY_PER_BLOCK: Self = Self(111);
    /// The value is 1 if arrays can be sparse.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED")]
    pub const SPARSE_CUDA_ARRAY_SUPPORTED: Self = Self(112);
    /// The value is 1 if host memory can be registered as read-only.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED")]
    pub const READ_ONLY_HOST_REGISTER_SUPPORTED: Self = Self(113);
    /// The value is 1 if external timeline semaphores can be imported.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED")]
    pub const TIMELINE_SEMAPHORE_INTEROP_SUPPORTED: Self = Self(114);
    /// The value is 1 if there is a stream-ordered allocator.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED")]
    pub const MEMORY_POOLS_SUPPORTED: Self = Self(115);
    /// The value is 1 if other PCI devices can access the memory directly.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED")]
    pub const GPU_DIRECT_RDMA_SUPPORTED: Self = Self(116);
    /// The value is the ways to flush writes of other PCI devices: bits of `CUflushGPUDirectRDMAWritesOptions`.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS")]
    pub const GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS: Self = Self(117);
    /// The value is the observers of unflushed writes of other PCI devices: a `CUGPUDirectRDMAWritesOrdering`.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING")]
    pub const GPU_DIRECT_RDMA_WRITES_ORDERING: Self = Self(118);
    /// The value is the ways in which pools can be exported: bits of `CUmemAllocationHandleType`.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES")]
    pub const MEMPOOL_SUPPORTED_HANDLE_TYPES: Self = Self(119);
    /// The value is 1 if blocks can be launched in clusters.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH")]
    pub const CLUSTER_LAUNCH: Self = Self(120);
    /// The value is 1 if arrays can get their memory later.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED")]
    pub const DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED: Self = Self(121);
    /// The value is 1 if streams' memory operations work on 64 bits.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS")]
    pub const CAN_USE_64_BIT_STREAM_MEM_OPS: Self = Self(122);
    /// The value is 1 if streams' memory operations can wait for a NOR.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR")]
    pub const CAN_USE_STREAM_WAIT_VALUE_NOR: Self = Self(123);
    /// The value is 1 if memory can be shared as a Linux dma-buf.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED")]
    pub const DMA_BUF_SUPPORTED: Self = Self(124);
    /// The value is 1 if events can be shared between processes.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED")]
    pub const IPC_EVENT_SUPPORTED: Self = Self(125);
    /// The value is the number of memory synchronisation domains.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT")]
    pub const MEM_SYNC_DOMAIN_COUNT: Self = Self(126);
    /// The value is 1 if kernels can use tensor maps.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED")]
    pub const TENSOR_MAP_ACCESS_SUPPORTED: Self = Self(127);
    /// The value is 1 if memory can be exported as a fabric handle.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED")]
    pub const HANDLE_TYPE_FABRIC_SUPPORTED: Self = Self(128);
    /// The value is 1 if function pointers are the same on all devices.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS")]
    pub const UNIFIED_FUNCTION_POINTERS: Self = Self(129);
    /// The value is the relation of the device to the NUMA nodes of the host: a `CUdeviceNumaConfig`.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_NUMA_CONFIG")]
    pub const NUMA_CONFIG: Self = Self(130);
    /// The value is the NUMA node of the device's memory; -1 if it has none.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_NUMA_ID")]
    pub const NUMA_ID: Self = Self(131);
    /// The value is 1 if multicast objects and multimem instructions work.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED")]
    pub const MULTICAST_SUPPORTED: Self = Self(132);
    /// The value is 1 if contexts are made through the multi-process service.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MPS_ENABLED")]
    pub const MPS_ENABLED: Self = Self(133);
    /// The value is the NUMA node of the host that is nearest to the device; -1 if there are none.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID")]
    pub const HOST_NUMA_ID: Self = Self(134);
    /// The value is 1 if compute can run inside Direct3D 12's graphics.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED")]
    pub const D3D12_CIG_SUPPORTED: Self = Self(135);
    /// The value is the algorithms of the decompression engine: bits of `CUmemDecompressAlgorithm`.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK")]
    pub const MEM_DECOMPRESS_ALGORITHM_MASK: Self = Self(136);
    /// The value is the largest number of bytes of one decompression.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH")]
    pub const MEM_DECOMPRESS_MAXIMUM_LENGTH: Self = Self(137);
    /// The value is 1 if compute can run inside Vulkan's graphics.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED")]
    pub const VULKAN_CIG_SUPPORTED: Self = Self(138);
    /// The value is the PCI device identifier in the upper 16 bits, the vendor's in the lower.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID")]
    pub const GPU_PCI_DEVICE_ID: Self = Self(139);
    /// The value is the PCI subsystem identifier in the upper 16 bits, its vendor's in the lower.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID")]
    pub const GPU_PCI_SUBSYSTEM_ID: Self = Self(140);
    /// The value is 1 if virtual memory management can place memory on the host's NUMA nodes.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED")]
    pub const HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: Self = Self(141);
    /// The value is 1 if pools can take memory from the host's NUMA nodes.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED")]
    pub const HOST_NUMA_MEMORY_POOLS_SUPPORTED: Self = Self(142);
    /// The value is 1 if memory of the host's NUMA nodes can be shared between machines.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED")]
    pub const HOST_NUMA_MULTINODE_IPC_SUPPORTED: Self = Self(143);
    /// The value is 1 if pools can take host memory.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED")]
    pub const HOST_MEMORY_POOLS_SUPPORTED: Self = Self(144);
    /// The value is 1 if virtual memory management can place memory on the host.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED")]
    pub const HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: Self = Self(145);
    /// The value is 1 if page-locked host memory can be shared as a dma-buf.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED")]
    pub const HOST_ALLOC_DMA_BUF_SUPPORTED: Self = Self(146);
    /// The value is 1 if the link to the host carries only some atomic operations.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED")]
    pub const ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED: Self = Self(147);
    /// The value is 1 if atomic reductions work over the link.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_ATOMIC_REDUCTION_SUPPORTED")]
    pub const ATOMIC_REDUCTION_SUPPORTED: Self = Self(148);
    /// The value is the number of locality domains of the device.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_COUNT")]
    pub const LOCALITY_DOMAIN_COUNT: Self = Self(149);
    /// The value is the bytes of shared memory of a block in the oversized mode.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_OVERSIZED_SHARED_MEMORY_PER_BLOCK")]
    pub const MAX_OVERSIZED_SHARED_MEMORY_PER_BLOCK: Self = Self(150);
    /// The value is 1 if Direct3D 12's graphics can hold several streams.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_D3D12_CIG_STREAMS_SUPPORTED")]
    pub const D3D12_CIG_STREAMS_SUPPORTED: Self = Self(151);
    /// The value is 1 if a dma-buf of the device's memory can be mapped by the host.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_DMA_BUF_MMAP_SUPPORTED")]
    pub const DMA_BUF_MMAP_SUPPORTED: Self = Self(152);
    /// The value is 1 if there are unicast logical endpoints.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_SUPPORTED")]
    pub const LOGICAL_ENDPOINT_UNICAST_SUPPORTED: Self = Self(153);
    /// The value is 1 if there are multicast logical endpoints.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_MULTICAST_SUPPORTED")]
    pub const LOGICAL_ENDPOINT_MULTICAST_SUPPORTED: Self = Self(154);
    /// The value is 1 if logical endpoints count operations.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_COUNTED_OPS_SUPPORTED")]
    pub const LOGICAL_ENDPOINT_COUNTED_OPS_SUPPORTED: Self = Self(155);
    /// The value is 1 if the owner can use its own unicast endpoint.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_ACCESS_ON_OWNER_DEVICE_SUPPORTED")]
    pub const LOGICAL_ENDPOINT_UNICAST_ACCESS_ON_OWNER_DEVICE_SUPPORTED: Self = Self(156);
    /// The value is the number of multiprocessors of a locality domain.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_MULTIPROCESSOR_COUNT")]
    pub const LOCALITY_DOMAIN_MULTIPROCESSOR_COUNT: Self = Self(157);
    /// The value is the ways in which logical endpoints can be exported: bits of `CUmemAllocationHandleType`.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_SUPPORTED_HANDLE_TYPES")]
    pub const LOGICAL_ENDPOINT_SUPPORTED_HANDLE_TYPES: Self = Self(158);
    /// The value is 1 if Vulkan's graphics can hold several streams.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_VULKAN_CIG_STREAMS_SUPPORTED")]
    pub const VULKAN_CIG_STREAMS_SUPPORTED: Self = Self(159);
    /// The value is the smallest number of bytes of a large tensor for tensor maps.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_TENSOR_MAP_LARGE_TENSOR_MIN_SIZE")]
    pub const TENSOR_MAP_LARGE_TENSOR_MIN_SIZE: Self = Self(160);
    /// The value is 1 if memory of one locality domain can be shared by RDMA.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_LOCALIZED_MEMORY_SUPPORTED")]
    pub const GPU_DIRECT_RDMA_WITH_LOCALIZED_MEMORY_SUPPORTED: Self = Self(161);
    /// An older name of [`MAX_SHARED_MEMORY_PER_BLOCK`](Self::MAX_SHARED_MEMORY_PER_BLOCK).
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK")]
    pub const SHARED_MEMORY_PER_BLOCK: Self = Self::MAX_SHARED_MEMORY_PER_BLOCK;
    /// An older name of [`MAX_REGISTERS_PER_BLOCK`](Self::MAX_REGISTERS_PER_BLOCK).
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK")]
    pub const REGISTERS_PER_BLOCK: Self = Self::MAX_REGISTERS_PER_BLOCK;
    /// An older name of [`MAXIMUM_TEXTURE2D_LAYERED_WIDTH`](Self::MAXIMUM_TEXTURE2D_LAYERED_WIDTH).
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH")]
    pub const MAXIMUM_TEXTURE2D_ARRAY_WIDTH: Self = Self::MAXIMUM_TEXTURE2D_LAYERED_WIDTH;
    /// An older name of [`MAXIMUM_TEXTURE2D_LAYERED_HEIGHT`](Self::MAXIMUM_TEXTURE2D_LAYERED_HEIGHT).
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT")]
    pub const MAXIMUM_TEXTURE2D_ARRAY_HEIGHT: Self = Self::MAXIMUM_TEXTURE2D_LAYERED_HEIGHT;
    /// An older name of [`MAXIMUM_TEXTURE2D_LAYERED_LAYERS`](Self::MAXIMUM_TEXTURE2D_LAYERED_LAYERS).
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES")]
    pub const MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES: Self = Self::MAXIMUM_TEXTURE2D_LAYERED_LAYERS;
    /// An older name of [`VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED`](Self::VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED).
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED")]
    pub const VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED: Self = Self::VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
}

attribute_methods! { Device(self) self:
    /// Returns the largest number of threads of a block.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK")]
    max_threads_per_block -> i32 = DeviceAttribute::MAX_THREADS_PER_BLOCK;
    /// Returns the largest number of threads of a block along x.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X")]
    max_block_dim_x -> i32 = DeviceAttribute::MAX_BLOCK_DIM_X;
    /// Returns the largest number of threads of a block along y.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y")]
    max_block_dim_y -> i32 = DeviceAttribute::MAX_BLOCK_DIM_Y;
    /// Returns the largest number of threads of a block along z.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z")]
    max_block_dim_z -> i32 = DeviceAttribute::MAX_BLOCK_DIM_Z;
    /// Returns the largest number of blocks of a grid along x.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X")]
    max_grid_dim_x -> i32 = DeviceAttribute::MAX_GRID_DIM_X;
    /// Returns the largest number of blocks of a grid along y.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y")]
    max_grid_dim_y -> i32 = DeviceAttribute::MAX_GRID_DIM_Y;
    /// Returns the largest number of blocks of a grid along z.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z")]
    max_grid_dim_z -> i32 = DeviceAttribute::MAX_GRID_DIM_Z;
    /// Returns the bytes of shared memory of a block without opting in to more.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK")]
    max_shared_memory_per_block -> i32 = DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK;
    /// Returns the bytes of constant memory of a module.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY")]
    total_constant_memory -> i32 = DeviceAttribute::TOTAL_CONSTANT_MEMORY;
    /// Returns the number of threads of a warp.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_WARP_SIZE")]
    warp_size -> i32 = DeviceAttribute::WARP_SIZE;
    /// Returns the largest pitch of a copy, in bytes.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_PITCH")]
    max_pitch -> i32 = DeviceAttribute::MAX_PITCH;
    /// Returns the number of 32-bit registers of a block.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK")]
    max_registers_per_block -> i32 = DeviceAttribute::MAX_REGISTERS_PER_BLOCK;
    /// Returns the multiprocessors' highest clock rate, in kHz.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CLOCK_RATE")]
    clock_rate -> i32 = DeviceAttribute::CLOCK_RATE;
    /// Returns the alignment of the address of memory that is bound to a texture, in bytes.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT")]
    texture_alignment -> i32 = DeviceAttribute::TEXTURE_ALIGNMENT;
    /// Returns whether copies can overlap with kernels; deprecated in favour of the number of copy engines.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GPU_OVERLAP")]
    gpu_overlap -> bool = DeviceAttribute::GPU_OVERLAP;
    /// Returns the number of multiprocessors of the device.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT")]
    multiprocessor_count -> i32 = DeviceAttribute::MULTIPROCESSOR_COUNT;
    /// Returns whether kernels that run too long are stopped.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT")]
    kernel_exec_timeout -> bool = DeviceAttribute::KERNEL_EXEC_TIMEOUT;
    /// Returns whether the GPU shares the host's memory controller.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_INTEGRATED")]
    integrated -> bool = DeviceAttribute::INTEGRATED;
    /// Returns whether host memory can be mapped into the device's address space.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY")]
    can_map_host_memory -> bool = DeviceAttribute::CAN_MAP_HOST_MEMORY;
    /// Returns the processes that may use the device: see [`Device::compute_mode`](crate::Device::compute_mode).
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_COMPUTE_MODE")]
    compute_mode_raw -> i32 = DeviceAttribute::COMPUTE_MODE;
    /// Returns the largest width of a 1-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH")]
    maximum_texture1d_width -> i32 = DeviceAttribute::MAXIMUM_TEXTURE1D_WIDTH;
    /// Returns the largest width of a 2-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH")]
    maximum_texture2d_width -> i32 = DeviceAttribute::MAXIMUM_TEXTURE2D_WIDTH;
    /// Returns the largest height of a 2-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT")]
    maximum_texture2d_height -> i32 = DeviceAttribute::MAXIMUM_TEXTURE2D_HEIGHT;
    /// Returns the largest width of a 3-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH")]
    maximum_texture3d_width -> i32 = DeviceAttribute::MAXIMUM_TEXTURE3D_WIDTH;
    /// Returns the largest height of a 3-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT")]
    maximum_texture3d_height -> i32 = DeviceAttribute::MAXIMUM_TEXTURE3D_HEIGHT;
    /// Returns the largest depth of a 3-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH")]
    maximum_texture3d_depth -> i32 = DeviceAttribute::MAXIMUM_TEXTURE3D_DEPTH;
    /// Returns the largest width of a layered 2-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH")]
    maximum_texture2d_layered_width -> i32 = DeviceAttribute::MAXIMUM_TEXTURE2D_LAYERED_WIDTH;
    /// Returns the largest height of a layered 2-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT")]
    maximum_texture2d_layered_height -> i32 = DeviceAttribute::MAXIMUM_TEXTURE2D_LAYERED_HEIGHT;
    /// Returns the largest number of layers of a 2-D texture.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS")]
    maximum_texture2d_layered_layers -> i32 = DeviceAttribute::MAXIMUM_TEXTURE2D_LAYERED_LAYERS;
    /// Returns the alignment of surfaces, in bytes.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT")]
    surface_alignment -> i32 = DeviceAttribute::SURFACE_ALIGNMENT;
    /// Returns whether several kernels of a context can run at once.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS")]
    concurrent_kernels -> bool = DeviceAttribute::CONCURRENT_KERNELS;
    /// Returns whether the memory corrects errors.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_ECC_ENABLED")]
    ecc_enabled -> bool = DeviceAttribute::ECC_ENABLED;
    /// Returns the device's bus number on the PCI bus.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_PCI_BUS_ID")]
    pci_bus_id_raw -> i32 = DeviceAttribute::PCI_BUS_ID;
    /// Returns the device's slot number on the PCI bus.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID")]
    pci_device_id -> i32 = DeviceAttribute::PCI_DEVICE_ID;
    /// Returns whether the device runs with Windows' TCC driver.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_TCC_DRIVER")]
    tcc_driver -> bool = DeviceAttribute::TCC_DRIVER;
    /// Returns the memory's highest clock rate, in kHz.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE")]
    memory_clock_rate -> i32 = DeviceAttribute::MEMORY_CLOCK_RATE;
    /// Returns the width of the memory bus, in bits.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH")]
    global_memory_bus_width -> i32 = DeviceAttribute::GLOBAL_MEMORY_BUS_WIDTH;
    /// Returns the bytes of the level-2 cache.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE")]
    l2_cache_size -> i32 = DeviceAttribute::L2_CACHE_SIZE;
    /// Returns the largest number of resident threads of a multiprocessor.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR")]
    max_threads_per_multiprocessor -> i32 = DeviceAttribute::MAX_THREADS_PER_MULTIPROCESSOR;
    /// Returns the number of copy engines that work while kernels run.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT")]
    async_engine_count -> i32 = DeviceAttribute::ASYNC_ENGINE_COUNT;
    /// Returns whether the device and the host share one address space.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING")]
    unified_addressing -> bool = DeviceAttribute::UNIFIED_ADDRESSING;
    /// Returns the largest width of a layered 1-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH")]
    maximum_texture1d_layered_width -> i32 = DeviceAttribute::MAXIMUM_TEXTURE1D_LAYERED_WIDTH;
    /// Returns the largest number of layers of a 1-D texture.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS")]
    maximum_texture1d_layered_layers -> i32 = DeviceAttribute::MAXIMUM_TEXTURE1D_LAYERED_LAYERS;
    /// Returns whether arrays for texture gathers can be made; deprecated.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER")]
    can_tex2d_gather -> bool = DeviceAttribute::CAN_TEX2D_GATHER;
    /// Returns the largest width of a 2-D texture made for gathers, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH")]
    maximum_texture2d_gather_width -> i32 = DeviceAttribute::MAXIMUM_TEXTURE2D_GATHER_WIDTH;
    /// Returns the largest height of a 2-D texture made for gathers, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT")]
    maximum_texture2d_gather_height -> i32 = DeviceAttribute::MAXIMUM_TEXTURE2D_GATHER_HEIGHT;
    /// Returns the largest width of a 3-D texture of the alternate shape, in elements; 0 if there is none.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE")]
    maximum_texture3d_width_alternate -> i32 = DeviceAttribute::MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE;
    /// Returns the largest height of a 3-D texture of the alternate shape, in elements; 0 if there is none.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE")]
    maximum_texture3d_height_alternate -> i32 = DeviceAttribute::MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE;
    /// Returns the largest depth of a 3-D texture of the alternate shape, in elements; 0 if there is none.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE")]
    maximum_texture3d_depth_alternate -> i32 = DeviceAttribute::MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE;
    /// Returns the device's PCI domain.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID")]
    pci_domain_id -> i32 = DeviceAttribute::PCI_DOMAIN_ID;
    /// Returns the alignment of the pitch of memory that is bound to a 2-D texture, in bytes.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT")]
    texture_pitch_alignment -> i32 = DeviceAttribute::TEXTURE_PITCH_ALIGNMENT;
    /// Returns the largest width and height of a cubemap texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH")]
    maximum_texturecubemap_width -> i32 = DeviceAttribute::MAXIMUM_TEXTURECUBEMAP_WIDTH;
    /// Returns the largest width and height of a layered cubemap texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH")]
    maximum_texturecubemap_layered_width -> i32 = DeviceAttribute::MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH;
    /// Returns the largest number of layers of a cubemap texture.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS")]
    maximum_texturecubemap_layered_layers -> i32 = DeviceAttribute::MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS;
    /// Returns the largest width of a 1-D surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH")]
    maximum_surface1d_width -> i32 = DeviceAttribute::MAXIMUM_SURFACE1D_WIDTH;
    /// Returns the largest width of a 2-D surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH")]
    maximum_surface2d_width -> i32 = DeviceAttribute::MAXIMUM_SURFACE2D_WIDTH;
    /// Returns the largest height of a 2-D surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT")]
    maximum_surface2d_height -> i32 = DeviceAttribute::MAXIMUM_SURFACE2D_HEIGHT;
    /// Returns the largest width of a 3-D surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH")]
    maximum_surface3d_width -> i32 = DeviceAttribute::MAXIMUM_SURFACE3D_WIDTH;
    /// Returns the largest height of a 3-D surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT")]
    maximum_surface3d_height -> i32 = DeviceAttribute::MAXIMUM_SURFACE3D_HEIGHT;
    /// Returns the largest depth of a 3-D surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH")]
    maximum_surface3d_depth -> i32 = DeviceAttribute::MAXIMUM_SURFACE3D_DEPTH;
    /// Returns the largest width of a layered 1-D surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH")]
    maximum_surface1d_layered_width -> i32 = DeviceAttribute::MAXIMUM_SURFACE1D_LAYERED_WIDTH;
    /// Returns the largest number of layers of a 1-D surface.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS")]
    maximum_surface1d_layered_layers -> i32 = DeviceAttribute::MAXIMUM_SURFACE1D_LAYERED_LAYERS;
    /// Returns the largest width of a layered 2-D surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH")]
    maximum_surface2d_layered_width -> i32 = DeviceAttribute::MAXIMUM_SURFACE2D_LAYERED_WIDTH;
    /// Returns the largest height of a layered 2-D surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT")]
    maximum_surface2d_layered_height -> i32 = DeviceAttribute::MAXIMUM_SURFACE2D_LAYERED_HEIGHT;
    /// Returns the largest number of layers of a 2-D surface.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS")]
    maximum_surface2d_layered_layers -> i32 = DeviceAttribute::MAXIMUM_SURFACE2D_LAYERED_LAYERS;
    /// Returns the largest width of a cubemap surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH")]
    maximum_surfacecubemap_width -> i32 = DeviceAttribute::MAXIMUM_SURFACECUBEMAP_WIDTH;
    /// Returns the largest width of a layered cubemap surface, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH")]
    maximum_surfacecubemap_layered_width -> i32 = DeviceAttribute::MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH;
    /// Returns the largest number of layers of a cubemap surface.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS")]
    maximum_surfacecubemap_layered_layers -> i32 = DeviceAttribute::MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS;
    /// Returns the largest width of a 1-D texture on linear memory, in elements; deprecated, since it depends on the element.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH")]
    maximum_texture1d_linear_width -> i32 = DeviceAttribute::MAXIMUM_TEXTURE1D_LINEAR_WIDTH;
    /// Returns the largest width of a 2-D texture on linear memory, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH")]
    maximum_texture2d_linear_width -> i32 = DeviceAttribute::MAXIMUM_TEXTURE2D_LINEAR_WIDTH;
    /// Returns the largest height of a 2-D texture on linear memory, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT")]
    maximum_texture2d_linear_height -> i32 = DeviceAttribute::MAXIMUM_TEXTURE2D_LINEAR_HEIGHT;
    /// Returns the largest pitch of a 2-D texture on linear memory, in bytes.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH")]
    maximum_texture2d_linear_pitch -> i32 = DeviceAttribute::MAXIMUM_TEXTURE2D_LINEAR_PITCH;
    /// Returns the largest width of a mipmapped 2-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH")]
    maximum_texture2d_mipmapped_width -> i32 = DeviceAttribute::MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH;
    /// Returns the largest height of a mipmapped 2-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT")]
    maximum_texture2d_mipmapped_height -> i32 = DeviceAttribute::MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT;
    /// Returns the number of the compute capability before the dot.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR")]
    compute_capability_major -> i32 = DeviceAttribute::COMPUTE_CAPABILITY_MAJOR;
    /// Returns the number of the compute capability after the dot.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR")]
    compute_capability_minor -> i32 = DeviceAttribute::COMPUTE_CAPABILITY_MINOR;
    /// Returns the largest width of a mipmapped 1-D texture, in elements.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH")]
    maximum_texture1d_mipmapped_width -> i32 = DeviceAttribute::MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH;
    /// Returns whether streams can have priorities.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED")]
    stream_priorities_supported -> bool = DeviceAttribute::STREAM_PRIORITIES_SUPPORTED;
    /// Returns whether the level-1 cache serves global memory.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED")]
    global_l1_cache_supported -> bool = DeviceAttribute::GLOBAL_L1_CACHE_SUPPORTED;
    /// Returns whether the level-1 cache serves local memory.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED")]
    local_l1_cache_supported -> bool = DeviceAttribute::LOCAL_L1_CACHE_SUPPORTED;
    /// Returns the bytes of shared memory of a multiprocessor.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR")]
    max_shared_memory_per_multiprocessor -> i32 = DeviceAttribute::MAX_SHARED_MEMORY_PER_MULTIPROCESSOR;
    /// Returns the number of 32-bit registers of a multiprocessor.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR")]
    max_registers_per_multiprocessor -> i32 = DeviceAttribute::MAX_REGISTERS_PER_MULTIPROCESSOR;
    /// Returns whether memory can be managed: one address for the host and the device.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY")]
    managed_memory -> bool = DeviceAttribute::MANAGED_MEMORY;
    /// Returns whether the board carries several GPUs.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD")]
    multi_gpu_board -> bool = DeviceAttribute::MULTI_GPU_BOARD;
    /// Returns a number that the GPUs of one board share.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID")]
    multi_gpu_board_group_id -> i32 = DeviceAttribute::MULTI_GPU_BOARD_GROUP_ID;
    /// Returns whether the link to the host carries all atomic operations.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED")]
    host_native_atomic_supported -> bool = DeviceAttribute::HOST_NATIVE_ATOMIC_SUPPORTED;
    /// Returns the factor by which single precision is faster than double precision.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO")]
    single_to_double_precision_perf_ratio -> i32 = DeviceAttribute::SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO;
    /// Returns whether the device can access pageable host memory without registration.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS")]
    pageable_memory_access -> bool = DeviceAttribute::PAGEABLE_MEMORY_ACCESS;
    /// Returns whether host and device may access managed memory at the same time.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS")]
    concurrent_managed_access -> bool = DeviceAttribute::CONCURRENT_MANAGED_ACCESS;
    /// Returns whether running kernels can be preempted.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED")]
    compute_preemption_supported -> bool = DeviceAttribute::COMPUTE_PREEMPTION_SUPPORTED;
    /// Returns whether the device can access registered host memory at the host's address.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM")]
    can_use_host_pointer_for_registered_mem -> bool = DeviceAttribute::CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM;
    /// Returns whether streams have memory operations of the first interface; deprecated.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1")]
    can_use_stream_mem_ops_v1 -> bool = DeviceAttribute::CAN_USE_STREAM_MEM_OPS_V1;
    /// Returns whether memory operations of the first interface work on 64 bits; deprecated. Use this attribute with drivers before CUDA 12.0.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1")]
    can_use_64_bit_stream_mem_ops_v1 -> bool = DeviceAttribute::CAN_USE_64_BIT_STREAM_MEM_OPS_V1;
    /// Returns whether memory operations of the first interface can wait for a NOR; deprecated. Use this attribute with drivers before CUDA 12.0.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1")]
    can_use_stream_wait_value_nor_v1 -> bool = DeviceAttribute::CAN_USE_STREAM_WAIT_VALUE_NOR_V1;
    /// Returns whether kernels can be launched cooperatively.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH")]
    cooperative_launch -> bool = DeviceAttribute::COOPERATIVE_LAUNCH;
    /// Returns whether cooperative launches work across devices; deprecated.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH")]
    cooperative_multi_device_launch -> bool = DeviceAttribute::COOPERATIVE_MULTI_DEVICE_LAUNCH;
    /// Returns the bytes of shared memory of a block whose kernel opts in.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN")]
    max_shared_memory_per_block_optin -> i32 = DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
    /// Returns whether outstanding remote writes can be flushed.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES")]
    can_flush_remote_writes -> bool = DeviceAttribute::CAN_FLUSH_REMOTE_WRITES;
    /// Returns whether host memory can be registered.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED")]
    host_register_supported -> bool = DeviceAttribute::HOST_REGISTER_SUPPORTED;
    /// Returns whether the device accesses pageable memory through the host's page tables.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES")]
    pageable_memory_access_uses_host_page_tables -> bool = DeviceAttribute::PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES;
    /// Returns whether the host can access managed memory on the device without moving it.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST")]
    direct_managed_mem_access_from_host -> bool = DeviceAttribute::DIRECT_MANAGED_MEM_ACCESS_FROM_HOST;
    /// Returns whether address ranges can be reserved and mapped.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED")]
    virtual_memory_management_supported -> bool = DeviceAttribute::VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
    /// Returns whether memory can be exported as a file descriptor.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED")]
    handle_type_posix_file_descriptor_supported -> bool = DeviceAttribute::HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED;
    /// Returns whether memory can be exported as a Windows NT handle.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED")]
    handle_type_win32_handle_supported -> bool = DeviceAttribute::HANDLE_TYPE_WIN32_HANDLE_SUPPORTED;
    /// Returns whether memory can be exported as a Windows KMT handle.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED")]
    handle_type_win32_kmt_handle_supported -> bool = DeviceAttribute::HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED;
    /// Returns the largest number of resident blocks of a multiprocessor.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR")]
    max_blocks_per_multiprocessor -> i32 = DeviceAttribute::MAX_BLOCKS_PER_MULTIPROCESSOR;
    /// Returns whether memory can be compressed.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED")]
    generic_compression_supported -> bool = DeviceAttribute::GENERIC_COMPRESSION_SUPPORTED;
    /// Returns the bytes of the level-2 cache that can be set aside for persisting lines.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE")]
    max_persisting_l2_cache_size -> i32 = DeviceAttribute::MAX_PERSISTING_L2_CACHE_SIZE;
    /// Returns the largest size of an access policy window, in bytes.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE")]
    max_access_policy_window_size -> i32 = DeviceAttribute::MAX_ACCESS_POLICY_WINDOW_SIZE;
    /// Returns whether memory from virtual memory management can be shared by RDMA.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED")]
    gpu_direct_rdma_with_cuda_vmm_supported -> bool = DeviceAttribute::GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED;
    /// Returns the bytes of shared memory that the driver reserves in each block.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK")]
    reserved_shared_memory_per_block -> i32 = DeviceAttribute::RESERVED_SHARED_MEMORY_PER_BLOCK;
    /// Returns whether arrays can be sparse.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED")]
    sparse_cuda_array_supported -> bool = DeviceAttribute::SPARSE_CUDA_ARRAY_SUPPORTED;
    /// Returns whether host memory can be registered as read-only.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED")]
    read_only_host_register_supported -> bool = DeviceAttribute::READ_ONLY_HOST_REGISTER_SUPPORTED;
    /// Returns whether external timeline semaphores can be imported.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED")]
    timeline_semaphore_interop_supported -> bool = DeviceAttribute::TIMELINE_SEMAPHORE_INTEROP_SUPPORTED;
    /// Returns whether there is a stream-ordered allocator.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED")]
    memory_pools_supported -> bool = DeviceAttribute::MEMORY_POOLS_SUPPORTED;
    /// Returns whether other PCI devices can access the memory directly.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED")]
    gpu_direct_rdma_supported -> bool = DeviceAttribute::GPU_DIRECT_RDMA_SUPPORTED;
    /// Returns the ways to flush writes of other PCI devices: bits of `CUflushGPUDirectRDMAWritesOptions`.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS")]
    gpu_direct_rdma_flush_writes_options -> i32 = DeviceAttribute::GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS;
    /// Returns the observers of unflushed writes of other PCI devices: a `CUGPUDirectRDMAWritesOrdering`.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING")]
    gpu_direct_rdma_writes_ordering -> i32 = DeviceAttribute::GPU_DIRECT_RDMA_WRITES_ORDERING;
    /// Returns the ways in which pools can be exported: bits of `CUmemAllocationHandleType`.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES")]
    mempool_supported_handle_types -> i32 = DeviceAttribute::MEMPOOL_SUPPORTED_HANDLE_TYPES;
    /// Returns whether blocks can be launched in clusters.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH")]
    cluster_launch -> bool = DeviceAttribute::CLUSTER_LAUNCH;
    /// Returns whether arrays can get their memory later.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED")]
    deferred_mapping_cuda_array_supported -> bool = DeviceAttribute::DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED;
    /// Returns whether streams' memory operations work on 64 bits.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS")]
    can_use_64_bit_stream_mem_ops -> bool = DeviceAttribute::CAN_USE_64_BIT_STREAM_MEM_OPS;
    /// Returns whether streams' memory operations can wait for a NOR.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR")]
    can_use_stream_wait_value_nor -> bool = DeviceAttribute::CAN_USE_STREAM_WAIT_VALUE_NOR;
    /// Returns whether memory can be shared as a Linux dma-buf.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED")]
    dma_buf_supported -> bool = DeviceAttribute::DMA_BUF_SUPPORTED;
    /// Returns whether events can be shared between processes.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED")]
    ipc_event_supported -> bool = DeviceAttribute::IPC_EVENT_SUPPORTED;
    /// Returns the number of memory synchronisation domains.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT")]
    mem_sync_domain_count -> i32 = DeviceAttribute::MEM_SYNC_DOMAIN_COUNT;
    /// Returns whether kernels can use tensor maps.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED")]
    tensor_map_access_supported -> bool = DeviceAttribute::TENSOR_MAP_ACCESS_SUPPORTED;
    /// Returns whether memory can be exported as a fabric handle.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED")]
    handle_type_fabric_supported -> bool = DeviceAttribute::HANDLE_TYPE_FABRIC_SUPPORTED;
    /// Returns whether function pointers are the same on all devices.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS")]
    unified_function_pointers -> bool = DeviceAttribute::UNIFIED_FUNCTION_POINTERS;
    /// Returns the relation of the device to the NUMA nodes of the host: a `CUdeviceNumaConfig`.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_NUMA_CONFIG")]
    numa_config -> i32 = DeviceAttribute::NUMA_CONFIG;
    /// Returns the NUMA node of the device's memory; -1 if it has none.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_NUMA_ID")]
    numa_id -> i32 = DeviceAttribute::NUMA_ID;
    /// Returns whether multicast objects and multimem instructions work.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED")]
    multicast_supported -> bool = DeviceAttribute::MULTICAST_SUPPORTED;
    /// Returns whether contexts are made through the multi-process service.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MPS_ENABLED")]
    mps_enabled -> bool = DeviceAttribute::MPS_ENABLED;
    /// Returns the NUMA node of the host that is nearest to the device; -1 if there are none.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID")]
    host_numa_id -> i32 = DeviceAttribute::HOST_NUMA_ID;
    /// Returns whether compute can run inside Direct3D 12's graphics.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED")]
    d3d12_cig_supported -> bool = DeviceAttribute::D3D12_CIG_SUPPORTED;
    /// Returns the algorithms of the decompression engine: bits of `CUmemDecompressAlgorithm`.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK")]
    mem_decompress_algorithm_mask -> i32 = DeviceAttribute::MEM_DECOMPRESS_ALGORITHM_MASK;
    /// Returns the largest number of bytes of one decompression.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH")]
    mem_decompress_maximum_length -> i32 = DeviceAttribute::MEM_DECOMPRESS_MAXIMUM_LENGTH;
    /// Returns whether compute can run inside Vulkan's graphics.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED")]
    vulkan_cig_supported -> bool = DeviceAttribute::VULKAN_CIG_SUPPORTED;
    /// Returns the PCI device identifier in the upper 16 bits, the vendor's in the lower.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID")]
    gpu_pci_device_id -> i32 = DeviceAttribute::GPU_PCI_DEVICE_ID;
    /// Returns the PCI subsystem identifier in the upper 16 bits, its vendor's in the lower.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID")]
    gpu_pci_subsystem_id -> i32 = DeviceAttribute::GPU_PCI_SUBSYSTEM_ID;
    /// Returns whether virtual memory management can place memory on the host's NUMA nodes.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED")]
    host_numa_virtual_memory_management_supported -> bool = DeviceAttribute::HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
    /// Returns whether pools can take memory from the host's NUMA nodes.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED")]
    host_numa_memory_pools_supported -> bool = DeviceAttribute::HOST_NUMA_MEMORY_POOLS_SUPPORTED;
    /// Returns whether memory of the host's NUMA nodes can be shared between machines.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED")]
    host_numa_multinode_ipc_supported -> bool = DeviceAttribute::HOST_NUMA_MULTINODE_IPC_SUPPORTED;
    /// Returns whether pools can take host memory.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED")]
    host_memory_pools_supported -> bool = DeviceAttribute::HOST_MEMORY_POOLS_SUPPORTED;
    /// Returns whether virtual memory management can place memory on the host.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED")]
    host_virtual_memory_management_supported -> bool = DeviceAttribute::HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
    /// Returns whether page-locked host memory can be shared as a dma-buf.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED")]
    host_alloc_dma_buf_supported -> bool = DeviceAttribute::HOST_ALLOC_DMA_BUF_SUPPORTED;
    /// Returns whether the link to the host carries only some atomic operations.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED")]
    only_partial_host_native_atomic_supported -> bool = DeviceAttribute::ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED;
    /// Returns whether atomic reductions work over the link.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_ATOMIC_REDUCTION_SUPPORTED")]
    atomic_reduction_supported -> bool = DeviceAttribute::ATOMIC_REDUCTION_SUPPORTED;
    /// Returns the number of locality domains of the device.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_COUNT")]
    locality_domain_count -> i32 = DeviceAttribute::LOCALITY_DOMAIN_COUNT;
    /// Returns the bytes of shared memory of a block in the oversized mode.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAX_OVERSIZED_SHARED_MEMORY_PER_BLOCK")]
    max_oversized_shared_memory_per_block -> i32 = DeviceAttribute::MAX_OVERSIZED_SHARED_MEMORY_PER_BLOCK;
    /// Returns whether Direct3D 12's graphics can hold several streams.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_D3D12_CIG_STREAMS_SUPPORTED")]
    d3d12_cig_streams_supported -> bool = DeviceAttribute::D3D12_CIG_STREAMS_SUPPORTED;
    /// Returns whether a dma-buf of the device's memory can be mapped by the host.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_DMA_BUF_MMAP_SUPPORTED")]
    dma_buf_mmap_supported -> bool = DeviceAttribute::DMA_BUF_MMAP_SUPPORTED;
    /// Returns whether there are unicast logical endpoints.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_SUPPORTED")]
    logical_endpoint_unicast_supported -> bool = DeviceAttribute::LOGICAL_ENDPOINT_UNICAST_SUPPORTED;
    /// Returns whether there are multicast logical endpoints.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_MULTICAST_SUPPORTED")]
    logical_endpoint_multicast_supported -> bool = DeviceAttribute::LOGICAL_ENDPOINT_MULTICAST_SUPPORTED;
    /// Returns whether logical endpoints count operations.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_COUNTED_OPS_SUPPORTED")]
    logical_endpoint_counted_ops_supported -> bool = DeviceAttribute::LOGICAL_ENDPOINT_COUNTED_OPS_SUPPORTED;
    /// Returns whether the owner can use its own unicast endpoint.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_ACCESS_ON_OWNER_DEVICE_SUPPORTED")]
    logical_endpoint_unicast_access_on_owner_device_supported -> bool = DeviceAttribute::LOGICAL_ENDPOINT_UNICAST_ACCESS_ON_OWNER_DEVICE_SUPPORTED;
    /// Returns the number of multiprocessors of a locality domain.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_MULTIPROCESSOR_COUNT")]
    locality_domain_multiprocessor_count -> i32 = DeviceAttribute::LOCALITY_DOMAIN_MULTIPROCESSOR_COUNT;
    /// Returns the ways in which logical endpoints can be exported: bits of `CUmemAllocationHandleType`.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_SUPPORTED_HANDLE_TYPES")]
    logical_endpoint_supported_handle_types -> i32 = DeviceAttribute::LOGICAL_ENDPOINT_SUPPORTED_HANDLE_TYPES;
    /// Returns whether Vulkan's graphics can hold several streams.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_VULKAN_CIG_STREAMS_SUPPORTED")]
    vulkan_cig_streams_supported -> bool = DeviceAttribute::VULKAN_CIG_STREAMS_SUPPORTED;
    /// Returns the smallest number of bytes of a large tensor for tensor maps.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_TENSOR_MAP_LARGE_TENSOR_MIN_SIZE")]
    tensor_map_large_tensor_min_size -> i32 = DeviceAttribute::TENSOR_MAP_LARGE_TENSOR_MIN_SIZE;
    /// Returns whether memory of one locality domain can be shared by RDMA.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_LOCALIZED_MEMORY_SUPPORTED")]
    gpu_direct_rdma_with_localized_memory_supported -> bool = DeviceAttribute::GPU_DIRECT_RDMA_WITH_LOCALIZED_MEMORY_SUPPORTED;
    /// Returns [`DeviceAttribute::SHARED_MEMORY_PER_BLOCK`], under its older name.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK")]
    shared_memory_per_block -> i32 = DeviceAttribute::SHARED_MEMORY_PER_BLOCK;
    /// Returns [`DeviceAttribute::REGISTERS_PER_BLOCK`], under its older name.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK")]
    registers_per_block -> i32 = DeviceAttribute::REGISTERS_PER_BLOCK;
    /// Returns [`DeviceAttribute::MAXIMUM_TEXTURE2D_ARRAY_WIDTH`], under its older name.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH")]
    maximum_texture2d_array_width -> i32 = DeviceAttribute::MAXIMUM_TEXTURE2D_ARRAY_WIDTH;
    /// Returns [`DeviceAttribute::MAXIMUM_TEXTURE2D_ARRAY_HEIGHT`], under its older name.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT")]
    maximum_texture2d_array_height -> i32 = DeviceAttribute::MAXIMUM_TEXTURE2D_ARRAY_HEIGHT;
    /// Returns [`DeviceAttribute::MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES`], under its older name.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES")]
    maximum_texture2d_array_numslices -> i32 = DeviceAttribute::MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES;
    /// Returns [`DeviceAttribute::VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED`], under its older name.
    #[doc(alias = "CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED")]
    virtual_address_management_supported -> i32 = DeviceAttribute::VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED;
}

numbers! { DeviceAttribute:
    MAX_THREADS_PER_BLOCK MAX_BLOCK_DIM_X MAX_BLOCK_DIM_Y MAX_BLOCK_DIM_Z MAX_GRID_DIM_X MAX_GRID_DIM_Y
    MAX_GRID_DIM_Z MAX_SHARED_MEMORY_PER_BLOCK TOTAL_CONSTANT_MEMORY WARP_SIZE MAX_PITCH
    MAX_REGISTERS_PER_BLOCK CLOCK_RATE TEXTURE_ALIGNMENT GPU_OVERLAP MULTIPROCESSOR_COUNT KERNEL_EXEC_TIMEOUT
    INTEGRATED CAN_MAP_HOST_MEMORY COMPUTE_MODE MAXIMUM_TEXTURE1D_WIDTH MAXIMUM_TEXTURE2D_WIDTH
    MAXIMUM_TEXTURE2D_HEIGHT MAXIMUM_TEXTURE3D_WIDTH MAXIMUM_TEXTURE3D_HEIGHT MAXIMUM_TEXTURE3D_DEPTH
    MAXIMUM_TEXTURE2D_LAYERED_WIDTH MAXIMUM_TEXTURE2D_LAYERED_HEIGHT MAXIMUM_TEXTURE2D_LAYERED_LAYERS
    SURFACE_ALIGNMENT CONCURRENT_KERNELS ECC_ENABLED PCI_BUS_ID PCI_DEVICE_ID TCC_DRIVER MEMORY_CLOCK_RATE
    GLOBAL_MEMORY_BUS_WIDTH L2_CACHE_SIZE MAX_THREADS_PER_MULTIPROCESSOR ASYNC_ENGINE_COUNT UNIFIED_ADDRESSING
    MAXIMUM_TEXTURE1D_LAYERED_WIDTH MAXIMUM_TEXTURE1D_LAYERED_LAYERS CAN_TEX2D_GATHER
    MAXIMUM_TEXTURE2D_GATHER_WIDTH MAXIMUM_TEXTURE2D_GATHER_HEIGHT MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE
    MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE PCI_DOMAIN_ID TEXTURE_PITCH_ALIGNMENT
    MAXIMUM_TEXTURECUBEMAP_WIDTH MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS
    MAXIMUM_SURFACE1D_WIDTH MAXIMUM_SURFACE2D_WIDTH MAXIMUM_SURFACE2D_HEIGHT MAXIMUM_SURFACE3D_WIDTH
    MAXIMUM_SURFACE3D_HEIGHT MAXIMUM_SURFACE3D_DEPTH MAXIMUM_SURFACE1D_LAYERED_WIDTH
    MAXIMUM_SURFACE1D_LAYERED_LAYERS MAXIMUM_SURFACE2D_LAYERED_WIDTH MAXIMUM_SURFACE2D_LAYERED_HEIGHT
    MAXIMUM_SURFACE2D_LAYERED_LAYERS MAXIMUM_SURFACECUBEMAP_WIDTH MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH
    MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS MAXIMUM_TEXTURE1D_LINEAR_WIDTH MAXIMUM_TEXTURE2D_LINEAR_WIDTH
    MAXIMUM_TEXTURE2D_LINEAR_HEIGHT MAXIMUM_TEXTURE2D_LINEAR_PITCH MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH
    MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT COMPUTE_CAPABILITY_MAJOR COMPUTE_CAPABILITY_MINOR
    MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH STREAM_PRIORITIES_SUPPORTED GLOBAL_L1_CACHE_SUPPORTED
    LOCAL_L1_CACHE_SUPPORTED MAX_SHARED_MEMORY_PER_MULTIPROCESSOR MAX_REGISTERS_PER_MULTIPROCESSOR
    MANAGED_MEMORY MULTI_GPU_BOARD MULTI_GPU_BOARD_GROUP_ID HOST_NATIVE_ATOMIC_SUPPORTED
    SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO PAGEABLE_MEMORY_ACCESS CONCURRENT_MANAGED_ACCESS
    COMPUTE_PREEMPTION_SUPPORTED CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM CAN_USE_STREAM_MEM_OPS_V1
    CAN_USE_64_BIT_STREAM_MEM_OPS_V1 CAN_USE_STREAM_WAIT_VALUE_NOR_V1 COOPERATIVE_LAUNCH
    COOPERATIVE_MULTI_DEVICE_LAUNCH MAX_SHARED_MEMORY_PER_BLOCK_OPTIN CAN_FLUSH_REMOTE_WRITES
    HOST_REGISTER_SUPPORTED PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES DIRECT_MANAGED_MEM_ACCESS_FROM_HOST
    VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED
    HANDLE_TYPE_WIN32_HANDLE_SUPPORTED HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED MAX_BLOCKS_PER_MULTIPROCESSOR
    GENERIC_COMPRESSION_SUPPORTED MAX_PERSISTING_L2_CACHE_SIZE MAX_ACCESS_POLICY_WINDOW_SIZE
    GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED RESERVED_SHARED_MEMORY_PER_BLOCK SPARSE_CUDA_ARRAY_SUPPORTED
    READ_ONLY_HOST_REGISTER_SUPPORTED TIMELINE_SEMAPHORE_INTEROP_SUPPORTED MEMORY_POOLS_SUPPORTED
    GPU_DIRECT_RDMA_SUPPORTED GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS GPU_DIRECT_RDMA_WRITES_ORDERING
    MEMPOOL_SUPPORTED_HANDLE_TYPES CLUSTER_LAUNCH DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED
    CAN_USE_64_BIT_STREAM_MEM_OPS CAN_USE_STREAM_WAIT_VALUE_NOR DMA_BUF_SUPPORTED IPC_EVENT_SUPPORTED
    MEM_SYNC_DOMAIN_COUNT TENSOR_MAP_ACCESS_SUPPORTED HANDLE_TYPE_FABRIC_SUPPORTED UNIFIED_FUNCTION_POINTERS
    NUMA_CONFIG NUMA_ID MULTICAST_SUPPORTED MPS_ENABLED HOST_NUMA_ID D3D12_CIG_SUPPORTED
    MEM_DECOMPRESS_ALGORITHM_MASK MEM_DECOMPRESS_MAXIMUM_LENGTH VULKAN_CIG_SUPPORTED GPU_PCI_DEVICE_ID
    GPU_PCI_SUBSYSTEM_ID HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED HOST_NUMA_MEMORY_POOLS_SUPPORTED
    HOST_NUMA_MULTINODE_IPC_SUPPORTED HOST_MEMORY_POOLS_SUPPORTED HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
    HOST_ALLOC_DMA_BUF_SUPPORTED ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED ATOMIC_REDUCTION_SUPPORTED
    LOCALITY_DOMAIN_COUNT MAX_OVERSIZED_SHARED_MEMORY_PER_BLOCK D3D12_CIG_STREAMS_SUPPORTED
    DMA_BUF_MMAP_SUPPORTED LOGICAL_ENDPOINT_UNICAST_SUPPORTED LOGICAL_ENDPOINT_MULTICAST_SUPPORTED
    LOGICAL_ENDPOINT_COUNTED_OPS_SUPPORTED LOGICAL_ENDPOINT_UNICAST_ACCESS_ON_OWNER_DEVICE_SUPPORTED
    LOCALITY_DOMAIN_MULTIPROCESSOR_COUNT LOGICAL_ENDPOINT_SUPPORTED_HANDLE_TYPES VULKAN_CIG_STREAMS_SUPPORTED
    TENSOR_MAP_LARGE_TENSOR_MIN_SIZE GPU_DIRECT_RDMA_WITH_LOCALIZED_MEMORY_SUPPORTED
}
