//! Memory pools that other processes use.
//!
//! The descriptor of an exported pool is an unnamed file that contains a [`ShareTicket`]. Memory of the pool has a
//! ticket of its own. A process that imports memory maps the whole block. The memory therefore stays valid there, even
//! after the exporting process frees it.

#![allow(unsafe_code)]

use crate::console::say;
use crate::driver::handles::Handle;
use crate::driver::memory::heap::{Kind, PoolSource};
use crate::driver::memory::host_block::Name;
use crate::driver::memory::ipc_memory::{SIZE, ShareTicket, Subject, mapped_block};
use crate::driver::memory::memory_pool::{ExportedPool, Pool, find};
use crate::driver::memory::pages::PAGE;
use crate::driver::memory::pool_place::PoolPlace;
use crate::driver::memory::shared_mapping::Store;
use crate::driver::{Answer, Call, check_out, put};
use core::ffi::{c_char, c_int, c_ulonglong, c_void};
use cuda_sys::{
    CUdevice, CUdeviceptr, CUmemAllocationHandleType, CUmemAllocationHandleType_enum as HandleType,
    CUmemPoolPtrExportData, CUmemoryPool, CUresult,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const DESCRIPTOR: CUmemAllocationHandleType = HandleType::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
/// Number in the tickets of pools of the host, in place of that of a device.
const HOST: u32 = u32::MAX;
/// Name of the files of exported pools.
const STORE_NAME: &str = "pool";

fn lacks(what: &str) -> CUresult {
    say(&format!("memory pools are not shared by {what}"));
    CUresult::CUDA_ERROR_NOT_SUPPORTED
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn export(
    call: &mut Call<'_>,
    to: *mut c_void,
    pool: CUmemoryPool,
    kind: CUmemAllocationHandleType,
    flags: c_ulonglong,
) -> Answer {
    let found = find(call, pool)?;
    check_out(to)?;
    let is_one = kind.0.is_power_of_two() && found.handle_types & kind.0 != 0;
    if flags != 0 || !is_one {
        return Err(INVALID);
    }
    let is_of_host = found.place.source().is_host();
    // There is no fabric (conformance fact V1056).
    if is_of_host && found.handle_types & HandleType::CU_MEM_HANDLE_TYPE_FABRIC.0 != 0 {
        return Err(if kind == DESCRIPTOR {
            CUresult::CUDA_ERROR_OPERATING_SYSTEM
        } else {
            CUresult::CUDA_ERROR_NOT_PERMITTED
        });
    }
    if kind != DESCRIPTOR {
        return Err(lacks("handles of a fabric"));
    }
    let name = Name { process: std::process::id(), file: -1, nonce: 0 };
    let device = if is_of_host { HOST } else { call.state.device(found.device())?.place() };
    let ticket =
        ShareTicket { subject: Subject::Pool, name, device, offset: 0, size: 0, serial: Handle::of(pool).0 };
    let bytes = ticket.write().map(|byte| byte.to_ne_bytes()[0]);
    let store = Store::new(PAGE, STORE_NAME).filter(|store| store.write(0, &bytes).is_some());
    let file = store.and_then(|store| store.export()).ok_or(CUresult::CUDA_ERROR_UNKNOWN)?;
    // SAFETY: the program guarantees the type behind the pointer.
    unsafe { put(to.cast::<c_int>(), file) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn import(
    call: &mut Call<'_>,
    to: *mut CUmemoryPool,
    handle: *mut c_void,
    kind: CUmemAllocationHandleType,
    flags: c_ulonglong,
) -> Answer {
    check_out(to)?;
    if flags != 0 || !kind.0.is_power_of_two() {
        return Err(INVALID);
    }
    if kind != DESCRIPTOR {
        return Err(lacks("handles other than descriptors of files"));
    }
    // A descriptor of another object is an unknown error (measured).
    let unknown = CUresult::CUDA_ERROR_UNKNOWN;
    let file = c_int::try_from(handle.addr()).map_err(|_| unknown)?;
    let (store, _) = Store::import(file).filter(|(_, name)| name == STORE_NAME).ok_or(unknown)?;
    let mut bytes = [0_u8; SIZE];
    store.read(0, &mut bytes).ok_or(unknown)?;
    let bytes = bytes.map(|byte| c_char::from_ne_bytes([byte]));
    let ticket = ShareTicket::read(&bytes, Subject::Pool).ok_or(unknown)?;
    let mut devices = (0..).zip(&call.state.devices);
    let place = if ticket.device == HOST {
        PoolPlace::of(call, PoolPlace::NODE.kind, &PoolPlace::NODE.location()).ok()
    } else {
        let device = devices.find(|(_, device)| device.place() == ticket.device);
        device.map(|(number, _): (CUdevice, _)| PoolPlace::of_device(number))
    };
    let place = place.ok_or(CUresult::CUDA_ERROR_NOT_SUPPORTED)?;
    let original = Some(ExportedPool { process: ticket.name.process, serial: ticket.serial });
    // A pool that was imported before has the same handle (measured).
    let known = call.state.pools.iter().find(|(_, pool)| pool.original == original).map(|(pool, _)| pool);
    let pool = match known {
        Some(pool) => pool,
        None => call.state.make_pool(Pool { original, ..Pool::new(place) }),
    };
    if let Some(pool) = call.state.pools.get_mut(pool) {
        pool.imports += 1;
    }
    // SAFETY: the program's promise.
    unsafe { put(to, pool.pointer()) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn export_pointer(
    call: &mut Call<'_>,
    to: *mut CUmemPoolPtrExportData,
    address: CUdeviceptr,
) -> Answer {
    check_out(to)?;
    // An address inside an allocation is not accepted (measured).
    let found = *call.state.heap.starting_at(address).ok_or(INVALID)?;
    let pool = call.state.heap.pool_of(found.base).ok_or(INVALID)?;
    // A destroyed pool exports nothing. A pool that was created without handle types exports nothing either.
    let is_shared = |pool: &Pool| pool.handle_types != HandleType::CU_MEM_HANDLE_TYPE_NONE.0;
    if !call.state.pools.get(pool).is_some_and(is_shared) {
        return Err(INVALID);
    }
    let is_of_host = found.is_of_host_pool();
    let device = if is_of_host { HOST } else { call.state.device(found.device)?.place() };
    let shared = call.state.heap.share(found.base);
    let (name, offset) = shared.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?;
    let subject = Subject::PoolMemory;
    let ticket = ShareTicket { subject, name, device, offset, size: found.size, serial: pool.0 };
    let bytes = ticket.write().map(|byte| byte.to_ne_bytes()[0]);
    // SAFETY: the program's promise.
    unsafe { put(to, CUmemPoolPtrExportData { reserved: bytes }) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn import_pointer(
    call: &mut Call<'_>,
    to: *mut CUdeviceptr,
    pool: CUmemoryPool,
    data: *mut CUmemPoolPtrExportData,
) -> Answer {
    check_out(to)?;
    check_out(data)?;
    let found = find(call, pool)?;
    let original = found.original.ok_or(INVALID)?;
    // SAFETY: not null, so valid for a read.
    let bytes = unsafe { data.read() }.reserved.map(|byte| c_char::from_ne_bytes([byte]));
    let ticket = ShareTicket::read(&bytes, Subject::PoolMemory).ok_or(INVALID)?;
    if original != (ExportedPool { process: ticket.name.process, serial: ticket.serial }) {
        return Err(INVALID);
    }
    let is_of_host = found.place.source().is_host();
    let source = if is_of_host { PoolSource::ImportedHost } else { PoolSource::Imported };
    let (device, kind) = (found.device(), Kind::Pool(source));
    let same = call.state.heap.openings.of_pools.iter().find(|(_, known)| **known == ticket);
    if let Some((base, _)) = same.filter(|(base, _)| call.state.heap.starting_at(*base).is_some()) {
        // Memory of the host can be imported only once at a time (conformance fact V1056).
        if is_of_host {
            return Err(CUresult::CUDA_ERROR_ALREADY_MAPPED);
        }
        // SAFETY: the program's promise.
        return unsafe { put(to, base) };
    }
    let start = mapped_block(call.state, &ticket, (device, Handle::of(pool)), kind)?;
    let base = start + ticket.offset;
    let opened = call.state.heap.open_part((device, call.context), kind, base, ticket.size);
    let base = opened.ok_or(CUresult::CUDA_ERROR_MAP_FAILED)?;
    call.state.heap.openings.of_pools.insert(base, ticket);
    // SAFETY: the program's promise.
    unsafe { put(to, base) }
}
