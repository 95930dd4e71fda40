//! Addresses of one device, and the pages that are mapped there.

use super::Kind;
use crate::collections::IdMap;
use crate::driver::handles::Handle;
use crate::driver::memory::pages::{Backing, PAGE, PageRun, PageRuns};
use core::ops::Range;

/// Memory of one device.
pub(super) struct DeviceHeap {
    pub(super) runs: PageRuns,
    /// Addresses of the device.
    pub(super) range: Range<u64>,
    /// End of all runs of pages so far. The next run begins here, if there is room.
    pub(super) next: u64,
    pub(super) used: u64,
    /// Limit of the bytes that are used, and of the bytes of managed memory.
    pub(super) limit: u64,
    /// Bytes of managed memory of its contexts.
    pub(super) managed: u64,
    /// Addresses that were set aside, with their lengths.
    pub(super) aside: IdMap<u64, u64>,
    /// True if addresses are reused at once.
    pub(super) recycle: bool,
}

impl DeviceHeap {
    /// Returns the unused bytes.
    pub(super) fn free(&self) -> u64 {
        self.limit - self.used
    }

    /// Maps new pages for `size` bytes. Returns their total size.
    pub(super) fn map(&mut self, kind: Kind, owner: Handle, size: u64) -> Option<u64> {
        let len = size.checked_next_multiple_of(PAGE)?;
        if len > self.free() {
            return None;
        }
        self.insert(Backing::new(len, 1)?, kind, owner)?;
        self.used += len;
        Some(len)
    }

    /// Assigns addresses to pages. Returns their start.
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

    /// Returns addresses for `len` bytes. These are new addresses as long as possible, so that stale addresses are
    /// detected. A page is left free before the next run, so that an overrun is detected.
    pub(super) fn place(&self, len: u64) -> Option<u64> {
        let with_page = len.checked_add(PAGE)?;
        let fits = |start: u64, end: u64| start.checked_add(with_page).is_some_and(|needed| needed <= end);
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
