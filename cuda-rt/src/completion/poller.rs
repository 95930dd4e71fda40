//! Thread that repeatedly queries whether work of the device is done.
//!
//! It never waits for one piece of work, so no entry delays the others. It starts with the first entry, and ends when there has
//! been none for a while. Entries that are left when the process ends are left to the system.

#![allow(unsafe_code)]

use super::finished::Shared;
use crate::context::{ask_if_alive, past_captures};
use crate::error::{Code, Error, ErrorKind};
use crate::event::Event;
use crate::handle::{defer_drop, is_forked_child, is_inside, relax_this_thread, report};
use core::mem::{ManuallyDrop, take, transmute};
use core::time::Duration;
use cuda_sys::Symbol;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The time for which the thread waits for another entry before it ends.
const IDLE: Duration = Duration::from_millis(500);
/// The time between two queries of an urgent entry.
const SHORT: Duration = Duration::from_micros(20);
/// The time between two queries of any other entry, and the least time before its first query. It is longer if the queries of all
/// entries take longer.
const LONG: Duration = Duration::from_millis(2);

/// Value that waits for the device.
pub(super) trait Entry: Send {
    /// Queries the driver. If the entry is over, does its final work and returns true. It is not called again then.
    fn is_over(&mut self) -> bool;

    /// Returns whether the entry is queried every [`SHORT`]. The answer does not change.
    fn is_urgent(&self) -> bool;
}

struct Queue {
    entries: Vec<Box<dyn Entry>>,
    /// True if the thread is running.
    runs: bool,
    /// True if the thread has no entry, and waits for one.
    has_none: bool,
}

static QUEUE: Mutex<Queue> = Mutex::new(Queue { entries: Vec::new(), runs: false, has_none: false });
static MORE: Condvar = Condvar::new();

fn queue() -> MutexGuard<'static, Queue> {
    QUEUE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Passes an entry to the thread. Makes no driver call. Returns the entry if there is no thread.
pub(super) fn add(entry: Box<dyn Entry>) -> Result<(), Box<dyn Entry>> {
    if is_forked_child() {
        // A thread that does not exist here may hold the lock.
        return Err(entry);
    }
    let mut queue = queue();
    if !queue.runs {
        queue.runs = std::thread::Builder::new().name("cuda-rt poller".to_owned()).spawn(run).is_ok();
        if !queue.runs {
            return Err(entry);
        }
    }
    // The next round finds an entry that is not urgent.
    if queue.has_none || entry.is_urgent() {
        MORE.notify_one();
    }
    queue.entries.push(entry);
    Ok(())
}

/// Passes an entry to the thread, as soon as there is one. Makes no driver call.
fn add_for_later(entry: Box<dyn Entry>) {
    if let Err(entry) = add(entry) {
        // The next entry tries again to start the thread.
        queue().entries.push(entry);
    }
}

/// An entry of the thread.
struct Waiting {
    entry: Box<dyn Entry>,
    is_urgent: bool,
    is_new: bool,
}

impl Waiting {
    fn new(entry: Box<dyn Entry>) -> Waiting {
        Waiting { is_urgent: entry.is_urgent(), entry, is_new: true }
    }

    /// Queries the entry if it is its turn. An entry that panics is over.
    fn is_over(&mut self, is_long_round: bool) -> bool {
        let is_due = self.is_urgent || is_long_round && !self.is_new;
        self.is_new &= !is_long_round;
        if !is_due {
            return false;
        }
        // Code of the program may be called: destructors and wakers.
        catch_unwind(AssertUnwindSafe(|| self.entry.is_over())).unwrap_or_else(|payload| {
            report(Err(Error::panicked("destructor or waker", payload)));
            true
        })
    }
}

fn run() {
    relax_this_thread();
    let mut waiting: Vec<Waiting> = Vec::new();
    let mut next_long_round = Instant::now() + LONG;
    while let Some(added) = next(&waiting, next_long_round) {
        waiting.extend(added.into_iter().map(Waiting::new));
        let start = Instant::now();
        let is_long_round = start >= next_long_round;
        waiting.retain_mut(|waiting| !waiting.is_over(is_long_round));
        if is_long_round {
            // Otherwise, with thousands of entries, the thread would query without a pause, and delay calls of other threads in
            // the driver.
            let end = Instant::now();
            next_long_round = end + LONG.max(end - start);
        }
    }
}

/// Waits for the next round. Returns the entries that were added, or `None` if the thread is to end.
fn next(waiting: &[Waiting], long_round: Instant) -> Option<Vec<Box<dyn Entry>>> {
    let pause = match waiting {
        [] => IDLE,
        _ if waiting.iter().any(|waiting| waiting.is_urgent) => SHORT,
        _ => long_round.saturating_duration_since(Instant::now()),
    };
    let mut queue = queue();
    queue.has_none = waiting.is_empty();
    let goes_on_waiting = |queue: &mut Queue| match queue.has_none {
        true => queue.entries.is_empty(),
        false => !queue.entries.iter().any(|entry| entry.is_urgent()),
    };
    let waited = MORE.wait_timeout_while(queue, pause, goes_on_waiting);
    queue = waited.unwrap_or_else(PoisonError::into_inner).0;
    if waiting.is_empty() && queue.entries.is_empty() {
        queue.runs = false;
        return None;
    }
    Some(take(&mut queue.entries))
}

/// Returns whether an event is reached. Invalidates no capture, and is not refused because of one.
pub(super) fn is_reached(event: &Event) -> crate::error::Result<bool> {
    past_captures(|| event.is_done())
}

/// The end of work of the device.
enum Mark {
    Event(Arc<Event>),
    Future(Arc<Shared>),
}

impl Mark {
    /// Returns whether the mark is reached. Makes no call with handles of a context that has ended.
    fn is_reached(&self) -> crate::error::Result<bool> {
        match self {
            Mark::Event(event) => ask_if_alive(event.context(), Symbol::cuEventQuery, || is_reached(event)),
            Mark::Future(shared) => shared.is_reached_if_alive(),
        }
    }
}

/// Anything that can be dropped.
trait Drops {}
impl<T> Drops for T {}

/// A value to drop when the device is done with it.
struct Retired(Option<(Mark, Box<dyn Drops + Send>)>);

impl Retired {
    /// Returns whether the mark is reached, or never will be. If it is reached, passes mark and value to `dispose`.
    fn is_over(&mut self, dispose: impl FnOnce((Mark, Box<dyn Drops + Send>))) -> bool {
        let Some((mark, _)) = &self.0 else { return true };
        let reached = match mark.is_reached() {
            Ok(reached) => reached,
            // No work runs in a context that was destroyed.
            Err(error) if is_gone(&error) => {
                report(Err(error));
                true
            }
            Err(error) if is_final(&error) => {
                // The device may continue after a failure, and a graph may use the value at each launch.
                leak(self.0.take());
                report(Err(error));
                return true;
            }
            // The next round may get an answer.
            Err(_) => false,
        };
        if reached {
            self.0.take().map(dispose);
        }
        reached
    }
}

impl Entry for Retired {
    fn is_over(&mut self) -> bool {
        // Dropping may wait, for example until page-locked memory is free. So another thread drops the value.
        Retired::is_over(self, defer_drop)
    }

    fn is_urgent(&self) -> bool {
        false
    }
}

/// Returns whether a failure says that the context is destroyed.
pub(super) fn is_gone(error: &Error) -> bool {
    error.kind() == ErrorKind::ContextLost || error.code() == Some(Code::ContextIsDestroyed)
}

/// Returns whether a failure says that an event will never be reached.
fn is_final(error: &Error) -> bool {
    // An event of a capture marks a place in a graph; after a failed capture, it has no state. A refused handle was destroyed, or
    // became invalid with its context. The driver is uninitialised here if the event is of another machine of the software driver.
    const FINAL: [Code; 6] = [
        Code::NotInitialized,
        Code::Deinitialized,
        Code::CapturedEvent,
        Code::InvalidValue,
        Code::InvalidHandle,
        Code::InvalidContext,
    ];
    error.is_sticky() || error.code().is_some_and(|code| FINAL.contains(&code))
}

fn leak<T>(value: T) {
    let _ = ManuallyDrop::new(value);
}

/// Drops `value` as soon as `event` is reached. If it is reached already, the value is dropped at once on this thread; otherwise
/// later on a thread of this crate. Waits only if dropping the value waits.
///
/// May be called inside a host function. After a sticky error the value is never dropped, because the device may still use it.
/// Nor is it dropped if the event belongs to a capture, or in the child of a fork.
pub(crate) fn retire<T: Send + 'static>(event: Arc<Event>, value: T) {
    retire_value(Mark::Event(event), Box::new(value), drop);
}

/// Does the same as [`retire`], for the mark of a future, and for values whose type does not show that they borrow nothing and
/// may be sent to another thread. Never waits: the value is always dropped on a thread of this crate.
///
/// # Safety
///
/// Dropping the value is possible at any later time, on another thread. It runs no destructors of the program's types, and uses
/// nothing that is borrowed.
pub(crate) unsafe fn retire_erased<T>(mark: Arc<Shared>, value: T) {
    let value: Box<dyn Drops + '_> = Box::new(value);
    // SAFETY: the two types have the same layout. They differ in a lifetime, and in where the value may be sent. Neither matters
    // for dropping, as the caller promises.
    let value = unsafe { transmute::<Box<dyn Drops + '_>, Box<dyn Drops + Send>>(value) };
    retire_value(Mark::Future(mark), value, defer_drop);
}

/// Passes mark and value to `dispose` if the mark is reached already.
fn retire_value(mark: Mark, value: Box<dyn Drops + Send>, dispose: fn((Mark, Box<dyn Drops + Send>))) {
    let mut retired = Retired(Some((mark, value)));
    if is_forked_child() {
        return leak(retired);
    }
    if is_inside() || !retired.is_over(dispose) {
        add_for_later(Box::new(retired));
    }
}
