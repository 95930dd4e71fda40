//! Registers with one definition, which is their first mention in the text.

use std::collections::HashMap;

use cuda_ptx::ast::{Instruction, Operand, Statement};

/// Registers of a function by name: true for those with one definition that is their first mention.
#[derive(Debug, Default)]
pub(super) struct Definitions<'s>(HashMap<&'s str, bool>);

/// Effect of an instruction on a register that it names.
#[derive(Clone, Copy)]
enum Mention {
    Use,
    Definition,
    /// Effect that is not examined.
    Unknown,
}

impl<'s> Definitions<'s> {
    pub(super) fn of(body: &[Statement<'s>]) -> Self {
        let mut definitions = Self::default();
        definitions.statements(body);
        definitions
    }

    /// Returns whether an operand is a register that this instruction alone defines, and that no earlier one names.
    pub(super) fn is_only(&self, operand: &Operand<'_>) -> bool {
        matches!(operand, Operand::Name { name, addend: 0 } if self.0.get(name) == Some(&true))
    }

    /// Excludes a register, because more than the instructions of the body reads or writes it.
    pub(super) fn exclude(&mut self, name: &'s str) {
        self.0.insert(name, false);
    }

    fn statements(&mut self, body: &[Statement<'s>]) {
        for statement in body {
            match statement {
                Statement::Instruction(instruction) => self.instruction(instruction),
                Statement::Block(inner) => self.statements(inner),
                _ => {}
            }
        }
    }

    fn instruction(&mut self, instruction: &Instruction<'s>) {
        if let Some((guard, _)) = &instruction.guard {
            self.mention(guard, Mention::Use);
        }
        // The first operand is the result. An instruction reads the other operands before.
        for (index, operand) in instruction.operands.iter().enumerate().rev() {
            let mention = match (instruction.opcode, index) {
                ("call", _) => Mention::Unknown,
                (_, 0) => Mention::Definition,
                _ => Mention::Use,
            };
            self.mention(operand, mention);
        }
    }

    fn mention(&mut self, operand: &Operand<'s>, mention: Mention) {
        match operand {
            Operand::Element { name, index } => {
                self.exclude(name);
                self.mention(index, Mention::Use);
            }
            Operand::Component { name, .. } => self.exclude(name),
            Operand::Name { name, .. } => {
                let known = self.0.get(name).copied();
                let only = match mention {
                    Mention::Use => known == Some(true),
                    Mention::Definition => known.is_none(),
                    Mention::Unknown => false,
                };
                self.0.insert(name, only);
            }
            Operand::Not(inner) | Operand::Negative(inner) => self.mention(inner, mention),
            Operand::Vector(inner) | Operand::List(inner) => {
                inner.iter().for_each(|operand| self.mention(operand, mention));
            }
            Operand::Address(inner) => inner.iter().for_each(|operand| self.mention(operand, Mention::Use)),
            Operand::Pair(first, second) => {
                self.mention(first, mention);
                self.mention(second, mention);
            }
            Operand::Constant(_) | Operand::Sink => {}
        }
    }
}
