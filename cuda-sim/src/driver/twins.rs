//! The second versions of functions, whose names end in `_ptds` and `_ptsz`: in them the per-thread default stream
//! stands for the null stream. Programs that are compiled for that default call these.

#![allow(unsafe_code)]
#![allow(non_snake_case)]

use super::unsupported::address;
use crate::for_each_twin;
use core::cell::Cell;
use core::ffi::{CStr, c_void};
use core::ptr::NonNull;
use cuda_sys::{CU_STREAM_LEGACY, CU_STREAM_PER_THREAD, CUstream, Driver, DriverVersion, Symbol};
use std::sync::OnceLock;

thread_local! {
    static PER_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// The stream that the null stream stands for in the call in progress, and that a call without a stream uses.
pub(super) fn default_stream() -> CUstream {
    let per_thread = PER_THREAD.try_with(Cell::get).unwrap_or(false);
    if per_thread { CU_STREAM_PER_THREAD } else { CU_STREAM_LEGACY }
}

/// While this lives, the per-thread default stream is the thread's default stream.
struct PerThread {
    before: bool,
}

impl PerThread {
    fn enter() -> PerThread {
        PerThread { before: PER_THREAD.try_with(|default| default.replace(true)).unwrap_or(false) }
    }
}

impl Drop for PerThread {
    fn drop(&mut self) {
        // A thread that ends has no calls left to mind.
        let _ = PER_THREAD.try_with(|default| default.set(self.before));
    }
}

/// The functions behind the twins.
fn functions() -> &'static Driver {
    static FUNCTIONS: OnceLock<Driver> = OnceLock::new();
    FUNCTIONS.get_or_init(|| {
        let resolver = |name: &'static CStr| Symbol::from_name(name.to_str().ok()?).map(super::address_of);
        // SAFETY: these are the software driver's functions, with the signatures of their names.
        unsafe { Driver::from_resolver("cuda-sim", resolver) }
    })
}

/// A twin: its function, the release that introduced it, its name, its address.
struct Twin {
    function: Symbol,
    since: DriverVersion,
    name: &'static CStr,
    address: fn() -> NonNull<c_void>,
}

macro_rules! twins {
    ($([since $since:literal] fn $twin:ident of $function:ident($($argument:ident: $type:ty),*);)*) => {
        /// The twins, for the library that exports them.
        pub mod per_thread {
            use super::{PerThread, functions};
            use core::ffi::{c_int, c_uchar, c_uint, c_ulonglong, c_ushort, c_void};
            use cuda_sys::*;

            $(
                /// The function of this name.
                ///
                /// # Safety
                ///
                /// As the driver API demands.
                #[allow(clippy::too_many_arguments)] // the driver's own
                pub unsafe extern "C" fn $twin($($argument: $type),*) -> CUresult {
                    let _default = PerThread::enter();
                    // SAFETY: the program's promise to the twin is that to the function.
                    unsafe { (functions().$function)($($argument),*) }
                }
            )*
        }

        static TWINS: &[Twin] = &[$(Twin {
            function: Symbol::$function,
            since: DriverVersion($since),
            name: match CStr::from_bytes_with_nul(concat!(stringify!($twin), "\0").as_bytes()) {
                Ok(name) => name,
                Err(_) => c"",
            },
            address: || address(per_thread::$twin as *const ()),
        },)*];
    };
}
for_each_twin!(twins);

/// The twin of a function, if it has one that a driver of this release exports.
pub(super) fn of(function: Symbol, release: DriverVersion) -> Option<NonNull<c_void>> {
    let twin = TWINS.iter().find(|twin| twin.function == function && twin.since <= release)?;
    Some((twin.address)())
}

/// The twin with this name, if a driver of this release exports it.
pub(super) fn named(name: &CStr, release: DriverVersion) -> Option<NonNull<c_void>> {
    let twin = TWINS.iter().find(|twin| twin.name == name && twin.since <= release)?;
    Some((twin.address)())
}

#[cfg(test)]
mod tests {
    use super::{CU_STREAM_LEGACY, CU_STREAM_PER_THREAD, PerThread, TWINS, default_stream};
    use cuda_sys::{DriverVersion, Symbol};

    #[test]
    fn the_default_stream_is_that_of_the_call() {
        assert_eq!(default_stream(), CU_STREAM_LEGACY);
        {
            let _outer = PerThread::enter();
            {
                let _inner = PerThread::enter();
                assert_eq!(default_stream(), CU_STREAM_PER_THREAD);
            }
            assert_eq!(default_stream(), CU_STREAM_PER_THREAD);
            let other = std::thread::spawn(|| default_stream() == CU_STREAM_LEGACY);
            assert!(other.join().is_ok_and(|legacy| legacy), "another thread has its own");
        }
        assert_eq!(default_stream(), CU_STREAM_LEGACY);
    }

    #[test]
    fn twins_are_named_after_their_functions() {
        for twin in TWINS {
            let name = twin.name.to_str().unwrap_or_default();
            let function = name.strip_suffix("_ptds").or_else(|| name.strip_suffix("_ptsz"));
            assert_eq!(function.and_then(Symbol::from_name), Some(twin.function), "{name}");
            // Release 7.0 brought the per-thread default stream.
            assert_eq!(twin.since, twin.function.since().max(DriverVersion::new(7, 0)), "{name}");
        }
    }
}
