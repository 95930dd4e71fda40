//! The default memory pool of each device. Others cannot be made yet.

#![allow(unsafe_code)]

use super::handles::Handle;
use super::heap::{Allocation, Kind};
use super::queue::{OpId, SHORT};
use super::stream::Lane;
use super::{Answer, Call, State, put};
use crate::generated::since;
use core::ffi::{c_int, c_void};
use cuda_sys::{
    CUdevice, CUdeviceptr, CUmemAccess_flags, CUmemAccess_flags_enum as Access, CUmemAccessDesc,
    CUmemLocation, CUmemLocationType_enum as LocationType, CUmemPool_attribute,
    CUmemPool_attribute_enum as Attribute, CUmemoryPool, CUresult, CUstream,
};

/// What can be set of a pool.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pool {
    device: CUdevice,
    /// Whether memory is used again after an event, by chance, and with dependencies of the driver's own.
    reuse: [c_int; 3],
    release_threshold: u64,
}

impl Pool {
    pub(super) fn new(device: CUdevice) -> Pool {
        Pool { device, reuse: [1; 3], release_threshold: 0 }
    }
}

fn find(call: &Call<'_>, pool: CUmemoryPool) -> Answer<Pool> {
    call.state.pools.get(Handle::of(pool)).copied().ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)
}

/// The default pool is the current one, as no other can be made.
///
/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn default(call: &mut Call<'_>, to: *mut CUmemoryPool, device: CUdevice) -> Answer {
    call.state.device(device)?;
    let known = call.state.pools.iter().find(|(_, pool)| pool.device == device).map(|(handle, _)| handle);
    let handle = known.unwrap_or_else(|| call.state.pools.insert(Pool::new(device)));
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

pub(super) fn set_current(call: &mut Call<'_>, device: CUdevice, pool: CUmemoryPool) -> Answer {
    call.state.device(device)?;
    if find(call, pool)?.device == device { Ok(()) } else { Err(CUresult::CUDA_ERROR_INVALID_VALUE) }
}

/// Default pools cannot be destroyed (measured).
pub(super) fn destroy(_: &mut Call<'_>, _: CUmemoryPool) -> Answer {
    Err(CUresult::CUDA_ERROR_INVALID_VALUE)
}

/// Nothing is kept back that could be released.
pub(super) fn trim(call: &mut Call<'_>, pool: CUmemoryPool, _: usize) -> Answer {
    find(call, pool).map(drop)
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_attribute(
    call: &mut Call<'_>,
    pool: CUmemoryPool,
    attribute: CUmemPool_attribute,
    value: *mut c_void,
) -> Answer {
    let found = find(call, pool)?;
    call.state.require(since::POOL_ATTRIBUTES, attribute.0)?;
    let (used, reserved) = call.state.heap.pool_bytes(found.device);
    let number = match attribute {
        Attribute::CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES
        | Attribute::CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC
        | Attribute::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES => {
            let which = found.reuse[(attribute.0 - 1) as usize % 3];
            // SAFETY: the program's promise about the type behind the pointer.
            return unsafe { put(value.cast::<c_int>(), which) };
        }
        Attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD => found.release_threshold,
        Attribute::CU_MEMPOOL_ATTR_USED_MEM_CURRENT => used,
        Attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT => reserved,
        Attribute::CU_MEMPOOL_ATTR_USED_MEM_HIGH | Attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH => {
            super::general::say("high-water marks of memory pools are not simulated yet");
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
        Attribute(number) => {
            return Err(call.state.lacking(since::POOL_ATTRIBUTES, number, "memory pool attribute"));
        }
    };
    // SAFETY: as above.
    unsafe { put(value.cast::<u64>(), number) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn set_attribute(
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
            changed.reuse[(attribute.0 - 1) as usize % 3] = unsafe { value.cast::<c_int>().read() };
        }
        Attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD => {
            // SAFETY: as above.
            changed.release_threshold = unsafe { value.cast::<u64>().read() };
        }
        _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
    if let Some(pool) = call.state.pools.get_mut(Handle::of(pool)) {
        *pool = changed;
    }
    Ok(())
}

/// Access for devices; the owner has it always.
///
/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn set_access(
    call: &mut Call<'_>,
    pool: CUmemoryPool,
    map: *const CUmemAccessDesc,
    count: usize,
) -> Answer {
    let owner = find(call, pool)?.device;
    if map.is_null() || count == 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let mut wanted = Vec::new();
    for index in 0..count {
        // SAFETY: within `count` elements.
        let place = unsafe { map.add(index) };
        // SAFETY: as above, and valid for a read.
        let access = unsafe { place.read() };
        let device = device_at(call, &access.location)?;
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
    for (device, open) in wanted {
        if open {
            call.state.pool_grants.insert((owner, device));
        } else {
            call.state.pool_grants.remove(&(owner, device));
        }
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_access(
    call: &mut Call<'_>,
    flags: *mut CUmemAccess_flags,
    pool: CUmemoryPool,
    location: *mut CUmemLocation,
) -> Answer {
    let owner = find(call, pool)?.device;
    if location.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so valid for a read.
    let location = unsafe { location.read() };
    let device = device_at(call, &location)?;
    let access = if call.state.reaches_pool(device, owner) {
        Access::CU_MEM_ACCESS_FLAGS_PROT_READWRITE
    } else {
        Access::CU_MEM_ACCESS_FLAGS_PROT_NONE
    };
    // SAFETY: the program's promise.
    unsafe { put(flags, access) }
}

fn device_at(call: &Call<'_>, location: &CUmemLocation) -> Answer<CUdevice> {
    if location.type_ != LocationType::CU_MEM_LOCATION_TYPE_DEVICE {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: a location on a device holds its number.
    let device = unsafe { location.__bindgen_anon_1.id };
    call.state.device(device).map(|_| device)
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn alloc(
    call: &mut Call<'_>,
    to: *mut CUdeviceptr,
    bytes: usize,
    pool: CUmemoryPool,
    stream: CUstream,
) -> Answer {
    let owner = find(call, pool)?.device;
    let on = call.state.stream(stream)?;
    // SAFETY: the program's promise.
    unsafe { alloc_on(call, owner, on, to, bytes) }
}

/// Allocates for work on a stream. Where memory is short, what is queued to be freed is used again.
///
/// # Safety
///
/// `to` is null or valid for a write.
pub(super) unsafe fn alloc_on(
    call: &mut Call<'_>,
    device: CUdevice,
    on: (Lane, Handle),
    to: *mut CUdeviceptr,
    bytes: usize,
) -> Answer {
    if to.is_null() || bytes == 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let (context, size) = (on.1, bytes as u64);
    let free = call.state.heap.allocate(device, context, Kind::Pool, size);
    if let Some(address) = free.or_else(|| call.state.reuse(device, on, size)) {
        // SAFETY: the caller's promise.
        return unsafe { put(to, address) };
    }
    // Several pieces together may be enough.
    let awaited = call.state.to_be_freed(device);
    call.wait_then(awaited, move |state| {
        let allocated = state.heap.allocate(device, context, Kind::Pool, size);
        // SAFETY: the caller's promise; the call has not returned.
        unsafe { put(to, allocated.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?) }
    })
}

/// Memory that will be freed when a stream has come so far.
#[derive(Clone, Copy)]
pub(super) struct Freed {
    lane: Lane,
    op: Option<OpId>,
    /// Tells what one call frees: the memory may have been handed on in parts.
    number: u64,
}

impl State {
    /// Frees memory after the work that is queued on a stream.
    pub(super) fn free_later(&mut self, on: (Lane, Handle), address: CUdeviceptr) {
        let number = self.next_id();
        let size = self.heap.starting_at(address).map_or(0, |found| found.size);
        self.freed.insert(address, Freed { lane: on.0, op: None, number });
        self.heap.note_freed(address);
        let op = self.submit(on, None, SHORT, move |state| {
            // All or some of it may have been handed on meanwhile.
            let own = |(address, freed): (&CUdeviceptr, &Freed)| (freed.number == number).then_some(*address);
            let left: Vec<CUdeviceptr> =
                state.freed.range(address..=address + size).filter_map(own).collect();
            for address in left {
                state.freed.remove(&address);
                state.heap.free(address);
            }
            Ok(())
        });
        if let Some(freed) = self.freed.get_mut(&address) {
            freed.op = op;
        }
    }

    /// The pool that memory is of; none, if it is not of one.
    pub(super) fn pool_of(&self, found: &Allocation) -> Handle {
        let of = |pool: &Pool| found.kind == Kind::Pool && pool.device == found.device;
        self.pools.iter().find(|(_, pool)| of(pool)).map_or(Handle::NULL, |(handle, _)| handle)
    }

    /// What of a device's pool is to be freed.
    fn to_be_freed(&self, device: CUdevice) -> Vec<OpId> {
        self.freed_of_pool(device).filter_map(|(_, _, freed)| freed.op).collect()
    }

    fn freed_of_pool(&self, device: CUdevice) -> impl Iterator<Item = (CUdeviceptr, u64, &Freed)> {
        let known = self.freed.iter();
        known.filter_map(move |(address, freed)| {
            let found = self.heap.freed(*address)?;
            (found.kind == Kind::Pool && found.device == device).then_some((*address, found.size, freed))
        })
    }

    /// Hands memory on that is to be freed, though it is not yet: to later work of the same stream, or to that of another
    /// stream, which is made to wait for it (measured).
    fn reuse(&mut self, device: CUdevice, on: (Lane, Handle), size: u64) -> Option<CUdeviceptr> {
        let pool = self.pools.iter().find(|(_, pool)| pool.device == device);
        let may_depend = pool.is_none_or(|(_, pool)| pool.reuse[2] != 0);
        let fits = |freed: &(CUdeviceptr, u64, &Freed)| {
            let (_, found, freed) = freed;
            *found >= size && freed.op.is_some() && (freed.lane == on.0 || may_depend)
        };
        let best = self
            .freed_of_pool(device)
            .filter(fits)
            .min_by_key(|(_, found, freed)| (freed.lane != on.0, *found));
        let (address, ..) = best?;
        let rest = self.heap.hand_on(address, on.1, size)?;
        let freed = self.freed.remove(&address)?;
        if let Some(rest) = rest {
            self.freed.insert(rest, Freed { ..freed });
        }
        if freed.lane != on.0 {
            self.submit(on, freed.op, SHORT, |_| Ok(()));
        }
        Some(address)
    }
}
