// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl SharedMemoryMode {
    /// The attribute of the kernel decides: [`MAX_DYNAMIC_SHARED_SIZE_BYTES`](crate::module::FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES).
    #[doc(alias = "CU_SHARED_MEMORY_MODE_DEFAULT")]
    pub const DEFAULT: Self = Self(0);
    /// Only sizes that all devices support.
    #[doc(alias = "CU_SHARED_MEMORY_MODE_REQUIRE_PORTABLE")]
    pub const REQUIRE_PORTABLE: Self = Self(1);
    /// All sizes that this device supports.
    #[doc(alias = "CU_SHARED_MEMORY_MODE_ALLOW_NON_PORTABLE")]
    pub const ALLOW_NON_PORTABLE: Self = Self(2);
    /// Larger sizes, at the cost of the level-1 cache.
    #[doc(alias = "CU_SHARED_MEMORY_MODE_ALLOW_OVERSIZED_SHARED_MEMORY")]
    pub const ALLOW_OVERSIZED_SHARED_MEMORY: Self = Self(3);
    /// Larger sizes, at the cost of the level-1 cache, even where a smaller size would do.
    #[doc(alias = "CU_SHARED_MEMORY_MODE_PREFER_OVERSIZED_SHARED_MEMORY")]
    pub const PREFER_OVERSIZED_SHARED_MEMORY: Self = Self(4);
}

numbers! { SharedMemoryMode:
    DEFAULT REQUIRE_PORTABLE ALLOW_NON_PORTABLE ALLOW_OVERSIZED_SHARED_MEMORY PREFER_OVERSIZED_SHARED_MEMORY
}
