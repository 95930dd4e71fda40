//! Where the memory of buffers comes from, and where it goes.

use super::caching::CachingPool;
use super::pool::MemPool;
use core::any::Any;
use core::fmt;

/// Where a [`DeviceBuf`](crate::DeviceBuf) has its memory from.
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
    /// The device's current pool, in the order of the home stream; [`Plain`](MemorySource::Plain) on devices without
    /// memory pools. `cuMemAllocAsync`, `cuMemFreeAsync`.
    #[default]
    #[doc(alias = "cuMemAllocAsync")]
    Default,
    /// An allocation of its own, at once and for all streams. `cuMemAlloc`, `cuMemFree`.
    ///
    /// Freeing waits until all work queued in the context is done. [Peer access](crate::peer) covers such memory as it
    /// is, and it can be shared with other processes.
    #[doc(alias = "cuMemAlloc")]
    Plain,
    /// A memory pool of the driver's, of the stream's device. `cuMemAllocFromPoolAsync`, `cuMemFreeAsync`.
    #[doc(alias = "cuMemAllocFromPoolAsync")]
    Pool(&'a MemPool),
    /// A pool of this crate's own, on any device.
    Caching(&'a CachingPool),
}

/// So that a pool can be named alone.
impl<'a> From<&'a MemPool> for MemorySource<'a> {
    fn from(pool: &'a MemPool) -> Self {
        MemorySource::Pool(pool)
    }
}

/// So that a pool can be named alone.
impl<'a> From<&'a CachingPool> for MemorySource<'a> {
    fn from(pool: &'a CachingPool) -> Self {
        MemorySource::Caching(pool)
    }
}

/// How device memory is given back. With an address and a length it makes a buffer:
/// [`DeviceBuf::from_raw`](crate::DeviceBuf::from_raw), and [`into_raw`](crate::DeviceBuf::into_raw) back.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::{MemoryRelease, MemorySource};
///
/// let plain = DeviceBuf::<f32>::zeroed_in(&stream, 4, MemorySource::Plain)?;
/// let (ptr, len, release) = plain.into_raw();
/// assert!(matches!(release, MemoryRelease::Plain)); // so it is to be freed by `cuMemFree`
/// # // SAFETY: it is what a buffer was.
/// # drop(unsafe { DeviceBuf::from_raw(ptr, len, &stream, release) });
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[non_exhaustive]
pub enum MemoryRelease {
    /// By `cuMemFreeAsync` on the home stream.
    #[doc(alias = "cuMemFreeAsync")]
    StreamOrdered,
    /// By `cuMemFreeAsync` on the home stream, while this pool lives.
    Pool(MemPool),
    /// By `cuMemFree`.
    #[doc(alias = "cuMemFree")]
    Plain,
    /// By `cuIpcCloseMemHandle`, when the home stream has nothing to do any more: it is of another process.
    #[doc(alias = "cuIpcCloseMemHandle")]
    Ipc,
    /// By dropping its owner, when the home stream has nothing to do any more.
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
