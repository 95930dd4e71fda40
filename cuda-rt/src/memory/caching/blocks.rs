//! Device memory of all caching pools, to look addresses up.

use crate::handle::is_forked_child;
use crate::map::SortedMap;
use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};
use cuda_sys::CUdeviceptr;
use std::sync::{Mutex, PoisonError};

/// Addresses by block number.
type Blocks = SortedMap<u64, Range<CUdeviceptr>>;

static BLOCKS: Mutex<Blocks> = Mutex::new(SortedMap::new());

fn with_blocks<R>(work: impl FnOnce(&mut Blocks) -> R) -> Option<R> {
    // Another thread may have held the lock when the process was forked.
    (!is_forked_child()).then(|| work(&mut BLOCKS.lock().unwrap_or_else(PoisonError::into_inner)))
}

/// Returns whether a caching pool has the memory at an address.
#[cfg(unix)]
pub(in crate::memory) fn is_of_caching_pool(address: CUdeviceptr) -> bool {
    with_blocks(|blocks| blocks.iter().any(|(_, block)| block.contains(&address))).unwrap_or(false)
}

/// Entry of a block. The block is listed until the entry is dropped.
pub(super) struct Listed {
    /// The number that distinguishes the block from later ones at its address.
    number: u64,
}

impl Listed {
    pub(super) fn new(address: CUdeviceptr, bytes: usize) -> Listed {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let number = LAST.fetch_add(1, Ordering::Relaxed);
        let end = address.saturating_add(bytes as u64);
        with_blocks(|blocks| blocks.insert(number, address..end));
        Listed { number }
    }

    /// Removes the entry before the memory is freed, because another allocation may have its address at once.
    pub(super) fn remove(&self) {
        with_blocks(|blocks| blocks.remove(&self.number));
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        self.remove();
    }
}
