//! Children of a process that had initialised the driver. In them the driver cannot be used, as on hardware (measured).

#![allow(unsafe_code)]

use crate::driver::rules::{self, Needs};
use core::sync::atomic::{AtomicBool, Ordering};
use cuda_sys::Symbol;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

static INITIALIZED: AtomicBool = AtomicBool::new(false);
static FORKED: AtomicBool = AtomicBool::new(false);

/// Records that children can no longer use the driver.
pub(crate) fn note_initialized() {
    INITIALIZED.store(true, Ordering::Relaxed);
}

/// Returns whether a function works in such a child, if no other thread was in the driver at the fork (measured).
pub(crate) fn permits(symbol: Symbol) -> bool {
    let asks_nobody = rules::of(symbol).needs == Needs::Nothing && symbol != Symbol::cuInit;
    let looks_only = matches!(
        symbol,
        Symbol::cuEventDestroy_v2
            | Symbol::cuEventQuery
            | Symbol::cuEventRecord
            | Symbol::cuMemFreeAsync
            | Symbol::cuStreamQuery
    );
    asks_nobody || looks_only
}

/// Returns whether this process is such a child.
#[inline]
pub(crate) fn is_child() -> bool {
    FORKED.load(Ordering::Relaxed)
}

/// Locks a mutex, even if a thread panicked while it held the lock.
///
/// In such a child, returns `None` if the mutex is locked, because the thread that would unlock it may exist in the
/// parent only.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    if !is_child() {
        return Some(mutex.lock().unwrap_or_else(PoisonError::into_inner));
    }
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Registers a handler for forks.
#[cfg(unix)]
pub(crate) fn watch() {
    type Handler = Option<extern "C" fn()>;
    unsafe extern "C" {
        // A function of POSIX, declared here because this crate needs nothing else of `libc`.
        fn pthread_atfork(prepare: Handler, parent: Handler, child: Handler) -> core::ffi::c_int;
    }
    extern "C" fn in_child() {
        // No other operation is allowed between fork and exec.
        if INITIALIZED.load(Ordering::Relaxed) {
            FORKED.store(true, Ordering::Relaxed);
        }
    }
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        // SAFETY: the handler only uses atomics, and stays as long as this code is loaded: the C library removes the
        // handlers of a library that is unloaded. Without it, a child's calls may wait forever, but do no harm.
        let _ = unsafe { pthread_atfork(None, None, Some(in_child)) };
    });
}

/// Does nothing, because this system has no fork.
#[cfg(not(unix))]
pub(crate) fn watch() {}
