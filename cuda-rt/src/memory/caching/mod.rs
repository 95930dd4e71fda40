//! Pools of this crate, which keep freed memory for the next allocation of about the same size.

#![allow(unsafe_code)]

mod bins;
mod blocks;
mod pinned;

pub use bins::CachingPoolUsage;
pub use pinned::PinnedPool;

#[cfg(unix)]
pub(super) use blocks::is_of_caching_pool;
pub(super) use pinned::PooledBlock;

use super::host_transfer::wait_for_other_devices;
use super::out_of_memory::{retrying, shortage};
use crate::context::{Context, ContextRequirement, different_contexts, release_in, retry_once};
use crate::error::{Code, OrDetail, Result};
use crate::event::{Event, EventFlags};
use crate::handle::{
    DeferredErrors, DriverHandle, Owned, Releasing, ensure_not_in_host_function, is_forked_child, report,
};
use crate::peer::copies_under_way;
use crate::stream::{Stream, StreamId};
use bins::{Bin, Bins};
use blocks::Listed;
use core::fmt;
use cuda_sys::{CUdeviceptr, Symbol};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// A pool that keeps freed device memory and reuses it. Clones are handles to the same pool.
///
/// The pool is meant for devices without [memory pools](crate::memory::MemPool) of the driver: there, allocating takes time and
/// freeing waits for the context. It works on all devices. [`DeviceBuf::zeroed_in`] and similar functions allocate from the pool.
/// When such a buffer is dropped, its memory returns to the pool without a wait.
///
/// A returned block can be reused at once on the home stream of its last buffer. Another stream first waits, by an event, for the
/// work that was queued on that home stream. Block sizes form sixteen classes for each power of two: a block is up to a sixteenth
/// larger than the request. If memory runs out, the pool frees free blocks, the largest first, until the allocation succeeds. If
/// that is not enough, it calls the [hook](crate::memory::set_out_of_memory_hook).
///
/// Dropping the last handle frees the free blocks. Blocks in use are freed when their buffers are dropped. The pool keeps its
/// context alive until then.
///
/// # Blocking
///
/// Freeing blocks waits until all work queued in the context is done. These operations free blocks:
/// [`trim`](CachingPool::trim), [`disable_caching`](CachingPool::disable_caching), dropping the last handle, and an
/// allocation for which memory runs out. Dropping a buffer frees its block after `disable_caching`, without a handle,
/// and while its home stream is being captured.
///
/// [`DeviceBuf::zeroed_in`]: crate::DeviceBuf::zeroed_in
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::CachingPool;
///
/// let pool = CachingPool::new(&context);
/// let first = DeviceBuf::from_host_in(&stream, &[1, 2, 3], &pool)?;
/// let address = first.ptr();
/// drop(first);
/// let second = DeviceBuf::<i32>::zeroed_in(&stream, 3, &pool)?;
/// assert_eq!(second.ptr(), address); // the same block
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "DeviceMemoryPool")]
#[derive(Clone)]
pub struct CachingPool(Arc<Owned<Handle>>);

/// A handle that does not keep the pool alive: for the [hook](crate::memory::set_out_of_memory_hook), and for caches.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::memory::CachingPool;
/// use cuda_rt::memory::set_out_of_memory_hook;
///
/// let pool = CachingPool::new(&context);
/// let weak = pool.downgrade();
/// let before = set_out_of_memory_hook(move |_| {
///     weak.upgrade().is_some_and(|pool| pool.usage().held_blocks > 0 && pool.trim().is_ok())
/// });
/// # before.restore();
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Clone)]
pub struct WeakCachingPool(Weak<Owned<Handle>>);

/// State that all handles share.
struct Handle {
    pool: Arc<Inner>,
}

struct Inner {
    blocks: Mutex<Bins<Held>>,
    context: Context,
}

/// A free block.
struct Held {
    address: CUdeviceptr,
    /// The home stream of its last buffer.
    last: StreamId,
    parts: Box<Parts>,
}

/// The constant parts of a block. Boxed, so that buffers of all kinds are small.
struct Parts {
    bin: Bin,
    /// The bytes that its buffer requested.
    asked: usize,
    /// Recorded on the home stream of its last buffer, after the work there.
    mark: Event,
    listed: Listed,
}

/// A block in use. If it is dropped without being given back, the pool does not count it any more.
pub(super) struct Block {
    /// `None` if the pool does not count the block any more.
    parts: Option<Box<Parts>>,
    pool: Arc<Inner>,
}

impl CachingPool {
    /// Makes an empty pool for streams of a context.
    pub fn new(context: &Context) -> CachingPool {
        let pool = Arc::new(Inner { blocks: Mutex::new(Bins::new()), context: context.clone() });
        CachingPool(Arc::new(Owned::new(Handle { pool })))
    }

    /// Returns the context that the memory is allocated in.
    pub fn context(&self) -> &Context {
        &self.0.pool.context
    }

    /// Returns the size of the block for a request of `bytes` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::memory::CachingPool;
    ///
    /// assert_eq!(CachingPool::block_bytes(1000), 1023);
    /// assert_eq!(CachingPool::block_bytes(1023), 1023);
    /// ```
    pub fn block_bytes(bytes: usize) -> usize {
        Bin::of(bytes).bytes()
    }

    /// Returns the contents of the pool. In a child of a fork they are empty: there the pool can only be dropped.
    #[doc(alias("held_blocks", "active_blocks", "managed_bytes", "active_bytes"))]
    pub fn usage(&self) -> CachingPoolUsage {
        self.0.pool.blocks().map(|blocks| blocks.usage()).unwrap_or_default()
    }

    /// Frees the free blocks. Wraps `cuMemFree`.
    ///
    /// # Blocking
    ///
    /// Until all work queued in the context is done, if there are free blocks.
    ///
    /// # Errors
    ///
    /// An earlier failure. If there are several, the first is returned, and the [hook](crate::handle::set_drop_hook) receives the
    /// others. The pool is empty in any case.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::CachingPool;
    ///
    /// let pool = CachingPool::new(&context);
    /// drop(DeviceBuf::<u8>::zeroed_in(&stream, 1000, &pool)?);
    /// assert_eq!(pool.usage().held_blocks, 1);
    /// pool.trim()?;
    /// assert_eq!(pool.usage().managed_bytes, 0);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemFree")]
    pub fn trim(&self) -> Result<()> {
        // Otherwise the blocks would be taken out of the pool and could not be freed.
        ensure_not_in_host_function(Symbol::cuMemFree_v2)?;
        self.0.pool.trim()
    }

    /// Frees the free blocks, and from now on every block when it is returned.
    ///
    /// # Blocking
    ///
    /// As [`trim`](CachingPool::trim).
    ///
    /// # Errors
    ///
    /// Same as [`trim`](CachingPool::trim).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::DeviceBuf;
    /// # use cuda_rt::memory::CachingPool;
    /// let pool = CachingPool::new(&context);
    /// let buffer = DeviceBuf::<u8>::zeroed_in(&stream, 1000, &pool)?;
    /// pool.disable_caching()?;
    /// drop(buffer);
    /// assert_eq!(pool.usage().held_blocks, 0);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemFree")]
    pub fn disable_caching(&self) -> Result<()> {
        // Otherwise the blocks would be taken out of the pool and could not be freed.
        ensure_not_in_host_function(Symbol::cuMemFree_v2)?;
        self.0.pool.disable_caching()
    }

    /// Returns a handle that does not keep the pool alive.
    pub fn downgrade(&self) -> WeakCachingPool {
        WeakCachingPool(Arc::downgrade(&self.0))
    }

    /// Returns a block in which work on `stream` may use `bytes` bytes, at least one.
    pub(super) fn allocate(&self, stream: &Stream, bytes: usize) -> Result<(CUdeviceptr, Block)> {
        let pool = &self.0.pool;
        if *stream.context() != pool.context {
            let objects = [("the pool", &pool.context), ("the stream", stream.context())];
            return Err(different_contexts(Symbol::cuMemAlloc_v2, objects));
        }
        let bin = Bin::of(bytes);
        retrying(&pool.context, bin.bytes(), || pool.allocate(stream, bin, bytes))
    }
}

impl WeakCachingPool {
    /// Returns a handle to the pool, if there is a handle left.
    pub fn upgrade(&self) -> Option<CachingPool> {
        self.0.upgrade().map(CachingPool)
    }
}

impl Inner {
    /// Locks the blocks. `None` in a child of a fork: a thread that does not exist there may hold the lock.
    fn blocks(&self) -> Option<MutexGuard<'_, Bins<Held>>> {
        if is_forked_child() {
            return None;
        }
        Some(self.blocks.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn allocate(self: &Arc<Self>, stream: &Stream, bin: Bin, asked: usize) -> Result<(CUdeviceptr, Block)> {
        if let Some(found) = self.reuse(stream, bin, asked) {
            return found;
        }
        let mark = Event::with_flags(&self.context, EventFlags::DISABLE_TIMING)?;
        loop {
            match self.new_memory(bin.bytes()) {
                Ok(address) => {
                    if let Some(mut blocks) = self.blocks() {
                        blocks.add(bin, asked);
                    }
                    let listed = Listed::new(address, bin.bytes());
                    let parts = Some(Box::new(Parts { bin, asked, mark, listed }));
                    return Ok((address, Block { parts, pool: Arc::clone(self) }));
                }
                Err(error) if error.code() == Some(Code::OutOfMemory) => {
                    // A block may have been returned meanwhile.
                    if let Some(found) = self.reuse(stream, bin, asked) {
                        return found;
                    }
                    let largest = self.blocks().and_then(|mut blocks| blocks.take_largest());
                    let Some(largest) = largest else { return Err(error) };
                    report(self.free_block(&largest));
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Takes a free block of this size, if there is one.
    fn reuse(
        self: &Arc<Self>,
        stream: &Stream,
        bin: Bin,
        asked: usize,
    ) -> Option<Result<(CUdeviceptr, Block)>> {
        let is_here = |held: &Held| held.last.is(stream);
        let mut held = self.blocks()?.take(bin, asked, is_here)?;
        if !is_here(&held) {
            // Work that was queued on the last home stream may still use the block.
            if let Err(error) = stream.wait_event(&held.parts.mark) {
                let refused = self.blocks()?.put(bin, asked, held);
                if let Err(held) = refused {
                    report(self.free_block(&held));
                }
                return Some(Err(error));
            }
        }
        held.parts.asked = asked;
        Some(Ok((held.address, Block { parts: Some(held.parts), pool: Arc::clone(self) })))
    }

    fn new_memory(&self, bytes: usize) -> Result<CUdeviceptr> {
        let mut address = 0;
        let bound = self.context.bind(Symbol::cuMemAlloc_v2)?;
        // SAFETY: `address` is valid for a write; the context is current.
        let allocated = unsafe { check!(cuMemAlloc_v2(&raw mut address, bytes)) }
            .or_detail(&[Code::OutOfMemory], &|| shortage(&self.context, bytes));
        drop(bound);
        if allocated.is_err() && address != 0 {
            // The call reported an earlier failure.
            report(self.free(address));
        }
        allocated.map(|()| address)
    }

    /// Frees a free block that the pool does not count any more.
    fn free_block(&self, held: &Held) -> Result<()> {
        held.parts.listed.remove();
        let waits = |errors: &mut DeferredErrors| match copies_under_way(self.context.device(), errors) {
            true => retry_once(|| held.parts.mark.synchronize().map(drop)),
            false => Ok(()),
        };
        release_in(&self.context, ContextRequirement::None, Symbol::cuMemFree_v2, &mut |errors| {
            match waits(errors) {
                // After a failure of this extent no copy is under way.
                Err(error) if error.is_sticky() => errors.add(Err(error)),
                waited => waited?,
            }
            // SAFETY: the pool owned the memory, and nothing uses it any more.
            unsafe { check!(cuMemFree_v2(held.address)) }
        })
    }

    /// Frees memory that was never used.
    fn free(&self, address: CUdeviceptr) -> Result<()> {
        release_in(&self.context, ContextRequirement::None, Symbol::cuMemFree_v2, &mut |_| {
            // SAFETY: the pool owned the memory, and nothing uses it any more.
            unsafe { check!(cuMemFree_v2(address)) }
        })
    }

    fn trim(&self) -> Result<()> {
        close_all(|| {
            let largest = self.blocks().and_then(|mut blocks| blocks.take_largest());
            largest.map(|largest| self.free_block(&largest))
        })
    }

    fn disable_caching(&self) -> Result<()> {
        if let Some(mut blocks) = self.blocks() {
            blocks.disable_caching();
        }
        self.trim()
    }
}

/// Closes one object after the other. Returns the first failure; the drop hook receives the others.
fn close_all(mut close: impl FnMut() -> Option<Result<()>>) -> Result<()> {
    let mut errors = DeferredErrors::default();
    let mut outcome = Ok(());
    while let Some(closed) = close() {
        if outcome.is_ok() {
            outcome = closed;
        } else {
            errors.add(closed);
        }
    }
    outcome
}

impl Block {
    /// Returns the block to its pool, after the work that is queued on the home stream of its buffer. If the pool keeps no
    /// blocks, or cannot tell when the block may be reused, frees the block.
    pub(super) fn give_back(mut self, address: CUdeviceptr, stream: &Stream) -> Result<()> {
        let pool = Arc::clone(&self.pool);
        // Values that are dropped only after the state of the thread is restored.
        let mut unwanted = None;
        release_in(&pool.context, ContextRequirement::None, Symbol::cuMemFree_v2, &mut |errors| {
            let is_marked = self.mark_on(stream).unwrap_or_else(|error| {
                errors.add(Err(error));
                false
            });
            let parts = if is_marked { self.parts.take() } else { None };
            if let Some(parts) = parts {
                let (bin, asked) = (parts.bin, parts.asked);
                let held = Held { address, last: stream.to_id(), parts };
                unwanted = pool.blocks().and_then(|mut blocks| blocks.put(bin, asked, held).err());
                if unwanted.is_none() {
                    return Ok(());
                }
            }
            wait_for_other_devices(stream, Symbol::cuMemFree_v2, errors)?;
            let parts = self.parts.as_ref().or(unwanted.as_ref().map(|held| &held.parts));
            if let Some(parts) = parts {
                parts.listed.remove();
            }
            // SAFETY: the pool owned the memory, and nothing uses it any more.
            unsafe { check!(cuMemFree_v2(address)) }
        })
    }

    /// Records the mark on the stream. Returns whether it was recorded: a stream that is being captured gets no mark, which would
    /// be in the graph.
    fn mark_on(&self, stream: &Stream) -> Result<bool> {
        let Some(parts) = &self.parts else { return Ok(false) };
        if stream.takes_part_in_capture(Symbol::cuEventRecord)? {
            return Ok(false);
        }
        parts.mark.record(stream).map(|_| true)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // Dropped last, and not while the pool is locked.
        let Some(parts) = self.parts.take() else { return };
        if let Some(mut blocks) = self.pool.blocks() {
            blocks.lose(parts.bin, parts.asked);
        }
    }
}

impl DriverHandle for Handle {
    fn release_call(&self) -> Symbol {
        Symbol::cuMemFree_v2
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        self.pool.disable_caching()
    }
}

impl fmt::Debug for CachingPool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("CachingPool")
            .field("usage", &self.usage())
            .field("context", self.context())
            .finish()
    }
}

impl fmt::Debug for WeakCachingPool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("WeakCachingPool")
    }
}
