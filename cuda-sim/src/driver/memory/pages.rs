//! Runs of pages, and the allocations that share them.

use crate::collections::IdMap;
use crate::driver::handles::Handle;
use crate::driver::handles::new_id;
use crate::driver::memory::heap::{Kind, PoolSource};
use crate::driver::memory::host_block::{Block, Name};
use core::cell::OnceCell;
use core::mem::ManuallyDrop;
use core::ops::Range;
use std::collections::BTreeMap;

/// Size of a page of devices and of page-locked memory (measured).
pub(crate) const PAGE: u64 = 2 << 20;
/// Alignment of allocations (measured).
pub(crate) const GRANULE: u64 = 512;

/// Host bytes, initially zero. Their addresses do not change as long as this value lives.
pub(crate) struct Backing {
    /// Block that contains the bytes, and possibly bytes before them.
    block: Block,
    skipped: usize,
}

impl Backing {
    /// Creates `len` bytes that begin at a multiple of `align`.
    pub(crate) fn new(len: u64, align: u64) -> Option<Backing> {
        // A larger alignment than that of blocks is achieved by skipping bytes.
        let spare = align.saturating_sub(Block::ALIGN);
        let size = usize::try_from(len.checked_add(spare)?).ok()?;
        if len == 0 {
            return None;
        }
        let block = Block::new(size)?;
        let address = block.start().addr().get() as u64;
        let skipped = address.next_multiple_of(align.max(1)) - address;
        Some(Backing { block, skipped: skipped as usize })
    }

    /// Creates a backing of all bytes of a block.
    pub(crate) fn of(block: Block) -> Backing {
        Backing { block, skipped: 0 }
    }

    /// Returns the number of bytes.
    pub(crate) fn len(&self) -> u64 {
        (self.block.len() - self.skipped) as u64
    }

    pub(crate) fn bytes(&self) -> *mut u8 {
        // The offset is at most the length of the block.
        self.block.start().as_ptr().wrapping_add(self.skipped)
    }

    /// Returns all host addresses that it occupies.
    pub(crate) fn span(&self) -> Range<u64> {
        let start = self.block.start().addr().get() as u64;
        start..start + self.block.len() as u64
    }

    /// Lets other processes map it. No other code may access the bytes during the call. Returns the name of the block,
    /// and the offset of the bytes in it. Returns `None` if the system refuses.
    pub(crate) fn share(&mut self) -> Option<(Name, u64)> {
        Some((self.block.share()?, self.skipped as u64))
    }
}

/// Run of pages.
pub(crate) struct PageRun {
    /// Unique number in the process.
    pub(crate) id: u64,
    pub(crate) backing: Backing,
    pub(crate) len: u64,
    pub(crate) kind: Kind,
    /// Context or pool that owns it.
    pub(crate) owner: Handle,
    /// Unused parts, by offset.
    free: BTreeMap<u64, u64>,
    /// Offset of the part that was never used.
    fresh: u64,
    /// All parts except freed ones, computed on demand after a change.
    without_freed: OnceCell<Vec<Range<u64>>>,
}

impl PageRun {
    /// Creates unused pages.
    pub(crate) fn new(backing: Backing, len: u64, kind: Kind, owner: Handle) -> PageRun {
        let (id, free) = (new_id(), BTreeMap::from([(0, len)]));
        PageRun { id, backing, len, kind, owner, free, fresh: 0, without_freed: OnceCell::new() }
    }

    /// Leaves the pages mapped until the process ends.
    pub(crate) fn keep_mapped(self) {
        let _ = ManuallyDrop::new(self.backing);
    }

    /// Returns all parts except freed ones. Memory is taken from the start of unused parts, so that all memory below
    /// `fresh` was used before.
    pub(crate) fn without_freed(&self) -> &[Range<u64>] {
        self.without_freed.get_or_init(|| {
            let (mut parts, mut start) = (Vec::new(), 0);
            for (offset, len) in self.free.range(..self.fresh) {
                if *offset > start {
                    parts.push(start..*offset);
                }
                start = (offset + len).min(self.fresh);
            }
            if start < self.len {
                parts.push(start..self.len);
            }
            parts
        })
    }

    /// Returns whether some of `len` bytes at an offset were freed.
    pub(crate) fn has_freed(&self, offset: u64, len: u64) -> bool {
        let end = self.fresh.min(offset.saturating_add(len));
        let before = self.free.range(..end).next_back();
        before.is_some_and(|(start, free)| start + free > offset)
    }

    /// Returns whether a pool of this process allocates parts of the pages.
    pub(crate) fn is_of_pool(&self) -> bool {
        matches!(self.kind, Kind::Pool(PoolSource::Device | PoolSource::Host | PoolSource::Managed))
    }

    fn is_for(&self, kind: Kind, owner: Handle) -> bool {
        self.kind == kind && self.owner == owner
    }

    pub(crate) fn is_unused(&self) -> bool {
        self.free.get(&0) == Some(&self.len)
    }
}

/// Runs of pages by their addresses.
#[derive(Default)]
pub(crate) struct PageRuns(pub(crate) IdMap<u64, PageRun>);

impl PageRuns {
    /// Maps new pages for `size` bytes at their host address. Returns their total size.
    pub(crate) fn map_on_host(&mut self, kind: Kind, owner: Handle, size: u64) -> Option<u64> {
        let len = size.checked_next_multiple_of(PAGE)?;
        let backing = Backing::new(len, PAGE)?;
        self.add_on_host(backing, len, kind, owner);
        Some(len)
    }

    /// Maps the same for memory that other processes can map.
    pub(crate) fn map_shared_on_host(&mut self, kind: Kind, owner: Handle, size: u64) -> Option<u64> {
        let len = size.checked_next_multiple_of(PAGE)?;
        let mut backing = Backing::new(len, PAGE)?;
        backing.share()?;
        self.add_on_host(backing, len, kind, owner);
        Some(len)
    }

    /// Adds pages at their host address. Returns the address.
    pub(crate) fn add_on_host(&mut self, backing: Backing, len: u64, kind: Kind, owner: Handle) -> u64 {
        let start = backing.bytes().expose_provenance() as u64;
        self.0.insert(start, PageRun::new(backing, len, kind, owner));
        start
    }

    /// Takes the smallest unused part that is large enough, from pages of the same kind and owner. Allocations of more
    /// than a page do not share pages (measured).
    pub(crate) fn take(&mut self, kind: Kind, owner: Handle, size: u64) -> Option<u64> {
        let part = |(start, pages): (u64, &PageRun)| {
            let is_usable = pages.is_for(kind, owner) && (pages.len <= PAGE || pages.is_unused());
            let fitting = pages.free.iter().filter(|(_, len)| is_usable && **len >= size);
            fitting.map(|(offset, len)| (*len, start, *offset)).min()
        };
        let (_, start, offset) = self.0.iter().filter_map(part).min()?;
        self.take_part(start, offset, size)
    }

    /// Takes the first unused part that is large enough, from pages of the same kind and owner whose start fits a
    /// condition.
    pub(crate) fn take_where(
        &mut self,
        kind: Kind,
        owner: Handle,
        size: u64,
        is_right: impl Fn(u64) -> bool,
    ) -> Option<u64> {
        let part = |(start, pages): (u64, &PageRun)| {
            let is_usable = pages.is_for(kind, owner) && is_right(start);
            let (offset, _) = is_usable.then(|| pages.free.iter().find(|(_, len)| **len >= size))??;
            Some((start, *offset))
        };
        let (start, offset) = self.0.iter().find_map(part)?;
        self.take_part(start, offset, size)
    }

    /// Takes the start of an unused part.
    fn take_part(&mut self, start: u64, offset: u64, size: u64) -> Option<u64> {
        let pages = self.0.get_mut(start)?;
        let len = pages.free.remove(&offset)?;
        pages.fresh = pages.fresh.max(offset + size);
        pages.without_freed.take();
        if len > size {
            pages.free.insert(offset + size, len - size);
        }
        Some(start + offset)
    }

    /// Returns the run that contains an address, and its start.
    pub(crate) fn holding(&self, address: u64) -> Option<(u64, &PageRun)> {
        self.0.at_or_before(address)
    }

    /// Returns the same run, to change it.
    pub(crate) fn holding_mut(&mut self, address: u64) -> Option<(u64, &mut PageRun)> {
        self.0.at_or_before_mut(address)
    }

    /// Marks memory as unused. Returns the pages if none of them is used now. They are unmapped when they are dropped.
    pub(crate) fn give_back(&mut self, base: u64, size: u64) -> Option<PageRun> {
        let start = self.put_by(base, size)?;
        self.0.remove(start)
    }

    /// Marks memory as unused, and keeps it mapped. Returns the start of the pages if none of them is used now.
    pub(crate) fn put_by(&mut self, base: u64, size: u64) -> Option<u64> {
        let (start, pages) = self.0.at_or_before_mut(base)?;
        let (mut offset, mut size) = (base - start, size);
        if let Some(after) = pages.free.remove(&(offset + size)) {
            size += after;
        }
        if let Some((before, len)) =
            pages.free.range(..offset).next_back().map(|(before, len)| (*before, *len))
            && before + len == offset
        {
            pages.free.remove(&before);
            (offset, size) = (before, size + len);
        }
        pages.free.insert(offset, size);
        pages.without_freed.take();
        pages.is_unused().then_some(start)
    }
}
