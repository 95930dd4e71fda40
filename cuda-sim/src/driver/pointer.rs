//! What the driver says of addresses.

#![allow(unsafe_code)]

use super::handles::Handle;
use super::heap::Kind;
use super::{Answer, Call, put, put_if_wanted};
use crate::generated::since;
use core::ffi::{c_int, c_uint, c_void};
use cuda_sys::{
    CUcontext, CUdeviceptr, CUmemorytype_enum as MemoryType, CUpointer_attribute,
    CUpointer_attribute_enum as Attribute, CUresult,
};

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn address_range(
    call: &mut Call<'_>,
    base: *mut CUdeviceptr,
    size: *mut usize,
    address: CUdeviceptr,
) -> Answer {
    let found = call.state.heap.holding(address, 1).ok_or(CUresult::CUDA_ERROR_NOT_FOUND)?;
    // SAFETY: the program's promise; either may be left out.
    unsafe { put_if_wanted(base, found.base) };
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(size, found.size as usize) };
    Ok(())
}

/// Several attributes at once. For memory that the driver does not know they are zero (measured).
///
/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn attributes(
    call: &mut Call<'_>,
    count: c_uint,
    attributes: *mut CUpointer_attribute,
    values: *mut *mut c_void,
    address: CUdeviceptr,
) -> Answer {
    if attributes.is_null() || values.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let known = call.state.heap.holding(address, 1).is_some();
    for index in 0..count as usize {
        // SAFETY: within `count` elements.
        let place = unsafe { attributes.add(index) };
        // SAFETY: as above, and valid for a read.
        let attribute = unsafe { place.read() };
        // SAFETY: within `count` elements.
        let place = unsafe { values.add(index) };
        // SAFETY: as above, and valid for a read.
        let value = unsafe { place.read() };
        call.state.require(since::POINTER_ATTRIBUTES, attribute.0)?;
        if known {
            // SAFETY: the program's promise.
            match unsafe { self::attribute(call, value, attribute, address) } {
                // What memory of this kind does not have, such as a device's a host pointer, is zero as well.
                Err(CUresult::CUDA_ERROR_INVALID_VALUE) if (1..=22).contains(&attribute.0) => {}
                answer => {
                    answer?;
                    continue;
                }
            }
        }
        match attribute {
            Attribute::CU_POINTER_ATTRIBUTE_CONTEXT | Attribute::CU_POINTER_ATTRIBUTE_DEVICE_POINTER => {
                // SAFETY: the program's promise about the type behind the value.
                unsafe { put(value.cast::<u64>(), 0) }?;
            }
            // It is taken for an address of the host (measured).
            Attribute::CU_POINTER_ATTRIBUTE_HOST_POINTER if !known => {
                // SAFETY: as above.
                unsafe { put(value.cast::<u64>(), address) }?;
            }
            Attribute::CU_POINTER_ATTRIBUTE_HOST_POINTER => {
                // SAFETY: as above.
                unsafe { put(value.cast::<u64>(), 0) }?;
            }
            // These are left as they were (measured).
            Attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR | Attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE => {
            }
            // SAFETY: as above.
            Attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE | Attribute::CU_POINTER_ATTRIBUTE_IS_MANAGED => unsafe {
                put(value.cast::<c_uint>(), 0)?;
            },
            // SAFETY: as above.
            Attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL => unsafe { put(value.cast::<c_int>(), -2)? },
            Attribute(number) if !(1..=22).contains(&number) => {
                return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
            }
            Attribute(number) => {
                super::general::say(&format!("pointer attribute {number} is not simulated yet"));
                return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
            }
        }
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn attribute(
    call: &mut Call<'_>,
    value: *mut c_void,
    attribute: CUpointer_attribute,
    address: CUdeviceptr,
) -> Answer {
    // The driver knows nothing of memory that it did not make (measured).
    let found = *call.state.heap.holding(address, 1).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    call.state.require(since::POINTER_ATTRIBUTES, attribute.0)?;
    let is_host = found.kind.is_host();
    match attribute {
        // SAFETY: for each attribute, the program's promise about the type behind `value`.
        Attribute::CU_POINTER_ATTRIBUTE_CONTEXT => unsafe {
            // Memory of a pool belongs to none (measured).
            let context = if found.kind == Kind::Pool { Handle::NULL } else { found.context };
            put(value.cast::<CUcontext>(), context.pointer())
        },
        // SAFETY: as above.
        Attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE => unsafe {
            put(
                value.cast::<c_uint>(),
                if is_host { MemoryType::CU_MEMORYTYPE_HOST.0 } else { MemoryType::CU_MEMORYTYPE_DEVICE.0 },
            )
        },
        // SAFETY: as above.
        Attribute::CU_POINTER_ATTRIBUTE_DEVICE_POINTER => unsafe {
            put(value.cast::<CUdeviceptr>(), address)
        },
        // Memory of a device has none (measured).
        Attribute::CU_POINTER_ATTRIBUTE_HOST_POINTER if !is_host => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        Attribute::CU_POINTER_ATTRIBUTE_HOST_POINTER => {
            let pointer = call.state.bytes(address, 1)?;
            // SAFETY: as above.
            unsafe { put(value.cast::<*mut c_void>(), pointer.cast().as_ptr()) }
        }
        // SAFETY: as above.
        Attribute::CU_POINTER_ATTRIBUTE_IS_MANAGED => unsafe { put(value.cast::<c_uint>(), 0) },
        // SAFETY: as above.
        Attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL => unsafe { put(value.cast::<c_int>(), found.device) },
        // SAFETY: as above.
        Attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR => unsafe {
            put(value.cast::<CUdeviceptr>(), found.base)
        },
        // SAFETY: as above.
        Attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE => unsafe {
            put(value.cast::<usize>(), found.size as usize)
        },
        Attribute(number) if !(1..=22).contains(&number) => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        Attribute(number) => {
            super::general::say(&format!("pointer attribute {number} is not simulated yet"));
            Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
        }
    }
}
