//! `mbarrier`: barrier objects in shared memory.

use cuda_ptx::ast::{Constant as Literal, Operand};
use cuda_ptx::modifier::SpaceWord;
use cuda_ptx::types::Scalar;

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::modifier_cursor::ModifierCursor;
use super::operands::Fit;
use crate::op::{Address, ColdOp, Condition, Mbarrier, MbarrierAction, NONE, Op, Place, Slot};

impl<'s> Lowerer<'_, 's> {
    pub(super) fn mbarrier(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let mut words = ModifierCursor::new(instruction);
        let actions = [
            "init",
            "inval",
            "arrive",
            "arrive_drop",
            "expect_tx",
            "complete_tx",
            "test_wait",
            "try_wait",
            "pending_count",
        ];
        let unknown = || {
            let word = instruction.tree.modifiers.first().copied().unwrap_or_default();
            Stop::Error(format!("Not a name of any known instruction: 'mbarrier.{word}'"))
        };
        let action = words.take_one_of(&actions).ok_or_else(unknown)?;
        if !words.take("b64") {
            return Err(instruction.bad_types());
        }
        if action == "pending_count" {
            self.requires("mbarrier.pending_count", (7, 0), 80)?;
            words.finish(instruction)?;
            let [d, state] = instruction.operands()?;
            let a = self.source(instruction, state, Scalar::U64)?;
            let d = self.destination(instruction, d, Scalar::B32)?;
            self.cold(ColdOp::PendingCount { d, a });
            return Ok(());
        }
        let space = words.take_space();
        if !matches!(space, None | Some(SpaceWord::Shared | SpaceWord::SharedCluster)) {
            return Err(Stop::Error("State space incorrect for instruction 'mbarrier'".into()));
        }
        let own = matches!(action, "init" | "inval" | "test_wait" | "try_wait");
        if own && space == Some(SpaceWord::SharedCluster) {
            return Err(instruction.illegal(":cluster"));
        }
        match action {
            "init" | "inval" => self.mbarrier_set(instruction, words, space, action == "init"),
            "arrive" | "arrive_drop" => self.mbarrier_arrive(instruction, words, space, action),
            "expect_tx" | "complete_tx" => self.mbarrier_bytes(instruction, words, space, action),
            _ => self.mbarrier_wait(instruction, words, space, action),
        }
    }

    pub(super) fn cold(&mut self, rare: ColdOp) {
        self.emit(Op::Cold(Box::new(rare)));
    }

    fn emit_mbarrier(
        &mut self,
        instruction: &Instruction<'_, 's>,
        at: &Operand<'s>,
        space: Option<SpaceWord>,
        action: MbarrierAction,
    ) -> Lowered<()> {
        let at = self.plain_address(instruction, at, space)?;
        // Objects of other blocks of the cluster only count. Threads cannot wait for them, nor get their state. Bytes are
        // counted there even with `.shared::cta` (conformance facts V1061 and V1064).
        let of_block = match action {
            MbarrierAction::Expect { .. } | MbarrierAction::Complete { .. } => false,
            MbarrierAction::Arrive { state, .. } => at.of_block || state != NONE,
            _ => true,
        };
        let at = Address { of_block, ..at };
        self.cold(ColdOp::Mbarrier(Mbarrier { at, action }));
        Ok(())
    }

    fn mbarrier_set(
        &mut self,
        instruction: &Instruction<'_, 's>,
        words: ModifierCursor<'s>,
        space: Option<SpaceWord>,
        init: bool,
    ) -> Lowered<()> {
        self.requires(if init { "mbarrier.init" } else { "mbarrier.inval" }, (7, 0), 80)?;
        words.finish(instruction)?;
        if init {
            let [at, count] = instruction.operands()?;
            let count = self.source(instruction, count, Scalar::U32)?;
            return self.emit_mbarrier(instruction, at, space, MbarrierAction::Initialise { count });
        }
        let [at] = instruction.operands()?;
        self.emit_mbarrier(instruction, at, space, MbarrierAction::Invalidate)
    }

    /// Takes the ordering and the scope of the operation.
    fn mbarrier_order(
        &self,
        instruction: &Instruction<'_, 's>,
        words: &mut ModifierCursor<'s>,
        orders: &[&str],
    ) -> Lowered<()> {
        let (order, scope) = (words.take_one_of(orders), words.take_one_of(&["cta", "cluster"]));
        let name = &instruction.name;
        match (order, scope) {
            (None, None) => Ok(()),
            (Some(_), Some(_)) => self.requires("scopes on mbarrier operations", (8, 0), 90),
            (Some(order), None) => {
                Err(Stop::Error(format!("Modifier '.{order}' requires scope with '{name}' instruction")))
            }
            (None, Some(scope)) => {
                Err(Stop::Error(format!("Modifier '.{scope}' requires order with '{name}' instruction")))
            }
        }
    }

    fn mbarrier_arrive(
        &mut self,
        instruction: &Instruction<'_, 's>,
        mut words: ModifierCursor<'s>,
        space: Option<SpaceWord>,
        name: &str,
    ) -> Lowered<()> {
        self.requires(&format!("mbarrier.{name}"), (7, 0), 80)?;
        self.mbarrier_order(instruction, &mut words, &["release", "relaxed"])?;
        let expects = words.take("expect_tx");
        let incomplete = words.take("noComplete");
        words.finish(instruction)?;
        if incomplete && space == Some(SpaceWord::SharedCluster) {
            return Err(instruction.illegal(":cluster"));
        }
        if expects {
            self.requires(&format!("mbarrier.{name}.expect_tx"), (8, 0), 90)?;
        }
        let operands = instruction.tree.operands.as_slice();
        let (state, rest) = match operands {
            [Operand::Address(_), ..] | [] => return Err(instruction.mismatch()),
            [state, rest @ ..] => (state, rest),
        };
        let (at, number) = match rest {
            [at] if !expects && !incomplete => (at, None),
            [at, number] => (at, Some(number)),
            _ => return Err(instruction.mismatch()),
        };
        if space == Some(SpaceWord::SharedCluster) && !matches!(state, Operand::Sink) {
            return Err(Stop::Error(format!(
                "Sink '_' is expected as a destination operand for instruction '{}' with '.shared::cluster'",
                instruction.name
            )));
        }
        if number.is_some() && !expects && !incomplete {
            let what = format!("mbarrier.{name} with count argument and without .noComplete modifier");
            self.requires(&what, (7, 8), 90)?;
        }
        let number: Slot = match number {
            Some(number) => self.source(instruction, number, Scalar::U32)?,
            None => NONE,
        };
        let state = match state {
            Operand::Sink => NONE,
            state => self.destination(instruction, state, Scalar::U64)?,
        };
        let (count, bytes) = if expects { (NONE, number) } else { (number, NONE) };
        let drop = name == "arrive_drop";
        self.emit_mbarrier(instruction, at, space, MbarrierAction::Arrive { count, bytes, drop, state })
    }

    fn mbarrier_bytes(
        &mut self,
        instruction: &Instruction<'_, 's>,
        mut words: ModifierCursor<'s>,
        space: Option<SpaceWord>,
        name: &str,
    ) -> Lowered<()> {
        self.requires(&format!("mbarrier.{name}"), (8, 0), 90)?;
        self.mbarrier_order(instruction, &mut words, &["relaxed"])?;
        words.finish(instruction)?;
        let [at, bytes] = instruction.operands()?;
        let bytes = self.source(instruction, bytes, Scalar::U32)?;
        let action = if name == "expect_tx" {
            MbarrierAction::Expect { bytes }
        } else {
            MbarrierAction::Complete { bytes }
        };
        self.emit_mbarrier(instruction, at, space, action)
    }

    fn mbarrier_wait(
        &mut self,
        instruction: &Instruction<'_, 's>,
        mut words: ModifierCursor<'s>,
        space: Option<SpaceWord>,
        name: &str,
    ) -> Lowered<()> {
        let tries = name == "try_wait";
        let parity = words.take("parity");
        let since = if tries { ((7, 8), 90) } else { (if parity { (7, 1) } else { (7, 0) }, 80) };
        let suffix = if parity { ".parity" } else { "" };
        self.requires(&format!("mbarrier.{name}{suffix}"), since.0, since.1)?;
        self.mbarrier_order(instruction, &mut words, &["acquire", "relaxed"])?;
        words.finish(instruction)?;
        let (result, at, phase) = match instruction.tree.operands.as_slice() {
            [result, at, phase] => (result, at, phase),
            [result, at, phase, hint] if tries => {
                // The operand limits the time of a wait. The engine never waits here.
                self.source(instruction, hint, Scalar::U32)?;
                (result, at, phase)
            }
            _ => return Err(instruction.mismatch()),
        };
        let wanted = if parity { Scalar::U32 } else { Scalar::U64 };
        if let (true, Operand::Constant(Literal::Integer { bits, .. })) = (parity, phase)
            && *bits > 1
        {
            let text = "unexpected value, expected to be 0 or 1";
            return Err(Stop::Error(format!("Argument 2 of instruction '{}': {text}", instruction.name)));
        }
        let phase: Place = self.source_place(instruction, phase, wanted, Fit::Exact)?;
        let result = self.destination(instruction, result, Scalar::Pred)?;
        self.emit_mbarrier(instruction, at, space, MbarrierAction::Test { phase, result })?;
        if tries {
            // A thread whose test fails repeats it. Other threads must run before that.
            self.guard = Condition::new(result, true);
            self.emit(Op::Yield);
        }
        Ok(())
    }
}
