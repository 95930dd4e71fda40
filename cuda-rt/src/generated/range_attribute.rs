// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl RangeAttribute {
    /// 1 if all of it is advised to be read mostly.
    #[doc(alias = "CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY")]
    pub const READ_MOSTLY: Self = Self(1);
    /// The preferred device; -1 for the host; -2 if there is none for all of it.
    #[doc(alias = "CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION")]
    pub const PREFERRED_LOCATION: Self = Self(2);
    /// The first device that is advised to access all of it; -1 for the host; -2 if there is none. See [`ManagedBuf::accessed_by`] for the others.
    #[doc(alias = "CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY")]
    pub const ACCESSED_BY: Self = Self(3);
    /// The device that all of it was last prefetched to; -1 for the host; -2 if there is none.
    #[doc(alias = "CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION")]
    pub const LAST_PREFETCH_LOCATION: Self = Self(4);
    /// The kind of the preferred location, 0 if there is none. From CUDA 12.2 on.
    #[doc(alias = "CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE")]
    pub const PREFERRED_LOCATION_TYPE: Self = Self(5);
    /// Which one, of its kind. From CUDA 12.2 on.
    #[doc(alias = "CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID")]
    pub const PREFERRED_LOCATION_ID: Self = Self(6);
    /// The kind of the location that it was last prefetched to, 0 if there is none. From CUDA 12.2 on.
    #[doc(alias = "CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE")]
    pub const LAST_PREFETCH_LOCATION_TYPE: Self = Self(7);
    /// Which one, of its kind. From CUDA 12.2 on.
    #[doc(alias = "CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID")]
    pub const LAST_PREFETCH_LOCATION_ID: Self = Self(8);
}

numbers! { RangeAttribute:
    READ_MOSTLY PREFERRED_LOCATION ACCESSED_BY LAST_PREFETCH_LOCATION PREFERRED_LOCATION_TYPE
    PREFERRED_LOCATION_ID LAST_PREFETCH_LOCATION_TYPE LAST_PREFETCH_LOCATION_ID
}
