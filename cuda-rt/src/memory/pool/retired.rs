//! Pools without handles, until they can be destroyed.
//!
//! Memory of such a pool may be in use: the pool was current, and a buffer that names no pool has memory of it. Or a free is
//! queued.

#![allow(unsafe_code)]

use super::attribute::{MemPoolAttribute, attribute_of, set_attribute_of};
use super::{default_pool, trim};
use crate::context::{release_alone, retry_once};
use crate::device::Device;
use crate::driver::{DriverVersion, driver_version};
use crate::error::{Code, Result};
use crate::handle::{Attempt, ensure_not_forked, ensure_not_in_host_function, release_or_wait};
use crate::peer::forget_pool;
use core::ptr::null_mut;
use cuda_sys::{CUmemoryPool, Symbol};
use std::sync::{Mutex, PoisonError};

/// The first release whose drivers count the memory of pools.
const FIRST_COUNT: DriverVersion = DriverVersion::new(11, 3);

/// Locked while the current pool of a device is changed.
static CURRENT: Mutex<()> = Mutex::new(());

/// A pool without handles, and the default pool of its device.
#[derive(Clone, Copy)]
struct Retired {
    pool: CUmemoryPool,
    default: CUmemoryPool,
    device: Device,
}

// SAFETY: the driver locks pools by itself, and does not bind them to a thread.
unsafe impl Send for Retired {}

/// Makes a pool the current one of its device.
///
/// # Safety
///
/// The pool is live.
pub(super) unsafe fn make_current(pool: CUmemoryPool, device: Device) -> Result<()> {
    // The thread that holds the lock may wait for this host function, or not exist in the child of a fork.
    ensure_not_in_host_function(Symbol::cuDeviceSetMemPool)?;
    ensure_not_forked(Symbol::cuDeviceSetMemPool)?;
    let _locked = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: the caller's promise; the driver checks that the pool is of the device.
    unsafe { check!(cuDeviceSetMemPool(device.as_raw(), pool)) }
}

/// Destroys a pool as soon as all its memory has been returned to the device.
///
/// # Safety
///
/// The caller owns the live pool, and does not use it afterwards.
pub(super) unsafe fn retire(pool: CUmemoryPool, device: Device) -> Result<()> {
    let default =
        retry_once(|| default_pool(device)).map_err(|error| error.before(Symbol::cuMemPoolDestroy))?;
    let retired = Retired { pool, default, device };
    // Synchronizations on the device end the use of the pool.
    release_or_wait(default.addr(), move || {
        let pool = { retired }.pool;
        let mut outcome = Attempt::InUse;
        let attempted = release_alone(&mut || {
            // SAFETY: the pool is live: only this function destroys it, and is not called again afterwards.
            match unsafe { is_unused(retired) }? {
                Some(true) => {
                    forget_pool(pool);
                    // SAFETY: as above, and no memory of the pool is in use.
                    outcome = Attempt::Released(unsafe { check!(cuMemPoolDestroy(pool)) });
                }
                Some(false) => {}
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

/// Returns whether the pool has no memory, and can get none. Returns `None` if the driver cannot tell. Returns unused memory to the
/// device.
///
/// # Safety
///
/// The pool is live.
unsafe fn is_unused(retired: Retired) -> Result<Option<bool>> {
    make_not_current(retired)?;
    let Retired { pool, .. } = retired;
    // SAFETY: the caller's promise.
    unsafe { set_attribute_of(pool, MemPoolAttribute::RELEASE_THRESHOLD, 0) }?;
    // SAFETY: as above.
    unsafe { trim(pool, 0) }?;
    // SAFETY: as above.
    match unsafe { attribute_of(pool, MemPoolAttribute::RESERVED_MEM_CURRENT) } {
        Err(error) if error.code() == Some(Code::InvalidValue) && driver_version()? < FIRST_COUNT => Ok(None),
        reserved => Ok(Some(reserved? == 0)),
    }
}

/// Makes the default pool of the device current, if the other one is.
fn make_not_current(Retired { pool, default, device }: Retired) -> Result<()> {
    let _locked = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
    let mut current = null_mut();
    // SAFETY: `current` is valid for a write.
    unsafe { check!(cuDeviceGetMemPool(&raw mut current, device.as_raw())) }?;
    if current != pool {
        return Ok(());
    }
    // SAFETY: the default pool lives as long as the process.
    unsafe { check!(cuDeviceSetMemPool(device.as_raw(), default)) }
}
