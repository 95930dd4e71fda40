//! Modules: code on the device, and the functions in it.
//!
//! | type | stands for | released by |
//! |---|---|---|
//! | [`Module`] | loaded code of one context | `cuModuleUnload` |
//! | [`Function`] | a kernel of a module | with its module |
//! | [`Library`] | loaded code of no context, with a module in each context that uses it | `cuLibraryUnload` |
//! | [`LibraryKernel`] | a kernel of a library | with its library |
//! | [`Global`] | a variable of a module | with its module |
//! | [`Linker`], [`Linked`] | pieces of code to link, and the linked image | `cuLinkDestroy` |
//! | [`TexRef`](crate::texture::TexRef), [`SurfRef`](crate::surface::SurfRef) | a texture or surface reference of a module | with its module |
//!
//! A module stays loaded as long as a handle refers to it: a function keeps its module alive, a [`Kernel`](crate::Kernel) its
//! function, and a [`Global`] its module. A module keeps the memory and arrays alive that its references are bound to, and drops
//! them after it was unloaded.
//!
//! # Images
//!
//! | image | function | checked before the driver call |
//! |---|---|---|
//! | PTX, compiled by the driver | [`Module::from_ptx`] | the text begins as PTX |
//! | cubin: compiled for one architecture | [`Module::from_cubin`] | all parts that its headers name are inside the image |
//! | fat binary: cubins, PTX, or both | [`Module::from_fatbin`] | the same |
//! | any of these, by its first bytes | [`Module::from_image`], [`Module::from_file`] | the same, by its kind |
//!
//! Each function has a variant that takes [`JitOptions`]. The log of the driver's compiler is in [`Module::jit_log`], or in the
//! error.
//!
//! Loading binaries is `unsafe`, because the driver trusts their content.
//!
//! # Driver notes
//!
//! Driver 580 crashed while it loaded cubins and fat binaries that were complete, but with some bytes changed.
//!
//! # From PyCUDA
//!
//! The [guide](crate::coming_from::pycuda#modules-and-the-linker) leads from the names of PyCUDA to the items here.

//!
//! # Functions on the device
//!
//! A kernel (`__global__` in CUDA C, `.entry` in PTX) calls other functions of its code (`__device__`, `.func`) directly. Such a
//! call is not a launch, and needs no lookup. A function of this kind is not a kernel, so [`Module::function`] does not find it.
//! (In linked code, drivers may find it nevertheless, and refuse its launch.) If the function is in another text, a [`Linker`]
//! links both texts. The example `examples/07_device_function.rs` shows both cases. Kernels that *launch* kernels are a different
//! subject: see [`Linker`](Linker#kernels-that-launch-kernels).

#![allow(unsafe_code)]

mod attachments;
mod attribute;
mod file;
pub(crate) mod function;
mod global;
pub(crate) mod image;
pub(crate) mod image_hints;
pub(crate) mod jit;
mod jit_diagnostics;
mod library;
mod link;
mod load;
mod loading_mode;
mod ptx;
mod signatures;
mod symbol_lookup;

pub(crate) use attachments::Namespace;
pub use attribute::FunctionAttribute;
pub use function::{ClusterSchedulingPolicy, Function, OccupancyFlags, ParameterInfo, PotentialBlockSize};
pub(crate) use function::{count, describe_blocks, parameters_of_function};
pub use global::{Global, GlobalMismatch};
pub use jit::{JitCacheMode, JitFallback, JitLog, JitOption, JitOptions, JitTarget};
pub use jit_diagnostics::JitProblem;
pub use library::{Library, LibraryKernel, LibraryManaged, LibraryOptions};
pub use link::{JitInput, Linked, Linker};
pub use loading_mode::{ModuleLoadingMode, loading_mode};
pub use symbol_lookup::NameHint;

use crate::context::{Context, ContextRequirement, release_in};
use crate::error::Result;
use crate::handle::{DriverHandle, Owned, Releasing, is_forked_child};
use attachments::Attachments;
use core::fmt;
use core::ptr::null_mut;
use cuda_sys::CUmodule;
use cuda_sys::Symbol;
use signatures::Signatures;
use std::sync::Arc;
pub(crate) use symbol_lookup::named;

/// Code that is loaded in a context. Clones are handles to the same module. The last handle to the module, its
/// functions, its variables or its references unloads it.
///
/// ```
/// # let context = cuda_doc::context()?;
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
/// Unloading waits until all work queued in the module's context is done. Then the memory and arrays are dropped that its
/// references were bound to.
#[doc(alias = "CUmodule")]
#[derive(Clone)]
pub struct Module(Arc<Owned<Inner>>);

struct Inner {
    raw: CUmodule,
    log: JitLog,
    context: Context,
    /// Dropped after the module is unloaded.
    attachments: Attachments,
    signatures: Arc<Signatures>,
    /// The library of the module, if there is one. The library unloads the module.
    library: Option<Library>,
}

// SAFETY: a `CUmodule` names an object that the driver locks by itself; it is not bound to a thread.
unsafe impl Send for Inner {}
// SAFETY: nothing is changed through `&Inner`; the driver synchronises calls that share a module.
unsafe impl Sync for Inner {}

impl Module {
    /// Returns the log of the driver's compiler. Often empty.
    pub fn jit_log(&self) -> &JitLog {
        &self.0.log
    }

    /// Returns the kernel `name`, as in PTX: C++ names are mangled. Wraps `cuModuleGetFunction`.
    ///
    /// # Errors
    ///
    /// - [`NotFound`](crate::error::ErrorKind::NotFound): there is no kernel with this name. A `.func` is no kernel: only
    ///   an `.entry` can be launched.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the name contains a NUL.
    /// - An earlier failure.
    ///
    /// If the driver lists kernels (CUDA 12.4), the error `NotFound` names up to 8 of them: those whose names contain this name,
    /// or otherwise the first ones.
    ///
    /// C++ names are mangled, unless they are declared `extern "C"`. [`functions`](Module::functions) lists all kernels.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64";
    /// let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// let error = module.function("add").unwrap_err();
    /// assert!(error.to_string().contains("named symbol not found): `add`"), "{error}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuModuleGetFunction", "get_function"))]
    pub fn function(&self, name: &str) -> Result<Function> {
        let c_name = crate::text::c_string(name)?;
        let _bound = self.0.context.bind(Symbol::cuModuleGetFunction)?;
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write, the module is live, the name is a C string.
        let found = unsafe { check!(cuModuleGetFunction(&raw mut raw, self.0.raw, c_name.as_ptr())) };
        named(found, name, || self.hint_for_kernel(name))?;
        Ok(Function::new(raw, name, self))
    }

    /// Returns the parameters of a kernel from the loaded code, for drivers that do not list them.
    ///
    /// # Errors
    ///
    /// The reason why they are unknown.
    fn signature(&self, kernel: &str) -> core::result::Result<Vec<ParameterInfo>, &'static str> {
        // Another thread may have held the lock when the process was forked.
        if is_forked_child() {
            return Err("the process is a child of a fork");
        }
        let device = || {
            let capability = self.context().device().compute_capability().ok()?;
            capability.major.checked_mul(10)?.checked_add(capability.minor)
        };
        self.0.signatures.parameters(kernel, &device)
    }

    /// Returns the raw handle. The caller must not unload the module.
    pub fn as_raw(&self) -> CUmodule {
        self.0.raw
    }

    /// Returns the context of the module.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Unloads the module, if this is the last handle to it, and returns the driver's answer. A drop can report a failure only to
    /// the [hook](crate::handle::set_drop_hook). Wraps `cuModuleUnload`.
    ///
    /// # Blocking
    ///
    /// The same as dropping: see [`Module`](Module#blocking). On drivers since CUDA 12.0, a module of a [`Library`] is unloaded
    /// with the library. If the module is the last handle to the library, the call unloads the library, and waits as
    /// [`Library::close`] does. A failure to unload the library goes to the hook. Otherwise the call
    /// does not wait.
    ///
    /// # Errors
    ///
    /// An earlier failure. The handle is consumed in any case.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// module.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuModuleUnload")]
    pub fn close(self) -> Result<()> {
        Owned::close_last(self.0)
    }
}

impl DriverHandle for Inner {
    fn release_call(&self) -> Symbol {
        Symbol::cuModuleUnload
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        if self.library.is_some() {
            return Ok(());
        }
        release_in(&self.context, ContextRequirement::None, Symbol::cuModuleUnload, &mut |_| {
            // SAFETY: the owner releases the module once, and does not use it afterwards; its functions and references kept it
            // alive.
            unsafe { check!(cuModuleUnload(self.raw)) }
        })
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Module").field("raw", &self.0.raw).field("context", &self.0.context).finish()
    }
}
