//! The launch builder.

#![allow(unsafe_code)]

use super::args::sealed::Parameters;
use super::explain::Asked;
use super::host_slices::HostTransfers;
use super::launch_args::sealed::Order;
use super::raw::{elsewhere, explain_refusal, launch, place_of, too_many_bytes};
use super::{
    AccessOf, Kernel, KernelArgs, LaunchArgs, LaunchAttributes, LaunchConfig, LaunchTarget, PackedArgs,
    PendingTime, UntypedKernel,
};
use crate::access::AccessCheck;
#[cfg(doc)]
use crate::error::Code;
use crate::error::{Error, Result};
use crate::event::Event;
use crate::module::Function;
use crate::stream::AsStream;
use core::ffi::c_void;
use core::fmt;
use core::ptr::null_mut;
use cuda_sys::{
    CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE, CU_LAUNCH_PARAM_END, CUlaunchConfig,
    CUstream, Symbol,
};
use std::borrow::Cow;

/// A kernel with the configuration of its launches. Made by [`Kernel::with`].
///
/// It can be stored, and launched many times. It borrows its [attributes](Launch::attributes), if it has any.
///
/// ```
/// # let (context, stream, module) = cuda_doc::module()?;
/// use cuda_rt::LaunchConfig;
/// use cuda_rt::launch::LaunchAttributes;
///
/// let nothing = module.function("nothing")?.typed::<()>()?;
/// let urgent = LaunchAttributes::new().priority(-1);
/// let step = nothing.with(LaunchConfig::new(4, 32)).attributes(&urgent);
/// for _ in 0..3 {
///     // SAFETY: the kernel touches nothing.
///     unsafe { step.launch(&stream, ()) }?;
/// }
/// // SAFETY: as above.
/// println!("{:?}", unsafe { step.timed(&stream, ()) }?.wait()?);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[must_use = "nothing is launched before `launch`"]
pub struct Launch<'attributes, A> {
    kernel: Kernel<A>,
    settings: Settings<'attributes>,
}

/// The settings of a launch.
#[derive(Clone, Copy)]
struct Settings<'attributes> {
    config: LaunchConfig,
    attributes: Option<&'attributes LaunchAttributes<'attributes>>,
    cooperative: bool,
}

impl<A: KernelArgs> Kernel<A> {
    /// Begins a launch with options that [`launch`](Kernel::launch) does not have. Makes no driver call.
    ///
    /// | option | effect |
    /// |---|---|
    /// | [`attributes`](Launch::attributes) | clusters, priorities, an early start |
    /// | [`cooperative`](Launch::cooperative) | all blocks run at the same time |
    /// | [`access_check`](Launch::access_check) | checks the memory of the arguments |
    /// | [`In`](super::In), [`Out`](super::Out), [`InOut`](super::InOut) as arguments | host memory |
    /// | [`timed`](Launch::timed) | measures the time |
    ///
    /// The [`Launch`] holds handles to the kernel and its module, which costs four atomic operations. Store the value if you
    /// launch often.
    #[doc(alias("prepared_call", "Function.prepare"))]
    pub fn with(&self, config: LaunchConfig) -> Launch<'static, A> {
        Launch::new(self.clone(), config)
    }
}

impl Function {
    /// Begins a launch of the function with [packed](PackedArgs) arguments. Makes no driver call.
    ///
    /// For functions whose parameters are known only at run time, or that have more than 16 parameters. For other functions, add
    /// the [types](Function::typed) first.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream, module) = cuda_doc::module()?;
    /// use cuda_rt::LaunchConfig;
    /// use cuda_rt::launch::PackedArgs;
    ///
    /// let nothing = module.function("nothing")?;
    /// // SAFETY: the kernel has no parameters, and touches nothing.
    /// unsafe { nothing.with(LaunchConfig::new(4, 32)).launch(&stream, &PackedArgs::new()) }?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("param_set", "launch_grid", "CU_LAUNCH_PARAM_BUFFER_POINTER"))]
    pub fn with(&self, config: LaunchConfig) -> Launch<'static, PackedArgs> {
        Launch::new(Kernel::of(self.clone()), config)
    }
}

impl<'attributes, A> Launch<'attributes, A> {
    fn new(kernel: Kernel<A>, config: LaunchConfig) -> Self {
        Launch { kernel, settings: Settings { config, attributes: None, cooperative: false } }
    }

    /// Sets the attributes. Replaces earlier ones.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream, module) = cuda_doc::module()?;
    /// # let nothing = module.function("nothing")?.typed::<()>()?;
    /// use cuda_rt::LaunchConfig;
    /// use cuda_rt::launch::LaunchAttributes;
    ///
    /// let attributes = LaunchAttributes::new().preferred_shared_memory_carveout(50);
    /// // SAFETY: the kernel touches nothing.
    /// unsafe { nothing.with(LaunchConfig::new(4, 32)).attributes(&attributes).launch(&stream, ()) }?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuLaunchKernelEx", "CUlaunchAttribute"))]
    pub fn attributes(mut self, attributes: &'attributes LaunchAttributes<'_>) -> Self {
        self.settings.attributes = Some(attributes);
        self
    }

    /// Makes all blocks run at the same time, so that they can wait for each other. The grid must fit on the device.
    ///
    /// Without other attributes this works on every driver.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream, module) = cuda_doc::module()?;
    /// # let nothing = module.function("nothing")?.typed::<()>()?;
    /// use cuda_rt::LaunchConfig;
    /// use cuda_rt::error::Code;
    ///
    /// // SAFETY: the kernel touches nothing.
    /// unsafe { nothing.with(LaunchConfig::new(2, 32)).cooperative().launch(&stream, ()) }?;
    /// let large = nothing.with(LaunchConfig::new(1_000_000, 32)).cooperative();
    /// // SAFETY: as above.
    /// let refused = unsafe { large.launch(&stream, ()) };
    /// assert_eq!(refused.unwrap_err().code(), Some(Code::CooperativeLaunchTooLarge));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuLaunchCooperativeKernel", "CU_LAUNCH_ATTRIBUTE_COOPERATIVE"))]
    pub fn cooperative(mut self) -> Self {
        self.settings.cooperative = true;
        self
    }

    /// Sets the policy for the memory of the arguments. Replaces the policy of the kernel.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry read(.param .u64 data) { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// # let read = module.function("read")?.typed::<(cuda_rt::DevicePtr<f32>,)>()?;
    /// use cuda_rt::access::{Access, AccessCheck, AccessError, MemoryKind};
    /// use cuda_rt::launch::Arg;
    /// use cuda_rt::{LaunchConfig, PinnedBuf};
    ///
    /// let pinned = PinnedBuf::<f32>::zeroed(&context, 100)?;
    /// let args = (Arg(pinned.device_ptr()?, &pinned),);
    /// let read = read.with(LaunchConfig::new(1, 1)).access_check(AccessCheck::Checked);
    /// // SAFETY: the kernel touches nothing.
    /// unsafe { read.launch(&stream, args) }?;
    /// // SAFETY: as above.
    /// let error = unsafe { read.access_check(AccessCheck::Strict).launch(&stream, args) }.unwrap_err();
    /// let refused = error.context::<AccessError>().unwrap();
    /// assert_eq!((refused.access, refused.kind), (Access::Accessible, Some(MemoryKind::Pinned)));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn access_check(mut self, check: AccessCheck) -> Self {
        self.kernel.untyped.set_access_check(check);
        self
    }

    /// Returns the kernel without its types.
    pub fn function(&self) -> &Function {
        self.kernel.function()
    }

    /// Returns the shape of the launches.
    pub fn config(&self) -> LaunchConfig {
        self.settings.config
    }

    /// Launches the kernel on `stream`. Wraps `cuLaunchKernel`, `cuLaunchKernelEx` with attributes, and
    /// `cuLaunchCooperativeKernel` if the launch is only [cooperative](Launch::cooperative).
    ///
    /// # Host memory
    ///
    /// For [`In`](super::In), [`Out`](super::Out) and [`InOut`](super::InOut) the kernel gets a pointer to new device memory. The
    /// launch copies the host memory there and back, on the same stream, and frees the device memory. An empty slice has no
    /// memory: the pointer is null. To avoid the copies, use [`DeviceBuf`](crate::DeviceBuf)s.
    ///
    /// # Borrowed device memory
    ///
    /// A reference to a [`DeviceBuf`](crate::DeviceBuf), or a view, is an argument for a parameter of type
    /// [`DevicePtr`](crate::DevicePtr). The launch orders the stream with the home stream of the memory both ways. The kernel
    /// runs after the work that is queued there, and later work there runs after the kernel. So for this memory, the conditions
    /// of [`Kernel::launch`] about other streams are met. If the memory belongs to another context, the launch checks the access
    /// to it. A stream that is being captured is refused.
    ///
    /// # Blocking
    ///
    /// With host memory among the arguments it waits until everything on the stream, the kernel, and the copies are done. The
    /// types of the arguments decide that. Otherwise it does not wait for the kernel. A full queue may block the host.
    ///
    /// If another thread is unregistering the host memory, the call first waits for that.
    ///
    /// If ordering a home stream of borrowed device memory after the kernel fails, the call waits for the stream of the
    /// launch. If that fails too, and not with a [sticky](Code::is_sticky) code, the process is
    /// [aborted](crate::memory#blocking-calls).
    ///
    /// With an [access check](AccessCheck#blocking) it may wait for copies between devices.
    ///
    /// # Errors
    ///
    /// - Same as [`Kernel::launch`].
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument), on a [`Capture`](crate::graph::Capture):
    ///   attributes have events, or no graph can keep the owner that an [`Arg`](super::Arg) names.
    /// - [`Code::CooperativeLaunchTooLarge`]: the device cannot run all blocks of a cooperative launch at the same time.
    /// - With borrowed device memory: same as [`DeviceBuf::use_on`](crate::DeviceBuf::use_on). The error may come after
    ///   the launch.
    /// - [`AccessDenied`](crate::error::ErrorKind::AccessDenied): borrowed device memory belongs to another context,
    ///   and the kernel has no access to it.
    /// - With host memory: same as [`DeviceBuf::uninit`](crate::DeviceBuf::uninit) and
    ///   [`DeviceBuf::copy_from_host`](crate::DeviceBuf::copy_from_host), a refusal while the stream is being captured, and the
    ///   failure of the kernel. The content of [`Out`](super::Out) and [`InOut`](super::InOut) is unspecified then. If a copy of
    ///   page-locked memory fails, and waiting for its end fails twice, the process is [aborted](crate::memory#blocking-calls).
    /// - With packed arguments: the driver refuses more bytes than the parameters have. It does not refuse fewer bytes.
    ///   [`PackedArgs::check`] compares both. A cooperative launch without other attributes always compares, and so
    ///   does a launch with an argument that is aligned to more than 16 bytes.
    /// - With attributes: [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) on drivers before CUDA 11.6.
    /// - With attributes: one of the following codes.
    ///
    /// | code | condition |
    /// |---|---|
    /// | [`InvalidClusterSize`](Code::InvalidClusterSize) | clusters do not divide the grid, or are too large |
    /// | [`InvalidHandle`](Code::InvalidHandle) | an event belongs to another context |
    /// | [`NotSupported`](Code::NotSupported) | an event records times, or is for other processes |
    /// | [`InvalidValue`](Code::InvalidValue) | an attribute is newer than the driver, has an invalid value, or contradicts another |
    ///
    /// The error names the attribute if it is known, and otherwise [all](crate::launch::LaunchProblem::Attributes) attributes of
    /// the launch.
    ///
    /// # Safety
    ///
    /// The conditions of [`Kernel::launch`], and:
    ///
    /// - The kernel uses the memory that the pointer of an [`Arg`](super::Arg) names. No check compares it with the owner.
    /// - The kernel uses at most as many elements of the device memory of a host slice as the slice has.
    /// - Packed arguments are the kernel's parameters, in order and with their types. Parameters that are left out at the end may
    ///   have any value, with which the kernel must do no harm. [`PackedArgs::check`] compares offsets and sizes, not types.
    /// - With [`programmatic_stream_serialization`](LaunchAttributes::programmatic_stream_serialization) the kernel may run
    ///   beside the previous work on the stream. Nothing orders their accesses, unless the kernel waits (`griddepcontrol.wait`).
    ///   Later work on the stream comes after both. Another kernel with this attribute may run beside all of them if none waits.
    ///   On a [`Capture`](crate::graph::Capture), later work comes after this kernel alone: it may run beside the previous work,
    ///   unless the kernel waits.
    /// - An event of [`programmatic_event`](LaunchAttributes::programmatic_event) or
    ///   [`launch_completion_event`](LaunchAttributes::launch_completion_event) does not mean that the kernel has ended, so no
    ///   use of the kernel's memory may rely on it.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream, module) = cuda_doc::vector_add()?;
    /// use cuda_rt::launch::{In, Out};
    /// use cuda_rt::{DevicePtr, LaunchConfig};
    ///
    /// type Args = (DevicePtr<f32>, DevicePtr<f32>, DevicePtr<f32>, u32);
    /// let add = module.function("vector_add")?.typed::<Args>()?;
    /// let (a, b, mut sum) = ([1.0, 2.0, 3.0], vec![10.0, 20.0, 30.0], [0.0; 3]);
    /// let add = add.with(LaunchConfig::for_elements(3, 256));
    /// // SAFETY: `vector_add` adds as many floats as its last argument says.
    /// unsafe { add.launch(&stream, (In(&a), In(&b), Out(&mut sum), 3_u32)) }?;
    /// assert_eq!(sum, [11.0, 22.0, 33.0]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    ///
    /// The host memory is borrowed. So the same memory cannot be passed twice if the kernel writes it:
    ///
    /// ```compile_fail,E0502
    /// # use cuda_rt::launch::{In, Launch, Out};
    /// # use cuda_rt::{DevicePtr, Result, Stream};
    /// fn twice(scale: &Launch<(DevicePtr<f32>, DevicePtr<f32>)>, stream: &Stream, data: &mut [f32]) -> Result<()> {
    ///     // SAFETY: for the sake of the example.
    ///     unsafe { scale.launch(stream, (In(data), Out(data))) }
    /// }
    /// ```
    ///
    /// Its elements have the type of the kernel's parameter:
    ///
    /// ```compile_fail,E0271
    /// # use cuda_rt::launch::{In, Launch};
    /// # use cuda_rt::{DevicePtr, Result, Stream};
    /// fn other(sum: &Launch<(DevicePtr<f32>,)>, stream: &Stream, data: &[f64]) -> Result<()> {
    ///     // SAFETY: for the sake of the example.
    ///     unsafe { sum.launch(stream, (In(data),)) }
    /// }
    /// ```
    ///
    /// Its device memory lives on a [`Stream`](crate::Stream), not on a per-thread stream:
    ///
    /// ```compile_fail,E0277
    /// # use cuda_rt::launch::{In, Launch};
    /// # use cuda_rt::stream::PerThreadStream;
    /// # use cuda_rt::{DevicePtr, Result};
    /// fn per_thread(sum: &Launch<(DevicePtr<f32>,)>, stream: &PerThreadStream, data: &[f32]) -> Result<()> {
    ///     // SAFETY: for the sake of the example.
    ///     unsafe { sum.launch(stream, (In(data),)) }
    /// }
    /// ```
    #[doc(alias(
        "cuLaunchKernel",
        "cuLaunchKernelEx",
        "cuLaunchCooperativeKernel",
        "cuMemcpyHtoDAsync",
        "cuMemcpyDtoHAsync",
        "driver.In",
        "driver.Out",
        "extra",
        "prepared_call",
        "prepared_async_call"
    ))]
    #[inline]
    pub unsafe fn launch<S: LaunchTarget>(&self, stream: &S, args: impl LaunchArgs<A, S>) -> Result<()> {
        let (parameters, after) = prepare(self.kernel.untyped(), || self.settings.call(), stream, args)?;
        // SAFETY: the parameters are as many and as large as those of the function, or packed. The rest is the caller's promise.
        after.follow(unsafe { start(self.function(), &self.settings, stream, &parameters) })
    }

    /// Launches the kernel on `stream` between two events, which measure its time. Wraps `cuEventRecord`, the functions of
    /// [`launch`](Launch::launch), and `cuEventRecord`.
    ///
    /// Copies of host memory are outside the events.
    ///
    /// # Blocking
    ///
    /// Same as [`launch`](Launch::launch).
    ///
    /// # Errors
    ///
    /// Same as [`launch`](Launch::launch), [`Event::new`] and [`Event::record`]. If the second event fails, the kernel was
    /// launched.
    ///
    /// # Safety
    ///
    /// Same as [`launch`](Launch::launch).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream, module) = cuda_doc::module()?;
    /// # let nothing = module.function("nothing")?.typed::<()>()?;
    /// use cuda_rt::LaunchConfig;
    ///
    /// // SAFETY: the kernel touches nothing.
    /// let time = unsafe { nothing.with(LaunchConfig::new(2, 32)).timed(&stream, ()) }?;
    /// // ... other work ...
    /// if !time.is_done()? {
    ///     println!("still running");
    /// }
    /// println!("{:?}", time.wait()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuLaunchKernel", "cuEventRecord", "time_kernel", "prepared_timed_call"))]
    pub unsafe fn timed<S: AsStream>(&self, stream: &S, args: impl LaunchArgs<A, S>) -> Result<PendingTime> {
        if stream.context() != self.function().context() {
            return Err(elsewhere(self.settings.call(), self.function(), stream.context()));
        }
        let context = stream.context();
        let (begin, end) = (Event::new(context)?, Event::new(context)?);
        let (parameters, after) = prepare(self.kernel.untyped(), || self.settings.call(), stream, args)?;
        begin.record(stream)?;
        // SAFETY: as in `launch`.
        let started = unsafe { start(self.function(), &self.settings, stream, &parameters) };
        after.follow(started.and_then(|()| end.record(stream).map(drop)))?;
        Ok(PendingTime::new(begin, end))
    }
}

/// Launches a kernel without attributes.
///
/// # Safety
///
/// Same as [`Launch::launch`]. `A` is a tuple.
#[cfg(feature = "macros")]
#[inline(always)]
pub(crate) unsafe fn launch_args<A, S: LaunchTarget>(
    kernel: &UntypedKernel,
    config: LaunchConfig,
    stream: &S,
    args: impl LaunchArgs<A, S>,
) -> Result<()> {
    let (parameters, after) = prepare(kernel, || Symbol::cuLaunchKernel, stream, args)?;
    let mut pointers = parameters.pointers();
    let list = pointers.as_mut().as_mut_ptr();
    // SAFETY: the list has as many arguments as the function has parameters, of the same sizes, and the stream is of its context.
    // The caller promises the rest.
    after.follow(unsafe { launch(&kernel.function, config, place_of(stream), list, null_mut()) })
}

/// Checks the arguments of a launch, copies host memory to the device, and makes the stream wait for the home streams of borrowed
/// memory. Returns the parameters, and the work that follows the launch. `call` is the function that launches.
#[inline(always)]
fn prepare<'s, A, S: LaunchTarget, T: LaunchArgs<A, S> + 's>(
    kernel: &UntypedKernel,
    call: impl Fn() -> Symbol,
    stream: &'s S,
    args: T,
) -> Result<(T::Parameters, After<'s, T::Orders<'s>>)> {
    let context = stream.target_context();
    if T::HAS_OWNERS {
        let of = AccessOf { has_owners: true, has_foreign: args.has_foreign(context) };
        kernel.check_access(stream, of, call(), &|probe| args.probe(probe))?;
    } else if (args.has_foreign(context) || !kernel.skips_access_check(context))
        && let Some(error) = refusal(kernel, call(), stream, &args)
    {
        return Err(*error);
    }
    stream.keep(&kernel.function, &|probe| args.probe(probe))?;
    let mut transfers = HostTransfers::new(if T::HAS_HOST_MEMORY { call() } else { Symbol::cuLaunchKernel });
    let (parameters, orders) = args.into_parameters(stream, &mut transfers)?;
    if !T::HAS_HOST_MEMORY {
        return Ok((parameters, After { transfers: None, orders }));
    }
    transfers.upload()?;
    Ok((parameters, After { transfers: Some(transfers), orders }))
}

/// Work that follows a launch: copies to host memory, and waits of the home streams of borrowed memory for the kernel.
struct After<'s, O> {
    transfers: Option<HostTransfers<'s>>,
    orders: O,
}

impl<O: Order> After<'_, O> {
    #[inline(always)]
    fn follow(self, started: Result<()>) -> Result<()> {
        let After { transfers, orders } = self;
        // Returned unchanged, because an error goes through memory.
        if transfers.is_none() && size_of::<O>() == 0 {
            return started;
        }
        started?;
        transfers.map_or(Ok(()), |transfers| transfers.download())?;
        orders.end()
    }
}

/// Outlined: keeps the common path, without a check, small. So does the small result.
#[cold]
#[inline(never)]
fn refusal<A, S: LaunchTarget, T: LaunchArgs<A, S>>(
    kernel: &UntypedKernel,
    call: Symbol,
    stream: &S,
    args: &T,
) -> Option<Box<Error>> {
    let of = AccessOf { has_owners: false, has_foreign: args.has_foreign(stream.target_context()) };
    kernel.check_access(stream, of, call, &|probe| args.probe(probe)).err().map(Box::new)
}

/// Launches a kernel with its settings.
///
/// # Safety
///
/// Same as [`start_with_settings`]. The stream is of the function's context.
#[inline(always)]
unsafe fn start(
    function: &Function,
    settings: &Settings<'_>,
    stream: &impl LaunchTarget,
    parameters: &impl Parameters,
) -> Result<()> {
    let packed = parameters.packed();
    let mut pointers = parameters.pointers();
    let list = pointers.as_mut();
    if packed.is_none() && settings.is_plain() {
        // SAFETY: the caller's promise.
        return unsafe { launch(function, settings.config, place_of(stream), list.as_mut_ptr(), null_mut()) };
    }
    let events = settings.attributes.map_or(&[][..], LaunchAttributes::events);
    stream.prepare_events(events).map_err(|error| error.before(Symbol::cuLaunchKernelEx))?;
    // SAFETY: the caller's promise.
    unsafe { start_with_settings(function, settings, stream.raw_stream(), list, packed) }
}

impl Settings<'_> {
    /// Returns the attributes, including that of cooperative launches. `None` if no function with attributes is needed.
    fn attributes(&self) -> Option<Cow<'_, LaunchAttributes<'_>>> {
        let attributes = self.attributes.filter(|attributes| !attributes.list().is_empty())?;
        Some(match self.cooperative {
            true => Cow::Owned(attributes.clone().cooperative()),
            false => Cow::Borrowed(attributes),
        })
    }

    /// Returns whether `cuLaunchKernel` launches.
    #[inline]
    fn is_plain(&self) -> bool {
        !self.cooperative && self.attributes.is_none_or(|attributes| attributes.list().is_empty())
    }

    /// Returns the function that launches.
    #[inline]
    fn call(&self) -> Symbol {
        match (self.attributes, self.cooperative) {
            (Some(attributes), _) if !attributes.list().is_empty() => Symbol::cuLaunchKernelEx,
            (_, true) => Symbol::cuLaunchCooperativeKernel,
            (_, false) => Symbol::cuLaunchKernel,
        }
    }
}

/// Launches a kernel with packed arguments, with attributes, or cooperatively.
///
/// # Safety
///
/// `pointers` are the addresses of arguments, as many as the function has parameters, of the same sizes. If `packed` is given,
/// they are the addresses of its arguments, which may be fewer or smaller. The stream is of the function's context. The caller
/// promises the conditions of [`Launch::launch`].
unsafe fn start_with_settings(
    function: &Function,
    settings: &Settings<'_>,
    stream: CUstream,
    pointers: &mut [*mut c_void],
    packed: Option<&PackedArgs>,
) -> Result<()> {
    let config = settings.config;
    let list = pointers.as_mut_ptr();
    let packed = match packed {
        Some(packed) if packed.needs_addresses() => {
            // The driver reads as many arguments as the function has parameters, and cannot compare them.
            packed.check(function)?;
            None
        }
        packed => packed,
    };
    let (buffer, mut size) = packed.map_or((core::ptr::null(), 0), PackedArgs::buffer);
    let mut extra = [
        CU_LAUNCH_PARAM_BUFFER_POINTER,
        buffer.cast_mut().cast(),
        CU_LAUNCH_PARAM_BUFFER_SIZE,
        (&raw mut size).cast(),
        CU_LAUNCH_PARAM_END,
    ];
    // The driver compares the size of packed arguments with the parameters, but accepts no such list for cooperative launches.
    let (parameters, extra) = match packed {
        Some(_) => (null_mut(), extra.as_mut_ptr()),
        None => (list, null_mut()),
    };
    let launched = match settings.attributes() {
        // SAFETY: the caller's promise.
        Some(attributes) => unsafe {
            launch_with_attributes(function, config, &attributes, stream, parameters, extra)
        },
        None if settings.cooperative => {
            // The driver reads as many arguments as the function has parameters, and cannot compare them.
            packed.map_or(Ok(()), |packed| packed.check(function))?;
            // SAFETY: the caller's promise; packed arguments are as many and as large as the parameters.
            unsafe { launch_cooperative(function, config, stream, list) }
        }
        // SAFETY: the caller's promise; the list of packed arguments is of the form that the driver expects.
        None => unsafe { launch(function, config, (function.context(), stream), parameters, extra) },
    };
    match packed {
        Some(packed) => launched.map_err(|error| too_many_bytes(error, function, packed)),
        None => launched,
    }
}

/// # Safety
///
/// Same as [`start_with_settings`]. One of `parameters` and `extra` is null.
unsafe fn launch_with_attributes(
    function: &Function,
    config: LaunchConfig,
    attributes: &LaunchAttributes<'_>,
    stream: CUstream,
    parameters: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Result<()> {
    let LaunchConfig { grid, block, shared_bytes } = config;
    let list = attributes.list();
    let described = CUlaunchConfig {
        gridDimX: grid[0],
        gridDimY: grid[1],
        gridDimZ: grid[2],
        blockDimX: block[0],
        blockDimY: block[1],
        blockDimZ: block[2],
        sharedMemBytes: shared_bytes,
        hStream: stream,
        // The driver writes only to the attribute that makes graph nodes updatable, which is not among them.
        attrs: list.as_ptr().cast_mut(),
        // There are fewer kinds.
        numAttrs: u32::try_from(list.len()).unwrap_or(u32::MAX),
    };
    let bound = function.context().bind_inline(Symbol::cuLaunchKernelEx)?;
    // SAFETY: function and stream are live and of the current context. The structure and its list are valid for reads, and the
    // objects that the list names are live. The caller promises the rest.
    let launched = unsafe {
        inline_check!(cuLaunchKernelEx(&raw const described, function.as_raw(), parameters, extra))
    };
    drop(bound);
    let launched =
        launched.map_err(|error| match error.unexplained_code().map(|code| attributes.detail(code)) {
            Some(Some(detail)) => error.with_detail(format_args!("{detail}")),
            _ => error,
        });
    explain_refusal(launched, function, || Asked {
        config,
        cooperative: attributes.is_cooperative(),
        cluster: attributes.cluster(),
        carveout: attributes.carveout(),
        attributes: attributes.set_of(),
    })
}

/// # Safety
///
/// Same as [`start_with_settings`].
unsafe fn launch_cooperative(
    function: &Function,
    config: LaunchConfig,
    stream: CUstream,
    parameters: *mut *mut c_void,
) -> Result<()> {
    let LaunchConfig { grid, block, shared_bytes } = config;
    let bound = function.context().bind_inline(Symbol::cuLaunchCooperativeKernel)?;
    // SAFETY: function and stream are live and of the current context. The pointers are of as many arguments as the function has
    // parameters, of the same sizes. The caller is responsible for the kernel's effects.
    let launched = unsafe {
        inline_check!(cuLaunchCooperativeKernel(
            function.as_raw(),
            grid[0],
            grid[1],
            grid[2],
            block[0],
            block[1],
            block[2],
            shared_bytes,
            stream,
            parameters,
        ))
    };
    drop(bound);
    explain_refusal(launched, function, || Asked { cooperative: true, ..config.into() })
}

impl<A> Clone for Launch<'_, A> {
    fn clone(&self) -> Self {
        Launch { kernel: self.kernel.clone(), settings: self.settings }
    }
}

impl<A> fmt::Debug for Launch<'_, A> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Launch")
            .field("function", self.function())
            .field("config", &self.settings.config)
            .field("attributes", &self.settings.attributes)
            .field("cooperative", &self.settings.cooperative)
            .finish()
    }
}
