//! Memory of the device and of the host: owned buffers, views of them, and copies.
//!
//! | type | stands for | released by |
//! |---|---|---|
//! | [`DeviceBuf<T>`] | an allocation of `T`s on the device | `cuMemFreeAsync`, or `cuMemFree` |
//! | [`DeviceSlice<T>`], [`DeviceSliceMut<T>`] | a part of a buffer, borrowed | – |
//! | [`DevicePtr<T>`] | an address, for kernels | – |
//! | [`PitchedBuf<T>`] | rows on the device, aligned by the driver | `cuMemFree` |
//! | [`PitchedSliceMut<T>`] | rows on the device, borrowed | – |
//! | [`Memcpy3D`], [`CopySource`], [`CopyDestination`] | a copy of a block, with pitches, of memory or [arrays](crate::array) | – |
//! | [`MemcpyBatch`] | many copies in one call | – |
//! | [`DecompressBatch`] | decompression by the device's engine | – |
//! | [`PinnedBuf<T>`] | pinned (page-locked) memory | `cuMemFreeHost` |
//! | [`RegisteredBuf<C>`] | the program's own memory, page-locked | `cuMemHostUnregister` |
//! | [`AlignedBuf<T>`] | the program's own memory, beginning on a page | – |
//! | [`ManagedBuf<T>`] | managed memory: devices and host use the same address | `cuMemFree` |
//! | [`PrefetchBatch`], [`DiscardBatch`] | ranges of managed memory to move, or whose elements are not needed | – |
//! | [`PendingCopy<B>`] | an asynchronous copy that owns its host memory | waiting for the copy |
//! | [`PendingFuture<B>`] | the future of such a copy | completion of the copy |
//! | [`Scope`] | asynchronous copies of borrowed host memory | waiting for the copies |
//! | [`MemPool`] | a memory pool of the driver | `cuMemPoolDestroy`; default pools are not destroyed |
//! | [`LocatedPool`] | a default pool of the host or of managed memory | never |
//! | [`CachingPool`], [`PinnedPool`] | a cache of freed memory for later allocations | `cuMemFree`, `cuMemFreeHost` |
//! | [`MemorySource`] | the source of a buffer's memory | – |
//! | [`MemoryRelease`] | the way in which foreign memory is released | – |
//! | [`PhysicalMemory`] | memory without an address | `cuMemRelease` |
//! | [`MemOps`] | writes of words, and waits for words, that a stream does in one call | – |
//! | [`Until`] | the condition for which a stream waits | – |
//! | [`MulticastObject`] | memory of several devices behind one address | `cuMemRelease` |
//! | [`LogicalEndpoint`] | memory of devices of a fabric, without an address | `cuLogicalEndpointDestroy` |
//! | [`VirtualMemory`] | reserved addresses, to which physical memory is mapped | `cuMemUnmap`, `cuMemAddressFree` |
//! | [`KmtHandle`] | a kernel-mode handle of Windows, by which processes share memory | – |
//!
//! # Home stream
//!
//! A buffer has a *home stream*. The buffer is allocated on its home stream, the methods of this crate read and write the buffer
//! there, and it is freed there. Therefore operations never see each other's half-done work. Dropping a buffer of a pool does not
//! wait: its memory is freed when the earlier work of its home stream is done. Other drops wait: see
//! [Blocking calls](#blocking-calls).
//!
//! [`DeviceBuf::move_to`] makes another stream the home stream.
//!
//! A kernel launched on another stream is outside this order. This is one reason why launching is `unsafe`. [`DeviceBuf::use_on`]
//! returns a guard that orders the two streams both ways. [`Stream::wait_stream`](crate::Stream::wait_stream) orders them by
//! hand, with one exception: freeing plain memory that a kernel of another device uses. See
//! [`Kernel::launch`](crate::Kernel::launch).
//!
//! # Host memory
//!
//! Copies from and to slices work with any host memory, and wait. There are three ways to avoid a wait for each copy. All three
//! need page-locked memory, because the driver stages other memory itself:
//!
//! 1. [`copy_from_pinned`](DeviceSliceMut::copy_from_pinned) and [`copy_to_pinned`](DeviceSlice::copy_to_pinned) take ownership
//!    of the memory, and return it when the copy is done. [`to_pinned`](DeviceSlice::to_pinned) allocates the memory.
//! 2. [`Stream::scope`](crate::Stream::scope) borrows the memory for several copies, and waits for all of them.
//! 3. [`copy_from_host_unchecked`](DeviceSliceMut::copy_from_host_unchecked) and
//!    [`copy_to_host_unchecked`](DeviceSlice::copy_to_host_unchecked) rely on the caller to keep the memory alive, and are
//!    `unsafe`.
//!
//! # Blocking calls
//!
//! | operation | the host waits for |
//! |---|---|
//! | allocating | nothing; for [plain](MemorySource::Plain) memory, the driver's own work |
//! | copying from and to host slices | all work queued on the home stream, including the copy; another thread that is unregistering the same memory |
//! | copying in a [scope](crate::Stream::scope) | for the first copy with page-locked memory, earlier work of the stream; with other memory, perhaps the copy; another thread that is unregistering the same memory |
//! | copying between buffers, filling | nothing; between devices, another thread that is disabling access between them |
//! | copies that own their host memory | nothing |
//! | the end of a scope in which a copy was made | the stream of the scope |
//! | the host's access to managed memory | the home stream |
//! | moving to another stream | nothing |
//! | use on another stream by a [guard](UseOn), and its end | nothing; between devices, another thread that is disabling access between them |
//! | dropping a buffer of a pool | nothing |
//! | dropping [plain](MemorySource::Plain), pitched or managed memory, and arrays | the context of the memory; copies of this crate from or to other devices; the streams of [guards](UseOn) on other devices |
//! | dropping pinned memory | the context of the memory; for memory of a [`PinnedPool`], nothing |
//! | dropping registered memory | the context of the registration, and streams of other contexts on which safe functions copy the memory |
//! | dropping memory with an [owner](MemoryRelease::Owner), memory of other [processes](crate::ipc), or addresses with mappings | the home stream |
//!
//! While the home stream is being captured, a drop cannot wait for it, nor for copies between devices. If the drop would have to
//! wait, the memory is not freed, and the [hook](crate::handle::set_drop_hook) receives an error.
//!
//! A stream that [waits for an external semaphore](crate::Stream::wait_semaphores) is not done before the semaphore is signalled.
//! A drop that waits for the context or for the home stream therefore waits for the signal, too. Memory of the driver's pools is
//! freed in the order of its home stream, after that wait, and the host does not wait.
//! [`external`](crate::external#waits-that-are-not-signalled) has the rule for programs that signal their own semaphores.
//!
//! Two captures forbid allocations of [`DeviceBuf`], [`PitchedBuf`] and arrays: one of any thread in the global mode, and one
//! of this thread in the thread-local mode. The failure invalidates the capture. In the relaxed mode of this thread, the
//! allocations succeed. On a stream that is being captured, they are refused in every mode.
//!
//! On a device without memory pools all buffers have plain memory, except buffers of a [`CachingPool`].
//!
//! Host slices are only borrowed, so a copy must be over when the call returns, or when the scope ends. If the copy failed, the
//! function waits for its end before it returns the failure. If waiting fails as well, the process is aborted, with a line on the
//! standard error. The device may still be using the memory, and nothing else would keep the program from reusing it. An abort
//! takes two failures in a row: of the copy, and of waiting for it. It only concerns copies with page-locked memory (or on a
//! device that reaches all host memory), and copies between two streams. An earlier failure is noticed before the copy begins.
//! The end of a [guard](UseOn) aborts under the same conditions as a copy between two streams.
//!
//! While the process exits, calls fail with [`Code::Deinitialized`](crate::error::Code::Deinitialized), and queued copies go on.
//! A thread that has lent host memory then waits for the end of the process instead of aborting. It aborts after ten seconds. A
//! copy between two streams, or a guard, returns the failure.
//!
//! # From PyCUDA
//!
//! The [guide](crate::coming_from::pycuda#device-memory) leads from the names of PyCUDA to the items here.
//!
//! # Out of memory
//!
//! Before an allocation fails for lack of memory, a [hook](set_out_of_memory_hook) of the program may free memory.
//!
//! # Pools and virtual memory
//!
//! [`MemorySource`] selects the source of a buffer's memory. A [`MemPool`] is a stream-ordered pool of the driver. A
//! [`CachingPool`] is a pool of this crate, for devices without memory pools. With [`VirtualMemory`] a buffer can grow without
//! moving.
//!
//! # Foreign memory
//!
//! Memory of another library can be used like memory of this crate. A buffer can own the memory, and
//! [releases](DeviceBuf::from_raw) it in the way of its owner. A [view](DeviceSlice::from_raw_parts) can borrow it.
//! [`DeviceBuf::into_raw`] turns a buffer into raw memory.
//!
//! # Elements
//!
//! Uploading needs [`NoUninit`](bytemuck::NoUninit), downloading [`AnyBitPattern`](bytemuck::AnyBitPattern). Numbers and arrays
//! of numbers implement these traits of `bytemuck`, and structures can derive them. The crate is re-exported as [`bytemuck`].

mod access;
mod aligned;
mod allocation;
mod as_slice;
mod attribute;
mod batch;
mod buffer;
mod caching;
mod copy;
mod creation;
mod decompress;
#[cfg(unix)]
mod dma_buf;
mod fill;
mod foreign;
mod handover;
mod host;
mod host_transfer;
mod ipc;
mod loan;
mod location;
mod managed;
mod out_of_memory;
mod pending;
mod pending_future;
mod pinned;
mod pitched;
mod pitched_view;
mod pointer;
mod pool;
mod registered;
mod registered_scoped;
mod scope;
mod source;
mod structured;
mod view;
mod virtual_memory;
mod words;

pub use access::{AccessFlags, KmtHandle, ShareableHandleTypes};
pub(crate) use allocation::Provenance;
pub(crate) use allocation::{OrderedOwner, end_owner_after, release_owner};
pub use attribute::PointerAttribute;
pub use batch::{MemcpyAttributes, MemcpyBatch};
pub use buffer::DeviceBuf;
pub use caching::{CachingPool, CachingPoolUsage, PinnedPool, WeakCachingPool};
pub use decompress::{DecompressAlgorithm, DecompressBatch};
#[cfg(unix)]
pub use dma_buf::DmaBufMapping;
pub(crate) use host_transfer::{copy_with_host_ranges, wait_for_other_devices};
pub(crate) use loan::host_range;
pub(crate) use out_of_memory::retrying;
pub use out_of_memory::{OutOfMemory, set_out_of_memory_hook};
pub use pinned::{PinnedBuf, PinnedFlags};
pub use pitched::{AccessSize, PitchedBuf};
pub use pitched_view::PitchedSliceMut;
pub use pointer::DevicePtr;
pub use pool::{
    LocatedPool, MemAllocationType, MemPool, MemPoolAttribute, MemPoolOptions, MemPoolPtr, MemPoolReuse,
    MemPoolUsage,
};
pub use source::{MemoryRelease, MemorySource};
pub(crate) use structured::{
    ArrayStorage, CopyArray, Extent, GraphOnly, NodeCopy, Shape, SideMemory, SideOwner,
};
pub use structured::{CopyDestination, CopySource, Memcpy3D};
mod unchecked;
mod use_on;
pub use aligned::AlignedBuf;
pub use as_slice::{AsDeviceSlice, AsDeviceSliceMut};
pub(crate) use fill::{Rows, fill_in_parts};
pub use handover::HandoverError;
pub use host::{BorrowedHostMemory, HostMemory, HostMemoryMut, OwnedHostMemory, PageLocked};
pub use location::MemLocation;
pub use managed::{DiscardBatch, ManagedBuf, MemAdvise, MemAttach, PrefetchBatch, RangeAttribute};
pub use pending::PendingCopy;
pub use pending_future::PendingFuture;
pub use registered::{RegisterFlags, RegisteredBuf};
pub use registered_scoped::{register_scoped, register_shared_scoped};
pub use scope::Scope;
pub(crate) use use_on::StreamOrder;
pub use use_on::UseOn;
pub use view::{DeviceSlice, DeviceSliceMut};
pub use virtual_memory::{
    FabricCopy, FabricOperand, LogicalEndpoint, LogicalEndpointHandle, LogicalEndpointIds,
    LogicalEndpointLimits, LogicalEndpointOptions, MulticastObject, PhysicalMemory, PhysicalMemoryOptions,
    PhysicalMemoryProperties, VirtualMemory, VirtualMemoryOptions,
};
pub use words::{BarrierScope, MemOps, StreamWord, Until, WordReduction, WriteValueFlags};
