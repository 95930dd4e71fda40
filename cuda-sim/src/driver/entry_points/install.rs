//! Installs the software driver, or the machine's own driver.

#![allow(unsafe_code)]

use super::{address_of, resolve_for};
use crate::config::{Config, ignored_text};
use crate::console::say;
use crate::driver::machine::CONFIG;
use core::fmt;
use cuda_sys::{AlreadyInstalled, Driver, LoadError, Symbol};
use std::sync::OnceLock;

/// Error of [`install`], [`install_once`] and [`install_unless_gpu`].
///
/// # Examples
///
/// ```
/// use cuda_sim::{Config, InstallError};
///
/// cuda_sim::install(Config::default())?;
/// let error = cuda_sim::install(Config::default()).unwrap_err();
/// assert!(matches!(error, InstallError::InUse(_)));
/// assert_eq!(error.to_string(), "a CUDA driver is in use already: cuda-sim, the software driver");
/// # Ok::<(), InstallError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum InstallError {
    /// Driver that was installed before, or that an earlier call has loaded.
    InUse(AlreadyInstalled),
    /// Other configuration of the machine of the process, which exists already.
    Configured(Box<Config>),
    /// Library that `CUDA_SYS_LIBRARY` names and that cannot be used. No other driver replaces it.
    Library(LoadError),
}

impl std::error::Error for InstallError {}

impl fmt::Debug for InstallError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "InstallError({self})")
    }
}

impl fmt::Display for InstallError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InstallError::InUse(error) => error.fmt(formatter),
            InstallError::Configured(config) => write!(
                formatter,
                "the machine of this process is made already, with the configuration {:?}; \
                 install the software driver before anything else of cuda-sim is used",
                config.to_string()
            ),
            InstallError::Library(error) => error.fmt(formatter),
        }
    }
}

impl From<AlreadyInstalled> for InstallError {
    fn from(error: AlreadyInstalled) -> InstallError {
        InstallError::InUse(error)
    }
}

/// Reason why [`install_unless_gpu`] has installed the software driver.
static REASON: OnceLock<String> = OnceLock::new();

/// Installs the software driver: [`cuda_sys`] calls it for the rest of the process.
///
/// | before the call | effect |
/// |---|---|
/// | no call needed a driver | The software driver is in use. The system's driver is never loaded, and `CUDA_SYS_LIBRARY` is not read. |
/// | a call needed a driver, and none could be loaded | The same. |
/// | a driver was loaded or installed, also this one | [`InstallError::InUse`] |
///
/// A driver that was loaded stays in use even if it finds no GPU.
///
/// `config` alone describes the machine of the process. Only [`Config::from_env`] and [`Config::with_env`] read `CUDA_SIM`. If
/// the program has called neither, and an entry of the variable differs from `config`, the standard error says once that the
/// variable has no effect.
///
/// # Errors
///
/// - [`InstallError::InUse`]: a driver is in use.
/// - [`InstallError::Configured`]: the machine of the process was used before with another configuration, for example by
///   [`Machine::current`](crate::Machine::current) or [`resolve`](crate::resolve).
///
/// # Examples
///
/// ```
/// use cuda_sim::Config;
/// use cuda_sys::{CUresult, cuDeviceGetCount, cuInit};
///
/// cuda_sim::install(Config { devices: 4, ..Config::default() })?;
/// let mut count = 0;
/// // SAFETY: no flags, as the API demands.
/// assert_eq!(unsafe { cuInit(0) }, CUresult::CUDA_SUCCESS);
/// // SAFETY: `count` is valid for a write.
/// assert_eq!(unsafe { cuDeviceGetCount(&mut count) }, CUresult::CUDA_SUCCESS);
/// assert_eq!(count, 4);
/// # Ok::<(), cuda_sim::InstallError>(())
/// ```
pub fn install(config: Config) -> Result<&'static Driver, InstallError> {
    if let Some(driver) = Driver::installed() {
        return Err(in_use(driver));
    }
    let settled = CONFIG.get_or_init(|| config.clone());
    if *settled != config {
        return Err(InstallError::Configured(Box::new(settled.clone())));
    }
    let release = config.driver_version;
    // SAFETY: the resolver returns functions that follow the driver API, with its signatures: the compiler compares
    // them in `entries`.
    let installed =
        unsafe { cuda_sys::install("cuda-sim, the software driver", |name| resolve_for(release, name)) };
    let installed = installed?;
    if let Some(text) = ignored_text(&config) {
        say(&format!(
            "CUDA_SIM={text} has no effect on the machine of this process, which the program has configured by itself; \
             install the software driver with Config::from_env to use the variable"
        ));
    }
    Ok(installed)
}

/// Installs the software driver with the default configuration, unless it is in use. This suits examples and tests that
/// may run in any order.
///
/// If the software driver is in use, its configuration does not change. A layer over the software driver counts as such
/// (see [`resolve`](crate::resolve)).
///
/// `CUDA_SIM` has no effect. If it is set, the standard error may say so, as for [`install`].
///
/// # Errors
///
/// [`InstallError::InUse`]: another driver is in use. The program would run on that one, where
/// [`Machine`](crate::Machine) has no effect.
///
/// # Examples
///
/// ```
/// cuda_sim::install_once()?;
/// cuda_sim::install_once()?; // does nothing
/// assert_eq!(cuda_sys::driver().unwrap().origin(), "cuda-sim, the software driver");
/// # Ok::<(), cuda_sim::InstallError>(())
/// ```
pub fn install_once() -> Result<&'static Driver, InstallError> {
    let installed = match Driver::installed() {
        Some(driver) => Err(in_use(driver)),
        None => install(Config::default()),
    };
    // Another thread may have been faster.
    installed.or_else(|error| Driver::installed().filter(|driver| is_software(driver)).ok_or(error))
}

/// Installs the machine's own driver if it has a usable GPU, and the software driver otherwise.
///
/// Returns `None` for the machine's own driver. For the software driver, returns the reason why there is no usable GPU,
/// so that the program can report it. Calls `cuInit` of the machine's own driver.
///
/// | before the call | effect |
/// |---|---|
/// | no call needed a driver | The machine's own driver if it has a usable GPU, else the software driver. |
/// | a call needed a driver, and none could be loaded | The software driver is in use. |
/// | a call has loaded the machine's own driver | `None`, if that finds a GPU. Else [`InstallError::InUse`]. |
/// | this function was called | The same answer, for the same configuration. |
/// | another driver was installed, or the software driver by another function | [`InstallError::InUse`] |
///
/// If `CUDA_SYS_LIBRARY` is set, the machine's own driver is the library that it names. If that library is not a usable
/// driver, the function fails. If it is a driver without a GPU, the software driver is installed, and the reason names
/// the library.
///
/// # Errors
///
/// - [`InstallError::InUse`]: another driver is in use, or another function has installed the software driver, or the
///   software driver has another configuration.
/// - [`InstallError::Library`]: `CUDA_SYS_LIBRARY` names a library that cannot be used.
/// - [`InstallError::Configured`]: see [`install`].
///
/// # Examples
///
/// ```
/// match cuda_sim::install_unless_gpu(cuda_sim::Config::default())? {
///     None => println!("on the GPU"),
///     Some(reason) => println!("in software, since there is no GPU: {reason}"),
/// }
/// # Ok::<(), cuda_sim::InstallError>(())
/// ```
pub fn install_unless_gpu(config: Config) -> Result<Option<String>, InstallError> {
    if let Some(driver) = Driver::installed() {
        return answer_again(driver, &config);
    }
    let installed = match load()? {
        Ok(driver) => driver.install().map(|_| None).map_err(InstallError::from),
        Err(reason) => {
            let reason = REASON.get_or_init(|| reason);
            install(config.clone()).map(|_| Some(reason.clone()))
        }
    };
    match (installed, Driver::installed()) {
        // Another thread was faster.
        (Err(_), Some(driver)) => answer_again(driver, &config),
        (installed, _) => installed,
    }
}

/// Returns the result of [`install_unless_gpu`] if a driver is in use.
fn answer_again(driver: &Driver, config: &Config) -> Result<Option<String>, InstallError> {
    if is_software(driver) {
        let reason = REASON.get().filter(|_| CONFIG.get() == Some(config));
        return reason.map(|reason| Some(reason.clone())).ok_or_else(|| in_use(driver));
    }
    match load() {
        Ok(Ok(own)) if own.address(Symbol::cuInit) == driver.address(Symbol::cuInit) => Ok(None),
        _ => Err(in_use(driver)),
    }
}

fn in_use(driver: &Driver) -> InstallError {
    InstallError::InUse(AlreadyInstalled { origin: driver.origin().to_owned() })
}

/// Returns whether the functions of a driver are those of the software driver.
fn is_software(driver: &Driver) -> bool {
    Symbol::all().any(|symbol| driver.address(symbol) == Some(address_of(symbol)))
}

/// Loads the machine's own driver, without installing it. Returns the reason if it has no GPU.
fn load() -> Result<Result<Driver, String>, InstallError> {
    let driver = match Driver::load() {
        Ok(driver) => driver,
        Err(error) if error.only_choice => return Err(InstallError::Library(error)),
        Err(error) => return Ok(Err(error.to_string())),
    };
    // SAFETY: no flags, as the API demands.
    let initialized = unsafe { (driver.cuInit)(0) };
    if initialized.is_success() {
        return Ok(Ok(driver));
    }
    Ok(Err(format!("{}: cuInit: {initialized}", driver.origin())))
}
