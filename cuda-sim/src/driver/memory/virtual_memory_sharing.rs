//! Physical memory that several processes share through file descriptors.

#![allow(unsafe_code)]

use crate::driver::memory::shared_mapping::Store;
use crate::driver::memory::virtual_memory::{HOST_STORE, Memory, store_name};
use crate::driver::{Answer, Call, check_out, put};
use core::ffi::{c_int, c_ulonglong, c_void};
use cuda_sys::{
    CUdevice, CUmemAllocationHandleType, CUmemAllocationHandleType_enum as HandleType,
    CUmemGenericAllocationHandle, CUresult,
};
use std::sync::Arc;

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const DESCRIPTOR: CUmemAllocationHandleType = HandleType::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn export(
    call: &mut Call<'_>,
    to: *mut c_void,
    handle: CUmemGenericAllocationHandle,
    kind: CUmemAllocationHandleType,
    flags: c_ulonglong,
) -> Answer {
    check_out(to)?;
    let memory = call.state.memory(handle)?;
    if flags != 0 || kind != DESCRIPTOR || memory.handle_types & kind.0 == 0 {
        return Err(INVALID);
    }
    let file = memory.store.export().ok_or(CUresult::CUDA_ERROR_UNKNOWN)?;
    // SAFETY: the program guarantees the type behind the pointer.
    unsafe { put(to.cast::<c_int>(), file) }
}

/// Creates a handle for the memory of a descriptor. The handle cannot be exported again (measured).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn import(
    call: &mut Call<'_>,
    to: *mut CUmemGenericAllocationHandle,
    file: *mut c_void,
    kind: CUmemAllocationHandleType,
) -> Answer {
    check_out(to)?;
    match kind {
        DESCRIPTOR => {}
        HandleType::CU_MEM_HANDLE_TYPE_FABRIC => return Err(CUresult::CUDA_ERROR_NOT_PERMITTED),
        _ => return Err(INVALID),
    }
    // A descriptor of another object is an unknown error (measured).
    let unknown = CUresult::CUDA_ERROR_UNKNOWN;
    let file = c_int::try_from(file.addr()).map_err(|_| unknown)?;
    let (store, name) = Store::import(file).ok_or(unknown)?;
    let is_same = |known: &&Memory| known.store.is_same(&store);
    let on_host = name == HOST_STORE;
    let known = call.state.memories.iter().map(|(_, memory)| memory).find(is_same);
    let (device, store, is_own, asked) = match known {
        Some(known) => {
            (known.device, Arc::clone(&known.store), known.is_own, (known.compression, known.rdma))
        }
        None if on_host => (0, Arc::new(store), false, (0, 0)),
        None => {
            let is_it = |device: &CUdevice| store_name(&call.state.device_name(*device)) == name;
            let device = (0..).take(call.state.devices.len()).find(is_it);
            let device = device.ok_or(CUresult::CUDA_ERROR_NOT_SUPPORTED)?;
            (device, Arc::new(store), false, (0, 0))
        }
    };
    let (compression, rdma) = asked;
    let (references, mappings, handle_types) = (1, 0, HandleType::CU_MEM_HANDLE_TYPE_NONE.0);
    let is_tile_pool = false;
    let memory = Memory {
        device,
        on_host,
        store,
        is_own,
        references,
        mappings,
        handle_types,
        compression,
        rdma,
        is_tile_pool,
    };
    let handle = call.state.memories.insert(memory);
    // SAFETY: the program's promise.
    unsafe { put(to, handle.0) }
}
