//! Operations on matrices that the lanes of a warp hold together.

use super::{Address, Condition, Place, Slot};

/// Element type of a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    F16,
    Bf16,
    /// `tf32`: the upper 19 bits of a word.
    Tf32,
    F32,
    F64,
    E4m3,
    E5m2,
    /// Integer of 1, 4, 8 or 32 bits.
    Integer {
        bits: u8,
        signed: bool,
    },
}

impl Element {
    pub(crate) const S32: Self = Self::Integer { bits: 32, signed: true };

    /// Returns the size of an element in registers and in memory.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::F16 | Self::Bf16 => 16,
            Self::Tf32 | Self::F32 => 32,
            Self::F64 => 64,
            Self::E4m3 | Self::E5m2 => 8,
            Self::Integer { bits, .. } => u32::from(bits),
        }
    }

    /// Returns the number of elements in one register.
    pub(crate) fn per_register(self) -> usize {
        (32 / self.bits().min(32)) as usize
    }
}

/// Distribution of the elements of a matrix over the registers of the lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tiling {
    /// Layout of `mma` and `wgmma` in the PTX manual: eight rows of four lanes, repeated downwards and then to the right.
    Rows,
    /// Four multiplications at once, each by eight lanes (`mma.m8n8k4` of `f16`). `a` or `b` may be in column order.
    Quads { a_columns: bool, b_columns: bool },
    /// Layout of `wmma`, which the PTX manual leaves open. Here: row by row, lane after lane, repeated until the
    /// registers are full.
    Opaque,
}

/// Combination of two elements into a summand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Product {
    Multiply,
    /// Number of one bits of the exclusive or.
    Xor,
    And,
}

/// `d = a * b + c`
#[derive(Debug, Clone)]
pub(crate) struct MatrixMultiply {
    /// Rows of the result, columns of the result, and rows of `b`.
    pub(crate) shape: [usize; 3],
    /// Columns of `a` that are stored, if the others are zero.
    pub(crate) sparse: Option<Sparse>,
    pub(crate) tiling: Tiling,
    pub(crate) product: Product,
    /// True if results are clamped to finite numbers.
    pub(crate) saturate: bool,
    /// Element types of `d`, `a`, `b` and `c`.
    pub(crate) elements: [Element; 4],
    /// Registers of `d`, `a`, `b` and `c`.
    pub(crate) registers: [Vec<Place>; 4],
    /// Element index for each part of each register in each lane, for the four matrices. Empty for `c` if it is that of `d`.
    pub(crate) places: [Vec<u32>; 4],
}

/// Sparse matrix `a`: half of the elements are zero. Registers and memory have only the others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sparse {
    /// Register with the columns of the stored elements, a word.
    pub(crate) metadata: Slot,
    /// Lanes of each four that have the metadata.
    pub(crate) selector: usize,
}

/// `wgmma.mma_async`: the 16 rows of one warp of `d = a * b + d`.
#[derive(Debug, Clone)]
pub(crate) struct GroupMultiply {
    /// The product of the warp. Matrices in memory have no registers.
    pub(crate) multiply: MatrixMultiply,
    /// `a`, if it is in memory.
    pub(crate) a: Option<SharedMatrix>,
    pub(crate) b: SharedMatrix,
    /// Number of the warp in its block.
    pub(crate) warp: Slot,
    /// False if `d` is zero before the sum.
    pub(crate) adds: Condition,
    /// True for `a` or `b` whose elements are negated.
    pub(crate) negates: [bool; 2],
}

/// Matrix in shared memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SharedMatrix {
    /// Register of the descriptor, a long.
    pub(crate) descriptor: Slot,
    /// True if rows of `a` or columns of `b` are adjacent, false if elements along the depth are.
    pub(crate) is_transposed: bool,
}

/// Access to a matrix whose register layout the PTX manual leaves open.
#[derive(Debug, Clone)]
pub(crate) struct Fragment {
    pub(crate) at: Address,
    pub(crate) store: bool,
    /// Distance between rows or columns in elements; [`NONE`](super::NONE) if they are adjacent.
    pub(crate) stride: Slot,
    pub(crate) columns: bool,
    /// Rows and columns.
    pub(crate) shape: [usize; 2],
    pub(crate) element: Element,
    pub(crate) registers: Vec<Place>,
}

/// Access to matrices of eight rows of eight 16-bit elements. One lane holds the address of each row.
#[derive(Debug, Clone)]
pub(crate) struct MatrixAccess {
    pub(crate) at: Address,
    pub(crate) store: bool,
    pub(crate) transpose: bool,
    pub(crate) registers: Vec<Slot>,
}
