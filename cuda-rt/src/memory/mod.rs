//! Memory of the device and of the host: owned buffers, views of them, and copies.
//!
//! | type | stands for | ends by |
//! |---|---|---|
//! | [`DeviceBuf<T>`] | an allocation of `T`s on the device | `cuMemFreeAsync`, or `cuMemFree` |
//! | [`DeviceSlice<T>`], [`DeviceSliceMut<T>`] | a part of one, borrowed | – |
//! | [`DevicePtr<T>`] | an address, for kernels | – |
//! | [`PitchedBuf<T>`] | rows on the device, aligned by the driver | `cuMemFree` |
//! | [`PitchedSliceMut<T>`] | rows on the device, borrowed | – |
//! | [`Memcpy3D`], [`CopySource`], [`CopyDestination`] | a copy of a block, with pitches, of memory or [arrays](crate::array) | – |
//! | [`MemcpyBatch`] | many copies in one call | – |
//! | [`DecompressBatch`] | decompression by the device's engine | – |
//! | [`PinnedBuf<T>`] | page-locked host memory | `cuMemFreeHost` |
//! | [`RegisteredBuf<C>`] | the program's own memory, page-locked | `cuMemHostUnregister` |
//! | [`AlignedBuf<T>`] | the program's own memory, beginning on a page | – |
//! | [`ManagedBuf<T>`] | memory that devices and host find at one address | `cuMemFree` |
//! | [`PrefetchBatch`], [`DiscardBatch`] | ranges of managed memory to move, or whose elements are not needed | – |
//! | [`PendingCopy<B>`] | a copy on its way, with its host memory | waiting for it |
//! | [`PendingFuture<B>`] | the same, awaited | when the copy is done |
//! | [`Scope`] | copies on their way with borrowed host memory | waiting for them |
//! | [`MemPool`] | a memory pool of the driver | `cuMemPoolDestroy`; default ones stay |
//! | [`LocatedPool`] | a default pool of the host or of managed memory | never |
//! | [`CachingPool`], [`PinnedPool`] | memory that is kept for later when it is freed | `cuMemFree`, `cuMemFreeHost` |
//! | [`MemorySource`] | where a buffer's memory comes from | – |
//! | [`MemoryRelease`] | how memory of others is given back | – |
//! | [`PhysicalMemory`] | memory without an address | `cuMemRelease` |
//! | [`MemOps`] | writes of words, and waits for words, that a stream does in one call | – |
//! | [`Until`] | the condition for which a stream waits | – |
//! | [`MulticastObject`] | memory of several devices behind one address | `cuMemRelease` |
//! | [`LogicalEndpoint`] | memory of devices of a fabric, without an address | `cuLogicalEndpointDestroy` |
//! | [`VirtualMemory`] | addresses, to which such memory is mapped | `cuMemUnmap`, `cuMemAddressFree` |
//! | [`KmtHandle`] | a kernel-mode handle of Windows, by which processes share memory | – |
//!
//! # Where it lives
//!
//! A buffer has a *home stream*: it is allocated there, the methods of this crate read and write it
//! there, and it is freed there. So they never see each other's work half done, and dropping a buffer
//! does not wait: its memory is taken back when what was queued on its stream before is done.
//!
//! [`DeviceBuf::move_to`] makes another stream the home.
//!
//! A kernel launched on another stream is outside this order. Launching is `unsafe` for such reasons. A guard orders the two
//! streams both ways: see [`DeviceBuf::use_on`]. By hand, [`Stream::wait_stream`](crate::Stream::wait_stream) does, but for
//! freeing plain memory under a kernel of another device: see [`Kernel::launch`](crate::Kernel::launch).
//!
//! # Host memory
//!
//! Copies from and to slices are right with any memory, and wait. There are three ways not to wait for each, which all
//! ask for page-locked memory, because the driver stages other memory itself:
//!
//! 1. [`copy_from_pinned`](DeviceSliceMut::copy_from_pinned) and [`copy_to_pinned`](DeviceSlice::copy_to_pinned) take
//!    the memory along, and give it back when the copy is done. [`to_pinned`](DeviceSlice::to_pinned) allocates it.
//! 2. [`Stream::scope`](crate::Stream::scope) borrows it for several copies, and waits for all of them.
//! 3. [`copy_from_host_unchecked`](DeviceSliceMut::copy_from_host_unchecked) and
//!    [`copy_to_host_unchecked`](DeviceSlice::copy_to_host_unchecked) leave it to the caller, and are `unsafe`.
//!
//! # Blocking calls
//!
//! | operation | the host waits for |
//! |---|---|
//! | allocating | nothing; [plain](MemorySource::Plain) memory, the driver's own work |
//! | copying from and to host slices, also in a scope | the home stream with the copy; another thread that is unregistering the same memory |
//! | copying between buffers, filling | nothing; between devices, another thread that takes access between them away |
//! | copies that take their memory along | nothing |
//! | the end of a scope | its stream |
//! | the host's access to managed memory | the home stream |
//! | moving to another stream, and use on one by a [guard](UseOn) | nothing |
//! | dropping | nothing |
//! | dropping [plain](MemorySource::Plain), pitched, managed or page-locked memory, and arrays | the context of the memory; copies of this crate from or to other devices; the streams of [guards](UseOn) on other devices |
//! | dropping registered memory | the context of the registration, and streams of other contexts on which safe functions copy the memory |
//! | dropping memory of [others](MemoryRelease::Owner) or of other [processes](crate::ipc), or addresses with mappings | the home stream |
//!
//! Where a drop has to wait for copies between devices while the home stream is being captured, it cannot: then the memory
//! stays, and the [hook](crate::handle::set_drop_hook) is told.
//!
//! A stream that [waits for an external semaphore](crate::Stream::wait_semaphores) is not done before the semaphore is signalled. So
//! drops that wait for the context or for the home stream wait for the signal, too. Memory of the driver's pools is freed behind the wait
//! of its home stream, and the host does not wait. [`external`](crate::external#waits-that-are-not-signalled) has the rule for programs
//! that signal themselves.
//!
//! While a graph is being captured in the global mode, allocating plain or pitched memory, or an array, fails, and the
//! capture is lost (fact V966).
//!
//! On a device without memory pools all buffers have plain memory, unless it is of a pool of this crate's own.
//!
//! Host slices are only borrowed, so a copy must be over when the call returns, or the scope ends. If it failed, the
//! function waits for its end before it reports that. If that fails as well, the process is aborted, with a line on the
//! standard error: the device may still be using the memory, and there is no other way to keep the program from reusing
//! it. It takes two failures in a row, of the copy and of waiting for it, of a copy with page-locked memory (or on a
//! device that reaches all host memory), or of one between two streams; what failed before a copy is noticed before it
//! begins. The end of a [guard](UseOn) aborts as a copy between two streams does.
//!
//! While the process exits, calls fail with [`Code::Deinitialized`](crate::error::Code::Deinitialized), and queued copies go on. A thread
//! that has lent host memory then waits for the end of the process, and does not abort. It aborts after ten seconds.
//! A copy between two streams, or a guard, returns the failure.
//!
//! # From PyCUDA
//!
//! The [guide](crate::coming_from::pycuda#device-memory) leads from the names of PyCUDA to the items here.
//!
//! # Too little memory
//!
//! Before an allocation fails, a [hook](set_out_of_memory_hook) of the program may free something.
//!
//! # Pools, and addresses of one's own
//!
//! A buffer has its memory from where it is told: see [`MemorySource`]. [`MemPool`]s are the driver's, and in the order of
//! streams; [`CachingPool`]s are this crate's, for devices without such. Where a buffer has to grow, [`VirtualMemory`] lets it
//! stay where it is.
//!
//! # Memory of others
//!
//! Memory of another library can be used like this crate's own: owned, as a buffer that gives it
//! [back](DeviceBuf::from_raw) to whoever it belongs to; or borrowed, as a [view](DeviceSlice::from_raw_parts).
//! [`DeviceBuf::into_raw`] is the way out.
//!
//! # Elements
//!
//! Uploading needs [`NoUninit`](bytemuck::NoUninit), downloading
//! [`AnyBitPattern`](bytemuck::AnyBitPattern): `bytemuck`'s traits, which numbers and arrays of them
//! have, and which structures can derive. The crate is at hand as [`bytemuck`].

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
pub(crate) use fill::{Rows, fill as fill_rows};
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
