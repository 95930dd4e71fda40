//! The state of an event that processes share: the marks that were reached.
//!
//! Each record of the event, by any process, is a mark with a number of its own. A wait for the event waits for the
//! last mark at that time.

#![allow(unsafe_code)]

use crate::driver::memory::host_block::{Block, Name, Refusal};
use core::sync::atomic::{AtomicU64, Ordering};

/// Limit of the pending marks. A further mark waits until the mark with its slot is reached.
const PLACES: u64 = 510;

/// State in memory that processes share. Initially zero.
#[repr(C)]
struct Page {
    /// Number of the last mark; 0 if there is none.
    last: AtomicU64,
    /// Largest number that any process waits for.
    wanted: AtomicU64,
    /// For each slot, the largest reached number of its marks.
    reached: [AtomicU64; PLACES as usize],
}

/// Marks of an event.
pub(crate) struct SharedEvent {
    /// Block that is at least as large as a [`Page`].
    block: Block,
    /// Name for other processes; `None` for an event of another process.
    name: Option<Name>,
}

impl SharedEvent {
    /// Creates the marks of a new event. Returns `None` if the system refuses.
    pub(crate) fn new() -> Option<SharedEvent> {
        let mut block = Block::new(size_of::<Page>())?;
        let name = block.share()?;
        Some(SharedEvent { block, name: Some(name) })
    }

    /// Opens the marks of another process's event.
    pub(crate) fn open(name: Name) -> Result<SharedEvent, Refusal> {
        let block = Block::open(name)?;
        if block.len() < size_of::<Page>() {
            Err(Refusal::Gone)
        } else {
            Ok(SharedEvent { block, name: None })
        }
    }

    pub(crate) fn name(&self) -> Option<Name> {
        self.name
    }

    fn page(&self) -> &Page {
        // SAFETY: the block is at least as large, more strictly aligned, and lives as long as `self`; the page consists
        // of atomics, and the processes use it only through them.
        unsafe { self.block.start().cast().as_ref() }
    }

    fn place(&self, mark: u64) -> Option<&AtomicU64> {
        self.page().reached.get((mark % PLACES) as usize)
    }

    /// Returns the number of the last mark; 0 if there is none.
    pub(crate) fn last(&self) -> u64 {
        self.page().last.load(Ordering::Acquire)
    }

    /// Returns the number of a new mark, and that of the mark that must be reached before it.
    pub(crate) fn next(&self) -> (u64, u64) {
        let mark = self.page().last.fetch_add(1, Ordering::AcqRel).wrapping_add(1);
        (mark, mark.saturating_sub(PLACES))
    }

    /// Records that a mark is reached, so that all work before it is done.
    pub(crate) fn reach(&self, mark: u64) {
        if let Some(place) = self.place(mark) {
            place.fetch_max(mark, Ordering::AcqRel);
        }
    }

    /// Returns whether a mark is reached. An event that was never recorded counts as reached (measured).
    pub(crate) fn is_reached(&self, mark: u64) -> bool {
        mark == 0 || self.place(mark).is_some_and(|place| place.load(Ordering::Acquire) >= mark)
    }

    /// Tells all processes that a mark is waited for.
    pub(crate) fn want(&self, mark: u64) {
        self.page().wanted.fetch_max(mark, Ordering::AcqRel);
    }

    /// Returns whether a mark, or a later one, is waited for.
    pub(crate) fn is_wanted(&self, mark: u64) -> bool {
        self.page().wanted.load(Ordering::Acquire) >= mark
    }
}

#[cfg(all(test, target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::*;

    #[test]
    fn both_sides_know_what_is_reached() {
        let Some(own) = SharedEvent::new() else { unreachable!("no memory") };
        let other = own.name().map(SharedEvent::open);
        let Some(Ok(other)) = other else { unreachable!("it is there") };
        assert!(other.name().is_none() && other.is_reached(other.last()));
        let ((first, _), (second, _)) = (own.next(), other.next());
        assert_eq!((first, second, own.last(), other.last()), (1, 2, 2, 2));
        // The order does not matter.
        own.reach(second);
        assert!(other.is_reached(second) && !other.is_reached(first) && !own.is_wanted(first));
        other.want(first);
        assert!(own.is_wanted(first) && !own.is_wanted(second));
        other.reach(first);
        assert!(own.is_reached(first));
    }

    #[test]
    fn a_mark_waits_for_the_one_whose_place_it_takes() {
        let Some(marks) = SharedEvent::new() else { unreachable!("no memory") };
        for number in 1..=PLACES {
            assert_eq!(marks.next(), (number, 0));
        }
        assert_eq!(marks.next(), (PLACES + 1, 1));
        assert!(!marks.is_reached(1));
        marks.reach(1);
        assert!(marks.is_reached(1) && !marks.is_reached(PLACES + 1));
    }
}
