//! `atom` and `red`.

use cuda_ptx::modifier::{Flag, Flags, SpaceWord};
use cuda_ptx::types::{Class, Scalar};

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::memory::{SCOPES, Target};
use super::operands::Fit;
use crate::op::{Atomic, AtomicAccess, Op};
use cuda_ptx::ast::Operand;

impl<'s> Lowerer<'_, 's> {
    pub(super) fn atomic(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        if instruction.has(Flag::Async) && instruction.tree.opcode == "red" {
            return self.counted_reduction(instruction);
        }
        if let Some(count) = instruction.words.vector {
            return self.atomic_vector(instruction, count);
        }
        const OPERATIONS: [Flag; 10] = [
            Flag::Add,
            Flag::Min,
            Flag::Max,
            Flag::Inc,
            Flag::Dec,
            Flag::And,
            Flag::Or,
            Flag::Xor,
            Flag::Exch,
            Flag::Cas,
        ];
        let orders = [Flag::Relaxed, Flag::Acquire, Flag::Release, Flag::AcqRel];
        let allowed = Flags::of(&OPERATIONS)
            .with(Flags::of(&orders))
            .with(Flags::of(&SCOPES))
            .with(Flags::of(&[Flag::NoFtz, Flag::L2Hint]));
        instruction.only(allowed)?;
        let opcode = instruction.tree.opcode;
        if instruction.words.repeated_space {
            return Err(instruction.repeated_space());
        }
        let returns = opcode == "atom";
        if let Some(word) =
            [Flag::Acquire, Flag::AcqRel].iter().find(|&&word| !returns && instruction.has(word))
        {
            return Err(instruction.illegal(word.word()));
        }
        match instruction.words.space {
            None | Some(SpaceWord::Global | SpaceWord::Shared | SpaceWord::SharedCluster) => {}
            Some(_) => {
                return Err(Stop::Error(format!("State space incorrect for instruction '{opcode}'")));
            }
        }
        let Some(flag) = instruction.words.flags.only_one_of(&OPERATIONS) else {
            return Err(Stop::Error(format!("Operation required for instruction '{opcode}'")));
        };
        let [scalar] = instruction.words.types.as_slice() else { return Err(instruction.bad_types()) };
        let scalar = *scalar;
        let operation = self.atomic_operation(instruction, flag, scalar)?;
        if flag == Flag::Cas && instruction.has(Flag::L2Hint) {
            return Err(instruction.illegal(Flag::L2Hint.word()));
        }
        self.check_hint(instruction)?;
        let mut operands = instruction.tree.operands.as_slice();
        if instruction.has(Flag::L2Hint)
            && let Some((_, rest)) = operands.split_last()
        {
            operands = rest;
        }
        if scalar == Scalar::B128 {
            return self.wide_atomic(instruction, operands);
        }
        let (d, a, b, c) = match (operands, returns, operation) {
            ([d, a, b, c], true, Atomic::CompareAndSwap) => (Some(d), a, b, Some(c)),
            (_, _, Atomic::CompareAndSwap) => return Err(instruction.mismatch()),
            ([d, a, b], true, _) => (Some(d), a, b, None),
            ([a, b], false, _) => (None, a, b, None),
            _ => return Err(instruction.mismatch()),
        };
        let Target::Memory { memory, base, offset } = self.address(instruction, a)? else {
            return Err(instruction.mismatch());
        };
        let operand = self.source_place(instruction, b, scalar, Fit::Exact)?;
        let replacement = match c {
            Some(c) => Some(self.source_place(instruction, c, scalar, Fit::Exact)?),
            None => None,
        };
        let result = match d {
            None | Some(Operand::Sink) => None,
            Some(d) => Some(self.destination_place(instruction, d, scalar, Fit::Exact)?.0),
        };
        let size = scalar.bytes() as u8;
        self.emit(Op::Atomic(Box::new(AtomicAccess {
            memory,
            base,
            offset,
            operation,
            size,
            of_block: instruction.words.space == Some(SpaceWord::Shared),
            is_element: false,
            result,
            operand,
            replacement,
        })));
        Ok(())
    }

    fn atomic_operation(
        &self,
        instruction: &Instruction<'_, 's>,
        flag: Flag,
        scalar: Scalar,
    ) -> Lowered<Atomic> {
        let opcode = instruction.tree.opcode;
        let incorrect = |types: &str| {
            let word = flag.word();
            Err(Stop::Error(format!("Operation .{word} requires {types} type for instruction '{opcode}'")))
        };
        if instruction.has(Flag::NoFtz)
            != matches!(scalar, Scalar::F16 | Scalar::F16x2 | Scalar::Bf16 | Scalar::Bf16x2)
        {
            return if instruction.has(Flag::NoFtz) {
                Err(instruction.illegal("noftz"))
            } else {
                Err(Stop::Error(format!("Modifier '.noftz' required for instruction '{opcode}'")))
            };
        }
        let signed = scalar.is_signed();
        let word = matches!(scalar.bits(), 32 | 64);
        let integer = word && matches!(scalar.class(), Class::Signed | Class::Unsigned);
        let bits = word && scalar.class() == Class::Bits;
        Ok(match flag {
            Flag::Add => match scalar {
                Scalar::U32 | Scalar::S32 | Scalar::U64 => Atomic::Add,
                Scalar::F32 => Atomic::AddF32,
                Scalar::F64 => Atomic::AddF64,
                Scalar::F16 => {
                    self.requires("atom.add.f16", (6, 3), 70)?;
                    Atomic::AddF16
                }
                Scalar::F16x2 => {
                    self.requires("atom.add.f16x2", (6, 2), 60)?;
                    Atomic::AddF16x2
                }
                Scalar::Bf16 => {
                    self.requires("atom.add.bf16", (7, 8), 90)?;
                    Atomic::AddBf16
                }
                Scalar::Bf16x2 => {
                    self.requires("atom.add.bf16x2", (7, 8), 90)?;
                    Atomic::AddBf16x2
                }
                _ => {
                    return incorrect(
                        ".u32 or .s32 or .u64 or .f64 or f16 or f16x2 or .f32 or .bf16 or .bf16x2",
                    );
                }
            },
            Flag::Min | Flag::Max
                if matches!(scalar, Scalar::F16 | Scalar::F16x2 | Scalar::Bf16 | Scalar::Bf16x2) =>
            {
                return Err(Stop::Error(format!("Vector modifier required for instruction '{opcode}'")));
            }
            Flag::Min if integer && signed => Atomic::MinimumSigned,
            Flag::Min if integer => Atomic::MinimumUnsigned,
            Flag::Max if integer && signed => Atomic::MaximumSigned,
            Flag::Max if integer => Atomic::MaximumUnsigned,
            Flag::Min | Flag::Max => return incorrect(".u32 or .s32 or .u64 or .s64"),
            Flag::Inc if scalar == Scalar::U32 => Atomic::Increment,
            Flag::Dec if scalar == Scalar::U32 => Atomic::Decrement,
            Flag::Inc | Flag::Dec => return incorrect(".u32"),
            Flag::And if bits => Atomic::And,
            Flag::Or if bits => Atomic::Or,
            Flag::Xor if bits => Atomic::Xor,
            Flag::And | Flag::Or | Flag::Xor => return incorrect(".b32 or .b64"),
            Flag::Exch | Flag::Cas if opcode == "red" => return Err(instruction.illegal(flag.word())),
            Flag::Exch if scalar == Scalar::B128 => Atomic::Exchange,
            Flag::Cas if scalar == Scalar::B128 => Atomic::CompareAndSwap,
            Flag::Exch if bits => Atomic::Exchange,
            Flag::Cas if bits => Atomic::CompareAndSwap,
            Flag::Cas if scalar == Scalar::B16 => {
                self.requires("atom.cas.b16", (6, 3), 70)?;
                Atomic::CompareAndSwap
            }
            _ => return incorrect(".b32 or .b64"),
        })
    }
}
