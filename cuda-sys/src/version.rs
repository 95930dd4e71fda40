//! CUDA release numbers in the driver's encoding.

use core::fmt;

/// CUDA release in the driver's encoding: 1000 × major + 10 × minor.
///
/// ```
/// use cuda_sys::DriverVersion;
///
/// let version = DriverVersion(12080);
/// assert_eq!((version.major(), version.minor()), (12, 8));
/// assert_eq!(version.to_string(), "12.8");
/// assert!(version < DriverVersion::new(13, 0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DriverVersion(pub i32);

impl DriverVersion {
    /// Creates the release `major.minor`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::DriverVersion;
    /// assert_eq!(DriverVersion::new(12, 8), DriverVersion(12080));
    /// ```
    pub const fn new(major: u16, minor: u16) -> Self {
        Self(major as i32 * 1000 + minor as i32 * 10)
    }

    /// Returns the number before the dot.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::DriverVersion;
    /// assert_eq!(DriverVersion(12080).major(), 12);
    /// ```
    pub const fn major(self) -> i32 {
        self.0 / 1000
    }

    /// Returns the number after the dot.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::DriverVersion;
    /// assert_eq!(DriverVersion(12080).minor(), 8);
    /// ```
    pub const fn minor(self) -> i32 {
        self.0 % 1000 / 10
    }

    /// Returns the remainder of the encoding: 0 in all releases so far.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::DriverVersion;
    /// assert_eq!(DriverVersion(12080).revision(), 0);
    /// ```
    pub const fn revision(self) -> i32 {
        self.0 % 10
    }
}

impl fmt::Display for DriverVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.major(), self.minor())
    }
}
