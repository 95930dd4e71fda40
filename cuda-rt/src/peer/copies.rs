//! Pending copies between devices.
//!
//! If access is disabled while a copy uses it, the driver fails with 719 for the rest of the process. The same holds for access
//! to a pool. So every copy of this crate between two devices is recorded until it is done, and a call that disables access waits
//! for it. The call does not lock the record meanwhile, because the copy may wait for work that needs the record. The record owns
//! the events of copies. The last handle to a context waits for its copies, through the record's
//! [`ContextObserver`](crate::context::ContextObserver).

#![allow(unsafe_code)]

use super::record::{Record, lock_record, with_record};
use crate::context::{Context, ContextId, RelaxedCaptureMode, is_gone, is_of_another_machine, retry_once};
use crate::device::Device;
use crate::error::{Code, Error, ErrorKind, Result};
use crate::event::Event;
use crate::handle::{DeferredErrors, Quiet, is_forked_child};
use core::sync::atomic::{AtomicU64, Ordering};
use cuda_sys::CUevent;
use std::sync::MutexGuard;
use std::thread;
use std::time::Duration;

/// Pause between two queries.
const PAUSE: Duration = Duration::from_micros(50);

/// A copy, from before it is queued until it is done.
pub(super) struct PendingPeerCopy {
    /// Pairs of devices between which it may copy.
    devices: Vec<[Device; 2]>,
    /// The contexts, among them that of the event.
    contexts: Vec<ContextId>,
    progress: Progress,
}

enum Progress {
    /// The copy is being queued.
    Announced,
    /// The event after the copy, which the record owns.
    Marked(Mark),
    /// The copy may run, and there is no event after it. It was queued in this context.
    Unknown(ContextId),
}

struct Mark {
    event: CUevent,
    context: ContextId,
}

// SAFETY: a `CUevent` names an object that the driver locks by itself; it is not bound to a thread.
unsafe impl Send for Mark {}

impl PendingPeerCopy {
    /// Returns the record of work that may copy between any two of the contexts. `None` if all contexts have the same device.
    fn between(contexts: &[&Context]) -> Option<PendingPeerCopy> {
        let mut devices = Vec::new();
        for (place, first) in contexts.iter().enumerate() {
            for second in contexts.iter().skip(place + 1) {
                let pair = device_pair(first.device(), second.device());
                if pair[0] != pair[1] && !devices.contains(&pair) {
                    devices.push(pair);
                }
            }
        }
        if devices.is_empty() {
            return None;
        }
        let contexts: Vec<ContextId> = contexts.iter().map(|context| context.context_id()).collect();
        Some(PendingPeerCopy { devices, contexts, progress: Progress::Announced })
    }

    pub(super) fn is_of(&self, context: ContextId) -> bool {
        self.contexts.contains(&context)
    }
}

/// Number of times that this crate has disabled access between any two devices.
static REVOCATIONS: AtomicU64 = AtomicU64::new(0);

/// Returns the number of times that this crate has disabled access between any two devices.
///
/// The route of copies between devices is fixed when a graph is instantiated. If access is disabled later, a launch makes the
/// driver fail with 719 for the rest of the process, even if access is enabled again before the launch (fact V1163).
pub(crate) fn revocations() -> u64 {
    REVOCATIONS.load(Ordering::Relaxed)
}

pub(super) fn count_revocation() -> u64 {
    REVOCATIONS.fetch_add(1, Ordering::Relaxed) + 1
}

/// Returns two devices in an order that does not depend on the direction.
pub(super) fn device_pair(first: Device, second: Device) -> [Device; 2] {
    if first <= second { [first, second] } else { [second, first] }
}

/// A copy between two devices that is about to be queued. If the ticket is dropped, the copy was not queued.
///
/// Other threads wait for the ticket, so the hook does not run meanwhile.
#[must_use]
pub(crate) struct CopyTicket {
    /// `None` if nothing is recorded.
    number: Option<u64>,
    _quiet: Quiet,
}

impl CopyTicket {
    /// Waits while access between the devices is being disabled.
    pub(crate) fn new(first: &Context, second: &Context) -> CopyTicket {
        CopyTicket::among(&[first, second])
    }

    /// Makes a ticket for work that may copy between any two of the contexts. Waits while access between any two of the devices is
    /// being disabled. One of the contexts is that of the event after the work.
    pub(crate) fn among(contexts: &[&Context]) -> CopyTicket {
        loop {
            match CopyTicket::try_among(contexts) {
                Some(ticket) => return ticket,
                None => thread::sleep(PAUSE),
            }
        }
    }

    /// Makes the same ticket without waiting. Returns `None` while access between any two of the devices is being disabled.
    pub(crate) fn try_among(contexts: &[&Context]) -> Option<CopyTicket> {
        let copy = if is_forked_child() { None } else { PendingPeerCopy::between(contexts) };
        let number = copy.map(announced);
        match number {
            Some(None) => None,
            number => Some(CopyTicket { number: number.flatten(), _quiet: Quiet::new() }),
        }
    }

    /// Returns whether a copy is recorded: the contexts have several devices.
    pub(crate) fn is_recorded(&self) -> bool {
        self.number.is_some()
    }

    /// Returns the devices of the ticket, if access between them has been disabled since both were in use. `own` is the device of
    /// the context of the copies, and `before` is the number of [`revocations`] when memory of a device was first in use.
    pub(crate) fn was_revoked(&self, own: Device, before: impl Fn(Device) -> u64) -> Option<[Device; 2]> {
        let number = self.number?;
        // Copies within another device also need the access of their own device to it, if the memory is of a pool (fact V1175). So
        // memory of that device is enough. A copy between two other devices has memory of both.
        let in_use = |devices: [Device; 2]| match devices {
            [device, other] | [other, device] if device == own => before(other),
            [first, second] => before(first).max(before(second)),
        };
        with_record(|record| {
            let is_revoked = |devices: &&[Device; 2]| {
                record.revoked.get(*devices).is_some_and(|revoked| *revoked > in_use(**devices))
            };
            record.copies.get(&number)?.devices.iter().find(is_revoked).copied()
        })
    }

    /// Records that the copy is queued, and done when the event is reached.
    pub(crate) fn until(self, reached: Event) {
        let context = reached.context().context_id();
        // Without a record, the event is dropped.
        if self.is_recorded() {
            self.note(Progress::Marked(Mark { event: reached.into_raw(), context }));
        }
    }

    /// Records that the copy may run in a context, and that its end cannot be known. From then on, access between the devices
    /// cannot be disabled, and the contexts of the copy are not released.
    pub(crate) fn without_end(self, context: &Context) {
        self.note(Progress::Unknown(context.context_id()));
    }

    fn note(mut self, progress: Progress) {
        let Some(number) = self.number.take() else { return };
        if let Some(copy) = lock_record().copies.get_mut(&number) {
            copy.progress = progress;
        }
    }
}

/// Records a copy that is about to be queued. Returns its number, or `None` while access between two of its devices is being disabled.
fn announced(copy: PendingPeerCopy) -> Option<u64> {
    if !lock_record().copies.is_empty() {
        let mut errors = DeferredErrors::default();
        // Otherwise querying an event would invalidate a capture that this or another thread makes.
        let _relaxed = RelaxedCaptureMode::new();
        lock_record().tidy(&mut errors);
    }
    with_record(|record| {
        if copy.devices.iter().any(|pair| record.closings.contains(pair)) {
            return None;
        }
        record.last_number += 1;
        record.copies.insert(record.last_number, copy);
        Some(record.last_number)
    })
}

impl Drop for CopyTicket {
    fn drop(&mut self) {
        if let Some(number) = self.number.take() {
            lock_record().copies.remove(&number);
        }
    }
}

/// Runs `work` on the record while no copy between the two devices is pending. Waits until that is so.
pub(super) fn between_copies<R>(
    first: Device,
    second: Device,
    errors: &mut DeferredErrors,
    work: impl FnOnce(&mut Record, &mut DeferredErrors) -> Result<R>,
) -> Result<R> {
    let mut revoked = RevokeGuard::new(device_pair(first, second));
    let mut record = revoked.wait(errors)?;
    work(&mut record, errors)
}

/// Guard under which copies between two devices wait, because access between the devices is being disabled.
struct RevokeGuard([Device; 2]);

impl RevokeGuard {
    fn new(devices: [Device; 2]) -> RevokeGuard {
        lock_record().closings.push(devices);
        RevokeGuard(devices)
    }

    /// Waits until no copy between the devices is pending. Returns the record, in which none is.
    fn wait(&mut self, errors: &mut DeferredErrors) -> Result<MutexGuard<'static, Record>> {
        loop {
            let mut record = lock_record();
            if record.are_done(&|copy| copy.devices.contains(&self.0), errors)? {
                return Ok(record);
            }
            drop(record);
            thread::sleep(PAUSE);
        }
    }
}

impl Drop for RevokeGuard {
    fn drop(&mut self) {
        let mut record = lock_record();
        if let Some(place) = record.closings.iter().position(|closing| *closing == self.0) {
            record.closings.swap_remove(place);
        }
    }
}

/// Returns whether copies of this crate between the device and another one may be pending.
///
/// Freeing memory does not always wait for such copies, not even if a stream of its context waits for them. A copy that loses its
/// memory makes the driver unusable for the process.
pub(crate) fn copies_under_way(device: Device, errors: &mut DeferredErrors) -> bool {
    if is_forked_child() {
        return false;
    }
    let is_its = |copy: &PendingPeerCopy| copy.devices.as_flattened().contains(&device);
    !matches!(lock_record().are_done(&is_its, errors), Ok(true))
}

/// State of a copy.
enum CopyStatus {
    /// The copy is done, and removed from the record.
    Done,
    Pending,
    /// This thread's driver does not know the context of the copy: with the software driver, it is of another machine.
    Elsewhere,
}

impl Record {
    /// Returns whether all copies of some kind are done. Removes those that are done, up to the first that is not.
    pub(super) fn are_done(
        &mut self,
        is_wanted: &dyn Fn(&PendingPeerCopy) -> bool,
        errors: &mut DeferredErrors,
    ) -> Result<bool> {
        let mut next = 0;
        loop {
            let following = self.copies.range(next..).next();
            let Some((number, is_wanted)) = following.map(|(number, copy)| (*number, is_wanted(copy))) else {
                return Ok(true);
            };
            next = number + 1;
            if is_wanted && matches!(self.forget_if_done(number, errors)?, CopyStatus::Pending) {
                return Ok(false);
            }
        }
    }

    /// Queries a few copies, different ones each time, and removes those that are done. There are more queries than new copies,
    /// so completed copies become fewer.
    fn tidy(&mut self, errors: &mut DeferredErrors) {
        const LOOKS: usize = 2;
        for _ in 0..LOOKS.min(self.copies.len()) {
            let following = self.copies.range(self.last_looked_at + 1..).next();
            let Some((&number, _)) = following.or_else(|| self.copies.iter().next()) else { return };
            self.last_looked_at = number;
            // A failure concerns this copy only. Threads that wait for the copy get it again.
            let _ = self.forget_if_done(number, errors);
        }
    }

    /// Removes a copy if it is done.
    fn forget_if_done(&mut self, number: u64, errors: &mut DeferredErrors) -> Result<CopyStatus> {
        let (event, context) = match self.copies.get(&number).map(|copy| &copy.progress) {
            None | Some(Progress::Announced) => return Ok(CopyStatus::Pending),
            Some(Progress::Marked(mark)) => (Some(mark.event), mark.context),
            Some(Progress::Unknown(context)) => (None, *context),
        };
        let is_gone = match is_gone(context) {
            Err(error) if error.code() == Some(Code::InvalidContext) => {
                // SAFETY: a handle to the context is counted, and does not end before the copy is removed.
                let is_elsewhere = unsafe { is_of_another_machine(context.as_raw(), errors) };
                return if is_elsewhere { Ok(CopyStatus::Elsewhere) } else { Err(error) };
            }
            answer => answer?,
        };
        // If the context was reset or destroyed, the event was destroyed with it, and its handle may be another's. Otherwise
        // there is a handle to the context: see `release_hold`.
        if !is_gone {
            let event = event.ok_or_else(end_unknown)?;
            // SAFETY: the record owns the event. Its context lives: a handle to it is counted, and does not end before the copy
            // is removed.
            match retry_once(|| unsafe { poll!(cuEventQuery(event)) }) {
                Ok(false) => return Ok(CopyStatus::Pending),
                // After a failure of this extent no copy is under way.
                Err(error) if !error.is_sticky() => return Err(error),
                Err(error) => errors.add(Err(error)),
                // SAFETY: the record owns the event, and removes it below.
                Ok(true) => errors.add(unsafe { check!(cuEventDestroy_v2(event)) }),
            }
        }
        self.copies.remove(&number);
        Ok(CopyStatus::Done)
    }
}

#[cold]
fn end_unknown() -> Error {
    let text = "a graph may still run: after its launch, ordering by an event failed, and waiting for the stream failed too";
    Error::about(ErrorKind::Poisoned, format_args!("copies between devices"), format_args!("{text}"))
}
