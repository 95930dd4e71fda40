//! Branches, returns, and instructions that order or delay.

use cuda_ptx::ast::Operand;
use cuda_ptx::modifier::{Flag, Flags};
use cuda_ptx::types::Scalar;

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::modifier_cursor::ModifierCursor;
use super::operands::Value;
use super::scope::Symbol;
use crate::op::{Condition, Op};

impl<'s> Lowerer<'_, 's> {
    pub(super) fn control(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.no_rounding()?;
        let opcode = instruction.tree.opcode;
        if matches!(opcode, "membar" | "fence") {
            return self.fence(instruction);
        }
        instruction.plain()?;
        if opcode != "nanosleep" && !instruction.words.types.is_empty() {
            return Err(instruction.bad_types());
        }
        match opcode {
            "bra" => {
                instruction.only(Flags::of(&[Flag::Uni]))?;
                let [target] = instruction.operands()?;
                match self.value(target) {
                    Value::Label(label) => {
                        self.emit(Op::Branch { target: label as u32 });
                        Ok(())
                    }
                    // The name is reported as unknown elsewhere.
                    Value::Unknown if matches!(target, Operand::Name { .. }) => Ok(()),
                    _ => Err(instruction.mismatch()),
                }
            }
            "brx" => self.branch_table(instruction),
            "ret" => {
                instruction.only(Flags::of(&[Flag::Uni]))?;
                let [] = instruction.operands()?;
                self.emit(if self.entry { Op::Exit } else { Op::Return });
                Ok(())
            }
            // Without a debugger, a breakpoint is a trap (conformance fact V1201).
            "exit" | "trap" | "brkpt" => {
                instruction.only(Flags::default())?;
                let [] = instruction.operands()?;
                self.emit(if opcode == "exit" { Op::Exit } else { Op::Trap });
                Ok(())
            }
            "nanosleep" => {
                instruction.only(Flags::default())?;
                let scalar = instruction.one_type(&[Scalar::U32])?;
                let [time] = instruction.operands()?;
                let time = self.source(instruction, time, scalar)?;
                self.emit(Op::Sleep { time });
                Ok(())
            }
            "pmevent" => {
                if !matches!(instruction.tree.operands.as_slice(), [Operand::Constant(_)]) {
                    return Err(instruction.mismatch());
                }
                self.emit(Op::NOTHING);
                Ok(())
            }
            "griddepcontrol" => {
                let actions = [Flag::LaunchDependents, Flag::Wait];
                instruction.only(Flags::of(&actions))?;
                if instruction.words.flags.only_one_of(&actions).is_none() {
                    let name = &instruction.name;
                    return Err(Stop::Error(format!("Modifier required for instruction '{name}'")));
                }
                self.requires("griddepcontrol", (7, 8), 90)?;
                let [] = instruction.operands()?;
                // Grids run one after another, so the grids that this one depends on have finished.
                self.emit(Op::NOTHING);
                Ok(())
            }
            _ => Err(Stop::Unsupported("")),
        }
    }

    fn branch_table(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.only(Flags::of(&[Flag::Uni, Flag::Idx]))?;
        let [index, table] = instruction.operands()?;
        let index = self.source(instruction, index, Scalar::U32)?;
        let names = match table {
            Operand::Name { name, .. } => match self.lookup(name) {
                Some(Symbol::Targets(table)) => self.targets.get(table).cloned().unwrap_or_default(),
                _ => return Err(instruction.mismatch()),
            },
            _ => return Err(instruction.mismatch()),
        };
        let mut targets = Vec::new();
        for name in names {
            match self.lookup(name) {
                Some(Symbol::Label(label)) => targets.push(label as u32),
                Some(_) => return Err(instruction.mismatch()),
                None => self.unknown_symbol(name),
            }
        }
        self.emit(Op::BranchTable { index, targets: targets.into_boxed_slice() });
        Ok(())
    }

    /// Lowers a fence between proxies. Such fences are plain fences here, and each form allows certain operations only.
    /// Returns whether the instruction is one of them.
    fn other_fence(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<bool> {
        let mut words = ModifierCursor::new(instruction);
        let mut operands = 0;
        if words.take("proxy") {
            let kinds = ["alias", "async", "async::generic", "tensormap::generic"];
            let Some(kind) = words.take_one_of(&kinds) else {
                return Err(Stop::Error("Proxy kind required for instruction 'fence.proxy'".into()));
            };
            let (version, target) = match kind {
                "alias" => ((7, 5), 70),
                "async" => ((8, 0), 90),
                "tensormap::generic" => ((8, 3), 90),
                _ => ((8, 6), 90),
            };
            self.requires("fence.proxy", version, target)?;
            if kind == "async" {
                words.take_space();
            } else if kind != "alias" {
                let acquires = words.take_one_of(&["acquire", "release"]) == Some("acquire");
                operands = if acquires && kind == "tensormap::generic" { 2 } else { 0 };
                words.take_one_of(&["sync_restrict::shared::cluster", "sync_restrict::shared::cta"]);
                words.take_one_of(&["cta", "cluster", "gpu", "sys"]);
            }
        } else if words.take("mbarrier_init") {
            self.requires(".mbarrier_init", (8, 0), 90)?;
            if !words.take("release") || !words.take("cluster") {
                let text = "Modifier '.release.cluster' required for instruction 'fence.mbarrier_init'";
                return Err(Stop::Error(text.into()));
            }
        } else if words
            .take_one_of(&["sync_restrict::shared::cluster", "sync_restrict::shared::cta"])
            .is_some()
        {
            self.requires(".sync_restrict", (8, 6), 90)?;
            if words.take_one_of(&["acquire", "release"]).is_none() || !words.take("cluster") {
                return Err(Stop::Error("Modifier required for instruction 'fence'".into()));
            }
        } else {
            return Ok(false);
        }
        words.finish(instruction)?;
        if instruction.tree.operands.len() != operands {
            return Err(instruction.mismatch());
        }
        self.emit(Op::Fence);
        Ok(true)
    }

    fn fence(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        if !instruction.words.types.is_empty() {
            return Err(instruction.bad_types());
        }
        if instruction.tree.opcode == "fence" && self.other_fence(instruction)? {
            return Ok(());
        }
        if instruction.tree.modifiers.first() == Some(&"proxy") {
            // The older name of `fence.proxy.alias`.
            self.requires("membar.proxy", (7, 5), 0)?;
            instruction.only(Flags::of(&[Flag::Proxy, Flag::Alias]))?;
            if !instruction.has(Flag::Alias) {
                let text = ".proxykind modifier required for instruction 'membar.proxy'";
                return Err(Stop::Error(text.into()));
            }
            let [] = instruction.operands()?;
            self.emit(Op::Fence);
            return Ok(());
        }
        let name = &instruction.name;
        if instruction.words.compare.is_some() {
            return instruction.plain();
        }
        if instruction.words.space.is_some() {
            return Err(Stop::Error(format!("No state space qualifier expected for instruction '{name}'")));
        }
        let scopes: &[Flag] = if instruction.tree.opcode == "membar" {
            instruction.only(Flags::of(&[Flag::Cta, Flag::Gl, Flag::Sys]))?;
            &[Flag::Cta, Flag::Gl, Flag::Sys]
        } else {
            instruction.only(Flags::of(&[
                Flag::Sc,
                Flag::AcqRel,
                Flag::Acquire,
                Flag::Release,
                Flag::Cta,
                Flag::Cluster,
                Flag::Gpu,
                Flag::Sys,
            ]))?;
            &[Flag::Cta, Flag::Cluster, Flag::Gpu, Flag::Sys]
        };
        if instruction.words.flags.only_one_of(scopes).is_none() {
            let what = if instruction.tree.opcode == "membar" { "Membar level" } else { "Scope modifier" };
            return Err(Stop::Error(format!("{what} required for instruction '{name}'")));
        }
        let [] = instruction.operands()?;
        self.guard = Condition::ALWAYS;
        self.emit(Op::Fence);
        Ok(())
    }
}
