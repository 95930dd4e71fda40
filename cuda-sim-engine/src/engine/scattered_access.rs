//! Loads and stores of words and longs by lanes whose addresses form no row.
//!
//! The addresses of all lanes are checked together. An access with a lane that would fault, or with lanes in several
//! segments of memory, takes the general path.

#![allow(clippy::needless_range_loop, reason = "lanes of several arrays run side by side")]

use super::coalesced_access::{Base, Offsets, Pattern};
use super::element_access::total;
use super::memory_backend::{Device, MemoryBackend};
use super::registers::{LANES, Raw, Registers, lane_mask, lanes};
use super::warp_memory::WarpMemory;
use crate::op::{Access, Address, Base as Slot, Extension, MemorySpace, NONE, Place as Slots};

/// Runs code for each lane of a mask, which is most often all lanes.
macro_rules! each_lane {
    ($mask:expr, |$lane:ident| $work:expr) => {
        if $mask == u32::MAX {
            for $lane in 0..LANES {
                $work
            }
        } else {
            for $lane in lanes($mask) {
                $work
            }
        }
    };
}

pub(super) use each_lane;

impl<B: Base> Offsets<'_, B> {
    /// Computes the distance of each lane of `mask` from the start of the backend's [extent](MemoryBackend::extent).
    /// Other lanes have distance zero. Returns false if an access of `size` bytes, a power of two, is misaligned or
    /// outside.
    #[inline(always)]
    fn distances(
        &self,
        backend: &mut impl MemoryBackend,
        mask: u32,
        size: u64,
        distances: &mut [u32; LANES],
    ) -> bool {
        // The lookup moves the extent to the memory of the first lane.
        let first = self.of(self.base[mask.trailing_zeros() as usize % LANES]);
        if !backend.holds(first, size) {
            return false;
        }
        let (start, length) = backend.extent();
        let addend = self.displacement.wrapping_sub(start);
        let is_short = self.bits == u64::from(u32::MAX);
        let (mut low, mut high, mut last) = (start as u32, 0, 0);
        for lane in 0..LANES {
            let active = lane_mask(mask, lane);
            distances[lane] = self.base[lane].narrow().wrapping_add(addend as u32) & active;
            low |= distances[lane];
            last = last.max(distances[lane]);
            if !is_short {
                high |= (self.base[lane].wide().wrapping_add(addend) >> 32) as u32 & active;
            }
        }
        low & (size as u32 - 1) == 0 && high == 0 && u64::from(last) + size <= length
    }
}

macro_rules! lane_by_lane {
    ($load:ident, $store:ident, $type:ty) => {
        /// Loads an element of each lane, `addend` bytes after its [distance](WarpMemory::distances).
        #[inline(always)]
        fn $load(
            backend: &impl MemoryBackend,
            (mask, distances, addend): (u32, &[u32; LANES], u64),
            to: &mut [$type; LANES],
        ) {
            let (start, _) = backend.extent();
            each_lane!(mask, |lane| {
                let offset = start + (u64::from(distances[lane]) + addend);
                to[lane] = <$type>::from_le_bytes(backend.load(0, offset));
            });
        }

        /// Stores an element of each lane, `addend` bytes after its [distance](WarpMemory::distances).
        #[inline(always)]
        fn $store(
            backend: &mut impl MemoryBackend,
            (mask, distances, addend): (u32, &[u32; LANES], u64),
            values: &[$type; LANES],
        ) {
            let (start, _) = backend.extent();
            each_lane!(mask, |lane| {
                let offset = start + (u64::from(distances[lane]) + addend);
                backend.store(0, offset, values[lane].to_le_bytes());
            });
        }
    };
}

/// Loads a word of each lane of a memory of words. The distances are inside it.
#[inline(never)]
fn load_from(words: &[u32], mask: u32, distances: &[u32; LANES], to: &mut [u32; LANES]) {
    each_lane!(mask, |lane| {
        let Some(word) = words.get((distances[lane] / 4) as usize) else { return };
        to[lane] = *word;
    });
}

/// Stores a word of each lane in a memory of words. The distances are inside it.
#[inline(never)]
fn store_to(words: &mut [u32], mask: u32, distances: &[u32; LANES], values: &[u32; LANES]) {
    each_lane!(mask, |lane| {
        let Some(word) = words.get_mut((distances[lane] / 4) as usize) else { return };
        *word = values[lane];
    });
}

lane_by_lane!(load_words, store_words, u32);
lane_by_lane!(load_longs, store_longs, u64);

/// Loads the elements of an access, one after the other.
#[inline(always)]
fn gather(
    mut backend: impl MemoryBackend,
    registers: &mut Registers,
    access: &Access,
    mask: u32,
    distances: &[u32; LANES],
) {
    for (index, &place) in (0..).zip(&access.elements) {
        let lanes = (mask, distances, index * u64::from(access.size));
        match place {
            Slots::Word(NONE) | Slots::Predicate(_) => {}
            Slots::Word(slot) => {
                let to = u32::array_mut(registers, slot);
                match backend.words_from(lanes.2) {
                    Some(words) => load_from(words, mask, distances, to),
                    None => load_words(&backend, lanes, to),
                }
            }
            Slots::Long(slot) => load_longs(&backend, lanes, u64::array_mut(registers, slot)),
        }
    }
}

/// Stores the elements of an access, one after the other. If lanes have the same address, the last of them decides about
/// each element, as if the lanes stored one after the other.
#[inline(always)]
fn scatter(
    mut backend: impl MemoryBackend,
    registers: &Registers,
    access: &Access,
    mask: u32,
    distances: &[u32; LANES],
) {
    for (index, &place) in (0..).zip(&access.elements) {
        let lanes = (mask, distances, index * u64::from(access.size));
        match place {
            Slots::Word(slot) => {
                let values = u32::array(registers, slot);
                match backend.words_from(lanes.2) {
                    Some(words) => store_to(words, mask, distances, values),
                    None => store_words(&mut backend, lanes, values),
                }
            }
            Slots::Long(slot) => store_longs(&mut backend, lanes, u64::array(registers, slot)),
            Slots::Predicate(_) => {}
        }
    }
}

/// Returns whether an access consists of whole registers in a memory that this path supports.
#[inline(always)]
fn is_supported(access: &Access) -> bool {
    let size = access.size;
    let is_whole = |place: &Slots| match place {
        Slots::Word(_) => size == 4,
        Slots::Long(_) => size == 8,
        Slots::Predicate(_) => false,
    };
    size >= 4 && access.extension == Extension::Zero && !access.strong && access.elements.iter().all(is_whole)
}

impl WarpMemory<'_> {
    /// Computes the distances of the addresses of the lanes of `mask` from the start of a segment of device memory, or
    /// of the shared memory of the block. Other lanes have distance zero. Returns false if an access of `size` bytes
    /// needs another path.
    #[inline(always)]
    pub(super) fn distances(
        &mut self,
        at: Address,
        mask: u32,
        size: u64,
        distances: &mut [u32; LANES],
    ) -> bool {
        let (displacement, pattern) = (at.offset.cast_unsigned(), Pattern::UNKNOWN);
        let short = u64::from(u32::MAX);
        match (at.memory, at.base) {
            (MemorySpace::Global | MemorySpace::Generic, Slot::Long(slot)) => {
                let base = u64::array(self.registers, slot);
                let mut backend = Device::at_site(self.memory, self.cache, slot);
                Offsets { base, pattern, displacement, bits: u64::MAX }.distances(
                    &mut backend,
                    mask,
                    size,
                    distances,
                )
            }
            (MemorySpace::Shared, Slot::Long(slot)) => {
                let base = u64::array(self.registers, slot);
                let mut backend = self.cluster.own(self.shared);
                Offsets { base, pattern, displacement, bits: short }.distances(
                    &mut backend,
                    mask,
                    size,
                    distances,
                )
            }
            (MemorySpace::Shared, Slot::Word(slot)) => {
                let base = u32::array(self.registers, slot);
                let mut backend = self.cluster.own(self.shared);
                Offsets { base, pattern, displacement, bits: short }.distances(
                    &mut backend,
                    mask,
                    size,
                    distances,
                )
            }
            _ => false,
        }
    }

    /// Loads for the lanes of `mask`. Returns false, without effect, if the access needs another path.
    #[inline(always)]
    pub(super) fn load_scattered(&mut self, access: &Access, mask: u32) -> bool {
        let mut distances = [0; LANES];
        let done = is_supported(access) && self.distances(access.at(), mask, total(access), &mut distances);
        if done {
            self.gather_elements(access, mask, &distances);
        }
        done
    }

    /// Stores for the lanes of `mask`. Returns false, without effect, if the access needs another path.
    #[inline(always)]
    pub(super) fn store_scattered(&mut self, access: &Access, mask: u32) -> bool {
        let mut distances = [0; LANES];
        let done = is_supported(access) && self.distances(access.at(), mask, total(access), &mut distances);
        if done {
            self.scatter_elements(access, mask, &distances);
        }
        done
    }

    /// Loads a word for the lanes of `mask` from global or shared memory. Returns false, without effect, if the access
    /// needs another path.
    #[inline(always)]
    pub(super) fn load_scattered_word(&mut self, at: Address, access: &Access, mask: u32, d: u32) -> bool {
        let mut distances = [0; LANES];
        let done = self.distances(at, mask, 4, &mut distances);
        if done && at.memory == MemorySpace::Shared {
            load_from(self.shared, mask, &distances, u32::array_mut(self.registers, d));
        } else if done {
            self.gather_elements(access, mask, &distances);
        }
        done
    }

    /// Stores a word for the lanes of `mask` in global or shared memory. Returns false, without effect, if the access
    /// needs another path.
    #[inline(always)]
    pub(super) fn store_scattered_word(&mut self, at: Address, access: &Access, mask: u32, a: u32) -> bool {
        let mut distances = [0; LANES];
        let done = self.distances(at, mask, 4, &mut distances);
        if done && at.memory == MemorySpace::Shared {
            store_to(self.shared, mask, &distances, u32::array(self.registers, a));
        } else if done {
            self.scatter_elements(access, mask, &distances);
        }
        done
    }

    /// Loads lane by lane. A function of its own, because vector instructions would not make it faster.
    #[inline(never)]
    fn gather_elements(&mut self, access: &Access, mask: u32, distances: &[u32; LANES]) {
        match access.base {
            Slot::Long(slot) if access.memory != MemorySpace::Shared => {
                let backend = Device::at_site(self.memory, self.cache, slot);
                gather(backend, self.registers, access, mask, distances);
            }
            _ => gather(self.cluster.own(self.shared), self.registers, access, mask, distances),
        }
    }

    /// Stores lane by lane.
    #[inline(never)]
    fn scatter_elements(&mut self, access: &Access, mask: u32, distances: &[u32; LANES]) {
        match access.base {
            Slot::Long(slot) if access.memory != MemorySpace::Shared => {
                let backend = Device::at_site(self.memory, self.cache, slot);
                scatter(backend, self.registers, access, mask, distances);
            }
            _ => scatter(self.cluster.own(self.shared), self.registers, access, mask, distances),
        }
    }
}
