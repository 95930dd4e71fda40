// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl RangeAttribute {
    /// 1 if the whole range is advised to be read mostly.
    #[doc(alias = "CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY")]
    pub const READ_MOSTLY: Self = Self(1);
    /// The preferred device of the whole range; -1 for the host; -2 if there is none.
    #[doc(alias = "CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION")]
    pub const PREFERRED_LOCATION: Self = Self(2);
    /// The first device that is advised to access the whole range; -1 for the host; -2 if there is none. [`ManagedBuf::accessed_by`] returns all devices.
    #[doc(alias = "CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY")]
    pub const ACCESSED_BY: Self = Self(3);
    /// The device to which the whole range was last prefetched; -1 for the host; -2 if there is none.
    #[doc(alias = "CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION")]
    pub const LAST_PREFETCH_LOCATION: Self = Self(4);
    /// The kind of the preferred location; 0 if there is none. Since CUDA 12.2.
    #[doc(alias = "CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE")]
    pub const PREFERRED_LOCATION_TYPE: Self = Self(5);
    /// The number of the preferred location within its kind. Since CUDA 12.2.
    #[doc(alias = "CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID")]
    pub const PREFERRED_LOCATION_ID: Self = Self(6);
    /// The kind of the location to which the range was last prefetched; 0 if there is none. Since CUDA 12.2.
    #[doc(alias = "CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE")]
    pub const LAST_PREFETCH_LOCATION_TYPE: Self = Self(7);
    /// The number of the location of the last prefetch within its kind. Since CUDA 12.2.
    #[doc(alias = "CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID")]
    pub const LAST_PREFETCH_LOCATION_ID: Self = Self(8);
}

numbers! { RangeAttribute:
    READ_MOSTLY PREFERRED_LOCATION ACCESSED_BY LAST_PREFETCH_LOCATION PREFERRED_LOCATION_TYPE
    PREFERRED_LOCATION_ID LAST_PREFETCH_LOCATION_TYPE LAST_PREFETCH_LOCATION_ID
}
