//! Copies that take page-locked memory along.

#![allow(unsafe_code)]

use super::buffer::DeviceBuf;
use super::caching::PinnedPool;
use super::copy::{new_mark, same_length};
use super::handover::HandoverError;
use super::host::PageLocked;
use super::pinned::PinnedBuf;
use super::view::{DeviceSlice, DeviceSliceMut};
use crate::context::{ensure_lives, past_captures, retry_once};
use crate::error::{Error, Result};
use crate::event::{Event, is_of_capture};
use crate::handle::{defer_drop_erased, ensure_not_in_host_function, is_forked_child, is_inside, report};
use crate::stream::Stream;
use bytemuck::{AnyBitPattern, NoUninit};
use core::fmt;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::ptr::NonNull;
use cuda_sys::Symbol;

/// A copy that is on its way, with the host's side of it.
///
/// While the device may touch the buffer, only this value has it. [`wait`](PendingCopy::wait) gives it back, and so does awaiting it:
/// see [`PendingFuture`](crate::memory::PendingFuture).
///
/// # Blocking
///
/// Dropping waits for the copy, and drops the buffer then. If waiting fails twice, so that the device may still be using
/// the buffer, its memory is never freed. The same goes for a value that is forgotten.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::{DeviceBuf, PinnedBuf};
///
/// let device = DeviceBuf::from_host(&stream, &[1, 2, 3])?;
/// let pending = device.copy_to_pinned(PinnedBuf::zeroed(&context, 3)?)?;
/// // ... other work ...
/// let numbers = pending.wait()?;
/// assert_eq!(numbers[..], [1, 2, 3]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// Nothing is read before it is there:
///
/// ```compile_fail,E0382
/// # use cuda_rt::{DeviceBuf, PinnedBuf, Result};
/// fn stale(device: &DeviceBuf<u8>, host: PinnedBuf<u8>) -> Result<u8> {
///     let pending = device.copy_to_pinned(host)?;
///     let first = host[0]; // it went with the copy
///     pending.wait()?;
///     Ok(first)
/// }
/// ```
///
/// And nothing is written that the device is still to read:
///
/// ```compile_fail,E0382
/// # use cuda_rt::{DeviceBuf, PinnedBuf, Result};
/// fn late(device: &mut DeviceBuf<u8>, mut host: PinnedBuf<u8>) -> Result<()> {
///     let pending = device.copy_from_pinned(host)?;
///     host[0] = 9; // it went with the copy
///     pending.wait()?;
///     Ok(())
/// }
/// ```
#[must_use = "dropping it waits for the copy"]
pub struct PendingCopy<B> {
    /// `None` if it was given back, or is left to the device.
    buffer: Option<B>,
    /// The buffer holds nothing before the copy is done, so a failed copy does not give it back.
    is_fresh: bool,
    /// `None` if there was nothing to copy, or if it is over.
    copy: Option<Copy>,
}

/// A pending copy and its buffer.
struct Copy {
    /// Behind it.
    mark: Event,
    /// Where it is queued.
    stream: Stream,
}

impl<B> PendingCopy<B> {
    /// Waits for the copy, and gives the buffer back. Wraps `cuEventSynchronize`.
    ///
    /// # Blocking
    ///
    /// Until everything that was queued on the device memory's home stream before the copy, and the copy, is done.
    ///
    /// # Errors
    ///
    /// The failure of something that was queued; what the destination holds is unspecified then. The buffer comes with
    /// the error if the device is done with it for sure, unless it is one of [`to_pinned`](DeviceSlice::to_pinned).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::{DeviceBuf, PinnedBuf};
    /// let mut device = DeviceBuf::<u8>::zeroed(&stream, 3)?;
    /// let numbers = device.copy_from_pinned(PinnedBuf::from_slice(&context, &[1, 2, 3])?)?.wait()?;
    /// assert_eq!(numbers[..], [1, 2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuEventSynchronize")]
    pub fn wait(mut self) -> Result<B, HandoverError<B>> {
        if let (Some(_), Err(error)) = (&self.copy, ensure_not_in_host_function(Symbol::cuEventSynchronize)) {
            return Err(HandoverError::new(error, None));
        }
        let outcome = match self.copy.take() {
            Some(copy) => {
                let (is_over, outcome) = copy.wait();
                self.leave_unless(is_over);
                outcome
            }
            None => Ok(()),
        };
        match (outcome, self.buffer.take()) {
            (Ok(()), Some(buffer)) => Ok(buffer),
            (Err(error), _) if self.is_fresh => Err(HandoverError::new(error, None)),
            (outcome, buffer) => {
                Err(HandoverError::new(outcome.err().unwrap_or_else(Error::context_lost), buffer))
            }
        }
    }

    /// Returns whether the copy is done. Does not wait. Wraps `cuEventQuery`.
    ///
    /// # Errors
    ///
    /// The failure of something that was queued: never taken for "not yet".
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::{DeviceBuf, PinnedBuf};
    /// let device = DeviceBuf::from_host(&stream, &[1, 2, 3])?;
    /// let pending = device.copy_to_pinned(PinnedBuf::zeroed(&context, 3)?)?;
    /// while !pending.is_done()? {
    ///     std::thread::yield_now();
    /// }
    /// assert_eq!(pending.wait()?[..], [1, 2, 3]); // at once
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuEventQuery")]
    pub fn is_done(&self) -> Result<bool> {
        let Some(copy) = &self.copy else { return Ok(true) };
        // Else a capture that this or another thread makes elsewhere would be ended by it.
        past_captures(|| copy.mark.is_done())
    }

    /// Returns the buffer, whether it holds nothing before the copy is done, and the mark behind the copy with its stream.
    pub(super) fn into_parts(mut self) -> (Option<B>, bool, Option<(Event, Stream)>) {
        let copy = self.copy.take().map(|copy| (copy.mark, copy.stream));
        (self.buffer.take(), self.is_fresh, copy)
    }

    /// Leaves the buffer to the device unless the copy is over.
    fn leave_unless(&mut self, is_over: bool) {
        if !is_over {
            let _ = self.buffer.take().map(ManuallyDrop::new);
        }
    }
}

impl Copy {
    /// Waits. Returns whether the copy is over, and the driver's answer. Ends no capture of other code.
    fn wait(&self) -> (bool, Result<()>) {
        let waited = past_captures(|| self.mark.synchronize().map(drop));
        let is_over = match &waited {
            Ok(()) => true,
            // The graph of a capture has the copy.
            Err(error) if is_of_capture(error) => false,
            // That waiting failed does not mean that there is nothing to wait for.
            Err(_) => past_captures(|| self.stream.synchronize()).is_ok(),
        };
        (is_over, waited)
    }
}

impl<B> Drop for PendingCopy<B> {
    fn drop(&mut self) {
        let Some(copy) = self.copy.take() else { return };
        if is_inside() && !is_forked_child() {
            let same = PendingCopy { buffer: self.buffer.take(), is_fresh: self.is_fresh, copy: Some(copy) };
            // SAFETY: the buffer is page-locked memory with its owner, of elements that are copied, so that they have no
            // destructors; it is not bound to a thread.
            unsafe { defer_drop_erased(same) };
            return;
        }
        // In the child of a fork nothing is waited for: what is on its way is its parent's.
        let mut is_over = is_forked_child();
        let waited = if is_over {
            Ok(())
        } else {
            ensure_lives(copy.stream.context(), Symbol::cuEventSynchronize).and_then(|()| {
                let (over, outcome) = copy.wait();
                is_over = over;
                outcome
            })
        };
        self.leave_unless(is_over);
        report(waited);
    }
}

impl<B> fmt::Debug for PendingCopy<B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("PendingCopy");
        if let Some(Copy { mark, stream }) = &self.copy {
            shown.field("mark", mark).field("stream", stream);
        }
        shown.finish_non_exhaustive()
    }
}

/// Has `copy` queue a copy from or to `buffer` on `stream`, by `call`, unless there is nothing to copy.
fn depart<B>(
    stream: &Stream,
    bytes: usize,
    buffer: B,
    call: Symbol,
    copy: impl FnOnce() -> Result<()>,
) -> Result<PendingCopy<B>, HandoverError<B>> {
    if bytes == 0 {
        return Ok(PendingCopy { buffer: Some(buffer), is_fresh: false, copy: None });
    }
    let mark = match prepared(stream, call) {
        Ok(mark) => mark,
        Err(error) => return Err(HandoverError::new(error, Some(buffer))),
    };
    let queued = copy().and_then(|()| mark.record(stream).map(drop));
    let Err(error) = queued else {
        let copy = Some(Copy { mark, stream: stream.clone() });
        return Ok(PendingCopy { buffer: Some(buffer), is_fresh: false, copy });
    };
    // A copy that reports a failure may have been queued all the same: the failure of earlier work.
    if retry_once(|| past_captures(|| stream.synchronize())).is_ok() {
        return Err(HandoverError::new(error, Some(buffer)));
    }
    let _ = ManuallyDrop::new(buffer);
    Err(HandoverError::new(error, None))
}

/// Makes an event for a copy. Fails if the stream is being captured.
fn prepared(stream: &Stream, call: Symbol) -> Result<Event> {
    // The graph would have the buffer for longer than the copy.
    stream.refuse_capture(call)?;
    new_mark(stream)
}

impl<T> DeviceSliceMut<'_, T> {
    /// Overwrites the elements with page-locked memory of the same length, which goes along with the copy. Does not wait.
    /// Wraps `cuMemcpyHtoDAsync`.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) if the lengths differ;
    /// [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing) while the home stream is being captured; or an
    /// earlier failure. The buffer comes back with the error, unless the copy may be under way, which has been waited for
    /// in vain then.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::{DeviceBuf, PinnedBuf};
    /// let mut device = DeviceBuf::<u8>::zeroed(&stream, 4)?;
    /// let first = device.slice_mut(..2)?.copy_from_pinned(PinnedBuf::from_slice(&context, &[1, 2])?)?;
    /// let second = device.slice_mut(2..)?.copy_from_pinned(PinnedBuf::from_slice(&context, &[3, 4])?)?;
    /// assert_eq!(device.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemcpyHtoDAsync")]
    pub fn copy_from_pinned<B>(&mut self, mut buffer: B) -> Result<PendingCopy<B>, HandoverError<B>>
    where
        B: PageLocked<Element = T>,
        T: NoUninit,
    {
        let (host, len) = buffer.locked();
        if let Err(error) = same_length(Symbol::cuMemcpyHtoDAsync_v2, len, self.len()) {
            return Err(HandoverError::new(error, Some(buffer)));
        }
        let (stream, destination, bytes) = (self.stream(), self.ptr().as_raw(), self.size_bytes());
        depart(stream, bytes, buffer, Symbol::cuMemcpyHtoDAsync_v2, || {
            let _bound = stream.context().bind(Symbol::cuMemcpyHtoDAsync_v2)?;
            // SAFETY: the device memory is allocated, of this size, and borrowed mutably now; later work on it is
            // queued behind this. `host` is valid for reads of as many initialised bytes, and is owned by the
            // `PendingCopy`, which gives it back, or lets it go, when the copy is done.
            unsafe { check!(cuMemcpyHtoDAsync_v2(destination, host.as_ptr().cast(), bytes, stream.raw())) }
        })
    }
}

impl<T> DeviceSlice<'_, T> {
    /// Copies the elements to page-locked memory of the same length, which goes along with the copy. Does not wait. Wraps
    /// `cuMemcpyDtoHAsync`.
    ///
    /// # Errors
    ///
    /// Same as [`DeviceSliceMut::copy_from_pinned`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::{DeviceBuf, PinnedBuf};
    /// let device = DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// let last = device.slice(2..)?.copy_to_pinned(PinnedBuf::zeroed(&context, 2)?)?.wait()?;
    /// assert_eq!(last[..], [3, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemcpyDtoHAsync")]
    pub fn copy_to_pinned<B>(&self, mut buffer: B) -> Result<PendingCopy<B>, HandoverError<B>>
    where
        B: PageLocked<Element = T>,
        T: AnyBitPattern,
    {
        let (host, len) = buffer.locked();
        if let Err(error) = same_length(Symbol::cuMemcpyDtoHAsync_v2, self.len(), len) {
            return Err(HandoverError::new(error, Some(buffer)));
        }
        self.copy_to_locked(buffer, host)
    }

    /// Copies the elements to new page-locked memory. Does not wait for the copy. Wraps `cuMemHostAlloc` and
    /// `cuMemcpyDtoHAsync`.
    ///
    /// The memory is not zeroed before.
    ///
    /// # Blocking
    ///
    /// Allocating page-locked memory takes the driver long: see [`PinnedBuf`]. [`to_pinned_in`](DeviceSlice::to_pinned_in)
    /// takes memory of a pool.
    ///
    /// # Errors
    ///
    /// - Same as [`PinnedBuf::zeroed`].
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing) while the home stream is being captured.
    /// - An earlier failure.
    ///
    /// If the copy fails, [`PendingCopy::wait`] gives no buffer back, because it may hold nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// let device = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// let pending = device.slice(1..)?.to_pinned()?;
    /// // ... other work ...
    /// assert_eq!(pending.wait()?[..], [2, 3, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemHostAlloc", "cuMemcpyDtoHAsync"))]
    pub fn to_pinned(&self) -> Result<PendingCopy<PinnedBuf<T>>>
    where
        T: AnyBitPattern,
    {
        self.copy_to_fresh(PinnedBuf::<T>::uninit(self.stream().context(), self.len())?)
    }

    /// Copies the elements to page-locked memory of a pool. Does not wait for the copy. Wraps `cuMemcpyDtoHAsync`.
    ///
    /// # Errors
    ///
    /// Same as [`to_pinned`](DeviceSlice::to_pinned).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::{PinnedFlags, PinnedPool};
    ///
    /// let pool = PinnedPool::new(&context, PinnedFlags::empty());
    /// let device = DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// for _ in 0..3 {
    ///     assert_eq!(device.as_slice().to_pinned_in(&pool)?.wait()?[..], [1, 2, 3, 4]); // the same block
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemHostAlloc", "cuMemcpyDtoHAsync"))]
    pub fn to_pinned_in(&self, pool: &PinnedPool) -> Result<PendingCopy<PinnedBuf<T>>>
    where
        T: AnyBitPattern,
    {
        self.copy_to_fresh(PinnedBuf::<T>::uninit_in(pool, self.len())?)
    }

    /// Copies to memory that holds nothing yet.
    fn copy_to_fresh(&self, buffer: PinnedBuf<MaybeUninit<T>>) -> Result<PendingCopy<PinnedBuf<T>>>
    where
        T: AnyBitPattern,
    {
        let (host, _) = buffer.place();
        // SAFETY: the elements are not read before the copy has written all of them. It is as long as the memory, and every bit
        // pattern is a `T`. A failure drops the buffer, here and in `PendingCopy::wait`.
        let buffer = unsafe { buffer.assume_init() };
        let mut pending = self.copy_to_locked(buffer, host.cast())?;
        pending.is_fresh = true;
        Ok(pending)
    }

    /// Has the elements copied to `buffer`, which is of the same length, and begins at `host`.
    fn copy_to_locked<B>(&self, buffer: B, host: NonNull<T>) -> Result<PendingCopy<B>, HandoverError<B>>
    where
        T: AnyBitPattern,
    {
        let (stream, source, bytes) = (self.stream(), self.ptr().as_raw(), self.size_bytes());
        depart(stream, bytes, buffer, Symbol::cuMemcpyDtoHAsync_v2, || {
            let _bound = stream.context().bind(Symbol::cuMemcpyDtoHAsync_v2)?;
            // SAFETY: the device memory is allocated and of this size; later work on it is queued behind this. `host` is
            // valid for writes of as many bytes, whose every pattern is a `T`, and moves into the `PendingCopy`, which gives
            // it back, or lets it go, when the copy is done.
            unsafe { check!(cuMemcpyDtoHAsync_v2(host.as_ptr().cast(), source, bytes, stream.raw())) }
        })
    }
}

impl<T> DeviceBuf<T> {
    /// Overwrites the buffer with page-locked memory of the same length, which goes along with the copy. Does not wait.
    ///
    /// # Errors
    ///
    /// Same as [`DeviceSliceMut::copy_from_pinned`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::{DeviceBuf, PinnedBuf};
    /// let mut device = DeviceBuf::<u8>::zeroed(&stream, 3)?;
    /// let pending = device.copy_from_pinned(PinnedBuf::from_slice(&context, &[1, 2, 3])?)?;
    /// assert_eq!(device.to_vec()?, [1, 2, 3]); // comes after the copy
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemcpyHtoDAsync")]
    pub fn copy_from_pinned<B>(&mut self, buffer: B) -> Result<PendingCopy<B>, HandoverError<B>>
    where
        B: PageLocked<Element = T>,
        T: NoUninit,
    {
        self.as_slice_mut().copy_from_pinned(buffer)
    }

    /// Copies the buffer to page-locked memory of the same length, which goes along with the copy. Does not wait.
    ///
    /// # Errors
    ///
    /// Same as [`DeviceSliceMut::copy_from_pinned`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::{DeviceBuf, PinnedBuf};
    /// let device = DeviceBuf::from_host(&stream, &[1, 2, 3])?;
    /// let pending = device.copy_to_pinned(PinnedBuf::zeroed(&context, 3)?)?;
    /// drop(device); // freed after the copy
    /// assert_eq!(pending.wait()?[..], [1, 2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemcpyDtoHAsync")]
    pub fn copy_to_pinned<B>(&self, buffer: B) -> Result<PendingCopy<B>, HandoverError<B>>
    where
        B: PageLocked<Element = T>,
        T: AnyBitPattern,
    {
        self.as_slice().copy_to_pinned(buffer)
    }

    /// Copies the buffer to new page-locked memory, which is not zeroed before. Does not wait for the copy.
    ///
    /// # Errors
    ///
    /// Same as [`DeviceSlice::to_pinned`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// let device = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3])?;
    /// assert_eq!(device.to_pinned()?.wait()?[..], [1, 2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemHostAlloc", "cuMemcpyDtoHAsync"))]
    pub fn to_pinned(&self) -> Result<PendingCopy<PinnedBuf<T>>>
    where
        T: AnyBitPattern,
    {
        self.as_slice().to_pinned()
    }
}
