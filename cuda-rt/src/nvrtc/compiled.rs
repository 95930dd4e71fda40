//! Compiled programs.

use super::error::not_loadable;
use super::source_module::load_cubin;
use super::{CacheOutcome, Output, SourceModule, Target};
use crate::context::Context;
use crate::error::Result;
use crate::module::{JitOptions, Module};
use core::fmt;
use cuda_sys::nvrtc::Version;

/// A compiled program: PTX, machine code or LTO-IR, with the compiler's log and the names of the kernels.
///
/// ```
/// # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
/// use cuda_rt::device::ComputeCapability;
/// use cuda_rt::nvrtc::{Program, Target};
///
/// let program = Program::new("
///     template <int N> __global__ void add(int *x) { int unused; *x += N; }
/// ");
/// # let program = program.cache(cuda_rt::nvrtc::Cache::off());
/// let compiled = program.name_expression("add<7>").compile(Target::ptx(ComputeCapability::new(8, 0)))?;
/// assert!(compiled.log().contains("never referenced"), "warnings: {}", compiled.log());
/// let name = compiled.lowered_name("add<7>").unwrap();
/// assert!(compiled.ptx().unwrap().contains(name));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Clone)]
pub struct Compiled {
    target: Target,
    compiler: Version,
    code: Box<[u8]>,
    log: Box<str>,
    /// Name expressions and their mangled names.
    lowered: Box<[(Box<str>, Box<str>)]>,
    kernels: Box<[Box<str>]>,
    cache: CacheOutcome,
}

impl Compiled {
    pub(super) fn new(
        target: Target,
        compiler: Version,
        code: Box<[u8]>,
        log: Box<str>,
        lowered: Box<[(Box<str>, Box<str>)]>,
        kernels: Box<[Box<str>]>,
    ) -> Compiled {
        Compiled { target, compiler, code, log, lowered, kernels, cache: CacheOutcome::Off }
    }

    pub(super) fn with_cache_outcome(self, cache: CacheOutcome) -> Compiled {
        Compiled { cache, ..self }
    }

    /// Returns the target of the compilation.
    pub fn target(&self) -> Target {
        self.target
    }

    /// Returns the release of the compiler.
    pub fn compiler(&self) -> Version {
        self.compiler
    }

    /// Returns the PTX, if the output is PTX.
    #[doc(alias = "nvrtcGetPTX")]
    pub fn ptx(&self) -> Option<&str> {
        // The bytes come from a string, or from the cache, which accepts PTX only if it is valid UTF-8.
        (self.target.output() == Output::Ptx).then(|| core::str::from_utf8(&self.code).ok())?
    }

    /// Returns the machine code, if the output is machine code.
    #[doc(alias = "nvrtcGetCUBIN")]
    pub fn cubin(&self) -> Option<&[u8]> {
        (self.target.output() == Output::Cubin).then_some(&self.code)
    }

    /// Returns the LTO-IR, if the output is LTO-IR.
    #[doc(alias = "nvrtcGetLTOIR")]
    pub fn lto_ir(&self) -> Option<&[u8]> {
        (self.target.output() == Output::LtoIr).then_some(&self.code)
    }

    /// Returns the compiler's log: warnings and remarks, because compilation succeeded. Often empty. The cache stores the log,
    /// too.
    #[doc(alias = "nvrtcGetProgramLog")]
    pub fn log(&self) -> &str {
        &self.log
    }

    /// Returns the mangled name of a [name expression](super::Program::name_expression). `None` if the program has no such
    /// expression.
    #[doc(alias = "nvrtcGetLoweredName")]
    pub fn lowered_name(&self, expression: &str) -> Option<&str> {
        self.lowered.iter().find(|(known, _)| **known == *expression).map(|(_, name)| &**name)
    }

    /// Returns the mangled names of the program's kernels. Empty for LTO-IR.
    pub fn kernels(&self) -> &[Box<str>] {
        &self.kernels
    }

    /// Returns what the cache did with the program.
    pub fn cache_outcome(&self) -> &CacheOutcome {
        &self.cache
    }

    pub(super) fn lowered(&self) -> &[(Box<str>, Box<str>)] {
        &self.lowered
    }

    pub(super) fn code(&self) -> &[u8] {
        &self.code
    }

    /// Loads the program in a context. Wraps `cuModuleLoadDataEx`.
    ///
    /// # Blocking
    ///
    /// Until the driver has loaded machine code, has compiled PTX, or has found the code in its own cache, and all
    /// running kernels of the context are done.
    ///
    /// # Errors
    ///
    /// - [`Compilation`](crate::error::ErrorKind::Compilation), with the driver's log:
    ///   - [`Code::UnsupportedPtxVersion`](crate::error::Code::UnsupportedPtxVersion): the output
    ///     is PTX, and the driver is older than the compiler.
    ///   - [`Code::NoBinaryForGpu`](crate::error::Code::NoBinaryForGpu): the machine code is for
    ///     another device.
    ///   - Other codes, for example if the output is machine code, and the driver is of an older
    ///     major release than the compiler.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the output is LTO-IR.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
    /// # use cuda_rt::nvrtc::{Cache, Program};
    /// let program = Program::new("extern \"C\" __global__ void nothing() {}");
    /// # let program = program.cache(Cache::off());
    /// let module = program.compile_for(&context)?.load(&context)?;
    /// assert_eq!(module.function("nothing")?.name(), "nothing");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuModuleLoadDataEx")]
    pub fn load(self, context: &Context) -> Result<SourceModule> {
        self.load_with(context, &JitOptions::new())
    }

    /// Loads the program with options for the driver's compiler. Otherwise the same as [`load`](Compiled::load).
    ///
    /// # Blocking
    ///
    /// Same as [`load`](Compiled::load).
    ///
    /// # Errors
    ///
    /// Same as [`load`](Compiled::load). The options have the errors of [`Module::from_ptx_with`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
    /// # use cuda_rt::nvrtc::{Cache, Program};
    /// use cuda_rt::module::JitOptions;
    ///
    /// let program = Program::new("extern \"C\" __global__ void nothing() {}");
    /// # let program = program.cache(Cache::off());
    /// let module = program.compile_for(&context)?.load_with(&context, &JitOptions::new().log_verbose(true))?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuModuleLoadDataEx")]
    pub fn load_with(self, context: &Context, options: &JitOptions) -> Result<SourceModule> {
        let module = match self.target.output() {
            Output::Ptx => Module::from_ptx_with(context, &self.code, options),
            Output::Cubin => load_cubin(context, &self, options),
            Output::LtoIr => return Err(not_loadable(self.target)),
        };
        Ok(SourceModule::new(module?, self))
    }
}

impl fmt::Debug for Compiled {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Compiled")
            .field("target", &format_args!("{}", self.target))
            .field("compiler", &self.compiler)
            .field("bytes", &self.code.len())
            .field("log", &self.log)
            .field("lowered", &self.lowered)
            .field("cache", &self.cache)
            .finish_non_exhaustive()
    }
}
