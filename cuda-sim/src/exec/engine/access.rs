//! Loads and stores.

use super::super::op::{Access, Extension, Memories, NONE, Place as Slots};
use super::bank::{Bank, Device, Parameters, Shared, Watched};
use super::registers::{LANES, Registers, lanes};
use super::space::{Addresses, Layout, Pattern, Reach, Trouble, locate};
use crate::exec::fault::FaultKind;

/// A loaded value as its register holds it.
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
pub(super) fn fetch(bank: &impl Bank, lane: usize, offset: u64, size: u8) -> u64 {
    match size {
        1 => u64::from(u8::from_le_bytes(bank.load(lane, offset))),
        2 => u64::from(u16::from_le_bytes(bank.load(lane, offset))),
        4 => u64::from(u32::from_le_bytes(bank.load(lane, offset))),
        _ => u64::from_le_bytes(bank.load(lane, offset)),
    }
}

#[inline(always)]
pub(super) fn put(bank: &mut impl Bank, lane: usize, offset: u64, size: u8, value: u64) {
    match size {
        1 => bank.store(lane, offset, (value as u8).to_le_bytes()),
        2 => bank.store(lane, offset, (value as u16).to_le_bytes()),
        4 => bank.store(lane, offset, (value as u32).to_le_bytes()),
        _ => bank.store(lane, offset, value.to_le_bytes()),
    }
}

/// Bytes of one lane's access: a power of two.
#[inline(always)]
fn total(access: &Access) -> u64 {
    u64::from(access.size) * access.elements.len() as u64
}

/// One access of all lanes: where each goes, how the addresses lie, and where the window of their space begins.
struct Sweep<'a> {
    access: &'a Access,
    mask: u32,
    addresses: &'a Addresses,
    layout: Layout,
    window: u64,
}

impl Sweep<'_> {
    #[inline(always)]
    fn fault(&self, kind: FaultKind, lane: usize) -> Trouble {
        Trouble::at(kind, lane, self.addresses[lane])
    }

    /// Where lane 0 would be if the addresses of all lanes were next to each other, as those of the active ones are.
    #[inline(always)]
    fn start(&self) -> u64 {
        self.addresses[self.layout.first].wrapping_sub(self.window)
    }

    /// Loads from memory where lanes that are next to each other may be one block.
    #[inline(always)]
    fn load(&self, registers: &mut Registers, mut bank: impl Bank) -> Result<(), Trouble> {
        if self.layout.aligned && self.layout.pattern == Pattern::Contiguous && self.mask == u32::MAX {
            let (start, access) = (self.start(), self.access);
            let plain = access.extension == Extension::Zero;
            match (access.size, access.elements.as_slice()) {
                (4, [Slots::Word(slot)]) if plain && *slot != NONE && bank.holds(start, 128) => {
                    registers.words[*slot as usize].0 = words(bank.load(0, start));
                    return Ok(());
                }
                (8, [Slots::Long(slot)]) if plain && bank.holds(start, 256) => {
                    registers.longs[*slot as usize].0 = longs(bank.load(0, start));
                    return Ok(());
                }
                _ => {}
            }
        }
        self.load_lanes(registers, bank)
    }

    /// Loads lane by lane.
    #[inline(always)]
    fn load_lanes(&self, registers: &mut Registers, mut bank: impl Bank) -> Result<(), Trouble> {
        let access = self.access;
        let total = total(access);
        if self.layout.aligned && self.layout.pattern == Pattern::Uniform && bank.holds(self.start(), total) {
            for (index, &place) in access.elements.iter().enumerate() {
                let at = self.start() + index as u64 * u64::from(access.size);
                let value = fetch(&bank, 0, at, access.size);
                splat(registers, self.mask, place, value, access.size, access.extension);
            }
            return Ok(());
        }
        if self.layout.aligned
            && access.size == 4
            && access.extension == Extension::Zero
            && let [Slots::Word(slot)] = access.elements.as_slice()
            && *slot != NONE
        {
            // A loop without a call and without a large result in it.
            let mut missed = None;
            let mut rest = self.mask;
            while rest != 0 {
                let lane = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let offset = self.addresses[lane].wrapping_sub(self.window);
                if !bank.holds(offset, 4) {
                    missed = Some(lane);
                    break;
                }
                registers.set_word(*slot, lane, u32::from_le_bytes(bank.load(lane, offset)));
            }
            if let Some(lane) = missed {
                return Err(self.miss(&bank, lane));
            }
            return Ok(());
        }
        for lane in lanes(self.mask) {
            let offset = self.addresses[lane].wrapping_sub(self.window);
            if offset & (total - 1) != 0 {
                return Err(self.fault(FaultKind::MisalignedAddress, lane));
            }
            if !bank.holds(offset, total) {
                return Err(self.miss(&bank, lane));
            }
            for (index, &place) in access.elements.iter().enumerate() {
                let at = offset + index as u64 * u64::from(access.size);
                let value = fetch(&bank, lane, at, access.size);
                let long = matches!(place, Slots::Long(_));
                write(registers, place, lane, extended(value, access.size, access.extension, long));
            }
        }
        Ok(())
    }

    #[cold]
    fn miss<B: Bank>(&self, _bank: &B, lane: usize) -> Trouble {
        self.fault(B::FAULT, lane)
    }

    /// Stores to memory where lanes that are next to each other may be one block.
    #[inline(always)]
    fn store(&self, registers: &Registers, mut bank: impl Bank) -> Result<(), Trouble> {
        if self.layout.aligned && self.layout.pattern == Pattern::Contiguous && self.mask == u32::MAX {
            let start = self.start();
            match (self.access.size, self.access.elements.as_slice()) {
                (4, [Slots::Word(slot)]) if bank.holds(start, 128) => {
                    let mut bytes = [0; 128];
                    let words = &registers.words[*slot as usize].0;
                    for (part, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
                        *part = word.to_le_bytes();
                    }
                    bank.store(0, start, bytes);
                    return Ok(());
                }
                (8, [Slots::Long(slot)]) if bank.holds(start, 256) => {
                    let mut bytes = [0; 256];
                    let longs = &registers.longs[*slot as usize].0;
                    for (part, long) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(longs) {
                        *part = long.to_le_bytes();
                    }
                    bank.store(0, start, bytes);
                    return Ok(());
                }
                _ => {}
            }
        }
        self.store_lanes(registers, bank)
    }

    /// Stores lane by lane. What lanes before a faulting one have stored stays.
    #[inline(always)]
    fn store_lanes(&self, registers: &Registers, mut bank: impl Bank) -> Result<(), Trouble> {
        let access = self.access;
        let total = total(access);
        for lane in lanes(self.mask) {
            let offset = self.addresses[lane].wrapping_sub(self.window);
            if offset & (total - 1) != 0 {
                return Err(self.fault(FaultKind::MisalignedAddress, lane));
            }
            if !bank.holds(offset, total) {
                return Err(self.miss(&bank, lane));
            }
            for (index, &place) in access.elements.iter().enumerate() {
                let at = offset + index as u64 * u64::from(access.size);
                put(&mut bank, lane, at, access.size, read(registers, place, lane));
            }
        }
        Ok(())
    }
}

/// One value for all lanes.
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

#[inline(always)]
fn words(bytes: [u8; 128]) -> [u32; LANES] {
    let mut words = [0; LANES];
    for (word, part) in words.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*part);
    }
    words
}

#[inline(always)]
fn longs(bytes: [u8; 256]) -> [u64; LANES] {
    let mut longs = [0; LANES];
    for (long, part) in longs.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *long = u64::from_le_bytes(*part);
    }
    longs
}

impl Reach<'_> {
    /// Loads for the lanes of `mask`, which is not empty.
    #[inline(never)]
    pub(super) fn load(&mut self, access: &Access, mask: u32) -> Result<(), Trouble> {
        if access.memory == Memories::Shared && self.load_words(access, mask) {
            return Ok(());
        }
        let addresses = self.addresses(access.memory, access.base, access.offset);
        let layout = Layout::of(&addresses, mask, total(access));
        let Some((memory, window)) = Self::resolve(access.memory, &addresses, mask) else {
            return self.mixed(access, mask, Self::load_in);
        };
        let sweep = Sweep { access, mask, addresses: &addresses, layout, window };
        match memory {
            Memories::Generic | Memories::Global if access.strong => {
                sweep.load_lanes(self.registers, Watched(Device::new(self.memory, self.cache)))
            }
            Memories::Generic | Memories::Global => {
                sweep.load(self.registers, Device::new(self.memory, self.cache))
            }
            Memories::Shared => sweep.load(self.registers, Shared(self.shared)),
            Memories::Local => self.load_local(&sweep),
            Memories::Parameter => sweep.load_lanes(self.registers, Parameters(self.params)),
        }
    }

    /// Local memory, where the lanes of a word lie side by side.
    fn load_local(&mut self, sweep: &Sweep<'_>) -> Result<(), Trouble> {
        let access = sweep.access;
        if sweep.layout.pattern == Pattern::Uniform
            && sweep.layout.aligned
            && let (4, Extension::Zero, [Slots::Word(slot)]) =
                (access.size, access.extension, access.elements.as_slice())
            && *slot != NONE
            && let Some(row) = self.local.row(sweep.start())
        {
            for lane in lanes(sweep.mask) {
                self.registers.set_word(*slot, lane, row[lane]);
            }
            return Ok(());
        }
        // What is at one offset is not one value: every lane has its own.
        let layout = Layout { pattern: Pattern::Scattered, ..sweep.layout };
        Sweep { layout, ..*sweep }.load_lanes(self.registers, &mut *self.local)
    }

    /// Stores for the lanes of `mask`, which is not empty.
    #[inline(never)]
    pub(super) fn store(&mut self, access: &Access, mask: u32) -> Result<(), Trouble> {
        if access.memory == Memories::Shared && self.store_words(access, mask) {
            return Ok(());
        }
        let addresses = self.addresses(access.memory, access.base, access.offset);
        let layout = Layout::of(&addresses, mask, total(access));
        let Some((memory, window)) = Self::resolve(access.memory, &addresses, mask) else {
            return self.mixed(access, mask, Self::store_in);
        };
        let sweep = Sweep { access, mask, addresses: &addresses, layout, window };
        match memory {
            Memories::Generic | Memories::Global if access.strong => {
                sweep.store_lanes(self.registers, Watched(Device::new(self.memory, self.cache)))
            }
            Memories::Generic | Memories::Global => {
                sweep.store(self.registers, Device::new(self.memory, self.cache))
            }
            Memories::Shared => sweep.store(self.registers, Shared(self.shared)),
            Memories::Local => self.store_local(&sweep),
            Memories::Parameter => Err(sweep.fault(FaultKind::IllegalAddress, layout.first)),
        }
    }

    fn store_local(&mut self, sweep: &Sweep<'_>) -> Result<(), Trouble> {
        if sweep.layout.pattern == Pattern::Uniform
            && sweep.layout.aligned
            && let (4, [Slots::Word(slot)]) = (sweep.access.size, sweep.access.elements.as_slice())
            && let Some(row) = self.local.row(sweep.start())
        {
            for lane in lanes(sweep.mask) {
                row[lane] = self.registers.word(*slot, lane);
            }
            return Ok(());
        }
        sweep.store_lanes(self.registers, &mut *self.local)
    }

    fn load_in(&mut self, access: &Access, mask: u32) -> Result<(), Trouble> {
        self.load(access, mask)
    }

    fn store_in(&mut self, access: &Access, mask: u32) -> Result<(), Trouble> {
        self.store(access, mask)
    }

    /// Lanes whose generic addresses lie in different spaces go one after another.
    #[cold]
    fn mixed(
        &mut self,
        access: &Access,
        mask: u32,
        one: fn(&mut Self, &Access, u32) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        for lane in lanes(mask) {
            one(self, access, 1 << lane)?;
        }
        Ok(())
    }

    /// Reads one byte for a message.
    pub(super) fn peek(&mut self, lane: usize, address: u64) -> Option<u8> {
        let (memory, window) = locate(address);
        let offset = address.wrapping_sub(window);
        let read = |mut bank: Device<'_>| bank.holds(offset, 1).then(|| bank.load::<1>(lane, offset)[0]);
        match memory {
            Memories::Generic | Memories::Global => read(Device::new(self.memory, self.cache)),
            Memories::Shared => {
                let mut bank = Shared(self.shared);
                bank.holds(offset, 1).then(|| bank.load::<1>(lane, offset)[0])
            }
            Memories::Local => {
                let mut bank = &mut *self.local;
                bank.holds(offset, 1).then(|| bank.load::<1>(lane, offset)[0])
            }
            Memories::Parameter => self.params.get(offset as usize).copied(),
        }
    }
}

/// The memory that an address of an instruction means.
#[inline]
pub(super) fn space_of(memory: Memories, address: u64) -> (Memories, u64) {
    if memory == Memories::Generic { locate(address) } else { (memory, 0) }
}
