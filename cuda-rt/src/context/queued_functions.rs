//! Functions of the program that the driver has queued in a context and has not called.
//!
//! The driver receives a number instead of a pointer. It may call a function twice, never, or long after it has reported a
//! failure. In all cases this crate runs a function at most once, and can drop functions that will never be called.

use super::ContextId;
use crate::error::Error;
use crate::handle::report;
use crate::list::CollectVec;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) type Function = Box<dyn FnOnce(crate::error::Result<()>) + Send>;

/// Condition under which a function is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Called if nothing has failed.
    HostFunction,
    /// Called in any case.
    Callback,
}

/// The stream and the kind of a queued function.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) context: ContextId,
    pub(crate) stream: usize,
    pub(crate) kind: Kind,
}

struct Table {
    /// In the order of the numbers. `None` for a function that was taken: removing the oldest of many would move all others.
    functions: Vec<(usize, Option<(Place, Function)>)>,
    taken: usize,
    last: usize,
}

static TABLE: Mutex<Table> = Mutex::new(Table { functions: Vec::new(), taken: 0, last: 0 });

impl Table {
    /// Returns the place of a number, or the place where to insert it.
    fn place(&self, number: usize) -> Result<usize, usize> {
        self.functions.binary_search_by_key(&number, |(number, _)| *number)
    }

    fn take(&mut self, number: usize) -> Option<Function> {
        let place = self.place(number).ok()?;
        let (_, function) = self.functions.get_mut(place)?.1.take()?;
        self.taken += 1;
        if self.taken > 16 + self.functions.len() / 2 {
            self.functions.retain(|(_, function)| function.is_some());
            self.taken = 0;
        }
        Some(function)
    }

    fn places(&self) -> impl Iterator<Item = (usize, &Place)> {
        self.functions.iter().filter_map(|(number, function)| Some((*number, &function.as_ref()?.0)))
    }
}

/// Must not be called in the child of a fork: a thread that does not exist there may hold the lock.
fn table() -> MutexGuard<'static, Table> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A function that is about to be queued. Dropped with the function if it is not queued.
pub(crate) struct Waiting {
    number: usize,
}

impl Waiting {
    pub(crate) fn new(place: Place, function: Function) -> Waiting {
        let mut table = table();
        table.last = table.last.wrapping_add(1);
        // Numbers may wrap around where they are small.
        let at = loop {
            match table.place(table.last) {
                Err(at) if table.last != 0 => break at,
                _ => table.last = table.last.wrapping_add(1),
            }
        };
        let number = table.last;
        table.functions.insert(at, (number, Some((place, function))));
        Waiting { number }
    }

    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// Leaves the function to the driver.
    pub(crate) fn leave(self) {
        let _ = core::mem::ManuallyDrop::new(self);
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        // Not dropped while the table is locked.
        drop(take(self.number));
    }
}

/// Takes a function out, if it has not been taken.
pub(crate) fn take(number: usize) -> Option<Function> {
    table().take(number)
}

/// Functions that are never called, to be dropped where code of the program may run.
pub(crate) struct Uncalled(Vec<Function>);

impl Drop for Uncalled {
    fn drop(&mut self) {
        // Captured values of a function may panic in their destructors, and the caller has an outcome to report.
        for function in self.0.drain(..) {
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(function))) {
                report(Err(Error::panicked("a host function that is never called", payload)));
            }
        }
    }
}

/// Takes out the host functions of a stream, which are not called after a sticky error. The driver still calls callbacks then.
pub(crate) fn uncalled_on(context: ContextId, stream: usize) -> Uncalled {
    extract(|place| place.kind == Kind::HostFunction && place.context == context && place.stream == stream)
}

/// Takes out the functions of a context that has ended: the driver does not call them any more.
pub(crate) fn uncalled_in(context: ContextId) -> Uncalled {
    extract(|place| place.context == context)
}

/// Returns whether some functions of a context have not been called yet.
pub(crate) fn has_uncalled_in(context: ContextId) -> bool {
    table().places().any(|(_, place)| place.context == context)
}

fn extract(is_wanted: impl Fn(&Place) -> bool) -> Uncalled {
    let mut table = table();
    let wanted =
        Vec::from_iter(table.places().filter(|(_, place)| is_wanted(place)).map(|(number, _)| number));
    Uncalled(wanted.iter().filter_map(|number| table.take(*number)).collect_vec())
}
