//! Loads and stores of two or four words at once by whole warps, half a warp at a time.
//!
//! All other accesses take the general path, as in [`coalesced_access`](super::coalesced_access).

use super::coalesced_access::{Base, HALF, Offsets, Pattern, Row, plain_address, with_backend};
use super::memory_backend::{Device, MemoryBackend};
use super::registers::{LANES, Raw, Registers};
use super::warp_memory::WarpMemory;
use crate::memory::Receiver;
use crate::op::{Access, Base as Slot, Extension, MemorySpace, NONE, Place as Slots};

/// Splits `BYTES` bytes into words.
#[inline(always)]
fn words_of<const K: usize, const BYTES: usize>(bytes: [u8; BYTES]) -> [u32; K] {
    let mut words = [0; K];
    for (word, part) in words.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*part);
    }
    words
}

/// Joins `K` words to bytes.
#[inline(always)]
fn bytes_of<const K: usize, const BYTES: usize>(words: [u32; K]) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    for (part, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *part = word.to_le_bytes();
    }
    bytes
}

/// Registers, half of whose lanes receive `K` words each.
struct Columns<'a, const K: usize> {
    registers: &'a mut Registers,
    slots: [u32; K],
    half: usize,
}

impl<const K: usize> Columns<'_, K> {
    #[inline(always)]
    fn fill(self, columns: [[u32; HALF]; K]) {
        for (slot, column) in self.slots.into_iter().zip(columns) {
            if slot != NONE {
                self.registers.words[slot as usize].0.as_chunks_mut::<HALF>().0[self.half] = column;
            }
        }
    }
}

impl Receiver<{ 8 * HALF }> for Columns<'_, 2> {
    #[inline(always)]
    fn receive(self, bytes: &[u8; 8 * HALF]) {
        self.fill(split(bytes.as_chunks().0));
    }
}

impl Receiver<{ 16 * HALF }> for Columns<'_, 4> {
    #[inline(always)]
    fn receive(self, bytes: &[u8; 16 * HALF]) {
        let [even, odd] = split::<LANES>(bytes.as_chunks().0);
        let [first, third] = split(&pairs(even));
        let [second, fourth] = split(&pairs(odd));
        self.fill([first, second, third, fourth]);
    }
}

/// Splits longs into their halves. Vector instructions do this faster than copies of the words one by one.
#[inline(always)]
fn split<const N: usize>(longs: &[[u8; 8]]) -> [[u32; N]; 2] {
    let (mut low, mut high) = ([0; N], [0; N]);
    for ((low, high), long) in low.iter_mut().zip(&mut high).zip(longs) {
        let long = u64::from_le_bytes(*long);
        *low = long as u32;
        *high = (long >> 32) as u32;
    }
    [low, high]
}

/// Joins words to longs, whose further use does not depend on the words for the compiler.
#[inline(always)]
fn pairs(words: [u32; LANES]) -> [[u8; 8]; HALF] {
    let mut longs = [[0; 8]; HALF];
    for (bytes, word) in longs.as_flattened_mut().as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    std::hint::black_box(&mut longs);
    longs
}

/// Loads `K` words, which are `BYTES` bytes, for each lane of a row. `HALF_BYTES` is the size of half a warp. Returns
/// false without effect if the row needs the general path.
#[inline(always)]
fn load<const K: usize, const BYTES: usize, const HALF_BYTES: usize>(
    mut backend: impl MemoryBackend,
    row: &Row,
    registers: &mut Registers,
    slots: [u32; K],
) -> bool
where
    for<'a> Columns<'a, K>: Receiver<HALF_BYTES>,
{
    if !row.is_valid(&mut backend, BYTES as u64) {
        return false;
    }
    for (half, start) in row.starts.into_iter().enumerate() {
        // The lookup moves the cache to the memory of this half.
        backend.holds(start, BYTES as u64);
        if row.span == 0 {
            let words = words_of::<K, BYTES>(backend.load(0, start));
            Columns { registers, slots, half }.fill(words.map(|word| [word; HALF]));
            continue;
        }
        backend.read::<HALF_BYTES>(start, Columns { registers, slots, half });
    }
    true
}

/// Stores `K` adjacent words for each lane of a row. Returns false if it needs another path. The first half may be stored
/// then.
#[inline(always)]
fn store<const K: usize, const BYTES: usize, const HALF_BYTES: usize>(
    mut backend: impl MemoryBackend,
    row: &Row,
    values: &[&[u32; LANES]; K],
) -> bool {
    let value = |lane: usize| {
        let mut words = [0; K];
        for (word, values) in words.iter_mut().zip(values) {
            *word = values[lane % LANES];
        }
        words
    };
    if row.span == 0 {
        return false;
    }
    for (half, start) in row.starts.into_iter().enumerate() {
        if !start.is_multiple_of(BYTES as u64) || !backend.holds(start, HALF_BYTES as u64) {
            return false;
        }
        let mut bytes = [0; HALF_BYTES];
        for (lane, bytes) in bytes.as_chunks_mut::<BYTES>().0.iter_mut().enumerate() {
            *bytes = bytes_of::<K, BYTES>(value(half * HALF + lane));
        }
        backend.store(0, start, bytes);
    }
    true
}

/// Returns the registers of an access to `K` words at once, if it is one.
fn registers<const K: usize>(access: &Access) -> Option<[u32; K]> {
    let elements: &[Slots; K] = access.elements.as_slice().try_into().ok()?;
    let mut slots = [NONE; K];
    for (slot, element) in slots.iter_mut().zip(elements) {
        let Slots::Word(word) = element else { return None };
        *slot = *word;
    }
    (access.size == 4 && access.extension == Extension::Zero).then_some(slots)
}

/// Calls a macro with the registers of an access to two or four words at once, their number, and the bytes of a lane
/// and of half a warp.
macro_rules! with_words {
    ($access:expr, $work:ident) => {
        if let Some(slots) = registers::<2>($access) {
            $work!(slots, 2, 8, 128)
        } else if let Some(slots) = registers::<4>($access) {
            $work!(slots, 4, 16, 256)
        } else {
            false
        }
    };
}

impl WarpMemory<'_> {
    /// Loads for all lanes. Returns false, without effect, if the access needs another path.
    #[inline(always)]
    pub(super) fn load_vector_row(&mut self, access: &Access, mask: u32) -> bool {
        let Some(at) = plain_address(access) else { return false };
        macro_rules! load {
            ($slots:expr, $k:literal, $bytes:literal, $half:literal) => {
                with_backend!(self, at, mask, $bytes, |backend, offsets| {
                    offsets
                        .row()
                        .is_some_and(|row| load::<$k, $bytes, $half>(backend, &row, self.registers, $slots))
                })
            };
        }
        with_words!(access, load)
    }

    /// Stores a row for all lanes. Returns false if the access needs another path, which stores the same again.
    #[inline(always)]
    pub(super) fn store_vectors(&mut self, access: &Access, mask: u32) -> bool {
        let Some(at) = plain_address(access) else { return false };
        macro_rules! store {
            ($slots:expr, $k:literal, $bytes:literal, $half:literal) => {{
                with_backend!(self, at, mask, $bytes, |backend, offsets| {
                    let values = $slots.map(|slot| u32::array(self.registers, slot));
                    offsets.row().is_some_and(|row| store::<$k, $bytes, $half>(backend, &row, &values))
                })
            }};
        }
        with_words!(access, store)
    }
}
