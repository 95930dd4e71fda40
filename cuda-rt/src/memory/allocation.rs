//! Memory of a buffer: allocation and release.

#![allow(unsafe_code)]

use super::caching::Block;
use super::host_transfer::{rehome, wait_before_release, wait_for_other_devices};
use super::out_of_memory::{retrying, shortage};
use super::pool::MemPool;
use super::source::{MemoryRelease, MemorySource};
use crate::context::{ContextRequirement, release_in, wants_context};
use crate::error::{Code, Error, ErrorKind, OrDetail, Result};
use crate::handle::{DeferredErrors, DriverHandle, KeepSlot, Owned, Releasing, is_forked_child, report};
use crate::ipc::{HANDLE_OF_THIS_PROCESS, IpcMemHandle};
use crate::stream::{Stream, call_on};
use core::any::Any;
use core::fmt;
use cuda_sys::{CUdeviceptr, CUipcMem_flags_enum, Symbol};

/// Device memory of a home stream, freed on drop.
pub(super) struct Allocation {
    /// 0 if there is nothing to free.
    address: CUdeviceptr,
    allocator: Allocator,
    keep: KeepSlot,
    /// Dropped last: keeps the context alive.
    stream: Stream,
}

/// Allocator of the memory, which decides how it is freed.
enum Allocator {
    /// `cuMemAllocAsync`: from the device's current pool, in the order of the home stream.
    StreamOrdered,
    /// `cuMemAllocFromPoolAsync`, likewise. It keeps the pool.
    Pool(MemPool),
    /// `cuMemAlloc`: at once, for all streams.
    Plain,
    /// A block of a pool of this crate's own; `None` once it was given back.
    Block(Option<Block>),
    /// `cuIpcOpenMemHandle`: of another process, open here.
    Ipc,
    /// Memory of another owner, until the owner has been dropped.
    Owner(Option<Box<dyn Any + Send + Sync>>),
    /// Mapped onto memory of another API, which is dropped after `cuMemFree` has freed the mapping.
    Mapped { owner: Option<Box<dyn Any + Send + Sync>> },
}

/// The allocator of a buffer's memory.
pub(crate) enum Provenance<'a> {
    /// A pool of the device. Which pool is not known.
    SomePool,
    Pool(&'a MemPool),
    /// `cuMemAlloc`.
    Plain,
    /// Another process or another owner.
    Unknown,
}

impl Allocation {
    #[inline]
    fn wrap(address: CUdeviceptr, allocator: Allocator, stream: &Stream) -> Owned<Allocation> {
        Owned::new(Allocation { address, allocator, keep: KeepSlot::default(), stream: stream.clone() })
    }

    /// Owns the memory that `map` maps and whose address `map` writes. Keeps `owner` alive until the mapping is freed. `map`
    /// makes `call`.
    ///
    /// # Safety
    ///
    /// `cuMemFree` frees the memory.
    pub(super) unsafe fn mapped(
        stream: &Stream,
        call: Symbol,
        owner: Box<dyn Any + Send + Sync>,
        map: impl FnOnce(*mut CUdeviceptr) -> Result<()>,
    ) -> Result<Owned<Allocation>> {
        stream.refuse_capture(call)?;
        // From here on the value owns the memory at `address`, whatever the driver answers.
        let mut mapped = Allocation::wrap(0, Allocator::Mapped { owner: Some(owner) }, stream);
        let _bound = stream.context().bind(call)?;
        map(&raw mut mapped.address)?;
        Ok(mapped)
    }

    /// Returns an owner for memory whose address a call writes to [`address_mut`](Allocation::address_mut). `cuMemFree` frees the
    /// memory.
    pub(super) fn plain(stream: &Stream) -> Owned<Allocation> {
        Allocation::wrap(0, Allocator::Plain, stream)
    }

    pub(super) fn set_stream(&mut self, stream: &Stream) {
        self.stream = stream.clone();
    }

    /// Returns the place for the address that an allocating call writes.
    pub(super) fn address_mut(&mut self) -> &mut CUdeviceptr {
        &mut self.address
    }

    /// Allocates `bytes` bytes; makes no driver call for 0 bytes. Calls `own` with the allocation. `own` is called in two places,
    /// so that the common path moves no value.
    #[inline]
    pub(super) fn allocate_for<T>(
        stream: &Stream,
        bytes: usize,
        source: MemorySource<'_>,
        own: impl Fn(Owned<Allocation>) -> T,
    ) -> Result<T> {
        let is_default = matches!(source, MemorySource::Default) && stream.context().has_pools();
        if !is_default || bytes == 0 || !stream.has_short_way() {
            return Allocation::allocate_from(stream, source, bytes).map(own);
        }
        let mut address = 0;
        // SAFETY: `address` is valid for a write; the stream is live, and its handle names its context.
        let allocated = unsafe { inline_check!(cuMemAllocAsync(&raw mut address, bytes, stream.raw())) };
        match allocated {
            Ok(()) => Ok(own(Allocation::wrap(address, Allocator::StreamOrdered, stream))),
            Err(error) => Allocation::allocate_again(address, stream, bytes, error).map(own),
        }
    }

    /// Continues after a failed first attempt.
    #[cold]
    #[inline(never)]
    fn allocate_again(
        address: CUdeviceptr,
        stream: &Stream,
        bytes: usize,
        error: Error,
    ) -> Result<Owned<Allocation>> {
        let mut made = Allocation::wrap(address, Allocator::StreamOrdered, stream);
        let context = stream.context();
        let mut first = Some(error);
        retrying(context, bytes, || match first.take() {
            Some(error) if !wants_context(&error, context) => {
                Err(error).or_detail(&[Code::OutOfMemory], &|| shortage(context, bytes))
            }
            _ => made.allocate(bytes),
        })?;
        Ok(made)
    }

    /// Allocates from any source.
    #[inline(never)]
    fn allocate_from(stream: &Stream, source: MemorySource<'_>, bytes: usize) -> Result<Owned<Allocation>> {
        let context = stream.context();
        let allocator = match source {
            MemorySource::Default if context.has_pools() => Allocator::StreamOrdered,
            MemorySource::Default | MemorySource::Plain => Allocator::Plain,
            MemorySource::Pool(pool) => {
                same_device(pool, stream)?;
                Allocator::Pool(pool.clone())
            }
            MemorySource::Caching(_) => Allocator::Block(None),
        };
        let mut made = Allocation::wrap(0, allocator, stream);
        if bytes == 0 {
            return Ok(made);
        }
        if let MemorySource::Caching(pool) = source {
            stream.refuse_capture(Symbol::cuMemAlloc_v2)?;
            let (address, block) = pool.allocate(stream, bytes)?;
            (made.address, made.allocator) = (address, Allocator::Block(Some(block)));
        } else {
            retrying(context, bytes, || made.allocate(bytes))?;
        }
        Ok(made)
    }

    /// Allocates memory. From here on the value owns the memory at `address`, whatever the driver answers.
    fn allocate(&mut self, bytes: usize) -> Result<()> {
        if self.address != 0 {
            // The previous attempt reported an earlier failure.
            report(self.free());
        }
        let stream = &self.stream;
        let call = match self.allocator {
            Allocator::StreamOrdered => Symbol::cuMemAllocAsync,
            Allocator::Pool(_) => Symbol::cuMemAllocFromPoolAsync,
            _ => Symbol::cuMemAlloc_v2,
        };
        // A capture would record the allocation instead of making it.
        stream.refuse_capture(call)?;
        let address = &raw mut self.address;
        let allocated = match &self.allocator {
            Allocator::StreamOrdered => call_on(stream, call, || {
                stream.free_delayed();
                // SAFETY: `address` is valid for a write; the stream is live, and its context is current if its handle does not
                // name it.
                unsafe { inline_check!(cuMemAllocAsync(address, bytes, stream.raw())) }
            }),
            Allocator::Pool(pool) => call_on(stream, call, || {
                stream.free_delayed();
                let (pool, on) = (pool.as_raw(), stream.raw());
                // SAFETY: as above; the pool is live.
                unsafe { check!(cuMemAllocFromPoolAsync(address, bytes, pool, on)) }
            }),
            Allocator::Plain => {
                let _bound = stream.context().bind(call)?;
                stream.free_delayed();
                // SAFETY: `address` is valid for a write; the context is current.
                unsafe { check!(cuMemAlloc_v2(address, bytes)) }
            }
            // Memory from elsewhere is not allocated in this way.
            Allocator::Block(_) | Allocator::Ipc | Allocator::Owner(_) | Allocator::Mapped { .. } => Ok(()),
        };
        allocated.or_detail(&[Code::OutOfMemory], &|| shortage(stream.context(), bytes))
    }

    /// Opens memory of another process.
    ///
    /// # Safety
    ///
    /// The handle comes from another process, which keeps the memory allocated until this value is dropped.
    pub(super) unsafe fn open(stream: &Stream, handle: &IpcMemHandle) -> Result<Owned<Allocation>> {
        const FLAGS: u32 = CUipcMem_flags_enum::CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS.0;
        // From here on the value owns the memory at `address`, whatever the driver answers.
        let mut opened = Allocation::wrap(0, Allocator::Ipc, stream);
        let _bound = stream.context().bind(Symbol::cuIpcOpenMemHandle_v2)?;
        let (address, raw) = (&raw mut opened.address, handle.to_raw());
        // SAFETY: `address` is valid for a write, the context current; the handle is the caller's promise.
        unsafe { check!(cuIpcOpenMemHandle_v2(address, raw, FLAGS)) }
            .or_detail(&[Code::InvalidContext], &|| HANDLE_OF_THIS_PROCESS.to_owned())
            .or_detail(&[Code::InvalidHandle], &|| {
                "in each process one context of a device may open the memory of one device".to_owned()
            })?;
        Ok(opened)
    }

    /// Returns the reason why the memory cannot be shared with other processes, if there is one.
    pub(super) fn why_not_shareable(&self) -> Option<&'static str> {
        match self.allocator {
            _ if self.address == 0 => Some("a buffer of no bytes"),
            Allocator::Plain => None,
            Allocator::StreamOrdered | Allocator::Pool(_) => Some("memory of a pool"),
            Allocator::Block(_) => Some("memory of a caching pool"),
            Allocator::Ipc => Some("memory of another process"),
            Allocator::Owner(_) => Some("memory of another owner"),
            Allocator::Mapped { .. } => Some("memory of another API"),
        }
    }

    /// Takes ownership of memory.
    pub(super) fn from_raw(
        address: CUdeviceptr,
        stream: &Stream,
        release: MemoryRelease,
    ) -> Owned<Allocation> {
        let allocator = match release {
            MemoryRelease::StreamOrdered => Allocator::StreamOrdered,
            MemoryRelease::Pool(pool) => Allocator::Pool(pool),
            MemoryRelease::Plain => Allocator::Plain,
            MemoryRelease::Ipc => Allocator::Ipc,
            MemoryRelease::Owner(owner) => Allocator::Owner(Some(owner)),
        };
        Allocation::wrap(address, allocator, stream)
    }

    /// Takes the memory out without freeing it. If graphs hold the memory, the returned release drops a share, and the last graph
    /// frees the memory.
    pub(super) fn into_raw(mut memory: Owned<Allocation>) -> (CUdeviceptr, MemoryRelease) {
        if memory.keep.is_held() {
            let (address, share) = (memory.address, memory.keep.hold());
            drop(memory);
            return (address, MemoryRelease::Owner(Box::new(share)));
        }
        let memory = memory.into_inner();
        let address = memory.address;
        let release = match memory.allocator {
            Allocator::StreamOrdered => MemoryRelease::StreamOrdered,
            Allocator::Pool(pool) => MemoryRelease::Pool(pool),
            // The pool does not count the block any more.
            Allocator::Plain | Allocator::Block(_) | Allocator::Owner(None) => MemoryRelease::Plain,
            Allocator::Ipc => MemoryRelease::Ipc,
            // Queued work may use the memory, so its owner must not leave before a wait.
            Allocator::Owner(Some(_)) | Allocator::Mapped { .. } => {
                MemoryRelease::Owner(Box::new(Owned::new(memory)))
            }
        };
        (address, release)
    }

    pub(super) fn address(&self) -> CUdeviceptr {
        self.address
    }

    pub(super) fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Returns the place by which graphs keep the memory.
    pub(super) fn keep(&self) -> &KeepSlot {
        &self.keep
    }

    /// Returns whether it is an allocation of `cuMemAlloc` of its own.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.allocator, Allocator::Plain)
    }

    /// Returns the source of more memory like this.
    pub(super) fn source(&self) -> MemorySource<'_> {
        match &self.allocator {
            // An imported pool gives no memory.
            Allocator::Pool(pool) if !pool.is_imported() => MemorySource::Pool(pool),
            Allocator::Plain => MemorySource::Plain,
            Allocator::Pool(_)
            | Allocator::StreamOrdered
            | Allocator::Block(_)
            | Allocator::Ipc
            | Allocator::Owner(_)
            | Allocator::Mapped { .. } => MemorySource::Default,
        }
    }

    /// Returns the allocator, as far as it determines who may access the memory.
    pub(super) fn provenance(&self) -> Provenance<'_> {
        match &self.allocator {
            // This crate does not know which pool is the device's current one when memory is allocated.
            Allocator::StreamOrdered => Provenance::SomePool,
            Allocator::Pool(pool) => Provenance::Pool(pool),
            Allocator::Plain | Allocator::Block(_) => Provenance::Plain,
            Allocator::Ipc | Allocator::Owner(_) | Allocator::Mapped { .. } => Provenance::Unknown,
        }
    }

    /// Makes another stream of the context the home stream, after the work that is queued on the present one.
    pub(super) fn move_to(&mut self, stream: &Stream) -> Result<()> {
        if self.stream != *stream && self.keep.is_held() {
            return Err(Error::held_by_graph("buffer", "its home stream"));
        }
        rehome(&mut self.stream, stream, "the buffer")
    }

    /// Releases the memory. Later calls do nothing.
    #[inline]
    fn free(&mut self) -> Result<()> {
        let stream = &self.stream;
        let is_short = matches!(self.allocator, Allocator::StreamOrdered) && self.address != 0;
        if is_short && stream.frees_by() == ContextRequirement::None {
            return stream.free_by_handle(core::mem::take(&mut self.address));
        }
        self.free_any()
    }

    #[inline(never)]
    fn free_any(&mut self) -> Result<()> {
        let address = core::mem::take(&mut self.address);
        let stream = &self.stream;
        match &mut self.allocator {
            Allocator::Owner(owner) => owner.take().map_or(Ok(()), |owner| release_owner(stream, owner)),
            Allocator::Block(block) => block.take().map_or(Ok(()), |block| block.give_back(address, stream)),
            _ if address == 0 => Ok(()),
            Allocator::StreamOrdered | Allocator::Pool(_) => match stream.frees_by() {
                ContextRequirement::None => stream.free_by_handle(address),
                by @ ContextRequirement::Current => {
                    release_in(stream.context(), by, Symbol::cuMemFreeAsync, &mut |_| stream.free(address))
                }
            },
            Allocator::Plain => free_plain(address, stream),
            Allocator::Mapped { owner } => {
                let freed = free_plain(address, stream);
                end_owner_after(&freed, owner);
                freed
            }
            // Closing waits; this was measured and is not documented.
            Allocator::Ipc => {
                release_in(
                    stream.context(),
                    ContextRequirement::Current,
                    Symbol::cuIpcCloseMemHandle,
                    &mut |errors| {
                        wait_before_release(stream, Symbol::cuIpcCloseMemHandle, errors)?;
                        // SAFETY: this value has opened it, nothing uses it any more, and its context is current.
                        unsafe { check!(cuIpcCloseMemHandle(address)) }
                    },
                )
            }
        }
    }
}

fn free_plain(address: CUdeviceptr, stream: &Stream) -> Result<()> {
    release_in(stream.context(), ContextRequirement::None, Symbol::cuMemFree_v2, &mut |errors| {
        wait_for_other_devices(stream, Symbol::cuMemFree_v2, errors)?;
        // SAFETY: the memory was the caller's, who passes it on here.
        unsafe { check!(cuMemFree_v2(address)) }
    })
}

/// Drops the owner of memory whose use has ended. If the memory may still be in use, keeps the owner forever.
pub(crate) fn end_owner_after(ended: &Result<()>, owner: &mut Option<Box<dyn Any + Send + Sync>>) {
    let Some(owner) = owner.take() else { return };
    match ended {
        Ok(()) => drop(owner),
        // No work runs in a context that was destroyed.
        Err(error) if error.kind() == ErrorKind::ContextLost => drop(owner),
        Err(_) => drop(Box::leak(owner)),
    }
}

/// Refuses a pool of another device than the stream's.
pub(super) fn same_device(pool: &MemPool, stream: &Stream) -> Result<()> {
    let (pool, stream) = (pool.device(), stream.context().device());
    if pool == stream {
        return Ok(());
    }
    Err(Error::invalid_for(
        Symbol::cuMemAllocFromPoolAsync,
        format_args!(
            "the pool is of device {}, the stream of device {}; use a stream of the pool's device",
            pool.as_raw(),
            stream.as_raw()
        ),
    ))
}

/// Owner whose release is ordered by the home stream of its memory. It may be dropped before the stream is idle.
pub(crate) struct OrderedOwner(Box<dyn FnOnce() -> Result<()> + Send + Sync>);

impl OrderedOwner {
    /// Makes an owner that `close` owns and releases.
    pub(crate) fn new(close: impl FnOnce() -> Result<()> + Send + Sync + 'static) -> OrderedOwner {
        OrderedOwner(Box::new(close))
    }
}

/// Drops the owner when the device is done with its memory. If this cannot be found out, keeps the owner forever.
pub(crate) fn release_owner(stream: &Stream, owner: Box<dyn Any + Send + Sync>) -> Result<()> {
    let owner = match owner.downcast::<OrderedOwner>() {
        Ok(ordered) => return (ordered.0)(),
        Err(owner) => owner,
    };
    let waited = if is_forked_child() {
        Ok(())
    } else {
        let wait = &mut |errors: &mut DeferredErrors| {
            wait_before_release(stream, Symbol::cuStreamSynchronize, errors)
        };
        release_in(stream.context(), stream.frees_by(), Symbol::cuStreamSynchronize, wait)
    };
    end_owner_after(&waited, &mut Some(owner));
    waited
}

impl DriverHandle for Allocation {
    fn release_call(&self) -> Symbol {
        match self.allocator {
            Allocator::StreamOrdered | Allocator::Pool(_) => Symbol::cuMemFreeAsync,
            Allocator::Plain | Allocator::Block(_) | Allocator::Mapped { .. } => Symbol::cuMemFree_v2,
            Allocator::Ipc => Symbol::cuIpcCloseMemHandle,
            Allocator::Owner(_) => Symbol::cuStreamSynchronize,
        }
    }

    #[inline]
    fn release(&mut self, _: Releasing) -> Result<()> {
        self.free()
    }

    #[inline]
    fn keep_slot(&mut self) -> Option<&mut KeepSlot> {
        Some(&mut self.keep)
    }
}

impl fmt::Debug for Allocator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Allocator::StreamOrdered => formatter.write_str("StreamOrdered"),
            Allocator::Pool(pool) => formatter.debug_tuple("Pool").field(pool).finish(),
            Allocator::Plain => formatter.write_str("Plain"),
            Allocator::Block(_) => formatter.write_str("Caching"),
            Allocator::Ipc => formatter.write_str("Ipc"),
            Allocator::Owner(_) => formatter.write_str("Owner"),
            Allocator::Mapped { .. } => formatter.write_str("Mapped"),
        }
    }
}

impl fmt::Debug for Allocation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Allocation")
            .field("address", &format_args!("{:#x}", self.address))
            .field("allocator", &self.allocator)
            .field("stream", &self.stream)
            .finish()
    }
}
