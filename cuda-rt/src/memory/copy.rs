//! Copies and fills. They run on the destination's or the source's home stream.

#![allow(unsafe_code)]

use super::host_transfer::{copy_with_host_memory, wait_for_copy};
use super::loan::host_range;
use super::view::{DeviceSlice, DeviceSliceMut};
use crate::error::{Error, Result};
use crate::event::{Event, EventFlags};
use crate::peer::CopyTicket;
use crate::stream::Stream;
use bytemuck::{AnyBitPattern, NoUninit, Zeroable};
use core::ffi::c_void;
use cuda_sys::{CUdeviceptr, Symbol};

impl<T> DeviceSlice<'_, T> {
    /// Copies the elements to host memory of the same length. Wraps `cuMemcpyDtoHAsync`.
    ///
    /// # Blocking
    ///
    /// Until all work queued on the home stream is done, including the copy. If another thread is unregistering the host memory,
    /// the call first waits for that.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the lengths differ.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the home stream is being captured.
    /// - The failure of queued work. Then the content of the host memory is unspecified.
    ///
    /// Failing twice [aborts](super#blocking-calls).
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # use cuda_rt::{DeviceBuf, Stream};
    /// let buffer = DeviceBuf::from_host(&Stream::new(&context)?, &[1, 2, 3])?;
    /// let mut last = [0; 2];
    /// buffer.slice(1..)?.copy_to_host(&mut last)?;
    /// assert_eq!(last, [2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemcpyDtoH", "cuMemcpyDtoHAsync"))]
    pub fn copy_to_host(&self, elements: &mut [T]) -> Result<()>
    where
        T: AnyBitPattern,
    {
        same_length(Symbol::cuMemcpyDtoHAsync_v2, self.len(), elements.len())?;
        // SAFETY: `elements` is as long as this slice, and borrowed mutably until this function returns.
        unsafe { self.copy_to(elements.as_mut_ptr()) }
    }

    /// Copies the elements to `host`, and waits for the copy.
    ///
    /// # Safety
    ///
    /// `host` is valid for writes of as many elements, and nothing else touches them meanwhile.
    unsafe fn copy_to(&self, host: *mut T) -> Result<()>
    where
        T: AnyBitPattern,
    {
        // SAFETY: the device memory is allocated and of this size; every bit pattern is a `T`; the rest is the caller's promise.
        unsafe { copy_to_host(self.stream(), host.cast(), self.ptr().as_raw(), self.size_bytes()) }
    }

    /// Returns a copy of the elements in host memory.
    ///
    /// # Blocking
    ///
    /// Until all work queued on the home stream is done, including the copy.
    ///
    /// # Errors
    ///
    /// - [`OutOfHostMemory`](crate::error::ErrorKind::OutOfHostMemory).
    /// - Same as [`DeviceSlice::copy_to_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// assert_eq!(buffer.slice(..2)?.to_vec()?, [1, 2]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemcpyDtoH", "cuMemcpyDtoHAsync"))]
    pub fn to_vec(&self) -> Result<Vec<T>>
    where
        T: AnyBitPattern,
    {
        let mut elements = Vec::new();
        let bytes = self.size_bytes();
        elements.try_reserve_exact(self.len()).map_err(|_| Error::host_memory(bytes))?;
        // SAFETY: there is room for as many elements, and the vector is this function's.
        unsafe { self.copy_to(elements.as_mut_ptr()) }?;
        // SAFETY: the copy has written all of them, or they are of no size; every bit pattern is a `T`.
        unsafe { elements.set_len(self.len()) };
        Ok(elements)
    }
}

impl<T> DeviceSliceMut<'_, T> {
    /// Overwrites the elements with host memory of the same length. Wraps `cuMemcpyHtoDAsync`.
    ///
    /// # Blocking
    ///
    /// Until all work queued on the home stream is done, including the copy. If another thread is unregistering the host memory,
    /// the call first waits for that.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the lengths differ.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the home stream is being captured.
    /// - The failure of queued work. Then the content of the device memory is unspecified.
    ///
    /// Failing twice [aborts](super#blocking-calls).
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # use cuda_rt::{DeviceBuf, Stream};
    /// let mut buffer = DeviceBuf::<u16>::zeroed(&Stream::new(&context)?, 3)?;
    /// buffer.slice_mut(..2)?.copy_from_host(&[7, 8])?;
    /// assert_eq!(buffer.to_vec()?, [7, 8, 0]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemcpyHtoD", "cuMemcpyHtoDAsync"))]
    pub fn copy_from_host(&mut self, elements: &[T]) -> Result<()>
    where
        T: NoUninit,
    {
        same_length(Symbol::cuMemcpyHtoDAsync_v2, elements.len(), self.len())?;
        let host = elements.as_ptr().cast();
        // SAFETY: the device memory is allocated, of this size, and borrowed mutably; `host` is borrowed, and valid for reads of
        // as many initialised bytes.
        unsafe { copy_from_host(self.stream(), self.ptr().as_raw(), host, self.size_bytes()) }
    }

    /// Overwrites the elements with elements of the same or another device. Does not wait: the two home streams wait for each
    /// other instead. Wraps `cuMemcpyDtoDAsync`, and `cuMemcpyPeerAsync` between contexts.
    ///
    /// A copy between devices needs no [peer access](crate::peer), and uses it if it is enabled. A call that disables peer access
    /// waits for the copy. A copy that begins during such a call waits for the call.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the lengths differ.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): a home stream is being captured. The graph would not keep
    ///   the memory alive.
    /// - An earlier failure.
    ///
    /// Failing twice [aborts](super#blocking-calls).
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # use cuda_rt::{DeviceBuf, Stream};
    /// let source = DeviceBuf::from_host(&Stream::new(&context)?, &[1, 2, 3])?;
    /// let mut copy = DeviceBuf::<i32>::zeroed(&Stream::new(&context)?, 3)?;
    /// copy.as_slice_mut().copy_from_device(source.as_slice())?;
    /// drop(source);
    /// assert_eq!(copy.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemcpyDtoD", "cuMemcpyDtoDAsync", "cuMemcpyPeer", "cuMemcpyPeerAsync"))]
    pub fn copy_from_device(&mut self, source: DeviceSlice<'_, T>) -> Result<()>
    where
        T: Copy,
    {
        same_length(Symbol::cuMemcpyDtoDAsync_v2, source.len(), self.len())?;
        // SAFETY: both ranges are allocated on the stream that is named with them, and of this size; the destination is borrowed
        // mutably, so they do not overlap.
        unsafe {
            copy_on_devices(
                self.stream(),
                self.ptr().as_raw(),
                source.stream(),
                source.ptr().as_raw(),
                self.size_bytes(),
            )
        }
    }

    /// Sets all bytes to 0. Does not wait. Wraps `cuMemsetD8Async`.
    ///
    /// # Errors
    ///
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the home stream is being captured. The graph would not
    ///   keep the memory alive.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # use cuda_rt::{DeviceBuf, Stream};
    /// let mut buffer = DeviceBuf::from_host(&Stream::new(&context)?, &[1.5, 2.5])?;
    /// buffer.slice_mut(1..)?.fill_zero()?;
    /// assert_eq!(buffer.to_vec()?, [1.5, 0.0]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemsetD8", "cuMemsetD8Async"))]
    pub fn fill_zero(&mut self) -> Result<()>
    where
        T: Zeroable,
    {
        if self.size_bytes() == 0 {
            return Ok(());
        }
        let stream = self.stream();
        // A graph of other code would use the address without keeping the memory alive.
        stream.refuse_capture(Symbol::cuMemsetD8Async)?;
        let _bound = stream.context().bind_inline(Symbol::cuMemsetD8Async)?;
        let (address, bytes) = (self.ptr().as_raw(), self.size_bytes());
        // SAFETY: the range is allocated, of this size, and borrowed mutably; zero is a valid `T`.
        unsafe { inline_check!(cuMemsetD8Async(address, 0, bytes, stream.raw())) }
    }
}

/// Copies `bytes` bytes at `source` to `host`, and waits for the copy.
///
/// # Safety
///
/// The device memory is allocated on `stream` and of this size. `host` is valid for writes of as many bytes, and nothing else
/// touches them before this returns.
unsafe fn copy_to_host(stream: &Stream, host: *mut c_void, source: CUdeviceptr, bytes: usize) -> Result<()> {
    if bytes == 0 {
        return Ok(());
    }
    copy_with_host_memory(stream, host_range(host, bytes), Symbol::cuMemcpyDtoHAsync_v2, || {
        // SAFETY: the caller's promise; `copy_with_host_memory` keeps the host memory until the copy is done.
        unsafe { inline_check!(cuMemcpyDtoHAsync_v2(host, source, bytes, stream.raw())) }
    })
}

/// Copies `bytes` bytes at `host` to `destination`, and waits for the copy.
///
/// # Safety
///
/// The device memory is allocated on `stream` and of this size, and nothing else uses it. `host` is valid for reads of as many
/// initialised bytes, and nothing writes to them before this returns.
unsafe fn copy_from_host(
    stream: &Stream,
    destination: CUdeviceptr,
    host: *const c_void,
    bytes: usize,
) -> Result<()> {
    if bytes == 0 {
        return Ok(());
    }
    copy_with_host_memory(stream, host_range(host, bytes), Symbol::cuMemcpyHtoDAsync_v2, || {
        // SAFETY: the caller's promise; `copy_with_host_memory` keeps the host memory until the copy is done.
        unsafe { inline_check!(cuMemcpyHtoDAsync_v2(destination, host, bytes, stream.raw())) }
    })
}

/// Enqueues a copy of `bytes` bytes at `source`, memory of the stream `other`, to `destination`, memory of the stream `home`.
///
/// # Safety
///
/// Both ranges are allocated on their streams and of this size. They do not overlap, and nothing else uses the destination.
unsafe fn copy_on_devices(
    home: &Stream,
    destination: CUdeviceptr,
    other: &Stream,
    source: CUdeviceptr,
    bytes: usize,
) -> Result<()> {
    if bytes == 0 {
        return Ok(());
    }
    if home != other {
        // SAFETY: the caller's promise.
        return unsafe { copy_between_streams(home, destination, other, source, bytes) };
    }
    // A graph of other code would use the addresses without keeping the memory alive.
    home.refuse_capture(Symbol::cuMemcpyDtoDAsync_v2)?;
    let _bound = home.context().bind_inline(Symbol::cuMemcpyDtoDAsync_v2)?;
    // SAFETY: the caller's promise; both ranges live on this stream.
    unsafe { inline_check!(cuMemcpyDtoDAsync_v2(destination, source, bytes, home.raw())) }
}

/// Queues the copy of [`copy_on_devices`] between two different streams.
///
/// # Safety
///
/// Same as for [`copy_on_devices`].
#[inline(never)]
unsafe fn copy_between_streams(
    home: &Stream,
    destination: CUdeviceptr,
    other: &Stream,
    source: CUdeviceptr,
    bytes: usize,
) -> Result<()> {
    let (to, from) = (home.context(), other.context());
    let is_peer = to != from;
    let call = if is_peer { Symbol::cuMemcpyPeerAsync } else { Symbol::cuMemcpyDtoDAsync_v2 };
    between_streams(home, other, call, &|| {
        let _bound = to.bind_inline(call)?;
        let (to, from, stream) = (to.as_raw(), from.as_raw(), home.raw());
        if is_peer {
            // SAFETY: the caller's promise; each range is in the context that is named with it, and ordered with this stream.
            unsafe { inline_check!(cuMemcpyPeerAsync(destination, to, source, from, bytes, stream)) }
        } else {
            // SAFETY: the caller's promise; both ranges are ordered with this stream.
            unsafe { inline_check!(cuMemcpyDtoDAsync_v2(destination, source, bytes, stream)) }
        }
    })
}

/// Refuses `call` for slices of different lengths.
#[inline]
pub(super) fn same_length(call: Symbol, source_len: usize, destination_len: usize) -> Result<()> {
    if source_len == destination_len {
        Ok(())
    } else {
        Err(Error::length_mismatch_for(call, source_len, destination_len))
    }
}

/// Runs `copy`, which queues work on `home` by `call`. The work uses memory of another stream, `other`. It runs after the work
/// that is already queued on `other`, and before later work on `other`.
pub(super) fn between_streams(
    home: &Stream,
    other: &Stream,
    call: Symbol,
    copy: &dyn Fn() -> Result<()>,
) -> Result<()> {
    home.refuse_capture(call)?;
    other.refuse_capture(call)?;
    // Before: the work that is queued on the other stream.
    new_mark(other)?.record(other).and_then(|reached| home.wait_event(reached))?;
    let copied_mark = new_mark(home)?;
    // Between devices the copy may use peer access, which must not be disabled meanwhile.
    let departure = CopyTicket::new(home.context(), other.context());
    // A copy that reports a failure may be queued nevertheless: the failure may be of earlier work.
    let copied = copy();
    // After: the memory of the other stream may be freed at once.
    let ordered = copied_mark.record(home).and_then(|reached| other.wait_event(reached));
    match &ordered {
        Ok(()) => departure.until(copied_mark),
        Err(failure) => wait_for_copy(home, "ordering a copy between two streams", failure),
    }
    copied.and(ordered)
}

/// Creates an event that orders two streams.
pub(super) fn new_mark(stream: &Stream) -> Result<Event> {
    Event::with_flags(stream.context(), EventFlags::DISABLE_TIMING)
}
