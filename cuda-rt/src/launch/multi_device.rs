//! One cooperative launch on several devices.

#![allow(unsafe_code)]
#![allow(deprecated)] // CUDA deprecates it

use super::explain::{Asked, explain_any};

use super::{AccessOf, Kernel, KernelArgs, LaunchConfig};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::stream::Stream;
use cuda_sys::{
    CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC,
    CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC, CUDA_LAUNCH_PARAMS, Symbol,
};

flags! {
    /// Synchronisation that a launch on several devices omits.
    ///
    /// ```
    /// use cuda_rt::launch::MultiDeviceFlags;
    ///
    /// assert!(MultiDeviceFlags::default().is_empty());
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct MultiDeviceFlags {
        /// No wait for other streams: each kernel waits only for the previous work on its own stream.
        #[doc(alias = "CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC")]
        const NO_PRE_LAUNCH_SYNC = CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC;
        /// No wait by other streams: later work on a stream waits only for the kernel on that stream.
        #[doc(alias = "CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC")]
        const NO_POST_LAUNCH_SYNC = CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC;
        const _ = !0;
    }
}

/// Launches one kernel on streams of several devices, so that all blocks of all devices run at the same time. Wraps
/// `cuLaunchCooperativeKernelMultiDevice`, which is deprecated.
///
/// # Errors
///
/// - Same as [`Kernel::launch`].
/// - [`Code::CooperativeLaunchTooLarge`](crate::error::Code::CooperativeLaunchTooLarge): a device cannot run all
///   blocks of its kernel at the same time.
/// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): there are more launches than devices.
/// - [`Code::InvalidValue`](crate::error::Code::InvalidValue): there are no launches.
/// - [`Code::InvalidDevice`](crate::error::Code::InvalidDevice): two launches are on one device.
/// - [`Code::InvalidHandle`](crate::error::Code::InvalidHandle): a stream is a default stream.
///
/// # Driver notes
///
/// The last three codes were measured with driver 580.
///
/// # Safety
///
/// Same as [`Kernel::launch`], for each launch. All launches are of the same kernel, loaded in the contexts of the
/// streams.
///
/// # Examples
///
/// ```no_run
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
/// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
/// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
/// # let stream = cuda_rt::Stream::new(&context)?;
/// use cuda_rt::LaunchConfig;
/// use cuda_rt::launch::{MultiDeviceFlags, launch_cooperative_multi_device};
///
/// let nothing = module.function("nothing")?.typed::<()>()?;
/// let launches = [(&nothing, &stream, ())]; // and launches on other devices
/// # #[allow(deprecated)]
/// // SAFETY: the kernel touches nothing.
/// unsafe { launch_cooperative_multi_device(LaunchConfig::new(2, 32), &launches, MultiDeviceFlags::empty()) }?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "cuLaunchCooperativeKernelMultiDevice")]
#[deprecated = "CUDA deprecates it: let kernels of several devices wait for each other by memory that all can access"]
pub unsafe fn launch_cooperative_multi_device<A: KernelArgs>(
    config: LaunchConfig,
    launches: &[(&Kernel<A>, &Stream, A)],
    flags: MultiDeviceFlags,
) -> Result<()> {
    let devices = Device::count()?;
    if usize::try_from(devices).is_ok_and(|devices| launches.len() > devices) {
        return Err(Error::invalid_for(
            Symbol::cuLaunchCooperativeKernelMultiDevice,
            format_args!(
                "{} launches exceed the {devices} devices; each device takes one launch",
                launches.len()
            ),
        ));
    }
    for (kernel, stream, args) in launches {
        let call = Symbol::cuLaunchCooperativeKernelMultiDevice;
        kernel.untyped().check_access(*stream, AccessOf::default(), call, &|probe| args.probe(probe))?;
    }
    let _bound = launches
        .first()
        .map(|(_, stream, _)| stream.context().bind(Symbol::cuLaunchCooperativeKernelMultiDevice))
        .transpose()?;
    let launched = with_list(config, launches, Vec::with_capacity(launches.len()), &|list| {
        // There are fewer devices.
        let count = u32::try_from(list.len()).unwrap_or(u32::MAX);
        // SAFETY: the list is of this length; functions and streams are live and of one context each. The pointers are of as many
        // arguments as the functions have parameters, of the same sizes. The caller is responsible for the kernels' effects.
        unsafe { check!(cuLaunchCooperativeKernelMultiDevice(list.as_mut_ptr(), count, flags.bits())) }
    });
    match launched {
        Err(error) => {
            let functions = launches.iter().map(|(kernel, ..)| kernel.function());
            Err(explain_any(functions, &Asked { cooperative: true, ..config.into() }, error))
        }
        outcome => outcome,
    }
}

/// Calls `launch` with the launches in C's form, appended to `list`.
fn with_list<A: KernelArgs>(
    config: LaunchConfig,
    launches: &[(&Kernel<A>, &Stream, A)],
    mut list: Vec<CUDA_LAUNCH_PARAMS>,
    launch: &dyn Fn(&mut [CUDA_LAUNCH_PARAMS]) -> Result<()>,
) -> Result<()> {
    let Some(((kernel, stream, args), rest)) = launches.split_first() else { return launch(&mut list) };
    // The arguments of each launch stay in place until all have been launched.
    let mut pointers = args.pointers();
    let LaunchConfig { grid, block, shared_bytes } = config;
    list.push(CUDA_LAUNCH_PARAMS {
        function: kernel.function().as_raw(),
        gridDimX: grid[0],
        gridDimY: grid[1],
        gridDimZ: grid[2],
        blockDimX: block[0],
        blockDimY: block[1],
        blockDimZ: block[2],
        sharedMemBytes: shared_bytes,
        hStream: stream.raw(),
        kernelParams: pointers.as_mut().as_mut_ptr(),
    });
    with_list(config, rest, list, launch)
}
