//! Opens libraries, whichever they are.

#![allow(unsafe_code)]

use core::ffi::{CStr, c_void};
use core::ptr::NonNull;
use std::ffi::{OsStr, OsString};

/// The library that the environment variable names, and what to call it in messages. Set to nothing, the
/// variable counts as unset.
pub(crate) fn named_by(variable: &str) -> Option<(OsString, String)> {
    let named = std::env::var_os(variable).filter(|value| !value.is_empty())?;
    let label = format!("{variable}={}", named.display());
    Some((named, label))
}

/// An open library. Dropped, it is closed.
pub(crate) struct Library(libloading::Library);

impl Library {
    /// Opens the library at `path`, a path or a name for the dynamic linker to look up; an error is the
    /// operating system's reason.
    ///
    /// # Safety
    ///
    /// Opening the library must do no harm.
    pub(crate) unsafe fn open(path: &OsStr) -> Result<Library, String> {
        // SAFETY: the caller answers for the library's initialisers.
        unsafe { libloading::Library::new(path) }.map(Library).map_err(|error| {
            let reason = reason(&error);
            // It begins with the name, which is part of the message already.
            reason.strip_prefix(&format!("{}: ", path.display())).unwrap_or(&reason).to_owned()
        })
    }

    /// The address that the library exports under `name`; good for as long as the library is open.
    pub(crate) fn find(&self, name: &CStr) -> Option<NonNull<c_void>> {
        // SAFETY: the type asked for is a plain address; nothing is called through it here.
        let symbol = unsafe { self.0.get::<*mut c_void>(name.to_bytes_with_nul()) };
        symbol.ok().and_then(|symbol| NonNull::new(*symbol))
    }

    /// Keeps the library open for the rest of the process.
    pub(crate) fn stay_open(self) {
        Box::leak(Box::new(self));
    }
}

/// The operating system's words: libloading's own message does not hold them, its sources do.
fn reason(error: &libloading::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
