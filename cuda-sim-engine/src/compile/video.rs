//! Video instructions: `vadd`, `vmad`, `vset4` and so on.

use cuda_ptx::ast::Operand;
use cuda_ptx::modifier::{Compare, Flag, Flags};
use cuda_ptx::types::Scalar;

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::modifier_cursor::ModifierCursor;
use super::operands::{Value, slot};
use super::scope::Symbol;
use crate::op::{
    ColdOp, NONE, Part, Relation, Second, Slot, Video, VideoLanes, VideoMultiply, VideoOperation,
};

/// Returns whether `text` selects parts of a word: `b2`, `h10`, `b7654`.
pub(super) fn is_selector(text: &str) -> bool {
    let (limit, longest) = match text.as_bytes().first() {
        Some(b'b') => (b'7', 4),
        Some(b'h') => (b'3', 2),
        _ => return false,
    };
    let digits = &text.as_bytes()[1..];
    !digits.is_empty() && digits.len() <= longest && digits.iter().all(|digit| (b'0'..=limit).contains(digit))
}

/// Returns one part: a byte, a half, or the whole word.
fn part(selector: Option<&str>) -> Option<Part> {
    Some(match selector.map(str::as_bytes) {
        None => Part::WHOLE,
        Some([b'b', digit @ b'0'..=b'3']) => Part { start: (digit - b'0') * 8, bits: 8 },
        Some([b'h', digit @ b'0'..=b'1']) => Part { start: (digit - b'0') * 16, bits: 16 },
        Some(_) => return None,
    })
}

fn relation(compare: Option<Compare>) -> Option<Relation> {
    Some(match compare? {
        Compare::Equal => Relation::Equal,
        Compare::NotEqual => Relation::NotEqual,
        Compare::Less => Relation::Less,
        Compare::LessEqual => Relation::LessEqual,
        Compare::Greater => Relation::Greater,
        Compare::GreaterEqual => Relation::GreaterEqual,
        _ => return None,
    })
}

impl<'s> Lowerer<'_, 's> {
    pub(super) fn video(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let opcode = instruction.tree.opcode;
        let mut words = ModifierCursor::new(instruction);
        let set = opcode.starts_with("vset");
        // The result of a comparison is unsigned and has no type.
        let mut signed = [false; 3];
        for (index, kind) in instruction.words.types.iter().enumerate() {
            let signed = signed.get_mut(index + usize::from(set)).ok_or_else(|| instruction.bad_types())?;
            *signed = match kind {
                Scalar::U32 => false,
                Scalar::S32 => true,
                _ => return Err(instruction.bad_types()),
            };
        }
        if instruction.words.types.len() != 3 - usize::from(set) {
            return Err(instruction.bad_types());
        }
        while words.take_one_of(&["u32", "s32"]).is_some() {}
        let mut operation = match opcode.trim_end_matches(['2', '4']) {
            "vadd" => VideoOperation::Add,
            "vsub" => VideoOperation::Subtract,
            "vabsdiff" => VideoOperation::AbsoluteDifference,
            "vmin" => VideoOperation::Minimum,
            "vmax" => VideoOperation::Maximum,
            "vavrg" => VideoOperation::Average,
            "vshl" => VideoOperation::ShiftLeft { wrap: false },
            "vshr" => VideoOperation::ShiftRight { wrap: false },
            "vmad" => return self.video_multiply(instruction, words, signed),
            _ => {
                let Some(relation) = relation(instruction.words.compare) else {
                    let text = format!("Comparison operation required for instruction '{opcode}'");
                    return Err(Stop::Error(text));
                };
                words.take_one_of(&["eq", "ne", "lt", "le", "gt", "ge"]);
                VideoOperation::Set(relation)
            }
        };
        if let VideoOperation::ShiftLeft { wrap } | VideoOperation::ShiftRight { wrap } = &mut operation {
            match words.take_one_of(&["clamp", "wrap"]) {
                Some(word) => *wrap = word == "wrap",
                None => {
                    let text = format!("Clamp modifier required for instruction '{opcode}'");
                    return Err(Stop::Error(text));
                }
            }
            if signed[2] {
                return Err(instruction.bad_types());
            }
        }
        let saturate = !set && words.take("sat");
        if opcode.ends_with(['2', '4']) {
            return self.video_lanes(instruction, words, operation, signed, saturate);
        }
        let second = match words.take_one_of(&["add", "min", "max"]) {
            None => Second::Nothing,
            Some("add") => Second::Add,
            Some("min") => Second::Minimum,
            Some(_) => Second::Maximum,
        };
        words.finish(instruction)?;
        let (d, a, b, c) = match instruction.tree.operands.as_slice() {
            [d, a, b] => (d, a, b, None),
            [d, a, b, c] => (d, a, b, Some(c)),
            _ => return Err(instruction.mismatch()),
        };
        let (d, selector) = self.selected_destination(instruction, d)?;
        let second = match (second, selector, c) {
            // A third operand may be present without an operation on it.
            (Second::Nothing, None, _) => Second::Nothing,
            (Second::Nothing, Some(_), Some(_)) => {
                Second::Merge(part(selector).ok_or_else(|| instruction.mismatch())?)
            }
            (second, None, Some(_)) if second != Second::Nothing => second,
            _ => return Err(instruction.mismatch()),
        };
        let (a, first) = self.selected(instruction, a)?;
        let (b, other) = self.selected(instruction, b)?;
        let (Some(first), Some(other)) = (part(first), part(other)) else {
            return Err(instruction.mismatch());
        };
        let c = match c {
            Some(c) => self.source(instruction, c, Scalar::U32)?,
            None => NONE,
        };
        let parts = [first, other];
        self.cold(ColdOp::Video(Video { operation, signed, saturate, second, parts, d, a, b, c }));
        Ok(())
    }

    /// Lowers `add`, `min` and `max` of two 16-bit integers in a word.
    pub(super) fn integer_halves(
        &mut self,
        instruction: &Instruction<'_, 's>,
        scalar: Scalar,
    ) -> Lowered<()> {
        instruction.no_rounding()?;
        let opcode = instruction.tree.opcode;
        let signed = scalar == Scalar::S16x2;
        let operation = match opcode {
            "add" => VideoOperation::Add,
            "min" => VideoOperation::Minimum,
            "max" => VideoOperation::Maximum,
            _ => return Err(instruction.bad_types()),
        };
        let relu = signed && opcode != "add" && instruction.has(Flag::Relu);
        instruction.only(if relu { Flags::of(&[Flag::Relu]) } else { Flags::default() })?;
        self.requires(&format!("{opcode}{}", scalar.name()), (8, 0), 90)?;
        let [d, a, b] = instruction.operands()?;
        let a = self.source(instruction, a, scalar)?;
        let b = self.source(instruction, b, scalar)?;
        let d = self.destination(instruction, d, scalar)?;
        let c = self.word(0);
        let halves = VideoLanes {
            operation,
            bits: 16,
            signed: [signed; 3],
            saturate: false,
            accumulate: false,
            selectors: [[0, 1, 0, 0], [2, 3, 0, 0]],
            mask: 3,
            d,
            a,
            b,
            c,
        };
        self.cold(ColdOp::VideoLanes(halves));
        if relu {
            let operation = VideoOperation::Maximum;
            self.cold(ColdOp::VideoLanes(VideoLanes { operation, a: d, b: c, ..halves }));
        }
        Ok(())
    }

    /// Returns a source and its selector.
    fn selected(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
    ) -> Lowered<(Slot, Option<&'s str>)> {
        match operand {
            Operand::Component { name, component } => {
                Ok((self.selected_register(instruction, name)?, Some(component)))
            }
            operand => Ok((self.source(instruction, operand, Scalar::U32)?, None)),
        }
    }

    fn selected_destination(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
    ) -> Lowered<(Slot, Option<&'s str>)> {
        match operand {
            Operand::Component { name, component } => {
                Ok((self.selected_register(instruction, name)?, Some(component)))
            }
            operand => Ok((self.destination(instruction, operand, Scalar::U32)?, None)),
        }
    }

    fn selected_register(&mut self, instruction: &Instruction<'_, 's>, name: &str) -> Lowered<Slot> {
        match self.lookup(name) {
            Some(Symbol::Register { scalar, places }) if scalar.bits() == 32 && scalar.is_integer() => {
                match places.as_slice() {
                    [place] => {
                        self.touch(*place);
                        Ok(slot(*place))
                    }
                    _ => Err(instruction.mismatch()),
                }
            }
            _ => Err(instruction.mismatch()),
        }
    }

    fn video_lanes(
        &mut self,
        instruction: &Instruction<'_, 's>,
        mut words: ModifierCursor<'s>,
        operation: VideoOperation,
        signed: [bool; 3],
        saturate: bool,
    ) -> Lowered<()> {
        let count: u8 = if instruction.tree.opcode.ends_with('2') { 2 } else { 4 };
        let letter = if count == 2 { b'h' } else { b'b' };
        let accumulate = words.take("add");
        words.finish(instruction)?;
        if accumulate && saturate {
            return Err(instruction.illegal("sat"));
        }
        let [d, a, b, c] = instruction.operands()?;
        for (position, operand) in [(1, a), (2, b), (3, c)] {
            if matches!(operand, Operand::Constant(_)) {
                return Err(Stop::Error(format!("Incorrect video selector for operand {position}")));
            }
        }
        let (d, mask) = self.selected_destination(instruction, d)?;
        let (a, first) = self.selected(instruction, a)?;
        let (b, other) = self.selected(instruction, b)?;
        let c = self.source(instruction, c, Scalar::U32)?;
        let digits = |selector: Option<&str>| -> Lowered<Option<Vec<u8>>> {
            match selector.map(str::as_bytes) {
                None => Ok(None),
                Some([kind, digits @ ..]) if *kind == letter => {
                    // A digit that no selector has was reported before.
                    Ok(Some(digits.iter().rev().map(|digit| digit.wrapping_sub(b'0')).collect()))
                }
                Some(_) => Err(instruction.mismatch()),
            }
        };
        let mask = match digits(mask)? {
            None => (1 << count) - 1,
            Some(parts) if parts.iter().all(|&part| part < count) => {
                parts.into_iter().fold(0, |mask, part| mask | 1 << part)
            }
            Some(_) => return Err(instruction.mismatch()),
        };
        let mut selectors = [[0, 1, 2, 3], [0, 1, 2, 3].map(|part| part + count)];
        for (selector, written) in selectors.iter_mut().zip([first, other]) {
            let Some(parts) = digits(written)? else { continue };
            if parts.len() != usize::from(count) {
                return Err(instruction.mismatch());
            }
            for (to, from) in selector.iter_mut().zip(parts) {
                *to = from;
            }
        }
        let bits = 32 / count;
        self.cold(ColdOp::VideoLanes(VideoLanes {
            operation,
            bits,
            signed,
            saturate,
            accumulate,
            selectors,
            mask,
            d,
            a,
            b,
            c,
        }));
        Ok(())
    }

    fn video_multiply(
        &mut self,
        instruction: &Instruction<'_, 's>,
        mut words: ModifierCursor<'s>,
        [_, signed_a, signed_b]: [bool; 3],
    ) -> Lowered<()> {
        let saturate = words.take("sat");
        let plus_one = words.take("po");
        let shift = match words.take_one_of(&["shr7", "shr15"]) {
            None => 0,
            Some("shr7") => 7,
            Some(_) => 15,
        };
        words.finish(instruction)?;
        let [d, a, b, c] = instruction.operands()?;
        let mut negations = [false; 3];
        let mut plain = Vec::new();
        for (operand, negated) in [a, b, c].into_iter().zip(&mut negations) {
            plain.push(match operand {
                Operand::Negative(inner) => {
                    *negated = true;
                    &**inner
                }
                operand => operand,
            });
        }
        let [a, b, c] = plain.as_slice() else { return Err(instruction.mismatch()) };
        let (negate_product, negate_addend) = (negations[0] != negations[1], negations[2]);
        if plus_one && negations.contains(&true) || negate_product && negate_addend {
            return Err(instruction.mismatch());
        }
        let d = self.destination(instruction, d, Scalar::B32)?;
        let (a, first) = self.selected(instruction, a)?;
        let (b, other) = self.selected(instruction, b)?;
        let (Some(first), Some(other)) = (part(first), part(other)) else {
            return Err(instruction.mismatch());
        };
        let c = match self.value(c) {
            Value::Unknown => return Err(instruction.mismatch()),
            _ => self.source(instruction, c, Scalar::U32)?,
        };
        self.cold(ColdOp::VideoMultiply(VideoMultiply {
            signed: [signed_a, signed_b],
            negate_product,
            negate_addend,
            plus_one,
            shift,
            saturate,
            parts: [first, other],
            d,
            a,
            b,
            c,
        }));
        Ok(())
    }
}
