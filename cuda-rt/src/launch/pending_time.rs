//! The time of a launch.

use crate::error::Result;
use crate::event::Event;
use core::time::Duration;

/// The time of a kernel that may still run. Made by [`Launch::timed`](super::Launch::timed).
///
/// Dropping it does not wait.
#[derive(Debug)]
#[must_use = "it says how long the kernel took"]
pub struct PendingTime {
    start: Event,
    end: Event,
}

impl PendingTime {
    pub(super) fn new(start: Event, end: Event) -> PendingTime {
        PendingTime { start, end }
    }

    /// Waits for the kernel, and returns how long it took. Wraps `cuEventSynchronize` and `cuEventElapsedTime`.
    ///
    /// # Blocking
    ///
    /// Until the kernel, and everything that was queued on the stream before it, is done.
    ///
    /// # Errors
    ///
    /// The failure of queued work. If the stream was being captured, no time was taken:
    /// [`Code::InvalidHandle`](crate::error::Code::InvalidHandle) or its like.
    #[doc(alias("cuEventSynchronize", "cuEventElapsedTime"))]
    pub fn wait(self) -> Result<Duration> {
        self.end.synchronize()?;
        self.end.elapsed_since(&self.start)
    }

    /// Returns whether the kernel is done. Does not wait. Wraps `cuEventQuery`.
    ///
    /// # Errors
    ///
    /// The failure of queued work: never taken for "not yet".
    #[doc(alias = "cuEventQuery")]
    pub fn is_done(&self) -> Result<bool> {
        self.end.is_done()
    }
}
