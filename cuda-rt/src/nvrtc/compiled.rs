//! What the compiler makes of a program.

use super::error::not_loadable;
use super::source_module::load_cubin;
use super::{CacheOutcome, Output, SourceModule, Target};
use crate::context::Context;
use crate::error::Result;
use crate::module::{JitOptions, Module};
use core::fmt;
use cuda_sys::nvrtc::Version;

/// A program that is compiled: PTX, machine code or LTO-IR, with what the compiler said and the names that it gave.
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
    /// Expressions and the names that they became.
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

    /// What it was compiled to.
    pub fn target(&self) -> Target {
        self.target
    }

    /// The release of the compiler.
    pub fn compiler(&self) -> Version {
        self.compiler
    }

    /// The PTX, if that is what it was compiled to.
    #[doc(alias = "nvrtcGetPTX")]
    pub fn ptx(&self) -> Option<&str> {
        // It was made of a text, and only of valid ones it is read back.
        (self.target.output() == Output::Ptx).then(|| core::str::from_utf8(&self.code).ok())?
    }

    /// The machine code, if that is what it was compiled to.
    #[doc(alias = "nvrtcGetCUBIN")]
    pub fn cubin(&self) -> Option<&[u8]> {
        (self.target.output() == Output::Cubin).then_some(&self.code)
    }

    /// The LTO-IR, if that is what it was compiled to.
    #[doc(alias = "nvrtcGetLTOIR")]
    pub fn lto_ir(&self) -> Option<&[u8]> {
        (self.target.output() == Output::LtoIr).then_some(&self.code)
    }

    /// What the compiler said: warnings and remarks, since it has compiled. Often empty. It is in the cache too.
    #[doc(alias = "nvrtcGetProgramLog")]
    pub fn log(&self) -> &str {
        &self.log
    }

    /// The name that the compiler gave to what a [name expression](super::Program::name_expression) stands for; `None`
    /// if the program has no such expression.
    #[doc(alias = "nvrtcGetLoweredName")]
    pub fn lowered_name(&self, expression: &str) -> Option<&str> {
        self.lowered.iter().find(|(known, _)| **known == *expression).map(|(_, name)| &**name)
    }

    /// The names of the program's kernels, as they were compiled. Of LTO-IR none are known.
    pub fn kernels(&self) -> &[Box<str>] {
        &self.kernels
    }

    /// What the cache had to do with it.
    pub fn cache_outcome(&self) -> &CacheOutcome {
        &self.cache
    }

    pub(super) fn lowered(&self) -> &[(Box<str>, Box<str>)] {
        &self.lowered
    }

    pub(super) fn code(&self) -> &[u8] {
        &self.code
    }

    /// Loads it. Wraps `cuModuleLoadDataEx`.
    ///
    /// # Blocking
    ///
    /// Until the driver has compiled PTX, or found it in its own cache.
    ///
    /// # Errors
    ///
    /// - [`Compilation`](crate::error::ErrorKind::Compilation) with the driver's log:
    ///   [`Code::NoBinaryForGpu`](crate::error::Code::NoBinaryForGpu) for machine code of another device, and others.
    /// - [`Compilation`](crate::error::ErrorKind::Compilation) if the driver is older than the compiler, and refuses the machine
    ///   code as it would refuse PTX.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) of LTO-IR.
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

    /// As [`load`](Compiled::load), with options for the driver's compiler.
    ///
    /// # Blocking
    ///
    /// Until the driver has compiled PTX, or found it in its own cache.
    ///
    /// # Errors
    ///
    /// Same as [`load`](Compiled::load) and of the options in [`Module::from_ptx_with`].
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
