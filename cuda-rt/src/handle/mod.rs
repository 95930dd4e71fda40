//! Release of driver objects, and the hook that receives failures of drops.
//!
//! | item | stands for |
//! |---|---|
//! | [`set_drop_hook`] | setting the function that receives failures of drops |
//! | [`Hook`] | a replaced function, to call or to restore |
//!
//! One value owns each driver object: an event, a module, an allocation. Clones of a handle share the owner.
//!
//! - `close` releases the object at once, and returns the driver's answer.
//! - Dropping releases the object too, and reports a failure to the [drop hook](set_drop_hook).
//! - Inside a [host function](crate::stream#host-functions) the driver must not be called. `close` is refused there. A thread of
//!   this crate releases an object that is dropped there.
//! - In a child of a fork nothing is released: the objects belong to the parent.

#![allow(unsafe_code)]

mod callback;
mod capture_mode;
mod deferred_drop;
mod fork;
mod hook;
mod keep_slot;
mod late_release;
mod report;
mod thread_state;

pub use hook::Hook;
pub use report::set_drop_hook;

pub(crate) use callback::{Callback, Callbacks, ensure_not_forked};
pub(crate) use capture_mode::{exchange_capture_mode, relax_this_thread};
pub(crate) use deferred_drop::{defer_drop, defer_drop_erased, must_defer};
pub(crate) use fork::{is_forked_child, watch_forks};
pub(crate) use hook::HookSlot;
pub(crate) use keep_slot::{KeepSlot, Parking};
pub(crate) use late_release::{Attempt, release_or_wait, release_waiting};
pub(crate) use report::{DeferredErrors, Quiet, report};
pub(crate) use thread_state::{
    Inside, PromisedCurrent, driver_for, ensure_not_in_host_function, forget_promise, is_inside, is_promised,
    is_promised_current, promise_again,
};

use crate::error::Result;
use core::fmt;
use core::mem::ManuallyDrop;
use core::ops::{Deref, DerefMut};
use cuda_sys::Symbol;
use std::sync::Arc;

/// An object of the driver, with the values that it needs as long as it exists. [`Owned`] releases it.
pub(crate) trait DriverHandle: Send + 'static {
    /// Returns the driver function that releases the object. Refusals to release the object name the function.
    fn release_call(&self) -> Symbol;

    /// Releases the object. Runs neither inside a host function nor in a child of a fork.
    fn release(&mut self, _: Releasing) -> Result<()>;

    /// Returns the place by which graphs keep the object, if graphs can.
    #[inline]
    fn keep_slot(&mut self) -> Option<&mut KeepSlot> {
        None
    }
}

/// Proves to [`DriverHandle::release`] that the owner of the object releases it: once, and without using it afterwards.
#[derive(Debug)]
pub(crate) struct Releasing(());

/// The owner of an object of the driver. Releases it when dropped.
pub(crate) struct Owned<H: DriverHandle>(ManuallyDrop<H>);

impl<H: DriverHandle> Owned<H> {
    /// Makes the owner of an object. This crate already notices forks: it has initialised the driver, or has made an object by
    /// [`first`](Owned::first).
    #[inline]
    pub(crate) fn new(handle: H) -> Owned<H> {
        Owned(ManuallyDrop::new(handle))
    }

    /// Makes the owner of an object that needs no other object of this crate. Other code may have initialised the driver, so this crate
    /// begins to notice forks here.
    pub(crate) fn first(handle: H) -> Owned<H> {
        watch_forks();
        Owned::new(handle)
    }

    /// Releases the object, and returns the driver's answer. Refused inside a host function. If graphs hold the object, the last
    /// graph releases it instead.
    pub(crate) fn close(mut self) -> Result<()> {
        if let Some(parking) = begin_close(&mut *self)? {
            parking.park(Box::new(self));
            return Ok(());
        }
        // `self` owned the object, and is gone. Dropping the handle does not release the object again.
        finish_close(&mut self.into_inner())
    }

    /// Leaves the object to a thread of this crate inside a host function, otherwise to the graphs that hold it.
    #[cold]
    #[inline(never)]
    fn leave(mut self) {
        match parking_of(&mut *self) {
            Some(parking) => parking.park(Box::new(self)),
            None => defer_drop(self),
        }
    }

    /// Releases the object if this is the last handle to it.
    pub(crate) fn close_last(handle: Arc<Owned<H>>) -> Result<()> {
        ensure_not_in_host_function(handle.release_call())?;
        Arc::into_inner(handle).map_or(Ok(()), Owned::close)
    }

    /// Returns the object. The caller must release it.
    #[inline]
    pub(crate) fn into_inner(self) -> H {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used again, and its destructor does not run.
        unsafe { ManuallyDrop::take(&mut this.0) }
    }
}

/// Takes out the share of a dropped handle for the graphs that hold the object. `None` inside a host function.
fn parking_of(handle: &mut dyn DriverHandle) -> Option<Arc<Parking>> {
    if must_defer() { None } else { handle.keep_slot().and_then(KeepSlot::take) }
}

/// Checks that a handle may be closed, and takes out its share if graphs hold the object.
fn begin_close(handle: &mut dyn DriverHandle) -> Result<Option<Arc<Parking>>> {
    ensure_not_in_host_function(handle.release_call())?;
    let Some(slot) = handle.keep_slot() else { return Ok(None) };
    Ok(if slot.is_held() { slot.take() } else { None })
}

/// Releases an object whose owner is gone.
fn finish_close(handle: &mut dyn DriverHandle) -> Result<()> {
    if is_forked_child() { Ok(()) } else { handle.release(Releasing(())) }
}

/// Wraps the object that a call should make. A call can make its object and then report an earlier failure. If `is_made`, such an
/// object is wrapped and dropped. No context of this crate may be bound: dropping can run the hook.
pub(crate) fn made<T>(outcome: Result<()>, is_made: bool, wrap: impl FnOnce() -> T) -> Result<T> {
    match outcome {
        Ok(()) => Ok(wrap()),
        Err(error) => {
            if is_made {
                drop(wrap());
            }
            Err(error)
        }
    }
}

impl<H: DriverHandle> Deref for Owned<H> {
    type Target = H;

    #[inline]
    fn deref(&self) -> &H {
        &self.0
    }
}

impl<H: DriverHandle> DerefMut for Owned<H> {
    #[inline]
    fn deref_mut(&mut self) -> &mut H {
        &mut self.0
    }
}

impl<H: DriverHandle + fmt::Debug> fmt::Debug for Owned<H> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

impl<H: DriverHandle> Drop for Owned<H> {
    #[inline]
    fn drop(&mut self) {
        if must_defer() || self.0.keep_slot().is_some_and(|slot| slot.may_be_held()) {
            // SAFETY: the destructor runs once, and does not use the field afterwards.
            let handle = unsafe { ManuallyDrop::take(&mut self.0) };
            return Owned::new(handle).leave();
        }
        let handle = DropLast(&mut self.0);
        if !is_forked_child() {
            // This value owned the object, and the destructor runs once.
            report(handle.0.release(Releasing(())));
        }
    }
}

/// Drops the other values of an object after its release, even if the release panics.
struct DropLast<'owned, H>(&'owned mut ManuallyDrop<H>);

impl<H> Drop for DropLast<'_, H> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the destructor of `Owned` makes one of these, and does not use the field afterwards.
        unsafe { ManuallyDrop::drop(self.0) };
    }
}
