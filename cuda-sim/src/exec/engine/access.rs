//! Loads and stores.

use super::super::op::{Access, Extension, Memories, NONE, Place as Slots};
use super::registers::{CHUNK, CHUNKS, LANES, Registers, lanes};
use super::space::{Addresses, Bytes, Pattern, Reach, Trouble, locate};
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
fn fetch(bytes: &impl Bytes, offset: usize, size: u8) -> u64 {
    match size {
        1 => u64::from(u8::from_le_bytes(bytes.load(offset))),
        2 => u64::from(u16::from_le_bytes(bytes.load(offset))),
        4 => u64::from(u32::from_le_bytes(bytes.load(offset))),
        _ => u64::from_le_bytes(bytes.load(offset)),
    }
}

#[inline(always)]
fn put(bytes: &mut impl Bytes, offset: usize, size: u8, value: u64) {
    match size {
        1 => bytes.store(offset, (value as u8).to_le_bytes()),
        2 => bytes.store(offset, (value as u16).to_le_bytes()),
        4 => bytes.store(offset, (value as u32).to_le_bytes()),
        _ => bytes.store(offset, value.to_le_bytes()),
    }
}

/// Loads for lanes whose bytes lie one after the other.
#[inline(always)]
fn load_run(registers: &mut Registers, access: &Access, mask: u32, bytes: &impl Bytes) {
    let size = access.size;
    if mask == u32::MAX && access.extension == Extension::Zero {
        match (size, access.elements.as_slice()) {
            (4, [Slots::Word(slot)]) if *slot != NONE => {
                for chunk in 0..CHUNKS {
                    let bytes: [u8; 32] = bytes.load(chunk * 32);
                    registers.words[*slot as usize].0[chunk] = words(bytes);
                }
                return;
            }
            (8, [Slots::Long(slot)]) => {
                for chunk in 0..CHUNKS {
                    let bytes: [u8; 64] = bytes.load(chunk * 64);
                    registers.longs[*slot as usize].0[chunk] = longs(bytes);
                }
                return;
            }
            _ => {}
        }
    }
    let first = mask.trailing_zeros() as usize;
    let total = usize::from(size) * access.elements.len();
    for (index, &place) in access.elements.iter().enumerate() {
        let long = matches!(place, Slots::Long(_));
        for lane in lanes(mask) {
            let value = fetch(bytes, (lane - first) * total + index * usize::from(size), size);
            write(registers, place, lane, extended(value, size, access.extension, long));
        }
    }
}

#[inline(always)]
fn words(bytes: [u8; 32]) -> [u32; CHUNK] {
    let (parts, _) = bytes.as_chunks::<4>();
    std::array::from_fn(|lane| parts.get(lane).map_or(0, |part| u32::from_le_bytes(*part)))
}

#[inline(always)]
fn longs(bytes: [u8; 64]) -> [u64; CHUNK] {
    let (parts, _) = bytes.as_chunks::<8>();
    std::array::from_fn(|lane| parts.get(lane).map_or(0, |part| u64::from_le_bytes(*part)))
}

/// Stores for lanes whose bytes lie one after the other.
#[inline(always)]
fn store_run(registers: &Registers, access: &Access, mask: u32, bytes: &mut impl Bytes) {
    let size = access.size;
    if mask == u32::MAX {
        match (size, access.elements.as_slice()) {
            (4, [Slots::Word(slot)]) => {
                for chunk in 0..CHUNKS {
                    let mut block = [0; 32];
                    for (part, word) in
                        block.as_chunks_mut::<4>().0.iter_mut().zip(registers.words[*slot as usize].0[chunk])
                    {
                        *part = word.to_le_bytes();
                    }
                    bytes.store(chunk * 32, block);
                }
                return;
            }
            (8, [Slots::Long(slot)]) => {
                for chunk in 0..CHUNKS {
                    let mut block = [0; 64];
                    for (part, long) in
                        block.as_chunks_mut::<8>().0.iter_mut().zip(registers.longs[*slot as usize].0[chunk])
                    {
                        *part = long.to_le_bytes();
                    }
                    bytes.store(chunk * 64, block);
                }
                return;
            }
            _ => {}
        }
    }
    let first = mask.trailing_zeros() as usize;
    let total = usize::from(size) * access.elements.len();
    for lane in lanes(mask) {
        for (index, &place) in access.elements.iter().enumerate() {
            let offset = (lane - first) * total + index * usize::from(size);
            put(bytes, offset, size, read(registers, place, lane));
        }
    }
}

/// The stretch of bytes between the first and the last active lane.
#[inline(always)]
fn span(mask: u32, total: u64) -> u64 {
    u64::from(32 - mask.leading_zeros() - mask.trailing_zeros()) * total
}

/// Bytes of one lane's access: a power of two.
#[inline(always)]
fn total(access: &Access) -> u64 {
    u64::from(access.size) * access.elements.len() as u64
}

impl Reach<'_> {
    /// Loads for the lanes of `mask`, which is not empty.
    #[inline(always)]
    pub(super) fn load(&mut self, access: &Access, mask: u32) -> Result<(), Trouble> {
        let total = total(access);
        let addresses = self.addresses(access.memory, access.base, access.offset);
        let first = mask.trailing_zeros() as usize & (LANES - 1);
        let start = addresses[first];
        let resolved = Self::resolve(access.memory, &addresses, mask);
        if let Some((memory, window)) = resolved
            && start & (total - 1) == 0
            && !access.strong
        {
            let pattern = Self::pattern(&addresses, mask, total);
            let start = start - window;
            let length = if pattern == Pattern::Uniform { total } else { span(mask, total) };
            match (memory, pattern) {
                (Memories::Local, Pattern::Uniform)
                    if access.extension == Extension::Zero && self.load_local_row(access, mask, start) =>
                {
                    return Ok(());
                }
                (Memories::Global, Pattern::Contiguous) => {
                    if let Some(place) = self.memory.find(self.cache, start, length) {
                        load_run(self.registers, access, mask, &place);
                        return Ok(());
                    }
                }
                (Memories::Shared, Pattern::Contiguous) => {
                    if let Some(bytes) = slice(self.shared, start, length) {
                        load_run(self.registers, access, mask, &bytes);
                        return Ok(());
                    }
                }
                (Memories::Global, Pattern::Uniform) => {
                    if let Some(place) = self.memory.find(self.cache, start, length) {
                        load_same(self.registers, access, mask, &place);
                        return Ok(());
                    }
                }
                (Memories::Shared, Pattern::Uniform) => {
                    if let Some(bytes) = slice(self.shared, start, length) {
                        load_same(self.registers, access, mask, &bytes);
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
        self.load_scattered(access, mask, &addresses)
    }

    fn load_local_row(&mut self, access: &Access, mask: u32, start: u64) -> bool {
        let [Slots::Word(slot)] = access.elements.as_slice() else { return false };
        if access.size != 4 || *slot == NONE {
            return false;
        }
        let Some(row) = self.local.row(start) else { return false };
        let row = *row;
        for lane in lanes(mask) {
            self.registers.set_word(*slot, lane, row[lane]);
        }
        true
    }

    #[inline(never)]
    fn load_scattered(&mut self, access: &Access, mask: u32, addresses: &Addresses) -> Result<(), Trouble> {
        let total = total(access);
        let size = access.size;
        for lane in lanes(mask) {
            let address = addresses[lane];
            let (memory, window) = space_of(access.memory, address);
            let offset = address - window;
            if offset & (total - 1) != 0 {
                return Err(Trouble::at(FaultKind::MisalignedAddress, lane, address));
            }
            for (index, &place) in access.elements.iter().enumerate() {
                let at = offset.wrapping_add(index as u64 * u64::from(size));
                let value = self.load_one(memory, lane, at, size, access.strong);
                let value = value.map_err(|kind| Trouble::at(kind, lane, address))?;
                let long = matches!(place, Slots::Long(_));
                write(self.registers, place, lane, extended(value, size, access.extension, long));
            }
        }
        Ok(())
    }

    /// Reads one aligned value.
    pub(super) fn load_one(
        &mut self,
        memory: Memories,
        lane: usize,
        address: u64,
        size: u8,
        strong: bool,
    ) -> Result<u64, FaultKind> {
        match memory {
            Memories::Generic | Memories::Global => {
                let place = self.memory.find(self.cache, address, u64::from(size));
                let place = place.ok_or(FaultKind::IllegalAddress)?;
                Ok(match (size, strong) {
                    (4, true) => u64::from(place.load_shared32()),
                    (8, true) => place.load_shared64(),
                    _ => fetch(&place, 0, size),
                })
            }
            Memories::Shared => {
                let bytes = slice(self.shared, address, u64::from(size)).ok_or(FaultKind::OutOfWindow)?;
                Ok(fetch(&bytes, 0, size))
            }
            Memories::Local => {
                if !self.local.holds(address, u64::from(size)) {
                    return Err(FaultKind::OutOfWindow);
                }
                Ok(self.local.load(lane, address, size))
            }
            Memories::Parameter => {
                let start = usize::try_from(address).map_err(|_| FaultKind::IllegalAddress)?;
                let end = start.checked_add(usize::from(size)).ok_or(FaultKind::IllegalAddress)?;
                let bytes = self.params.get(start..end).ok_or(FaultKind::IllegalAddress)?;
                Ok(bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
            }
        }
    }

    /// Stores for the lanes of `mask`, which is not empty.
    #[inline(always)]
    pub(super) fn store(&mut self, access: &Access, mask: u32) -> Result<(), Trouble> {
        let total = total(access);
        let addresses = self.addresses(access.memory, access.base, access.offset);
        let first = mask.trailing_zeros() as usize & (LANES - 1);
        let start = addresses[first];
        let resolved = Self::resolve(access.memory, &addresses, mask);
        if let Some((memory, window)) = resolved
            && start & (total - 1) == 0
            && !access.strong
        {
            let pattern = Self::pattern(&addresses, mask, total);
            let start = start - window;
            let length = span(mask, total);
            match (memory, pattern) {
                (Memories::Local, Pattern::Uniform) if self.store_local_row(access, mask, start) => {
                    return Ok(());
                }
                (Memories::Global, Pattern::Contiguous) => {
                    if let Some(mut place) = self.memory.find(self.cache, start, length) {
                        store_run(self.registers, access, mask, &mut place);
                        return Ok(());
                    }
                }
                (Memories::Shared, Pattern::Contiguous) => {
                    if let Some(mut bytes) = slice(self.shared, start, length) {
                        store_run(self.registers, access, mask, &mut bytes);
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
        self.store_scattered(access, mask, &addresses)
    }

    fn store_local_row(&mut self, access: &Access, mask: u32, start: u64) -> bool {
        let [Slots::Word(slot)] = access.elements.as_slice() else { return false };
        if access.size != 4 {
            return false;
        }
        let Some(row) = self.local.row(start) else { return false };
        for lane in lanes(mask) {
            row[lane] = self.registers.word(*slot, lane);
        }
        true
    }

    #[inline(never)]
    fn store_scattered(&mut self, access: &Access, mask: u32, addresses: &Addresses) -> Result<(), Trouble> {
        let total = total(access);
        let size = access.size;
        for lane in lanes(mask) {
            let address = addresses[lane];
            let (memory, window) = space_of(access.memory, address);
            let offset = address - window;
            if offset & (total - 1) != 0 {
                return Err(Trouble::at(FaultKind::MisalignedAddress, lane, address));
            }
            // All of a vector must be there before any of it is written.
            self.check(memory, offset, total).map_err(|kind| Trouble::at(kind, lane, address))?;
            for (index, &place) in access.elements.iter().enumerate() {
                let value = read(self.registers, place, lane);
                let at = offset + index as u64 * u64::from(size);
                self.store_one(memory, lane, at, size, access.strong, value);
            }
        }
        Ok(())
    }

    /// Whether `size` bytes at `address` may be written.
    pub(super) fn check(&mut self, memory: Memories, address: u64, size: u64) -> Result<(), FaultKind> {
        match memory {
            Memories::Generic | Memories::Global => {
                self.memory.find(self.cache, address, size).map(|_| ()).ok_or(FaultKind::IllegalAddress)
            }
            Memories::Shared => slice(self.shared, address, size).map(|_| ()).ok_or(FaultKind::OutOfWindow),
            Memories::Local => {
                if self.local.holds(address, size) {
                    Ok(())
                } else {
                    Err(FaultKind::OutOfWindow)
                }
            }
            Memories::Parameter => Err(FaultKind::IllegalAddress),
        }
    }

    /// Writes one aligned value to where [`check`](Self::check) found room.
    fn store_one(&mut self, memory: Memories, lane: usize, address: u64, size: u8, strong: bool, value: u64) {
        match memory {
            Memories::Generic | Memories::Global => {
                if let Some(mut place) = self.memory.find(self.cache, address, u64::from(size)) {
                    match (size, strong) {
                        (4, true) => place.store_shared32(value as u32),
                        (8, true) => place.store_shared64(value),
                        _ => put(&mut place, 0, size, value),
                    }
                }
            }
            Memories::Shared => {
                if let Some(mut bytes) = slice(self.shared, address, u64::from(size)) {
                    put(&mut bytes, 0, size, value);
                }
            }
            Memories::Local => self.local.store(lane, address, size, value),
            Memories::Parameter => {}
        }
    }
}

/// Loads one value for all lanes.
#[inline(always)]
fn load_same(registers: &mut Registers, access: &Access, mask: u32, bytes: &impl Bytes) {
    let size = access.size;
    for (index, &place) in access.elements.iter().enumerate() {
        let value = fetch(bytes, index * usize::from(size), size);
        match place {
            Slots::Word(NONE) => {}
            Slots::Word(slot) | Slots::Predicate(slot) => {
                registers.map0(mask, slot, extended(value, size, access.extension, false) as u32);
            }
            Slots::Long(slot) => registers.map0(mask, slot, extended(value, size, access.extension, true)),
        }
    }
}

/// The memory that an address of an instruction means.
#[inline]
pub(super) fn space_of(memory: Memories, address: u64) -> (Memories, u64) {
    if memory == Memories::Generic { locate(address) } else { (memory, 0) }
}

/// A part of shared memory, if it is there.
#[inline(always)]
pub(super) fn slice(shared: &mut [u8], start: u64, length: u64) -> Option<&mut [u8]> {
    let start = usize::try_from(start).ok()?;
    let end = start.checked_add(usize::try_from(length).ok()?)?;
    shared.get_mut(start..end)
}
