//! Managed memory: one address for the host and the devices.

#![allow(unsafe_code)]

mod advice;
mod attach;
mod batch;
mod host;
mod range;

pub use advice::MemAdvise;
pub use attach::MemAttach;
pub use batch::{DiscardBatch, PrefetchBatch};
pub use range::RangeAttribute;

use super::buffer::size_bytes;
use super::pinned::room_for;
use super::pointer::DevicePtr;
use super::view::{DeviceSlice, DeviceSliceMut};
use crate::context::RelaxedCaptureMode;
use crate::device::{Device, DeviceAttribute};
use crate::error::{Code, Error, OrDetail, Result};
use crate::handle::Owned;
use crate::memory::allocation::Allocation;
use crate::stream::Stream;
use bytemuck::{AnyBitPattern, NoUninit, Zeroable};
use core::fmt;
use core::marker::PhantomData;
use core::ops::RangeBounds;
use core::ptr::{NonNull, with_exposed_provenance_mut};
use cuda_sys::CUdeviceptr;
use cuda_sys::Symbol;

/// `len` elements of `T` in managed memory: devices and host find them at one address, and the driver moves them to
/// the processor that uses them.
///
/// As a [`DeviceBuf`](crate::DeviceBuf) it has a home stream, on which its views are read and written. The host gets at
/// it by [`host`](ManagedBuf::host) and [`host_mut`](ManagedBuf::host_mut), which wait for that stream; while the host's
/// slice is there, nothing of this crate writes to the memory.
///
/// Kernels are outside this order. The caller of a launch must ensure that the host has no slice meanwhile, and that
/// the home stream comes after the kernel.
///
/// # Blocking
///
/// Dropping waits until all work queued in the context of the home stream is done.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::{DeviceBuf, ManagedBuf};
/// use cuda_rt::memory::MemAttach;
///
/// let mut managed = ManagedBuf::<u32>::zeroed(&stream, 4, MemAttach::Global)?;
/// let device = DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
/// managed.as_slice_mut().copy_from_device(device.as_slice())?;
/// # if context.device().attribute(cuda_rt::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS)? == 0 { return Ok(()); }
/// managed.host_mut()?[0] = 10;
/// assert_eq!(managed.to_vec()?, [10, 2, 3, 4]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// While the host has it, nothing else is done with it:
///
/// ```compile_fail,E0502
/// # use cuda_rt::{ManagedBuf, Result};
/// fn both(managed: &mut ManagedBuf<u32>) -> Result<u32> {
///     let host = managed.host()?;
///     managed.as_slice_mut().fill_zero()?;
///     Ok(host[0])
/// }
/// ```
pub struct ManagedBuf<T> {
    memory: Owned<Allocation>,
    /// The first element; 0 if there are no bytes.
    address: CUdeviceptr,
    len: usize,
    /// `None` if it cannot be told, after a failure.
    attached: Option<MemAttach>,
    /// True if all devices allow the host in at all times.
    is_concurrent: bool,
    _elements: PhantomData<T>,
}

impl<T: Copy> ManagedBuf<T> {
    /// Allocates `len` elements, all zero, on `stream`. Wraps `cuMemAllocManaged`.
    ///
    /// A buffer of no bytes does without the driver.
    ///
    /// # Errors
    ///
    /// [`Code::OutOfMemory`]; [`Code::NotSupported`] where the device has no managed memory;
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) if the size exceeds the address space;
    /// [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing) if a stream is being captured; or an earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::ManagedBuf;
    /// use cuda_rt::memory::MemAttach;
    ///
    /// let counters = ManagedBuf::<u32>::zeroed(&stream, 4, MemAttach::Global)?;
    /// assert_eq!(counters.to_vec()?, [0; 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemAllocManaged")]
    pub fn zeroed(stream: &Stream, len: usize, attach: MemAttach) -> Result<Self>
    where
        T: Zeroable,
    {
        let mut buffer = Self::allocate(stream, len, attach)?;
        match attach {
            MemAttach::Global => buffer.as_slice_mut().fill_zero()?,
            // SAFETY: `len` elements of new memory, which is attached to the host: no device has to do with it.
            MemAttach::Host | MemAttach::Single => unsafe { buffer.start().write_bytes(0, len) },
        }
        buffer.attach_first(attach)
    }

    /// Makes a copy of host memory, on `stream`. Wraps `cuMemAllocManaged`.
    ///
    /// # Blocking
    ///
    /// Until the copy is done.
    ///
    /// # Errors
    ///
    /// Same as [`ManagedBuf::zeroed`] and [`DeviceSliceMut::copy_from_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::ManagedBuf;
    /// use cuda_rt::memory::MemAttach;
    ///
    /// let primes = ManagedBuf::from_host(&stream, &[2, 3, 5, 7], MemAttach::Global)?;
    /// assert_eq!(primes.slice(1..3)?.to_vec()?, [3, 5]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemAllocManaged")]
    pub fn from_host(stream: &Stream, elements: &[T], attach: MemAttach) -> Result<Self>
    where
        T: NoUninit,
    {
        let mut buffer = Self::allocate(stream, elements.len(), attach)?;
        match attach {
            MemAttach::Global => buffer.as_slice_mut().copy_from_host(elements)?,
            MemAttach::Host | MemAttach::Single => {
                let source = NonNull::from(elements).cast();
                // SAFETY: as many elements of new memory, which is attached to the host: no device has to do with it.
                unsafe { buffer.start().copy_from_nonoverlapping(source, elements.len()) };
            }
        }
        buffer.attach_first(attach)
    }

    /// Attaches new memory to its stream, if it is for that stream alone.
    fn attach_first(mut self, attach: MemAttach) -> Result<Self> {
        if attach == MemAttach::Single {
            let stream = self.stream().clone();
            self.attach(&stream, attach)?;
        }
        Ok(self)
    }

    /// Allocates memory that is not initialised, which the caller makes up for. Memory for one stream is the host's at first.
    fn allocate(stream: &Stream, len: usize, attach: MemAttach) -> Result<Self> {
        let attach = if attach == MemAttach::Single { MemAttach::Host } else { attach };
        let mut buffer = ManagedBuf {
            memory: Allocation::plain(stream),
            address: 0,
            len,
            attached: Some(attach),
            is_concurrent: false,
            _elements: PhantomData,
        };
        let bytes = size_bytes::<T>(len)?;
        if bytes == 0 {
            return Ok(buffer);
        }
        for device in Device::all()? {
            buffer.is_concurrent = device.attribute(DeviceAttribute::CONCURRENT_MANAGED_ACCESS)? != 0;
            if !buffer.is_concurrent {
                break;
            }
        }
        // A capture would record what is written first, instead of doing it.
        stream.refuse_capture(Symbol::cuMemAllocManaged)?;
        let asked = bytes.saturating_add(room_for::<T>());
        {
            let _bound = stream.context().bind(Symbol::cuMemAllocManaged)?;
            // Else a capture that this or another thread makes would be ended by it.
            let _relaxed = RelaxedCaptureMode::new();
            let base = &raw mut *buffer.memory.address_mut();
            let flags = attach.as_raw();
            // SAFETY: `base` is valid for a write; the context is current.
            unsafe { check!(cuMemAllocManaged(base, asked, flags)) }
                .or_detail(&[Code::OutOfMemory], &|| format!("{asked} bytes"))?;
        }
        let base = buffer.memory.address();
        let aligned = base.checked_next_multiple_of(align_of::<T>() as u64);
        let end = base.saturating_add(asked as u64);
        match aligned {
            Some(start) if base > 0 && start.saturating_add(bytes as u64) <= end => buffer.address = start,
            // Not memory for such elements.
            _ => return Err(Error::host_memory(bytes)),
        }
        Ok(buffer)
    }
}

impl<T> ManagedBuf<T> {
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

    /// Returns the stream on which the memory lives.
    pub fn stream(&self) -> &Stream {
        self.memory.stream()
    }

    /// Returns the address of the first element, for kernels: the same as for the host. Null if the buffer has no
    /// bytes.
    pub fn ptr(&self) -> DevicePtr<T> {
        DevicePtr::from_raw(self.address)
    }

    /// Returns all elements, to read on the device.
    pub fn as_slice(&self) -> DeviceSlice<'_, T> {
        // No graph may keep it, since the host uses it without asking graphs.
        DeviceSlice::new(self.address, self.len, self.memory.stream(), None)
    }

    /// Returns all elements, to write on the device.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::ManagedBuf;
    /// # use cuda_rt::memory::MemAttach;
    /// let mut managed = ManagedBuf::from_host(&stream, &[1, 2, 3], MemAttach::Global)?;
    /// managed.as_slice_mut().fill_zero()?;
    /// assert_eq!(managed.to_vec()?, [0; 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn as_slice_mut(&mut self) -> DeviceSliceMut<'_, T> {
        DeviceSliceMut::new(self.address, self.len, self.memory.stream(), None)
    }

    /// Returns the elements of a range, to read on the device.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) if the range is not inside the buffer.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::ManagedBuf;
    /// # use cuda_rt::memory::MemAttach;
    /// let managed = ManagedBuf::from_host(&stream, &[1, 2, 3], MemAttach::Global)?;
    /// assert_eq!(managed.slice(1..)?.to_vec()?, [2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<DeviceSlice<'_, T>> {
        self.as_slice().slice(range)
    }

    /// Returns the elements of a range, to write on the device.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) if the range is not inside the buffer.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::ManagedBuf;
    /// # use cuda_rt::memory::MemAttach;
    /// let mut managed = ManagedBuf::from_host(&stream, &[1, 2, 3], MemAttach::Global)?;
    /// managed.slice_mut(1..)?.copy_from_host(&[20, 30])?;
    /// assert_eq!(managed.to_vec()?, [1, 20, 30]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> Result<DeviceSliceMut<'_, T>> {
        self.as_slice_mut().into_slice(range)
    }

    /// Returns a copy of the buffer in other host memory.
    ///
    /// # Blocking
    ///
    /// Until everything queued on the home stream, and the copy, is done.
    ///
    /// # Errors
    ///
    /// Same as [`DeviceSlice::copy_to_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::ManagedBuf;
    /// # use cuda_rt::memory::MemAttach;
    /// let managed = ManagedBuf::from_host(&stream, &[1, 2, 3], MemAttach::Global)?;
    /// assert_eq!(managed.to_vec()?, [1, 2, 3]);
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
    /// [hook](crate::handle::set_drop_hook). Wraps `cuMemFree`.
    ///
    /// # Blocking
    ///
    /// Until all work queued in the context of the home stream is done.
    ///
    /// # Errors
    ///
    /// An earlier failure. The memory is given up all the same.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::ManagedBuf;
    /// # use cuda_rt::memory::MemAttach;
    /// ManagedBuf::from_host(&stream, &[1, 2, 3], MemAttach::Global)?.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemFree")]
    pub fn close(self) -> Result<()> {
        self.memory.close()
    }

    /// Returns the first element, for the host; dangling if there are no bytes.
    fn start(&self) -> NonNull<T> {
        let address = usize::try_from(self.address).unwrap_or(0);
        NonNull::new(with_exposed_provenance_mut(address)).unwrap_or(NonNull::dangling())
    }
}

impl<T> fmt::Debug for ManagedBuf<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ManagedBuf")
            .field("ptr", &self.ptr())
            .field("len", &self.len)
            .field("attached", &self.attached)
            .field("stream", self.memory.stream())
            .finish()
    }
}
