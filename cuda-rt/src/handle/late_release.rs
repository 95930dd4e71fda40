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

/// The objects that wait.
struct Waiting {
    releases: Vec<Release>,
    /// Number of threads that have taken releases out of the list, and try them.
    tries: usize,
    /// Number of calls of [`try_all`], which wraps around. A thread that tries meanwhile tries again.
    calls: usize,
}

/// True if objects wait. So the check of an empty list, the common case, costs one load.
static SOME: AtomicBool = AtomicBool::new(false);
static WAITING: Mutex<Waiting> = Mutex::new(Waiting { releases: Vec::new(), tries: 0, calls: 0 });

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
    {
        let mut waiting = waiting();
        waiting.releases.push(Release { key, attempt: Box::new(attempt), is_unknown });
        waiting.tell();
    }
    // The driver may have ended its use before the object was in the list.
    try_all(key);
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
    let mut outcomes = Vec::new();
    let mut waiting = waiting();
    waiting.calls = waiting.calls.wrapping_add(1);
    loop {
        let (mut attempts, call) = waiting.take(key);
        drop(waiting);
        attempts.retain_mut(|release| release.is_still_in_use(&mut outcomes));
        waiting = self::waiting();
        let is_done = attempts.is_empty() || waiting.calls == call;
        waiting.put_back(attempts);
        if is_done {
            break;
        }
    }
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

impl Waiting {
    /// Takes the releases of a key out of the list. Returns them with the number of calls up to now.
    fn take(&mut self, key: usize) -> (Vec<Release>, usize) {
        let is_of_key = |release: &mut Release| release.key == key;
        self.tries += 1;
        (self.releases.extract_if(.., is_of_key).collect(), self.calls)
    }

    fn put_back(&mut self, attempts: Vec<Release>) {
        self.tries -= 1;
        self.releases.extend(attempts);
        self.tell();
    }

    fn tell(&self) {
        SOME.store(self.tries > 0 || !self.releases.is_empty(), Ordering::Relaxed);
    }
}

fn waiting() -> MutexGuard<'static, Waiting> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}
