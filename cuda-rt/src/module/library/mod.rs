//! Code that belongs to no context.
//!
//! On drivers since CUDA 12.0 a [`Library`] is a `CUlibrary`. Older drivers do not support libraries: there, a `Library` keeps
//! its image, and loads a module in each context that uses it.

#![allow(unsafe_code)]

mod contexts;
mod handle;
mod kernel;
mod load;
mod managed;
mod options;

pub use kernel::LibraryKernel;
pub use managed::LibraryManaged;
pub use options::LibraryOptions;

use super::signatures::Signatures;
use super::symbol_lookup::named;
use super::{Function, Global, JitLog, Module, NameHint};
use crate::handle::{Owned, ensure_not_in_host_function};
use crate::list::CollectVec;

use crate::context::Context;
use crate::error::{Result, filled};
use contexts::Contexts;
use core::ffi::{c_uint, c_void};
use core::fmt;
use core::ptr::{NonNull, null_mut};
use cuda_sys::{CUlibrary, CUmodule, Symbol};
use handle::Handle;
use load::Image;
use std::sync::Arc;

/// Code that is loaded for no context in particular, and becomes a [`Module`] in each context that uses it. Clones are handles to
/// the same library. The last handle to the library, its kernels, modules or functions unloads it.
///
/// A library is made without a context, so it can be stored in a value that outlives every context: a static, a cache, a plug-in.
/// It keeps no context alive, with one exception: contexts of arrays and memory that [references](Module::tex_ref) of its modules
/// are bound to.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::{Context, Device, LaunchConfig, Stream};
/// use cuda_rt::module::Library;
///
/// let library = Library::from_ptx("
///     .version 6.4
///     .target sm_50
///     .address_size 64
///     .visible .entry nothing() { ret; }
/// ")?;
/// let nothing = library.kernel("nothing")?;
/// for device in Device::all()? {
///     let stream = Stream::new(&Context::primary(device)?)?;
///     let kernel = nothing.function(stream.context())?.typed::<()>()?;
///     // SAFETY: the kernel touches nothing.
///     unsafe { kernel.launch(LaunchConfig::new(1, 1), &stream, ()) }?;
/// }
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// # Variables
///
/// Each context has its own variables. They have their initial values when the context first uses the library, and exist until
/// the library is unloaded or the context ends.
///
/// # Older drivers
///
/// Drivers before CUDA 12.0 do not support libraries. There, a library keeps its image:
///
/// - The first use in a context compiles the image, and reports its mistakes. [`LibraryKernel::function`] reports a wrong name.
/// - The module of a context, with its variables, is loaded as long as a function, a module or another object of it exists in
///   that context. Then the module is unloaded, which waits as [`Module`] says. The next use loads it again.
/// - Queries of a kernel or a variable without a context fail with [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing).
///
/// # Blocking
///
/// Same as [`close`](Library::close).
#[doc(alias = "CUlibrary")]
#[derive(Clone)]
pub struct Library(Arc<Inner>);

struct Inner {
    code: Code,
    /// Dropped after the library is unloaded.
    contexts: Contexts,
    log: JitLog,
    /// Signatures of the library's modules. Unused where each module is loaded by itself.
    signatures: Arc<Signatures>,
}

/// The driver's library, or the image that is loaded in each context.
enum Code {
    Loaded(Owned<Handle>),
    Image(Image, LibraryOptions),
}

impl Library {
    /// Returns the log of the driver's compiler. Often empty. With drivers before CUDA 12.0 it is always empty, and
    /// [`module`](Library::module) has the log of its context.
    pub fn jit_log(&self) -> &JitLog {
        &self.0.log
    }

    /// Returns the kernel `name`, as in PTX: C++ names are mangled. Wraps `cuLibraryGetKernel`.
    ///
    /// # Errors
    ///
    /// - [`NotFound`](crate::error::ErrorKind::NotFound): there is no kernel with this name. The error proposes kernels
    ///   whose names contain this name, or otherwise all kernels, if the driver lists them (CUDA 12.4).
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the name contains a NUL.
    ///
    /// Drivers before CUDA 12.0 do not check the name here: [`LibraryKernel::function`] returns the error.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::module::Library;
    /// let library = Library::from_ptx(".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }")?;
    /// assert_eq!(library.kernel("nothing")?.name(), "nothing");
    /// let error = library.kernel("something").unwrap_err();
    /// assert!(error.to_string().contains("named symbol not found): `something`"), "{error}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuLibraryGetKernel")]
    pub fn kernel(&self, name: &str) -> Result<LibraryKernel> {
        let c_name = crate::text::c_string(name)?;
        let Some(library) = self.as_raw() else { return Ok(LibraryKernel::new(None, name, self)) };
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write, the library is live, the name is a C string.
        let found = unsafe { check!(cuLibraryGetKernel(&raw mut raw, library, c_name.as_ptr())) };
        named(found, name, || self.hint_for_kernel(name))?;
        Ok(LibraryKernel::new(Some(raw), name, self))
    }

    /// Returns all kernels, in the driver's order. Wraps `cuLibraryGetKernelCount` and `cuLibraryEnumerateKernels`.
    ///
    /// # Errors
    ///
    /// [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.4.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::module::Library;
    /// # let library = Library::from_ptx(".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }")?;
    /// for kernel in library.kernels()? {
    ///     println!("{}", kernel.name());
    /// }
    /// # assert_eq!(library.kernels()?.len(), 1);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuLibraryGetKernelCount", "cuLibraryEnumerateKernels", "cuKernelGetName"))]
    pub fn kernels(&self) -> Result<Vec<LibraryKernel>> {
        let library = self.known_to(Symbol::cuLibraryGetKernelCount)?;
        let mut count: c_uint = 0;
        // SAFETY: `count` is valid for a write, the library is live.
        unsafe { check!(cuLibraryGetKernelCount(&raw mut count, library)) }?;
        let mut raw = filled(null_mut(), count as usize)?;
        if raw.is_empty() {
            return Ok(Vec::new());
        }
        // SAFETY: the list has this many elements, the library is live.
        unsafe { check!(cuLibraryEnumerateKernels(raw.as_mut_ptr(), count, library)) }?;
        // The driver fills the list from its start.
        raw.into_iter()
            .take_while(|raw| !raw.is_null())
            .map(|raw| LibraryKernel::of(raw, self))
            .try_collect_vec()
    }

    /// Returns the library's module in a context. Loads the code in the context if necessary. Wraps `cuLibraryGetModule`.
    ///
    /// The module keeps the library alive. Dropping the module unloads nothing: the library unloads it.
    ///
    /// # Blocking
    ///
    /// For the first use of the library in a context, until the code is loaded there, which waits until the context is idle.
    ///
    /// # Errors
    ///
    /// - [`Code::NoBinaryForGpu`](crate::error::Code::NoBinaryForGpu) or
    ///   [`Code::InvalidPtx`](crate::error::Code::InvalidPtx): the library has no code for the device of the context.
    /// - An earlier failure.
    /// - Before CUDA 12.0, same as [`Module::from_image`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # use cuda_rt::module::Library;
    /// # let library = Library::from_ptx(".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }")?;
    /// let module = library.module(&context)?;
    /// drop(library); // the module keeps the library alive
    /// module.function("nothing")?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuLibraryGetModule")]
    pub fn module(&self, context: &Context) -> Result<Module> {
        if let Some(known) = self.0.contexts.find(context) {
            return Ok(known);
        }
        match &self.0.code {
            Code::Loaded(handle) => {
                let _bound = context.bind(Symbol::cuLibraryGetModule)?;
                let mut raw: CUmodule = null_mut();
                // SAFETY: `raw` is valid for a write, the library is live, and the context is current.
                unsafe { check!(cuLibraryGetModule(&raw mut raw, handle.raw())) }?;
                Ok(self.0.contexts.of_library(raw, context, self))
            }
            Code::Image(image, options) => {
                let module = image.load(context, options)?;
                Ok(self.0.contexts.loaded(module))
            }
        }
    }

    /// Returns the variable `name` in a context, as elements of `T`: see [`Module::global`]. It keeps the library and the
    /// context alive. Wraps `cuLibraryGetGlobal`.
    ///
    /// # Blocking
    ///
    /// For the first use of the library in a context, until the code is loaded there, which waits until the context is idle.
    ///
    /// # Errors
    ///
    /// Same as [`Module::global`] and [`module`](Library::module).
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::module::Library;
    ///
    /// let library = Library::from_ptx("
    ///     .version 6.4 .target sm_50 .address_size 64
    ///     .visible .global .align 4 .u32 counters[4];
    /// ")?;
    /// let counters = library.global::<u32>(&context, "counters")?;
    /// assert_eq!(counters.len(), 4);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuLibraryGetGlobal")]
    pub fn global<T>(&self, context: &Context, name: &str) -> Result<Global<T>> {
        let Some(library) = self.as_raw() else { return self.module(context)?.global(name) };
        let c_name = crate::text::c_string(name)?;
        let _bound = context.bind(Symbol::cuLibraryGetGlobal)?;
        let (mut address, mut bytes) = (0, 0);
        // SAFETY: both are valid for a write, the library is live, the name is a C string, and the context is current.
        let found =
            unsafe { check!(cuLibraryGetGlobal(&raw mut address, &raw mut bytes, library, c_name.as_ptr())) };
        named(found, name, || self.hint_for_variable(name))?;
        // SAFETY: the driver's answer, of a library that is kept alive.
        unsafe { Global::new(address, bytes, name, context, self.0.clone()) }
    }

    /// Returns the address of a function that host and device share. `None` if the driver reports a null address. Wraps
    /// `cuLibraryGetUnifiedFunction`.
    ///
    /// # Errors
    ///
    /// - [`NotFound`](crate::error::ErrorKind::NotFound): there is no such function, as in code from PTX,
    ///   or no device has
    ///   [`DeviceAttribute::UNIFIED_FUNCTION_POINTERS`](crate::device::DeviceAttribute::UNIFIED_FUNCTION_POINTERS).
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the name contains a NUL.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.0.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::module::Library;
    /// # let library = Library::from_ptx(".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }")?;
    /// assert!(library.unified_function("nothing").is_err());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuLibraryGetUnifiedFunction")]
    pub fn unified_function(&self, name: &str) -> Result<Option<NonNull<c_void>>> {
        let c_name = crate::text::c_string(name)?;
        let library = self.known_to(Symbol::cuLibraryGetUnifiedFunction)?;
        let mut address = null_mut();
        // SAFETY: `address` is valid for a write, the library is live, the name is a C string.
        let found =
            unsafe { check!(cuLibraryGetUnifiedFunction(&raw mut address, library, c_name.as_ptr())) };
        named(found, name, || NameHint::None)?;
        Ok(NonNull::new(address))
    }

    /// Returns the raw handle. The caller must not unload the library. `None` on drivers before CUDA 12.0.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::module::Library;
    /// # let library = Library::from_ptx(".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }")?;
    /// assert!(library.as_raw().is_some_and(|raw| !raw.is_null()));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn as_raw(&self) -> Option<CUlibrary> {
        match &self.0.code {
            Code::Loaded(handle) => Some(handle.raw()),
            Code::Image(..) => None,
        }
    }

    /// Unloads the library, if this is the last handle to the library and to its objects, and returns the driver's answer. A drop
    /// can report a failure only to the [hook](crate::handle::set_drop_hook). Wraps `cuLibraryUnload`.
    ///
    /// # Blocking
    ///
    /// Until all contexts that used the library are idle.
    ///
    /// # Errors
    ///
    /// An earlier failure. The handle is consumed in any case.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::module::Library;
    /// # let library = Library::from_ptx(".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }")?;
    /// library.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuLibraryUnload")]
    pub fn close(self) -> Result<()> {
        ensure_not_in_host_function(Symbol::cuLibraryUnload)?;
        match Arc::into_inner(self.0) {
            Some(Inner { code: Code::Loaded(handle), contexts: _contexts, .. }) => handle.close(),
            Some(_) | None => Ok(()),
        }
    }

    /// Returns a hint about the name of a kernel that does not exist.
    #[cold]
    fn hint_for_kernel(&self, name: &str) -> NameHint {
        let names =
            |kernels: Vec<LibraryKernel>| kernels.iter().map(|kernel| kernel.name().to_owned()).collect_vec();
        NameHint::of_kernel(name, self.kernels().map(names))
    }

    /// Returns a hint about the name of a variable that does not exist.
    #[cold]
    fn hint_for_variable(&self, name: &str) -> NameHint {
        let (Some(library), Ok(name)) = (self.as_raw(), crate::text::c_string(name)) else {
            return NameHint::None;
        };
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write, the library is live, the name is a C string.
        match unsafe { check!(cuLibraryGetKernel(&raw mut raw, library, name.as_ptr())) } {
            Ok(()) => NameHint::Kernel,
            Err(_) => NameHint::None,
        }
    }

    /// Returns the raw handle, for a function that drivers without libraries lack.
    fn known_to(&self, symbol: Symbol) -> Result<CUlibrary> {
        match self.as_raw() {
            Some(library) => Ok(library),
            None => Err(missing(symbol)),
        }
    }
}

/// Returns the error of a driver that lacks a function.
#[cold]
fn missing(symbol: Symbol) -> crate::Error {
    let driver = cuda_sys::driver().ok().and_then(|driver| driver.missing(symbol)).and_then(|gap| gap.driver);
    cuda_sys::MissingSymbol { symbol, driver }.into()
}

impl fmt::Debug for Library {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Library").field("raw", &self.as_raw()).finish_non_exhaustive()
    }
}
