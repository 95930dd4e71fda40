//! `cvta` and `isspacep`: addresses between spaces.

use cuda_ptx::modifier::{Flag, Flags, SpaceWord};
use cuda_ptx::types::Scalar;

use super::element::Located;
use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::mov::same_space;
use super::operands::{Value, slot};
use super::scope::Symbol;
use crate::function::Constant;
use crate::op::{ColdOp, Condition, Integer2, IntegerKind, Logic, MemorySpace, Op, Place};
use crate::windows::{LOCAL_WINDOW, PARAM_WINDOW, SHARED_WINDOW};

impl<'s> Lowerer<'_, 's> {
    pub(super) fn cvta(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.only(Flags::of(&[Flag::To]))?;
        let scalar = instruction.one_type(&[Scalar::U32, Scalar::U64])?;
        let Some(space) = instruction.words.space else {
            return Err(Stop::Error(format!(
                "State space modifier required for instruction '{}'",
                instruction.name
            )));
        };
        if scalar == Scalar::U32 {
            return Err(Stop::Fatal(super::NARROW_ADDRESSES.into()));
        }
        let window = match space {
            SpaceWord::Global | SpaceWord::Constant => 0,
            SpaceWord::Shared => SHARED_WINDOW,
            SpaceWord::SharedCluster => {
                self.requires("::cluster", (7, 8), 90)?;
                SHARED_WINDOW
            }
            SpaceWord::Local => LOCAL_WINDOW,
            SpaceWord::Parameter | SpaceWord::EntryParameter => {
                self.requires("cvta with .param space", (7, 7), 70)?;
                PARAM_WINDOW
            }
            SpaceWord::FunctionParameter => return Err(instruction.illegal_part("func")),
        };
        let [d, a] = instruction.operands()?;
        let to = instruction.has(Flag::To);
        if let Value::Variable { space: found, .. } | Value::Element { space: found, .. } = self.value(a)
            && !to
            && !same_space(space, found)
        {
            return Err(instruction.space_mismatch());
        }
        if !to && let Some(from) = self.located(instruction, a)? {
            let a = match from {
                // `cvta.param` is for parameters of kernels alone.
                Located::Near { symbol: Symbol::Parameter { .. }, .. } => {
                    return Err(Stop::Unsupported("the address of a parameter of a function"));
                }
                Located::Near { symbol, distance } => {
                    let constant = match self.variable_address(&symbol, distance)? {
                        Constant::Shared(index, addend) => Constant::SharedGeneric(index, addend),
                        Constant::Local(offset) => Constant::LocalGeneric(offset),
                        Constant::Bits(bits) => Constant::Bits(bits.wrapping_add(window)),
                        constant => constant,
                    };
                    self.constant_long(constant)
                }
                Located::Computed(_) if window == PARAM_WINDOW && !self.entry => {
                    return Err(Stop::Unsupported("the address of a parameter of a function"));
                }
                Located::Computed(Place::Long(long)) => long,
                Located::Computed(place) => {
                    let window = self.constant_long(Constant::Bits(window));
                    self.widened(IntegerKind::U32, slot(place), window)
                }
            };
            let slot = self.destination(instruction, d, scalar)?;
            self.emit_copy(d, slot, Place::Long(a));
            return Ok(());
        }
        let a = match self.value(a) {
            Value::Reference { kind, .. } if space == SpaceWord::Global && !to => {
                self.image_handle(instruction, a, kind)?
            }
            _ => self.source(instruction, a, scalar)?,
        };
        let operand = d;
        let d = self.destination(instruction, operand, scalar)?;
        if window == 0 {
            self.emit_copy(operand, d, Place::Long(a));
            return Ok(());
        }
        let distance = if to { window.wrapping_neg() } else { window };
        let b = self.constant_long(Constant::Bits(distance));
        self.emit(Op::Integer2 { kind: IntegerKind::U64, operation: Integer2::Add, d, a, b });
        Ok(())
    }

    pub(super) fn isspacep(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.only(Flags::default())?;
        if !instruction.words.types.is_empty() {
            return Err(instruction.bad_types());
        }
        match instruction.words.space {
            Some(SpaceWord::SharedCluster) => self.requires("::cluster", (7, 8), 90)?,
            Some(SpaceWord::Parameter | SpaceWord::EntryParameter) => {
                self.requires("cvta/isspacep with .param state space", (7, 7), 70)?;
            }
            _ => {}
        }
        let memory = match instruction.words.space {
            Some(SpaceWord::Global) => MemorySpace::Global,
            Some(SpaceWord::Shared | SpaceWord::SharedCluster) => MemorySpace::Shared,
            Some(SpaceWord::Local) => MemorySpace::Local,
            Some(SpaceWord::Parameter | SpaceWord::EntryParameter) => MemorySpace::Parameter,
            Some(SpaceWord::FunctionParameter) => return Err(instruction.illegal_part("func")),
            // Constant variables lie among global memory.
            Some(SpaceWord::Constant) => MemorySpace::Global,
            None => {
                return Err(Stop::Error(format!(
                    "State space modifier required for instruction '{}'",
                    instruction.name
                )));
            }
        };
        let [d, a] = instruction.operands()?;
        let a = match self.value(a) {
            Value::Register { scalar, place: Place::Word(word) } if scalar.bits() == 32 => {
                // A 32-bit register cannot hold an address of a window.
                let long = self.new_long();
                self.emit(Op::ExtendLong { d: long, a: word, bits: 32, signed: false });
                long
            }
            _ => self.source(instruction, a, Scalar::U64)?,
        };
        let d = self.destination(instruction, d, Scalar::Pred)?;
        // Older targets have no clusters.
        if instruction.words.space == Some(SpaceWord::Shared) && self.target >= 90 {
            self.cold(ColdOp::IsOwnShared { d, a });
            return Ok(());
        }
        if instruction.words.space == Some(SpaceWord::Constant) {
            self.cold(ColdOp::IsConstant { d, a });
            return Ok(());
        }
        if memory == MemorySpace::Global {
            let (is_global, is_constant) = (self.new_predicate(), self.new_predicate());
            self.emit(Op::IsSpace { memory, d: is_global, a });
            self.cold(ColdOp::IsConstant { d: is_constant, a });
            let (a, b) = (Condition::new(is_global, false), Condition::new(is_constant, true));
            self.emit(Op::Logic { operation: Logic::And, d, a, b });
            return Ok(());
        }
        self.emit(Op::IsSpace { memory, d, a });
        Ok(())
    }
}
