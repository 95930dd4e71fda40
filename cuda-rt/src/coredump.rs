//! Core dumps of devices: whether the driver writes them, where, and with which contents.
//!
//! | item | does |
//! |---|---|
//! | [`global`], [`Context::coredump_settings`] | return the settings of the process, and of a context |
//! | [`CoredumpSettings`] | reads and changes the settings |
//! | [`CoredumpFlags`] | selects the content of a core dump |
//! | [`on_start`], [`on_complete`] | register a function that the driver calls when a core dump begins, and when it is written |
//! | [`Coredump`], [`CoredumpGuard`] | the core dump that such a function gets; the registration of the function |
//!
//! If a kernel fails while core dumps are enabled, the driver writes the state of the device to a file, which `cuda-gdb` opens.
//! Afterwards it aborts the process, unless [`SKIP_ABORT`](CoredumpFlags::SKIP_ABORT) is set. Since CUDA 12.1.
//!
//! A new context copies the settings of the process. Later changes of the settings of the process do not affect the context.
//! Environment variables of the driver take precedence over the settings: `CUDA_ENABLE_COREDUMP_ON_EXCEPTION`,
//! `CUDA_COREDUMP_FILE` and others. A setting of the process that such a variable has made cannot be changed.
//!
//! ```
//! # cuda_sim::install_once();
//! use cuda_rt::coredump::{self, CoredumpFlags};
//! use cuda_rt::{Context, Device};
//!
//! let settings = coredump::global();
//! settings.set_flags(CoredumpFlags::LIGHTWEIGHT | CoredumpFlags::SKIP_ABORT)?;
//! settings.set_file("last_fault.nvcudmp")?;
//! settings.set_enabled(true)?;
//! let context = Context::primary(Device::get(0)?)?; // copies the settings
//! # settings.set_enabled(false)?;
//! # Ok::<(), cuda_rt::Error>(())
//! ```
//!
//! # Driver notes
//!
//! Driver 580 makes core dumps only of contexts that were enabled when they were created: by the settings of the process, or by
//! [`ContextFlags::COREDUMP_ENABLE`](crate::context::ContextFlags::COREDUMP_ENABLE). With core dumps enabled, it reports a
//! failure about 0.1 seconds late. A wait before that time succeeds, unless another block of the kernel still runs. The
//! destruction of a context whose file cannot be made does not return. If a context and the process have different files, the
//! driver writes the file of the process. The driver ignores flags that it does not know, such as
//! [`GZIP_COMPRESS`](CoredumpFlags::GZIP_COMPRESS) and [`LOG_ONLY`](CoredumpFlags::LOG_ONLY).

#![allow(unsafe_code)]

use crate::context::Context;
use crate::device::Device;
use crate::driver::{ensure_init, initialised};
use crate::error::{Code, OrDetail, Result};
use crate::handle::{Callback, Callbacks, DriverHandle, Owned, Releasing, ensure_not_forked, made};
use crate::text::c_string;
use core::ffi::{CStr, c_int, c_void};
use core::ptr::null_mut;
use cuda_sys::{
    CUCoredumpGenerationFlags as C, CUcoredumpCallbackHandle, CUcoredumpSettings_enum as Attribute, CUdevice,
    Symbol,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

flags! {
    /// The parts that a core dump leaves out, and the way it is written.
    #[doc(alias = "CUCoredumpGenerationFlags")]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct CoredumpFlags {
        /// No images of modules that are not relocated.
        #[doc(alias = "CU_COREDUMP_SKIP_NONRELOCATED_ELF_IMAGES")]
        const SKIP_NONRELOCATED_ELF_IMAGES = C::CU_COREDUMP_SKIP_NONRELOCATED_ELF_IMAGES.0.cast_unsigned();
        /// No global memory.
        #[doc(alias = "CU_COREDUMP_SKIP_GLOBAL_MEMORY")]
        const SKIP_GLOBAL_MEMORY = C::CU_COREDUMP_SKIP_GLOBAL_MEMORY.0.cast_unsigned();
        /// No shared memory.
        #[doc(alias = "CU_COREDUMP_SKIP_SHARED_MEMORY")]
        const SKIP_SHARED_MEMORY = C::CU_COREDUMP_SKIP_SHARED_MEMORY.0.cast_unsigned();
        /// No local memory.
        #[doc(alias = "CU_COREDUMP_SKIP_LOCAL_MEMORY")]
        const SKIP_LOCAL_MEMORY = C::CU_COREDUMP_SKIP_LOCAL_MEMORY.0.cast_unsigned();
        /// No abort of the process after the core dump.
        #[doc(alias = "CU_COREDUMP_SKIP_ABORT")]
        const SKIP_ABORT = C::CU_COREDUMP_SKIP_ABORT.0.cast_unsigned();
        /// No constant banks. Since CUDA 12.6.
        #[doc(alias = "CU_COREDUMP_SKIP_CONSTBANK_MEMORY")]
        const SKIP_CONSTBANK_MEMORY = C::CU_COREDUMP_SKIP_CONSTBANK_MEMORY.0.cast_unsigned();
        /// Compression with gzip. The driver appends `.gz` to the file's name if the name does not end with it.
        #[doc(alias = "CU_COREDUMP_GZIP_COMPRESS")]
        const GZIP_COMPRESS = C::CU_COREDUMP_GZIP_COMPRESS.0.cast_unsigned();
        /// Only the contexts in which something failed.
        #[doc(alias = "CU_COREDUMP_FAULTED_CONTEXTS_ONLY")]
        const FAULTED_CONTEXTS_ONLY = C::CU_COREDUMP_FAULTED_CONTEXTS_ONLY.0.cast_unsigned();
        /// No tensor memory.
        #[doc(alias = "CU_COREDUMP_SKIP_TENSOR_MEMORY")]
        const SKIP_TENSOR_MEMORY = C::CU_COREDUMP_SKIP_TENSOR_MEMORY.0.cast_unsigned();
        /// No barrier that keeps failed warps from ending. The barrier costs time. Without it, a failed warp may end before the
        /// core dump contains its state.
        #[doc(alias = "CU_COREDUMP_NO_ERRBAR_AT_EXIT")]
        const NO_ERRBAR_AT_EXIT = C::CU_COREDUMP_NO_ERRBAR_AT_EXIT.0.cast_unsigned();
        /// No file. The failure is only logged.
        #[doc(alias = "CU_COREDUMP_LOG_ONLY")]
        const LOG_ONLY = C::CU_COREDUMP_LOG_ONLY.0.cast_unsigned();
        /// No memory, and no images of modules that are not relocated.
        #[doc(alias = "CU_COREDUMP_LIGHTWEIGHT_FLAGS")]
        const LIGHTWEIGHT = C::CU_COREDUMP_LIGHTWEIGHT_FLAGS.0.cast_unsigned();
        /// Flags of newer drivers.
        const _ = !0;
    }
}

/// The settings of core dumps: of a context, or of the process. Each method queries the driver; this type stores no values.
#[doc(alias = "CUcoredumpSettings")]
#[derive(Debug, Clone, Copy)]
pub struct CoredumpSettings<'context> {
    /// `None` for the settings of the process.
    context: Option<&'context Context>,
}

/// Returns the settings of the process.
///
/// # Examples
///
/// ```
/// # let context = cuda_doc::context()?;
/// println!("{}", cuda_rt::coredump::global().file()?.display());
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub fn global() -> CoredumpSettings<'static> {
    CoredumpSettings { context: None }
}

impl Context {
    /// Returns the settings of core dumps of this context.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// assert!(!context.coredump_settings().is_enabled()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn coredump_settings(&self) -> CoredumpSettings<'_> {
        CoredumpSettings { context: Some(self) }
    }
}

/// The methods that read a setting wrap `cuCoredumpGetAttribute`, and `cuCoredumpGetAttributeGlobal` for the settings of the
/// process. The methods that change a setting wrap `cuCoredumpSetAttribute` and `cuCoredumpSetAttributeGlobal`. Since CUDA 12.1.
///
/// All methods fail with [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) if the driver is older than CUDA
/// 12.1. For the settings of the process, they initialise the driver, and fail as [`init`](crate::init) does. For the
/// settings of a context, they fail with an earlier failure.
impl CoredumpSettings<'_> {
    /// Returns whether a failure of a kernel makes a core dump.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.1.
    /// - For the settings of the process: same as [`init`](crate::init).
    /// - For the settings of a context: an earlier failure.
    #[doc(alias(
        "CU_COREDUMP_ENABLE_ON_EXCEPTION",
        "cuCoredumpGetAttribute",
        "cuCoredumpGetAttributeGlobal"
    ))]
    pub fn is_enabled(self) -> Result<bool> {
        self.bool(Attribute::CU_COREDUMP_ENABLE_ON_EXCEPTION)
    }

    /// Sets whether a failure of a kernel makes a core dump.
    ///
    /// # Errors
    ///
    /// - Same as [`is_enabled`](CoredumpSettings::is_enabled).
    /// - [`Code::InvalidValue`]: an environment variable has set this setting of the process. The settings of a context
    ///   then keep the old value, and the call reports no failure.
    /// - [`Code::NotSupported`]: the settings belong to a context, and the compute capability of the device is below 6.0.
    #[doc(alias(
        "CU_COREDUMP_ENABLE_ON_EXCEPTION",
        "cuCoredumpSetAttribute",
        "cuCoredumpSetAttributeGlobal"
    ))]
    pub fn set_enabled(self, enabled: bool) -> Result<()> {
        self.set_bool(Attribute::CU_COREDUMP_ENABLE_ON_EXCEPTION, enabled)
    }

    /// Returns what core dumps leave out, and how they are written. Since CUDA 12.5.
    ///
    /// # Errors
    ///
    /// - Same as [`is_enabled`](CoredumpSettings::is_enabled).
    /// - [`Code::InvalidValue`]: the driver is older than CUDA 12.5.
    #[doc(alias("CU_COREDUMP_GENERATION_FLAGS", "cuCoredumpGetAttribute", "cuCoredumpGetAttributeGlobal"))]
    pub fn flags(self) -> Result<CoredumpFlags> {
        let mut flags = 0_u32;
        self.get(Attribute::CU_COREDUMP_GENERATION_FLAGS, (&raw mut flags).cast(), size_of::<u32>())?;
        Ok(CoredumpFlags::from_bits_retain(flags))
    }

    /// Sets what core dumps leave out, and how they are written. Since CUDA 12.5.
    ///
    /// # Errors
    ///
    /// - Same as [`is_enabled`](CoredumpSettings::is_enabled).
    /// - [`Code::InvalidValue`]: the driver is older than CUDA 12.5, or an environment variable has set the flags of the process.
    #[doc(alias("CU_COREDUMP_GENERATION_FLAGS", "cuCoredumpSetAttribute", "cuCoredumpSetAttributeGlobal"))]
    pub fn set_flags(self, flags: CoredumpFlags) -> Result<()> {
        let mut bits = flags.bits();
        self.set(Attribute::CU_COREDUMP_GENERATION_FLAGS, (&raw mut bits).cast(), size_of::<u32>())
            .or_detail(&[Code::InvalidValue], &|| format!("flags {:#x}", flags.bits()))
    }

    /// Returns whether the process is aborted after a core dump.
    ///
    /// # Errors
    ///
    /// Same as [`is_enabled`](CoredumpSettings::is_enabled).
    #[doc(alias("CU_COREDUMP_TRIGGER_HOST", "cuCoredumpGetAttribute", "cuCoredumpGetAttributeGlobal"))]
    pub fn aborts_process(self) -> Result<bool> {
        self.bool(Attribute::CU_COREDUMP_TRIGGER_HOST)
    }

    /// Sets whether the process is aborted after a core dump. Since CUDA 12.5, [`SKIP_ABORT`](CoredumpFlags::SKIP_ABORT) replaces
    /// this setting.
    ///
    /// # Errors
    ///
    /// - Same as [`is_enabled`](CoredumpSettings::is_enabled).
    /// - [`Code::InvalidValue`]: an environment variable has set this setting of the process.
    #[doc(alias("CU_COREDUMP_TRIGGER_HOST", "cuCoredumpSetAttribute", "cuCoredumpSetAttributeGlobal"))]
    pub fn set_aborts_process(self, aborts: bool) -> Result<()> {
        self.set_bool(Attribute::CU_COREDUMP_TRIGGER_HOST, aborts)
    }

    /// Returns whether core dumps leave out memory and non-relocated images.
    ///
    /// # Errors
    ///
    /// Same as [`is_enabled`](CoredumpSettings::is_enabled).
    #[doc(alias("CU_COREDUMP_LIGHTWEIGHT", "cuCoredumpGetAttribute", "cuCoredumpGetAttributeGlobal"))]
    pub fn is_lightweight(self) -> Result<bool> {
        self.bool(Attribute::CU_COREDUMP_LIGHTWEIGHT)
    }

    /// Sets whether core dumps leave out memory and non-relocated images. Tensor memory is not left out. Since
    /// CUDA 12.5, [`LIGHTWEIGHT`](CoredumpFlags::LIGHTWEIGHT) replaces this setting.
    ///
    /// # Errors
    ///
    /// - Same as [`is_enabled`](CoredumpSettings::is_enabled).
    /// - [`Code::InvalidValue`]: an environment variable has set this setting of the process.
    #[doc(alias("CU_COREDUMP_LIGHTWEIGHT", "cuCoredumpSetAttribute", "cuCoredumpSetAttributeGlobal"))]
    pub fn set_lightweight(self, lightweight: bool) -> Result<()> {
        self.set_bool(Attribute::CU_COREDUMP_LIGHTWEIGHT, lightweight)
    }

    /// Returns whether a write to the [pipe](CoredumpSettings::pipe) makes a core dump. Only the settings of the
    /// process include this setting.
    ///
    /// # Errors
    ///
    /// - Same as [`is_enabled`](CoredumpSettings::is_enabled).
    /// - [`Code::InvalidValue`]: the settings belong to a context.
    #[doc(alias(
        "CU_COREDUMP_ENABLE_USER_TRIGGER",
        "cuCoredumpGetAttribute",
        "cuCoredumpGetAttributeGlobal"
    ))]
    pub fn has_user_trigger(self) -> Result<bool> {
        self.bool(Attribute::CU_COREDUMP_ENABLE_USER_TRIGGER)
    }

    /// Sets whether a write to the [pipe](CoredumpSettings::pipe) makes a core dump. Only the settings of the process include
    /// this setting.
    ///
    /// # Errors
    ///
    /// - Same as [`is_enabled`](CoredumpSettings::is_enabled).
    /// - [`Code::InvalidValue`]: the settings belong to a context, or an environment variable has set this setting.
    #[doc(alias(
        "CU_COREDUMP_ENABLE_USER_TRIGGER",
        "cuCoredumpSetAttribute",
        "cuCoredumpSetAttributeGlobal"
    ))]
    pub fn set_user_trigger(self, enabled: bool) -> Result<()> {
        self.set_bool(Attribute::CU_COREDUMP_ENABLE_USER_TRIGGER, enabled)
    }

    /// Returns the path of the file to which core dumps are written. If it is empty, the driver chooses a name. CUDA documents the
    /// name `core.cuda.HOSTNAME.PID`, with the name of the host and the process ID.
    ///
    /// # Errors
    ///
    /// Same as [`is_enabled`](CoredumpSettings::is_enabled).
    #[doc(alias("CU_COREDUMP_FILE", "cuCoredumpGetAttribute", "cuCoredumpGetAttributeGlobal"))]
    pub fn file(self) -> Result<PathBuf> {
        self.path(Attribute::CU_COREDUMP_FILE)
    }

    /// Sets the path of the file to which core dumps are written.
    ///
    /// In the settings of the process, the driver replaces `%h` by the name of the host, `%p` by the process ID, and `%t` by the
    /// time in seconds. In the settings of a context, the path stays unchanged.
    ///
    /// # Errors
    ///
    /// - Same as [`is_enabled`](CoredumpSettings::is_enabled).
    /// - [`Code::InvalidValue`]: the path has more than 1023 bytes, or an environment variable has set the path of the process.
    ///   In the latter case, the settings of a context keep the old path, and the call reports no failure.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the path contains a NUL.
    #[doc(alias("CU_COREDUMP_FILE", "cuCoredumpSetAttribute", "cuCoredumpSetAttributeGlobal"))]
    pub fn set_file(self, path: impl AsRef<Path>) -> Result<()> {
        self.set_path(Attribute::CU_COREDUMP_FILE, path.as_ref())
    }

    /// Returns the path of the pipe. If the [user trigger](CoredumpSettings::set_user_trigger) is enabled, a write to the pipe
    /// makes a core dump. Only the settings of the process include the path.
    ///
    /// # Errors
    ///
    /// - Same as [`is_enabled`](CoredumpSettings::is_enabled).
    /// - [`Code::InvalidValue`]: the settings belong to a context.
    #[doc(alias("CU_COREDUMP_PIPE", "cuCoredumpGetAttribute", "cuCoredumpGetAttributeGlobal"))]
    pub fn pipe(self) -> Result<PathBuf> {
        self.path(Attribute::CU_COREDUMP_PIPE)
    }

    /// Sets the path of the pipe. If the [user trigger](CoredumpSettings::set_user_trigger) is enabled, a write to the pipe makes a
    /// core dump, and the path cannot be changed. Only the settings of the process include the path.
    ///
    /// # Errors
    ///
    /// - Same as [`set_file`](CoredumpSettings::set_file).
    /// - [`Code::InvalidValue`]: the settings belong to a context.
    /// - [`Code::NotSupported`]: the user trigger is enabled.
    #[doc(alias("CU_COREDUMP_PIPE", "cuCoredumpSetAttribute", "cuCoredumpSetAttributeGlobal"))]
    pub fn set_pipe(self, path: impl AsRef<Path>) -> Result<()> {
        self.set_path(Attribute::CU_COREDUMP_PIPE, path.as_ref())
    }

    fn bool(self, attribute: Attribute) -> Result<bool> {
        let mut value = 0_u8;
        self.get(attribute, (&raw mut value).cast(), size_of::<u8>())?;
        Ok(value != 0)
    }

    fn set_bool(self, attribute: Attribute, value: bool) -> Result<()> {
        let mut value = u8::from(value);
        self.set(attribute, (&raw mut value).cast(), size_of::<u8>())
    }

    fn path(self, attribute: Attribute) -> Result<PathBuf> {
        let mut buffer = [0_u8; TEXT + 1];
        self.get(attribute, buffer.as_mut_ptr().cast(), TEXT)?;
        let text = CStr::from_bytes_until_nul(&buffer).unwrap_or_default();
        Ok(path_of(text.to_bytes()))
    }

    fn set_path(self, attribute: Attribute, path: &Path) -> Result<()> {
        let text = c_string(path.as_os_str().as_encoded_bytes())?;
        let mut bytes = text.into_bytes_with_nul();
        self.set(attribute, bytes.as_mut_ptr().cast(), bytes.len())
            .or_detail(&[Code::InvalidValue], &|| format!("path of {} bytes", bytes.len() - 1))
    }

    /// Reads an attribute. The caller gives a place for `size` bytes.
    fn get(self, attribute: Attribute, to: *mut c_void, mut size: usize) -> Result<()> {
        let size = &raw mut size;
        match self.context {
            Some(context) => {
                let _bound = context.bind(Symbol::cuCoredumpGetAttribute)?;
                // SAFETY: `to` is valid for writes of `size` bytes, `size` for a read and a write; the context is current.
                unsafe { check!(cuCoredumpGetAttribute(attribute, to, size)) }
            }
            // SAFETY: `to` is valid for writes of `size` bytes, `size` for a read and a write.
            None => initialised(|| unsafe { check!(cuCoredumpGetAttributeGlobal(attribute, to, size)) }),
        }
    }

    /// Changes an attribute. The caller gives `size` bytes; a text ends with a NUL.
    fn set(self, attribute: Attribute, from: *mut c_void, mut size: usize) -> Result<()> {
        let size = &raw mut size;
        match self.context {
            Some(context) => {
                let _bound = context.bind(Symbol::cuCoredumpSetAttribute)?;
                // SAFETY: `from` is valid for `size` bytes, `size` for a read and a write; the context is current.
                unsafe { check!(cuCoredumpSetAttribute(attribute, from, size)) }
            }
            // SAFETY: `from` is valid for `size` bytes, `size` for a read and a write. The driver is initialised: driver 580
            // crashes if core dumps are enabled earlier.
            None => initialised(|| unsafe { check!(cuCoredumpSetAttributeGlobal(attribute, from, size)) }),
        }
    }
}

/// The bytes of the longest path, with its NUL.
const TEXT: usize = 1024;

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// A core dump that the driver makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Coredump {
    /// The ID of the process whose kernel failed.
    pub process: i32,
    /// The device on which the kernel failed.
    pub device: Device,
}

/// The registration of a function for core dumps. Returned by [`on_start`] and [`on_complete`].
#[must_use = "dropping it ends the calls of the function"]
#[doc(alias = "CUcoredumpCallbackHandle")]
#[derive(Debug)]
pub struct CoredumpGuard {
    registration: Owned<Registration>,
}

#[derive(Debug)]
struct Registration {
    release: Symbol,
    raw: CUcoredumpCallbackHandle,
    _function: Callback<Function>,
}

// SAFETY: the handle names a registration, which is not bound to a thread.
unsafe impl Send for Registration {}
// SAFETY: nothing is changed through `&Registration`.
unsafe impl Sync for Registration {}

impl DriverHandle for Registration {
    fn release_call(&self) -> Symbol {
        self.release
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        if self.release == Symbol::cuCoredumpDeregisterStartCallback {
            // SAFETY: the owner ends its registration, once.
            unsafe { check!(cuCoredumpDeregisterStartCallback(self.raw)) }
        } else {
            // SAFETY: the owner ends its registration, once.
            unsafe { check!(cuCoredumpDeregisterCompleteCallback(self.raw)) }
        }
    }
}

type Function = dyn Fn(Coredump) + Send + Sync;

static FUNCTIONS: Callbacks<Function> = Callbacks::new("core dump function");

/// Registers a function that the driver calls when a core dump begins, before it collects anything. Wraps
/// `cuCoredumpRegisterStartCallback`. Since CUDA 13.2; not run on hardware.
///
/// The core dump waits for the function, which must return soon. The function cannot call the driver: see [host
/// functions](crate::stream#host-functions). A panic goes to the [drop hook](crate::handle::set_drop_hook). Several functions are
/// called in the order of their registration. Dropping the guard ends the calls.
///
/// # Errors
///
/// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.2.
/// - [`Code::OutOfMemory`]: the host has too little free memory.
/// - [`Code::NotPermitted`]: the call is inside a core dump function that other code has registered.
/// - [`Code::NotInitialized`]: the process is the child of a fork.
/// - Same as [`init`](crate::init).
#[doc(alias = "cuCoredumpRegisterStartCallback")]
pub fn on_start(function: impl Fn(Coredump) + Send + Sync + 'static) -> Result<CoredumpGuard> {
    let [add, release] = [Symbol::cuCoredumpRegisterStartCallback, Symbol::cuCoredumpDeregisterStartCallback];
    register(Arc::new(function), add, release, &|data, raw| {
        // SAFETY: `raw` is valid for a write. `tell` may be called at any time, on any thread, with any data.
        unsafe { check!(cuCoredumpRegisterStartCallback(Some(tell), data, raw)) }
    })
}

/// Registers a function that the driver calls when a core dump is written. Wraps `cuCoredumpRegisterCompleteCallback`. Since CUDA
/// 13.2; not run on hardware.
///
/// The rules of [`on_start`] apply to the function.
///
/// # Errors
///
/// Same as [`on_start`].
#[doc(alias = "cuCoredumpRegisterCompleteCallback")]
pub fn on_complete(function: impl Fn(Coredump) + Send + Sync + 'static) -> Result<CoredumpGuard> {
    let [add, release] =
        [Symbol::cuCoredumpRegisterCompleteCallback, Symbol::cuCoredumpDeregisterCompleteCallback];
    register(Arc::new(function), add, release, &|data, raw| {
        // SAFETY: `raw` is valid for a write. `tell` may be called at any time, on any thread, with any data.
        unsafe { check!(cuCoredumpRegisterCompleteCallback(Some(tell), data, raw)) }
    })
}

fn register(
    function: Arc<Function>,
    add: Symbol,
    release: Symbol,
    call: &dyn Fn(*mut c_void, *mut CUcoredumpCallbackHandle) -> Result<()>,
) -> Result<CoredumpGuard> {
    ensure_init()?;
    ensure_not_forked(add)?;
    let function = FUNCTIONS.add(function);
    let mut raw = null_mut();
    let registered = call(function.data(), &raw mut raw);
    let is_made = !raw.is_null();
    let registration = Registration { release, raw, _function: function };
    let registration = made(registered, is_made, || Owned::new(registration))?;
    Ok(CoredumpGuard { registration })
}

impl CoredumpGuard {
    /// Returns the raw handle. The caller must not deregister the function with it.
    pub fn as_raw(&self) -> CUcoredumpCallbackHandle {
        self.registration.raw
    }

    /// Deregisters the function, and returns the driver's answer. Wraps `cuCoredumpDeregisterStartCallback` or
    /// `cuCoredumpDeregisterCompleteCallback`. Not run on hardware.
    ///
    /// # Errors
    ///
    /// - The driver refuses to deregister the function. The function is not called any more nevertheless.
    /// - The call is inside a function that the driver calls. In this case, another thread deregisters the function.
    #[doc(alias("cuCoredumpDeregisterStartCallback", "cuCoredumpDeregisterCompleteCallback"))]
    pub fn close(self) -> Result<()> {
        self.registration.close()
    }
}

/// Called by the driver.
unsafe extern "C" fn tell(data: *mut c_void, process: c_int, device: CUdevice) {
    let coredump = Coredump { process, device: Device::from_handle(device) };
    FUNCTIONS.call(data, |function| function(coredump));
}
