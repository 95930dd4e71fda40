//! The open sets of numbers of `cuda-rt`: `cuda-rt/src/generated`, from `numbers.tsv` and the enumerations of `cuda.h`.
//!
//! The header has the numbers. The table has the Rust name of each, and its meaning in our own words.

use super::rust::Types;
use super::table::lines;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Types whose values are queried by methods of another type.
const ASKED: [(&str, &str, &str); 2] =
    [("DeviceAttribute", "Device", "self"), ("FunctionAttribute", "Function", "&self")];

/// A row of `numbers.tsv`.
struct Row {
    /// The type in Rust.
    of: String,
    enumerator: String,
    /// The constant; `-` if there is none.
    constant: String,
    /// The method that asks for the value; `-` if there is none.
    method: String,
    /// A sentence, or a phrase that says what the value is; `-` for an older name of the same number.
    meaning: String,
}

/// The files, each with its name.
pub(crate) fn files(types: &str, folder: &Path) -> Vec<(String, String)> {
    let types = Types::parse(types);
    let mut rows: Vec<(String, Vec<Row>)> = Vec::new();
    for columns in lines(&folder.join("numbers.tsv")) {
        let [of, enumerator, constant, method, meaning]: [String; 5] =
            columns.try_into().expect("numbers.tsv has five columns");
        let row = Row { of: of.clone(), enumerator, constant, method, meaning };
        match rows.iter_mut().find(|(name, _)| *name == of) {
            Some((_, list)) => list.push(row),
            None => rows.push((of, vec![row])),
        }
    }
    let mut wrong = Vec::new();
    let files = rows.iter().map(|(of, rows)| (file_name(of), file(of, rows, &types, &mut wrong))).collect();
    assert!(wrong.is_empty(), "numbers.tsv and cuda.h differ:\n{}", wrong.join("\n"));
    files
}

/// `device_attribute.rs` of `DeviceAttribute`.
fn file_name(of: &str) -> String {
    let mut name = String::new();
    for character in of.chars() {
        if character.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(character.to_ascii_lowercase());
    }
    name + ".rs"
}

/// The constants of one type, and what else is made of the rows. Adds to `wrong` what the table and the header disagree on.
fn file(of: &str, rows: &[Row], types: &Types, wrong: &mut Vec<String>) -> String {
    let (_, declared) = types
        .enumerations
        .iter()
        .find(|(_, names)| names.contains(&rows[0].enumerator))
        .unwrap_or_else(|| panic!("numbers.tsv: cuda.h does not declare {}", rows[0].enumerator));
    for name in declared.iter().filter(|name| rows.iter().all(|row| row.enumerator != **name)) {
        wrong.push(format!("{of}: no row for {name}, which is {}", types.values[name]));
    }
    for row in rows.iter().filter(|row| !declared.contains(&row.enumerator)) {
        wrong.push(format!("{of}: {} is not an enumerator of the same type", row.enumerator));
    }
    let mut first: BTreeMap<i64, &str> = BTreeMap::new();
    let mut text = format!("impl {of} {{\n");
    for row in rows.iter().filter(|row| row.constant != "-") {
        let Some(value) = types.values.get(&row.enumerator) else { continue };
        let (name, enumerator) = (&row.constant, &row.enumerator);
        let (about, value) = match first.get(value) {
            Some(known) => {
                (format!("An older name of [`{known}`](Self::{known})."), format!("Self::{known}"))
            }
            None => {
                first.insert(*value, name);
                (sentence("The value is", &row.meaning), format!("Self({value})"))
            }
        };
        let _ = writeln!(
            text,
            "/// {about}\n#[doc(alias = \"{enumerator}\")]\npub const {name}: Self = {value};"
        );
    }
    text.push_str("}\n");
    if let Some((_, asked, receiver)) = ASKED.iter().find(|(name, ..)| *name == of) {
        text.push_str(&methods(rows, asked, receiver));
    }
    let names: Vec<String> = rows
        .iter()
        .map(|row| row.constant.clone())
        .filter(|name| first.values().any(|known| known == name))
        .collect();
    format!("{text}\nnumbers! {{ {of}:\n{}\n}}\n", super::traits::wrapped(&names, "    "))
}

/// A method for each number that has one.
fn methods(rows: &[Row], asked: &str, receiver: &str) -> String {
    let mut text = format!("\nattribute_methods! {{ {asked}({receiver}) self:\n");
    for Row { of, enumerator, constant, method, meaning } in rows.iter().filter(|row| row.method != "-") {
        let condition = meaning.strip_prefix("1 if ");
        let about = match (meaning.as_str(), condition) {
            ("-", _) => format!("Returns [`{of}::{constant}`], under its older name."),
            (_, Some(condition)) => format!("Returns whether {condition}."),
            (meaning, None) => sentence("Returns", meaning),
        };
        let answer = if condition.is_some() { "bool" } else { "i32" };
        let _ = writeln!(
            text,
            "    /// {about}\n    #[doc(alias = \"{enumerator}\")]\n    {method} -> {answer} = {of}::{constant};"
        );
    }
    text + "}\n"
}

/// A meaning as a sentence: it is one, or it continues this beginning.
fn sentence(beginning: &str, meaning: &str) -> String {
    if meaning.ends_with('.') { meaning.to_owned() } else { format!("{beginning} {meaning}.") }
}
