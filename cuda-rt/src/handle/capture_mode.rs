//! The capture mode of this thread.

#![allow(unsafe_code)]

use super::{is_forked_child, is_inside};
use cuda_sys::{CUstreamCaptureMode, Driver, cuThreadExchangeStreamCaptureMode};

/// Sets the thread's capture mode. Returns the previous mode, or `None` if the call failed or must not be made. Without an error
/// value, to keep the code small.
#[inline]
pub(crate) fn exchange_capture_mode(wanted: CUstreamCaptureMode) -> Option<CUstreamCaptureMode> {
    if is_inside() || is_forked_child() {
        return None;
    }
    let mut mode = wanted;
    // SAFETY: `mode` is valid for a read and a write; this touches only this thread's mode.
    let exchanged = unsafe { cuThreadExchangeStreamCaptureMode(&raw mut mode) };
    // A call that has done its own work may report an earlier failure.
    (exchanged.is_success() || mode != wanted).then_some(mode)
}

/// Makes calls of this thread leave captures alone from now on, for a thread of this crate. A capture may begin after
/// the check for captures and before the call.
pub(crate) fn relax_this_thread() {
    // Without a driver, there are no captures, and the call would load one.
    if Driver::installed().is_none() {
        return;
    }
    // After a failure, the calls find the captures that they know of.
    let _ = exchange_capture_mode(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED);
}
