//! Operations that are frequent enough for a variant of their own, which spares the loop over steps a second choice.

use super::{
    Access, Base, Extension, Float2, FloatKind, Integer2, Integer3, IntegerKind, MemorySpace, Mode, NONE, Op,
    Place, Slot,
};
use IntegerKind::{S32, S64, U32, U64};

/// Base of an access to one word of global or shared memory.
enum WordBase {
    Global(Slot),
    Shared(Slot),
    /// Base in a word.
    NarrowShared(Slot),
}

/// Returns the register and the base of an access to one word, if it has a variant of its own.
fn word(access: &Access) -> Option<(Slot, WordBase)> {
    let [Place::Word(word)] = access.elements.as_slice() else { return None };
    let is_plain = access.size == 4 && *word != NONE && !access.strong;
    let base = match (access.memory, access.base) {
        (MemorySpace::Global | MemorySpace::Generic, Base::Long(base)) => WordBase::Global(base),
        (MemorySpace::Shared, Base::Long(base)) => WordBase::Shared(base),
        (MemorySpace::Shared, Base::Word(base)) => WordBase::NarrowShared(base),
        _ => return None,
    };
    is_plain.then_some((*word, base))
}

impl Op {
    /// Step without effect.
    pub(crate) const NOTHING: Self = Self::Nothing { run: 1 };

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
            Op::Load(access) => match word(&access).filter(|_| access.extension == Extension::Zero) {
                Some((d, WordBase::Global(base))) => Op::LoadGlobal { d, base, access },
                Some((d, WordBase::Shared(base))) => Op::LoadShared { d, base, access },
                Some((d, WordBase::NarrowShared(base))) => Op::LoadNarrowShared { d, base, access },
                None => Op::Load(access),
            },
            Op::Store(access) => match word(&access) {
                Some((a, WordBase::Global(base))) => Op::StoreGlobal { a, base, access },
                Some((a, WordBase::Shared(base))) => Op::StoreShared { a, base, access },
                Some((a, WordBase::NarrowShared(base))) => Op::StoreNarrowShared { a, base, access },
                None => Op::Store(access),
            },
            Op::Fma { kind: FloatKind::F32, mode: Mode::PLAIN, d, a, b, c } => Op::FmaSingle { d, a, b, c },
            op => op,
        }
    }
}
