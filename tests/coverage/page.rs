//! The page of the documentation that leads from a C name to the item that does its work.

use crate::{Function, NEWEST_MEASURED, Row, SafeLayer, Verdict, root};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The whole page, in Markdown with links to items.
pub(crate) fn page(
    functions: &BTreeMap<String, Function>,
    rows: &BTreeMap<String, Row>,
    safe: &SafeLayer,
) -> String {
    let titles = std::fs::read_to_string(root().join("generator/chapters.tsv")).unwrap();
    let chapters = titles.lines().skip(1).map(|row| row.split_once('\t').unwrap());
    let mut page = "<!-- Made by `COVERAGE=write cargo test --test coverage`. Do not edit. -->\n".to_owned();
    for (chapter, title) in chapters.chain([("-", "Others")]) {
        let functions: Vec<_> =
            functions.iter().filter(|(_, function)| function.chapter == chapter).collect();
        if functions.is_empty() {
            continue;
        }
        write!(page, "\n## {title}\n\n| function | since | in this crate |\n|---|---|---|\n").unwrap();
        for (name, function) in functions {
            let (major, minor) = (function.since / 1000, function.since % 1000 / 10);
            let unrun = match rows.get(name) {
                Some(row) if row.verdict == Verdict::Unrun => format!(", {}", row.reason),
                _ if function.since > NEWEST_MEASURED => ", not run on hardware".to_owned(),
                _ => String::new(),
            };
            let reached = links(safe.items_of(function).into_iter());
            let place = match rows.get(name) {
                None => reached,
                Some(row) => match row.verdict {
                    Verdict::Unrun => reached,
                    Verdict::Superseded => {
                        let named = links(row.items.iter().map(String::as_str));
                        format!("{}: {}", if named.is_empty() { reached } else { named }, row.reason)
                    }
                    Verdict::Raw => format!("raw: {}", row.reason),
                    Verdict::Open => "not yet".to_owned(),
                },
            };
            writeln!(page, "| `{name}` | {major}.{minor}{unrun} | {place} |").unwrap();
        }
    }
    page
}

/// So many items are shown for one function: those with the shortest paths.
const SHOWN: usize = 4;

/// Links to items, which `cargo doc` checks.
fn links<'item>(items: impl Iterator<Item = &'item str>) -> String {
    let mut items: Vec<&str> = items.collect();
    items.sort_by_key(|path| path.len());
    let links = items.iter().take(SHOWN).map(|path| {
        let shown = path.trim_start_matches("crate::");
        format!("[`{shown}`]({path})")
    });
    let mut links: Vec<String> = links.collect();
    if items.len() > SHOWN {
        links.push(format!("{} more", items.len() - SHOWN));
    }
    links.join(", ")
}
