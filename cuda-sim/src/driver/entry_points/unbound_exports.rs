//! Exports of drivers without bindings: first versions of functions, and undocumented functions. They exist, and most
//! are not simulated. Programs in C can call them. No table of the bindings has a slot for them.

#![allow(non_snake_case)]

use crate::collections::SmallSet;
use crate::console::say;
use crate::driver::entry_points::{stubs, v1_entry_points};
use crate::generated::for_each_unbound_export;
use core::ffi::{CStr, c_void};
use core::ptr::NonNull;
use cuda_sys::{CUresult, DriverVersion};
use std::sync::{Mutex, PoisonError};

/// Returns the code of a function that is not simulated. The first call of each function reports this.
pub fn not_simulated(name: &'static str) -> CUresult {
    static SAID: Mutex<SmallSet<&str>> = Mutex::new(SmallSet::new());
    if SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(name) {
        say(&format!("{name} is not simulated yet: CUDA_ERROR_NOT_SUPPORTED"));
    }
    CUresult::CUDA_ERROR_NOT_SUPPORTED
}

/// Function: its name, the release that introduced it, and whether a header declares it.
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
                // The function ignores its arguments. In C's calling convention, the caller removes them.
                extern "C" fn $name() -> CUresult {
                    not_simulated(stringify!($name))
                }
                stubs::address($name as *const ())
            },
        },)*];
    };
}
for_each_unbound_export!(others);

/// Returns the address of the function with this name.
pub(crate) fn address_of(name: &CStr) -> Option<NonNull<c_void>> {
    let other = OTHERS.iter().find(|other| other.name == name)?;
    v1_entry_points::implemented(name).or_else(|| Some((other.address)()))
}

/// Returns the same, if a driver of this release exports it.
pub(crate) fn named(name: &CStr, release: DriverVersion) -> Option<NonNull<c_void>> {
    let is_there = |other: &&Other| other.since <= release && other.name == name;
    OTHERS.iter().find(is_there).and_then(|other| address_of(other.name))
}

/// Returns the names that `cuGetProcAddress` knows, with the releases that introduced them. It does not know
/// undocumented names (conformance fact P22).
pub(crate) fn askable() -> impl Iterator<Item = (&'static CStr, DriverVersion)> {
    OTHERS.iter().filter(|other| other.documented).map(|other| (other.name, other.since))
}
