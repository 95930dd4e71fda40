//! Comparisons and selections.

use cuda_ptx::ast::Operand;
use cuda_ptx::modifier::{Compare, Flag, Flags};
use cuda_ptx::types::{Class, Scalar};

use super::arithmetic::{float_kind, integer_kind};
use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use crate::op::{Compared, Condition, FloatKind, Logic, NONE, Op, Relation, Slot};

/// Types that comparisons accept.
const COMPARABLE: [Scalar; 15] = [
    Scalar::B16,
    Scalar::B32,
    Scalar::B64,
    Scalar::U16,
    Scalar::U32,
    Scalar::U64,
    Scalar::S16,
    Scalar::S32,
    Scalar::S64,
    Scalar::F32,
    Scalar::F64,
    Scalar::F16,
    Scalar::F16x2,
    Scalar::Bf16,
    Scalar::Bf16x2,
];

fn half(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::F16 | Scalar::F16x2 | Scalar::Bf16 | Scalar::Bf16x2)
}

const SELECTABLE: [Scalar; 11] = [
    Scalar::B16,
    Scalar::B32,
    Scalar::B64,
    Scalar::U16,
    Scalar::U32,
    Scalar::U64,
    Scalar::S16,
    Scalar::S32,
    Scalar::S64,
    Scalar::F32,
    Scalar::F64,
];

impl<'s> Lowerer<'_, 's> {
    pub(super) fn compare(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.no_rounding()?;
        if instruction.words.vector.is_some() || instruction.words.space.is_some() {
            return instruction.plain();
        }
        match instruction.tree.opcode {
            "setp" => self.setp(instruction),
            "set" => self.set(instruction),
            "selp" => self.selp(instruction),
            _ => self.slct(instruction),
        }
    }

    /// Returns the relation that the words name, after checking it against the type.
    fn relation(&self, instruction: &Instruction<'_, 's>, scalar: Scalar) -> Lowered<Relation> {
        let compare = match instruction.words.compare {
            Some(compare) => compare,
            None if instruction.has(Flag::Lo) => Compare::Lower,
            None if instruction.has(Flag::Hi) => Compare::Higher,
            None => {
                let text = format!("Comparison modifier required for instruction '{}'", instruction.name);
                return Err(Stop::Error(text));
            }
        };
        let class = scalar.class();
        let float = class == Class::Float || class == Class::Packed;
        let (relation, fits) = match compare {
            Compare::Equal => (Relation::Equal, true),
            Compare::NotEqual => (Relation::NotEqual, true),
            Compare::Less => (Relation::Less, class != Class::Bits),
            Compare::LessEqual => (Relation::LessEqual, class != Class::Bits),
            Compare::Greater => (Relation::Greater, class != Class::Bits),
            Compare::GreaterEqual => (Relation::GreaterEqual, class != Class::Bits),
            Compare::Lower => (Relation::Less, class == Class::Unsigned),
            Compare::LowerSame => (Relation::LessEqual, class == Class::Unsigned),
            Compare::Higher => (Relation::Greater, class == Class::Unsigned),
            Compare::HigherSame => (Relation::GreaterEqual, class == Class::Unsigned),
            Compare::EqualUnordered => (Relation::EqualUnordered, float),
            Compare::NotEqualUnordered => (Relation::NotEqualUnordered, float),
            Compare::LessUnordered => (Relation::LessUnordered, float),
            Compare::LessEqualUnordered => (Relation::LessEqualUnordered, float),
            Compare::GreaterUnordered => (Relation::GreaterUnordered, float),
            Compare::GreaterEqualUnordered => (Relation::GreaterEqualUnordered, float),
            Compare::Numbers => (Relation::Numbers, float),
            Compare::Nan => (Relation::Nan, float),
        };
        if fits {
            Ok(relation)
        } else {
            Err(Stop::Error("Mismatch between instruction type and comparison qualifier".into()))
        }
    }

    fn compared(&self, instruction: &Instruction<'_, 's>, scalar: Scalar) -> Lowered<Compared> {
        let flush = instruction.flushes;
        if let Some(kind) = integer_kind(scalar) {
            if instruction.has(Flag::Ftz) {
                return Err(instruction.illegal("ftz"));
            }
            return Ok(Compared::Integer(kind));
        }
        let kind = float_kind(scalar).ok_or_else(|| instruction.bad_types())?;
        if instruction.has(Flag::Ftz) && matches!(kind, FloatKind::F64 | FloatKind::Bf16 | FloatKind::Bf16x2)
        {
            return Err(instruction.illegal("ftz"));
        }
        Ok(Compared::Float { kind, flush })
    }

    /// Checks the words that all comparisons share.
    fn check_compare_words(&self, instruction: &Instruction<'_, 's>) -> Lowered<Option<Logic>> {
        instruction.only(Flags::of(&[Flag::Ftz, Flag::And, Flag::Or, Flag::Xor, Flag::Lo, Flag::Hi]))?;
        let combine = instruction.words.flags.only_one_of(&[Flag::And, Flag::Or, Flag::Xor]);
        Ok(combine.map(|flag| match flag {
            Flag::And => Logic::And,
            Flag::Or => Logic::Or,
            _ => Logic::Xor,
        }))
    }

    /// Returns the slot of a predicate result: `p`, or `_`.
    fn predicate_result(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
    ) -> Lowered<Slot> {
        match operand {
            Operand::Sink => Ok(NONE),
            operand => self.destination(instruction, operand, Scalar::Pred),
        }
    }

    fn setp(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let combine = self.check_compare_words(instruction)?;
        let scalar = instruction.one_type(&COMPARABLE)?;
        let relation = self.relation(instruction, scalar)?;
        let compared = self.compared(instruction, scalar)?;
        let (results, a, b, condition) = match (instruction.tree.operands.as_slice(), combine) {
            ([results, a, b], None) => (results, a, b, None),
            ([results, a, b, c], Some(_)) => (results, a, b, Some(self.condition(instruction, c)?)),
            _ => return Err(instruction.mismatch()),
        };
        let a = self.source(instruction, a, scalar)?;
        let b = self.source(instruction, b, scalar)?;
        let (d, e) = match results {
            Operand::Pair(first, second) => {
                let d = self.predicate_result(instruction, first)?;
                let e = self.predicate_result(instruction, second).map_err(|_| {
                    let name = &instruction.name;
                    Stop::Error(format!("Predicate output expected for instruction '{name}'"))
                })?;
                if matches!(scalar, Scalar::F16 | Scalar::Bf16) {
                    let text = "Predicate output not allowed for instruction 'setp'";
                    return Err(Stop::Error(text.into()));
                }
                (d, e)
            }
            Operand::Sink => (NONE, NONE),
            single => (self.destination(instruction, single, Scalar::Pred)?, NONE),
        };
        let (first, second);
        if matches!(scalar, Scalar::F16x2 | Scalar::Bf16x2) {
            // The two results belong to the two halves. They are not the relation and its opposite.
            let (low, high) = (self.new_predicate(), self.new_predicate());
            self.emit(Op::ComparePair { compared, relation, d: low, e: high, a, b });
            first = Condition::new(low, false);
            second = Condition::new(high, false);
        } else if combine.is_none() && e == NONE && d != NONE {
            self.emit(Op::Compare { compared, relation, d, a, b });
            return Ok(());
        } else {
            let test = self.new_predicate();
            self.emit(Op::Compare { compared, relation, d: test, a, b });
            first = Condition::new(test, false);
            second = first.negate();
        }
        let mut results = [(d, first), (e, second)];
        // The guard may be one of the results. That result is written last.
        if d == self.guard.slot() {
            results.swap(0, 1);
        }
        if let (Some(_), Some(condition)) = (combine, condition)
            && condition.slot() != 0
            && (condition.slot() == d || condition.slot() == e)
        {
            // The third operand may be a result too, and both results need its value.
            let copy = self.new_predicate();
            self.emit(Op::MovePredicate { d: copy, a: condition });
            self.write_results(results, combine, Some(Condition::new(copy, false)));
            return Ok(());
        }
        self.write_results(results, combine, condition);
        Ok(())
    }

    fn write_results(
        &mut self,
        results: [(Slot, Condition); 2],
        combine: Option<Logic>,
        condition: Option<Condition>,
    ) {
        for (d, a) in results {
            if d == NONE {
                continue;
            }
            match (combine, condition) {
                (Some(operation), Some(b)) => self.emit(Op::Logic { operation, d, a, b }),
                _ => self.emit(Op::MovePredicate { d, a }),
            }
        }
    }

    fn set(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let combine = self.check_compare_words(instruction)?;
        let (result, scalar) = instruction.two_types()?;
        if half(scalar) || half(result) {
            return self.set_half(instruction, combine, result, scalar);
        }
        if !COMPARABLE.contains(&scalar) || !matches!(result, Scalar::U32 | Scalar::S32 | Scalar::F32) {
            return Err(instruction.bad_types());
        }
        let relation = self.relation(instruction, scalar)?;
        let compared = self.compared(instruction, scalar)?;
        let (d, a, b, condition) = match (instruction.tree.operands.as_slice(), combine) {
            ([d, a, b], None) => (d, a, b, None),
            ([d, a, b, c], Some(_)) => (d, a, b, Some(self.condition(instruction, c)?)),
            _ => return Err(instruction.mismatch()),
        };
        let a = self.source(instruction, a, scalar)?;
        let b = self.source(instruction, b, scalar)?;
        let d = self.destination(instruction, d, result)?;
        let test = self.new_predicate();
        self.emit(Op::Compare { compared, relation, d: test, a, b });
        let p = Condition::new(test, false);
        if let (Some(operation), Some(b)) = (combine, condition) {
            self.emit(Op::Logic { operation, d: test, a: p, b });
        }
        let yes = if result == Scalar::F32 { 1.0f32.to_bits() } else { u32::MAX };
        self.emit(Op::Choose { d, p, yes, no: 0 });
        Ok(())
    }

    /// Lowers `set` of 16-bit numbers, or with a result of 16 bits. Packed operands give a result for each half.
    fn set_half(
        &mut self,
        instruction: &Instruction<'_, 's>,
        combine: Option<Logic>,
        result: Scalar,
        scalar: Scalar,
    ) -> Lowered<()> {
        let packed = matches!(scalar, Scalar::F16x2 | Scalar::Bf16x2);
        let one = if matches!(result, Scalar::F16 | Scalar::F16x2) { 0x3c00 } else { 0x3f80 };
        let yes = match result {
            result if result == scalar => one,
            Scalar::U16 | Scalar::S16 if !packed => 0xffff,
            Scalar::U32 | Scalar::S32 if !packed => u32::MAX,
            Scalar::U32 | Scalar::S32 => 0xffff,
            Scalar::Bf16 if instruction.has(Flag::Ftz) => return Err(instruction.illegal("ftz")),
            Scalar::Bf16 if scalar == Scalar::F16 => one,
            Scalar::F16 | Scalar::Bf16 if COMPARABLE.contains(&scalar) && !half(scalar) => one,
            _ => return Err(instruction.bad_types()),
        };
        let relation = self.relation(instruction, scalar)?;
        let compared = self.compared(instruction, scalar)?;
        let (d, a, b, condition) = match (instruction.tree.operands.as_slice(), combine) {
            ([d, a, b], None) => (d, a, b, None),
            ([d, a, b, c], Some(_)) => (d, a, b, Some(self.condition(instruction, c)?)),
            _ => return Err(instruction.mismatch()),
        };
        let a = self.source(instruction, a, scalar)?;
        let b = self.source(instruction, b, scalar)?;
        let d = self.destination(instruction, d, result)?;
        let tests = [self.new_predicate(), self.new_predicate()];
        if packed {
            self.emit(Op::ComparePair { compared, relation, d: tests[0], e: tests[1], a, b });
        } else {
            self.emit(Op::Compare { compared, relation, d: tests[0], a, b });
        }
        for test in tests {
            if let (Some(operation), Some(b)) = (combine, condition) {
                self.emit(Op::Logic { operation, d: test, a: Condition::new(test, false), b });
            }
        }
        self.emit(Op::Choose { d, p: Condition::new(tests[0], false), yes, no: 0 });
        if packed {
            let high = self.new_word();
            self.emit(Op::Choose { d: high, p: Condition::new(tests[1], false), yes, no: 0 });
            self.emit(Op::Deposit { d, a: high, shift: 16, bits: 16 });
        }
        Ok(())
    }

    fn selp(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.plain()?;
        instruction.only(Flags::default())?;
        let scalar = instruction.one_type(&SELECTABLE)?;
        let [d, a, b, p] = instruction.operands()?;
        let a = self.source(instruction, a, scalar)?;
        let b = self.source(instruction, b, scalar)?;
        let p = self.condition(instruction, p)?;
        let d = self.destination(instruction, d, scalar)?;
        self.emit(select(scalar, d, a, b, p));
        Ok(())
    }

    /// Lowers `slct`: the first operand if the third is not negative, else the second.
    fn slct(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.plain()?;
        instruction.only(Flags::of(&[Flag::Ftz]))?;
        let (scalar, tested) = instruction.two_types()?;
        if !SELECTABLE.contains(&scalar) || !matches!(tested, Scalar::S32 | Scalar::F32) {
            return Err(instruction.bad_types());
        }
        let compared = self.compared(instruction, tested)?;
        let [d, a, b, c] = instruction.operands()?;
        let a = self.source(instruction, a, scalar)?;
        let b = self.source(instruction, b, scalar)?;
        let c = self.source(instruction, c, tested)?;
        let d = self.destination(instruction, d, scalar)?;
        let zero = self.word(0);
        let test = self.new_predicate();
        self.emit(Op::Compare { compared, relation: Relation::GreaterEqual, d: test, a: c, b: zero });
        self.emit(select(scalar, d, a, b, Condition::new(test, false)));
        Ok(())
    }
}

fn select(scalar: Scalar, d: Slot, a: Slot, b: Slot, p: Condition) -> Op {
    if scalar.bits() == 64 { Op::SelectLong { d, a, b, p } } else { Op::SelectWord { d, a, b, p } }
}
