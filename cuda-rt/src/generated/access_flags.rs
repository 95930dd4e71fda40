// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl AccessFlags {
    /// No access.
    #[doc(alias = "CU_MEM_ACCESS_FLAGS_PROT_NONE")]
    pub const NONE: Self = Self(0);
    /// Read access only.
    #[doc(alias = "CU_MEM_ACCESS_FLAGS_PROT_READ")]
    pub const READ: Self = Self(1);
    /// Read and write access.
    #[doc(alias = "CU_MEM_ACCESS_FLAGS_PROT_READWRITE")]
    pub const READ_WRITE: Self = Self(3);
}

numbers! { AccessFlags:
    NONE READ READ_WRITE
}
