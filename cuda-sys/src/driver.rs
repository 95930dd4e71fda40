//! A driver: its functions and its properties.

#![allow(unsafe_code)]

use crate::error::MissingSymbol;
use crate::{CUresult, DriverVersion, Symbol, Table};
use core::ffi::{CStr, c_void};
use core::fmt;
use core::ops::Deref;
use core::ptr::{NonNull, null_mut};
use core::sync::atomic::{AtomicPtr, Ordering};

/// A driver: its functions and its properties.
///
/// [`driver()`](crate::driver()) returns the driver that the free functions call. A value from [`Driver::load`],
/// [`Driver::open`] or [`Driver::from_resolver`] is independent of that driver until it is
/// [installed](Driver::install). Its library stays open for the rest of the process.
///
/// ```
/// use cuda_sys::{CUresult, Driver, Symbol};
///
/// // SAFETY: no function is handed over.
/// let driver = unsafe { Driver::from_resolver("a driver that lacks everything", |_| None) };
/// assert!(!driver.has(Symbol::cuInit));
/// // SAFETY: the replacement of the function accepts any argument.
/// let code = unsafe { (driver.cuInit)(0) };
/// assert_eq!(code, CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER);
/// ```
pub struct Driver {
    /// The tables are named as the calls of `function!` name them.
    pub(crate) driver: Table,
    #[cfg(feature = "ptds")]
    pub(crate) per_thread: crate::PerThreadTable,
    #[cfg(feature = "gl")]
    pub(crate) gl: crate::GlTable,
    #[cfg(feature = "egl")]
    pub(crate) egl: crate::EglTable,
    #[cfg(feature = "vdpau")]
    pub(crate) vdpau: crate::VdpauTable,
    /// Address of each symbol, including symbols without a slot in a table; null if the library lacks the symbol.
    /// Written when the value is made, and never again.
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
    /// Creates a driver from the addresses that `resolver` returns. `origin` names the driver in messages.
    ///
    /// A simulator, a tracing layer or a test replaces the driver in this way. A function for which the resolver
    /// returns `None` counts as missing.
    ///
    /// # Safety
    ///
    /// Each address must be that of a function with the signature and the behaviour that the driver API gives to the
    /// name. It must stay callable from any thread for the rest of the process.
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
                // SAFETY: the caller guarantees the addresses that the resolver returns.
                unsafe { driver.put(symbol, address) };
            }
        }
        driver.version = driver.reported_version().ok();
        driver
    }

    /// Puts a function into its slot. Tables without such a slot ignore it.
    ///
    /// # Safety
    ///
    /// Same as [`Table::set`].
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

    /// Returns the per-thread versions of functions, in which the null stream means the default stream of the calling
    /// thread. Needs the feature `ptds`.
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

    /// Returns the functions that share resources with OpenGL. Needs the feature `gl`.
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

    /// Returns the functions that share resources with EGL. Needs the feature `egl`.
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

    /// Returns the functions that share resources with VDPAU. Needs the feature `vdpau`.
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

    /// Returns whether the driver has the function.
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

    /// Returns the address of the function, if the driver has it. A layer uses it to forward the calls that it does not
    /// handle.
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
    /// static INITIALISED: AtomicU32 = AtomicU32::new(0);
    /// extern "C" fn init(_flags: c_uint) -> CUresult {
    ///     INITIALISED.fetch_add(1, Ordering::Relaxed);
    ///     CUresult::CUDA_SUCCESS // or the answer of the driver behind
    /// }
    /// fn layer(behind: &'static Driver) -> Driver {
    ///     let find = |name: &'static core::ffi::CStr| match Symbol::from_name(name.to_str().ok()?)? {
    ///         Symbol::cuInit => NonNull::new((init as *const ()).cast_mut().cast::<c_void>()),
    ///         other => behind.address(other),
    ///     };
    ///     // SAFETY: `init` has the signature of `cuInit`; the others are the driver's own.
    ///     unsafe { Driver::from_resolver("a counting layer", find) }
    /// }
    /// # // SAFETY: no function is handed over.
    /// # let behind = Box::leak(Box::new(unsafe { Driver::from_resolver("behind", |_| None) }));
    /// # assert!(layer(behind).has(Symbol::cuInit));
    /// ```
    pub fn address(&self, symbol: Symbol) -> Option<NonNull<c_void>> {
        NonNull::new(self.addresses[symbol as usize].load(Ordering::Relaxed))
    }

    /// Explains `CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER` from a call of `symbol`, if this driver lacks the function.
    /// Returns `None` if the driver has the function and returned the code itself.
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

    /// Returns the newest CUDA release that the driver supports, as it reported when it was opened.
    ///
    /// Returns `None` if the driver reported no release.
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

    /// Returns the origin of the functions: the name or path of a library, or the `origin` of
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

    /// Returns the version that the driver reports. `cuDriverGetVersion` works before `cuInit` and without a GPU.
    pub(crate) fn reported_version(&self) -> Result<DriverVersion, CUresult> {
        let mut version = 0;
        // SAFETY: `version` is valid for a write.
        match unsafe { (self.driver.cuDriverGetVersion)(&raw mut version) } {
            CUresult::CUDA_SUCCESS => Ok(DriverVersion(version)),
            refusal => Err(refusal),
        }
    }
}
