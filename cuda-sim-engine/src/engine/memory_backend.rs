//! The memories of an access, each with the same three operations.
//!
//! Loops over lanes are written once for any backend, and compiled for each. No loop therefore checks the kind of
//! memory in each lane.

use super::registers::LANES;
use crate::fault::FaultKind;
use crate::memory::{Memory, Place, Receiver, SegmentCache};

/// Memory that lanes load from and store to. Offsets are aligned.
pub(super) trait MemoryBackend {
    /// Fault of an access outside of this memory.
    const FAULT: FaultKind;

    /// Returns whether adjacent addresses are adjacent bytes for several lanes together.
    fn side_by_side(&self) -> bool {
        true
    }

    /// Returns the first offset and the size of memory that exists. For such offsets, [`holds`](Self::holds) would
    /// return true.
    fn extent(&self) -> (u64, u64) {
        (0, 0)
    }

    /// Returns the words from an aligned distance from the start of the [extent](Self::extent) on, if the memory is
    /// stored as words.
    #[inline(always)]
    fn words_from(&mut self, _distance: u64) -> Option<&mut [u32]> {
        None
    }

    /// Returns whether `size` bytes at `offset` exist. They can then be loaded and stored.
    fn holds(&mut self, offset: u64, size: u64) -> bool;
    fn load<const N: usize>(&self, lane: usize, offset: u64) -> [u8; N];
    fn store<const N: usize>(&mut self, lane: usize, offset: u64, value: [u8; N]);

    /// Loads the bytes of several adjacent lanes, and passes them to a receiver. It spares the copies of a long result.
    #[inline(always)]
    fn read<const N: usize>(&self, offset: u64, to: impl Receiver<N>) {
        to.receive(&self.load(0, offset));
    }
}

/// Device memory, through the segment of an earlier access.
#[derive(Debug)]
pub(super) struct Device<'a> {
    memory: &'a Memory,
    cache: &'a mut SegmentCache,
    site: Option<u32>,
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
        Self { memory, cache, site: None, base, length, place }
    }

    /// Creates the backend with the segment of the last access at a place in the program.
    #[inline(always)]
    pub(super) fn at_site(memory: &'a Memory, cache: &'a mut SegmentCache, site: u32) -> Self {
        let (base, length, place) = match memory.segment_of_site(cache, site) {
            Some((base, length, place)) => (base, length, Some(place)),
            None => (0, 0, None),
        };
        Self { memory, cache, site: Some(site), base, length, place }
    }

    /// Finds the segment of an access. Takes no reference to the backend, so that compilers keep its fields in registers.
    #[cold]
    fn find(
        memory: &'a Memory,
        cache: &mut SegmentCache,
        site: Option<u32>,
        offset: u64,
        size: u64,
    ) -> Option<(u64, u64, Place<'a>)> {
        memory.find(cache, offset, size)?;
        if let Some(site) = site {
            cache.note_site(site);
        }
        memory.segment(cache)
    }
}

impl MemoryBackend for Device<'_> {
    const FAULT: FaultKind = FaultKind::IllegalAddress;

    #[inline(always)]
    fn extent(&self) -> (u64, u64) {
        (self.base, self.length)
    }

    #[inline(always)]
    fn holds(&mut self, offset: u64, size: u64) -> bool {
        let within = offset.wrapping_sub(self.base);
        if within < self.length && size <= self.length - within {
            return true;
        }
        let Some(found) = Self::find(self.memory, self.cache, self.site, offset, size) else { return false };
        let place;
        (self.base, self.length, place) = found;
        self.place = Some(place);
        true
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

    #[inline(always)]
    fn read<const N: usize>(&self, offset: u64, to: impl Receiver<N>) {
        if let Some(place) = self.place {
            place.read(offset.wrapping_sub(self.base) as usize, to);
        }
    }
}

/// Device memory for accesses that other threads may observe. Each is one atomic access of the host.
///
/// An access narrower than a word accesses the word around it, as atomic operations on it do.
#[derive(Debug)]
pub(super) struct Watched<'a>(pub(super) Device<'a>);

impl Watched<'_> {
    fn place(&self, offset: u64, size: u64) -> Option<Place<'_>> {
        let mut cache = *self.0.cache;
        self.0.memory.find(&mut cache, offset, size)
    }
}

impl MemoryBackend for Watched<'_> {
    const FAULT: FaultKind = FaultKind::IllegalAddress;

    fn holds(&mut self, offset: u64, size: u64) -> bool {
        self.0.holds(offset, size)
    }

    fn load<const N: usize>(&self, lane: usize, offset: u64) -> [u8; N] {
        let wide = match N {
            8 => self.place(offset, 8).map(Place::load_shared64),
            4 => self.place(offset, 4).map(|place| u64::from(place.load_shared32())),
            _ => {
                let word = self.place(offset & !3, 4).map(Place::load_shared32);
                word.map(|word| u64::from(word >> (offset % 4 * 8)))
            }
        };
        match wide.map(u64::to_le_bytes).as_ref().and_then(|bytes| bytes.first_chunk()) {
            Some(bytes) => *bytes,
            None => self.0.load(lane, offset),
        }
    }

    fn store<const N: usize>(&mut self, lane: usize, offset: u64, value: [u8; N]) {
        let wide = value.iter().rev().fold(0u64, |wide, byte| wide << 8 | u64::from(*byte));
        let start = if N < 4 { offset & !3 } else { offset };
        match (self.place(start, N.max(4) as u64), N) {
            (Some(place), 8) => place.store_shared64(wide),
            (Some(place), 4) => place.store_shared32(wide as u32),
            (Some(place), 1 | 2) => {
                let shift = offset % 4 * 8;
                let bits = (u32::MAX >> (32 - 8 * N as u32)) << shift;
                place.update32(|word| word & !bits | (wide as u32) << shift & bits);
            }
            _ => self.0.store(lane, offset, value),
        }
    }
}

/// Shared memory of a block, as words. Nearly all accesses are to one or several aligned words.
#[derive(Debug)]
pub(super) struct Shared<'a> {
    pub(super) words: &'a mut [u32],
    /// Offset of the first word, a multiple of 16.
    pub(super) start: u64,
}

impl MemoryBackend for Shared<'_> {
    const FAULT: FaultKind = FaultKind::OutOfWindow;

    #[inline(always)]
    fn extent(&self) -> (u64, u64) {
        (self.start, self.words.len() as u64 * 4)
    }

    #[inline(always)]
    fn words_from(&mut self, distance: u64) -> Option<&mut [u32]> {
        self.words.get_mut((distance / 4) as usize..)
    }

    #[inline(always)]
    fn holds(&mut self, offset: u64, size: u64) -> bool {
        let (start, length) = self.extent();
        let within = offset.wrapping_sub(start);
        within < length && size <= length - within
    }

    #[inline(always)]
    fn load<const N: usize>(&self, _lane: usize, offset: u64) -> [u8; N] {
        let index = (offset.wrapping_sub(self.start) / 4) as usize;
        let mut bytes = [0; N];
        if N < 4 {
            let word = self.words.get(index).map_or(0, |word| word >> (offset % 4 * 8));
            bytes.copy_from_slice(&word.to_le_bytes()[..N]);
        } else if let Some(words) = self.words.get(index..index + N / 4) {
            for (part, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
                *part = word.to_le_bytes();
            }
        }
        bytes
    }

    #[inline(always)]
    fn store<const N: usize>(&mut self, _lane: usize, offset: u64, value: [u8; N]) {
        let index = (offset.wrapping_sub(self.start) / 4) as usize;
        if N < 4 {
            if let Some(word) = self.words.get_mut(index) {
                let mut bytes = word.to_le_bytes();
                let start = (offset % 4) as usize;
                if let Some(part) = bytes.get_mut(start..start + N) {
                    part.copy_from_slice(&value);
                }
                *word = u32::from_le_bytes(bytes);
            }
        } else if let Some(words) = self.words.get_mut(index..index + N / 4) {
            for (word, part) in words.iter_mut().zip(value.as_chunks::<4>().0) {
                *word = u32::from_le_bytes(*part);
            }
        }
    }

    #[inline(always)]
    fn read<const N: usize>(&self, offset: u64, to: impl Receiver<N>) {
        let index = (offset.wrapping_sub(self.start) / 4) as usize;
        if let Some(words) = self.words.get(index..index + N / 4) {
            let mut bytes = [0; N];
            for (part, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
                *part = word.to_le_bytes();
            }
            to.receive(&bytes);
        }
    }
}

/// Local memory of the threads of a warp, stored word by word with the lanes side by side. Threads nearly always use
/// the same offset, and then access adjacent memory.
#[derive(Debug, Default)]
pub(super) struct Local {
    rows: Vec<[u32; LANES]>,
    /// Last error of the device runtime in each thread, if there was one.
    errors: Option<Box<[u32; LANES]>>,
}

impl Local {
    /// Reserves `bytes` bytes in each thread.
    pub(super) fn reserve(&mut self, bytes: u32) {
        let rows = bytes.div_ceil(4) as usize;
        if self.rows.len() < rows {
            self.rows.resize(rows, [0; LANES]);
        }
    }

    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.errors = None;
    }

    /// Returns the number of the last error of the device runtime in a thread, or 0.
    pub(super) fn error(&self, lane: usize) -> u32 {
        self.errors.as_deref().map_or(0, |errors| errors[lane % LANES])
    }

    pub(super) fn set_error(&mut self, lane: usize, number: u32) {
        self.errors.get_or_insert_default()[lane % LANES] = number;
    }

    /// Returns the bytes of one thread.
    pub(super) fn size(&self) -> u64 {
        self.rows.len() as u64 * 4
    }

    /// Returns all lanes of an aligned word.
    #[inline(always)]
    pub(super) fn row(&mut self, offset: u64) -> Option<&mut [u32; LANES]> {
        self.rows.get_mut((offset / 4) as usize)
    }
}

impl MemoryBackend for &mut Local {
    const FAULT: FaultKind = FaultKind::OutOfWindow;

    fn side_by_side(&self) -> bool {
        false
    }

    #[inline(always)]
    fn holds(&mut self, offset: u64, size: u64) -> bool {
        let end = self.size();
        offset < end && size <= end - offset
    }

    #[inline(always)]
    fn load<const N: usize>(&self, lane: usize, offset: u64) -> [u8; N] {
        let first = (offset / 4) as usize;
        let word = |index: usize| self.rows.get(index).map_or(0, |row| row[lane % LANES]);
        let mut bytes = [0; N];
        if N < 4 {
            let word = word(first) >> (offset % 4 * 8);
            bytes.copy_from_slice(&word.to_le_bytes()[..N]);
        } else {
            for (index, part) in bytes.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                *part = word(first + index).to_le_bytes();
            }
        }
        bytes
    }

    #[inline(always)]
    fn store<const N: usize>(&mut self, lane: usize, offset: u64, value: [u8; N]) {
        let first = (offset / 4) as usize;
        if N < 4 {
            let Some(row) = self.rows.get_mut(first) else { return };
            let mut word = row[lane % LANES].to_le_bytes();
            let start = (offset % 4) as usize;
            if let Some(part) = word.get_mut(start..start + N) {
                part.copy_from_slice(&value);
            }
            row[lane % LANES] = u32::from_le_bytes(word);
        } else {
            for (index, part) in value.as_chunks::<4>().0.iter().enumerate() {
                let Some(row) = self.rows.get_mut(first + index) else { return };
                row[lane % LANES] = u32::from_le_bytes(*part);
            }
        }
    }
}

/// Parameters of the kernel, which are read-only.
#[derive(Debug)]
pub(super) struct Parameters<'a>(pub(super) &'a [u8]);

impl MemoryBackend for Parameters<'_> {
    const FAULT: FaultKind = FaultKind::IllegalAddress;

    fn holds(&mut self, offset: u64, size: u64) -> bool {
        offset < self.0.len() as u64 && size <= self.0.len() as u64 - offset
    }

    fn load<const N: usize>(&self, _lane: usize, offset: u64) -> [u8; N] {
        self.0.get(offset as usize..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; N])
    }

    fn store<const N: usize>(&mut self, _lane: usize, _offset: u64, _value: [u8; N]) {}
}
