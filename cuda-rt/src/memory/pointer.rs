//! Device addresses.

#![allow(unsafe_code)]

use bytemuck::{Pod, Zeroable};
use core::fmt;
use core::marker::PhantomData;
use cuda_sys::CUdeviceptr;

/// A device address, as kernels take it. An address is a plain number: it keeps nothing alive, and only kernels and the raw API
/// dereference it. So structures in device memory can contain addresses.
///
/// ```
/// use cuda_rt::DevicePtr;
///
/// let first = DevicePtr::<f32>::from_raw(0x1000);
/// assert_eq!(first.add(2).as_raw(), 0x1008);
/// assert!(DevicePtr::<f32>::null().is_null());
/// ```
#[doc(alias = "CUdeviceptr")]
#[repr(transparent)]
pub struct DevicePtr<T> {
    address: CUdeviceptr,
    // A plain address: it may be sent to any thread, whatever `T` is.
    _element: PhantomData<fn() -> T>,
}

impl<T> DevicePtr<T> {
    /// Returns the address 0, which is never valid.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_rt::DevicePtr;
    /// assert!(DevicePtr::<u8>::null().is_null());
    /// ```
    pub const fn null() -> Self {
        Self::from_raw(0)
    }

    /// Returns the address with this number.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_rt::DevicePtr;
    /// let address: cuda_rt::sys::CUdeviceptr = 0x1000; // from the raw API
    /// let first = DevicePtr::<f32>::from_raw(address);
    /// assert_eq!(format!("{first:?}"), "DevicePtr(0x1000)");
    /// ```
    pub const fn from_raw(address: CUdeviceptr) -> Self {
        Self { address, _element: PhantomData }
    }

    /// Returns the address as a number.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_rt::DevicePtr;
    /// assert_eq!(DevicePtr::<f32>::from_raw(0x1000).as_raw(), 0x1000);
    /// ```
    pub const fn as_raw(self) -> CUdeviceptr {
        self.address
    }

    /// Returns whether this is the address 0.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// let nothing = cuda_rt::DeviceBuf::<f32>::zeroed(&stream, 0)?;
    /// assert!(nothing.ptr().is_null());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub const fn is_null(self) -> bool {
        self.address == 0
    }

    /// Returns the address `count` elements further, wrapping around at the end of the address space.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_rt::DevicePtr;
    /// assert_eq!(DevicePtr::<f64>::from_raw(0x100).add(3).as_raw(), 0x118);
    /// ```
    #[must_use]
    pub const fn add(self, count: usize) -> Self {
        Self::from_raw(self.address.wrapping_add((count as u64).wrapping_mul(size_of::<T>() as u64)))
    }

    /// Returns the same address, of another element type.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_rt::DevicePtr;
    /// let bytes = DevicePtr::<f64>::from_raw(0x100).cast::<u8>();
    /// assert_eq!(bytes.add(3).as_raw(), 0x103);
    /// ```
    pub const fn cast<U>(self) -> DevicePtr<U> {
        DevicePtr::from_raw(self.address)
    }
}

// Written by hand, because deriving would require the same traits of `T`.
impl<T> Clone for DevicePtr<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for DevicePtr<T> {}

// SAFETY: a number, for which 0 is valid.
unsafe impl<T> Zeroable for DevicePtr<T> {}
// SAFETY: a number and nothing else, for which any value is valid.
unsafe impl<T: 'static> Pod for DevicePtr<T> {}

impl<T> PartialEq for DevicePtr<T> {
    fn eq(&self, other: &Self) -> bool {
        self.address == other.address
    }
}
impl<T> Eq for DevicePtr<T> {}

impl<T> core::hash::Hash for DevicePtr<T> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.address.hash(state);
    }
}

impl<T> fmt::Debug for DevicePtr<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "DevicePtr({:#x})", self.address)
    }
}
