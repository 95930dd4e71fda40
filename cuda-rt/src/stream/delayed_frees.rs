//! Memory that could not be freed yet, because its home stream was being captured.
//!
//! Into a capturing stream the driver takes only frees of memory that the same graph allocates
//! (measured, driver 580: `INVALID_VALUE` for other memory), and it offers no other way to free after what
//! was queued before the capture. So such memory waits here for the capture to end.

#![allow(unsafe_code)]

use crate::error::{Code, Error, Result};
use crate::handle::DeferredErrors;
use core::sync::atomic::{AtomicBool, Ordering};
use cuda_sys::{CUdeviceptr, CUstream};
use std::sync::{Mutex, PoisonError};

#[derive(Default)]
pub(super) struct DelayedFrees {
    /// So that the common case costs a load.
    some: AtomicBool,
    addresses: Mutex<Vec<CUdeviceptr>>,
}

impl DelayedFrees {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        !self.some.load(Ordering::Acquire)
    }

    /// Keeps memory of the stream-ordered allocator for a later [`free`](DelayedFrees::free).
    pub(super) fn add(&self, address: CUdeviceptr) {
        let mut addresses = self.addresses.lock().unwrap_or_else(PoisonError::into_inner);
        addresses.push(address);
        self.some.store(true, Ordering::Release);
    }

    /// Frees what waits, on `stream`, which is live and the home of all of it, and whose context is
    /// current. Memory whose free is refused goes on waiting.
    #[inline]
    pub(super) fn free(&self, stream: CUstream) -> Result<()> {
        if self.is_empty() { Ok(()) } else { self.free_all(stream) }
    }

    #[cold]
    fn free_all(&self, stream: CUstream) -> Result<()> {
        let mut addresses = self.addresses.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(address) = addresses.pop() {
            // SAFETY: the memory was given up to this list, and taken off it just now; the callers own
            // the stream and have not released it.
            let freed = unsafe { check!(cuMemFreeAsync(address, stream)) };
            if let Err(error) = freed {
                // Only what was refused is tried again. A failure of something else may be told by a call that has done its
                // own work, and freed again, the memory would be another's by then.
                if is_refusal(&error) {
                    addresses.push(address);
                }
                return Err(error);
            }
        }
        self.some.store(false, Ordering::Release);
        Ok(())
    }

    /// Frees in a last attempt: memory whose free is refused is lost. All failures but the last are left over.
    pub(super) fn free_or_lose(&self, stream: CUstream, errors: &mut DeferredErrors) -> Result<()> {
        let mut outcome = Ok(());
        while let Err(failure) = self.free(stream) {
            if is_refusal(&failure) {
                self.addresses.lock().unwrap_or_else(PoisonError::into_inner).pop();
            }
            errors.add(core::mem::replace(&mut outcome, Err(failure)));
        }
        outcome
    }
}

/// Returns whether the driver says that it does not free into the capture that goes on.
pub(super) fn is_refusal(error: &Error) -> bool {
    matches!(
        error.code(),
        Some(
            Code::InvalidValue
                | Code::StreamCaptureUnsupported
                | Code::StreamCaptureInvalidated
                | Code::StreamCaptureImplicit
                | Code::StreamCaptureWrongThread
        )
    )
}
