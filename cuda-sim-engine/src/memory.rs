//! Device memory as a kernel sees it: sorted segments of host bytes, found by device address.
//!
//! This file and the choice of the host's instructions are the only unsafe code of the engine. Every pointer is
//! dereferenced here, after a check against the segment bounds. The rest of the engine can therefore pass any address
//! that a kernel computes.
#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// Contiguous range of device addresses and the host bytes behind it.
#[derive(Debug, Clone, Copy)]
pub struct Segment {
    /// First device address.
    pub base: u64,
    /// Length in bytes.
    pub len: u64,
    /// Bytes of the segment.
    pub bytes: *mut u8,
    /// True if writes are refused.
    pub read_only: bool,
}

/// Segments that a kernel may access.
///
/// Bounds are those of the segments. An access that overruns one allocation into its neighbour in the same segment is
/// not detected. Hardware does not detect it either within a page.
#[derive(Debug, Default)]
pub struct Memory {
    segments: Vec<Segment>,
    /// Set after a refused write to read-only memory.
    refused: AtomicBool,
}

// SAFETY:
// - the list of segments never changes
// - raw pointers and atomic operations access the bytes behind them, never references
// - non-atomic accesses of several threads do not race, by the contract of `Memory::new`
unsafe impl Sync for Memory {}

/// Segments of recent accesses. Each is a guess for the next address, because a kernel works on a few arrays in turn.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SegmentCache {
    /// Most recent segments, the last one first.
    recent: [u32; 4],
    /// Last segment for each of several places in the program. A place usually stays with one array.
    by_site: [u32; SITES],
}

/// Number of places in the program that are distinguished.
const SITES: usize = 8;

impl SegmentCache {
    fn last(&self) -> usize {
        self.recent[0] as usize
    }

    /// Moves a segment to the front.
    fn note(&mut self, index: usize) {
        let index = index as u32;
        let position = self.recent.iter().position(|&known| known == index);
        let position = position.unwrap_or(self.recent.len() - 1);
        self.recent[..=position].rotate_right(1);
        self.recent[0] = index;
    }

    /// Records the last segment for a place in the program. Any number may identify the place.
    pub(crate) fn note_site(&mut self, site: u32) {
        self.by_site[site as usize % SITES] = self.recent[0];
    }
}

impl Memory {
    /// Collects `segments`, in any order.
    ///
    /// # Safety
    ///
    /// - For as long as the result lives, `bytes .. bytes + len` of every segment is one valid allocation that may be
    ///   read, and written unless the segment is `read_only`.
    /// - `bytes` and `base` leave the same remainder modulo 8, so that an aligned device address is an aligned host
    ///   address.
    /// - While a kernel runs, no reference to the bytes that it accesses is alive. Other code accesses these bytes only
    ///   with atomic operations of the same width. In this case the kernel, too, accesses them only with `volatile`,
    ///   `relaxed` or stronger accesses.
    /// - Kernels that run on it do not race. If two of their threads access the same bytes and one of them writes, one
    ///   of two conditions holds. Either both use `volatile`, `relaxed` or stronger accesses or atomic operations. Or a
    ///   barrier, an atomic operation, or a strong access and a fence orders them. The caller that launches promises
    ///   this. A race is possible only between blocks that different host threads run.
    /// - Segments do not overlap, neither by device address nor by host address. If the system maps the same bytes at
    ///   several host addresses, these promises hold for the bytes under every address.
    pub unsafe fn new(mut segments: Vec<Segment>) -> Self {
        segments.retain(|segment| segment.len != 0);
        segments.sort_unstable_by_key(|segment| segment.base);
        Self { segments, refused: AtomicBool::new(false) }
    }

    /// Returns whether a write to read-only memory was refused.
    pub fn has_refused(&self) -> bool {
        self.refused.load(Ordering::Relaxed)
    }

    fn place(&self, segment: &Segment, address: u64, length: u64) -> Place<'_> {
        // `holds` has checked that the offset is inside the segment, so it fits in the host's address range.
        let bytes = segment.bytes.wrapping_add((address - segment.base) as usize);
        Place { bytes, length, refused: segment.read_only.then_some(&self.refused), memory: PhantomData }
    }

    /// Returns the host bytes of `length` bytes at `address`, if one segment contains them all.
    #[inline]
    pub(crate) fn find(&self, cache: &mut SegmentCache, address: u64, length: u64) -> Option<Place<'_>> {
        match self.segments.get(cache.last()) {
            Some(segment) if holds(segment, address, length) => Some(self.place(segment, address, length)),
            _ => self.find_slow(cache, address, length),
        }
    }

    /// Returns the start, the length and the bytes of the segment of the last access.
    #[inline]
    pub(crate) fn segment(&self, cache: &SegmentCache) -> Option<(u64, u64, Place<'_>)> {
        let segment = self.segments.get(cache.last())?;
        Some((segment.base, segment.len, self.place(segment, segment.base, segment.len)))
    }

    /// Returns the same for the last access at a place in the program.
    #[inline]
    pub(crate) fn segment_of_site(&self, cache: &SegmentCache, site: u32) -> Option<(u64, u64, Place<'_>)> {
        let segment = self.segments.get(cache.by_site[site as usize % SITES] as usize)?;
        Some((segment.base, segment.len, self.place(segment, segment.base, segment.len)))
    }

    /// Returns the host bytes of `length` bytes at `address`, if the segment of the last access at a place in the program
    /// contains them all.
    #[inline(always)]
    pub(crate) fn find_at_site(
        &self,
        cache: &SegmentCache,
        site: u32,
        address: u64,
        length: u64,
    ) -> Option<Place<'_>> {
        let segment = self.segments.get(cache.by_site[site as usize % SITES] as usize)?;
        holds(segment, address, length).then(|| self.place(segment, address, length))
    }

    #[cold]
    fn find_slow(&self, cache: &mut SegmentCache, address: u64, length: u64) -> Option<Place<'_>> {
        let known = cache.recent.into_iter().map(|index| index as usize);
        let known =
            known.filter(|&index| self.segments.get(index).is_some_and(|s| holds(s, address, length)));
        let index = match { known }.next() {
            Some(index) => index,
            None => self.segments.partition_point(|segment| segment.base <= address).checked_sub(1)?,
        };
        let segment = self.segments.get(index).filter(|segment| holds(segment, address, length))?;
        cache.note(index);
        Some(self.place(segment, address, length))
    }
}

#[inline]
fn holds(segment: &Segment, address: u64, length: u64) -> bool {
    let offset = address.wrapping_sub(segment.base);
    address >= segment.base && offset <= segment.len && length <= segment.len - offset
}

/// Destination of bytes. A function in its place would not always be compiled for the instruction set of its caller.
pub(crate) trait Receiver<const N: usize> {
    fn receive(self, bytes: &[u8; N]);
}

impl<const N: usize> Receiver<N> for &mut [u8; N] {
    #[inline(always)]
    fn receive(self, bytes: &[u8; N]) {
        *self = *bytes;
    }
}

/// Range of host bytes inside one segment.
///
/// Offsets are checked again here, by a comparison with a length that is usually a constant. The safety argument thus
/// stays inside this file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'memory> {
    bytes: *mut u8,
    length: u64,
    /// Flag to set in place of a write, for read-only memory.
    refused: Option<&'memory AtomicBool>,
    memory: PhantomData<&'memory Memory>,
}

impl Place<'_> {
    /// Returns the host address of `N` bytes at `offset`, or `None` if this place does not contain them.
    #[inline]
    fn at<const N: usize>(self, offset: usize) -> Option<*mut [u8; N]> {
        let end = (offset as u64).checked_add(N as u64)?;
        (end <= self.length).then(|| self.bytes.wrapping_add(offset).cast::<[u8; N]>())
    }

    /// Returns whether this place is read-only. If so, records that a write was refused.
    #[inline]
    fn refuses(&self) -> bool {
        if let Some(refused) = self.refused {
            refused.store(true, Ordering::Relaxed);
        }
        self.refused.is_some()
    }

    /// Passes `N` bytes to a receiver. Outside the place, this has no effect.
    #[inline(always)]
    pub(crate) fn read<const N: usize>(self, offset: usize, to: impl Receiver<N>) {
        let Some(bytes) = self.at::<N>(offset) else { return };
        // SAFETY:
        // - `bytes .. bytes + N` lies inside a segment, which `Memory::new`'s caller keeps valid for reads
        // - a byte array has no alignment and no invalid values
        to.receive(&unsafe { bytes.read() });
    }

    /// Returns `N` bytes. Returns zeros outside the place, where no caller reads.
    #[inline]
    pub(crate) fn load<const N: usize>(self, offset: usize) -> [u8; N] {
        let mut value = [0; N];
        self.read(offset, &mut value);
        value
    }

    /// Writes `N` bytes. Outside the place, this has no effect.
    #[inline]
    pub(crate) fn store<const N: usize>(self, offset: usize, value: [u8; N]) {
        if self.refuses() {
            return;
        }
        let Some(bytes) = self.at::<N>(offset) else { return };
        // SAFETY:
        // - `bytes .. bytes + N` lies inside a segment which is not read-only, and so is kept valid for writes by the
        //   caller of `Memory::new`
        // - no reference to it exists, by the same contract
        unsafe { bytes.write(value) }
    }

    /// Returns the aligned 32-bit cell at the start of the place, for accesses that other threads may observe.
    #[inline]
    fn cell32(&self) -> Option<&AtomicU32> {
        if self.refuses() {
            return None;
        }
        #[expect(clippy::cast_ptr_alignment, reason = "checked on the next line")]
        let cell = self.at::<4>(0)?.cast::<u32>();
        if !cell.is_aligned() {
            return None;
        }
        // SAFETY:
        // - the four bytes are valid for reads and writes while the memory, hence this borrow, lives: the segment is
        //   not read-only
        // - the pointer is aligned
        // - other threads access it meanwhile with atomic operations of this width only, by the contract of
        //   `Memory::new`
        Some(unsafe { AtomicU32::from_ptr(cell) })
    }

    /// Returns the aligned 64-bit cell at the start of the place.
    #[inline]
    fn cell64(&self) -> Option<&AtomicU64> {
        if self.refuses() {
            return None;
        }
        #[expect(clippy::cast_ptr_alignment, reason = "checked on the next line")]
        let cell = self.at::<8>(0)?.cast::<u64>();
        if !cell.is_aligned() {
            return None;
        }
        // SAFETY:
        // - the eight bytes are valid for reads and writes while the memory, hence this borrow, lives: the segment is
        //   not read-only
        // - the pointer is aligned
        // - other threads access it meanwhile with atomic operations of this width only, by the contract of
        //   `Memory::new`
        Some(unsafe { AtomicU64::from_ptr(cell) })
    }

    /// Reads bytes of read-only memory with one volatile read, because atomic operations require writable memory.
    fn watch<const N: usize>(&self) -> Option<[u8; N]> {
        let bytes = self.at::<N>(0)?;
        // SAFETY:
        // - `bytes .. bytes + N` lies inside a segment, which `Memory::new`'s caller keeps valid for reads
        // - a byte array has no alignment and no invalid values
        Some(unsafe { bytes.read_volatile() })
    }

    /// Reads 32 bits in one access with acquire ordering.
    pub(crate) fn load_shared32(self) -> u32 {
        if self.refused.is_some() {
            return self.watch::<4>().map_or(0, u32::from_ne_bytes);
        }
        self.cell32().map_or(0, |cell| cell.load(Ordering::Acquire))
    }

    /// Reads 64 bits in one access with acquire ordering.
    pub(crate) fn load_shared64(self) -> u64 {
        if self.refused.is_some() {
            return self.watch::<8>().map_or(0, u64::from_ne_bytes);
        }
        self.cell64().map_or(0, |cell| cell.load(Ordering::Acquire))
    }

    /// Writes 32 bits in one access with release ordering.
    pub(crate) fn store_shared32(self, value: u32) {
        if let Some(cell) = self.cell32() {
            cell.store(value, Ordering::Release);
        }
    }

    /// Writes 64 bits in one access with release ordering.
    pub(crate) fn store_shared64(self, value: u64) {
        if let Some(cell) = self.cell64() {
            cell.store(value, Ordering::Release);
        }
    }

    /// Replaces a 32-bit value by a function of it, atomically. Returns the old value.
    pub(crate) fn update32(self, change: impl Fn(u32) -> u32) -> u32 {
        let Some(cell) = self.cell32() else { return 0 };
        let mut old = cell.load(Ordering::Relaxed);
        loop {
            match cell.compare_exchange_weak(old, change(old), Ordering::SeqCst, Ordering::Relaxed) {
                Ok(value) => return value,
                Err(value) => old = value,
            }
        }
    }

    /// Replaces a 64-bit value by a function of it, atomically. Returns the old value.
    pub(crate) fn update64(self, change: impl Fn(u64) -> u64) -> u64 {
        let Some(cell) = self.cell64() else { return 0 };
        let mut old = cell.load(Ordering::Relaxed);
        loop {
            match cell.compare_exchange_weak(old, change(old), Ordering::SeqCst, Ordering::Relaxed) {
                Ok(value) => return value,
                Err(value) => old = value,
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lookups_stay_inside_segments() {
        let mut first = [1u8; 64];
        let mut second = [2u8; 32];
        let segments = vec![
            Segment { base: 0x2000, len: 32, bytes: second.as_mut_ptr(), read_only: false },
            Segment { base: 0x1000, len: 64, bytes: first.as_mut_ptr(), read_only: false },
        ];
        // SAFETY: both arrays outlive the memory and are not accessed until it is dropped.
        let memory = unsafe { Memory::new(segments) };
        let mut cache = SegmentCache::default();
        assert!(memory.find(&mut cache, 0xfff, 1).is_none());
        assert!(memory.find(&mut cache, 0x1000, 64).is_some());
        assert!(memory.find(&mut cache, 0x1000, 65).is_none());
        assert!(memory.find(&mut cache, 0x1040, 0).is_some());
        assert!(memory.find(&mut cache, 0x1040, 1).is_none());
        assert!(memory.find(&mut cache, u64::MAX, 8).is_none());
        assert!(memory.find(&mut cache, 0x2000, u64::MAX).is_none());
        assert_eq!(memory.find(&mut cache, 0x201c, 4).map(|place| place.load::<4>(0)), Some([2; 4]));
        let place = memory.find(&mut cache, 0x1008, 8).unwrap();
        place.store(4, [7, 8, 9, 10]);
        place.store(6, [99; 4]);
        assert_eq!(place.load::<8>(0), [1, 1, 1, 1, 7, 8, 9, 10]);
        assert_eq!(place.load::<8>(1), [0; 8]);
        assert_eq!(first[12..16], [7, 8, 9, 10]);
    }
}
