//! Address ranges that programs reserve, and the memory that they map there.
//!
//! Reservations are in regions. Each region has a window of host addresses, through which the driver reads and writes.
//! Adjacent mappings are therefore one range for copies and kernels, and memory that is mapped twice has the same bytes.
//!
//! If memory of the host can be mapped, the addresses of a region are addresses of the process, too. They are a second
//! window, without memory at first. Access of the host maps memory there, and the program then reads and writes it. If
//! the system has no room for a second window, the region lies above all host addresses, and the host has no access.

use super::{Heap, Kind, Reachable};
use crate::collections::IdMap;
use crate::driver::handles::Handle;
use crate::driver::memory::pages::PAGE;
use crate::driver::memory::shared_mapping::{Store, Window};
use core::ops::Range;
use cuda_sys::CUdevice;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Least length of a region.
const REGION: u64 = 16 << 30;
/// First wished address of regions in the process. Programs, their libraries and their stacks are elsewhere.
const FIRST_WISH: u64 = 1 << 45;
/// End of the wished addresses.
const END_OF_WISHES: u64 = 1 << 46;
/// Addresses that are tried before the system chooses one.
const WISHES: u64 = 64;
/// Distance between the first wishes of two machines.
const WISH_STRIDE: u64 = (END_OF_WISHES - FIRST_WISH) / super::MACHINES;

/// Reserved and mapped addresses of a machine.
pub(crate) struct Ranges {
    /// All addresses that can be reserved.
    range: Range<u64>,
    /// End of all regions so far.
    next: u64,
    /// True if addresses are reused at once.
    recycle: bool,
    /// Wished address of the first region in the process.
    first_wish: u64,
    /// Wished address of the next one.
    wish: u64,
    regions: IdMap<u64, Region>,
    /// Lengths of reservations.
    reserved: BTreeMap<u64, u64>,
    mappings: IdMap<u64, Mapping>,
}

struct Region {
    /// Bytes that the driver reads and writes.
    window: Window,
    /// Addresses of the region in the process; `None` if the region lies above all host addresses.
    in_process: Option<Window>,
    /// End of all reservations in it so far.
    next: u64,
}

impl Region {
    fn end(&self, start: u64) -> u64 {
        start + self.window.len()
    }
}

/// Memory at an address.
pub(crate) struct Mapping {
    pub(crate) len: u64,
    pub(crate) memory: Handle,
    /// Devices with access, and whether they may write.
    access: IdMap<CUdevice, bool>,
    /// Access of the host, which only memory of the host can have: whether it may write.
    host_access: Option<bool>,
    /// True if the access of the host was set after the access of devices.
    host_was_last: bool,
}

impl Mapping {
    /// Returns whether a kernel, a fill or another operation of a device may use the memory.
    fn is_open(&self, device: CUdevice, writes: bool) -> bool {
        self.access.get(device).is_some_and(|may| *may || !writes)
    }

    /// Returns whether a copy by a device may use the memory. Without access of the device, the access of the host
    /// decides (conformance fact V1053).
    fn is_open_for_copies(&self, device: CUdevice, writes: bool) -> bool {
        self.access.get(device).copied().or(self.host_access).is_some_and(|may| may || !writes)
    }
}

/// Returns the first gap of `len` free addresses between sorted ranges.
fn gap(all: Range<u64>, taken: impl Iterator<Item = Range<u64>>, len: u64, align: u64) -> Option<u64> {
    let mut start = all.start.checked_next_multiple_of(align)?;
    for range in taken {
        if start.checked_add(len)? <= range.start {
            return Some(start);
        }
        start = start.max(range.end.checked_next_multiple_of(align)?);
    }
    (start.checked_add(len)? <= all.end).then_some(start)
}

impl Ranges {
    pub(super) fn new(range: Range<u64>, machine: u64, recycle: bool) -> Ranges {
        let (regions, reserved, mappings) = (IdMap::new(), BTreeMap::new(), IdMap::new());
        let wish = FIRST_WISH + machine * WISH_STRIDE;
        Ranges { next: range.start, range, recycle, first_wish: wish, wish, regions, reserved, mappings }
    }

    /// Reserves addresses, at the wished address if it is free. If memory of the host can be mapped, they are addresses
    /// of the process, if possible. Returns `None` if there are not enough.
    pub(crate) fn reserve(&mut self, len: u64, align: u64, wish: u64, maps_host: bool) -> Option<u64> {
        let align = align.max(PAGE);
        let is_wish = wish != 0 && wish.is_multiple_of(align);
        let wished = is_wish.then(|| self.grant(wish, len, maps_host)).flatten();
        let in_process = |ranges: &mut Ranges| {
            let found = maps_host.then(|| ranges.place(len, align, true))?;
            found.or_else(|| ranges.extend_in_process(len, align))
        };
        let start = wished.or_else(|| in_process(self));
        let start = start.or_else(|| self.place(len, align, false)).or_else(|| self.extend(len, align))?;
        let end = start + len;
        if let Some((_, region)) = self.regions.at_or_before_mut(start) {
            // A page is left free, so that an overrun is detected.
            region.next = region.next.max(end + PAGE);
        }
        self.reserved.insert(start, len);
        Some(start)
    }

    /// Returns whether certain addresses can be reserved. Creates a region if they need one.
    fn grant(&mut self, start: u64, len: u64, maps_host: bool) -> Option<u64> {
        let end = start.checked_add(len)?;
        let inside = |(region, known): (u64, &Region)| start >= region && end <= known.end(region);
        if !self.regions.at_or_before(start).is_some_and(inside) {
            let apart = self.regions.before(end).is_none_or(|(at, known)| known.end(at) <= start);
            if !apart {
                return None;
            }
            if maps_host && end < super::FIRST_ADDRESS {
                self.add_region_in_process(start, len, PAGE, true)?;
            } else if start < self.range.start || end > self.range.end {
                return None;
            } else {
                self.add_region(start, len)?;
            }
        }
        let apart = self.reserved.range(..end).next_back().is_none_or(|(known, len)| known + len <= start);
        apart.then_some(start)
    }

    fn add_region(&mut self, start: u64, len: u64) -> Option<()> {
        self.regions.insert(start, Region { window: Window::new(len)?, in_process: None, next: start });
        self.next = self.next.max(start + len + PAGE);
        Some(())
    }

    /// Creates a region at addresses of the process, at the wished address if it is free. Returns its start. Returns
    /// `None` if the region has to be at that address and cannot be there.
    fn add_region_in_process(&mut self, wish: u64, len: u64, align: u64, only_there: bool) -> Option<u64> {
        let window = Window::new(len)?;
        // Two regions never touch, because no copy could use memory of both.
        let in_process = Window::for_program(wish, len.checked_add(PAGE)?, align)?;
        let span = in_process.span();
        if only_there && span.start != wish || span.end > super::FIRST_ADDRESS {
            return None;
        }
        self.regions.insert(span.start, Region { window, in_process: Some(in_process), next: span.start });
        Some(span.start)
    }

    /// Creates a region at addresses of the process. Returns its start.
    fn extend_in_process(&mut self, len: u64, align: u64) -> Option<u64> {
        if align > END_OF_WISHES {
            return None;
        }
        let len = len.max(REGION);
        let end = self.wish.checked_next_multiple_of(align)?.checked_add(len)?;
        // New addresses as long as possible, so that stale addresses are detected.
        let wish = if self.recycle || end > END_OF_WISHES { self.first_wish } else { self.wish };
        let wish = wish.next_multiple_of(align);
        // Addresses that a machine has left mapped at its end are not free.
        let step = len.checked_add(PAGE)?.checked_next_multiple_of(align)?;
        let wishes = (0..WISHES).map(|number| wish.saturating_add(step.saturating_mul(number)));
        let mut possible = wishes.take_while(|wish| wish.saturating_add(len) <= END_OF_WISHES);
        let wished = possible.find_map(|wish| self.add_region_in_process(wish, len, align, true));
        let start = wished.or_else(|| self.add_region_in_process(wish, len, align, false))?;
        self.wish = wished.unwrap_or(wish) + len + PAGE;
        Some(start)
    }

    /// Returns a free place in an existing region.
    fn place(&self, len: u64, align: u64, in_process: bool) -> Option<u64> {
        let mut fitting = self.regions.iter().filter(|(_, region)| region.in_process.is_some() == in_process);
        fitting.find_map(|(start, region)| {
            let all = start..region.end(start);
            if self.recycle {
                let taken = self.reserved.range(all.clone()).map(|(start, len)| *start..start + len + PAGE);
                return gap(all, taken, len, align);
            }
            let first = region.next.checked_next_multiple_of(align)?;
            (first.checked_add(len)? <= all.end).then_some(first)
        })
    }

    /// Creates a region. Returns its start.
    fn extend(&mut self, len: u64, align: u64) -> Option<u64> {
        let len = len.max(REGION);
        let taken = || self.regions.iter().map(|(start, region)| start..region.end(start) + PAGE);
        let above = if self.recycle { self.range.end } else { self.next.min(self.range.end) };
        let start = gap(above..self.range.end, core::iter::empty(), len, align);
        let start = start.or_else(|| gap(self.range.clone(), taken(), len, align))?;
        self.add_region(start, len)?;
        Some(start)
    }

    /// Releases a whole reservation, if nothing is mapped there. Returns `None` if it is not one.
    pub(crate) fn unreserve(&mut self, start: u64, len: u64) -> Option<()> {
        let is_used = self.mappings.range(start..start.checked_add(len)?).next().is_some();
        if self.reserved.get(&start) != Some(&len) || is_used {
            return None;
        }
        self.reserved.remove(&start);
        let (region, end) = self.region(start).map(|(at, region)| (at, region.end(at)))?;
        if self.reserved.range(region..end).next().is_none() {
            self.regions.remove(region);
        }
        Some(())
    }

    /// Returns whether an address can be in a reservation now.
    pub(crate) fn contains(&self, address: u64) -> bool {
        self.region(address).is_some()
    }

    fn region(&self, address: u64) -> Option<(u64, &Region)> {
        let (start, region) = self.regions.at_or_before(address)?;
        (address < region.end(start)).then_some((start, region))
    }

    /// Returns the reservation that contains an address: its start, and its length.
    pub(crate) fn reservation(&self, address: u64) -> Option<(u64, u64)> {
        let (start, len) = self.reserved.range(..=address).next_back()?;
        (address - start < *len).then_some((*start, *len))
    }

    /// Returns whether every address of a range is reserved, by one or several reservations.
    fn are_reserved(&self, range: &Range<u64>) -> bool {
        let mut at = range.start;
        while at < range.end {
            let Some((start, len)) = self.reservation(at) else { return false };
            at = start + len;
        }
        true
    }

    /// Returns the mapping that contains an address, and its start.
    pub(crate) fn mapping(&self, address: u64) -> Option<(u64, &Mapping)> {
        let (start, mapping) = self.mappings.at_or_before(address)?;
        (address - start < mapping.len).then_some((start, mapping))
    }

    /// Returns the lengths of all reservations.
    pub(crate) fn reservations(&self) -> impl Iterator<Item = u64> {
        self.reserved.values().copied()
    }

    /// Returns the mappings that together form exactly a range, or `None` if there are none.
    fn whole(&self, range: &Range<u64>) -> Option<Vec<u64>> {
        let mut at = range.start;
        let mut starts = Vec::new();
        while at < range.end {
            starts.push(at);
            at += self.mappings.get(at)?.len;
        }
        (at == range.end).then_some(starts)
    }

    /// Returns the memory of the mappings that together form exactly a range.
    pub(crate) fn owners(&self, range: &Range<u64>) -> Option<Vec<Handle>> {
        let starts = self.whole(range)?;
        Some(starts.iter().filter_map(|start| self.mappings.get(*start)).map(|found| found.memory).collect())
    }

    /// Returns whether each byte of a range is mapped, and each mapping fits a condition.
    fn all(&self, address: u64, len: u64, fits: impl Fn(&Mapping) -> bool) -> bool {
        let Some(end) = address.checked_add(len) else { return false };
        let mut at = address;
        loop {
            let Some((start, mapping)) = self.mapping(at) else { return false };
            if !fits(mapping) {
                return false;
            }
            at = start + mapping.len;
            if at >= end {
                return true;
            }
        }
    }

    /// Returns whether each byte of a range is mapped.
    pub(crate) fn covers(&self, address: u64, len: u64) -> bool {
        self.all(address, len, |_| true)
    }

    /// Returns whether a device has access to each byte of a range.
    pub(crate) fn are_open(&self, address: u64, len: u64, device: CUdevice, writes: bool) -> bool {
        self.all(address, len, |mapping| mapping.is_open(device, writes))
    }

    /// Returns whether a copy by a device may use each byte of a range.
    pub(crate) fn are_open_for_copies(&self, address: u64, len: u64, device: CUdevice, writes: bool) -> bool {
        self.all(address, len, |mapping| mapping.is_open_for_copies(device, writes))
    }

    /// Returns the access of the host at an address: `Some(true)` if it may also write.
    pub(crate) fn host_access(&self, address: u64) -> Option<bool> {
        self.mapping(address).and_then(|(_, mapping)| mapping.host_access)
    }

    /// Returns whether a range goes over a border into memory to which the host has access, which was set last.
    pub(crate) fn goes_on_in_host_access(&self, address: u64, len: u64) -> bool {
        let Some(end) = address.checked_add(len) else { return false };
        let is_closed = |mapping: &Mapping| mapping.host_access.is_some() && mapping.host_was_last;
        self.mapping(address).is_some()
            && self.mappings.range(address + 1..end).any(|(_, mapping)| is_closed(mapping))
    }

    /// Sets the access of the host to a range of whole mappings, whose stores are given in order. Returns `None` if the
    /// system refuses. Some mappings may have the access then.
    pub(crate) fn set_host_access(
        &mut self,
        range: &Range<u64>,
        stores: &[Arc<Store>],
        access: Option<bool>,
    ) -> Option<()> {
        for (start, store) in self.whole(range)?.into_iter().zip(stores) {
            let mapping = self.mappings.get_mut(start)?;
            if access.is_none() && mapping.host_access.is_none() {
                continue;
            }
            let (region, at) =
                self.regions.at_or_before_mut(start).map(|(at, region)| (region, start - at))?;
            let window = region.in_process.as_mut()?;
            match access {
                None => window.hide(at, store.len()),
                Some(false) => window.show_read_only(at, store),
                Some(true) => window.show(at, store),
            }?;
            mapping.host_was_last |= mapping.host_access != access;
            mapping.host_access = access;
        }
        Some(())
    }

    /// Returns the access of a device at an address: `Some(true)` if it may also write.
    pub(crate) fn access(&self, address: u64, device: CUdevice) -> Option<bool> {
        self.mapping(address).and_then(|(_, mapping)| mapping.access.get(device).copied())
    }

    /// Sets the access of a device to a range: none, read, or read and write. Returns `None` if the range does not
    /// consist of whole mappings.
    pub(crate) fn set_access(
        &mut self,
        range: &Range<u64>,
        device: CUdevice,
        access: Option<bool>,
    ) -> Option<()> {
        for start in self.whole(range)? {
            let Some(mapping) = self.mappings.get_mut(start) else { continue };
            let before = match access {
                Some(writes) => mapping.access.insert(device, writes),
                None => mapping.access.remove(device),
            };
            mapping.host_was_last &= before == access;
        }
        Some(())
    }

    /// Returns the host bytes of a range, if each byte is mapped.
    pub(super) fn bytes(&self, address: u64, len: u64) -> Option<*mut u8> {
        let (start, region) = self.region(address)?;
        let inside = address.checked_add(len)? <= region.end(start) && self.covers(address, len);
        inside.then(|| region.window.at(address - start))
    }

    /// Returns the memory that kernels of a device can access. Adjacent mappings count as one.
    pub(crate) fn reachable(&self, device: CUdevice) -> Vec<Reachable> {
        let mut reachable: Vec<Reachable> = Vec::new();
        for (base, mapping) in self.mappings.iter() {
            let Some(writes) = mapping.access.get(device) else { continue };
            let Some((start, region)) = self.region(base) else { continue };
            let (bytes, read_only) = (region.window.at(base - start), !writes);
            match reachable.last_mut() {
                Some(last)
                    if last.base + last.len == base
                        && last.bytes.wrapping_add(last.len as usize) == bytes
                        && last.read_only == read_only =>
                {
                    last.len += mapping.len;
                }
                _ => reachable.push(Reachable { base, len: mapping.len, bytes, read_only }),
            }
        }
        reachable
    }

    /// Leaves the addresses of the process reserved and mapped until the process ends.
    pub(super) fn keep_mapped(&mut self) {
        for (_, region) in self.regions.drain() {
            let _kept = core::mem::ManuallyDrop::new(region.in_process);
        }
    }

    /// Returns the host addresses of all regions.
    pub(super) fn spans(&self) -> impl Iterator<Item = Range<u64>> {
        let windows =
            |region: &Region| [Some(region.window.span()), region.in_process.as_ref().map(Window::span)];
        self.regions.values().flat_map(windows).flatten()
    }
}

/// Reason why memory cannot be mapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unmappable {
    /// Addresses that are not reserved, or mapped already.
    Addresses,
    /// Addresses outside of the process, for memory of the host.
    OutsideProcess,
    /// Refusal by the system.
    System,
}

impl Heap {
    /// Maps a whole store. No device has access yet, and the host has none either.
    pub(crate) fn map_store(
        &mut self,
        address: u64,
        (memory, store): (Handle, &Store),
        (device, on_host): (CUdevice, bool),
    ) -> Result<(), Unmappable> {
        let len = store.len();
        let ranges = &mut self.ranges;
        let end = address.checked_add(len).ok_or(Unmappable::Addresses)?;
        let is_inside = ranges.reservation(address).is_some_and(|(start, size)| end <= start + size);
        let before = ranges.mappings.before(end);
        if !is_inside || before.is_some_and(|(start, mapping)| start + mapping.len > address) {
            return Err(Unmappable::Addresses);
        }
        let region = ranges.regions.at_or_before_mut(address);
        let (start, region) = region.ok_or(Unmappable::Addresses)?;
        if on_host && region.in_process.is_none() {
            return Err(Unmappable::OutsideProcess);
        }
        region.window.show(address - start, store).ok_or(Unmappable::System)?;
        let mapping = Mapping { len, memory, access: IdMap::new(), host_access: None, host_was_last: false };
        ranges.mappings.insert(address, mapping);
        self.note(address, (len, len), (device, Handle::NULL), Kind::Mapped { on_host });
        if let Some(order) = self.order.as_ref().filter(|_| !on_host) {
            order.note_mapped(address, len);
        }
        Ok(())
    }

    /// Unmaps everything in a range. Returns each memory as often as it was mapped. Returns `None` if the range is not
    /// reserved, or cuts through a mapping.
    pub(crate) fn unmap_stores(&mut self, range: &Range<u64>) -> Option<Vec<Handle>> {
        let ranges = &mut self.ranges;
        let is_cut = |at: u64| ranges.mapping(at).is_some_and(|(start, _)| start != at);
        if !ranges.are_reserved(range) || is_cut(range.start) || is_cut(range.end) {
            return None;
        }
        let starts: Vec<u64> = ranges.mappings.range(range.clone()).map(|(start, _)| start).collect();
        let mut unmapped = Vec::with_capacity(starts.len());
        for start in starts {
            if let Some(mapping) = ranges.mappings.remove(start) {
                unmapped.push(mapping.memory);
                if let Some((at, region)) = ranges.regions.at_or_before_mut(start) {
                    // If the system refuses, the bytes stay mapped and unused.
                    let _ = region.window.hide(start - at, mapping.len);
                    if let Some(window) = region.in_process.as_mut().filter(|_| mapping.host_access.is_some())
                    {
                        let _ = window.hide(start - at, mapping.len);
                    }
                }
                if let Some(order) = &self.order {
                    order.note_unmapped(start);
                }
            }
            self.allocations.remove(start);
        }
        Some(unmapped)
    }

    /// Takes memory of a device for a store. Returns whether there is enough.
    pub(crate) fn take(&mut self, device: CUdevice, len: u64) -> bool {
        if len > self.free_bytes(device) {
            self.release_unused(device);
        }
        let is_enough = len <= self.free_bytes(device);
        self.note_shortage(device, len, self.free_bytes(device));
        if is_enough && let Some(heap) = self.devices.get_mut(device as usize) {
            heap.used += len;
        }
        is_enough
    }

    /// Returns memory that was [taken](Heap::take).
    pub(crate) fn give_back(&mut self, device: CUdevice, len: u64) {
        if let Some(heap) = self.devices.get_mut(device as usize) {
            heap.used = heap.used.saturating_sub(len);
        }
    }
}
