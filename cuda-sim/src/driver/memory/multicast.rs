//! Multicast objects: teams of devices, and the memory that is bound to them. As documented; hardware was not asked.
//!
//! Objects are not mapped: memory of several devices at one address is not simulated. So calls that wait on hardware until all
//! devices are added are refused here: there are no other processes that could add them.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::memory::pages::PAGE;
use crate::driver::{Answer, Call, check_out, put};
use core::ffi::c_ulonglong;
use core::ops::Range;
use cuda_sys::{
    CUdevice, CUdevice_attribute_enum as DeviceAttribute, CUdeviceptr,
    CUmemAllocationHandleType_enum as HandleType, CUmemGenericAllocationHandle, CUmulticastGranularity_flags,
    CUmulticastGranularity_flags_enum as Granularity, CUmulticastObjectProp, CUresult,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const NOT_SUPPORTED: CUresult = CUresult::CUDA_ERROR_NOT_SUPPORTED;

/// A team of devices.
pub(crate) struct Multicast {
    size: u64,
    /// How many devices there are to be.
    count: u32,
    devices: Vec<CUdevice>,
    bindings: Vec<Binding>,
}

struct Binding {
    device: CUdevice,
    /// The part of the object.
    range: Range<u64>,
    memory: Handle,
}

fn pages(start: u64, size: u64) -> Answer<Range<u64>> {
    let end = start.checked_add(size).ok_or(INVALID)?;
    let is_whole = start.is_multiple_of(PAGE) && size.is_multiple_of(PAGE) && size > 0;
    if is_whole { Ok(start..end) } else { Err(INVALID) }
}

/// Reads properties, and refuses those that no object can have.
///
/// # Safety
///
/// `prop` is null or valid for a read.
unsafe fn properties(prop: *const CUmulticastObjectProp) -> Answer<CUmulticastObjectProp> {
    if prop.is_null() {
        return Err(INVALID);
    }
    // SAFETY: not null, so valid for a read.
    let prop = unsafe { prop.read() };
    let known = u64::from(
        HandleType::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR.0 | HandleType::CU_MEM_HANDLE_TYPE_FABRIC.0,
    );
    if prop.numDevices == 0 || prop.size == 0 || prop.flags != 0 || prop.handleTypes & !known != 0 {
        return Err(INVALID);
    }
    Ok(prop)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn granularity(
    call: &mut Call<'_>,
    to: *mut usize,
    prop: *const CUmulticastObjectProp,
    option: CUmulticastGranularity_flags,
) -> Answer {
    check_support(call)?;
    // SAFETY: the program's promise.
    unsafe { properties(prop) }?;
    if option.0 > Granularity::CU_MULTICAST_GRANULARITY_RECOMMENDED.0 {
        return Err(INVALID);
    }
    // SAFETY: the program's promise.
    unsafe { put(to, PAGE as usize) }
}

/// Where no device supports multicast, nothing else is looked at (measured).
fn check_support(call: &Call<'_>) -> Answer {
    let mut devices = (0..).take(call.state.devices.len());
    if devices.any(|device| supports(call, device)) { Ok(()) } else { Err(NOT_SUPPORTED) }
}

fn supports(call: &Call<'_>, device: CUdevice) -> bool {
    call.state.limit_of(device, DeviceAttribute::CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED) != 0
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create(
    call: &mut Call<'_>,
    to: *mut CUmemGenericAllocationHandle,
    prop: *const CUmulticastObjectProp,
) -> Answer {
    check_support(call)?;
    check_out(to)?;
    // SAFETY: the program's promise.
    let prop = unsafe { properties(prop) }?;
    let size = pages(0, prop.size as u64)?.end;
    // Other processes do not find objects here.
    if prop.handleTypes != 0 {
        return Err(NOT_SUPPORTED);
    }
    let team = Multicast { size, count: prop.numDevices, devices: Vec::new(), bindings: Vec::new() };
    let handle = call.state.multicasts.insert(team);
    // SAFETY: the program's promise.
    unsafe { put(to, handle.0) }
}

/// Gives an object up, if the handle is one's. Called by the function that releases memory, too.
pub(crate) fn release(call: &mut Call<'_>, handle: CUmemGenericAllocationHandle) -> bool {
    let Some(team) = call.state.multicasts.remove(Handle(handle)) else { return false };
    for binding in team.bindings {
        call.state.count_mapping_out(binding.memory);
    }
    true
}

pub(crate) fn add_device(
    call: &mut Call<'_>,
    handle: CUmemGenericAllocationHandle,
    device: CUdevice,
) -> Answer {
    call.state.device(device)?;
    let is_supported = supports(call, device);
    let team = call.state.multicasts.get_mut(Handle(handle)).ok_or(INVALID)?;
    if !is_supported {
        return Err(NOT_SUPPORTED);
    }
    if team.devices.contains(&device) || team.devices.len() >= team.count as usize {
        return Err(INVALID);
    }
    team.devices.push(device);
    Ok(())
}

fn bind(
    call: &mut Call<'_>,
    handle: CUmemGenericAllocationHandle,
    device: Option<CUdevice>,
    range: Answer<Range<u64>>,
    memory: Handle,
) -> Answer {
    let range = range?;
    if let Some(device) = device {
        call.state.device(device)?;
    }
    let owner = call.state.memories.get(memory).ok_or(INVALID)?.device;
    let team = call.state.multicasts.get_mut(Handle(handle)).ok_or(INVALID)?;
    let is_taken = |binding: &Binding| {
        binding.device == owner && binding.range.start < range.end && range.start < binding.range.end
    };
    if device.is_some_and(|device| device != owner) || !team.devices.contains(&owner) {
        return Err(CUresult::CUDA_ERROR_INVALID_DEVICE);
    }
    if range.end > team.size || team.bindings.iter().any(is_taken) {
        return Err(INVALID);
    }
    if team.devices.len() < team.count as usize {
        return Err(NOT_SUPPORTED);
    }
    team.bindings.push(Binding { device: owner, range, memory });
    if let Some(memory) = call.state.memories.get_mut(memory) {
        memory.mappings += 1;
    }
    Ok(())
}

/// Binds memory by its handle. Without a device, the memory's own.
fn bind_memory_of(
    call: &mut Call<'_>,
    handle: CUmemGenericAllocationHandle,
    device: Option<CUdevice>,
    (offset, memory, memory_offset, size): (usize, CUmemGenericAllocationHandle, usize, usize),
    flags: c_ulonglong,
) -> Answer {
    let part = pages(memory_offset as u64, size as u64)?;
    if flags != 0 || part.end > call.state.memory(memory)?.store.len() {
        return Err(INVALID);
    }
    bind(call, handle, device, pages(offset as u64, size as u64), Handle(memory))
}

pub(crate) fn bind_memory(
    call: &mut Call<'_>,
    handle: CUmemGenericAllocationHandle,
    offset: usize,
    memory: CUmemGenericAllocationHandle,
    memory_offset: usize,
    size: usize,
    flags: c_ulonglong,
) -> Answer {
    bind_memory_of(call, handle, None, (offset, memory, memory_offset, size), flags)
}

#[allow(clippy::too_many_arguments)] // CUDA's
pub(crate) fn bind_memory_on(
    call: &mut Call<'_>,
    handle: CUmemGenericAllocationHandle,
    device: CUdevice,
    offset: usize,
    memory: CUmemGenericAllocationHandle,
    memory_offset: usize,
    size: usize,
    flags: c_ulonglong,
) -> Answer {
    bind_memory_of(call, handle, Some(device), (offset, memory, memory_offset, size), flags)
}

/// Binds memory that is mapped at an address. Memory of pools is not simulated here.
fn bind_address_of(
    call: &mut Call<'_>,
    handle: CUmemGenericAllocationHandle,
    device: Option<CUdevice>,
    (offset, address, size): (usize, CUdeviceptr, usize),
    flags: c_ulonglong,
) -> Answer {
    let wanted = pages(address, size as u64)?;
    if flags != 0 {
        return Err(INVALID);
    }
    let Some((start, mapping)) = call.state.heap.ranges.mapping(address) else {
        return Err(if call.state.heap.holding(address, 1).is_some() { NOT_SUPPORTED } else { INVALID });
    };
    let memory = mapping.memory;
    let len = call.state.memories.get(memory).map_or(0, |memory| memory.store.len());
    if wanted.end > start + len {
        return Err(INVALID);
    }
    bind(call, handle, device, pages(offset as u64, size as u64), memory)
}

pub(crate) fn bind_address(
    call: &mut Call<'_>,
    handle: CUmemGenericAllocationHandle,
    offset: usize,
    address: CUdeviceptr,
    size: usize,
    flags: c_ulonglong,
) -> Answer {
    bind_address_of(call, handle, None, (offset, address, size), flags)
}

pub(crate) fn bind_address_on(
    call: &mut Call<'_>,
    handle: CUmemGenericAllocationHandle,
    device: CUdevice,
    offset: usize,
    address: CUdeviceptr,
    size: usize,
    flags: c_ulonglong,
) -> Answer {
    bind_address_of(call, handle, Some(device), (offset, address, size), flags)
}

/// The range must be that of one call that bound it.
pub(crate) fn unbind(
    call: &mut Call<'_>,
    handle: CUmemGenericAllocationHandle,
    device: CUdevice,
    offset: usize,
    size: usize,
) -> Answer {
    let range = pages(offset as u64, size as u64)?;
    call.state.device(device)?;
    let team = call.state.multicasts.get_mut(Handle(handle)).ok_or(INVALID)?;
    let found = team.bindings.iter().position(|binding| binding.device == device && binding.range == range);
    let binding = team.bindings.swap_remove(found.ok_or(INVALID)?);
    call.state.count_mapping_out(binding.memory);
    Ok(())
}
