//! How a context treats its host threads.

use cuda_sys::CUctx_flags_enum as C;

flags! {
    /// How host threads wait, and other settings of a context. At most one `SCHED_` flag may be set.
    ///
    /// ```
    /// use cuda_rt::context::ContextFlags;
    ///
    /// assert_eq!(ContextFlags::default(), ContextFlags::SCHED_AUTO);
    /// ```
    #[doc(alias = "CUctx_flags")]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct ContextFlags {
        /// The driver chooses between spinning and yielding by the number of contexts and processors.
        #[doc(alias = "CU_CTX_SCHED_AUTO")]
        const SCHED_AUTO = C::CU_CTX_SCHED_AUTO.0;
        /// Waiting threads spin: the least latency, a processor each.
        #[doc(alias = "CU_CTX_SCHED_SPIN")]
        const SCHED_SPIN = C::CU_CTX_SCHED_SPIN.0;
        /// Waiting threads yield to others between looks.
        #[doc(alias = "CU_CTX_SCHED_YIELD")]
        const SCHED_YIELD = C::CU_CTX_SCHED_YIELD.0;
        /// Waiting threads sleep until the device is done.
        #[doc(alias = "CU_CTX_SCHED_BLOCKING_SYNC")]
        const SCHED_BLOCKING_SYNC = C::CU_CTX_SCHED_BLOCKING_SYNC.0;
        /// The bits of the four above.
        #[doc(alias = "CU_CTX_SCHED_MASK")]
        const SCHED_MASK = C::CU_CTX_SCHED_MASK.0;
        /// Allows mapped pinned memory. Without effect since CUDA 11.0: it always is allowed.
        #[doc(alias = "CU_CTX_MAP_HOST")]
        const MAP_HOST = C::CU_CTX_MAP_HOST.0;
        /// Keeps local memory at its greatest size so far. The driver always does so nowadays.
        #[doc(alias = "CU_CTX_LMEM_RESIZE_TO_MAX")]
        const LMEM_RESIZE_TO_MAX = C::CU_CTX_LMEM_RESIZE_TO_MAX.0;
        /// Writes a core dump when a kernel fails.
        #[doc(alias = "CU_CTX_COREDUMP_ENABLE")]
        const COREDUMP_ENABLE = C::CU_CTX_COREDUMP_ENABLE.0;
        /// Allows core dumps on the user's demand.
        #[doc(alias = "CU_CTX_USER_COREDUMP_ENABLE")]
        const USER_COREDUMP_ENABLE = C::CU_CTX_USER_COREDUMP_ENABLE.0;
        /// Makes memory operations on blocking streams wait for the device.
        #[doc(alias = "CU_CTX_SYNC_MEMOPS")]
        const SYNC_MEMOPS = C::CU_CTX_SYNC_MEMOPS.0;
        /// All bits that CUDA 13.5 defines.
        #[doc(alias = "CU_CTX_FLAGS_MASK")]
        const FLAGS_MASK = C::CU_CTX_FLAGS_MASK.0;
        /// Newer drivers may set others.
        const _ = !0;
    }
}
