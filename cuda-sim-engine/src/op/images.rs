//! Operations on textures and surfaces.

use super::{Place, Slot};

/// Geometry that an instruction names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Geometry {
    One,
    Two,
    Three,
    Layers1,
    Layers2,
    Cube,
    Cubes,
}

impl Geometry {
    pub(crate) fn is_layered(self) -> bool {
        matches!(self, Self::Layers1 | Self::Layers2 | Self::Cubes)
    }

    /// Returns the number of coordinates, without the index of the layer.
    pub(crate) fn dimensions(self) -> usize {
        match self {
            Self::One | Self::Layers1 => 1,
            Self::Two | Self::Layers2 => 2,
            Self::Three | Self::Cube | Self::Cubes => 3,
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::One => "1d",
            Self::Two => "2d",
            Self::Three => "3d",
            Self::Layers1 => "a1d",
            Self::Layers2 => "a2d",
            Self::Cube => "cube",
            Self::Cubes => "acube",
        }
    }
}

/// Coordinates of an access: words, with the index of the layer separate from the others.
#[derive(Debug, Clone)]
pub(crate) struct Coordinates {
    pub(crate) geometry: Geometry,
    /// True for numbers in single precision, false for signed integers.
    pub(crate) float: bool,
    /// Index of the layer; [`NONE`](super::NONE) for images without layers.
    pub(crate) layer: Slot,
    pub(crate) parts: Vec<Slot>,
}

/// Choice of the level.
#[derive(Debug, Clone)]
pub(crate) enum Detail {
    /// Largest level.
    Base,
    /// Level in a word, of the type of the coordinates.
    Level(Slot),
    /// Level from partial derivatives of the coordinates.
    Gradient { x: Vec<Slot>, y: Vec<Slot> },
}

/// Format of the result registers of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sampled {
    /// Words, for any type of 32 bits.
    Word,
    Half,
    /// Two halves in a word.
    HalfPair,
}

/// `tex` and `tld4`.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    /// Long that holds the handle.
    pub(crate) texture: Slot,
    pub(crate) coordinates: Coordinates,
    pub(crate) detail: Detail,
    /// Offsets added to the indices of texels: one word for each dimension, or none.
    pub(crate) offsets: Vec<Slot>,
    /// Channel that `tld4` collects.
    pub(crate) gather: Option<usize>,
    pub(crate) sampled: Sampled,
    pub(crate) results: Vec<Place>,
    /// Predicate that becomes true if memory backs all texels.
    pub(crate) resident: Option<Slot>,
}

/// Property that `txq` and `suq` read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImageProperty {
    Width,
    Height,
    Depth,
}

/// `txq` and `suq`.
#[derive(Debug, Clone)]
pub(crate) struct ImageQuery {
    pub(crate) surface: bool,
    pub(crate) handle: Slot,
    pub(crate) property: ImageProperty,
    /// Queried level; [`NONE`](super::NONE) for the largest one.
    pub(crate) level: Slot,
    pub(crate) d: Slot,
}

/// Effect of an access outside of a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outside {
    Trap,
    /// Access to the nearest texel.
    Clamp,
    /// Zeros for a load, no effect for a store.
    Zero,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SurfaceReduction {
    Add,
    MinimumSigned,
    MaximumSigned,
    MinimumUnsigned,
    MaximumUnsigned,
    /// Signed or unsigned minimum, according to the format of the surface.
    Minimum,
    Maximum,
    And,
    Or,
}

/// Effect of a surface instruction on the bytes.
#[derive(Debug, Clone)]
pub(crate) enum SurfaceAction {
    /// Load into these registers; [`NONE`](super::NONE) for discarded elements.
    Load(Vec<Place>),
    Store(Vec<Place>),
    /// `sust.p`: a store that converts to the format of the surface.
    StoreFormatted(Vec<Slot>),
    Reduce {
        operation: SurfaceReduction,
        operand: Place,
    },
}

/// `suld`, `sust` and `sured`.
#[derive(Debug, Clone)]
pub(crate) struct SurfaceAccess {
    pub(crate) surface: Slot,
    pub(crate) coordinates: Coordinates,
    /// Size of one element in bytes.
    pub(crate) size: u8,
    /// True if the first coordinate counts texels, false if it counts bytes.
    pub(crate) by_texel: bool,
    pub(crate) outside: Outside,
    pub(crate) action: SurfaceAction,
}

/// `istypep`
#[derive(Debug, Clone)]
pub(crate) struct ImageTest {
    pub(crate) surface: bool,
    pub(crate) handle: Slot,
    pub(crate) d: Slot,
}

/// Operation on a texture or surface.
#[derive(Debug, Clone)]
pub(crate) enum ImageAccess {
    Sample(Sample),
    Query(ImageQuery),
    Surface(SurfaceAccess),
    Test(ImageTest),
}
