//! Managed memory: the attachment of each allocation, and the program's advice about its pages.
//!
//! Its bytes are memory of the host, and its addresses are those of the host and of every device. Nothing migrates.
//! Advice therefore changes only the answers to queries.

use crate::collections::{IdMap, SmallMap, SmallSet};
use crate::driver::handles::Handle;
use crate::driver::memory::address_ranges;
use crate::driver::memory::heap::Reachable;
use crate::driver::memory::host_page::host_page;
use crate::driver::memory::pages::{GRANULE, PageRuns};
use crate::driver::operations::StreamId;
use core::ffi::c_int;
use core::ops::Range;
use core::ptr::with_exposed_provenance_mut;
use cuda_sys::CUdevice;

/// Attachment of an allocation on devices that do not share it with the host at all times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attachment {
    Global,
    Host,
    /// Stream of a context.
    Single(StreamId, Handle),
}

/// Actual or preferred location of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Device(CUdevice),
    Host,
    /// NUMA node of the host.
    Node(c_int),
    /// NUMA node that is close to the calling thread.
    CurrentNode,
}

/// Advice about pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Advice {
    pub(crate) read_mostly: bool,
    pub(crate) preferred: Option<Place>,
    pub(crate) accessed_by: SmallSet<Place>,
    /// Destination of the last prefetch.
    pub(crate) prefetched: Option<Place>,
}

/// Advice by pages, which allocations may share (measured). An entry applies from its address to the next one.
struct Advised(SmallMap<u64, Advice>);

impl Default for Advised {
    fn default() -> Advised {
        let mut advised = Advised(SmallMap::default());
        advised.0.insert(0, Advice::default());
        advised
    }
}

impl Advised {
    /// Changes the advice of the host's pages that a range overlaps.
    fn change(&mut self, range: &Range<u64>, change: &dyn Fn(&mut Advice)) {
        let page = host_page();
        let pages = range.start / page * page..range.end.next_multiple_of(page);
        for border in [pages.start, pages.end] {
            let before = self.0.at_or_before(&border).map(|(_, advice)| advice.clone());
            self.0.insert(border, before.unwrap_or_default());
        }
        self.0.range_mut(&pages).iter_mut().for_each(|(_, advice)| change(advice));
        let mut last: Option<Advice> = None;
        self.0.retain(|_, advice| {
            let is_other = last.as_ref() != Some(advice);
            last = Some(advice.clone());
            is_other
        });
    }

    /// Returns the advice in a range, part by part.
    fn of(&self, range: &Range<u64>) -> impl Iterator<Item = &Advice> {
        let first = self.0.at_or_before(&range.start);
        let others = self.0.range(&(range.start.saturating_add(1)..range.end));
        first.into_iter().chain(others).map(|(_, advice)| advice)
    }
}

/// Properties of one allocation.
struct Facts {
    /// Start of the next possible allocation.
    end: u64,
    /// Attachment at the allocation.
    first: Attachment,
    attachment: Attachment,
}

/// All managed memory.
#[derive(Default)]
pub(crate) struct Managed {
    pub(crate) runs: PageRuns,
    facts: IdMap<u64, Facts>,
    advised: Advised,
}

impl Managed {
    /// Records a new allocation.
    pub(crate) fn add(&mut self, base: u64, size: u64, attachment: Attachment) {
        let end = base + size.next_multiple_of(GRANULE);
        self.facts.insert(base, Facts { end, first: attachment, attachment });
    }

    /// Forgets an allocation. The advice about its pages is removed too, even if other allocations share them (measured).
    pub(crate) fn forget(&mut self, base: u64, size: u64) {
        self.facts.remove(base);
        self.advised.change(&(base..base + size), &|advice| *advice = Advice::default());
    }

    /// Attaches an allocation, if it still exists.
    pub(crate) fn attach(&mut self, base: u64, attachment: Attachment) {
        if let Some(facts) = self.facts.get_mut(base) {
            facts.attachment = attachment;
        }
    }

    /// Restores the initial attachment of allocations that are attached to destroyed streams.
    pub(crate) fn detach(&mut self, is_gone: impl Fn(StreamId, Handle) -> bool) {
        for facts in self.facts.values_mut() {
            if matches!(facts.attachment, Attachment::Single(on_stream, context) if is_gone(on_stream, context))
            {
                facts.attachment = facts.first;
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// Changes the advice about a range.
    pub(crate) fn advise(&mut self, range: &Range<u64>, change: &dyn Fn(&mut Advice)) {
        self.advised.change(range, change);
    }

    /// Returns the advice about a range, part by part.
    pub(crate) fn advice(&self, range: &Range<u64>) -> impl Iterator<Item = &Advice> {
        self.advised.of(range)
    }

    /// Returns the managed memory that kernels of a stream can access. If the device shares it with the host at all
    /// times, this is all of it. Otherwise it is all memory that is not attached elsewhere.
    pub(crate) fn reachable(&self, stream: StreamId, is_shared: bool) -> Vec<Reachable> {
        let runs = self.runs.0.iter().map(|(start, pages)| start..start + pages.len).collect();
        let is_closed = |facts: &Facts| match facts.attachment {
            Attachment::Global => false,
            Attachment::Host => true,
            Attachment::Single(on_stream, _) => on_stream != stream,
        };
        let closed = self.facts.iter().filter(|(_, facts)| !is_shared && is_closed(facts));
        let closed: Vec<Range<u64>> = closed.map(|(base, facts)| base..facts.end).collect();
        let open = if closed.is_empty() { runs } else { address_ranges::without(runs, closed) };
        let reachable = open.into_iter().map(|span| Reachable {
            base: span.start,
            len: span.end - span.start,
            bytes: with_exposed_provenance_mut(span.start as usize),
            read_only: false,
        });
        reachable.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_kept_by_pages() {
        let (mut advised, page) = (Advised::default(), host_page());
        let mostly_read = |advised: &Advised, range: Range<u64>| -> Vec<bool> {
            advised.of(&range).map(|advice| advice.read_mostly).collect()
        };
        advised.change(&(page + 1..page + 2), &|advice| advice.read_mostly = true);
        assert_eq!(mostly_read(&advised, 0..3 * page), [false, true, false]);
        assert_eq!(mostly_read(&advised, page..2 * page), [true]);
        assert_eq!(mostly_read(&advised, 2 * page - 1..2 * page + 1), [true, false]);
        advised.change(&(0..2 * page), &|advice| advice.read_mostly = true);
        assert_eq!(mostly_read(&advised, 0..2 * page), [true]);
        advised.change(&(0..3 * page), &|advice| advice.read_mostly = false);
        assert_eq!(advised.0.len(), 1, "parts that are alike are one");
    }
}
