// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl TensorInterleave {
    /// No interleaved layout.
    #[doc(alias = "CU_TENSOR_MAP_INTERLEAVE_NONE")]
    pub const NONE: Self = Self(0);
    /// Slices of 16 bytes of channels, as in NC/8HWC8 with 2 bytes for each channel.
    #[doc(alias = "CU_TENSOR_MAP_INTERLEAVE_16B")]
    pub const BYTES_16: Self = Self(1);
    /// Slices of 32 bytes of channels, as in NC/16HWC16 with 2 bytes for each channel.
    #[doc(alias = "CU_TENSOR_MAP_INTERLEAVE_32B")]
    pub const BYTES_32: Self = Self(2);
}

numbers! { TensorInterleave:
    NONE BYTES_16 BYTES_32
}
