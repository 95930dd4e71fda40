//! Arguments that are known by their size only.

use crate::launch::KernelArg;
use crate::memory::DevicePtr;
use crate::surface::SurfHandle;
use crate::texture::TexHandle;

/// An argument of `BYTES` bytes that is no floating-point number: an integer, or with 8 bytes an address or a handle.
///
/// PTX does not distinguish integers from addresses. The methods of [`kernels!`](crate::kernels!) without declarations accept all
/// of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no parameter of {BYTES} bytes",
    label = "not an integer, address or handle of {BYTES} bytes",
    note = "a literal without a type is an `i32`: write its type, as in `3_u64`"
)]
pub trait Word<const BYTES: usize>: KernelArg + sealed::Word<BYTES> {}

mod sealed {
    pub trait Word<const BYTES: usize> {}
}

macro_rules! words {
    ($($bytes:literal: $($type:ty)*;)*) => {$($(
        impl Word<$bytes> for $type {}
        impl sealed::Word<$bytes> for $type {}
    )*)*};
}
words! {
    1: u8 i8 bool;
    2: u16 i16;
    4: u32 i32;
    8: u64 i64 usize isize TexHandle SurfHandle;
}

impl<T> Word<8> for DevicePtr<T> {}
impl<T> sealed::Word<8> for DevicePtr<T> {}
