//! The codes that the documentation of each function lists. Codes alone: the words are NVIDIA's.

use super::header::{Headers, parts};
use super::lists;
use super::table::{Set, Table};
use super::types::Declaration;
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

pub(crate) fn file(table: &Table, declarations: &[Declaration], headers: &Headers) -> String {
    let documented = documented(headers.cuda_h());
    let exported = headers.renamed();
    let mut text = String::from(
        "/// Calls the given macro with every function and the codes that its documentation lists, besides success.
macro_rules! for_each_documented_codes {
    ($($callback:tt)+) => {
        $($callback)+! {
",
    );
    for (_, declaration) in lists::of(Set::Driver, table, declarations) {
        // An older version has no text of its own.
        let names = [
            declaration.name.as_str(),
            exported.get(declaration.name.as_str()).copied().unwrap_or_default(),
            parts(&declaration.name).base,
        ];
        let Some(codes) = names.iter().find_map(|name| documented.get(name)) else { continue };
        let codes: Vec<&str> = codes.iter().copied().collect();
        let _ = writeln!(text, "            {}: {};", declaration.name, codes.join(" "));
    }
    text.push_str("        }\n    };\n}\n\npub(crate) use for_each_documented_codes;\n");
    text
}
