//! Video instructions: arithmetic on parts of words.

use super::{Relation, Slot};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::exec) enum VideoOperation {
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
pub(in crate::exec) struct Part {
    pub(in crate::exec) start: u8,
    pub(in crate::exec) bits: u8,
}

impl Part {
    pub(in crate::exec) const WHOLE: Self = Self { start: 0, bits: 32 };
}

/// What is done with the result and a third operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::exec) enum Second {
    Nothing,
    Add,
    Minimum,
    Maximum,
    /// The result replaces a part of it.
    Merge(Part),
}

/// One operation on one part of each source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::exec) struct Video {
    pub(in crate::exec) operation: VideoOperation,
    /// Whether result and sources are signed.
    pub(in crate::exec) signed: [bool; 3],
    pub(in crate::exec) saturate: bool,
    pub(in crate::exec) second: Second,
    pub(in crate::exec) parts: [Part; 2],
    pub(in crate::exec) d: Slot,
    pub(in crate::exec) a: Slot,
    pub(in crate::exec) b: Slot,
    /// [`NONE`](super::NONE) without a second operation.
    pub(in crate::exec) c: Slot,
}

/// The same operation on two halves or four bytes at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::exec) struct VideoLanes {
    pub(in crate::exec) operation: VideoOperation,
    /// 16 or 8.
    pub(in crate::exec) bits: u8,
    pub(in crate::exec) signed: [bool; 3],
    pub(in crate::exec) saturate: bool,
    /// The results are added to the third operand instead of replacing parts of it.
    pub(in crate::exec) accumulate: bool,
    /// Which part of both sources, counted through, each lane takes.
    pub(in crate::exec) selectors: [[u8; 4]; 2],
    /// The lanes whose results are used, one bit each.
    pub(in crate::exec) mask: u8,
    pub(in crate::exec) d: Slot,
    pub(in crate::exec) a: Slot,
    pub(in crate::exec) b: Slot,
    pub(in crate::exec) c: Slot,
}

/// `vmad`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::exec) struct VideoMultiply {
    /// Whether the sources are signed.
    pub(in crate::exec) signed: [bool; 2],
    pub(in crate::exec) negate_product: bool,
    pub(in crate::exec) negate_addend: bool,
    pub(in crate::exec) plus_one: bool,
    pub(in crate::exec) shift: u8,
    pub(in crate::exec) saturate: bool,
    pub(in crate::exec) parts: [Part; 2],
    pub(in crate::exec) d: Slot,
    pub(in crate::exec) a: Slot,
    pub(in crate::exec) b: Slot,
    pub(in crate::exec) c: Slot,
}
