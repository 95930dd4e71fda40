//! Names that `##` may make of pieces anywhere in a program.

use super::reading::{CLOCK, TESTS};

/// Largest number of pieces of a name. Single letters are everywhere, and could make every name.
const MOST: usize = 3;

const NAMES: [&str; 6] = [CLOCK[0], CLOCK[1], CLOCK[2], TESTS[0], TESTS[1], TESTS[2]];

/// Number of letters of the longest name.
const LONGEST: usize = 18;

/// For each letter of a name: bits for the letters that follow it in some name, numbered by their low five bits, and
/// [`IS_LETTER`]. The first two letters rule out most words.
static FOLLOWERS: [u64; 256] = {
    let mut followers = [0; 256];
    let mut of = 0;
    while of < NAMES.len() {
        let name = NAMES[of].as_bytes();
        assert!(name.len() <= LONGEST);
        let mut at = 0;
        while at < name.len() {
            followers[name[at] as usize] |= IS_LETTER;
            if at + 1 < name.len() {
                followers[name[at] as usize] |= 1 << (name[at + 1] & 31);
            }
            at += 1;
        }
        of += 1;
    }
    followers
};
const IS_LETTER: u64 = 1 << 63;

/// Returns whether a word may be a part of one of the names: true for all parts, and for few other words.
pub(super) fn may_be_piece(word: &[u8]) -> bool {
    if word.len() >= LONGEST {
        return false;
    }
    let mut at = 0;
    while at + 1 < word.len() {
        if FOLLOWERS[usize::from(word[at])] & (1 << (word[at + 1] & 31)) == 0 {
            return false;
        }
        at += 1;
    }
    word.last().is_some_and(|letter| FOLLOWERS[usize::from(*letter)] & IS_LETTER != 0)
}

/// Pieces of such names in a text, or in the texts of a program.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Pieces {
    are_pasted: bool,
    /// Lengths of the pieces, for each name and each place in it. Bit 0 stands for one letter.
    lengths: [[u32; LONGEST]; NAMES.len()],
}

impl Pieces {
    pub(super) fn may_be_pasted(&mut self) {
        self.are_pasted = true;
    }

    /// Records a word if it is a part of one of the names, and no name itself: names are noticed elsewhere.
    pub(super) fn add(&mut self, word: &[u8]) {
        if word.is_empty() || NAMES.iter().any(|name| name.as_bytes() == word) {
            return;
        }
        for (name, lengths) in NAMES.iter().zip(&mut self.lengths) {
            for (part, lengths) in name.as_bytes().windows(word.len()).zip(lengths) {
                if part == word {
                    *lengths |= 1 << (word.len() - 1);
                }
            }
        }
    }

    /// Adds the pieces of another text.
    pub(super) fn add_all(&mut self, other: &Pieces) {
        self.are_pasted |= other.are_pasted;
        for (lengths, other) in self.lengths.iter_mut().flatten().zip(other.lengths.iter().flatten()) {
            *lengths |= other;
        }
    }

    /// Returns a name that stands for the date or the time, if the pieces can make one.
    pub(super) fn clock(&self) -> Option<&'static str> {
        CLOCK.into_iter().find(|name| self.make(name))
    }

    /// Returns the name of a test for a file, if the pieces can make one.
    pub(super) fn test(&self) -> Option<&'static str> {
        TESTS.into_iter().find(|name| self.make(name))
    }

    /// Returns whether the pieces can make a name.
    fn make(&self, name: &str) -> bool {
        let Some(lengths) = NAMES.iter().position(|known| *known == name).map(|at| &self.lengths[at]) else {
            return false;
        };
        // A bit for each place that pieces reach from the beginning.
        let mut ends = 1_u32;
        for _ in 0..MOST {
            let before = ends;
            for (at, lengths) in lengths.iter().enumerate().filter(|(at, _)| before >> at & 1 != 0) {
                ends |= lengths << (at + 1);
            }
        }
        self.are_pasted && ends >> name.len() & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::reading::read;
    use super::*;

    fn made(texts: &[&str]) -> (Option<&'static str>, Option<&'static str>) {
        let mut pieces = Pieces::default();
        for text in texts {
            pieces.add_all(&read(text.as_bytes()).pieces);
        }
        (pieces.clock(), pieces.test())
    }

    #[test]
    fn names_are_made_of_pieces() {
        assert_eq!(made(&["#define CAT(a, b) a##b", "CAT(__DA, TE__)"]), (Some("__DATE__"), None));
        assert_eq!(made(&["CAT(__DA, TE__)", "#define CAT(a, b) a %:%: b"]), (Some("__DATE__"), None));
        assert_eq!(
            made(&["#define CAT(a, b) a??=??=b", "CAT(__has_, include)"]),
            (None, Some("__has_include"))
        );
        assert_eq!(made(&["#define W(a) __ #\\\n# a##__", "W(TIME)"]), (Some("__TIME__"), None));
        assert_eq!(made(&["a##b", "__has", "_inc", "lude_next"]), (None, Some("__has_include_next")));
    }

    #[test]
    fn what_lacks_a_piece_is_not_made() {
        assert_eq!(made(&["CAT(__DA, TE__)"]), (None, None), "nothing is pasted");
        assert_eq!(made(&["a##b", "__DA E__ DATE", "__$TIME__"]), (None, None));
        assert_eq!(made(&["#define W(a) __##a##__", "W(x)", "include"]), (None, None));
        assert_eq!(made(&["a##b", "#if __has_include(\"a.h\")"]), (None, None), "it is whole");
        assert_eq!(made(&["a##b", "#if __has_include(\"a.h\")", "_ next"]), (None, None), "so it is here");
        assert_eq!(made(&["a##b", "__ h a s _ include"]), (None, None), "no compiler does");
    }

    #[test]
    fn parts_of_names_may_be_pieces_and_others_not() {
        for name in NAMES {
            for start in 0..name.len() {
                for end in start + 1..=name.len().min(start + LONGEST - 1) {
                    assert!(may_be_piece(&name.as_bytes()[start..end]), "{name} {start}..{end}");
                }
            }
        }
        for word in ["", "the", "Date", "b2", "$", "__DATE__of_somewhere"] {
            assert!(!may_be_piece(word.as_bytes()), "{word}");
        }
    }
}
