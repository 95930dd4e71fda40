//! Arithmetic of floating-point numbers.

use cuda_ptx::modifier::{Flag, Flags, Rounding};
use cuda_ptx::types::Scalar;

use super::arithmetic::ROUNDINGS;
use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use crate::op::{ColdOp, Float1, Float2, FloatKind, Mode, Op};

/// First version in which approximate instructions carry `.approx`.
pub(super) const EXPLICIT_APPROXIMATION: (u32, u32) = (1, 4);

/// Rounding modes of the first devices.
const TO_NEAREST_OR_ZERO: [Rounding; 2] = [Rounding::Nearest, Rounding::Zero];

fn is_brain(kind: FloatKind) -> bool {
    matches!(kind, FloatKind::Bf16 | FloatKind::Bf16x2)
}

fn is_half(kind: FloatKind) -> bool {
    matches!(kind, FloatKind::F16 | FloatKind::F16x2)
}

impl<'s> Lowerer<'_, 's> {
    pub(super) fn float_arithmetic(
        &mut self,
        instruction: &Instruction<'_, 's>,
        scalar: Scalar,
        kind: FloatKind,
    ) -> Lowered<()> {
        let opcode = instruction.tree.opcode;
        let single = kind == FloatKind::F32;
        let double = kind == FloatKind::F64;
        let roundings: &[Rounding] = match opcode {
            _ if !(single || double) => &[Rounding::Nearest],
            "add" | "sub" | "mul" if single && self.target < 20 => &TO_NEAREST_OR_ZERO,
            _ if double && self.target < 13 => &TO_NEAREST_OR_ZERO,
            _ => &ROUNDINGS,
        };
        match opcode {
            "add" | "sub" | "mul" => {
                let rounding = instruction.rounding(roundings)?;
                let flags = match kind {
                    FloatKind::F64 => Flags::default(),
                    _ if is_brain(kind) => Flags::default(),
                    _ => Flags::of(&[Flag::Ftz, Flag::Sat]),
                };
                instruction.only(flags)?;
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
                    // ptxas accepts these forms, which are not documented.
                    instruction.only(Flags::of(&[Flag::Relu]))?;
                    return Err(Stop::Unsupported(""));
                }
                let rounding = instruction.rounding(roundings)?;
                let flags = match kind {
                    FloatKind::F64 => Flags::default(),
                    FloatKind::F32 => Flags::of(&[Flag::Ftz, Flag::Sat]),
                    _ if is_brain(kind) => Flags::of(&[Flag::Relu, Flag::OutOfBounds]),
                    _ => Flags::of(&[Flag::Ftz, Flag::Sat, Flag::Relu, Flag::OutOfBounds]),
                };
                instruction.only(flags)?;
                let clears = instruction.has(Flag::OutOfBounds);
                if clears {
                    self.requires(".oob", (8, 1), 90)?;
                    if instruction.has(Flag::Ftz) {
                        let text = "Modifier '.ftz' cannot be combined with modifier '.oob'";
                        return Err(Stop::Error(text.into()));
                    }
                }
                if opcode == "mad" && single && self.target < 20 {
                    if rounding.is_some() {
                        return Err(instruction.bad_rounding());
                    }
                } else if rounding.is_none() && !(opcode == "mad" && self.mad_rounds_by_itself(single)) {
                    return Err(instruction.missing_rounding());
                }
                let [d, a, b, c] = instruction.operands()?;
                let a = self.source(instruction, a, scalar)?;
                let b = self.source(instruction, b, scalar)?;
                let c = self.source(instruction, c, scalar)?;
                let d = self.destination(instruction, d, scalar)?;
                // The destination may be one of the factors, too.
                let result = if clears { self.new_word() } else { d };
                self.emit(Op::Fma { kind, mode: instruction.mode(rounding), d: result, a, b, c });
                if clears {
                    self.cold(ColdOp::ClearOutOfBounds { d, result, factors: [a, b] });
                }
                Ok(())
            }
            "div" if single || double => {
                let rounding = instruction.rounding(roundings)?;
                let flags =
                    if double { Flags::default() } else { Flags::of(&[Flag::Ftz, Flag::Approx, Flag::Full]) };
                instruction.only(flags)?;
                let approximate = instruction.has(Flag::Approx) || instruction.has(Flag::Full);
                let bare = rounding.is_none() && !approximate;
                if bare && self.version >= EXPLICIT_APPROXIMATION {
                    return Err(instruction.missing_approximation(single));
                }
                if rounding.is_some() && approximate {
                    return Err(instruction.bad_rounding());
                }
                let gross = instruction.has(Flag::Approx) || bare && single;
                let operation = if gross { Float2::DivideApproximate } else { Float2::Divide };
                self.float2(instruction, scalar, kind, operation, instruction.mode(rounding))
            }
            "min" | "max" => {
                instruction.no_rounding()?;
                if single && instruction.tree.operands.len() == 4 {
                    self.requires(&format!("{opcode}.f32 with 3 input operands"), (8, 8), 100)?;
                    instruction.only(Flags::of(&[Flag::Ftz, Flag::Nan, Flag::Abs]))?;
                    return Err(Stop::Unsupported("three sources"));
                }
                let flags = match kind {
                    FloatKind::F64 => Flags::default(),
                    _ if is_brain(kind) => Flags::of(&[Flag::Nan, Flag::XorSign, Flag::Abs]),
                    _ => Flags::of(&[Flag::Ftz, Flag::Nan, Flag::XorSign, Flag::Abs]),
                };
                instruction.only(flags)?;
                if instruction.has(Flag::XorSign) || instruction.has(Flag::Abs) {
                    self.requires(".xorsign", (7, 2), 86)?;
                    for (one, name, other, wanted) in [
                        (Flag::XorSign, "xorsign", Flag::Abs, "abs"),
                        (Flag::Abs, "abs", Flag::XorSign, "xorsign"),
                    ] {
                        if instruction.has(one) && !instruction.has(other) {
                            let text = format!("Modifier '.{name}' requires modifier '.{wanted}'");
                            return Err(Stop::Error(text));
                        }
                    }
                }
                let (nan, magnitudes) = (instruction.has(Flag::Nan), instruction.has(Flag::XorSign));
                let operation = match (opcode, magnitudes) {
                    ("min", true) => Float2::MinimumOfMagnitudes { nan },
                    (_, true) => Float2::MaximumOfMagnitudes { nan },
                    ("min", false) if nan => Float2::MinimumNan,
                    ("min", false) => Float2::Minimum,
                    _ if nan => Float2::MaximumNan,
                    _ => Float2::Maximum,
                };
                self.float2(instruction, scalar, kind, operation, instruction.mode(None))
            }
            "abs" | "neg" => {
                instruction.no_rounding()?;
                let flags = if single || is_half(kind) { Flags::of(&[Flag::Ftz]) } else { Flags::default() };
                instruction.only(flags)?;
                let operation = if opcode == "abs" { Float1::Absolute } else { Float1::Negate };
                self.float1(instruction, scalar, kind, operation, instruction.mode(None))
            }
            _ => Err(instruction.bad_types()),
        }
    }

    /// Checks arithmetic of single precision on 16-bit numbers, which the engine does not have.
    pub(super) fn mixed_formats(&mut self, instruction: &Instruction<'_, 's>, half: Scalar) -> Lowered<()> {
        let opcode = instruction.tree.opcode;
        self.requires(&format!("{opcode}.f32{}", half.name()), (8, 6), 100)?;
        let rounding = instruction.rounding(&ROUNDINGS)?;
        instruction.only(Flags::of(&[Flag::Sat]))?;
        let (halves, single) = match instruction.tree.operands.as_slice() {
            [_, a, c] if opcode != "fma" => (std::slice::from_ref(a), c),
            [_, halves @ .., c] if opcode == "fma" && halves.len() == 2 => {
                if rounding.is_none() {
                    return Err(instruction.missing_rounding());
                }
                (halves, c)
            }
            _ => return Err(instruction.mismatch()),
        };
        for operand in halves {
            self.source(instruction, operand, half)?;
        }
        self.source(instruction, single, Scalar::F32)?;
        Err(Stop::Unsupported(""))
    }

    /// Returns whether `mad` of floating-point numbers needs no rounding modifier.
    fn mad_rounds_by_itself(&self, single: bool) -> bool {
        self.version < if single { (3, 2) } else { (1, 4) }
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
