//! Device attributes, an open set of numbers.

use crate::device::Device;
use crate::error::Result;

/// A property of a device, by its number.
///
/// The constants are those of CUDA 13.5. A driver refuses the ones that it does not know, and may know others: make those with
/// `DeviceAttribute(number)`.
///
/// ```
/// use cuda_rt::device::DeviceAttribute;
///
/// assert_eq!(DeviceAttribute::WARP_SIZE.to_string(), "WARP_SIZE");
/// assert_eq!(DeviceAttribute(9999).to_string(), "DeviceAttribute(9999)");
/// ```
#[doc(alias = "CUdevice_attribute")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceAttribute(pub u32);

/// The processes that may use a device.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::Device;
/// use cuda_rt::device::ComputeMode;
///
/// let mut usable = Device::all()?;
/// usable.retain(|device| device.compute_mode() != Ok(ComputeMode::Prohibited));
/// assert_eq!(usable.len(), 2);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUcomputemode")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ComputeMode {
    /// Any process, with several contexts at a time.
    Default,
    /// No process: contexts cannot be created.
    Prohibited,
    /// One process at a time.
    ExclusiveProcess,
    /// A mode that CUDA 13.5 does not name; 1 was "one thread at a time", until CUDA 8.
    Other(i32),
}

impl ComputeMode {
    pub(crate) fn from_raw(number: i32) -> Self {
        match number {
            0 => Self::Default,
            2 => Self::Prohibited,
            3 => Self::ExclusiveProcess,
            other => Self::Other(other),
        }
    }
}

// Its rows are in generator/numbers.tsv.
include!("../generated/device_attribute.rs");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compute_mode_without_a_name_keeps_its_number() {
        let modes = [0, 1, 2, 3, 7].map(ComputeMode::from_raw);
        let (other, named) = (ComputeMode::Other, [ComputeMode::Prohibited, ComputeMode::ExclusiveProcess]);
        assert_eq!(modes, [ComputeMode::Default, other(1), named[0], named[1], other(7)]);
    }
}
