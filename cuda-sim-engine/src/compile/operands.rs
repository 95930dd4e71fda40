//! Operands: their meaning, and the check of their types.

use cuda_ptx::ast::{self, Operand};
use cuda_ptx::types::{Class, Scalar, Space};

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::scope::{Elements, Symbol};
use super::special_register::{self, Source};
use crate::function::{Constant, Special};
use crate::op::{Condition, Op, Place, Slot};
use crate::program::ReferenceKind;

/// Resolved operand.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Register {
        scalar: Scalar,
        place: Place,
    },
    Vector {
        scalar: Scalar,
        places: Vec<Place>,
    },
    Special {
        scalar: Scalar,
        source: Source,
    },
    Literal(ast::Constant),
    /// Variable, or an address near one.
    Variable {
        space: Space,
        symbol: Symbol,
        addend: i64,
    },
    /// Element of an array.
    Element {
        space: Space,
        symbol: Symbol,
        elements: Elements,
    },
    Function(usize),
    Label(usize),
    Targets,
    Prototype,
    /// A texture, surface or sampler reference of the module.
    Reference {
        index: usize,
        kind: ReferenceKind,
        usable: bool,
    },
    /// Parameter of the kernel that is a texture, surface or sampler reference.
    ReferenceParameter {
        offset: u32,
        kind: ReferenceKind,
    },
    Wide([Slot; 2]),
    /// Some bytes of a register. Only video instructions accept them.
    Part,
    /// Undeclared name, which was recorded.
    Unknown,
}

/// Rule for operands that are wider than the type of the instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    Exact,
    Relaxed,
}

/// Returns whether a register of type `register` is valid for an operand of type `wanted`.
pub(super) fn fits(wanted: Scalar, register: Scalar, fit: Fit) -> bool {
    let size = match fit {
        Fit::Exact => register.bits() == wanted.bits(),
        Fit::Relaxed => register.bits() >= wanted.bits(),
    };
    let same_size = register.bits() == wanted.bits();
    if wanted == Scalar::Pred || register == Scalar::Pred {
        return wanted == register;
    }
    size && match wanted.class() {
        Class::Bits => true,
        Class::Unsigned | Class::Signed => {
            matches!(register.class(), Class::Bits | Class::Unsigned | Class::Signed)
                || register == Scalar::F16x2
        }
        Class::Float => match wanted {
            Scalar::Bf16 => register == Scalar::B16,
            _ => register.class() == Class::Bits || (same_size && register == wanted),
        },
        Class::Packed if wanted == Scalar::Bf16x2 => register == Scalar::B32,
        Class::Packed => register.class() == Class::Bits || (same_size && register == Scalar::F16x2),
        Class::Predicate | Class::Other => false,
    }
}

/// Returns the bits of a literal as a value of a type, if the type accepts such literals.
pub(super) fn literal(constant: ast::Constant, wanted: Scalar) -> Option<u64> {
    match constant {
        ast::Constant::Integer { bits, .. } => {
            let integer = wanted.is_integer() || wanted == Scalar::Pred;
            let mask = 1u64.checked_shl(wanted.bits()).map_or(u64::MAX, |limit| limit - 1);
            let bits = if wanted == Scalar::Pred { u64::from(bits != 0) } else { bits & mask };
            integer.then_some(bits)
        }
        ast::Constant::Single(bits) => match wanted {
            Scalar::F32 | Scalar::B32 => Some(u64::from(bits)),
            Scalar::F64 => Some(f64::from(f32::from_bits(bits)).to_bits()),
            _ => None,
        },
        ast::Constant::Double(value) => match wanted {
            Scalar::F32 => Some(u64::from((value as f32).to_bits())),
            Scalar::F64 | Scalar::B64 => Some(value.to_bits()),
            _ => None,
        },
    }
}

impl<'s> Lowerer<'_, 's> {
    /// Resolves an operand.
    pub(super) fn value(&mut self, operand: &Operand<'s>) -> Value {
        match operand {
            Operand::Constant(constant) => Value::Literal(*constant),
            Operand::Name { name, addend } => self.named(name, *addend),
            Operand::Element { name, .. } => match (self.named(name, 0), self.elements(name)) {
                (Value::Variable { space, symbol, .. }, Some(elements)) => {
                    Value::Element { space, symbol, elements }
                }
                // ptxas takes another name with an index for a number, after its error (conformance fact V1085).
                _ => Value::Literal(ast::Constant::Integer { bits: 0, signed: true }),
            },
            Operand::Component { name, component } => self.component(name, component),
            Operand::Not(_)
            | Operand::Negative(_)
            | Operand::Vector(_)
            | Operand::Address(_)
            | Operand::Pair(..)
            | Operand::List(_)
            | Operand::Sink => Value::Unknown,
        }
    }

    fn named(&mut self, name: &str, addend: i64) -> Value {
        let variable = |space, symbol| Value::Variable { space, symbol, addend };
        match self.lookup(name) {
            Some(Symbol::Register { scalar, places }) => match places.as_slice() {
                [place] => {
                    self.touch(*place);
                    Value::Register { scalar, place: self.resolved(*place) }
                }
                _ => Value::Vector { scalar, places },
            },
            Some(Symbol::WideRegister(slots)) => {
                slots.iter().for_each(|&slot| self.touch(Place::Long(slot)));
                Value::Wide(slots)
            }
            Some(symbol @ Symbol::Local(_)) => variable(Space::Local, symbol),
            Some(symbol @ Symbol::Shared(_)) => variable(Space::Shared, symbol),
            Some(Symbol::Global(index)) => variable(self.space_of(index), Symbol::Global(index)),
            Some(symbol @ (Symbol::EntryParameter { .. } | Symbol::Parameter { .. })) => {
                variable(Space::Parameter, symbol)
            }
            Some(Symbol::Reference { index, kind, usable }) => Value::Reference { index, kind, usable },
            Some(Symbol::ReferenceParameter { offset, kind }) => Value::ReferenceParameter { offset, kind },
            Some(Symbol::Function(index)) => Value::Function(index),
            Some(Symbol::Label(index)) => Value::Label(index),
            Some(Symbol::Targets(_)) => Value::Targets,
            Some(Symbol::Prototype(_)) => Value::Prototype,
            None => match special_register::find(name, None) {
                Some((scalar, source)) => Value::Special { scalar, source },
                None => Value::Unknown,
            },
        }
    }

    fn component(&mut self, name: &str, component: &str) -> Value {
        if let Some(Symbol::Register { scalar, places }) = self.lookup(name) {
            let index = match component {
                "x" | "r" => 0,
                "y" | "g" => 1,
                "z" | "b" => 2,
                "w" | "a" => 3,
                _ => usize::MAX,
            };
            if let Some(place) = places.get(index).filter(|_| places.len() > 1) {
                self.touch(*place);
                self.parts.insert(*place);
                return Value::Register { scalar, place: *place };
            }
            return if places.len() == 1 && super::video::is_selector(component) {
                Value::Part
            } else {
                Value::Unknown
            };
        }
        match special_register::find(name, Some(component)) {
            Some((scalar, source)) => Value::Special { scalar, source },
            None => Value::Unknown,
        }
    }

    /// Records every undeclared name in an operand.
    pub(super) fn check_names(&mut self, operand: &Operand<'s>) {
        match operand {
            Operand::Name { name, .. } => {
                if self.lookup(name).is_none() && special_register::find(name, None).is_none() {
                    self.unknown_symbol(name);
                }
                self.check_special(name);
            }
            Operand::Element { name, index } => self.check_element(operand, name, index),
            Operand::Component { name, component } => {
                self.check_special(name);
                if matches!(self.component(name, component), Value::Unknown) {
                    self.error(format!("Unknown field '.{component}'"));
                    if self.lookup(name).is_none() && special_register::find(name, None).is_none() {
                        self.unknown_symbol(name);
                    }
                }
            }
            Operand::Not(inner) | Operand::Negative(inner) => self.check_names(inner),
            Operand::Vector(inner) | Operand::Address(inner) | Operand::List(inner) => {
                for operand in inner {
                    self.check_names(operand);
                }
            }
            Operand::Pair(first, second) => {
                self.check_names(first);
                self.check_names(second);
            }
            Operand::Constant(_) | Operand::Sink => {}
        }
    }

    /// Refuses special registers that the version or the target of the module lacks.
    fn check_special(&mut self, name: &str) {
        let Some((version, target)) =
            special_register::requirement(name).filter(|_| self.lookup(name).is_none())
        else {
            return;
        };
        for (version, target) in [(version, 0), ((0, 0), target)] {
            if let Err(Stop::Error(text)) = self.requires(name, version, target) {
                self.error(text);
            }
        }
    }

    // Sources.

    /// Returns a source operand of exactly the type `wanted`. The type determines the register file of the slot.
    pub(super) fn source(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        wanted: Scalar,
    ) -> Lowered<Slot> {
        let place = self.source_place(instruction, operand, wanted, Fit::Exact)?;
        Ok(slot(place))
    }

    /// Returns a source operand whose register may be wider than the type. The low bits count.
    pub(super) fn wide_source(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        wanted: Scalar,
    ) -> Lowered<Slot> {
        let place = self.source_place(instruction, operand, wanted, Fit::Relaxed)?;
        Ok(if wanted.bits() < 64 { self.low_word(place) } else { slot(place) })
    }

    pub(super) fn source_place(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        wanted: Scalar,
        fit: Fit,
    ) -> Lowered<Place> {
        match self.value(operand) {
            Value::Register { scalar, place } if fits(wanted, scalar, fit) => Ok(place),
            Value::Literal(constant) => match literal(constant, wanted) {
                Some(bits) => Ok(self.constant_place(Constant::Bits(bits), wanted)),
                None => Err(instruction.mismatch()),
            },
            Value::Wide(_) if fits(wanted, Scalar::B128, fit) => Err(Stop::Unsupported("128-bit registers")),
            Value::Special { .. } => Err(instruction.no_special()),
            Value::Element { elements, .. } if !fits(wanted, elements.scalar, fit) => {
                Err(instruction.mismatch())
            }
            Value::Variable { .. } | Value::Element { .. } | Value::Function(_) => Err(Stop::Error(format!(
                "Argument {} of instruction '{}': must be register",
                instruction.position(operand),
                instruction.name
            ))),
            _ => Err(instruction.mismatch()),
        }
    }

    pub(super) fn constant_place(&mut self, constant: Constant, wanted: Scalar) -> Place {
        match (constant, wanted.bits()) {
            (Constant::Bits(bits), 1) => {
                // Predicate constants are the slot that is always true, or its negation. Callers that accept conditions
                // handle them; this code fills a predicate register.
                let slot = self.new_predicate();
                self.function.constants.push((Place::Predicate(slot), Constant::Bits(bits)));
                Place::Predicate(slot)
            }
            (constant, 64) => Place::Long(self.constant_long(constant)),
            (constant, _) => Place::Word(self.constant_word(constant)),
        }
    }

    /// Returns a predicate source, which may be negated or a constant.
    pub(super) fn condition(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
    ) -> Lowered<Condition> {
        if let Operand::Not(inner) = operand {
            return Ok(self.condition(instruction, inner)?.negate());
        }
        match self.value(operand) {
            Value::Register { scalar: Scalar::Pred, place } => Ok(Condition::new(slot(place), false)),
            Value::Literal(ast::Constant::Integer { bits, .. }) => {
                Ok(if bits != 0 { Condition::ALWAYS } else { Condition::NEVER })
            }
            _ => Err(instruction.mismatch()),
        }
    }

    /// Returns `%is_explicit_cluster`, the only special register that is a predicate.
    pub(super) fn in_clusters(&mut self) -> Condition {
        let slot = self.new_predicate();
        let constant = Constant::Special(Special::InClusters);
        self.function.constants.push((Place::Predicate(slot), constant));
        Condition::new(slot, false)
    }

    // Destinations.

    /// Returns a destination register of exactly the type `wanted`.
    pub(super) fn destination(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        wanted: Scalar,
    ) -> Lowered<Slot> {
        let (place, _) = self.destination_place(instruction, operand, wanted, Fit::Exact)?;
        Ok(slot(place))
    }

    pub(super) fn destination_place(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        wanted: Scalar,
        fit: Fit,
    ) -> Lowered<(Place, Scalar)> {
        if matches!(operand, Operand::Sink) {
            let text = format!("Result discard mode is not allowed for instruction '{}'", instruction.name);
            return Err(Stop::Fatal(text));
        }
        if matches!(operand, Operand::Name { addend, .. } if *addend != 0) {
            return Err(instruction.mismatch());
        }
        match self.value(operand) {
            Value::Register { scalar, place } if fits(wanted, scalar, fit) => Ok((place, scalar)),
            Value::Wide(_) if fits(wanted, Scalar::B128, fit) => Err(Stop::Unsupported("128-bit registers")),
            Value::Special { .. } => {
                Err(Stop::Error("Read-only special register cannot be destination argument".into()))
            }
            Value::Literal(_) => {
                Err(Stop::Error(format!("Result register required for instruction '{}'", instruction.name)))
            }
            _ => Err(instruction.mismatch()),
        }
    }

    // Addresses.

    /// Returns the address of a variable in its own space, as a constant.
    pub(super) fn variable_address(&mut self, symbol: &Symbol, addend: i64) -> Lowered<Constant> {
        Ok(match symbol {
            Symbol::Global(index) => Constant::Global(*index, addend),
            Symbol::Shared(index) => {
                self.function.shared.insert(*index);
                Constant::Shared(*index, addend)
            }
            Symbol::Local(offset) => Constant::Local(offset.wrapping_add(addend)),
            Symbol::EntryParameter { offset, .. } => {
                Constant::Bits(i64::from(*offset).wrapping_add(addend).cast_unsigned())
            }
            Symbol::Parameter { stack: Some(offset), .. } => Constant::Local(offset.wrapping_add(addend)),
            Symbol::Parameter { stack: None, .. } => {
                return Err(Stop::Unsupported("the address of a parameter of a function"));
            }
            _ => Constant::Bits(0),
        })
    }

    /// Returns the space of a module variable.
    pub(super) fn space_of(&self, index: usize) -> Space {
        use crate::program::GlobalSpace;
        match self.unit.globals.get(index).map(|global| global.space) {
            Some(GlobalSpace::Constant) => Space::Constant,
            _ => Space::Global,
        }
    }

    /// Returns a word that holds a special register.
    pub(super) fn special(&mut self, special: Special) -> Slot {
        self.constant_word(Constant::Special(special))
    }

    /// Returns a place that holds a special register of a type.
    pub(super) fn special_place(
        &mut self,
        instruction: &Instruction<'_, 's>,
        scalar: Scalar,
        source: Source,
    ) -> Lowered<Place> {
        let long = scalar.bits() == 64;
        match source {
            Source::Known(special) if long => Ok(Place::Long(self.constant_long(Constant::Special(special)))),
            Source::Known(special) => Ok(Place::Word(self.special(special))),
            Source::Clock(clock) => {
                let d = if long { Place::Long(self.new_long()) } else { Place::Word(self.new_word()) };
                self.emit(Op::Clock { d, clock });
                Ok(d)
            }
            Source::Vector(_) => Err(instruction.no_vector()),
        }
    }

    /// Returns the low 32 bits of a place as a word.
    pub(super) fn low_word(&mut self, place: Place) -> Slot {
        match place {
            Place::Long(long) => {
                let word = self.new_word();
                self.emit(Op::Split { low: word, high: crate::op::NONE, a: long });
                word
            }
            place => slot(place),
        }
    }
}

/// Returns the slot of a place in its register file.
pub(super) fn slot(place: Place) -> Slot {
    match place {
        Place::Word(slot) | Place::Long(slot) | Place::Predicate(slot) => slot,
    }
}
