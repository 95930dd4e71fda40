//! Flags of contexts.

use cuda_sys::CUctx_flags_enum as C;

flags! {
    /// Flags of a context: how host threads wait, and other settings. At most one `SCHED_` flag may be set.
    ///
    /// ```
    /// use cuda_rt::context::ContextFlags;
    ///
    /// assert_eq!(ContextFlags::default(), ContextFlags::SCHED_AUTO);
    /// ```
    #[doc(alias = "CUctx_flags")]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct ContextFlags {
        /// Waiting chosen by the driver: spinning or yielding, by the number of contexts and processors.
        #[doc(alias = "CU_CTX_SCHED_AUTO")]
        const SCHED_AUTO = C::CU_CTX_SCHED_AUTO.0;
        /// Spinning: the least latency, at the cost of a processor for each waiting thread.
        #[doc(alias = "CU_CTX_SCHED_SPIN")]
        const SCHED_SPIN = C::CU_CTX_SCHED_SPIN.0;
        /// Yielding: waiting threads yield to others between queries.
        #[doc(alias = "CU_CTX_SCHED_YIELD")]
        const SCHED_YIELD = C::CU_CTX_SCHED_YIELD.0;
        /// Sleeping: waiting threads sleep until the device is done.
        #[doc(alias = "CU_CTX_SCHED_BLOCKING_SYNC")]
        const SCHED_BLOCKING_SYNC = C::CU_CTX_SCHED_BLOCKING_SYNC.0;
        /// Bits of the four flags above.
        #[doc(alias = "CU_CTX_SCHED_MASK")]
        const SCHED_MASK = C::CU_CTX_SCHED_MASK.0;
        /// Mapped pinned memory. Without effect since CUDA 11.0, where it is always allowed.
        #[doc(alias = "CU_CTX_MAP_HOST")]
        const MAP_HOST = C::CU_CTX_MAP_HOST.0;
        /// Local memory kept at its greatest size so far. Current drivers always do so.
        #[doc(alias = "CU_CTX_LMEM_RESIZE_TO_MAX")]
        const LMEM_RESIZE_TO_MAX = C::CU_CTX_LMEM_RESIZE_TO_MAX.0;
        /// Core dump when a kernel fails.
        #[doc(alias = "CU_CTX_COREDUMP_ENABLE")]
        const COREDUMP_ENABLE = C::CU_CTX_COREDUMP_ENABLE.0;
        /// Core dumps at the user's request.
        #[doc(alias = "CU_CTX_USER_COREDUMP_ENABLE")]
        const USER_COREDUMP_ENABLE = C::CU_CTX_USER_COREDUMP_ENABLE.0;
        /// Synchronous memory operations that always wait, also where they could return earlier.
        #[doc(alias = "CU_CTX_SYNC_MEMOPS")]
        const SYNC_MEMOPS = C::CU_CTX_SYNC_MEMOPS.0;
        /// All bits that CUDA 13.5 defines.
        #[doc(alias = "CU_CTX_FLAGS_MASK")]
        const FLAGS_MASK = C::CU_CTX_FLAGS_MASK.0;
        /// Flags of newer drivers.
        const _ = !0;
    }
}
