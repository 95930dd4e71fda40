// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl MemoryType {
    /// Memory of the host.
    #[doc(alias = "CU_MEMORYTYPE_HOST")]
    pub const HOST: Self = Self(1);
    /// Memory of a device; managed memory, too.
    #[doc(alias = "CU_MEMORYTYPE_DEVICE")]
    pub const DEVICE: Self = Self(2);
    /// An array.
    #[doc(alias = "CU_MEMORYTYPE_ARRAY")]
    pub const ARRAY: Self = Self(3);
    /// In descriptions of copies: an address that says itself what it is of.
    #[doc(alias = "CU_MEMORYTYPE_UNIFIED")]
    pub const UNIFIED: Self = Self(4);
}

numbers! { MemoryType:
    HOST DEVICE ARRAY UNIFIED
}
