// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl P2pAttribute {
    /// The rank of the link among the links of the machine: lower numbers are faster.
    #[doc(alias = "CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK")]
    pub const PERFORMANCE_RANK: Self = Self(1);
    /// 1 if kernels can be given access.
    #[doc(alias = "CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED")]
    pub const ACCESS_SUPPORTED: Self = Self(2);
    /// 1 if atomic operations are atomic over the link.
    #[doc(alias = "CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED")]
    pub const NATIVE_ATOMIC_SUPPORTED: Self = Self(3);
    /// 1 if kernels can be given access to arrays.
    #[doc(alias = "CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED")]
    pub const CUDA_ARRAY_ACCESS_SUPPORTED: Self = Self(4);
    /// 1 if only some atomic operations are atomic over the link.
    #[doc(alias = "CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED")]
    pub const ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED: Self = Self(5);
    /// An older name of [`CUDA_ARRAY_ACCESS_SUPPORTED`](Self::CUDA_ARRAY_ACCESS_SUPPORTED).
    #[doc(alias = "CU_DEVICE_P2P_ATTRIBUTE_ACCESS_ACCESS_SUPPORTED")]
    pub const ACCESS_ACCESS_SUPPORTED: Self = Self::CUDA_ARRAY_ACCESS_SUPPORTED;
}

numbers! { P2pAttribute:
    PERFORMANCE_RANK ACCESS_SUPPORTED NATIVE_ATOMIC_SUPPORTED CUDA_ARRAY_ACCESS_SUPPORTED
    ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED
}
