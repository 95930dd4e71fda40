//! Operations that need more than a few slots: accesses, calls, barriers, what lanes do together.

use super::{Condition, Place, Slot};

/// A state space that memory instructions address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MemorySpace {
    Generic,
    Global,
    Shared,
    Local,
    /// The parameters of the kernel.
    Parameter,
}

/// How a loaded value fills its register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extension {
    Zero,
    /// To the width of the register, which is 16, 32 or 64 bits.
    Sign(u8),
}

/// Where an address comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    Word(Slot),
    Long(Slot),
}

/// An access to memory.
#[derive(Debug, Clone)]
pub(crate) struct Access {
    pub(crate) memory: MemorySpace,
    pub(crate) base: Base,
    pub(crate) offset: i64,
    /// Bytes of one element: 1, 2, 4 or 8.
    pub(crate) size: u8,
    pub(crate) extension: Extension,
    /// Other threads of the host may look at the same bytes.
    pub(crate) strong: bool,
    /// A block of a cluster reaches only its own shared memory with it.
    pub(crate) of_block: bool,
    /// The registers, one for each element; [`NONE`] for elements that are discarded.
    pub(crate) elements: Vec<Place>,
}

/// What an atomic operation does to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Atomic {
    Add,
    /// Signed minimum and maximum, then unsigned.
    MinimumSigned,
    MaximumSigned,
    MinimumUnsigned,
    MaximumUnsigned,
    Increment,
    Decrement,
    And,
    Or,
    Xor,
    Exchange,
    CompareAndSwap,
    AddF32,
    AddF64,
    AddF16,
    AddF16x2,
    AddBf16,
    AddBf16x2,
    /// Of as many 16-bit numbers as the operand has.
    MinimumF16,
    MaximumF16,
    MinimumBf16,
    MaximumBf16,
}

/// An atomic operation on memory.
#[derive(Debug, Clone)]
pub(crate) struct AtomicAccess {
    pub(crate) memory: MemorySpace,
    pub(crate) base: Base,
    pub(crate) offset: i64,
    pub(crate) operation: Atomic,
    /// Bytes: 2, 4 or 8.
    pub(crate) size: u8,
    /// True for one element of a vector operation.
    pub(crate) is_element: bool,
    /// Where the old value goes, if anywhere.
    pub(crate) result: Option<Place>,
    pub(crate) operand: Place,
    /// The new value of a compare-and-swap, whose `operand` is what it compares with.
    pub(crate) replacement: Option<Place>,
}

/// A value handed over at a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Transfer {
    pub(crate) from: Place,
    pub(crate) to: Place,
}

/// A call of a known function.
#[derive(Debug, Clone)]
pub(crate) struct CallSite {
    pub(crate) function: usize,
    /// From slots of the caller to slots of the callee.
    pub(crate) arguments: Vec<Transfer>,
    /// From slots of the callee to slots of the caller.
    pub(crate) results: Vec<Transfer>,
}

/// A call through a register. Where its values go follows from the function that is found there.
#[derive(Debug, Clone)]
pub(crate) struct IndirectSite {
    /// A long.
    pub(crate) target: Slot,
    pub(crate) arguments: Vec<Place>,
    pub(crate) results: Vec<Place>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BarrierAction {
    /// Wait.
    Synchronize,
    /// Be counted, and go on.
    Arrive,
    /// Wait, and learn in how many threads a predicate holds.
    Count {
        result: Slot,
        predicate: Condition,
    },
    /// Wait, and learn whether it holds in all or in any.
    All {
        result: Slot,
        predicate: Condition,
    },
    Any {
        result: Slot,
        predicate: Condition,
    },
    /// At the barrier of the cluster, which is the block: be counted, and wait for what one was counted for.
    ArriveCluster,
    WaitCluster,
}

/// A barrier of the block.
#[derive(Debug, Clone)]
pub(crate) struct Barrier {
    pub(crate) action: BarrierAction,
    pub(crate) number: Slot,
    /// How many threads take part; [`NONE`] if all do.
    pub(crate) threads: Slot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShuffleMode {
    Up,
    Down,
    Butterfly,
    Index,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VoteMode {
    All,
    Any,
    Uniform,
    Ballot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reduction {
    Add,
    MinimumUnsigned,
    MaximumUnsigned,
    MinimumSigned,
    MaximumSigned,
    And,
    Or,
    Xor,
}

/// An operation that the lanes of a warp do together.
#[derive(Debug, Clone)]
pub(crate) struct Collective {
    pub(crate) action: CollectiveAction,
    /// The mask of the lanes that take part; [`NONE`] for the old forms without one, in which those do that are there.
    pub(crate) members: Slot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CollectiveAction {
    /// `bar.warp.sync`
    Synchronize,
    Shuffle {
        mode: ShuffleMode,
        result: Slot,
        valid: Slot,
        source: Slot,
        lane: Slot,
        clamp: Slot,
    },
    Vote {
        mode: VoteMode,
        result: Slot,
        predicate: Condition,
    },
    MatchAny {
        result: Slot,
        source: Place,
    },
    MatchAll {
        result: Slot,
        valid: Slot,
        source: Place,
    },
    Reduce {
        operation: Reduction,
        result: Slot,
        source: Slot,
    },
    Elect {
        result: Slot,
        elected: Slot,
    },
}
