//! The project's own table of symbols, `symbols.tsv`, and its comparison with the headers.

use super::header::{Headers, Parts, parts, read};
use super::types::Declaration;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// The set that a symbol belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Set {
    /// `cuda.h` and `cudaProfiler.h`.
    Driver,
    /// Second versions of functions of `cuda.h`, for the per-thread default stream.
    PerThread,
    Gl,
    Egl,
    Vdpau,
    /// Superseded before CUDA 11.0, so that no driver needs it: not bound.
    Old,
    /// Exported by drivers, declared in no header: not bound.
    Undocumented,
}

impl Set {
    pub(crate) const BOUND: [Set; 5] = [Set::Driver, Set::PerThread, Set::Gl, Set::Egl, Set::Vdpau];

    fn named(name: &str) -> Set {
        match name {
            "driver" => Set::Driver,
            "per-thread" => Set::PerThread,
            "gl" => Set::Gl,
            "egl" => Set::Egl,
            "vdpau" => Set::Vdpau,
            "old" => Set::Old,
            "undocumented" => Set::Undocumented,
            _ => panic!("symbols.tsv has an unknown set, {name}"),
        }
    }

    /// The first part of the names of its generated files.
    pub(crate) fn module(self) -> &'static str {
        match self {
            Set::Driver => "driver",
            Set::PerThread => "per_thread",
            Set::Gl => "gl",
            Set::Egl => "egl",
            Set::Vdpau => "vdpau",
            Set::Old | Set::Undocumented => panic!("{self:?} is not bound"),
        }
    }
}

/// A row of `symbols.tsv`.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) symbol: String,
    pub(crate) since: u32,
    pub(crate) superseded_by: Option<String>,
    pub(crate) class: String,
    pub(crate) chapter: String,
    pub(crate) set: Set,
    pub(crate) deprecated: bool,
    /// `-`; `windows` or `aarch64-linux`, where alone it is; or `linux` and the release since which it is there.
    pub(crate) only: String,
}

impl Row {
    pub(crate) fn parts(&self) -> Parts<'_> {
        parts(&self.symbol)
    }
}

pub(crate) struct Table {
    pub(crate) rows: Vec<Row>,
    /// The chapters of the documentation, and their titles.
    pub(crate) chapters: Vec<(String, String)>,
}

impl Table {
    pub(crate) fn read(folder: &Path) -> Table {
        let rows: Vec<Row> = lines(&folder.join("symbols.tsv"))
            .map(|columns| {
                let [symbol, since, superseded_by, class, chapter, set, deprecated, only]: [String; 8] =
                    columns.try_into().expect("symbols.tsv has eight columns");
                let since = since.parse().unwrap_or_else(|_| panic!("{symbol}: since {since}"));
                assert!(["yes", "-"].contains(&deprecated.as_str()), "{symbol}: deprecated {deprecated}");
                let (superseded_by, deprecated) = (some(superseded_by), deprecated == "yes");
                Row { symbol, since, superseded_by, class, chapter, set: Set::named(&set), deprecated, only }
            })
            .collect();
        let chapters = lines(&folder.join("chapters.tsv"))
            .map(|columns| <[String; 2]>::try_from(columns).expect("chapters.tsv has two columns").into())
            .collect();
        Table { rows, chapters }
    }

    pub(crate) fn row(&self, symbol: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.symbol == symbol)
    }

    /// The versions of a function, oldest first.
    pub(crate) fn versions(&self, row: &Row) -> Vec<&Row> {
        let same = |other: &&Row| {
            other.parts().base == row.parts().base && other.parts().suffix == row.parts().suffix
        };
        let mut versions: Vec<&Row> = self.rows.iter().filter(same).collect();
        versions.sort_by_key(|row| row.parts().version);
        versions
    }

    /// The second version of a function, for the per-thread default stream.
    pub(crate) fn twin(&self, row: &Row) -> Option<&Row> {
        let named = |suffix| self.row(&format!("{}{suffix}", row.symbol));
        named("_ptds").or_else(|| named("_ptsz"))
    }

    /// Stops if the headers say otherwise than the table, or declare what it does not have.
    pub(crate) fn compare(&self, declarations: &[Declaration], headers: &Headers) {
        let (releases, chapters, deprecated) =
            (headers.introduced(), headers.chapters(), headers.deprecated());
        let mut versions: BTreeMap<(&str, &str), Vec<u32>> = BTreeMap::new();
        for declaration in declarations {
            let Parts { base, version, suffix } = parts(&declaration.name);
            versions.entry((base, suffix)).or_default().push(version);
        }
        versions.values_mut().for_each(|list| list.sort_unstable());
        let declared: HashMap<&str, &Declaration> =
            declarations.iter().map(|declaration| (declaration.name.as_str(), declaration)).collect();

        let mut wrong = Vec::new();
        for declaration in declarations {
            let name = declaration.name.as_str();
            let Parts { base, version, suffix } = parts(name);
            let known = releases.get(&(base.to_owned(), suffix.to_owned()));
            let place =
                versions[&(base, suffix)].iter().position(|&other| other == version).expect("inserted");
            let since = known
                .filter(|known| known.len() == versions[&(base, suffix)].len())
                .map(|known| known[place]);
            let next = versions[&(base, suffix)].get(place + 1).map(|next| format!("{base}_v{next}{suffix}"));
            let chapter = headers.chapter_of(&chapters, name);
            // A twin is as deprecated as its function.
            let function = name.strip_suffix(suffix).unwrap_or(name);
            let in_header = (since, next.as_deref(), chapter, deprecated.contains(function));
            let Some(row) = self.row(name) else {
                wrong.push(format!("{name} is not in symbols.tsv; the headers say {in_header:?}"));
                continue;
            };
            let in_table =
                (Some(row.since), row.superseded_by.as_deref(), row.chapter.as_str(), row.deprecated);
            // Without its header there is no chapter to compare, nor a deprecation.
            let same = in_table == in_header
                || declaration.by_hand && (in_table.0, in_table.1) == (in_header.0, in_header.1);
            if !same {
                wrong.push(format!("{name}: symbols.tsv has {in_table:?}, the headers say {in_header:?}"));
            }
            let old = row
                .superseded_by
                .as_ref()
                .and_then(|next| self.row(next))
                .is_some_and(|next| next.since <= FLOOR);
            if old != (row.set == Set::Old) && row.parts().suffix.is_empty() {
                wrong.push(format!(
                    "{name}: superseded in CUDA 11.0 or earlier is {old}, the set is {:?}",
                    row.set
                ));
            }
        }
        for row in &self.rows {
            if row.set != Set::Undocumented && !declared.contains_key(row.symbol.as_str()) {
                wrong.push(format!("{} is in symbols.tsv, and in no header", row.symbol));
            }
            if row.set.is_bound() {
                let known = ["none", "current", "handle"].contains(&row.class.as_str());
                if !known || !self.chapters.iter().any(|(chapter, _)| *chapter == row.chapter) {
                    wrong.push(format!("{}: class {}, chapter {}", row.symbol, row.class, row.chapter));
                }
            }
        }
        assert!(wrong.is_empty(), "symbols.tsv and the headers differ:\n{}", wrong.join("\n"));
    }
}

impl Set {
    fn is_bound(self) -> bool {
        Set::BOUND.contains(&self)
    }
}

/// The oldest driver that the bindings serve. A function that it or an older one superseded is left
/// out: every driver has the newer one.
const FLOOR: u32 = 11_000;

fn some(column: String) -> Option<String> {
    (column != "-").then_some(column)
}

pub(crate) fn lines(path: &Path) -> impl Iterator<Item = Vec<String>> {
    let text = read(path);
    let lines: Vec<Vec<String>> =
        text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect();
    lines.into_iter()
}
