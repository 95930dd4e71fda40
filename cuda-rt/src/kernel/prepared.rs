//! Launches of one shape, many times.

#![allow(unsafe_code)]

use super::{CallArgs, Kernel, KernelArgs, LaunchAttributes, LaunchConfig, PendingTime};
use crate::error::Result;
use crate::stream::{AsStream, Stream};

/// A kernel with the shape of its launches. Made by [`Kernel::prepare`].
///
/// It launches at the same price as the kernel itself.
///
/// ```
/// # let (context, stream, module) = cuda_doc::module()?;
/// use cuda_rt::LaunchConfig;
///
/// let step = module.function("nothing")?.typed::<()>()?.prepare(LaunchConfig::new(4, 32));
/// for _ in 0..3 {
///     // SAFETY: the kernel touches nothing.
///     unsafe { step.launch(&stream, ()) }?;
/// }
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct PreparedKernel<A> {
    kernel: Kernel<A>,
    config: LaunchConfig,
}

impl<A: KernelArgs> Kernel<A> {
    /// The kernel with a shape for its launches. Nothing is asked of the driver.
    #[doc(alias("prepared_call", "Function.prepare"))]
    pub fn prepare(&self, config: LaunchConfig) -> PreparedKernel<A> {
        PreparedKernel { kernel: self.clone(), config }
    }
}

impl<A: KernelArgs> PreparedKernel<A> {
    /// The kernel.
    pub fn kernel(&self) -> &Kernel<A> {
        &self.kernel
    }

    /// The shape of the launches.
    pub fn config(&self) -> LaunchConfig {
        self.config
    }

    /// Puts the kernel on a stream. See [`Kernel::launch`].
    ///
    /// # Errors
    ///
    /// Same as [`Kernel::launch`].
    ///
    /// # Safety
    ///
    /// That of [`Kernel::launch`].
    #[doc(alias("cuLaunchKernel", "prepared_call", "prepared_async_call"))]
    #[inline]
    pub unsafe fn launch(&self, stream: &impl AsStream, args: A) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.kernel.launch(self.config, stream, args) }
    }

    /// Puts the kernel on a stream, with attributes. See [`Kernel::launch_with`].
    ///
    /// # Errors
    ///
    /// Same as [`Kernel::launch_with`].
    ///
    /// # Safety
    ///
    /// That of [`Kernel::launch_with`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream, module) = cuda_doc::module()?;
    /// # let nothing = module.function("nothing")?.typed::<()>()?;
    /// use cuda_rt::LaunchConfig;
    /// use cuda_rt::error::Code;
    /// use cuda_rt::kernel::LaunchAttributes;
    ///
    /// let step = nothing.prepare(LaunchConfig::new(1_000_000, 32));
    /// let together = LaunchAttributes::new().cooperative(true);
    /// // SAFETY: the kernel touches nothing.
    /// let refused = unsafe { step.launch_with(&together, &stream, ()) }.unwrap_err();
    /// assert_eq!(refused.code(), Some(Code::CooperativeLaunchTooLarge));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuLaunchKernelEx", "cuLaunchCooperativeKernel"))]
    pub unsafe fn launch_with(
        &self,
        attributes: &LaunchAttributes<'_>,
        stream: &impl AsStream,
        args: A,
    ) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.kernel.launch_with(self.config, attributes, stream, args) }
    }

    /// Puts the kernel on a stream, between two events that take its time. See [`Kernel::launch_timed`].
    ///
    /// # Errors
    ///
    /// Same as [`Kernel::launch_timed`].
    ///
    /// # Safety
    ///
    /// That of [`Kernel::launch`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream, module) = cuda_doc::module()?;
    /// # let nothing = module.function("nothing")?.typed::<()>()?;
    /// let step = nothing.prepare(cuda_rt::LaunchConfig::new(4, 32));
    /// // SAFETY: the kernel touches nothing.
    /// println!("{:?}", unsafe { step.launch_timed(&stream, ()) }?.wait()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuLaunchKernel", "cuEventRecord", "prepared_timed_call"))]
    pub unsafe fn launch_timed(&self, stream: &impl AsStream, args: A) -> Result<PendingTime> {
        // SAFETY: the caller's promise.
        unsafe { self.kernel.launch_timed(self.config, stream, args) }
    }

    /// Runs the kernel with host memory as arguments, and waits for it. See [`Kernel::call`].
    ///
    /// # Blocking
    ///
    /// As [`Kernel::call`].
    ///
    /// # Errors
    ///
    /// Same as [`Kernel::call`].
    ///
    /// # Safety
    ///
    /// That of [`Kernel::call`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry look(.param .u64 data) { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// use cuda_rt::{DevicePtr, LaunchConfig};
    /// use cuda_rt::kernel::In;
    ///
    /// let look = module.function("look")?.typed::<(DevicePtr<u8>,)>()?.prepare(LaunchConfig::new(4, 32));
    /// // SAFETY: the kernel touches nothing.
    /// unsafe { look.call(&stream, (In(b"bytes"),)) }?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuLaunchKernel", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync"))]
    pub unsafe fn call(&self, stream: &Stream, args: impl CallArgs<A>) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.kernel.call(self.config, stream, args) }
    }
}
