//! Multicast objects: teams of devices, and the memory that is bound to them. As documented; not measured.
//!
//! Objects cannot be mapped, because memory of several devices at one address is not simulated. On hardware, some calls
//! wait until all devices are added. Here these calls are refused, because no other process could add devices.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::memory::pages::PAGE;
use crate::driver::memory::team::{Team, pages};
use crate::driver::{Answer, Call, check_out, put};
use core::ffi::c_ulonglong;
use cuda_sys::{
    CUdevice, CUdevice_attribute_enum as DeviceAttribute, CUdeviceptr,
    CUmemAllocationHandleType_enum as HandleType, CUmemGenericAllocationHandle, CUmulticastGranularity_flags,
    CUmulticastGranularity_flags_enum as Granularity, CUmulticastObjectProp, CUresult,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const NOT_SUPPORTED: CUresult = CUresult::CUDA_ERROR_NOT_SUPPORTED;

/// Reads properties, and refuses invalid ones.
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

/// Checks that a device supports multicast. Otherwise nothing else is checked (measured).
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
    // Objects cannot be shared with other processes here.
    if prop.handleTypes != 0 {
        return Err(NOT_SUPPORTED);
    }
    let handle = call.state.multicasts.insert(Team::new(size, prop.numDevices));
    // SAFETY: the program's promise.
    unsafe { put(to, handle.0) }
}

/// Releases an object, if the handle names one. The function that releases memory calls it, too.
pub(crate) fn release(call: &mut Call<'_>, handle: CUmemGenericAllocationHandle) -> bool {
    let Some(team) = call.state.multicasts.remove(Handle(handle)) else { return false };
    team.into_memories().for_each(|memory| call.state.count_mapping_out(memory));
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
    team.add(device)
}

/// Binds memory of a named device, or of the memory's own device.
fn bind(
    call: &mut Call<'_>,
    handle: CUmemGenericAllocationHandle,
    device: Option<CUdevice>,
    (offset, size): (usize, usize),
    memory: (Handle, CUdevice),
    flags: c_ulonglong,
) -> Answer {
    let range = pages(offset as u64, size as u64)?;
    if flags != 0 {
        return Err(INVALID);
    }
    if let Some(device) = device {
        call.state.device(device)?;
    }
    call.state.multicasts.get_mut(Handle(handle)).ok_or(INVALID)?.bind(device, range, memory)?;
    call.state.count_binding_in(memory.0);
    Ok(())
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
    let memory = call.state.part_of_memory(memory, memory_offset as u64, size as u64)?;
    bind(call, handle, None, (offset, size), memory, flags)
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
    let memory = call.state.part_of_memory(memory, memory_offset as u64, size as u64)?;
    bind(call, handle, Some(device), (offset, size), memory, flags)
}

pub(crate) fn bind_address(
    call: &mut Call<'_>,
    handle: CUmemGenericAllocationHandle,
    offset: usize,
    address: CUdeviceptr,
    size: usize,
    flags: c_ulonglong,
) -> Answer {
    let memory = call.state.memory_at(address, size as u64)?;
    bind(call, handle, None, (offset, size), memory, flags)
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
    let memory = call.state.memory_at(address, size as u64)?;
    bind(call, handle, Some(device), (offset, size), memory, flags)
}

/// Unbinds memory. The range must be that of one call that bound it.
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
    let memory = team.unbind(device, &range)?;
    call.state.count_mapping_out(memory);
    Ok(())
}
