// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl TensorDataType {
    /// Bytes.
    #[doc(alias = "CU_TENSOR_MAP_DATA_TYPE_UINT8")]
    pub const UINT8: Self = Self(0);
    /// Unsigned integers of 16 bits.
    #[doc(alias = "CU_TENSOR_MAP_DATA_TYPE_UINT16")]
    pub const UINT16: Self = Self(1);
    /// Unsigned integers of 32 bits.
    #[doc(alias = "CU_TENSOR_MAP_DATA_TYPE_UINT32")]
    pub const UINT32: Self = Self(2);
    /// Signed integers of 32 bits.
    #[doc(alias = "CU_TENSOR_MAP_DATA_TYPE_INT32")]
    pub const INT32: Self = Self(3);
    /// Unsigned integers of 64 bits.
    #[doc(alias = "CU_TENSOR_MAP_DATA_TYPE_UINT64")]
    pub const UINT64: Self = Self(4);
    /// Signed integers of 64 bits.
    #[doc(alias = "CU_TENSOR_MAP_DATA_TYPE_INT64")]
    pub const INT64: Self = Self(5);
    /// Floating-point numbers of 16 bits (`half`).
    #[doc(alias = "CU_TENSOR_MAP_DATA_TYPE_FLOAT16")]
    pub const FLOAT16: Self = Self(6);
    /// Floating-point numbers of 32 bits.
    #[doc(alias = "CU_TENSOR_MAP_DATA_TYPE_FLOAT32")]
    pub const FLOAT32: Self = Self(7);
    /// Floating-point numbers of 64 bits.
    #[doc(alias = "CU_TENSOR_MAP_DATA_TYPE_FLOAT64")]
    pub const FLOAT64: Self = Self(8);
    /// Floating-point numbers of 16 bits with the exponent of `f32` (`bfloat16`).
    #[doc(alias = "CU_TENSOR_MAP_DATA_TYPE_BFLOAT16")]
    pub const BFLOAT16: Self = Self(9);
    /// Floating-point numbers of 32 bits; subnormal numbers become 0.
    #[doc(alias = "CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ")]
    pub const FLOAT32_FTZ: Self = Self(10);
    /// Floating-point numbers of 32 bits for tensor cores (`tf32`).
    #[doc(alias = "CU_TENSOR_MAP_DATA_TYPE_TFLOAT32")]
    pub const TFLOAT32: Self = Self(11);
    /// Floating-point numbers of 32 bits for tensor cores (`tf32`); subnormal numbers become 0.
    #[doc(alias = "CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ")]
    pub const TFLOAT32_FTZ: Self = Self(12);
    /// Groups of 16 numbers of 4 bits, 8 bytes each, without gaps.
    #[doc(alias = "CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B")]
    pub const PACKED_16U4_ALIGN8B: Self = Self(13);
    /// Groups of 16 numbers of 4 bits; in shared memory each group begins a new 16 bytes.
    #[doc(alias = "CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B")]
    pub const PACKED_16U4_ALIGN16B: Self = Self(14);
    /// Groups of 16 numbers of 6 bits; in shared memory each group begins a new 16 bytes.
    #[doc(alias = "CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B")]
    pub const PACKED_16U6_ALIGN16B: Self = Self(15);
}

numbers! { TensorDataType:
    UINT8 UINT16 UINT32 INT32 UINT64 INT64 FLOAT16 FLOAT32 FLOAT64 BFLOAT16 FLOAT32_FTZ TFLOAT32 TFLOAT32_FTZ
    PACKED_16U4_ALIGN8B PACKED_16U4_ALIGN16B PACKED_16U6_ALIGN16B
}
