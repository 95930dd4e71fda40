//! Managed variables of a library.

#![allow(unsafe_code)]

use super::Library;
use crate::error::Result;
use crate::memory::DevicePtr;
use crate::module::GlobalMismatch;
use crate::module::symbol_lookup::named;
use core::fmt;
use cuda_sys::Symbol;

/// A managed variable of a [`Library`]: one for all contexts, at one address for host and devices. It keeps the library alive.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::module::Library;
///
/// let library = Library::from_ptx("
///     .version 6.4 .target sm_50 .address_size 64
///     .visible .global .attribute(.managed) .align 4 .u32 counters[4];
/// ")?;
/// let counters = library.managed::<u32>("counters")?;
/// assert_eq!(counters.len(), 4);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub struct LibraryManaged<T> {
    pointer: DevicePtr<T>,
    len: usize,
    library: Library,
}

impl Library {
    /// Returns the managed variable `name`, as elements of `T`. Wraps `cuLibraryGetManaged`.
    ///
    /// # Errors
    ///
    /// - [`NotFound`](crate::error::ErrorKind::NotFound): there is no such variable.
    /// - [`TypeMismatch`](crate::error::ErrorKind::TypeMismatch): the variable is no whole number of elements, or is not aligned
    ///   for them.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the name contains a NUL.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.0.
    #[doc(alias = "cuLibraryGetManaged")]
    pub fn managed<T>(&self, name: &str) -> Result<LibraryManaged<T>> {
        let c_name = crate::text::c_string(name)?;
        let library = self.known_to(Symbol::cuLibraryGetManaged)?;
        let (mut address, mut bytes) = (0, 0);
        // SAFETY: both are valid for a write, the library is live, the name is a C string.
        let found = unsafe {
            check!(cuLibraryGetManaged(&raw mut address, &raw mut bytes, library, c_name.as_ptr()))
        };
        named(found, name, || self.hint_for_variable(name))?;
        let (element, element_bytes) = (core::any::type_name::<T>(), size_of::<T>());
        let wrong = |mismatch: GlobalMismatch| Err(mismatch.into_error(name));
        let Some(len) = bytes.checked_div(element_bytes).filter(|len| len * element_bytes == bytes) else {
            return wrong(GlobalMismatch::Size { bytes, element, element_bytes });
        };
        let alignment = align_of::<T>();
        if !address.is_multiple_of(alignment as u64) {
            return wrong(GlobalMismatch::Alignment { address, element, alignment });
        }
        Ok(LibraryManaged { pointer: DevicePtr::from_raw(address), len, library: self.clone() })
    }
}

impl<T> LibraryManaged<T> {
    /// Returns the address, for kernels. It is valid as long as the library is loaded.
    pub fn ptr(&self) -> DevicePtr<T> {
        self.pointer
    }

    /// Returns the address for the host. It is valid as long as the library is loaded.
    ///
    /// Reading and writing there is `unsafe`. No kernel may use the variable meanwhile. On devices without
    /// [`DeviceAttribute::CONCURRENT_MANAGED_ACCESS`](crate::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS) no kernel may run at
    /// all. Every byte that is written must be initialised, padding included, because the memory can be copied as bytes.
    pub fn host_ptr(&self) -> *mut T {
        core::ptr::with_exposed_provenance_mut(self.pointer.as_raw() as usize)
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the library of the variable.
    pub fn library(&self) -> &Library {
        &self.library
    }
}

impl<T> Clone for LibraryManaged<T> {
    fn clone(&self) -> Self {
        LibraryManaged { pointer: self.pointer, len: self.len, library: self.library.clone() }
    }
}

impl<T> fmt::Debug for LibraryManaged<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("LibraryManaged").field("ptr", &self.pointer).field("len", &self.len).finish()
    }
}
