//! The files that a compilation reads.

use std::path::{Path, PathBuf};

/// Returns the prerequisites of a rule that a compiler wrote for `make`.
///
/// A backslash before a blank, `#` or a line break escapes it. nvcc does not escape blanks in the target.
pub(crate) fn of_rule(rule: &str) -> Vec<PathBuf> {
    let (_, list) = rule.split_once(" : ").or_else(|| rule.split_once(": ")).unwrap_or_default();
    let mut files = Vec::new();
    let mut file = String::new();
    let mut letters = list.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some(' ' | '#')) | ('$', Some('$')) => file.extend(letters.next()),
            ('\\', Some('\n' | '\r')) => {}
            (' ' | '\t' | '\n' | '\r', _) => files.push(std::mem::take(&mut file)),
            _ => file.push(letter),
        }
    }
    files.push(file);
    files.into_iter().filter(|file| !file.is_empty()).map(PathBuf::from).collect()
}

/// Returns the files that `file` includes, directly or indirectly, and `file` itself.
///
/// A name in quotation marks is first searched for in the folder of the including file, then in `folders`. The conditions of the
/// preprocessor are not evaluated, so the result may contain files that the compiler does not read. A missing file is left out:
/// the compiler finds or reports it. All paths are relative to `root`.
pub(crate) fn of_source(root: &Path, file: &Path, folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut files = vec![file.to_owned()];
    let mut read = 0;
    while let Some(file) = files.get(read).cloned() {
        read += 1;
        let Ok(text) = std::fs::read(root.join(&file)) else { continue };
        for (name, is_quoted) in String::from_utf8_lossy(&text).lines().filter_map(included) {
            let beside = file.parent().filter(|_| is_quoted).into_iter();
            let mut places =
                beside.chain(folders.iter().map(PathBuf::as_path)).map(|folder| folder.join(name));
            if let Some(header) = places.find(|path| root.join(path).is_file())
                && !files.contains(&header)
            {
                files.push(header);
            }
        }
    }
    files
}

/// Returns the name in an `#include` line, and whether it is in quotation marks.
fn included(line: &str) -> Option<(&str, bool)> {
    let line = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
    let (name, is_quoted) = match line.strip_prefix('"') {
        Some(rest) => (rest.split_once('"')?.0, true),
        None => (line.strip_prefix('<')?.split_once('>')?.0, false),
    };
    Some((name, is_quoted))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn paths<const N: usize>(names: [&str; N]) -> Vec<PathBuf> {
        names.into_iter().map(PathBuf::from).collect()
    }

    #[test]
    fn rules_with_blanks_and_breaks_are_read() {
        let rule = "o ut.ptx : k\\ k.cu \\\n    /usr/include/a.h \\\r\n  C:\\dir\\b.h\td\\#\\ e$$.h\n";
        assert_eq!(of_rule(rule), paths(["k k.cu", "/usr/include/a.h", "C:\\dir\\b.h", "d# e$.h"]));
        assert_eq!(of_rule("k.ptx: k.cu\n"), paths(["k.cu"]));
        assert_eq!(of_rule("nonsense\\"), paths([]));
    }

    #[test]
    fn includes_are_followed_once() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(
            "src/k.cu",
            "#include \"a.h\"\n  #  include <deep/b.h> // deep\n#include <cstdio>\n#include NAME\n",
        );
        write("src/a.h", "#include \"k.cu\"\n#include \"b.h\"\n#included \"c.h\"\n");
        write("src/c.h", "");
        write("in clude/deep/b.h", "#include \"c.h\"\n#include <a.h>\n");
        write("in clude/deep/c.h", "\u{0}");
        let files = of_source(folder.path(), Path::new("src/k.cu"), &paths(["in clude"]));
        assert_eq!(files, paths(["src/k.cu", "src/a.h", "in clude/deep/b.h", "in clude/deep/c.h"]));
    }
}
