//! Where device memory comes from: addresses, and the host bytes behind them.
//!
//! As on hardware, memory is mapped in pages of 2 MiB, and small allocations share one. The bounds of an
//! allocation are known exactly, and copies keep to them; kernels are only kept to mapped pages.
//!
//! Device addresses start at 2⁴⁸, where no address of the host lies. Page-locked host memory has the
//! same address on the host and on the devices.

#![allow(unsafe_code)]

use super::handles::Handle;
use core::mem::ManuallyDrop;
use core::ops::Range;
use core::ptr::NonNull;
use cuda_sys::CUdevice;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::{BTreeMap, BTreeSet};

const FIRST_ADDRESS: u64 = 1 << 48;
/// Each device has a range of its own.
const DEVICE_STRIDE: u64 = 1 << 44;
/// And so has each machine, with room for as many devices as one may have.
const MACHINE_STRIDE: u64 = DEVICE_STRIDE * crate::Config::MOST_DEVICES as u64;
const MACHINES: u64 = 1 << 10;
const PAGE: u64 = 2 << 20;
/// Allocations begin at multiples of this.
const GRANULE: u64 = 512;

/// Host bytes, zero at first. Their addresses stay the same as long as this lives.
struct Backing {
    bytes: NonNull<u8>,
    layout: Layout,
}

// SAFETY: it owns its bytes, and gives no references to them.
unsafe impl Send for Backing {}

impl Backing {
    fn new(len: u64) -> Option<Backing> {
        // No more than `malloc` aligns by itself: beyond, the bytes would be zeroed one by one, and all of
        // them touched, instead of coming as fresh pages.
        let layout = Layout::from_size_align(usize::try_from(len).ok()?, 16).ok()?;
        if layout.size() == 0 {
            return None;
        }
        // SAFETY: the size is not 0.
        let bytes = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        Some(Backing { bytes, layout })
    }
}

impl Drop for Backing {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout.
        unsafe { dealloc(self.bytes.as_ptr(), self.layout) };
    }
}

/// A run of pages.
struct Pages {
    backing: Backing,
    len: u64,
    kind: Kind,
    /// The context that it belongs to; of a pool, none.
    owner: Handle,
    /// Unused parts, by offset.
    free: BTreeMap<u64, u64>,
}

struct DeviceHeap {
    pages: BTreeMap<u64, Pages>,
    /// The device's addresses.
    range: Range<u64>,
    /// Above every run of pages that there ever was: where the next one goes, if there is room.
    next: u64,
    used: u64,
    /// Whether addresses are used again at once.
    recycle: bool,
}

/// Who an allocation belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `cuMemAlloc` and the variables of modules: of a context.
    Plain,
    /// `cuMemAllocAsync`: of the device's default pool.
    Pool,
    /// The texels of arrays, which have no address that a program knows: of a context.
    Array,
    /// `cuMemHostAlloc`: page-locked host memory, of a context.
    Host {
        /// Whether writes to it are combined.
        combined: bool,
    },
    /// `cuMemHostRegister`: memory of the program, page-locked.
    Registered {
        /// Whether it was asked to be page-locked for all contexts; it is in any case.
        portable: bool,
    },
}

impl Kind {
    /// Whether it is memory of the host.
    pub(super) fn is_host(self) -> bool {
        matches!(self, Kind::Host { .. } | Kind::Registered { .. })
    }
}

/// Page-locked memory.
enum HostMemory {
    Own(Backing),
    Registered(NonNull<u8>, u64),
}

// SAFETY: the pointer is only handed on, to those who keep to what its owner promised.
unsafe impl Send for HostMemory {}

impl HostMemory {
    fn bytes(&self) -> *mut u8 {
        match self {
            HostMemory::Own(backing) => backing.bytes.as_ptr(),
            HostMemory::Registered(bytes, _) => bytes.as_ptr(),
        }
    }

    fn len(&self) -> u64 {
        match self {
            HostMemory::Own(backing) => backing.layout.size() as u64,
            HostMemory::Registered(_, len) => *len,
        }
    }
}

/// What was allocated.
#[derive(Debug, Clone, Copy)]
pub(super) struct Allocation {
    pub(super) base: u64,
    pub(super) size: u64,
    pub(super) device: CUdevice,
    pub(super) context: Handle,
    pub(super) kind: Kind,
}

/// All memory.
pub(super) struct Heap {
    devices: Vec<DeviceHeap>,
    host: BTreeMap<u64, HostMemory>,
    allocations: BTreeMap<u64, Allocation>,
    limit: u64,
}

impl Heap {
    /// `machine` tells the addresses from those of other machines.
    pub(super) fn new(devices: usize, limit: u64, machine: u64, recycle: bool) -> Heap {
        let first = FIRST_ADDRESS + machine % MACHINES * MACHINE_STRIDE;
        let devices = (0..devices as u64)
            .map(|index| {
                let start = first + index * DEVICE_STRIDE;
                let range = start..start + DEVICE_STRIDE;
                DeviceHeap { pages: BTreeMap::new(), range, next: start, used: 0, recycle }
            })
            .collect();
        Heap { devices, host: BTreeMap::new(), allocations: BTreeMap::new(), limit }
    }

    /// Bytes of a device that are not in use.
    pub(super) fn free_bytes(&self, device: CUdevice) -> u64 {
        self.devices.get(device as usize).map_or(0, |heap| self.limit - heap.used)
    }

    /// Bytes of a device's pool that are in use, and those that it holds.
    pub(super) fn pool_bytes(&self, device: CUdevice) -> (u64, u64) {
        let of_pool = |found: &&Allocation| found.device == device && found.kind == Kind::Pool;
        let used = self.allocations.values().filter(of_pool).map(|found| found.size).sum();
        let pages = self.devices.get(device as usize).into_iter().flat_map(|heap| heap.pages.values());
        let held = pages.filter(|pages| pages.kind == Kind::Pool).map(|pages| pages.len).sum();
        (used, held)
    }

    /// Memory of a device; `None` if there is not enough.
    pub(super) fn allocate(
        &mut self,
        device: CUdevice,
        context: Handle,
        kind: Kind,
        size: u64,
    ) -> Option<u64> {
        let limit = self.limit;
        let heap = self.devices.get_mut(device as usize)?;
        let rounded = size.checked_next_multiple_of(GRANULE)?;
        // Peers reach the memory of a context, and not of all.
        let owner = if kind == Kind::Pool { Handle::NULL } else { context };
        let base = match heap.take(kind, owner, rounded) {
            Some(base) => base,
            None => {
                heap.map(kind, owner, rounded, limit)?;
                heap.take(kind, owner, rounded)?
            }
        };
        self.allocations.insert(base, Allocation { base, size, device, context, kind });
        Some(base)
    }

    /// Page-locked memory of the host.
    pub(super) fn allocate_host(
        &mut self,
        device: CUdevice,
        context: Handle,
        combined: bool,
        size: u64,
    ) -> Option<u64> {
        let backing = Backing::new(size)?;
        let base = backing.bytes.addr().get() as u64;
        self.host.insert(base, HostMemory::Own(backing));
        self.allocations
            .insert(base, Allocation { base, size, device, context, kind: Kind::Host { combined } });
        Some(base)
    }

    /// Makes memory of the program page-locked. `None` if a part of it is known already.
    pub(super) fn register(
        &mut self,
        device: CUdevice,
        context: Handle,
        portable: bool,
        bytes: NonNull<u8>,
        size: u64,
    ) -> Option<()> {
        let base = bytes.addr().get() as u64;
        let end = base.checked_add(size)?;
        let before = self.allocations.range(..end).next_back().map(|(_, known)| known.base + known.size);
        if before.is_some_and(|end_before| end_before > base) {
            return None;
        }
        self.host.insert(base, HostMemory::Registered(bytes, size));
        self.allocations
            .insert(base, Allocation { base, size, device, context, kind: Kind::Registered { portable } });
        Some(())
    }

    /// The allocation that begins at `base`.
    pub(super) fn starting_at(&self, base: u64) -> Option<&Allocation> {
        self.allocations.get(&base).filter(|found| found.kind != Kind::Array)
    }

    /// The allocation that holds all of `len` bytes at `address`.
    pub(super) fn holding(&self, address: u64, len: u64) -> Option<&Allocation> {
        self.any_holding(address, len).filter(|found| found.kind != Kind::Array)
    }

    fn any_holding(&self, address: u64, len: u64) -> Option<&Allocation> {
        let (_, allocation) = self.allocations.range(..=address).next_back()?;
        let offset = address - allocation.base;
        (offset < allocation.size && len <= allocation.size - offset).then_some(allocation)
    }

    /// The host bytes behind `len` bytes of an array.
    pub(super) fn array_bytes(&self, address: u64, len: u64) -> Option<*mut u8> {
        let found = self.any_holding(address, len).filter(|found| found.kind == Kind::Array)?;
        self.bytes(found, address)
    }

    /// The host bytes behind an allocation, from its `address` on.
    pub(super) fn bytes(&self, allocation: &Allocation, address: u64) -> Option<*mut u8> {
        let (start, bytes) = match allocation.kind {
            Kind::Host { .. } | Kind::Registered { .. } => {
                (allocation.base, self.host.get(&allocation.base)?.bytes())
            }
            Kind::Plain | Kind::Pool | Kind::Array => {
                let heap = self.devices.get(allocation.device as usize)?;
                let (start, pages) = heap.pages.range(..=allocation.base).next_back()?;
                (*start, pages.backing.bytes.as_ptr())
            }
        };
        // Within the bytes, since the address is within the allocation.
        Some(bytes.wrapping_add((address - start) as usize))
    }

    /// Gives an allocation back.
    pub(super) fn free(&mut self, base: u64) {
        let Some(allocation) = self.allocations.remove(&base) else { return };
        match allocation.kind {
            Kind::Host { .. } | Kind::Registered { .. } => drop(self.host.remove(&base)),
            Kind::Plain | Kind::Pool | Kind::Array => {
                if let Some(heap) = self.devices.get_mut(allocation.device as usize) {
                    heap.give_back(base, allocation.size.next_multiple_of(GRANULE));
                }
            }
        }
    }

    /// Frees what belongs to a context.
    pub(super) fn free_context(&mut self, context: Handle) {
        let of_context =
            |allocation: &&Allocation| allocation.context == context && allocation.kind != Kind::Pool;
        let bases: Vec<u64> = self.allocations.values().filter(of_context).map(|found| found.base).collect();
        bases.into_iter().for_each(|base| self.free(base));
    }

    /// The device memory that a kernel can reach, as address, length and bytes: that of its device, of whatever context
    /// (measured), of the contexts in `peers`, and of the pools of `pools`.
    pub(super) fn mapped(
        &self,
        own: CUdevice,
        peers: &BTreeSet<Handle>,
        pools: &[CUdevice],
    ) -> impl Iterator<Item = (u64, u64, *mut u8)> {
        let devices = (0..).zip(&self.devices);
        let pages = devices.flat_map(|(device, heap)| heap.pages.iter().map(move |pages| (device, pages)));
        let visible = pages.filter(move |(device, (_, pages))| match pages.kind {
            Kind::Pool => pools.contains(device),
            _ => *device == own || peers.contains(&pages.owner),
        });
        visible.map(|(_, (base, pages))| (*base, pages.len, pages.backing.bytes.as_ptr()))
    }

    /// All page-locked memory, in the order of its addresses: address, length and bytes.
    pub(super) fn page_locked(&self) -> impl Iterator<Item = (u64, u64, *mut u8)> {
        self.host.iter().map(|(base, memory)| (*base, memory.len(), memory.bytes()))
    }

    /// The host addresses of the bytes behind device memory.
    pub(super) fn backings(&self) -> impl Iterator<Item = Range<u64>> {
        let pages = self.devices.iter().flat_map(|heap| heap.pages.values());
        pages.map(|pages| {
            let start = pages.backing.bytes.addr().get() as u64;
            start..start + pages.backing.layout.size() as u64
        })
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        // The program may still have the address of what it has not freed.
        for memory in core::mem::take(&mut self.host).into_values() {
            if let HostMemory::Own(backing) = memory {
                let _ = ManuallyDrop::new(backing);
            }
        }
    }
}

impl DeviceHeap {
    /// The first unused part that is large enough, out of pages of the same kind and owner.
    fn take(&mut self, kind: Kind, owner: Handle, size: u64) -> Option<u64> {
        let same = |pages: &Pages| pages.kind == kind && pages.owner == owner;
        for (start, pages) in self.pages.iter_mut().filter(|(_, pages)| same(pages)) {
            let fits = |(_, len): &(&u64, &u64)| **len >= size;
            if let Some((offset, len)) = pages.free.iter().find(fits).map(|(offset, len)| (*offset, *len)) {
                pages.free.remove(&offset);
                if len > size {
                    pages.free.insert(offset + size, len - size);
                }
                return Some(start + offset);
            }
        }
        None
    }

    /// New pages, with room for `size` bytes.
    fn map(&mut self, kind: Kind, owner: Handle, size: u64, limit: u64) -> Option<()> {
        let len = size.checked_next_multiple_of(PAGE)?;
        if len > limit - self.used {
            return None;
        }
        let free = BTreeMap::from([(0, len)]);
        let pages = Pages { backing: Backing::new(len)?, len, kind, owner, free };
        let start = self.place(len)?;
        if start + len + PAGE > self.next {
            self.next = start + len + PAGE;
        }
        self.used += len;
        self.pages.insert(start, pages);
        Some(())
    }

    /// Addresses for `len` bytes. New ones, as long as there are any, so that stale addresses are noticed; and with a
    /// page left out before the next run, so that running off the end of one is.
    fn place(&self, len: u64) -> Option<u64> {
        let fits = |start: u64, end: u64| start.checked_add(len + PAGE).is_some_and(|needed| needed <= end);
        if !self.recycle && fits(self.next, self.range.end) {
            return Some(self.next);
        }
        let ends = self.pages.iter().map(|(start, pages)| start + pages.len + PAGE);
        let starts = self.pages.keys().copied().chain([self.range.end]);
        let mut gaps = [self.range.start].into_iter().chain(ends).zip(starts);
        gaps.find(|(start, end)| fits(*start, *end)).map(|(start, _)| start)
    }

    /// Unused again; pages without a use are unmapped.
    fn give_back(&mut self, base: u64, size: u64) {
        let Some((start, pages)) = self.pages.range_mut(..=base).next_back() else { return };
        let start = *start;
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
        if size == pages.len {
            self.used -= size;
            self.pages.remove(&start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTEXT: Handle = Handle(1);

    #[test]
    fn allocations_are_apart_aligned_and_reusable() {
        let mut heap = Heap::new(1, 16 << 20, 0, false);
        let sizes = [1, 511, 512, 513, 4096, 1 << 20, 3 << 20, 7];
        let bases: Vec<u64> =
            sizes.iter().filter_map(|size| heap.allocate(0, CONTEXT, Kind::Plain, *size)).collect();
        assert_eq!(bases.len(), sizes.len());
        for (base, size) in bases.iter().zip(sizes) {
            assert_eq!(base % GRANULE, 0);
            assert!(heap.holding(*base, size).is_some_and(|found| found.base == *base));
            assert!(heap.holding(*base, size + 1).is_none());
            let others = bases.iter().filter(|other| *other != base);
            assert!(others.into_iter().all(|other| *other >= base + size || other < base));
        }
        bases.iter().for_each(|base| heap.free(*base));
        assert_eq!(heap.free_bytes(0), 16 << 20);
        assert!(heap.backings().next().is_none());
    }

    #[test]
    fn memory_is_bounded() {
        let mut heap = Heap::new(1, 4 << 20, 0, false);
        assert!(heap.allocate(0, CONTEXT, Kind::Pool, 5 << 20).is_none());
        assert!(heap.allocate(0, CONTEXT, Kind::Pool, u64::MAX).is_none());
        assert!(heap.allocate(0, CONTEXT, Kind::Pool, 4 << 20).is_some());
        assert!(heap.allocate(0, CONTEXT, Kind::Plain, 1).is_none());
    }

    #[test]
    fn addresses_are_used_again_when_they_run_out() {
        let mut heap = Heap::new(2, u64::MAX, 0, false);
        let end = FIRST_ADDRESS + DEVICE_STRIDE;
        let other = heap.allocate(1, CONTEXT, Kind::Plain, 1);
        assert!(other.is_some_and(|base| base >= end));
        // Runs that stay, with gaps between them.
        let sizes = [6 << 20, 7 << 20, 30 << 20, 5 << 20, 1 << 20];
        let mut kept: Vec<(u64, u64)> = sizes
            .iter()
            .filter_map(|size| Some((heap.allocate(0, CONTEXT, Kind::Plain, *size)?, *size)))
            .collect();
        assert_eq!(kept.len(), sizes.len());
        for index in [2, 0] {
            heap.free(kept.remove(index).0);
        }
        // All addresses but those of the gaps are used once.
        for size in [1 << 30, PAGE] {
            while heap.devices[0].next + size + PAGE <= end {
                let base = heap.allocate(0, CONTEXT, Kind::Plain, size);
                base.into_iter().for_each(|base| heap.free(base));
            }
        }
        // What comes now goes into the gaps, and beyond.
        for size in [2 << 20, 2 << 20, 2 << 20, 4 << 20, 8 << 20, 2 << 20, 40 << 20, 2 << 20] {
            let base = heap.allocate(0, CONTEXT, Kind::Plain, size);
            kept.extend(base.map(|base| (base, size)));
        }
        assert_eq!(kept.len(), 3 + 8);
        kept.sort_unstable();
        assert!(kept.iter().all(|(base, size)| *base >= FIRST_ADDRESS && base + size <= end));
        assert!(kept.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0), "{kept:x?}");
        assert!(kept.iter().all(|(base, size)| heap.holding(*base, *size).is_some()));
        kept.into_iter().for_each(|(base, _)| heap.free(base));
        assert!(heap.devices[0].pages.is_empty());
    }

    #[test]
    fn a_context_takes_its_memory_along_but_not_the_pools() {
        let mut heap = Heap::new(2, 8 << 20, 0, false);
        let plain = heap.allocate(1, CONTEXT, Kind::Plain, 100);
        let pool = heap.allocate(1, CONTEXT, Kind::Pool, 100);
        heap.free_context(CONTEXT);
        assert!(plain.is_some_and(|base| heap.starting_at(base).is_none()));
        assert!(pool.is_some_and(|base| heap.starting_at(base).is_some()));
    }
}
