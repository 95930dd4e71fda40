//! Objects that cannot be released yet, because the driver still uses them.

use super::{is_forked_child, must_defer, report};
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

/// True if objects wait. So the check of an empty list, the common case, costs one load.
static SOME: AtomicBool = AtomicBool::new(false);
static WAITING: Mutex<Vec<Release>> = Mutex::new(Vec::new());

/// Tries to release an object, and returns the driver's answer. If the object is not released now,
/// [`release_waiting`] of the same key tries again. `attempt` runs no code of the program.
pub(crate) fn release_or_wait(
    key: usize,
    mut attempt: impl FnMut() -> Attempt + Send + 'static,
) -> Result<()> {
    let outcome = match attempt() {
        Attempt::Released(outcome) => return outcome,
        Attempt::InUse => Ok(()),
        Attempt::Unknown(error) => Err(error),
    };
    let is_unknown = outcome.is_err();
    keep(&mut waiting(), vec![Release { key, attempt: Box::new(attempt), is_unknown }]);
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
    let mut attempts: Vec<Release> = {
        let mut waiting = waiting();
        let (of_key, others) =
            core::mem::take(&mut *waiting).into_iter().partition(|release| release.key == key);
        *waiting = others;
        of_key
    };
    let mut outcomes = Vec::new();
    attempts.retain_mut(|release| match (release.attempt)() {
        Attempt::Released(outcome) => {
            outcomes.push(outcome);
            false
        }
        Attempt::InUse => {
            release.is_unknown = false;
            true
        }
        Attempt::Unknown(error) => {
            if !core::mem::replace(&mut release.is_unknown, true) {
                outcomes.push(Err(error));
            }
            true
        }
    });
    keep(&mut waiting(), attempts);
    outcomes.into_iter().for_each(report);
}

fn waiting() -> MutexGuard<'static, Vec<Release>> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn keep(waiting: &mut Vec<Release>, attempts: Vec<Release>) {
    waiting.extend(attempts);
    SOME.store(!waiting.is_empty(), Ordering::Relaxed);
}
