//! Memory pools: default pools of devices and other locations, pools that programs create, and stream-ordered
//! allocation.

#![allow(unsafe_code)]

use crate::console::say;
use crate::driver::contexts::device::Device;
use crate::driver::handles::Handle;
use crate::driver::memory::heap::{Allocation, PoolSource};
use crate::driver::memory::pool_place::PoolPlace;
use crate::driver::operations::StreamId;
use crate::driver::{Answer, Call, State, check_out, put};
use core::ffi::{c_int, c_uint};
use cuda_sys::{
    CUdevice, CUdevice_attribute_enum as DeviceAttribute, CUdeviceptr,
    CUmemAllocationHandleType_enum as HandleType, CUmemAllocationType, CUmemLocation,
    CUmemLocationType_enum as LocationType, CUmemPoolProps, CUmemoryPool, CUresult, CUstream, DriverVersion,
};

/// Release for which the possible pools were measured.
const MEASURED: DriverVersion = DriverVersion::new(13, 0);
const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Properties of a pool apart from its memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pool {
    pub(crate) place: PoolPlace,
    /// Reuse of memory: after an event, opportunistic, and with internal dependencies.
    pub(crate) reuse: [c_int; 3],
    /// Types of handles for sharing its memory with other processes.
    pub(crate) handle_types: c_uint,
    /// Requested limit; 0 for none.
    pub(crate) most: u64,
    /// For an imported pool: the exported pool.
    pub(crate) original: Option<ExportedPool>,
    /// Number of times that it was imported and not destroyed.
    pub(crate) imports: u64,
}

/// Exported pool: its process, and its unique number in that process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ExportedPool {
    pub(crate) process: u32,
    pub(crate) serial: u64,
}

/// Pools of locations other than device memory: the default pools, and other current pools.
#[derive(Default)]
pub(crate) struct LocatedPools {
    defaults: Vec<(PoolPlace, Handle)>,
    current: Vec<(PoolPlace, Handle)>,
}

impl Pool {
    pub(crate) fn new(place: PoolPlace) -> Pool {
        let handle_types = HandleType::CU_MEM_HANDLE_TYPE_NONE.0;
        Pool { place, reuse: [1; 3], handle_types, most: 0, original: None, imports: 0 }
    }

    /// Returns whether the program still owns the pool. A created pool is owned until it is destroyed. An imported pool
    /// is owned until it is destroyed once for each import.
    pub(crate) fn is_owned(&self) -> bool {
        self.original.is_none() || self.imports > 0
    }

    /// Returns the device whose memory the pool uses, or prefers. 0 for pools of the host.
    pub(crate) fn device(&self) -> CUdevice {
        self.place.device().unwrap_or(0)
    }
}

pub(crate) fn find(call: &Call<'_>, pool: CUmemoryPool) -> Answer<Pool> {
    call.state.pools.get(Handle::of(pool)).copied().ok_or(INVALID)
}

/// Finds a pool of this process. An imported pool has no properties, and cannot allocate (measured).
pub(crate) fn find_own(call: &Call<'_>, pool: CUmemoryPool) -> Answer<Pool> {
    find(call, pool).and_then(|pool| if pool.original.is_none() { Ok(pool) } else { Err(INVALID) })
}

impl State {
    /// Creates the default pool of every device.
    pub(crate) fn make_default_pools(&mut self) {
        for (number, index) in (0..).zip(0..self.devices.len()) {
            let pool = self.make_pool(Pool::new(PoolPlace::of_device(number)));
            if let Some(device) = self.devices.get_mut(index) {
                (device.default_pool, device.current_pool) = (pool, pool);
            }
        }
    }

    pub(crate) fn make_pool(&mut self, pool: Pool) -> Handle {
        let most = if pool.most == 0 { u64::MAX } else { pool.most };
        let source = match pool.place.source() {
            source if pool.original.is_none() => source,
            PoolSource::Host => PoolSource::ImportedHost,
            _ => PoolSource::Imported,
        };
        let is_shared = pool.handle_types != HandleType::CU_MEM_HANDLE_TYPE_NONE.0;
        let handle = self.pools.insert(pool);
        self.heap.add_pool(handle, (pool.device(), source, pool.place.preferred()), (most, is_shared));
        handle
    }

    pub(crate) fn is_default_pool(&self, pool: Handle) -> bool {
        let is_located = || self.located_pools.defaults.iter().any(|(_, located)| *located == pool);
        self.devices.iter().any(|device| device.default_pool == pool) || is_located()
    }

    /// Returns the default pool of a location. Default pools of locations other than devices are created on first use.
    fn default_pool(&mut self, place: PoolPlace) -> Answer<Handle> {
        if place.source() == PoolSource::Device {
            return Ok(self.device(place.number)?.default_pool);
        }
        let place = place.of_default_pool();
        if let Some((_, known)) = self.located_pools.defaults.iter().find(|(of, _)| *of == place) {
            return Ok(*known);
        }
        let pool = self.make_pool(Pool::new(place));
        self.located_pools.defaults.push((place, pool));
        Ok(pool)
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn default(call: &mut Call<'_>, to: *mut CUmemoryPool, device: CUdevice) -> Answer {
    let pool = call.state.device(device)?.default_pool;
    call.state.check_pools(device)?;
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

/// Returns a device. Most functions report a missing device as an invalid value (measured).
fn with_pools<'call>(call: &'call mut Call<'_>, device: CUdevice) -> Answer<&'call mut Device> {
    call.state.device(device).map_err(|_| INVALID)?;
    call.state.check_pools(device)?;
    let found = usize::try_from(device).ok().and_then(|device| call.state.devices.get_mut(device));
    found.ok_or(INVALID)
}

/// Sets the current pool. Pools of the device's memory are accepted, and pools of managed memory that prefer the device
/// (measured).
pub(crate) fn set_current(call: &mut Call<'_>, device: CUdevice, pool: CUmemoryPool) -> Answer {
    let found = find_own(call, pool)?;
    let current = &mut with_pools(call, device)?.current_pool;
    if found.place.device() != Some(device) {
        return Err(INVALID);
    }
    *current = Handle::of(pool);
    call.state.heap.pool_mut(Handle::of(pool)).into_iter().for_each(|memory| memory.was_current = true);
    Ok(())
}

/// Returns the location for a query of its default or current pool. The location of the caller's current NUMA node has
/// no such pools.
///
/// # Safety
///
/// `location` is null or valid for a read.
unsafe fn place_at(
    call: &Call<'_>,
    kind: CUmemAllocationType,
    location: *const CUmemLocation,
) -> Answer<PoolPlace> {
    // SAFETY: the caller's promise.
    let place = unsafe { PoolPlace::at(call, kind, location) }?;
    let is_current_node = place.location == LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
    if is_current_node { Err(INVALID) } else { Ok(place) }
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
    let place = unsafe { place_at(call, kind, location) }?;
    let pool = call.state.default_pool(place)?;
    // SAFETY: the program's promise.
    unsafe { put(to, pool.pointer()) }
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
    let place = unsafe { place_at(call, kind, location) }?;
    if place.source() == PoolSource::Device {
        // SAFETY: the program's promise.
        return unsafe { current(call, to, place.number) };
    }
    let made = call.state.located_pools.current.iter().find(|(of, _)| *of == place).map(|(_, pool)| *pool);
    let pool = made.map_or_else(|| call.state.default_pool(place), Ok)?;
    // SAFETY: the program's promise.
    unsafe { put(to, pool.pointer()) }
}

/// Sets the current pool of a location. Only pools created for the location are accepted. The default pool of the first
/// NUMA node is a pool of the host, so it is refused for this node (measured).
///
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
    let place = unsafe { place_at(call, kind, location) }?;
    if place.source() == PoolSource::Device {
        return set_current(call, place.number, pool);
    }
    if find_own(call, pool)?.place != place {
        return Err(INVALID);
    }
    let current = &mut call.state.located_pools.current;
    current.retain(|(of, _)| *of != place);
    current.push((place, Handle::of(pool)));
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create(
    call: &mut Call<'_>,
    to: *mut CUmemoryPool,
    props: *const CUmemPoolProps,
) -> Answer {
    check_out(to)?;
    if props.is_null() {
        return Err(INVALID);
    }
    // SAFETY: not null, so valid for a read.
    let props = unsafe { props.read() };
    // Fields that a newer release uses were reserved before.
    let is_new = props.gpuDirectRDMACapable != 0 && call.state.config.driver_version <= MEASURED;
    let is_reserved = props.reserved.iter().any(|byte| *byte != 0);
    if is_reserved || is_new || !props.win32SecurityAttributes.is_null() {
        return Err(INVALID);
    }
    let is_of_host = props.location.type_ == LocationType::CU_MEM_LOCATION_TYPE_HOST;
    let is_shared = props.handleTypes != HandleType::CU_MEM_HANDLE_TYPE_NONE;
    if is_of_host && is_shared {
        return Err(INVALID);
    }
    let place = PoolPlace::of(call, props.allocType, &props.location)?;
    // Pools of managed memory have no such properties (measured).
    if place.is_managed() && (is_shared || props.maxSize != 0 || props.usage != 0) {
        return Err(INVALID);
    }
    let mut pool = Pool::new(place);
    (pool.handle_types, pool.most) = (props.handleTypes.0, props.maxSize as u64);
    let known = DeviceAttribute::CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES;
    if u64::from(pool.handle_types) & !call.state.limit_of(pool.device(), known) != 0 {
        return Err(INVALID);
    }
    // As measured. Every usage is accepted, without effect.
    if pool.most > call.state.profile(pool.device()).total_memory {
        return Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY);
    }
    let pool = call.state.make_pool(pool);
    // SAFETY: the program's promise.
    unsafe { put(to, pool.pointer()) }
}

/// Destroys a pool. Memory in use stays until it is freed; hardware may crash then (fact V1107). Default pools cannot be
/// destroyed. Imported pools whose memory is in use cannot be destroyed either (measured).
pub(crate) fn destroy(call: &mut Call<'_>, pool: CUmemoryPool) -> Answer {
    let found = find(call, pool)?;
    let pool = Handle::of(pool);
    let heap = &call.state.heap;
    let is_used = || heap.named().any(|memory| heap.pool_of(memory.base) == Some(pool));
    if call.state.is_default_pool(pool) || found.original.is_some() && is_used() {
        return Err(INVALID);
    }
    if found.original.is_some() {
        // It can be destroyed repeatedly (measured).
        if let Some(pool) = call.state.pools.get_mut(pool) {
            pool.imports = pool.imports.saturating_sub(1);
        }
        return Ok(());
    }
    let device = with_pools(call, found.device())?;
    if device.current_pool == pool {
        device.current_pool = device.default_pool;
    }
    call.state.located_pools.current.retain(|(_, current)| *current != pool);
    call.state.check_destroyed_pool(pool);
    if call.state.heap.destroy_pool(pool) {
        call.state.pools.remove(pool);
    } else {
        // The handle is not reused, because it identifies the pool's memory.
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
    find_own(call, pool)?;
    let on = call.state.stream(stream)?;
    // SAFETY: the program's promise.
    unsafe { alloc_on(call, Handle::of(pool), on, to, bytes) }
}

/// Allocates for work on a stream. `pool_reuse.rs` documents the sources of the memory, and their order. If all of them
/// fail, the call waits for queued frees.
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
        let source = find(call, pool.pointer())?.place.source();
        if source != PoolSource::Device {
            // Hardware refuses memory of the host, and accepts managed memory (measured).
            if source == PoolSource::Managed {
                say("captured allocations from pools of managed memory are not simulated");
            }
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
        let address = call.state.append_allocation(on, bytes as u64)?;
        // SAFETY: the caller's promise.
        return unsafe { put(to, address) };
    }
    call.state.check_unsafe()?;
    if bytes == 0 {
        // An empty allocation from a pool succeeds (measured). SAFETY: the caller's promise.
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
        state.note_allocated(on, address, size);
        // SAFETY: the caller's promise.
        return unsafe { put(to, address) };
    }
    // Several pieces together may suffice.
    let awaited = call.state.to_be_freed(pool);
    call.wait_then(awaited, move |state| {
        let allocated = state.heap.allocate_from_pool(pool, context, size, None);
        if let Some(address) = allocated {
            state.note_allocated(on, address, size);
        }
        // SAFETY: the caller's promise; the call has not returned.
        unsafe { put(to, allocated.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?) }
    })
}

impl State {
    /// Returns the pool of memory, even if the pool is destroyed (measured). Returns a null handle for memory outside
    /// of pools.
    pub(crate) fn pool_of(&self, found: &Allocation) -> Handle {
        self.heap.pool_of(found.base).unwrap_or(Handle::NULL)
    }
}
