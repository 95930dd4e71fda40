//! Finds the driver's library and fills a [`Table`] from it.

#![allow(unsafe_code)]

use crate::error::{AlreadyInstalled, Attempt, LoadError, MissingSymbol, Refusal};
use crate::library::{self, Chosen, Library, Place};
use crate::{CUresult, DriverVersion, Symbol, Table};
use core::cell::Cell;
use core::ffi::{CStr, c_void};
use core::fmt;
use core::ops::Deref;
use core::ptr::{NonNull, null_mut};
use core::sync::atomic::{AtomicPtr, Ordering};
use std::ffi::OsStr;

/// The library's name as the dynamic linker knows it, then the place where WSL keeps it. Not the
/// bare `libcuda.so`: that is the name to link with, and often the toolkit's stub.
#[cfg(not(windows))]
const LIBRARIES: [&str; 2] = ["libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"];
#[cfg(windows)]
const LIBRARIES: [&str; 1] = ["nvcuda.dll"];

const OVERRIDE: &str = "CUDA_SYS_LIBRARY";

/// A driver: its functions, and what is known of it.
///
/// [`driver()`] gives the one that the free functions call. A value made by [`Driver::load`] and
/// its like is independent of that one until it is [installed](Driver::install). The library
/// behind it stays open for the rest of the process.
///
/// ```
/// use cuda_sys::{CUresult, Driver, Symbol};
///
/// // SAFETY: no function is handed over.
/// let driver = unsafe { Driver::from_resolver("a driver that lacks everything", |_| None) };
/// assert!(!driver.has(Symbol::cuInit));
/// // SAFETY: what stands in for the function takes any argument.
/// let code = unsafe { (driver.cuInit)(0) };
/// assert_eq!(code, CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER);
/// ```
pub struct Driver {
    /// The tables are named as the calls of `call!` name them.
    pub(crate) driver: Table,
    #[cfg(feature = "ptds")]
    pub(crate) per_thread: crate::PerThreadTable,
    #[cfg(feature = "gl")]
    pub(crate) gl: crate::GlTable,
    #[cfg(feature = "egl")]
    pub(crate) egl: crate::EglTable,
    #[cfg(feature = "vdpau")]
    pub(crate) vdpau: crate::VdpauTable,
    /// What the library exports, whether a table has a slot for it or not; null if it does not. Written when the
    /// value is made, and never again.
    addresses: [AtomicPtr<c_void>; Symbol::COUNT],
    origin: String,
    version: Option<DriverVersion>,
}

impl Deref for Driver {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.driver
    }
}

impl fmt::Debug for Driver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Driver")
            .field("origin", &self.origin)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

impl Driver {
    /// Opens the system's driver library, or the one that `CUDA_SYS_LIBRARY` names.
    ///
    /// The value is not [installed](Driver::install): this looks at a driver without settling the
    /// process on it.
    ///
    /// # Errors
    ///
    /// What was tried, and why each library could not be used.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sys::Driver;
    ///
    /// match Driver::load() {
    ///     Ok(driver) => println!("CUDA {:?} from {}", driver.version(), driver.origin()),
    ///     Err(error) => assert!(!error.attempts.is_empty(), "{error}"),
    /// }
    /// ```
    pub fn load() -> Result<Driver, LoadError> {
        if let Some((named, label)) = library::named_by(OVERRIDE) {
            // SAFETY: whoever sets the variable answers for the library.
            return unsafe { open(&named, label, Place::Anywhere) }
                .map_err(|attempt| LoadError { attempts: vec![attempt], only_choice: true });
        }
        let mut attempts = Vec::new();
        for name in LIBRARIES {
            // SAFETY: by this name systems install NVIDIA's driver and stand-ins for it.
            match unsafe { open(name.as_ref(), name.to_owned(), Place::System) } {
                Ok(driver) => return Ok(driver),
                Err(attempt) => attempts.push(attempt),
            }
        }
        Err(LoadError { attempts, only_choice: false })
    }

    /// Opens the library at `path`, a path or a name for the dynamic linker to look up.
    ///
    /// # Errors
    ///
    /// Why it could not be used. No other library is tried.
    ///
    /// # Safety
    ///
    /// Opening the library must do no harm, and whatever it or a library that it is linked with exports under a driver
    /// function's name must be that function. It stays open, also if it is refused.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sys::Driver;
    ///
    /// // SAFETY: no library of this name exists; none is opened.
    /// let error = unsafe { Driver::open("/nonexistent/libcuda.so.1") }.unwrap_err();
    /// assert_eq!(error.attempts[0].library, "/nonexistent/libcuda.so.1");
    /// assert!(error.only_choice);
    /// ```
    pub unsafe fn open(path: impl AsRef<OsStr>) -> Result<Driver, LoadError> {
        let path = path.as_ref();
        let label = path.display().to_string();
        // SAFETY: the caller's promise is the same.
        unsafe { open(path, label, Place::Anywhere) }
            .map_err(|attempt| LoadError { attempts: vec![attempt], only_choice: true })
    }

    /// Asks `resolver` for the address of every function; `origin` names it in messages.
    ///
    /// This is how a simulator, a tracing layer or a test takes the driver's place. Functions that
    /// the resolver does not know count as missing.
    ///
    /// # Safety
    ///
    /// Each address is that of a function with the signature and the behaviour that the driver API
    /// gives to the name, callable from any thread for the rest of the process.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::ffi::{CStr, c_int, c_void};
    /// use core::ptr::NonNull;
    /// use cuda_sys::{CUresult, Driver, DriverVersion};
    ///
    /// extern "C" fn version(to: *mut c_int) -> CUresult {
    ///     // SAFETY: valid for a write, as the API demands.
    ///     unsafe { to.write(12040) };
    ///     CUresult::CUDA_SUCCESS
    /// }
    ///
    /// let resolver = |name: &'static CStr| match name.to_bytes() {
    ///     b"cuDriverGetVersion" => NonNull::new(version as *mut c_void),
    ///     _ => None,
    /// };
    /// // SAFETY: the function has the signature and the behaviour of its name.
    /// let driver = unsafe { Driver::from_resolver("a test", resolver) };
    /// assert_eq!(driver.version(), Some(DriverVersion::new(12, 4)));
    /// ```
    pub unsafe fn from_resolver(
        origin: impl Into<String>,
        mut resolver: impl FnMut(&'static CStr) -> Option<NonNull<c_void>>,
    ) -> Driver {
        let mut driver = Driver {
            driver: Table::MISSING,
            #[cfg(feature = "ptds")]
            per_thread: crate::PerThreadTable::MISSING,
            #[cfg(feature = "gl")]
            gl: crate::GlTable::MISSING,
            #[cfg(feature = "egl")]
            egl: crate::EglTable::MISSING,
            #[cfg(feature = "vdpau")]
            vdpau: crate::VdpauTable::MISSING,
            addresses: [const { AtomicPtr::new(null_mut()) }; Symbol::COUNT],
            origin: origin.into(),
            version: None,
        };
        for symbol in Symbol::all() {
            if let Some(address) = resolver(symbol.c_name()) {
                // SAFETY: the caller vouches for what the resolver returns.
                unsafe { driver.put(symbol, address) };
            }
        }
        driver.version = driver.reported_version().ok();
        driver
    }

    /// Puts a function into the slot that is for it; tables of other functions pass it by.
    ///
    /// # Safety
    ///
    /// As for [`Table::set`].
    unsafe fn put(&mut self, symbol: Symbol, function: NonNull<c_void>) {
        *self.addresses[symbol as usize].get_mut() = function.as_ptr();
        // SAFETY: the caller's promise.
        unsafe { self.driver.set(symbol, function) };
        #[cfg(feature = "ptds")]
        // SAFETY: the caller's promise.
        unsafe {
            self.per_thread.set(symbol, function);
        }
        #[cfg(feature = "gl")]
        // SAFETY: the caller's promise.
        unsafe {
            self.gl.set(symbol, function);
        }
        #[cfg(feature = "egl")]
        // SAFETY: the caller's promise.
        unsafe {
            self.egl.set(symbol, function);
        }
        #[cfg(feature = "vdpau")]
        // SAFETY: the caller's promise.
        unsafe {
            self.vdpau.set(symbol, function);
        }
    }

    /// The second versions of functions, in which the calling thread's own default stream stands for the null
    /// stream. With the feature `ptds`.
    ///
    /// # Examples
    ///
    /// ```
    /// # // SAFETY: no function is handed over.
    /// # let driver = unsafe { cuda_sys::Driver::from_resolver("no driver", |_| None) };
    /// use cuda_sys::CUresult;
    ///
    /// // SAFETY: the null stream is always there.
    /// let code = unsafe { (driver.per_thread().cuStreamSynchronize_ptsz)(std::ptr::null_mut()) };
    /// assert_eq!(code, CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER); // this driver lacks it
    /// ```
    #[cfg(feature = "ptds")]
    pub fn per_thread(&self) -> &crate::PerThreadTable {
        &self.per_thread
    }

    /// The functions that share resources with OpenGL. With the feature `gl`.
    ///
    /// # Examples
    ///
    /// ```
    /// # // SAFETY: no function is handed over.
    /// # let driver = unsafe { cuda_sys::Driver::from_resolver("no driver", |_| None) };
    /// use cuda_sys::CUresult;
    ///
    /// // SAFETY: it takes no arguments.
    /// let code = unsafe { (driver.gl().cuGLInit)() };
    /// assert_eq!(code, CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER); // this driver lacks it
    /// ```
    #[cfg(feature = "gl")]
    pub fn gl(&self) -> &crate::GlTable {
        &self.gl
    }

    /// The functions that share resources with EGL. With the feature `egl`.
    ///
    /// # Examples
    ///
    /// ```
    /// # // SAFETY: no function is handed over.
    /// # let driver = unsafe { cuda_sys::Driver::from_resolver("no driver", |_| None) };
    /// use cuda_sys::CUresult;
    ///
    /// let mut connection = std::ptr::null_mut();
    /// // SAFETY: the connection is one that there is not, which the driver refuses.
    /// let code = unsafe { (driver.egl().cuEGLStreamConsumerDisconnect)(&mut connection) };
    /// assert_eq!(code, CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER); // this driver lacks it
    /// ```
    #[cfg(feature = "egl")]
    pub fn egl(&self) -> &crate::EglTable {
        &self.egl
    }

    /// The functions that share resources with VDPAU. With the feature `vdpau`.
    ///
    /// # Examples
    ///
    /// ```
    /// # // SAFETY: no function is handed over.
    /// # let driver = unsafe { cuda_sys::Driver::from_resolver("no driver", |_| None) };
    /// use cuda_sys::CUresult;
    ///
    /// let mut resource = std::ptr::null_mut();
    /// // SAFETY: `resource` is valid for a write; the surface is one that there is not, which the driver refuses.
    /// let code = unsafe { (driver.vdpau().cuGraphicsVDPAURegisterVideoSurface)(&mut resource, 0, 0) };
    /// assert_eq!(code, CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER); // this driver lacks it
    /// ```
    #[cfg(feature = "vdpau")]
    pub fn vdpau(&self) -> &crate::VdpauTable {
        &self.vdpau
    }

    /// Makes this the driver that the free functions call, for the rest of the process.
    ///
    /// It comes in time even if loading the system's driver was tried before and failed: see [`install`].
    ///
    /// # Errors
    ///
    /// [`AlreadyInstalled`]: a driver is in use. It was installed before, or a call has loaded it.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sys::Driver;
    ///
    /// // SAFETY: no function is handed over.
    /// let driver = unsafe { Driver::from_resolver("a test", |_| None) };
    /// driver.install()?;
    /// assert_eq!(cuda_sys::driver().unwrap().origin(), "a test");
    /// # Ok::<(), cuda_sys::AlreadyInstalled>(())
    /// ```
    pub fn install(self) -> Result<&'static Driver, AlreadyInstalled> {
        CHOSEN.install(self).map_err(|driver| AlreadyInstalled { origin: driver.origin.clone() })
    }

    /// Returns the driver in use, if there is one. Unlike [`driver()`], it loads none.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sys::Driver;
    ///
    /// assert!(Driver::installed().is_none());
    /// # // SAFETY: no function is handed over.
    /// # unsafe { cuda_sys::install("a test", |_| None) }?;
    /// # /*
    /// cuda_sim::install(cuda_sim::Config::default())?;
    /// # */
    /// assert!(Driver::installed().is_some());
    /// # Ok::<(), cuda_sys::AlreadyInstalled>(())
    /// ```
    pub fn installed() -> Option<&'static Driver> {
        CHOSEN.get()
    }

    /// Whether the driver has the function.
    ///
    /// # Examples
    ///
    /// ```
    /// # use core::ffi::{CStr, c_int, c_void};
    /// # use core::ptr::NonNull;
    /// # extern "C" fn version(to: *mut c_int) -> cuda_sys::CUresult {
    /// #     // SAFETY: valid for a write, as the API demands.
    /// #     unsafe { to.write(11020) };
    /// #     cuda_sys::CUresult::CUDA_SUCCESS
    /// # }
    /// # let resolver = |name: &'static CStr| match name.to_bytes() {
    /// #     b"cuDriverGetVersion" => NonNull::new(version as *mut c_void),
    /// #     _ => None,
    /// # };
    /// # // SAFETY: the function does what the API says.
    /// # let driver = unsafe { cuda_sys::Driver::from_resolver("an old driver", resolver) };
    /// use cuda_sys::Symbol;
    ///
    /// assert!(driver.has(Symbol::cuDriverGetVersion));
    /// assert!(!driver.has(Symbol::cuCtxCreate_v4));
    /// ```
    pub fn has(&self, symbol: Symbol) -> bool {
        self.address(symbol).is_some()
    }

    /// The address of the function, if the driver has it: for layers that pass on what they do not handle.
    ///
    /// # Examples
    ///
    /// A layer that counts initialisations, in front of another driver:
    ///
    /// ```
    /// use core::ffi::{c_uint, c_void};
    /// use core::ptr::NonNull;
    /// use cuda_sys::{CUresult, Driver, Symbol};
    /// use std::sync::atomic::{AtomicU32, Ordering};
    ///
    /// # /*
    /// let behind: &'static Driver = Box::leak(Box::new(Driver::load()?));
    /// # */
    /// # // SAFETY: no function is handed over.
    /// # let behind: &'static Driver = Box::leak(Box::new(unsafe { Driver::from_resolver("behind", |_| None) }));
    /// static INITIALISED: AtomicU32 = AtomicU32::new(0);
    /// extern "C" fn init(_flags: c_uint) -> CUresult {
    ///     INITIALISED.fetch_add(1, Ordering::Relaxed);
    ///     CUresult::CUDA_SUCCESS // or what the driver behind says
    /// }
    /// let find = |name: &'static core::ffi::CStr| match Symbol::from_name(name.to_str().ok()?)? {
    ///     Symbol::cuInit => NonNull::new((init as *const ()).cast_mut().cast::<c_void>()),
    ///     other => behind.address(other),
    /// };
    /// // SAFETY: `init` has the signature of `cuInit`; the others are the driver's own.
    /// let layer = unsafe { Driver::from_resolver("a counting layer", find) };
    /// assert!(layer.has(Symbol::cuInit));
    /// ```
    pub fn address(&self, symbol: Symbol) -> Option<NonNull<c_void>> {
        NonNull::new(self.addresses[symbol as usize].load(Ordering::Relaxed))
    }

    /// Why a call of `symbol` was answered with `CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER`, if this
    /// driver lacks it; `None` if it has it, and gave that answer itself.
    ///
    /// # Examples
    ///
    /// ```
    /// # use core::ffi::{CStr, c_int, c_void};
    /// # use core::ptr::NonNull;
    /// # extern "C" fn version(to: *mut c_int) -> cuda_sys::CUresult {
    /// #     // SAFETY: valid for a write, as the API demands.
    /// #     unsafe { to.write(11020) };
    /// #     cuda_sys::CUresult::CUDA_SUCCESS
    /// # }
    /// # let resolver = |name: &'static CStr| match name.to_bytes() {
    /// #     b"cuDriverGetVersion" => NonNull::new(version as *mut c_void),
    /// #     _ => None,
    /// # };
    /// # // SAFETY: the function does what the API says.
    /// # let driver = unsafe { cuda_sys::Driver::from_resolver("an old driver", resolver) };
    /// use cuda_sys::Symbol;
    ///
    /// let missing = driver.missing(Symbol::cuEventElapsedTime_v2).unwrap();
    /// assert_eq!(
    ///     missing.to_string(),
    ///     "cuEventElapsedTime_v2 needs a driver for CUDA 12.8 or newer; the loaded one is for CUDA 11.2"
    /// );
    /// assert_eq!(driver.missing(Symbol::cuDriverGetVersion), None);
    /// ```
    pub fn missing(&self, symbol: Symbol) -> Option<MissingSymbol> {
        (!self.has(symbol)).then_some(MissingSymbol { symbol, driver: self.version })
    }

    /// The newest CUDA release that the driver serves, as it said when it was opened.
    ///
    /// `None` if it refused to say.
    ///
    /// # Examples
    ///
    /// ```
    /// # use core::ffi::{CStr, c_int, c_void};
    /// # use core::ptr::NonNull;
    /// # extern "C" fn version(to: *mut c_int) -> cuda_sys::CUresult {
    /// #     // SAFETY: valid for a write, as the API demands.
    /// #     unsafe { to.write(11020) };
    /// #     cuda_sys::CUresult::CUDA_SUCCESS
    /// # }
    /// # let resolver = |name: &'static CStr| match name.to_bytes() {
    /// #     b"cuDriverGetVersion" => NonNull::new(version as *mut c_void),
    /// #     _ => None,
    /// # };
    /// # // SAFETY: the function does what the API says.
    /// # let driver = unsafe { cuda_sys::Driver::from_resolver("an old driver", resolver) };
    /// assert_eq!(driver.version(), Some(cuda_sys::DriverVersion::new(11, 2)));
    /// ```
    pub fn version(&self) -> Option<DriverVersion> {
        self.version
    }

    /// Where the functions come from: a library's name or path, or what was said to
    /// [`Driver::from_resolver`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use core::ffi::{CStr, c_int, c_void};
    /// # use core::ptr::NonNull;
    /// # extern "C" fn version(to: *mut c_int) -> cuda_sys::CUresult {
    /// #     // SAFETY: valid for a write, as the API demands.
    /// #     unsafe { to.write(11020) };
    /// #     cuda_sys::CUresult::CUDA_SUCCESS
    /// # }
    /// # let resolver = |name: &'static CStr| match name.to_bytes() {
    /// #     b"cuDriverGetVersion" => NonNull::new(version as *mut c_void),
    /// #     _ => None,
    /// # };
    /// # // SAFETY: the function does what the API says.
    /// # let driver = unsafe { cuda_sys::Driver::from_resolver("an old driver", resolver) };
    /// assert_eq!(driver.origin(), "an old driver");
    /// ```
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// `cuDriverGetVersion` works before `cuInit` and without a GPU.
    fn reported_version(&self) -> Result<DriverVersion, CUresult> {
        let mut version = 0;
        // SAFETY: `version` is valid for a write.
        match unsafe { (self.driver.cuDriverGetVersion)(&raw mut version) } {
            CUresult::CUDA_SUCCESS => Ok(DriverVersion(version)),
            refusal => Err(refusal),
        }
    }
}

/// What a library must export to be taken for a driver. Layers between program and driver have these too.
const NEEDED: [Symbol; 2] = [Symbol::cuInit, Symbol::cuDriverGetVersion];

/// # Safety
///
/// See [`Driver::open`].
unsafe fn open(path: &OsStr, label: String, place: Place) -> Result<Driver, Attempt> {
    // SAFETY: the caller answers for the library's initialisers.
    let library = match unsafe { Library::open(path, place) } {
        Ok(library) => library,
        Err(reason) => return Err(Attempt { library: label, refusal: Refusal::NotOpened(reason) }),
    };
    // Before anything of it is called: what exports some of a driver's names may be anything.
    if let Some(symbol) = NEEDED.into_iter().find(|symbol| library.find(symbol.c_name()).is_none()) {
        return Err(Attempt { library: label, refusal: Refusal::NotADriver(symbol) });
    }
    // SAFETY: the caller answers for the functions; the library is never closed.
    let driver = unsafe { Driver::from_resolver(label, |name| library.find(name)) };
    if driver.reported_version() == Err(CUresult::CUDA_ERROR_STUB_LIBRARY) {
        return Err(Attempt { library: driver.origin, refusal: Refusal::ToolkitStub });
    }
    Ok(driver)
}

thread_local! {
    /// Set while this thread is opening the driver.
    static LOADING: Cell<bool> = const { Cell::new(false) };
}

/// The driver that the free functions call.
static CHOSEN: Chosen<Driver, LoadError> =
    Chosen::new(&LOADING, LoadError { attempts: Vec::new(), only_choice: false });

/// Returns the driver in use. The first call, of this or of any function of the API, loads the system's driver
/// library, unless a driver was [installed](install) before.
///
/// # Errors
///
/// The libraries that were tried, and why each could not be used. The failure is remembered: later calls return the same
/// error, until a driver is installed. An error without attempts goes to a library that asks while this thread is opening it.
///
/// # Examples
///
/// ```
/// # // SAFETY: no function is handed over.
/// # unsafe { cuda_sys::install("an example", |_| None) }.unwrap();
/// let driver = cuda_sys::driver()?;
/// println!("CUDA {:?} from {}", driver.version(), driver.origin());
/// assert!(std::ptr::eq(driver, cuda_sys::driver()?)); // the same from now on
/// # Ok::<(), &'static cuda_sys::LoadError>(())
/// ```
pub fn driver() -> Result<&'static Driver, &'static LoadError> {
    CHOSEN.published().map_or_else(find, Ok)
}

/// The driver in use, where it has not been asked for yet, or where there is none.
#[cold]
fn find() -> Result<&'static Driver, &'static LoadError> {
    CHOSEN.get_or_load(Driver::load)
}

/// Installs a driver whose functions `resolver` finds:
/// [`Driver::from_resolver`] and [`Driver::install`] in one.
///
/// | before the call | effect |
/// |---|---|
/// | no driver was asked for | This driver is in use. The system's is never loaded, and `CUDA_SYS_LIBRARY` is not read. |
/// | a call asked for the driver, and none could be loaded | The same. Errors that were returned before stay errors; every later call reaches this driver. |
/// | a driver was loaded or installed | [`AlreadyInstalled`]: functions of that driver were handed out. |
///
/// A driver that was loaded stays in use even if it finds no GPU.
///
/// The resolver must not call driver functions through this crate's free functions, nor call [`driver()`]:
/// that loads the system's driver, and `install` then fails. The same
/// goes for the `cuDriverGetVersion` that it finds, which is called here to learn the version. A layer reaches
/// the driver behind it through a [`Driver`] of its own; the free functions would lead back to the layer.
///
/// # Errors
///
/// [`AlreadyInstalled`]: a driver is in use. It was installed before, or a call has loaded it.
///
/// # Safety
///
/// See [`Driver::from_resolver`].
///
/// # Examples
///
/// A layer in front of a driver: it sees every `cuInit` and hands it on; all other functions are the driver's own.
///
/// ```
/// use core::ffi::{CStr, c_uint, c_void};
/// use core::ptr::NonNull;
/// use core::sync::atomic::{AtomicU32, Ordering};
/// use cuda_sys::{CUresult, Driver, cuInit};
/// use std::sync::OnceLock;
///
/// /// Finds the functions of the driver behind: in its library, or with `cuda_sim::resolve`.
/// fn behind(name: &'static CStr) -> Option<NonNull<c_void>> {
///     // ...
/// #     extern "C" fn init(_: c_uint) -> CUresult { CUresult::CUDA_SUCCESS }
/// #     (name == c"cuInit").then(|| NonNull::new(init as *mut c_void)).flatten()
/// }
///
/// static BEHIND: OnceLock<Driver> = OnceLock::new();
/// static CALLS: AtomicU32 = AtomicU32::new(0);
///
/// extern "C" fn counted_init(flags: c_uint) -> CUresult {
///     CALLS.fetch_add(1, Ordering::Relaxed);
///     // SAFETY: the arguments are the program's own.
///     BEHIND.get().map_or(CUresult::CUDA_ERROR_UNKNOWN, |driver| unsafe { (driver.cuInit)(flags) })
/// }
///
/// // SAFETY: these are a driver's functions.
/// BEHIND.get_or_init(|| unsafe { Driver::from_resolver("the driver behind", behind) });
/// // SAFETY: as above, but for `cuInit`, which has the signature, and hands the call on.
/// unsafe {
///     cuda_sys::install("a layer", |name| match name.to_bytes() {
///         b"cuInit" => NonNull::new(counted_init as *mut c_void),
///         _ => behind(name),
///     })
/// }?;
///
/// // SAFETY: the flags are 0, as the API demands.
/// assert_eq!(unsafe { cuInit(0) }, CUresult::CUDA_SUCCESS);
/// assert_eq!(CALLS.load(Ordering::Relaxed), 1);
/// # Ok::<(), cuda_sys::AlreadyInstalled>(())
/// ```
pub unsafe fn install(
    origin: impl Into<String>,
    resolver: impl FnMut(&'static CStr) -> Option<NonNull<c_void>>,
) -> Result<&'static Driver, AlreadyInstalled> {
    // SAFETY: the caller's promise is the same.
    unsafe { Driver::from_resolver(origin, resolver) }.install()
}

/// The driver to call; none if there is none to be had.
#[inline]
pub(crate) fn in_use() -> Option<&'static Driver> {
    CHOSEN.published().or_else(first_use)
}

#[cold]
fn first_use() -> Option<&'static Driver> {
    find().ok()
}
