// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl JitCacheMode {
    /// As the compiler likes.
    #[doc(alias = "CU_JIT_CACHE_OPTION_NONE")]
    pub const NONE: Self = Self(0);
    /// Level 2 only.
    #[doc(alias = "CU_JIT_CACHE_OPTION_CG")]
    pub const CG: Self = Self(1);
    /// Level 1 too.
    #[doc(alias = "CU_JIT_CACHE_OPTION_CA")]
    pub const CA: Self = Self(2);
}

numbers! { JitCacheMode:
    NONE CG CA
}
