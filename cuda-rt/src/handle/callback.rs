//! Functions of the program that the driver may call repeatedly, on any thread, until they are unregistered.
//!
//! The driver receives numbers in place of pointers. So a function that was dropped is not called, even if the driver calls late
//! or unregistering fails.

use super::{Inside, is_forked_child, report};
use crate::error::{Code, Error, Result};
use crate::map::SortedMap;
use core::ffi::c_void;
use core::fmt;
use core::ptr::without_provenance_mut;
use cuda_sys::Symbol;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The registered functions of one kind.
pub(crate) struct Callbacks<F: ?Sized + 'static> {
    /// The name of the kind in reports of panics.
    kind: &'static str,
    functions: Mutex<Numbered<F>>,
}

struct Numbered<F: ?Sized> {
    functions: SortedMap<usize, Arc<F>>,
    last: usize,
}

/// A function that the driver may call as long as this value exists.
pub(crate) struct Callback<F: ?Sized + 'static> {
    among: &'static Callbacks<F>,
    number: usize,
}

/// Refuses a call in the child of a fork, with the code that the driver has for most functions there.
pub(crate) fn ensure_not_forked(call: Symbol) -> Result<()> {
    if is_forked_child() { Err(Error::driver(call.name(), Code::NotInitialized)) } else { Ok(()) }
}

impl<F: ?Sized> Callbacks<F> {
    pub(crate) const fn new(kind: &'static str) -> Callbacks<F> {
        Callbacks { kind, functions: Mutex::new(Numbered { functions: SortedMap::new(), last: 0 }) }
    }

    fn lock(&self) -> MutexGuard<'_, Numbered<F>> {
        self.functions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores a function for the driver to call. The driver is initialised.
    pub(crate) fn add(&'static self, function: Arc<F>) -> Callback<F> {
        // Another thread may have held the lock when the process was forked. The driver would make no calls there.
        if is_forked_child() {
            return Callback { among: self, number: 0 };
        }
        let mut numbered = self.lock();
        // 64 bits do not wrap around.
        numbered.last = numbered.last.wrapping_add(1);
        let number = numbered.last;
        numbered.functions.insert(number, function);
        Callback { among: self, number }
    }

    /// Calls the function that the driver names by `data`, if it still exists. Called by the driver.
    ///
    /// During the call, the thread counts as inside a host function: it cannot call the driver. A panic is caught, and goes to
    /// the drop hook.
    pub(crate) fn call(&self, data: *mut c_void, call: impl FnOnce(&F)) {
        if is_forked_child() {
            return;
        }
        let Some(function) = self.lock().functions.get(&data.addr()).map(Arc::clone) else { return };
        let _inside = Inside::new();
        // No panic may unwind into the driver. This may be the last handle of the function: its captured values are dropped here.
        let outcome = catch_unwind(AssertUnwindSafe(move || call(&function)));
        if let Err(payload) = outcome {
            report(Err(Error::panicked(self.kind, payload)));
        }
    }
}

impl<F: ?Sized> Callback<F> {
    /// Returns the value that the driver passes to the function.
    pub(crate) fn data(&self) -> *mut c_void {
        without_provenance_mut(self.number)
    }
}

impl<F: ?Sized> Drop for Callback<F> {
    fn drop(&mut self) {
        if is_forked_child() {
            return;
        }
        // Not dropped while the functions are locked.
        let function = self.among.lock().functions.remove(&self.number);
        drop(function);
    }
}

impl<F: ?Sized> fmt::Debug for Callback<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Callback({} {})", self.among.kind, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::{Arc, Callbacks};
    use crate::handle::is_inside;
    use core::ptr::without_provenance_mut;
    use std::sync::Mutex;

    type Function = dyn Fn(u32) + Send + Sync;
    static FUNCTIONS: Callbacks<Function> = Callbacks::new("test");

    #[test]
    fn functions_are_called_until_they_are_gone() {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let to = Arc::clone(&heard);
        let callback = FUNCTIONS.add(Arc::new(move |number| {
            to.lock().map(|mut heard| heard.push((number, is_inside()))).unwrap_or_default();
            assert!(number != 9, "a panic does not reach the driver");
        }));
        let data = callback.data();
        FUNCTIONS.call(data, |function| function(1));
        FUNCTIONS.call(data, |function| function(9));
        FUNCTIONS.call(without_provenance_mut(data.addr() + 1), |function| function(2));
        drop(callback);
        FUNCTIONS.call(data, |function| function(3));
        let heard = heard.lock().map(|heard| heard.clone()).unwrap_or_default();
        assert_eq!(heard, [(1, true), (9, true)]);
        assert!(!is_inside());
    }
}
