// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

use super::gl_types::*;
use super::types::*;
use crate::HGPUNV;
use crate::load::call;
use core::ffi::*;

/// OpenGL Interoperability, in drivers since CUDA 3.0.
///
/// [CUDA_GL](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GL.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// With the feature `gl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphicsGLRegisterBuffer(
    pCudaResource: *mut CUgraphicsResource,
    buffer: GLuint,
    Flags: c_uint,
) -> CUresult {
    call!(gl.cuGraphicsGLRegisterBuffer(pCudaResource, buffer, Flags))
}

/// OpenGL Interoperability, in drivers since CUDA 3.0.
///
/// [CUDA_GL](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GL.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// With the feature `gl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphicsGLRegisterImage(
    pCudaResource: *mut CUgraphicsResource,
    image: GLuint,
    target: GLenum,
    Flags: c_uint,
) -> CUresult {
    call!(gl.cuGraphicsGLRegisterImage(pCudaResource, image, target, Flags))
}

/// OpenGL Interoperability, in drivers since CUDA 6.5.
///
/// [CUDA_GL](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GL.html) in NVIDIA's documentation.
///
/// Versions: `cuGLGetDevices` (4.1, not bound) → **`cuGLGetDevices_v2`** (6.5)
///
/// Needs no context.
///
/// With the feature `gl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuGLGetDevices")]
#[inline]
pub unsafe fn cuGLGetDevices_v2(
    pCudaDeviceCount: *mut c_uint,
    pCudaDevices: *mut CUdevice,
    cudaDeviceCount: c_uint,
    deviceList: CUGLDeviceList,
) -> CUresult {
    call!(gl.cuGLGetDevices_v2(pCudaDeviceCount, pCudaDevices, cudaDeviceCount, deviceList))
}

/// OpenGL Interoperability (deprecated), in drivers since CUDA 3.2.
///
/// [CUDA_GL_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GL__DEPRECATED.html) in NVIDIA's documentation.
///
/// Versions: `cuGLCtxCreate` (2.0, not bound) → **`cuGLCtxCreate_v2`** (3.2)
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs no context.
///
/// With the feature `gl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuGLCtxCreate")]
#[inline]
pub unsafe fn cuGLCtxCreate_v2(pCtx: *mut CUcontext, Flags: c_uint, device: CUdevice) -> CUresult {
    call!(gl.cuGLCtxCreate_v2(pCtx, Flags, device))
}

/// OpenGL Interoperability (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_GL_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GL__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// With the feature `gl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGLInit() -> CUresult {
    call!(gl.cuGLInit())
}

/// OpenGL Interoperability (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_GL_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GL__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// With the feature `gl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGLRegisterBufferObject(buffer: GLuint) -> CUresult {
    call!(gl.cuGLRegisterBufferObject(buffer))
}

/// OpenGL Interoperability (deprecated), in drivers since CUDA 7.0.
///
/// [CUDA_GL_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GL__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// [`cuGLMapBufferObject_v2`](fn@crate::cuGLMapBufferObject_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `gl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGLMapBufferObject_v2_ptds(
    dptr: *mut CUdeviceptr,
    size: *mut usize,
    buffer: GLuint,
) -> CUresult {
    call!(gl.cuGLMapBufferObject_v2_ptds(dptr, size, buffer))
}

/// OpenGL Interoperability (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_GL_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GL__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// With the feature `gl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGLUnmapBufferObject(buffer: GLuint) -> CUresult {
    call!(gl.cuGLUnmapBufferObject(buffer))
}

/// OpenGL Interoperability (deprecated), in drivers since CUDA 2.0.
///
/// [CUDA_GL_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GL__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// With the feature `gl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGLUnregisterBufferObject(buffer: GLuint) -> CUresult {
    call!(gl.cuGLUnregisterBufferObject(buffer))
}

/// OpenGL Interoperability (deprecated), in drivers since CUDA 2.3.
///
/// [CUDA_GL_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GL__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// With the feature `gl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGLSetBufferObjectMapFlags(buffer: GLuint, Flags: c_uint) -> CUresult {
    call!(gl.cuGLSetBufferObjectMapFlags(buffer, Flags))
}

/// OpenGL Interoperability (deprecated), in drivers since CUDA 7.0.
///
/// [CUDA_GL_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GL__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// [`cuGLMapBufferObjectAsync_v2`](fn@crate::cuGLMapBufferObjectAsync_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `gl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGLMapBufferObjectAsync_v2_ptsz(
    dptr: *mut CUdeviceptr,
    size: *mut usize,
    buffer: GLuint,
    hStream: CUstream,
) -> CUresult {
    call!(gl.cuGLMapBufferObjectAsync_v2_ptsz(dptr, size, buffer, hStream))
}

/// OpenGL Interoperability (deprecated), in drivers since CUDA 2.3.
///
/// [CUDA_GL_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GL__DEPRECATED.html) in NVIDIA's documentation.
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// With the feature `gl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGLUnmapBufferObjectAsync(buffer: GLuint, hStream: CUstream) -> CUresult {
    call!(gl.cuGLUnmapBufferObjectAsync(buffer, hStream))
}

/// OpenGL Interoperability (deprecated), in drivers since CUDA 3.2.
///
/// [CUDA_GL_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GL__DEPRECATED.html) in NVIDIA's documentation.
///
/// Versions: `cuGLMapBufferObject` (2.0, not bound) → **`cuGLMapBufferObject_v2`** (3.2)
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// Also as `cuGLMapBufferObject_v2_ptds`, for per-thread default streams.
///
/// With the feature `gl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuGLMapBufferObject")]
#[inline]
pub unsafe fn cuGLMapBufferObject_v2(dptr: *mut CUdeviceptr, size: *mut usize, buffer: GLuint) -> CUresult {
    call!(gl.cuGLMapBufferObject_v2(dptr, size, buffer))
}

/// OpenGL Interoperability (deprecated), in drivers since CUDA 3.2.
///
/// [CUDA_GL_DEPRECATED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GL__DEPRECATED.html) in NVIDIA's documentation.
///
/// Versions: `cuGLMapBufferObjectAsync` (2.3, not bound) → **`cuGLMapBufferObjectAsync_v2`** (3.2)
///
/// Deprecated by NVIDIA; drivers have it all the same.
///
/// Needs a current context.
///
/// Also as `cuGLMapBufferObjectAsync_v2_ptsz`, for per-thread default streams.
///
/// With the feature `gl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[doc(alias = "cuGLMapBufferObjectAsync")]
#[inline]
pub unsafe fn cuGLMapBufferObjectAsync_v2(
    dptr: *mut CUdeviceptr,
    size: *mut usize,
    buffer: GLuint,
    hStream: CUstream,
) -> CUresult {
    call!(gl.cuGLMapBufferObjectAsync_v2(dptr, size, buffer, hStream))
}

/// OpenGL Interoperability, in drivers since CUDA 2.2. In Windows drivers only.
///
/// [CUDA_GL](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GL.html) in NVIDIA's documentation.
///
/// Needs no context.
///
/// With the feature `gl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuWGLGetDevice(pDevice: *mut CUdevice, hGpu: HGPUNV) -> CUresult {
    call!(gl.cuWGLGetDevice(pDevice, hGpu))
}
