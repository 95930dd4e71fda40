//! Opens libraries by path or by name.

#![allow(unsafe_code)]

use core::ffi::{CStr, c_void};
use core::ptr::NonNull;
use std::ffi::{OsStr, OsString};

/// Reason why this program cannot open NVIDIA's libraries, whatever is installed.
pub(crate) const OBSTACLE: Option<&str> = if cfg!(not(target_env = "musl")) {
    None
} else if cfg!(target_feature = "crt-static") {
    Some("a program linked statically with musl opens no library; build for a glibc target")
} else {
    Some("NVIDIA's libraries need glibc, and this program uses musl; build for a glibc target")
};

/// Returns the library that the environment variable names, and its name in messages. An empty variable counts as
/// unset.
pub(crate) fn named_in_environment(variable: &str) -> Option<(OsString, String)> {
    let named = std::env::var_os(variable).filter(|value| !value.is_empty())?;
    let label = format!("{variable}={}", named.display());
    Some((named, label))
}

/// Open library. It is never closed, because its code may still run, for example on a thread of its own.
pub(crate) struct Library(&'static libloading::Library);

/// Scope of the search for a name without a folder.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SearchScope {
    /// All places that the system searches.
    Anywhere,
    /// Under Windows: the folder of the program, the system's folders, and the folder of `path`, but not the current
    /// folder. Other systems never search the current folder.
    #[cfg(feature = "nvrtc")]
    Installed,
    /// Under Windows: the system's folders only, without the folder of the program.
    System,
}

impl Library {
    /// Opens the library at `path`, a path or a name for the dynamic linker to look up. The error is the operating
    /// system's reason.
    ///
    /// # Safety
    ///
    /// Opening the library must not cause undefined behaviour.
    pub(crate) unsafe fn open(path: &OsStr, scope: SearchScope) -> Result<Library, String> {
        // SAFETY: the caller guarantees the library's initialisers.
        let opened = unsafe { open(path, scope) };
        opened.map(|library| Library(Box::leak(Box::new(library)))).map_err(|error| {
            let reason = reason(&error);
            // The reason begins with the name, which is part of the message already.
            reason.strip_prefix(&format!("{}: ", path.display())).unwrap_or(&reason).to_owned()
        })
    }

    /// Returns the address of `name` in the library or in a library that it is linked with.
    pub(crate) fn find(&self, name: &CStr) -> Option<NonNull<c_void>> {
        // SAFETY: the type asked for is a plain address; nothing is called through it here.
        let symbol = unsafe { self.0.get::<*mut c_void>(name.to_bytes_with_nul()) };
        symbol.ok().and_then(|symbol| NonNull::new(*symbol))
    }
}

/// # Safety
///
/// Same as [`Library::open`].
unsafe fn open(path: &OsStr, scope: SearchScope) -> Result<libloading::Library, libloading::Error> {
    #[cfg(windows)]
    {
        use libloading::os::windows::*;
        let flags = match scope {
            SearchScope::Anywhere => 0,
            #[cfg(feature = "nvrtc")]
            SearchScope::Installed if std::path::Path::new(path).is_absolute() => {
                LOAD_LIBRARY_SEARCH_DEFAULT_DIRS | LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR
            }
            #[cfg(feature = "nvrtc")]
            SearchScope::Installed => LOAD_LIBRARY_SEARCH_DEFAULT_DIRS,
            SearchScope::System => LOAD_LIBRARY_SEARCH_SYSTEM32,
        };
        // SAFETY: the caller's promise is the same.
        unsafe { Library::load_with_flags(path, flags) }.map(Into::into)
    }
    #[cfg(not(windows))]
    let _ = scope;
    // With lazy binding, musl opens libraries made for glibc. Their initialisers then call functions that musl lacks,
    // and the process crashes. With immediate binding of all functions, musl refuses such a library.
    #[cfg(target_env = "musl")]
    {
        use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
        // SAFETY: the caller's promise is the same.
        unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map(Into::into)
    }
    // SAFETY: the caller's promise is the same.
    #[cfg(not(any(windows, target_env = "musl")))]
    unsafe {
        libloading::Library::new(path)
    }
}

/// Returns the operating system's reason. It is in the sources of libloading's error, not in its message.
fn reason(error: &libloading::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
