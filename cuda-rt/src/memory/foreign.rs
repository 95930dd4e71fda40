//! Foreign memory: memory from other code, and memory passed to other code.
//!
//! Other allocators need no trait. Their memory becomes a buffer that keeps its owner alive, or a borrowed view. Both can be
//! passed to every function of this crate.

#![allow(unsafe_code)]

use super::allocation::Allocation;
use super::buffer::DeviceBuf;
use super::pointer::DevicePtr;
use super::source::MemoryRelease;
use super::view::{DeviceSlice, DeviceSliceMut};
use crate::error::{Error, Result};
use crate::stream::Stream;
use bytemuck::AnyBitPattern;
use core::any::Any;
use cuda_sys::{CUdeviceptr, Symbol};

impl<T> DeviceBuf<T> {
    /// Takes ownership of device memory: `len` elements, which are released as `release` says.
    ///
    /// Use [`MemoryRelease::Owner`] for memory of other allocators: dropping the buffer waits until its home stream is idle, and
    /// then drops the owner. If the buffer cannot find out whether the stream is idle, because waiting fails or the stream is
    /// being captured, it keeps the owner forever. Then the [hook](crate::handle::set_drop_hook) receives an error.
    ///
    /// # Safety
    ///
    /// - `ptr` is the address of `len` elements, is aligned for `T`, and the size of the elements fits an `isize`. If there are
    ///   no elements, or they are zero-sized, any address is allowed.
    /// - Work in the stream's context may read and write them.
    /// - If they are memory of the host from a pool or at reserved addresses, all devices have access to them. Drivers crash in
    ///   copies between two devices if one has none.
    /// - No other code uses them from now on, except work that comes before in the order of the stream.
    /// - No other code frees them, and they can be freed as `release` says:
    ///   - [`StreamOrdered`](MemoryRelease::StreamOrdered): an allocation of `cuMemAllocAsync` or `cuMemAllocFromPoolAsync`.
    ///   - [`Pool`](MemoryRelease::Pool): an allocation of that pool.
    ///   - [`Plain`](MemoryRelease::Plain): an allocation of `cuMemAlloc` in the stream's context. Memory of another context is
    ///     not allowed, even where peer access makes it accessible: freeing it waits for the other context only.
    ///   - [`Ipc`](MemoryRelease::Ipc): memory that `cuIpcOpenMemHandle` opened in the stream's context.
    ///   - [`Owner`](MemoryRelease::Owner): memory that stays allocated at least until the owner is dropped.
    /// - If they are memory of another device, access to them stays enabled as long as this buffer exists, and as long as work
    ///   that was queued with it runs. The following functions disable access. They wait for copies between contexts only, and
    ///   not for such work: [`Context::disable_peer_access`](crate::Context::disable_peer_access), dropping a
    ///   [`PeerAccessGuard`](crate::peer::PeerAccessGuard), and [`MemPool::set_access`](crate::memory::MemPool::set_access).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::{DeviceBuf, DevicePtr, sys};
    /// use cuda_rt::memory::MemoryRelease;
    ///
    /// let mut address = 0;
    /// let entered = context.enter()?;
    /// // SAFETY: `address` is valid for a write, and the context is current.
    /// assert!(unsafe { sys::cuMemAlloc_v2(&mut address, 12) }.is_success());
    /// // SAFETY: made above by `cuMemAlloc`, for 3 elements, and no other code has it.
    /// let mut numbers =
    ///     unsafe { DeviceBuf::from_raw(DevicePtr::from_raw(address), 3, &stream, MemoryRelease::Plain) };
    /// numbers.copy_from_host(&[1, 2, 3])?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    ///
    /// Memory that another object owns, here a buffer with another element type:
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::MemoryRelease;
    ///
    /// let words = DeviceBuf::from_host(&stream, &[0x0102_0304_u32])?;
    /// let ptr = words.ptr().cast::<u8>();
    /// // SAFETY: 4 bytes, which the owner keeps, and does not use.
    /// let bytes = unsafe { DeviceBuf::from_raw(ptr, 4, &stream, MemoryRelease::Owner(Box::new(words))) };
    /// assert_eq!(bytes.to_vec()?, 0x0102_0304_u32.to_ne_bytes());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemFree", "cuMemFreeAsync"))]
    pub unsafe fn from_raw(ptr: DevicePtr<T>, len: usize, stream: &Stream, release: MemoryRelease) -> Self {
        Self::over(Allocation::from_raw(ptr.as_raw(), stream, release), len)
    }

    /// Takes the memory out without freeing it: its address, the number of elements, and the way to release it. The caller must
    /// release the memory after the work that is queued on the home stream. If there are no bytes, the address is null, and there
    /// is nothing to release.
    ///
    /// [`MemoryRelease::Owner`] has an owner that waits for the home stream when it is dropped, as the buffer does. It is
    /// another object than the owner that was given to [`from_raw`](DeviceBuf::from_raw), which it drops after the wait.
    ///
    /// Clone the [`stream`](DeviceBuf::stream) before: memory of `cuMemAlloc` is freed with its context, which the buffer has
    /// kept alive.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    ///
    /// let (ptr, len, release) = DeviceBuf::from_host(&stream, &[1, 2, 3])?.into_raw();
    /// // SAFETY: what a buffer on this stream was.
    /// let numbers = unsafe { DeviceBuf::from_raw(ptr, len, &stream, release) };
    /// assert_eq!(numbers.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn into_raw(self) -> (DevicePtr<T>, usize, MemoryRelease) {
        let (memory, len) = self.into_memory();
        let (address, release) = Allocation::into_raw(memory);
        (DevicePtr::from_raw(address), len, release)
    }
}

impl<T: AnyBitPattern> DeviceBuf<T> {
    /// Makes a buffer of `len` elements of memory of another API. `map` maps the memory by `call` and writes its address. `owner`
    /// is dropped after the mapping was freed.
    ///
    /// # Safety
    ///
    /// - `map` maps as many bytes as `len` elements have, and `cuMemFree` frees them.
    /// - No other code uses them as long as the buffer lives, except in the order of the stream.
    pub(crate) unsafe fn mapped(
        stream: &Stream,
        call: Symbol,
        owner: Box<dyn Any + Send + Sync>,
        len: usize,
        map: impl FnOnce(*mut CUdeviceptr) -> Result<()>,
    ) -> Result<Self> {
        // SAFETY: the caller's promise.
        let memory = unsafe { Allocation::mapped(stream, call, owner, map) }?;
        let (address, alignment) = (memory.address(), align_of::<T>() as u64);
        if !address.is_multiple_of(alignment) {
            return Err(Error::invalid_for(
                call,
                format_args!("address {address:#x} is no multiple of {alignment}; map at another offset"),
            ));
        }
        Ok(Self::over(memory, len))
    }
}

impl<'buffer, T> DeviceSlice<'buffer, T> {
    /// Borrows `len` elements of foreign device memory, to read, as work on `stream`.
    ///
    /// # Safety
    ///
    /// - `ptr` is the address of `len` elements, is aligned for `T`, and the size of the elements fits an `isize`. If there are
    ///   no elements, or they are zero-sized, any address is allowed.
    /// - Work in the stream's context may read the elements, during `'buffer` and as long as work that was queued meanwhile runs.
    ///   If they are memory of another device, no call disables the access earlier: such calls wait for copies between contexts
    ///   only.
    /// - If they are memory of the host from a pool or at reserved addresses, all devices have access to them. Drivers crash in
    ///   copies between two devices if one has none.
    /// - During `'buffer` no other code writes or frees them, except before in the order of the stream. Work that is queued on
    ///   the stream during `'buffer` may read them later: they are written and freed in the order of the stream, too.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::{DeviceBuf, DeviceSlice};
    ///
    /// let pairs = DeviceBuf::from_host(&stream, &[[1, 2], [3, 4]])?;
    /// // SAFETY: as many numbers as there are in two pairs, which are only read on their own stream.
    /// let numbers = unsafe { DeviceSlice::from_raw_parts(pairs.ptr().cast::<i32>(), 4, pairs.stream()) };
    /// assert_eq!(numbers.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn from_raw_parts(ptr: DevicePtr<T>, len: usize, stream: &'buffer Stream) -> Self {
        Self::new(ptr.as_raw(), len, stream, None)
    }
}

impl<'buffer, T> DeviceSliceMut<'buffer, T> {
    /// Borrows `len` elements of foreign device memory, to write, as work on `stream`.
    ///
    /// # Safety
    ///
    /// - `ptr` is the address of `len` elements, is aligned for `T`, and the size of the elements fits an `isize`. If there are
    ///   no elements, or they are zero-sized, any address is allowed.
    /// - Work in the stream's context may read and write the elements, during `'buffer` and as long as work that was queued
    ///   meanwhile runs. If they are memory of another device, no call disables the access earlier: such calls wait for copies
    ///   between contexts only.
    /// - If they are memory of the host from a pool or at reserved addresses, all devices have access to them. Drivers crash in
    ///   copies between two devices if one has none.
    /// - During `'buffer` no other code uses or frees them, except before in the order of the stream. Work that is queued on the
    ///   stream during `'buffer` may use them later: they are used and freed in the order of the stream, too.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::{DeviceBuf, DeviceSliceMut};
    ///
    /// let pairs = DeviceBuf::from_host(&stream, &[[1, 2], [3, 4]])?;
    /// // SAFETY: as many numbers as there are in two pairs, which no other code uses meanwhile.
    /// let mut numbers =
    ///     unsafe { DeviceSliceMut::from_raw_parts(pairs.ptr().cast::<i32>(), 4, pairs.stream()) };
    /// numbers.slice_mut(1..3)?.copy_from_host(&[20, 30])?;
    /// assert_eq!(pairs.to_vec()?, [[1, 20], [30, 4]]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn from_raw_parts(ptr: DevicePtr<T>, len: usize, stream: &'buffer Stream) -> Self {
        Self::new(ptr.as_raw(), len, stream, None)
    }
}
