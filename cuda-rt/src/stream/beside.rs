//! The stream beside another one, on which host functions wake tasks.

#![allow(unsafe_code)]

use super::{Stream, StreamFlags, StreamRef};
use crate::context::{Context, release_by_handle};
use crate::error::Result;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use cuda_sys::{CUstream, CUstream_st, Symbol};

/// A stream that is made when it is first needed.
#[derive(Default)]
pub(super) struct Beside {
    /// Null before.
    raw: AtomicPtr<CUstream_st>,
    exposed: AtomicBool,
}

impl Beside {
    /// Returns the handle, or makes the stream.
    fn get(&self, context: &Context) -> Result<CUstream> {
        let known = self.raw.load(Ordering::Acquire);
        if !known.is_null() {
            return Ok(known);
        }
        let mut made = null_mut();
        {
            let _bound = context.bind(Symbol::cuStreamCreate)?;
            // SAFETY: `made` is valid for a write; the context is current.
            unsafe { check!(cuStreamCreate(&raw mut made, StreamFlags::NON_BLOCKING.bits())) }?;
        }
        let (order, failure) = (Ordering::AcqRel, Ordering::Acquire);
        match self.raw.compare_exchange(null_mut(), made, order, failure) {
            Ok(_) => Ok(made),
            Err(known) => {
                // Another thread was faster.
                destroy(context, made)?;
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
    /// Returns a stream of the same context for host functions that wake tasks, so that this one need not wait for them. Made by the
    /// first call.
    pub(crate) fn beside(&self) -> Result<StreamRef<'_>> {
        let raw = self.0.beside.get(&self.0.context)?;
        Ok(StreamRef::with_exposure(raw, &self.0.context, &self.0.beside.exposed))
    }
}
