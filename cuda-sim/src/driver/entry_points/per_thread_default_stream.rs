//! The second versions of functions, whose names end in `_ptds` and `_ptsz`: in them the per-thread default stream
//! stands for the null stream. Programs that are compiled for that default call these.

#![allow(unsafe_code)]
#![allow(non_snake_case)]

use crate::driver::entry_points::not_simulated::address;
use crate::generated::for_each_twin;
use core::cell::Cell;
use core::ffi::c_void;
use core::ptr::NonNull;
use cuda_sys::{CU_STREAM_LEGACY, CU_STREAM_PER_THREAD, CUstream, Symbol};

thread_local! {
    static PER_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// The stream that the null stream stands for in the call in progress, and that a call without a stream uses.
pub(crate) fn default_stream() -> CUstream {
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

macro_rules! twins {
    ($(fn $twin:ident of $function:ident($($argument:ident: $type:ty),*);)*) => {
        /// The twins, for the library that exports them.
        pub mod per_thread {
            use super::PerThread;
            use crate::driver::functions;
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

        /// The address of a twin.
        pub(crate) fn implemented(symbol: Symbol) -> Option<NonNull<c_void>> {
            match symbol {
                $(Symbol::$twin => Some(address(per_thread::$twin as *const ())),)*
                _ => None,
            }
        }
    };
}
for_each_twin!(twins);

#[cfg(test)]
mod tests {
    use super::{CU_STREAM_LEGACY, CU_STREAM_PER_THREAD, PerThread, default_stream, implemented};
    use cuda_sys::{Symbol, SymbolSet};

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
    fn every_twin_is_there() {
        let twins = Symbol::all().filter(|symbol| symbol.set() == SymbolSet::PerThread);
        for twin in twins.clone() {
            assert!(implemented(twin).is_some(), "{twin}");
        }
        assert!(twins.count() > 100);
        assert_eq!(implemented(Symbol::cuMemcpy), None);
    }
}
