//! Asynchronous copies that own their pinned buffer.

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

/// An asynchronous copy that owns its host buffer.
///
/// While the device may use the buffer, only this value holds it. [`wait`](PendingCopy::wait) returns the buffer, and so does
/// awaiting: see [`PendingFuture`](crate::memory::PendingFuture).
///
/// # Blocking
///
/// Dropping waits for the copy, and then drops the buffer. If waiting fails twice, the device may still be using the buffer, and
/// its memory is never freed. The memory of a forgotten value is never freed either.
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
/// The buffer cannot be read before the copy is done:
///
/// ```compile_fail,E0382
/// # use cuda_rt::{DeviceBuf, PinnedBuf, Result};
/// fn stale(device: &DeviceBuf<u8>, host: PinnedBuf<u8>) -> Result<u8> {
///     let pending = device.copy_to_pinned(host)?;
///     let first = host[0]; // the copy owns it
///     pending.wait()?;
///     Ok(first)
/// }
/// ```
///
/// The buffer cannot be written while the device may still read it:
///
/// ```compile_fail,E0382
/// # use cuda_rt::{DeviceBuf, PinnedBuf, Result};
/// fn late(device: &mut DeviceBuf<u8>, mut host: PinnedBuf<u8>) -> Result<()> {
///     let pending = device.copy_from_pinned(host)?;
///     host[0] = 9; // the copy owns it
///     pending.wait()?;
///     Ok(())
/// }
/// ```
#[must_use = "dropping it waits for the copy"]
pub struct PendingCopy<B> {
    /// `None` if the buffer was returned, or is left to the device.
    buffer: Option<B>,
    /// True if the buffer is uninitialised before the copy is done. Then a failed copy does not return the buffer.
    is_fresh: bool,
    /// `None` if there was nothing to copy, or if the copy is over.
    copy: Option<Copy>,
}

/// A pending copy and its buffer.
struct Copy {
    /// Recorded after the copy.
    mark: Event,
    /// The stream of the copy.
    stream: Stream,
}

impl<B> PendingCopy<B> {
    /// Waits for the copy, and returns the buffer. Wraps `cuEventSynchronize`.
    ///
    /// # Blocking
    ///
    /// Until the copy is done, and the work that was queued before it on the home stream of the device memory.
    ///
    /// # Errors
    ///
    /// The failure of queued work. The content of the destination is unspecified then.
    ///
    /// If the device is certainly done with the buffer, the buffer comes with the error. A buffer of
    /// [`to_pinned`](DeviceSlice::to_pinned) or [`to_pinned_in`](DeviceSlice::to_pinned_in) does not.
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
    /// The failure of queued work: the result is never `false` instead.
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
        // Otherwise a capture that this or another thread makes elsewhere would be invalidated.
        past_captures(|| copy.mark.is_done())
    }

    /// Returns the buffer, whether it is uninitialised before the copy is done, and the event after the copy with its stream.
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
    /// Waits. Returns whether the copy is over, and the driver's answer. Invalidates no capture of other code.
    fn wait(&self) -> (bool, Result<()>) {
        let waited = past_captures(|| self.mark.synchronize().map(drop));
        let is_over = match &waited {
            Ok(()) => true,
            // The graph of a capture owns the copy.
            Err(error) if is_of_capture(error) => false,
            // A failed wait does not mean that the copy is over.
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
        // A child of a fork waits for nothing: copies under way are the parent's.
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

/// Queues `copy` from or to `buffer` on `stream`, by `call`, unless there is nothing to copy.
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
    // A copy that reports a failure may be queued nevertheless: the failure may be of earlier work.
    if retry_once(|| past_captures(|| stream.synchronize())).is_ok() {
        return Err(HandoverError::new(error, Some(buffer)));
    }
    let _ = ManuallyDrop::new(buffer);
    Err(HandoverError::new(error, None))
}

/// Creates an event for a copy. Fails if the stream is being captured.
fn prepared(stream: &Stream, call: Symbol) -> Result<Event> {
    // The graph would use the buffer for longer than the copy.
    stream.refuse_capture(call)?;
    new_mark(stream)
}

impl<T> DeviceSliceMut<'_, T> {
    /// Overwrites the elements with page-locked memory of the same length. The copy owns the buffer. Does not wait. Wraps
    /// `cuMemcpyHtoDAsync`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the lengths differ.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the home stream is being captured.
    /// - An earlier failure.
    ///
    /// The error holds the buffer, unless the copy may be under way and waiting for it failed.
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
            let _bound = stream.context().bind_inline(Symbol::cuMemcpyHtoDAsync_v2)?;
            // SAFETY: the device memory is allocated, of this size, and borrowed mutably now; later work on it is queued after
            // the copy. `host` is valid for reads of as many initialised bytes. The `PendingCopy` owns it, and returns or drops
            // it when the copy is done.
            unsafe {
                inline_check!(cuMemcpyHtoDAsync_v2(destination, host.as_ptr().cast(), bytes, stream.raw()))
            }
        })
    }
}

impl<T> DeviceSlice<'_, T> {
    /// Copies the elements to page-locked memory of the same length. The copy owns the buffer. Does not wait. Wraps
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
    /// The memory is not zeroed first.
    ///
    /// # Blocking
    ///
    /// Allocating page-locked memory takes long: see [`PinnedBuf`]. [`to_pinned_in`](DeviceSlice::to_pinned_in) takes memory of a
    /// pool.
    ///
    /// # Errors
    ///
    /// - Same as [`PinnedBuf::zeroed`].
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the home stream is being captured.
    /// - An earlier failure.
    ///
    /// If the copy fails, [`PendingCopy::wait`] returns no buffer, because it may be uninitialised.
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

    /// Copies the elements to page-locked memory of a pool. Does not wait for the copy. Wraps `cuMemcpyDtoHAsync`, and
    /// `cuMemHostAlloc` if the pool has no free block of the size.
    ///
    /// # Blocking
    ///
    /// If the pool has no free block of the size, same as [`to_pinned`](DeviceSlice::to_pinned).
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`](crate::error::Code::InvalidValue): the pool has unknown flags.
    /// - Same as [`to_pinned`](DeviceSlice::to_pinned).
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

    /// Copies the elements to uninitialised memory.
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

    /// Copies the elements to `buffer`, which has the same length and begins at `host`.
    fn copy_to_locked<B>(&self, buffer: B, host: NonNull<T>) -> Result<PendingCopy<B>, HandoverError<B>>
    where
        T: AnyBitPattern,
    {
        let (stream, source, bytes) = (self.stream(), self.ptr().as_raw(), self.size_bytes());
        depart(stream, bytes, buffer, Symbol::cuMemcpyDtoHAsync_v2, || {
            let _bound = stream.context().bind_inline(Symbol::cuMemcpyDtoHAsync_v2)?;
            // SAFETY: the device memory is allocated and of this size; later work on it is queued after the copy. `host` is valid
            // for writes of as many bytes, whose every pattern is a `T`. The `PendingCopy` owns it, and returns or drops it when
            // the copy is done.
            unsafe { inline_check!(cuMemcpyDtoHAsync_v2(host.as_ptr().cast(), source, bytes, stream.raw())) }
        })
    }
}

impl<T> DeviceBuf<T> {
    /// Overwrites the buffer with page-locked memory of the same length. The copy owns that memory. Does not wait.
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

    /// Copies the buffer to page-locked memory of the same length. The copy owns that memory. Does not wait.
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

    /// Copies the buffer to new page-locked memory, which is not zeroed first. Does not wait for the copy.
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

    /// Copies the elements to pinned memory of a pool. Does not wait for the copy. Wraps `cuMemcpyDtoHAsync`.
    ///
    /// # Errors
    ///
    /// Same as [`DeviceSlice::to_pinned_in`].
    #[doc(alias("cuMemHostAlloc", "cuMemcpyDtoHAsync"))]
    pub fn to_pinned_in(&self, pool: &PinnedPool) -> Result<PendingCopy<PinnedBuf<T>>>
    where
        T: AnyBitPattern,
    {
        self.as_slice().to_pinned_in(pool)
    }
}
