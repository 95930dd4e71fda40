//! Times of launches.

use crate::error::Result;
use crate::event::Event;
use core::time::Duration;

/// Time of a kernel that may still be running. Made by [`Launch::timed`](super::Launch::timed).
///
/// Dropping the value does not wait.
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

    /// Waits for the kernel, and returns its time. Wraps `cuEventSynchronize` and `cuEventElapsedTime`.
    ///
    /// # Blocking
    ///
    /// Until the kernel is done, and all work that was queued on the stream before it.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`](crate::error::Code::InvalidValue): the stream was being captured, so no time was
    ///   recorded.
    /// - Same as [`Event::synchronize`].
    #[doc(alias("cuEventSynchronize", "cuEventElapsedTime"))]
    pub fn wait(self) -> Result<Duration> {
        self.end.synchronize()?;
        self.end.elapsed_since(&self.start)
    }

    /// Returns whether the kernel is done. Does not wait. Wraps `cuEventQuery`.
    ///
    /// # Errors
    ///
    /// Same as [`Event::is_done`]. After a failure, the result is never `false` instead.
    #[doc(alias = "cuEventQuery")]
    pub fn is_done(&self) -> Result<bool> {
        self.end.is_done()
    }
}
