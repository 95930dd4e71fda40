//! Attributes of memory pools.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::memory::heap::{PoolSource, Release};
use crate::driver::memory::memory_pool::{Pool, find, find_own};
use crate::driver::rules::since;
use crate::driver::{Answer, Call, put};
use core::ffi::{c_int, c_void};
use cuda_sys::{
    CUdevice, CUmemAccess_flags, CUmemAccess_flags_enum as Access, CUmemAccessDesc, CUmemLocation,
    CUmemLocationType_enum as LocationType, CUmemPool_attribute, CUmemPool_attribute_enum as Attribute,
    CUmemoryPool, CUresult,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const NOT_SUPPORTED: CUresult = CUresult::CUDA_ERROR_NOT_SUPPORTED;

/// Releases unused memory, except `keep` bytes. Memory that was freed on a stream must be waited for first (measured).
pub(crate) fn trim(call: &mut Call<'_>, pool: CUmemoryPool, keep: usize) -> Answer {
    find_own(call, pool)?;
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
    let found = find_own(call, pool)?;
    call.state.require(since::POOL_ATTRIBUTES, attribute.0)?;
    let memory = call.state.heap.pool(Handle::of(pool)).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    let number = match attribute {
        Attribute::CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES
        | Attribute::CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC
        | Attribute::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES => {
            let which = found.reuse[(attribute.0 - 1) as usize % 3];
            // SAFETY: the program guarantees the type behind the pointer.
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

/// Returns a property from the creation of a pool, for properties of type `int`.
fn property(pool: &Pool, attribute: CUmemPool_attribute) -> c_int {
    match attribute {
        Attribute::CU_MEMPOOL_ATTR_ALLOCATION_TYPE => pool.place.kind.0.cast_signed(),
        Attribute::CU_MEMPOOL_ATTR_EXPORT_HANDLE_TYPES => pool.handle_types.cast_signed(),
        Attribute::CU_MEMPOOL_ATTR_LOCATION_ID => pool.place.number,
        Attribute::CU_MEMPOOL_ATTR_LOCATION_TYPE => pool.place.location.0.cast_signed(),
        // The pool uses all of the device's memory.
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
    let mut changed = find_own(call, pool)?;
    call.state.require(since::POOL_ATTRIBUTES, attribute.0)?;
    match attribute {
        Attribute::CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES
        | Attribute::CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC
        | Attribute::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES => {
            // SAFETY: the program guarantees the type behind the pointer.
            let wanted = unsafe { value.cast::<c_int>().read() };
            // Any value but 0 counts as 1 (measured).
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

/// Sets a number. The threshold can have any value. High watermarks can only be reset.
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

/// Device or host whose access to a pool is set or queried.
#[derive(Clone, Copy)]
enum Accessor {
    Device(CUdevice),
    Host,
}

/// Returns the source of the memory of a pool, and its device.
fn source_of(call: &Call<'_>, pool: CUmemoryPool) -> Answer<(PoolSource, CUdevice)> {
    let memory = call.state.heap.pool(Handle::of(pool)).ok_or(INVALID)?;
    Ok((memory.source, memory.device))
}

/// Sets the access of devices, and for pools of the host and of managed memory, that of the host. The owner always has
/// access.
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
    find(call, pool)?;
    let (source, owner) = source_of(call, pool)?;
    if map.is_null() {
        return Err(INVALID);
    }
    let mut wanted = Vec::new();
    for index in 0..count {
        // SAFETY: within `count` elements.
        let place = unsafe { map.add(index) };
        // SAFETY: as above, and valid for a read.
        let access = unsafe { place.read() };
        let open = match access.flags {
            Access::CU_MEM_ACCESS_FLAGS_PROT_NONE => false,
            Access::CU_MEM_ACCESS_FLAGS_PROT_READWRITE => true,
            // Read-only access (measured).
            Access::CU_MEM_ACCESS_FLAGS_PROT_READ => return Err(NOT_SUPPORTED),
            _ => return Err(INVALID),
        };
        let accessor = accessor_at(call, &access.location)?;
        // This includes locations that do not exist (measured).
        let accessor = accessor.unwrap_or(Accessor::Host);
        match (accessor, source) {
            (Accessor::Host, PoolSource::Managed) => {}
            // The host always has access to its own memory, and never to device memory (measured).
            (Accessor::Host, PoolSource::Host | PoolSource::ImportedHost) if open => {}
            (Accessor::Host, _) => return Err(NOT_SUPPORTED),
            (Accessor::Device(_), PoolSource::Host | PoolSource::ImportedHost | PoolSource::Managed) => {}
            (Accessor::Device(device), PoolSource::Device | PoolSource::Imported) => {
                if device == owner && !open || device != owner && !call.state.can_access(device, owner) {
                    return Err(CUresult::CUDA_ERROR_INVALID_DEVICE);
                }
            }
        }
        wanted.push((accessor, open));
    }
    let memory = call.state.heap.pool_mut(Handle::of(pool)).ok_or(INVALID)?;
    let owns = |device| device == owner && matches!(source, PoolSource::Device | PoolSource::Imported);
    for (accessor, open) in wanted {
        match accessor {
            Accessor::Host => memory.host_grant = open,
            Accessor::Device(device) if owns(device) => {}
            Accessor::Device(device) if open => {
                memory.grants.insert(device);
            }
            Accessor::Device(device) => {
                memory.grants.remove(device);
            }
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
    find(call, pool)?;
    let (source, owner) = source_of(call, pool)?;
    if location.is_null() {
        return Err(INVALID);
    }
    // SAFETY: not null, so valid for a read.
    let location = unsafe { location.read() };
    // A missing device is an invalid value here (measured).
    let accessor = accessor_at(call, &location).ok().flatten().ok_or(INVALID)?;
    let memory = call.state.heap.pool(Handle::of(pool)).ok_or(INVALID)?;
    // For managed memory, the result is the access that was set, although all locations have access (measured).
    let is_open = match (accessor, source) {
        (Accessor::Device(device), PoolSource::Device | PoolSource::Imported) => {
            device == owner || memory.grants.contains(device)
        }
        (Accessor::Device(device), _) => memory.grants.contains(device),
        (Accessor::Host, PoolSource::Host | PoolSource::ImportedHost) => true,
        (Accessor::Host, PoolSource::Managed) => memory.host_grant,
        (Accessor::Host, PoolSource::Device | PoolSource::Imported) => false,
    };
    let access = if is_open {
        Access::CU_MEM_ACCESS_FLAGS_PROT_READWRITE
    } else {
        Access::CU_MEM_ACCESS_FLAGS_PROT_NONE
    };
    // SAFETY: the program's promise.
    unsafe { put(flags, access) }
}

/// Returns the device or the host that a location names, or `None` if it names neither. NUMA nodes count as the host.
fn accessor_at(call: &Call<'_>, location: &CUmemLocation) -> Answer<Option<Accessor>> {
    match location.type_ {
        LocationType::CU_MEM_LOCATION_TYPE_DEVICE => {
            // SAFETY: a location on a device holds its number.
            let device = unsafe { location.__bindgen_anon_1.id };
            call.state.device(device).map(|_| Some(Accessor::Device(device)))
        }
        LocationType::CU_MEM_LOCATION_TYPE_HOST | LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA => {
            Ok(Some(Accessor::Host))
        }
        _ => Ok(None),
    }
}
