//! The policy of launches that check the memory of their arguments.

use core::sync::atomic::{AtomicU8, Ordering};

/// Policy for the memory that the arguments of a launch name. It is applied before the driver call.
///
/// | memory of the arguments | `Relaxed` | `Checked` | `Strict` |
/// |---|---|---|---|
/// | accessible memory of the launch's context, or pool, managed or mapped memory of its device | launched | launched | launched |
/// | other memory, [accessible](crate::access::Access::Accessible) | launched | launched | refused |
/// | [inaccessible](crate::access::Access::Inaccessible) | launched, and the kernel may fault, which is [sticky](crate::error::Code::is_sticky) | refused | refused |
/// | [unverified](crate::access::Access::Unverified) | launched | launched, and reported [once](crate::access::set_unverified_hook) | refused |
/// | a null pointer | launched | launched | launched |
///
/// A refusal is an [`AccessDenied`](crate::error::ErrorKind::AccessDenied). Then nothing is launched.
///
/// `Relaxed` has two exceptions:
///
/// - If an [`Arg`](crate::launch::Arg) names a texture or surface object of another context, the launch is refused.
/// - If an argument borrows device memory of another context, the launch is treated as `Checked`. See
///   [`Launch::launch`](crate::launch::Launch::launch).
///
/// # Setting the policy
///
/// - For the process: [`set_default_access_check`](crate::access::set_default_access_check). A kernel takes the default when it
///   gets its [types](crate::Function::typed), an untyped launch when it is [made](crate::Function::with).
/// - For a kernel: [`Kernel::with_access_check`](crate::Kernel::with_access_check).
/// - For a launch: [`Launch::access_check`](crate::launch::Launch::access_check).
///
/// # Addresses that are checked
///
/// A launch checks all addresses that its arguments [contain](crate::launch::KernelArg::visit_pointers). These are
/// [`DevicePtr`](crate::DevicePtr)s, also in arrays, and in structures that visit their fields. The driver reports the memory
/// of an address. An address beyond the end of a buffer belongs to other memory or to none. No other thread may free memory at
/// such an address during the call; driver 580 crashes then. This is a part of the promise of an unsafe launch.
///
/// An [`Arg`](crate::launch::Arg) names the owner of its memory. Then the owner answers instead of the driver. This costs less,
/// gives more detail, and is right for empty views.
///
/// Without an `Arg`, integers that hold addresses, [tensor maps](crate::tensor_map::TensorMap), and handles of textures and
/// surfaces are not checked. [`Function::launch_raw`](crate::Function::launch_raw) checks nothing, because
/// its arguments have no types.
///
/// # Blocking
///
/// The arguments may include plain memory of another device for which this crate has recorded no access. Then a checked launch
/// waits until copies of this crate between the two devices are done.
///
/// With `Checked`, a launch with unverified memory may run the [hook](crate::access::set_unverified_hook).
///
/// # During a capture
///
/// If the stream of the launch is being captured, the [recorded](crate::access::recorded_access) access decides. Enable access
/// before the capture begins. Later launches of the graph are not checked again.
///
/// # Examples
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::access::AccessCheck;
/// use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, LaunchConfig, Module, Stream};
///
/// let (near, far) = (Context::primary(Device::get(0)?)?, Context::primary(Device::get(1)?)?);
/// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry read(.param .u64 data) { ret; }";
/// let module = Module::from_ptx(&near, ptx)?;
/// let read = module.function("read")?.typed::<(DevicePtr<f32>,)>()?;
/// let read = read.with_access_check(AccessCheck::Checked);
///
/// let numbers = DeviceBuf::<f32>::zeroed(&Stream::new(&far)?, 100)?;
/// let stream = Stream::new(&near)?;
/// // SAFETY: the kernel touches nothing.
/// let refused = unsafe { read.launch(LaunchConfig::new(1, 1), &stream, (numbers.ptr(),)) }.unwrap_err();
/// assert_eq!(
///     refused.to_string(),
///     "launching `read`: parameter 0 (the first, `DevicePtr<f32>`): memory of a pool of device 1 is out of reach for kernels \
///      on device 0: open the pool (`MemPool::set_access`, `Context::enable_peer_access`) or copy it to device 0; \
///      `AccessCheck::Relaxed` does not check"
/// );
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias("LaunchArrayAccessMode", "launch_array_access_mode"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum AccessCheck {
    /// No check, and no query of the driver. [`AccessCheck`] lists two exceptions.
    #[default]
    Relaxed,
    /// Refusal of inaccessible memory.
    Checked,
    /// Refusal of all memory that is not the launch's own, accessible or not.
    Strict,
}

static DEFAULT: AtomicU8 = AtomicU8::new(AccessCheck::Relaxed as u8);

/// Sets the policy of kernels and untyped launches that are made from now on. Returns the previous policy.
///
/// Existing kernels keep their policy. The initial default is [`Relaxed`](AccessCheck::Relaxed).
///
/// # Examples
///
/// ```standalone_crate
/// use cuda_rt::access::{AccessCheck, default_access_check, set_default_access_check};
///
/// let before = set_default_access_check(AccessCheck::Checked);
/// assert_eq!((before, default_access_check()), (AccessCheck::Relaxed, AccessCheck::Checked));
/// set_default_access_check(before);
/// ```
pub fn set_default_access_check(check: AccessCheck) -> AccessCheck {
    from_number(DEFAULT.swap(check as u8, Ordering::Relaxed))
}

/// Returns the policy of kernels and untyped launches that are made now.
pub fn default_access_check() -> AccessCheck {
    from_number(DEFAULT.load(Ordering::Relaxed))
}

fn from_number(number: u8) -> AccessCheck {
    match number {
        1 => AccessCheck::Checked,
        2 => AccessCheck::Strict,
        _ => AccessCheck::Relaxed,
    }
}
