//! Functions of the driver API that the safe layer reaches.
//!
//! A function is *reached* if cuda-rt calls it and a public item has its name as an alias. The others have a row in
//! `conformance/coverage.tsv`, which says why. So have those that are reached and were not run on hardware. The page `cuda-rt/docs/driver-functions.md` is made from both:
//! `COVERAGE=write cargo test --test coverage`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod guides;
mod items;
mod page;

use items::SafeLayer;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The newest release whose driver has run the tests.
const NEWEST_MEASURED: u32 = 13000;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The name without its version.
fn base(name: &str) -> &str {
    match name.rsplit_once("_v") {
        Some((base, digits)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => base,
        _ => name,
    }
}

/// A function of the driver API, whatever its versions.
struct Function {
    chapter: String,
    /// The first release that has it, as the driver counts: 12040 is CUDA 12.4.
    since: u32,
    /// All versions, with the twins for the per-thread default stream.
    versions: BTreeSet<String>,
}

/// The functions by their names without version, from the generator's list.
fn functions() -> BTreeMap<String, Function> {
    let text = std::fs::read_to_string(root().join("generator/symbols.tsv")).unwrap();
    let mut found: BTreeMap<String, Function> = BTreeMap::new();
    for row in text.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [symbol, since, _, _, chapter, set, ..] = columns[..] else { panic!("{row}") };
        // cudaGL.h, cudaEGL.h, cudaVDPAU.h and cudaProfiler.h are counted apart: the API is the functions of cuda.h.
        let in_cuda_h =
            !["cuGL", "cuEGL", "cuVDPAU", "cuProfiler"].iter().any(|start| symbol.starts_with(start));
        if !in_cuda_h || !["driver", "old", "per-thread"].contains(&set) {
            continue;
        }
        let name = symbol.trim_end_matches("_ptsz").trim_end_matches("_ptds");
        let since = since.parse().unwrap();
        let function = found.entry(base(name).to_owned()).or_insert_with(|| Function {
            chapter: chapter.to_owned(),
            since,
            versions: BTreeSet::new(),
        });
        function.since = function.since.min(since);
        function.versions.insert(symbol.to_owned());
    }
    found
}

/// The reason why the safe layer does not reach a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// Another way does the same work. The row names it.
    Superseded,
    /// It stays raw, for the reason that the row gives.
    Raw,
    /// Nothing reaches it yet.
    Open,
    /// It is reached, and the reason says how far hardware has not run it.
    Unrun,
}

struct Row {
    verdict: Verdict,
    /// The items that do its work, as paths in cuda-rt, if they do not have its name as an alias.
    items: Vec<String>,
    reason: String,
}

fn rows() -> BTreeMap<String, Row> {
    let text = std::fs::read_to_string(root().join("conformance/coverage.tsv")).unwrap();
    let mut found = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [function, verdict, items, reason] = columns[..] else { panic!("four columns: {line}") };
        let verdict = match verdict {
            "superseded" => Verdict::Superseded,
            "raw" => Verdict::Raw,
            "open" => Verdict::Open,
            "unrun" => Verdict::Unrun,
            _ => panic!("{function}: {verdict} is no verdict"),
        };
        let items: Vec<String> =
            items.split_whitespace().filter(|item| *item != "-").map(str::to_owned).collect();
        assert!(verdict == Verdict::Open || reason.len() > 10, "{function} has no reason");
        let row = Row { verdict, items, reason: reason.to_owned() };
        assert!(found.insert(function.to_owned(), row).is_none(), "{function} has two rows");
    }
    found
}

#[test]
fn every_function_is_reached_or_has_a_row() {
    let (functions, rows, safe) = (functions(), rows(), SafeLayer::read(&root().join("cuda-rt/src")));
    let reached = |name: &String| safe.reaches(&functions[name]);
    let is_unrun = |name: &String| rows.get(name).is_some_and(|row| row.verdict == Verdict::Unrun);
    let without: Vec<&String> = functions
        .keys()
        .filter(|name| !reached(name) && (!rows.contains_key(*name) || is_unrun(name)))
        .collect();
    assert!(without.is_empty(), "neither reached nor in conformance/coverage.tsv: {without:?}");
    let stale: Vec<&String> = rows
        .keys()
        .filter(|name| !functions.contains_key(*name) || reached(name) && !is_unrun(name))
        .collect();
    assert!(stale.is_empty(), "reached, or no functions, but in conformance/coverage.tsv: {stale:?}");
    let newer: Vec<&String> =
        rows.keys().filter(|name| is_unrun(name) && functions[*name].since > NEWEST_MEASURED).collect();
    assert!(newer.is_empty(), "newer than the driver, and need no row: {newer:?}");

    let without_items: Vec<&String> = rows
        .iter()
        .filter(|(name, row)| {
            row.verdict == Verdict::Superseded
                && row.items.is_empty()
                && safe.items_of(&functions[*name]).is_empty()
        })
        .map(|(name, _)| name)
        .collect();
    assert!(without_items.is_empty(), "superseded by no item: {without_items:?}");

    let page = page::page(&functions, &rows, &safe);
    let place = root().join("cuda-rt/docs/driver-functions.md");
    if std::env::var("COVERAGE").is_ok_and(|what| what == "write") {
        std::fs::write(&place, &page).unwrap();
    }
    let written = std::fs::read_to_string(&place).unwrap_or_default();
    assert!(
        written == page,
        "run `COVERAGE=write cargo test --test coverage`: {} is out of date",
        place.display()
    );

    let count = |verdict| rows.values().filter(|row| row.verdict == verdict).count();
    let (superseded, raw, open) = (count(Verdict::Superseded), count(Verdict::Raw), count(Verdict::Open));
    let called = functions.len() - superseded - raw - open;
    println!("reached {called}, superseded {superseded}, raw {raw}, open {open}");
    println!("safe coverage: {} of {} base functions", called + superseded, functions.len());
}
