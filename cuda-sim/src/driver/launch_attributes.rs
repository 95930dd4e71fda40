//! Launches that are described by a structure with a list of attributes.

#![allow(unsafe_code)]

use super::general::say;
use super::launch::{Shape, launch};
use super::{Answer, Call};
use crate::generated::since;
use core::ffi::c_void;
use cuda_sys::{
    CUfunction, CUlaunchAttribute, CUlaunchAttributeID_enum as Attribute, CUlaunchConfig, CUresult,
};

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn launch_with_attributes(
    call: &mut Call<'_>,
    config: *const CUlaunchConfig,
    function: CUfunction,
    params: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Answer {
    if config.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so valid for a read.
    let config = unsafe { config.read() };
    let mut shape = Shape {
        grid: [config.gridDimX, config.gridDimY, config.gridDimZ],
        block: [config.blockDimX, config.blockDimY, config.blockDimZ],
        shared_bytes: config.sharedMemBytes,
        stream: config.hStream,
        cooperative: false,
        in_clusters: false,
    };
    if config.attrs.is_null() && config.numAttrs > 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    for index in 0..config.numAttrs as usize {
        // SAFETY: within the list, as its length says.
        let place = unsafe { config.attrs.add(index) };
        // SAFETY: as above, and valid for a read.
        let attribute = unsafe { place.read() };
        call.state.require(since::LAUNCH_ATTRIBUTES, attribute.id.0)?;
        apply(&mut shape, &attribute)?;
    }
    // SAFETY: the program's promise.
    unsafe { launch(call, function, shape, params, extra) }
}

/// What an attribute asks for. Hints about where and how well a kernel runs are taken without an effect.
fn apply(shape: &mut Shape, attribute: &CUlaunchAttribute) -> Answer {
    match attribute.id {
        Attribute::CU_LAUNCH_ATTRIBUTE_IGNORE
        | Attribute::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW
        | Attribute::CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE
        // The kernel may begin before the one in front of it has ended. That it does not is one of its choices.
        | Attribute::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION
        | Attribute::CU_LAUNCH_ATTRIBUTE_PRIORITY
        | Attribute::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP
        | Attribute::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN
        | Attribute::CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
        | Attribute::CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING => Ok(()),
        // A stream has this one, and a launch does not (measured); the other numbers are not given yet (measured).
        Attribute::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY | Attribute(15 | 19..) => {
            Err(CUresult::CUDA_ERROR_INVALID_VALUE)
        }
        Attribute::CU_LAUNCH_ATTRIBUTE_COOPERATIVE => {
            // SAFETY: the attribute says that this is what the value holds.
            shape.cooperative = unsafe { attribute.value.cooperative } != 0;
            Ok(())
        }
        Attribute::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION => {
            // SAFETY: as above.
            let cluster = unsafe { attribute.value.clusterDim };
            if (cluster.x, cluster.y, cluster.z) == (1, 1, 1) {
                shape.in_clusters = true;
                return Ok(());
            }
            say("launches with clusters of more than one block are not simulated yet");
            Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
        }
        unknown if unknown.0 > Attribute::CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE.0 => {
            Err(CUresult::CUDA_ERROR_INVALID_VALUE)
        }
        Attribute(number) => {
            say(&format!("launch attribute {number} is not simulated yet"));
            Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
        }
    }
}
