//! Facts about the bindings, and the table of them.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// Kinds of facts about a name.
const KINDS: [&str; 8] = ["size", "align", "offset", "type", "enumerator", "alias", "constant", "prototype"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fact {
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    pub(crate) value: String,
}

#[derive(Debug, Clone)]
pub(crate) struct Table(pub(crate) Vec<Fact>);

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "kind\tname\tvalue")?;
        self.0
            .iter()
            .try_for_each(|Fact { kind, name, value }| writeln!(formatter, "{kind}\t{name}\t{value}"))
    }
}

impl Table {
    pub(crate) fn read(path: &Path) -> Table {
        let text = std::fs::read_to_string(path).unwrap();
        let facts = text.lines().skip(1).map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let [kind, name, value] = columns[..] else { panic!("{line}") };
            let kind = KINDS.into_iter().find(|known| *known == kind).unwrap_or_else(|| panic!("{line}"));
            Fact { kind, name: name.to_owned(), value: value.to_owned() }
        });
        Table(facts.collect())
    }

    /// Returns the differences between the table and the facts.
    pub(crate) fn compare(&self, facts: &[Fact]) -> Vec<String> {
        let mut rest: BTreeMap<(&str, &str), &str> =
            facts.iter().map(|fact| ((fact.kind, fact.name.as_str()), fact.value.as_str())).collect();
        let mut differences = Vec::new();
        for Fact { kind, name, value } in &self.0 {
            match rest.remove(&(*kind, name.as_str())) {
                Some(other) if other == value => {}
                Some(other) => differences.push(format!("{kind} of {name}: {value} expected, {other} found")),
                None => differences.push(format!("{kind} of {name}: {value} expected, nothing found")),
            }
        }
        let surplus =
            rest.into_iter().map(|((kind, name), value)| format!("{kind} of {name}: {value} not expected"));
        differences.extend(surplus);
        differences
    }
}
