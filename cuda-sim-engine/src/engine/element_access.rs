//! Loads and stores of bytes, of halves, of several elements at once, and of local memory.

use super::memory_backend::{Device, MemoryBackend};
use super::registers::{LANES, Raw, Registers, lanes};
use super::warp_memory::{Addresses, WarpMemory};
use crate::op::{Access, Base, Extension, MemorySpace, NONE, Place as Slots};

/// Returns the bytes of one lane's access, a power of two.
#[inline(always)]
pub(super) fn total(access: &Access) -> u64 {
    u64::from(access.size) * access.elements.len() as u64
}

/// Returns whether every lane of `mask` has an aligned address inside the memory.
#[inline(always)]
fn holds(backend: &mut impl MemoryBackend, mask: u32, addresses: &Addresses, total: u64) -> bool {
    lanes(mask).all(|lane| addresses[lane] & (total - 1) == 0 && backend.holds(addresses[lane], total))
}

/// Returns whether all lanes are active and their addresses are adjacent. The first address is then the start.
#[inline(always)]
fn contiguous(mask: u32, addresses: &Addresses, total: u64) -> bool {
    let mut different = 0;
    for (lane, address) in addresses.iter().enumerate() {
        different |= address ^ addresses[0].wrapping_add(lane as u64 * total);
    }
    mask == u32::MAX && different == 0 && addresses[0] & (total.max(4) - 1) == 0
}

/// Calls a function that takes the size of an element as a constant.
macro_rules! by_size {
    ($size:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $size {
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            4 => $function::<4>($($argument),*),
            _ => $function::<8>($($argument),*),
        }
    };
}

/// Returns one element of those of a lane.
#[inline(always)]
fn take<const N: usize>(bytes: &[u8], offset: usize) -> u64 {
    let mut wide = [0; 8];
    if let Some(element) = bytes.get(offset..).and_then(|rest| rest.first_chunk::<N>()) {
        wide[..N].copy_from_slice(element);
    }
    u64::from_le_bytes(wide)
}

/// Fills the lanes of `mask` of a register with loaded values.
#[inline(always)]
fn fill(registers: &mut Registers, access: &Access, place: Slots, mask: u32, values: &[u64; LANES]) {
    let long = matches!(place, Slots::Long(_));
    let value = |lane: usize| super::load_store::extended(values[lane], access.size, access.extension, long);
    match place {
        Slots::Word(NONE) => {}
        Slots::Word(slot) | Slots::Predicate(slot) => {
            let words = std::array::from_fn(|lane| value(lane) as u32);
            u32::store(registers, mask, slot, &words);
        }
        Slots::Long(slot) => {
            let longs = std::array::from_fn(value);
            u64::store(registers, mask, slot, &longs);
        }
    }
}

/// Distributes a loaded block of memory to registers, `T` bytes for each lane.
#[inline(never)]
fn scatter<const T: usize>(parts: &[[u8; T]; LANES], registers: &mut Registers, access: &Access) {
    #[inline(always)]
    fn one<const T: usize, const N: usize>(parts: &[[u8; T]; LANES], offset: usize) -> [u64; LANES] {
        // No element is larger than its access, so no code is compiled for such a case.
        if N > T { [0; LANES] } else { std::array::from_fn(|lane| take::<N>(&parts[lane], offset)) }
    }
    for (index, &place) in access.elements.iter().enumerate() {
        let offset = index * usize::from(access.size);
        let values = match access.size {
            1 => one::<T, 1>(parts, offset),
            2 => one::<T, 2>(parts, offset),
            4 => one::<T, 4>(parts, offset),
            _ => one::<T, 8>(parts, offset),
        };
        fill(registers, access, place, u32::MAX, &values);
    }
}

/// Loads one block of memory if the addresses of all lanes are adjacent, `T` bytes for each lane.
#[inline(always)]
fn load_block<const T: usize, const BYTES: usize>(
    backend: &impl MemoryBackend,
    registers: &mut Registers,
    access: &Access,
    start: u64,
) {
    let bytes: [u8; BYTES] = backend.load(0, start);
    if let Some(parts) = bytes.as_chunks::<T>().0.first_chunk::<LANES>() {
        scatter(parts, registers, access);
    }
}

#[inline(always)]
fn load(
    mut backend: impl MemoryBackend,
    registers: &mut Registers,
    access: &Access,
    mask: u32,
    addresses: &Addresses,
) -> bool {
    #[inline(always)]
    fn one<const N: usize>(
        backend: &mut impl MemoryBackend,
        (mask, addresses): (u32, &Addresses),
        offset: u64,
        values: &mut [u64; LANES],
    ) {
        for lane in lanes(mask) {
            let address = addresses[lane] + offset;
            // The lookup moves the cache to the memory of the lane.
            if backend.holds(address, N as u64) {
                values[lane] = take::<N>(&backend.load::<N>(lane, address), 0);
            }
        }
    }
    let (total, start) = (total(access), addresses[0]);
    if backend.side_by_side()
        && total <= 16
        && contiguous(mask, addresses, total)
        && backend.holds(start, total * LANES as u64)
    {
        match total {
            1 => load_block::<1, 32>(&backend, registers, access, start),
            2 => load_block::<2, 64>(&backend, registers, access, start),
            4 => load_block::<4, 128>(&backend, registers, access, start),
            8 => load_block::<8, 256>(&backend, registers, access, start),
            _ => load_block::<16, 512>(&backend, registers, access, start),
        }
        return true;
    }
    if !holds(&mut backend, mask, addresses, total) {
        return false;
    }
    for (index, &place) in access.elements.iter().enumerate() {
        let offset = index as u64 * u64::from(access.size);
        let mut values = [0; LANES];
        by_size!(access.size, one(&mut backend, (mask, addresses), offset, &mut values));
        fill(registers, access, place, mask, &values);
    }
    true
}

/// Collects the bytes that all lanes store from registers, `T` bytes for each lane.
#[inline(never)]
fn collect<const T: usize>(parts: &mut [[u8; T]], registers: &Registers, access: &Access) {
    #[inline(always)]
    fn one<const T: usize, const N: usize>(
        parts: &mut [[u8; T]],
        registers: &Registers,
        place: Slots,
        offset: usize,
    ) {
        if N > T {
            return;
        }
        for (lane, part) in parts.iter_mut().enumerate() {
            let value = super::load_store::read(registers, place, lane % LANES);
            if let Some(to) = part.get_mut(offset..offset + N)
                && let Some(from) = value.to_le_bytes().get(..N)
            {
                to.copy_from_slice(from);
            }
        }
    }
    for (index, &place) in access.elements.iter().enumerate() {
        let offset = index * usize::from(access.size);
        match access.size {
            1 => one::<T, 1>(parts, registers, place, offset),
            2 => one::<T, 2>(parts, registers, place, offset),
            4 => one::<T, 4>(parts, registers, place, offset),
            _ => one::<T, 8>(parts, registers, place, offset),
        }
    }
}

/// Stores one block of memory if the addresses of all lanes are adjacent, `T` bytes for each lane.
#[inline(always)]
fn store_block<const T: usize, const BYTES: usize>(
    backend: &mut impl MemoryBackend,
    registers: &Registers,
    access: &Access,
    start: u64,
) {
    let mut bytes = [0; BYTES];
    collect(bytes.as_chunks_mut::<T>().0, registers, access);
    backend.store(0, start, bytes);
}

#[inline(always)]
fn store(
    mut backend: impl MemoryBackend,
    registers: &Registers,
    access: &Access,
    mask: u32,
    addresses: &Addresses,
) -> bool {
    #[inline(always)]
    fn one<const N: usize>(
        backend: &mut impl MemoryBackend,
        registers: &Registers,
        (mask, addresses): (u32, &Addresses),
        (place, offset): (Slots, u64),
    ) {
        for lane in lanes(mask) {
            let address = addresses[lane] + offset;
            let value = super::load_store::read(registers, place, lane);
            if backend.holds(address, N as u64)
                && let Some(bytes) = value.to_le_bytes().first_chunk::<N>()
            {
                backend.store(lane, address, *bytes);
            }
        }
    }
    let (total, start) = (total(access), addresses[0]);
    if backend.side_by_side()
        && total <= 16
        && contiguous(mask, addresses, total)
        && backend.holds(start, total * LANES as u64)
    {
        match total {
            1 => store_block::<1, 32>(&mut backend, registers, access, start),
            2 => store_block::<2, 64>(&mut backend, registers, access, start),
            4 => store_block::<4, 128>(&mut backend, registers, access, start),
            8 => store_block::<8, 256>(&mut backend, registers, access, start),
            _ => store_block::<16, 512>(&mut backend, registers, access, start),
        }
        return true;
    }
    if !holds(&mut backend, mask, addresses, total) {
        return false;
    }
    for (index, &place) in access.elements.iter().enumerate() {
        let element = (place, index as u64 * u64::from(access.size));
        by_size!(access.size, one(&mut backend, registers, (mask, addresses), element));
    }
    true
}

/// Returns the common address of all lanes of an access to words, if they share one.
fn rows(access: &Access, mask: u32, addresses: &Addresses) -> Option<u64> {
    let start = addresses[mask.trailing_zeros() as usize % LANES];
    let words = access.size == 4 && access.extension == Extension::Zero;
    let only = access.elements.iter().all(|place| matches!(place, Slots::Word(_)));
    let same = lanes(mask).all(|lane| addresses[lane] == start);
    (words && only && same && start & (total(access) - 1) == 0).then_some(start)
}

/// Copies the lanes of `mask`.
fn blend<T: Copy>(to: &mut [T; LANES], from: &[T; LANES], mask: u32) {
    if mask == u32::MAX {
        *to = *from;
    } else {
        lanes(mask).for_each(|lane| to[lane] = from[lane]);
    }
}

impl WarpMemory<'_> {
    /// Loads for the lanes of `mask`. Returns false, without effect, if the access needs the general path.
    #[inline(never)]
    pub(super) fn load_elements(&mut self, access: &Access, mask: u32) -> bool {
        let addresses = self.addresses(access.memory, access.base, access.offset);
        match (access.memory, access.base) {
            (MemorySpace::Global | MemorySpace::Generic, Base::Long(slot)) if !access.strong => {
                let backend = Device::at_site(self.memory, self.cache, slot);
                load(backend, self.registers, access, mask, &addresses)
            }
            (MemorySpace::Shared, _) => {
                let backend = self.cluster.own(self.shared);
                load(backend, self.registers, access, mask, &addresses)
            }
            (MemorySpace::Local, _) => {
                self.load_rows(access, mask, &addresses)
                    || load(&mut *self.local, self.registers, access, mask, &addresses)
            }
            _ => false,
        }
    }

    /// Stores for the lanes of `mask`. Returns false, without effect, if the access needs the general path.
    #[inline(never)]
    pub(super) fn store_elements(&mut self, access: &Access, mask: u32) -> bool {
        let addresses = self.addresses(access.memory, access.base, access.offset);
        match (access.memory, access.base) {
            (MemorySpace::Global | MemorySpace::Generic, Base::Long(slot)) if !access.strong => {
                let backend = Device::at_site(self.memory, self.cache, slot);
                store(backend, self.registers, access, mask, &addresses)
            }
            (MemorySpace::Shared, _) => {
                let backend = self.cluster.own(self.shared);
                store(backend, self.registers, access, mask, &addresses)
            }
            (MemorySpace::Local, _) => {
                self.store_rows(access, mask, &addresses)
                    || store(&mut *self.local, self.registers, access, mask, &addresses)
            }
            _ => false,
        }
    }

    /// Loads words of local memory at one address for all lanes. Such words are rows of local memory.
    fn load_rows(&mut self, access: &Access, mask: u32, addresses: &Addresses) -> bool {
        let Some(start) = rows(access, mask, addresses) else { return false };
        let end = start + total(access);
        if end > self.local.size() {
            return false;
        }
        for (index, &place) in access.elements.iter().enumerate() {
            let Some(row) = self.local.row(start + index as u64 * 4) else { return false };
            if let Slots::Word(slot) = place
                && slot != NONE
            {
                blend(&mut self.registers.words[slot as usize].0, row, mask);
            }
        }
        true
    }

    /// Stores words of local memory at one address for all lanes.
    fn store_rows(&mut self, access: &Access, mask: u32, addresses: &Addresses) -> bool {
        let Some(start) = rows(access, mask, addresses) else { return false };
        let end = start + total(access);
        if end > self.local.size() {
            return false;
        }
        for (index, &place) in access.elements.iter().enumerate() {
            let Some(row) = self.local.row(start + index as u64 * 4) else { return false };
            if let Slots::Word(slot) = place {
                blend(row, &self.registers.words[slot as usize].0, mask);
            }
        }
        true
    }
}
