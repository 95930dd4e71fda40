//! The memories behind an access, each with the same three operations.
//!
//! Loops over lanes are written once, for any bank, and compiled for each, so that none of them asks in every lane which
//! memory it is in.

use super::super::memory::{Memory, Place, SegmentCache};
use super::registers::LANES;
use crate::exec::fault::FaultKind;

/// A memory that lanes load from and store to. Offsets are aligned.
pub(super) trait Bank {
    /// What it is to miss this memory.
    const FAULT: FaultKind;

    /// Whether `size` bytes at `offset` are there; then they may be loaded and stored.
    fn holds(&mut self, offset: u64, size: u64) -> bool;
    fn load<const N: usize>(&self, lane: usize, offset: u64) -> [u8; N];
    fn store<const N: usize>(&mut self, lane: usize, offset: u64, value: [u8; N]);
}

/// Device memory, by way of the segment that answered last.
#[derive(Debug)]
pub(super) struct Device<'a> {
    memory: &'a Memory,
    cache: &'a mut SegmentCache,
    base: u64,
    length: u64,
    place: Option<Place<'a>>,
}

impl<'a> Device<'a> {
    #[inline(always)]
    pub(super) fn new(memory: &'a Memory, cache: &'a mut SegmentCache) -> Self {
        let (base, length, place) = match memory.segment(cache) {
            Some((base, length, place)) => (base, length, Some(place)),
            None => (0, 0, None),
        };
        Self { memory, cache, base, length, place }
    }

    #[cold]
    fn find(&mut self, offset: u64, size: u64) -> bool {
        if self.memory.find(self.cache, offset, size).is_none() {
            return false;
        }
        let Some((base, length, place)) = self.memory.segment(self.cache) else { return false };
        self.base = base;
        self.length = length;
        self.place = Some(place);
        true
    }
}

impl Bank for Device<'_> {
    const FAULT: FaultKind = FaultKind::IllegalAddress;

    #[inline(always)]
    fn holds(&mut self, offset: u64, size: u64) -> bool {
        let within = offset.wrapping_sub(self.base);
        (within < self.length && size <= self.length - within) || self.find(offset, size)
    }

    #[inline(always)]
    fn load<const N: usize>(&self, _lane: usize, offset: u64) -> [u8; N] {
        self.place.map_or([0; N], |place| place.load(offset.wrapping_sub(self.base) as usize))
    }

    #[inline(always)]
    fn store<const N: usize>(&mut self, _lane: usize, offset: u64, value: [u8; N]) {
        if let Some(place) = self.place {
            place.store(offset.wrapping_sub(self.base) as usize, value);
        }
    }
}

/// The same for accesses that other threads of the host may watch: each is one access of the host.
#[derive(Debug)]
pub(super) struct Watched<'a>(pub(super) Device<'a>);

impl Watched<'_> {
    fn place(&self, offset: u64, size: u64) -> Option<Place<'_>> {
        let mut cache = *self.0.cache;
        self.0.memory.find(&mut cache, offset, size)
    }
}

impl Bank for Watched<'_> {
    const FAULT: FaultKind = FaultKind::IllegalAddress;

    fn holds(&mut self, offset: u64, size: u64) -> bool {
        self.0.holds(offset, size)
    }

    fn load<const N: usize>(&self, lane: usize, offset: u64) -> [u8; N] {
        let mut bytes = [0; N];
        match (self.place(offset, N as u64), N) {
            (Some(place), 4) => bytes.copy_from_slice(&place.load_shared32().to_le_bytes()),
            (Some(place), 8) => bytes.copy_from_slice(&place.load_shared64().to_le_bytes()),
            _ => bytes = self.0.load(lane, offset),
        }
        bytes
    }

    fn store<const N: usize>(&mut self, lane: usize, offset: u64, value: [u8; N]) {
        let wide = value.iter().rev().fold(0u64, |wide, byte| wide << 8 | u64::from(*byte));
        match (self.place(offset, N as u64), N) {
            (Some(place), 4) => place.store_shared32(wide as u32),
            (Some(place), 8) => place.store_shared64(wide),
            _ => self.0.store(lane, offset, value),
        }
    }
}

/// The shared memory of a block, as words: nearly all accesses are to aligned words or to several of them.
#[derive(Debug)]
pub(super) struct Shared<'a>(pub(super) &'a mut [u32]);

impl Bank for Shared<'_> {
    const FAULT: FaultKind = FaultKind::OutOfWindow;

    #[inline(always)]
    fn holds(&mut self, offset: u64, size: u64) -> bool {
        let end = self.0.len() as u64 * 4;
        offset < end && size <= end - offset
    }

    #[inline(always)]
    fn load<const N: usize>(&self, _lane: usize, offset: u64) -> [u8; N] {
        let index = (offset / 4) as usize;
        let mut bytes = [0; N];
        if N < 4 {
            let word = self.0.get(index).map_or(0, |word| word >> (offset % 4 * 8));
            bytes.copy_from_slice(&word.to_le_bytes()[..N]);
        } else if let Some(words) = self.0.get(index..index + N / 4) {
            for (part, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
                *part = word.to_le_bytes();
            }
        }
        bytes
    }

    #[inline(always)]
    fn store<const N: usize>(&mut self, _lane: usize, offset: u64, value: [u8; N]) {
        let index = (offset / 4) as usize;
        if N < 4 {
            if let Some(word) = self.0.get_mut(index) {
                let mut bytes = word.to_le_bytes();
                let start = (offset % 4) as usize;
                if let Some(part) = bytes.get_mut(start..start + N) {
                    part.copy_from_slice(&value);
                }
                *word = u32::from_le_bytes(bytes);
            }
        } else if let Some(words) = self.0.get_mut(index..index + N / 4) {
            for (word, part) in words.iter_mut().zip(value.as_chunks::<4>().0) {
                *word = u32::from_le_bytes(*part);
            }
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

    /// All lanes of an aligned word.
    #[inline(always)]
    pub(super) fn row(&mut self, offset: u64) -> Option<&mut [u32; LANES]> {
        self.rows.get_mut((offset / 4) as usize)
    }
}

impl Bank for &mut Local {
    const FAULT: FaultKind = FaultKind::OutOfWindow;

    #[inline(always)]
    fn holds(&mut self, offset: u64, size: u64) -> bool {
        let end = self.rows.len() as u64 * 4;
        offset < end && size <= end - offset
    }

    #[inline(always)]
    fn load<const N: usize>(&self, lane: usize, offset: u64) -> [u8; N] {
        let mut bytes = [0; N];
        for (index, byte) in bytes.iter_mut().enumerate() {
            let at = offset as usize + index;
            let word = self.rows.get(at / 4).map_or(0, |row| row[lane % LANES]);
            *byte = word.to_le_bytes()[at % 4];
        }
        bytes
    }

    #[inline(always)]
    fn store<const N: usize>(&mut self, lane: usize, offset: u64, value: [u8; N]) {
        for (index, byte) in value.into_iter().enumerate() {
            let at = offset as usize + index;
            let Some(row) = self.rows.get_mut(at / 4) else { return };
            let mut word = row[lane % LANES].to_le_bytes();
            word[at % 4] = byte;
            row[lane % LANES] = u32::from_le_bytes(word);
        }
    }
}

/// The parameters of the kernel, which are only read.
#[derive(Debug)]
pub(super) struct Parameters<'a>(pub(super) &'a [u8]);

impl Bank for Parameters<'_> {
    const FAULT: FaultKind = FaultKind::IllegalAddress;

    fn holds(&mut self, offset: u64, size: u64) -> bool {
        offset < self.0.len() as u64 && size <= self.0.len() as u64 - offset
    }

    fn load<const N: usize>(&self, _lane: usize, offset: u64) -> [u8; N] {
        self.0.get(offset as usize..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; N])
    }

    fn store<const N: usize>(&mut self, _lane: usize, _offset: u64, _value: [u8; N]) {}
}
