//! Memory that is bound to an object of several devices.

use super::PhysicalMemory;
use crate::device::Device;
use crate::error::{Code, Error, OrDetail, Result};
use crate::map::SortedMap;
use cuda_sys::Symbol;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The memory that is bound to one object. It stays alive as long as it is bound, and the driver is not called by this.
#[derive(Default)]
pub(super) struct Bindings(Mutex<Bound>);

#[derive(Default)]
struct Bound {
    /// By device and offset.
    ranges: SortedMap<(Device, usize), Binding>,
    /// Memory that may be bound: the driver has refused to bind it, perhaps for an earlier failure.
    maybe: Vec<PhysicalMemory>,
}

struct Binding {
    bytes: usize,
    /// `None` for memory that is bound by its address.
    _memory: Option<PhysicalMemory>,
}

impl Bindings {
    fn lock(&self) -> MutexGuard<'_, Bound> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the outcome of a call that was to bind memory.
    pub(super) fn note(
        &self,
        outcome: Result<()>,
        (device, offset): (Device, usize),
        bytes: usize,
        memory: Option<PhysicalMemory>,
    ) -> Result<()> {
        let codes = [Code::InvalidValue, Code::InvalidDevice, Code::OutOfMemory];
        let outcome =
            outcome.or_detail(&codes, &|| format!("{bytes} bytes of device {} at {offset}", device.as_raw()));
        let mut bound = self.lock();
        if outcome.is_ok() {
            bound.ranges.insert((device, offset), Binding { bytes, _memory: memory });
        } else {
            bound.maybe.extend(memory);
        }
        outcome
    }

    /// Has `unbind` unbind the bytes that are bound at an offset.
    pub(super) fn unbind(
        &self,
        call: Symbol,
        place: (Device, usize),
        unbind: impl FnOnce(usize) -> Result<()>,
    ) -> Result<()> {
        let bytes = self.lock().ranges.get(&place).map(|binding| binding.bytes).ok_or_else(|| {
            let (device, offset) = (place.0.as_raw(), place.1);
            let text =
                format_args!("nothing of device {device} is bound at {offset}; name the offset of a binding");
            Error::invalid_for(call, text)
        })?;
        unbind(bytes)?;
        // Not dropped while the bindings are locked.
        let binding = self.lock().ranges.remove(&place);
        drop(binding);
        Ok(())
    }
}

/// Refuses a range that is not inside.
pub(super) fn ensure_inside(call: Symbol, of: &str, offset: usize, bytes: usize, size: usize) -> Result<()> {
    match offset.checked_add(bytes) {
        Some(end) if end <= size => Ok(()),
        _ => {
            let text =
                format_args!("{bytes} bytes from {offset} on are not inside {of}, which has {size} bytes");
            Err(Error::invalid_for(call, text))
        }
    }
}
