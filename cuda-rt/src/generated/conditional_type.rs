// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl ConditionalType {
    /// One run of the first body if the condition is not 0. From CUDA 12.8 on, one run of the second body if it is 0.
    #[doc(alias = "CU_GRAPH_COND_TYPE_IF")]
    pub const IF: Self = Self(0);
    /// Runs of the body as long as the condition is not 0.
    #[doc(alias = "CU_GRAPH_COND_TYPE_WHILE")]
    pub const WHILE: Self = Self(1);
    /// One run of the body whose index is the condition, or none.
    #[doc(alias = "CU_GRAPH_COND_TYPE_SWITCH")]
    pub const SWITCH: Self = Self(2);
}

numbers! { ConditionalType:
    IF WHILE SWITCH
}
