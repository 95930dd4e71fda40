//! Common parts of texture and surface instructions: geometries, handles, coordinates.

use cuda_ptx::ast::Operand;
use cuda_ptx::modifier::Flags;
use cuda_ptx::types::Scalar;

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, NOWHERE, Stop};
use super::operands::{Fit, Value, fits, slot};
use crate::op::{Coordinates, Extension, Geometry, ImageAccess, ImageTest, NONE, Op, Place, Slot};
use crate::program::ReferenceKind;
use crate::texture::reference_address;

fn geometry_of(word: &str) -> Option<Geometry> {
    Some(match word {
        "1d" => Geometry::One,
        "2d" => Geometry::Two,
        "3d" => Geometry::Three,
        "a1d" => Geometry::Layers1,
        "a2d" => Geometry::Layers2,
        "cube" => Geometry::Cube,
        "acube" => Geometry::Cubes,
        _ => return None,
    })
}

impl<'s> Lowerer<'_, 's> {
    pub(super) fn image(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        if instruction.words.compare.is_some() || instruction.words.space.is_some() {
            return instruction.plain();
        }
        instruction.no_rounding()?;
        match instruction.tree.opcode {
            "tex" => self.tex(instruction),
            "tld4" => self.tld4(instruction),
            "txq" => self.image_query(instruction, false),
            "suq" => self.image_query(instruction, true),
            "istypep" => self.istypep(instruction),
            _ => self.surface(instruction),
        }
    }

    /// Refuses flags other than `flags` and words other than `words`.
    pub(super) fn image_words(
        &self,
        instruction: &Instruction<'_, 's>,
        flags: Flags,
        words: &[&str],
    ) -> Lowered<()> {
        if let Some(flag) = instruction.words.flags.first_outside(flags) {
            return Err(instruction.illegal(flag.word()));
        }
        match instruction.words.unknown.iter().find(|word| !words.contains(*word)) {
            Some(word) if geometry_of(word).is_some() => Err(instruction.illegal(word)),
            Some(&("2dms" | "a2dms")) => Err(Stop::Unsupported("")),
            Some(word) => Err(Stop::Error(format!("Unknown modifier '.{word}'"))),
            None => Ok(()),
        }
    }

    /// Returns the geometry, which the instruction must name exactly once.
    pub(super) fn geometry(&self, instruction: &Instruction<'_, 's>) -> Lowered<Geometry> {
        let mut found = instruction.words.unknown.iter().filter_map(|word| geometry_of(word));
        match (found.next(), found.next()) {
            (Some(geometry), None) => Ok(geometry),
            (None, _) => {
                let name = &instruction.name;
                Err(Stop::Error(format!("Geometry modifier required for instruction '{name}'")))
            }
            _ => Err(Stop::Error("Multiple dimension modifiers specified".into())),
        }
    }

    /// Returns the long that holds the handle of a texture or surface.
    pub(super) fn image_handle(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        kind: ReferenceKind,
    ) -> Lowered<Slot> {
        if matches!(operand, Operand::Name { addend, .. } if *addend != 0) {
            return Err(Stop::Unsupported("an offset to a handle"));
        }
        match self.value(operand) {
            Value::Reference { index, kind: found, usable } if found == kind => {
                if !usable {
                    return Err(Stop::Unsupported("an array of references or one with an initial value"));
                }
                Ok(self.constant_long(crate::function::Constant::Bits(reference_address(index))))
            }
            Value::ReferenceParameter { offset, kind: found } if found == kind => {
                let d = self.new_long();
                let extension = Extension::Zero;
                self.emit(Op::Parameter { d: Place::Long(d), offset, size: 8, extension });
                Ok(d)
            }
            Value::Register { scalar, place: Place::Long(slot) } if scalar.is_integer() => Ok(slot),
            Value::Register { .. } => Err(instruction.mismatch()),
            _ => {
                let name = &instruction.name;
                let kind = if kind == ReferenceKind::Surface { ".surfref" } else { ".texref" };
                Err(Stop::Error(format!(
                    "Argument 1 of instruction '{name}': {kind} or .u64 register expected"
                )))
            }
        }
    }

    /// Returns the operands in brackets: a handle and the operands after it.
    pub(super) fn bracket<'o>(
        &self,
        instruction: &Instruction<'_, 's>,
        operand: &'o Operand<'s>,
    ) -> Lowered<(&'o Operand<'s>, &'o [Operand<'s>])> {
        match operand {
            Operand::Address(list) => list.split_first().ok_or_else(|| instruction.mismatch()),
            _ => Err(instruction.mismatch()),
        }
    }

    /// Returns sources of the given types from a scalar, a vector in braces or a vector register. A vector may be
    /// longer than needed, such as four elements for three.
    pub(super) fn vector_sources(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        wanted: &[Scalar],
    ) -> Lowered<Vec<Slot>> {
        let size = || {
            let name = &instruction.name;
            Stop::Error(format!("Operand vector size doesn't match geometry for instruction '{name}'"))
        };
        if let Operand::Vector(parts) = operand {
            if !matches!(parts.len(), 1 | 2 | 4 | 8) {
                return Err(Stop::Error(format!("Illegal vector size: {}", parts.len())));
            }
            if parts.len() < wanted.len() {
                return Err(size());
            }
            let pairs = parts.iter().zip(wanted);
            return pairs.map(|(part, scalar)| self.source(instruction, part, *scalar)).collect();
        }
        if let Value::Vector { scalar, places } = self.value(operand) {
            if places.len() < wanted.len() {
                return Err(size());
            }
            if wanted.iter().any(|wanted| !fits(*wanted, scalar, Fit::Exact)) {
                return Err(instruction.mismatch());
            }
            return Ok(places.into_iter().take(wanted.len()).map(slot).collect());
        }
        match wanted {
            [scalar] => Ok(vec![self.source(instruction, operand, *scalar)?]),
            _ => Err(size()),
        }
    }

    /// Lowers the coordinates of an access.
    pub(super) fn coordinates(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        geometry: Geometry,
        scalar: Scalar,
    ) -> Lowered<Coordinates> {
        let mut wanted = Vec::new();
        if geometry.is_layered() {
            wanted.push(Scalar::U32);
            if let Operand::Vector(parts) = operand
                && let Some(Value::Register { scalar, .. }) = parts.first().map(|part| self.value(part))
                && !fits(Scalar::U32, scalar, Fit::Exact)
            {
                return Err(Stop::Error(format!(
                    "Array index in the '{}' instruction has unexpected type. Expecting type .u32",
                    instruction.tree.opcode
                )));
            }
        }
        wanted.resize(wanted.len() + geometry.dimensions(), scalar);
        let mut parts = self.vector_sources(instruction, operand, &wanted)?;
        let layer = if geometry.is_layered() { parts.remove(0) } else { NONE };
        Ok(Coordinates { geometry, float: scalar == Scalar::F32, layer, parts })
    }

    /// Returns registers for `count` results. A discarded result has no place.
    pub(super) fn vector_results(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        scalar: Scalar,
        count: usize,
        fit: Fit,
    ) -> Lowered<Vec<Place>> {
        let size = || {
            let name = &instruction.name;
            Stop::Error(format!("Argument vector size mismatch for instruction '{name}'"))
        };
        match operand {
            Operand::Vector(parts) if parts.len() == count => parts
                .iter()
                .map(|part| match part {
                    Operand::Sink => Ok(NOWHERE),
                    part => Ok(self.destination_place(instruction, part, scalar, fit)?.0),
                })
                .collect(),
            Operand::Vector(_) => Err(size()),
            _ => match self.value(operand) {
                Value::Vector { scalar: found, places }
                    if places.len() == count && fits(scalar, found, Fit::Exact) =>
                {
                    Ok(places)
                }
                Value::Vector { .. } => Err(size()),
                _ if count == 1 => Ok(vec![self.destination_place(instruction, operand, scalar, fit)?.0]),
                _ => {
                    self.error("Result vector expected");
                    Err(size())
                }
            },
        }
    }

    fn istypep(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        self.image_words(instruction, Flags::default(), &["texref", "surfref", "samplerref"])?;
        let surface = match instruction.words.unknown.as_slice() {
            ["texref"] => false,
            ["surfref"] => true,
            ["samplerref"] => return Err(Stop::Unsupported("")),
            _ => return Err(instruction.bad_types()),
        };
        let [d, a] = instruction.operands()?;
        let handle = self.source(instruction, a, Scalar::U64)?;
        let d = self.destination(instruction, d, Scalar::Pred)?;
        self.emit(Op::Image(Box::new(ImageAccess::Test(ImageTest { surface, handle, d }))));
        Ok(())
    }
}
