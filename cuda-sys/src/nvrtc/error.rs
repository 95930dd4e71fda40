//! What can go wrong before the first call reaches NVRTC.
//!
//! `{:?}` of an error, which `unwrap` and a failing `main` print, is its text after the type's name.

use super::{Symbol, Version};
use crate::library::OBSTACLE;
use core::fmt;

/// Why no NVRTC library could be loaded, with everything that was tried.
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
    /// The libraries that were tried, in order.
    pub attempts: Vec<Attempt>,
    /// Whether the library was named by the environment or by the caller, so that no other was tried.
    pub only_choice: bool,
}

/// One library that was tried.
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
    /// The name or path, with the environment variable if it came from there.
    pub library: String,
    /// What was wrong with it.
    pub refusal: Refusal,
}

/// Why a library was not used.
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
    /// The operating system could not open it; this is what it said.
    NotOpened(String),
    /// It opened, but lacks a function that every NVRTC has.
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
            return formatter.write_str("NVRTC is asked for while this thread is opening its library");
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

/// [`install`](super::install) came too late: a library was in use already.
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
    /// Where the library in use came from.
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

/// A function that the loaded library does not have.
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
    /// The release that the library reports; `None` if it reported none.
    pub library: Option<Version>,
}

/// Why a function is missing.
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
    /// The library is of the release that removed the function, or of a newer one.
    Removed,
    /// The library's release should have the function, and yet the library does not export it. It may stand
    /// between program and NVRTC, or be newer than these bindings and of a release that removed the function.
    Unexpected,
    /// The library did not say of which release it is.
    Unknown,
}

impl MissingSymbol {
    /// Why the function is missing, as far as the releases tell.
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

    /// Whether the library should have the function, and yet does not export it: [`Absence::Unexpected`].
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
