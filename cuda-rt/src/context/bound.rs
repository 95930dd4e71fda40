//! The context being current for the length of one call.

#![allow(unsafe_code)]

use crate::callback::{is_inside, refusal};
use crate::error::{Result, failed, report};
use core::marker::PhantomData;
use core::ptr::null_mut;
use cuda_sys::{CUcontext, CUresult, Symbol, cuCtxGetCurrent, cuCtxPushCurrent_v2};

/// While it lives, the context is current on this thread.
///
/// The driver's stack is compared each time, not remembered: other code of the process may change it.
/// Values of this type live within one function, so they end in reverse order.
pub(crate) struct Bound {
    /// The context that was pushed. Null if none was.
    pushed: CUcontext,
    /// What is current is the thread's own affair.
    _not_send: PhantomData<*const ()>,
}

impl Bound {
    /// Failures are told as those of a check before `call`.
    #[inline]
    pub(crate) fn new(context: CUcontext, call: Symbol) -> Result<Bound> {
        if is_inside() {
            return Err(refusal(call));
        }
        let mut current = null_mut();
        // SAFETY: `current` is valid for a write.
        let asked = unsafe { cuCtxGetCurrent(&raw mut current) };
        if asked.is_success() && current == context {
            return Ok(Bound { pushed: null_mut(), _not_send: PhantomData });
        }
        Bound::pushed(context, call, asked)
    }

    /// Outlined: keeps the common path small, where the context is current already.
    #[inline(never)]
    fn pushed(context: CUcontext, call: Symbol, asked: CUresult) -> Result<Bound> {
        if !asked.is_success() {
            return Err(failed(Symbol::cuCtxGetCurrent, asked).before(call));
        }
        // SAFETY: the callers hold the context alive; pushing touches only this thread's stack.
        let pushed = unsafe { cuCtxPushCurrent_v2(context) };
        if pushed.is_success() {
            return Ok(Bound { pushed: context, _not_send: PhantomData });
        }
        // A failure of something else may be told by a call that has done its own work.
        if super::current() == Ok(context) {
            let _ = super::pop();
        }
        Err(failed(Symbol::cuCtxPushCurrent_v2, pushed).before(call))
    }
}

impl Drop for Bound {
    #[inline]
    fn drop(&mut self) {
        if !self.pushed.is_null() {
            leave(self.pushed);
        }
    }
}

#[inline(never)]
fn leave(context: CUcontext) {
    report(super::leave(context));
}
