//! Pinned memory: page-locked host memory that the driver allocates.

#![allow(unsafe_code)]

use super::buffer::size_bytes;
use super::caching::{PinnedPool, PooledBlock};
use super::pointer::DevicePtr;
use crate::context::{Context, ContextRequirement, RelaxedCaptureMode, release_in};
use crate::error::{Code, Error, OrDetail, Result};
use crate::handle::{DriverHandle, Owned, Releasing, made};
use bytemuck::Zeroable;
use core::ffi::c_void;
use core::fmt;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};
use core::ptr::{NonNull, null_mut};
use cuda_sys::Symbol;

flags! {
    /// Flags of pinned memory.
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::PinnedBuf;
    /// use cuda_rt::memory::PinnedFlags;
    ///
    /// // Written by the host once, and read by the device: the host's caches are not used.
    /// let mut uploads = PinnedBuf::<f32>::with_flags(&context, 1000, PinnedFlags::WRITECOMBINED)?;
    /// uploads.fill(1.0);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct PinnedFlags {
        /// Page-locked for all contexts, not only for the allocating one. Where host and device share one address space, as on
        /// all 64-bit systems, this always holds.
        #[doc(alias = "CU_MEMHOSTALLOC_PORTABLE")]
        const PORTABLE = cuda_sys::CU_MEMHOSTALLOC_PORTABLE;
        /// Accessible to kernels, at the address [`PinnedBuf::device_ptr`]. Where host and device share one address space, this
        /// always holds.
        #[doc(alias = "CU_MEMHOSTALLOC_DEVICEMAP")]
        const DEVICEMAP = cuda_sys::CU_MEMHOSTALLOC_DEVICEMAP;
        /// Not cached by the host: the host reads it very slowly. On some machines the device reads it faster.
        #[doc(alias = "CU_MEMHOSTALLOC_WRITECOMBINED")]
        const WRITECOMBINED = cuda_sys::CU_MEMHOSTALLOC_WRITECOMBINED;
        /// Flags of newer drivers.
        const _ = !0;
    }
}

/// `len` elements of `T` in page-locked host memory. The device accesses the memory directly: copies are faster, and can be
/// asynchronous.
///
/// The host uses the buffer as a slice. A copy that borrows this slice waits until it is done, as with pageable memory.
/// [`copy_from_pinned`](crate::DeviceBuf::copy_from_pinned) and [`copy_to_pinned`](crate::DeviceBuf::copy_to_pinned) take
/// ownership of the buffer, and return it when the copy is done. [`Stream::scope`](crate::Stream::scope) borrows several buffers
/// at once.
///
/// # Blocking
///
/// Allocating takes long, so keep buffers for reuse. Dropping waits until all work queued in the context of the
/// allocation is done. Memory of a [`PinnedPool`](crate::memory::PinnedPool) returns to its pool without a wait.
///
/// # Driver notes
///
/// On an H200 with driver 580, allocating and freeing 4 KiB takes 0.6 ms.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::{DeviceBuf, PinnedBuf, Stream};
///
/// let stream = Stream::new(&context)?;
/// let mut numbers = PinnedBuf::from_slice(&context, &[1.0_f32, 2.0, 3.0])?;
/// numbers[0] = 10.0;
/// let mut device = DeviceBuf::zeroed(&stream, 3)?;
/// let pending = device.copy_from_pinned(numbers)?;
/// // ... other work ...
/// let numbers = pending.wait()?;
/// assert_eq!(device.to_vec()?, &numbers[..]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub struct PinnedBuf<T> {
    /// Address of `len` elements; dangling if they have no bytes.
    start: NonNull<T>,
    len: usize,
    source: Source,
    context: Context,
}

/// Source of a buffer's memory, which also frees it.
#[derive(Debug)]
enum Source {
    /// No memory.
    Nothing,
    /// `cuMemHostAlloc`.
    Driver(Owned<Block>),
    /// A pool of this crate. Boxed, so that other buffers are small.
    Pool(Box<Owned<PooledBlock>>),
}

// SAFETY: the buffer owns its elements, as a vector does, so it may be sent where they may. Page-locked memory is not bound to a
// thread.
unsafe impl<T: Send> Send for PinnedBuf<T> {}
// SAFETY: `&PinnedBuf<T>` gives `&[T]`, and calls of the driver, which locks by itself.
unsafe impl<T: Sync> Sync for PinnedBuf<T> {}

impl<T: Copy> PinnedBuf<T> {
    /// Allocates `len` elements, all zero. Wraps `cuMemHostAlloc`.
    ///
    /// An empty buffer makes no driver call.
    ///
    /// # Errors
    ///
    /// - [`Code::OutOfMemory`].
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the size exceeds the address space.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let counters = cuda_rt::PinnedBuf::<u32>::zeroed(&context, 4)?;
    /// assert_eq!(counters[..], [0; 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemHostAlloc", "cuMemAllocHost"))]
    pub fn zeroed(context: &Context, len: usize) -> Result<Self>
    where
        T: Zeroable,
    {
        Self::with_flags(context, len, PinnedFlags::empty())
    }

    /// Allocates `len` elements with flags, all zero. Wraps `cuMemHostAlloc`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: unknown flags.
    /// - Same as [`PinnedBuf::zeroed`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::PinnedBuf;
    /// use cuda_rt::memory::PinnedFlags;
    ///
    /// let buffer = PinnedBuf::<u8>::with_flags(&context, 100, PinnedFlags::PORTABLE)?;
    /// assert_eq!(buffer.len(), 100);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemHostAlloc")]
    pub fn with_flags(context: &Context, len: usize, flags: PinnedFlags) -> Result<Self>
    where
        T: Zeroable,
    {
        Self::allocate(context, len, flags).map(Self::set_zero)
    }

    /// Allocates memory for `len` elements and leaves it uninitialised. Wraps `cuMemHostAlloc`.
    ///
    /// [`DeviceSlice::to_pinned`](crate::DeviceSlice::to_pinned) fills such memory from the device without `unsafe`.
    ///
    /// # Errors
    ///
    /// Same as [`PinnedBuf::zeroed`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let mut squares = cuda_rt::PinnedBuf::<u64>::uninit(&context, 100)?;
    /// for (index, place) in squares.iter_mut().enumerate() {
    ///     place.write((index * index) as u64);
    /// }
    /// // SAFETY: all 100 have been written.
    /// let squares = unsafe { squares.assume_init() };
    /// assert_eq!(squares[99], 9801);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemHostAlloc")]
    pub fn uninit(context: &Context, len: usize) -> Result<PinnedBuf<MaybeUninit<T>>> {
        PinnedBuf::allocate(context, len, PinnedFlags::empty())
    }

    /// Copies other host memory to a new buffer. Wraps `cuMemHostAlloc`.
    ///
    /// # Errors
    ///
    /// Same as [`PinnedBuf::zeroed`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let primes = cuda_rt::PinnedBuf::from_slice(&context, &[2, 3, 5, 7])?;
    /// assert_eq!(primes[1..3], [3, 5]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemHostAlloc")]
    pub fn from_slice(context: &Context, elements: &[T]) -> Result<Self> {
        Self::allocate(context, elements.len(), PinnedFlags::empty()).map(|buffer| buffer.set(elements))
    }

    /// Allocates `len` elements, and sets each to `element(index)`. Wraps `cuMemHostAlloc`.
    ///
    /// # Errors
    ///
    /// Same as [`PinnedBuf::zeroed`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let squares = cuda_rt::PinnedBuf::from_fn(&context, 4, |index| index * index)?;
    /// assert_eq!(squares[..], [0, 1, 4, 9]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemHostAlloc")]
    pub fn from_fn(context: &Context, len: usize, element: impl FnMut(usize) -> T) -> Result<Self> {
        // If `element` panics, the memory is freed, and no reference to it exists.
        let buffer = Self::allocate(context, len, PinnedFlags::empty())?;
        for (index, element) in (0..len).map(element).enumerate() {
            // SAFETY: inside the memory.
            let place = unsafe { buffer.start.add(index) };
            // SAFETY: of one element, aligned, and this function's.
            unsafe { place.write(element) };
        }
        Ok(buffer)
    }

    /// Allocates uninitialised memory, which the caller must initialise.
    pub(super) fn allocate(context: &Context, len: usize, flags: PinnedFlags) -> Result<Self> {
        let bytes = size_bytes::<T>(len)?;
        if bytes == 0 {
            let (start, source) = (NonNull::dangling(), Source::Nothing);
            return Ok(PinnedBuf { start, len, source, context: context.clone() });
        }
        let block = Block::new(context, bytes.saturating_add(room_for::<T>()), flags)?;
        let start = block.start_of::<T>(bytes).ok_or_else(|| Error::host_memory(bytes))?;
        Ok(PinnedBuf { start, len, source: Source::Driver(block), context: context.clone() })
    }

    /// Allocates uninitialised memory from a pool.
    pub(super) fn from_pool(pool: &PinnedPool, len: usize) -> Result<Self> {
        let bytes = size_bytes::<T>(len)?;
        let context = pool.context().clone();
        if bytes == 0 {
            return Ok(PinnedBuf { start: NonNull::dangling(), len, source: Source::Nothing, context });
        }
        let block = pool.allocate(bytes.saturating_add(room_for::<T>()))?;
        let start = block.block().and_then(|block| block.start_of::<T>(bytes));
        let start = start.ok_or_else(|| Error::host_memory(bytes))?;
        Ok(PinnedBuf { start, len, source: Source::Pool(Box::new(block)), context })
    }

    /// Sets new memory to 0: memory of the driver is not known to be initialised.
    pub(super) fn set_zero(self) -> Self
    where
        T: Zeroable,
    {
        // SAFETY: the memory is of `len` elements, and this value's.
        unsafe { self.start.write_bytes(0, self.len) };
        self
    }

    /// Initialises new memory with as many elements.
    pub(super) fn set(self, elements: &[T]) -> Self {
        let count = self.len.min(elements.len());
        // SAFETY: neither has fewer elements; the memory is this value's, so they do not overlap.
        unsafe { self.start.copy_from_nonoverlapping(NonNull::from(elements).cast(), count) };
        self
    }
}

impl<T> PinnedBuf<MaybeUninit<T>> {
    /// Declares that all elements are initialised.
    ///
    /// # Safety
    ///
    /// All elements have been initialised.
    pub unsafe fn assume_init(self) -> PinnedBuf<T> {
        let PinnedBuf { start, len, source, context } = self;
        PinnedBuf { start: start.cast(), len, source, context }
    }
}

/// Returns the bytes to allocate in addition, for elements with a larger alignment than the driver guarantees.
pub(super) fn room_for<T>() -> usize {
    /// Measured: 512. Not documented, so the address is checked.
    const USUAL: usize = 256;
    if align_of::<T>() <= USUAL { 0 } else { align_of::<T>() - 1 }
}

impl<T> PinnedBuf<T> {
    /// Returns the context that the memory was allocated in.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the address of the first element for kernels of the buffer's context. Null if the buffer has no bytes. Wraps
    /// `cuMemHostGetDevicePointer`.
    ///
    /// Where host and device share one address space, it is the host's address.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let buffer = cuda_rt::PinnedBuf::<u8>::zeroed(&context, 4)?;
    /// assert!(!buffer.device_ptr()?.is_null());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemHostGetDevicePointer")]
    pub fn device_ptr(&self) -> Result<DevicePtr<T>> {
        self.device_ptr_in(&self.context)
    }

    /// Returns the address of the first element for kernels of another context. Such kernels can access memory with
    /// [`PinnedFlags::PORTABLE`]. Where host and devices share one address space, they can access all pinned memory. Wraps
    /// `cuMemHostGetDevicePointer`.
    ///
    /// Dropping the buffer does not wait for kernels of another context.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`] if the context cannot access the memory.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Context, Device};
    /// use cuda_rt::PinnedBuf;
    /// use cuda_rt::memory::PinnedFlags;
    ///
    /// let (first, second) = (Context::primary(Device::get(0)?)?, Context::primary(Device::get(1)?)?);
    /// let buffer = PinnedBuf::<u8>::with_flags(&first, 4, PinnedFlags::PORTABLE)?;
    /// assert!(!buffer.device_ptr_in(&second)?.is_null());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemHostGetDevicePointer")]
    pub fn device_ptr_in(&self, context: &Context) -> Result<DevicePtr<T>> {
        if self.is_without_bytes() {
            return Ok(DevicePtr::null());
        }
        device_ptr_of(self.start.cast(), context).map(DevicePtr::from_raw)
    }

    /// Returns the flags that the driver reports. [`DEVICEMAP`](PinnedFlags::DEVICEMAP) is always set, and
    /// [`WRITECOMBINED`](PinnedFlags::WRITECOMBINED) if it was requested. [`PORTABLE`](PinnedFlags::PORTABLE) may be missing
    /// although it was requested. Empty if the buffer has no bytes. Wraps `cuMemHostGetFlags`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::PinnedBuf;
    /// use cuda_rt::memory::PinnedFlags;
    ///
    /// assert_eq!(PinnedBuf::<u8>::zeroed(&context, 4)?.flags()?, PinnedFlags::DEVICEMAP);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemHostGetFlags")]
    pub fn flags(&self) -> Result<PinnedFlags> {
        if self.is_without_bytes() {
            return Ok(PinnedFlags::empty());
        }
        flags_of(self.start.cast(), &self.context).map(PinnedFlags::from_bits_retain)
    }

    /// Returns the address of the first element. No reference to the elements is made, so other code may use them meanwhile by
    /// pointers.
    ///
    /// The address is valid for writes too, and stays the same as long as the buffer lives, even if the buffer is moved. It
    /// dangles if the buffer has no bytes.
    pub fn as_ptr(&self) -> *const T {
        self.start.as_ptr()
    }

    /// Returns the address of the first element, for writes. No reference to the elements is made. See
    /// [`as_ptr`](PinnedBuf::as_ptr).
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let mut buffer = cuda_rt::PinnedBuf::from_slice(&context, &[1, 2, 3])?;
    /// // SAFETY: the first of three elements, which no other code uses.
    /// unsafe { buffer.as_mut_ptr().write(9) };
    /// assert_eq!(buffer[..], [9, 2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.start.as_ptr()
    }

    /// Returns the address and the number of the elements.
    pub(super) fn place(&self) -> (NonNull<T>, usize) {
        (self.start, self.len)
    }

    /// Returns the size in bytes.
    pub fn size_bytes(&self) -> usize {
        self.len * size_of::<T>()
    }

    /// Frees the memory and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuMemFreeHost`. Memory of a [`PinnedPool`] returns to its pool
    /// instead.
    ///
    /// # Blocking
    ///
    /// The same as dropping: see [`PinnedBuf`](PinnedBuf#blocking).
    ///
    /// # Errors
    ///
    /// An earlier failure. The buffer is consumed in any case.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// cuda_rt::PinnedBuf::from_slice(&context, &[1, 2, 3])?.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemFreeHost")]
    pub fn close(self) -> Result<()> {
        match self.source {
            Source::Nothing => Ok(()),
            Source::Driver(block) => block.close(),
            Source::Pool(block) => block.close(),
        }
    }

    fn is_without_bytes(&self) -> bool {
        matches!(self.source, Source::Nothing)
    }
}

impl<T> Deref for PinnedBuf<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: every constructor has initialised as many elements. The buffer owns them. Memory that the device may write to
        // is owned by a `PendingCopy`, or borrowed by a scope.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T> DerefMut for PinnedBuf<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and borrowed mutably.
        unsafe { core::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T> fmt::Debug for PinnedBuf<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PinnedBuf")
            .field("start", &self.start)
            .field("len", &self.len)
            .field("context", &self.context)
            .finish()
    }
}

/// Page-locked memory of the driver, as bytes.
#[derive(Debug)]
pub(super) struct Block {
    base: *mut c_void,
    bytes: usize,
    context: Context,
}

// SAFETY: the value owns the block, and page-locked memory is not bound to a thread.
unsafe impl Send for Block {}
// SAFETY: `&Block` gives only the address.
unsafe impl Sync for Block {}

impl Block {
    pub(super) fn new(context: &Context, bytes: usize, flags: PinnedFlags) -> Result<Owned<Block>> {
        let mut base = null_mut();
        let bound = context.bind(Symbol::cuMemHostAlloc)?;
        // Otherwise a capture that this or another thread makes would be invalidated.
        let relaxed = RelaxedCaptureMode::new();
        // SAFETY: `base` is valid for a write; the context is current.
        let allocated = unsafe { check!(cuMemHostAlloc(&raw mut base, bytes, flags.bits())) }
            .or_detail(&[Code::OutOfMemory], &|| format!("{bytes} bytes"))
            .or_detail(&[Code::InvalidValue], &|| format!("flags {:#x}", flags.bits()));
        drop(relaxed);
        drop(bound);
        made(allocated, !base.is_null(), || Owned::new(Block { base, bytes, context: context.clone() }))
    }

    /// Returns the address for elements of so many bytes.
    fn start_of<T>(&self, bytes: usize) -> Option<NonNull<T>> {
        let moved = self.base.align_offset(align_of::<T>());
        let fits = moved.checked_add(bytes).is_some_and(|end| end <= self.bytes);
        NonNull::new(self.base.wrapping_byte_add(moved).cast()).filter(|_| fits)
    }
}

impl DriverHandle for Block {
    fn release_call(&self) -> Symbol {
        Symbol::cuMemFreeHost
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        release_in(&self.context, ContextRequirement::None, Symbol::cuMemFreeHost, &mut |_| {
            // SAFETY: the owner releases the memory once, and does not use it afterwards.
            unsafe { check!(cuMemFreeHost(self.base)) }
        })
    }
}

/// Returns the address of page-locked or registered memory for kernels of a context.
pub(super) fn device_ptr_of(host: NonNull<u8>, context: &Context) -> Result<cuda_sys::CUdeviceptr> {
    const NO_FLAGS: u32 = 0;
    let _bound = context.bind(Symbol::cuMemHostGetDevicePointer_v2)?;
    let mut address = 0;
    // SAFETY: `address` is valid for a write; the callers keep the memory; the context is current.
    unsafe { check!(cuMemHostGetDevicePointer_v2(&raw mut address, host.as_ptr().cast(), NO_FLAGS)) }?;
    Ok(address)
}

/// Returns the flags of page-locked or registered memory.
pub(super) fn flags_of(host: NonNull<u8>, context: &Context) -> Result<u32> {
    let _bound = context.bind(Symbol::cuMemHostGetFlags)?;
    let mut flags = 0;
    // SAFETY: `flags` is valid for a write; the callers keep the memory; the context is current.
    unsafe { check!(cuMemHostGetFlags(&raw mut flags, host.as_ptr().cast())) }?;
    Ok(flags)
}
