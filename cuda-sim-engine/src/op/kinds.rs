//! What operations do: the choices inside one operation.

use cuda_ptx::modifier::Rounding;

/// Integer types that operations tell apart. The narrower two live in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IntegerKind {
    U16,
    S16,
    U32,
    S32,
    U64,
    S64,
}

/// A special register that tells the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClockRegister {
    /// Nanoseconds instead of cycles.
    pub(crate) nanoseconds: bool,
    /// The upper half.
    pub(crate) upper: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Integer1 {
    Negate,
    Absolute,
    Not,
    /// `cnot`: 1 for 0, 0 for everything else.
    IsZero,
    Reverse,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Integer2 {
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
pub(crate) enum Integer3 {
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
pub(crate) enum Count {
    Ones,
    LeadingZeros,
    /// Position of the most significant bit that is not a copy of the sign.
    Find,
    /// The same as a distance from the top.
    FindShift,
}

/// Floating-point formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FloatKind {
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
pub(crate) struct Mode {
    pub(crate) rounding: Rounding,
    /// Subnormal operands and results become zeros of their sign.
    pub(crate) flush: bool,
    /// The result is clamped to [0, 1], NaN becoming 0.
    pub(crate) saturate: bool,
    /// The result is clamped to at least 0, NaN becoming the canonical NaN.
    pub(crate) relu: bool,
}

impl Mode {
    pub(crate) const PLAIN: Self =
        Self { rounding: Rounding::Nearest, flush: false, saturate: false, relu: false };
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Float1 {
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
pub(crate) enum Float2 {
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
    /// `.xorsign.abs`: of the magnitudes, and the sign is that of the product.
    MinimumOfMagnitudes {
        nan: bool,
    },
    MaximumOfMagnitudes {
        nan: bool,
    },
    /// The magnitude of one operand, the sign of the other.
    CopySign,
}

/// A comparison, resolved to what the engine tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
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
pub(crate) enum Compared {
    Integer(IntegerKind),
    Float { kind: FloatKind, flush: bool },
}

/// Properties that `testp` tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Property {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Logic {
    And,
    Or,
    Xor,
}

/// What a conversion starts from or ends at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Number {
    Integer { bits: u8, signed: bool },
    Float(FloatKind),
}

/// A conversion between numbers of different types, other than plain extension and truncation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Conversion {
    pub(crate) from: Number,
    pub(crate) to: Number,
    pub(crate) rounding: Rounding,
    pub(crate) flush: bool,
    pub(crate) saturate: bool,
    pub(crate) relu: bool,
}

/// How `prmt` reads its selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PermuteMode {
    Generic,
    ForwardFour,
    BackwardFour,
    ReplicateEight,
    EdgeLeft,
    EdgeRight,
    ReplicateSixteen,
}
