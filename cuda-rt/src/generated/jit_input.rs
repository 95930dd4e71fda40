// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl JitInput {
    /// Machine code for one architecture.
    #[doc(alias = "CU_JIT_INPUT_CUBIN")]
    pub const CUBIN: Self = Self(0);
    /// A text in PTX.
    #[doc(alias = "CU_JIT_INPUT_PTX")]
    pub const PTX: Self = Self(1);
    /// Several cubins and texts in PTX, from which the driver chooses.
    #[doc(alias = "CU_JIT_INPUT_FATBINARY")]
    pub const FATBINARY: Self = Self(2);
    /// An object file of the host with device code in it.
    #[doc(alias = "CU_JIT_INPUT_OBJECT")]
    pub const OBJECT: Self = Self(3);
    /// An archive of such object files.
    #[doc(alias = "CU_JIT_INPUT_LIBRARY")]
    pub const LIBRARY: Self = Self(4);
    /// An intermediate form of compilers before CUDA 12.0, for link-time optimisation. Deprecated.
    #[doc(alias = "CU_JIT_INPUT_NVVM")]
    pub const NVVM: Self = Self(5);
}

numbers! { JitInput:
    CUBIN PTX FATBINARY OBJECT LIBRARY NVVM
}
