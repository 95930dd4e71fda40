//! Operations on textures and surfaces.

use super::{Place, Slot};

/// The geometry that an instruction names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::exec) enum Geometry {
    One,
    Two,
    Three,
    Layers1,
    Layers2,
    Cube,
    Cubes,
}

impl Geometry {
    pub(in crate::exec) fn is_layered(self) -> bool {
        matches!(self, Self::Layers1 | Self::Layers2 | Self::Cubes)
    }

    /// Coordinates without the index of the layer.
    pub(in crate::exec) fn dimensions(self) -> usize {
        match self {
            Self::One | Self::Layers1 => 1,
            Self::Two | Self::Layers2 => 2,
            Self::Three | Self::Cube | Self::Cubes => 3,
        }
    }

    pub(in crate::exec) fn word(self) -> &'static str {
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
pub(in crate::exec) struct Coordinates {
    pub(in crate::exec) geometry: Geometry,
    /// Numbers in single precision; else signed integers.
    pub(in crate::exec) float: bool,
    /// [`NONE`](super::NONE) if there are no layers.
    pub(in crate::exec) layer: Slot,
    pub(in crate::exec) parts: Vec<Slot>,
}

/// How the level is chosen.
#[derive(Debug, Clone)]
pub(in crate::exec) enum Detail {
    /// The largest one.
    Base,
    /// A word, of the type of the coordinates.
    Level(Slot),
    /// From partial derivatives of the coordinates.
    Gradient { x: Vec<Slot>, y: Vec<Slot> },
}

/// What the sampled value is turned into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::exec) enum Sampled {
    /// 32 bits, whatever they are.
    Word,
    Half,
    /// Two halves in a word.
    HalfPair,
}

/// `tex` and `tld4`.
#[derive(Debug, Clone)]
pub(in crate::exec) struct Sample {
    /// The handle: a long.
    pub(in crate::exec) texture: Slot,
    pub(in crate::exec) coordinates: Coordinates,
    pub(in crate::exec) detail: Detail,
    /// Added to the indices of texels: words, for as many dimensions as there are, or none.
    pub(in crate::exec) offsets: Vec<Slot>,
    /// The channel that `tld4` collects.
    pub(in crate::exec) gather: Option<usize>,
    pub(in crate::exec) sampled: Sampled,
    pub(in crate::exec) results: Vec<Place>,
    /// A predicate that tells whether there was memory behind all texels.
    pub(in crate::exec) resident: Option<Slot>,
}

/// What `txq` and `suq` ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::exec) enum ImageProperty {
    Width,
    Height,
    Depth,
}

/// `txq` and `suq`.
#[derive(Debug, Clone)]
pub(in crate::exec) struct ImageQuery {
    pub(in crate::exec) surface: bool,
    pub(in crate::exec) handle: Slot,
    pub(in crate::exec) property: ImageProperty,
    /// Of which level; [`NONE`](super::NONE) for the largest one.
    pub(in crate::exec) level: Slot,
    pub(in crate::exec) d: Slot,
}

/// What an access outside of a surface does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::exec) enum Outside {
    Trap,
    /// It goes to the nearest place.
    Clamp,
    /// It reads zeros and writes nothing.
    Zero,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::exec) enum SurfaceReduction {
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
pub(in crate::exec) enum SurfaceAction {
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
pub(in crate::exec) struct SurfaceAccess {
    pub(in crate::exec) surface: Slot,
    pub(in crate::exec) coordinates: Coordinates,
    /// Bytes of one element.
    pub(in crate::exec) size: u8,
    /// The first coordinate counts texels, not bytes.
    pub(in crate::exec) by_texel: bool,
    pub(in crate::exec) outside: Outside,
    pub(in crate::exec) action: SurfaceAction,
}

/// `istypep`
#[derive(Debug, Clone)]
pub(in crate::exec) struct ImageTest {
    pub(in crate::exec) surface: bool,
    pub(in crate::exec) handle: Slot,
    pub(in crate::exec) d: Slot,
}

/// An operation on a texture or surface.
#[derive(Debug, Clone)]
pub(in crate::exec) enum ImageAccess {
    Sample(Sample),
    Query(ImageQuery),
    Surface(SurfaceAccess),
    Test(ImageTest),
}
