//! Host memory that copies use, and host memory that is registered.
//!
//! `cuMemHostUnregister` waits for the context that the memory is registered in, and for no other. A copy of another context
//! would lose its pages, and all later calls of the process would fail (fact V940). Therefore one table has an entry for every
//! copy of this crate that borrows host memory, as long as the device may use the memory. Every registration has an entry, too,
//! as long as it lasts. A registration ends only after the copies that overlap it.
//!
//! While no memory is registered, copies are recorded on separate lists, and few threads share a list. So copies of different
//! threads rarely wait for each other. A new registration moves the entries of the lists to the table.
//!
//! The lock of the table is never held during a driver call. A thread may wait for entries of other threads. So no code of the
//! program runs on a thread while others may wait for its entry: see [`Quiet`](crate::handle::Quiet).

#![allow(unsafe_code)]

use crate::context::{is_of_another_machine, retry_once};
use crate::error::{Code, Result};
use crate::handle::{DeferredErrors, is_forked_child};
use crate::map::SortedMap;
use crate::stream::Stream;
use core::cell::Cell;
use core::ffi::c_void;
use core::marker::PhantomData;
use core::ops::Range;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Addresses of host memory.
pub(crate) type HostRange = Range<usize>;

/// Returns the addresses of `bytes` bytes at `start`.
pub(crate) fn host_range(start: *const c_void, bytes: usize) -> HostRange {
    start.addr()..start.addr().wrapping_add(bytes)
}

struct Table {
    /// Copies that a call is queueing or waiting for.
    in_calls: Vec<Lent>,
    /// Queued copies of scopes, by loan: a wait for the stream waits for them.
    queued: SortedMap<u64, Vec<Lent>>,
    registrations: Vec<Registration>,
    /// The number of the latest registration.
    last: u64,
    /// Threads that wait for a change.
    waiting: usize,
}

/// A range that a copy uses.
struct Lent {
    loan: u64,
    range: HostRange,
    /// Valid while the entry is in the table.
    stream: NonNull<Stream>,
    /// If true, the copy may use the memory directly because of a registration of this crate.
    is_registered: bool,
}

// SAFETY: other threads may use the stream, and do so only while the entry is in the table.
unsafe impl Send for Lent {}

struct Registration {
    number: u64,
    range: HostRange,
    state: State,
}

#[derive(Clone, Copy)]
enum State {
    /// A thread is registering the memory.
    Beginning,
    Lasting,
    /// A thread is about to unregister the memory.
    Ending,
}

static TABLE: Mutex<Table> = Mutex::new(Table {
    in_calls: Vec::new(),
    queued: SortedMap::new(),
    registrations: Vec::new(),
    last: 0,
    waiting: 0,
});
static CHANGED: Condvar = Condvar::new();

/// The number of registrations in the table. Changed with the table locked; grows before the lists are moved.
static REGISTRATION_COUNT: AtomicUsize = AtomicUsize::new(0);

const LIST_COUNT: usize = 16;

/// Copies of some threads that a call is queueing or waiting for, while no memory is registered. If the table is locked as well,
/// it is locked first. Each list has cache lines of its own.
#[repr(align(128))]
struct List(Mutex<Vec<Lent>>);

static LISTS: [List; LIST_COUNT] = [const { List(Mutex::new(Vec::new())) }; LIST_COUNT];

impl List {
    fn of_loan(number: u64) -> &'static List {
        &LISTS[(number >> BLOCK_BITS) as usize % LIST_COUNT]
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Lent>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Number of bits of a block of loan numbers, which a thread takes at once.
const BLOCK_BITS: u32 = 32;

/// Returns a unique loan number. Never 0.
fn loan_number() -> u64 {
    thread_local! {
        static LAST: Cell<u64> = const { Cell::new(0) };
    }
    static LAST_BLOCK: AtomicU64 = AtomicU64::new(0);
    let mut number = LAST.get().wrapping_add(1);
    if number.trailing_zeros() >= BLOCK_BITS || number == 1 {
        number = ((LAST_BLOCK.fetch_add(1, Ordering::Relaxed) + 1) << BLOCK_BITS) + 1;
    }
    LAST.set(number);
    number
}

/// Returns whether two ranges have a byte in common. The driver locks whole pages, but treats memory beside a registered range as
/// pageable, and stages it (facts V941 and V964). A page of two registrations stays locked until the second one ends (fact V961).
fn overlap(first: &HostRange, second: &HostRange) -> bool {
    first.start < second.end && second.start < first.end
}

impl Table {
    /// Locks the table. `None` in a child of a fork: a thread that does not exist there may hold the lock, and the copies are the
    /// parent's.
    fn lock() -> Option<MutexGuard<'static, Table>> {
        if is_forked_child() {
            return None;
        }
        Some(TABLE.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns all memory that copies use.
    fn lent(&self) -> impl Iterator<Item = &Lent> {
        self.in_calls.iter().chain(self.queued.iter().flat_map(|(_, lent)| lent))
    }

    /// Returns whether a registration of the range is beginning.
    fn is_beginning(&self, range: &HostRange) -> bool {
        self.registrations.iter().any(|registration| {
            matches!(registration.state, State::Beginning) && overlap(range, &registration.range)
        })
    }

    /// Returns whether a registration of one of the ranges is ending.
    fn is_ending(&self, ranges: &[HostRange]) -> bool {
        self.registrations.iter().any(|registration| {
            matches!(registration.state, State::Ending)
                && ranges.iter().any(|range| overlap(range, &registration.range))
        })
    }

    fn next_number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Moves the copies of a list to the table.
    fn take_list(&mut self, list: &List) {
        self.in_calls.append(&mut list.lock());
    }

    /// Wakes the threads that wait for a change.
    fn notify(&self) {
        // Waking costs a system call, even if no thread waits.
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

/// Borrowed host memory that copies on one stream use. Must be dropped as soon as the device cannot use the memory any more, and
/// not before.
#[derive(Debug)]
pub(super) struct Loan<'stream> {
    /// 0 while nothing is lent.
    number: Cell<u64>,
    /// Number of entries of this loan on its list.
    listed: Cell<usize>,
    /// True if copies were put into the table.
    is_in_table: Cell<bool>,
    stream: &'stream Stream,
    /// A registration that ends on the same thread waits for the stream, and for no other thread.
    _not_send: PhantomData<*const ()>,
}

impl<'stream> Loan<'stream> {
    /// Makes an empty loan.
    pub(super) fn new(stream: &'stream Stream) -> Loan<'stream> {
        let (number, listed, is_in_table) = (Cell::new(0), Cell::new(0), Cell::new(false));
        Loan { number, listed, is_in_table, stream, _not_send: PhantomData }
    }

    /// Records that copies that are about to be queued on the stream use these ranges. Waits for registrations of the ranges that
    /// are ending. Returns whether one of the ranges is registered.
    ///
    /// The hook must be [`Quiet`](crate::handle::Quiet) until [`queued`](Loan::queued), or until the loan is dropped.
    #[inline]
    pub(super) fn add(&self, ranges: &[HostRange]) -> bool {
        if is_forked_child() {
            return false;
        }
        if self.number.get() == 0 {
            self.number.set(loan_number());
        }
        let mut list = List::of_loan(self.number.get()).lock();
        // A registration that begins now moves the list afterwards.
        if REGISTRATION_COUNT.load(Ordering::Relaxed) != 0 {
            drop(list);
            return self.add_to_table(ranges);
        }
        list.extend(ranges.iter().map(|range| self.lent(range, false)));
        self.listed.set(self.listed.get() + ranges.len());
        false
    }

    fn lent(&self, range: &HostRange, is_registered: bool) -> Lent {
        let (loan, range, stream) = (self.number.get(), range.clone(), NonNull::from(self.stream));
        Lent { loan, range, stream, is_registered }
    }

    #[cold]
    fn add_to_table(&self, ranges: &[HostRange]) -> bool {
        let Some(mut table) = Table::lock() else { return false };
        while table.is_ending(ranges) {
            table = wait(table);
        }
        self.is_in_table.set(true);
        let mut any = false;
        for range in ranges {
            let is_registered = table.registrations.iter().any(|other| overlap(range, &other.range));
            any |= is_registered;
            table.in_calls.push(self.lent(range, is_registered));
        }
        any
    }

    /// Takes copies of this loan off the list. Returns whether these were all its copies, so that none is in the table.
    #[inline]
    fn is_taken_off_list(&self) -> bool {
        let listed = self.listed.replace(0);
        let mut is_there = true;
        if listed > 0 {
            let mut list = List::of_loan(self.number.get()).lock();
            let before = list.len();
            list.retain(|lent| lent.loan != self.number.get());
            // Otherwise a registration has moved the list.
            is_there = before - list.len() == listed;
        }
        is_there && !self.is_in_table.get()
    }

    /// Locks the table with all copies of this loan in it.
    fn lock_table(&self) -> Option<MutexGuard<'static, Table>> {
        let mut table = Table::lock()?;
        if self.listed.replace(0) > 0 {
            table.take_list(List::of_loan(self.number.get()));
        }
        self.is_in_table.set(true);
        Some(table)
    }

    /// Records that the calls that queue the copies have returned. If `staged`, the driver is done with memory that was not
    /// registered meanwhile. Returns whether some memory was registered.
    pub(super) fn queued(&self, staged: bool) -> bool {
        if staged && !is_forked_child() && self.is_taken_off_list() {
            return false;
        }
        let Some(mut guard) = self.lock_table() else { return false };
        let table = &mut *guard;
        let mut any = false;
        let mut place = 0;
        while let Some(lent) = table.in_calls.get(place) {
            if lent.loan != self.number.get() {
                place += 1;
                continue;
            }
            let lent = table.in_calls.swap_remove(place);
            any |= lent.is_registered;
            if lent.is_registered || !staged {
                let own = table.queued.get_or_default(lent.loan);
                match own.last_mut() {
                    // Copies piece by piece leave one entry.
                    Some(last)
                        if last.is_registered == lent.is_registered && last.range.end == lent.range.start =>
                    {
                        last.range.end = lent.range.end;
                    }
                    _ => own.push(lent),
                }
            }
        }
        table.notify();
        any
    }

    /// Records that the copies were not queued.
    pub(super) fn not_queued(&self) {
        if is_forked_child() || self.is_taken_off_list() {
            return;
        }
        let Some(mut table) = self.lock_table() else { return };
        table.in_calls.retain(|lent| lent.loan != self.number.get());
        table.notify();
    }

    /// Returns whether some of the memory was registered since it was lent.
    pub(super) fn is_registered(&self) -> bool {
        let Some(table) = self.lock_table() else { return false };
        let own = table.queued.get(&self.number.get()).into_iter().flatten();
        let in_call = table.in_calls.iter().filter(|lent| lent.loan == self.number.get());
        own.chain(in_call).any(|lent| lent.is_registered)
    }
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        if self.number.get() == 0 || is_forked_child() || self.is_taken_off_list() {
            return;
        }
        self.leave_table();
    }
}

impl Loan<'_> {
    #[cold]
    fn leave_table(&self) {
        let Some(mut table) = Table::lock() else { return };
        let number = self.number.get();
        table.in_calls.retain(|lent| lent.loan != number);
        if !table.queued.is_empty() {
            table.queued.remove(&number);
        }
        table.notify();
    }
}

/// Entry of a registration that is about to be made.
pub(super) struct Begun {
    pub(super) number: u64,
    /// True if this crate has registered none of the memory.
    pub(super) is_first: bool,
}

/// Records that a range is about to be registered. From here on, copies of the range count as copies of page-locked memory.
///
/// Waits for registrations of the same memory that are beginning or ending. The caller must call [`keep_registration`] or
/// [`end_registration`] next, and run no code of the program before: other threads wait for that call.
pub(super) fn begin_registration(range: HostRange) -> Begun {
    let Some(mut table) = Table::lock() else { return Begun { number: 0, is_first: true } };
    while table.is_beginning(&range) || table.is_ending(core::slice::from_ref(&range)) {
        table = wait(table);
    }
    let table = &mut *table;
    REGISTRATION_COUNT.fetch_add(1, Ordering::Relaxed);
    LISTS.iter().for_each(|list| table.take_list(list));
    let queued = table.queued.range_mut(..).flat_map(|(_, lent)| lent);
    for lent in table.in_calls.iter_mut().chain(queued) {
        lent.is_registered |= overlap(&lent.range, &range);
    }
    let number = table.next_number();
    let is_first = !table.registrations.iter().any(|other| overlap(&other.range, &range));
    table.registrations.push(Registration { number, range, state: State::Beginning });
    Begun { number, is_first }
}

/// Records that the memory is registered, or may be, until [`end_registration`].
pub(super) fn keep_registration(number: u64) {
    let Some(mut table) = Table::lock() else { return };
    for registration in table.registrations.iter_mut().filter(|registration| registration.number == number) {
        registration.state = State::Lasting;
    }
    table.notify();
}

/// Waits for the copies that use memory of a registration, and for registrations of the same memory that are beginning. Copies
/// that begin later wait for [`end_registration`] or [`keep_registration`], so the hook must be [`Quiet`](crate::handle::Quiet) until then. Adds the
/// streams that were waited for to `streams`. The caller drops them after the hook is not quiet any more, because they may be the
/// last handles.
///
/// # Errors
///
/// The failure of waiting for a stream. A copy on it may be under way.
pub(super) fn wait_for_copies(number: u64, streams: &mut Vec<Stream>) -> Result<()> {
    let Some(mut table) = Table::lock() else { return Ok(()) };
    let Some(own) = table.registrations.iter_mut().find(|registration| registration.number == number) else {
        return Ok(());
    };
    own.state = State::Ending;
    let range = own.range.clone();
    loop {
        // A registration that is beginning queries the memory.
        if table.is_beginning(&range) || table.in_calls.iter().any(|lent| overlap(&lent.range, &range)) {
            table = wait(table);
            continue;
        }
        for lent in table.lent().filter(|lent| overlap(&lent.range, &range)) {
            // SAFETY: the entry is in the table, which is locked, so the stream is borrowed.
            let stream = unsafe { lent.stream.as_ref() };
            if !streams.contains(stream) {
                streams.push(stream.clone());
            }
        }
        break;
    }
    drop(table);
    let mut errors = DeferredErrors::default();
    for stream in streams.iter() {
        match retry_once(|| stream.synchronize()) {
            Err(error) if error.code() == Some(Code::InvalidContext) => {
                // SAFETY: the stream keeps the context alive.
                let is_elsewhere = unsafe { is_of_another_machine(stream.context().as_raw(), &mut errors) };
                if !is_elsewhere {
                    return Err(error);
                }
            }
            waited => waited?,
        }
    }
    Ok(())
}

/// Records that the memory is not registered any more.
pub(super) fn end_registration(number: u64) {
    let Some(mut table) = Table::lock() else { return };
    let before = table.registrations.len();
    table.registrations.retain(|registration| registration.number != number);
    REGISTRATION_COUNT.fetch_sub(before - table.registrations.len(), Ordering::Relaxed);
    table.notify();
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::single_range_in_vec_init)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::device::Device;
    use core::slice::from_ref;

    // The table belongs to the process: each test uses addresses of its own. They need no memory, because nothing is read.

    fn stream() -> Stream {
        let _ = cuda_sim::install_once();
        Stream::new(&Context::primary(Device::get(0).unwrap()).unwrap()).unwrap()
    }

    #[test]
    fn a_registration_waits_for_its_copies_only() {
        let stream = stream();
        let [first, second] = [0x10_0000..0x10_1800, 0x10_1800..0x10_3000].map(|range| {
            let number = begin_registration(range).number;
            keep_registration(number);
            number
        });
        let copy = Loan::new(&stream);
        assert!(copy.add(&[0x10_1800..0x10_1900]));
        assert!(copy.queued(true));
        let waited_for = |number| {
            let mut streams = Vec::new();
            wait_for_copies(number, &mut streams).unwrap();
            streams
        };
        assert_eq!(waited_for(first), []);
        assert_eq!(waited_for(second), from_ref(&stream));
        drop(copy);
        end_registration(first);
        end_registration(second);
    }

    #[test]
    fn copies_piece_by_piece_leave_one_entry() {
        let (stream, first) = (stream(), 0x20_0000);
        let loan = Loan::new(&stream);
        for piece in 0..1000 {
            loan.add(&[first + piece..first + piece + 1]);
            assert!(!loan.queued(false));
        }
        let number = loan.number.get();
        let ranges = |table: &Table| -> Vec<HostRange> {
            table.queued.get(&number).unwrap().iter().map(|lent| lent.range.clone()).collect()
        };
        assert_eq!(ranges(&Table::lock().unwrap()), [first..first + 1000]);
        drop(loan);
        assert!(!Table::lock().unwrap().queued.contains_key(&number));
    }

    #[test]
    fn registration_begun_during_a_copy_is_reported() {
        let (stream, range) = (stream(), 0x30_0000..0x30_1000);
        let copy = Loan::new(&stream);
        assert!(!copy.add(from_ref(&range)));
        let number = begin_registration(0x30_0800..0x30_0900).number;
        keep_registration(number);
        assert!(copy.is_registered());
        assert!(copy.queued(true));
        drop(copy);
        end_registration(number);
        let copy = Loan::new(&stream);
        assert!(!copy.add(&[range]));
        assert!(!copy.is_registered());
        copy.not_queued();
        assert!(!copy.queued(true));
    }

    #[test]
    fn no_copy_is_in_a_call_while_its_registration_ends() {
        let stream = stream();
        let range = 0x40_0000..0x40_1000;
        let in_call = AtomicUsize::new(0);
        let ends = core::sync::atomic::AtomicBool::new(false);
        let mut failed = false;
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while !ends.load(Ordering::SeqCst) {
                        let copy = Loan::new(&stream);
                        copy.add(from_ref(&range));
                        in_call.fetch_add(1, Ordering::SeqCst);
                        std::thread::yield_now();
                        in_call.fetch_sub(1, Ordering::SeqCst);
                        copy.queued(true);
                        drop(copy);
                    }
                });
            }
            // A panic here would leave the threads running.
            for _ in 0..2000 {
                let number = begin_registration(range.clone()).number;
                keep_registration(number);
                std::thread::yield_now();
                failed |= wait_for_copies(number, &mut Vec::new()).is_err();
                failed |= (0..3).any(|_| in_call.load(Ordering::SeqCst) != 0);
                end_registration(number);
                std::thread::yield_now();
            }
            ends.store(true, Ordering::SeqCst);
        });
        assert!(!failed, "a copy was in a call while its registration ended");
        let in_table = |lent: &Lent| overlap(&lent.range, &range);
        assert!(!Table::lock().unwrap().lent().any(in_table));
        assert!(!LISTS.iter().any(|list| list.lock().iter().any(in_table)));
    }
}
