//! Texture and surface references of a module, and texture and surface objects, at a launch.
//!
//! Texels are read and written by device address, like all other memory. Each level of an array is stored row by row,
//! slice after slice. The layers of a layered array and the faces of a cube are slices.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Storage format of one channel of a texel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Unsigned integer of 8 bits.
    Unsigned8,
    /// Unsigned integer of 16 bits.
    Unsigned16,
    /// Unsigned integer of 32 bits.
    Unsigned32,
    /// Signed integer of 8 bits.
    Signed8,
    /// Signed integer of 16 bits.
    Signed16,
    /// Signed integer of 32 bits.
    Signed32,
    /// Number of half precision.
    Half,
    /// Number of single precision.
    Float,
    /// Integer of 8 bits that always represents a number from 0 to 1.
    Unorm8,
    /// Integer of 16 bits that always represents a number from 0 to 1.
    Unorm16,
    /// Integer of 8 bits that always represents a number from -1 to 1.
    Snorm8,
    /// Integer of 16 bits that always represents a number from -1 to 1.
    Snorm16,
    /// Ten bits that represent a number from 0 to 1, three of them in four bytes. A fourth channel has two bits.
    Unorm10,
}

impl Format {
    /// Returns the bytes of one channel, or of all channels that share their bytes.
    pub fn bytes(self) -> u32 {
        match self {
            Self::Unsigned8 | Self::Signed8 | Self::Unorm8 | Self::Snorm8 => 1,
            Self::Unsigned16 | Self::Signed16 | Self::Half | Self::Unorm16 | Self::Snorm16 => 2,
            Self::Unsigned32 | Self::Signed32 | Self::Float | Self::Unorm10 => 4,
        }
    }

    /// Returns whether a channel is a signed integer.
    pub fn is_signed_integer(self) -> bool {
        matches!(self, Self::Signed8 | Self::Signed16 | Self::Signed32 | Self::Snorm8 | Self::Snorm16)
    }
}

/// Block compression of texels, in blocks of four by four.
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
        /// True if values are signed.
        signed: bool,
    },
    /// BC5: two channels.
    Bc5 {
        /// True if values are signed.
        signed: bool,
    },
    /// BC6H: three channels of half precision.
    Bc6h {
        /// True if values are signed.
        signed: bool,
    },
    /// BC7: four channels of 8 bits.
    Bc7,
}

impl Codec {
    /// Returns the format of the channels of a decoded texel.
    pub fn format(self) -> Format {
        match self {
            Self::Bc1 | Self::Bc2 | Self::Bc3 | Self::Bc7 => Format::Unorm8,
            Self::Bc4 { signed: false } | Self::Bc5 { signed: false } => Format::Unorm16,
            Self::Bc4 { signed: true } | Self::Bc5 { signed: true } => Format::Snorm16,
            Self::Bc6h { .. } => Format::Half,
        }
    }

    /// Returns the number of channels.
    pub fn channels(self) -> u32 {
        match self {
            Self::Bc4 { .. } => 1,
            Self::Bc5 { .. } => 2,
            Self::Bc6h { .. } => 3,
            Self::Bc1 | Self::Bc2 | Self::Bc3 | Self::Bc7 => 4,
        }
    }

    /// Returns the bytes of a block.
    pub fn bytes(self) -> u32 {
        match self {
            Self::Bc1 | Self::Bc4 { .. } => 8,
            _ => 16,
        }
    }

    /// Converts a border colour to the texel format: values that the channels can hold, and 0 and opaque for missing
    /// channels.
    ///
    /// Returns `None` if the hardware's conversion is not known. Half a step rounds down (measured with 1/2).
    pub fn border(self, border: [f32; 4]) -> Option<[f32; 4]> {
        let steps = |least: f32, most: f32| {
            move |value: f32| {
                let scaled = f64::from(value.clamp(least, 1.0)) * f64::from(most);
                let off = (scaled.fract().abs() - 0.5).abs();
                let known = off > 0.01 || off == 0.0 && scaled > 0.0;
                // Negative values become positive zero.
                known.then(|| ((scaled - 0.5).ceil() / f64::from(most)) as f32 + 0.0)
            }
        };
        let channel: &dyn Fn(f32) -> Option<f32> = match self.format() {
            Format::Unorm8 => &steps(0.0, 255.0),
            Format::Unorm16 => &steps(0.0, 65535.0),
            Format::Snorm16 => &steps(-1.0, 32767.0),
            // Halves hold values of at most ten fraction bits.
            _ => &|value: f32| (value.to_bits() & 0x1fff == 0 && value.abs() <= 65504.0).then_some(value),
        };
        let mut own = [0.0, 0.0, 0.0, 1.0];
        for (to, from) in own.iter_mut().zip(border).take(self.channels() as usize) {
            *to = channel(from)?;
        }
        Some(own)
    }
}

/// Format of a texel, or of a block of texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Texel {
    /// Format of a channel.
    pub format: Format,
    /// Number of channels: 1, 2 or 4. For a block, the number of channels that a kernel reads.
    pub channels: u32,
    /// Compression, if texels are compressed.
    pub codec: Option<Codec>,
}

impl Texel {
    /// Creates an uncompressed texel.
    pub fn new(format: Format, channels: u32) -> Self {
        Self { format, channels, codec: None }
    }

    /// Returns the bytes of a texel, or of a block.
    pub fn bytes(self) -> u32 {
        match (self.codec, self.format) {
            (Some(codec), _) => codec.bytes(),
            (None, Format::Unorm10) => self.format.bytes(),
            (None, _) => self.format.bytes() * self.channels,
        }
    }

    /// Returns the number of texels along one side of a stored unit.
    pub fn side(self) -> u32 {
        if self.codec.is_some() { BLOCK_SIDE } else { 1 }
    }
}

/// Texels along a side of a block.
pub const BLOCK_SIDE: u32 = 4;

/// Arrangement of texels.
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
    /// Returns the number of coordinates in one slice.
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
    /// Device address of the first texel.
    pub address: u64,
    /// Size in texels. The depth counts slices of any kind.
    pub size: [u32; 3],
    /// Bytes from one row of texels or blocks to the next.
    pub row: u64,
    /// Bytes from one slice to the next.
    pub slice: u64,
}

/// Texels in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Format of a channel.
    pub format: Format,
    /// Number of channels: 1, 2 or 4. For a block, the number of channels that a kernel reads.
    pub channels: u32,
    /// Compression, if texels are compressed.
    pub codec: Option<Codec>,
    /// Arrangement of the texels.
    pub shape: Shape,
    /// Levels, the largest first. Images without mipmaps have one.
    pub levels: Vec<Level>,
}

impl Image {
    /// Returns the description of a texel.
    pub fn texel(&self) -> Texel {
        Texel { format: self.format, channels: self.channels, codec: self.codec }
    }

    /// Returns the value outside of all texels: zeros, or opaque black for formats without opacity (measured).
    pub fn nothing(&self) -> [u32; 4] {
        let opaque = self.channels == 4 && self.codec.is_some_and(|codec| codec.channels() < 4);
        [0, 0, 0, if opaque { 1.0_f32.to_bits() } else { 0 }]
    }

    /// Returns the bytes of one texel, or of one block.
    pub fn texel_bytes(&self) -> u32 {
        self.texel().bytes()
    }
}

/// Meaning of a coordinate outside of the image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AddressMode {
    /// Repetition of the image.
    #[default]
    Wrap,
    /// Nearest texel at the edge.
    Clamp,
    /// Repetition of the image, mirrored every other time.
    Mirror,
    /// Border colour.
    Border,
}

/// Computation of a value between texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Filter {
    /// Nearest texel.
    #[default]
    Point,
    /// Weighted sum of the nearest texels.
    Linear,
}

/// Image, and the parameters of reading it.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture {
    /// The image.
    pub image: Image,
    /// Address mode of each dimension.
    pub addresses: [AddressMode; 3],
    /// Filter within a level.
    pub filter: Filter,
    /// Filter between levels.
    pub level_filter: Filter,
    /// Bias, added to the level of detail.
    pub bias: f32,
    /// Least and greatest level of detail.
    pub level_range: [f32; 2],
    /// Limit of the samples along the longer axis of a footprint. Up to 1, footprints are circles.
    pub anisotropy: u32,
    /// Border colour.
    pub border: [f32; 4],
    /// True if integers of 8 and 16 bits are read as integers, not as fractions.
    pub reads_integers: bool,
    /// True if coordinates go from 0 to 1.
    pub normalized: bool,
    /// True if the image is an array that can have levels.
    pub mipmapped: bool,
    /// True if colours are stored by the sRGB curve.
    pub srgb: bool,
}

/// Resource that is bound to a reference or an object.
#[derive(Debug, Clone, PartialEq)]
pub enum Resource {
    /// A texture.
    Texture(Texture),
    /// Surface, with one level.
    Surface(Image),
    /// Array without memory. Reads return zeros, and writes have no effect.
    Hole,
    /// Array whose deferred memory was never bound. Every access is a fault.
    Nowhere,
    /// Valid resource whose accesses the engine does not support.
    Unsupported(&'static str),
}

/// All images that kernels of a launch can access as textures or surfaces.
#[derive(Debug, Clone, Default)]
pub struct Textures {
    /// Bindings of the module's references, in the order of [`Program::references`](crate::Program::references).
    pub references: Vec<Option<Resource>>,
    /// Texture and surface objects of the context by their numbers.
    pub objects: Arc<BTreeMap<u64, Resource>>,
}

/// Returns the address that stands for a reference. It is outside of all windows and all memory.
pub(super) fn reference_address(index: usize) -> u64 {
    REFERENCES + ((index as u64) << 8)
}

const REFERENCES: u64 = 1 << 41;

/// Meaning of a handle.
#[derive(Debug, Clone, Copy)]
pub(super) enum Named<'a> {
    /// Reference, and the resource bound to it, if there is one.
    Reference(Option<&'a Resource>),
    /// Number in the range of objects, with the object if it exists.
    Object(Option<&'a Resource>),
    /// Number above the range of objects.
    Unknown,
}

/// Bits of a handle that are the number of an object (conformance fact T130).
const NUMBER: u64 = 0xfffff;

/// Last number that may stand for no object (conformance fact T130).
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
