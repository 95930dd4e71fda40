//! Guard that makes a context current during one call.

#![allow(unsafe_code)]

use super::retry_once;
use crate::error::{Code, Error, Result, failed, from_call};
use crate::handle::{
    DeferredErrors, Quiet, forget_promise, is_inside, is_promised_current, promise_again, report,
};
use core::marker::PhantomData;
use core::ptr::null_mut;
use cuda_sys::{CUcontext, CUresult, Symbol, cuCtxGetCurrent, cuCtxPushCurrent_v2};

/// Guard under which the context is current on this thread.
///
/// The driver's stack is compared each time, not remembered: other code of the process may change it. Values of this type live
/// within one function, so they are dropped in reverse order.
pub(crate) struct CurrentContextGuard {
    /// The pushed context. Null if none was pushed. While it is pushed, the program's drop hook does not run: see [`Quiet`].
    pushed: CUcontext,
    /// The promise that was suspended meanwhile.
    promised: usize,
    /// The current context belongs to the thread.
    _not_send: PhantomData<*const ()>,
}

impl CurrentContextGuard {
    /// Makes `context` current. Failures are reported as those of a check before `call`.
    #[inline]
    pub(crate) fn new(context: CUcontext, call: Symbol) -> Result<CurrentContextGuard> {
        if is_promised_current(context.addr()) {
            return Ok(CurrentContextGuard::unchanged());
        }
        if is_inside() {
            return Err(Error::inside_host_function(call));
        }
        let mut current = null_mut();
        // SAFETY: `current` is valid for a write.
        let asked = unsafe { cuCtxGetCurrent(&raw mut current) };
        if asked.is_success() && current == context {
            return Ok(CurrentContextGuard::unchanged());
        }
        CurrentContextGuard::pushed(context, call, asked)
    }

    /// Returns the guard for a context that is current already.
    #[inline]
    fn unchanged() -> CurrentContextGuard {
        CurrentContextGuard { pushed: null_mut(), promised: 0, _not_send: PhantomData }
    }

    /// Outlined: keeps the common path small, in which the context is current already.
    #[inline(never)]
    fn pushed(context: CUcontext, call: Symbol, asked: CUresult) -> Result<CurrentContextGuard> {
        if !asked.is_success() {
            return Err(failed(Symbol::cuCtxGetCurrent, asked).before(call));
        }
        // SAFETY: the callers hold the context alive.
        let pushed = unsafe { push_other(context) };
        if pushed.is_success() {
            Quiet::begin();
            let promised = forget_promise();
            return Ok(CurrentContextGuard { pushed: context, promised, _not_send: PhantomData });
        }
        Err(failed(Symbol::cuCtxPushCurrent_v2, pushed).before(call))
    }
}

impl Drop for CurrentContextGuard {
    #[inline]
    fn drop(&mut self) {
        if !self.pushed.is_null() {
            leave(self.pushed, self.promised);
        }
    }
}

/// Pushes a context that is not current.
///
/// # Safety
///
/// The context is alive.
#[inline]
unsafe fn push_other(context: CUcontext) -> CUresult {
    // SAFETY: the context is alive; pushing touches only this thread's stack.
    let pushed = unsafe { cuCtxPushCurrent_v2(context) };
    // A call may have done its own work and report an earlier failure.
    if !pushed.is_success() && current() == Ok(context) {
        let _ = pop();
    }
    pushed
}

/// Pushes a context, even if it is current already. If the call fails, the current context is the same as before.
///
/// # Safety
///
/// The context is alive.
pub(super) unsafe fn push(context: CUcontext) -> Result<()> {
    forget_promise();
    if current()? != context {
        // SAFETY: the caller's promise.
        return from_call(Symbol::cuCtxPushCurrent_v2, unsafe { push_other(context) });
    }
    // The current context does not show whether a failing call has pushed. If it has, the context stays current.
    // SAFETY: the context is alive; pushing touches only this thread's stack.
    unsafe { check!(cuCtxPushCurrent_v2(context)) }
}

#[inline(never)]
fn leave(context: CUcontext, promised: usize) {
    report(pop_current(context));
    promise_again(promised);
    Quiet::end();
}

/// Returns whether the driver of this thread does not know a context. With the software driver, the context may belong to another
/// machine than the thread's.
///
/// # Safety
///
/// The context is alive.
pub(crate) unsafe fn is_of_another_machine(context: CUcontext, errors: &mut DeferredErrors) -> bool {
    // SAFETY: the context is alive.
    match unsafe { push(context) } {
        Ok(()) => {
            errors.add(pop());
            false
        }
        Err(error) => error.code() == Some(Code::InvalidContext),
    }
}

/// Returns the handle of the current context.
#[inline]
pub(super) fn current() -> Result<CUcontext> {
    let mut current = null_mut();
    // SAFETY: `current` is valid for a write.
    unsafe { inline_check!(cuCtxGetCurrent(&raw mut current)) }?;
    Ok(current)
}

/// Pops `context`, if it is on top.
pub(super) fn pop_current(context: CUcontext) -> Result<()> {
    if retry_once(current)? != context {
        let text = "another context is current than the one that it entered; it was left as it is";
        return Err(Error::invalid("context guard", format_args!("{text}")));
    }
    pop()
}

/// Pops the top of the thread's stack. Tries again after a failure: otherwise the thread would continue with a context that is
/// not its own.
pub(super) fn pop() -> Result<()> {
    retry_once(|| {
        let mut popped = null_mut();
        // SAFETY: `popped` is valid for a write.
        let outcome = unsafe { inline_check!(cuCtxPopCurrent_v2(&raw mut popped)) };
        // A call that has done its own work may report an earlier failure.
        if popped.is_null() { outcome } else { Ok(()) }
    })
}
