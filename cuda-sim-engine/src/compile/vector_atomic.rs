//! Atomic operations on vectors, and stores that a barrier object counts.
//!
//! Only the change of each element is atomic, so a vector operation becomes one operation for each element.

use cuda_ptx::ast::Operand;
use cuda_ptx::modifier::{Flag, Flags, SpaceWord};
use cuda_ptx::types::Scalar;

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::memory::SCOPES;
use super::modifier_cursor::ModifierCursor;
use super::operands::Fit;
use crate::op::{ALL_BYTES, Access, Atomic, AtomicAccess, ColdOp, Extension, Op, Place};

impl<'s> Lowerer<'_, 's> {
    pub(super) fn atomic_vector(&mut self, instruction: &Instruction<'_, 's>, count: u32) -> Lowered<()> {
        let opcode = instruction.tree.opcode;
        let returns = opcode == "atom";
        let what = format!("{opcode} instruction with vector types");
        self.requires(&what, (8, 1), 90)?;
        let orders = [Flag::Relaxed, Flag::Acquire, Flag::Release, Flag::AcqRel];
        let operations = [Flag::Add, Flag::Min, Flag::Max];
        let allowed = Flags::of(&operations)
            .with(Flags::of(&orders))
            .with(Flags::of(&SCOPES))
            .with(Flags::of(&[Flag::NoFtz, Flag::L2Hint]));
        instruction.only(allowed)?;
        let acquires = [Flag::Acquire, Flag::AcqRel].into_iter().find(|&flag| instruction.has(flag));
        if let Some(flag) = acquires.filter(|_| !returns) {
            return Err(instruction.illegal(flag.word()));
        }
        if !matches!(instruction.words.space, None | Some(SpaceWord::Global)) {
            return Err(Stop::Error(format!("State space incorrect for feature '{what}'")));
        }
        let [scalar] = instruction.words.types.as_slice() else { return Err(instruction.bad_types()) };
        let flag = instruction.words.flags.only_one_of(&operations);
        let operation = match (scalar, flag, count) {
            (Scalar::F32, Some(Flag::Add), 2 | 4) => Atomic::AddF32,
            (Scalar::F16, Some(Flag::Add), _) => Atomic::AddF16,
            (Scalar::Bf16, Some(Flag::Add), _) => Atomic::AddBf16,
            (Scalar::F16x2, Some(Flag::Add), 2 | 4) => Atomic::AddF16x2,
            (Scalar::Bf16x2, Some(Flag::Add), 2 | 4) => Atomic::AddBf16x2,
            (Scalar::F16, Some(Flag::Min), _) | (Scalar::F16x2, Some(Flag::Min), 2 | 4) => Atomic::MinimumF16,
            (Scalar::F16, Some(Flag::Max), _) | (Scalar::F16x2, Some(Flag::Max), 2 | 4) => Atomic::MaximumF16,
            (Scalar::Bf16, Some(Flag::Min), _) | (Scalar::Bf16x2, Some(Flag::Min), 2 | 4) => {
                Atomic::MinimumBf16
            }
            (Scalar::Bf16, Some(Flag::Max), _) | (Scalar::Bf16x2, Some(Flag::Max), 2 | 4) => {
                Atomic::MaximumBf16
            }
            _ => return Err(Stop::Error(format!("Unexpected instruction types specified for '{what}'"))),
        };
        if instruction.has(Flag::NoFtz) != (*scalar != Scalar::F32) {
            return Err(instruction.illegal("noftz"));
        }
        let mut operands = instruction.tree.operands.as_slice();
        if instruction.has(Flag::L2Hint)
            && let Some((_, rest)) = operands.split_last()
        {
            operands = rest;
        }
        let (results, at, values) = match (operands, returns) {
            ([results, at, Operand::Vector(values)], true) => (Some(results), at, values),
            ([at, Operand::Vector(values)], false) => (None, at, values),
            _ => return Err(instruction.mismatch()),
        };
        let results: Vec<Option<&Operand<'s>>> = match results {
            None => values.iter().map(|_| None).collect(),
            Some(Operand::Vector(results)) => results.iter().map(Some).collect(),
            Some(Operand::Sink) => values.iter().map(|_| None).collect(),
            Some(_) => return Err(instruction.mismatch()),
        };
        if values.len() != count as usize || results.len() != values.len() {
            return Err(Stop::Error(format!("Argument vector size mismatch for instruction '{opcode}'")));
        }
        let at = self.plain_address(instruction, at, instruction.words.space)?;
        // Copies the sources, because a result may be the register of a later operand.
        let mut sources = Vec::new();
        for value in values {
            let from = self.source_place(instruction, value, *scalar, Fit::Exact)?;
            let copy = self.new_word();
            self.emit(super::mov::copy(copy, from));
            sources.push(Place::Word(copy));
        }
        let size = scalar.bytes() as u8;
        for (index, (operand, result)) in sources.into_iter().zip(results).enumerate() {
            let result = match result {
                None | Some(Operand::Sink) => None,
                Some(result) => Some(self.destination_place(instruction, result, *scalar, Fit::Exact)?.0),
            };
            self.emit(Op::Atomic(Box::new(AtomicAccess {
                memory: at.memory,
                base: at.base,
                offset: at.offset.wrapping_add(index as i64 * i64::from(size)),
                operation,
                size,
                of_block: at.of_block,
                is_element: true,
                result,
                operand,
                replacement: None,
            })));
        }
        Ok(())
    }

    /// Checks the words that `st.async` and `red.async` share. Returns the space that they name.
    fn counted_words(
        &mut self,
        instruction: &Instruction<'_, 's>,
        words: &mut ModifierCursor<'s>,
    ) -> Lowered<Option<SpaceWord>> {
        let name = format!("{}.async", instruction.tree.opcode);
        self.requires(&name, (8, 1), 90)?;
        words.take("async");
        let space = words.take_space();
        if space == Some(SpaceWord::Global) {
            let what = "st.async/red.async with .global state space";
            self.requires(what, (8, 7), 100)?;
            return Err(Stop::Unsupported(""));
        }
        if !matches!(space, None | Some(SpaceWord::SharedCluster)) {
            return Err(Stop::Error(format!("State space incorrect for instruction '{name}'")));
        }
        if !words.take("mbarrier::complete_tx::bytes") {
            let text = format!("Completion mechanism required for instruction '{name}'");
            return Err(Stop::Error(text));
        }
        Ok(space)
    }

    pub(super) fn counted_store(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let mut words = ModifierCursor::new(instruction);
        let space = self.counted_words(instruction, &mut words)?;
        words.take("weak");
        let count = match words.take_one_of(&["v2", "v4"]) {
            None => 1,
            Some("v2") => 2,
            Some(_) => 4,
        };
        let kinds = ["b32", "b64", "u32", "u64", "s32", "s64", "f32", "f64"];
        let kind = words.take_one_of(&kinds).and_then(Scalar::from_word);
        let scalar = kind.ok_or_else(|| instruction.bad_types())?;
        words.finish(instruction)?;
        let [at, value, mbarrier] = instruction.operands()?;
        let values: Vec<&Operand<'s>> = match value {
            Operand::Vector(values) => values.iter().collect(),
            value => vec![value],
        };
        if values.len() != count || count as u32 * scalar.bytes() > 16 {
            return Err(instruction.mismatch());
        }
        let mut elements = Vec::new();
        for value in values {
            elements.push(self.source_place(instruction, value, scalar, Fit::Exact)?);
        }
        let at = self.plain_address(instruction, at, space)?;
        let mbarrier = self.plain_address(instruction, mbarrier, space)?;
        self.emit(Op::Store(Box::new(Access {
            memory: at.memory,
            base: at.base,
            offset: at.offset,
            size: scalar.bytes() as u8,
            extension: Extension::Zero,
            strong: false,
            of_block: false,
            used: ALL_BYTES,
            elements,
        })));
        self.cold(ColdOp::Counted { mbarrier, bytes: count as u32 * scalar.bytes() });
        Ok(())
    }

    pub(super) fn counted_reduction(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let mut words = ModifierCursor::new(instruction);
        let space = self.counted_words(instruction, &mut words)?;
        if !words.take("relaxed") || !words.take("cluster") {
            return Err(Stop::Error(
                "Modifier '.relaxed.cluster' required for instruction 'red.async'".into(),
            ));
        }
        let operations = ["inc", "dec", "min", "max", "add", "and", "or", "xor"];
        let operation = words.take_one_of(&operations);
        let kind = words.take_one_of(&["u32", "s32", "u64", "b32"]);
        words.finish(instruction)?;
        let operation = match (operation, kind) {
            (Some("inc"), Some("u32")) => Atomic::Increment,
            (Some("dec"), Some("u32")) => Atomic::Decrement,
            (Some("min"), Some("u32")) => Atomic::MinimumUnsigned,
            (Some("min"), Some("s32")) => Atomic::MinimumSigned,
            (Some("max"), Some("u32")) => Atomic::MaximumUnsigned,
            (Some("max"), Some("s32")) => Atomic::MaximumSigned,
            (Some("add"), Some("u32" | "s32" | "u64")) => Atomic::Add,
            (Some("and"), Some("b32")) => Atomic::And,
            (Some("or"), Some("b32")) => Atomic::Or,
            (Some("xor"), Some("b32")) => Atomic::Xor,
            _ => return Err(instruction.bad_types()),
        };
        let scalar = kind.and_then(Scalar::from_word).ok_or_else(|| instruction.bad_types())?;
        let [at, value, mbarrier] = instruction.operands()?;
        let operand = self.source_place(instruction, value, scalar, Fit::Exact)?;
        let at = self.plain_address(instruction, at, space)?;
        let mbarrier = self.plain_address(instruction, mbarrier, space)?;
        let size = scalar.bytes() as u8;
        self.emit(Op::Atomic(Box::new(AtomicAccess {
            memory: at.memory,
            base: at.base,
            offset: at.offset,
            operation,
            size,
            of_block: at.of_block,
            is_element: false,
            result: None,
            operand,
            replacement: None,
        })));
        self.cold(ColdOp::Counted { mbarrier, bytes: scalar.bytes() });
        Ok(())
    }
}
