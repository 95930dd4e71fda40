//! Noticing that this process is the child of the one that initialised the driver.
//!
//! The driver does not survive a fork: in the child most functions answer `NOT_INITIALIZED`, but
//! `cuStreamDestroy` crashes and `cuMemFreeAsync` claims success (measured, driver 580). So destructors leave
//! everything alone in a child.
//!
//! Comparing process numbers would do as well, at the cost of a system call for each destructor.

#![allow(unsafe_code)]

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

static FORKED: AtomicBool = AtomicBool::new(false);
/// This process's number, where the system could not be asked to tell of forks; else 0.
static UNWATCHED: AtomicU32 = AtomicU32::new(0);

/// Has the system tell of forks from now on.
pub(crate) fn watch_forks() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        if !register() {
            UNWATCHED.store(std::process::id(), Ordering::Relaxed);
        }
    });
}

/// Returns whether this process was forked after [`watch_forks`]. A child that was made around these handlers, by the
/// bare system call or by `_Fork`, is not recognised.
#[inline]
pub(crate) fn is_forked_child() -> bool {
    let unwatched = UNWATCHED.load(Ordering::Relaxed);
    FORKED.load(Ordering::Relaxed) || unwatched != 0 && unwatched != std::process::id()
}

#[cfg(unix)]
fn register() -> bool {
    type Handler = Option<extern "C" fn()>;
    unsafe extern "C" {
        // POSIX. Declared here, because this crate would need nothing else of `libc`.
        fn pthread_atfork(prepare: Handler, parent: Handler, child: Handler) -> core::ffi::c_int;
    }
    extern "C" fn in_child() {
        // All that may be done between fork and exec.
        FORKED.store(true, Ordering::Relaxed);
    }
    // SAFETY: the handler only stores to an atomic, and stays as long as this code is loaded: the C library forgets the
    // handlers of a library that is unloaded.
    unsafe { pthread_atfork(None, None, Some(in_child)) == 0 }
}

/// There is no fork.
#[cfg(not(unix))]
fn register() -> bool {
    true
}
