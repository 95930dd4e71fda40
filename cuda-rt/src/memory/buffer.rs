//! Owned device memory.

use super::allocation::{Allocation, Provenance};
use super::pointer::DevicePtr;
#[cfg(doc)]
use super::source::MemorySource;
use super::view::{DeviceSlice, DeviceSliceMut};
use crate::error::{Error, Result};
use crate::handle::{KeepSlot, Owned};
use crate::stream::Stream;
use bytemuck::{AnyBitPattern, NoUninit, Zeroable};
use core::fmt;
use core::marker::PhantomData;
use core::ops::RangeBounds;

/// Owned device memory: `len` elements of `T`.
///
/// If the memory is of a pool, dropping frees it on the home stream without waiting; see the [module](crate::memory).
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::{DeviceBuf, Stream};
///
/// let stream = Stream::new(&context)?;
/// let mut numbers = DeviceBuf::from_host(&stream, &[1.0_f32, 2.0, 3.0])?;
/// numbers.slice_mut(1..)?.copy_from_host(&[20.0, 30.0])?;
/// assert_eq!(numbers.to_vec()?, [1.0, 20.0, 30.0]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub struct DeviceBuf<T> {
    memory: Owned<Allocation>,
    len: usize,
    _elements: PhantomData<T>,
}

impl<T> DeviceBuf<T> {
    /// Makes a buffer of memory that holds `len` elements, or any number of zero-sized elements.
    pub(super) fn over(memory: Owned<Allocation>, len: usize) -> Self {
        DeviceBuf { memory, len, _elements: PhantomData }
    }

    pub(super) fn memory(&self) -> &Allocation {
        &self.memory
    }

    /// Returns the place by which graphs keep the memory.
    pub(crate) fn keep_slot(&self) -> &KeepSlot {
        self.memory.keep()
    }

    pub(crate) fn provenance(&self) -> Provenance<'_> {
        self.memory.provenance()
    }

    pub(super) fn into_memory(self) -> (Owned<Allocation>, usize) {
        (self.memory, self.len)
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
    pub fn stream(&self) -> &Stream {
        self.memory.stream()
    }

    /// Makes another stream of the same context the home stream. The new home stream waits for the work that is queued on the
    /// present one; the host does not wait.
    ///
    /// Wraps `cuEventRecord` and `cuStreamWaitEvent`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the contexts differ.
    /// - [`HeldByGraph`](crate::error::ErrorKind::HeldByGraph): a graph holds the memory, and relies on its home
    ///   stream.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): one of the streams is being captured. Ordering
    ///   would draw the other stream into the capture, or invalidate the capture.
    /// - An earlier failure.
    ///
    /// If the call fails, the home stream stays the same.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::{DeviceBuf, Stream};
    ///
    /// let (uploads, work) = (Stream::new(&context)?, Stream::new(&context)?);
    /// let mut data = DeviceBuf::from_host(&uploads, &[1, 2, 3])?;
    /// data.move_to(&work)?;
    /// // Kernels on `work` may use the buffer now, and it will be freed there.
    /// assert_eq!(data.stream(), &work);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuEventRecord", "cuStreamWaitEvent"))]
    pub fn move_to(&mut self, stream: &Stream) -> Result<()> {
        self.memory.move_to(stream)
    }

    /// Returns whether the memory is an allocation of `cuMemAlloc` of its own: see [`MemorySource::Plain`].
    pub fn is_plain(&self) -> bool {
        self.memory.is_plain()
    }

    /// Returns the address of the first element, for kernels. Null if the buffer has no bytes.
    pub fn ptr(&self) -> DevicePtr<T> {
        DevicePtr::from_raw(self.memory.address())
    }

    /// Returns a view of all elements, to read.
    pub fn as_slice(&self) -> DeviceSlice<'_, T> {
        DeviceSlice::new(self.memory.address(), self.len, self.memory.stream(), Some(self.memory.keep()))
    }

    /// Returns a view of all elements, to write.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let mut buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// buffer.as_slice_mut().fill_zero()?;
    /// assert_eq!(buffer.to_vec()?, [0; 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn as_slice_mut(&mut self) -> DeviceSliceMut<'_, T> {
        DeviceSliceMut::new(self.memory.address(), self.len, self.memory.stream(), Some(self.memory.keep()))
    }

    /// Returns a view of a range of elements, to read.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range is not inside the buffer.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// assert_eq!(buffer.slice(1..3)?.to_vec()?, [2, 3]);
    /// assert!(buffer.slice(3..5).is_err());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<DeviceSlice<'_, T>> {
        self.as_slice().slice(range)
    }

    /// Returns a view of a range of elements, to write.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range is not inside the buffer.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let mut buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// buffer.slice_mut(2..)?.copy_from_host(&[30, 40])?;
    /// assert_eq!(buffer.to_vec()?, [1, 2, 30, 40]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> Result<DeviceSliceMut<'_, T>> {
        self.as_slice_mut().into_slice(range)
    }

    /// Overwrites the buffer with host memory of the same length.
    ///
    /// # Blocking
    ///
    /// Until all work queued on the home stream is done, including the copy. If another thread is unregistering the host memory,
    /// the call first waits for that.
    ///
    /// # Errors
    ///
    /// Same as [`DeviceSliceMut::copy_from_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let mut buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// buffer.copy_from_host(&[5, 6, 7, 8])?;
    /// assert_eq!(buffer.to_vec()?, [5, 6, 7, 8]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemcpyHtoD", "cuMemcpyHtoDAsync", "memcpy_htod"))]
    pub fn copy_from_host(&mut self, elements: &[T]) -> Result<()>
    where
        T: NoUninit,
    {
        self.as_slice_mut().copy_from_host(elements)
    }

    /// Overwrites the buffer with device memory of the same length. Does not wait for the device.
    ///
    /// If another thread is disabling [peer access](crate::peer) between the two devices, the call first waits for
    /// that.
    ///
    /// # Errors
    ///
    /// Same as [`DeviceSliceMut::copy_from_device`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::DeviceBuf;
    /// let source = DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// let mut copy = DeviceBuf::zeroed(&stream, 2)?;
    /// copy.copy_from_device(source.slice(2..)?)?;
    /// assert_eq!(copy.to_vec()?, [3, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemcpyDtoD", "cuMemcpyDtoDAsync", "cuMemcpyPeer", "cuMemcpyPeerAsync"))]
    pub fn copy_from_device(&mut self, source: DeviceSlice<'_, T>) -> Result<()>
    where
        T: Copy,
    {
        self.as_slice_mut().copy_from_device(source)
    }

    /// Sets all bytes to 0. Does not wait.
    ///
    /// # Errors
    ///
    /// Same as [`DeviceSliceMut::fill_zero`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let mut buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// buffer.fill_zero()?;
    /// assert_eq!(buffer.to_vec()?, [0; 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemsetD8", "cuMemsetD8Async"))]
    pub fn fill_zero(&mut self) -> Result<()>
    where
        T: Zeroable,
    {
        self.as_slice_mut().fill_zero()
    }

    /// Copies the buffer to host memory of the same length.
    ///
    /// # Blocking
    ///
    /// Until all work queued on the home stream is done, including the copy. If another thread is unregistering the host memory,
    /// the call first waits for that.
    ///
    /// # Errors
    ///
    /// Same as [`DeviceSlice::copy_to_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// let mut host = [0; 4];
    /// buffer.copy_to_host(&mut host)?;
    /// assert_eq!(host, [1, 2, 3, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemcpyDtoH", "cuMemcpyDtoHAsync", "memcpy_dtoh"))]
    pub fn copy_to_host(&self, elements: &mut [T]) -> Result<()>
    where
        T: AnyBitPattern,
    {
        self.as_slice().copy_to_host(elements)
    }

    /// Returns a copy of the buffer in host memory.
    ///
    /// # Blocking
    ///
    /// Until all work queued on the home stream is done, including the copy.
    ///
    /// # Errors
    ///
    /// Same as [`DeviceSlice::to_vec`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// assert_eq!(buffer.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemcpyDtoH", "cuMemcpyDtoHAsync"))]
    pub fn to_vec(&self) -> Result<Vec<T>>
    where
        T: AnyBitPattern,
    {
        self.as_slice().to_vec()
    }

    /// Frees the memory and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuMemFreeAsync`, `cuMemFree` or `cuIpcCloseMemHandle`. The owner of foreign
    /// memory is dropped after `cuStreamSynchronize`.
    ///
    /// # Blocking
    ///
    /// The same as dropping:
    ///
    /// - [Plain](MemorySource::Plain) memory, and mapped [external](crate::external) memory: until all work queued in
    ///   the context is done, and copies of this crate from or to other devices.
    /// - Memory with an [owner](crate::memory::MemoryRelease::Owner), or of another [process](crate::ipc): until the
    ///   work of the home stream is done.
    /// - Memory of a [`CachingPool`](crate::memory::CachingPool): see [there](crate::memory::CachingPool#blocking).
    /// - Other memory: does not wait.
    ///
    /// If a graph holds the memory, the call does not wait: the last graph frees the memory.
    ///
    /// # Errors
    ///
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the call would have to wait for the home
    ///   stream, which is being captured. The memory is not freed.
    /// - An earlier failure.
    ///
    /// The buffer is consumed in any case.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// buffer.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemFreeAsync", "cuMemFree", "cuIpcCloseMemHandle"))]
    pub fn close(self) -> Result<()> {
        self.memory.close()
    }
}

/// Returns the size of `len` elements in bytes. Refuses a size beyond the address space.
pub(super) fn size_bytes<T>(len: usize) -> Result<usize> {
    let element_bytes = size_of::<T>();
    len.checked_mul(element_bytes)
        .filter(|bytes| isize::try_from(*bytes).is_ok())
        .ok_or_else(|| Error::size_overflow("buffer", len, element_bytes))
}

/// Refuses elements whose alignment exceeds the alignment of every allocation.
pub(super) fn ensure_aligned<T>() -> Result<()> {
    /// Documented for all memory that the driver allocates.
    const LIMIT: usize = 256;
    let alignment = align_of::<T>();
    if alignment <= LIMIT {
        Ok(())
    } else {
        Err(Error::invalid(
            "element type",
            format_args!("an alignment of {alignment} bytes exceeds that of device memory, {LIMIT}"),
        ))
    }
}

impl<T> fmt::Debug for DeviceBuf<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("DeviceBuf").field("len", &self.len).field("memory", &self.memory).finish()
    }
}
