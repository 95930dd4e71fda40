//! The context being current for the length of one call.

#![allow(unsafe_code)]

use crate::error::{Result, report};
use core::marker::PhantomData;
use cuda_sys::CUcontext;

/// While it lives, the context is current on this thread.
///
/// The driver's stack is compared each time, not remembered: other code of the process may change it.
/// Values of this type live within one function, so they end in reverse order.
pub(crate) struct Bound {
    /// What was pushed, if anything was.
    pushed: Option<CUcontext>,
    /// What is current is the thread's own affair.
    _not_send: PhantomData<*const ()>,
}

impl Bound {
    #[inline]
    pub(crate) fn new(context: CUcontext) -> Result<Bound> {
        let pushed = if super::current()? == context {
            None
        } else {
            // SAFETY: the callers hold the context alive.
            unsafe { push_other(context) }?;
            Some(context)
        };
        Ok(Bound { pushed, _not_send: PhantomData })
    }
}

impl Drop for Bound {
    #[inline]
    fn drop(&mut self) {
        if let Some(context) = self.pushed {
            leave(context);
        }
    }
}

/// Pushes a context that is not current.
///
/// Outlined: keeps the common path, where the context is current already, small.
///
/// # Safety
///
/// The context is alive.
#[inline(never)]
unsafe fn push_other(context: CUcontext) -> Result<()> {
    // SAFETY: the context is alive; pushing touches only this thread's stack.
    let pushed = unsafe { check!(cuCtxPushCurrent_v2(context)) };
    // A call may have done its own work, and report the failure of something else.
    if pushed.is_err() && super::current() == Ok(context) {
        let _ = super::pop();
    }
    pushed
}

/// Pushes a context, also if it is current already. If that fails, the same context is current as before.
///
/// # Safety
///
/// The context is alive.
pub(super) unsafe fn push(context: CUcontext) -> Result<()> {
    if super::current()? != context {
        // SAFETY: the caller's promise.
        return unsafe { push_other(context) };
    }
    // What is current does not tell whether a failing call has pushed. If it has, the context stays current.
    // SAFETY: the context is alive; pushing touches only this thread's stack.
    unsafe { check!(cuCtxPushCurrent_v2(context)) }
}

#[inline(never)]
fn leave(context: CUcontext) {
    report(super::leave(context));
}
