//! Mutual exclusion between guards of the program and graph launches, for the host memory of a cell.

use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::handle::is_forked_child;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

/// The current user of the memory: a guard, or launches.
#[derive(Default)]
pub(super) struct CellState {
    /// Set while a guard lives. Separate, so that a guard is dropped without a lock: launches hold the lock during driver calls.
    is_locked: AtomicBool,
    launches: Mutex<Launches>,
}

/// The launches that use the memory.
#[derive(Default)]
pub(super) struct Launches {
    /// Event that completes when the last launch is done.
    last: Option<Arc<Event>>,
    /// True if the end of a launch cannot be waited for.
    is_closed: bool,
}

/// A cell of any type.
pub(super) trait AnyCell: Send + Sync {
    fn state(&self) -> &CellState;
}

impl CellState {
    fn launches(&self) -> MutexGuard<'_, Launches> {
        self.launches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a launch use the memory. The caller holds the returned lock until the launch has its event.
    pub(super) fn begin_launch(&self) -> Result<MutexGuard<'_, Launches>> {
        let launches = self.launches();
        launches.refuse_closed()?;
        if self.is_locked.load(Ordering::Acquire) {
            return Err(locked("the program has locked it; drop the guard, and launch again"));
        }
        Ok(launches)
    }

    /// Refuses launches from here on, for one guard. Returns the event to wait for.
    pub(super) fn begin_guard(&self) -> Result<Option<Arc<Event>>> {
        if is_forked_child() {
            // A thread that does not exist in this process may hold the lock.
            let has_begun = self.try_begin_guard(|_| Ok(false))?;
            return if has_begun {
                Ok(None)
            } else {
                Err(locked("the parent process launches with it; use it there"))
            };
        }
        self.begin_guard_with(self.launches())
    }

    /// Begins a guard without waiting for a launch. Returns whether the guard has begun: not while a thread queues a launch, and
    /// not before the last launch is over, as `is_over` reports. If the result is false, launches are not refused.
    pub(super) fn try_begin_guard(&self, is_over: impl FnOnce(&Event) -> Result<bool>) -> Result<bool> {
        let launches = match self.launches.try_lock() {
            Ok(launches) => launches,
            Err(TryLockError::Poisoned(launches)) => launches.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(false),
        };
        launches.refuse_closed()?;
        if self.is_locked.load(Ordering::Acquire) {
            return Err(locked(OTHER_GUARD));
        }
        if let Some(last) = &launches.last
            && !is_over(last)?
        {
            return Ok(false);
        }
        self.begin_guard_with(launches).map(|_| true)
    }

    fn begin_guard_with(&self, launches: MutexGuard<'_, Launches>) -> Result<Option<Arc<Event>>> {
        launches.refuse_closed()?;
        if self.is_locked.swap(true, Ordering::AcqRel) {
            return Err(locked(OTHER_GUARD));
        }
        Ok(launches.last.clone())
    }

    /// Lets launches use the memory again.
    pub(super) fn end_guard(&self) {
        self.is_locked.store(false, Ordering::Release);
    }
}

impl Launches {
    pub(super) fn last(&self) -> Option<&Arc<Event>> {
        self.last.as_ref()
    }

    /// Sets the event of the last launch. Returns the previous event, which the caller drops with nothing locked: it may be the
    /// last handle to a context.
    #[must_use]
    pub(super) fn set_last(&mut self, event: Arc<Event>) -> Option<Arc<Event>> {
        self.last.replace(event)
    }

    /// Records that the end of a launch cannot be waited for.
    pub(super) fn close(&mut self) {
        self.is_closed = true;
    }

    fn refuse_closed(&self) -> Result<()> {
        if self.is_closed {
            let text = "the end of a launch that uses it could not be waited for; make a new one";
            return Err(Error::about(
                ErrorKind::Poisoned,
                format_args!("host memory of a graph"),
                format_args!("{text}"),
            ));
        }
        Ok(())
    }
}

const OTHER_GUARD: &str = "there is another guard; drop it first";

#[cold]
fn locked(text: &str) -> Error {
    Error::about(ErrorKind::HostCellLocked, format_args!("host memory of a graph"), format_args!("{text}"))
}

#[cfg(test)]
mod tests {
    use super::CellState;

    #[test]
    fn try_lock_does_not_wait_for_a_launch() {
        let cell = CellState::default();
        let launch = cell.begin_launch();
        assert!(launch.is_ok());
        assert!(matches!(cell.try_begin_guard(|_| Ok(true)), Ok(false)));
        drop(launch);
        assert!(matches!(cell.try_begin_guard(|_| Ok(true)), Ok(true)));
        assert!(cell.begin_launch().is_err());
        cell.end_guard();
        assert!(cell.begin_launch().is_ok());
    }
}
