// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl ModuleLoadingMode {
    /// Kernels are loaded with their module.
    #[doc(alias = "CU_MODULE_EAGER_LOADING")]
    pub const EAGER: Self = Self(1);
    /// Each kernel is loaded when it is first needed, so that the first launch takes longer.
    #[doc(alias = "CU_MODULE_LAZY_LOADING")]
    pub const LAZY: Self = Self(2);
}

numbers! { ModuleLoadingMode:
    EAGER LAZY
}
