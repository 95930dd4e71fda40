//! The same for page-locked host memory.

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

/// Page-locked host memory that is kept when it is freed, and used again. Clones are handles to the same pool.
///
/// The driver takes long to lock memory, and waits for the context to unlock it. Buffers come out of the pool by
/// [`PinnedBuf::zeroed_in`] and [`PinnedBuf::from_slice_in`], and what they had goes back to it when they are dropped,
/// which does not wait: so kernels that use the memory must have ended before. The sizes of blocks, what is done if there is
/// too little memory, and the end of the pool are as those of [`CachingPool`](crate::memory::CachingPool); the hook is not asked.
///
/// # Blocking
///
/// Freeing held blocks waits until all work queued in the context is done. [`trim`](PinnedPool::trim) and
/// [`disable_caching`](PinnedPool::disable_caching) free them, dropping the last handle does, and allocating where there is too
/// little memory.
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

/// All that the program has of the pool.
struct Handle {
    pool: Arc<Inner>,
}

struct Inner {
    blocks: Mutex<Bins<Owned<Block>>>,
    flags: PinnedFlags,
    context: Context,
}

/// A block in use, which goes back to its pool when this is dropped.
pub(in crate::memory) struct PooledBlock {
    bin: Bin,
    asked: usize,
    /// `None` once it was given back.
    block: Option<Owned<Block>>,
    pool: Arc<Inner>,
}

impl PinnedPool {
    /// Makes a pool without any blocks. They will have these flags, and be allocated in this context.
    pub fn new(context: &Context, flags: PinnedFlags) -> PinnedPool {
        let blocks = Mutex::new(Bins::new());
        let pool = Arc::new(Inner { blocks, flags, context: context.clone() });
        PinnedPool(Arc::new(Owned::new(Handle { pool })))
    }

    /// Returns the context that the memory is allocated in.
    pub fn context(&self) -> &Context {
        &self.0.pool.context
    }

    /// Returns the contents of the pool. They are empty in a child of a fork, where the pool can only be dropped.
    pub fn usage(&self) -> CachingPoolUsage {
        self.0.pool.blocks().map(|blocks| blocks.usage()).unwrap_or_default()
    }

    /// Frees the blocks that wait to be used again. Wraps `cuMemFreeHost`.
    ///
    /// # Blocking
    ///
    /// If there are any, until all work queued in the context is done.
    ///
    /// # Errors
    ///
    /// An earlier failure; of several the first, and the [hook](crate::handle::set_drop_hook) receives the others. All
    /// blocks are given up all the same.
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
        // Else the blocks would be taken out of the pool, and could not be freed.
        ensure_not_in_host_function(Symbol::cuMemFreeHost)?;
        self.0.pool.trim()
    }

    /// Frees the blocks that wait to be used again, and from now on every block when it comes back.
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
        // Else the blocks would be taken out of the pool, and could not be freed.
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
    /// Memory of a pool for `len` elements, all zero.
    ///
    /// A buffer of no bytes does without the pool.
    ///
    /// # Errors
    ///
    /// Same as [`PinnedBuf::zeroed`].
    #[doc(alias = "cuMemHostAlloc")]
    pub fn zeroed_in(pool: &PinnedPool, len: usize) -> Result<Self>
    where
        T: Zeroable,
    {
        Self::from_pool(pool, len).map(|buffer| buffer.set_zero())
    }

    /// Takes memory of a pool for `len` elements and leaves it as it is.
    ///
    /// # Errors
    ///
    /// Same as [`PinnedBuf::zeroed`].
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

    /// Makes a copy of other host memory, in memory of a pool.
    ///
    /// # Errors
    ///
    /// Same as [`PinnedBuf::zeroed`].
    #[doc(alias = "cuMemHostAlloc")]
    pub fn from_slice_in(pool: &PinnedPool, elements: &[T]) -> Result<Self> {
        Self::from_pool(pool, elements.len()).map(|buffer| buffer.set(elements))
    }
}

impl Inner {
    /// `None` in a child of a fork, where a thread that is not there may have the lock.
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
    /// The memory; there is some as long as this lives.
    pub(in crate::memory) fn block(&self) -> Option<&Block> {
        self.block.as_deref()
    }
}

impl DriverHandle for PooledBlock {
    fn release_call(&self) -> Symbol {
        Symbol::cuMemFreeHost
    }

    /// Gives the block back to the pool, or to the driver if the pool does not want it.
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
