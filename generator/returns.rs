//! The codes that the documentation of each function lists. Codes alone: the words are NVIDIA's.

use super::types::Declaration;
use super::versions::base_and_version;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

/// The codes that a function's comment lists after `\return`, by the name that the text declares.
fn documented(cuda_h: &str) -> HashMap<&str, BTreeSet<&str>> {
    let mut codes: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for comment in cuda_h.split("/**").skip(1) {
        let Some((comment, rest)) = comment.split_once("*/") else { continue };
        let Some(name) = declared(rest) else { continue };
        let lists = comment.split("\\return").skip(1);
        // A list ends where the next mark begins.
        let words = lists.map(|list| list.split('\\').next().unwrap_or(list)).flat_map(|list| {
            list.split(|character: char| !character.is_ascii_alphanumeric() && character != '_')
        });
        codes.entry(name).or_default().extend(words.filter(|word| word.starts_with("CUDA_ERROR_")));
    }
    codes
}

/// The function that is declared right after a comment, if one is.
fn declared(rest: &str) -> Option<&str> {
    let mut rest = rest.trim_start();
    while rest.starts_with('#') {
        rest = rest.split_once('\n')?.1.trim_start();
    }
    let rest = rest.trim_start_matches("__CUDA_DEPRECATED").trim_start();
    let name = rest.strip_prefix("CUresult")?.trim_start().strip_prefix("CUDAAPI")?.trim_start();
    name.split_once('(').map(|(name, _)| name)
}

pub(crate) fn file(bound: &[(&Declaration, u32)], cuda_h: &str, release: u32) -> String {
    let documented = documented(cuda_h);
    let exported = super::versions::renamed(cuda_h);
    let mut text = format!(
        "// Generated from the interface of CUDA {}.{} by `cargo build --features regenerate`. Do not edit.

/// Calls the given macro with every function and the codes that its documentation lists, besides success.
macro_rules! for_each_return {{
    ($($callback:tt)+) => {{
        $($callback)+! {{
",
        release / 1000,
        release % 1000 / 10
    );
    for (declaration, _) in bound {
        // An older version has no text of its own.
        let names = [
            declaration.name.as_str(),
            exported.get(declaration.name.as_str()).copied().unwrap_or_default(),
            base_and_version(&declaration.name).0,
        ];
        let Some(codes) = names.iter().find_map(|name| documented.get(name)) else { continue };
        let codes: Vec<&str> = codes.iter().copied().collect();
        let _ = writeln!(text, "            {}: {};", declaration.name, codes.join(" "));
    }
    text.push_str("        }\n    };\n}\n\npub(crate) use for_each_return;\n");
    text
}
