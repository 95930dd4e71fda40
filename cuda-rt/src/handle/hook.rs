//! Functions of the program that this crate calls.

use super::is_forked_child;
use core::cell::Cell;
use core::fmt;
use core::mem::{ManuallyDrop, replace};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError, RwLock, TryLockError};

/// A replaced hook, as returned by [`set_drop_hook`](crate::handle::set_drop_hook),
/// [`set_unverified_hook`](crate::access::set_unverified_hook) and
/// [`set_out_of_memory_hook`](crate::memory::set_out_of_memory_hook).
///
/// The program can [restore](Hook::restore) it, or call it from the hook that replaced it. `F` is the type of the function, such
/// as `dyn Fn(&Error) + Send + Sync`. Dropping the value leaves the newer hook in place.
///
/// In the child of a fork, a hook cannot be set if another thread was setting it when the process was forked.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::handle::set_drop_hook;
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// let count = Arc::new(AtomicUsize::new(0));
/// let before = set_drop_hook({
///     let count = Arc::clone(&count);
///     move |_| {
///         count.fetch_add(1, Ordering::Relaxed);
///     }
/// });
/// // ... the work to be counted ...
/// before.restore();
/// assert_eq!(count.load(Ordering::Relaxed), 0);
/// ```
pub struct Hook<F: ?Sized + 'static> {
    slot: &'static HookSlot<F>,
    /// `None` for the initial hook.
    function: Option<Arc<F>>,
}

impl<F: ?Sized> Hook<F> {
    /// Restores the hook, in place of the one that is set now.
    pub fn restore(self) {
        drop(self.slot.replace(self.function));
    }

    /// Returns the function, to be called by another hook.
    pub fn function(&self) -> &F {
        self.function.as_deref().unwrap_or(self.slot.first)
    }
}

impl<F: ?Sized> fmt::Debug for Hook<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Hook").finish_non_exhaustive()
    }
}

thread_local! {
    // Without a destructor and an initialiser, so that it can be read while the thread ends.
    /// The slots whose hooks run on this thread, as bits.
    static RUNNING: Cell<u8> = const { Cell::new(0) };
}

/// Slot of a hook.
pub(crate) struct HookSlot<F: ?Sized + 'static> {
    /// A bit that no other slot has; 0 if events inside the hook also call the hook.
    bit: u8,
    /// The initial function.
    first: &'static F,
    function: RwLock<Option<Arc<F>>>,
}

impl<F: ?Sized> HookSlot<F> {
    pub(crate) const fn new(bit: u8, first: &'static F) -> HookSlot<F> {
        HookSlot { bit, first, function: RwLock::new(None) }
    }

    /// Sets a hook, and returns the previous one.
    pub(crate) fn set(&'static self, function: Arc<F>) -> Hook<F> {
        Hook { slot: self, function: self.replace(Some(function)) }
    }

    /// Replaces the function, and returns the previous one. The caller must drop the result with nothing locked: it may run
    /// destructors of the program.
    fn replace(&self, function: Option<Arc<F>>) -> Option<Arc<F>> {
        let mut place = match self.function.try_write() {
            Ok(place) => place,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // The lock may be held by a thread that does not exist here. Then `get` returns no function either.
            Err(TryLockError::WouldBlock) if is_forked_child() => return None,
            Err(TryLockError::WouldBlock) => self.function.write().unwrap_or_else(PoisonError::into_inner),
        };
        replace(&mut *place, function)
    }

    /// Returns the hook, which may be replaced while it runs.
    fn get(&self) -> Option<Arc<F>> {
        match self.function.try_read() {
            Ok(function) => function.clone(),
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner().clone(),
            // The lock may be held by a thread that does not exist here.
            Err(TryLockError::WouldBlock) if is_forked_child() => None,
            Err(TryLockError::WouldBlock) => {
                self.function.read().unwrap_or_else(PoisonError::into_inner).clone()
            }
        }
    }

    /// Runs `call` with the hook. Returns `None` if it panics.
    ///
    /// A call from inside a hook with a bit calls the initial function instead. The hook may hold a lock, or cause the same event
    /// again and again.
    #[cold]
    pub(crate) fn call<R>(&self, call: impl FnOnce(&F) -> R) -> Option<R> {
        let running = RUNNING.get();
        let function = if running & self.bit == 0 { self.get() } else { None };
        RUNNING.set(running | self.bit);
        let outcome = contained(|| call(function.as_deref().unwrap_or(self.first)));
        // If the hook has set another one, this is the last handle, and its destructors are code of the program, too.
        let _ = contained(move || drop(function));
        RUNNING.set(running);
        outcome
    }
}

/// Runs a closure. Returns `None` if it panics.
fn contained<R>(run: impl FnOnce() -> R) -> Option<R> {
    let outcome = catch_unwind(AssertUnwindSafe(run));
    let forget = |payload| {
        // The payload may panic again when it is dropped.
        let _ = ManuallyDrop::new(payload);
    };
    outcome.map_err(forget).ok()
}
