//! The public functions of `cuda-rt`, read from its sources.
//!
//! The sources are formatted by `rustfmt`, so an item begins and ends at the same column.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The driver functions that the documentation of a function names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Function {
    /// Driver functions that its documentation or its aliases name.
    pub(crate) calls: BTreeSet<String>,
}

/// Traits without functions of their own that could call the driver, and those by which launches take their arguments.
const NO_CODE: &[&str] = &[
    "AddNode",
    "AddNodes",
    "ArrayElement",
    "Axes",
    "Blocks",
    "BorrowedHostMemory",
    "CaptureDestination",
    "CaptureSource",
    "Copy",
    "CopyArray",
    "Elements",
    "Eq",
    "GraphOnly",
    "HomeStream",
    "HostMemory",
    "HostMemoryMut",
    "Integer",
    "Keep",
    "KernelArg",
    "KernelArgs",
    "LaunchArg",
    "LaunchArgs",
    "LaunchTarget",
    "Mark",
    "OfKind",
    "OwnedHostMemory",
    "PageLocked",
    "Pod",
    "Sealed",
    "Send",
    "SetExecutableNode",
    "SetNode",
    "SetNodes",
    "SetTarget",
    "Switchable",
    "Sync",
    "Target",
    "Word",
    "Zeroable",
];
/// Derived traits that are not called by themselves.
const NOT_CALLED: &[&str] = &["Copy", "Eq", "Ord", "PartialOrd", "thiserror::Error"];

/// Returns the public functions of `cuda-rt`, by name.
///
/// The result also has every implementation of a trait by a public type, and the `Drop` of every public type that may own an
/// object. The names are `Type::function`, `module::function`, `Type: Trait` and `Type: Drop`. In a macro, a name contains the
/// variables of the macro.
pub(crate) fn functions() -> BTreeMap<String, Function> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("cuda-rt/src");
    let mut files = Vec::new();
    collect(&root, &mut files);
    let texts: Vec<(String, String)> = files
        .iter()
        .map(|path| {
            let place = path.strip_prefix(&root).unwrap().with_extension("");
            (place.to_str().unwrap().to_owned(), std::fs::read_to_string(path).unwrap())
        })
        .collect();
    let types = public_types(&texts);
    let mut found = BTreeMap::new();
    for (place, text) in &texts {
        read(place, text, &types, &mut found);
    }
    found
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Returns the lines outside unit tests.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split("\n#[cfg(test)]\nmod tests").next().unwrap().lines()
}

/// Adds the module to the names of types of `nvrtc`, which other modules use, too.
fn qualified(place: &str, name: &str) -> String {
    if place.starts_with("nvrtc") { format!("nvrtc::{name}") } else { name.to_owned() }
}

fn identifier(text: &str) -> &str {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '$').next().unwrap()
}

/// Returns the rest of a line that begins with one of the words.
fn after<'line>(line: &'line str, words: &[&str]) -> Option<&'line str> {
    words.iter().find_map(|word| line.trim_start().strip_prefix(word))
}

/// Returns the public types, each with whether it is `Copy`. A `Copy` type owns nothing.
fn public_types(texts: &[(String, String)]) -> BTreeMap<String, bool> {
    let mut types: BTreeMap<String, bool> = BTreeMap::new();
    for (place, text) in texts {
        let mut is_copy = false;
        for line in lines(text) {
            if let Some(list) = after(line, &["#[derive("]) {
                is_copy = list.split([',', ')']).any(|name| name.trim() == "Copy");
            }
            let named = after(line, &["pub struct ", "pub enum ", "pub union "]);
            if let Some(rest) = named {
                *types.entry(qualified(place, identifier(rest))).or_default() |= is_copy;
            }
            if line.contains("Copy for ") {
                types.insert(implemented(line).0, true);
            }
            if named.is_some() || line.trim().is_empty() {
                is_copy = false;
            }
        }
    }
    types
}

fn read(place: &str, text: &str, types: &BTreeMap<String, bool>, found: &mut BTreeMap<String, Function>) {
    let lines: Vec<&str> = lines(text).collect();
    // The open blocks: the column at which each began, the first part of the names of its functions, and whether it is a trait.
    let mut open: Vec<(usize, Option<String>, bool)> = Vec::new();
    let mut calls = BTreeSet::new();
    let mut derives = Vec::new();
    let mut is_hidden = false;
    for (number, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let column = line.len() - code.len();
        if code.starts_with("///") || code.starts_with("#[doc") || code.starts_with("\"cu") {
            calls.extend(names(code));
            is_hidden |= code == "#[doc(hidden)]";
            continue;
        }
        if code.starts_with("#[") || code.starts_with(')') {
            // The catalogue is for Unix.
            is_hidden |= code == "#[cfg(windows)]";
            if let Some(list) = code.strip_prefix("#[derive(") {
                derives = list.split(')').next().unwrap().split(", ").map(str::to_owned).collect();
            }
            continue;
        }
        if code == "}" && open.last().is_some_and(|(began, ..)| *began == column) {
            open.pop();
        }
        if code.starts_with("impl") || code.starts_with("unsafe impl") {
            let header = header(&lines[number..]);
            let (name, implements) = implemented(&header);
            let name = if header.contains("for crate::") { name } else { qualified(place, &name) };
            // A macro implements functions of public types.
            let is_private =
                ["struct", "enum"].iter().any(|kind| text.contains(&format!("pub(crate) {kind} {name} {{")));
            let is_public = types.contains_key(&name) && !is_private || name.contains('$');
            if let Some(name_of_trait) = implements {
                let has_code = !NO_CODE.contains(&name_of_trait.as_str()) && !header.contains("sealed::");
                if is_public && has_code {
                    found.entry(format!("{name}: {name_of_trait}")).or_default();
                }
            } else if is_public && !code.ends_with("{}") {
                open.push((column, Some(name), false));
            }
        } else if let Some(rest) = after(code, &["pub trait ", "pub unsafe trait "]) {
            let is_sealed = open.last().is_some_and(|(_, name, _)| name.as_deref() == Some("sealed"));
            if !code.ends_with("{}") && !is_sealed {
                open.push((column, Some(qualified(place, identifier(rest))), true));
            }
        } else if code == "mod sealed {" {
            open.push((column, Some("sealed".to_owned()), false));
        } else if let Some(rest) = after(code, &["pub struct ", "pub enum "]) {
            let name = qualified(place, identifier(rest));
            if types.get(&name) == Some(&false) && !name.contains('$') && !is_hidden {
                let derived =
                    derives.iter().map(String::as_str).filter(|derived| !NOT_CALLED.contains(derived));
                for name_of_trait in derived.chain(["Drop"]) {
                    found.entry(format!("{name}: {name_of_trait}")).or_default();
                }
            }
        } else if let Some(rest) =
            after(code, &["pub fn ", "pub const fn ", "pub unsafe fn ", "pub const unsafe fn "])
        {
            let name = match open.last() {
                Some((_, Some(name), _)) => format!("{name}::{}", identifier(rest)),
                _ => format!("{}::{}", place.split('/').next().unwrap(), identifier(rest)),
            };
            if !is_hidden {
                found.entry(name).or_default().calls.append(&mut calls);
            }
        } else if let (Some(rest), Some((began, Some(name), true))) =
            (after(code, &["fn ", "unsafe fn "]), open.last())
            && column == began + 4
            && !is_hidden
        {
            found.entry(format!("{name}::{}", identifier(rest))).or_default().calls.append(&mut calls);
        } else {
            assert!(
                !(code.starts_with("pub ") && code.contains(" fn ")),
                "{place}: a function of a new form: {line}"
            );
        }
        calls.clear();
        derives.clear();
        is_hidden = false;
    }
}

/// Returns the names of driver functions in a line.
fn names(line: &str) -> impl Iterator<Item = String> + '_ {
    let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words
        .filter(|word| word.starts_with("cu") && word[2..].starts_with(|c: char| c.is_ascii_uppercase()))
        .map(|word| base(word).to_owned())
}

/// Returns the name without its version.
pub(crate) fn base(name: &str) -> &str {
    match name.rsplit_once("_v") {
        Some((base, digits)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => base,
        _ => name,
    }
}

/// Returns the header of an implementation, which may have several lines.
fn header(lines: &[&str]) -> String {
    let mut header = String::new();
    for line in lines {
        header.push_str(line.trim());
        header.push(' ');
        if line.contains('{') {
            break;
        }
    }
    header
}

/// Returns the type and the trait of an implementation, without paths and parameters.
fn implemented(header: &str) -> (String, Option<String>) {
    let rest = header.trim_start_matches("unsafe ").strip_prefix("impl").unwrap();
    let rest = if rest.starts_with('<') { skip_parameters(rest) } else { rest };
    let rest = rest.split(" where ").next().unwrap().trim();
    let rest = rest.trim_end_matches("{}").trim_end_matches('{').trim();
    match rest.split_once(" for ") {
        Some((name, subject)) => (plain(subject), Some(plain(name))),
        None => (plain(rest), None),
    }
}

/// Returns the text after the parameters at its beginning.
fn skip_parameters(text: &str) -> &str {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            // Not the arrow of a function's type.
            '>' if !text[..at].ends_with('-') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text[at + 1..].trim_start();
        }
    }
    ""
}

/// Returns a type or a trait without its path. Keeps only the parameters of `From`.
fn plain(name: &str) -> String {
    let (path, parameters) = name.split_once('<').unwrap_or((name, ""));
    let last = path.rsplit("::").next().unwrap();
    if last != "From" {
        return last.to_owned();
    }
    // Without lifetimes.
    let words = parameters.split(' ').filter(|word| !word.starts_with("&'"));
    let reference = if parameters.starts_with('&') { "&" } else { "" };
    let plain = words.collect::<Vec<_>>().join(" ");
    format!("From<{reference}{}", plain.trim_start_matches('&'))
}
