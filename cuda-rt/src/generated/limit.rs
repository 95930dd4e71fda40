// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl Limit {
    /// Bytes of stack for each thread of a kernel.
    #[doc(alias = "CU_LIMIT_STACK_SIZE")]
    pub const STACK_SIZE: Self = Self(0);
    /// Bytes of the buffer for the output of kernels. Set it before the first kernel that prints.
    #[doc(alias = "CU_LIMIT_PRINTF_FIFO_SIZE")]
    pub const PRINTF_FIFO_SIZE: Self = Self(1);
    /// Bytes of the heap for allocations of kernels. Set it before the first kernel that allocates.
    #[doc(alias = "CU_LIMIT_MALLOC_HEAP_SIZE")]
    pub const MALLOC_HEAP_SIZE: Self = Self(2);
    /// Depth of nested kernels that wait for the kernels that they launch. Not supported from compute capability 9.0 on.
    #[doc(alias = "CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH")]
    pub const DEV_RUNTIME_SYNC_DEPTH: Self = Self(3);
    /// Number of pending launches by kernels.
    #[doc(alias = "CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT")]
    pub const DEV_RUNTIME_PENDING_LAUNCH_COUNT: Self = Self(4);
    /// Bytes that the L2 cache fetches at once, 0 to 128: a hint.
    #[doc(alias = "CU_LIMIT_MAX_L2_FETCH_GRANULARITY")]
    pub const MAX_L2_FETCH_GRANULARITY: Self = Self(5);
    /// Bytes of the L2 cache that are set aside for persisting data.
    #[doc(alias = "CU_LIMIT_PERSISTING_L2_CACHE_SIZE")]
    pub const PERSISTING_L2_CACHE_SIZE: Self = Self(6);
    /// Most bytes of shared memory for a kernel in a context that shares the GPU with a graphics interface. Read-only.
    #[doc(alias = "CU_LIMIT_SHMEM_SIZE")]
    pub const SHMEM_SIZE: Self = Self(7);
    /// 1 if the context shares the GPU with a graphics interface. Read-only.
    #[doc(alias = "CU_LIMIT_CIG_ENABLED")]
    pub const CIG_ENABLED: Self = Self(8);
    /// 1 if kernels with too much shared memory for a shared GPU run nevertheless.
    #[doc(alias = "CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED")]
    pub const CIG_SHMEM_FALLBACK_ENABLED: Self = Self(9);
    /// Bytes of memory for each block. Unknown to drivers before CUDA 13.4.
    #[doc(alias = "CU_LIMIT_PER_BLOCK_MEMORY_SIZE")]
    pub const PER_BLOCK_MEMORY_SIZE: Self = Self(10);
}

numbers! { Limit:
    STACK_SIZE PRINTF_FIFO_SIZE MALLOC_HEAP_SIZE DEV_RUNTIME_SYNC_DEPTH DEV_RUNTIME_PENDING_LAUNCH_COUNT
    MAX_L2_FETCH_GRANULARITY PERSISTING_L2_CACHE_SIZE SHMEM_SIZE CIG_ENABLED CIG_SHMEM_FALLBACK_ENABLED
    PER_BLOCK_MEMORY_SIZE
}
