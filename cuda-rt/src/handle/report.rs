//! The drop hook, which receives failures that no call can return: of destructors and of host functions.

use super::hook::{Hook, HookSlot};
use super::{defer_drop, must_defer};
use crate::error::{Code, Error, Result};
use crate::map::SortedSet;
use core::cell::{Cell, RefCell};
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

type DropHook = dyn Fn(&Error) + Send + Sync;

static HOOK: HookSlot<DropHook> = HookSlot::new(1, &print_once);

/// Sets the function that receives failures of destructors and panics of host functions. Returns the one before.
///
/// A destructor frees its resource, reports a failure here and goes on; the failure never surfaces
/// in another call. The driver calls a [host function](crate::stream#host-functions), so its panic has no caller either.
/// By default each different failure prints a line to the standard error, once.
/// Codes that only say that the driver is shutting down, or that the context was destroyed with
/// everything in it, are not reported.
///
/// There is one hook for the process. It is called on the thread that drops, when that has what was current before, and
/// perhaps on several threads at a time. It may call this crate, and set another hook. A panic in it is contained. A failure
/// inside the hook prints a line, as by default. Values that are dropped inside a
/// [host function](crate::stream#host-functions) are released on a thread of this crate, which calls the hook then.
///
/// ```
/// # cuda_sim::install_once();
/// let before = cuda_rt::handle::set_drop_hook(|error| eprintln!("while dropping: {error}"));
/// before.restore();
/// ```
pub fn set_drop_hook(hook: impl Fn(&Error) + Send + Sync + 'static) -> Hook<DropHook> {
    HOOK.set(Arc::new(hook))
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
    // Inside a host function the hook could not call this crate.
    if must_defer() {
        return defer_drop(DeferredErrors(Some(Box::new(Errors(vec![error])))));
    }
    if Quiet::keeps(&error) {
        return;
    }
    HOOK.call(|hook| hook(&error));
}

thread_local! {
    // With neither a destructor nor an initialiser, so that it can be asked while the thread ends.
    /// [`GUARD`] for each [`Quiet`] that lives, and [`HAS_KEPT`].
    static QUIET: Cell<u32> = const { Cell::new(0) };
    /// The failures to report when the last [`Quiet`] has ended. Without a destructor, too.
    static KEPT: RefCell<ManuallyDrop<Vec<Error>>> = const { RefCell::new(ManuallyDrop::new(Vec::new())) };
}

const GUARD: u32 = 2;
/// Is there if [`KEPT`] has failures.
const HAS_KEPT: u32 = 1;

/// While one lives, the hook does not run on this thread. The end of the last one reports the failures that came up. The
/// failures are lost if the process is aborted before.
///
/// It is for calls of the driver that other threads of this crate wait for. The hook may call this crate, so it could wait for
/// one of these threads in turn.
pub(crate) struct Quiet(PhantomData<*const ()>);

impl Quiet {
    #[inline]
    pub(crate) fn new() -> Quiet {
        Quiet::begin();
        Quiet(PhantomData)
    }

    /// For what has no place for a value: [`end`](Quiet::end) is to follow.
    #[inline]
    pub(crate) fn begin() {
        QUIET.set(QUIET.get() + GUARD);
    }

    #[inline]
    pub(crate) fn end() {
        let state = QUIET.get() - GUARD;
        QUIET.set(state);
        if state == HAS_KEPT {
            Quiet::report_kept();
        }
    }

    /// Keeps a failure if the hook must not run now.
    fn keeps(error: &Error) -> bool {
        if QUIET.get() < GUARD {
            return false;
        }
        let error = error.clone();
        KEPT.with_borrow_mut(|kept| kept.push(error));
        QUIET.set(QUIET.get() | HAS_KEPT);
        true
    }

    #[cold]
    fn report_kept() {
        QUIET.set(0);
        ManuallyDrop::into_inner(KEPT.take()).into_iter().for_each(tell);
    }
}

impl Drop for Quiet {
    #[inline]
    fn drop(&mut self) {
        Quiet::end();
    }
}

/// Failures that are kept until the hook may run, which may call this crate and the driver.
/// Declared before the guards that must be dropped first.
///
/// Boxed, so that dropping an empty list takes two instructions in each release.
#[derive(Default)]
pub(crate) struct DeferredErrors(Option<Box<Errors>>);

#[derive(Default)]
struct Errors(Vec<Error>);

impl DeferredErrors {
    #[inline]
    pub(crate) fn add(&mut self, outcome: Result<()>) {
        if let Err(error) = outcome {
            self.push(error);
        }
    }

    #[cold]
    #[inline(never)]
    fn push(&mut self, error: Error) {
        self.0.get_or_insert_default().0.push(error);
    }
}

impl Drop for DeferredErrors {
    #[inline]
    fn drop(&mut self) {
        if let Some(errors) = self.0.take() {
            errors.tell();
        }
    }
}

impl Errors {
    #[cold]
    #[inline(never)]
    fn tell(self) {
        self.0.into_iter().for_each(tell);
    }
}

fn print_once(error: &Error) {
    /// More kinds of failure than any program has.
    const MOST: usize = 64;
    static SEEN: Mutex<SortedSet<String>> = Mutex::new(SortedSet::new());
    let text = error.to_string();
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if seen.len() < MOST && seen.insert(text) {
        // `eprintln!` would panic if the standard error is closed.
        let _ = writeln!(std::io::stderr(), "cuda-rt: in a destructor or host function: {error}");
    }
}
