//! Noticing that this process is the child of the one that initialised the driver.
//!
//! The driver does not survive a fork: in the child most functions answer `NOT_INITIALIZED`, but
//! `cuStreamDestroy` crashes and `cuMemFreeAsync` claims success (measured, driver 580). So destructors leave
//! everything alone in a child.
//!
//! Comparing process numbers would do as well, at the cost of a system call for each destructor.

#![allow(unsafe_code)]

use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};

/// [`HERE`], [`FORKED`] or [`UNWATCHED`]. One number, so that looking costs one load.
static STATE: AtomicU8 = AtomicU8::new(HERE);
const HERE: u8 = 0;
const FORKED: u8 = 1;
/// The system could not be asked to tell of forks.
const UNWATCHED: u8 = 2;
/// This process's number, where the system does not report forks.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// Has the system tell of forks from now on.
pub(crate) fn watch_forks() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        if !register() {
            PROCESS.store(std::process::id(), Ordering::Relaxed);
            STATE.store(UNWATCHED, Ordering::Relaxed);
        }
    });
}

/// Returns whether this process was forked after [`watch_forks`]. A child that was made around these handlers, by the
/// bare system call or by `_Fork`, is not recognised.
#[inline]
pub(crate) fn is_forked_child() -> bool {
    let state = STATE.load(Ordering::Relaxed);
    state != HERE && is_forked(state)
}

#[cold]
fn is_forked(state: u8) -> bool {
    state == FORKED || PROCESS.load(Ordering::Relaxed) != std::process::id()
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
        STATE.store(FORKED, Ordering::Relaxed);
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
