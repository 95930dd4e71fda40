//! The sources of the memory of buffers, and the ways to release it.

use super::caching::CachingPool;
use super::pool::MemPool;
use core::any::Any;
use core::fmt;

/// The source of the memory of a [`DeviceBuf`](crate::DeviceBuf).
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::MemorySource;
///
/// let plain = DeviceBuf::<f32>::zeroed_in(&stream, 1000, MemorySource::Plain)?;
/// assert!(plain.is_plain());
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub enum MemorySource<'a> {
    /// The device's current pool, in the order of the home stream: `cuMemAllocAsync`, `cuMemFreeAsync`.
    /// [`Plain`](MemorySource::Plain) on devices without memory pools.
    #[default]
    #[doc(alias = "cuMemAllocAsync")]
    Default,
    /// A separate allocation, usable at once on all streams: `cuMemAlloc`, `cuMemFree`.
    ///
    /// Freeing waits until all work queued in the context is done. [Peer access](crate::peer) covers such memory, and it can be
    /// shared with other processes.
    #[doc(alias = "cuMemAlloc")]
    Plain,
    /// A memory pool of the driver, of the stream's device: `cuMemAllocFromPoolAsync`, `cuMemFreeAsync`.
    #[doc(alias = "cuMemAllocFromPoolAsync")]
    Pool(&'a MemPool),
    /// A pool of this crate, for streams of the pool's context. Works on every device, even without memory pools of the driver.
    Caching(&'a CachingPool),
}

/// Converts a pool, so that a call can name the pool alone.
impl<'a> From<&'a MemPool> for MemorySource<'a> {
    fn from(pool: &'a MemPool) -> Self {
        MemorySource::Pool(pool)
    }
}

/// Converts a pool, so that a call can name the pool alone.
impl<'a> From<&'a CachingPool> for MemorySource<'a> {
    fn from(pool: &'a CachingPool) -> Self {
        MemorySource::Caching(pool)
    }
}

/// The way in which device memory is released. [`DeviceBuf::from_raw`](crate::DeviceBuf::from_raw) makes a buffer of an address,
/// a length and this value. [`into_raw`](crate::DeviceBuf::into_raw) returns the value.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::{MemoryRelease, MemorySource};
///
/// let plain = DeviceBuf::<f32>::zeroed_in(&stream, 4, MemorySource::Plain)?;
/// let (ptr, len, release) = plain.into_raw();
/// assert!(matches!(release, MemoryRelease::Plain)); // free it with `cuMemFree`
/// # // SAFETY: it is what a buffer was.
/// # drop(unsafe { DeviceBuf::from_raw(ptr, len, &stream, release) });
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[non_exhaustive]
pub enum MemoryRelease {
    /// `cuMemFreeAsync` on the home stream.
    #[doc(alias = "cuMemFreeAsync")]
    StreamOrdered,
    /// `cuMemFreeAsync` on the home stream. The value keeps the pool alive until then.
    Pool(MemPool),
    /// `cuMemFree`. A buffer of a [`CachingPool`] also returns this value: its block leaves the pool.
    #[doc(alias = "cuMemFree")]
    Plain,
    /// `cuIpcCloseMemHandle`, when the home stream has no more work: the memory belongs to another process.
    #[doc(alias = "cuIpcCloseMemHandle")]
    Ipc,
    /// A drop of the owner, when the home stream has no more work.
    Owner(Box<dyn Any + Send + Sync>),
}

impl fmt::Debug for MemoryRelease {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MemoryRelease::StreamOrdered => formatter.write_str("StreamOrdered"),
            MemoryRelease::Pool(pool) => formatter.debug_tuple("Pool").field(pool).finish(),
            MemoryRelease::Plain => formatter.write_str("Plain"),
            MemoryRelease::Ipc => formatter.write_str("Ipc"),
            MemoryRelease::Owner(_) => formatter.write_str("Owner(..)"),
        }
    }
}
