//! Names that `##` may make, of pieces that stand anywhere in a program.

use super::reading::{CLOCK, TESTS, contains};
use std::collections::BTreeSet;

/// Of more pieces nobody makes a name. Single letters, which are everywhere, make everything.
const MOST: usize = 3;

/// The letters of the names: most words have others.
const LETTERS: [bool; 256] = {
    let (letters, mut are) = (b"_ADEIMPSTabcdehilmnstuxw", [false; 256]);
    let mut at = 0;
    while at < letters.len() {
        are[letters[at] as usize] = true;
        at += 1;
    }
    are
};

/// All that was seen of such names in the texts of a program.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    are_pasted: bool,
    words: BTreeSet<Vec<u8>>,
}

fn names() -> impl Iterator<Item = &'static str> {
    CLOCK.into_iter().chain(TESTS)
}

impl Pieces {
    pub(super) fn may_be_pasted(&mut self) {
        self.are_pasted = true;
    }

    /// Notes a word if it is a part of one of the names, and none of them: those are noticed where they stand.
    pub(super) fn add(&mut self, word: &[u8]) {
        let is_piece = |name: &str| word.len() < name.len() && contains(name.as_bytes(), word);
        let has_letters = || word.iter().all(|letter| LETTERS[usize::from(*letter)]);
        let is_name = || names().any(|name| name.as_bytes() == word);
        if has_letters() && names().any(is_piece) && !is_name() && !self.words.contains(word) {
            self.words.insert(word.to_owned());
        }
    }

    /// A name that stands for the date or the time.
    pub(super) fn clock(&self) -> Option<&'static str> {
        CLOCK.into_iter().find(|name| self.make(name))
    }

    /// The name of a test for a file.
    pub(super) fn test(&self) -> Option<&'static str> {
        TESTS.into_iter().find(|name| self.make(name))
    }

    /// Whether the name can be laid out of the pieces.
    fn make(&self, name: &str) -> bool {
        let name = name.as_bytes();
        let mut ends = BTreeSet::from([0]);
        for _ in 0..MOST {
            let longer = |at: usize| {
                let words = self.words.iter().filter(move |word| name[at..].starts_with(word));
                words.map(move |word| at + word.len())
            };
            let next: Vec<usize> = ends.iter().copied().flat_map(longer).collect();
            ends.extend(next);
        }
        self.are_pasted && ends.contains(&name.len())
    }
}

#[cfg(test)]
mod tests {
    use super::super::reading::read;
    use super::*;

    fn made(texts: &[&str]) -> (Option<&'static str>, Option<&'static str>) {
        let mut pieces = Pieces::default();
        for text in texts {
            read(text.as_bytes(), &mut pieces);
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
        assert_eq!(made(&["a##b", "__ h a s _ include"]), (None, None), "nobody does");
    }

    #[test]
    fn the_letters_are_those_of_the_names() {
        assert!(names().all(|name| name.bytes().all(|letter| LETTERS[usize::from(letter)])));
    }
}
