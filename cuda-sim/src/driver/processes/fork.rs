//! Forked children: processes forked after their parent had initialised the driver. There,
//! almost all functions return `CUDA_ERROR_NOT_INITIALIZED`. On hardware, `cuStreamDestroy` and
//! `cuEventQuery` of a recorded event crash instead (conformance facts A9 and Q20).

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

/// Returns whether a function works in a forked child, if no other thread was in the driver at the
/// fork (measured).
pub(crate) fn permits(symbol: Symbol) -> bool {
    let needs_nothing = rules::of(symbol).needs == Needs::Nothing && symbol != Symbol::cuInit;
    let is_measured_to_work = matches!(
        symbol,
        Symbol::cuEventDestroy_v2
            | Symbol::cuEventQuery
            | Symbol::cuEventRecord
            | Symbol::cuMemFreeAsync
            | Symbol::cuStreamQuery
    );
    needs_nothing || is_measured_to_work
}

/// Returns whether this process is a forked child.
#[inline]
pub(crate) fn is_child() -> bool {
    FORKED.load(Ordering::Relaxed)
}

/// Locks a mutex, even if a thread panicked while it held the lock.
///
/// In a forked child, returns `None` if the mutex is locked, because the thread that would unlock
/// the mutex may exist in the parent only.
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
        // A function of POSIX, declared here so that the crate does not depend on `libc`.
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
        // handlers of a library that is unloaded. If the registration fails, calls of a child may wait
        // forever, but do no harm.
        let _ = unsafe { pthread_atfork(None, None, Some(in_child)) };
    });
}

/// Does nothing, because this system has no fork.
#[cfg(not(unix))]
pub(crate) fn watch() {}
