//! Slot in an object by which graphs keep the object after its Rust handle was dropped.
//!
//! The slot is empty until a graph holds the object, so that the drop of other objects costs only one check. The first hold makes
//! the state that the handle and the graphs share. If a handle is dropped while graphs hold the object, the handle parks the
//! object there, and the last graph releases it.

use super::deferred_drop::Value;
use core::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Empty, or shared with the graphs that hold the object.
#[derive(Default)]
pub(crate) struct KeepSlot(OnceLock<Arc<Parking>>);

/// Takes the object when its handle is dropped. The last share drops the object.
#[derive(Default)]
pub(crate) struct Parking(Mutex<Option<Value>>);

impl KeepSlot {
    /// Returns a share, which keeps the object alive.
    pub(crate) fn hold(&self) -> Arc<Parking> {
        Arc::clone(self.0.get_or_init(Arc::default))
    }

    /// Returns whether graphs hold shares. If none does, none can get one meanwhile: that needs the
    /// handle, which is borrowed.
    pub(crate) fn is_held(&mut self) -> bool {
        self.0.get().is_some_and(|parking| Arc::strong_count(parking) > 1)
    }

    /// Returns whether there may be shares.
    #[inline]
    pub(super) fn may_be_held(&self) -> bool {
        self.0.get().is_some()
    }

    /// Passes `object` to the graphs that hold shares: the last share drops it. Without shares,
    /// drops it now.
    pub(crate) fn leave<T: Send + 'static>(&mut self, object: T) {
        if let Some(parking) = self.take() {
            parking.park(Box::new(object));
        }
    }

    /// Takes out the handle's own share, if the object may be held.
    pub(super) fn take(&mut self) -> Option<Arc<Parking>> {
        self.0.take()
    }
}

impl Parking {
    /// Leaves an object to the last share, which may be this one.
    #[cold]
    pub(super) fn park(self: Arc<Self>, object: Value) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(object);
        // Done with nothing locked: this may be the last share.
        drop(self);
    }
}

impl fmt::Debug for KeepSlot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("KeepSlot").field(&self.0.get().is_some()).finish()
    }
}
