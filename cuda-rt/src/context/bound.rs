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
        let current = super::current()? == context;
        if !current {
            // SAFETY: the callers hold the context alive; pushing touches only this thread's stack.
            let pushed = unsafe { check!(cuCtxPushCurrent_v2(context)) };
            if pushed.is_err() {
                // A failure of something else may be told by a call that has done its own work.
                if super::current() == Ok(context) {
                    let _ = super::pop();
                }
                pushed?;
            }
        }
        Ok(Bound { pushed: (!current).then_some(context), _not_send: PhantomData })
    }
}

impl Drop for Bound {
    #[inline]
    fn drop(&mut self) {
        if let Some(context) = self.pushed {
            report(super::leave(context));
        }
    }
}
