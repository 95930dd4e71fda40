//! A cursor over the words of an instruction, for code that takes each word that it knows.

use cuda_ptx::modifier::{Modifiers, SpaceWord};

use super::instruction::Instruction;
use super::lowerer::{Lowered, Stop};

/// Words of valid forms that the engine does not have.
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

/// Words that were not taken yet.
#[derive(Debug)]
pub(super) struct ModifierCursor<'s> {
    left: Vec<&'s str>,
}

impl<'s> ModifierCursor<'s> {
    pub(super) fn new(instruction: &Instruction<'_, 's>) -> Self {
        Self { left: instruction.tree.modifiers.clone() }
    }

    /// Takes a word. Returns whether it was present.
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

    /// Refuses all words that were not taken.
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
