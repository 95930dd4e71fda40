//! Host memory that can be registered, or owned by a copy.

use super::aligned::AlignedBuf;
use super::pinned::PinnedBuf;
use super::registered::RegisteredBuf;
use core::ptr::NonNull;

/// Host memory that can be [registered](crate::memory::RegisteredBuf): the owners `Vec<T>`, `Box<[T]>` and [`AlignedBuf<T>`], and
/// the borrowed `&mut [T]` and `&[T]`.
///
/// Other types cannot implement it.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::{Context, Result};
/// use cuda_rt::memory::{OwnedHostMemory, RegisterFlags, RegisteredBuf};
///
/// fn keep<C: OwnedHostMemory>(context: &Context, memory: C) -> Result<RegisteredBuf<C>> {
///     Ok(RegisteredBuf::new(context, memory, RegisterFlags::PORTABLE)?)
/// }
///
/// let kept = keep(&context, vec![1, 2, 3])?;
/// assert_eq!(kept[..], [1, 2, 3]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub trait HostMemory: sealed::HostMemory {
    /// The type of the elements.
    type Element;
    /// True if the value only borrows the memory.
    #[doc(hidden)]
    const IS_BORROWED: bool;

    /// Returns the address and the number of the elements. The address stays the same when the value is moved.
    #[doc(hidden)]
    fn place(&mut self) -> (NonNull<Self::Element>, usize);
}

/// Host memory that may be written to: all types of [`HostMemory`] except `&[T]`.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::memory::{HostMemoryMut, RegisterFlags, RegisteredBuf};
///
/// fn clear<C: HostMemoryMut<Element = u8>>(memory: &mut RegisteredBuf<C>) {
///     memory.fill(0);
/// }
///
/// let mut bytes = RegisteredBuf::new(&context, vec![1_u8; 100], RegisterFlags::empty())?;
/// clear(&mut bytes);
/// assert_eq!(bytes[..], [0; 100]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub trait HostMemoryMut: HostMemory {}

/// Host memory with its owner: `Vec<T>`, `Box<[T]>` and [`AlignedBuf<T>`]. See [`HostMemory`].
pub trait OwnedHostMemory: HostMemoryMut {}

/// Borrowed host memory: `&mut [T]` and `&[T]`. See [`HostMemory`].
pub trait BorrowedHostMemory: HostMemory {}

/// Owned page-locked memory, which a copy can take ownership of: [`PinnedBuf<T>`], and [`RegisteredBuf`] of owned memory.
///
/// Other types cannot implement it.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::{DeviceBuf, PinnedBuf, Result};
/// use cuda_rt::memory::{PageLocked, PendingCopy};
///
/// fn upload<B: PageLocked<Element = u8>>(device: &mut DeviceBuf<u8>, bytes: B) -> Result<PendingCopy<B>> {
///     Ok(device.copy_from_pinned(bytes)?)
/// }
///
/// let mut device = DeviceBuf::zeroed(&stream, 3)?;
/// upload(&mut device, PinnedBuf::from_slice(&context, &[1, 2, 3])?)?.wait()?;
/// assert_eq!(device.to_vec()?, [1, 2, 3]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub trait PageLocked: sealed::PageLocked {
    /// The type of the elements.
    type Element;

    /// Returns the address and the number of the elements. The address stays the same when the value is moved.
    #[doc(hidden)]
    fn locked(&mut self) -> (NonNull<Self::Element>, usize);
}

mod sealed {
    pub trait HostMemory {}
    pub trait PageLocked {}
}

macro_rules! owned {
    ($($owner:ty),*) => {$(
        impl<T> sealed::HostMemory for $owner {}
        impl<T> HostMemory for $owner {
            type Element = T;
            const IS_BORROWED: bool = false;

            fn place(&mut self) -> (NonNull<T>, usize) {
                let elements = NonNull::from(&mut self[..]);
                (elements.cast(), elements.len())
            }
        }
        impl<T> HostMemoryMut for $owner {}
        impl<T> OwnedHostMemory for $owner {}
    )*};
}
owned!(Vec<T>, Box<[T]>, AlignedBuf<T>);

impl<T> sealed::HostMemory for &mut [T] {}
impl<T> HostMemory for &mut [T] {
    type Element = T;
    const IS_BORROWED: bool = true;

    fn place(&mut self) -> (NonNull<T>, usize) {
        let elements = NonNull::from(&mut **self);
        (elements.cast(), elements.len())
    }
}
impl<T> HostMemoryMut for &mut [T] {}
impl<T> BorrowedHostMemory for &mut [T] {}

impl<T> sealed::HostMemory for &[T] {}
impl<T> HostMemory for &[T] {
    type Element = T;
    const IS_BORROWED: bool = true;

    fn place(&mut self) -> (NonNull<T>, usize) {
        let elements = NonNull::from(&**self);
        (elements.cast(), elements.len())
    }
}
impl<T> BorrowedHostMemory for &[T] {}

impl<T> sealed::PageLocked for PinnedBuf<T> {}
impl<T> PageLocked for PinnedBuf<T> {
    type Element = T;

    fn locked(&mut self) -> (NonNull<T>, usize) {
        self.place()
    }
}

impl<C: OwnedHostMemory> sealed::PageLocked for RegisteredBuf<C> {}
impl<C: OwnedHostMemory> PageLocked for RegisteredBuf<C> {
    type Element = C::Element;

    fn locked(&mut self) -> (NonNull<C::Element>, usize) {
        let elements = NonNull::from(&mut self[..]);
        (elements.cast(), elements.len())
    }
}
