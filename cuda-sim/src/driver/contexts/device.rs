//! Devices.

#![allow(unsafe_code)]

use crate::config::{PeerLink, Profile};
use crate::driver::handles::Handle;
use crate::driver::rules::since;
use crate::driver::{Answer, Call, State, check_out, put, put_if_wanted};
use core::ffi::{CStr, c_char, c_int, c_uint};
use cuda_sys::{
    CUdevice, CUdevice_attribute, CUdevice_attribute_enum as Attribute, CUdevprop,
    CUflushGPUDirectRDMAWritesOptions_enum, CUflushGPUDirectRDMAWritesScope,
    CUflushGPUDirectRDMAWritesTarget, CUresult, CUuuid,
};

/// Device with its primary context.
pub(crate) struct Device {
    /// Position in the machine, which may differ from its ordinal in the program.
    place: u32,
    /// Allocated once and kept: a new primary context has the same handle.
    pub(crate) primary: Option<Handle>,
    pub(crate) retains: u32,
    pub(crate) primary_flags: c_uint,
    /// Default pool, and the pool of allocations that name none.
    pub(crate) default_pool: Handle,
    pub(crate) current_pool: Handle,
}

impl Device {
    pub(crate) fn new(place: u32) -> Device {
        let (default_pool, current_pool) = (Handle::NULL, Handle::NULL);
        Device { place, primary: None, retains: 0, primary_flags: 0, default_pool, current_pool }
    }

    pub(crate) fn place(&self) -> u32 {
        self.place
    }

    pub(crate) fn uuid(&self) -> CUuuid {
        CUuuid { bytes: crate::config::uuid(self.place).map(|byte| byte as c_char) }
    }

    /// Returns the PCI bus and the slot on the bus. Devices have adjacent slots, and a bus has 32.
    fn pci_place(&self, profile: &Profile) -> (i32, i32) {
        const SLOTS: i32 = 32;
        let number = |attribute: Attribute| profile.attribute(attribute.0).unwrap_or(0);
        let slot =
            number(Attribute::CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID).saturating_add(self.place.cast_signed());
        let bus = number(Attribute::CU_DEVICE_ATTRIBUTE_PCI_BUS_ID).saturating_add(slot.div_euclid(SLOTS));
        (bus, slot.rem_euclid(SLOTS))
    }

    fn pci_bus_id(&self, profile: &Profile) -> String {
        let domain = profile.attribute(Attribute::CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID.0).unwrap_or(0);
        let (bus, slot) = self.pci_place(profile);
        format!("{domain:04x}:{bus:02x}:{slot:02x}.0")
    }

    /// Returns one of the device's attributes.
    pub(crate) fn attribute(&self, profile: &Profile, attribute: CUdevice_attribute) -> Option<c_int> {
        match attribute {
            Attribute::CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID => Some(self.pci_place(profile).1),
            Attribute::CU_DEVICE_ATTRIBUTE_PCI_BUS_ID => Some(self.pci_place(profile).0),
            other if is_missing_on_host(other) => profile.attribute(other.0).map(|_| 0),
            other => profile.attribute(other.0),
        }
    }
}

/// True if the host can share memory and map it at chosen addresses.
const HOST_MAPS_FILES: bool =
    cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")));

/// Returns whether an attribute announces a feature that cannot be simulated on the host's operating system.
fn is_missing_on_host(attribute: CUdevice_attribute) -> bool {
    match attribute {
        Attribute::CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
        | Attribute::CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED
        | Attribute::CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED
        | Attribute::CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES
        | Attribute::CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED
        | Attribute::CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED
        | Attribute::CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED
        | Attribute::CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED
        | Attribute::CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
        | Attribute::CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
        | Attribute::CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED => !HOST_MAPS_FILES,
        _ => false,
    }
}

impl State {
    pub(crate) fn device(&self, device: CUdevice) -> Answer<&Device> {
        let index = usize::try_from(device).map_err(|_| CUresult::CUDA_ERROR_INVALID_DEVICE)?;
        self.devices.get(index).ok_or(CUresult::CUDA_ERROR_INVALID_DEVICE)
    }

    /// Returns the position of the device in the machine.
    fn place(&self, device: CUdevice) -> u32 {
        self.device(device).map_or(0, |device| device.place)
    }

    /// Returns the hexadecimal digits of the device's UUID, which are the same in every process.
    pub(crate) fn device_name(&self, device: CUdevice) -> String {
        let bytes = crate::config::uuid(self.place(device));
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns the profile of the device.
    pub(crate) fn profile(&self, device: CUdevice) -> &Profile {
        self.config.profile(self.place(device))
    }

    /// Returns whether a device can access the memory of another one.
    pub(crate) fn can_access(&self, device: CUdevice, peer: CUdevice) -> bool {
        self.link_between(device, peer).is_some()
    }

    /// Returns the link through which a device accesses the memory of another one, if there is one.
    pub(crate) fn link_between(&self, device: CUdevice, peer: CUdevice) -> Option<PeerLink> {
        self.config.link_between(self.place(device), self.place(peer))
    }

    /// Returns an attribute of an existing device, or 0 if its profile lacks the attribute.
    pub(crate) fn limit_of(&self, device: CUdevice, attribute: CUdevice_attribute) -> u64 {
        let value =
            self.device(device).ok().and_then(|found| found.attribute(self.profile(device), attribute));
        value.and_then(|value| u64::try_from(value).ok()).unwrap_or(0)
    }

    /// Refuses a device without memory pools, as documented.
    pub(crate) fn check_pools(&self, device: CUdevice) -> Answer {
        match self.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) {
            0 => Err(CUresult::CUDA_ERROR_NOT_SUPPORTED),
            _ => Ok(()),
        }
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get(call: &mut Call<'_>, device: *mut CUdevice, ordinal: c_int) -> Answer {
    call.state.device(ordinal)?;
    // SAFETY: the program's promise.
    unsafe { put(device, ordinal) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn count(call: &mut Call<'_>, count: *mut c_int) -> Answer {
    // SAFETY: the program's promise.
    unsafe { put(count, call.state.devices.len() as c_int) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn name(call: &mut Call<'_>, name: *mut c_char, len: c_int, device: CUdevice) -> Answer {
    call.state.device(device)?;
    // SAFETY: the program's promise.
    unsafe { put_string(&call.state.profile(device).name, name, len) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn pci_bus_id(
    call: &mut Call<'_>,
    to: *mut c_char,
    len: c_int,
    device: CUdevice,
) -> Answer {
    let place = call.state.device(device)?.pci_bus_id(call.state.profile(device));
    // SAFETY: the program's promise.
    unsafe { put_string(&place, to, len) }?;
    // Unlike a name, the whole text must fit. If it does not, the call fails, but writes the part
    // that fits (fact A11).
    if usize::try_from(len).is_ok_and(|len| place.len() < len) {
        Ok(())
    } else {
        Err(CUresult::CUDA_ERROR_INVALID_VALUE)
    }
}

/// Writes as much of the text as fits, and a NUL.
///
/// # Safety
///
/// `to` is null or valid for writes of `len` bytes.
unsafe fn put_string(text: &str, to: *mut c_char, len: c_int) -> Answer {
    let room = usize::try_from(len).unwrap_or(0).checked_sub(1).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    if to.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let used = text.len().min(room);
    // SAFETY: `used` is less than `len`; the source is a string of our own.
    unsafe { to.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), used) };
    // SAFETY: `used` is less than `len`.
    let end = unsafe { to.add(used) };
    // SAFETY: within the same buffer.
    unsafe { end.write(0) };
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn by_pci_bus_id(
    call: &mut Call<'_>,
    device: *mut CUdevice,
    place: *const c_char,
) -> Answer {
    if place.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so a C string.
    let place = unsafe { CStr::from_ptr(place) }.to_str().map_err(|_| CUresult::CUDA_ERROR_INVALID_VALUE)?;
    let wanted = parse_pci(place).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    let state = &*call.state;
    let place = |device: &Device| device.pci_bus_id(state.config.profile(device.place));
    let mut devices = state.devices.iter();
    let found = devices.position(|device| parse_pci(&place(device)) == Some(wanted));
    let ordinal = found.ok_or(CUresult::CUDA_ERROR_INVALID_DEVICE)?;
    // SAFETY: the program's promise.
    unsafe { put(device, ordinal as CUdevice) }
}

/// Parses `domain:bus:device.function`, `domain:bus:device` or `bus:device.function` in hexadecimal. A place without a domain
/// needs a function (conformance fact V1208).
fn parse_pci(place: &str) -> Option<[u32; 4]> {
    let number = |text: &str| u32::from_str_radix(text, 16).ok();
    let parts: Vec<&str> = place.split(':').collect();
    let (domain, bus, slot) = match parts[..] {
        [domain, bus, slot] => (domain, bus, slot),
        [bus, slot] if slot.contains('.') => ("0", bus, slot),
        _ => return None,
    };
    let (slot, function) = slot.split_once('.').unwrap_or((slot, "0"));
    Some([number(domain)?, number(bus)?, number(slot)?, number(function)?])
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn uuid(call: &mut Call<'_>, uuid: *mut CUuuid, device: CUdevice) -> Answer {
    let value = call.state.device(device)?.uuid();
    // SAFETY: the program's promise.
    unsafe { put(uuid, value) }
}

/// Refuses the call, because Linux has no such identifier.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn luid(
    call: &mut Call<'_>,
    luid: *mut c_char,
    node_mask: *mut c_uint,
    device: CUdevice,
) -> Answer {
    check_out(luid)?;
    check_out(node_mask)?;
    call.state.device(device)?;
    Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn total_memory(call: &mut Call<'_>, bytes: *mut usize, device: CUdevice) -> Answer {
    call.state.device(device)?;
    // SAFETY: the program's promise.
    unsafe { put(bytes, call.state.profile(device).total_memory as usize) }
}

/// Returns an attribute. The device is checked before the attribute (measured).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn attribute(
    call: &mut Call<'_>,
    value: *mut c_int,
    attribute: CUdevice_attribute,
    device: CUdevice,
) -> Answer {
    let found = call.state.device(device)?;
    call.state.require(since::DEVICE_ATTRIBUTES, attribute.0)?;
    let known = found.attribute(call.state.profile(device), attribute);
    let lacking = || call.state.lacking(since::DEVICE_ATTRIBUTES, attribute.0, "device attribute");
    let known = known.ok_or_else(lacking)?;
    // SAFETY: the program's promise.
    unsafe { put(value, known) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn compute_capability(
    call: &mut Call<'_>,
    major: *mut c_int,
    minor: *mut c_int,
    device: CUdevice,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { attribute(call, major, Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) }?;
    // SAFETY: the program's promise.
    unsafe { attribute(call, minor, Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn properties(call: &mut Call<'_>, properties: *mut CUdevprop, device: CUdevice) -> Answer {
    call.state.device(device)?;
    let number = |attribute| call.state.limit_of(device, attribute) as c_int;
    let value = CUdevprop {
        maxThreadsPerBlock: number(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
        maxThreadsDim: [
            number(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
            number(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
            number(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z),
        ],
        maxGridSize: [
            number(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
            number(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
            number(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z),
        ],
        sharedMemPerBlock: number(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
        totalConstantMemory: number(Attribute::CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY),
        SIMDWidth: number(Attribute::CU_DEVICE_ATTRIBUTE_WARP_SIZE),
        memPitch: number(Attribute::CU_DEVICE_ATTRIBUTE_MAX_PITCH),
        regsPerBlock: number(Attribute::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK),
        clockRate: number(Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE),
        textureAlign: number(Attribute::CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT),
    };
    // SAFETY: the program's promise.
    unsafe { put(properties, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn stream_priority_range(
    call: &mut Call<'_>,
    least: *mut c_int,
    greatest: *mut c_int,
) -> Answer {
    let device = call.state.live_context(call.context)?.device;
    let (first, last) = call.state.profile(device).stream_priorities;
    // SAFETY: the program's promise; either parameter may be null.
    unsafe { put_if_wanted(least, last) };
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(greatest, first) };
    Ok(())
}

/// Checks the arguments only: writes of other PCI devices are visible at once here.
pub(crate) fn flush_rdma_writes(
    call: &mut Call<'_>,
    target: CUflushGPUDirectRDMAWritesTarget,
    scope: CUflushGPUDirectRDMAWritesScope,
) -> Answer {
    let options = Attribute::CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS;
    let device = call.state.live_context(call.context)?.device;
    let by_host = CUflushGPUDirectRDMAWritesOptions_enum::CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_HOST;
    let is_scope = matches!(
        scope,
        CUflushGPUDirectRDMAWritesScope::CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER
            | CUflushGPUDirectRDMAWritesScope::CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES
    );
    let current = CUflushGPUDirectRDMAWritesTarget::CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX;
    if target != current || !is_scope {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    if call.state.limit_of(device, options) & u64::from(by_host.0) == 0 {
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    Ok(())
}
