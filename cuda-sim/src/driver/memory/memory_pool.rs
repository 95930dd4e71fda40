//! Memory pools: the default one of each device, and those that programs make; and memory in the order of streams.

#![allow(unsafe_code)]

use crate::console::say;
use crate::driver::contexts::device::Device;
use crate::driver::handles::Handle;
use crate::driver::memory::heap::Allocation;
use crate::driver::operations::StreamId;
use crate::driver::rules::since;
use crate::driver::{Answer, Call, State, check_out, put};
use core::ffi::{c_int, c_uint};
use cuda_sys::{
    CUdevice, CUdevice_attribute_enum as DeviceAttribute, CUdeviceptr,
    CUmemAllocationHandleType_enum as HandleType, CUmemAllocationType,
    CUmemAllocationType_enum as AllocationType, CUmemLocation, CUmemLocationType_enum as LocationType,
    CUmemPoolProps, CUmemoryPool, CUresult, CUstream, DriverVersion,
};
use std::collections::BTreeMap;

/// The release of which it was measured what pools can be made.
const MEASURED: DriverVersion = DriverVersion::new(13, 0);

/// What is known of a pool besides its memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pool {
    pub(crate) device: CUdevice,
    /// Whether memory is used again after an event, by chance, and with dependencies of the driver's own.
    pub(crate) reuse: [c_int; 3],
    /// As what its memory can be given to other processes.
    pub(crate) handle_types: c_uint,
    /// As it was asked for; 0 for none.
    pub(crate) most: u64,
    /// True for a pool of host memory or managed memory. Such memory is not simulated.
    pub(crate) is_located: bool,
}

/// The allocation type, the type of the location, and its number.
type Place = (u32, u32, c_int);

/// The default pools of places that are no device's. Others of such places cannot be made here, so that these are always
/// current.
#[derive(Default)]
pub(crate) struct LocatedPools(BTreeMap<Place, Handle>);

impl Pool {
    fn new(device: CUdevice) -> Pool {
        Pool {
            device,
            reuse: [1; 3],
            handle_types: HandleType::CU_MEM_HANDLE_TYPE_NONE.0,
            most: 0,
            is_located: false,
        }
    }
}

pub(crate) fn find(call: &Call<'_>, pool: CUmemoryPool) -> Answer<Pool> {
    call.state.pools.get(Handle::of(pool)).copied().ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)
}

/// A pool with memory of a device.
pub(crate) fn find_of_device(call: &Call<'_>, pool: CUmemoryPool) -> Answer<Pool> {
    let found = find(call, pool)?;
    if found.is_located {
        say("memory of pools of the host, and of managed memory, is not simulated");
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    Ok(found)
}

impl State {
    /// Every device has a pool from the start.
    pub(crate) fn make_default_pools(&mut self) {
        for (number, index) in (0..).zip(0..self.devices.len()) {
            let pool = self.make_pool(Pool::new(number));
            if let Some(device) = self.devices.get_mut(index) {
                (device.default_pool, device.current_pool) = (pool, pool);
            }
        }
    }

    fn make_pool(&mut self, pool: Pool) -> Handle {
        let most = if pool.most == 0 { u64::MAX } else { pool.most };
        let handle = self.pools.insert(pool);
        self.heap.add_pool(handle, pool.device, most);
        handle
    }

    pub(crate) fn is_default_pool(&self, pool: Handle) -> bool {
        let is_located = || self.located_pools.0.values().any(|located| *located == pool);
        self.devices.iter().any(|device| device.default_pool == pool) || is_located()
    }

    /// The pool of a place, which is made when it is first asked for.
    fn located(&mut self, place: Place) -> Handle {
        if let Some(known) = self.located_pools.0.get(&place) {
            return *known;
        }
        let pool = self.make_pool(Pool { is_located: true, ..Pool::new(0) });
        self.located_pools.0.insert(place, pool);
        pool
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn default(call: &mut Call<'_>, to: *mut CUmemoryPool, device: CUdevice) -> Answer {
    let pool = call.state.device(device)?.default_pool;
    // SAFETY: the program's promise.
    unsafe { put(to, pool.pointer()) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn current(call: &mut Call<'_>, to: *mut CUmemoryPool, device: CUdevice) -> Answer {
    let pool = with_pools(call, device)?.current_pool;
    // SAFETY: the program's promise.
    unsafe { put(to, pool.pointer()) }
}

/// For a device that there is not, most functions say that a value is invalid (measured).
fn with_pools<'call>(call: &'call mut Call<'_>, device: CUdevice) -> Answer<&'call mut Device> {
    let found = usize::try_from(device).ok().and_then(|device| call.state.devices.get_mut(device));
    found.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)
}

pub(crate) fn set_current(call: &mut Call<'_>, device: CUdevice, pool: CUmemoryPool) -> Answer {
    let found = find(call, pool)?;
    let device = with_pools(call, device).ok().filter(|_| found.device == device && !found.is_located);
    device.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?.current_pool = Handle::of(pool);
    Ok(())
}

/// The device that pools of a kind of memory, in a place, are of. Those of the host and of managed memory are not
/// simulated.
fn device_of(call: &Call<'_>, kind: CUmemAllocationType, location: &CUmemLocation) -> Answer<CUdevice> {
    let invalid = Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    let lacks = |what: &str| {
        say(&format!("memory pools of {what} are not simulated"));
        Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
    };
    let has = |attribute: DeviceAttribute| {
        let is_known = call.state.require(since::DEVICE_ATTRIBUTES, attribute.0).is_ok();
        is_known && call.state.limit_of(0, attribute) != 0
    };
    // SAFETY: places of these kinds hold a number, and all numbers are valid.
    let number = unsafe { location.__bindgen_anon_1.id };
    let place = location.type_;
    if kind == AllocationType::CU_MEM_ALLOCATION_TYPE_MANAGED {
        // They came with those of the host.
        return match has(DeviceAttribute::CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED) {
            true => lacks("managed memory"),
            false => invalid,
        };
    }
    match place {
        _ if kind != AllocationType::CU_MEM_ALLOCATION_TYPE_PINNED => invalid,
        LocationType::CU_MEM_LOCATION_TYPE_DEVICE if call.state.device(number).is_ok() => Ok(number),
        LocationType::CU_MEM_LOCATION_TYPE_HOST
            if has(DeviceAttribute::CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED) =>
        {
            lacks("the host's memory")
        }
        LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA
            if number == 0 && has(DeviceAttribute::CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED) =>
        {
            lacks("the host's memory")
        }
        _ => invalid,
    }
}

/// The place of a pool that is no device's; `None` if it is a device's, or if there is no such place. The host and its first node
/// have one pool (measured; of managed memory it is not).
///
/// # Safety
///
/// `location` is null or valid for a read.
unsafe fn place_at(
    call: &Call<'_>,
    kind: CUmemAllocationType,
    location: *const CUmemLocation,
) -> Answer<Option<Place>> {
    if location.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so valid for a read.
    let location = unsafe { location.read() };
    let has = |attribute: DeviceAttribute| {
        let is_known = call.state.require(since::DEVICE_ATTRIBUTES, attribute.0).is_ok();
        is_known && call.state.limit_of(0, attribute) != 0
    };
    if !has(DeviceAttribute::CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED) {
        return Ok(None);
    }
    // SAFETY: places of these kinds hold a number, and all numbers are valid.
    let number = unsafe { location.__bindgen_anon_1.id };
    let is_managed = kind == AllocationType::CU_MEM_ALLOCATION_TYPE_MANAGED;
    let is_pinned = kind == AllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
    let host = LocationType::CU_MEM_LOCATION_TYPE_HOST;
    let place = match location.type_ {
        LocationType::CU_MEM_LOCATION_TYPE_HOST if is_managed || is_pinned => Some((host, 0)),
        LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA if is_pinned && number == 0 => Some((host, 0)),
        LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA if is_managed && number == 0 => {
            Some((location.type_, number))
        }
        LocationType::CU_MEM_LOCATION_TYPE_DEVICE if is_managed && call.state.device(number).is_ok() => {
            Some((location.type_, number))
        }
        LocationType::CU_MEM_LOCATION_TYPE_NONE if is_managed => Some((location.type_, 0)),
        _ => None,
    };
    match place {
        Some((location, number)) => Ok(Some((kind.0, location.0, number))),
        None if is_managed => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        None => Ok(None),
    }
}

/// The same of a place as the program gives it.
///
/// # Safety
///
/// `location` is null or valid for a read.
unsafe fn device_at(
    call: &Call<'_>,
    kind: CUmemAllocationType,
    location: *const CUmemLocation,
) -> Answer<CUdevice> {
    if location.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so valid for a read.
    device_of(call, kind, &unsafe { location.read() })
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn default_of(
    call: &mut Call<'_>,
    to: *mut CUmemoryPool,
    location: *mut CUmemLocation,
    kind: CUmemAllocationType,
) -> Answer {
    // SAFETY: the program's promise.
    if let Some(place) = unsafe { place_at(call, kind, location) }? {
        let pool = call.state.located(place);
        // SAFETY: the program's promise.
        return unsafe { put(to, pool.pointer()) };
    }
    // SAFETY: the program's promise.
    let device = unsafe { device_at(call, kind, location) }?;
    // SAFETY: the program's promise.
    unsafe { default(call, to, device) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn current_of(
    call: &mut Call<'_>,
    to: *mut CUmemoryPool,
    location: *mut CUmemLocation,
    kind: CUmemAllocationType,
) -> Answer {
    // SAFETY: the program's promise.
    if let Some(place) = unsafe { place_at(call, kind, location) }? {
        let pool = call.state.located(place);
        // SAFETY: the program's promise.
        return unsafe { put(to, pool.pointer()) };
    }
    // SAFETY: the program's promise.
    let device = unsafe { device_at(call, kind, location) }?;
    // SAFETY: the program's promise.
    unsafe { current(call, to, device) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_current_of(
    call: &mut Call<'_>,
    location: *mut CUmemLocation,
    kind: CUmemAllocationType,
    pool: CUmemoryPool,
) -> Answer {
    // SAFETY: the program's promise.
    if let Some(place) = unsafe { place_at(call, kind, location) }? {
        // The first node has the host's pool, which is made current for the host alone (measured).
        // SAFETY: not null, or it had no place; so valid for a read.
        let given = unsafe { location.read() };
        let is_it = call.state.located(place) == Handle::of(pool) && place.1 == given.type_.0;
        return if is_it { Ok(()) } else { Err(CUresult::CUDA_ERROR_INVALID_VALUE) };
    }
    // SAFETY: the program's promise.
    let device = unsafe { device_at(call, kind, location) }?;
    set_current(call, device, pool)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create(
    call: &mut Call<'_>,
    to: *mut CUmemoryPool,
    props: *const CUmemPoolProps,
) -> Answer {
    let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
    check_out(to)?;
    if props.is_null() {
        return Err(invalid);
    }
    // SAFETY: not null, so valid for a read.
    let props = unsafe { props.read() };
    // What a newer release has a meaning for was reserved before.
    let is_new = props.gpuDirectRDMACapable != 0 && call.state.config.driver_version <= MEASURED;
    let is_reserved = props.reserved.iter().any(|byte| *byte != 0);
    if is_reserved || is_new || !props.win32SecurityAttributes.is_null() {
        return Err(invalid);
    }
    let is_of_host = props.location.type_ == LocationType::CU_MEM_LOCATION_TYPE_HOST;
    let is_shared = props.handleTypes != HandleType::CU_MEM_HANDLE_TYPE_NONE;
    if is_of_host && is_shared {
        return Err(invalid);
    }
    let device = device_of(call, props.allocType, &props.location)?;
    let known = DeviceAttribute::CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES;
    let (handle_types, most) = (props.handleTypes.0, props.maxSize as u64);
    if u64::from(handle_types) & !call.state.limit_of(device, known) != 0 {
        return Err(invalid);
    }
    // As measured; any use is taken, and makes no difference.
    if most > call.state.profile(device).total_memory {
        return Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY);
    }
    let pool = call.state.make_pool(Pool { handle_types, most, ..Pool::new(device) });
    // SAFETY: the program's promise.
    unsafe { put(to, pool.pointer()) }
}

/// What is in use stays until it is freed. Default pools cannot be destroyed (measured).
pub(crate) fn destroy(call: &mut Call<'_>, pool: CUmemoryPool) -> Answer {
    let device = find(call, pool)?.device;
    let pool = Handle::of(pool);
    if call.state.is_default_pool(pool) {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let device = with_pools(call, device)?;
    if device.current_pool == pool {
        device.current_pool = device.default_pool;
    }
    if call.state.heap.destroy_pool(pool) {
        call.state.pools.remove(pool);
    } else {
        // No other gets its handle, by which its memory is known.
        call.state.pools.suspend(pool);
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn alloc(
    call: &mut Call<'_>,
    to: *mut CUdeviceptr,
    bytes: usize,
    pool: CUmemoryPool,
    stream: CUstream,
) -> Answer {
    find_of_device(call, pool)?;
    let on = call.state.stream(stream)?;
    // SAFETY: the program's promise.
    unsafe { alloc_on(call, Handle::of(pool), on, to, bytes) }
}

/// Allocates for work on a stream. Where memory is short, what is queued to be freed is used again.
///
/// # Safety
///
/// `to` is null or valid for a write.
pub(crate) unsafe fn alloc_on(
    call: &mut Call<'_>,
    pool: Handle,
    on: (StreamId, Handle),
    to: *mut CUdeviceptr,
    bytes: usize,
) -> Answer {
    check_out(to)?;
    if call.state.is_captured(on)? {
        if bytes == 0 {
            // SAFETY: the caller's promise.
            return unsafe { put(to, 0) };
        }
        let address = call.state.append_allocation(on, bytes as u64)?;
        // SAFETY: the caller's promise.
        return unsafe { put(to, address) };
    }
    call.state.check_unsafe()?;
    if bytes == 0 {
        // Nothing of a pool is something to have (measured).
        // SAFETY: the caller's promise.
        return unsafe { put(to, 0) };
    }
    let (context, size) = (on.1, bytes as u64);
    let policy = find(call, pool.pointer())?.reuse.map(|policy| policy != 0);
    let [_, opportunist, _] = policy;
    let only = (!opportunist).then_some(on.0);
    let state = &mut *call.state;
    let mut address = state.reuse(pool, on, size, &state.in_order(pool, on.0, size, policy));
    if address.is_none() {
        address = state.heap.allocate_from_pool(pool, context, size, only);
    }
    if address.is_none() {
        address = state.reuse(pool, on, size, &state.by_waiting(pool, on.0, policy));
    }
    if let Some(address) = address {
        // SAFETY: the caller's promise.
        return unsafe { put(to, address) };
    }
    // Several pieces together may be enough.
    let awaited = call.state.to_be_freed(pool);
    call.wait_then(awaited, move |state| {
        let allocated = state.heap.allocate_from_pool(pool, context, size, None);
        // SAFETY: the caller's promise; the call has not returned.
        unsafe { put(to, allocated.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?) }
    })
}

impl State {
    /// The pool that memory is of, also if that is destroyed (measured); none, if it is not of one.
    pub(crate) fn pool_of(&self, found: &Allocation) -> Handle {
        self.heap.pool_of(found.base).unwrap_or(Handle::NULL)
    }
}
