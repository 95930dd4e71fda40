//! The words of an instruction, taken one after another by whoever knows what they mean.

use cuda_ptx::modifier::{Modifiers, SpaceWord};

use super::instruction::Instruction;
use super::lowerer::{Lowered, Stop};

/// Words of forms that are right, and that the engine does not have.
const OTHER_FORMS: [&str; 14] = [
    "multicast::cluster",
    "tile::gather4",
    "tile::scatter4",
    "im2col::w",
    "im2col::w::128",
    "im2col_no_offs",
    "sp",
    "sp::ordered_metadata",
    "block_scale",
    "kind::f8f6f4",
    "cta_group::1",
    "cta_group::2",
    "cp_mask",
    "report",
];

/// The words that were not taken yet.
#[derive(Debug)]
pub(super) struct ModifierCursor<'s> {
    left: Vec<&'s str>,
}

impl<'s> ModifierCursor<'s> {
    pub(super) fn new(instruction: &Instruction<'_, 's>) -> Self {
        Self { left: instruction.tree.modifiers.clone() }
    }

    /// Takes a word; whether it was there.
    pub(super) fn take(&mut self, word: &str) -> bool {
        match self.left.iter().position(|other| *other == word) {
            Some(index) => {
                self.left.remove(index);
                true
            }
            None => false,
        }
    }

    /// Takes the first word that is one of `choices`.
    pub(super) fn take_one_of(&mut self, choices: &[&str]) -> Option<&'s str> {
        let index = self.left.iter().position(|word| choices.contains(word))?;
        Some(self.left.remove(index))
    }

    /// Takes the first state space.
    pub(super) fn take_space(&mut self) -> Option<SpaceWord> {
        let found = self.left.iter().enumerate().find_map(|(index, word)| {
            let words = Modifiers::new(std::slice::from_ref(word));
            words.space.map(|space| (index, space))
        });
        let (index, space) = found?;
        self.left.remove(index);
        Some(space)
    }

    /// Refuses whatever is left.
    pub(super) fn finish(self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let Some(word) = self.left.first() else { return Ok(()) };
        if self.left.iter().any(|word| OTHER_FORMS.contains(word)) {
            return Err(Stop::Unsupported(""));
        }
        Err(if Modifiers::new(std::slice::from_ref(word)).unknown.is_empty() {
            instruction.illegal(word)
        } else {
            Stop::Error(format!("Unknown modifier '.{word}'"))
        })
    }
}
