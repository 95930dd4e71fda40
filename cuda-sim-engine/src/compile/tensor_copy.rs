//! `cp.async.bulk.tensor` and related instructions: copies by tensor maps, and changes of tensor maps.

use cuda_ptx::ast::{Constant as Literal, Operand};
use cuda_ptx::modifier::SpaceWord;
use cuda_ptx::types::Scalar;

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::modifier_cursor::ModifierCursor;
use super::operands::Fit;
use crate::op::{
    Address, BulkCopy, ColdOp, NONE, Op, Slot, TensorAction, TensorCopy, TensorField, TensorFieldName,
    TensorReduction,
};

const GEOMETRIES: [&str; 5] = ["1d", "2d", "3d", "4d", "5d"];
const COUNTED: &str = "mbarrier::complete_tx::bytes";

impl<'s> Lowerer<'_, 's> {
    /// Lowers `cp.async.bulk.tensor`, or `cp.reduce.async.bulk.tensor` if `reduces`.
    pub(super) fn tensor_copy(
        &mut self,
        instruction: &Instruction<'_, 's>,
        mut words: ModifierCursor<'s>,
        reduces: bool,
    ) -> Lowered<()> {
        let name = if reduces { "cp.reduce.async.bulk.tensor" } else { "cp.async.bulk.tensor" };
        self.requires(name, (8, 0), 90)?;
        words.take("tensor");
        let rank = geometry(&mut words, name)?;
        let spaces = [words.take_space(), words.take_space()];
        use SpaceWord::{Global, Shared, SharedCluster};
        let loads = match spaces {
            [Some(SharedCluster), Some(Global)] if !reduces => true,
            [Some(Shared), Some(Global)] if !reduces => {
                self.requires(".shared::cta as destination of cp.async.bulk.tensor", (8, 6), 90)?;
                true
            }
            [Some(Global), Some(Shared)] => false,
            _ => return Err(Stop::Error(format!("State space incorrect for instruction '{name}'"))),
        };
        if (words.take(COUNTED), words.take("bulk_group")) != (loads, !loads) {
            return Err(Stop::Error(format!("Completion mechanism incorrect for instruction '{name}'")));
        }
        let reduction = if reduces { Some(reduction(&mut words)?) } else { None };
        let is_columns = words.take(if loads { "im2col" } else { "im2col_no_offs" });
        if !is_columns {
            words.take("tile");
        }
        let multicast = spaces == [Some(SharedCluster), Some(Global)] && words.take("multicast::cluster");
        let mut operands = self.without_policy(instruction, &mut words)?;
        words.finish(instruction)?;
        let mut ranks = NONE;
        if multicast {
            let Some((last, others)) = operands.split_last() else { return Err(instruction.mismatch()) };
            ranks = self.source(instruction, last, Scalar::U16)?;
            operands = others;
        }
        let (map, shared, mbarrier, offsets) = match (loads, operands) {
            (true, [to, map, mbarrier, offsets @ ..]) => (map, to, Some(mbarrier), offsets),
            (false, [map, from]) => (map, from, None, &[][..]),
            _ => return Err(instruction.mismatch()),
        };
        let (map, coordinates) = self.tensor_place(instruction, map, rank)?;
        let offsets = self.pixel_offsets(instruction, offsets, loads && is_columns, rank)?;
        let shared = self.plain_address(instruction, shared, Some(Shared))?;
        let action = match mbarrier {
            Some(mbarrier) => {
                let mbarrier = self.plain_address(instruction, mbarrier, Some(SharedCluster))?;
                TensorAction::Load { to: shared, mbarrier, ranks }
            }
            None => TensorAction::Store { from: shared, reduction },
        };
        self.cold(ColdOp::TensorCopy(TensorCopy { map, coordinates, is_columns, offsets, action }));
        Ok(())
    }

    /// Lowers `cp.async.bulk.prefetch.tensor`.
    pub(super) fn tensor_prefetch(
        &mut self,
        instruction: &Instruction<'_, 's>,
        mut words: ModifierCursor<'s>,
    ) -> Lowered<()> {
        let name = "cp.async.bulk.prefetch.tensor";
        self.requires(name, (8, 0), 90)?;
        words.take("prefetch");
        words.take("tensor");
        let rank = geometry(&mut words, name)?;
        if !words.take("L2") {
            return Err(Stop::Error(format!(".level modifier required for instruction '{name}'")));
        }
        if words.take_space() != Some(SpaceWord::Global) {
            return Err(Stop::Error(format!("State space incorrect for instruction '{name}'")));
        }
        let is_columns = words.take("im2col");
        if !is_columns {
            words.take("tile");
        }
        let operands = self.without_policy(instruction, &mut words)?;
        words.finish(instruction)?;
        let [map, offsets @ ..] = operands else { return Err(instruction.mismatch()) };
        let (map, coordinates) = self.tensor_place(instruction, map, rank)?;
        let offsets = self.pixel_offsets(instruction, offsets, is_columns, rank)?;
        let action = TensorAction::Prefetch;
        self.cold(ColdOp::TensorCopy(TensorCopy { map, coordinates, is_columns, offsets, action }));
        Ok(())
    }

    /// Returns the address of the map and the coordinates, from `[map, {x, y}]`.
    fn tensor_place(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        rank: usize,
    ) -> Lowered<(Address, Vec<Slot>)> {
        let (map, [coordinates]) = self.bracket(instruction, operand)? else {
            return Err(instruction.mismatch());
        };
        let map = self.plain_address(instruction, &Operand::Address(vec![map.clone()]), None)?;
        Ok((map, self.numbers(instruction, coordinates, rank, Scalar::B32)?))
    }

    /// Returns the pixel offsets of loads in im2col mode.
    fn pixel_offsets(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operands: &[Operand<'s>],
        wanted: bool,
        rank: usize,
    ) -> Lowered<Vec<Slot>> {
        match (operands, wanted) {
            ([], false) => Ok(Vec::new()),
            ([offsets], true) if rank >= 3 => self.numbers(instruction, offsets, rank - 2, Scalar::B16),
            _ => Err(instruction.mismatch()),
        }
    }

    /// Returns `count` numbers in braces. A single number may be written without braces.
    fn numbers(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        count: usize,
        scalar: Scalar,
    ) -> Lowered<Vec<Slot>> {
        let parts = match operand {
            Operand::Vector(parts) => parts.as_slice(),
            single => std::slice::from_ref(single),
        };
        if parts.len() != count {
            let name = &instruction.name;
            return Err(Stop::Error(format!(
                "Operand vector size doesn't match geometry for instruction '{name}'"
            )));
        }
        parts.iter().map(|part| self.source(instruction, part, scalar)).collect()
    }

    /// Lowers `tensormap.replace`.
    pub(super) fn tensor_field(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let name = "tensormap.replace";
        self.requires(name, (8, 3), 90)?;
        let mut words = ModifierCursor::new(instruction);
        if !words.take("replace") || !words.take("tile") {
            return Err(Stop::Unsupported(""));
        }
        let fields = [
            ("global_address", TensorFieldName::Address, false),
            ("rank", TensorFieldName::Rank, false),
            ("box_dim", TensorFieldName::BoxDim, true),
            ("global_dim", TensorFieldName::Dim, true),
            ("global_stride", TensorFieldName::Stride, true),
            ("element_stride", TensorFieldName::Step, true),
            ("elemtype", TensorFieldName::Element, false),
            ("interleave_layout", TensorFieldName::Interleave, false),
            ("swizzle_mode", TensorFieldName::Swizzle, false),
            ("fill_mode", TensorFieldName::Fill, false),
        ];
        let Some((_, field, has_index)) = fields.into_iter().find(|(word, ..)| words.take(word)) else {
            return Err(Stop::Unsupported("a field of a tensor map"));
        };
        let space = words.take_space();
        if !matches!(space, None | Some(SpaceWord::Global | SpaceWord::Shared)) {
            return Err(Stop::Error(format!("State space incorrect for instruction '{name}'")));
        }
        let scalar = match field {
            TensorFieldName::Address | TensorFieldName::Stride => Scalar::B64,
            _ => Scalar::B32,
        };
        if !words.take("b1024") || !words.take(if scalar == Scalar::B64 { "b64" } else { "b32" }) {
            return Err(instruction.bad_types());
        }
        words.finish(instruction)?;
        let most = if field == TensorFieldName::Stride { 4 } else { 5 };
        let (map, index, value) = match instruction.tree.operands.as_slice() {
            [map, Operand::Constant(Literal::Integer { bits, .. }), value] if has_index && *bits < most => {
                (map, *bits as u8, value)
            }
            [map, value] if !has_index => (map, 0, value),
            _ => return Err(instruction.mismatch()),
        };
        let map = self.plain_address(instruction, map, space)?;
        let value = self.source_place(instruction, value, scalar, Fit::Exact)?;
        self.cold(ColdOp::TensorField(TensorField { map, name: field, index, value }));
        // Later operations of this thread see the change without the fence that hardware requires.
        self.emit(Op::Fence);
        Ok(())
    }

    /// Lowers `tensormap.cp_fenceproxy`: a copy of a map, and a fence.
    pub(super) fn tensor_map_copy(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        const BYTES: u64 = 128;
        let name = "tensormap.cp_fenceproxy";
        self.requires_instruction(name, 90)?;
        self.requires(name, (8, 3), 90)?;
        let mut words = ModifierCursor::new(instruction);
        words.take("cp_fenceproxy");
        let is_of_block = instruction.tree.modifiers.contains(&"shared::cta");
        let spaces = [words.take_space(), words.take_space()];
        if spaces != [Some(SpaceWord::Global), Some(SpaceWord::Shared)] || !is_of_block {
            return Err(Stop::Error(format!("State space incorrect for instruction '{name}'")));
        }
        for word in ["tensormap::generic", "release"] {
            if !words.take(word) {
                return Err(Stop::Error(format!(".{word} modifier required for instruction '{name}'")));
            }
        }
        if words.take_one_of(&["cta", "cluster", "gpu", "sys"]).is_none() {
            return Err(Stop::Error(format!("scope modifier required for instruction '{name}'")));
        }
        for word in ["sync", "aligned"] {
            if !words.take(word) {
                return Err(Stop::Error(format!(".{word} modifier required for instruction '{name}'")));
            }
        }
        words.finish(instruction)?;
        let [to, from, size @ Operand::Constant(Literal::Integer { bits, .. })] = instruction.operands()?
        else {
            return Err(instruction.mismatch());
        };
        if *bits != BYTES {
            let text = format!("unexpected value '{bits}', expected to be {BYTES}");
            return Err(Stop::Error(format!("Argument 2 of instruction '{name}': {text}")));
        }
        let to = self.plain_address(instruction, to, Some(SpaceWord::Global))?;
        let from = self.plain_address(instruction, from, Some(SpaceWord::Shared))?;
        let size = self.source(instruction, size, Scalar::U32)?;
        let copy = BulkCopy { to, from, size, mbarrier: None, ranks: NONE, reduction: None };
        self.cold(ColdOp::TensorMapCopy(copy));
        self.emit(Op::Fence);
        Ok(())
    }
}

fn geometry(words: &mut ModifierCursor<'_>, name: &str) -> Lowered<usize> {
    let word = words.take_one_of(&GEOMETRIES);
    let rank = word.and_then(|word| GEOMETRIES.iter().position(|geometry| *geometry == word));
    rank.map(|rank| rank + 1)
        .ok_or_else(|| Stop::Error(format!("Geometry modifier required for instruction '{name}'")))
}

fn reduction(words: &mut ModifierCursor<'_>) -> Lowered<TensorReduction> {
    let operations = [
        ("add", TensorReduction::Add),
        ("min", TensorReduction::Minimum),
        ("max", TensorReduction::Maximum),
        ("inc", TensorReduction::Increment),
        ("dec", TensorReduction::Decrement),
        ("and", TensorReduction::And),
        ("or", TensorReduction::Or),
        ("xor", TensorReduction::Xor),
    ];
    operations
        .into_iter()
        .find(|(word, _)| words.take(word))
        .map(|(_, operation)| operation)
        .ok_or_else(|| Stop::Error("Operation required for instruction 'cp.reduce.async.bulk.tensor'".into()))
}
