//! Opens the system's driver library, or one by its path.

#![allow(unsafe_code)]

use crate::driver::Driver;
use crate::error::{Attempt, LoadError, Refusal};
use crate::library::{self, Library, SearchScope};
use crate::{CUresult, Symbol};
use std::ffi::OsStr;

/// Names of the library: first the name that the dynamic linker looks up, then paths in system folders that the linker's
/// configuration may lack. The bare `libcuda.so` is missing, because it is the name for linking and often the toolkit's stub. [`Driver::load`]
/// documents the list.
#[cfg(not(windows))]
const LIBRARIES: &[&str] = &[
    "libcuda.so.1",
    #[cfg(all(target_os = "linux", target_arch = "aarch64"))]
    "/usr/lib/aarch64-linux-gnu/nvidia/libcuda.so.1",
    #[cfg(all(target_os = "linux", target_arch = "aarch64"))]
    "/usr/lib/aarch64-linux-gnu/tegra/libcuda.so.1",
    "/usr/lib/wsl/lib/libcuda.so.1",
];
#[cfg(windows)]
const LIBRARIES: &[&str] = &["nvcuda.dll"];

const OVERRIDE: &str = "CUDA_SYS_LIBRARY";

impl Driver {
    /// Opens the system's driver library, or the one that `CUDA_SYS_LIBRARY` names.
    ///
    /// The value is not [installed](Driver::install): a program can inspect a driver without choosing it for the
    /// process.
    ///
    /// The first library that is a driver is used. If `CUDA_SYS_LIBRARY` is unset, these are tried in this order:
    ///
    /// | library | system |
    /// |---|---|
    /// | `nvcuda.dll`, in the system's folder | Windows |
    /// | `libcuda.so.1`, where the dynamic linker finds it | all others |
    /// | `/usr/lib/aarch64-linux-gnu/nvidia/libcuda.so.1` | Jetson Linux 36 and newer (aarch64) |
    /// | `/usr/lib/aarch64-linux-gnu/tegra/libcuda.so.1` | Jetson Linux 35 and older (aarch64) |
    /// | `/usr/lib/wsl/lib/libcuda.so.1` | Windows Subsystem for Linux |
    ///
    /// The folders are absolute paths in which only the administrator can write.
    ///
    /// # Errors
    ///
    /// The libraries that were tried, and why each could not be used.
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
        if let Some((named, label)) = library::named_in_environment(OVERRIDE) {
            // SAFETY: the user who sets the variable guarantees the library.
            return unsafe { open(&named, label, SearchScope::Anywhere) }
                .map_err(|attempt| LoadError { attempts: vec![attempt], only_choice: true });
        }
        let mut attempts = Vec::new();
        for &name in LIBRARIES {
            // SAFETY: under these names, systems install NVIDIA's driver and replacements of it.
            match unsafe { open(name.as_ref(), name.to_owned(), SearchScope::System) } {
                Ok(driver) => return Ok(driver),
                Err(attempt) => attempts.push(attempt),
            }
        }
        Err(LoadError { attempts, only_choice: false })
    }

    /// Opens the library at `path`. A name without a folder is looked up by the dynamic linker.
    ///
    /// # Errors
    ///
    /// The reason why the library could not be used. No other library is tried.
    ///
    /// # Safety
    ///
    /// Opening the library must not cause undefined behaviour. If the library, or a library that it is linked with,
    /// exports the name of a driver function, the export must be that function. The library stays open even if it is
    /// refused.
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
        unsafe { open(path, label, SearchScope::Anywhere) }
            .map_err(|attempt| LoadError { attempts: vec![attempt], only_choice: true })
    }
}

/// Functions that a library must export to count as a driver. Layers between the program and the driver export them,
/// too.
const NEEDED: [Symbol; 2] = [Symbol::cuInit, Symbol::cuDriverGetVersion];

/// # Safety
///
/// Same as [`Driver::open`].
unsafe fn open(path: &OsStr, label: String, scope: SearchScope) -> Result<Driver, Attempt> {
    // SAFETY: the caller guarantees the library's initialisers.
    let library = match unsafe { Library::open(path, scope) } {
        Ok(library) => library,
        Err(reason) => return Err(Attempt { library: label, refusal: Refusal::NotOpened(reason) }),
    };
    // This check precedes the first call, because a library that exports only some of a driver's names may be anything.
    if let Some(symbol) = NEEDED.into_iter().find(|symbol| library.find(symbol.c_name()).is_none()) {
        return Err(Attempt { library: label, refusal: Refusal::NotADriver(symbol) });
    }
    // SAFETY: the caller guarantees the functions; the library is never closed.
    let driver = unsafe { Driver::from_resolver(label, |name| library.find(name)) };
    if driver.reported_version() == Err(CUresult::CUDA_ERROR_STUB_LIBRARY) {
        return Err(Attempt { library: driver.origin().to_owned(), refusal: Refusal::ToolkitStub });
    }
    Ok(driver)
}
