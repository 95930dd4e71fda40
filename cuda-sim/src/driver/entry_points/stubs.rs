//! Functions that the software driver does not have yet. They report this and return `NOT_SUPPORTED`.

use crate::collections::SmallSet;
use crate::console::say;
use crate::driver::dispatch;
use core::ffi::{c_char, c_int, c_uchar, c_uint, c_ulonglong, c_ushort, c_void};
use core::ptr::NonNull;
use cuda_sys::*;
use std::sync::{Mutex, PoisonError};

/// Checks the requirements of the function first, so that the program also learns of its own mistakes.
fn unsupported(symbol: Symbol) -> CUresult {
    static SAID: Mutex<SmallSet<Symbol>> = Mutex::new(SmallSet::new());
    dispatch(symbol, &mut |_| {
        if SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(symbol) {
            say(&format!("{symbol} is not simulated yet: CUDA_ERROR_NOT_SUPPORTED"));
        }
        Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
    })
}

macro_rules! stubs {
    ($(#[$summary:meta] #[$details:meta] [$group:ident since $since:literal] fn $name:ident($($argument:ident: $type:ty),*) -> CUresult;)*) => {
        /// Returns a function with the signature of `symbol` that reports that it is not simulated.
        pub(crate) fn stub(symbol: Symbol) -> NonNull<c_void> {
            match symbol {
                $(Symbol::$name => {
                    extern "C" fn $name($(_: $type),*) -> CUresult {
                        unsupported(Symbol::$name)
                    }
                    address($name as *const ())
                })*
                // `Symbol` is non-exhaustive for other crates, but this list is complete.
                _ => nothing(),
            }
        }
    };
}
cuda_sys::for_each_function!(stubs);

/// Returns a function that does nothing.
pub(crate) fn nothing() -> NonNull<c_void> {
    extern "C" fn nothing() -> CUresult {
        CUresult::CUDA_ERROR_NOT_SUPPORTED
    }
    address(nothing as *const ())
}

/// Returns a function's address, which is never null.
pub(crate) fn address(function: *const ()) -> NonNull<c_void> {
    NonNull::new(function.cast_mut().cast()).unwrap_or(NonNull::dangling())
}
