//! Errors: which call failed, with which code, and why.
//!
//! | type | stands for |
//! |---|---|
//! | [`Error`] | a failure, with its text |
//! | [`ErrorKind`] | the kind of a failure, on which programs branch |
//! | [`Code`] | a code of the driver |
//! | [`Extent`] | the extent of a failure: the call, the context or the process |
//! | [`Result`] | a value or an [`Error`] |
//!
//! An [`Error`] has a [kind](ErrorKind), which programs branch on, and a text for people. [`Error::code`] returns the driver's
//! [`Code`] if the driver has returned one. [`Error::context`] returns typed details, whose types are defined by the modules that
//! attach them. [`check`] converts results of the raw API to the same errors.
//!
//! # After a sticky error
//!
//! If a kernel fails (an illegal address, a trap, an assertion), later calls report the failure. [`Error::call`] names the call
//! that noticed the failure, not its cause. Some calls still succeed, mostly queries. The failure affects more than one call:
//! see [`Code::extent`].
//!
//! No call clears a sticky error: not synchronising, not dropping everything, not a reset of the primary context. There is no
//! "last error" to fetch as in the CUDA runtime API. The program can save the data that it has in host memory, end the process,
//! and start another. Dropping stays harmless; destructors report their failures to the [hook](crate::handle::set_drop_hook).
//!
//! [`Code::ContextIsDestroyed`] is sticky too, but its extent is only the context of the call. Drop the objects of that
//! context, and create new ones in another context. The process need not end.
//!
//! # Driver notes
//!
//! H200s, driver 580: after a sticky error, calls that queue work, allocate memory or wait fail in every context of the
//! process, also on other GPUs. Contexts cannot be made any more. Some queries still succeed, such as
//! [`Device::attribute`](crate::Device::attribute).

mod class;
mod code;
mod kind;
mod refusal;

pub use class::{PyCudaClass, check};
pub use code::{Code, Extent, UnknownCode};
pub use kind::ErrorKind;

pub(crate) use refusal::{Limit, filled};

use core::any::Any;
use core::fmt;
use core::mem::ManuallyDrop;
use core::panic::{RefUnwindSafe, UnwindSafe};
use cuda_sys::{CUresult, LoadError, MissingSymbol, Symbol};
use std::path::Path;
use std::sync::Arc;

/// Result of a function of this crate.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// Failure of a function of this crate. One pointer wide.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::Device;
/// use cuda_rt::error::{Code, ErrorKind};
///
/// let error = Device::get(99).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Driver);
/// assert_eq!((error.call(), error.code()), (Some("cuDeviceGet"), Some(Code::InvalidDevice)));
/// assert_eq!(
///     error.to_string(),
///     "cuDeviceGet: CUDA_ERROR_INVALID_DEVICE (101: invalid device ordinal): device 99, where there are 2"
/// );
/// ```
///
/// The text begins with the call or the object that the error is about. If a value was refused, the text names the value and
/// the limit where they are known. Advice comes last. Texts may change between versions. `{:?}`, which `unwrap` and a failing
/// `main` print, writes the kind and then the text.
///
/// Two errors are equal if their kinds, calls, codes and texts are.
///
/// The driver works asynchronously, so a call may report a failure of earlier work. The `# Errors` sections list this case as
/// *an earlier failure*. Its code is [sticky](Code::is_sticky).
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Error(Box<Inner>);

/// The text is made of the parts that are there, in their order, with a colon between them.
#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    /// The object that the error is about.
    subject: Option<Box<str>>,
    /// The call that a failed check prevented.
    prevented: Option<&'static str>,
    call: Option<&'static str>,
    code: Option<Code>,
    detail: Option<Box<str>>,
    /// Not compared: the text tells the same.
    contexts: Vec<Arc<dyn Payload>>,
}

/// Detail that a module attaches to an error.
trait Payload: Any + Send + Sync + UnwindSafe + RefUnwindSafe {}
impl<T: Any + Send + Sync + UnwindSafe + RefUnwindSafe> Payload for T {}

/// Details of an error of the kind [`File`](ErrorKind::File): the file and the reason. [`Error::context`] returns them.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::error::FileError;
/// use cuda_rt::module::Library;
///
/// // SAFETY: there is no such file.
/// let error = unsafe { Library::from_file("/there/is/none") }.unwrap_err();
/// let file = error.context::<FileError>().unwrap();
/// assert_eq!((file.path.to_str(), file.kind), (Some("/there/is/none"), std::io::ErrorKind::NotFound));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileError {
    /// The file.
    pub path: Box<Path>,
    /// The kind of failure; [`InvalidData`](std::io::ErrorKind::InvalidData) if the file was read and its content refused.
    pub kind: std::io::ErrorKind,
}

// Every `?` of this crate moves a result.
const _: () = assert!(size_of::<Result<()>>() == size_of::<usize>());

impl Error {
    /// Returns the kind of the failure.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the name of the driver call that failed, or that this crate refused to make.
    ///
    /// If the error has a [`code`](Error::code), the call was made and failed. Otherwise the call was not made, or this
    /// crate refused its result.
    ///
    /// Calls of NVRTC are named, too. Their errors have no [`code`](Error::code). If the error has the
    /// [context](Error::context) `CallError` of the module `nvrtc`, the call was made and failed.
    pub fn call(&self) -> Option<&'static str> {
        self.0.call
    }

    /// Returns the code that the driver has returned.
    pub fn code(&self) -> Option<Code> {
        self.0.code
    }

    /// Returns the name of the driver call that was not made.
    ///
    /// A check before that call failed. [`call`](Error::call) names the check.
    pub fn prevented_call(&self) -> Option<&'static str> {
        self.0.prevented
    }

    /// Returns the details of type `T`, if the error has them.
    ///
    /// | type | errors |
    /// |---|---|
    /// | [`LoadError`] | [`ErrorKind::DriverUnavailable`] |
    /// | [`MissingSymbol`] | [`ErrorKind::FunctionMissing`] |
    /// | [`FileError`] | [`ErrorKind::File`] |
    /// | `JitLog`, `JitProblem`, `JitOptions` of the module `module` | [`ErrorKind::Compilation`] |
    /// | `NameHint` of the module `module` | [`ErrorKind::NotFound`] |
    /// | `GlobalMismatch` of the module `module` | [`ErrorKind::TypeMismatch`] |
    /// | `SignatureMismatch` of the module `launch` | [`ErrorKind::TypeMismatch`] |
    /// | `LaunchProblem` of the module `launch` | [`ErrorKind::Driver`], if a launch was refused |
    /// | `AccessError` of the module `access` | [`ErrorKind::AccessDenied`], if a launch was refused |
    /// | `InstantiateFailure` of the module `graph` | any, if the driver did not instantiate a graph |
    /// | `UpdateRefused` of the module `graph` | any, if the driver did not update an executable graph |
    /// | `LoadError` of the module `sys::nvrtc` | [`ErrorKind::CompilerUnavailable`] |
    /// | `MissingSymbol` of the module `sys::nvrtc` | [`ErrorKind::FunctionMissing`], of NVRTC |
    /// | `CallError` of the module `nvrtc` | [`ErrorKind::Driver`] and [`ErrorKind::Compilation`], if a call of NVRTC failed |
    /// | `CompileLog` of the module `nvrtc` | [`ErrorKind::Compilation`], if NVRTC compiled |
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::Module;
    /// use cuda_rt::module::JitLog;
    ///
    /// let error = Module::from_ptx(&context, ".version 6.4 .target sm_50 nonsense").unwrap_err();
    /// let log = error.context::<JitLog>().unwrap();
    /// assert!(log.error.contains("line 1"), "{}", log.error);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn context<T: 'static>(&self) -> Option<&T> {
        self.0.contexts.iter().find_map(|context| {
            let context: &dyn Any = &**context;
            context.downcast_ref()
        })
    }

    /// Returns whether later calls will fail too. See [`Code::is_sticky`], and the [module](self#after-a-sticky-error) for what a
    /// program can do.
    pub fn is_sticky(&self) -> bool {
        self.code().is_some_and(Code::is_sticky)
    }
}

/// Constructors of errors. None is generic: each check costs its caller a branch and a call.
impl Error {
    #[cold]
    fn new(kind: ErrorKind) -> Error {
        let contexts = Vec::new();
        Error(Box::new(Inner {
            kind,
            subject: None,
            prevented: None,
            call: None,
            code: None,
            detail: None,
            contexts,
        }))
    }

    /// Returns the error of a driver call that returned a code.
    #[cold]
    pub(crate) fn driver(call: &'static str, code: Code) -> Error {
        let mut error = Error::new(ErrorKind::Driver);
        (error.0.call, error.0.code) = (Some(call), Some(code));
        error
    }

    /// Returns an error about an object.
    #[cold]
    pub(crate) fn about(kind: ErrorKind, subject: fmt::Arguments<'_>, detail: fmt::Arguments<'_>) -> Error {
        Error::new(kind).with_subject(subject).with_detail(detail)
    }

    /// Returns an error about a call, which is not made.
    #[cold]
    pub(crate) fn refused(kind: ErrorKind, call: &'static str, detail: fmt::Arguments<'_>) -> Error {
        let mut error = Error::new(kind).with_detail(detail);
        error.0.call = Some(call);
        error
    }

    /// Returns the error of a function of the program that panicked.
    pub(crate) fn panicked(place: &'static str, payload: Box<dyn Any + Send>) -> Error {
        let text =
            payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
        let message = text.unwrap_or("something other than a text");
        let error =
            Error::about(ErrorKind::Panicked, format_args!("{place}"), format_args!("panicked: {message}"));
        // It may panic again when it is dropped.
        let _ = ManuallyDrop::new(payload);
        error
    }

    /// Returns the error of a file that could not be read, or whose content was refused.
    #[cold]
    pub(crate) fn file(path: &Path, kind: std::io::ErrorKind, detail: fmt::Arguments<'_>) -> Error {
        let error = Error::about(ErrorKind::File, format_args!("file `{}`", path.display()), detail);
        error.with_context(FileError { path: path.into(), kind })
    }

    /// Puts the failed check before `call`, which is not made.
    #[cold]
    pub(crate) fn before(mut self, call: Symbol) -> Error {
        match self.0.kind {
            ErrorKind::Driver | ErrorKind::NotCalled => {
                self.0.kind = ErrorKind::NotCalled;
                self.0.prevented = Some(call.name());
            }
            ErrorKind::InsideHostFunction => return Error::inside_host_function(call),
            _ => {}
        }
        self
    }

    #[cold]
    pub(crate) fn with_kind(mut self, kind: ErrorKind) -> Error {
        self.0.kind = kind;
        self
    }

    /// Replaces the object that the error is about.
    #[cold]
    pub(crate) fn with_subject(mut self, subject: fmt::Arguments<'_>) -> Error {
        self.0.subject = Some(subject.to_string().into());
        self
    }

    /// Replaces the end of the text.
    #[cold]
    pub(crate) fn with_detail(mut self, detail: fmt::Arguments<'_>) -> Error {
        let detail = detail.to_string();
        self.0.detail = (!detail.is_empty()).then(|| detail.into());
        self
    }

    #[cold]
    pub(crate) fn with_context(
        mut self,
        context: impl Any + Send + Sync + UnwindSafe + RefUnwindSafe,
    ) -> Error {
        self.0.contexts.push(Arc::new(context));
        self
    }

    /// Returns the driver's code, if the call was made and nothing explains the failure yet.
    pub(crate) fn unexplained_code(&self) -> Option<Code> {
        let is_plain = self.0.kind == ErrorKind::Driver && self.0.detail.is_none();
        self.0.code.filter(|_| is_plain)
    }
}

impl From<&LoadError> for Error {
    #[cold]
    fn from(error: &LoadError) -> Error {
        Error::new(ErrorKind::DriverUnavailable)
            .with_detail(format_args!("{error}"))
            .with_context(error.clone())
    }
}

impl From<MissingSymbol> for Error {
    #[cold]
    fn from(missing: MissingSymbol) -> Error {
        let mut error = Error::new(ErrorKind::FunctionMissing)
            .with_detail(format_args!("{missing}"))
            .with_context(missing);
        error.0.call = Some(missing.symbol.name());
        error
    }
}

impl PartialEq for Inner {
    fn eq(&self, other: &Inner) -> bool {
        let parts = |inner: &Inner| (inner.kind, inner.prevented, inner.call, inner.code);
        parts(self) == parts(other) && self.subject == other.subject && self.detail == other.detail
    }
}

impl Eq for Inner {}

impl fmt::Display for Inner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if let Some(subject) = &self.subject {
            write!(formatter, "{subject}")?;
            separator = ": ";
        }
        if let Some(prevented) = self.prevented {
            write!(formatter, "{separator}{prevented}: not called, because the check before it failed")?;
            separator = ": ";
        }
        // The text of a missing function names it.
        if let Some(call) = self.call.filter(|_| self.kind != ErrorKind::FunctionMissing) {
            write!(formatter, "{separator}{call}")?;
            separator = ": ";
        }
        if let Some(code) = self.code {
            write!(formatter, "{separator}{code}")?;
        }
        match &self.detail {
            // A log, on lines of its own.
            Some(detail) if detail.starts_with('\n') => formatter.write_str(detail),
            Some(detail) => write!(formatter, "{separator}{detail}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}({self})", self.kind())
    }
}

/// Adds details of the request to the error of a driver that refused it.
pub(crate) trait OrDetail: Sized {
    /// Adds `detail` if the driver returned one of `codes`. Other codes have other causes.
    fn or_detail(self, codes: &[Code], detail: &dyn Fn() -> String) -> Self;
}

impl<T> OrDetail for Result<T> {
    #[inline]
    fn or_detail(self, codes: &[Code], detail: &dyn Fn() -> String) -> Self {
        match self {
            Err(error) => Err(explained(error, codes, detail)),
            outcome => outcome,
        }
    }
}

#[cold]
fn explained(error: Error, codes: &[Code], detail: &dyn Fn() -> String) -> Error {
    match error.unexplained_code() {
        Some(code) if codes.contains(&code) => error.with_detail(format_args!("{}", detail())),
        _ => error,
    }
}

/// Returns the outcome of a driver call.
#[inline]
pub(crate) fn from_call(symbol: Symbol, result: CUresult) -> Result<()> {
    if result.is_success() { Ok(()) } else { Err(failed(symbol, result)) }
}

/// Does the same as [`from_call`], outlined. For [`check!`](crate).
#[inline(never)]
pub(crate) fn from_rare_call(symbol: Symbol, result: CUresult) -> Result<()> {
    from_call(symbol, result)
}

/// Returns the answer of a driver call that polls: whether the work is done. No error is made for work that is not.
#[inline]
pub(crate) fn from_poll(symbol: Symbol, result: CUresult) -> Result<bool> {
    match result {
        CUresult::CUDA_SUCCESS => Ok(true),
        CUresult::CUDA_ERROR_NOT_READY => Ok(false),
        result => Err(failed(symbol, result)),
    }
}

/// Returns the error of a call that did not succeed. Distinguishes an answer of the driver from an answer of a stub.
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
    Error::driver(symbol.name(), Code::new(result).unwrap_or(Code::Unknown(UnknownCode(0))))
}
