//! Bindings of memory to an object of several devices.

use super::PhysicalMemory;
use crate::device::Device;
use crate::error::{Code, Error, OrDetail, Result};
use crate::handle::ensure_not_forked;
use crate::map::SortedMap;
use cuda_sys::Symbol;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Memory that is bound to one object. It is kept alive as long as it is bound. This type makes no driver calls.
#[derive(Default)]
pub(super) struct Bindings(Mutex<Bound>);

#[derive(Default)]
struct Bound {
    /// By device and offset.
    ranges: SortedMap<(Device, usize), Binding>,
    /// Memory that may be bound: the binding call reported an earlier failure.
    maybe: Vec<PhysicalMemory>,
}

struct Binding {
    bytes: usize,
    /// `None` for memory that is bound by its address.
    memory: Option<PhysicalMemory>,
}

impl Bindings {
    fn lock(&self) -> MutexGuard<'_, Bound> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the outcome of a call that binds memory.
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
        // Memory is not dropped while the bindings are locked.
        let replaced = match &outcome {
            Ok(()) => self.lock().ranges.insert((device, offset), Binding { bytes, memory }),
            Err(error) if error.is_sticky() => {
                self.lock().maybe.extend(memory);
                None
            }
            Err(_) => None,
        };
        drop(replaced);
        outcome
    }

    /// Runs `unbind` for the bytes that are bound at an offset.
    pub(super) fn unbind(
        &self,
        call: Symbol,
        place: (Device, usize),
        unbind: impl FnOnce(usize) -> Result<()>,
    ) -> Result<()> {
        // The list may be locked in the child of a fork.
        ensure_not_forked(call)?;
        // Removed first: other threads cannot unbind it meanwhile, and may bind other memory there afterwards.
        let binding = self.lock().ranges.remove(&place).ok_or_else(|| {
            let (device, offset) = (place.0.as_raw(), place.1);
            Error::invalid_for(
                call,
                format_args!("nothing of device {device} is bound at {offset}; name the offset of a binding"),
            )
        })?;
        let outcome = unbind(binding.bytes);
        if outcome.is_err() {
            let mut bound = self.lock();
            if bound.ranges.contains_key(&place) {
                bound.maybe.extend(binding.memory);
            } else {
                bound.ranges.insert(place, binding);
            }
        }
        outcome
    }
}

/// Refuses a range that is not inside `size`.
pub(super) fn ensure_inside(call: Symbol, of: &str, offset: usize, bytes: usize, size: usize) -> Result<()> {
    match offset.checked_add(bytes) {
        Some(end) if end <= size => Ok(()),
        _ => Err(Error::invalid_for(
            call,
            format_args!("{bytes} bytes from {offset} on are not inside {of}, which has {size} bytes"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::{Bindings, Code, Device, Error, Symbol};

    const CALL: Symbol = Symbol::cuMulticastUnbind;

    #[test]
    fn range_is_unbound_once_and_stays_after_a_refusal() {
        let (bindings, place) = (Bindings::default(), (Device::from_handle(0), 8));
        assert!(bindings.note(Ok(()), place, 16, None).is_ok());
        let refusal = || Err(Error::driver("cuMulticastUnbind", Code::InvalidValue));
        let refused = bindings.unbind(CALL, place, |bytes| {
            assert_eq!(bytes, 16);
            // Another thread finds nothing.
            assert!(bindings.unbind(CALL, place, |_| Ok(())).is_err());
            refusal()
        });
        assert_eq!(refused, refusal());
        // A range that is bound during the call is another one.
        let outcome = bindings.unbind(CALL, place, |_| bindings.note(Ok(()), place, 32, None));
        assert_eq!(outcome, Ok(()));
        let mut unbound = 0;
        let outcome = bindings.unbind(CALL, place, |bytes| {
            unbound = bytes;
            Ok(())
        });
        assert_eq!((outcome, unbound), (Ok(()), 32));
    }
}
