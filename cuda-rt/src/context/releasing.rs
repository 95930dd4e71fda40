//! The steps around the one call that releases an object.

#![allow(unsafe_code)]

use super::{Context, ContextId, CurrentContextGuard, is_live};
use crate::error::{Error, Result};
use crate::handle::{DeferredErrors, Quiet, is_forked_child, is_inside, report};
use cuda_sys::{CUstreamCaptureMode, Symbol, cuThreadExchangeStreamCaptureMode};

/// While it lives, this thread may release resources although a graph is being captured. The program's hook does not run.
///
/// In the default mode, `cuMemFree`, `cuModuleUnload` and others are refused during a capture and
/// invalidate it (measured, driver 580); in the relaxed mode they go ahead and leave it intact.
pub(crate) struct RelaxedCaptureMode {
    before: Option<CUstreamCaptureMode>,
}

impl RelaxedCaptureMode {
    #[inline]
    pub(crate) fn new() -> RelaxedCaptureMode {
        // Without the mode of before, as after a failure, there is nothing to put back.
        let before =
            exchange(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED).or_else(RelaxedCaptureMode::again);
        Quiet::begin();
        RelaxedCaptureMode { before }
    }

    #[cold]
    fn again() -> Option<CUstreamCaptureMode> {
        exchange(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED)
    }
}

impl Drop for RelaxedCaptureMode {
    #[inline]
    fn drop(&mut self) {
        if let Some(before) = self.before
            && exchange(before).is_none()
        {
            put_back(before);
        }
        Quiet::end();
    }
}

#[cold]
fn put_back(mode: CUstreamCaptureMode) {
    let mut mode = mode;
    let wanted = mode;
    // SAFETY: `mode` is valid for a read and a write; this touches only this thread's mode.
    let outcome = unsafe { check!(cuThreadExchangeStreamCaptureMode(&raw mut mode)) };
    if mode == wanted {
        report(outcome);
    }
}

/// Sets the thread's capture mode; the one before, or `None` if that failed, or is not to be done. Without an error, to be short.
#[inline]
fn exchange(wanted: CUstreamCaptureMode) -> Option<CUstreamCaptureMode> {
    if is_inside() {
        return None;
    }
    let mut mode = wanted;
    // SAFETY: `mode` is valid for a read and a write; this touches only this thread's mode.
    let exchanged = unsafe { cuThreadExchangeStreamCaptureMode(&raw mut mode) };
    // A failure of something else may be told by a call that has done its own work.
    (exchanged.is_success() || mode != wanted).then_some(mode)
}

/// Tries a step that prepares a release once more if it fails, since the release cannot be made up for later.
pub(crate) fn retry_once<T>(attempt: impl Fn() -> Result<T>) -> Result<T> {
    attempt().or_else(|_| attempt())
}

/// Returns whether the handles of a context have died with it. If so, asks again, since an object that is left alone
/// then is never released.
pub(crate) fn is_gone(context: ContextId) -> Result<bool> {
    Ok(!retry_once(|| is_live(context))? && !retry_once(|| is_live(context))?)
}

/// The context that a releasing call needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContextRequirement {
    /// The handle alone. The call is made even if the context could not be made current.
    None,
    /// A handle that means something else in each context, as that of the legacy stream.
    Current,
}

/// Runs `destroy` with `context` current, unless its handles have died with it. Errors that `destroy` leaves over are
/// reported when the thread is as it was. `call` is the driver function that `destroy` calls. Failures of the checks
/// before it name it.
///
/// If it is not known whether the context is alive, the object is left alone: its handle may be invalid by now and
/// crash the driver, or name another object.
pub(crate) fn release_in(
    context: &Context,
    by: ContextRequirement,
    call: Symbol,
    destroy: &mut dyn FnMut(&mut DeferredErrors) -> Result<()>,
) -> Result<()> {
    if is_forked_child() {
        return Ok(());
    }
    let lives = context.lives();
    if lives != Some(true) && has_died(context, lives, call)? {
        return Err(Error::context_lost());
    }
    let bound = match context.bind(call) {
        Ok(bound) => Some(bound),
        Err(_) => bind_again(context, by, call)?,
    };
    // The first to be made is the last to be dropped: when the thread is as it was.
    let mut errors = DeferredErrors::default();
    let relaxed = RelaxedCaptureMode::new();
    let destroyed = destroy(&mut errors);
    drop(relaxed);
    drop(bound);
    // An outcome that is handed on whole is copied, and that is slow.
    if destroyed.is_ok() { Ok(()) } else { destroyed }
}

/// As [`is_gone`], after a first answer.
#[cold]
fn has_died(context: &Context, lives: Option<bool>, call: Symbol) -> Result<bool> {
    let lives_now = || is_live(context.context_id()).map_err(|error| error.before(call));
    let lives = match lives {
        Some(lives) => lives,
        None => lives_now()?,
    };
    Ok(!lives && !retry_once(lives_now)?)
}

/// Tries once more to make the context current. If the call does not need it, a failure is only reported.
#[cold]
fn bind_again(
    context: &Context,
    by: ContextRequirement,
    call: Symbol,
) -> Result<Option<CurrentContextGuard>> {
    match (context.bind(call), by) {
        (Err(error), ContextRequirement::Current) => Err(error),
        (Err(error), ContextRequirement::None) => {
            // Before anything is changed, so that the hook does not run in the relaxed mode.
            report(Err(error));
            Ok(None)
        }
        (Ok(bound), _) => Ok(Some(bound)),
    }
}

/// Runs `destroy` for what is of no context.
pub(crate) fn release_alone(destroy: &mut dyn FnMut() -> Result<()>) -> Result<()> {
    if is_forked_child() {
        return Ok(());
    }
    let relaxed = RelaxedCaptureMode::new();
    let destroyed = destroy();
    drop(relaxed);
    destroyed
}
