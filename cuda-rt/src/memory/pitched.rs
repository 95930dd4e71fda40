//! Device memory in rows that the driver aligns.

#![allow(unsafe_code)]

use super::allocation::Allocation;
use super::buffer::{ensure_aligned, size_bytes};
use super::out_of_memory::{retrying, shortage};
use super::pointer::DevicePtr;
use super::structured::{CopyDestination, CopySource, Memcpy3D};
use super::view::{DeviceSlice, DeviceSliceMut};
use crate::error::{Code, Error, Limit, OrDetail, Result};
use crate::handle::Owned;
use crate::stream::Stream;
use bytemuck::{AnyBitPattern, NoUninit};
use core::ffi::c_uint;
use core::fmt;
use core::marker::PhantomData;
use cuda_sys::CUdeviceptr;
use cuda_sys::Symbol;

/// Rows and slices of elements in device memory. Each row begins at an address that suits wide accesses and textures.
///
/// The driver chooses the distance from row to row, the [pitch](PitchedBuf::pitch). Host memory is copied to and from the buffer
/// without gaps.
///
/// # Blocking
///
/// Dropping waits until all work queued in the context is done, and copies of this crate from or to other devices: this
/// memory is not stream-ordered.
///
/// # Driver notes
///
/// H200s: the pitch is the size of a row, rounded up to 512 bytes.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::memory::{AccessSize, PitchedBuf};
///
/// let mut matrix = PitchedBuf::<f32>::uninit(&stream, 3, 2, AccessSize::Four)?;
/// matrix.copy_from_host(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// assert!(matrix.pitch() >= 3 * 4);
/// assert_eq!(matrix.row(1)?.to_vec()?, [4.0, 5.0, 6.0]);
/// assert_eq!(matrix.to_vec()?, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias("cuMemAllocPitch", "cudaMalloc3D"))]
pub struct PitchedBuf<T> {
    memory: Owned<Allocation>,
    pitch: usize,
    /// Elements of a row, rows of a slice, slices.
    size: [usize; 3],
    _elements: PhantomData<T>,
}

/// Widest access of kernels for which rows are aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessSize {
    /// 4 bytes.
    Four,
    /// 8 bytes.
    Eight,
    /// 16 bytes.
    Sixteen,
}

impl<T> PitchedBuf<T> {
    /// Allocates `height` rows of `width` elements, without setting them.
    ///
    /// Wraps `cuMemAllocPitch`. An empty buffer makes no driver call.
    ///
    /// # Errors
    ///
    /// - [`Code::OutOfMemory`].
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the size exceeds the address space, or the
    ///   alignment of `T` exceeds 256 bytes.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream is being captured.
    /// - [`Code::StreamCaptureUnsupported`]: any thread captures a graph in the global mode, or this thread does in the
    ///   thread-local mode, and the mode of this thread is not relaxed. The failure invalidates the capture.
    /// - An earlier failure.
    #[doc(alias = "cuMemAllocPitch")]
    pub fn uninit(stream: &Stream, width: usize, height: usize, access: AccessSize) -> Result<Self>
    where
        T: AnyBitPattern,
    {
        Self::volume(stream, [width, height, 1], access)
    }

    /// Allocates slices of rows. `size` is the number of elements of a row, of rows of a slice, and of slices.
    ///
    /// # Errors
    ///
    /// Same as [`PitchedBuf::uninit`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::memory::{AccessSize, PitchedBuf};
    ///
    /// let mut volume = PitchedBuf::<u8>::volume(&stream, [2, 2, 2], AccessSize::Four)?;
    /// volume.copy_from_host(&[1, 2, 3, 4, 5, 6, 7, 8])?;
    /// assert_eq!(volume.row(2)?.to_vec()?, [5, 6]); // the first row of the second slice
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemAllocPitch")]
    pub fn volume(stream: &Stream, size: [usize; 3], access: AccessSize) -> Result<Self>
    where
        T: AnyBitPattern,
    {
        ensure_aligned::<T>()?;
        let [width, height, depth] = size;
        let overflow = || Error::shape_overflow("pitched buffer", &size, size_of::<T>());
        let rows = height.checked_mul(depth).ok_or_else(overflow)?;
        let row_bytes = size_bytes::<T>(width)?;
        // Ensures that the address space can hold all elements together.
        size_bytes::<T>(width.checked_mul(rows).ok_or_else(overflow)?)?;
        // And all rows with their padding: the driver computes the size without a check for an overflow (fact V1192).
        let padded = row_bytes.checked_add(MOST_PADDING).and_then(|row| row.checked_mul(rows));
        padded.filter(|bytes| isize::try_from(*bytes).is_ok()).ok_or_else(overflow)?;
        let memory = Allocation::plain(stream);
        let mut buffer = PitchedBuf { memory, pitch: row_bytes, size, _elements: PhantomData };
        if row_bytes == 0 || rows == 0 {
            return Ok(buffer);
        }
        stream.refuse_capture(Symbol::cuMemAllocPitch_v2)?;
        retrying(stream.context(), row_bytes.saturating_mul(rows), || {
            (buffer.memory, buffer.pitch) = allocate_rows(stream, row_bytes, rows, access)?;
            Ok(())
        })?;
        Ok(buffer)
    }

    /// Returns the distance from one row to the next, in bytes.
    pub fn pitch(&self) -> usize {
        self.pitch
    }

    /// Returns the number of elements of a row, of rows of a slice, and of slices.
    pub fn size(&self) -> [usize; 3] {
        self.size
    }

    /// Returns the address of the first row, for kernels. Null if there are no bytes.
    pub fn ptr(&self) -> DevicePtr<T> {
        DevicePtr::from_raw(self.memory.address())
    }

    /// Returns the home stream, on which copies from and to the buffer run.
    pub fn stream(&self) -> &Stream {
        self.memory.stream()
    }

    /// Returns the place by which graphs keep the memory.
    pub(crate) fn keep_slot(&self) -> &crate::handle::KeepSlot {
        self.memory.keep()
    }

    fn rows(&self) -> usize {
        let [_, height, depth] = self.size;
        // It fits: the constructor checked it.
        height.saturating_mul(depth)
    }

    /// Returns the address of a row. Refuses a row that does not exist.
    fn row_address(&self, index: usize) -> Result<CUdeviceptr> {
        let rows = self.rows();
        if index >= rows {
            return Err(if rows == 0 {
                Error::out_of_bounds("rows", index, index.saturating_add(1), 0)
            } else {
                Error::beyond("row", "number", index, Limit::AtMost(rows - 1))
            });
        }
        Ok(self.memory.address().wrapping_add((index as u64).wrapping_mul(self.pitch as u64)))
    }

    /// Returns a view of a row, to read. Rows are numbered through all slices.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): there is no such row.
    pub fn row(&self, index: usize) -> Result<DeviceSlice<'_, T>> {
        Ok(DeviceSlice::new(
            self.row_address(index)?,
            self.size[0],
            self.memory.stream(),
            Some(self.memory.keep()),
        ))
    }

    /// Returns a view of a row, to write.
    ///
    /// # Errors
    ///
    /// Same as [`PitchedBuf::row`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::memory::{AccessSize, PitchedBuf};
    ///
    /// let mut matrix = PitchedBuf::<u16>::uninit(&stream, 2, 2, AccessSize::Four)?;
    /// matrix.fill(7)?;
    /// matrix.row_mut(1)?.copy_from_host(&[8, 9])?;
    /// assert_eq!(matrix.to_vec()?, [7, 7, 8, 9]);
    /// assert!(matrix.row_mut(2).is_err());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn row_mut(&mut self, index: usize) -> Result<DeviceSliceMut<'_, T>> {
        Ok(DeviceSliceMut::new(
            self.row_address(index)?,
            self.size[0],
            self.memory.stream(),
            Some(self.memory.keep()),
        ))
    }

    /// Returns all bytes from the first row to the end of the last.
    fn span(&self) -> usize {
        // The driver has allocated this many bytes, and more.
        let row = self.size[0].saturating_mul(size_of::<T>());
        if self.memory.address() == 0 {
            0
        } else {
            self.pitch.saturating_mul(self.rows() - 1).saturating_add(row)
        }
    }

    /// Returns the whole buffer as the source of a [`Memcpy3D`], with its pitch and its rows.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::memory::{AccessSize, CopyDestination, Memcpy3D, PitchedBuf};
    ///
    /// let mut matrix = PitchedBuf::<u8>::uninit(&stream, 3, 3, AccessSize::Four)?;
    /// matrix.copy_from_host(&[1, 2, 3, 4, 5, 6, 7, 8, 9])?;
    /// let mut corner = [0_u8; 4];
    /// let from = matrix.as_source().at(1, 1, 0);
    /// Memcpy3D::plane(CopyDestination::host(&mut corner), from, 2, 2).copy()?;
    /// assert_eq!(corner, [5, 6, 8, 9]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn as_source(&self) -> CopySource<'_> {
        let bytes = DeviceSlice::<u8>::new(
            self.memory.address(),
            self.span(),
            self.memory.stream(),
            Some(self.memory.keep()),
        );
        CopySource::device(bytes).pitch(self.pitch).height(self.size[1])
    }

    /// Returns the whole buffer as the destination of a [`Memcpy3D`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::memory::{AccessSize, Memcpy3D, PitchedBuf};
    ///
    /// let mut first = PitchedBuf::<u8>::uninit(&stream, 2, 2, AccessSize::Four)?;
    /// first.copy_from_host(&[1, 2, 3, 4])?;
    /// let mut second = PitchedBuf::<u8>::uninit(&stream, 2, 2, AccessSize::Sixteen)?;
    /// Memcpy3D::plane(second.as_destination(), first.as_source(), 2, 2).copy()?;
    /// assert_eq!(second.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn as_destination(&mut self) -> CopyDestination<'_>
    where
        T: AnyBitPattern,
    {
        let bytes = DeviceSliceMut::<u8>::new(
            self.memory.address(),
            self.span(),
            self.memory.stream(),
            Some(self.memory.keep()),
        );
        CopyDestination::device(bytes).pitch(self.pitch).height(self.size[1])
    }

    /// Returns the block of all elements: bytes of a row, rows, slices.
    fn block(&self) -> [usize; 3] {
        let [width, height, depth] = self.size;
        [width.saturating_mul(size_of::<T>()), height, depth]
    }

    fn same_length(&self, host: usize, from_host: bool) -> Result<()> {
        let own = self.size[0].saturating_mul(self.rows());
        let (source_len, destination_len) = if from_host { (host, own) } else { (own, host) };
        if host == own {
            Ok(())
        } else {
            Err(Error::length_mismatch("pitched buffer", source_len, destination_len))
        }
    }

    /// Overwrites all elements with host memory, row after row without gaps.
    ///
    /// # Blocking
    ///
    /// Until all work queued on the home stream is done, including the copy. If another thread is unregistering the
    /// host memory, the call first waits for that.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the lengths differ.
    /// - Same as [`Memcpy3D::copy`].
    #[doc(alias("cuMemcpy2D", "cuMemcpy3D"))]
    pub fn copy_from_host(&mut self, elements: &[T]) -> Result<()>
    where
        T: NoUninit + AnyBitPattern,
    {
        self.same_length(elements.len(), true)?;
        let [width, height, depth] = self.block();
        Memcpy3D::new(self.as_destination(), CopySource::host(elements), width, height, depth).copy()
    }

    /// Copies all elements to host memory, row after row without gaps.
    ///
    /// # Blocking
    ///
    /// Until all work queued on the home stream is done, including the copy. If another thread is unregistering the
    /// host memory, the call first waits for that.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the lengths differ.
    /// - Same as [`Memcpy3D::copy`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::memory::{AccessSize, PitchedBuf};
    ///
    /// let mut matrix = PitchedBuf::<i32>::uninit(&stream, 2, 2, AccessSize::Four)?;
    /// matrix.fill(-1)?;
    /// let mut copied = [0; 4];
    /// matrix.copy_to_host(&mut copied)?;
    /// assert_eq!(copied, [-1; 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemcpy2D", "cuMemcpy3D"))]
    pub fn copy_to_host(&self, elements: &mut [T]) -> Result<()>
    where
        T: AnyBitPattern,
    {
        self.same_length(elements.len(), false)?;
        let [width, height, depth] = self.block();
        Memcpy3D::new(CopyDestination::host(elements), self.as_source(), width, height, depth).copy()
    }

    /// Returns a copy of all elements in host memory, row after row without gaps.
    ///
    /// # Blocking
    ///
    /// Until all work queued on the home stream is done, including the copy.
    ///
    /// # Errors
    ///
    /// - [`OutOfHostMemory`](crate::error::ErrorKind::OutOfHostMemory).
    /// - Same as [`PitchedBuf::copy_to_host`].
    pub fn to_vec(&self) -> Result<Vec<T>>
    where
        T: AnyBitPattern,
    {
        let len = self.size[0].saturating_mul(self.rows());
        let mut elements = Vec::new();
        let bytes = len.saturating_mul(size_of::<T>());
        elements.try_reserve_exact(len).map_err(|_| Error::host_memory(bytes))?;
        if bytes > 0 {
            elements.resize(len, T::zeroed());
            self.copy_to_host(&mut elements)?;
        } else {
            // SAFETY: there are no elements, or they are zero-sized: every zero-sized value is a `T`, and there is room for any
            // number.
            unsafe { elements.set_len(len) };
        }
        Ok(elements)
    }

    /// Sets all elements to a value, and leaves the bytes between the rows alone. Does not wait.
    /// [`part_mut`](PitchedBuf::part_mut) sets a part.
    ///
    /// Wraps `cuMemsetD2D8Async`, `cuMemsetD2D16Async` or `cuMemsetD2D32Async`; see [`DeviceSliceMut::fill`].
    ///
    /// # Errors
    ///
    /// Same as [`PitchedSliceMut::fill`](crate::memory::PitchedSliceMut::fill).
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
        self.as_pitched_mut().fill(value)
    }

    /// Frees the memory and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuMemFree`.
    ///
    /// # Blocking
    ///
    /// The same as dropping: see [`PitchedBuf`](PitchedBuf#blocking).
    ///
    /// # Errors
    ///
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): copies from or to other devices are not done,
    ///   and the home stream is being captured. The memory is not freed.
    /// - An earlier failure.
    #[doc(alias = "cuMemFree")]
    pub fn close(self) -> Result<()> {
        self.memory.close()
    }
}

/// Allocates rows. Returns the memory, and the distance from one row to the next in bytes.
/// More than the padding of a row on any device.
const MOST_PADDING: usize = 1 << 16;

fn allocate_rows(
    stream: &Stream,
    row_bytes: usize,
    rows: usize,
    access: AccessSize,
) -> Result<(Owned<Allocation>, usize)> {
    let _bound = stream.context().bind(Symbol::cuMemAllocPitch_v2)?;
    let access: c_uint = match access {
        AccessSize::Four => 4,
        AccessSize::Eight => 8,
        AccessSize::Sixteen => 16,
    };
    let (mut memory, mut pitch) = (Allocation::plain(stream), row_bytes);
    let address = &raw mut *memory.address_mut();
    // SAFETY: both are valid for a write; the context is current.
    unsafe { check!(cuMemAllocPitch_v2(address, &raw mut pitch, row_bytes, rows, access)) }
        .or_detail(&[Code::OutOfMemory], &|| shortage(stream.context(), row_bytes.saturating_mul(rows)))?;
    Ok((memory, pitch))
}

impl<T> fmt::Debug for PitchedBuf<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PitchedBuf")
            .field("ptr", &self.ptr())
            .field("pitch", &self.pitch)
            .field("size", &self.size)
            .field("stream", self.memory.stream())
            .finish()
    }
}
