//! `wgmma`: products of four warps, with matrices in shared memory.

use cuda_ptx::ast::{Constant as Literal, Operand};
use cuda_ptx::types::Scalar;

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::matrix_multiply::shape;
use super::modifier_cursor::ModifierCursor;
use super::operands::{Fit, slot};
use crate::function::Special;
use crate::op::{
    Barrier, BarrierAction, ColdOp, Element, GroupMultiply, MatrixMultiply, NONE, Op, Product, SharedMatrix,
    Sparse, Tiling, metadata_lanes,
};

/// Types of factors that share shapes and operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Float,
    Narrow,
    Integer,
    MixedInteger,
    Bits,
}

impl Family {
    /// Returns the family of two factors and a result, if they can be in one product.
    fn of(d: Element, a: Element, b: Element) -> Option<Self> {
        let is_narrow = |element| matches!(element, Element::E4m3 | Element::E5m2);
        match (d, a, b) {
            (Element::F32 | Element::F16, Element::F16, Element::F16)
            | (Element::F32, Element::Bf16, Element::Bf16)
            | (Element::F32, Element::Tf32, Element::Tf32) => Some(Self::Float),
            (Element::F32 | Element::F16, a, b) if is_narrow(a) && is_narrow(b) => Some(Self::Narrow),
            (Element::S32, Element::Integer { bits: 8, .. }, Element::Integer { bits: 8, .. }) => {
                Some(if a == b { Self::Integer } else { Self::MixedInteger })
            }
            (Element::S32, Element::Integer { bits: 1, .. }, Element::Integer { bits: 1, .. }) => {
                Some(Self::Bits)
            }
            _ => None,
        }
    }

    /// Returns the words of ptxas for the types.
    fn types(self) -> &'static str {
        match self {
            Self::Float => "with floating point types",
            Self::Narrow => "with FP8 types",
            Self::Integer => "with integer types",
            Self::MixedInteger => "with mixed integer types",
            Self::Bits => "with boolean type",
        }
    }

    fn is_integer(self) -> bool {
        matches!(self, Self::Integer | Self::MixedInteger | Self::Bits)
    }

    /// Returns whether a product of dense matrices can have a depth, with some types of the family.
    fn has_depth(self, depth: usize) -> bool {
        match self {
            Self::Float => matches!(depth, 8 | 16),
            Self::Narrow | Self::Integer | Self::MixedInteger => depth == 32,
            Self::Bits => depth == 256,
        }
    }

    /// Returns whether a product can have a number of columns, a multiple of 8.
    fn has_columns(self, columns: usize) -> bool {
        !self.is_integer() || columns == 24 || columns.is_multiple_of(16) || columns == 8
    }
}

/// Returns whether some instruction has a shape.
fn is_known([rows, columns, depth]: [usize; 3]) -> bool {
    let has_columns = columns.is_multiple_of(8) && (8..=256).contains(&columns);
    match rows {
        64 => {
            has_columns
                && (matches!(depth, 8 | 16 | 32 | 64) || depth == 256 && Family::Bits.has_columns(columns))
        }
        _ => true,
    }
}

impl<'s> Lowerer<'_, 's> {
    pub(super) fn group_matrix(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let mut words = ModifierCursor::new(instruction);
        let Some(part) = words.take_one_of(&["fence", "commit_group", "wait_group", "mma_async"]) else {
            return Err(Stop::Error("Not a name of any known instruction: 'wgmma'".into()));
        };
        if !words.take("sync") {
            let name = &instruction.name;
            return Err(Stop::Error(format!(".sync modifier required for instruction '{name}'")));
        }
        words.take("aligned");
        if part == "mma_async" {
            return self.group_multiply(instruction, words);
        }
        words.finish(instruction)?;
        self.requires("WGMMA", (8, 0), 0)?;
        self.accelerated(&instruction.name)?;
        let pending = match (part, instruction.tree.operands.as_slice()) {
            ("wait_group", [Operand::Constant(Literal::Integer { bits, .. })]) => {
                let groups = bits.cast_signed();
                if groups < 0 {
                    let name = &instruction.name;
                    return Err(Stop::Error(format!(
                        "Argument 0 of instruction '{name}': unexpected value '{groups}', expected to be non-negative integer"
                    )));
                }
                u32::try_from(groups).unwrap_or(u32::MAX)
            }
            ("fence" | "commit_group", []) => 0,
            _ => return Err(instruction.mismatch()),
        };
        match part {
            "wait_group" => {
                let (action, number) = (BarrierAction::WaitProducts { pending }, self.word(0));
                self.gather_warp();
                self.emit(Op::Barrier(Box::new(Barrier { action, number, threads: NONE, plain: None })));
            }
            "commit_group" => {
                let warp = self.special(Special::Warp);
                self.gather_warp();
                self.cold(ColdOp::CommitProducts { warp });
            }
            _ => self.emit(Op::NOTHING),
        }
        Ok(())
    }

    fn group_multiply(
        &mut self,
        instruction: &Instruction<'_, 's>,
        mut words: ModifierCursor<'s>,
    ) -> Lowered<()> {
        let tree = instruction.tree;
        let found = tree.modifiers.iter().find_map(|word| Some((*word, shape(word)?)));
        let Some((shape_word, shape)) = found.filter(|(_, shape)| is_known(*shape)) else {
            if let Some((word, _)) = found {
                self.error(format!("Unknown modifier '.{word}'"));
            }
            let name = &instruction.name;
            return Err(Stop::Error(format!("Shape modifier required for instruction '{name}'")));
        };
        words.take(shape_word);
        // ptxas accepts and ignores layouts.
        words.take_one_of(&["row", "col"]);
        words.take_one_of(&["row", "col"]);
        let is_sparse = words.take("sp");
        let elements = self.take_elements(instruction, &mut words);
        let [d, a, b] = elements.as_slice() else { return Err(instruction.bad_types()) };
        let (d, a, b) = (*d, *a, *b);
        let Some(family) = Family::of(d, a, b) else { return Err(instruction.bad_types()) };
        if is_sparse && family == Family::Bits {
            return Err(instruction.mismatch());
        }
        let prefix = if is_sparse { "Sparse " } else { "" };
        let named = instruction.renamed(format!("{prefix}{} {}", instruction.name, family.types()));
        let name = &named.name;
        let product = if family == Family::Bits {
            let known = words.take("and");
            let count = words.take("popc");
            if !(known && count) {
                let text = format!(
                    "Incorrect operations specified for wgmma.mma_async {} with shape '.{shape_word}'",
                    family.types()
                );
                return Err(Stop::Error(text));
            }
            Product::And
        } else {
            Product::Multiply
        };
        let saturate = words.take("satfinite");
        if saturate && !matches!(family, Family::Integer | Family::MixedInteger) {
            return Err(named.illegal("satfinite"));
        }
        words.finish(instruction)?;
        let [rows, columns, depth] = shape;
        let factor = if is_sparse { 2 } else { 1 };
        if rows != 64 || !family.has_columns(columns) || !family.has_depth(depth / factor) {
            return Err(Stop::Error(format!(
                "Illegal matrix shape '.{shape_word}' for instruction '{name}'"
            )));
        }
        if depth != factor * 256 / a.bits() as usize {
            return Err(Stop::Error(format!(
                "Illegal instruction types specified for '{name}' with shape '.{shape_word}'"
            )));
        }
        let version = match family {
            Family::MixedInteger => (8, 4),
            _ if is_sparse => (8, 2),
            _ => (8, 0),
        };
        self.requires(&format!("{prefix}WGMMA {}", family.types()), version, 0)?;
        self.accelerated(name)?;
        let [to, left, right, others @ ..] = tree.operands.as_slice() else {
            return Err(instruction.mismatch());
        };
        let (metadata, others) = match others {
            [metadata, selector, others @ ..] if is_sparse => (Some([metadata, selector]), others),
            _ if is_sparse => return Err(instruction.mismatch()),
            _ => (None, others),
        };
        let [adds, rest @ ..] = others else { return Err(instruction.mismatch()) };
        let from_registers = matches!(left, Operand::Vector(_));
        let signs = if family.is_integer() { 0 } else { 2 };
        let transposes = match a {
            Element::F16 | Element::Bf16 if from_registers => 1,
            Element::F16 | Element::Bf16 => 2,
            _ => 0,
        };
        if rest.len() != signs + transposes {
            return Err(instruction.mismatch());
        }
        let mut flags = Vec::new();
        for (index, operand) in rest.iter().enumerate() {
            let value = instruction.integer(operand)?;
            let (off, on, text) = if index < signs { (1, -1, "-1 or 1") } else { (0, 1, "0 or 1") };
            if value != off && value != on {
                let position = tree.operands.len() - rest.len() + index;
                return Err(Stop::Error(format!(
                    "Argument {position} of instruction '{name}': unexpected value '{value}', expected to be {text}"
                )));
            }
            flags.push(value == on);
        }
        let mut flag = flags.into_iter();
        let mut next = |wanted: bool| wanted && flag.next().unwrap_or(false);
        let negates = [next(signs > 0), next(signs > 0)];
        let is_a_transposed = next(transposes == 2);
        let is_b_transposed = next(transposes > 0);

        let elements = [d, a, b, d];
        let count = 16 * columns / 32 / d.per_register();
        let sum = self.matrix_registers(&named, to, d, count, false)?;
        let (a_matrix, a_registers) = if from_registers {
            (None, self.matrix_registers(&named, left, a, 4, false)?)
        } else {
            let descriptor = slot(self.source_place(instruction, left, Scalar::B64, Fit::Exact)?);
            (Some(SharedMatrix { descriptor, is_transposed: is_a_transposed }), Vec::new())
        };
        let descriptor = slot(self.source_place(instruction, right, Scalar::B64, Fit::Exact)?);
        let b_matrix = SharedMatrix { descriptor, is_transposed: is_b_transposed };
        let sparse = match metadata {
            Some([metadata, selector]) => {
                let value = instruction.integer(selector)?;
                let limit = 4 / metadata_lanes(a, depth / factor);
                let Some(selector) = usize::try_from(value).ok().filter(|selector| *selector < limit) else {
                    let text = if limit == 2 { "0 or 1" } else { "0" };
                    return Err(Stop::Error(format!(
                        "Argument 4 of instruction '{name}': unexpected value '{value}', expected to be {text}"
                    )));
                };
                Some(Sparse { metadata: self.metadata(instruction, metadata)?, selector })
            }
            None => None,
        };
        let adds = self.condition(instruction, adds)?;
        let to = self.matrix_registers(&named, to, d, count, true)?;
        let warp = self.special(Special::Warp);
        let multiply = MatrixMultiply {
            shape: [16, columns, depth],
            sparse,
            tiling: Tiling::Rows,
            product,
            saturate,
            elements,
            registers: [to, a_registers, Vec::new(), sum],
            places: Default::default(),
        };
        self.gather_warp();
        let (action, number) = (BarrierAction::StartProduct, self.word(0));
        self.emit(Op::Barrier(Box::new(Barrier { action, number, threads: NONE, plain: None })));
        self.cold(ColdOp::GroupMultiply(GroupMultiply {
            multiply: multiply.place(),
            a: a_matrix,
            b: b_matrix,
            warp,
            adds,
            negates,
        }));
        Ok(())
    }
}
