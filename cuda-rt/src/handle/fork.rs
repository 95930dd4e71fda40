//! Detection of a child of the process that initialised the driver.
//!
//! The driver does not survive a fork. Therefore destructors leave everything alone in a child. A comparison of process IDs
//! would work as well, at the cost of a system call for each destructor.
//!
//! # Driver notes
//!
//! In the child, most functions of driver 580 answer `NOT_INITIALIZED`, but `cuStreamDestroy` crashes and `cuMemFreeAsync` claims
//! success.

#![allow(unsafe_code)]

use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};

/// [`HERE`], [`FORKED`] or [`UNWATCHED`]. One number, so that a check costs one load.
static STATE: AtomicU8 = AtomicU8::new(HERE);
const HERE: u8 = 0;
const FORKED: u8 = 1;
/// The system does not report forks.
const UNWATCHED: u8 = 2;
/// The process ID at registration, where the system does not report forks.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// Makes the system report forks from now on. The driver is initialised: in a child that is forked before, it works.
pub(crate) fn watch_forks() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        if !register() {
            PROCESS.store(std::process::id(), Ordering::Relaxed);
            STATE.store(UNWATCHED, Ordering::Release);
        }
    });
}

/// Returns whether this process was forked after [`watch_forks`]. Does not recognise a child that was made by the bare system
/// call or by `_Fork`, which run no fork handlers.
#[inline]
pub(crate) fn is_forked_child() -> bool {
    STATE.load(Ordering::Relaxed) != HERE && is_forked()
}

#[cold]
#[inline(never)]
fn is_forked() -> bool {
    // A thread that finds `UNWATCHED` here finds the process ID, too.
    STATE.load(Ordering::Acquire) == FORKED || PROCESS.load(Ordering::Relaxed) != std::process::id()
}

#[cfg(unix)]
fn register() -> bool {
    type Handler = Option<extern "C" fn()>;
    unsafe extern "C" {
        // POSIX. Declared here, because this crate needs nothing else of `libc`.
        fn pthread_atfork(prepare: Handler, parent: Handler, child: Handler) -> core::ffi::c_int;
    }
    extern "C" fn in_child() {
        // Nothing else may be done between fork and exec.
        STATE.store(FORKED, Ordering::Relaxed);
    }
    // SAFETY: the handler only stores to an atomic, and stays as long as this code is loaded: the C library removes the handlers
    // of a library that is unloaded.
    unsafe { pthread_atfork(None, None, Some(in_child)) == 0 }
}

/// Without forks there is nothing to register.
#[cfg(not(unix))]
fn register() -> bool {
    true
}
