//! Loads and stores of words and longs by whole warps, half a warp at a time.
//!
//! Adjacent lanes nearly always access adjacent memory, or all the same address. In tiles of sixteen columns, this
//! holds for each half of the warp. All other accesses (other patterns, other sizes, several elements, faults) take
//! other paths.

#![allow(clippy::needless_range_loop, reason = "lanes of several arrays run side by side")]

use super::memory_backend::{Device, MemoryBackend};
use super::registers::{LANES, Raw};
use super::warp_memory::WarpMemory;
use crate::memory::{Memory, Place, Receiver};
use crate::op::{Access, Address, Base as Slot, Extension, MemorySpace, NONE, Place as Slots};

/// Size of a word in bytes.
const WORD: u8 = 4;

/// Number of lanes that are checked together.
pub(super) const HALF: usize = LANES / 2;

/// Pattern of the addresses in each half of a warp: the distance of adjacent lanes, or a special number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pattern(u8);

impl Pattern {
    pub(super) const UNKNOWN: Self = Self(u8::MAX);
    /// One address for all lanes.
    const UNIFORM: Self = Self(0);
    /// Bit of the patterns for accesses of a size whose distances are not the size.
    const SCATTERED: u8 = 0x80;

    /// Returns whether the pattern is known for accesses of `size` bytes.
    #[inline(always)]
    pub(super) fn is_for(self, size: u8) -> bool {
        self == Self::UNIFORM || self.0 & !Self::SCATTERED == size
    }

    /// Returns the distance of adjacent lanes, if it is the size of the accesses, or zero.
    #[inline(always)]
    fn distance(self) -> Option<u64> {
        (self.0 & Self::SCATTERED == 0).then_some(self.0.into())
    }
}

/// Register that holds base addresses.
pub(super) trait Base: Copy {
    fn wide(self) -> u64;
    fn narrow(self) -> u32;
    /// Returns the pattern of the lanes, in steps of `size`.
    fn pattern(lanes: &[Self; LANES], size: u8) -> Pattern;
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
            fn pattern(lanes: &[Self; LANES], size: u8) -> Pattern {
                let different = |step: u32| {
                    (0..LANES).fold(0, |different, lane| {
                        let first = if lane < HALF { lanes[0] } else { lanes[HALF] };
                        let distance = $type::from((lane % HALF) as u32 * step);
                        different | lanes[lane] ^ first.wrapping_add(distance)
                    })
                };
                if different(size.into()) == 0 {
                    Pattern(size)
                } else if different(0) == 0 {
                    Pattern::UNIFORM
                } else {
                    Pattern(size | Pattern::SCATTERED)
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
    /// Pattern of the register, if all lanes are active.
    pub(super) pattern: Pattern,
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

    /// Returns the addresses as a row, if they form one.
    #[inline(always)]
    pub(super) fn row(&self) -> Option<Row> {
        let span = self.pattern.distance()? * HALF as u64;
        Some(Row { span, starts: [self.of(self.base[0]), self.of(self.base[HALF])] })
    }
}

/// Lanes that receive numbers of their own size.
struct Lanes<'a, T, const N: usize>(&'a mut [T; N]);

macro_rules! receiver {
    ($type:ty, $size:literal, $lanes:expr) => {
        impl Receiver<{ $size * $lanes }> for Lanes<'_, $type, { $lanes }> {
            #[inline(always)]
            fn receive(self, bytes: &[u8; $size * $lanes]) {
                for (value, bytes) in self.0.iter_mut().zip(bytes.as_chunks::<$size>().0) {
                    *value = <$type>::from_le_bytes(*bytes);
                }
            }
        }
    };
}

receiver!(u32, 4, HALF);
receiver!(u32, 4, LANES);
receiver!(u64, 8, HALF);
receiver!(u64, 8, LANES);

/// Words that receive a byte each.
struct Bytes<'a>(&'a mut [u32; HALF]);

impl Receiver<HALF> for Bytes<'_> {
    #[inline(always)]
    fn receive(self, bytes: &[u8; HALF]) {
        for (value, byte) in self.0.iter_mut().zip(bytes) {
            *value = u32::from(*byte);
        }
    }
}

macro_rules! rows {
    ($load:ident, $store:ident, $type:ty, $size:literal, $half:literal, $whole:literal) => {
        /// Loads a row. Returns false without effect if it needs the general path.
        #[inline(always)]
        fn $load(mut backend: impl MemoryBackend, row: &Row, to: &mut [$type; LANES]) -> bool {
            if let Some(start) = row.whole() {
                if start % $size != 0 || !backend.holds(start, if row.span == 0 { $size } else { $whole }) {
                    return false;
                }
                if row.span == 0 {
                    *to = [<$type>::from_le_bytes(backend.load(0, start)); LANES];
                } else {
                    backend.read::<$whole>(start, Lanes(to));
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
                    backend.read::<$half>(start, Lanes(to));
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
        backend.read(start, Bytes(to));
    }
    true
}

/// Calls code with the backend and the addresses of a plain access of `$size` bytes by each lane, for the memories that this
/// path supports.
macro_rules! with_backend {
    ($reach:expr, $at:expr, $mask:expr, $size:expr, |$backend:ident, $offsets:ident| $work:expr) => {{
        let displacement = $at.offset.cast_unsigned();
        let short = u64::from(u32::MAX);
        let is_full = $mask == u32::MAX;
        match ($at.memory, $at.base) {
            (MemorySpace::Global | MemorySpace::Generic, Slot::Long(slot)) => {
                let pattern = if is_full { $reach.registers.pattern(slot, $size) } else { Pattern::UNKNOWN };
                let base = u64::array($reach.registers, slot);
                let $backend = Device::at_site($reach.memory, $reach.cache, slot);
                let $offsets = &Offsets { base, pattern, displacement, bits: u64::MAX };
                $work
            }
            (MemorySpace::Shared, Slot::Long(slot)) => {
                let pattern = if is_full { $reach.registers.pattern(slot, $size) } else { Pattern::UNKNOWN };
                let base = u64::array($reach.registers, slot);
                let $backend = $reach.cluster.own($reach.shared);
                let $offsets = &Offsets { base, pattern, displacement, bits: short };
                $work
            }
            (MemorySpace::Shared, Slot::Word(slot)) => {
                let base = u32::array($reach.registers, slot);
                let pattern = if is_full { Base::pattern(base, $size) } else { Pattern::UNKNOWN };
                let $backend = $reach.cluster.own($reach.shared);
                let $offsets = &Offsets { base, pattern, displacement, bits: short };
                $work
            }
            _ => false,
        }
    }};
}

pub(super) use with_backend;

/// Loads a row to a register.
macro_rules! load {
    ($reach:expr, $at:expr, $mask:expr, $d:expr, $type:ty, $size:literal, $load:ident) => {
        with_backend!($reach, $at, $mask, $size, |backend, offsets| {
            offsets.row().is_some_and(|row| $load(backend, &row, <$type>::array_mut($reach.registers, $d)))
        })
    };
}

/// Returns the address of an access, unless other host threads may access the same bytes.
#[inline(always)]
pub(super) fn plain_address(access: &Access) -> Option<Address> {
    let is_global = matches!(access.memory, MemorySpace::Global | MemorySpace::Generic);
    (!is_global || !access.strong).then_some(access.at())
}

/// Words of shared memory that the halves of a warp access, or a word for each half.
enum SharedRow {
    Words([usize; 2]),
    Uniform([usize; 2]),
}

impl<'a> WarpMemory<'a> {
    /// Returns the pattern of the addresses of words in a long, if all lanes are active.
    #[inline(always)]
    fn pattern_of_words(&mut self, base: u32, mask: u32) -> Option<Pattern> {
        (mask == u32::MAX).then(|| self.registers.pattern(base, WORD))
    }

    /// Returns the adjacent words of global memory that all lanes access, if they are in the segment of the last access
    /// by this register.
    #[inline(always)]
    fn global_row(&mut self, base: u32, offset: i64, mask: u32) -> Option<Place<'a>> {
        if self.pattern_of_words(base, mask)? != Pattern(WORD) {
            return None;
        }
        let lanes = u64::array(self.registers, base);
        let start = lanes[0].wrapping_add(offset.cast_unsigned());
        let is_whole = lanes[HALF].wrapping_sub(lanes[0]) == HALF as u64 * u64::from(WORD);
        if !is_whole || !start.is_multiple_of(u64::from(WORD)) {
            return None;
        }
        let memory: &'a Memory = self.memory;
        memory.find_at_site(self.cache, base, start, LANES as u64 * u64::from(WORD))
    }

    /// Loads adjacent words of global memory. Returns false, without effect, if the access needs another path.
    #[inline(always)]
    pub(super) fn load_global_row(&mut self, [d, base]: [u32; 2], offset: i64, mask: u32) -> bool {
        let Some(place) = self.global_row(base, offset, mask) else { return false };
        place.read::<{ 4 * LANES }>(0, Lanes(u32::array_mut(self.registers, d)));
        true
    }

    /// Stores adjacent words of global memory. Returns false, without effect, if the access needs another path.
    #[inline(always)]
    pub(super) fn store_global_row(&mut self, [a, base]: [u32; 2], offset: i64, mask: u32) -> bool {
        let Some(place) = self.global_row(base, offset, mask) else { return false };
        let mut bytes = [0; 4 * LANES];
        for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(u32::array(self.registers, a)) {
            *bytes = word.to_le_bytes();
        }
        place.store(0, bytes);
        true
    }

    /// Loads rows of shared memory at an address in a long. Returns false, without effect, if the access needs another path.
    #[inline(always)]
    pub(super) fn load_shared_row(&mut self, [d, base]: [u32; 2], offset: i64, mask: u32) -> bool {
        let Some(pattern) = self.pattern_of_words(base, mask) else { return false };
        let row = self.shared_row(pattern, u64::array(self.registers, base), offset);
        self.load_row_of_shared(d, row)
    }

    /// Same as [`load_shared_row`](Self::load_shared_row), at an address in a word.
    #[inline(always)]
    pub(super) fn load_narrow_shared_row(&mut self, [d, base]: [u32; 2], offset: i64, mask: u32) -> bool {
        let lanes = u32::array(self.registers, base);
        let row =
            if mask == u32::MAX { self.shared_row(Base::pattern(lanes, WORD), lanes, offset) } else { None };
        self.load_row_of_shared(d, row)
    }

    /// Stores rows of shared memory at an address in a long. Returns false if the access needs another path, which stores
    /// the same again.
    #[inline(always)]
    pub(super) fn store_shared_row(&mut self, [a, base]: [u32; 2], offset: i64, mask: u32) -> bool {
        let Some(pattern) = self.pattern_of_words(base, mask) else { return false };
        let row = self.shared_row(pattern, u64::array(self.registers, base), offset);
        self.store_row_of_shared(a, row)
    }

    /// Same as [`store_shared_row`](Self::store_shared_row), at an address in a word.
    #[inline(always)]
    pub(super) fn store_narrow_shared_row(&mut self, [a, base]: [u32; 2], offset: i64, mask: u32) -> bool {
        let lanes = u32::array(self.registers, base);
        let row =
            if mask == u32::MAX { self.shared_row(Base::pattern(lanes, WORD), lanes, offset) } else { None };
        self.store_row_of_shared(a, row)
    }

    /// Returns the indices of the first words of shared memory that the halves of the warp access, if they form rows.
    #[inline(always)]
    fn shared_row<B: Base>(&self, pattern: Pattern, lanes: &[B; LANES], offset: i64) -> Option<SharedRow> {
        pattern.distance()?;
        let start = self.cluster.start();
        let distances = [lanes[0], lanes[HALF]].map(|lane| {
            let address = lane.wide().wrapping_add(offset.cast_unsigned()) & u64::from(u32::MAX);
            address.wrapping_sub(start) as usize
        });
        if (distances[0] | distances[1]) % usize::from(WORD) != 0 {
            return None;
        }
        let indices = distances.map(|distance| distance / usize::from(WORD));
        match pattern {
            Pattern(WORD) => Some(SharedRow::Words(indices)),
            Pattern::UNIFORM => Some(SharedRow::Uniform(indices)),
            _ => None,
        }
    }

    #[inline(always)]
    fn load_row_of_shared(&mut self, d: u32, row: Option<SharedRow>) -> bool {
        let words = match row {
            Some(SharedRow::Words(indices)) => {
                let [Some(first), Some(second)] = indices.map(|index| self.shared_words(index)) else {
                    return false;
                };
                [*first, *second]
            }
            Some(SharedRow::Uniform(indices)) => {
                let [Some(first), Some(second)] = indices.map(|index| self.shared.get(index)) else {
                    return false;
                };
                [[*first; HALF], [*second; HALF]]
            }
            None => return false,
        };
        for (to, words) in u32::array_mut(self.registers, d).as_chunks_mut().0.iter_mut().zip(words) {
            *to = words;
        }
        true
    }

    #[inline(always)]
    fn store_row_of_shared(&mut self, a: u32, row: Option<SharedRow>) -> bool {
        let Some(SharedRow::Words(indices)) = row else { return false };
        let values = u32::array(self.registers, a).as_chunks::<HALF>().0;
        for (index, values) in indices.into_iter().zip(values) {
            let words = self.shared.get_mut(index..).and_then(|words| words.first_chunk_mut());
            let Some(words) = words else { return false };
            *words = *values;
        }
        true
    }

    #[inline(always)]
    fn shared_words(&self, index: usize) -> Option<&[u32; HALF]> {
        self.shared.get(index..)?.first_chunk()
    }

    /// Loads a word for the lanes of `mask`. Returns false, without effect, if the access needs the general path.
    #[inline(always)]
    pub(super) fn load_word(&mut self, at: Address, mask: u32, d: u32) -> bool {
        load!(self, at, mask, d, u32, 4, load_words)
    }

    /// Stores a word for the lanes of `mask`. Returns false if the access needs the general path, which stores the same
    /// again.
    #[inline(always)]
    pub(super) fn store_word(&mut self, at: Address, mask: u32, a: u32) -> bool {
        with_backend!(self, at, mask, 4, |backend, offsets| {
            offsets.row().is_some_and(|row| store_words(backend, &row, u32::array(self.registers, a)))
        })
    }

    /// Loads for the lanes of `mask`. Returns false, without effect, if the access needs the general path.
    #[inline(always)]
    pub(super) fn load_halves(&mut self, access: &Access, mask: u32) -> bool {
        let Some(at) = plain_address(access).filter(|_| access.extension == Extension::Zero) else {
            return false;
        };
        match (access.size, access.elements.as_slice()) {
            (4, &[Slots::Word(d)]) if d != NONE => self.load_word(at, mask, d),
            (1, &[Slots::Word(d)]) if d != NONE => with_backend!(self, at, mask, 1, |backend, offsets| {
                offsets.row().is_some_and(|row| load_bytes(backend, &row, u32::array_mut(self.registers, d)))
            }),
            (8, &[Slots::Long(d)]) => load!(self, at, mask, d, u64, 8, load_longs),
            _ => false,
        }
    }

    /// Stores a row for all lanes. Returns false if the access needs another path, which stores the same again.
    #[inline(always)]
    pub(super) fn store_halves(&mut self, access: &Access, mask: u32) -> bool {
        let Some(at) = plain_address(access) else { return false };
        match (access.size, access.elements.as_slice()) {
            (4, &[Slots::Word(a)]) => self.store_word(at, mask, a),
            (8, &[Slots::Long(a)]) => with_backend!(self, at, mask, 8, |backend, offsets| {
                offsets.row().is_some_and(|row| store_longs(backend, &row, u64::array(self.registers, a)))
            }),
            _ => false,
        }
    }
}
