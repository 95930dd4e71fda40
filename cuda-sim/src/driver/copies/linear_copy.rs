//! Copies of consecutive bytes.

#![allow(unsafe_code)]

use crate::driver::copies::pitched_copy::CopySide;
use crate::driver::copies::pitched_entry_points::{append_copy, bytes, line};
use crate::driver::handles::Handle;
use crate::driver::memory::device_memory::HOST_END;
use crate::driver::memory::heap::{Allocation, Kind};
use crate::driver::operations::duration;
use crate::driver::{Answer, Call, State};
use core::ffi::c_void;
use core::ptr::{NonNull, null_mut, with_exposed_provenance_mut};
use cuda_sys::{CUcontext, CUdevice, CUdeviceptr, CUmemorytype_enum as MemoryType, CUresult, CUstream};

/// Stream of calls that name none.
pub(crate) const DEFAULT_STREAM: CUstream = null_mut();

/// Moves bytes. Ranges may overlap.
///
/// # Safety
///
/// Both are valid for `len` bytes, and nothing else accesses them.
unsafe fn copy(to: NonNull<u8>, from: NonNull<u8>, len: usize) {
    // SAFETY: the caller's promise.
    unsafe { to.copy_from(from, len) };
}

/// One side of a copy.
enum Side {
    /// Memory that the driver knows, looked up again at its use. The second value identifies page-locked or managed
    /// memory.
    Known(u64, Option<u64>),
    /// Memory of the program, valid until the call returns.
    Host(NonNull<u8>),
    /// Contents of memory of the program at the time of the call.
    Staged(Vec<u8>),
}

// SAFETY: the program passes the pointer for use by the driver on any thread.
unsafe impl Send for Side {}

impl Side {
    /// Returns memory at a device address. The driver must know all of the memory. Memory of a host pool does not count,
    /// even if the device has access (conformance fact V1037).
    fn known(state: &State, address: u64, len: usize) -> Answer<Side> {
        if state.heap.holding(address, 1).is_some_and(Allocation::is_of_host_pool) {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        Side::known_by_host(state, address, len)
    }

    /// Returns the same for memory that may be at a host address.
    fn known_by_host(state: &State, address: u64, len: usize) -> Answer<Side> {
        state.check_known(address, len as u64).map(|()| Side::Known(address, state.host_memory_at(address)))
    }

    /// Returns memory of the host. Its first byte decides whether it counts as page-locked (measured) or managed. Device
    /// memory is copied, too (conformance fact V1226).
    fn host(state: &State, pointer: *const c_void, len: usize) -> Answer<Side> {
        let address = pointer.addr() as u64;
        if state.is_of_driver(address) {
            return Side::known_by_host(state, address, len);
        }
        NonNull::new(pointer.cast_mut().cast()).map(Side::Host).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)
    }

    /// Returns memory at an address that determines its kind itself.
    fn anywhere(state: &State, address: u64, len: usize) -> Answer<Side> {
        if address >= HOST_END || state.is_of_driver(address) {
            return Side::known_by_host(state, address, len);
        }
        Side::host(state, with_exposed_provenance_mut(address as usize), len)
    }

    /// Returns the side in the description of a graph node.
    fn described(&self, state: &State) -> CopySide {
        match self {
            Side::Known(address, _) if !state.is_host_memory(*address) => {
                bytes(MemoryType::CU_MEMORYTYPE_DEVICE, *address)
            }
            Side::Known(address, _) => bytes(MemoryType::CU_MEMORYTYPE_HOST, *address),
            Side::Host(pointer) => {
                bytes(MemoryType::CU_MEMORYTYPE_HOST, pointer.as_ptr().expose_provenance() as u64)
            }
            Side::Staged(_) => bytes(MemoryType::CU_MEMORYTYPE_HOST, 0),
        }
    }

    fn is_pageable(&self) -> bool {
        matches!(self, Side::Host(_))
    }

    fn is_device(&self, state: &State) -> bool {
        matches!(self, Side::Known(address, _) if !state.is_host_memory(*address))
    }

    fn always_waits(&self, state: &State, context: Handle) -> bool {
        matches!(self, Side::Known(address, _) if state.always_waits(context, *address))
    }

    /// Returns the failure of a copy whose memory no longer exists. Registered memory has a code of its own
    /// (conformance fact V940).
    fn code_if_gone(&self, state: &State) -> CUresult {
        let Side::Known(address, _) = self else { return CUresult::CUDA_ERROR_ILLEGAL_ADDRESS };
        match state.heap.holding(*address, 1).map(|found| found.kind) {
            Some(Kind::Registered { .. }) => CUresult::CUDA_ERROR_LAUNCH_FAILED,
            _ => CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
        }
    }

    /// Returns the bytes that the copy writes or reads now.
    fn resolve(&mut self, state: &State, len: usize, writes: bool) -> Answer<NonNull<u8>> {
        match self {
            // The memory existed when the copy was queued. Host memory that replaced it meanwhile does not belong to
            // the copy.
            Side::Known(address, host_memory) if state.host_memory_at(*address) != *host_memory => {
                Err(CUresult::CUDA_ERROR_INVALID_VALUE)
            }
            Side::Known(address, _) if writes => state.bytes(*address, len as u64),
            Side::Known(address, _) => state.bytes_to_read(*address, len as u64),
            Side::Host(pointer) => Ok(*pointer),
            Side::Staged(bytes) => {
                NonNull::new(bytes.as_mut_ptr()).ok_or(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS)
            }
        }
    }
}

/// Access of a copy between devices, found when it is queued and checked when it runs.
#[derive(Debug, Clone, Copy)]
enum AccessPath {
    /// Access from one context to the memory of another.
    Peer(Handle, Handle),
    /// Access to a pool from a device.
    Pool(Handle, CUdevice),
}

impl State {
    /// Returns whether an address is in memory, or in a reserved range, that the driver knows.
    fn is_of_driver(&self, address: u64) -> bool {
        self.heap.holding(address, 1).is_some() || self.heap.ranges.contains(address)
    }

    /// Returns whether this is an address of managed memory. A copy to or from it as memory of the host waits, even if
    /// it is asynchronous (measured).
    pub(crate) fn is_managed(&self, address: u64) -> bool {
        self.heap.holding(address, 1).is_some_and(|found| found.kind.is_managed())
    }

    /// Returns the access paths between the memory at two addresses that are open now.
    fn paths(&self, to: &Side, from: &Side) -> Vec<AccessPath> {
        let (Side::Known(to, _), Side::Known(from, _)) = (to, from) else { return Vec::new() };
        let (Some(to), Some(from)) = (self.heap.holding(*to, 1), self.heap.holding(*from, 1)) else {
            return Vec::new();
        };
        if to.device == from.device || to.kind.has_host_address() || from.kind.has_host_address() {
            return Vec::new();
        }
        let mut paths = Vec::new();
        for (own, other) in [(to, from), (from, to)] {
            let has_peer =
                |context: &crate::driver::contexts::context::Context| context.peers.contains(other.context);
            if !matches!(other.kind, Kind::Pool(_)) && self.contexts.get(own.context).is_some_and(has_peer) {
                paths.push(AccessPath::Peer(own.context, other.context));
            }
            if let Some(pool) = self.heap.pool_of(other.base)
                && self.heap.pool_reaches(pool, own.device)
            {
                paths.push(AccessPath::Pool(pool, own.device));
            }
        }
        paths
    }

    /// Returns whether the access of a copy on this path was revoked. Access that ended with its context does not count
    /// (measured).
    fn is_revoked(&self, path: AccessPath) -> bool {
        match path {
            AccessPath::Peer(own, peer) => {
                let is_off = self.contexts.get(own).is_some_and(|own| !own.peers.contains(peer));
                is_off && self.contexts.get(peer).is_some()
            }
            AccessPath::Pool(pool, device) => {
                self.heap.pool(pool).is_some() && !self.heap.pool_reaches(pool, device)
            }
        }
    }
}

/// Contexts of copies that name none.
pub(crate) const NO_CONTEXTS: (CUcontext, CUcontext) = (null_mut(), null_mut());

impl State {
    /// Returns the devices from which a copy accesses its two sides: those of the named contexts, or that of its
    /// stream.
    pub(crate) fn devices_of(
        &self,
        (to, from): (CUcontext, CUcontext),
        context: Handle,
    ) -> Answer<(CUdevice, CUdevice)> {
        let own = self.live_context(context)?.device;
        let device = |named| self.contexts.get(Handle::of(named)).map_or(own, |context| context.device);
        Ok((device(to), device(from)))
    }
}

/// Queues a copy by the device of its stream.
///
/// # Safety
///
/// Same as [`submit_from`].
unsafe fn submit(
    call: &mut Call<'_>,
    stream: CUstream,
    sides: (Side, Side),
    len: usize,
    synchronous: bool,
) -> Answer {
    let devices = call.state.devices_of(NO_CONTEXTS, call.state.stream_context(stream)?)?;
    // SAFETY: the caller's promise.
    unsafe { submit_from(call, stream, sides, devices, len, synchronous) }
}

/// Queues a copy. Waits for it if the call is `synchronous` and one side is memory of the host, and always if one side
/// is pageable memory.
///
/// # Safety
///
/// Memory of the program is valid for `len` bytes, and nothing else accesses it. This holds until the call returns if
/// the memory is pageable, else until the copy is done.
unsafe fn submit_from(
    call: &mut Call<'_>,
    stream: CUstream,
    (mut to, mut from): (Side, Side),
    devices: (CUdevice, CUdevice),
    len: usize,
    synchronous: bool,
) -> Answer {
    let (on_stream, context) = call.state.stream(stream)?;
    if call.state.is_captured((on_stream, context))? {
        let (to, from) = (to.described(call.state), from.described(call.state));
        return append_copy(call, (on_stream, context), (&to, &from, line(len)), devices);
    }
    if let Side::Known(address, _) = to {
        call.state.check_writable(address, len as u64)?;
    }
    let mut used = Vec::new();
    for (side, device, writes) in [(&to, devices.0, true), (&from, devices.1, false)] {
        if let Side::Known(address, _) = side
            && !call.state.heap.holding(*address, 1).is_some_and(Allocation::is_of_host_pool)
        {
            call.state.check_copy_reach(device, *address, len as u64, writes)?;
            used.push((device, *address, writes));
        }
    }
    let both_device = to.is_device(call.state) && from.is_device(call.state);
    let always_waits = [&to, &from].into_iter().any(|side| side.always_waits(call.state, context));
    let mut waits = synchronous && (!both_device || always_waits) || to.is_pageable();
    let is_known = waits;
    if let Side::Host(pointer) = from
        && !waits
    {
        if call.state.is_free(on_stream, context) {
            // The copy is done before the call returns.
            waits = true;
        } else {
            // SAFETY: the caller's promise.
            let bytes = unsafe { core::slice::from_raw_parts(pointer.as_ptr(), len) };
            from = Side::Staged(bytes.to_vec());
        }
    }
    let paths = call.state.paths(&to, &from);
    let gone = [&to, &from].map(|side| side.code_if_gone(call.state));
    let site = call.state.present.get();
    let queued = if call.state.order.is_some() { used.clone() } else { Vec::new() };
    let op = call.state.submit_memory_work((on_stream, context), duration(len), move |state| {
        // This is a sticky error (measured).
        if paths.iter().any(|path| state.is_revoked(*path)) {
            return Err(CUresult::CUDA_ERROR_LAUNCH_FAILED);
        }
        if let Side::Known(address, _) = from
            && !to.is_device(state)
        {
            state.check_copied_to_host([(address, len as u64)].into_iter(), site);
        }
        for (_, address, writes) in &used {
            state.note_use(*address, len as u64, *writes);
        }
        let to = to.resolve(state, len, true).map_err(|_| gone[0])?;
        let from = from.resolve(state, len, false).map_err(|_| gone[1])?;
        for (device, address, writes) in used {
            state.check_copy_still_open(device, address, len as u64, writes)?;
        }
        // SAFETY: both are valid: known memory was looked up just now, with the state locked; memory of the program is
        // its promise.
        unsafe { copy(to, from, len) };
        Ok(())
    });
    for (_, address, writes) in queued {
        call.state.note_queued_use(op, address, len as u64, writes);
    }
    match (waits, is_known) {
        (true, true) => call.wait_for_latest(op),
        (true, false) => call.wait_unknown(op),
        _ => {}
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn to_device(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    from: *const c_void,
    len: usize,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { host_to_device(call, to, from, len, DEFAULT_STREAM, true) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn to_device_async(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    from: *const c_void,
    len: usize,
    stream: CUstream,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { host_to_device(call, to, from, len, stream, false) }
}

/// # Safety
///
/// As the driver API demands.
unsafe fn host_to_device(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    from: *const c_void,
    len: usize,
    stream: CUstream,
    synchronous: bool,
) -> Answer {
    if len == 0 {
        return call.state.stream_context(stream).map(drop);
    }
    let sides = (Side::known(call.state, to, len)?, Side::host(call.state, from, len)?);
    let synchronous = synchronous || call.state.is_managed(from.addr() as u64);
    // SAFETY: the caller's promise.
    unsafe { submit(call, stream, sides, len, synchronous) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn to_host(call: &mut Call<'_>, to: *mut c_void, from: CUdeviceptr, len: usize) -> Answer {
    // SAFETY: the program's promise.
    unsafe { device_to_host(call, to, from, len, DEFAULT_STREAM, true) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn to_host_async(
    call: &mut Call<'_>,
    to: *mut c_void,
    from: CUdeviceptr,
    len: usize,
    stream: CUstream,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { device_to_host(call, to, from, len, stream, false) }
}

/// # Safety
///
/// As the driver API demands.
unsafe fn device_to_host(
    call: &mut Call<'_>,
    to: *mut c_void,
    from: CUdeviceptr,
    len: usize,
    stream: CUstream,
    synchronous: bool,
) -> Answer {
    if len == 0 {
        return call.state.stream_context(stream).map(drop);
    }
    let sides = (Side::host(call.state, to, len)?, Side::known(call.state, from, len)?);
    let synchronous = synchronous || call.state.is_managed(to.addr() as u64);
    // SAFETY: the caller's promise.
    unsafe { submit(call, stream, sides, len, synchronous) }
}

pub(crate) fn on_device(call: &mut Call<'_>, to: CUdeviceptr, from: CUdeviceptr, len: usize) -> Answer {
    between(call, (to, from), NO_CONTEXTS, len, (DEFAULT_STREAM, true))
}

pub(crate) fn on_device_async(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    from: CUdeviceptr,
    len: usize,
    stream: CUstream,
) -> Answer {
    between(call, (to, from), NO_CONTEXTS, len, (stream, false))
}

/// Copies between memory of devices. If `contexts` are given, access is that of their devices (measured).
fn between(
    call: &mut Call<'_>,
    (to, from): (CUdeviceptr, CUdeviceptr),
    contexts: (CUcontext, CUcontext),
    len: usize,
    (stream, synchronous): (CUstream, bool),
) -> Answer {
    if len == 0 {
        return call.state.stream_context(stream).map(drop);
    }
    if contexts != NO_CONTEXTS {
        // Copies between contexts cannot be captured (measured).
        let on = call.state.stream(stream)?;
        call.state.check_uncaptured(on)?;
    }
    let sides = (Side::known(call.state, to, len)?, Side::known(call.state, from, len)?);
    let devices = call.state.devices_of(contexts, call.state.stream_context(stream)?)?;
    // SAFETY: no side is pageable memory, and the driver knows all other memory.
    unsafe { submit_from(call, stream, sides, devices, len, synchronous) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn unified(call: &mut Call<'_>, to: CUdeviceptr, from: CUdeviceptr, len: usize) -> Answer {
    // SAFETY: the program's promise.
    unsafe { anywhere(call, to, from, len, DEFAULT_STREAM, true) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn unified_async(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    from: CUdeviceptr,
    len: usize,
    stream: CUstream,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { anywhere(call, to, from, len, stream, false) }
}

/// # Safety
///
/// As the driver API demands.
unsafe fn anywhere(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    from: CUdeviceptr,
    len: usize,
    stream: CUstream,
    synchronous: bool,
) -> Answer {
    let context = call.state.stream_context(stream)?;
    if len == 0 {
        return Ok(());
    }
    let device = call.state.live_context(context)?.device;
    if !call.state.is_unified(device) {
        // An address alone does not determine its kind.
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let sides = (Side::anywhere(call.state, to, len)?, Side::anywhere(call.state, from, len)?);
    let on = call.state.stream(stream)?;
    if call.state.is_captured(on)? {
        // A node has no other information about the memory (measured).
        let [to, from] = [to, from].map(|address| bytes(MemoryType::CU_MEMORYTYPE_UNIFIED, address));
        let devices = call.state.devices_of(NO_CONTEXTS, context)?;
        return append_copy(call, on, (&to, &from, line(len)), devices);
    }
    // SAFETY: the caller's promise.
    unsafe { submit(call, stream, sides, len, synchronous) }
}

/// Copies between contexts. The contexts are not compared with the pointers (measured).
pub(crate) fn peer(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    to_context: CUcontext,
    from: CUdeviceptr,
    from_context: CUcontext,
    len: usize,
) -> Answer {
    between(call, (to, from), (to_context, from_context), len, (DEFAULT_STREAM, true))
}

pub(crate) fn peer_async(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    to_context: CUcontext,
    from: CUdeviceptr,
    from_context: CUcontext,
    len: usize,
    stream: CUstream,
) -> Answer {
    between(call, (to, from), (to_context, from_context), len, (stream, false))
}
