//! A library of the driver.

#![allow(unsafe_code)]

use super::LibraryOptions;
use super::load::Image;
use crate::context::release_alone;
use crate::error::{Code, Result};
use crate::handle::{DriverHandle, Owned, Releasing, report};
use crate::module::JitLog;
use crate::module::jit::JitArguments;
use crate::module::load::explained;
use core::ffi::{CStr, c_uint, c_void};
use core::mem::ManuallyDrop;
use core::ptr::null_mut;
use cuda_sys::{CUlibrary, CUlibraryOption_enum as Option_, Symbol};

/// Handle that unloads the library on drop.
pub(super) struct Handle {
    raw: CUlibrary,
    /// Image that the driver may read until then, if the options say so. Left to the driver if unloading fails.
    image: Option<Image>,
}

// SAFETY: a `CUlibrary` names an object that the driver locks by itself; it is bound neither to a thread nor to a context.
unsafe impl Send for Handle {}
// SAFETY: nothing is changed through `&Handle`; the driver synchronises calls that share a library.
unsafe impl Sync for Handle {}

impl Handle {
    /// # Safety
    ///
    /// An image that is not text is the unchanged output of a compiler.
    pub(super) unsafe fn load(image: Image, options: &LibraryOptions) -> Result<(Owned<Handle>, JitLog)> {
        let mut arguments = JitArguments::new(&options.jit)?;
        let mut own_options = [Option_::CU_LIBRARY_BINARY_IS_PRESERVED];
        // The driver takes a number in place of the pointer.
        let mut own_values: [*mut c_void; 1] = [core::ptr::without_provenance_mut(1)];
        let own_count = c_uint::from(options.keeps_image);
        loop {
            let mut raw = null_mut();
            // SAFETY: `raw` is valid for a write. The driver reads nothing beyond the image, and the caller promises its content.
            // Options and values have these numbers, and their targets live until after the call: the driver does not write to
            // them later (measured). If the options say so, the image lives as long as the library.
            let loaded = unsafe {
                check!(cuLibraryLoadData(
                    &raw mut raw,
                    image.as_ptr(),
                    arguments.options(),
                    arguments.values(),
                    arguments.count(),
                    own_options.as_mut_ptr(),
                    own_values.as_mut_ptr(),
                    own_count,
                ))
            };
            let mut handle = Handle { raw, image: None };
            let error = match loaded.and_then(|()| handle.check()) {
                Ok(()) => {
                    handle.image = options.keeps_image.then_some(image);
                    return Ok((Owned::new(handle), arguments.log()));
                }
                Err(error) => error,
            };
            let unloaded = if raw.is_null() { Ok(()) } else { Owned::new(handle).close() };
            if let Err(unloading) = unloaded {
                // The library may still exist, and use the image.
                let _left = ManuallyDrop::new(image);
                report(Err(unloading));
                return Err(arguments.failed(error));
            }
            if !arguments.grow() {
                let error = arguments.failed(error);
                return Err(match image.source() {
                    Some(code) if arguments.is_for_device() => explained(error, code, None),
                    _ => error,
                });
            }
        }
    }

    /// Checks that there is code: the driver accepts any image, and reports mistakes at the first lookup.
    fn check(&self) -> Result<()> {
        const NOBODY: &CStr = c"no kernel has this name";
        let mut kernel = null_mut();
        // SAFETY: `kernel` is valid for a write, the library is live, the name is a C string.
        let found = unsafe { check!(cuLibraryGetKernel(&raw mut kernel, self.raw, NOBODY.as_ptr())) };
        match found {
            Err(error) if error.code() == Some(Code::NotFound) => Ok(()),
            found => found,
        }
    }

    pub(super) fn raw(&self) -> CUlibrary {
        self.raw
    }
}

impl DriverHandle for Handle {
    fn release_call(&self) -> Symbol {
        Symbol::cuLibraryUnload
    }

    /// If the call fails, the library may still exist, and use its image.
    fn release(&mut self, _: Releasing) -> Result<()> {
        let unloaded = release_alone(&mut || {
            // SAFETY: the owner releases the library once, and does not use it afterwards; its kernels, modules and functions
            // kept it alive.
            unsafe { check!(cuLibraryUnload(self.raw)) }
        });
        if unloaded.is_err() {
            let _leaked = ManuallyDrop::new(self.image.take());
        }
        unloaded
    }
}
