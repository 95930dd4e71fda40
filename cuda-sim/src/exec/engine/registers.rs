//! Register files of one call of one warp, and the lane-wise operations on them.
//!
//! A register is 32 lanes, kept as four chunks of eight: a chunk is what a compiler can hold in vector registers, so
//! that an operation loads its sources whole, computes, and stores its result whole, without a copy in memory and
//! without asking whether result and source are the same register.

use super::super::op::{Condition, Slot};

/// Lanes of a chunk.
pub(super) const CHUNK: usize = 8;
/// Chunks of a register.
pub(super) const CHUNKS: usize = 4;
/// Lanes of a warp.
pub(super) const LANES: usize = 32;

/// One 32-bit register.
#[repr(C, align(64))]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Word(pub(super) [[u32; CHUNK]; CHUNKS]);

/// One 64-bit register.
#[repr(C, align(64))]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Long(pub(super) [[u64; CHUNK]; CHUNKS]);

/// The register files of one call.
#[derive(Debug, Clone, Default)]
pub(super) struct Registers {
    pub(super) words: Box<[Word]>,
    pub(super) longs: Box<[Long]>,
    /// One bit a lane.
    pub(super) predicates: Box<[u32]>,
}

/// Lane masks of the members of a chunk.
const BITS: [u32; CHUNK] = [1, 2, 4, 8, 16, 32, 64, 128];

/// The lanes of chunk `chunk` in a mask of all lanes.
#[inline(always)]
fn chunk_mask(mask: u32, chunk: usize) -> u32 {
    mask >> (chunk * CHUNK) & 0xff
}

/// A type that registers can be read and written as.
pub(super) trait Lane: Copy {
    fn read(registers: &Registers, slot: Slot, chunk: usize) -> [Self; CHUNK];
    /// Writes the lanes of `mask`, of which bit 0 is the first of the chunk.
    fn write(registers: &mut Registers, slot: Slot, chunk: usize, values: [Self; CHUNK], mask: u32);
}

#[inline(always)]
fn write_words(registers: &mut Registers, slot: Slot, chunk: usize, values: [u32; CHUNK], mask: u32) {
    let place = &mut registers.words[slot as usize].0[chunk];
    if mask == 0xff {
        *place = values;
        return;
    }
    let old = *place;
    *place = std::array::from_fn(|lane| {
        let take = u32::from(mask & BITS[lane] != 0).wrapping_neg();
        values[lane] & take | old[lane] & !take
    });
}

#[inline(always)]
fn write_longs(registers: &mut Registers, slot: Slot, chunk: usize, values: [u64; CHUNK], mask: u32) {
    let place = &mut registers.longs[slot as usize].0[chunk];
    if mask == 0xff {
        *place = values;
        return;
    }
    let old = *place;
    *place = std::array::from_fn(|lane| {
        let take = u64::from(mask & BITS[lane] != 0).wrapping_neg();
        values[lane] & take | old[lane] & !take
    });
}

macro_rules! lane {
    ($type:ty, $file:ident, $write:ident, $read:expr, $store:expr) => {
        impl Lane for $type {
            #[inline(always)]
            fn read(registers: &Registers, slot: Slot, chunk: usize) -> [Self; CHUNK] {
                registers.$file[slot as usize].0[chunk].map($read)
            }

            #[inline(always)]
            fn write(registers: &mut Registers, slot: Slot, chunk: usize, values: [Self; CHUNK], mask: u32) {
                $write(registers, slot, chunk, values.map($store), mask);
            }
        }
    };
}

lane!(u32, words, write_words, |bits| bits, |value| value);
lane!(i32, words, write_words, |bits| bits.cast_signed(), |value| value.cast_unsigned());
lane!(f32, words, write_words, f32::from_bits, f32::to_bits);
lane!(u16, words, write_words, |bits| bits as u16, u32::from);
lane!(i16, words, write_words, |bits| bits as i16, |value| u32::from(value.cast_unsigned()));
lane!(u64, longs, write_longs, |bits| bits, |value| value);
lane!(i64, longs, write_longs, |bits| bits.cast_signed(), |value| value.cast_unsigned());
lane!(f64, longs, write_longs, f64::from_bits, f64::to_bits);

/// Combines the bits of four chunks into a mask of all lanes.
#[inline(always)]
fn gather_mask(chunk: usize, flags: [bool; CHUNK]) -> u32 {
    let bits: [u32; CHUNK] = std::array::from_fn(|lane| if flags[lane] { BITS[lane] } else { 0 });
    bits.iter().fold(0, |mask, bit| mask | bit) << (chunk * CHUNK)
}

impl Registers {
    pub(super) fn new(words: Slot, longs: Slot, predicates: Slot) -> Self {
        let mut registers = Self {
            words: vec![Word::default(); words as usize].into_boxed_slice(),
            longs: vec![Long::default(); longs as usize].into_boxed_slice(),
            predicates: vec![0; predicates as usize].into_boxed_slice(),
        };
        if let Some(always) = registers.predicates.first_mut() {
            *always = u32::MAX;
        }
        registers
    }

    /// The lanes in which a condition holds.
    #[inline(always)]
    pub(super) fn condition(&self, condition: Condition) -> u32 {
        self.predicates[condition.slot() as usize] ^ condition.flip()
    }

    /// Writes the lanes of `mask` of a predicate.
    #[inline(always)]
    pub(super) fn set_predicate(&mut self, slot: Slot, values: u32, mask: u32) {
        let place = &mut self.predicates[slot as usize];
        *place = values & mask | *place & !mask;
    }

    #[inline(always)]
    pub(super) fn word(&self, slot: Slot, lane: usize) -> u32 {
        self.words[slot as usize].0[lane / CHUNK][lane % CHUNK]
    }

    #[inline(always)]
    pub(super) fn long(&self, slot: Slot, lane: usize) -> u64 {
        self.longs[slot as usize].0[lane / CHUNK][lane % CHUNK]
    }

    #[inline(always)]
    pub(super) fn set_word(&mut self, slot: Slot, lane: usize, value: u32) {
        self.words[slot as usize].0[lane / CHUNK][lane % CHUNK] = value;
    }

    #[inline(always)]
    pub(super) fn set_long(&mut self, slot: Slot, lane: usize, value: u64) {
        self.longs[slot as usize].0[lane / CHUNK][lane % CHUNK] = value;
    }

    #[inline(always)]
    pub(super) fn map0<D: Lane>(&mut self, mask: u32, d: Slot, value: D) {
        for chunk in 0..CHUNKS {
            let lanes = chunk_mask(mask, chunk);
            if lanes != 0 {
                D::write(self, d, chunk, [value; CHUNK], lanes);
            }
        }
    }

    #[inline(always)]
    pub(super) fn map1<A: Lane, D: Lane>(&mut self, mask: u32, d: Slot, a: Slot, f: impl Fn(A) -> D) {
        for chunk in 0..CHUNKS {
            let lanes = chunk_mask(mask, chunk);
            if lanes != 0 {
                let a = A::read(self, a, chunk);
                D::write(self, d, chunk, std::array::from_fn(|lane| f(a[lane])), lanes);
            }
        }
    }

    #[inline(always)]
    pub(super) fn map2<A: Lane, B: Lane, D: Lane>(
        &mut self,
        mask: u32,
        d: Slot,
        [a, b]: [Slot; 2],
        f: impl Fn(A, B) -> D,
    ) {
        for chunk in 0..CHUNKS {
            let lanes = chunk_mask(mask, chunk);
            if lanes != 0 {
                let a = A::read(self, a, chunk);
                let b = B::read(self, b, chunk);
                D::write(self, d, chunk, std::array::from_fn(|lane| f(a[lane], b[lane])), lanes);
            }
        }
    }

    #[inline(always)]
    pub(super) fn map3<A: Lane, B: Lane, C: Lane, D: Lane>(
        &mut self,
        mask: u32,
        d: Slot,
        [a, b, c]: [Slot; 3],
        f: impl Fn(A, B, C) -> D,
    ) {
        for chunk in 0..CHUNKS {
            let lanes = chunk_mask(mask, chunk);
            if lanes != 0 {
                let a = A::read(self, a, chunk);
                let b = B::read(self, b, chunk);
                let c = C::read(self, c, chunk);
                let values = std::array::from_fn(|lane| f(a[lane], b[lane], c[lane]));
                D::write(self, d, chunk, values, lanes);
            }
        }
    }

    /// The lanes in which a relation between two registers holds. Lanes outside of `mask` mean nothing.
    #[inline(always)]
    pub(super) fn test2<A: Lane>(&self, mask: u32, [a, b]: [Slot; 2], f: impl Fn(A, A) -> bool) -> u32 {
        let mut found = 0;
        for chunk in 0..CHUNKS {
            if chunk_mask(mask, chunk) != 0 {
                let a = A::read(self, a, chunk);
                let b = A::read(self, b, chunk);
                found |= gather_mask(chunk, std::array::from_fn(|lane| f(a[lane], b[lane])));
            }
        }
        found
    }

    #[inline(always)]
    pub(super) fn test1<A: Lane>(&self, mask: u32, a: Slot, f: impl Fn(A) -> bool) -> u32 {
        let mut found = 0;
        for chunk in 0..CHUNKS {
            if chunk_mask(mask, chunk) != 0 {
                let a = A::read(self, a, chunk);
                found |= gather_mask(chunk, std::array::from_fn(|lane| f(a[lane])));
            }
        }
        found
    }

    /// `a` where the condition holds, `b` elsewhere.
    #[inline(always)]
    pub(super) fn select<A: Lane>(&mut self, mask: u32, d: Slot, [a, b]: [Slot; 2], condition: u32) {
        for chunk in 0..CHUNKS {
            let lanes = chunk_mask(mask, chunk);
            if lanes != 0 {
                let a = A::read(self, a, chunk);
                let b = A::read(self, b, chunk);
                let chosen = chunk_mask(condition, chunk);
                let values =
                    std::array::from_fn(|lane| if chosen & BITS[lane] != 0 { a[lane] } else { b[lane] });
                A::write(self, d, chunk, values, lanes);
            }
        }
    }
}

/// The lanes of a mask, lowest first.
#[inline(always)]
pub(super) fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let lane = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(lane)
    })
}
