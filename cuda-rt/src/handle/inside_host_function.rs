//! Whether this thread is inside a function that the driver calls.
//!
//! There the driver must not be called: it refuses most calls, answers some, and whatever waits
//! for the stream of the function waits for ever. So [`check!`](crate) asks here first, and destructors hand over what they
//! would release; see [`deferred_drop`](crate::handle::deferred_drop).

use crate::error::{Error, Result};
use core::cell::Cell;
use cuda_sys::Symbol;

thread_local! {
    // With neither a destructor nor an initialiser, so that looking costs a load and a branch.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether this thread is inside a host function.
#[inline]
pub(crate) fn is_inside() -> bool {
    INSIDE.get()
}

/// Refuses what would call the driver from inside a host function.
#[inline]
pub(crate) fn ensure_not_in_host_function(call: Symbol) -> Result<()> {
    if is_inside() { Err(Error::inside_host_function(call)) } else { Ok(()) }
}

/// While it lives, this thread is inside a host function.
pub(crate) struct Inside {
    /// A driver that calls back from within a call may do so twice.
    before: bool,
}

impl Inside {
    pub(crate) fn new() -> Inside {
        Inside { before: INSIDE.replace(true) }
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.set(self.before);
    }
}
