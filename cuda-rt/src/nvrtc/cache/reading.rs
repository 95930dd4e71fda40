//! Files that a text may make the compiler open, whichever way the compiler reads the text.
//!
//! Compilers differ: 11.2 and 11.8 know `??/` and `??=`, 13.5 does not. None of the three joins lines with blanks between a
//! backslash and the line break, as other compilers do. A lone carriage return is a blank to all three. So this module joins
//! lines wherever any compiler may join them, and treats every non-printing character as a blank. It does not distinguish
//! comments, strings and the beginnings of lines from other text.
//!
//! This finds the directives of every reading: a directive is recognised by the text right after its mark, which no earlier
//! joining of lines removes. Further findings are harmless: one more file in a key, or a program that is not cached. Only words
//! about directives, such as `the first #include of this`, are ignored where no reading begins a line.

use super::pasting::{self, Pieces};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::BufRead;

/// Files that a text may include, and other findings.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) headers: Vec<Header>,
    /// A name that stands for the date or the time.
    pub(super) clock: Option<&'static str>,
    /// The first directive that cannot be followed.
    pub(super) unclear: Option<String>,
    /// Words that `##` may join to names.
    pub(super) pieces: Pieces,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) name: String,
    pub(super) is_quoted: bool,
}

/// Names whose value no file determines.
pub(super) const CLOCK: [&str; 3] = ["__DATE__", "__TIME__", "__TIMESTAMP__"];
/// Names of tests for files.
pub(super) const TESTS: [&str; 3] = ["__has_include", "__has_include_next", "__has_embed"];

/// More bytes than a file name has.
const LONGEST: usize = 4096;

/// The ways to write `#`.
const MARKS: [&[u8]; 3] = [b"#", b"%:", b"??="];

/// Bit of a byte of a word.
const WORD: u8 = 1;
/// Bit of an underscore.
const UNDERSCORE: u8 = 2;
/// Bit of the first byte of some way to write `##`, and of other texts.
const PAIR: u8 = 4;

/// Kinds of each byte. A table is fast in builds without optimisation too: a program that includes one header of the toolkit has
/// a megabyte of text.
static KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0_u8;
    loop {
        let word = if is_of_word(&byte) { WORD } else { 0 };
        let underscore = if byte == b'_' { UNDERSCORE } else { 0 };
        let pair = if matches!(byte, b'#' | b':' | b'?') { PAIR } else { 0 };
        kinds[byte as usize] = word | underscore | pair;
        if byte == u8::MAX {
            break kinds;
        }
        byte += 1;
    }
};

/// Searches a text for all of these.
pub(super) fn read(text: &[u8]) -> Found {
    let (text, joints) = joined(text);
    let text: &[u8] = &text;
    let mut found = Found::default();
    // Words that may be pieces of names, each once.
    let mut pieces = BTreeSet::new();
    let mut at = 0;
    while at < text.len() {
        let kind = KINDS[usize::from(text[at])];
        if kind & WORD == 0 {
            // All ways to write `##`, and other texts.
            if kind & PAIR != 0
                && matches!(text[at..], [b'#', b'#', ..] | [b':', b'%', ..] | [b'?', b'=', ..])
            {
                found.pieces.may_be_pasted();
            }
            at += 1;
            continue;
        }
        let start = at;
        let mut kinds = kind;
        at += 1;
        while at < text.len() && KINDS[usize::from(text[at])] & WORD != 0 {
            kinds |= KINDS[usize::from(text[at])];
            at += 1;
        }
        let word = &text[start..at];
        if pasting::may_be_piece(word) {
            pieces.insert(word);
        }
        let is_directive = matches!(word, b"include" | b"include_next" | b"import" | b"embed");
        if !is_directive && (kinds & UNDERSCORE == 0 || !may_hold_name(word)) {
            continue;
        }
        let (before, after) = (&text[..start], &text[at..]);
        let header = if is_directive {
            if ends_with_mark(before) {
                let header = if word == b"include" { header(after) } else { None };
                if header.is_none() && !may_begin_line(before, &joints) {
                    continue; // words about it
                }
                header
            } else if ends_with_comment(before) {
                None
            } else {
                continue;
            }
        } else {
            let clock = CLOCK.into_iter().find(|clock| contains(word, clock.as_bytes()));
            found.clock = found.clock.or(clock);
            let is_test = TESTS.into_iter().any(|test| contains(word, test.as_bytes()));
            match (is_test, opened(after)) {
                (false, _) => continue,
                (true, Some(inside)) if word == b"__has_include" => header(inside),
                (true, None) if is_asked_for(before) => continue,
                (true, _) => None,
            }
        };
        match header {
            Some(header) => found.headers.push(header),
            None => found.unclear = found.unclear.or_else(|| Some(line(text, start))),
        }
    }
    for word in pieces {
        found.pieces.add(word);
    }
    found
}

/// Returns whether a word contains the first three letters of a name in [`CLOCK`] or [`TESTS`].
fn may_hold_name(word: &[u8]) -> bool {
    let mut at = 0;
    while at + 2 < word.len() {
        if word[at] == b'_' && word[at + 1] == b'_' && matches!(word[at + 2], b'D' | b'T' | b'h') {
            return true;
        }
        at += 1;
    }
    false
}

/// Finds a byte. Uses the search of the standard library, because it is optimised in all builds.
fn next(byte: u8, text: &[u8], from: usize) -> Option<usize> {
    let mut rest = text.get(from..)?;
    // Slices are read without errors.
    let end = from + rest.skip_until(byte).ok()?;
    (end > from && text[end - 1] == byte).then(|| end - 1)
}

/// Returns the text without line breaks after a backslash, however it is written, and with or without blanks between the two; and
/// the places of these line breaks.
fn joined(text: &[u8]) -> (Cow<'_, [u8]>, Vec<usize>) {
    let mut joined = Vec::new();
    let mut joints = Vec::new();
    // The text before `copied` is in `joined`; then come the places of the next backslash and the next question mark.
    let mut copied = 0;
    let mut backslash = next(b'\\', text, 0);
    let mut trigraph = next(b'?', text, 0);
    while let Some(at) = backslash.into_iter().chain(trigraph).min() {
        let is_backslash = text[at] == b'\\';
        let rest = if is_backslash { Some(&text[at + 1..]) } else { text[at..].strip_prefix(b"??/") };
        let next_at = match rest.and_then(after_line_break) {
            Some(rest) => {
                joined.extend_from_slice(&text[copied..at]);
                joints.push(joined.len());
                copied = text.len() - rest.len();
                copied
            }
            None => at + 1,
        };
        for (byte, place) in [(b'\\', &mut backslash), (b'?', &mut trigraph)] {
            if place.is_some_and(|place| place < next_at) {
                *place = next(byte, text, next_at);
            }
        }
    }
    if joints.is_empty() {
        return (Cow::Borrowed(text), joints);
    }
    joined.extend_from_slice(&text[copied..]);
    (Cow::Owned(joined), joints)
}

/// Returns the text after blanks and a line break, if there is one.
fn after_line_break(text: &[u8]) -> Option<&[u8]> {
    let blanks = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | 0x0b | 0x0c | b'\r')).count();
    let (blanks, after) = text.split_at(blanks);
    let carriage_return = || Some(&text[blanks.iter().rposition(|byte| *byte == b'\r')? + 1..]);
    after.strip_prefix(b"\n").or_else(carriage_return)
}

pub(super) fn contains(text: &[u8], part: &[u8]) -> bool {
    let may_start = |window: &&[u8]| window.first() == part.first();
    text.windows(part.len()).filter(may_start).any(|window| window == part)
}

const fn is_of_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

fn is_blank(byte: &u8) -> bool {
    !byte.is_ascii_graphic()
}

fn without_blanks_before(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| !is_blank(byte)).unwrap_or(text.len());
    &text[start..]
}

fn without_blanks_behind(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|byte| !is_blank(byte)).map_or(0, |last| last + 1);
    &text[..end]
}

fn ends_with_mark(before: &[u8]) -> bool {
    let before = without_blanks_behind(before);
    MARKS.iter().any(|mark| before.ends_with(mark))
}

/// Returns whether a mark may be the first of its line: before it is nothing, or a comment, or text that may be another line.
fn may_begin_line(before: &[u8], joints: &[usize]) -> bool {
    let before = without_blanks_behind(before);
    let len = MARKS.iter().find(|mark| before.ends_with(mark)).map_or(0, |mark| mark.len());
    let (before, _) = before.split_at(before.len() - len);
    let others = without_blanks_behind(before);
    let is_joint = |joint: &usize| *joint <= before.len();
    others.is_empty()
        || others.ends_with(b"*/")
        || before[others.len()..].iter().any(|byte| matches!(byte, b'\n' | b'\r'))
        || joints[joints.partition_point(|joint| *joint < others.len())..].first().is_some_and(is_joint)
}

/// Returns whether a comment ends here. A mark may follow a comment.
fn ends_with_comment(before: &[u8]) -> bool {
    without_blanks_behind(before).ends_with(b"*/")
}

/// Returns the name of a header, with its delimiters.
fn header(after: &[u8]) -> Option<Header> {
    let (is_quoted, end, rest) = match without_blanks_before(after) {
        [b'"', rest @ ..] => (true, b'"', rest),
        [b'<', rest @ ..] => (false, b'>', rest),
        _ => return None,
    };
    // No compiler reads beyond the end of the line, and no system has longer names.
    let rest = &rest[..rest.len().min(LONGEST)];
    let len = rest.iter().position(|byte| *byte == end || byte.is_ascii_control())?;
    let name = core::str::from_utf8(&rest[..len]).ok()?;
    let is_plain = rest[len] == end && !name.contains("??");
    is_plain.then(|| Header { name: name.to_owned(), is_quoted })
}

fn opened(after: &[u8]) -> Option<&[u8]> {
    without_blanks_before(after).strip_prefix(b"(")
}

/// Returns whether the text before a name only tests whether the name is defined. Otherwise a macro of another name may be made
/// of it.
fn is_asked_for(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let before = before.strip_suffix(b"(").unwrap_or(before).trim_ascii_end();
    let word = before.iter().rev().take_while(|byte| is_of_word(byte)).count();
    let (before, word) = before.split_at(before.len() - word);
    match word {
        b"defined" => true,
        b"ifdef" | b"ifndef" | b"elifdef" | b"elifndef" => ends_with_mark(before),
        _ => false,
    }
}

/// Returns the line of a place, for a message. Shortens a long line.
fn line(text: &[u8], at: usize) -> String {
    const MOST: usize = 120;
    let before = &text[at.saturating_sub(MOST / 2)..at];
    let start = at - before.iter().rev().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count();
    let line = text[start..].split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    String::from_utf8_lossy(&line[..line.len().min(4 * MOST)]).trim().chars().take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    /// Returns all findings except the pieces.
    fn found(text: impl AsRef<[u8]>) -> Found {
        Found { pieces: Pieces::default(), ..read(text.as_ref()) }
    }

    fn headers(headers: &[(&str, bool)]) -> Found {
        let header =
            |(name, is_quoted): &(&str, bool)| Header { name: (*name).into(), is_quoted: *is_quoted };
        Found { headers: headers.iter().map(header).collect(), ..Found::default() }
    }

    #[test]
    fn directives_are_found() {
        let texts = [
            "#include \"a.h\"",
            "  # \t include\"a.h\" // and more",
            "int x;\n%:include \"a.h\"\n",
            "??=include \"a.h\"",
            "\u{feff}#include \"a.h\"",
            "\u{a0}#\u{a0}include\u{a0}\"a.h\"",
            "#\0include \"a.h\"",
            "#if 0\n#include \"a.h\"\n#endif",
            "#if __has_include(\"a.h\")",
            "#if defined(__has_include) && __has_include ( \"a.h\" )",
            "/* a comment */ #include \"a.h\"",
            "a comment */ #include \"a.h\"",
            // The compiler decides which of these are directives.
            "// what??/\n#include \"a.h\"",
            "// what\\ \n#include \"a.h\"",
            "#\rinclude\r\"a.h\"\r",
            // These are no directives; treating them as directives is harmless.
            "// it includes what #include \"a.h\" would",
            "const char *text = \"#include \"a.h\"\";",
            "/* #include \"a.h\"",
        ];
        for text in texts {
            assert_eq!(found(text), headers(&[("a.h", true)]), "{text:?}");
        }
        assert_eq!(found("#include <s/t.h>"), headers(&[("s/t.h", false)]));
        let backslashes = ["\\", "??/", "\\ \t", "\\\x0b", "\\\x0c", "??/ ", "\\\n\\"];
        for backslash in backslashes {
            for line_break in ["\n", "\r\n", "\r\r\n", "\r"] {
                let text = "#inc|lude \"a|.h\"\n#|include|\"b.h\""
                    .replace('|', &(backslash.to_owned() + line_break));
                assert_eq!(found(&text), headers(&[("a.h", true), ("b.h", true)]), "{text:?}");
            }
        }
    }

    #[test]
    fn what_is_no_directive_is_none() {
        let texts = [
            "int include = 3; include_path(); # includes",
            "#ifdef __has_include",
            "#if defined(__has_include) || defined __has_include_next",
            "%:elifdef __has_embed",
            "#pragma include_alias",
            "// import and embed",
            " * The first #include of this matters.",
            "// #include WHICH\n// #import it",
            "// a\n  x #include_next <a.h>",
        ];
        for text in texts {
            assert_eq!(found(text), Found::default(), "{text}");
        }
    }

    #[test]
    fn what_is_not_clear_is_said_to_be_so() {
        let texts = [
            "#include WHICH",
            "#include /* which */ \"a.h\"",
            "# /* a comment */ include \"a.h\"",
            "#/*\n*/ include \"a.h\"",
            "#/**/import \"a.h\"",
            "#include_next \"a.h\"",
            "#import \"a.h\"",
            "// c \\ \n#include WHICH",
            "// c \\\n  #include WHICH",
            "// c\\\t\n%:include WHICH",
            "// c??/\n \t#embed WHICH",
            "// c\r#include WHICH",
            "int i; // c\n /* c */ /* d */ # include WHICH",
            "#define HAS(x) __has_include(x)",
            "#define HAS __has_include",
            "#define ifdef __has_include",
            "#define undefined __has_include",
            "#if __has_include_next(\"a.h\")",
            "#if __has_include /* \"b.h\" */ (\"a.h\")",
            "#include \"a.h",
            "#include \"a.h\n\"",
            "#include \"a\r.h\"",
            "#include \"a??'.h\"",
            "#embed \"data\"",
        ];
        for text in texts {
            assert!(found(text).unclear.is_some(), "{text:?}: {:?}", found(text));
        }
        assert!(found(b"#include \"\xff\"").unclear.is_some());
        let long = format!("{} */ #include WHICH {}\n", "before ".repeat(1000), "behind ".repeat(1000));
        let unclear = found(long).unclear.unwrap_or_default();
        assert!(unclear.contains("#include WHICH") && unclear.chars().count() <= 120, "{unclear}");
    }

    #[test]
    fn clocks_are_noticed() {
        for (text, clock) in [
            ("int i = __TIME__[7];", Some("__TIME__")),
            ("#define NOW __DATE__ __TIME__", Some("__DATE__")),
            ("__TIMEST\\\nAMP__", Some("__TIMESTAMP__")),
            ("a__DATE__", Some("__DATE__")),
            ("__date__ DATE TIME_ __DATE", None),
        ] {
            assert_eq!(found(text), Found { clock, ..Found::default() }, "{text}");
        }
    }

    #[test]
    fn long_texts_take_no_longer_than_they_are() {
        let start = Instant::now();
        for text in [
            "include ",
            "#include WHICH ",
            "#include <",
            "__has_include ",
            "\\ ",
            "??/",
            "# ",
            "\\\r",
            "__DATE__",
            "*/ include",
        ] {
            found(text.repeat((1 << 17) / text.len()));
        }
        found(" ".repeat(1 << 17) + "include");
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    }
}
