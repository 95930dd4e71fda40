//! Modules: code on the device, and the functions in it.
//!
//! | type | stands for | ends by |
//! |---|---|---|
//! | [`Module`] | loaded code | `cuModuleUnload` |
//! | [`Function`] | one kernel of it | with its module |
//! | [`Library`] | code of no context, which becomes a module in each that uses it | `cuLibraryUnload` |
//! | [`LibraryKernel`] | one kernel of that | with its library |
//! | [`Global`] | one variable of it | with its module |
//! | [`Linker`], [`Linked`] | pieces of code that become one, and the image of that | `cuLinkDestroy` |
//! | [`TexRef`](crate::texture::TexRef), [`SurfRef`](crate::surface::SurfRef) | a texture or a surface of it | with its module |
//!
//! A module stays loaded as long as anything refers to it: a function keeps its module, a
//! [`Kernel`](crate::Kernel) its function, and a [`Global`] its module. It keeps what its references are bound to, and drops that after it was unloaded.
//!
//! # What can be loaded
//!
//! | what | function | checked before the driver sees it |
//! |---|---|---|
//! | PTX, compiled by the driver | [`Module::from_ptx`] | that it is text that begins as PTX |
//! | a cubin: compiled for one architecture | [`Module::from_cubin`] | that all that its headers name is within |
//! | a fat binary: cubins, PTX, or both | [`Module::from_fatbin`] | the same |
//! | any of these, by its first bytes | [`Module::from_image`], [`Module::from_file`] | as above |
//!
//! Each has a form that takes [`JitOptions`]. What the compiler said is in [`Module::jit_log`], or in the error.
//!
//! Loading binaries is `unsafe`: the driver trusts what is in them. Cubins and fat binaries that were whole, but of which
//! some bytes had been changed, made driver 580 crash while it loaded them.
//!
//! # From PyCUDA
//!
//! | PyCUDA | here |
//! |---|---|
//! | `module_from_file` | [`Module::from_file`] |
//! | `module_from_buffer` | [`Module::from_ptx`], [`Module::from_cubin`], [`Module::from_fatbin`], [`Module::from_image`] |
//! | its `options` | [`JitOptions`] |
//! | its `message_handler` | the log is a value: [`Module::jit_log`] on success, [`Compilation`](crate::error::ErrorKind::Compilation) on failure |
//! | `Module.get_function` | [`Module::function`] |
//! | `Module.get_global` | [`Module::global`] |
//! | `Module.get_texref`, `get_surfref` | [`Module::tex_ref`], [`Module::surf_ref`] |
//! | `jit_option`, `jit_target`, `jit_fallback` | [`JitOption`], [`JitTarget`], [`JitFallback`] |

//!
//! # Functions on the device
//!
//! A kernel (`__global__` in CUDA C, `.entry` in PTX) calls other functions of its code (`__device__`, `.func`) directly, as
//! functions call each other anywhere: nothing is launched for that, and nothing has to be looked up. Such a function is
//! no kernel, so that [`Module::function`] does not find it (in what was linked, drivers were seen to find it all the same,
//! and to refuse launching it). If it is in another text, a [`Linker`] puts the two together; `examples/08_device_function.rs`
//! shows both. Kernels that *launch* kernels are something else:
//! see [`Linker`](Linker#kernels-that-launch-kernels).

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

/// Code that is loaded in a context. Clones are handles to the same module; the last of them, and of
/// its functions and references, unloads it.
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
/// Unloading waits until all work queued in the module's context is done. Then the memory and arrays that its references were
/// bound to are dropped.
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
    /// The library that it is of, if any, which unloads it.
    library: Option<Library>,
}

// SAFETY: a `CUmodule` names an object that the driver locks by itself; it is not bound to a thread.
unsafe impl Send for Inner {}
// SAFETY: nothing is changed through `&Inner`; the driver synchronises calls that share a module.
unsafe impl Sync for Inner {}

impl Module {
    /// What the driver's compiler said when it loaded the module. Often empty.
    pub fn jit_log(&self) -> &JitLog {
        &self.0.log
    }

    /// Returns the kernel with this name, as PTX has it: C++ names are mangled. Wraps `cuModuleGetFunction`.
    ///
    /// # Errors
    ///
    /// [`NotFound`](crate::error::ErrorKind::NotFound) if there is none. A `.func` is none: only `.entry` can be launched. The
    /// error tells of kernels whose names contain this one, or else of those that there are, where the driver tells them
    /// (CUDA 12.4): C++ names are mangled, unless they are declared `extern "C"`. [`functions`](Module::functions) tells of
    /// all.
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

    /// Returns the parameters of a kernel as the loaded code tells them, for drivers that do not.
    ///
    /// # Errors
    ///
    /// The reason why they are not known.
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

    /// Returns the handle. It stays this crate's: it must not be unloaded.
    pub fn as_raw(&self) -> CUmodule {
        self.0.raw
    }

    /// Returns the context that the module is loaded in.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Unloads the module, if this is the last handle to it, and reports the driver's answer, which a
    /// drop can only give to the [hook](crate::handle::set_drop_hook). Wraps `cuModuleUnload`.
    ///
    /// # Blocking
    ///
    /// Until the device is idle.
    ///
    /// # Errors
    ///
    /// An earlier failure. The module is given up all the same.
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
            // SAFETY: the owner releases the module once, and does not use it afterwards; its functions and references kept it.
            unsafe { check!(cuModuleUnload(self.raw)) }
        })
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Module").field("raw", &self.0.raw).field("context", &self.0.context).finish()
    }
}
