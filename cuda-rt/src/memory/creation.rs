//! New buffers.

use super::allocation::Allocation;
use super::buffer::{DeviceBuf, ensure_aligned, size_bytes};
use super::source::MemorySource;
use super::view::DeviceSlice;
#[cfg(doc)]
use super::view::DeviceSliceMut;
use crate::error::Result;
use crate::stream::Stream;
use bytemuck::{AnyBitPattern, NoUninit, Zeroable};

impl<T> DeviceBuf<T> {
    /// Allocates `len` elements on `stream`, without setting them. Every bit pattern is a valid `T`, so the contents are valid
    /// and arbitrary.
    ///
    /// Wraps `cuMemAllocAsync`; `cuMemAlloc` on devices without memory pools. An empty buffer makes no driver call.
    ///
    /// # Errors
    ///
    /// - [`Code::OutOfMemory`](crate::error::Code::OutOfMemory).
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the size exceeds the address space, or the
    ///   alignment of `T` exceeds 256 bytes.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream is being captured.
    /// - [`Code::StreamCaptureUnsupported`](crate::error::Code::StreamCaptureUnsupported): any thread captures a graph
    ///   in the global mode, or this thread does in the thread-local mode, and the mode of this thread is not relaxed.
    ///   The failure invalidates the capture.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::{DeviceBuf, Stream};
    ///
    /// let output = DeviceBuf::<f32>::uninit(&Stream::new(&context)?, 1000)?;
    /// assert_eq!(output.size_bytes(), 4000);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemAllocAsync", "cuMemAlloc", "mem_alloc"))]
    pub fn uninit(stream: &Stream, len: usize) -> Result<Self>
    where
        T: AnyBitPattern,
    {
        Self::uninit_in(stream, len, MemorySource::Default)
    }

    /// Allocates `len` elements and sets all bytes to 0.
    ///
    /// Wraps `cuMemAllocAsync` and `cuMemsetD8Async`.
    ///
    /// # Errors
    ///
    /// Same as [`DeviceBuf::uninit`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::{DeviceBuf, Stream};
    ///
    /// let counters = DeviceBuf::<u32>::zeroed(&Stream::new(&context)?, 4)?;
    /// assert_eq!(counters.to_vec()?, [0; 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemAllocAsync", "cuMemsetD8Async"))]
    pub fn zeroed(stream: &Stream, len: usize) -> Result<Self>
    where
        T: Zeroable,
    {
        Self::zeroed_in(stream, len, MemorySource::Default)
    }

    /// Copies host memory to a new buffer.
    ///
    /// # Blocking
    ///
    /// Until all work queued on `stream` is done, including the copy. If another thread is unregistering the host
    /// memory, the call first waits for that.
    ///
    /// # Errors
    ///
    /// Same as [`DeviceBuf::uninit`] and [`DeviceSliceMut::copy_from_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::{DeviceBuf, Stream};
    ///
    /// let primes = DeviceBuf::from_host(&Stream::new(&context)?, &[2, 3, 5, 7])?;
    /// assert_eq!(primes.len(), 4);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn from_host(stream: &Stream, elements: &[T]) -> Result<Self>
    where
        T: NoUninit,
    {
        Self::from_host_in(stream, elements, MemorySource::Default)
    }

    /// Copies device memory, of this device or another one, to a new buffer on `stream`. Does not wait.
    ///
    /// Wraps `cuMemAllocAsync` and `cuMemcpyDtoDAsync`; `cuMemcpyPeerAsync` between contexts.
    ///
    /// # Errors
    ///
    /// Same as [`DeviceBuf::uninit`] and [`DeviceSliceMut::copy_from_device`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::{DeviceBuf, Stream};
    ///
    /// let (one, other) = (Stream::new(&context)?, Stream::new(&context)?);
    /// let numbers = DeviceBuf::from_host(&one, &[1, 2, 3, 4])?;
    /// let last = DeviceBuf::from_device(&other, numbers.slice(2..)?)?;
    /// assert_eq!(last.to_vec()?, [3, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemcpyDtoD", "cuMemcpyDtoDAsync", "cuMemcpyPeerAsync"))]
    pub fn from_device(stream: &Stream, elements: DeviceSlice<'_, T>) -> Result<Self>
    where
        T: Copy,
    {
        Self::from_device_in(stream, elements, MemorySource::Default)
    }

    /// Copies the buffer to a new one on the same stream. Does not wait.
    ///
    /// If this buffer is [plain](MemorySource::Plain), the new one is plain. If it is of a
    /// [`MemPool`](crate::memory::MemPool) that was not imported, the new one is of the same pool. Otherwise the memory
    /// comes from where [`DeviceBuf::uninit`] takes it.
    /// [`DeviceBuf::from_device_in`] chooses another source.
    ///
    /// Wraps `cuMemcpyDtoDAsync`, and the call that allocates.
    ///
    /// # Errors
    ///
    /// Same as [`DeviceBuf::uninit`] and [`DeviceSliceMut::copy_from_device`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    ///
    /// let before = DeviceBuf::from_host(&stream, &[1, 2, 3])?;
    /// let mut after = before.try_clone()?;
    /// after.slice_mut(..1)?.fill(9)?;
    /// assert_eq!((before.to_vec()?, after.to_vec()?), (vec![1, 2, 3], vec![9, 2, 3]));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("clone", "cuMemcpyDtoDAsync"))]
    pub fn try_clone(&self) -> Result<Self>
    where
        T: Copy,
    {
        Self::from_device_in(self.stream(), self.as_slice(), self.memory().source())
    }

    /// Allocates `len` elements from a chosen source. Otherwise the same as [`DeviceBuf::uninit`].
    ///
    /// Wraps `cuMemAllocAsync`, `cuMemAllocFromPoolAsync` or `cuMemAlloc`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the [`MemPool`](crate::memory::MemPool) belongs
    ///   to another device than the stream, or the [`CachingPool`](crate::memory::CachingPool) to another context.
    /// - Same as [`DeviceBuf::uninit`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::MemorySource;
    ///
    /// let output = DeviceBuf::<f32>::uninit_in(&stream, 1000, MemorySource::Plain)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemAllocAsync", "cuMemAlloc"))]
    pub fn uninit_in<'a>(stream: &Stream, len: usize, source: impl Into<MemorySource<'a>>) -> Result<Self>
    where
        T: AnyBitPattern,
    {
        Self::allocate(stream, len, source.into())
    }

    /// Allocates `len` elements from a chosen source, and sets all bytes to 0.
    ///
    /// # Errors
    ///
    /// Same as [`DeviceBuf::uninit_in`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::MemorySource;
    ///
    /// let counters = DeviceBuf::<u32>::zeroed_in(&stream, 4, MemorySource::Plain)?;
    /// assert_eq!(counters.to_vec()?, [0; 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn zeroed_in<'a>(stream: &Stream, len: usize, source: impl Into<MemorySource<'a>>) -> Result<Self>
    where
        T: Zeroable,
    {
        let mut buffer = Self::allocate(stream, len, source.into())?;
        buffer.as_slice_mut().fill_zero()?;
        Ok(buffer)
    }

    /// Copies host memory to a new buffer, in memory from a chosen source.
    ///
    /// # Blocking
    ///
    /// Until all work queued on `stream` is done, including the copy. If another thread is unregistering the host
    /// memory, the call first waits for that.
    ///
    /// # Errors
    ///
    /// Same as [`DeviceBuf::uninit_in`] and [`DeviceSliceMut::copy_from_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::MemorySource;
    ///
    /// let primes = DeviceBuf::from_host_in(&stream, &[2, 3, 5, 7], MemorySource::Plain)?;
    /// assert_eq!(primes.to_vec()?, [2, 3, 5, 7]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn from_host_in<'a>(
        stream: &Stream,
        elements: &[T],
        source: impl Into<MemorySource<'a>>,
    ) -> Result<Self>
    where
        T: NoUninit,
    {
        let mut buffer = Self::allocate(stream, elements.len(), source.into())?;
        buffer.copy_from_host(elements)?;
        Ok(buffer)
    }

    /// Copies device memory to a new buffer, in memory from a chosen source. Does not wait.
    ///
    /// # Errors
    ///
    /// Same as [`DeviceBuf::uninit_in`] and [`DeviceSliceMut::copy_from_device`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::MemorySource;
    ///
    /// let numbers = DeviceBuf::from_host(&stream, &[1, 2, 3])?;
    /// let plain = DeviceBuf::from_device_in(&stream, numbers.as_slice(), MemorySource::Plain)?;
    /// assert!(plain.is_plain());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemcpyDtoD", "cuMemcpyDtoDAsync", "cuMemcpyPeerAsync"))]
    pub fn from_device_in<'a>(
        stream: &Stream,
        elements: DeviceSlice<'_, T>,
        source: impl Into<MemorySource<'a>>,
    ) -> Result<Self>
    where
        T: Copy,
    {
        let mut buffer = Self::allocate(stream, elements.len(), source.into())?;
        buffer.as_slice_mut().copy_from_device(elements)?;
        Ok(buffer)
    }

    /// Allocates without a guarantee about the contents.
    fn allocate(stream: &Stream, len: usize, source: MemorySource<'_>) -> Result<Self> {
        ensure_aligned::<T>()?;
        Allocation::allocate_for(stream, size_bytes::<T>(len)?, source, |memory| Self::over(memory, len))
    }
}
