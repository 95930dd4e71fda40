//! The addresses of one device, and the pages that are mapped there.

use super::Kind;
use crate::collections::IdMap;
use crate::driver::handles::Handle;
use crate::driver::memory::pages::{Backing, PAGE, PageRun, PageRuns};
use core::ops::Range;

/// The memory of one device.
pub(super) struct DeviceHeap {
    pub(super) runs: PageRuns,
    /// The device's addresses.
    pub(super) range: Range<u64>,
    /// Above every run of pages that there ever was: where the next one goes, if there is room.
    pub(super) next: u64,
    pub(super) used: u64,
    /// Bytes of managed memory that its contexts have.
    pub(super) managed: u64,
    /// Addresses that were set aside, and how many they are.
    pub(super) aside: IdMap<u64, u64>,
    /// If true, addresses are used again at once.
    pub(super) recycle: bool,
}

impl DeviceHeap {
    /// New pages, with room for `size` bytes. The result is how many bytes they are.
    pub(super) fn map(&mut self, kind: Kind, owner: Handle, size: u64, limit: u64) -> Option<u64> {
        let len = size.checked_next_multiple_of(PAGE)?;
        if len > limit - self.used {
            return None;
        }
        self.insert(Backing::new(len, 1)?, kind, owner)?;
        self.used += len;
        Some(len)
    }

    /// Gives pages addresses: where they begin.
    pub(super) fn insert(&mut self, backing: Backing, kind: Kind, owner: Handle) -> Option<u64> {
        let len = backing.len();
        let start = self.place(len)?;
        if start + len + PAGE > self.next {
            self.next = start + len + PAGE;
        }
        self.runs.0.insert(start, PageRun::new(backing, len, kind, owner));
        Some(start)
    }

    /// Sets addresses for `len` bytes aside.
    pub(super) fn set_aside(&mut self, len: u64) -> Option<u64> {
        let start = self.place(len)?;
        self.next = self.next.max(start + len + PAGE);
        self.aside.insert(start, len);
        Some(start)
    }

    /// Addresses for `len` bytes. New addresses, as long as there are any, so that the use of stale addresses is
    /// noticed. A page is left out before the next run, so that the use of addresses past the end is noticed.
    pub(super) fn place(&self, len: u64) -> Option<u64> {
        let fits = |start: u64, end: u64| start.checked_add(len + PAGE).is_some_and(|needed| needed <= end);
        if !self.recycle && fits(self.next, self.range.end) {
            return Some(self.next);
        }
        let pages = self.runs.0.iter().map(|(start, pages)| (start, pages.len));
        let aside = self.aside.iter().map(|(start, len)| (start, *len));
        let mut taken: Vec<(u64, u64)> = pages.chain(aside).collect();
        taken.sort_unstable();
        let ends = taken.iter().map(|(start, len)| start + len + PAGE);
        let starts = taken.iter().map(|(start, _)| *start).chain([self.range.end]);
        let mut gaps = [self.range.start].into_iter().chain(ends).zip(starts);
        gaps.find(|(start, end)| fits(*start, *end)).map(|(start, _)| start)
    }
}
