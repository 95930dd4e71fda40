//! `cvt`.

use cuda_ptx::ast::Operand;
use cuda_ptx::modifier::{Flag, Flags, Rounding};
use cuda_ptx::types::{Class, Scalar};

use super::arithmetic::float_kind;
use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::operands::{Fit, Value, slot};
use crate::op::{Conversion, FloatKind, Number, Op, Place, Slot};

/// Returns the number format of a type in conversions.
fn number(scalar: Scalar) -> Option<Number> {
    match scalar.class() {
        Class::Unsigned | Class::Signed => {
            Some(Number::Integer { bits: scalar.bits() as u8, signed: scalar.is_signed() })
        }
        Class::Float => float_kind(scalar).map(Number::Float),
        _ => None,
    }
}

/// Returns the width of a floating-point format. A conversion to a wider format is exact.
fn precision(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::F16 | FloatKind::F16x2 | FloatKind::Bf16 | FloatKind::Bf16x2 => 16,
        FloatKind::F32 => 32,
        FloatKind::F64 => 64,
    }
}

const TO_FLOAT: [Rounding; 4] = [Rounding::Nearest, Rounding::Zero, Rounding::Down, Rounding::Up];

impl<'s> Lowerer<'_, 's> {
    pub(super) fn convert(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.plain()?;
        if self.convert_narrow(instruction)? {
            return Ok(());
        }
        if instruction.has(Flag::Scaled) {
            return Err(Stop::Unsupported(""));
        }
        let (to_type, from_type) = instruction.two_types()?;
        let finite = instruction.has(Flag::SatFinite);
        instruction.only(Flags::of(&[Flag::Ftz, Flag::Sat, Flag::Relu, Flag::SatFinite]))?;
        if finite {
            let halves = [Scalar::F16, Scalar::Bf16, Scalar::F16x2, Scalar::Bf16x2];
            if !halves.contains(&to_type) || from_type != Scalar::F32 || instruction.has(Flag::Sat) {
                return Err(instruction.illegal("satfinite"));
            }
            self.requires("'.satfinite' on 'cvt'", (8, 1), 80)?;
        }
        if matches!(to_type, Scalar::F16x2 | Scalar::Bf16x2) && from_type == Scalar::F32 {
            self.convert_pair(instruction, to_type)?;
            return if finite { self.convert_finite(instruction, to_type, true) } else { Ok(()) };
        }
        let (Some(to), Some(from)) = (number(to_type), number(from_type)) else {
            return Err(instruction.bad_types());
        };
        let conversion = self.conversion(instruction, to, from)?;
        let [d, a] = instruction.operands()?;
        let a = match self.value(a) {
            Value::Special { scalar, source } => {
                // An integer may be the lower part of a wider register. A floating-point number may not, on either side
                // of the conversion.
                if from_type.bits() > scalar.bits() || scalar == Scalar::Pred {
                    return Err(instruction.mismatch());
                }
                if !matches!((to, from), (Number::Integer { .. }, Number::Integer { .. })) {
                    return Err(instruction.no_special());
                }
                let place = self.special_place(instruction, scalar, source)?;
                if from_type.bits() < 64 { self.low_word(place) } else { slot(place) }
            }
            // Conversions to `bf16` are newer and accept no wider registers.
            _ if to_type == Scalar::Bf16 => self.source(instruction, a, from_type)?,
            _ => self.wide_source(instruction, a, from_type)?,
        };
        let (place, register) = self.destination_place(instruction, d, to_type, Fit::Relaxed)?;
        self.convert_into(conversion, place, register, a);
        if finite { self.convert_finite(instruction, to_type, false) } else { Ok(()) }
    }

    /// Checks the rounding and saturation modifiers.
    fn conversion(&self, instruction: &Instruction<'_, 's>, to: Number, from: Number) -> Lowered<Conversion> {
        let is = |number, kind| number == Number::Float(kind);
        let widens = is(from, FloatKind::Bf16) && (is(to, FloatKind::F32) || is(to, FloatKind::F64));
        // ptxas accepts a rounding mode for conversions that do not round.
        let rounding = instruction.words.rounding.filter(|rounding| !(widens && TO_FLOAT.contains(rounding)));
        let saturate = instruction.has(Flag::Sat);
        let flush = instruction.flushes;
        let single = |number| number == Number::Float(FloatKind::F32);
        let bits = |number| match number {
            Number::Integer { bits, .. } => u32::from(bits),
            Number::Float(kind) => precision(kind),
        };
        // Before version 1.5, some conversions had no choice of rounding.
        let is_early = self.version < (1, 5);
        let fixed = is_early && (single(to) && bits(from) == 8 || single(from) && bits(to) == 64);
        if instruction.has(Flag::Ftz) && (fixed || !single(to) && !single(from)) {
            let text = "Modifier '.ftz' does not apply to this type of convert operation";
            return Err(Stop::Error(text.into()));
        }
        let wants_integer = match (to, from) {
            (Number::Integer { .. }, Number::Integer { .. }) => None,
            (Number::Integer { .. }, Number::Float(_)) => Some(true),
            (Number::Float(_), Number::Integer { .. }) => Some(false),
            (Number::Float(to), Number::Float(from)) if precision(to) < precision(from) => Some(false),
            (Number::Float(to), Number::Float(from)) if to == from => {
                if rounding.is_some_and(|rounding| !rounding.is_integer()) {
                    return Err(instruction.bad_rounding());
                }
                rounding.map(|_| true)
            }
            (Number::Float(_), Number::Float(_)) => None,
        };
        let brain = |number| number == Number::Float(FloatKind::Bf16);
        if brain(to) || brain(from) {
            if saturate {
                return Err(instruction.illegal("sat"));
            }
            let plain = single(from) || single(to);
            let half = |number| number == Number::Float(FloatKind::F16);
            if (plain && flush) || (half(to) || half(from)) && rounding.is_none() {
                // ptxas accepts these forms, which are not documented.
                return Err(Stop::Unsupported(""));
            }
            let early = plain && matches!(rounding, None | Some(Rounding::Nearest | Rounding::Zero));
            if early {
                self.requires("cvt with .bf16", if brain(to) { (7, 0) } else { (7, 1) }, 80)?;
            } else {
                self.requires("cvt with .bf16", (7, 8), 90)?;
            }
            // Both formats have the same width, so the general rule does not detect the rounding.
            let halves = [Number::Float(FloatKind::F16), Number::Float(FloatKind::Bf16)];
            if to != from && halves.contains(&to) && halves.contains(&from) {
                let rounding =
                    instruction.rounding(&TO_FLOAT)?.ok_or_else(|| instruction.missing_rounding())?;
                let relu = instruction.has(Flag::Relu);
                return Ok(Conversion { from, to, rounding, flush, saturate, relu });
            }
        }
        match (wants_integer, rounding) {
            (None, Some(_)) => return Err(instruction.bad_rounding()),
            (Some(_), None) => return Err(instruction.missing_rounding()),
            (Some(integer), Some(rounding)) if rounding.is_integer() != integer => {
                return Err(instruction.bad_rounding());
            }
            (Some(false), Some(Rounding::Stochastic)) => {
                let types: String = instruction.words.types.iter().map(|scalar| scalar.name()).collect();
                let text = format!("Illegal modifier '.rs' for instruction 'cvt' with type '{types}'");
                return Err(Stop::Error(text));
            }
            (Some(false), Some(rounding)) if !TO_FLOAT.contains(&rounding) => {
                return Err(instruction.bad_rounding());
            }
            _ => {}
        }
        if saturate
            && let (
                Number::Integer { bits: to, signed: to_signed },
                Number::Integer { bits: from, signed: from_signed },
            ) = (to, from)
        {
            // If no value can be out of range, saturation has no effect.
            let covered = match (to_signed, from_signed) {
                (true, true) | (false, false) => to >= from,
                (true, false) => to > from,
                (false, true) => false,
            };
            if covered {
                return Err(instruction.illegal("sat"));
            }
        }
        let relu = instruction.has(Flag::Relu);
        let half = matches!(to, Number::Float(FloatKind::F16 | FloatKind::Bf16));
        if relu && !(half && single(from) && !saturate) {
            return Err(instruction.illegal("relu"));
        }
        if relu && !matches!(rounding, Some(Rounding::Nearest | Rounding::Zero)) {
            return Err(instruction.bad_rounding());
        }
        let rounding = rounding.unwrap_or(Rounding::Nearest);
        Ok(Conversion { from, to, rounding, flush, saturate, relu })
    }

    /// Emits a conversion whose result may fill a wider register.
    fn convert_into(&mut self, conversion: Conversion, place: Place, register: Scalar, a: Slot) {
        let d = slot(place);
        let to_long = matches!(place, Place::Long(_));
        if let (
            Number::Integer { bits: to, signed: to_signed },
            Number::Integer { bits: from, signed: from_signed },
            false,
        ) = (conversion.to, conversion.from, conversion.saturate)
        {
            // Extends or truncates, then extends the result to the width of the register.
            let (bits, signed) = if to <= from { (to, to_signed) } else { (from, from_signed) };
            let short = if from == 64 {
                let word = self.new_word();
                if to == 64 {
                    self.emit(Op::MoveLong { d, a });
                    return;
                }
                self.emit(Op::Split { low: word, high: crate::op::NONE, a });
                word
            } else {
                a
            };
            if to == 64 {
                self.emit(Op::ExtendLong { d, a: short, bits, signed });
                return;
            }
            if to_signed == signed || to <= from || !signed {
                self.extend_into(place, register, short, bits, signed);
            } else {
                // A signed number converts to a wider unsigned type and then fills a still wider register.
                let middle = self.new_word();
                self.emit(Op::ExtendWord { d: middle, a: short, bits, signed, to });
                self.extend_into(place, register, middle, to, false);
            }
            return;
        }
        let to_bits = match conversion.to {
            Number::Integer { bits, .. } => u32::from(bits),
            Number::Float(kind) => precision(kind),
        };
        if to_bits == 64 {
            self.emit(Op::Convert { conversion, d, a });
            return;
        }
        if !to_long && register.bits() == to_bits {
            self.emit(Op::Convert { conversion, d, a });
            return;
        }
        let signed = matches!(conversion.to, Number::Integer { signed: true, .. });
        let narrow = self.new_word();
        self.emit(Op::Convert { conversion, d: narrow, a });
        self.extend_into(place, register, narrow, to_bits as u8, signed);
    }

    /// Extends the low `bits` of a word into a register that may be wider.
    pub(super) fn extend_into(&mut self, place: Place, register: Scalar, a: Slot, bits: u8, signed: bool) {
        match place {
            Place::Long(d) => self.emit(Op::ExtendLong { d, a, bits, signed }),
            Place::Word(d) | Place::Predicate(d) => {
                let to = register.bits().min(32) as u8;
                if bits == 32 {
                    self.emit(Op::MoveWord { d, a });
                } else {
                    self.emit(Op::ExtendWord { d, a, bits, signed, to });
                }
            }
        }
    }

    /// Lowers `cvt.rn.f16x2.f32 d, a, b`, where `a` becomes the upper half.
    fn convert_pair(&mut self, instruction: &Instruction<'_, 's>, to: Scalar) -> Lowered<()> {
        let rounding = match instruction.words.rounding {
            Some(rounding @ (Rounding::Nearest | Rounding::Zero)) => rounding,
            Some(Rounding::Stochastic) => return Err(Stop::Unsupported("")),
            Some(_) => return Err(instruction.bad_rounding()),
            None => return Err(instruction.missing_rounding()),
        };
        instruction.only(Flags::of(&[Flag::Relu, Flag::SatFinite]))?;
        self.requires("cvt to packed halves", (7, 0), 80)?;
        let kind = if to == Scalar::F16x2 { FloatKind::F16 } else { FloatKind::Bf16 };
        let conversion = Conversion {
            from: Number::Float(FloatKind::F32),
            to: Number::Float(kind),
            rounding,
            flush: false,
            saturate: false,
            relu: instruction.has(Flag::Relu),
        };
        let [d, a, b]: &[Operand<'s>; 3] = instruction.operands()?;
        let a = self.wide_source(instruction, a, Scalar::F32)?;
        let b = self.wide_source(instruction, b, Scalar::F32)?;
        let (place, register) = self.destination_place(instruction, d, to, Fit::Relaxed)?;
        let (low, high) = (self.new_word(), self.new_word());
        self.emit(Op::Convert { conversion, d: low, a: b });
        self.emit(Op::Convert { conversion, d: high, a });
        self.emit(Op::Deposit { d: low, a: high, shift: 16, bits: 16 });
        self.extend_into(place, register, low, 32, false);
        Ok(())
    }
}
