//! Asynchronous copies between device memory and borrowed host memory.

#![allow(unsafe_code)]

use super::copy::same_length;
use super::view::{DeviceSlice, DeviceSliceMut};
use crate::error::Result;
use bytemuck::{AnyBitPattern, NoUninit};
use cuda_sys::Symbol;

impl<T> DeviceSliceMut<'_, T> {
    /// Overwrites the elements with host memory of the same length, at some later time. Does not wait if the host memory is
    /// page-locked. Wraps `cuMemcpyHtoDAsync`.
    ///
    /// [`copy_from_pinned`](DeviceSliceMut::copy_from_pinned) and [`Stream::scope`](crate::Stream::scope) are safe alternatives.
    /// On a captured stream, the copy becomes part of the graph.
    ///
    /// # Blocking
    ///
    /// If the host memory is pageable, perhaps until all work queued on the home stream is done, including the copy.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the lengths differ.
    /// - An earlier failure. The copy may have been queued nevertheless.
    ///
    /// # Safety
    ///
    /// Until the copy is done, even if this function returns an error:
    ///
    /// - The host elements stay where they are: they are not freed, and page-locked memory stays page-locked.
    /// - No code writes to them.
    ///
    /// The copy is done when a wait for the home stream ([`Stream::synchronize`](crate::Stream::synchronize)), or for
    /// an event that was recorded there later, has returned without an error. If the copy was captured, the conditions
    /// hold as long as the graph is used. The device memory must then stay allocated as long as the
    /// graph is used, too.
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
        let _bound = stream.context().bind_inline(Symbol::cuMemcpyHtoDAsync_v2)?;
        // SAFETY: the device memory is allocated, of this size, and borrowed mutably now; later work on it is queued behind this
        // copy. `host` is valid for reads of that number of initialised bytes, which the caller keeps until the copy is done.
        unsafe { inline_check!(cuMemcpyHtoDAsync_v2(destination, host.cast(), bytes, stream.raw())) }
    }
}

impl<T> DeviceSlice<'_, T> {
    /// Copies the elements to host memory of the same length, at some later time. Does not wait if the host memory is
    /// page-locked. Wraps `cuMemcpyDtoHAsync`.
    ///
    /// [`copy_to_pinned`](DeviceSlice::copy_to_pinned) and [`Stream::scope`](crate::Stream::scope) are safe alternatives. On a
    /// captured stream, the copy becomes part of the graph.
    ///
    /// # Blocking
    ///
    /// If the host memory is pageable, perhaps until all work queued on the home stream is done, including the copy.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the lengths differ.
    /// - An earlier failure. The copy may have been queued nevertheless.
    ///
    /// # Safety
    ///
    /// Until the copy is done, even if this function returns an error:
    ///
    /// - The host elements stay where they are: they are not freed, and page-locked memory stays page-locked.
    /// - No code reads them or writes to them.
    ///
    /// The copy is done when a wait for the home stream ([`Stream::synchronize`](crate::Stream::synchronize)), or for
    /// an event that was recorded there later, has returned without an error. If the copy was captured, the conditions
    /// hold as long as the graph is used. The device memory must then stay allocated as long as the
    /// graph is used, too.
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
        let _bound = stream.context().bind_inline(Symbol::cuMemcpyDtoHAsync_v2)?;
        // SAFETY: the device memory is allocated and of this size; later work on it is queued behind this copy. `host` is valid
        // for writes of that number of bytes, any bytes are a `T`, and the caller does not access `host` until the copy is done.
        unsafe { inline_check!(cuMemcpyDtoHAsync_v2(host.cast(), source, bytes, stream.raw())) }
    }
}
