//! A caching pool of pinned memory.

use super::bins::{Bin, Bins};
use super::{CachingPoolUsage, close_all};
use crate::handle::{DriverHandle, Owned, Releasing, ensure_not_in_host_function, is_forked_child, report};

use crate::context::Context;
use crate::error::{Code, Result};
use crate::memory::pinned::Block;
use crate::memory::{PinnedBuf, PinnedFlags};
use bytemuck::Zeroable;
use core::fmt;
use core::mem::MaybeUninit;
use cuda_sys::Symbol;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A pool that keeps freed pinned memory and reuses it. Clones are handles to the same pool.
///
/// Page-locking memory takes long. To unlock it, the driver waits until all work of the context is done.
/// [`PinnedBuf::zeroed_in`] and [`PinnedBuf::from_slice_in`] allocate from the pool. When such a buffer is dropped, its memory
/// returns to the pool without a wait. So kernels that use the memory must have ended before the drop.
///
/// Block sizes, the behaviour when memory runs out, and the release of the pool are the same as for
/// [`CachingPool`](crate::memory::CachingPool). The [out-of-memory hook](crate::memory::set_out_of_memory_hook) is not called.
///
/// # Blocking
///
/// Freeing blocks waits until all work queued in the context is done. These operations free blocks:
/// [`trim`](PinnedPool::trim), [`disable_caching`](PinnedPool::disable_caching), dropping the last handle, and an
/// allocation for which memory runs out. After `disable_caching`, or without a handle, dropping a buffer frees its
/// block, too.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::PinnedBuf;
/// use cuda_rt::memory::{PinnedFlags, PinnedPool};
///
/// let pool = PinnedPool::new(&context, PinnedFlags::empty());
/// let first = PinnedBuf::from_slice_in(&pool, &[1, 2, 3])?;
/// let address = first.as_ptr();
/// drop(first);
/// let second = PinnedBuf::<i32>::zeroed_in(&pool, 3)?;
/// assert_eq!(second.as_ptr(), address); // the same block
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "PageLockedMemoryPool")]
#[derive(Clone)]
pub struct PinnedPool(Arc<Owned<Handle>>);

/// State that all handles share.
struct Handle {
    pool: Arc<Inner>,
}

struct Inner {
    blocks: Mutex<Bins<Owned<Block>>>,
    flags: PinnedFlags,
    context: Context,
}

/// A block in use, which returns to its pool on drop.
pub(in crate::memory) struct PooledBlock {
    bin: Bin,
    asked: usize,
    /// `None` after the block was returned.
    block: Option<Owned<Block>>,
    pool: Arc<Inner>,
}

impl PinnedPool {
    /// Makes an empty pool. Its blocks will be allocated in `context` with `flags`.
    pub fn new(context: &Context, flags: PinnedFlags) -> PinnedPool {
        let blocks = Mutex::new(Bins::new());
        let pool = Arc::new(Inner { blocks, flags, context: context.clone() });
        PinnedPool(Arc::new(Owned::new(Handle { pool })))
    }

    /// Returns the context that the memory is allocated in.
    pub fn context(&self) -> &Context {
        &self.0.pool.context
    }

    /// Returns the contents of the pool. In a child of a fork they are empty: there the pool can only be dropped.
    pub fn usage(&self) -> CachingPoolUsage {
        self.0.pool.blocks().map(|blocks| blocks.usage()).unwrap_or_default()
    }

    /// Frees the free blocks. Wraps `cuMemFreeHost`.
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
    /// # let context = cuda_doc::context()?;
    /// # use cuda_rt::PinnedBuf;
    /// # use cuda_rt::memory::{PinnedFlags, PinnedPool};
    /// let pool = PinnedPool::new(&context, PinnedFlags::empty());
    /// drop(PinnedBuf::<u8>::zeroed_in(&pool, 1000)?);
    /// pool.trim()?;
    /// assert_eq!(pool.usage().managed_bytes, 0);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemFreeHost")]
    pub fn trim(&self) -> Result<()> {
        // Otherwise the blocks would be taken out of the pool and could not be freed.
        ensure_not_in_host_function(Symbol::cuMemFreeHost)?;
        self.0.pool.trim()
    }

    /// Frees the free blocks, and from now on every block when it is returned.
    ///
    /// # Blocking
    ///
    /// As [`trim`](PinnedPool::trim).
    ///
    /// # Errors
    ///
    /// Same as [`trim`](PinnedPool::trim).
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # use cuda_rt::PinnedBuf;
    /// # use cuda_rt::memory::{PinnedFlags, PinnedPool};
    /// let pool = PinnedPool::new(&context, PinnedFlags::empty());
    /// let buffer = PinnedBuf::<u8>::zeroed_in(&pool, 1000)?;
    /// pool.disable_caching()?;
    /// drop(buffer);
    /// assert_eq!(pool.usage().held_blocks, 0);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemFreeHost")]
    pub fn disable_caching(&self) -> Result<()> {
        // Otherwise the blocks would be taken out of the pool and could not be freed.
        ensure_not_in_host_function(Symbol::cuMemFreeHost)?;
        self.0.pool.disable_caching()
    }

    /// Returns a block of at least `bytes` bytes, which is not 0.
    pub(in crate::memory) fn allocate(&self, bytes: usize) -> Result<Owned<PooledBlock>> {
        let pool = &self.0.pool;
        let bin = Bin::of(bytes);
        loop {
            if let Some(block) = pool.blocks().and_then(|mut blocks| blocks.take(bin, bytes, |_| true)) {
                return Ok(pool.lend(bin, bytes, block));
            }
            match Block::new(&pool.context, bin.bytes(), pool.flags) {
                Ok(block) => {
                    if let Some(mut blocks) = pool.blocks() {
                        blocks.add(bin, bytes);
                    }
                    return Ok(pool.lend(bin, bytes, block));
                }
                Err(error) if error.code() == Some(Code::OutOfMemory) => {
                    let largest = pool.blocks().and_then(|mut blocks| blocks.take_largest());
                    let Some(largest) = largest else { return Err(error) };
                    report(largest.close());
                }
                Err(error) => return Err(error),
            }
        }
    }
}

impl<T: Copy> PinnedBuf<T> {
    /// Allocates `len` elements from a pool, all zero.
    ///
    /// An empty buffer takes nothing from the pool.
    ///
    /// # Errors
    ///
    /// Same as [`PinnedBuf::with_flags`], with the flags of the pool.
    #[doc(alias = "cuMemHostAlloc")]
    pub fn zeroed_in(pool: &PinnedPool, len: usize) -> Result<Self>
    where
        T: Zeroable,
    {
        Self::from_pool(pool, len).map(|buffer| buffer.set_zero())
    }

    /// Allocates `len` elements from a pool, without setting them.
    ///
    /// # Errors
    ///
    /// Same as [`PinnedBuf::with_flags`], with the flags of the pool.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # use cuda_rt::PinnedBuf;
    /// # use cuda_rt::memory::{PinnedFlags, PinnedPool};
    /// let pool = PinnedPool::new(&context, PinnedFlags::empty());
    /// let mut one = PinnedBuf::<u32>::uninit_in(&pool, 1)?;
    /// one[0].write(7);
    /// // SAFETY: it has been written.
    /// assert_eq!(unsafe { one.assume_init() }[..], [7]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemHostAlloc")]
    pub fn uninit_in(pool: &PinnedPool, len: usize) -> Result<PinnedBuf<MaybeUninit<T>>> {
        PinnedBuf::from_pool(pool, len)
    }

    /// Copies host memory to memory of a pool.
    ///
    /// # Errors
    ///
    /// Same as [`PinnedBuf::with_flags`], with the flags of the pool.
    #[doc(alias = "cuMemHostAlloc")]
    pub fn from_slice_in(pool: &PinnedPool, elements: &[T]) -> Result<Self> {
        Self::from_pool(pool, elements.len()).map(|buffer| buffer.set(elements))
    }
}

impl Inner {
    /// Locks the blocks. `None` in a child of a fork: a thread that does not exist there may hold the lock.
    fn blocks(&self) -> Option<MutexGuard<'_, Bins<Owned<Block>>>> {
        if is_forked_child() {
            return None;
        }
        Some(self.blocks.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn lend(self: &Arc<Self>, bin: Bin, asked: usize, block: Owned<Block>) -> Owned<PooledBlock> {
        Owned::new(PooledBlock { bin, asked, block: Some(block), pool: Arc::clone(self) })
    }

    fn trim(&self) -> Result<()> {
        close_all(|| {
            let largest = self.blocks().and_then(|mut blocks| blocks.take_largest());
            largest.map(Owned::close)
        })
    }

    fn disable_caching(&self) -> Result<()> {
        if let Some(mut blocks) = self.blocks() {
            blocks.disable_caching();
        }
        self.trim()
    }
}

impl PooledBlock {
    /// Returns the memory, which exists until this value is dropped.
    pub(in crate::memory) fn block(&self) -> Option<&Block> {
        self.block.as_deref()
    }
}

impl DriverHandle for PooledBlock {
    fn release_call(&self) -> Symbol {
        Symbol::cuMemFreeHost
    }

    /// Returns the block to the pool. If the pool keeps no blocks, frees the block.
    fn release(&mut self, _: Releasing) -> Result<()> {
        let Some(block) = self.block.take() else { return Ok(()) };
        // Not closed while the pool is locked.
        let refused = match self.pool.blocks() {
            Some(mut blocks) => blocks.put(self.bin, self.asked, block),
            None => Err(block),
        };
        refused.or_else(Owned::close)
    }
}

impl DriverHandle for Handle {
    fn release_call(&self) -> Symbol {
        Symbol::cuMemFreeHost
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        self.pool.disable_caching()
    }
}

impl fmt::Debug for PinnedPool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PinnedPool")
            .field("usage", &self.usage())
            .field("flags", &self.0.pool.flags)
            .field("context", self.context())
            .finish()
    }
}

impl fmt::Debug for PooledBlock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PooledBlock").field("block", &self.block).finish()
    }
}
