//! Capabilities of a viewpoint with memory of others.

use super::Viewpoint;
use crate::device::{Device, DeviceAttribute};
use crate::error::{Code, Result};

/// The abilities of code at a place to reach memory. See [`Device::memory_capabilities`],
/// [`Viewpoint::memory_capabilities`].
///
/// Each is a property of its own: none implies another. They are what the driver says of this device in this system, which
/// the name of the product does not tell (a GB10 reaches all of the host's memory, and the host does not reach its managed
/// memory directly). The host itself has none of them.
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
    /// Page-locked memory has the same address on the device as on the host.
    #[doc(alias("CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING", "is_uva"))]
    pub unified_addressing: bool,
    /// Kernels reach all memory of the host, `malloc`'s too.
    #[doc(alias("CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS", "is_cpu_memory_access_from_gpu_supported"))]
    pub pageable_memory_access: bool,
    /// The host reaches managed memory that lies on the device, without its being moved. It says nothing of other memory of
    /// the device.
    #[doc(alias(
        "CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST",
        "is_gpu_memory_access_from_cpu_supported"
    ))]
    pub direct_managed_access_from_host: bool,
    /// The link between device and host has atomic operations. That both reach the memory is another matter, and so is
    /// whether the operations that a program uses are among them: see
    /// [`host_atomic_capabilities`](Device::host_atomic_capabilities).
    #[doc(alias("CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED", "is_cpu_gpu_atomic_supported"))]
    pub host_native_atomics: bool,
    /// There is managed memory.
    #[doc(alias("CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY", "is_managed_memory_supported"))]
    pub managed_memory: bool,
    /// The host may use managed memory while kernels run.
    #[doc(alias("CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS", "is_concurrent_managed_access_supported"))]
    pub concurrent_managed_access: bool,
    /// There are memory pools.
    #[doc(alias("CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED", "is_mempool_supported"))]
    pub memory_pools: bool,
    /// Memory and events can be shared with other processes by [handles](crate::ipc). `None` if the driver does not say.
    #[doc(alias("CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED", "is_ipc_supported"))]
    pub ipc: Option<bool>,
}

impl MemoryCapabilities {
    /// The capabilities of the host: none. They are all capabilities of devices.
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

    /// Returns whether atomic operations of kernels on pageable memory of the host are atomic for the host, too: it
    /// takes both that kernels [reach](Self::pageable_memory_access) it and that the link has
    /// [atomics](Self::host_native_atomics).
    ///
    /// This is what the hardware has, and no promise of any order: threads that share memory that way use atomic
    /// operations of system scope on both sides, and waits for kernels before it reads results.
    pub fn atomics_in_pageable_memory(&self) -> bool {
        self.pageable_memory_access && self.host_native_atomics
    }
}

impl Device {
    /// Returns the capabilities of the device with memory. Wraps `cuDeviceGetAttribute`, of
    /// [`UNIFIED_ADDRESSING`](DeviceAttribute::UNIFIED_ADDRESSING),
    /// [`PAGEABLE_MEMORY_ACCESS`](DeviceAttribute::PAGEABLE_MEMORY_ACCESS),
    /// [`DIRECT_MANAGED_MEM_ACCESS_FROM_HOST`](DeviceAttribute::DIRECT_MANAGED_MEM_ACCESS_FROM_HOST),
    /// [`HOST_NATIVE_ATOMIC_SUPPORTED`](DeviceAttribute::HOST_NATIVE_ATOMIC_SUPPORTED),
    /// [`MANAGED_MEMORY`](DeviceAttribute::MANAGED_MEMORY),
    /// [`CONCURRENT_MANAGED_ACCESS`](DeviceAttribute::CONCURRENT_MANAGED_ACCESS),
    /// [`MEMORY_POOLS_SUPPORTED`](DeviceAttribute::MEMORY_POOLS_SUPPORTED),
    /// [`IPC_EVENT_SUPPORTED`](DeviceAttribute::IPC_EVENT_SUPPORTED) and [`INTEGRATED`](DeviceAttribute::INTEGRATED).
    ///
    /// If the driver is too old to know a capability, it counts as absent.
    ///
    /// # Errors
    ///
    /// None are expected of a live driver.
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
            // An integrated device shares nothing by the handles of `cuIpcGetMemHandle`.
            ipc: match self.known(DeviceAttribute::IPC_EVENT_SUPPORTED)? {
                Some(value) => Some(value > 0 && !self.has(DeviceAttribute::INTEGRATED)?),
                None => None,
            },
        })
    }

    /// Returns whether a property is there; one that the driver does not know is not.
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
    /// Returns the capabilities of code here: [none](MemoryCapabilities::HOST) on the host.
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
