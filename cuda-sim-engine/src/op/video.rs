//! Video instructions: arithmetic on parts of words.

use super::{Relation, Slot};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VideoOperation {
    Add,
    Subtract,
    AbsoluteDifference,
    Minimum,
    Maximum,
    /// Rounded up where the sum is not negative.
    Average,
    ShiftLeft {
        wrap: bool,
    },
    ShiftRight {
        wrap: bool,
    },
    Set(Relation),
}

/// Some bits of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) start: u8,
    pub(crate) bits: u8,
}

impl Part {
    pub(crate) const WHOLE: Self = Self { start: 0, bits: 32 };
}

/// The operation on the result and a third operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Second {
    Nothing,
    Add,
    Minimum,
    Maximum,
    /// The result replaces a part of it.
    Merge(Part),
}

/// One operation on one part of each source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Video {
    pub(crate) operation: VideoOperation,
    /// True if result and sources are signed.
    pub(crate) signed: [bool; 3],
    pub(crate) saturate: bool,
    pub(crate) second: Second,
    pub(crate) parts: [Part; 2],
    pub(crate) d: Slot,
    pub(crate) a: Slot,
    pub(crate) b: Slot,
    /// [`NONE`](super::NONE) without a second operation.
    pub(crate) c: Slot,
}

/// The same operation on two halves or four bytes at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VideoLanes {
    pub(crate) operation: VideoOperation,
    /// 16 or 8.
    pub(crate) bits: u8,
    pub(crate) signed: [bool; 3],
    pub(crate) saturate: bool,
    /// The results are added to the third operand instead of replacing parts of it.
    pub(crate) accumulate: bool,
    /// Which part of both sources, counted through, each lane takes.
    pub(crate) selectors: [[u8; 4]; 2],
    /// The lanes whose results are used, one bit each.
    pub(crate) mask: u8,
    pub(crate) d: Slot,
    pub(crate) a: Slot,
    pub(crate) b: Slot,
    pub(crate) c: Slot,
}

/// `vmad`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VideoMultiply {
    /// True if the sources are signed.
    pub(crate) signed: [bool; 2],
    pub(crate) negate_product: bool,
    pub(crate) negate_addend: bool,
    pub(crate) plus_one: bool,
    pub(crate) shift: u8,
    pub(crate) saturate: bool,
    pub(crate) parts: [Part; 2],
    pub(crate) d: Slot,
    pub(crate) a: Slot,
    pub(crate) b: Slot,
    pub(crate) c: Slot,
}
