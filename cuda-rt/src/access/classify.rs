//! Queries of the driver about an address. None of these calls invalidates a capture.
//!
//! The callers keep the memory at the address: if another thread frees it meanwhile, the driver crashes (fact V1180). There may be no
//! memory.

#![allow(unsafe_code)]

use super::MemoryKind;
use crate::context::{Context, RelaxedCaptureMode};
use crate::device::{Device, DeviceAttribute};
use crate::error::{Code, Result};
use crate::handle::DeferredErrors;
use crate::memory::MemLocation;
use core::ffi::{c_int, c_uint, c_ulonglong, c_void};
use core::ptr::without_provenance_mut;
use cuda_sys::{
    CUdeviceptr, CUmemorytype_enum as Type, CUpointer_attribute, CUpointer_attribute_enum as C, Symbol,
};

/// The driver's answers about memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Classified {
    pub(super) kind: MemoryKind,
    /// The address of the handle. 0 for memory of pools, mapped memory, managed variables, and unknown memory.
    pub(super) context: usize,
    /// `None` for mapped memory and pools of the host, and for unknown memory.
    pub(super) device: Option<Device>,
    /// The address of the handle. 0 for memory that is of no pool.
    pub(super) pool: usize,
    /// True if `cuIpcGetMemHandle` can share the memory, or the device shares no memory.
    pub(super) is_shareable: bool,
}

impl Classified {
    /// Returns the location of the memory, if the driver names a device.
    pub(super) fn location(&self) -> Option<MemLocation> {
        self.device.map(MemLocation::device)
    }
}

/// The pool is last: drivers before CUDA 11.3 do not know this attribute.
const ATTRIBUTES: [C; 6] = [
    C::CU_POINTER_ATTRIBUTE_IS_MANAGED,
    C::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
    C::CU_POINTER_ATTRIBUTE_CONTEXT,
    C::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
    C::CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE,
    C::CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE,
];

/// Classifies the memory at an address, in a context if one is known. The driver also answers without a context.
pub(super) fn classify(context: Option<&Context>, address: CUdeviceptr) -> Result<Classified> {
    let _bound = context.map(|context| context.bind_inline(Symbol::cuPointerGetAttributes)).transpose()?;
    let mut tells_pools = true;
    let known = match ask(address, ATTRIBUTES.len()) {
        Err(error) if is_refusal(&error) => {
            tells_pools = false;
            ask(address, ATTRIBUTES.len() - 1)
        }
        answer => answer,
    };
    let [managed, kind, context, ordinal, shareable, pool] = match known {
        // The driver knows nothing about the address.
        Err(error) if is_refusal(&error) => [0; 6],
        answer => answer?,
    };
    // An ordinal is a signed 32-bit number, a memory type an unsigned one.
    let (ordinal, kind) = (c_int::from_ne_bytes((ordinal as u32).to_ne_bytes()), Type(kind as u32));
    let (context, pool) = (context as usize, pool as usize);
    let is_on_host = kind == Type::CU_MEMORYTYPE_HOST;
    let kind = match kind {
        _ if managed != 0 => MemoryKind::Managed,
        // Includes memory of a pool on the host.
        Type::CU_MEMORYTYPE_DEVICE | Type::CU_MEMORYTYPE_HOST if pool != 0 => MemoryKind::Pool,
        // Pinned memory belongs to the context that has allocated it; memory without a context is mapped, and located on the host
        // (measured).
        Type::CU_MEMORYTYPE_HOST if context == 0 => MemoryKind::Mapped,
        Type::CU_MEMORYTYPE_HOST => MemoryKind::Pinned,
        Type::CU_MEMORYTYPE_DEVICE if context == 0 && tells_pools => MemoryKind::Mapped,
        // Or memory of a pool.
        Type::CU_MEMORYTYPE_DEVICE if context == 0 => MemoryKind::Unknown,
        Type::CU_MEMORYTYPE_DEVICE => MemoryKind::Device,
        _ => MemoryKind::Unknown,
    };
    if kind == MemoryKind::Unknown {
        return Ok(Classified { kind, context: 0, device: None, pool: 0, is_shareable: false });
    }
    // The ordinal has no meaning for memory on the host that is mapped, or of a pool.
    let has_device = ordinal >= 0 && (!is_on_host || kind == MemoryKind::Pinned);
    let device = has_device.then(|| Device::from_handle(ordinal));
    let is_shareable = shareable != 0
        || match device {
            Some(device) if kind == MemoryKind::Device => {
                !device.has(DeviceAttribute::IPC_EVENT_SUPPORTED)?
            }
            _ => true,
        };
    Ok(Classified { kind, context, device, pool, is_shareable })
}

/// Returns whether the driver does not know the attribute, or the address.
fn is_refusal(error: &crate::Error) -> bool {
    matches!(error.code(), Some(Code::InvalidValue | Code::NotSupported))
}

/// Returns the values of the first `count` attributes, and 0 for the others.
fn ask(address: CUdeviceptr, count: usize) -> Result<[u64; 6]> {
    // Each value fits 64 bits. The upper bytes of smaller values stay 0.
    let mut values = [0_u64; 6];
    let first = values.as_mut_ptr();
    let mut places: [*mut c_void; 6] = core::array::from_fn(|index| first.wrapping_add(index).cast());
    let mut numbers = ATTRIBUTES.map(|attribute| CUpointer_attribute(attribute.0));
    // There are six.
    let count = count.min(ATTRIBUTES.len()) as c_uint;
    let (numbers, places) = (numbers.as_mut_ptr(), places.as_mut_ptr());
    // SAFETY: both lists have at least `count` entries, each place is valid for a write of a value that fits; the callers keep the
    // memory at the address.
    unsafe { inline_check!(cuPointerGetAttributes(count, numbers, places, address)) }?;
    Ok(values)
}

/// Returns whether the device of a context has access to all of some mapped memory; `None` if the driver does not know the
/// memory.
pub(super) fn is_mapped_for(context: &Context, address: CUdeviceptr, bytes: u64) -> Result<Option<bool>> {
    let _bound = context.bind(Symbol::cuMemGetAddressRange_v2)?;
    let end = address.saturating_add(bytes);
    let mut place = address;
    loop {
        match is_open_at(context.device(), place)? {
            Some(true) if end.saturating_sub(place) > 1 => {}
            answer => return Ok(answer),
        }
        // The mapping that contains the address (measured).
        let (mut base, mut size) = (0, 0);
        let (to_base, to_size) = (&raw mut base, &raw mut size);
        // SAFETY: both are valid for a write; the callers keep the memory at the address.
        match unsafe { check!(cuMemGetAddressRange_v2(to_base, to_size, place)) } {
            Ok(()) => {}
            Err(error) if is_refusal(&error) || error.code() == Some(Code::NotFound) => return Ok(None),
            Err(error) => return Err(error),
        }
        let next = base.saturating_add(size as u64);
        if next >= end {
            return Ok(Some(true));
        }
        if next <= place {
            return Ok(None);
        }
        place = next;
    }
}

/// Returns whether memory of `cuMemCreate` is mapped at an address, and not memory that only looks like it. Queries in the
/// relaxed mode, in which the query invalidates no capture.
pub(super) fn is_mapped(address: CUdeviceptr) -> Result<bool> {
    let mut errors = DeferredErrors::default();
    let relaxed = RelaxedCaptureMode::new();
    let mut handle = 0;
    // The driver accepts any address.
    let place = without_provenance_mut(address as usize);
    // SAFETY: `handle` is valid for a write; the callers keep the memory at the address.
    let retained = unsafe { check!(cuMemRetainAllocationHandle(&raw mut handle, place)) };
    let is_mapped = match retained {
        Ok(()) => {
            // SAFETY: the call above has retained the handle once.
            errors.add(unsafe { check!(cuMemRelease(handle)) });
            Ok(true)
        }
        Err(error) if is_refusal(&error) => Ok(false),
        Err(error) => Err(error),
    };
    drop(relaxed);
    is_mapped
}

/// Returns whether a device has access at one address.
fn is_open_at(device: Device, address: CUdeviceptr) -> Result<Option<bool>> {
    let location = MemLocation::device(device).as_raw();
    let mut flags: c_ulonglong = 0;
    // SAFETY: `flags` is valid for a write, `location` for a read; the callers keep the memory at the address.
    match unsafe { check!(cuMemGetAccess(&raw mut flags, &raw const location, address)) } {
        Ok(()) => Ok(Some(flags != 0)),
        Err(error) if is_refusal(&error) => Ok(None),
        Err(error) => Err(error),
    }
}
