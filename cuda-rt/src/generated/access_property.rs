// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl AccessProperty {
    /// Normal persistence in the cache.
    #[doc(alias = "CU_ACCESS_PROPERTY_NORMAL")]
    pub const NORMAL: Self = Self(0);
    /// Less persistence in the cache.
    #[doc(alias = "CU_ACCESS_PROPERTY_STREAMING")]
    pub const STREAMING: Self = Self(1);
    /// More persistence in the cache.
    #[doc(alias = "CU_ACCESS_PROPERTY_PERSISTING")]
    pub const PERSISTING: Self = Self(2);
}

numbers! { AccessProperty:
    NORMAL STREAMING PERSISTING
}
