//! Peer access, and the properties of devices towards each other.

#![allow(unsafe_code)]

use crate::collections::IdSet;
use crate::config::PeerLink;
use crate::driver::handles::{Handle, new_id};
use crate::driver::rules::since;
use crate::driver::{Answer, Call, State, put};
use core::ffi::{c_int, c_uint};
use cuda_sys::{
    CUatomicOperation, CUatomicOperation_enum, CUcontext, CUdevice, CUdevice_P2PAttribute,
    CUdevice_P2PAttribute_enum as P2P, CUdevice_attribute_enum as Attribute, CUresult,
};

/// Returns whether a device can access the memory of a peer: see [`Config::link_between`].
///
/// A device is not its own peer (measured).
///
/// [`Config::link_between`]: crate::Config::link_between
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn can_access(
    call: &mut Call<'_>,
    can: *mut c_int,
    device: CUdevice,
    peer: CUdevice,
) -> Answer {
    call.state.device(device)?;
    call.state.device(peer)?;
    // SAFETY: the program's promise.
    unsafe { put(can, c_int::from(call.state.can_access(device, peer))) }
}

/// Checks that two devices exist and differ. A device has no properties towards itself (measured).
fn check_two(call: &Call<'_>, device: CUdevice, peer: CUdevice) -> Answer {
    call.state.device(device)?;
    call.state.device(peer)?;
    if device == peer { Err(CUresult::CUDA_ERROR_INVALID_DEVICE) } else { Ok(()) }
}

/// Returns an attribute of two devices. The devices are checked before the attribute (measured).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn attribute(
    call: &mut Call<'_>,
    value: *mut c_int,
    attribute: CUdevice_P2PAttribute,
    device: CUdevice,
    peer: CUdevice,
) -> Answer {
    check_two(call, device, peer)?;
    call.state.require(since::PEER_ATTRIBUTES, attribute.0)?;
    let link = call.state.link_between(device, peer);
    let can = |what: fn(PeerLink) -> bool| c_int::from(link.is_some_and(what));
    let known = match attribute {
        P2P::CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK => {
            link.unwrap_or(call.state.config.peer_link).performance_rank
        }
        P2P::CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED => can(|_| true),
        P2P::CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED => can(|link| link.native_atomics),
        P2P::CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED => can(|link| link.arrays),
        P2P::CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED => {
            can(|link| link.only_partial_native_atomics)
        }
        _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    };
    // SAFETY: the program's promise.
    unsafe { put(value, known) }
}

/// Returns the forms in which atomic operations are native in a peer's memory. Two H200s report none, although their
/// attribute says that all operations are native.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn atomic_capabilities(
    call: &mut Call<'_>,
    capabilities: *mut c_uint,
    operations: *const CUatomicOperation,
    count: c_uint,
    device: CUdevice,
    peer: CUdevice,
) -> Answer {
    check_two(call, device, peer)?;
    let native = call.state.link_between(device, peer).map_or(0, |link| link.atomic_capabilities);
    // SAFETY: the program's promise.
    unsafe { put_capabilities(capabilities, operations, count, native) }
}

/// Returns the forms in which atomic operations are native in the host's memory.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn host_atomic_capabilities(
    call: &mut Call<'_>,
    capabilities: *mut c_uint,
    operations: *const CUatomicOperation,
    count: c_uint,
    device: CUdevice,
) -> Answer {
    let native = Attribute::CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED;
    call.state.device(device)?;
    if call.state.limit_of(device, native) != 0 {
        crate::console::say("native atomic operations in the host's memory are not simulated");
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    // SAFETY: the program's promise.
    unsafe { put_capabilities(capabilities, operations, count, 0) }
}

/// # Safety
///
/// Each pointer is null or valid for `count` elements: `capabilities` for writes, `operations` for
/// reads.
unsafe fn put_capabilities(
    capabilities: *mut c_uint,
    operations: *const CUatomicOperation,
    count: c_uint,
    native: c_uint,
) -> Answer {
    if count == 0 || capabilities.is_null() || operations.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    for index in 0..count as usize {
        // SAFETY: within `count` elements.
        let operation = unsafe { operations.add(index) };
        // SAFETY: likewise.
        let capability = unsafe { capabilities.add(index) };
        // SAFETY: as above, and valid for a read.
        let operation = unsafe { operation.read() };
        let is_known = operation.0 < CUatomicOperation_enum::CU_ATOMIC_OPERATION_MAX.0;
        // SAFETY: as above, and valid for a write. An unknown operation gets a zero, too (measured).
        unsafe { put(capability, if is_known { native } else { 0 }) }?;
        if !is_known {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
    }
    Ok(())
}

/// Enables peer access from the current context to another one. The order of the errors was measured.
pub(crate) fn enable(call: &mut Call<'_>, peer: CUcontext, flags: c_uint) -> Answer {
    let peer = peer_of(call.state, peer)?;
    if flags != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let own = call.state.live_context(call.context)?;
    let device = call.state.live_context(peer)?.device;
    if !call.state.can_access(own.device, device) {
        return Err(CUresult::CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
    }
    if own.peers.contains(peer) {
        return Err(CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    }
    if call.state.config.max_peers.is_some_and(|most| call.state.peers_of(own.device, device) >= most) {
        return Err(CUresult::CUDA_ERROR_TOO_MANY_PEERS);
    }
    let own = call.context;
    if let Some(own) = call.state.contexts.get_mut(own) {
        own.peers.insert(peer, new_id());
    }
    Ok(())
}

pub(crate) fn disable(call: &mut Call<'_>, peer: CUcontext) -> Answer {
    let peer = peer_of(call.state, peer)?;
    let own = call.context;
    let was_enabled = call.state.contexts.get_mut(own).is_some_and(|own| own.peers.remove(peer).is_some());
    if was_enabled { Ok(()) } else { Err(CUresult::CUDA_ERROR_PEER_ACCESS_NOT_ENABLED) }
}

fn peer_of(state: &State, peer: CUcontext) -> Answer<Handle> {
    let peer = Handle::of(peer);
    state.live_context(peer).map(|_| state.context_behind(peer))
}

impl State {
    /// Returns how many devices other than `except` a device has access to, through its contexts or by opening their
    /// memory.
    pub(crate) fn peers_of(&self, device: CUdevice, except: CUdevice) -> u32 {
        let own = self.contexts.iter().filter(|(_, context)| context.device == device);
        let peers = own.flat_map(|(_, context)| context.peers.keys());
        let enabled = peers.filter_map(|peer| self.contexts.get(peer)).map(|peer| peer.device);
        let devices: IdSet<CUdevice> = enabled.chain(self.heap.openings.peers(device)).collect();
        devices.iter().filter(|peer| *peer != except).count() as u32
    }
}
