// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl TensorSwizzle {
    /// No swizzling.
    #[doc(alias = "CU_TENSOR_MAP_SWIZZLE_NONE")]
    pub const NONE: Self = Self(0);
    /// Chunks of 16 bytes within 32 bytes.
    #[doc(alias = "CU_TENSOR_MAP_SWIZZLE_32B")]
    pub const SPAN_32: Self = Self(1);
    /// Chunks of 16 bytes within 64 bytes.
    #[doc(alias = "CU_TENSOR_MAP_SWIZZLE_64B")]
    pub const SPAN_64: Self = Self(2);
    /// Chunks of 16 bytes within 128 bytes.
    #[doc(alias = "CU_TENSOR_MAP_SWIZZLE_128B")]
    pub const SPAN_128: Self = Self(3);
    /// Chunks of 32 bytes within 128 bytes.
    #[doc(alias = "CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B")]
    pub const SPAN_128_ATOM_32: Self = Self(4);
    /// Chunks of 32 bytes within 128 bytes. Every other row also swaps the halves of each 16 bytes.
    #[doc(alias = "CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B")]
    pub const SPAN_128_ATOM_32_FLIP_8: Self = Self(5);
    /// Chunks of 64 bytes within 128 bytes.
    #[doc(alias = "CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B")]
    pub const SPAN_128_ATOM_64: Self = Self(6);
}

numbers! { TensorSwizzle:
    NONE SPAN_32 SPAN_64 SPAN_128 SPAN_128_ATOM_32 SPAN_128_ATOM_32_FLIP_8 SPAN_128_ATOM_64
}
