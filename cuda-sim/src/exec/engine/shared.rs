//! Aligned words of shared memory: what tiles are made of, and therefore worth a way of its own.
//!
//! Addresses have 32 bits here, so that half as much work finds out how they lie. Whatever does not fit (other sizes,
//! other spaces, faults) is left to the general way.

#![allow(clippy::needless_range_loop, reason = "lanes of several arrays run side by side")]

use super::super::op::{Access, Base, Extension, NONE, Place as Slots};
use super::registers::{LANES, lanes};
use super::space::{Pattern, Reach};

/// The word of every lane, and how the words lie to each other.
struct Words {
    indices: [u32; LANES],
    pattern: Pattern,
    first: usize,
}

impl Words {
    #[inline(always)]
    fn new(mask: u32, address: impl Fn(usize) -> u32) -> Option<Self> {
        let first = mask.trailing_zeros() as usize % LANES;
        let start = address(first);
        let origin = start.wrapping_sub(first as u32 * 4);
        let mut indices = [0; LANES];
        let (mut steps, mut spread, mut low) = (0, 0, 0);
        if mask == u32::MAX {
            for lane in 0..LANES {
                let address = address(lane);
                indices[lane] = address / 4;
                steps |= address ^ origin.wrapping_add(lane as u32 * 4);
                spread |= address ^ start;
                low |= address;
            }
        } else {
            for lane in 0..LANES {
                let address = address(lane);
                let active = (mask >> lane & 1).wrapping_neg();
                indices[lane] = address / 4;
                steps |= (address ^ origin.wrapping_add(lane as u32 * 4)) & active;
                spread |= (address ^ start) & active;
                low |= address & active;
            }
        }
        if low & 3 != 0 {
            return None;
        }
        let pattern = if steps == 0 {
            Pattern::Contiguous
        } else if spread == 0 {
            Pattern::Uniform
        } else {
            Pattern::Scattered
        };
        Some(Self { indices, pattern, first })
    }
}

impl Reach<'_> {
    /// The words that an access is to, unless one is not aligned.
    #[inline(always)]
    fn words_of(&self, access: &Access, mask: u32) -> Option<Words> {
        let offset = access.offset as u32;
        match access.base {
            Base::Word(slot) => {
                let base = &self.registers.words[slot as usize].0;
                Words::new(mask, |lane| base[lane].wrapping_add(offset))
            }
            Base::Long(slot) => {
                let base = &self.registers.longs[slot as usize].0;
                Words::new(mask, |lane| (base[lane] as u32).wrapping_add(offset))
            }
        }
    }

    /// Loads words; false if that was not possible and nothing has happened.
    #[inline(always)]
    pub(super) fn load_words(&mut self, access: &Access, mask: u32) -> bool {
        let (4, Extension::Zero, [Slots::Word(slot)]) =
            (access.size, access.extension, access.elements.as_slice())
        else {
            return false;
        };
        if *slot == NONE {
            return false;
        }
        let Some(words) = self.words_of(access, mask) else { return false };
        let memory = &*self.shared;
        match words.pattern {
            Pattern::Uniform => match memory.get(words.indices[words.first] as usize) {
                Some(&word) => self.registers.map0(mask, *slot, word),
                None => return false,
            },
            Pattern::Contiguous if mask == u32::MAX => {
                let start = words.indices[0] as usize;
                let Some(block) = memory.get(start..).and_then(|rest| rest.first_chunk::<LANES>()) else {
                    return false;
                };
                self.registers.words[*slot as usize].0 = *block;
            }
            _ => {
                // Checked first, all together, so that nothing is written before a fault.
                let length = u32::try_from(memory.len()).unwrap_or(u32::MAX);
                let mut outside = 0;
                for lane in 0..LANES {
                    outside |= u32::from(words.indices[lane] >= length) << lane;
                }
                if outside & mask != 0 {
                    return false;
                }
                let place = &mut self.registers.words[*slot as usize].0;
                let word = |lane: usize| memory.get(words.indices[lane] as usize).copied().unwrap_or(0);
                if mask == u32::MAX {
                    for lane in 0..LANES {
                        place[lane] = word(lane);
                    }
                } else {
                    for lane in lanes(mask) {
                        place[lane] = word(lane);
                    }
                }
            }
        }
        true
    }

    /// Stores words; false if that was not possible and nothing has happened.
    #[inline(always)]
    pub(super) fn store_words(&mut self, access: &Access, mask: u32) -> bool {
        let (4, [Slots::Word(slot)]) = (access.size, access.elements.as_slice()) else { return false };
        let Some(words) = self.words_of(access, mask) else { return false };
        let values = &self.registers.words[*slot as usize];
        if mask == u32::MAX && words.pattern == Pattern::Contiguous {
            let start = words.indices[0] as usize;
            let Some(block) = self.shared.get_mut(start..).and_then(|rest| rest.first_chunk_mut::<LANES>())
            else {
                return false;
            };
            *block = values.0;
            return true;
        }
        let length = self.shared.len();
        if lanes(mask).any(|lane| words.indices[lane] as usize >= length) {
            return false;
        }
        for lane in lanes(mask) {
            if let Some(word) = self.shared.get_mut(words.indices[lane] as usize) {
                *word = values.0[lane];
            }
        }
        true
    }
}
