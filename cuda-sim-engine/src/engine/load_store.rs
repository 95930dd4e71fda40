//! Loads and stores.

use super::clock::STRONG_STEPS;
use super::element_access::total;
use super::lane_access::of_other_block;
use super::memory_backend::{Device, MemoryBackend, Parameters, Watched};
use super::registers::{Registers, lanes};
use super::warp_memory::{Addresses, LaneFault, Layout, WarpMemory, locate};
use crate::fault::FaultKind;
use crate::op::{Access, Extension, MemorySpace, NONE, Place as Slots};

/// Extends a loaded value to its register.
#[inline(always)]
pub(super) fn extended(value: u64, size: u8, extension: Extension, long: bool) -> u64 {
    match extension {
        Extension::Zero => value,
        Extension::Sign(to) => {
            let shift = 64 - u32::from(size) * 8;
            let value = ((value << shift).cast_signed() >> shift).cast_unsigned();
            if long { value } else { value & (u64::MAX >> (64 - u32::from(to))) }
        }
    }
}

#[inline(always)]
fn write(registers: &mut Registers, place: Slots, lane: usize, value: u64) {
    match place {
        Slots::Word(NONE) => {}
        Slots::Word(slot) | Slots::Predicate(slot) => registers.set_word(slot, lane, value as u32),
        Slots::Long(slot) => registers.set_long(slot, lane, value),
    }
}

#[inline(always)]
pub(super) fn read(registers: &Registers, place: Slots, lane: usize) -> u64 {
    match place {
        Slots::Word(slot) | Slots::Predicate(slot) => u64::from(registers.word(slot, lane)),
        Slots::Long(slot) => registers.long(slot, lane),
    }
}

#[inline(always)]
pub(super) fn fetch(backend: &impl MemoryBackend, lane: usize, offset: u64, size: u8) -> u64 {
    match size {
        1 => u64::from(u8::from_le_bytes(backend.load(lane, offset))),
        2 => u64::from(u16::from_le_bytes(backend.load(lane, offset))),
        4 => u64::from(u32::from_le_bytes(backend.load(lane, offset))),
        _ => u64::from_le_bytes(backend.load(lane, offset)),
    }
}

#[inline(always)]
pub(super) fn put(backend: &mut impl MemoryBackend, lane: usize, offset: u64, size: u8, value: u64) {
    match size {
        1 => backend.store(lane, offset, (value as u8).to_le_bytes()),
        2 => backend.store(lane, offset, (value as u16).to_le_bytes()),
        4 => backend.store(lane, offset, (value as u32).to_le_bytes()),
        _ => backend.store(lane, offset, value.to_le_bytes()),
    }
}

/// Access of all lanes: the address of each lane, their layout, and the start of the window of their space.
struct Sweep<'a> {
    access: &'a Access,
    mask: u32,
    addresses: &'a Addresses,
    layout: Layout,
    window: u64,
}

impl Sweep<'_> {
    #[inline(always)]
    fn fault(&self, kind: FaultKind, lane: usize) -> LaneFault {
        LaneFault::at(kind, lane, self.addresses[lane])
    }

    /// Returns the address of a lane in its memory.
    fn offset(&self, lane: usize) -> u64 {
        self.addresses[lane].wrapping_sub(self.window)
    }

    /// Returns the access of one lane.
    fn of_lane(&self, lane: usize) -> Self {
        Sweep { mask: 1 << lane, layout: Layout { uniform: false, ..self.layout }, ..*self }
    }

    /// Returns the address of the first active lane.
    #[inline(always)]
    fn start(&self) -> u64 {
        self.addresses[self.layout.first].wrapping_sub(self.window)
    }

    /// Loads lane by lane.
    #[inline(always)]
    fn load_lanes(
        &self,
        registers: &mut Registers,
        mut backend: impl MemoryBackend,
    ) -> Result<(), LaneFault> {
        let access = self.access;
        let total = total(access);
        if self.layout.aligned && self.layout.uniform && backend.holds(self.start(), total) {
            for (index, &place) in access.elements.iter().enumerate() {
                let at = self.start() + index as u64 * u64::from(access.size);
                let value = fetch(&backend, 0, at, access.size);
                splat(registers, self.mask, place, value, access.size, access.extension);
            }
            return Ok(());
        }
        for lane in lanes(self.mask) {
            let offset = self.addresses[lane].wrapping_sub(self.window);
            if offset & (total - 1) != 0 {
                return Err(self.fault(FaultKind::MisalignedAddress, lane));
            }
            if !backend.holds(offset, total) {
                return Err(self.miss(&backend, lane));
            }
            for (index, &place) in access.elements.iter().enumerate() {
                let at = offset + index as u64 * u64::from(access.size);
                let value = fetch(&backend, lane, at, access.size);
                let long = matches!(place, Slots::Long(_));
                write(registers, place, lane, extended(value, access.size, access.extension, long));
            }
        }
        Ok(())
    }

    #[cold]
    fn miss<B: MemoryBackend>(&self, _bank: &B, lane: usize) -> LaneFault {
        self.fault(B::FAULT, lane)
    }

    /// Stores lane by lane. Stores of lanes before a faulting one remain.
    #[inline(always)]
    fn store_lanes(&self, registers: &Registers, mut backend: impl MemoryBackend) -> Result<(), LaneFault> {
        let access = self.access;
        let total = total(access);
        for lane in lanes(self.mask) {
            let offset = self.addresses[lane].wrapping_sub(self.window);
            if offset & (total - 1) != 0 {
                return Err(self.fault(FaultKind::MisalignedAddress, lane));
            }
            if !backend.holds(offset, total) {
                return Err(self.miss(&backend, lane));
            }
            for (index, &place) in access.elements.iter().enumerate() {
                let at = offset + index as u64 * u64::from(access.size);
                put(&mut backend, lane, at, access.size, read(registers, place, lane));
            }
        }
        Ok(())
    }
}

/// Writes one value to all lanes.
#[inline(always)]
fn splat(registers: &mut Registers, mask: u32, place: Slots, value: u64, size: u8, extension: Extension) {
    match place {
        Slots::Word(NONE) => {}
        Slots::Word(slot) | Slots::Predicate(slot) => {
            registers.map0(mask, slot, extended(value, size, extension, false) as u32);
        }
        Slots::Long(slot) => registers.map0(mask, slot, extended(value, size, extension, true)),
    }
}

impl WarpMemory<'_> {
    /// Loads for the lanes of `mask`, which is not empty.
    #[inline(always)]
    pub(super) fn load(&mut self, access: &Access, mask: u32) -> Result<(), LaneFault> {
        let done = match access.elements.as_slice() {
            [_] => self.load_halves(access, mask),
            _ => self.load_vector_row(access, mask),
        };
        if done || self.load_scattered(access, mask) || self.load_elements(access, mask) {
            return Ok(());
        }
        self.load_generally(access, mask)
    }

    /// Loads for the lanes of `mask` after the fast path failed.
    #[inline(never)]
    pub(super) fn load_slowly(&mut self, access: &Access, mask: u32) -> Result<(), LaneFault> {
        if self.load_elements(access, mask) { Ok(()) } else { self.load_generally(access, mask) }
    }

    /// Stores for the lanes of `mask` after the fast path failed.
    #[inline(never)]
    pub(super) fn store_slowly(&mut self, access: &Access, mask: u32) -> Result<(), LaneFault> {
        if self.store_elements(access, mask) { Ok(()) } else { self.store_generally(access, mask) }
    }

    /// Loads of any kind, by the general path.
    #[inline(never)]
    fn load_generally(&mut self, access: &Access, mask: u32) -> Result<(), LaneFault> {
        let addresses = self.addresses(access.memory, access.base, access.offset);
        let layout = Layout::of(&addresses, mask, total(access));
        let Some((memory, window)) = Self::resolve(access.memory, &addresses, mask) else {
            return self.mixed(access, mask, Self::load_generally);
        };
        let sweep = Sweep { access, mask, addresses: &addresses, layout, window };
        match memory {
            MemorySpace::Generic | MemorySpace::Global if access.strong => {
                *self.watches = true;
                self.clock.work(STRONG_STEPS);
                sweep.load_lanes(self.registers, Watched(Device::new(self.memory, self.cache)))
            }
            MemorySpace::Generic | MemorySpace::Global => {
                sweep.load_lanes(self.registers, Device::new(self.memory, self.cache))
            }
            MemorySpace::Shared => match sweep.load_lanes(self.registers, self.cluster.own(self.shared)) {
                Err(fault) if fault.kind == FaultKind::OutOfWindow => self.load_of_cluster(&sweep),
                outcome => outcome,
            },
            MemorySpace::Local => {
                // One offset does not mean one value, because each lane has its own memory.
                let layout = Layout { uniform: false, ..layout };
                Sweep { layout, ..sweep }.load_lanes(self.registers, &mut *self.local)
            }
            MemorySpace::Parameter => sweep.load_lanes(self.registers, Parameters(self.params)),
        }
    }

    /// Stores for the lanes of `mask`, which is not empty.
    #[inline(always)]
    pub(super) fn store(&mut self, access: &Access, mask: u32) -> Result<(), LaneFault> {
        let done = match access.elements.as_slice() {
            [_] => self.store_halves(access, mask),
            _ => self.store_vectors(access, mask),
        };
        if done || self.store_scattered(access, mask) || self.store_elements(access, mask) {
            return Ok(());
        }
        self.store_generally(access, mask)
    }

    /// Stores of any kind, by the general path.
    #[inline(never)]
    fn store_generally(&mut self, access: &Access, mask: u32) -> Result<(), LaneFault> {
        let addresses = self.addresses(access.memory, access.base, access.offset);
        let layout = Layout::of(&addresses, mask, total(access));
        let Some((memory, window)) = Self::resolve(access.memory, &addresses, mask) else {
            return self.mixed(access, mask, Self::store_generally);
        };
        let sweep = Sweep { access, mask, addresses: &addresses, layout, window };
        match memory {
            MemorySpace::Generic | MemorySpace::Global if access.strong => {
                self.clock.work(STRONG_STEPS);
                sweep.store_lanes(self.registers, Watched(Device::new(self.memory, self.cache)))
            }
            MemorySpace::Generic | MemorySpace::Global => {
                sweep.store_lanes(self.registers, Device::new(self.memory, self.cache))
            }
            MemorySpace::Shared => match sweep.store_lanes(self.registers, self.cluster.own(self.shared)) {
                Err(fault) if fault.kind == FaultKind::OutOfWindow => self.store_of_cluster(&sweep),
                outcome => outcome,
            },
            MemorySpace::Local => sweep.store_lanes(self.registers, &mut *self.local),
            MemorySpace::Parameter => Err(sweep.fault(FaultKind::IllegalAddress, layout.first)),
        }
    }

    /// Loads shared memory of any block of the cluster.
    #[cold]
    fn load_of_cluster(&mut self, sweep: &Sweep<'_>) -> Result<(), LaneFault> {
        for lane in lanes(sweep.mask) {
            self.check_in_cluster(sweep, lane)?;
            let memory = self.cluster.at(self.shared, sweep.offset(lane));
            sweep.of_lane(lane).load_lanes(self.registers, memory)?;
        }
        Ok(())
    }

    /// Stores to shared memory of any block of the cluster. Repeats the stores of lanes before the fault.
    #[cold]
    fn store_of_cluster(&mut self, sweep: &Sweep<'_>) -> Result<(), LaneFault> {
        for lane in lanes(sweep.mask) {
            self.check_in_cluster(sweep, lane)?;
            let memory = self.cluster.at(self.shared, sweep.offset(lane));
            sweep.of_lane(lane).store_lanes(self.registers, memory)?;
        }
        Ok(())
    }

    /// Checks that the access of a lane is in the memory of the block that the address names.
    fn check_in_cluster(&mut self, sweep: &Sweep<'_>, lane: usize) -> Result<(), LaneFault> {
        let offset = sweep.offset(lane);
        if sweep.access.of_block && !self.cluster.is_own(offset) {
            return Err(of_other_block(lane, sweep.addresses[lane]));
        }
        if !offset.is_multiple_of(total(sweep.access)) {
            return Err(sweep.fault(FaultKind::MisalignedAddress, lane));
        }
        if self.cluster.at(self.shared, offset).holds(offset, total(sweep.access)) {
            return Ok(());
        }
        Err(sweep.fault(self.cluster.fault_at(offset), lane))
    }

    /// Processes lanes one by one, because their generic addresses lie in different spaces.
    #[cold]
    fn mixed(
        &mut self,
        access: &Access,
        mask: u32,
        one: fn(&mut Self, &Access, u32) -> Result<(), LaneFault>,
    ) -> Result<(), LaneFault> {
        for lane in lanes(mask) {
            one(self, access, 1 << lane)?;
        }
        Ok(())
    }

    /// Reads one byte for a message.
    pub(super) fn peek(&mut self, lane: usize, address: u64) -> Option<u8> {
        let (memory, window) = locate(address);
        let offset = address.wrapping_sub(window);
        let read =
            |mut backend: Device<'_>| backend.holds(offset, 1).then(|| backend.load::<1>(lane, offset)[0]);
        match memory {
            MemorySpace::Generic | MemorySpace::Global => read(Device::new(self.memory, self.cache)),
            MemorySpace::Shared => {
                let mut backend = self.cluster.at(self.shared, offset);
                backend.holds(offset, 1).then(|| backend.load::<1>(lane, offset)[0])
            }
            MemorySpace::Local => {
                let mut backend = &mut *self.local;
                backend.holds(offset, 1).then(|| backend.load::<1>(lane, offset)[0])
            }
            MemorySpace::Parameter => self.params.get(offset as usize).copied(),
        }
    }
}

/// Returns the memory space of an address of an instruction, and the start of the window of this space.
#[inline]
pub(super) fn space_of(memory: MemorySpace, address: u64) -> (MemorySpace, u64) {
    if memory == MemorySpace::Generic { locate(address) } else { (memory, 0) }
}
