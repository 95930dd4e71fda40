// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

use super::types::*;
use crate::CUoutput_mode;
use crate::load::call;
use core::ffi::*;

/// Error Handling, in drivers since CUDA 6.0.
///
/// [CUDA_ERROR](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__ERROR.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGetErrorString(error: CUresult, pStr: *mut *const c_char) -> CUresult {
    call!(driver.cuGetErrorString(error, pStr))
}

/// Error Handling, in drivers since CUDA 6.0.
///
/// [CUDA_ERROR](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__ERROR.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGetErrorName(error: CUresult, pStr: *mut *const c_char) -> CUresult {
    call!(driver.cuGetErrorName(error, pStr))
}

/// Initialization, in drivers since CUDA 2.0.
///
/// [CUDA_INITIALIZE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__INITIALIZE.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuInit(Flags: c_uint) -> CUresult {
    call!(driver.cuInit(Flags))
}

/// Version Management, in drivers since CUDA 2.2.
///
/// [CUDA_VERSION](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VERSION.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDriverGetVersion(driverVersion: *mut c_int) -> CUresult {
    call!(driver.cuDriverGetVersion(driverVersion))
}

/// Device Management, in drivers since CUDA 2.0.
///
/// [CUDA_DEVICE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGet(device: *mut CUdevice, ordinal: c_int) -> CUresult {
    call!(driver.cuDeviceGet(device, ordinal))
}

/// Device Management, in drivers since CUDA 2.0.
///
/// [CUDA_DEVICE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetCount(count: *mut c_int) -> CUresult {
    call!(driver.cuDeviceGetCount(count))
}

/// Device Management, in drivers since CUDA 2.0.
///
/// [CUDA_DEVICE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetName(name: *mut c_char, len: c_int, dev: CUdevice) -> CUresult {
    call!(driver.cuDeviceGetName(name, len, dev))
}

/// Device Management, in drivers since CUDA 11.4.
///
/// [CUDA_DEVICE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html) in NVIDIA's documentation.
///
/// Versions: [`cuDeviceGetUuid`](fn@crate::cuDeviceGetUuid) (9.2) → **`cuDeviceGetUuid_v2`** (11.4)
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetUuid_v2(uuid: *mut CUuuid, dev: CUdevice) -> CUresult {
    call!(driver.cuDeviceGetUuid_v2(uuid, dev))
}

/// Device Management, in drivers since CUDA 10.0. Under Linux since CUDA 11.2.
///
/// [CUDA_DEVICE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetLuid(luid: *mut c_char, deviceNodeMask: *mut c_uint, dev: CUdevice) -> CUresult {
    call!(driver.cuDeviceGetLuid(luid, deviceNodeMask, dev))
}

/// Device Management, in drivers since CUDA 3.2.
///
/// [CUDA_DEVICE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html) in NVIDIA's documentation.
///
/// Versions: `cuDeviceTotalMem` (2.0, not bound) → **`cuDeviceTotalMem_v2`** (3.2)
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuDeviceTotalMem")]
#[inline]
pub unsafe fn cuDeviceTotalMem_v2(bytes: *mut usize, dev: CUdevice) -> CUresult {
    call!(driver.cuDeviceTotalMem_v2(bytes, dev))
}

/// Device Management, in drivers since CUDA 11.1.
///
/// [CUDA_DEVICE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetTexture1DLinearMaxWidth(
    maxWidthInElements: *mut usize,
    format: CUarray_format,
    numChannels: c_uint,
    dev: CUdevice,
) -> CUresult {
    call!(driver.cuDeviceGetTexture1DLinearMaxWidth(maxWidthInElements, format, numChannels, dev))
}

/// Device Management, in drivers since CUDA 2.0.
///
/// [CUDA_DEVICE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetAttribute(pi: *mut c_int, attrib: CUdevice_attribute, dev: CUdevice) -> CUresult {
    call!(driver.cuDeviceGetAttribute(pi, attrib, dev))
}

/// Device Management, in drivers since CUDA 13.0.
///
/// [CUDA_DEVICE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetHostAtomicCapabilities(
    capabilities: *mut c_uint,
    operations: *const CUatomicOperation,
    count: c_uint,
    dev: CUdevice,
) -> CUresult {
    call!(driver.cuDeviceGetHostAtomicCapabilities(capabilities, operations, count, dev))
}

/// Device Management, in drivers since CUDA 10.2.
///
/// [CUDA_DEVICE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetNvSciSyncAttributes(
    nvSciSyncAttrList: *mut c_void,
    dev: CUdevice,
    flags: c_int,
) -> CUresult {
    call!(driver.cuDeviceGetNvSciSyncAttributes(nvSciSyncAttrList, dev, flags))
}

/// Device Management, in drivers since CUDA 11.2.
///
/// [CUDA_DEVICE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceSetMemPool(dev: CUdevice, pool: CUmemoryPool) -> CUresult {
    call!(driver.cuDeviceSetMemPool(dev, pool))
}

/// Device Management, in drivers since CUDA 11.2.
///
/// [CUDA_DEVICE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetMemPool(pool: *mut CUmemoryPool, dev: CUdevice) -> CUresult {
    call!(driver.cuDeviceGetMemPool(pool, dev))
}

/// Device Management, in drivers since CUDA 11.2.
///
/// [CUDA_DEVICE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetDefaultMemPool(pool_out: *mut CUmemoryPool, dev: CUdevice) -> CUresult {
    call!(driver.cuDeviceGetDefaultMemPool(pool_out, dev))
}

/// Device Management, in drivers since CUDA 11.4.
///
/// [CUDA_DEVICE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetExecAffinitySupport(
    pi: *mut c_int,
    type_: CUexecAffinityType,
    dev: CUdevice,
) -> CUresult {
    call!(driver.cuDeviceGetExecAffinitySupport(pi, type_, dev))
}

/// Device Management, in drivers since CUDA 11.3.
///
/// [CUDA_DEVICE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuFlushGPUDirectRDMAWrites(
    target: CUflushGPUDirectRDMAWritesTarget,
    scope: CUflushGPUDirectRDMAWritesScope,
) -> CUresult {
    call!(driver.cuFlushGPUDirectRDMAWrites(target, scope))
}

/// Device Management (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_DEVICE_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetProperties(prop: *mut CUdevprop, dev: CUdevice) -> CUresult {
    call!(driver.cuDeviceGetProperties(prop, dev))
}

/// Device Management (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_DEVICE_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceComputeCapability(major: *mut c_int, minor: *mut c_int, dev: CUdevice) -> CUresult {
    call!(driver.cuDeviceComputeCapability(major, minor, dev))
}

/// Primary Context Management, in drivers since CUDA 7.0.
///
/// [CUDA_PRIMARY_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PRIMARY__CTX.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDevicePrimaryCtxRetain(pctx: *mut CUcontext, dev: CUdevice) -> CUresult {
    call!(driver.cuDevicePrimaryCtxRetain(pctx, dev))
}

/// Primary Context Management, in drivers since CUDA 11.0.
///
/// [CUDA_PRIMARY_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PRIMARY__CTX.html) in NVIDIA's documentation.
///
/// Versions: `cuDevicePrimaryCtxRelease` (7.0, not bound) → **`cuDevicePrimaryCtxRelease_v2`** (11.0)
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuDevicePrimaryCtxRelease")]
#[inline]
pub unsafe fn cuDevicePrimaryCtxRelease_v2(dev: CUdevice) -> CUresult {
    call!(driver.cuDevicePrimaryCtxRelease_v2(dev))
}

/// Primary Context Management, in drivers since CUDA 11.0.
///
/// [CUDA_PRIMARY_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PRIMARY__CTX.html) in NVIDIA's documentation.
///
/// Versions: `cuDevicePrimaryCtxSetFlags` (7.0, not bound) → **`cuDevicePrimaryCtxSetFlags_v2`** (11.0)
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuDevicePrimaryCtxSetFlags")]
#[inline]
pub unsafe fn cuDevicePrimaryCtxSetFlags_v2(dev: CUdevice, flags: c_uint) -> CUresult {
    call!(driver.cuDevicePrimaryCtxSetFlags_v2(dev, flags))
}

/// Primary Context Management, in drivers since CUDA 7.0.
///
/// [CUDA_PRIMARY_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PRIMARY__CTX.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDevicePrimaryCtxGetState(dev: CUdevice, flags: *mut c_uint, active: *mut c_int) -> CUresult {
    call!(driver.cuDevicePrimaryCtxGetState(dev, flags, active))
}

/// Primary Context Management, in drivers since CUDA 11.0.
///
/// [CUDA_PRIMARY_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PRIMARY__CTX.html) in NVIDIA's documentation.
///
/// Versions: `cuDevicePrimaryCtxReset` (7.0, not bound) → **`cuDevicePrimaryCtxReset_v2`** (11.0)
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuDevicePrimaryCtxReset")]
#[inline]
pub unsafe fn cuDevicePrimaryCtxReset_v2(dev: CUdevice) -> CUresult {
    call!(driver.cuDevicePrimaryCtxReset_v2(dev))
}

/// Context Management, in drivers since CUDA 12.5.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Versions: `cuCtxCreate` (2.0, not bound) → [`cuCtxCreate_v2`](fn@crate::cuCtxCreate_v2) (3.2) → [`cuCtxCreate_v3`](fn@crate::cuCtxCreate_v3) (11.4) → **`cuCtxCreate_v4`** (12.5)
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxCreate_v4(
    pctx: *mut CUcontext,
    ctxCreateParams: *mut CUctxCreateParams,
    flags: c_uint,
    dev: CUdevice,
) -> CUresult {
    call!(driver.cuCtxCreate_v4(pctx, ctxCreateParams, flags, dev))
}

/// Context Management, in drivers since CUDA 4.0.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Versions: `cuCtxDestroy` (2.0, not bound) → **`cuCtxDestroy_v2`** (4.0)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuCtxDestroy")]
#[inline]
pub unsafe fn cuCtxDestroy_v2(ctx: CUcontext) -> CUresult {
    call!(driver.cuCtxDestroy_v2(ctx))
}

/// Context Management, in drivers since CUDA 4.0.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Versions: `cuCtxPushCurrent` (2.0, not bound) → **`cuCtxPushCurrent_v2`** (4.0)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuCtxPushCurrent")]
#[inline]
pub unsafe fn cuCtxPushCurrent_v2(ctx: CUcontext) -> CUresult {
    call!(driver.cuCtxPushCurrent_v2(ctx))
}

/// Context Management, in drivers since CUDA 4.0.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Versions: `cuCtxPopCurrent` (2.0, not bound) → **`cuCtxPopCurrent_v2`** (4.0)
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuCtxPopCurrent")]
#[inline]
pub unsafe fn cuCtxPopCurrent_v2(pctx: *mut CUcontext) -> CUresult {
    call!(driver.cuCtxPopCurrent_v2(pctx))
}

/// Context Management, in drivers since CUDA 4.0.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxSetCurrent(ctx: CUcontext) -> CUresult {
    call!(driver.cuCtxSetCurrent(ctx))
}

/// Context Management, in drivers since CUDA 4.0.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxGetCurrent(pctx: *mut CUcontext) -> CUresult {
    call!(driver.cuCtxGetCurrent(pctx))
}

/// Context Management, in drivers since CUDA 2.0.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Versions: **`cuCtxGetDevice`** (2.0) → [`cuCtxGetDevice_v2`](fn@crate::cuCtxGetDevice_v2) (13.0)
///
/// Superseded: in C programs `cuCtxGetDevice` stands for `cuCtxGetDevice_v2`.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxGetDevice(device: *mut CUdevice) -> CUresult {
    call!(driver.cuCtxGetDevice(device))
}

/// Context Management, in drivers since CUDA 13.0.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Versions: [`cuCtxGetDevice`](fn@crate::cuCtxGetDevice) (2.0) → **`cuCtxGetDevice_v2`** (13.0)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxGetDevice_v2(device: *mut CUdevice, ctx: CUcontext) -> CUresult {
    call!(driver.cuCtxGetDevice_v2(device, ctx))
}

/// Context Management, in drivers since CUDA 7.0.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxGetFlags(flags: *mut c_uint) -> CUresult {
    call!(driver.cuCtxGetFlags(flags))
}

/// Context Management, in drivers since CUDA 12.1.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxSetFlags(flags: c_uint) -> CUresult {
    call!(driver.cuCtxSetFlags(flags))
}

/// Context Management, in drivers since CUDA 12.0.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxGetId(ctx: CUcontext, ctxId: *mut c_ulonglong) -> CUresult {
    call!(driver.cuCtxGetId(ctx, ctxId))
}

/// Context Management, in drivers since CUDA 2.0.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Versions: **`cuCtxSynchronize`** (2.0) → [`cuCtxSynchronize_v2`](fn@crate::cuCtxSynchronize_v2) (13.0)
///
/// Superseded: in C programs `cuCtxSynchronize` stands for `cuCtxSynchronize_v2`.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxSynchronize() -> CUresult {
    call!(driver.cuCtxSynchronize())
}

/// Context Management, in drivers since CUDA 13.0.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Versions: [`cuCtxSynchronize`](fn@crate::cuCtxSynchronize) (2.0) → **`cuCtxSynchronize_v2`** (13.0)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxSynchronize_v2(ctx: CUcontext) -> CUresult {
    call!(driver.cuCtxSynchronize_v2(ctx))
}

/// Context Management, in drivers since CUDA 3.1.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxSetLimit(limit: CUlimit, value: usize) -> CUresult {
    call!(driver.cuCtxSetLimit(limit, value))
}

/// Context Management, in drivers since CUDA 3.1.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxGetLimit(pvalue: *mut usize, limit: CUlimit) -> CUresult {
    call!(driver.cuCtxGetLimit(pvalue, limit))
}

/// Context Management, in drivers since CUDA 3.2.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxGetCacheConfig(pconfig: *mut CUfunc_cache) -> CUresult {
    call!(driver.cuCtxGetCacheConfig(pconfig))
}

/// Context Management, in drivers since CUDA 3.2.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxSetCacheConfig(config: CUfunc_cache) -> CUresult {
    call!(driver.cuCtxSetCacheConfig(config))
}

/// Context Management, in drivers since CUDA 3.2.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxGetApiVersion(ctx: CUcontext, version: *mut c_uint) -> CUresult {
    call!(driver.cuCtxGetApiVersion(ctx, version))
}

/// Context Management, in drivers since CUDA 5.5.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxGetStreamPriorityRange(
    leastPriority: *mut c_int,
    greatestPriority: *mut c_int,
) -> CUresult {
    call!(driver.cuCtxGetStreamPriorityRange(leastPriority, greatestPriority))
}

/// Context Management, in drivers since CUDA 11.0.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxResetPersistingL2Cache() -> CUresult {
    call!(driver.cuCtxResetPersistingL2Cache())
}

/// Context Management, in drivers since CUDA 11.4.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxGetExecAffinity(
    pExecAffinity: *mut CUexecAffinityParam,
    type_: CUexecAffinityType,
) -> CUresult {
    call!(driver.cuCtxGetExecAffinity(pExecAffinity, type_))
}

/// Context Management, in drivers since CUDA 12.5.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxRecordEvent(hCtx: CUcontext, hEvent: CUevent) -> CUresult {
    call!(driver.cuCtxRecordEvent(hCtx, hEvent))
}

/// Context Management, in drivers since CUDA 12.5.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxWaitEvent(hCtx: CUcontext, hEvent: CUevent) -> CUresult {
    call!(driver.cuCtxWaitEvent(hCtx, hEvent))
}

/// Context Management (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_CTX_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxAttach(pctx: *mut CUcontext, flags: c_uint) -> CUresult {
    call!(driver.cuCtxAttach(pctx, flags))
}

/// Context Management (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_CTX_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxDetach(ctx: CUcontext) -> CUresult {
    call!(driver.cuCtxDetach(ctx))
}

/// Context Management (deprecated), in drivers since CUDA 4.2.
///
/// [CUDA_CTX_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxGetSharedMemConfig(pConfig: *mut CUsharedconfig) -> CUresult {
    call!(driver.cuCtxGetSharedMemConfig(pConfig))
}

/// Context Management (deprecated), in drivers since CUDA 4.2.
///
/// [CUDA_CTX_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxSetSharedMemConfig(config: CUsharedconfig) -> CUresult {
    call!(driver.cuCtxSetSharedMemConfig(config))
}

/// Module Management, in drivers since CUDA 2.0.
///
/// [CUDA_MODULE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuModuleLoad(module: *mut CUmodule, fname: *const c_char) -> CUresult {
    call!(driver.cuModuleLoad(module, fname))
}

/// Module Management, in drivers since CUDA 2.0.
///
/// [CUDA_MODULE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuModuleLoadData(module: *mut CUmodule, image: *const c_void) -> CUresult {
    call!(driver.cuModuleLoadData(module, image))
}

/// Module Management, in drivers since CUDA 2.1.
///
/// [CUDA_MODULE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuModuleLoadDataEx(
    module: *mut CUmodule,
    image: *const c_void,
    numOptions: c_uint,
    options: *mut CUjit_option,
    optionValues: *mut *mut c_void,
) -> CUresult {
    call!(driver.cuModuleLoadDataEx(module, image, numOptions, options, optionValues))
}

/// Module Management, in drivers since CUDA 2.0.
///
/// [CUDA_MODULE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuModuleLoadFatBinary(module: *mut CUmodule, fatCubin: *const c_void) -> CUresult {
    call!(driver.cuModuleLoadFatBinary(module, fatCubin))
}

/// Module Management, in drivers since CUDA 2.0.
///
/// [CUDA_MODULE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuModuleUnload(hmod: CUmodule) -> CUresult {
    call!(driver.cuModuleUnload(hmod))
}

/// Module Management, in drivers since CUDA 11.7.
///
/// [CUDA_MODULE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuModuleGetLoadingMode(mode: *mut CUmoduleLoadingMode) -> CUresult {
    call!(driver.cuModuleGetLoadingMode(mode))
}

/// Module Management, in drivers since CUDA 2.0.
///
/// [CUDA_MODULE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuModuleGetFunction(hfunc: *mut CUfunction, hmod: CUmodule, name: *const c_char) -> CUresult {
    call!(driver.cuModuleGetFunction(hfunc, hmod, name))
}

/// Module Management, in drivers since CUDA 12.4.
///
/// [CUDA_MODULE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuModuleGetFunctionCount(count: *mut c_uint, mod_: CUmodule) -> CUresult {
    call!(driver.cuModuleGetFunctionCount(count, mod_))
}

/// Module Management, in drivers since CUDA 12.4.
///
/// [CUDA_MODULE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuModuleEnumerateFunctions(
    functions: *mut CUfunction,
    numFunctions: c_uint,
    mod_: CUmodule,
) -> CUresult {
    call!(driver.cuModuleEnumerateFunctions(functions, numFunctions, mod_))
}

/// Module Management, in drivers since CUDA 3.2.
///
/// [CUDA_MODULE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html) in NVIDIA's documentation.
///
/// Versions: `cuModuleGetGlobal` (2.0, not bound) → **`cuModuleGetGlobal_v2`** (3.2)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuModuleGetGlobal")]
#[inline]
pub unsafe fn cuModuleGetGlobal_v2(
    dptr: *mut CUdeviceptr,
    bytes: *mut usize,
    hmod: CUmodule,
    name: *const c_char,
) -> CUresult {
    call!(driver.cuModuleGetGlobal_v2(dptr, bytes, hmod, name))
}

/// Module Management, in drivers since CUDA 6.5.
///
/// [CUDA_MODULE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html) in NVIDIA's documentation.
///
/// Versions: `cuLinkCreate` (5.5, not bound) → **`cuLinkCreate_v2`** (6.5)
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuLinkCreate")]
#[inline]
pub unsafe fn cuLinkCreate_v2(
    numOptions: c_uint,
    options: *mut CUjit_option,
    optionValues: *mut *mut c_void,
    stateOut: *mut CUlinkState,
) -> CUresult {
    call!(driver.cuLinkCreate_v2(numOptions, options, optionValues, stateOut))
}

/// Module Management, in drivers since CUDA 6.5.
///
/// [CUDA_MODULE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html) in NVIDIA's documentation.
///
/// Versions: `cuLinkAddData` (5.5, not bound) → **`cuLinkAddData_v2`** (6.5)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuLinkAddData")]
#[inline]
pub unsafe fn cuLinkAddData_v2(
    state: CUlinkState,
    type_: CUjitInputType,
    data: *mut c_void,
    size: usize,
    name: *const c_char,
    numOptions: c_uint,
    options: *mut CUjit_option,
    optionValues: *mut *mut c_void,
) -> CUresult {
    call!(driver.cuLinkAddData_v2(state, type_, data, size, name, numOptions, options, optionValues))
}

/// Module Management, in drivers since CUDA 6.5.
///
/// [CUDA_MODULE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html) in NVIDIA's documentation.
///
/// Versions: `cuLinkAddFile` (5.5, not bound) → **`cuLinkAddFile_v2`** (6.5)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuLinkAddFile")]
#[inline]
pub unsafe fn cuLinkAddFile_v2(
    state: CUlinkState,
    type_: CUjitInputType,
    path: *const c_char,
    numOptions: c_uint,
    options: *mut CUjit_option,
    optionValues: *mut *mut c_void,
) -> CUresult {
    call!(driver.cuLinkAddFile_v2(state, type_, path, numOptions, options, optionValues))
}

/// Module Management, in drivers since CUDA 5.5.
///
/// [CUDA_MODULE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLinkComplete(
    state: CUlinkState,
    cubinOut: *mut *mut c_void,
    sizeOut: *mut usize,
) -> CUresult {
    call!(driver.cuLinkComplete(state, cubinOut, sizeOut))
}

/// Module Management, in drivers since CUDA 5.5.
///
/// [CUDA_MODULE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLinkDestroy(state: CUlinkState) -> CUresult {
    call!(driver.cuLinkDestroy(state))
}

/// Module Management (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_MODULE_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuModuleGetTexRef(pTexRef: *mut CUtexref, hmod: CUmodule, name: *const c_char) -> CUresult {
    call!(driver.cuModuleGetTexRef(pTexRef, hmod, name))
}

/// Module Management (deprecated), in drivers since CUDA 3.0.
///
/// [CUDA_MODULE_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuModuleGetSurfRef(pSurfRef: *mut CUsurfref, hmod: CUmodule, name: *const c_char) -> CUresult {
    call!(driver.cuModuleGetSurfRef(pSurfRef, hmod, name))
}

/// Library Management, in drivers since CUDA 12.0.
///
/// [CUDA_LIBRARY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLibraryLoadData(
    library: *mut CUlibrary,
    code: *const c_void,
    jitOptions: *mut CUjit_option,
    jitOptionsValues: *mut *mut c_void,
    numJitOptions: c_uint,
    libraryOptions: *mut CUlibraryOption,
    libraryOptionValues: *mut *mut c_void,
    numLibraryOptions: c_uint,
) -> CUresult {
    call!(driver.cuLibraryLoadData(
        library,
        code,
        jitOptions,
        jitOptionsValues,
        numJitOptions,
        libraryOptions,
        libraryOptionValues,
        numLibraryOptions
    ))
}

/// Library Management, in drivers since CUDA 12.0.
///
/// [CUDA_LIBRARY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLibraryLoadFromFile(
    library: *mut CUlibrary,
    fileName: *const c_char,
    jitOptions: *mut CUjit_option,
    jitOptionsValues: *mut *mut c_void,
    numJitOptions: c_uint,
    libraryOptions: *mut CUlibraryOption,
    libraryOptionValues: *mut *mut c_void,
    numLibraryOptions: c_uint,
) -> CUresult {
    call!(driver.cuLibraryLoadFromFile(
        library,
        fileName,
        jitOptions,
        jitOptionsValues,
        numJitOptions,
        libraryOptions,
        libraryOptionValues,
        numLibraryOptions
    ))
}

/// Library Management, in drivers since CUDA 12.0.
///
/// [CUDA_LIBRARY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLibraryUnload(library: CUlibrary) -> CUresult {
    call!(driver.cuLibraryUnload(library))
}

/// Library Management, in drivers since CUDA 12.0.
///
/// [CUDA_LIBRARY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLibraryGetKernel(
    pKernel: *mut CUkernel,
    library: CUlibrary,
    name: *const c_char,
) -> CUresult {
    call!(driver.cuLibraryGetKernel(pKernel, library, name))
}

/// Library Management, in drivers since CUDA 12.4.
///
/// [CUDA_LIBRARY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLibraryGetKernelCount(count: *mut c_uint, lib: CUlibrary) -> CUresult {
    call!(driver.cuLibraryGetKernelCount(count, lib))
}

/// Library Management, in drivers since CUDA 12.4.
///
/// [CUDA_LIBRARY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLibraryEnumerateKernels(
    kernels: *mut CUkernel,
    numKernels: c_uint,
    lib: CUlibrary,
) -> CUresult {
    call!(driver.cuLibraryEnumerateKernels(kernels, numKernels, lib))
}

/// Library Management, in drivers since CUDA 12.0.
///
/// [CUDA_LIBRARY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLibraryGetModule(pMod: *mut CUmodule, library: CUlibrary) -> CUresult {
    call!(driver.cuLibraryGetModule(pMod, library))
}

/// Library Management, in drivers since CUDA 12.0.
///
/// [CUDA_LIBRARY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuKernelGetFunction(pFunc: *mut CUfunction, kernel: CUkernel) -> CUresult {
    call!(driver.cuKernelGetFunction(pFunc, kernel))
}

/// Library Management, in drivers since CUDA 12.5.
///
/// [CUDA_LIBRARY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuKernelGetLibrary(pLib: *mut CUlibrary, kernel: CUkernel) -> CUresult {
    call!(driver.cuKernelGetLibrary(pLib, kernel))
}

/// Library Management, in drivers since CUDA 12.0.
///
/// [CUDA_LIBRARY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLibraryGetGlobal(
    dptr: *mut CUdeviceptr,
    bytes: *mut usize,
    library: CUlibrary,
    name: *const c_char,
) -> CUresult {
    call!(driver.cuLibraryGetGlobal(dptr, bytes, library, name))
}

/// Library Management, in drivers since CUDA 12.0.
///
/// [CUDA_LIBRARY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLibraryGetManaged(
    dptr: *mut CUdeviceptr,
    bytes: *mut usize,
    library: CUlibrary,
    name: *const c_char,
) -> CUresult {
    call!(driver.cuLibraryGetManaged(dptr, bytes, library, name))
}

/// Library Management, in drivers since CUDA 12.0.
///
/// [CUDA_LIBRARY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLibraryGetUnifiedFunction(
    fptr: *mut *mut c_void,
    library: CUlibrary,
    symbol: *const c_char,
) -> CUresult {
    call!(driver.cuLibraryGetUnifiedFunction(fptr, library, symbol))
}

/// Library Management, in drivers since CUDA 12.0.
///
/// [CUDA_LIBRARY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuKernelGetAttribute(
    pi: *mut c_int,
    attrib: CUfunction_attribute,
    kernel: CUkernel,
    dev: CUdevice,
) -> CUresult {
    call!(driver.cuKernelGetAttribute(pi, attrib, kernel, dev))
}

/// Library Management, in drivers since CUDA 12.0.
///
/// [CUDA_LIBRARY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuKernelSetAttribute(
    attrib: CUfunction_attribute,
    val: c_int,
    kernel: CUkernel,
    dev: CUdevice,
) -> CUresult {
    call!(driver.cuKernelSetAttribute(attrib, val, kernel, dev))
}

/// Library Management, in drivers since CUDA 12.0.
///
/// [CUDA_LIBRARY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuKernelSetCacheConfig(kernel: CUkernel, config: CUfunc_cache, dev: CUdevice) -> CUresult {
    call!(driver.cuKernelSetCacheConfig(kernel, config, dev))
}

/// Library Management, in drivers since CUDA 12.3.
///
/// [CUDA_LIBRARY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuKernelGetName(name: *mut *const c_char, hfunc: CUkernel) -> CUresult {
    call!(driver.cuKernelGetName(name, hfunc))
}

/// Library Management, in drivers since CUDA 12.4.
///
/// [CUDA_LIBRARY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuKernelGetParamInfo(
    kernel: CUkernel,
    paramIndex: usize,
    paramOffset: *mut usize,
    paramSize: *mut usize,
) -> CUresult {
    call!(driver.cuKernelGetParamInfo(kernel, paramIndex, paramOffset, paramSize))
}

/// Library Management, in drivers since CUDA 13.2.
///
/// [CUDA_LIBRARY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuKernelGetParamCount(kernel: CUkernel, paramCount: *mut usize) -> CUresult {
    call!(driver.cuKernelGetParamCount(kernel, paramCount))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemGetInfo` (2.0, not bound) → **`cuMemGetInfo_v2`** (3.2)
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemGetInfo")]
#[inline]
pub unsafe fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) -> CUresult {
    call!(driver.cuMemGetInfo_v2(free, total))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemAlloc` (2.0, not bound) → **`cuMemAlloc_v2`** (3.2)
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemAlloc")]
#[inline]
pub unsafe fn cuMemAlloc_v2(dptr: *mut CUdeviceptr, bytesize: usize) -> CUresult {
    call!(driver.cuMemAlloc_v2(dptr, bytesize))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemAllocPitch` (2.0, not bound) → **`cuMemAllocPitch_v2`** (3.2)
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemAllocPitch")]
#[inline]
pub unsafe fn cuMemAllocPitch_v2(
    dptr: *mut CUdeviceptr,
    pPitch: *mut usize,
    WidthInBytes: usize,
    Height: usize,
    ElementSizeBytes: c_uint,
) -> CUresult {
    call!(driver.cuMemAllocPitch_v2(dptr, pPitch, WidthInBytes, Height, ElementSizeBytes))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemFree` (2.0, not bound) → **`cuMemFree_v2`** (3.2)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemFree")]
#[inline]
pub unsafe fn cuMemFree_v2(dptr: CUdeviceptr) -> CUresult {
    call!(driver.cuMemFree_v2(dptr))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemGetAddressRange` (2.0, not bound) → **`cuMemGetAddressRange_v2`** (3.2)
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemGetAddressRange")]
#[inline]
pub unsafe fn cuMemGetAddressRange_v2(
    pbase: *mut CUdeviceptr,
    psize: *mut usize,
    dptr: CUdeviceptr,
) -> CUresult {
    call!(driver.cuMemGetAddressRange_v2(pbase, psize, dptr))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemAllocHost` (2.0, not bound) → **`cuMemAllocHost_v2`** (3.2)
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemAllocHost")]
#[inline]
pub unsafe fn cuMemAllocHost_v2(pp: *mut *mut c_void, bytesize: usize) -> CUresult {
    call!(driver.cuMemAllocHost_v2(pp, bytesize))
}

/// Memory Management, in drivers since CUDA 2.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemFreeHost(p: *mut c_void) -> CUresult {
    call!(driver.cuMemFreeHost(p))
}

/// Memory Management, in drivers since CUDA 2.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemHostAlloc(pp: *mut *mut c_void, bytesize: usize, Flags: c_uint) -> CUresult {
    call!(driver.cuMemHostAlloc(pp, bytesize, Flags))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemHostGetDevicePointer` (2.2, not bound) → **`cuMemHostGetDevicePointer_v2`** (3.2)
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemHostGetDevicePointer")]
#[inline]
pub unsafe fn cuMemHostGetDevicePointer_v2(
    pdptr: *mut CUdeviceptr,
    p: *mut c_void,
    Flags: c_uint,
) -> CUresult {
    call!(driver.cuMemHostGetDevicePointer_v2(pdptr, p, Flags))
}

/// Memory Management, in drivers since CUDA 2.3.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemHostGetFlags(pFlags: *mut c_uint, p: *mut c_void) -> CUresult {
    call!(driver.cuMemHostGetFlags(pFlags, p))
}

/// Memory Management, in drivers since CUDA 6.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemAllocManaged(dptr: *mut CUdeviceptr, bytesize: usize, flags: c_uint) -> CUresult {
    call!(driver.cuMemAllocManaged(dptr, bytesize, flags))
}

/// Memory Management, in drivers since CUDA 12.4.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceRegisterAsyncNotification(
    device: CUdevice,
    callbackFunc: CUasyncCallback,
    userData: *mut c_void,
    callback: *mut CUasyncCallbackHandle,
) -> CUresult {
    call!(driver.cuDeviceRegisterAsyncNotification(device, callbackFunc, userData, callback))
}

/// Memory Management, in drivers since CUDA 12.4.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceUnregisterAsyncNotification(
    device: CUdevice,
    callback: CUasyncCallbackHandle,
) -> CUresult {
    call!(driver.cuDeviceUnregisterAsyncNotification(device, callback))
}

/// Memory Management, in drivers since CUDA 4.1.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetByPCIBusId(dev: *mut CUdevice, pciBusId: *const c_char) -> CUresult {
    call!(driver.cuDeviceGetByPCIBusId(dev, pciBusId))
}

/// Memory Management, in drivers since CUDA 4.1.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetPCIBusId(pciBusId: *mut c_char, len: c_int, dev: CUdevice) -> CUresult {
    call!(driver.cuDeviceGetPCIBusId(pciBusId, len, dev))
}

/// Memory Management, in drivers since CUDA 4.1.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuIpcGetEventHandle(pHandle: *mut CUipcEventHandle, event: CUevent) -> CUresult {
    call!(driver.cuIpcGetEventHandle(pHandle, event))
}

/// Memory Management, in drivers since CUDA 4.1.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuIpcOpenEventHandle(phEvent: *mut CUevent, handle: CUipcEventHandle) -> CUresult {
    call!(driver.cuIpcOpenEventHandle(phEvent, handle))
}

/// Memory Management, in drivers since CUDA 4.1.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuIpcGetMemHandle(pHandle: *mut CUipcMemHandle, dptr: CUdeviceptr) -> CUresult {
    call!(driver.cuIpcGetMemHandle(pHandle, dptr))
}

/// Memory Management, in drivers since CUDA 11.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuIpcOpenMemHandle` (4.1, not bound) → **`cuIpcOpenMemHandle_v2`** (11.0)
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuIpcOpenMemHandle")]
#[inline]
pub unsafe fn cuIpcOpenMemHandle_v2(
    pdptr: *mut CUdeviceptr,
    handle: CUipcMemHandle,
    Flags: c_uint,
) -> CUresult {
    call!(driver.cuIpcOpenMemHandle_v2(pdptr, handle, Flags))
}

/// Memory Management, in drivers since CUDA 4.1.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuIpcCloseMemHandle(dptr: CUdeviceptr) -> CUresult {
    call!(driver.cuIpcCloseMemHandle(dptr))
}

/// Memory Management, in drivers since CUDA 6.5.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemHostRegister` (4.0, not bound) → **`cuMemHostRegister_v2`** (6.5)
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemHostRegister")]
#[inline]
pub unsafe fn cuMemHostRegister_v2(p: *mut c_void, bytesize: usize, Flags: c_uint) -> CUresult {
    call!(driver.cuMemHostRegister_v2(p, bytesize, Flags))
}

/// Memory Management, in drivers since CUDA 4.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemHostUnregister(p: *mut c_void) -> CUresult {
    call!(driver.cuMemHostUnregister(p))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuArrayCreate` (2.0, not bound) → **`cuArrayCreate_v2`** (3.2)
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuArrayCreate")]
#[inline]
pub unsafe fn cuArrayCreate_v2(
    pHandle: *mut CUarray,
    pAllocateArray: *const CUDA_ARRAY_DESCRIPTOR,
) -> CUresult {
    call!(driver.cuArrayCreate_v2(pHandle, pAllocateArray))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuArrayGetDescriptor` (2.0, not bound) → **`cuArrayGetDescriptor_v2`** (3.2)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuArrayGetDescriptor")]
#[inline]
pub unsafe fn cuArrayGetDescriptor_v2(
    pArrayDescriptor: *mut CUDA_ARRAY_DESCRIPTOR,
    hArray: CUarray,
) -> CUresult {
    call!(driver.cuArrayGetDescriptor_v2(pArrayDescriptor, hArray))
}

/// Memory Management, in drivers since CUDA 11.1.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuArrayGetSparseProperties(
    sparseProperties: *mut CUDA_ARRAY_SPARSE_PROPERTIES,
    array: CUarray,
) -> CUresult {
    call!(driver.cuArrayGetSparseProperties(sparseProperties, array))
}

/// Memory Management, in drivers since CUDA 11.1.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMipmappedArrayGetSparseProperties(
    sparseProperties: *mut CUDA_ARRAY_SPARSE_PROPERTIES,
    mipmap: CUmipmappedArray,
) -> CUresult {
    call!(driver.cuMipmappedArrayGetSparseProperties(sparseProperties, mipmap))
}

/// Memory Management, in drivers since CUDA 11.6.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuArrayGetMemoryRequirements(
    memoryRequirements: *mut CUDA_ARRAY_MEMORY_REQUIREMENTS,
    array: CUarray,
    device: CUdevice,
) -> CUresult {
    call!(driver.cuArrayGetMemoryRequirements(memoryRequirements, array, device))
}

/// Memory Management, in drivers since CUDA 11.6.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMipmappedArrayGetMemoryRequirements(
    memoryRequirements: *mut CUDA_ARRAY_MEMORY_REQUIREMENTS,
    mipmap: CUmipmappedArray,
    device: CUdevice,
) -> CUresult {
    call!(driver.cuMipmappedArrayGetMemoryRequirements(memoryRequirements, mipmap, device))
}

/// Memory Management, in drivers since CUDA 11.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuArrayGetPlane(pPlaneArray: *mut CUarray, hArray: CUarray, planeIdx: c_uint) -> CUresult {
    call!(driver.cuArrayGetPlane(pPlaneArray, hArray, planeIdx))
}

/// Memory Management, in drivers since CUDA 2.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuArrayDestroy(hArray: CUarray) -> CUresult {
    call!(driver.cuArrayDestroy(hArray))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuArray3DCreate` (2.0, not bound) → **`cuArray3DCreate_v2`** (3.2)
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuArray3DCreate")]
#[inline]
pub unsafe fn cuArray3DCreate_v2(
    pHandle: *mut CUarray,
    pAllocateArray: *const CUDA_ARRAY3D_DESCRIPTOR,
) -> CUresult {
    call!(driver.cuArray3DCreate_v2(pHandle, pAllocateArray))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuArray3DGetDescriptor` (2.0, not bound) → **`cuArray3DGetDescriptor_v2`** (3.2)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuArray3DGetDescriptor")]
#[inline]
pub unsafe fn cuArray3DGetDescriptor_v2(
    pArrayDescriptor: *mut CUDA_ARRAY3D_DESCRIPTOR,
    hArray: CUarray,
) -> CUresult {
    call!(driver.cuArray3DGetDescriptor_v2(pArrayDescriptor, hArray))
}

/// Memory Management, in drivers since CUDA 5.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMipmappedArrayCreate(
    pHandle: *mut CUmipmappedArray,
    pMipmappedArrayDesc: *const CUDA_ARRAY3D_DESCRIPTOR,
    numMipmapLevels: c_uint,
) -> CUresult {
    call!(driver.cuMipmappedArrayCreate(pHandle, pMipmappedArrayDesc, numMipmapLevels))
}

/// Memory Management, in drivers since CUDA 5.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMipmappedArrayGetLevel(
    pLevelArray: *mut CUarray,
    hMipmappedArray: CUmipmappedArray,
    level: c_uint,
) -> CUresult {
    call!(driver.cuMipmappedArrayGetLevel(pLevelArray, hMipmappedArray, level))
}

/// Memory Management, in drivers since CUDA 5.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMipmappedArrayDestroy(hMipmappedArray: CUmipmappedArray) -> CUresult {
    call!(driver.cuMipmappedArrayDestroy(hMipmappedArray))
}

/// Memory Management, in drivers since CUDA 11.7.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemGetHandleForAddressRange(
    handle: *mut c_void,
    dptr: CUdeviceptr,
    size: usize,
    handleType: CUmemRangeHandleType,
    flags: c_ulonglong,
) -> CUresult {
    call!(driver.cuMemGetHandleForAddressRange(handle, dptr, size, handleType, flags))
}

/// Virtual Memory Management, in drivers since CUDA 10.2.
///
/// [CUDA_VA](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemAddressReserve(
    ptr: *mut CUdeviceptr,
    size: usize,
    alignment: usize,
    addr: CUdeviceptr,
    flags: c_ulonglong,
) -> CUresult {
    call!(driver.cuMemAddressReserve(ptr, size, alignment, addr, flags))
}

/// Virtual Memory Management, in drivers since CUDA 10.2.
///
/// [CUDA_VA](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemAddressFree(ptr: CUdeviceptr, size: usize) -> CUresult {
    call!(driver.cuMemAddressFree(ptr, size))
}

/// Virtual Memory Management, in drivers since CUDA 10.2.
///
/// [CUDA_VA](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemCreate(
    handle: *mut CUmemGenericAllocationHandle,
    size: usize,
    prop: *const CUmemAllocationProp,
    flags: c_ulonglong,
) -> CUresult {
    call!(driver.cuMemCreate(handle, size, prop, flags))
}

/// Virtual Memory Management, in drivers since CUDA 10.2.
///
/// [CUDA_VA](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemRelease(handle: CUmemGenericAllocationHandle) -> CUresult {
    call!(driver.cuMemRelease(handle))
}

/// Virtual Memory Management, in drivers since CUDA 10.2.
///
/// [CUDA_VA](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemMap(
    ptr: CUdeviceptr,
    size: usize,
    offset: usize,
    handle: CUmemGenericAllocationHandle,
    flags: c_ulonglong,
) -> CUresult {
    call!(driver.cuMemMap(ptr, size, offset, handle, flags))
}

/// Virtual Memory Management, in drivers since CUDA 10.2.
///
/// [CUDA_VA](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemUnmap(ptr: CUdeviceptr, size: usize) -> CUresult {
    call!(driver.cuMemUnmap(ptr, size))
}

/// Virtual Memory Management, in drivers since CUDA 10.2.
///
/// [CUDA_VA](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemSetAccess(
    ptr: CUdeviceptr,
    size: usize,
    desc: *const CUmemAccessDesc,
    count: usize,
) -> CUresult {
    call!(driver.cuMemSetAccess(ptr, size, desc, count))
}

/// Virtual Memory Management, in drivers since CUDA 10.2.
///
/// [CUDA_VA](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemGetAccess(
    flags: *mut c_ulonglong,
    location: *const CUmemLocation,
    ptr: CUdeviceptr,
) -> CUresult {
    call!(driver.cuMemGetAccess(flags, location, ptr))
}

/// Virtual Memory Management, in drivers since CUDA 10.2.
///
/// [CUDA_VA](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemExportToShareableHandle(
    shareableHandle: *mut c_void,
    handle: CUmemGenericAllocationHandle,
    handleType: CUmemAllocationHandleType,
    flags: c_ulonglong,
) -> CUresult {
    call!(driver.cuMemExportToShareableHandle(shareableHandle, handle, handleType, flags))
}

/// Virtual Memory Management, in drivers since CUDA 10.2.
///
/// [CUDA_VA](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemImportFromShareableHandle(
    handle: *mut CUmemGenericAllocationHandle,
    osHandle: *mut c_void,
    shHandleType: CUmemAllocationHandleType,
) -> CUresult {
    call!(driver.cuMemImportFromShareableHandle(handle, osHandle, shHandleType))
}

/// Virtual Memory Management, in drivers since CUDA 10.2.
///
/// [CUDA_VA](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemGetAllocationGranularity(
    granularity: *mut usize,
    prop: *const CUmemAllocationProp,
    option: CUmemAllocationGranularity_flags,
) -> CUresult {
    call!(driver.cuMemGetAllocationGranularity(granularity, prop, option))
}

/// Virtual Memory Management, in drivers since CUDA 10.2.
///
/// [CUDA_VA](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemGetAllocationPropertiesFromHandle(
    prop: *mut CUmemAllocationProp,
    handle: CUmemGenericAllocationHandle,
) -> CUresult {
    call!(driver.cuMemGetAllocationPropertiesFromHandle(prop, handle))
}

/// Virtual Memory Management, in drivers since CUDA 11.0.
///
/// [CUDA_VA](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemRetainAllocationHandle(
    handle: *mut CUmemGenericAllocationHandle,
    addr: *mut c_void,
) -> CUresult {
    call!(driver.cuMemRetainAllocationHandle(handle, addr))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemPoolTrimTo(pool: CUmemoryPool, minBytesToKeep: usize) -> CUresult {
    call!(driver.cuMemPoolTrimTo(pool, minBytesToKeep))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemPoolSetAttribute(
    pool: CUmemoryPool,
    attr: CUmemPool_attribute,
    value: *mut c_void,
) -> CUresult {
    call!(driver.cuMemPoolSetAttribute(pool, attr, value))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemPoolGetAttribute(
    pool: CUmemoryPool,
    attr: CUmemPool_attribute,
    value: *mut c_void,
) -> CUresult {
    call!(driver.cuMemPoolGetAttribute(pool, attr, value))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemPoolSetAccess(pool: CUmemoryPool, map: *const CUmemAccessDesc, count: usize) -> CUresult {
    call!(driver.cuMemPoolSetAccess(pool, map, count))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemPoolGetAccess(
    flags: *mut CUmemAccess_flags,
    memPool: CUmemoryPool,
    location: *mut CUmemLocation,
) -> CUresult {
    call!(driver.cuMemPoolGetAccess(flags, memPool, location))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemPoolCreate(pool: *mut CUmemoryPool, poolProps: *const CUmemPoolProps) -> CUresult {
    call!(driver.cuMemPoolCreate(pool, poolProps))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemPoolDestroy(pool: CUmemoryPool) -> CUresult {
    call!(driver.cuMemPoolDestroy(pool))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 13.0.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemGetDefaultMemPool(
    pool_out: *mut CUmemoryPool,
    location: *mut CUmemLocation,
    type_: CUmemAllocationType,
) -> CUresult {
    call!(driver.cuMemGetDefaultMemPool(pool_out, location, type_))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 13.0.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemGetMemPool(
    pool: *mut CUmemoryPool,
    location: *mut CUmemLocation,
    type_: CUmemAllocationType,
) -> CUresult {
    call!(driver.cuMemGetMemPool(pool, location, type_))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 13.0.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemSetMemPool(
    location: *mut CUmemLocation,
    type_: CUmemAllocationType,
    pool: CUmemoryPool,
) -> CUresult {
    call!(driver.cuMemSetMemPool(location, type_, pool))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemPoolExportToShareableHandle(
    handle_out: *mut c_void,
    pool: CUmemoryPool,
    handleType: CUmemAllocationHandleType,
    flags: c_ulonglong,
) -> CUresult {
    call!(driver.cuMemPoolExportToShareableHandle(handle_out, pool, handleType, flags))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemPoolImportFromShareableHandle(
    pool_out: *mut CUmemoryPool,
    handle: *mut c_void,
    handleType: CUmemAllocationHandleType,
    flags: c_ulonglong,
) -> CUresult {
    call!(driver.cuMemPoolImportFromShareableHandle(pool_out, handle, handleType, flags))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemPoolExportPointer(
    shareData_out: *mut CUmemPoolPtrExportData,
    ptr: CUdeviceptr,
) -> CUresult {
    call!(driver.cuMemPoolExportPointer(shareData_out, ptr))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemPoolImportPointer(
    ptr_out: *mut CUdeviceptr,
    pool: CUmemoryPool,
    shareData: *mut CUmemPoolPtrExportData,
) -> CUresult {
    call!(driver.cuMemPoolImportPointer(ptr_out, pool, shareData))
}

/// Multicast Object Management, in drivers since CUDA 12.1.
///
/// [CUDA_MULTICAST](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MULTICAST.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMulticastCreate(
    mcHandle: *mut CUmemGenericAllocationHandle,
    prop: *const CUmulticastObjectProp,
) -> CUresult {
    call!(driver.cuMulticastCreate(mcHandle, prop))
}

/// Multicast Object Management, in drivers since CUDA 12.1.
///
/// [CUDA_MULTICAST](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MULTICAST.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMulticastAddDevice(mcHandle: CUmemGenericAllocationHandle, dev: CUdevice) -> CUresult {
    call!(driver.cuMulticastAddDevice(mcHandle, dev))
}

/// Multicast Object Management, in drivers since CUDA 12.1.
///
/// [CUDA_MULTICAST](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MULTICAST.html) in NVIDIA's documentation.
///
/// Versions: **`cuMulticastBindMem`** (12.1) → [`cuMulticastBindMem_v2`](fn@crate::cuMulticastBindMem_v2) (13.1)
///
/// Superseded: in C programs `cuMulticastBindMem` stands for `cuMulticastBindMem_v2`.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMulticastBindMem(
    mcHandle: CUmemGenericAllocationHandle,
    mcOffset: usize,
    memHandle: CUmemGenericAllocationHandle,
    memOffset: usize,
    size: usize,
    flags: c_ulonglong,
) -> CUresult {
    call!(driver.cuMulticastBindMem(mcHandle, mcOffset, memHandle, memOffset, size, flags))
}

/// Multicast Object Management, in drivers since CUDA 13.1.
///
/// [CUDA_MULTICAST](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MULTICAST.html) in NVIDIA's documentation.
///
/// Versions: [`cuMulticastBindMem`](fn@crate::cuMulticastBindMem) (12.1) → **`cuMulticastBindMem_v2`** (13.1)
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMulticastBindMem_v2(
    mcHandle: CUmemGenericAllocationHandle,
    dev: CUdevice,
    mcOffset: usize,
    memHandle: CUmemGenericAllocationHandle,
    memOffset: usize,
    size: usize,
    flags: c_ulonglong,
) -> CUresult {
    call!(driver.cuMulticastBindMem_v2(mcHandle, dev, mcOffset, memHandle, memOffset, size, flags))
}

/// Multicast Object Management, in drivers since CUDA 12.1.
///
/// [CUDA_MULTICAST](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MULTICAST.html) in NVIDIA's documentation.
///
/// Versions: **`cuMulticastBindAddr`** (12.1) → [`cuMulticastBindAddr_v2`](fn@crate::cuMulticastBindAddr_v2) (13.1)
///
/// Superseded: in C programs `cuMulticastBindAddr` stands for `cuMulticastBindAddr_v2`.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMulticastBindAddr(
    mcHandle: CUmemGenericAllocationHandle,
    mcOffset: usize,
    memptr: CUdeviceptr,
    size: usize,
    flags: c_ulonglong,
) -> CUresult {
    call!(driver.cuMulticastBindAddr(mcHandle, mcOffset, memptr, size, flags))
}

/// Multicast Object Management, in drivers since CUDA 13.1.
///
/// [CUDA_MULTICAST](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MULTICAST.html) in NVIDIA's documentation.
///
/// Versions: [`cuMulticastBindAddr`](fn@crate::cuMulticastBindAddr) (12.1) → **`cuMulticastBindAddr_v2`** (13.1)
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMulticastBindAddr_v2(
    mcHandle: CUmemGenericAllocationHandle,
    dev: CUdevice,
    mcOffset: usize,
    memptr: CUdeviceptr,
    size: usize,
    flags: c_ulonglong,
) -> CUresult {
    call!(driver.cuMulticastBindAddr_v2(mcHandle, dev, mcOffset, memptr, size, flags))
}

/// Multicast Object Management, in drivers since CUDA 12.1.
///
/// [CUDA_MULTICAST](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MULTICAST.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMulticastUnbind(
    mcHandle: CUmemGenericAllocationHandle,
    dev: CUdevice,
    mcOffset: usize,
    size: usize,
) -> CUresult {
    call!(driver.cuMulticastUnbind(mcHandle, dev, mcOffset, size))
}

/// Multicast Object Management, in drivers since CUDA 12.1.
///
/// [CUDA_MULTICAST](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MULTICAST.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMulticastGetGranularity(
    granularity: *mut usize,
    prop: *const CUmulticastObjectProp,
    option: CUmulticastGranularity_flags,
) -> CUresult {
    call!(driver.cuMulticastGetGranularity(granularity, prop, option))
}

/// Fabric Clique Information, in drivers since CUDA 13.4.
///
/// [CUDA_CLIQUE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CLIQUE.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetFabricClusterUuid(uuid: *mut CUuuid, dev: CUdevice) -> CUresult {
    call!(driver.cuDeviceGetFabricClusterUuid(uuid, dev))
}

/// Fabric Clique Information, in drivers since CUDA 13.4.
///
/// [CUDA_CLIQUE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CLIQUE.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetCliqueCount(count: *mut usize, dev: CUdevice) -> CUresult {
    call!(driver.cuDeviceGetCliqueCount(count, dev))
}

/// Fabric Clique Information, in drivers since CUDA 13.4.
///
/// [CUDA_CLIQUE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CLIQUE.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetCliqueInfo(
    cliqueInfo: *mut CUcliqueInfo,
    count: *mut usize,
    dev: CUdevice,
) -> CUresult {
    call!(driver.cuDeviceGetCliqueInfo(cliqueInfo, count, dev))
}

/// Logical Endpoint, in drivers since CUDA 13.3.
///
/// [CUDA_LOGICAL_ENDPOINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LOGICAL__ENDPOINT.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLogicalEndpointIdReserve(baseLeId: *mut CUlogicalEndpointId, count: cuuint32_t) -> CUresult {
    call!(driver.cuLogicalEndpointIdReserve(baseLeId, count))
}

/// Logical Endpoint, in drivers since CUDA 13.3.
///
/// [CUDA_LOGICAL_ENDPOINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LOGICAL__ENDPOINT.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLogicalEndpointIdRelease(baseLeId: CUlogicalEndpointId, count: cuuint32_t) -> CUresult {
    call!(driver.cuLogicalEndpointIdRelease(baseLeId, count))
}

/// Logical Endpoint, in drivers since CUDA 13.3.
///
/// [CUDA_LOGICAL_ENDPOINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LOGICAL__ENDPOINT.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLogicalEndpointCreate(
    leId: CUlogicalEndpointId,
    prop: *const CUlogicalEndpointProp,
) -> CUresult {
    call!(driver.cuLogicalEndpointCreate(leId, prop))
}

/// Logical Endpoint, in drivers since CUDA 13.3.
///
/// [CUDA_LOGICAL_ENDPOINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LOGICAL__ENDPOINT.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLogicalEndpointAddDevice(leId: CUlogicalEndpointId, dev: CUdevice) -> CUresult {
    call!(driver.cuLogicalEndpointAddDevice(leId, dev))
}

/// Logical Endpoint, in drivers since CUDA 13.3.
///
/// [CUDA_LOGICAL_ENDPOINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LOGICAL__ENDPOINT.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLogicalEndpointDestroy(leId: CUlogicalEndpointId) -> CUresult {
    call!(driver.cuLogicalEndpointDestroy(leId))
}

/// Logical Endpoint, in drivers since CUDA 13.3.
///
/// [CUDA_LOGICAL_ENDPOINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LOGICAL__ENDPOINT.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLogicalEndpointBindAddr(
    leId: CUlogicalEndpointId,
    dev: CUdevice,
    offset: cuuint64_t,
    ptr: *mut c_void,
    size: cuuint64_t,
    flags: c_ulonglong,
) -> CUresult {
    call!(driver.cuLogicalEndpointBindAddr(leId, dev, offset, ptr, size, flags))
}

/// Logical Endpoint, in drivers since CUDA 13.3.
///
/// [CUDA_LOGICAL_ENDPOINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LOGICAL__ENDPOINT.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLogicalEndpointBindMem(
    leId: CUlogicalEndpointId,
    dev: CUdevice,
    offset: cuuint64_t,
    memHandle: CUmemGenericAllocationHandle,
    memOffset: cuuint64_t,
    size: cuuint64_t,
    flags: c_ulonglong,
) -> CUresult {
    call!(driver.cuLogicalEndpointBindMem(leId, dev, offset, memHandle, memOffset, size, flags))
}

/// Logical Endpoint, in drivers since CUDA 13.3.
///
/// [CUDA_LOGICAL_ENDPOINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LOGICAL__ENDPOINT.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLogicalEndpointUnbind(
    leId: CUlogicalEndpointId,
    dev: CUdevice,
    offset: cuuint64_t,
    size: cuuint64_t,
) -> CUresult {
    call!(driver.cuLogicalEndpointUnbind(leId, dev, offset, size))
}

/// Logical Endpoint, in drivers since CUDA 13.3.
///
/// [CUDA_LOGICAL_ENDPOINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LOGICAL__ENDPOINT.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLogicalEndpointExport(
    handle: *mut c_void,
    leId: CUlogicalEndpointId,
    handleType: CUlogicalEndpointIpcHandleType,
) -> CUresult {
    call!(driver.cuLogicalEndpointExport(handle, leId, handleType))
}

/// Logical Endpoint, in drivers since CUDA 13.3.
///
/// [CUDA_LOGICAL_ENDPOINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LOGICAL__ENDPOINT.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLogicalEndpointImport(
    leId: CUlogicalEndpointId,
    handle: *const c_void,
    handleType: CUlogicalEndpointIpcHandleType,
) -> CUresult {
    call!(driver.cuLogicalEndpointImport(leId, handle, handleType))
}

/// Logical Endpoint, in drivers since CUDA 13.3.
///
/// [CUDA_LOGICAL_ENDPOINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LOGICAL__ENDPOINT.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLogicalEndpointGetLimits(
    bindAlignment: *mut cuuint64_t,
    maxSize: *mut cuuint64_t,
    prop: *const CUlogicalEndpointProp,
) -> CUresult {
    call!(driver.cuLogicalEndpointGetLimits(bindAlignment, maxSize, prop))
}

/// Logical Endpoint, in drivers since CUDA 13.3.
///
/// [CUDA_LOGICAL_ENDPOINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LOGICAL__ENDPOINT.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLogicalEndpointQuery(
    leId: CUlogicalEndpointId,
    count: cuuint32_t,
    queryStatus: *mut c_int,
) -> CUresult {
    call!(driver.cuLogicalEndpointQuery(leId, count, queryStatus))
}

/// Unified Addressing, in drivers since CUDA 4.0.
///
/// [CUDA_UNIFIED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuPointerGetAttribute(
    data: *mut c_void,
    attribute: CUpointer_attribute,
    ptr: CUdeviceptr,
) -> CUresult {
    call!(driver.cuPointerGetAttribute(data, attribute, ptr))
}

/// Unified Addressing, in drivers since CUDA 12.2.
///
/// [CUDA_UNIFIED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html) in NVIDIA's documentation.
///
/// Versions: [`cuMemAdvise`](fn@crate::cuMemAdvise) (8.0) → **`cuMemAdvise_v2`** (12.2)
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemAdvise_v2(
    devPtr: CUdeviceptr,
    count: usize,
    advice: CUmem_advise,
    location: CUmemLocation,
) -> CUresult {
    call!(driver.cuMemAdvise_v2(devPtr, count, advice, location))
}

/// Unified Addressing, in drivers since CUDA 13.4.
///
/// [CUDA_UNIFIED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemGetLocationInfo(
    ptr: CUdeviceptr,
    size: usize,
    summaryGranularity: usize,
    samplingGranularity: usize,
    location_out: *mut CUmemLocation,
) -> CUresult {
    call!(driver.cuMemGetLocationInfo(ptr, size, summaryGranularity, samplingGranularity, location_out))
}

/// Unified Addressing, in drivers since CUDA 8.0.
///
/// [CUDA_UNIFIED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemRangeGetAttribute(
    data: *mut c_void,
    dataSize: usize,
    attribute: CUmem_range_attribute,
    devPtr: CUdeviceptr,
    count: usize,
) -> CUresult {
    call!(driver.cuMemRangeGetAttribute(data, dataSize, attribute, devPtr, count))
}

/// Unified Addressing, in drivers since CUDA 8.0.
///
/// [CUDA_UNIFIED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemRangeGetAttributes(
    data: *mut *mut c_void,
    dataSizes: *mut usize,
    attributes: *mut CUmem_range_attribute,
    numAttributes: usize,
    devPtr: CUdeviceptr,
    count: usize,
) -> CUresult {
    call!(driver.cuMemRangeGetAttributes(data, dataSizes, attributes, numAttributes, devPtr, count))
}

/// Unified Addressing, in drivers since CUDA 6.0.
///
/// [CUDA_UNIFIED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuPointerSetAttribute(
    value: *const c_void,
    attribute: CUpointer_attribute,
    ptr: CUdeviceptr,
) -> CUresult {
    call!(driver.cuPointerSetAttribute(value, attribute, ptr))
}

/// Unified Addressing, in drivers since CUDA 7.0.
///
/// [CUDA_UNIFIED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuPointerGetAttributes(
    numAttributes: c_uint,
    attributes: *mut CUpointer_attribute,
    data: *mut *mut c_void,
    ptr: CUdeviceptr,
) -> CUresult {
    call!(driver.cuPointerGetAttributes(numAttributes, attributes, data, ptr))
}

/// Stream Management, in drivers since CUDA 2.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamCreate(phStream: *mut CUstream, Flags: c_uint) -> CUresult {
    call!(driver.cuStreamCreate(phStream, Flags))
}

/// Stream Management, in drivers since CUDA 5.5.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamCreateWithPriority(
    phStream: *mut CUstream,
    flags: c_uint,
    priority: c_int,
) -> CUresult {
    call!(driver.cuStreamCreateWithPriority(phStream, flags, priority))
}

/// Stream Management, in drivers since CUDA 10.1.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuThreadExchangeStreamCaptureMode(mode: *mut CUstreamCaptureMode) -> CUresult {
    call!(driver.cuThreadExchangeStreamCaptureMode(mode))
}

/// Stream Management, in drivers since CUDA 4.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Versions: `cuStreamDestroy` (2.0, not bound) → **`cuStreamDestroy_v2`** (4.0)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuStreamDestroy")]
#[inline]
pub unsafe fn cuStreamDestroy_v2(hStream: CUstream) -> CUresult {
    call!(driver.cuStreamDestroy_v2(hStream))
}

/// Event Management, in drivers since CUDA 2.0.
///
/// [CUDA_EVENT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuEventCreate(phEvent: *mut CUevent, Flags: c_uint) -> CUresult {
    call!(driver.cuEventCreate(phEvent, Flags))
}

/// Event Management, in drivers since CUDA 2.0.
///
/// [CUDA_EVENT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuEventQuery(hEvent: CUevent) -> CUresult {
    call!(driver.cuEventQuery(hEvent))
}

/// Event Management, in drivers since CUDA 2.0.
///
/// [CUDA_EVENT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuEventSynchronize(hEvent: CUevent) -> CUresult {
    call!(driver.cuEventSynchronize(hEvent))
}

/// Event Management, in drivers since CUDA 4.0.
///
/// [CUDA_EVENT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html) in NVIDIA's documentation.
///
/// Versions: `cuEventDestroy` (2.0, not bound) → **`cuEventDestroy_v2`** (4.0)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuEventDestroy")]
#[inline]
pub unsafe fn cuEventDestroy_v2(hEvent: CUevent) -> CUresult {
    call!(driver.cuEventDestroy_v2(hEvent))
}

/// Event Management, in drivers since CUDA 12.8.
///
/// [CUDA_EVENT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html) in NVIDIA's documentation.
///
/// Versions: [`cuEventElapsedTime`](fn@crate::cuEventElapsedTime) (2.0) → **`cuEventElapsedTime_v2`** (12.8)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuEventElapsedTime_v2(pMilliseconds: *mut f32, hStart: CUevent, hEnd: CUevent) -> CUresult {
    call!(driver.cuEventElapsedTime_v2(pMilliseconds, hStart, hEnd))
}

/// External Resource Interoperability, in drivers since CUDA 10.0.
///
/// [CUDA_EXTRES_INTEROP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuImportExternalMemory(
    extMem_out: *mut CUexternalMemory,
    memHandleDesc: *const CUDA_EXTERNAL_MEMORY_HANDLE_DESC,
) -> CUresult {
    call!(driver.cuImportExternalMemory(extMem_out, memHandleDesc))
}

/// External Resource Interoperability, in drivers since CUDA 10.0.
///
/// [CUDA_EXTRES_INTEROP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuExternalMemoryGetMappedBuffer(
    devPtr: *mut CUdeviceptr,
    extMem: CUexternalMemory,
    bufferDesc: *const CUDA_EXTERNAL_MEMORY_BUFFER_DESC,
) -> CUresult {
    call!(driver.cuExternalMemoryGetMappedBuffer(devPtr, extMem, bufferDesc))
}

/// External Resource Interoperability, in drivers since CUDA 10.0.
///
/// [CUDA_EXTRES_INTEROP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuExternalMemoryGetMappedMipmappedArray(
    mipmap: *mut CUmipmappedArray,
    extMem: CUexternalMemory,
    mipmapDesc: *const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC,
) -> CUresult {
    call!(driver.cuExternalMemoryGetMappedMipmappedArray(mipmap, extMem, mipmapDesc))
}

/// External Resource Interoperability, in drivers since CUDA 10.0.
///
/// [CUDA_EXTRES_INTEROP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDestroyExternalMemory(extMem: CUexternalMemory) -> CUresult {
    call!(driver.cuDestroyExternalMemory(extMem))
}

/// External Resource Interoperability, in drivers since CUDA 10.0.
///
/// [CUDA_EXTRES_INTEROP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuImportExternalSemaphore(
    extSem_out: *mut CUexternalSemaphore,
    semHandleDesc: *const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC,
) -> CUresult {
    call!(driver.cuImportExternalSemaphore(extSem_out, semHandleDesc))
}

/// External Resource Interoperability, in drivers since CUDA 10.0.
///
/// [CUDA_EXTRES_INTEROP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDestroyExternalSemaphore(extSem: CUexternalSemaphore) -> CUresult {
    call!(driver.cuDestroyExternalSemaphore(extSem))
}

/// Execution Control, in drivers since CUDA 2.2.
///
/// [CUDA_EXEC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuFuncGetAttribute(
    pi: *mut c_int,
    attrib: CUfunction_attribute,
    hfunc: CUfunction,
) -> CUresult {
    call!(driver.cuFuncGetAttribute(pi, attrib, hfunc))
}

/// Execution Control, in drivers since CUDA 9.0.
///
/// [CUDA_EXEC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuFuncSetAttribute(hfunc: CUfunction, attrib: CUfunction_attribute, value: c_int) -> CUresult {
    call!(driver.cuFuncSetAttribute(hfunc, attrib, value))
}

/// Execution Control, in drivers since CUDA 3.0.
///
/// [CUDA_EXEC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuFuncSetCacheConfig(hfunc: CUfunction, config: CUfunc_cache) -> CUresult {
    call!(driver.cuFuncSetCacheConfig(hfunc, config))
}

/// Execution Control, in drivers since CUDA 11.0.
///
/// [CUDA_EXEC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuFuncGetModule(hmod: *mut CUmodule, hfunc: CUfunction) -> CUresult {
    call!(driver.cuFuncGetModule(hmod, hfunc))
}

/// Execution Control, in drivers since CUDA 12.3.
///
/// [CUDA_EXEC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuFuncGetName(name: *mut *const c_char, hfunc: CUfunction) -> CUresult {
    call!(driver.cuFuncGetName(name, hfunc))
}

/// Execution Control, in drivers since CUDA 12.4.
///
/// [CUDA_EXEC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuFuncGetParamInfo(
    func: CUfunction,
    paramIndex: usize,
    paramOffset: *mut usize,
    paramSize: *mut usize,
) -> CUresult {
    call!(driver.cuFuncGetParamInfo(func, paramIndex, paramOffset, paramSize))
}

/// Execution Control, in drivers since CUDA 13.2.
///
/// [CUDA_EXEC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuFuncGetParamCount(func: CUfunction, paramCount: *mut usize) -> CUresult {
    call!(driver.cuFuncGetParamCount(func, paramCount))
}

/// Execution Control, in drivers since CUDA 12.4.
///
/// [CUDA_EXEC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuFuncIsLoaded(state: *mut CUfunctionLoadingState, function: CUfunction) -> CUresult {
    call!(driver.cuFuncIsLoaded(state, function))
}

/// Execution Control, in drivers since CUDA 12.4.
///
/// [CUDA_EXEC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuFuncLoad(function: CUfunction) -> CUresult {
    call!(driver.cuFuncLoad(function))
}

/// Execution Control (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_EXEC_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuFuncSetBlockShape(hfunc: CUfunction, x: c_int, y: c_int, z: c_int) -> CUresult {
    call!(driver.cuFuncSetBlockShape(hfunc, x, y, z))
}

/// Execution Control (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_EXEC_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuFuncSetSharedSize(hfunc: CUfunction, bytes: c_uint) -> CUresult {
    call!(driver.cuFuncSetSharedSize(hfunc, bytes))
}

/// Execution Control (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_EXEC_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuParamSetSize(hfunc: CUfunction, numbytes: c_uint) -> CUresult {
    call!(driver.cuParamSetSize(hfunc, numbytes))
}

/// Execution Control (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_EXEC_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuParamSeti(hfunc: CUfunction, offset: c_int, value: c_uint) -> CUresult {
    call!(driver.cuParamSeti(hfunc, offset, value))
}

/// Execution Control (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_EXEC_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuParamSetf(hfunc: CUfunction, offset: c_int, value: f32) -> CUresult {
    call!(driver.cuParamSetf(hfunc, offset, value))
}

/// Execution Control (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_EXEC_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuParamSetv(hfunc: CUfunction, offset: c_int, ptr: *mut c_void, numbytes: c_uint) -> CUresult {
    call!(driver.cuParamSetv(hfunc, offset, ptr, numbytes))
}

/// Execution Control (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_EXEC_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLaunch(f: CUfunction) -> CUresult {
    call!(driver.cuLaunch(f))
}

/// Execution Control (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_EXEC_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLaunchGrid(f: CUfunction, grid_width: c_int, grid_height: c_int) -> CUresult {
    call!(driver.cuLaunchGrid(f, grid_width, grid_height))
}

/// Execution Control (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_EXEC_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLaunchGridAsync(
    f: CUfunction,
    grid_width: c_int,
    grid_height: c_int,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuLaunchGridAsync(f, grid_width, grid_height, hStream))
}

/// Execution Control (deprecated), in drivers since CUDA 9.0.
///
/// [CUDA_EXEC_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLaunchCooperativeKernelMultiDevice(
    launchParamsList: *mut CUDA_LAUNCH_PARAMS,
    numDevices: c_uint,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuLaunchCooperativeKernelMultiDevice(launchParamsList, numDevices, flags))
}

/// Execution Control (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_EXEC_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuParamSetTexRef(hfunc: CUfunction, texunit: c_int, hTexRef: CUtexref) -> CUresult {
    call!(driver.cuParamSetTexRef(hfunc, texunit, hTexRef))
}

/// Execution Control (deprecated), in drivers since CUDA 4.2.
///
/// [CUDA_EXEC_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuFuncSetSharedMemConfig(hfunc: CUfunction, config: CUsharedconfig) -> CUresult {
    call!(driver.cuFuncSetSharedMemConfig(hfunc, config))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphCreate(phGraph: *mut CUgraph, flags: c_uint) -> CUresult {
    call!(driver.cuGraphCreate(phGraph, flags))
}

/// Graph Management, in drivers since CUDA 12.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: [`cuGraphAddKernelNode`](fn@crate::cuGraphAddKernelNode) (10.0) → **`cuGraphAddKernelNode_v2`** (12.0)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphAddKernelNode_v2(
    phGraphNode: *mut CUgraphNode,
    hGraph: CUgraph,
    dependencies: *const CUgraphNode,
    numDependencies: usize,
    nodeParams: *const CUDA_KERNEL_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphAddKernelNode_v2(phGraphNode, hGraph, dependencies, numDependencies, nodeParams))
}

/// Graph Management, in drivers since CUDA 12.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: [`cuGraphKernelNodeGetParams`](fn@crate::cuGraphKernelNodeGetParams) (10.0) → **`cuGraphKernelNodeGetParams_v2`** (12.0)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphKernelNodeGetParams_v2(
    hNode: CUgraphNode,
    nodeParams: *mut CUDA_KERNEL_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphKernelNodeGetParams_v2(hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 12.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: [`cuGraphKernelNodeSetParams`](fn@crate::cuGraphKernelNodeSetParams) (10.0) → **`cuGraphKernelNodeSetParams_v2`** (12.0)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphKernelNodeSetParams_v2(
    hNode: CUgraphNode,
    nodeParams: *const CUDA_KERNEL_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphKernelNodeSetParams_v2(hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphAddMemcpyNode(
    phGraphNode: *mut CUgraphNode,
    hGraph: CUgraph,
    dependencies: *const CUgraphNode,
    numDependencies: usize,
    copyParams: *const CUDA_MEMCPY3D,
    ctx: CUcontext,
) -> CUresult {
    call!(driver.cuGraphAddMemcpyNode(phGraphNode, hGraph, dependencies, numDependencies, copyParams, ctx))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphMemcpyNodeGetParams(hNode: CUgraphNode, nodeParams: *mut CUDA_MEMCPY3D) -> CUresult {
    call!(driver.cuGraphMemcpyNodeGetParams(hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphMemcpyNodeSetParams(hNode: CUgraphNode, nodeParams: *const CUDA_MEMCPY3D) -> CUresult {
    call!(driver.cuGraphMemcpyNodeSetParams(hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphAddMemsetNode(
    phGraphNode: *mut CUgraphNode,
    hGraph: CUgraph,
    dependencies: *const CUgraphNode,
    numDependencies: usize,
    memsetParams: *const CUDA_MEMSET_NODE_PARAMS,
    ctx: CUcontext,
) -> CUresult {
    call!(driver.cuGraphAddMemsetNode(phGraphNode, hGraph, dependencies, numDependencies, memsetParams, ctx))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphMemsetNodeGetParams(
    hNode: CUgraphNode,
    nodeParams: *mut CUDA_MEMSET_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphMemsetNodeGetParams(hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphMemsetNodeSetParams(
    hNode: CUgraphNode,
    nodeParams: *const CUDA_MEMSET_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphMemsetNodeSetParams(hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphAddHostNode(
    phGraphNode: *mut CUgraphNode,
    hGraph: CUgraph,
    dependencies: *const CUgraphNode,
    numDependencies: usize,
    nodeParams: *const CUDA_HOST_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphAddHostNode(phGraphNode, hGraph, dependencies, numDependencies, nodeParams))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphHostNodeGetParams(
    hNode: CUgraphNode,
    nodeParams: *mut CUDA_HOST_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphHostNodeGetParams(hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphHostNodeSetParams(
    hNode: CUgraphNode,
    nodeParams: *const CUDA_HOST_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphHostNodeSetParams(hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphAddChildGraphNode(
    phGraphNode: *mut CUgraphNode,
    hGraph: CUgraph,
    dependencies: *const CUgraphNode,
    numDependencies: usize,
    childGraph: CUgraph,
) -> CUresult {
    call!(driver.cuGraphAddChildGraphNode(phGraphNode, hGraph, dependencies, numDependencies, childGraph))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphChildGraphNodeGetGraph(hNode: CUgraphNode, phGraph: *mut CUgraph) -> CUresult {
    call!(driver.cuGraphChildGraphNodeGetGraph(hNode, phGraph))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphAddEmptyNode(
    phGraphNode: *mut CUgraphNode,
    hGraph: CUgraph,
    dependencies: *const CUgraphNode,
    numDependencies: usize,
) -> CUresult {
    call!(driver.cuGraphAddEmptyNode(phGraphNode, hGraph, dependencies, numDependencies))
}

/// Graph Management, in drivers since CUDA 11.1.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphAddEventRecordNode(
    phGraphNode: *mut CUgraphNode,
    hGraph: CUgraph,
    dependencies: *const CUgraphNode,
    numDependencies: usize,
    event: CUevent,
) -> CUresult {
    call!(driver.cuGraphAddEventRecordNode(phGraphNode, hGraph, dependencies, numDependencies, event))
}

/// Graph Management, in drivers since CUDA 11.1.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphEventRecordNodeGetEvent(hNode: CUgraphNode, event_out: *mut CUevent) -> CUresult {
    call!(driver.cuGraphEventRecordNodeGetEvent(hNode, event_out))
}

/// Graph Management, in drivers since CUDA 11.1.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphEventRecordNodeSetEvent(hNode: CUgraphNode, event: CUevent) -> CUresult {
    call!(driver.cuGraphEventRecordNodeSetEvent(hNode, event))
}

/// Graph Management, in drivers since CUDA 11.1.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphAddEventWaitNode(
    phGraphNode: *mut CUgraphNode,
    hGraph: CUgraph,
    dependencies: *const CUgraphNode,
    numDependencies: usize,
    event: CUevent,
) -> CUresult {
    call!(driver.cuGraphAddEventWaitNode(phGraphNode, hGraph, dependencies, numDependencies, event))
}

/// Graph Management, in drivers since CUDA 11.1.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphEventWaitNodeGetEvent(hNode: CUgraphNode, event_out: *mut CUevent) -> CUresult {
    call!(driver.cuGraphEventWaitNodeGetEvent(hNode, event_out))
}

/// Graph Management, in drivers since CUDA 11.1.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphEventWaitNodeSetEvent(hNode: CUgraphNode, event: CUevent) -> CUresult {
    call!(driver.cuGraphEventWaitNodeSetEvent(hNode, event))
}

/// Graph Management, in drivers since CUDA 11.2.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphAddExternalSemaphoresSignalNode(
    phGraphNode: *mut CUgraphNode,
    hGraph: CUgraph,
    dependencies: *const CUgraphNode,
    numDependencies: usize,
    nodeParams: *const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphAddExternalSemaphoresSignalNode(
        phGraphNode,
        hGraph,
        dependencies,
        numDependencies,
        nodeParams
    ))
}

/// Graph Management, in drivers since CUDA 11.2.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExternalSemaphoresSignalNodeGetParams(
    hNode: CUgraphNode,
    params_out: *mut CUDA_EXT_SEM_SIGNAL_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphExternalSemaphoresSignalNodeGetParams(hNode, params_out))
}

/// Graph Management, in drivers since CUDA 11.2.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExternalSemaphoresSignalNodeSetParams(
    hNode: CUgraphNode,
    nodeParams: *const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphExternalSemaphoresSignalNodeSetParams(hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 11.2.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphAddExternalSemaphoresWaitNode(
    phGraphNode: *mut CUgraphNode,
    hGraph: CUgraph,
    dependencies: *const CUgraphNode,
    numDependencies: usize,
    nodeParams: *const CUDA_EXT_SEM_WAIT_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphAddExternalSemaphoresWaitNode(
        phGraphNode,
        hGraph,
        dependencies,
        numDependencies,
        nodeParams
    ))
}

/// Graph Management, in drivers since CUDA 11.2.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExternalSemaphoresWaitNodeGetParams(
    hNode: CUgraphNode,
    params_out: *mut CUDA_EXT_SEM_WAIT_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphExternalSemaphoresWaitNodeGetParams(hNode, params_out))
}

/// Graph Management, in drivers since CUDA 11.2.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExternalSemaphoresWaitNodeSetParams(
    hNode: CUgraphNode,
    nodeParams: *const CUDA_EXT_SEM_WAIT_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphExternalSemaphoresWaitNodeSetParams(hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 11.7.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphAddBatchMemOpNode(
    phGraphNode: *mut CUgraphNode,
    hGraph: CUgraph,
    dependencies: *const CUgraphNode,
    numDependencies: usize,
    nodeParams: *const CUDA_BATCH_MEM_OP_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphAddBatchMemOpNode(phGraphNode, hGraph, dependencies, numDependencies, nodeParams))
}

/// Graph Management, in drivers since CUDA 11.7.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphBatchMemOpNodeGetParams(
    hNode: CUgraphNode,
    nodeParams_out: *mut CUDA_BATCH_MEM_OP_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphBatchMemOpNodeGetParams(hNode, nodeParams_out))
}

/// Graph Management, in drivers since CUDA 11.7.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphBatchMemOpNodeSetParams(
    hNode: CUgraphNode,
    nodeParams: *const CUDA_BATCH_MEM_OP_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphBatchMemOpNodeSetParams(hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 11.7.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExecBatchMemOpNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: *const CUDA_BATCH_MEM_OP_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphExecBatchMemOpNodeSetParams(hGraphExec, hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 11.4.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphAddMemAllocNode(
    phGraphNode: *mut CUgraphNode,
    hGraph: CUgraph,
    dependencies: *const CUgraphNode,
    numDependencies: usize,
    nodeParams: *mut CUDA_MEM_ALLOC_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphAddMemAllocNode(phGraphNode, hGraph, dependencies, numDependencies, nodeParams))
}

/// Graph Management, in drivers since CUDA 11.4.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphMemAllocNodeGetParams(
    hNode: CUgraphNode,
    params_out: *mut CUDA_MEM_ALLOC_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphMemAllocNodeGetParams(hNode, params_out))
}

/// Graph Management, in drivers since CUDA 11.4.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphAddMemFreeNode(
    phGraphNode: *mut CUgraphNode,
    hGraph: CUgraph,
    dependencies: *const CUgraphNode,
    numDependencies: usize,
    dptr: CUdeviceptr,
) -> CUresult {
    call!(driver.cuGraphAddMemFreeNode(phGraphNode, hGraph, dependencies, numDependencies, dptr))
}

/// Graph Management, in drivers since CUDA 11.4.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphMemFreeNodeGetParams(hNode: CUgraphNode, dptr_out: *mut CUdeviceptr) -> CUresult {
    call!(driver.cuGraphMemFreeNodeGetParams(hNode, dptr_out))
}

/// Graph Management, in drivers since CUDA 11.4.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGraphMemTrim(device: CUdevice) -> CUresult {
    call!(driver.cuDeviceGraphMemTrim(device))
}

/// Graph Management, in drivers since CUDA 11.4.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetGraphMemAttribute(
    device: CUdevice,
    attr: CUgraphMem_attribute,
    value: *mut c_void,
) -> CUresult {
    call!(driver.cuDeviceGetGraphMemAttribute(device, attr, value))
}

/// Graph Management, in drivers since CUDA 11.4.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceSetGraphMemAttribute(
    device: CUdevice,
    attr: CUgraphMem_attribute,
    value: *mut c_void,
) -> CUresult {
    call!(driver.cuDeviceSetGraphMemAttribute(device, attr, value))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphClone(phGraphClone: *mut CUgraph, originalGraph: CUgraph) -> CUresult {
    call!(driver.cuGraphClone(phGraphClone, originalGraph))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphNodeFindInClone(
    phNode: *mut CUgraphNode,
    hOriginalNode: CUgraphNode,
    hClonedGraph: CUgraph,
) -> CUresult {
    call!(driver.cuGraphNodeFindInClone(phNode, hOriginalNode, hClonedGraph))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphNodeGetType(hNode: CUgraphNode, type_: *mut CUgraphNodeType) -> CUresult {
    call!(driver.cuGraphNodeGetType(hNode, type_))
}

/// Graph Management, in drivers since CUDA 13.1.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphNodeGetContainingGraph(hNode: CUgraphNode, phGraph: *mut CUgraph) -> CUresult {
    call!(driver.cuGraphNodeGetContainingGraph(hNode, phGraph))
}

/// Graph Management, in drivers since CUDA 13.1.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphNodeGetLocalId(hNode: CUgraphNode, nodeId: *mut c_uint) -> CUresult {
    call!(driver.cuGraphNodeGetLocalId(hNode, nodeId))
}

/// Graph Management, in drivers since CUDA 13.1.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphNodeGetToolsId(hNode: CUgraphNode, toolsNodeId: *mut c_ulonglong) -> CUresult {
    call!(driver.cuGraphNodeGetToolsId(hNode, toolsNodeId))
}

/// Graph Management, in drivers since CUDA 13.1.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphGetId(hGraph: CUgraph, graphId: *mut c_uint) -> CUresult {
    call!(driver.cuGraphGetId(hGraph, graphId))
}

/// Graph Management, in drivers since CUDA 13.1.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExecGetId(hGraphExec: CUgraphExec, graphId: *mut c_uint) -> CUresult {
    call!(driver.cuGraphExecGetId(hGraphExec, graphId))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphGetNodes(hGraph: CUgraph, nodes: *mut CUgraphNode, numNodes: *mut usize) -> CUresult {
    call!(driver.cuGraphGetNodes(hGraph, nodes, numNodes))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphGetRootNodes(
    hGraph: CUgraph,
    rootNodes: *mut CUgraphNode,
    numRootNodes: *mut usize,
) -> CUresult {
    call!(driver.cuGraphGetRootNodes(hGraph, rootNodes, numRootNodes))
}

/// Graph Management, in drivers since CUDA 12.3.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: [`cuGraphGetEdges`](fn@crate::cuGraphGetEdges) (10.0) → **`cuGraphGetEdges_v2`** (12.3)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphGetEdges_v2(
    hGraph: CUgraph,
    from: *mut CUgraphNode,
    to: *mut CUgraphNode,
    edgeData: *mut CUgraphEdgeData,
    numEdges: *mut usize,
) -> CUresult {
    call!(driver.cuGraphGetEdges_v2(hGraph, from, to, edgeData, numEdges))
}

/// Graph Management, in drivers since CUDA 12.3.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: [`cuGraphNodeGetDependencies`](fn@crate::cuGraphNodeGetDependencies) (10.0) → **`cuGraphNodeGetDependencies_v2`** (12.3)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphNodeGetDependencies_v2(
    hNode: CUgraphNode,
    dependencies: *mut CUgraphNode,
    edgeData: *mut CUgraphEdgeData,
    numDependencies: *mut usize,
) -> CUresult {
    call!(driver.cuGraphNodeGetDependencies_v2(hNode, dependencies, edgeData, numDependencies))
}

/// Graph Management, in drivers since CUDA 12.3.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: [`cuGraphNodeGetDependentNodes`](fn@crate::cuGraphNodeGetDependentNodes) (10.0) → **`cuGraphNodeGetDependentNodes_v2`** (12.3)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphNodeGetDependentNodes_v2(
    hNode: CUgraphNode,
    dependentNodes: *mut CUgraphNode,
    edgeData: *mut CUgraphEdgeData,
    numDependentNodes: *mut usize,
) -> CUresult {
    call!(driver.cuGraphNodeGetDependentNodes_v2(hNode, dependentNodes, edgeData, numDependentNodes))
}

/// Graph Management, in drivers since CUDA 12.3.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: [`cuGraphAddDependencies`](fn@crate::cuGraphAddDependencies) (10.0) → **`cuGraphAddDependencies_v2`** (12.3)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphAddDependencies_v2(
    hGraph: CUgraph,
    from: *const CUgraphNode,
    to: *const CUgraphNode,
    edgeData: *const CUgraphEdgeData,
    numDependencies: usize,
) -> CUresult {
    call!(driver.cuGraphAddDependencies_v2(hGraph, from, to, edgeData, numDependencies))
}

/// Graph Management, in drivers since CUDA 12.3.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: [`cuGraphRemoveDependencies`](fn@crate::cuGraphRemoveDependencies) (10.0) → **`cuGraphRemoveDependencies_v2`** (12.3)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphRemoveDependencies_v2(
    hGraph: CUgraph,
    from: *const CUgraphNode,
    to: *const CUgraphNode,
    edgeData: *const CUgraphEdgeData,
    numDependencies: usize,
) -> CUresult {
    call!(driver.cuGraphRemoveDependencies_v2(hGraph, from, to, edgeData, numDependencies))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphDestroyNode(hNode: CUgraphNode) -> CUresult {
    call!(driver.cuGraphDestroyNode(hNode))
}

/// Graph Management, in drivers since CUDA 11.4.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphInstantiateWithFlags(
    phGraphExec: *mut CUgraphExec,
    hGraph: CUgraph,
    flags: c_ulonglong,
) -> CUresult {
    call!(driver.cuGraphInstantiateWithFlags(phGraphExec, hGraph, flags))
}

/// Graph Management, in drivers since CUDA 12.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExecGetFlags(hGraphExec: CUgraphExec, flags: *mut cuuint64_t) -> CUresult {
    call!(driver.cuGraphExecGetFlags(hGraphExec, flags))
}

/// Graph Management, in drivers since CUDA 12.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: [`cuGraphExecKernelNodeSetParams`](fn@crate::cuGraphExecKernelNodeSetParams) (10.1) → **`cuGraphExecKernelNodeSetParams_v2`** (12.0)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExecKernelNodeSetParams_v2(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: *const CUDA_KERNEL_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphExecKernelNodeSetParams_v2(hGraphExec, hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 10.2.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExecMemcpyNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    copyParams: *const CUDA_MEMCPY3D,
    ctx: CUcontext,
) -> CUresult {
    call!(driver.cuGraphExecMemcpyNodeSetParams(hGraphExec, hNode, copyParams, ctx))
}

/// Graph Management, in drivers since CUDA 10.2.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExecMemsetNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    memsetParams: *const CUDA_MEMSET_NODE_PARAMS,
    ctx: CUcontext,
) -> CUresult {
    call!(driver.cuGraphExecMemsetNodeSetParams(hGraphExec, hNode, memsetParams, ctx))
}

/// Graph Management, in drivers since CUDA 10.2.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExecHostNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: *const CUDA_HOST_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphExecHostNodeSetParams(hGraphExec, hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 11.1.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExecChildGraphNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    childGraph: CUgraph,
) -> CUresult {
    call!(driver.cuGraphExecChildGraphNodeSetParams(hGraphExec, hNode, childGraph))
}

/// Graph Management, in drivers since CUDA 11.1.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExecEventRecordNodeSetEvent(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    event: CUevent,
) -> CUresult {
    call!(driver.cuGraphExecEventRecordNodeSetEvent(hGraphExec, hNode, event))
}

/// Graph Management, in drivers since CUDA 11.1.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExecEventWaitNodeSetEvent(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    event: CUevent,
) -> CUresult {
    call!(driver.cuGraphExecEventWaitNodeSetEvent(hGraphExec, hNode, event))
}

/// Graph Management, in drivers since CUDA 11.2.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExecExternalSemaphoresSignalNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: *const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphExecExternalSemaphoresSignalNodeSetParams(hGraphExec, hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 11.2.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExecExternalSemaphoresWaitNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: *const CUDA_EXT_SEM_WAIT_NODE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphExecExternalSemaphoresWaitNodeSetParams(hGraphExec, hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 11.6.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphNodeSetEnabled(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    isEnabled: c_uint,
) -> CUresult {
    call!(driver.cuGraphNodeSetEnabled(hGraphExec, hNode, isEnabled))
}

/// Graph Management, in drivers since CUDA 11.6.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphNodeGetEnabled(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    isEnabled: *mut c_uint,
) -> CUresult {
    call!(driver.cuGraphNodeGetEnabled(hGraphExec, hNode, isEnabled))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExecDestroy(hGraphExec: CUgraphExec) -> CUresult {
    call!(driver.cuGraphExecDestroy(hGraphExec))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphDestroy(hGraph: CUgraph) -> CUresult {
    call!(driver.cuGraphDestroy(hGraph))
}

/// Graph Management, in drivers since CUDA 12.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: [`cuGraphExecUpdate`](fn@crate::cuGraphExecUpdate) (10.2) → **`cuGraphExecUpdate_v2`** (12.0)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExecUpdate_v2(
    hGraphExec: CUgraphExec,
    hGraph: CUgraph,
    resultInfo: *mut CUgraphExecUpdateResultInfo,
) -> CUresult {
    call!(driver.cuGraphExecUpdate_v2(hGraphExec, hGraph, resultInfo))
}

/// Graph Management, in drivers since CUDA 11.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphKernelNodeCopyAttributes(dst: CUgraphNode, src: CUgraphNode) -> CUresult {
    call!(driver.cuGraphKernelNodeCopyAttributes(dst, src))
}

/// Graph Management, in drivers since CUDA 11.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphKernelNodeGetAttribute(
    hNode: CUgraphNode,
    attr: CUkernelNodeAttrID,
    value_out: *mut CUkernelNodeAttrValue,
) -> CUresult {
    call!(driver.cuGraphKernelNodeGetAttribute(hNode, attr, value_out))
}

/// Graph Management, in drivers since CUDA 11.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphKernelNodeSetAttribute(
    hNode: CUgraphNode,
    attr: CUkernelNodeAttrID,
    value: *const CUkernelNodeAttrValue,
) -> CUresult {
    call!(driver.cuGraphKernelNodeSetAttribute(hNode, attr, value))
}

/// Graph Management, in drivers since CUDA 11.3.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphDebugDotPrint(hGraph: CUgraph, path: *const c_char, flags: c_uint) -> CUresult {
    call!(driver.cuGraphDebugDotPrint(hGraph, path, flags))
}

/// Graph Management, in drivers since CUDA 11.3.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuUserObjectCreate(
    object_out: *mut CUuserObject,
    ptr: *mut c_void,
    destroy: CUhostFn,
    initialRefcount: c_uint,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuUserObjectCreate(object_out, ptr, destroy, initialRefcount, flags))
}

/// Graph Management, in drivers since CUDA 11.3.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuUserObjectRetain(object: CUuserObject, count: c_uint) -> CUresult {
    call!(driver.cuUserObjectRetain(object, count))
}

/// Graph Management, in drivers since CUDA 11.3.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuUserObjectRelease(object: CUuserObject, count: c_uint) -> CUresult {
    call!(driver.cuUserObjectRelease(object, count))
}

/// Graph Management, in drivers since CUDA 11.3.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphRetainUserObject(
    graph: CUgraph,
    object: CUuserObject,
    count: c_uint,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuGraphRetainUserObject(graph, object, count, flags))
}

/// Graph Management, in drivers since CUDA 11.3.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphReleaseUserObject(graph: CUgraph, object: CUuserObject, count: c_uint) -> CUresult {
    call!(driver.cuGraphReleaseUserObject(graph, object, count))
}

/// Graph Management, in drivers since CUDA 12.3.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: [`cuGraphAddNode`](fn@crate::cuGraphAddNode) (12.2) → **`cuGraphAddNode_v2`** (12.3) → [`cuGraphAddNode_v3`](fn@crate::cuGraphAddNode_v3) (13.4)
///
/// Superseded: in C programs `cuGraphAddNode` stands for `cuGraphAddNode_v3`.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphAddNode_v2(
    phGraphNode: *mut CUgraphNode,
    hGraph: CUgraph,
    dependencies: *const CUgraphNode,
    dependencyData: *const CUgraphEdgeData,
    numDependencies: usize,
    nodeParams: *mut CUgraphNodeParams,
) -> CUresult {
    call!(driver.cuGraphAddNode_v2(
        phGraphNode,
        hGraph,
        dependencies,
        dependencyData,
        numDependencies,
        nodeParams
    ))
}

/// Graph Management, in drivers since CUDA 13.4.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: [`cuGraphAddNode`](fn@crate::cuGraphAddNode) (12.2) → [`cuGraphAddNode_v2`](fn@crate::cuGraphAddNode_v2) (12.3) → **`cuGraphAddNode_v3`** (13.4)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphAddNode_v3(
    phGraphNode: *mut CUgraphNode,
    hGraph: CUgraph,
    dependencies: *const CUgraphNode,
    dependencyData: *const CUgraphEdgeData,
    numDependencies: usize,
    nodeParams: *mut CUgraphNodeParams,
) -> CUresult {
    call!(driver.cuGraphAddNode_v3(
        phGraphNode,
        hGraph,
        dependencies,
        dependencyData,
        numDependencies,
        nodeParams
    ))
}

/// Graph Management, in drivers since CUDA 12.2.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: **`cuGraphNodeSetParams`** (12.2) → [`cuGraphNodeSetParams_v2`](fn@crate::cuGraphNodeSetParams_v2) (13.4)
///
/// Superseded: in C programs `cuGraphNodeSetParams` stands for `cuGraphNodeSetParams_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphNodeSetParams(hNode: CUgraphNode, nodeParams: *mut CUgraphNodeParams) -> CUresult {
    call!(driver.cuGraphNodeSetParams(hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 13.4.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: [`cuGraphNodeSetParams`](fn@crate::cuGraphNodeSetParams) (12.2) → **`cuGraphNodeSetParams_v2`** (13.4)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphNodeSetParams_v2(hNode: CUgraphNode, nodeParams: *mut CUgraphNodeParams) -> CUresult {
    call!(driver.cuGraphNodeSetParams_v2(hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 13.2.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphNodeGetParams(hNode: CUgraphNode, nodeParams: *mut CUgraphNodeParams) -> CUresult {
    call!(driver.cuGraphNodeGetParams(hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 12.2.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExecNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: *mut CUgraphNodeParams,
) -> CUresult {
    call!(driver.cuGraphExecNodeSetParams(hGraphExec, hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 12.3.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphConditionalHandleCreate(
    pHandle_out: *mut CUgraphConditionalHandle,
    hGraph: CUgraph,
    ctx: CUcontext,
    defaultLaunchValue: c_uint,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuGraphConditionalHandleCreate(pHandle_out, hGraph, ctx, defaultLaunchValue, flags))
}

/// Occupancy, in drivers since CUDA 6.5.
///
/// [CUDA_OCCUPANCY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__OCCUPANCY.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
    numBlocks: *mut c_int,
    func: CUfunction,
    blockSize: c_int,
    dynamicSMemSize: usize,
) -> CUresult {
    call!(driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, func, blockSize, dynamicSMemSize))
}

/// Occupancy, in drivers since CUDA 7.0.
///
/// [CUDA_OCCUPANCY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__OCCUPANCY.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    numBlocks: *mut c_int,
    func: CUfunction,
    blockSize: c_int,
    dynamicSMemSize: usize,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        numBlocks,
        func,
        blockSize,
        dynamicSMemSize,
        flags
    ))
}

/// Occupancy, in drivers since CUDA 6.5.
///
/// [CUDA_OCCUPANCY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__OCCUPANCY.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuOccupancyMaxPotentialBlockSize(
    minGridSize: *mut c_int,
    blockSize: *mut c_int,
    func: CUfunction,
    blockSizeToDynamicSMemSize: CUoccupancyB2DSize,
    dynamicSMemSize: usize,
    blockSizeLimit: c_int,
) -> CUresult {
    call!(driver.cuOccupancyMaxPotentialBlockSize(
        minGridSize,
        blockSize,
        func,
        blockSizeToDynamicSMemSize,
        dynamicSMemSize,
        blockSizeLimit
    ))
}

/// Occupancy, in drivers since CUDA 7.0.
///
/// [CUDA_OCCUPANCY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__OCCUPANCY.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuOccupancyMaxPotentialBlockSizeWithFlags(
    minGridSize: *mut c_int,
    blockSize: *mut c_int,
    func: CUfunction,
    blockSizeToDynamicSMemSize: CUoccupancyB2DSize,
    dynamicSMemSize: usize,
    blockSizeLimit: c_int,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuOccupancyMaxPotentialBlockSizeWithFlags(
        minGridSize,
        blockSize,
        func,
        blockSizeToDynamicSMemSize,
        dynamicSMemSize,
        blockSizeLimit,
        flags
    ))
}

/// Occupancy, in drivers since CUDA 10.2.
///
/// [CUDA_OCCUPANCY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__OCCUPANCY.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuOccupancyAvailableDynamicSMemPerBlock(
    dynamicSmemSize: *mut usize,
    func: CUfunction,
    numBlocks: c_int,
    blockSize: c_int,
) -> CUresult {
    call!(driver.cuOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, func, numBlocks, blockSize))
}

/// Occupancy, in drivers since CUDA 11.7.
///
/// [CUDA_OCCUPANCY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__OCCUPANCY.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuOccupancyMaxPotentialClusterSize(
    clusterSize: *mut c_int,
    func: CUfunction,
    config: *const CUlaunchConfig,
) -> CUresult {
    call!(driver.cuOccupancyMaxPotentialClusterSize(clusterSize, func, config))
}

/// Occupancy, in drivers since CUDA 11.7.
///
/// [CUDA_OCCUPANCY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__OCCUPANCY.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuOccupancyMaxActiveClusters(
    numClusters: *mut c_int,
    func: CUfunction,
    config: *const CUlaunchConfig,
) -> CUresult {
    call!(driver.cuOccupancyMaxActiveClusters(numClusters, func, config))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefSetArray(hTexRef: CUtexref, hArray: CUarray, Flags: c_uint) -> CUresult {
    call!(driver.cuTexRefSetArray(hTexRef, hArray, Flags))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefSetMipmappedArray(
    hTexRef: CUtexref,
    hMipmappedArray: CUmipmappedArray,
    Flags: c_uint,
) -> CUresult {
    call!(driver.cuTexRefSetMipmappedArray(hTexRef, hMipmappedArray, Flags))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 3.2.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Versions: `cuTexRefSetAddress` (2.0, not bound) → **`cuTexRefSetAddress_v2`** (3.2)
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuTexRefSetAddress")]
#[inline]
pub unsafe fn cuTexRefSetAddress_v2(
    ByteOffset: *mut usize,
    hTexRef: CUtexref,
    dptr: CUdeviceptr,
    bytes: usize,
) -> CUresult {
    call!(driver.cuTexRefSetAddress_v2(ByteOffset, hTexRef, dptr, bytes))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 4.1.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Versions: `cuTexRefSetAddress2D` (2.2, not bound) → `cuTexRefSetAddress2D_v2` (3.2, not bound) → **`cuTexRefSetAddress2D_v3`** (4.1)
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuTexRefSetAddress2D")]
#[inline]
pub unsafe fn cuTexRefSetAddress2D_v3(
    hTexRef: CUtexref,
    desc: *const CUDA_ARRAY_DESCRIPTOR,
    dptr: CUdeviceptr,
    Pitch: usize,
) -> CUresult {
    call!(driver.cuTexRefSetAddress2D_v3(hTexRef, desc, dptr, Pitch))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefSetFormat(
    hTexRef: CUtexref,
    fmt: CUarray_format,
    NumPackedComponents: c_int,
) -> CUresult {
    call!(driver.cuTexRefSetFormat(hTexRef, fmt, NumPackedComponents))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefSetAddressMode(hTexRef: CUtexref, dim: c_int, am: CUaddress_mode) -> CUresult {
    call!(driver.cuTexRefSetAddressMode(hTexRef, dim, am))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefSetFilterMode(hTexRef: CUtexref, fm: CUfilter_mode) -> CUresult {
    call!(driver.cuTexRefSetFilterMode(hTexRef, fm))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefSetMipmapFilterMode(hTexRef: CUtexref, fm: CUfilter_mode) -> CUresult {
    call!(driver.cuTexRefSetMipmapFilterMode(hTexRef, fm))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefSetMipmapLevelBias(hTexRef: CUtexref, bias: f32) -> CUresult {
    call!(driver.cuTexRefSetMipmapLevelBias(hTexRef, bias))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefSetMipmapLevelClamp(
    hTexRef: CUtexref,
    minMipmapLevelClamp: f32,
    maxMipmapLevelClamp: f32,
) -> CUresult {
    call!(driver.cuTexRefSetMipmapLevelClamp(hTexRef, minMipmapLevelClamp, maxMipmapLevelClamp))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefSetMaxAnisotropy(hTexRef: CUtexref, maxAniso: c_uint) -> CUresult {
    call!(driver.cuTexRefSetMaxAnisotropy(hTexRef, maxAniso))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 8.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefSetBorderColor(hTexRef: CUtexref, pBorderColor: *mut f32) -> CUresult {
    call!(driver.cuTexRefSetBorderColor(hTexRef, pBorderColor))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefSetFlags(hTexRef: CUtexref, Flags: c_uint) -> CUresult {
    call!(driver.cuTexRefSetFlags(hTexRef, Flags))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 3.2.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Versions: `cuTexRefGetAddress` (2.0, not bound) → **`cuTexRefGetAddress_v2`** (3.2)
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuTexRefGetAddress")]
#[inline]
pub unsafe fn cuTexRefGetAddress_v2(pdptr: *mut CUdeviceptr, hTexRef: CUtexref) -> CUresult {
    call!(driver.cuTexRefGetAddress_v2(pdptr, hTexRef))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefGetArray(phArray: *mut CUarray, hTexRef: CUtexref) -> CUresult {
    call!(driver.cuTexRefGetArray(phArray, hTexRef))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefGetMipmappedArray(
    phMipmappedArray: *mut CUmipmappedArray,
    hTexRef: CUtexref,
) -> CUresult {
    call!(driver.cuTexRefGetMipmappedArray(phMipmappedArray, hTexRef))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefGetAddressMode(pam: *mut CUaddress_mode, hTexRef: CUtexref, dim: c_int) -> CUresult {
    call!(driver.cuTexRefGetAddressMode(pam, hTexRef, dim))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefGetFilterMode(pfm: *mut CUfilter_mode, hTexRef: CUtexref) -> CUresult {
    call!(driver.cuTexRefGetFilterMode(pfm, hTexRef))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefGetFormat(
    pFormat: *mut CUarray_format,
    pNumChannels: *mut c_int,
    hTexRef: CUtexref,
) -> CUresult {
    call!(driver.cuTexRefGetFormat(pFormat, pNumChannels, hTexRef))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefGetMipmapFilterMode(pfm: *mut CUfilter_mode, hTexRef: CUtexref) -> CUresult {
    call!(driver.cuTexRefGetMipmapFilterMode(pfm, hTexRef))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefGetMipmapLevelBias(pbias: *mut f32, hTexRef: CUtexref) -> CUresult {
    call!(driver.cuTexRefGetMipmapLevelBias(pbias, hTexRef))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefGetMipmapLevelClamp(
    pminMipmapLevelClamp: *mut f32,
    pmaxMipmapLevelClamp: *mut f32,
    hTexRef: CUtexref,
) -> CUresult {
    call!(driver.cuTexRefGetMipmapLevelClamp(pminMipmapLevelClamp, pmaxMipmapLevelClamp, hTexRef))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 5.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefGetMaxAnisotropy(pmaxAniso: *mut c_int, hTexRef: CUtexref) -> CUresult {
    call!(driver.cuTexRefGetMaxAnisotropy(pmaxAniso, hTexRef))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 8.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefGetBorderColor(pBorderColor: *mut f32, hTexRef: CUtexref) -> CUresult {
    call!(driver.cuTexRefGetBorderColor(pBorderColor, hTexRef))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefGetFlags(pFlags: *mut c_uint, hTexRef: CUtexref) -> CUresult {
    call!(driver.cuTexRefGetFlags(pFlags, hTexRef))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefCreate(pTexRef: *mut CUtexref) -> CUresult {
    call!(driver.cuTexRefCreate(pTexRef))
}

/// Texture Reference Management (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_TEXREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexRefDestroy(hTexRef: CUtexref) -> CUresult {
    call!(driver.cuTexRefDestroy(hTexRef))
}

/// Surface Reference Management (deprecated), in drivers since CUDA 3.0.
///
/// [CUDA_SURFREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__SURFREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuSurfRefSetArray(hSurfRef: CUsurfref, hArray: CUarray, Flags: c_uint) -> CUresult {
    call!(driver.cuSurfRefSetArray(hSurfRef, hArray, Flags))
}

/// Surface Reference Management (deprecated), in drivers since CUDA 3.0.
///
/// [CUDA_SURFREF_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__SURFREF__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuSurfRefGetArray(phArray: *mut CUarray, hSurfRef: CUsurfref) -> CUresult {
    call!(driver.cuSurfRefGetArray(phArray, hSurfRef))
}

/// Texture Object Management, in drivers since CUDA 5.0.
///
/// [CUDA_TEXOBJECT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXOBJECT.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexObjectCreate(
    pTexObject: *mut CUtexObject,
    pResDesc: *const CUDA_RESOURCE_DESC,
    pTexDesc: *const CUDA_TEXTURE_DESC,
    pResViewDesc: *const CUDA_RESOURCE_VIEW_DESC,
) -> CUresult {
    call!(driver.cuTexObjectCreate(pTexObject, pResDesc, pTexDesc, pResViewDesc))
}

/// Texture Object Management, in drivers since CUDA 5.0.
///
/// [CUDA_TEXOBJECT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXOBJECT.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexObjectDestroy(texObject: CUtexObject) -> CUresult {
    call!(driver.cuTexObjectDestroy(texObject))
}

/// Texture Object Management, in drivers since CUDA 5.0.
///
/// [CUDA_TEXOBJECT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXOBJECT.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexObjectGetResourceDesc(
    pResDesc: *mut CUDA_RESOURCE_DESC,
    texObject: CUtexObject,
) -> CUresult {
    call!(driver.cuTexObjectGetResourceDesc(pResDesc, texObject))
}

/// Texture Object Management, in drivers since CUDA 5.0.
///
/// [CUDA_TEXOBJECT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXOBJECT.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexObjectGetTextureDesc(
    pTexDesc: *mut CUDA_TEXTURE_DESC,
    texObject: CUtexObject,
) -> CUresult {
    call!(driver.cuTexObjectGetTextureDesc(pTexDesc, texObject))
}

/// Texture Object Management, in drivers since CUDA 5.0.
///
/// [CUDA_TEXOBJECT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXOBJECT.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTexObjectGetResourceViewDesc(
    pResViewDesc: *mut CUDA_RESOURCE_VIEW_DESC,
    texObject: CUtexObject,
) -> CUresult {
    call!(driver.cuTexObjectGetResourceViewDesc(pResViewDesc, texObject))
}

/// Surface Object Management, in drivers since CUDA 5.0.
///
/// [CUDA_SURFOBJECT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__SURFOBJECT.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuSurfObjectCreate(
    pSurfObject: *mut CUsurfObject,
    pResDesc: *const CUDA_RESOURCE_DESC,
) -> CUresult {
    call!(driver.cuSurfObjectCreate(pSurfObject, pResDesc))
}

/// Surface Object Management, in drivers since CUDA 5.0.
///
/// [CUDA_SURFOBJECT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__SURFOBJECT.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuSurfObjectDestroy(surfObject: CUsurfObject) -> CUresult {
    call!(driver.cuSurfObjectDestroy(surfObject))
}

/// Surface Object Management, in drivers since CUDA 5.0.
///
/// [CUDA_SURFOBJECT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__SURFOBJECT.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuSurfObjectGetResourceDesc(
    pResDesc: *mut CUDA_RESOURCE_DESC,
    surfObject: CUsurfObject,
) -> CUresult {
    call!(driver.cuSurfObjectGetResourceDesc(pResDesc, surfObject))
}

/// Tensor Map Object Management, in drivers since CUDA 12.0.
///
/// [CUDA_TENSOR_MEMORY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TENSOR__MEMORY.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTensorMapEncodeTiled(
    tensorMap: *mut CUtensorMap,
    tensorDataType: CUtensorMapDataType,
    tensorRank: cuuint32_t,
    globalAddress: *mut c_void,
    globalDim: *const cuuint64_t,
    globalStrides: *const cuuint64_t,
    boxDim: *const cuuint32_t,
    elementStrides: *const cuuint32_t,
    interleave: CUtensorMapInterleave,
    swizzle: CUtensorMapSwizzle,
    l2Promotion: CUtensorMapL2promotion,
    oobFill: CUtensorMapFloatOOBfill,
) -> CUresult {
    call!(driver.cuTensorMapEncodeTiled(
        tensorMap,
        tensorDataType,
        tensorRank,
        globalAddress,
        globalDim,
        globalStrides,
        boxDim,
        elementStrides,
        interleave,
        swizzle,
        l2Promotion,
        oobFill
    ))
}

/// Tensor Map Object Management, in drivers since CUDA 12.0.
///
/// [CUDA_TENSOR_MEMORY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TENSOR__MEMORY.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTensorMapEncodeIm2col(
    tensorMap: *mut CUtensorMap,
    tensorDataType: CUtensorMapDataType,
    tensorRank: cuuint32_t,
    globalAddress: *mut c_void,
    globalDim: *const cuuint64_t,
    globalStrides: *const cuuint64_t,
    pixelBoxLowerCorner: *const c_int,
    pixelBoxUpperCorner: *const c_int,
    channelsPerPixel: cuuint32_t,
    pixelsPerColumn: cuuint32_t,
    elementStrides: *const cuuint32_t,
    interleave: CUtensorMapInterleave,
    swizzle: CUtensorMapSwizzle,
    l2Promotion: CUtensorMapL2promotion,
    oobFill: CUtensorMapFloatOOBfill,
) -> CUresult {
    call!(driver.cuTensorMapEncodeIm2col(
        tensorMap,
        tensorDataType,
        tensorRank,
        globalAddress,
        globalDim,
        globalStrides,
        pixelBoxLowerCorner,
        pixelBoxUpperCorner,
        channelsPerPixel,
        pixelsPerColumn,
        elementStrides,
        interleave,
        swizzle,
        l2Promotion,
        oobFill
    ))
}

/// Tensor Map Object Management, in drivers since CUDA 12.8.
///
/// [CUDA_TENSOR_MEMORY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TENSOR__MEMORY.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTensorMapEncodeIm2colWide(
    tensorMap: *mut CUtensorMap,
    tensorDataType: CUtensorMapDataType,
    tensorRank: cuuint32_t,
    globalAddress: *mut c_void,
    globalDim: *const cuuint64_t,
    globalStrides: *const cuuint64_t,
    pixelBoxLowerCornerWidth: c_int,
    pixelBoxUpperCornerWidth: c_int,
    channelsPerPixel: cuuint32_t,
    pixelsPerColumn: cuuint32_t,
    elementStrides: *const cuuint32_t,
    interleave: CUtensorMapInterleave,
    mode: CUtensorMapIm2ColWideMode,
    swizzle: CUtensorMapSwizzle,
    l2Promotion: CUtensorMapL2promotion,
    oobFill: CUtensorMapFloatOOBfill,
) -> CUresult {
    call!(driver.cuTensorMapEncodeIm2colWide(
        tensorMap,
        tensorDataType,
        tensorRank,
        globalAddress,
        globalDim,
        globalStrides,
        pixelBoxLowerCornerWidth,
        pixelBoxUpperCornerWidth,
        channelsPerPixel,
        pixelsPerColumn,
        elementStrides,
        interleave,
        mode,
        swizzle,
        l2Promotion,
        oobFill
    ))
}

/// Tensor Map Object Management, in drivers since CUDA 12.0.
///
/// [CUDA_TENSOR_MEMORY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TENSOR__MEMORY.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTensorMapReplaceAddress(tensorMap: *mut CUtensorMap, globalAddress: *mut c_void) -> CUresult {
    call!(driver.cuTensorMapReplaceAddress(tensorMap, globalAddress))
}

/// Tensor Map Object Management, in drivers since CUDA 13.5.
///
/// [CUDA_TENSOR_MEMORY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TENSOR__MEMORY.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuTensorMapSetAllocationClass(
    tensorMap: *mut CUtensorMap,
    allocClass: CUtensorMapAllocClass,
    outAllocClass: *mut CUtensorMapAllocClass,
) -> CUresult {
    call!(driver.cuTensorMapSetAllocationClass(tensorMap, allocClass, outAllocClass))
}

/// Peer Context Memory Access, in drivers since CUDA 4.0.
///
/// [CUDA_PEER_ACCESS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PEER__ACCESS.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceCanAccessPeer(canAccessPeer: *mut c_int, dev: CUdevice, peerDev: CUdevice) -> CUresult {
    call!(driver.cuDeviceCanAccessPeer(canAccessPeer, dev, peerDev))
}

/// Peer Context Memory Access, in drivers since CUDA 4.0.
///
/// [CUDA_PEER_ACCESS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PEER__ACCESS.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxEnablePeerAccess(peerContext: CUcontext, Flags: c_uint) -> CUresult {
    call!(driver.cuCtxEnablePeerAccess(peerContext, Flags))
}

/// Peer Context Memory Access, in drivers since CUDA 4.0.
///
/// [CUDA_PEER_ACCESS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PEER__ACCESS.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxDisablePeerAccess(peerContext: CUcontext) -> CUresult {
    call!(driver.cuCtxDisablePeerAccess(peerContext))
}

/// Peer Context Memory Access, in drivers since CUDA 8.0.
///
/// [CUDA_PEER_ACCESS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PEER__ACCESS.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetP2PAttribute(
    value: *mut c_int,
    attrib: CUdevice_P2PAttribute,
    srcDevice: CUdevice,
    dstDevice: CUdevice,
) -> CUresult {
    call!(driver.cuDeviceGetP2PAttribute(value, attrib, srcDevice, dstDevice))
}

/// Peer Context Memory Access, in drivers since CUDA 13.0.
///
/// [CUDA_PEER_ACCESS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PEER__ACCESS.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetP2PAtomicCapabilities(
    capabilities: *mut c_uint,
    operations: *const CUatomicOperation,
    count: c_uint,
    srcDevice: CUdevice,
    dstDevice: CUdevice,
) -> CUresult {
    call!(driver.cuDeviceGetP2PAtomicCapabilities(capabilities, operations, count, srcDevice, dstDevice))
}

/// Graphics Interoperability, in drivers since CUDA 3.0.
///
/// [CUDA_GRAPHICS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPHICS.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphicsUnregisterResource(resource: CUgraphicsResource) -> CUresult {
    call!(driver.cuGraphicsUnregisterResource(resource))
}

/// Graphics Interoperability, in drivers since CUDA 3.0.
///
/// [CUDA_GRAPHICS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPHICS.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphicsSubResourceGetMappedArray(
    pArray: *mut CUarray,
    resource: CUgraphicsResource,
    arrayIndex: c_uint,
    mipLevel: c_uint,
) -> CUresult {
    call!(driver.cuGraphicsSubResourceGetMappedArray(pArray, resource, arrayIndex, mipLevel))
}

/// Graphics Interoperability, in drivers since CUDA 5.0.
///
/// [CUDA_GRAPHICS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPHICS.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphicsResourceGetMappedMipmappedArray(
    pMipmappedArray: *mut CUmipmappedArray,
    resource: CUgraphicsResource,
) -> CUresult {
    call!(driver.cuGraphicsResourceGetMappedMipmappedArray(pMipmappedArray, resource))
}

/// Graphics Interoperability, in drivers since CUDA 3.2.
///
/// [CUDA_GRAPHICS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPHICS.html) in NVIDIA's documentation.
///
/// Versions: `cuGraphicsResourceGetMappedPointer` (3.0, not bound) → **`cuGraphicsResourceGetMappedPointer_v2`** (3.2)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuGraphicsResourceGetMappedPointer")]
#[inline]
pub unsafe fn cuGraphicsResourceGetMappedPointer_v2(
    pDevPtr: *mut CUdeviceptr,
    pSize: *mut usize,
    resource: CUgraphicsResource,
) -> CUresult {
    call!(driver.cuGraphicsResourceGetMappedPointer_v2(pDevPtr, pSize, resource))
}

/// Graphics Interoperability, in drivers since CUDA 6.5.
///
/// [CUDA_GRAPHICS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPHICS.html) in NVIDIA's documentation.
///
/// Versions: `cuGraphicsResourceSetMapFlags` (3.0, not bound) → **`cuGraphicsResourceSetMapFlags_v2`** (6.5)
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuGraphicsResourceSetMapFlags")]
#[inline]
pub unsafe fn cuGraphicsResourceSetMapFlags_v2(resource: CUgraphicsResource, flags: c_uint) -> CUresult {
    call!(driver.cuGraphicsResourceSetMapFlags_v2(resource, flags))
}

/// Driver Entry Point Access, in drivers since CUDA 12.0.
///
/// [CUDA_DRIVER_ENTRY_POINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DRIVER__ENTRY__POINT.html) in NVIDIA's documentation.
///
/// Versions: [`cuGetProcAddress`](fn@crate::cuGetProcAddress) (11.3) → **`cuGetProcAddress_v2`** (12.0)
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGetProcAddress_v2(
    symbol: *const c_char,
    pfn: *mut *mut c_void,
    cudaVersion: c_int,
    flags: cuuint64_t,
    symbolStatus: *mut CUdriverProcAddressQueryResult,
) -> CUresult {
    call!(driver.cuGetProcAddress_v2(symbol, pfn, cudaVersion, flags, symbolStatus))
}

/// Coredump Attributes Control API, in drivers since CUDA 12.1.
///
/// [CUDA_COREDUMP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__COREDUMP.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCoredumpGetAttribute(
    attrib: CUcoredumpSettings,
    value: *mut c_void,
    size: *mut usize,
) -> CUresult {
    call!(driver.cuCoredumpGetAttribute(attrib, value, size))
}

/// Coredump Attributes Control API, in drivers since CUDA 12.1.
///
/// [CUDA_COREDUMP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__COREDUMP.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCoredumpGetAttributeGlobal(
    attrib: CUcoredumpSettings,
    value: *mut c_void,
    size: *mut usize,
) -> CUresult {
    call!(driver.cuCoredumpGetAttributeGlobal(attrib, value, size))
}

/// Coredump Attributes Control API, in drivers since CUDA 12.1.
///
/// [CUDA_COREDUMP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__COREDUMP.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCoredumpSetAttribute(
    attrib: CUcoredumpSettings,
    value: *mut c_void,
    size: *mut usize,
) -> CUresult {
    call!(driver.cuCoredumpSetAttribute(attrib, value, size))
}

/// Coredump Attributes Control API, in drivers since CUDA 12.1.
///
/// [CUDA_COREDUMP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__COREDUMP.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCoredumpSetAttributeGlobal(
    attrib: CUcoredumpSettings,
    value: *mut c_void,
    size: *mut usize,
) -> CUresult {
    call!(driver.cuCoredumpSetAttributeGlobal(attrib, value, size))
}

/// Coredump Attributes Control API, in drivers since CUDA 13.2.
///
/// [CUDA_COREDUMP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__COREDUMP.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCoredumpRegisterStartCallback(
    callback: CUcoredumpStatusCallback,
    userData: *mut c_void,
    callbackOut: *mut CUcoredumpCallbackHandle,
) -> CUresult {
    call!(driver.cuCoredumpRegisterStartCallback(callback, userData, callbackOut))
}

/// Coredump Attributes Control API, in drivers since CUDA 13.2.
///
/// [CUDA_COREDUMP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__COREDUMP.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCoredumpRegisterCompleteCallback(
    callback: CUcoredumpStatusCallback,
    userData: *mut c_void,
    callbackOut: *mut CUcoredumpCallbackHandle,
) -> CUresult {
    call!(driver.cuCoredumpRegisterCompleteCallback(callback, userData, callbackOut))
}

/// Coredump Attributes Control API, in drivers since CUDA 13.2.
///
/// [CUDA_COREDUMP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__COREDUMP.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCoredumpDeregisterStartCallback(callback: CUcoredumpCallbackHandle) -> CUresult {
    call!(driver.cuCoredumpDeregisterStartCallback(callback))
}

/// Coredump Attributes Control API, in drivers since CUDA 13.2.
///
/// [CUDA_COREDUMP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__COREDUMP.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCoredumpDeregisterCompleteCallback(callback: CUcoredumpCallbackHandle) -> CUresult {
    call!(driver.cuCoredumpDeregisterCompleteCallback(callback))
}

/// CUDA Driver API, in drivers since CUDA 3.0.
///
/// [CUDA_DRIVER](https://docs.nvidia.com/cuda/cuda-driver-api/index.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGetExportTable(ppExportTable: *mut *const c_void, pExportTableId: *const CUuuid) -> CUresult {
    call!(driver.cuGetExportTable(ppExportTable, pExportTableId))
}

/// Green Contexts, in drivers since CUDA 12.4.
///
/// [CUDA_GREEN_CONTEXTS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GREEN__CONTEXTS.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGreenCtxCreate(
    phCtx: *mut CUgreenCtx,
    desc: CUdevResourceDesc,
    dev: CUdevice,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuGreenCtxCreate(phCtx, desc, dev, flags))
}

/// Green Contexts, in drivers since CUDA 12.4.
///
/// [CUDA_GREEN_CONTEXTS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GREEN__CONTEXTS.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGreenCtxDestroy(hCtx: CUgreenCtx) -> CUresult {
    call!(driver.cuGreenCtxDestroy(hCtx))
}

/// Green Contexts, in drivers since CUDA 12.4.
///
/// [CUDA_GREEN_CONTEXTS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GREEN__CONTEXTS.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxFromGreenCtx(pContext: *mut CUcontext, hCtx: CUgreenCtx) -> CUresult {
    call!(driver.cuCtxFromGreenCtx(pContext, hCtx))
}

/// Green Contexts, in drivers since CUDA 12.4.
///
/// [CUDA_GREEN_CONTEXTS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GREEN__CONTEXTS.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetDevResource(
    device: CUdevice,
    resource: *mut CUdevResource,
    type_: CUdevResourceType,
) -> CUresult {
    call!(driver.cuDeviceGetDevResource(device, resource, type_))
}

/// Green Contexts, in drivers since CUDA 12.4.
///
/// [CUDA_GREEN_CONTEXTS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GREEN__CONTEXTS.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxGetDevResource(
    hCtx: CUcontext,
    resource: *mut CUdevResource,
    type_: CUdevResourceType,
) -> CUresult {
    call!(driver.cuCtxGetDevResource(hCtx, resource, type_))
}

/// Green Contexts, in drivers since CUDA 12.4.
///
/// [CUDA_GREEN_CONTEXTS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GREEN__CONTEXTS.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGreenCtxGetDevResource(
    hCtx: CUgreenCtx,
    resource: *mut CUdevResource,
    type_: CUdevResourceType,
) -> CUresult {
    call!(driver.cuGreenCtxGetDevResource(hCtx, resource, type_))
}

/// Green Contexts, in drivers since CUDA 12.4.
///
/// [CUDA_GREEN_CONTEXTS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GREEN__CONTEXTS.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDevSmResourceSplitByCount(
    result: *mut CUdevResource,
    nbGroups: *mut c_uint,
    input: *const CUdevResource,
    remainder: *mut CUdevResource,
    flags: c_uint,
    minCount: c_uint,
) -> CUresult {
    call!(driver.cuDevSmResourceSplitByCount(result, nbGroups, input, remainder, flags, minCount))
}

/// Green Contexts, in drivers since CUDA 13.1.
///
/// [CUDA_GREEN_CONTEXTS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GREEN__CONTEXTS.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDevSmResourceSplit(
    result: *mut CUdevResource,
    nbGroups: c_uint,
    input: *const CUdevResource,
    remainder: *mut CUdevResource,
    flags: c_uint,
    groupParams: *mut CU_DEV_SM_RESOURCE_GROUP_PARAMS,
) -> CUresult {
    call!(driver.cuDevSmResourceSplit(result, nbGroups, input, remainder, flags, groupParams))
}

/// Green Contexts, in drivers since CUDA 12.4.
///
/// [CUDA_GREEN_CONTEXTS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GREEN__CONTEXTS.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDevResourceGenerateDesc(
    phDesc: *mut CUdevResourceDesc,
    resources: *mut CUdevResource,
    nbResources: c_uint,
) -> CUresult {
    call!(driver.cuDevResourceGenerateDesc(phDesc, resources, nbResources))
}

/// Green Contexts, in drivers since CUDA 12.4.
///
/// [CUDA_GREEN_CONTEXTS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GREEN__CONTEXTS.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGreenCtxRecordEvent(hCtx: CUgreenCtx, hEvent: CUevent) -> CUresult {
    call!(driver.cuGreenCtxRecordEvent(hCtx, hEvent))
}

/// Green Contexts, in drivers since CUDA 12.4.
///
/// [CUDA_GREEN_CONTEXTS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GREEN__CONTEXTS.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGreenCtxWaitEvent(hCtx: CUgreenCtx, hEvent: CUevent) -> CUresult {
    call!(driver.cuGreenCtxWaitEvent(hCtx, hEvent))
}

/// Green Contexts, in drivers since CUDA 12.4.
///
/// [CUDA_GREEN_CONTEXTS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GREEN__CONTEXTS.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetGreenCtx(hStream: CUstream, phCtx: *mut CUgreenCtx) -> CUresult {
    call!(driver.cuStreamGetGreenCtx(hStream, phCtx))
}

/// Green Contexts, in drivers since CUDA 12.5.
///
/// [CUDA_GREEN_CONTEXTS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GREEN__CONTEXTS.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGreenCtxStreamCreate(
    phStream: *mut CUstream,
    greenCtx: CUgreenCtx,
    flags: c_uint,
    priority: c_int,
) -> CUresult {
    call!(driver.cuGreenCtxStreamCreate(phStream, greenCtx, flags, priority))
}

/// Green Contexts, in drivers since CUDA 12.9.
///
/// [CUDA_GREEN_CONTEXTS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GREEN__CONTEXTS.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGreenCtxGetId(greenCtx: CUgreenCtx, greenCtxId: *mut c_ulonglong) -> CUresult {
    call!(driver.cuGreenCtxGetId(greenCtx, greenCtxId))
}

/// Error Log Management Functions, in drivers since CUDA 12.9.
///
/// [CUDA_LOGS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LOGS.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLogsRegisterCallback(
    callbackFunc: CUlogsCallback,
    userData: *mut c_void,
    callback_out: *mut CUlogsCallbackHandle,
) -> CUresult {
    call!(driver.cuLogsRegisterCallback(callbackFunc, userData, callback_out))
}

/// Error Log Management Functions, in drivers since CUDA 12.9.
///
/// [CUDA_LOGS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LOGS.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLogsUnregisterCallback(callback: CUlogsCallbackHandle) -> CUresult {
    call!(driver.cuLogsUnregisterCallback(callback))
}

/// Error Log Management Functions, in drivers since CUDA 12.9.
///
/// [CUDA_LOGS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LOGS.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLogsCurrent(iterator_out: *mut CUlogIterator, flags: c_uint) -> CUresult {
    call!(driver.cuLogsCurrent(iterator_out, flags))
}

/// Error Log Management Functions, in drivers since CUDA 12.9.
///
/// [CUDA_LOGS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LOGS.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLogsDumpToFile(
    iterator: *mut CUlogIterator,
    pathToFile: *const c_char,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuLogsDumpToFile(iterator, pathToFile, flags))
}

/// Error Log Management Functions, in drivers since CUDA 12.9.
///
/// [CUDA_LOGS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LOGS.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLogsDumpToMemory(
    iterator: *mut CUlogIterator,
    buffer: *mut c_char,
    size: *mut usize,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuLogsDumpToMemory(iterator, buffer, size, flags))
}

/// Context Management, in drivers since CUDA 3.2.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Versions: `cuCtxCreate` (2.0, not bound) → **`cuCtxCreate_v2`** (3.2) → [`cuCtxCreate_v3`](fn@crate::cuCtxCreate_v3) (11.4) → [`cuCtxCreate_v4`](fn@crate::cuCtxCreate_v4) (12.5)
///
/// Superseded: in C programs `cuCtxCreate` stands for `cuCtxCreate_v4`.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuCtxCreate")]
#[inline]
pub unsafe fn cuCtxCreate_v2(pctx: *mut CUcontext, flags: c_uint, dev: CUdevice) -> CUresult {
    call!(driver.cuCtxCreate_v2(pctx, flags, dev))
}

/// Context Management, in drivers since CUDA 11.4.
///
/// [CUDA_CTX](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html) in NVIDIA's documentation.
///
/// Versions: `cuCtxCreate` (2.0, not bound) → [`cuCtxCreate_v2`](fn@crate::cuCtxCreate_v2) (3.2) → **`cuCtxCreate_v3`** (11.4) → [`cuCtxCreate_v4`](fn@crate::cuCtxCreate_v4) (12.5)
///
/// Superseded: in C programs `cuCtxCreate` stands for `cuCtxCreate_v4`.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCtxCreate_v3(
    pctx: *mut CUcontext,
    paramsArray: *mut CUexecAffinityParam,
    numParams: c_int,
    flags: c_uint,
    dev: CUdevice,
) -> CUresult {
    call!(driver.cuCtxCreate_v3(pctx, paramsArray, numParams, flags, dev))
}

/// Event Management, in drivers since CUDA 2.0.
///
/// [CUDA_EVENT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html) in NVIDIA's documentation.
///
/// Versions: **`cuEventElapsedTime`** (2.0) → [`cuEventElapsedTime_v2`](fn@crate::cuEventElapsedTime_v2) (12.8)
///
/// Superseded: in C programs `cuEventElapsedTime` stands for `cuEventElapsedTime_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuEventElapsedTime(pMilliseconds: *mut f32, hStart: CUevent, hEnd: CUevent) -> CUresult {
    call!(driver.cuEventElapsedTime(pMilliseconds, hStart, hEnd))
}

/// Device Management, in drivers since CUDA 9.2.
///
/// [CUDA_DEVICE](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html) in NVIDIA's documentation.
///
/// Versions: **`cuDeviceGetUuid`** (9.2) → [`cuDeviceGetUuid_v2`](fn@crate::cuDeviceGetUuid_v2) (11.4)
///
/// Superseded: in C programs `cuDeviceGetUuid` stands for `cuDeviceGetUuid_v2`.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuDeviceGetUuid(uuid: *mut CUuuid, dev: CUdevice) -> CUresult {
    call!(driver.cuDeviceGetUuid(uuid, dev))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemcpyHtoD` (2.0, not bound) → **`cuMemcpyHtoD_v2`** (3.2)
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemcpyHtoD_v2_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemcpyHtoD")]
#[inline]
pub unsafe fn cuMemcpyHtoD_v2(dstDevice: CUdeviceptr, srcHost: *const c_void, ByteCount: usize) -> CUresult {
    call!(driver.cuMemcpyHtoD_v2(dstDevice, srcHost, ByteCount))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemcpyDtoH` (2.0, not bound) → **`cuMemcpyDtoH_v2`** (3.2)
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemcpyDtoH_v2_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemcpyDtoH")]
#[inline]
pub unsafe fn cuMemcpyDtoH_v2(dstHost: *mut c_void, srcDevice: CUdeviceptr, ByteCount: usize) -> CUresult {
    call!(driver.cuMemcpyDtoH_v2(dstHost, srcDevice, ByteCount))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemcpyDtoD` (2.0, not bound) → **`cuMemcpyDtoD_v2`** (3.2)
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemcpyDtoD_v2_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemcpyDtoD")]
#[inline]
pub unsafe fn cuMemcpyDtoD_v2(dstDevice: CUdeviceptr, srcDevice: CUdeviceptr, ByteCount: usize) -> CUresult {
    call!(driver.cuMemcpyDtoD_v2(dstDevice, srcDevice, ByteCount))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemcpyDtoA` (2.0, not bound) → **`cuMemcpyDtoA_v2`** (3.2)
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemcpyDtoA_v2_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemcpyDtoA")]
#[inline]
pub unsafe fn cuMemcpyDtoA_v2(
    dstArray: CUarray,
    dstOffset: usize,
    srcDevice: CUdeviceptr,
    ByteCount: usize,
) -> CUresult {
    call!(driver.cuMemcpyDtoA_v2(dstArray, dstOffset, srcDevice, ByteCount))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemcpyAtoD` (2.0, not bound) → **`cuMemcpyAtoD_v2`** (3.2)
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemcpyAtoD_v2_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemcpyAtoD")]
#[inline]
pub unsafe fn cuMemcpyAtoD_v2(
    dstDevice: CUdeviceptr,
    srcArray: CUarray,
    srcOffset: usize,
    ByteCount: usize,
) -> CUresult {
    call!(driver.cuMemcpyAtoD_v2(dstDevice, srcArray, srcOffset, ByteCount))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemcpyHtoA` (2.0, not bound) → **`cuMemcpyHtoA_v2`** (3.2)
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemcpyHtoA_v2_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemcpyHtoA")]
#[inline]
pub unsafe fn cuMemcpyHtoA_v2(
    dstArray: CUarray,
    dstOffset: usize,
    srcHost: *const c_void,
    ByteCount: usize,
) -> CUresult {
    call!(driver.cuMemcpyHtoA_v2(dstArray, dstOffset, srcHost, ByteCount))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemcpyAtoH` (2.0, not bound) → **`cuMemcpyAtoH_v2`** (3.2)
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemcpyAtoH_v2_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemcpyAtoH")]
#[inline]
pub unsafe fn cuMemcpyAtoH_v2(
    dstHost: *mut c_void,
    srcArray: CUarray,
    srcOffset: usize,
    ByteCount: usize,
) -> CUresult {
    call!(driver.cuMemcpyAtoH_v2(dstHost, srcArray, srcOffset, ByteCount))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemcpyAtoA` (2.0, not bound) → **`cuMemcpyAtoA_v2`** (3.2)
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemcpyAtoA_v2_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemcpyAtoA")]
#[inline]
pub unsafe fn cuMemcpyAtoA_v2(
    dstArray: CUarray,
    dstOffset: usize,
    srcArray: CUarray,
    srcOffset: usize,
    ByteCount: usize,
) -> CUresult {
    call!(driver.cuMemcpyAtoA_v2(dstArray, dstOffset, srcArray, srcOffset, ByteCount))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemcpyHtoAAsync` (2.0, not bound) → **`cuMemcpyHtoAAsync_v2`** (3.2)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemcpyHtoAAsync_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemcpyHtoAAsync")]
#[inline]
pub unsafe fn cuMemcpyHtoAAsync_v2(
    dstArray: CUarray,
    dstOffset: usize,
    srcHost: *const c_void,
    ByteCount: usize,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemcpyHtoAAsync_v2(dstArray, dstOffset, srcHost, ByteCount, hStream))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemcpyAtoHAsync` (2.0, not bound) → **`cuMemcpyAtoHAsync_v2`** (3.2)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemcpyAtoHAsync_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemcpyAtoHAsync")]
#[inline]
pub unsafe fn cuMemcpyAtoHAsync_v2(
    dstHost: *mut c_void,
    srcArray: CUarray,
    srcOffset: usize,
    ByteCount: usize,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemcpyAtoHAsync_v2(dstHost, srcArray, srcOffset, ByteCount, hStream))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemcpy2D` (2.0, not bound) → **`cuMemcpy2D_v2`** (3.2)
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemcpy2D_v2_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemcpy2D")]
#[inline]
pub unsafe fn cuMemcpy2D_v2(pCopy: *const CUDA_MEMCPY2D) -> CUresult {
    call!(driver.cuMemcpy2D_v2(pCopy))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemcpy2DUnaligned` (2.0, not bound) → **`cuMemcpy2DUnaligned_v2`** (3.2)
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemcpy2DUnaligned_v2_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemcpy2DUnaligned")]
#[inline]
pub unsafe fn cuMemcpy2DUnaligned_v2(pCopy: *const CUDA_MEMCPY2D) -> CUresult {
    call!(driver.cuMemcpy2DUnaligned_v2(pCopy))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemcpy3D` (2.0, not bound) → **`cuMemcpy3D_v2`** (3.2)
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemcpy3D_v2_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemcpy3D")]
#[inline]
pub unsafe fn cuMemcpy3D_v2(pCopy: *const CUDA_MEMCPY3D) -> CUresult {
    call!(driver.cuMemcpy3D_v2(pCopy))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemcpyHtoDAsync` (2.0, not bound) → **`cuMemcpyHtoDAsync_v2`** (3.2)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemcpyHtoDAsync_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemcpyHtoDAsync")]
#[inline]
pub unsafe fn cuMemcpyHtoDAsync_v2(
    dstDevice: CUdeviceptr,
    srcHost: *const c_void,
    ByteCount: usize,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemcpyHtoDAsync_v2(dstDevice, srcHost, ByteCount, hStream))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemcpyDtoHAsync` (2.0, not bound) → **`cuMemcpyDtoHAsync_v2`** (3.2)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemcpyDtoHAsync_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemcpyDtoHAsync")]
#[inline]
pub unsafe fn cuMemcpyDtoHAsync_v2(
    dstHost: *mut c_void,
    srcDevice: CUdeviceptr,
    ByteCount: usize,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemcpyDtoHAsync_v2(dstHost, srcDevice, ByteCount, hStream))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemcpyDtoDAsync` (3.0, not bound) → **`cuMemcpyDtoDAsync_v2`** (3.2)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemcpyDtoDAsync_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemcpyDtoDAsync")]
#[inline]
pub unsafe fn cuMemcpyDtoDAsync_v2(
    dstDevice: CUdeviceptr,
    srcDevice: CUdeviceptr,
    ByteCount: usize,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemcpyDtoDAsync_v2(dstDevice, srcDevice, ByteCount, hStream))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemcpy2DAsync` (2.0, not bound) → **`cuMemcpy2DAsync_v2`** (3.2)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemcpy2DAsync_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemcpy2DAsync")]
#[inline]
pub unsafe fn cuMemcpy2DAsync_v2(pCopy: *const CUDA_MEMCPY2D, hStream: CUstream) -> CUresult {
    call!(driver.cuMemcpy2DAsync_v2(pCopy, hStream))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemcpy3DAsync` (2.0, not bound) → **`cuMemcpy3DAsync_v2`** (3.2)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemcpy3DAsync_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemcpy3DAsync")]
#[inline]
pub unsafe fn cuMemcpy3DAsync_v2(pCopy: *const CUDA_MEMCPY3D, hStream: CUstream) -> CUresult {
    call!(driver.cuMemcpy3DAsync_v2(pCopy, hStream))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemsetD8` (2.0, not bound) → **`cuMemsetD8_v2`** (3.2)
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemsetD8_v2_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemsetD8")]
#[inline]
pub unsafe fn cuMemsetD8_v2(dstDevice: CUdeviceptr, uc: c_uchar, N: usize) -> CUresult {
    call!(driver.cuMemsetD8_v2(dstDevice, uc, N))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemsetD16` (2.0, not bound) → **`cuMemsetD16_v2`** (3.2)
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemsetD16_v2_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemsetD16")]
#[inline]
pub unsafe fn cuMemsetD16_v2(dstDevice: CUdeviceptr, us: c_ushort, N: usize) -> CUresult {
    call!(driver.cuMemsetD16_v2(dstDevice, us, N))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemsetD32` (2.0, not bound) → **`cuMemsetD32_v2`** (3.2)
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemsetD32_v2_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemsetD32")]
#[inline]
pub unsafe fn cuMemsetD32_v2(dstDevice: CUdeviceptr, ui: c_uint, N: usize) -> CUresult {
    call!(driver.cuMemsetD32_v2(dstDevice, ui, N))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemsetD2D8` (2.0, not bound) → **`cuMemsetD2D8_v2`** (3.2)
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemsetD2D8_v2_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemsetD2D8")]
#[inline]
pub unsafe fn cuMemsetD2D8_v2(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    uc: c_uchar,
    Width: usize,
    Height: usize,
) -> CUresult {
    call!(driver.cuMemsetD2D8_v2(dstDevice, dstPitch, uc, Width, Height))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemsetD2D16` (2.0, not bound) → **`cuMemsetD2D16_v2`** (3.2)
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemsetD2D16_v2_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemsetD2D16")]
#[inline]
pub unsafe fn cuMemsetD2D16_v2(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    us: c_ushort,
    Width: usize,
    Height: usize,
) -> CUresult {
    call!(driver.cuMemsetD2D16_v2(dstDevice, dstPitch, us, Width, Height))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: `cuMemsetD2D32` (2.0, not bound) → **`cuMemsetD2D32_v2`** (3.2)
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemsetD2D32_v2_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuMemsetD2D32")]
#[inline]
pub unsafe fn cuMemsetD2D32_v2(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    ui: c_uint,
    Width: usize,
    Height: usize,
) -> CUresult {
    call!(driver.cuMemsetD2D32_v2(dstDevice, dstPitch, ui, Width, Height))
}

/// Memory Management, in drivers since CUDA 4.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemcpy_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpy(dst: CUdeviceptr, src: CUdeviceptr, ByteCount: usize) -> CUresult {
    call!(driver.cuMemcpy(dst, src, ByteCount))
}

/// Memory Management, in drivers since CUDA 4.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemcpyAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyAsync(
    dst: CUdeviceptr,
    src: CUdeviceptr,
    ByteCount: usize,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemcpyAsync(dst, src, ByteCount, hStream))
}

/// Memory Management, in drivers since CUDA 4.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemcpyPeer_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyPeer(
    dstDevice: CUdeviceptr,
    dstContext: CUcontext,
    srcDevice: CUdeviceptr,
    srcContext: CUcontext,
    ByteCount: usize,
) -> CUresult {
    call!(driver.cuMemcpyPeer(dstDevice, dstContext, srcDevice, srcContext, ByteCount))
}

/// Memory Management, in drivers since CUDA 4.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemcpyPeerAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyPeerAsync(
    dstDevice: CUdeviceptr,
    dstContext: CUcontext,
    srcDevice: CUdeviceptr,
    srcContext: CUcontext,
    ByteCount: usize,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemcpyPeerAsync(dstDevice, dstContext, srcDevice, srcContext, ByteCount, hStream))
}

/// Memory Management, in drivers since CUDA 4.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuMemcpy3DPeer_ptds`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpy3DPeer(pCopy: *const CUDA_MEMCPY3D_PEER) -> CUresult {
    call!(driver.cuMemcpy3DPeer(pCopy))
}

/// Memory Management, in drivers since CUDA 4.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemcpy3DPeerAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpy3DPeerAsync(pCopy: *const CUDA_MEMCPY3D_PEER, hStream: CUstream) -> CUresult {
    call!(driver.cuMemcpy3DPeerAsync(pCopy, hStream))
}

/// Memory Management, in drivers since CUDA 12.8.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: **`cuMemcpyBatchAsync`** (12.8) → [`cuMemcpyBatchAsync_v2`](fn@crate::cuMemcpyBatchAsync_v2) (13.0)
///
/// Superseded: in C programs `cuMemcpyBatchAsync` stands for `cuMemcpyBatchAsync_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemcpyBatchAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyBatchAsync(
    dsts: *mut CUdeviceptr,
    srcs: *mut CUdeviceptr,
    sizes: *mut usize,
    count: usize,
    attrs: *mut CUmemcpyAttributes,
    attrsIdxs: *mut usize,
    numAttrs: usize,
    failIdx: *mut usize,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemcpyBatchAsync(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, failIdx, hStream))
}

/// Memory Management, in drivers since CUDA 12.8.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: **`cuMemcpy3DBatchAsync`** (12.8) → [`cuMemcpy3DBatchAsync_v2`](fn@crate::cuMemcpy3DBatchAsync_v2) (13.0)
///
/// Superseded: in C programs `cuMemcpy3DBatchAsync` stands for `cuMemcpy3DBatchAsync_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemcpy3DBatchAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpy3DBatchAsync(
    numOps: usize,
    opList: *mut CUDA_MEMCPY3D_BATCH_OP,
    failIdx: *mut usize,
    flags: c_ulonglong,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemcpy3DBatchAsync(numOps, opList, failIdx, flags, hStream))
}

/// Memory Management, in drivers since CUDA 13.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: [`cuMemcpyBatchAsync`](fn@crate::cuMemcpyBatchAsync) (12.8) → **`cuMemcpyBatchAsync_v2`** (13.0)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemcpyBatchAsync_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyBatchAsync_v2(
    dsts: *mut CUdeviceptr,
    srcs: *mut CUdeviceptr,
    sizes: *mut usize,
    count: usize,
    attrs: *mut CUmemcpyAttributes,
    attrsIdxs: *mut usize,
    numAttrs: usize,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemcpyBatchAsync_v2(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, hStream))
}

/// Memory Management, in drivers since CUDA 13.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: [`cuMemcpy3DBatchAsync`](fn@crate::cuMemcpy3DBatchAsync) (12.8) → **`cuMemcpy3DBatchAsync_v2`** (13.0)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemcpy3DBatchAsync_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpy3DBatchAsync_v2(
    numOps: usize,
    opList: *mut CUDA_MEMCPY3D_BATCH_OP,
    flags: c_ulonglong,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemcpy3DBatchAsync_v2(numOps, opList, flags, hStream))
}

/// Memory Management, in drivers since CUDA 13.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemcpyWithAttributesAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyWithAttributesAsync(
    dst: CUdeviceptr,
    src: CUdeviceptr,
    size: usize,
    attr: *mut CUmemcpyAttributes,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemcpyWithAttributesAsync(dst, src, size, attr, hStream))
}

/// Memory Management, in drivers since CUDA 13.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemcpy3DWithAttributesAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpy3DWithAttributesAsync(
    op: *mut CUDA_MEMCPY3D_BATCH_OP,
    flags: c_ulonglong,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemcpy3DWithAttributesAsync(op, flags, hStream))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemsetD8Async_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemsetD8Async(dstDevice: CUdeviceptr, uc: c_uchar, N: usize, hStream: CUstream) -> CUresult {
    call!(driver.cuMemsetD8Async(dstDevice, uc, N, hStream))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemsetD16Async_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemsetD16Async(
    dstDevice: CUdeviceptr,
    us: c_ushort,
    N: usize,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemsetD16Async(dstDevice, us, N, hStream))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemsetD32Async_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemsetD32Async(dstDevice: CUdeviceptr, ui: c_uint, N: usize, hStream: CUstream) -> CUresult {
    call!(driver.cuMemsetD32Async(dstDevice, ui, N, hStream))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemsetD2D8Async_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemsetD2D8Async(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    uc: c_uchar,
    Width: usize,
    Height: usize,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemsetD2D8Async(dstDevice, dstPitch, uc, Width, Height, hStream))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemsetD2D16Async_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemsetD2D16Async(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    us: c_ushort,
    Width: usize,
    Height: usize,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemsetD2D16Async(dstDevice, dstPitch, us, Width, Height, hStream))
}

/// Memory Management, in drivers since CUDA 3.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemsetD2D32Async_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemsetD2D32Async(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    ui: c_uint,
    Width: usize,
    Height: usize,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemsetD2D32Async(dstDevice, dstPitch, ui, Width, Height, hStream))
}

/// Stream Management, in drivers since CUDA 5.5.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamGetPriority_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetPriority(hStream: CUstream, priority: *mut c_int) -> CUresult {
    call!(driver.cuStreamGetPriority(hStream, priority))
}

/// Stream Management, in drivers since CUDA 12.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamGetId_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetId(hStream: CUstream, streamId: *mut c_ulonglong) -> CUresult {
    call!(driver.cuStreamGetId(hStream, streamId))
}

/// Stream Management, in drivers since CUDA 5.5.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamGetFlags_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetFlags(hStream: CUstream, flags: *mut c_uint) -> CUresult {
    call!(driver.cuStreamGetFlags(hStream, flags))
}

/// Stream Management, in drivers since CUDA 12.8.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamGetDevice_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetDevice(hStream: CUstream, device: *mut CUdevice) -> CUresult {
    call!(driver.cuStreamGetDevice(hStream, device))
}

/// Green Contexts, in drivers since CUDA 13.1.
///
/// [CUDA_GREEN_CONTEXTS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GREEN__CONTEXTS.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamGetDevResource_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetDevResource(
    hStream: CUstream,
    resource: *mut CUdevResource,
    type_: CUdevResourceType,
) -> CUresult {
    call!(driver.cuStreamGetDevResource(hStream, resource, type_))
}

/// Stream Management, in drivers since CUDA 9.2.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Versions: **`cuStreamGetCtx`** (9.2) → [`cuStreamGetCtx_v2`](fn@crate::cuStreamGetCtx_v2) (12.5)
///
/// Superseded: in C programs `cuStreamGetCtx` stands for `cuStreamGetCtx_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamGetCtx_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetCtx(hStream: CUstream, pctx: *mut CUcontext) -> CUresult {
    call!(driver.cuStreamGetCtx(hStream, pctx))
}

/// Stream Management, in drivers since CUDA 12.5.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Versions: [`cuStreamGetCtx`](fn@crate::cuStreamGetCtx) (9.2) → **`cuStreamGetCtx_v2`** (12.5)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamGetCtx_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetCtx_v2(
    hStream: CUstream,
    pCtx: *mut CUcontext,
    pGreenCtx: *mut CUgreenCtx,
) -> CUresult {
    call!(driver.cuStreamGetCtx_v2(hStream, pCtx, pGreenCtx))
}

/// Stream Management, in drivers since CUDA 3.2.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamWaitEvent_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamWaitEvent(hStream: CUstream, hEvent: CUevent, Flags: c_uint) -> CUresult {
    call!(driver.cuStreamWaitEvent(hStream, hEvent, Flags))
}

/// Stream Management, in drivers since CUDA 5.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamAddCallback_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamAddCallback(
    hStream: CUstream,
    callback: CUstreamCallback,
    userData: *mut c_void,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuStreamAddCallback(hStream, callback, userData, flags))
}

/// Stream Management, in drivers since CUDA 6.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamAttachMemAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamAttachMemAsync(
    hStream: CUstream,
    dptr: CUdeviceptr,
    length: usize,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuStreamAttachMemAsync(hStream, dptr, length, flags))
}

/// Stream Management, in drivers since CUDA 2.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamQuery_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamQuery(hStream: CUstream) -> CUresult {
    call!(driver.cuStreamQuery(hStream))
}

/// Stream Management, in drivers since CUDA 2.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamSynchronize_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamSynchronize(hStream: CUstream) -> CUresult {
    call!(driver.cuStreamSynchronize(hStream))
}

/// Event Management, in drivers since CUDA 2.0.
///
/// [CUDA_EVENT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuEventRecord_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuEventRecord(hEvent: CUevent, hStream: CUstream) -> CUresult {
    call!(driver.cuEventRecord(hEvent, hStream))
}

/// Event Management, in drivers since CUDA 11.1.
///
/// [CUDA_EVENT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuEventRecordWithFlags_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuEventRecordWithFlags(hEvent: CUevent, hStream: CUstream, flags: c_uint) -> CUresult {
    call!(driver.cuEventRecordWithFlags(hEvent, hStream, flags))
}

/// Execution Control, in drivers since CUDA 4.0.
///
/// [CUDA_EXEC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuLaunchKernel_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLaunchKernel(
    f: CUfunction,
    gridDimX: c_uint,
    gridDimY: c_uint,
    gridDimZ: c_uint,
    blockDimX: c_uint,
    blockDimY: c_uint,
    blockDimZ: c_uint,
    sharedMemBytes: c_uint,
    hStream: CUstream,
    kernelParams: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> CUresult {
    call!(driver.cuLaunchKernel(
        f,
        gridDimX,
        gridDimY,
        gridDimZ,
        blockDimX,
        blockDimY,
        blockDimZ,
        sharedMemBytes,
        hStream,
        kernelParams,
        extra
    ))
}

/// Execution Control, in drivers since CUDA 11.6.
///
/// [CUDA_EXEC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuLaunchKernelEx_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLaunchKernelEx(
    config: *const CUlaunchConfig,
    f: CUfunction,
    kernelParams: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> CUresult {
    call!(driver.cuLaunchKernelEx(config, f, kernelParams, extra))
}

/// Execution Control, in drivers since CUDA 10.0.
///
/// [CUDA_EXEC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html) in NVIDIA's documentation.
///
/// Versions: **`cuLaunchHostFunc`** (10.0) → [`cuLaunchHostFunc_v2`](fn@crate::cuLaunchHostFunc_v2) (13.1)
///
/// Superseded: in C programs `cuLaunchHostFunc` stands for `cuLaunchHostFunc_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuLaunchHostFunc_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLaunchHostFunc(hStream: CUstream, fn_: CUhostFn, userData: *mut c_void) -> CUresult {
    call!(driver.cuLaunchHostFunc(hStream, fn_, userData))
}

/// Execution Control, in drivers since CUDA 13.1.
///
/// [CUDA_EXEC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html) in NVIDIA's documentation.
///
/// Versions: [`cuLaunchHostFunc`](fn@crate::cuLaunchHostFunc) (10.0) → **`cuLaunchHostFunc_v2`** (13.1)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuLaunchHostFunc_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLaunchHostFunc_v2(
    hStream: CUstream,
    fn_: CUhostFn,
    userData: *mut c_void,
    syncMode: c_uint,
) -> CUresult {
    call!(driver.cuLaunchHostFunc_v2(hStream, fn_, userData, syncMode))
}

/// Graphics Interoperability, in drivers since CUDA 3.0.
///
/// [CUDA_GRAPHICS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPHICS.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuGraphicsMapResources_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphicsMapResources(
    count: c_uint,
    resources: *mut CUgraphicsResource,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuGraphicsMapResources(count, resources, hStream))
}

/// Graphics Interoperability, in drivers since CUDA 3.0.
///
/// [CUDA_GRAPHICS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPHICS.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuGraphicsUnmapResources_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphicsUnmapResources(
    count: c_uint,
    resources: *mut CUgraphicsResource,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuGraphicsUnmapResources(count, resources, hStream))
}

/// Stream Memory Operations, in drivers since CUDA 8.0.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: **`cuStreamWriteValue32`** (8.0) → [`cuStreamWriteValue32_v2`](fn@crate::cuStreamWriteValue32_v2) (11.7)
///
/// Superseded: in C programs `cuStreamWriteValue32` stands for `cuStreamWriteValue32_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamWriteValue32_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamWriteValue32(
    stream: CUstream,
    addr: CUdeviceptr,
    value: cuuint32_t,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuStreamWriteValue32(stream, addr, value, flags))
}

/// Stream Memory Operations, in drivers since CUDA 8.0.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: **`cuStreamWaitValue32`** (8.0) → [`cuStreamWaitValue32_v2`](fn@crate::cuStreamWaitValue32_v2) (11.7)
///
/// Superseded: in C programs `cuStreamWaitValue32` stands for `cuStreamWaitValue32_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamWaitValue32_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamWaitValue32(
    stream: CUstream,
    addr: CUdeviceptr,
    value: cuuint32_t,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuStreamWaitValue32(stream, addr, value, flags))
}

/// Stream Memory Operations, in drivers since CUDA 9.0.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: **`cuStreamWriteValue64`** (9.0) → [`cuStreamWriteValue64_v2`](fn@crate::cuStreamWriteValue64_v2) (11.7)
///
/// Superseded: in C programs `cuStreamWriteValue64` stands for `cuStreamWriteValue64_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamWriteValue64_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamWriteValue64(
    stream: CUstream,
    addr: CUdeviceptr,
    value: cuuint64_t,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuStreamWriteValue64(stream, addr, value, flags))
}

/// Stream Memory Operations, in drivers since CUDA 9.0.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: **`cuStreamWaitValue64`** (9.0) → [`cuStreamWaitValue64_v2`](fn@crate::cuStreamWaitValue64_v2) (11.7)
///
/// Superseded: in C programs `cuStreamWaitValue64` stands for `cuStreamWaitValue64_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamWaitValue64_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamWaitValue64(
    stream: CUstream,
    addr: CUdeviceptr,
    value: cuuint64_t,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuStreamWaitValue64(stream, addr, value, flags))
}

/// Stream Memory Operations, in drivers since CUDA 8.0.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: **`cuStreamBatchMemOp`** (8.0) → [`cuStreamBatchMemOp_v2`](fn@crate::cuStreamBatchMemOp_v2) (11.7)
///
/// Superseded: in C programs `cuStreamBatchMemOp` stands for `cuStreamBatchMemOp_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamBatchMemOp_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamBatchMemOp(
    stream: CUstream,
    count: c_uint,
    paramArray: *mut CUstreamBatchMemOpParams,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuStreamBatchMemOp(stream, count, paramArray, flags))
}

/// Stream Memory Operations, in drivers since CUDA 11.7.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: [`cuStreamWriteValue32`](fn@crate::cuStreamWriteValue32) (8.0) → **`cuStreamWriteValue32_v2`** (11.7)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamWriteValue32_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamWriteValue32_v2(
    stream: CUstream,
    addr: CUdeviceptr,
    value: cuuint32_t,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuStreamWriteValue32_v2(stream, addr, value, flags))
}

/// Stream Memory Operations, in drivers since CUDA 11.7.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: [`cuStreamWaitValue32`](fn@crate::cuStreamWaitValue32) (8.0) → **`cuStreamWaitValue32_v2`** (11.7)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamWaitValue32_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamWaitValue32_v2(
    stream: CUstream,
    addr: CUdeviceptr,
    value: cuuint32_t,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuStreamWaitValue32_v2(stream, addr, value, flags))
}

/// Stream Memory Operations, in drivers since CUDA 11.7.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: [`cuStreamWriteValue64`](fn@crate::cuStreamWriteValue64) (9.0) → **`cuStreamWriteValue64_v2`** (11.7)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamWriteValue64_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamWriteValue64_v2(
    stream: CUstream,
    addr: CUdeviceptr,
    value: cuuint64_t,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuStreamWriteValue64_v2(stream, addr, value, flags))
}

/// Stream Memory Operations, in drivers since CUDA 11.7.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: [`cuStreamWaitValue64`](fn@crate::cuStreamWaitValue64) (9.0) → **`cuStreamWaitValue64_v2`** (11.7)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamWaitValue64_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamWaitValue64_v2(
    stream: CUstream,
    addr: CUdeviceptr,
    value: cuuint64_t,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuStreamWaitValue64_v2(stream, addr, value, flags))
}

/// Stream Memory Operations, in drivers since CUDA 11.7.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: [`cuStreamBatchMemOp`](fn@crate::cuStreamBatchMemOp) (8.0) → **`cuStreamBatchMemOp_v2`** (11.7)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamBatchMemOp_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamBatchMemOp_v2(
    stream: CUstream,
    count: c_uint,
    paramArray: *mut CUstreamBatchMemOpParams,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuStreamBatchMemOp_v2(stream, count, paramArray, flags))
}

/// Unified Addressing, in drivers since CUDA 8.0.
///
/// [CUDA_UNIFIED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html) in NVIDIA's documentation.
///
/// Versions: **`cuMemPrefetchAsync`** (8.0) → [`cuMemPrefetchAsync_v2`](fn@crate::cuMemPrefetchAsync_v2) (12.2)
///
/// Superseded: in C programs `cuMemPrefetchAsync` stands for `cuMemPrefetchAsync_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemPrefetchAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemPrefetchAsync(
    devPtr: CUdeviceptr,
    count: usize,
    dstDevice: CUdevice,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemPrefetchAsync(devPtr, count, dstDevice, hStream))
}

/// Unified Addressing, in drivers since CUDA 12.2.
///
/// [CUDA_UNIFIED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html) in NVIDIA's documentation.
///
/// Versions: [`cuMemPrefetchAsync`](fn@crate::cuMemPrefetchAsync) (8.0) → **`cuMemPrefetchAsync_v2`** (12.2)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemPrefetchAsync_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemPrefetchAsync_v2(
    devPtr: CUdeviceptr,
    count: usize,
    location: CUmemLocation,
    flags: c_uint,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemPrefetchAsync_v2(devPtr, count, location, flags, hStream))
}

/// Unified Addressing, in drivers since CUDA 8.0.
///
/// [CUDA_UNIFIED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html) in NVIDIA's documentation.
///
/// Versions: **`cuMemAdvise`** (8.0) → [`cuMemAdvise_v2`](fn@crate::cuMemAdvise_v2) (12.2)
///
/// Superseded: in C programs `cuMemAdvise` stands for `cuMemAdvise_v2`.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemAdvise(
    devPtr: CUdeviceptr,
    count: usize,
    advice: CUmem_advise,
    device: CUdevice,
) -> CUresult {
    call!(driver.cuMemAdvise(devPtr, count, advice, device))
}

/// Unified Addressing, in drivers since CUDA 13.0.
///
/// [CUDA_UNIFIED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemPrefetchBatchAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemPrefetchBatchAsync(
    dptrs: *mut CUdeviceptr,
    sizes: *mut usize,
    count: usize,
    prefetchLocs: *mut CUmemLocation,
    prefetchLocIdxs: *mut usize,
    numPrefetchLocs: usize,
    flags: c_ulonglong,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemPrefetchBatchAsync(
        dptrs,
        sizes,
        count,
        prefetchLocs,
        prefetchLocIdxs,
        numPrefetchLocs,
        flags,
        hStream
    ))
}

/// Unified Addressing, in drivers since CUDA 13.0.
///
/// [CUDA_UNIFIED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemDiscardBatchAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemDiscardBatchAsync(
    dptrs: *mut CUdeviceptr,
    sizes: *mut usize,
    count: usize,
    flags: c_ulonglong,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemDiscardBatchAsync(dptrs, sizes, count, flags, hStream))
}

/// Unified Addressing, in drivers since CUDA 13.0.
///
/// [CUDA_UNIFIED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemDiscardAndPrefetchBatchAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemDiscardAndPrefetchBatchAsync(
    dptrs: *mut CUdeviceptr,
    sizes: *mut usize,
    count: usize,
    prefetchLocs: *mut CUmemLocation,
    prefetchLocIdxs: *mut usize,
    numPrefetchLocs: usize,
    flags: c_ulonglong,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemDiscardAndPrefetchBatchAsync(
        dptrs,
        sizes,
        count,
        prefetchLocs,
        prefetchLocIdxs,
        numPrefetchLocs,
        flags,
        hStream
    ))
}

/// Execution Control, in drivers since CUDA 9.0.
///
/// [CUDA_EXEC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuLaunchCooperativeKernel_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLaunchCooperativeKernel(
    f: CUfunction,
    gridDimX: c_uint,
    gridDimY: c_uint,
    gridDimZ: c_uint,
    blockDimX: c_uint,
    blockDimY: c_uint,
    blockDimZ: c_uint,
    sharedMemBytes: c_uint,
    hStream: CUstream,
    kernelParams: *mut *mut c_void,
) -> CUresult {
    call!(driver.cuLaunchCooperativeKernel(
        f,
        gridDimX,
        gridDimY,
        gridDimZ,
        blockDimX,
        blockDimY,
        blockDimZ,
        sharedMemBytes,
        hStream,
        kernelParams
    ))
}

/// External Resource Interoperability, in drivers since CUDA 10.0.
///
/// [CUDA_EXTRES_INTEROP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuSignalExternalSemaphoresAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuSignalExternalSemaphoresAsync(
    extSemArray: *const CUexternalSemaphore,
    paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS,
    numExtSems: c_uint,
    stream: CUstream,
) -> CUresult {
    call!(driver.cuSignalExternalSemaphoresAsync(extSemArray, paramsArray, numExtSems, stream))
}

/// External Resource Interoperability, in drivers since CUDA 10.0.
///
/// [CUDA_EXTRES_INTEROP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuWaitExternalSemaphoresAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuWaitExternalSemaphoresAsync(
    extSemArray: *const CUexternalSemaphore,
    paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS,
    numExtSems: c_uint,
    stream: CUstream,
) -> CUresult {
    call!(driver.cuWaitExternalSemaphoresAsync(extSemArray, paramsArray, numExtSems, stream))
}

/// Stream Management, in drivers since CUDA 10.1.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Versions: `cuStreamBeginCapture` (10.0, not bound) → **`cuStreamBeginCapture_v2`** (10.1)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamBeginCapture_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuStreamBeginCapture")]
#[inline]
pub unsafe fn cuStreamBeginCapture_v2(hStream: CUstream, mode: CUstreamCaptureMode) -> CUresult {
    call!(driver.cuStreamBeginCapture_v2(hStream, mode))
}

/// Stream Management, in drivers since CUDA 12.3.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamBeginCaptureToGraph_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamBeginCaptureToGraph(
    hStream: CUstream,
    hGraph: CUgraph,
    dependencies: *const CUgraphNode,
    dependencyData: *const CUgraphEdgeData,
    numDependencies: usize,
    mode: CUstreamCaptureMode,
) -> CUresult {
    call!(driver.cuStreamBeginCaptureToGraph(
        hStream,
        hGraph,
        dependencies,
        dependencyData,
        numDependencies,
        mode
    ))
}

/// Stream Management, in drivers since CUDA 13.3.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamBeginRecaptureToGraph_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamBeginRecaptureToGraph(
    hStream: CUstream,
    mode: CUstreamCaptureMode,
    hGraph: CUgraph,
    callbackFunc: CUgraphRecaptureCallback,
    userData: *mut c_void,
) -> CUresult {
    call!(driver.cuStreamBeginRecaptureToGraph(hStream, mode, hGraph, callbackFunc, userData))
}

/// Fabric Copy, in drivers since CUDA 13.5.
///
/// [CUDA_FABRIC_COPY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__FABRIC__COPY.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuFabricCpyBatchAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuFabricCpyBatchAsync(
    numOps: usize,
    opList: *mut CUDA_FABRIC_COPY_BATCH_OP,
    flags: c_ulonglong,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuFabricCpyBatchAsync(numOps, opList, flags, hStream))
}

/// Stream Management, in drivers since CUDA 10.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamEndCapture_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamEndCapture(hStream: CUstream, phGraph: *mut CUgraph) -> CUresult {
    call!(driver.cuStreamEndCapture(hStream, phGraph))
}

/// Stream Management, in drivers since CUDA 10.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamIsCapturing_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamIsCapturing(hStream: CUstream, captureStatus: *mut CUstreamCaptureStatus) -> CUresult {
    call!(driver.cuStreamIsCapturing(hStream, captureStatus))
}

/// Stream Management, in drivers since CUDA 10.1.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Versions: **`cuStreamGetCaptureInfo`** (10.1) → [`cuStreamGetCaptureInfo_v2`](fn@crate::cuStreamGetCaptureInfo_v2) (11.3) → [`cuStreamGetCaptureInfo_v3`](fn@crate::cuStreamGetCaptureInfo_v3) (12.3)
///
/// Superseded: in C programs `cuStreamGetCaptureInfo` stands for `cuStreamGetCaptureInfo_v3`.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamGetCaptureInfo_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetCaptureInfo(
    hStream: CUstream,
    captureStatus_out: *mut CUstreamCaptureStatus,
    id_out: *mut cuuint64_t,
) -> CUresult {
    call!(driver.cuStreamGetCaptureInfo(hStream, captureStatus_out, id_out))
}

/// Stream Management, in drivers since CUDA 11.3.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Versions: [`cuStreamGetCaptureInfo`](fn@crate::cuStreamGetCaptureInfo) (10.1) → **`cuStreamGetCaptureInfo_v2`** (11.3) → [`cuStreamGetCaptureInfo_v3`](fn@crate::cuStreamGetCaptureInfo_v3) (12.3)
///
/// Superseded: in C programs `cuStreamGetCaptureInfo` stands for `cuStreamGetCaptureInfo_v3`.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamGetCaptureInfo_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetCaptureInfo_v2(
    hStream: CUstream,
    captureStatus_out: *mut CUstreamCaptureStatus,
    id_out: *mut cuuint64_t,
    graph_out: *mut CUgraph,
    dependencies_out: *mut *const CUgraphNode,
    numDependencies_out: *mut usize,
) -> CUresult {
    call!(driver.cuStreamGetCaptureInfo_v2(
        hStream,
        captureStatus_out,
        id_out,
        graph_out,
        dependencies_out,
        numDependencies_out
    ))
}

/// Stream Management, in drivers since CUDA 12.3.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Versions: [`cuStreamGetCaptureInfo`](fn@crate::cuStreamGetCaptureInfo) (10.1) → [`cuStreamGetCaptureInfo_v2`](fn@crate::cuStreamGetCaptureInfo_v2) (11.3) → **`cuStreamGetCaptureInfo_v3`** (12.3)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamGetCaptureInfo_v3_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetCaptureInfo_v3(
    hStream: CUstream,
    captureStatus_out: *mut CUstreamCaptureStatus,
    id_out: *mut cuuint64_t,
    graph_out: *mut CUgraph,
    dependencies_out: *mut *const CUgraphNode,
    edgeData_out: *mut *const CUgraphEdgeData,
    numDependencies_out: *mut usize,
) -> CUresult {
    call!(driver.cuStreamGetCaptureInfo_v3(
        hStream,
        captureStatus_out,
        id_out,
        graph_out,
        dependencies_out,
        edgeData_out,
        numDependencies_out
    ))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: **`cuGraphAddKernelNode`** (10.0) → [`cuGraphAddKernelNode_v2`](fn@crate::cuGraphAddKernelNode_v2) (12.0)
///
/// Superseded: in C programs `cuGraphAddKernelNode` stands for `cuGraphAddKernelNode_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphAddKernelNode(
    phGraphNode: *mut CUgraphNode,
    hGraph: CUgraph,
    dependencies: *const CUgraphNode,
    numDependencies: usize,
    nodeParams: *const CUDA_KERNEL_NODE_PARAMS_v1,
) -> CUresult {
    call!(driver.cuGraphAddKernelNode(phGraphNode, hGraph, dependencies, numDependencies, nodeParams))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: **`cuGraphKernelNodeGetParams`** (10.0) → [`cuGraphKernelNodeGetParams_v2`](fn@crate::cuGraphKernelNodeGetParams_v2) (12.0)
///
/// Superseded: in C programs `cuGraphKernelNodeGetParams` stands for `cuGraphKernelNodeGetParams_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphKernelNodeGetParams(
    hNode: CUgraphNode,
    nodeParams: *mut CUDA_KERNEL_NODE_PARAMS_v1,
) -> CUresult {
    call!(driver.cuGraphKernelNodeGetParams(hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: **`cuGraphKernelNodeSetParams`** (10.0) → [`cuGraphKernelNodeSetParams_v2`](fn@crate::cuGraphKernelNodeSetParams_v2) (12.0)
///
/// Superseded: in C programs `cuGraphKernelNodeSetParams` stands for `cuGraphKernelNodeSetParams_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphKernelNodeSetParams(
    hNode: CUgraphNode,
    nodeParams: *const CUDA_KERNEL_NODE_PARAMS_v1,
) -> CUresult {
    call!(driver.cuGraphKernelNodeSetParams(hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 10.1.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: **`cuGraphExecKernelNodeSetParams`** (10.1) → [`cuGraphExecKernelNodeSetParams_v2`](fn@crate::cuGraphExecKernelNodeSetParams_v2) (12.0)
///
/// Superseded: in C programs `cuGraphExecKernelNodeSetParams` stands for `cuGraphExecKernelNodeSetParams_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExecKernelNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: *const CUDA_KERNEL_NODE_PARAMS_v1,
) -> CUresult {
    call!(driver.cuGraphExecKernelNodeSetParams(hGraphExec, hNode, nodeParams))
}

/// Graph Management, in drivers since CUDA 12.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// With the feature `ptds` also as `cuGraphInstantiateWithParams_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphInstantiateWithParams(
    phGraphExec: *mut CUgraphExec,
    hGraph: CUgraph,
    instantiateParams: *mut CUDA_GRAPH_INSTANTIATE_PARAMS,
) -> CUresult {
    call!(driver.cuGraphInstantiateWithParams(phGraphExec, hGraph, instantiateParams))
}

/// Graph Management, in drivers since CUDA 10.2.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: **`cuGraphExecUpdate`** (10.2) → [`cuGraphExecUpdate_v2`](fn@crate::cuGraphExecUpdate_v2) (12.0)
///
/// Superseded: in C programs `cuGraphExecUpdate` stands for `cuGraphExecUpdate_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphExecUpdate(
    hGraphExec: CUgraphExec,
    hGraph: CUgraph,
    hErrorNode_out: *mut CUgraphNode,
    updateResult_out: *mut CUgraphExecUpdateResult,
) -> CUresult {
    call!(driver.cuGraphExecUpdate(hGraphExec, hGraph, hErrorNode_out, updateResult_out))
}

/// Graph Management, in drivers since CUDA 11.1.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuGraphUpload_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphUpload(hGraph: CUgraphExec, hStream: CUstream) -> CUresult {
    call!(driver.cuGraphUpload(hGraph, hStream))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuGraphLaunch_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphLaunch(hGraph: CUgraphExec, hStream: CUstream) -> CUresult {
    call!(driver.cuGraphLaunch(hGraph, hStream))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: **`cuGraphGetEdges`** (10.0) → [`cuGraphGetEdges_v2`](fn@crate::cuGraphGetEdges_v2) (12.3)
///
/// Superseded: in C programs `cuGraphGetEdges` stands for `cuGraphGetEdges_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphGetEdges(
    hGraph: CUgraph,
    from: *mut CUgraphNode,
    to: *mut CUgraphNode,
    numEdges: *mut usize,
) -> CUresult {
    call!(driver.cuGraphGetEdges(hGraph, from, to, numEdges))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: **`cuGraphNodeGetDependencies`** (10.0) → [`cuGraphNodeGetDependencies_v2`](fn@crate::cuGraphNodeGetDependencies_v2) (12.3)
///
/// Superseded: in C programs `cuGraphNodeGetDependencies` stands for `cuGraphNodeGetDependencies_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphNodeGetDependencies(
    hNode: CUgraphNode,
    dependencies: *mut CUgraphNode,
    numDependencies: *mut usize,
) -> CUresult {
    call!(driver.cuGraphNodeGetDependencies(hNode, dependencies, numDependencies))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: **`cuGraphNodeGetDependentNodes`** (10.0) → [`cuGraphNodeGetDependentNodes_v2`](fn@crate::cuGraphNodeGetDependentNodes_v2) (12.3)
///
/// Superseded: in C programs `cuGraphNodeGetDependentNodes` stands for `cuGraphNodeGetDependentNodes_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphNodeGetDependentNodes(
    hNode: CUgraphNode,
    dependentNodes: *mut CUgraphNode,
    numDependentNodes: *mut usize,
) -> CUresult {
    call!(driver.cuGraphNodeGetDependentNodes(hNode, dependentNodes, numDependentNodes))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: **`cuGraphAddDependencies`** (10.0) → [`cuGraphAddDependencies_v2`](fn@crate::cuGraphAddDependencies_v2) (12.3)
///
/// Superseded: in C programs `cuGraphAddDependencies` stands for `cuGraphAddDependencies_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphAddDependencies(
    hGraph: CUgraph,
    from: *const CUgraphNode,
    to: *const CUgraphNode,
    numDependencies: usize,
) -> CUresult {
    call!(driver.cuGraphAddDependencies(hGraph, from, to, numDependencies))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: **`cuGraphRemoveDependencies`** (10.0) → [`cuGraphRemoveDependencies_v2`](fn@crate::cuGraphRemoveDependencies_v2) (12.3)
///
/// Superseded: in C programs `cuGraphRemoveDependencies` stands for `cuGraphRemoveDependencies_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphRemoveDependencies(
    hGraph: CUgraph,
    from: *const CUgraphNode,
    to: *const CUgraphNode,
    numDependencies: usize,
) -> CUresult {
    call!(driver.cuGraphRemoveDependencies(hGraph, from, to, numDependencies))
}

/// Graph Management, in drivers since CUDA 12.2.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: **`cuGraphAddNode`** (12.2) → [`cuGraphAddNode_v2`](fn@crate::cuGraphAddNode_v2) (12.3) → [`cuGraphAddNode_v3`](fn@crate::cuGraphAddNode_v3) (13.4)
///
/// Superseded: in C programs `cuGraphAddNode` stands for `cuGraphAddNode_v3`.
///
/// Needs no current context: its arguments name what it works on.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphAddNode(
    phGraphNode: *mut CUgraphNode,
    hGraph: CUgraph,
    dependencies: *const CUgraphNode,
    numDependencies: usize,
    nodeParams: *mut CUgraphNodeParams,
) -> CUresult {
    call!(driver.cuGraphAddNode(phGraphNode, hGraph, dependencies, numDependencies, nodeParams))
}

/// Stream Management, in drivers since CUDA 11.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamCopyAttributes_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamCopyAttributes(dstStream: CUstream, srcStream: CUstream) -> CUresult {
    call!(driver.cuStreamCopyAttributes(dstStream, srcStream))
}

/// Stream Management, in drivers since CUDA 11.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamGetAttribute_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetAttribute(
    hStream: CUstream,
    attr: CUstreamAttrID,
    value: *mut CUstreamAttrValue,
) -> CUresult {
    call!(driver.cuStreamGetAttribute(hStream, attr, value))
}

/// Stream Management, in drivers since CUDA 11.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamSetAttribute_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamSetAttribute(
    hStream: CUstream,
    attr: CUstreamAttrID,
    param: *const CUstreamAttrValue,
) -> CUresult {
    call!(driver.cuStreamSetAttribute(hStream, attr, param))
}

/// Graph Management, in drivers since CUDA 11.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Versions: `cuGraphInstantiate` (10.0, not bound) → **`cuGraphInstantiate_v2`** (11.0)
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuGraphInstantiate")]
#[inline]
pub unsafe fn cuGraphInstantiate_v2(
    phGraphExec: *mut CUgraphExec,
    hGraph: CUgraph,
    phErrorNode: *mut CUgraphNode,
    logBuffer: *mut c_char,
    bufferSize: usize,
) -> CUresult {
    call!(driver.cuGraphInstantiate_v2(phGraphExec, hGraph, phErrorNode, logBuffer, bufferSize))
}

/// Virtual Memory Management, in drivers since CUDA 11.1.
///
/// [CUDA_VA](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemMapArrayAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemMapArrayAsync(
    mapInfoList: *mut CUarrayMapInfo,
    count: c_uint,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemMapArrayAsync(mapInfoList, count, hStream))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemFreeAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemFreeAsync(dptr: CUdeviceptr, hStream: CUstream) -> CUresult {
    call!(driver.cuMemFreeAsync(dptr, hStream))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemAllocAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemAllocAsync(dptr: *mut CUdeviceptr, bytesize: usize, hStream: CUstream) -> CUresult {
    call!(driver.cuMemAllocAsync(dptr, bytesize, hStream))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemAllocFromPoolAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemAllocFromPoolAsync(
    dptr: *mut CUdeviceptr,
    bytesize: usize,
    pool: CUmemoryPool,
    hStream: CUstream,
) -> CUresult {
    call!(driver.cuMemAllocFromPoolAsync(dptr, bytesize, pool, hStream))
}

/// Stream Management, in drivers since CUDA 11.3.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Versions: **`cuStreamUpdateCaptureDependencies`** (11.3) → [`cuStreamUpdateCaptureDependencies_v2`](fn@crate::cuStreamUpdateCaptureDependencies_v2) (12.3)
///
/// Superseded: in C programs `cuStreamUpdateCaptureDependencies` stands for `cuStreamUpdateCaptureDependencies_v2`.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamUpdateCaptureDependencies_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamUpdateCaptureDependencies(
    hStream: CUstream,
    dependencies: *mut CUgraphNode,
    numDependencies: usize,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuStreamUpdateCaptureDependencies(hStream, dependencies, numDependencies, flags))
}

/// Stream Management, in drivers since CUDA 12.3.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Versions: [`cuStreamUpdateCaptureDependencies`](fn@crate::cuStreamUpdateCaptureDependencies) (11.3) → **`cuStreamUpdateCaptureDependencies_v2`** (12.3)
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamUpdateCaptureDependencies_v2_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamUpdateCaptureDependencies_v2(
    hStream: CUstream,
    dependencies: *mut CUgraphNode,
    dependencyData: *const CUgraphEdgeData,
    numDependencies: usize,
    flags: c_uint,
) -> CUresult {
    call!(driver.cuStreamUpdateCaptureDependencies_v2(
        hStream,
        dependencies,
        dependencyData,
        numDependencies,
        flags
    ))
}

/// Stream Management, in drivers since CUDA 13.1.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamBeginCaptureToCig_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamBeginCaptureToCig(
    hStream: CUstream,
    streamCigCaptureParams: *mut CUstreamCigCaptureParams,
) -> CUresult {
    call!(driver.cuStreamBeginCaptureToCig(hStream, streamCigCaptureParams))
}

/// Stream Management, in drivers since CUDA 13.1.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuStreamEndCaptureToCig_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamEndCaptureToCig(hStream: CUstream) -> CUresult {
    call!(driver.cuStreamEndCaptureToCig(hStream))
}

/// Memory Management, in drivers since CUDA 12.6.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `ptds` also as `cuMemBatchDecompressAsync_ptsz`, for per-thread default streams.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemBatchDecompressAsync(
    paramsArray: *mut CUmemDecompressParams,
    count: usize,
    flags: c_uint,
    errorIndex: *mut usize,
    stream: CUstream,
) -> CUresult {
    call!(driver.cuMemBatchDecompressAsync(paramsArray, count, flags, errorIndex, stream))
}

/// Driver Entry Point Access, in drivers since CUDA 11.3.
///
/// [CUDA_DRIVER_ENTRY_POINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DRIVER__ENTRY__POINT.html) in NVIDIA's documentation.
///
/// Versions: **`cuGetProcAddress`** (11.3) → [`cuGetProcAddress_v2`](fn@crate::cuGetProcAddress_v2) (12.0)
///
/// Superseded: in C programs `cuGetProcAddress` stands for `cuGetProcAddress_v2`.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGetProcAddress(
    symbol: *const c_char,
    pfn: *mut *mut c_void,
    cudaVersion: c_int,
    flags: cuuint64_t,
) -> CUresult {
    call!(driver.cuGetProcAddress(symbol, pfn, cudaVersion, flags))
}

/// CUDA Checkpointing, in drivers since CUDA 12.8.
///
/// [CUDA_CHECKPOINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CHECKPOINT.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCheckpointProcessGetRestoreThreadId(pid: c_int, tid: *mut c_int) -> CUresult {
    call!(driver.cuCheckpointProcessGetRestoreThreadId(pid, tid))
}

/// CUDA Checkpointing, in drivers since CUDA 12.8.
///
/// [CUDA_CHECKPOINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CHECKPOINT.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCheckpointProcessGetState(pid: c_int, state: *mut CUprocessState) -> CUresult {
    call!(driver.cuCheckpointProcessGetState(pid, state))
}

/// CUDA Checkpointing, in drivers since CUDA 12.8.
///
/// [CUDA_CHECKPOINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CHECKPOINT.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCheckpointProcessLock(pid: c_int, args: *mut CUcheckpointLockArgs) -> CUresult {
    call!(driver.cuCheckpointProcessLock(pid, args))
}

/// CUDA Checkpointing, in drivers since CUDA 12.8.
///
/// [CUDA_CHECKPOINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CHECKPOINT.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCheckpointProcessCheckpoint(pid: c_int, args: *mut CUcheckpointCheckpointArgs) -> CUresult {
    call!(driver.cuCheckpointProcessCheckpoint(pid, args))
}

/// CUDA Checkpointing, in drivers since CUDA 12.8.
///
/// [CUDA_CHECKPOINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CHECKPOINT.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCheckpointProcessRestore(pid: c_int, args: *mut CUcheckpointRestoreArgs) -> CUresult {
    call!(driver.cuCheckpointProcessRestore(pid, args))
}

/// CUDA Checkpointing, in drivers since CUDA 13.4.
///
/// [CUDA_CHECKPOINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CHECKPOINT.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCheckpointOperationComplete(handle: CUcheckpointOperationHandle) -> CUresult {
    call!(driver.cuCheckpointOperationComplete(handle))
}

/// CUDA Checkpointing, in drivers since CUDA 12.8.
///
/// [CUDA_CHECKPOINT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CHECKPOINT.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuCheckpointProcessUnlock(pid: c_int, args: *mut CUcheckpointUnlockArgs) -> CUresult {
    call!(driver.cuCheckpointProcessUnlock(pid, args))
}

/// Profiler Control (deprecated), in drivers since CUDA 4.0.
///
/// [CUDA_PROFILER_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PROFILER__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuProfilerInitialize(
    configFile: *const c_char,
    outputFile: *const c_char,
    outputMode: CUoutput_mode,
) -> CUresult {
    call!(driver.cuProfilerInitialize(configFile, outputFile, outputMode))
}

/// Profiler Control, in drivers since CUDA 4.0.
///
/// [CUDA_PROFILER](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PROFILER.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuProfilerStart() -> CUresult {
    call!(driver.cuProfilerStart())
}

/// Profiler Control, in drivers since CUDA 4.0.
///
/// [CUDA_PROFILER](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PROFILER.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuProfilerStop() -> CUresult {
    call!(driver.cuProfilerStop())
}
