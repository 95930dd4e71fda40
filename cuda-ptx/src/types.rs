//! Fundamental types and state spaces.

/// The type of a register, a variable element or an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Scalar {
    /// `.pred`: true or false.
    Pred,
    /// `.b8`
    B8,
    /// `.u8`
    U8,
    /// `.s8`
    S8,
    /// `.b16`
    B16,
    /// `.u16`
    U16,
    /// `.s16`
    S16,
    /// `.f16`
    F16,
    /// `.bf16`
    Bf16,
    /// `.b32`
    B32,
    /// `.u32`
    U32,
    /// `.s32`
    S32,
    /// `.f32`
    F32,
    /// `.f16x2`
    F16x2,
    /// `.bf16x2`
    Bf16x2,
    /// `.u16x2`
    U16x2,
    /// `.s16x2`
    S16x2,
    /// `.tf32`
    Tf32,
    /// `.b64`
    B64,
    /// `.u64`
    U64,
    /// `.s64`
    S64,
    /// `.f64`
    F64,
    /// `.b128`
    B128,
    /// Any other type that only instructions have, such as `.e4m3` or `.f32x2`. Its size and name here are those of `.b8`.
    Narrow,
}

/// A family of types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// True or false.
    Predicate,
    /// Bits without a meaning: `.b32`.
    Bits,
    /// Unsigned integers.
    Unsigned,
    /// Signed integers.
    Signed,
    /// Floating-point numbers.
    Float,
    /// Two 16-bit numbers in one register.
    Packed,
    /// Other types that only instructions have: [`Scalar::Narrow`].
    Other,
}

impl Scalar {
    /// Returns the type with the name `word`, given without its dot.
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "pred" => Self::Pred,
            "b8" => Self::B8,
            "u8" => Self::U8,
            "s8" => Self::S8,
            "b16" => Self::B16,
            "u16" => Self::U16,
            "s16" => Self::S16,
            "f16" => Self::F16,
            "bf16" => Self::Bf16,
            "b32" => Self::B32,
            "u32" => Self::U32,
            "s32" => Self::S32,
            "f32" => Self::F32,
            "f16x2" => Self::F16x2,
            "bf16x2" => Self::Bf16x2,
            "u16x2" => Self::U16x2,
            "s16x2" => Self::S16x2,
            "tf32" => Self::Tf32,
            "b64" => Self::B64,
            "u64" => Self::U64,
            "s64" => Self::S64,
            "f64" => Self::F64,
            "b128" => Self::B128,
            "b1" | "b4" | "u2" | "s2" | "u4" | "s4" | "u8x4" | "s8x4" | "f8x4" | "b4x16" | "b6x16_p32"
            | "b6p2x16" | "e4m3" | "e5m2" | "e3m2" | "e2m3" | "e2m1" | "e4m3x2" | "e5m2x2" | "e4m3x4"
            | "e5m2x4" | "e2m1x2" | "e2m1x4" | "e2m3x2" | "e2m3x4" | "e3m2x2" | "e3m2x4" | "ue8m0"
            | "ue8m0x2" | "ue4m3" | "f32x2" => Self::Narrow,
            _ => return None,
        })
    }

    /// Returns the type with the name `word` if variables or registers can have it. The name is given without its dot.
    pub fn from_declaration(word: &str) -> Option<Self> {
        Self::from_word(word).filter(|scalar| {
            !matches!(
                scalar,
                Self::Bf16 | Self::Bf16x2 | Self::U16x2 | Self::S16x2 | Self::Tf32 | Self::Narrow
            )
        })
    }

    /// Returns the size in bits. A predicate has one.
    pub fn bits(self) -> u32 {
        match self {
            Self::Pred => 1,
            Self::B8 | Self::U8 | Self::S8 | Self::Narrow => 8,
            Self::B16 | Self::U16 | Self::S16 | Self::F16 | Self::Bf16 => 16,
            Self::B32
            | Self::U32
            | Self::S32
            | Self::F32
            | Self::F16x2
            | Self::Bf16x2
            | Self::U16x2
            | Self::S16x2
            | Self::Tf32 => 32,
            Self::B64 | Self::U64 | Self::S64 | Self::F64 => 64,
            Self::B128 => 128,
        }
    }

    /// Returns the size in memory, in bytes.
    pub fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// Returns the family.
    pub fn class(self) -> Class {
        match self {
            Self::Pred => Class::Predicate,
            Self::B8 | Self::B16 | Self::B32 | Self::B64 | Self::B128 => Class::Bits,
            Self::U8 | Self::U16 | Self::U32 | Self::U64 => Class::Unsigned,
            Self::S8 | Self::S16 | Self::S32 | Self::S64 => Class::Signed,
            Self::F16 | Self::Bf16 | Self::F32 | Self::Tf32 | Self::F64 => Class::Float,
            Self::F16x2 | Self::Bf16x2 | Self::U16x2 | Self::S16x2 => Class::Packed,
            Self::Narrow => Class::Other,
        }
    }

    /// Returns whether the type is a signed integer.
    pub fn is_signed(self) -> bool {
        self.class() == Class::Signed
    }

    /// Returns whether the type is an integer or plain bits.
    pub fn is_integer(self) -> bool {
        matches!(self.class(), Class::Bits | Class::Unsigned | Class::Signed)
    }

    /// Returns the name with its dot.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pred => ".pred",
            Self::B8 => ".b8",
            Self::U8 => ".u8",
            Self::S8 => ".s8",
            Self::B16 => ".b16",
            Self::U16 => ".u16",
            Self::S16 => ".s16",
            Self::F16 => ".f16",
            Self::Bf16 => ".bf16",
            Self::B32 => ".b32",
            Self::U32 => ".u32",
            Self::S32 => ".s32",
            Self::F32 => ".f32",
            Self::F16x2 => ".f16x2",
            Self::Bf16x2 => ".bf16x2",
            Self::U16x2 => ".u16x2",
            Self::S16x2 => ".s16x2",
            Self::Tf32 => ".tf32",
            Self::B64 => ".b64",
            Self::U64 => ".u64",
            Self::S64 => ".s64",
            Self::F64 => ".f64",
            Self::B128 => ".b128",
            Self::Narrow => ".b8",
        }
    }
}

/// A state space that variables live in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Space {
    /// `.reg`
    Register,
    /// `.const`
    Constant,
    /// `.global`
    Global,
    /// `.local`
    Local,
    /// `.param`
    Parameter,
    /// `.shared`
    Shared,
    /// `.tex`
    Texture,
}

impl Space {
    /// Returns the space with the name `word`, given without its dot.
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "reg" => Self::Register,
            "const" => Self::Constant,
            "global" => Self::Global,
            "local" => Self::Local,
            "param" => Self::Parameter,
            "shared" => Self::Shared,
            "tex" => Self::Texture,
            _ => return None,
        })
    }

    /// Returns the name with its dot.
    pub fn name(self) -> &'static str {
        match self {
            Self::Register => ".reg",
            Self::Constant => ".const",
            Self::Global => ".global",
            Self::Local => ".local",
            Self::Parameter => ".param",
            Self::Shared => ".shared",
            Self::Texture => ".tex",
        }
    }
}
