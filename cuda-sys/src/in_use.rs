//! The driver of the process, which the free functions call.

#![allow(unsafe_code)]

use crate::driver::Driver;
use crate::error::{AlreadyInstalled, LoadError};
use crate::process_library::ProcessLibrary;
use core::cell::Cell;
use core::ffi::{CStr, c_void};
use core::ptr::NonNull;

impl Driver {
    /// Installs this driver: the free functions call it for the rest of the process.
    ///
    /// This also succeeds after a failed attempt to load the system's driver: see [`install`].
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
        IN_USE.install(self).map_err(|driver| AlreadyInstalled { origin: driver.origin().to_owned() })
    }

    /// Returns the driver in use, if there is one. Unlike [`driver()`], it loads none.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sys::Driver;
    ///
    /// assert!(Driver::installed().is_none());
    /// // SAFETY: no function is handed over.
    /// unsafe { cuda_sys::install("a driver without functions", |_| None) }?;
    /// assert!(Driver::installed().is_some());
    /// # Ok::<(), cuda_sys::AlreadyInstalled>(())
    /// ```
    pub fn installed() -> Option<&'static Driver> {
        IN_USE.get()
    }
}

thread_local! {
    /// Set while this thread is opening the driver.
    static LOADING: Cell<bool> = const { Cell::new(false) };
}

/// The driver that the free functions call.
static IN_USE: ProcessLibrary<Driver, LoadError> =
    ProcessLibrary::new(&LOADING, LoadError { attempts: Vec::new(), only_choice: false });

/// Returns the driver in use. The first call, of this or of any function of the API, loads the system's driver
/// library, unless a driver was [installed](install) before.
///
/// # Errors
///
/// The libraries that were tried, and why each could not be used. The failure is stored: later calls return the same
/// error, until a driver is installed. A library that calls this function while this thread is opening it receives an
/// error without attempts.
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
    IN_USE.published().map_or_else(find, Ok)
}

/// Finds the driver in use, before the first call has stored it, or if there is none.
#[cold]
fn find() -> Result<&'static Driver, &'static LoadError> {
    IN_USE.get_or_load(Driver::load)
}

/// Installs a driver whose functions `resolver` finds:
/// [`Driver::from_resolver`] and [`Driver::install`] in one.
///
/// | before the call | effect |
/// |---|---|
/// | no call needed a driver | This driver is in use. The system's driver is never loaded, and `CUDA_SYS_LIBRARY` is not read. |
/// | a call needed a driver, and none could be loaded | This driver is in use. Calls that failed before stay failed. Every later call reaches this driver. |
/// | a driver was loaded or installed | [`AlreadyInstalled`]: functions of that driver were handed out. |
///
/// A driver that was loaded stays in use even if it finds no GPU.
///
/// The resolver must not call driver functions through this crate's free functions, nor call [`driver()`]: that loads
/// the system's driver, and `install` then fails. The same holds for the `cuDriverGetVersion` that it returns, because
/// `install` calls it to learn the version. A layer calls the driver behind it through a [`Driver`] of its own. The
/// free functions would call the layer again.
///
/// # Errors
///
/// [`AlreadyInstalled`]: a driver is in use. It was installed before, or a call has loaded it.
///
/// # Safety
///
/// Same as [`Driver::from_resolver`].
///
/// # Examples
///
/// A layer in front of a driver. It sees every `cuInit` and forwards it. All other functions are the driver's own.
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
/// // SAFETY: as above; `cuInit` has the right signature and forwards the call.
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

/// Returns the driver to call, or `None` if none can be loaded.
#[inline]
pub(crate) fn in_use() -> Option<&'static Driver> {
    IN_USE.published().or_else(first_use)
}

#[cold]
fn first_use() -> Option<&'static Driver> {
    find().ok()
}
