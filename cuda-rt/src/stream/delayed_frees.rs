//! Memory that cannot be freed yet, because its home stream is being captured.
//!
//! A capturing stream accepts only frees of memory that the same graph allocates. The driver offers no way to free other
//! memory in the order of the stream until the capture ends. So such memory waits here for the end of the capture.
//!
//! # Driver notes
//!
//! Driver 580 answers `INVALID_VALUE` to a free of other memory on a capturing stream.

#![allow(unsafe_code)]

use crate::error::{Code, Error, Result};
use crate::handle::DeferredErrors;
use core::sync::atomic::{AtomicBool, Ordering};
use cuda_sys::{CUdeviceptr, CUstream};
use std::sync::{Mutex, PoisonError};

#[derive(Default)]
pub(super) struct DelayedFrees {
    /// True if the list has entries. So the check of an empty list, the common case, costs one load.
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

    /// Frees the memory on the list. `stream` must be the live home stream of that memory, and its context must be current. Memory
    /// whose free is refused stays on the list.
    #[inline]
    pub(super) fn free(&self, stream: CUstream) -> Result<()> {
        if self.is_empty() { Ok(()) } else { self.free_all(stream) }
    }

    #[cold]
    fn free_all(&self, stream: CUstream) -> Result<()> {
        let mut addresses = self.addresses.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(address) = addresses.pop() {
            // SAFETY: the memory was passed to this list, and taken off it just now; the callers own the stream and have not
            // released it.
            let freed = unsafe { check!(cuMemFreeAsync(address, stream)) };
            if let Err(error) = freed {
                // Only a refused free is tried again. A call that has done its own work may report an earlier failure. A second
                // free would then free memory that may have been allocated again.
                if is_refusal(&error) {
                    addresses.push(address);
                }
                return Err(error);
            }
        }
        self.some.store(false, Ordering::Release);
        Ok(())
    }

    /// Frees the memory on the list in a last attempt. Memory whose free is refused leaks. All failures except the last are
    /// deferred.
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

/// Returns whether the error is a refusal of a free because of a capture.
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
