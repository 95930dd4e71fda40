// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl TensorL2Promotion {
    /// Requests as large as the copy needs.
    #[doc(alias = "CU_TENSOR_MAP_L2_PROMOTION_NONE")]
    pub const NONE: Self = Self(0);
    /// Requests of 64 bytes.
    #[doc(alias = "CU_TENSOR_MAP_L2_PROMOTION_L2_64B")]
    pub const BYTES_64: Self = Self(1);
    /// Requests of 128 bytes.
    #[doc(alias = "CU_TENSOR_MAP_L2_PROMOTION_L2_128B")]
    pub const BYTES_128: Self = Self(2);
    /// Requests of 256 bytes.
    #[doc(alias = "CU_TENSOR_MAP_L2_PROMOTION_L2_256B")]
    pub const BYTES_256: Self = Self(3);
}

numbers! { TensorL2Promotion:
    NONE BYTES_64 BYTES_128 BYTES_256
}
