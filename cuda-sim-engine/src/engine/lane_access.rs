//! Single accesses of single lanes, for operations that do not justify a loop over lanes for each memory.

use super::load_store::space_of;
use super::memory_backend::{Device, MemoryBackend, Parameters};
use super::registers::lanes;
use super::warp_memory::{Addresses, LaneFault, WarpMemory};
use crate::fault::FaultKind;
use crate::op::{Address, MemorySpace};

/// Loads from any backend.
fn load<B: MemoryBackend, const N: usize>(
    mut backend: B,
    lane: usize,
    offset: u64,
) -> Result<[u8; N], FaultKind> {
    if backend.holds(offset, N as u64) { Ok(backend.load(lane, offset)) } else { Err(B::FAULT) }
}

/// Stores to any backend.
fn store<B: MemoryBackend, const N: usize>(
    mut backend: B,
    lane: usize,
    offset: u64,
    value: [u8; N],
) -> Result<(), FaultKind> {
    if !backend.holds(offset, N as u64) {
        return Err(B::FAULT);
    }
    backend.store(lane, offset, value);
    Ok(())
}

/// Returns the fault of an instruction that does not reach shared memory of other blocks.
#[cold]
pub(super) fn of_other_block(lane: usize, address: u64) -> LaneFault {
    let detail = "shared memory of another block, which this instruction does not reach".to_owned();
    LaneFault { detail, ..LaneFault::at(FaultKind::OutOfWindow, lane, address) }
}

impl WarpMemory<'_> {
    pub(super) fn addresses_of(&self, address: Address) -> Addresses {
        self.addresses(address.memory, address.base, address.offset)
    }

    /// Refuses addresses in shared memory of other blocks of the cluster, if the operation reaches only its own block.
    /// Hardware refuses these operations (conformance facts V1043, V1061 and V1064).
    #[inline]
    pub(super) fn check_block(&self, at: Address, mask: u32, addresses: &Addresses) -> Result<(), LaneFault> {
        if at.of_block && !self.cluster.blocks.is_empty() {
            self.check_own(at.memory, mask, addresses)
        } else {
            Ok(())
        }
    }

    #[cold]
    fn check_own(&self, memory: MemorySpace, mask: u32, addresses: &Addresses) -> Result<(), LaneFault> {
        for lane in lanes(mask) {
            let (found, window) = space_of(memory, addresses[lane]);
            if found == MemorySpace::Shared && !self.cluster.is_own(addresses[lane].wrapping_sub(window)) {
                return Err(of_other_block(lane, addresses[lane]));
            }
        }
        Ok(())
    }

    /// Returns whether a generic address is in a window or in memory of the device.
    pub(super) fn is_mapped(&mut self, address: u64) -> bool {
        let (found, _) = space_of(MemorySpace::Generic, address);
        let is_global = matches!(found, MemorySpace::Generic | MemorySpace::Global);
        !is_global || Device::new(self.memory, self.cache).holds(address, 1)
    }

    /// Reads `N` bytes, a power of two up to 16. The address must be a multiple of `N`.
    pub(super) fn read_bytes<const N: usize>(
        &mut self,
        memory: MemorySpace,
        lane: usize,
        address: u64,
    ) -> Result<[u8; N], LaneFault> {
        let (found, window) = space_of(memory, address);
        let offset = address.wrapping_sub(window);
        let value = if !offset.is_multiple_of(N as u64) {
            Err(FaultKind::MisalignedAddress)
        } else {
            match found {
                MemorySpace::Generic | MemorySpace::Global => {
                    load(Device::new(self.memory, self.cache), lane, offset)
                }
                MemorySpace::Shared => {
                    let memory = self.cluster.at(self.shared, offset);
                    load(memory, lane, offset).map_err(|_| self.cluster.fault_at(offset))
                }
                MemorySpace::Local => load(&mut *self.local, lane, offset),
                MemorySpace::Parameter => load(Parameters(self.params), lane, offset),
            }
        };
        value.map_err(|kind| LaneFault::at(kind, lane, address))
    }

    /// Writes `N` bytes, a power of two up to 16. The address must be a multiple of `N`.
    pub(super) fn write_bytes<const N: usize>(
        &mut self,
        memory: MemorySpace,
        lane: usize,
        address: u64,
        value: [u8; N],
    ) -> Result<(), LaneFault> {
        let (found, window) = space_of(memory, address);
        let offset = address.wrapping_sub(window);
        let outcome = if !offset.is_multiple_of(N as u64) {
            Err(FaultKind::MisalignedAddress)
        } else {
            match found {
                MemorySpace::Generic | MemorySpace::Global => {
                    store(Device::new(self.memory, self.cache), lane, offset, value)
                }
                MemorySpace::Shared => {
                    let memory = self.cluster.at(self.shared, offset);
                    store(memory, lane, offset, value).map_err(|_| self.cluster.fault_at(offset))
                }
                MemorySpace::Local => store(&mut *self.local, lane, offset, value),
                MemorySpace::Parameter => Err(FaultKind::IllegalAddress),
            }
        };
        outcome.map_err(|kind| LaneFault::at(kind, lane, address))
    }
}
