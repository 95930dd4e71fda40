//! The table of symbols, as data.

use super::lists;
use super::table::{Set, Table};
use super::types::Declaration;
use std::fmt::Write;

pub(crate) fn file(table: &Table, declarations: &[Declaration]) -> String {
    let mut text = String::from("symbols! {\n");
    for (chapter, title) in &table.chapters {
        let _ = writeln!(text, "    [{chapter}: {title:?}]");
    }
    for set in Set::BOUND {
        for (row, _) in lists::of(set, table, declarations) {
            let set = match set {
                Set::Driver => "Driver",
                Set::PerThread => "PerThread",
                Set::Gl => "Gl",
                Set::Egl => "Egl",
                Set::Vdpau => "Vdpau",
                Set::Old | Set::Undocumented => panic!("{set:?} is not bound"),
            };
            let class = match row.class.as_str() {
                "none" => "NoContext",
                "current" => "CurrentContext",
                "handle" => "Handle",
                other => panic!("{}: class {other}", row.symbol),
            };
            let system = match row.only.as_str() {
                "-" => "true".to_owned(),
                "windows" => "cfg!(windows)".to_owned(),
                "aarch64-linux" => "cfg!(all(target_os = \"linux\", target_arch = \"aarch64\"))".to_owned(),
                _ => "true".to_owned(),
            };
            let since = match row.only.strip_prefix("linux ") {
                Some(linux) => {
                    format!("if cfg!(target_os = \"linux\") {{ {linux} }} else {{ {} }}", row.since)
                }
                None => row.since.to_string(),
            };
            let symbol =
                |other: Option<&str>| other.map_or("None".to_owned(), |name| format!("Some(Symbol::{name})"));
            let next = symbol(row.superseded_by.as_deref());
            let twin = symbol(table.twin(row).map(|twin| twin.symbol.as_str()));
            let _ = writeln!(
                text,
                "    {}: {set}, {}, {since}, {class}, {}, {system}, {next}, {twin};",
                row.symbol, row.chapter, row.deprecated
            );
        }
    }
    text.push_str("}\n");
    text
}
