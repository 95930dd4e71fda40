//! `add`, `mul` and their kin, for integers and for floating-point numbers.

use crate::ptx::modifier::{Flag, Flags, Rounding};
use crate::ptx::types::Scalar;

use super::super::op::{
    Condition, Float1, Float2, FloatKind, Integer1, Integer2, Integer3, IntegerKind, Mode, NONE, Op, Slot,
};
use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};

/// The rounding modes that arithmetic has.
pub(super) const ROUNDINGS: [Rounding; 4] = [Rounding::Nearest, Rounding::Zero, Rounding::Down, Rounding::Up];

const CARRY_TYPES: [Scalar; 4] = [Scalar::U32, Scalar::S32, Scalar::U64, Scalar::S64];

/// The integer type that operations know a type by.
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

/// The same for floating-point types.
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

fn is_brain(kind: FloatKind) -> bool {
    matches!(kind, FloatKind::Bf16 | FloatKind::Bf16x2)
}

fn is_half(kind: FloatKind) -> bool {
    matches!(kind, FloatKind::F16 | FloatKind::F16x2)
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
                    return Err(Stop::Unsupported(""));
                }
                if let Some(kind) = float_kind(*scalar) {
                    return self.float_arithmetic(instruction, *scalar, kind);
                }
                match integer_kind(*scalar).filter(|_| !matches!(scalar.name(), ".b16" | ".b32" | ".b64")) {
                    Some(kind) => self.integer_arithmetic(instruction, *scalar, kind),
                    None => Err(instruction.bad_types()),
                }
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
                if has(Flag::Relu) && scalar == Scalar::S32 && matches!(opcode, "min" | "max") {
                    return Err(Stop::Unsupported(""));
                }
                instruction.only(Flags::default())?;
                let operation = match opcode {
                    "div" => Integer2::Divide,
                    "rem" => Integer2::Remainder,
                    "min" => Integer2::Minimum,
                    _ => Integer2::Maximum,
                };
                self.integer2(instruction, scalar, kind, operation)
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

    /// `add.cc`, `addc`, `mad.lo.cc` and so on. The flag is a predicate that no name reaches.
    fn with_carry(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.no_rounding()?;
        let opcode = instruction.tree.opcode;
        let multiplies = matches!(opcode, "mad" | "madc");
        let undocumented = opcode == "madc" && instruction.has(Flag::Sat)
            || matches!(instruction.words.types.as_slice(), [Scalar::U16 | Scalar::S16]);
        if undocumented && !instruction.has(Flag::Cc) {
            return Err(Stop::Unsupported(""));
        }
        let mut allowed = Flags::of(&[Flag::Cc]);
        if multiplies {
            allowed = allowed.with(Flags::of(&[Flag::Lo, Flag::Hi]));
        }
        instruction.only(allowed)?;
        let scalar = instruction.one_type(&CARRY_TYPES)?;
        let wide = scalar.bits() == 64;
        if wide {
            self.requires(&format!("{opcode} with .u64/.s64 type"), (4, 3), 0)?;
        }
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
        } else {
            Condition::NEVER
        };
        let carry_out: Slot = if instruction.has(Flag::Cc) { carry } else { NONE };
        let subtract = matches!(opcode, "sub" | "subc");
        self.emit(Op::Carry { wide, subtract, d, a, b, carry_in, carry_out });
        Ok(())
    }

    fn float_arithmetic(
        &mut self,
        instruction: &Instruction<'_, 's>,
        scalar: Scalar,
        kind: FloatKind,
    ) -> Lowered<()> {
        let opcode = instruction.tree.opcode;
        let single = kind == FloatKind::F32;
        let double = kind == FloatKind::F64;
        let roundings: &[Rounding] = if single || double { &ROUNDINGS } else { &[Rounding::Nearest] };
        match opcode {
            "add" | "sub" | "mul" => {
                let rounding = instruction.rounding(roundings)?;
                let flags = match kind {
                    FloatKind::F64 => Flags::default(),
                    _ if is_brain(kind) => Flags::default(),
                    _ => Flags::of(&[Flag::Ftz, Flag::Sat]),
                };
                instruction.only(flags)?;
                self.half_requirements(instruction, kind, (4, 2), 53, (7, 8), 90)?;
                let operation = match opcode {
                    "add" => Float2::Add,
                    "sub" => Float2::Subtract,
                    _ => Float2::Multiply,
                };
                self.float2(instruction, scalar, kind, operation, instruction.mode(rounding))
            }
            "fma" | "mad" => {
                if opcode == "mad" && !(single || double) {
                    return Err(instruction.bad_types());
                }
                if is_brain(kind)
                    && matches!(
                        instruction.words.rounding,
                        Some(Rounding::Zero | Rounding::Down | Rounding::Up)
                    )
                {
                    // ptxas takes these, which are documented nowhere.
                    return Err(Stop::Unsupported(""));
                }
                let rounding = instruction.rounding(roundings)?;
                let flags = match kind {
                    FloatKind::F64 => Flags::default(),
                    FloatKind::F32 => Flags::of(&[Flag::Ftz, Flag::Sat]),
                    _ if is_brain(kind) => Flags::of(&[Flag::Relu]),
                    _ => Flags::of(&[Flag::Ftz, Flag::Sat, Flag::Relu]),
                };
                instruction.only(flags)?;
                if rounding.is_none() {
                    return Err(instruction.missing_rounding());
                }
                self.half_requirements(instruction, kind, (4, 2), 53, (7, 0), 80)?;
                let [d, a, b, c] = instruction.operands()?;
                let a = self.source(instruction, a, scalar)?;
                let b = self.source(instruction, b, scalar)?;
                let c = self.source(instruction, c, scalar)?;
                let d = self.destination(instruction, d, scalar)?;
                self.emit(Op::Fma { kind, mode: instruction.mode(rounding), d, a, b, c });
                Ok(())
            }
            "div" if single || double => {
                let rounding = instruction.rounding(roundings)?;
                let flags =
                    if double { Flags::default() } else { Flags::of(&[Flag::Ftz, Flag::Approx, Flag::Full]) };
                instruction.only(flags)?;
                let approximate = instruction.has(Flag::Approx) || instruction.has(Flag::Full);
                if rounding.is_none() && !approximate {
                    return Err(instruction.missing_rounding());
                }
                if rounding.is_some() && approximate {
                    return Err(instruction.bad_rounding());
                }
                let operation =
                    if instruction.has(Flag::Approx) { Float2::DivideApproximate } else { Float2::Divide };
                self.float2(instruction, scalar, kind, operation, instruction.mode(rounding))
            }
            "min" | "max" => {
                instruction.no_rounding()?;
                let flags = match kind {
                    FloatKind::F64 => Flags::default(),
                    _ if is_brain(kind) => Flags::of(&[Flag::Nan, Flag::XorSign, Flag::Abs]),
                    _ => Flags::of(&[Flag::Ftz, Flag::Nan, Flag::XorSign, Flag::Abs]),
                };
                instruction.only(flags)?;
                if instruction.has(Flag::XorSign) || instruction.has(Flag::Abs) {
                    return Err(Stop::Unsupported(""));
                }
                if single && instruction.tree.operands.len() == 4 {
                    self.requires("3-input min/max", (8, 8), 100)?;
                    return Err(Stop::Unsupported("three sources"));
                }
                if instruction.has(Flag::Nan) || is_half(kind) || is_brain(kind) {
                    self.requires(&format!("{opcode} with this type or modifier"), (7, 0), 80)?;
                }
                let operation = match (opcode, instruction.has(Flag::Nan)) {
                    ("min", false) => Float2::Minimum,
                    ("min", true) => Float2::MinimumNan,
                    (_, false) => Float2::Maximum,
                    (_, true) => Float2::MaximumNan,
                };
                self.float2(instruction, scalar, kind, operation, instruction.mode(None))
            }
            "abs" | "neg" => {
                instruction.no_rounding()?;
                let flags = if single || is_half(kind) { Flags::of(&[Flag::Ftz]) } else { Flags::default() };
                instruction.only(flags)?;
                let since = if opcode == "abs" { (6, 5) } else { (6, 0) };
                self.half_requirements(instruction, kind, since, 53, (7, 0), 80)?;
                let operation = if opcode == "abs" { Float1::Absolute } else { Float1::Negate };
                self.float1(instruction, scalar, kind, operation, instruction.mode(None))
            }
            _ => Err(instruction.bad_types()),
        }
    }

    /// What versions and targets the 16-bit formats need.
    fn half_requirements(
        &self,
        instruction: &Instruction<'_, 's>,
        kind: FloatKind,
        half_version: (u32, u32),
        half_target: u32,
        brain_version: (u32, u32),
        brain_target: u32,
    ) -> Lowered<()> {
        let what = &instruction.name;
        if is_half(kind) {
            self.requires(&format!("{what} with .f16 type"), half_version, half_target)?;
        }
        if is_brain(kind) {
            self.requires(&format!("{what} with .bf16 type"), brain_version, brain_target)?;
        }
        Ok(())
    }

    pub(super) fn float1(
        &mut self,
        instruction: &Instruction<'_, 's>,
        scalar: Scalar,
        kind: FloatKind,
        operation: Float1,
        mode: Mode,
    ) -> Lowered<()> {
        let [d, a] = instruction.operands()?;
        let a = self.source(instruction, a, scalar)?;
        let d = self.destination(instruction, d, scalar)?;
        self.emit(Op::Float1 { kind, operation, mode, d, a });
        Ok(())
    }

    pub(super) fn float2(
        &mut self,
        instruction: &Instruction<'_, 's>,
        scalar: Scalar,
        kind: FloatKind,
        operation: Float2,
        mode: Mode,
    ) -> Lowered<()> {
        let [d, a, b] = instruction.operands()?;
        let a = self.source(instruction, a, scalar)?;
        let b = self.source(instruction, b, scalar)?;
        let d = self.destination(instruction, d, scalar)?;
        self.emit(Op::Float2 { kind, operation, mode, d, a, b });
        Ok(())
    }
}
