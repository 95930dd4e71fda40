//! Operations on textures and surfaces.

use super::{Place, Slot};

/// The geometry that an instruction names.
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

    /// Coordinates without the index of the layer.
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

/// Where to look: words, the index of the layer apart from the others.
#[derive(Debug, Clone)]
pub(crate) struct Coordinates {
    pub(crate) geometry: Geometry,
    /// Numbers in single precision; else signed integers.
    pub(crate) float: bool,
    /// [`NONE`](super::NONE) if there are no layers.
    pub(crate) layer: Slot,
    pub(crate) parts: Vec<Slot>,
}

/// How the level is chosen.
#[derive(Debug, Clone)]
pub(crate) enum Detail {
    /// The largest one.
    Base,
    /// A word, of the type of the coordinates.
    Level(Slot),
    /// From partial derivatives of the coordinates.
    Gradient { x: Vec<Slot>, y: Vec<Slot> },
}

/// What the sampled value is turned into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sampled {
    /// 32 bits, whatever they are.
    Word,
    Half,
    /// Two halves in a word.
    HalfPair,
}

/// `tex` and `tld4`.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    /// The handle: a long.
    pub(crate) texture: Slot,
    pub(crate) coordinates: Coordinates,
    pub(crate) detail: Detail,
    /// Added to the indices of texels: words, for as many dimensions as there are, or none.
    pub(crate) offsets: Vec<Slot>,
    /// The channel that `tld4` collects.
    pub(crate) gather: Option<usize>,
    pub(crate) sampled: Sampled,
    pub(crate) results: Vec<Place>,
    /// A predicate that tells whether there was memory behind all texels.
    pub(crate) resident: Option<Slot>,
}

/// What `txq` and `suq` ask for.
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
    /// Of which level; [`NONE`](super::NONE) for the largest one.
    pub(crate) level: Slot,
    pub(crate) d: Slot,
}

/// What an access outside of a surface does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outside {
    Trap,
    /// It goes to the nearest place.
    Clamp,
    /// It reads zeros and writes nothing.
    Zero,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SurfaceReduction {
    Add,
    MinimumSigned,
    MaximumSigned,
    MinimumUnsigned,
    MaximumUnsigned,
    /// Signed or unsigned by the surface's format.
    Minimum,
    Maximum,
    And,
    Or,
}

/// What a surface instruction does with the bytes.
#[derive(Debug, Clone)]
pub(crate) enum SurfaceAction {
    /// Into these registers; [`NOTHING`](super::NONE) for those that are discarded.
    Load(Vec<Place>),
    Store(Vec<Place>),
    /// `sust.p`: converted to the surface's format.
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
    /// Bytes of one element.
    pub(crate) size: u8,
    /// The first coordinate counts texels, not bytes.
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

/// An operation on a texture or surface.
#[derive(Debug, Clone)]
pub(crate) enum ImageAccess {
    Sample(Sample),
    Query(ImageQuery),
    Surface(SurfaceAccess),
    Test(ImageTest),
}
