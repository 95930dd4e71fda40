//! `tex`, `tld4`, and the queries.

use cuda_ptx::ast::Operand;
use cuda_ptx::modifier::{Flag, Flags};
use cuda_ptx::types::Scalar;

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::operands::{Fit, Value};
use crate::op::{Detail, Geometry, ImageAccess, ImageProperty, ImageQuery, NONE, Op, Place, Sample, Sampled};
use crate::program::ReferenceKind;

const GEOMETRIES: [&str; 7] = ["1d", "2d", "3d", "a1d", "a2d", "cube", "acube"];
const DETAILS: [&str; 3] = ["base", "level", "grad"];

/// Operands of a sample instruction, split into their parts.
struct Operands<'o, 's> {
    results: &'o Operand<'s>,
    resident: Option<&'o Operand<'s>>,
    texture: &'o Operand<'s>,
    coordinates: &'o Operand<'s>,
    /// Operands after the brackets.
    rest: &'o [Operand<'s>],
}

impl<'s> Lowerer<'_, 's> {
    fn sample_operands<'o>(&self, instruction: &Instruction<'o, 's>) -> Lowered<Operands<'o, 's>> {
        let [d, a, rest @ ..] = instruction.tree.operands.as_slice() else {
            return Err(instruction.mismatch());
        };
        let (results, resident) = match d {
            Operand::Pair(results, resident) => (&**results, Some(&**resident)),
            results => (results, None),
        };
        match self.bracket(instruction, a)? {
            (texture, [coordinates]) => Ok(Operands { results, resident, texture, coordinates, rest }),
            (_, [_, _]) => Err(Stop::Unsupported("a sampler of its own")),
            _ => Err(instruction.mismatch()),
        }
    }

    /// Returns the kind of the sampled values and the number of result registers.
    fn sampled(&self, instruction: &Instruction<'_, 's>, scalar: Scalar) -> Lowered<(Sampled, usize)> {
        let (sampled, count) = match scalar {
            Scalar::F32 | Scalar::S32 | Scalar::U32 => (Sampled::Word, 4),
            Scalar::F16 => (Sampled::Half, 4),
            Scalar::F16x2 => (Sampled::HalfPair, 2),
            _ => return Err(instruction.bad_types()),
        };
        if instruction.words.vector != Some(count) {
            return Err(Stop::Error(format!(
                "Instruction '{}{}' requires .v{count} type",
                instruction.tree.opcode,
                scalar.name()
            )));
        }
        Ok((sampled, count as usize))
    }

    pub(super) fn tex(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        self.image_words(instruction, Flags::default(), &[&GEOMETRIES[..], &DETAILS[..]].concat())?;
        let geometry = self.geometry(instruction)?;
        let (result, coordinate) = instruction.two_types()?;
        let (sampled, count) = self.sampled(instruction, result)?;
        match coordinate {
            Scalar::F32 => {}
            Scalar::S32 if matches!(geometry, Geometry::Cube | Geometry::Cubes) => {
                return Err(Stop::Error("Floating-point coordinates required".into()));
            }
            Scalar::S32 => {}
            scalar if scalar.is_integer() => {
                return Err(Stop::Error("Integer coordinates require .s32 instruction type".into()));
            }
            _ => return Err(instruction.bad_types()),
        }
        let given = |word: &str| instruction.words.unknown.contains(&word);
        let mut details = instruction.words.unknown.iter().filter(|word| DETAILS.contains(word));
        if let (Some(_), Some(second)) = (details.next(), details.next()) {
            return Err(Stop::Error(format!("Unknown modifier '.{second}'")));
        }
        let operands = self.sample_operands(instruction)?;
        let texture = self.image_handle(instruction, operands.texture, ReferenceKind::Texture)?;
        let coordinates = self.coordinates(instruction, operands.coordinates, geometry, coordinate)?;
        let (detail, rest) = match operands.rest {
            [level, rest @ ..] if given("level") => {
                (Detail::Level(self.source(instruction, level, coordinate)?), rest)
            }
            [x, y, rest @ ..] if given("grad") => {
                if matches!(geometry, Geometry::Cube | Geometry::Cubes) || coordinate != Scalar::F32 {
                    return Err(Stop::Unsupported(""));
                }
                let wanted = vec![Scalar::F32; geometry.dimensions()];
                let x = self.vector_sources(instruction, x, &wanted)?;
                (Detail::Gradient { x, y: self.vector_sources(instruction, y, &wanted)? }, rest)
            }
            _ if given("level") || given("grad") => return Err(instruction.mismatch()),
            rest => (Detail::Base, rest),
        };
        let offsets = self.offsets(instruction, geometry, rest)?;
        let results = self.vector_results(instruction, operands.results, result, count, Fit::Exact)?;
        let resident = self.resident(instruction, operands.resident)?;
        self.emit(Op::Image(Box::new(ImageAccess::Sample(Sample {
            texture,
            coordinates,
            detail,
            offsets,
            gather: None,
            sampled,
            results,
            resident,
        }))));
        Ok(())
    }

    pub(super) fn tld4(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let words = ["2d", "a2d", "cube", "acube", "g", "b", "a"];
        self.image_words(instruction, Flags::of(&[Flag::Right]), &words)?;
        let geometry = self.geometry(instruction)?;
        let (result, coordinate) = instruction.two_types()?;
        let (sampled, count) = self.sampled(instruction, result)?;
        if sampled != Sampled::Word || coordinate != Scalar::F32 {
            return Err(instruction.bad_types());
        }
        let channel = |word: &&str| matches!(*word, "r" | "g" | "b" | "a");
        let channels: Vec<_> = instruction.tree.modifiers.iter().copied().filter(channel).collect();
        let gather = match channels.as_slice() {
            ["r"] => 0,
            ["g"] => 1,
            ["b"] => 2,
            ["a"] => 3,
            [] => return Err(Stop::Error("Component modifier required for instruction 'tld4'".into())),
            _ => return Err(Stop::Error("Multiple component modifiers specified".into())),
        };
        let operands = self.sample_operands(instruction)?;
        let texture = self.image_handle(instruction, operands.texture, ReferenceKind::Texture)?;
        let coordinates = self.coordinates(instruction, operands.coordinates, geometry, coordinate)?;
        let offsets = self.offsets(instruction, geometry, operands.rest)?;
        let results = self.vector_results(instruction, operands.results, result, count, Fit::Exact)?;
        let resident = self.resident(instruction, operands.resident)?;
        self.emit(Op::Image(Box::new(ImageAccess::Sample(Sample {
            texture,
            coordinates,
            detail: Detail::Base,
            offsets,
            gather: Some(gather),
            sampled,
            results,
            resident,
        }))));
        Ok(())
    }

    /// Lowers the texel offsets. A comparison value may follow them, or stand alone.
    fn offsets(
        &mut self,
        instruction: &Instruction<'_, 's>,
        geometry: Geometry,
        rest: &[Operand<'s>],
    ) -> Lowered<Vec<u32>> {
        let first = match rest {
            [] => return Ok(Vec::new()),
            [first] => first,
            [_, _] => return Err(Stop::Unsupported("a comparison")),
            _ => return Err(instruction.mismatch()),
        };
        if !matches!(first, Operand::Vector(_)) && !matches!(self.value(first), Value::Vector { .. }) {
            return Err(Stop::Unsupported("a comparison"));
        }
        if matches!(geometry, Geometry::Cube | Geometry::Cubes) {
            return Err(instruction.illegal(geometry.word()));
        }
        self.vector_sources(instruction, first, &vec![Scalar::S32; geometry.dimensions()])
    }

    fn resident(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: Option<&Operand<'s>>,
    ) -> Lowered<Option<u32>> {
        match operand {
            None | Some(Operand::Sink) => Ok(None),
            Some(operand) => Ok(Some(self.destination(instruction, operand, Scalar::Pred)?)),
        }
    }

    /// Lowers `txq` and `suq`.
    pub(super) fn image_query(&mut self, instruction: &Instruction<'_, 's>, surface: bool) -> Lowered<()> {
        const TEXTURES: [&str; 15] = [
            "level",
            "width",
            "height",
            "depth",
            "channel_data_type",
            "channel_order",
            "normalized_coords",
            "array_size",
            "num_mipmap_levels",
            "num_samples",
            "force_unnormalized_coords",
            "filter_mode",
            "addr_mode_0",
            "addr_mode_1",
            "addr_mode_2",
        ];
        const SURFACES: [&str; 7] =
            ["width", "height", "depth", "channel_data_type", "channel_order", "array_size", "memory_layout"];
        self.image_words(instruction, Flags::default(), if surface { &SURFACES } else { &TEXTURES })?;
        instruction.one_type(&[Scalar::B32])?;
        if instruction.words.vector.is_some() {
            return instruction.plain();
        }
        let by_level = instruction.words.unknown.contains(&"level");
        let mut words = instruction.words.unknown.iter().copied().filter(|word| *word != "level");
        let name = &instruction.name;
        let word = match (words.next(), words.next()) {
            (Some(word), None) => word,
            (None, _) => {
                return Err(Stop::Error(format!("Query modifier required for instruction '{name}'")));
            }
            _ => return Err(Stop::Error("Multiple query modifiers specified".into())),
        };
        if by_level && !matches!(word, "width" | "height" | "depth") {
            return Err(Stop::Error(format!("Illegal query modifier for instruction '{name}'")));
        }
        let property = match word {
            "width" => ImageProperty::Width,
            "height" => ImageProperty::Height,
            "depth" => ImageProperty::Depth,
            "force_unnormalized_coords" => {
                return Err(Stop::Error("Argument 1 of instruction 'txq': .samplerref expected".into()));
            }
            // The driver's compiler accepts these forms, and the driver then has no such kernel (measured).
            _ => return Err(Stop::Unsupported("")),
        };
        let (d, a, level) = match instruction.tree.operands.as_slice() {
            [d, a] if !by_level => (d, a, None),
            [d, a, level] if by_level => (d, a, Some(level)),
            _ => return Err(instruction.mismatch()),
        };
        let (operand, []) = self.bracket(instruction, a)? else { return Err(instruction.mismatch()) };
        let kind = if surface { ReferenceKind::Surface } else { ReferenceKind::Texture };
        let handle = self.image_handle(instruction, operand, kind)?;
        let level = match level {
            Some(level) => self.source(instruction, level, Scalar::B32)?,
            None => NONE,
        };
        let (Place::Word(d), _) = self.destination_place(instruction, d, Scalar::B32, Fit::Exact)? else {
            return Err(instruction.mismatch());
        };
        self.emit(Op::Image(Box::new(ImageAccess::Query(ImageQuery {
            surface,
            handle,
            property,
            level,
            d,
        }))));
        Ok(())
    }
}
