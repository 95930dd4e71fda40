//! Instructions about the device rather than data: clusters, cache policies, and features of other devices or drivers.

use cuda_ptx::ast::{Constant as Literal, Operand};
use cuda_ptx::modifier::SpaceWord;
use cuda_ptx::types::{Scalar, Space};

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::modifier_cursor::ModifierCursor;
use super::mov::copy;
use super::operands::{Fit, Value};
use crate::function::Constant;
use crate::op::{Barrier, BarrierAction, ColdOp, NONE, Op, Place};

impl<'s> Lowerer<'_, 's> {
    pub(super) fn system(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        match instruction.tree.opcode {
            "mapa" => self.mapa(instruction),
            "getctarank" => self.block_rank(instruction),
            "createpolicy" => self.policy(instruction),
            "setmaxnreg" => self.register_count(instruction),
            "fns" => self.find_set(instruction),
            "tensormap" if instruction.tree.modifiers.first() == Some(&"cp_fenceproxy") => {
                self.tensor_map_copy(instruction)
            }
            "tensormap" => {
                self.accelerated(&instruction.name)?;
                self.tensor_field(instruction)
            }
            "wgmma" => self.group_matrix(instruction),
            "tcgen05" => {
                self.requires_instruction(&instruction.name, 100)?;
                Err(Stop::Unsupported(""))
            }
            "clusterlaunchcontrol" => {
                self.requires(&instruction.name, (8, 6), 100)?;
                Err(Stop::Unsupported(""))
            }
            "multimem" => {
                self.requires("multimem", (8, 1), 90)?;
                Err(Stop::Unsupported(""))
            }
            "alloca" | "stacksave" | "stackrestore" => {
                self.requires(instruction.tree.opcode, (7, 3), 52)?;
                self.stack(instruction)
            }
            _ => Err(Stop::Unsupported("")),
        }
    }

    /// Lowers `alloca`, `stacksave` and `stackrestore`.
    fn stack(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let mut words = ModifierCursor::new(instruction);
        if words.take_space().is_some() {
            let name = &instruction.name;
            return Err(Stop::Error(format!("No state space qualifier expected for instruction '{name}'")));
        }
        let scalar = match words.take_one_of(&["u32", "u64"]) {
            Some("u32") => Scalar::U32,
            Some(_) => Scalar::U64,
            None => return Err(instruction.bad_types()),
        };
        words.finish(instruction)?;
        match (instruction.tree.opcode, instruction.tree.operands.as_slice()) {
            ("alloca", [d, size, rest @ ..]) => {
                let align = match rest {
                    [] => 8,
                    [Operand::Constant(Literal::Integer { bits, .. })] => *bits,
                    _ => return Err(instruction.mismatch()),
                };
                let Some(align) = u32::try_from(align).ok().filter(|align| align.is_power_of_two()) else {
                    return Err(Stop::Error("Alignment must be a power of two".into()));
                };
                let size = self.source_place(instruction, size, scalar, Fit::Exact)?;
                let (d, _) = self.destination_place(instruction, d, scalar, Fit::Exact)?;
                self.cold(ColdOp::AllocateStack { d, size, align });
            }
            ("stacksave", [d]) => {
                let (d, _) = self.destination_place(instruction, d, scalar, Fit::Exact)?;
                self.cold(ColdOp::SaveStack { d });
            }
            // ptxas wants a register here, too.
            ("stackrestore", [a]) => {
                let (a, _) = self.destination_place(instruction, a, scalar, Fit::Exact)?;
                self.cold(ColdOp::RestoreStack { a });
            }
            _ => return Err(instruction.mismatch()),
        }
        Ok(())
    }

    /// Refuses features that only targets with a suffix have.
    pub(super) fn accelerated(&self, name: &str) -> Lowered<()> {
        if self.target < 90 || !self.unit.accelerated {
            let target = &self.unit.target;
            return Err(Stop::Error(format!("Instruction '{name}' not supported on .target '{target}'")));
        }
        Ok(())
    }

    pub(super) fn requires_instruction(&self, name: &str, target: u32) -> Lowered<()> {
        if self.target < target {
            let target = &self.unit.target;
            return Err(Stop::Error(format!("Instruction '{name}' not supported on .target '{target}'")));
        }
        Ok(())
    }

    /// Returns the type of the address operand of a cluster instruction, and whether it is a generic address.
    fn cluster_type(
        &self,
        instruction: &Instruction<'_, 's>,
        words: &mut ModifierCursor<'s>,
    ) -> Lowered<(Scalar, bool)> {
        let space = words.take_space();
        let scalar = match words.take_one_of(&["u32", "u64"]) {
            Some("u32") => Scalar::U32,
            Some(_) => Scalar::U64,
            None => return Err(instruction.bad_types()),
        };
        match space {
            None | Some(SpaceWord::SharedCluster) => Ok((scalar, space.is_none())),
            Some(_) => {
                Err(Stop::Error(format!("State space incorrect for instruction '{}'", instruction.name)))
            }
        }
    }

    /// Lowers `mapa`: the same offset in the shared memory of another block of the cluster.
    fn mapa(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        self.requires("mapa", (7, 8), 90)?;
        let mut words = ModifierCursor::new(instruction);
        let (scalar, generic) = self.cluster_type(instruction, &mut words)?;
        words.finish(instruction)?;
        let [d, a, rank] = instruction.operands()?;
        let rank = self.source(instruction, rank, Scalar::U32)?;
        let a = self.cluster_address(instruction, a, scalar, generic)?;
        let (d, _) = self.destination_place(instruction, d, scalar, Fit::Exact)?;
        self.cold(ColdOp::MapShared { d, a, rank, generic });
        Ok(())
    }

    /// Lowers an address of shared memory, from a register or a variable.
    fn cluster_address(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        scalar: Scalar,
        generic: bool,
    ) -> Lowered<Place> {
        let Value::Variable { space: Space::Shared, symbol, addend } = self.value(operand) else {
            return self.source_place(instruction, operand, scalar, Fit::Exact);
        };
        let constant = match self.variable_address(&symbol, addend)? {
            Constant::Shared(index, addend) if generic => Constant::SharedGeneric(index, addend),
            constant => constant,
        };
        Ok(self.constant_place(constant, scalar))
    }

    fn block_rank(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        self.requires("getctarank", (7, 8), 90)?;
        let mut words = ModifierCursor::new(instruction);
        let (scalar, generic) = self.cluster_type(instruction, &mut words)?;
        words.finish(instruction)?;
        let [d, a] = instruction.operands()?;
        let a = self.cluster_address(instruction, a, scalar, generic)?;
        let d = self.destination(instruction, d, Scalar::U32)?;
        self.cold(ColdOp::BlockRank { d, a, generic });
        Ok(())
    }

    /// Lowers `barrier.cluster`.
    pub(super) fn cluster_barrier(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let mut words = ModifierCursor::new(instruction);
        words.take("cluster");
        let (action, name, orders): (_, _, &[&str]) = match words.take_one_of(&["arrive", "wait"]) {
            Some("arrive") => {
                (BarrierAction::ArriveCluster, "barrier.cluster.arrive", &["release", "relaxed"])
            }
            Some(_) => (BarrierAction::WaitCluster, "barrier.cluster.wait", &["acquire"]),
            None => {
                let text = "Not a name of any known instruction: 'barrier.cluster'";
                return Err(Stop::Error(text.into()));
            }
        };
        self.requires(name, (7, 8), 90)?;
        if words.take_one_of(orders).is_some() {
            self.requires(&format!("memory semantics on {name}"), (8, 0), 90)?;
        }
        words.take("aligned");
        words.finish(instruction)?;
        let [] = instruction.operands()?;
        let number = self.word(0);
        self.emit(Op::Barrier(Box::new(Barrier { action, number, threads: NONE, plain: None })));
        Ok(())
    }

    /// Lowers instructions that create a cache policy. A policy has no effect, because the engine has no caches.
    fn policy(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let mut words = ModifierCursor::new(instruction);
        let kind = words.take_one_of(&["fractional", "range", "cvt"]);
        let Some(kind) = kind else {
            return Err(Stop::Error("Not a name of any known instruction: 'createpolicy'".into()));
        };
        self.requires(&format!("createpolicy.{kind}"), (7, 4), 80)?;
        if !words.take("b64") {
            return Err(instruction.bad_types());
        }
        let primary = ["L2::evict_last", "L2::evict_normal", "L2::evict_first", "L2::evict_unchanged"];
        let operands = instruction.tree.operands.as_slice();
        let rest = match (kind, operands) {
            ("cvt", [_, a]) => {
                if !words.take("L2") {
                    let text = ".L2 modifier required for instruction 'createpolicy.cvt'";
                    return Err(Stop::Error(text.into()));
                }
                std::slice::from_ref(a)
            }
            ("range", [_, at, rest @ ..]) if rest.len() == 2 => {
                let space = words.take_space();
                self.plain_address(instruction, at, space)?;
                rest
            }
            ("fractional", [_, rest @ ..]) if rest.len() <= 1 => rest,
            _ => return Err(instruction.mismatch()),
        };
        if kind != "cvt" && words.take_one_of(&primary).is_none() {
            return Err(Stop::Error(format!(
                "Eviction priority required for instruction 'createpolicy.{kind}'"
            )));
        }
        words.take_one_of(&["L2::evict_unchanged", "L2::evict_first"]);
        words.finish(instruction)?;
        for operand in rest {
            match (kind, operand) {
                ("fractional", operand) => {
                    self.source(instruction, operand, Scalar::F32)?;
                }
                ("cvt", operand) => {
                    self.source(instruction, operand, Scalar::U64)?;
                }
                (_, operand) => {
                    self.source(instruction, operand, Scalar::U32)?;
                }
            }
        }
        let d = self.destination(instruction, &operands[0], Scalar::U64)?;
        let from = self.constant_place(crate::function::Constant::Bits(0), Scalar::B64);
        self.emit(copy(d, from));
        Ok(())
    }

    /// Lowers instructions that change the number of registers. Here a function always has as many registers as it
    /// names.
    fn register_count(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        self.requires("setmaxnreg", (8, 0), 90)?;
        self.accelerated(&instruction.name)?;
        let mut words = ModifierCursor::new(instruction);
        let complete = words.take_one_of(&["inc", "dec"]).is_some()
            && words.take("sync")
            && words.take("aligned")
            && words.take("u32");
        words.finish(instruction)?;
        if !complete {
            return Err(instruction.bad_types());
        }
        let [Operand::Constant(Literal::Integer { bits, .. })] = instruction.operands()? else {
            return Err(instruction.mismatch());
        };
        if !(24..=256).contains(bits) || bits % 8 != 0 {
            let text = format!("Illegal value '{bits}' for instruction '{}'", instruction.name);
            return Err(Stop::Error(text));
        }
        self.emit(Op::NOTHING);
        Ok(())
    }

    fn find_set(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let mut words = ModifierCursor::new(instruction);
        if !words.take("b32") {
            return Err(instruction.bad_types());
        }
        words.finish(instruction)?;
        let [d, mask, base, offset] = instruction.operands()?;
        let mask = self.source(instruction, mask, Scalar::B32)?;
        let base = self.source(instruction, base, Scalar::B32)?;
        let offset = self.source(instruction, offset, Scalar::S32)?;
        let d = self.destination(instruction, d, Scalar::B32)?;
        self.cold(ColdOp::FindSet { d, mask, base, offset });
        Ok(())
    }
}
