//! Where failures go that nobody can be given: those of destructors.

use super::{Code, Error, Result};
use crate::reaper::takes;
use core::mem::ManuallyDrop;
use std::collections::BTreeSet;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError, RwLock};

static HOOK: RwLock<fn(&Error)> = RwLock::new(print_once);

/// Sets the function that is told of failures in destructors, and returns the one before.
///
/// A destructor frees its resource, reports a failure here and goes on; the failure never surfaces
/// in another call. By default each different failure prints a line to the standard error, once.
/// Codes that only say that the driver is shutting down, or that the context was destroyed with
/// everything in it, are not reported.
///
/// There is one hook for the process. It is called on the thread that drops, when that has what was current before, and
/// may call this crate. A panic in it is contained. What is dropped inside a
/// [host function](crate::stream#host-functions) is released on a thread of this crate, which calls the hook then.
///
/// ```
/// # cuda_sim::install_once();
/// let before = cuda_rt::error::set_drop_hook(|error| eprintln!("while dropping: {error}"));
/// cuda_rt::error::set_drop_hook(before);
/// ```
pub fn set_drop_hook(hook: fn(&Error)) -> fn(&Error) {
    let mut current = HOOK.write().unwrap_or_else(PoisonError::into_inner);
    core::mem::replace(&mut *current, hook)
}

/// Hands a destructor's failure to the hook.
#[inline]
pub(crate) fn report(outcome: Result<()>) {
    if let Err(error) = outcome {
        tell(error);
    }
}

#[cold]
fn tell(error: Error) {
    if matches!(error.code(), Some(Code::Deinitialized | Code::NotInitialized | Code::ContextIsDestroyed)) {
        return;
    }
    // Inside a callback the hook could not call this crate.
    if takes(|| Leftovers(vec![error.clone()])) {
        return;
    }
    // Copied out, so that the hook itself may set another.
    let hook = *HOOK.read().unwrap_or_else(PoisonError::into_inner);
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| hook(&error))) {
        // What was thrown may panic again when it is dropped.
        let _ = ManuallyDrop::new(payload);
    }
}

/// Failures that nobody can be given, until it does no harm to run the hook: it may call this crate, and the driver.
/// Declared before what has to be undone first.
#[derive(Default)]
pub(crate) struct Leftovers(Vec<Error>);

impl Leftovers {
    pub(crate) fn add(&mut self, outcome: Result<()>) {
        self.0.extend(outcome.err());
    }

    #[cold]
    fn tell(&mut self) {
        self.0.drain(..).for_each(tell);
    }
}

impl Drop for Leftovers {
    #[inline]
    fn drop(&mut self) {
        if !self.0.is_empty() {
            self.tell();
        }
    }
}

fn print_once(error: &Error) {
    /// More kinds of failure than any program has.
    const MOST: usize = 64;
    static SEEN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let text = error.to_string();
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if seen.len() < MOST && seen.insert(text) {
        // `eprintln!` would panic if the standard error is closed.
        let _ = writeln!(std::io::stderr(), "cuda-rt: in a destructor: {error}");
    }
}
