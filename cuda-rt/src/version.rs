//! The versions of this crate and of the CUDA interface it was built with.

use cuda_sys::DriverVersion;

/// This crate's version as numbers: major, minor, patch.
///
/// ```
/// assert!(cuda_rt::version::VERSION >= (0, 1, 0));
/// ```
pub const VERSION: (u32, u32, u32) = (
    number(env!("CARGO_PKG_VERSION_MAJOR")),
    number(env!("CARGO_PKG_VERSION_MINOR")),
    number(env!("CARGO_PKG_VERSION_PATCH")),
);

/// The pre-release part of this crate's version: `"rc.1"` for example, and `""` for a release.
///
/// ```
/// assert!(cuda_rt::version::VERSION_TEXT.ends_with(cuda_rt::version::VERSION_STATUS));
/// ```
pub const VERSION_STATUS: &str = env!("CARGO_PKG_VERSION_PRE");

/// This crate's version as text.
///
/// ```
/// let (major, minor, patch) = cuda_rt::version::VERSION;
/// assert!(cuda_rt::version::VERSION_TEXT.starts_with(&format!("{major}.{minor}.{patch}")));
/// ```
pub const VERSION_TEXT: &str = env!("CARGO_PKG_VERSION");

/// The CUDA release that the bindings were generated from. The driver's own release is
/// [`driver_version`](crate::driver_version).
///
/// ```
/// assert_eq!(cuda_rt::version::HEADER_VERSION.to_string(), "13.5");
/// ```
#[doc(alias = "CUDA_VERSION")]
pub const HEADER_VERSION: DriverVersion = DriverVersion(cuda_sys::CUDA_VERSION as i32);

const fn number(digits: &str) -> u32 {
    match u32::from_str_radix(digits, 10) {
        Ok(number) => number,
        Err(_) => 0,
    }
}
