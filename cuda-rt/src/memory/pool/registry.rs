//! The pools that this crate destroys, by handle: so that a pool that the driver names is kept alive.

use super::Inner;
use crate::handle::{Owned, is_forked_child};
use crate::map::SortedMap;
use core::sync::atomic::{AtomicU64, Ordering};
use cuda_sys::CUmemoryPool;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Numbers and pools by handle.
type Pools = SortedMap<usize, (u64, Weak<Owned<Inner>>)>;

static POOLS: Mutex<Pools> = Mutex::new(SortedMap::new());

fn with_pools<R>(work: impl FnOnce(&mut Pools) -> R) -> Option<R> {
    // Another thread may have held the lock when the process was forked.
    (!is_forked_child()).then(|| work(&mut POOLS.lock().unwrap_or_else(PoisonError::into_inner)))
}

/// Returns a unique pool number.
pub(super) fn next_number() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed)
}

pub(super) fn add(pool: &Arc<Owned<Inner>>) {
    with_pools(|pools| pools.insert(pool.raw.addr(), (pool.number, Arc::downgrade(pool))));
}

/// Removes a destroyed pool. Another pool may have its handle already, but not its number.
pub(super) fn remove(raw: CUmemoryPool, number: u64) {
    with_pools(|pools| {
        if pools.get(&raw.addr()).is_some_and(|(known, _)| *known == number) {
            pools.remove(&raw.addr());
        }
    });
}

/// The record of a handle.
pub(super) enum Found {
    Pool(Arc<Owned<Inner>>),
    /// A pool that is about to be destroyed.
    Ending,
    Unknown,
}

pub(super) fn find(raw: CUmemoryPool) -> Found {
    let found = with_pools(|pools| pools.get(&raw.addr()).map(|(_, pool)| pool.upgrade())).flatten();
    match found {
        Some(Some(pool)) => Found::Pool(pool),
        Some(None) => Found::Ending,
        None => Found::Unknown,
    }
}
