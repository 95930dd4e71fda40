//! `ldmatrix`, `stmatrix`, `movmatrix`.

use cuda_ptx::ast::Operand;
use cuda_ptx::modifier::SpaceWord;
use cuda_ptx::types::Scalar;

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::modifier_cursor::ModifierCursor;
use crate::op::{ColdOp, Collective, CollectiveAction, MatrixAccess, Op};

impl<'s> Lowerer<'_, 's> {
    /// Makes all lanes of a warp reconverge.
    pub(super) fn gather_warp(&mut self) {
        let members = self.word(u32::MAX);
        let action = CollectiveAction::Synchronize;
        self.emit(Op::Collective(Box::new(Collective { action, members })));
    }

    pub(super) fn tiles(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let opcode = instruction.tree.opcode;
        let mut words = ModifierCursor::new(instruction);
        for word in ["sync", "aligned"] {
            if !words.take(word) {
                return Err(Stop::Error(format!("Modifier '.{word}' required for instruction '{opcode}'")));
            }
        }
        let (version, target) = match opcode {
            "ldmatrix" => ((6, 5), 75),
            "stmatrix" => ((7, 8), 90),
            _ => ((7, 8), 75),
        };
        self.requires(opcode, version, target)?;
        if let Some(shape) = words.take_one_of(&["m16n16", "m8n16", "m16n8"]) {
            self.requires(&format!(".{shape}"), (8, 6), 100)?;
            return Err(Stop::Unsupported(""));
        }
        if !words.take("m8n8") {
            return Err(Stop::Error(format!("Shape modifier required for instruction '{opcode}'")));
        }
        if !words.take("b16") {
            return Err(instruction.bad_types());
        }
        let transpose = words.take("trans");
        if opcode == "movmatrix" {
            words.finish(instruction)?;
            if !transpose {
                return Err(Stop::Error("Modifier '.trans' required for instruction 'movmatrix'".into()));
            }
            let [d, a] = instruction.operands()?;
            let a = self.source(instruction, a, Scalar::B32)?;
            let d = self.destination(instruction, d, Scalar::B32)?;
            self.gather_warp();
            self.cold(ColdOp::Transpose { d, a });
            return Ok(());
        }
        let count = match words.take_one_of(&["x1", "x2", "x4"]) {
            Some("x1") => 1,
            Some("x2") => 2,
            Some(_) => 4,
            None => {
                return Err(Stop::Error(format!("Number of matrices required for instruction '{opcode}'")));
            }
        };
        let space = words.take_space();
        if !matches!(space, None | Some(SpaceWord::Shared)) {
            return Err(Stop::Error(format!("State space incorrect for instruction '{opcode}'")));
        }
        words.finish(instruction)?;
        let store = opcode == "stmatrix";
        let (at, list) = match (store, instruction.tree.operands.as_slice()) {
            (true, [at, list]) | (false, [list, at]) => (at, list),
            _ => return Err(instruction.mismatch()),
        };
        let Operand::Vector(parts) = list else {
            let position = instruction.position(list);
            return Err(Stop::Error(format!(
                "Vector of size {count} is expected for argument {position} of instruction '{opcode}'"
            )));
        };
        if parts.len() != count {
            return Err(Stop::Error(format!("Argument vector size mismatch for instruction '{opcode}'")));
        }
        let mut registers = Vec::new();
        for part in parts {
            registers.push(if store {
                self.source(instruction, part, Scalar::B32)?
            } else {
                self.destination(instruction, part, Scalar::B32)?
            });
        }
        let at = self.plain_address(instruction, at, space)?;
        self.gather_warp();
        self.cold(ColdOp::Matrix(MatrixAccess { at, store, transpose, registers }));
        Ok(())
    }
}
