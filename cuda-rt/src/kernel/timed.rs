//! Launches whose time is taken.

#![allow(unsafe_code)]

use super::raw::same_context;
use super::{Kernel, KernelArgs, LaunchConfig};
use crate::error::Result;
use crate::event::Event;
use crate::stream::AsStream;
use core::time::Duration;

/// The time that a launch takes, which may not be over yet. Made by [`Kernel::launch_timed`].
///
/// Dropping it does not wait.
#[derive(Debug)]
#[must_use = "it says how long the kernel took"]
pub struct PendingTime {
    start: Event,
    end: Event,
}

impl PendingTime {
    /// Waits for the kernel, and says how long it took. Wraps `cuEventSynchronize` and `cuEventElapsedTime`.
    ///
    /// # Blocking
    ///
    /// Until the kernel, and everything that was queued on the stream before it, is done.
    ///
    /// # Errors
    ///
    /// The failure of something that was queued. If the stream was being captured, no time was taken:
    /// [`Code::InvalidHandle`](crate::error::Code::InvalidHandle) or its like.
    #[doc(alias("cuEventSynchronize", "cuEventElapsedTime"))]
    pub fn wait(self) -> Result<Duration> {
        self.end.synchronize()?;
        self.end.elapsed_since(&self.start)
    }

    /// Whether the kernel is done. Does not wait. Wraps `cuEventQuery`.
    ///
    /// # Errors
    ///
    /// The failure of something that was queued: never taken for "not yet".
    #[doc(alias = "cuEventQuery")]
    pub fn is_done(&self) -> Result<bool> {
        self.end.is_done()
    }
}

impl<A: KernelArgs> Kernel<A> {
    /// Puts the kernel on a stream, between two events that take its time. Wraps `cuEventRecord`, `cuLaunchKernel` and
    /// `cuEventRecord`.
    ///
    /// # Errors
    ///
    /// Same as [`Kernel::launch`]. The kernel may have been launched all the same if the second event fails.
    ///
    /// # Safety
    ///
    /// That of [`Kernel::launch`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream, module) = cuda_doc::module()?;
    /// use cuda_rt::LaunchConfig;
    ///
    /// let nothing = module.function("nothing")?.typed::<()>()?;
    /// // SAFETY: the kernel touches nothing.
    /// let time = unsafe { nothing.launch_timed(LaunchConfig::new(2, 32), &stream, ()) }?;
    /// // ... other work ...
    /// if !time.is_done()? {
    ///     println!("still running");
    /// }
    /// println!("{:?}", time.wait()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuLaunchKernel", "cuEventRecord", "time_kernel"))]
    pub unsafe fn launch_timed(
        &self,
        config: LaunchConfig,
        stream: &impl AsStream,
        args: A,
    ) -> Result<PendingTime> {
        same_context(self.function(), stream)?;
        let context = stream.context();
        let (start, end) = (Event::new(context)?, Event::new(context)?);
        start.record(stream)?;
        // SAFETY: the caller's promise.
        unsafe { self.launch(config, stream, args) }?;
        end.record(stream)?;
        Ok(PendingTime { start, end })
    }
}
