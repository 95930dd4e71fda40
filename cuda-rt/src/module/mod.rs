//! Modules: code on the device, and the functions in it.
//!
//! | type | stands for | ends by |
//! |---|---|---|
//! | [`Module`] | loaded code | `cuModuleUnload` |
//! | [`Function`] | one kernel of it | with its module |
//! | [`Linker`], [`Linked`] | pieces of code that become one, and the image of that | `cuLinkDestroy` |
//! | [`TexRef`](crate::texture::TexRef), [`SurfRef`](crate::surface::SurfRef) | a texture or a surface of it | with its module |
//!
//! A module stays loaded as long as anything refers to it: a function keeps its module, a
//! [`Kernel`](crate::Kernel) its function. It keeps what its references are bound to, and drops that after it was unloaded.

//!
//! # Functions on the device
//!
//! A kernel (`__global__` in CUDA C, `.entry` in PTX) calls other functions of its code (`__device__`, `.func`) directly, as
//! functions call each other anywhere: nothing is launched for that, and nothing has to be looked up. Such a function is
//! no kernel, so that [`Module::function`] does not find it (in what was linked, drivers were seen to find it all the same,
//! and to refuse launching it). If it is in another text, a [`Linker`] puts the two together; `examples/device_function.rs`
//! shows both. Kernels that *launch* kernels are something else:
//! see [`Linker`](Linker#kernels-that-launch-kernels).

#![allow(unsafe_code)]

mod attribute;
mod function;
mod jit;
mod link;
mod ptx;
mod references;

pub use attribute::FunctionAttribute;
pub use function::Function;
pub use jit::{JitCacheMode, JitFallback, JitLog, JitOption, JitOptions, JitTarget};
pub use link::{JitInput, Linked, Linker};

use crate::context::{By, Context, release_in};
use crate::error::{Code, Error, Result, report};
use core::fmt;
use core::ptr::null_mut;
use cuda_sys::CUmodule;
use jit::JitArguments;
use references::References;
use std::sync::Arc;

/// Code that is loaded in a context. Clones are handles to the same module; the last of them, and of
/// its functions and references, unloads it.
///
/// ```
/// # cuda_sim::install_once();
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
/// use cuda_rt::Module;
///
/// let module = Module::from_ptx(&context, "
///     .version 6.4
///     .target sm_50
///     .address_size 64
///     .visible .entry nothing() { ret; }
/// ")?;
/// assert_eq!(module.function("nothing")?.name(), "nothing");
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// # Blocking
///
/// Unloading waits until the device is idle (measured). Then what the references were bound to is dropped.
#[doc(alias = "CUmodule")]
#[derive(Clone)]
pub struct Module(Arc<Inner>);

struct Inner {
    raw: CUmodule,
    log: JitLog,
    context: Context,
    /// Dropped after the module is unloaded.
    references: References,
}

// SAFETY: a `CUmodule` names an object that the driver locks by itself; it is not bound to a thread.
unsafe impl Send for Inner {}
// SAFETY: nothing is changed through `&Inner`; the driver synchronises calls that share a module.
unsafe impl Sync for Inner {}

impl Module {
    /// Compiles PTX for the context's device and loads it. Wraps `cuModuleLoadDataEx`.
    ///
    /// The text must begin with `.version`, after white space and comments, and hold no NUL byte,
    /// except at its end.
    ///
    /// # Blocking
    ///
    /// Until the driver has compiled the text, or found it in its cache.
    ///
    /// # Errors
    ///
    /// - [`Error::Jit`] with the compiler's log: [`Code::InvalidPtx`] for text that does not compile,
    ///   [`Code::UnsupportedPtxVersion`] for text that is newer than the driver, and others.
    /// - [`InvalidArgument::NotPtx`](crate::InvalidArgument::NotPtx),
    ///   [`InvalidArgument::InteriorNul`](crate::InvalidArgument::InteriorNul).
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// use cuda_rt::{Code, Module};
    ///
    /// let error = Module::from_ptx(&context, "
    ///     .version 6.4
    ///     .target sm_50
    ///     .address_size 64
    ///     .visible .entry wrong() { jump nowhere; }
    /// ").unwrap_err();
    /// assert_eq!(error.code(), Some(Code::InvalidPtx));
    /// assert!(error.to_string().contains("line 5"), "{error}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    ///
    /// # Trust
    ///
    /// The driver's compiler is trusted to refuse what it cannot compile. One of driver 580 was seen to crash instead,
    /// on a function that returns a predicate beside another value; so do not feed it PTX from strangers.
    #[doc(alias("cuModuleLoadDataEx", "cuModuleLoadData"))]
    pub fn from_ptx(context: &Context, ptx: impl AsRef<[u8]>) -> Result<Module> {
        Self::from_ptx_with(context, ptx, &JitOptions::new())
    }

    /// As [`from_ptx`](Module::from_ptx), with options for the compiler.
    ///
    /// # Blocking
    ///
    /// Until the driver has compiled the text, or found it in its cache.
    ///
    /// # Errors
    ///
    /// Those of `from_ptx`; [`Error::JitOptions`] if the driver refused without a word, which names the options;
    /// [`InvalidArgument::JitOption`](crate::InvalidArgument::JitOption).
    ///
    /// # Examples
    ///
    /// See [`JitOptions`].
    #[doc(alias("cuModuleLoadDataEx", "CUjit_option"))]
    pub fn from_ptx_with(context: &Context, ptx: impl AsRef<[u8]>, options: &JitOptions) -> Result<Module> {
        let image = ptx::image(ptx.as_ref())?;
        let _bound = context.bind()?;
        let mut arguments = JitArguments::new(options)?;
        let mut raw = null_mut();
        loop {
            // SAFETY: `raw` is valid for a write; the image is a C string that starts as PTX does, so
            // the driver reads no further than its NUL; options and values are of this number, and what
            // they name lives until after the call.
            let loaded = unsafe {
                check!(cuModuleLoadDataEx(
                    &raw mut raw,
                    image.as_ptr().cast(),
                    arguments.count(),
                    arguments.options(),
                    arguments.values(),
                ))
            };
            match loaded {
                Ok(()) => break,
                Err(_) if arguments.grow() => continue,
                Err(error) => return Err(arguments.failed(error)),
            }
        }
        let (log, context) = (arguments.log(), context.clone());
        Ok(Module(Arc::new(Inner { raw, log, context, references: References::default() })))
    }

    /// What the driver's compiler said when it loaded the module. Often empty.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// assert_eq!(&*module.jit_log().error, "");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn jit_log(&self) -> &JitLog {
        &self.0.log
    }

    /// The kernel with this name, as PTX has it: C++ names are mangled. Wraps `cuModuleGetFunction`.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] if there is none. A `.func` is none: only `.entry` can be launched.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64";
    /// let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// let error = module.function("add").unwrap_err();
    /// assert!(error.to_string().ends_with("named symbol not found): `add`"), "{error}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuModuleGetFunction")]
    pub fn function(&self, name: &str) -> Result<Function> {
        let c_name = crate::text::c_string(name)?;
        let _bound = self.0.context.bind()?;
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write, the module is live, the name is a C string.
        let found = unsafe { check!(cuModuleGetFunction(&raw mut raw, self.0.raw, c_name.as_ptr())) };
        named(found, name)?;
        Ok(Function::new(raw, name, self))
    }

    /// The handle. It stays this crate's: it must not be unloaded.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// assert!(!module.as_raw().is_null());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn as_raw(&self) -> CUmodule {
        self.0.raw
    }

    /// The context that the module is loaded in.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// assert_eq!(module.context(), &context);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Unloads the module, if this is the last handle to it, and reports the driver's answer, which a
    /// drop can only give to the [hook](crate::error::set_drop_hook). Wraps `cuModuleUnload`.
    ///
    /// # Blocking
    ///
    /// Until the device is idle (measured).
    ///
    /// # Errors
    ///
    /// An earlier failure. The module is given up all the same.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// module.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuModuleUnload")]
    pub fn close(self) -> Result<()> {
        match Arc::into_inner(self.0) {
            Some(mut inner) => inner.release(),
            None => Ok(()),
        }
    }
}

/// Says in the error which name was not found.
fn named(found: Result<()>, name: &str) -> Result<()> {
    match found {
        Err(Error::Driver(source)) if matches!(source.code, Code::NotFound | Code::InvalidValue) => {
            Err(Error::NotFound { name: name.into(), source })
        }
        found => found,
    }
}

impl Inner {
    fn release(&mut self) -> Result<()> {
        let raw = core::mem::replace(&mut self.raw, null_mut());
        if raw.is_null() {
            return Ok(());
        }
        release_in(&self.context, By::Handle, |_| {
            // SAFETY: the module was this value's, and is nobody's now; its functions and references kept it.
            unsafe { check!(cuModuleUnload(raw)) }
        })
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        report(self.release());
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Module").field("raw", &self.0.raw).field("context", &self.0.context).finish()
    }
}
