//! Companion stream of another stream, on which host functions wake tasks.

#![allow(unsafe_code)]

use super::{Stream, StreamFlags, StreamRef};
use crate::context::{Context, release_by_handle};
use crate::error::Result;
use crate::handle::report;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use cuda_sys::{CUstream, CUstream_st, Symbol};

/// A stream that is created at its first use.
#[derive(Default)]
pub(super) struct Beside {
    /// Null before the first use.
    raw: AtomicPtr<CUstream_st>,
    exposed: AtomicBool,
}

impl Beside {
    /// Returns the handle. Creates the stream if necessary.
    fn get(&self, context: &Context) -> Result<CUstream> {
        let known = self.raw.load(Ordering::Acquire);
        if !known.is_null() {
            return Ok(known);
        }
        let mut raw = null_mut();
        let created = {
            let _bound = context.bind(Symbol::cuStreamCreate)?;
            // SAFETY: `raw` is valid for a write; the context is current.
            unsafe { check!(cuStreamCreate(&raw mut raw, StreamFlags::NON_BLOCKING.bits())) }
        };
        if let Err(error) = created {
            // A call that has made the stream may report an earlier failure.
            if !raw.is_null() {
                report(destroy(context, raw));
            }
            return Err(error);
        }
        let (order, failure) = (Ordering::AcqRel, Ordering::Acquire);
        match self.raw.compare_exchange(null_mut(), raw, order, failure) {
            Ok(_) => Ok(raw),
            Err(known) => {
                // Another thread was faster.
                report(destroy(context, raw));
                Ok(known)
            }
        }
    }

    /// Destroys the stream, if there is one.
    pub(super) fn release(&mut self, context: &Context) -> Result<()> {
        let made = core::mem::replace(self.raw.get_mut(), null_mut());
        if made.is_null() { Ok(()) } else { destroy(context, made) }
    }

    /// Returns the address of the handle, 0 if there is none.
    pub(super) fn address(&self) -> usize {
        self.raw.load(Ordering::Acquire).addr()
    }
}

fn destroy(context: &Context, stream: CUstream) -> Result<()> {
    release_by_handle(context, Symbol::cuStreamDestroy_v2, || {
        // SAFETY: the callers own the stream, and do not use it afterwards.
        unsafe { check!(cuStreamDestroy_v2(stream)) }
    })
}

impl Stream {
    /// Returns the companion stream for host functions that wake tasks, so that this stream need not wait for them. The first
    /// call creates it.
    pub(crate) fn beside(&self) -> Result<StreamRef<'_>> {
        let raw = self.0.beside.get(&self.0.context)?;
        Ok(StreamRef::with_exposure(raw, &self.0.context, &self.0.beside.exposed))
    }
}
