// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl PortableClusters {
    /// As the kernel is set: [`NON_PORTABLE_CLUSTER_SIZE_ALLOWED`](crate::module::FunctionAttribute::NON_PORTABLE_CLUSTER_SIZE_ALLOWED).
    #[doc(alias = "CU_LAUNCH_PORTABLE_CLUSTER_MODE_DEFAULT")]
    pub const DEFAULT: Self = Self(0);
    /// They may not.
    #[doc(alias = "CU_LAUNCH_PORTABLE_CLUSTER_MODE_REQUIRE_PORTABLE")]
    pub const REQUIRE_PORTABLE: Self = Self(1);
    /// They may.
    #[doc(alias = "CU_LAUNCH_PORTABLE_CLUSTER_MODE_ALLOW_NON_PORTABLE")]
    pub const ALLOW_NON_PORTABLE: Self = Self(2);
}

numbers! { PortableClusters:
    DEFAULT REQUIRE_PORTABLE ALLOW_NON_PORTABLE
}
