//! Seeded random orders.

/// Generator of random numbers of low quality.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

/// Distributes the bits of a number over all bits.
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

impl Random {
    /// Creates the sequence of a `seed` and a `stream`.
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        Self(mix(seed).wrapping_add(mix(!stream)))
    }

    /// Returns a number below `bound`, or 0.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        ((u128::from(mix(self.0)) * u128::from(bound)) >> 64) as u64
    }

    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

/// Numbers below a bound in a random order, without a list of them. A grid may have too many blocks for a list.
#[derive(Debug, Clone)]
pub(super) struct Permutation {
    count: u64,
    /// Half the number of bits of the next power of four.
    half: u32,
    keys: [u64; 4],
}

impl Permutation {
    pub(super) fn new(count: u64, seed: u64) -> Self {
        let bits = u64::BITS - count.saturating_sub(1).leading_zeros();
        let mut random = Random::new(seed, u64::MAX);
        Self { count, half: bits.div_ceil(2).clamp(1, 32), keys: [(); 4].map(|()| random.below(u64::MAX)) }
    }

    /// Returns the number at a position below the bound.
    pub(super) fn at(&self, position: u64) -> u64 {
        let mut value = position;
        // The permutation covers more numbers than needed. Following its cycle yields each needed number exactly once.
        loop {
            value = self.shuffled(value);
            if value < self.count || position >= self.count {
                return value;
            }
        }
    }

    /// Permutes the numbers of `2 * half` bits, in rounds that change one half by a function of the other.
    fn shuffled(&self, value: u64) -> u64 {
        let low = u64::MAX >> (64 - self.half);
        let (mut left, mut right) = (value >> self.half & low, value & low);
        for key in self.keys {
            (left, right) = (right, left ^ mix(right ^ key) & low);
        }
        left << self.half | right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutation_holds_each_number_once() {
        for count in [1, 2, 3, 4, 5, 16, 17, 1000, 4097] {
            let mut seen: Vec<u64> = (0..count).map(|at| Permutation::new(count, 5).at(at)).collect();
            let mut other: Vec<u64> = (0..count).map(|at| Permutation::new(count, 6).at(at)).collect();
            if count > 16 {
                assert_ne!(seen, other);
                assert_ne!(seen, (0..count).collect::<Vec<_>>());
            }
            seen.sort_unstable();
            other.sort_unstable();
            assert_eq!(seen, (0..count).collect::<Vec<_>>());
            assert_eq!(other, seen);
        }
        let huge = Permutation::new(u64::MAX, 1);
        assert_ne!(huge.at(0), huge.at(1));
    }
}
