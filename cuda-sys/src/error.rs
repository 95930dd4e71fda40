//! Errors of loading or installing a driver, and of functions that the driver does not have.
//!
//! `{:?}` of an error, which `unwrap` and a failing `main` print, is its text after the type's name.

use crate::library::OBSTACLE;
use crate::{DriverVersion, Symbol};
use core::fmt;

/// Error of loading a driver, with all libraries that were tried.
///
/// ```
/// use cuda_sys::Driver;
///
/// // SAFETY: no library of this name exists; none is opened.
/// let error = unsafe { Driver::open("/nonexistent/libcuda.so.1") }.unwrap_err();
/// assert!(error.to_string().contains("/nonexistent/libcuda.so.1"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct LoadError {
    /// Libraries that were tried, in order. Empty if the thread called the driver while it was opening the library.
    pub attempts: Vec<Attempt>,
    /// True if the environment or the caller named the library. No other library was tried then.
    pub only_choice: bool,
}

/// Library that was tried.
///
/// ```
/// use cuda_sys::{Attempt, Refusal, Symbol};
///
/// let attempt = Attempt { library: "libm.so.6".to_owned(), refusal: Refusal::NotADriver(Symbol::cuInit) };
/// assert_eq!(attempt.to_string(), "libm.so.6 is not a CUDA driver: it does not export cuInit");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Name or path, with the environment variable that named it, if one did.
    pub library: String,
    /// Reason why the library was not used.
    pub refusal: Refusal,
}

/// Reason why a library was not used.
///
/// ```
/// use cuda_sys::{Driver, Refusal};
///
/// // SAFETY: no library of this name exists; none is opened.
/// let error = unsafe { Driver::open("/nonexistent/libcuda.so.1") }.unwrap_err();
/// assert!(matches!(error.attempts[0].refusal, Refusal::NotOpened(_)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The operating system could not open the library. The text is its reason.
    NotOpened(String),
    /// The library opened, but lacks a function that every driver has.
    NotADriver(Symbol),
    /// The library is the CUDA toolkit's stub for linking, which answers every call with an error.
    ToolkitStub,
}

impl std::error::Error for LoadError {}

impl fmt::Debug for LoadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "LoadError({self})")
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.attempts.is_empty() {
            return formatter
                .write_str("this thread called the CUDA driver while it was opening the driver library");
        }
        formatter.write_str("no CUDA driver could be loaded")?;
        for (index, attempt) in self.attempts.iter().enumerate() {
            formatter.write_str(if index == 0 { ": " } else { "; " })?;
            attempt.fmt(formatter)?;
        }
        let advice = if self.only_choice {
            "no other library was tried"
        } else {
            "install the NVIDIA driver, or name its library in CUDA_SYS_LIBRARY"
        };
        write!(formatter, " ({})", OBSTACLE.unwrap_or(advice))
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let library = &self.library;
        match &self.refusal {
            Refusal::NotOpened(reason) => write!(formatter, "{library}: {reason}"),
            Refusal::NotADriver(symbol) => {
                write!(formatter, "{library} is not a CUDA driver: it does not export {symbol}")
            }
            Refusal::ToolkitStub => write!(
                formatter,
                "{library} is the CUDA toolkit's stub library, good for linking only: \
                 cuDriverGetVersion answers CUDA_ERROR_STUB_LIBRARY"
            ),
        }
    }
}

/// Error of [`install`](crate::install): a driver is already in use.
///
/// ```
/// // SAFETY: no function is handed over.
/// unsafe { cuda_sys::install("one", |_| None) }?;
/// // SAFETY: no function is handed over.
/// let error = unsafe { cuda_sys::install("another", |_| None) }.unwrap_err();
/// assert_eq!(error.to_string(), "a CUDA driver is in use already: one");
/// # Ok::<(), cuda_sys::AlreadyInstalled>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct AlreadyInstalled {
    /// Origin of the driver in use.
    pub origin: String,
}

impl std::error::Error for AlreadyInstalled {}

impl fmt::Debug for AlreadyInstalled {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "AlreadyInstalled({self})")
    }
}

impl fmt::Display for AlreadyInstalled {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a CUDA driver is in use already: {}", self.origin)
    }
}

/// Function that the loaded driver does not have.
///
/// ```
/// use cuda_sys::{DriverVersion, MissingSymbol, Symbol};
///
/// let driver = Some(DriverVersion::new(11, 0));
/// let missing = MissingSymbol { symbol: Symbol::cuMemAllocAsync, driver };
/// assert_eq!(
///     missing.to_string(),
///     "cuMemAllocAsync needs a driver for CUDA 11.2 or newer; the loaded one is for CUDA 11.0"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MissingSymbol {
    /// The function.
    pub symbol: Symbol,
    /// Release that the driver reports; `None` if it reported none.
    pub driver: Option<DriverVersion>,
}

impl MissingSymbol {
    /// Returns whether drivers of the release `driver` have the function, so that the loaded library
    /// should export it. False if `driver` is `None`. A library
    /// between the program and the driver, such as that of a profiler, may lack functions.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sys::{DriverVersion, MissingSymbol, Symbol};
    ///
    /// let driver = Some(DriverVersion::new(11, 0));
    /// assert!(!MissingSymbol { symbol: Symbol::cuMemAllocAsync, driver }.is_unexpected()); // since 11.2
    /// assert!(MissingSymbol { symbol: Symbol::cuMemAlloc_v2, driver }.is_unexpected());
    /// ```
    pub fn is_unexpected(&self) -> bool {
        self.symbol.is_on_this_system() && self.driver.is_some_and(|driver| self.symbol.since() <= driver)
    }
}

impl std::error::Error for MissingSymbol {}

impl fmt::Debug for MissingSymbol {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "MissingSymbol({self})")
    }
}

impl fmt::Display for MissingSymbol {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (symbol, since) = (self.symbol, self.symbol.since());
        match self.driver {
            _ if !symbol.is_on_this_system() => {
                write!(formatter, "{symbol} is not in drivers for this system")
            }
            Some(driver) if self.is_unexpected() => write!(
                formatter,
                "{symbol} exists since CUDA {since}, but the loaded library does not export it \
                 although it reports CUDA {driver}"
            ),
            Some(driver) => write!(
                formatter,
                "{symbol} needs a driver for CUDA {since} or newer; the loaded one is for CUDA {driver}"
            ),
            None => write!(
                formatter,
                "{symbol} needs a driver for CUDA {since} or newer; the loaded one does not export it"
            ),
        }
    }
}
