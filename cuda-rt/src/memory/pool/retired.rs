//! Pools without handles, until they can be destroyed.
//!
//! Memory of such a pool may be in use: the pool was current, and a buffer that names no pool has memory of it. Or a free is
//! queued.

#![allow(unsafe_code)]

use super::attribute::{MemPoolAttribute, attribute_of, set_attribute_of};
use super::{current_pool, default_pool, trim};
use crate::context::{release_alone, retry_once};
use crate::device::Device;
use crate::driver::{DriverVersion, driver_version};
use crate::error::{Code, Result};
use crate::handle::{Attempt, ensure_not_forked, ensure_not_in_host_function, release_or_wait};
use crate::map::SortedSet;
use crate::peer::forget_pool;
use core::ptr::null_mut;
use cuda_sys::{CUmemoryPool, Symbol};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The first release whose drivers count the memory of pools.
const FIRST_COUNT: DriverVersion = DriverVersion::new(11, 3);

/// Addresses of pools that this crate has made current, or has found current. Locked while the current pool of a device is changed.
///
/// Such a pool is never destroyed. An allocation of another thread that names no pool may be about to take memory of it, and the
/// driver crashes if the pool is destroyed meanwhile (fact V1179).
static EVER_CURRENT: Mutex<SortedSet<usize>> = Mutex::new(SortedSet::new());

fn ever_current() -> MutexGuard<'static, SortedSet<usize>> {
    EVER_CURRENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns whether this crate has made the pool current, or has found it current.
pub(super) fn was_current(pool: CUmemoryPool) -> bool {
    ever_current().contains(&pool.addr())
}

/// A pool without handles, and the default pool of its device.
#[derive(Clone, Copy)]
struct Retired {
    pool: CUmemoryPool,
    default: CUmemoryPool,
    device: Device,
}

// SAFETY: the driver locks pools by itself, and does not bind them to a thread.
unsafe impl Send for Retired {}

/// Makes a pool the current one of its device. A pool of the program is never destroyed afterwards.
///
/// # Safety
///
/// The pool is live.
pub(super) unsafe fn make_current(pool: CUmemoryPool, device: Device) -> Result<()> {
    // The thread that holds the lock may wait for this host function, or not exist in the child of a fork.
    ensure_not_in_host_function(Symbol::cuDeviceSetMemPool)?;
    ensure_not_forked(Symbol::cuDeviceSetMemPool)?;
    let default = default_pool(device)?;
    let mut ever_current = ever_current();
    // SAFETY: the caller's promise; the driver checks that the pool is of the device.
    let made = unsafe { check!(cuDeviceSetMemPool(device.as_raw(), pool)) };
    // A call that has done its work may report an earlier failure.
    if pool != default && (made.is_ok() || !matches!(current_pool(device), Ok(current) if current != pool)) {
        ever_current.insert(pool.addr());
    }
    made
}

/// Destroys a pool as soon as all its memory has been returned to the device. Two kinds of pools stay, without unused memory:
/// a pool that was current, and a pool of a driver older than CUDA 11.3.
///
/// # Safety
///
/// The caller owns the live pool, and does not use it afterwards.
pub(super) unsafe fn retire(pool: CUmemoryPool, device: Device) -> Result<()> {
    let default =
        retry_once(|| default_pool(device)).map_err(|error| error.before(Symbol::cuMemPoolDestroy))?;
    let retired = Retired { pool, default, device };
    let mut is_prepared = false;
    // Synchronizations on the device end the use of the pool.
    release_or_wait(default.addr(), move || {
        let pool = { retired }.pool;
        let mut outcome = Attempt::InUse;
        let attempted = release_alone(&mut || {
            if !is_prepared {
                make_not_current(retired)?;
                // SAFETY: the pool is live: only this function destroys it, and is not called again afterwards.
                unsafe { set_attribute_of(pool, MemPoolAttribute::RELEASE_THRESHOLD, 0) }?;
                is_prepared = true;
            }
            // SAFETY: as above.
            unsafe { trim(pool, 0) }?;
            // SAFETY: as above.
            match unsafe { reserved_bytes(pool) }? {
                _ if was_current(pool) => outcome = Attempt::Released(Ok(())),
                Some(0) => {
                    forget_pool(pool);
                    // SAFETY: as above. No memory of the pool is in use, and no allocation names it or takes it as the current one.
                    outcome = Attempt::Released(unsafe { check!(cuMemPoolDestroy(pool)) });
                }
                Some(_) => {}
                // No later attempt can tell more. The pool stays, without unused memory.
                None => outcome = Attempt::Released(Ok(())),
            }
            Ok(())
        });
        match attempted {
            Ok(()) => outcome,
            Err(error) => Attempt::Unknown(error.before(Symbol::cuMemPoolDestroy)),
        }
    })
}

/// Returns the number of bytes that a pool has taken from the device. Returns `None` if the driver cannot tell.
///
/// # Safety
///
/// The pool is live.
unsafe fn reserved_bytes(pool: CUmemoryPool) -> Result<Option<u64>> {
    // SAFETY: the caller's promise.
    match unsafe { attribute_of(pool, MemPoolAttribute::RESERVED_MEM_CURRENT) } {
        Err(error) if error.code() == Some(Code::InvalidValue) && driver_version()? < FIRST_COUNT => Ok(None),
        reserved => reserved.map(Some),
    }
}

/// Makes the default pool of a device current, if `pool` is current. `pool` may be about to be retired.
pub(super) fn end_current(pool: CUmemoryPool, device: Device) -> Result<()> {
    make_not_current(Retired { pool, default: default_pool(device)?, device })
}

/// Makes the default pool of the device current, if the retired pool is current.
fn make_not_current(Retired { pool, default, device }: Retired) -> Result<()> {
    let mut ever_current = ever_current();
    let mut current = null_mut();
    // SAFETY: `current` is valid for a write.
    unsafe { check!(cuDeviceGetMemPool(&raw mut current, device.as_raw())) }?;
    if current != pool {
        return Ok(());
    }
    ever_current.insert(pool.addr());
    // SAFETY: the default pool lives as long as the process.
    unsafe { check!(cuDeviceSetMemPool(device.as_raw(), default)) }
}
