//! The guides for programmers of other interfaces: `cuda-rt/docs/coming-from`.
//!
//! Rustdoc checks that the items of their tables exist. These tests check that no name of the other interface lacks a row, and that
//! rustdoc sees all guides.

use crate::{base, root};
use std::collections::{BTreeMap, BTreeSet};

const GUIDES: [&str; 5] = ["c", "cudarc", "cust", "pycuda", "warp"];

/// Names of types, and a name that a guide mentions because no driver has it.
const NO_FUNCTIONS: [&str; 3] = ["cuFloatComplex", "cuDoubleComplex", "cuMemPeerRegister"];

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn guide(name: &str) -> String {
    read(&format!("cuda-rt/docs/coming-from/{name}.md"))
}

/// A row of a table.
struct Row {
    /// The heading of the second level above it, without the signs of code.
    heading: String,
    cells: Vec<String>,
    /// The number of columns that the head of the table has.
    columns: usize,
    line: usize,
}

/// Returns the rows of all tables in a text, without the heads.
fn rows(text: &str) -> Vec<Row> {
    let (mut found, mut heading, mut columns, mut is_code) = (Vec::new(), String::new(), None, false);
    for (line, number) in text.lines().zip(1..) {
        is_code ^= line.starts_with("```");
        if is_code {
            continue;
        }
        if let Some(title) = line.strip_prefix("## ").or(line.strip_prefix("# ")) {
            heading = title.trim_matches('`').to_owned();
        }
        let Some(inside) = line.strip_prefix('|') else {
            columns = None;
            continue;
        };
        let cells: Vec<String> =
            inside.trim_end().trim_end_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        match columns {
            None => columns = Some(cells.len()),
            Some(_) if cells.iter().all(|cell| cell.chars().all(|letter| letter == '-')) => {}
            Some(columns) => found.push(Row { heading: heading.clone(), cells, columns, line: number }),
        }
    }
    found
}

/// Returns the texts between the signs of code.
fn code_in(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Returns the names that the first cell of a row is about, without arguments.
fn names_of(row: &Row) -> impl Iterator<Item = String> {
    code_in(&row.cells[0]).filter_map(|code| code.split('(').next()).map(str::to_owned)
}

/// Returns whether a text names an item, or says in words what to do.
fn tells_something(cell: &str) -> bool {
    cell.contains("[`") || cell.contains("](") || cell.split_whitespace().count() > 1 || cell.starts_with('`')
}

#[test]
fn guide_rows_have_an_item_or_advice() {
    for name in GUIDES {
        let rows = rows(&guide(name));
        assert!(rows.len() > 20, "{name}: {} rows", rows.len());
        for row in rows {
            let place = format!("{name}.md:{}: {}", row.line, row.cells.join(" | "));
            assert_eq!(row.cells.len(), row.columns, "{place}");
            assert!(!row.cells[0].is_empty(), "{place}");
            let is_word = |cell: &str| cell == "None" || cell == "Dropping";
            assert!(tells_something(&row.cells[1]) || is_word(&row.cells[1]), "{place}");
        }
    }
}

/// The list is of names as they are in PyCUDA's module, with a heading for each module in the guide.
#[test]
fn pycuda_names_each_have_one_heading_and_row() {
    let list = read("conformance/pycuda.tsv");
    let mut lines = list.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(lines.next(), Some("module\tname"));
    let listed: BTreeSet<(String, String)> = lines
        .map(|line| line.split_once('\t').unwrap_or_else(|| panic!("two columns: {line}")))
        .map(|(module, name)| (module.to_owned(), name.to_owned()))
        .collect();
    assert!(listed.len() > 900, "{} names", listed.len());
    let modules: BTreeSet<&str> = listed.iter().map(|(module, _)| module.as_str()).collect();

    let mut in_guide: BTreeMap<(String, String), usize> = BTreeMap::new();
    for row in rows(&guide("pycuda")).iter().filter(|row| modules.contains(row.heading.as_str())) {
        for name in names_of(row) {
            let before = in_guide.insert((row.heading.clone(), name.clone()), row.line);
            assert_eq!(before, None, "pycuda.md:{}: {name} has two rows", row.line);
        }
    }
    let missing: Vec<_> = listed.iter().filter(|name| !in_guide.contains_key(name)).collect();
    assert!(missing.is_empty(), "no row in the guide: {missing:?}");
    let unknown: Vec<_> = in_guide.iter().filter(|(name, _)| !listed.contains(name)).collect();
    assert!(unknown.is_empty(), "not in conformance/pycuda.tsv: {unknown:?}");
}

/// The coverage table has all functions of `cuda.h`, the list of the generator those of the other headers, too.
#[test]
fn guides_name_only_functions_that_exist() {
    let symbols = read("generator/symbols.tsv");
    let nvrtc = read("conformance/nvrtc.tsv");
    let first = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
    let known: BTreeSet<String> = symbols
        .lines()
        .map(first)
        .flat_map(|name| [base(&name).to_owned(), name])
        .chain(nvrtc.lines().map(first))
        .collect();
    let mut checked = 0;
    for name in GUIDES {
        let text = guide(name);
        let prose = text.split("```").step_by(2);
        for code in prose.flat_map(code_in).filter_map(|code| code.split(['(', ' ']).next()) {
            let is_function = ["cu", "nvrtc"].iter().any(|start| {
                code.strip_prefix(start)
                    .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_uppercase()))
            });
            if is_function && !NO_FUNCTIONS.contains(&code) {
                assert!(known.contains(code), "{name}.md: {code}");
                checked += 1;
            }
        }
    }
    assert!(checked > 80, "{checked}");
    for name in NO_FUNCTIONS {
        assert!(!known.contains(name), "{name}");
    }
}

/// A broken link in a guide is an error in CI: rustdoc has every guide, with all features that its links need.
#[test]
fn guides_are_in_the_documentation_that_ci_checks() {
    let module = read("cuda-rt/src/coming_from.rs");
    let files = std::fs::read_dir(root().join("cuda-rt/docs/coming-from")).unwrap();
    let files: BTreeSet<String> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    let expected: BTreeSet<String> = GUIDES.iter().map(|name| format!("{name}.md")).collect();
    assert_eq!(files, expected);
    for name in GUIDES {
        let include =
            format!("pub mod {name} {{\n    #![doc = include_str!(\"../docs/coming-from/{name}.md\")]");
        assert!(module.contains(&include), "{name}");
    }
    assert!(read("cuda-rt/src/lib.rs").contains("#[cfg(any(doc, doctest))]\npub mod coming_from;"));

    let steps = read(".ci/run");
    assert!(steps.contains("\nRUSTDOCFLAGS=\"-D warnings\" linted cargo doc --workspace --no-deps\n"));
    let manifest = read("Cargo.toml");
    let dependency =
        manifest.lines().find(|line| line.starts_with("cuda-rt = { workspace = true, features")).unwrap();
    for feature in ["macros", "nvrtc", "gl"] {
        let quoted = format!("\"{feature}\"");
        assert!(module.contains(&format!("feature = {quoted}")) && dependency.contains(&quoted), "{feature}");
    }
}

#[test]
fn rows_of_tables_are_found_with_their_heading() {
    let text = "## `one`\n\n| a | b |\n|---|---|\n| `x(1)`, `y` | 2 |\n\n```\n| no | row |\n```\n\n# Two\n| c |\n|---|\n| 3 |\n";
    let rows = rows(text);
    let shown: Vec<_> =
        rows.iter().map(|row| (&*row.heading, &*row.cells[0], row.columns, row.line)).collect();
    assert_eq!(shown, [("one", "`x(1)`, `y`", 2, 5), ("Two", "3", 1, 14)]);
    assert_eq!(names_of(&rows[0]).collect::<Vec<_>>(), ["x", "y"]);
}
