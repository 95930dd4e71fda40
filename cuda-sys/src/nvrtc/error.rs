//! Errors before the first call reaches NVRTC.
//!
//! `{:?}` of an error, which `unwrap` and a failing `main` print, is its text after the type's name.

use super::{Symbol, Version};
use crate::library::OBSTACLE;
use core::fmt;

/// Error of loading NVRTC, with all libraries that were tried.
///
/// ```
/// use cuda_sys::nvrtc::Library;
///
/// // SAFETY: no library of this name exists; none is opened.
/// let error = unsafe { Library::open("/nonexistent/libnvrtc.so.13") }.unwrap_err();
/// assert!(error.to_string().contains("/nonexistent/libnvrtc.so.13"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct LoadError {
    /// Libraries that were tried, in order. Empty if the thread called NVRTC while it was opening the library.
    pub attempts: Vec<Attempt>,
    /// True if the environment or the caller named the library. No other library was tried then.
    pub only_choice: bool,
}

/// Library that was tried.
///
/// ```
/// use cuda_sys::nvrtc::{Attempt, Refusal, Symbol};
///
/// let refusal = Refusal::NotNvrtc(Symbol::nvrtcVersion);
/// let attempt = Attempt { library: "libm.so.6".to_owned(), refusal };
/// assert_eq!(attempt.to_string(), "libm.so.6 is not NVRTC: it does not export nvrtcVersion");
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
/// use cuda_sys::nvrtc::{Library, Refusal};
///
/// // SAFETY: no library of this name exists; none is opened.
/// let error = unsafe { Library::open("/nonexistent/libnvrtc.so.13") }.unwrap_err();
/// assert!(matches!(error.attempts[0].refusal, Refusal::NotOpened(_)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The operating system could not open the library. The text is its reason.
    NotOpened(String),
    /// The library opened, but lacks a function that every NVRTC has.
    NotNvrtc(Symbol),
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
            return formatter.write_str("this thread called NVRTC while it was opening the NVRTC library");
        }
        formatter.write_str("no NVRTC library could be loaded")?;
        for (index, attempt) in self.attempts.iter().enumerate() {
            formatter.write_str(if index == 0 { ": " } else { "; " })?;
            attempt.fmt(formatter)?;
        }
        let advice = if self.only_choice {
            "no other library was tried"
        } else {
            "install NVRTC, a part of the CUDA toolkit, or name its library in CUDA_SYS_NVRTC_LIBRARY"
        };
        write!(formatter, " ({})", OBSTACLE.unwrap_or(advice))
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let library = &self.library;
        match &self.refusal {
            Refusal::NotOpened(reason) => write!(formatter, "{library}: {reason}"),
            Refusal::NotNvrtc(symbol) => {
                write!(formatter, "{library} is not NVRTC: it does not export {symbol}")
            }
        }
    }
}

/// Error of [`install`](super::install): a library is already in use.
///
/// ```
/// use cuda_sys::nvrtc;
///
/// // SAFETY: no function is handed over.
/// unsafe { nvrtc::install("one", |_| None) }?;
/// // SAFETY: no function is handed over.
/// let error = unsafe { nvrtc::install("another", |_| None) }.unwrap_err();
/// assert_eq!(error.to_string(), "an NVRTC library is in use already: one");
/// # Ok::<(), nvrtc::AlreadyInstalled>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct AlreadyInstalled {
    /// Origin of the library in use.
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
        write!(formatter, "an NVRTC library is in use already: {}", self.origin)
    }
}

/// Function that the loaded library does not have.
///
/// ```
/// use cuda_sys::nvrtc::{MissingSymbol, Symbol, Version};
///
/// let missing = MissingSymbol { symbol: Symbol::nvrtcGetLTOIR, library: Some(Version::new(11, 8)) };
/// assert_eq!(
///     missing.to_string(),
///     "nvrtcGetLTOIR needs NVRTC of CUDA 12.0 or newer; the loaded one is of CUDA 11.8"
/// );
/// let missing = MissingSymbol { symbol: Symbol::nvrtcGetNVVM, library: Some(Version::new(13, 5)) };
/// assert_eq!(
///     missing.to_string(),
///     "nvrtcGetNVVM needs NVRTC of CUDA 11.4 or newer, but older than 13.0, which removed it; \
///      the loaded one is of CUDA 13.5"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MissingSymbol {
    /// The function.
    pub symbol: Symbol,
    /// Release that the library reports; `None` if it reported none.
    pub library: Option<Version>,
}

/// Reason why a function is missing.
///
/// ```
/// use cuda_sys::nvrtc::{Absence, MissingSymbol, Symbol, Version};
///
/// let missing = MissingSymbol { symbol: Symbol::nvrtcGetNVVM, library: Some(Version::new(13, 5)) };
/// assert_eq!(missing.absence(), Absence::Removed);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Absence {
    /// The library is older than the function.
    TooOld,
    /// The library belongs to the release that removed the function, or to a newer one.
    Removed,
    /// Libraries of this release have the function, although this one does not export it. It may stand between the
    /// program and NVRTC. It may also be newer than these bindings, from a release that removed the function.
    Unexpected,
    /// The library did not report its release.
    Unknown,
}

impl MissingSymbol {
    /// Returns why the function is missing, according to the releases.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sys::nvrtc::{Absence, MissingSymbol, Symbol, Version};
    ///
    /// let library = Some(Version::new(12, 0));
    /// let absence = |symbol| MissingSymbol { symbol, library }.absence();
    /// assert_eq!(absence(Symbol::nvrtcGetPCHHeapSize), Absence::TooOld); // since 12.8
    /// assert_eq!(absence(Symbol::nvrtcGetPTX), Absence::Unexpected);
    /// ```
    pub fn absence(&self) -> Absence {
        match self.library {
            None => Absence::Unknown,
            Some(library) if library < self.symbol.since() => Absence::TooOld,
            Some(library) if self.symbol.is_in(library) => Absence::Unexpected,
            Some(_) => Absence::Removed,
        }
    }

    /// Returns whether the absence is [`Absence::Unexpected`]: libraries of this release have the function.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sys::nvrtc::{MissingSymbol, Symbol, Version};
    ///
    /// let library = Some(Version::new(13, 5));
    /// assert!(MissingSymbol { symbol: Symbol::nvrtcGetPTX, library }.is_unexpected());
    /// assert!(!MissingSymbol { symbol: Symbol::nvrtcGetNVVM, library }.is_unexpected()); // removed in 13.0
    /// ```
    pub fn is_unexpected(&self) -> bool {
        self.absence() == Absence::Unexpected
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
        if let (Some(library), Absence::Unexpected) = (self.library, self.absence()) {
            return write!(
                formatter,
                "NVRTC has {symbol} since CUDA {since}, but the loaded library does not export it \
                 although it reports CUDA {library}"
            );
        }
        write!(formatter, "{symbol} needs NVRTC of CUDA {since} or newer")?;
        if let Some(until) = symbol.until() {
            write!(formatter, ", but older than {until}, which removed it")?;
        }
        match self.library {
            Some(library) => write!(formatter, "; the loaded one is of CUDA {library}"),
            None => formatter.write_str("; the loaded one does not export it"),
        }
    }
}
