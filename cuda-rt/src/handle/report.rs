//! The drop hook, which receives failures that no call can return: failures of destructors and of host functions.

use super::hook::{Hook, HookSlot};
use super::{defer_drop, is_forked_child, must_defer};
use crate::error::{Code, Error, Result};
use crate::map::SortedSet;
use core::cell::{Cell, RefCell};
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};

type DropHook = dyn Fn(&Error) + Send + Sync;

static HOOK: HookSlot<DropHook> = HookSlot::new(1, &print_once);

/// Sets the function that receives failures of destructors and panics of host functions. Returns the previous one.
///
/// A destructor frees its resource, reports a failure to the hook, and continues. No other call returns the failure. The driver
/// calls a [host function](crate::stream#host-functions), so a panic in it has no caller either. By default each different
/// failure prints one line to the standard error, once. After 64 different failures, a last line says that no more are printed. Codes that only mean that the driver is shutting down, or that the
/// context was destroyed with all its objects, are not reported.
///
/// There is one hook for the process. It is called on the thread that drops, after the thread's own current context is restored,
/// and perhaps on several threads at a time. It may call this crate, and set another hook. A panic in the hook is caught. A
/// failure inside the hook prints a line, as by default. Values that are dropped inside a [host
/// function](crate::stream#host-functions) are released on a thread of this crate, which then calls the hook.
/// A thread of this crate also reports panics of host functions and of other functions that the driver calls. Such a thread has the
/// relaxed capture mode.
///
/// ```
/// # cuda_sim::install_once();
/// let before = cuda_rt::handle::set_drop_hook(|error| eprintln!("while dropping: {error}"));
/// before.restore();
/// ```
pub fn set_drop_hook(hook: impl Fn(&Error) + Send + Sync + 'static) -> Hook<DropHook> {
    HOOK.set(Arc::new(hook))
}

/// Passes a destructor's failure to the hook.
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
    // Without a destructor and an initialiser, so that it can be read while the thread ends.
    /// [`GUARD`] for each [`Quiet`] that lives, and [`HAS_KEPT`].
    static QUIET: Cell<u32> = const { Cell::new(0) };
    /// The failures to report when the last [`Quiet`] is dropped. Without a destructor, too.
    static KEPT: RefCell<ManuallyDrop<Vec<Error>>> = const { RefCell::new(ManuallyDrop::new(Vec::new())) };
}

const GUARD: u32 = 2;
/// Set if [`KEPT`] has failures.
const HAS_KEPT: u32 = 1;

/// Guard under which the hook does not run on this thread. The drop of the last guard reports the collected failures. The
/// failures are lost if the process is aborted before.
///
/// The guard is for driver calls that other threads of this crate wait for. The hook may call this crate, so it could wait for
/// one of these threads in turn.
pub(crate) struct Quiet(PhantomData<*const ()>);

impl Quiet {
    #[inline]
    pub(crate) fn new() -> Quiet {
        Quiet::begin();
        Quiet(PhantomData)
    }

    /// Begins without a guard value: [`end`](Quiet::end) must follow.
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

/// Failures that are deferred until the hook may run, which may call this crate and the driver. Declared before the guards that
/// must be dropped first.
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
    /// Most lines, so that the set of texts does not grow without a limit.
    const MOST: usize = 64;
    static SEEN: Mutex<SortedSet<String>> = Mutex::new(SortedSet::new());
    let text = error.to_string();
    // In the child of a fork, the thread that would unlock the mutex may not exist.
    if is_forked_child() && matches!(SEEN.try_lock(), Err(TryLockError::WouldBlock)) {
        return;
    }
    let number = {
        let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() > MOST || !seen.insert(text) {
            return;
        }
        seen.len()
    };
    // With nothing locked: another thread may have locked the standard error, and report a failure meanwhile. `eprintln!` would panic if
    // the standard error is closed.
    let _ = if number > MOST {
        writeln!(std::io::stderr(), "cuda-rt: {MOST} failures were printed; further ones are not")
    } else {
        writeln!(std::io::stderr(), "cuda-rt: in a destructor or host function: {error}")
    };
}
