// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl MemSyncDomain {
    /// The domain of ordinary kernels.
    #[doc(alias = "CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT")]
    pub const DEFAULT: Self = Self(0);
    /// The domain of kernels that write to other devices.
    #[doc(alias = "CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE")]
    pub const REMOTE: Self = Self(1);
}

numbers! { MemSyncDomain:
    DEFAULT REMOTE
}
