//! Texture references of a kernel.

use super::Function;
use crate::error::{Error, Result};
use crate::texture::TexRef;

impl Function {
    /// Says that the kernel samples this reference: for programs that are ported from PyCUDA. A kernel samples the
    /// references of its module whether this was called or not, so there is nothing to be done.
    ///
    /// The driver is not asked: of `cuParamSetTexRef` it takes only references which kernels do not sample (measured).
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a reference of another module, or of none: the kernel
    /// would not sample it.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
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
            Some(module) if module.as_raw() == self.module.as_raw() => Ok(()),
            _ => {
                let text = "not a reference of the kernel\'s module, the only ones that a kernel samples; use one of these";
                Err(Error::invalid("texture reference", format_args!("{text}")))
            }
        }
    }
}
