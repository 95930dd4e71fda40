//! `mov`, and conversions between address spaces.

use cuda_ptx::ast::Operand;
use cuda_ptx::modifier::{Flags, SpaceWord};
use cuda_ptx::types::{Class, Scalar, Space};

use super::element::Located;
use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::operands::{Fit, Value, fits, slot};
use super::scope::Symbol;
use super::special_register::Source;
use crate::function::{Constant, Special};
use crate::op::{IntegerKind, NONE, Op, Place, Slot};
use crate::program::ReferenceKind;

const MOVABLE: [Scalar; 14] = [
    Scalar::Pred,
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
    Scalar::B128,
    Scalar::F16x2,
];

impl<'s> Lowerer<'_, 's> {
    pub(super) fn movement(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.no_rounding()?;
        if instruction.words.compare.is_some() {
            let name = &instruction.name;
            let text = format!("Comparison qualifier is not allowed for instruction '{name}'");
            return Err(Stop::Error(text));
        }
        match instruction.tree.opcode {
            "mov" => self.mov(instruction),
            "cvta" => self.cvta(instruction),
            _ => self.isspacep(instruction),
        }
    }

    fn mov(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.only(Flags::default())?;
        if instruction.words.space.is_some() {
            return instruction.plain();
        }
        let scalar = instruction.one_type(&MOVABLE[..13])?;
        let [d, a] = instruction.operands()?;
        if let Some(count) = instruction.words.vector {
            return self.mov_vector(instruction, scalar, count, d, a);
        }
        let (listed_d, listed_a) = (self.components(d), self.components(a));
        let is_named = listed_d.is_some() || listed_a.is_some();
        let (d, a) = (listed_d.as_ref().unwrap_or(d), listed_a.as_ref().unwrap_or(a));
        if scalar == Scalar::B128 {
            return self.wide_move(instruction, d, a);
        }
        let result = match (d, a) {
            (Operand::Vector(to), Operand::Vector(from)) => {
                let part = part_type(instruction, scalar, from.len())?;
                part_type(instruction, scalar, to.len())?;
                for operand in from {
                    self.part_source(instruction, operand, part).map_err(|_| instruction.mismatch())?;
                }
                let text =
                    "Illegal vector-vector operands for vector-scalar or scalar-vector mov instruction";
                return Err(Stop::Error(text.into()));
            }
            (_, Operand::Vector(parts)) => self.pack(instruction, scalar, d, parts),
            (Operand::Vector(parts), _) => self.unpack(instruction, scalar, parts, a),
            _ => self.mov_scalar(instruction, scalar, d, a),
        };
        match result {
            Err(Stop::Error(_)) if is_named => Err(instruction.mismatch()),
            result => result,
        }
    }

    /// Returns a vector register as the list of its components, or `None` for other operands.
    fn components(&mut self, operand: &Operand<'s>) -> Option<Operand<'s>> {
        let Operand::Name { name, addend: 0 } = *operand else { return None };
        let Some(Symbol::Register { places, .. }) = self.lookup(name) else { return None };
        if places.len() == 1 {
            return None;
        }
        let components = ["x", "y", "z", "w"].into_iter().take(places.len());
        Some(Operand::Vector(components.map(|component| Operand::Component { name, component }).collect()))
    }

    fn mov_scalar(
        &mut self,
        instruction: &Instruction<'_, 's>,
        scalar: Scalar,
        d: &Operand<'s>,
        a: &Operand<'s>,
    ) -> Lowered<()> {
        if scalar == Scalar::Pred {
            let a = match self.value(a) {
                Value::Special { scalar: Scalar::Pred, .. } => self.in_clusters(),
                _ => self.condition(instruction, a)?,
            };
            let d = self.destination(instruction, d, scalar)?;
            self.emit(Op::MovePredicate { d, a });
            return Ok(());
        }
        let from = match self.value(a) {
            Value::Special { scalar: special, source } => {
                return self.mov_special(instruction, scalar, d, special, source);
            }
            Value::Variable { space, .. } | Value::Element { space, .. } => {
                if !scalar.is_integer() || scalar.bits() < 32 {
                    return Err(instruction.mismatch());
                }
                if scalar.bits() == 32 && matches!(space, Space::Global | Space::Constant) {
                    return Err(Stop::Fatal(super::NARROW_ADDRESSES.into()));
                }
                match self.located(instruction, a)? {
                    Some(Located::Near { symbol, distance }) => {
                        let constant = self.variable_address(&symbol, distance)?;
                        self.constant_place(constant, scalar)
                    }
                    Some(Located::Computed(Place::Word(word))) if scalar.bits() == 64 => {
                        let zero = self.constant_long(Constant::Bits(0));
                        Place::Long(self.widened(IntegerKind::U32, word, zero))
                    }
                    Some(Located::Computed(place)) => place,
                    None => return Err(instruction.mismatch()),
                }
            }
            Value::Reference { kind, .. } | Value::ReferenceParameter { kind, .. } => {
                if scalar != Scalar::U64 {
                    let what = match kind {
                        ReferenceKind::Texture => "texture",
                        ReferenceKind::Surface => "surface",
                        ReferenceKind::Sampler => "sampler",
                    };
                    return Err(Stop::Error(format!("Indirect access to {what} requires .u64 type")));
                }
                Place::Long(self.image_handle(instruction, a, kind)?)
            }
            Value::Function(index) => {
                if !scalar.is_integer() || scalar.bits() != 64 {
                    return Err(instruction.mismatch());
                }
                self.constant_place(Constant::Function(index), scalar)
            }
            Value::Register { scalar: register, place } if fits(scalar, register, Fit::Exact) => {
                match a {
                    // ptxas treats `%r2+4` as an address. This form does not occur in practice.
                    Operand::Name { addend, .. } if *addend != 0 => {
                        return Err(Stop::Unsupported("an addend to a register"));
                    }
                    _ => place,
                }
            }
            _ => self.source_place(instruction, a, scalar, Fit::Exact)?,
        };
        let slot = self.destination(instruction, d, scalar)?;
        self.emit_copy(d, slot, from);
        Ok(())
    }

    fn mov_special(
        &mut self,
        instruction: &Instruction<'_, 's>,
        scalar: Scalar,
        d: &Operand<'s>,
        special: Scalar,
        source: Source,
    ) -> Lowered<()> {
        if !scalar.is_integer() {
            return Err(instruction.no_special());
        }
        // The number of a grid once had 32 bits. For other special registers, a part cannot be read.
        let narrowed = special.bits() == 64 && scalar.bits() == 32;
        if scalar.bits() > special.bits() || narrowed && source != Source::Known(Special::GridId) {
            return Err(instruction.mismatch());
        }
        let operand = d;
        let d = self.destination(instruction, operand, scalar)?;
        match source {
            Source::Known(special) if scalar.bits() == 64 => {
                let a = self.constant_long(Constant::Special(special));
                self.emit_copy(operand, d, Place::Long(a));
            }
            Source::Known(special) => {
                let a = self.special(special);
                if scalar.bits() == 16 {
                    self.emit(Op::ExtendWord { d, a, bits: 16, signed: false, to: 16 });
                } else {
                    self.emit_copy(operand, d, Place::Word(a));
                }
            }
            Source::Clock(clock) if scalar.bits() >= 32 => {
                let place = if scalar.bits() == 64 { Place::Long(d) } else { Place::Word(d) };
                self.emit(Op::Clock { d: place, clock });
            }
            Source::Vector(_) => {
                return Err(Stop::Error(format!(
                    "Argument vector size mismatch for instruction '{}'",
                    instruction.name
                )));
            }
            Source::Clock(_) => {
                return Err(Stop::Unsupported("this special register"));
            }
        }
        Ok(())
    }

    /// Lowers `mov.b64 d, {a, b}`.
    fn pack(
        &mut self,
        instruction: &Instruction<'_, 's>,
        scalar: Scalar,
        d: &Operand<'s>,
        parts: &[Operand<'s>],
    ) -> Lowered<()> {
        let part = part_type(instruction, scalar, parts.len())?;
        let mut slots = Vec::new();
        for operand in parts {
            slots.push(self.part_source(instruction, operand, part)?);
        }
        let d = self.destination(instruction, d, scalar)?;
        match (slots.as_slice(), scalar) {
            ([low, high], Scalar::B64) => self.emit(Op::Join { d, low: *low, high: *high }),
            ([a, b, c, e], Scalar::B64) => {
                let low = self.combine(&[*a, *b], 16);
                let high = self.combine(&[*c, *e], 16);
                self.emit(Op::Join { d, low, high });
            }
            (slots, _) => {
                let word = self.combine(slots, part.bits() as u8);
                self.emit(Op::ExtendWord { d, a: word, bits: scalar.bits() as u8, signed: false, to: 32 });
            }
        }
        Ok(())
    }

    /// Combines parts of a word in a new word.
    fn combine(&mut self, parts: &[Slot], bits: u8) -> Slot {
        let word = self.new_word();
        let zero = self.word(0);
        self.emit(Op::MoveWord { d: word, a: zero });
        for (index, part) in parts.iter().enumerate() {
            self.emit(Op::Deposit { d: word, a: *part, shift: index as u8 * bits, bits });
        }
        word
    }

    fn part_source(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        part: Scalar,
    ) -> Lowered<Slot> {
        let bad = |_| Stop::Error("Incompatible elements of vector expression".into());
        match self.value(operand) {
            Value::Register { scalar: Scalar::Pred, .. } => return Err(instruction.mismatch()),
            Value::Special { scalar, source } if scalar.bits() == part.bits() => {
                return self.special_place(instruction, scalar, source).map(slot);
            }
            _ => {}
        }
        self.source(instruction, operand, part).map_err(bad)
    }

    /// Lowers `mov.b64 {d, e}, a`.
    fn unpack(
        &mut self,
        instruction: &Instruction<'_, 's>,
        scalar: Scalar,
        parts: &[Operand<'s>],
        a: &Operand<'s>,
    ) -> Lowered<()> {
        let part = part_type(instruction, scalar, parts.len())?;
        let a = self.source(instruction, a, scalar)?;
        let mut slots = Vec::new();
        for operand in parts {
            slots.push(match operand {
                Operand::Sink => NONE,
                operand => self.destination(instruction, operand, part).map_err(|stop| match stop {
                    Stop::Error(_) => Stop::Error("Incompatible elements of vector expression".into()),
                    stop => stop,
                })?,
            });
        }
        match (slots.as_slice(), scalar) {
            ([low, high], Scalar::B64) => self.emit(Op::Split { low: *low, high: *high, a }),
            ([d0, d1, d2, d3], Scalar::B64) => {
                let (low, high) = (self.new_word(), self.new_word());
                self.emit(Op::Split { low, high, a });
                self.scatter(low, &[*d0, *d1], 16);
                self.scatter(high, &[*d2, *d3], 16);
            }
            (slots, _) => {
                // One of the parts may be the source register.
                let copy = self.new_word();
                self.emit(Op::MoveWord { d: copy, a });
                self.scatter(copy, slots, part.bits() as u8);
            }
        }
        Ok(())
    }

    fn scatter(&mut self, a: Slot, parts: &[Slot], bits: u8) {
        for (index, &d) in parts.iter().enumerate() {
            if d != NONE {
                self.emit(Op::Extract { d, a, shift: index as u8 * bits, bits });
            }
        }
    }

    fn mov_vector(
        &mut self,
        instruction: &Instruction<'_, 's>,
        scalar: Scalar,
        count: u32,
        d: &Operand<'s>,
        a: &Operand<'s>,
    ) -> Lowered<()> {
        if count == 8 {
            return Err(Stop::Error("Illegal vector size: 8".into()));
        }
        if scalar == Scalar::Pred {
            let text = format!("Vector qualifier is not allowed for instruction '{}'", instruction.name);
            return Err(Stop::Error(text));
        }
        if scalar.bits() * count > 128 {
            return Err(Stop::Error("Vector type too large, exceeds 128 bit limit".into()));
        }
        let size =
            || Stop::Error(format!("Argument vector size mismatch for instruction '{}'", instruction.name));
        let sources: Vec<Place> = match (a, self.value(a)) {
            (Operand::Vector(parts), _) => {
                let mut places = Vec::new();
                for part in parts {
                    places.push(self.source_place(instruction, part, scalar, Fit::Exact)?);
                }
                places
            }
            (_, Value::Vector { scalar: register, places }) if fits(scalar, register, Fit::Exact) => places,
            (_, Value::Special { source: Source::Vector(vector), .. }) if scalar.bits() == 32 => {
                vector.iter().map(|special| Place::Word(self.special(*special))).collect()
            }
            _ => return Err(instruction.mismatch()),
        };
        let targets: Vec<Option<Place>> = match (d, self.value(d)) {
            (Operand::Vector(parts), _) => {
                let mut places = Vec::new();
                for part in parts {
                    places.push(match part {
                        Operand::Sink => None,
                        part => Some(self.destination_place(instruction, part, scalar, Fit::Exact)?.0),
                    });
                }
                places
            }
            (_, Value::Vector { scalar: register, places }) if fits(scalar, register, Fit::Exact) => {
                places.into_iter().map(Some).collect()
            }
            _ => return Err(instruction.mismatch()),
        };
        if sources.len() != count as usize || targets.len() != count as usize {
            return Err(size());
        }
        // Sources and destinations may overlap, so all sources are read before any destination is written.
        let mut copies = Vec::new();
        for &from in &sources {
            let temporary = match from {
                Place::Long(_) => Place::Long(self.new_long()),
                _ => Place::Word(self.new_word()),
            };
            self.emit(copy(slot(temporary), from));
            copies.push(temporary);
        }
        for (target, from) in targets.into_iter().zip(copies) {
            if let Some(target) = target {
                self.emit(copy(slot(target), from));
            }
        }
        Ok(())
    }
}

/// Returns a copy between registers of one file.
pub(super) fn copy(d: Slot, from: Place) -> Op {
    match from {
        Place::Long(a) => Op::MoveLong { d, a },
        Place::Word(a) => Op::MoveWord { d, a },
        Place::Predicate(a) => Op::MovePredicate { d, a: crate::op::Condition::new(a, false) },
    }
}

/// Returns the type of one of `count` parts of a register.
fn part_type(instruction: &Instruction<'_, '_>, scalar: Scalar, count: usize) -> Lowered<Scalar> {
    if scalar == Scalar::B128 {
        return Err(Stop::Unsupported(""));
    }
    if scalar.class() != Class::Bits {
        return Err(instruction.mismatch());
    }
    match (scalar.bits(), count) {
        (64, 2) => Ok(Scalar::B32),
        (64, 4) | (32, 2) => Ok(Scalar::B16),
        (32, 4) | (16, 2) => Ok(Scalar::B8),
        (_, 3 | 5..) => Err(Stop::Error(format!("Illegal vector size: {count}"))),
        _ => Err(instruction.mismatch()),
    }
}

/// Returns whether a variable in one space fits an instruction that names another space.
pub(super) fn same_space(word: SpaceWord, space: Space) -> bool {
    match word {
        SpaceWord::Constant => space == Space::Constant,
        SpaceWord::Global => space == Space::Global,
        SpaceWord::Local => space == Space::Local,
        SpaceWord::Parameter | SpaceWord::EntryParameter | SpaceWord::FunctionParameter => {
            space == Space::Parameter
        }
        SpaceWord::Shared | SpaceWord::SharedCluster => space == Space::Shared,
    }
}
