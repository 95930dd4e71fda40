//! Operations that few kernels use. The engine has a file for each kind.

use cuda_ptx::modifier::Rounding;

use crate::fault::InjectedCode;

use super::{
    Atomic, Base, Condition, Fragment, MatrixAccess, MatrixMultiply, MemorySpace, Place, Slot, Video,
    VideoLanes, VideoMultiply,
};

/// An address of every lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) memory: MemorySpace,
    pub(crate) base: Base,
    pub(crate) offset: i64,
}

/// One of these operations.
#[derive(Debug, Clone)]
pub(crate) enum ColdOp {
    /// An injected fault.
    Fault(InjectedCode),
    Mbarrier(Mbarrier),
    /// `mbarrier.pending_count`
    PendingCount {
        d: Slot,
        a: Slot,
    },
    Copy(AsyncCopy),
    BulkCopy(BulkCopy),
    TensorCopy(TensorCopy),
    /// `tensormap.replace`
    TensorField(TensorField),
    /// `st.async`, `red.async`: a store to shared memory that a barrier object counts.
    Counted {
        mbarrier: Address,
        bytes: u32,
    },
    /// `fns`
    FindSet {
        d: Slot,
        mask: Slot,
        base: Slot,
        offset: Slot,
    },
    /// `vprintf`: the addresses of the format and of the arguments.
    Print {
        format: Slot,
        arguments: Slot,
        result: Slot,
    },
    /// `cudaGraphSetConditional`: the handle and the value of a condition.
    SetCondition {
        handle: Slot,
        value: Slot,
    },
    /// `mapa`: the same place in the shared memory of the block of a rank.
    MapShared {
        d: Place,
        a: Place,
        rank: Slot,
        /// True for generic addresses.
        generic: bool,
    },
    /// `getctarank`: the rank of the block whose shared memory has an address.
    BlockRank {
        d: Slot,
        a: Place,
        generic: bool,
    },
    /// `isspacep.shared::cta`: tests for a generic address in shared memory of the own block.
    IsOwnShared {
        d: Slot,
        a: Slot,
    },
    /// `malloc`
    Allocate {
        d: Slot,
        size: Slot,
    },
    /// `free`
    Free {
        address: Slot,
    },
    Video(Video),
    VideoLanes(VideoLanes),
    VideoMultiply(VideoMultiply),
    Multiply(MatrixMultiply),
    /// `wmma.load`, `wmma.store`
    Fragment(Fragment),
    /// `ldmatrix`, `stmatrix`
    Matrix(MatrixAccess),
    /// `movmatrix`
    Transpose {
        d: Slot,
        a: Slot,
    },
    /// Two numbers to a narrow format, packed: `high` goes to the upper half.
    Narrow {
        format: NarrowFormat,
        relu: bool,
        /// Whether the sources are one register of two `f16`.
        halves: bool,
        d: Slot,
        high: Slot,
        low: Slot,
    },
    /// Two narrow numbers to two `f16`.
    Widen {
        format: NarrowFormat,
        relu: bool,
        d: Slot,
        a: Slot,
    },
    /// `cvt` to `tf32`
    Tensor {
        rounding: Rounding,
        relu: bool,
        finite: bool,
        d: Slot,
        a: Slot,
    },
    /// `cvt.pack`
    Pack {
        bits: u8,
        signed: bool,
        d: Slot,
        a: Slot,
        b: Slot,
        /// What is shifted up to make room; [`NONE`](super::NONE) if nothing is.
        c: Slot,
    },
    /// The infinities and NaNs of a 16-bit result become the largest number and NaN.
    Finite {
        brain: bool,
        d: Slot,
        a: Slot,
    },
    /// `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64`
    ApproxF64 {
        root: bool,
        d: Slot,
        a: Slot,
    },
    /// Atomic exchange or compare-and-swap of 128 bits.
    Wide(WideAtomic),
}

/// What is done to a barrier object in memory (`mbarrier`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MbarrierAction {
    Initialise {
        count: Slot,
    },
    Invalidate,
    /// Counts and byte counts may be [`NONE`](super::NONE): one, and none.
    Arrive {
        count: Slot,
        bytes: Slot,
        drop: bool,
        state: Slot,
    },
    Expect {
        bytes: Slot,
    },
    Complete {
        bytes: Slot,
    },
    /// Whether the phase that a state (a long) or a parity (a word) means is over.
    Test {
        phase: Place,
        result: Slot,
    },
    /// The address is looked at, nothing more.
    Probe,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mbarrier {
    pub(crate) at: Address,
    pub(crate) action: MbarrierAction,
}

/// `cp.async`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AsyncCopy {
    pub(crate) to: Address,
    pub(crate) from: Address,
    /// 4, 8 or 16.
    pub(crate) size: u8,
    /// How many bytes are read; the others are zero. [`NONE`](super::NONE) if all are.
    pub(crate) read: Slot,
    /// Where nothing is read, and all bytes are zero.
    pub(crate) ignore: Condition,
}

/// `cp.async.bulk`, `cp.reduce.async.bulk`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BulkCopy {
    pub(crate) to: Address,
    pub(crate) from: Address,
    pub(crate) size: Slot,
    /// The barrier object that counts the bytes.
    pub(crate) mbarrier: Option<Address>,
    /// The ranks of the blocks that it goes to, one bit each; [`NONE`](super::NONE) if the address says it.
    pub(crate) ranks: Slot,
    /// An operation on elements of some bytes instead of a copy.
    pub(crate) reduction: Option<(Atomic, u8)>,
}

/// `cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`, `cp.async.bulk.prefetch.tensor`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TensorCopy {
    pub(crate) map: Address,
    /// One for each dimension.
    pub(crate) coordinates: Vec<Slot>,
    pub(crate) is_columns: bool,
    /// Offsets of all pixels of columns. Stores have none.
    pub(crate) offsets: Vec<Slot>,
    pub(crate) action: TensorAction,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TensorAction {
    /// `ranks` are those of the blocks that it goes to, as in [`BulkCopy`].
    Load {
        to: Address,
        mbarrier: Address,
        ranks: Slot,
    },
    Store {
        from: Address,
        reduction: Option<TensorReduction>,
    },
    Prefetch,
}

/// A change of a tensor map in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TensorField {
    pub(crate) map: Address,
    pub(crate) name: TensorFieldName,
    /// Which dimension.
    pub(crate) index: u8,
    pub(crate) value: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TensorFieldName {
    Address,
    Rank,
    BoxDim,
    Dim,
    Stride,
    Step,
    Element,
    Interleave,
    Swizzle,
    Fill,
}

/// The operation of a reduction. The type of the elements is that of the tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TensorReduction {
    Add,
    Minimum,
    Maximum,
    Increment,
    Decrement,
    And,
    Or,
    Xor,
}

/// Accesses of 16 bytes in one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WideAtomic {
    pub(crate) at: Address,
    /// True for `atom`, false for `ld` and `st`.
    pub(crate) is_atom: bool,
    pub(crate) result: Option<[Slot; 2]>,
    /// Nothing for a load.
    pub(crate) operand: Option<[Slot; 2]>,
    pub(crate) replacement: Option<[Slot; 2]>,
}

/// Formats of eight bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NarrowFormat {
    /// Four bits of exponent, three of fraction; no infinities.
    E4m3,
    /// Five and two.
    E5m2,
}
