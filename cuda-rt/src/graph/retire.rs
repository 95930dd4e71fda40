//! Values that are dropped when the device is done with them.
//!
//! A thread looks at the events of the values, and drops what is finished. It waits for none of them. Values whose event fails are
//! left alone for ever, since the device may still be using them.

use crate::context::RelaxedCaptureMode;
use crate::event::Event;
use crate::handle::{is_forked_child, report};
use core::any::Any;
use core::mem::ManuallyDrop;
use core::time::Duration;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

struct Entry {
    /// Reached when the device is done with the value.
    done: Arc<Event>,
    value: Box<dyn Any + Send>,
}

struct List {
    entries: Vec<Entry>,
    runs: bool,
}

impl List {
    /// Lets the thread look at the entries.
    fn wake(&mut self) {
        if self.runs {
            MORE.notify_one();
        } else if !self.entries.is_empty() {
            // If there are no threads to be had, the next value tries again.
            self.runs = std::thread::Builder::new().name("cuda-rt retired".to_owned()).spawn(run).is_ok();
        }
    }
}

static LIST: Mutex<List> = Mutex::new(List { entries: Vec::new(), runs: false });
static MORE: Condvar = Condvar::new();

/// How long the thread waits between two looks at most.
const LONGEST_PAUSE: Duration = Duration::from_millis(2);
const SHORTEST_PAUSE: Duration = Duration::from_micros(50);
/// How long the thread waits for more.
const IDLE: Duration = Duration::from_millis(500);

fn list() -> MutexGuard<'static, List> {
    LIST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Drops a value when its event is reached.
pub(super) fn retire(done: Arc<Event>, value: Box<dyn Any + Send>) {
    if is_forked_child() {
        return;
    }
    let Some(entry) = drop_if_done(Entry { done, value }) else { return };
    let mut list = list();
    list.entries.push(entry);
    list.wake();
}

/// Drops what is finished.
pub(super) fn collect() {
    if is_forked_child() || crate::handle::is_inside() {
        return;
    }
    let entries = core::mem::take(&mut list().entries);
    if entries.is_empty() {
        return;
    }
    // With nothing locked: destructors of the program may run.
    let rest: Vec<Entry> = entries.into_iter().filter_map(drop_if_done).collect();
    let mut list = list();
    list.entries.extend(rest);
    list.wake();
}

/// Drops the value if its event is reached. Leaves it alone for ever if the event fails.
fn drop_if_done(entry: Entry) -> Option<Entry> {
    let asked = {
        // Else a capture that this or another thread makes would be ended by the question.
        let _relaxed = RelaxedCaptureMode::new();
        entry.done.is_done()
    };
    match asked {
        Ok(true) => None,
        Ok(false) => Some(entry),
        Err(error) => {
            let _left = ManuallyDrop::new(entry.value);
            report(Err(error));
            None
        }
    }
}

fn run() {
    let mut pause = SHORTEST_PAUSE;
    loop {
        let mut waiting = list();
        if waiting.entries.is_empty() {
            let (again, timeout) = MORE.wait_timeout(waiting, IDLE).unwrap_or_else(PoisonError::into_inner);
            waiting = again;
            if waiting.entries.is_empty() && timeout.timed_out() {
                waiting.runs = false;
                return;
            }
            pause = SHORTEST_PAUSE;
        }
        let before = waiting.entries.len();
        drop(waiting);
        collect();
        if list().entries.len() >= before {
            std::thread::sleep(pause);
            pause = (pause * 2).min(LONGEST_PAUSE);
        } else {
            pause = SHORTEST_PAUSE;
        }
    }
}
