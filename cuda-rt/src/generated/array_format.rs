// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl ArrayFormat {
    /// Bytes without a sign.
    #[doc(alias = "CU_AD_FORMAT_UNSIGNED_INT8")]
    pub const UNSIGNED_INT8: Self = Self(1);
    /// 16 bits without a sign.
    #[doc(alias = "CU_AD_FORMAT_UNSIGNED_INT16")]
    pub const UNSIGNED_INT16: Self = Self(2);
    /// 32 bits without a sign.
    #[doc(alias = "CU_AD_FORMAT_UNSIGNED_INT32")]
    pub const UNSIGNED_INT32: Self = Self(3);
    /// Bytes with a sign.
    #[doc(alias = "CU_AD_FORMAT_SIGNED_INT8")]
    pub const SIGNED_INT8: Self = Self(8);
    /// 16 bits with a sign.
    #[doc(alias = "CU_AD_FORMAT_SIGNED_INT16")]
    pub const SIGNED_INT16: Self = Self(9);
    /// 32 bits with a sign.
    #[doc(alias = "CU_AD_FORMAT_SIGNED_INT32")]
    pub const SIGNED_INT32: Self = Self(10);
    /// Floating-point numbers of 16 bits: the bits of a `u16`.
    #[doc(alias = "CU_AD_FORMAT_HALF")]
    pub const HALF: Self = Self(16);
    /// Floating-point numbers of 32 bits.
    #[doc(alias = "CU_AD_FORMAT_FLOAT")]
    pub const FLOAT: Self = Self(32);
    /// One channel of 8 bits, which stand for 0 to 1.
    #[doc(alias = "CU_AD_FORMAT_UNORM_INT8X1")]
    pub const UNORM_INT8X1: Self = Self(192);
    /// Two channels of 8 bits, which stand for 0 to 1.
    #[doc(alias = "CU_AD_FORMAT_UNORM_INT8X2")]
    pub const UNORM_INT8X2: Self = Self(193);
    /// Four channels of 8 bits, which stand for 0 to 1.
    #[doc(alias = "CU_AD_FORMAT_UNORM_INT8X4")]
    pub const UNORM_INT8X4: Self = Self(194);
    /// One channel of 16 bits, which stand for 0 to 1.
    #[doc(alias = "CU_AD_FORMAT_UNORM_INT16X1")]
    pub const UNORM_INT16X1: Self = Self(195);
    /// Two channels of 16 bits, which stand for 0 to 1.
    #[doc(alias = "CU_AD_FORMAT_UNORM_INT16X2")]
    pub const UNORM_INT16X2: Self = Self(196);
    /// Four channels of 16 bits, which stand for 0 to 1.
    #[doc(alias = "CU_AD_FORMAT_UNORM_INT16X4")]
    pub const UNORM_INT16X4: Self = Self(197);
    /// One channel of 8 bits, which stand for -1 to 1.
    #[doc(alias = "CU_AD_FORMAT_SNORM_INT8X1")]
    pub const SNORM_INT8X1: Self = Self(198);
    /// Two channels of 8 bits, which stand for -1 to 1.
    #[doc(alias = "CU_AD_FORMAT_SNORM_INT8X2")]
    pub const SNORM_INT8X2: Self = Self(199);
    /// Four channels of 8 bits, which stand for -1 to 1.
    #[doc(alias = "CU_AD_FORMAT_SNORM_INT8X4")]
    pub const SNORM_INT8X4: Self = Self(200);
    /// One channel of 16 bits, which stand for -1 to 1.
    #[doc(alias = "CU_AD_FORMAT_SNORM_INT16X1")]
    pub const SNORM_INT16X1: Self = Self(201);
    /// Two channels of 16 bits, which stand for -1 to 1.
    #[doc(alias = "CU_AD_FORMAT_SNORM_INT16X2")]
    pub const SNORM_INT16X2: Self = Self(202);
    /// Four channels of 16 bits, which stand for -1 to 1.
    #[doc(alias = "CU_AD_FORMAT_SNORM_INT16X4")]
    pub const SNORM_INT16X4: Self = Self(203);
    /// Three channels of 10 bits and one of 2, in 32, which stand for 0 to 1.
    #[doc(alias = "CU_AD_FORMAT_UNORM_INT_101010_2")]
    pub const UNORM_INT_101010_2: Self = Self(80);
    /// BC1: four channels, 8 bytes a block.
    #[doc(alias = "CU_AD_FORMAT_BC1_UNORM")]
    pub const BC1_UNORM: Self = Self(145);
    /// BC1, of colours in sRGB.
    #[doc(alias = "CU_AD_FORMAT_BC1_UNORM_SRGB")]
    pub const BC1_UNORM_SRGB: Self = Self(146);
    /// BC2: four channels, 16 bytes a block.
    #[doc(alias = "CU_AD_FORMAT_BC2_UNORM")]
    pub const BC2_UNORM: Self = Self(147);
    /// BC2, of colours in sRGB.
    #[doc(alias = "CU_AD_FORMAT_BC2_UNORM_SRGB")]
    pub const BC2_UNORM_SRGB: Self = Self(148);
    /// BC3: four channels, 16 bytes a block.
    #[doc(alias = "CU_AD_FORMAT_BC3_UNORM")]
    pub const BC3_UNORM: Self = Self(149);
    /// BC3, of colours in sRGB.
    #[doc(alias = "CU_AD_FORMAT_BC3_UNORM_SRGB")]
    pub const BC3_UNORM_SRGB: Self = Self(150);
    /// BC4: one channel, 8 bytes a block.
    #[doc(alias = "CU_AD_FORMAT_BC4_UNORM")]
    pub const BC4_UNORM: Self = Self(151);
    /// BC4, with a sign.
    #[doc(alias = "CU_AD_FORMAT_BC4_SNORM")]
    pub const BC4_SNORM: Self = Self(152);
    /// BC5: two channels, 16 bytes a block.
    #[doc(alias = "CU_AD_FORMAT_BC5_UNORM")]
    pub const BC5_UNORM: Self = Self(153);
    /// BC5, with a sign.
    #[doc(alias = "CU_AD_FORMAT_BC5_SNORM")]
    pub const BC5_SNORM: Self = Self(154);
    /// BC6H: three floating-point channels, 16 bytes a block.
    #[doc(alias = "CU_AD_FORMAT_BC6H_UF16")]
    pub const BC6H_UF16: Self = Self(155);
    /// BC6H, with a sign.
    #[doc(alias = "CU_AD_FORMAT_BC6H_SF16")]
    pub const BC6H_SF16: Self = Self(156);
    /// BC7: four channels, 16 bytes a block.
    #[doc(alias = "CU_AD_FORMAT_BC7_UNORM")]
    pub const BC7_UNORM: Self = Self(157);
    /// BC7, of colours in sRGB.
    #[doc(alias = "CU_AD_FORMAT_BC7_UNORM_SRGB")]
    pub const BC7_UNORM_SRGB: Self = Self(158);
    /// Video: 8 bits, 4:2:0, two planes.
    #[doc(alias = "CU_AD_FORMAT_NV12")]
    pub const NV12: Self = Self(176);
    /// Video: 10 bits, 4:2:0, two planes.
    #[doc(alias = "CU_AD_FORMAT_P010")]
    pub const P010: Self = Self(159);
    /// Video: 16 bits, 4:2:0, two planes.
    #[doc(alias = "CU_AD_FORMAT_P016")]
    pub const P016: Self = Self(161);
    /// Video: 8 bits, 4:2:2, two planes.
    #[doc(alias = "CU_AD_FORMAT_NV16")]
    pub const NV16: Self = Self(162);
    /// Video: 10 bits, 4:2:2, two planes.
    #[doc(alias = "CU_AD_FORMAT_P210")]
    pub const P210: Self = Self(163);
    /// Video: 16 bits, 4:2:2, two planes.
    #[doc(alias = "CU_AD_FORMAT_P216")]
    pub const P216: Self = Self(164);
    /// Video: 8 bits, 4:2:2, packed.
    #[doc(alias = "CU_AD_FORMAT_YUY2")]
    pub const YUY2: Self = Self(165);
    /// Video: 10 bits, 4:2:2, packed.
    #[doc(alias = "CU_AD_FORMAT_Y210")]
    pub const Y210: Self = Self(166);
    /// Video: 16 bits, 4:2:2, packed.
    #[doc(alias = "CU_AD_FORMAT_Y216")]
    pub const Y216: Self = Self(167);
    /// Video: 8 bits, 4:4:4 with alpha, packed.
    #[doc(alias = "CU_AD_FORMAT_AYUV")]
    pub const AYUV: Self = Self(168);
    /// Video: 10 bits, 4:4:4 with 2 bits of alpha, packed.
    #[doc(alias = "CU_AD_FORMAT_Y410")]
    pub const Y410: Self = Self(169);
    /// Video: 16 bits, 4:4:4 with alpha, packed.
    #[doc(alias = "CU_AD_FORMAT_Y416")]
    pub const Y416: Self = Self(177);
    /// Video: 8 bits, 4:4:4, three planes.
    #[doc(alias = "CU_AD_FORMAT_Y444_PLANAR8")]
    pub const Y444_PLANAR8: Self = Self(178);
    /// Video: 10 bits, 4:4:4, three planes.
    #[doc(alias = "CU_AD_FORMAT_Y444_PLANAR10")]
    pub const Y444_PLANAR10: Self = Self(179);
    /// Video: 8 bits, 4:4:4, two planes.
    #[doc(alias = "CU_AD_FORMAT_YUV444_8bit_SemiPlanar")]
    pub const YUV444_8BIT_SEMIPLANAR: Self = Self(180);
    /// Video: 16 bits, 4:4:4, two planes.
    #[doc(alias = "CU_AD_FORMAT_YUV444_16bit_SemiPlanar")]
    pub const YUV444_16BIT_SEMIPLANAR: Self = Self(181);
    /// Video: bytes, 4:2:2, packed.
    #[doc(alias = "CU_AD_FORMAT_UINT8_PACKED_422")]
    pub const UINT8_PACKED_422: Self = Self(81);
    /// Video: bytes, 4:4:4, packed.
    #[doc(alias = "CU_AD_FORMAT_UINT8_PACKED_444")]
    pub const UINT8_PACKED_444: Self = Self(82);
    /// Video: bytes, 4:2:0, two planes.
    #[doc(alias = "CU_AD_FORMAT_UINT8_SEMIPLANAR_420")]
    pub const UINT8_SEMIPLANAR_420: Self = Self(83);
    /// Video: 16 bits, 4:2:0, two planes.
    #[doc(alias = "CU_AD_FORMAT_UINT16_SEMIPLANAR_420")]
    pub const UINT16_SEMIPLANAR_420: Self = Self(84);
    /// Video: bytes, 4:2:2, two planes.
    #[doc(alias = "CU_AD_FORMAT_UINT8_SEMIPLANAR_422")]
    pub const UINT8_SEMIPLANAR_422: Self = Self(85);
    /// Video: 16 bits, 4:2:2, two planes.
    #[doc(alias = "CU_AD_FORMAT_UINT16_SEMIPLANAR_422")]
    pub const UINT16_SEMIPLANAR_422: Self = Self(86);
    /// Video: bytes, 4:4:4, two planes.
    #[doc(alias = "CU_AD_FORMAT_UINT8_SEMIPLANAR_444")]
    pub const UINT8_SEMIPLANAR_444: Self = Self(87);
    /// Video: 16 bits, 4:4:4, two planes.
    #[doc(alias = "CU_AD_FORMAT_UINT16_SEMIPLANAR_444")]
    pub const UINT16_SEMIPLANAR_444: Self = Self(88);
    /// Video: bytes, 4:2:0, three planes.
    #[doc(alias = "CU_AD_FORMAT_UINT8_PLANAR_420")]
    pub const UINT8_PLANAR_420: Self = Self(89);
    /// Video: 16 bits, 4:2:0, three planes.
    #[doc(alias = "CU_AD_FORMAT_UINT16_PLANAR_420")]
    pub const UINT16_PLANAR_420: Self = Self(90);
    /// Video: bytes, 4:2:2, three planes.
    #[doc(alias = "CU_AD_FORMAT_UINT8_PLANAR_422")]
    pub const UINT8_PLANAR_422: Self = Self(91);
    /// Video: 16 bits, 4:2:2, three planes.
    #[doc(alias = "CU_AD_FORMAT_UINT16_PLANAR_422")]
    pub const UINT16_PLANAR_422: Self = Self(92);
    /// Video: bytes, 4:4:4, three planes.
    #[doc(alias = "CU_AD_FORMAT_UINT8_PLANAR_444")]
    pub const UINT8_PLANAR_444: Self = Self(93);
    /// Video: 16 bits, 4:4:4, three planes.
    #[doc(alias = "CU_AD_FORMAT_UINT16_PLANAR_444")]
    pub const UINT16_PLANAR_444: Self = Self(94);
}

numbers! { ArrayFormat:
    UNSIGNED_INT8 UNSIGNED_INT16 UNSIGNED_INT32 SIGNED_INT8 SIGNED_INT16 SIGNED_INT32 HALF FLOAT UNORM_INT8X1
    UNORM_INT8X2 UNORM_INT8X4 UNORM_INT16X1 UNORM_INT16X2 UNORM_INT16X4 SNORM_INT8X1 SNORM_INT8X2 SNORM_INT8X4
    SNORM_INT16X1 SNORM_INT16X2 SNORM_INT16X4 UNORM_INT_101010_2 BC1_UNORM BC1_UNORM_SRGB BC2_UNORM
    BC2_UNORM_SRGB BC3_UNORM BC3_UNORM_SRGB BC4_UNORM BC4_SNORM BC5_UNORM BC5_SNORM BC6H_UF16 BC6H_SF16
    BC7_UNORM BC7_UNORM_SRGB NV12 P010 P016 NV16 P210 P216 YUY2 Y210 Y216 AYUV Y410 Y416 Y444_PLANAR8
    Y444_PLANAR10 YUV444_8BIT_SEMIPLANAR YUV444_16BIT_SEMIPLANAR UINT8_PACKED_422 UINT8_PACKED_444
    UINT8_SEMIPLANAR_420 UINT16_SEMIPLANAR_420 UINT8_SEMIPLANAR_422 UINT16_SEMIPLANAR_422 UINT8_SEMIPLANAR_444
    UINT16_SEMIPLANAR_444 UINT8_PLANAR_420 UINT16_PLANAR_420 UINT8_PLANAR_422 UINT16_PLANAR_422
    UINT8_PLANAR_444 UINT16_PLANAR_444
}
