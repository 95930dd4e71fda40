//! What the texture and surface references of a module, and the handles of objects, mean at a launch.
//!
//! Texels are read and written by device address, like everything else. Every level of an array lies row by row, slice
//! after slice; the layers of a layered array and the faces of a cube are slices.

use std::collections::BTreeMap;
use std::sync::Arc;

/// What one channel of a texel is in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Unsigned8,
    Unsigned16,
    Unsigned32,
    Signed8,
    Signed16,
    Signed32,
    Half,
    Float,
    /// Integers that stand for numbers from 0 to 1, always.
    Unorm8,
    Unorm16,
    /// Integers that stand for numbers from -1 to 1, always.
    Snorm8,
    Snorm16,
}

impl Format {
    /// Bytes of one channel.
    pub(crate) fn bytes(self) -> u32 {
        match self {
            Self::Unsigned8 | Self::Signed8 | Self::Unorm8 | Self::Snorm8 => 1,
            Self::Unsigned16 | Self::Signed16 | Self::Half | Self::Unorm16 | Self::Snorm16 => 2,
            Self::Unsigned32 | Self::Signed32 | Self::Float => 4,
        }
    }

    /// Whether it is of integers below zero too.
    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Self::Signed8 | Self::Signed16 | Self::Signed32)
    }
}

/// How texels are arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Texels of plain memory, one after another.
    Linear,
    /// Rows of plain memory.
    Pitched,
    /// An array of one, two or three dimensions.
    Array(u8),
    /// Layers of one or two dimensions.
    Layered(u8),
    Cube,
    /// Six layers for every cube.
    LayeredCube,
}

impl Shape {
    /// How many coordinates there are to a place in one slice.
    pub(crate) fn dimensions(self) -> u8 {
        match self {
            Self::Linear => 1,
            Self::Pitched | Self::Cube | Self::LayeredCube => 2,
            Self::Array(dimensions) | Self::Layered(dimensions) => dimensions,
        }
    }
}

/// One level of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Level {
    /// The device address of its first texel.
    pub(crate) address: u64,
    /// Size in texels; the depth counts slices, whatever they are.
    pub(crate) size: [u32; 3],
    /// Bytes from one row to the next.
    pub(crate) row: u64,
    /// Bytes from one slice to the next.
    pub(crate) slice: u64,
}

/// Texels in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Image {
    pub(crate) format: Format,
    /// 1, 2 or 4.
    pub(crate) channels: u32,
    pub(crate) shape: Shape,
    /// The largest first; one for images without more.
    pub(crate) levels: Vec<Level>,
}

impl Image {
    /// Bytes of one texel.
    pub(crate) fn texel_bytes(&self) -> u32 {
        self.format.bytes() * self.channels
    }
}

/// What a coordinate outside of the image means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum AddressMode {
    #[default]
    Wrap,
    Clamp,
    Mirror,
    Border,
}

/// How a value between texels is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Filter {
    #[default]
    Point,
    Linear,
}

/// An image and the way to read it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Texture {
    pub(crate) image: Image,
    /// For each dimension.
    pub(crate) addresses: [AddressMode; 3],
    pub(crate) filter: Filter,
    /// Between levels.
    pub(crate) level_filter: Filter,
    /// Added to the level of detail.
    pub(crate) bias: f32,
    /// The least and the greatest level of detail.
    pub(crate) level_range: [f32; 2],
    /// The most samples along the longer axis of a footprint; up to 1, footprints are circles.
    pub(crate) anisotropy: u32,
    pub(crate) border: [f32; 4],
    /// Integers of 8 and 16 bits are read as they are, not as fractions.
    pub(crate) reads_integers: bool,
    /// Coordinates go from 0 to 1.
    pub(crate) normalized: bool,
    /// Colours are stored by the sRGB curve.
    pub(crate) srgb: bool,
}

/// What a reference or an object is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Resource {
    Texture(Texture),
    /// A surface has one level.
    Surface(Image),
    /// What there is, but not what an access to it does.
    Unsupported(&'static str),
}

/// Everything that kernels of a launch can sample or access as a surface.
#[derive(Debug, Clone, Default)]
pub(crate) struct Textures {
    /// What the module's references are bound to, in the order of [`Program::references`](super::Program::references).
    pub(crate) references: Vec<Option<Resource>>,
    /// Texture and surface objects of the context by their numbers.
    pub(crate) objects: Arc<BTreeMap<u64, Resource>>,
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
