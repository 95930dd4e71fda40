//! Resources of devices, and descriptions that combine several of them.
//!
//! The driver writes its data about a resource into the part of the structure that programs must not change. A resource
//! is therefore a value, and no state is kept for it.
//!
//! The resources of multiprocessors are as measured. Resources of work queues, and the resource of a stream, are as
//! documented. They are not measured, because no driver with them was available.

#![allow(unsafe_code)]

use crate::console::say;
use crate::driver::handles::Handle;
use crate::driver::rules::since;
use crate::driver::{Answer, Call, State, check_out, put};
use core::ffi::c_uint;
use cuda_sys::{
    CUcontext, CUdevResource, CUdevResource_st__bindgen_ty_1 as Content, CUdevResourceDesc,
    CUdevResourceType, CUdevSmResource, CUdevWorkqueueConfigResource, CUdevWorkqueueConfigScope, CUdevice,
    CUdevice_attribute_enum as Attribute, CUgreenCtx, CUresult,
};
use std::sync::Arc;

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
pub(super) const WRONG_TYPE: CUresult = CUresult::CUDA_ERROR_INVALID_RESOURCE_TYPE;
pub(super) const WRONG_CONFIGURATION: CUresult = CUresult::CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;

/// Mark of a structure that the driver has written.
const MARK: u8 = 0x5d;
/// Size of the set of multiprocessors in bytes, with one bit for each.
const SET_BYTES: usize = 64;
/// Multiprocessors of the smallest possible part.
pub(super) const PAIR: u32 = 2;

/// Multiprocessors of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Multiprocessors {
    pub(crate) device: CUdevice,
    /// Their numbers in ascending order.
    pub(crate) numbers: Vec<u32>,
    pub(crate) grain: Grain,
    /// True for a part that a split has made and that no context uses yet.
    pub(crate) is_part: bool,
    pub(crate) flags: c_uint,
}

/// Unit in which multiprocessors can be split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grain {
    /// Pair of multiprocessors.
    Pair,
    /// Unit of the device. A cluster runs in one unit.
    Unit,
}

impl Multiprocessors {
    /// Reads a resource that a program passes.
    pub(super) fn read(resource: &CUdevResource) -> Answer<Multiprocessors> {
        if resource.type_ != CUdevResourceType::CU_DEV_RESOURCE_TYPE_SM {
            return Err(WRONG_TYPE);
        }
        let bytes = &resource._internal_padding;
        let (device, rest) = bytes.split_first_chunk::<4>().ok_or(INVALID)?;
        let ([mark, grain, is_part], rest) = rest.split_first_chunk::<3>().ok_or(INVALID)?;
        let set = rest.first_chunk::<SET_BYTES>().ok_or(INVALID)?;
        let has = |number: &u32| set[*number as usize / 8] >> (number % 8) & 1 != 0;
        let numbers: Vec<u32> = (0..8 * SET_BYTES as u32).filter(has).collect();
        // SAFETY: a resource of this type has this member, and numbers may have any value.
        let sm = unsafe { resource.__bindgen_anon_1.sm };
        // Changed resources are refused (measured).
        if *mark != MARK || numbers.len() != sm.smCount as usize {
            return Err(WRONG_CONFIGURATION);
        }
        let grain = if *grain == 0 { Grain::Pair } else { Grain::Unit };
        let device = CUdevice::from_ne_bytes(*device);
        Ok(Multiprocessors { device, numbers, grain, is_part: *is_part != 0, flags: sm.flags })
    }

    /// Writes the resource in the form for programs. A part without multiprocessors has the invalid type. A part
    /// reports its units only after a context is made of it (measured).
    pub(super) fn shown(&self, unit: u32) -> CUdevResource {
        let mut resource = CUdevResource::default();
        if self.numbers.is_empty() {
            return resource;
        }
        resource.type_ = CUdevResourceType::CU_DEV_RESOURCE_TYPE_SM;
        let mut set = [0_u8; SET_BYTES];
        for number in &self.numbers {
            if let Some(byte) = set.get_mut(*number as usize / 8) {
                *byte |= 1 << (number % 8);
            }
        }
        let kind = [MARK, u8::from(self.grain == Grain::Unit), u8::from(self.is_part)];
        let bytes = self.device.to_ne_bytes().into_iter().chain(kind).chain(set);
        resource._internal_padding.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
        let unit = match self.grain {
            _ if self.is_part => 0,
            Grain::Pair => PAIR,
            Grain::Unit => unit,
        };
        let sm = CUdevSmResource {
            smCount: self.numbers.len() as c_uint,
            minSmPartitionSize: unit,
            smCoscheduledAlignment: unit,
            flags: self.flags,
            localityDomainId: 0,
        };
        resource.__bindgen_anon_1 = Content { sm };
        resource
    }

    /// Removes and returns a part.
    pub(super) fn part(&self, numbers: Vec<u32>, grain: Grain, flags: c_uint) -> Multiprocessors {
        Multiprocessors { device: self.device, numbers, grain, is_part: true, flags }
    }
}

/// Sharing of the work queues of a context. Not measured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Workqueues {
    limit: c_uint,
    scope: CUdevWorkqueueConfigScope,
}

impl Workqueues {
    /// Default number, unless the environment sets another. Not measured.
    const COUNT: c_uint = 8;

    pub(crate) const DEFAULT: Workqueues =
        Workqueues { limit: Self::COUNT, scope: CUdevWorkqueueConfigScope::CU_WORKQUEUE_SCOPE_DEVICE_CTX };

    /// Reads a configuration that a program passes. Unknown scopes are refused. Not measured.
    fn read(config: CUdevWorkqueueConfigResource) -> Answer<Workqueues> {
        match config.sharingScope {
            CUdevWorkqueueConfigScope::CU_WORKQUEUE_SCOPE_DEVICE_CTX
            | CUdevWorkqueueConfigScope::CU_WORKQUEUE_SCOPE_GREEN_CTX_BALANCED => {
                Ok(Workqueues { limit: config.wqConcurrencyLimit, scope: config.sharingScope })
            }
            _ => Err(INVALID),
        }
    }

    fn shown(self, device: CUdevice) -> CUdevResource {
        let config =
            CUdevWorkqueueConfigResource { device, wqConcurrencyLimit: self.limit, sharingScope: self.scope };
        CUdevResource {
            type_: CUdevResourceType::CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG,
            __bindgen_anon_1: Content { wqConfig: config },
            ..CUdevResource::default()
        }
    }
}

/// Description of a green context.
#[derive(Debug, Clone)]
pub(crate) struct Description {
    pub(crate) multiprocessors: Arc<Multiprocessors>,
    pub(crate) workqueues: Workqueues,
}

/// Owner of resources.
enum Holder {
    Device,
    /// Context or green context.
    Context {
        green: Option<Handle>,
    },
}

impl State {
    /// Returns all multiprocessors of a device.
    pub(crate) fn multiprocessors_of_device(&self, device: CUdevice) -> Multiprocessors {
        let count = self.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) as u32;
        let numbers = (0..count).collect();
        Multiprocessors { device, numbers, grain: Grain::Unit, is_part: false, flags: 0 }
    }

    /// Returns how many multiprocessors of a device run clusters together: 8 from compute capability 9.0 on. For older
    /// devices, which have no clusters, returns 2.
    pub(super) fn multiprocessor_unit(&self, device: CUdevice) -> u32 {
        if self.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) >= 9 {
            8
        } else {
            PAIR
        }
    }

    /// Returns a resource in the form for programs.
    fn dev_resource(
        &self,
        holder: &Holder,
        device: CUdevice,
        kind: CUdevResourceType,
    ) -> Answer<CUdevResource> {
        let green = match holder {
            Holder::Context { green } => green.and_then(|green| self.green_contexts.get(green)),
            Holder::Device => None,
        };
        self.require_resource_type(kind)?;
        match kind {
            CUdevResourceType::CU_DEV_RESOURCE_TYPE_SM => Ok(match green {
                Some(green) => green.multiprocessors.shown(self.multiprocessor_unit(device)),
                None => self.multiprocessors_of_device(device).shown(self.multiprocessor_unit(device)),
            }),
            CUdevResourceType::CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG => {
                Ok(green.map_or(Workqueues::DEFAULT, |green| green.workqueues).shown(device))
            }
            CUdevResourceType::CU_DEV_RESOURCE_TYPE_WORKQUEUE if !matches!(holder, Holder::Device) => {
                let mut resource = Workqueues::DEFAULT.shown(device);
                resource.type_ = kind;
                Ok(resource)
            }
            _ => Err(WRONG_TYPE),
        }
    }

    /// Refuses a type of resource that is newer than the emulated release.
    fn require_resource_type(&self, kind: CUdevResourceType) -> Answer {
        self.require(since::RESOURCE_TYPES, kind.0).map_err(|_| WRONG_TYPE)
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn of_device(
    call: &mut Call<'_>,
    device: CUdevice,
    to: *mut CUdevResource,
    kind: CUdevResourceType,
) -> Answer {
    call.state.device(device)?;
    check_out(to)?;
    let resource = call.state.dev_resource(&Holder::Device, device, kind)?;
    // SAFETY: the program's promise.
    unsafe { put(to, resource) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn of_context(
    call: &mut Call<'_>,
    context: CUcontext,
    to: *mut CUdevResource,
    kind: CUdevResourceType,
) -> Answer {
    if context.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_CONTEXT);
    }
    let handle = Handle::of(context);
    let device = call.state.live_context(handle)?.device;
    check_out(to)?;
    let resource = call.state.dev_resource(&Holder::Context { green: Some(handle) }, device, kind)?;
    // SAFETY: the program's promise.
    unsafe { put(to, resource) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn of_green_context(
    call: &mut Call<'_>,
    green: CUgreenCtx,
    to: *mut CUdevResource,
    kind: CUdevResourceType,
) -> Answer {
    let handle = Handle::of(green);
    let device = call.state.green_context(handle)?.multiprocessors.device;
    check_out(to)?;
    let resource = call.state.dev_resource(&Holder::Context { green: Some(handle) }, device, kind)?;
    // SAFETY: the program's promise.
    unsafe { put(to, resource) }
}

impl State {
    /// Returns the resource of a stream: its multiprocessors only. Not measured.
    pub(crate) fn resource_of_stream(
        &self,
        green: Option<Handle>,
        device: CUdevice,
        kind: CUdevResourceType,
    ) -> Answer<CUdevResource> {
        if kind != CUdevResourceType::CU_DEV_RESOURCE_TYPE_SM {
            return Err(WRONG_TYPE);
        }
        self.dev_resource(&Holder::Context { green }, device, kind)
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn describe(
    call: &mut Call<'_>,
    to: *mut CUdevResourceDesc,
    resources: *mut CUdevResource,
    count: c_uint,
) -> Answer {
    // Hardware crashes if there are no resources.
    if to.is_null() || resources.is_null() || count == 0 {
        return Err(INVALID);
    }
    // SAFETY: the program's promise: so many resources.
    let resources = unsafe { core::slice::from_raw_parts(resources, count as usize) };
    let mut parts = Vec::new();
    let mut workqueues = None;
    for resource in resources {
        call.state.require_resource_type(resource.type_)?;
        match resource.type_ {
            CUdevResourceType::CU_DEV_RESOURCE_TYPE_SM => parts.push(Multiprocessors::read(resource)?),
            CUdevResourceType::CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG => {
                // SAFETY: a resource of this type has this member, and numbers may have any value.
                let config = unsafe { resource.__bindgen_anon_1.wqConfig };
                workqueues = Some((config.device, Workqueues::read(config)?));
            }
            // The work queues themselves are not simulated. Not measured.
            CUdevResourceType::CU_DEV_RESOURCE_TYPE_WORKQUEUE => {}
            _ => return Err(WRONG_TYPE),
        }
    }
    let description = join(parts, workqueues)?;
    let handle = call.state.resource_descriptions.insert(description);
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

/// Joins parts, and a configuration of work queues. Parts of several splits can be joined, contrary to the
/// documentation (measured). A configuration of another device is refused (not measured).
///
/// In the resource of the green context, a part that is named twice counts once. Hardware counts it twice (measured).
fn join(parts: Vec<Multiprocessors>, workqueues: Option<(CUdevice, Workqueues)>) -> Answer<Description> {
    let mut parts = parts.into_iter();
    let Some(mut all) = parts.next() else {
        say("green contexts without multiprocessors of their own are not simulated");
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    };
    for part in parts {
        if part.device != all.device {
            return Err(WRONG_CONFIGURATION);
        }
        all.grain = all.grain.min(part.grain);
        all.numbers.extend(part.numbers);
    }
    all.numbers.sort_unstable();
    all.numbers.dedup();
    all.is_part = false;
    match workqueues {
        Some((device, _)) if device != all.device => Err(WRONG_CONFIGURATION),
        _ => {
            let workqueues = workqueues.map_or(Workqueues::DEFAULT, |(_, workqueues)| workqueues);
            Ok(Description { multiprocessors: Arc::new(all), workqueues })
        }
    }
}
