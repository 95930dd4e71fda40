//! Virtual memory management: physical memory without an address, reserved addresses without memory, and mappings
//! between them.
//!
//! No function here waits for work. Work that uses memory which is unmapped meanwhile fails, as on hardware.

#![allow(unsafe_code)]

use crate::console::say;
use crate::driver::handles::Handle;
use crate::driver::memory::batch_arguments;
use crate::driver::memory::heap::Unmappable;
use crate::driver::memory::host_page::host_bytes;
use crate::driver::memory::multicast;
use crate::driver::memory::pages::PAGE;
use crate::driver::memory::shared_mapping::Store;
use crate::driver::memory::team;
use crate::driver::rules::since;
use crate::driver::{Answer, Call, State, check_out, put};
use core::ffi::{c_ulonglong, c_void};
use core::ops::Range;
use cuda_sys::{
    CU_MEM_CREATE_USAGE_TILE_POOL, CUdevice, CUdevice_attribute_enum as DeviceAttribute, CUdeviceptr,
    CUmemAccess_flags_enum as Access, CUmemAccessDesc, CUmemAllocationGranularity_flags,
    CUmemAllocationGranularity_flags_enum as Granularity, CUmemAllocationHandleType,
    CUmemAllocationHandleType_enum as HandleType, CUmemAllocationProp,
    CUmemAllocationType_enum as AllocationType, CUmemGenericAllocationHandle, CUmemLocation,
    CUmemLocationType_enum as LocationType, CUresult,
};
use std::sync::Arc;

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Least alignment for which no reservation has room (conformance fact V1216).
const TOO_LARGE_ALIGNMENT: u64 = 1 << 46;
/// Least alignment that is invalid (conformance fact V1216).
const INVALID_ALIGNMENT: u64 = 1 << 58;

/// Physical memory without an address.
pub(crate) struct Memory {
    /// Device that has it; 0 for memory of the host.
    pub(crate) device: CUdevice,
    pub(crate) on_host: bool,
    pub(crate) store: Arc<Store>,
    /// True if this machine has created it, and no other process.
    pub(crate) is_own: bool,
    /// Number of releases of the handle that are due, plus the number of mappings. The memory ends when it is zero.
    pub(crate) references: u64,
    pub(crate) mappings: u64,
    /// Types of handles for sharing it with other processes.
    pub(crate) handle_types: u32,
    /// Requested compression, which has no effect.
    pub(crate) compression: u8,
    pub(crate) rdma: u8,
    /// True for memory that is mapped to parts of arrays instead of addresses.
    pub(crate) is_tile_pool: bool,
}

impl State {
    /// Returns memory whose handle is not released yet.
    pub(crate) fn memory(&self, handle: CUmemGenericAllocationHandle) -> Answer<&Memory> {
        self.memories.get(Handle(handle)).filter(|memory| memory.references > 0).ok_or(INVALID)
    }

    /// Records one more mapping of memory to a part of an array.
    pub(crate) fn count_mapping(&mut self, handle: Handle) {
        if let Some(memory) = self.memories.get_mut(handle) {
            memory.mappings += 1;
        }
    }

    /// Records one mapping less of memory, or one binding to a multicast object less.
    pub(crate) fn count_mapping_out(&mut self, handle: Handle) {
        if let Some(memory) = self.memories.get_mut(handle) {
            memory.mappings -= 1;
        }
        self.end_if_unused(handle);
    }

    fn end_if_unused(&mut self, handle: Handle) {
        let is_used = |memory: &Memory| memory.references > 0 || memory.mappings > 0;
        if self.memories.get(handle).is_none_or(is_used) {
            return;
        }
        if let Some(memory) = self.memories.remove(handle)
            && let (true, false, Some(store)) = (memory.is_own, memory.on_host, Arc::into_inner(memory.store))
        {
            self.heap.give_back(memory.device, store.len());
        }
    }

    /// Returns whether memory of the host can be mapped at reserved addresses.
    fn maps_host_memory(&self) -> bool {
        let attribute = DeviceAttribute::CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
        self.require(since::DEVICE_ATTRIBUTES, attribute.0).is_ok() && self.limit_of(0, attribute) != 0
    }
}

/// Name of the stores of the host's memory.
pub(crate) const HOST_STORE: &str = "memory-host";

/// Returns the name of the store of a device's memory.
pub(crate) fn store_name(device: &str) -> String {
    format!("memory-{device}")
}

/// Returns a range of whole pages.
fn pages(address: CUdeviceptr, size: usize) -> Answer<Range<u64>> {
    team::pages(address, size as u64)
}

/// Returns the granularity, which is the same for all properties (measured).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn granularity(
    _: &mut Call<'_>,
    to: *mut usize,
    prop: *const CUmemAllocationProp,
    option: CUmemAllocationGranularity_flags,
) -> Answer {
    if prop.is_null() || option.0 > Granularity::CU_MEM_ALLOC_GRANULARITY_RECOMMENDED.0 {
        return Err(INVALID);
    }
    // SAFETY: the program's promise.
    unsafe { put(to, PAGE as usize) }
}

fn lacks() -> CUresult {
    say("memory cannot be mapped at addresses of choice on this system");
    CUresult::CUDA_ERROR_NOT_SUPPORTED
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn reserve(
    call: &mut Call<'_>,
    to: *mut CUdeviceptr,
    size: usize,
    alignment: usize,
    wish: CUdeviceptr,
    flags: c_ulonglong,
) -> Answer {
    check_out(to)?;
    let size = pages(0, size)?.end;
    let is_alignment =
        alignment == 0 || alignment.is_power_of_two() && (alignment as u64) < INVALID_ALIGNMENT;
    if flags != 0 || !is_alignment || !wish.is_multiple_of(PAGE) {
        return Err(INVALID);
    }
    if !Store::IS_THERE {
        return Err(lacks());
    }
    if alignment as u64 >= TOO_LARGE_ALIGNMENT {
        return Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY);
    }
    let maps_host = call.state.maps_host_memory();
    let start = call.state.heap.ranges.reserve(size, alignment as u64, wish, maps_host);
    // SAFETY: the program's promise.
    unsafe { put(to, start.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?) }
}

/// Releases a whole reservation in which nothing is mapped.
pub(crate) fn unreserve(call: &mut Call<'_>, address: CUdeviceptr, size: usize) -> Answer {
    call.state.heap.ranges.unreserve(address, size as u64).ok_or(INVALID)
}

/// Returns the device of memory to create, or `None` for memory of the host.
///
/// The host has one NUMA node. Memory of the host without a node has other limits (conformance facts V1050 and V1055).
fn device_of(call: &Call<'_>, prop: &CUmemAllocationProp) -> Answer<Option<CUdevice>> {
    // SAFETY: locations of these kinds hold a number, and all numbers are valid.
    let number = unsafe { prop.location.__bindgen_anon_1.id };
    let flags = &prop.allocFlags;
    let is_plain = flags.compressionType == 0 && flags.gpuDirectRDMACapable == 0;
    let is_host = match prop.location.type_ {
        LocationType::CU_MEM_LOCATION_TYPE_DEVICE => {
            return call.state.device(number).map(|_| Some(number));
        }
        LocationType::CU_MEM_LOCATION_TYPE_HOST => prop.requestedHandleTypes.0 == 0,
        LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA => number == 0,
        _ => false,
    };
    if is_host && is_plain && call.state.maps_host_memory() { Ok(None) } else { Err(INVALID) }
}

/// Returns the types of handles for sharing memory. Unknown types are not checked (measured).
fn handle_types(wanted: CUmemAllocationHandleType) -> Answer<u32> {
    let of_windows = HandleType::CU_MEM_HANDLE_TYPE_WIN32.0 | HandleType::CU_MEM_HANDLE_TYPE_WIN32_KMT.0;
    if wanted.0 & of_windows != 0 {
        return Err(INVALID);
    }
    if wanted.0 & HandleType::CU_MEM_HANDLE_TYPE_FABRIC.0 != 0 {
        // There is no fabric (measured).
        return Err(CUresult::CUDA_ERROR_NOT_PERMITTED);
    }
    Ok(wanted.0 & HandleType::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR.0)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create(
    call: &mut Call<'_>,
    to: *mut CUmemGenericAllocationHandle,
    size: usize,
    prop: *const CUmemAllocationProp,
    flags: c_ulonglong,
) -> Answer {
    check_out(to)?;
    let size = pages(0, size)?.end;
    if prop.is_null() || flags != 0 {
        return Err(INVALID);
    }
    // SAFETY: not null, so valid for a read.
    let prop = unsafe { prop.read() };
    let is_pinned = prop.type_ == AllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
    if !is_pinned || !prop.win32HandleMetaData.is_null() {
        return Err(INVALID);
    }
    let place = device_of(call, &prop)?;
    let (device, on_host) = (place.unwrap_or(0), place.is_none());
    let handle_types = handle_types(prop.requestedHandleTypes)?;
    // Other usages are not checked (measured).
    let is_tile_pool = u32::from(prop.allocFlags.usage) & CU_MEM_CREATE_USAGE_TILE_POOL != 0;
    if is_tile_pool && handle_types != 0 {
        return Err(INVALID);
    }
    let attribute = DeviceAttribute::CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
    if call.state.limit_of(device, attribute) == 0 {
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    if !Store::IS_THERE {
        return Err(lacks());
    }
    let is_enough = if on_host { size <= host_bytes() } else { call.state.heap.take(device, size) };
    if !is_enough {
        return Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY);
    }
    let name = if on_host { HOST_STORE.to_owned() } else { store_name(&call.state.device_name(device)) };
    let Some(store) = Store::new(size, &name) else {
        if !on_host {
            call.state.heap.give_back(device, size);
        }
        return Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY);
    };
    let handle = call.state.memories.insert(Memory {
        device,
        on_host,
        store: Arc::new(store),
        is_own: true,
        references: 1,
        mappings: 0,
        handle_types,
        compression: prop.allocFlags.compressionType,
        rdma: prop.allocFlags.gpuDirectRDMACapable,
        is_tile_pool,
    });
    // SAFETY: the program's promise.
    unsafe { put(to, handle.0) }
}

pub(crate) fn release(call: &mut Call<'_>, handle: CUmemGenericAllocationHandle) -> Answer {
    if multicast::release(call, handle) {
        return Ok(());
    }
    call.state.memory(handle)?;
    let handle = Handle(handle);
    if let Some(memory) = call.state.memories.get_mut(handle) {
        memory.references -= 1;
    }
    call.state.end_if_unused(handle);
    Ok(())
}

/// Returns the handle of mapped memory, which must be released once more. This works even if the handle was released
/// before (measured).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn retain(
    call: &mut Call<'_>,
    to: *mut CUmemGenericAllocationHandle,
    address: *mut c_void,
) -> Answer {
    check_out(to)?;
    let mapping = call.state.heap.ranges.mapping(address.addr() as u64);
    let handle = mapping.map(|(_, mapping)| mapping.memory).ok_or(INVALID)?;
    call.state.memories.get_mut(handle).ok_or(INVALID)?.references += 1;
    // SAFETY: the program's promise.
    unsafe { put(to, handle.0) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn properties(
    call: &mut Call<'_>,
    to: *mut CUmemAllocationProp,
    handle: CUmemGenericAllocationHandle,
) -> Answer {
    let memory = call.state.memory(handle)?;
    let mut prop = CUmemAllocationProp {
        type_: AllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
        requestedHandleTypes: CUmemAllocationHandleType(memory.handle_types),
        ..CUmemAllocationProp::default()
    };
    // Memory of the host is that of its node, even if no node was requested (measured).
    prop.location.type_ = match memory.on_host {
        true => LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA,
        false => LocationType::CU_MEM_LOCATION_TYPE_DEVICE,
    };
    prop.location.__bindgen_anon_1.id = memory.device;
    prop.allocFlags.compressionType = memory.compression;
    prop.allocFlags.gpuDirectRDMACapable = memory.rdma;
    // SAFETY: the program's promise.
    unsafe { put(to, prop) }
}

/// Maps memory, always as a whole (measured).
pub(crate) fn map(
    call: &mut Call<'_>,
    address: CUdeviceptr,
    size: usize,
    offset: usize,
    handle: CUmemGenericAllocationHandle,
    flags: c_ulonglong,
) -> Answer {
    if flags != 0 || size == 0 || !address.is_multiple_of(PAGE) {
        return Err(INVALID);
    }
    if call.state.multicasts.get(Handle(handle)).is_some() {
        say("mappings of multicast objects are not simulated");
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    let memory = call.state.memory(handle)?;
    if memory.is_tile_pool {
        return Err(INVALID);
    }
    if offset != 0 || size as u64 != memory.store.len() {
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    let handle = Handle(handle);
    let (store, place) = (Arc::clone(&memory.store), (memory.device, memory.on_host));
    call.state.heap.map_store(address, (handle, &store), place).map_err(|why| match why {
        Unmappable::Addresses => INVALID,
        Unmappable::OutsideProcess => {
            say("memory of the host is mapped only at addresses of the process, and the system has too few left");
            CUresult::CUDA_ERROR_NOT_SUPPORTED
        }
        Unmappable::System => CUresult::CUDA_ERROR_OUT_OF_MEMORY,
    })?;
    if let Some(memory) = call.state.memories.get_mut(handle) {
        memory.mappings += 1;
    }
    Ok(())
}

/// Unmaps any number of whole mappings. The range may have unmapped parts between them (measured).
pub(crate) fn unmap(call: &mut Call<'_>, address: CUdeviceptr, size: usize) -> Answer {
    let range = pages(address, size)?;
    for handle in call.state.heap.unmap_stores(&range).ok_or(INVALID)? {
        call.state.count_mapping_out(handle);
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_access(
    call: &mut Call<'_>,
    address: CUdeviceptr,
    size: usize,
    wanted: *const CUmemAccessDesc,
    count: usize,
) -> Answer {
    let range = pages(address, size)?;
    // SAFETY: the program's promise.
    let wanted = unsafe { batch_arguments::full_list(wanted, count) }?;
    let wanted: Vec<_> = wanted.iter().map(|wanted| access_of(call, wanted)).collect::<Answer<_>>()?;
    let owners = call.state.heap.ranges.owners(&range).ok_or(INVALID)?;
    for (viewer, access) in &wanted {
        let reaches = |owner: &Handle| {
            let owner = call.state.memories.get(*owner);
            match viewer {
                Viewer::Host => owner.is_some_and(|memory| memory.on_host),
                Viewer::Device(device) => owner.is_none_or(|memory| {
                    memory.on_host
                        || memory.device == *device
                        || call.state.can_access(*device, memory.device)
                }),
            }
        };
        let are_reached = owners.iter().all(reaches);
        match viewer {
            // The host never has access to memory of devices (conformance facts V1052 and V1054).
            Viewer::Host if access.is_some() && !are_reached => {
                return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
            }
            Viewer::Device(_) if access.is_some() && !are_reached => {
                return Err(CUresult::CUDA_ERROR_INVALID_DEVICE);
            }
            _ => {}
        }
    }
    // Access of the host first, because only the system can refuse it.
    let (of_host, of_devices): (Vec<_>, Vec<_>) =
        wanted.into_iter().partition(|(viewer, _)| matches!(viewer, Viewer::Host));
    for (viewer, access) in of_host.into_iter().chain(of_devices) {
        match viewer {
            Viewer::Device(device) => {
                call.state.heap.ranges.set_access(&range, device, access).ok_or(INVALID)?;
            }
            Viewer::Host => {
                let owner = |owner: &Handle| call.state.memories.get(*owner);
                let stores: Vec<_> =
                    owners.iter().filter_map(owner).map(|memory| Arc::clone(&memory.store)).collect();
                let set = call.state.heap.ranges.set_host_access(&range, &stores, access);
                set.ok_or_else(|| {
                    say("the system refuses to map memory of the host for the program");
                    CUresult::CUDA_ERROR_NOT_SUPPORTED
                })?;
            }
        }
    }
    Ok(())
}

/// Device or host whose access is set.
#[derive(Debug, Clone, Copy)]
enum Viewer {
    Device(CUdevice),
    Host,
}

/// Returns the access to set: none, read, or read and write. The host may have any number, and so may its node
/// (conformance facts V1051 and V1054).
fn access_of(call: &Call<'_>, wanted: &CUmemAccessDesc) -> Answer<(Viewer, Option<bool>)> {
    // SAFETY: locations of these kinds hold a number, and all numbers are valid.
    let device = unsafe { wanted.location.__bindgen_anon_1.id };
    let access = match wanted.flags {
        Access::CU_MEM_ACCESS_FLAGS_PROT_NONE => None,
        Access::CU_MEM_ACCESS_FLAGS_PROT_READ => Some(false),
        Access::CU_MEM_ACCESS_FLAGS_PROT_READWRITE => Some(true),
        _ => return Err(INVALID),
    };
    match wanted.location.type_ {
        LocationType::CU_MEM_LOCATION_TYPE_DEVICE if call.state.device(device).is_ok() => {
            Ok((Viewer::Device(device), access))
        }
        LocationType::CU_MEM_LOCATION_TYPE_HOST | LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA => {
            Ok((Viewer::Host, access))
        }
        _ => Err(INVALID),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_access(
    call: &mut Call<'_>,
    to: *mut c_ulonglong,
    location: *const CUmemLocation,
    address: CUdeviceptr,
) -> Answer {
    if location.is_null() || to.is_null() || address == 0 {
        return Err(INVALID);
    }
    // SAFETY: not null, so valid for a read.
    let location = unsafe { location.read() };
    // SAFETY: as above, for every kind of location.
    let device = unsafe { location.__bindgen_anon_1.id };
    let ranges = &call.state.heap.ranges;
    let access = match location.type_ {
        LocationType::CU_MEM_LOCATION_TYPE_HOST | LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA
            if ranges.host_access(address).is_some() =>
        {
            let of_host = ranges.host_access(address);
            // If this device has access, too, the result for the host is the lesser of both (measured).
            let is_host = location.type_ == LocationType::CU_MEM_LOCATION_TYPE_HOST;
            let of_device = ranges.access(address, device).filter(|_| is_host);
            of_host.map(|writes| writes && of_device.unwrap_or(true))
        }
        // If the host has no access, the result is that of the device with this number (measured).
        LocationType::CU_MEM_LOCATION_TYPE_DEVICE | LocationType::CU_MEM_LOCATION_TYPE_HOST => {
            call.state.device(device)?;
            ranges.access(address, device)
        }
        LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA => None,
        // For every address (measured).
        _ => return Err(CUresult::CUDA_ERROR_INVALID_DEVICE),
    };
    if ranges.mapping(address).is_none() && call.state.heap.holding(address, 1).is_none() {
        // SAFETY: the program's promise.
        unsafe { put(to, 0) }?;
        return Err(INVALID);
    }
    // Other memory has no access of its own: the result is none, even for its own device (measured).
    let flags = match access {
        None => Access::CU_MEM_ACCESS_FLAGS_PROT_NONE,
        Some(false) => Access::CU_MEM_ACCESS_FLAGS_PROT_READ,
        Some(true) => Access::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
    };
    // SAFETY: the program's promise.
    unsafe { put(to, c_ulonglong::from(flags.0)) }
}
