//! Attributes of addresses.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::memory::heap::{Allocation, Kind};
use crate::driver::operations::StreamId;
use crate::driver::rules::since;
use crate::driver::{Answer, Call, State, put, put_if_wanted};
use core::ffi::{c_uint, c_void};
use cuda_sys::{
    CU_DEVICE_INVALID, CUdevice_attribute_enum as DeviceAttribute, CUdeviceptr,
    CUmemorytype_enum as MemoryType, CUpointer_attribute, CUpointer_attribute_enum as Attribute, CUresult,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
/// Existing attributes.
const KNOWN: core::ops::RangeInclusive<u32> = 1..=22;

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn address_range(
    call: &mut Call<'_>,
    base: *mut CUdeviceptr,
    size: *mut usize,
    address: CUdeviceptr,
) -> Answer {
    // The function does not know memory of host pools (measured).
    let found = call.state.heap.holding(address, 1).filter(|found| !found.is_of_host_pool());
    let found = found.ok_or(CUresult::CUDA_ERROR_NOT_FOUND)?;
    // For mapped memory of the host, the function knows only the size (conformance fact V1054).
    let start = if found.kind == (Kind::Mapped { on_host: true }) { 0 } else { found.base };
    // SAFETY: the program's promise; either parameter may be null.
    unsafe { put_if_wanted(base, start) };
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(size, found.size as usize) };
    Ok(())
}

/// Value of an attribute, in its width.
#[derive(Debug, Clone, Copy)]
enum Value {
    /// Word. Truth values are words, too (measured).
    Word(u32),
    /// Long. Addresses and handles are longs, too.
    Long(u64),
}

impl Value {
    /// Returns the value of an attribute for unknown memory.
    fn nothing(attribute: CUpointer_attribute) -> Value {
        match attribute {
            Attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL => Value::Word(CU_DEVICE_INVALID as u32),
            Attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE
            | Attribute::CU_POINTER_ATTRIBUTE_SYNC_MEMOPS
            | Attribute::CU_POINTER_ATTRIBUTE_IS_MANAGED
            | Attribute::CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE
            | Attribute::CU_POINTER_ATTRIBUTE_MAPPED
            | Attribute::CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE
            | Attribute::CU_POINTER_ATTRIBUTE_ACCESS_FLAGS
            | Attribute::CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE
            | Attribute::CU_POINTER_ATTRIBUTE_LOCALITY_DOMAIN_ORDINAL => Value::Word(0),
            _ => Value::Long(0),
        }
    }

    /// # Safety
    ///
    /// `to` is null or valid for a write of the attribute's type.
    unsafe fn write(self, to: *mut c_void) -> Answer {
        match self {
            // SAFETY: the caller's promise.
            Value::Word(word) => unsafe { put(to.cast::<u32>(), word) },
            // SAFETY: the caller's promise.
            Value::Long(long) => unsafe { put(to.cast::<u64>(), long) },
        }
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::Word(truth.into())
    }
}

/// Returns the address range that contains an allocation. For mapped memory, this is the whole reservation (measured).
fn range_of(state: &State, found: &Allocation) -> (u64, u64) {
    let reserved = state.heap.ranges.reservation(found.base);
    reserved.filter(|_| found.kind.is_mapped()).unwrap_or((found.base, found.size))
}

/// Returns the value of an attribute for an address in an allocation.
fn value(state: &State, attribute: CUpointer_attribute, address: u64, found: &Allocation) -> Answer<Value> {
    let (pages, first_page, page_bytes) = state.heap.pages_of(found);
    let is_mapped_host = found.kind == Kind::Mapped { on_host: true };
    // The query succeeds without a current context, too (measured). The value is then that of some device.
    let current_device = || {
        let current = state.current_context().and_then(|current| state.live_context(current));
        current.map_or(found.device, |current| current.device)
    };
    Ok(match attribute {
        // Memory of a pool belongs to no context. Managed variables belong to none either (measured).
        Attribute::CU_POINTER_ATTRIBUTE_CONTEXT
            if matches!(found.kind, Kind::Pool(_) | Kind::Graph | Kind::Managed { is_variable: true }) =>
        {
            Value::Long(Handle::NULL.0)
        }
        Attribute::CU_POINTER_ATTRIBUTE_CONTEXT => Value::Long(found.context.0),
        // Managed memory counts as device memory (measured).
        Attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE => Value::Word(if found.kind.is_host() {
            MemoryType::CU_MEMORYTYPE_HOST.0
        } else {
            MemoryType::CU_MEMORYTYPE_DEVICE.0
        }),
        // Mapped memory of the host has the addresses of those that have access. Memory of pools of the host has an
        // address on devices with access (conformance facts V1053 and V1056).
        Attribute::CU_POINTER_ATTRIBUTE_DEVICE_POINTER
            if is_mapped_host && state.heap.ranges.access(address, current_device()).is_none()
                || found.is_of_host_pool() && !state.reaches_pool(current_device(), found) =>
        {
            return Err(INVALID);
        }
        Attribute::CU_POINTER_ATTRIBUTE_DEVICE_POINTER => Value::Long(address),
        Attribute::CU_POINTER_ATTRIBUTE_HOST_POINTER
            if is_mapped_host && state.heap.ranges.host_access(address).is_none() =>
        {
            return Err(INVALID);
        }
        // Memory of a device has none (measured).
        Attribute::CU_POINTER_ATTRIBUTE_HOST_POINTER if !found.kind.has_host_address() => {
            return Err(INVALID);
        }
        Attribute::CU_POINTER_ATTRIBUTE_HOST_POINTER => Value::Long(address),
        // No kernel module could use such tokens here. Memory of the host has none either (measured).
        Attribute::CU_POINTER_ATTRIBUTE_P2P_TOKENS if found.kind.is_host() => return Err(INVALID),
        Attribute::CU_POINTER_ATTRIBUTE_P2P_TOKENS => {
            crate::console::say("tokens for the kernel interface of peers are not simulated");
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
        // Managed memory has the attribute from the beginning, although work on it does not wait for this reason. On
        // some machines, other device memory has it, too (measured).
        Attribute::CU_POINTER_ATTRIBUTE_SYNC_MEMOPS => {
            found.synchronous.unwrap_or(found.kind.is_managed()).into()
        }
        Attribute::CU_POINTER_ATTRIBUTE_BUFFER_ID => Value::Long(found.id),
        Attribute::CU_POINTER_ATTRIBUTE_IS_MANAGED => found.kind.is_managed().into(),
        Attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL => Value::Word(found.device as u32),
        Attribute::CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE => (found.kind == Kind::Plain).into(),
        // Memory of host pools has no start (measured).
        Attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR if found.is_of_host_pool() => Value::Long(0),
        Attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR => Value::Long(range_of(state, found).0),
        Attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE => Value::Long(range_of(state, found).1),
        Attribute::CU_POINTER_ATTRIBUTE_MAPPED => true.into(),
        Attribute::CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES => {
            let mapping = state.heap.ranges.mapping(found.base);
            let memory = mapping.and_then(|(_, mapping)| state.memories.get(mapping.memory));
            Value::Long(memory.map_or(0, |memory| memory.handle_types.into()))
        }
        Attribute::CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE => {
            let attribute = DeviceAttribute::CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED;
            (found.kind == Kind::Plain && state.limit_of(found.device, attribute) != 0).into()
        }
        Attribute::CU_POINTER_ATTRIBUTE_ACCESS_FLAGS => Value::Word(state.access(current_device(), found).0),
        Attribute::CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE => Value::Long(state.pool_of(found).0),
        Attribute::CU_POINTER_ATTRIBUTE_MAPPING_SIZE => Value::Long(page_bytes),
        Attribute::CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR => Value::Long(first_page),
        Attribute::CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID => Value::Long(pages),
        // The answer of an H200 (measured).
        Attribute::CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE => (found.kind == Kind::Plain).into(),
        // No simulated device is divided.
        Attribute::CU_POINTER_ATTRIBUTE_LOCALITY_DOMAIN_ORDINAL => Value::Word(u32::MAX),
        _ => return Err(INVALID),
    })
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn attribute(
    call: &mut Call<'_>,
    to: *mut c_void,
    attribute: CUpointer_attribute,
    address: CUdeviceptr,
) -> Answer {
    // The driver knows nothing about memory that it did not allocate (measured).
    let found = *call.state.heap.holding(address, 1).ok_or(INVALID)?;
    call.state.require(since::POINTER_ATTRIBUTES, attribute.0)?;
    let value = value(call.state, attribute, address, &found)?;
    // SAFETY: the program guarantees the type behind the pointer.
    unsafe { value.write(to) }
}

/// Returns several attributes at once. For unknown memory they are zero (measured).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn attributes(
    call: &mut Call<'_>,
    count: c_uint,
    attributes: *mut CUpointer_attribute,
    values: *mut *mut c_void,
    address: CUdeviceptr,
) -> Answer {
    if attributes.is_null() || values.is_null() {
        return Err(INVALID);
    }
    let found = call.state.heap.holding(address, 1).copied();
    for index in 0..count as usize {
        // SAFETY: within `count` elements.
        let place = unsafe { attributes.add(index) };
        // SAFETY: as above, and valid for a read.
        let attribute = unsafe { place.read() };
        // SAFETY: within `count` elements.
        let place = unsafe { values.add(index) };
        // SAFETY: as above, and valid for a read.
        let to = unsafe { place.read() };
        call.state.require(since::POINTER_ATTRIBUTES, attribute.0)?;
        let value = match (attribute, &found) {
            (Attribute(number), _) if !KNOWN.contains(&number) => return Err(INVALID),
            (_, Some(found)) => match value(call.state, attribute, address, found) {
                // An attribute that memory of this kind lacks is zero as well, such as the host pointer of device
                // memory.
                Err(INVALID) => Value::nothing(attribute),
                value => value?,
            },
            (Attribute::CU_POINTER_ATTRIBUTE_P2P_TOKENS, None) => return Err(INVALID),
            // The address counts as one of the host (measured).
            (Attribute::CU_POINTER_ATTRIBUTE_HOST_POINTER, None) => Value::Long(address),
            // These stay unchanged (measured).
            (
                Attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR | Attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                None,
            ) => continue,
            (_, None) => Value::nothing(attribute),
        };
        // SAFETY: the program guarantees the types behind the values.
        unsafe { value.write(to) }?;
    }
    Ok(())
}

/// Sets an attribute. The only one that can be set makes synchronous work on the memory always wait. Earlier work is
/// waited for now.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_attribute(
    call: &mut Call<'_>,
    value: *const c_void,
    attribute: CUpointer_attribute,
    address: CUdeviceptr,
) -> Answer {
    let found = *call.state.heap.holding(address, 1).ok_or(INVALID)?;
    if attribute != Attribute::CU_POINTER_ATTRIBUTE_SYNC_MEMOPS || value.is_null() {
        return Err(INVALID);
    }
    if found.kind == (Kind::Mapped { on_host: true }) {
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    // SAFETY: not null, so valid for a read of this attribute's type.
    let always_waits = unsafe { value.cast::<c_uint>().read() } != 0;
    call.state.heap.set_always_waits(found.base, always_waits);
    if always_waits {
        let begun = call.state.queue.last_of(StreamId::Legacy(found.context));
        call.wait_for(begun);
    }
    Ok(())
}
