//! The simulated functions: the signature and the implementation of each. `rules` has their requirements.
//!
//! One line creates the function with C's calling convention that programs call.

#![allow(unsafe_code)]
#![allow(non_snake_case)]

use crate::driver::contexts::{
    context, context_limits, coredump, dev_resource, device, green_context, notification, peer_access,
    primary_context, sm_split,
};
use crate::driver::copies::{copy_batch, decompress, fill, linear_copy, pitched_entry_points};
use crate::driver::dispatch;
use crate::driver::entry_points::{initialization, proc_address, stubs};
use crate::driver::graphics::resource;
use crate::driver::graphs::{
    capture_entry_points, changes, conditional_nodes, dot, edges, executable, generic_nodes,
    kernel_attributes, kernel_nodes, memory_nodes, memory_operation_nodes, node_entry_points,
    semaphore_nodes, topology, user_objects,
};
use crate::driver::images::{
    array, array_memory, external_image, linear_texture_limits, mapped_memory, surface_reference, tensor_map,
    texture_object, texture_reference, texture_reference_queries,
};
use crate::driver::memory::{
    device_memory, dma_buf, external_memory, host_memory, logical_endpoint, managed_attributes,
    managed_batch, managed_entry_points, memory_pool, multicast, pointer_attributes, pool_attributes,
    pool_sharing, virtual_memory, virtual_memory_sharing,
};
use crate::driver::modules::{function, library, library_kernel, library_load, linker, module, occupancy};
use crate::driver::processes::{checkpoint, error_log, ipc};
use crate::driver::queues::{
    event, host_function, launch, launch_attributes, legacy_launch, memory_operation, multi_device_launch,
    semaphore, stream, stream_attributes,
};
use core::ffi::{c_char, c_int, c_uchar, c_uint, c_ulonglong, c_ushort, c_void};
use core::ptr::NonNull;
use cuda_sys::*;

macro_rules! entries {
    ($($name:ident($($argument:ident: $type:ty),*) => $body:path;)*) => {
        $(
            unsafe extern "C" fn $name($($argument: $type),*) -> CUresult {
                dispatch(Symbol::$name, &mut |call| {
                    // SAFETY: the program's promise to the driver function of this name.
                    #[allow(unused_unsafe)]
                    unsafe { $body(call, $($argument),*) }
                })
            }
        )*

        /// Returns the function's address, if it is one of these.
        pub(crate) fn implemented(symbol: Symbol) -> Option<NonNull<c_void>> {
            match symbol {
                $(Symbol::$name => Some(stubs::address($name as *const ())),)*
                _ => None,
            }
        }

        /// Makes the compiler compare each signature with that of the driver API. Never called.
        #[allow(dead_code)]
        fn compare_signatures(table: &mut Table) {
            $(table.$name = $name;)*
        }
    };
}

entries! {
    cuInit(Flags: c_uint) => initialization::init;
    cuDriverGetVersion(driverVersion: *mut c_int) => initialization::driver_version;
    cuProfilerInitialize(configFile: *const c_char, outputFile: *const c_char, outputMode: CUoutput_mode) => initialization::profiler_initialize;
    cuProfilerStart() => initialization::profiler;
    cuProfilerStop() => initialization::profiler;
    cuGetErrorName(error: CUresult, pStr: *mut *const c_char) => initialization::error_name;
    cuGetErrorString(error: CUresult, pStr: *mut *const c_char) => initialization::error_string;

    cuCoredumpGetAttribute(attrib: CUcoredumpSettings, value: *mut c_void, size: *mut usize) => coredump::get;
    cuCoredumpGetAttributeGlobal(attrib: CUcoredumpSettings, value: *mut c_void, size: *mut usize) => coredump::get_global;
    cuCoredumpSetAttribute(attrib: CUcoredumpSettings, value: *mut c_void, size: *mut usize) => coredump::set;
    cuCoredumpSetAttributeGlobal(attrib: CUcoredumpSettings, value: *mut c_void, size: *mut usize) => coredump::set_global;
    cuCoredumpRegisterStartCallback(callback: CUcoredumpStatusCallback, userData: *mut c_void, callbackOut: *mut CUcoredumpCallbackHandle) => coredump::register_start;
    cuCoredumpRegisterCompleteCallback(callback: CUcoredumpStatusCallback, userData: *mut c_void, callbackOut: *mut CUcoredumpCallbackHandle) => coredump::register_complete;
    cuCoredumpDeregisterStartCallback(callback: CUcoredumpCallbackHandle) => coredump::deregister_start;
    cuCoredumpDeregisterCompleteCallback(callback: CUcoredumpCallbackHandle) => coredump::deregister_complete;
    cuCheckpointProcessGetRestoreThreadId(pid: c_int, tid: *mut c_int) => checkpoint::restore_thread;
    cuCheckpointProcessGetState(pid: c_int, state: *mut CUprocessState) => checkpoint::state;
    cuCheckpointProcessLock(pid: c_int, args: *mut CUcheckpointLockArgs) => checkpoint::lock;
    cuCheckpointProcessCheckpoint(pid: c_int, args: *mut CUcheckpointCheckpointArgs) => checkpoint::checkpoint;
    cuCheckpointProcessRestore(pid: c_int, args: *mut CUcheckpointRestoreArgs) => checkpoint::restore;
    cuCheckpointOperationComplete(handle: CUcheckpointOperationHandle) => checkpoint::complete;
    cuCheckpointProcessUnlock(pid: c_int, args: *mut CUcheckpointUnlockArgs) => checkpoint::unlock;
    cuLogsRegisterCallback(callbackFunc: CUlogsCallback, userData: *mut c_void, callback_out: *mut CUlogsCallbackHandle) => error_log::register;
    cuLogsUnregisterCallback(callback: CUlogsCallbackHandle) => error_log::unregister;
    cuLogsCurrent(iterator_out: *mut CUlogIterator, flags: c_uint) => error_log::current;
    cuLogsDumpToFile(iterator: *mut CUlogIterator, pathToFile: *const c_char, flags: c_uint) => error_log::dump_to_file;
    cuLogsDumpToMemory(iterator: *mut CUlogIterator, buffer: *mut c_char, size: *mut usize, flags: c_uint) => error_log::dump_to_memory;

    cuGetProcAddress(symbol: *const c_char, pfn: *mut *mut c_void, cudaVersion: c_int, flags: cuuint64_t) => proc_address::first;
    cuGetProcAddress_v2(symbol: *const c_char, pfn: *mut *mut c_void, cudaVersion: c_int, flags: cuuint64_t, symbolStatus: *mut CUdriverProcAddressQueryResult) => proc_address::with_status;

    cuDeviceGet(device: *mut CUdevice, ordinal: c_int) => device::get;
    cuDeviceGetCount(count: *mut c_int) => device::count;
    cuDeviceGetName(name: *mut c_char, len: c_int, dev: CUdevice) => device::name;
    cuDeviceGetUuid(uuid: *mut CUuuid, dev: CUdevice) => device::uuid;
    cuDeviceGetUuid_v2(uuid: *mut CUuuid, dev: CUdevice) => device::uuid;
    cuDeviceGetLuid(luid: *mut c_char, deviceNodeMask: *mut c_uint, dev: CUdevice) => device::luid;
    cuDeviceGetNvSciSyncAttributes(nvSciSyncAttrList: *mut c_void, dev: CUdevice, flags: c_int) => notification::scisync_attributes;
    cuDeviceRegisterAsyncNotification(device: CUdevice, callbackFunc: CUasyncCallback, userData: *mut c_void, callback: *mut CUasyncCallbackHandle) => notification::register;
    cuDeviceUnregisterAsyncNotification(device: CUdevice, callback: CUasyncCallbackHandle) => notification::unregister;
    cuDeviceTotalMem_v2(bytes: *mut usize, dev: CUdevice) => device::total_memory;
    cuDeviceGetAttribute(pi: *mut c_int, attrib: CUdevice_attribute, dev: CUdevice) => device::attribute;
    cuDeviceGetTexture1DLinearMaxWidth(maxWidthInElements: *mut usize, format: CUarray_format, numChannels: c_uint, dev: CUdevice) => linear_texture_limits::longest;
    cuDeviceComputeCapability(major: *mut c_int, minor: *mut c_int, dev: CUdevice) => device::compute_capability;
    cuDeviceGetProperties(prop: *mut CUdevprop, dev: CUdevice) => device::properties;
    cuDeviceGetPCIBusId(pciBusId: *mut c_char, len: c_int, dev: CUdevice) => device::pci_bus_id;
    cuDeviceGetByPCIBusId(dev: *mut CUdevice, pciBusId: *const c_char) => device::by_pci_bus_id;
    cuDeviceCanAccessPeer(canAccessPeer: *mut c_int, dev: CUdevice, peerDev: CUdevice) => peer_access::can_access;
    cuDeviceGetP2PAttribute(value: *mut c_int, attrib: CUdevice_P2PAttribute, srcDevice: CUdevice, dstDevice: CUdevice) => peer_access::attribute;

    cuDevicePrimaryCtxRetain(pctx: *mut CUcontext, dev: CUdevice) => primary_context::retain;
    cuDevicePrimaryCtxRelease_v2(dev: CUdevice) => primary_context::release;
    cuDevicePrimaryCtxReset_v2(dev: CUdevice) => primary_context::reset;
    cuDevicePrimaryCtxSetFlags_v2(dev: CUdevice, flags: c_uint) => primary_context::set_flags;
    cuDevicePrimaryCtxGetState(dev: CUdevice, flags: *mut c_uint, active: *mut c_int) => primary_context::state;
    cuCtxCreate_v2(pctx: *mut CUcontext, flags: c_uint, dev: CUdevice) => context::create;
    cuCtxCreate_v4(pctx: *mut CUcontext, ctxCreateParams: *mut CUctxCreateParams, flags: c_uint, dev: CUdevice) => context::create_with_params;
    cuCtxDestroy_v2(ctx: CUcontext) => context::destroy;
    cuCtxAttach(pctx: *mut CUcontext, flags: c_uint) => context::attach;
    cuCtxDetach(ctx: CUcontext) => context::detach;
    cuCtxPushCurrent_v2(ctx: CUcontext) => context::push;
    cuCtxPopCurrent_v2(pctx: *mut CUcontext) => context::pop;
    cuCtxSetCurrent(ctx: CUcontext) => context::set_current;
    cuCtxGetCurrent(pctx: *mut CUcontext) => context::get_current;
    cuCtxGetDevice(device: *mut CUdevice) => context::get_device;
    cuCtxGetFlags(flags: *mut c_uint) => context::get_flags;
    cuCtxGetId(ctx: CUcontext, ctxId: *mut c_ulonglong) => context::get_id;
    cuCtxGetApiVersion(ctx: CUcontext, version: *mut c_uint) => context::get_api_version;
    cuCtxSetFlags(flags: c_uint) => context::set_flags;
    cuCtxResetPersistingL2Cache() => context::reset_cache;
    cuCtxCreate_v3(pctx: *mut CUcontext, paramsArray: *mut CUexecAffinityParam, numParams: c_int, flags: c_uint, dev: CUdevice) => context::create_with_affinity;
    cuCtxSynchronize_v2(ctx: CUcontext) => context::synchronize_other;
    cuCtxGetDevice_v2(device: *mut CUdevice, ctx: CUcontext) => context::get_device_of;
    cuCtxSynchronize() => context::synchronize;
    cuCtxGetLimit(pvalue: *mut usize, limit: CUlimit) => context_limits::get_limit;
    cuCtxSetLimit(limit: CUlimit, value: usize) => context_limits::set_limit;
    cuCtxGetExecAffinity(pExecAffinity: *mut CUexecAffinityParam, type_: CUexecAffinityType) => context::get_affinity;
    cuDeviceGetExecAffinitySupport(pi: *mut c_int, type_: CUexecAffinityType, dev: CUdevice) => context::affinity_support;
    cuCtxRecordEvent(hCtx: CUcontext, hEvent: CUevent) => event::record_of_context;
    cuCtxWaitEvent(hCtx: CUcontext, hEvent: CUevent) => event::wait_of_context;
    cuDeviceGetP2PAtomicCapabilities(capabilities: *mut c_uint, operations: *const CUatomicOperation, count: c_uint, srcDevice: CUdevice, dstDevice: CUdevice) => peer_access::atomic_capabilities;
    cuDeviceGetHostAtomicCapabilities(capabilities: *mut c_uint, operations: *const CUatomicOperation, count: c_uint, dev: CUdevice) => peer_access::host_atomic_capabilities;
    cuCtxGetCacheConfig(pconfig: *mut CUfunc_cache) => context::get_cache_config;
    cuCtxGetSharedMemConfig(pConfig: *mut CUsharedconfig) => context::get_shared_config;
    cuCtxSetSharedMemConfig(config: CUsharedconfig) => context::set_shared_config;
    cuCtxSetCacheConfig(config: CUfunc_cache) => context::set_cache_config;
    cuCtxGetStreamPriorityRange(leastPriority: *mut c_int, greatestPriority: *mut c_int) => device::stream_priority_range;

    cuGreenCtxCreate(phCtx: *mut CUgreenCtx, desc: CUdevResourceDesc, dev: CUdevice, flags: c_uint) => green_context::create;
    cuGreenCtxDestroy(hCtx: CUgreenCtx) => green_context::destroy;
    cuCtxFromGreenCtx(pContext: *mut CUcontext, hCtx: CUgreenCtx) => green_context::as_context;
    cuDeviceGetDevResource(device: CUdevice, resource: *mut CUdevResource, type_: CUdevResourceType) => dev_resource::of_device;
    cuCtxGetDevResource(hCtx: CUcontext, resource: *mut CUdevResource, type_: CUdevResourceType) => dev_resource::of_context;
    cuGreenCtxGetDevResource(hCtx: CUgreenCtx, resource: *mut CUdevResource, type_: CUdevResourceType) => dev_resource::of_green_context;
    cuDevSmResourceSplitByCount(result: *mut CUdevResource, nbGroups: *mut c_uint, input: *const CUdevResource, remainder: *mut CUdevResource, flags: c_uint, minCount: c_uint) => sm_split::split_by_count;
    cuDevSmResourceSplit(result: *mut CUdevResource, nbGroups: c_uint, input: *const CUdevResource, remainder: *mut CUdevResource, flags: c_uint, groupParams: *mut CU_DEV_SM_RESOURCE_GROUP_PARAMS) => sm_split::split;
    cuDevResourceGenerateDesc(phDesc: *mut CUdevResourceDesc, resources: *mut CUdevResource, nbResources: c_uint) => dev_resource::describe;
    cuGreenCtxRecordEvent(hCtx: CUgreenCtx, hEvent: CUevent) => event::record_of_green_context;
    cuGreenCtxWaitEvent(hCtx: CUgreenCtx, hEvent: CUevent) => event::wait_of_green_context;
    cuStreamGetGreenCtx(hStream: CUstream, phCtx: *mut CUgreenCtx) => stream::get_green_context;
    cuGreenCtxStreamCreate(phStream: *mut CUstream, greenCtx: CUgreenCtx, flags: c_uint, priority: c_int) => stream::create_in_green_context;
    cuGreenCtxGetId(greenCtx: CUgreenCtx, greenCtxId: *mut c_ulonglong) => green_context::get_id;
    cuStreamGetDevResource(hStream: CUstream, resource: *mut CUdevResource, type_: CUdevResourceType) => stream::get_resource;

    cuCtxEnablePeerAccess(peerContext: CUcontext, Flags: c_uint) => peer_access::enable;
    cuCtxDisablePeerAccess(peerContext: CUcontext) => peer_access::disable;

    cuStreamCreate(phStream: *mut CUstream, Flags: c_uint) => stream::create;
    cuStreamCreateWithPriority(phStream: *mut CUstream, flags: c_uint, priority: c_int) => stream::create_with_priority;
    cuStreamDestroy_v2(hStream: CUstream) => stream::destroy;
    cuStreamSynchronize(hStream: CUstream) => stream::synchronize;
    cuStreamQuery(hStream: CUstream) => stream::query;
    cuStreamWaitEvent(hStream: CUstream, hEvent: CUevent, Flags: c_uint) => event::wait_of_stream;
    cuStreamAddCallback(hStream: CUstream, callback: CUstreamCallback, userData: *mut c_void, flags: c_uint) => host_function::add;
    cuLaunchHostFunc(hStream: CUstream, fn_: CUhostFn, userData: *mut c_void) => host_function::launch_host;
    cuLaunchHostFunc_v2(hStream: CUstream, fn_: CUhostFn, userData: *mut c_void, syncMode: c_uint) => host_function::launch_host_in_mode;
    cuStreamGetFlags(hStream: CUstream, flags: *mut c_uint) => stream::get_flags;
    cuStreamGetPriority(hStream: CUstream, priority: *mut c_int) => stream::get_priority;
    cuStreamGetId(hStream: CUstream, streamId: *mut c_ulonglong) => stream::get_id;
    cuStreamGetCtx(hStream: CUstream, pctx: *mut CUcontext) => stream::get_context;
    cuStreamGetDevice(hStream: CUstream, device: *mut CUdevice) => stream::get_device;
    cuStreamGetCtx_v2(hStream: CUstream, pCtx: *mut CUcontext, pGreenCtx: *mut CUgreenCtx) => stream::get_contexts;
    cuStreamGetAttribute(hStream: CUstream, attr: CUstreamAttrID, value: *mut CUstreamAttrValue) => stream_attributes::get;
    cuStreamSetAttribute(hStream: CUstream, attr: CUstreamAttrID, param: *const CUstreamAttrValue) => stream_attributes::set;
    cuStreamCopyAttributes(dstStream: CUstream, srcStream: CUstream) => stream_attributes::copy;
    cuStreamWriteValue32(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) => memory_operation::write32_v1;
    cuStreamWaitValue32(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) => memory_operation::wait32_v1;
    cuStreamWriteValue64(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) => memory_operation::write64_v1;
    cuStreamWaitValue64(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) => memory_operation::wait64_v1;
    cuStreamBatchMemOp(stream: CUstream, count: c_uint, paramArray: *mut CUstreamBatchMemOpParams, flags: c_uint) => memory_operation::batch_v1;
    cuStreamWriteValue32_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) => memory_operation::write32;
    cuStreamWaitValue32_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) => memory_operation::wait32;
    cuStreamWriteValue64_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) => memory_operation::write64;
    cuStreamWaitValue64_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) => memory_operation::wait64;
    cuStreamBatchMemOp_v2(stream: CUstream, count: c_uint, paramArray: *mut CUstreamBatchMemOpParams, flags: c_uint) => memory_operation::batch;
    cuStreamIsCapturing(hStream: CUstream, captureStatus: *mut CUstreamCaptureStatus) => capture_entry_points::is_capturing;
    cuThreadExchangeStreamCaptureMode(mode: *mut CUstreamCaptureMode) => capture_entry_points::exchange_mode;

    cuEventCreate(phEvent: *mut CUevent, Flags: c_uint) => event::create;
    cuEventDestroy_v2(hEvent: CUevent) => event::destroy;
    cuEventRecord(hEvent: CUevent, hStream: CUstream) => event::record;
    cuEventRecordWithFlags(hEvent: CUevent, hStream: CUstream, flags: c_uint) => event::record_with_flags;
    cuEventQuery(hEvent: CUevent) => event::query;
    cuEventSynchronize(hEvent: CUevent) => event::synchronize;
    cuEventElapsedTime(pMilliseconds: *mut f32, hStart: CUevent, hEnd: CUevent) => event::elapsed;
    cuEventElapsedTime_v2(pMilliseconds: *mut f32, hStart: CUevent, hEnd: CUevent) => event::elapsed;

    cuMemGetInfo_v2(free: *mut usize, total: *mut usize) => device_memory::info;
    cuIpcGetEventHandle(pHandle: *mut CUipcEventHandle, event: CUevent) => ipc::get_event_handle;
    cuIpcOpenEventHandle(phEvent: *mut CUevent, handle: CUipcEventHandle) => ipc::open_event_handle;
    cuIpcGetMemHandle(pHandle: *mut CUipcMemHandle, dptr: CUdeviceptr) => ipc::get_mem_handle;
    cuIpcOpenMemHandle_v2(pdptr: *mut CUdeviceptr, handle: CUipcMemHandle, Flags: c_uint) => ipc::open_mem_handle;
    cuIpcCloseMemHandle(dptr: CUdeviceptr) => ipc::close_mem_handle;
    cuMemAlloc_v2(dptr: *mut CUdeviceptr, bytesize: usize) => device_memory::alloc;
    cuMemAllocAsync(dptr: *mut CUdeviceptr, bytesize: usize, hStream: CUstream) => device_memory::alloc_async;
    cuMemFree_v2(dptr: CUdeviceptr) => device_memory::free;
    cuMemFreeAsync(dptr: CUdeviceptr, hStream: CUstream) => device_memory::free_async;
    cuMemHostAlloc(pp: *mut *mut c_void, bytesize: usize, Flags: c_uint) => host_memory::host_alloc;
    cuMemAllocHost_v2(pp: *mut *mut c_void, bytesize: usize) => host_memory::alloc_host;
    cuMemFreeHost(p: *mut c_void) => host_memory::free_host;
    cuMemHostRegister_v2(p: *mut c_void, bytesize: usize, Flags: c_uint) => host_memory::host_register;
    cuMemHostUnregister(p: *mut c_void) => host_memory::host_unregister;
    cuMemHostGetDevicePointer_v2(pdptr: *mut CUdeviceptr, p: *mut c_void, Flags: c_uint) => host_memory::host_device_pointer;
    cuMemHostGetFlags(pFlags: *mut c_uint, p: *mut c_void) => host_memory::host_flags;
    cuMemGetAddressRange_v2(pbase: *mut CUdeviceptr, psize: *mut usize, dptr: CUdeviceptr) => pointer_attributes::address_range;
    cuPointerGetAttribute(data: *mut c_void, attribute: CUpointer_attribute, ptr: CUdeviceptr) => pointer_attributes::attribute;
    cuPointerGetAttributes(numAttributes: c_uint, attributes: *mut CUpointer_attribute, data: *mut *mut c_void, ptr: CUdeviceptr) => pointer_attributes::attributes;
    cuPointerSetAttribute(value: *const c_void, attribute: CUpointer_attribute, ptr: CUdeviceptr) => pointer_attributes::set_attribute;
    cuMemAllocManaged(dptr: *mut CUdeviceptr, bytesize: usize, flags: c_uint) => managed_entry_points::alloc;
    cuStreamAttachMemAsync(hStream: CUstream, dptr: CUdeviceptr, length: usize, flags: c_uint) => managed_entry_points::attach;
    cuMemAdvise(devPtr: CUdeviceptr, count: usize, advice: CUmem_advise, device: CUdevice) => managed_entry_points::advise;
    cuMemAdvise_v2(devPtr: CUdeviceptr, count: usize, advice: CUmem_advise, location: CUmemLocation) => managed_entry_points::advise_location;
    cuMemPrefetchAsync(devPtr: CUdeviceptr, count: usize, dstDevice: CUdevice, hStream: CUstream) => managed_entry_points::prefetch;
    cuMemPrefetchAsync_v2(devPtr: CUdeviceptr, count: usize, location: CUmemLocation, flags: c_uint, hStream: CUstream) => managed_entry_points::prefetch_location;
    cuMemPrefetchBatchAsync(dptrs: *mut CUdeviceptr, sizes: *mut usize, count: usize, prefetchLocs: *mut CUmemLocation, prefetchLocIdxs: *mut usize, numPrefetchLocs: usize, flags: c_ulonglong, hStream: CUstream) => managed_batch::prefetch;
    cuMemDiscardBatchAsync(dptrs: *mut CUdeviceptr, sizes: *mut usize, count: usize, flags: c_ulonglong, hStream: CUstream) => managed_batch::discard;
    cuMemDiscardAndPrefetchBatchAsync(dptrs: *mut CUdeviceptr, sizes: *mut usize, count: usize, prefetchLocs: *mut CUmemLocation, prefetchLocIdxs: *mut usize, numPrefetchLocs: usize, flags: c_ulonglong, hStream: CUstream) => managed_batch::discard_and_prefetch;
    cuMemcpyBatchAsync(dsts: *mut CUdeviceptr, srcs: *mut CUdeviceptr, sizes: *mut usize, count: usize, attrs: *mut CUmemcpyAttributes, attrsIdxs: *mut usize, numAttrs: usize, failIdx: *mut usize, hStream: CUstream) => copy_batch::copy_with_index;
    cuMemcpyBatchAsync_v2(dsts: *mut CUdeviceptr, srcs: *mut CUdeviceptr, sizes: *mut usize, count: usize, attrs: *mut CUmemcpyAttributes, attrsIdxs: *mut usize, numAttrs: usize, hStream: CUstream) => copy_batch::copy;
    cuMemcpy3DBatchAsync(numOps: usize, opList: *mut CUDA_MEMCPY3D_BATCH_OP, failIdx: *mut usize, flags: c_ulonglong, hStream: CUstream) => copy_batch::copy_3d_with_index;
    cuMemcpy3DBatchAsync_v2(numOps: usize, opList: *mut CUDA_MEMCPY3D_BATCH_OP, flags: c_ulonglong, hStream: CUstream) => copy_batch::copy_3d;
    cuMemcpyWithAttributesAsync(dst: CUdeviceptr, src: CUdeviceptr, size: usize, attr: *mut CUmemcpyAttributes, hStream: CUstream) => copy_batch::copy_one;
    cuMemcpy3DWithAttributesAsync(op: *mut CUDA_MEMCPY3D_BATCH_OP, flags: c_ulonglong, hStream: CUstream) => copy_batch::copy_one_3d;
    cuMemBatchDecompressAsync(paramsArray: *mut CUmemDecompressParams, count: usize, flags: c_uint, errorIndex: *mut usize, stream: CUstream) => decompress::decompress;
    cuMemGetHandleForAddressRange(handle: *mut c_void, dptr: CUdeviceptr, size: usize, handleType: CUmemRangeHandleType, flags: c_ulonglong) => dma_buf::handle_for_range;
    cuMemGetLocationInfo(ptr: CUdeviceptr, size: usize, summaryGranularity: usize, samplingGranularity: usize, location_out: *mut CUmemLocation) => managed_attributes::locations;
    cuMemRangeGetAttribute(data: *mut c_void, dataSize: usize, attribute: CUmem_range_attribute, devPtr: CUdeviceptr, count: usize) => managed_attributes::attribute;
    cuMemRangeGetAttributes(data: *mut *mut c_void, dataSizes: *mut usize, attributes: *mut CUmem_range_attribute, numAttributes: usize, devPtr: CUdeviceptr, count: usize) => managed_attributes::attributes;
    cuMemAddressReserve(ptr: *mut CUdeviceptr, size: usize, alignment: usize, addr: CUdeviceptr, flags: c_ulonglong) => virtual_memory::reserve;
    cuMemAddressFree(ptr: CUdeviceptr, size: usize) => virtual_memory::unreserve;
    cuMemCreate(handle: *mut CUmemGenericAllocationHandle, size: usize, prop: *const CUmemAllocationProp, flags: c_ulonglong) => virtual_memory::create;
    cuMemRelease(handle: CUmemGenericAllocationHandle) => virtual_memory::release;
    cuMemMap(ptr: CUdeviceptr, size: usize, offset: usize, handle: CUmemGenericAllocationHandle, flags: c_ulonglong) => virtual_memory::map;
    cuMemUnmap(ptr: CUdeviceptr, size: usize) => virtual_memory::unmap;
    cuMemSetAccess(ptr: CUdeviceptr, size: usize, desc: *const CUmemAccessDesc, count: usize) => virtual_memory::set_access;
    cuMemGetAccess(flags: *mut c_ulonglong, location: *const CUmemLocation, ptr: CUdeviceptr) => virtual_memory::get_access;
    cuMemExportToShareableHandle(shareableHandle: *mut c_void, handle: CUmemGenericAllocationHandle, handleType: CUmemAllocationHandleType, flags: c_ulonglong) => virtual_memory_sharing::export;
    cuMemImportFromShareableHandle(handle: *mut CUmemGenericAllocationHandle, osHandle: *mut c_void, shHandleType: CUmemAllocationHandleType) => virtual_memory_sharing::import;
    cuMemGetAllocationGranularity(granularity: *mut usize, prop: *const CUmemAllocationProp, option: CUmemAllocationGranularity_flags) => virtual_memory::granularity;
    cuMemGetAllocationPropertiesFromHandle(prop: *mut CUmemAllocationProp, handle: CUmemGenericAllocationHandle) => virtual_memory::properties;
    cuMemRetainAllocationHandle(handle: *mut CUmemGenericAllocationHandle, addr: *mut c_void) => virtual_memory::retain;
    cuLogicalEndpointIdReserve(baseLeId: *mut CUlogicalEndpointId, count: cuuint32_t) => logical_endpoint::reserve;
    cuLogicalEndpointIdRelease(baseLeId: CUlogicalEndpointId, count: cuuint32_t) => logical_endpoint::release;
    cuLogicalEndpointCreate(leId: CUlogicalEndpointId, prop: *const CUlogicalEndpointProp) => logical_endpoint::create;
    cuLogicalEndpointAddDevice(leId: CUlogicalEndpointId, dev: CUdevice) => logical_endpoint::add_device;
    cuLogicalEndpointDestroy(leId: CUlogicalEndpointId) => logical_endpoint::destroy;
    cuLogicalEndpointBindAddr(leId: CUlogicalEndpointId, dev: CUdevice, offset: cuuint64_t, ptr: *mut c_void, size: cuuint64_t, flags: c_ulonglong) => logical_endpoint::bind_address;
    cuLogicalEndpointBindMem(leId: CUlogicalEndpointId, dev: CUdevice, offset: cuuint64_t, memHandle: CUmemGenericAllocationHandle, memOffset: cuuint64_t, size: cuuint64_t, flags: c_ulonglong) => logical_endpoint::bind_memory;
    cuLogicalEndpointUnbind(leId: CUlogicalEndpointId, dev: CUdevice, offset: cuuint64_t, size: cuuint64_t) => logical_endpoint::unbind;
    cuLogicalEndpointExport(handle: *mut c_void, leId: CUlogicalEndpointId, handleType: CUlogicalEndpointIpcHandleType) => logical_endpoint::export;
    cuLogicalEndpointImport(leId: CUlogicalEndpointId, handle: *const c_void, handleType: CUlogicalEndpointIpcHandleType) => logical_endpoint::import;
    cuLogicalEndpointGetLimits(bindAlignment: *mut cuuint64_t, maxSize: *mut cuuint64_t, prop: *const CUlogicalEndpointProp) => logical_endpoint::limits;
    cuLogicalEndpointQuery(leId: CUlogicalEndpointId, count: cuuint32_t, queryStatus: *mut c_int) => logical_endpoint::query;
    cuMulticastCreate(mcHandle: *mut CUmemGenericAllocationHandle, prop: *const CUmulticastObjectProp) => multicast::create;
    cuMulticastAddDevice(mcHandle: CUmemGenericAllocationHandle, dev: CUdevice) => multicast::add_device;
    cuMulticastBindMem(mcHandle: CUmemGenericAllocationHandle, mcOffset: usize, memHandle: CUmemGenericAllocationHandle, memOffset: usize, size: usize, flags: c_ulonglong) => multicast::bind_memory;
    cuMulticastBindMem_v2(mcHandle: CUmemGenericAllocationHandle, dev: CUdevice, mcOffset: usize, memHandle: CUmemGenericAllocationHandle, memOffset: usize, size: usize, flags: c_ulonglong) => multicast::bind_memory_on;
    cuMulticastBindAddr(mcHandle: CUmemGenericAllocationHandle, mcOffset: usize, memptr: CUdeviceptr, size: usize, flags: c_ulonglong) => multicast::bind_address;
    cuMulticastBindAddr_v2(mcHandle: CUmemGenericAllocationHandle, dev: CUdevice, mcOffset: usize, memptr: CUdeviceptr, size: usize, flags: c_ulonglong) => multicast::bind_address_on;
    cuMulticastUnbind(mcHandle: CUmemGenericAllocationHandle, dev: CUdevice, mcOffset: usize, size: usize) => multicast::unbind;
    cuMulticastGetGranularity(granularity: *mut usize, prop: *const CUmulticastObjectProp, option: CUmulticastGranularity_flags) => multicast::granularity;
    cuDeviceGetDefaultMemPool(pool_out: *mut CUmemoryPool, dev: CUdevice) => memory_pool::default;
    cuDeviceGetMemPool(pool: *mut CUmemoryPool, dev: CUdevice) => memory_pool::current;
    cuDeviceSetMemPool(dev: CUdevice, pool: CUmemoryPool) => memory_pool::set_current;
    cuMemPoolDestroy(pool: CUmemoryPool) => memory_pool::destroy;
    cuMemPoolCreate(pool: *mut CUmemoryPool, poolProps: *const CUmemPoolProps) => memory_pool::create;
    cuMemGetDefaultMemPool(pool_out: *mut CUmemoryPool, location: *mut CUmemLocation, type_: CUmemAllocationType) => memory_pool::default_of;
    cuMemGetMemPool(pool: *mut CUmemoryPool, location: *mut CUmemLocation, type_: CUmemAllocationType) => memory_pool::current_of;
    cuMemSetMemPool(location: *mut CUmemLocation, type_: CUmemAllocationType, pool: CUmemoryPool) => memory_pool::set_current_of;
    cuMemPoolExportToShareableHandle(handle_out: *mut c_void, pool: CUmemoryPool, handleType: CUmemAllocationHandleType, flags: c_ulonglong) => pool_sharing::export;
    cuMemPoolImportFromShareableHandle(pool_out: *mut CUmemoryPool, handle: *mut c_void, handleType: CUmemAllocationHandleType, flags: c_ulonglong) => pool_sharing::import;
    cuMemPoolExportPointer(shareData_out: *mut CUmemPoolPtrExportData, ptr: CUdeviceptr) => pool_sharing::export_pointer;
    cuMemPoolImportPointer(ptr_out: *mut CUdeviceptr, pool: CUmemoryPool, shareData: *mut CUmemPoolPtrExportData) => pool_sharing::import_pointer;
    cuMemPoolTrimTo(pool: CUmemoryPool, minBytesToKeep: usize) => pool_attributes::trim;
    cuMemPoolGetAttribute(pool: CUmemoryPool, attr: CUmemPool_attribute, value: *mut c_void) => pool_attributes::get_attribute;
    cuMemPoolSetAttribute(pool: CUmemoryPool, attr: CUmemPool_attribute, value: *mut c_void) => pool_attributes::set_attribute;
    cuMemPoolSetAccess(pool: CUmemoryPool, map: *const CUmemAccessDesc, count: usize) => pool_attributes::set_access;
    cuMemPoolGetAccess(flags: *mut CUmemAccess_flags, memPool: CUmemoryPool, location: *mut CUmemLocation) => pool_attributes::get_access;
    cuMemAllocFromPoolAsync(dptr: *mut CUdeviceptr, bytesize: usize, pool: CUmemoryPool, hStream: CUstream) => memory_pool::alloc;
    cuMemcpyHtoD_v2(dstDevice: CUdeviceptr, srcHost: *const c_void, ByteCount: usize) => linear_copy::to_device;
    cuMemcpyDtoH_v2(dstHost: *mut c_void, srcDevice: CUdeviceptr, ByteCount: usize) => linear_copy::to_host;
    cuMemcpyDtoD_v2(dstDevice: CUdeviceptr, srcDevice: CUdeviceptr, ByteCount: usize) => linear_copy::on_device;
    cuMemcpy(dst: CUdeviceptr, src: CUdeviceptr, ByteCount: usize) => linear_copy::unified;
    cuMemcpyPeer(dstDevice: CUdeviceptr, dstContext: CUcontext, srcDevice: CUdeviceptr, srcContext: CUcontext, ByteCount: usize) => linear_copy::peer;
    cuMemcpyHtoDAsync_v2(dstDevice: CUdeviceptr, srcHost: *const c_void, ByteCount: usize, hStream: CUstream) => linear_copy::to_device_async;
    cuMemcpyDtoHAsync_v2(dstHost: *mut c_void, srcDevice: CUdeviceptr, ByteCount: usize, hStream: CUstream) => linear_copy::to_host_async;
    cuMemcpyDtoDAsync_v2(dstDevice: CUdeviceptr, srcDevice: CUdeviceptr, ByteCount: usize, hStream: CUstream) => linear_copy::on_device_async;
    cuMemcpyAsync(dst: CUdeviceptr, src: CUdeviceptr, ByteCount: usize, hStream: CUstream) => linear_copy::unified_async;
    cuMemcpyPeerAsync(dstDevice: CUdeviceptr, dstContext: CUcontext, srcDevice: CUdeviceptr, srcContext: CUcontext, ByteCount: usize, hStream: CUstream) => linear_copy::peer_async;
    cuMemsetD8_v2(dstDevice: CUdeviceptr, uc: c_uchar, N: usize) => fill::set8;
    cuMemsetD16_v2(dstDevice: CUdeviceptr, us: c_ushort, N: usize) => fill::set16;
    cuMemsetD32_v2(dstDevice: CUdeviceptr, ui: c_uint, N: usize) => fill::set32;
    cuMemsetD8Async(dstDevice: CUdeviceptr, uc: c_uchar, N: usize, hStream: CUstream) => fill::set8_async;
    cuMemsetD16Async(dstDevice: CUdeviceptr, us: c_ushort, N: usize, hStream: CUstream) => fill::set16_async;
    cuMemsetD32Async(dstDevice: CUdeviceptr, ui: c_uint, N: usize, hStream: CUstream) => fill::set32_async;

    cuMemAllocPitch_v2(dptr: *mut CUdeviceptr, pPitch: *mut usize, WidthInBytes: usize, Height: usize, ElementSizeBytes: c_uint) => fill::alloc_pitch;
    cuMemsetD2D8_v2(dstDevice: CUdeviceptr, dstPitch: usize, uc: c_uchar, Width: usize, Height: usize) => fill::set8_rows;
    cuMemsetD2D16_v2(dstDevice: CUdeviceptr, dstPitch: usize, us: c_ushort, Width: usize, Height: usize) => fill::set16_rows;
    cuMemsetD2D32_v2(dstDevice: CUdeviceptr, dstPitch: usize, ui: c_uint, Width: usize, Height: usize) => fill::set32_rows;
    cuMemsetD2D8Async(dstDevice: CUdeviceptr, dstPitch: usize, uc: c_uchar, Width: usize, Height: usize, hStream: CUstream) => fill::set8_rows_async;
    cuMemsetD2D16Async(dstDevice: CUdeviceptr, dstPitch: usize, us: c_ushort, Width: usize, Height: usize, hStream: CUstream) => fill::set16_rows_async;
    cuMemsetD2D32Async(dstDevice: CUdeviceptr, dstPitch: usize, ui: c_uint, Width: usize, Height: usize, hStream: CUstream) => fill::set32_rows_async;
    cuMemcpy2D_v2(pCopy: *const CUDA_MEMCPY2D) => pitched_entry_points::copy_2d;
    cuMemcpy2DUnaligned_v2(pCopy: *const CUDA_MEMCPY2D) => pitched_entry_points::copy_2d;
    cuMemcpy3D_v2(pCopy: *const CUDA_MEMCPY3D) => pitched_entry_points::copy_3d;
    cuMemcpy2DAsync_v2(pCopy: *const CUDA_MEMCPY2D, hStream: CUstream) => pitched_entry_points::copy_2d_async;
    cuMemcpy3DAsync_v2(pCopy: *const CUDA_MEMCPY3D, hStream: CUstream) => pitched_entry_points::copy_3d_async;
    cuMemcpyHtoA_v2(dstArray: CUarray, dstOffset: usize, srcHost: *const c_void, ByteCount: usize) => pitched_entry_points::host_to_array;
    cuMemcpyAtoH_v2(dstHost: *mut c_void, srcArray: CUarray, srcOffset: usize, ByteCount: usize) => pitched_entry_points::array_to_host;
    cuMemcpyDtoA_v2(dstArray: CUarray, dstOffset: usize, srcDevice: CUdeviceptr, ByteCount: usize) => pitched_entry_points::device_to_array;
    cuMemcpyAtoD_v2(dstDevice: CUdeviceptr, srcArray: CUarray, srcOffset: usize, ByteCount: usize) => pitched_entry_points::array_to_device;
    cuMemcpyAtoA_v2(dstArray: CUarray, dstOffset: usize, srcArray: CUarray, srcOffset: usize, ByteCount: usize) => pitched_entry_points::array_to_array;
    cuMemcpyHtoAAsync_v2(dstArray: CUarray, dstOffset: usize, srcHost: *const c_void, ByteCount: usize, hStream: CUstream) => pitched_entry_points::host_to_array_async;
    cuMemcpyAtoHAsync_v2(dstHost: *mut c_void, srcArray: CUarray, srcOffset: usize, ByteCount: usize, hStream: CUstream) => pitched_entry_points::array_to_host_async;
    cuArrayCreate_v2(pHandle: *mut CUarray, pAllocateArray: *const CUDA_ARRAY_DESCRIPTOR) => array::create;
    cuArray3DCreate_v2(pHandle: *mut CUarray, pAllocateArray: *const CUDA_ARRAY3D_DESCRIPTOR) => array::create_3d;
    cuArrayGetDescriptor_v2(pArrayDescriptor: *mut CUDA_ARRAY_DESCRIPTOR, hArray: CUarray) => array::get_descriptor;
    cuArray3DGetDescriptor_v2(pArrayDescriptor: *mut CUDA_ARRAY3D_DESCRIPTOR, hArray: CUarray) => array::get_descriptor_3d;
    cuArrayDestroy(hArray: CUarray) => array::destroy;
    cuMipmappedArrayCreate(pHandle: *mut CUmipmappedArray, pMipmappedArrayDesc: *const CUDA_ARRAY3D_DESCRIPTOR, numMipmapLevels: c_uint) => array::create_mipmapped;
    cuMipmappedArrayGetLevel(pLevelArray: *mut CUarray, hMipmappedArray: CUmipmappedArray, level: c_uint) => array::get_level;

    cuGraphicsMapResources(count: c_uint, resources: *mut CUgraphicsResource, hStream: CUstream) => resource::map;
    cuGraphicsUnmapResources(count: c_uint, resources: *mut CUgraphicsResource, hStream: CUstream) => resource::unmap;
    cuGraphicsUnregisterResource(resource: CUgraphicsResource) => resource::unregister;
    cuGraphicsResourceGetMappedPointer_v2(pDevPtr: *mut CUdeviceptr, pSize: *mut usize, resource: CUgraphicsResource) => resource::get_pointer;
    cuGraphicsSubResourceGetMappedArray(pArray: *mut CUarray, resource: CUgraphicsResource, arrayIndex: c_uint, mipLevel: c_uint) => resource::get_array;
    cuGraphicsResourceGetMappedMipmappedArray(pMipmappedArray: *mut CUmipmappedArray, resource: CUgraphicsResource) => resource::get_mipmapped;
    cuGraphicsResourceSetMapFlags_v2(resource: CUgraphicsResource, flags: c_uint) => resource::set_map_flags;

    cuImportExternalMemory(extMem_out: *mut CUexternalMemory, memHandleDesc: *const CUDA_EXTERNAL_MEMORY_HANDLE_DESC) => external_memory::import;
    cuExternalMemoryGetMappedBuffer(devPtr: *mut CUdeviceptr, extMem: CUexternalMemory, bufferDesc: *const CUDA_EXTERNAL_MEMORY_BUFFER_DESC) => external_memory::map_buffer;
    cuExternalMemoryGetMappedMipmappedArray(mipmap: *mut CUmipmappedArray, extMem: CUexternalMemory, mipmapDesc: *const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC) => external_image::map;
    cuDestroyExternalMemory(extMem: CUexternalMemory) => external_memory::destroy;
    cuImportExternalSemaphore(extSem_out: *mut CUexternalSemaphore, semHandleDesc: *const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC) => semaphore::import;
    cuDestroyExternalSemaphore(extSem: CUexternalSemaphore) => semaphore::destroy;
    cuSignalExternalSemaphoresAsync(extSemArray: *const CUexternalSemaphore, paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, numExtSems: c_uint, stream: CUstream) => semaphore::signal;
    cuWaitExternalSemaphoresAsync(extSemArray: *const CUexternalSemaphore, paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, numExtSems: c_uint, stream: CUstream) => semaphore::wait;

    cuMipmappedArrayDestroy(hMipmappedArray: CUmipmappedArray) => array::destroy_mipmapped;
    cuModuleGetTexRef(pTexRef: *mut CUtexref, hmod: CUmodule, name: *const c_char) => texture_reference::of_module;
    cuModuleGetSurfRef(pSurfRef: *mut CUsurfref, hmod: CUmodule, name: *const c_char) => surface_reference::of_module;
    cuParamSetTexRef(hfunc: CUfunction, texunit: c_int, hTexRef: CUtexref) => texture_reference::param_set;
    cuTexRefCreate(pTexRef: *mut CUtexref) => texture_reference::create;
    cuTexRefDestroy(hTexRef: CUtexref) => texture_reference::destroy;
    cuTexRefSetArray(hTexRef: CUtexref, hArray: CUarray, Flags: c_uint) => texture_reference::set_array;
    cuTexRefSetMipmappedArray(hTexRef: CUtexref, hMipmappedArray: CUmipmappedArray, Flags: c_uint) => texture_reference::set_mipmapped;
    cuTexRefSetAddress_v2(ByteOffset: *mut usize, hTexRef: CUtexref, dptr: CUdeviceptr, bytes: usize) => texture_reference::set_address;
    cuTexRefSetAddress2D_v3(hTexRef: CUtexref, desc: *const CUDA_ARRAY_DESCRIPTOR, dptr: CUdeviceptr, Pitch: usize) => texture_reference::set_address_2d;
    cuTexRefSetFormat(hTexRef: CUtexref, fmt: CUarray_format, NumPackedComponents: c_int) => texture_reference::set_format;
    cuTexRefSetAddressMode(hTexRef: CUtexref, dim: c_int, am: CUaddress_mode) => texture_reference::set_address_mode;
    cuTexRefSetFilterMode(hTexRef: CUtexref, fm: CUfilter_mode) => texture_reference::set_filter_mode;
    cuTexRefSetMipmapFilterMode(hTexRef: CUtexref, fm: CUfilter_mode) => texture_reference::set_level_filter;
    cuTexRefSetMipmapLevelBias(hTexRef: CUtexref, bias: f32) => texture_reference::set_level_bias;
    cuTexRefSetMipmapLevelClamp(hTexRef: CUtexref, minMipmapLevelClamp: f32, maxMipmapLevelClamp: f32) => texture_reference::set_level_range;
    cuTexRefSetMaxAnisotropy(hTexRef: CUtexref, maxAniso: c_uint) => texture_reference::set_anisotropy;
    cuTexRefSetBorderColor(hTexRef: CUtexref, pBorderColor: *mut f32) => texture_reference::set_border;
    cuTexRefSetFlags(hTexRef: CUtexref, Flags: c_uint) => texture_reference::set_flags;
    cuTexRefGetAddress_v2(pdptr: *mut CUdeviceptr, hTexRef: CUtexref) => texture_reference_queries::get_address;
    cuTexRefGetArray(phArray: *mut CUarray, hTexRef: CUtexref) => texture_reference_queries::get_array;
    cuTexRefGetMipmappedArray(phMipmappedArray: *mut CUmipmappedArray, hTexRef: CUtexref) => texture_reference_queries::get_mipmapped;
    cuTexRefGetAddressMode(pam: *mut CUaddress_mode, hTexRef: CUtexref, dim: c_int) => texture_reference_queries::get_address_mode;
    cuTexRefGetFilterMode(pfm: *mut CUfilter_mode, hTexRef: CUtexref) => texture_reference_queries::get_filter_mode;
    cuTexRefGetFormat(pFormat: *mut CUarray_format, pNumChannels: *mut c_int, hTexRef: CUtexref) => texture_reference_queries::get_format;
    cuTexRefGetMipmapFilterMode(pfm: *mut CUfilter_mode, hTexRef: CUtexref) => texture_reference_queries::get_level_filter;
    cuTexRefGetMipmapLevelBias(pbias: *mut f32, hTexRef: CUtexref) => texture_reference_queries::get_level_bias;
    cuTexRefGetMipmapLevelClamp(pminMipmapLevelClamp: *mut f32, pmaxMipmapLevelClamp: *mut f32, hTexRef: CUtexref) => texture_reference_queries::get_level_range;
    cuTexRefGetMaxAnisotropy(pmaxAniso: *mut c_int, hTexRef: CUtexref) => texture_reference_queries::get_anisotropy;
    cuTexRefGetBorderColor(pBorderColor: *mut f32, hTexRef: CUtexref) => texture_reference_queries::get_border;
    cuTexRefGetFlags(pFlags: *mut c_uint, hTexRef: CUtexref) => texture_reference_queries::get_flags;
    cuSurfRefSetArray(hSurfRef: CUsurfref, hArray: CUarray, Flags: c_uint) => surface_reference::set_array;
    cuSurfRefGetArray(phArray: *mut CUarray, hSurfRef: CUsurfref) => surface_reference::get_array;
    cuTexObjectCreate(pTexObject: *mut CUtexObject, pResDesc: *const CUDA_RESOURCE_DESC, pTexDesc: *const CUDA_TEXTURE_DESC, pResViewDesc: *const CUDA_RESOURCE_VIEW_DESC) => texture_object::create_texture;
    cuTexObjectDestroy(texObject: CUtexObject) => texture_object::destroy_texture;
    cuTexObjectGetResourceDesc(pResDesc: *mut CUDA_RESOURCE_DESC, texObject: CUtexObject) => texture_object::texture_resource;
    cuTexObjectGetTextureDesc(pTexDesc: *mut CUDA_TEXTURE_DESC, texObject: CUtexObject) => texture_object::texture_description;
    cuTexObjectGetResourceViewDesc(pResViewDesc: *mut CUDA_RESOURCE_VIEW_DESC, texObject: CUtexObject) => texture_object::texture_view;
    cuSurfObjectCreate(pSurfObject: *mut CUsurfObject, pResDesc: *const CUDA_RESOURCE_DESC) => texture_object::create_surface;
    cuSurfObjectDestroy(surfObject: CUsurfObject) => texture_object::destroy_surface;
    cuSurfObjectGetResourceDesc(pResDesc: *mut CUDA_RESOURCE_DESC, surfObject: CUsurfObject) => texture_object::surface_resource;
    cuTensorMapEncodeTiled(tensorMap: *mut CUtensorMap, tensorDataType: CUtensorMapDataType, tensorRank: cuuint32_t, globalAddress: *mut c_void, globalDim: *const cuuint64_t, globalStrides: *const cuuint64_t, boxDim: *const cuuint32_t, elementStrides: *const cuuint32_t, interleave: CUtensorMapInterleave, swizzle: CUtensorMapSwizzle, l2Promotion: CUtensorMapL2promotion, oobFill: CUtensorMapFloatOOBfill) => tensor_map::encode_tiled;
    cuTensorMapEncodeIm2col(tensorMap: *mut CUtensorMap, tensorDataType: CUtensorMapDataType, tensorRank: cuuint32_t, globalAddress: *mut c_void, globalDim: *const cuuint64_t, globalStrides: *const cuuint64_t, pixelBoxLowerCorner: *const c_int, pixelBoxUpperCorner: *const c_int, channelsPerPixel: cuuint32_t, pixelsPerColumn: cuuint32_t, elementStrides: *const cuuint32_t, interleave: CUtensorMapInterleave, swizzle: CUtensorMapSwizzle, l2Promotion: CUtensorMapL2promotion, oobFill: CUtensorMapFloatOOBfill) => tensor_map::encode_columns;
    cuTensorMapEncodeIm2colWide(tensorMap: *mut CUtensorMap, tensorDataType: CUtensorMapDataType, tensorRank: cuuint32_t, globalAddress: *mut c_void, globalDim: *const cuuint64_t, globalStrides: *const cuuint64_t, pixelBoxLowerCornerWidth: c_int, pixelBoxUpperCornerWidth: c_int, channelsPerPixel: cuuint32_t, pixelsPerColumn: cuuint32_t, elementStrides: *const cuuint32_t, interleave: CUtensorMapInterleave, mode: CUtensorMapIm2ColWideMode, swizzle: CUtensorMapSwizzle, l2Promotion: CUtensorMapL2promotion, oobFill: CUtensorMapFloatOOBfill) => tensor_map::encode_wide_columns;
    cuTensorMapReplaceAddress(tensorMap: *mut CUtensorMap, globalAddress: *mut c_void) => tensor_map::replace_address;
    cuTensorMapSetAllocationClass(tensorMap: *mut CUtensorMap, allocClass: CUtensorMapAllocClass, outAllocClass: *mut CUtensorMapAllocClass) => tensor_map::set_allocation_class;
    cuMemcpy3DPeer(pCopy: *const CUDA_MEMCPY3D_PEER) => pitched_entry_points::copy_3d_peer;
    cuMemcpy3DPeerAsync(pCopy: *const CUDA_MEMCPY3D_PEER, hStream: CUstream) => pitched_entry_points::copy_3d_peer_async;
    cuArrayGetSparseProperties(sparseProperties: *mut CUDA_ARRAY_SPARSE_PROPERTIES, array: CUarray) => array_memory::get_sparse;
    cuMemMapArrayAsync(mapInfoList: *mut CUarrayMapInfo, count: c_uint, hStream: CUstream) => mapped_memory::map;
    cuMipmappedArrayGetSparseProperties(sparseProperties: *mut CUDA_ARRAY_SPARSE_PROPERTIES, mipmap: CUmipmappedArray) => array_memory::get_sparse_mipmapped;
    cuArrayGetMemoryRequirements(memoryRequirements: *mut CUDA_ARRAY_MEMORY_REQUIREMENTS, array: CUarray, device: CUdevice) => array_memory::get_requirements;
    cuMipmappedArrayGetMemoryRequirements(memoryRequirements: *mut CUDA_ARRAY_MEMORY_REQUIREMENTS, mipmap: CUmipmappedArray, device: CUdevice) => array_memory::get_requirements_mipmapped;
    cuArrayGetPlane(pPlaneArray: *mut CUarray, hArray: CUarray, planeIdx: c_uint) => array::get_plane;

    cuModuleLoad(module: *mut CUmodule, fname: *const c_char) => module::load_file;
    cuModuleLoadData(module: *mut CUmodule, image: *const c_void) => module::load_data;
    cuModuleLoadDataEx(module: *mut CUmodule, image: *const c_void, numOptions: c_uint, options: *mut CUjit_option, optionValues: *mut *mut c_void) => module::load_data_ex;
    cuModuleLoadFatBinary(module: *mut CUmodule, fatCubin: *const c_void) => module::load_data;
    cuModuleUnload(hmod: CUmodule) => module::unload;
    cuModuleGetFunction(hfunc: *mut CUfunction, hmod: CUmodule, name: *const c_char) => function::get_function;
    cuModuleGetFunctionCount(count: *mut c_uint, mod_: CUmodule) => module::get_function_count;
    cuModuleGetGlobal_v2(dptr: *mut CUdeviceptr, bytes: *mut usize, hmod: CUmodule, name: *const c_char) => module::get_global;
    cuFuncGetAttribute(pi: *mut c_int, attrib: CUfunction_attribute, hfunc: CUfunction) => function::get_attribute;
    cuFuncSetAttribute(hfunc: CUfunction, attrib: CUfunction_attribute, value: c_int) => function::set_attribute;
    cuFuncGetParamInfo(func: CUfunction, paramIndex: usize, paramOffset: *mut usize, paramSize: *mut usize) => function::get_param_info;
    cuFuncGetModule(hmod: *mut CUmodule, hfunc: CUfunction) => function::get_module;
    cuModuleEnumerateFunctions(functions: *mut CUfunction, numFunctions: c_uint, mod_: CUmodule) => module::enumerate_functions;
    cuModuleGetLoadingMode(mode: *mut CUmoduleLoadingMode) => module::loading_mode;
    cuFuncSetCacheConfig(hfunc: CUfunction, config: CUfunc_cache) => function::set_cache_config;
    cuFuncSetSharedMemConfig(hfunc: CUfunction, config: CUsharedconfig) => function::set_shared_config;
    cuFuncSetBlockShape(hfunc: CUfunction, x: c_int, y: c_int, z: c_int) => legacy_launch::set_block_shape;
    cuFuncSetSharedSize(hfunc: CUfunction, bytes: c_uint) => legacy_launch::set_shared_size;
    cuParamSetSize(hfunc: CUfunction, numbytes: c_uint) => legacy_launch::set_size;
    cuParamSeti(hfunc: CUfunction, offset: c_int, value: c_uint) => legacy_launch::set_integer;
    cuParamSetf(hfunc: CUfunction, offset: c_int, value: f32) => legacy_launch::set_float;
    cuParamSetv(hfunc: CUfunction, offset: c_int, ptr: *mut c_void, numbytes: c_uint) => legacy_launch::set_bytes;
    cuLaunch(f: CUfunction) => legacy_launch::launch_one;
    cuLaunchGrid(f: CUfunction, grid_width: c_int, grid_height: c_int) => legacy_launch::launch_grid;
    cuLaunchGridAsync(f: CUfunction, grid_width: c_int, grid_height: c_int, hStream: CUstream) => legacy_launch::launch_grid_async;
    cuFuncGetParamCount(func: CUfunction, paramCount: *mut usize) => function::get_param_count;
    cuFuncGetName(name: *mut *const c_char, hfunc: CUfunction) => function::get_name;
    cuFuncIsLoaded(state: *mut CUfunctionLoadingState, function: CUfunction) => function::is_loaded;
    cuFuncLoad(function: CUfunction) => function::load_function;

    cuLinkCreate_v2(numOptions: c_uint, options: *mut CUjit_option, optionValues: *mut *mut c_void, stateOut: *mut CUlinkState) => linker::create;
    cuLinkAddData_v2(state: CUlinkState, type_: CUjitInputType, data: *mut c_void, size: usize, name: *const c_char, numOptions: c_uint, options: *mut CUjit_option, optionValues: *mut *mut c_void) => linker::add_data;
    cuLinkAddFile_v2(state: CUlinkState, type_: CUjitInputType, path: *const c_char, numOptions: c_uint, options: *mut CUjit_option, optionValues: *mut *mut c_void) => linker::add_file;
    cuLinkComplete(state: CUlinkState, cubinOut: *mut *mut c_void, sizeOut: *mut usize) => linker::complete;
    cuLinkDestroy(state: CUlinkState) => linker::destroy;

    cuLibraryLoadData(library: *mut CUlibrary, code: *const c_void, jitOptions: *mut CUjit_option, jitOptionsValues: *mut *mut c_void, numJitOptions: c_uint, libraryOptions: *mut CUlibraryOption, libraryOptionValues: *mut *mut c_void, numLibraryOptions: c_uint) => library_load::load_data;
    cuLibraryLoadFromFile(library: *mut CUlibrary, fileName: *const c_char, jitOptions: *mut CUjit_option, jitOptionsValues: *mut *mut c_void, numJitOptions: c_uint, libraryOptions: *mut CUlibraryOption, libraryOptionValues: *mut *mut c_void, numLibraryOptions: c_uint) => library_load::load_file;
    cuLibraryUnload(library: CUlibrary) => library::unload;
    cuLibraryGetKernel(pKernel: *mut CUkernel, library: CUlibrary, name: *const c_char) => library::get_kernel;
    cuLibraryGetKernelCount(count: *mut c_uint, lib: CUlibrary) => library::get_kernel_count;
    cuLibraryEnumerateKernels(kernels: *mut CUkernel, numKernels: c_uint, lib: CUlibrary) => library::enumerate_kernels;
    cuLibraryGetModule(pMod: *mut CUmodule, library: CUlibrary) => library::get_module;
    cuLibraryGetGlobal(dptr: *mut CUdeviceptr, bytes: *mut usize, library: CUlibrary, name: *const c_char) => library::get_global;
    cuLibraryGetManaged(dptr: *mut CUdeviceptr, bytes: *mut usize, library: CUlibrary, name: *const c_char) => library::get_managed;
    cuLibraryGetUnifiedFunction(fptr: *mut *mut c_void, library: CUlibrary, symbol: *const c_char) => library::get_unified_function;
    cuKernelGetFunction(pFunc: *mut CUfunction, kernel: CUkernel) => library_kernel::kernel_function;
    cuKernelGetLibrary(pLib: *mut CUlibrary, kernel: CUkernel) => library_kernel::kernel_library;
    cuKernelGetAttribute(pi: *mut c_int, attrib: CUfunction_attribute, kernel: CUkernel, dev: CUdevice) => library_kernel::kernel_get_attribute;
    cuKernelSetAttribute(attrib: CUfunction_attribute, val: c_int, kernel: CUkernel, dev: CUdevice) => library_kernel::kernel_set_attribute;
    cuKernelSetCacheConfig(kernel: CUkernel, config: CUfunc_cache, dev: CUdevice) => library_kernel::kernel_set_cache_config;
    cuKernelGetName(name: *mut *const c_char, hfunc: CUkernel) => library_kernel::kernel_name;
    cuKernelGetParamInfo(kernel: CUkernel, paramIndex: usize, paramOffset: *mut usize, paramSize: *mut usize) => library_kernel::kernel_param_info;
    cuKernelGetParamCount(kernel: CUkernel, paramCount: *mut usize) => library_kernel::kernel_param_count;

    cuOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks: *mut c_int, func: CUfunction, blockSize: c_int, dynamicSMemSize: usize) => occupancy::active_blocks;
    cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks: *mut c_int, func: CUfunction, blockSize: c_int, dynamicSMemSize: usize, flags: c_uint) => occupancy::active_blocks_with_flags;
    cuOccupancyMaxPotentialBlockSize(minGridSize: *mut c_int, blockSize: *mut c_int, func: CUfunction, blockSizeToDynamicSMemSize: CUoccupancyB2DSize, dynamicSMemSize: usize, blockSizeLimit: c_int) => occupancy::potential_block_size;
    cuOccupancyMaxPotentialBlockSizeWithFlags(minGridSize: *mut c_int, blockSize: *mut c_int, func: CUfunction, blockSizeToDynamicSMemSize: CUoccupancyB2DSize, dynamicSMemSize: usize, blockSizeLimit: c_int, flags: c_uint) => occupancy::potential_block_size_with_flags;
    cuOccupancyMaxPotentialClusterSize(clusterSize: *mut c_int, func: CUfunction, config: *const CUlaunchConfig) => occupancy::cluster_size;
    cuOccupancyMaxActiveClusters(numClusters: *mut c_int, func: CUfunction, config: *const CUlaunchConfig) => occupancy::active_clusters;
    cuOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize: *mut usize, func: CUfunction, numBlocks: c_int, blockSize: c_int) => occupancy::available_shared;

    cuLaunchCooperativeKernel(f: CUfunction, gridDimX: c_uint, gridDimY: c_uint, gridDimZ: c_uint, blockDimX: c_uint, blockDimY: c_uint, blockDimZ: c_uint, sharedMemBytes: c_uint, hStream: CUstream, kernelParams: *mut *mut c_void) => launch::launch_cooperative;
    cuLaunchCooperativeKernelMultiDevice(launchParamsList: *mut CUDA_LAUNCH_PARAMS, numDevices: c_uint, flags: c_uint) => multi_device_launch::launch;
    cuFlushGPUDirectRDMAWrites(target: CUflushGPUDirectRDMAWritesTarget, scope: CUflushGPUDirectRDMAWritesScope) => device::flush_rdma_writes;
    cuLaunchKernelEx(config: *const CUlaunchConfig, f: CUfunction, kernelParams: *mut *mut c_void, extra: *mut *mut c_void) => launch_attributes::launch_with_attributes;
    cuLaunchKernel(f: CUfunction, gridDimX: c_uint, gridDimY: c_uint, gridDimZ: c_uint, blockDimX: c_uint, blockDimY: c_uint, blockDimZ: c_uint, sharedMemBytes: c_uint, hStream: CUstream, kernelParams: *mut *mut c_void, extra: *mut *mut c_void) => launch::launch_kernel;

    cuStreamBeginCapture_v2(hStream: CUstream, mode: CUstreamCaptureMode) => capture_entry_points::begin;
    cuStreamBeginRecaptureToGraph(hStream: CUstream, mode: CUstreamCaptureMode, hGraph: CUgraph, callbackFunc: CUgraphRecaptureCallback, userData: *mut c_void) => capture_entry_points::begin_recapture;
    cuStreamBeginCaptureToGraph(hStream: CUstream, hGraph: CUgraph, dependencies: *const CUgraphNode, dependencyData: *const CUgraphEdgeData, numDependencies: usize, mode: CUstreamCaptureMode) => capture_entry_points::begin_to_graph;
    cuStreamEndCapture(hStream: CUstream, phGraph: *mut CUgraph) => capture_entry_points::end;
    cuStreamGetCaptureInfo(hStream: CUstream, captureStatus_out: *mut CUstreamCaptureStatus, id_out: *mut cuuint64_t) => capture_entry_points::info;
    cuStreamGetCaptureInfo_v2(hStream: CUstream, captureStatus_out: *mut CUstreamCaptureStatus, id_out: *mut cuuint64_t, graph_out: *mut CUgraph, dependencies_out: *mut *const CUgraphNode, numDependencies_out: *mut usize) => capture_entry_points::info_with_graph;
    cuStreamGetCaptureInfo_v3(hStream: CUstream, captureStatus_out: *mut CUstreamCaptureStatus, id_out: *mut cuuint64_t, graph_out: *mut CUgraph, dependencies_out: *mut *const CUgraphNode, edgeData_out: *mut *const CUgraphEdgeData, numDependencies_out: *mut usize) => capture_entry_points::info_with_edges;
    cuStreamUpdateCaptureDependencies(hStream: CUstream, dependencies: *mut CUgraphNode, numDependencies: usize, flags: c_uint) => capture_entry_points::update_dependencies;
    cuStreamUpdateCaptureDependencies_v2(hStream: CUstream, dependencies: *mut CUgraphNode, dependencyData: *const CUgraphEdgeData, numDependencies: usize, flags: c_uint) => capture_entry_points::update_dependencies_with_edges;

    cuGraphCreate(phGraph: *mut CUgraph, flags: c_uint) => topology::create;
    cuGraphDestroy(hGraph: CUgraph) => topology::destroy;
    cuGraphDestroyNode(hNode: CUgraphNode) => topology::destroy_node;
    cuGraphNodeGetType(hNode: CUgraphNode, type_: *mut CUgraphNodeType) => topology::node_type;
    cuGraphNodeGetContainingGraph(hNode: CUgraphNode, phGraph: *mut CUgraph) => topology::containing_graph;
    cuGraphNodeGetLocalId(hNode: CUgraphNode, nodeId: *mut c_uint) => topology::local_id;
    cuGraphNodeGetToolsId(hNode: CUgraphNode, toolsNodeId: *mut c_ulonglong) => topology::tools_id;
    cuGraphGetId(hGraph: CUgraph, graphId: *mut c_uint) => topology::id;
    cuGraphGetNodes(hGraph: CUgraph, nodes: *mut CUgraphNode, numNodes: *mut usize) => topology::nodes;
    cuGraphGetRootNodes(hGraph: CUgraph, rootNodes: *mut CUgraphNode, numRootNodes: *mut usize) => topology::root_nodes;
    cuGraphGetEdges(hGraph: CUgraph, from: *mut CUgraphNode, to: *mut CUgraphNode, numEdges: *mut usize) => edges::edges;
    cuGraphGetEdges_v2(hGraph: CUgraph, from: *mut CUgraphNode, to: *mut CUgraphNode, edgeData: *mut CUgraphEdgeData, numEdges: *mut usize) => edges::edges_with_data;
    cuGraphNodeGetDependencies(hNode: CUgraphNode, dependencies: *mut CUgraphNode, numDependencies: *mut usize) => edges::dependencies;
    cuGraphNodeGetDependencies_v2(hNode: CUgraphNode, dependencies: *mut CUgraphNode, edgeData: *mut CUgraphEdgeData, numDependencies: *mut usize) => edges::dependencies_with_data;
    cuGraphNodeGetDependentNodes(hNode: CUgraphNode, dependentNodes: *mut CUgraphNode, numDependentNodes: *mut usize) => edges::dependents;
    cuGraphNodeGetDependentNodes_v2(hNode: CUgraphNode, dependentNodes: *mut CUgraphNode, edgeData: *mut CUgraphEdgeData, numDependentNodes: *mut usize) => edges::dependents_with_data;
    cuGraphAddDependencies(hGraph: CUgraph, from: *const CUgraphNode, to: *const CUgraphNode, numDependencies: usize) => edges::add_dependencies;
    cuGraphAddDependencies_v2(hGraph: CUgraph, from: *const CUgraphNode, to: *const CUgraphNode, edgeData: *const CUgraphEdgeData, numDependencies: usize) => edges::add_dependencies_with_data;
    cuGraphRemoveDependencies(hGraph: CUgraph, from: *const CUgraphNode, to: *const CUgraphNode, numDependencies: usize) => edges::remove_dependencies;
    cuGraphRemoveDependencies_v2(hGraph: CUgraph, from: *const CUgraphNode, to: *const CUgraphNode, edgeData: *const CUgraphEdgeData, numDependencies: usize) => edges::remove_dependencies_with_data;
    cuGraphClone(phGraphClone: *mut CUgraph, originalGraph: CUgraph) => topology::clone;
    cuGraphNodeFindInClone(phNode: *mut CUgraphNode, hOriginalNode: CUgraphNode, hClonedGraph: CUgraph) => topology::find_in_clone;
    cuGraphAddKernelNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *const CUDA_KERNEL_NODE_PARAMS_v1) => kernel_nodes::add_kernel_v1;
    cuGraphAddKernelNode_v2(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *const CUDA_KERNEL_NODE_PARAMS) => kernel_nodes::add_kernel;
    cuGraphKernelNodeGetParams(hNode: CUgraphNode, nodeParams: *mut CUDA_KERNEL_NODE_PARAMS_v1) => kernel_nodes::get_kernel_v1;
    cuGraphKernelNodeGetParams_v2(hNode: CUgraphNode, nodeParams: *mut CUDA_KERNEL_NODE_PARAMS) => kernel_nodes::get_kernel;
    cuGraphKernelNodeSetParams(hNode: CUgraphNode, nodeParams: *const CUDA_KERNEL_NODE_PARAMS_v1) => kernel_nodes::set_kernel_v1;
    cuGraphKernelNodeSetParams_v2(hNode: CUgraphNode, nodeParams: *const CUDA_KERNEL_NODE_PARAMS) => kernel_nodes::set_kernel;
    cuGraphAddMemcpyNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, copyParams: *const CUDA_MEMCPY3D, ctx: CUcontext) => node_entry_points::add_copy;
    cuGraphMemcpyNodeGetParams(hNode: CUgraphNode, nodeParams: *mut CUDA_MEMCPY3D) => node_entry_points::get_copy;
    cuGraphMemcpyNodeSetParams(hNode: CUgraphNode, nodeParams: *const CUDA_MEMCPY3D) => node_entry_points::set_copy;
    cuGraphAddMemsetNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, memsetParams: *const CUDA_MEMSET_NODE_PARAMS, ctx: CUcontext) => node_entry_points::add_fill;
    cuGraphMemsetNodeGetParams(hNode: CUgraphNode, nodeParams: *mut CUDA_MEMSET_NODE_PARAMS) => node_entry_points::get_fill;
    cuGraphMemsetNodeSetParams(hNode: CUgraphNode, nodeParams: *const CUDA_MEMSET_NODE_PARAMS) => node_entry_points::set_fill;
    cuGraphAddHostNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *const CUDA_HOST_NODE_PARAMS) => node_entry_points::add_host;
    cuGraphHostNodeGetParams(hNode: CUgraphNode, nodeParams: *mut CUDA_HOST_NODE_PARAMS) => node_entry_points::get_host;
    cuGraphHostNodeSetParams(hNode: CUgraphNode, nodeParams: *const CUDA_HOST_NODE_PARAMS) => node_entry_points::set_host;
    cuGraphAddEmptyNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize) => node_entry_points::add_empty;
    cuGraphAddChildGraphNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, childGraph: CUgraph) => node_entry_points::add_child;
    cuGraphChildGraphNodeGetGraph(hNode: CUgraphNode, phGraph: *mut CUgraph) => node_entry_points::get_child;
    cuGraphAddEventRecordNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, event: CUevent) => node_entry_points::add_record;
    cuGraphEventRecordNodeGetEvent(hNode: CUgraphNode, event_out: *mut CUevent) => node_entry_points::get_record;
    cuGraphEventRecordNodeSetEvent(hNode: CUgraphNode, event: CUevent) => node_entry_points::set_record;
    cuGraphAddEventWaitNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, event: CUevent) => node_entry_points::add_wait;
    cuGraphEventWaitNodeGetEvent(hNode: CUgraphNode, event_out: *mut CUevent) => node_entry_points::get_wait;
    cuGraphEventWaitNodeSetEvent(hNode: CUgraphNode, event: CUevent) => node_entry_points::set_wait;

    cuGraphInstantiateWithFlags(phGraphExec: *mut CUgraphExec, hGraph: CUgraph, flags: c_ulonglong) => executable::instantiate_with_flags;
    cuGraphInstantiate_v2(phGraphExec: *mut CUgraphExec, hGraph: CUgraph, phErrorNode: *mut CUgraphNode, logBuffer: *mut c_char, bufferSize: usize) => executable::instantiate;
    cuGraphInstantiateWithParams(phGraphExec: *mut CUgraphExec, hGraph: CUgraph, instantiateParams: *mut CUDA_GRAPH_INSTANTIATE_PARAMS) => executable::instantiate_with_params;
    cuGraphUpload(hGraph: CUgraphExec, hStream: CUstream) => executable::upload;
    cuGraphLaunch(hGraph: CUgraphExec, hStream: CUstream) => executable::launch;
    cuGraphExecDestroy(hGraphExec: CUgraphExec) => executable::destroy;
    cuGraphExecGetFlags(hGraphExec: CUgraphExec, flags: *mut cuuint64_t) => executable::flags;
    cuGraphExecGetId(hGraphExec: CUgraphExec, graphId: *mut c_uint) => executable::id;
    cuGraphExecUpdate(hGraphExec: CUgraphExec, hGraph: CUgraph, hErrorNode_out: *mut CUgraphNode, updateResult_out: *mut CUgraphExecUpdateResult) => changes::update_v1;
    cuGraphExecUpdate_v2(hGraphExec: CUgraphExec, hGraph: CUgraph, resultInfo: *mut CUgraphExecUpdateResultInfo) => changes::update;
    cuGraphExecKernelNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *const CUDA_KERNEL_NODE_PARAMS_v1) => changes::set_kernel_v1;
    cuGraphExecKernelNodeSetParams_v2(hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *const CUDA_KERNEL_NODE_PARAMS) => changes::set_kernel;
    cuGraphExecMemcpyNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, copyParams: *const CUDA_MEMCPY3D, ctx: CUcontext) => changes::set_copy;
    cuGraphExecMemsetNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, memsetParams: *const CUDA_MEMSET_NODE_PARAMS, ctx: CUcontext) => changes::set_fill;
    cuGraphExecHostNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *const CUDA_HOST_NODE_PARAMS) => changes::set_host;
    cuGraphExecChildGraphNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, childGraph: CUgraph) => changes::set_child;
    cuGraphExecEventRecordNodeSetEvent(hGraphExec: CUgraphExec, hNode: CUgraphNode, event: CUevent) => changes::set_record;
    cuGraphExecEventWaitNodeSetEvent(hGraphExec: CUgraphExec, hNode: CUgraphNode, event: CUevent) => changes::set_wait;
    cuGraphNodeSetEnabled(hGraphExec: CUgraphExec, hNode: CUgraphNode, isEnabled: c_uint) => changes::set_enabled;
    cuGraphNodeGetEnabled(hGraphExec: CUgraphExec, hNode: CUgraphNode, isEnabled: *mut c_uint) => changes::get_enabled;
    cuGraphKernelNodeGetAttribute(hNode: CUgraphNode, attr: CUkernelNodeAttrID, value_out: *mut CUkernelNodeAttrValue) => kernel_attributes::get;
    cuGraphKernelNodeSetAttribute(hNode: CUgraphNode, attr: CUkernelNodeAttrID, value: *const CUkernelNodeAttrValue) => kernel_attributes::set;
    cuGraphExternalSemaphoresSignalNodeGetParams(hNode: CUgraphNode, params_out: *mut CUDA_EXT_SEM_SIGNAL_NODE_PARAMS) => semaphore_nodes::get_signal;
    cuGraphExternalSemaphoresWaitNodeGetParams(hNode: CUgraphNode, params_out: *mut CUDA_EXT_SEM_WAIT_NODE_PARAMS) => semaphore_nodes::get_wait;
    cuGraphAddExternalSemaphoresSignalNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS) => semaphore_nodes::add_signal;
    cuGraphAddExternalSemaphoresWaitNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *const CUDA_EXT_SEM_WAIT_NODE_PARAMS) => semaphore_nodes::add_wait;
    cuGraphExternalSemaphoresSignalNodeSetParams(hNode: CUgraphNode, nodeParams: *const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS) => semaphore_nodes::set_signal;
    cuGraphExternalSemaphoresWaitNodeSetParams(hNode: CUgraphNode, nodeParams: *const CUDA_EXT_SEM_WAIT_NODE_PARAMS) => semaphore_nodes::set_wait;
    cuGraphExecExternalSemaphoresSignalNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS) => semaphore_nodes::set_executable_signal;
    cuGraphExecExternalSemaphoresWaitNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *const CUDA_EXT_SEM_WAIT_NODE_PARAMS) => semaphore_nodes::set_executable_wait;
    cuGraphAddBatchMemOpNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *const CUDA_BATCH_MEM_OP_NODE_PARAMS) => memory_operation_nodes::add_batch;
    cuGraphBatchMemOpNodeGetParams(hNode: CUgraphNode, nodeParams_out: *mut CUDA_BATCH_MEM_OP_NODE_PARAMS) => memory_operation_nodes::get_batch;
    cuGraphBatchMemOpNodeSetParams(hNode: CUgraphNode, nodeParams: *const CUDA_BATCH_MEM_OP_NODE_PARAMS) => memory_operation_nodes::set_batch;
    cuGraphExecBatchMemOpNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *const CUDA_BATCH_MEM_OP_NODE_PARAMS) => memory_operation_nodes::set_executable_batch;
    cuUserObjectCreate(object_out: *mut CUuserObject, ptr: *mut c_void, destroy: CUhostFn, initialRefcount: c_uint, flags: c_uint) => user_objects::create;
    cuUserObjectRetain(object: CUuserObject, count: c_uint) => user_objects::retain;
    cuUserObjectRelease(object: CUuserObject, count: c_uint) => user_objects::release;
    cuGraphRetainUserObject(graph: CUgraph, object: CUuserObject, count: c_uint, flags: c_uint) => user_objects::retain_by_graph;
    cuGraphReleaseUserObject(graph: CUgraph, object: CUuserObject, count: c_uint) => user_objects::release_by_graph;
    cuGraphKernelNodeCopyAttributes(dst: CUgraphNode, src: CUgraphNode) => kernel_attributes::copy;
    cuGraphDebugDotPrint(hGraph: CUgraph, path: *const c_char, flags: c_uint) => dot::print;
    cuGraphAddNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *mut CUgraphNodeParams) => generic_nodes::add;
    cuGraphAddNode_v2(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, dependencyData: *const CUgraphEdgeData, numDependencies: usize, nodeParams: *mut CUgraphNodeParams) => generic_nodes::add_with_edges;
    cuGraphAddNode_v3(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, dependencyData: *const CUgraphEdgeData, numDependencies: usize, nodeParams: *mut CUgraphNodeParams) => generic_nodes::add_with_edges;
    cuGraphNodeSetParams(hNode: CUgraphNode, nodeParams: *mut CUgraphNodeParams) => generic_nodes::set_params;
    cuGraphNodeSetParams_v2(hNode: CUgraphNode, nodeParams: *mut CUgraphNodeParams) => generic_nodes::set_params;
    cuGraphNodeGetParams(hNode: CUgraphNode, nodeParams: *mut CUgraphNodeParams) => generic_nodes::get_params;
    cuGraphExecNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *mut CUgraphNodeParams) => generic_nodes::set_executable_params;
    cuGraphAddMemAllocNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *mut CUDA_MEM_ALLOC_NODE_PARAMS) => memory_nodes::add_allocation;
    cuGraphMemAllocNodeGetParams(hNode: CUgraphNode, params_out: *mut CUDA_MEM_ALLOC_NODE_PARAMS) => memory_nodes::get_allocation;
    cuGraphAddMemFreeNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, dptr: CUdeviceptr) => memory_nodes::add_free;
    cuGraphMemFreeNodeGetParams(hNode: CUgraphNode, dptr_out: *mut CUdeviceptr) => memory_nodes::get_free;
    cuDeviceGraphMemTrim(device: CUdevice) => memory_nodes::trim;
    cuDeviceGetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute, value: *mut c_void) => memory_nodes::get_attribute;
    cuDeviceSetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute, value: *mut c_void) => memory_nodes::set_attribute;
    cuGraphConditionalHandleCreate(pHandle_out: *mut CUgraphConditionalHandle, hGraph: CUgraph, ctx: CUcontext, defaultLaunchValue: c_uint, flags: c_uint) => conditional_nodes::create_handle;
}
