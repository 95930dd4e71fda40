//! Conversions to and from `tf32`, formats of eight bits, and packed integers.

use cuda_ptx::modifier::Rounding;
use cuda_ptx::types::Scalar;

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::modifier_cursor::ModifierCursor;
use super::operands::Fit;
use crate::op::{ColdOp, NONE, NarrowFormat, Op};

fn format(word: &str) -> Option<NarrowFormat> {
    match word {
        "e4m3x2" => Some(NarrowFormat::E4m3),
        "e5m2x2" => Some(NarrowFormat::E5m2),
        _ => None,
    }
}

impl<'s> Lowerer<'_, 's> {
    /// Lowers a conversion from or to a narrow format. Returns whether the instruction is one.
    pub(super) fn convert_narrow(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<bool> {
        let kinds: Vec<&str> = instruction
            .tree
            .modifiers
            .iter()
            .copied()
            .filter(|word| Scalar::from_word(word).is_some())
            .collect();
        if instruction.tree.modifiers.contains(&"pack") {
            self.convert_pack(instruction, &kinds)?;
            return Ok(true);
        }
        let [to, from] = kinds.as_slice() else { return Ok(false) };
        if *to == "tf32" && *from == "f32" {
            self.convert_tensor(instruction)?;
        } else if let Some(format) = format(to) {
            self.convert_to_narrow(instruction, format, from)?;
        } else if let (Some(format), "f16x2") = (format(from), *to) {
            self.convert_from_narrow(instruction, format)?;
        } else if instruction.words.types.iter().any(|scalar| matches!(scalar, Scalar::Narrow | Scalar::Tf32))
        {
            if self.target < 100 {
                return Err(instruction.bad_types());
            }
            return Err(Stop::Unsupported(""));
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn convert_tensor(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let mut words = ModifierCursor::new(instruction);
        let (rounding, word) = match words.take_one_of(&["rn", "rz", "rna"]) {
            Some("rna") => (Rounding::NearestAway, "rna"),
            Some("rn") => (Rounding::Nearest, "rn"),
            Some(_) => (Rounding::Zero, "rz"),
            None if instruction.words.rounding.is_some() => return Err(instruction.bad_rounding()),
            None => return Err(instruction.missing_rounding()),
        };
        if rounding == Rounding::NearestAway {
            self.requires("cvt.tf32.f32", (7, 0), 80)?;
        } else {
            self.requires(&format!("cvt with .tf32.f32.{word}"), (7, 8), 90)?;
        }
        let relu = words.take("relu");
        let finite = words.take("satfinite");
        words.take("tf32");
        words.take("f32");
        words.finish(instruction)?;
        if relu && rounding == Rounding::NearestAway {
            return Err(instruction.bad_rounding());
        }
        if finite && rounding == Rounding::NearestAway {
            self.requires("cvt with .satfinite", (8, 1), 80)?;
        } else if finite {
            self.requires(&format!("Modifier '.satfinite' on 'cvt.tf32.f32.{word}'"), (8, 6), 100)?;
        }
        let [d, a] = instruction.operands()?;
        let a = self.source(instruction, a, Scalar::F32)?;
        let d = self.destination(instruction, d, Scalar::B32)?;
        self.cold(ColdOp::Tensor { rounding, relu, finite, d, a });
        Ok(())
    }

    fn convert_to_narrow(
        &mut self,
        instruction: &Instruction<'_, 's>,
        format: NarrowFormat,
        from: &str,
    ) -> Lowered<()> {
        let mut words = ModifierCursor::new(instruction);
        words.take_one_of(&["e4m3x2", "e5m2x2"]);
        words.take(from);
        self.requires("cvt with .e4m3x2/.e5m2x2", (7, 8), 89)?;
        if !words.take("rn") {
            return Err(instruction.missing_rounding());
        }
        if !words.take("satfinite") {
            let text = "'.satfinite' modifier required for instruction 'cvt' with such a destination type";
            return Err(Stop::Error(text.into()));
        }
        let relu = words.take("relu");
        words.finish(instruction)?;
        let (d, high, low) = match (from, instruction.tree.operands.as_slice()) {
            ("f32", [d, high, low]) => {
                let high = self.source(instruction, high, Scalar::F32)?;
                (d, high, self.source(instruction, low, Scalar::F32)?)
            }
            ("f16x2", [d, pair]) => {
                let pair = self.source(instruction, pair, Scalar::F16x2)?;
                (d, pair, pair)
            }
            ("f32" | "f16x2", _) => return Err(instruction.mismatch()),
            _ => return Err(instruction.bad_types()),
        };
        let d = self.destination(instruction, d, Scalar::B16)?;
        self.cold(ColdOp::Narrow { format, relu, halves: from == "f16x2", d, high, low });
        Ok(())
    }

    fn convert_from_narrow(
        &mut self,
        instruction: &Instruction<'_, 's>,
        format: NarrowFormat,
    ) -> Lowered<()> {
        let mut words = ModifierCursor::new(instruction);
        words.take_one_of(&["e4m3x2", "e5m2x2"]);
        words.take("f16x2");
        self.requires("cvt with .e4m3x2/.e5m2x2", (7, 8), 89)?;
        if !words.take("rn") {
            return Err(instruction.missing_rounding());
        }
        let relu = words.take("relu");
        words.finish(instruction)?;
        let [d, a] = instruction.operands()?;
        let a = self.source(instruction, a, Scalar::B16)?;
        let d = self.destination(instruction, d, Scalar::F16x2)?;
        self.cold(ColdOp::Widen { format, relu, d, a });
        Ok(())
    }

    fn convert_pack(&mut self, instruction: &Instruction<'_, 's>, kinds: &[&str]) -> Lowered<()> {
        let mut words = ModifierCursor::new(instruction);
        words.take("pack");
        if !words.take("sat") {
            return Err(Stop::Error(".sat modifier required for instruction 'cvt.pack'".into()));
        }
        for kind in kinds {
            words.take(kind);
        }
        words.finish(instruction)?;
        let bad = || Stop::Error("Unexpected instruction types specified for 'cvt.pack'".into());
        let (to, wide) = match kinds {
            [to @ ("u16" | "s16"), "s32"] => (to, true),
            [to @ ("u8" | "s8" | "u4" | "s4" | "u2" | "s2"), "s32", "b32"] => (to, false),
            _ => return Err(bad()),
        };
        let bits: u8 = to.get(1..).and_then(|digits| digits.parse().ok()).ok_or_else(bad)?;
        self.requires("cvt.pack", (6, 5), if bits < 8 { 75 } else { 72 })?;
        let (d, a, b, c) = match (wide, instruction.tree.operands.as_slice()) {
            (true, [d, a, b]) => (d, a, b, None),
            (false, [d, a, b, c]) => (d, a, b, Some(c)),
            _ => return Err(instruction.mismatch()),
        };
        let a = self.source(instruction, a, Scalar::S32)?;
        let b = self.source(instruction, b, Scalar::S32)?;
        let c = match c {
            Some(c) => self.source(instruction, c, Scalar::B32)?,
            None => NONE,
        };
        let d = self.destination(instruction, d, Scalar::B32)?;
        self.cold(ColdOp::Pack { bits, signed: to.starts_with('s'), d, a, b, c });
        Ok(())
    }

    /// Lowers `.satfinite` on a conversion to 16 bits as a separate step, after the conversion without it.
    pub(super) fn convert_finite(
        &mut self,
        instruction: &Instruction<'_, 's>,
        to: Scalar,
        pair: bool,
    ) -> Lowered<()> {
        let Some(d) = instruction.tree.operands.first() else { return Err(instruction.mismatch()) };
        let brain = matches!(to, Scalar::Bf16 | Scalar::Bf16x2);
        let (place, _) = self.destination_place(instruction, d, to, Fit::Exact)?;
        let d = super::operands::slot(place);
        if !pair {
            self.cold(ColdOp::Finite { brain, d, a: d });
            return Ok(());
        }
        let (low, high) = (self.new_word(), self.new_word());
        self.emit(Op::Extract { d: low, a: d, shift: 0, bits: 16 });
        self.emit(Op::Extract { d: high, a: d, shift: 16, bits: 16 });
        self.cold(ColdOp::Finite { brain, d: low, a: low });
        self.cold(ColdOp::Finite { brain, d: high, a: high });
        self.emit(Op::Deposit { d: low, a: high, shift: 16, bits: 16 });
        self.emit(Op::MoveWord { d, a: low });
        Ok(())
    }
}
