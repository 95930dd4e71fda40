//! Elements of arrays as operands: `array[3]`, `array[%r+1]`.

use cuda_ptx::ast::{Constant as Literal, Operand};
use cuda_ptx::modifier::SpaceWord;
use cuda_ptx::types::Space;

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::memory::Target;
use super::mov::same_space;
use super::operands::Value;
use super::scope::{Role, Symbol};
use super::special_register::Source;
use crate::op::{Base, IntegerKind, MemorySpace, Op, Place, Slot};

/// Address of a variable or of an element.
pub(super) enum Located {
    /// At a known distance from the start of the variable.
    Near { symbol: Symbol, distance: i64 },
    /// In a long for global and constant memory, in a word for other spaces.
    Computed(Place),
}

/// Index of an element.
enum Index {
    Known(i64),
    Computed { word: Slot, addend: i64 },
}

impl<'s> Lowerer<'_, 's> {
    /// Records what is wrong with the names in an element.
    pub(super) fn check_element(&mut self, operand: &Operand<'s>, name: &'s str, index: &Operand<'s>) {
        self.check_names(&Operand::Name { name, addend: 0 });
        self.check_names(index);
        if !matches!(self.value(operand), Value::Element { .. }) {
            return self.error("Array indexing on non-array");
        }
        let Operand::Name { name, .. } = index else { return };
        let kind = match self.value(index) {
            Value::Register { scalar, .. } | Value::Special { scalar, .. } if !scalar.is_integer() => {
                scalar.name()
            }
            Value::Vector { .. } | Value::Special { source: Source::Vector(_), .. } => "3",
            Value::Function(_) | Value::Label(_) | Value::Targets | Value::Prototype => "(null)",
            Value::Wide(_) => return self.error("Illegal operand type for address/array-index"),
            _ => return,
        };
        self.error(format!(
            "Illegal to use symbol '{name}' of type {kind} as array index. Use integer or bit only."
        ));
    }

    /// Returns the address of an element, or `None` for other operands.
    pub(super) fn element(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
    ) -> Lowered<Option<Located>> {
        let Operand::Element { index, .. } = operand else { return Ok(None) };
        let Value::Element { space, symbol, elements } = self.value(operand) else { return Ok(None) };
        let bytes = elements.bytes;
        // The index and its product with the size have 32 bits (conformance fact V1082).
        let scaled = |index: i64| (index as u32).wrapping_mul(bytes);
        let is_global = space == Space::Global;
        let distance = |index| {
            let product = scaled(index);
            // Addresses of 32 bits wrap around.
            if is_global { i64::from(product) } else { i64::from(product.cast_signed()) }
        };
        Ok(Some(match self.index(instruction, index)? {
            Index::Known(index) => Located::Near { symbol, distance: distance(index) },
            Index::Computed { word, addend } => {
                let (b, d) = (self.word(bytes), self.new_word());
                let place = if matches!(space, Space::Global | Space::Constant) {
                    let start = self.variable_address(&symbol, 0)?;
                    let (c, start) = (self.word(scaled(addend)), self.constant_long(start));
                    self.emit(Op::MultiplyAddWord { d, a: word, b, c });
                    let kind = if is_global { IntegerKind::U32 } else { IntegerKind::S32 };
                    Place::Long(self.widened(kind, d, start))
                } else {
                    let start = self.variable_address(&symbol, distance(addend))?;
                    let c = self.constant_word(start);
                    self.emit(Op::MultiplyAddWord { d, a: word, b, c });
                    Place::Word(d)
                };
                Located::Computed(place)
            }
        }))
    }

    /// Returns the address of a variable or of an element, or `None` for other operands.
    pub(super) fn located(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
    ) -> Lowered<Option<Located>> {
        let found = self.value(operand);
        if let Value::Variable { symbol: Symbol::Parameter { role: Role::Call, .. }, .. }
        | Value::Element { symbol: Symbol::Parameter { role: Role::Call, .. }, .. } = &found
            && let Operand::Name { name, .. } | Operand::Element { name, .. } = operand
        {
            return Err(Stop::Error(format!("Illegal to take address of parameter '{name}'")));
        }
        match found {
            Value::Variable { symbol, addend, .. } => Ok(Some(Located::Near { symbol, distance: addend })),
            _ => self.element(instruction, operand),
        }
    }

    /// Returns the sum of an extended word and a long.
    pub(super) fn widened(&mut self, kind: IntegerKind, word: Slot, c: Slot) -> Slot {
        let (one, d) = (self.word(1), self.new_long());
        self.emit(Op::Widen { kind, d, a: word, b: one, c });
        d
    }

    fn index(&mut self, instruction: &Instruction<'_, 's>, index: &Operand<'s>) -> Lowered<Index> {
        let addend = match index {
            Operand::Name { addend, .. } => *addend,
            Operand::Constant(Literal::Integer { bits, .. }) => return Ok(Index::Known(bits.cast_signed())),
            _ => 0,
        };
        let place = match self.value(index) {
            Value::Register { scalar, place } if scalar.is_integer() && scalar.bits() >= 32 => place,
            Value::Special { scalar, source }
                if scalar.is_integer() && !matches!(source, Source::Vector(_)) =>
            {
                self.special_place(instruction, scalar, source)?
            }
            // The upper bits of such a register are undefined, and ptxas uses them.
            Value::Register { scalar, .. } if scalar.is_integer() => {
                return Err(Stop::Unsupported("a narrow index"));
            }
            Value::Variable { .. } => return Err(Stop::Unsupported("an address as an index")),
            // The error is in the log.
            _ => return Ok(Index::Known(0)),
        };
        Ok(Index::Computed { word: self.low_word(place), addend })
    }

    /// Returns the place that a load or store of an element accesses, or `None` for other operands.
    pub(super) fn element_target(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
    ) -> Lowered<Option<Target>> {
        let Value::Element { space, .. } = self.value(operand) else { return Ok(None) };
        let fits = match instruction.words.space {
            None => !matches!(space, Space::Parameter | Space::Constant),
            Some(word) => same_space(word, space),
        };
        if !fits {
            return Err(instruction.space_mismatch());
        }
        if instruction.words.space == Some(SpaceWord::SharedCluster) {
            self.requires("::cluster", (7, 8), 90)?;
        }
        let Some(element) = self.element(instruction, operand)? else { return Ok(None) };
        if matches!(element, Located::Computed(_)) && space == Space::Parameter && !self.entry {
            return Err(Stop::Unsupported("the address of a parameter of a function"));
        }
        Ok(Some(match element {
            Located::Near { symbol, distance } => self.symbol_address(&symbol, distance)?,
            Located::Computed(place) => {
                let memory = match space {
                    Space::Shared => MemorySpace::Shared,
                    Space::Local => MemorySpace::Local,
                    Space::Parameter => MemorySpace::Parameter,
                    _ => MemorySpace::Global,
                };
                let base = match place {
                    Place::Long(slot) => Base::Long(slot),
                    Place::Word(slot) | Place::Predicate(slot) => Base::Word(slot),
                };
                Target::Memory { memory, base, offset: 0 }
            }
        }))
    }
}
