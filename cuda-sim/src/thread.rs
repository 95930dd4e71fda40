//! The identity of the calling thread, also in destructors that run at its end.

use core::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::ThreadId;

/// Returns this thread's number.
pub(crate) fn number() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    thread_local! {
        static NUMBER: u64 = LAST.fetch_add(1, Ordering::Relaxed);
    }
    // Threads whose thread-locals are destroyed share one number.
    NUMBER.try_with(|number| *number).unwrap_or(u64::MAX)
}

/// Returns this thread's identity in the standard library. Returns `None` if a thread has lost it and the system
/// creates no further threads.
///
/// The standard library destroys the identity before destructors of POSIX run, and panics if they query it. The first
/// call of each thread therefore stores it. Threads whose first query is in such a destructor share one identity, which
/// no live thread has.
pub(crate) fn id() -> Option<ThreadId> {
    thread_local! {
        /// Without a destructor, so that it is available to the end.
        static ID: Cell<Option<ThreadId>> = const { Cell::new(None) };
    }
    ID.try_with(Cell::get).ok().flatten().or_else(|| {
        let own = std::panic::catch_unwind(|| std::thread::current().id()).ok();
        let id = own.or_else(ended)?;
        let _ = ID.try_with(|known| known.set(Some(id)));
        Some(id)
    })
}

/// Returns this thread's name. Returns `None` at the end of a thread, where the standard library panics.
pub(crate) fn name() -> Option<String> {
    let name = || std::thread::current().name().unwrap_or("without a name").to_owned();
    std::panic::catch_unwind(name).ok()
}

/// Returns the common identity of all threads without one: the identity of an ended thread that did nothing.
#[cold]
fn ended() -> Option<ThreadId> {
    static SHARED: OnceLock<ThreadId> = OnceLock::new();
    SHARED.get().copied().or_else(|| {
        let spare = std::thread::Builder::new().spawn(|| ()).ok()?;
        Some(*SHARED.get_or_init(|| spare.thread().id()))
    })
}
