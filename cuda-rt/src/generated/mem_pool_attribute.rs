// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl MemPoolAttribute {
    /// Whether memory freed on one stream is used on another that waits for an event after it.
    #[doc(alias = "CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES")]
    pub const REUSE_FOLLOW_EVENT_DEPENDENCIES: Self = Self(1);
    /// Whether memory is used again when its free happens to be done.
    #[doc(alias = "CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC")]
    pub const REUSE_ALLOW_OPPORTUNISTIC: Self = Self(2);
    /// Whether the driver makes streams wait for each other so that memory can be used again.
    #[doc(alias = "CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES")]
    pub const REUSE_ALLOW_INTERNAL_DEPENDENCIES: Self = Self(3);
    /// How much unused memory the pool keeps over a synchronisation, in bytes.
    #[doc(alias = "CU_MEMPOOL_ATTR_RELEASE_THRESHOLD")]
    pub const RELEASE_THRESHOLD: Self = Self(4);
    /// How much memory the pool has, in bytes.
    #[doc(alias = "CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT")]
    pub const RESERVED_MEM_CURRENT: Self = Self(5);
    /// The most it had since this was set to 0, in bytes.
    #[doc(alias = "CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH")]
    pub const RESERVED_MEM_HIGH: Self = Self(6);
    /// How much of it is in use, in bytes.
    #[doc(alias = "CU_MEMPOOL_ATTR_USED_MEM_CURRENT")]
    pub const USED_MEM_CURRENT: Self = Self(7);
    /// The most that was in use since this was set to 0, in bytes.
    #[doc(alias = "CU_MEMPOOL_ATTR_USED_MEM_HIGH")]
    pub const USED_MEM_HIGH: Self = Self(8);
    /// What kind of memory it has: a `CUmemAllocationType`.
    #[doc(alias = "CU_MEMPOOL_ATTR_ALLOCATION_TYPE")]
    pub const ALLOCATION_TYPE: Self = Self(9);
    /// How it can be shared: bits of `CUmemAllocationHandleType`.
    #[doc(alias = "CU_MEMPOOL_ATTR_EXPORT_HANDLE_TYPES")]
    pub const EXPORT_HANDLE_TYPES: Self = Self(10);
    /// Where its memory is: the number of the device.
    #[doc(alias = "CU_MEMPOOL_ATTR_LOCATION_ID")]
    pub const LOCATION_ID: Self = Self(11);
    /// Where its memory is: a `CUmemLocationType`.
    #[doc(alias = "CU_MEMPOOL_ATTR_LOCATION_TYPE")]
    pub const LOCATION_TYPE: Self = Self(12);
    /// The most it may have, in bytes.
    #[doc(alias = "CU_MEMPOOL_ATTR_MAX_POOL_SIZE")]
    pub const MAX_POOL_SIZE: Self = Self(13);
    /// Whether the hardware can decompress into it.
    #[doc(alias = "CU_MEMPOOL_ATTR_HW_DECOMPRESS_ENABLED")]
    pub const HW_DECOMPRESS_ENABLED: Self = Self(14);
    /// The number of its locality domain.
    #[doc(alias = "CU_MEMPOOL_ATTR_LOCALITY_DOMAIN_ID")]
    pub const LOCALITY_DOMAIN_ID: Self = Self(15);
}

numbers! { MemPoolAttribute:
    REUSE_FOLLOW_EVENT_DEPENDENCIES REUSE_ALLOW_OPPORTUNISTIC REUSE_ALLOW_INTERNAL_DEPENDENCIES
    RELEASE_THRESHOLD RESERVED_MEM_CURRENT RESERVED_MEM_HIGH USED_MEM_CURRENT USED_MEM_HIGH ALLOCATION_TYPE
    EXPORT_HANDLE_TYPES LOCATION_ID LOCATION_TYPE MAX_POOL_SIZE HW_DECOMPRESS_ENABLED LOCALITY_DOMAIN_ID
}
