//! Formats of array elements.

/// Format of an array element: any number that some driver knows. Names are those of C, without `CU_AD_FORMAT_`.
///
/// The first eight formats are formats of a channel, and an element has 1, 2 or 4 channels. All other formats fix the number of
/// channels, and the descriptor must have that [number](ArrayFormat::channels). The size of an element:
///
/// | formats | size |
/// |---|---|
/// | the first eight, `UNORM_INT8X1` to `SNORM_INT16X4` | [bytes](ArrayFormat::channel_bytes) for each channel |
/// | `UNORM_INT_101010_2` | 4 bytes |
/// | `YUY2`, `Y210`, `Y216`, `AYUV`, `Y410`, `Y416` | [4 or 8 bytes](ArrayFormat::element_bytes); safe functions [refuse](crate::error::ErrorKind::InvalidArgument) such arrays |
/// | `BC1_UNORM` to `BC7_UNORM_SRGB` | [bytes](ArrayFormat::block_bytes) for each block of 4 times 4 elements; if a size is no multiple of 4, its last block is whole |
/// | video with planes | only [planes](super::Array::plane) can be copied; each is an array with a format of the first eight |
///
/// Half-precision numbers are `u16`s with their bits, so that this crate needs no crate for them.
///
/// ```
/// use cuda_rt::array::ArrayFormat;
///
/// assert_eq!(ArrayFormat::HALF.to_string(), "HALF");
/// assert_eq!(ArrayFormat::HALF.channel_bytes(), Some(2));
/// assert_eq!(ArrayFormat::UNORM_INT8X2.channels(), Some(2));
/// assert_eq!(ArrayFormat::UNORM_INT_101010_2.element_bytes(4), Some(4));
/// assert_eq!(ArrayFormat::BC1_UNORM.block_bytes(), Some(8));
/// assert_eq!(ArrayFormat::BC1_UNORM.element_bytes(4), None); // half a byte
/// assert_eq!(ArrayFormat::NV12.planes(), Some(2));
/// assert_eq!(ArrayFormat(999).to_string(), "ArrayFormat(999)");
/// ```
#[doc(alias = "CUarray_format")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayFormat(pub u32);

/// Known properties of the elements of a format.
#[derive(Clone, Copy)]
enum Elements {
    /// Bytes of a channel, and the number of channels if the format fixes it.
    Channels(usize, Option<u32>),
    /// Bytes of an element, and the number of channels.
    Packed(usize, u32),
    /// The same, for formats of video.
    PackedVideo(usize, u32),
    /// Bytes of a block, and the number of channels.
    Blocks(usize, u32),
    /// Number of planes, and of all channels if that is known.
    Video(u32, Option<u32>),
}

// Its rows are in generator/numbers.tsv.
include!("../generated/array_format.rs");

impl ArrayFormat {
    fn elements(self) -> Option<Elements> {
        use Elements::{Blocks, Channels, Packed, PackedVideo, Video};
        Some(match self {
            Self::UNSIGNED_INT8 | Self::SIGNED_INT8 => Channels(1, None),
            Self::UNSIGNED_INT16 | Self::SIGNED_INT16 | Self::HALF => Channels(2, None),
            Self::UNSIGNED_INT32 | Self::SIGNED_INT32 | Self::FLOAT => Channels(4, None),
            Self::UNORM_INT8X1 | Self::SNORM_INT8X1 => Channels(1, Some(1)),
            Self::UNORM_INT8X2 | Self::SNORM_INT8X2 => Channels(1, Some(2)),
            Self::UNORM_INT8X4 | Self::SNORM_INT8X4 => Channels(1, Some(4)),
            Self::UNORM_INT16X1 | Self::SNORM_INT16X1 => Channels(2, Some(1)),
            Self::UNORM_INT16X2 | Self::SNORM_INT16X2 => Channels(2, Some(2)),
            Self::UNORM_INT16X4 | Self::SNORM_INT16X4 => Channels(2, Some(4)),
            Self::UNORM_INT_101010_2 => Packed(4, 4),
            // Sizes of elements and blocks, and numbers of channels: T100, T160.
            Self::BC1_UNORM | Self::BC1_UNORM_SRGB => Blocks(8, 4),
            Self::BC2_UNORM | Self::BC2_UNORM_SRGB | Self::BC3_UNORM | Self::BC3_UNORM_SRGB => Blocks(16, 4),
            Self::BC4_UNORM | Self::BC4_SNORM => Blocks(8, 1),
            Self::BC5_UNORM | Self::BC5_SNORM => Blocks(16, 2),
            Self::BC6H_UF16 | Self::BC6H_SF16 => Blocks(16, 3),
            Self::BC7_UNORM | Self::BC7_UNORM_SRGB => Blocks(16, 4),
            Self::NV12
            | Self::P010
            | Self::P016
            | Self::NV16
            | Self::P210
            | Self::P216
            | Self::YUV444_8BIT_SEMIPLANAR
            | Self::YUV444_16BIT_SEMIPLANAR => Video(2, Some(3)),
            Self::Y444_PLANAR8 | Self::Y444_PLANAR10 => Video(3, Some(3)),
            Self::YUY2 | Self::AYUV => PackedVideo(4, 4),
            Self::Y210 | Self::Y216 => PackedVideo(4, 2),
            Self::Y410 => PackedVideo(4, 1),
            Self::Y416 => PackedVideo(8, 4),
            Self::UINT8_PACKED_422 | Self::UINT8_PACKED_444 => Video(1, None),
            Self::UINT8_SEMIPLANAR_420
            | Self::UINT16_SEMIPLANAR_420
            | Self::UINT8_SEMIPLANAR_422
            | Self::UINT16_SEMIPLANAR_422
            | Self::UINT8_SEMIPLANAR_444
            | Self::UINT16_SEMIPLANAR_444 => Video(2, None),
            Self::UINT8_PLANAR_420
            | Self::UINT16_PLANAR_420
            | Self::UINT8_PLANAR_422
            | Self::UINT16_PLANAR_422
            | Self::UINT8_PLANAR_444
            | Self::UINT16_PLANAR_444 => Video(3, None),
            _ => return None,
        })
    }

    /// Returns the bytes of a channel, if each has its own. `None` also for numbers without a name here.
    pub fn channel_bytes(self) -> Option<usize> {
        if let Elements::Channels(bytes, _) = self.elements()? { Some(bytes) } else { None }
    }

    /// Returns the required number of channels, if the format fixes it and it is known.
    pub fn channels(self) -> Option<u32> {
        match self.elements()? {
            Elements::Channels(_, channels) | Elements::Video(_, channels) => channels,
            Elements::Packed(_, channels)
            | Elements::PackedVideo(_, channels)
            | Elements::Blocks(_, channels) => Some(channels),
        }
    }

    /// Returns the bytes of a block of 4 times 4 elements, if the format is block-compressed.
    pub fn block_bytes(self) -> Option<usize> {
        if let Elements::Blocks(bytes, _) = self.elements()? { Some(bytes) } else { None }
    }

    /// Returns the bytes of an element with `channels` channels, if each element has its own bytes and the format is known.
    pub fn element_bytes(self, channels: u32) -> Option<usize> {
        match self.elements()? {
            Elements::Channels(bytes, _) => bytes.checked_mul(usize::try_from(channels).ok()?),
            Elements::Packed(bytes, _) | Elements::PackedVideo(bytes, _) => Some(bytes),
            Elements::Blocks(..) | Elements::Video(..) => None,
        }
    }

    /// Returns whether drivers mix up the memory of arrays of this format: facts T167 and T169.
    pub(super) fn is_packed_video(self) -> bool {
        matches!(ArrayFormat(self.0 & 0xff).elements(), Some(Elements::PackedVideo(..)))
    }

    /// Returns the number of planes: 1, which is the array itself, except for some formats of video. `None` for numbers without a
    /// name here.
    pub fn planes(self) -> Option<u32> {
        if let Elements::Video(planes, _) = self.elements()? { Some(planes) } else { Some(1) }
    }
}
