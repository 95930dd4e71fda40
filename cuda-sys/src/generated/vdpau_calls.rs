// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

use super::types::*;
use super::vdpau_types::*;
use crate::load::call;
use core::ffi::*;

/// VDPAU Interoperability, in drivers since CUDA 3.1.
///
/// [CUDA_VDPAU](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VDPAU.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// With the feature `vdpau`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuVDPAUGetDevice(
    pDevice: *mut CUdevice,
    vdpDevice: VdpDevice,
    vdpGetProcAddress: VdpGetProcAddress,
) -> CUresult {
    call!(vdpau.cuVDPAUGetDevice(pDevice, vdpDevice, vdpGetProcAddress))
}

/// VDPAU Interoperability, in drivers since CUDA 3.2.
///
/// [CUDA_VDPAU](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VDPAU.html) in NVIDIA's documentation.
///
/// Versions: `cuVDPAUCtxCreate` (3.1, not bound) → **`cuVDPAUCtxCreate_v2`** (3.2)
///
/// Needs no context.
///
/// With the feature `vdpau`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuVDPAUCtxCreate")]
#[inline]
pub unsafe fn cuVDPAUCtxCreate_v2(
    pCtx: *mut CUcontext,
    flags: c_uint,
    device: CUdevice,
    vdpDevice: VdpDevice,
    vdpGetProcAddress: VdpGetProcAddress,
) -> CUresult {
    call!(vdpau.cuVDPAUCtxCreate_v2(pCtx, flags, device, vdpDevice, vdpGetProcAddress))
}

/// VDPAU Interoperability, in drivers since CUDA 3.1.
///
/// [CUDA_VDPAU](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VDPAU.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// With the feature `vdpau`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphicsVDPAURegisterVideoSurface(
    pCudaResource: *mut CUgraphicsResource,
    vdpSurface: VdpVideoSurface,
    flags: c_uint,
) -> CUresult {
    call!(vdpau.cuGraphicsVDPAURegisterVideoSurface(pCudaResource, vdpSurface, flags))
}

/// VDPAU Interoperability, in drivers since CUDA 3.1.
///
/// [CUDA_VDPAU](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VDPAU.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// With the feature `vdpau`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphicsVDPAURegisterOutputSurface(
    pCudaResource: *mut CUgraphicsResource,
    vdpSurface: VdpOutputSurface,
    flags: c_uint,
) -> CUresult {
    call!(vdpau.cuGraphicsVDPAURegisterOutputSurface(pCudaResource, vdpSurface, flags))
}
