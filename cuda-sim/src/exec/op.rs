//! The decoded instructions that the engine runs.
//!
//! Every operand is a slot of one of three register files: words (32 bits a lane), longs (64 bits a lane) and
//! predicates (one bit a lane). Immediates, symbol addresses and special registers are slots too, filled before a
//! kernel starts, so that an operation never asks what kind of operand it has. Sixteen- and eight-bit registers are
//! words whose upper bits are zero.

use crate::ptx::modifier::Rounding;

/// Index into a register file.
pub(super) type Slot = u32;

/// A slot that is not there.
pub(super) const NONE: Slot = Slot::MAX;

/// The predicate slot that is true in all lanes.
pub(super) const TRUE: Slot = 0;

/// A predicate slot, possibly negated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Condition(u32);

impl Condition {
    /// True in all lanes.
    pub(super) const ALWAYS: Self = Self::new(TRUE, false);
    /// False in all lanes.
    pub(super) const NEVER: Self = Self::new(TRUE, true);

    pub(super) const fn new(slot: Slot, negated: bool) -> Self {
        Self(slot << 1 | negated as u32)
    }

    #[inline(always)]
    pub(super) const fn slot(self) -> Slot {
        self.0 >> 1
    }

    /// All ones if the predicate is to be negated.
    #[inline(always)]
    pub(super) const fn flip(self) -> u32 {
        (self.0 & 1).wrapping_neg()
    }

    pub(super) const fn negate(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// A slot of a known file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Place {
    Word(Slot),
    Long(Slot),
    Predicate(Slot),
}

/// One operation, the condition it is under, and the line it came from.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) guard: Condition,
    pub(super) line: u32,
    pub(super) op: Op,
}

/// Integer types that operations tell apart. The narrower two live in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IntegerKind {
    U16,
    S16,
    U32,
    S32,
    U64,
    S64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Integer1 {
    Negate,
    Absolute,
    Not,
    /// `cnot`: 1 for 0, 0 for everything else.
    IsZero,
    Reverse,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Integer2 {
    Add,
    Subtract,
    /// Clamped to the range of the type.
    AddSaturated,
    SubtractSaturated,
    MultiplyLow,
    MultiplyHigh,
    /// Of the low 24 bits: bits 0 to 31 and 16 to 47 of the product.
    Multiply24Low,
    Multiply24High,
    Divide,
    Remainder,
    Minimum,
    Maximum,
    And,
    Or,
    Xor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Integer3 {
    /// The low half of a product, plus.
    MultiplyAdd,
    /// The high half of a product, plus.
    MultiplyHighAdd,
    MultiplyHighAddSaturated,
    Multiply24LowAdd,
    Multiply24HighAdd,
    Multiply24HighAddSaturated,
    /// `sad`: the absolute difference, plus.
    AbsoluteDifferenceAdd,
}

/// Operations whose result is a word whatever the operand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    Ones,
    LeadingZeros,
    /// Position of the most significant bit that is not a copy of the sign.
    Find,
    /// The same as a distance from the top.
    FindShift,
}

/// Floating-point formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FloatKind {
    F16,
    Bf16,
    F32,
    F64,
    /// Two to a word.
    F16x2,
    Bf16x2,
}

/// How a floating-point operation treats its operands and its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mode {
    pub(super) rounding: Rounding,
    /// Subnormal operands and results become zeros of their sign.
    pub(super) flush: bool,
    /// The result is clamped to [0, 1], NaN becoming 0.
    pub(super) saturate: bool,
    /// The result is clamped to at least 0, NaN becoming the canonical NaN.
    pub(super) relu: bool,
}

impl Mode {
    pub(super) const PLAIN: Self =
        Self { rounding: Rounding::Nearest, flush: false, saturate: false, relu: false };
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Float1 {
    Negate,
    Absolute,
    SquareRoot,
    Reciprocal,
    /// The rest are approximations on hardware; here they are computed in double precision and rounded.
    ReciprocalSquareRoot,
    Exponential,
    Logarithm,
    Sine,
    Cosine,
    HyperbolicTangent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Float2 {
    Add,
    Subtract,
    Multiply,
    Divide,
    /// `div.approx`, whose result for the largest divisors is zero.
    DivideApproximate,
    Minimum,
    Maximum,
    /// The variants that let a NaN win.
    MinimumNan,
    MaximumNan,
    /// The magnitude of one operand, the sign of the other.
    CopySign,
}

/// A comparison, resolved to what the engine tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    EqualUnordered,
    NotEqualUnordered,
    LessUnordered,
    LessEqualUnordered,
    GreaterUnordered,
    GreaterEqualUnordered,
    Numbers,
    Nan,
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compared {
    Integer(IntegerKind),
    Float { kind: FloatKind, flush: bool },
}

/// Properties that `testp` tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Property {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Logic {
    And,
    Or,
    Xor,
}

/// What a conversion starts from or ends at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    Integer { bits: u8, signed: bool },
    Float(FloatKind),
}

/// A conversion between numbers of different types, other than plain extension and truncation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Conversion {
    pub(super) from: Number,
    pub(super) to: Number,
    pub(super) rounding: Rounding,
    pub(super) flush: bool,
    pub(super) saturate: bool,
    pub(super) relu: bool,
}

/// A state space that memory instructions address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Memories {
    Generic,
    Global,
    Shared,
    Local,
    /// The parameters of the kernel.
    Parameter,
}

/// How a loaded value fills its register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extension {
    Zero,
    /// To the width of the register, which is 16, 32 or 64 bits.
    Sign(u8),
}

/// Where an address comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    Word(Slot),
    Long(Slot),
}

/// An access to memory.
#[derive(Debug, Clone)]
pub(super) struct Access {
    pub(super) memory: Memories,
    pub(super) base: Base,
    pub(super) offset: i64,
    /// Bytes of one element: 1, 2, 4 or 8.
    pub(super) size: u8,
    pub(super) extension: Extension,
    /// Other threads of the host may look at the same bytes.
    pub(super) strong: bool,
    /// The registers, one for each element; [`NONE`] for elements that are discarded.
    pub(super) elements: Vec<Place>,
}

/// What an atomic operation does to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Atomic {
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
}

/// An atomic operation on memory.
#[derive(Debug, Clone)]
pub(super) struct AtomicAccess {
    pub(super) memory: Memories,
    pub(super) base: Base,
    pub(super) offset: i64,
    pub(super) operation: Atomic,
    /// Bytes: 2, 4 or 8.
    pub(super) size: u8,
    /// Where the old value goes, if anywhere.
    pub(super) result: Option<Place>,
    pub(super) operand: Place,
    /// The new value of a compare-and-swap, whose `operand` is what it compares with.
    pub(super) replacement: Option<Place>,
}

/// A value handed over at a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Transfer {
    pub(super) from: Place,
    pub(super) to: Place,
}

/// A call of a known function.
#[derive(Debug, Clone)]
pub(super) struct CallSite {
    pub(super) function: usize,
    /// From slots of the caller to slots of the callee.
    pub(super) arguments: Vec<Transfer>,
    /// From slots of the callee to slots of the caller.
    pub(super) results: Vec<Transfer>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BarrierAction {
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
}

/// A barrier of the block.
#[derive(Debug, Clone)]
pub(super) struct Barrier {
    pub(super) action: BarrierAction,
    pub(super) number: Slot,
    /// How many threads take part; [`NONE`] if all do.
    pub(super) threads: Slot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShuffleMode {
    Up,
    Down,
    Butterfly,
    Index,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VoteMode {
    All,
    Any,
    Uniform,
    Ballot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reduction {
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
pub(super) struct Collective {
    pub(super) action: CollectiveAction,
    /// The mask of the lanes that take part; [`NONE`] for the old forms without one, in which those do that are there.
    pub(super) members: Slot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CollectiveAction {
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

/// One operation.
///
/// Slots are named in the order of the PTX operands: `d` the result, then the sources.
#[derive(Debug, Clone)]
pub(super) enum Op {
    Nothing,
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
    /// Two words make a long.
    Join {
        d: Slot,
        low: Slot,
        high: Slot,
    },
    /// A long falls into two words, either of which may be [`NONE`].
    Split {
        low: Slot,
        high: Slot,
        a: Slot,
    },
    /// The bits `shift .. shift + bits` of a word.
    Extract {
        d: Slot,
        a: Slot,
        shift: u8,
        bits: u8,
    },
    /// A word with the bits `shift .. shift + bits` replaced.
    Deposit {
        d: Slot,
        a: Slot,
        shift: u8,
        bits: u8,
    },
    /// The low `bits` of a word, sign-extended to `to` bits or zero-extended.
    ExtendWord {
        d: Slot,
        a: Slot,
        bits: u8,
        signed: bool,
        to: u8,
    },
    /// The low `bits` of a word, extended to a long.
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
    /// The whole product of two 16- or 32-bit numbers, plus `c` unless that is [`NONE`].
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
    /// Two comparisons of the halves of words.
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
    /// A word that is one of two constants.
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
    /// Multiply, add, round once.
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
    /// A parameter of the kernel.
    Parameter {
        d: Place,
        offset: u32,
        size: u8,
        extension: Extension,
    },
    Load(Box<Access>),
    Store(Box<Access>),
    Atomic(Box<AtomicAccess>),
    /// Whether a generic address lies in a window.
    IsSpace {
        memory: Memories,
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
    Return,
    Exit,
    Trap,
    /// A failed assertion: message, file, line and function.
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
        shift: u8,
    },
    /// Let other lanes go first.
    Yield,
    Fence,
}

/// How `prmt` reads its selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PermuteMode {
    Generic,
    ForwardFour,
    BackwardFour,
    ReplicateEight,
    EdgeLeft,
    EdgeRight,
    ReplicateSixteen,
}
