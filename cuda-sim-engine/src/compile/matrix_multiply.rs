//! `mma` and `wmma`: shapes, types and registers.

use cuda_ptx::ast::Operand;
use cuda_ptx::modifier::SpaceWord;
use cuda_ptx::types::Scalar;

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::modifier_cursor::ModifierCursor;
use super::operands::{Fit, slot};
use crate::op::{
    ColdOp, Element, Fragment, MatrixMultiply, NONE, Place, Product, Slot, Sparse, Tiling, metadata_lanes,
};

/// Maps a type word to an element type.
fn element(word: &str) -> Option<Element> {
    let integer = |bits, signed| Some(Element::Integer { bits, signed });
    match word {
        "f16" => Some(Element::F16),
        "bf16" => Some(Element::Bf16),
        "tf32" => Some(Element::Tf32),
        "f32" => Some(Element::F32),
        "f64" => Some(Element::F64),
        "e4m3" => Some(Element::E4m3),
        "e5m2" => Some(Element::E5m2),
        "s32" => integer(32, true),
        "s8" => integer(8, true),
        "u8" => integer(8, false),
        "s4" => integer(4, true),
        "u4" => integer(4, false),
        "b1" => integer(1, false),
        _ => None,
    }
}

/// Parses a word such as `m16n8k4` into rows, columns and depth.
pub(super) fn shape(word: &str) -> Option<[usize; 3]> {
    let (rows, rest) = word.strip_prefix('m')?.split_once('n')?;
    let (columns, depth) = rest.split_once('k')?;
    Some([rows.parse().ok()?, columns.parse().ok()?, depth.parse().ok()?])
}

/// Returns the register type that holds elements.
fn register(element: Element) -> Scalar {
    match element {
        Element::F32 => Scalar::F32,
        Element::F64 => Scalar::F64,
        _ => Scalar::B32,
    }
}

/// Returns the number of registers that a lane has of a matrix with an unspecified layout, as the PTX manual states it.
fn fragment_registers(element: Element, left: bool, sum: bool, shape: [usize; 3]) -> usize {
    let [rows, columns, depth] = shape;
    if element == Element::F16 && !sum {
        return 8;
    }
    let elements = match (sum, left) {
        (true, _) => rows * columns,
        (false, true) => rows * depth,
        (false, false) => depth * columns,
    };
    (elements / 32 / element.per_register()).max(1)
}

/// Returns the `wmma` shapes of an element type, and the version and target that they need.
fn wmma_shapes(element: Element) -> (&'static [[usize; 3]], &'static str, (u32, u32), u32) {
    const LARGE: &[[usize; 3]] = &[[16, 16, 16], [8, 32, 16], [32, 8, 16]];
    match element {
        Element::F16 => (LARGE, "WMMA with floating point types", (6, 0), 70),
        Element::Bf16 => (LARGE, "WMMA with .bf16/.tf32 FP types", (7, 0), 80),
        Element::Tf32 => (&[[16, 16, 8]], "WMMA with .bf16/.tf32 FP types", (7, 0), 80),
        Element::F64 => (&[[8, 8, 4]], "WMMA with fp64 types", (7, 0), 80),
        Element::Integer { bits: 8, .. } => (LARGE, "WMMA with integer types", (6, 3), 72),
        Element::Integer { bits: 4, .. } => (&[[8, 8, 32]], "WMMA with sub-byte integer types", (6, 3), 75),
        Element::Integer { bits: 1, .. } => (&[[8, 8, 128]], "WMMA with bit types", (6, 3), 75),
        _ => (&[], "", (0, 0), 0),
    }
}

/// Returns the version and target that a shape of `mma` needs, or `None` if there is no such shape.
fn mma_requirement(element: Element, shape: [usize; 3]) -> Option<((u32, u32), u32)> {
    Some(match (element, shape) {
        (Element::F16, [8, 8, 4]) => ((6, 4), 70),
        (Element::F16, [16, 8, 8]) => ((6, 5), 75),
        (Element::F16 | Element::Bf16, [16, 8, 16]) | (Element::Bf16, [16, 8, 8]) => ((7, 0), 80),
        (Element::Tf32, [16, 8, 4 | 8]) => ((7, 0), 80),
        (Element::F64, [8, 8, 4]) => ((7, 0), 80),
        (Element::F64, [16, 8, 4 | 8 | 16]) => ((7, 8), 90),
        (Element::Integer { bits: 8, .. }, [8, 8, 16]) | (Element::Integer { bits: 4, .. }, [8, 8, 32]) => {
            ((6, 5), 75)
        }
        (Element::Integer { bits: 8, .. }, [16, 8, 16 | 32])
        | (Element::Integer { bits: 4, .. }, [16, 8, 32 | 64]) => ((7, 0), 80),
        (Element::Integer { bits: 1, .. }, [8, 8, 128]) => ((7, 0), 75),
        (Element::Integer { bits: 1, .. }, [16, 8, 128 | 256]) => ((7, 0), 80),
        (Element::E4m3 | Element::E5m2, [16, 8, 32]) => ((8, 4), 89),
        (Element::E4m3 | Element::E5m2, [16, 8, 16]) => ((8, 7), 89),
        _ => return None,
    })
}

/// Returns the version and target that a shape of `mma.sp` needs, and the number of its selectors in ptxas.
///
/// Returns `None` if there is no such shape.
fn sparse_requirement(sum: Element, element: Element, shape: [usize; 3]) -> Option<((u32, u32), u32, i64)> {
    let [16, 8, depth] = shape else { return None };
    Some(match (element, depth) {
        (Element::F16 | Element::Bf16, 16) | (Element::Tf32, 8) => ((7, 1), 80, 4),
        // Only two of the selectors exist (conformance fact V1213).
        (Element::F16, 32) if sum == Element::F32 => ((7, 1), 80, 4),
        (Element::F16 | Element::Bf16, 32)
        | (Element::Tf32, 16)
        | (Element::Integer { bits: 8, .. }, 32)
        | (Element::Integer { bits: 4, .. }, 64) => ((7, 1), 80, 2),
        (Element::Integer { bits: 8, .. }, 64) | (Element::Integer { bits: 4, .. }, 128) => ((7, 1), 80, 1),
        (Element::E4m3 | Element::E5m2, 64) => ((8, 4), 89, 1),
        _ => return None,
    })
}

/// Returns whether two element types can be factors of one multiplication.
fn agree(a: Element, b: Element) -> bool {
    let narrow = |element| matches!(element, Element::E4m3 | Element::E5m2);
    match (a, b) {
        (Element::Integer { bits: first, .. }, Element::Integer { bits: second, .. }) => first == second,
        (a, b) => a == b || narrow(a) && narrow(b),
    }
}

impl<'s> Lowerer<'_, 's> {
    /// Returns the registers of a matrix, written in braces.
    pub(super) fn matrix_registers(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        element: Element,
        count: usize,
        written: bool,
    ) -> Lowered<Vec<Place>> {
        let scalar = register(element);
        let Operand::Vector(parts) = operand else {
            let position = instruction.position(operand);
            return Err(Stop::Error(format!("Vector expected for argument {position}")));
        };
        if parts.len() != count {
            let name = &instruction.name;
            return Err(Stop::Error(format!("Argument vector size mismatch for instruction '{name}'")));
        }
        let mut places = Vec::new();
        for part in parts {
            places.push(if written {
                self.destination_place(instruction, part, scalar, Fit::Exact)?.0
            } else {
                self.source_place(instruction, part, scalar, Fit::Exact)?
            });
        }
        Ok(places)
    }

    fn take_shape(
        &self,
        instruction: &Instruction<'_, 's>,
        words: &mut ModifierCursor<'s>,
    ) -> Lowered<[usize; 3]> {
        let found = instruction.tree.modifiers.iter().find_map(|word| Some((word, shape(word)?)));
        let Some((word, shape)) = found else {
            let name = &instruction.name;
            return Err(Stop::Error(format!("Shape modifier required for instruction '{name}'")));
        };
        words.take(word);
        Ok(shape)
    }

    fn take_together(
        &self,
        instruction: &Instruction<'_, 's>,
        words: &mut ModifierCursor<'s>,
    ) -> Lowered<()> {
        for word in ["sync", "aligned"] {
            let opcode = instruction.tree.opcode;
            // Older modules omit the word.
            let needed = opcode != "wmma" || self.version >= (6, 3);
            let what = ".aligned modifier for wmma";
            if words.take(word) && opcode == "wmma" && word == "aligned" {
                self.requires(what, (6, 3), 70)?;
            } else if needed && !instruction.tree.modifiers.contains(&word) {
                let name = &instruction.name;
                return Err(Stop::Error(format!("Modifier '.{word}' required for instruction '{name}'")));
            }
        }
        Ok(())
    }

    pub(super) fn take_elements(
        &self,
        instruction: &Instruction<'_, 's>,
        words: &mut ModifierCursor<'s>,
    ) -> Vec<Element> {
        let mut elements = Vec::new();
        for word in &instruction.tree.modifiers {
            if let Some(element) = element(word) {
                words.take(word);
                elements.push(element);
            }
        }
        elements
    }

    pub(super) fn mma(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let mut words = ModifierCursor::new(instruction);
        let is_ordered = words.take("sp::ordered_metadata");
        let is_sparse = is_ordered || words.take("sp");
        if is_ordered {
            self.requires(".sp::ordered_metadata", (8, 5), 80)?;
        }
        let shape = self.take_shape(instruction, &mut words)?;
        self.take_together(instruction, &mut words)?;
        let layouts = [words.take_one_of(&["row", "col"]), words.take_one_of(&["row", "col"])];
        let saturate = words.take("satfinite");
        let roundings = ["rn", "rz", "rm", "rp"];
        let before = words.take_one_of(&roundings);
        let elements = self.take_elements(instruction, &mut words);
        let rounding = before.or_else(|| words.take_one_of(&roundings));
        let [d, a, b, c] = elements.as_slice() else {
            // Newer devices have more formats.
            return Err(if self.target < 100 { instruction.bad_types() } else { Stop::Unsupported("") });
        };
        let (d, a, b, c) = (*d, *a, *b, *c);
        let product = self.product(instruction, &mut words, a)?;
        words.finish(instruction)?;
        let requirement = if is_sparse {
            sparse_requirement(d, a, shape)
        } else {
            mma_requirement(a, shape).map(|(version, target)| (version, target, 0))
        };
        let Some((version, target, selectors)) = requirement.filter(|_| agree(a, b)) else {
            return Err(instruction.bad_types());
        };
        self.requires(if is_sparse { "Sparse MMA" } else { "mma" }, version, target)?;
        let quads = a == Element::F16 && shape == [8, 8, 4];
        let integer = matches!(a, Element::Integer { .. });
        let sums = match a {
            Element::F16 if quads => (c == Element::F16 || d == Element::F32) && is_half_or_single(d, c),
            Element::F16 => d == c && is_half_or_single(d, c),
            Element::F64 => d == Element::F64 && c == Element::F64,
            Element::Integer { .. } => d == Element::S32 && c == Element::S32,
            Element::E4m3 | Element::E5m2 if d == Element::F16 && !is_sparse => {
                self.requires("mma with FP8 types and .f16", (8, 7), 89)?;
                c == Element::F16
            }
            _ => d == Element::F32 && c == Element::F32,
        };
        if !sums || saturate && (!integer || matches!(a, Element::Integer { bits: 1, .. })) {
            return Err(instruction.bad_types());
        }
        check_rounding(instruction, rounding, a)?;
        let tiling = match layouts {
            [Some(first), Some(second)] if quads => {
                Tiling::Quads { a_columns: first == "col", b_columns: second == "col" }
            }
            [Some("row"), Some("col")] => Tiling::Rows,
            _ => return Err(Stop::Error(format!("Layout incorrect for instruction '{}'", instruction.name))),
        };
        let [rows, columns, depth] = shape;
        let size = |element: Element, number: usize| {
            let room = if quads { number / 8 } else { number / 32 };
            room / element.per_register()
        };
        let counts = [
            size(d, rows * columns),
            size(a, if is_sparse { rows * depth / 2 } else { rows * depth }),
            size(b, depth * columns),
            size(c, rows * columns),
        ];
        let ([to, left, right, sum], sparse) = if is_sparse {
            let [to, left, right, sum, metadata, selector] = instruction.operands()?;
            let selector = self.selector(instruction, selector, selectors, metadata_lanes(a, depth / 2))?;
            let metadata = self.metadata(instruction, metadata)?;
            ([to, left, right, sum], Some(Sparse { metadata, selector }))
        } else {
            (instruction.operands()?.each_ref(), None)
        };
        let left = self.matrix_registers(instruction, left, a, counts[1], false)?;
        let right = self.matrix_registers(instruction, right, b, counts[2], false)?;
        let sum = self.matrix_registers(instruction, sum, c, counts[3], false)?;
        let to = self.matrix_registers(instruction, to, d, counts[0], true)?;
        self.emit_multiply(MatrixMultiply {
            shape,
            sparse,
            tiling,
            product,
            saturate,
            elements: [d, a, b, c],
            registers: [to, left, right, sum],
            places: Default::default(),
        });
        Ok(())
    }

    /// Returns the register with the metadata of a sparse matrix.
    pub(super) fn metadata(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
    ) -> Lowered<Slot> {
        if matches!(operand, Operand::Constant(_)) {
            return Err(instruction.mismatch());
        }
        Ok(slot(self.source_place(instruction, operand, Scalar::B32, Fit::Exact)?))
    }

    /// Returns the selector of `mma.sp`. ptxas accepts selectors below `known`. `lanes` of each four lanes have metadata.
    fn selector(
        &self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        known: i64,
        lanes: usize,
    ) -> Lowered<usize> {
        let value = instruction.integer(operand)?;
        if !(0..known).contains(&value) {
            return Err(Stop::Error(format!(
                "Argument 6 of instruction 'Sparse mma': value '{value}' out of range, expected to be in range [0..{}]",
                known - 1
            )));
        }
        match value as usize {
            selector if selector * lanes < 4 => Ok(selector),
            // Hardware ends the kernel with CUDA_ERROR_ILLEGAL_INSTRUCTION (conformance fact V1213).
            _ => Err(Stop::Unsupported("this selector")),
        }
    }

    /// Returns how single bits are combined. All other elements are multiplied.
    fn product(
        &self,
        instruction: &Instruction<'_, 's>,
        words: &mut ModifierCursor<'s>,
        element: Element,
    ) -> Lowered<Product> {
        if !matches!(element, Element::Integer { bits: 1, .. }) {
            return Ok(Product::Multiply);
        }
        let operation = words.take_one_of(&["xor", "and"]);
        if !words.take("popc") {
            return Err(Stop::Error(format!(
                "Modifier '.popc' required for instruction '{}'",
                instruction.name
            )));
        }
        match operation {
            Some("xor") => Ok(Product::Xor),
            Some(_) => {
                self.requires(".and", (7, 1), 80)?;
                Ok(Product::And)
            }
            None => Err(Stop::Error(format!("Operation required for instruction '{}'", instruction.name))),
        }
    }

    /// Emits a multiplication. The lanes reconverge first, regardless of earlier branches.
    fn emit_multiply(&mut self, multiply: MatrixMultiply) {
        self.gather_warp();
        self.cold(ColdOp::Multiply(multiply.place()));
    }

    pub(super) fn wmma(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let mut words = ModifierCursor::new(instruction);
        let part = words.take_one_of(&["load", "store", "mma"]);
        self.take_together(instruction, &mut words)?;
        let shape = self.take_shape(instruction, &mut words)?;
        if part == Some("mma") {
            return self.wmma_multiply(instruction, words, shape);
        }
        let store = part == Some("store");
        let role = words.take_one_of(if store { &["d"] } else { &["a", "b", "c"] });
        let Some(role) = role else {
            return Err(Stop::Error(format!(
                "Matrix modifier required for instruction '{}'",
                instruction.name
            )));
        };
        let Some(layout) = words.take_one_of(&["row", "col"]) else {
            return Err(Stop::Error(format!("Layout required for instruction '{}'", instruction.name)));
        };
        let space = words.take_space();
        if !matches!(space, None | Some(SpaceWord::Global | SpaceWord::Shared)) {
            return Err(Stop::Error(format!("State space incorrect for instruction '{}'", instruction.name)));
        }
        let elements = self.take_elements(instruction, &mut words);
        words.finish(instruction)?;
        let [element] = elements.as_slice() else { return Err(instruction.bad_types()) };
        let sum = matches!(role, "c" | "d");
        // One type of sum permits several types of factors.
        let factors: &[Element] = match (sum, element) {
            (false, Element::F32) => return Err(instruction.bad_types()),
            (false, element) => std::slice::from_ref(element),
            (true, Element::F16) => &[Element::F16],
            (true, Element::F32) => &[Element::F16, Element::Bf16, Element::Tf32],
            (true, Element::F64) => &[Element::F64],
            (true, Element::Integer { bits: 32, .. }) => &[
                Element::Integer { bits: 8, signed: true },
                Element::Integer { bits: 4, signed: true },
                Element::Integer { bits: 1, signed: false },
            ],
            _ => return Err(instruction.bad_types()),
        };
        let fitting =
            factors.iter().map(|factor| wmma_shapes(*factor)).find(|(shapes, ..)| shapes.contains(&shape));
        let Some((_, what, version, target)) = fitting else { return Err(instruction.bad_types()) };
        self.requires(what, version, target)?;
        let narrow = matches!(element, Element::Integer { bits: 1 | 4, .. });
        let columns = layout == "col";
        if narrow && columns != (role == "b") {
            return Err(Stop::Error(format!("Layout incorrect for instruction '{}'", instruction.name)));
        }
        let (matrix, at, stride) = match (store, instruction.tree.operands.as_slice()) {
            (false, [matrix, at]) | (true, [at, matrix]) => (matrix, at, None),
            (false, [matrix, at, stride]) | (true, [at, matrix, stride]) => (matrix, at, Some(stride)),
            _ => return Err(instruction.mismatch()),
        };
        let at = self.plain_address(instruction, at, space)?;
        let stride = match stride {
            Some(stride) => self.source(instruction, stride, Scalar::U32)?,
            None => NONE,
        };
        let count = fragment_registers(*element, role == "a", sum, shape);
        let registers = self.matrix_registers(instruction, matrix, *element, count, !store)?;
        let [rows, width, depth] = shape;
        let shape = match role {
            "a" => [rows, depth],
            "b" => [depth, width],
            _ => [rows, width],
        };
        let element = *element;
        self.gather_warp();
        self.cold(ColdOp::Fragment(Fragment { at, store, stride, columns, shape, element, registers }));
        Ok(())
    }

    fn wmma_multiply(
        &mut self,
        instruction: &Instruction<'_, 's>,
        mut words: ModifierCursor<'s>,
        shape: [usize; 3],
    ) -> Lowered<()> {
        for _ in 0..2 {
            if words.take_one_of(&["row", "col"]).is_none() {
                return Err(Stop::Error(format!("Layout required for instruction '{}'", instruction.name)));
            }
        }
        let saturate = words.take("satfinite");
        let rounding = words.take_one_of(&["rn", "rz", "rm", "rp"]);
        let elements = self.take_elements(instruction, &mut words);
        let (d, a, b, c) = match elements.as_slice() {
            [d, c] => (*d, Element::F16, Element::F16, *c),
            [d, a, b, c] => (*d, *a, *b, *c),
            _ => return Err(instruction.bad_types()),
        };
        let (shapes, what, version, target) = wmma_shapes(a);
        if !shapes.contains(&shape) || a != b {
            return Err(instruction.bad_types());
        }
        let product = self.product(instruction, &mut words, a)?;
        words.finish(instruction)?;
        self.requires(what, version, target)?;
        let sums = match a {
            Element::F16 => is_half_or_single(d, c),
            Element::F64 => d == Element::F64 && c == Element::F64,
            Element::Integer { .. } => d == Element::S32 && c == Element::S32,
            _ => d == Element::F32 && c == Element::F32,
        };
        if !sums {
            return Err(instruction.bad_types());
        }
        check_rounding(instruction, rounding, a)?;
        let [to, left, right, sum] = instruction.operands()?;
        let count = |element, left, sum| fragment_registers(element, left, sum, shape);
        let left = self.matrix_registers(instruction, left, a, count(a, true, false), false)?;
        let right = self.matrix_registers(instruction, right, b, count(b, false, false), false)?;
        let sum = self.matrix_registers(instruction, sum, c, count(c, false, true), false)?;
        let to = self.matrix_registers(instruction, to, d, count(d, false, true), true)?;
        self.emit_multiply(MatrixMultiply {
            shape,
            sparse: None,
            tiling: Tiling::Opaque,
            product,
            saturate,
            elements: [d, a, b, c],
            registers: [to, left, right, sum],
            places: Default::default(),
        });
        Ok(())
    }
}

/// Refuses a rounding of products, except the usual one of `f64`.
fn check_rounding(
    instruction: &Instruction<'_, '_>,
    rounding: Option<&str>,
    element: Element,
) -> Lowered<()> {
    match rounding {
        None => Ok(()),
        Some("rn") if element == Element::F64 => Ok(()),
        Some(_) if element == Element::F64 => Err(Stop::Unsupported("")),
        Some(_) => Err(instruction.bad_rounding()),
    }
}

fn is_half_or_single(d: Element, c: Element) -> bool {
    [d, c].iter().all(|element| matches!(element, Element::F16 | Element::F32))
}
