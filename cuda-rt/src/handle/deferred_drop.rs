//! A thread that drops values which were dropped inside a host function, where the driver must not be called.
//!
//! It drops one value after the other, in the order in which they came, so that an object goes before the objects that it needs.
//! It starts with the first value, and ends when none has come for a while. Values that wait when the process ends are left to
//! the system.

#![allow(unsafe_code)]

use super::fork::is_forked_child;
use super::is_inside;
use super::report;
use crate::error::Error;
use core::mem::transmute;
use core::time::Duration;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How long the thread waits for more.
const IDLE: Duration = Duration::from_millis(500);

/// Anything that can be dropped.
trait Drops {}
impl<T> Drops for T {}

type Value = Box<dyn Drops + Send>;

struct Queue {
    values: VecDeque<Value>,
    /// True if the thread is there.
    runs: bool,
}

static QUEUE: Mutex<Queue> = Mutex::new(Queue { values: VecDeque::new(), runs: false });
static MORE: Condvar = Condvar::new();

/// Returns whether a destructor on this thread must leave its work to [`defer_drop`]. Every destructor asks first that calls the
/// driver, or takes a lock that is held while the driver is called.
#[inline]
pub(crate) fn must_defer() -> bool {
    // In a child of a fork the thread does not exist, and nothing is released.
    is_inside() && !is_forked_child()
}

/// Has the thread of this module drop `value`.
#[cold]
pub(crate) fn defer_drop<T: Send + 'static>(value: T) {
    queue_drop(Box::new(value));
}

#[cold]
fn queue_drop(value: Value) {
    let mut queue = queue();
    queue.values.push_back(value);
    if queue.runs {
        MORE.notify_one();
    } else {
        // If there are no threads to be had, the next value tries again.
        queue.runs = std::thread::Builder::new().name("cuda-rt drops".to_owned()).spawn(reap).is_ok();
    }
}

/// As [`defer_drop`], for values whose type does not show that they borrow nothing and may go to another thread.
///
/// # Safety
///
/// Dropping the value does no more than what may be done at any time later, on another thread: it runs no destructors of the
/// program's types, and looks at nothing that is borrowed.
pub(crate) unsafe fn defer_drop_erased<T>(value: T) {
    let value: Box<dyn Drops + '_> = Box::new(value);
    // SAFETY: the two types are laid out alike. They differ in a lifetime, and in where the value may go, which do not matter
    // for dropping, as the caller says.
    let value = unsafe { transmute::<Box<dyn Drops + '_>, Value>(value) };
    queue_drop(value);
}

fn queue() -> MutexGuard<'static, Queue> {
    QUEUE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn reap() {
    while let Some(value) = next() {
        // Somebody else's destructor may be among it.
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
            report(Err(Error::panicked("destructor", payload)));
        }
    }
}

/// Returns the next value to drop, or `None` if none has come for a while.
fn next() -> Option<Value> {
    let (mut queue, _) = MORE
        .wait_timeout_while(queue(), IDLE, |queue| queue.values.is_empty())
        .unwrap_or_else(PoisonError::into_inner);
    let value = queue.values.pop_front();
    queue.runs = value.is_some();
    value
}
