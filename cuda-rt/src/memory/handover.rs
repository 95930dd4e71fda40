//! Failures of functions that take ownership of a buffer.

use crate::error::Error;
use core::fmt;

/// Failure of a function that was given a buffer, with the buffer, if it can be used again.
///
/// The buffer does not come back in five cases:
///
/// - The device may still be using it. Then its memory is freed when the device is certainly done with it, or never.
/// - It may still be [registered](crate::memory::RegisteredBuf#failed-unregistration). Then its memory is never freed.
/// - It was allocated by [`to_pinned`](crate::DeviceSlice::to_pinned) or
///   [`to_pinned_in`](crate::DeviceSlice::to_pinned_in), and waiting for the copy failed. Then its elements may be uninitialised.
/// - Waiting or unregistering was refused inside a [host function](crate::stream#host-functions). Then the buffer counts
///   as dropped there.
/// - A [`PendingFuture`](crate::memory::PendingFuture) was polled again after its result. The result had the buffer, if it
///   could be used again.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::{DeviceBuf, PinnedBuf};
///
/// let mut device = DeviceBuf::<u8>::zeroed(&stream, 3)?;
/// let failure = device.copy_from_pinned(PinnedBuf::from_slice(&context, &[1, 2])?).unwrap_err();
/// assert_eq!(failure.to_string(), "cuMemcpyHtoDAsync_v2: the source has 2 elements, the destination 3; the lengths must be equal");
/// let numbers = failure.into_buffer().unwrap();
/// device.slice_mut(1..)?.copy_from_pinned(numbers)?.wait()?;
/// assert_eq!(device.to_vec()?, [0, 1, 2]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub struct HandoverError<B> {
    error: Error,
    buffer: Option<B>,
}

impl<B> HandoverError<B> {
    pub(super) fn new(error: Error, buffer: Option<B>) -> Self {
        HandoverError { error, buffer }
    }

    /// Returns the error.
    pub fn error(&self) -> &Error {
        &self.error
    }

    /// Returns the buffer, if it can be used again.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::{DeviceBuf, PinnedBuf};
    /// let mut device = DeviceBuf::<u8>::zeroed(&stream, 3)?;
    /// let failure = device.copy_from_pinned(PinnedBuf::from_slice(&context, &[1, 2])?).unwrap_err();
    /// assert_eq!(failure.into_buffer().unwrap()[..], [1, 2]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn into_buffer(self) -> Option<B> {
        self.buffer
    }

    /// Returns the error, and the buffer if it can be used again.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::{DeviceBuf, PinnedBuf};
    /// let mut device = DeviceBuf::<u8>::zeroed(&stream, 3)?;
    /// let failure = device.copy_from_pinned(PinnedBuf::from_slice(&context, &[1, 2])?).unwrap_err();
    /// let (error, buffer) = failure.into_parts();
    /// println!("{error}; have it back: {}", buffer.is_some());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn into_parts(self) -> (Error, Option<B>) {
        (self.error, self.buffer)
    }
}

impl<B> From<HandoverError<B>> for Error {
    /// Drops the buffer. `?` uses this conversion.
    ///
    /// # Blocking
    ///
    /// Same as dropping the buffer: see [`PinnedBuf`](crate::PinnedBuf#blocking).
    fn from(failure: HandoverError<B>) -> Error {
        failure.error
    }
}

impl<B> fmt::Display for HandoverError<B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(formatter)
    }
}

impl<B> fmt::Debug for HandoverError<B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let back = if self.buffer.is_some() { "given back" } else { "kept" };
        formatter.debug_struct("HandoverError").field("error", &self.error).field("buffer", &back).finish()
    }
}

impl<B> core::error::Error for HandoverError<B> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        core::error::Error::source(&self.error)
    }
}
