//! The users of bytes: the last write, and the reads since then, of each run of bytes with the same uses.

use super::{Relation, Use, UseKind};
use core::ops::Range;
use std::collections::BTreeMap;

/// Limit of the runs. Beyond it, all are forgotten.
const MOST_RUNS: usize = 1 << 20;

/// Run of bytes. Its key is the address of the first byte.
#[derive(Debug, Clone)]
struct Run {
    end: u64,
    write: Option<Use>,
    reads: Vec<Use>,
}

#[derive(Debug, Default)]
pub(super) struct History(BTreeMap<u64, Run>);

impl Run {
    fn is_like(&self, other: &Run) -> bool {
        let same_write = match (&self.write, &other.write) {
            (Some(own), Some(other)) => own.is_like(other),
            (own, other) => own.is_none() && other.is_none(),
        };
        let mut pairs = self.reads.iter().zip(&other.reads);
        same_write && self.reads.len() == other.reads.len() && pairs.all(|(own, other)| own.is_like(other))
    }

    /// Returns whether a use changes nothing.
    fn covers(&self, new: &Use) -> bool {
        let is_as_good = |known: &Use| known.node == new.node && (!known.is_strong || new.is_strong);
        let is_written = self.write.as_ref().is_some_and(is_as_good);
        match new.kind {
            UseKind::Read => is_written || self.reads.iter().any(is_as_good),
            _ => is_written && self.reads.is_empty(),
        }
    }

    /// Records a use, and reports the earlier uses that are not ordered with it.
    fn note(&mut self, new: &Use, relation: &impl Fn(&Use) -> Relation, mut found: impl FnMut(&Use)) {
        let writes = new.kind != UseKind::Read;
        let of_write = self.write.as_ref().map(|write| (relation(write), write));
        if let Some((Relation::Unordered, write)) = of_write {
            found(write);
        }
        let is_late = of_write.is_some_and(|(relation, _)| relation == Relation::Later);
        if writes {
            self.reads.iter().filter(|read| relation(read) == Relation::Unordered).for_each(found);
        }
        // A use that was ordered before the last write says nothing about later ones.
        if is_late || self.covers(new) {
            return;
        }
        if writes {
            self.reads.retain(|read| relation(read) == Relation::Later);
            self.write = Some(*new);
        } else if !self.reads.iter().any(|read| relation(read) == Relation::Later) {
            self.reads.retain(|read| relation(read) == Relation::Unordered);
            self.reads.push(*new);
        }
    }
}

impl History {
    /// Records a use of bytes. Reports the uses that are not ordered with it, with their bytes.
    pub(super) fn note(
        &mut self,
        range: Range<u64>,
        new: &Use,
        relation: impl Fn(&Use) -> Relation,
        mut found: impl FnMut(&Use, Range<u64>),
    ) {
        if range.is_empty() {
            return;
        }
        if let Some((_, run)) = self.0.range(..=range.start).next_back()
            && run.end >= range.end
            && run.covers(new)
        {
            return;
        }
        if self.0.len() > MOST_RUNS {
            self.0.clear();
        }
        self.split(range.start);
        self.split(range.end);
        let mut at = range.start;
        while at < range.end {
            let next = self.0.range(at..range.end).next().map(|(start, _)| *start);
            if next != Some(at) {
                let end = next.unwrap_or(range.end);
                self.0.insert(at, Run { end, write: None, reads: Vec::new() });
            }
            let Some(run) = self.0.get_mut(&at) else { return };
            let end = run.end;
            run.note(new, &relation, |old| found(old, at..end));
            at = end;
        }
        self.merge(range);
    }

    pub(super) fn forget(&mut self, range: Range<u64>) {
        if range.is_empty() || self.0.is_empty() {
            return;
        }
        self.split(range.start);
        self.split(range.end);
        let starts: Vec<u64> = self.0.range(range).map(|(start, _)| *start).collect();
        starts.iter().for_each(|start| drop(self.0.remove(start)));
    }

    /// Splits a run at an address.
    fn split(&mut self, at: u64) {
        let Some((_, run)) = self.0.range_mut(..at).next_back() else { return };
        if run.end > at {
            let rest = run.clone();
            run.end = at;
            self.0.insert(at, rest);
        }
    }

    /// Joins equal runs in a range and at its ends.
    fn merge(&mut self, range: Range<u64>) {
        let first = self.0.range(..range.start).next_back().map_or(range.start, |(start, _)| *start);
        let starts: Vec<u64> = self.0.range(first..=range.end).map(|(start, _)| *start).collect();
        let mut into = first;
        for start in starts {
            if start == into {
                continue;
            }
            let is_one = match (self.0.get(&into), self.0.get(&start)) {
                (Some(before), Some(run)) => before.end == start && before.is_like(run),
                _ => false,
            };
            if is_one
                && let Some(run) = self.0.remove(&start)
                && let Some(before) = self.0.get_mut(&into)
            {
                before.end = run.end;
            } else {
                into = start;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{History, Relation, Use, UseKind};
    use core::ops::Range;

    /// Records a use that follows all known ones. Returns the operations that are not ordered with it.
    fn note(
        history: &mut History,
        node: u64,
        range: Range<u64>,
        kind: UseKind,
        relation: Relation,
    ) -> Vec<u64> {
        let new = Use { node, place: (0, 0), kind, is_strong: false, at: None };
        let of = |old: &Use| if old.node == node { Relation::Same } else { relation };
        let mut found = Vec::new();
        history.note(range, &new, of, |old, _| found.push(old.node));
        found
    }

    #[test]
    fn bytes_of_the_same_uses_are_one_run() {
        let mut history = History::default();
        for start in [0, 20, 10, 30] {
            note(&mut history, 1, start..start + 10, UseKind::Write, Relation::Earlier);
        }
        assert_eq!(history.0.len(), 1);
        note(&mut history, 2, 15..25, UseKind::Read, Relation::Earlier);
        assert_eq!(history.0.keys().copied().collect::<Vec<_>>(), [0, 15, 25]);
        note(&mut history, 3, 0..40, UseKind::Write, Relation::Earlier);
        assert_eq!(history.0.len(), 1);
        history.forget(10..20);
        assert_eq!(history.0.keys().copied().collect::<Vec<_>>(), [0, 20]);
    }

    #[test]
    fn write_is_in_no_order_with_every_read() {
        let mut history = History::default();
        assert!(note(&mut history, 1, 0..8, UseKind::Read, Relation::Unordered).is_empty());
        assert!(note(&mut history, 2, 4..12, UseKind::Read, Relation::Unordered).is_empty());
        assert_eq!(note(&mut history, 3, 4..8, UseKind::Write, Relation::Unordered), [1, 2]);
        assert!(note(&mut history, 4, 12..16, UseKind::Write, Relation::Unordered).is_empty());
        assert_eq!(note(&mut history, 5, 0..16, UseKind::Read, Relation::Unordered), [3, 4]);
    }

    #[test]
    fn use_that_was_to_come_before_is_not_noted() {
        let mut history = History::default();
        note(&mut history, 1, 0..8, UseKind::Free, Relation::Earlier);
        assert!(note(&mut history, 2, 0..8, UseKind::Write, Relation::Later).is_empty());
        assert_eq!(note(&mut history, 3, 0..8, UseKind::Write, Relation::Unordered), [1]);
    }
}
