//! The state of a thread that each call of this crate reads, in one word.
//!
//! The thread may be inside a function that the driver calls. There the driver must not be called: it refuses most calls, answers
//! some, and a wait for the stream of the function never ends. So [`check!`](crate) reads this state first, and destructors pass
//! their objects to [`deferred_drop`](crate::handle::deferred_drop).
//!
//! Or the program may have promised that a context is current. Then a call need not query the driver.

use super::{ensure_not_forked, is_forked_child};
use crate::error::{Error, Result};
use core::cell::Cell;
use core::marker::PhantomData;
use cuda_sys::{Driver, Symbol};

thread_local! {
    // Without a destructor and an initialiser, so that a check costs a load and a branch.
    /// [`NOTHING`], [`INSIDE`], or the address of the context that the program promises to be current.
    static STATE: Cell<usize> = const { Cell::new(NOTHING) };
}

const NOTHING: usize = 0;
const INSIDE: usize = 1;

/// Returns whether this thread is inside a host function.
#[inline]
pub(crate) fn is_inside() -> bool {
    STATE.get() == INSIDE
}

/// Refuses a driver call from inside a host function.
#[inline]
pub(crate) fn ensure_not_in_host_function(call: Symbol) -> Result<()> {
    if is_inside() { Err(Error::inside_host_function(call)) } else { Ok(()) }
}

/// Returns the driver for a call.
///
/// Refused inside a host function, and in the child of a fork, where some functions of the driver crash. Outlined, because most calls
/// of this crate are rare ones.
#[inline(never)]
pub(crate) fn driver_for(call: Symbol) -> Result<&'static Driver> {
    ensure_not_in_host_function(call)?;
    ensure_not_forked(call)?;
    Ok(cuda_sys::driver()?)
}

/// Guard under which this thread counts as inside a host function.
pub(crate) struct Inside {
    /// The state before. A driver that calls back from within a call may do so twice.
    before: usize,
}

impl Inside {
    pub(crate) fn new() -> Inside {
        Inside { before: STATE.replace(INSIDE) }
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        STATE.set(self.before);
    }
}

/// Returns whether the program promises that the context at this address is current. In the child of a fork, no promise holds.
#[inline]
pub(crate) fn is_promised_current(context: usize) -> bool {
    is_promised(context) && !is_forked_child()
}

/// Returns whether the program has promised that the context at this address is current. Not in the child of a fork.
#[inline]
pub(crate) fn is_promised(context: usize) -> bool {
    STATE.get() == context
}

/// Guard under which the program promises that a context is current on this thread.
#[derive(Debug)]
pub(crate) struct PromisedCurrent {
    before: usize,
    /// The state belongs to the thread.
    _not_send: PhantomData<*const ()>,
}

impl PromisedCurrent {
    /// Records the promise for the context at an address. `None` inside a host function.
    pub(crate) fn new(context: usize) -> Option<PromisedCurrent> {
        (!is_inside()).then(|| PromisedCurrent { before: STATE.replace(context), _not_send: PhantomData })
    }
}

impl Drop for PromisedCurrent {
    fn drop(&mut self) {
        if !is_inside() {
            STATE.set(self.before);
        }
    }
}

/// Suspends the program's promise, because another context becomes current. Returns the previous state, for [`promise_again`].
#[inline]
pub(crate) fn forget_promise() -> usize {
    if is_inside() { INSIDE } else { STATE.replace(NOTHING) }
}

/// Restores the state that [`forget_promise`] has returned.
#[inline]
pub(crate) fn promise_again(before: usize) {
    if !is_inside() {
        STATE.set(before);
    }
}
