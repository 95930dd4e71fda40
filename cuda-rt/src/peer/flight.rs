//! Copies between devices that are on their way.
//!
//! Turning access off, or closing a pool, while a copy uses it ends the process's use of the driver (measured: 719). So
//! every copy of this crate between two devices is noted until it is done, and what takes access away waits for it. It
//! does not hold the record meanwhile, since what the copy waits for may need it. The events of copies are the record's, and
//! the last handle to a context waits for its copies.

#![allow(unsafe_code)]

use super::record::{Key, Record, with_record};
use crate::context::{Context, Relaxed, is_gone, is_of_another_machine, twice};
use crate::device::Device;
use crate::error::{Code, Leftovers, Quiet, Result};
use crate::event::Event;
use crate::fork::is_forked_child;
use cuda_sys::CUevent;
use std::thread;
use std::time::Duration;

/// How long it takes until it is looked again.
const PAUSE: Duration = Duration::from_micros(50);

/// A copy, from before it is queued until it is done.
pub(super) struct Flight {
    number: u64,
    devices: [Device; 2],
    /// The event after it, which is the record's now; `None` while it is being queued.
    mark: Option<Mark>,
}

struct Mark {
    event: CUevent,
    context: Key,
}

// SAFETY: a `CUevent` names an object that the driver locks by itself; it is not bound to a thread.
unsafe impl Send for Mark {}

/// Two devices, whichever way.
fn pair(first: Device, second: Device) -> [Device; 2] {
    if first <= second { [first, second] } else { [second, first] }
}

/// A copy between two devices that is about to be queued; given up if it is dropped.
///
/// Other threads wait for it, so the hook does not run meanwhile.
#[must_use]
pub(crate) struct Departure {
    /// `None` if there is nothing to note.
    number: Option<u64>,
    _quiet: Quiet,
}

impl Departure {
    /// Waits while access between the devices is being taken away.
    pub(crate) fn new(first: &Context, second: &Context) -> Departure {
        let devices = pair(first.device(), second.device());
        if devices[0] == devices[1] || is_forked_child() {
            return Departure { number: None, _quiet: Quiet::new() };
        }
        if with_record(|record| !record.flights.is_empty()) {
            let mut leftovers = Leftovers::default();
            // Else asking for an event would end a capture that this or another thread makes.
            let _relaxed = Relaxed::new();
            with_record(|record| record.tidy(&mut leftovers));
        }
        let quiet = Quiet::new();
        loop {
            let number = with_record(|record| {
                if record.closings.contains(&devices) {
                    return None;
                }
                record.last_number += 1;
                let number = record.last_number;
                record.flights.push_back(Flight { number, devices, mark: None });
                Some(number)
            });
            match number {
                Some(_) => return Departure { number, _quiet: quiet },
                None => thread::sleep(PAUSE),
            }
        }
    }

    /// The copy is queued, and done when the event is reached.
    pub(crate) fn until(mut self, reached: Event) {
        let Some(number) = self.number.take() else { return };
        let context = reached.context().key();
        let event = reached.into_raw();
        with_record(|record| {
            if let Some(flight) = record.flights.iter_mut().find(|flight| flight.number == number) {
                flight.mark = Some(Mark { event, context });
            }
        });
    }
}

impl Drop for Departure {
    fn drop(&mut self) {
        if let Some(number) = self.number.take() {
            with_record(|record| record.flights.retain(|flight| flight.number != number));
        }
    }
}

/// Runs `work` on the record while no copy between the two devices is on its way, and waits until that is so.
pub(super) fn between_copies<R>(
    first: Device,
    second: Device,
    leftovers: &mut Leftovers,
    work: impl FnOnce(&mut Record, &mut Leftovers) -> Result<R>,
) -> Result<R> {
    /// Unregisters, whatever happens.
    struct Registered([Device; 2]);
    impl Drop for Registered {
        fn drop(&mut self) {
            with_record(|record| {
                if let Some(place) = record.closings.iter().position(|closing| *closing == self.0) {
                    record.closings.swap_remove(place);
                }
            });
        }
    }
    let devices = pair(first, second);
    with_record(|record| record.closings.push(devices));
    let _registered = Registered(devices);
    let mut work = Some(work);
    loop {
        let outcome = with_record(|record| match record.have_landed(devices, leftovers) {
            Ok(true) => work.take().map(|work| work(record, leftovers)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        });
        match outcome {
            Some(outcome) => return outcome,
            None => thread::sleep(PAUSE),
        }
    }
}

/// Whether copies of this crate between the device and another one may be on their way.
///
/// Freeing memory does not always wait for those, not even where a stream of its context was made to wait for them, and one
/// that loses its memory ends the process's use of the driver (measured: 719 after `cuMemFree` and `cuArrayDestroy`, with
/// peer access in one direction).
pub(crate) fn copies_under_way(device: Device, leftovers: &mut Leftovers) -> bool {
    if is_forked_child() {
        return false;
    }
    with_record(|record| {
        record.tidy(leftovers);
        record.flights.iter().any(|flight| flight.devices.contains(&device))
    })
}

/// What became of a copy.
enum Landing {
    /// It is done, and forgotten.
    Done,
    Pending,
    /// This thread's driver does not know its context: with the software driver, it is of another machine.
    Elsewhere,
}

impl Record {
    /// Whether all copies between two devices are done.
    fn have_landed(&mut self, devices: [Device; 2], leftovers: &mut Leftovers) -> Result<bool> {
        let mut place = 0;
        while let Some(flight) = self.flights.get(place) {
            if flight.devices != devices {
                place += 1;
                continue;
            }
            match self.land(place, leftovers)? {
                Landing::Done => {}
                Landing::Pending => return Ok(false),
                Landing::Elsewhere => place += 1,
            }
        }
        Ok(true)
    }

    /// Forgets the oldest copies that are done, so that there are never many.
    fn tidy(&mut self, leftovers: &mut Leftovers) {
        let mut place = 0;
        while place < self.flights.len() {
            match self.land(place, leftovers) {
                Ok(Landing::Done) => {}
                Ok(Landing::Elsewhere) => place += 1,
                Ok(Landing::Pending) | Err(_) => return,
            }
        }
    }

    /// Returns true if all copies of a context are done.
    fn context_has_landed(&mut self, context: Key, leftovers: &mut Leftovers) -> Result<bool> {
        let mut place = 0;
        while let Some(flight) = self.flights.get(place) {
            if flight.mark.as_ref().is_none_or(|mark| mark.context != context) {
                place += 1;
                continue;
            }
            match self.land(place, leftovers)? {
                Landing::Done => {}
                Landing::Pending => return Ok(false),
                Landing::Elsewhere => place += 1,
            }
        }
        Ok(true)
    }

    fn land(&mut self, place: usize, leftovers: &mut Leftovers) -> Result<Landing> {
        let Some(mark) = self.flights.get(place).and_then(|flight| flight.mark.as_ref()) else {
            return Ok(Landing::Pending);
        };
        let (event, context) = (mark.event, mark.context);
        let is_gone = match is_gone(context) {
            Err(error) if error.code() == Some(Code::InvalidContext) => {
                // SAFETY: a handle to the context is counted, and does not go while the record is locked.
                let is_elsewhere = unsafe { is_of_another_machine(context.raw(), leftovers) };
                return if is_elsewhere { Ok(Landing::Elsewhere) } else { Err(error) };
            }
            answer => answer?,
        };
        // The event went with its context, if that was reset or destroyed; its handle may be another's. Else a handle to the
        // context is there: see `let_go`.
        if !is_gone {
            // SAFETY: the event is the record's. Its context lives: a handle to it is counted, and does not go while the record
            // is locked.
            match twice(|| unsafe { check!(cuEventQuery(event)) }) {
                Err(error) if error.code() == Some(Code::NotReady) => return Ok(Landing::Pending),
                // Nothing is on its way after the end of everything.
                Err(error) if !error.is_sticky() => return Err(error),
                Err(error) => leftovers.add(Err(error)),
                // SAFETY: the event is the record's, and forgotten below.
                Ok(()) => leftovers.add(unsafe { check!(cuEventDestroy_v2(event)) }),
            }
        }
        self.flights.remove(place);
        Ok(Landing::Done)
    }
}

/// Notes that there is one handle more to a context, as [`let_go`] counts them.
pub(crate) fn hold(context: Key) {
    if !is_forked_child() {
        with_record(|record| *record.holders.entry(context).or_default() += 1);
    }
}

/// Notes that a handle to a context is about to end. The last one waits until the copies of this crate from and to the
/// context are done: their events are the context's, which others may end from then on.
///
/// If this fails, the context must be kept.
pub(crate) fn let_go(context: Key, leftovers: &mut Leftovers) -> Result<()> {
    loop {
        let outcome = with_record(|record| {
            if let Some(holders) = record.holders.get_mut(&context)
                && *holders > 1
            {
                *holders -= 1;
                return Some(Ok(()));
            }
            let outcome = match record.context_has_landed(context, leftovers) {
                Ok(false) => return None,
                Ok(true) => Ok(()),
                // The next handle waits.
                Err(error) => Err(error),
            };
            record.holders.remove(&context);
            Some(outcome)
        });
        match outcome {
            Some(outcome) => return outcome,
            None => thread::sleep(PAUSE),
        }
    }
}
