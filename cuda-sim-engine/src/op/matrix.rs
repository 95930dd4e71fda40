//! Operations on matrices that a warp holds together.

use super::{Address, Place, Slot};

/// What a matrix is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    F16,
    Bf16,
    /// The upper 19 bits of a word.
    Tf32,
    F32,
    F64,
    E4m3,
    E5m2,
    /// 1, 4, 8 or 32 bits.
    Integer {
        bits: u8,
        signed: bool,
    },
}

impl Element {
    pub(crate) const S32: Self = Self::Integer { bits: 32, signed: true };

    /// Its size in registers and in memory.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::F16 | Self::Bf16 => 16,
            Self::Tf32 | Self::F32 => 32,
            Self::F64 => 64,
            Self::E4m3 | Self::E5m2 => 8,
            Self::Integer { bits, .. } => u32::from(bits),
        }
    }

    /// How many of them a register holds.
    pub(crate) fn per_register(self) -> usize {
        (32 / self.bits().min(32)) as usize
    }
}

/// Where the elements of a matrix are in the registers of the lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tiling {
    /// As the PTX manual describes it for `mma`: eight rows of four lanes.
    Rows,
    /// Four multiplications at once, each by eight lanes (`mma.m8n8k4` of `f16`), `a` or `b` by columns.
    Quads { a_columns: bool, b_columns: bool },
    /// Row by row, lane after lane, as often as there is room. The layout of `wmma` is left open.
    Opaque,
}

/// How two elements become a summand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Product {
    Multiply,
    /// The number of bits.
    Xor,
    And,
}

/// `d = a * b + c`
#[derive(Debug, Clone)]
pub(crate) struct MatrixMultiply {
    /// Rows of the result, its columns, and columns of `a`.
    pub(crate) shape: [usize; 3],
    pub(crate) tiling: Tiling,
    pub(crate) product: Product,
    /// Results are clamped to finite numbers.
    pub(crate) saturate: bool,
    /// What `d`, `a`, `b` and `c` are made of.
    pub(crate) elements: [Element; 4],
    /// The registers of the four.
    pub(crate) registers: [Vec<Place>; 4],
    /// For each part of each register in each lane, which element of the four it is.
    pub(crate) places: [Vec<u32>; 4],
}

/// A matrix between memory and registers whose layout is left open.
#[derive(Debug, Clone)]
pub(crate) struct Fragment {
    pub(crate) at: Address,
    pub(crate) store: bool,
    /// Elements from one row to the next, or from one column; [`NONE`](super::NONE) if they touch.
    pub(crate) stride: Slot,
    pub(crate) columns: bool,
    /// Rows and columns.
    pub(crate) shape: [usize; 2],
    pub(crate) element: Element,
    pub(crate) registers: Vec<Place>,
}

/// Matrices of eight rows of eight 16-bit elements, each row at an address that one lane gives.
#[derive(Debug, Clone)]
pub(crate) struct MatrixAccess {
    pub(crate) at: Address,
    pub(crate) store: bool,
    pub(crate) transpose: bool,
    pub(crate) registers: Vec<Slot>,
}
