//! Opens libraries, whichever they are, and keeps the one of each kind that is in use.

#![allow(unsafe_code)]

use core::cell::Cell;
use core::ffi::{CStr, c_void};
use core::ptr::{NonNull, null_mut};
use core::sync::atomic::{AtomicPtr, Ordering};
use std::ffi::{OsStr, OsString};
use std::sync::OnceLock;
use std::thread::LocalKey;

/// The library that the environment variable names, and what to call it in messages. Set to nothing, the
/// variable counts as unset.
pub(crate) fn named_by(variable: &str) -> Option<(OsString, String)> {
    let named = std::env::var_os(variable).filter(|value| !value.is_empty())?;
    let label = format!("{variable}={}", named.display());
    Some((named, label))
}

/// An open library. It stays open: code of it may be running, on a thread of its own for example, whatever becomes
/// of this value.
pub(crate) struct Library(&'static libloading::Library);

/// Where a name without a folder is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Wherever the system looks.
    Anywhere,
    /// Under Windows only where the system keeps its own libraries, not beside the program nor in the folder that it
    /// happens to run in. Elsewhere the system never looks there.
    System,
}

impl Library {
    /// Opens the library at `path`, a path or a name for the dynamic linker to look up; an error is the
    /// operating system's reason.
    ///
    /// # Safety
    ///
    /// Opening the library must do no harm.
    pub(crate) unsafe fn open(path: &OsStr, place: Place) -> Result<Library, String> {
        // SAFETY: the caller answers for the library's initialisers.
        let opened = unsafe { open(path, place) };
        opened.map(|library| Library(Box::leak(Box::new(library)))).map_err(|error| {
            let reason = reason(&error);
            // It begins with the name, which is part of the message already.
            reason.strip_prefix(&format!("{}: ", path.display())).unwrap_or(&reason).to_owned()
        })
    }

    /// The address of `name` in the library or in one that it is linked with.
    pub(crate) fn find(&self, name: &CStr) -> Option<NonNull<c_void>> {
        // SAFETY: the type asked for is a plain address; nothing is called through it here.
        let symbol = unsafe { self.0.get::<*mut c_void>(name.to_bytes_with_nul()) };
        symbol.ok().and_then(|symbol| NonNull::new(*symbol))
    }
}

/// # Safety
///
/// See [`Library::open`].
unsafe fn open(path: &OsStr, place: Place) -> Result<libloading::Library, libloading::Error> {
    #[cfg(windows)]
    if place == Place::System {
        use libloading::os::windows::{LOAD_LIBRARY_SEARCH_SYSTEM32, Library};
        // SAFETY: the caller's promise is the same.
        return unsafe { Library::load_with_flags(path, LOAD_LIBRARY_SEARCH_SYSTEM32) }.map(Into::into);
    }
    let _ = place;
    // SAFETY: the caller's promise is the same.
    unsafe { libloading::Library::new(path) }
}

/// The operating system's words: libloading's own message does not hold them, its sources do.
fn reason(error: &libloading::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// The library of one kind that the process uses: installed by the program, or loaded when it is first asked for.
///
/// A load that fails is remembered, and not tried again. It handed no function out, so a library may still be
/// installed after it.
pub(crate) struct Chosen<T: 'static, E: 'static> {
    /// Set once: an address that was handed out is never withdrawn.
    library: OnceLock<T>,
    failure: OnceLock<E>,
    /// The address of the value in `library`, once that was asked for: what calls look at.
    published: AtomicPtr<T>,
    /// Set while this thread is loading the library.
    loading: &'static LocalKey<Cell<bool>>,
    /// The answer to a library that asks for itself while this thread opens it.
    again: E,
}

impl<T: Sync + 'static, E: 'static> Chosen<T, E> {
    pub(crate) const fn new(loading: &'static LocalKey<Cell<bool>>, again: E) -> Self {
        Chosen {
            library: OnceLock::new(),
            failure: OnceLock::new(),
            published: AtomicPtr::new(null_mut()),
            loading,
            again,
        }
    }

    /// The library in use, once it was asked for by [`get_or_load`](Chosen::get_or_load).
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
            let Some(_loading) = Loading::begin(self.loading) else { return Err(&self.again) };
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
            None => Err(self.failure.get().unwrap_or(&self.again)),
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
