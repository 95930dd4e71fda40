//! Bitwise operations, shifts, bit counting and bit fields.

use cuda_ptx::ast::{Constant as Literal, Operand};
use cuda_ptx::modifier::{Flag, Flags};
use cuda_ptx::types::Scalar;

use super::arithmetic::integer_kind;
use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use crate::op::{
    Compared, Condition, Count, Integer1, Integer2, IntegerKind, Logic, Op, PermuteMode, Relation,
};

const BIT_TYPES: [Scalar; 4] = [Scalar::Pred, Scalar::B16, Scalar::B32, Scalar::B64];
const WORDS: [Scalar; 2] = [Scalar::B32, Scalar::B64];
const NUMBERS: [Scalar; 4] = [Scalar::U32, Scalar::S32, Scalar::U64, Scalar::S64];

impl<'s> Lowerer<'_, 's> {
    pub(super) fn logic(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.plain()?;
        instruction.no_rounding()?;
        match instruction.tree.opcode {
            "shl" | "shr" => self.shift(instruction),
            "shf" => self.funnel(instruction),
            "lop3" => self.logic3(instruction),
            "not" | "cnot" => self.invert(instruction),
            opcode => {
                instruction.only(Flags::of(&[Flag::And, Flag::Or, Flag::Xor]))?;
                let scalar = instruction.one_type(&BIT_TYPES)?;
                let [d, a, b] = instruction.operands()?;
                if scalar == Scalar::Pred {
                    let operation = match opcode {
                        "and" => Logic::And,
                        "or" => Logic::Or,
                        _ => Logic::Xor,
                    };
                    let a = self.condition(instruction, a)?;
                    let b = self.condition(instruction, b)?;
                    let d = self.destination(instruction, d, scalar)?;
                    self.emit(Op::Logic { operation, d, a, b });
                    return Ok(());
                }
                let operation = match opcode {
                    "and" => Integer2::And,
                    "or" => Integer2::Or,
                    _ => Integer2::Xor,
                };
                let kind = integer_kind(scalar).ok_or_else(|| instruction.bad_types())?;
                let a = self.source(instruction, a, scalar)?;
                let b = self.source(instruction, b, scalar)?;
                let d = self.destination(instruction, d, scalar)?;
                self.emit(Op::Integer2 { kind, operation, d, a, b });
                Ok(())
            }
        }
    }

    fn invert(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.only(Flags::default())?;
        let [d, a] = instruction.operands()?;
        let complement = instruction.tree.opcode == "not";
        let scalar = instruction.one_type(if complement { &BIT_TYPES } else { &BIT_TYPES[1..] })?;
        if scalar == Scalar::Pred {
            let a = self.condition(instruction, a)?.negate();
            let d = self.destination(instruction, d, scalar)?;
            self.emit(Op::MovePredicate { d, a });
            return Ok(());
        }
        let kind = integer_kind(scalar).ok_or_else(|| instruction.bad_types())?;
        let a = self.source(instruction, a, scalar)?;
        let d = self.destination(instruction, d, scalar)?;
        let operation = if complement { Integer1::Not } else { Integer1::IsZero };
        self.emit(Op::Integer1 { kind, operation, d, a });
        Ok(())
    }

    fn shift(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.only(Flags::default())?;
        let left = instruction.tree.opcode == "shl";
        let scalar = if left {
            instruction.one_type(&BIT_TYPES[1..])?
        } else {
            instruction.one_type(&[
                Scalar::B16,
                Scalar::B32,
                Scalar::B64,
                Scalar::U16,
                Scalar::U32,
                Scalar::U64,
                Scalar::S16,
                Scalar::S32,
                Scalar::S64,
            ])?
        };
        let kind = integer_kind(scalar).ok_or_else(|| instruction.bad_types())?;
        let [d, a, b] = instruction.operands()?;
        let a = self.source(instruction, a, scalar)?;
        let b = self.amount(instruction, b)?;
        let d = self.destination(instruction, d, scalar)?;
        self.emit(if left { Op::ShiftLeft { kind, d, a, b } } else { Op::ShiftRight { kind, d, a, b } });
        Ok(())
    }

    /// Lowers a shift amount, a position or a length: 32 bits, never packed halves.
    fn amount(&mut self, instruction: &Instruction<'_, 's>, operand: &Operand<'s>) -> Lowered<u32> {
        self.source(instruction, operand, Scalar::U32)
    }

    fn funnel(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.only(Flags::of(&[Flag::Left, Flag::Right, Flag::Wrap, Flag::Clamp]))?;
        let scalar = instruction.one_type(&[Scalar::B32])?;
        let Some(mode) = instruction.words.flags.only_one_of(&[Flag::Wrap, Flag::Clamp]) else {
            return Err(Stop::Error(format!("Modifier required for instruction '{}'", instruction.name)));
        };
        let [d, a, b, c] = instruction.operands()?;
        let a = self.source(instruction, a, scalar)?;
        let b = self.source(instruction, b, scalar)?;
        let c = self.amount(instruction, c)?;
        let d = self.destination(instruction, d, scalar)?;
        let left = instruction.has(Flag::Left);
        self.emit(Op::Funnel { left, wrap: mode == Flag::Wrap, d, a, b, c });
        Ok(())
    }

    fn logic3(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        const COMBINE: [Flag; 2] = [Flag::And, Flag::Or];
        instruction.only(Flags::of(&COMBINE))?;
        let scalar = instruction.one_type(&[Scalar::B32])?;
        let combines = COMBINE.iter().any(|flag| instruction.has(*flag));
        let (operands, test) = if combines {
            self.requires("lop3.<BoolOp>", (8, 2), 70)?;
            let Some(flag) = instruction.words.flags.only_one_of(&COMBINE) else {
                return Err(Stop::Error("Multiple instruction post-operation flags set".into()));
            };
            let [result, a, b, c, table, q] = instruction.operands()?;
            let Operand::Pair(d, p) = result else {
                return Err(Stop::Error("Predicate output expected for instruction 'lop3'".into()));
            };
            let operation = if flag == Flag::And { Logic::And } else { Logic::Or };
            let q = self.condition(instruction, q)?;
            ([&**d, a, b, c, table], Some((p, operation, q)))
        } else {
            let [d, a, b, c, table] = instruction.operands()?;
            ([d, a, b, c, table], None)
        };
        let [d, a, b, c, table] = operands;
        let a = self.source(instruction, a, scalar)?;
        let b = self.source(instruction, b, scalar)?;
        let c = self.source(instruction, c, scalar)?;
        let Operand::Constant(Literal::Integer { bits, .. }) = table else {
            return Err(instruction.mismatch());
        };
        let d = match d {
            Operand::Sink if combines => self.new_word(),
            d => self.destination(instruction, d, scalar)?,
        };
        self.emit(Op::Logic3 { table: *bits as u8, d, a, b, c });
        if let Some((p, operation, q)) = test {
            let p = self.destination(instruction, p, Scalar::Pred)?;
            let (is_set, zero) = (self.new_predicate(), self.word(0));
            let compared = Compared::Integer(IntegerKind::U32);
            self.emit(Op::Compare { compared, relation: Relation::NotEqual, d: is_set, a: d, b: zero });
            self.emit(Op::Logic { operation, d: p, a: Condition::new(is_set, false), b: q });
        }
        Ok(())
    }

    pub(super) fn bits(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.plain()?;
        instruction.no_rounding()?;
        match instruction.tree.opcode {
            "popc" | "clz" => {
                instruction.only(Flags::of(&[Flag::Popc]))?;
                let scalar = instruction.one_type(&WORDS)?;
                let operation =
                    if instruction.tree.opcode == "popc" { Count::Ones } else { Count::LeadingZeros };
                self.count(instruction, scalar, operation)
            }
            "bfind" => {
                instruction.only(Flags::of(&[Flag::ShiftAmount]))?;
                let scalar = instruction.one_type(&NUMBERS)?;
                let operation =
                    if instruction.has(Flag::ShiftAmount) { Count::FindShift } else { Count::Find };
                self.count(instruction, scalar, operation)
            }
            "brev" => {
                instruction.only(Flags::default())?;
                let scalar = instruction.one_type(&WORDS)?;
                let kind = integer_kind(scalar).ok_or_else(|| instruction.bad_types())?;
                let [d, a] = instruction.operands()?;
                let a = self.source(instruction, a, scalar)?;
                let d = self.destination(instruction, d, scalar)?;
                self.emit(Op::Integer1 { kind, operation: Integer1::Reverse, d, a });
                Ok(())
            }
            "bfe" => {
                instruction.only(Flags::default())?;
                let scalar = instruction.one_type(&NUMBERS)?;
                let kind = integer_kind(scalar).ok_or_else(|| instruction.bad_types())?;
                let [d, a, b, c] = instruction.operands()?;
                let a = self.source(instruction, a, scalar)?;
                let b = self.field_amount(instruction, b)?;
                let c = self.field_amount(instruction, c)?;
                let d = self.destination(instruction, d, scalar)?;
                self.emit(Op::Field { kind, d, a, b, c });
                Ok(())
            }
            "bfi" => {
                instruction.only(Flags::default())?;
                let scalar = instruction.one_type(&WORDS)?;
                let kind = integer_kind(scalar).ok_or_else(|| instruction.bad_types())?;
                let [d, a, b, c, e] = instruction.operands()?;
                let a = self.source(instruction, a, scalar)?;
                let b = self.source(instruction, b, scalar)?;
                let c = self.field_amount(instruction, c)?;
                let e = self.field_amount(instruction, e)?;
                let d = self.destination(instruction, d, scalar)?;
                self.emit(Op::Insert { kind, d, a, b, c, e });
                Ok(())
            }
            "prmt" => self.permute(instruction),
            "bmsk" | "szext" => self.mask(instruction),
            _ => self.dot(instruction),
        }
    }

    fn count(&mut self, instruction: &Instruction<'_, 's>, scalar: Scalar, operation: Count) -> Lowered<()> {
        let kind = integer_kind(scalar).ok_or_else(|| instruction.bad_types())?;
        let [d, a] = instruction.operands()?;
        let a = self.source(instruction, a, scalar)?;
        let d = self.destination(instruction, d, Scalar::U32)?;
        self.emit(Op::Count { kind, operation, d, a });
        Ok(())
    }

    /// Lowers a position or a length. A literal must be between 0 and 255.
    fn field_amount(&mut self, instruction: &Instruction<'_, 's>, operand: &Operand<'s>) -> Lowered<u32> {
        if let Operand::Constant(Literal::Integer { bits, .. }) = operand
            && *bits > 255
        {
            return Err(Stop::Error(format!(
                "Argument {} of instruction '{}': value out of range, expected to be in range [0..255]",
                instruction.position(operand),
                instruction.name
            )));
        }
        self.amount(instruction, operand)
    }

    fn permute(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let modes = [Flag::F4e, Flag::B4e, Flag::Rc8, Flag::Ecl, Flag::Ecr, Flag::Rc16];
        instruction.only(Flags::of(&modes))?;
        let scalar = instruction.one_type(&[Scalar::B32])?;
        let mode = match instruction.words.flags.only_one_of(&modes) {
            None => PermuteMode::Generic,
            Some(Flag::F4e) => PermuteMode::ForwardFour,
            Some(Flag::B4e) => PermuteMode::BackwardFour,
            Some(Flag::Rc8) => PermuteMode::ReplicateEight,
            Some(Flag::Ecl) => PermuteMode::EdgeLeft,
            Some(Flag::Ecr) => PermuteMode::EdgeRight,
            Some(_) => PermuteMode::ReplicateSixteen,
        };
        let [d, a, b, c] = instruction.operands()?;
        let a = self.source(instruction, a, scalar)?;
        let b = self.source(instruction, b, scalar)?;
        let c = self.source(instruction, c, scalar)?;
        let d = self.destination(instruction, d, scalar)?;
        self.emit(Op::Permute { mode, d, a, b, c });
        Ok(())
    }

    fn mask(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.only(Flags::of(&[Flag::Wrap, Flag::Clamp]))?;
        let extends = instruction.tree.opcode == "szext";
        let allowed: &[Scalar] = if extends { &[Scalar::U32, Scalar::S32] } else { &[Scalar::B32] };
        let scalar = instruction.one_type(allowed)?;
        let Some(mode) = instruction.words.flags.only_one_of(&[Flag::Wrap, Flag::Clamp]) else {
            return Err(Stop::Error(format!("Modifier required for instruction '{}'", instruction.name)));
        };
        let wrap = mode == Flag::Wrap;
        let [d, a, b] = instruction.operands()?;
        let a = self.source(instruction, a, scalar)?;
        let b = self.amount(instruction, b)?;
        let d = self.destination(instruction, d, scalar)?;
        self.emit(if extends {
            Op::SizeExtend { signed: scalar.is_signed(), wrap, d, a, b }
        } else {
            Op::Mask { wrap, d, a, b }
        });
        Ok(())
    }

    fn dot(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let bytes = instruction.tree.opcode == "dp4a";
        let parts: &[Flag] = if bytes { &[] } else { &[Flag::Lo, Flag::Hi] };
        instruction.only(Flags::of(parts))?;
        let (first, second) = instruction.two_types()?;
        let types = [Scalar::U32, Scalar::S32];
        if !types.contains(&first) || !types.contains(&second) {
            return Err(instruction.bad_types());
        }
        if !bytes && instruction.words.flags.only_one_of(parts).is_none() {
            return Err(Stop::Error(format!("Modifier required for instruction '{}'", instruction.name)));
        }
        let [d, a, b, c] = instruction.operands()?;
        let sum = if first.is_signed() || second.is_signed() { Scalar::S32 } else { Scalar::U32 };
        let a = self.source(instruction, a, Scalar::B32)?;
        let b = self.source(instruction, b, Scalar::B32)?;
        let c = self.source(instruction, c, sum)?;
        let d = self.destination(instruction, d, sum)?;
        let high = instruction.has(Flag::Hi);
        let (signed_a, signed_b) = (first.is_signed(), second.is_signed());
        self.emit(Op::Dot { bytes, high, signed_a, signed_b, d, a, b, c });
        Ok(())
    }
}
