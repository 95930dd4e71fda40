//! The decoded instructions that the engine runs.
//!
//! Every operand is a slot of one of three register files. They hold words (32 bits a lane), longs (64 bits a lane) and
//! predicates (one bit a lane). Immediates, symbol addresses and special registers are slots too. They are filled
//! before a kernel starts, so that an operation never checks the kind of an operand. Registers of 8 and 16 bits are
//! words whose upper bits are zero.

mod cold;
mod direct;
mod images;
mod kinds;
mod matrix;
mod structured;
mod tiling;
mod video;

pub(crate) use cold::*;
pub(crate) use images::*;
pub(crate) use kinds::*;
pub(crate) use matrix::*;
pub(crate) use structured::*;
pub(crate) use tiling::{Code, column, metadata_lanes, opaque};
pub(crate) use video::*;

/// Start of the kernel parameters in constant memory (measured, compute capability 9.0). Alignments count from it.
pub(crate) const KERNEL_PARAMETERS_START: u64 = 0x210;

/// Index into a register file.
pub(crate) type Slot = u32;

/// Slot that does not exist.
pub(crate) const NONE: Slot = Slot::MAX;

/// Predicate slot that is true in all lanes.
pub(crate) const TRUE: Slot = 0;

/// Predicate slot, possibly negated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Condition(u32);

impl Condition {
    /// Condition that is true in all lanes.
    pub(crate) const ALWAYS: Self = Self::new(TRUE, false);
    /// Condition that is false in all lanes.
    pub(crate) const NEVER: Self = Self::new(TRUE, true);

    pub(crate) const fn new(slot: Slot, negated: bool) -> Self {
        Self(slot << 1 | negated as u32)
    }

    #[inline(always)]
    pub(crate) const fn slot(self) -> Slot {
        self.0 >> 1
    }

    /// Returns all ones if the predicate is negated, else zero.
    #[inline(always)]
    pub(crate) const fn flip(self) -> u32 {
        (self.0 & 1).wrapping_neg()
    }

    pub(crate) const fn negate(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// Slot with its register file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    Word(Slot),
    Long(Slot),
    Predicate(Slot),
}

/// One operation with its condition and its source line.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) guard: Condition,
    pub(crate) line: u32,
    pub(crate) op: Op,
}

/// One operation.
///
/// Slots have the names of the PTX operands: `d` is the result, and the sources follow.
#[derive(Debug, Clone)]
pub(crate) enum Op {
    /// Step without effect, and the number of such steps from here.
    Nothing {
        run: u32,
    },
    MoveWord {
        d: Slot,
        a: Slot,
    },
    MoveLong {
        d: Slot,
        a: Slot,
    },
    MovePredicate {
        d: Slot,
        a: Condition,
    },
    /// Two words combined into a long.
    Join {
        d: Slot,
        low: Slot,
        high: Slot,
    },
    /// A long split into two words. One of them may be [`NONE`].
    Split {
        low: Slot,
        high: Slot,
        a: Slot,
    },
    /// Bits `shift .. shift + bits` of a word.
    Extract {
        d: Slot,
        a: Slot,
        shift: u8,
        bits: u8,
    },
    /// A word whose bits `shift .. shift + bits` are replaced.
    Deposit {
        d: Slot,
        a: Slot,
        shift: u8,
        bits: u8,
    },
    /// Low `bits` of a word, sign-extended to `to` bits or zero-extended.
    ExtendWord {
        d: Slot,
        a: Slot,
        bits: u8,
        signed: bool,
        to: u8,
    },
    /// Low `bits` of a word, extended to a long.
    ExtendLong {
        d: Slot,
        a: Slot,
        bits: u8,
        signed: bool,
    },
    Integer1 {
        kind: IntegerKind,
        operation: Integer1,
        d: Slot,
        a: Slot,
    },
    Integer2 {
        kind: IntegerKind,
        operation: Integer2,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Integer3 {
        kind: IntegerKind,
        operation: Integer3,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    ShiftLeft {
        kind: IntegerKind,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    ShiftRight {
        kind: IntegerKind,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Count {
        kind: IntegerKind,
        operation: Count,
        d: Slot,
        a: Slot,
    },
    /// Full product of two 16- or 32-bit numbers, plus `c` unless `c` is [`NONE`].
    Widen {
        kind: IntegerKind,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    /// `bfe`
    Field {
        kind: IntegerKind,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    /// `bfi`
    Insert {
        kind: IntegerKind,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
        e: Slot,
    },
    /// `shf`
    Funnel {
        left: bool,
        wrap: bool,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    /// `prmt`
    Permute {
        mode: PermuteMode,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    /// `lop3`
    Logic3 {
        table: u8,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    /// `bmsk`
    Mask {
        wrap: bool,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// `szext`
    SizeExtend {
        signed: bool,
        wrap: bool,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// `dp4a`, `dp2a`
    Dot {
        bytes: bool,
        high: bool,
        signed_a: bool,
        signed_b: bool,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    /// Addition or subtraction with the carry flag, which is a predicate.
    Carry {
        wide: bool,
        subtract: bool,
        d: Slot,
        a: Slot,
        b: Slot,
        carry_in: Condition,
        carry_out: Slot,
    },
    Logic {
        operation: Logic,
        d: Slot,
        a: Condition,
        b: Condition,
    },
    Compare {
        compared: Compared,
        relation: Relation,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// Two comparisons, one for each half of the words.
    ComparePair {
        compared: Compared,
        relation: Relation,
        d: Slot,
        e: Slot,
        a: Slot,
        b: Slot,
    },
    Test {
        wide: bool,
        property: Property,
        d: Slot,
        a: Slot,
    },
    /// One of two constant words, chosen by a condition.
    Choose {
        d: Slot,
        p: Condition,
        yes: u32,
        no: u32,
    },
    SelectWord {
        d: Slot,
        a: Slot,
        b: Slot,
        p: Condition,
    },
    SelectLong {
        d: Slot,
        a: Slot,
        b: Slot,
        p: Condition,
    },
    Float1 {
        kind: FloatKind,
        operation: Float1,
        mode: Mode,
        d: Slot,
        a: Slot,
    },
    Float2 {
        kind: FloatKind,
        operation: Float2,
        mode: Mode,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// Product and sum, rounded once.
    Fma {
        kind: FloatKind,
        mode: Mode,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    Convert {
        conversion: Conversion,
        d: Slot,
        a: Slot,
    },
    /// This variant and the following ones are operations of the variants above. See [`Op::direct`].
    LoadGlobal {
        d: Slot,
        base: Slot,
        access: Box<Access>,
    },
    LoadShared {
        d: Slot,
        base: Slot,
        access: Box<Access>,
    },
    /// Load from shared memory at an address in a word.
    LoadNarrowShared {
        d: Slot,
        base: Slot,
        access: Box<Access>,
    },
    StoreGlobal {
        a: Slot,
        base: Slot,
        access: Box<Access>,
    },
    StoreShared {
        a: Slot,
        base: Slot,
        access: Box<Access>,
    },
    /// Store to shared memory at an address in a word.
    StoreNarrowShared {
        a: Slot,
        base: Slot,
        access: Box<Access>,
    },
    AddWord {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    MultiplyAddWord {
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    AddLong {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    WidenSigned {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    WidenUnsigned {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    AddSingle {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    SubtractSingle {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    MultiplySingle {
        d: Slot,
        a: Slot,
        b: Slot,
    },
    FmaSingle {
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    /// Value of a parameter of the kernel.
    Parameter {
        d: Place,
        offset: u32,
        size: u8,
        extension: Extension,
    },
    Load(Box<Access>),
    Store(Box<Access>),
    Atomic(Box<AtomicAccess>),
    Image(Box<ImageAccess>),
    Cold(Box<ColdOp>),
    /// Test for a generic address in a window.
    IsSpace {
        memory: MemorySpace,
        d: Slot,
        a: Slot,
    },
    Branch {
        target: u32,
    },
    BranchTable {
        index: Slot,
        targets: Box<[u32]>,
    },
    Call(Box<CallSite>),
    CallIndirect(Box<IndirectSite>),
    Return,
    Exit,
    Trap,
    /// Failed assertion, with message, file, line and function.
    Assert {
        message: Slot,
        file: Slot,
        line: Slot,
        function: Slot,
    },
    Barrier(Box<Barrier>),
    Collective(Box<Collective>),
    ActiveMask {
        d: Slot,
    },
    Clock {
        d: Place,
        clock: ClockRegister,
    },
    /// Turn for other lanes.
    Yield,
    /// Wait of some nanoseconds.
    Sleep {
        time: Slot,
    },
    Fence,
}
