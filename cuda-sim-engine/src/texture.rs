//! What the texture and surface references of a module, and the handles of objects, mean at a launch.
//!
//! Texels are read and written by device address, like everything else. Every level of an array lies row by row, slice
//! after slice; the layers of a layered array and the faces of a cube are slices.

use std::collections::BTreeMap;
use std::sync::Arc;

/// What one channel of a texel is in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Unsigned integers of 8 bits.
    Unsigned8,
    /// Unsigned integers of 16 bits.
    Unsigned16,
    /// Unsigned integers of 32 bits.
    Unsigned32,
    /// Signed integers of 8 bits.
    Signed8,
    /// Signed integers of 16 bits.
    Signed16,
    /// Signed integers of 32 bits.
    Signed32,
    /// Numbers of half precision.
    Half,
    /// Numbers of single precision.
    Float,
    /// Integers that stand for numbers from 0 to 1, always.
    Unorm8,
    /// The same with 16 bits.
    Unorm16,
    /// Integers that stand for numbers from -1 to 1, always.
    Snorm8,
    /// The same with 16 bits.
    Snorm16,
    /// Ten bits that stand for numbers from 0 to 1, three of them in four bytes; a fourth channel has two bits.
    Unorm10,
}

impl Format {
    /// Bytes of one channel, or of all those that share theirs.
    pub fn bytes(self) -> u32 {
        match self {
            Self::Unsigned8 | Self::Signed8 | Self::Unorm8 | Self::Snorm8 => 1,
            Self::Unsigned16 | Self::Signed16 | Self::Half | Self::Unorm16 | Self::Snorm16 => 2,
            Self::Unsigned32 | Self::Signed32 | Self::Float | Self::Unorm10 => 4,
        }
    }

    /// Returns whether a channel is an integer that may be below zero.
    pub fn is_signed_integer(self) -> bool {
        matches!(self, Self::Signed8 | Self::Signed16 | Self::Signed32 | Self::Snorm8 | Self::Snorm16)
    }
}

/// How texels are compressed: in blocks of four by four.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    /// BC1: two colours of 16 bits.
    Bc1,
    /// BC2: BC1 with an opacity of 4 bits for each texel.
    Bc2,
    /// BC3: BC1 with two opacities.
    Bc3,
    /// BC4: one channel.
    Bc4 {
        /// True if values may be below zero.
        signed: bool,
    },
    /// BC5: two channels.
    Bc5 {
        /// True if values may be below zero.
        signed: bool,
    },
    /// BC6H: three channels of half precision.
    Bc6h {
        /// True if values may be below zero.
        signed: bool,
    },
    /// BC7: four channels of 8 bits.
    Bc7,
}

impl Codec {
    /// What the channels of its texels are.
    pub fn format(self) -> Format {
        match self {
            Self::Bc1 | Self::Bc2 | Self::Bc3 | Self::Bc7 => Format::Unorm8,
            Self::Bc4 { signed: false } | Self::Bc5 { signed: false } => Format::Unorm16,
            Self::Bc4 { signed: true } | Self::Bc5 { signed: true } => Format::Snorm16,
            Self::Bc6h { .. } => Format::Half,
        }
    }

    /// How many channels it has.
    pub fn channels(self) -> u32 {
        match self {
            Self::Bc4 { .. } => 1,
            Self::Bc5 { .. } => 2,
            Self::Bc6h { .. } => 3,
            Self::Bc1 | Self::Bc2 | Self::Bc3 | Self::Bc7 => 4,
        }
    }

    /// Bytes of a block.
    pub fn bytes(self) -> u32 {
        match self {
            Self::Bc1 | Self::Bc4 { .. } => 8,
            _ => 16,
        }
    }

    /// A border colour as the texels have it: what the channels can hold, and 0 and opaque where there are none. `None`
    /// if it is not known what hardware makes of it. The half of a step goes down (measured with 1/2).
    pub fn border(self, border: [f32; 4]) -> Option<[f32; 4]> {
        let steps = |least: f32, most: f32| {
            move |value: f32| {
                let scaled = f64::from(value.clamp(least, 1.0)) * f64::from(most);
                let off = (scaled.fract().abs() - 0.5).abs();
                let known = off > 0.01 || off == 0.0 && scaled > 0.0;
                // What was below zero is zero, without a sign.
                known.then(|| ((scaled - 0.5).ceil() / f64::from(most)) as f32 + 0.0)
            }
        };
        let channel: &dyn Fn(f32) -> Option<f32> = match self.format() {
            Format::Unorm8 => &steps(0.0, 255.0),
            Format::Unorm16 => &steps(0.0, 65535.0),
            Format::Snorm16 => &steps(-1.0, 32767.0),
            // Halves hold what has no more than ten bits.
            _ => &|value: f32| (value.to_bits() & 0x1fff == 0 && value.abs() <= 65504.0).then_some(value),
        };
        let mut own = [0.0, 0.0, 0.0, 1.0];
        for (to, from) in own.iter_mut().zip(border).take(self.channels() as usize) {
            *to = channel(from)?;
        }
        Some(own)
    }
}

/// What a texel is, or what blocks of texels are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Texel {
    /// The format of a channel.
    pub format: Format,
    /// 1, 2 or 4; as many as are seen of those of a block.
    pub channels: u32,
    /// The compression, if texels are compressed.
    pub codec: Option<Codec>,
}

impl Texel {
    /// Creates a texel that is not compressed.
    pub fn new(format: Format, channels: u32) -> Self {
        Self { format, channels, codec: None }
    }

    /// Bytes of a texel, or of a block.
    pub fn bytes(self) -> u32 {
        match (self.codec, self.format) {
            (Some(codec), _) => codec.bytes(),
            (None, Format::Unorm10) => self.format.bytes(),
            (None, _) => self.format.bytes() * self.channels,
        }
    }

    /// Texels along a side of what is stored in one piece.
    pub fn side(self) -> u32 {
        if self.codec.is_some() { BLOCK_SIDE } else { 1 }
    }
}

/// Texels along a side of a block.
pub const BLOCK_SIDE: u32 = 4;

/// How texels are arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Texels of plain memory, one after another.
    Linear,
    /// Rows of plain memory.
    Pitched,
    /// An array of one, two or three dimensions.
    Array(u8),
    /// Layers of one or two dimensions.
    Layered(u8),
    /// The six faces of a cube.
    Cube,
    /// Six layers for every cube.
    LayeredCube,
}

impl Shape {
    /// How many coordinates there are to a place in one slice.
    pub fn dimensions(self) -> u8 {
        match self {
            Self::Linear => 1,
            Self::Pitched | Self::Cube | Self::LayeredCube => 2,
            Self::Array(dimensions) | Self::Layered(dimensions) => dimensions,
        }
    }
}

/// One level of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// The device address of its first texel.
    pub address: u64,
    /// Size in texels; the depth counts slices, whatever they are.
    pub size: [u32; 3],
    /// Bytes from one row to the next, of texels or of blocks.
    pub row: u64,
    /// Bytes from one slice to the next.
    pub slice: u64,
}

/// Texels in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// The format of a channel.
    pub format: Format,
    /// 1, 2 or 4; as many as are seen of those of a block.
    pub channels: u32,
    /// The compression, if texels are compressed.
    pub codec: Option<Codec>,
    /// The arrangement of the texels.
    pub shape: Shape,
    /// The largest first; one for images without more.
    pub levels: Vec<Level>,
}

impl Image {
    /// Returns the description of a texel.
    pub fn texel(&self) -> Texel {
        Texel { format: self.format, channels: self.channels, codec: self.codec }
    }

    /// What is read where there is no texel: nothing, or black where texels have no opacity of their own (measured).
    pub fn nothing(&self) -> [u32; 4] {
        let opaque = self.channels == 4 && self.codec.is_some_and(|codec| codec.channels() < 4);
        [0, 0, 0, if opaque { 1.0_f32.to_bits() } else { 0 }]
    }

    /// Bytes of one texel, or of one block.
    pub fn texel_bytes(&self) -> u32 {
        self.texel().bytes()
    }
}

/// What a coordinate outside of the image means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AddressMode {
    /// The image is repeated.
    #[default]
    Wrap,
    /// The nearest texel at the edge.
    Clamp,
    /// The image is repeated, every other time mirrored.
    Mirror,
    /// The border colour.
    Border,
}

/// How a value between texels is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Filter {
    /// The nearest texel.
    #[default]
    Point,
    /// A weighted sum of the nearest texels.
    Linear,
}

/// An image and the way to read it.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture {
    /// The image.
    pub image: Image,
    /// The address mode of each dimension.
    pub addresses: [AddressMode; 3],
    /// The filter within a level.
    pub filter: Filter,
    /// The filter between levels.
    pub level_filter: Filter,
    /// Added to the level of detail.
    pub bias: f32,
    /// The least and the greatest level of detail.
    pub level_range: [f32; 2],
    /// The most samples along the longer axis of a footprint; up to 1, footprints are circles.
    pub anisotropy: u32,
    /// The border colour.
    pub border: [f32; 4],
    /// Integers of 8 and 16 bits are read as they are, not as fractions.
    pub reads_integers: bool,
    /// Coordinates go from 0 to 1.
    pub normalized: bool,
    /// The image is an array that can have levels.
    pub mipmapped: bool,
    /// Colours are stored by the sRGB curve.
    pub srgb: bool,
}

/// What a reference or an object is.
#[derive(Debug, Clone, PartialEq)]
pub enum Resource {
    /// A texture.
    Texture(Texture),
    /// A surface has one level.
    Surface(Image),
    /// An array without memory: zeros are read, and nothing is kept.
    Hole,
    /// An array whose memory was to be given later, and was not: every access is a fault.
    Nowhere,
    /// What there is, but not what an access to it does.
    Unsupported(&'static str),
}

/// Everything that kernels of a launch can sample or access as a surface.
#[derive(Debug, Clone, Default)]
pub struct Textures {
    /// The bindings of the module's references, in the order of [`Program::references`](crate::Program::references).
    pub references: Vec<Option<Resource>>,
    /// Texture and surface objects of the context by their numbers.
    pub objects: Arc<BTreeMap<u64, Resource>>,
}

/// The address that stands for a reference. It lies in no window and in no memory.
pub(super) fn reference_address(index: usize) -> u64 {
    REFERENCES + ((index as u64) << 8)
}

const REFERENCES: u64 = 1 << 41;

/// What a handle names.
#[derive(Debug, Clone, Copy)]
pub(super) enum Named<'a> {
    /// A reference, and what is bound to it, if anything.
    Reference(Option<&'a Resource>),
    /// The number of an object, or of none.
    Object(Option<&'a Resource>),
    /// A number that is too large.
    Unknown,
}

/// The bits of a handle that are an object's number (T130).
const NUMBER: u64 = 0xfffff;

/// The last number that may stand for nothing (T130).
const LAST_FREE: u64 = 0xffff;

impl Textures {
    pub(super) fn named(&self, handle: u64) -> Named<'_> {
        let offset = handle.wrapping_sub(REFERENCES);
        if offset & 0xff == 0
            && let Ok(index) = usize::try_from(offset >> 8)
            && let Some(resource) = self.references.get(index)
        {
            return Named::Reference(resource.as_ref());
        }
        let number = handle & NUMBER;
        match self.objects.get(&number) {
            None if number > LAST_FREE => Named::Unknown,
            resource => Named::Object(resource),
        }
    }
}
