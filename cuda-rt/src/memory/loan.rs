//! Host memory that copies use, and host memory that is registered.
//!
//! `cuMemHostUnregister` waits for the context that the memory is registered in, and for no other. A copy of another context
//! would lose its pages, and the process the driver (fact V940). So one table has an entry for every copy of this crate that
//! borrows host memory, for as long as the device may use the memory. Every registration has an entry for as long as it
//! lasts. A registration ends only after the copies that overlap it.
//!
//! The lock of the table is never held while the driver is called.

#![allow(unsafe_code)]

use crate::context::twice;
use crate::error::{Code, Result};
use crate::fork::is_forked_child;
use crate::stream::Stream;
use core::cell::Cell;
use core::ffi::c_void;
use core::marker::PhantomData;
use core::ops::Range;
use core::ptr::{NonNull, from_ref};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Addresses of host memory.
pub(crate) type HostRange = Range<usize>;

/// The addresses of `bytes` bytes at `start`.
pub(crate) fn host_range(start: *const c_void, bytes: usize) -> HostRange {
    start.addr()..start.addr().wrapping_add(bytes)
}

struct Table {
    lent: Vec<Lent>,
    registrations: Vec<Registration>,
    /// The number that was given last, to a loan or a registration.
    last: u64,
    /// Threads that wait for a change.
    waiting: usize,
}

/// A range that a copy uses.
struct Lent {
    loan: u64,
    range: HostRange,
    /// Valid as long as the entry is in the table.
    stream: NonNull<Stream>,
    thread: ThreadMark,
    /// If true, waiting for the stream is waiting for the copy. Otherwise a call of `thread` queues the copy, or waits for it.
    is_queued: bool,
    /// If true, the copy may use the memory directly because of a registration of this crate.
    is_registered: bool,
}

// SAFETY: the stream may be used by other threads, and is only looked at while the entry is in the table.
unsafe impl Send for Lent {}

struct Registration {
    number: u64,
    range: HostRange,
    /// The thread that is ending it.
    ended_by: Option<ThreadMark>,
}

static TABLE: Mutex<Table> =
    Mutex::new(Table { lent: Vec::new(), registrations: Vec::new(), last: 0, waiting: 0 });
static CHANGED: Condvar = Condvar::new();

/// Tells a thread from all others that run.
#[derive(Clone, Copy, PartialEq, Eq)]
struct ThreadMark(usize);

impl ThreadMark {
    fn of_this_thread() -> ThreadMark {
        thread_local!(static PLACE: u8 = const { 0 });
        ThreadMark(PLACE.with(|place| from_ref(place).addr()))
    }
}

/// Returns whether two ranges have a byte in common. The driver locks whole pages, but takes memory beside a registered range for
/// pageable, and copies it by way of its own (fact V941).
fn overlap(first: &HostRange, second: &HostRange) -> bool {
    first.start < second.end && second.start < first.end
}

impl Table {
    fn lock() -> MutexGuard<'static, Table> {
        TABLE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Wakes the threads that wait for a change.
    fn notify(&self) {
        // Waking costs a system call, also if no thread waits.
        if self.waiting > 0 {
            CHANGED.notify_all();
        }
    }
}

/// Waits until the table has changed.
fn wait(mut table: MutexGuard<'_, Table>) -> MutexGuard<'_, Table> {
    table.waiting += 1;
    let mut table = CHANGED.wait(table).unwrap_or_else(PoisonError::into_inner);
    table.waiting -= 1;
    table
}

/// Borrowed host memory that copies on one stream use. Must be dropped as soon as the device cannot use it any more, and not
/// before.
#[derive(Debug)]
pub(super) struct Loan<'stream> {
    /// 0 before something is lent.
    number: Cell<u64>,
    stream: &'stream Stream,
    /// A registration that ends on the same thread waits for the stream, and for no other thread.
    _not_send: PhantomData<*const ()>,
}

impl<'stream> Loan<'stream> {
    /// Lends nothing yet.
    pub(super) fn new(stream: &'stream Stream) -> Loan<'stream> {
        Loan { number: Cell::new(0), stream, _not_send: PhantomData }
    }

    /// Notes that copies that are about to be queued on the stream use these ranges. Waits for registrations of them that are
    /// ending. Returns whether one is registered.
    pub(super) fn add(&self, ranges: &[HostRange]) -> bool {
        let thread = ThreadMark::of_this_thread();
        let mut table = Table::lock();
        // A hook that runs in the middle of an ending does not wait for it.
        let is_ending = |registration: &Registration| {
            registration.ended_by.is_some_and(|by| by != thread)
                && ranges.iter().any(|range| overlap(range, &registration.range))
        };
        while table.registrations.iter().any(is_ending) {
            table = wait(table);
        }
        if self.number.get() == 0 {
            self.number.set(table.next_number());
        }
        let mut any = false;
        for range in ranges {
            let is_registered = table.registrations.iter().any(|other| overlap(range, &other.range));
            any |= is_registered;
            let (loan, range, stream) = (self.number.get(), range.clone(), NonNull::from(self.stream));
            table.lent.push(Lent { loan, range, stream, thread, is_queued: false, is_registered });
        }
        any
    }

    /// The calls that queue the copies have returned. If `staged`, the driver is done with what was not registered
    /// meanwhile. Returns whether something was.
    pub(super) fn queued(&self, staged: bool) -> bool {
        let mut table = Table::lock();
        let mut any = false;
        table.lent.retain_mut(|lent| {
            if lent.loan != self.number.get() || lent.is_queued {
                return true;
            }
            lent.is_queued = true;
            any |= lent.is_registered;
            lent.is_registered || !staged
        });
        table.notify();
        any
    }

    /// Returns whether some of the memory was registered since it was lent.
    pub(super) fn is_registered(&self) -> bool {
        Table::lock().lent.iter().any(|lent| lent.loan == self.number.get() && lent.is_registered)
    }
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        // In the child of a fork a thread that is not there may have the table.
        if self.number.get() == 0 || is_forked_child() {
            return;
        }
        let mut table = Table::lock();
        table.lent.retain(|lent| lent.loan != self.number.get());
        table.notify();
    }
}

/// Notes that a range is about to be registered, and returns the registration's number. From here on, copies of it count as
/// copies of page-locked memory.
pub(super) fn begin_registration(range: HostRange) -> u64 {
    let mut table = Table::lock();
    for lent in table.lent.iter_mut().filter(|lent| overlap(&lent.range, &range)) {
        lent.is_registered = true;
    }
    let number = table.next_number();
    table.registrations.push(Registration { number, range, ended_by: None });
    number
}

/// Waits for the copies that use memory of a registration. Copies that begin later wait for [`end_registration`] or
/// [`keep_registration`]. `streams` gets the streams that were waited for, to be dropped where a hook may run.
///
/// # Errors
///
/// The failure of waiting for a stream. A copy on it may be under way.
pub(super) fn wait_for_copies(number: u64, streams: &mut Vec<Stream>) -> Result<()> {
    let thread = ThreadMark::of_this_thread();
    let mut table = Table::lock();
    let Some(own) = table.registrations.iter_mut().find(|registration| registration.number == number) else {
        return Ok(());
    };
    own.ended_by = Some(thread);
    let range = own.range.clone();
    loop {
        // A call of this thread that queues a copy goes on only after this function.
        let is_in_a_call =
            |lent: &Lent| !lent.is_queued && lent.thread != thread && overlap(&lent.range, &range);
        if table.lent.iter().any(is_in_a_call) {
            table = wait(table);
            continue;
        }
        for lent in table.lent.iter().filter(|lent| overlap(&lent.range, &range)) {
            // SAFETY: the entry is in the table, which is locked, so the stream is borrowed.
            let stream = unsafe { lent.stream.as_ref() };
            if !streams.contains(stream) {
                streams.push(stream.clone());
            }
        }
        break;
    }
    drop(table);
    for stream in streams.iter() {
        match twice(|| stream.synchronize()) {
            // This thread's driver does not know the context: with the software driver, it is of another machine.
            Err(error) if error.code() == Some(Code::InvalidContext) => {}
            waited => waited?,
        }
    }
    Ok(())
}

/// The memory is not registered any more.
pub(super) fn end_registration(number: u64) {
    // A thread that is not there may have the table.
    if is_forked_child() {
        return;
    }
    let mut table = Table::lock();
    table.registrations.retain(|registration| registration.number != number);
    table.notify();
}

/// The memory stays registered for good.
pub(super) fn keep_registration(number: u64) {
    let mut table = Table::lock();
    for registration in table.registrations.iter_mut().filter(|registration| registration.number == number) {
        registration.ended_by = None;
    }
    table.notify();
}
