//! A thread that drops what was dropped inside a callback.
//!
//! A destructor that runs inside a function that the driver calls must not call the driver. It moves what it would release
//! into a value of the same type, which goes here, and leaves itself with nothing to do.
//!
//! The thread drops one value after the other, in the order in which they came, so that what others need goes last as ever.
//! It is started when there is something to do, and ends when there has been nothing for a while. What waits when the
//! process ends is left to the system.

#![allow(unsafe_code)]

use crate::callback::is_inside;
use crate::error::{Error, report};
use crate::fork::is_forked_child;
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
    /// Whether the thread is there.
    runs: bool,
}

static QUEUE: Mutex<Queue> = Mutex::new(Queue { values: VecDeque::new(), runs: false });
static MORE: Condvar = Condvar::new();

/// Inside a callback, hands over what `take` leaves its place empty of, and says so. Elsewhere it does nothing.
///
/// To be asked first by every destructor that calls the driver, or takes a lock that is held while the driver is called.
#[inline]
pub(crate) fn takes<T: Send + 'static>(take: impl FnOnce() -> T) -> bool {
    // In the child of a fork the thread is not there, and nothing is released.
    if !is_inside() || is_forked_child() {
        return false;
    }
    hand_over(Box::new(take()));
    true
}

#[cold]
fn hand_over(value: Value) {
    let mut queue = queue();
    queue.values.push_back(value);
    if queue.runs {
        MORE.notify_one();
    } else {
        // If there are no threads to be had, the next value tries again.
        queue.runs = std::thread::Builder::new().name("cuda-rt reaper".to_owned()).spawn(reap).is_ok();
    }
}

/// Hands over what a type cannot tell to be free of borrows, and free to go to another thread.
///
/// # Safety
///
/// Dropping the value does no more than what may be done at any time later, on another thread: it runs no destructors of the
/// program's types, and looks at nothing that is borrowed.
pub(crate) unsafe fn hand_over_erased<T>(value: T) {
    let value: Box<dyn Drops + '_> = Box::new(value);
    // SAFETY: the two types are laid out alike. They differ in a lifetime, and in where the value may go, which do not matter
    // for dropping, as the caller says.
    let value = unsafe { transmute::<Box<dyn Drops + '_>, Value>(value) };
    hand_over(value);
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

/// What is to be dropped next; none if there has been nothing for a while.
fn next() -> Option<Value> {
    let (mut queue, _) = MORE
        .wait_timeout_while(queue(), IDLE, |queue| queue.values.is_empty())
        .unwrap_or_else(PoisonError::into_inner);
    let value = queue.values.pop_front();
    queue.runs = value.is_some();
    value
}
