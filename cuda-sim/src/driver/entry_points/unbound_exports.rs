//! What drivers export and the bindings lack: first versions of functions, and undocumented ones. They exist, and most
//! are not simulated. Programs in C reach them; no table of the bindings has a slot for them.

#![allow(non_snake_case)]

use crate::collections::SmallSet;
use crate::console::say;
use crate::driver::entry_points::{stubs, v1_entry_points};
use crate::generated::for_each_unbound_export;
use core::ffi::{CStr, c_void};
use core::ptr::NonNull;
use cuda_sys::{CUresult, DriverVersion};
use std::sync::{Mutex, PoisonError};

/// The answer of a function that is not simulated. The first call of each says so.
pub fn not_simulated(name: &'static str) -> CUresult {
    static SAID: Mutex<SmallSet<&str>> = Mutex::new(SmallSet::new());
    if SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(name) {
        say(&format!("{name} is not simulated yet: CUDA_ERROR_NOT_SUPPORTED"));
    }
    CUresult::CUDA_ERROR_NOT_SUPPORTED
}

/// A function: its name, the release that introduced it, and whether a header declares it.
struct Other {
    name: &'static CStr,
    since: DriverVersion,
    documented: bool,
    address: fn() -> NonNull<c_void>,
}

macro_rules! others {
    ($($name:ident, $since:literal, $documented:literal;)*) => {
        static OTHERS: &[Other] = &[$(Other {
            name: match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                Ok(name) => name,
                Err(_) => c"",
            },
            since: DriverVersion($since),
            documented: $documented,
            address: || {
                // It takes what it is given, and looks at nothing: in C's convention the caller cleans up.
                extern "C" fn $name() -> CUresult {
                    not_simulated(stringify!($name))
                }
                stubs::address($name as *const ())
            },
        },)*];
    };
}
for_each_unbound_export!(others);

/// The address of the function with this name.
pub(crate) fn address_of(name: &CStr) -> Option<NonNull<c_void>> {
    let other = OTHERS.iter().find(|other| other.name == name)?;
    v1_entry_points::implemented(name).or_else(|| Some((other.address)()))
}

/// The same, if a driver of this release exports it.
pub(crate) fn named(name: &CStr, release: DriverVersion) -> Option<NonNull<c_void>> {
    let is_there = |other: &&Other| other.since <= release && other.name == name;
    OTHERS.iter().find(is_there).and_then(|other| address_of(other.name))
}

/// The names that `cuGetProcAddress` knows, with the releases that introduced them: the undocumented ones it does not
/// know (measured: P22).
pub(crate) fn askable() -> impl Iterator<Item = (&'static CStr, DriverVersion)> {
    OTHERS.iter().filter(|other| other.documented).map(|other| (other.name, other.since))
}
