//! Files that a program includes, determined from its text.
//!
//! NVRTC does not report these files. So this module follows every directive, even inside `#if` and comments. It searches as the
//! compiler does. First come headers of the program with exactly the name. For quotation marks, the folder of the including file
//! is next. The include directories come last. A directive that cannot be followed with certainty is reported.
//!
//! In each folder the compiler searches for a name without a dot as it is, then with [a suffix](SUFFIX). A path that begins at
//! the root gets no suffix. Release 13.5 opens the file `a.h` for the name `a.h/`; 11.2 and 11.8 do not.

use super::files::{Files, Stamp};
use super::pasting::Pieces;
use super::reading::{self, Found, Header};
use crate::nvrtc::Program;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// More files than a program includes.
const MOST: usize = 4096;

/// The suffix that the compiler tries if the last part of a name has no dot.
const SUFFIX: &str = ".stdh";

/// Further results for the texts.
#[derive(Debug, Default)]
pub(super) struct Followed {
    /// A name in the texts that may stand for the date or the time.
    pub(super) clock: Option<&'static str>,
    /// The first directive that could not be followed.
    pub(super) unclear: Option<String>,
    /// Stamps of the files, links, and folders without the wanted file, in the order of the search. If no stamp differs at a
    /// later search, none of them changed in between.
    pub(super) stamps: Vec<Option<Stamp>>,
    /// Folders that are in `stamps`, or do not exist.
    folders: BTreeSet<PathBuf>,
}

impl Followed {
    /// Records the folder of a path without a file. If the folder does not exist, records the closest existing one above it.
    fn is_absent(&mut self, path: &Path) {
        for folder in path.ancestors().skip(1) {
            if self.folders.contains(folder) {
                return;
            }
            self.folders.insert(folder.to_owned());
            let named = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            if let Ok(folder) = named.metadata() {
                self.stamps.push(Stamp::of(&folder));
                return;
            }
        }
    }

    fn is_unclear(&mut self, what: impl FnOnce() -> String) {
        self.unclear.get_or_insert_with(what);
    }
}

/// Passes to `tell`, for every file that may be included: the name of the lookup, the path, and the digest of the content. `now`
/// is the current time, or an earlier one.
pub(super) fn follow(
    program: &Program,
    files: &Files,
    now: SystemTime,
    mut tell: impl FnMut(&[u8]),
) -> Followed {
    let mut followed = Followed::default();
    let mut pieces = Pieces::default();
    let brought: BTreeSet<&str> = program.headers.iter().map(|(name, _)| name.as_str()).collect();
    let mut seen: BTreeSet<OsString> = BTreeSet::new();
    // Texts whose headers are not followed yet, and the folder of each. Options define macros, which are text too.
    let beside = folder(&program.name);
    let own = |text: &[u8], folder: PathBuf| (Arc::new(reading::read(text)), folder);
    let mut open: Vec<(Arc<Found>, PathBuf)> = vec![own(&program.source, beside.clone())];
    open.extend(program.headers.iter().map(|(name, text)| own(text, folder(name))));
    open.extend(program.expressions.iter().map(|text| own(text.as_bytes(), beside.clone())));
    open.extend(program.options.arguments().iter().map(|text| own(text.as_bytes(), beside.clone())));
    while let Some((found, beside)) = open.pop() {
        pieces.add_all(&found.pieces);
        followed.clock = followed.clock.or(found.clock);
        if let Some(unclear) = &found.unclear {
            followed.is_unclear(|| unclear.clone());
        }
        for header in &found.headers {
            tell(header.name.as_bytes());
            if brought.contains(header.name.as_str()) {
                tell(b"brought along");
                continue;
            }
            let path = match find(header, &beside, program, &mut followed) {
                Ok(Some(path)) => path,
                Ok(None) => {
                    tell(b"not there");
                    continue;
                }
                Err(unclear) => {
                    followed.is_unclear(|| unclear);
                    continue;
                }
            };
            tell(path.as_os_str().as_encoded_bytes());
            if !seen.insert(path.clone().into_os_string()) {
                continue;
            }
            if seen.len() > MOST {
                followed.is_unclear(|| format!("more than {MOST} files"));
                return followed;
            }
            match files.content(&path, now) {
                Ok(content) => {
                    tell(&content.digest);
                    followed.stamps.push(content.stamp);
                    open.push((content.found, parent(&path)));
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

/// Returns the file that the compiler uses. An error says why it cannot be determined.
fn find(
    header: &Header,
    beside: &Path,
    program: &Program,
    followed: &mut Followed,
) -> Result<Option<PathBuf>, String> {
    let last = header.name.rsplit(is_slash).next().unwrap_or_default();
    if last.is_empty() {
        return Err(format!("{:?} does not end in the name of a file", header.name));
    }
    let name = Path::new(&header.name);
    // A complete path is not searched in folders.
    let itself = (name.is_absolute() || name.has_root()).then_some(Path::new(""));
    let suffixed = (itself.is_none() && !last.contains('.')).then(|| header.name.clone() + SUFFIX);
    let beside = header.is_quoted.then_some(beside);
    for folder in itself.into_iter().chain(beside).chain(program.options.include_dirs()) {
        for name in [Some(name), suffixed.as_ref().map(Path::new)].into_iter().flatten() {
            let path = folder.join(name);
            let mut there = path.symlink_metadata();
            if let Ok(link) = &there
                && link.is_symlink()
            {
                followed.stamps.push(Stamp::of(link));
                there = path.metadata();
            }
            match there {
                Ok(file) if file.is_file() => return Ok(Some(path)),
                Ok(file) if file.is_dir() => followed.is_absent(&path),
                Ok(_) => return Err(format!("{} is no file", path.display())),
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                    followed.is_absent(&path);
                }
                Err(error) => return Err(format!("{}: {error}", path.display())),
            }
        }
    }
    Ok(None)
}

fn is_slash(letter: char) -> bool {
    letter.is_ascii() && std::path::is_separator(letter)
}

/// Returns the folder of a path, which need not exist: the text before the last slash.
fn folder(name: &str) -> PathBuf {
    match name.rfind(is_slash) {
        Some(0) => name[..1].into(),
        Some(end) => name[..end].into(),
        None => PathBuf::new(),
    }
}

/// Returns the folder of a file.
fn parent(path: &Path) -> PathBuf {
    path.parent().map(Path::to_owned).unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    #[cfg(unix)]
    use super::super::files::tests::{later, write};
    use super::*;
    #[cfg(unix)]
    use crate::nvrtc::CompileOptions;

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
            // Different texts of a path can compare equal.
            assert_eq!(folder(name).as_os_str(), expected, "{name}");
        }
    }

    /// A folder with headers, and the known files.
    #[cfg(unix)]
    struct Looks {
        files: Files,
        folder: tempfile::TempDir,
    }

    #[cfg(unix)]
    impl Looks {
        fn new() -> Looks {
            Looks { files: Files::new(1 << 20), folder: tempfile::tempdir().unwrap() }
        }

        fn write(&self, name: &str, text: &str) {
            let path = self.folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            write(&path, text);
        }

        fn program(&self, source: &str, include_dirs: &[&str]) -> Program {
            let mut options = CompileOptions::new();
            for name in include_dirs {
                options = options.include_dir(self.folder.path().join(name));
            }
            Program::new(source).name(format!("{}/", self.folder.path().display())).options(options)
        }

        /// Returns what [`follow`] passes on, and how many files it read. Asserts that a lookup without known files passes on the
        /// same.
        fn look(&self, program: &Program) -> (Vec<Vec<u8>>, usize) {
            let told = |files: &Files| {
                let mut told = Vec::new();
                let followed = follow(program, files, later(), |part| told.push(part.to_owned()));
                assert_eq!((followed.clock, followed.unclear), (None, None));
                told
            };
            let here = told(&self.files);
            assert_eq!(here, told(&Files::new(1 << 20)));
            (here, self.files.reads())
        }
    }

    #[cfg(unix)]
    #[test]
    fn unchanged_files_are_read_once() {
        let looks = Looks::new();
        looks.write("one/a.h", "#include \"b.h\"\n#include <c.h>");
        looks.write("one/b.h", "#include <a.h>");
        looks.write("two/c.h", "#include <not_there.h>");
        let program = looks.program("#include <a.h>", &["one", "two"]);
        let (first, reads) = looks.look(&program);
        assert_eq!(reads, 3);
        for _ in 0..3 {
            assert_eq!(looks.look(&program), (first.clone(), 0));
        }
        // Whatever else a program contains, its files are the same.
        let other = looks.program("#include <c.h>\n#include <a.h>", &["two", "one"]);
        let (others, reads) = looks.look(&other);
        assert!(reads == 0 && others != first);
        looks.write("one/b.h", "#include <c.h>");
        let (changed, reads) = looks.look(&program);
        assert!(reads == 1 && changed != first);
    }

    #[cfg(unix)]
    #[test]
    fn where_files_are_is_looked_up_each_time() {
        let looks = Looks::new();
        looks.write("two/a.h", "2");
        let program = looks.program("#include \"a.h\"", &["one", "two"]);
        let mut seen = vec![looks.look(&program).0];
        // Each comes before the existing ones; then they are removed again.
        for name in ["one/a.h", "a.h"] {
            looks.write(name, "2");
            let (told, reads) = looks.look(&program);
            assert_eq!(reads, 1, "{name}");
            assert!(!seen.contains(&told), "{name}");
            assert_eq!(looks.look(&program), (told.clone(), 0), "{name}");
            seen.push(told);
        }
        for name in ["a.h", "one/a.h"] {
            std::fs::remove_file(looks.folder.path().join(name)).unwrap();
            seen.pop();
            assert_eq!(Some(&looks.look(&program).0), seen.last(), "{name}");
        }
        assert_eq!(looks.files.reads(), 0);
        assert_ne!(looks.look(&looks.program("#include \"a.h\"", &["one"])).0, seen[0]);
        assert_eq!(looks.look(&looks.program("#include \"a.h\"", &["two"])).0, seen[0]);
    }
}
