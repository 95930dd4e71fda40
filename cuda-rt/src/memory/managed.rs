//! Managed memory: one address for the host and the devices.

#![allow(unsafe_code)]

use super::buffer::size_bytes;
use super::copy::new_mark;
use super::pinned::room_for;
use super::pointer::DevicePtr;
use super::view::{DeviceSlice, DeviceSliceMut};
use crate::context::{By, Context, Relaxed, release_in};
use crate::device::{Device, DeviceAttribute};
use crate::error::{Code, Detail, Detailed, Error, InvalidArgument, Result, report};
use crate::stream::Stream;
use bytemuck::{AnyBitPattern, NoUninit, Zeroable};
use core::fmt;
use core::marker::PhantomData;
use core::ops::RangeBounds;
use core::ptr::{NonNull, with_exposed_provenance_mut};
use cuda_sys::{CU_STREAM_LEGACY, CU_STREAM_PER_THREAD, CUdeviceptr, CUmemAttach_flags_enum as C};

/// Who can use managed memory to begin with.
///
/// ```
/// # cuda_sim::install_once();
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
/// # let stream = cuda_rt::Stream::new(&context)?;
/// use cuda_rt::{ManagedAttach, ManagedBuf};
///
/// let mut numbers = ManagedBuf::<u32>::zeroed(&stream, 4, ManagedAttach::Host)?;
/// numbers.host_mut()?.fill(7); // legal on every device
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ManagedAttach {
    /// Every stream of every device.
    #[doc(alias = "CU_MEM_ATTACH_GLOBAL")]
    #[default]
    Global,
    /// The host; also the devices that allow for concurrent access.
    #[doc(alias = "CU_MEM_ATTACH_HOST")]
    Host,
}

/// Who can use managed memory from some point of a stream on.
///
/// It makes a difference only where a device lacks
/// [`CONCURRENT_MANAGED_ACCESS`](DeviceAttribute::CONCURRENT_MANAGED_ACCESS).
///
/// ```
/// # cuda_sim::install_once();
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
/// # let stream = cuda_rt::Stream::new(&context)?;
/// use cuda_rt::{ManagedAttach, ManagedBuf, MemAttach};
///
/// let mut numbers = ManagedBuf::<u32>::zeroed(&stream, 4, ManagedAttach::Host)?;
/// numbers.attach(&stream, MemAttach::Single)?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUmemAttach_flags")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MemAttach {
    /// Every stream of every device.
    #[doc(alias = "CU_MEM_ATTACH_GLOBAL")]
    Global,
    /// The host; also the devices that allow for concurrent access.
    #[doc(alias = "CU_MEM_ATTACH_HOST")]
    Host,
    /// This stream.
    #[doc(alias = "CU_MEM_ATTACH_SINGLE")]
    Single,
}

/// `len` elements of `T` in managed memory: devices and host find them at one address, and the driver moves them to
/// whoever uses them.
///
/// As a [`DeviceBuf`](crate::DeviceBuf) it has a home stream, on which its views are read and written. The host gets at
/// it by [`host`](ManagedBuf::host) and [`host_mut`](ManagedBuf::host_mut), which wait for that stream; while the host's
/// slice is there, nothing of this crate writes to the memory.
///
/// A kernel is outside of this order, as ever: whoever launches one sees to it that the host has no slice meanwhile, and
/// that the home stream comes after it.
///
/// # Blocking
///
/// Dropping waits until the device has done everything that was started.
///
/// ```
/// # cuda_sim::install_once();
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
/// # let stream = cuda_rt::Stream::new(&context)?;
/// use cuda_rt::{DeviceBuf, ManagedAttach, ManagedBuf};
///
/// let mut managed = ManagedBuf::<u32>::zeroed(&stream, 4, ManagedAttach::Global)?;
/// let device = DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
/// managed.as_slice_mut().copy_from_device(device.as_slice())?;
/// # if context.device().attribute(cuda_rt::DeviceAttribute::CONCURRENT_MANAGED_ACCESS)? == 0 { return Ok(()); }
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
    /// What is to be freed; 0 if there is nothing.
    base: CUdeviceptr,
    /// The first element; 0 if there are no bytes.
    address: CUdeviceptr,
    len: usize,
    /// `None` if it cannot be told, after a failure.
    attached: Option<MemAttach>,
    /// Whether all devices allow the host in at all times.
    is_concurrent: bool,
    stream: Stream,
    /// What it was allocated in.
    context: Context,
    _elements: PhantomData<T>,
}

impl<T: Copy> ManagedBuf<T> {
    /// Memory for `len` elements, all zero, on `stream`. Wraps `cuMemAllocManaged`.
    ///
    /// A buffer of no bytes does without the driver.
    ///
    /// # Errors
    ///
    /// [`Code::OutOfMemory`]; [`Code::NotSupported`] where the device has no managed memory;
    /// [`InvalidArgument::SizeOverflow`]; [`InvalidArgument::Capturing`]; or an earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// use cuda_rt::{ManagedAttach, ManagedBuf};
    ///
    /// let counters = ManagedBuf::<u32>::zeroed(&stream, 4, ManagedAttach::Global)?;
    /// assert_eq!(counters.to_vec()?, [0; 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemAllocManaged")]
    pub fn zeroed(stream: &Stream, len: usize, attach: ManagedAttach) -> Result<Self>
    where
        T: Zeroable,
    {
        let mut buffer = Self::allocate(stream, len, attach)?;
        match attach {
            ManagedAttach::Global => buffer.as_slice_mut().fill_zero()?,
            // SAFETY: `len` elements of new memory, which is attached to the host: no device has to do with it.
            ManagedAttach::Host => unsafe { buffer.start().write_bytes(0, len) },
        }
        Ok(buffer)
    }

    /// A copy of host memory, on `stream`. Wraps `cuMemAllocManaged`.
    ///
    /// # Blocking
    ///
    /// Until the copy is done.
    ///
    /// # Errors
    ///
    /// Those of [`ManagedBuf::zeroed`] and [`DeviceSliceMut::copy_from_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// use cuda_rt::{ManagedAttach, ManagedBuf};
    ///
    /// let primes = ManagedBuf::from_host(&stream, &[2, 3, 5, 7], ManagedAttach::Global)?;
    /// assert_eq!(primes.slice(1..3)?.to_vec()?, [3, 5]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemAllocManaged")]
    pub fn from_host(stream: &Stream, elements: &[T], attach: ManagedAttach) -> Result<Self>
    where
        T: NoUninit,
    {
        let mut buffer = Self::allocate(stream, elements.len(), attach)?;
        match attach {
            ManagedAttach::Global => buffer.as_slice_mut().copy_from_host(elements)?,
            ManagedAttach::Host => {
                let source = NonNull::from(elements).cast();
                // SAFETY: as many elements of new memory, which is attached to the host: no device has to do with it.
                unsafe { buffer.start().copy_from_nonoverlapping(source, elements.len()) };
            }
        }
        Ok(buffer)
    }

    /// Memory that is not initialised, which the caller makes up for.
    fn allocate(stream: &Stream, len: usize, attach: ManagedAttach) -> Result<Self> {
        let context = stream.context().clone();
        let attached = Some(attach.into());
        // From here on the buffer owns what `base` says.
        let mut buffer = ManagedBuf {
            base: 0,
            address: 0,
            len,
            attached,
            is_concurrent: false,
            stream: stream.clone(),
            context,
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
        stream.refuse_capture()?;
        let asked = bytes.saturating_add(room_for::<T>());
        {
            let _bound = stream.context().bind()?;
            // Else a capture that this or another thread makes would be ended by it.
            let _relaxed = Relaxed::new();
            let base = &raw mut buffer.base;
            let flags = MemAttach::from(attach).as_raw();
            // SAFETY: `base` is valid for a write; the context is current.
            unsafe { check!(cuMemAllocManaged(base, asked, flags)) }
                .detailed(Code::OutOfMemory, || Detail::Memory { bytes: asked, free: None })?;
        }
        let aligned = buffer.base.checked_next_multiple_of(align_of::<T>() as u64);
        let end = buffer.base.saturating_add(asked as u64);
        match aligned {
            Some(start) if buffer.base > 0 && start.saturating_add(bytes as u64) <= end => {
                buffer.address = start
            }
            // Not memory for such elements.
            _ => return Err(Error::HostMemory { bytes }),
        }
        Ok(buffer)
    }
}

impl<T> ManagedBuf<T> {
    /// The number of elements.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # use cuda_rt::{ManagedAttach, ManagedBuf};
    /// let buffer = ManagedBuf::from_host(&stream, &[1_u16, 2, 3], ManagedAttach::Global)?;
    /// assert_eq!((buffer.len(), buffer.is_empty(), buffer.size_bytes()), (3, false, 6));
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
    /// # use cuda_rt::{ManagedAttach, ManagedBuf};
    /// assert!(ManagedBuf::<u8>::zeroed(&stream, 0, ManagedAttach::Global)?.is_empty());
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
    /// # use cuda_rt::{ManagedAttach, ManagedBuf};
    /// assert_eq!(ManagedBuf::<u64>::zeroed(&stream, 4, ManagedAttach::Global)?.size_bytes(), 32);
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
    /// # use cuda_rt::{ManagedAttach, ManagedBuf};
    /// let buffer = ManagedBuf::<u8>::zeroed(&stream, 4, ManagedAttach::Global)?;
    /// assert_eq!(buffer.stream(), &stream);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// The address of the first element, for kernels: the same as for the host. Null if the buffer has no bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # use cuda_rt::{ManagedAttach, ManagedBuf};
    /// let buffer = ManagedBuf::<u8>::zeroed(&stream, 4, ManagedAttach::Host)?;
    /// assert_eq!(buffer.ptr().as_raw(), buffer.host()?.as_ptr().addr() as u64);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn ptr(&self) -> DevicePtr<T> {
        DevicePtr::from_raw(self.address)
    }

    /// All elements, to read on the device.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # use cuda_rt::{DeviceBuf, ManagedAttach, ManagedBuf};
    /// let managed = ManagedBuf::from_host(&stream, &[1, 2, 3], ManagedAttach::Global)?;
    /// let mut device = DeviceBuf::<i32>::zeroed(&stream, 3)?;
    /// device.copy_from_device(managed.as_slice())?;
    /// assert_eq!(device.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn as_slice(&self) -> DeviceSlice<'_, T> {
        DeviceSlice::new(self.address, self.len, &self.stream)
    }

    /// All elements, to write on the device.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # use cuda_rt::{ManagedAttach, ManagedBuf};
    /// let mut managed = ManagedBuf::from_host(&stream, &[1, 2, 3], ManagedAttach::Global)?;
    /// managed.as_slice_mut().fill_zero()?;
    /// assert_eq!(managed.to_vec()?, [0; 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn as_slice_mut(&mut self) -> DeviceSliceMut<'_, T> {
        DeviceSliceMut::new(self.address, self.len, &self.stream)
    }

    /// The elements of a range, to read on the device.
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
    /// # use cuda_rt::{ManagedAttach, ManagedBuf};
    /// let managed = ManagedBuf::from_host(&stream, &[1, 2, 3], ManagedAttach::Global)?;
    /// assert_eq!(managed.slice(1..)?.to_vec()?, [2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<DeviceSlice<'_, T>> {
        self.as_slice().slice(range)
    }

    /// The elements of a range, to write on the device.
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
    /// # use cuda_rt::{ManagedAttach, ManagedBuf};
    /// let mut managed = ManagedBuf::from_host(&stream, &[1, 2, 3], ManagedAttach::Global)?;
    /// managed.slice_mut(1..)?.copy_from_host(&[20, 30])?;
    /// assert_eq!(managed.to_vec()?, [1, 20, 30]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> Result<DeviceSliceMut<'_, T>> {
        self.as_slice_mut().into_slice(range)
    }

    /// A copy of the buffer in other host memory.
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
    /// # use cuda_rt::{ManagedAttach, ManagedBuf};
    /// let managed = ManagedBuf::from_host(&stream, &[1, 2, 3], ManagedAttach::Global)?;
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

    /// The elements, to read on the host.
    ///
    /// # Blocking
    ///
    /// Until everything queued on the home stream is done.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument::NotForHost`] if a device lacks
    /// [`CONCURRENT_MANAGED_ACCESS`](DeviceAttribute::CONCURRENT_MANAGED_ACCESS) and the memory is not attached to the host;
    /// [`InvalidArgument::Capturing`] while the home stream is being captured; or the failure of something that was queued.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # use cuda_rt::{ManagedAttach, ManagedBuf};
    /// let managed = ManagedBuf::from_host(&stream, &[1, 2, 3], ManagedAttach::Host)?;
    /// assert_eq!(managed.host()?.iter().sum::<i32>(), 6);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamSynchronize")]
    pub fn host(&self) -> Result<&[T]>
    where
        T: AnyBitPattern,
    {
        self.let_host_in()?;
        // SAFETY: the host may access it; what was queued is done, and while it is borrowed, nothing that writes is queued.
        // Whatever was written is a `T`.
        Ok(unsafe { self.host_unchecked() })
    }

    /// The elements, to write on the host.
    ///
    /// # Blocking
    ///
    /// Until everything queued on the home stream is done.
    ///
    /// # Errors
    ///
    /// Those of [`ManagedBuf::host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # use cuda_rt::{ManagedAttach, ManagedBuf};
    /// let mut managed = ManagedBuf::<u8>::zeroed(&stream, 4, ManagedAttach::Host)?;
    /// managed.host_mut()?.copy_from_slice(b"data");
    /// assert_eq!(managed.host()?, b"data");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamSynchronize")]
    pub fn host_mut(&mut self) -> Result<&mut [T]>
    where
        T: AnyBitPattern,
    {
        self.let_host_in()?;
        // SAFETY: the host may access it; what was queued is done, and while it is borrowed, nothing else is queued.
        Ok(unsafe { self.host_unchecked_mut() })
    }

    /// The elements, to read on the host, without waiting or asking.
    ///
    /// # Safety
    ///
    /// - The elements are valid `T`s, whatever was copied to them.
    /// - Nothing that was queued writes to the memory while the slice is there.
    /// - The host may access it: every device has
    ///   [`CONCURRENT_MANAGED_ACCESS`](DeviceAttribute::CONCURRENT_MANAGED_ACCESS), or the memory is attached to the host, or
    ///   to a stream that has nothing to do, or no device has anything to do.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # use cuda_rt::{ManagedAttach, ManagedBuf};
    /// let managed = ManagedBuf::from_host(&stream, &[1, 2, 3], ManagedAttach::Host)?;
    /// // SAFETY: it is attached to the host, and nothing was queued.
    /// assert_eq!(unsafe { managed.host_unchecked() }, [1, 2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn host_unchecked(&self) -> &[T] {
        // SAFETY: every constructor has initialised as many elements, which are there for the host as for the device; that
        // they may be looked at is the caller's promise.
        unsafe { core::slice::from_raw_parts(self.start().as_ptr(), self.len) }
    }

    /// The elements, to write on the host, without waiting or asking.
    ///
    /// # Safety
    ///
    /// - The elements are valid `T`s, whatever was copied to them.
    /// - Nothing that was queued reads the memory, or writes to it, while the slice is there.
    /// - The host may access it: see [`ManagedBuf::host_unchecked`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # use cuda_rt::{ManagedAttach, ManagedBuf};
    /// let mut managed = ManagedBuf::from_host(&stream, &[1, 2, 3], ManagedAttach::Host)?;
    /// // SAFETY: it is attached to the host, and nothing was queued.
    /// let host = unsafe { managed.host_unchecked_mut() };
    /// host[0] = 10;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn host_unchecked_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and borrowed mutably.
        unsafe { core::slice::from_raw_parts_mut(self.start().as_ptr(), self.len) }
    }

    /// Waits until the host may have the memory.
    fn let_host_in(&self) -> Result<()> {
        if self.address == 0 {
            return Ok(());
        }
        if !self.is_concurrent && self.attached != Some(MemAttach::Host) {
            return Err(InvalidArgument::NotForHost.into());
        }
        // Waiting would end the capture.
        self.stream.refuse_capture()?;
        // Else a capture that this or another thread makes elsewhere would forbid waiting.
        let _relaxed = Relaxed::new();
        // Work on other streams is ordered with this one, by whatever has queued it.
        self.stream.synchronize()
    }

    /// Decides who can use the memory from here on, in the order of `stream`, which becomes its home. Does not wait: what
    /// is queued on the home of before comes first. Wraps `cuStreamAttachMemAsync`.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument::DifferentContexts`]; [`InvalidArgument::DefaultStream`] if a default stream is to have it alone;
    /// [`InvalidArgument::Capturing`] while one of the streams is being captured; or an earlier failure. Then the home stays
    /// the same. If the driver itself failed, it is not known who can use the memory; where that makes a difference, the host cannot, until the next
    /// attempt.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # use cuda_rt::{ManagedAttach, ManagedBuf, Stream};
    /// use cuda_rt::MemAttach;
    ///
    /// let mut managed = ManagedBuf::from_host(&stream, &[1, 2, 3], ManagedAttach::Global)?;
    /// let other = Stream::new(&context)?;
    /// managed.attach(&other, MemAttach::Host)?;
    /// assert_eq!(managed.stream(), &other);
    /// assert_eq!(managed.host()?, [1, 2, 3]); // on every device
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamAttachMemAsync")]
    pub fn attach(&mut self, stream: &Stream, attach: MemAttach) -> Result<()> {
        /// 0 stands for all of the allocation.
        const WHOLE: usize = 0;
        if stream.context() != &self.context {
            let (first, second) = ("the memory", "the stream");
            return Err(InvalidArgument::DifferentContexts { first, second }.into());
        }
        let is_default = stream.as_raw().is_null()
            || stream.as_raw() == CU_STREAM_LEGACY
            || stream.as_raw() == CU_STREAM_PER_THREAD;
        if attach == MemAttach::Single && is_default {
            return Err(InvalidArgument::DefaultStream.into());
        }
        if self.address == 0 {
            self.attached = Some(attach);
            self.stream = stream.clone();
            return Ok(());
        }
        stream.refuse_capture()?;
        let _bound = self.context.bind()?;
        if stream != &self.stream {
            self.stream.refuse_capture()?;
            new_mark(&self.stream)?.record(&self.stream).and_then(|reached| stream.wait_event(reached))?;
        }
        self.attached = None;
        // SAFETY: the stream is live, and stays so as the memory's home; the memory is managed and allocated; the context
        // is current. What is queued for the memory comes first.
        unsafe { check!(cuStreamAttachMemAsync(stream.as_raw(), self.base, WHOLE, attach.as_raw())) }
            .detailed(Code::InvalidValue, || Detail::Flags(attach.as_raw()))?;
        self.attached = Some(attach);
        self.stream = stream.clone();
        Ok(())
    }

    /// Frees the memory and reports the driver's answer, which a drop can only give to the
    /// [hook](crate::error::set_drop_hook). Wraps `cuMemFree`.
    ///
    /// # Blocking
    ///
    /// Until the device has done everything that was started.
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
    /// # use cuda_rt::{ManagedAttach, ManagedBuf};
    /// ManagedBuf::from_host(&stream, &[1, 2, 3], ManagedAttach::Global)?.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemFree")]
    pub fn close(self) -> Result<()> {
        let mut this = self;
        this.release()
    }

    fn release(&mut self) -> Result<()> {
        let base = core::mem::take(&mut self.base);
        if base == 0 {
            return Ok(());
        }
        // SAFETY: the memory was this value's, and is nobody's now.
        release_in(&self.context, By::Handle, |_| unsafe { check!(cuMemFree_v2(base)) })
    }

    /// The first element, for the host; dangling if there are no bytes.
    fn start(&self) -> NonNull<T> {
        let address = usize::try_from(self.address).unwrap_or(0);
        NonNull::new(with_exposed_provenance_mut(address)).unwrap_or(NonNull::dangling())
    }
}

impl From<ManagedAttach> for MemAttach {
    fn from(attach: ManagedAttach) -> Self {
        match attach {
            ManagedAttach::Global => MemAttach::Global,
            ManagedAttach::Host => MemAttach::Host,
        }
    }
}

impl MemAttach {
    fn as_raw(self) -> u32 {
        match self {
            MemAttach::Global => C::CU_MEM_ATTACH_GLOBAL.0,
            MemAttach::Host => C::CU_MEM_ATTACH_HOST.0,
            MemAttach::Single => C::CU_MEM_ATTACH_SINGLE.0,
        }
    }
}

impl<T> Drop for ManagedBuf<T> {
    fn drop(&mut self) {
        report(self.release());
    }
}

impl<T> fmt::Debug for ManagedBuf<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ManagedBuf")
            .field("ptr", &self.ptr())
            .field("len", &self.len)
            .field("attached", &self.attached)
            .field("stream", &self.stream)
            .finish()
    }
}
