//! Memory pools that other processes may use.

use crate::console::say;
use crate::driver::memory::memory_pool::{Pool, find};
use crate::driver::{Answer, Call, check_out};
use core::ffi::{c_ulonglong, c_void};
use cuda_sys::{
    CUdeviceptr, CUmemAllocationHandleType, CUmemAllocationHandleType_enum as HandleType,
    CUmemPoolPtrExportData, CUmemoryPool, CUresult,
};

fn lacks() -> Answer {
    say("memory pools are not given to other processes yet");
    Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
}

/// Whether a pool was made to be given to others.
fn is_shared(pool: &Pool) -> bool {
    pool.handle_types != HandleType::CU_MEM_HANDLE_TYPE_NONE.0
}

pub(crate) fn export(
    call: &mut Call<'_>,
    to: *mut c_void,
    pool: CUmemoryPool,
    kind: CUmemAllocationHandleType,
    flags: c_ulonglong,
) -> Answer {
    let pool = find(call, pool)?;
    check_out(to)?;
    let is_one = kind.0.is_power_of_two() && pool.handle_types & kind.0 != 0;
    if flags != 0 || !is_one {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    lacks()
}

pub(crate) fn import(
    _: &mut Call<'_>,
    to: *mut CUmemoryPool,
    _: *mut c_void,
    kind: CUmemAllocationHandleType,
    flags: c_ulonglong,
) -> Answer {
    check_out(to)?;
    if flags != 0 || !kind.0.is_power_of_two() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    lacks()
}

pub(crate) fn export_pointer(
    call: &mut Call<'_>,
    to: *mut CUmemPoolPtrExportData,
    address: CUdeviceptr,
) -> Answer {
    check_out(to)?;
    let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
    let found = call.state.heap.holding(address, 1).ok_or(invalid)?;
    let pool = call.state.heap.pool_of(found.base).ok_or(invalid)?;
    // What is of a destroyed pool is nobody's to give.
    if !call.state.pools.get(pool).is_some_and(is_shared) {
        return Err(invalid);
    }
    lacks()
}

pub(crate) fn import_pointer(
    call: &mut Call<'_>,
    to: *mut CUdeviceptr,
    pool: CUmemoryPool,
    data: *mut CUmemPoolPtrExportData,
) -> Answer {
    check_out(to)?;
    check_out(data)?;
    find(call, pool)?;
    // It was made here: what is to be imported comes out of a pool that was imported.
    Err(CUresult::CUDA_ERROR_INVALID_VALUE)
}
