//! The allocation that an access probably intended, in words.

use super::FIRST_DEVICE_ADDRESS;
use crate::driver::State;
use crate::driver::memory::address_ranges;
use crate::driver::memory::heap::{Allocation, Kind};
use crate::driver::memory::malloc_heap::Block;
use crate::reports::{ReportKind, ReportedMemory};
use cuda_sys::CUdevice;

/// Smallest distance, in bytes, at which an allocation is too far from an address to be named.
const NEAR: u64 = 1 << 30;
/// Smallest distance, in bytes, at which an access is not regarded as an overrun of an allocation.
const NEXT_TO: u64 = 4096;
/// Addresses below this limit come from null pointers.
const NULL_PAGE: u64 = 4096;

/// Allocation, and its relation to an address.
pub(super) struct Nearest {
    pub(super) kind: ReportKind,
    pub(super) memory: Option<ReportedMemory>,
    pub(super) notes: Vec<String>,
}

/// Formats a number of bytes.
pub(super) fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

/// Formats the position of an object that begins `offset` bytes inside another object.
pub(super) fn inside_of(offset: u64) -> String {
    if offset == 0 { "at the start of".to_owned() } else { format!("{} into", bytes(offset)) }
}

/// Formats the position of an object that begins `distance` bytes past the end of another object.
pub(super) fn past(distance: u64) -> String {
    if distance == 0 { "right after".to_owned() } else { format!("{} past the end of", bytes(distance)) }
}

/// Returns the position of an address outside of an allocation, and its distance.
fn distance(found: &Allocation, address: u64) -> (u64, String) {
    let end = found.base.saturating_add(found.size);
    match address.checked_sub(end) {
        Some(distance) => (distance, past(distance)),
        None => {
            let before = found.base.saturating_sub(address);
            (before, format!("{} before the start of", bytes(before)))
        }
    }
}

impl State {
    fn described(&self, found: &Allocation) -> ReportedMemory {
        ReportedMemory {
            what: self.memory_name(found.kind, found.base),
            base: found.base,
            size: found.size,
            made_by: found.made_by.call(),
            freed_by: found.freed_by.call(),
        }
    }

    /// Returns the allocation that a kernel of a device probably intended with an access to `size` bytes at an address.
    pub(super) fn nearest(&self, address: u64, size: u64, device: CUdevice) -> Nearest {
        let offset = self.host_offset(device);
        let is_alias = offset != 0 && (offset..FIRST_DEVICE_ADDRESS).contains(&address);
        let address = if is_alias { address - offset } else { address };
        if let Some(found) = self.heap.at(address) {
            return self.inside(found, address, size, device);
        }
        if let Some(heap) = self.heap.malloc_heap_at(address) {
            return Self::near_block(heap.block_before(address), address, size);
        }
        let [before, after] = self.heap.around(address);
        let beside = [before, after].into_iter().flatten().map(|found| (distance(found, address), found));
        let beside = beside.min_by_key(|((distance, _), _)| *distance);
        // If an address was allocated again, the later allocation counts.
        let is_stale = |freed: &&Allocation| before.is_none_or(|before| before.base < freed.base);
        if let Some(freed) = self.heap.freed_at(address).filter(is_stale) {
            let memory = self.described(freed);
            let mut notes = vec![format!("inside {memory}")];
            // If the address is just after other memory, an overrun of that memory is as probable.
            if let Some(found) = before {
                let (distance, place) = distance(found, address);
                if distance < NEXT_TO {
                    notes.push(format!("also {place} {}", self.described(found)));
                }
            }
            return Nearest { kind: ReportKind::UseAfterFree, memory: Some(memory), notes };
        }
        let kind = ReportKind::OutOfBounds;
        if address < NULL_PAGE {
            let note = match address {
                0 => "the pointer is null".to_owned(),
                offset => format!("{} past a null pointer", bytes(offset)),
            };
            return Nearest { kind, memory: None, notes: vec![note] };
        }
        let is_beside = beside.as_ref().is_some_and(|((distance, _), _)| *distance < NEXT_TO);
        let mappings = || address_ranges::of_process().unwrap_or_default();
        if !is_beside
            && address < FIRST_DEVICE_ADDRESS
            && !self.heap.ranges.contains(address)
            && mappings().iter().any(|mapping| mapping.range.contains(&address))
        {
            let note = "a host address: kernels can access host memory only if it is page-locked or managed";
            return Nearest { kind, memory: None, notes: vec![note.to_owned()] };
        }
        match beside.filter(|((distance, _), _)| *distance < NEAR) {
            Some(((_, place), found)) => {
                let memory = self.described(found);
                let notes = vec![format!("{place} {memory}")];
                Nearest { kind, memory: Some(memory), notes }
            }
            None => Nearest { kind, memory: None, notes: vec!["no allocation is near".to_owned()] },
        }
    }

    /// Returns the block that an access to an address in the heap of device `malloc` probably intended.
    fn near_block(block: Option<Block>, address: u64, size: u64) -> Nearest {
        let Some(block) = block else {
            let note = "in the heap of malloc, before its first block".to_owned();
            return Nearest { kind: ReportKind::OutOfBounds, memory: None, notes: vec![note] };
        };
        let memory = ReportedMemory {
            what: "memory of malloc in a kernel".to_owned(),
            base: block.base,
            size: block.size,
            made_by: None,
            freed_by: None,
        };
        let inside = address - block.base;
        let (kind, note) = match block.size.checked_sub(inside) {
            Some(left) if left > 0 && block.is_freed => {
                (ReportKind::UseAfterFree, format!("inside {memory}"))
            }
            Some(left) if left > 0 && left < size => {
                let note = format!("the last {} are past the end of {memory}", bytes(size - left));
                (ReportKind::OutOfBounds, note)
            }
            Some(left) if left > 0 => (ReportKind::NoAccess, format!("{} {memory}", inside_of(inside))),
            _ => (ReportKind::OutOfBounds, format!("{} {memory}", past(inside - block.size))),
        };
        Nearest { kind, memory: Some(memory), notes: vec![note] }
    }

    /// Returns the position of an address in an allocation that holds or held it, and the allocation.
    pub(super) fn location_in_memory(&self, address: u64) -> Option<(String, ReportedMemory)> {
        if let Some(heap) = self.heap.malloc_heap_at(address) {
            let Nearest { memory, notes, .. } = Self::near_block(heap.block_before(address), address, 1);
            return notes.into_iter().next().zip(memory);
        }
        let found = self.heap.at(address).or_else(|| self.heap.freed_at(address))?;
        let memory = self.described(found);
        Some((format!("{} {memory}", inside_of(address - found.base)), memory))
    }

    /// Returns the relation of an access to the allocation that contains its address.
    fn inside(&self, found: &Allocation, address: u64, size: u64, device: CUdevice) -> Nearest {
        let memory = self.described(found);
        let inside = address - found.base;
        let left = found.size - inside;
        let (kind, note) = if left < size {
            let past = size - left;
            (ReportKind::OutOfBounds, format!("the last {} are past the end of {memory}", bytes(past)))
        } else if found.is_freed {
            (ReportKind::UseAfterFree, format!("inside {memory}"))
        } else {
            let reason = match found.kind {
                Kind::Managed { .. } => "kernels of this stream may not use it",
                Kind::Mapped { .. } => "cuMemSetAccess has given the device no access",
                _ if found.device != device => "the contexts have no peer access",
                _ => "",
            };
            let is_elsewhere = found.device != device && found.kind != Kind::Mapped { on_host: true };
            let owner = if is_elsewhere { format!(" of device {}", found.device) } else { String::new() };
            let reason = if reason.is_empty() { String::new() } else { format!("; {reason}") };
            let note = format!("{} {memory}{owner}{reason}", inside_of(inside));
            (ReportKind::NoAccess, note)
        };
        Nearest { kind, memory: Some(memory), notes: vec![note] }
    }
}
