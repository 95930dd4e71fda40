//! Waiting for a context without invalidating captures.

#![allow(unsafe_code)]

use super::{Context, RelaxedCaptureMode, retry_once};
use crate::error::Result;
use crate::handle::DeferredErrors;
use cuda_sys::CUdeviceptr;

/// Waits until the context has done all of its work. Called by a [release](super::release_in), which has made the context
/// current.
///
/// `cuCtxSynchronize` invalidates each capture in the context, in every mode. Freeing plain memory waits for all streams of the
/// context, too. In the relaxed mode, in which releases run, it leaves captures alone (fact T220). So a byte is allocated and
/// freed. Only if that fails, the context is synchronised.
pub(crate) fn wait_for_all(context: &Context, errors: &mut DeferredErrors) -> Result<()> {
    let mut byte: CUdeviceptr = 0;
    // SAFETY: `byte` is valid for a write; the context is current.
    let allocated = unsafe { check!(cuMemAlloc_v2(&raw mut byte, 1)) };
    let freed = match byte {
        0 => allocated,
        byte => {
            errors.add(allocated);
            // SAFETY: the memory was allocated above, and no other code has its address.
            unsafe { check!(cuMemFree_v2(byte)) }
        }
    };
    match freed {
        // After a failure of this extent no work runs.
        Err(error) if error.is_sticky() => {
            errors.add(Err(error));
            Ok(())
        }
        Err(error) => {
            errors.add(Err(error));
            retry_once(|| context.synchronize())
        }
        Ok(()) => Ok(()),
    }
}

/// Waits as [`wait_for_all`] does, and returns the failure. The context is current.
#[cold]
pub(super) fn wait_by_free() -> Result<()> {
    let _relaxed = RelaxedCaptureMode::new();
    let mut byte: CUdeviceptr = 0;
    // SAFETY: `byte` is valid for a write; the context is current.
    let allocated = unsafe { check!(cuMemAlloc_v2(&raw mut byte, 1)) };
    if byte == 0 {
        return allocated;
    }
    // SAFETY: the memory was allocated above, and no other code has its address.
    let freed = unsafe { check!(cuMemFree_v2(byte)) };
    allocated.and(freed)
}
