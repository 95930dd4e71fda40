//! The owner of a stream's handle.

#![allow(unsafe_code)]

use super::as_stream::is_capturing;
use super::beside::Beside;
use super::delayed_frees::{DelayedFrees, is_refusal};
use crate::context::queued_functions::{uncalled_in, uncalled_on};
use crate::context::{Context, ContextRequirement, release_by_handle, release_in, retry_once};
use crate::error::{Code, Error, ErrorKind, Result};
use crate::green::GreenContext;
use crate::handle::{DriverHandle, Releasing};
use core::any::Any;
use core::sync::atomic::{AtomicBool, Ordering};
use cuda_sys::{CUdeviceptr, CUstream, Symbol};

/// The handle, and memory whose free is delayed.
pub(super) struct Inner {
    pub(super) raw: CUstream,
    /// True if other code may capture the stream. Never set back.
    pub(super) exposed: AtomicBool,
    pub(super) beside: Beside,
    pub(super) kind: Kind,
    pub(super) delayed_frees: DelayedFrees,
    /// The green context of the stream. Dropped after the stream is destroyed.
    pub(super) green: Option<GreenContext>,
    pub(super) context: Context,
}

pub(super) enum Kind {
    Owned,
    Legacy,
    /// A stream of other code. The owner is dropped after the release.
    Foreign {
        _owner: Box<dyn Any + Send + Sync>,
    },
}

// SAFETY: a `CUstream` names an object that the driver locks by itself; it is not bound to a
// thread. The other fields are `Send`.
unsafe impl Send for Inner {}
// SAFETY: `beside` and `delayed_frees` lock by themselves, `exposed` is atomic, and nothing else is changed
// through `&Inner`; the driver synchronises calls that share a stream.
unsafe impl Sync for Inner {}

impl Inner {
    #[inline]
    pub(super) fn free(&self, address: CUdeviceptr) -> Result<()> {
        // Even an attempt would invalidate the capture of a blocking stream, because the legacy stream waits for all blocking
        // streams (measured).
        if matches!(self.kind, Kind::Legacy) && self.takes_part_in_capture(Symbol::cuMemFreeAsync)? {
            self.delayed_frees.add(address);
            return Ok(());
        }
        let _ = self.delayed_frees.free(self.raw);
        // SAFETY: the owner of the memory has passed it on; this is its home stream, which is live.
        let freed = unsafe { inline_check!(cuMemFreeAsync(address, self.raw)) };
        if freed.is_ok() { Ok(()) } else { self.not_freed(address, freed) }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn not_freed(&self, address: CUdeviceptr, freed: Result<()>) -> Result<()> {
        match freed {
            Err(error) if !error.is_sticky() && self.may_have_refused(&error) => {
                self.exposed.store(true, Ordering::Release);
                self.delayed_frees.add(address);
                Ok(())
            }
            freed => freed,
        }
    }

    /// Returns whether a free failed because the stream takes part in a capture. Queries the driver if other code may capture
    /// the stream, or if the error is a refusal.
    fn may_have_refused(&self, error: &Error) -> bool {
        let may_be_captured = self.exposed.load(Ordering::Relaxed) || is_refusal(error);
        may_be_captured && self.is_captured_now(Symbol::cuMemFreeAsync) == Ok(true)
    }

    pub(super) fn takes_part_in_capture(&self, call: Symbol) -> Result<bool> {
        if self.exposed.load(Ordering::Relaxed) { self.is_captured_now(call) } else { Ok(false) }
    }

    fn is_captured_now(&self, call: Symbol) -> Result<bool> {
        match retry_once(|| is_capturing(self.raw)) {
            Err(error) if error.code() == Some(Code::StreamCaptureImplicit) => Ok(true),
            Err(error) => Err(error.before(call)),
            answer => answer,
        }
    }

    /// Drops queued functions that the driver no longer calls. If the context is lost, these are all functions of the context.
    /// After a sticky error, these are the host functions of the stream.
    #[cold]
    fn drop_uncalled(&self, error: &Error, stream: usize) {
        let key = self.context.context_id();
        // Without the driver's number, the handle may belong to another context by now. Its functions are still to be called.
        if error.kind() == ErrorKind::ContextLost && key.is_unique() {
            drop(uncalled_in(key));
        } else if error.is_sticky() {
            drop(uncalled_on(key, stream));
        }
    }
}

impl DriverHandle for Inner {
    fn release_call(&self) -> Symbol {
        Symbol::cuStreamDestroy_v2
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        let beside = self.beside.address();
        let released_beside = self.beside.release(&self.context);
        let released = self.release_own();
        if let Err(error) = &released {
            self.drop_uncalled(error, self.raw.addr());
        }
        if let Err(error) = &released_beside {
            self.drop_uncalled(error, beside);
        }
        self.context.release_waiting();
        released.and(released_beside)
    }
}

impl Inner {
    /// Destroys the stream, if this crate owns it. Frees delayed memory.
    fn release_own(&mut self) -> Result<()> {
        let is_ours = matches!(self.kind, Kind::Owned);
        if !is_ours && self.delayed_frees.is_empty() {
            return Ok(());
        }
        if is_ours && self.delayed_frees.is_empty() {
            return release_by_handle(&self.context, Symbol::cuStreamDestroy_v2, || {
                // SAFETY: the owner releases the stream once, and does not use it afterwards.
                unsafe { check!(cuStreamDestroy_v2(self.raw)) }
            });
        }
        let (by, call) = match self.kind {
            Kind::Owned => (ContextRequirement::None, Symbol::cuStreamDestroy_v2),
            Kind::Legacy | Kind::Foreign { .. } => (ContextRequirement::Current, Symbol::cuMemFreeAsync),
        };
        release_in(&self.context, by, call, &mut |errors| {
            // No memory lives on the stream any more, so this is the last attempt. During a capture it fails, and the memory is
            // lost: earlier work may still be using it, and there is no way to wait for that work.
            let freed = if self.delayed_frees.is_empty()
                || self.takes_part_in_capture(Symbol::cuMemFreeAsync) != Ok(true)
            {
                self.delayed_frees.free_or_lose(self.raw, errors)
            } else {
                Err(Error::capturing(Symbol::cuMemFreeAsync, self.raw))
            };
            if !is_ours {
                return freed;
            }
            // SAFETY: the owner releases the stream once, and does not use it afterwards.
            let destroyed = unsafe { check!(cuStreamDestroy_v2(self.raw)) };
            if destroyed.is_err() {
                errors.add(freed);
                return destroyed;
            }
            freed
        })
    }
}
