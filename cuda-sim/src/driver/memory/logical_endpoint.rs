//! Logical endpoints: numbers for memory that is bound on devices of a fabric. As documented; not measured.
//!
//! The devices of the profiles do not support them. A profile with other attributes has them, without a fabric. They
//! cannot be shared with other processes, and copies do not use them.

#![allow(unsafe_code)]

use crate::collections::{IdMap, IdSet};
use crate::console::say;
use crate::driver::handles::Handle;
use crate::driver::memory::pages::PAGE;
use crate::driver::memory::team::{Team, pages};
use crate::driver::{Answer, Call, State, check_out, put};
use core::ffi::{c_int, c_ulonglong, c_void};
use core::ops::Range;
use cuda_sys::{
    CUdevice, CUdevice_attribute_enum as DeviceAttribute, CUlogicalEndpointFlag_enum as Flag,
    CUlogicalEndpointId, CUlogicalEndpointIpcHandleType, CUlogicalEndpointIpcHandleType_enum as HandleType,
    CUlogicalEndpointProp, CUlogicalEndpointType_enum as Type, CUmemGenericAllocationHandle, CUresult,
    cuuint32_t, cuuint64_t,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const NOT_SUPPORTED: CUresult = CUresult::CUDA_ERROR_NOT_SUPPORTED;

/// Limit of the numbers that can be reserved.
const MOST: u32 = 1 << 16;
/// Largest size of an endpoint in bytes.
const LARGEST: u64 = 1 << 40;

#[derive(Default)]
pub(crate) struct Endpoints {
    reserved: IdSet<u32>,
    /// Number after all that were ever reserved.
    next: u32,
    live: IdMap<u32, Team>,
}

impl Endpoints {
    /// Returns the number of endpoints, and of reserved numbers.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.live.len(), self.reserved.len())
    }
}

fn supports(state: &State, device: CUdevice, type_: Type) -> bool {
    let attribute = if type_ == Type::CU_LOGICAL_ENDPOINT_TYPE_MULTICAST {
        DeviceAttribute::CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_MULTICAST_SUPPORTED
    } else {
        DeviceAttribute::CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_SUPPORTED
    };
    state.limit_of(device, attribute) != 0
}

fn check_support(call: &Call<'_>) -> Answer {
    let types = [Type::CU_LOGICAL_ENDPOINT_TYPE_UNICAST, Type::CU_LOGICAL_ENDPOINT_TYPE_MULTICAST];
    let mut devices = (0..).take(call.state.devices.len());
    if devices.any(|device| types.iter().any(|type_| supports(call.state, device, *type_))) {
        Ok(())
    } else {
        Err(NOT_SUPPORTED)
    }
}

fn team<'state>(call: &'state mut Call<'_>, id: CUlogicalEndpointId) -> Answer<&'state mut Team> {
    check_support(call)?;
    call.state.endpoints.live.get_mut(id).ok_or(INVALID)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn reserve(call: &mut Call<'_>, to: *mut CUlogicalEndpointId, count: cuuint32_t) -> Answer {
    check_support(call)?;
    check_out(to)?;
    let endpoints = &mut call.state.endpoints;
    if count == 0 {
        return Err(INVALID);
    }
    let first = endpoints.next;
    let end = first.checked_add(count).filter(|_| count <= MOST).ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?;
    endpoints.next = end;
    endpoints.reserved.extend(first..end);
    // SAFETY: the program's promise.
    unsafe { put(to, first) }
}

pub(crate) fn release(call: &mut Call<'_>, first: CUlogicalEndpointId, count: cuuint32_t) -> Answer {
    check_support(call)?;
    let endpoints = &mut call.state.endpoints;
    let end = first.checked_add(count).filter(|_| (1..=MOST).contains(&count)).ok_or(INVALID)?;
    let is_free = |id: u32| endpoints.reserved.contains(id) && !endpoints.live.contains(id);
    if !(first..end).all(is_free) {
        return Err(INVALID);
    }
    for id in first..end {
        endpoints.reserved.remove(id);
    }
    Ok(())
}

/// Reads the team of devices from properties.
///
/// # Safety
///
/// `prop` is null or valid for a read.
unsafe fn team_of(call: &Call<'_>, prop: *const CUlogicalEndpointProp) -> Answer<Team> {
    if prop.is_null() {
        return Err(INVALID);
    }
    // SAFETY: not null, so valid for a read.
    let prop = unsafe { prop.read() };
    if prop.flags & !Flag::CU_LOGICAL_ENDPOINT_FLAG_COUNTED_OPS.0 != 0
        || prop.ipcHandleTypes & !HandleType::CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_FABRIC.0 != 0
    {
        return Err(INVALID);
    }
    if prop.flags != 0 || prop.ipcHandleTypes != 0 {
        return Err(NOT_SUPPORTED);
    }
    match prop.type_ {
        Type::CU_LOGICAL_ENDPOINT_TYPE_UNICAST => {
            // SAFETY: properties of this type have this member, and all numbers are valid.
            let device = unsafe { prop.__bindgen_anon_1.unicast }.device;
            call.state.device(device)?;
            if !supports(call.state, device, prop.type_) {
                return Err(NOT_SUPPORTED);
            }
            let mut team = Team::new(prop.size, 1);
            team.add(device)?;
            Ok(team)
        }
        Type::CU_LOGICAL_ENDPOINT_TYPE_MULTICAST => {
            // SAFETY: as above.
            let count = unsafe { prop.__bindgen_anon_1.multicast }.numDevices;
            if count == 0 { Err(INVALID) } else { Ok(Team::new(prop.size, count)) }
        }
        _ => Err(INVALID),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create(
    call: &mut Call<'_>,
    id: CUlogicalEndpointId,
    prop: *const CUlogicalEndpointProp,
) -> Answer {
    check_support(call)?;
    // SAFETY: the program's promise.
    let team = unsafe { team_of(call, prop) }?;
    pages(0, team.size)?;
    let endpoints = &mut call.state.endpoints;
    if team.size > LARGEST || !endpoints.reserved.contains(id) || endpoints.live.contains(id) {
        return Err(INVALID);
    }
    endpoints.live.insert(id, team);
    Ok(())
}

pub(crate) fn add_device(call: &mut Call<'_>, id: CUlogicalEndpointId, device: CUdevice) -> Answer {
    call.state.device(device)?;
    let is_supported = supports(call.state, device, Type::CU_LOGICAL_ENDPOINT_TYPE_MULTICAST);
    let team = team(call, id)?;
    if is_supported { team.add(device) } else { Err(NOT_SUPPORTED) }
}

pub(crate) fn destroy(call: &mut Call<'_>, id: CUlogicalEndpointId) -> Answer {
    check_support(call)?;
    let team = call.state.endpoints.live.remove(id).ok_or(INVALID)?;
    team.into_memories().for_each(|memory| call.state.count_mapping_out(memory));
    Ok(())
}

fn bind(
    call: &mut Call<'_>,
    (id, device): (CUlogicalEndpointId, CUdevice),
    range: Range<u64>,
    memory: (Handle, CUdevice),
) -> Answer {
    team(call, id)?.bind(Some(device), range, memory).map_err(|code| match code {
        // The function does not return this code.
        CUresult::CUDA_ERROR_INVALID_DEVICE => INVALID,
        code => code,
    })?;
    call.state.count_binding_in(memory.0);
    Ok(())
}

pub(crate) fn bind_address(
    call: &mut Call<'_>,
    id: CUlogicalEndpointId,
    device: CUdevice,
    offset: cuuint64_t,
    address: *mut c_void,
    size: cuuint64_t,
    flags: c_ulonglong,
) -> Answer {
    let range = pages(offset, size)?;
    let memory = call.state.memory_at(address.addr() as u64, size)?;
    if flags != 0 {
        return Err(INVALID);
    }
    bind(call, (id, device), range, memory)
}

#[allow(clippy::too_many_arguments)] // CUDA's
pub(crate) fn bind_memory(
    call: &mut Call<'_>,
    id: CUlogicalEndpointId,
    device: CUdevice,
    offset: cuuint64_t,
    memory: CUmemGenericAllocationHandle,
    memory_offset: cuuint64_t,
    size: cuuint64_t,
    flags: c_ulonglong,
) -> Answer {
    let range = pages(offset, size)?;
    let memory = call.state.part_of_memory(memory, memory_offset, size)?;
    if flags != 0 {
        return Err(INVALID);
    }
    bind(call, (id, device), range, memory)
}

pub(crate) fn unbind(
    call: &mut Call<'_>,
    id: CUlogicalEndpointId,
    device: CUdevice,
    offset: cuuint64_t,
    size: cuuint64_t,
) -> Answer {
    let range = pages(offset, size)?;
    let memory = team(call, id)?.unbind(device, &range)?;
    call.state.count_mapping_out(memory);
    Ok(())
}

/// Refuses the call, because there is no fabric.
pub(crate) fn export(
    call: &mut Call<'_>,
    _: *mut c_void,
    id: CUlogicalEndpointId,
    _: CUlogicalEndpointIpcHandleType,
) -> Answer {
    team(call, id)?;
    say("logical endpoints of other processes are not simulated");
    Err(NOT_SUPPORTED)
}

/// Refuses the call, because there is no fabric.
pub(crate) fn import(
    call: &mut Call<'_>,
    _: CUlogicalEndpointId,
    _: *const c_void,
    _: CUlogicalEndpointIpcHandleType,
) -> Answer {
    check_support(call)?;
    say("logical endpoints of other processes are not simulated");
    Err(NOT_SUPPORTED)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn limits(
    call: &mut Call<'_>,
    alignment: *mut cuuint64_t,
    largest: *mut cuuint64_t,
    prop: *const CUlogicalEndpointProp,
) -> Answer {
    check_support(call)?;
    check_out(largest)?;
    // SAFETY: the program's promise.
    unsafe { team_of(call, prop) }?;
    // SAFETY: the program's promise.
    unsafe { put(alignment, PAGE) }?;
    // SAFETY: the program's promise.
    unsafe { put(largest, LARGEST) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn query(
    call: &mut Call<'_>,
    first: CUlogicalEndpointId,
    count: cuuint32_t,
    to: *mut c_int,
) -> Answer {
    check_support(call)?;
    let endpoints = &call.state.endpoints;
    let end = first.checked_add(count).filter(|_| (1..=MOST).contains(&count)).ok_or(INVALID)?;
    if !(first..end).all(|id| endpoints.reserved.contains(id)) {
        return Err(INVALID);
    }
    let are_ready = (first..end).all(|id| endpoints.live.get(id).is_some_and(Team::is_complete));
    // SAFETY: the program's promise.
    unsafe { put(to, c_int::from(are_ready)) }
}
