// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl InstantiateResult {
    /// Success.
    #[doc(alias = "CUDA_GRAPH_INSTANTIATE_SUCCESS")]
    pub const SUCCESS: Self = Self(0);
    /// Failure for a reason that the code of the call describes.
    #[doc(alias = "CUDA_GRAPH_INSTANTIATE_ERROR")]
    pub const ERROR: Self = Self(1);
    /// Invalid structure, for example a cycle.
    #[doc(alias = "CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE")]
    pub const INVALID_STRUCTURE: Self = Self(2);
    /// Node whose operation a graph for device launch must not have.
    #[doc(alias = "CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED")]
    pub const NODE_OPERATION_NOT_SUPPORTED: Self = Self(3);
    /// Nodes of several contexts in a graph for device launch.
    #[doc(alias = "CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED")]
    pub const MULTIPLE_CONTEXTS_NOT_SUPPORTED: Self = Self(4);
    /// Condition that no conditional node uses.
    #[doc(alias = "CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED")]
    pub const CONDITIONAL_HANDLE_UNUSED: Self = Self(5);
}

numbers! { InstantiateResult:
    SUCCESS ERROR INVALID_STRUCTURE NODE_OPERATION_NOT_SUPPORTED MULTIPLE_CONTEXTS_NOT_SUPPORTED
    CONDITIONAL_HANDLE_UNUSED
}
