//! Texture references of modules and kernels.

#![allow(unsafe_code)]

use super::TexRef;
use crate::error::{Error, Result};
use crate::module::{Function, Module, Namespace, named};
use crate::text::c_string;
use core::ptr::null_mut;
use cuda_sys::Symbol;

impl Module {
    /// Returns the texture reference `name`, which PTX declares with `.global .texref`. Wraps `cuModuleGetTexRef`.
    ///
    /// # Errors
    ///
    /// - [`NotFound`](crate::error::ErrorKind::NotFound): there is no such reference. The compiler that made the PTX
    ///   may have left out a reference that no kernel uses.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the name contains a NUL.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let ptx = ".version 7.0 .target sm_50 .address_size 64 .global .texref image;";
    /// let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// let image = module.tex_ref("image")?;
    /// assert_eq!(module.tex_ref("image")?, image);
    /// assert!(module.tex_ref("picture").is_err());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuModuleGetTexRef")]
    pub fn tex_ref(&self, name: &str) -> Result<TexRef> {
        let c_name = c_string(name)?;
        let _bound = self.context().bind(Symbol::cuModuleGetTexRef)?;
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write, the module is live, the name is a C string.
        let found = unsafe { check!(cuModuleGetTexRef(&raw mut raw, self.as_raw(), c_name.as_ptr())) };
        named(found, name, || self.hint_for_reference(name))?;
        Ok(TexRef::of_module(raw, name, self, self.attachment(Namespace::Textures, name)))
    }
}

impl Function {
    /// Checks that a reference belongs to the kernel's module. For programs that are ported from PyCUDA.
    ///
    /// A kernel samples the references of its module without this call, so this method does nothing else. It makes no driver
    /// call: `cuParamSetTexRef` accepts only references that kernels do not sample.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the reference is of another module, or of none, so the
    /// kernel would not sample it.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let module = cuda_rt::Module::from_ptx(&context, "
    ///     .version 7.0 .target sm_50 .address_size 64
    ///     .global .texref image;
    ///     .visible .entry nothing() { ret; }
    /// ")?;
    /// module.function("nothing")?.set_texref(&module.tex_ref("image")?)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuParamSetTexRef", "param_set_texref"))]
    pub fn set_texref(&self, reference: &TexRef) -> Result<()> {
        match reference.module() {
            Some(module) if module.as_raw() == self.module().as_raw() => Ok(()),
            _ => {
                let subject = match reference.name() {
                    Some(name) => format!("texture reference `{name}`"),
                    None => "texture reference of no module".to_owned(),
                };
                Err(Error::invalid(
                    &subject,
                    format_args!(
                        "not of the module of kernel `{}`, which samples only references of its own module; use one of them",
                        self.name()
                    ),
                ))
            }
        }
    }
}
