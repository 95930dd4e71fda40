//! `add`, `mul` and related instructions, for integers and floating-point numbers.

use cuda_ptx::modifier::{Flag, Flags, Rounding};
use cuda_ptx::types::Scalar;

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use crate::op::{Condition, FloatKind, Integer1, Integer2, Integer3, IntegerKind, NONE, Op, Slot};

/// Rounding modes of arithmetic instructions.
pub(super) const ROUNDINGS: [Rounding; 4] = [Rounding::Nearest, Rounding::Zero, Rounding::Down, Rounding::Up];

const CARRY_TYPES: [Scalar; 4] = [Scalar::U32, Scalar::S32, Scalar::U64, Scalar::S64];

/// Maps a PTX type to the integer type of an operation.
pub(super) fn integer_kind(scalar: Scalar) -> Option<IntegerKind> {
    Some(match scalar {
        Scalar::U16 | Scalar::B16 => IntegerKind::U16,
        Scalar::S16 => IntegerKind::S16,
        Scalar::U32 | Scalar::B32 => IntegerKind::U32,
        Scalar::S32 => IntegerKind::S32,
        Scalar::U64 | Scalar::B64 => IntegerKind::U64,
        Scalar::S64 => IntegerKind::S64,
        _ => return None,
    })
}

/// Maps a PTX type to the floating-point type of an operation.
pub(super) fn float_kind(scalar: Scalar) -> Option<FloatKind> {
    Some(match scalar {
        Scalar::F16 => FloatKind::F16,
        Scalar::Bf16 => FloatKind::Bf16,
        Scalar::F32 => FloatKind::F32,
        Scalar::F64 => FloatKind::F64,
        Scalar::F16x2 => FloatKind::F16x2,
        Scalar::Bf16x2 => FloatKind::Bf16x2,
        _ => return None,
    })
}

impl<'s> Lowerer<'_, 's> {
    pub(super) fn arithmetic(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.plain()?;
        if matches!(instruction.tree.opcode, "addc" | "subc" | "madc") || instruction.has(Flag::Cc) {
            return self.with_carry(instruction);
        }
        match instruction.words.types.as_slice() {
            [scalar] => {
                if matches!(scalar, Scalar::U16x2 | Scalar::S16x2) {
                    return self.integer_halves(instruction, *scalar);
                }
                if let Some(kind) = float_kind(*scalar) {
                    return self.float_arithmetic(instruction, *scalar, kind);
                }
                match integer_kind(*scalar).filter(|_| !matches!(scalar.name(), ".b16" | ".b32" | ".b64")) {
                    Some(kind) => self.integer_arithmetic(instruction, *scalar, kind),
                    None => Err(instruction.bad_types()),
                }
            }
            [Scalar::F32, half @ (Scalar::F16 | Scalar::Bf16)]
                if matches!(instruction.tree.opcode, "add" | "sub" | "fma") =>
            {
                self.mixed_formats(instruction, *half)
            }
            _ => Err(instruction.bad_types()),
        }
    }

    fn integer_arithmetic(
        &mut self,
        instruction: &Instruction<'_, 's>,
        scalar: Scalar,
        kind: IntegerKind,
    ) -> Lowered<()> {
        let opcode = instruction.tree.opcode;
        let signed = scalar.is_signed();
        let has = |flag| instruction.has(flag);
        let sat_only = |allowed: bool| {
            let saturate = if allowed { Flags::of(&[Flag::Sat]) } else { Flags::default() };
            instruction.only(saturate)
        };
        match opcode {
            "add" | "sub" => {
                instruction.no_rounding()?;
                sat_only(scalar == Scalar::S32)?;
                let operation = match (opcode, has(Flag::Sat)) {
                    ("add", false) => Integer2::Add,
                    ("add", true) => Integer2::AddSaturated,
                    (_, false) => Integer2::Subtract,
                    (_, true) => Integer2::SubtractSaturated,
                };
                self.integer2(instruction, scalar, kind, operation)
            }
            "div" | "rem" | "min" | "max" => {
                instruction.no_rounding()?;
                let relu = scalar == Scalar::S32 && matches!(opcode, "min" | "max") && has(Flag::Relu);
                instruction.only(if relu { Flags::of(&[Flag::Relu]) } else { Flags::default() })?;
                let operation = match opcode {
                    "div" => Integer2::Divide,
                    "rem" => Integer2::Remainder,
                    "min" => Integer2::Minimum,
                    _ => Integer2::Maximum,
                };
                self.integer2(instruction, scalar, kind, operation)?;
                if relu {
                    self.requires(&format!("{opcode}.relu"), (8, 0), 90)?;
                    let [d, _, _] = instruction.operands()?;
                    let d = self.destination(instruction, d, scalar)?;
                    let b = self.word(0);
                    self.emit(Op::Integer2 { kind, operation: Integer2::Maximum, d, a: d, b });
                }
                Ok(())
            }
            "abs" | "neg" => {
                instruction.no_rounding()?;
                instruction.only(Flags::default())?;
                if !signed {
                    return Err(instruction.bad_types());
                }
                let [d, a] = instruction.operands()?;
                let a = self.source(instruction, a, scalar)?;
                let d = self.destination(instruction, d, scalar)?;
                let operation = if opcode == "abs" { Integer1::Absolute } else { Integer1::Negate };
                self.emit(Op::Integer1 { kind, operation, d, a });
                Ok(())
            }
            "sad" => {
                instruction.no_rounding()?;
                instruction.only(Flags::default())?;
                self.integer3(instruction, scalar, kind, Integer3::AbsoluteDifferenceAdd)
            }
            "mul" | "mad" | "mul24" | "mad24" => self.multiply(instruction, scalar, kind),
            _ => Err(instruction.bad_types()),
        }
    }

    fn multiply(
        &mut self,
        instruction: &Instruction<'_, 's>,
        scalar: Scalar,
        kind: IntegerKind,
    ) -> Lowered<()> {
        instruction.no_rounding()?;
        let opcode = instruction.tree.opcode;
        let part = instruction.words.flags.only_one_of(&[Flag::Lo, Flag::Hi, Flag::Wide]);
        let Some(part) = part else { return Err(instruction.bad_types()) };
        let short = matches!(opcode, "mul24" | "mad24");
        if short && (scalar.bits() != 32 || part == Flag::Wide) {
            return Err(instruction.bad_types());
        }
        let saturates = matches!(opcode, "mad" | "mad24") && part == Flag::Hi && scalar == Scalar::S32;
        let mut allowed = Flags::of(&[Flag::Lo, Flag::Hi, Flag::Wide]);
        if saturates {
            allowed.insert(Flag::Sat);
        }
        instruction.only(allowed)?;
        let saturate = instruction.has(Flag::Sat);
        if part == Flag::Wide {
            let wide = match scalar {
                Scalar::U16 => Scalar::U32,
                Scalar::S16 => Scalar::S32,
                Scalar::U32 => Scalar::U64,
                Scalar::S32 => Scalar::S64,
                _ => return Err(instruction.bad_types()),
            };
            let (d, a, b, c) = if opcode == "mul" {
                let [d, a, b] = instruction.operands()?;
                (d, a, b, None)
            } else {
                let [d, a, b, c] = instruction.operands()?;
                (d, a, b, Some(c))
            };
            let a = self.source(instruction, a, scalar)?;
            let b = self.source(instruction, b, scalar)?;
            let c = match c {
                Some(c) => self.source(instruction, c, wide)?,
                None => NONE,
            };
            let d = self.destination(instruction, d, wide)?;
            self.emit(Op::Widen { kind, d, a, b, c });
            return Ok(());
        }
        let high = part == Flag::Hi;
        match opcode {
            "mul" if high => self.integer2(instruction, scalar, kind, Integer2::MultiplyHigh),
            "mul" => self.integer2(instruction, scalar, kind, Integer2::MultiplyLow),
            "mul24" if high => self.integer2(instruction, scalar, kind, Integer2::Multiply24High),
            "mul24" => self.integer2(instruction, scalar, kind, Integer2::Multiply24Low),
            _ => {
                let operation = match (short, high, saturate) {
                    (false, false, _) => Integer3::MultiplyAdd,
                    (false, true, false) => Integer3::MultiplyHighAdd,
                    (false, true, true) => Integer3::MultiplyHighAddSaturated,
                    (true, false, _) => Integer3::Multiply24LowAdd,
                    (true, true, false) => Integer3::Multiply24HighAdd,
                    (true, true, true) => Integer3::Multiply24HighAddSaturated,
                };
                self.integer3(instruction, scalar, kind, operation)
            }
        }
    }

    fn integer2(
        &mut self,
        instruction: &Instruction<'_, 's>,
        scalar: Scalar,
        kind: IntegerKind,
        operation: Integer2,
    ) -> Lowered<()> {
        let [d, a, b] = instruction.operands()?;
        let a = self.source(instruction, a, scalar)?;
        let b = self.source(instruction, b, scalar)?;
        let d = self.destination(instruction, d, scalar)?;
        self.emit(Op::Integer2 { kind, operation, d, a, b });
        Ok(())
    }

    fn integer3(
        &mut self,
        instruction: &Instruction<'_, 's>,
        scalar: Scalar,
        kind: IntegerKind,
        operation: Integer3,
    ) -> Lowered<()> {
        let [d, a, b, c] = instruction.operands()?;
        let a = self.source(instruction, a, scalar)?;
        let b = self.source(instruction, b, scalar)?;
        let c = self.source(instruction, c, scalar)?;
        let d = self.destination(instruction, d, scalar)?;
        self.emit(Op::Integer3 { kind, operation, d, a, b, c });
        Ok(())
    }

    /// Lowers `add.cc`, `addc`, `mad.lo.cc` and so on. The carry flag is a predicate without a name in PTX.
    fn with_carry(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.no_rounding()?;
        let opcode = instruction.tree.opcode;
        let multiplies = matches!(opcode, "mad" | "madc");
        let mut allowed = Flags::of(&[Flag::Cc]);
        if multiplies {
            allowed = allowed.with(Flags::of(&[Flag::Lo, Flag::Hi]));
        }
        // ptxas accepts these forms, which are not documented.
        let types = instruction.words.types.as_slice();
        let saturates = types == [Scalar::S32]
            && instruction.has(Flag::Sat)
            && (!multiplies || instruction.has(Flag::Hi));
        let short = matches!(types, [Scalar::U16 | Scalar::S16]);
        if (short || saturates) && !instruction.has(Flag::Cc) {
            instruction.only(if saturates { allowed.with(Flags::of(&[Flag::Sat])) } else { allowed })?;
            return Err(Stop::Unsupported(""));
        }
        instruction.only(allowed)?;
        let scalar = instruction.one_type(&CARRY_TYPES)?;
        let wide = scalar.bits() == 64;
        if !matches!(opcode, "add" | "addc" | "sub" | "subc" | "mad" | "madc") {
            return Err(instruction.illegal("cc"));
        }
        let (d, a, b) = if multiplies {
            let high = match instruction.words.flags.only_one_of(&[Flag::Lo, Flag::Hi]) {
                Some(part) => part == Flag::Hi,
                None => return Err(instruction.bad_types()),
            };
            let [d, a, b, c] = instruction.operands()?;
            let a = self.source(instruction, a, scalar)?;
            let b = self.source(instruction, b, scalar)?;
            let c = self.source(instruction, c, scalar)?;
            let d = self.destination(instruction, d, scalar)?;
            let product = if wide { self.new_long() } else { self.new_word() };
            let kind = integer_kind(scalar).ok_or_else(|| instruction.bad_types())?;
            let operation = if high { Integer2::MultiplyHigh } else { Integer2::MultiplyLow };
            self.emit(Op::Integer2 { kind, operation, d: product, a, b });
            (d, product, c)
        } else {
            let [d, a, b] = instruction.operands()?;
            let a = self.source(instruction, a, scalar)?;
            let b = self.source(instruction, b, scalar)?;
            (self.destination(instruction, d, scalar)?, a, b)
        };
        let carry = self.carry();
        let carry_in = if matches!(opcode, "addc" | "subc" | "madc") {
            Condition::new(carry, false)
        } else if opcode == "sub" {
            Condition::ALWAYS
        } else {
            Condition::NEVER
        };
        let carry_out: Slot = if instruction.has(Flag::Cc) { carry } else { NONE };
        let subtract = matches!(opcode, "sub" | "subc");
        self.emit(Op::Carry { wide, subtract, d, a, b, carry_in, carry_out });
        Ok(())
    }
}
