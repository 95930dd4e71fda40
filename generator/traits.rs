//! The traits that bindgen writes out for each type, as lists: macros of `generated/mod.rs` turn them into code.

use std::fmt::Write;

/// Replaces the implementations of traits by lists of the types that have them.
pub(crate) fn listed(types: &str) -> String {
    let (types, zeroed) = without(types, "impl Default for ");
    let (mut types, masks) = without(&types, "impl ::core::ops::BitOr<");
    for other in ["BitOrAssign", "BitAnd", "BitAndAssign"] {
        types = without(&types, &format!("impl ::core::ops::{other}")).0;
    }
    let (types, printed) = without(&types, "impl ::core::fmt::Debug for ");
    let (unions, structures): (Vec<String>, Vec<String>) =
        printed.into_iter().partition(|name| types.contains(&format!("\npub union {name} {{")));
    // A structure that holds a union can derive `Debug`, since the union implements it.
    let types = structures.iter().fold(types, |types, name| {
        let (before, after) =
            ("#[derive(Copy, Clone)]\npub struct", "#[derive(Debug, Copy, Clone)]\npub struct");
        types.replace(&format!("{before} {name} {{"), &format!("{after} {name} {{"))
    });
    let lists = [("zeroed", zeroed), ("masks", masks), ("unions", unions)];
    lists.iter().fold(types, |types, (name, list)| types + &block(name, list))
}

/// Cuts the implementations that begin like this out of the text, and names the types.
fn without(types: &str, beginning: &str) -> (String, Vec<String>) {
    let beginning = format!("\n{beginning}");
    let (mut text, mut names) = (String::new(), Vec::new());
    let mut rest = types;
    while let Some((head, tail)) = rest.split_once(&beginning) {
        let name =
            tail.trim_start().split([' ', '>', '<', '\n']).find(|word| !word.is_empty() && *word != "for");
        names.push(name.expect("a type").to_owned());
        text.push_str(head);
        // The line's end stays: the next implementation may follow at once.
        rest = &tail[tail.find("\n}\n").expect("the block ends") + 2..];
    }
    (text + rest, names)
}

/// A call of a macro with a list of names, in lines of a readable length.
pub(crate) fn block(name: &str, list: &[String]) -> String {
    if list.is_empty() {
        return String::new();
    }
    format!("\n{name}! {{\n{}\n}}\n", wrapped(list, "    "))
}

/// Names in lines of at most 110 columns.
pub(crate) fn wrapped(names: &[String], indent: &str) -> String {
    let mut text = String::new();
    let mut column = 0;
    for name in names {
        if column == 0 || column + 1 + name.len() > 110 {
            let _ = write!(text, "{}{indent}{name}", if column == 0 { "" } else { "\n" });
            column = indent.len() + name.len();
        } else {
            let _ = write!(text, " {name}");
            column += 1 + name.len();
        }
    }
    text
}
