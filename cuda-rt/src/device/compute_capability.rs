//! The compute capability of devices.

use core::fmt;

/// A compute capability: the features and the machine code of a device. Older capabilities compare less.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::Device;
/// use cuda_rt::device::ComputeCapability;
///
/// let capability = Device::get(0)?.compute_capability()?;
/// assert!(capability >= ComputeCapability::new(5, 0));
/// assert_eq!(capability.to_string(), "9.0");
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComputeCapability {
    /// The generation of the architecture.
    pub major: u32,
    /// The variant of the generation.
    pub minor: u32,
}

impl ComputeCapability {
    /// Makes a compute capability from its two numbers.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::device::ComputeCapability;
    ///
    /// assert!(ComputeCapability::new(8, 6) < ComputeCapability::new(10, 0));
    /// ```
    pub const fn new(major: u32, minor: u32) -> Self {
        Self { major, minor }
    }
}

impl From<(u32, u32)> for ComputeCapability {
    fn from((major, minor): (u32, u32)) -> Self {
        Self { major, minor }
    }
}

impl fmt::Display for ComputeCapability {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.major, self.minor)
    }
}
