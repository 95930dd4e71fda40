//! The contents of IPC handles, and open memory of other processes.

use crate::collections::IdMap;
use crate::driver::handles::Handle;
use crate::driver::memory::heap::Kind;
use crate::driver::memory::host_block::{Block, Name, Refusal};
use crate::driver::memory::pages::{Backing, PAGE};
use crate::driver::{Answer, State};
use core::ffi::c_char;
use cuda_sys::{CUdevice, CUdeviceptr, CUresult};

pub(crate) const SIZE: usize = cuda_sys::CU_IPC_HANDLE_SIZE as usize;

/// Kind of object that a handle names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Subject {
    Memory = 1,
    Event = 2,
    Pool = 3,
    PoolMemory = 4,
}

/// Contents of a handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShareTicket {
    pub(crate) subject: Subject,
    pub(crate) name: Name,
    /// Position of the device in the computer.
    pub(crate) device: u32,
    /// For memory: its offset in the block, its size, and a unique number of the allocation. For memory of a pool: the
    /// number of the pool.
    pub(crate) offset: u64,
    pub(crate) size: u64,
    pub(crate) serial: u64,
}

impl ShareTicket {
    const BEGINNING: &[u8] = b"cudasim";

    pub(crate) fn write(&self) -> [c_char; SIZE] {
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

    /// Reads a handle. Returns `None` if the bytes are no handle of this subject.
    pub(crate) fn read(handle: &[c_char; SIZE], subject: Subject) -> Option<ShareTicket> {
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
        let ticket =
            ShareTicket { subject, name, device, offset: number()?, size: number()?, serial: number()? };
        rest.iter().all(|byte| *byte == 0).then_some(ticket)
    }

    /// Reads a handle of another process. A process cannot open its own handles (measured). `wrong` is the code for
    /// bytes that are no handle.
    pub(crate) fn of_another(
        handle: &[c_char; SIZE],
        subject: Subject,
        wrong: CUresult,
    ) -> Answer<ShareTicket> {
        let ticket = ShareTicket::read(handle, subject).ok_or(wrong)?;
        if ticket.name.process == std::process::id() {
            return Err(CUresult::CUDA_ERROR_INVALID_CONTEXT);
        }
        Ok(ticket)
    }
}

/// Memory that was opened.
pub(crate) struct OpenedRange {
    pub(crate) ticket: ShareTicket,
    pub(crate) context: Handle,
    pub(crate) device: CUdevice,
    /// Device of the memory, if it is another one.
    pub(crate) peer: Option<CUdevice>,
    /// Number of times that it was opened and not closed.
    pub(crate) uses: u64,
}

/// Open memory of other processes, by address.
#[derive(Default)]
pub(crate) struct OpenedRanges {
    pub(crate) opened: IdMap<u64, OpenedRange>,
    /// Memory of imported pools.
    pub(crate) of_pools: IdMap<u64, ShareTicket>,
}

impl OpenedRanges {
    /// Forgets an allocation that was freed.
    pub(crate) fn forget(&mut self, base: u64) {
        self.opened.remove(base);
        self.of_pools.remove(base);
    }

    /// Returns the other devices whose memory is open on a device.
    pub(crate) fn peers(&self, device: CUdevice) -> impl Iterator<Item = CUdevice> {
        self.opened.values().filter(move |opened| opened.device == device).filter_map(|opened| opened.peer)
    }
}

/// Maps the block of a ticket, as pages of a kind and an owner. Returns its start.
pub(crate) fn mapped_block(
    state: &mut State,
    ticket: &ShareTicket,
    owner: (CUdevice, Handle),
    kind: Kind,
) -> Answer<CUdeviceptr> {
    let block = Block::open(ticket.name).map_err(|refusal| match refusal {
        Refusal::Gone => CUresult::CUDA_ERROR_INVALID_VALUE,
        Refusal::NotMapped => CUresult::CUDA_ERROR_MAP_FAILED,
    })?;
    let len = block.len() as u64;
    let fits = ticket.offset.checked_add(ticket.size).is_some_and(|end| end <= len);
    // Blocks of the host may be longer than their pages, for the alignment in the process that made them.
    let is_whole = kind.is_host() || len.is_multiple_of(PAGE);
    if !fits || ticket.size == 0 || !is_whole {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    state.heap.adopt(owner, kind, Backing::of(block)).ok_or(CUresult::CUDA_ERROR_MAP_FAILED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_read_as_they_were_written() {
        let name = Name { process: 1, file: 2, nonce: 3 };
        let ticket =
            ShareTicket { subject: Subject::Memory, name, device: 4, offset: 5, size: 6, serial: u64::MAX };
        let bytes = ticket.write();
        assert_eq!(ShareTicket::read(&bytes, Subject::Memory), Some(ticket));
        assert_eq!(ShareTicket::read(&bytes, Subject::Event), None);
        for (place, change) in [(0, 1), (SIZE - 1, 1)] {
            let mut other = bytes;
            other[place] ^= change;
            assert_eq!(ShareTicket::read(&other, Subject::Memory), None);
        }
        assert_eq!(ShareTicket::read(&[0; SIZE], Subject::Memory), None);
    }
}
