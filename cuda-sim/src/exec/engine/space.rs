//! The memories that a warp can reach, and the addresses it reaches them by.

use super::super::memory::{Memory, Place, SegmentCache};
use super::super::op::{Base, Memories};
use super::super::{LOCAL_WINDOW, PARAM_WINDOW, SHARED_WINDOW, WINDOW_SIZE};
use super::registers::{CHUNKS, LANES, Registers};
use crate::exec::fault::FaultKind;

/// What went wrong in an operation, before anyone has said where.
#[derive(Debug, Clone)]
pub(super) struct Trouble {
    pub(super) kind: FaultKind,
    pub(super) lane: usize,
    pub(super) address: Option<u64>,
    pub(super) detail: String,
}

impl Trouble {
    pub(super) fn at(kind: FaultKind, lane: usize, address: u64) -> Self {
        Self { kind, lane, address: Some(address), detail: String::new() }
    }

    pub(super) fn new(kind: FaultKind, lane: usize, detail: impl Into<String>) -> Self {
        Self { kind, lane, address: None, detail: detail.into() }
    }
}

/// Bytes that a run of lanes finds at offsets from a common start.
pub(super) trait Bytes {
    fn load<const N: usize>(&self, offset: usize) -> [u8; N];
    fn store<const N: usize>(&mut self, offset: usize, value: [u8; N]);
}

impl Bytes for Place<'_> {
    #[inline(always)]
    fn load<const N: usize>(&self, offset: usize) -> [u8; N] {
        Place::load(*self, offset)
    }

    #[inline(always)]
    fn store<const N: usize>(&mut self, offset: usize, value: [u8; N]) {
        Place::store(*self, offset, value);
    }
}

impl Bytes for &mut [u8] {
    #[inline(always)]
    fn load<const N: usize>(&self, offset: usize) -> [u8; N] {
        self.get(offset..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; N])
    }

    #[inline(always)]
    fn store<const N: usize>(&mut self, offset: usize, value: [u8; N]) {
        if let Some(place) = self.get_mut(offset..).and_then(|rest| rest.first_chunk_mut()) {
            *place = value;
        }
    }
}

/// Local memory of the threads of a warp: word by word, the lanes side by side, so that threads that use the same
/// offset, as they nearly always do, touch neighbouring memory.
#[derive(Debug, Default)]
pub(super) struct Local {
    rows: Vec<[u32; LANES]>,
}

impl Local {
    /// Makes room for `bytes` bytes in each thread.
    pub(super) fn reserve(&mut self, bytes: u32) {
        let rows = bytes.div_ceil(4) as usize;
        if self.rows.len() < rows {
            self.rows.resize(rows, [0; LANES]);
        }
    }

    pub(super) fn clear(&mut self) {
        self.rows.clear();
    }

    /// Whether `size` bytes at `offset` exist.
    #[inline(always)]
    pub(super) fn holds(&self, offset: u64, size: u64) -> bool {
        offset.checked_add(size).is_some_and(|end| end <= self.rows.len() as u64 * 4)
    }

    /// All lanes of an aligned word.
    #[inline(always)]
    pub(super) fn row(&mut self, offset: u64) -> Option<&mut [u32; LANES]> {
        self.rows.get_mut((offset / 4) as usize)
    }

    /// Reads up to eight aligned bytes of one lane.
    #[inline(always)]
    pub(super) fn load(&self, lane: usize, offset: u64, size: u8) -> u64 {
        let word = |index: usize| self.rows.get(index).map_or(0, |row| row[lane]);
        let index = (offset / 4) as usize;
        match size {
            8 => u64::from(word(index + 1)) << 32 | u64::from(word(index)),
            4 => u64::from(word(index)),
            _ => u64::from(word(index) >> (offset % 4 * 8)) & ((1 << (u32::from(size) * 8)) - 1),
        }
    }

    /// Writes up to eight aligned bytes of one lane.
    #[inline(always)]
    pub(super) fn store(&mut self, lane: usize, offset: u64, size: u8, value: u64) {
        let index = (offset / 4) as usize;
        let Some(row) = self.rows.get_mut(index) else { return };
        match size {
            8 => {
                row[lane] = value as u32;
                if let Some(row) = self.rows.get_mut(index + 1) {
                    row[lane] = (value >> 32) as u32;
                }
            }
            4 => row[lane] = value as u32,
            _ => {
                let shift = (offset % 4 * 8) as u32;
                let mask = ((1u32 << (u32::from(size) * 8)) - 1) << shift;
                row[lane] = row[lane] & !mask | (value as u32) << shift & mask;
            }
        }
    }
}

/// What a memory operation works with.
pub(super) struct Reach<'a> {
    pub(super) registers: &'a mut Registers,
    pub(super) memory: &'a Memory,
    pub(super) cache: &'a mut SegmentCache,
    pub(super) shared: &'a mut [u8],
    pub(super) local: &'a mut Local,
    pub(super) params: &'a [u8],
}

/// The address of every lane.
pub(super) type Addresses = [u64; LANES];

/// How the addresses of the active lanes lie to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pattern {
    /// One after the other, in the order of the lanes.
    Contiguous,
    /// All the same.
    Uniform,
    Scattered,
}

impl Reach<'_> {
    /// The addresses that a base and an offset yield. Spaces other than the generic one have 32-bit addresses.
    #[inline(always)]
    pub(super) fn addresses(&self, memory: Memories, base: Base, offset: i64) -> Addresses {
        let mut addresses = [0; LANES];
        let short = !matches!(memory, Memories::Generic | Memories::Global);
        for chunk in 0..CHUNKS {
            let part: [u64; 8] = match base {
                Base::Long(slot) => self.registers.longs[slot as usize].0[chunk]
                    .map(|address| address.wrapping_add(offset.cast_unsigned())),
                Base::Word(slot) => self.registers.words[slot as usize].0[chunk]
                    .map(|address| u64::from(address).wrapping_add(offset.cast_unsigned())),
            };
            let part = if short { part.map(|address| address & 0xffff_ffff) } else { part };
            addresses[chunk * 8..chunk * 8 + 8].copy_from_slice(&part);
        }
        addresses
    }

    /// Which memory generic addresses mean, if all active lanes mean the same, and where its window begins.
    #[inline(always)]
    pub(super) fn resolve(memory: Memories, addresses: &Addresses, mask: u32) -> Option<(Memories, u64)> {
        if memory != Memories::Generic {
            return Some((memory, 0));
        }
        let mut window = 0;
        for (lane, address) in addresses.iter().enumerate() {
            window |= u64::from(mask >> lane & 1 != 0 && address >> 47 == 1);
        }
        if window == 0 {
            return Some((Memories::Global, 0));
        }
        let mut found = None;
        for lane in super::registers::lanes(mask) {
            let one = locate(addresses[lane]);
            if *found.get_or_insert(one) != one {
                return None;
            }
        }
        found
    }

    #[inline(always)]
    pub(super) fn pattern(addresses: &Addresses, mask: u32, size: u64) -> Pattern {
        let first = (mask.trailing_zeros() as usize).min(LANES - 1);
        let start = addresses[first].wrapping_sub(first as u64 * size);
        let (mut steps, mut spread) = (0, 0);
        for lane in 0..LANES {
            let active = u64::from(mask >> lane & 1).wrapping_neg();
            steps |= addresses[lane].wrapping_sub(start.wrapping_add(lane as u64 * size)) & active;
            spread |= (addresses[lane] ^ addresses[first]) & active;
        }
        if steps == 0 {
            Pattern::Contiguous
        } else if spread == 0 {
            Pattern::Uniform
        } else {
            Pattern::Scattered
        }
    }
}

/// The memory that a generic address lies in, and where its window begins.
#[inline]
pub(super) fn locate(address: u64) -> (Memories, u64) {
    let within = |start: u64| address.wrapping_sub(start) < WINDOW_SIZE;
    if within(SHARED_WINDOW) {
        (Memories::Shared, SHARED_WINDOW)
    } else if within(LOCAL_WINDOW) {
        (Memories::Local, LOCAL_WINDOW)
    } else if within(PARAM_WINDOW) {
        (Memories::Parameter, PARAM_WINDOW)
    } else {
        (Memories::Global, 0)
    }
}
