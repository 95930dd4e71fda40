//! Teams of devices, and the memory of each device that is bound to their object.

use crate::driver::handles::Handle;
use crate::driver::memory::pages::PAGE;
use crate::driver::{Answer, State};
use core::ops::Range;
use cuda_sys::{CUdevice, CUdeviceptr, CUmemGenericAllocationHandle, CUresult};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const NOT_SUPPORTED: CUresult = CUresult::CUDA_ERROR_NOT_SUPPORTED;

pub(crate) struct Team {
    /// Size that can be bound on each device, in bytes.
    pub(crate) size: u64,
    /// Intended number of devices.
    count: u32,
    devices: Vec<CUdevice>,
    bindings: Vec<Binding>,
}

struct Binding {
    device: CUdevice,
    /// Part of the object.
    range: Range<u64>,
    memory: Handle,
}

/// Returns a range of whole pages.
pub(crate) fn pages(start: u64, size: u64) -> Answer<Range<u64>> {
    let end = start.checked_add(size).ok_or(INVALID)?;
    let is_whole = start.is_multiple_of(PAGE) && size.is_multiple_of(PAGE) && size > 0;
    if is_whole { Ok(start..end) } else { Err(INVALID) }
}

impl Team {
    pub(crate) fn new(size: u64, count: u32) -> Team {
        Team { size, count, devices: Vec::new(), bindings: Vec::new() }
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.devices.len() >= self.count as usize
    }

    pub(crate) fn add(&mut self, device: CUdevice) -> Answer {
        if self.devices.contains(&device) || self.is_complete() {
            return Err(INVALID);
        }
        self.devices.push(device);
        Ok(())
    }

    /// Binds memory of a named device, or of the memory's own device.
    pub(crate) fn bind(
        &mut self,
        device: Option<CUdevice>,
        range: Range<u64>,
        (memory, owner): (Handle, CUdevice),
    ) -> Answer {
        let is_taken = |binding: &Binding| {
            binding.device == owner && binding.range.start < range.end && range.start < binding.range.end
        };
        if device.is_some_and(|device| device != owner) || !self.devices.contains(&owner) {
            return Err(CUresult::CUDA_ERROR_INVALID_DEVICE);
        }
        if range.end > self.size || self.bindings.iter().any(is_taken) {
            return Err(INVALID);
        }
        if !self.is_complete() {
            return Err(NOT_SUPPORTED);
        }
        self.bindings.push(Binding { device: owner, range, memory });
        Ok(())
    }

    /// Unbinds a range and returns its memory. The range must be that of one call that bound it.
    pub(crate) fn unbind(&mut self, device: CUdevice, range: &Range<u64>) -> Answer<Handle> {
        let found =
            self.bindings.iter().position(|binding| binding.device == device && binding.range == *range);
        Ok(self.bindings.swap_remove(found.ok_or(INVALID)?).memory)
    }

    /// Returns all bound memory.
    pub(crate) fn into_memories(self) -> impl Iterator<Item = Handle> {
        self.bindings.into_iter().map(|binding| binding.memory)
    }
}

impl State {
    /// Returns a part of some memory, by its handle: the memory, and its device.
    pub(crate) fn part_of_memory(
        &self,
        memory: CUmemGenericAllocationHandle,
        offset: u64,
        size: u64,
    ) -> Answer<(Handle, CUdevice)> {
        let part = pages(offset, size)?;
        let found = self.memory(memory)?;
        if part.end > found.store.len() || found.on_host {
            return Err(INVALID);
        }
        Ok((Handle(memory), found.device))
    }

    /// Returns the memory that is mapped at an address, and its device. Memory of pools is not simulated here.
    pub(crate) fn memory_at(&self, address: CUdeviceptr, size: u64) -> Answer<(Handle, CUdevice)> {
        let wanted = pages(address, size)?;
        let Some((start, mapping)) = self.heap.ranges.mapping(address) else {
            return Err(if self.heap.holding(address, 1).is_some() { NOT_SUPPORTED } else { INVALID });
        };
        let found = self.memories.get(mapping.memory).ok_or(INVALID)?;
        if wanted.end > start + found.store.len() || found.on_host {
            return Err(INVALID);
        }
        Ok((mapping.memory, found.device))
    }

    /// Records that memory is bound once more. [`count_mapping_out`](State::count_mapping_out) records the end.
    pub(crate) fn count_binding_in(&mut self, memory: Handle) {
        if let Some(memory) = self.memories.get_mut(memory) {
            memory.mappings += 1;
        }
    }
}
