//! Memory locations.

#![allow(unsafe_code)]

use crate::device::Device;
use core::fmt;
use cuda_sys::{
    CU_DEVICE_CPU, CUdevice, CUmemLocation, CUmemLocation_st__bindgen_ty_1, CUmemLocationType_enum as C,
};

/// A memory location: a device, the host, or a NUMA node of the host.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemLocation {
    /// A number of `CUmemLocationType`.
    number: u32,
    /// Number of the device or of the NUMA node; otherwise 0.
    id: i32,
}

const DEVICE: u32 = C::CU_MEM_LOCATION_TYPE_DEVICE.0;
const HOST: u32 = C::CU_MEM_LOCATION_TYPE_HOST.0;
const HOST_NUMA: u32 = C::CU_MEM_LOCATION_TYPE_HOST_NUMA.0;
const HOST_NUMA_CURRENT: u32 = C::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT.0;

impl MemLocation {
    /// The host.
    #[doc(alias = "CU_MEM_LOCATION_TYPE_HOST")]
    pub const HOST: Self = Self::other(HOST, 0);
    /// The NUMA node of the host that the calling thread is closest to.
    #[doc(alias = "CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT")]
    pub const HOST_NUMA_CURRENT: Self = Self::other(HOST_NUMA_CURRENT, 0);

    /// Returns the location of a device.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::memory::MemLocation;
    ///
    /// let device = Device::get(0)?;
    /// assert_eq!(MemLocation::device(device).as_device(), Some(device));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "CU_MEM_LOCATION_TYPE_DEVICE")]
    pub fn device(device: Device) -> Self {
        Self::other(DEVICE, device.as_raw())
    }

    /// Returns the location of a NUMA node.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(cuda_rt::memory::MemLocation::host_numa(1).id(), 1);
    /// ```
    #[doc(alias = "CU_MEM_LOCATION_TYPE_HOST_NUMA")]
    pub fn host_numa(node: i32) -> Self {
        Self::other(HOST_NUMA, node)
    }

    /// Returns the location with the driver's numbers for type and id.
    ///
    /// `number` is a value of `CUmemLocationType`, which this crate need not know. `id` is returned by [`id`](Self::id).
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::memory::MemLocation;
    ///
    /// assert_eq!(MemLocation::other(3, 1), MemLocation::host_numa(1));
    /// assert_eq!(MemLocation::other(99, 1).to_string(), "location 1 of type 99");
    /// ```
    #[doc(alias = "CUmemLocationType")]
    pub const fn other(number: u32, id: i32) -> Self {
        Self { number, id }
    }

    /// Returns the driver's number for the type of the location.
    pub fn number(self) -> u32 {
        self.number
    }

    /// Returns the number of the device or of the NUMA node.
    ///
    /// [`HOST`](Self::HOST) and [`HOST_NUMA_CURRENT`](Self::HOST_NUMA_CURRENT) have the id 0. A location of
    /// [`other`](Self::other) has the id that was given.
    pub fn id(self) -> i32 {
        self.id
    }

    /// Returns the device, if the location is one.
    pub fn as_device(self) -> Option<Device> {
        (self.number == DEVICE).then(|| Device::from_handle(self.id))
    }

    pub(crate) fn as_raw(self) -> CUmemLocation {
        CUmemLocation {
            type_: C(self.number),
            __bindgen_anon_1: CUmemLocation_st__bindgen_ty_1 { id: self.id },
        }
    }

    /// Returns the location that the driver has written, if it is one.
    pub(crate) fn from_raw(raw: CUmemLocation) -> Option<Self> {
        // SAFETY: locations of all types hold four bytes there, and any number is valid.
        Self::from_numbers(raw.type_.0, unsafe { raw.__bindgen_anon_1.id })
    }

    /// Returns the number that functions before CUDA 12.2 take, if they can name the location.
    pub(crate) fn to_ordinal(self) -> Option<CUdevice> {
        match self.number {
            DEVICE => Some(self.id),
            HOST => Some(CU_DEVICE_CPU),
            _ => None,
        }
    }

    /// Returns the location that functions before CUDA 12.2 name by this number.
    pub(crate) fn from_ordinal(device: CUdevice) -> Option<Self> {
        match device {
            CU_DEVICE_CPU => Some(Self::HOST),
            device if device >= 0 => Some(Self::other(DEVICE, device)),
            _ => None,
        }
    }

    /// Returns the location that the driver describes by two numbers, if it is one.
    pub(crate) fn from_numbers(number: u32, id: i32) -> Option<Self> {
        match number {
            0 => None,
            // The driver has no ids for these: -1 with driver 580.
            HOST | HOST_NUMA_CURRENT => Some(Self::other(number, 0)),
            number => Some(Self::other(number, id)),
        }
    }
}

impl fmt::Display for MemLocation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            DEVICE => write!(formatter, "device {}", self.id),
            HOST => formatter.write_str("the host"),
            HOST_NUMA => write!(formatter, "NUMA node {} of the host", self.id),
            HOST_NUMA_CURRENT => formatter.write_str("the nearest NUMA node of the host"),
            number => write!(formatter, "location {} of type {number}", self.id),
        }
    }
}
