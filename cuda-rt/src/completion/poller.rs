//! A thread that asks again and again whether work of the device is done.
//!
//! It never waits for one piece of work, so none delays the others. It starts with the first entry, and ends when there has been none
//! for a while. Entries that are left when the process ends are left to the system.

#![allow(unsafe_code)]

use super::finished::Shared;
use crate::context::{RelaxedCaptureMode, capture_state::expect_foreign_captures};
use crate::error::{Code, Error, ErrorKind, Result};
use crate::event::Event;
use crate::handle::{defer_drop, is_forked_child, is_inside, report};
use core::mem::{ManuallyDrop, take, transmute};
use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How long the thread waits for another entry before it ends.
const IDLE: Duration = Duration::from_millis(500);
/// The time between two rounds, if an entry is urgent.
const SHORT: Duration = Duration::from_micros(20);
/// The longest time between two rounds.
const LONG: Duration = Duration::from_millis(2);

/// The answer of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Over,
    /// Not yet; if `urgent`, to be asked again soon.
    Waits {
        urgent: bool,
    },
}

/// Something that waits for the device.
pub(super) trait Entry: Send {
    /// Asks the driver. Does what is to be done in the end, and is not called again then.
    fn look(&mut self) -> Look;
}

struct Queue {
    entries: Vec<Box<dyn Entry>>,
    /// True if the thread is there.
    runs: bool,
}

static QUEUE: Mutex<Queue> = Mutex::new(Queue { entries: Vec::new(), runs: false });
static MORE: Condvar = Condvar::new();
/// The number of values that are never dropped.
static LEAKED: AtomicUsize = AtomicUsize::new(0);

fn queue() -> MutexGuard<'static, Queue> {
    QUEUE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has the thread look after an entry. Calls no driver function. Returns whether the thread is there.
pub(super) fn add(entry: Box<dyn Entry>) -> bool {
    if is_forked_child() {
        // A thread that is not there may have the lock.
        leak(entry);
        return false;
    }
    let mut queue = queue();
    queue.entries.push(entry);
    if queue.runs {
        MORE.notify_one();
    } else {
        // If there are no threads to be had, the next entry tries again.
        queue.runs = std::thread::Builder::new().name("cuda-rt poller".to_owned()).spawn(run).is_ok();
    }
    queue.runs
}

fn run() {
    let mut entries: Vec<Box<dyn Entry>> = Vec::new();
    let mut pause = SHORT;
    loop {
        let added = {
            let mut queue = queue();
            if queue.entries.is_empty() {
                let longest = if entries.is_empty() { IDLE } else { pause };
                let waited = MORE.wait_timeout_while(queue, longest, |queue| queue.entries.is_empty());
                queue = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
            if queue.entries.is_empty() && entries.is_empty() {
                queue.runs = false;
                return;
            }
            take(&mut queue.entries)
        };
        let before = entries.len();
        entries.extend(added);
        let mut has_changed = entries.len() != before;
        let mut is_urgent = false;
        entries.retain_mut(|entry| match look(&mut **entry) {
            Look::Over => {
                has_changed = true;
                false
            }
            Look::Waits { urgent } => {
                is_urgent |= urgent;
                true
            }
        });
        pause = if has_changed || is_urgent { SHORT } else { LONG.min(pause * 2) };
    }
}

/// Looks at an entry. One that panics is over.
fn look(entry: &mut dyn Entry) -> Look {
    // The program's code may be called: destructors and wakers.
    catch_unwind(AssertUnwindSafe(|| entry.look())).unwrap_or_else(|payload| {
        report(Err(Error::panicked("destructor or waker", payload)));
        Look::Over
    })
}

/// Returns whether an event is reached. Neither ends a capture, nor is refused because of one.
pub(super) fn is_reached(event: &Event) -> Result<bool> {
    let _relaxed = RelaxedCaptureMode::if_needed();
    match event.is_done() {
        Err(error) if error.code() == Some(Code::StreamCaptureUnsupported) => {
            expect_foreign_captures();
            let _relaxed = RelaxedCaptureMode::new();
            event.is_done()
        }
        answer => answer,
    }
}

/// The end of work of the device.
enum Mark {
    Event(Arc<Event>),
    Future(Arc<Shared>),
}

impl Mark {
    fn is_reached(&self) -> Result<bool> {
        match self {
            Mark::Event(event) => is_reached(event),
            Mark::Future(shared) => shared.is_reached(),
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
            // Nothing runs in a context that is gone.
            Err(error) if is_gone(&error) => true,
            Err(error) if is_final(&error) => {
                // The device may go on after a failure, so the value may be in use.
                leak(self.0.take());
                report(Err(error));
                return true;
            }
            // The next round may have an answer.
            Err(_) => false,
        };
        if reached {
            self.0.take().map(dispose);
        }
        reached
    }
}

impl Entry for Retired {
    fn look(&mut self) -> Look {
        // Dropping may wait, for example until page-locked memory is free. So another thread does it.
        if self.is_over(defer_drop) { Look::Over } else { Look::Waits { urgent: false } }
    }
}

/// Returns whether a failure tells that the context is gone.
fn is_gone(error: &Error) -> bool {
    error.kind() == ErrorKind::ContextLost || error.code() == Some(Code::ContextIsDestroyed)
}

/// Returns whether an event will never be reached, as far as the driver says.
fn is_final(error: &Error) -> bool {
    error.is_sticky() || is_gone(error) || error.code() == Some(Code::Deinitialized)
}

fn leak<T>(value: T) {
    LEAKED.fetch_add(1, Ordering::Relaxed);
    let _ = ManuallyDrop::new(value);
}

/// Returns the number of values that [`retire`] has kept for ever.
#[allow(dead_code)] // for executables of graphs
pub(crate) fn leaked_values() -> usize {
    LEAKED.load(Ordering::Relaxed)
}

/// Drops `value` as soon as `event` is reached. Never waits. If it is reached already, the value is dropped at once on this thread;
/// otherwise later on a thread of this crate.
///
/// May be called inside a host function. After a sticky failure the value is never dropped, since the device may still use it. In
/// the child of a fork it is not dropped either.
pub(crate) fn retire<T: Send + 'static>(event: Arc<Event>, value: T) {
    retire_value(Mark::Event(event), Box::new(value));
}

/// As [`retire`], for the mark of a future, and values whose type does not show that they borrow nothing and may go to another thread.
///
/// # Safety
///
/// Dropping the value does no more than what may be done at any time later, on another thread: it runs no destructors of the
/// program's types, and looks at nothing that is borrowed.
pub(crate) unsafe fn retire_erased<T>(mark: Arc<Shared>, value: T) {
    let value: Box<dyn Drops + '_> = Box::new(value);
    // SAFETY: the two types are laid out alike. They differ in a lifetime, and in where the value may go, which do not matter
    // for dropping, as the caller says.
    let value = unsafe { transmute::<Box<dyn Drops + '_>, Box<dyn Drops + Send>>(value) };
    retire_value(Mark::Future(mark), value);
}

fn retire_value(mark: Mark, value: Box<dyn Drops + Send>) {
    let mut retired = Retired(Some((mark, value)));
    if is_forked_child() {
        return leak(retired);
    }
    if is_inside() || !retired.is_over(drop) {
        add(Box::new(retired));
    }
}
