//! Parts of buffers, borrowed.

use super::pointer::DevicePtr;
use crate::error::{Error, Result};
use crate::handle::KeepSlot;
use crate::stream::Stream;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Bound, Range, RangeBounds};
use cuda_sys::CUdeviceptr;

/// Elements of a [`DeviceBuf`](crate::DeviceBuf) or of other device memory, to read.
///
/// ```
/// # let context = cuda_doc::context()?;
/// # use cuda_rt::{DeviceBuf, Stream};
/// let buffer = DeviceBuf::from_host(&Stream::new(&context)?, &[1, 2, 3, 4])?;
/// let (left, right) = buffer.as_slice().split_at(1)?;
/// assert_eq!((left.to_vec()?, right.to_vec()?), (vec![1], vec![2, 3, 4]));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub struct DeviceSlice<'buffer, T> {
    address: CUdeviceptr,
    len: usize,
    stream: &'buffer Stream,
    /// The slot by which graphs keep the memory. `None` if its owner is not known, or does not let graphs keep it.
    keep: Option<&'buffer KeepSlot>,
    _elements: PhantomData<&'buffer T>,
}

/// Elements of a [`DeviceBuf`](crate::DeviceBuf) or of other device memory, for writing. No other code can access them
/// meanwhile.
///
/// ```
/// # let context = cuda_doc::context()?;
/// # use cuda_rt::{DeviceBuf, Stream};
/// let mut buffer = DeviceBuf::<u8>::zeroed(&Stream::new(&context)?, 4)?;
/// let (mut left, mut right) = buffer.as_slice_mut().split_at(2)?;
/// left.copy_from_host(&[1, 2])?;
/// right.copy_from_host(&[3, 4])?;
/// assert_eq!(buffer.to_vec()?, [1, 2, 3, 4]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// ```compile_fail
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0).unwrap()).unwrap();
/// # use cuda_rt::{DeviceBuf, Stream};
/// # let mut buffer = DeviceBuf::<u8>::zeroed(&Stream::new(&context).unwrap(), 4).unwrap();
/// let view = buffer.slice_mut(..2).unwrap();
/// let other = buffer.slice(..2).unwrap(); // the same elements
/// drop(view);
/// ```
///
/// ```compile_fail
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0).unwrap()).unwrap();
/// # use cuda_rt::{DeviceBuf, Stream};
/// # let buffer = DeviceBuf::<u8>::zeroed(&Stream::new(&context).unwrap(), 4).unwrap();
/// let view = buffer.slice(..2).unwrap();
/// drop(buffer); // frees the memory under the view
/// view.to_vec();
/// ```
pub struct DeviceSliceMut<'buffer, T> {
    address: CUdeviceptr,
    len: usize,
    stream: &'buffer Stream,
    /// The slot by which graphs keep the memory. `None` if its owner is not known, or does not let graphs keep it.
    keep: Option<&'buffer KeepSlot>,
    _elements: PhantomData<&'buffer mut T>,
}

impl<'buffer, T> DeviceSlice<'buffer, T> {
    /// Makes a view of memory that is allocated, lives on `stream`, and is only read during `'buffer`.
    pub(super) fn new(
        address: CUdeviceptr,
        len: usize,
        stream: &'buffer Stream,
        keep: Option<&'buffer KeepSlot>,
    ) -> Self {
        Self { address, len, stream, keep, _elements: PhantomData }
    }

    /// Returns the place by which graphs keep the memory.
    pub(crate) fn keep_slot(&self) -> Option<&'buffer KeepSlot> {
        self.keep
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the size in bytes.
    pub fn size_bytes(&self) -> usize {
        self.len * size_of::<T>()
    }

    /// Returns the home stream.
    pub fn stream(&self) -> &'buffer Stream {
        self.stream
    }

    /// Returns the address of the first element, for kernels.
    pub fn ptr(&self) -> DevicePtr<T> {
        DevicePtr::from_raw(self.address)
    }

    /// Returns the elements of a range.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range is not inside the slice.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// let tail = buffer.slice(1..)?;
    /// assert_eq!(tail.slice(..2)?.to_vec()?, [2, 3]);
    /// assert!(tail.slice(..4).is_err());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<DeviceSlice<'buffer, T>> {
        let range = inside(range, self.len)?;
        Ok(Self::new(self.ptr().add(range.start).as_raw(), range.len(), self.stream, self.keep))
    }

    /// Returns the elements before `middle`, and those from it on.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): `middle` is beyond the end.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// let (left, right) = buffer.as_slice().split_at(3)?;
    /// assert_eq!(left.to_vec()?, [1, 2, 3]);
    /// assert_eq!(right.to_vec()?, [4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn split_at(&self, middle: usize) -> Result<(DeviceSlice<'buffer, T>, DeviceSlice<'buffer, T>)> {
        Ok((self.slice(..middle)?, self.slice(middle..)?))
    }
}

impl<'buffer, T> DeviceSliceMut<'buffer, T> {
    /// Makes a view of memory that is allocated, lives on `stream`, and is this view's alone during `'buffer`.
    pub(super) fn new(
        address: CUdeviceptr,
        len: usize,
        stream: &'buffer Stream,
        keep: Option<&'buffer KeepSlot>,
    ) -> Self {
        Self { address, len, stream, keep, _elements: PhantomData }
    }

    /// Returns the place by which graphs keep the memory.
    pub(crate) fn keep_slot(&self) -> Option<&'buffer KeepSlot> {
        self.keep
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the size in bytes.
    pub fn size_bytes(&self) -> usize {
        self.len * size_of::<T>()
    }

    /// Returns the home stream.
    pub fn stream(&self) -> &'buffer Stream {
        self.stream
    }

    /// Returns the address of the first element, for kernels.
    pub fn ptr(&self) -> DevicePtr<T> {
        DevicePtr::from_raw(self.address)
    }

    /// Borrows the same elements, to read.
    pub fn as_slice(&self) -> DeviceSlice<'_, T> {
        DeviceSlice::new(self.address, self.len, self.stream, self.keep)
    }

    /// Borrows the same elements, for a shorter time.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let mut buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// let mut view = buffer.as_slice_mut();
    /// let (mut left, _) = view.reborrow().split_at(2)?;
    /// left.fill_zero()?;
    /// view.copy_from_host(&[5, 6, 7, 8])?; // the whole is still at hand
    /// # assert_eq!(buffer.to_vec()?, [5, 6, 7, 8]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn reborrow(&mut self) -> DeviceSliceMut<'_, T> {
        DeviceSliceMut::new(self.address, self.len, self.stream, self.keep)
    }

    /// Returns the elements of a range, for a shorter time.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range is not inside the slice.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let mut buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// let mut view = buffer.as_slice_mut();
    /// view.slice_mut(..1)?.copy_from_host(&[10])?;
    /// view.slice_mut(3..)?.copy_from_host(&[40])?;
    /// assert_eq!(buffer.to_vec()?, [10, 2, 3, 40]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> Result<DeviceSliceMut<'_, T>> {
        self.reborrow().into_slice(range)
    }

    /// Returns the elements of a range, for as long as this slice could be held.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range is not inside the slice.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::{DeviceBuf, DeviceSliceMut, Result};
    ///
    /// fn row(matrix: &mut DeviceBuf<f32>, index: usize, width: usize) -> Result<DeviceSliceMut<'_, f32>> {
    ///     matrix.as_slice_mut().into_slice(index * width..(index + 1) * width)
    /// }
    ///
    /// let mut matrix = DeviceBuf::from_host(&stream, &[1.0, 2.0, 3.0, 4.0])?;
    /// row(&mut matrix, 1, 2)?.fill_zero()?;
    /// assert_eq!(matrix.to_vec()?, [1.0, 2.0, 0.0, 0.0]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn into_slice(self, range: impl RangeBounds<usize>) -> Result<DeviceSliceMut<'buffer, T>> {
        let range = inside(range, self.len)?;
        Ok(Self::new(self.ptr().add(range.start).as_raw(), range.len(), self.stream, self.keep))
    }

    /// Returns the elements before `middle`, and those from it on. Take
    /// [`reborrow`](DeviceSliceMut::reborrow) first to keep the whole.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): `middle` is beyond the end.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let mut buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// let (mut left, right) = buffer.as_slice_mut().split_at(2)?;
    /// left.copy_from_device(right.as_slice())?;
    /// assert_eq!(buffer.to_vec()?, [3, 4, 3, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn split_at(self, middle: usize) -> Result<(DeviceSliceMut<'buffer, T>, DeviceSliceMut<'buffer, T>)> {
        let right = inside(middle.., self.len)?;
        let start = self.ptr().add(middle).as_raw();
        Ok((
            Self::new(self.address, middle, self.stream, self.keep),
            Self::new(start, right.len(), self.stream, self.keep),
        ))
    }
}

/// Returns the range in numbers, if it is inside `0..len`.
pub(super) fn inside(range: impl RangeBounds<usize>, len: usize) -> Result<Range<usize>> {
    // Bounds that cannot be counted on are beyond every length.
    let start = match range.start_bound() {
        Bound::Included(start) => *start,
        Bound::Excluded(before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(last) => last.checked_add(1),
        Bound::Excluded(end) => Some(*end),
        Bound::Unbounded => Some(len),
    };
    match end {
        Some(end) if start <= end && end <= len => Ok(start..end),
        _ => Err(Error::out_of_bounds("device memory", start, end.unwrap_or(usize::MAX), len)),
    }
}

impl<T> Clone for DeviceSlice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for DeviceSlice<'_, T> {}

impl<T> fmt::Debug for DeviceSlice<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("DeviceSlice").field("ptr", &self.ptr()).field("len", &self.len).finish()
    }
}

impl<T> fmt::Debug for DeviceSliceMut<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("DeviceSliceMut").field("ptr", &self.ptr()).field("len", &self.len).finish()
    }
}
