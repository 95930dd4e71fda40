// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl FunctionAttribute {
    /// The value is the largest number of threads of a block of this kernel on its device.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK")]
    pub const MAX_THREADS_PER_BLOCK: Self = Self(0);
    /// The value is the bytes of shared memory that the kernel declares.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES")]
    pub const SHARED_SIZE_BYTES: Self = Self(1);
    /// The value is the bytes of constant memory that the kernel uses.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES")]
    pub const CONST_SIZE_BYTES: Self = Self(2);
    /// The value is the bytes of local memory that each thread uses.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES")]
    pub const LOCAL_SIZE_BYTES: Self = Self(3);
    /// The value is the number of registers that each thread uses.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_NUM_REGS")]
    pub const NUM_REGS: Self = Self(4);
    /// The value is the virtual architecture for which the kernel was compiled, as a number: 75 for `compute_75`.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_PTX_VERSION")]
    pub const PTX_VERSION: Self = Self(5);
    /// The value is the real architecture for which the kernel was compiled, as a number: 90 for `sm_90`.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_BINARY_VERSION")]
    pub const BINARY_VERSION: Self = Self(6);
    /// The value is 1 if the kernel was compiled with `-Xptxas --dlcm=ca`.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_CACHE_MODE_CA")]
    pub const CACHE_MODE_CA: Self = Self(7);
    /// The value is the largest number of bytes of dynamic shared memory for a launch.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES")]
    pub const MAX_DYNAMIC_SHARED_SIZE_BYTES: Self = Self(8);
    /// The value is the preferred share of the level-1 cache for shared memory, in percent, or -1.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT")]
    pub const PREFERRED_SHARED_MEMORY_CARVEOUT: Self = Self(9);
    /// The value is 1 if the kernel can only be launched in clusters.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET")]
    pub const CLUSTER_SIZE_MUST_BE_SET: Self = Self(10);
    /// The value is the width of the cluster that was compiled in or set, in blocks, or 0.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH")]
    pub const REQUIRED_CLUSTER_WIDTH: Self = Self(11);
    /// The value is the height of the cluster that was compiled in or set, in blocks, or 0.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT")]
    pub const REQUIRED_CLUSTER_HEIGHT: Self = Self(12);
    /// The value is the depth of the cluster that was compiled in or set, in blocks, or 0.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH")]
    pub const REQUIRED_CLUSTER_DEPTH: Self = Self(13);
    /// The value is 1 if clusters may be larger than all devices support.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED")]
    pub const NON_PORTABLE_CLUSTER_SIZE_ALLOWED: Self = Self(14);
    /// The value is the way in which blocks of a cluster are spread: a `CUclusterSchedulingPolicy`.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE")]
    pub const CLUSTER_SCHEDULING_POLICY_PREFERENCE: Self = Self(15);
    /// The value is 1 if graph nodes that launch the kernel can be updated from the device.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_DEVICE_NODE_UPDATE_SUPPORTED")]
    pub const DEVICE_NODE_UPDATE_SUPPORTED: Self = Self(16);
    /// The value is the limit of shared memory for launches: a `CUsharedMemoryMode`.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_SHARED_MEMORY_MODE")]
    pub const SHARED_MEMORY_MODE: Self = Self(17);
}

attribute_methods! { Function(&self) self:
    /// Returns the largest number of threads of a block of this kernel on its device.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK")]
    max_threads_per_block -> i32 = FunctionAttribute::MAX_THREADS_PER_BLOCK;
    /// Returns the bytes of shared memory that the kernel declares.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES")]
    shared_size_bytes -> i32 = FunctionAttribute::SHARED_SIZE_BYTES;
    /// Returns the bytes of constant memory that the kernel uses.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES")]
    const_size_bytes -> i32 = FunctionAttribute::CONST_SIZE_BYTES;
    /// Returns the bytes of local memory that each thread uses.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES")]
    local_size_bytes -> i32 = FunctionAttribute::LOCAL_SIZE_BYTES;
    /// Returns the number of registers that each thread uses.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_NUM_REGS")]
    num_regs -> i32 = FunctionAttribute::NUM_REGS;
    /// Returns the virtual architecture for which the kernel was compiled, as a number: 75 for `compute_75`.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_PTX_VERSION")]
    ptx_version -> i32 = FunctionAttribute::PTX_VERSION;
    /// Returns the real architecture for which the kernel was compiled, as a number: 90 for `sm_90`.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_BINARY_VERSION")]
    binary_version -> i32 = FunctionAttribute::BINARY_VERSION;
    /// Returns whether the kernel was compiled with `-Xptxas --dlcm=ca`.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_CACHE_MODE_CA")]
    cache_mode_ca -> bool = FunctionAttribute::CACHE_MODE_CA;
    /// Returns the largest number of bytes of dynamic shared memory for a launch.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES")]
    max_dynamic_shared_size_bytes -> i32 = FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES;
    /// Returns the preferred share of the level-1 cache for shared memory, in percent, or -1.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT")]
    preferred_shared_memory_carveout -> i32 = FunctionAttribute::PREFERRED_SHARED_MEMORY_CARVEOUT;
    /// Returns whether the kernel can only be launched in clusters.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET")]
    cluster_size_must_be_set -> bool = FunctionAttribute::CLUSTER_SIZE_MUST_BE_SET;
    /// Returns the width of the cluster that was compiled in or set, in blocks, or 0.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH")]
    required_cluster_width -> i32 = FunctionAttribute::REQUIRED_CLUSTER_WIDTH;
    /// Returns the height of the cluster that was compiled in or set, in blocks, or 0.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT")]
    required_cluster_height -> i32 = FunctionAttribute::REQUIRED_CLUSTER_HEIGHT;
    /// Returns the depth of the cluster that was compiled in or set, in blocks, or 0.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH")]
    required_cluster_depth -> i32 = FunctionAttribute::REQUIRED_CLUSTER_DEPTH;
    /// Returns whether clusters may be larger than all devices support.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED")]
    non_portable_cluster_size_allowed -> bool = FunctionAttribute::NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
    /// Returns the way in which blocks of a cluster are spread: a `CUclusterSchedulingPolicy`.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE")]
    cluster_scheduling_policy_preference -> i32 = FunctionAttribute::CLUSTER_SCHEDULING_POLICY_PREFERENCE;
    /// Returns whether graph nodes that launch the kernel can be updated from the device.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_DEVICE_NODE_UPDATE_SUPPORTED")]
    device_node_update_supported -> bool = FunctionAttribute::DEVICE_NODE_UPDATE_SUPPORTED;
    /// Returns the limit of shared memory for launches: a `CUsharedMemoryMode`.
    #[doc(alias = "CU_FUNC_ATTRIBUTE_SHARED_MEMORY_MODE")]
    shared_memory_mode -> i32 = FunctionAttribute::SHARED_MEMORY_MODE;
}

numbers! { FunctionAttribute:
    MAX_THREADS_PER_BLOCK SHARED_SIZE_BYTES CONST_SIZE_BYTES LOCAL_SIZE_BYTES NUM_REGS PTX_VERSION
    BINARY_VERSION CACHE_MODE_CA MAX_DYNAMIC_SHARED_SIZE_BYTES PREFERRED_SHARED_MEMORY_CARVEOUT
    CLUSTER_SIZE_MUST_BE_SET REQUIRED_CLUSTER_WIDTH REQUIRED_CLUSTER_HEIGHT REQUIRED_CLUSTER_DEPTH
    NON_PORTABLE_CLUSTER_SIZE_ALLOWED CLUSTER_SCHEDULING_POLICY_PREFERENCE DEVICE_NODE_UPDATE_SUPPORTED
    SHARED_MEMORY_MODE
}
