// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

use super::egl_types::*;
use super::types::*;
use crate::load::call;
use core::ffi::*;

/// EGL Interoperability, in drivers since CUDA 7.0.
///
/// [CUDA_EGL](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EGL.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// With the feature `egl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphicsEGLRegisterImage(
    pCudaResource: *mut CUgraphicsResource,
    image: EGLImageKHR,
    flags: c_uint,
) -> CUresult {
    call!(egl.cuGraphicsEGLRegisterImage(pCudaResource, image, flags))
}

/// EGL Interoperability, in drivers since CUDA 7.0.
///
/// [CUDA_EGL](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EGL.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// With the feature `egl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuEGLStreamConsumerConnect(conn: *mut CUeglStreamConnection, stream: EGLStreamKHR) -> CUresult {
    call!(egl.cuEGLStreamConsumerConnect(conn, stream))
}

/// EGL Interoperability, in drivers since CUDA 8.0.
///
/// [CUDA_EGL](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EGL.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// With the feature `egl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuEGLStreamConsumerConnectWithFlags(
    conn: *mut CUeglStreamConnection,
    stream: EGLStreamKHR,
    flags: c_uint,
) -> CUresult {
    call!(egl.cuEGLStreamConsumerConnectWithFlags(conn, stream, flags))
}

/// EGL Interoperability, in drivers since CUDA 7.0.
///
/// [CUDA_EGL](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EGL.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `egl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuEGLStreamConsumerDisconnect(conn: *mut CUeglStreamConnection) -> CUresult {
    call!(egl.cuEGLStreamConsumerDisconnect(conn))
}

/// EGL Interoperability, in drivers since CUDA 7.0.
///
/// [CUDA_EGL](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EGL.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `egl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuEGLStreamConsumerAcquireFrame(
    conn: *mut CUeglStreamConnection,
    pCudaResource: *mut CUgraphicsResource,
    pStream: *mut CUstream,
    timeout: c_uint,
) -> CUresult {
    call!(egl.cuEGLStreamConsumerAcquireFrame(conn, pCudaResource, pStream, timeout))
}

/// EGL Interoperability, in drivers since CUDA 7.0.
///
/// [CUDA_EGL](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EGL.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `egl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuEGLStreamConsumerReleaseFrame(
    conn: *mut CUeglStreamConnection,
    pCudaResource: CUgraphicsResource,
    pStream: *mut CUstream,
) -> CUresult {
    call!(egl.cuEGLStreamConsumerReleaseFrame(conn, pCudaResource, pStream))
}

/// EGL Interoperability, in drivers since CUDA 7.0.
///
/// [CUDA_EGL](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EGL.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// With the feature `egl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuEGLStreamProducerConnect(
    conn: *mut CUeglStreamConnection,
    stream: EGLStreamKHR,
    width: EGLint,
    height: EGLint,
) -> CUresult {
    call!(egl.cuEGLStreamProducerConnect(conn, stream, width, height))
}

/// EGL Interoperability, in drivers since CUDA 7.0.
///
/// [CUDA_EGL](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EGL.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `egl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuEGLStreamProducerDisconnect(conn: *mut CUeglStreamConnection) -> CUresult {
    call!(egl.cuEGLStreamProducerDisconnect(conn))
}

/// EGL Interoperability, in drivers since CUDA 7.0.
///
/// [CUDA_EGL](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EGL.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `egl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuEGLStreamProducerPresentFrame(
    conn: *mut CUeglStreamConnection,
    eglframe: CUeglFrame,
    pStream: *mut CUstream,
) -> CUresult {
    call!(egl.cuEGLStreamProducerPresentFrame(conn, eglframe, pStream))
}

/// EGL Interoperability, in drivers since CUDA 7.0.
///
/// [CUDA_EGL](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EGL.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `egl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuEGLStreamProducerReturnFrame(
    conn: *mut CUeglStreamConnection,
    eglframe: *mut CUeglFrame,
    pStream: *mut CUstream,
) -> CUresult {
    call!(egl.cuEGLStreamProducerReturnFrame(conn, eglframe, pStream))
}

/// EGL Interoperability, in drivers since CUDA 7.0.
///
/// [CUDA_EGL](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EGL.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// With the feature `egl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphicsResourceGetMappedEglFrame(
    eglFrame: *mut CUeglFrame,
    resource: CUgraphicsResource,
    index: c_uint,
    mipLevel: c_uint,
) -> CUresult {
    call!(egl.cuGraphicsResourceGetMappedEglFrame(eglFrame, resource, index, mipLevel))
}

/// EGL Interoperability, in drivers since CUDA 9.0. In those for Linux on aarch64 only.
///
/// [CUDA_EGL](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EGL.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// With the feature `egl`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuEventCreateFromEGLSync(
    phEvent: *mut CUevent,
    eglSync: EGLSyncKHR,
    flags: c_uint,
) -> CUresult {
    call!(egl.cuEventCreateFromEGLSync(phEvent, eglSync, flags))
}
