// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl PortableClusters {
    /// The attribute of the kernel decides: [`NON_PORTABLE_CLUSTER_SIZE_ALLOWED`](crate::module::FunctionAttribute::NON_PORTABLE_CLUSTER_SIZE_ALLOWED).
    #[doc(alias = "CU_LAUNCH_PORTABLE_CLUSTER_MODE_DEFAULT")]
    pub const DEFAULT: Self = Self(0);
    /// Only cluster sizes that all devices support.
    #[doc(alias = "CU_LAUNCH_PORTABLE_CLUSTER_MODE_REQUIRE_PORTABLE")]
    pub const REQUIRE_PORTABLE: Self = Self(1);
    /// Also cluster sizes that only some devices support.
    #[doc(alias = "CU_LAUNCH_PORTABLE_CLUSTER_MODE_ALLOW_NON_PORTABLE")]
    pub const ALLOW_NON_PORTABLE: Self = Self(2);
}

numbers! { PortableClusters:
    DEFAULT REQUIRE_PORTABLE ALLOW_NON_PORTABLE
}
