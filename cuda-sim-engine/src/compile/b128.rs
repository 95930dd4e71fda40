//! Registers of 128 bits. Each is a pair of longs, the lower one first.

use cuda_ptx::ast::Operand;
use cuda_ptx::modifier::{Flag, SpaceWord};
use cuda_ptx::types::Scalar;

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::memory::Target;
use super::operands::{Fit, Value};
use crate::op::{ALL_BYTES, Access, Address, ColdOp, Extension, MemorySpace, Op, Place, Slot, WideAtomic};

impl<'s> Lowerer<'_, 's> {
    fn wide(&mut self, instruction: &Instruction<'_, 's>, operand: &Operand<'s>) -> Lowered<[Slot; 2]> {
        match self.value(operand) {
            Value::Wide(slots) => Ok(slots),
            _ => Err(instruction.mismatch()),
        }
    }

    fn wide_address(&mut self, instruction: &Instruction<'_, 's>, operand: &Operand<'s>) -> Lowered<Address> {
        match self.address(instruction, operand)? {
            Target::Memory { memory: MemorySpace::Parameter, .. }
            | Target::Words { .. }
            | Target::Parameter { .. } => Err(Stop::Unsupported("128 bits of a parameter")),
            Target::Memory { memory, base, offset } => {
                let of_block = instruction.words.space == Some(SpaceWord::Shared);
                Ok(Address { memory, base, offset, of_block })
            }
        }
    }

    /// Lowers `ld.b128` and `st.b128` after the check of their modifiers.
    pub(super) fn wide_access(
        &mut self,
        instruction: &Instruction<'_, 's>,
        [d, a]: [&Operand<'s>; 2],
        strong: bool,
        store: bool,
    ) -> Lowered<()> {
        self.requires("Type .b128", (8, 3), 70)?;
        let (register, at) = if store { (a, d) } else { (d, a) };
        let at = self.wide_address(instruction, at)?;
        let slots = self.wide(instruction, register)?;
        let used = if store { ALL_BYTES } else { self.used_of(16) };
        if strong {
            let (result, operand) = if store { (None, Some(slots)) } else { (Some(slots), None) };
            self.cold(ColdOp::Wide(WideAtomic {
                at,
                is_atom: false,
                used,
                result,
                operand,
                replacement: None,
            }));
            return Ok(());
        }
        let access = Box::new(Access {
            memory: at.memory,
            base: at.base,
            offset: at.offset,
            size: 8,
            extension: Extension::Zero,
            strong,
            of_block: at.of_block,
            used,
            elements: slots.map(Place::Long).to_vec(),
        });
        self.emit(if store { Op::Store(access) } else { Op::Load(access) });
        Ok(())
    }

    /// Lowers `atom.exch.b128` and `atom.cas.b128`.
    pub(super) fn wide_atomic(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operands: &[Operand<'s>],
    ) -> Lowered<()> {
        self.requires("Type .b128", (8, 3), 90)?;
        let swap = instruction.has(Flag::Cas);
        let (d, at, operand, replacement) = match operands {
            [d, at, operand] if !swap => (d, at, operand, None),
            [d, at, operand, replacement] if swap => (d, at, operand, Some(replacement)),
            _ => return Err(instruction.mismatch()),
        };
        let at = self.wide_address(instruction, at)?;
        let operand = Some(self.wide(instruction, operand)?);
        let replacement = match replacement {
            Some(replacement) => Some(self.wide(instruction, replacement)?),
            None => None,
        };
        let result = match d {
            Operand::Sink => None,
            d => Some(self.wide(instruction, d)?),
        };
        self.cold(ColdOp::Wide(WideAtomic {
            at,
            is_atom: true,
            used: ALL_BYTES,
            result,
            operand,
            replacement,
        }));
        Ok(())
    }

    /// Lowers `mov.b128`.
    pub(super) fn wide_move(
        &mut self,
        instruction: &Instruction<'_, 's>,
        d: &Operand<'s>,
        a: &Operand<'s>,
    ) -> Lowered<()> {
        self.requires("Type .b128", (8, 3), 70)?;
        // Through copies, because sources and results may be the same registers.
        let from = match a {
            Operand::Vector(parts) => self.wide_parts(instruction, parts)?,
            a => {
                let from = self.wide(instruction, a)?;
                [self.copied(from[0]), self.copied(from[1])]
            }
        };
        let Operand::Vector(parts) = d else {
            let to = self.wide(instruction, d)?;
            for (d, a) in to.into_iter().zip(from) {
                self.emit(Op::MoveLong { d, a });
            }
            return Ok(());
        };
        match parts.as_slice() {
            [low, high] => {
                for (part, a) in [low, high].into_iter().zip(from) {
                    if !matches!(part, Operand::Sink) {
                        let d = self.destination(instruction, part, Scalar::B64)?;
                        self.emit(Op::MoveLong { d, a });
                    }
                }
            }
            [_, _, _, _] => {
                let mut slots = Vec::new();
                for part in parts {
                    slots.push(match part {
                        Operand::Sink => crate::op::NONE,
                        part => self.destination(instruction, part, Scalar::B32)?,
                    });
                }
                for (pair, a) in slots.chunks_exact(2).zip(from) {
                    self.emit(Op::Split { low: pair[0], high: pair[1], a });
                }
            }
            _ => return Err(instruction.mismatch()),
        }
        Ok(())
    }

    fn copied(&mut self, a: Slot) -> Slot {
        let d = self.new_long();
        self.emit(Op::MoveLong { d, a });
        d
    }

    fn wide_parts(&mut self, instruction: &Instruction<'_, 's>, parts: &[Operand<'s>]) -> Lowered<[Slot; 2]> {
        match parts {
            [low, high] => {
                let low = self.source(instruction, low, Scalar::B64)?;
                let high = self.source(instruction, high, Scalar::B64)?;
                Ok([self.copied(low), self.copied(high)])
            }
            [a, b, c, e] => {
                let mut words = [0; 4];
                for (word, part) in words.iter_mut().zip([a, b, c, e]) {
                    let Place::Word(slot) = self.source_place(instruction, part, Scalar::B32, Fit::Exact)?
                    else {
                        return Err(instruction.mismatch());
                    };
                    *word = slot;
                }
                let (low, high) = (self.new_long(), self.new_long());
                self.emit(Op::Join { d: low, low: words[0], high: words[1] });
                self.emit(Op::Join { d: high, low: words[2], high: words[3] });
                Ok([low, high])
            }
            _ => Err(instruction.mismatch()),
        }
    }
}
