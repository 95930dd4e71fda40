//! How launches of a function check the memory of their arguments.

use core::sync::atomic::{AtomicU8, Ordering};

/// Whether a launch looks at the memory that its arguments name, before the driver is called.
///
/// | memory of the arguments | `Relaxed` | `Checked` | `Strict` |
/// |---|---|---|---|
/// | of the launch's context, or of its device and no context's | launched | launched | launched |
/// | of others, and [accessible](crate::access::Access::Accessible) | launched | launched | refused |
/// | [inaccessible](crate::access::Access::Inaccessible) | launched, and the kernel faults, which is [sticky](crate::error::Code::is_sticky) | refused | refused |
/// | [unverified](crate::access::Access::Unverified) | launched | launched, and told of [once](crate::access::set_unverified_hook) | refused |
/// | a null pointer | launched | launched | launched |
///
/// A refusal is an [`AccessDenied`](crate::error::ErrorKind::AccessDenied), and nothing was launched.
///
/// # Where it is said
///
/// - For the process: [`set_default_access_check`](crate::access::set_default_access_check). A kernel has what is set when it is looked up.
/// - For a kernel: [`Function::with_access_check`](super::Function::with_access_check), [`Kernel::with_access_check`](crate::Kernel::with_access_check).
/// - For a launch: [`Kernel::launch_checked`](crate::Kernel::launch_checked).
///
/// # What is looked at
///
/// All addresses that arguments [have](crate::kernel::KernelArg::visit_pointers): [`DevicePtr`](crate::DevicePtr)s, in arrays and in your own
/// structures, too. The driver is asked whose an address is, so one beyond the end of a buffer is somebody else's or nobody's.
/// Where the owner is given along, as [`Arg`](crate::kernel::Arg), it is asked instead: that costs less, says more, and is
/// right for views of no elements. Numbers that are addresses in disguise are not looked at, nor is
/// [`Function::launch_raw`](crate::Function::launch_raw), whose arguments have no types.
///
/// # Blocking
///
/// Where plain memory of another device is among the arguments, and this crate has not recorded access to it, a launch that
/// looks waits until copies of this crate between the two devices are done. It runs the [hook](crate::access::set_unverified_hook).
///
/// # During a capture
///
/// If the stream of the launch is being captured, the launch goes by what is [recorded](crate::access::recorded_access). So turn
/// access on before the capture begins. Graphs that are launched later are not looked at again.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::access::AccessCheck;
/// use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, LaunchConfig, Module, Stream};
///
/// let (near, far) = (Context::primary(Device::get(0)?)?, Context::primary(Device::get(1)?)?);
/// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry look(.param .u64 data) { ret; }";
/// let module = Module::from_ptx(&near, ptx)?;
/// # // SAFETY: these are its parameters, which old drivers do not tell.
/// # let look = unsafe { module.function("look")?.typed_unchecked::<(DevicePtr<f32>,)>() };
/// # /*
/// let look = module.function("look")?.typed::<(DevicePtr<f32>,)>()?;
/// # */
/// let look = look.with_access_check(AccessCheck::Checked);
///
/// let numbers = DeviceBuf::<f32>::zeroed(&Stream::new(&far)?, 100)?;
/// let stream = Stream::new(&near)?;
/// // SAFETY: the kernel touches nothing.
/// let refused = unsafe { look.launch(LaunchConfig::new(1, 1), &stream, (numbers.ptr(),)) }.unwrap_err();
/// assert_eq!(
///     refused.to_string(),
///     "launching `look`: parameter 0 (the first, `DevicePtr<f32>`): memory of a pool of device 1 is out of reach for kernels \
///      on device 0: open the pool (`MemPool::set_access`, `Context::enable_peer_access`) or copy it to device 0; \
///      `AccessCheck::Relaxed` does not look"
/// );
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias("LaunchArrayAccessMode", "launch_array_access_mode"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum AccessCheck {
    /// Nothing is looked at, and nothing asked.
    #[default]
    Relaxed,
    /// What is known to be out of reach is refused.
    Checked,
    /// What is not on the launch's own device is refused, accessible or not.
    Strict,
}

static DEFAULT: AtomicU8 = AtomicU8::new(AccessCheck::Relaxed as u8);

impl AccessCheck {
    /// Returns the check of functions that are looked up now.
    pub(crate) fn of_process() -> AccessCheck {
        AccessCheck::from_number(DEFAULT.load(Ordering::Relaxed))
    }

    /// Sets the check of functions that are looked up from now on. Returns the one before.
    pub(crate) fn set_of_process(self) -> AccessCheck {
        AccessCheck::from_number(DEFAULT.swap(self as u8, Ordering::Relaxed))
    }

    fn from_number(number: u8) -> AccessCheck {
        match number {
            1 => AccessCheck::Checked,
            2 => AccessCheck::Strict,
            _ => AccessCheck::Relaxed,
        }
    }
}
