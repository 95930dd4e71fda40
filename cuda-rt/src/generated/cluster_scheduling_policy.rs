// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl ClusterSchedulingPolicy {
    /// The default of the driver.
    #[doc(alias = "CU_CLUSTER_SCHEDULING_POLICY_DEFAULT")]
    pub const DEFAULT: Self = Self(0);
    /// Each block on another multiprocessor.
    #[doc(alias = "CU_CLUSTER_SCHEDULING_POLICY_SPREAD")]
    pub const SPREAD: Self = Self(1);
    /// Blocks on multiprocessors with free resources.
    #[doc(alias = "CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING")]
    pub const LOAD_BALANCING: Self = Self(2);
    /// Blocks on several multiprocessors, near each other's shared memory, on devices of the generation Rubin.
    #[doc(alias = "CU_CLUSTER_SCHEDULING_POLICY_RUBIN_DSMEM_LOCALITY")]
    pub const RUBIN_DSMEM_LOCALITY: Self = Self(3);
}

numbers! { ClusterSchedulingPolicy:
    DEFAULT SPREAD LOAD_BALANCING RUBIN_DSMEM_LOCALITY
}
