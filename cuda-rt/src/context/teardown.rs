//! What every destructor does around its one destroying call.

use super::Context;
use crate::Code;
use crate::driver::is_forked_child;
use crate::error::{DriverError, Result};
use cuda_sys::{CUstreamCaptureMode, Symbol};

/// While it lives, this thread may release resources although a graph is being captured.
///
/// In the default mode, `cuMemFree`, `cuModuleUnload` and others are refused during a capture and
/// invalidate it (measured, driver 580); in the relaxed mode they go ahead and leave it intact.
pub(crate) struct Relaxed {
    before: Option<CUstreamCaptureMode>,
}

impl Relaxed {
    pub(crate) fn new() -> Relaxed {
        Relaxed { before: exchange(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED) }
    }
}

impl Drop for Relaxed {
    fn drop(&mut self) {
        if let Some(before) = self.before {
            exchange(before);
        }
    }
}

/// Sets the thread's capture mode. Without one, as after a failure, there is nothing to put back.
fn exchange(mode: CUstreamCaptureMode) -> Option<CUstreamCaptureMode> {
    let mut mode = mode;
    // SAFETY: `mode` is valid for a read and a write; this touches only this thread's mode.
    let changed = unsafe { check!(cuThreadExchangeStreamCaptureMode(&raw mut mode)) };
    changed.is_ok().then_some(mode)
}

/// Runs `destroy` with `context` current, unless its handles have died with it.
///
/// Whether the context can be made current does not matter: most destroying calls do without.
pub(crate) fn release_in(context: &Context, destroy: impl FnOnce() -> Result<()>) -> Result<()> {
    if is_forked_child() {
        return Ok(());
    }
    if !context.is_alive()? {
        // What was in the context went with it; its handles may be others' by now.
        let call = Symbol::cuCtxGetId.name();
        return Err(DriverError { call, code: Code::ContextIsDestroyed }.into());
    }
    let _relaxed = Relaxed::new();
    let _bound = context.bind();
    destroy()
}
