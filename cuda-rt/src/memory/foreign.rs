//! Foreign memory: memory from other code, and memory passed to other code.
//!
//! Other allocators need no trait. Their memory becomes a buffer that keeps its owner alive, or a borrowed view. Both
//! have the same methods as other buffers and views. Some methods refuse such memory, for example
//! [`DeviceBuf::ipc_handle`].

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
    /// Takes ownership of `len` elements of device memory. `release` says how they are released.
    ///
    /// Use [`MemoryRelease::Owner`] for memory of other allocators: dropping the buffer waits until its home stream is idle, and
    /// then drops the owner. If the buffer cannot find out whether the stream is idle, because waiting fails or the stream is
    /// being captured, it keeps the owner forever. Then the [hook](crate::handle::set_drop_hook) receives an error.
    ///
    /// # Safety
    ///
    /// - `ptr` is the address of `len` elements, is aligned for `T`, and the size of the elements fits an `isize`. If there are
    ///   no elements, or they are zero-sized, a null address is allowed, too. With [`Owner`](MemoryRelease::Owner), any
    ///   address is allowed then.
    /// - The stream's context has access to the elements, to read and to write.
    /// - If the elements are memory of the host, from a pool or mapped at reserved addresses, all devices have access to the
    ///   elements. Drivers crash in a copy between two devices if one of the devices has no access.
    /// - No other code uses the elements from now on, except earlier work in the order of the stream.
    /// - No other code frees the elements, and they can be freed as `release` says:
    ///   - [`StreamOrdered`](MemoryRelease::StreamOrdered): an allocation of `cuMemAllocAsync` or `cuMemAllocFromPoolAsync`.
    ///   - [`Pool`](MemoryRelease::Pool): an allocation of that pool.
    ///   - [`Plain`](MemoryRelease::Plain): an allocation of `cuMemAlloc` in the stream's context. Memory of another context is
    ///     not allowed, even where peer access makes it accessible: freeing it waits for the other context only.
    ///   - [`Ipc`](MemoryRelease::Ipc): memory that `cuIpcOpenMemHandle` opened in the stream's context.
    ///   - [`Owner`](MemoryRelease::Owner): memory that stays allocated at least until the owner is dropped.
    /// - If the elements are memory of another device, access stays enabled as long as this buffer exists. It also stays
    ///   enabled until work that was queued with the buffer has ended. The following operations disable access, and do not wait for such work:
    ///   [`Context::disable_peer_access`](crate::Context::disable_peer_access), dropping a
    ///   [`PeerAccessGuard`](crate::peer::PeerAccessGuard), [`MemPool::set_access`](crate::memory::MemPool::set_access) and
    ///   [`VirtualMemory::set_access`](crate::memory::VirtualMemory::set_access). The first three wait for copies of this crate,
    ///   and for launches of graphs with memory of both devices. The last waits only for the home stream of the mapping.
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

    /// Takes the memory out without freeing it.
    ///
    /// Returns the address, the number of elements, and the way to release the memory. The caller must
    /// release the memory after the work that is queued on the home stream. If the address is null, there is no memory to free.
    /// A buffer of no bytes has the address null, unless [`from_raw`](DeviceBuf::from_raw) made the buffer.
    ///
    /// [`MemoryRelease::Owner`] contains an owner of this crate:
    ///
    /// - If a graph holds the memory, the owner is a share of the memory, whatever the source. The last share frees the memory.
    /// - Otherwise the memory has an owner, or is memory of another API. When the returned owner is dropped, it waits as a
    ///   [dropped buffer](DeviceBuf::close) does. Then it drops the owner that was given to [`from_raw`](DeviceBuf::from_raw),
    ///   or frees the mapping.
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
    /// // SAFETY: the address, the length and the release come from a buffer on this stream.
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
    /// Borrows `len` elements of foreign device memory. Work on `stream` reads them.
    ///
    /// # Safety
    ///
    /// - `ptr` is the address of `len` elements, is aligned for `T`, and the size of the elements fits an `isize`. If there are
    ///   no elements, or they are zero-sized, any address is allowed.
    /// - The stream's context has access to read the elements during `'buffer`, and until work that was queued during `'buffer`
    ///   has ended. If the elements are memory of another device, no call disables the access earlier. Calls that disable access
    ///   do not wait for such work: see [`DeviceBuf::from_raw`].
    /// - If the elements are memory of the host, from a pool or mapped at reserved addresses, all devices have access to the
    ///   elements. Drivers crash in a copy between two devices if one of the devices has no access.
    /// - During `'buffer`, no other code writes or frees the elements, except earlier work in the order of the stream.
    /// - After `'buffer`, other code writes and frees the elements only in the order of the stream. Work that was queued during
    ///   `'buffer` may still read the elements.
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
    /// Borrows `len` elements of foreign device memory. Work on `stream` reads and writes them.
    ///
    /// # Safety
    ///
    /// - `ptr` is the address of `len` elements, is aligned for `T`, and the size of the elements fits an `isize`. If there are
    ///   no elements, or they are zero-sized, any address is allowed.
    /// - The stream's context has access to read and write the elements during `'buffer`, and until work that was queued during
    ///   `'buffer` has ended. If the elements are memory of another device, no call disables the access earlier. Calls that
    ///   disable access do not wait for such work: see [`DeviceBuf::from_raw`].
    /// - If the elements are memory of the host, from a pool or mapped at reserved addresses, all devices have access to the
    ///   elements. Drivers crash in a copy between two devices if one of the devices has no access.
    /// - During `'buffer`, no other code uses or frees the elements, except earlier work in the order of the stream.
    /// - After `'buffer`, other code uses and frees the elements only in the order of the stream. Work that was queued during
    ///   `'buffer` may still use the elements.
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
