//! Memory of other libraries.

#![allow(unsafe_code)]

use super::classify::{Classified, classify};
use super::{Memory, MemoryKind, MemoryOrigin, MemoryOwner};
use crate::context::Context;
use crate::error::Result;
use crate::memory::DevicePtr;
use core::marker::PhantomData;
use cuda_sys::CUdeviceptr;

/// Memory of other code. For device memory, which is known only by its address, the driver is queried once for the memory kind.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::access::{ForeignMemory, MemoryKind, can_access};
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::MemorySource;
///
/// let theirs = DeviceBuf::<f32>::zeroed_in(&stream, 100, MemorySource::Plain)?;
/// // SAFETY: the buffer stays.
/// let memory = unsafe { ForeignMemory::on_device(&context, theirs.ptr()) }?;
/// assert_eq!(memory.kind(), MemoryKind::Device);
/// assert!(can_access(&context, &memory)?);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ForeignMemory<'a> {
    source: Source,
    _memory: PhantomData<&'a ()>,
}

#[derive(Debug, Clone)]
enum Source {
    Host(MemoryKind),
    Device { context: Context, address: CUdeviceptr, found: Classified },
}

impl<'a> ForeignMemory<'a> {
    /// Names memory that the caller says belongs to a context. Wraps `cuPointerGetAttributes`.
    ///
    /// The context counts as having access, as for a [slice](crate::DeviceSlice). For other viewpoints the driver's answer
    /// decides. The following memory is [unverified](super::Access::Unverified):
    ///
    /// - From every other viewpoint: memory that the driver does not know, memory of a graph, and page-locked memory of the host.
    /// - From the host: memory that is mapped by `cuMemMap`.
    /// - From other devices: a variable of a module, if peer access is enabled.
    /// - From other devices: memory of a pool that is neither the default one of its device nor a live
    ///   [`MemPool`](crate::memory::MemPool) of this crate.
    ///
    /// # Errors
    ///
    /// An earlier failure. An address that the driver does not know is no failure.
    ///
    /// # Safety
    ///
    /// During `'a`, the memory stays allocated, and its context or pool stays alive.
    #[doc(alias = "cuPointerGetAttributes")]
    pub unsafe fn on_device<T>(context: &'a Context, pointer: DevicePtr<T>) -> Result<ForeignMemory<'a>> {
        let address = pointer.as_raw();
        let found = classify(Some(context), address)?;
        Ok(Self::of(Source::Device { context: context.clone(), address, found }))
    }

    /// Names pageable memory of the host, without a driver call.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::access::{ForeignMemory, MemoryKind};
    ///
    /// assert_eq!(ForeignMemory::on_host().kind(), MemoryKind::Pageable);
    /// ```
    pub const fn on_host() -> ForeignMemory<'a> {
        Self::of(Source::Host(MemoryKind::Pageable))
    }

    /// Names memory of the host that the caller says is page-locked.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::access::{ForeignMemory, MemoryKind};
    ///
    /// assert_eq!(ForeignMemory::page_locked().kind(), MemoryKind::Pinned);
    /// ```
    pub const fn page_locked() -> ForeignMemory<'a> {
        Self::of(Source::Host(MemoryKind::Pinned))
    }

    const fn of(source: Source) -> Self {
        ForeignMemory { source, _memory: PhantomData }
    }

    /// Returns the memory kind.
    pub fn kind(&self) -> MemoryKind {
        match &self.source {
            Source::Host(kind) => *kind,
            Source::Device { found, .. } => found.kind,
        }
    }
}

impl Memory for ForeignMemory<'_> {
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
        visit(&match &self.source {
            Source::Host(kind) => MemoryOrigin::host(*kind),
            Source::Device { context, address, found } => {
                MemoryOrigin::classified_as(MemoryOwner::Context(context), *address, *found)
            }
        });
    }
}
