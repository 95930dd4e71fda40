//! Thread that drops values which were dropped inside a host function, where the driver must not be called.
//!
//! It drops one value after the other, in the order of their arrival, so that an object is dropped before the objects that it
//! needs. It starts with the first value, and ends when no value has arrived for a while. Values that wait when the process ends
//! are left to the system.

#![allow(unsafe_code)]

use super::fork::is_forked_child;
use super::is_inside;
use super::relax_this_thread;
use super::report;
use crate::error::Error;
use core::mem::transmute;
use core::time::Duration;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The time for which the thread waits for another value.
const IDLE: Duration = Duration::from_millis(500);

/// Anything that can be dropped.
pub(super) trait Drops {}
impl<T> Drops for T {}

/// A value to drop later.
pub(super) type Value = Box<dyn Drops + Send>;

struct Queue {
    values: VecDeque<Value>,
    /// True if the thread is running.
    runs: bool,
}

static QUEUE: Mutex<Queue> = Mutex::new(Queue { values: VecDeque::new(), runs: false });
static MORE: Condvar = Condvar::new();

/// Returns whether a destructor on this thread must leave its work to [`defer_drop`]. Every destructor that calls the driver, or
/// takes a lock that is held during driver calls, queries this first.
#[inline]
pub(crate) fn must_defer() -> bool {
    // In a child of a fork the thread does not exist, and nothing is released.
    is_inside() && !is_forked_child()
}

/// Passes `value` to the thread of this module, which drops it.
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
        // If no thread can be started, the next value tries again.
        queue.runs = std::thread::Builder::new().name("cuda-rt drops".to_owned()).spawn(reap).is_ok();
    }
}

/// Does the same as [`defer_drop`], for values whose type does not show that they borrow nothing and may be sent to another
/// thread.
///
/// # Safety
///
/// Dropping the value is possible at any later time, on another thread: it runs no destructors of the program's types, and uses
/// nothing that is borrowed.
pub(crate) unsafe fn defer_drop_erased<T>(value: T) {
    let value: Box<dyn Drops + '_> = Box::new(value);
    // SAFETY: the two types have the same layout. They differ in a lifetime, and in where the value may be sent. Neither matters
    // for dropping, as the caller promises.
    let value = unsafe { transmute::<Box<dyn Drops + '_>, Value>(value) };
    queue_drop(value);
}

fn queue() -> MutexGuard<'static, Queue> {
    QUEUE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn reap() {
    relax_this_thread();
    while let Some(value) = next() {
        // The value may contain types whose destructors are not of this crate.
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
            report(Err(Error::panicked("destructor", payload)));
        }
    }
}

/// Returns the next value to drop, or `None` if none has arrived for a while.
fn next() -> Option<Value> {
    let (mut queue, _) = MORE
        .wait_timeout_while(queue(), IDLE, |queue| queue.values.is_empty())
        .unwrap_or_else(PoisonError::into_inner);
    let value = queue.values.pop_front();
    queue.runs = value.is_some();
    value
}
