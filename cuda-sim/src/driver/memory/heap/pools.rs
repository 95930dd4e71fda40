//! Memory of pools. Freed memory stays with its pool for later allocations, until the pool must release memory.

use super::{Allocation, Heap, Kind, PoolSource};
use crate::collections::{IdMap, IdSet};
use crate::driver::handles::Handle;
use crate::driver::memory::managed::{Attachment, Place};
use crate::driver::memory::pages::{GRANULE, PageRun};
use crate::driver::operations::StreamId;
use cuda_sys::CUdevice;

/// Unit in which pools reserve memory (measured), as long as there is enough.
pub(super) const UNIT: u64 = 32 << 20;

/// Memory of a pool, and its limits.
pub(crate) struct PoolMemory {
    /// Device of the pool. For memory of the host, the device through which it is known.
    pub(crate) device: CUdevice,
    pub(crate) source: PoolSource,
    /// Preferred location of managed memory.
    preferred: Option<Place>,
    /// Limit of the bytes that it may hold.
    most: u64,
    /// Release threshold: bytes that it keeps when a program waits.
    pub(crate) threshold: u64,
    /// Used bytes, without memory whose free is queued.
    pub(crate) used: Watermark,
    pub(crate) held: Watermark,
    /// Devices with access, in addition to the device of the memory.
    pub(crate) grants: IdSet<CUdevice>,
    /// True if other processes can use the memory.
    is_shared: bool,
    /// True if the host was given access to managed memory. The host always has this access.
    pub(crate) host_grant: bool,
    /// Pages in which a stream has freed memory, while the program has neither waited for the free nor destroyed the
    /// stream. These pages are not released (fact V1108).
    unseen: IdMap<u64, Vec<FreedBy>>,
    /// True if it is destroyed. It ends with the last of its allocations.
    is_destroyed: bool,
    /// True if it was the current pool of its device.
    pub(crate) was_current: bool,
}

/// Stream that has freed memory, its context, and an increasing number of its last free.
pub(crate) type FreedBy = (StreamId, Handle, u64);

/// Number of bytes, and its highest value so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Watermark {
    pub(crate) now: u64,
    pub(crate) high: u64,
}

impl Watermark {
    fn set(&mut self, now: u64) {
        self.now = now;
        self.high = self.high.max(now);
    }

    pub(crate) fn reset(&mut self) {
        self.high = self.now;
    }
}

impl Heap {
    /// Adds a pool that may hold `most` bytes, rounded up to whole units (measured).
    pub(crate) fn add_pool(
        &mut self,
        pool: Handle,
        (device, source, preferred): (CUdevice, PoolSource, Option<Place>),
        (most, is_shared): (u64, bool),
    ) {
        let memory = PoolMemory {
            device,
            source,
            preferred,
            is_shared,
            host_grant: false,
            most: most.checked_next_multiple_of(UNIT).unwrap_or(u64::MAX),
            threshold: 0,
            used: Watermark::default(),
            held: Watermark::default(),
            grants: IdSet::new(),
            unseen: IdMap::new(),
            is_destroyed: false,
            was_current: false,
        };
        self.pools.insert(pool, memory);
    }

    pub(crate) fn pool(&self, pool: Handle) -> Option<&PoolMemory> {
        self.pools.get(pool)
    }

    pub(crate) fn pool_mut(&mut self, pool: Handle) -> Option<&mut PoolMemory> {
        self.pools.get_mut(pool)
    }

    /// Returns the pool of memory, which may be destroyed.
    pub(crate) fn pool_of(&self, address: u64) -> Option<Handle> {
        let (_, pages) = self.pages_at(address)?;
        matches!(pages.kind, Kind::Pool(_)).then_some(pages.owner)
    }

    /// Returns whether a device has access to the memory of a pool.
    pub(crate) fn pool_reaches(&self, pool: Handle, device: CUdevice) -> bool {
        self.pools.get(pool).is_some_and(|memory| {
            let is_own = match memory.source {
                PoolSource::Device | PoolSource::Imported => memory.device == device,
                PoolSource::Host | PoolSource::ImportedHost => false,
                PoolSource::Managed => true,
            };
            is_own || memory.grants.contains(device)
        })
    }

    /// Allocates memory of a pool for work of a context. Returns `None` if there is not enough. With `only`, ignores
    /// memory that another stream has freed, as long as no program has waited for the free.
    pub(crate) fn allocate_from_pool(
        &mut self,
        pool: Handle,
        context: Handle,
        size: u64,
        only: Option<StreamId>,
    ) -> Option<u64> {
        let memory = self.pools.get(pool)?;
        let (kind, device, preferred) = (Kind::Pool(memory.source), memory.device, memory.preferred);
        let (base, room) = self.make_room(kind, size, |heap, room| {
            if let Some(base) = heap.take_of_pool(pool, room, only) {
                return Some(base);
            }
            heap.extend_pool(pool, room)?;
            heap.take_of_pool(pool, room, only)
        })?;
        let memory = self.pools.get_mut(pool)?;
        memory.used.set(memory.used.now + size);
        if kind.is_managed() {
            let span = base..base + size.next_multiple_of(GRANULE);
            self.managed.add(base, size, Attachment::Global);
            self.managed.advise(&span, &|advice| advice.preferred = preferred);
        }
        self.note(base, (size, room), (device, context), kind);
        Some(base)
    }

    fn take_of_pool(&mut self, pool: Handle, size: u64, only: Option<StreamId>) -> Option<u64> {
        let memory = self.pools.get(pool)?;
        let is_right = |start: u64| {
            let unseen = memory.unseen.get(start).map_or(&[][..], Vec::as_slice);
            only.is_none_or(|only| unseen.iter().all(|(on_stream, ..)| *on_stream == only))
        };
        let runs = match memory.source {
            PoolSource::Device | PoolSource::Imported => {
                &mut self.devices.get_mut(memory.device as usize)?.runs
            }
            PoolSource::Host | PoolSource::ImportedHost => &mut self.host,
            PoolSource::Managed => &mut self.managed.runs,
        };
        runs.take_where(Kind::Pool(memory.source), pool, size, is_right)
    }

    /// Maps new pages for a pool.
    fn extend_pool(&mut self, pool: Handle, size: u64) -> Option<()> {
        let needed = size.checked_next_multiple_of(UNIT)?;
        let room = |heap: &Heap| heap.pools.get(pool).map_or(0, |pool| pool.most - pool.held.now);
        if needed > room(self) {
            // Releases the remaining pieces, which are too small.
            self.release(pool, 0, Release::All);
        }
        if needed > room(self) {
            return None;
        }
        let len = self.map_for_pool(pool, needed).or_else(|| self.map_for_pool(pool, size))?;
        if let Some(memory) = self.pools.get_mut(pool) {
            memory.held.set(memory.held.now + len);
        }
        Some(())
    }

    fn map_for_pool(&mut self, pool: Handle, size: u64) -> Option<u64> {
        let memory = self.pools.get(pool)?;
        let (kind, device) = (Kind::Pool(memory.source), memory.device);
        match memory.source {
            PoolSource::Device => self.map(device, kind, pool, size),
            PoolSource::Host if memory.held.now.checked_add(size)? > self.host_limit => None,
            // Host threads may use the memory at any time, so that it can only be shared before they know it.
            PoolSource::Host if memory.is_shared => self.host.map_shared_on_host(kind, pool, size),
            PoolSource::Host => self.host.map_on_host(kind, pool, size),
            PoolSource::Managed => self.map_managed(device, kind, pool, size),
            PoolSource::Imported | PoolSource::ImportedHost => None,
        }
    }

    /// Records that `size` bytes of memory whose free was queued are used again.
    pub(super) fn note_reused(&mut self, base: u64, size: u64) {
        if let Some(memory) = self.pool_of(base).and_then(|pool| self.pools.get_mut(pool)) {
            memory.used.set(memory.used.now + size);
        }
    }

    /// Records that the program no longer uses an allocation (measured).
    pub(super) fn note_unused(&mut self, allocation: &Allocation) {
        if let Some(memory) = self.pool_of(allocation.base).and_then(|pool| self.pools.get_mut(pool)) {
            memory.used.set(memory.used.now.saturating_sub(allocation.size));
        }
    }

    /// Returns an allocation to its pool, which keeps the memory for later. Memory that is freed at once still counts
    /// as used (measured).
    pub(super) fn give_back_to_pool(&mut self, allocation: &Allocation) {
        let Some(pool) = self.pool_of(allocation.base) else { return };
        if allocation.kind.is_managed() {
            self.managed.forget(allocation.base, allocation.size.next_multiple_of(GRANULE));
        }
        if let Some(runs) = self.runs_of_mut(allocation.kind, allocation.device) {
            runs.put_by(allocation.base, allocation.room);
        }
        self.end_if_destroyed(pool);
    }

    /// Frees memory whose free was queued on a stream.
    pub(crate) fn free_in_order(&mut self, base: u64, by: FreedBy) {
        let pool = self.pool_of(base);
        let found = self.allocations.get(base);
        let runs = found.and_then(|found| self.runs_of(found.kind, found.device));
        let start = runs.and_then(|runs| runs.holding(base)).map(|(start, _)| start);
        self.free(base);
        if let (Some(memory), Some(start)) = (pool.and_then(|pool| self.pools.get_mut(pool)), start) {
            let unseen = memory.unseen.get_or_default(start);
            // A program that knows the last free of a stream knows all of them.
            match unseen.iter_mut().find(|(on_stream, context, _)| (*on_stream, *context) == (by.0, by.1)) {
                Some((.., number)) => *number = by.2.max(*number),
                None => unseen.push(by),
            }
        }
    }

    /// Records that a program knows that memory is free. Pools then release memory beyond their thresholds.
    pub(crate) fn see_freed(&mut self, sees: impl Fn(&FreedBy) -> bool) {
        for memory in self.pools.values_mut() {
            memory.unseen.retain(|_, unseen| {
                unseen.retain(|by| !sees(by));
                !unseen.is_empty()
            });
        }
        let full = self.pools.iter().filter(|(_, memory)| memory.held.now > memory.threshold);
        let pools: Vec<(Handle, u64)> = full.map(|(pool, memory)| (pool, memory.threshold)).collect();
        pools.into_iter().for_each(|(pool, threshold)| self.release(pool, threshold, Release::Awaited));
    }

    /// Destroys a pool. Its memory ends with its last allocation. Returns whether it has ended already.
    pub(crate) fn destroy_pool(&mut self, pool: Handle) -> bool {
        if let Some(memory) = self.pools.get_mut(pool) {
            memory.is_destroyed = true;
        }
        self.end_if_destroyed(pool);
        !self.pools.contains(pool)
    }

    fn end_if_destroyed(&mut self, pool: Handle) {
        let is_destroyed = |memory: &PoolMemory| memory.is_destroyed;
        if !self.pools.get(pool).is_some_and(is_destroyed) {
            return;
        }
        self.release(pool, 0, Release::All);
        if self.pools.get(pool).is_some_and(|memory| memory.held.now == 0) {
            self.pools.remove(pool);
        }
    }

    /// Makes a pool release unused memory, except `keep` bytes of its memory.
    pub(crate) fn release(&mut self, pool: Handle, keep: u64, what: Release) {
        let Some(memory) = self.pools.get_mut(pool) else { return };
        // Imported memory ends with its allocation.
        if memory.held.now <= keep || memory.source.is_imported() {
            return;
        }
        let Some(heap) = self.devices.get_mut(memory.device as usize) else { return };
        let (kind, device_runs) = (Kind::Pool(memory.source), &mut heap.runs);
        let runs = match memory.source {
            PoolSource::Device | PoolSource::Imported => device_runs,
            PoolSource::Host | PoolSource::ImportedHost => &mut self.host,
            PoolSource::Managed => &mut self.managed.runs,
        };
        let is_unused = |pages: &PageRun| pages.kind == kind && pages.owner == pool && pages.is_unused();
        let unused = runs.0.iter().filter(|(_, pages)| is_unused(pages));
        let unused: Vec<(u64, u64)> = unused.map(|(start, pages)| (start, pages.len)).collect();
        for (start, len) in unused {
            let is_kept = what == Release::Awaited && memory.unseen.contains(start);
            if !is_kept && memory.held.now - len >= keep {
                runs.0.remove(start);
                match memory.source {
                    PoolSource::Device => heap.used -= len,
                    PoolSource::Managed => heap.managed -= len,
                    PoolSource::Host | PoolSource::Imported | PoolSource::ImportedHost => {}
                }
                memory.held.set(memory.held.now - len);
                memory.unseen.remove(start);
            }
        }
    }

    /// Makes every pool in the memory of a device release its unused memory.
    pub(super) fn release_unused(&mut self, device: CUdevice) {
        let is_of_device =
            |memory: &PoolMemory| memory.device == device && memory.source == PoolSource::Device;
        let of_device = self.pools.iter().filter(|(_, memory)| is_of_device(memory));
        let pools: Vec<Handle> = of_device.map(|(pool, _)| pool).collect();
        pools.into_iter().for_each(|pool| self.release(pool, 0, Release::All));
    }
}

/// Memory of a pool to release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Release {
    /// All unused memory.
    All,
    /// Unused memory whose frees the program has waited for.
    Awaited,
}
