//! Attributes of kernel nodes: properties of the launch other than the function, the grid and the arguments.

#![allow(unsafe_code)]

use crate::driver::graphs::operation::Operation;
use crate::driver::queues::launch::{KernelWork, LaunchValue};
use crate::driver::queues::launch_attributes::{check_attribute, put_value, read_value};
use crate::driver::rules::since;
use crate::driver::{Answer, Call, State, check_out};
use cuda_sys::{
    CUgraphNode, CUkernelNodeAttrID, CUkernelNodeAttrValue, CUlaunchAttribute,
    CUlaunchAttributeID_enum as Id, CUresult,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Attributes of a kernel node.
const KNOWN: [CUkernelNodeAttrID; 9] = [
    Id::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW,
    Id::CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
    Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
    Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE,
    Id::CU_LAUNCH_ATTRIBUTE_PRIORITY,
    Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP,
    Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN,
    Id::CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE,
    Id::CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
];

/// Returns the kernel of a node.
fn kernel_of(state: &State, node: CUgraphNode) -> Answer<&KernelWork> {
    match &state.node(node)?.operation {
        Operation::Kernel(work) => Ok(work),
        _ => Err(INVALID),
    }
}

fn kernel_of_mut(state: &mut State, node: CUgraphNode) -> Answer<&mut KernelWork> {
    match &mut state.node_mut(node)?.operation {
        Operation::Kernel(work) => Ok(work),
        _ => Err(INVALID),
    }
}

fn check_known(call: &Call<'_>, id: CUkernelNodeAttrID) -> Answer {
    if KNOWN.contains(&id) { call.state.require(since::LAUNCH_ATTRIBUTES, id.0) } else { Err(INVALID) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get(
    call: &mut Call<'_>,
    node: CUgraphNode,
    id: CUkernelNodeAttrID,
    to: *mut CUkernelNodeAttrValue,
) -> Answer {
    check_out(to)?;
    check_known(call, id)?;
    let value = kernel_of(call.state, node)?.attribute(id);
    // SAFETY: not null, so valid for a write.
    unsafe { put_value(id, to, &value.0) };
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set(
    call: &mut Call<'_>,
    node: CUgraphNode,
    id: CUkernelNodeAttrID,
    value: *const CUkernelNodeAttrValue,
) -> Answer {
    if value.is_null() {
        return Err(INVALID);
    }
    if id != Id::CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING {
        check_known(call, id)?;
    }
    let context = kernel_of(call.state, node)?.context;
    // SAFETY: not null, so valid for a read.
    let mut value = unsafe { read_value(id, value) };
    if id == Id::CU_LAUNCH_ATTRIBUTE_PRIORITY {
        let device = call.state.live_context(context)?.device;
        let (greatest, least) = call.state.profile(device).stream_priorities;
        // SAFETY: the attribute determines the member of the value.
        value.priority = unsafe { value.priority }.max(greatest).min(least);
    }
    if id == Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION {
        // SAFETY: as above.
        let cluster = unsafe { value.clusterDim };
        let divides = |small: u32, large: u32| small == 0 || large.is_multiple_of(small);
        let [x, y, z] = kernel_of(call.state, node)?.blocks();
        let size = [cluster.x, cluster.y, cluster.z];
        let fits = kernel_of(call.state, node)?.can_have_cluster(size);
        if !fits || !divides(cluster.x, x) || !divides(cluster.y, y) || !divides(cluster.z, z) {
            return Err(CUresult::CUDA_ERROR_INVALID_CLUSTER_SIZE);
        }
    }
    check_attribute(call, context, &CUlaunchAttribute { id, pad: [0; 4], value })?;
    kernel_of_mut(call.state, node)?.set_attribute(id, LaunchValue(value));
    Ok(())
}

/// Copies the attributes of one kernel node to another.
pub(crate) fn copy(call: &mut Call<'_>, to: CUgraphNode, from: CUgraphNode) -> Answer {
    let from = kernel_of(call.state, from)?.clone();
    kernel_of_mut(call.state, to)?.keep_attributes(&from);
    Ok(())
}
