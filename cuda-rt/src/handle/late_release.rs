//! Objects that cannot be released yet, because the driver still uses them.

use super::{Quiet, is_forked_child, must_defer, report};
use crate::error::{Error, Result};
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Outcome of an attempt to release an object.
pub(crate) enum Attempt {
    /// The object has been released, with this answer.
    Released(Result<()>),
    /// The driver still uses the object.
    InUse,
    /// The driver could not tell whether it uses the object.
    Unknown(Error),
}

struct Release {
    key: usize,
    attempt: Box<dyn FnMut() -> Attempt + Send>,
    /// True if the last attempt was [`Unknown`](Attempt::Unknown): a failure that lasts is reported once.
    is_unknown: bool,
}

/// True if objects wait, or may wait soon. So the check of an empty list, the common case, costs one load.
static SOME: AtomicBool = AtomicBool::new(false);

/// The objects that wait. Locked during attempts, so that no thread misses an object that another one tries. An attempt locks only the
/// record of peer access and the list of pools that were current, under which this is never locked.
static WAITING: Mutex<Vec<Release>> = Mutex::new(Vec::new());

/// Tries to release an object, and returns the driver's answer. If the object is not released now,
/// [`release_waiting`] of the same key tries again. `attempt` runs no code of the program.
pub(crate) fn release_or_wait(
    key: usize,
    mut attempt: impl FnMut() -> Attempt + Send + 'static,
) -> Result<()> {
    // A thread that does not exist there may have held the lock.
    if is_forked_child() {
        return Ok(());
    }
    // The hook runs with nothing locked.
    let _quiet = Quiet::new();
    let mut waiting = waiting();
    // From now on, another thread that ends a use of the object waits for this attempt, and tries again.
    SOME.store(true, Ordering::SeqCst);
    let outcome = match attempt() {
        Attempt::Released(outcome) => {
            tell(&waiting);
            return outcome;
        }
        Attempt::InUse => Ok(()),
        Attempt::Unknown(error) => Err(error),
    };
    waiting.push(Release { key, attempt: Box::new(attempt), is_unknown: outcome.is_err() });
    outcome
}

/// Releases the waiting objects of a key that the driver no longer uses, and reports failures. Called after calls by which the driver
/// may end its use, without a bound context.
#[inline]
pub(crate) fn release_waiting(key: usize) {
    if SOME.load(Ordering::Relaxed) {
        try_all(key);
    }
}

#[cold]
fn try_all(key: usize) {
    if must_defer() || is_forked_child() {
        return;
    }
    // The hook runs with nothing locked.
    let _quiet = Quiet::new();
    let mut outcomes = Vec::new();
    let mut waiting = waiting();
    waiting.retain_mut(|release| release.key != key || release.is_still_in_use(&mut outcomes));
    tell(&waiting);
    drop(waiting);
    outcomes.into_iter().for_each(report);
}

impl Release {
    /// Tries to release the object. Adds the outcome to `outcomes`, if there is one to report.
    fn is_still_in_use(&mut self, outcomes: &mut Vec<Result<()>>) -> bool {
        match (self.attempt)() {
            Attempt::Released(outcome) => {
                outcomes.push(outcome);
                false
            }
            Attempt::InUse => {
                self.is_unknown = false;
                true
            }
            Attempt::Unknown(error) => {
                if !core::mem::replace(&mut self.is_unknown, true) {
                    outcomes.push(Err(error));
                }
                true
            }
        }
    }
}

fn waiting() -> MutexGuard<'static, Vec<Release>> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn tell(waiting: &[Release]) {
    SOME.store(!waiting.is_empty(), Ordering::SeqCst);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::mpsc::channel;
    use std::time::{Duration, Instant};

    const LIMIT: Duration = Duration::from_secs(20);

    /// The use ends, and another thread has synchronized, while an attempt runs that found the object in use.
    #[test]
    fn no_end_of_a_use_is_missed() {
        for is_first in [true, false] {
            let (is_used, is_released) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicBool::new(false)));
            let key = Arc::as_ptr(&is_used).addr();
            let (begun, has_begun) = channel();
            let (end, may_end) = channel();
            let mut is_slow = is_first;
            let (used, released) = (is_used.clone(), is_released.clone());
            let slow = Arc::new(AtomicBool::new(false));
            let later = slow.clone();
            let attempt = move || {
                let was_used = used.load(Ordering::SeqCst);
                if core::mem::take(&mut is_slow) || later.swap(false, Ordering::SeqCst) {
                    begun.send(()).unwrap();
                    may_end.recv_timeout(LIMIT).unwrap();
                }
                if was_used {
                    return Attempt::InUse;
                }
                released.store(true, Ordering::SeqCst);
                Attempt::Released(Ok(()))
            };
            let first = std::thread::spawn(move || {
                release_or_wait(key, attempt).unwrap();
                slow.store(!is_first, Ordering::SeqCst);
                if !is_first {
                    release_waiting(key);
                }
            });
            has_begun.recv_timeout(LIMIT).unwrap();
            is_used.store(false, Ordering::SeqCst);
            let (enter, has_entered) = channel();
            let second = std::thread::spawn(move || {
                enter.send(()).unwrap();
                release_waiting(key);
            });
            // The second thread returns at once if it misses the attempt. Otherwise it waits for the attempt.
            has_entered.recv_timeout(LIMIT).unwrap();
            let start = Instant::now();
            while !second.is_finished() && start.elapsed() < Duration::from_millis(50) {
                std::thread::yield_now();
            }
            end.send(()).unwrap();
            first.join().unwrap();
            second.join().unwrap();
            assert!(is_released.load(Ordering::SeqCst), "{is_first}");
        }
    }
}
