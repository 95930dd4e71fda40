// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl UpdateResult {
    /// Success.
    #[doc(alias = "CU_GRAPH_EXEC_UPDATE_SUCCESS")]
    pub const SUCCESS: Self = Self(0);
    /// Failure for a reason that the code of the call describes.
    #[doc(alias = "CU_GRAPH_EXEC_UPDATE_ERROR")]
    pub const ERROR: Self = Self(1);
    /// Nodes or edges differ from those of the executable graph.
    #[doc(alias = "CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED")]
    pub const TOPOLOGY_CHANGED: Self = Self(2);
    /// Node of another type than before.
    #[doc(alias = "CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED")]
    pub const NODE_TYPE_CHANGED: Self = Self(3);
    /// Kernel node with another function, which drivers before CUDA 11.2 refuse.
    #[doc(alias = "CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED")]
    pub const FUNCTION_CHANGED: Self = Self(4);
    /// Parameters that cannot be changed in an executable graph.
    #[doc(alias = "CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED")]
    pub const PARAMETERS_CHANGED: Self = Self(5);
    /// Node whose update the driver does not support.
    #[doc(alias = "CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED")]
    pub const NOT_SUPPORTED: Self = Self(6);
    /// Kernel node whose new function differs too much, for example in its context.
    #[doc(alias = "CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE")]
    pub const UNSUPPORTED_FUNCTION_CHANGE: Self = Self(7);
    /// Attributes of a node that cannot be changed in an executable graph.
    #[doc(alias = "CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED")]
    pub const ATTRIBUTES_CHANGED: Self = Self(8);
}

numbers! { UpdateResult:
    SUCCESS ERROR TOPOLOGY_CHANGED NODE_TYPE_CHANGED FUNCTION_CHANGED PARAMETERS_CHANGED NOT_SUPPORTED
    UNSUPPORTED_FUNCTION_CHANGE ATTRIBUTES_CHANGED
}
