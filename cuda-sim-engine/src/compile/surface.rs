//! `suld`, `sust`, `sured`.

use cuda_ptx::ast::Operand;
use cuda_ptx::modifier::{Flag, Flags};
use cuda_ptx::types::Scalar;

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::operands::{Fit, Value, fits, slot};
use crate::op::{Geometry, ImageAccess, Op, Outside, Place, SurfaceAccess, SurfaceAction, SurfaceReduction};
use crate::program::ReferenceKind;

const CACHES: Flags = Flags::of(&[Flag::Ca, Flag::Cg, Flag::Cs, Flag::Cv, Flag::Wb, Flag::Wt]);
const OPERATIONS: [Flag; 5] = [Flag::Add, Flag::Min, Flag::Max, Flag::And, Flag::Or];

impl<'s> Lowerer<'_, 's> {
    pub(super) fn surface(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let opcode = instruction.tree.opcode;
        let by_texel = instruction.words.unknown.contains(&"p");
        let flags = Flags::of(&[Flag::Clamp]);
        let flags = if opcode == "sured" { flags.with(Flags::of(&OPERATIONS)) } else { flags.with(CACHES) };
        let words: &[&str] = match opcode {
            "sured" => &["b", "p", "1d", "2d", "3d", "trap", "zero"],
            _ => &["b", "p", "1d", "2d", "3d", "a1d", "a2d", "trap", "zero"],
        };
        self.image_words(instruction, flags, words)?;
        if by_texel && (opcode == "suld" || instruction.words.unknown.contains(&"b")) {
            return Err(instruction.illegal("p"));
        }
        let geometry = self.geometry(instruction)?;
        let outside = self.outside(instruction)?;
        match (opcode, instruction.tree.operands.as_slice()) {
            ("suld", [d, a]) => self.surface_load(instruction, geometry, outside, d, a),
            ("sust", [a, b]) => self.surface_store(instruction, geometry, outside, by_texel, a, b),
            ("sured", [a, b]) => self.surface_reduce(instruction, geometry, outside, by_texel, a, b),
            _ => Err(instruction.mismatch()),
        }
    }

    fn outside(&self, instruction: &Instruction<'_, 's>) -> Lowered<Outside> {
        let given = |word: &str| instruction.tree.modifiers.contains(&word);
        match (given("trap"), given("clamp"), given("zero")) {
            (true, false, false) => Ok(Outside::Trap),
            (false, true, false) => Ok(Outside::Clamp),
            (false, false, true) => Ok(Outside::Zero),
            (false, false, false) => {
                let name = &instruction.name;
                Err(Stop::Error(format!("Clamp modifier required for instruction '{name}'")))
            }
            _ => Err(Stop::Error("Multiple clamp modifiers specified".into())),
        }
    }

    /// Returns the element type and the number of elements.
    fn surface_elements(
        &self,
        instruction: &Instruction<'_, 's>,
        allowed: &[Scalar],
    ) -> Lowered<(Scalar, usize)> {
        let scalar = instruction.one_type(allowed)?;
        let count = instruction.words.vector.unwrap_or(1);
        if scalar.bits() * count > 128 {
            return Err(Stop::Error("Vector type too large, exceeds 128 bit limit".into()));
        }
        if count == 8 {
            return Err(Stop::Unsupported(""));
        }
        Ok((scalar, count as usize))
    }

    fn emit_surface(
        &mut self,
        instruction: &Instruction<'_, 's>,
        geometry: Geometry,
        (outside, by_texel): (Outside, bool),
        a: &Operand<'s>,
        size: u32,
        action: SurfaceAction,
    ) -> Lowered<()> {
        let (surface, [coordinates]) = self.bracket(instruction, a)? else {
            return Err(instruction.mismatch());
        };
        let surface = self.image_handle(instruction, surface, ReferenceKind::Surface)?;
        let coordinates = self.coordinates(instruction, coordinates, geometry, Scalar::S32)?;
        self.emit(Op::Image(Box::new(ImageAccess::Surface(SurfaceAccess {
            surface,
            coordinates,
            size: size as u8,
            by_texel,
            outside,
            action,
        }))));
        Ok(())
    }

    fn surface_load(
        &mut self,
        instruction: &Instruction<'_, 's>,
        geometry: Geometry,
        outside: Outside,
        d: &Operand<'s>,
        a: &Operand<'s>,
    ) -> Lowered<()> {
        let (scalar, count) =
            self.surface_elements(instruction, &[Scalar::B8, Scalar::B16, Scalar::B32, Scalar::B64])?;
        let results = self.vector_results(instruction, d, scalar, count, Fit::Relaxed)?;
        let action = SurfaceAction::Load(results);
        self.emit_surface(instruction, geometry, (outside, false), a, scalar.bytes(), action)
    }

    fn surface_store(
        &mut self,
        instruction: &Instruction<'_, 's>,
        geometry: Geometry,
        outside: Outside,
        by_texel: bool,
        a: &Operand<'s>,
        b: &Operand<'s>,
    ) -> Lowered<()> {
        let allowed = [Scalar::B32, Scalar::B8, Scalar::B16, Scalar::B64];
        let allowed = if by_texel { &allowed[..1] } else { &allowed };
        let (scalar, count) = self.surface_elements(instruction, allowed)?;
        let elements = match b {
            Operand::Vector(parts) if parts.len() == count => parts
                .iter()
                .map(|part| self.source_place(instruction, part, scalar, Fit::Relaxed))
                .collect::<Lowered<Vec<Place>>>()?,
            // ptxas accepts this form, whose effect is not documented.
            Operand::Vector(_) if count == 1 => return Err(Stop::Unsupported("a vector for one element")),
            Operand::Vector(_) => {
                let name = &instruction.name;
                return Err(Stop::Error(format!("Argument vector size mismatch for instruction '{name}'")));
            }
            _ => match self.value(b) {
                Value::Vector { scalar: found, places }
                    if places.len() == count && fits(scalar, found, Fit::Exact) =>
                {
                    places
                }
                _ if count == 1 => vec![self.source_place(instruction, b, scalar, Fit::Relaxed)?],
                _ => return Err(instruction.mismatch()),
            },
        };
        let action = if by_texel {
            if elements.iter().any(|place| !matches!(place, Place::Word(_))) {
                return Err(Stop::Unsupported("wide registers"));
            }
            SurfaceAction::StoreFormatted(elements.into_iter().map(slot).collect())
        } else {
            SurfaceAction::Store(elements)
        };
        self.emit_surface(instruction, geometry, (outside, by_texel), a, scalar.bytes(), action)
    }

    fn surface_reduce(
        &mut self,
        instruction: &Instruction<'_, 's>,
        geometry: Geometry,
        outside: Outside,
        by_texel: bool,
        a: &Operand<'s>,
        b: &Operand<'s>,
    ) -> Lowered<()> {
        let allowed = [Scalar::B32, Scalar::B64, Scalar::U32, Scalar::S32, Scalar::U64, Scalar::S64];
        let allowed = if by_texel { &allowed[..2] } else { &allowed };
        let scalar = instruction.one_type(allowed)?;
        let name = &instruction.name;
        let Some(flag) = instruction.words.flags.only_one_of(&OPERATIONS) else {
            self.error(format!("Illegal operation '(null)' for instruction '{name}'"));
            return Err(Stop::Error(format!("Reduction operation is required for instruction '{name}'")));
        };
        let operation = match (flag, scalar, by_texel) {
            (Flag::Add, Scalar::U32 | Scalar::S32 | Scalar::U64, false) => SurfaceReduction::Add,
            (Flag::Add, Scalar::B32, true) => SurfaceReduction::Add,
            (Flag::Min, Scalar::U32 | Scalar::U64, false) => SurfaceReduction::MinimumUnsigned,
            (Flag::Max, Scalar::U32 | Scalar::U64, false) => SurfaceReduction::MaximumUnsigned,
            (Flag::Min, Scalar::S32 | Scalar::S64, false) => SurfaceReduction::MinimumSigned,
            (Flag::Max, Scalar::S32 | Scalar::S64, false) => SurfaceReduction::MaximumSigned,
            (Flag::Min, _, true) => SurfaceReduction::Minimum,
            (Flag::Max, _, true) => SurfaceReduction::Maximum,
            (Flag::And, Scalar::B32, _) => SurfaceReduction::And,
            (Flag::Or, Scalar::B32, _) => SurfaceReduction::Or,
            (_, Scalar::B64, false) => return Err(instruction.bad_types()),
            (flag, scalar, _) => {
                return Err(Stop::Error(format!(
                    "Incorrect type '{}' for operation '.{}' in instruction '{name}'",
                    scalar.name(),
                    flag.word()
                )));
            }
        };
        let operand = self.source_place(instruction, b, scalar, Fit::Exact)?;
        let action = SurfaceAction::Reduce { operation, operand };
        self.emit_surface(instruction, geometry, (outside, by_texel), a, scalar.bytes(), action)
    }
}
