//! Operations that are frequent enough for a variant of their own, which spares the loop over steps a second choice.

use super::{Float2, FloatKind, Integer2, Integer3, IntegerKind, Mode, NONE, Op};
use IntegerKind::{S32, S64, U32, U64};

impl Op {
    /// Returns the variant for exactly this operation, if there is one.
    pub(crate) fn direct(self) -> Self {
        match self {
            Op::Integer2 { kind: U32 | S32, operation: Integer2::Add, d, a, b } => Op::AddWord { d, a, b },
            Op::Integer2 { kind: U64 | S64, operation: Integer2::Add, d, a, b } => Op::AddLong { d, a, b },
            Op::Integer3 { kind: U32 | S32, operation: Integer3::MultiplyAdd, d, a, b, c } => {
                Op::MultiplyAddWord { d, a, b, c }
            }
            Op::Widen { kind: U32, d, a, b, c: NONE } => Op::WidenUnsigned { d, a, b },
            Op::Widen { kind: S32, d, a, b, c: NONE } => Op::WidenSigned { d, a, b },
            Op::Float2 { kind: FloatKind::F32, operation, mode: Mode::PLAIN, d, a, b } => match operation {
                Float2::Add => Op::AddSingle { d, a, b },
                Float2::Subtract => Op::SubtractSingle { d, a, b },
                Float2::Multiply => Op::MultiplySingle { d, a, b },
                _ => self,
            },
            Op::Fma { kind: FloatKind::F32, mode: Mode::PLAIN, d, a, b, c } => Op::FmaSingle { d, a, b, c },
            op => op,
        }
    }
}
