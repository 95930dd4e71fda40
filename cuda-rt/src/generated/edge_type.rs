// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl EdgeType {
    /// Full dependency: the second node begins after the first has ended and its writes are visible.
    #[doc(alias = "CU_GRAPH_DEPENDENCY_TYPE_DEFAULT")]
    pub const DEFAULT: Self = Self(0);
    /// Programmatic dependency between two kernels: the second may begin when all blocks of the first have allowed it.
    #[doc(alias = "CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC")]
    pub const PROGRAMMATIC: Self = Self(1);
}

numbers! { EdgeType:
    DEFAULT PROGRAMMATIC
}
