//! Free blocks by size.

use crate::map::SortedMap;

/// Number of leading bits after the first that distinguish sizes.
const MANTISSA_BITS: u32 = 4;

/// A class of sizes. There are sixteen for each power of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bin(u32);

impl Bin {
    /// Returns the class of a number of bytes. 0 bytes count as one byte.
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

    /// Returns the greatest number of bytes of this class: the size of its blocks.
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
    /// Number of blocks that are free for reuse.
    pub held_blocks: usize,
    /// Number of blocks in use.
    pub active_blocks: usize,
    /// Size of all blocks, held and in use, in bytes.
    pub managed_bytes: usize,
    /// Requested size of the blocks in use, in bytes.
    pub active_bytes: usize,
}

/// Blocks of a pool. `B` is a free block.
#[derive(Debug)]
pub(super) struct Bins<B> {
    held: SortedMap<Bin, Vec<B>>,
    /// True if the pool keeps returned blocks.
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

    /// Counts a new block, which is in use.
    pub(super) fn add(&mut self, bin: Bin, asked: usize) {
        self.usage.active_blocks += 1;
        self.usage.active_bytes += asked;
        self.usage.managed_bytes += bin.bytes();
    }

    /// Takes out a free block: one for which `is_first` holds, otherwise the one that was returned first. The block is in use
    /// then.
    pub(super) fn take(&mut self, bin: Bin, asked: usize, is_first: impl Fn(&B) -> bool) -> Option<B> {
        let blocks = self.held.get_mut(&bin)?;
        let place = blocks.iter().rposition(is_first).unwrap_or(0);
        let block = (place < blocks.len()).then(|| blocks.remove(place))?;
        self.usage.held_blocks -= 1;
        self.usage.active_blocks += 1;
        self.usage.active_bytes += asked;
        Some(block)
    }

    /// Puts a block back that is not in use any more. If the pool keeps no blocks, returns the block as `Err`: the pool does not
    /// count it any more.
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

    /// Removes a block in use from the counts.
    pub(super) fn lose(&mut self, bin: Bin, asked: usize) {
        self.usage.active_blocks -= 1;
        self.usage.active_bytes -= asked;
        self.usage.managed_bytes -= bin.bytes();
    }

    /// Takes one of the largest free blocks out of the pool.
    pub(super) fn take_largest(&mut self) -> Option<B> {
        self.held.retain(|_, blocks| !blocks.is_empty());
        let (bin, blocks) = self.held.last_key_value_mut()?;
        let (bin, block) = (*bin, blocks.pop()?);
        self.usage.held_blocks -= 1;
        self.usage.managed_bytes -= bin.bytes();
        Some(block)
    }

    /// Stops keeping blocks.
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
