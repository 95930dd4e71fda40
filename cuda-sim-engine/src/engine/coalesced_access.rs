//! Loads and stores of words and longs by whole warps, half a warp at a time.
//!
//! Adjacent lanes nearly always access adjacent memory, or all the same address. In tiles of sixteen columns, this
//! holds for each half of the warp. All other accesses (other sizes, several elements, faults) take the general path.

#![allow(clippy::needless_range_loop, reason = "lanes of several arrays run side by side")]

use super::memory_backend::{Device, MemoryBackend, Shared};
use super::registers::{LANES, lanes};
use super::warp_memory::WarpMemory;
use crate::op::{Access, Base as Slot, Extension, MemorySpace, NONE, Place as Slots};

/// Number of lanes that are checked together.
pub(super) const HALF: usize = LANES / 2;

/// Pattern of the addresses in each half of a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pattern {
    /// Adjacent addresses, in the order of the lanes.
    Contiguous,
    /// One address for all lanes.
    Uniform,
    Scattered,
}

/// Register that holds base addresses.
pub(super) trait Base: Copy {
    fn wide(self) -> u64;
    /// Returns the pattern of the lanes, in steps of `size`.
    fn pattern(lanes: &[Self; LANES], size: u32) -> Pattern;
}

macro_rules! base {
    ($type:ident) => {
        impl Base for $type {
            #[inline(always)]
            fn wide(self) -> u64 {
                u64::from(self)
            }
            #[inline(always)]
            fn pattern(lanes: &[Self; LANES], size: u32) -> Pattern {
                let (mut steps, mut spread) = (0, 0);
                for lane in 0..LANES {
                    let first = if lane < HALF { lanes[0] } else { lanes[HALF] };
                    let distance = $type::from((lane % HALF) as u32 * size);
                    steps |= lanes[lane] ^ first.wrapping_add(distance);
                    spread |= lanes[lane] ^ first;
                }
                match (steps, spread) {
                    (0, _) => Pattern::Contiguous,
                    (_, 0) => Pattern::Uniform,
                    _ => Pattern::Scattered,
                }
            }
        }
    };
}

base!(u32);
base!(u64);

/// Addresses of the lanes: a register, an addend, and a mask of the significant bits of the sum.
pub(super) struct Offsets<'a, B> {
    pub(super) base: &'a [B; LANES],
    pub(super) displacement: u64,
    pub(super) bits: u64,
}

impl<B: Base> Offsets<'_, B> {
    #[inline(always)]
    pub(super) fn of(&self, base: B) -> u64 {
        base.wide().wrapping_add(self.displacement) & self.bits
    }

    #[inline(always)]
    pub(super) fn pattern(&self, mask: u32, size: u32) -> Pattern {
        if mask == u32::MAX { B::pattern(self.base, size) } else { Pattern::Scattered }
    }
}

macro_rules! by_halves {
    ($load:ident, $store:ident, $type:ty, $size:literal, $bytes:literal) => {
        /// Loads for the lanes of `mask`. Returns false if a lane needs the general path. Lanes before it may have
        /// their values already.
        #[inline(always)]
        fn $load<B: Base>(
            mut backend: impl MemoryBackend,
            mask: u32,
            offsets: &Offsets<'_, B>,
            values: &mut [$type; LANES],
        ) -> bool {
            let pattern = offsets.pattern(mask, $size);
            if pattern != Pattern::Scattered {
                for (half, values) in values.as_chunks_mut::<HALF>().0.iter_mut().enumerate() {
                    let start = offsets.of(offsets.base[half * HALF]);
                    let bytes = if pattern == Pattern::Contiguous { $bytes } else { $size };
                    if start % $size != 0 || !backend.holds(start, bytes) {
                        return false;
                    }
                    if pattern == Pattern::Contiguous {
                        let bytes: [u8; $bytes] = backend.load(0, start);
                        for (value, bytes) in values.iter_mut().zip(bytes.as_chunks::<$size>().0) {
                            *value = <$type>::from_le_bytes(*bytes);
                        }
                    } else {
                        *values = [<$type>::from_le_bytes(backend.load(0, start)); HALF];
                    }
                }
                return true;
            }
            for lane in lanes(mask) {
                let offset = offsets.of(offsets.base[lane]);
                if offset % $size != 0 || !backend.holds(offset, $size) {
                    return false;
                }
                values[lane] = <$type>::from_le_bytes(backend.load(0, offset));
            }
            true
        }

        /// Stores for the lanes of `mask`. Returns false if a lane needs the general path. Lanes before it may have
        /// stored already.
        #[inline(always)]
        fn $store<B: Base>(
            mut backend: impl MemoryBackend,
            mask: u32,
            offsets: &Offsets<'_, B>,
            values: &[$type; LANES],
        ) -> bool {
            if offsets.pattern(mask, $size) == Pattern::Contiguous {
                for (half, values) in values.as_chunks::<HALF>().0.iter().enumerate() {
                    let start = offsets.of(offsets.base[half * HALF]);
                    if start % $size != 0 || !backend.holds(start, $bytes) {
                        return false;
                    }
                    let mut bytes = [0; $bytes];
                    for (bytes, value) in bytes.as_chunks_mut::<$size>().0.iter_mut().zip(values) {
                        *bytes = value.to_le_bytes();
                    }
                    backend.store(0, start, bytes);
                }
                return true;
            }
            for lane in lanes(mask) {
                let offset = offsets.of(offsets.base[lane]);
                if offset % $size != 0 || !backend.holds(offset, $size) {
                    return false;
                }
                backend.store(0, offset, values[lane].to_le_bytes());
            }
            true
        }
    };
}

by_halves!(load_words, store_words, u32, 4, 64);
by_halves!(load_longs, store_longs, u64, 8, 128);

/// Loads bytes if `mask` is all lanes and their addresses are adjacent. Otherwise returns false without effect.
#[inline(always)]
fn load_bytes<B: Base>(
    mut backend: impl MemoryBackend,
    mask: u32,
    offsets: &Offsets<'_, B>,
    values: &mut [u32; LANES],
) -> bool {
    let starts = [0, HALF].map(|lane| offsets.of(offsets.base[lane]));
    if offsets.pattern(mask, 1) != Pattern::Contiguous
        || !starts.iter().all(|&start| start % 4 == 0 && backend.holds(start, HALF as u64))
    {
        return false;
    }
    for (values, start) in values.as_chunks_mut::<HALF>().0.iter_mut().zip(starts) {
        // The lookup moves the cache to the memory of this half.
        let bytes: [u8; HALF] =
            if backend.holds(start, HALF as u64) { backend.load(0, start) } else { [0; HALF] };
        for (value, byte) in values.iter_mut().zip(bytes) {
            *value = u32::from(byte);
        }
    }
    true
}

/// Calls code with the backend and the addresses of an access, for the memories that this path supports.
macro_rules! with_backend {
    ($reach:expr, $access:expr, |$backend:ident, $offsets:ident| $work:expr) => {{
        let displacement = $access.offset.cast_unsigned();
        let short = u64::from(u32::MAX);
        match ($access.memory, $access.base) {
            (MemorySpace::Global | MemorySpace::Generic, Slot::Long(slot)) if !$access.strong => {
                let base = &$reach.registers.longs[slot as usize].0;
                let $backend = Device::at_site($reach.memory, $reach.cache, slot);
                let $offsets = &Offsets { base, displacement, bits: u64::MAX };
                $work
            }
            (MemorySpace::Shared, Slot::Long(slot)) => {
                let base = &$reach.registers.longs[slot as usize].0;
                let $backend = Shared($reach.shared);
                let $offsets = &Offsets { base, displacement, bits: short };
                $work
            }
            (MemorySpace::Shared, Slot::Word(slot)) => {
                let base = &$reach.registers.words[slot as usize].0;
                let $backend = Shared($reach.shared);
                let $offsets = &Offsets { base, displacement, bits: short };
                $work
            }
            _ => false,
        }
    }};
}

pub(super) use with_backend;

impl WarpMemory<'_> {
    /// Loads for the lanes of `mask`. Returns false, without effect, if the access needs the general path.
    #[inline(always)]
    pub(super) fn load_halves(&mut self, access: &Access, mask: u32) -> bool {
        if access.extension != Extension::Zero {
            return false;
        }
        match (access.size, access.elements.as_slice()) {
            (4, &[Slots::Word(d)]) if d != NONE => {
                let mut values = self.registers.words[d as usize].0;
                let done = with_backend!(self, access, |backend, offsets| {
                    load_words(backend, mask, offsets, &mut values)
                });
                if done {
                    self.registers.words[d as usize].0 = values;
                }
                done
            }
            (1, &[Slots::Word(d)]) if d != NONE => {
                let mut values = [0; LANES];
                let done = with_backend!(self, access, |backend, offsets| {
                    load_bytes(backend, mask, offsets, &mut values)
                });
                if done {
                    self.registers.words[d as usize].0 = values;
                }
                done
            }
            (8, &[Slots::Long(d)]) => {
                let mut values = self.registers.longs[d as usize].0;
                let done = with_backend!(self, access, |backend, offsets| {
                    load_longs(backend, mask, offsets, &mut values)
                });
                if done {
                    self.registers.longs[d as usize].0 = values;
                }
                done
            }
            _ => false,
        }
    }

    /// Stores for the lanes of `mask`. Returns false if the access needs the general path, which stores the same again.
    #[inline(always)]
    pub(super) fn store_halves(&mut self, access: &Access, mask: u32) -> bool {
        match (access.size, access.elements.as_slice()) {
            (4, &[Slots::Word(a)]) => {
                let values = self.registers.words[a as usize].0;
                with_backend!(self, access, |backend, offsets| store_words(backend, mask, offsets, &values))
            }
            (8, &[Slots::Long(a)]) => {
                let values = self.registers.longs[a as usize].0;
                with_backend!(self, access, |backend, offsets| store_longs(backend, mask, offsets, &values))
            }
            _ => false,
        }
    }
}
