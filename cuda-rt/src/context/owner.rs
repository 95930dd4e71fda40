//! The owner of a context's handle.

#![allow(unsafe_code)]

use super::capture_state::{expect_foreign_captures, foreign_captures_are_expected};
use super::creation::explain_refusal;
use super::holders::{self, end_access, forget_access, release_hold};
use super::id::id_of;
use super::queued_functions::{has_uncalled_in, uncalled_in};
use super::{Context, ContextId, CurrentContextGuard, RelaxedCaptureMode, is_gone, registry, retry_once};
use crate::device::{Device, DeviceAttribute};
use crate::error::{Code, Error, Result};
use crate::handle::{DeferredErrors, DriverHandle, Owned, Releasing, is_forked_child, made, release_waiting};
use core::any::Any;
use core::mem::ManuallyDrop;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicU64, Ordering};
use cuda_sys::{CU_DEVICE_INVALID, CUcontext, Symbol};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// The handle, and facts about the context that later calls need.
pub(super) struct Inner {
    pub(super) raw: CUcontext,
    pub(super) device: Device,
    /// The driver's number for this context, which is not reused as handles are.
    pub(super) id: Option<u64>,
    /// This crate's number for the context, if the driver has none and no other code can have a handle to it.
    pub(super) own: u64,
    /// True if `holders` counts the handle.
    pub(super) is_counted: bool,
    pub(super) has_pools: bool,
    /// The address of the device's default pool, or 0 without pools. No other device, and no other machine of the software driver,
    /// has this pool.
    pub(super) default_pool: usize,
    pub(super) reaches_pageable: bool,
    /// `None` after the release, and for a handle that is only for queries.
    pub(super) kind: Option<Kind>,
}

pub(super) enum Kind {
    /// The primary context of a device, which is released by the device.
    Primary(Device),
    Owned,
    /// A context of other code, which may destroy it when the owner is dropped.
    Foreign {
        owner: Option<Box<dyn Any + Send + Sync>>,
    },
}

// SAFETY: a `CUcontext` names an object that the driver locks by itself; contexts are not bound to
// threads. The other fields are `Send`.
unsafe impl Send for Inner {}
// SAFETY: nothing is changed through `&Inner`; the driver synchronises calls that share a context.
unsafe impl Sync for Inner {}

impl Inner {
    /// Owns the handle from now on, so that a later failure releases it.
    pub(super) fn new(raw: CUcontext, kind: Kind) -> Owned<Inner> {
        Inner::with(raw, Some(kind))
    }

    pub(super) fn with(raw: CUcontext, kind: Option<Kind>) -> Owned<Inner> {
        let device = Device::from_handle(CU_DEVICE_INVALID);
        Owned::first(Inner {
            raw,
            device,
            id: None,
            own: 0,
            is_counted: false,
            has_pools: false,
            default_pool: 0,
            reaches_pageable: true,
            kind,
        })
    }

    /// Retains the primary context of `device`.
    pub(super) fn retain(device: Device) -> Result<Owned<Inner>> {
        look_for_other_code(device);
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write.
        let retained = unsafe { check!(cuDevicePrimaryCtxRetain(&raw mut raw, device.as_raw())) };
        let retained = explain_refusal(retained, device);
        made(retained, !raw.is_null(), || Inner::new(raw, Kind::Primary(device)))
    }

    /// Returns whether both are handles to one context.
    #[inline(never)]
    pub(super) fn is_same(&self, other: &Inner) -> bool {
        self.raw == other.raw && self.id == other.id
    }

    pub(super) fn context_id(&self) -> ContextId {
        ContextId { address: self.raw.addr(), id: self.id, own: self.own }
    }
}

/// Expects foreign captures if the primary context of a device is active before this crate retains it for the first time: then
/// other code of the process uses it.
fn look_for_other_code(device: Device) {
    /// A bit for each device whose primary context this crate has retained. The last one is for all further devices.
    static RETAINED: AtomicU64 = AtomicU64::new(0);
    let bit = 1 << device.as_raw().clamp(0, 63);
    if foreign_captures_are_expected() || RETAINED.load(Ordering::Relaxed) & bit != 0 {
        return;
    }
    let Ok(state) = device.primary_context_state() else { return };
    // Another thread may have retained it since the query.
    if RETAINED.fetch_or(bit, Ordering::Relaxed) & bit == 0 && state.is_active {
        expect_foreign_captures();
    }
}

impl Owned<Inner> {
    /// Completes the handle, on the device that the driver names.
    pub(super) fn on_its_device(self) -> Result<Context> {
        let mut device = 0;
        {
            let _bound = CurrentContextGuard::new(self.raw, Symbol::cuCtxGetDevice)?;
            // SAFETY: `device` is valid for a write; the context is current.
            unsafe { check!(cuCtxGetDevice(&raw mut device)) }?;
        }
        self.on(Device::from_handle(device))
    }

    /// Queries the facts that later calls need.
    pub(super) fn on(mut self, device: Device) -> Result<Context> {
        let driver = cuda_sys::driver()?;
        self.device = device;
        if driver.has(Symbol::cuCtxGetId) {
            self.id = Some(id_of(self.raw)?);
        } else if matches!(self.kind, Some(Kind::Owned)) {
            static LAST: AtomicU64 = AtomicU64::new(0);
            self.own = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        }
        self.has_pools = driver.has(Symbol::cuMemAllocAsync)
            && device.attribute(DeviceAttribute::MEMORY_POOLS_SUPPORTED)? != 0;
        if self.has_pools {
            let mut pool = null_mut();
            // SAFETY: `pool` is valid for a write.
            unsafe { check!(cuDeviceGetDefaultMemPool(&raw mut pool, device.as_raw())) }?;
            self.default_pool = pool.addr();
        }
        self.reaches_pageable = device.attribute(DeviceAttribute::PAGEABLE_MEMORY_ACCESS)? != 0;
        self.is_counted = self.kind.is_some();
        if self.is_counted {
            holders::hold(self.context_id());
        }
        let is_found_by_handle = matches!(self.kind, Some(Kind::Owned | Kind::Foreign { .. }));
        let context = Context(Arc::new(self));
        if is_found_by_handle {
            registry::add(&context);
        }
        Ok(context)
    }
}

impl DriverHandle for Inner {
    fn release_call(&self) -> Symbol {
        match self.kind {
            Some(Kind::Primary(_)) => Symbol::cuDevicePrimaryCtxRelease_v2,
            _ => Symbol::cuCtxDestroy_v2,
        }
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        let Some(mut kind) = self.kind.take() else { return Ok(()) };
        registry::remove_dead(self.raw);
        // The hook does not run before the state of the thread is restored.
        let mut errors = DeferredErrors::default();
        let key = self.context_id();
        if self.is_counted {
            let waited = release_hold(key, &mut errors);
            if waited.is_err() {
                // An event of the context is still in the observer's record, so the context is leaked.
                let _kept = ManuallyDrop::new(kind);
                return waited;
            }
        }
        let mut panicked = None;
        if let Kind::Foreign { owner } = &mut kind {
            // Code of the program, which must not run in the relaxed mode. It may panic, and it may fork.
            let owner = owner.take();
            panicked = catch_unwind(AssertUnwindSafe(|| drop(owner))).err();
            if is_forked_child() {
                return panicked.map_or(Ok(()), |payload| resume_unwind(payload));
            }
        }
        let is_owned = matches!(kind, Kind::Owned);
        let relaxed = RelaxedCaptureMode::new();
        let released = match kind {
            // The call names the device, not the context: the context need not be current, and is not popped.
            Kind::Primary(own) => ensure_known(key).and_then(|()| {
                // SAFETY: the owner releases one retain of the primary context, which the driver of this thread knows.
                let released = unsafe { check!(cuDevicePrimaryCtxRelease_v2(own.as_raw())) };
                // Other code may hold the same context, or another context with the same handle.
                let has_ended =
                    || Ok(!retry_once(|| own.primary_context_state())?.is_active || is_gone(key)?);
                end_access(key, &mut errors, &has_ended);
                released
            }),
            Kind::Owned => {
                // Done before, because another context may get the handle as soon as it is free.
                let end = forget_access(key);
                // SAFETY: the owner releases the context once, and does not use it afterwards; every object made in it kept it
                // alive.
                let released = unsafe { check!(cuCtxDestroy_v2(self.raw)) };
                // If the context lives on, its kernels may use the pools.
                if let Some(end) = end
                    && (released.is_ok() || is_gone(key) == Ok(true))
                {
                    end(&mut errors);
                }
                released
            }
            Kind::Foreign { .. } => {
                // If the driver cannot tell, records of the context may be wrong from here on.
                let has_ended = || Ok(key.id.is_none() || is_gone(key)?);
                end_access(key, &mut errors, &has_ended);
                Ok(())
            }
        };
        // The driver is queried about contexts that this crate has not made, and only if functions are uncalled there. Without
        // the driver's number, the handle may belong to another context by now. Its functions are still to be called.
        let is_over = if is_owned {
            released.is_ok()
        } else {
            key.id.is_some()
                && has_uncalled_in(key)
                && is_gone(key).unwrap_or_else(|error| {
                    errors.add(Err(error));
                    false
                })
        };
        drop(relaxed);
        drop(errors);
        release_waiting(self.default_pool);
        if is_over {
            // Code of the program. It runs last, after the capture mode of the thread is restored.
            drop(uncalled_in(key));
        }
        panicked.map_or(released, |payload| resume_unwind(payload))
    }
}

/// Checks that the driver of this thread knows the context, live or destroyed. Drivers before CUDA 12.0 cannot tell.
///
/// A thread may have entered another machine of the software driver. The device may have another primary context there.
fn ensure_known(context: ContextId) -> Result<()> {
    match is_gone(context) {
        Ok(_) => Ok(()),
        Err(error) if error.code() == Some(Code::InvalidContext) => Err(Error::context_lost()),
        Err(error) => Err(error.before(Symbol::cuDevicePrimaryCtxRelease_v2)),
    }
}
