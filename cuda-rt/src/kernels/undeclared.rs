//! Kernels without a declaration.

use crate::launch::{Kernel, PackedArgs, UntypedKernel};
use crate::module::Function;
use core::fmt;
use core::marker::PhantomData;

/// Kernel number `N` of the PTX of the structure `M`, for which [`kernels!`](crate::kernels!) has no declaration.
///
/// Each such kernel has its own type, so that it cannot be replaced by another.
pub struct UndeclaredKernel<M, const N: usize> {
    kernel: Kernel<PackedArgs>,
    _structure: PhantomData<fn(M)>,
}

impl<M, const N: usize> UndeclaredKernel<M, N> {
    pub(super) fn new(function: Function) -> Self {
        UndeclaredKernel { kernel: Kernel::of(function), _structure: PhantomData }
    }

    #[inline(always)]
    pub(super) fn untyped(&self) -> &UntypedKernel {
        self.kernel.untyped()
    }

    /// Returns the function, which has every form of launch with [packed](Function::with) or [typed](Function::typed) arguments.
    pub fn function(&self) -> &Function {
        self.kernel.function()
    }
}

impl<M, const N: usize> Clone for UndeclaredKernel<M, N> {
    fn clone(&self) -> Self {
        UndeclaredKernel { kernel: self.kernel.clone(), _structure: PhantomData }
    }
}

impl<M, const N: usize> fmt::Debug for UndeclaredKernel<M, N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("UndeclaredKernel").field("function", self.function()).finish()
    }
}
