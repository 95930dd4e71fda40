//! Memory and events that processes of one computer share.
//!
//! A handle is 64 bytes: what it names, and how the block behind that is found. Whoever opens it maps the block, so that
//! memory stays valid there whatever becomes of it in the process that it is of. As on hardware, allocations that share
//! a page are all within reach of kernels then.
//!
//! Opened memory is in the addresses of the device whose context opened it. It does not count as that device's memory in
//! use, since it is in use where it was allocated.

#![allow(unsafe_code)]

use crate::collections::IdMap;
use crate::console;
use crate::driver::handles::Handle;
use crate::driver::memory::device_memory::free_when_done;
use crate::driver::memory::heap::Kind;
use crate::driver::memory::host_block::{Block, Name, Refusal};
use crate::driver::memory::pages::{Backing, PAGE};
use crate::driver::processes::ipc_event::Marks;
use crate::driver::queues::event::Event;
use crate::driver::{Answer, Call, State, check_out, put};
use core::ffi::{c_char, c_uint};
use cuda_sys::{
    CUdevice, CUdevice_attribute_enum as Attribute, CUdeviceptr, CUevent, CUipcEventHandle,
    CUipcMem_flags_enum, CUipcMemHandle, CUresult,
};
use std::sync::{Arc, Once};

const SIZE: usize = cuda_sys::CU_IPC_HANDLE_SIZE as usize;

/// What a handle names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Subject {
    Memory = 1,
    Event = 2,
}

/// What the bytes of a handle say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ticket {
    subject: Subject,
    name: Name,
    /// The place of the device in the computer.
    device: u32,
    /// Of memory: where it is in the block, its size, and what tells it from all that was ever there.
    offset: u64,
    size: u64,
    serial: u64,
}

impl Ticket {
    const BEGINNING: &[u8] = b"cudasim";

    fn write(&self) -> [c_char; SIZE] {
        let mut bytes = Self::BEGINNING.to_vec();
        bytes.push(self.subject as u8);
        bytes.extend(self.name.process.to_ne_bytes());
        bytes.extend(self.name.file.to_ne_bytes());
        bytes.extend(self.device.to_ne_bytes());
        for number in [self.name.nonce, self.offset, self.size, self.serial] {
            bytes.extend(number.to_ne_bytes());
        }
        let mut handle = [0; SIZE];
        for (to, from) in handle.iter_mut().zip(bytes) {
            *to = c_char::from_ne_bytes([from]);
        }
        handle
    }

    /// `None` if the bytes are no handle of this subject.
    fn read(handle: &[c_char; SIZE], subject: Subject) -> Option<Ticket> {
        let bytes = handle.map(|byte| byte.to_ne_bytes()[0]);
        let mut rest = bytes.strip_prefix(Self::BEGINNING)?.strip_prefix(&[subject as u8])?;
        fn part<const LEN: usize>(rest: &mut &[u8]) -> Option<[u8; LEN]> {
            let (part, after) = rest.split_first_chunk()?;
            *rest = after;
            Some(*part)
        }
        let process = u32::from_ne_bytes(part(&mut rest)?);
        let file = i32::from_ne_bytes(part(&mut rest)?);
        let device = u32::from_ne_bytes(part(&mut rest)?);
        let mut number = || Some(u64::from_ne_bytes(part(&mut rest)?));
        let name = Name { process, file, nonce: number()? };
        let ticket = Ticket { subject, name, device, offset: number()?, size: number()?, serial: number()? };
        rest.iter().all(|byte| *byte == 0).then_some(ticket)
    }

    /// The same, of another process: this one's own cannot be opened (measured). `wrong` is for bytes that are no handle.
    fn of_another(handle: &[c_char; SIZE], subject: Subject, wrong: CUresult) -> Answer<Ticket> {
        let ticket = Ticket::read(handle, subject).ok_or(wrong)?;
        if ticket.name.process == std::process::id() {
            return Err(CUresult::CUDA_ERROR_INVALID_CONTEXT);
        }
        Ok(ticket)
    }
}

/// Memory that was opened.
struct Opened {
    ticket: Ticket,
    context: Handle,
    device: CUdevice,
    /// The device whose memory it is, if that is another one.
    peer: Option<CUdevice>,
    /// How often it was opened and not closed.
    uses: u64,
}

/// What was opened of other processes, by addresses.
#[derive(Default)]
pub(crate) struct Openings {
    opened: IdMap<u64, Opened>,
}

impl Openings {
    /// Notes that an allocation is gone.
    pub(crate) fn forget(&mut self, base: u64) {
        self.opened.remove(base);
    }

    /// The other devices whose memory is open on a device.
    pub(crate) fn peers(&self, device: CUdevice) -> impl Iterator<Item = CUdevice> {
        self.opened.values().filter(move |opened| opened.device == device).filter_map(|opened| opened.peer)
    }
}

impl State {
    /// Whether a device, and the system, let processes share anything.
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

    /// The device at a place in the computer, if it is another one than `device` but within its reach. `Err(())` if it is
    /// not.
    fn neighbour(&self, device: CUdevice, place: u32) -> Result<Option<CUdevice>, ()> {
        let there = (0..).zip(&self.devices).find(|(_, known)| known.place() == place);
        match there {
            Some((other, _)) if other == device => Ok(None),
            Some((other, _)) if self.can_access(device, other) => Ok(Some(other)),
            _ => Err(()),
        }
    }
}

/// Of the whole allocation, wherever in it the address is (measured).
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
    let ticket = Ticket { subject, name, device, offset, size: found.size, serial: found.id };
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
    // It is the only flag, and has to be there.
    // Other flags beside it are not looked at (measured).
    if flags & CUipcMem_flags_enum::CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS.0 == 0 {
        return Err(invalid);
    }
    let context = call.context;
    let device = call.state.live_context(context)?.device;
    call.state.check_sharing(device)?;
    let ticket = Ticket::of_another(&handle.reserved, Subject::Memory, invalid)?;
    // What the context has open already is the same (measured).
    let opened = &mut call.state.heap.openings.opened;
    let is_same = |open: &Opened| open.context == context && open.ticket == ticket;
    let same = opened.iter().find(|(_, open)| is_same(open)).map(|(base, _)| base);
    if let Some((base, open)) = same.and_then(|base| Some((base, opened.get_mut(base)?))) {
        open.uses += 1;
        // SAFETY: the program's promise.
        return unsafe { put(to, base) };
    }
    // Memory of one device of another process is for one context of each device (the code is measured).
    let of_same = |open: &Opened| {
        open.ticket.name.process == ticket.name.process
            && (open.ticket.device, open.device) == (ticket.device, device)
    };
    if opened.values().any(|open| of_same(open) && open.context != context) {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    let peer = call.state.neighbour(device, ticket.device);
    let peer = peer.map_err(|()| CUresult::CUDA_ERROR_MAP_FAILED)?;
    if let (Some(peer), Some(most)) = (peer, call.state.config.most_peers)
        && call.state.peers_of(device, peer) >= most
    {
        return Err(CUresult::CUDA_ERROR_TOO_MANY_PEERS);
    }
    let base = open_part(call.state, &ticket, device, context)?;
    call.state.heap.openings.opened.insert(base, Opened { ticket, context, device, peer, uses: 1 });
    // SAFETY: the program's promise.
    unsafe { put(to, base) }
}

/// Maps what a ticket names. Of one block all is mapped in one piece (measured).
fn open_part(state: &mut State, ticket: &Ticket, device: CUdevice, context: Handle) -> Answer<CUdeviceptr> {
    let is_beside = |open: &Opened| open.context == context && open.ticket.name == ticket.name;
    let beside = state.heap.openings.opened.iter().find(|(_, open)| is_beside(open));
    let there = beside.and_then(|(base, open)| (base - open.ticket.offset).checked_add(ticket.offset));
    if let Some(base) = there.and_then(|base| state.heap.open_part(device, context, base, ticket.size)) {
        return Ok(base);
    }
    let block = Block::open(ticket.name).map_err(|refusal| match refusal {
        Refusal::Gone => CUresult::CUDA_ERROR_INVALID_VALUE,
        Refusal::NotMapped => CUresult::CUDA_ERROR_MAP_FAILED,
    })?;
    let len = block.len() as u64;
    let fits = ticket.offset.checked_add(ticket.size).is_some_and(|end| end <= len);
    if !fits || ticket.size == 0 || !len.is_multiple_of(PAGE) {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let start = state.heap.adopt(device, context, Backing::of(block));
    let base = start.map(|start| start + ticket.offset);
    let opened = base.and_then(|base| state.heap.open_part(device, context, base, ticket.size));
    opened.ok_or(CUresult::CUDA_ERROR_MAP_FAILED)
}

/// The last use of the memory ends after the work of its context, as when memory is freed (measured).
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
    // From now on it is opened anew, though it is not unmapped yet.
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
    let ticket = Ticket { subject: Subject::Event, name, device, offset: 0, size: 0, serial: 0 };
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
    let ticket = Ticket::of_another(&handle.reserved, Subject::Event, failed)?;
    let reached = call.state.neighbour(device, ticket.device);
    reached.map_err(|()| CUresult::CUDA_ERROR_PEER_ACCESS_UNSUPPORTED)?;
    let marks = Marks::open(ticket.name).map_err(|_| failed)?;
    let event = call.state.events.insert(Event::opened(call.context, Arc::new(marks)));
    // SAFETY: the program's promise.
    unsafe { put(to, event.pointer()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_read_as_they_were_written() {
        let name = Name { process: 1, file: 2, nonce: 3 };
        let ticket =
            Ticket { subject: Subject::Memory, name, device: 4, offset: 5, size: 6, serial: u64::MAX };
        let bytes = ticket.write();
        assert_eq!(Ticket::read(&bytes, Subject::Memory), Some(ticket));
        assert_eq!(Ticket::read(&bytes, Subject::Event), None);
        for (place, change) in [(0, 1), (SIZE - 1, 1)] {
            let mut other = bytes;
            other[place] ^= change;
            assert_eq!(Ticket::read(&other, Subject::Memory), None);
        }
        assert_eq!(Ticket::read(&[0; SIZE], Subject::Memory), None);
    }
}
