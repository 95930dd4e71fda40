//! Memory from elsewhere, and memory that goes there.
//!
//! Allocators of others need no trait: what they own comes in as a buffer that keeps its owner, or as a borrowed view, and
//! with that it can be passed to every function.

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
    /// Takes over device memory: `len` elements, which are given back as `release` says.
    ///
    /// With [`MemoryRelease::Owner`] this is the way in for memory of other allocators: dropping the buffer waits until its
    /// home stream has nothing to do, and drops the owner then. If it cannot be found out whether that is so, because
    /// waiting fails or the stream is being captured, the owner is kept for ever, and the
    /// [hook](crate::handle::set_drop_hook) is told.
    ///
    /// # Safety
    ///
    /// - `ptr` is the address of `len` elements, aligned as they demand, whose size fits an `isize`; or there are none, or
    ///   none of any size.
    /// - Work in the stream's context may read and write them.
    /// - Nobody else uses them from now on, except what comes before in the order of the stream.
    /// - No other code frees them, and they can be freed as `release` says:
    ///   - [`StreamOrdered`](MemoryRelease::StreamOrdered): an allocation of `cuMemAllocAsync` or `cuMemAllocFromPoolAsync`.
    ///   - [`Pool`](MemoryRelease::Pool): an allocation of that pool.
    ///   - [`Plain`](MemoryRelease::Plain): an allocation of `cuMemAlloc` in the stream's context. Memory of another context
    ///     does not do, even where peer access makes it accessible: freeing it waits for the other context only.
    ///   - [`Ipc`](MemoryRelease::Ipc): memory that `cuIpcOpenMemHandle` opened in the stream's context.
    ///   - [`Owner`](MemoryRelease::Owner): memory that stays allocated at least until the owner is dropped.
    /// - If they are memory of another device, access to them stays enabled as long as this buffer exists, and as long as
    ///   work that was queued with it runs. Functions that take access away, such as
    ///   [`Context::disable_peer_access`](crate::Context::disable_peer_access), dropping a
    ///   [`PeerAccessGuard`](crate::peer::PeerAccessGuard) guard, and [`MemPool::set_access`](crate::memory::MemPool::set_access), wait for copies
    ///   between contexts only, and not for such work.
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
    /// // SAFETY: made above by `cuMemAlloc`, for 3 elements, and nobody else's.
    /// let mut numbers =
    ///     unsafe { DeviceBuf::from_raw(DevicePtr::from_raw(address), 3, &stream, MemoryRelease::Plain) };
    /// numbers.copy_from_host(&[1, 2, 3])?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    ///
    /// Memory that another object owns, here a buffer of other elements:
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

    /// Gives the memory up without freeing it: its address, the number of elements, and how it is to be given back, after
    /// what is queued on the home stream. The address is null, and there is nothing to give back, if there are no bytes.
    ///
    /// Take the [`stream`](DeviceBuf::stream) before: memory of `cuMemAlloc` goes with its context, which the buffer has kept.
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
    /// Makes a buffer of `len` elements that `map` maps onto memory of another API, and whose address it writes. `owner` is dropped
    /// when the mapping was freed. `map` makes `call`.
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
    /// `len` elements of device memory that somebody else owns, to read, as work on `stream`.
    ///
    /// # Safety
    ///
    /// - `ptr` is the address of `len` elements, aligned as they demand, whose size fits an `isize`; or there are none, or
    ///   none of any size.
    /// - Work in the stream's context may read them, during `'buffer` and as long as work that was queued meanwhile runs. If
    ///   they are memory of another device, no call takes the access away earlier: such calls wait for copies between
    ///   contexts only.
    /// - During `'buffer` nobody writes or frees them, except before in the order of the stream. What is queued on it
    ///   during `'buffer` may read them later: they are written and freed in the order of the stream, too.
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
    /// `len` elements of device memory that somebody else owns, to write, as work on `stream`.
    ///
    /// # Safety
    ///
    /// - `ptr` is the address of `len` elements, aligned as they demand, whose size fits an `isize`; or there are none, or
    ///   none of any size.
    /// - Work in the stream's context may read and write them, during `'buffer` and as long as work that was queued meanwhile
    ///   runs. If they are memory of another device, no call takes the access away earlier: such calls wait for copies
    ///   between contexts only.
    /// - During `'buffer` nobody else uses or frees them, except before in the order of the stream. What is queued on it
    ///   during `'buffer` may use them later: they are used and freed in the order of the stream, too.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::{DeviceBuf, DeviceSliceMut};
    ///
    /// let pairs = DeviceBuf::from_host(&stream, &[[1, 2], [3, 4]])?;
    /// // SAFETY: as many numbers as there are in two pairs, which nobody else uses meanwhile.
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
