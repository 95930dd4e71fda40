// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl NodeType {
    /// Launch of a kernel.
    #[doc(alias = "CU_GRAPH_NODE_TYPE_KERNEL")]
    pub const KERNEL: Self = Self(0);
    /// Copy of memory.
    #[doc(alias = "CU_GRAPH_NODE_TYPE_MEMCPY")]
    pub const MEMCPY: Self = Self(1);
    /// Fill of device memory.
    #[doc(alias = "CU_GRAPH_NODE_TYPE_MEMSET")]
    pub const MEMSET: Self = Self(2);
    /// Call of a host function.
    #[doc(alias = "CU_GRAPH_NODE_TYPE_HOST")]
    pub const HOST: Self = Self(3);
    /// Run of an embedded child graph.
    #[doc(alias = "CU_GRAPH_NODE_TYPE_GRAPH")]
    pub const GRAPH: Self = Self(4);
    /// No operation: joins dependencies.
    #[doc(alias = "CU_GRAPH_NODE_TYPE_EMPTY")]
    pub const EMPTY: Self = Self(5);
    /// Wait for an event.
    #[doc(alias = "CU_GRAPH_NODE_TYPE_WAIT_EVENT")]
    pub const WAIT_EVENT: Self = Self(6);
    /// Record of an event.
    #[doc(alias = "CU_GRAPH_NODE_TYPE_EVENT_RECORD")]
    pub const EVENT_RECORD: Self = Self(7);
    /// Signal of external semaphores.
    #[doc(alias = "CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL")]
    pub const EXT_SEMAS_SIGNAL: Self = Self(8);
    /// Wait for external semaphores.
    #[doc(alias = "CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT")]
    pub const EXT_SEMAS_WAIT: Self = Self(9);
    /// Allocation of memory of the graph.
    #[doc(alias = "CU_GRAPH_NODE_TYPE_MEM_ALLOC")]
    pub const MEM_ALLOC: Self = Self(10);
    /// Release of memory of a graph.
    #[doc(alias = "CU_GRAPH_NODE_TYPE_MEM_FREE")]
    pub const MEM_FREE: Self = Self(11);
    /// Batch of memory operations: waits, writes, flushes and barriers.
    #[doc(alias = "CU_GRAPH_NODE_TYPE_BATCH_MEM_OP")]
    pub const BATCH_MEM_OP: Self = Self(12);
    /// Choice or repetition of body graphs by a condition.
    #[doc(alias = "CU_GRAPH_NODE_TYPE_CONDITIONAL")]
    pub const CONDITIONAL: Self = Self(13);
    /// Batch of copies.
    #[doc(alias = "CU_GRAPH_NODE_TYPE_MEMCPY_BATCH")]
    pub const MEMCPY_BATCH: Self = Self(14);
    /// Work of an engine outside of CUDA.
    #[doc(alias = "CU_GRAPH_NODE_TYPE_EXTERNAL_ENGINE")]
    pub const EXTERNAL_ENGINE: Self = Self(17);
    /// Batch of copies over a fabric.
    #[doc(alias = "CU_GRAPH_NODE_TYPE_FABRIC_CPY_BATCH")]
    pub const FABRIC_CPY_BATCH: Self = Self(18);
}

numbers! { NodeType:
    KERNEL MEMCPY MEMSET HOST GRAPH EMPTY WAIT_EVENT EVENT_RECORD EXT_SEMAS_SIGNAL EXT_SEMAS_WAIT MEM_ALLOC
    MEM_FREE BATCH_MEM_OP CONDITIONAL MEMCPY_BATCH EXTERNAL_ENGINE FABRIC_CPY_BATCH
}
