//! Operations that need more than a few slots: accesses, calls, barriers, collective operations of lanes.

use super::{Address, Condition, Place, Slot};

/// State space that memory instructions address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MemorySpace {
    Generic,
    Global,
    Shared,
    Local,
    /// Parameters of the kernel.
    Parameter,
}

/// Extension of a loaded value to its register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extension {
    Zero,
    /// Sign extension to the width of the register: 16, 32 or 64 bits.
    Sign(u8),
}

/// Base of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    Word(Slot),
    Long(Slot),
}

/// Mask of an access without unused bytes.
pub(crate) const ALL_BYTES: u32 = u32::MAX;

/// Access to memory.
#[derive(Debug, Clone)]
pub(crate) struct Access {
    pub(crate) memory: MemorySpace,
    pub(crate) base: Base,
    pub(crate) offset: i64,
    /// Size of one element in bytes: 1, 2, 4 or 8.
    pub(crate) size: u8,
    pub(crate) extension: Extension,
    /// True if other host threads may access the same bytes.
    pub(crate) strong: bool,
    /// True if the access reaches only the shared memory of its own block.
    pub(crate) of_block: bool,
    /// Bytes that the program uses, a bit for each byte: [`ALL_BYTES`], except for loads with a mask.
    pub(crate) used: u32,
    /// Registers, one for each element; [`NONE`] for discarded elements.
    pub(crate) elements: Vec<Place>,
}

impl Access {
    pub(crate) fn at(&self) -> Address {
        Address { memory: self.memory, base: self.base, offset: self.offset, of_block: self.of_block }
    }
}

/// Effect of an atomic operation on memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Atomic {
    Add,
    /// Minimum and maximum: first signed, then unsigned.
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
    /// Operations on 16-bit numbers, as many as the operand holds.
    MinimumF16,
    MaximumF16,
    MinimumBf16,
    MaximumBf16,
}

/// Atomic operation on memory.
#[derive(Debug, Clone)]
pub(crate) struct AtomicAccess {
    pub(crate) memory: MemorySpace,
    pub(crate) base: Base,
    pub(crate) offset: i64,
    pub(crate) operation: Atomic,
    /// Size in bytes: 2, 4 or 8.
    pub(crate) size: u8,
    /// True if the operation reaches only the shared memory of its own block.
    pub(crate) of_block: bool,
    /// True for one element of a vector operation.
    pub(crate) is_element: bool,
    /// Place that receives the old value, if there is one.
    pub(crate) result: Option<Place>,
    pub(crate) operand: Place,
    /// New value of a compare-and-swap. `operand` is the value to compare with.
    pub(crate) replacement: Option<Place>,
}

impl AtomicAccess {
    pub(crate) fn at(&self) -> Address {
        Address { memory: self.memory, base: self.base, offset: self.offset, of_block: self.of_block }
    }
}

/// Value that is passed at a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Transfer {
    pub(crate) from: Place,
    pub(crate) to: Place,
}

/// Call of a known function.
#[derive(Debug, Clone)]
pub(crate) struct CallSite {
    pub(crate) function: usize,
    /// Transfers from slots of the caller to slots of the callee.
    pub(crate) arguments: Vec<Transfer>,
    /// Transfers from slots of the callee to slots of the caller.
    pub(crate) results: Vec<Transfer>,
}

/// Call through a register. The called function determines the destinations of its values.
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
    /// Arrival without a wait.
    Arrive,
    /// Wait that returns the number of threads in which a predicate holds.
    Count {
        result: Slot,
        predicate: Condition,
    },
    /// Wait that returns whether a predicate holds in all threads, or in any thread.
    All {
        result: Slot,
        predicate: Condition,
    },
    Any {
        result: Slot,
        predicate: Condition,
    },
    /// Arrival at the barrier of the cluster, which is the block, and wait for the phase of an arrival.
    ArriveCluster,
    WaitCluster,
    /// Arrival of a warp at a product of four warps, and the wait for the others.
    StartProduct,
    /// `wgmma.wait_group`: wait until at most this number of lists of products is incomplete.
    WaitProducts {
        pending: u32,
    },
}

/// Barrier of the block.
#[derive(Debug, Clone)]
pub(crate) struct Barrier {
    pub(crate) action: BarrierAction,
    pub(crate) number: Slot,
    /// Number of participating threads; [`NONE`] for all.
    pub(crate) threads: Slot,
    /// Number of the barrier, if it is a constant, all threads participate, and they wait without a result.
    pub(crate) plain: Option<u8>,
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

/// Operation that the lanes of a warp execute together.
#[derive(Debug, Clone)]
pub(crate) struct Collective {
    pub(crate) action: CollectiveAction,
    /// Mask of the participating lanes. [`NONE`] for the old forms without a mask, in which the active lanes
    /// participate.
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
