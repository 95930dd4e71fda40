// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl JitFallback {
    /// PTX, which is compiled.
    #[doc(alias = "CU_PREFER_PTX")]
    pub const PREFER_PTX: Self = Self(0);
    /// A binary for another device that this device can run, too.
    #[doc(alias = "CU_PREFER_BINARY")]
    pub const PREFER_BINARY: Self = Self(1);
}

numbers! { JitFallback:
    PREFER_PTX PREFER_BINARY
}
