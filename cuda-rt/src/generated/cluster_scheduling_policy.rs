// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl ClusterSchedulingPolicy {
    /// As the driver likes.
    #[doc(alias = "CU_CLUSTER_SCHEDULING_POLICY_DEFAULT")]
    pub const DEFAULT: Self = Self(0);
    /// Each on another one.
    #[doc(alias = "CU_CLUSTER_SCHEDULING_POLICY_SPREAD")]
    pub const SPREAD: Self = Self(1);
    /// Where the hardware has room.
    #[doc(alias = "CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING")]
    pub const LOAD_BALANCING: Self = Self(2);
    /// Spread, and near each other's shared memory, on devices of the generation Rubin.
    #[doc(alias = "CU_CLUSTER_SCHEDULING_POLICY_RUBIN_DSMEM_LOCALITY")]
    pub const RUBIN_DSMEM_LOCALITY: Self = Self(3);
}

numbers! { ClusterSchedulingPolicy:
    DEFAULT SPREAD LOAD_BALANCING RUBIN_DSMEM_LOCALITY
}
