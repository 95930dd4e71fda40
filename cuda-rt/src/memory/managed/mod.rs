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

/// `len` elements of `T` in managed memory. Devices and host use the same address, and the driver moves pages to the processor
/// that uses them.
///
/// Like a [`DeviceBuf`](crate::DeviceBuf) the buffer has a home stream, on which its views are read and written. The host
/// accesses the elements by [`host`](ManagedBuf::host) and [`host_mut`](ManagedBuf::host_mut), which wait for the home stream.
/// While the host's slice exists, no function of this crate writes to the memory.
///
/// Kernels are outside this order. The caller of a launch must ensure that the host holds no slice meanwhile, and that later work
/// of the home stream waits for the kernel.
///
/// # Blocking
///
/// Dropping waits until all work queued in the context of the home stream is done. It also waits for copies of this
/// crate from or to other devices, and for the streams of [guards](crate::memory::UseOn) on other devices.
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
/// While the host borrows the elements, the device cannot use them:
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
    /// Address of the first element; 0 if there are no bytes.
    address: CUdeviceptr,
    len: usize,
    /// `None` if unknown, after a failure.
    attached: Option<MemAttach>,
    /// True if all devices allow the host to access the memory at all times.
    is_concurrent: bool,
    _elements: PhantomData<T>,
}

impl<T: Copy> ManagedBuf<T> {
    /// Allocates `len` elements on `stream`, all zero. Wraps `cuMemAllocManaged`.
    ///
    /// An empty buffer makes no driver call.
    ///
    /// # Errors
    ///
    /// - [`Code::OutOfMemory`].
    /// - [`Code::NotSupported`] where the device has no managed memory.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the size exceeds the address space, or
    ///   `attach` is [`Single`](MemAttach::Single) and `stream` is a default stream.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): `stream` is being captured.
    /// - An earlier failure.
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
            // SAFETY: `len` elements of new memory, which is attached to the host: no device uses it.
            MemAttach::Host | MemAttach::Single => unsafe { buffer.start().write_bytes(0, len) },
        }
        buffer.attach_first(attach)
    }

    /// Copies host memory to a new buffer on `stream`. Wraps `cuMemAllocManaged`.
    ///
    /// # Blocking
    ///
    /// With [`Global`](MemAttach::Global), until all work queued on `stream` is done, including the copy. If another
    /// thread is unregistering the host memory, the call first waits for that.
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
                // SAFETY: as many elements of new memory, which is attached to the host: no device uses it.
                unsafe { buffer.start().copy_from_nonoverlapping(source, elements.len()) };
            }
        }
        buffer.attach_first(attach)
    }

    /// Attaches new memory to its stream, if `attach` is [`Single`](MemAttach::Single).
    fn attach_first(mut self, attach: MemAttach) -> Result<Self> {
        if attach == MemAttach::Single {
            let stream = self.stream().clone();
            self.attach(&stream, attach)?;
        }
        Ok(self)
    }

    /// Allocates uninitialised memory, which the caller must initialise. Memory for one stream is attached to the host at first.
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
        // A capture would record the first write instead of performing it.
        stream.refuse_capture(Symbol::cuMemAllocManaged)?;
        let asked = bytes.saturating_add(room_for::<T>());
        {
            let _bound = stream.context().bind(Symbol::cuMemAllocManaged)?;
            // Otherwise a capture that this or another thread makes would be invalidated.
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
            // The address is not aligned for such elements.
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

    /// Returns the home stream.
    pub fn stream(&self) -> &Stream {
        self.memory.stream()
    }

    /// Returns the address of the first element, for kernels. It is the host's address, too. Null if the buffer has no bytes.
    pub fn ptr(&self) -> DevicePtr<T> {
        DevicePtr::from_raw(self.address)
    }

    /// Returns a view of all elements, to read on the device.
    pub fn as_slice(&self) -> DeviceSlice<'_, T> {
        // No graph may keep the memory, because the host uses it without a check for graphs.
        DeviceSlice::new(self.address, self.len, self.memory.stream(), None)
    }

    /// Returns a view of all elements, to write on the device.
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

    /// Returns a view of a range of elements, to read on the device.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range is not inside the buffer.
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

    /// Returns a view of a range of elements, to write on the device.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range is not inside the buffer.
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

    /// Copies the buffer to other host memory.
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

    /// Frees the memory and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuMemFree`.
    ///
    /// # Blocking
    ///
    /// The same as dropping: see [`ManagedBuf`](ManagedBuf#blocking).
    ///
    /// # Errors
    ///
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): copies from or to other devices are not done,
    ///   and the home stream is being captured. The memory is not freed.
    /// - An earlier failure.
    ///
    /// The buffer is consumed in any case.
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

    /// Returns the host's pointer to the first element; dangling if there are no bytes.
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
