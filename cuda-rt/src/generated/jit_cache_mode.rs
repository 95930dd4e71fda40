// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl JitCacheMode {
    /// The default of the compiler.
    #[doc(alias = "CU_JIT_CACHE_OPTION_NONE")]
    pub const NONE: Self = Self(0);
    /// The level-2 cache only.
    #[doc(alias = "CU_JIT_CACHE_OPTION_CG")]
    pub const CG: Self = Self(1);
    /// The level-1 cache, too.
    #[doc(alias = "CU_JIT_CACHE_OPTION_CA")]
    pub const CA: Self = Self(2);
}

numbers! { JitCacheMode:
    NONE CG CA
}
