//! Surface references of modules.

#![allow(unsafe_code)]

use super::SurfRef;
use crate::error::Result;
use crate::module::{Module, Namespace, named};
use crate::text::c_string;
use core::ptr::null_mut;
use cuda_sys::Symbol;

impl Module {
    /// Returns the surface reference `name`, which PTX declares with `.global .surfref`. Wraps `cuModuleGetSurfRef`.
    ///
    /// # Errors
    ///
    /// - [`NotFound`](crate::error::ErrorKind::NotFound): there is no such reference.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the name contains a NUL.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let ptx = ".version 7.0 .target sm_50 .address_size 64 .global .surfref image;";
    /// let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// let image = module.surf_ref("image")?;
    /// assert_eq!(module.surf_ref("image")?, image);
    /// assert!(module.tex_ref("image").is_err());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuModuleGetSurfRef")]
    pub fn surf_ref(&self, name: &str) -> Result<SurfRef> {
        let c_name = c_string(name)?;
        let _bound = self.context().bind(Symbol::cuModuleGetSurfRef)?;
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write, the module is live, the name is a C string.
        let found = unsafe { check!(cuModuleGetSurfRef(&raw mut raw, self.as_raw(), c_name.as_ptr())) };
        named(found, name, || self.hint_for_reference(name))?;
        Ok(SurfRef::of_module(raw, name, self, self.attachment(Namespace::Surfaces, name)))
    }
}
