//! Resources of devices.

#![allow(unsafe_code)]

use super::{GreenContext, Workqueue, WorkqueueConfig};
use crate::context::Context;
use crate::device::Device;
use crate::driver::initialised;
use crate::error::{Code, Error, OrDetail, Result};
use core::fmt;
use core::ptr::null_mut;
use cuda_sys::{CUdevResource, CUdevResourceType, CUdevSmResource, Symbol};

/// The device or context whose resources a call queries.
#[derive(Debug, Clone)]
pub(super) enum Holder {
    Device(Device),
    Context(Context),
    Green(GreenContext),
}

/// A resource as the driver has written it. The part that only the driver reads may refer to the holder, so this value keeps the
/// holder alive.
#[derive(Clone)]
pub(super) struct Resource {
    raw: CUdevResource,
    holder: Holder,
}

// SAFETY: `nextResource` is null. The part for the driver holds a pointer to an object of the device or to a description of a green
// context (fact V987). Both last until the process ends, and neither is bound to a thread.
unsafe impl Send for Resource {}
// SAFETY: nothing is changed through `&Resource`, and the driver locks its objects by itself.
unsafe impl Sync for Resource {}

impl Resource {
    /// Keeps a resource without the list that the driver may have begun in it, so that the driver does not follow the list.
    pub(super) fn new(raw: CUdevResource, holder: Holder) -> Resource {
        Resource { raw: CUdevResource { nextResource: null_mut(), ..raw }, holder }
    }

    pub(super) fn raw(&self) -> &CUdevResource {
        &self.raw
    }

    pub(super) fn holder(&self) -> &Holder {
        &self.holder
    }

    /// Returns the device.
    pub(super) fn device(&self) -> Device {
        self.holder.device()
    }
}

/// Multiprocessors of a device. They are not reserved.
///
/// A resource of a [`GreenContext`] keeps the green context alive. A resource of a [`Context`] keeps the context alive. A part of
/// a split keeps alive the same object as the resource that was split.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::Device;
///
/// let device = Device::get(0)?;
/// let all = device.sm_resource()?;
/// assert_eq!(all.count(), device.multiprocessor_count()?.cast_unsigned());
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias("CUdevResource", "CUdevSmResource"))]
#[derive(Clone)]
pub struct SmResource {
    resource: Resource,
    sm: CUdevSmResource,
    part: Option<SplitPart>,
}

/// A part that a split has made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SplitPart {
    /// The number of the split, unique in the process.
    pub(super) split: u64,
    /// The position of the part in the split. The remainder has the last position.
    pub(super) place: usize,
}

impl SmResource {
    /// Returns the multiprocessors that the driver has described. Returns `None` for another type and for 0 multiprocessors.
    pub(super) fn of(raw: CUdevResource, holder: Holder) -> Option<SmResource> {
        if raw.type_ != CUdevResourceType::CU_DEV_RESOURCE_TYPE_SM {
            return None;
        }
        // SAFETY: a resource of this type has this member, and numbers may have any value.
        let sm = unsafe { raw.__bindgen_anon_1.sm };
        (sm.smCount != 0).then(|| SmResource { resource: Resource::new(raw, holder), sm, part: None })
    }

    /// Records the split that has made this resource.
    pub(super) fn with_part(self, part: SplitPart) -> SmResource {
        SmResource { part: Some(part), ..self }
    }

    /// Returns the part of a split that this resource is. `None` for all multiprocessors of a device, a
    /// context or a green context.
    pub(super) fn part(&self) -> Option<SplitPart> {
        self.part
    }

    pub(super) fn resource(&self) -> &Resource {
        &self.resource
    }

    /// Returns the device.
    pub fn device(&self) -> Device {
        self.resource.device()
    }

    /// Returns the number of multiprocessors.
    #[doc(alias = "smCount")]
    pub fn count(&self) -> u32 {
        self.sm.smCount
    }

    /// Returns the smallest number of multiprocessors of a group in a split.
    ///
    /// With [`IGNORE_SM_COSCHEDULING`](super::SmSplitFlags::IGNORE_SM_COSCHEDULING), groups can be smaller. The
    /// [remainder](super::SmSplit::remainder) can always be smaller.
    ///
    /// 0 for a part that a split has made. The [resource](GreenContext::sm_resource) of a green context that is made of
    /// the part has the number. Drivers older than CUDA 13.0 may also report 0: CUDA 12.4 does not define the number.
    #[doc(alias = "minSmPartitionSize")]
    pub fn min_partition_size(&self) -> u32 {
        self.sm.minSmPartitionSize
    }

    /// Returns the size of the groups of multiprocessors that can always run a cluster together.
    ///
    /// For [`split`](Self::split), the size of an [`SmGroup`](super::SmGroup) should be a multiple of this number, unless the group
    /// has the flag [`BACKFILL`](super::SmGroupFlags::BACKFILL).
    ///
    /// 0 for a part that a split has made. The [resource](GreenContext::sm_resource) of a green context that is made of
    /// the part has the size. Drivers older than CUDA 13.0 may also report 0: CUDA 12.4 does not define the size.
    #[doc(alias = "smCoscheduledAlignment")]
    pub fn coscheduled_alignment(&self) -> u32 {
        self.sm.smCoscheduledAlignment
    }
}

impl fmt::Debug for SmResource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SmResource")
            .field("device", &self.device())
            .field("count", &self.sm.smCount)
            .field("min_partition_size", &self.sm.minSmPartitionSize)
            .field("coscheduled_alignment", &self.sm.smCoscheduledAlignment)
            .finish()
    }
}

/// A resource of a device, of any type.
///
/// The resource keeps its context or green context alive, if it has one: see [`SmResource`], [`WorkqueueConfig`] and [`Workqueue`].
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::Device;
/// use cuda_rt::green::{DevResource, GreenContext};
///
/// let all = Device::get(0)?.sm_resource()?;
/// let green = GreenContext::with_resources(&[DevResource::from(all)])?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUdevResource")]
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum DevResource {
    /// Multiprocessors.
    #[doc(alias = "CU_DEV_RESOURCE_TYPE_SM")]
    Sm(SmResource),
    /// A configuration of work queues.
    #[doc(alias = "CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG")]
    WorkqueueConfig(WorkqueueConfig),
    /// Work queues of an existing context.
    #[doc(alias = "CU_DEV_RESOURCE_TYPE_WORKQUEUE")]
    Workqueue(Workqueue),
}

impl DevResource {
    /// Returns the device.
    pub fn device(&self) -> Device {
        match self {
            DevResource::Sm(resource) => resource.device(),
            DevResource::WorkqueueConfig(resource) => resource.device(),
            DevResource::Workqueue(resource) => resource.device(),
        }
    }

    /// Returns the green context to which the resource belongs.
    pub(super) fn green(&self) -> Option<&GreenContext> {
        let holder = match self {
            DevResource::Sm(resource) => resource.resource().holder(),
            DevResource::WorkqueueConfig(resource) => resource.holder(),
            DevResource::Workqueue(resource) => resource.holder(),
        };
        match holder {
            Holder::Green(green) => Some(green),
            Holder::Device(_) | Holder::Context(_) => None,
        }
    }

    pub(super) fn to_raw(&self) -> CUdevResource {
        match self {
            DevResource::Sm(resource) => *resource.resource().raw(),
            DevResource::WorkqueueConfig(resource) => resource.to_raw(),
            DevResource::Workqueue(resource) => resource.to_raw(),
        }
    }
}

impl From<SmResource> for DevResource {
    fn from(resource: SmResource) -> Self {
        DevResource::Sm(resource)
    }
}

impl From<&SmResource> for DevResource {
    fn from(resource: &SmResource) -> Self {
        DevResource::Sm(resource.clone())
    }
}

impl From<WorkqueueConfig> for DevResource {
    fn from(resource: WorkqueueConfig) -> Self {
        DevResource::WorkqueueConfig(resource)
    }
}

impl From<Workqueue> for DevResource {
    fn from(resource: Workqueue) -> Self {
        DevResource::Workqueue(resource)
    }
}

impl Holder {
    fn device(&self) -> Device {
        match self {
            Holder::Device(device) => *device,
            Holder::Context(context) => context.device(),
            Holder::Green(green) => green.device(),
        }
    }

    /// Returns the function of the query.
    fn call(&self) -> Symbol {
        match self {
            Holder::Device(_) => Symbol::cuDeviceGetDevResource,
            Holder::Context(_) => Symbol::cuCtxGetDevResource,
            Holder::Green(_) => Symbol::cuGreenCtxGetDevResource,
        }
    }

    /// Queries the resource of this type.
    pub(super) fn resource(self, kind: CUdevResourceType) -> Result<Resource> {
        let mut raw = CUdevResource::default();
        let place = &raw mut raw;
        match &self {
            Holder::Device(device) => initialised(|| {
                // SAFETY: `place` is valid for a write.
                unsafe { check!(cuDeviceGetDevResource(device.as_raw(), place, kind)) }
            }),
            Holder::Context(context) => {
                let _bound = context.bind(self.call())?;
                // SAFETY: the context is live, and `place` is valid for a write.
                unsafe { check!(cuCtxGetDevResource(context.as_raw(), place, kind)) }
            }
            Holder::Green(green) => {
                let _bound = green.context().bind(self.call())?;
                // SAFETY: the green context is live, and `place` is valid for a write.
                unsafe { check!(cuGreenCtxGetDevResource(green.as_raw(), place, kind)) }
            }
        }
        .or_detail(&[Code::InvalidResourceType], &|| describe(kind))?;
        if raw.type_ != kind {
            return Err(not_described(self.call(), kind));
        }
        Ok(Resource::new(raw, self))
    }

    /// Queries the multiprocessors.
    fn multiprocessors(self) -> Result<SmResource> {
        let call = self.call();
        let Resource { raw, holder } = self.resource(CUdevResourceType::CU_DEV_RESOURCE_TYPE_SM)?;
        SmResource::described(raw, holder, call)
    }
}

impl SmResource {
    /// Returns the multiprocessors that a call has described.
    fn described(raw: CUdevResource, holder: Holder, call: Symbol) -> Result<SmResource> {
        let none = || not_described(call, CUdevResourceType::CU_DEV_RESOURCE_TYPE_SM);
        SmResource::of(raw, holder).ok_or_else(none)
    }

    /// Returns the multiprocessors that a call on a stream has described.
    pub(crate) fn of_stream(
        raw: CUdevResource,
        context: &Context,
        green: Option<&GreenContext>,
        call: Symbol,
    ) -> Result<SmResource> {
        let holder =
            green.map_or_else(|| Holder::Context(context.clone()), |green| Holder::Green(green.clone()));
        SmResource::described(raw, holder, call)
    }
}

/// Returns the description of a type of resources, for errors.
fn describe(kind: CUdevResourceType) -> String {
    match kind {
        CUdevResourceType::CU_DEV_RESOURCE_TYPE_SM => "multiprocessors".to_owned(),
        CUdevResourceType::CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG => {
            "a configuration of work queues, which drivers know since CUDA 13.1".to_owned()
        }
        CUdevResourceType::CU_DEV_RESOURCE_TYPE_WORKQUEUE => {
            "work queues, which drivers know since CUDA 13.1".to_owned()
        }
        CUdevResourceType(other) => format!("resource type {other}"),
    }
}

/// Returns the error for a driver that reports success and describes no such resource.
#[cold]
fn not_described(call: Symbol, kind: CUdevResourceType) -> Error {
    Error::invalid_for(call, format_args!("the driver reported success without {}", describe(kind)))
}

impl Device {
    /// Returns all multiprocessors of the device. Wraps `cuDeviceGetDevResource`.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.4.
    #[doc(alias = "cuDeviceGetDevResource")]
    pub fn sm_resource(self) -> Result<SmResource> {
        Holder::Device(self).multiprocessors()
    }
}

impl Context {
    /// Returns the multiprocessors on which kernels of the context run. Wraps `cuCtxGetDevResource`.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.4.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// assert_eq!(context.sm_resource()?.count(), context.device().sm_resource()?.count());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxGetDevResource")]
    pub fn sm_resource(&self) -> Result<SmResource> {
        Holder::Context(self.clone()).multiprocessors()
    }
}

impl GreenContext {
    /// Returns the multiprocessors on which kernels of the green context run. They can be split again. Wraps
    /// `cuGreenCtxGetDevResource`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::green::{GreenContext, SmSplitFlags};
    ///
    /// let half = &Device::get(0)?.sm_resource()?.split_off(1, 64, SmSplitFlags::DEFAULT)?.groups[0];
    /// let green = GreenContext::new(half)?;
    /// let quarters = green.sm_resource()?.split_by_count(32, SmSplitFlags::DEFAULT)?;
    /// assert_eq!(quarters.groups.len(), 2);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuGreenCtxGetDevResource")]
    pub fn sm_resource(&self) -> Result<SmResource> {
        Holder::Green(self.clone()).multiprocessors()
    }
}
