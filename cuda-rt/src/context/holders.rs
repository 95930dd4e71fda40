//! Handles to contexts, counted, and the end of the last handle.
//!
//! After the end of the last handle, other code may destroy the context, and with it the memory and events of work between
//! contexts. So dropping the last handle waits until the work that the [`ContextObserver`] has recorded is done.

use super::{ContextId, RelaxedCaptureMode};
use crate::error::Result;
use crate::handle::{DeferredErrors, is_forked_child};
use crate::map::SortedMap;
use core::time::Duration;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The time for which a thread sleeps before it queries the observer again.
const PAUSE: Duration = Duration::from_micros(50);

/// The number of handles to each context, clones not counted. Locked before anything that the observer locks.
static HOLDERS: Mutex<SortedMap<ContextId, usize>> = Mutex::new(SortedMap::new());

static OBSERVER: OnceLock<&'static dyn ContextObserver> = OnceLock::new();

/// A part of this crate that keeps a record of work between contexts and access between them.
pub(crate) trait ContextObserver: Sync {
    /// Returns whether work that this context takes part in is recorded. Calls no driver function.
    fn has_work(&self, context: ContextId) -> bool;

    /// Returns whether all recorded work of the context is done.
    ///
    /// # Errors
    ///
    /// The failure of a query. The work may go on.
    fn is_idle(&self, context: ContextId, errors: &mut DeferredErrors) -> Result<bool>;

    /// Returns whether access from or to the context is recorded.
    fn has_access(&self, context: ContextId) -> bool;

    /// Removes the record of access from and to the context. Returns the work that must be done after the context has ended, if
    /// there is any.
    fn forget_access(&self, context: ContextId) -> Option<EndAccess>;
}

/// Reverts changes that access to a context has made outside of the context. Called after the context has ended.
pub(crate) type EndAccess = Box<dyn FnOnce(&mut DeferredErrors)>;

/// Makes `observer` the observer of this process. Only the first call has an effect.
pub(crate) fn observe(observer: &'static dyn ContextObserver) {
    OBSERVER.get_or_init(|| observer);
}

fn holders() -> MutexGuard<'static, SortedMap<ContextId, usize>> {
    HOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts a new handle to a context.
pub(super) fn hold(context: ContextId) {
    if !is_forked_child() {
        *holders().get_or_default(context) += 1;
    }
}

/// Removes a handle that is about to be dropped from the count. The last handle first waits until all recorded work of the
/// context is done.
///
/// # Errors
///
/// The failure of a query. The caller must leak the context.
pub(super) fn release_hold(context: ContextId, errors: &mut DeferredErrors) -> Result<()> {
    // Querying an event would invalidate a capture that this or another thread makes.
    let mut relaxed = None;
    loop {
        let mut holders = holders();
        if let Some(count) = holders.get_mut(&context)
            && *count > 1
        {
            *count -= 1;
            return Ok(());
        }
        let observer = OBSERVER.get().filter(|observer| observer.has_work(context));
        match observer {
            Some(_) if relaxed.is_none() => {
                drop(holders);
                relaxed = Some(RelaxedCaptureMode::new());
                continue;
            }
            Some(observer) => match observer.is_idle(context, errors) {
                Ok(true) => {}
                Ok(false) => {
                    drop(holders);
                    std::thread::sleep(PAUSE);
                    continue;
                }
                Err(error) => {
                    holders.remove(&context);
                    return Err(error);
                }
            },
            None => {}
        }
        holders.remove(&context);
        return Ok(());
    }
}

/// Removes the record of access from and to a context that may live. `None` if nothing remains to be done after its end.
pub(super) fn forget_access(context: ContextId) -> Option<EndAccess> {
    OBSERVER.get()?.forget_access(context)
}

/// Ends the access from and to a context, if the context has ended. Calls `has_ended` only if access is recorded.
pub(super) fn end_access(
    context: ContextId,
    errors: &mut DeferredErrors,
    has_ended: &dyn Fn() -> Result<bool>,
) {
    if !OBSERVER.get().is_some_and(|observer| observer.has_access(context)) {
        return;
    }
    match has_ended() {
        Ok(true) => forget_access(context).into_iter().for_each(|end| end(errors)),
        Ok(false) => {}
        Err(error) => errors.add(Err(error)),
    }
}
