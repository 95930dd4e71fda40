//! What the channels of an array's elements hold.

/// What an element of an array holds: any number that some driver knows. Names are those of C, without `CU_AD_FORMAT_`.
///
/// The first eight say what a channel holds, and an element has 1, 2 or 4 of them. All others say how many channels there
/// are, and the descriptor has to name that [number](ArrayFormat::channels). What an element takes:
///
/// | formats | |
/// |---|---|
/// | the first eight, `UNORM_INT8X1` to `SNORM_INT16X4` | [bytes](ArrayFormat::channel_bytes) for each channel |
/// | `UNORM_INT_101010_2` | 4 bytes |
/// | `YUY2`, `Y210`, `Y216`, `AYUV`, `Y410`, `Y416` | [4 or 8 bytes](ArrayFormat::element_bytes); safe functions leave such arrays [alone](crate::error::ErrorKind::InvalidArgument) |
/// | `BC1_UNORM` to `BC7_UNORM_SRGB` | [bytes](ArrayFormat::block_bytes) for each block of 4 times 4 elements; sizes that are no multiples of 4 end in a whole block |
/// | video with planes | nothing can be copied but [planes](super::Array::plane), each an array with a format of the first eight |
///
/// Half-precision numbers are `u16`s with their bits, so that no crate for them is needed here.
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

/// What is known of the elements of a format.
#[derive(Clone, Copy)]
enum Elements {
    /// Channels of so many bytes; how many, if the format says so.
    Channels(usize, Option<u32>),
    /// So many bytes, for so many channels.
    Packed(usize, u32),
    /// The same, of video.
    PackedVideo(usize, u32),
    /// Blocks of so many bytes, of so many channels.
    Blocks(usize, u32),
    /// So many planes, of so many channels altogether, if that is known.
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
            // What elements and blocks take, and how many channels there are: T100, T160.
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

    /// Bytes of a channel, if each has its own. `None` also for numbers without a name here.
    pub fn channel_bytes(self) -> Option<usize> {
        if let Elements::Channels(bytes, _) = self.elements()? { Some(bytes) } else { None }
    }

    /// Returns how many channels there have to be, if the format says so and it is known.
    pub fn channels(self) -> Option<u32> {
        match self.elements()? {
            Elements::Channels(_, channels) | Elements::Video(_, channels) => channels,
            Elements::Packed(_, channels)
            | Elements::PackedVideo(_, channels)
            | Elements::Blocks(_, channels) => Some(channels),
        }
    }

    /// Bytes of a block of 4 times 4 elements, if the format is block-compressed.
    pub fn block_bytes(self) -> Option<usize> {
        if let Elements::Blocks(bytes, _) = self.elements()? { Some(bytes) } else { None }
    }

    /// Bytes of an element of so many channels, if all elements have their own bytes and the format is known.
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

    /// Returns how many planes there are: 1, which is the array itself, but for some formats of video. `None` for
    /// numbers without a name here.
    pub fn planes(self) -> Option<u32> {
        if let Elements::Video(planes, _) = self.elements()? { Some(planes) } else { Some(1) }
    }
}
