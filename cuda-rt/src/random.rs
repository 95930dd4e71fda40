//! Random values for tests of laws that hold for all values.

use core::ops::Range;
use std::io::Write;

/// The number of cases of each test, the default of proptest.
const CASES: u64 = 256;

/// A generator (`SplitMix64`). The same seed gives the same values.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// Returns a value of a range that is not empty.
    pub(crate) fn within(&mut self, range: Range<usize>) -> usize {
        range.start + (self.next() % range.len() as u64) as usize
    }

    pub(crate) fn bytes(&mut self, len: Range<usize>) -> Vec<u8> {
        (0..self.within(len)).map(|_| self.next() as u8).collect()
    }
}

/// Prints the seed of a case that panics.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = writeln!(std::io::stderr(), "the case of the seed {} fails", self.0);
        }
    }
}

/// Runs a test with a generator of each seed. Each process uses other seeds.
pub(crate) fn cases(test: impl Fn(&mut Random)) {
    use std::hash::BuildHasher;
    let first = std::hash::RandomState::new().hash_one(0);
    for case in 0..CASES {
        let seed = Seed(first.wrapping_add(case));
        test(&mut Random(seed.0));
    }
}
