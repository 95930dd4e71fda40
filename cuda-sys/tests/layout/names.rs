//! Checks that the bindings have every name of the headers.

use crate::c::{DEFINITIONS, includes, stubs};
use crate::facts::Table;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

/// Names of arguments.
const ARGUMENTS: [&str; 3] = ["cubinOut", "cudaDeviceCount", "cudaVersion"];

/// Returns the output of the preprocessor for the headers.
fn preprocessed(headers: &Path, what: &[&str]) -> String {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("names{}-{:?}.c", what.len(), std::thread::current().id()).replace(['(', ')'], ""));
    std::fs::write(&source, includes(headers)).unwrap();
    let mut command = Command::new("cc");
    command
        .arg("-std=gnu11")
        .args(what)
        .args(DEFINITIONS)
        .arg("-I")
        .arg(headers)
        .arg("-isystem")
        .arg(stubs());
    let output = command.arg(&source).stderr(Stdio::inherit()).output().unwrap();
    assert!(output.status.success(), "cc does not read the headers");
    String::from_utf8(output.stdout).unwrap()
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_').collect()
}

/// Returns the names of the headers that have a prefix of the driver API and are missing in the bindings.
pub(crate) fn unknown(headers: &Path, table: &Table) -> Vec<String> {
    let symbols = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generator/symbols.tsv");
    let symbols = std::fs::read_to_string(symbols).unwrap();
    let mut known: BTreeSet<&str> = symbols.lines().map(|line| line.split('\t').next().unwrap()).collect();
    for fact in &table.0 {
        known.extend(words(&fact.name));
        known.extend(words(&fact.value));
    }
    let code = preprocessed(headers, &["-E"]);
    // Only macros with a value count. Macros for function names, markers and include guards have none.
    let macros = preprocessed(headers, &["-E", "-dM"]);
    let valued = macros.lines().filter_map(|line| line.strip_prefix("#define ")?.split_once(' '));
    let valued =
        valued.filter(|(name, value)| !name.contains('(') && !value.starts_with("cu") && !value.is_empty());
    let valued = valued.map(|(name, _)| name);
    let lines = code.lines().filter(|line| !line.starts_with('#'));
    let names: BTreeSet<&str> = lines.flat_map(words).chain(valued).collect();
    assert!(names.len() > 2000, "the headers declare more than {} names", names.len());
    let ours = |name: &&str| {
        let rest = name.strip_prefix("CU").or_else(|| name.strip_prefix("cu"));
        rest.is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_alphabetic() || next == '_'))
    };
    let missing =
        names.into_iter().filter(ours).filter(|name| !known.contains(name) && !ARGUMENTS.contains(name));
    missing.map(|name| format!("{name} is in the headers, and not in the bindings")).collect()
}
