// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl TensorAllocationClass {
    /// The driver chooses by the shape of the tensor.
    #[doc(alias = "CU_TENSOR_MAP_ALLOC_CLASS_AUTO")]
    pub const AUTO: Self = Self(0);
    /// Addresses out of bounds stay within 4 KiB.
    #[doc(alias = "CU_TENSOR_MAP_ALLOC_CLASS_SMALL")]
    pub const SMALL: Self = Self(1);
    /// Addresses out of bounds stay within 128 KiB.
    #[doc(alias = "CU_TENSOR_MAP_ALLOC_CLASS_LARGE")]
    pub const LARGE: Self = Self(2);
}

numbers! { TensorAllocationClass:
    AUTO SMALL LARGE
}
