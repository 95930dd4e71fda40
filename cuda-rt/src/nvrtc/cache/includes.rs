//! Which files a program includes, told from its text.
//!
//! NVRTC does not tell. So every directive is followed, whatever `#if` or comment it may stand in, as the compiler
//! looks for headers: those that the program brings along by exactly their name, then, for quotation marks, the folder
//! of the file that includes, then the include directories (measured of 11.2, 11.8 and 13.5). What cannot be followed
//! for sure is said to be so.

use super::pasting::Pieces;
use super::reading::{self, Header};
use crate::nvrtc::Program;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// More files than a program includes.
const MOST: usize = 4096;

/// What else there is to know of the texts.
#[derive(Debug, Default)]
pub(super) struct Followed {
    /// A name that may stand for the date or the time in them.
    pub(super) clock: Option<&'static str>,
    /// The first thing that could not be followed.
    pub(super) unclear: Option<String>,
}

impl Followed {
    fn is_unclear(&mut self, what: impl FnOnce() -> String) {
        self.unclear.get_or_insert_with(what);
    }
}

/// Tells `tell` of every file that may be included, what it was looked up by, and its content.
pub(super) fn follow(program: &Program, mut tell: impl FnMut(&[u8])) -> Followed {
    let mut followed = Followed::default();
    let mut pieces = Pieces::default();
    let brought: BTreeSet<&str> = program.headers.iter().map(|(name, _)| name.as_str()).collect();
    let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
    // Texts that are to be read, and the folder that each is in. Options define macros, which are text too.
    let beside = folder(&program.name);
    let mut open: Vec<(Vec<u8>, PathBuf)> = vec![(program.source.clone(), beside.clone())];
    open.extend(program.headers.iter().map(|(name, text)| (text.clone(), folder(name))));
    let others = program.expressions.iter().cloned().chain(program.options.arguments());
    open.extend(others.map(|text| (text.into_bytes(), beside.clone())));
    while let Some((text, beside)) = open.pop() {
        let found = reading::read(&text, &mut pieces);
        followed.clock = followed.clock.or(found.clock);
        followed.unclear = followed.unclear.or(found.unclear);
        for header in found.headers {
            tell(header.name.as_bytes());
            if brought.contains(header.name.as_str()) {
                tell(b"brought along");
                continue;
            }
            let path = match find(&header, &beside, program) {
                Ok(Some(path)) => path,
                Ok(None) => {
                    tell(b"not there");
                    continue;
                }
                Err(path) => {
                    followed.is_unclear(|| format!("{} is no file", path.display()));
                    continue;
                }
            };
            tell(path.as_os_str().as_encoded_bytes());
            if !seen.insert(path.clone()) {
                continue;
            }
            if seen.len() > MOST {
                followed.is_unclear(|| format!("more than {MOST} files"));
                return followed;
            }
            match std::fs::read(&path) {
                Ok(content) => {
                    tell(&content);
                    open.push((content, parent(&path)));
                }
                Err(error) => followed.is_unclear(|| format!("{}: {error}", path.display())),
            }
        }
    }
    followed.clock = followed.clock.or(pieces.clock());
    if let Some(test) = pieces.test() {
        followed.is_unclear(|| format!("## may make {test}"));
    }
    followed
}

/// The file that the compiler takes; an error says what it may open although it is none.
fn find(header: &Header, beside: &Path, program: &Program) -> Result<Option<PathBuf>, PathBuf> {
    let name = Path::new(&header.name);
    // A name that says all is not looked for in folders.
    let itself = (name.is_absolute() || name.has_root()).then_some(Path::new(""));
    let beside = header.is_quoted.then_some(beside);
    for folder in itself.into_iter().chain(beside).chain(program.options.include_dirs()) {
        let path = folder.join(name);
        match path.metadata() {
            Ok(file) if file.is_file() => return Ok(Some(path)),
            Ok(file) if !file.is_dir() => return Err(path),
            _ => {}
        }
    }
    Ok(None)
}

/// Where something of this name is, which need not exist: all before the last slash.
fn folder(name: &str) -> PathBuf {
    let is_slash = |letter: char| letter.is_ascii() && std::path::is_separator(letter);
    match name.rfind(is_slash) {
        Some(0) => name[..1].into(),
        Some(end) => name[..end].into(),
        None => PathBuf::new(),
    }
}

/// Where a file is.
fn parent(path: &Path) -> PathBuf {
    path.parent().map(Path::to_owned).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_a_folder() {
        for (name, expected) in [
            ("a.cu", ""),
            ("", ""),
            ("s/a.cu", "s"),
            ("s/", "s"),
            ("s/.", "s"),
            ("s/t/..", "s/t"),
            ("/a.cu", "/"),
            ("/", "/"),
            ("/s/", "/s"),
        ] {
            // Paths compare equal that are not the same text.
            assert_eq!(folder(name).as_os_str(), expected, "{name}");
        }
    }
}
