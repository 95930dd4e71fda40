//! A kernel with its arguments.

#![allow(unsafe_code)]

use crate::error::Result;
#[cfg(doc)]
use crate::launch::Kernel;
use crate::launch::{LaunchArgs, LaunchConfig, LaunchTarget, UntypedKernel, launch_args};
use core::fmt;
use core::marker::PhantomData;

/// A kernel with its arguments, returned by a method of a structure of [`kernels!`](crate::kernels!). It is not launched yet.
///
/// `A` is the tuple of the kernel's parameter types. `L` is the tuple of the types of the given arguments. `B` says
/// whether the block is known: [`AnyBlock`] or [`FixedBlock`].
///
/// # Memory
///
/// An argument that is declared as `&[T]` or `&mut [T]` borrows its memory for the call. If the memory lives on another stream,
/// the launch orders both streams. The kernel comes after the work that is queued on the home stream. Later work there, including
/// the release of the memory, comes after the kernel. If the memory belongs to another context, the launch checks that the kernel
/// has access to it.
///
/// For launch [attributes](crate::launch::LaunchAttributes), host memory and times, use the structure's field that
/// has the name of the method. For a declared kernel the field is a [`Kernel`]: see [`Kernel::with`].
#[must_use = "nothing is launched before `launch` or `launch_for`"]
pub struct KernelCall<'kernel, A, L, B = AnyBlock> {
    kernel: &'kernel UntypedKernel,
    args: L,
    shared_bytes: u32,
    _types: PhantomData<(fn(A), B)>,
}

/// Marker of a kernel whose block is not declared.
#[derive(Debug)]
pub struct AnyBlock;

/// Marker of a kernel whose block has `X` times `Y` times `Z` threads.
#[derive(Debug)]
pub struct FixedBlock<const X: u32, const Y: u32, const Z: u32>;

/// The number of elements of a launch: `usize` along x, `[usize; 2]` along x and y, or `[usize; 3]`. `AXES` is the number of axes that the
/// launch has.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the number of elements along {AXES} axes",
    label = "not `usize`, or an array of as many `usize` as the launch has axes",
    note = "the launches of a `safe fn` have one axis, or as many as `#[grid(..)]` says"
)]
pub trait Elements<const AXES: usize = 3>: sealed::Axes<usize, AXES> {}

/// The number of blocks of a launch: `u32` along x, `[u32; 2]` along x and y, or `[u32; 3]`. `AXES` is the number of axes that the launch
/// has.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the number of blocks along {AXES} axes",
    label = "not `u32`, or an array of as many `u32` as the launch has axes",
    note = "the launches of a `safe fn` have one axis, or as many as `#[grid(..)]` says"
)]
pub trait Blocks<const AXES: usize = 3>: sealed::Axes<u32, AXES> {}

mod sealed {
    pub trait Axes<T, const AXES: usize> {
        #[doc(hidden)]
        fn axes(self) -> [T; 3];
    }
}

macro_rules! axes {
    ($($most:literal: $counts:pat => $axes:expr, $elements:ty, $blocks:ty;)*) => {$(
        impl Elements<$most> for $elements {}
        impl Blocks<$most> for $blocks {}

        impl sealed::Axes<usize, $most> for $elements {
            #[inline]
            fn axes(self) -> [usize; 3] {
                let $counts = self;
                $axes
            }
        }

        impl sealed::Axes<u32, $most> for $blocks {
            #[inline]
            fn axes(self) -> [u32; 3] {
                let $counts = self;
                $axes
            }
        }
    )*};
}
axes! {
    1: x => [x, 1, 1], usize, u32;
    2: x => [x, 1, 1], usize, u32;
    3: x => [x, 1, 1], usize, u32;
    2: [x, y] => [x, y, 1], [usize; 2], [u32; 2];
    3: [x, y] => [x, y, 1], [usize; 2], [u32; 2];
    3: axes => axes, [usize; 3], [u32; 3];
}

impl<'kernel, A, L, B> KernelCall<'kernel, A, L, B> {
    /// The kernel has parameters of the number and the sizes that `A` has.
    #[inline(always)]
    pub(super) fn new(kernel: &'kernel UntypedKernel, args: L, shared_bytes: u32) -> Self {
        KernelCall { kernel, args, shared_bytes, _types: PhantomData }
    }
}

impl<A, L, B> KernelCall<'_, A, L, B> {
    pub(super) fn name(&self) -> &str {
        self.kernel.function().name()
    }

    /// Launches the kernel.
    ///
    /// # Safety
    ///
    /// Same as [`launch`](KernelCall::launch).
    #[inline(always)]
    pub(super) unsafe fn launch_with<S: LaunchTarget>(self, config: LaunchConfig, stream: &S) -> Result<()>
    where
        L: LaunchArgs<A, S>,
    {
        // SAFETY: the caller's promise.
        unsafe { launch_args::<A, _>(self.kernel, config, stream, self.args) }
    }
}

impl<A, L> KernelCall<'_, A, L, AnyBlock> {
    /// Launches the kernel on `stream`. Wraps `cuLaunchKernel`, and `cuEventRecord` and `cuStreamWaitEvent` for memory of other streams.
    ///
    /// # Blocking
    ///
    /// - Same as [`Kernel::launch`].
    ///
    /// If ordering the home stream after the kernel fails, the call waits for the stream of the launch. If that fails too, and
    /// not with a [sticky](crate::error::Code::is_sticky) code, the process is [aborted](crate::memory#blocking-calls).
    ///
    /// # Errors
    ///
    /// - Same as [`Kernel::launch`].
    ///
    /// With borrowed memory also:
    ///
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream of the launch or a home stream is being
    ///   captured. The graph would outlive the borrow.
    /// - Same as [`Stream::wait_stream`](crate::Stream::wait_stream). The error may come after the launch.
    /// - [`AccessDenied`](crate::error::ErrorKind::AccessDenied): the memory belongs to another context, and the kernel has no
    ///   access to it.
    ///
    /// # Safety
    ///
    /// - The kernel only reads the elements of a `&[T]`. It only reads and writes those of a `&mut [T]`, and writes valid values
    ///   of `T`. The content of the memory may change meanwhile, if another thread launches a graph that uses the memory.
    /// - For all other memory that it uses, including arguments of type `DevicePtr`, the conditions of [`Kernel::launch`] hold.
    #[doc(alias = "cuLaunchKernel")]
    #[inline(always)]
    pub unsafe fn launch<S: LaunchTarget>(self, config: LaunchConfig, stream: &S) -> Result<()>
    where
        L: LaunchArgs<A, S>,
    {
        // SAFETY: the caller's promise.
        unsafe { self.launch_with(config, stream) }
    }
}

impl<A, L, const X: u32, const Y: u32, const Z: u32> KernelCall<'_, A, L, FixedBlock<X, Y, Z>> {
    /// Sets the bytes of dynamic shared memory of each block, in place of the bytes in `#[dynamic_shared(..)]`. See
    /// [`LaunchConfig::with_shared_bytes`].
    pub fn with_shared_bytes(self, bytes: u32) -> Self {
        KernelCall { shared_bytes: bytes, ..self }
    }

    #[inline(always)]
    pub(super) fn config_for(&self, elements: [usize; 3]) -> LaunchConfig {
        LaunchConfig::for_elements_3d(elements, [X, Y, Z]).with_shared_bytes(self.shared_bytes)
    }

    #[inline(always)]
    pub(super) fn config_of(&self, grid: [u32; 3]) -> LaunchConfig {
        LaunchConfig { grid, block: [X, Y, Z], shared_bytes: self.shared_bytes }
    }

    /// Launches the kernel on `stream` with a thread for each of `elements`: a number, or a number for each axis. The last block
    /// along each axis may have threads without an element, so the kernel must compare its index.
    ///
    /// # Blocking
    ///
    /// Same as [`launch`](KernelCall::launch).
    ///
    /// # Errors
    ///
    /// Same as [`launch`](KernelCall::launch). The driver refuses to launch for no elements.
    ///
    /// # Safety
    ///
    /// Same as [`launch`](KernelCall::launch).
    #[doc(alias = "cuLaunchKernel")]
    #[inline(always)]
    pub unsafe fn launch_for<S: LaunchTarget>(self, elements: impl Elements, stream: &S) -> Result<()>
    where
        L: LaunchArgs<A, S>,
    {
        let config = self.config_for(elements.axes());
        // SAFETY: the caller's promise.
        unsafe { self.launch_with(config, stream) }
    }

    /// Launches the kernel on `stream` with a number of blocks, or a number for each axis.
    ///
    /// # Blocking
    ///
    /// Same as [`launch`](KernelCall::launch).
    ///
    /// # Errors
    ///
    /// Same as [`launch`](KernelCall::launch).
    ///
    /// # Safety
    ///
    /// Same as [`launch`](KernelCall::launch).
    #[doc(alias = "cuLaunchKernel")]
    #[inline(always)]
    pub unsafe fn launch_blocks<S: LaunchTarget>(self, blocks: impl Blocks, stream: &S) -> Result<()>
    where
        L: LaunchArgs<A, S>,
    {
        let config = self.config_of(blocks.axes());
        // SAFETY: the caller's promise.
        unsafe { self.launch_with(config, stream) }
    }
}

impl<A, L, B> fmt::Debug for KernelCall<'_, A, L, B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("KernelCall").field("function", self.kernel.function()).finish_non_exhaustive()
    }
}
