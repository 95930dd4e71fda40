//! Memory capabilities of a viewpoint.

use super::Viewpoint;
use crate::device::{Device, DeviceAttribute};
use crate::error::{Code, Result};

/// Capabilities of code to access memory that is not its own. See [`Device::memory_capabilities`],
/// [`Viewpoint::memory_capabilities`].
///
/// The capabilities are independent: none implies another. They are the driver's answers for this device in this system. The name
/// of a product does not determine them: for example, a GB10 and a GH200 access all of the host's memory, but
/// `direct_managed_access_from_host` is true only for a GH200. The host itself has no capabilities.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::Device;
/// use cuda_rt::access::MemoryCapabilities;
///
/// let capabilities = Device::get(0)?.memory_capabilities()?;
/// if capabilities.pageable_memory_access {
///     println!("kernels read what `malloc` has allocated");
/// }
/// assert!(capabilities.unified_addressing && !MemoryCapabilities::HOST.unified_addressing);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct MemoryCapabilities {
    /// Pinned memory has the same address on the device as on the host.
    #[doc(alias("CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING", "is_uva"))]
    pub unified_addressing: bool,
    /// Kernels can access all memory of the host, including memory of `malloc`.
    #[doc(alias("CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS", "is_cpu_memory_access_from_gpu_supported"))]
    pub pageable_memory_access: bool,
    /// The host can access managed memory that is located on the device, without migrating it. This says nothing about other
    /// memory of the device.
    #[doc(alias(
        "CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST",
        "is_gpu_memory_access_from_cpu_supported"
    ))]
    pub direct_managed_access_from_host: bool,
    /// The link between device and host supports atomic operations. It says neither that both can access the memory, nor that the
    /// operations of a program are supported: see [`host_atomic_capabilities`](Device::host_atomic_capabilities).
    #[doc(alias("CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED", "is_cpu_gpu_atomic_supported"))]
    pub host_native_atomics: bool,
    /// Managed memory is supported.
    #[doc(alias("CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY", "is_managed_memory_supported"))]
    pub managed_memory: bool,
    /// The host may use managed memory while kernels run.
    #[doc(alias("CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS", "is_concurrent_managed_access_supported"))]
    pub concurrent_managed_access: bool,
    /// Memory pools are supported.
    #[doc(alias("CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED", "is_mempool_supported"))]
    pub memory_pools: bool,
    /// [Handles](crate::ipc) can share memory and events with other processes. `None` if the driver does not say.
    #[doc(alias("CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED", "is_ipc_supported"))]
    pub ipc: Option<bool>,
}

impl MemoryCapabilities {
    /// The capabilities of the host: none. All are capabilities of devices.
    pub const HOST: MemoryCapabilities = MemoryCapabilities {
        unified_addressing: false,
        pageable_memory_access: false,
        direct_managed_access_from_host: false,
        host_native_atomics: false,
        managed_memory: false,
        concurrent_managed_access: false,
        memory_pools: false,
        ipc: Some(false),
    };

    /// Returns whether atomic operations of kernels on pageable memory are atomic for the host, too. This needs both
    /// [access](Self::pageable_memory_access) of kernels and [atomics](Self::host_native_atomics) of the link.
    ///
    /// This is a property of the hardware, and implies no order. Threads that share memory in this way use atomic operations of
    /// system scope on both sides. The host waits for kernels before it reads results.
    pub fn atomics_in_pageable_memory(&self) -> bool {
        self.pageable_memory_access && self.host_native_atomics
    }
}

impl Device {
    /// Returns the memory capabilities of the device. Wraps `cuDeviceGetAttribute`, of
    /// [`UNIFIED_ADDRESSING`](DeviceAttribute::UNIFIED_ADDRESSING),
    /// [`PAGEABLE_MEMORY_ACCESS`](DeviceAttribute::PAGEABLE_MEMORY_ACCESS),
    /// [`DIRECT_MANAGED_MEM_ACCESS_FROM_HOST`](DeviceAttribute::DIRECT_MANAGED_MEM_ACCESS_FROM_HOST),
    /// [`HOST_NATIVE_ATOMIC_SUPPORTED`](DeviceAttribute::HOST_NATIVE_ATOMIC_SUPPORTED),
    /// [`MANAGED_MEMORY`](DeviceAttribute::MANAGED_MEMORY),
    /// [`CONCURRENT_MANAGED_ACCESS`](DeviceAttribute::CONCURRENT_MANAGED_ACCESS),
    /// [`MEMORY_POOLS_SUPPORTED`](DeviceAttribute::MEMORY_POOLS_SUPPORTED),
    /// [`IPC_EVENT_SUPPORTED`](DeviceAttribute::IPC_EVENT_SUPPORTED) and [`INTEGRATED`](DeviceAttribute::INTEGRATED).
    ///
    /// If the driver is too old to know a capability, its field is `false`. The field
    /// [`ipc`](MemoryCapabilities::ipc) is `None` in this case.
    ///
    /// # Errors
    ///
    /// No failure is expected of a live driver.
    #[doc(alias = "cuDeviceGetAttribute")]
    pub fn memory_capabilities(self) -> Result<MemoryCapabilities> {
        Ok(MemoryCapabilities {
            unified_addressing: self.has(DeviceAttribute::UNIFIED_ADDRESSING)?,
            pageable_memory_access: self.has(DeviceAttribute::PAGEABLE_MEMORY_ACCESS)?,
            direct_managed_access_from_host: self
                .has(DeviceAttribute::DIRECT_MANAGED_MEM_ACCESS_FROM_HOST)?,
            host_native_atomics: self.has(DeviceAttribute::HOST_NATIVE_ATOMIC_SUPPORTED)?,
            managed_memory: self.has(DeviceAttribute::MANAGED_MEMORY)?,
            concurrent_managed_access: self.has(DeviceAttribute::CONCURRENT_MANAGED_ACCESS)?,
            memory_pools: self.has(DeviceAttribute::MEMORY_POOLS_SUPPORTED)?,
            // An integrated device shares no memory by the handles of `cuIpcGetMemHandle`.
            ipc: match self.known(DeviceAttribute::IPC_EVENT_SUPPORTED)? {
                Some(value) => Some(value > 0 && !self.has(DeviceAttribute::INTEGRATED)?),
                None => None,
            },
        })
    }

    /// Returns whether an attribute is set; an attribute that the driver does not know is not.
    pub(super) fn has(self, attribute: DeviceAttribute) -> Result<bool> {
        Ok(self.known(attribute)?.is_some_and(|value| value > 0))
    }

    fn known(self, attribute: DeviceAttribute) -> Result<Option<i32>> {
        match self.attribute(attribute) {
            Err(error) if error.code() == Some(Code::InvalidValue) => Ok(None),
            answer => answer.map(Some),
        }
    }
}

impl Viewpoint<'_> {
    /// Returns the capabilities of code at this viewpoint: [none](MemoryCapabilities::HOST) on the host.
    ///
    /// # Errors
    ///
    /// Same as [`Device::memory_capabilities`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::access::{MemoryCapabilities, Viewpoint};
    ///
    /// assert_eq!(Viewpoint::Host.memory_capabilities()?, MemoryCapabilities::HOST);
    /// assert!(Viewpoint::Device(&context).memory_capabilities()?.managed_memory);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn memory_capabilities(self) -> Result<MemoryCapabilities> {
        match self {
            Viewpoint::Host => Ok(MemoryCapabilities::HOST),
            Viewpoint::Device(context) => context.device().memory_capabilities(),
        }
    }
}
