//! Multicast objects: one address for memory of several devices.

#![allow(unsafe_code)]

use super::PhysicalMemory;
use super::bindings::{Bindings, ensure_inside};
use super::physical::multiple_of;
use crate::context::release_alone;
use crate::device::Device;
use crate::error::{Code, Error, OrDetail, Result};
use crate::handle::{DriverHandle, Owned, Releasing, ensure_not_forked, made};
use crate::map::SortedSet;
use crate::memory::{DevicePtr, ShareableHandleTypes};
use core::fmt;
use cuda_sys::{
    CUmemGenericAllocationHandle, CUmulticastGranularity_flags,
    CUmulticastGranularity_flags_enum as Granularity, CUmulticastObjectProp, Symbol,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Memory of several devices behind one address: with one `multimem` instruction, a kernel writes to all of it, or reduces all of
/// it. Clones are handles to the same object.
///
/// First, as many devices as the object was created for are added. Then memory of each device is bound to the object. To use the
/// object, map its [handle](MulticastObject::as_raw) to addresses with `cuMemMap` and `cuMemSetAccess`. The device attribute
/// [`MULTICAST_SUPPORTED`](crate::device::DeviceAttribute::MULTICAST_SUPPORTED) says which devices support multicast objects.
/// Since CUDA 12.1; not run on hardware.
///
/// The object keeps its bound memory alive.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::Device;
/// use cuda_rt::memory::{MulticastObject, PhysicalMemory, PhysicalMemoryOptions, ShareableHandleTypes};
///
/// let devices = Device::all()?;
/// let bytes = MulticastObject::granularity(2, ShareableHandleTypes::NONE)?;
/// let object = MulticastObject::new(2, bytes, ShareableHandleTypes::NONE)?;
/// for device in &devices {
///     object.add_device(*device)?;
/// }
/// for device in devices {
///     let memory = PhysicalMemory::new(device, bytes, PhysicalMemoryOptions::new())?;
///     object.bind(device, 0, &memory, 0, bytes)?;
/// }
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias("CUmulticastObjectProp", "CUmemGenericAllocationHandle"))]
#[derive(Clone)]
pub struct MulticastObject(Arc<Owned<Team>>);

struct Team {
    raw: CUmemGenericAllocationHandle,
    bytes: usize,
    /// Number of devices for which the object was created.
    devices: u32,
    /// If true, other processes may add devices.
    is_shareable: bool,
    /// Devices that this process has added. Includes devices whose call reported an earlier failure: the call may have added
    /// them.
    added: Mutex<SortedSet<Device>>,
    bindings: Bindings,
}

impl MulticastObject {
    /// Returns the smallest unit of sizes and offsets, in bytes, for an object of `devices` devices. Wraps
    /// `cuMulticastGetGranularity`. Since CUDA 12.1.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver refuses the properties.
    /// - [`Code::NotSupported`]: no device supports multicast objects.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.1.
    #[doc(alias("cuMulticastGetGranularity", "CU_MULTICAST_GRANULARITY_MINIMUM"))]
    pub fn granularity(devices: u32, handle_types: ShareableHandleTypes) -> Result<usize> {
        granularity(devices, handle_types, Granularity::CU_MULTICAST_GRANULARITY_MINIMUM)
    }

    /// Returns the fastest unit of sizes and offsets, in bytes. Wraps `cuMulticastGetGranularity`. Since CUDA 12.1.
    ///
    /// # Errors
    ///
    /// Same as [`MulticastObject::granularity`].
    #[doc(alias("cuMulticastGetGranularity", "CU_MULTICAST_GRANULARITY_RECOMMENDED"))]
    pub fn recommended_granularity(devices: u32, handle_types: ShareableHandleTypes) -> Result<usize> {
        granularity(devices, handle_types, Granularity::CU_MULTICAST_GRANULARITY_RECOMMENDED)
    }

    /// Creates an object for `devices` devices, with `bytes` bytes of each. Wraps `cuMulticastCreate`. Since CUDA 12.1.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): `devices` or `bytes` is 0, or `bytes` is not a multiple
    ///   of the [granularity](MulticastObject::granularity).
    /// - [`Code::InvalidValue`], [`Code::NotPermitted`]: the driver refuses the number of devices, the size or the
    ///   handle types.
    /// - [`Code::NotSupported`]: no device supports multicast objects.
    /// - [`Code::OutOfMemory`].
    /// - An earlier failure.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.1.
    #[doc(alias("cuMulticastCreate", "cuMulticastGetGranularity"))]
    pub fn new(devices: u32, bytes: usize, handle_types: ShareableHandleTypes) -> Result<MulticastObject> {
        if bytes == 0 {
            return Err(Error::empty("multicast object"));
        }
        if devices == 0 {
            return Err(Error::invalid("multicast object", format_args!("0 devices are fewer than 1")));
        }
        multiple_of("size", bytes as u64, MulticastObject::granularity(devices, handle_types)?)?;
        let properties = properties(devices, bytes, handle_types);
        let mut raw = 0;
        // SAFETY: `raw` is valid for a write, `properties` for a read.
        let created = unsafe { check!(cuMulticastCreate(&raw mut raw, &raw const properties)) }
            .or_detail(&[Code::OutOfMemory], &|| format!("{bytes} bytes of each of {devices} devices"))
            .or_detail(&[Code::InvalidValue, Code::NotPermitted, Code::NotSupported], &|| {
                format!("{bytes} bytes of each of {devices} devices, handle types {:#x}", handle_types.bits())
            });
        let is_shareable = handle_types != ShareableHandleTypes::NONE;
        let (added, bindings) = (Mutex::new(SortedSet::new()), Bindings::default());
        let team = Team { raw, bytes, devices, is_shareable, added, bindings };
        made(created, raw != 0, || MulticastObject(Arc::new(Owned::first(team))))
    }

    /// Returns the raw handle. The caller must not release the handle. Keep a handle of this crate as long as the object is
    /// mapped: it keeps the bound memory alive.
    pub fn as_raw(&self) -> CUmemGenericAllocationHandle {
        self.0.raw
    }

    /// Returns the number of bytes that can be bound of each device.
    pub fn size_bytes(&self) -> usize {
        self.0.bytes
    }

    /// Returns the number of devices for which the object was created.
    pub fn devices(&self) -> u32 {
        self.0.devices
    }

    /// Adds a device, for as long as the object exists. Wraps `cuMulticastAddDevice`. Since CUDA 12.1.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidDevice`]: the device cannot be in one object with the devices that were added before.
    /// - [`Code::InvalidValue`]: the device was added before, or the object has all its devices.
    /// - [`Code::NotSupported`]: the device does not support multicast objects.
    /// - An earlier failure. The device counts as added.
    #[doc(alias = "cuMulticastAddDevice")]
    pub fn add_device(&self, device: Device) -> Result<()> {
        // SAFETY: the handle is live.
        let outcome = unsafe { check!(cuMulticastAddDevice(self.0.raw, device.as_raw())) }
            .or_detail(&[Code::InvalidDevice, Code::InvalidValue, Code::NotSupported], &|| {
                format!("device {}", device.as_raw())
            });
        // A call may have done its work and report an earlier failure.
        if outcome.as_ref().err().is_none_or(Error::is_sticky) {
            self.added().insert(device);
        }
        outcome
    }

    /// Binds `bytes` bytes of memory of `device` to the object. Wraps `cuMulticastBindMem_v2`, and `cuMulticastBindMem` on
    /// drivers before CUDA 13.1. Since CUDA 12.1.
    ///
    /// The range begins at `offset` of the object and at `memory_offset` of the memory. Offsets and sizes must be multiples of
    /// the [granularity](MulticastObject::granularity).
    ///
    /// # Blocking
    ///
    /// If the object can be shared, until all devices are added, also by other processes.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a range is not inside, a device is missing that
    ///   no other process can add, or the memory is a [tile pool](crate::memory::PhysicalMemoryOptions::tile_pool).
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the driver is older than CUDA 13.1, and the memory is not
    ///   of `device`.
    /// - [`Code::InvalidValue`]: memory is bound there already, or a number is not a multiple of the granularity.
    /// - [`Code::InvalidDevice`]: the device was not added.
    /// - [`Code::NotPermitted`], [`Code::NotSupported`], for instance if the object can be shared and the memory cannot.
    /// - [`Code::OutOfMemory`], [`Code::SystemNotReady`], [`Code::IllegalState`].
    /// - An earlier failure. The memory may be bound.
    #[doc(alias("cuMulticastBindMem", "cuMulticastBindMem_v2"))]
    pub fn bind(
        &self,
        device: Device,
        offset: usize,
        memory: &PhysicalMemory,
        memory_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        let call = Symbol::cuMulticastBindMem;
        memory.refuse_tile_pool(call)?;
        self.ensure_complete(call)?;
        ensure_inside(call, "the memory", memory_offset, bytes, memory.size_bytes())?;
        ensure_inside(call, "the object", offset, bytes, self.0.bytes)?;
        let (object, memory_raw) = (self.0.raw, memory.as_raw());
        let bound = if cuda_sys::driver()?.has(Symbol::cuMulticastBindMem_v2) {
            let device = device.as_raw();
            // SAFETY: both handles are live. The object keeps the memory alive until it is unbound.
            unsafe {
                check!(cuMulticastBindMem_v2(object, device, offset, memory_raw, memory_offset, bytes, 0))
            }
        } else {
            if memory.properties()?.device != Some(device) {
                return Err(Error::invalid_for(
                    call,
                    format_args!("the memory is not of device {}; name its own device", device.as_raw()),
                ));
            }
            // SAFETY: both handles are live. The object keeps the memory alive until it is unbound.
            unsafe { check!(cuMulticastBindMem(object, offset, memory_raw, memory_offset, bytes, 0)) }
        };
        self.0.bindings.note(bound, (device, offset), bytes, Some(memory.clone()))
    }

    /// Binds the memory at an address. Wraps `cuMulticastBindAddr_v2`, and `cuMulticastBindAddr` on drivers before CUDA 13.1. Since
    /// CUDA 12.1.
    ///
    /// # Blocking
    ///
    /// Same as [`bind`](MulticastObject::bind).
    ///
    /// # Errors
    ///
    /// Same as [`bind`](MulticastObject::bind).
    ///
    /// # Safety
    ///
    /// - `bytes` bytes from `ptr` on are memory of `device`, mapped or from a pool.
    /// - They stay allocated until they are unbound, or until nothing uses the object any more.
    #[doc(alias("cuMulticastBindAddr", "cuMulticastBindAddr_v2"))]
    pub unsafe fn bind_address(
        &self,
        device: Device,
        offset: usize,
        ptr: DevicePtr<u8>,
        bytes: usize,
    ) -> Result<()> {
        let call = Symbol::cuMulticastBindAddr;
        self.ensure_complete(call)?;
        ensure_inside(call, "the object", offset, bytes, self.0.bytes)?;
        let (object, address) = (self.0.raw, ptr.as_raw());
        let bound = if cuda_sys::driver()?.has(Symbol::cuMulticastBindAddr_v2) {
            // SAFETY: the handle is live. The caller is responsible for the memory.
            unsafe { check!(cuMulticastBindAddr_v2(object, device.as_raw(), offset, address, bytes, 0)) }
        } else {
            // SAFETY: the handle is live. The caller is responsible for the memory.
            unsafe { check!(cuMulticastBindAddr(object, offset, address, bytes, 0)) }
        };
        self.0.bindings.note(bound, (device, offset), bytes, None)
    }

    /// Unbinds the memory of `device` that was bound at `offset`. Wraps `cuMulticastUnbind`. Since CUDA 12.1.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): no memory was bound there by this value or its clones.
    /// - The driver's refusal. The memory stays bound.
    ///
    /// # Safety
    ///
    /// No work uses the range of the object.
    #[doc(alias = "cuMulticastUnbind")]
    pub unsafe fn unbind(&self, device: Device, offset: usize) -> Result<()> {
        self.0.bindings.unbind(Symbol::cuMulticastUnbind, (device, offset), |bytes| {
            // SAFETY: the handle is live, and the range is that of one call that bound it.
            unsafe { check!(cuMulticastUnbind(self.0.raw, device.as_raw(), offset, bytes)) }
        })
    }

    /// Releases the object, if this is the last handle to it, and returns the driver's answer. Wraps `cuMemRelease`.
    ///
    /// # Errors
    ///
    /// An earlier failure. The handle is consumed in any case.
    #[doc(alias = "cuMemRelease")]
    pub fn close(self) -> Result<()> {
        Owned::close_last(self.0)
    }

    fn added(&self) -> MutexGuard<'_, SortedSet<Device>> {
        self.0.added.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refuses a call that would wait forever for devices that are never added.
    fn ensure_complete(&self, call: Symbol) -> Result<()> {
        // The list may be locked in the child of a fork.
        ensure_not_forked(call)?;
        let (added, devices) = (self.added().len(), self.0.devices);
        if self.0.is_shareable || added >= devices as usize {
            return Ok(());
        }
        Err(Error::invalid_for(
            call,
            format_args!("{added} of {devices} devices are added; add all before memory is bound"),
        ))
    }
}

fn properties(devices: u32, bytes: usize, handle_types: ShareableHandleTypes) -> CUmulticastObjectProp {
    CUmulticastObjectProp {
        numDevices: devices,
        size: bytes,
        handleTypes: u64::from(handle_types.bits()),
        ..CUmulticastObjectProp::default()
    }
}

fn granularity(
    devices: u32,
    handle_types: ShareableHandleTypes,
    which: CUmulticastGranularity_flags,
) -> Result<usize> {
    // The driver requires a size. The smallest possible size is sufficient.
    let properties = properties(devices, 1, handle_types);
    let (mut unit, properties) = (0, &raw const properties);
    // SAFETY: `unit` is valid for a write, `properties` for a read.
    unsafe { check!(cuMulticastGetGranularity(&raw mut unit, properties, which)) }
        .or_detail(&[Code::InvalidValue], &|| {
            format!("{devices} devices, handle types {:#x}", handle_types.bits())
        })?;
    Ok(unit)
}

/// Two handles are equal if they name the same object.
impl PartialEq for MulticastObject {
    fn eq(&self, other: &MulticastObject) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for MulticastObject {}

impl fmt::Debug for MulticastObject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MulticastObject")
            .field("raw", &format_args!("{:#x}", self.0.raw))
            .field("bytes", &self.0.bytes)
            .field("devices", &self.0.devices)
            .finish()
    }
}

impl DriverHandle for Team {
    fn release_call(&self) -> Symbol {
        Symbol::cuMemRelease
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        release_alone(&mut || {
            // SAFETY: the owner releases the handle once, and does not use it afterwards. A mapping keeps the object alive.
            unsafe { check!(cuMemRelease(self.raw)) }
        })
    }
}
