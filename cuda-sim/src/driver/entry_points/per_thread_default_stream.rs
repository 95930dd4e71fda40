//! Per-thread versions of functions, whose names end in `_ptds` and `_ptsz`. In them, the null stream means the
//! per-thread default stream. Programs compiled for that default stream call them.

#![allow(unsafe_code)]
#![allow(non_snake_case)]

use crate::driver::entry_points::stubs::address;
use crate::generated::for_each_per_thread_function;
use core::ffi::c_void;
use core::ptr::NonNull;
use cuda_sys::Symbol;

macro_rules! twins {
    ($(fn $twin:ident of $function:ident($($argument:ident: $type:ty),*);)*) => {
        /// Per-thread twins, for the library that exports them.
        pub mod per_thread_entry_points {
            use crate::driver::queues::default_stream::PerThread;
            use crate::driver::functions;
            use core::ffi::{c_int, c_uchar, c_uint, c_ulonglong, c_ushort, c_void};
            use cuda_sys::*;

            $(
                /// Calls the function of this name with the per-thread default stream.
                ///
                /// # Safety
                ///
                /// As the driver API demands.
                #[allow(clippy::too_many_arguments)] // the driver's own
                pub unsafe extern "C" fn $twin($($argument: $type),*) -> CUresult {
                    let _default = PerThread::enter();
                    // SAFETY: the requirements of the twin are those of the function.
                    unsafe { (functions().$function)($($argument),*) }
                }
            )*
        }

        /// Returns the address of a twin.
        pub(crate) fn implemented(symbol: Symbol) -> Option<NonNull<c_void>> {
            match symbol {
                $(Symbol::$twin => Some(address(per_thread_entry_points::$twin as *const ())),)*
                _ => None,
            }
        }
    };
}
for_each_per_thread_function!(twins);
