// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl TensorFill {
    /// Zeros.
    #[doc(alias = "CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE")]
    pub const ZERO: Self = Self(0);
    /// A special NaN, which tensor cores multiply and add as 0.
    #[doc(alias = "CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA")]
    pub const NAN: Self = Self(1);
}

numbers! { TensorFill:
    ZERO NAN
}
