//! The bytes of device memory that were written since their allocation, if this is checked.

use crate::collections::IdMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Allocation with one bit for each byte. The bit is set if the byte was written.
#[derive(Debug, Default)]
struct Tracked {
    size: u64,
    bits: Vec<u64>,
}

impl Tracked {
    /// Visits the words of bits for a range of bytes, each with a mask of its bits.
    fn words(start: u64, end: u64) -> impl Iterator<Item = (usize, u64)> {
        (start / 64..end.div_ceil(64)).map(move |word| {
            let first = start.max(word * 64) - word * 64;
            let last = end.min(word * 64 + 64) - word * 64;
            let upper = if last == 64 { u64::MAX } else { (1 << last) - 1 };
            (word as usize, upper & !((1 << first) - 1))
        })
    }
}

/// Tracked allocations, by address. Other memory counts as written.
#[derive(Debug, Default)]
pub(crate) struct Written(Mutex<IdMap<u64, Tracked>>);

impl Written {
    fn lock(&self) -> MutexGuard<'_, IdMap<u64, Tracked>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts to track an allocation without written bytes.
    pub(crate) fn begin(&self, base: u64, size: u64) {
        let bits = vec![0; size.div_ceil(64) as usize];
        self.lock().insert(base, Tracked { size, bits });
    }

    pub(crate) fn end(&self, base: u64) {
        self.lock().remove(base);
    }

    /// Ends all tracking, because memory was written in an unknown way.
    pub(crate) fn forget(&self) {
        *self.lock() = IdMap::new();
    }

    /// Marks bytes as written.
    pub(crate) fn mark(&self, address: u64, len: u64) {
        let mut all = self.lock();
        let Some((base, tracked)) = all.at_or_before_mut(address) else { return };
        let start = address - base;
        let end = start.saturating_add(len).min(tracked.size);
        for (word, bits) in Tracked::words(start.min(end), end) {
            if let Some(known) = tracked.bits.get_mut(word) {
                *known |= bits;
            }
        }
    }

    /// Returns the number of bytes of a range that were never written, and the address of the
    /// first. Returns `None` if there are none. Bytes outside the allocation at `address`
    /// count as written.
    pub(crate) fn unwritten(&self, address: u64, len: u64) -> Option<(u64, u64)> {
        let all = self.lock();
        let (base, tracked) = all.at_or_before(address)?;
        let start = address - base;
        let end = start.saturating_add(len).min(tracked.size);
        let (mut count, mut first) = (0, None);
        for (word, bits) in Tracked::words(start.min(end), end) {
            let missing = bits & !tracked.bits.get(word).copied().unwrap_or(u64::MAX);
            count += u64::from(missing.count_ones());
            if missing != 0 && first.is_none() {
                first = Some(base + word as u64 * 64 + u64::from(missing.trailing_zeros()));
            }
        }
        first.map(|first| (count, first))
    }
}

#[cfg(test)]
mod tests {
    use super::Written;

    #[test]
    fn bytes_are_written_one_by_one() {
        let written = Written::default();
        written.begin(1000, 200);
        assert_eq!(written.unwritten(1000, 200), Some((200, 1000)));
        written.mark(1000, 70);
        written.mark(1071, 500);
        assert_eq!(written.unwritten(1000, 200), Some((1, 1070)));
        assert_eq!(written.unwritten(1071, 4), None);
        written.mark(1070, 1);
        assert_eq!(written.unwritten(1000, 200), None);
        assert_eq!((written.unwritten(900, 4), written.unwritten(1200, 4)), (None, None));
        written.end(1000);
        assert_eq!(written.unwritten(1000, 4), None);
    }
}
