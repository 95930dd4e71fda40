//! The pools that this crate destroys, by their handles: so that one that the driver names is kept.

use super::Inner;
use crate::fork::is_forked_child;
use cuda_sys::CUmemoryPool;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

static POOLS: Mutex<BTreeMap<usize, Weak<Inner>>> = Mutex::new(BTreeMap::new());

fn with_pools<R>(work: impl FnOnce(&mut BTreeMap<usize, Weak<Inner>>) -> R) -> Option<R> {
    // Another thread may have held the lock when the process was forked.
    (!is_forked_child()).then(|| work(&mut POOLS.lock().unwrap_or_else(PoisonError::into_inner)))
}

pub(super) fn add(pool: &Arc<Inner>) {
    with_pools(|pools| pools.insert(pool.raw.addr(), Arc::downgrade(pool)));
}

/// Forgets a pool that was destroyed. Another one may have the handle already, so the pool is told by where it was when it
/// was added.
pub(super) fn remove(raw: CUmemoryPool, added_at: *const Inner) {
    with_pools(|pools| {
        if pools.get(&raw.addr()).is_some_and(|known| core::ptr::eq(known.as_ptr(), added_at)) {
            pools.remove(&raw.addr());
        }
    });
}

/// What is known of a handle.
pub(super) enum Found {
    Pool(Arc<Inner>),
    /// It is about to be destroyed.
    Ending,
    Unknown,
}

pub(super) fn find(raw: CUmemoryPool) -> Found {
    let found = with_pools(|pools| pools.get(&raw.addr()).map(Weak::upgrade)).flatten();
    match found {
        Some(Some(pool)) => Found::Pool(pool),
        Some(None) => Found::Ending,
        None => Found::Unknown,
    }
}
