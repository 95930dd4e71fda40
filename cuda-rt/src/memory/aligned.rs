//! Host memory with a chosen alignment.

#![allow(unsafe_code)]

use super::buffer::size_bytes;
use crate::error::{Error, Result};
use bytemuck::Zeroable;
use core::alloc::Layout;
use core::fmt;
use core::ops::{Deref, DerefMut};
use core::ptr::{NonNull, without_provenance_mut};
use std::alloc::{alloc_zeroed, dealloc};

/// `len` elements of `T` in pageable memory that begins at a multiple of a chosen number, such as the page size.
///
/// An aligned buffer needs no driver and no context. It is meant for [registering](crate::memory::RegisteredBuf):
/// the driver locks whole pages. If the alignment and the size are multiples of the page size, these pages hold no
/// other data. The size is not rounded up. An aligned buffer also serves interfaces that require aligned memory.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::memory::{AlignedBuf, RegisterFlags, RegisteredBuf};
///
/// let mut samples = AlignedBuf::<f32>::zeroed(1024)?;
/// assert_eq!(samples.as_ptr().addr() % 4096, 0);
/// samples[0] = 1.0;
/// let samples = RegisteredBuf::new(&context, samples, RegisterFlags::empty())?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub struct AlignedBuf<T> {
    /// Address of `len` elements; dangling if they have no bytes.
    start: NonNull<T>,
    len: usize,
    /// Layout of the allocation; of size 0 if there is none.
    layout: Layout,
}

// SAFETY: the buffer owns its elements, as a vector does.
unsafe impl<T: Send> Send for AlignedBuf<T> {}
// SAFETY: `&AlignedBuf<T>` gives `&[T]`, and nothing else.
unsafe impl<T: Sync> Sync for AlignedBuf<T> {}

impl<T: Copy + Zeroable> AlignedBuf<T> {
    /// Default alignment of [`zeroed`](AlignedBuf::zeroed), in bytes: the largest page of common systems. 64 KiB on aarch64,
    /// where pages have 4, 16 or 64 KiB, and 4 KiB elsewhere.
    pub const DEFAULT_ALIGNMENT: usize = if cfg!(target_arch = "aarch64") { 1 << 16 } else { 4096 };

    /// Allocates `len` elements, all zero, at a multiple of [`DEFAULT_ALIGNMENT`](AlignedBuf::DEFAULT_ALIGNMENT) bytes.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the size exceeds the address space.
    /// - [`OutOfHostMemory`](crate::error::ErrorKind::OutOfHostMemory).
    ///
    /// # Examples
    ///
    /// ```
    /// let page = cuda_rt::memory::AlignedBuf::<u8>::zeroed(4096)?;
    /// assert_eq!(page[4095], 0);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn zeroed(len: usize) -> Result<Self> {
        Self::with_alignment(len, Self::DEFAULT_ALIGNMENT)
    }

    /// Allocates `len` elements, all zero, at a multiple of `alignment` bytes. If the alignment of `T` is larger, it is used
    /// instead.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the alignment is not a power of two.
    /// - Same as [`AlignedBuf::zeroed`].
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::memory::AlignedBuf;
    ///
    /// let huge = AlignedBuf::<u8>::with_alignment(100, 2 << 20)?;
    /// assert_eq!(huge.as_ptr().addr() % (2 << 20), 0);
    /// let refused = AlignedBuf::<u8>::with_alignment(100, 3).unwrap_err();
    /// assert_eq!(refused.to_string(), "alignment: 3 bytes is not a power of two");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn with_alignment(len: usize, alignment: usize) -> Result<Self> {
        if !alignment.is_power_of_two() {
            return Err(Error::not_a_power_of_two("alignment", alignment));
        }
        let aligned = alignment.max(align_of::<T>());
        let bytes = size_bytes::<T>(len)?;
        let layout = Layout::from_size_align(bytes, aligned)
            .map_err(|_| Error::size_overflow("buffer", len, size_of::<T>()))?;
        let start = if bytes == 0 {
            without_provenance_mut(aligned)
        } else {
            // SAFETY: the size is not 0.
            unsafe { alloc_zeroed(layout) }
        };
        let start = NonNull::new(start.cast()).ok_or_else(|| Error::host_memory(bytes))?;
        Ok(AlignedBuf { start, len, layout })
    }
}

impl<T> AlignedBuf<T> {
    /// Returns the alignment of the memory, in bytes.
    pub fn alignment(&self) -> usize {
        self.layout.align()
    }

    /// Returns the size in bytes.
    pub fn size_bytes(&self) -> usize {
        self.layout.size()
    }
}

impl<T> Deref for AlignedBuf<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the buffer owns `len` elements, which were made of zeros: the constructors need `Zeroable`.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T> DerefMut for AlignedBuf<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and borrowed mutably.
        unsafe { core::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T> Drop for AlignedBuf<T> {
    fn drop(&mut self) {
        if self.layout.size() > 0 {
            // SAFETY: the memory was allocated with this layout, and nothing uses it any more. The elements are `Copy`: they need
            // no drop.
            unsafe { dealloc(self.start.as_ptr().cast(), self.layout) };
        }
    }
}

impl<T> fmt::Debug for AlignedBuf<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("AlignedBuf")
            .field("start", &self.start)
            .field("len", &self.len)
            .field("alignment", &self.alignment())
            .finish()
    }
}
