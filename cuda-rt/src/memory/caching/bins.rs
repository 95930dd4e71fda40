//! Blocks that wait to be used again, by size.

use crate::map::SortedMap;

/// How finely sizes are told apart: this many leading bits after the first.
const MANTISSA_BITS: u32 = 4;

/// A class of sizes. There are sixteen for each power of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bin(u32);

impl Bin {
    /// That of a number of bytes; of one if there are none.
    pub(super) fn of(bytes: usize) -> Bin {
        let bytes = bytes.max(1);
        let exponent = bytes.ilog2();
        let leading = if exponent >= MANTISSA_BITS {
            bytes >> (exponent - MANTISSA_BITS)
        } else {
            bytes << (MANTISSA_BITS - exponent)
        };
        let mantissa = leading as u32 & ((1 << MANTISSA_BITS) - 1);
        Bin(exponent << MANTISSA_BITS | mantissa)
    }

    /// Returns the greatest number of bytes of this class: what its blocks have.
    pub(super) fn bytes(self) -> usize {
        let (exponent, mantissa) = (self.0 >> MANTISSA_BITS, self.0 & ((1 << MANTISSA_BITS) - 1));
        let leading = (1 << MANTISSA_BITS | mantissa) as usize;
        if exponent >= MANTISSA_BITS {
            let low = exponent - MANTISSA_BITS;
            leading << low | ((1 << low) - 1)
        } else {
            leading >> (MANTISSA_BITS - exponent)
        }
    }
}

/// Contents of a caching pool, at one moment.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::CachingPool;
///
/// let pool = CachingPool::new(&context);
/// let first = DeviceBuf::<u8>::zeroed_in(&stream, 1000, &pool)?;
/// let second = DeviceBuf::<u8>::zeroed_in(&stream, 1000, &pool)?;
/// drop(first);
/// let usage = pool.usage();
/// assert_eq!((usage.active_blocks, usage.held_blocks), (1, 1));
/// assert_eq!((usage.active_bytes, usage.managed_bytes), (1000, 2 * 1023));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CachingPoolUsage {
    /// Blocks that wait to be used again.
    pub held_blocks: usize,
    /// Blocks that are in use.
    pub active_blocks: usize,
    /// The size of all blocks, held and in use, in bytes.
    pub managed_bytes: usize,
    /// How much was asked for of what is in use, in bytes.
    pub active_bytes: usize,
}

/// The blocks of a pool. `B` is one that waits.
#[derive(Debug)]
pub(super) struct Bins<B> {
    held: SortedMap<Bin, Vec<B>>,
    /// True if what comes back is kept.
    holds: bool,
    usage: CachingPoolUsage,
}

impl<B> Bins<B> {
    pub(super) fn new() -> Bins<B> {
        Bins { held: SortedMap::new(), holds: true, usage: CachingPoolUsage::default() }
    }

    pub(super) fn usage(&self) -> CachingPoolUsage {
        self.usage
    }

    /// A new block is in use from now on.
    pub(super) fn add(&mut self, bin: Bin, asked: usize) {
        self.usage.active_blocks += 1;
        self.usage.active_bytes += asked;
        self.usage.managed_bytes += bin.bytes();
    }

    /// Takes out a block that waits: one for which `is_first` holds, else the one that waits longest. It is in use from
    /// now on.
    pub(super) fn take(&mut self, bin: Bin, asked: usize, is_first: impl Fn(&B) -> bool) -> Option<B> {
        let blocks = self.held.get_mut(&bin)?;
        let place = blocks.iter().rposition(is_first).unwrap_or(0);
        let block = (place < blocks.len()).then(|| blocks.remove(place))?;
        self.usage.held_blocks -= 1;
        self.usage.active_blocks += 1;
        self.usage.active_bytes += asked;
        Some(block)
    }

    /// Puts back a block that is not in use any more. It waits from now on. If no blocks are kept, returns it as `Err`:
    /// then it is none of the pool's any more.
    pub(super) fn put(&mut self, bin: Bin, asked: usize, block: B) -> Result<(), B> {
        if !self.holds {
            self.lose(bin, asked);
            return Err(block);
        }
        self.usage.active_blocks -= 1;
        self.usage.active_bytes -= asked;
        self.usage.held_blocks += 1;
        self.held.get_or_default(bin).push(block);
        Ok(())
    }

    /// A block that was in use is none of the pool's any more.
    pub(super) fn lose(&mut self, bin: Bin, asked: usize) {
        self.usage.active_blocks -= 1;
        self.usage.active_bytes -= asked;
        self.usage.managed_bytes -= bin.bytes();
    }

    /// Takes one of the largest that wait out of the pool.
    pub(super) fn take_largest(&mut self) -> Option<B> {
        self.held.retain(|_, blocks| !blocks.is_empty());
        let (bin, blocks) = self.held.last_key_value_mut()?;
        let (bin, block) = (*bin, blocks.pop()?);
        self.usage.held_blocks -= 1;
        self.usage.managed_bytes -= bin.bytes();
        Some(block)
    }

    /// From now on nothing is kept.
    pub(super) fn disable_caching(&mut self) {
        self.holds = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_large_enough_and_not_much_larger() {
        let around = |bit: u32| {
            let power = 1_usize << bit;
            [power - 1, power, power + 1, power + power / 3]
        };
        let sizes: std::collections::BTreeSet<usize> = (1..5000).chain((12..63).flat_map(around)).collect();
        let mut last = Bin::of(1);
        for bytes in sizes {
            let bin = Bin::of(bytes);
            assert!(bin >= last);
            last = bin;
            assert!(bin.bytes() >= bytes, "{bytes}: {}", bin.bytes());
            assert!(bin.bytes() - bytes <= bytes / 16, "{bytes}: {}", bin.bytes());
            assert_eq!(Bin::of(bin.bytes()), bin, "the greatest of its class");
            assert!(Bin::of(bin.bytes() + 1) > bin);
        }
        assert_eq!(Bin::of(isize::MAX as usize).bytes(), isize::MAX as usize);
        assert_eq!(Bin::of(usize::MAX).bytes(), usize::MAX);
        assert_eq!((Bin::of(1000).bytes(), Bin::of(1024).bytes()), (1023, 1087));
    }
}
