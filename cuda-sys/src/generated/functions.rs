// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

/// The page of a chapter in NVIDIA's documentation.
macro_rules! page {
    (CUDA_ERROR) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__ERROR.html"
    };
    (CUDA_INITIALIZE) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__INITIALIZE.html"
    };
    (CUDA_VERSION) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VERSION.html"
    };
    (CUDA_DEVICE) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html"
    };
    (CUDA_DEVICE_DEPRECATED) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE__DEPRECATED.html"
    };
    (CUDA_PRIMARY_CTX) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PRIMARY__CTX.html"
    };
    (CUDA_CTX) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html"
    };
    (CUDA_CTX_DEPRECATED) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX__DEPRECATED.html"
    };
    (CUDA_MODULE) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html"
    };
    (CUDA_MODULE_DEPRECATED) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE__DEPRECATED.html"
    };
    (CUDA_LIBRARY) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html"
    };
    (CUDA_MEM) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html"
    };
    (CUDA_VA) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html"
    };
    (CUDA_MALLOC_ASYNC) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html"
    };
    (CUDA_MULTICAST) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MULTICAST.html"
    };
    (CUDA_CLIQUE) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CLIQUE.html"
    };
    (CUDA_LOGICAL_ENDPOINT) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LOGICAL__ENDPOINT.html"
    };
    (CUDA_FABRIC_COPY) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__FABRIC__COPY.html"
    };
    (CUDA_UNIFIED) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html"
    };
    (CUDA_STREAM) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html"
    };
    (CUDA_EVENT) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html"
    };
    (CUDA_EXTRES_INTEROP) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html"
    };
    (CUDA_MEMOP) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html"
    };
    (CUDA_EXEC) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html"
    };
    (CUDA_EXEC_DEPRECATED) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC__DEPRECATED.html"
    };
    (CUDA_GRAPH) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html"
    };
    (CUDA_OCCUPANCY) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__OCCUPANCY.html"
    };
    (CUDA_TEXREF_DEPRECATED) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html"
    };
    (CUDA_SURFREF_DEPRECATED) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__SURFREF__DEPRECATED.html"
    };
    (CUDA_TEXOBJECT) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXOBJECT.html"
    };
    (CUDA_SURFOBJECT) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__SURFOBJECT.html"
    };
    (CUDA_TENSOR_MEMORY) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TENSOR__MEMORY.html"
    };
    (CUDA_PEER_ACCESS) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PEER__ACCESS.html"
    };
    (CUDA_GRAPHICS) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPHICS.html"
    };
    (CUDA_DRIVER_ENTRY_POINT) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DRIVER__ENTRY__POINT.html"
    };
    (CUDA_COREDUMP) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__COREDUMP.html"
    };
    (CUDA_GREEN_CONTEXTS) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GREEN__CONTEXTS.html"
    };
    (CUDA_LOGS) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LOGS.html"
    };
    (CUDA_CHECKPOINT) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CHECKPOINT.html"
    };
    (CUDA_GL) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GL.html"
    };
    (CUDA_GL_DEPRECATED) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GL__DEPRECATED.html"
    };
    (CUDA_EGL) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EGL.html"
    };
    (CUDA_VDPAU) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VDPAU.html"
    };
    (CUDA_PROFILER) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PROFILER.html"
    };
    (CUDA_PROFILER_DEPRECATED) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PROFILER__DEPRECATED.html"
    };
    (CUDA_DRIVER) => {
        "https://docs.nvidia.com/cuda/cuda-driver-api/index.html"
    };
}
pub(crate) use page;

/// Calls the given macro with every function of `cuda.h` and `cudaProfiler.h`, 524 of them, in one list:
/// `[CUDA_INITIALIZE since 2000] fn cuInit(Flags: c_uint) -> CUresult;` and so on.
///
/// The bracket holds the documentation group and the release that introduced the symbol, written
/// as `CUDA_VERSION` is; drivers for Linux may have it later, see `Symbol::since`. Types are named as in `cuda_sys` and `core::ffi`; import both.
/// Before it stand the two paragraphs that document the function of this name.
///
/// ```
/// macro_rules! count {
///     ($(#[$summary:meta] #[$details:meta] [$group:ident since $since:literal] fn $name:ident($($argument:ident: $type:ty),*) -> CUresult;)*) => {
///         [$(stringify!($name)),*].len()
///     };
/// }
/// assert_eq!(cuda_sys::for_each_function!(count), cuda_sys::Table::COUNT);
/// ```
#[macro_export]
macro_rules! for_each_function {
    ($($callback:tt)+) => {
        $($callback)+! {
            /// Error Handling, in drivers since CUDA 6.0.
            /// Needs no context.
            [CUDA_ERROR since 6000] fn cuGetErrorString(error: CUresult, pStr: *mut *const c_char) -> CUresult;
            /// Error Handling, in drivers since CUDA 6.0.
            /// Needs no context.
            [CUDA_ERROR since 6000] fn cuGetErrorName(error: CUresult, pStr: *mut *const c_char) -> CUresult;
            /// Initialization, in drivers since CUDA 2.0.
            /// Needs no context.
            [CUDA_INITIALIZE since 2000] fn cuInit(Flags: c_uint) -> CUresult;
            /// Version Management, in drivers since CUDA 2.2.
            /// Needs no context.
            [CUDA_VERSION since 2020] fn cuDriverGetVersion(driverVersion: *mut c_int) -> CUresult;
            /// Device Management, in drivers since CUDA 2.0.
            /// Needs no context.
            [CUDA_DEVICE since 2000] fn cuDeviceGet(device: *mut CUdevice, ordinal: c_int) -> CUresult;
            /// Device Management, in drivers since CUDA 2.0.
            /// Needs no context.
            [CUDA_DEVICE since 2000] fn cuDeviceGetCount(count: *mut c_int) -> CUresult;
            /// Device Management, in drivers since CUDA 2.0.
            /// Needs no context.
            [CUDA_DEVICE since 2000] fn cuDeviceGetName(name: *mut c_char, len: c_int, dev: CUdevice) -> CUresult;
            /// Device Management, in drivers since CUDA 11.4.
            /// Versions: [`cuDeviceGetUuid`](fn@crate::cuDeviceGetUuid) (9.2) → **`cuDeviceGetUuid_v2`** (11.4). Needs no context.
            [CUDA_DEVICE since 11040] fn cuDeviceGetUuid_v2(uuid: *mut CUuuid, dev: CUdevice) -> CUresult;
            /// Device Management, in drivers since CUDA 10.0. Under Linux since CUDA 11.2.
            /// Needs no context.
            [CUDA_DEVICE since 10000] fn cuDeviceGetLuid(luid: *mut c_char, deviceNodeMask: *mut c_uint, dev: CUdevice) -> CUresult;
            /// Device Management, in drivers since CUDA 3.2.
            /// Versions: `cuDeviceTotalMem` (2.0, not bound) → **`cuDeviceTotalMem_v2`** (3.2). Needs no context.
            [CUDA_DEVICE since 3020] fn cuDeviceTotalMem_v2(bytes: *mut usize, dev: CUdevice) -> CUresult;
            /// Device Management, in drivers since CUDA 11.1.
            /// Needs no context.
            [CUDA_DEVICE since 11010] fn cuDeviceGetTexture1DLinearMaxWidth(maxWidthInElements: *mut usize, format: CUarray_format, numChannels: c_uint, dev: CUdevice) -> CUresult;
            /// Device Management, in drivers since CUDA 2.0.
            /// Needs no context.
            [CUDA_DEVICE since 2000] fn cuDeviceGetAttribute(pi: *mut c_int, attrib: CUdevice_attribute, dev: CUdevice) -> CUresult;
            /// Device Management, in drivers since CUDA 13.0.
            /// Needs no context.
            [CUDA_DEVICE since 13000] fn cuDeviceGetHostAtomicCapabilities(capabilities: *mut c_uint, operations: *const CUatomicOperation, count: c_uint, dev: CUdevice) -> CUresult;
            /// Device Management, in drivers since CUDA 10.2.
            /// Needs no context.
            [CUDA_DEVICE since 10020] fn cuDeviceGetNvSciSyncAttributes(nvSciSyncAttrList: *mut c_void, dev: CUdevice, flags: c_int) -> CUresult;
            /// Device Management, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_DEVICE since 11020] fn cuDeviceSetMemPool(dev: CUdevice, pool: CUmemoryPool) -> CUresult;
            /// Device Management, in drivers since CUDA 11.2.
            /// Needs no context.
            [CUDA_DEVICE since 11020] fn cuDeviceGetMemPool(pool: *mut CUmemoryPool, dev: CUdevice) -> CUresult;
            /// Device Management, in drivers since CUDA 11.2.
            /// Needs no context.
            [CUDA_DEVICE since 11020] fn cuDeviceGetDefaultMemPool(pool_out: *mut CUmemoryPool, dev: CUdevice) -> CUresult;
            /// Device Management, in drivers since CUDA 11.4.
            /// Needs no context.
            [CUDA_DEVICE since 11040] fn cuDeviceGetExecAffinitySupport(pi: *mut c_int, type_: CUexecAffinityType, dev: CUdevice) -> CUresult;
            /// Device Management, in drivers since CUDA 11.3.
            /// Needs a current context.
            [CUDA_DEVICE since 11030] fn cuFlushGPUDirectRDMAWrites(target: CUflushGPUDirectRDMAWritesTarget, scope: CUflushGPUDirectRDMAWritesScope) -> CUresult;
            /// Device Management (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no context.
            [CUDA_DEVICE_DEPRECATED since 2000] fn cuDeviceGetProperties(prop: *mut CUdevprop, dev: CUdevice) -> CUresult;
            /// Device Management (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no context.
            [CUDA_DEVICE_DEPRECATED since 2000] fn cuDeviceComputeCapability(major: *mut c_int, minor: *mut c_int, dev: CUdevice) -> CUresult;
            /// Primary Context Management, in drivers since CUDA 7.0.
            /// Needs no context.
            [CUDA_PRIMARY_CTX since 7000] fn cuDevicePrimaryCtxRetain(pctx: *mut CUcontext, dev: CUdevice) -> CUresult;
            /// Primary Context Management, in drivers since CUDA 11.0.
            /// Versions: `cuDevicePrimaryCtxRelease` (7.0, not bound) → **`cuDevicePrimaryCtxRelease_v2`** (11.0). Needs no context.
            [CUDA_PRIMARY_CTX since 11000] fn cuDevicePrimaryCtxRelease_v2(dev: CUdevice) -> CUresult;
            /// Primary Context Management, in drivers since CUDA 11.0.
            /// Versions: `cuDevicePrimaryCtxSetFlags` (7.0, not bound) → **`cuDevicePrimaryCtxSetFlags_v2`** (11.0). Needs no context.
            [CUDA_PRIMARY_CTX since 11000] fn cuDevicePrimaryCtxSetFlags_v2(dev: CUdevice, flags: c_uint) -> CUresult;
            /// Primary Context Management, in drivers since CUDA 7.0.
            /// Needs no context.
            [CUDA_PRIMARY_CTX since 7000] fn cuDevicePrimaryCtxGetState(dev: CUdevice, flags: *mut c_uint, active: *mut c_int) -> CUresult;
            /// Primary Context Management, in drivers since CUDA 11.0.
            /// Versions: `cuDevicePrimaryCtxReset` (7.0, not bound) → **`cuDevicePrimaryCtxReset_v2`** (11.0). Needs no context.
            [CUDA_PRIMARY_CTX since 11000] fn cuDevicePrimaryCtxReset_v2(dev: CUdevice) -> CUresult;
            /// Context Management, in drivers since CUDA 12.5.
            /// Versions: `cuCtxCreate` (2.0, not bound) → [`cuCtxCreate_v2`](fn@crate::cuCtxCreate_v2) (3.2) → [`cuCtxCreate_v3`](fn@crate::cuCtxCreate_v3) (11.4) → **`cuCtxCreate_v4`** (12.5). Needs no context.
            [CUDA_CTX since 12050] fn cuCtxCreate_v4(pctx: *mut CUcontext, ctxCreateParams: *mut CUctxCreateParams, flags: c_uint, dev: CUdevice) -> CUresult;
            /// Context Management, in drivers since CUDA 4.0.
            /// Versions: `cuCtxDestroy` (2.0, not bound) → **`cuCtxDestroy_v2`** (4.0). Needs no current context: its arguments name what it works on.
            [CUDA_CTX since 4000] fn cuCtxDestroy_v2(ctx: CUcontext) -> CUresult;
            /// Context Management, in drivers since CUDA 4.0.
            /// Versions: `cuCtxPushCurrent` (2.0, not bound) → **`cuCtxPushCurrent_v2`** (4.0). Needs no current context: its arguments name what it works on.
            [CUDA_CTX since 4000] fn cuCtxPushCurrent_v2(ctx: CUcontext) -> CUresult;
            /// Context Management, in drivers since CUDA 4.0.
            /// Versions: `cuCtxPopCurrent` (2.0, not bound) → **`cuCtxPopCurrent_v2`** (4.0). Needs a current context.
            [CUDA_CTX since 4000] fn cuCtxPopCurrent_v2(pctx: *mut CUcontext) -> CUresult;
            /// Context Management, in drivers since CUDA 4.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_CTX since 4000] fn cuCtxSetCurrent(ctx: CUcontext) -> CUresult;
            /// Context Management, in drivers since CUDA 4.0.
            /// Needs no context.
            [CUDA_CTX since 4000] fn cuCtxGetCurrent(pctx: *mut CUcontext) -> CUresult;
            /// Context Management, in drivers since CUDA 2.0.
            /// Versions: **`cuCtxGetDevice`** (2.0) → [`cuCtxGetDevice_v2`](fn@crate::cuCtxGetDevice_v2) (13.0). Superseded: in C programs `cuCtxGetDevice` stands for `cuCtxGetDevice_v2`. Needs a current context.
            [CUDA_CTX since 2000] fn cuCtxGetDevice(device: *mut CUdevice) -> CUresult;
            /// Context Management, in drivers since CUDA 13.0.
            /// Versions: [`cuCtxGetDevice`](fn@crate::cuCtxGetDevice) (2.0) → **`cuCtxGetDevice_v2`** (13.0). Needs no current context: its arguments name what it works on.
            [CUDA_CTX since 13000] fn cuCtxGetDevice_v2(device: *mut CUdevice, ctx: CUcontext) -> CUresult;
            /// Context Management, in drivers since CUDA 7.0.
            /// Needs a current context.
            [CUDA_CTX since 7000] fn cuCtxGetFlags(flags: *mut c_uint) -> CUresult;
            /// Context Management, in drivers since CUDA 12.1.
            /// Needs a current context.
            [CUDA_CTX since 12010] fn cuCtxSetFlags(flags: c_uint) -> CUresult;
            /// Context Management, in drivers since CUDA 12.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_CTX since 12000] fn cuCtxGetId(ctx: CUcontext, ctxId: *mut c_ulonglong) -> CUresult;
            /// Context Management, in drivers since CUDA 2.0.
            /// Versions: **`cuCtxSynchronize`** (2.0) → [`cuCtxSynchronize_v2`](fn@crate::cuCtxSynchronize_v2) (13.0). Superseded: in C programs `cuCtxSynchronize` stands for `cuCtxSynchronize_v2`. Needs a current context.
            [CUDA_CTX since 2000] fn cuCtxSynchronize() -> CUresult;
            /// Context Management, in drivers since CUDA 13.0.
            /// Versions: [`cuCtxSynchronize`](fn@crate::cuCtxSynchronize) (2.0) → **`cuCtxSynchronize_v2`** (13.0). Needs no current context: its arguments name what it works on.
            [CUDA_CTX since 13000] fn cuCtxSynchronize_v2(ctx: CUcontext) -> CUresult;
            /// Context Management, in drivers since CUDA 3.1.
            /// Needs a current context.
            [CUDA_CTX since 3010] fn cuCtxSetLimit(limit: CUlimit, value: usize) -> CUresult;
            /// Context Management, in drivers since CUDA 3.1.
            /// Needs a current context.
            [CUDA_CTX since 3010] fn cuCtxGetLimit(pvalue: *mut usize, limit: CUlimit) -> CUresult;
            /// Context Management, in drivers since CUDA 3.2.
            /// Needs a current context.
            [CUDA_CTX since 3020] fn cuCtxGetCacheConfig(pconfig: *mut CUfunc_cache) -> CUresult;
            /// Context Management, in drivers since CUDA 3.2.
            /// Needs a current context.
            [CUDA_CTX since 3020] fn cuCtxSetCacheConfig(config: CUfunc_cache) -> CUresult;
            /// Context Management, in drivers since CUDA 3.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_CTX since 3020] fn cuCtxGetApiVersion(ctx: CUcontext, version: *mut c_uint) -> CUresult;
            /// Context Management, in drivers since CUDA 5.5.
            /// Needs a current context.
            [CUDA_CTX since 5050] fn cuCtxGetStreamPriorityRange(leastPriority: *mut c_int, greatestPriority: *mut c_int) -> CUresult;
            /// Context Management, in drivers since CUDA 11.0.
            /// Needs a current context.
            [CUDA_CTX since 11000] fn cuCtxResetPersistingL2Cache() -> CUresult;
            /// Context Management, in drivers since CUDA 11.4.
            /// Needs a current context.
            [CUDA_CTX since 11040] fn cuCtxGetExecAffinity(pExecAffinity: *mut CUexecAffinityParam, type_: CUexecAffinityType) -> CUresult;
            /// Context Management, in drivers since CUDA 12.5.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_CTX since 12050] fn cuCtxRecordEvent(hCtx: CUcontext, hEvent: CUevent) -> CUresult;
            /// Context Management, in drivers since CUDA 12.5.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_CTX since 12050] fn cuCtxWaitEvent(hCtx: CUcontext, hEvent: CUevent) -> CUresult;
            /// Context Management (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context.
            [CUDA_CTX_DEPRECATED since 2000] fn cuCtxAttach(pctx: *mut CUcontext, flags: c_uint) -> CUresult;
            /// Context Management (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_CTX_DEPRECATED since 2000] fn cuCtxDetach(ctx: CUcontext) -> CUresult;
            /// Context Management (deprecated), in drivers since CUDA 4.2.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context.
            [CUDA_CTX_DEPRECATED since 4020] fn cuCtxGetSharedMemConfig(pConfig: *mut CUsharedconfig) -> CUresult;
            /// Context Management (deprecated), in drivers since CUDA 4.2.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context.
            [CUDA_CTX_DEPRECATED since 4020] fn cuCtxSetSharedMemConfig(config: CUsharedconfig) -> CUresult;
            /// Module Management, in drivers since CUDA 2.0.
            /// Needs a current context.
            [CUDA_MODULE since 2000] fn cuModuleLoad(module: *mut CUmodule, fname: *const c_char) -> CUresult;
            /// Module Management, in drivers since CUDA 2.0.
            /// Needs a current context.
            [CUDA_MODULE since 2000] fn cuModuleLoadData(module: *mut CUmodule, image: *const c_void) -> CUresult;
            /// Module Management, in drivers since CUDA 2.1.
            /// Needs a current context.
            [CUDA_MODULE since 2010] fn cuModuleLoadDataEx(module: *mut CUmodule, image: *const c_void, numOptions: c_uint, options: *mut CUjit_option, optionValues: *mut *mut c_void) -> CUresult;
            /// Module Management, in drivers since CUDA 2.0.
            /// Needs a current context.
            [CUDA_MODULE since 2000] fn cuModuleLoadFatBinary(module: *mut CUmodule, fatCubin: *const c_void) -> CUresult;
            /// Module Management, in drivers since CUDA 2.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MODULE since 2000] fn cuModuleUnload(hmod: CUmodule) -> CUresult;
            /// Module Management, in drivers since CUDA 11.7.
            /// Needs no context.
            [CUDA_MODULE since 11070] fn cuModuleGetLoadingMode(mode: *mut CUmoduleLoadingMode) -> CUresult;
            /// Module Management, in drivers since CUDA 2.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MODULE since 2000] fn cuModuleGetFunction(hfunc: *mut CUfunction, hmod: CUmodule, name: *const c_char) -> CUresult;
            /// Module Management, in drivers since CUDA 12.4.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MODULE since 12040] fn cuModuleGetFunctionCount(count: *mut c_uint, mod_: CUmodule) -> CUresult;
            /// Module Management, in drivers since CUDA 12.4.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MODULE since 12040] fn cuModuleEnumerateFunctions(functions: *mut CUfunction, numFunctions: c_uint, mod_: CUmodule) -> CUresult;
            /// Module Management, in drivers since CUDA 3.2.
            /// Versions: `cuModuleGetGlobal` (2.0, not bound) → **`cuModuleGetGlobal_v2`** (3.2). Needs no current context: its arguments name what it works on.
            [CUDA_MODULE since 3020] fn cuModuleGetGlobal_v2(dptr: *mut CUdeviceptr, bytes: *mut usize, hmod: CUmodule, name: *const c_char) -> CUresult;
            /// Module Management, in drivers since CUDA 6.5.
            /// Versions: `cuLinkCreate` (5.5, not bound) → **`cuLinkCreate_v2`** (6.5). Needs a current context.
            [CUDA_MODULE since 6050] fn cuLinkCreate_v2(numOptions: c_uint, options: *mut CUjit_option, optionValues: *mut *mut c_void, stateOut: *mut CUlinkState) -> CUresult;
            /// Module Management, in drivers since CUDA 6.5.
            /// Versions: `cuLinkAddData` (5.5, not bound) → **`cuLinkAddData_v2`** (6.5). Needs no current context: its arguments name what it works on.
            [CUDA_MODULE since 6050] fn cuLinkAddData_v2(state: CUlinkState, type_: CUjitInputType, data: *mut c_void, size: usize, name: *const c_char, numOptions: c_uint, options: *mut CUjit_option, optionValues: *mut *mut c_void) -> CUresult;
            /// Module Management, in drivers since CUDA 6.5.
            /// Versions: `cuLinkAddFile` (5.5, not bound) → **`cuLinkAddFile_v2`** (6.5). Needs no current context: its arguments name what it works on.
            [CUDA_MODULE since 6050] fn cuLinkAddFile_v2(state: CUlinkState, type_: CUjitInputType, path: *const c_char, numOptions: c_uint, options: *mut CUjit_option, optionValues: *mut *mut c_void) -> CUresult;
            /// Module Management, in drivers since CUDA 5.5.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MODULE since 5050] fn cuLinkComplete(state: CUlinkState, cubinOut: *mut *mut c_void, sizeOut: *mut usize) -> CUresult;
            /// Module Management, in drivers since CUDA 5.5.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MODULE since 5050] fn cuLinkDestroy(state: CUlinkState) -> CUresult;
            /// Module Management (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_MODULE_DEPRECATED since 2000] fn cuModuleGetTexRef(pTexRef: *mut CUtexref, hmod: CUmodule, name: *const c_char) -> CUresult;
            /// Module Management (deprecated), in drivers since CUDA 3.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_MODULE_DEPRECATED since 3000] fn cuModuleGetSurfRef(pSurfRef: *mut CUsurfref, hmod: CUmodule, name: *const c_char) -> CUresult;
            /// Library Management, in drivers since CUDA 12.0.
            /// Needs no context.
            [CUDA_LIBRARY since 12000] fn cuLibraryLoadData(library: *mut CUlibrary, code: *const c_void, jitOptions: *mut CUjit_option, jitOptionsValues: *mut *mut c_void, numJitOptions: c_uint, libraryOptions: *mut CUlibraryOption, libraryOptionValues: *mut *mut c_void, numLibraryOptions: c_uint) -> CUresult;
            /// Library Management, in drivers since CUDA 12.0.
            /// Needs no context.
            [CUDA_LIBRARY since 12000] fn cuLibraryLoadFromFile(library: *mut CUlibrary, fileName: *const c_char, jitOptions: *mut CUjit_option, jitOptionsValues: *mut *mut c_void, numJitOptions: c_uint, libraryOptions: *mut CUlibraryOption, libraryOptionValues: *mut *mut c_void, numLibraryOptions: c_uint) -> CUresult;
            /// Library Management, in drivers since CUDA 12.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_LIBRARY since 12000] fn cuLibraryUnload(library: CUlibrary) -> CUresult;
            /// Library Management, in drivers since CUDA 12.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_LIBRARY since 12000] fn cuLibraryGetKernel(pKernel: *mut CUkernel, library: CUlibrary, name: *const c_char) -> CUresult;
            /// Library Management, in drivers since CUDA 12.4.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_LIBRARY since 12040] fn cuLibraryGetKernelCount(count: *mut c_uint, lib: CUlibrary) -> CUresult;
            /// Library Management, in drivers since CUDA 12.4.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_LIBRARY since 12040] fn cuLibraryEnumerateKernels(kernels: *mut CUkernel, numKernels: c_uint, lib: CUlibrary) -> CUresult;
            /// Library Management, in drivers since CUDA 12.0.
            /// Needs a current context.
            [CUDA_LIBRARY since 12000] fn cuLibraryGetModule(pMod: *mut CUmodule, library: CUlibrary) -> CUresult;
            /// Library Management, in drivers since CUDA 12.0.
            /// Needs a current context.
            [CUDA_LIBRARY since 12000] fn cuKernelGetFunction(pFunc: *mut CUfunction, kernel: CUkernel) -> CUresult;
            /// Library Management, in drivers since CUDA 12.5.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_LIBRARY since 12050] fn cuKernelGetLibrary(pLib: *mut CUlibrary, kernel: CUkernel) -> CUresult;
            /// Library Management, in drivers since CUDA 12.0.
            /// Needs a current context.
            [CUDA_LIBRARY since 12000] fn cuLibraryGetGlobal(dptr: *mut CUdeviceptr, bytes: *mut usize, library: CUlibrary, name: *const c_char) -> CUresult;
            /// Library Management, in drivers since CUDA 12.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_LIBRARY since 12000] fn cuLibraryGetManaged(dptr: *mut CUdeviceptr, bytes: *mut usize, library: CUlibrary, name: *const c_char) -> CUresult;
            /// Library Management, in drivers since CUDA 12.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_LIBRARY since 12000] fn cuLibraryGetUnifiedFunction(fptr: *mut *mut c_void, library: CUlibrary, symbol: *const c_char) -> CUresult;
            /// Library Management, in drivers since CUDA 12.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_LIBRARY since 12000] fn cuKernelGetAttribute(pi: *mut c_int, attrib: CUfunction_attribute, kernel: CUkernel, dev: CUdevice) -> CUresult;
            /// Library Management, in drivers since CUDA 12.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_LIBRARY since 12000] fn cuKernelSetAttribute(attrib: CUfunction_attribute, val: c_int, kernel: CUkernel, dev: CUdevice) -> CUresult;
            /// Library Management, in drivers since CUDA 12.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_LIBRARY since 12000] fn cuKernelSetCacheConfig(kernel: CUkernel, config: CUfunc_cache, dev: CUdevice) -> CUresult;
            /// Library Management, in drivers since CUDA 12.3.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_LIBRARY since 12030] fn cuKernelGetName(name: *mut *const c_char, hfunc: CUkernel) -> CUresult;
            /// Library Management, in drivers since CUDA 12.4.
            /// Needs a current context.
            [CUDA_LIBRARY since 12040] fn cuKernelGetParamInfo(kernel: CUkernel, paramIndex: usize, paramOffset: *mut usize, paramSize: *mut usize) -> CUresult;
            /// Library Management, in drivers since CUDA 13.2.
            /// Needs a current context.
            [CUDA_LIBRARY since 13020] fn cuKernelGetParamCount(kernel: CUkernel, paramCount: *mut usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemGetInfo` (2.0, not bound) → **`cuMemGetInfo_v2`** (3.2). Needs a current context.
            [CUDA_MEM since 3020] fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemAlloc` (2.0, not bound) → **`cuMemAlloc_v2`** (3.2). Needs a current context.
            [CUDA_MEM since 3020] fn cuMemAlloc_v2(dptr: *mut CUdeviceptr, bytesize: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemAllocPitch` (2.0, not bound) → **`cuMemAllocPitch_v2`** (3.2). Needs a current context.
            [CUDA_MEM since 3020] fn cuMemAllocPitch_v2(dptr: *mut CUdeviceptr, pPitch: *mut usize, WidthInBytes: usize, Height: usize, ElementSizeBytes: c_uint) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemFree` (2.0, not bound) → **`cuMemFree_v2`** (3.2). Needs no current context: its arguments name what it works on.
            [CUDA_MEM since 3020] fn cuMemFree_v2(dptr: CUdeviceptr) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemGetAddressRange` (2.0, not bound) → **`cuMemGetAddressRange_v2`** (3.2). Needs a current context.
            [CUDA_MEM since 3020] fn cuMemGetAddressRange_v2(pbase: *mut CUdeviceptr, psize: *mut usize, dptr: CUdeviceptr) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemAllocHost` (2.0, not bound) → **`cuMemAllocHost_v2`** (3.2). Needs a current context.
            [CUDA_MEM since 3020] fn cuMemAllocHost_v2(pp: *mut *mut c_void, bytesize: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 2.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MEM since 2000] fn cuMemFreeHost(p: *mut c_void) -> CUresult;
            /// Memory Management, in drivers since CUDA 2.2.
            /// Needs a current context.
            [CUDA_MEM since 2020] fn cuMemHostAlloc(pp: *mut *mut c_void, bytesize: usize, Flags: c_uint) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemHostGetDevicePointer` (2.2, not bound) → **`cuMemHostGetDevicePointer_v2`** (3.2). Needs a current context.
            [CUDA_MEM since 3020] fn cuMemHostGetDevicePointer_v2(pdptr: *mut CUdeviceptr, p: *mut c_void, Flags: c_uint) -> CUresult;
            /// Memory Management, in drivers since CUDA 2.3.
            /// Needs a current context.
            [CUDA_MEM since 2030] fn cuMemHostGetFlags(pFlags: *mut c_uint, p: *mut c_void) -> CUresult;
            /// Memory Management, in drivers since CUDA 6.0.
            /// Needs a current context.
            [CUDA_MEM since 6000] fn cuMemAllocManaged(dptr: *mut CUdeviceptr, bytesize: usize, flags: c_uint) -> CUresult;
            /// Memory Management, in drivers since CUDA 12.4.
            /// Needs no context.
            [CUDA_MEM since 12040] fn cuDeviceRegisterAsyncNotification(device: CUdevice, callbackFunc: CUasyncCallback, userData: *mut c_void, callback: *mut CUasyncCallbackHandle) -> CUresult;
            /// Memory Management, in drivers since CUDA 12.4.
            /// Needs no context.
            [CUDA_MEM since 12040] fn cuDeviceUnregisterAsyncNotification(device: CUdevice, callback: CUasyncCallbackHandle) -> CUresult;
            /// Memory Management, in drivers since CUDA 4.1.
            /// Needs no context.
            [CUDA_MEM since 4010] fn cuDeviceGetByPCIBusId(dev: *mut CUdevice, pciBusId: *const c_char) -> CUresult;
            /// Memory Management, in drivers since CUDA 4.1.
            /// Needs no context.
            [CUDA_MEM since 4010] fn cuDeviceGetPCIBusId(pciBusId: *mut c_char, len: c_int, dev: CUdevice) -> CUresult;
            /// Memory Management, in drivers since CUDA 4.1.
            /// Needs a current context.
            [CUDA_MEM since 4010] fn cuIpcGetEventHandle(pHandle: *mut CUipcEventHandle, event: CUevent) -> CUresult;
            /// Memory Management, in drivers since CUDA 4.1.
            /// Needs a current context.
            [CUDA_MEM since 4010] fn cuIpcOpenEventHandle(phEvent: *mut CUevent, handle: CUipcEventHandle) -> CUresult;
            /// Memory Management, in drivers since CUDA 4.1.
            /// Needs a current context.
            [CUDA_MEM since 4010] fn cuIpcGetMemHandle(pHandle: *mut CUipcMemHandle, dptr: CUdeviceptr) -> CUresult;
            /// Memory Management, in drivers since CUDA 11.0.
            /// Versions: `cuIpcOpenMemHandle` (4.1, not bound) → **`cuIpcOpenMemHandle_v2`** (11.0). Needs a current context.
            [CUDA_MEM since 11000] fn cuIpcOpenMemHandle_v2(pdptr: *mut CUdeviceptr, handle: CUipcMemHandle, Flags: c_uint) -> CUresult;
            /// Memory Management, in drivers since CUDA 4.1.
            /// Needs a current context.
            [CUDA_MEM since 4010] fn cuIpcCloseMemHandle(dptr: CUdeviceptr) -> CUresult;
            /// Memory Management, in drivers since CUDA 6.5.
            /// Versions: `cuMemHostRegister` (4.0, not bound) → **`cuMemHostRegister_v2`** (6.5). Needs a current context.
            [CUDA_MEM since 6050] fn cuMemHostRegister_v2(p: *mut c_void, bytesize: usize, Flags: c_uint) -> CUresult;
            /// Memory Management, in drivers since CUDA 4.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MEM since 4000] fn cuMemHostUnregister(p: *mut c_void) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuArrayCreate` (2.0, not bound) → **`cuArrayCreate_v2`** (3.2). Needs a current context.
            [CUDA_MEM since 3020] fn cuArrayCreate_v2(pHandle: *mut CUarray, pAllocateArray: *const CUDA_ARRAY_DESCRIPTOR) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuArrayGetDescriptor` (2.0, not bound) → **`cuArrayGetDescriptor_v2`** (3.2). Needs no current context: its arguments name what it works on.
            [CUDA_MEM since 3020] fn cuArrayGetDescriptor_v2(pArrayDescriptor: *mut CUDA_ARRAY_DESCRIPTOR, hArray: CUarray) -> CUresult;
            /// Memory Management, in drivers since CUDA 11.1.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MEM since 11010] fn cuArrayGetSparseProperties(sparseProperties: *mut CUDA_ARRAY_SPARSE_PROPERTIES, array: CUarray) -> CUresult;
            /// Memory Management, in drivers since CUDA 11.1.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MEM since 11010] fn cuMipmappedArrayGetSparseProperties(sparseProperties: *mut CUDA_ARRAY_SPARSE_PROPERTIES, mipmap: CUmipmappedArray) -> CUresult;
            /// Memory Management, in drivers since CUDA 11.6.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MEM since 11060] fn cuArrayGetMemoryRequirements(memoryRequirements: *mut CUDA_ARRAY_MEMORY_REQUIREMENTS, array: CUarray, device: CUdevice) -> CUresult;
            /// Memory Management, in drivers since CUDA 11.6.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MEM since 11060] fn cuMipmappedArrayGetMemoryRequirements(memoryRequirements: *mut CUDA_ARRAY_MEMORY_REQUIREMENTS, mipmap: CUmipmappedArray, device: CUdevice) -> CUresult;
            /// Memory Management, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MEM since 11020] fn cuArrayGetPlane(pPlaneArray: *mut CUarray, hArray: CUarray, planeIdx: c_uint) -> CUresult;
            /// Memory Management, in drivers since CUDA 2.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MEM since 2000] fn cuArrayDestroy(hArray: CUarray) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuArray3DCreate` (2.0, not bound) → **`cuArray3DCreate_v2`** (3.2). Needs a current context.
            [CUDA_MEM since 3020] fn cuArray3DCreate_v2(pHandle: *mut CUarray, pAllocateArray: *const CUDA_ARRAY3D_DESCRIPTOR) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuArray3DGetDescriptor` (2.0, not bound) → **`cuArray3DGetDescriptor_v2`** (3.2). Needs no current context: its arguments name what it works on.
            [CUDA_MEM since 3020] fn cuArray3DGetDescriptor_v2(pArrayDescriptor: *mut CUDA_ARRAY3D_DESCRIPTOR, hArray: CUarray) -> CUresult;
            /// Memory Management, in drivers since CUDA 5.0.
            /// Needs a current context.
            [CUDA_MEM since 5000] fn cuMipmappedArrayCreate(pHandle: *mut CUmipmappedArray, pMipmappedArrayDesc: *const CUDA_ARRAY3D_DESCRIPTOR, numMipmapLevels: c_uint) -> CUresult;
            /// Memory Management, in drivers since CUDA 5.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MEM since 5000] fn cuMipmappedArrayGetLevel(pLevelArray: *mut CUarray, hMipmappedArray: CUmipmappedArray, level: c_uint) -> CUresult;
            /// Memory Management, in drivers since CUDA 5.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MEM since 5000] fn cuMipmappedArrayDestroy(hMipmappedArray: CUmipmappedArray) -> CUresult;
            /// Memory Management, in drivers since CUDA 11.7.
            /// Needs a current context.
            [CUDA_MEM since 11070] fn cuMemGetHandleForAddressRange(handle: *mut c_void, dptr: CUdeviceptr, size: usize, handleType: CUmemRangeHandleType, flags: c_ulonglong) -> CUresult;
            /// Virtual Memory Management, in drivers since CUDA 10.2.
            /// Needs no context.
            [CUDA_VA since 10020] fn cuMemAddressReserve(ptr: *mut CUdeviceptr, size: usize, alignment: usize, addr: CUdeviceptr, flags: c_ulonglong) -> CUresult;
            /// Virtual Memory Management, in drivers since CUDA 10.2.
            /// Needs no context.
            [CUDA_VA since 10020] fn cuMemAddressFree(ptr: CUdeviceptr, size: usize) -> CUresult;
            /// Virtual Memory Management, in drivers since CUDA 10.2.
            /// Needs no context.
            [CUDA_VA since 10020] fn cuMemCreate(handle: *mut CUmemGenericAllocationHandle, size: usize, prop: *const CUmemAllocationProp, flags: c_ulonglong) -> CUresult;
            /// Virtual Memory Management, in drivers since CUDA 10.2.
            /// Needs no context.
            [CUDA_VA since 10020] fn cuMemRelease(handle: CUmemGenericAllocationHandle) -> CUresult;
            /// Virtual Memory Management, in drivers since CUDA 10.2.
            /// Needs no context.
            [CUDA_VA since 10020] fn cuMemMap(ptr: CUdeviceptr, size: usize, offset: usize, handle: CUmemGenericAllocationHandle, flags: c_ulonglong) -> CUresult;
            /// Virtual Memory Management, in drivers since CUDA 10.2.
            /// Needs no context.
            [CUDA_VA since 10020] fn cuMemUnmap(ptr: CUdeviceptr, size: usize) -> CUresult;
            /// Virtual Memory Management, in drivers since CUDA 10.2.
            /// Needs no context.
            [CUDA_VA since 10020] fn cuMemSetAccess(ptr: CUdeviceptr, size: usize, desc: *const CUmemAccessDesc, count: usize) -> CUresult;
            /// Virtual Memory Management, in drivers since CUDA 10.2.
            /// Needs no context.
            [CUDA_VA since 10020] fn cuMemGetAccess(flags: *mut c_ulonglong, location: *const CUmemLocation, ptr: CUdeviceptr) -> CUresult;
            /// Virtual Memory Management, in drivers since CUDA 10.2.
            /// Needs no context.
            [CUDA_VA since 10020] fn cuMemExportToShareableHandle(shareableHandle: *mut c_void, handle: CUmemGenericAllocationHandle, handleType: CUmemAllocationHandleType, flags: c_ulonglong) -> CUresult;
            /// Virtual Memory Management, in drivers since CUDA 10.2.
            /// Needs no context.
            [CUDA_VA since 10020] fn cuMemImportFromShareableHandle(handle: *mut CUmemGenericAllocationHandle, osHandle: *mut c_void, shHandleType: CUmemAllocationHandleType) -> CUresult;
            /// Virtual Memory Management, in drivers since CUDA 10.2.
            /// Needs no context.
            [CUDA_VA since 10020] fn cuMemGetAllocationGranularity(granularity: *mut usize, prop: *const CUmemAllocationProp, option: CUmemAllocationGranularity_flags) -> CUresult;
            /// Virtual Memory Management, in drivers since CUDA 10.2.
            /// Needs no context.
            [CUDA_VA since 10020] fn cuMemGetAllocationPropertiesFromHandle(prop: *mut CUmemAllocationProp, handle: CUmemGenericAllocationHandle) -> CUresult;
            /// Virtual Memory Management, in drivers since CUDA 11.0.
            /// Needs no context.
            [CUDA_VA since 11000] fn cuMemRetainAllocationHandle(handle: *mut CUmemGenericAllocationHandle, addr: *mut c_void) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MALLOC_ASYNC since 11020] fn cuMemPoolTrimTo(pool: CUmemoryPool, minBytesToKeep: usize) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MALLOC_ASYNC since 11020] fn cuMemPoolSetAttribute(pool: CUmemoryPool, attr: CUmemPool_attribute, value: *mut c_void) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MALLOC_ASYNC since 11020] fn cuMemPoolGetAttribute(pool: CUmemoryPool, attr: CUmemPool_attribute, value: *mut c_void) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MALLOC_ASYNC since 11020] fn cuMemPoolSetAccess(pool: CUmemoryPool, map: *const CUmemAccessDesc, count: usize) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MALLOC_ASYNC since 11020] fn cuMemPoolGetAccess(flags: *mut CUmemAccess_flags, memPool: CUmemoryPool, location: *mut CUmemLocation) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
            /// Needs no context.
            [CUDA_MALLOC_ASYNC since 11020] fn cuMemPoolCreate(pool: *mut CUmemoryPool, poolProps: *const CUmemPoolProps) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MALLOC_ASYNC since 11020] fn cuMemPoolDestroy(pool: CUmemoryPool) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 13.0.
            /// Needs no context.
            [CUDA_MALLOC_ASYNC since 13000] fn cuMemGetDefaultMemPool(pool_out: *mut CUmemoryPool, location: *mut CUmemLocation, type_: CUmemAllocationType) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 13.0.
            /// Needs no context.
            [CUDA_MALLOC_ASYNC since 13000] fn cuMemGetMemPool(pool: *mut CUmemoryPool, location: *mut CUmemLocation, type_: CUmemAllocationType) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 13.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MALLOC_ASYNC since 13000] fn cuMemSetMemPool(location: *mut CUmemLocation, type_: CUmemAllocationType, pool: CUmemoryPool) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MALLOC_ASYNC since 11020] fn cuMemPoolExportToShareableHandle(handle_out: *mut c_void, pool: CUmemoryPool, handleType: CUmemAllocationHandleType, flags: c_ulonglong) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
            /// Needs no context.
            [CUDA_MALLOC_ASYNC since 11020] fn cuMemPoolImportFromShareableHandle(pool_out: *mut CUmemoryPool, handle: *mut c_void, handleType: CUmemAllocationHandleType, flags: c_ulonglong) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
            /// Needs a current context.
            [CUDA_MALLOC_ASYNC since 11020] fn cuMemPoolExportPointer(shareData_out: *mut CUmemPoolPtrExportData, ptr: CUdeviceptr) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_MALLOC_ASYNC since 11020] fn cuMemPoolImportPointer(ptr_out: *mut CUdeviceptr, pool: CUmemoryPool, shareData: *mut CUmemPoolPtrExportData) -> CUresult;
            /// Multicast Object Management, in drivers since CUDA 12.1.
            /// Needs no context.
            [CUDA_MULTICAST since 12010] fn cuMulticastCreate(mcHandle: *mut CUmemGenericAllocationHandle, prop: *const CUmulticastObjectProp) -> CUresult;
            /// Multicast Object Management, in drivers since CUDA 12.1.
            /// Needs no context.
            [CUDA_MULTICAST since 12010] fn cuMulticastAddDevice(mcHandle: CUmemGenericAllocationHandle, dev: CUdevice) -> CUresult;
            /// Multicast Object Management, in drivers since CUDA 12.1.
            /// Versions: **`cuMulticastBindMem`** (12.1) → [`cuMulticastBindMem_v2`](fn@crate::cuMulticastBindMem_v2) (13.1). Superseded: in C programs `cuMulticastBindMem` stands for `cuMulticastBindMem_v2`. Needs no context.
            [CUDA_MULTICAST since 12010] fn cuMulticastBindMem(mcHandle: CUmemGenericAllocationHandle, mcOffset: usize, memHandle: CUmemGenericAllocationHandle, memOffset: usize, size: usize, flags: c_ulonglong) -> CUresult;
            /// Multicast Object Management, in drivers since CUDA 13.1.
            /// Versions: [`cuMulticastBindMem`](fn@crate::cuMulticastBindMem) (12.1) → **`cuMulticastBindMem_v2`** (13.1). Needs no context.
            [CUDA_MULTICAST since 13010] fn cuMulticastBindMem_v2(mcHandle: CUmemGenericAllocationHandle, dev: CUdevice, mcOffset: usize, memHandle: CUmemGenericAllocationHandle, memOffset: usize, size: usize, flags: c_ulonglong) -> CUresult;
            /// Multicast Object Management, in drivers since CUDA 12.1.
            /// Versions: **`cuMulticastBindAddr`** (12.1) → [`cuMulticastBindAddr_v2`](fn@crate::cuMulticastBindAddr_v2) (13.1). Superseded: in C programs `cuMulticastBindAddr` stands for `cuMulticastBindAddr_v2`. Needs no context.
            [CUDA_MULTICAST since 12010] fn cuMulticastBindAddr(mcHandle: CUmemGenericAllocationHandle, mcOffset: usize, memptr: CUdeviceptr, size: usize, flags: c_ulonglong) -> CUresult;
            /// Multicast Object Management, in drivers since CUDA 13.1.
            /// Versions: [`cuMulticastBindAddr`](fn@crate::cuMulticastBindAddr) (12.1) → **`cuMulticastBindAddr_v2`** (13.1). Needs no context.
            [CUDA_MULTICAST since 13010] fn cuMulticastBindAddr_v2(mcHandle: CUmemGenericAllocationHandle, dev: CUdevice, mcOffset: usize, memptr: CUdeviceptr, size: usize, flags: c_ulonglong) -> CUresult;
            /// Multicast Object Management, in drivers since CUDA 12.1.
            /// Needs no context.
            [CUDA_MULTICAST since 12010] fn cuMulticastUnbind(mcHandle: CUmemGenericAllocationHandle, dev: CUdevice, mcOffset: usize, size: usize) -> CUresult;
            /// Multicast Object Management, in drivers since CUDA 12.1.
            /// Needs no context.
            [CUDA_MULTICAST since 12010] fn cuMulticastGetGranularity(granularity: *mut usize, prop: *const CUmulticastObjectProp, option: CUmulticastGranularity_flags) -> CUresult;
            /// Fabric Clique Information, in drivers since CUDA 13.4.
            /// Needs no context.
            [CUDA_CLIQUE since 13040] fn cuDeviceGetFabricClusterUuid(uuid: *mut CUuuid, dev: CUdevice) -> CUresult;
            /// Fabric Clique Information, in drivers since CUDA 13.4.
            /// Needs no context.
            [CUDA_CLIQUE since 13040] fn cuDeviceGetCliqueCount(count: *mut usize, dev: CUdevice) -> CUresult;
            /// Fabric Clique Information, in drivers since CUDA 13.4.
            /// Needs no context.
            [CUDA_CLIQUE since 13040] fn cuDeviceGetCliqueInfo(cliqueInfo: *mut CUcliqueInfo, count: *mut usize, dev: CUdevice) -> CUresult;
            /// Logical Endpoint, in drivers since CUDA 13.3.
            /// Needs no context.
            [CUDA_LOGICAL_ENDPOINT since 13030] fn cuLogicalEndpointIdReserve(baseLeId: *mut CUlogicalEndpointId, count: cuuint32_t) -> CUresult;
            /// Logical Endpoint, in drivers since CUDA 13.3.
            /// Needs no context.
            [CUDA_LOGICAL_ENDPOINT since 13030] fn cuLogicalEndpointIdRelease(baseLeId: CUlogicalEndpointId, count: cuuint32_t) -> CUresult;
            /// Logical Endpoint, in drivers since CUDA 13.3.
            /// Needs no context.
            [CUDA_LOGICAL_ENDPOINT since 13030] fn cuLogicalEndpointCreate(leId: CUlogicalEndpointId, prop: *const CUlogicalEndpointProp) -> CUresult;
            /// Logical Endpoint, in drivers since CUDA 13.3.
            /// Needs no context.
            [CUDA_LOGICAL_ENDPOINT since 13030] fn cuLogicalEndpointAddDevice(leId: CUlogicalEndpointId, dev: CUdevice) -> CUresult;
            /// Logical Endpoint, in drivers since CUDA 13.3.
            /// Needs no context.
            [CUDA_LOGICAL_ENDPOINT since 13030] fn cuLogicalEndpointDestroy(leId: CUlogicalEndpointId) -> CUresult;
            /// Logical Endpoint, in drivers since CUDA 13.3.
            /// Needs no context.
            [CUDA_LOGICAL_ENDPOINT since 13030] fn cuLogicalEndpointBindAddr(leId: CUlogicalEndpointId, dev: CUdevice, offset: cuuint64_t, ptr: *mut c_void, size: cuuint64_t, flags: c_ulonglong) -> CUresult;
            /// Logical Endpoint, in drivers since CUDA 13.3.
            /// Needs no context.
            [CUDA_LOGICAL_ENDPOINT since 13030] fn cuLogicalEndpointBindMem(leId: CUlogicalEndpointId, dev: CUdevice, offset: cuuint64_t, memHandle: CUmemGenericAllocationHandle, memOffset: cuuint64_t, size: cuuint64_t, flags: c_ulonglong) -> CUresult;
            /// Logical Endpoint, in drivers since CUDA 13.3.
            /// Needs no context.
            [CUDA_LOGICAL_ENDPOINT since 13030] fn cuLogicalEndpointUnbind(leId: CUlogicalEndpointId, dev: CUdevice, offset: cuuint64_t, size: cuuint64_t) -> CUresult;
            /// Logical Endpoint, in drivers since CUDA 13.3.
            /// Needs no context.
            [CUDA_LOGICAL_ENDPOINT since 13030] fn cuLogicalEndpointExport(handle: *mut c_void, leId: CUlogicalEndpointId, handleType: CUlogicalEndpointIpcHandleType) -> CUresult;
            /// Logical Endpoint, in drivers since CUDA 13.3.
            /// Needs no context.
            [CUDA_LOGICAL_ENDPOINT since 13030] fn cuLogicalEndpointImport(leId: CUlogicalEndpointId, handle: *const c_void, handleType: CUlogicalEndpointIpcHandleType) -> CUresult;
            /// Logical Endpoint, in drivers since CUDA 13.3.
            /// Needs no context.
            [CUDA_LOGICAL_ENDPOINT since 13030] fn cuLogicalEndpointGetLimits(bindAlignment: *mut cuuint64_t, maxSize: *mut cuuint64_t, prop: *const CUlogicalEndpointProp) -> CUresult;
            /// Logical Endpoint, in drivers since CUDA 13.3.
            /// Needs no context.
            [CUDA_LOGICAL_ENDPOINT since 13030] fn cuLogicalEndpointQuery(leId: CUlogicalEndpointId, count: cuuint32_t, queryStatus: *mut c_int) -> CUresult;
            /// Unified Addressing, in drivers since CUDA 4.0.
            /// Needs no context.
            [CUDA_UNIFIED since 4000] fn cuPointerGetAttribute(data: *mut c_void, attribute: CUpointer_attribute, ptr: CUdeviceptr) -> CUresult;
            /// Unified Addressing, in drivers since CUDA 12.2.
            /// Versions: [`cuMemAdvise`](fn@crate::cuMemAdvise) (8.0) → **`cuMemAdvise_v2`** (12.2). Needs a current context.
            [CUDA_UNIFIED since 12020] fn cuMemAdvise_v2(devPtr: CUdeviceptr, count: usize, advice: CUmem_advise, location: CUmemLocation) -> CUresult;
            /// Unified Addressing, in drivers since CUDA 13.4.
            /// Needs a current context.
            [CUDA_UNIFIED since 13040] fn cuMemGetLocationInfo(ptr: CUdeviceptr, size: usize, summaryGranularity: usize, samplingGranularity: usize, location_out: *mut CUmemLocation) -> CUresult;
            /// Unified Addressing, in drivers since CUDA 8.0.
            /// Needs a current context.
            [CUDA_UNIFIED since 8000] fn cuMemRangeGetAttribute(data: *mut c_void, dataSize: usize, attribute: CUmem_range_attribute, devPtr: CUdeviceptr, count: usize) -> CUresult;
            /// Unified Addressing, in drivers since CUDA 8.0.
            /// Needs a current context.
            [CUDA_UNIFIED since 8000] fn cuMemRangeGetAttributes(data: *mut *mut c_void, dataSizes: *mut usize, attributes: *mut CUmem_range_attribute, numAttributes: usize, devPtr: CUdeviceptr, count: usize) -> CUresult;
            /// Unified Addressing, in drivers since CUDA 6.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_UNIFIED since 6000] fn cuPointerSetAttribute(value: *const c_void, attribute: CUpointer_attribute, ptr: CUdeviceptr) -> CUresult;
            /// Unified Addressing, in drivers since CUDA 7.0.
            /// Needs no context.
            [CUDA_UNIFIED since 7000] fn cuPointerGetAttributes(numAttributes: c_uint, attributes: *mut CUpointer_attribute, data: *mut *mut c_void, ptr: CUdeviceptr) -> CUresult;
            /// Stream Management, in drivers since CUDA 2.0.
            /// Needs a current context.
            [CUDA_STREAM since 2000] fn cuStreamCreate(phStream: *mut CUstream, Flags: c_uint) -> CUresult;
            /// Stream Management, in drivers since CUDA 5.5.
            /// Needs a current context.
            [CUDA_STREAM since 5050] fn cuStreamCreateWithPriority(phStream: *mut CUstream, flags: c_uint, priority: c_int) -> CUresult;
            /// Stream Management, in drivers since CUDA 10.1.
            /// Needs no context.
            [CUDA_STREAM since 10010] fn cuThreadExchangeStreamCaptureMode(mode: *mut CUstreamCaptureMode) -> CUresult;
            /// Stream Management, in drivers since CUDA 4.0.
            /// Versions: `cuStreamDestroy` (2.0, not bound) → **`cuStreamDestroy_v2`** (4.0). Needs no current context: its arguments name what it works on.
            [CUDA_STREAM since 4000] fn cuStreamDestroy_v2(hStream: CUstream) -> CUresult;
            /// Event Management, in drivers since CUDA 2.0.
            /// Needs a current context.
            [CUDA_EVENT since 2000] fn cuEventCreate(phEvent: *mut CUevent, Flags: c_uint) -> CUresult;
            /// Event Management, in drivers since CUDA 2.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_EVENT since 2000] fn cuEventQuery(hEvent: CUevent) -> CUresult;
            /// Event Management, in drivers since CUDA 2.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_EVENT since 2000] fn cuEventSynchronize(hEvent: CUevent) -> CUresult;
            /// Event Management, in drivers since CUDA 4.0.
            /// Versions: `cuEventDestroy` (2.0, not bound) → **`cuEventDestroy_v2`** (4.0). Needs no current context: its arguments name what it works on.
            [CUDA_EVENT since 4000] fn cuEventDestroy_v2(hEvent: CUevent) -> CUresult;
            /// Event Management, in drivers since CUDA 12.8.
            /// Versions: [`cuEventElapsedTime`](fn@crate::cuEventElapsedTime) (2.0) → **`cuEventElapsedTime_v2`** (12.8). Needs no current context: its arguments name what it works on.
            [CUDA_EVENT since 12080] fn cuEventElapsedTime_v2(pMilliseconds: *mut f32, hStart: CUevent, hEnd: CUevent) -> CUresult;
            /// External Resource Interoperability, in drivers since CUDA 10.0.
            /// Needs a current context.
            [CUDA_EXTRES_INTEROP since 10000] fn cuImportExternalMemory(extMem_out: *mut CUexternalMemory, memHandleDesc: *const CUDA_EXTERNAL_MEMORY_HANDLE_DESC) -> CUresult;
            /// External Resource Interoperability, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_EXTRES_INTEROP since 10000] fn cuExternalMemoryGetMappedBuffer(devPtr: *mut CUdeviceptr, extMem: CUexternalMemory, bufferDesc: *const CUDA_EXTERNAL_MEMORY_BUFFER_DESC) -> CUresult;
            /// External Resource Interoperability, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_EXTRES_INTEROP since 10000] fn cuExternalMemoryGetMappedMipmappedArray(mipmap: *mut CUmipmappedArray, extMem: CUexternalMemory, mipmapDesc: *const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC) -> CUresult;
            /// External Resource Interoperability, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_EXTRES_INTEROP since 10000] fn cuDestroyExternalMemory(extMem: CUexternalMemory) -> CUresult;
            /// External Resource Interoperability, in drivers since CUDA 10.0.
            /// Needs a current context.
            [CUDA_EXTRES_INTEROP since 10000] fn cuImportExternalSemaphore(extSem_out: *mut CUexternalSemaphore, semHandleDesc: *const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC) -> CUresult;
            /// External Resource Interoperability, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_EXTRES_INTEROP since 10000] fn cuDestroyExternalSemaphore(extSem: CUexternalSemaphore) -> CUresult;
            /// Execution Control, in drivers since CUDA 2.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_EXEC since 2020] fn cuFuncGetAttribute(pi: *mut c_int, attrib: CUfunction_attribute, hfunc: CUfunction) -> CUresult;
            /// Execution Control, in drivers since CUDA 9.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_EXEC since 9000] fn cuFuncSetAttribute(hfunc: CUfunction, attrib: CUfunction_attribute, value: c_int) -> CUresult;
            /// Execution Control, in drivers since CUDA 3.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_EXEC since 3000] fn cuFuncSetCacheConfig(hfunc: CUfunction, config: CUfunc_cache) -> CUresult;
            /// Execution Control, in drivers since CUDA 11.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_EXEC since 11000] fn cuFuncGetModule(hmod: *mut CUmodule, hfunc: CUfunction) -> CUresult;
            /// Execution Control, in drivers since CUDA 12.3.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_EXEC since 12030] fn cuFuncGetName(name: *mut *const c_char, hfunc: CUfunction) -> CUresult;
            /// Execution Control, in drivers since CUDA 12.4.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_EXEC since 12040] fn cuFuncGetParamInfo(func: CUfunction, paramIndex: usize, paramOffset: *mut usize, paramSize: *mut usize) -> CUresult;
            /// Execution Control, in drivers since CUDA 13.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_EXEC since 13020] fn cuFuncGetParamCount(func: CUfunction, paramCount: *mut usize) -> CUresult;
            /// Execution Control, in drivers since CUDA 12.4.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_EXEC since 12040] fn cuFuncIsLoaded(state: *mut CUfunctionLoadingState, function: CUfunction) -> CUresult;
            /// Execution Control, in drivers since CUDA 12.4.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_EXEC since 12040] fn cuFuncLoad(function: CUfunction) -> CUresult;
            /// Execution Control (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context.
            [CUDA_EXEC_DEPRECATED since 2000] fn cuFuncSetBlockShape(hfunc: CUfunction, x: c_int, y: c_int, z: c_int) -> CUresult;
            /// Execution Control (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context.
            [CUDA_EXEC_DEPRECATED since 2000] fn cuFuncSetSharedSize(hfunc: CUfunction, bytes: c_uint) -> CUresult;
            /// Execution Control (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context.
            [CUDA_EXEC_DEPRECATED since 2000] fn cuParamSetSize(hfunc: CUfunction, numbytes: c_uint) -> CUresult;
            /// Execution Control (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context.
            [CUDA_EXEC_DEPRECATED since 2000] fn cuParamSeti(hfunc: CUfunction, offset: c_int, value: c_uint) -> CUresult;
            /// Execution Control (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context.
            [CUDA_EXEC_DEPRECATED since 2000] fn cuParamSetf(hfunc: CUfunction, offset: c_int, value: f32) -> CUresult;
            /// Execution Control (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context.
            [CUDA_EXEC_DEPRECATED since 2000] fn cuParamSetv(hfunc: CUfunction, offset: c_int, ptr: *mut c_void, numbytes: c_uint) -> CUresult;
            /// Execution Control (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context.
            [CUDA_EXEC_DEPRECATED since 2000] fn cuLaunch(f: CUfunction) -> CUresult;
            /// Execution Control (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context.
            [CUDA_EXEC_DEPRECATED since 2000] fn cuLaunchGrid(f: CUfunction, grid_width: c_int, grid_height: c_int) -> CUresult;
            /// Execution Control (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context.
            [CUDA_EXEC_DEPRECATED since 2000] fn cuLaunchGridAsync(f: CUfunction, grid_width: c_int, grid_height: c_int, hStream: CUstream) -> CUresult;
            /// Execution Control (deprecated), in drivers since CUDA 9.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context.
            [CUDA_EXEC_DEPRECATED since 9000] fn cuLaunchCooperativeKernelMultiDevice(launchParamsList: *mut CUDA_LAUNCH_PARAMS, numDevices: c_uint, flags: c_uint) -> CUresult;
            /// Execution Control (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context.
            [CUDA_EXEC_DEPRECATED since 2000] fn cuParamSetTexRef(hfunc: CUfunction, texunit: c_int, hTexRef: CUtexref) -> CUresult;
            /// Execution Control (deprecated), in drivers since CUDA 4.2.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_EXEC_DEPRECATED since 4020] fn cuFuncSetSharedMemConfig(hfunc: CUfunction, config: CUsharedconfig) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no context.
            [CUDA_GRAPH since 10000] fn cuGraphCreate(phGraph: *mut CUgraph, flags: c_uint) -> CUresult;
            /// Graph Management, in drivers since CUDA 12.0.
            /// Versions: [`cuGraphAddKernelNode`](fn@crate::cuGraphAddKernelNode) (10.0) → **`cuGraphAddKernelNode_v2`** (12.0). Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 12000] fn cuGraphAddKernelNode_v2(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *const CUDA_KERNEL_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 12.0.
            /// Versions: [`cuGraphKernelNodeGetParams`](fn@crate::cuGraphKernelNodeGetParams) (10.0) → **`cuGraphKernelNodeGetParams_v2`** (12.0). Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 12000] fn cuGraphKernelNodeGetParams_v2(hNode: CUgraphNode, nodeParams: *mut CUDA_KERNEL_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 12.0.
            /// Versions: [`cuGraphKernelNodeSetParams`](fn@crate::cuGraphKernelNodeSetParams) (10.0) → **`cuGraphKernelNodeSetParams_v2`** (12.0). Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 12000] fn cuGraphKernelNodeSetParams_v2(hNode: CUgraphNode, nodeParams: *const CUDA_KERNEL_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphAddMemcpyNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, copyParams: *const CUDA_MEMCPY3D, ctx: CUcontext) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphMemcpyNodeGetParams(hNode: CUgraphNode, nodeParams: *mut CUDA_MEMCPY3D) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphMemcpyNodeSetParams(hNode: CUgraphNode, nodeParams: *const CUDA_MEMCPY3D) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphAddMemsetNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, memsetParams: *const CUDA_MEMSET_NODE_PARAMS, ctx: CUcontext) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphMemsetNodeGetParams(hNode: CUgraphNode, nodeParams: *mut CUDA_MEMSET_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphMemsetNodeSetParams(hNode: CUgraphNode, nodeParams: *const CUDA_MEMSET_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphAddHostNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *const CUDA_HOST_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphHostNodeGetParams(hNode: CUgraphNode, nodeParams: *mut CUDA_HOST_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphHostNodeSetParams(hNode: CUgraphNode, nodeParams: *const CUDA_HOST_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphAddChildGraphNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, childGraph: CUgraph) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphChildGraphNodeGetGraph(hNode: CUgraphNode, phGraph: *mut CUgraph) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphAddEmptyNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.1.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11010] fn cuGraphAddEventRecordNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, event: CUevent) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.1.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11010] fn cuGraphEventRecordNodeGetEvent(hNode: CUgraphNode, event_out: *mut CUevent) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.1.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11010] fn cuGraphEventRecordNodeSetEvent(hNode: CUgraphNode, event: CUevent) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.1.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11010] fn cuGraphAddEventWaitNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, event: CUevent) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.1.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11010] fn cuGraphEventWaitNodeGetEvent(hNode: CUgraphNode, event_out: *mut CUevent) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.1.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11010] fn cuGraphEventWaitNodeSetEvent(hNode: CUgraphNode, event: CUevent) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11020] fn cuGraphAddExternalSemaphoresSignalNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11020] fn cuGraphExternalSemaphoresSignalNodeGetParams(hNode: CUgraphNode, params_out: *mut CUDA_EXT_SEM_SIGNAL_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11020] fn cuGraphExternalSemaphoresSignalNodeSetParams(hNode: CUgraphNode, nodeParams: *const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11020] fn cuGraphAddExternalSemaphoresWaitNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *const CUDA_EXT_SEM_WAIT_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11020] fn cuGraphExternalSemaphoresWaitNodeGetParams(hNode: CUgraphNode, params_out: *mut CUDA_EXT_SEM_WAIT_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11020] fn cuGraphExternalSemaphoresWaitNodeSetParams(hNode: CUgraphNode, nodeParams: *const CUDA_EXT_SEM_WAIT_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.7.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11070] fn cuGraphAddBatchMemOpNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *const CUDA_BATCH_MEM_OP_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.7.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11070] fn cuGraphBatchMemOpNodeGetParams(hNode: CUgraphNode, nodeParams_out: *mut CUDA_BATCH_MEM_OP_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.7.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11070] fn cuGraphBatchMemOpNodeSetParams(hNode: CUgraphNode, nodeParams: *const CUDA_BATCH_MEM_OP_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.7.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11070] fn cuGraphExecBatchMemOpNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *const CUDA_BATCH_MEM_OP_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.4.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11040] fn cuGraphAddMemAllocNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *mut CUDA_MEM_ALLOC_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.4.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11040] fn cuGraphMemAllocNodeGetParams(hNode: CUgraphNode, params_out: *mut CUDA_MEM_ALLOC_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.4.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11040] fn cuGraphAddMemFreeNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, dptr: CUdeviceptr) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.4.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11040] fn cuGraphMemFreeNodeGetParams(hNode: CUgraphNode, dptr_out: *mut CUdeviceptr) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.4.
            /// Needs no context.
            [CUDA_GRAPH since 11040] fn cuDeviceGraphMemTrim(device: CUdevice) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.4.
            /// Needs no context.
            [CUDA_GRAPH since 11040] fn cuDeviceGetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute, value: *mut c_void) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.4.
            /// Needs no context.
            [CUDA_GRAPH since 11040] fn cuDeviceSetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute, value: *mut c_void) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphClone(phGraphClone: *mut CUgraph, originalGraph: CUgraph) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphNodeFindInClone(phNode: *mut CUgraphNode, hOriginalNode: CUgraphNode, hClonedGraph: CUgraph) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphNodeGetType(hNode: CUgraphNode, type_: *mut CUgraphNodeType) -> CUresult;
            /// Graph Management, in drivers since CUDA 13.1.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 13010] fn cuGraphNodeGetContainingGraph(hNode: CUgraphNode, phGraph: *mut CUgraph) -> CUresult;
            /// Graph Management, in drivers since CUDA 13.1.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 13010] fn cuGraphNodeGetLocalId(hNode: CUgraphNode, nodeId: *mut c_uint) -> CUresult;
            /// Graph Management, in drivers since CUDA 13.1.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 13010] fn cuGraphNodeGetToolsId(hNode: CUgraphNode, toolsNodeId: *mut c_ulonglong) -> CUresult;
            /// Graph Management, in drivers since CUDA 13.1.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 13010] fn cuGraphGetId(hGraph: CUgraph, graphId: *mut c_uint) -> CUresult;
            /// Graph Management, in drivers since CUDA 13.1.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 13010] fn cuGraphExecGetId(hGraphExec: CUgraphExec, graphId: *mut c_uint) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphGetNodes(hGraph: CUgraph, nodes: *mut CUgraphNode, numNodes: *mut usize) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphGetRootNodes(hGraph: CUgraph, rootNodes: *mut CUgraphNode, numRootNodes: *mut usize) -> CUresult;
            /// Graph Management, in drivers since CUDA 12.3.
            /// Versions: [`cuGraphGetEdges`](fn@crate::cuGraphGetEdges) (10.0) → **`cuGraphGetEdges_v2`** (12.3). Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 12030] fn cuGraphGetEdges_v2(hGraph: CUgraph, from: *mut CUgraphNode, to: *mut CUgraphNode, edgeData: *mut CUgraphEdgeData, numEdges: *mut usize) -> CUresult;
            /// Graph Management, in drivers since CUDA 12.3.
            /// Versions: [`cuGraphNodeGetDependencies`](fn@crate::cuGraphNodeGetDependencies) (10.0) → **`cuGraphNodeGetDependencies_v2`** (12.3). Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 12030] fn cuGraphNodeGetDependencies_v2(hNode: CUgraphNode, dependencies: *mut CUgraphNode, edgeData: *mut CUgraphEdgeData, numDependencies: *mut usize) -> CUresult;
            /// Graph Management, in drivers since CUDA 12.3.
            /// Versions: [`cuGraphNodeGetDependentNodes`](fn@crate::cuGraphNodeGetDependentNodes) (10.0) → **`cuGraphNodeGetDependentNodes_v2`** (12.3). Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 12030] fn cuGraphNodeGetDependentNodes_v2(hNode: CUgraphNode, dependentNodes: *mut CUgraphNode, edgeData: *mut CUgraphEdgeData, numDependentNodes: *mut usize) -> CUresult;
            /// Graph Management, in drivers since CUDA 12.3.
            /// Versions: [`cuGraphAddDependencies`](fn@crate::cuGraphAddDependencies) (10.0) → **`cuGraphAddDependencies_v2`** (12.3). Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 12030] fn cuGraphAddDependencies_v2(hGraph: CUgraph, from: *const CUgraphNode, to: *const CUgraphNode, edgeData: *const CUgraphEdgeData, numDependencies: usize) -> CUresult;
            /// Graph Management, in drivers since CUDA 12.3.
            /// Versions: [`cuGraphRemoveDependencies`](fn@crate::cuGraphRemoveDependencies) (10.0) → **`cuGraphRemoveDependencies_v2`** (12.3). Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 12030] fn cuGraphRemoveDependencies_v2(hGraph: CUgraph, from: *const CUgraphNode, to: *const CUgraphNode, edgeData: *const CUgraphEdgeData, numDependencies: usize) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphDestroyNode(hNode: CUgraphNode) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.4.
            /// Needs a current context.
            [CUDA_GRAPH since 11040] fn cuGraphInstantiateWithFlags(phGraphExec: *mut CUgraphExec, hGraph: CUgraph, flags: c_ulonglong) -> CUresult;
            /// Graph Management, in drivers since CUDA 12.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 12000] fn cuGraphExecGetFlags(hGraphExec: CUgraphExec, flags: *mut cuuint64_t) -> CUresult;
            /// Graph Management, in drivers since CUDA 12.0.
            /// Versions: [`cuGraphExecKernelNodeSetParams`](fn@crate::cuGraphExecKernelNodeSetParams) (10.1) → **`cuGraphExecKernelNodeSetParams_v2`** (12.0). Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 12000] fn cuGraphExecKernelNodeSetParams_v2(hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *const CUDA_KERNEL_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10020] fn cuGraphExecMemcpyNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, copyParams: *const CUDA_MEMCPY3D, ctx: CUcontext) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10020] fn cuGraphExecMemsetNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, memsetParams: *const CUDA_MEMSET_NODE_PARAMS, ctx: CUcontext) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10020] fn cuGraphExecHostNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *const CUDA_HOST_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.1.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11010] fn cuGraphExecChildGraphNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, childGraph: CUgraph) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.1.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11010] fn cuGraphExecEventRecordNodeSetEvent(hGraphExec: CUgraphExec, hNode: CUgraphNode, event: CUevent) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.1.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11010] fn cuGraphExecEventWaitNodeSetEvent(hGraphExec: CUgraphExec, hNode: CUgraphNode, event: CUevent) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11020] fn cuGraphExecExternalSemaphoresSignalNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11020] fn cuGraphExecExternalSemaphoresWaitNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *const CUDA_EXT_SEM_WAIT_NODE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.6.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11060] fn cuGraphNodeSetEnabled(hGraphExec: CUgraphExec, hNode: CUgraphNode, isEnabled: c_uint) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.6.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11060] fn cuGraphNodeGetEnabled(hGraphExec: CUgraphExec, hNode: CUgraphNode, isEnabled: *mut c_uint) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphExecDestroy(hGraphExec: CUgraphExec) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphDestroy(hGraph: CUgraph) -> CUresult;
            /// Graph Management, in drivers since CUDA 12.0.
            /// Versions: [`cuGraphExecUpdate`](fn@crate::cuGraphExecUpdate) (10.2) → **`cuGraphExecUpdate_v2`** (12.0). Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 12000] fn cuGraphExecUpdate_v2(hGraphExec: CUgraphExec, hGraph: CUgraph, resultInfo: *mut CUgraphExecUpdateResultInfo) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11000] fn cuGraphKernelNodeCopyAttributes(dst: CUgraphNode, src: CUgraphNode) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11000] fn cuGraphKernelNodeGetAttribute(hNode: CUgraphNode, attr: CUkernelNodeAttrID, value_out: *mut CUkernelNodeAttrValue) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11000] fn cuGraphKernelNodeSetAttribute(hNode: CUgraphNode, attr: CUkernelNodeAttrID, value: *const CUkernelNodeAttrValue) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.3.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11030] fn cuGraphDebugDotPrint(hGraph: CUgraph, path: *const c_char, flags: c_uint) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.3.
            /// Needs no context.
            [CUDA_GRAPH since 11030] fn cuUserObjectCreate(object_out: *mut CUuserObject, ptr: *mut c_void, destroy: CUhostFn, initialRefcount: c_uint, flags: c_uint) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.3.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11030] fn cuUserObjectRetain(object: CUuserObject, count: c_uint) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.3.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11030] fn cuUserObjectRelease(object: CUuserObject, count: c_uint) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.3.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11030] fn cuGraphRetainUserObject(graph: CUgraph, object: CUuserObject, count: c_uint, flags: c_uint) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.3.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 11030] fn cuGraphReleaseUserObject(graph: CUgraph, object: CUuserObject, count: c_uint) -> CUresult;
            /// Graph Management, in drivers since CUDA 12.3.
            /// Versions: [`cuGraphAddNode`](fn@crate::cuGraphAddNode) (12.2) → **`cuGraphAddNode_v2`** (12.3) → [`cuGraphAddNode_v3`](fn@crate::cuGraphAddNode_v3) (13.4). Superseded: in C programs `cuGraphAddNode` stands for `cuGraphAddNode_v3`. Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 12030] fn cuGraphAddNode_v2(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, dependencyData: *const CUgraphEdgeData, numDependencies: usize, nodeParams: *mut CUgraphNodeParams) -> CUresult;
            /// Graph Management, in drivers since CUDA 13.4.
            /// Versions: [`cuGraphAddNode`](fn@crate::cuGraphAddNode) (12.2) → [`cuGraphAddNode_v2`](fn@crate::cuGraphAddNode_v2) (12.3) → **`cuGraphAddNode_v3`** (13.4). Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 13040] fn cuGraphAddNode_v3(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, dependencyData: *const CUgraphEdgeData, numDependencies: usize, nodeParams: *mut CUgraphNodeParams) -> CUresult;
            /// Graph Management, in drivers since CUDA 12.2.
            /// Versions: **`cuGraphNodeSetParams`** (12.2) → [`cuGraphNodeSetParams_v2`](fn@crate::cuGraphNodeSetParams_v2) (13.4). Superseded: in C programs `cuGraphNodeSetParams` stands for `cuGraphNodeSetParams_v2`. Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 12020] fn cuGraphNodeSetParams(hNode: CUgraphNode, nodeParams: *mut CUgraphNodeParams) -> CUresult;
            /// Graph Management, in drivers since CUDA 13.4.
            /// Versions: [`cuGraphNodeSetParams`](fn@crate::cuGraphNodeSetParams) (12.2) → **`cuGraphNodeSetParams_v2`** (13.4). Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 13040] fn cuGraphNodeSetParams_v2(hNode: CUgraphNode, nodeParams: *mut CUgraphNodeParams) -> CUresult;
            /// Graph Management, in drivers since CUDA 13.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 13020] fn cuGraphNodeGetParams(hNode: CUgraphNode, nodeParams: *mut CUgraphNodeParams) -> CUresult;
            /// Graph Management, in drivers since CUDA 12.2.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 12020] fn cuGraphExecNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *mut CUgraphNodeParams) -> CUresult;
            /// Graph Management, in drivers since CUDA 12.3.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 12030] fn cuGraphConditionalHandleCreate(pHandle_out: *mut CUgraphConditionalHandle, hGraph: CUgraph, ctx: CUcontext, defaultLaunchValue: c_uint, flags: c_uint) -> CUresult;
            /// Occupancy, in drivers since CUDA 6.5.
            /// Needs a current context.
            [CUDA_OCCUPANCY since 6050] fn cuOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks: *mut c_int, func: CUfunction, blockSize: c_int, dynamicSMemSize: usize) -> CUresult;
            /// Occupancy, in drivers since CUDA 7.0.
            /// Needs a current context.
            [CUDA_OCCUPANCY since 7000] fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks: *mut c_int, func: CUfunction, blockSize: c_int, dynamicSMemSize: usize, flags: c_uint) -> CUresult;
            /// Occupancy, in drivers since CUDA 6.5.
            /// Needs a current context.
            [CUDA_OCCUPANCY since 6050] fn cuOccupancyMaxPotentialBlockSize(minGridSize: *mut c_int, blockSize: *mut c_int, func: CUfunction, blockSizeToDynamicSMemSize: CUoccupancyB2DSize, dynamicSMemSize: usize, blockSizeLimit: c_int) -> CUresult;
            /// Occupancy, in drivers since CUDA 7.0.
            /// Needs a current context.
            [CUDA_OCCUPANCY since 7000] fn cuOccupancyMaxPotentialBlockSizeWithFlags(minGridSize: *mut c_int, blockSize: *mut c_int, func: CUfunction, blockSizeToDynamicSMemSize: CUoccupancyB2DSize, dynamicSMemSize: usize, blockSizeLimit: c_int, flags: c_uint) -> CUresult;
            /// Occupancy, in drivers since CUDA 10.2.
            /// Needs a current context.
            [CUDA_OCCUPANCY since 10020] fn cuOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize: *mut usize, func: CUfunction, numBlocks: c_int, blockSize: c_int) -> CUresult;
            /// Occupancy, in drivers since CUDA 11.7.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_OCCUPANCY since 11070] fn cuOccupancyMaxPotentialClusterSize(clusterSize: *mut c_int, func: CUfunction, config: *const CUlaunchConfig) -> CUresult;
            /// Occupancy, in drivers since CUDA 11.7.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_OCCUPANCY since 11070] fn cuOccupancyMaxActiveClusters(numClusters: *mut c_int, func: CUfunction, config: *const CUlaunchConfig) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 2000] fn cuTexRefSetArray(hTexRef: CUtexref, hArray: CUarray, Flags: c_uint) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 5000] fn cuTexRefSetMipmappedArray(hTexRef: CUtexref, hMipmappedArray: CUmipmappedArray, Flags: c_uint) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 3.2.
            /// Versions: `cuTexRefSetAddress` (2.0, not bound) → **`cuTexRefSetAddress_v2`** (3.2). Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 3020] fn cuTexRefSetAddress_v2(ByteOffset: *mut usize, hTexRef: CUtexref, dptr: CUdeviceptr, bytes: usize) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 4.1.
            /// Versions: `cuTexRefSetAddress2D` (2.2, not bound) → `cuTexRefSetAddress2D_v2` (3.2, not bound) → **`cuTexRefSetAddress2D_v3`** (4.1). Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 4010] fn cuTexRefSetAddress2D_v3(hTexRef: CUtexref, desc: *const CUDA_ARRAY_DESCRIPTOR, dptr: CUdeviceptr, Pitch: usize) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 2000] fn cuTexRefSetFormat(hTexRef: CUtexref, fmt: CUarray_format, NumPackedComponents: c_int) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 2000] fn cuTexRefSetAddressMode(hTexRef: CUtexref, dim: c_int, am: CUaddress_mode) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 2000] fn cuTexRefSetFilterMode(hTexRef: CUtexref, fm: CUfilter_mode) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 5000] fn cuTexRefSetMipmapFilterMode(hTexRef: CUtexref, fm: CUfilter_mode) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 5000] fn cuTexRefSetMipmapLevelBias(hTexRef: CUtexref, bias: f32) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 5000] fn cuTexRefSetMipmapLevelClamp(hTexRef: CUtexref, minMipmapLevelClamp: f32, maxMipmapLevelClamp: f32) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 5000] fn cuTexRefSetMaxAnisotropy(hTexRef: CUtexref, maxAniso: c_uint) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 8.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 8000] fn cuTexRefSetBorderColor(hTexRef: CUtexref, pBorderColor: *mut f32) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 2000] fn cuTexRefSetFlags(hTexRef: CUtexref, Flags: c_uint) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 3.2.
            /// Versions: `cuTexRefGetAddress` (2.0, not bound) → **`cuTexRefGetAddress_v2`** (3.2). Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 3020] fn cuTexRefGetAddress_v2(pdptr: *mut CUdeviceptr, hTexRef: CUtexref) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 2000] fn cuTexRefGetArray(phArray: *mut CUarray, hTexRef: CUtexref) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 5000] fn cuTexRefGetMipmappedArray(phMipmappedArray: *mut CUmipmappedArray, hTexRef: CUtexref) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 2000] fn cuTexRefGetAddressMode(pam: *mut CUaddress_mode, hTexRef: CUtexref, dim: c_int) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 2000] fn cuTexRefGetFilterMode(pfm: *mut CUfilter_mode, hTexRef: CUtexref) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 2000] fn cuTexRefGetFormat(pFormat: *mut CUarray_format, pNumChannels: *mut c_int, hTexRef: CUtexref) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 5000] fn cuTexRefGetMipmapFilterMode(pfm: *mut CUfilter_mode, hTexRef: CUtexref) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 5000] fn cuTexRefGetMipmapLevelBias(pbias: *mut f32, hTexRef: CUtexref) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 5000] fn cuTexRefGetMipmapLevelClamp(pminMipmapLevelClamp: *mut f32, pmaxMipmapLevelClamp: *mut f32, hTexRef: CUtexref) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 5000] fn cuTexRefGetMaxAnisotropy(pmaxAniso: *mut c_int, hTexRef: CUtexref) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 8.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 8000] fn cuTexRefGetBorderColor(pBorderColor: *mut f32, hTexRef: CUtexref) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 2000] fn cuTexRefGetFlags(pFlags: *mut c_uint, hTexRef: CUtexref) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context.
            [CUDA_TEXREF_DEPRECATED since 2000] fn cuTexRefCreate(pTexRef: *mut CUtexref) -> CUresult;
            /// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_TEXREF_DEPRECATED since 2000] fn cuTexRefDestroy(hTexRef: CUtexref) -> CUresult;
            /// Surface Reference Management (deprecated), in drivers since CUDA 3.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_SURFREF_DEPRECATED since 3000] fn cuSurfRefSetArray(hSurfRef: CUsurfref, hArray: CUarray, Flags: c_uint) -> CUresult;
            /// Surface Reference Management (deprecated), in drivers since CUDA 3.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no current context: its arguments name what it works on.
            [CUDA_SURFREF_DEPRECATED since 3000] fn cuSurfRefGetArray(phArray: *mut CUarray, hSurfRef: CUsurfref) -> CUresult;
            /// Texture Object Management, in drivers since CUDA 5.0.
            /// Needs a current context.
            [CUDA_TEXOBJECT since 5000] fn cuTexObjectCreate(pTexObject: *mut CUtexObject, pResDesc: *const CUDA_RESOURCE_DESC, pTexDesc: *const CUDA_TEXTURE_DESC, pResViewDesc: *const CUDA_RESOURCE_VIEW_DESC) -> CUresult;
            /// Texture Object Management, in drivers since CUDA 5.0.
            /// Needs a current context.
            [CUDA_TEXOBJECT since 5000] fn cuTexObjectDestroy(texObject: CUtexObject) -> CUresult;
            /// Texture Object Management, in drivers since CUDA 5.0.
            /// Needs a current context.
            [CUDA_TEXOBJECT since 5000] fn cuTexObjectGetResourceDesc(pResDesc: *mut CUDA_RESOURCE_DESC, texObject: CUtexObject) -> CUresult;
            /// Texture Object Management, in drivers since CUDA 5.0.
            /// Needs a current context.
            [CUDA_TEXOBJECT since 5000] fn cuTexObjectGetTextureDesc(pTexDesc: *mut CUDA_TEXTURE_DESC, texObject: CUtexObject) -> CUresult;
            /// Texture Object Management, in drivers since CUDA 5.0.
            /// Needs a current context.
            [CUDA_TEXOBJECT since 5000] fn cuTexObjectGetResourceViewDesc(pResViewDesc: *mut CUDA_RESOURCE_VIEW_DESC, texObject: CUtexObject) -> CUresult;
            /// Surface Object Management, in drivers since CUDA 5.0.
            /// Needs a current context.
            [CUDA_SURFOBJECT since 5000] fn cuSurfObjectCreate(pSurfObject: *mut CUsurfObject, pResDesc: *const CUDA_RESOURCE_DESC) -> CUresult;
            /// Surface Object Management, in drivers since CUDA 5.0.
            /// Needs a current context.
            [CUDA_SURFOBJECT since 5000] fn cuSurfObjectDestroy(surfObject: CUsurfObject) -> CUresult;
            /// Surface Object Management, in drivers since CUDA 5.0.
            /// Needs a current context.
            [CUDA_SURFOBJECT since 5000] fn cuSurfObjectGetResourceDesc(pResDesc: *mut CUDA_RESOURCE_DESC, surfObject: CUsurfObject) -> CUresult;
            /// Tensor Map Object Management, in drivers since CUDA 12.0.
            /// Needs a current context.
            [CUDA_TENSOR_MEMORY since 12000] fn cuTensorMapEncodeTiled(tensorMap: *mut CUtensorMap, tensorDataType: CUtensorMapDataType, tensorRank: cuuint32_t, globalAddress: *mut c_void, globalDim: *const cuuint64_t, globalStrides: *const cuuint64_t, boxDim: *const cuuint32_t, elementStrides: *const cuuint32_t, interleave: CUtensorMapInterleave, swizzle: CUtensorMapSwizzle, l2Promotion: CUtensorMapL2promotion, oobFill: CUtensorMapFloatOOBfill) -> CUresult;
            /// Tensor Map Object Management, in drivers since CUDA 12.0.
            /// Needs a current context.
            [CUDA_TENSOR_MEMORY since 12000] fn cuTensorMapEncodeIm2col(tensorMap: *mut CUtensorMap, tensorDataType: CUtensorMapDataType, tensorRank: cuuint32_t, globalAddress: *mut c_void, globalDim: *const cuuint64_t, globalStrides: *const cuuint64_t, pixelBoxLowerCorner: *const c_int, pixelBoxUpperCorner: *const c_int, channelsPerPixel: cuuint32_t, pixelsPerColumn: cuuint32_t, elementStrides: *const cuuint32_t, interleave: CUtensorMapInterleave, swizzle: CUtensorMapSwizzle, l2Promotion: CUtensorMapL2promotion, oobFill: CUtensorMapFloatOOBfill) -> CUresult;
            /// Tensor Map Object Management, in drivers since CUDA 12.8.
            /// Needs a current context.
            [CUDA_TENSOR_MEMORY since 12080] fn cuTensorMapEncodeIm2colWide(tensorMap: *mut CUtensorMap, tensorDataType: CUtensorMapDataType, tensorRank: cuuint32_t, globalAddress: *mut c_void, globalDim: *const cuuint64_t, globalStrides: *const cuuint64_t, pixelBoxLowerCornerWidth: c_int, pixelBoxUpperCornerWidth: c_int, channelsPerPixel: cuuint32_t, pixelsPerColumn: cuuint32_t, elementStrides: *const cuuint32_t, interleave: CUtensorMapInterleave, mode: CUtensorMapIm2ColWideMode, swizzle: CUtensorMapSwizzle, l2Promotion: CUtensorMapL2promotion, oobFill: CUtensorMapFloatOOBfill) -> CUresult;
            /// Tensor Map Object Management, in drivers since CUDA 12.0.
            /// Needs a current context.
            [CUDA_TENSOR_MEMORY since 12000] fn cuTensorMapReplaceAddress(tensorMap: *mut CUtensorMap, globalAddress: *mut c_void) -> CUresult;
            /// Tensor Map Object Management, in drivers since CUDA 13.5.
            /// Needs a current context.
            [CUDA_TENSOR_MEMORY since 13050] fn cuTensorMapSetAllocationClass(tensorMap: *mut CUtensorMap, allocClass: CUtensorMapAllocClass, outAllocClass: *mut CUtensorMapAllocClass) -> CUresult;
            /// Peer Context Memory Access, in drivers since CUDA 4.0.
            /// Needs no context.
            [CUDA_PEER_ACCESS since 4000] fn cuDeviceCanAccessPeer(canAccessPeer: *mut c_int, dev: CUdevice, peerDev: CUdevice) -> CUresult;
            /// Peer Context Memory Access, in drivers since CUDA 4.0.
            /// Needs a current context.
            [CUDA_PEER_ACCESS since 4000] fn cuCtxEnablePeerAccess(peerContext: CUcontext, Flags: c_uint) -> CUresult;
            /// Peer Context Memory Access, in drivers since CUDA 4.0.
            /// Needs a current context.
            [CUDA_PEER_ACCESS since 4000] fn cuCtxDisablePeerAccess(peerContext: CUcontext) -> CUresult;
            /// Peer Context Memory Access, in drivers since CUDA 8.0.
            /// Needs no context.
            [CUDA_PEER_ACCESS since 8000] fn cuDeviceGetP2PAttribute(value: *mut c_int, attrib: CUdevice_P2PAttribute, srcDevice: CUdevice, dstDevice: CUdevice) -> CUresult;
            /// Peer Context Memory Access, in drivers since CUDA 13.0.
            /// Needs no context.
            [CUDA_PEER_ACCESS since 13000] fn cuDeviceGetP2PAtomicCapabilities(capabilities: *mut c_uint, operations: *const CUatomicOperation, count: c_uint, srcDevice: CUdevice, dstDevice: CUdevice) -> CUresult;
            /// Graphics Interoperability, in drivers since CUDA 3.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPHICS since 3000] fn cuGraphicsUnregisterResource(resource: CUgraphicsResource) -> CUresult;
            /// Graphics Interoperability, in drivers since CUDA 3.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPHICS since 3000] fn cuGraphicsSubResourceGetMappedArray(pArray: *mut CUarray, resource: CUgraphicsResource, arrayIndex: c_uint, mipLevel: c_uint) -> CUresult;
            /// Graphics Interoperability, in drivers since CUDA 5.0.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GRAPHICS since 5000] fn cuGraphicsResourceGetMappedMipmappedArray(pMipmappedArray: *mut CUmipmappedArray, resource: CUgraphicsResource) -> CUresult;
            /// Graphics Interoperability, in drivers since CUDA 3.2.
            /// Versions: `cuGraphicsResourceGetMappedPointer` (3.0, not bound) → **`cuGraphicsResourceGetMappedPointer_v2`** (3.2). Needs no current context: its arguments name what it works on.
            [CUDA_GRAPHICS since 3020] fn cuGraphicsResourceGetMappedPointer_v2(pDevPtr: *mut CUdeviceptr, pSize: *mut usize, resource: CUgraphicsResource) -> CUresult;
            /// Graphics Interoperability, in drivers since CUDA 6.5.
            /// Versions: `cuGraphicsResourceSetMapFlags` (3.0, not bound) → **`cuGraphicsResourceSetMapFlags_v2`** (6.5). Needs no current context: its arguments name what it works on.
            [CUDA_GRAPHICS since 6050] fn cuGraphicsResourceSetMapFlags_v2(resource: CUgraphicsResource, flags: c_uint) -> CUresult;
            /// Driver Entry Point Access, in drivers since CUDA 12.0.
            /// Versions: [`cuGetProcAddress`](fn@crate::cuGetProcAddress) (11.3) → **`cuGetProcAddress_v2`** (12.0). Needs no context.
            [CUDA_DRIVER_ENTRY_POINT since 12000] fn cuGetProcAddress_v2(symbol: *const c_char, pfn: *mut *mut c_void, cudaVersion: c_int, flags: cuuint64_t, symbolStatus: *mut CUdriverProcAddressQueryResult) -> CUresult;
            /// Coredump Attributes Control API, in drivers since CUDA 12.1.
            /// Needs a current context.
            [CUDA_COREDUMP since 12010] fn cuCoredumpGetAttribute(attrib: CUcoredumpSettings, value: *mut c_void, size: *mut usize) -> CUresult;
            /// Coredump Attributes Control API, in drivers since CUDA 12.1.
            /// Needs no context.
            [CUDA_COREDUMP since 12010] fn cuCoredumpGetAttributeGlobal(attrib: CUcoredumpSettings, value: *mut c_void, size: *mut usize) -> CUresult;
            /// Coredump Attributes Control API, in drivers since CUDA 12.1.
            /// Needs a current context.
            [CUDA_COREDUMP since 12010] fn cuCoredumpSetAttribute(attrib: CUcoredumpSettings, value: *mut c_void, size: *mut usize) -> CUresult;
            /// Coredump Attributes Control API, in drivers since CUDA 12.1.
            /// Needs no context.
            [CUDA_COREDUMP since 12010] fn cuCoredumpSetAttributeGlobal(attrib: CUcoredumpSettings, value: *mut c_void, size: *mut usize) -> CUresult;
            /// Coredump Attributes Control API, in drivers since CUDA 13.2.
            /// Needs no context.
            [CUDA_COREDUMP since 13020] fn cuCoredumpRegisterStartCallback(callback: CUcoredumpStatusCallback, userData: *mut c_void, callbackOut: *mut CUcoredumpCallbackHandle) -> CUresult;
            /// Coredump Attributes Control API, in drivers since CUDA 13.2.
            /// Needs no context.
            [CUDA_COREDUMP since 13020] fn cuCoredumpRegisterCompleteCallback(callback: CUcoredumpStatusCallback, userData: *mut c_void, callbackOut: *mut CUcoredumpCallbackHandle) -> CUresult;
            /// Coredump Attributes Control API, in drivers since CUDA 13.2.
            /// Needs no context.
            [CUDA_COREDUMP since 13020] fn cuCoredumpDeregisterStartCallback(callback: CUcoredumpCallbackHandle) -> CUresult;
            /// Coredump Attributes Control API, in drivers since CUDA 13.2.
            /// Needs no context.
            [CUDA_COREDUMP since 13020] fn cuCoredumpDeregisterCompleteCallback(callback: CUcoredumpCallbackHandle) -> CUresult;
            /// CUDA Driver API, in drivers since CUDA 3.0.
            /// Needs no context.
            [CUDA_DRIVER since 3000] fn cuGetExportTable(ppExportTable: *mut *const c_void, pExportTableId: *const CUuuid) -> CUresult;
            /// Green Contexts, in drivers since CUDA 12.4.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GREEN_CONTEXTS since 12040] fn cuGreenCtxCreate(phCtx: *mut CUgreenCtx, desc: CUdevResourceDesc, dev: CUdevice, flags: c_uint) -> CUresult;
            /// Green Contexts, in drivers since CUDA 12.4.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GREEN_CONTEXTS since 12040] fn cuGreenCtxDestroy(hCtx: CUgreenCtx) -> CUresult;
            /// Green Contexts, in drivers since CUDA 12.4.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GREEN_CONTEXTS since 12040] fn cuCtxFromGreenCtx(pContext: *mut CUcontext, hCtx: CUgreenCtx) -> CUresult;
            /// Green Contexts, in drivers since CUDA 12.4.
            /// Needs no context.
            [CUDA_GREEN_CONTEXTS since 12040] fn cuDeviceGetDevResource(device: CUdevice, resource: *mut CUdevResource, type_: CUdevResourceType) -> CUresult;
            /// Green Contexts, in drivers since CUDA 12.4.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GREEN_CONTEXTS since 12040] fn cuCtxGetDevResource(hCtx: CUcontext, resource: *mut CUdevResource, type_: CUdevResourceType) -> CUresult;
            /// Green Contexts, in drivers since CUDA 12.4.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GREEN_CONTEXTS since 12040] fn cuGreenCtxGetDevResource(hCtx: CUgreenCtx, resource: *mut CUdevResource, type_: CUdevResourceType) -> CUresult;
            /// Green Contexts, in drivers since CUDA 12.4.
            /// Needs no context.
            [CUDA_GREEN_CONTEXTS since 12040] fn cuDevSmResourceSplitByCount(result: *mut CUdevResource, nbGroups: *mut c_uint, input: *const CUdevResource, remainder: *mut CUdevResource, flags: c_uint, minCount: c_uint) -> CUresult;
            /// Green Contexts, in drivers since CUDA 13.1.
            /// Needs no context.
            [CUDA_GREEN_CONTEXTS since 13010] fn cuDevSmResourceSplit(result: *mut CUdevResource, nbGroups: c_uint, input: *const CUdevResource, remainder: *mut CUdevResource, flags: c_uint, groupParams: *mut CU_DEV_SM_RESOURCE_GROUP_PARAMS) -> CUresult;
            /// Green Contexts, in drivers since CUDA 12.4.
            /// Needs no context.
            [CUDA_GREEN_CONTEXTS since 12040] fn cuDevResourceGenerateDesc(phDesc: *mut CUdevResourceDesc, resources: *mut CUdevResource, nbResources: c_uint) -> CUresult;
            /// Green Contexts, in drivers since CUDA 12.4.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GREEN_CONTEXTS since 12040] fn cuGreenCtxRecordEvent(hCtx: CUgreenCtx, hEvent: CUevent) -> CUresult;
            /// Green Contexts, in drivers since CUDA 12.4.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GREEN_CONTEXTS since 12040] fn cuGreenCtxWaitEvent(hCtx: CUgreenCtx, hEvent: CUevent) -> CUresult;
            /// Green Contexts, in drivers since CUDA 12.4.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GREEN_CONTEXTS since 12040] fn cuStreamGetGreenCtx(hStream: CUstream, phCtx: *mut CUgreenCtx) -> CUresult;
            /// Green Contexts, in drivers since CUDA 12.5.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GREEN_CONTEXTS since 12050] fn cuGreenCtxStreamCreate(phStream: *mut CUstream, greenCtx: CUgreenCtx, flags: c_uint, priority: c_int) -> CUresult;
            /// Green Contexts, in drivers since CUDA 12.9.
            /// Needs no current context: its arguments name what it works on.
            [CUDA_GREEN_CONTEXTS since 12090] fn cuGreenCtxGetId(greenCtx: CUgreenCtx, greenCtxId: *mut c_ulonglong) -> CUresult;
            /// Error Log Management Functions, in drivers since CUDA 12.9.
            /// Needs no context.
            [CUDA_LOGS since 12090] fn cuLogsRegisterCallback(callbackFunc: CUlogsCallback, userData: *mut c_void, callback_out: *mut CUlogsCallbackHandle) -> CUresult;
            /// Error Log Management Functions, in drivers since CUDA 12.9.
            /// Needs no context.
            [CUDA_LOGS since 12090] fn cuLogsUnregisterCallback(callback: CUlogsCallbackHandle) -> CUresult;
            /// Error Log Management Functions, in drivers since CUDA 12.9.
            /// Needs no context.
            [CUDA_LOGS since 12090] fn cuLogsCurrent(iterator_out: *mut CUlogIterator, flags: c_uint) -> CUresult;
            /// Error Log Management Functions, in drivers since CUDA 12.9.
            /// Needs no context.
            [CUDA_LOGS since 12090] fn cuLogsDumpToFile(iterator: *mut CUlogIterator, pathToFile: *const c_char, flags: c_uint) -> CUresult;
            /// Error Log Management Functions, in drivers since CUDA 12.9.
            /// Needs no context.
            [CUDA_LOGS since 12090] fn cuLogsDumpToMemory(iterator: *mut CUlogIterator, buffer: *mut c_char, size: *mut usize, flags: c_uint) -> CUresult;
            /// Context Management, in drivers since CUDA 3.2.
            /// Versions: `cuCtxCreate` (2.0, not bound) → **`cuCtxCreate_v2`** (3.2) → [`cuCtxCreate_v3`](fn@crate::cuCtxCreate_v3) (11.4) → [`cuCtxCreate_v4`](fn@crate::cuCtxCreate_v4) (12.5). Superseded: in C programs `cuCtxCreate` stands for `cuCtxCreate_v4`. Needs no context.
            [CUDA_CTX since 3020] fn cuCtxCreate_v2(pctx: *mut CUcontext, flags: c_uint, dev: CUdevice) -> CUresult;
            /// Context Management, in drivers since CUDA 11.4.
            /// Versions: `cuCtxCreate` (2.0, not bound) → [`cuCtxCreate_v2`](fn@crate::cuCtxCreate_v2) (3.2) → **`cuCtxCreate_v3`** (11.4) → [`cuCtxCreate_v4`](fn@crate::cuCtxCreate_v4) (12.5). Superseded: in C programs `cuCtxCreate` stands for `cuCtxCreate_v4`. Needs no context.
            [CUDA_CTX since 11040] fn cuCtxCreate_v3(pctx: *mut CUcontext, paramsArray: *mut CUexecAffinityParam, numParams: c_int, flags: c_uint, dev: CUdevice) -> CUresult;
            /// Event Management, in drivers since CUDA 2.0.
            /// Versions: **`cuEventElapsedTime`** (2.0) → [`cuEventElapsedTime_v2`](fn@crate::cuEventElapsedTime_v2) (12.8). Superseded: in C programs `cuEventElapsedTime` stands for `cuEventElapsedTime_v2`. Needs no current context: its arguments name what it works on.
            [CUDA_EVENT since 2000] fn cuEventElapsedTime(pMilliseconds: *mut f32, hStart: CUevent, hEnd: CUevent) -> CUresult;
            /// Device Management, in drivers since CUDA 9.2.
            /// Versions: **`cuDeviceGetUuid`** (9.2) → [`cuDeviceGetUuid_v2`](fn@crate::cuDeviceGetUuid_v2) (11.4). Superseded: in C programs `cuDeviceGetUuid` stands for `cuDeviceGetUuid_v2`. Needs no context.
            [CUDA_DEVICE since 9020] fn cuDeviceGetUuid(uuid: *mut CUuuid, dev: CUdevice) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemcpyHtoD` (2.0, not bound) → **`cuMemcpyHtoD_v2`** (3.2). Needs a current context. With the feature `ptds` also as `cuMemcpyHtoD_v2_ptds`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemcpyHtoD_v2(dstDevice: CUdeviceptr, srcHost: *const c_void, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemcpyDtoH` (2.0, not bound) → **`cuMemcpyDtoH_v2`** (3.2). Needs a current context. With the feature `ptds` also as `cuMemcpyDtoH_v2_ptds`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemcpyDtoH_v2(dstHost: *mut c_void, srcDevice: CUdeviceptr, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemcpyDtoD` (2.0, not bound) → **`cuMemcpyDtoD_v2`** (3.2). Needs a current context. With the feature `ptds` also as `cuMemcpyDtoD_v2_ptds`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemcpyDtoD_v2(dstDevice: CUdeviceptr, srcDevice: CUdeviceptr, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemcpyDtoA` (2.0, not bound) → **`cuMemcpyDtoA_v2`** (3.2). Needs a current context. With the feature `ptds` also as `cuMemcpyDtoA_v2_ptds`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemcpyDtoA_v2(dstArray: CUarray, dstOffset: usize, srcDevice: CUdeviceptr, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemcpyAtoD` (2.0, not bound) → **`cuMemcpyAtoD_v2`** (3.2). Needs a current context. With the feature `ptds` also as `cuMemcpyAtoD_v2_ptds`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemcpyAtoD_v2(dstDevice: CUdeviceptr, srcArray: CUarray, srcOffset: usize, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemcpyHtoA` (2.0, not bound) → **`cuMemcpyHtoA_v2`** (3.2). Needs a current context. With the feature `ptds` also as `cuMemcpyHtoA_v2_ptds`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemcpyHtoA_v2(dstArray: CUarray, dstOffset: usize, srcHost: *const c_void, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemcpyAtoH` (2.0, not bound) → **`cuMemcpyAtoH_v2`** (3.2). Needs a current context. With the feature `ptds` also as `cuMemcpyAtoH_v2_ptds`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemcpyAtoH_v2(dstHost: *mut c_void, srcArray: CUarray, srcOffset: usize, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemcpyAtoA` (2.0, not bound) → **`cuMemcpyAtoA_v2`** (3.2). Needs a current context. With the feature `ptds` also as `cuMemcpyAtoA_v2_ptds`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemcpyAtoA_v2(dstArray: CUarray, dstOffset: usize, srcArray: CUarray, srcOffset: usize, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemcpyHtoAAsync` (2.0, not bound) → **`cuMemcpyHtoAAsync_v2`** (3.2). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemcpyHtoAAsync_v2_ptsz`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemcpyHtoAAsync_v2(dstArray: CUarray, dstOffset: usize, srcHost: *const c_void, ByteCount: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemcpyAtoHAsync` (2.0, not bound) → **`cuMemcpyAtoHAsync_v2`** (3.2). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemcpyAtoHAsync_v2_ptsz`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemcpyAtoHAsync_v2(dstHost: *mut c_void, srcArray: CUarray, srcOffset: usize, ByteCount: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemcpy2D` (2.0, not bound) → **`cuMemcpy2D_v2`** (3.2). Needs a current context. With the feature `ptds` also as `cuMemcpy2D_v2_ptds`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemcpy2D_v2(pCopy: *const CUDA_MEMCPY2D) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemcpy2DUnaligned` (2.0, not bound) → **`cuMemcpy2DUnaligned_v2`** (3.2). Needs a current context. With the feature `ptds` also as `cuMemcpy2DUnaligned_v2_ptds`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemcpy2DUnaligned_v2(pCopy: *const CUDA_MEMCPY2D) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemcpy3D` (2.0, not bound) → **`cuMemcpy3D_v2`** (3.2). Needs a current context. With the feature `ptds` also as `cuMemcpy3D_v2_ptds`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemcpy3D_v2(pCopy: *const CUDA_MEMCPY3D) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemcpyHtoDAsync` (2.0, not bound) → **`cuMemcpyHtoDAsync_v2`** (3.2). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemcpyHtoDAsync_v2_ptsz`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemcpyHtoDAsync_v2(dstDevice: CUdeviceptr, srcHost: *const c_void, ByteCount: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemcpyDtoHAsync` (2.0, not bound) → **`cuMemcpyDtoHAsync_v2`** (3.2). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemcpyDtoHAsync_v2_ptsz`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemcpyDtoHAsync_v2(dstHost: *mut c_void, srcDevice: CUdeviceptr, ByteCount: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemcpyDtoDAsync` (3.0, not bound) → **`cuMemcpyDtoDAsync_v2`** (3.2). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemcpyDtoDAsync_v2_ptsz`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemcpyDtoDAsync_v2(dstDevice: CUdeviceptr, srcDevice: CUdeviceptr, ByteCount: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemcpy2DAsync` (2.0, not bound) → **`cuMemcpy2DAsync_v2`** (3.2). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemcpy2DAsync_v2_ptsz`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemcpy2DAsync_v2(pCopy: *const CUDA_MEMCPY2D, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemcpy3DAsync` (2.0, not bound) → **`cuMemcpy3DAsync_v2`** (3.2). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemcpy3DAsync_v2_ptsz`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemcpy3DAsync_v2(pCopy: *const CUDA_MEMCPY3D, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemsetD8` (2.0, not bound) → **`cuMemsetD8_v2`** (3.2). Needs a current context. With the feature `ptds` also as `cuMemsetD8_v2_ptds`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemsetD8_v2(dstDevice: CUdeviceptr, uc: c_uchar, N: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemsetD16` (2.0, not bound) → **`cuMemsetD16_v2`** (3.2). Needs a current context. With the feature `ptds` also as `cuMemsetD16_v2_ptds`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemsetD16_v2(dstDevice: CUdeviceptr, us: c_ushort, N: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemsetD32` (2.0, not bound) → **`cuMemsetD32_v2`** (3.2). Needs a current context. With the feature `ptds` also as `cuMemsetD32_v2_ptds`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemsetD32_v2(dstDevice: CUdeviceptr, ui: c_uint, N: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemsetD2D8` (2.0, not bound) → **`cuMemsetD2D8_v2`** (3.2). Needs a current context. With the feature `ptds` also as `cuMemsetD2D8_v2_ptds`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemsetD2D8_v2(dstDevice: CUdeviceptr, dstPitch: usize, uc: c_uchar, Width: usize, Height: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemsetD2D16` (2.0, not bound) → **`cuMemsetD2D16_v2`** (3.2). Needs a current context. With the feature `ptds` also as `cuMemsetD2D16_v2_ptds`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemsetD2D16_v2(dstDevice: CUdeviceptr, dstPitch: usize, us: c_ushort, Width: usize, Height: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Versions: `cuMemsetD2D32` (2.0, not bound) → **`cuMemsetD2D32_v2`** (3.2). Needs a current context. With the feature `ptds` also as `cuMemsetD2D32_v2_ptds`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemsetD2D32_v2(dstDevice: CUdeviceptr, dstPitch: usize, ui: c_uint, Width: usize, Height: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 4.0.
            /// Needs a current context. With the feature `ptds` also as `cuMemcpy_ptds`, for per-thread default streams.
            [CUDA_MEM since 4000] fn cuMemcpy(dst: CUdeviceptr, src: CUdeviceptr, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 4.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemcpyAsync_ptsz`, for per-thread default streams.
            [CUDA_MEM since 4000] fn cuMemcpyAsync(dst: CUdeviceptr, src: CUdeviceptr, ByteCount: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 4.0.
            /// Needs a current context. With the feature `ptds` also as `cuMemcpyPeer_ptds`, for per-thread default streams.
            [CUDA_MEM since 4000] fn cuMemcpyPeer(dstDevice: CUdeviceptr, dstContext: CUcontext, srcDevice: CUdeviceptr, srcContext: CUcontext, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 4.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemcpyPeerAsync_ptsz`, for per-thread default streams.
            [CUDA_MEM since 4000] fn cuMemcpyPeerAsync(dstDevice: CUdeviceptr, dstContext: CUcontext, srcDevice: CUdeviceptr, srcContext: CUcontext, ByteCount: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 4.0.
            /// Needs a current context. With the feature `ptds` also as `cuMemcpy3DPeer_ptds`, for per-thread default streams.
            [CUDA_MEM since 4000] fn cuMemcpy3DPeer(pCopy: *const CUDA_MEMCPY3D_PEER) -> CUresult;
            /// Memory Management, in drivers since CUDA 4.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemcpy3DPeerAsync_ptsz`, for per-thread default streams.
            [CUDA_MEM since 4000] fn cuMemcpy3DPeerAsync(pCopy: *const CUDA_MEMCPY3D_PEER, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 12.8.
            /// Versions: **`cuMemcpyBatchAsync`** (12.8) → [`cuMemcpyBatchAsync_v2`](fn@crate::cuMemcpyBatchAsync_v2) (13.0). Superseded: in C programs `cuMemcpyBatchAsync` stands for `cuMemcpyBatchAsync_v2`. Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemcpyBatchAsync_ptsz`, for per-thread default streams.
            [CUDA_MEM since 12080] fn cuMemcpyBatchAsync(dsts: *mut CUdeviceptr, srcs: *mut CUdeviceptr, sizes: *mut usize, count: usize, attrs: *mut CUmemcpyAttributes, attrsIdxs: *mut usize, numAttrs: usize, failIdx: *mut usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 12.8.
            /// Versions: **`cuMemcpy3DBatchAsync`** (12.8) → [`cuMemcpy3DBatchAsync_v2`](fn@crate::cuMemcpy3DBatchAsync_v2) (13.0). Superseded: in C programs `cuMemcpy3DBatchAsync` stands for `cuMemcpy3DBatchAsync_v2`. Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemcpy3DBatchAsync_ptsz`, for per-thread default streams.
            [CUDA_MEM since 12080] fn cuMemcpy3DBatchAsync(numOps: usize, opList: *mut CUDA_MEMCPY3D_BATCH_OP, failIdx: *mut usize, flags: c_ulonglong, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 13.0.
            /// Versions: [`cuMemcpyBatchAsync`](fn@crate::cuMemcpyBatchAsync) (12.8) → **`cuMemcpyBatchAsync_v2`** (13.0). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemcpyBatchAsync_v2_ptsz`, for per-thread default streams.
            [CUDA_MEM since 13000] fn cuMemcpyBatchAsync_v2(dsts: *mut CUdeviceptr, srcs: *mut CUdeviceptr, sizes: *mut usize, count: usize, attrs: *mut CUmemcpyAttributes, attrsIdxs: *mut usize, numAttrs: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 13.0.
            /// Versions: [`cuMemcpy3DBatchAsync`](fn@crate::cuMemcpy3DBatchAsync) (12.8) → **`cuMemcpy3DBatchAsync_v2`** (13.0). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemcpy3DBatchAsync_v2_ptsz`, for per-thread default streams.
            [CUDA_MEM since 13000] fn cuMemcpy3DBatchAsync_v2(numOps: usize, opList: *mut CUDA_MEMCPY3D_BATCH_OP, flags: c_ulonglong, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 13.2.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemcpyWithAttributesAsync_ptsz`, for per-thread default streams.
            [CUDA_MEM since 13020] fn cuMemcpyWithAttributesAsync(dst: CUdeviceptr, src: CUdeviceptr, size: usize, attr: *mut CUmemcpyAttributes, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 13.2.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemcpy3DWithAttributesAsync_ptsz`, for per-thread default streams.
            [CUDA_MEM since 13020] fn cuMemcpy3DWithAttributesAsync(op: *mut CUDA_MEMCPY3D_BATCH_OP, flags: c_ulonglong, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemsetD8Async_ptsz`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemsetD8Async(dstDevice: CUdeviceptr, uc: c_uchar, N: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemsetD16Async_ptsz`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemsetD16Async(dstDevice: CUdeviceptr, us: c_ushort, N: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemsetD32Async_ptsz`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemsetD32Async(dstDevice: CUdeviceptr, ui: c_uint, N: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemsetD2D8Async_ptsz`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemsetD2D8Async(dstDevice: CUdeviceptr, dstPitch: usize, uc: c_uchar, Width: usize, Height: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemsetD2D16Async_ptsz`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemsetD2D16Async(dstDevice: CUdeviceptr, dstPitch: usize, us: c_ushort, Width: usize, Height: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 3.2.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemsetD2D32Async_ptsz`, for per-thread default streams.
            [CUDA_MEM since 3020] fn cuMemsetD2D32Async(dstDevice: CUdeviceptr, dstPitch: usize, ui: c_uint, Width: usize, Height: usize, hStream: CUstream) -> CUresult;
            /// Stream Management, in drivers since CUDA 5.5.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamGetPriority_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 5050] fn cuStreamGetPriority(hStream: CUstream, priority: *mut c_int) -> CUresult;
            /// Stream Management, in drivers since CUDA 12.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamGetId_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 12000] fn cuStreamGetId(hStream: CUstream, streamId: *mut c_ulonglong) -> CUresult;
            /// Stream Management, in drivers since CUDA 5.5.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamGetFlags_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 5050] fn cuStreamGetFlags(hStream: CUstream, flags: *mut c_uint) -> CUresult;
            /// Stream Management, in drivers since CUDA 12.8.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamGetDevice_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 12080] fn cuStreamGetDevice(hStream: CUstream, device: *mut CUdevice) -> CUresult;
            /// Green Contexts, in drivers since CUDA 13.1.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamGetDevResource_ptsz`, for per-thread default streams.
            [CUDA_GREEN_CONTEXTS since 13010] fn cuStreamGetDevResource(hStream: CUstream, resource: *mut CUdevResource, type_: CUdevResourceType) -> CUresult;
            /// Stream Management, in drivers since CUDA 9.2.
            /// Versions: **`cuStreamGetCtx`** (9.2) → [`cuStreamGetCtx_v2`](fn@crate::cuStreamGetCtx_v2) (12.5). Superseded: in C programs `cuStreamGetCtx` stands for `cuStreamGetCtx_v2`. Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamGetCtx_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 9020] fn cuStreamGetCtx(hStream: CUstream, pctx: *mut CUcontext) -> CUresult;
            /// Stream Management, in drivers since CUDA 12.5.
            /// Versions: [`cuStreamGetCtx`](fn@crate::cuStreamGetCtx) (9.2) → **`cuStreamGetCtx_v2`** (12.5). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamGetCtx_v2_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 12050] fn cuStreamGetCtx_v2(hStream: CUstream, pCtx: *mut CUcontext, pGreenCtx: *mut CUgreenCtx) -> CUresult;
            /// Stream Management, in drivers since CUDA 3.2.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamWaitEvent_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 3020] fn cuStreamWaitEvent(hStream: CUstream, hEvent: CUevent, Flags: c_uint) -> CUresult;
            /// Stream Management, in drivers since CUDA 5.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamAddCallback_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 5000] fn cuStreamAddCallback(hStream: CUstream, callback: CUstreamCallback, userData: *mut c_void, flags: c_uint) -> CUresult;
            /// Stream Management, in drivers since CUDA 6.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamAttachMemAsync_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 6000] fn cuStreamAttachMemAsync(hStream: CUstream, dptr: CUdeviceptr, length: usize, flags: c_uint) -> CUresult;
            /// Stream Management, in drivers since CUDA 2.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamQuery_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 2000] fn cuStreamQuery(hStream: CUstream) -> CUresult;
            /// Stream Management, in drivers since CUDA 2.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamSynchronize_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 2000] fn cuStreamSynchronize(hStream: CUstream) -> CUresult;
            /// Event Management, in drivers since CUDA 2.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuEventRecord_ptsz`, for per-thread default streams.
            [CUDA_EVENT since 2000] fn cuEventRecord(hEvent: CUevent, hStream: CUstream) -> CUresult;
            /// Event Management, in drivers since CUDA 11.1.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuEventRecordWithFlags_ptsz`, for per-thread default streams.
            [CUDA_EVENT since 11010] fn cuEventRecordWithFlags(hEvent: CUevent, hStream: CUstream, flags: c_uint) -> CUresult;
            /// Execution Control, in drivers since CUDA 4.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuLaunchKernel_ptsz`, for per-thread default streams.
            [CUDA_EXEC since 4000] fn cuLaunchKernel(f: CUfunction, gridDimX: c_uint, gridDimY: c_uint, gridDimZ: c_uint, blockDimX: c_uint, blockDimY: c_uint, blockDimZ: c_uint, sharedMemBytes: c_uint, hStream: CUstream, kernelParams: *mut *mut c_void, extra: *mut *mut c_void) -> CUresult;
            /// Execution Control, in drivers since CUDA 11.6.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuLaunchKernelEx_ptsz`, for per-thread default streams.
            [CUDA_EXEC since 11060] fn cuLaunchKernelEx(config: *const CUlaunchConfig, f: CUfunction, kernelParams: *mut *mut c_void, extra: *mut *mut c_void) -> CUresult;
            /// Execution Control, in drivers since CUDA 10.0.
            /// Versions: **`cuLaunchHostFunc`** (10.0) → [`cuLaunchHostFunc_v2`](fn@crate::cuLaunchHostFunc_v2) (13.1). Superseded: in C programs `cuLaunchHostFunc` stands for `cuLaunchHostFunc_v2`. Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuLaunchHostFunc_ptsz`, for per-thread default streams.
            [CUDA_EXEC since 10000] fn cuLaunchHostFunc(hStream: CUstream, fn_: CUhostFn, userData: *mut c_void) -> CUresult;
            /// Execution Control, in drivers since CUDA 13.1.
            /// Versions: [`cuLaunchHostFunc`](fn@crate::cuLaunchHostFunc) (10.0) → **`cuLaunchHostFunc_v2`** (13.1). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuLaunchHostFunc_v2_ptsz`, for per-thread default streams.
            [CUDA_EXEC since 13010] fn cuLaunchHostFunc_v2(hStream: CUstream, fn_: CUhostFn, userData: *mut c_void, syncMode: c_uint) -> CUresult;
            /// Graphics Interoperability, in drivers since CUDA 3.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuGraphicsMapResources_ptsz`, for per-thread default streams.
            [CUDA_GRAPHICS since 3000] fn cuGraphicsMapResources(count: c_uint, resources: *mut CUgraphicsResource, hStream: CUstream) -> CUresult;
            /// Graphics Interoperability, in drivers since CUDA 3.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuGraphicsUnmapResources_ptsz`, for per-thread default streams.
            [CUDA_GRAPHICS since 3000] fn cuGraphicsUnmapResources(count: c_uint, resources: *mut CUgraphicsResource, hStream: CUstream) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 8.0.
            /// Versions: **`cuStreamWriteValue32`** (8.0) → [`cuStreamWriteValue32_v2`](fn@crate::cuStreamWriteValue32_v2) (11.7). Superseded: in C programs `cuStreamWriteValue32` stands for `cuStreamWriteValue32_v2`. Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamWriteValue32_ptsz`, for per-thread default streams.
            [CUDA_MEMOP since 8000] fn cuStreamWriteValue32(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 8.0.
            /// Versions: **`cuStreamWaitValue32`** (8.0) → [`cuStreamWaitValue32_v2`](fn@crate::cuStreamWaitValue32_v2) (11.7). Superseded: in C programs `cuStreamWaitValue32` stands for `cuStreamWaitValue32_v2`. Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamWaitValue32_ptsz`, for per-thread default streams.
            [CUDA_MEMOP since 8000] fn cuStreamWaitValue32(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 9.0.
            /// Versions: **`cuStreamWriteValue64`** (9.0) → [`cuStreamWriteValue64_v2`](fn@crate::cuStreamWriteValue64_v2) (11.7). Superseded: in C programs `cuStreamWriteValue64` stands for `cuStreamWriteValue64_v2`. Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamWriteValue64_ptsz`, for per-thread default streams.
            [CUDA_MEMOP since 9000] fn cuStreamWriteValue64(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 9.0.
            /// Versions: **`cuStreamWaitValue64`** (9.0) → [`cuStreamWaitValue64_v2`](fn@crate::cuStreamWaitValue64_v2) (11.7). Superseded: in C programs `cuStreamWaitValue64` stands for `cuStreamWaitValue64_v2`. Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamWaitValue64_ptsz`, for per-thread default streams.
            [CUDA_MEMOP since 9000] fn cuStreamWaitValue64(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 8.0.
            /// Versions: **`cuStreamBatchMemOp`** (8.0) → [`cuStreamBatchMemOp_v2`](fn@crate::cuStreamBatchMemOp_v2) (11.7). Superseded: in C programs `cuStreamBatchMemOp` stands for `cuStreamBatchMemOp_v2`. Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamBatchMemOp_ptsz`, for per-thread default streams.
            [CUDA_MEMOP since 8000] fn cuStreamBatchMemOp(stream: CUstream, count: c_uint, paramArray: *mut CUstreamBatchMemOpParams, flags: c_uint) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 11.7.
            /// Versions: [`cuStreamWriteValue32`](fn@crate::cuStreamWriteValue32) (8.0) → **`cuStreamWriteValue32_v2`** (11.7). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamWriteValue32_v2_ptsz`, for per-thread default streams.
            [CUDA_MEMOP since 11070] fn cuStreamWriteValue32_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 11.7.
            /// Versions: [`cuStreamWaitValue32`](fn@crate::cuStreamWaitValue32) (8.0) → **`cuStreamWaitValue32_v2`** (11.7). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamWaitValue32_v2_ptsz`, for per-thread default streams.
            [CUDA_MEMOP since 11070] fn cuStreamWaitValue32_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 11.7.
            /// Versions: [`cuStreamWriteValue64`](fn@crate::cuStreamWriteValue64) (9.0) → **`cuStreamWriteValue64_v2`** (11.7). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamWriteValue64_v2_ptsz`, for per-thread default streams.
            [CUDA_MEMOP since 11070] fn cuStreamWriteValue64_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 11.7.
            /// Versions: [`cuStreamWaitValue64`](fn@crate::cuStreamWaitValue64) (9.0) → **`cuStreamWaitValue64_v2`** (11.7). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamWaitValue64_v2_ptsz`, for per-thread default streams.
            [CUDA_MEMOP since 11070] fn cuStreamWaitValue64_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 11.7.
            /// Versions: [`cuStreamBatchMemOp`](fn@crate::cuStreamBatchMemOp) (8.0) → **`cuStreamBatchMemOp_v2`** (11.7). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamBatchMemOp_v2_ptsz`, for per-thread default streams.
            [CUDA_MEMOP since 11070] fn cuStreamBatchMemOp_v2(stream: CUstream, count: c_uint, paramArray: *mut CUstreamBatchMemOpParams, flags: c_uint) -> CUresult;
            /// Unified Addressing, in drivers since CUDA 8.0.
            /// Versions: **`cuMemPrefetchAsync`** (8.0) → [`cuMemPrefetchAsync_v2`](fn@crate::cuMemPrefetchAsync_v2) (12.2). Superseded: in C programs `cuMemPrefetchAsync` stands for `cuMemPrefetchAsync_v2`. Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemPrefetchAsync_ptsz`, for per-thread default streams.
            [CUDA_UNIFIED since 8000] fn cuMemPrefetchAsync(devPtr: CUdeviceptr, count: usize, dstDevice: CUdevice, hStream: CUstream) -> CUresult;
            /// Unified Addressing, in drivers since CUDA 12.2.
            /// Versions: [`cuMemPrefetchAsync`](fn@crate::cuMemPrefetchAsync) (8.0) → **`cuMemPrefetchAsync_v2`** (12.2). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemPrefetchAsync_v2_ptsz`, for per-thread default streams.
            [CUDA_UNIFIED since 12020] fn cuMemPrefetchAsync_v2(devPtr: CUdeviceptr, count: usize, location: CUmemLocation, flags: c_uint, hStream: CUstream) -> CUresult;
            /// Unified Addressing, in drivers since CUDA 8.0.
            /// Versions: **`cuMemAdvise`** (8.0) → [`cuMemAdvise_v2`](fn@crate::cuMemAdvise_v2) (12.2). Superseded: in C programs `cuMemAdvise` stands for `cuMemAdvise_v2`. Needs a current context.
            [CUDA_UNIFIED since 8000] fn cuMemAdvise(devPtr: CUdeviceptr, count: usize, advice: CUmem_advise, device: CUdevice) -> CUresult;
            /// Unified Addressing, in drivers since CUDA 13.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemPrefetchBatchAsync_ptsz`, for per-thread default streams.
            [CUDA_UNIFIED since 13000] fn cuMemPrefetchBatchAsync(dptrs: *mut CUdeviceptr, sizes: *mut usize, count: usize, prefetchLocs: *mut CUmemLocation, prefetchLocIdxs: *mut usize, numPrefetchLocs: usize, flags: c_ulonglong, hStream: CUstream) -> CUresult;
            /// Unified Addressing, in drivers since CUDA 13.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemDiscardBatchAsync_ptsz`, for per-thread default streams.
            [CUDA_UNIFIED since 13000] fn cuMemDiscardBatchAsync(dptrs: *mut CUdeviceptr, sizes: *mut usize, count: usize, flags: c_ulonglong, hStream: CUstream) -> CUresult;
            /// Unified Addressing, in drivers since CUDA 13.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemDiscardAndPrefetchBatchAsync_ptsz`, for per-thread default streams.
            [CUDA_UNIFIED since 13000] fn cuMemDiscardAndPrefetchBatchAsync(dptrs: *mut CUdeviceptr, sizes: *mut usize, count: usize, prefetchLocs: *mut CUmemLocation, prefetchLocIdxs: *mut usize, numPrefetchLocs: usize, flags: c_ulonglong, hStream: CUstream) -> CUresult;
            /// Execution Control, in drivers since CUDA 9.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuLaunchCooperativeKernel_ptsz`, for per-thread default streams.
            [CUDA_EXEC since 9000] fn cuLaunchCooperativeKernel(f: CUfunction, gridDimX: c_uint, gridDimY: c_uint, gridDimZ: c_uint, blockDimX: c_uint, blockDimY: c_uint, blockDimZ: c_uint, sharedMemBytes: c_uint, hStream: CUstream, kernelParams: *mut *mut c_void) -> CUresult;
            /// External Resource Interoperability, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuSignalExternalSemaphoresAsync_ptsz`, for per-thread default streams.
            [CUDA_EXTRES_INTEROP since 10000] fn cuSignalExternalSemaphoresAsync(extSemArray: *const CUexternalSemaphore, paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, numExtSems: c_uint, stream: CUstream) -> CUresult;
            /// External Resource Interoperability, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuWaitExternalSemaphoresAsync_ptsz`, for per-thread default streams.
            [CUDA_EXTRES_INTEROP since 10000] fn cuWaitExternalSemaphoresAsync(extSemArray: *const CUexternalSemaphore, paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, numExtSems: c_uint, stream: CUstream) -> CUresult;
            /// Stream Management, in drivers since CUDA 10.1.
            /// Versions: `cuStreamBeginCapture` (10.0, not bound) → **`cuStreamBeginCapture_v2`** (10.1). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamBeginCapture_v2_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 10010] fn cuStreamBeginCapture_v2(hStream: CUstream, mode: CUstreamCaptureMode) -> CUresult;
            /// Stream Management, in drivers since CUDA 12.3.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamBeginCaptureToGraph_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 12030] fn cuStreamBeginCaptureToGraph(hStream: CUstream, hGraph: CUgraph, dependencies: *const CUgraphNode, dependencyData: *const CUgraphEdgeData, numDependencies: usize, mode: CUstreamCaptureMode) -> CUresult;
            /// Stream Management, in drivers since CUDA 13.3.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamBeginRecaptureToGraph_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 13030] fn cuStreamBeginRecaptureToGraph(hStream: CUstream, mode: CUstreamCaptureMode, hGraph: CUgraph, callbackFunc: CUgraphRecaptureCallback, userData: *mut c_void) -> CUresult;
            /// Fabric Copy, in drivers since CUDA 13.5.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuFabricCpyBatchAsync_ptsz`, for per-thread default streams.
            [CUDA_FABRIC_COPY since 13050] fn cuFabricCpyBatchAsync(numOps: usize, opList: *mut CUDA_FABRIC_COPY_BATCH_OP, flags: c_ulonglong, hStream: CUstream) -> CUresult;
            /// Stream Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamEndCapture_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 10000] fn cuStreamEndCapture(hStream: CUstream, phGraph: *mut CUgraph) -> CUresult;
            /// Stream Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamIsCapturing_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 10000] fn cuStreamIsCapturing(hStream: CUstream, captureStatus: *mut CUstreamCaptureStatus) -> CUresult;
            /// Stream Management, in drivers since CUDA 10.1.
            /// Versions: **`cuStreamGetCaptureInfo`** (10.1) → [`cuStreamGetCaptureInfo_v2`](fn@crate::cuStreamGetCaptureInfo_v2) (11.3) → [`cuStreamGetCaptureInfo_v3`](fn@crate::cuStreamGetCaptureInfo_v3) (12.3). Superseded: in C programs `cuStreamGetCaptureInfo` stands for `cuStreamGetCaptureInfo_v3`. Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamGetCaptureInfo_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 10010] fn cuStreamGetCaptureInfo(hStream: CUstream, captureStatus_out: *mut CUstreamCaptureStatus, id_out: *mut cuuint64_t) -> CUresult;
            /// Stream Management, in drivers since CUDA 11.3.
            /// Versions: [`cuStreamGetCaptureInfo`](fn@crate::cuStreamGetCaptureInfo) (10.1) → **`cuStreamGetCaptureInfo_v2`** (11.3) → [`cuStreamGetCaptureInfo_v3`](fn@crate::cuStreamGetCaptureInfo_v3) (12.3). Superseded: in C programs `cuStreamGetCaptureInfo` stands for `cuStreamGetCaptureInfo_v3`. Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamGetCaptureInfo_v2_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 11030] fn cuStreamGetCaptureInfo_v2(hStream: CUstream, captureStatus_out: *mut CUstreamCaptureStatus, id_out: *mut cuuint64_t, graph_out: *mut CUgraph, dependencies_out: *mut *const CUgraphNode, numDependencies_out: *mut usize) -> CUresult;
            /// Stream Management, in drivers since CUDA 12.3.
            /// Versions: [`cuStreamGetCaptureInfo`](fn@crate::cuStreamGetCaptureInfo) (10.1) → [`cuStreamGetCaptureInfo_v2`](fn@crate::cuStreamGetCaptureInfo_v2) (11.3) → **`cuStreamGetCaptureInfo_v3`** (12.3). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamGetCaptureInfo_v3_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 12030] fn cuStreamGetCaptureInfo_v3(hStream: CUstream, captureStatus_out: *mut CUstreamCaptureStatus, id_out: *mut cuuint64_t, graph_out: *mut CUgraph, dependencies_out: *mut *const CUgraphNode, edgeData_out: *mut *const CUgraphEdgeData, numDependencies_out: *mut usize) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Versions: **`cuGraphAddKernelNode`** (10.0) → [`cuGraphAddKernelNode_v2`](fn@crate::cuGraphAddKernelNode_v2) (12.0). Superseded: in C programs `cuGraphAddKernelNode` stands for `cuGraphAddKernelNode_v2`. Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphAddKernelNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *const CUDA_KERNEL_NODE_PARAMS_v1) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Versions: **`cuGraphKernelNodeGetParams`** (10.0) → [`cuGraphKernelNodeGetParams_v2`](fn@crate::cuGraphKernelNodeGetParams_v2) (12.0). Superseded: in C programs `cuGraphKernelNodeGetParams` stands for `cuGraphKernelNodeGetParams_v2`. Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphKernelNodeGetParams(hNode: CUgraphNode, nodeParams: *mut CUDA_KERNEL_NODE_PARAMS_v1) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Versions: **`cuGraphKernelNodeSetParams`** (10.0) → [`cuGraphKernelNodeSetParams_v2`](fn@crate::cuGraphKernelNodeSetParams_v2) (12.0). Superseded: in C programs `cuGraphKernelNodeSetParams` stands for `cuGraphKernelNodeSetParams_v2`. Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphKernelNodeSetParams(hNode: CUgraphNode, nodeParams: *const CUDA_KERNEL_NODE_PARAMS_v1) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.1.
            /// Versions: **`cuGraphExecKernelNodeSetParams`** (10.1) → [`cuGraphExecKernelNodeSetParams_v2`](fn@crate::cuGraphExecKernelNodeSetParams_v2) (12.0). Superseded: in C programs `cuGraphExecKernelNodeSetParams` stands for `cuGraphExecKernelNodeSetParams_v2`. Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10010] fn cuGraphExecKernelNodeSetParams(hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *const CUDA_KERNEL_NODE_PARAMS_v1) -> CUresult;
            /// Graph Management, in drivers since CUDA 12.0.
            /// Needs a current context. With the feature `ptds` also as `cuGraphInstantiateWithParams_ptsz`, for per-thread default streams.
            [CUDA_GRAPH since 12000] fn cuGraphInstantiateWithParams(phGraphExec: *mut CUgraphExec, hGraph: CUgraph, instantiateParams: *mut CUDA_GRAPH_INSTANTIATE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.2.
            /// Versions: **`cuGraphExecUpdate`** (10.2) → [`cuGraphExecUpdate_v2`](fn@crate::cuGraphExecUpdate_v2) (12.0). Superseded: in C programs `cuGraphExecUpdate` stands for `cuGraphExecUpdate_v2`. Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10020] fn cuGraphExecUpdate(hGraphExec: CUgraphExec, hGraph: CUgraph, hErrorNode_out: *mut CUgraphNode, updateResult_out: *mut CUgraphExecUpdateResult) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.1.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuGraphUpload_ptsz`, for per-thread default streams.
            [CUDA_GRAPH since 11010] fn cuGraphUpload(hGraph: CUgraphExec, hStream: CUstream) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuGraphLaunch_ptsz`, for per-thread default streams.
            [CUDA_GRAPH since 10000] fn cuGraphLaunch(hGraph: CUgraphExec, hStream: CUstream) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Versions: **`cuGraphGetEdges`** (10.0) → [`cuGraphGetEdges_v2`](fn@crate::cuGraphGetEdges_v2) (12.3). Superseded: in C programs `cuGraphGetEdges` stands for `cuGraphGetEdges_v2`. Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphGetEdges(hGraph: CUgraph, from: *mut CUgraphNode, to: *mut CUgraphNode, numEdges: *mut usize) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Versions: **`cuGraphNodeGetDependencies`** (10.0) → [`cuGraphNodeGetDependencies_v2`](fn@crate::cuGraphNodeGetDependencies_v2) (12.3). Superseded: in C programs `cuGraphNodeGetDependencies` stands for `cuGraphNodeGetDependencies_v2`. Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphNodeGetDependencies(hNode: CUgraphNode, dependencies: *mut CUgraphNode, numDependencies: *mut usize) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Versions: **`cuGraphNodeGetDependentNodes`** (10.0) → [`cuGraphNodeGetDependentNodes_v2`](fn@crate::cuGraphNodeGetDependentNodes_v2) (12.3). Superseded: in C programs `cuGraphNodeGetDependentNodes` stands for `cuGraphNodeGetDependentNodes_v2`. Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphNodeGetDependentNodes(hNode: CUgraphNode, dependentNodes: *mut CUgraphNode, numDependentNodes: *mut usize) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Versions: **`cuGraphAddDependencies`** (10.0) → [`cuGraphAddDependencies_v2`](fn@crate::cuGraphAddDependencies_v2) (12.3). Superseded: in C programs `cuGraphAddDependencies` stands for `cuGraphAddDependencies_v2`. Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphAddDependencies(hGraph: CUgraph, from: *const CUgraphNode, to: *const CUgraphNode, numDependencies: usize) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Versions: **`cuGraphRemoveDependencies`** (10.0) → [`cuGraphRemoveDependencies_v2`](fn@crate::cuGraphRemoveDependencies_v2) (12.3). Superseded: in C programs `cuGraphRemoveDependencies` stands for `cuGraphRemoveDependencies_v2`. Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 10000] fn cuGraphRemoveDependencies(hGraph: CUgraph, from: *const CUgraphNode, to: *const CUgraphNode, numDependencies: usize) -> CUresult;
            /// Graph Management, in drivers since CUDA 12.2.
            /// Versions: **`cuGraphAddNode`** (12.2) → [`cuGraphAddNode_v2`](fn@crate::cuGraphAddNode_v2) (12.3) → [`cuGraphAddNode_v3`](fn@crate::cuGraphAddNode_v3) (13.4). Superseded: in C programs `cuGraphAddNode` stands for `cuGraphAddNode_v3`. Needs no current context: its arguments name what it works on.
            [CUDA_GRAPH since 12020] fn cuGraphAddNode(phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode, numDependencies: usize, nodeParams: *mut CUgraphNodeParams) -> CUresult;
            /// Stream Management, in drivers since CUDA 11.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamCopyAttributes_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 11000] fn cuStreamCopyAttributes(dstStream: CUstream, srcStream: CUstream) -> CUresult;
            /// Stream Management, in drivers since CUDA 11.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamGetAttribute_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 11000] fn cuStreamGetAttribute(hStream: CUstream, attr: CUstreamAttrID, value: *mut CUstreamAttrValue) -> CUresult;
            /// Stream Management, in drivers since CUDA 11.0.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamSetAttribute_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 11000] fn cuStreamSetAttribute(hStream: CUstream, attr: CUstreamAttrID, param: *const CUstreamAttrValue) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.0.
            /// Versions: `cuGraphInstantiate` (10.0, not bound) → **`cuGraphInstantiate_v2`** (11.0). Needs a current context.
            [CUDA_GRAPH since 11000] fn cuGraphInstantiate_v2(phGraphExec: *mut CUgraphExec, hGraph: CUgraph, phErrorNode: *mut CUgraphNode, logBuffer: *mut c_char, bufferSize: usize) -> CUresult;
            /// Virtual Memory Management, in drivers since CUDA 11.1.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemMapArrayAsync_ptsz`, for per-thread default streams.
            [CUDA_VA since 11010] fn cuMemMapArrayAsync(mapInfoList: *mut CUarrayMapInfo, count: c_uint, hStream: CUstream) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemFreeAsync_ptsz`, for per-thread default streams.
            [CUDA_MALLOC_ASYNC since 11020] fn cuMemFreeAsync(dptr: CUdeviceptr, hStream: CUstream) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemAllocAsync_ptsz`, for per-thread default streams.
            [CUDA_MALLOC_ASYNC since 11020] fn cuMemAllocAsync(dptr: *mut CUdeviceptr, bytesize: usize, hStream: CUstream) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemAllocFromPoolAsync_ptsz`, for per-thread default streams.
            [CUDA_MALLOC_ASYNC since 11020] fn cuMemAllocFromPoolAsync(dptr: *mut CUdeviceptr, bytesize: usize, pool: CUmemoryPool, hStream: CUstream) -> CUresult;
            /// Stream Management, in drivers since CUDA 11.3.
            /// Versions: **`cuStreamUpdateCaptureDependencies`** (11.3) → [`cuStreamUpdateCaptureDependencies_v2`](fn@crate::cuStreamUpdateCaptureDependencies_v2) (12.3). Superseded: in C programs `cuStreamUpdateCaptureDependencies` stands for `cuStreamUpdateCaptureDependencies_v2`. Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamUpdateCaptureDependencies_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 11030] fn cuStreamUpdateCaptureDependencies(hStream: CUstream, dependencies: *mut CUgraphNode, numDependencies: usize, flags: c_uint) -> CUresult;
            /// Stream Management, in drivers since CUDA 12.3.
            /// Versions: [`cuStreamUpdateCaptureDependencies`](fn@crate::cuStreamUpdateCaptureDependencies) (11.3) → **`cuStreamUpdateCaptureDependencies_v2`** (12.3). Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamUpdateCaptureDependencies_v2_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 12030] fn cuStreamUpdateCaptureDependencies_v2(hStream: CUstream, dependencies: *mut CUgraphNode, dependencyData: *const CUgraphEdgeData, numDependencies: usize, flags: c_uint) -> CUresult;
            /// Stream Management, in drivers since CUDA 13.1.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamBeginCaptureToCig_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 13010] fn cuStreamBeginCaptureToCig(hStream: CUstream, streamCigCaptureParams: *mut CUstreamCigCaptureParams) -> CUresult;
            /// Stream Management, in drivers since CUDA 13.1.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuStreamEndCaptureToCig_ptsz`, for per-thread default streams.
            [CUDA_STREAM since 13010] fn cuStreamEndCaptureToCig(hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 12.6.
            /// Needs no current context: its arguments name what it works on. With the feature `ptds` also as `cuMemBatchDecompressAsync_ptsz`, for per-thread default streams.
            [CUDA_MEM since 12060] fn cuMemBatchDecompressAsync(paramsArray: *mut CUmemDecompressParams, count: usize, flags: c_uint, errorIndex: *mut usize, stream: CUstream) -> CUresult;
            /// Driver Entry Point Access, in drivers since CUDA 11.3.
            /// Versions: **`cuGetProcAddress`** (11.3) → [`cuGetProcAddress_v2`](fn@crate::cuGetProcAddress_v2) (12.0). Superseded: in C programs `cuGetProcAddress` stands for `cuGetProcAddress_v2`. Needs no context.
            [CUDA_DRIVER_ENTRY_POINT since 11030] fn cuGetProcAddress(symbol: *const c_char, pfn: *mut *mut c_void, cudaVersion: c_int, flags: cuuint64_t) -> CUresult;
            /// CUDA Checkpointing, in drivers since CUDA 12.8.
            /// Needs no context.
            [CUDA_CHECKPOINT since 12080] fn cuCheckpointProcessGetRestoreThreadId(pid: c_int, tid: *mut c_int) -> CUresult;
            /// CUDA Checkpointing, in drivers since CUDA 12.8.
            /// Needs no context.
            [CUDA_CHECKPOINT since 12080] fn cuCheckpointProcessGetState(pid: c_int, state: *mut CUprocessState) -> CUresult;
            /// CUDA Checkpointing, in drivers since CUDA 12.8.
            /// Needs no context.
            [CUDA_CHECKPOINT since 12080] fn cuCheckpointProcessLock(pid: c_int, args: *mut CUcheckpointLockArgs) -> CUresult;
            /// CUDA Checkpointing, in drivers since CUDA 12.8.
            /// Needs no context.
            [CUDA_CHECKPOINT since 12080] fn cuCheckpointProcessCheckpoint(pid: c_int, args: *mut CUcheckpointCheckpointArgs) -> CUresult;
            /// CUDA Checkpointing, in drivers since CUDA 12.8.
            /// Needs no context.
            [CUDA_CHECKPOINT since 12080] fn cuCheckpointProcessRestore(pid: c_int, args: *mut CUcheckpointRestoreArgs) -> CUresult;
            /// CUDA Checkpointing, in drivers since CUDA 13.4.
            /// Needs no context.
            [CUDA_CHECKPOINT since 13040] fn cuCheckpointOperationComplete(handle: CUcheckpointOperationHandle) -> CUresult;
            /// CUDA Checkpointing, in drivers since CUDA 12.8.
            /// Needs no context.
            [CUDA_CHECKPOINT since 12080] fn cuCheckpointProcessUnlock(pid: c_int, args: *mut CUcheckpointUnlockArgs) -> CUresult;
            /// Profiler Control (deprecated), in drivers since CUDA 4.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs no context.
            [CUDA_PROFILER_DEPRECATED since 4000] fn cuProfilerInitialize(configFile: *const c_char, outputFile: *const c_char, outputMode: CUoutput_mode) -> CUresult;
            /// Profiler Control, in drivers since CUDA 4.0.
            /// Needs a current context.
            [CUDA_PROFILER since 4000] fn cuProfilerStart() -> CUresult;
            /// Profiler Control, in drivers since CUDA 4.0.
            /// Needs a current context.
            [CUDA_PROFILER since 4000] fn cuProfilerStop() -> CUresult;
        }
    };
}

/// Calls the given macro with every second version of a function, in which the per-thread default stream stands for the null stream, 104 of them, in one list,
/// written as [`for_each_function`](crate::for_each_function) has them.
#[macro_export]
macro_rules! for_each_per_thread_function {
    ($($callback:tt)+) => {
        $($callback)+! {
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemcpy`](fn@crate::cuMemcpy) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpy_ptds(dst: CUdeviceptr, src: CUdeviceptr, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemcpyPeer`](fn@crate::cuMemcpyPeer) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpyPeer_ptds(dstDevice: CUdeviceptr, dstContext: CUcontext, srcDevice: CUdeviceptr, srcContext: CUcontext, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemcpyHtoD_v2`](fn@crate::cuMemcpyHtoD_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpyHtoD_v2_ptds(dstDevice: CUdeviceptr, srcHost: *const c_void, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemcpyDtoH_v2`](fn@crate::cuMemcpyDtoH_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpyDtoH_v2_ptds(dstHost: *mut c_void, srcDevice: CUdeviceptr, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemcpyDtoD_v2`](fn@crate::cuMemcpyDtoD_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpyDtoD_v2_ptds(dstDevice: CUdeviceptr, srcDevice: CUdeviceptr, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemcpyDtoA_v2`](fn@crate::cuMemcpyDtoA_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpyDtoA_v2_ptds(dstArray: CUarray, dstOffset: usize, srcDevice: CUdeviceptr, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemcpyAtoD_v2`](fn@crate::cuMemcpyAtoD_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpyAtoD_v2_ptds(dstDevice: CUdeviceptr, srcArray: CUarray, srcOffset: usize, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemcpyHtoA_v2`](fn@crate::cuMemcpyHtoA_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpyHtoA_v2_ptds(dstArray: CUarray, dstOffset: usize, srcHost: *const c_void, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemcpyAtoH_v2`](fn@crate::cuMemcpyAtoH_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpyAtoH_v2_ptds(dstHost: *mut c_void, srcArray: CUarray, srcOffset: usize, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemcpyAtoA_v2`](fn@crate::cuMemcpyAtoA_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpyAtoA_v2_ptds(dstArray: CUarray, dstOffset: usize, srcArray: CUarray, srcOffset: usize, ByteCount: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemcpy2D_v2`](fn@crate::cuMemcpy2D_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpy2D_v2_ptds(pCopy: *const CUDA_MEMCPY2D) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemcpy2DUnaligned_v2`](fn@crate::cuMemcpy2DUnaligned_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpy2DUnaligned_v2_ptds(pCopy: *const CUDA_MEMCPY2D) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemcpy3D_v2`](fn@crate::cuMemcpy3D_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpy3D_v2_ptds(pCopy: *const CUDA_MEMCPY3D) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemcpy3DPeer`](fn@crate::cuMemcpy3DPeer) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpy3DPeer_ptds(pCopy: *const CUDA_MEMCPY3D_PEER) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuMemcpyAsync`](fn@crate::cuMemcpyAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpyAsync_ptsz(dst: CUdeviceptr, src: CUdeviceptr, ByteCount: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuMemcpyPeerAsync`](fn@crate::cuMemcpyPeerAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpyPeerAsync_ptsz(dstDevice: CUdeviceptr, dstContext: CUcontext, srcDevice: CUdeviceptr, srcContext: CUcontext, ByteCount: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuMemcpyHtoDAsync_v2`](fn@crate::cuMemcpyHtoDAsync_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpyHtoDAsync_v2_ptsz(dstDevice: CUdeviceptr, srcHost: *const c_void, ByteCount: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuMemcpyDtoHAsync_v2`](fn@crate::cuMemcpyDtoHAsync_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpyDtoHAsync_v2_ptsz(dstHost: *mut c_void, srcDevice: CUdeviceptr, ByteCount: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuMemcpyDtoDAsync_v2`](fn@crate::cuMemcpyDtoDAsync_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpyDtoDAsync_v2_ptsz(dstDevice: CUdeviceptr, srcDevice: CUdeviceptr, ByteCount: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuMemcpyHtoAAsync_v2`](fn@crate::cuMemcpyHtoAAsync_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpyHtoAAsync_v2_ptsz(dstArray: CUarray, dstOffset: usize, srcHost: *const c_void, ByteCount: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuMemcpyAtoHAsync_v2`](fn@crate::cuMemcpyAtoHAsync_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpyAtoHAsync_v2_ptsz(dstHost: *mut c_void, srcArray: CUarray, srcOffset: usize, ByteCount: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuMemcpy2DAsync_v2`](fn@crate::cuMemcpy2DAsync_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpy2DAsync_v2_ptsz(pCopy: *const CUDA_MEMCPY2D, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuMemcpy3DAsync_v2`](fn@crate::cuMemcpy3DAsync_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpy3DAsync_v2_ptsz(pCopy: *const CUDA_MEMCPY3D, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuMemcpy3DPeerAsync`](fn@crate::cuMemcpy3DPeerAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemcpy3DPeerAsync_ptsz(pCopy: *const CUDA_MEMCPY3D_PEER, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 13.0.
            /// Versions: [`cuMemcpyBatchAsync_ptsz`](fn@crate::cuMemcpyBatchAsync_ptsz) (12.8) → **`cuMemcpyBatchAsync_v2_ptsz`** (13.0). Needs no current context: its arguments name what it works on. [`cuMemcpyBatchAsync_v2`](fn@crate::cuMemcpyBatchAsync_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 13000] fn cuMemcpyBatchAsync_v2_ptsz(dsts: *mut CUdeviceptr, srcs: *mut CUdeviceptr, sizes: *mut usize, count: usize, attrs: *mut CUmemcpyAttributes, attrsIdxs: *mut usize, numAttrs: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 13.0.
            /// Versions: [`cuMemcpy3DBatchAsync_ptsz`](fn@crate::cuMemcpy3DBatchAsync_ptsz) (12.8) → **`cuMemcpy3DBatchAsync_v2_ptsz`** (13.0). Needs no current context: its arguments name what it works on. [`cuMemcpy3DBatchAsync_v2`](fn@crate::cuMemcpy3DBatchAsync_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 13000] fn cuMemcpy3DBatchAsync_v2_ptsz(numOps: usize, opList: *mut CUDA_MEMCPY3D_BATCH_OP, flags: c_ulonglong, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 13.2.
            /// Needs no current context: its arguments name what it works on. [`cuMemcpyWithAttributesAsync`](fn@crate::cuMemcpyWithAttributesAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 13020] fn cuMemcpyWithAttributesAsync_ptsz(dst: CUdeviceptr, src: CUdeviceptr, size: usize, attr: *mut CUmemcpyAttributes, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 13.2.
            /// Needs no current context: its arguments name what it works on. [`cuMemcpy3DWithAttributesAsync`](fn@crate::cuMemcpy3DWithAttributesAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 13020] fn cuMemcpy3DWithAttributesAsync_ptsz(op: *mut CUDA_MEMCPY3D_BATCH_OP, flags: c_ulonglong, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemsetD8_v2`](fn@crate::cuMemsetD8_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemsetD8_v2_ptds(dstDevice: CUdeviceptr, uc: c_uchar, N: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemsetD16_v2`](fn@crate::cuMemsetD16_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemsetD16_v2_ptds(dstDevice: CUdeviceptr, us: c_ushort, N: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemsetD32_v2`](fn@crate::cuMemsetD32_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemsetD32_v2_ptds(dstDevice: CUdeviceptr, ui: c_uint, N: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemsetD2D8_v2`](fn@crate::cuMemsetD2D8_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemsetD2D8_v2_ptds(dstDevice: CUdeviceptr, dstPitch: usize, uc: c_uchar, Width: usize, Height: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemsetD2D16_v2`](fn@crate::cuMemsetD2D16_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemsetD2D16_v2_ptds(dstDevice: CUdeviceptr, dstPitch: usize, us: c_ushort, Width: usize, Height: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs a current context. [`cuMemsetD2D32_v2`](fn@crate::cuMemsetD2D32_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemsetD2D32_v2_ptds(dstDevice: CUdeviceptr, dstPitch: usize, ui: c_uint, Width: usize, Height: usize) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuMemsetD8Async`](fn@crate::cuMemsetD8Async) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemsetD8Async_ptsz(dstDevice: CUdeviceptr, uc: c_uchar, N: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuMemsetD16Async`](fn@crate::cuMemsetD16Async) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemsetD16Async_ptsz(dstDevice: CUdeviceptr, us: c_ushort, N: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuMemsetD32Async`](fn@crate::cuMemsetD32Async) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemsetD32Async_ptsz(dstDevice: CUdeviceptr, ui: c_uint, N: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuMemsetD2D8Async`](fn@crate::cuMemsetD2D8Async) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemsetD2D8Async_ptsz(dstDevice: CUdeviceptr, dstPitch: usize, uc: c_uchar, Width: usize, Height: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuMemsetD2D16Async`](fn@crate::cuMemsetD2D16Async) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemsetD2D16Async_ptsz(dstDevice: CUdeviceptr, dstPitch: usize, us: c_ushort, Width: usize, Height: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuMemsetD2D32Async`](fn@crate::cuMemsetD2D32Async) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 7000] fn cuMemsetD2D32Async_ptsz(dstDevice: CUdeviceptr, dstPitch: usize, ui: c_uint, Width: usize, Height: usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 12.6.
            /// Needs no current context: its arguments name what it works on. [`cuMemBatchDecompressAsync`](fn@crate::cuMemBatchDecompressAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 12060] fn cuMemBatchDecompressAsync_ptsz(paramsArray: *mut CUmemDecompressParams, count: usize, flags: c_uint, errorIndex: *mut usize, stream: CUstream) -> CUresult;
            /// Virtual Memory Management, in drivers since CUDA 11.1.
            /// Needs no current context: its arguments name what it works on. [`cuMemMapArrayAsync`](fn@crate::cuMemMapArrayAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_VA since 11010] fn cuMemMapArrayAsync_ptsz(mapInfoList: *mut CUarrayMapInfo, count: c_uint, hStream: CUstream) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on. [`cuMemFreeAsync`](fn@crate::cuMemFreeAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MALLOC_ASYNC since 11020] fn cuMemFreeAsync_ptsz(dptr: CUdeviceptr, hStream: CUstream) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on. [`cuMemAllocAsync`](fn@crate::cuMemAllocAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MALLOC_ASYNC since 11020] fn cuMemAllocAsync_ptsz(dptr: *mut CUdeviceptr, bytesize: usize, hStream: CUstream) -> CUresult;
            /// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
            /// Needs no current context: its arguments name what it works on. [`cuMemAllocFromPoolAsync`](fn@crate::cuMemAllocFromPoolAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MALLOC_ASYNC since 11020] fn cuMemAllocFromPoolAsync_ptsz(dptr: *mut CUdeviceptr, bytesize: usize, pool: CUmemoryPool, hStream: CUstream) -> CUresult;
            /// Fabric Copy, in drivers since CUDA 13.5.
            /// Needs no current context: its arguments name what it works on. [`cuFabricCpyBatchAsync`](fn@crate::cuFabricCpyBatchAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_FABRIC_COPY since 13050] fn cuFabricCpyBatchAsync_ptsz(numOps: usize, opList: *mut CUDA_FABRIC_COPY_BATCH_OP, flags: c_ulonglong, hStream: CUstream) -> CUresult;
            /// Unified Addressing, in drivers since CUDA 12.2.
            /// Versions: [`cuMemPrefetchAsync_ptsz`](fn@crate::cuMemPrefetchAsync_ptsz) (8.0) → **`cuMemPrefetchAsync_v2_ptsz`** (12.2). Needs no current context: its arguments name what it works on. [`cuMemPrefetchAsync_v2`](fn@crate::cuMemPrefetchAsync_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_UNIFIED since 12020] fn cuMemPrefetchAsync_v2_ptsz(devPtr: CUdeviceptr, count: usize, location: CUmemLocation, flags: c_uint, hStream: CUstream) -> CUresult;
            /// Unified Addressing, in drivers since CUDA 13.0.
            /// Needs no current context: its arguments name what it works on. [`cuMemPrefetchBatchAsync`](fn@crate::cuMemPrefetchBatchAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_UNIFIED since 13000] fn cuMemPrefetchBatchAsync_ptsz(dptrs: *mut CUdeviceptr, sizes: *mut usize, count: usize, prefetchLocs: *mut CUmemLocation, prefetchLocIdxs: *mut usize, numPrefetchLocs: usize, flags: c_ulonglong, hStream: CUstream) -> CUresult;
            /// Unified Addressing, in drivers since CUDA 13.0.
            /// Needs no current context: its arguments name what it works on. [`cuMemDiscardBatchAsync`](fn@crate::cuMemDiscardBatchAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_UNIFIED since 13000] fn cuMemDiscardBatchAsync_ptsz(dptrs: *mut CUdeviceptr, sizes: *mut usize, count: usize, flags: c_ulonglong, hStream: CUstream) -> CUresult;
            /// Unified Addressing, in drivers since CUDA 13.0.
            /// Needs no current context: its arguments name what it works on. [`cuMemDiscardAndPrefetchBatchAsync`](fn@crate::cuMemDiscardAndPrefetchBatchAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_UNIFIED since 13000] fn cuMemDiscardAndPrefetchBatchAsync_ptsz(dptrs: *mut CUdeviceptr, sizes: *mut usize, count: usize, prefetchLocs: *mut CUmemLocation, prefetchLocIdxs: *mut usize, numPrefetchLocs: usize, flags: c_ulonglong, hStream: CUstream) -> CUresult;
            /// Stream Management, in drivers since CUDA 13.1.
            /// Needs no current context: its arguments name what it works on. [`cuStreamBeginCaptureToCig`](fn@crate::cuStreamBeginCaptureToCig) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 13010] fn cuStreamBeginCaptureToCig_ptsz(hStream: CUstream, streamCigCaptureParams: *mut CUstreamCigCaptureParams) -> CUresult;
            /// Stream Management, in drivers since CUDA 13.1.
            /// Needs no current context: its arguments name what it works on. [`cuStreamEndCaptureToCig`](fn@crate::cuStreamEndCaptureToCig) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 13010] fn cuStreamEndCaptureToCig_ptsz(hStream: CUstream) -> CUresult;
            /// Stream Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuStreamGetPriority`](fn@crate::cuStreamGetPriority) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 7000] fn cuStreamGetPriority_ptsz(hStream: CUstream, priority: *mut c_int) -> CUresult;
            /// Stream Management, in drivers since CUDA 12.8.
            /// Needs no current context: its arguments name what it works on. [`cuStreamGetDevice`](fn@crate::cuStreamGetDevice) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 12080] fn cuStreamGetDevice_ptsz(hStream: CUstream, device: *mut CUdevice) -> CUresult;
            /// Stream Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuStreamGetFlags`](fn@crate::cuStreamGetFlags) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 7000] fn cuStreamGetFlags_ptsz(hStream: CUstream, flags: *mut c_uint) -> CUresult;
            /// Stream Management, in drivers since CUDA 12.0.
            /// Needs no current context: its arguments name what it works on. [`cuStreamGetId`](fn@crate::cuStreamGetId) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 12000] fn cuStreamGetId_ptsz(hStream: CUstream, streamId: *mut c_ulonglong) -> CUresult;
            /// Stream Management, in drivers since CUDA 9.2.
            /// Versions: **`cuStreamGetCtx_ptsz`** (9.2) → [`cuStreamGetCtx_v2_ptsz`](fn@crate::cuStreamGetCtx_v2_ptsz) (12.5). Needs no current context: its arguments name what it works on. [`cuStreamGetCtx`](fn@crate::cuStreamGetCtx) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 9020] fn cuStreamGetCtx_ptsz(hStream: CUstream, pctx: *mut CUcontext) -> CUresult;
            /// Stream Management, in drivers since CUDA 12.5.
            /// Versions: [`cuStreamGetCtx_ptsz`](fn@crate::cuStreamGetCtx_ptsz) (9.2) → **`cuStreamGetCtx_v2_ptsz`** (12.5). Needs no current context: its arguments name what it works on. [`cuStreamGetCtx_v2`](fn@crate::cuStreamGetCtx_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 12050] fn cuStreamGetCtx_v2_ptsz(hStream: CUstream, pCtx: *mut CUcontext, pGreenCtx: *mut CUgreenCtx) -> CUresult;
            /// Stream Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuStreamWaitEvent`](fn@crate::cuStreamWaitEvent) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 7000] fn cuStreamWaitEvent_ptsz(hStream: CUstream, hEvent: CUevent, Flags: c_uint) -> CUresult;
            /// Stream Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuStreamAddCallback`](fn@crate::cuStreamAddCallback) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 7000] fn cuStreamAddCallback_ptsz(hStream: CUstream, callback: CUstreamCallback, userData: *mut c_void, flags: c_uint) -> CUresult;
            /// Stream Management, in drivers since CUDA 10.1.
            /// Versions: `cuStreamBeginCapture_ptsz` (10.0, not bound) → **`cuStreamBeginCapture_v2_ptsz`** (10.1). Needs no current context: its arguments name what it works on. [`cuStreamBeginCapture_v2`](fn@crate::cuStreamBeginCapture_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 10010] fn cuStreamBeginCapture_v2_ptsz(hStream: CUstream, mode: CUstreamCaptureMode) -> CUresult;
            /// Stream Management, in drivers since CUDA 13.3.
            /// Needs no current context: its arguments name what it works on. [`cuStreamBeginRecaptureToGraph`](fn@crate::cuStreamBeginRecaptureToGraph) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 13030] fn cuStreamBeginRecaptureToGraph_ptsz(hStream: CUstream, mode: CUstreamCaptureMode, hGraph: CUgraph, callbackFunc: CUgraphRecaptureCallback, userData: *mut c_void) -> CUresult;
            /// Stream Management, in drivers since CUDA 12.3.
            /// Needs no current context: its arguments name what it works on. [`cuStreamBeginCaptureToGraph`](fn@crate::cuStreamBeginCaptureToGraph) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 12030] fn cuStreamBeginCaptureToGraph_ptsz(hStream: CUstream, hGraph: CUgraph, dependencies: *const CUgraphNode, dependencyData: *const CUgraphEdgeData, numDependencies: usize, mode: CUstreamCaptureMode) -> CUresult;
            /// Stream Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on. [`cuStreamEndCapture`](fn@crate::cuStreamEndCapture) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 10000] fn cuStreamEndCapture_ptsz(hStream: CUstream, phGraph: *mut CUgraph) -> CUresult;
            /// Stream Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on. [`cuStreamIsCapturing`](fn@crate::cuStreamIsCapturing) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 10000] fn cuStreamIsCapturing_ptsz(hStream: CUstream, captureStatus: *mut CUstreamCaptureStatus) -> CUresult;
            /// Stream Management, in drivers since CUDA 12.3.
            /// Versions: [`cuStreamGetCaptureInfo_ptsz`](fn@crate::cuStreamGetCaptureInfo_ptsz) (10.1) → [`cuStreamGetCaptureInfo_v2_ptsz`](fn@crate::cuStreamGetCaptureInfo_v2_ptsz) (11.3) → **`cuStreamGetCaptureInfo_v3_ptsz`** (12.3). Needs no current context: its arguments name what it works on. [`cuStreamGetCaptureInfo_v3`](fn@crate::cuStreamGetCaptureInfo_v3) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 12030] fn cuStreamGetCaptureInfo_v3_ptsz(hStream: CUstream, captureStatus_out: *mut CUstreamCaptureStatus, id_out: *mut cuuint64_t, graph_out: *mut CUgraph, dependencies_out: *mut *const CUgraphNode, edgeData_out: *mut *const CUgraphEdgeData, numDependencies_out: *mut usize) -> CUresult;
            /// Stream Management, in drivers since CUDA 12.3.
            /// Versions: [`cuStreamUpdateCaptureDependencies_ptsz`](fn@crate::cuStreamUpdateCaptureDependencies_ptsz) (11.3) → **`cuStreamUpdateCaptureDependencies_v2_ptsz`** (12.3). Needs no current context: its arguments name what it works on. [`cuStreamUpdateCaptureDependencies_v2`](fn@crate::cuStreamUpdateCaptureDependencies_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 12030] fn cuStreamUpdateCaptureDependencies_v2_ptsz(hStream: CUstream, dependencies: *mut CUgraphNode, dependencyData: *const CUgraphEdgeData, numDependencies: usize, flags: c_uint) -> CUresult;
            /// Stream Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuStreamAttachMemAsync`](fn@crate::cuStreamAttachMemAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 7000] fn cuStreamAttachMemAsync_ptsz(hStream: CUstream, dptr: CUdeviceptr, length: usize, flags: c_uint) -> CUresult;
            /// Stream Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuStreamQuery`](fn@crate::cuStreamQuery) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 7000] fn cuStreamQuery_ptsz(hStream: CUstream) -> CUresult;
            /// Stream Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuStreamSynchronize`](fn@crate::cuStreamSynchronize) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 7000] fn cuStreamSynchronize_ptsz(hStream: CUstream) -> CUresult;
            /// Stream Management, in drivers since CUDA 11.0.
            /// Needs no current context: its arguments name what it works on. [`cuStreamCopyAttributes`](fn@crate::cuStreamCopyAttributes) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 11000] fn cuStreamCopyAttributes_ptsz(dst: CUstream, src: CUstream) -> CUresult;
            /// Stream Management, in drivers since CUDA 11.0.
            /// Needs no current context: its arguments name what it works on. [`cuStreamGetAttribute`](fn@crate::cuStreamGetAttribute) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 11000] fn cuStreamGetAttribute_ptsz(hStream: CUstream, attr: CUstreamAttrID, value_out: *mut CUstreamAttrValue) -> CUresult;
            /// Stream Management, in drivers since CUDA 11.0.
            /// Needs no current context: its arguments name what it works on. [`cuStreamSetAttribute`](fn@crate::cuStreamSetAttribute) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 11000] fn cuStreamSetAttribute_ptsz(hStream: CUstream, attr: CUstreamAttrID, value: *const CUstreamAttrValue) -> CUresult;
            /// Event Management, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuEventRecord`](fn@crate::cuEventRecord) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_EVENT since 7000] fn cuEventRecord_ptsz(hEvent: CUevent, hStream: CUstream) -> CUresult;
            /// Event Management, in drivers since CUDA 11.1.
            /// Needs no current context: its arguments name what it works on. [`cuEventRecordWithFlags`](fn@crate::cuEventRecordWithFlags) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_EVENT since 11010] fn cuEventRecordWithFlags_ptsz(hEvent: CUevent, hStream: CUstream, flags: c_uint) -> CUresult;
            /// External Resource Interoperability, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on. [`cuSignalExternalSemaphoresAsync`](fn@crate::cuSignalExternalSemaphoresAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_EXTRES_INTEROP since 10000] fn cuSignalExternalSemaphoresAsync_ptsz(extSemArray: *const CUexternalSemaphore, paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, numExtSems: c_uint, stream: CUstream) -> CUresult;
            /// External Resource Interoperability, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on. [`cuWaitExternalSemaphoresAsync`](fn@crate::cuWaitExternalSemaphoresAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_EXTRES_INTEROP since 10000] fn cuWaitExternalSemaphoresAsync_ptsz(extSemArray: *const CUexternalSemaphore, paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, numExtSems: c_uint, stream: CUstream) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 11.7.
            /// Versions: [`cuStreamWaitValue32_ptsz`](fn@crate::cuStreamWaitValue32_ptsz) (8.0) → **`cuStreamWaitValue32_v2_ptsz`** (11.7). Needs no current context: its arguments name what it works on. [`cuStreamWaitValue32_v2`](fn@crate::cuStreamWaitValue32_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEMOP since 11070] fn cuStreamWaitValue32_v2_ptsz(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 11.7.
            /// Versions: [`cuStreamWaitValue64_ptsz`](fn@crate::cuStreamWaitValue64_ptsz) (9.0) → **`cuStreamWaitValue64_v2_ptsz`** (11.7). Needs no current context: its arguments name what it works on. [`cuStreamWaitValue64_v2`](fn@crate::cuStreamWaitValue64_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEMOP since 11070] fn cuStreamWaitValue64_v2_ptsz(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 11.7.
            /// Versions: [`cuStreamWriteValue32_ptsz`](fn@crate::cuStreamWriteValue32_ptsz) (8.0) → **`cuStreamWriteValue32_v2_ptsz`** (11.7). Needs no current context: its arguments name what it works on. [`cuStreamWriteValue32_v2`](fn@crate::cuStreamWriteValue32_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEMOP since 11070] fn cuStreamWriteValue32_v2_ptsz(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 11.7.
            /// Versions: [`cuStreamWriteValue64_ptsz`](fn@crate::cuStreamWriteValue64_ptsz) (9.0) → **`cuStreamWriteValue64_v2_ptsz`** (11.7). Needs no current context: its arguments name what it works on. [`cuStreamWriteValue64_v2`](fn@crate::cuStreamWriteValue64_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEMOP since 11070] fn cuStreamWriteValue64_v2_ptsz(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 11.7.
            /// Versions: [`cuStreamBatchMemOp_ptsz`](fn@crate::cuStreamBatchMemOp_ptsz) (8.0) → **`cuStreamBatchMemOp_v2_ptsz`** (11.7). Needs no current context: its arguments name what it works on. [`cuStreamBatchMemOp_v2`](fn@crate::cuStreamBatchMemOp_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEMOP since 11070] fn cuStreamBatchMemOp_v2_ptsz(stream: CUstream, count: c_uint, paramArray: *mut CUstreamBatchMemOpParams, flags: c_uint) -> CUresult;
            /// Execution Control, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuLaunchKernel`](fn@crate::cuLaunchKernel) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_EXEC since 7000] fn cuLaunchKernel_ptsz(f: CUfunction, gridDimX: c_uint, gridDimY: c_uint, gridDimZ: c_uint, blockDimX: c_uint, blockDimY: c_uint, blockDimZ: c_uint, sharedMemBytes: c_uint, hStream: CUstream, kernelParams: *mut *mut c_void, extra: *mut *mut c_void) -> CUresult;
            /// Execution Control, in drivers since CUDA 11.6.
            /// Needs no current context: its arguments name what it works on. [`cuLaunchKernelEx`](fn@crate::cuLaunchKernelEx) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_EXEC since 11060] fn cuLaunchKernelEx_ptsz(config: *const CUlaunchConfig, f: CUfunction, kernelParams: *mut *mut c_void, extra: *mut *mut c_void) -> CUresult;
            /// Execution Control, in drivers since CUDA 9.0.
            /// Needs no current context: its arguments name what it works on. [`cuLaunchCooperativeKernel`](fn@crate::cuLaunchCooperativeKernel) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_EXEC since 9000] fn cuLaunchCooperativeKernel_ptsz(f: CUfunction, gridDimX: c_uint, gridDimY: c_uint, gridDimZ: c_uint, blockDimX: c_uint, blockDimY: c_uint, blockDimZ: c_uint, sharedMemBytes: c_uint, hStream: CUstream, kernelParams: *mut *mut c_void) -> CUresult;
            /// Execution Control, in drivers since CUDA 10.0.
            /// Versions: **`cuLaunchHostFunc_ptsz`** (10.0) → [`cuLaunchHostFunc_v2_ptsz`](fn@crate::cuLaunchHostFunc_v2_ptsz) (13.1). Needs no current context: its arguments name what it works on. [`cuLaunchHostFunc`](fn@crate::cuLaunchHostFunc) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_EXEC since 10000] fn cuLaunchHostFunc_ptsz(hStream: CUstream, fn_: CUhostFn, userData: *mut c_void) -> CUresult;
            /// Execution Control, in drivers since CUDA 13.1.
            /// Versions: [`cuLaunchHostFunc_ptsz`](fn@crate::cuLaunchHostFunc_ptsz) (10.0) → **`cuLaunchHostFunc_v2_ptsz`** (13.1). Needs no current context: its arguments name what it works on. [`cuLaunchHostFunc_v2`](fn@crate::cuLaunchHostFunc_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_EXEC since 13010] fn cuLaunchHostFunc_v2_ptsz(hStream: CUstream, fn_: CUhostFn, userData: *mut c_void, syncMode: c_uint) -> CUresult;
            /// Graph Management, in drivers since CUDA 12.0.
            /// Needs a current context. [`cuGraphInstantiateWithParams`](fn@crate::cuGraphInstantiateWithParams) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_GRAPH since 12000] fn cuGraphInstantiateWithParams_ptsz(phGraphExec: *mut CUgraphExec, hGraph: CUgraph, instantiateParams: *mut CUDA_GRAPH_INSTANTIATE_PARAMS) -> CUresult;
            /// Graph Management, in drivers since CUDA 11.1.
            /// Needs no current context: its arguments name what it works on. [`cuGraphUpload`](fn@crate::cuGraphUpload) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_GRAPH since 11010] fn cuGraphUpload_ptsz(hGraphExec: CUgraphExec, hStream: CUstream) -> CUresult;
            /// Graph Management, in drivers since CUDA 10.0.
            /// Needs no current context: its arguments name what it works on. [`cuGraphLaunch`](fn@crate::cuGraphLaunch) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_GRAPH since 10000] fn cuGraphLaunch_ptsz(hGraphExec: CUgraphExec, hStream: CUstream) -> CUresult;
            /// Graphics Interoperability, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuGraphicsMapResources`](fn@crate::cuGraphicsMapResources) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_GRAPHICS since 7000] fn cuGraphicsMapResources_ptsz(count: c_uint, resources: *mut CUgraphicsResource, hStream: CUstream) -> CUresult;
            /// Graphics Interoperability, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. [`cuGraphicsUnmapResources`](fn@crate::cuGraphicsUnmapResources) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_GRAPHICS since 7000] fn cuGraphicsUnmapResources_ptsz(count: c_uint, resources: *mut CUgraphicsResource, hStream: CUstream) -> CUresult;
            /// Green Contexts, in drivers since CUDA 13.1.
            /// Needs no current context: its arguments name what it works on. [`cuStreamGetDevResource`](fn@crate::cuStreamGetDevResource) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_GREEN_CONTEXTS since 13010] fn cuStreamGetDevResource_ptsz(hStream: CUstream, resource: *mut CUdevResource, type_: CUdevResourceType) -> CUresult;
            /// Memory Management, in drivers since CUDA 12.8.
            /// Versions: **`cuMemcpyBatchAsync_ptsz`** (12.8) → [`cuMemcpyBatchAsync_v2_ptsz`](fn@crate::cuMemcpyBatchAsync_v2_ptsz) (13.0). Needs no current context: its arguments name what it works on. [`cuMemcpyBatchAsync`](fn@crate::cuMemcpyBatchAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 12080] fn cuMemcpyBatchAsync_ptsz(dsts: *mut CUdeviceptr, srcs: *mut CUdeviceptr, sizes: *mut usize, count: usize, attrs: *mut CUmemcpyAttributes, attrsIdxs: *mut usize, numAttrs: usize, failIdx: *mut usize, hStream: CUstream) -> CUresult;
            /// Memory Management, in drivers since CUDA 12.8.
            /// Versions: **`cuMemcpy3DBatchAsync_ptsz`** (12.8) → [`cuMemcpy3DBatchAsync_v2_ptsz`](fn@crate::cuMemcpy3DBatchAsync_v2_ptsz) (13.0). Needs no current context: its arguments name what it works on. [`cuMemcpy3DBatchAsync`](fn@crate::cuMemcpy3DBatchAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEM since 12080] fn cuMemcpy3DBatchAsync_ptsz(numOps: usize, opList: *mut CUDA_MEMCPY3D_BATCH_OP, failIdx: *mut usize, flags: c_ulonglong, hStream: CUstream) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 8.0.
            /// Versions: **`cuStreamWriteValue32_ptsz`** (8.0) → [`cuStreamWriteValue32_v2_ptsz`](fn@crate::cuStreamWriteValue32_v2_ptsz) (11.7). Needs no current context: its arguments name what it works on. [`cuStreamWriteValue32`](fn@crate::cuStreamWriteValue32) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEMOP since 8000] fn cuStreamWriteValue32_ptsz(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 8.0.
            /// Versions: **`cuStreamWaitValue32_ptsz`** (8.0) → [`cuStreamWaitValue32_v2_ptsz`](fn@crate::cuStreamWaitValue32_v2_ptsz) (11.7). Needs no current context: its arguments name what it works on. [`cuStreamWaitValue32`](fn@crate::cuStreamWaitValue32) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEMOP since 8000] fn cuStreamWaitValue32_ptsz(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 9.0.
            /// Versions: **`cuStreamWriteValue64_ptsz`** (9.0) → [`cuStreamWriteValue64_v2_ptsz`](fn@crate::cuStreamWriteValue64_v2_ptsz) (11.7). Needs no current context: its arguments name what it works on. [`cuStreamWriteValue64`](fn@crate::cuStreamWriteValue64) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEMOP since 9000] fn cuStreamWriteValue64_ptsz(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 9.0.
            /// Versions: **`cuStreamWaitValue64_ptsz`** (9.0) → [`cuStreamWaitValue64_v2_ptsz`](fn@crate::cuStreamWaitValue64_v2_ptsz) (11.7). Needs no current context: its arguments name what it works on. [`cuStreamWaitValue64`](fn@crate::cuStreamWaitValue64) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEMOP since 9000] fn cuStreamWaitValue64_ptsz(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) -> CUresult;
            /// Stream Memory Operations, in drivers since CUDA 8.0.
            /// Versions: **`cuStreamBatchMemOp_ptsz`** (8.0) → [`cuStreamBatchMemOp_v2_ptsz`](fn@crate::cuStreamBatchMemOp_v2_ptsz) (11.7). Needs no current context: its arguments name what it works on. [`cuStreamBatchMemOp`](fn@crate::cuStreamBatchMemOp) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_MEMOP since 8000] fn cuStreamBatchMemOp_ptsz(stream: CUstream, count: c_uint, paramArray: *mut CUstreamBatchMemOpParams, flags: c_uint) -> CUresult;
            /// Unified Addressing, in drivers since CUDA 8.0.
            /// Versions: **`cuMemPrefetchAsync_ptsz`** (8.0) → [`cuMemPrefetchAsync_v2_ptsz`](fn@crate::cuMemPrefetchAsync_v2_ptsz) (12.2). Needs no current context: its arguments name what it works on. [`cuMemPrefetchAsync`](fn@crate::cuMemPrefetchAsync) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_UNIFIED since 8000] fn cuMemPrefetchAsync_ptsz(devPtr: CUdeviceptr, count: usize, dstDevice: CUdevice, hStream: CUstream) -> CUresult;
            /// Stream Management, in drivers since CUDA 10.1.
            /// Versions: **`cuStreamGetCaptureInfo_ptsz`** (10.1) → [`cuStreamGetCaptureInfo_v2_ptsz`](fn@crate::cuStreamGetCaptureInfo_v2_ptsz) (11.3) → [`cuStreamGetCaptureInfo_v3_ptsz`](fn@crate::cuStreamGetCaptureInfo_v3_ptsz) (12.3). Needs no current context: its arguments name what it works on. [`cuStreamGetCaptureInfo`](fn@crate::cuStreamGetCaptureInfo) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 10010] fn cuStreamGetCaptureInfo_ptsz(hStream: CUstream, captureStatus_out: *mut CUstreamCaptureStatus, id_out: *mut cuuint64_t) -> CUresult;
            /// Stream Management, in drivers since CUDA 11.3.
            /// Versions: [`cuStreamGetCaptureInfo_ptsz`](fn@crate::cuStreamGetCaptureInfo_ptsz) (10.1) → **`cuStreamGetCaptureInfo_v2_ptsz`** (11.3) → [`cuStreamGetCaptureInfo_v3_ptsz`](fn@crate::cuStreamGetCaptureInfo_v3_ptsz) (12.3). Needs no current context: its arguments name what it works on. [`cuStreamGetCaptureInfo_v2`](fn@crate::cuStreamGetCaptureInfo_v2) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 11030] fn cuStreamGetCaptureInfo_v2_ptsz(hStream: CUstream, captureStatus_out: *mut CUstreamCaptureStatus, id_out: *mut cuuint64_t, graph_out: *mut CUgraph, dependencies_out: *mut *const CUgraphNode, numDependencies_out: *mut usize) -> CUresult;
            /// Stream Management, in drivers since CUDA 11.3.
            /// Versions: **`cuStreamUpdateCaptureDependencies_ptsz`** (11.3) → [`cuStreamUpdateCaptureDependencies_v2_ptsz`](fn@crate::cuStreamUpdateCaptureDependencies_v2_ptsz) (12.3). Needs no current context: its arguments name what it works on. [`cuStreamUpdateCaptureDependencies`](fn@crate::cuStreamUpdateCaptureDependencies) with the calling thread's own default stream for the null stream. With the feature `ptds`.
            [CUDA_STREAM since 11030] fn cuStreamUpdateCaptureDependencies_ptsz(hStream: CUstream, dependencies: *mut CUgraphNode, numDependencies: usize, flags: c_uint) -> CUresult;
        }
    };
}

/// Calls the given macro with every function of `cudaGL.h`, 15 of them, in one list,
/// written as [`for_each_function`](crate::for_each_function) has them.
#[macro_export]
macro_rules! for_each_gl_function {
    ($($callback:tt)+) => {
        $($callback)+! {
            /// OpenGL Interoperability, in drivers since CUDA 3.0.
            /// Needs a current context. With the feature `gl`.
            [CUDA_GL since 3000] fn cuGraphicsGLRegisterBuffer(pCudaResource: *mut CUgraphicsResource, buffer: GLuint, Flags: c_uint) -> CUresult;
            /// OpenGL Interoperability, in drivers since CUDA 3.0.
            /// Needs a current context. With the feature `gl`.
            [CUDA_GL since 3000] fn cuGraphicsGLRegisterImage(pCudaResource: *mut CUgraphicsResource, image: GLuint, target: GLenum, Flags: c_uint) -> CUresult;
            /// OpenGL Interoperability, in drivers since CUDA 6.5.
            /// Versions: `cuGLGetDevices` (4.1, not bound) → **`cuGLGetDevices_v2`** (6.5). Needs no context. With the feature `gl`.
            [CUDA_GL since 6050] fn cuGLGetDevices_v2(pCudaDeviceCount: *mut c_uint, pCudaDevices: *mut CUdevice, cudaDeviceCount: c_uint, deviceList: CUGLDeviceList) -> CUresult;
            /// OpenGL Interoperability (deprecated), in drivers since CUDA 3.2.
            /// Versions: `cuGLCtxCreate` (2.0, not bound) → **`cuGLCtxCreate_v2`** (3.2). Deprecated by NVIDIA; drivers have it all the same. Needs no context. With the feature `gl`.
            [CUDA_GL_DEPRECATED since 3020] fn cuGLCtxCreate_v2(pCtx: *mut CUcontext, Flags: c_uint, device: CUdevice) -> CUresult;
            /// OpenGL Interoperability (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context. With the feature `gl`.
            [CUDA_GL_DEPRECATED since 2000] fn cuGLInit() -> CUresult;
            /// OpenGL Interoperability (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context. With the feature `gl`.
            [CUDA_GL_DEPRECATED since 2000] fn cuGLRegisterBufferObject(buffer: GLuint) -> CUresult;
            /// OpenGL Interoperability (deprecated), in drivers since CUDA 7.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context. [`cuGLMapBufferObject_v2`](fn@crate::cuGLMapBufferObject_v2) with the calling thread's own default stream for the null stream. With the feature `gl`.
            [CUDA_GL_DEPRECATED since 7000] fn cuGLMapBufferObject_v2_ptds(dptr: *mut CUdeviceptr, size: *mut usize, buffer: GLuint) -> CUresult;
            /// OpenGL Interoperability (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context. With the feature `gl`.
            [CUDA_GL_DEPRECATED since 2000] fn cuGLUnmapBufferObject(buffer: GLuint) -> CUresult;
            /// OpenGL Interoperability (deprecated), in drivers since CUDA 2.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context. With the feature `gl`.
            [CUDA_GL_DEPRECATED since 2000] fn cuGLUnregisterBufferObject(buffer: GLuint) -> CUresult;
            /// OpenGL Interoperability (deprecated), in drivers since CUDA 2.3.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context. With the feature `gl`.
            [CUDA_GL_DEPRECATED since 2030] fn cuGLSetBufferObjectMapFlags(buffer: GLuint, Flags: c_uint) -> CUresult;
            /// OpenGL Interoperability (deprecated), in drivers since CUDA 7.0.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context. [`cuGLMapBufferObjectAsync_v2`](fn@crate::cuGLMapBufferObjectAsync_v2) with the calling thread's own default stream for the null stream. With the feature `gl`.
            [CUDA_GL_DEPRECATED since 7000] fn cuGLMapBufferObjectAsync_v2_ptsz(dptr: *mut CUdeviceptr, size: *mut usize, buffer: GLuint, hStream: CUstream) -> CUresult;
            /// OpenGL Interoperability (deprecated), in drivers since CUDA 2.3.
            /// Deprecated by NVIDIA; drivers have it all the same. Needs a current context. With the feature `gl`.
            [CUDA_GL_DEPRECATED since 2030] fn cuGLUnmapBufferObjectAsync(buffer: GLuint, hStream: CUstream) -> CUresult;
            /// OpenGL Interoperability (deprecated), in drivers since CUDA 3.2.
            /// Versions: `cuGLMapBufferObject` (2.0, not bound) → **`cuGLMapBufferObject_v2`** (3.2). Deprecated by NVIDIA; drivers have it all the same. Needs a current context. Also as `cuGLMapBufferObject_v2_ptds`, for per-thread default streams. With the feature `gl`.
            [CUDA_GL_DEPRECATED since 3020] fn cuGLMapBufferObject_v2(dptr: *mut CUdeviceptr, size: *mut usize, buffer: GLuint) -> CUresult;
            /// OpenGL Interoperability (deprecated), in drivers since CUDA 3.2.
            /// Versions: `cuGLMapBufferObjectAsync` (2.3, not bound) → **`cuGLMapBufferObjectAsync_v2`** (3.2). Deprecated by NVIDIA; drivers have it all the same. Needs a current context. Also as `cuGLMapBufferObjectAsync_v2_ptsz`, for per-thread default streams. With the feature `gl`.
            [CUDA_GL_DEPRECATED since 3020] fn cuGLMapBufferObjectAsync_v2(dptr: *mut CUdeviceptr, size: *mut usize, buffer: GLuint, hStream: CUstream) -> CUresult;
            /// OpenGL Interoperability, in drivers since CUDA 2.2. In Windows drivers only.
            /// Needs no context. With the feature `gl`.
            [CUDA_GL since 2020] fn cuWGLGetDevice(pDevice: *mut CUdevice, hGpu: HGPUNV) -> CUresult;
        }
    };
}

/// Calls the given macro with every function of `cudaEGL.h`, 12 of them, in one list,
/// written as [`for_each_function`](crate::for_each_function) has them.
#[macro_export]
macro_rules! for_each_egl_function {
    ($($callback:tt)+) => {
        $($callback)+! {
            /// EGL Interoperability, in drivers since CUDA 7.0.
            /// Needs a current context. With the feature `egl`.
            [CUDA_EGL since 7000] fn cuGraphicsEGLRegisterImage(pCudaResource: *mut CUgraphicsResource, image: EGLImageKHR, flags: c_uint) -> CUresult;
            /// EGL Interoperability, in drivers since CUDA 7.0.
            /// Needs a current context. With the feature `egl`.
            [CUDA_EGL since 7000] fn cuEGLStreamConsumerConnect(conn: *mut CUeglStreamConnection, stream: EGLStreamKHR) -> CUresult;
            /// EGL Interoperability, in drivers since CUDA 8.0.
            /// Needs a current context. With the feature `egl`.
            [CUDA_EGL since 8000] fn cuEGLStreamConsumerConnectWithFlags(conn: *mut CUeglStreamConnection, stream: EGLStreamKHR, flags: c_uint) -> CUresult;
            /// EGL Interoperability, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. With the feature `egl`.
            [CUDA_EGL since 7000] fn cuEGLStreamConsumerDisconnect(conn: *mut CUeglStreamConnection) -> CUresult;
            /// EGL Interoperability, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. With the feature `egl`.
            [CUDA_EGL since 7000] fn cuEGLStreamConsumerAcquireFrame(conn: *mut CUeglStreamConnection, pCudaResource: *mut CUgraphicsResource, pStream: *mut CUstream, timeout: c_uint) -> CUresult;
            /// EGL Interoperability, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. With the feature `egl`.
            [CUDA_EGL since 7000] fn cuEGLStreamConsumerReleaseFrame(conn: *mut CUeglStreamConnection, pCudaResource: CUgraphicsResource, pStream: *mut CUstream) -> CUresult;
            /// EGL Interoperability, in drivers since CUDA 7.0.
            /// Needs a current context. With the feature `egl`.
            [CUDA_EGL since 7000] fn cuEGLStreamProducerConnect(conn: *mut CUeglStreamConnection, stream: EGLStreamKHR, width: EGLint, height: EGLint) -> CUresult;
            /// EGL Interoperability, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. With the feature `egl`.
            [CUDA_EGL since 7000] fn cuEGLStreamProducerDisconnect(conn: *mut CUeglStreamConnection) -> CUresult;
            /// EGL Interoperability, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. With the feature `egl`.
            [CUDA_EGL since 7000] fn cuEGLStreamProducerPresentFrame(conn: *mut CUeglStreamConnection, eglframe: CUeglFrame, pStream: *mut CUstream) -> CUresult;
            /// EGL Interoperability, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. With the feature `egl`.
            [CUDA_EGL since 7000] fn cuEGLStreamProducerReturnFrame(conn: *mut CUeglStreamConnection, eglframe: *mut CUeglFrame, pStream: *mut CUstream) -> CUresult;
            /// EGL Interoperability, in drivers since CUDA 7.0.
            /// Needs no current context: its arguments name what it works on. With the feature `egl`.
            [CUDA_EGL since 7000] fn cuGraphicsResourceGetMappedEglFrame(eglFrame: *mut CUeglFrame, resource: CUgraphicsResource, index: c_uint, mipLevel: c_uint) -> CUresult;
            /// EGL Interoperability, in drivers since CUDA 9.0. In those for Linux on aarch64 only.
            /// Needs a current context. With the feature `egl`.
            [CUDA_EGL since 9000] fn cuEventCreateFromEGLSync(phEvent: *mut CUevent, eglSync: EGLSyncKHR, flags: c_uint) -> CUresult;
        }
    };
}

/// Calls the given macro with every function of `cudaVDPAU.h`, 4 of them, in one list,
/// written as [`for_each_function`](crate::for_each_function) has them.
#[macro_export]
macro_rules! for_each_vdpau_function {
    ($($callback:tt)+) => {
        $($callback)+! {
            /// VDPAU Interoperability, in drivers since CUDA 3.1.
            /// Needs no context. With the feature `vdpau`.
            [CUDA_VDPAU since 3010] fn cuVDPAUGetDevice(pDevice: *mut CUdevice, vdpDevice: VdpDevice, vdpGetProcAddress: VdpGetProcAddress) -> CUresult;
            /// VDPAU Interoperability, in drivers since CUDA 3.2.
            /// Versions: `cuVDPAUCtxCreate` (3.1, not bound) → **`cuVDPAUCtxCreate_v2`** (3.2). Needs no context. With the feature `vdpau`.
            [CUDA_VDPAU since 3020] fn cuVDPAUCtxCreate_v2(pCtx: *mut CUcontext, flags: c_uint, device: CUdevice, vdpDevice: VdpDevice, vdpGetProcAddress: VdpGetProcAddress) -> CUresult;
            /// VDPAU Interoperability, in drivers since CUDA 3.1.
            /// Needs a current context. With the feature `vdpau`.
            [CUDA_VDPAU since 3010] fn cuGraphicsVDPAURegisterVideoSurface(pCudaResource: *mut CUgraphicsResource, vdpSurface: VdpVideoSurface, flags: c_uint) -> CUresult;
            /// VDPAU Interoperability, in drivers since CUDA 3.1.
            /// Needs a current context. With the feature `vdpau`.
            [CUDA_VDPAU since 3010] fn cuGraphicsVDPAURegisterOutputSurface(pCudaResource: *mut CUgraphicsResource, vdpSurface: VdpOutputSurface, flags: c_uint) -> CUresult;
        }
    };
}
