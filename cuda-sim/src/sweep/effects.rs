//! Calls that create objects, and calls that release objects. If a call that releases an object fails, the program is
//! not responsible for the object.

use crate::LiveHandles;
use cuda_sys::Symbol;

/// Removes from `live` the external memory that a program may keep because it cannot know that this
/// call has done its work. Returns whether the call can release a mapping of external memory.
pub(super) fn keeps(call: Symbol, live: &mut LiveHandles) -> bool {
    let ends_mapping = matches!(call, Symbol::cuMemFree_v2 | Symbol::cuMipmappedArrayDestroy);
    if ends_mapping {
        keeps_external_memory(live);
    }
    ends_mapping
}

/// Removes one external memory and its context from `live`, if there is one. A program must
/// keep both until it knows that the mapping is released.
fn keeps_external_memory(live: &mut LiveHandles) {
    if live.external_memories > 0 {
        live.external_memories -= 1;
        live.contexts = live.contexts.saturating_sub(1);
        live.primary_contexts = live.primary_contexts.saturating_sub(1);
        live.primary_retains = live.primary_retains.saturating_sub(1);
    }
}

/// Removes from `live` the objects that stay because this call failed. Returns whether the call releases any.
pub(super) fn ends(call: Symbol, live: &mut LiveHandles) -> bool {
    use Symbol as S;
    let one = |count: &mut usize| *count = count.saturating_sub(1);
    match call {
        S::cuCtxDestroy_v2 => {
            one(&mut live.contexts);
            // The kernels of a context that stays may use the pools of its peers.
            live.pool_grants = 0;
        }
        S::cuDevicePrimaryCtxRelease_v2 => {
            one(&mut live.primary_contexts);
            live.primary_retains = live.primary_retains.saturating_sub(1);
        }
        S::cuGreenCtxDestroy => {
            one(&mut live.green_contexts);
            // A green context that stays keeps its primary context alive.
            one(&mut live.primary_contexts);
        }
        S::cuStreamDestroy_v2 => one(&mut live.streams),
        S::cuEventDestroy_v2 => one(&mut live.events),
        S::cuGraphDestroy => one(&mut live.graphs),
        S::cuGraphExecDestroy => one(&mut live.executables),
        S::cuUserObjectRelease => one(&mut live.user_objects),
        S::cuArrayDestroy => one(&mut live.arrays),
        S::cuMipmappedArrayDestroy => {
            one(&mut live.mipmapped_arrays);
            keeps_external_memory(live);
        }
        S::cuTexRefDestroy => one(&mut live.texture_references),
        S::cuTexObjectDestroy => one(&mut live.texture_objects),
        S::cuSurfObjectDestroy => one(&mut live.surface_objects),
        S::cuModuleUnload => one(&mut live.modules),
        S::cuLibraryUnload => one(&mut live.libraries),
        // Ends profiling, which is not counted.
        S::cuProfilerStop => {}
        S::cuLinkDestroy => one(&mut live.linkers),
        S::cuMemFree_v2 if live.external_mappings > 0 => {
            one(&mut live.external_mappings);
            live.external_bytes = 0;
            keeps_external_memory(live);
        }
        S::cuMemFree_v2 if live.managed_allocations > 0 => {
            one(&mut live.managed_allocations);
            live.managed_bytes = 0;
        }
        S::cuMemFreeHost => {
            one(&mut live.host_allocations);
            live.host_bytes = 0;
        }
        S::cuMemHostUnregister => {
            one(&mut live.registered_ranges);
            live.registered_bytes = 0;
        }
        S::cuMemFree_v2 => {
            one(&mut live.device_allocations);
            live.device_bytes = 0;
        }
        S::cuIpcCloseMemHandle => {
            one(&mut live.opened_allocations);
            live.opened_bytes = 0;
        }
        S::cuMemFreeAsync => {
            one(&mut live.pool_allocations);
            live.pool_bytes = 0;
            // A pool must not be destroyed while its memory is in use (fact V1107).
            one(&mut live.memory_pools);
        }
        S::cuMemPoolDestroy => one(&mut live.memory_pools),
        S::cuMemRelease => {
            one(&mut live.memory_handles);
            live.memory_bytes = 0;
        }
        S::cuMemUnmap => {
            one(&mut live.mapped_ranges);
            live.mapped_bytes = 0;
        }
        S::cuMemAddressFree => {
            one(&mut live.reserved_ranges);
            live.reserved_bytes = 0;
        }
        S::cuLogicalEndpointDestroy => {
            one(&mut live.logical_endpoints);
            // Its number stays with it, as do the numbers that were reserved together.
            live.logical_endpoint_ids = 0;
        }
        S::cuLogicalEndpointIdRelease => live.logical_endpoint_ids = 0,
        S::cuDestroyExternalMemory => one(&mut live.external_memories),
        S::cuDestroyExternalSemaphore => one(&mut live.external_semaphores),
        S::cuGraphicsUnregisterResource => one(&mut live.graphics_resources),
        // Ends a mapping, which is not counted.
        S::cuGraphicsUnmapResources => {}
        S::cuCtxDisablePeerAccess => one(&mut live.peers),
        S::cuMemPoolSetAccess => one(&mut live.pool_grants),
        _ => return false,
    }
    true
}

/// Returns whether a call creates an object, or makes a context current.
pub(super) fn makes(call: Symbol) -> bool {
    use Symbol as S;
    matches!(
        call,
        S::cuInit
            | S::cuDevicePrimaryCtxRetain
            | S::cuCtxCreate_v2
            | S::cuCtxCreate_v3
            | S::cuCtxCreate_v4
            | S::cuCtxPushCurrent_v2
            | S::cuCtxSetCurrent
            | S::cuGreenCtxCreate
            | S::cuGreenCtxStreamCreate
            | S::cuStreamCreate
            | S::cuStreamCreateWithPriority
            | S::cuEventCreate
            | S::cuMemAlloc_v2
            | S::cuMemAllocPitch_v2
            | S::cuMemAllocManaged
            | S::cuMemAllocHost_v2
            | S::cuMemHostAlloc
            | S::cuMemHostRegister_v2
            | S::cuMemAllocAsync
            | S::cuMemAllocFromPoolAsync
            | S::cuMemPoolCreate
            | S::cuMemPoolImportFromShareableHandle
            | S::cuMemPoolImportPointer
            | S::cuMemCreate
            | S::cuMemImportFromShareableHandle
            | S::cuMemAddressReserve
            | S::cuMemMap
            | S::cuMemRetainAllocationHandle
            | S::cuIpcOpenMemHandle_v2
            | S::cuIpcOpenEventHandle
            | S::cuLogicalEndpointIdReserve
            | S::cuLogicalEndpointCreate
            | S::cuLogicalEndpointImport
            | S::cuModuleLoad
            | S::cuModuleLoadData
            | S::cuModuleLoadDataEx
            | S::cuModuleLoadFatBinary
            | S::cuLibraryLoadData
            | S::cuLibraryLoadFromFile
            | S::cuLinkCreate_v2
            | S::cuMulticastCreate
            | S::cuGraphCreate
            | S::cuGraphClone
            | S::cuGraphInstantiate_v2
            | S::cuGraphInstantiateWithFlags
            | S::cuGraphInstantiateWithParams
            | S::cuStreamEndCapture
            | S::cuUserObjectCreate
            | S::cuImportExternalMemory
            | S::cuExternalMemoryGetMappedBuffer
            | S::cuExternalMemoryGetMappedMipmappedArray
            | S::cuImportExternalSemaphore
            | S::cuGraphicsGLRegisterBuffer
            | S::cuGraphicsGLRegisterImage
            | S::cuArrayCreate_v2
            | S::cuArray3DCreate_v2
            | S::cuMipmappedArrayCreate
            | S::cuTexRefCreate
            | S::cuTexObjectCreate
            | S::cuSurfObjectCreate
            | S::cuCtxEnablePeerAccess
            | S::cuMemPoolSetAccess
    )
}
