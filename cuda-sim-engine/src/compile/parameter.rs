//! Parameter variables of device functions and of calls: words of the register file.

use cuda_ptx::types::Scalar;

use super::lowerer::{Lowered, Lowerer, Stop};
use super::operands::slot;
use crate::op::{KERNEL_PARAMETERS_START, NONE, Op, Place, Slot};

impl Lowerer<'_, '_> {
    /// Returns the word of a parameter variable that holds byte `offset`, and the bit offset in that word.
    pub(super) fn parameter_word(first: Slot, bytes: u32, offset: i64, size: u32) -> Lowered<(Slot, u8)> {
        let offset = u32::try_from(offset).ok().filter(|&offset| {
            offset.is_multiple_of(size.min(4)) && offset.checked_add(size).is_some_and(|end| end <= bytes)
        });
        let Some(offset) = offset else {
            return Err(Stop::Unsupported("an address outside of the parameter"));
        };
        Ok((first + offset / 4, (offset % 4 * 8) as u8))
    }

    pub(super) fn load_words(
        &mut self,
        first: Slot,
        bytes: u32,
        offset: i64,
        scalar: Scalar,
        register: Scalar,
        place: Place,
    ) -> Lowered<()> {
        let (word, shift) = Self::parameter_word(first, bytes, offset, scalar.bytes())?;
        if slot(place) == NONE {
            return Ok(());
        }
        match (scalar.bytes(), place) {
            (8, Place::Long(d)) => self.emit(Op::Join { d, low: word, high: word + 1 }),
            (4, _) => self.extend_into(place, register, word, 32, scalar.is_signed()),
            (size, _) => {
                let bits = (size * 8) as u8;
                let part = self.new_word();
                self.emit(Op::Extract { d: part, a: word, shift, bits });
                self.extend_into(place, register, part, bits, scalar.is_signed());
            }
        }
        Ok(())
    }

    pub(super) fn store_words(
        &mut self,
        first: Slot,
        bytes: u32,
        offset: i64,
        scalar: Scalar,
        place: Place,
    ) -> Lowered<()> {
        let (word, shift) = Self::parameter_word(first, bytes, offset, scalar.bytes())?;
        match (scalar.bytes(), place) {
            (8, Place::Long(a)) => self.emit(Op::Split { low: word, high: word + 1, a }),
            (size, place) => {
                let a = match place {
                    Place::Long(a) => {
                        let low = self.new_word();
                        self.emit(Op::Split { low, high: NONE, a });
                        low
                    }
                    Place::Word(a) | Place::Predicate(a) => a,
                };
                if size == 4 {
                    self.emit(Op::MoveWord { d: word, a });
                } else {
                    self.emit(Op::Deposit { d: word, a, shift, bits: (size * 8) as u8 });
                }
            }
        }
        Ok(())
    }
}

/// Returns the offset of a kernel parameter that follows `end` bytes of other parameters.
pub(super) fn place(end: u32, align: u32) -> u32 {
    let place = (KERNEL_PARAMETERS_START + u64::from(end)).next_multiple_of(u64::from(align.max(1)))
        - KERNEL_PARAMETERS_START;
    u32::try_from(place).unwrap_or(u32::MAX)
}
