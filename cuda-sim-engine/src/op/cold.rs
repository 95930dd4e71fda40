//! Operations that few kernels use. The engine has one file for each kind.

use cuda_ptx::modifier::Rounding;

use crate::fault::InjectedCode;

use super::{
    Atomic, Base, Condition, Fragment, GroupMultiply, MatrixAccess, MatrixMultiply, MemorySpace, Place, Slot,
    Video, VideoLanes, VideoMultiply,
};

/// Address of every lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) memory: MemorySpace,
    pub(crate) base: Base,
    pub(crate) offset: i64,
    /// True if the operation reaches only the shared memory of its own block.
    pub(crate) of_block: bool,
}

/// Rarely used operation.
#[derive(Debug, Clone)]
pub(crate) enum ColdOp {
    /// Injected fault.
    Fault(InjectedCode),
    Mbarrier(Mbarrier),
    /// `mbarrier.pending_count`
    PendingCount {
        d: Slot,
        a: Slot,
    },
    /// `fma.oob`: zero instead of the result, in each half with a factor that stands for an element out of bounds.
    ClearOutOfBounds {
        d: Slot,
        result: Slot,
        factors: [Slot; 2],
    },
    Copy(AsyncCopy),
    BulkCopy(BulkCopy),
    TensorCopy(TensorCopy),
    /// `tensormap.replace`
    TensorField(TensorField),
    /// `tensormap.cp_fenceproxy`: a copy that the threads of a warp make together.
    TensorMapCopy(BulkCopy),
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
    /// `vprintf`, with the addresses of the format and of the arguments.
    Print {
        format: Slot,
        arguments: Slot,
        result: Slot,
    },
    /// `cudaGraphSetConditional`, with the handle and the value of a condition.
    SetCondition {
        handle: Slot,
        value: Slot,
    },
    /// `mapa`: the same offset in the shared memory of the block with a rank.
    MapShared {
        d: Place,
        a: Place,
        rank: Slot,
        /// True for generic addresses.
        generic: bool,
    },
    /// `getctarank`: the rank of the block whose shared memory contains an address.
    BlockRank {
        d: Slot,
        a: Place,
        generic: bool,
    },
    /// `isspacep.const`: a test for a generic address in a constant variable.
    IsConstant {
        d: Slot,
        a: Slot,
    },
    /// `isspacep.shared::cta`: a test for a generic address in the shared memory of this block.
    IsOwnShared {
        d: Slot,
        a: Slot,
    },
    /// `alloca`
    AllocateStack {
        d: Place,
        size: Place,
        align: u32,
    },
    /// `stacksave`
    SaveStack {
        d: Place,
    },
    /// `stackrestore`
    RestoreStack {
        a: Place,
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
    DeviceCall(DeviceCall),
    Video(Video),
    VideoLanes(VideoLanes),
    VideoMultiply(VideoMultiply),
    Multiply(MatrixMultiply),
    GroupMultiply(GroupMultiply),
    /// `wgmma.commit_group`
    CommitProducts {
        /// Number of the warp in its block.
        warp: Slot,
    },
    /// `wmma.load`, `wmma.store`
    Fragment(Fragment),
    /// `ldmatrix`, `stmatrix`
    Matrix(MatrixAccess),
    /// `movmatrix`
    Transpose {
        d: Slot,
        a: Slot,
    },
    /// Two numbers to a packed narrow format, `high` in the upper half.
    Narrow {
        format: NarrowFormat,
        relu: bool,
        /// True if the sources are one register of two `f16`.
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
        /// Value that is shifted up to make room, or [`NONE`](super::NONE).
        c: Slot,
    },
    /// Replacement of infinities and NaNs in a 16-bit result by the largest number and the canonical NaN.
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

/// Operation on a barrier object in memory (`mbarrier`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MbarrierAction {
    Initialise {
        count: Slot,
    },
    Invalidate,
    /// Arrival. A count of [`NONE`](super::NONE) means one, a byte count of [`NONE`](super::NONE) means zero.
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
    /// Test for the end of the phase that a state (a long) or a parity (a word) names.
    Test {
        phase: Place,
        result: Slot,
    },
    /// Check of the address, without any other effect.
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
    /// Size in bytes: 4, 8 or 16.
    pub(crate) size: u8,
    /// Number of bytes to read, or [`NONE`](super::NONE) for all. The others are zero.
    pub(crate) read: Slot,
    /// Condition under which nothing is read and all bytes are zero.
    pub(crate) ignore: Condition,
}

/// `cp.async.bulk`, `cp.reduce.async.bulk`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BulkCopy {
    pub(crate) to: Address,
    pub(crate) from: Address,
    pub(crate) size: Slot,
    /// Barrier object that counts the bytes.
    pub(crate) mbarrier: Option<Address>,
    /// Ranks of the destination blocks, one bit each. [`NONE`](super::NONE) if the address determines the block.
    pub(crate) ranks: Slot,
    /// Operation on elements of some bytes, in place of a copy.
    pub(crate) reduction: Option<(Atomic, u8)>,
}

/// `cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`, `cp.async.bulk.prefetch.tensor`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TensorCopy {
    pub(crate) map: Address,
    /// One coordinate for each dimension.
    pub(crate) coordinates: Vec<Slot>,
    pub(crate) is_columns: bool,
    /// Pixel offsets in im2col mode. Stores have none.
    pub(crate) offsets: Vec<Slot>,
    pub(crate) action: TensorAction,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TensorAction {
    /// Load. `ranks` are those of the destination blocks, as in [`BulkCopy`].
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

/// Change of a tensor map in memory.
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

/// Operation of a reduction. The tensor determines the type of the elements.
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

/// Access of 16 bytes in one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WideAtomic {
    pub(crate) at: Address,
    /// True for `atom`, false for `ld` and `st`.
    pub(crate) is_atom: bool,
    /// Bytes that the program uses, as in [`Access`](super::Access).
    pub(crate) used: u32,
    pub(crate) result: Option<[Slot; 2]>,
    /// Operand; `None` for a load.
    pub(crate) operand: Option<[Slot; 2]>,
    pub(crate) replacement: Option<[Slot; 2]>,
}

/// Floating-point formats of eight bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NarrowFormat {
    /// Four bits of exponent and three of fraction, without infinities.
    E4m3,
    /// Five bits of exponent and two of fraction.
    E5m2,
}

/// Call of the device runtime that its text cannot express.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DeviceCall {
    /// Buffer for the parameters of a kernel. The words of the shape are the grid, the block and the dynamic shared memory.
    ParameterBuffer {
        d: Slot,
        kernel: Slot,
        shape: [Slot; 7],
    },
    Launch {
        d: Slot,
        buffer: Slot,
        stream: Slot,
    },
    /// New stream or event.
    CreateHandle {
        d: Slot,
    },
    /// 1 for a stream or an event that a kernel created, else 0.
    IsHandle {
        d: Slot,
        handle: Slot,
    },
    /// Last error of the thread.
    Error {
        d: Slot,
    },
    SetError {
        a: Slot,
    },
}
