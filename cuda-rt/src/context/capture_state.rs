//! Knowledge about open captures, without driver calls.
//!
//! A thread in the default capture mode invalidates a strict capture when it frees memory. So destructors query this module
//! first. If no strict capture can be open, they need not change the thread's capture mode.

use super::Context;
use crate::handle::is_forked_child;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use cuda_sys::{CUcontext, CUstreamCaptureMode};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of strict captures that this crate has begun. One is added permanently if other code may make strict captures.
static STRICT: AtomicU32 = AtomicU32::new(0);
/// True if other code may make strict captures.
static FOREIGN: AtomicBool = AtomicBool::new(false);
/// The number of captures that this crate has begun, in all modes.
static OPEN: AtomicU32 = AtomicU32::new(0);
/// The context of each of these captures, by its address. A capture keeps its context alive.
static CONTEXTS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// Returns whether a capture in a strict mode (global or thread-local) may be open in the process.
#[inline]
pub(crate) fn strict_captures() -> bool {
    STRICT.load(Ordering::Relaxed) != 0
}

/// Declares that other code of the process captures streams in the global or the thread-local mode.
///
/// From then on, each release of this crate changes the capture mode of the thread during the call. Otherwise the call would
/// invalidate such a capture. Without this function, the first free that the driver refuses because of a foreign capture has the
/// same effect, but that capture is invalidated.
///
/// The effect lasts as long as the process. Programs that capture through this crate alone need not call the function. Nor need
/// programs whose other code made a primary context active before this crate retained it: [`Context::primary`] notices that.
///
/// # Examples
///
/// ```
/// cuda_rt::stream::expect_foreign_captures();
/// ```
#[doc(alias = "cuThreadExchangeStreamCaptureMode")]
pub fn expect_foreign_captures() {
    if !FOREIGN.swap(true, Ordering::Relaxed) {
        STRICT.fetch_add(1, Ordering::Relaxed);
    }
}

/// Returns whether other code is known to make strict captures.
pub(super) fn foreign_captures_are_expected() -> bool {
    FOREIGN.load(Ordering::Relaxed)
}

/// Mark of an open capture that this crate has begun. Made before the capture begins, and dropped after its end.
#[derive(Debug)]
pub(crate) struct OwnCapture {
    context: Context,
    is_strict: bool,
}

impl OwnCapture {
    /// Counts a capture in `context`.
    pub(crate) fn begin(context: &Context, mode: CUstreamCaptureMode) -> OwnCapture {
        let is_strict = mode != CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
        if is_strict {
            STRICT.fetch_add(1, Ordering::Relaxed);
        }
        contexts().push(context.as_raw().addr());
        OPEN.fetch_add(1, Ordering::Relaxed);
        OwnCapture { context: context.clone(), is_strict }
    }
}

impl Drop for OwnCapture {
    fn drop(&mut self) {
        OPEN.fetch_sub(1, Ordering::Relaxed);
        // In a child of a fork, a thread that does not exist there may hold the lock.
        if !is_forked_child() {
            let mut contexts = contexts();
            let own = self.context.as_raw().addr();
            if let Some(place) = contexts.iter().position(|context| *context == own) {
                contexts.swap_remove(place);
            }
        }
        if self.is_strict {
            STRICT.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Returns whether a capture that this crate has begun is open in a context.
#[inline]
pub(super) fn has_own_capture(context: CUcontext) -> bool {
    OPEN.load(Ordering::Relaxed) != 0 && is_listed(context)
}

#[cold]
fn is_listed(context: CUcontext) -> bool {
    !is_forked_child() && contexts().contains(&context.addr())
}

fn contexts() -> MutexGuard<'static, Vec<usize>> {
    CONTEXTS.lock().unwrap_or_else(PoisonError::into_inner)
}
