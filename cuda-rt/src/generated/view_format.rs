// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl ViewFormat {
    /// None, which the driver refuses.
    #[doc(alias = "CU_RES_VIEW_FORMAT_NONE")]
    pub const NONE: Self = Self(0);
    /// One channel of 8 bits without a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_UINT_1X8")]
    pub const UINT_1X8: Self = Self(1);
    /// Two channels of 8 bits without a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_UINT_2X8")]
    pub const UINT_2X8: Self = Self(2);
    /// Four channels of 8 bits without a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_UINT_4X8")]
    pub const UINT_4X8: Self = Self(3);
    /// One channel of 8 bits with a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_SINT_1X8")]
    pub const SINT_1X8: Self = Self(4);
    /// Two channels of 8 bits with a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_SINT_2X8")]
    pub const SINT_2X8: Self = Self(5);
    /// Four channels of 8 bits with a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_SINT_4X8")]
    pub const SINT_4X8: Self = Self(6);
    /// One channel of 16 bits without a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_UINT_1X16")]
    pub const UINT_1X16: Self = Self(7);
    /// Two channels of 16 bits without a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_UINT_2X16")]
    pub const UINT_2X16: Self = Self(8);
    /// Four channels of 16 bits without a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_UINT_4X16")]
    pub const UINT_4X16: Self = Self(9);
    /// One channel of 16 bits with a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_SINT_1X16")]
    pub const SINT_1X16: Self = Self(10);
    /// Two channels of 16 bits with a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_SINT_2X16")]
    pub const SINT_2X16: Self = Self(11);
    /// Four channels of 16 bits with a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_SINT_4X16")]
    pub const SINT_4X16: Self = Self(12);
    /// One channel of 32 bits without a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_UINT_1X32")]
    pub const UINT_1X32: Self = Self(13);
    /// Two channels of 32 bits without a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_UINT_2X32")]
    pub const UINT_2X32: Self = Self(14);
    /// Four channels of 32 bits without a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_UINT_4X32")]
    pub const UINT_4X32: Self = Self(15);
    /// One channel of 32 bits with a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_SINT_1X32")]
    pub const SINT_1X32: Self = Self(16);
    /// Two channels of 32 bits with a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_SINT_2X32")]
    pub const SINT_2X32: Self = Self(17);
    /// Four channels of 32 bits with a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_SINT_4X32")]
    pub const SINT_4X32: Self = Self(18);
    /// One floating-point number of 16 bits.
    #[doc(alias = "CU_RES_VIEW_FORMAT_FLOAT_1X16")]
    pub const FLOAT_1X16: Self = Self(19);
    /// Two floating-point numbers of 16 bits.
    #[doc(alias = "CU_RES_VIEW_FORMAT_FLOAT_2X16")]
    pub const FLOAT_2X16: Self = Self(20);
    /// Four floating-point numbers of 16 bits.
    #[doc(alias = "CU_RES_VIEW_FORMAT_FLOAT_4X16")]
    pub const FLOAT_4X16: Self = Self(21);
    /// One floating-point number of 32 bits.
    #[doc(alias = "CU_RES_VIEW_FORMAT_FLOAT_1X32")]
    pub const FLOAT_1X32: Self = Self(22);
    /// Two floating-point numbers of 32 bits.
    #[doc(alias = "CU_RES_VIEW_FORMAT_FLOAT_2X32")]
    pub const FLOAT_2X32: Self = Self(23);
    /// Four floating-point numbers of 32 bits.
    #[doc(alias = "CU_RES_VIEW_FORMAT_FLOAT_4X32")]
    pub const FLOAT_4X32: Self = Self(24);
    /// BC1: four channels, 8 bytes a block.
    #[doc(alias = "CU_RES_VIEW_FORMAT_UNSIGNED_BC1")]
    pub const UNSIGNED_BC1: Self = Self(25);
    /// BC2: four channels, 16 bytes a block.
    #[doc(alias = "CU_RES_VIEW_FORMAT_UNSIGNED_BC2")]
    pub const UNSIGNED_BC2: Self = Self(26);
    /// BC3: four channels, 16 bytes a block.
    #[doc(alias = "CU_RES_VIEW_FORMAT_UNSIGNED_BC3")]
    pub const UNSIGNED_BC3: Self = Self(27);
    /// BC4: one channel, 8 bytes a block.
    #[doc(alias = "CU_RES_VIEW_FORMAT_UNSIGNED_BC4")]
    pub const UNSIGNED_BC4: Self = Self(28);
    /// BC4, with a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_SIGNED_BC4")]
    pub const SIGNED_BC4: Self = Self(29);
    /// BC5: two channels, 16 bytes a block.
    #[doc(alias = "CU_RES_VIEW_FORMAT_UNSIGNED_BC5")]
    pub const UNSIGNED_BC5: Self = Self(30);
    /// BC5, with a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_SIGNED_BC5")]
    pub const SIGNED_BC5: Self = Self(31);
    /// BC6H: three floating-point channels, 16 bytes a block.
    #[doc(alias = "CU_RES_VIEW_FORMAT_UNSIGNED_BC6H")]
    pub const UNSIGNED_BC6H: Self = Self(32);
    /// BC6H, with a sign.
    #[doc(alias = "CU_RES_VIEW_FORMAT_SIGNED_BC6H")]
    pub const SIGNED_BC6H: Self = Self(33);
    /// BC7: four channels, 16 bytes a block.
    #[doc(alias = "CU_RES_VIEW_FORMAT_UNSIGNED_BC7")]
    pub const UNSIGNED_BC7: Self = Self(34);
}

numbers! { ViewFormat:
    NONE UINT_1X8 UINT_2X8 UINT_4X8 SINT_1X8 SINT_2X8 SINT_4X8 UINT_1X16 UINT_2X16 UINT_4X16 SINT_1X16
    SINT_2X16 SINT_4X16 UINT_1X32 UINT_2X32 UINT_4X32 SINT_1X32 SINT_2X32 SINT_4X32 FLOAT_1X16 FLOAT_2X16
    FLOAT_4X16 FLOAT_1X32 FLOAT_2X32 FLOAT_4X32 UNSIGNED_BC1 UNSIGNED_BC2 UNSIGNED_BC3 UNSIGNED_BC4 SIGNED_BC4
    UNSIGNED_BC5 SIGNED_BC5 UNSIGNED_BC6H SIGNED_BC6H UNSIGNED_BC7
}
