//! Video instructions: arithmetic on parts of words.

use super::{Relation, Slot};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VideoOperation {
    Add,
    Subtract,
    AbsoluteDifference,
    Minimum,
    Maximum,
    /// Average, rounded up if the sum is not negative.
    Average,
    ShiftLeft {
        wrap: bool,
    },
    ShiftRight {
        wrap: bool,
    },
    Set(Relation),
}

/// Bit range of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) start: u8,
    pub(crate) bits: u8,
}

impl Part {
    pub(crate) const WHOLE: Self = Self { start: 0, bits: 32 };
}

/// Operation on the result and a third operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Second {
    Nothing,
    Add,
    Minimum,
    Maximum,
    /// Replacement of a part of the third operand by the result.
    Merge(Part),
}

/// One operation on one part of each source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Video {
    pub(crate) operation: VideoOperation,
    /// True for each of the result and the sources that is signed.
    pub(crate) signed: [bool; 3],
    pub(crate) saturate: bool,
    pub(crate) second: Second,
    pub(crate) parts: [Part; 2],
    pub(crate) d: Slot,
    pub(crate) a: Slot,
    pub(crate) b: Slot,
    /// Third operand; [`NONE`](super::NONE) without a second operation.
    pub(crate) c: Slot,
}

/// One operation on two halves or four bytes at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VideoLanes {
    pub(crate) operation: VideoOperation,
    /// Size of a part in bits: 16 or 8.
    pub(crate) bits: u8,
    pub(crate) signed: [bool; 3],
    pub(crate) saturate: bool,
    /// True if the results are added to the third operand. Otherwise they replace parts of it.
    pub(crate) accumulate: bool,
    /// Part of the two sources that each lane takes, numbered through both.
    pub(crate) selectors: [[u8; 4]; 2],
    /// Lanes whose results are used, one bit each.
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
