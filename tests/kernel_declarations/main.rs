//! Errors of the compiler about declarations in `kernels!`: each mistake in the fixture has one, with its text and its place.
//!
//! The fixture is compiled as a program of its own, by the cargo that runs the tests.

#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns a folder of a package whose program is a file of the fixture. `library` is its name for cuda-rt. All packages ask for the
/// same features, so cuda-rt is compiled once.
fn package(name: &str, library: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let fixture = root.join("tests/kernel_declarations/fixture");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"{name}\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         {library} = {{ package = {:?}, path = {:?}, features = [\"macros\", \"nvrtc\"] }}\n",
        cuda_suite::package_name("cuda-rt"),
        root.join("cuda-rt")
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    for file in ["filters.ptx", "filters.cu", "common.cuh"] {
        std::fs::copy(fixture.join(file), folder.join("src").join(file)).unwrap();
    }
    std::fs::copy(fixture.join(format!("{name}.rs")), folder.join("src/main.rs")).unwrap();
    folder
}

/// Returns the messages of the compiler.
fn compile(folder: &Path) -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["check", "--offline", "--quiet", "--message-format=json"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernel-declarations"))
        .output()
        .unwrap();
    let messages: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|message| message["reason"] == "compiler-message")
        .map(|message| message["message"].clone())
        .collect();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() || !messages.is_empty(), "{errors}");
    messages
}

/// The line, what is marked there, and the code or the text of an error.
type Mistake = (u64, String, String);

/// Returns the errors among messages. Errors with a code are told by it, unless the macro wrote their text.
fn errors(messages: &[Value], source: &str) -> BTreeSet<Mistake> {
    let lines: Vec<&str> = source.lines().collect();
    let mistake = |message: &Value| {
        let span = message["spans"].as_array()?.iter().find(|span| span["is_primary"] == true)?;
        let number = |key: &str| span[key].as_u64();
        let (line, last) = (number("line_start")?, number("line_end")?);
        let columns = (number("column_start")? as usize, number("column_end")? as usize);
        let marked = match line == last {
            true => {
                lines[line as usize - 1].chars().skip(columns.0 - 1).take(columns.1 - columns.0).collect()
            }
            false => format!("{} lines", last - line + 1),
        };
        let text = message["message"].as_str()?;
        let text = match (text.strip_prefix("evaluation panicked: "), message["code"]["code"].as_str()) {
            (Some(own), _) => own,
            (None, Some(code)) => code,
            (None, None) => text,
        };
        Some((line, marked, text.to_owned()))
    };
    messages.iter().filter(|message| message["level"] == "error").filter_map(mistake).collect()
}

/// Returns the errors that the comments of a file announce.
fn announced(source: &str) -> BTreeSet<Mistake> {
    let mut line = 0;
    let mut found = BTreeSet::new();
    for (number, text) in (1..).zip(source.lines()) {
        match text.trim_start().strip_prefix("//~ `") {
            Some(comment) => {
                let (marked, text) = comment.split_once("` ").unwrap();
                found.insert((line, marked.to_owned(), text.to_owned()));
            }
            None => line = number,
        }
    }
    found
}

fn write(mistakes: &BTreeSet<Mistake>) -> String {
    mistakes.iter().map(|(line, marked, text)| format!("{line}: `{marked}` {text}\n")).collect()
}

/// Compares the errors in a package with those that its comments announce.
fn compare(folder: &Path, least: usize) {
    let source = std::fs::read_to_string(folder.join("src/main.rs")).unwrap();
    let (found, expected) = (errors(&compile(folder), &source), announced(&source));
    assert!(expected.len() > least);
    let only_found: BTreeSet<_> = found.difference(&expected).cloned().collect();
    let only_expected: BTreeSet<_> = expected.difference(&found).cloned().collect();
    assert_eq!((write(&only_found), write(&only_expected)), (String::new(), String::new()));
}

#[test]
fn each_mistake_has_its_error() {
    compare(&package("mistakes", "cuda-rt"), 30);
}

#[test]
fn each_mistake_in_cuda_has_its_error() {
    compare(&package("cuda_mistakes", "cuda-rt"), 10);
}

#[test]
fn denied_lint_is_an_error_once() {
    compare(&package("lints", "cuda-rt"), 5);
}

#[test]
fn right_declarations_compile_without_warning() {
    for package in [package("accepted", "cuda"), package("cuda_accepted", "cuda")] {
        let messages = compile(&package);
        let texts: Vec<_> =
            messages.iter().map(|message| message["rendered"].as_str().unwrap_or_default()).collect();
        assert_eq!(texts.concat(), "");
    }
}

#[test]
fn changed_file_is_read_again() {
    let folder = package("rebuilt", "cuda-rt");
    let file = folder.join("src/filters.ptx");
    let texts = || -> Vec<String> {
        compile(&folder).iter().filter_map(|message| message["message"].as_str()).map(str::to_owned).collect()
    };
    assert_eq!(texts(), [""; 0]);
    // A file system may tell times in seconds only.
    let later = |text: &str| {
        std::fs::write(&file, text).unwrap();
        let changed = std::time::SystemTime::now() + std::time::Duration::from_secs(2);
        std::fs::File::options().write(true).open(&file).unwrap().set_modified(changed).unwrap();
    };
    later(".version 8.0 .target sm_70 .entry nothing(.param .u32 n) { ret; }");
    assert!(
        texts()[0].starts_with("kernel `nothing` (filters.ptx:1) takes 1 parameter (.u32); 0 are declared")
    );
    std::fs::remove_file(&file).unwrap();
    assert!(texts()[0].starts_with("cannot read `src/filters.ptx`"));
    later(".version 8.0 .target sm_70 .entry nothing() { ret; }");
    assert_eq!(texts(), [""; 0]);
}

#[test]
fn changed_header_is_read_again() {
    let folder = package("cuda_rebuilt", "cuda");
    assert_eq!(compile(&folder).len(), 0);
    let header = folder.join("src/common.cuh");
    std::fs::remove_file(&header).unwrap();
    let messages = compile(&folder);
    let text = messages[0]["message"].as_str().unwrap();
    assert!(text.starts_with("cannot read `src/common.cuh`: "), "{text}");
}
