//! The heap: addresses, and the host bytes behind them.
//!
//! As on hardware, memory is mapped in pages of 2 MiB, and small allocations share one. Copies are checked against the
//! exact bounds of an allocation. Kernels are checked against mapped pages only. Registered memory of the program is
//! mapped in the host's pages (measured).
//!
//! Device addresses start at 2⁴⁸, above all host addresses. Page-locked host memory has the same address on the host
//! and on the devices. Reserved addresses are addresses of the process if memory of the host can be mapped there.

mod allocation;
mod device_heap;
mod history;
mod pools;
mod reservations;
#[cfg(test)]
mod tests;

use crate::collections::{IdMap, IdSet};
use crate::driver::call_site::{CallSite, PresentCall};
use crate::driver::handles::Handle;
use crate::driver::handles::new_id;
use crate::driver::memory::address_ranges;
use crate::driver::memory::host_block::Name;
use crate::driver::memory::host_page::host_page;
use crate::driver::memory::ipc_memory::OpenedRanges;
use crate::driver::memory::malloc_heap::{self, ContextHeap};
use crate::driver::memory::managed::{Attachment, Managed};
use crate::driver::memory::pages::{Backing, GRANULE, PAGE, PageRun, PageRuns};
use crate::driver::memory::written::Written;
use crate::driver::stream_order::StreamOrder;
use core::ops::Range;
use core::ptr::{NonNull, with_exposed_provenance_mut};
use cuda_sys::CUdevice;
use device_heap::DeviceHeap;
use history::History;
use pools::{PoolMemory, UNIT};
use reservations::Ranges;
use std::sync::Arc;

pub(crate) use allocation::{Allocation, Kind, PoolSource, Reachable, Shortage};
pub(crate) use pools::{FreedBy, Release};
pub(crate) use reservations::Unmappable;

const FIRST_ADDRESS: u64 = 1 << 48;
/// Size of the address range of each device.
const DEVICE_STRIDE: u64 = 1 << 44;
/// Size of the address ranges of all possible devices.
const DEVICES_STRIDE: u64 = DEVICE_STRIDE * crate::Config::MAX_DEVICES as u64;
/// Size of the address range of a machine. The second half is for reservations by programs.
const MACHINE_STRIDE: u64 = 2 * DEVICES_STRIDE;
const MACHINES: u64 = 1 << 9;
/// End of the device addresses of all machines.
pub(crate) const END_OF_ADDRESSES: u64 = FIRST_ADDRESS + MACHINES * MACHINE_STRIDE;

/// Returns the pages that contain memory of the program.
fn host_pages(base: u64, size: u64) -> Range<u64> {
    let page = host_page();
    base / page * page..(base + size).next_multiple_of(page)
}

/// All memory.
pub(crate) struct Heap {
    devices: Vec<DeviceHeap>,
    /// Page-locked memory that the driver allocates.
    host: PageRuns,
    pub(crate) managed: Managed,
    allocations: IdMap<u64, Allocation>,
    /// Sizes of registered memory, and whether kernels may only read it. Separate from the allocations, because every
    /// launch reads it.
    registered: IdMap<u64, (u64, bool)>,
    /// Pools by handle, including destroyed ones whose memory is in use.
    pools: IdMap<Handle, PoolMemory>,
    /// Memory that was opened from other processes.
    pub(crate) openings: OpenedRanges,
    /// Addresses that programs reserve and map memory at.
    pub(crate) ranges: Ranges,
    /// Limit of the bytes of each pool of the host.
    host_limit: u64,
    /// True if work that uses memory of a pool after it was freed faults.
    guards_freed: bool,
    /// Last allocation that the limit has refused.
    shortage: Option<Shortage>,
    /// Call in progress.
    pub(crate) present: PresentCall,
    /// Allocations that were freed.
    history: History,
    /// Unused bytes after each allocation that shares pages, which the check of accesses reports. 0 without the check.
    pub(crate) gap: u64,
    /// Record of written bytes, if this is checked.
    pub(crate) written: Option<Arc<Written>>,
    /// Record of the bytes that operations use, if this is checked.
    pub(crate) order: Option<StreamOrder>,
    /// Heaps of `malloc` in kernels, by context.
    malloc_heaps: IdMap<Handle, Arc<ContextHeap>>,
}

impl Heap {
    /// Creates the heap of a machine whose devices have these limits. The number `machine` separates its addresses from
    /// those of other machines.
    pub(crate) fn new(
        limits: &[u64],
        host_limit: u64,
        machine: u64,
        (recycle, guards_freed): (bool, bool),
    ) -> Heap {
        let first = FIRST_ADDRESS + machine % MACHINES * MACHINE_STRIDE;
        let devices = (0..)
            .zip(limits)
            .map(|(index, limit)| {
                let start = first + index * DEVICE_STRIDE;
                let range = start..start + DEVICE_STRIDE;
                DeviceHeap {
                    runs: PageRuns::default(),
                    range,
                    next: start,
                    used: 0,
                    limit: *limit,
                    managed: 0,
                    recycle,
                    aside: IdMap::new(),
                }
            })
            .collect();
        Heap {
            devices,
            host: PageRuns::default(),
            managed: Managed::default(),
            allocations: IdMap::new(),
            registered: IdMap::new(),
            pools: IdMap::new(),
            openings: OpenedRanges::default(),
            ranges: Ranges::new(first + DEVICES_STRIDE..first + MACHINE_STRIDE, machine % MACHINES, recycle),
            host_limit,
            shortage: None,
            guards_freed,
            present: PresentCall::default(),
            history: History::default(),
            gap: 0,
            written: None,
            order: None,
            malloc_heaps: IdMap::new(),
        }
    }

    /// Creates the heap of `malloc` in kernels of a context with `size` bytes, unless it exists. Returns `None` if
    /// there is not enough memory.
    pub(crate) fn make_malloc_heap(
        &mut self,
        device: CUdevice,
        context: Handle,
        size: u64,
    ) -> Option<Arc<ContextHeap>> {
        if let Some(known) = self.malloc_heaps.get(context) {
            return Some(Arc::clone(known));
        }
        let base =
            self.allocate(device, context, Kind::MallocHeap, size.checked_add(malloc_heap::OVERHEAD)?)?;
        let made = Arc::new(ContextHeap::new(base..base + size, self.written.clone()));
        self.malloc_heaps.insert(context, Arc::clone(&made));
        Some(made)
    }

    /// Returns the heap of `malloc` in kernels of a context, if it exists.
    pub(crate) fn malloc_heap_of(&self, context: Handle) -> Option<&Arc<ContextHeap>> {
        self.malloc_heaps.get(context)
    }

    /// Returns the heap of `malloc` in kernels that contains an address.
    pub(crate) fn malloc_heap_at(&self, address: u64) -> Option<&Arc<ContextHeap>> {
        self.malloc_heaps.values().find(|heap| heap.contains(address))
    }

    /// Returns whether all of some bytes belong to the heap of `malloc` in kernels of a context.
    pub(crate) fn is_of_malloc_heap(&self, context: Handle, address: u64, len: u64) -> bool {
        let last = len.checked_sub(1).and_then(|last| address.checked_add(last));
        let heap = self.malloc_heaps.get(context);
        heap.is_some_and(|heap| heap.contains(address) && last.is_some_and(|last| heap.contains(last)))
    }

    /// Takes the last allocation that the limit refused.
    pub(crate) fn take_shortage(&mut self) -> Option<Shortage> {
        self.shortage.take()
    }

    fn note_shortage(&mut self, device: CUdevice, wanted: u64, free: u64) {
        if let Some(heap) = self.devices.get(device as usize).filter(|_| wanted > free) {
            self.shortage = Some(Shortage { device, wanted, free, limit: heap.limit });
        }
    }

    /// Returns the unused bytes of a device.
    pub(crate) fn free_bytes(&self, device: CUdevice) -> u64 {
        self.devices.get(device as usize).map_or(0, DeviceHeap::free)
    }

    /// Allocates memory of a device outside of pools. Returns `None` if there is not enough.
    pub(crate) fn allocate(
        &mut self,
        device: CUdevice,
        context: Handle,
        kind: Kind,
        size: u64,
    ) -> Option<u64> {
        let (base, room) = self.make_room(kind, size, |heap, room| {
            // Pages belong to contexts, because peers can access the memory of a single context.
            if let Some(base) = heap.devices.get_mut(device as usize)?.runs.take(kind, context, room) {
                return Some(base);
            }
            heap.map(device, kind, context, room)?;
            heap.devices.get_mut(device as usize)?.runs.take(kind, context, room)
        })?;
        self.note(base, (size, room), (device, context), kind);
        Some(base)
    }

    /// Takes memory for an allocation: with the gap that its pages need after it, or without if memory is short.
    /// Returns its address, and the bytes that it occupies.
    fn make_room(
        &mut self,
        kind: Kind,
        size: u64,
        mut take: impl FnMut(&mut Heap, u64) -> Option<u64>,
    ) -> Option<(u64, u64)> {
        let least = size.checked_next_multiple_of(GRANULE)?;
        // Larger allocations have pages of their own.
        let is_of_pool = matches!(kind, Kind::Pool(_));
        let shares_pages = is_of_pool || least < PAGE && !kind.is_internal();
        // Nothing is mapped after the last unit, so its end needs no gap.
        let unit = if is_of_pool { UNIT } else { PAGE };
        let with_gap = least.checked_add(self.gap).filter(|room| shares_pages && *room > least);
        let with_gap = with_gap.filter(|room| room.div_ceil(unit) == least.div_ceil(unit));
        let mut rooms = with_gap.into_iter().chain([least]);
        rooms.find_map(|room| Some((take(self, room)?, room)))
    }

    /// Sets addresses of a device aside, for memory that is mapped and unmapped repeatedly. Returns `None` if no
    /// addresses are left.
    pub(crate) fn set_aside(&mut self, device: CUdevice, size: u64) -> Option<u64> {
        self.devices.get_mut(device as usize)?.set_aside(size.checked_next_multiple_of(PAGE)?)
    }

    /// Maps new pages at addresses that were set aside. Returns whether none were mapped there, or `None` if memory is
    /// short.
    pub(crate) fn map_at(&mut self, allocation: &Allocation) -> Option<bool> {
        let Allocation { base, size, room, device, context, kind, made_by, .. } = *allocation;
        if self.allocations.contains(base) {
            return Some(false);
        }
        let len = size.checked_next_multiple_of(PAGE)?;
        if len > self.free_bytes(device) {
            self.release_unused(device);
            self.note_shortage(device, len, self.free_bytes(device));
        }
        if len > self.free_bytes(device) {
            return None;
        }
        let heap = self.devices.get_mut(device as usize)?;
        heap.runs.0.insert(base, PageRun::new(Backing::new(len, 1)?, len, kind, context));
        heap.used += len;
        self.note(base, (size, room), (device, context), kind);
        if let Some(mapped) = self.allocations.get_mut(base) {
            mapped.made_by = made_by;
        }
        Some(true)
    }

    /// Records a new allocation, with its size and the bytes that it occupies.
    fn note(
        &mut self,
        base: u64,
        (size, room): (u64, u64),
        (device, context): (CUdevice, Handle),
        kind: Kind,
    ) {
        let allocation = Allocation {
            id: new_id(),
            base,
            size,
            room,
            device,
            context,
            kind,
            is_freed: false,
            made_by: self.present.get(),
            freed_by: CallSite::default(),
            synchronous: None,
        };
        if let Some(written) = self.written.as_ref().filter(|_| kind.begins_unwritten()) {
            written.begin(base, size);
        }
        if let Some(order) = &self.order {
            order.forget(base, size);
        }
        self.allocations.insert(base, allocation);
    }

    /// Maps new pages of a device. If there is not enough memory, pools release their unused memory.
    fn map(&mut self, device: CUdevice, kind: Kind, owner: Handle, size: u64) -> Option<u64> {
        if let Some(len) = self.devices.get_mut(device as usize)?.map(kind, owner, size) {
            return Some(len);
        }
        self.release_unused(device);
        let mapped = self.devices.get_mut(device as usize)?.map(kind, owner, size);
        if mapped.is_none() {
            self.note_shortage(device, size.checked_next_multiple_of(PAGE)?, self.free_bytes(device));
        }
        mapped
    }

    /// Passes memory whose free is queued to another owner, entirely or its first part. Nothing is unmapped, because
    /// work may still use it. Returns `None` if it is too small, else the start of the rest, which remains to be freed.
    pub(crate) fn hand_on(&mut self, base: u64, context: Handle, size: u64) -> Option<Option<u64>> {
        let allocation = self.allocations.get_mut(base)?;
        let had = allocation.room;
        let needed = size.checked_next_multiple_of(GRANULE).filter(|needed| *needed <= had)?;
        let room = (needed + self.gap).min(had);
        // The rest has a gap, too. If nothing else is left, there is no rest.
        let left = (had - room).saturating_sub(self.gap);
        let room = if left == 0 { had } else { room };
        let rest = Allocation { base: base + room, size: left, room: had - room, ..*allocation };
        (allocation.id, allocation.size, allocation.room) = (new_id(), size, room);
        (allocation.context, allocation.is_freed, allocation.synchronous) = (context, false, None);
        (allocation.made_by, allocation.freed_by) = (self.present.get(), CallSite::default());
        self.note_reused(base, size);
        if let Some(written) = &self.written {
            written.begin(base, size);
        }
        if let Some(order) = &self.order {
            order.forget(base, size);
        }
        if rest.size == 0 {
            return Some(None);
        }
        self.allocations.insert(rest.base, rest);
        Some(Some(rest.base))
    }

    /// Allocates page-locked memory of the host.
    pub(crate) fn allocate_host(
        &mut self,
        device: CUdevice,
        context: Handle,
        combined: bool,
        size: u64,
    ) -> Option<u64> {
        let kind = Kind::Host { combined };
        let (base, room) = self.make_room(kind, size, |heap, room| {
            if let Some(base) = heap.host.take(kind, context, room) {
                return Some(base);
            }
            heap.host.map_on_host(kind, context, room)?;
            heap.host.take(kind, context, room)
        })?;
        self.note(base, (size, room), (device, context), kind);
        Some(base)
    }

    /// Allocates managed memory. Returns `None` if there is not enough. Unused managed memory does not reduce the other
    /// memory of the device (measured), and may be evicted later.
    pub(crate) fn allocate_managed(
        &mut self,
        device: CUdevice,
        context: Handle,
        (attachment, is_variable): (Attachment, bool),
        size: u64,
    ) -> Option<u64> {
        let kind = Kind::Managed { is_variable };
        let (base, room) = self.make_room(kind, size, |heap, room| {
            if let Some(base) = heap.managed.runs.take(kind, context, room) {
                return Some(base);
            }
            heap.map_managed(device, kind, context, room)?;
            heap.managed.runs.take(kind, context, room)
        })?;
        self.managed.add(base, size, attachment);
        self.note(base, (size, room), (device, context), kind);
        Some(base)
    }

    /// Maps new pages of managed memory. Returns their total size.
    fn map_managed(&mut self, device: CUdevice, kind: Kind, owner: Handle, size: u64) -> Option<u64> {
        let len = size.checked_next_multiple_of(PAGE)?;
        let heap = self.devices.get_mut(device as usize)?;
        let free = heap.limit - heap.managed;
        if len > free {
            self.note_shortage(device, len, free);
            return None;
        }
        self.managed.runs.map_on_host(kind, owner, len)?;
        heap.managed += len;
        Some(len)
    }

    /// Returns the pages of a kind of memory: a device's, the host's, or managed ones. Returns `None` for memory of the
    /// program, and for memory at addresses that the program chose.
    fn runs_of(&self, kind: Kind, device: CUdevice) -> Option<&PageRuns> {
        match kind {
            Kind::Host { .. } | Kind::Pool(PoolSource::Host | PoolSource::ImportedHost) => Some(&self.host),
            Kind::Managed { .. } | Kind::Pool(PoolSource::Managed) => Some(&self.managed.runs),
            Kind::Registered { .. } | Kind::Mapped { .. } => None,
            Kind::Plain
            | Kind::Variable
            | Kind::Pool(PoolSource::Device | PoolSource::Imported)
            | Kind::Array
            | Kind::Opened
            | Kind::External { .. }
            | Kind::MallocHeap
            | Kind::Graph => self.devices.get(device as usize).map(|heap| &heap.runs),
        }
    }

    /// Returns the same pages, to change them.
    fn runs_of_mut(&mut self, kind: Kind, device: CUdevice) -> Option<&mut PageRuns> {
        match kind {
            Kind::Host { .. } | Kind::Pool(PoolSource::Host | PoolSource::ImportedHost) => {
                Some(&mut self.host)
            }
            Kind::Managed { .. } | Kind::Pool(PoolSource::Managed) => Some(&mut self.managed.runs),
            Kind::Registered { .. } | Kind::Mapped { .. } => None,
            _ => self.devices.get_mut(device as usize).map(|heap| &mut heap.runs),
        }
    }

    /// Makes memory of the program page-locked. Returns `None` if a part of it is page-locked already, as all pages of
    /// the driver are.
    pub(crate) fn register(
        &mut self,
        device: CUdevice,
        context: Handle,
        (portable, read_only): (bool, bool),
        bytes: NonNull<u8>,
        size: u64,
    ) -> Option<()> {
        // Later accesses use this address, not the pointer of the program.
        let base = bytes.as_ptr().expose_provenance() as u64;
        let end = base.checked_add(size)?;
        let before = self.allocations.before(end).map(|(_, known)| known.base + known.size);
        let is_beside = |(start, pages): (u64, &PageRun)| start < end && base < start + pages.len;
        let beside = self.host.0.iter().any(is_beside) || self.managed.runs.0.iter().any(is_beside);
        if before.is_some_and(|end_before| end_before > base) || beside {
            return None;
        }
        self.registered.insert(base, (size, read_only));
        let kind = Kind::Registered { portable, read_only };
        self.note(base, (size, size), (device, context), kind);
        Some(())
    }

    /// Lets other processes map the pages that contain device memory, or memory of a shared pool of the host. Returns the
    /// name of the block, and the offset of the memory in it. The caller must ensure that no work is in progress on
    /// device memory. Returns `None` if the system refuses.
    pub(crate) fn share(&mut self, base: u64) -> Option<(Name, u64)> {
        // Writes of other processes are not known.
        if let Some(written) = &self.written {
            written.forget();
        }
        let of_device = self.devices.iter_mut().find(|heap| heap.range.contains(&base));
        let runs = of_device.map_or(&mut self.host, |heap| &mut heap.runs);
        let (start, pages) = runs.holding_mut(base)?;
        let (name, first) = pages.backing.share()?;
        Some((name, first + (base - start)))
    }

    /// Adds pages of another process or another API. Returns their address. Kernels can access all of these pages. They
    /// do not count as used, and end with their last [part](Heap::open_part).
    pub(crate) fn adopt(
        &mut self,
        (device, context): (CUdevice, Handle),
        kind: Kind,
        backing: Backing,
    ) -> Option<u64> {
        if kind.is_host() {
            let len = backing.len();
            return Some(self.host.add_on_host(backing, len, kind, context));
        }
        self.devices.get_mut(device as usize)?.insert(backing, kind, context)
    }

    /// Lets a program name a part of added pages. Returns `None` if the part is not inside, or overlaps another part.
    pub(crate) fn open_part(
        &mut self,
        (device, context): (CUdevice, Handle),
        kind: Kind,
        base: u64,
        size: u64,
    ) -> Option<u64> {
        let (start, pages) = self.runs_of(kind, device)?.holding(base)?;
        let end = base.checked_add(size).filter(|end| *end <= start + pages.len)?;
        let before = self.allocations.before(end);
        if before.is_some_and(|(_, known)| known.base + known.size > base) {
            return None;
        }
        self.note(base, (size, size), (device, context), kind);
        Some(base)
    }

    /// Returns the allocation that begins at `base`, if a program may name it.
    pub(crate) fn starting_at(&self, base: u64) -> Option<&Allocation> {
        self.allocations.get(base).filter(|found| !found.kind.is_internal() && !found.is_freed)
    }

    /// Returns all allocations that a program may name.
    pub(crate) fn named(&self) -> impl Iterator<Item = &Allocation> {
        self.allocations.values().filter(|found| !found.kind.is_internal() && !found.is_freed)
    }

    /// Returns all allocations of a pool, including those whose free is queued.
    pub(crate) fn of_pool(&self, pool: Handle) -> impl Iterator<Item = &Allocation> {
        let of_pools = self.allocations.values().filter(|found| matches!(found.kind, Kind::Pool(_)));
        of_pools.filter(move |found| self.pool_of(found.base) == Some(pool))
    }

    /// Returns the allocation that contains `len` bytes at `address`, if a program may name it.
    pub(crate) fn holding(&self, address: u64, len: u64) -> Option<&Allocation> {
        self.any_holding(address, len).filter(|found| !found.kind.is_internal() && !found.is_freed)
    }

    /// Returns the host bytes of `len` bytes that work uses. An allocation may have been split since the work was
    /// queued, so pages count here, as for kernels.
    pub(crate) fn bytes_in_use(&self, address: u64, len: u64) -> Option<*mut u8> {
        let of_device = self.devices.iter().any(|heap| heap.range.contains(&address));
        let pages = self.pages_at(address).filter(|(_, pages)| of_device || pages.is_of_pool());
        match pages {
            Some((start, pages)) => {
                let offset = address - start;
                (len <= pages.len - offset && !self.faults(pages, offset, len))
                    .then(|| pages.backing.bytes().wrapping_add(offset as usize))
            }
            None if of_device => None,
            None => {
                let found = self.any_holding(address, len)?;
                if found.kind.is_mapped() {
                    return self.ranges.bytes(address, len);
                }
                // Memory of the host is at its own address.
                found.kind.has_host_address().then(|| with_exposed_provenance_mut(address as usize))
            }
        }
    }

    /// Returns the driver's pages that contain an address, and their start: pages of a device, of the host, or managed
    /// ones.
    fn pages_at(&self, address: u64) -> Option<(u64, &PageRun)> {
        let of_device = self.devices.iter().find(|heap| heap.range.contains(&address));
        let on_host = [&self.host, &self.managed.runs];
        let runs = of_device.map(|heap| &heap.runs).into_iter().chain(on_host);
        runs.filter_map(|runs| runs.holding(address)).find(|(start, pages)| address - start < pages.len)
    }

    /// Returns whether work that uses `len` bytes of pages faults because some of them were freed.
    fn faults(&self, pages: &PageRun, offset: u64, len: u64) -> bool {
        self.guards_freed && pages.is_of_pool() && pages.has_freed(offset, len)
    }

    /// Returns whether work that uses `len` bytes at an address faults because its pool has not allocated them again.
    pub(crate) fn is_freed_of_pool(&self, address: u64, len: u64) -> bool {
        self.pages_at(address).is_some_and(|(start, pages)| self.faults(pages, address - start, len))
    }

    /// Returns the allocation at an address whose free is queued.
    pub(crate) fn freed(&self, base: u64) -> Option<&Allocation> {
        self.allocations.get(base).filter(|found| found.is_freed)
    }

    /// Sets whether synchronous work on an allocation always waits.
    pub(crate) fn set_always_waits(&mut self, base: u64, waits: bool) {
        if let Some(allocation) = self.allocations.get_mut(base) {
            allocation.synchronous = Some(waits);
        }
    }

    /// Returns the pages of an allocation: their number, their start, and their size.
    pub(crate) fn pages_of(&self, found: &Allocation) -> (u64, u64, u64) {
        match found.kind {
            Kind::Mapped { .. } => return (found.id, found.base, found.size),
            // Hardware maps larger pieces (measured).
            Kind::Graph => return (found.id, found.base, found.size.next_multiple_of(32 << 20)),
            _ => {}
        }
        match self.runs_of(found.kind, found.device).and_then(|runs| runs.holding(found.base)) {
            Some((start, pages)) => (pages.id, start, pages.len),
            None => {
                let span = host_pages(found.base, found.size);
                (found.id, span.start, span.end - span.start)
            }
        }
    }

    /// Records that the free of an allocation is queued.
    pub(crate) fn note_freed(&mut self, base: u64) {
        if let Some(allocation) = self.allocations.get_mut(base) {
            allocation.is_freed = true;
            allocation.freed_by = self.present.get();
            let freed = *allocation;
            self.note_unused(&freed);
        }
    }

    fn any_holding(&self, address: u64, len: u64) -> Option<&Allocation> {
        let (_, allocation) = self.allocations.at_or_before(address)?;
        let offset = address - allocation.base;
        let is_one = offset < allocation.size && len <= allocation.size - offset;
        // Adjacent mappings count as one (measured).
        let is_covered = || allocation.kind.is_mapped() && self.ranges.covers(address, len);
        (is_one || is_covered()).then_some(allocation)
    }

    /// Returns the host bytes of `len` bytes of an array.
    pub(crate) fn array_bytes(&self, address: u64, len: u64) -> Option<*mut u8> {
        self.any_holding(address, len).filter(|found| found.kind.is_array())?;
        self.bytes_in_use(address, len)
    }

    /// Frees an allocation.
    pub(crate) fn free(&mut self, base: u64) {
        drop(self.give_up(base));
    }

    /// Frees an allocation. Returns the pages that are no longer used, which are mapped until they are dropped.
    fn give_up(&mut self, base: u64) -> Option<PageRun> {
        let allocation = self.allocations.remove(base)?;
        self.history.note(&allocation, self.present.get());
        if let Some(written) = &self.written {
            written.end(base);
        }
        if let Some(order) = self.order.as_ref().filter(|_| !matches!(allocation.kind, Kind::Pool(_))) {
            order.forget(base, allocation.size);
        }
        let room = allocation.room;
        self.openings.forget(base);
        match allocation.kind {
            Kind::Registered { .. } => {
                self.registered.remove(base);
                None
            }
            Kind::Host { .. } => self.host.give_back(base, room),
            Kind::Managed { .. } => {
                self.managed.forget(base, allocation.size.next_multiple_of(GRANULE));
                let unused = self.managed.runs.give_back(base, room)?;
                if let Some(heap) = self.devices.get_mut(allocation.device as usize) {
                    heap.managed -= unused.len;
                }
                Some(unused)
            }
            Kind::Opened
            | Kind::External { .. }
            | Kind::Pool(PoolSource::Imported | PoolSource::ImportedHost) => {
                let runs = self.runs_of(allocation.kind, allocation.device)?;
                let (start, pages) = runs.holding(base)?;
                if self.allocations.range(start..start + pages.len).next().is_some() {
                    return None;
                }
                self.runs_of_mut(allocation.kind, allocation.device)?.0.remove(start)
            }
            Kind::Pool(_) => {
                self.give_back_to_pool(&allocation);
                None
            }
            Kind::Graph => {
                let heap = self.devices.get_mut(allocation.device as usize)?;
                let unused = heap.runs.0.remove(base)?;
                heap.used -= unused.len;
                Some(unused)
            }
            // It is unmapped in another way.
            Kind::Mapped { .. } => None,
            Kind::Plain | Kind::Variable | Kind::Array | Kind::MallocHeap => {
                let heap = self.devices.get_mut(allocation.device as usize)?;
                let unused = heap.runs.give_back(base, room)?;
                heap.used -= unused.len;
                Some(unused)
            }
        }
    }

    /// Frees the allocations of a context.
    ///
    /// Page-locked and managed memory stays mapped. A program may have released the context by mistake on the wrong
    /// machine, and safe slices of its memory may still be in use.
    pub(crate) fn free_context(&mut self, context: Handle) {
        if let Some(heap) = self.malloc_heaps.remove(context) {
            heap.forget_blocks();
        }
        let of_context = |allocation: &&Allocation| {
            allocation.context == context && !matches!(allocation.kind, Kind::Pool(_))
        };
        let bases: Vec<u64> = self.allocations.values().filter(of_context).map(|found| found.base).collect();
        for unused in bases.into_iter().filter_map(|base| self.give_up(base)) {
            if matches!(unused.kind, Kind::Host { .. } | Kind::Managed { .. }) {
                unused.keep_mapped();
            }
        }
    }

    /// Visits the device memory that a kernel can access. This is the memory of all contexts of its device, the pools
    /// that it may use, and plain memory of the contexts in `peers`. Variables of modules of peers are not accessible
    /// (both measured).
    pub(crate) fn visit_mapped(
        &self,
        own: CUdevice,
        peers: &IdSet<Handle>,
        mut visit: impl FnMut(Reachable),
    ) {
        for (device, heap) in (0..).zip(&self.devices) {
            for (base, pages) in heap.runs.0.iter() {
                let is_visible = device == own
                    || match pages.kind {
                        Kind::Pool(_) => self.pool_reaches(pages.owner, own),
                        // Access to the heap of a peer is not measured.
                        Kind::Variable | Kind::MallocHeap => false,
                        _ => peers.contains(pages.owner),
                    };
                if !is_visible {
                    continue;
                }
                self.visit_parts(base, pages, &mut visit);
            }
        }
        let is_of_pool = |pages: &PageRun| matches!(pages.kind, Kind::Pool(source) if source.is_host());
        let of_pools = self.host.0.iter().filter(|(_, pages)| is_of_pool(pages));
        for (base, pages) in of_pools.filter(|(_, pages)| self.pool_reaches(pages.owner, own)) {
            self.visit_parts(base, pages, &mut visit);
        }
    }

    /// Visits pages. If freed memory faults, visits only the parts of pool pages that were not freed.
    fn visit_parts(&self, base: u64, pages: &PageRun, visit: &mut impl FnMut(Reachable)) {
        let mut visit_part = |part: Range<u64>| {
            visit(Reachable {
                base: base + part.start,
                len: part.end - part.start,
                bytes: pages.backing.bytes().wrapping_add(part.start as usize),
                read_only: false,
            });
        };
        if self.guards_freed && pages.is_of_pool() {
            pages.without_freed().iter().cloned().for_each(visit_part);
        } else {
            visit_part(0..pages.len);
        }
    }

    /// Returns all page-locked memory except memory of pools: pages of the driver, and the host's pages that contain
    /// memory of the program. No page occurs twice. A page that is partly writable counts as writable.
    pub(crate) fn page_locked(&self) -> Vec<Reachable> {
        // Every launch asks, and most programs have no such memory.
        if self.host.0.is_empty() && self.registered.is_empty() {
            return Vec::new();
        }
        let of_contexts = self.host.0.iter().filter(|(_, pages)| matches!(pages.kind, Kind::Host { .. }));
        let own = of_contexts.map(|(base, pages)| base..base + pages.len);
        let registered = |wanted: bool| -> Vec<Range<u64>> {
            let known = self.registered.iter().filter(|(_, (_, read_only))| *read_only == wanted);
            known.map(|(base, (size, _))| host_pages(base, *size)).collect()
        };
        // Memory of the driver may share a page with memory of the program.
        let apart = |spans: Vec<Range<u64>>| match spans.is_empty() {
            true => spans,
            false => address_ranges::without(address_ranges::merged(spans), self.backings().collect()),
        };
        let writable = address_ranges::merged(own.chain(apart(registered(false))).collect());
        let others = match apart(registered(true)) {
            none if none.is_empty() => none,
            some => address_ranges::without(some, writable.clone()),
        };
        let reachable = |read_only: bool| {
            move |span: Range<u64>| Reachable {
                base: span.start,
                len: span.end - span.start,
                bytes: with_exposed_provenance_mut(span.start as usize),
                read_only,
            }
        };
        writable.into_iter().map(reachable(false)).chain(others.into_iter().map(reachable(true))).collect()
    }

    /// Returns the host addresses of the bytes behind all memory of the driver.
    pub(crate) fn backings(&self) -> impl Iterator<Item = Range<u64>> {
        let runs = self.devices.iter().map(|heap| &heap.runs).chain([&self.host, &self.managed.runs]);
        let pages = runs.flat_map(|runs| runs.0.values()).map(|pages| pages.backing.span());
        pages.chain(self.ranges.spans())
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        // The program may still have the addresses of memory that it has not freed.
        let own = [&mut self.host, &mut self.managed.runs].map(core::mem::take);
        for mut runs in own {
            runs.0.drain().into_iter().for_each(|(_, pages)| pages.keep_mapped());
        }
        self.ranges.keep_mapped();
    }
}
