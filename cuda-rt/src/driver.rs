//! The driver as a whole: initialising it, and its version.

#![allow(unsafe_code)]

use crate::error::{Code, Result};
use crate::handle::{is_forked_child, watch_forks};
use core::sync::atomic::{AtomicBool, Ordering};
pub use cuda_sys::DriverVersion;

static INITIALISED: AtomicBool = AtomicBool::new(false);

/// Loads the driver, if that has not happened, and initialises it.
///
/// Everything that makes a [`Device`](crate::Device) does this by itself; calling it first gives
/// the failure a place of its own. Calling it again does no harm. Wraps `cuInit`.
///
/// # Errors
///
/// - [`DriverUnavailable`](crate::error::ErrorKind::DriverUnavailable): no driver could be loaded; it lists what was tried.
/// - [`Code::NoDevice`]: there is a driver and no GPU.
/// - [`Code::SystemNotReady`],
///   [`Code::SystemDriverMismatch`] and others: the
///   installation is not in order.
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

/// [`init`] with flags. CUDA defines none: every value but 0 is refused.
///
/// # Errors
///
/// [`Code::InvalidValue`] for flags other than 0, and those of [`init`].
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
    cuda_sys::driver()?;
    // SAFETY: the function takes no pointers; it may be called at any time from any thread.
    unsafe { check!(cuInit(flags)) }?;
    watch_forks();
    INITIALISED.store(true, Ordering::Relaxed);
    Ok(())
}

/// Initialises the driver on the first call that succeeds; later calls cost one load.
pub(crate) fn ensure_init() -> Result<()> {
    if INITIALISED.load(Ordering::Relaxed) { Ok(()) } else { init() }
}

/// Runs a call that needs the driver to be initialised. Somebody may have put another driver in its place since that was
/// done, as the software driver's machines are, so it is done again if the driver says so.
pub(crate) fn initialised<T>(call: impl Fn() -> Result<T>) -> Result<T> {
    ensure_init()?;
    match call() {
        Err(error) if error.code() == Some(Code::NotInitialized) && !is_forked_child() => {
            init()?;
            call()
        }
        outcome => outcome,
    }
}

/// Returns the newest CUDA release that the loaded driver serves.
///
/// Needs neither a GPU nor [`init`]. Wraps `cuDriverGetVersion`.
///
/// # Errors
///
/// [`DriverUnavailable`](crate::error::ErrorKind::DriverUnavailable) if there is no driver.
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
