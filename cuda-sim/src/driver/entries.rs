//! The functions that there are: what each needs, its signature, and what carries it out.
//!
//! One line makes the function with C's calling convention that programs call.

#![allow(unsafe_code)]
#![allow(non_snake_case)]

use super::Needs::{Context, Current, Health, Init, Nothing};
use super::{context, device, dispatch, event, general, launch, memory, module, stream, unsupported};
use core::ffi::{c_char, c_int, c_uchar, c_uint, c_ulonglong, c_ushort, c_void};
use core::ptr::NonNull;
use cuda_sys::*;

macro_rules! entries {
    ($($needs:ident $name:ident($($argument:ident: $type:ty),*) => $body:path;)*) => {
        $(
            unsafe extern "C" fn $name($($argument: $type),*) -> CUresult {
                dispatch(Symbol::$name, $needs, |call| {
                    // SAFETY: the program's promise to the driver function of this name.
                    #[allow(unused_unsafe)]
                    unsafe { $body(call, $($argument),*) }
                })
            }
        )*

        /// The function's address, if it is one of these.
        pub(super) fn implemented(symbol: Symbol) -> Option<NonNull<c_void>> {
            match symbol {
                $(Symbol::$name => Some(unsupported::address($name as *const ())),)*
                _ => None,
            }
        }

        /// Never called: the compiler compares each signature with the driver API's.
        #[allow(dead_code)]
        fn compare_signatures(table: &mut Table) {
            $(table.$name = $name;)*
        }
    };
}

entries! {
    Nothing cuInit(Flags: c_uint) => general::init;
    Nothing cuDriverGetVersion(driverVersion: *mut c_int) => general::driver_version;
    Nothing cuGetErrorName(error: CUresult, pStr: *mut *const c_char) => general::error_name;
    Nothing cuGetErrorString(error: CUresult, pStr: *mut *const c_char) => general::error_string;

    Init cuDeviceGet(device: *mut CUdevice, ordinal: c_int) => device::get;
    Init cuDeviceGetCount(count: *mut c_int) => device::count;
    Init cuDeviceGetName(name: *mut c_char, len: c_int, dev: CUdevice) => device::name;
    Init cuDeviceGetUuid(uuid: *mut CUuuid, dev: CUdevice) => device::uuid;
    Init cuDeviceGetUuid_v2(uuid: *mut CUuuid, dev: CUdevice) => device::uuid;
    Init cuDeviceTotalMem_v2(bytes: *mut usize, dev: CUdevice) => device::total_memory;
    Init cuDeviceGetAttribute(pi: *mut c_int, attrib: CUdevice_attribute, dev: CUdevice) => device::attribute;
    Init cuDeviceComputeCapability(major: *mut c_int, minor: *mut c_int, dev: CUdevice) => device::compute_capability;
    Init cuDeviceGetProperties(prop: *mut CUdevprop, dev: CUdevice) => device::properties;
    Init cuDeviceGetPCIBusId(pciBusId: *mut c_char, len: c_int, dev: CUdevice) => device::pci_bus_id;
    Init cuDeviceGetByPCIBusId(dev: *mut CUdevice, pciBusId: *const c_char) => device::by_pci_bus_id;
    Init cuDeviceCanAccessPeer(canAccessPeer: *mut c_int, dev: CUdevice, peerDev: CUdevice) => device::can_access_peer;
    Init cuDeviceGetP2PAttribute(value: *mut c_int, attrib: CUdevice_P2PAttribute, srcDevice: CUdevice, dstDevice: CUdevice) => device::p2p_attribute;

    Health cuDevicePrimaryCtxRetain(pctx: *mut CUcontext, dev: CUdevice) => context::primary_retain;
    Init cuDevicePrimaryCtxRelease_v2(dev: CUdevice) => context::primary_release;
    Init cuDevicePrimaryCtxReset_v2(dev: CUdevice) => context::primary_reset;
    Init cuDevicePrimaryCtxSetFlags_v2(dev: CUdevice, flags: c_uint) => context::primary_set_flags;
    Init cuDevicePrimaryCtxGetState(dev: CUdevice, flags: *mut c_uint, active: *mut c_int) => context::primary_state;
    Health cuCtxCreate_v2(pctx: *mut CUcontext, flags: c_uint, dev: CUdevice) => context::create;
    Health cuCtxCreate_v4(pctx: *mut CUcontext, ctxCreateParams: *mut CUctxCreateParams, flags: c_uint, dev: CUdevice) => context::create_with_params;
    Init cuCtxDestroy_v2(ctx: CUcontext) => context::destroy;
    Init cuCtxPushCurrent_v2(ctx: CUcontext) => context::push;
    Init cuCtxPopCurrent_v2(pctx: *mut CUcontext) => context::pop;
    Init cuCtxSetCurrent(ctx: CUcontext) => context::set_current;
    Init cuCtxGetCurrent(pctx: *mut CUcontext) => context::get_current;
    Current cuCtxGetDevice(device: *mut CUdevice) => context::get_device;
    Current cuCtxGetFlags(flags: *mut c_uint) => context::get_flags;
    Health cuCtxGetId(ctx: CUcontext, ctxId: *mut c_ulonglong) => context::get_id;
    Init cuCtxGetApiVersion(ctx: CUcontext, version: *mut c_uint) => context::get_api_version;
    Context cuCtxSynchronize() => context::synchronize;
    Context cuCtxGetLimit(pvalue: *mut usize, limit: CUlimit) => context::get_limit;
    Context cuCtxSetLimit(limit: CUlimit, value: usize) => context::set_limit;
    Context cuCtxGetCacheConfig(pconfig: *mut CUfunc_cache) => context::get_cache_config;
    Context cuCtxSetCacheConfig(config: CUfunc_cache) => context::set_cache_config;
    Context cuCtxGetStreamPriorityRange(leastPriority: *mut c_int, greatestPriority: *mut c_int) => device::stream_priority_range;

    Context cuStreamCreate(phStream: *mut CUstream, Flags: c_uint) => stream::create;
    Context cuStreamCreateWithPriority(phStream: *mut CUstream, flags: c_uint, priority: c_int) => stream::create_with_priority;
    Health cuStreamDestroy_v2(hStream: CUstream) => stream::destroy;
    Health cuStreamSynchronize(hStream: CUstream) => stream::done;
    Health cuStreamQuery(hStream: CUstream) => stream::done;
    Health cuStreamWaitEvent(hStream: CUstream, hEvent: CUevent, Flags: c_uint) => stream::wait_event;
    Health cuStreamGetFlags(hStream: CUstream, flags: *mut c_uint) => stream::get_flags;
    Health cuStreamGetPriority(hStream: CUstream, priority: *mut c_int) => stream::get_priority;
    Health cuStreamGetId(hStream: CUstream, streamId: *mut c_ulonglong) => stream::get_id;
    Health cuStreamGetCtx(hStream: CUstream, pctx: *mut CUcontext) => stream::get_context;
    Health cuStreamGetDevice(hStream: CUstream, device: *mut CUdevice) => stream::get_device;
    Health cuStreamIsCapturing(hStream: CUstream, captureStatus: *mut CUstreamCaptureStatus) => stream::is_capturing;
    Init cuThreadExchangeStreamCaptureMode(mode: *mut CUstreamCaptureMode) => stream::exchange_capture_mode;

    Context cuEventCreate(phEvent: *mut CUevent, Flags: c_uint) => event::create;
    Health cuEventDestroy_v2(hEvent: CUevent) => event::destroy;
    Health cuEventRecord(hEvent: CUevent, hStream: CUstream) => event::record;
    Health cuEventQuery(hEvent: CUevent) => event::done;
    Health cuEventSynchronize(hEvent: CUevent) => event::done;
    Health cuEventElapsedTime(pMilliseconds: *mut f32, hStart: CUevent, hEnd: CUevent) => event::elapsed;
    Health cuEventElapsedTime_v2(pMilliseconds: *mut f32, hStart: CUevent, hEnd: CUevent) => event::elapsed;

    Context cuMemGetInfo_v2(free: *mut usize, total: *mut usize) => memory::info;
    Context cuMemAlloc_v2(dptr: *mut CUdeviceptr, bytesize: usize) => memory::alloc;
    Health cuMemAllocAsync(dptr: *mut CUdeviceptr, bytesize: usize, hStream: CUstream) => memory::alloc_async;
    Health cuMemFree_v2(dptr: CUdeviceptr) => memory::free;
    Health cuMemFreeAsync(dptr: CUdeviceptr, hStream: CUstream) => memory::free_async;
    Context cuMemHostAlloc(pp: *mut *mut c_void, bytesize: usize, Flags: c_uint) => memory::host_alloc;
    Context cuMemAllocHost_v2(pp: *mut *mut c_void, bytesize: usize) => memory::alloc_host;
    Health cuMemFreeHost(p: *mut c_void) => memory::free_host;
    Health cuMemHostGetDevicePointer_v2(pdptr: *mut CUdeviceptr, p: *mut c_void, Flags: c_uint) => memory::host_device_pointer;
    Health cuMemHostGetFlags(pFlags: *mut c_uint, p: *mut c_void) => memory::host_flags;
    Health cuMemGetAddressRange_v2(pbase: *mut CUdeviceptr, psize: *mut usize, dptr: CUdeviceptr) => memory::address_range;
    Init cuPointerGetAttribute(data: *mut c_void, attribute: CUpointer_attribute, ptr: CUdeviceptr) => memory::pointer_attribute;
    Context cuMemcpyHtoD_v2(dstDevice: CUdeviceptr, srcHost: *const c_void, ByteCount: usize) => memory::to_device;
    Context cuMemcpyDtoH_v2(dstHost: *mut c_void, srcDevice: CUdeviceptr, ByteCount: usize) => memory::to_host;
    Context cuMemcpyDtoD_v2(dstDevice: CUdeviceptr, srcDevice: CUdeviceptr, ByteCount: usize) => memory::on_device;
    Context cuMemcpy(dst: CUdeviceptr, src: CUdeviceptr, ByteCount: usize) => memory::unified;
    Context cuMemcpyPeer(dstDevice: CUdeviceptr, dstContext: CUcontext, srcDevice: CUdeviceptr, srcContext: CUcontext, ByteCount: usize) => memory::peer;
    Health cuMemcpyHtoDAsync_v2(dstDevice: CUdeviceptr, srcHost: *const c_void, ByteCount: usize, hStream: CUstream) => memory::to_device_async;
    Health cuMemcpyDtoHAsync_v2(dstHost: *mut c_void, srcDevice: CUdeviceptr, ByteCount: usize, hStream: CUstream) => memory::to_host_async;
    Health cuMemcpyDtoDAsync_v2(dstDevice: CUdeviceptr, srcDevice: CUdeviceptr, ByteCount: usize, hStream: CUstream) => memory::on_device_async;
    Health cuMemcpyAsync(dst: CUdeviceptr, src: CUdeviceptr, ByteCount: usize, hStream: CUstream) => memory::unified_async;
    Health cuMemcpyPeerAsync(dstDevice: CUdeviceptr, dstContext: CUcontext, srcDevice: CUdeviceptr, srcContext: CUcontext, ByteCount: usize, hStream: CUstream) => memory::peer_async;
    Context cuMemsetD8_v2(dstDevice: CUdeviceptr, uc: c_uchar, N: usize) => memory::set8;
    Context cuMemsetD16_v2(dstDevice: CUdeviceptr, us: c_ushort, N: usize) => memory::set16;
    Context cuMemsetD32_v2(dstDevice: CUdeviceptr, ui: c_uint, N: usize) => memory::set32;
    Health cuMemsetD8Async(dstDevice: CUdeviceptr, uc: c_uchar, N: usize, hStream: CUstream) => memory::set8_async;
    Health cuMemsetD16Async(dstDevice: CUdeviceptr, us: c_ushort, N: usize, hStream: CUstream) => memory::set16_async;
    Health cuMemsetD32Async(dstDevice: CUdeviceptr, ui: c_uint, N: usize, hStream: CUstream) => memory::set32_async;

    Context cuModuleLoad(module: *mut CUmodule, fname: *const c_char) => module::load_file;
    Context cuModuleLoadData(module: *mut CUmodule, image: *const c_void) => module::load_data;
    Context cuModuleLoadDataEx(module: *mut CUmodule, image: *const c_void, numOptions: c_uint, options: *mut CUjit_option, optionValues: *mut *mut c_void) => module::load_data_ex;
    Health cuModuleUnload(hmod: CUmodule) => module::unload;
    Health cuModuleGetFunction(hfunc: *mut CUfunction, hmod: CUmodule, name: *const c_char) => module::get_function;
    Health cuModuleGetFunctionCount(count: *mut c_uint, mod_: CUmodule) => module::get_function_count;
    Health cuModuleGetGlobal_v2(dptr: *mut CUdeviceptr, bytes: *mut usize, hmod: CUmodule, name: *const c_char) => module::get_global;
    Health cuFuncGetAttribute(pi: *mut c_int, attrib: CUfunction_attribute, hfunc: CUfunction) => module::get_attribute;
    Health cuFuncSetAttribute(hfunc: CUfunction, attrib: CUfunction_attribute, value: c_int) => module::set_attribute;
    Health cuFuncGetParamInfo(func: CUfunction, paramIndex: usize, paramOffset: *mut usize, paramSize: *mut usize) => module::get_param_info;
    Health cuFuncGetModule(hmod: *mut CUmodule, hfunc: CUfunction) => module::get_module;
    Health cuLaunchKernel(f: CUfunction, gridDimX: c_uint, gridDimY: c_uint, gridDimZ: c_uint, blockDimX: c_uint, blockDimY: c_uint, blockDimZ: c_uint, sharedMemBytes: c_uint, hStream: CUstream, kernelParams: *mut *mut c_void, extra: *mut *mut c_void) => launch::launch_kernel;
}
