//! What can be set of memory pools, and asked.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::memory::heap::Release;
use crate::driver::memory::memory_pool::{Pool, find, find_of_device};
use crate::driver::rules::since;
use crate::driver::{Answer, Call, put};
use core::ffi::{c_int, c_void};
use cuda_sys::{
    CUdevice, CUmemAccess_flags, CUmemAccess_flags_enum as Access, CUmemAccessDesc,
    CUmemAllocationType_enum as AllocationType, CUmemLocation, CUmemLocationType_enum as LocationType,
    CUmemPool_attribute, CUmemPool_attribute_enum as Attribute, CUmemoryPool, CUresult,
};

/// Gives back what is not in use, but for so many bytes. What was freed on a stream has to be waited for first (measured).
pub(crate) fn trim(call: &mut Call<'_>, pool: CUmemoryPool, keep: usize) -> Answer {
    find(call, pool)?;
    call.state.heap.release(Handle::of(pool), keep as u64, Release::Awaited);
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_attribute(
    call: &mut Call<'_>,
    pool: CUmemoryPool,
    attribute: CUmemPool_attribute,
    value: *mut c_void,
) -> Answer {
    let found = find(call, pool)?;
    call.state.require(since::POOL_ATTRIBUTES, attribute.0)?;
    let memory = call.state.heap.pool(Handle::of(pool)).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    let number = match attribute {
        Attribute::CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES
        | Attribute::CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC
        | Attribute::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES => {
            let which = found.reuse[(attribute.0 - 1) as usize % 3];
            // SAFETY: the program's promise about the type behind the pointer.
            return unsafe { put(value.cast::<c_int>(), which) };
        }
        Attribute::CU_MEMPOOL_ATTR_ALLOCATION_TYPE
        | Attribute::CU_MEMPOOL_ATTR_EXPORT_HANDLE_TYPES
        | Attribute::CU_MEMPOOL_ATTR_LOCATION_ID
        | Attribute::CU_MEMPOOL_ATTR_LOCATION_TYPE
        | Attribute::CU_MEMPOOL_ATTR_HW_DECOMPRESS_ENABLED
        | Attribute::CU_MEMPOOL_ATTR_LOCALITY_DOMAIN_ID => {
            // SAFETY: as above.
            return unsafe { put(value.cast::<c_int>(), property(&found, attribute)) };
        }
        Attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD => memory.threshold,
        Attribute::CU_MEMPOOL_ATTR_USED_MEM_CURRENT => memory.used.now,
        Attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT => memory.held.now,
        Attribute::CU_MEMPOOL_ATTR_USED_MEM_HIGH => memory.used.high,
        Attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH => memory.held.high,
        Attribute::CU_MEMPOOL_ATTR_MAX_POOL_SIZE => found.most,
        Attribute(number) => {
            return Err(call.state.lacking(since::POOL_ATTRIBUTES, number, "memory pool attribute"));
        }
    };
    // SAFETY: as above.
    unsafe { put(value.cast::<u64>(), number) }
}

/// What a pool was made as, where that is an `int`.
fn property(pool: &Pool, attribute: CUmemPool_attribute) -> c_int {
    match attribute {
        Attribute::CU_MEMPOOL_ATTR_ALLOCATION_TYPE => {
            AllocationType::CU_MEM_ALLOCATION_TYPE_PINNED.0.cast_signed()
        }
        Attribute::CU_MEMPOOL_ATTR_EXPORT_HANDLE_TYPES => pool.handle_types.cast_signed(),
        Attribute::CU_MEMPOOL_ATTR_LOCATION_ID => pool.device,
        Attribute::CU_MEMPOOL_ATTR_LOCATION_TYPE => LocationType::CU_MEM_LOCATION_TYPE_DEVICE.0.cast_signed(),
        // All of the device's memory.
        Attribute::CU_MEMPOOL_ATTR_LOCALITY_DOMAIN_ID => -1,
        _ => 0,
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_attribute(
    call: &mut Call<'_>,
    pool: CUmemoryPool,
    attribute: CUmemPool_attribute,
    value: *mut c_void,
) -> Answer {
    if value.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let mut changed = find(call, pool)?;
    call.state.require(since::POOL_ATTRIBUTES, attribute.0)?;
    match attribute {
        Attribute::CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES
        | Attribute::CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC
        | Attribute::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES => {
            // SAFETY: the program's promise about the type behind the pointer.
            let wanted = unsafe { value.cast::<c_int>().read() };
            // Anything but 0 is 1 (measured).
            changed.reuse[(attribute.0 - 1) as usize % 3] = c_int::from(wanted != 0);
        }
        Attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD
        | Attribute::CU_MEMPOOL_ATTR_USED_MEM_HIGH
        | Attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH => {
            // SAFETY: as above.
            let number = unsafe { value.cast::<u64>().read() };
            return set_number(call, Handle::of(pool), attribute, number);
        }
        _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
    if let Some(pool) = call.state.pools.get_mut(Handle::of(pool)) {
        *pool = changed;
    }
    Ok(())
}

/// The threshold can be anything; marks can only be reset.
fn set_number(call: &mut Call<'_>, pool: Handle, attribute: CUmemPool_attribute, number: u64) -> Answer {
    let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
    let memory = call.state.heap.pool_mut(pool).ok_or(invalid)?;
    match attribute {
        Attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD => memory.threshold = number,
        _ if number != 0 => return Err(invalid),
        Attribute::CU_MEMPOOL_ATTR_USED_MEM_HIGH => memory.used.reset(),
        _ => memory.held.reset(),
    }
    Ok(())
}

/// Access for devices; the owner has it always.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_access(
    call: &mut Call<'_>,
    pool: CUmemoryPool,
    map: *const CUmemAccessDesc,
    count: usize,
) -> Answer {
    let owner = find_of_device(call, pool)?.device;
    if map.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let mut wanted = Vec::new();
    for index in 0..count {
        // SAFETY: within `count` elements.
        let place = unsafe { map.add(index) };
        // SAFETY: as above, and valid for a read.
        let access = unsafe { place.read() };
        // That of the host cannot be set (measured).
        let device = device_at(call, &access.location)?.ok_or(CUresult::CUDA_ERROR_NOT_SUPPORTED)?;
        let open = match access.flags {
            Access::CU_MEM_ACCESS_FLAGS_PROT_NONE => false,
            Access::CU_MEM_ACCESS_FLAGS_PROT_READWRITE => true,
            // Reading alone (measured).
            Access::CU_MEM_ACCESS_FLAGS_PROT_READ => return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED),
            _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        };
        if device == owner && !open || device != owner && !call.state.can_access(device, owner) {
            return Err(CUresult::CUDA_ERROR_INVALID_DEVICE);
        }
        wanted.push((device, open));
    }
    let memory = call.state.heap.pool_mut(Handle::of(pool)).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    for (device, open) in wanted {
        if !open {
            memory.grants.remove(device);
        } else if device != owner {
            memory.grants.insert(device);
        }
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_access(
    call: &mut Call<'_>,
    flags: *mut CUmemAccess_flags,
    pool: CUmemoryPool,
    location: *mut CUmemLocation,
) -> Answer {
    find_of_device(call, pool)?;
    if location.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so valid for a read.
    let location = unsafe { location.read() };
    let device = device_at(call, &location)?;
    let reaches = |device| call.state.heap.pool_reaches(Handle::of(pool), device);
    let access = if device.is_some_and(reaches) {
        Access::CU_MEM_ACCESS_FLAGS_PROT_READWRITE
    } else {
        Access::CU_MEM_ACCESS_FLAGS_PROT_NONE
    };
    // SAFETY: the program's promise.
    unsafe { put(flags, access) }
}

/// The device that a place is of; `None` is the host.
fn device_at(call: &Call<'_>, location: &CUmemLocation) -> Answer<Option<CUdevice>> {
    match location.type_ {
        LocationType::CU_MEM_LOCATION_TYPE_DEVICE => {
            // SAFETY: a location on a device holds its number.
            let device = unsafe { location.__bindgen_anon_1.id };
            call.state.device(device).map(|_| Some(device))
        }
        LocationType::CU_MEM_LOCATION_TYPE_HOST => Ok(None),
        _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
}
