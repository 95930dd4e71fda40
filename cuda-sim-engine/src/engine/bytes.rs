//! Single accesses of single lanes, for operations that are not worth a loop over lanes for each memory.

use super::super::op::{Address, Memories};
use super::access::space_of;
use super::bank::{Bank, Device, Parameters, Shared};
use super::space::{Addresses, Reach, Trouble};
use crate::fault::FaultKind;

/// A load from whichever bank it is.
fn load<B: Bank, const N: usize>(mut bank: B, lane: usize, offset: u64) -> Result<[u8; N], FaultKind> {
    if bank.holds(offset, N as u64) { Ok(bank.load(lane, offset)) } else { Err(B::FAULT) }
}

/// A store to whichever bank it is.
fn store<B: Bank, const N: usize>(
    mut bank: B,
    lane: usize,
    offset: u64,
    value: [u8; N],
) -> Result<(), FaultKind> {
    if !bank.holds(offset, N as u64) {
        return Err(B::FAULT);
    }
    bank.store(lane, offset, value);
    Ok(())
}

impl Reach<'_> {
    pub(super) fn addresses_of(&self, address: Address) -> Addresses {
        self.addresses(address.memory, address.base, address.offset)
    }

    /// Reads `N` bytes, a power of two up to 16, of which the address must be a multiple.
    pub(super) fn read_bytes<const N: usize>(
        &mut self,
        memory: Memories,
        lane: usize,
        address: u64,
    ) -> Result<[u8; N], Trouble> {
        let (found, window) = space_of(memory, address);
        let offset = address.wrapping_sub(window);
        let value = if !offset.is_multiple_of(N as u64) {
            Err(FaultKind::MisalignedAddress)
        } else {
            match found {
                Memories::Generic | Memories::Global => {
                    load(Device::new(self.memory, self.cache), lane, offset)
                }
                Memories::Shared => load(Shared(self.shared), lane, offset),
                Memories::Local => load(&mut *self.local, lane, offset),
                Memories::Parameter => load(Parameters(self.params), lane, offset),
            }
        };
        value.map_err(|kind| Trouble::at(kind, lane, address))
    }

    /// Writes `N` bytes, a power of two up to 16, of which the address must be a multiple.
    pub(super) fn write_bytes<const N: usize>(
        &mut self,
        memory: Memories,
        lane: usize,
        address: u64,
        value: [u8; N],
    ) -> Result<(), Trouble> {
        let (found, window) = space_of(memory, address);
        let offset = address.wrapping_sub(window);
        let outcome = if !offset.is_multiple_of(N as u64) {
            Err(FaultKind::MisalignedAddress)
        } else {
            match found {
                Memories::Generic | Memories::Global => {
                    store(Device::new(self.memory, self.cache), lane, offset, value)
                }
                Memories::Shared => store(Shared(self.shared), lane, offset, value),
                Memories::Local => store(&mut *self.local, lane, offset, value),
                Memories::Parameter => Err(FaultKind::IllegalAddress),
            }
        };
        outcome.map_err(|kind| Trouble::at(kind, lane, address))
    }
}
