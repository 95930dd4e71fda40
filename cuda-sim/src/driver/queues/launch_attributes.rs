//! Launches by `cuLaunchKernelEx`, whose configuration has a list of attributes.

#![allow(unsafe_code)]

use crate::console::say;
use crate::driver::handles::Handle;
use crate::driver::queues::dependency::EdgeData;
use crate::driver::queues::event;
use crate::driver::queues::kernel_arguments::Arguments;
use crate::driver::queues::launch::{ClusterWish, Shape, launch_with};
use crate::driver::rules::since;
use crate::driver::{Answer, Call};
use core::ffi::{c_int, c_void};
use cuda_sys::{
    CUaccessPolicyWindow, CUaccessProperty_enum as Access, CUdevice_attribute_enum as DeviceAttribute,
    CUevent, CUevent_flags_enum as EventFlags, CUfunction, CUlaunchAttribute, CUlaunchAttributeID,
    CUlaunchAttributeID_enum as Attribute, CUlaunchAttributePortableClusterMode_enum as PortableMode,
    CUlaunchAttributeValue, CUlaunchConfig, CUlaunchMemSyncDomainMap, CUresult,
    CUsharedMemoryMode_enum as SharedMode,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Requests of the attributes of a launch. If an attribute occurs several times, the last one counts (measured).
#[derive(Default)]
struct Wishes {
    cooperative: bool,
    /// Blocks in a cluster along x, y and z. Three zeros mean no cluster (measured).
    cluster: Option<[u32; 3]>,
    preferred: Option<[u32; 3]>,
    /// Permission for large clusters. `None` if the function decides.
    allows_large_clusters: Option<bool>,
    /// Events to record when all blocks have triggered them, or have begun.
    events: [Option<(CUevent, EdgeData)>; 2],
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn launch_with_attributes(
    call: &mut Call<'_>,
    config: *const CUlaunchConfig,
    function: CUfunction,
    params: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Answer {
    if config.is_null() {
        return Err(INVALID);
    }
    // SAFETY: not null, so valid for a read.
    let config = unsafe { config.read() };
    // A missing function is reported first (measured).
    let function = call.launchable(function)?;
    let context = call.function(function)?.0.context;
    if config.attrs.is_null() && config.numAttrs > 0 {
        return Err(INVALID);
    }
    let mut wishes = Wishes::default();
    let is_captured = !call.state.captures.is_empty()
        && call.state.stream(config.hStream).is_ok_and(|on| call.state.captures.of_stream(on.0).is_some());
    let mut captured = Vec::new();
    for index in 0..config.numAttrs as usize {
        // SAFETY: within the list, as its length says.
        let place = unsafe { config.attrs.add(index) };
        // SAFETY: as above, and valid for a read.
        let attribute = unsafe { place.read() };
        call.state.require(since::LAUNCH_ATTRIBUTES, attribute.id.0)?;
        if attribute.id == Attribute::CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE && is_captured {
            // SAFETY: the attribute determines the member of the value.
            check_updatable(unsafe { attribute.value.deviceUpdatableKernelNode }.deviceUpdatable)?;
        } else {
            wishes.add(call, context, &attribute)?;
        }
        if is_captured {
            captured.push(attribute);
        }
    }
    let grid = [config.gridDimX, config.gridDimY, config.gridDimZ];
    let shape = Shape {
        grid,
        block: [config.blockDimX, config.blockDimY, config.blockDimZ],
        shared_bytes: config.sharedMemBytes,
        stream: config.hStream,
        cooperative: wishes.cooperative,
        cluster: ClusterWish {
            size: wishes.checked_cluster(grid)?,
            allows_large: wishes.allows_large_clusters,
        },
    };
    let arguments = Arguments::Lists { params, extra };
    // SAFETY: the program's promise.
    unsafe { launch_with(call, function, shape, arguments, &captured) }?;
    // The events may be recorded as late as at the end of the kernel.
    for (event, data) in wishes.events.into_iter().flatten() {
        event::record(call, event, config.hStream)?;
        call.state.set_captured_edges(Handle::of(event), data);
    }
    Ok(())
}

/// Refuses updates of nodes by kernels.
fn check_updatable(updatable: c_int) -> Answer {
    match updatable {
        0 => Ok(()),
        1 => {
            say("nodes that kernels update are not simulated");
            Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
        }
        _ => Err(INVALID),
    }
}

/// Returns the size of the member of a value that an attribute has. Programs for CUDA before 11.8 have values of 32 bytes, others of 64.
fn member_bytes(id: CUlaunchAttributeID) -> usize {
    match id {
        Attribute::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW => size_of::<CUaccessPolicyWindow>(),
        Attribute::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
        | Attribute::CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION => 12,
        Attribute::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP => size_of::<CUlaunchMemSyncDomainMap>(),
        Attribute::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT
        | Attribute::CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT
        | Attribute::CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE => 16,
        _ => size_of::<c_int>(),
    }
}

/// Reads the member of an attribute's value.
///
/// # Safety
///
/// `from` is valid for a read of the member.
pub(crate) unsafe fn read_value(
    id: CUlaunchAttributeID,
    from: *const CUlaunchAttributeValue,
) -> CUlaunchAttributeValue {
    let mut value = CUlaunchAttributeValue { pad: [0; 64] };
    let to = (&raw mut value).cast::<u8>();
    // SAFETY: the caller's promise; no member is larger than the value.
    unsafe { to.copy_from_nonoverlapping(from.cast(), member_bytes(id)) };
    value
}

/// Writes the member of an attribute's value.
///
/// # Safety
///
/// `to` is valid for a write of the member.
pub(crate) unsafe fn put_value(
    id: CUlaunchAttributeID,
    to: *mut CUlaunchAttributeValue,
    value: &CUlaunchAttributeValue,
) {
    let from = std::ptr::from_ref(value).cast::<u8>();
    // SAFETY: the caller's promise; no member is larger than the value.
    unsafe { to.cast::<u8>().copy_from_nonoverlapping(from, member_bytes(id)) };
}

/// Checks an attribute of a node.
pub(crate) fn check_attribute(call: &Call<'_>, context: Handle, attribute: &CUlaunchAttribute) -> Answer {
    if attribute.id == Attribute::CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE {
        // SAFETY: the attribute determines the member of the value.
        return check_updatable(unsafe { attribute.value.deviceUpdatableKernelNode }.deviceUpdatable);
    }
    Wishes::default().add(call, context, attribute)
}

impl Wishes {
    /// Adds an attribute. Hints about the placement and performance of a kernel have no effect, but their ranges are
    /// checked. All ranges are measured.
    fn add(&mut self, call: &Call<'_>, context: Handle, attribute: &CUlaunchAttribute) -> Answer {
        let CUlaunchAttribute { id, value, .. } = attribute;
        let within = |value: u32, most: u32| if value <= most { Ok(()) } else { Err(INVALID) };
        match *id {
            Attribute::CU_LAUNCH_ATTRIBUTE_IGNORE
            // A number outside of the range is clamped.
            | Attribute::CU_LAUNCH_ATTRIBUTE_PRIORITY
            // A driver may begin the kernel before the previous one has ended. This driver never does.
            | Attribute::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION => Ok(()),
            Attribute::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW => {
                let device = call.state.live_context(context)?.device;
                let most = call.state.limit_of(
                    device,
                    DeviceAttribute::CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE,
                );
                // SAFETY: the attribute determines the member of the value.
                check_window(unsafe { value.accessPolicyWindow }, most)
            }
            Attribute::CU_LAUNCH_ATTRIBUTE_COOPERATIVE => {
                // SAFETY: as above.
                self.cooperative = unsafe { value.cooperative } != 0;
                Ok(())
            }
            Attribute::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION => {
                // SAFETY: as above.
                let cluster = unsafe { value.clusterDim };
                self.cluster = blocks([cluster.x, cluster.y, cluster.z]);
                Ok(())
            }
            Attribute::CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION => {
                // SAFETY: as above.
                let cluster = unsafe { value.preferredClusterDim };
                self.preferred = blocks([cluster.x, cluster.y, cluster.z]);
                Ok(())
            }
            Attribute::CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE => {
                // SAFETY: as above.
                within(unsafe { value.clusterSchedulingPolicyPreference }.0, 2)
            }
            Attribute::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT => {
                // SAFETY: as above.
                let wish = unsafe { value.programmaticEvent };
                check_event(call, context, wish.event, wish.flags, EventFlags::CU_EVENT_INTERPROCESS.0)?;
                let from_port = if wish.triggerAtBlockStart == 0 { 1 } else { 2 };
                self.events[0] = Some((wish.event, EdgeData { from_port, to_port: 0, kind: 1 }));
                Ok(())
            }
            Attribute::CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT => {
                // SAFETY: as above.
                let wish = unsafe { value.launchCompletionEvent };
                let refused = EventFlags::CU_EVENT_INTERPROCESS.0 | EventFlags::CU_EVENT_BLOCKING_SYNC.0;
                check_event(call, context, wish.event, wish.flags, refused)?;
                self.events[1] = Some((wish.event, EdgeData { from_port: 2, to_port: 0, kind: 0 }));
                Ok(())
            }
            Attribute::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP => {
                let device = call.state.live_context(context)?.device;
                let domains =
                    call.state.limit_of(device, DeviceAttribute::CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT);
                // SAFETY: as above.
                let map = unsafe { value.memSyncDomainMap };
                let known = u64::from(map.default_.max(map.remote)) < domains;
                if known { Ok(()) } else { Err(INVALID) }
            }
            Attribute::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN => {
                // SAFETY: as above.
                within(unsafe { value.memSyncDomain }.0, 1)
            }
            // This attribute is for graphs.
            Attribute::CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE => {
                Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
            }
            Attribute::CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT => {
                // SAFETY: as above.
                within(unsafe { value.sharedMemCarveout }, 100)
            }
            Attribute::CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING => {
                // SAFETY: as above.
                within(unsafe { value.nvlinkUtilCentricScheduling }, 1)
            }
            // Documented, and not measured.
            Attribute::CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE => {
                // SAFETY: as above.
                self.allows_large_clusters = match unsafe { value.portableClusterSizeMode } {
                    PortableMode::CU_LAUNCH_PORTABLE_CLUSTER_MODE_DEFAULT => None,
                    PortableMode::CU_LAUNCH_PORTABLE_CLUSTER_MODE_REQUIRE_PORTABLE => Some(false),
                    PortableMode::CU_LAUNCH_PORTABLE_CLUSTER_MODE_ALLOW_NON_PORTABLE => Some(true),
                    _ => return Err(INVALID),
                };
                Ok(())
            }
            Attribute::CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE => {
                // SAFETY: as above.
                match unsafe { value.sharedMemoryMode } {
                    // The attribute of the function applies, as without this one.
                    SharedMode::CU_SHARED_MEMORY_MODE_DEFAULT => Ok(()),
                    // No driver with these modes was measured.
                    mode => {
                        say(&format!("launch attribute {} is not simulated yet with value {}", id.0, mode.0));
                        Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
                    }
                }
            }
            // Number 3 is an attribute of streams only. The others do not exist yet.
            _ => Err(INVALID),
        }
    }

    /// Returns the size of clusters, if there is one. It must divide the grid.
    fn checked_cluster(&self, grid: [u32; 3]) -> Answer<Option<[u32; 3]>> {
        let Some(cluster) = self.cluster else {
            // A preferred size needs a size.
            return if self.preferred.is_none() { Ok(None) } else { Err(CLUSTER_SIZE) };
        };
        let divides = |small: [u32; 3], large: [u32; 3]| {
            small.into_iter().zip(large).all(|(small, large)| small != 0 && large.is_multiple_of(small))
        };
        let preferred_fits =
            self.preferred.is_none_or(|preferred| divides(cluster, preferred) && divides(preferred, grid));
        if !divides(cluster, grid) || !preferred_fits {
            return Err(CLUSTER_SIZE);
        }
        // A device may ignore the preferred size, as this one does.
        Ok(Some(cluster))
    }
}

const CLUSTER_SIZE: CUresult = CUresult::CUDA_ERROR_INVALID_CLUSTER_SIZE;

fn blocks(cluster: [u32; 3]) -> Option<[u32; 3]> {
    (cluster != [0; 3]).then_some(cluster)
}

/// Checks an access window. The address and the property of hits are not checked. The only property of misses that is
/// refused is `CU_ACCESS_PROPERTY_PERSISTING` (measured).
fn check_window(window: CUaccessPolicyWindow, most_bytes: u64) -> Answer {
    let CUaccessPolicyWindow { num_bytes, hitRatio: ratio, missProp: miss, .. } = window;
    let too_large = num_bytes as u64 > most_bytes;
    // NaN is accepted.
    let ratio_beyond = !ratio.is_nan() && !(0.0..=1.0).contains(&ratio);
    if too_large || ratio_beyond || miss == Access::CU_ACCESS_PROPERTY_PERSISTING {
        return Err(INVALID);
    }
    Ok(())
}

/// Checks an event that a launch records. It must not record times, nor have the `refused` flags. The record flags must
/// be 0, because they are for graphs.
fn check_event(call: &Call<'_>, context: Handle, event: CUevent, flags: c_int, refused: u32) -> Answer {
    let (of, has) = event::flags_of(call, event)?;
    if of != context {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    match flags {
        0 => {}
        1 => return Err(CUresult::CUDA_ERROR_ILLEGAL_STATE),
        _ => return Err(INVALID),
    }
    if has & EventFlags::CU_EVENT_DISABLE_TIMING.0 == 0 || has & refused != 0 {
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    Ok(())
}
