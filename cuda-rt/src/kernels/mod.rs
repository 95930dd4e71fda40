//! Kernels that the compiler checks: [`kernels!`](crate::kernels!).

#![allow(unsafe_code)]

mod call;
mod check;
mod word;

pub use call::{AnyBlock, Block, Elements, KernelCall};
pub use word::Word;

/// Declares kernels.
#[macro_export]
macro_rules! kernels {
    ($($tokens:tt)*) => {
        $crate::kernels::__private::expand! { ($crate) $($tokens)* }
    };
}

/// What the expansion of [`kernels!`](crate::kernels!) uses. No part of the public interface.
#[doc(hidden)]
pub mod __private {
    use super::KernelCall;
    pub use super::check::{PtxClass, PtxParameter, PtxVariable, parameter, variable};
    use crate::error::Result;
    use crate::launch::{Kernel, PackedArgs};
    use crate::module::Module;
    pub use cuda_rt_macros::kernels as expand;

    /// Looks a kernel up and gives it argument types without a check.
    ///
    /// # Safety
    ///
    /// The kernel takes as many parameters as `A` has, and of the same sizes.
    ///
    /// # Errors
    ///
    /// Same as [`Module::function`].
    pub unsafe fn declared<A>(module: &Module, name: &str) -> Result<Kernel<A>> {
        module.function(name).map(Kernel::of)
    }

    /// Makes a call of arguments.
    #[inline(always)]
    pub fn call<A, L, B>(kernel: &Kernel<A>, args: L) -> KernelCall<'_, A, L, B> {
        KernelCall::new(kernel.untyped(), args)
    }

    /// Makes a call of arguments of other types.
    ///
    /// # Safety
    ///
    /// The kernel takes as many parameters as `A` has, and of the same sizes.
    #[inline(always)]
    pub unsafe fn wrapped<A, L, B>(kernel: &Kernel<PackedArgs>, args: L) -> KernelCall<'_, A, L, B> {
        KernelCall::new(kernel.untyped(), args)
    }
}
