// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl Im2colWideMode {
    /// As many pixels along the width as `pixels_per_column` says.
    #[doc(alias = "CU_TENSOR_MAP_IM2COL_WIDE_MODE_W")]
    pub const W: Self = Self(0);
    /// 128 pixels along the width.
    #[doc(alias = "CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128")]
    pub const W128: Self = Self(1);
}

numbers! { Im2colWideMode:
    W W128
}
