//! Finds NVRTC's library and fills a [`Table`] from it.

#![allow(unsafe_code)]

use super::error::{AlreadyInstalled, Attempt, LoadError, MissingSymbol, Refusal};
use super::{Symbol, Table, Version, nvrtcResult};
use crate::library::{self, SearchScope};
use crate::process_library::ProcessLibrary;
use core::cell::Cell;
use core::ffi::{CStr, c_void};
use core::fmt;
use core::ops::Deref;
use core::ptr::NonNull;
use std::ffi::{OsStr, OsString};
#[cfg(windows)]
use std::path::PathBuf;

/// Names of the library: first the names in the dynamic linker, newest first, then the folder of the toolkit. CUDA 11.2
/// and all later releases of CUDA 11 share one name.
#[cfg(not(windows))]
const LIBRARIES: [&str; 6] = [
    "libnvrtc.so.13",
    "libnvrtc.so.12",
    "libnvrtc.so.11.2",
    "/usr/local/cuda/lib64/libnvrtc.so.13",
    "/usr/local/cuda/lib64/libnvrtc.so.12",
    "/usr/local/cuda/lib64/libnvrtc.so.11.2",
];
#[cfg(windows)]
const LIBRARIES: [&str; 3] = ["nvrtc64_130_0.dll", "nvrtc64_120_0.dll", "nvrtc64_112_0.dll"];

/// Returns the libraries to try, in order. [`Library::load`] documents the list.
#[cfg(not(windows))]
fn candidates() -> impl Iterator<Item = OsString> {
    LIBRARIES.into_iter().map(OsString::from)
}

/// Returns the libraries to try, in order. [`Library::load`] documents the list.
///
/// Toolkits are in `PATH`, which the system searches only together with the current folder.
#[cfg(windows)]
fn candidates() -> impl Iterator<Item = OsString> {
    let toolkit = std::env::var_os("CUDA_PATH").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = toolkit.iter().flat_map(|root| [root.join(r"bin\x64"), root.join("bin")]);
    let folders: Vec<_> =
        folders.chain(std::env::split_paths(&path)).filter(|folder| folder.is_absolute()).collect();
    LIBRARIES.into_iter().flat_map(move |name| {
        let files: Vec<_> =
            folders.iter().map(|folder| folder.join(name)).filter(|file| file.is_file()).collect();
        core::iter::once(OsString::from(name)).chain(files.into_iter().map(OsString::from))
    })
}

const OVERRIDE: &str = "CUDA_SYS_NVRTC_LIBRARY";

/// NVRTC: its functions and its properties.
///
/// [`library()`] returns the library that the free functions call. A value from [`Library::load`], [`Library::open`] or
/// [`Library::from_resolver`] is independent of that library until it is [installed](Library::install). Its library
/// stays open for the rest of the process.
///
/// ```
/// use cuda_sys::nvrtc::{Library, Symbol, nvrtcResult};
///
/// // SAFETY: no function is handed over.
/// let library = unsafe { Library::from_resolver("a library that lacks everything", |_| None) };
/// assert!(!library.has(Symbol::nvrtcGetPCHHeapSize));
/// // SAFETY: the replacement of the function accepts any argument.
/// let code = unsafe { (library.nvrtcSetPCHHeapSize)(0) };
/// assert_eq!(code, nvrtcResult::NVRTC_ERROR_INTERNAL_ERROR);
/// ```
pub struct Library {
    table: Table,
    present: [bool; Symbol::COUNT],
    origin: String,
    version: Option<Version>,
}

impl Deref for Library {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.table
    }
}

impl fmt::Debug for Library {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Library")
            .field("origin", &self.origin)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

impl Library {
    /// Opens the system's newest NVRTC, or the library that `CUDA_SYS_NVRTC_LIBRARY` names.
    ///
    /// The value is not [installed](Library::install): a program can inspect a library without choosing it for the
    /// process.
    ///
    /// The first library that is NVRTC is used. If `CUDA_SYS_NVRTC_LIBRARY` is unset, these are tried. Under Windows,
    /// all places are tried for the newest release, then for the next one. On other systems, the first place is tried
    /// for all releases, newest first, and then the second place:
    ///
    /// | library | system |
    /// |---|---|
    /// | `nvrtc64_130_0.dll`, `nvrtc64_120_0.dll`, `nvrtc64_112_0.dll`, beside the program or in the system's folder | Windows |
    /// | the same names in `bin\x64` and `bin` of `CUDA_PATH`, then in the absolute folders of `PATH` | Windows |
    /// | `libnvrtc.so.13`, `libnvrtc.so.12`, `libnvrtc.so.11.2`, where the dynamic linker finds them | all others |
    /// | the same names in `/usr/local/cuda/lib64` | all others |
    ///
    /// Under Windows the current folder is not searched.
    ///
    /// # Errors
    ///
    /// The libraries that were tried, and why each could not be used.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sys::nvrtc::Library;
    ///
    /// match Library::load() {
    ///     Ok(library) => println!("CUDA {:?} from {}", library.version(), library.origin()),
    ///     Err(error) => assert!(!error.attempts.is_empty(), "{error}"),
    /// }
    /// ```
    pub fn load() -> Result<Library, LoadError> {
        if let Some((named, label)) = library::named_in_environment(OVERRIDE) {
            // SAFETY: the user who sets the variable guarantees the library.
            return unsafe { open(&named, label, SearchScope::Anywhere) }
                .map_err(|attempt| LoadError { attempts: vec![attempt], only_choice: true });
        }
        let mut attempts = Vec::new();
        for name in candidates() {
            let label = name.display().to_string();
            // SAFETY: under these names, systems install NVRTC and replacements of it.
            match unsafe { open(&name, label, SearchScope::Installed) } {
                Ok(library) => return Ok(library),
                Err(attempt) => attempts.push(attempt),
            }
        }
        Err(LoadError { attempts, only_choice: false })
    }

    /// Opens the library at `path`, a path or a name for the dynamic linker to look up.
    ///
    /// To compile, NVRTC opens a second library, `libnvrtc-builtins`, of exactly its own release. NVIDIA's builds look
    /// for it in their own folder. Other builds, such as Debian's, use the dynamic linker. If the second library is
    /// missing, they return `NVRTC_ERROR_BUILTIN_OPERATION_FAILURE`.
    ///
    /// # Errors
    ///
    /// The reason why the library could not be used. No other library is tried.
    ///
    /// # Safety
    ///
    /// Opening the library must not cause undefined behaviour. If it exports the name of a function of NVRTC, the
    /// export must be that function.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sys::nvrtc::Library;
    ///
    /// // SAFETY: no library of this name exists; none is opened.
    /// let error = unsafe { Library::open("/nonexistent/libnvrtc.so.13") }.unwrap_err();
    /// assert_eq!(error.attempts[0].library, "/nonexistent/libnvrtc.so.13");
    /// assert!(error.only_choice);
    /// ```
    pub unsafe fn open(path: impl AsRef<OsStr>) -> Result<Library, LoadError> {
        let path = path.as_ref();
        let label = path.display().to_string();
        // SAFETY: the caller's promise is the same.
        unsafe { open(path, label, SearchScope::Anywhere) }
            .map_err(|attempt| LoadError { attempts: vec![attempt], only_choice: true })
    }

    /// Creates a library from the addresses that `resolver` returns. `origin` names the library in messages.
    ///
    /// A tracing layer or a test replaces NVRTC in this way. A function for which the resolver returns `None` counts as
    /// missing.
    ///
    /// # Safety
    ///
    /// Each address must be that of a function with the signature and the behaviour that NVRTC gives to the name. It
    /// must stay callable from any thread for the rest of the process.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::ffi::{CStr, c_int, c_void};
    /// use core::ptr::NonNull;
    /// use cuda_sys::nvrtc::{Library, Version, nvrtcResult};
    ///
    /// extern "C" fn version(major: *mut c_int, minor: *mut c_int) -> nvrtcResult {
    ///     // SAFETY: valid for a write, as NVRTC demands.
    ///     unsafe { major.write(12) };
    ///     // SAFETY: as above.
    ///     unsafe { minor.write(4) };
    ///     nvrtcResult::NVRTC_SUCCESS
    /// }
    ///
    /// let resolver = |name: &'static CStr| match name.to_bytes() {
    ///     b"nvrtcVersion" => NonNull::new(version as *mut c_void),
    ///     _ => None,
    /// };
    /// // SAFETY: the function has the signature and the behaviour of its name.
    /// let library = unsafe { Library::from_resolver("a test", resolver) };
    /// assert_eq!(library.version(), Some(Version::new(12, 4)));
    /// ```
    pub unsafe fn from_resolver(
        origin: impl Into<String>,
        mut resolver: impl FnMut(&'static CStr) -> Option<NonNull<c_void>>,
    ) -> Library {
        let mut library = Library {
            table: Table::MISSING,
            present: [false; Symbol::COUNT],
            origin: origin.into(),
            version: None,
        };
        for symbol in Symbol::all() {
            if let Some(address) = resolver(symbol.c_name()) {
                // SAFETY: the caller guarantees the addresses that the resolver returns.
                unsafe { library.table.set(symbol, address) };
                library.present[symbol as usize] = true;
            }
        }
        library.version = library.reported_version();
        library
    }

    /// Makes this library the one that the free functions call, for the rest of the process.
    ///
    /// This also succeeds after a failed attempt to load NVRTC: see [`install`].
    ///
    /// # Errors
    ///
    /// [`AlreadyInstalled`]: a library is in use. It was installed before, or a call has loaded it.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sys::nvrtc::{self, Library};
    ///
    /// // SAFETY: no function is handed over.
    /// let library = unsafe { Library::from_resolver("a test", |_| None) };
    /// library.install()?;
    /// assert_eq!(nvrtc::library().unwrap().origin(), "a test");
    /// # Ok::<(), nvrtc::AlreadyInstalled>(())
    /// ```
    pub fn install(self) -> Result<&'static Library, AlreadyInstalled> {
        IN_USE.install(self).map_err(|library| AlreadyInstalled { origin: library.origin.clone() })
    }

    /// Returns the library in use, if there is one. Unlike [`library()`], it loads none.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sys::nvrtc::{self, Library};
    ///
    /// assert!(Library::installed().is_none());
    /// // SAFETY: no function is handed over.
    /// unsafe { nvrtc::install("a test", |_| None) }?;
    /// assert_eq!(Library::installed().unwrap().origin(), "a test");
    /// # Ok::<(), nvrtc::AlreadyInstalled>(())
    /// ```
    pub fn installed() -> Option<&'static Library> {
        IN_USE.get()
    }

    /// Returns whether the library has the function.
    ///
    /// # Examples
    ///
    /// ```
    /// # use core::ffi::{CStr, c_int, c_void};
    /// # use core::ptr::NonNull;
    /// # use cuda_sys::nvrtc::nvrtcResult;
    /// # extern "C" fn version(major: *mut c_int, minor: *mut c_int) -> nvrtcResult {
    /// #     // SAFETY: valid for a write, as NVRTC demands.
    /// #     unsafe { major.write(12) };
    /// #     // SAFETY: as above.
    /// #     unsafe { minor.write(0) };
    /// #     nvrtcResult::NVRTC_SUCCESS
    /// # }
    /// # let resolver = |name: &'static CStr| match name.to_bytes() {
    /// #     b"nvrtcVersion" => NonNull::new(version as *mut c_void),
    /// #     _ => None,
    /// # };
    /// # // SAFETY: the function does what NVRTC's does.
    /// # let library = unsafe { cuda_sys::nvrtc::Library::from_resolver("an old library", resolver) };
    /// use cuda_sys::nvrtc::Symbol;
    ///
    /// assert!(library.has(Symbol::nvrtcVersion));
    /// assert!(!library.has(Symbol::nvrtcGetPCHHeapSize));
    /// ```
    pub fn has(&self, symbol: Symbol) -> bool {
        self.present[symbol as usize]
    }

    /// Returns the address of the function, if the library has it. A layer uses it to forward the calls that it does
    /// not handle.
    ///
    /// # Examples
    ///
    /// ```
    /// # use core::ffi::{CStr, c_int, c_void};
    /// # use core::ptr::NonNull;
    /// # use cuda_sys::nvrtc::nvrtcResult;
    /// # extern "C" fn version(major: *mut c_int, minor: *mut c_int) -> nvrtcResult {
    /// #     // SAFETY: valid for a write, as NVRTC demands.
    /// #     unsafe { major.write(12) };
    /// #     // SAFETY: as above.
    /// #     unsafe { minor.write(0) };
    /// #     nvrtcResult::NVRTC_SUCCESS
    /// # }
    /// # let resolver = |name: &'static CStr| match name.to_bytes() {
    /// #     b"nvrtcVersion" => NonNull::new(version as *mut c_void),
    /// #     _ => None,
    /// # };
    /// # // SAFETY: the function does what NVRTC's does.
    /// # let library = unsafe { cuda_sys::nvrtc::Library::from_resolver("an old library", resolver) };
    /// use cuda_sys::nvrtc::{Library, Symbol};
    ///
    /// // A layer that handles nothing itself.
    /// let find = |name: &'static CStr| library.address(Symbol::from_name(name.to_str().ok()?)?);
    /// // SAFETY: the functions are the library's own.
    /// let layer = unsafe { Library::from_resolver("a layer", find) };
    /// assert_eq!(layer.version(), library.version());
    /// assert_eq!(layer.address(Symbol::nvrtcGetPTX), None);
    /// ```
    pub fn address(&self, symbol: Symbol) -> Option<NonNull<c_void>> {
        if self.has(symbol) { self.table.get(symbol) } else { None }
    }

    /// Explains `NVRTC_ERROR_INTERNAL_ERROR` from a call of `symbol`, if this library lacks the function. Returns
    /// `None` if the library has the function and returned the code itself.
    ///
    /// # Examples
    ///
    /// ```
    /// # use core::ffi::{CStr, c_int, c_void};
    /// # use core::ptr::NonNull;
    /// # use cuda_sys::nvrtc::nvrtcResult;
    /// # extern "C" fn version(major: *mut c_int, minor: *mut c_int) -> nvrtcResult {
    /// #     // SAFETY: valid for a write, as NVRTC demands.
    /// #     unsafe { major.write(12) };
    /// #     // SAFETY: as above.
    /// #     unsafe { minor.write(0) };
    /// #     nvrtcResult::NVRTC_SUCCESS
    /// # }
    /// # let resolver = |name: &'static CStr| match name.to_bytes() {
    /// #     b"nvrtcVersion" => NonNull::new(version as *mut c_void),
    /// #     _ => None,
    /// # };
    /// # // SAFETY: the function does what NVRTC's does.
    /// # let library = unsafe { cuda_sys::nvrtc::Library::from_resolver("an old library", resolver) };
    /// use cuda_sys::nvrtc::Symbol;
    ///
    /// let missing = library.missing(Symbol::nvrtcGetPCHHeapSize).unwrap();
    /// assert_eq!(
    ///     missing.to_string(),
    ///     "nvrtcGetPCHHeapSize needs NVRTC of CUDA 12.8 or newer; the loaded one is of CUDA 12.0"
    /// );
    /// assert_eq!(library.missing(Symbol::nvrtcVersion), None);
    /// ```
    pub fn missing(&self, symbol: Symbol) -> Option<MissingSymbol> {
        (!self.has(symbol)).then_some(MissingSymbol { symbol, library: self.version })
    }

    /// Returns the CUDA release of the library, as it reported when it was opened.
    ///
    /// Returns `None` if the library reported no release.
    ///
    /// # Examples
    ///
    /// ```
    /// # use core::ffi::{CStr, c_int, c_void};
    /// # use core::ptr::NonNull;
    /// # use cuda_sys::nvrtc::nvrtcResult;
    /// # extern "C" fn version(major: *mut c_int, minor: *mut c_int) -> nvrtcResult {
    /// #     // SAFETY: valid for a write, as NVRTC demands.
    /// #     unsafe { major.write(12) };
    /// #     // SAFETY: as above.
    /// #     unsafe { minor.write(0) };
    /// #     nvrtcResult::NVRTC_SUCCESS
    /// # }
    /// # let resolver = |name: &'static CStr| match name.to_bytes() {
    /// #     b"nvrtcVersion" => NonNull::new(version as *mut c_void),
    /// #     _ => None,
    /// # };
    /// # // SAFETY: the function does what NVRTC's does.
    /// # let library = unsafe { cuda_sys::nvrtc::Library::from_resolver("an old library", resolver) };
    /// assert_eq!(library.version(), Some(cuda_sys::nvrtc::Version::new(12, 0)));
    /// ```
    pub fn version(&self) -> Option<Version> {
        self.version
    }

    /// Returns the origin of the functions: the name or path of a library, or the `origin` of
    /// [`Library::from_resolver`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use core::ffi::{CStr, c_int, c_void};
    /// # use core::ptr::NonNull;
    /// # use cuda_sys::nvrtc::nvrtcResult;
    /// # extern "C" fn version(major: *mut c_int, minor: *mut c_int) -> nvrtcResult {
    /// #     // SAFETY: valid for a write, as NVRTC demands.
    /// #     unsafe { major.write(12) };
    /// #     // SAFETY: as above.
    /// #     unsafe { minor.write(0) };
    /// #     nvrtcResult::NVRTC_SUCCESS
    /// # }
    /// # let resolver = |name: &'static CStr| match name.to_bytes() {
    /// #     b"nvrtcVersion" => NonNull::new(version as *mut c_void),
    /// #     _ => None,
    /// # };
    /// # // SAFETY: the function does what NVRTC's does.
    /// # let library = unsafe { cuda_sys::nvrtc::Library::from_resolver("an old library", resolver) };
    /// assert_eq!(library.origin(), "an old library");
    /// ```
    pub fn origin(&self) -> &str {
        &self.origin
    }

    fn reported_version(&self) -> Option<Version> {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: both numbers are valid for a write.
        let code = unsafe { (self.table.nvrtcVersion)(&raw mut major, &raw mut minor) };
        (code == nvrtcResult::NVRTC_SUCCESS).then_some(Version::new(major, minor))
    }
}

/// # Safety
///
/// Same as [`Library::open`].
unsafe fn open(path: &OsStr, label: String, scope: SearchScope) -> Result<Library, Attempt> {
    // SAFETY: the caller guarantees the library's initialisers.
    let file = match unsafe { library::Library::open(path, scope) } {
        Ok(file) => file,
        Err(reason) => return Err(Attempt { library: label, refusal: Refusal::NotOpened(reason) }),
    };
    // This check precedes the first call, because a library that exports only some of NVRTC's names may be anything.
    let needed = [Symbol::nvrtcVersion, Symbol::nvrtcCompileProgram];
    if let Some(symbol) = needed.into_iter().find(|symbol| file.find(symbol.c_name()).is_none()) {
        return Err(Attempt { library: label, refusal: Refusal::NotNvrtc(symbol) });
    }
    // SAFETY: the caller guarantees the functions; the library is never closed.
    Ok(unsafe { Library::from_resolver(label, |name| file.find(name)) })
}

thread_local! {
    /// Set while this thread is opening NVRTC.
    static LOADING: Cell<bool> = const { Cell::new(false) };
}

/// Library that the free functions call.
static IN_USE: ProcessLibrary<Library, LoadError> =
    ProcessLibrary::new(&LOADING, LoadError { attempts: Vec::new(), only_choice: false });

/// Returns the library in use. The first call, of this or of any function of NVRTC, loads the system's newest NVRTC,
/// unless a library was [installed](install) before.
///
/// # Errors
///
/// The libraries that were tried, and why each could not be used. The failure is stored: later calls return the same
/// error, until a library is installed. A library that calls this function while this thread is opening it receives an
/// error without attempts.
///
/// # Examples
///
/// ```
/// use cuda_sys::nvrtc;
///
/// # // SAFETY: no function is handed over.
/// # unsafe { nvrtc::install("an example", |_| None) }.unwrap();
/// let library = nvrtc::library()?;
/// println!("CUDA {:?} from {}", library.version(), library.origin());
/// assert!(std::ptr::eq(library, nvrtc::library()?)); // the same from now on
/// # Ok::<(), &'static nvrtc::LoadError>(())
/// ```
pub fn library() -> Result<&'static Library, &'static LoadError> {
    IN_USE.published().map_or_else(|| IN_USE.get_or_load(Library::load), Ok)
}

/// Installs a library whose functions `resolver` finds:
/// [`Library::from_resolver`] and [`Library::install`] in one.
///
/// This succeeds if nothing has used NVRTC yet. It also succeeds after calls for which no library could be loaded:
/// every later call reaches this library. `CUDA_SYS_NVRTC_LIBRARY` is not read.
///
/// The resolver must not call NVRTC through this crate's free functions, nor call [`library()`]: that loads the
/// system's library, and `install` then fails. The same holds for the `nvrtcVersion` that it returns, because `install`
/// calls it to learn the version. A layer calls the library behind it through a [`Library`] of its own. The free
/// functions would call the layer again.
///
/// # Errors
///
/// [`AlreadyInstalled`]: a library is in use. It was installed before, or a call has loaded it.
///
/// # Safety
///
/// Same as [`Library::from_resolver`].
///
/// # Examples
///
/// ```
/// use core::ffi::{c_char, c_int, c_void};
/// use core::ptr::{NonNull, null, null_mut};
/// use cuda_sys::nvrtc::{self, nvrtcCompileProgram, nvrtcProgram, nvrtcResult};
///
/// /// A compiler that refuses everything, to test the reaction of a program.
/// extern "C" fn refuse(_: nvrtcProgram, _: c_int, _: *const *const c_char) -> nvrtcResult {
///     nvrtcResult::NVRTC_ERROR_COMPILATION
/// }
///
/// // SAFETY: the function has the signature of its name, and its behaviour is allowed.
/// unsafe {
///     nvrtc::install("a test", |name| match name.to_bytes() {
///         b"nvrtcCompileProgram" => NonNull::new(refuse as *mut c_void),
///         _ => None,
///     })
/// }?;
///
/// // SAFETY: the function looks at nothing.
/// let code = unsafe { nvrtcCompileProgram(null_mut(), 0, null()) };
/// assert_eq!(code, nvrtcResult::NVRTC_ERROR_COMPILATION);
/// # Ok::<(), nvrtc::AlreadyInstalled>(())
/// ```
pub unsafe fn install(
    origin: impl Into<String>,
    resolver: impl FnMut(&'static CStr) -> Option<NonNull<c_void>>,
) -> Result<&'static Library, AlreadyInstalled> {
    // SAFETY: the caller's promise is the same.
    unsafe { Library::from_resolver(origin, resolver) }.install()
}

/// Returns the table to call through, or `None` if there is no library.
#[inline]
pub(crate) fn table() -> Option<&'static Table> {
    IN_USE.published().map_or_else(first_use, |library| Some(&library.table))
}

#[cold]
fn first_use() -> Option<&'static Table> {
    library().ok().map(|library| &library.table)
}
