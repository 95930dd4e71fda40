//! Devices: the GPUs of the machine, and their properties.
//!
//! | type | stands for |
//! |---|---|
//! | [`Device`] | a GPU, by its ordinal |
//! | [`DeviceAttribute`] | a property of a device that is a number |
//! | [`ComputeCapability`] | the features of a device, and the machine code that it runs |
//! | [`ComputeMode`] | the processes that may use a device |
//! | [`Uuid`] | the identity of a device |
//! | [`Luid`] | the identity of a device under Windows |
//! | [`Notification`], [`NotificationGuard`] | a message of the driver about a device; the registration of a function for such messages |
//! | [`FabricClique`], [`CliqueKind`] | a group of devices that reach each other over a fabric, and the way in which they do |
//! | [`NvSciSyncUse`] | uses of an object of the library `NvSciSync` |
//!
//! # From PyCUDA
//!
//! The [guide](crate::coming_from::pycuda#devices) leads from the names of PyCUDA to the items here.

#![allow(unsafe_code)]

mod attribute;
mod compute_capability;
mod fabric;
mod notification;
mod sci_sync;

pub use attribute::{ComputeMode, DeviceAttribute};
pub use compute_capability::ComputeCapability;
pub use fabric::{CliqueKind, FabricClique};
pub use notification::{Notification, NotificationGuard};
pub use sci_sync::NvSciSyncUse;

use crate::driver::initialised;
use crate::error::{Code, OrDetail, Result};
use crate::list::CollectVec;
use crate::text::c_string;
use core::ffi::{CStr, c_char, c_int};
use core::fmt;
use cuda_sys::{CUdevice, CUdevice_attribute_enum, CUuuid, Symbol};
use std::collections::BTreeMap;

/// A GPU. A plain value, without ownership, valid in the whole process.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::Device;
///
/// for device in Device::all()? {
///     println!("{device}: {}, {} MiB", device.name()?, device.total_memory()? >> 20);
/// }
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUdevice")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Device(CUdevice);

/// The 16 bytes that identify a GPU. `Display` writes them as `nvidia-smi` writes those of a whole GPU: `GPU-…`, even for an
/// instance of a GPU (MIG).
///
/// ```
/// use cuda_rt::device::Uuid;
///
/// let uuid = Uuid(*b"sixteen bytes ok");
/// assert_eq!(uuid.to_string(), "GPU-73697874-6565-6e20-6279-746573206f6b");
/// ```
#[doc(alias = "CUuuid")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uuid(pub [u8; 16]);

impl Uuid {
    pub(crate) fn from_raw(raw: CUuuid) -> Uuid {
        // `c_char` is unsigned on some systems.
        Uuid(bytemuck::cast(raw.bytes))
    }

    pub(crate) fn to_raw(self) -> CUuuid {
        CUuuid { bytes: bytemuck::cast(self.0) }
    }
}

/// The identity of a GPU under Windows, as Direct3D and Vulkan report it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Luid {
    /// The locally unique identifier (`LUID`) of the adapter, in the byte order of its memory. It may change with a restart.
    pub bytes: [u8; 8],
    /// The nodes of the adapter that belong to the device, one bit each.
    pub node_mask: u32,
}

impl Device {
    /// For errors: access of kernels on this device to the memory of another.
    #[cold]
    pub(crate) fn describe_access(self, peer: Device) -> String {
        format!("from device {} to the memory of device {}", self.0, peer.0)
    }

    /// Returns the device with this ordinal, counted from 0. Initialises the driver on the first call. Wraps `cuDeviceGet`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidDevice`]: there are fewer devices.
    /// - Same as [`init`](crate::init).
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::Device;
    /// assert_eq!(Device::get(0)?.as_raw(), 0);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDeviceGet")]
    pub fn get(ordinal: u32) -> Result<Device> {
        let mut device = 0;
        let to = &raw mut device;
        // An ordinal beyond `c_int` becomes -1, which the driver refuses like any other.
        let number = c_int::try_from(ordinal).unwrap_or(-1);
        // SAFETY: `to` is valid for a write.
        initialised(|| unsafe { check!(cuDeviceGet(to, number)) }).or_detail(
            &[Code::InvalidDevice],
            &|| match Device::count() {
                Ok(count) => format!("device {ordinal}, where there are {count}"),
                Err(_) => format!("device {ordinal}"),
            },
        )?;
        Ok(Device(device))
    }

    /// Returns the device at this position of the PCI bus: `"0000:4b:00.0"` or `"4b:00.0"`. Wraps `cuDeviceGetByPCIBusId`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidDevice`] or [`Code::InvalidValue`]: there is no such device.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the text has a NUL.
    /// - Same as [`init`](crate::init).
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::Device;
    /// let device = Device::get(0)?;
    /// assert_eq!(Device::by_pci_bus_id(&device.pci_bus_id()?)?, device);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDeviceGetByPCIBusId")]
    pub fn by_pci_bus_id(place: &str) -> Result<Device> {
        let text = c_string(place)?;
        let mut device = 0;
        let to = &raw mut device;
        // SAFETY: `to` is valid for a write, `text` is a C string.
        initialised(|| unsafe { check!(cuDeviceGetByPCIBusId(to, text.as_ptr())) })
            .or_detail(&[Code::InvalidDevice, Code::InvalidValue], &|| {
                format!("position {place:?} of the PCI bus")
            })?;
        Ok(Device(device))
    }

    /// Returns the number of devices. Wraps `cuDeviceGetCount`.
    ///
    /// # Errors
    ///
    /// Same as [`init`](crate::init); a machine with a driver and no GPU fails there with
    /// [`Code::NoDevice`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::Device;
    /// println!("{} devices", Device::count()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDeviceGetCount")]
    pub fn count() -> Result<u32> {
        let mut count = 0;
        let to = &raw mut count;
        // SAFETY: `to` is valid for a write.
        initialised(|| unsafe { check!(cuDeviceGetCount(to)) })?;
        Ok(u32::try_from(count).unwrap_or(0))
    }

    /// Returns all devices, in the order of their ordinals.
    ///
    /// # Errors
    ///
    /// Same as [`Device::count`] and [`Device::get`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::Device;
    /// assert_eq!(Device::all()?.len(), Device::count()? as usize);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn all() -> Result<Vec<Device>> {
        (0..Device::count()?).map(Device::get).try_collect_vec()
    }

    /// Returns the raw handle, which is the ordinal.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::Device;
    /// assert_eq!(Device::get(1)?.as_raw(), 1);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn as_raw(self) -> CUdevice {
        self.0
    }

    /// Makes a device from a handle that the driver has returned.
    pub(crate) fn from_handle(raw: CUdevice) -> Device {
        Device(raw)
    }

    /// Returns the product's name, for example `"NVIDIA H200"`. Wraps `cuDeviceGetName`.
    ///
    /// # Errors
    ///
    /// No failure is expected of a live driver.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let device = cuda_rt::Device::get(0)?;
    /// assert_eq!(device.name()?, "NVIDIA H200");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDeviceGetName")]
    pub fn name(self) -> Result<String> {
        // The driver truncates longer names.
        self.string::<1024>(|buffer, length| {
            // SAFETY: `buffer` is valid for writes of `length` bytes.
            unsafe { check!(cuDeviceGetName(buffer, length, self.0)) }
        })
    }

    /// Returns the position on the PCI bus as `domain:bus:device.function`. Wraps `cuDeviceGetPCIBusId`.
    ///
    /// # Errors
    ///
    /// No failure is expected of a live driver.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let device = cuda_rt::Device::get(0)?;
    /// assert_eq!(device.pci_bus_id()?, "0000:00:06.0");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDeviceGetPCIBusId")]
    pub fn pci_bus_id(self) -> Result<String> {
        // `00000000:00:00.0` is the longest form.
        self.string::<32>(|buffer, length| {
            // SAFETY: `buffer` is valid for writes of `length` bytes.
            unsafe { check!(cuDeviceGetPCIBusId(buffer, length, self.0)) }
        })
    }

    /// Lets `fill` write a C string of at most `N` bytes. The last byte stays NUL whatever it does.
    fn string<const N: usize>(self, fill: impl FnOnce(*mut c_char, c_int) -> Result<()>) -> Result<String> {
        let mut buffer = [0_u8; N];
        fill(buffer.as_mut_ptr().cast(), const { N as c_int - 1 })?;
        let text = CStr::from_bytes_until_nul(&buffer).unwrap_or_default();
        Ok(text.to_string_lossy().into_owned())
    }

    /// Returns the GPU's identity, which no other GPU has. For an instance of a GPU (MIG), returns the identity of the instance,
    /// from CUDA 11.4 on. Wraps `cuDeviceGetUuid_v2`, and `cuDeviceGetUuid` with drivers before CUDA 11.4.
    ///
    /// # Errors
    ///
    /// No failure is expected of a live driver.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::Device;
    /// assert!(Device::get(0)?.uuid()?.to_string().starts_with("GPU-"));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuDeviceGetUuid", "cuDeviceGetUuid_v2"))]
    pub fn uuid(self) -> Result<Uuid> {
        let mut uuid = CUuuid::default();
        if cuda_sys::driver()?.has(Symbol::cuDeviceGetUuid_v2) {
            // SAFETY: `uuid` is valid for a write.
            unsafe { check!(cuDeviceGetUuid_v2(&raw mut uuid, self.0)) }?;
        } else {
            // SAFETY: `uuid` is valid for a write.
            unsafe { check!(cuDeviceGetUuid(&raw mut uuid, self.0)) }?;
        }
        Ok(Uuid::from_raw(uuid))
    }

    /// Returns the identity that the device has under Windows. Wraps `cuDeviceGetLuid`.
    ///
    /// A graphics library reports the same identity for the same GPU. [`uuid`](Device::uuid) identifies a GPU on every system.
    ///
    /// # Errors
    ///
    /// - [`Code::NotSupported`]: the system is Linux.
    /// - [`ErrorKind::FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the system is Linux, and the driver is older
    ///   than CUDA 11.2.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::error::Code;
    ///
    /// match cuda_rt::Device::get(0)?.luid() {
    ///     Ok(luid) => println!("{:02x?}", luid.bytes),
    ///     Err(error) if error.code() == Some(Code::NotSupported) => println!("no Windows"),
    ///     Err(error) => return Err(error),
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDeviceGetLuid")]
    pub fn luid(self) -> Result<Luid> {
        let mut luid = Luid { bytes: [0; 8], node_mask: 0 };
        let (bytes, node_mask) = ((&raw mut luid.bytes).cast(), &raw mut luid.node_mask);
        // SAFETY: `bytes` is valid for writes of 8 bytes, `node_mask` for a write.
        unsafe { check!(cuDeviceGetLuid(bytes, node_mask, self.0)) }?;
        Ok(luid)
    }

    /// Returns the device's memory in bytes. Wraps `cuDeviceTotalMem`.
    ///
    /// # Errors
    ///
    /// No failure is expected of a live driver.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let device = cuda_rt::Device::get(0)?;
    /// println!("{} MiB", device.total_memory()? >> 20);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDeviceTotalMem")]
    pub fn total_memory(self) -> Result<usize> {
        let mut bytes = 0;
        // SAFETY: `bytes` is valid for a write.
        unsafe { check!(cuDeviceTotalMem_v2(&raw mut bytes, self.0)) }?;
        Ok(bytes)
    }

    /// Returns the compute capability, for example 9.0 for an H200.
    ///
    /// # Errors
    ///
    /// No failure is expected of a live driver.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let device = cuda_rt::Device::get(0)?;
    /// assert_eq!(device.compute_capability()?.major, 9);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDeviceComputeCapability")]
    pub fn compute_capability(self) -> Result<ComputeCapability> {
        let major = self.attribute(DeviceAttribute::COMPUTE_CAPABILITY_MAJOR)?;
        let minor = self.attribute(DeviceAttribute::COMPUTE_CAPABILITY_MINOR)?;
        Ok(ComputeCapability::new(major.cast_unsigned(), minor.cast_unsigned()))
    }

    /// Returns the compute mode: the processes that may use the device.
    ///
    /// # Errors
    ///
    /// No failure is expected of a live driver.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let device = cuda_rt::Device::get(0)?;
    /// assert_eq!(device.compute_mode()?, cuda_rt::device::ComputeMode::Default);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn compute_mode(self) -> Result<ComputeMode> {
        Ok(ComputeMode::from_raw(self.attribute(DeviceAttribute::COMPUTE_MODE)?))
    }

    /// Returns an attribute. Each attribute also has a method of its own name. Wraps `cuDeviceGetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know the attribute.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::device::DeviceAttribute;
    ///
    /// let device = Device::get(0)?;
    /// assert_eq!(device.attribute(DeviceAttribute::WARP_SIZE)?, device.warp_size()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDeviceGetAttribute")]
    pub fn attribute(self, attribute: DeviceAttribute) -> Result<i32> {
        let mut value = 0;
        let number = CUdevice_attribute_enum(attribute.0);
        // SAFETY: `value` is valid for a write; the attribute may be any number.
        unsafe { check!(cuDeviceGetAttribute(&raw mut value, number, self.0)) }
            .or_detail(&[Code::InvalidValue], &|| format!("attribute {attribute}"))?;
        Ok(value)
    }

    /// Returns all attributes that the driver knows.
    ///
    /// # Errors
    ///
    /// All failures except [`Code::InvalidValue`] and [`Code::NotSupported`]: an attribute with such a code is left out.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::Device;
    /// for (attribute, value) in Device::get(0)?.attributes()? {
    ///     println!("{attribute}: {value}");
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    // Compiles the map only for programs that call this method.
    #[inline]
    pub fn attributes(self) -> Result<BTreeMap<DeviceAttribute, i32>> {
        let mut known = BTreeMap::new();
        for attribute in DeviceAttribute::all() {
            match self.attribute(attribute) {
                Ok(value) => known.insert(attribute, value),
                Err(error) if matches!(error.code(), Some(Code::InvalidValue | Code::NotSupported)) => {
                    continue;
                }
                Err(error) => return Err(error),
            };
        }
        Ok(known)
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Device({})", self.0)
    }
}

/// Writes the ordinal: `device 0`.
impl fmt::Display for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "device {}", self.0)
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("GPU")?;
        for (index, byte) in self.0.iter().enumerate() {
            let dash = if matches!(index, 0 | 4 | 6 | 8 | 10) { "-" } else { "" };
            write!(formatter, "{dash}{byte:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Uuid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
