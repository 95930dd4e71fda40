//! The error of a build script.

use std::fmt;
use std::path::PathBuf;

/// The reason why there is no PTX.
///
/// `Debug` writes the same text as `Display`, because a `main` that returns an error prints it with `Debug`.
///
/// ```
/// let error = cuda_build::Ptx::new("src/sim.cu").target("sm_75").compile().unwrap_err();
/// assert_eq!(format!("{error:?}"), error.to_string());
/// ```
#[non_exhaustive]
pub enum Error {
    /// A missing variable that cargo sets for build scripts.
    NotABuildScript {
        /// Name of the variable.
        variable: &'static str,
    },
    /// An argument of [`Ptx`](crate::Ptx) that cannot be used.
    InvalidArgument {
        /// Method that took the argument.
        argument: &'static str,
        /// Value, and the rule that it breaks.
        reason: String,
    },
    /// A file or folder that could not be read or written.
    File {
        /// Path of the file, or a name for the standard output.
        path: PathBuf,
        /// Message of the operating system.
        reason: std::io::Error,
    },
    /// A missing compiler, without a PTX file to copy instead.
    CompilerNotFound {
        /// CUDA C++ file.
        file: PathBuf,
        /// Every place that was searched, in order, with the result.
        searched: Vec<String>,
    },
    /// A compiler that an environment variable names and that is missing, or that could not be called.
    CompilerUnusable {
        /// Compiler, with the variable that named it.
        compiler: String,
        /// Failure, with the message of the operating system or of NVRTC.
        reason: String,
    },
    /// A file that the compiler refused.
    Compilation {
        /// CUDA C++ file.
        file: PathBuf,
        /// Path of nvcc, or NVRTC with its release and library.
        compiler: String,
        /// Options of the compiler.
        options: String,
        /// Exit status of nvcc or code of NVRTC.
        status: String,
        /// All messages of the compiler.
        log: String,
    },
}

impl std::error::Error for Error {}

impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotABuildScript { variable } => {
                write!(
                    formatter,
                    "{variable} is not set; call cuda-build from a build script, which cargo runs"
                )
            }
            Error::InvalidArgument { argument, reason } => write!(formatter, "{argument}: {reason}"),
            Error::File { path, reason } => write!(formatter, "{}: {reason}", path.display()),
            Error::CompilerNotFound { file, searched } => {
                write!(formatter, "{}: no CUDA compiler was found. Searched:", file.display())?;
                for place in searched {
                    write!(formatter, "\n  {place}")?;
                }
                write!(
                    formatter,
                    "\nInstall the CUDA toolkit or NVRTC, name nvcc in NVCC or the library of NVRTC in \
                     CUDA_SYS_NVRTC_LIBRARY, or give a PTX file to take instead: `.or_file(\"{}\")`",
                    file.with_extension("ptx").display()
                )
            }
            Error::CompilerUnusable { compiler, reason } => write!(formatter, "{compiler}: {reason}"),
            Error::Compilation { file, compiler, options, status, log } => {
                write!(formatter, "{}: {compiler} does not compile the file: {status}", file.display())?;
                let break_before_log = if log.is_empty() { "" } else { "\n" };
                write!(formatter, "{break_before_log}{log}\noptions: {options}")
            }
        }
    }
}
