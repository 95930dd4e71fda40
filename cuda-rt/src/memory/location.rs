//! Where memory is.

use crate::device::Device;
use core::fmt;
use cuda_sys::{
    CU_DEVICE_CPU, CUdevice, CUmemLocation, CUmemLocation_st__bindgen_ty_1, CUmemLocationType_enum as C,
};

/// A place for memory: a device, the host, or a part of the host.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::Device;
/// use cuda_rt::memory::MemLocation;
///
/// assert_eq!(MemLocation::device(Device::get(1)?).to_string(), "device 1");
/// assert_eq!(MemLocation::host_numa(0).to_string(), "NUMA node 0 of the host");
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUmemLocation")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MemLocation {
    /// What it is.
    pub kind: MemLocationKind,
    /// Which one, if there are several; else 0.
    pub id: i32,
}

/// What a [`MemLocation`] is: any number that some driver knows.
///
/// ```
/// use cuda_rt::memory::{MemLocation, MemLocationKind};
///
/// assert_eq!(MemLocation::HOST.kind, MemLocationKind::HOST);
/// assert_eq!(format!("{:?}", MemLocationKind(99)), "MemLocationKind(99)");
/// ```
#[doc(alias = "CUmemLocationType")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MemLocationKind(pub u32);

impl MemLocationKind {
    /// The memory of a device; the id is the device's number.
    #[doc(alias = "CU_MEM_LOCATION_TYPE_DEVICE")]
    pub const DEVICE: Self = Self(C::CU_MEM_LOCATION_TYPE_DEVICE.0);
    /// That of the host.
    #[doc(alias = "CU_MEM_LOCATION_TYPE_HOST")]
    pub const HOST: Self = Self(C::CU_MEM_LOCATION_TYPE_HOST.0);
    /// That of a NUMA node of the host; the id is the node's number.
    #[doc(alias = "CU_MEM_LOCATION_TYPE_HOST_NUMA")]
    pub const HOST_NUMA: Self = Self(C::CU_MEM_LOCATION_TYPE_HOST_NUMA.0);
    /// That of the NUMA node that the calling thread is closest to.
    #[doc(alias = "CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT")]
    pub const HOST_NUMA_CURRENT: Self = Self(C::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT.0);
}

impl MemLocation {
    /// The host's memory.
    pub const HOST: Self = Self { kind: MemLocationKind::HOST, id: 0 };
    /// The memory of the NUMA node that the calling thread is closest to.
    pub const HOST_NUMA_CURRENT: Self = Self { kind: MemLocationKind::HOST_NUMA_CURRENT, id: 0 };

    /// The memory of a device.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::memory::{MemLocation, MemLocationKind};
    ///
    /// let first = MemLocation::device(Device::get(0)?);
    /// assert_eq!((first.kind, first.id), (MemLocationKind::DEVICE, 0));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn device(device: Device) -> Self {
        Self { kind: MemLocationKind::DEVICE, id: device.as_raw() }
    }

    /// The memory of a NUMA node of the host.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(cuda_rt::memory::MemLocation::host_numa(1).id, 1);
    /// ```
    pub fn host_numa(node: i32) -> Self {
        Self { kind: MemLocationKind::HOST_NUMA, id: node }
    }

    pub(crate) fn as_raw(self) -> CUmemLocation {
        CUmemLocation {
            type_: C(self.kind.0),
            __bindgen_anon_1: CUmemLocation_st__bindgen_ty_1 { id: self.id },
        }
    }

    /// As functions before CUDA 12.2 say it, if they can.
    pub(crate) fn as_device(self) -> Option<CUdevice> {
        match self.kind {
            MemLocationKind::DEVICE => Some(self.id),
            MemLocationKind::HOST => Some(CU_DEVICE_CPU),
            _ => None,
        }
    }

    /// From what functions before CUDA 12.2 say.
    pub(crate) fn from_device(device: CUdevice) -> Option<Self> {
        match device {
            CU_DEVICE_CPU => Some(Self::HOST),
            device if device >= 0 => Some(Self { kind: MemLocationKind::DEVICE, id: device }),
            _ => None,
        }
    }
}

impl fmt::Display for MemLocation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            MemLocationKind::DEVICE => write!(formatter, "device {}", self.id),
            MemLocationKind::HOST => formatter.write_str("the host"),
            MemLocationKind::HOST_NUMA => write!(formatter, "NUMA node {} of the host", self.id),
            MemLocationKind::HOST_NUMA_CURRENT => formatter.write_str("the nearest NUMA node of the host"),
            MemLocationKind(kind) => write!(formatter, "location {} of kind {kind}", self.id),
        }
    }
}
