//! The memory that kernels of a context can access.

use crate::collections::IdSet;
use crate::driver::handles::Handle;
use crate::driver::memory::address_ranges::{self, Mapping};
use crate::driver::memory::heap::{Allocation, Kind, Reachable};
use crate::driver::operations::StreamId;
use crate::driver::{Answer, State};
use core::ops::Range;
use core::ptr::with_exposed_provenance_mut;
use cuda_sim_engine::Segment;
use cuda_sys::{
    CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS_enum as Access, CUdevice, CUdevice_attribute_enum as Attribute,
    CUresult,
};

impl State {
    /// Returns the memory that kernels of a stream can access. This is the device's own memory, plain memory of peers
    /// with access, accessible pools, page-locked and managed memory. If the device can access all memory of the host,
    /// that is included.
    pub(crate) fn segments(&self, device: CUdevice, stream: StreamId) -> Vec<Segment> {
        let peers = self.contexts_reached_from(device);
        let segment = |memory: Reachable, offset: u64| Segment {
            base: memory.base + offset,
            len: memory.len,
            bytes: memory.bytes,
            read_only: memory.read_only,
        };
        let mut segments = Vec::new();
        self.heap.visit_mapped(device, &peers, |memory| segments.push(segment(memory, 0)));
        segments.extend(self.heap.ranges.reachable(device).into_iter().map(|memory| segment(memory, 0)));
        let offset = self.host_offset(device);
        let locked = self.heap.page_locked();
        segments.extend(locked.iter().map(|memory| segment(*memory, offset)));
        if self.has_managed(device) {
            let managed = self.heap.managed.reachable(stream, self.shares_managed(device));
            segments.extend(managed.into_iter().map(|memory| segment(memory, 0)));
        }
        if self.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) != 0 {
            // Page-locked memory is also memory of the host, at its host address if the two differ.
            if offset != 0 {
                segments.extend(locked.iter().map(|memory| segment(*memory, 0)));
            }
            let mappings = address_ranges::of_process().unwrap_or_default();
            let locked = locked.iter().map(|memory| memory.base..memory.base + memory.len);
            let known: Vec<Range<u64>> = locked.chain(self.heap.backings()).collect();
            for read_only in [false, true] {
                let wanted = |mapping: &&Mapping| mapping.readable && mapping.writable != read_only;
                let ranges = mappings.iter().filter(wanted).map(|mapping| mapping.range.clone()).collect();
                let others = address_ranges::without(ranges, known.clone());
                segments.extend(in_whole_cells(others).map(|range| Segment {
                    base: range.start,
                    len: range.end - range.start,
                    bytes: with_exposed_provenance_mut(range.start as usize),
                    read_only,
                }));
            }
        }
        segments
    }
}

impl State {
    /// Returns the access of kernels of a device to memory, as the driver reports it: none, read, or read and write.
    pub(crate) fn access(&self, device: CUdevice, found: &Allocation) -> Access {
        let is_reached = match found.kind {
            Kind::Registered { read_only: true, .. } => {
                return Access::CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ;
            }
            Kind::Host { .. } | Kind::Registered { .. } => true,
            Kind::Managed { .. } => self.has_managed(device),
            // This includes devices without access to the pool (measured).
            Kind::Pool(_)
            | Kind::Plain
            | Kind::Variable
            | Kind::Array
            | Kind::MallocHeap
            | Kind::Opened
            | Kind::External { .. }
            | Kind::Graph => true,
            Kind::Mapped { .. } => match self.heap.ranges.access(found.base, device) {
                Some(false) => return Access::CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ,
                access => access.is_some(),
            },
        };
        if is_reached {
            Access::CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE
        } else {
            Access::CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE
        }
    }

    /// Returns whether a device has access to memory of a pool.
    pub(crate) fn reaches_pool(&self, device: CUdevice, found: &Allocation) -> bool {
        self.heap.pool_of(found.base).is_some_and(|pool| self.heap.pool_reaches(pool, device))
    }

    /// Checks that fills and operations of a device may use memory, for memory whose access belongs to devices
    /// (measured).
    pub(crate) fn check_reach(&self, device: CUdevice, address: u64, len: u64, writes: bool) -> Answer {
        let is_open = || self.heap.ranges.are_open(address, len, device, writes);
        self.check_reach_if(device, address, len, is_open)
    }

    /// Checks the same for copies, which also use memory of the host to which only the host has access.
    pub(crate) fn check_copy_reach(&self, device: CUdevice, address: u64, len: u64, writes: bool) -> Answer {
        let is_open = || self.heap.ranges.are_open_for_copies(address, len, device, writes);
        self.check_reach_if(device, address, len, is_open)
    }

    fn check_reach_if(
        &self,
        device: CUdevice,
        address: u64,
        len: u64,
        is_mapped_open: impl Fn() -> bool,
    ) -> Answer {
        let is_open = self.heap.holding(address, len).is_none_or(|found| match found.kind {
            Kind::Pool(_) => self.reaches_pool(device, found),
            Kind::Mapped { .. } => is_mapped_open(),
            _ => true,
        });
        if is_open { Ok(()) } else { Err(CUresult::CUDA_ERROR_INVALID_VALUE) }
    }

    /// Checks the same as [`check_reach`](State::check_reach) when the work is done. Other code checks that the memory
    /// is mapped. Access that was revoked meanwhile is a sticky error (measured).
    pub(crate) fn check_still_open(&self, device: CUdevice, address: u64, len: u64, writes: bool) -> Answer {
        let ranges = &self.heap.ranges;
        if ranges.covers(address, len) && !ranges.are_open(address, len, device, writes) {
            return Err(CUresult::CUDA_ERROR_LAUNCH_FAILED);
        }
        self.check_pool_still_open(device, address, len)
    }

    /// Checks that a device still has access to memory, if it is of a pool (conformance fact V1175).
    fn check_pool_still_open(&self, device: CUdevice, address: u64, len: u64) -> Answer {
        let found = self.heap.holding(address, len);
        let is_lost = found.is_some_and(|found| {
            matches!(found.kind, Kind::Pool(_))
                && self.heap.pool_of(found.base).is_some_and(|pool| !self.heap.pool_reaches(pool, device))
        });
        if is_lost { Err(CUresult::CUDA_ERROR_LAUNCH_FAILED) } else { Ok(()) }
    }

    /// Checks the same as [`check_copy_reach`](State::check_copy_reach) when the copy is done.
    pub(crate) fn check_copy_still_open(
        &self,
        device: CUdevice,
        address: u64,
        len: u64,
        writes: bool,
    ) -> Answer {
        let ranges = &self.heap.ranges;
        if ranges.covers(address, len) && !ranges.are_open_for_copies(address, len, device, writes) {
            return Err(CUresult::CUDA_ERROR_LAUNCH_FAILED);
        }
        self.check_pool_still_open(device, address, len)
    }

    /// Returns whether a device supports managed memory.
    pub(crate) fn has_managed(&self, device: CUdevice) -> bool {
        self.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY) != 0
    }

    /// Returns whether the device and the host may use managed memory at the same time.
    pub(crate) fn shares_managed(&self, device: CUdevice) -> bool {
        self.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS) != 0
    }

    /// Returns the contexts of other devices to which any context of this one has peer access. Kernels of all contexts
    /// of the device can access their memory, until the last context with peer access is destroyed or disables it
    /// (measured).
    fn contexts_reached_from(&self, device: CUdevice) -> IdSet<Handle> {
        let own = self.contexts.iter().filter(|(_, context)| context.device == device);
        own.flat_map(|(_, context)| context.peers.keys()).collect()
    }
}

/// Reduces ranges to whole cells of eight bytes. A cell across a border belongs to neither side.
fn in_whole_cells(ranges: Vec<Range<u64>>) -> impl Iterator<Item = Range<u64>> {
    let aligned = ranges.into_iter().map(|range| range.start.next_multiple_of(8)..range.end & !7);
    aligned.filter(|range| range.start < range.end)
}
