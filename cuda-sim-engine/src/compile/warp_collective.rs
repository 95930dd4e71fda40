//! Collective operations of threads: barriers, shuffles, votes.

use cuda_ptx::ast::{Constant as Literal, Operand};
use cuda_ptx::modifier::{Flag, Flags};
use cuda_ptx::types::Scalar;

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::operands::Fit;
use crate::op::{
    Barrier, BarrierAction, Collective, CollectiveAction, NONE, Op, Place, Reduction, ShuffleMode, Slot,
    VoteMode,
};

impl<'s> Lowerer<'_, 's> {
    pub(super) fn lower_warp_collective(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.no_rounding()?;
        instruction.plain()?;
        match instruction.tree.opcode {
            "bar" | "barrier" => self.barrier(instruction),
            "shfl" => self.shuffle(instruction),
            "vote" => self.vote(instruction),
            "match" => self.matching(instruction),
            "redux" => self.reduce(instruction),
            "activemask" => {
                instruction.only(Flags::default())?;
                let scalar = instruction.one_type(&[Scalar::B32])?;
                let [d] = instruction.operands()?;
                let d = self.destination(instruction, d, scalar)?;
                self.emit(Op::ActiveMask { d });
                Ok(())
            }
            _ => self.elect(instruction),
        }
    }

    fn collective(&mut self, members: Slot, action: CollectiveAction) {
        self.emit(Op::Collective(Box::new(Collective { action, members })));
    }

    fn members(&mut self, instruction: &Instruction<'_, 's>, operand: &Operand<'s>) -> Lowered<Slot> {
        self.source(instruction, operand, Scalar::U32)
    }

    /// Returns the operands without the member mask, and the mask. Forms without `.sync` have no mask.
    fn synchronised<'i>(
        &mut self,
        instruction: &'i Instruction<'_, 's>,
    ) -> Lowered<(&'i [Operand<'s>], Slot)> {
        let operands = instruction.tree.operands.as_slice();
        let opcode = instruction.tree.opcode;
        if instruction.has(Flag::Sync) {
            let Some((mask, rest)) = operands.split_last() else { return Err(instruction.mismatch()) };
            return Ok((rest, self.members(instruction, mask)?));
        }
        if self.version >= (6, 4) && self.target >= 70 {
            return Err(Stop::Error(format!(
                "Instruction '{opcode}' without '.sync' is not supported on .target sm_70 and higher from PTX ISA version 6.4"
            )));
        }
        Ok((operands, NONE))
    }

    fn barrier(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let name = &instruction.name;
        let plain_bar = instruction.tree.opcode == "bar";
        if instruction.has(Flag::Warp) {
            if !plain_bar {
                return Err(Stop::Error(format!("Not a name of any known instruction: '{name}'")));
            }
            if !instruction.has(Flag::Sync) {
                return Err(Stop::Error(format!(".sync modifier required for instruction '{name}'")));
            }
            instruction.only(Flags::of(&[Flag::Warp, Flag::Sync]))?;
            let [mask] = instruction.operands()?;
            let members = self.members(instruction, mask)?;
            self.collective(members, CollectiveAction::Synchronize);
            return Ok(());
        }
        if instruction.has(Flag::Cluster) && !plain_bar {
            return self.cluster_barrier(instruction);
        }
        if plain_bar && instruction.has(Flag::Aligned) {
            return Err(instruction.illegal("aligned"));
        }
        let reductions = [Flag::Popc, Flag::And, Flag::Or];
        instruction.only(
            Flags::of(&[Flag::Cta, Flag::Sync, Flag::Arrive, Flag::Red, Flag::Aligned])
                .with(Flags::of(&reductions)),
        )?;
        let operands = instruction.tree.operands.as_slice();
        let (action, number, threads) = if instruction.has(Flag::Red) {
            let Some(operation) = instruction.words.flags.only_one_of(&reductions) else {
                return Err(Stop::Error(format!("Reduction modifier required for instruction '{name}'")));
            };
            let (d, number, threads, predicate) = match operands {
                [d, number, predicate] => (d, number, None, predicate),
                [d, number, threads, predicate] => (d, number, Some(threads), predicate),
                _ => return Err(instruction.mismatch()),
            };
            let wanted = if operation == Flag::Popc { Scalar::U32 } else { Scalar::Pred };
            instruction.one_type(&[wanted])?;
            let predicate = self.condition(instruction, predicate)?;
            let result = self.destination(instruction, d, wanted)?;
            let action = match operation {
                Flag::Popc => BarrierAction::Count { result, predicate },
                Flag::And => BarrierAction::All { result, predicate },
                _ => BarrierAction::Any { result, predicate },
            };
            (action, number, threads)
        } else {
            if !instruction.words.types.is_empty() {
                return Err(instruction.bad_types());
            }
            let arrive = instruction.has(Flag::Arrive);
            if !arrive && !instruction.has(Flag::Sync) {
                return Err(Stop::Error(format!("Modifier required for instruction '{name}'")));
            }
            match operands {
                [number] if !arrive => (BarrierAction::Synchronize, number, None),
                [number, threads] if arrive => (BarrierAction::Arrive, number, Some(threads)),
                [number, threads] => (BarrierAction::Synchronize, number, Some(threads)),
                _ => return Err(instruction.mismatch()),
            }
        };
        if let Operand::Constant(Literal::Integer { bits, .. }) = number
            && *bits > 15
        {
            return Err(Stop::Error(format!(
                "Barrier number '{}' out of range, expected to be in range [0..15]",
                bits.cast_signed()
            )));
        }
        if let Some(Operand::Constant(Literal::Integer { bits, .. })) = threads
            && bits % 32 != 0
        {
            let text = "Number of threads participating in barrier must be in multiple of warp size";
            return Err(Stop::Error(text.into()));
        }
        let plain = match (number, threads, action) {
            (Operand::Constant(Literal::Integer { bits, .. }), None, BarrierAction::Synchronize) => {
                u8::try_from(*bits).ok()
            }
            _ => None,
        };
        let number = self.source(instruction, number, Scalar::U32)?;
        let threads = match threads {
            Some(threads) => self.source(instruction, threads, Scalar::U32)?,
            None => NONE,
        };
        self.emit(Op::Barrier(Box::new(Barrier { action, number, threads, plain })));
        Ok(())
    }

    /// Returns the slots of `d` and `p`, for an operand `d` or `d|p`. [`NONE`] stands for a missing
    /// or discarded `p`, and for the `_` of `elect`.
    fn with_predicate(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        wanted: Scalar,
    ) -> Lowered<(Slot, Slot)> {
        match operand {
            Operand::Pair(d, p) => {
                let p = match &**p {
                    Operand::Sink => NONE,
                    p => self.destination(instruction, p, Scalar::Pred)?,
                };
                let d = match &**d {
                    Operand::Sink if instruction.tree.opcode == "elect" => NONE,
                    d => self.destination(instruction, d, wanted)?,
                };
                Ok((d, p))
            }
            d => Ok((self.destination(instruction, d, wanted)?, NONE)),
        }
    }

    fn shuffle(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let modes = [Flag::Up, Flag::Down, Flag::Bfly, Flag::Idx];
        instruction.only(Flags::of(&modes).with(Flags::of(&[Flag::Sync])))?;
        let scalar = instruction.one_type(&[Scalar::B32])?;
        let mode = match instruction.words.flags.only_one_of(&modes) {
            Some(Flag::Up) => ShuffleMode::Up,
            Some(Flag::Down) => ShuffleMode::Down,
            Some(Flag::Bfly) => ShuffleMode::Butterfly,
            Some(_) => ShuffleMode::Index,
            None => return Err(Stop::Error("Shuffle modifier required for instruction 'shfl'".into())),
        };
        let (operands, members) = self.synchronised(instruction)?;
        let [d, a, b, c] = operands else { return Err(instruction.mismatch()) };
        let source = self.source(instruction, a, scalar)?;
        let lane = self.source(instruction, b, Scalar::B32)?;
        let clamp = self.source(instruction, c, Scalar::B32)?;
        let (result, valid) = self.with_predicate(instruction, d, scalar)?;
        self.collective(members, CollectiveAction::Shuffle { mode, result, valid, source, lane, clamp });
        Ok(())
    }

    fn vote(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let modes = [Flag::All, Flag::Any, Flag::Uni, Flag::Ballot];
        instruction.only(Flags::of(&modes).with(Flags::of(&[Flag::Sync])))?;
        let mode = match instruction.words.flags.only_one_of(&modes) {
            Some(Flag::All) => VoteMode::All,
            Some(Flag::Any) => VoteMode::Any,
            Some(Flag::Uni) => VoteMode::Uniform,
            Some(_) => VoteMode::Ballot,
            None => return Err(Stop::Error("Vote modifier required for instruction 'vote'".into())),
        };
        let wanted = if mode == VoteMode::Ballot { Scalar::B32 } else { Scalar::Pred };
        instruction.one_type(&[wanted])?;
        let (operands, members) = self.synchronised(instruction)?;
        let [d, a] = operands else { return Err(instruction.mismatch()) };
        let predicate = self.condition(instruction, a)?;
        let result = self.destination(instruction, d, wanted)?;
        self.collective(members, CollectiveAction::Vote { mode, result, predicate });
        Ok(())
    }

    fn matching(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let modes = [Flag::Any, Flag::All];
        instruction.only(Flags::of(&modes).with(Flags::of(&[Flag::Sync])))?;
        let scalar = instruction.one_type(&[Scalar::B32, Scalar::B64])?;
        let mode = instruction.words.flags.only_one_of(&modes);
        if !instruction.has(Flag::Sync) || mode.is_none() {
            return Err(Stop::Error("Modifier required for instruction 'match'".into()));
        }
        let (operands, members) = self.synchronised(instruction)?;
        let [d, a] = operands else { return Err(instruction.mismatch()) };
        let source: Place = self.source_place(instruction, a, scalar, Fit::Exact)?;
        let action = if mode == Some(Flag::All) {
            let (result, valid) = self.with_predicate(instruction, d, Scalar::B32)?;
            CollectiveAction::MatchAll { result, valid, source }
        } else {
            CollectiveAction::MatchAny { result: self.destination(instruction, d, Scalar::B32)?, source }
        };
        self.collective(members, action);
        Ok(())
    }

    fn reduce(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let operations = [Flag::Add, Flag::Min, Flag::Max, Flag::And, Flag::Or, Flag::Xor];
        if instruction.words.types == [Scalar::F32] {
            if self.target < 100 {
                let target = &self.unit.target;
                let text = format!("Instruction 'redux.f32' not supported on .target '{target}'");
                return Err(Stop::Error(text));
            }
            return Err(Stop::Unsupported(""));
        }
        instruction.only(Flags::of(&operations).with(Flags::of(&[Flag::Sync])))?;
        let scalar = instruction.one_type(&[Scalar::U32, Scalar::S32, Scalar::B32])?;
        let Some(flag) = instruction.words.flags.only_one_of(&operations) else {
            return Err(Stop::Error("Operation required for instruction 'redux'".into()));
        };
        let operation = match (flag, scalar) {
            (Flag::Add, Scalar::U32 | Scalar::S32) => Reduction::Add,
            (Flag::Min, Scalar::U32) => Reduction::MinimumUnsigned,
            (Flag::Min, Scalar::S32) => Reduction::MinimumSigned,
            (Flag::Max, Scalar::U32) => Reduction::MaximumUnsigned,
            (Flag::Max, Scalar::S32) => Reduction::MaximumSigned,
            (Flag::And, Scalar::B32) => Reduction::And,
            (Flag::Or, Scalar::B32) => Reduction::Or,
            (Flag::Xor, Scalar::B32) => Reduction::Xor,
            _ => {
                return Err(Stop::Error(format!(
                    "Incorrect type '{}' for operation '.{}' in instruction 'redux'",
                    scalar.name(),
                    flag.word()
                )));
            }
        };
        if !instruction.has(Flag::Sync) {
            return Err(Stop::Error("Modifier required for instruction 'redux'".into()));
        }
        let (operands, members) = self.synchronised(instruction)?;
        let [d, a] = operands else { return Err(instruction.mismatch()) };
        let source = self.source(instruction, a, scalar)?;
        let result = self.destination(instruction, d, scalar)?;
        self.collective(members, CollectiveAction::Reduce { operation, result, source });
        Ok(())
    }

    fn elect(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.only(Flags::of(&[Flag::Sync]))?;
        if !instruction.words.types.is_empty() {
            return Err(instruction.bad_types());
        }
        let (operands, members) = self.synchronised(instruction)?;
        let [d @ Operand::Pair(..)] = operands else { return Err(instruction.mismatch()) };
        let (result, elected) = self.with_predicate(instruction, d, Scalar::B32)?;
        self.collective(members, CollectiveAction::Elect { result, elected });
        Ok(())
    }
}
