//! Stubs for the slots of a table whose functions the driver lacks.
//!
//! A stub has the exact signature of the slot's function, so calling it is an ordinary call. It ignores its arguments
//! and returns a code. One generic function for each number of parameters serves all. Arguments are `Copy`, so no code
//! for drops is generated.

#![allow(unsafe_code)]

use crate::CUresult;

/// Fills slots of a function-pointer type.
pub(crate) trait Stub {
    /// Stub that returns `CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER`, for a driver without this function.
    const MISSING: Self;
}

macro_rules! stubs {
    ($($stub:ident($($parameter:ident)*);)*) => {$(
        extern "C" fn $stub<$($parameter: Copy),*>($(_: $parameter),*) -> CUresult {
            CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER
        }

        impl<$($parameter: Copy),*> Stub for unsafe extern "C" fn($($parameter),*) -> CUresult {
            const MISSING: Self = $stub::<$($parameter),*>;
        }
    )*};
}

stubs! {
    stub0();
    stub1(A);
    stub2(A B);
    stub3(A B C);
    stub4(A B C D);
    stub5(A B C D E);
    stub6(A B C D E F);
    stub7(A B C D E F G);
    stub8(A B C D E F G H);
    stub9(A B C D E F G H I);
    stub10(A B C D E F G H I J);
    stub11(A B C D E F G H I J K);
    stub12(A B C D E F G H I J K L);
    stub13(A B C D E F G H I J K L M);
    stub14(A B C D E F G H I J K L M N);
    stub15(A B C D E F G H I J K L M N O);
    stub16(A B C D E F G H I J K L M N O P);
}
