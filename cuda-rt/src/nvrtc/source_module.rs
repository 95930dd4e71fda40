//! Programs, compiled and loaded.

#![allow(unsafe_code)]

use super::Compiled;
use super::error::not_loaded;
use super::target::is_taken;
use crate::context::Context;
use crate::error::{ErrorKind, Result};
use crate::module::{Function, Global, GlobalMismatch, JitOptions, Module, NameHint};
use core::fmt;
use core::ops::Deref;

/// A compiled and loaded program: a [`Module`], to which it dereferences, that also knows the names of the source.
///
/// ```
/// # let context = cuda_doc::context()?;
/// # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
/// use cuda_rt::nvrtc::Program;
///
/// # let off = cuda_rt::nvrtc::Cache::off();
/// let program = Program::new("__global__ void add(float *x, float y) { x[threadIdx.x] += y; }").name_expression("add");
/// # let program = program.cache(off);
/// let module = program.compile_and_load(&context)?;
/// assert_eq!(module.function("add")?.name(), "add");
/// assert_eq!(module.compiled().lowered_name("add"), Some("_Z3addPff")); // the name that C++ gives it
/// println!("{}", module.jit_log().error); // as for any module
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Clone)]
pub struct SourceModule {
    module: Module,
    compiled: Compiled,
}

impl SourceModule {
    pub(super) fn new(module: Module, compiled: Compiled) -> SourceModule {
        SourceModule { module, compiled }
    }

    /// Returns a kernel by a [name expression](super::Program::name_expression) of the program, or otherwise by its mangled name.
    /// Wraps `cuModuleGetFunction`.
    ///
    /// The kernel keeps the given name, which errors also use.
    ///
    /// # Errors
    ///
    /// - [`NotFound`](crate::error::ErrorKind::NotFound): there is no such kernel. The error lists the kernels, and
    ///   those whose mangled names may stand for the name.
    /// - Otherwise same as [`Module::function`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
    /// # let off = cuda_rt::nvrtc::Cache::off();
    /// use cuda_rt::nvrtc::Program;
    ///
    /// let program = Program::new("__global__ void add(float *x, float y) { x[threadIdx.x] += y; }");
    /// # let program = program.cache(off);
    /// let error = program.compile_and_load(&context)?.function("add").unwrap_err();
    /// assert!(error.to_string().contains("C++ mangles names, and `_Z3addPff` may be the one"), "{error}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuModuleGetFunction", "nvrtcGetLoweredName", "get_function"))]
    pub fn function(&self, name: &str) -> Result<Function> {
        let compiled_name = self.compiled.lowered_name(name).unwrap_or(name);
        let function = self.module.function(compiled_name).map(|function| function.named(name));
        function.map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                let explanation = super::names::explanation(name, self.compiled.kernels());
                error.with_detail(format_args!("`{name}`{explanation}"))
            }
            _ => error,
        })
    }

    /// Returns a `__device__` or `__constant__` variable by a [name expression](super::Program::name_expression) of the program,
    /// with or without its `&`, or otherwise by its mangled name. Wraps `cuModuleGetGlobal`.
    ///
    /// # Errors
    ///
    /// Same as [`Module::global`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
    /// # let off = cuda_rt::nvrtc::Cache::off();
    /// use cuda_rt::nvrtc::Program;
    ///
    /// let source = "namespace filter { __constant__ float weights[4]; }";
    /// let program = Program::new(source).name_expression("&filter::weights");
    /// # let program = program.cache(off);
    /// let weights = program.compile_and_load(&context)?.global::<f32>("filter::weights")?;
    /// assert_eq!(weights.len(), 4);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuModuleGetGlobal", "nvrtcGetLoweredName"))]
    pub fn global<T>(&self, name: &str) -> Result<Global<T>> {
        let lowered = self.compiled.lowered_name(name);
        let lowered = lowered.or_else(|| self.compiled.lowered_name(&format!("&{name}")));
        self.module.global(lowered.unwrap_or(name)).map_err(|error| {
            match (error.context::<GlobalMismatch>(), error.context::<NameHint>()) {
                (Some(mismatch), _) => mismatch.into_error(name),
                (_, Some(hint)) => {
                    let text = format!("`{name}`{hint}");
                    error.with_detail(format_args!("{text}"))
                }
                _ => error,
            }
        })
    }

    /// Returns the module, without the names of the source.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
    /// # use cuda_rt::nvrtc::{Cache, Program};
    /// let module = Program::new("").cache(Cache::off()).compile_and_load(&context)?.into_module();
    /// assert!(module.function("add").is_err());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn into_module(self) -> Module {
        self.module
    }

    /// Returns the compiled program.
    pub fn compiled(&self) -> &Compiled {
        &self.compiled
    }
}

impl Deref for SourceModule {
    type Target = Module;

    fn deref(&self) -> &Module {
        &self.module
    }
}

impl fmt::Debug for SourceModule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SourceModule")
            .field("module", &self.module)
            .field("compiled", &self.compiled)
            .finish()
    }
}

/// Loads machine code. If that fails, the error says why there is no PTX instead.
pub(super) fn load_cubin(context: &Context, compiled: &Compiled, options: &JitOptions) -> Result<Module> {
    // SAFETY: the machine code is unchanged output of NVRTC. NVRTC made it in this process, or in an earlier one: then its file
    // was found to be complete and owned by this user.
    let loaded = unsafe { Module::from_cubin_with(context, compiled.code(), options) };
    loaded.map_err(|reason| match (reason.code(), crate::driver_version()) {
        (Some(_), Ok(driver)) if !is_taken(compiled.compiler(), driver) => {
            let (target, compiler) = (compiled.target(), compiled.compiler());
            not_loaded(target, compiler, driver, reason)
        }
        _ => reason,
    })
}
