//! Contents of arrays by format.

use crate::driver::Answer;
use core::ffi::c_uint;
use cuda_sim_engine::{Codec, Format, Texel};
use cuda_sys::{CUarray_format, CUarray_format_enum as Ad, CUresult};

/// Contents of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// Texels that can be sampled, or blocks of them.
    Texels(Texel),
    /// Texels of a video format with their size in bytes. They can only be copied.
    Video(u32),
    /// Planes, which are arrays of their own.
    Planes(Planes),
}

/// Planes of an image: brightness, and two colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Planes {
    /// Format of the channels of all planes.
    pub(crate) format: CUarray_format,
    /// True if each colour has a plane of its own, false if one plane has two channels.
    pub(crate) apart: bool,
    /// Factors by which the planes of the colours are narrower and lower.
    pub(crate) smaller: [usize; 2],
}

impl Content {
    /// Returns the texels, if they can be sampled.
    pub(crate) fn texel(self) -> Option<Texel> {
        match self {
            Self::Texels(texel) => Some(texel),
            _ => None,
        }
    }

    /// Returns the size in bytes of a stored unit, which is a texel or a block. Returns `None` for planes.
    pub(crate) fn unit(self) -> Option<u32> {
        match self {
            Self::Texels(texel) => Some(texel.bytes()),
            Self::Video(bytes) => Some(bytes),
            Self::Planes(_) => None,
        }
    }

    /// Returns the number of texels along one side of a stored unit.
    pub(crate) fn side(self) -> u32 {
        self.texel().map_or(1, Texel::side)
    }

    pub(crate) fn codec(self) -> Option<Codec> {
        self.texel()?.codec
    }
}

/// Permitted numbers of channels.
#[derive(Clone, Copy)]
enum Channels {
    Any,
    Just(u32),
}

/// Returns the contents of compressed blocks, and the number of channels of an array: that of the codec. Texels are
/// sampled as four channels.
fn blocks(codec: Codec) -> (Content, Channels) {
    let texel = Texel { format: codec.format(), channels: 4, codec: Some(codec) };
    (Content::Texels(texel), Channels::Just(codec.channels()))
}

/// Returns the contents of an array of a format. Fails if the format does not exist, or does not permit this number of
/// channels. Only the lowest byte of the format counts (conformance fact T100).
pub(crate) fn content_of(format: CUarray_format, channels: c_uint) -> Answer<Content> {
    let any = |format: Format| (Content::Texels(Texel::new(format, channels)), Channels::Any);
    let just =
        |format: Format, count: u32| (Content::Texels(Texel::new(format, count)), Channels::Just(count));
    let planes = |format: CUarray_format, apart: bool, smaller: [usize; 2]| {
        (Content::Planes(Planes { format, apart, smaller }), Channels::Just(3))
    };
    let video = |bytes: u32, count: u32| (Content::Video(bytes), Channels::Just(count));
    const BYTES: CUarray_format = Ad::CU_AD_FORMAT_UNSIGNED_INT8;
    const WORDS: CUarray_format = Ad::CU_AD_FORMAT_UNSIGNED_INT16;
    let (content, allowed) = match CUarray_format(format.0 & 0xff) {
        Ad::CU_AD_FORMAT_UNSIGNED_INT8 => any(Format::Unsigned8),
        Ad::CU_AD_FORMAT_UNSIGNED_INT16 => any(Format::Unsigned16),
        Ad::CU_AD_FORMAT_UNSIGNED_INT32 => any(Format::Unsigned32),
        Ad::CU_AD_FORMAT_SIGNED_INT8 => any(Format::Signed8),
        Ad::CU_AD_FORMAT_SIGNED_INT16 => any(Format::Signed16),
        Ad::CU_AD_FORMAT_SIGNED_INT32 => any(Format::Signed32),
        Ad::CU_AD_FORMAT_HALF => any(Format::Half),
        Ad::CU_AD_FORMAT_FLOAT => any(Format::Float),
        Ad::CU_AD_FORMAT_UNORM_INT8X1 => just(Format::Unorm8, 1),
        Ad::CU_AD_FORMAT_UNORM_INT8X2 => just(Format::Unorm8, 2),
        Ad::CU_AD_FORMAT_UNORM_INT8X4 => just(Format::Unorm8, 4),
        Ad::CU_AD_FORMAT_UNORM_INT16X1 => just(Format::Unorm16, 1),
        Ad::CU_AD_FORMAT_UNORM_INT16X2 => just(Format::Unorm16, 2),
        Ad::CU_AD_FORMAT_UNORM_INT16X4 => just(Format::Unorm16, 4),
        Ad::CU_AD_FORMAT_SNORM_INT8X1 => just(Format::Snorm8, 1),
        Ad::CU_AD_FORMAT_SNORM_INT8X2 => just(Format::Snorm8, 2),
        Ad::CU_AD_FORMAT_SNORM_INT8X4 => just(Format::Snorm8, 4),
        Ad::CU_AD_FORMAT_SNORM_INT16X1 => just(Format::Snorm16, 1),
        Ad::CU_AD_FORMAT_SNORM_INT16X2 => just(Format::Snorm16, 2),
        Ad::CU_AD_FORMAT_SNORM_INT16X4 => just(Format::Snorm16, 4),
        Ad::CU_AD_FORMAT_UNORM_INT_101010_2 => just(Format::Unorm10, 4),
        Ad::CU_AD_FORMAT_BC1_UNORM | Ad::CU_AD_FORMAT_BC1_UNORM_SRGB => blocks(Codec::Bc1),
        Ad::CU_AD_FORMAT_BC2_UNORM | Ad::CU_AD_FORMAT_BC2_UNORM_SRGB => blocks(Codec::Bc2),
        Ad::CU_AD_FORMAT_BC3_UNORM | Ad::CU_AD_FORMAT_BC3_UNORM_SRGB => blocks(Codec::Bc3),
        Ad::CU_AD_FORMAT_BC4_UNORM => blocks(Codec::Bc4 { signed: false }),
        Ad::CU_AD_FORMAT_BC4_SNORM => blocks(Codec::Bc4 { signed: true }),
        Ad::CU_AD_FORMAT_BC5_UNORM => blocks(Codec::Bc5 { signed: false }),
        Ad::CU_AD_FORMAT_BC5_SNORM => blocks(Codec::Bc5 { signed: true }),
        Ad::CU_AD_FORMAT_BC6H_UF16 => blocks(Codec::Bc6h { signed: false }),
        Ad::CU_AD_FORMAT_BC6H_SF16 => blocks(Codec::Bc6h { signed: true }),
        Ad::CU_AD_FORMAT_BC7_UNORM | Ad::CU_AD_FORMAT_BC7_UNORM_SRGB => blocks(Codec::Bc7),
        Ad::CU_AD_FORMAT_NV12 => planes(BYTES, false, [2, 2]),
        Ad::CU_AD_FORMAT_P010 | Ad::CU_AD_FORMAT_P016 => planes(WORDS, false, [2, 2]),
        Ad::CU_AD_FORMAT_NV16 => planes(BYTES, false, [2, 1]),
        Ad::CU_AD_FORMAT_P210 | Ad::CU_AD_FORMAT_P216 => planes(WORDS, false, [2, 1]),
        Ad::CU_AD_FORMAT_Y444_PLANAR8 => planes(BYTES, true, [1, 1]),
        Ad::CU_AD_FORMAT_Y444_PLANAR10 => planes(WORDS, true, [1, 1]),
        Ad::CU_AD_FORMAT_YUV444_8bit_SemiPlanar => planes(BYTES, false, [1, 1]),
        Ad::CU_AD_FORMAT_YUV444_16bit_SemiPlanar => planes(WORDS, false, [1, 1]),
        Ad::CU_AD_FORMAT_YUY2 | Ad::CU_AD_FORMAT_AYUV => video(4, 4),
        Ad::CU_AD_FORMAT_Y210 | Ad::CU_AD_FORMAT_Y216 => video(4, 2),
        Ad::CU_AD_FORMAT_Y410 => video(4, 1),
        Ad::CU_AD_FORMAT_Y416 => video(8, 4),
        // This includes the formats of packed and planar video that were introduced in CUDA 13, which are refused
        // (measured).
        _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    };
    let fits = match allowed {
        Channels::Any => matches!(channels, 1 | 2 | 4),
        Channels::Just(count) => channels == count,
    };
    if fits { Ok(content) } else { Err(CUresult::CUDA_ERROR_INVALID_VALUE) }
}

/// Returns whether textures of arrays of a format must be read by the sRGB curve (measured).
pub(crate) fn is_srgb(format: CUarray_format) -> bool {
    matches!(
        CUarray_format(format.0 & 0xff),
        Ad::CU_AD_FORMAT_BC1_UNORM_SRGB
            | Ad::CU_AD_FORMAT_BC2_UNORM_SRGB
            | Ad::CU_AD_FORMAT_BC3_UNORM_SRGB
            | Ad::CU_AD_FORMAT_BC7_UNORM_SRGB
    )
}

/// Returns the texels of plain memory: the old formats, and the ten-bit format with the requested number of channels
/// (measured).
pub(crate) fn plain_texel(format: CUarray_format, channels: c_uint) -> Answer<Texel> {
    let is_plain = matches!(
        format,
        Ad::CU_AD_FORMAT_UNSIGNED_INT8
            | Ad::CU_AD_FORMAT_UNSIGNED_INT16
            | Ad::CU_AD_FORMAT_UNSIGNED_INT32
            | Ad::CU_AD_FORMAT_SIGNED_INT8
            | Ad::CU_AD_FORMAT_SIGNED_INT16
            | Ad::CU_AD_FORMAT_SIGNED_INT32
            | Ad::CU_AD_FORMAT_HALF
            | Ad::CU_AD_FORMAT_FLOAT
    );
    let content = match format {
        Ad::CU_AD_FORMAT_UNORM_INT_101010_2 if matches!(channels, 1 | 2 | 4) => {
            return Ok(Texel::new(Format::Unorm10, channels));
        }
        _ if is_plain => content_of(format, channels)?,
        _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    };
    content.texel().ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)
}
