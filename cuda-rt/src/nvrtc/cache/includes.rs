//! Which files a program includes, told from its text.
//!
//! NVRTC does not tell. So every directive is followed, whatever `#if` it may stand in, as the compiler looks for
//! headers: those that the program brings along by exactly their name, then, for quotation marks, the folder of the
//! file that includes, then the include directories (measured of 11.2, 11.8 and 13.5). What cannot be followed for sure
//! is said to be so.

use crate::nvrtc::Program;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a text asks for.
#[derive(Debug, PartialEq, Eq)]
struct Request<'text> {
    name: &'text str,
    is_quoted: bool,
}

/// More files than a program includes.
const MOST: usize = 4096;

/// Tells `tell` of every file that may be included, what it was looked up by, and its content, and returns how many
/// there are.
///
/// # Errors
///
/// What cannot be followed.
pub(super) fn follow(program: &Program, mut tell: impl FnMut(&[u8])) -> Result<usize, String> {
    let mut files = 0;
    let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
    // Texts that are to be read, and the folder that each is in.
    let mut open: Vec<(Vec<u8>, PathBuf)> = vec![(program.source.clone(), folder(Path::new(&program.name)))];
    for (name, text) in &program.headers {
        open.push((text.clone(), folder(Path::new(name))));
    }
    while let Some((text, folder_of_it)) = open.pop() {
        let text = spliced(&text);
        for request in requests(&text)? {
            tell(request.name.as_bytes());
            if program.headers.iter().any(|(name, _)| name == request.name) {
                tell(b"brought along");
                continue;
            }
            let beside = request.is_quoted.then_some(folder_of_it.as_path());
            let folders = beside.into_iter().chain(program.options.include_dirs());
            let Some(path) = folders.map(|folder| folder.join(request.name)).find(|path| path.is_file())
            else {
                tell(b"not there");
                continue;
            };
            tell(path.as_os_str().as_encoded_bytes());
            if !seen.insert(path.clone()) {
                continue;
            }
            files += 1;
            if files > MOST {
                return Err(format!("more than {MOST} files"));
            }
            let content = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            tell(&content);
            open.push((content, folder(&path)));
        }
    }
    Ok(files)
}

/// Where a file is, which need not exist.
fn folder(path: &Path) -> PathBuf {
    path.parent().map(Path::to_owned).unwrap_or_default()
}

/// The text without line breaks behind a backslash, and without the mark that some editors begin a file with.
fn spliced(text: &[u8]) -> Vec<u8> {
    let mut rest = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut spliced = Vec::with_capacity(rest.len());
    while let Some((first, others)) = rest.split_first() {
        let after = if *first == b'\\' { Some(others) } else { rest.strip_prefix(b"??/") };
        rest = match after.and_then(after_line_break) {
            Some(after) => after,
            None => {
                spliced.push(*first);
                others
            }
        };
    }
    spliced
}

/// What follows white space and a line break, if there is one.
fn after_line_break(text: &[u8]) -> Option<&[u8]> {
    let blanks = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    text.get(blanks..)?.strip_prefix(b"\n")
}

fn is_of_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

/// All that a text may include, or ask for being there.
fn requests(text: &[u8]) -> Result<Vec<Request<'_>>, String> {
    let mut found = Vec::new();
    for line in text.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let mut at = 0;
        while let Some((start, end)) = next_word(line, at) {
            at = end;
            let (before, word, after) = (&line[..start], &line[start..end], &line[end..]);
            let request = match word {
                b"include" if is_directive(before)? => operand(after).ok_or_else(|| unclear(line))?,
                b"include_next" if is_directive(before)? => return Err(unclear(line)),
                b"__has_include" | b"__has_include_next" | b"__has_embed" => {
                    match tested(before, word, after) {
                        Test::Of(request) => request,
                        Test::Nothing => continue,
                        Test::Unclear => return Err(unclear(line)),
                    }
                }
                _ => continue,
            };
            found.push(request);
        }
        // Not known to any compiler yet that was measured; who knows what comes.
        if let Some(start) = find(line, b"embed")
            && is_directive(&line[..start])?
        {
            return Err(unclear(line));
        }
    }
    Ok(found)
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|window| window == word)
}

/// Where the next word with `include` in it begins and ends.
fn next_word(line: &[u8], from: usize) -> Option<(usize, usize)> {
    let middle = from + find(line.get(from..)?, b"include")?;
    let before = line[..middle].iter().rev().take_while(|byte| is_of_word(byte)).count();
    let after = line[middle..].iter().take_while(|byte| is_of_word(byte)).count();
    Some((middle - before, middle + after))
}

/// Whether what follows is a directive: nothing but `#` comes before. Where a comment ends before, it is not clear.
fn is_directive(before: &[u8]) -> Result<bool, String> {
    if find(before, b"*/").is_some() {
        return Err(unclear(before));
    }
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0b || !byte.is_ascii();
    let rest: Vec<u8> = before.iter().copied().filter(|byte| !is_blank(byte)).collect();
    let is_directive = matches!(rest.as_slice(), b"#" | b"%:" | b"??=");
    if is_directive && !before.is_ascii() {
        return Err(unclear(before));
    }
    Ok(is_directive)
}

fn unclear(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim().chars().take(120).collect()
}

/// The name of a header, in its marks.
fn operand(text: &[u8]) -> Option<Request<'_>> {
    let (is_quoted, end, rest) = match text.trim_ascii_start() {
        [b'"', rest @ ..] => (true, b'"', rest),
        [b'<', rest @ ..] => (false, b'>', rest),
        _ => return None,
    };
    let len = rest.iter().position(|byte| *byte == end)?;
    let name = core::str::from_utf8(&rest[..len]).ok()?;
    Some(Request { name, is_quoted })
}

enum Test<'text> {
    Of(Request<'text>),
    /// Only whether there are such tests.
    Nothing,
    Unclear,
}

fn tested<'text>(before: &[u8], word: &[u8], after: &'text [u8]) -> Test<'text> {
    let after = after.trim_ascii_start();
    match after.strip_prefix(b"(") {
        Some(inside) if word == b"__has_include" => operand(inside).map_or(Test::Unclear, Test::Of),
        Some(_) => Test::Unclear,
        // A macro of another name may be made of it.
        None if before.trim_ascii_start().starts_with(b"#") && find(before, b"define ").is_none() => {
            Test::Nothing
        }
        None => Test::Unclear,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Result<Vec<(String, bool)>, String> {
        let text = spliced(text.as_bytes());
        Ok(requests(&text)?.into_iter().map(|request| (request.name.to_owned(), request.is_quoted)).collect())
    }

    #[test]
    fn directives_are_found() {
        let texts = [
            "#include \"a.h\"",
            "  # \t include\"a.h\" // and more",
            "int x;\n%:include \"a.h\"\n",
            "??=include \"a.h\"",
            "#inc\\\nlude \"a.h\"",
            "#inc\\ \r\nlude \"a.h\"",
            "#inc??/\nlude \"a.h\"",
            "\u{feff}#include \"a.h\"",
            "#if 0\n#include \"a.h\"\n#endif",
            "#if __has_include(\"a.h\")",
            "#if defined(__has_include) && __has_include ( \"a.h\" )",
        ];
        for text in texts {
            assert_eq!(names(text), Ok(vec![("a.h".to_owned(), true)]), "{text}");
        }
        assert_eq!(names("#include <s/t.h>"), Ok(vec![("s/t.h".to_owned(), false)]));
    }

    #[test]
    fn what_is_no_directive_is_none() {
        let texts = [
            "// it includes what #include \"a.h\" would",
            " * #include \"a.h\" in a comment",
            "const char *text = \"#include <a.h>\";",
            "int include = 3; include_path();",
            "#ifdef __has_include",
            "#if defined(__has_include)",
            "#pragma include_alias",
            "/* #include \"a.h\"",
        ];
        for text in texts {
            assert_eq!(names(text), Ok(vec![]), "{text}");
        }
    }

    #[test]
    fn what_is_not_clear_is_said_to_be_so() {
        let texts = [
            "#include WHICH",
            "#include /* which */ \"a.h\"",
            "/* a comment */ #include \"a.h\"",
            "# /* a comment */ include \"a.h\"",
            "a comment */ #include \"a.h\"",
            "#include_next \"a.h\"",
            "#define HAS(x) __has_include(x)",
            "#define HAS __has_include",
            "#if __has_include_next(\"a.h\")",
            "#include \"a.h",
            "\u{a0}#include \"a.h\"",
            "#embed \"data\"",
        ];
        for text in texts {
            assert!(names(text).is_err(), "{text}: {:?}", names(text));
        }
    }
}
