//! Copies with borrowed host memory that nobody waits for.

#![allow(unsafe_code)]

use super::copy::same_length;
use super::view::{DeviceSlice, DeviceSliceMut};
use crate::error::Result;
use bytemuck::{AnyBitPattern, NoUninit};
use cuda_sys::Symbol;

impl<T> DeviceSliceMut<'_, T> {
    /// Overwrites the elements with host memory of the same length, some time later. Does not wait, if the memory is
    /// page-locked. Wraps `cuMemcpyHtoDAsync`.
    ///
    /// [`copy_from_pinned`](DeviceSliceMut::copy_from_pinned) and [`Stream::scope`](crate::Stream::scope) do the same
    /// safely. On a stream that is being captured, the copy becomes a part of the graph.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) if the lengths differ.
    /// - An earlier failure; the copy may have been queued nevertheless.
    ///
    /// # Safety
    ///
    /// Until the copy is done, also if this returns an error:
    ///
    /// - the elements stay where they are: they are not freed, and page-locked memory stays so;
    /// - nobody writes to them.
    ///
    /// It is done when [`Stream::synchronize`](crate::Stream::synchronize) on the home stream, or an event that was
    /// recorded there later, has been waited for without an error. If it was captured, this holds for every launch of
    /// the graph.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::{DeviceBuf, PinnedBuf};
    /// let numbers = PinnedBuf::from_slice(&context, &[1, 2, 3])?;
    /// let mut device = DeviceBuf::zeroed(&stream, 3)?;
    /// // SAFETY: `numbers` is not touched before the stream is waited for, and if that fails, it is forgotten.
    /// let copied = unsafe { device.as_slice_mut().copy_from_host_unchecked(&numbers) };
    /// if let Err(error) = copied.and(stream.synchronize()) {
    ///     std::mem::forget(numbers);
    ///     return Err(error);
    /// }
    /// assert_eq!(device.to_vec()?, numbers[..]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemcpyHtoDAsync")]
    pub unsafe fn copy_from_host_unchecked(&mut self, elements: &[T]) -> Result<()>
    where
        T: NoUninit,
    {
        same_length(Symbol::cuMemcpyHtoDAsync_v2, elements.len(), self.len())?;
        let (stream, host) = (self.stream(), elements.as_ptr());
        let (destination, bytes) = (self.ptr().as_raw(), self.size_bytes());
        if bytes == 0 {
            return Ok(());
        }
        let _bound = stream.context().bind(Symbol::cuMemcpyHtoDAsync_v2)?;
        // SAFETY: the device memory is allocated, of this size, and borrowed mutably now; later work on it is queued behind
        // this. `host` is valid for reads of as many initialised bytes, which the caller keeps until the copy is done.
        unsafe { check!(cuMemcpyHtoDAsync_v2(destination, host.cast(), bytes, stream.raw())) }
    }
}

impl<T> DeviceSlice<'_, T> {
    /// Copies the elements to host memory of the same length, some time later. Does not wait, if the memory is
    /// page-locked. Wraps `cuMemcpyDtoHAsync`.
    ///
    /// [`copy_to_pinned`](DeviceSlice::copy_to_pinned) and [`Stream::scope`](crate::Stream::scope) do the same safely.
    /// On a stream that is being captured, the copy becomes a part of the graph.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) if the lengths differ.
    /// - An earlier failure; the copy may have been queued nevertheless.
    ///
    /// # Safety
    ///
    /// Until the copy is done, also if this returns an error:
    ///
    /// - the elements stay where they are: they are not freed, and page-locked memory stays so;
    /// - nobody reads them, nor writes to them.
    ///
    /// It is done when [`Stream::synchronize`](crate::Stream::synchronize) on the home stream, or an event that was
    /// recorded there later, has been waited for without an error. If it was captured, this holds for every launch of
    /// the graph.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::{DeviceBuf, PinnedBuf};
    /// let device = DeviceBuf::from_host(&stream, &[1, 2, 3])?;
    /// let mut numbers = PinnedBuf::<i32>::zeroed(&context, 3)?;
    /// // SAFETY: `numbers` is not touched before the stream is waited for, and if that fails, it is forgotten.
    /// let copied = unsafe { device.as_slice().copy_to_host_unchecked(&mut numbers) };
    /// if let Err(error) = copied.and(stream.synchronize()) {
    ///     std::mem::forget(numbers);
    ///     return Err(error);
    /// }
    /// assert_eq!(numbers[..], [1, 2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemcpyDtoHAsync")]
    pub unsafe fn copy_to_host_unchecked(&self, elements: &mut [T]) -> Result<()>
    where
        T: AnyBitPattern,
    {
        same_length(Symbol::cuMemcpyDtoHAsync_v2, self.len(), elements.len())?;
        let (stream, host) = (self.stream(), elements.as_mut_ptr());
        let (source, bytes) = (self.ptr().as_raw(), self.size_bytes());
        if bytes == 0 {
            return Ok(());
        }
        let _bound = stream.context().bind(Symbol::cuMemcpyDtoHAsync_v2)?;
        // SAFETY: the device memory is allocated and of this size; later work on it is queued behind this. `host` is valid
        // for writes of as many bytes, every pattern of which is a `T`, and the caller leaves it alone until the copy is done.
        unsafe { check!(cuMemcpyDtoHAsync_v2(host.cast(), source, bytes, stream.raw())) }
    }
}
