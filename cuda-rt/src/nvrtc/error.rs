//! Errors of compilation, and their typed details.

use super::{Code, Output, Target};
use crate::device::ComputeCapability;
use crate::error::{Error, ErrorKind};
use core::fmt;
use cuda_sys::DriverVersion;
use cuda_sys::nvrtc::{LoadError, MissingSymbol, Version};

/// The log of a program that does not compile: a [context](Error::context) of errors of the kind
/// [`Compilation`](ErrorKind::Compilation).
///
/// ```
/// use cuda_rt::device::ComputeCapability;
/// use cuda_rt::nvrtc::{CompileLog, Program, Target};
///
/// # if cuda_rt::nvrtc::version().is_err() { return } // there is no NVRTC
/// let error = Program::new("__global__ void wrong() { undeclared = 1; }").compile(Target::ptx(ComputeCapability::new(8, 0))).unwrap_err();
/// let log = &error.context::<CompileLog>().unwrap().log;
/// assert!(log.contains("undeclared"), "{log}");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompileLog {
    /// Options of the compiler: those of the [target](Target), then those of the program.
    pub options: Box<[Box<str>]>,
    /// Messages of the compiler.
    pub log: Box<str>,
}

/// A failed call of NVRTC: a [context](Error::context) of errors.
///
/// ```
/// # if cuda_rt::nvrtc::version().is_err() { return } // there is no NVRTC
/// use cuda_rt::device::ComputeCapability;
/// use cuda_rt::nvrtc::{CallError, Code, Program, Target};
///
/// let error = Program::new("nonsense").compile(Target::ptx(ComputeCapability::new(8, 0))).unwrap_err();
/// let failed = error.context::<CallError>().unwrap();
/// assert_eq!((failed.call, failed.code), ("nvrtcCompileProgram", Code::Compilation));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallError {
    /// Exported name of the function.
    pub call: &'static str,
    /// Returned code.
    pub code: Code,
}

impl CallError {
    #[cold]
    pub(super) fn into_error(self) -> Error {
        let CallError { call, code } = self;
        Error::refused(ErrorKind::Driver, call, format_args!("{code}")).with_context(self)
    }
}

impl CompileLog {
    /// Returns the error of a call that failed to compile a program.
    #[cold]
    pub(super) fn into_error(self, failed: CallError) -> Error {
        let CallError { call, code } = failed;
        let options = self.options.join(" ");
        let (line, log) = (if self.log.is_empty() { "" } else { "\n" }, &self.log);
        let text = format!("{code}, with options `{options}`{line}{log}");
        let error = Error::refused(ErrorKind::Compilation, call, format_args!("{text}"));
        error.with_context(failed).with_context(self)
    }
}

impl From<&LoadError> for Error {
    #[cold]
    fn from(error: &LoadError) -> Error {
        Error::about(ErrorKind::CompilerUnavailable, format_args!("NVRTC"), format_args!("{error}"))
            .with_context(error.clone())
    }
}

impl From<MissingSymbol> for Error {
    #[cold]
    fn from(missing: MissingSymbol) -> Error {
        let call = missing.symbol.name();
        Error::refused(ErrorKind::FunctionMissing, call, format_args!("{missing}")).with_context(missing)
    }
}

/// The advice for a compiler that is too new.
const OLDER_LIBRARY: &str = "name the library of an older NVRTC in CUDA_SYS_NVRTC_LIBRARY";

#[cold]
fn about_compiler(compiler: Version, text: fmt::Arguments<'_>) -> Error {
    Error::about(ErrorKind::InvalidArgument, format_args!("NVRTC of CUDA {compiler}"), text)
}

/// Returns the error of a device that is older than every target of the compiler.
pub(super) fn device_too_old(
    device: ComputeCapability,
    oldest: ComputeCapability,
    compiler: Version,
) -> Error {
    about_compiler(
        compiler,
        format_args!(
            "compute capability {device} of the device is older than {oldest}, the oldest that it compiles for; {OLDER_LIBRARY}"
        ),
    )
}

/// Returns the error of a driver that is older than the compiler and refuses its output. `output` is `None` if every output is
/// refused.
pub(super) fn compiler_too_new(compiler: Version, driver: DriverVersion, output: Option<Output>) -> Error {
    let refused = match output {
        Some(Output::Ptx) => {
            "takes no PTX that is newer than it is, but takes machine code of the same major release"
        }
        Some(Output::LtoIr) => "links no LTO-IR that is newer than it is",
        Some(Output::Cubin) | None => {
            "takes neither PTX that is newer than it is nor machine code of a newer major release"
        }
    };
    about_compiler(
        compiler,
        format_args!(
            "it is newer than the driver, of CUDA {driver}, which {refused}; use a newer driver, or {OLDER_LIBRARY}. An older \
         architecture does not help: PTX is in the compiler's own version of the language"
        ),
    )
}

/// Returns the error of a compiler that makes no machine code for this device. It names the driver's release if that is why
/// machine code was needed.
pub(super) fn no_machine_code(
    device: ComputeCapability,
    compiler: Version,
    driver: Option<DriverVersion>,
) -> Error {
    let text = match driver {
        Some(driver) => format!(
            "it makes no machine code for compute capability {device}, which the driver needs: the driver, of CUDA \
             {driver}, is too old for the compiler's PTX"
        ),
        None => format!(
            "it makes no machine code for compute capability {device}, which was asked for; compile to PTX"
        ),
    };
    about_compiler(compiler, format_args!("{text}"))
}

/// Returns the error of machine code that the driver refused. The compiler is newer than the
/// driver.
pub(super) fn not_loaded(target: Target, compiler: Version, driver: DriverVersion, reason: Error) -> Error {
    reason.with_subject(format_args!(
        "machine code for {target}, of NVRTC of CUDA {compiler}, which is newer than the driver, \
         of CUDA {driver} (if the driver runs no machine code, as a software driver, \
         {OLDER_LIBRARY})"
    ))
}

/// Returns the error of LTO-IR, which only a linker takes.
pub(super) fn not_loadable(target: Target) -> Error {
    Error::invalid(
        "LTO-IR",
        format_args!("code for {target} cannot be loaded before it is linked; use `Linker`"),
    )
}
