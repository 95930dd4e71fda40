//! The one library of a kind that the process uses.

#![allow(unsafe_code)]

use core::cell::Cell;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::sync::OnceLock;
use std::thread::LocalKey;

/// The library of one kind that the process uses: installed by the program, or loaded when it is first asked for.
///
/// A load that fails is remembered, and not tried again. It handed no function out, so a library may still be
/// installed after it.
pub(crate) struct ProcessLibrary<T: 'static, E: 'static> {
    /// Set once: an address that was handed out is never withdrawn.
    library: OnceLock<T>,
    failure: OnceLock<E>,
    /// The address of the value in `library`, once that was asked for: what calls look at.
    published: AtomicPtr<T>,
    /// Set while this thread is loading the library.
    loading: &'static LocalKey<Cell<bool>>,
    /// The answer to a library that asks for itself while this thread opens it.
    reentrant: E,
}

impl<T: Sync + 'static, E: 'static> ProcessLibrary<T, E> {
    pub(crate) const fn new(loading: &'static LocalKey<Cell<bool>>, reentrant: E) -> Self {
        ProcessLibrary {
            library: OnceLock::new(),
            failure: OnceLock::new(),
            published: AtomicPtr::new(null_mut()),
            loading,
            reentrant,
        }
    }

    /// The library in use, once it was asked for by [`get_or_load`](ProcessLibrary::get_or_load).
    #[inline]
    pub(crate) fn published(&'static self) -> Option<&'static T> {
        let library = self.published.load(Ordering::Acquire);
        // SAFETY: null, or the address of the value in `library`, which is never taken out nor dropped; the store that
        // published it came after the value was whole.
        unsafe { library.as_ref() }
    }

    /// The library in use. Loads none.
    pub(crate) fn get(&'static self) -> Option<&'static T> {
        self.library.get()
    }

    /// Puts a library into use; if another is in use, that one is the error.
    pub(crate) fn install(&'static self, library: T) -> Result<&'static T, &'static T> {
        let mut is_first = false;
        let in_use = self.library.get_or_init(|| {
            is_first = true;
            library
        });
        if is_first { Ok(in_use) } else { Err(in_use) }
    }

    /// The library in use, or what the first load ended with.
    #[cold]
    pub(crate) fn get_or_load(
        &'static self,
        load: impl FnOnce() -> Result<T, E>,
    ) -> Result<&'static T, &'static E> {
        if self.library.get().is_none() && self.failure.get().is_none() {
            let Some(_loading) = Loading::begin(self.loading) else { return Err(&self.reentrant) };
            // Not while a cell is locked: what runs when a library is opened may come back here, on any thread.
            match load() {
                Ok(library) => drop(self.library.set(library)),
                Err(failure) => drop(self.failure.set(failure)),
            }
        }
        // Perhaps that of another thread, which was faster or has installed one meanwhile.
        match self.library.get() {
            Some(library) => {
                self.published.store(core::ptr::from_ref(library).cast_mut(), Ordering::Release);
                Ok(library)
            }
            None => Err(self.failure.get().unwrap_or(&self.reentrant)),
        }
    }
}

/// While this lives, its thread is loading a library: what runs when a library is opened may ask for it again.
struct Loading(&'static LocalKey<Cell<bool>>);

impl Loading {
    /// None if the thread is at it already, which `flag` tells.
    fn begin(flag: &'static LocalKey<Cell<bool>>) -> Option<Loading> {
        let began = flag.try_with(|loading| !loading.replace(true)).unwrap_or(true);
        // Not `then_some`: a value that is made and dropped would end the loading that goes on.
        began.then(|| Loading(flag))
    }
}

impl Drop for Loading {
    fn drop(&mut self) {
        // A thread that ends has nothing to load any more.
        let _ = self.0.try_with(|loading| loading.set(false));
    }
}
