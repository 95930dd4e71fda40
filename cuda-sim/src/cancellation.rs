//! Cancellation of threads. `pthread_cancel` unwinds the stack of a thread that waits, and Rust aborts the process then.
//!
//! A thread is not cancelled during a call of the driver, nor in the functions of the program that the call calls. The
//! cancellation takes effect after the call. Only Linux is supported.

#![allow(unsafe_code)]

use core::ffi::c_int;
use core::marker::PhantomData;

#[cfg(target_os = "linux")]
unsafe extern "C" {
    fn pthread_setcancelstate(state: c_int, before: *mut c_int) -> c_int;
}

const ENABLED: c_int = 0;
const DISABLED: c_int = 1;

/// Sets the state of this thread, and returns the state before. `DISABLED` if there is no such state.
fn replace(state: c_int) -> c_int {
    let mut before = DISABLED;
    #[cfg(target_os = "linux")]
    // SAFETY: `before` is valid for a write. A thread that can be cancelled at any time must not call the driver, so the
    // function unwinds no stack.
    let _ = unsafe { pthread_setcancelstate(state, &raw mut before) };
    #[cfg(not(target_os = "linux"))]
    let _ = state;
    before
}

/// Guard of a thread that is not cancelled. The drop restores the state before.
#[must_use = "the thread can be cancelled again when this is dropped"]
pub(crate) struct Uncancelled {
    before: c_int,
    /// Makes the guard belong to its thread.
    thread: PhantomData<*const ()>,
}

impl Uncancelled {
    #[inline]
    pub(crate) fn enter() -> Uncancelled {
        Uncancelled { before: replace(DISABLED), thread: PhantomData }
    }
}

impl Drop for Uncancelled {
    #[inline]
    fn drop(&mut self) {
        if self.before == ENABLED {
            replace(ENABLED);
        }
    }
}
