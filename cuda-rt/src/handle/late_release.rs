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

type Release = Box<dyn FnMut() -> Attempt + Send>;

/// True if objects wait. So the check of an empty list, the common case, costs one load.
static SOME: AtomicBool = AtomicBool::new(false);
static WAITING: Mutex<Vec<Release>> = Mutex::new(Vec::new());

/// Tries to release an object, and returns the driver's answer. If the object is not released now,
/// [`release_waiting`] tries again. `attempt` runs no code of the program.
pub(crate) fn release_or_wait(mut attempt: impl FnMut() -> Attempt + Send + 'static) -> Result<()> {
    let outcome = match attempt() {
        Attempt::Released(outcome) => return outcome,
        Attempt::InUse => Ok(()),
        Attempt::Unknown(error) => Err(error),
    };
    keep(&mut waiting(), vec![Box::new(attempt)]);
    outcome
}

/// Releases the waiting objects that the driver no longer uses, and reports failures. Called after calls by which the driver may
/// end its use, without a bound context.
#[inline]
pub(crate) fn release_waiting() {
    if SOME.load(Ordering::Relaxed) {
        try_all();
    }
}

#[cold]
fn try_all() {
    if must_defer() || is_forked_child() {
        return;
    }
    let mut attempts = core::mem::take(&mut *waiting());
    let mut outcomes = Vec::new();
    attempts.retain_mut(|attempt| match attempt() {
        Attempt::Released(outcome) => {
            outcomes.push(outcome);
            false
        }
        Attempt::InUse | Attempt::Unknown(_) => true,
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
