//! Process-wide choice of a library: of the driver, or of NVRTC.

#![allow(unsafe_code)]

use core::cell::Cell;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::sync::OnceLock;
use std::thread::LocalKey;

/// The driver library or the NVRTC library of the process. The program installs it, or the first
/// use loads it.
///
/// A failed load is stored and not repeated. A library may still be installed after a failed load,
/// because no function of a library was handed out.
pub(crate) struct ProcessLibrary<T: 'static, E: 'static> {
    /// Set once: an address that was handed out stays valid.
    library: OnceLock<T>,
    failure: OnceLock<E>,
    /// Address of the value in `library` after the first use. Calls read this field.
    published: AtomicPtr<T>,
    /// Set while this thread is loading the library.
    loading: &'static LocalKey<Cell<bool>>,
    /// Error for code that uses the library while this thread is loading it, such as an initialiser of the library.
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

    /// Returns the library in use, after the first [`get_or_load`](ProcessLibrary::get_or_load).
    #[inline]
    pub(crate) fn published(&'static self) -> Option<&'static T> {
        let library = self.published.load(Ordering::Acquire);
        // SAFETY: null, or the address of the value in `library`, which is never removed nor dropped; the store that
        // published it came after the value was complete.
        unsafe { library.as_ref() }
    }

    /// Returns the library in use. Loads none.
    pub(crate) fn get(&'static self) -> Option<&'static T> {
        self.library.get()
    }

    /// Installs a library. If another is in use, returns that one as the error.
    pub(crate) fn install(&'static self, library: T) -> Result<&'static T, &'static T> {
        let mut is_first = false;
        let in_use = self.library.get_or_init(|| {
            is_first = true;
            library
        });
        if is_first { Ok(in_use) } else { Err(in_use) }
    }

    /// Returns the library in use, or the error of the first load.
    #[cold]
    pub(crate) fn get_or_load(
        &'static self,
        load: impl FnOnce() -> Result<T, E>,
    ) -> Result<&'static T, &'static E> {
        if self.library.get().is_none() && self.failure.get().is_none() {
            let Some(_loading) = Loading::begin(self.loading) else { return Err(&self.reentrant) };
            // No cell is locked here, because code that runs while a library is opened may call this function, on any
            // thread.
            match load() {
                Ok(library) => drop(self.library.set(library)),
                Err(failure) => drop(self.failure.set(failure)),
            }
        }
        // The library may be that of another thread, which was faster or has installed one.
        match self.library.get() {
            Some(library) => {
                self.published.store(core::ptr::from_ref(library).cast_mut(), Ordering::Release);
                Ok(library)
            }
            None => Err(self.failure.get().unwrap_or(&self.reentrant)),
        }
    }
}

/// Guard of a thread that is loading a library. Code that runs while the library is opened may use the library again.
struct Loading(&'static LocalKey<Cell<bool>>);

impl Loading {
    /// Returns `None` if the thread is loading already, as `flag` says.
    fn begin(flag: &'static LocalKey<Cell<bool>>) -> Option<Loading> {
        let began = flag.try_with(|loading| !loading.replace(true)).unwrap_or(true);
        // `then_some` would create and drop a guard, and so end the load in progress.
        began.then(|| Loading(flag))
    }
}

impl Drop for Loading {
    fn drop(&mut self) {
        // At the end of a thread, the flag no longer exists.
        let _ = self.0.try_with(|loading| loading.set(false));
    }
}
