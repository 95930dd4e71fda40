//! Views of device memory in rows.

#![allow(unsafe_code)]

use super::fill::{Rows, fill};
use super::pitched::PitchedBuf;
use super::pointer::DevicePtr;
use super::view::DeviceSliceMut;
use crate::error::{Error, Limit, Result};
use crate::handle::KeepSlot;
use crate::stream::Stream;
use bytemuck::NoUninit;
use core::fmt;
use core::marker::PhantomData;
use cuda_sys::CUdeviceptr;

/// Borrowed rows and slices of device memory, to write: a [part](PitchedBuf::part_mut) of a [`PitchedBuf`], or rows in [other
/// memory](DeviceSliceMut::into_pitched).
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::memory::{AccessSize, PitchedBuf};
///
/// let mut matrix = PitchedBuf::<u16>::uninit(&stream, 4, 3, AccessSize::Four)?;
/// matrix.fill(0)?;
/// matrix.part_mut([1, 1, 0], [2, 2, 1])?.fill(7)?;
/// assert_eq!(matrix.to_vec()?, [0, 0, 0, 0, 0, 7, 7, 0, 0, 7, 7, 0]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub struct PitchedSliceMut<'memory, T> {
    address: CUdeviceptr,
    /// Bytes from one row to the next.
    pitch: usize,
    /// Rows from one slice to the next.
    slice_rows: usize,
    /// Elements of a row, rows of a slice, slices.
    size: [usize; 3],
    stream: &'memory Stream,
    /// Slot by which graphs keep the memory. `None` if its owner is unknown.
    keep: Option<&'memory KeepSlot>,
    _elements: PhantomData<&'memory mut T>,
}

impl<'memory, T> PitchedSliceMut<'memory, T> {
    /// Makes a view of allocated rows that live on `stream` and are borrowed mutably during `'memory`.
    pub(super) fn new(
        address: CUdeviceptr,
        pitch: usize,
        size: [usize; 3],
        stream: &'memory Stream,
        keep: Option<&'memory KeepSlot>,
    ) -> Self {
        PitchedSliceMut { address, pitch, slice_rows: size[1], size, stream, keep, _elements: PhantomData }
    }

    /// Returns a view of rows of device memory. `pitch` is the distance between the beginnings of rows, in bytes. `size` is the
    /// number of elements of a row, of rows of a slice, and of slices.
    ///
    /// # Safety
    ///
    /// - During `'memory`, all rows are in allocated device memory of the stream's context, whose work is ordered with
    ///   `stream`. The rows hold valid elements, or may be overwritten with valid elements. No other code uses them.
    /// - Work that is queued on the stream during `'memory` may use the rows later: they are used and freed in the
    ///   order of the stream, too.
    /// - `ptr` and `pitch` are multiples of the alignment of `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::PitchedSliceMut;
    ///
    /// let memory = DeviceBuf::<u8>::zeroed(&stream, 6)?;
    /// // SAFETY: two rows of two bytes, three bytes apart, in memory that lives on the stream and is not used otherwise.
    /// let mut rows = unsafe { PitchedSliceMut::from_raw_parts(memory.ptr(), 3, [2, 2, 1], &stream) };
    /// rows.fill(1)?;
    /// assert_eq!(memory.to_vec()?, [1, 1, 0, 1, 1, 0]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn from_raw_parts(
        ptr: DevicePtr<T>,
        pitch: usize,
        size: [usize; 3],
        stream: &'memory Stream,
    ) -> Self {
        Self::new(ptr.as_raw(), pitch, size, stream, None)
    }

    /// Returns the place by which graphs keep the memory.
    pub(crate) fn keep_slot(&self) -> Option<&'memory KeepSlot> {
        self.keep
    }

    /// Returns the rows from one slice to the next.
    pub(crate) fn slice_rows(&self) -> usize {
        self.slice_rows
    }

    /// Returns the address of the first element, for kernels.
    pub fn ptr(&self) -> DevicePtr<T> {
        DevicePtr::from_raw(self.address)
    }

    /// Returns the distance between the beginnings of rows, in bytes.
    pub fn pitch(&self) -> usize {
        self.pitch
    }

    /// Returns the number of elements of a row, of rows of a slice, and of slices.
    pub fn size(&self) -> [usize; 3] {
        self.size
    }

    /// Returns the home stream.
    pub fn stream(&self) -> &'memory Stream {
        self.stream
    }

    /// Returns a view of a part, for a shorter time: `size` elements, rows and slices, beginning at `at`, along x, y and z.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the part ends beyond the view.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    ///
    /// let mut memory = DeviceBuf::<u8>::zeroed(&stream, 9)?;
    /// let mut rows = memory.as_slice_mut().into_pitched(3, [3, 3, 1])?;
    /// rows.part([1, 1, 0], [1, 2, 1])?.fill(5)?;
    /// let error = rows.part([2, 0, 0], [2, 1, 1]).unwrap_err();
    /// assert_eq!(error.to_string(), "part end along x: 4 is more than 3");
    /// assert_eq!(memory.to_vec()?, [0, 0, 0, 0, 5, 0, 0, 5, 0]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn part(&mut self, at: [usize; 3], size: [usize; 3]) -> Result<PitchedSliceMut<'_, T>> {
        PitchedSliceMut { ..*self }.into_part(at, size)
    }

    pub(super) fn into_part(self, at: [usize; 3], size: [usize; 3]) -> Result<Self> {
        const NAMES: [&str; 3] = ["end along x", "end along y", "end along z"];
        for (((start, extent), limit), name) in at.into_iter().zip(size).zip(self.size).zip(NAMES) {
            let end = start.saturating_add(extent);
            if end > limit {
                return Err(Error::beyond("part", name, end, Limit::AtMost(limit)));
            }
        }
        let [x, y, z] = at;
        // It fits, or there are no bytes.
        let row = z.wrapping_mul(self.slice_rows).wrapping_add(y);
        let offset = row.wrapping_mul(self.pitch).wrapping_add(x.wrapping_mul(size_of::<T>()));
        let address = self.address.wrapping_add(offset as u64);
        Ok(PitchedSliceMut { address, size, ..self })
    }

    /// Sets all elements to a value, and leaves the bytes between the rows alone. Does not wait.
    ///
    /// Wraps `cuMemsetD2D8Async`, `cuMemsetD2D16Async` or `cuMemsetD2D32Async`, chosen by the bytes of the value. For a
    /// single row, it wraps `cuMemsetD8Async`, `cuMemsetD16Async` or `cuMemsetD32Async`. There is one call, or one for
    /// each slice if the view lacks some rows of its slices. A value that none of the functions can repeat needs
    /// more calls, as in [`DeviceSliceMut::fill`].
    ///
    /// # Errors
    ///
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the home stream is being captured. The graph would not
    ///   keep the memory alive.
    /// - An earlier failure. Some elements may have been set.
    #[doc(alias(
        "cuMemsetD2D8",
        "cuMemsetD2D16",
        "cuMemsetD2D32",
        "cuMemsetD2D8Async",
        "cuMemsetD2D16Async",
        "cuMemsetD2D32Async"
    ))]
    pub fn fill(&mut self, value: T) -> Result<()>
    where
        T: NoUninit,
    {
        let [width, height, depth] = self.size;
        let (address, pitch, value) = (self.address, self.pitch, bytemuck::bytes_of(&value));
        if value.is_empty() || self.size.contains(&0) {
            return Ok(());
        }
        // One block of rows, or one for each slice.
        let (blocks, height) =
            if height == self.slice_rows { (1, height.saturating_mul(depth)) } else { (depth, height) };
        for block in 0..blocks {
            let start = block.wrapping_mul(self.slice_rows).wrapping_mul(pitch);
            let rows = Rows { address: address.wrapping_add(start as u64), pitch, width, height };
            // SAFETY: the rows are borrowed mutably, and live on the stream.
            unsafe { fill(self.stream, rows, value) }?;
        }
        Ok(())
    }
}

impl<'memory, T> DeviceSliceMut<'memory, T> {
    /// Converts the elements to a view of rows. `pitch` is the distance between the beginnings of rows, in bytes. `size` is the
    /// number of elements of a row, of rows of a slice, and of slices.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument):
    ///
    /// - The rows do not begin at elements.
    /// - The pitch is less than the size of a row, or the last row ends beyond the elements.
    /// - The rows exceed the address space.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    ///
    /// let mut memory = DeviceBuf::<u32>::zeroed(&stream, 8)?;
    /// memory.as_slice_mut().into_pitched(16, [2, 2, 1])?.fill(9)?;
    /// assert_eq!(memory.to_vec()?, [9, 9, 0, 0, 9, 9, 0, 0]);
    /// let error = memory.as_slice_mut().into_pitched(16, [2, 3, 1]).unwrap_err();
    /// assert_eq!(error.to_string(), "view end: 40 is more than 32");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn into_pitched(self, pitch: usize, size: [usize; 3]) -> Result<PitchedSliceMut<'memory, T>> {
        let [width, height, depth] = size;
        let element_bytes = size_of::<T>();
        let fits = || {
            let (row, rows) = (width.checked_mul(element_bytes)?, height.checked_mul(depth)?);
            let end = match rows {
                0 => 0,
                _ if row == 0 => 0,
                rows => (rows - 1).checked_mul(pitch)?.checked_add(row)?,
            };
            Some((row, rows, end))
        };
        let overflow = || Error::shape_overflow("view", &size, element_bytes);
        let (row, rows, end) = fits().ok_or_else(overflow)?;
        if rows > 1 && row > 0 {
            if !pitch.is_multiple_of(element_bytes) {
                return Err(Error::beyond("view", "pitch", pitch, Limit::MultipleOf(element_bytes)));
            }
            if pitch < row {
                return Err(Error::beyond("view", "pitch", pitch, Limit::AtLeast(row)));
            }
        }
        if end > self.size_bytes() {
            return Err(Error::beyond("view", "end", end, Limit::AtMost(self.size_bytes())));
        }
        Ok(PitchedSliceMut::new(self.ptr().as_raw(), pitch, size, self.stream(), self.keep_slot()))
    }
}

impl<T> PitchedBuf<T> {
    /// Returns a view of a part, to write: `size` elements, rows and slices, beginning at `at`, along x, y and z.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the part ends beyond the buffer.
    pub fn part_mut(&mut self, at: [usize; 3], size: [usize; 3]) -> Result<PitchedSliceMut<'_, T>> {
        self.as_pitched_mut().into_part(at, size)
    }

    /// Returns a view of all elements, to write.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::memory::{AccessSize, PitchedBuf};
    ///
    /// let mut matrix = PitchedBuf::<u8>::uninit(&stream, 4, 3, AccessSize::Four)?;
    /// assert_eq!(matrix.as_pitched_mut().size(), [4, 3, 1]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn as_pitched_mut(&mut self) -> PitchedSliceMut<'_, T> {
        PitchedSliceMut::new(
            self.ptr().as_raw(),
            self.pitch(),
            self.size(),
            self.stream(),
            Some(self.keep_slot()),
        )
    }
}

impl<T> fmt::Debug for PitchedSliceMut<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PitchedSliceMut")
            .field("ptr", &self.ptr())
            .field("pitch", &self.pitch)
            .field("size", &self.size)
            .finish()
    }
}
