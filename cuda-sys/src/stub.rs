//! What stands in a table's slot while the driver has no function to put there.
//!
//! A stub has the exact signature of the slot's function, so calling it is an ordinary call: it
//! takes the arguments, ignores them and returns a code. One generic function per number of
//! parameters serves all. Arguments are `Copy`: nothing is dropped, and no code for it is made.

#![allow(unsafe_code)]

use crate::CUresult;

/// Fills slots of a function-pointer type.
pub(crate) trait Stub {
    /// Returns `CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER`: there is a driver, without this function.
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
