//! Variants of operations: the choices inside one operation.

use cuda_ptx::modifier::Rounding;

/// Integer types that operations distinguish. The two narrower ones are stored in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IntegerKind {
    U16,
    S16,
    U32,
    S32,
    U64,
    S64,
}

/// Special register that reads a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClockRegister {
    /// True for nanoseconds, false for cycles.
    pub(crate) nanoseconds: bool,
    /// True for the upper half.
    pub(crate) upper: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Integer1 {
    Negate,
    Absolute,
    Not,
    /// `cnot`: 1 for 0, and 0 for every other value.
    IsZero,
    Reverse,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Integer2 {
    Add,
    Subtract,
    /// Sum clamped to the range of the type.
    AddSaturated,
    SubtractSaturated,
    MultiplyLow,
    MultiplyHigh,
    /// Bits 0 to 31, or 16 to 47, of the product of the low 24 bits of the operands.
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
    /// Low half of a product, plus the third operand.
    MultiplyAdd,
    /// High half of a product, plus the third operand.
    MultiplyHighAdd,
    MultiplyHighAddSaturated,
    Multiply24LowAdd,
    Multiply24HighAdd,
    Multiply24HighAddSaturated,
    /// `sad`: absolute difference, plus the third operand.
    AbsoluteDifferenceAdd,
}

/// Operations whose result is a word for every operand type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Count {
    Ones,
    LeadingZeros,
    /// Position of the most significant bit that is not a copy of the sign.
    Find,
    /// Distance of that position from the most significant bit.
    FindShift,
}

/// Floating-point formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FloatKind {
    F16,
    Bf16,
    F32,
    F64,
    /// Two numbers in a word.
    F16x2,
    Bf16x2,
}

/// Treatment of the operands and the result of a floating-point operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mode {
    pub(crate) rounding: Rounding,
    /// True if subnormal operands and results become zeros of the same sign.
    pub(crate) flush: bool,
    /// True if the result is clamped to [0, 1] and NaN becomes 0.
    pub(crate) saturate: bool,
    /// True if the result is clamped to at least 0 and NaN becomes the canonical NaN.
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
    /// This variant and the following ones are approximations on hardware. Here they are computed in double precision
    /// and rounded.
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
    /// `div.approx`, whose result is zero for the largest divisors.
    DivideApproximate,
    Minimum,
    Maximum,
    /// Minimum and maximum that return NaN if one operand is NaN.
    MinimumNan,
    MaximumNan,
    /// `.xorsign.abs`: minimum and maximum of the magnitudes, with the sign of the product.
    MinimumOfMagnitudes {
        nan: bool,
    },
    MaximumOfMagnitudes {
        nan: bool,
    },
    /// Magnitude of one operand with the sign of the other.
    CopySign,
}

/// Comparison, reduced to the cases that the engine distinguishes.
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

/// Operand type of a comparison.
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

/// Source or result format of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Number {
    Integer { bits: u8, signed: bool },
    Float(FloatKind),
}

/// Conversion between numbers of different types, except plain extension and truncation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Conversion {
    pub(crate) from: Number,
    pub(crate) to: Number,
    pub(crate) rounding: Rounding,
    pub(crate) flush: bool,
    pub(crate) saturate: bool,
    pub(crate) relu: bool,
}

/// Mode in which `prmt` reads its selector.
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
