//! The heap of `malloc` in kernels: one for each context.

use crate::driver::memory::written::Written;
use core::ops::Range;
use cuda_sim_engine::FreeError;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Unit of blocks, which begin with a header (conformance fact V1033).
const UNIT: u64 = 80;
const HEADER: u64 = 16;
/// Device memory that the heap uses in addition to its limit (conformance fact V1036).
pub(crate) const OVERHEAD: u64 = 2 << 20;

/// Heap of a context.
#[derive(Debug)]
pub(crate) struct ContextHeap {
    range: Range<u64>,
    blocks: Mutex<Blocks>,
    /// Record of written bytes, if this is checked.
    written: Option<Arc<Written>>,
}

#[derive(Debug, Default)]
struct Blocks {
    /// Unused parts, with their sizes.
    unused: BTreeMap<u64, u64>,
    /// Blocks that kernels have allocated, and blocks that they have freed, by address with their sizes.
    live: BTreeMap<u64, u64>,
    freed: BTreeMap<u64, u64>,
}

/// Block of the heap, as reports name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) base: u64,
    pub(crate) size: u64,
    pub(crate) is_freed: bool,
}

/// Returns the bytes of a block of a size, with its header. The sum wraps around on hardware (conformance fact V1033).
fn block_len(size: u64) -> Option<u64> {
    size.wrapping_add(HEADER).max(1).checked_next_multiple_of(UNIT)
}

impl ContextHeap {
    pub(crate) fn new(range: Range<u64>, written: Option<Arc<Written>>) -> ContextHeap {
        let unused = BTreeMap::from([(range.start, range.end - range.start)]);
        ContextHeap { range, blocks: Mutex::new(Blocks { unused, ..Blocks::default() }), written }
    }

    fn lock(&self) -> MutexGuard<'_, Blocks> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether the heap contains an address.
    pub(crate) fn contains(&self, address: u64) -> bool {
        self.range.contains(&address)
    }

    /// Returns whether an allocated block contains `len` bytes at an address.
    pub(crate) fn holds(&self, address: u64, len: u64) -> bool {
        let blocks = self.lock();
        let before = blocks.live.range(..=address).next_back();
        before.is_some_and(|(base, size)| {
            let inside = address - base;
            inside < *size && len <= size - inside
        })
    }

    /// Ends the tracking of written bytes, because the memory is freed with its context.
    pub(crate) fn forget_blocks(&self) {
        if let Some(written) = &self.written {
            self.lock().live.keys().for_each(|base| written.end(*base));
        }
    }

    /// Returns the last block that begins at or before an address.
    pub(crate) fn block_before(&self, address: u64) -> Option<Block> {
        let blocks = self.lock();
        let last = |of: &BTreeMap<u64, u64>, is_freed| {
            let (base, size) = of.range(..=address).next_back()?;
            Some(Block { base: *base, size: *size, is_freed })
        };
        let known = [last(&blocks.live, false), last(&blocks.freed, true)];
        known.into_iter().flatten().max_by_key(|block| block.base)
    }
}

impl Blocks {
    /// Takes the first unused part that is large enough.
    fn take(&mut self, size: u64) -> Option<u64> {
        let len = block_len(size)?;
        let (start, had) =
            self.unused.iter().find(|(_, had)| **had >= len).map(|(start, had)| (*start, *had))?;
        self.unused.remove(&start);
        if had > len {
            self.unused.insert(start + len, had - len);
        }
        while let Some((known, _)) = self.freed.range(start..start + len).next() {
            let known = *known;
            self.freed.remove(&known);
        }
        let base = start + HEADER;
        self.live.insert(base, size.min(len - HEADER));
        Some(base)
    }

    /// Returns a part, and joins it with the adjacent unused parts.
    fn put_back(&mut self, mut start: u64, mut len: u64) {
        if let Some(after) = self.unused.remove(&(start + len)) {
            len += after;
        }
        let before = self.unused.range(..start).next_back().map(|(before, len)| (*before, *len));
        if let Some((before, had)) = before.filter(|(before, had)| before + had == start) {
            (start, len) = (before, had + len);
        }
        self.unused.insert(start, len);
    }
}

impl cuda_sim_engine::MallocHeap for ContextHeap {
    fn allocate(&self, size: u64) -> u64 {
        let mut blocks = self.lock();
        let Some(base) = blocks.take(size) else { return 0 };
        if let Some(written) = &self.written {
            written.begin(base, blocks.live.get(&base).copied().unwrap_or(0));
        }
        base
    }

    fn free(&self, address: u64) -> Result<(), FreeError> {
        let mut blocks = self.lock();
        let Some(size) = blocks.live.remove(&address) else {
            let is_freed = blocks.freed.contains_key(&address);
            return Err(if is_freed { FreeError::Twice } else { FreeError::NoBlock });
        };
        blocks.freed.insert(address, size);
        if let Some(len) = block_len(size) {
            blocks.put_back(address - HEADER, len);
        }
        if let Some(written) = &self.written {
            written.end(address);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuda_sim_engine::MallocHeap as _;

    const START: u64 = 1 << 48;
    const SIZE: u64 = 8 << 20;

    fn heap() -> ContextHeap {
        ContextHeap::new(START..START + SIZE, None)
    }

    #[test]
    fn blocks_lie_as_on_hardware() {
        let heap = heap();
        let sizes = [0, 1, 16, 24, 100, 1000];
        let addresses = sizes.map(|size| heap.allocate(size));
        assert!(addresses.iter().all(|address| address % 16 == 0));
        let steps: Vec<u64> = addresses.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(steps, [80, 80, 80, 80, 160]);
        assert_eq!((heap.allocate(SIZE), heap.allocate(1 << 40)), (0, 0));
        assert_ne!(heap.allocate(u64::MAX), 0);
        let large = [4 << 20; 3].map(|size| heap.allocate(size));
        assert_eq!(large.map(|address| address != 0), [true, false, false]);
    }

    #[test]
    fn freed_blocks_are_joined_and_used_again() {
        let heap = heap();
        let blocks = [(); 100].map(|()| heap.allocate(80_000));
        assert!(!blocks.contains(&0));
        assert_eq!(heap.allocate(1 << 20), 0);
        // First every second block, then the blocks between them.
        for block in blocks.iter().step_by(2).chain(blocks.iter().skip(1).step_by(2)) {
            assert_eq!(heap.free(*block), Ok(()));
        }
        let large = heap.allocate(SIZE - UNIT);
        assert_eq!(large, START + HEADER);
        assert!(heap.holds(large, SIZE - UNIT) && !heap.holds(large, SIZE - UNIT + 1));
    }

    #[test]
    fn only_a_block_that_is_free_is_freed_twice() {
        let heap = heap();
        let (first, second) = (heap.allocate(100), heap.allocate(100));
        assert_eq!([0, first + 16, 1 << 47].map(|address| heap.free(address)), [Err(FreeError::NoBlock); 3]);
        assert_eq!((heap.free(first), heap.free(first)), (Ok(()), Err(FreeError::Twice)));
        assert!(!heap.holds(first, 1) && heap.holds(second, 100));
        let freed = heap.block_before(first + 10);
        assert_eq!(freed, Some(Block { base: first, size: 100, is_freed: true }));
        // The heap reuses the address.
        assert_eq!(heap.allocate(100), first);
        assert_eq!((heap.free(first), heap.free(first)), (Ok(()), Err(FreeError::Twice)));
    }
}
