//! Roots, reciprocals, exponentials and other functions of one number, and `copysign` and `testp`.

use cuda_ptx::modifier::{Flag, Flags};
use cuda_ptx::types::Scalar;

use super::arithmetic::{ROUNDINGS, float_kind};
use super::float::EXPLICIT_APPROXIMATION;
use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use crate::op::{ColdOp, Float1, Float2, Mode, Op, Property};

impl<'s> Lowerer<'_, 's> {
    pub(super) fn function_of(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.plain()?;
        match instruction.tree.opcode {
            "rcp" | "sqrt" => self.root(instruction),
            "copysign" => {
                instruction.no_rounding()?;
                instruction.only(Flags::default())?;
                let scalar = instruction.one_type(&[Scalar::F32, Scalar::F64])?;
                let kind = float_kind(scalar).ok_or_else(|| instruction.bad_types())?;
                self.float2(instruction, scalar, kind, Float2::CopySign, Mode::PLAIN)
            }
            "testp" => self.test(instruction),
            _ => self.approximation(instruction),
        }
    }

    /// Lowers `rcp` and `sqrt`, which have exact forms.
    fn root(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let scalar = instruction.one_type(&[Scalar::F32, Scalar::F64])?;
        let rounding = instruction.rounding(&ROUNDINGS)?;
        instruction.only(Flags::of(&[Flag::Approx, Flag::Ftz]))?;
        let approximate = instruction.has(Flag::Approx);
        let reciprocal = instruction.tree.opcode == "rcp";
        let by_itself = self.version < EXPLICIT_APPROXIMATION && !(reciprocal && scalar == Scalar::F64);
        if rounding.is_none() && !approximate && !by_itself {
            return Err(instruction.missing_approximation(reciprocal || scalar == Scalar::F32));
        }
        if rounding.is_some() && approximate {
            return Err(instruction.bad_rounding());
        }
        if scalar == Scalar::F64 {
            if approximate && reciprocal {
                if !instruction.has(Flag::Ftz) {
                    let text = "'.ftz' modifier required for instruction 'rcp.approx.f64'";
                    return Err(Stop::Error(text.into()));
                }
                return self.approx_f64(instruction, false);
            }
            if approximate {
                return Err(instruction.illegal("approx"));
            }
            if instruction.has(Flag::Ftz) {
                // ptxas accepts `rcp.rn.ftz.f64`, which is not documented.
                return Err(if reciprocal { Stop::Unsupported("") } else { instruction.illegal("ftz") });
            }
        }
        let kind = float_kind(scalar).ok_or_else(|| instruction.bad_types())?;
        let operation = if reciprocal { Float1::Reciprocal } else { Float1::SquareRoot };
        self.float1(instruction, scalar, kind, operation, instruction.mode(rounding))
    }

    fn approximation(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.no_rounding()?;
        let opcode = instruction.tree.opcode;
        let scalar = match instruction.words.types.as_slice() {
            [Scalar::F32] => Scalar::F32,
            [Scalar::F64] if opcode == "rsqrt" => Scalar::F64,
            [Scalar::F16 | Scalar::F16x2 | Scalar::Bf16 | Scalar::Bf16x2]
                if matches!(opcode, "ex2" | "tanh") =>
            {
                return self.small_approximation(instruction);
            }
            _ => return Err(instruction.bad_types()),
        };
        let flushes = opcode != "tanh";
        let flags: &[Flag] = if flushes { &[Flag::Approx, Flag::Ftz] } else { &[Flag::Approx] };
        instruction.only(Flags::of(flags))?;
        if !instruction.has(Flag::Approx) && self.version >= EXPLICIT_APPROXIMATION {
            return Err(Stop::Error(format!(
                ".approx modifier required for instruction '{}'",
                instruction.name
            )));
        }
        if scalar == Scalar::F64 && instruction.has(Flag::Ftz) {
            return self.approx_f64(instruction, true);
        }
        let operation = match opcode {
            "rsqrt" => Float1::ReciprocalSquareRoot,
            "ex2" => Float1::Exponential,
            "lg2" => Float1::Logarithm,
            "sin" => Float1::Sine,
            "cos" => Float1::Cosine,
            _ => Float1::HyperbolicTangent,
        };
        let kind = float_kind(scalar).ok_or_else(|| instruction.bad_types())?;
        self.float1(instruction, scalar, kind, operation, instruction.mode(None))
    }

    /// Lowers double-precision approximations of 20 bits.
    fn approx_f64(&mut self, instruction: &Instruction<'_, 's>, root: bool) -> Lowered<()> {
        let [d, a] = instruction.operands()?;
        let a = self.source(instruction, a, Scalar::F64)?;
        let d = self.destination(instruction, d, Scalar::F64)?;
        self.cold(ColdOp::ApproxF64 { root, d, a });
        Ok(())
    }

    /// Lowers `ex2` and `tanh` of 16-bit numbers.
    fn small_approximation(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let scalar = instruction.one_type(&[Scalar::F16, Scalar::F16x2, Scalar::Bf16, Scalar::Bf16x2])?;
        let exponential = instruction.tree.opcode == "ex2";
        let brain = matches!(scalar, Scalar::Bf16 | Scalar::Bf16x2);
        instruction.only(Flags::of(&[Flag::Approx, Flag::Ftz]))?;
        if !instruction.has(Flag::Approx) {
            let name = &instruction.name;
            return Err(Stop::Error(format!(".approx modifier required for instruction '{name}'")));
        }
        if instruction.has(Flag::Ftz) != (exponential && brain) {
            return Err(instruction.illegal("ftz"));
        }
        if brain {
            self.requires(&format!("{}{}", instruction.name, scalar.name()), (7, 8), 90)?;
        }
        let operation = if exponential { Float1::Exponential } else { Float1::HyperbolicTangent };
        let kind = float_kind(scalar).ok_or_else(|| instruction.bad_types())?;
        self.float1(instruction, scalar, kind, operation, instruction.mode(None))
    }

    fn test(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.no_rounding()?;
        let properties =
            [Flag::Finite, Flag::Infinite, Flag::Number, Flag::NotANumber, Flag::Normal, Flag::Subnormal];
        instruction.only(Flags::of(&properties))?;
        let scalar = instruction.one_type(&[Scalar::F32, Scalar::F64])?;
        let property = match instruction.words.flags.only_one_of(&properties) {
            Some(Flag::Finite) => Property::Finite,
            Some(Flag::Infinite) => Property::Infinite,
            Some(Flag::Number) => Property::Number,
            Some(Flag::NotANumber) => Property::NotANumber,
            Some(Flag::Normal) => Property::Normal,
            Some(_) => Property::Subnormal,
            // ptxas accepts `testp` without a property, which is not documented.
            None => return Err(Stop::Unsupported("")),
        };
        let [d, a] = instruction.operands()?;
        let a = self.source(instruction, a, scalar)?;
        let d = self.destination(instruction, d, Scalar::Pred)?;
        self.emit(Op::Test { wide: scalar == Scalar::F64, property, d, a });
        Ok(())
    }
}
