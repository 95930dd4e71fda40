//! Releases of NVRTC, which are those of CUDA.

use core::fmt;

/// CUDA release, as NVRTC reports its own.
///
/// ```
/// use cuda_sys::nvrtc::Version;
///
/// let version = Version::new(12, 8);
/// assert_eq!((version.major, version.minor), (12, 8));
/// assert_eq!(version.to_string(), "12.8");
/// assert!(version < Version::new(13, 0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// Number before the dot.
    pub major: i32,
    /// Number after the dot.
    pub minor: i32,
}

impl Version {
    /// Creates the release `major.minor`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::nvrtc::Version;
    /// assert_eq!(Version::new(11, 2), Version { major: 11, minor: 2 });
    /// ```
    pub const fn new(major: i32, minor: i32) -> Self {
        Self { major, minor }
    }

    /// Creates the release that `CUDA_VERSION` writes as `number`: 1000 × major + 10 × minor.
    pub(crate) const fn from_number(number: i32) -> Self {
        Self::new(number / 1000, number % 1000 / 10)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.major, self.minor)
    }
}
