// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl GraphMemAttribute {
    /// Bytes that graphs use now.
    #[doc(alias = "CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT")]
    pub const USED_MEM_CURRENT: Self = Self(0);
    /// Most bytes that graphs used at a time since this was set to 0.
    #[doc(alias = "CU_GRAPH_MEM_ATTR_USED_MEM_HIGH")]
    pub const USED_MEM_HIGH: Self = Self(1);
    /// Bytes that are reserved for graphs now.
    #[doc(alias = "CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT")]
    pub const RESERVED_MEM_CURRENT: Self = Self(2);
    /// Most bytes that were reserved for graphs at a time since this was set to 0.
    #[doc(alias = "CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH")]
    pub const RESERVED_MEM_HIGH: Self = Self(3);
}

numbers! { GraphMemAttribute:
    USED_MEM_CURRENT USED_MEM_HIGH RESERVED_MEM_CURRENT RESERVED_MEM_HIGH
}
