//! The contexts to which this crate has handles, to find them by the current context.
//!
//! Primary contexts are not listed: the driver returns another handle to one at any time.

use super::Context;
use super::owner::Inner;
use crate::handle::{Owned, is_forked_child};
use crate::list::CollectVec;
use crate::map::SortedMap;
use cuda_sys::CUcontext;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Contexts by address. The driver reuses addresses, and several values may exist for one context.
type Contexts = SortedMap<usize, Vec<Weak<Owned<Inner>>>>;

static CONTEXTS: Mutex<Contexts> = Mutex::new(Contexts::new());

/// Locks the list. `None` in a child of a fork: a thread that does not exist there may hold the lock.
fn contexts() -> Option<MutexGuard<'static, Contexts>> {
    if is_forked_child() {
        return None;
    }
    Some(CONTEXTS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Makes [`find`] find the context as long as there are handles to it.
pub(super) fn add(context: &Context) {
    if let Some(mut contexts) = contexts() {
        let known = contexts.get_or_default(context.0.raw.addr());
        known.retain(|known| known.strong_count() != 0);
        known.push(Arc::downgrade(&context.0));
    }
}

/// Removes contexts with this handle that have no handles of this crate any more.
pub(super) fn remove_dead(raw: CUcontext) {
    if let Some(mut contexts) = contexts()
        && let Some(known) = contexts.get_mut(&raw.addr())
    {
        known.retain(|known| known.strong_count() != 0);
        if known.is_empty() {
            contexts.remove(&raw.addr());
        }
    }
}

/// Returns the contexts with this handle. Each lives as long as its value here, which may be the last: it is to be
/// dropped with nothing locked.
pub(super) fn find(raw: CUcontext) -> Vec<Context> {
    let contexts = contexts();
    let known = contexts.as_ref().and_then(|contexts| contexts.get(&raw.addr()));
    known.into_iter().flatten().filter_map(Weak::upgrade).map(Context).collect_vec()
}
