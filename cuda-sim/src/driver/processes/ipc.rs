//! Memory and events that processes of one computer share.
//!
//! A handle has 64 bytes: the kind and the place of the object, and the name of its block. A
//! process that opens the handle maps the block. The memory stays valid in that process even after
//! the owner frees the memory. As on hardware, kernels can then access all allocations that share a page.
//!
//! Opened memory is at addresses of the device whose context opened it. It does not count as used memory of that
//! device, because it counts where it was allocated.

#![allow(unsafe_code)]

use crate::console;
use crate::driver::handles::Handle;
use crate::driver::memory::device_memory::free_when_done;
use crate::driver::memory::heap::Kind;
use crate::driver::memory::host_block::Block;
use crate::driver::memory::ipc_memory::{OpenedRange, ShareTicket, Subject, mapped_block};
use crate::driver::queues::event::Event;
use crate::driver::queues::ipc_event::SharedEvent;
use crate::driver::{Answer, Call, State, check_out, put};
use core::ffi::c_uint;
use cuda_sys::{
    CUdevice, CUdevice_attribute_enum as Attribute, CUdeviceptr, CUevent, CUipcEventHandle,
    CUipcMem_flags_enum, CUipcMemHandle, CUresult,
};
use std::sync::{Arc, Once};

impl State {
    /// Checks that a device and the system support sharing between processes.
    fn check_sharing(&self, device: CUdevice) -> Answer {
        static SAID: Once = Once::new();
        if !Block::CAN_BE_SHARED {
            SAID.call_once(|| console::say("processes cannot share memory and events on this system"));
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
        let supported = Attribute::CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED;
        if !self.is_unified(device) || self.limit_of(device, supported) == 0 {
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
        Ok(())
    }

    /// Returns the device at a position in the computer, or `None` for `device` itself. Returns
    /// `Err(())` if the device is not accessible from `device`, or not visible to the program.
    fn neighbour(&self, device: CUdevice, place: u32) -> Result<Option<CUdevice>, ()> {
        let there = (0..).zip(&self.devices).find(|(_, known)| known.place() == place);
        match there {
            Some((other, _)) if other == device => Ok(None),
            Some((other, _)) if self.can_access(device, other) => Ok(Some(other)),
            _ => Err(()),
        }
    }
}

/// Returns the handle of the whole allocation that contains the address (measured).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_mem_handle(
    call: &mut Call<'_>,
    to: *mut CUipcMemHandle,
    address: CUdeviceptr,
) -> Answer {
    check_out(to)?;
    let found = call.state.heap.holding(address, 1).filter(|found| found.kind == Kind::Plain);
    let found = *found.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    call.state.check_sharing(found.device)?;
    let device = call.state.device(found.device)?.place();
    let shared = call.state.heap.share(found.base);
    let (name, offset) = shared.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?;
    let subject = Subject::Memory;
    let ticket = ShareTicket { subject, name, device, offset, size: found.size, serial: found.id };
    // SAFETY: the program's promise.
    unsafe { put(to, CUipcMemHandle { reserved: ticket.write() }) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn open_mem_handle(
    call: &mut Call<'_>,
    to: *mut CUdeviceptr,
    handle: CUipcMemHandle,
    flags: c_uint,
) -> Answer {
    let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
    check_out(to)?;
    // This flag is required and the only existing one. Other flags are ignored (measured).
    if flags & CUipcMem_flags_enum::CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS.0 == 0 {
        return Err(invalid);
    }
    let context = call.context;
    let device = call.state.live_context(context)?.device;
    call.state.check_sharing(device)?;
    let ticket = ShareTicket::of_another(&handle.reserved, Subject::Memory, invalid)?;
    // Memory that the context has open already has the same address (measured).
    let opened = &mut call.state.heap.openings.opened;
    let is_same = |open: &OpenedRange| open.context == context && open.ticket == ticket;
    let same = opened.iter().find(|(_, open)| is_same(open)).map(|(base, _)| base);
    if let Some((base, open)) = same.and_then(|base| Some((base, opened.get_mut(base)?))) {
        open.uses += 1;
        // SAFETY: the program's promise.
        return unsafe { put(to, base) };
    }
    // Only one context of each device can open memory of one device of another process (the code is measured).
    let of_same = |open: &OpenedRange| {
        open.ticket.name.process == ticket.name.process
            && (open.ticket.device, open.device) == (ticket.device, device)
    };
    if opened.values().any(|open| of_same(open) && open.context != context) {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    let peer = call.state.neighbour(device, ticket.device);
    let peer = peer.map_err(|()| CUresult::CUDA_ERROR_MAP_FAILED)?;
    if let (Some(peer), Some(most)) = (peer, call.state.config.max_peers)
        && call.state.peers_of(device, peer) >= most
    {
        return Err(CUresult::CUDA_ERROR_TOO_MANY_PEERS);
    }
    let base = open_part(call.state, &ticket, device, context)?;
    call.state.heap.openings.opened.insert(base, OpenedRange { ticket, context, device, peer, uses: 1 });
    // SAFETY: the program's promise.
    unsafe { put(to, base) }
}

/// Maps the part of a ticket. All parts of one block are mapped in one piece (measured).
fn open_part(
    state: &mut State,
    ticket: &ShareTicket,
    device: CUdevice,
    context: Handle,
) -> Answer<CUdeviceptr> {
    let is_beside = |open: &OpenedRange| open.context == context && open.ticket.name == ticket.name;
    let beside = state.heap.openings.opened.iter().find(|(_, open)| is_beside(open));
    let there = beside.and_then(|(base, open)| (base - open.ticket.offset).checked_add(ticket.offset));
    if let Some(base) =
        there.and_then(|base| state.heap.open_part((device, context), Kind::Opened, base, ticket.size))
    {
        return Ok(base);
    }
    let base = mapped_block(state, ticket, (device, context), Kind::Opened)? + ticket.offset;
    let opened = state.heap.open_part((device, context), Kind::Opened, base, ticket.size);
    opened.ok_or(CUresult::CUDA_ERROR_MAP_FAILED)
}

/// Closes memory. After the last close, it is unmapped after the work of its context, like freed memory (measured).
pub(crate) fn close_mem_handle(call: &mut Call<'_>, address: CUdeviceptr) -> Answer {
    let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
    call.state.heap.starting_at(address).filter(|found| found.kind == Kind::Opened).ok_or(invalid)?;
    let opened = &mut call.state.heap.openings.opened;
    let open = opened.get_mut(address).ok_or(invalid)?;
    open.uses -= 1;
    if open.uses > 0 {
        return Ok(());
    }
    let context = open.context;
    // A later call opens it again, although it is not unmapped yet.
    opened.remove(address);
    call.state.heap.note_freed(address);
    free_when_done(call, address, context)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_event_handle(
    call: &mut Call<'_>,
    to: *mut CUipcEventHandle,
    event: CUevent,
) -> Answer {
    let invalid = CUresult::CUDA_ERROR_INVALID_HANDLE;
    let found = call.state.events.get(Handle::of(event)).filter(|found| found.is_for_processes());
    let found = found.ok_or(invalid)?;
    check_out(to)?;
    let device = call.state.live_context(found.context)?.device;
    call.state.check_sharing(device)?;
    let name = found.marks.as_ref().and_then(|marks| marks.name()).ok_or(invalid)?;
    let device = call.state.device(device)?.place();
    let ticket = ShareTicket { subject: Subject::Event, name, device, offset: 0, size: 0, serial: 0 };
    // SAFETY: the program's promise.
    unsafe { put(to, CUipcEventHandle { reserved: ticket.write() }) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn open_event_handle(
    call: &mut Call<'_>,
    to: *mut CUevent,
    handle: CUipcEventHandle,
) -> Answer {
    check_out(to)?;
    let device = call.state.live_context(call.context)?.device;
    call.state.check_sharing(device)?;
    let failed = CUresult::CUDA_ERROR_MAP_FAILED;
    let ticket = ShareTicket::of_another(&handle.reserved, Subject::Event, failed)?;
    let reached = call.state.neighbour(device, ticket.device);
    reached.map_err(|()| CUresult::CUDA_ERROR_PEER_ACCESS_UNSUPPORTED)?;
    let marks = SharedEvent::open(ticket.name).map_err(|_| failed)?;
    let event = call.state.events.insert(Event::opened(call.context, Arc::new(marks)));
    // SAFETY: the program's promise.
    unsafe { put(to, event.pointer()) }
}
