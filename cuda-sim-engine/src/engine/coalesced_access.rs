//! Loads and stores of words and longs by whole warps, half a warp at a time.
//!
//! Adjacent lanes nearly always access adjacent memory, or all the same address. In tiles of sixteen columns, this
//! holds for each half of the warp. All other accesses (other patterns, other sizes, several elements, faults) take
//! other paths.

#![allow(clippy::needless_range_loop, reason = "lanes of several arrays run side by side")]

use super::memory_backend::{Device, MemoryBackend};
use super::registers::{LANES, Raw};
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
    fn narrow(self) -> u32;
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
            fn narrow(self) -> u32 {
                self as u32
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

/// Addresses of all lanes of a warp, which form a pattern.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// Bytes from the first lane of a half to its end, or 0 if all its lanes have one address.
    pub(super) span: u64,
    /// Address of the first lane of each half.
    pub(super) starts: [u64; 2],
}

impl Row {
    /// Returns the address of the first lane, if the pattern of the halves is that of the whole warp.
    #[inline(always)]
    pub(super) fn whole(&self) -> Option<u64> {
        (self.starts[1] == self.starts[0].wrapping_add(self.span)).then_some(self.starts[0])
    }

    /// Returns whether accesses of `size` bytes are aligned and inside the memory.
    #[inline(always)]
    pub(super) fn is_valid(&self, backend: &mut impl MemoryBackend, size: u64) -> bool {
        let (bytes, [first, second]) = (self.span.max(size), self.starts);
        (first | second) & (size - 1) == 0 && backend.holds(first, bytes) && backend.holds(second, bytes)
    }
}

impl<B: Base> Offsets<'_, B> {
    #[inline(always)]
    pub(super) fn of(&self, base: B) -> u64 {
        base.wide().wrapping_add(self.displacement) & self.bits
    }

    /// Returns the pattern of accesses of `size` bytes, if all lanes are active and there is one.
    #[inline(always)]
    pub(super) fn row(&self, mask: u32, size: u32) -> Option<Row> {
        if mask != u32::MAX {
            return None;
        }
        let span = match B::pattern(self.base, size) {
            Pattern::Contiguous => HALF as u64 * u64::from(size),
            Pattern::Uniform => 0,
            Pattern::Scattered => return None,
        };
        Some(Row { span, starts: [self.of(self.base[0]), self.of(self.base[HALF])] })
    }
}

macro_rules! rows {
    ($load:ident, $store:ident, $type:ty, $size:literal, $half:literal, $whole:literal) => {
        /// Loads a row. Returns false without effect if it needs the general path.
        #[inline(always)]
        fn $load(mut backend: impl MemoryBackend, row: &Row, to: &mut [$type; LANES]) -> bool {
            #[inline(always)]
            fn split<const N: usize>(bytes: &[u8], to: &mut [$type; N]) {
                for (value, bytes) in to.iter_mut().zip(bytes.as_chunks::<$size>().0) {
                    *value = <$type>::from_le_bytes(*bytes);
                }
            }
            if let Some(start) = row.whole() {
                if start % $size != 0 || !backend.holds(start, if row.span == 0 { $size } else { $whole }) {
                    return false;
                }
                if row.span == 0 {
                    *to = [<$type>::from_le_bytes(backend.load(0, start)); LANES];
                } else {
                    backend.read::<$whole>(start, |bytes| split(bytes, to));
                }
                return true;
            }
            if !row.is_valid(&mut backend, $size) {
                return false;
            }
            for (to, start) in to.as_chunks_mut::<HALF>().0.iter_mut().zip(row.starts) {
                // The lookup moves the cache to the memory of this half.
                backend.holds(start, $size);
                if row.span == 0 {
                    *to = [<$type>::from_le_bytes(backend.load(0, start)); HALF];
                } else {
                    backend.read::<$half>(start, |bytes| split(bytes, to));
                }
            }
            true
        }

        /// Stores a row of adjacent elements. Returns false if it needs another path. The first half may be stored
        /// then.
        #[inline(always)]
        fn $store(mut backend: impl MemoryBackend, row: &Row, values: &[$type; LANES]) -> bool {
            #[inline(always)]
            fn joined<const BYTES: usize>(values: &[$type]) -> [u8; BYTES] {
                let mut bytes = [0; BYTES];
                for (bytes, value) in bytes.as_chunks_mut::<$size>().0.iter_mut().zip(values) {
                    *bytes = value.to_le_bytes();
                }
                bytes
            }
            if row.span == 0 {
                return false;
            }
            if let Some(start) = row.whole() {
                if start % $size != 0 || !backend.holds(start, $whole) {
                    return false;
                }
                backend.store::<$whole>(0, start, joined(values));
                return true;
            }
            for (values, start) in values.as_chunks::<HALF>().0.iter().zip(row.starts) {
                if start % $size != 0 || !backend.holds(start, $half) {
                    return false;
                }
                backend.store::<$half>(0, start, joined(values));
            }
            true
        }
    };
}

rows!(load_words, store_words, u32, 4, 64, 128);
rows!(load_longs, store_longs, u64, 8, 128, 256);

/// Loads a row of adjacent bytes. Returns false without effect if it needs the general path.
#[inline(always)]
fn load_bytes(mut backend: impl MemoryBackend, row: &Row, to: &mut [u32; LANES]) -> bool {
    if row.span == 0 || !row.starts.iter().all(|start| start % 4 == 0) || !row.is_valid(&mut backend, 1) {
        return false;
    }
    for (to, start) in to.as_chunks_mut::<HALF>().0.iter_mut().zip(row.starts) {
        // The lookup moves the cache to the memory of this half.
        backend.holds(start, 1);
        backend.read::<HALF>(start, |bytes| {
            for (value, byte) in to.iter_mut().zip(bytes) {
                *value = u32::from(*byte);
            }
        });
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
                let $backend = $reach.cluster.own($reach.shared);
                let $offsets = &Offsets { base, displacement, bits: short };
                $work
            }
            (MemorySpace::Shared, Slot::Word(slot)) => {
                let base = &$reach.registers.words[slot as usize].0;
                let $backend = $reach.cluster.own($reach.shared);
                let $offsets = &Offsets { base, displacement, bits: short };
                $work
            }
            _ => false,
        }
    }};
}

pub(super) use with_backend;

impl WarpMemory<'_> {
    /// Loads a row for all lanes. Returns false, without effect, if the access needs another path.
    #[inline(always)]
    pub(super) fn load_halves(&mut self, access: &Access, mask: u32) -> bool {
        macro_rules! load {
            ($d:expr, $type:ty, $size:literal, $load:ident) => {
                with_backend!(self, access, |backend, offsets| {
                    let row = offsets.row(mask, $size);
                    row.is_some_and(|row| $load(backend, &row, <$type>::array_mut(self.registers, $d)))
                })
            };
        }
        if access.extension != Extension::Zero {
            return false;
        }
        match (access.size, access.elements.as_slice()) {
            (4, &[Slots::Word(d)]) if d != NONE => load!(d, u32, 4, load_words),
            (1, &[Slots::Word(d)]) if d != NONE => with_backend!(self, access, |backend, offsets| {
                offsets
                    .row(mask, 1)
                    .is_some_and(|row| load_bytes(backend, &row, u32::array_mut(self.registers, d)))
            }),
            (8, &[Slots::Long(d)]) => load!(d, u64, 8, load_longs),
            _ => false,
        }
    }

    /// Stores a row for all lanes. Returns false if the access needs another path, which stores the same again.
    #[inline(always)]
    pub(super) fn store_halves(&mut self, access: &Access, mask: u32) -> bool {
        match (access.size, access.elements.as_slice()) {
            (4, &[Slots::Word(a)]) => {
                let values = &self.registers.words[a as usize].0;
                with_backend!(self, access, |backend, offsets| {
                    offsets.row(mask, 4).is_some_and(|row| store_words(backend, &row, values))
                })
            }
            (8, &[Slots::Long(a)]) => {
                let values = &self.registers.longs[a as usize].0;
                with_backend!(self, access, |backend, offsets| {
                    offsets.row(mask, 8).is_some_and(|row| store_longs(backend, &row, values))
                })
            }
            _ => false,
        }
    }
}
