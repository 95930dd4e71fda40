//! The driver as a whole: initialising it, and its version.
//!
//! [Troubleshooting](crate::manual::troubleshooting) lists what can be wrong with a machine, by the message that a program gets.

#![allow(unsafe_code)]

use crate::error::{Code, Error, OrDetail, Result};
use crate::handle::{is_forked_child, watch_forks};
use core::sync::atomic::{AtomicBool, Ordering};
pub use cuda_sys::DriverVersion;
use cuda_sys::{Driver, MissingSymbol, Symbol};
use std::ffi::OsString;

static INITIALISED: AtomicBool = AtomicBool::new(false);

/// Loads the driver, if it is not loaded yet, and initialises it.
///
/// Every function that makes a [`Device`](crate::Device) does the same by itself. Call this function first to get the failure in
/// one place. Later calls do nothing. Wraps `cuInit`.
///
/// # Errors
///
/// - [`DriverUnavailable`](crate::error::ErrorKind::DriverUnavailable): no driver could be loaded. The error lists what was tried.
/// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.0.
/// - [`Code::NoDevice`]: there is a driver and no GPU, or `CUDA_VISIBLE_DEVICES` hides all of them.
/// - [`Code::InvalidDevice`]: `CUDA_VISIBLE_DEVICES` names a device twice.
/// - [`Code::NotInitialized`]: the process was forked after the driver was initialised.
/// - [`Code::SystemNotReady`],
///   [`Code::SystemDriverMismatch`] and others: the
///   installation is not in order.
///
/// The [table of broken environments](crate::manual::troubleshooting) has the message of each, and the remedy.
///
/// # Examples
///
/// ```
/// # cuda_sim::install_once();
/// cuda_rt::init()?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "cuInit")]
pub fn init() -> Result<()> {
    init_with_flags(0)
}

/// Initialises the driver with flags. CUDA defines no flags: every value but 0 is refused. Wraps `cuInit`.
///
/// # Errors
///
/// - [`Code::InvalidValue`]: the flags are not 0.
/// - Same as [`init`].
///
/// # Examples
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::error::Code;
///
/// assert_eq!(cuda_rt::driver::init_with_flags(1).unwrap_err().code(), Some(Code::InvalidValue));
/// ```
#[doc(alias = "cuInit")]
pub fn init_with_flags(flags: u32) -> Result<()> {
    let driver = cuda_sys::driver()?;
    refuse_old(driver)?;
    // SAFETY: the function takes no pointers; it may be called at any time from any thread.
    unsafe { check!(cuInit(flags)) }
        .or_detail(&[Code::NoDevice], &|| describe_no_device(driver))
        .or_detail(&[Code::InvalidDevice], &|| {
            visible_devices()
                .map(|list| format!("CUDA_VISIBLE_DEVICES={list:?} may name a device twice; name each device once"))
                .unwrap_or_default()
        })
        .or_detail(&[Code::NotInitialized], &describe_fork)
        .or_detail(&[Code::SystemNotReady], &|| {
            "a service that the driver needs does not run; on systems with NVSwitch, start nvidia-fabricmanager"
                .to_owned()
        })
        .or_detail(&[Code::SystemDriverMismatch], &|| {
            format!(
                "{} is of another release than the loaded kernel module; restart the machine after an upgrade of the \
                 driver, or load the library of the module's release",
                driver.origin()
            )
        })
        .or_detail(&[Code::CompatNotSupportedOnDevice], &|| {
            format!(
                "{} is a forward-compatibility library, which this GPU does not support; remove its folder from \
                 LD_LIBRARY_PATH, or name the system's library in CUDA_SYS_LIBRARY",
                driver.origin()
            )
        })
        .or_detail(&[Code::OperatingSystem, Code::NotPermitted, Code::UnknownError], &|| {
            format!("{} cannot use a GPU; {CHECKS}", driver.origin())
        })?;
    watch_forks();
    INITIALISED.store(true, Ordering::Relaxed);
    Ok(())
}

/// Refuses a driver before CUDA 11.0: it lacks `cuDevicePrimaryCtxRelease_v2`, which every program needs.
fn refuse_old(driver: &Driver) -> Result<()> {
    let symbol = Symbol::cuDevicePrimaryCtxRelease_v2;
    match driver.version() {
        Some(version) if version < symbol.since() => {
            Err(MissingSymbol { symbol, driver: Some(version) }.into())
        }
        _ => Ok(()),
    }
}

fn visible_devices() -> Option<OsString> {
    std::env::var_os("CUDA_VISIBLE_DEVICES")
}

const CHECKS: &str =
    "check that nvidia-smi -L lists one here and, on Linux, that this user may open the files /dev/nvidia*";

fn describe_no_device(driver: &Driver) -> String {
    match visible_devices() {
        Some(list) => {
            format!(
                "CUDA_VISIBLE_DEVICES={list:?} may hide every device; list devices of nvidia-smi -L, or unset it"
            )
        }
        None => format!("{} finds no GPU; {CHECKS}", driver.origin()),
    }
}

fn describe_fork() -> String {
    if is_forked_child() {
        "this process was forked after the driver was initialised; fork before, or start a program with exec"
            .to_owned()
    } else {
        String::new()
    }
}

/// Initialises the driver on the first call that succeeds; later calls cost one load.
pub(crate) fn ensure_init() -> Result<()> {
    if INITIALISED.load(Ordering::Relaxed) { Ok(()) } else { init() }
}

/// Runs a call that needs the driver to be initialised. Initialises the driver again if the driver says that it is not
/// initialised: other code may have replaced the driver since, as tests replace machines of the software driver.
pub(crate) fn initialised<T>(call: impl Fn() -> Result<T>) -> Result<T> {
    ensure_init()?;
    match call() {
        Ok(answer) => Ok(answer),
        Err(error) => {
            init_after(error)?;
            call()
        }
    }
}

/// Initialises the driver if it has said that it is not initialised. Returns any other error.
#[cold]
fn init_after(error: Error) -> Result<()> {
    if error.code() == Some(Code::NotInitialized) && !is_forked_child() {
        return init();
    }
    Err(error).or_detail(&[Code::NotInitialized], &describe_fork)
}

/// Returns the newest CUDA release that the loaded driver supports.
///
/// Needs neither a GPU nor [`init`]. Wraps `cuDriverGetVersion`.
///
/// # Errors
///
/// - [`DriverUnavailable`](crate::error::ErrorKind::DriverUnavailable): no driver could be loaded.
/// - [`Code::NotInitialized`]: the process was forked after the driver was initialised.
///
/// # Examples
///
/// ```
/// # cuda_sim::install_once();
/// assert!(cuda_rt::driver_version()?.major() >= 11);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "cuDriverGetVersion")]
pub fn driver_version() -> Result<DriverVersion> {
    let mut version = 0;
    // SAFETY: `version` is valid for a write.
    unsafe { check!(cuDriverGetVersion(&raw mut version)) }?;
    Ok(DriverVersion(version))
}
