//! Preparation and completion of a call that releases an object.

#![allow(unsafe_code)]

use super::capture_state::{expect_foreign_captures, strict_captures};
use super::current_context::current;
use super::{Context, ContextId, CurrentContextGuard, is_live};
use crate::error::{Code, Error, Result};
use crate::handle::{
    DeferredErrors, Quiet, ensure_not_in_host_function, exchange_capture_mode, is_forked_child, is_inside,
    report,
};
use cuda_sys::{CUstreamCaptureMode, Symbol};
use std::sync::{PoisonError, RwLock};

/// Guard under which this thread may release resources although a graph is being captured. The program's hook does not run.
///
/// In the default mode, `cuMemFree`, `cuModuleUnload` and others are refused during a capture, and invalidate it. In the relaxed
/// mode they succeed, and leave the capture intact. Measured with driver 580.
pub(crate) struct RelaxedCaptureMode {
    before: Option<CUstreamCaptureMode>,
}

impl RelaxedCaptureMode {
    #[inline]
    pub(crate) fn new() -> RelaxedCaptureMode {
        // If the previous mode is unknown, as after a failure, there is nothing to restore.
        let before = exchange_capture_mode(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED)
            .or_else(RelaxedCaptureMode::again);
        Quiet::begin();
        RelaxedCaptureMode { before }
    }

    /// Changes the mode only if a strict capture may be open.
    #[inline]
    pub(crate) fn if_needed() -> RelaxedCaptureMode {
        if strict_captures() {
            return RelaxedCaptureMode::new();
        }
        Quiet::begin();
        RelaxedCaptureMode { before: None }
    }

    #[cold]
    fn again() -> Option<CUstreamCaptureMode> {
        exchange_capture_mode(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED)
    }
}

impl Drop for RelaxedCaptureMode {
    #[inline]
    fn drop(&mut self) {
        if let Some(before) = self.before
            && exchange_capture_mode(before).is_none()
        {
            put_back(before);
        }
        Quiet::end();
    }
}

#[cold]
fn put_back(mode: CUstreamCaptureMode) {
    if is_forked_child() {
        return;
    }
    let mut mode = mode;
    let wanted = mode;
    // SAFETY: `mode` is valid for a read and a write; this touches only this thread's mode.
    let outcome = unsafe { check!(cuThreadExchangeStreamCaptureMode(&raw mut mode)) };
    if mode == wanted {
        report(outcome);
    }
}

/// Makes a call that a capture of other code may refuse, and that would invalidate such a capture. Changes the thread's capture
/// mode only if a strict capture may be open. If the call is refused, makes it again in the relaxed mode.
pub(crate) fn past_captures<T>(call: impl Fn() -> Result<T>) -> Result<T> {
    let relaxed = RelaxedCaptureMode::if_needed();
    match call() {
        Err(error) if error.code() == Some(Code::StreamCaptureUnsupported) => {
            drop(relaxed);
            expect_foreign_captures();
            let _relaxed = RelaxedCaptureMode::new();
            call()
        }
        answer => answer,
    }
}

/// Fails if the handles of a context became invalid with it, or if the driver does not say. `call` is the next driver function.
pub(crate) fn ensure_lives(context: &Context, call: Symbol) -> Result<()> {
    let lives = if is_forked_child() || is_inside() { None } else { context.lives() };
    if lives != Some(true) && has_died(context, lives, call)? {
        return Err(Error::context_lost());
    }
    Ok(())
}

/// Held for reading while a thread of this crate uses a handle, and for writing while this crate ends a context under its handles.
static RESETS: RwLock<()> = RwLock::new(());

/// Makes a call with a handle of a context, unless the context has ended. For calls that the program does not expect, such as
/// those of this crate's threads. `call` is the driver function.
pub(crate) fn ask_if_alive<T>(context: &Context, call: Symbol, ask: impl FnOnce() -> Result<T>) -> Result<T> {
    // The hook runs when nothing is locked any more: it may reset a context.
    let _quiet = Quiet::new();
    let _no_reset = RESETS.read().unwrap_or_else(PoisonError::into_inner);
    ensure_lives(context, call)?;
    ask()
}

/// Makes a call that ends a context under its handles. `call` is the driver function.
pub(super) fn reset_by(call: Symbol, reset: impl FnOnce() -> Result<()>) -> Result<()> {
    // A host function must not wait for the lock: its holder may wait for the function.
    ensure_not_in_host_function(call)?;
    // In the child of a fork, a thread that does not exist there may hold the lock.
    let _no_call = (!is_forked_child()).then(|| RESETS.write().unwrap_or_else(PoisonError::into_inner));
    reset()
}

/// Tries a step before a release once more if it fails, because the release cannot be made later.
pub(crate) fn retry_once<T>(attempt: impl Fn() -> Result<T>) -> Result<T> {
    attempt().or_else(|_| attempt())
}

/// Returns whether the handles of a context became invalid with it. If so, queries again, because the object is then never
/// released.
pub(crate) fn is_gone(context: ContextId) -> Result<bool> {
    Ok(!retry_once(|| is_live(context))? && !retry_once(|| is_live(context))?)
}

/// Context that a releasing call needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContextRequirement {
    /// None: the handle is sufficient. The call is made even if the context could not be made current.
    None,
    /// The current context: the handle means something else in each context, as the handle of the legacy stream does.
    Current,
}

/// Runs `destroy` with `context` current, unless the handles of the context became invalid with it. Errors that `destroy` defers
/// are reported when the state of the thread is restored. `call` is the driver function that `destroy` calls. Failures of the
/// checks before it name it.
///
/// If it is unknown whether the context is alive, the object is left alone: its handle may be invalid by now and crash the
/// driver, or name another object.
pub(crate) fn release_in(
    context: &Context,
    by: ContextRequirement,
    call: Symbol,
    destroy: &mut dyn FnMut(&mut DeferredErrors) -> Result<()>,
) -> Result<()> {
    if is_forked_child() {
        return Ok(());
    }
    ensure_lives(context, call)?;
    let bound = match context.bind(call) {
        Ok(bound) => Some(bound),
        Err(_) => bind_again(context, by, call)?,
    };
    // The first value is dropped last: when the state of the thread is restored.
    let mut errors = DeferredErrors::default();
    let relaxed = RelaxedCaptureMode::new();
    let destroyed = destroy(&mut errors);
    drop(relaxed);
    drop(bound);
    // Avoids copying an outcome that is returned unchanged.
    if destroyed.is_ok() { Ok(()) } else { destroyed }
}

/// Returns the same as [`is_gone`], after a first answer.
#[cold]
fn has_died(context: &Context, lives: Option<bool>, call: Symbol) -> Result<bool> {
    let lives_now = || is_live(context.context_id()).map_err(|error| error.before(call));
    let lives = match lives {
        Some(lives) => lives,
        None => lives_now()?,
    };
    Ok(!lives && !retry_once(lives_now)?)
}

/// Tries once more to make the context current. If the call does not need a context, a failure is only reported.
#[cold]
fn bind_again(
    context: &Context,
    by: ContextRequirement,
    call: Symbol,
) -> Result<Option<CurrentContextGuard>> {
    match (context.bind(call), by) {
        (Err(error), ContextRequirement::Current) => Err(error),
        (Err(error), ContextRequirement::None) => {
            // Done before any change, so that the hook does not run in the relaxed mode.
            report(Err(error));
            Ok(None)
        }
        (Ok(bound), _) => Ok(Some(bound)),
    }
}

/// Runs `destroy` for an object that belongs to no context.
pub(crate) fn release_alone(destroy: &mut dyn FnMut() -> Result<()>) -> Result<()> {
    if is_forked_child() {
        return Ok(());
    }
    let relaxed = RelaxedCaptureMode::new();
    let destroyed = destroy();
    drop(relaxed);
    destroyed
}

/// Makes a call for which the driver finds the context by a handle, so that the context need not be current. `attempt` makes the
/// call.
///
/// A driver that needs the context to be current refuses the call, without an effect. Then the context is made current, and
/// `attempt` is called again. In the child of a fork, where some calls crash, the driver refuses to make the context current.
#[inline]
pub(crate) fn call_by_handle<T>(
    context: &Context,
    call: Symbol,
    attempt: impl Fn() -> Result<T>,
) -> Result<T> {
    if is_forked_child() {
        return call_in_context(context, call, &attempt);
    }
    match attempt() {
        Ok(answer) => Ok(answer),
        Err(error) => attempt_again(context, call, error, &attempt),
    }
}

#[cold]
#[inline(never)]
fn attempt_again<T>(
    context: &Context,
    call: Symbol,
    error: Error,
    attempt: &dyn Fn() -> Result<T>,
) -> Result<T> {
    if wants_context(&error, context) { call_in_context(context, call, attempt) } else { Err(error) }
}

/// Makes a call with the context current.
#[inline(never)]
pub(crate) fn call_in_context<T>(
    context: &Context,
    call: Symbol,
    attempt: &dyn Fn() -> Result<T>,
) -> Result<T> {
    let _bound = context.bind(call)?;
    attempt()
}

/// Returns whether a call may have been refused because the context is not current.
#[cold]
#[inline(never)]
pub(crate) fn wants_context(error: &Error, context: &Context) -> bool {
    // Copies report that the thread's current context is destroyed (fact V1162).
    matches!(error.code(), Some(Code::InvalidContext | Code::InvalidHandle | Code::ContextIsDestroyed))
        && current().is_ok_and(|current| current != context.as_raw())
}

/// Runs `destroy`, which makes one call that releases an object, unless the object died with its context. The driver finds the
/// context by the handle of the object. `call` is the driver function.
///
/// A capture of other code may refuse the call. Then the object still exists, and `destroy` is called again in the relaxed mode.
#[inline]
pub(crate) fn release_by_handle(
    context: &Context,
    call: Symbol,
    destroy: impl Fn() -> Result<()>,
) -> Result<()> {
    if is_forked_child() { Ok(()) } else { release_after(context, context.lives(), call, destroy) }
}

/// Does the same as [`release_by_handle`], after the query whether the context lives: see [`Context::lives`].
#[inline]
pub(crate) fn release_after(
    context: &Context,
    lives: Option<bool>,
    call: Symbol,
    destroy: impl Fn() -> Result<()>,
) -> Result<()> {
    if lives != Some(true) && has_died(context, lives, call)? {
        return Err(Error::context_lost());
    }
    match destroy() {
        Ok(()) => Ok(()),
        Err(error) => release_again(context, call, error, &destroy),
    }
}

/// Runs `destroy` again after a failure, if the object still exists: see [`release_by_handle`].
#[cold]
#[inline(never)]
pub(crate) fn release_again(
    context: &Context,
    call: Symbol,
    error: Error,
    destroy: &dyn Fn() -> Result<()>,
) -> Result<()> {
    if error.code() == Some(Code::StreamCaptureUnsupported) {
        expect_foreign_captures();
        let _relaxed = RelaxedCaptureMode::new();
        return destroy();
    }
    if !wants_context(&error, context) {
        return Err(error);
    }
    let _bound = retry_once(|| context.bind(call))?;
    destroy()
}
