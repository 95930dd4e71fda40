//! What can go wrong between source text and a loaded module.

use super::{Code, Output, Target};
use crate::error::DriverError;
use core::fmt;
use cuda_sys::DriverVersion;
use cuda_sys::nvrtc::{LoadError, MissingSymbol, Version};

/// What can go wrong when CUDA C++ is compiled, and when the outcome is loaded.
///
/// As [`Error::Nvrtc`](crate::Error::Nvrtc) it is one of this crate's errors, into which `?` makes it.
///
/// ```
/// use cuda_rt::nvrtc::{Error, Program, Target};
///
/// # if cuda_rt::nvrtc::version().is_err() { return } // there is no NVRTC
/// match Program::new("__global__ void wrong() { undeclared = 1; }").compile(Target::ptx((8, 0))) {
///     Err(Error::Compilation { log, .. }) => assert!(log.contains("undeclared"), "{log}"),
///     other => panic!("{other:?}"),
/// }
/// ```
///
/// `{:?}`, which `unwrap` and a failing `main` print, is the error's text after the variant's name.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no usable NVRTC.
    #[error(transparent)]
    Load(#[from] &'static LoadError),
    /// The loaded NVRTC does not have the function.
    #[error(transparent)]
    MissingSymbol(#[from] MissingSymbol),
    /// A call failed.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The program does not compile, or an option of it was refused; the log says why.
    #[error("{source}, with options `{}`{}", options.join(" "), on_a_line(log))]
    Compilation {
        /// The failed call.
        source: CallError,
        /// The options that the compiler was given: those of the [target](Target) and those of the program.
        options: Box<[Box<str>]>,
        /// What the compiler said.
        log: Box<str>,
    },
    /// A text for C holds a NUL byte.
    #[error("a NUL byte at position {position} of {text}")]
    InteriorNul {
        /// Which text.
        text: &'static str,
        /// Where the byte is.
        position: usize,
    },
    /// More options, or headers, than there can be.
    #[error("{count} texts, which are more than {}", i32::MAX)]
    TooMany {
        /// How many they are.
        count: usize,
    },
    /// An option that is given in another way.
    #[error("option {option}: {instead}")]
    Option {
        /// The option.
        option: Box<str>,
        /// How to say it.
        instead: &'static str,
    },
    /// The device is older than all that the compiler can compile for.
    #[error(
        "NVRTC of CUDA {compiler} compiles for devices of compute capability {}.{} and newer, and this one has {}.{}: {}",
        oldest.0, oldest.1, device.0, device.1, OLDER_LIBRARY
    )]
    DeviceTooOld {
        /// The device's compute capability.
        device: (u32, u32),
        /// The oldest that the compiler knows.
        oldest: (u32, u32),
        /// The compiler's release.
        compiler: Version,
    },
    /// The driver would not take what the compiler makes, being older than it.
    #[error(
        "NVRTC is of CUDA {compiler}, the driver of CUDA {driver}: {}. Have a newer driver, or else {}. To compile for an \
         older architecture does not help: PTX is in the compiler's own version of the language",
        too_new(*output), OLDER_LIBRARY
    )]
    CompilerTooNew {
        /// The compiler's release.
        compiler: Version,
        /// The driver's.
        driver: DriverVersion,
        /// What was asked for; `None` if anything would have done.
        output: Option<Output>,
    },
    /// The compiler makes no machine code for this device.
    #[error(
        "NVRTC of CUDA {compiler} makes no machine code for compute capability {}.{}, which {} needs",
        device.0, device.1, needs(*driver)
    )]
    NoMachineCode {
        /// The device's compute capability.
        device: (u32, u32),
        /// The compiler's release.
        compiler: Version,
        /// The driver's, if machine code was needed because that is older than the compiler.
        driver: Option<DriverVersion>,
    },
    /// The driver did not load the machine code that was made, because its release is older than the compiler's and it
    /// would not take PTX.
    #[error(
        "the driver did not load machine code for {target}, which was made because NVRTC is of CUDA {compiler} and the driver, \
         of CUDA {driver}, takes no newer PTX (where no machine code is run, by a software driver for example: {}): {reason}",
        OLDER_LIBRARY
    )]
    NotLoaded {
        /// What was compiled for.
        target: Target,
        /// The compiler's release.
        compiler: Version,
        /// The driver's.
        driver: DriverVersion,
        /// What the driver said.
        reason: Box<crate::Error>,
    },
    /// LTO-IR is for a linker: it cannot be loaded.
    #[error("LTO-IR for {target} has to be linked before it can be loaded")]
    NotLoadable {
        /// What was compiled for.
        target: Target,
    },
    /// No kernel has this name.
    #[error("{source}: `{name}`{}", super::names::explanation(name, kernels))]
    NotFound {
        /// The name that was looked up.
        name: Box<str>,
        /// The names of the kernels that there are, as they were compiled.
        kernels: Box<[Box<str>]>,
        /// The failed call of the driver.
        source: DriverError,
    },
    /// There is not enough host memory for the result.
    #[error("{bytes} bytes of host memory could not be allocated")]
    HostMemory {
        /// How much was needed.
        bytes: usize,
    },
}

/// A call of NVRTC that failed.
///
/// ```
/// # if cuda_rt::nvrtc::version().is_err() { return } // there is no NVRTC
/// use cuda_rt::nvrtc::{Code, Error, Program, Target};
///
/// let error = Program::new("nonsense").compile(Target::ptx((8, 0))).unwrap_err();
/// let Error::Compilation { source, .. } = error else { panic!("{error}") };
/// assert_eq!((source.call, source.code), ("nvrtcCompileProgram", Code::Compilation));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{call}: {code}")]
pub struct CallError {
    /// The exported name of the function.
    pub call: &'static str,
    /// What it returned.
    pub code: Code,
}

/// What helps against a compiler that is too new.
const OLDER_LIBRARY: &str = "name the library of an older NVRTC in CUDA_SYS_NVRTC_LIBRARY";

fn too_new(output: Option<Output>) -> &'static str {
    match output {
        Some(Output::Ptx) => {
            "it takes no PTX that is newer than it is (machine code of the same major release it takes)"
        }
        Some(Output::LtoIr) => "it links no LTO-IR that is newer than it is",
        Some(Output::Cubin) | None => {
            "it takes neither PTX that is newer than it is nor machine code of a newer major release"
        }
    }
}

fn needs(driver: Option<DriverVersion>) -> String {
    match driver {
        Some(driver) => format!("the driver, of CUDA {driver} and so too old for the compiler's PTX,"),
        None => "was asked for and".to_owned(),
    }
}

/// A log on lines of its own, to follow an error's text.
fn on_a_line(log: &str) -> String {
    if log.is_empty() { String::new() } else { format!("\n{log}") }
}

impl Error {
    /// The failed call of NVRTC, where there was one.
    ///
    /// # Examples
    ///
    /// ```
    /// # if cuda_rt::nvrtc::version().is_err() { return } // there is no NVRTC
    /// use cuda_rt::nvrtc::{Code, Program, Target};
    ///
    /// let error = Program::new("nonsense").compile(Target::ptx((8, 0))).unwrap_err();
    /// assert_eq!(error.call().unwrap().code, Code::Compilation);
    /// ```
    pub fn call(&self) -> Option<CallError> {
        match self {
            Error::Call(source) | Error::Compilation { source, .. } => Some(*source),
            _ => None,
        }
    }

    /// Returns whether the program does not compile.
    pub(crate) fn is_compilation(&self) -> bool {
        matches!(self, Error::Compilation { .. })
    }

    /// The failed call of the driver, where there was one.
    ///
    /// # Examples
    ///
    /// ```
    /// # if cuda_rt::nvrtc::version().is_err() { return } // there is no NVRTC
    /// use cuda_rt::nvrtc::{Program, Target};
    ///
    /// let error = Program::new("nonsense").compile(Target::ptx((8, 0))).unwrap_err();
    /// assert_eq!(error.driver(), None);
    /// ```
    pub fn driver(&self) -> Option<DriverError> {
        match self {
            Error::NotLoaded { reason, .. } => reason.driver(),
            Error::NotFound { source, .. } => Some(*source),
            _ => None,
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variant = match self {
            Error::Load(_) => "Load",
            Error::MissingSymbol(_) => "MissingSymbol",
            Error::Call(_) => "Call",
            Error::Compilation { .. } => "Compilation",
            Error::InteriorNul { .. } => "InteriorNul",
            Error::TooMany { .. } => "TooMany",
            Error::Option { .. } => "Option",
            Error::DeviceTooOld { .. } => "DeviceTooOld",
            Error::CompilerTooNew { .. } => "CompilerTooNew",
            Error::NoMachineCode { .. } => "NoMachineCode",
            Error::NotLoaded { .. } => "NotLoaded",
            Error::NotLoadable { .. } => "NotLoadable",
            Error::NotFound { .. } => "NotFound",
            Error::HostMemory { .. } => "HostMemory",
        };
        write!(formatter, "{variant}({self})")
    }
}

impl From<Error> for crate::Error {
    fn from(error: Error) -> Self {
        crate::Error::Nvrtc(Box::new(error))
    }
}
