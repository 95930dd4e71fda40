// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl MemPoolAttribute {
    /// 1 if a stream reuses memory that another stream has freed before an event for which the first stream waits.
    #[doc(alias = "CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES")]
    pub const REUSE_FOLLOW_EVENT_DEPENDENCIES: Self = Self(1);
    /// 1 if memory is reused when its free happens to be done.
    #[doc(alias = "CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC")]
    pub const REUSE_ALLOW_OPPORTUNISTIC: Self = Self(2);
    /// 1 if the driver makes streams wait for each other to reuse memory.
    #[doc(alias = "CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES")]
    pub const REUSE_ALLOW_INTERNAL_DEPENDENCIES: Self = Self(3);
    /// The number of reserved bytes, used and unused, above which the pool returns unused memory at a synchronisation.
    #[doc(alias = "CU_MEMPOOL_ATTR_RELEASE_THRESHOLD")]
    pub const RELEASE_THRESHOLD: Self = Self(4);
    /// The number of bytes that the pool has.
    #[doc(alias = "CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT")]
    pub const RESERVED_MEM_CURRENT: Self = Self(5);
    /// The largest number of bytes that the pool had since this attribute was set to 0.
    #[doc(alias = "CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH")]
    pub const RESERVED_MEM_HIGH: Self = Self(6);
    /// The number of bytes of the pool that are in use.
    #[doc(alias = "CU_MEMPOOL_ATTR_USED_MEM_CURRENT")]
    pub const USED_MEM_CURRENT: Self = Self(7);
    /// The largest number of bytes in use since this attribute was set to 0.
    #[doc(alias = "CU_MEMPOOL_ATTR_USED_MEM_HIGH")]
    pub const USED_MEM_HIGH: Self = Self(8);
    /// The kind of the memory: a `CUmemAllocationType`. Since CUDA 13.2.
    #[doc(alias = "CU_MEMPOOL_ATTR_ALLOCATION_TYPE")]
    pub const ALLOCATION_TYPE: Self = Self(9);
    /// The ways in which the pool can be shared: bits of `CUmemAllocationHandleType`. Since CUDA 13.2.
    #[doc(alias = "CU_MEMPOOL_ATTR_EXPORT_HANDLE_TYPES")]
    pub const EXPORT_HANDLE_TYPES: Self = Self(10);
    /// The location of the memory: the number of the device. Since CUDA 13.2.
    #[doc(alias = "CU_MEMPOOL_ATTR_LOCATION_ID")]
    pub const LOCATION_ID: Self = Self(11);
    /// The kind of location of the memory: a `CUmemLocationType`. Since CUDA 13.2.
    #[doc(alias = "CU_MEMPOOL_ATTR_LOCATION_TYPE")]
    pub const LOCATION_TYPE: Self = Self(12);
    /// The largest number of bytes that the pool may have. Since CUDA 13.2.
    #[doc(alias = "CU_MEMPOOL_ATTR_MAX_POOL_SIZE")]
    pub const MAX_POOL_SIZE: Self = Self(13);
    /// 1 if the hardware can decompress into the memory. Since CUDA 13.2.
    #[doc(alias = "CU_MEMPOOL_ATTR_HW_DECOMPRESS_ENABLED")]
    pub const HW_DECOMPRESS_ENABLED: Self = Self(14);
    /// The number of the locality domain of the memory. Since CUDA 13.4.
    #[doc(alias = "CU_MEMPOOL_ATTR_LOCALITY_DOMAIN_ID")]
    pub const LOCALITY_DOMAIN_ID: Self = Self(15);
}

numbers! { MemPoolAttribute:
    REUSE_FOLLOW_EVENT_DEPENDENCIES REUSE_ALLOW_OPPORTUNISTIC REUSE_ALLOW_INTERNAL_DEPENDENCIES
    RELEASE_THRESHOLD RESERVED_MEM_CURRENT RESERVED_MEM_HIGH USED_MEM_CURRENT USED_MEM_HIGH ALLOCATION_TYPE
    EXPORT_HANDLE_TYPES LOCATION_ID LOCATION_TYPE MAX_POOL_SIZE HW_DECOMPRESS_ENABLED LOCALITY_DOMAIN_ID
}
