//! Copies that are awaited.

#![allow(unsafe_code)]

use super::handover::HandoverError;
use super::pending::PendingCopy;
use crate::completion::{Finished, retire_erased};
use crate::context::past_captures;
use crate::error::{Error, Result};
use crate::event::is_of_capture;
use crate::stream::Stream;
use core::fmt;
use core::future::{Future, IntoFuture};
use core::pin::Pin;
use core::task::{Context, Poll};

/// Future of an asynchronous copy, made by awaiting a [`PendingCopy`].
///
/// The result is the buffer, or the failure, as of [`PendingCopy::wait`]. Dropping the future does not wait: a thread of this
/// crate drops the buffer when the copy is done. If the future is forgotten, the buffer is never freed. If the future is polled
/// again after its result, it returns an error.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::{DeviceBuf, PinnedBuf};
///
/// async fn download(device: &DeviceBuf<u32>) -> cuda_rt::Result<PinnedBuf<u32>> {
///     Ok(device.to_pinned()?.await?)
/// }
/// # drop(download(&DeviceBuf::zeroed(&stream, 3)?));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[must_use = "futures do nothing unless they are awaited"]
pub struct PendingFuture<B> {
    /// `None` if the buffer was returned.
    buffer: Option<B>,
    /// True if the buffer is uninitialised before the copy is done. Then a failed copy does not return the buffer.
    is_fresh: bool,
    /// The completion of the copy, and its stream. `None` if the copy is over.
    copy: Option<(Finished, Stream)>,
}

/// The future may move: the device uses the memory that the buffer owns, which stays in place.
impl<B> Unpin for PendingFuture<B> {}

impl<B> IntoFuture for PendingCopy<B> {
    type Output = Result<B, HandoverError<B>>;
    type IntoFuture = PendingFuture<B>;

    fn into_future(self) -> PendingFuture<B> {
        let (buffer, is_fresh, copy) = self.into_parts();
        let copy = copy.map(|(mark, stream)| (Finished::of_mark(mark, &stream), stream));
        PendingFuture { buffer, is_fresh, copy }
    }
}

impl<B> PendingFuture<B> {
    /// Chooses how a waiting task is woken.
    pub fn wake_by(mut self, by: crate::completion::WakeBy) -> PendingFuture<B> {
        self.copy = self.copy.take().map(|(finished, stream)| (finished.wake_by(by), stream));
        self
    }

    /// Leaves the buffer to the thread that drops it after the copy.
    fn leave(&mut self) {
        if let (Some((finished, _)), Some(buffer)) = (self.copy.take(), self.buffer.take()) {
            let (mark, waker) = finished.into_parts();
            // SAFETY: the buffer is page-locked memory with its owner, of elements that are copied, so that they have no
            // destructors; it is not bound to a thread.
            unsafe { retire_erased(mark, buffer) };
            // Code of the program, which may panic. The buffer is safe by now.
            drop(waker);
        }
    }
}

/// Returns whether a copy is over although awaiting it failed.
fn is_over(stream: &Stream, failure: &Error) -> bool {
    // An event of a capture means that the graph owns the copy.
    !is_of_capture(failure) && past_captures(|| stream.is_done()) == Ok(true)
}

impl<B> Future for PendingFuture<B> {
    type Output = Result<B, HandoverError<B>>;

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        if let Some((finished, stream)) = &mut self.copy {
            match Pin::new(finished).poll(task) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Ok(())) => {}
                Poll::Ready(Err(error)) => {
                    if !is_over(stream, &error) {
                        self.leave();
                        return Poll::Ready(Err(HandoverError::new(error, None)));
                    }
                    let buffer = self.buffer.take().filter(|_| !self.is_fresh);
                    // May drop the owner of the stream, which may panic. A later poll finds no buffer then.
                    self.copy = None;
                    return Poll::Ready(Err(HandoverError::new(error, buffer)));
                }
            }
        }
        self.copy = None;
        let again = || Error::invalid("pending copy", format_args!("polled after its result; poll it once"));
        Poll::Ready(self.buffer.take().ok_or_else(|| HandoverError::new(again(), None)))
    }
}

impl<B> Drop for PendingFuture<B> {
    fn drop(&mut self) {
        self.leave();
    }
}

impl<B> fmt::Debug for PendingFuture<B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PendingFuture").field("copy", &self.copy).finish_non_exhaustive()
    }
}
