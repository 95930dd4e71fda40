//! Register files of one call of one warp, and the lane-wise operations on them.
//!
//! A register is an array of 32 lanes. An operation reads its sources, computes all lanes into an array of its own and
//! then stores that array. The compiler therefore sees loops over arrays that cannot overlap, and vectorises them even
//! if the result is one of the sources. Inactive lanes are computed too, and discarded.
//!
//! Each operation exists twice. The functions with `fast` in their names are for the loop over steps. The others share
//! the code that stores results and are shorter, which reduces the build time of the engine.

#![allow(clippy::needless_range_loop, reason = "lanes of several arrays run side by side")]

use super::coalesced_access::{Base, Pattern};
use crate::op::{Condition, NONE, Place, Slot};

/// Lanes of a warp.
pub(super) const LANES: usize = 32;

/// 32-bit register.
#[repr(C, align(64))]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Word(pub(super) [u32; LANES]);

/// 64-bit register.
#[repr(C, align(64))]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Long(pub(super) [u64; LANES]);

/// Register files of one call.
#[derive(Debug, Clone, Default)]
pub(super) struct Registers {
    pub(super) words: Box<[Word]>,
    longs: Box<[Long]>,
    /// Patterns of addresses in the longs, until they are written.
    patterns: Box<[Pattern]>,
    /// One bit a lane.
    pub(super) predicates: Box<[u32]>,
}

/// Bit of each lane in a mask. Comparisons with these make lane masks faster than shifts do.
const BITS: [u32; LANES] = {
    let mut bits = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

/// Returns all ones if the lane is in `mask`, else zero.
#[inline(always)]
pub(super) fn lane_mask(mask: u32, lane: usize) -> u32 {
    u32::mask(mask & BITS[lane] != 0)
}

/// Storage type of a lane of a register file.
pub(super) trait Raw: Copy + Default {
    /// Returns all ones if `take`, else zero, as a mask that selects lanes.
    fn mask(take: bool) -> Self;
    /// Returns the bits of `self` where `mask` is one, and those of `other` elsewhere.
    fn blend(self, other: Self, mask: Self) -> Self;
    fn array(registers: &Registers, slot: Slot) -> &[Self; LANES];
    fn array_mut(registers: &mut Registers, slot: Slot) -> &mut [Self; LANES];
    /// Stores the values of the lanes of `mask`.
    fn store(registers: &mut Registers, mask: u32, slot: Slot, values: &[Self; LANES]);
}

macro_rules! raw {
    ($type:ty, $file:ident, |$registers:ident, $slot:ident| $before_write:expr) => {
        impl Raw for $type {
            #[inline(always)]
            fn mask(take: bool) -> Self {
                <$type>::from(take).wrapping_neg()
            }
            #[inline(always)]
            fn blend(self, other: Self, mask: Self) -> Self {
                self & mask | other & !mask
            }
            #[inline(always)]
            fn array(registers: &Registers, slot: Slot) -> &[Self; LANES] {
                &registers.$file[slot as usize].0
            }
            #[inline(always)]
            fn array_mut($registers: &mut Registers, $slot: Slot) -> &mut [Self; LANES] {
                $before_write;
                &mut $registers.$file[$slot as usize].0
            }
            #[inline(never)]
            fn store(registers: &mut Registers, mask: u32, slot: Slot, values: &[Self; LANES]) {
                let register = Self::array_mut(registers, slot);
                if mask == u32::MAX {
                    *register = *values;
                } else {
                    for lane in 0..LANES {
                        let take = <$type>::mask(mask & BITS[lane] != 0);
                        register[lane] = values[lane].blend(register[lane], take);
                    }
                }
            }
        }
    };
}

raw!(u32, words, |registers, slot| {});
raw!(u64, longs, |registers, slot| registers.patterns[slot as usize] = Pattern::UNKNOWN);

/// Type as which the lanes of a register can be read and written.
pub(super) trait Lane: Copy {
    type Raw: Raw;
    fn read(raw: Self::Raw) -> Self;
    fn write(self) -> Self::Raw;
}

macro_rules! lane {
    ($type:ty, $raw:ty, $read:expr, $write:expr) => {
        impl Lane for $type {
            type Raw = $raw;
            #[inline(always)]
            fn read(raw: $raw) -> Self {
                $read(raw)
            }
            #[inline(always)]
            fn write(self) -> $raw {
                $write(self)
            }
        }
    };
}

lane!(u32, u32, u32::from, u32::from);
lane!(i32, u32, u32::cast_signed, i32::cast_unsigned);
lane!(f32, u32, f32::from_bits, f32::to_bits);
lane!(u16, u32, |bits: u32| bits as u16, u32::from);
lane!(i16, u32, |bits: u32| bits as i16, |value: i16| u32::from(value.cast_unsigned()));
lane!(u64, u64, u64::from, u64::from);
lane!(i64, u64, u64::cast_signed, i64::cast_unsigned);
lane!(f64, u64, f64::from_bits, f64::to_bits);

/// Computes the result of every lane, and stores the lanes of `mask` in a register.
///
/// A macro, because compilers do not always inline a function argument into its loops.
macro_rules! write {
    ($registers:expr, $mask:expr, $d:expr, $type:ty, |$lane:ident| $result:expr) => {{
        let registers: &Registers = $registers;
        let mut values = [<$type>::default(); LANES];
        for $lane in 0..LANES {
            values[$lane] = $result;
        }
        if $mask != u32::MAX {
            // Without this, compilers prepare lanes for this path before the branch to it.
            let mask = std::hint::black_box($mask);
            let old = <$type>::array(registers, $d);
            for lane in 0..LANES {
                let take = <$type>::mask(mask & BITS[lane] != 0);
                values[lane] = values[lane].blend(old[lane], take);
            }
        }
        *<$type>::array_mut($registers, $d) = values;
    }};
}

/// Returns the bit of each lane in which a predicate holds.
#[inline(always)]
fn bits_of(holds: impl Fn(usize) -> bool) -> [u32; LANES] {
    // If compilers knew the bits, they would compute some lanes without vector instructions.
    let known = std::hint::black_box(&BITS);
    let mut bits = [0; LANES];
    for lane in 0..LANES {
        bits[lane] = u32::mask(holds(lane)) & known[lane];
    }
    bits
}

/// Combines bits of lanes into a mask.
#[inline(always)]
fn fast_union(bits: &[u32; LANES]) -> u32 {
    bits.iter().fold(0, |mask, bit| mask | bit)
}

#[inline(never)]
fn union(bits: &[u32; LANES]) -> u32 {
    fast_union(bits)
}

impl Registers {
    pub(super) fn new(words: Slot, longs: Slot, predicates: Slot) -> Self {
        let mut registers = Self {
            words: vec![Word::default(); words as usize].into_boxed_slice(),
            longs: vec![Long::default(); longs as usize].into_boxed_slice(),
            patterns: vec![Pattern::UNKNOWN; longs as usize].into_boxed_slice(),
            predicates: vec![0; predicates as usize].into_boxed_slice(),
        };
        if let Some(always) = registers.predicates.first_mut() {
            *always = u32::MAX;
        }
        registers
    }

    /// Returns the lanes in which a condition holds.
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
        self.words[slot as usize].0[lane]
    }

    #[inline(always)]
    pub(super) fn long(&self, slot: Slot, lane: usize) -> u64 {
        self.longs[slot as usize].0[lane]
    }

    #[inline(always)]
    pub(super) fn set_word(&mut self, slot: Slot, lane: usize, value: u32) {
        self.words[slot as usize].0[lane] = value;
    }

    #[inline(always)]
    pub(super) fn set_long(&mut self, slot: Slot, lane: usize, value: u64) {
        u64::array_mut(self, slot)[lane] = value;
    }

    pub(super) fn set_place(&mut self, place: Place, lane: usize, value: u64) {
        match place {
            Place::Word(NONE) => {}
            Place::Long(slot) => self.set_long(slot, lane, value),
            Place::Word(slot) | Place::Predicate(slot) => self.set_word(slot, lane, value as u32),
        }
    }

    /// Returns the pattern of the addresses in a long, for accesses of `size` bytes by all lanes.
    #[inline(always)]
    pub(super) fn pattern(&mut self, slot: Slot, size: u8) -> Pattern {
        let known = self.patterns[slot as usize];
        if known.is_for(size) {
            return known;
        }
        let pattern = u64::pattern(&self.longs[slot as usize].0, size);
        self.patterns[slot as usize] = pattern;
        pattern
    }

    /// Writes the lanes of `mask` of a word.
    #[inline(always)]
    pub(super) fn take(&mut self, d: Slot, from: &[u32; LANES], mask: u32) {
        write!(self, mask, d, u32, |lane| from[lane]);
    }

    #[inline(always)]
    pub(super) fn map1<A: Lane, D: Lane>(&mut self, mask: u32, d: Slot, a: Slot, f: impl Fn(A) -> D) {
        let mut values = [D::Raw::default(); LANES];
        let a = A::Raw::array(self, a);
        for lane in 0..LANES {
            values[lane] = f(A::read(a[lane])).write();
        }
        D::Raw::store(self, mask, d, &values);
    }

    #[inline(always)]
    pub(super) fn map2<A: Lane, B: Lane, D: Lane>(
        &mut self,
        mask: u32,
        d: Slot,
        [a, b]: [Slot; 2],
        f: impl Fn(A, B) -> D,
    ) {
        let mut values = [D::Raw::default(); LANES];
        let (a, b) = (A::Raw::array(self, a), B::Raw::array(self, b));
        for lane in 0..LANES {
            values[lane] = f(A::read(a[lane]), B::read(b[lane])).write();
        }
        D::Raw::store(self, mask, d, &values);
    }

    #[inline(always)]
    pub(super) fn map3<A: Lane, B: Lane, C: Lane, D: Lane>(
        &mut self,
        mask: u32,
        d: Slot,
        [a, b, c]: [Slot; 3],
        f: impl Fn(A, B, C) -> D,
    ) {
        let mut values = [D::Raw::default(); LANES];
        let (a, b, c) = (A::Raw::array(self, a), B::Raw::array(self, b), C::Raw::array(self, c));
        for lane in 0..LANES {
            values[lane] = f(A::read(a[lane]), B::read(b[lane]), C::read(c[lane])).write();
        }
        D::Raw::store(self, mask, d, &values);
    }

    #[inline(always)]
    pub(super) fn map0<D: Lane>(&mut self, mask: u32, d: Slot, value: D) {
        let value = value.write();
        write!(self, mask, d, D::Raw, |_lane| value);
    }

    #[inline(always)]
    pub(super) fn fast_map1<A: Lane, D: Lane>(&mut self, mask: u32, d: Slot, a: Slot, f: impl Fn(A) -> D) {
        write!(self, mask, d, D::Raw, |lane| f(A::read(A::Raw::array(self, a)[lane])).write());
    }

    #[inline(always)]
    pub(super) fn fast_map2<A: Lane, B: Lane, D: Lane>(
        &mut self,
        mask: u32,
        d: Slot,
        [a, b]: [Slot; 2],
        f: impl Fn(A, B) -> D,
    ) {
        write!(self, mask, d, D::Raw, |lane| {
            f(A::read(A::Raw::array(self, a)[lane]), B::read(B::Raw::array(self, b)[lane])).write()
        });
    }

    #[inline(always)]
    pub(super) fn fast_map3<A: Lane, B: Lane, C: Lane, D: Lane>(
        &mut self,
        mask: u32,
        d: Slot,
        [a, b, c]: [Slot; 3],
        f: impl Fn(A, B, C) -> D,
    ) {
        write!(self, mask, d, D::Raw, |lane| {
            let a = A::read(A::Raw::array(self, a)[lane]);
            let b = B::read(B::Raw::array(self, b)[lane]);
            f(a, b, C::read(C::Raw::array(self, c)[lane])).write()
        });
    }

    /// Returns the lanes in which a property holds.
    #[inline(always)]
    pub(super) fn test1<A: Lane>(&self, a: Slot, f: impl Fn(A) -> bool) -> u32 {
        let a = A::Raw::array(self, a);
        union(&bits_of(|lane| f(A::read(a[lane]))))
    }

    /// Returns the lanes in which a word is `value`, usually all of them.
    #[inline]
    pub(super) fn equal_to(&self, slot: Slot, value: u32) -> u32 {
        let differences = self.words[slot as usize].0.iter().fold(0, |all, lane| all | (lane ^ value));
        if differences == 0 { u32::MAX } else { self.test1(slot, |lane: u32| lane == value) }
    }

    /// Returns the lanes in which a relation between two registers holds.
    #[inline(always)]
    pub(super) fn test2<A: Lane>(&self, [a, b]: [Slot; 2], f: impl Fn(A, A) -> bool) -> u32 {
        let a = A::Raw::array(self, a);
        let b = A::Raw::array(self, b);
        union(&bits_of(|lane| f(A::read(a[lane]), A::read(b[lane]))))
    }

    #[inline(always)]
    pub(super) fn fast_test1<A: Lane>(&self, a: Slot, f: impl Fn(A) -> bool) -> u32 {
        let a = A::Raw::array(self, a);
        fast_union(&bits_of(|lane| f(A::read(a[lane]))))
    }

    #[inline(always)]
    pub(super) fn fast_test2<A: Lane>(&self, [a, b]: [Slot; 2], f: impl Fn(A, A) -> bool) -> u32 {
        let a = A::Raw::array(self, a);
        let b = A::Raw::array(self, b);
        fast_union(&bits_of(|lane| f(A::read(a[lane]), A::read(b[lane]))))
    }

    #[inline(always)]
    pub(super) fn fast_test3<A: Lane>(&self, [a, b, c]: [Slot; 3], f: impl Fn(A, A, A) -> bool) -> u32 {
        let [a, b, c] = [a, b, c].map(|slot| A::Raw::array(self, slot));
        fast_union(&bits_of(|lane| f(A::read(a[lane]), A::read(b[lane]), A::read(c[lane]))))
    }

    /// Selects `a` where the condition holds, and `b` elsewhere.
    #[inline(always)]
    pub(super) fn select<A: Raw + Lane<Raw = A>>(
        &mut self,
        mask: u32,
        d: Slot,
        [a, b]: [Slot; 2],
        condition: u32,
    ) {
        write!(self, mask, d, A, |lane| {
            let chosen = A::mask(condition & BITS[lane] != 0);
            A::array(self, a)[lane].blend(A::array(self, b)[lane], chosen)
        });
    }
}

/// Returns the lanes of a mask, lowest first.
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
