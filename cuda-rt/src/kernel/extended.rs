//! Launches with attributes.

#![allow(unsafe_code)]

use super::explain::Asked;
use super::raw::{explained, look_before};
use super::{Kernel, KernelArgs, LaunchAttributes, LaunchConfig};
#[cfg(doc)]
use crate::error::Code;
use crate::error::Result;
use crate::stream::AsStream;
use core::ffi::c_void;
use core::ptr::null_mut;
use cuda_sys::{CUlaunchConfig, Symbol};

impl<A: KernelArgs> Kernel<A> {
    /// Puts the kernel on a stream, with attributes. Wraps `cuLaunchKernelEx`. Without attributes it is
    /// [`launch`](Kernel::launch), and with no other than [`cooperative`](LaunchAttributes::cooperative) it is
    /// [`launch_cooperative`](Kernel::launch_cooperative), so that these two work with every driver.
    ///
    /// # Errors
    ///
    /// Same as [`Kernel::launch`]; [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) on drivers before CUDA 11.6;
    /// [`Code::InvalidValue`] for an attribute that the driver is too old for. Measured (driver 580):
    ///
    /// | code | for |
    /// |---|---|
    /// | [`InvalidClusterSize`](Code::InvalidClusterSize) | clusters that do not divide the grid, or are too large |
    /// | [`CooperativeLaunchTooLarge`](Code::CooperativeLaunchTooLarge) | a cooperative grid that does not fit the device |
    /// | [`InvalidHandle`](Code::InvalidHandle) | an event of another context |
    /// | [`NotSupported`](Code::NotSupported) | an event that takes times, or is for other processes |
    /// | [`InvalidValue`](Code::InvalidValue) | values that an attribute cannot have, or attributes that are at odds |
    ///
    /// As far as it can be told which attribute it was, the error does; else it [names](crate::kernel::LaunchProblem::Attributes)
    /// those that the launch had.
    ///
    /// # Safety
    ///
    /// What [`Kernel::launch`] asks for; and
    ///
    /// - with [`programmatic_stream_serialization`](LaunchAttributes::programmatic_stream_serialization) the kernel may run
    ///   beside what is in front of it on the stream. Nothing that they do is ordered, unless the kernel waits
    ///   (`griddepcontrol.wait`). What follows on the stream comes after both (measured), but for another kernel with this
    ///   attribute, which may run beside all of them if none of them waits.
    /// - an event of [`programmatic_event`](LaunchAttributes::programmatic_event) or
    ///   [`launch_completion_event`](LaunchAttributes::launch_completion_event) does not say that the kernel has ended:
    ///   nobody may take it for that, for memory that the kernel uses.
    #[doc(alias("cuLaunchKernelEx", "cuLaunchCooperativeKernel"))]
    pub unsafe fn launch_with(
        &self,
        config: LaunchConfig,
        attributes: &LaunchAttributes<'_>,
        stream: &impl AsStream,
        args: A,
    ) -> Result<()> {
        if attributes.list().is_empty() {
            // SAFETY: the caller's promise.
            return unsafe { self.launch(config, stream, args) };
        }
        if attributes.is_only_cooperative() {
            // SAFETY: the caller's promise.
            return unsafe { self.launch_cooperative(config, stream, args) };
        }
        let function = self.function();
        look_before(function, stream, Symbol::cuLaunchKernelEx, |look| args.look(look))?;
        let bound = function.context().bind(Symbol::cuLaunchKernelEx)?;
        let mut pointers = args.pointers();
        let pointers = pointers.as_mut().as_mut_ptr();
        // SAFETY: the caller's promise; function and stream are live and of the current context.
        let launched = unsafe { extended(self, config, attributes, stream, pointers) };
        drop(bound);
        let launched =
            launched.map_err(|error| match error.unexplained_code().map(|code| attributes.detail(code)) {
                Some(Some(detail)) => error.with_detail(format_args!("{detail}")),
                _ => error,
            });
        explained(launched, function, || Asked {
            config,
            cooperative: attributes.is_cooperative(),
            cluster: attributes.cluster(),
            carveout: attributes.carveout(),
            attributes: attributes.set_of(),
        })
    }

    /// Puts the kernel on a stream, such that all its blocks run at the same time and can wait for each other. Wraps
    /// `cuLaunchCooperativeKernel`.
    ///
    /// # Errors
    ///
    /// Same as [`Kernel::launch`]; [`Code::CooperativeLaunchTooLarge`] if the device does not hold so many blocks at once.
    ///
    /// # Safety
    ///
    /// That of [`Kernel::launch`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream, module) = cuda_doc::module()?;
    /// use cuda_rt::LaunchConfig;
    /// use cuda_rt::error::Code;
    ///
    /// let nothing = module.function("nothing")?.typed::<()>()?;
    /// // SAFETY: the kernel touches nothing.
    /// unsafe { nothing.launch_cooperative(LaunchConfig::new(2, 32), &stream, ()) }?;
    /// // SAFETY: as above.
    /// let refused = unsafe { nothing.launch_cooperative(LaunchConfig::new(1_000_000, 32), &stream, ()) };
    /// assert_eq!(refused.unwrap_err().code(), Some(Code::CooperativeLaunchTooLarge));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuLaunchCooperativeKernel")]
    pub unsafe fn launch_cooperative(
        &self,
        config: LaunchConfig,
        stream: &impl AsStream,
        args: A,
    ) -> Result<()> {
        let function = self.function();
        look_before(function, stream, Symbol::cuLaunchCooperativeKernel, |look| args.look(look))?;
        let bound = function.context().bind(Symbol::cuLaunchCooperativeKernel)?;
        let LaunchConfig { grid, block, shared_bytes } = config;
        let mut pointers = args.pointers();
        let pointers = pointers.as_mut().as_mut_ptr();
        // SAFETY: function and stream are live and of the current context. The pointers are of arguments as many and as large
        // as the function's parameters. The caller answers for what the kernel does with them.
        let launched = unsafe {
            check!(cuLaunchCooperativeKernel(
                function.as_raw(),
                grid[0],
                grid[1],
                grid[2],
                block[0],
                block[1],
                block[2],
                shared_bytes,
                stream.as_raw(),
                pointers,
            ))
        };
        drop(bound);
        explained(launched, function, || Asked { cooperative: true, ..config.into() })
    }
}

/// # Safety
///
/// That of [`Kernel::launch_with`]; the context of both is current, and `pointers` are of the arguments.
unsafe fn extended<A: KernelArgs>(
    kernel: &Kernel<A>,
    config: LaunchConfig,
    attributes: &LaunchAttributes<'_>,
    stream: &impl AsStream,
    pointers: *mut *mut c_void,
) -> Result<()> {
    let LaunchConfig { grid, block, shared_bytes } = config;
    let list = attributes.list();
    let config = CUlaunchConfig {
        gridDimX: grid[0],
        gridDimY: grid[1],
        gridDimZ: grid[2],
        blockDimX: block[0],
        blockDimY: block[1],
        blockDimZ: block[2],
        sharedMemBytes: shared_bytes,
        hStream: stream.as_raw(),
        // The driver writes only to the attribute that makes nodes of graphs updatable, which is not among them.
        attrs: list.as_ptr().cast_mut(),
        // There are not so many kinds.
        numAttrs: u32::try_from(list.len()).unwrap_or(u32::MAX),
    };
    // SAFETY: the structure and its list are valid for reads, and what the list names is live; the rest is the caller's
    // promise.
    unsafe { check!(cuLaunchKernelEx(&raw const config, kernel.function().as_raw(), pointers, null_mut())) }
}
