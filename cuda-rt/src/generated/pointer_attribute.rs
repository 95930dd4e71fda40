// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl PointerAttribute {
    /// The value is the context that the memory belongs to, as a handle; 0 for memory of pools and mapped memory.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_CONTEXT")]
    pub const CONTEXT: Self = Self(1);
    /// The value is 1 for memory of the host and 2 for memory of a device: see [`DevicePtr::location`].
    #[doc(alias = "CU_POINTER_ATTRIBUTE_MEMORY_TYPE")]
    pub const MEMORY_TYPE: Self = Self(2);
    /// The value is the address of the memory for devices.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_DEVICE_POINTER")]
    pub const DEVICE_POINTER: Self = Self(3);
    /// The value is the address of the memory for the host, if it has one.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_HOST_POINTER")]
    pub const HOST_POINTER: Self = Self(4);
    /// The value is 1 if synchronous operations on the memory always wait.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_SYNC_MEMOPS")]
    pub const SYNC_MEMOPS: Self = Self(6);
    /// The value is the number of the allocation, unique in the process.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_BUFFER_ID")]
    pub const BUFFER_ID: Self = Self(7);
    /// The value is 1 for managed memory.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_IS_MANAGED")]
    pub const IS_MANAGED: Self = Self(8);
    /// The value is the device on which the memory was allocated.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL")]
    pub const DEVICE_ORDINAL: Self = Self(9);
    /// The value is 1 if the memory can be shared by `cuIpcGetMemHandle`.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE")]
    pub const IS_LEGACY_CUDA_IPC_CAPABLE: Self = Self(10);
    /// The value is the start of the allocation.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_RANGE_START_ADDR")]
    pub const RANGE_START_ADDR: Self = Self(11);
    /// The value is the size of the allocation in bytes.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_RANGE_SIZE")]
    pub const RANGE_SIZE: Self = Self(12);
    /// The value is 1 if there is memory behind the address.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_MAPPED")]
    pub const MAPPED: Self = Self(13);
    /// The value is the kinds of handles by which the memory can be shared, as bits.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES")]
    pub const ALLOWED_HANDLE_TYPES: Self = Self(14);
    /// The value is 1 if other hardware can access the memory directly.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE")]
    pub const IS_GPU_DIRECT_RDMA_CAPABLE: Self = Self(15);
    /// The value is the access of the current device: 1 reads, 3 reads and writes.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_ACCESS_FLAGS")]
    pub const ACCESS_FLAGS: Self = Self(16);
    /// The value is the pool of the memory, as a handle, or 0.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE")]
    pub const MEMPOOL_HANDLE: Self = Self(17);
    /// The value is the size of the mapping that contains the address, in bytes.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_MAPPING_SIZE")]
    pub const MAPPING_SIZE: Self = Self(18);
    /// The value is the start of the mapping that contains the address.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR")]
    pub const MAPPING_BASE_ADDR: Self = Self(19);
    /// The value is the number of the memory behind the address, unique in the process.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID")]
    pub const MEMORY_BLOCK_ID: Self = Self(20);
    /// The value is 1 if the hardware can decompress from and to the memory.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE")]
    pub const IS_HW_DECOMPRESS_CAPABLE: Self = Self(21);
    /// The value is the nearest locality domain of the device.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_LOCALITY_DOMAIN_ORDINAL")]
    pub const LOCALITY_DOMAIN_ORDINAL: Self = Self(22);
}

numbers! { PointerAttribute:
    CONTEXT MEMORY_TYPE DEVICE_POINTER HOST_POINTER SYNC_MEMOPS BUFFER_ID IS_MANAGED DEVICE_ORDINAL
    IS_LEGACY_CUDA_IPC_CAPABLE RANGE_START_ADDR RANGE_SIZE MAPPED ALLOWED_HANDLE_TYPES
    IS_GPU_DIRECT_RDMA_CAPABLE ACCESS_FLAGS MEMPOOL_HANDLE MAPPING_SIZE MAPPING_BASE_ADDR MEMORY_BLOCK_ID
    IS_HW_DECOMPRESS_CAPABLE LOCALITY_DOMAIN_ORDINAL
}
