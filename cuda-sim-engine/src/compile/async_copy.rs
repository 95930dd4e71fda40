//! `cp.async` and related instructions.

use cuda_ptx::ast::{Constant as Literal, Operand};
use cuda_ptx::modifier::SpaceWord;
use cuda_ptx::types::Scalar;

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::memory::Target;
use super::modifier_cursor::ModifierCursor;
use super::operands::Value;
use crate::op::{
    Address, AsyncCopy, Atomic, BulkCopy, ColdOp, Condition, Mbarrier, MbarrierAction, NONE, Op,
};

impl<'s> Lowerer<'_, 's> {
    pub(super) fn asynchronous(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let mut words = ModifierCursor::new(instruction);
        match instruction.tree.modifiers.as_slice() {
            ["async", "bulk", rest @ ..] => {
                words.take("async");
                words.take("bulk");
                match rest.first() {
                    Some(&"tensor") => self.tensor_copy(instruction, words, false),
                    Some(&"prefetch") if rest.contains(&"tensor") => self.tensor_prefetch(instruction, words),
                    Some(&"prefetch") => self.bulk_prefetch(instruction, words),
                    Some(&"commit_group" | &"wait_group") => self.copy_group(instruction, words, true),
                    _ => self.bulk(instruction, words, false),
                }
            }
            ["reduce", "async", "bulk", rest @ ..] => {
                words.take("reduce");
                words.take("async");
                words.take("bulk");
                if rest.first() == Some(&"tensor") {
                    return self.tensor_copy(instruction, words, true);
                }
                self.bulk(instruction, words, true)
            }
            ["async", "commit_group" | "wait_group" | "wait_all"] => {
                words.take("async");
                self.copy_group(instruction, words, false)
            }
            ["async", "mbarrier", ..] => {
                words.take("async");
                words.take("mbarrier");
                self.copies_arrive(instruction, words)
            }
            ["async", ..] => {
                words.take("async");
                self.copy(instruction, words)
            }
            _ => Err(Stop::Error("Not a name of any known instruction: 'cp'".into())),
        }
    }

    /// Lowers an address in memory of a given space.
    pub(super) fn plain_address(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        space: Option<SpaceWord>,
    ) -> Lowered<Address> {
        match self.address_in(instruction, operand, space)? {
            Target::Memory { memory, base, offset } => {
                let of_block = space == Some(SpaceWord::Shared);
                Ok(Address { memory, base, offset, of_block })
            }
            Target::Words { .. } | Target::Parameter { .. } => Err(instruction.mismatch()),
        }
    }

    /// Returns the operands without a trailing cache policy. The policy is checked and otherwise ignored.
    pub(super) fn without_policy<'i>(
        &mut self,
        instruction: &'i Instruction<'_, 's>,
        words: &mut ModifierCursor<'s>,
    ) -> Lowered<&'i [Operand<'s>]> {
        let operands = instruction.tree.operands.as_slice();
        if !words.take("L2::cache_hint") {
            return Ok(operands);
        }
        self.requires(".L2::cache_hint", (7, 4), 80)?;
        let Some((policy, rest)) = operands.split_last() else { return Err(instruction.mismatch()) };
        self.source(instruction, policy, Scalar::B64)?;
        Ok(rest)
    }

    fn copy(&mut self, instruction: &Instruction<'_, 's>, mut words: ModifierCursor<'s>) -> Lowered<()> {
        self.requires("cp.async", (7, 0), 80)?;
        let Some(cache) = words.take_one_of(&["ca", "cg"]) else {
            return Err(Stop::Error("Cache operation modifier required for instruction 'cp.async'".into()));
        };
        let spaces = [words.take_space(), words.take_space()];
        if spaces != [Some(SpaceWord::Shared), Some(SpaceWord::Global)] {
            return Err(Stop::Error("State space incorrect for instruction 'cp.async'".into()));
        }
        words.take_one_of(&["L2::64B", "L2::128B", "L2::256B"]);
        let operands = self.without_policy(instruction, &mut words)?;
        words.finish(instruction)?;
        let (to, from, size, rest) = match operands {
            [to, from, size, rest @ ..] => (to, from, size, rest),
            _ => return Err(instruction.mismatch()),
        };
        let Operand::Constant(Literal::Integer { bits: size, .. }) = size else {
            return Err(instruction.mismatch());
        };
        let size = match (cache, size) {
            ("ca", 4 | 8 | 16) | ("cg", 16) => *size as u8,
            _ => {
                let text = format!("Unexpected value '{size}', expected to be 4, 8 or 16");
                return Err(Stop::Error(text));
            }
        };
        let (mut read, mut ignore) = (NONE, Condition::NEVER);
        match rest {
            [] => {}
            [last] if self.is_condition(last) => {
                self.requires("ignore-src on cp.async", (7, 5), 80)?;
                ignore = self.condition(instruction, last)?;
            }
            [bytes] => read = self.source(instruction, bytes, Scalar::U32)?,
            _ => return Err(instruction.mismatch()),
        }
        let to = self.plain_address(instruction, to, spaces[0])?;
        let from = self.plain_address(instruction, from, spaces[1])?;
        self.cold(ColdOp::Copy(AsyncCopy { to, from, size, read, ignore }));
        Ok(())
    }

    fn is_condition(&mut self, operand: &Operand<'s>) -> bool {
        match operand {
            Operand::Not(_) => true,
            operand => matches!(self.value(operand), Value::Register { scalar: Scalar::Pred, .. }),
        }
    }

    /// Lowers the instructions for groups of copies. Copies are made at once, so no group is ever incomplete.
    fn copy_group(
        &mut self,
        instruction: &Instruction<'_, 's>,
        mut words: ModifierCursor<'s>,
        bulk: bool,
    ) -> Lowered<()> {
        let (prefix, version, target) =
            if bulk { ("cp.async.bulk", (8, 0), 90) } else { ("cp.async", (7, 0), 80) };
        let word = words.take_one_of(&["commit_group", "wait_group", "wait_all"]).unwrap_or_default();
        self.requires(&format!("{prefix}.{word}"), version, target)?;
        if bulk && word == "wait_group" {
            words.take("read");
        }
        words.finish(instruction)?;
        match (word, instruction.tree.operands.as_slice()) {
            ("wait_group", [Operand::Constant(Literal::Integer { .. })])
            | ("commit_group" | "wait_all", []) => {
                self.emit(Op::NOTHING);
                Ok(())
            }
            _ => Err(instruction.mismatch()),
        }
    }

    /// Lowers `cp.async.mbarrier.arrive`. The copies before it are complete, so the instruction arrives at once.
    /// Without `.noinc`, the barrier object first expects one more arrival, so that the two effects cancel.
    fn copies_arrive(
        &mut self,
        instruction: &Instruction<'_, 's>,
        mut words: ModifierCursor<'s>,
    ) -> Lowered<()> {
        self.requires("cp.async.mbarrier.arrive", (7, 0), 80)?;
        if !words.take("arrive") {
            let text = "Not a name of any known instruction: 'cp.async.mbarrier'";
            return Err(Stop::Error(text.into()));
        }
        let plain = words.take("noinc");
        let space = words.take_space();
        if !matches!(space, None | Some(SpaceWord::Shared)) {
            return Err(Stop::Error(
                "State space incorrect for instruction 'cp.async.mbarrier.arrive'".into(),
            ));
        }
        if !words.take("b64") {
            return Err(instruction.bad_types());
        }
        words.finish(instruction)?;
        let [at] = instruction.operands()?;
        // A register of 32 bits holds an address of shared memory, here alone (conformance fact V1200).
        let is_narrow = matches!(at, Operand::Address(parts) if matches!(
            parts.as_slice(), [part] if matches!(self.value(part), Value::Register { scalar, .. } if scalar.bits() == 32)
        ));
        let space = if is_narrow { Some(SpaceWord::Shared) } else { space };
        let at = Address { of_block: true, ..self.plain_address(instruction, at, space)? };
        let action = if plain {
            MbarrierAction::Arrive { count: NONE, bytes: NONE, drop: false, state: NONE }
        } else {
            MbarrierAction::Probe
        };
        self.cold(ColdOp::Mbarrier(Mbarrier { at, action }));
        Ok(())
    }

    fn bulk_prefetch(
        &mut self,
        instruction: &Instruction<'_, 's>,
        mut words: ModifierCursor<'s>,
    ) -> Lowered<()> {
        self.requires("cp.async.bulk.prefetch", (8, 0), 90)?;
        words.take("prefetch");
        if !words.take("L2") {
            let text = ".level modifier required for instruction 'cp.async.bulk.prefetch'";
            return Err(Stop::Error(text.into()));
        }
        let space = words.take_space();
        if space != Some(SpaceWord::Global) {
            let text = "State space incorrect for instruction 'cp.async.bulk.prefetch'";
            return Err(Stop::Error(text.into()));
        }
        let operands = self.without_policy(instruction, &mut words)?;
        words.finish(instruction)?;
        let [at, size] = operands else { return Err(instruction.mismatch()) };
        self.plain_address(instruction, at, space)?;
        self.source(instruction, size, Scalar::U32)?;
        self.emit(Op::NOTHING);
        Ok(())
    }

    fn bulk(
        &mut self,
        instruction: &Instruction<'_, 's>,
        mut words: ModifierCursor<'s>,
        reduce: bool,
    ) -> Lowered<()> {
        let name = if reduce { "cp.reduce.async.bulk" } else { "cp.async.bulk" };
        self.requires(name, (8, 0), 90)?;
        let spaces = [words.take_space(), words.take_space()];
        let counted = words.take("mbarrier::complete_tx::bytes");
        let grouped = words.take("bulk_group");
        use SpaceWord::{Global, Shared, SharedCluster};
        let wanted = match spaces {
            [Some(SharedCluster), Some(Global)] if !reduce => (true, false),
            [Some(Shared), Some(Global)] if !reduce => {
                self.requires(".shared::cta as destination of cp.async.bulk", (8, 6), 90)?;
                (true, false)
            }
            [Some(SharedCluster), Some(Shared)] => (true, false),
            [Some(Global), Some(Shared)] => (false, true),
            _ => return Err(Stop::Error(format!("State space incorrect for instruction '{name}'"))),
        };
        if wanted != (counted, grouped) {
            return Err(Stop::Error(format!("Completion mechanism incorrect for instruction '{name}'")));
        }
        let reduction = if reduce { Some(self.bulk_operation(instruction, &mut words)?) } else { None };
        let multicast = spaces == [Some(SharedCluster), Some(Global)] && words.take("multicast::cluster");
        let operands = self.without_policy(instruction, &mut words)?;
        words.finish(instruction)?;
        let (to, from, size, mbarrier, ranks) = match (operands, counted) {
            ([to, from, size, mbarrier, ranks], true) if multicast => {
                (to, from, size, Some(mbarrier), Some(ranks))
            }
            ([to, from, size, mbarrier], true) if !multicast => (to, from, size, Some(mbarrier), None),
            ([to, from, size], false) => (to, from, size, None, None),
            _ => return Err(instruction.mismatch()),
        };
        let ranks = match ranks {
            Some(ranks) => self.source(instruction, ranks, Scalar::U16)?,
            None => NONE,
        };
        if let Operand::Constant(Literal::Integer { bits, .. }) = size
            && bits % 16 != 0
        {
            let text = format!("unexpected value '{bits}', expected to be multiple of 16");
            return Err(Stop::Error(format!("Argument 2 of instruction '{name}': {text}")));
        }
        // `.shared::cta` as destination reaches other blocks, too (conformance fact V1061).
        let reached = if counted { Some(SharedCluster) } else { Some(Global) };
        let to = self.plain_address(instruction, to, reached)?;
        let from = self.plain_address(instruction, from, spaces[1])?;
        let size = self.source(instruction, size, Scalar::U32)?;
        let mbarrier = match mbarrier {
            Some(mbarrier) => Some(self.plain_address(instruction, mbarrier, reached)?),
            None => None,
        };
        self.cold(ColdOp::BulkCopy(BulkCopy { to, from, size, mbarrier, ranks, reduction }));
        Ok(())
    }

    /// Returns the operation of a bulk reduction and the size of an element in bytes.
    fn bulk_operation(
        &self,
        instruction: &Instruction<'_, 's>,
        words: &mut ModifierCursor<'s>,
    ) -> Lowered<(Atomic, u8)> {
        let operations = ["and", "or", "xor", "add", "inc", "dec", "min", "max"];
        let Some(operation) = words.take_one_of(&operations) else {
            let text = "Operation required for instruction 'cp.reduce.async.bulk'";
            return Err(Stop::Error(text.into()));
        };
        let kinds = ["u32", "s32", "u64", "s64", "b32", "b64", "f16", "bf16", "f32", "f64"];
        let kind = words.take_one_of(&kinds).ok_or_else(|| instruction.bad_types())?;
        let size = match kind {
            "u64" | "s64" | "b64" | "f64" => 8,
            "f16" | "bf16" => 2,
            _ => 4,
        };
        let halves = size == 2;
        if words.take("noftz") != (halves && operation == "add") {
            return Err(instruction.illegal("noftz"));
        }
        let operation = match (operation, kind) {
            ("and", "b32" | "b64") => Atomic::And,
            ("or", "b32" | "b64") => Atomic::Or,
            ("xor", "b32" | "b64") => Atomic::Xor,
            ("add", "u32" | "s32" | "u64") => Atomic::Add,
            ("add", "f16") => Atomic::AddF16,
            ("add", "bf16") => Atomic::AddBf16,
            ("add", "f32") => Atomic::AddF32,
            ("add", "f64") => Atomic::AddF64,
            ("inc", "u32") => Atomic::Increment,
            ("dec", "u32") => Atomic::Decrement,
            ("min", "u32" | "u64") => Atomic::MinimumUnsigned,
            ("min", "s32" | "s64") => Atomic::MinimumSigned,
            ("max", "u32" | "u64") => Atomic::MaximumUnsigned,
            ("max", "s32" | "s64") => Atomic::MaximumSigned,
            ("min", "f16") => Atomic::MinimumF16,
            ("max", "f16") => Atomic::MaximumF16,
            ("min", "bf16") => Atomic::MinimumBf16,
            ("max", "bf16") => Atomic::MaximumBf16,
            _ => return Err(instruction.bad_types()),
        };
        Ok((operation, size))
    }
}
