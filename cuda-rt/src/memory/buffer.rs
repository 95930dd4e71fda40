//! Owned device memory.

#![allow(unsafe_code)]

use super::pointer::DevicePtr;
use super::view::{DeviceSlice, DeviceSliceMut};
use crate::context::{By, release_in};
use crate::error::{Code, Detail, Detailed, InvalidArgument, Result, report};
use crate::stream::Stream;
use bytemuck::{AnyBitPattern, NoUninit, Zeroable};
use core::fmt;
use core::marker::PhantomData;
use core::ops::RangeBounds;
use cuda_sys::CUdeviceptr;

/// `len` elements of `T` in device memory.
///
/// Dropping frees them on the home stream without waiting; see the [module](crate::memory).
///
/// ```
/// # cuda_sim::install_once();
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
/// use cuda_rt::{DeviceBuf, Stream};
///
/// let stream = Stream::new(&context)?;
/// let mut numbers = DeviceBuf::from_host(&stream, &[1.0_f32, 2.0, 3.0])?;
/// numbers.slice_mut(1..)?.copy_from_host(&[20.0, 30.0])?;
/// assert_eq!(numbers.to_vec()?, [1.0, 20.0, 30.0]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub struct DeviceBuf<T> {
    /// 0 if there is nothing to free.
    address: CUdeviceptr,
    len: usize,
    allocator: Allocator,
    stream: Stream,
    _elements: PhantomData<T>,
}

/// How a buffer's memory was made, which decides how it is freed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Allocator {
    /// `cuMemAllocAsync`: from the device's pool, in the order of the home stream.
    StreamOrdered,
    /// `cuMemAlloc`: at once, for all streams.
    Plain,
}

impl<T> DeviceBuf<T> {
    /// Memory for `len` elements, on `stream`. Its contents are whatever was there before: some valid
    /// `T`s, since every bit pattern is one.
    ///
    /// Wraps `cuMemAllocAsync`; `cuMemAlloc` on devices without memory pools. A buffer of no bytes does
    /// without the driver.
    ///
    /// # Errors
    ///
    /// [`Code::OutOfMemory`](crate::Code::OutOfMemory), [`InvalidArgument::SizeOverflow`],
    /// [`InvalidArgument::Capturing`], or an earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// use cuda_rt::{DeviceBuf, Stream};
    ///
    /// let output = DeviceBuf::<f32>::uninit(&Stream::new(&context)?, 1000)?;
    /// assert_eq!(output.size_bytes(), 4000);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemAllocAsync", "cuMemAlloc"))]
    pub fn uninit(stream: &Stream, len: usize) -> Result<Self>
    where
        T: AnyBitPattern,
    {
        Self::allocate(stream, len)
    }

    /// Memory for `len` elements, all zero.
    ///
    /// Wraps `cuMemAllocAsync` and `cuMemsetD8Async`.
    ///
    /// # Errors
    ///
    /// Those of [`DeviceBuf::uninit`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
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
        let mut buffer = Self::allocate(stream, len)?;
        buffer.as_slice_mut().fill_zero()?;
        Ok(buffer)
    }

    /// A copy of host memory.
    ///
    /// # Blocking
    ///
    /// Until the copy is done.
    ///
    /// # Errors
    ///
    /// Those of [`DeviceBuf::uninit`] and [`DeviceSliceMut::copy_from_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
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
        let mut buffer = Self::allocate(stream, elements.len())?;
        buffer.copy_from_host(elements)?;
        Ok(buffer)
    }

    /// Allocates without a promise about the contents.
    fn allocate(stream: &Stream, len: usize) -> Result<Self> {
        let context = stream.context();
        let allocator = if context.has_pools() { Allocator::StreamOrdered } else { Allocator::Plain };
        // From here on the buffer owns what `address` says.
        let mut buffer =
            DeviceBuf { address: 0, len, allocator, stream: stream.clone(), _elements: PhantomData };
        let bytes = size_bytes::<T>(len)?;
        if bytes == 0 {
            return Ok(buffer);
        }
        // A capture would record the allocation instead of making it.
        stream.refuse_capture()?;
        let _bound = context.bind()?;
        stream.free_deferred();
        let address = &raw mut buffer.address;
        let allocated = match allocator {
            // SAFETY: `address` is valid for a write; stream and context are live, the context current.
            Allocator::StreamOrdered => unsafe { check!(cuMemAllocAsync(address, bytes, stream.as_raw())) },
            // SAFETY: `address` is valid for a write; the context is current.
            Allocator::Plain => unsafe { check!(cuMemAlloc_v2(address, bytes)) },
        };
        allocated.detailed(Code::OutOfMemory, || {
            let free = context.memory_info().ok().map(|(free, _)| free);
            Detail::Memory { bytes, free }
        })?;
        Ok(buffer)
    }

    /// The number of elements.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # let buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// assert_eq!((buffer.len(), buffer.is_empty(), buffer.size_bytes()), (4, false, 16));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// let nothing = cuda_rt::DeviceBuf::<f32>::zeroed(&stream, 0)?;
    /// assert!(nothing.is_empty());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The size in bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # let buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// assert_eq!(buffer.size_bytes(), 16); // four `i32`s
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn size_bytes(&self) -> usize {
        self.len * size_of::<T>()
    }

    /// The stream on which the memory lives.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # let buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// assert_eq!(buffer.stream(), &stream);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// The address of the first element, for kernels. Null if the buffer has no bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # let buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// assert!(!buffer.ptr().is_null());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn ptr(&self) -> DevicePtr<T> {
        DevicePtr::from_raw(self.address)
    }

    /// All elements, to read.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # let buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// assert_eq!(buffer.as_slice().len(), 4);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn as_slice(&self) -> DeviceSlice<'_, T> {
        DeviceSlice::new(self.address, self.len, &self.stream)
    }

    /// All elements, to write.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # let mut buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// buffer.as_slice_mut().fill_zero()?;
    /// assert_eq!(buffer.to_vec()?, [0; 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn as_slice_mut(&mut self) -> DeviceSliceMut<'_, T> {
        DeviceSliceMut::new(self.address, self.len, &self.stream)
    }

    /// The elements of a range, to read.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument::OutOfBounds`] if the range is not inside the buffer.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # let buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// assert_eq!(buffer.slice(1..3)?.to_vec()?, [2, 3]);
    /// assert!(buffer.slice(3..5).is_err());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<DeviceSlice<'_, T>> {
        self.as_slice().slice(range)
    }

    /// The elements of a range, to write.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument::OutOfBounds`] if the range is not inside the buffer.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
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
    /// Until everything queued on the home stream, and the copy, is done.
    ///
    /// # Errors
    ///
    /// Those of [`DeviceSliceMut::copy_from_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # let mut buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// buffer.copy_from_host(&[5, 6, 7, 8])?;
    /// assert_eq!(buffer.to_vec()?, [5, 6, 7, 8]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemcpyHtoD", "cuMemcpyHtoDAsync"))]
    pub fn copy_from_host(&mut self, elements: &[T]) -> Result<()>
    where
        T: NoUninit,
    {
        self.as_slice_mut().copy_from_host(elements)
    }

    /// Overwrites the buffer with device memory of the same length. Does not wait.
    ///
    /// # Errors
    ///
    /// Those of [`DeviceSliceMut::copy_from_device`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
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
    /// Those of [`DeviceSliceMut::fill_zero`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
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
    /// Until everything queued on the home stream, and the copy, is done.
    ///
    /// # Errors
    ///
    /// Those of [`DeviceSlice::copy_to_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # let buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// let mut host = [0; 4];
    /// buffer.copy_to_host(&mut host)?;
    /// assert_eq!(host, [1, 2, 3, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemcpyDtoH", "cuMemcpyDtoHAsync"))]
    pub fn copy_to_host(&self, elements: &mut [T]) -> Result<()>
    where
        T: AnyBitPattern,
    {
        self.as_slice().copy_to_host(elements)
    }

    /// A copy of the buffer in host memory.
    ///
    /// # Blocking
    ///
    /// Until everything queued on the home stream, and the copy, is done.
    ///
    /// # Errors
    ///
    /// Those of [`DeviceSlice::copy_to_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
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

    /// Frees the memory and reports the driver's answer, which a drop can only give to the
    /// [hook](crate::error::set_drop_hook). Wraps `cuMemFreeAsync`, or `cuMemFree`.
    ///
    /// # Errors
    ///
    /// An earlier failure. The memory is given up all the same.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # let buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
    /// buffer.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemFreeAsync", "cuMemFree"))]
    pub fn close(self) -> Result<()> {
        let mut this = self;
        this.release()
    }

    fn release(&mut self) -> Result<()> {
        let address = core::mem::take(&mut self.address);
        if address == 0 {
            return Ok(());
        }
        let stream = &self.stream;
        let by = match self.allocator {
            Allocator::StreamOrdered => stream.frees_by(),
            Allocator::Plain => By::Handle,
        };
        release_in(stream.context(), by, |_| match self.allocator {
            Allocator::StreamOrdered => stream.free(address),
            // SAFETY: the memory was this value's, and is nobody's now.
            Allocator::Plain => unsafe { check!(cuMemFree_v2(address)) },
        })
    }
}

/// `len` elements in bytes, if the address space can hold them.
pub(super) fn size_bytes<T>(len: usize) -> Result<usize> {
    let element_bytes = size_of::<T>();
    len.checked_mul(element_bytes)
        .filter(|bytes| isize::try_from(*bytes).is_ok())
        .ok_or_else(|| InvalidArgument::SizeOverflow { len, element_bytes }.into())
}

impl<T> Drop for DeviceBuf<T> {
    fn drop(&mut self) {
        report(self.release());
    }
}

impl<T> fmt::Debug for DeviceBuf<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("DeviceBuf")
            .field("ptr", &self.ptr())
            .field("len", &self.len)
            .field("allocator", &self.allocator)
            .field("stream", &self.stream)
            .finish()
    }
}
