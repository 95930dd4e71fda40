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
            push(context)?;
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

/// Apart, so that a call in the context that is current is short.
#[inline(never)]
fn push(context: CUcontext) -> Result<()> {
    // SAFETY: the callers hold the context alive; pushing touches only this thread's stack.
    let pushed = unsafe { check!(cuCtxPushCurrent_v2(context)) };
    // A failure of something else may be told by a call that has done its own work.
    if pushed.is_err() && super::current() == Ok(context) {
        let _ = super::pop();
    }
    pushed
}

#[inline(never)]
fn leave(context: CUcontext) {
    report(super::leave(context));
}
