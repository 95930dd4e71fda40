//! Stubs for the slots of a table whose functions the library lacks.
//!
//! A stub has the exact signature of the slot's function, so calling it is an ordinary call. It ignores its arguments
//! and returns [`Answer::NONE`].

#![allow(unsafe_code)]

use crate::nvrtc::nvrtcResult;
use core::ffi::c_char;

/// Return type of a function.
pub(crate) trait Answer {
    /// Return value of a missing function.
    const NONE: Self;
}

impl Answer for nvrtcResult {
    const NONE: Self = nvrtcResult::NVRTC_ERROR_INTERNAL_ERROR;
}

impl Answer for *const c_char {
    const NONE: Self = core::ptr::null();
}

/// Fills slots of a function-pointer type.
pub(crate) trait Stub {
    /// Returns [`Answer::NONE`].
    const MISSING: Self;
}

macro_rules! stubs {
    ($($stub:ident($($parameter:ident)*);)*) => {$(
        extern "C" fn $stub<Result: Answer, $($parameter),*>($(_: $parameter),*) -> Result {
            Result::NONE
        }

        impl<Result: Answer, $($parameter),*> Stub for unsafe extern "C" fn($($parameter),*) -> Result {
            const MISSING: Self = $stub::<Result, $($parameter),*>;
        }
    )*};
}

stubs! {
    stub1(A);
    stub2(A B);
    stub3(A B C);
    stub4(A B C D);
    stub5(A B C D E);
    stub6(A B C D E F);
}
