//! Kernels that are launched without `unsafe`.

#![allow(unsafe_code)]

use super::call::{Blocks, Elements, FixedBlock, KernelCall};
use super::relations::Relations;
use crate::driver::{DriverVersion, driver_version};
use crate::error::{Error, Result};
use crate::launch::{Kernel, LaunchArgs, LaunchConfig, LaunchTarget};
use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;
use cuda_sys::Symbol;

/// Kernel number `N` among the declarations of the structure `M`, which is declared as `safe fn`. It dereferences to the
/// [`Kernel`].
///
/// Each such kernel has its own type, so that safe code cannot replace it by another.
pub struct SafeKernel<M, const N: usize, A> {
    kernel: Kernel<A>,
    most_threads: MostThreads,
    _structure: PhantomData<fn(M)>,
}

impl<M, const N: usize, A> SafeKernel<M, N, A> {
    pub(super) fn new(kernel: Kernel<A>) -> Result<Self> {
        // Older drivers have no clusters.
        let has_clusters = driver_version()? >= DriverVersion::new(11, 8);
        let cluster = if has_clusters { kernel.function().required_cluster()? } else { None };
        let most_threads =
            cluster.unwrap_or([1; 3]).map(|extent| MOST_THREADS.checked_div(extent).unwrap_or(0));
        Ok(SafeKernel { kernel, most_threads, _structure: PhantomData })
    }

    #[inline(always)]
    pub(super) fn most_threads(&self) -> MostThreads {
        self.most_threads
    }
}

impl<M, const N: usize, A> Deref for SafeKernel<M, N, A> {
    type Target = Kernel<A>;

    #[inline(always)]
    fn deref(&self) -> &Kernel<A> {
        &self.kernel
    }
}

impl<M, const N: usize, A> Clone for SafeKernel<M, N, A> {
    fn clone(&self) -> Self {
        SafeKernel { kernel: self.kernel.clone(), most_threads: self.most_threads, _structure: PhantomData }
    }
}

impl<M, const N: usize, A> fmt::Debug for SafeKernel<M, N, A> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SafeKernel").field("function", self.kernel.function()).finish()
    }
}

/// A kernel with its arguments, returned by a method for a `safe fn` of [`kernels!`](crate::kernels!). It is not launched yet.
///
/// It is a [`KernelCall`] that safe code launches: [`kernels`](mod@crate::kernels#safe-kernels) has the rules. `AXES` is the
/// number of axes along which the launch has blocks.
#[must_use = "nothing is launched before `launch_for` or `launch_blocks`"]
pub struct SafeKernelCall<'kernel, A, L, B, const AXES: usize> {
    call: KernelCall<'kernel, A, L, B>,
    most_threads: MostThreads,
    relations: Relations,
}

impl<'kernel, A, L, B, const AXES: usize> SafeKernelCall<'kernel, A, L, B, AXES> {
    /// The kernel only uses its arguments if the relations hold. The grid may count blocks or clusters.
    #[inline(always)]
    pub(super) fn new(
        call: KernelCall<'kernel, A, L, B>,
        most_threads: MostThreads,
        relations: Relations,
    ) -> Self {
        SafeKernelCall { call, most_threads, relations }
    }
}

/// Largest number of threads along an axis of a safe launch. A kernel that counts its threads in `int` does not overflow.
const MOST_THREADS: u32 = 1 << 31;

/// [`MOST_THREADS`] for each axis, divided by the extent of the clusters that are compiled into the kernel. The grid may count clusters
/// (fact V1187), and the driver does not tell whether it does.
pub(super) type MostThreads = [u32; 3];

impl<A, L, const X: u32, const Y: u32, const Z: u32, const AXES: usize>
    SafeKernelCall<'_, A, L, FixedBlock<X, Y, Z>, AXES>
{
    /// Launches the kernel on `stream` with a thread for each of `elements`: a number, or a number for each axis of
    /// `#[grid(..)]`. Wraps `cuLaunchKernel`, and `cuEventRecord` and `cuStreamWaitEvent` for memory of other streams.
    ///
    /// The last block along each axis may have threads without an element.
    ///
    /// # Blocking
    ///
    /// Same as [`KernelCall::launch`].
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a relation of `where` does not hold, or there are more
    ///   than 2<sup>31</sup> threads along an axis. If clusters are compiled into the kernel, each block counts as a cluster.
    /// - Same as [`KernelCall::launch`]. The driver refuses to launch for no elements.
    #[doc(alias = "cuLaunchKernel")]
    #[inline(always)]
    pub fn launch_for<S: LaunchTarget>(self, elements: impl Elements<AXES>, stream: &S) -> Result<()>
    where
        L: LaunchArgs<A, S>,
    {
        let config = self.call.config_for(elements.axes());
        self.launch(config, stream)
    }

    /// Launches the kernel on `stream` with a number of blocks, or a number for each axis of `#[grid(..)]`.
    ///
    /// # Blocking
    ///
    /// Same as [`KernelCall::launch`].
    ///
    /// # Errors
    ///
    /// Same as [`launch_for`](SafeKernelCall::launch_for).
    #[doc(alias = "cuLaunchKernel")]
    #[inline(always)]
    pub fn launch_blocks<S: LaunchTarget>(self, blocks: impl Blocks<AXES>, stream: &S) -> Result<()>
    where
        L: LaunchArgs<A, S>,
    {
        let config = self.call.config_of(blocks.axes());
        self.launch(config, stream)
    }

    #[inline(always)]
    fn launch<S: LaunchTarget>(self, config: LaunchConfig, stream: &S) -> Result<()>
    where
        L: LaunchArgs<A, S>,
    {
        self.relations.result()?;
        let is_too_long = |axis: usize| threads(config, axis) > u64::from(self.most_threads[axis]);
        if is_too_long(0) || is_too_long(1) || is_too_long(2) {
            return Err(too_many_threads(self.call.name(), config, self.most_threads));
        }
        // SAFETY: the declaration promises that the kernel only uses arguments for which the relations hold, with any number of
        // blocks of this shape.
        unsafe { self.call.launch_with(config, stream) }
    }
}

#[inline(always)]
fn threads(config: LaunchConfig, axis: usize) -> u64 {
    u64::from(config.grid[axis]) * u64::from(config.block[axis])
}

#[cold]
#[inline(never)]
fn too_many_threads(kernel: &str, config: LaunchConfig, most_threads: MostThreads) -> Error {
    let is_too_long = |axis: &usize| threads(config, *axis) > u64::from(most_threads[*axis]);
    let axis = (0..3).find(is_too_long).unwrap_or_default();
    let (blocks, block, name) = (config.grid[axis], config.block[axis], ["x", "y", "z"][axis]);
    // A number that does not fit is the largest.
    let or_more = if blocks == u32::MAX { " or more" } else { "" };
    // Exact, because clusters are small.
    let clusters = match MOST_THREADS.checked_div(most_threads[axis]) {
        Some(1) => String::new(),
        None => " in clusters without blocks".to_owned(),
        Some(extent) => format!(" in clusters of {extent}, which the grid may count,"),
    };
    Error::invalid_for(
        Symbol::cuLaunchKernel,
        format_args!(
            "kernel `{kernel}`: {blocks}{or_more} blocks of {block} threads{clusters} along {name} are more than {MOST_THREADS} \
             threads, the limit of a safe launch"
        ),
    )
}

impl<A, L, B, const AXES: usize> fmt::Debug for SafeKernelCall<'_, A, L, B, AXES> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SafeKernelCall").field("call", &self.call).finish_non_exhaustive()
    }
}
