//! Errors: which call failed, with which code, and what is known of the cause.
//!
//! [`Error::code`] gives the driver's [`Code`] where there is one; compare that, not the variant: more calls may say
//! [what they were asked for](Error::Refused) in later versions. [`check`] makes the same errors of calls of the raw API.
//!
//! # After a sticky error
//!
//! A failure of a kernel (an illegal address, a trap, an assertion) is reported by later calls, whatever they are: the call
//! that is named is where it was noticed. It ends more than the call: see [`Code::extent`]. Measured on H200s: from then on
//! every call in every context of the process fails, on other GPUs too, and contexts cannot be made any more. Nothing
//! clears it: not synchronising, not dropping everything, not a reset of the primary context, and there is no "last error"
//! to fetch as in the CUDA runtime API. What the program can do is save what it has in host memory, end the process, and
//! start another. Dropping goes on to be harmless; destructors report their failures to the [hook](set_drop_hook).
//!
//! [`Code::ContextIsDestroyed`] is sticky too, but its extent is the one context that the call was about.

mod class;
mod code;
mod detail;
mod invalid;
mod report;

pub use class::{PyCudaClass, check};
pub use code::{Code, Extent, UnknownCode};
pub use detail::Detail;
pub use invalid::{Bound, CopyField, InvalidArgument, Milliseconds};
pub use report::set_drop_hook;

pub(crate) use detail::Detailed;
pub(crate) use report::{Leftovers, Quiet, report};

use crate::handle::refusal;
use crate::kernel::{LaunchProblem, SignatureMismatch};
use crate::module::{GlobalMismatch, JitLog, JitOptions, JitProblem, NameHint};
use core::any::Any;
use core::fmt;
use core::mem::ManuallyDrop;
use cuda_sys::{CUresult, LoadError, MissingSymbol, Symbol};
use std::path::Path;

/// What the functions of this crate return.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// Anything that can go wrong.
///
/// [`Error::code`] gives the driver's code where there is one:
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::{Code, Device};
///
/// let error = Device::get(99).unwrap_err();
/// assert_eq!(error.code(), Some(Code::InvalidDevice));
/// assert_eq!(
///     error.to_string(),
///     "cuDeviceGet: CUDA_ERROR_INVALID_DEVICE (101: invalid device ordinal): device 99, where there are 2"
/// );
/// ```
///
/// `{:?}`, which `unwrap` and a failing `main` print, is the same text after the variant's name.
///
/// The driver works asynchronously: a call may report a failure of something that was started
/// earlier. Such codes are [sticky](Code::is_sticky).
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The driver refused the call, or reported an earlier failure. Which calls give this and which
    /// [`Refused`](Error::Refused) may change: compare [`Error::code`].
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// A check of this crate before a call failed, so the call was not made. Most often the driver reported an earlier
    /// failure there.
    #[error("{call}: not called, because the check before it failed: {check}")]
    NotCalled {
        /// The exported name of the function that the call was to be of.
        call: &'static str,
        /// The failed check. [`Error::driver`] gives this.
        check: DriverError,
    },
    /// The driver refused the call for what it was asked for.
    #[error("{source}: {detail}")]
    Refused {
        /// The failed call.
        source: DriverError,
        /// What it was asked for.
        detail: Detail,
    },
    /// There is no usable driver.
    #[error(transparent)]
    Load(#[from] &'static LoadError),
    /// The loaded driver does not have the function.
    #[error(transparent)]
    MissingSymbol(#[from] MissingSymbol),
    /// A module could not be loaded, or an input not be linked; the log holds the compiler's messages.
    #[error("{}{source}{}{}", named(*source, input.as_deref()), problem.iter().map(ToString::to_string).collect::<String>(), log.appended())]
    Jit {
        /// The input that a [linker](crate::Linker) did not take, by the name that it was given; or the file that was to be
        /// loaded. `None` for what was loaded from memory, and for a link as a whole.
        input: Option<Box<str>>,
        /// The failed call.
        source: DriverError,
        /// What is wrong with the code, if that was seen.
        problem: Option<Box<JitProblem>>,
        /// What the driver's compiler said.
        log: Box<JitLog>,
    },
    /// The driver refused to load or to link with these options, without a message.
    #[error("{source}: with {options}")]
    JitOptions {
        /// The failed call.
        source: DriverError,
        /// The options that it was given.
        options: Box<JitOptions>,
    },
    /// Something with this name is not there.
    #[error("{source}: `{name}`{hint}")]
    NotFound {
        /// The name that was looked up.
        name: Box<str>,
        /// What there is instead, as far as that could be seen.
        hint: Box<NameHint>,
        /// The failed call.
        source: DriverError,
    },
    /// A variable is not one of the elements that it was asked for as.
    #[error("variable `{name}`: {mismatch}")]
    Global {
        /// The variable's name.
        name: Box<str>,
        /// What does not fit.
        mismatch: GlobalMismatch,
    },
    /// A file could not be read, or what is in it is not what was to be there.
    #[error("reading `{}`: {problem}", path.display())]
    File {
        /// Which one.
        path: Box<Path>,
        /// What kind of failure it was.
        kind: std::io::ErrorKind,
        /// The system's words; or for [`InvalidData`](std::io::ErrorKind::InvalidData) those of an [`InvalidArgument`].
        problem: Box<str>,
    },
    /// A kernel does not take what the argument types give.
    #[error("kernel `{kernel}`: {mismatch}")]
    Signature {
        /// The kernel's name.
        kernel: Box<str>,
        /// The first difference.
        mismatch: SignatureMismatch,
    },
    /// A kernel could not be launched.
    #[error("launching `{kernel}`: {source}{reason}")]
    Launch {
        /// The kernel's name.
        kernel: Box<str>,
        /// What was found when the launch was checked after it had failed.
        reason: LaunchProblem,
        /// The failed call.
        source: DriverError,
    },
    /// A launch would use memory that is out of reach, or that it is not to use. Nothing was launched. See
    /// [`AccessCheck`](crate::access::AccessCheck).
    #[error(transparent)]
    Access(Box<crate::access::AccessError>),
    /// The context was reset or destroyed by somebody else, and everything in it went along. What this
    /// crate still had of it was left alone: the handles may be somebody else's by now.
    #[error("the context was reset or destroyed by others: what was made in it is gone")]
    ContextLost,
    /// Source text could not be compiled by NVRTC, or what it was compiled to not be loaded.
    #[cfg(feature = "nvrtc")]
    #[error(transparent)]
    Nvrtc(Box<crate::nvrtc::Error>),
    /// There is not enough host memory for the result.
    #[error("{bytes} bytes of host memory could not be allocated")]
    HostMemory {
        /// How much was needed.
        bytes: usize,
    },
    /// Code of the program panicked where nobody can be told: inside a [host function](crate::stream#host-functions), or
    /// in a destructor that such a function had left to others. Only the [hook](set_drop_hook) is given this.
    #[error("{place} panicked: {message}")]
    Panicked {
        /// `a host function`, or `a destructor`.
        place: &'static str,
        /// What it said.
        message: Box<str>,
    },
    /// This crate refused the call: the driver never saw it.
    #[error(transparent)]
    Invalid(#[from] InvalidArgument),
}

/// A driver call that failed.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::{Code, Device, DriverError};
///
/// let error = Device::get(99).unwrap_err().driver();
/// assert_eq!(error, Some(DriverError { call: "cuDeviceGet", code: Code::InvalidDevice }));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{call}: {code}")]
pub struct DriverError {
    /// The exported name of the function that returned the code.
    pub call: &'static str,
    /// What it returned.
    pub code: Code,
}

// `Result`s of this crate travel through every call; they must not grow by accident.
const _: () = assert!(size_of::<Error>() <= 64);

impl Error {
    /// The failed driver call, where there was one.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// let error = cuda_rt::Device::get(99).unwrap_err();
    /// assert_eq!(error.driver().unwrap().call, "cuDeviceGet");
    /// ```
    pub fn driver(&self) -> Option<DriverError> {
        match self {
            Error::Driver(source)
            | Error::NotCalled { check: source, .. }
            | Error::Refused { source, .. }
            | Error::Jit { source, .. }
            | Error::JitOptions { source, .. }
            | Error::NotFound { source, .. }
            | Error::Launch { source, .. } => Some(*source),
            #[cfg(feature = "nvrtc")]
            Error::Nvrtc(error) => error.driver(),
            Error::Load(_)
            | Error::MissingSymbol(_)
            | Error::ContextLost
            | Error::HostMemory { .. }
            | Error::Signature { .. }
            | Error::Access(_)
            | Error::Panicked { .. }
            | Error::Global { .. }
            | Error::File { .. }
            | Error::Invalid(_) => None,
        }
    }

    /// The driver's code, where there was one.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// let error = cuda_rt::Device::get(99).unwrap_err();
    /// assert_eq!(error.code(), Some(cuda_rt::Code::InvalidDevice));
    /// ```
    pub fn code(&self) -> Option<Code> {
        self.driver().map(|error| error.code)
    }

    /// The failure of a check before `call`, which is not made.
    #[cold]
    pub(crate) fn before(self, call: Symbol) -> Error {
        match self {
            Error::Driver(check) | Error::NotCalled { check, .. } => {
                Error::NotCalled { call: call.name(), check }
            }
            Error::Invalid(InvalidArgument::InsideCallback { .. }) => refusal(call),
            other => other,
        }
    }

    /// What a panic left behind.
    pub(crate) fn panicked(place: &'static str, payload: Box<dyn Any + Send>) -> Error {
        let text =
            payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
        let message = text.unwrap_or("something other than a text").into();
        // It may panic again when it is dropped.
        let _ = ManuallyDrop::new(payload);
        Error::Panicked { place, message }
    }

    /// Whether later calls will fail too; see [`Code::is_sticky`], and the [module](self#after-a-sticky-error) for what to
    /// do.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// assert!(!cuda_rt::Device::get(99).unwrap_err().is_sticky());
    /// ```
    pub fn is_sticky(&self) -> bool {
        self.code().is_some_and(Code::is_sticky)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variant = match self {
            Error::Driver(_) => "Driver",
            Error::NotCalled { .. } => "NotCalled",
            Error::Refused { .. } => "Refused",
            Error::Load(_) => "Load",
            Error::MissingSymbol(_) => "MissingSymbol",
            Error::Jit { .. } => "Jit",
            Error::JitOptions { .. } => "JitOptions",
            Error::NotFound { .. } => "NotFound",
            Error::Signature { .. } => "Signature",
            Error::Global { .. } => "Global",
            Error::File { .. } => "File",
            Error::Launch { .. } => "Launch",
            Error::Access(_) => "Access",
            Error::ContextLost => "ContextLost",
            #[cfg(feature = "nvrtc")]
            Error::Nvrtc(_) => "Nvrtc",
            Error::HostMemory { .. } => "HostMemory",
            Error::Panicked { .. } => "Panicked",
            Error::Invalid(_) => "Invalid",
        };
        write!(formatter, "{variant}({self})")
    }
}

/// Goes before the error of a call that was given something with a name.
fn named(source: DriverError, input: Option<&str>) -> String {
    let doing = if source.call.starts_with("cuLink") { "linking" } else { "loading" };
    input.map_or_else(String::new, |input| format!("{doing} `{input}`: "))
}

/// The outcome of a driver call.
#[inline]
pub(crate) fn from_call(symbol: Symbol, result: CUresult) -> Result<()> {
    if result.is_success() { Ok(()) } else { Err(failed(symbol, result)) }
}

/// The error of a call that did not return success. Distinguishes what a driver answered from what a stub answered in its
/// place.
#[cold]
pub(crate) fn failed(symbol: Symbol, result: CUresult) -> Error {
    let driver = match cuda_sys::driver() {
        Ok(driver) => driver,
        Err(load) => return load.into(),
    };
    if let Some(missing) = driver.missing(symbol) {
        return missing.into();
    }
    // Only success has no code, and success does not come here.
    let code = Code::new(result).unwrap_or(Code::Unknown(UnknownCode(0)));
    DriverError { call: symbol.name(), code }.into()
}
