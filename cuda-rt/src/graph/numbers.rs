//! Open sets of numbers that the driver uses for graphs, and sets of flags.

use cuda_sys::CUgraphDebugDot_flags_enum as Dot;

/// The type of a node: any number that some driver knows.
///
/// ```
/// use cuda_rt::graph::NodeType;
///
/// assert_eq!(NodeType::MEMCPY.to_string(), "MEMCPY");
/// assert_eq!(NodeType(99).to_string(), "NodeType(99)");
/// ```
#[doc(alias = "CUgraphNodeType")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeType(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/node_type.rs");

/// Use of a condition by a conditional node: any number that some driver knows.
///
/// ```
/// use cuda_rt::graph::ConditionalType;
///
/// assert_eq!(ConditionalType::WHILE.to_string(), "WHILE");
/// ```
#[doc(alias = "CUgraphConditionalNodeType")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConditionalType(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/conditional_type.rs");

flags! {
    /// Content of a description of a graph in DOT.
    ///
    /// ```
    /// use cuda_rt::graph::DotFlags;
    ///
    /// let flags = DotFlags::KERNEL_NODE_PARAMS | DotFlags::HANDLES;
    /// assert!(DotFlags::VERBOSE.bits() == 1 && !flags.contains(DotFlags::VERBOSE));
    /// ```
    #[doc(alias = "CUgraphDebugDot_flags")]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct DotFlags {
        /// All content, as if all other flags were set.
        #[doc(alias = "CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE")]
        const VERBOSE = Dot::CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE.0;
        /// Structures of the CUDA runtime instead of those of the driver.
        #[doc(alias = "CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES")]
        const RUNTIME_TYPES = Dot::CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES.0;
        /// Parameters of kernel nodes.
        #[doc(alias = "CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS")]
        const KERNEL_NODE_PARAMS = Dot::CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS.0;
        /// Parameters of copies.
        #[doc(alias = "CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS")]
        const MEMCPY_NODE_PARAMS = Dot::CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS.0;
        /// Parameters of fills.
        #[doc(alias = "CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS")]
        const MEMSET_NODE_PARAMS = Dot::CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS.0;
        /// Parameters of host nodes.
        #[doc(alias = "CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS")]
        const HOST_NODE_PARAMS = Dot::CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS.0;
        /// Events of event nodes.
        #[doc(alias = "CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS")]
        const EVENT_NODE_PARAMS = Dot::CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS.0;
        /// Parameters of signals of external semaphores.
        #[doc(alias = "CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_SIGNAL_NODE_PARAMS")]
        const EXT_SEMAS_SIGNAL_NODE_PARAMS = Dot::CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_SIGNAL_NODE_PARAMS.0;
        /// Parameters of waits for external semaphores.
        #[doc(alias = "CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_WAIT_NODE_PARAMS")]
        const EXT_SEMAS_WAIT_NODE_PARAMS = Dot::CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_WAIT_NODE_PARAMS.0;
        /// Attributes of kernel nodes.
        #[doc(alias = "CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES")]
        const KERNEL_NODE_ATTRIBUTES = Dot::CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES.0;
        /// Handles of nodes, and of the functions of kernels.
        #[doc(alias = "CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES")]
        const HANDLES = Dot::CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES.0;
        /// Parameters of allocations.
        #[doc(alias = "CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS")]
        const MEM_ALLOC_NODE_PARAMS = Dot::CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS.0;
        /// Parameters of frees.
        #[doc(alias = "CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS")]
        const MEM_FREE_NODE_PARAMS = Dot::CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS.0;
        /// Parameters of batches of memory operations.
        #[doc(alias = "CU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS")]
        const BATCH_MEM_OP_NODE_PARAMS = Dot::CU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS.0;
        /// Numbers of edges.
        #[doc(alias = "CU_GRAPH_DEBUG_DOT_FLAGS_EXTRA_TOPO_INFO")]
        const EXTRA_TOPO_INFO = Dot::CU_GRAPH_DEBUG_DOT_FLAGS_EXTRA_TOPO_INFO.0;
        /// Parameters of conditional nodes.
        #[doc(alias = "CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS")]
        const CONDITIONAL_NODE_PARAMS = Dot::CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS.0;
        /// Parameters of batches of copies.
        #[doc(alias = "CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_BATCH_NODE_PARAMS")]
        const MEMCPY_BATCH_NODE_PARAMS = Dot::CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_BATCH_NODE_PARAMS.0;
        /// Parameters of batches of copies over a fabric.
        #[doc(alias = "CU_GRAPH_DEBUG_DOT_FLAGS_FABRIC_CPY_BATCH_NODE_PARAMS")]
        const FABRIC_CPY_BATCH_NODE_PARAMS = Dot::CU_GRAPH_DEBUG_DOT_FLAGS_FABRIC_CPY_BATCH_NODE_PARAMS.0;
        /// Flags of newer drivers.
        const _ = !0;
    }
}
