//! Memory kinds that access depends on.

use core::fmt;

/// Memory kind that access depends on.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::access::{MemoryKind, memory_kind};
/// use cuda_rt::memory::MemorySource;
///
/// assert_eq!(memory_kind(&vec![1.0_f32])?, Some(MemoryKind::Pageable));
/// assert_eq!(memory_kind(&DeviceBuf::<f32>::zeroed(&stream, 1)?)?, Some(MemoryKind::Pool));
/// let plain = DeviceBuf::<f32>::zeroed_in(&stream, 1, MemorySource::Plain)?;
/// assert_eq!(memory_kind(&plain)?, Some(MemoryKind::Device));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MemoryKind {
    /// Pageable memory of the host.
    Pageable,
    /// Pinned memory, of `cuMemHostAlloc`.
    Pinned,
    /// Registered memory: the program's own memory, page-locked by `cuMemHostRegister`.
    Registered,
    /// Plain memory of a device, of `cuMemAlloc` and the like, or opened from another process.
    Device,
    /// Variable of a module. Devices cannot access variables of other devices, whatever access is enabled.
    Variable,
    /// Memory of a pool, of `cuMemAllocAsync` and the like.
    Pool,
    /// Managed memory, of `cuMemAllocManaged`, or a managed variable of a module.
    Managed,
    /// Memory that is mapped by `cuMemMap`.
    Mapped,
    /// Texture or surface, which only kernels of its own context can use.
    Texture,
    /// Memory that the driver does not know.
    Unknown,
}

impl fmt::Display for MemoryKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            MemoryKind::Pageable => "pageable host memory",
            MemoryKind::Pinned => "pinned memory",
            MemoryKind::Registered => "registered host memory",
            MemoryKind::Device => "plain device memory",
            MemoryKind::Variable => "a variable of a module",
            MemoryKind::Pool => "memory of a pool",
            MemoryKind::Managed => "managed memory",
            MemoryKind::Mapped => "mapped memory",
            MemoryKind::Texture => "a texture or surface",
            MemoryKind::Unknown => "memory that the driver does not know",
        })
    }
}
