//! Green contexts.

#![allow(unsafe_code)]

use super::{DevResource, SmResource};
use crate::context::{Context, ContextGuard, ContextRequirement, CurrentContextGuard, release_in};
use crate::device::Device;
use crate::error::{Code, Error, OrDetail, Result};
use crate::event::{EVENT_OF_ANOTHER_CONTEXT, Event};
use crate::handle::{DriverHandle, Owned, Releasing, made};
use crate::list::CollectVec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ptr::null_mut;
use cuda_sys::{CUcontext, CUdevResource, CUgreenCtx, CUgreenCtxCreate_flags, Symbol};
use std::sync::Arc;

/// A part of a device: some multiprocessors, for the kernels of some streams. Clones are handles to the same green context.
///
/// Its streams and its [resources](SmResource) keep it alive. Dropping the last handle, stream and resource destroys it.
///
/// Memory, modules, events and functions belong to the [primary context](GreenContext::context), which the green context keeps
/// alive.
///
/// # Blocking
///
/// Dropping the last handle does not wait, and the device finishes what is queued. If the drop also drops the last handle to the
/// primary context, it waits: see [`Context`].
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::Device;
/// use cuda_rt::green::{GreenContext, SmSplitFlags};
///
/// let split = Device::get(0)?.sm_resource()?.split_off(1, 8, SmSplitFlags::DEFAULT)?;
/// let green = GreenContext::new(&split.groups[0])?;
/// assert_eq!(green.sm_resource()?.count(), 8);
/// let stream = green.stream()?;
/// assert_eq!(stream.context(), green.context());
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUgreenCtx")]
#[derive(Clone)]
pub struct GreenContext(Arc<Owned<Inner>>);

struct Inner {
    raw: CUgreenCtx,
    /// The handle of the green context as a context. Null until the driver has returned it.
    as_context: CUcontext,
    /// The resources of the green context. They may be parts of another green context.
    _resources: Vec<DevResource>,
    /// Number of green contexts that keep each other alive through their resources, with this one.
    depth: u32,
    context: Context,
}

// SAFETY: a `CUgreenCtx` names an object that the driver locks by itself; it is not bound to a thread. The other fields are `Send`.
unsafe impl Send for Inner {}
// SAFETY: nothing is changed through `&Inner`; the driver synchronises calls that share a green context.
unsafe impl Sync for Inner {}

impl DriverHandle for Inner {
    fn release_call(&self) -> Symbol {
        Symbol::cuGreenCtxDestroy
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        release_in(&self.context, ContextRequirement::None, Symbol::cuGreenCtxDestroy, &mut |_| {
            // SAFETY: the owner releases the green context once, and does not use it afterwards; its streams have kept it.
            unsafe { check!(cuGreenCtxDestroy(self.raw)) }
        })
    }
}

/// Limit of green contexts that keep each other alive. Dropping the last one drops the others, each inside the drop before it.
const MOST_NESTED: u32 = 64;

impl GreenContext {
    /// Creates a green context of these multiprocessors. Retains the primary context of their device. Wraps
    /// `cuDevicePrimaryCtxRetain`, `cuDevResourceGenerateDesc`, `cuGreenCtxCreate` and `cuCtxFromGreenCtx`.
    ///
    /// The thread's current context stays as it was. The driver keeps the description of the resources until the process ends.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.4.
    /// - [`Code::OutOfMemory`].
    /// - Same as [`Context::primary`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Device, green::GreenContext};
    /// let green = GreenContext::new(&Device::get(0)?.sm_resource()?)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias(
        "cuGreenCtxCreate",
        "cuDevResourceGenerateDesc",
        "cuCtxFromGreenCtx",
        "cuDevicePrimaryCtxRetain"
    ))]
    pub fn new(multiprocessors: &SmResource) -> Result<GreenContext> {
        GreenContext::with_resources(&[DevResource::from(multiprocessors)])
    }

    /// Creates a green context of several resources. If several resources have multiprocessors, they must be different parts of
    /// one split.
    ///
    /// Wraps `cuDevicePrimaryCtxRetain`, `cuDevResourceGenerateDesc`, `cuGreenCtxCreate` and `cuCtxFromGreenCtx`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): there are no resources, or they belong to several
    ///   devices.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a part is named twice, or the multiprocessors are not
    ///   parts of one split.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a resource is of a green context that was made of the
    ///   resources of another one, and so on, more than 64 in all.
    /// - [`Code::InvalidResourceConfiguration`] or [`Code::InvalidResourceType`]: the driver cannot combine the resources.
    /// - Same as [`new`](GreenContext::new).
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::green::{GreenContext, SmSplitFlags};
    ///
    /// let split = Device::get(0)?.sm_resource()?.split_off(2, 16, SmSplitFlags::DEFAULT)?;
    /// let green = GreenContext::with_resources(&[(&split.groups[0]).into(), (&split.groups[1]).into()])?;
    /// assert_eq!(green.sm_resource()?.count(), 32);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias(
        "cuGreenCtxCreate",
        "cuDevResourceGenerateDesc",
        "cuCtxFromGreenCtx",
        "cuDevicePrimaryCtxRetain"
    ))]
    pub fn with_resources(resources: &[DevResource]) -> Result<GreenContext> {
        const CALL: Symbol = Symbol::cuDevResourceGenerateDesc;
        let Some(first) = resources.first() else {
            let text = "0 resources, and the driver needs at least 1; name the multiprocessors";
            return Err(Error::invalid_for(CALL, format_args!("{text}")));
        };
        let device = first.device();
        if let Some(other) = resources.iter().map(DevResource::device).find(|other| *other != device) {
            return Err(Error::invalid_for(
                CALL,
                format_args!(
                    "resources of device {} and of device {}; use resources of one device",
                    device.as_raw(),
                    other.as_raw()
                ),
            ));
        }
        refuse_mixed_parts(resources)?;
        let outer = resources.iter().filter_map(DevResource::green).map(|green| green.0.depth);
        let depth = outer.fold(0, u32::max) + 1;
        if depth > MOST_NESTED {
            let text = "resources of a green context inside 63 others, each of the resources of the next, and 64 is the limit; \
                        name resources of the device or of an outer green context";
            return Err(Error::invalid_for(CALL, format_args!("{text}")));
        }
        let context = Context::primary(device)?;
        let mut list: Vec<CUdevResource> = resources.iter().map(DevResource::to_raw).collect_vec();
        let count = u32::try_from(list.len()).unwrap_or(u32::MAX);
        let describe = || format!("{resources:?}");
        let refusals = [Code::InvalidValue, Code::InvalidResourceType, Code::InvalidResourceConfiguration];
        let mut description = null_mut();
        // SAFETY: `description` is valid for a write; the driver has made all `count` entries of the list, at least one.
        unsafe { check!(cuDevResourceGenerateDesc(&raw mut description, list.as_mut_ptr(), count)) }
            .or_detail(&refusals, &describe)?;
        let mut raw = null_mut();
        let flags = CUgreenCtxCreate_flags::CU_GREEN_CTX_DEFAULT_STREAM.0;
        // SAFETY: `raw` is valid for a write; the driver has made the description just now, and it stays until the process ends.
        let created = unsafe { check!(cuGreenCtxCreate(&raw mut raw, description, device.as_raw(), flags)) }
            .or_detail(&refusals, &describe);
        let _resources = resources.to_vec();
        let mut green = made(created, !raw.is_null(), || {
            Owned::new(Inner { raw, as_context: null_mut(), _resources, depth, context })
        })?;
        let mut as_context = null_mut();
        // SAFETY: `as_context` is valid for a write, and the green context is live.
        unsafe { check!(cuCtxFromGreenCtx(&raw mut as_context, green.raw)) }?;
        green.as_context = as_context;
        Ok(GreenContext(Arc::new(green)))
    }

    /// Returns the primary context of the device, to which memory, modules and events belong.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Returns the device.
    pub fn device(&self) -> Device {
        self.0.context.device()
    }

    /// Returns the raw handle. The caller must not destroy the green context with it.
    ///
    /// Unsafe code that uses the handle promises:
    ///
    /// - A stream that the code creates with the handle is destroyed before the green context.
    /// - The green context outlives each graph that is captured on such a stream, and the clones and executable graphs of the
    ///   graph. Otherwise the driver crashes.
    pub fn as_raw(&self) -> CUgreenCtx {
        self.0.raw
    }

    /// Returns the handle of the green context as a context. The caller must not destroy the green context with it.
    #[doc(alias = "cuCtxFromGreenCtx")]
    pub fn as_raw_context(&self) -> CUcontext {
        self.0.as_context
    }

    /// Returns the driver's number for the green context, unique in the process. Wraps `cuGreenCtxGetId`.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.9.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Device, green::GreenContext};
    /// # let green = GreenContext::new(&Device::get(0)?.sm_resource()?)?;
    /// assert_eq!(green.id()?, green.clone().id()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuGreenCtxGetId")]
    pub fn id(&self) -> Result<u64> {
        let _bound = self.context().bind(Symbol::cuGreenCtxGetId)?;
        let mut id = 0;
        // SAFETY: the green context is live, and `id` is valid for a write.
        unsafe { check!(cuGreenCtxGetId(self.0.raw, &raw mut id)) }?;
        Ok(id)
    }

    /// Makes the green context current on this thread until the guard is dropped.
    ///
    /// Only raw driver calls, and libraries that launch kernels on the default stream, depend on the current context: calls of
    /// this crate use the context of their stream. Wraps `cuCtxPushCurrent` and `cuCtxPopCurrent`.
    ///
    /// # Errors
    ///
    /// Same as [`Context::enter`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Context, Device, green::GreenContext};
    /// # let green = GreenContext::new(&Device::get(0)?.sm_resource()?)?;
    /// let entered = green.enter()?;
    /// assert_eq!(Context::current_raw()?, Some(green.as_raw_context()));
    /// # drop(entered);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuCtxPushCurrent", "cuCtxPopCurrent", "cuCtxFromGreenCtx"))]
    pub fn enter(&self) -> Result<ContextGuard<'_>> {
        // SAFETY: the guard borrows the green context, so it is alive.
        unsafe { ContextGuard::of_raw(self.0.as_context) }
    }

    /// Records the event after all work that is queued in the green context now, on all its streams. Wraps
    /// `cuGreenCtxRecordEvent`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidHandle`]: the event does not belong to the [primary context](GreenContext::context).
    /// - [`Code::StreamCaptureUnsupported`]: a stream of the green context is capturing a graph. The failure invalidates the
    ///   capture.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Device, Event, green::GreenContext};
    /// # let green = GreenContext::new(&Device::get(0)?.sm_resource()?)?;
    /// let all = Event::new(green.context())?;
    /// green.record_event(&all)?;
    /// all.synchronize()?; // what was queued on any stream of the green context is done
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuGreenCtxRecordEvent")]
    pub fn record_event(&self, event: &Event) -> Result<()> {
        let _bound = self.context().bind(Symbol::cuGreenCtxRecordEvent)?;
        // SAFETY: both are live.
        let recorded = unsafe { check!(cuGreenCtxRecordEvent(self.0.raw, event.raw())) };
        if event.context() == self.context() {
            recorded
        } else {
            recorded.or_detail(&[Code::InvalidHandle], &|| EVENT_OF_ANOTHER_CONTEXT.to_owned())
        }
    }

    /// Makes all later work of the green context wait for the event, on all its streams, including those created later. The host
    /// does not wait. The event may belong to another context or device. Wraps `cuGreenCtxWaitEvent`.
    ///
    /// # Errors
    ///
    /// - [`Code::StreamCaptureUnsupported`]: a stream of the green context is capturing a graph. The failure invalidates the
    ///   capture.
    /// - [`Code::CapturedEvent`]: other code has recorded the event in a capture. The failure invalidates the capture.
    /// - [`Code::InvalidValue`]: the event was last recorded in a capture that has ended.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Device, Event, Stream, green::GreenContext};
    /// # let green = GreenContext::new(&Device::get(0)?.sm_resource()?)?;
    /// let uploads = Stream::new(green.context())?;
    /// let done = Event::new(green.context())?;
    /// done.record(&uploads)?;
    /// green.wait_event(&done)?; // later work of the green context runs after the work on `uploads`
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuGreenCtxWaitEvent")]
    pub fn wait_event(&self, event: &Event) -> Result<()> {
        event.refuse_captured(Symbol::cuGreenCtxWaitEvent)?;
        let _bound = self.context().bind(Symbol::cuGreenCtxWaitEvent)?;
        // SAFETY: both are live. The driver keeps what it needs of the event, so the event may be dropped at once.
        unsafe { check!(cuGreenCtxWaitEvent(self.0.raw, event.raw())) }
    }

    /// Waits until the device has finished all work that is queued in the green context, on all its streams. Wraps
    /// `cuCtxSynchronize`.
    ///
    /// # Blocking
    ///
    /// Until the device has finished.
    ///
    /// # Errors
    ///
    /// - The failure of queued work.
    /// - [`Code::StreamCaptureUnsupported`]: a stream of the green context is capturing a graph. The failure invalidates the
    ///   capture.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Device, green::GreenContext};
    /// # let green = GreenContext::new(&Device::get(0)?.sm_resource()?)?;
    /// green.synchronize()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxSynchronize")]
    pub fn synchronize(&self) -> Result<()> {
        let bound = CurrentContextGuard::new(self.0.as_context, Symbol::cuCtxSynchronize)?;
        // SAFETY: the green context is live, and current.
        let waited = unsafe { check!(cuCtxSynchronize()) };
        drop(bound);
        self.0.context.release_waiting();
        waited
    }

    /// Destroys the green context if this is the last handle to it, and returns the driver's answer. A drop can report a failure
    /// only to the [hook](crate::handle::set_drop_hook). Wraps `cuGreenCtxDestroy`.
    ///
    /// The streams of the green context count as handles. So do its resources, the parts of a split of its resources, and green
    /// contexts of such parts.
    ///
    /// # Blocking
    ///
    /// Does not wait for the work of the green context. If this call drops the last handle to the primary context, it waits: see
    /// [`Context`].
    ///
    /// # Errors
    ///
    /// An earlier failure. The handle is consumed in any case.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Device, green::GreenContext};
    /// GreenContext::new(&Device::get(0)?.sm_resource()?)?.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuGreenCtxDestroy")]
    pub fn close(self) -> Result<()> {
        Owned::close_last(self.0)
    }
}

/// Refuses multiprocessors that are not different parts of one split. Driver 580 accepts them, and counts twice what is in two of
/// them (fact V989).
fn refuse_mixed_parts(resources: &[DevResource]) -> Result<()> {
    let parts: Vec<(usize, &SmResource)> = resources
        .iter()
        .enumerate()
        .filter_map(|(index, resource)| match resource {
            DevResource::Sm(part) => Some((index, part)),
            _ => None,
        })
        .collect_vec();
    for (place, (second, part)) in parts.iter().enumerate() {
        for (first, other) in parts.iter().take(place) {
            let text = match (other.part(), part.part()) {
                (Some(left), Some(right)) if left == right => "are the same part; name each part once",
                (Some(left), Some(right)) if left.split == right.split => continue,
                _ => "are not parts of one split; split once, and name parts of that",
            };
            let counts = (other.count(), part.count());
            return Err(Error::invalid_for(
                Symbol::cuDevResourceGenerateDesc,
                format_args!(
                    "resource {first} of {} multiprocessors and resource {second} of {} {text}",
                    counts.0, counts.1
                ),
            ));
        }
    }
    Ok(())
}

/// Two handles are equal if they name the same green context.
impl PartialEq for GreenContext {
    fn eq(&self, other: &GreenContext) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for GreenContext {}

impl Hash for GreenContext {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

impl fmt::Debug for GreenContext {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("GreenContext")
            .field("raw", &self.0.raw)
            .field("context", &self.0.context)
            .finish()
    }
}
