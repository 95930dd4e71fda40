// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

use super::types::*;
use crate::load::call;
use core::ffi::*;

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemcpy`](fn@crate::cuMemcpy) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpy_ptds(dst: CUdeviceptr, src: CUdeviceptr, ByteCount: usize) -> CUresult {
    call!(per_thread.cuMemcpy_ptds(dst, src, ByteCount))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemcpyPeer`](fn@crate::cuMemcpyPeer) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyPeer_ptds(
    dstDevice: CUdeviceptr,
    dstContext: CUcontext,
    srcDevice: CUdeviceptr,
    srcContext: CUcontext,
    ByteCount: usize,
) -> CUresult {
    call!(per_thread.cuMemcpyPeer_ptds(dstDevice, dstContext, srcDevice, srcContext, ByteCount))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemcpyHtoD_v2`](fn@crate::cuMemcpyHtoD_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyHtoD_v2_ptds(
    dstDevice: CUdeviceptr,
    srcHost: *const c_void,
    ByteCount: usize,
) -> CUresult {
    call!(per_thread.cuMemcpyHtoD_v2_ptds(dstDevice, srcHost, ByteCount))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemcpyDtoH_v2`](fn@crate::cuMemcpyDtoH_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyDtoH_v2_ptds(
    dstHost: *mut c_void,
    srcDevice: CUdeviceptr,
    ByteCount: usize,
) -> CUresult {
    call!(per_thread.cuMemcpyDtoH_v2_ptds(dstHost, srcDevice, ByteCount))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemcpyDtoD_v2`](fn@crate::cuMemcpyDtoD_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyDtoD_v2_ptds(
    dstDevice: CUdeviceptr,
    srcDevice: CUdeviceptr,
    ByteCount: usize,
) -> CUresult {
    call!(per_thread.cuMemcpyDtoD_v2_ptds(dstDevice, srcDevice, ByteCount))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemcpyDtoA_v2`](fn@crate::cuMemcpyDtoA_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyDtoA_v2_ptds(
    dstArray: CUarray,
    dstOffset: usize,
    srcDevice: CUdeviceptr,
    ByteCount: usize,
) -> CUresult {
    call!(per_thread.cuMemcpyDtoA_v2_ptds(dstArray, dstOffset, srcDevice, ByteCount))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemcpyAtoD_v2`](fn@crate::cuMemcpyAtoD_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyAtoD_v2_ptds(
    dstDevice: CUdeviceptr,
    srcArray: CUarray,
    srcOffset: usize,
    ByteCount: usize,
) -> CUresult {
    call!(per_thread.cuMemcpyAtoD_v2_ptds(dstDevice, srcArray, srcOffset, ByteCount))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemcpyHtoA_v2`](fn@crate::cuMemcpyHtoA_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyHtoA_v2_ptds(
    dstArray: CUarray,
    dstOffset: usize,
    srcHost: *const c_void,
    ByteCount: usize,
) -> CUresult {
    call!(per_thread.cuMemcpyHtoA_v2_ptds(dstArray, dstOffset, srcHost, ByteCount))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemcpyAtoH_v2`](fn@crate::cuMemcpyAtoH_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyAtoH_v2_ptds(
    dstHost: *mut c_void,
    srcArray: CUarray,
    srcOffset: usize,
    ByteCount: usize,
) -> CUresult {
    call!(per_thread.cuMemcpyAtoH_v2_ptds(dstHost, srcArray, srcOffset, ByteCount))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemcpyAtoA_v2`](fn@crate::cuMemcpyAtoA_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyAtoA_v2_ptds(
    dstArray: CUarray,
    dstOffset: usize,
    srcArray: CUarray,
    srcOffset: usize,
    ByteCount: usize,
) -> CUresult {
    call!(per_thread.cuMemcpyAtoA_v2_ptds(dstArray, dstOffset, srcArray, srcOffset, ByteCount))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemcpy2D_v2`](fn@crate::cuMemcpy2D_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpy2D_v2_ptds(pCopy: *const CUDA_MEMCPY2D) -> CUresult {
    call!(per_thread.cuMemcpy2D_v2_ptds(pCopy))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemcpy2DUnaligned_v2`](fn@crate::cuMemcpy2DUnaligned_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpy2DUnaligned_v2_ptds(pCopy: *const CUDA_MEMCPY2D) -> CUresult {
    call!(per_thread.cuMemcpy2DUnaligned_v2_ptds(pCopy))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemcpy3D_v2`](fn@crate::cuMemcpy3D_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpy3D_v2_ptds(pCopy: *const CUDA_MEMCPY3D) -> CUresult {
    call!(per_thread.cuMemcpy3D_v2_ptds(pCopy))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemcpy3DPeer`](fn@crate::cuMemcpy3DPeer) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpy3DPeer_ptds(pCopy: *const CUDA_MEMCPY3D_PEER) -> CUresult {
    call!(per_thread.cuMemcpy3DPeer_ptds(pCopy))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemcpyAsync`](fn@crate::cuMemcpyAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyAsync_ptsz(
    dst: CUdeviceptr,
    src: CUdeviceptr,
    ByteCount: usize,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemcpyAsync_ptsz(dst, src, ByteCount, hStream))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemcpyPeerAsync`](fn@crate::cuMemcpyPeerAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyPeerAsync_ptsz(
    dstDevice: CUdeviceptr,
    dstContext: CUcontext,
    srcDevice: CUdeviceptr,
    srcContext: CUcontext,
    ByteCount: usize,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemcpyPeerAsync_ptsz(dstDevice, dstContext, srcDevice, srcContext, ByteCount, hStream))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemcpyHtoDAsync_v2`](fn@crate::cuMemcpyHtoDAsync_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyHtoDAsync_v2_ptsz(
    dstDevice: CUdeviceptr,
    srcHost: *const c_void,
    ByteCount: usize,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemcpyHtoDAsync_v2_ptsz(dstDevice, srcHost, ByteCount, hStream))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemcpyDtoHAsync_v2`](fn@crate::cuMemcpyDtoHAsync_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyDtoHAsync_v2_ptsz(
    dstHost: *mut c_void,
    srcDevice: CUdeviceptr,
    ByteCount: usize,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemcpyDtoHAsync_v2_ptsz(dstHost, srcDevice, ByteCount, hStream))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemcpyDtoDAsync_v2`](fn@crate::cuMemcpyDtoDAsync_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyDtoDAsync_v2_ptsz(
    dstDevice: CUdeviceptr,
    srcDevice: CUdeviceptr,
    ByteCount: usize,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemcpyDtoDAsync_v2_ptsz(dstDevice, srcDevice, ByteCount, hStream))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemcpyHtoAAsync_v2`](fn@crate::cuMemcpyHtoAAsync_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyHtoAAsync_v2_ptsz(
    dstArray: CUarray,
    dstOffset: usize,
    srcHost: *const c_void,
    ByteCount: usize,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemcpyHtoAAsync_v2_ptsz(dstArray, dstOffset, srcHost, ByteCount, hStream))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemcpyAtoHAsync_v2`](fn@crate::cuMemcpyAtoHAsync_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyAtoHAsync_v2_ptsz(
    dstHost: *mut c_void,
    srcArray: CUarray,
    srcOffset: usize,
    ByteCount: usize,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemcpyAtoHAsync_v2_ptsz(dstHost, srcArray, srcOffset, ByteCount, hStream))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemcpy2DAsync_v2`](fn@crate::cuMemcpy2DAsync_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpy2DAsync_v2_ptsz(pCopy: *const CUDA_MEMCPY2D, hStream: CUstream) -> CUresult {
    call!(per_thread.cuMemcpy2DAsync_v2_ptsz(pCopy, hStream))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemcpy3DAsync_v2`](fn@crate::cuMemcpy3DAsync_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpy3DAsync_v2_ptsz(pCopy: *const CUDA_MEMCPY3D, hStream: CUstream) -> CUresult {
    call!(per_thread.cuMemcpy3DAsync_v2_ptsz(pCopy, hStream))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemcpy3DPeerAsync`](fn@crate::cuMemcpy3DPeerAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpy3DPeerAsync_ptsz(pCopy: *const CUDA_MEMCPY3D_PEER, hStream: CUstream) -> CUresult {
    call!(per_thread.cuMemcpy3DPeerAsync_ptsz(pCopy, hStream))
}

/// Memory Management, in drivers since CUDA 13.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: [`cuMemcpyBatchAsync_ptsz`](fn@crate::cuMemcpyBatchAsync_ptsz) (12.8) → **`cuMemcpyBatchAsync_v2_ptsz`** (13.0)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemcpyBatchAsync_v2`](fn@crate::cuMemcpyBatchAsync_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyBatchAsync_v2_ptsz(
    dsts: *mut CUdeviceptr,
    srcs: *mut CUdeviceptr,
    sizes: *mut usize,
    count: usize,
    attrs: *mut CUmemcpyAttributes,
    attrsIdxs: *mut usize,
    numAttrs: usize,
    hStream: CUstream,
) -> CUresult {
    call!(
        per_thread.cuMemcpyBatchAsync_v2_ptsz(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, hStream)
    )
}

/// Memory Management, in drivers since CUDA 13.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: [`cuMemcpy3DBatchAsync_ptsz`](fn@crate::cuMemcpy3DBatchAsync_ptsz) (12.8) → **`cuMemcpy3DBatchAsync_v2_ptsz`** (13.0)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemcpy3DBatchAsync_v2`](fn@crate::cuMemcpy3DBatchAsync_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpy3DBatchAsync_v2_ptsz(
    numOps: usize,
    opList: *mut CUDA_MEMCPY3D_BATCH_OP,
    flags: c_ulonglong,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemcpy3DBatchAsync_v2_ptsz(numOps, opList, flags, hStream))
}

/// Memory Management, in drivers since CUDA 13.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemcpyWithAttributesAsync`](fn@crate::cuMemcpyWithAttributesAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyWithAttributesAsync_ptsz(
    dst: CUdeviceptr,
    src: CUdeviceptr,
    size: usize,
    attr: *mut CUmemcpyAttributes,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemcpyWithAttributesAsync_ptsz(dst, src, size, attr, hStream))
}

/// Memory Management, in drivers since CUDA 13.2.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemcpy3DWithAttributesAsync`](fn@crate::cuMemcpy3DWithAttributesAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpy3DWithAttributesAsync_ptsz(
    op: *mut CUDA_MEMCPY3D_BATCH_OP,
    flags: c_ulonglong,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemcpy3DWithAttributesAsync_ptsz(op, flags, hStream))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemsetD8_v2`](fn@crate::cuMemsetD8_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemsetD8_v2_ptds(dstDevice: CUdeviceptr, uc: c_uchar, N: usize) -> CUresult {
    call!(per_thread.cuMemsetD8_v2_ptds(dstDevice, uc, N))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemsetD16_v2`](fn@crate::cuMemsetD16_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemsetD16_v2_ptds(dstDevice: CUdeviceptr, us: c_ushort, N: usize) -> CUresult {
    call!(per_thread.cuMemsetD16_v2_ptds(dstDevice, us, N))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemsetD32_v2`](fn@crate::cuMemsetD32_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemsetD32_v2_ptds(dstDevice: CUdeviceptr, ui: c_uint, N: usize) -> CUresult {
    call!(per_thread.cuMemsetD32_v2_ptds(dstDevice, ui, N))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemsetD2D8_v2`](fn@crate::cuMemsetD2D8_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemsetD2D8_v2_ptds(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    uc: c_uchar,
    Width: usize,
    Height: usize,
) -> CUresult {
    call!(per_thread.cuMemsetD2D8_v2_ptds(dstDevice, dstPitch, uc, Width, Height))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemsetD2D16_v2`](fn@crate::cuMemsetD2D16_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemsetD2D16_v2_ptds(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    us: c_ushort,
    Width: usize,
    Height: usize,
) -> CUresult {
    call!(per_thread.cuMemsetD2D16_v2_ptds(dstDevice, dstPitch, us, Width, Height))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuMemsetD2D32_v2`](fn@crate::cuMemsetD2D32_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemsetD2D32_v2_ptds(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    ui: c_uint,
    Width: usize,
    Height: usize,
) -> CUresult {
    call!(per_thread.cuMemsetD2D32_v2_ptds(dstDevice, dstPitch, ui, Width, Height))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemsetD8Async`](fn@crate::cuMemsetD8Async) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemsetD8Async_ptsz(
    dstDevice: CUdeviceptr,
    uc: c_uchar,
    N: usize,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemsetD8Async_ptsz(dstDevice, uc, N, hStream))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemsetD16Async`](fn@crate::cuMemsetD16Async) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemsetD16Async_ptsz(
    dstDevice: CUdeviceptr,
    us: c_ushort,
    N: usize,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemsetD16Async_ptsz(dstDevice, us, N, hStream))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemsetD32Async`](fn@crate::cuMemsetD32Async) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemsetD32Async_ptsz(
    dstDevice: CUdeviceptr,
    ui: c_uint,
    N: usize,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemsetD32Async_ptsz(dstDevice, ui, N, hStream))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemsetD2D8Async`](fn@crate::cuMemsetD2D8Async) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemsetD2D8Async_ptsz(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    uc: c_uchar,
    Width: usize,
    Height: usize,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemsetD2D8Async_ptsz(dstDevice, dstPitch, uc, Width, Height, hStream))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemsetD2D16Async`](fn@crate::cuMemsetD2D16Async) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemsetD2D16Async_ptsz(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    us: c_ushort,
    Width: usize,
    Height: usize,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemsetD2D16Async_ptsz(dstDevice, dstPitch, us, Width, Height, hStream))
}

/// Memory Management, in drivers since CUDA 7.0.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemsetD2D32Async`](fn@crate::cuMemsetD2D32Async) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemsetD2D32Async_ptsz(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    ui: c_uint,
    Width: usize,
    Height: usize,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemsetD2D32Async_ptsz(dstDevice, dstPitch, ui, Width, Height, hStream))
}

/// Memory Management, in drivers since CUDA 12.6.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemBatchDecompressAsync`](fn@crate::cuMemBatchDecompressAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemBatchDecompressAsync_ptsz(
    paramsArray: *mut CUmemDecompressParams,
    count: usize,
    flags: c_uint,
    errorIndex: *mut usize,
    stream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemBatchDecompressAsync_ptsz(paramsArray, count, flags, errorIndex, stream))
}

/// Virtual Memory Management, in drivers since CUDA 11.1.
///
/// [CUDA_VA](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemMapArrayAsync`](fn@crate::cuMemMapArrayAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemMapArrayAsync_ptsz(
    mapInfoList: *mut CUarrayMapInfo,
    count: c_uint,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemMapArrayAsync_ptsz(mapInfoList, count, hStream))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemFreeAsync`](fn@crate::cuMemFreeAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemFreeAsync_ptsz(dptr: CUdeviceptr, hStream: CUstream) -> CUresult {
    call!(per_thread.cuMemFreeAsync_ptsz(dptr, hStream))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemAllocAsync`](fn@crate::cuMemAllocAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemAllocAsync_ptsz(dptr: *mut CUdeviceptr, bytesize: usize, hStream: CUstream) -> CUresult {
    call!(per_thread.cuMemAllocAsync_ptsz(dptr, bytesize, hStream))
}

/// Stream Ordered Memory Allocator, in drivers since CUDA 11.2.
///
/// [CUDA_MALLOC_ASYNC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemAllocFromPoolAsync`](fn@crate::cuMemAllocFromPoolAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemAllocFromPoolAsync_ptsz(
    dptr: *mut CUdeviceptr,
    bytesize: usize,
    pool: CUmemoryPool,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemAllocFromPoolAsync_ptsz(dptr, bytesize, pool, hStream))
}

/// Fabric Copy, in drivers since CUDA 13.5.
///
/// [CUDA_FABRIC_COPY](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__FABRIC__COPY.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuFabricCpyBatchAsync`](fn@crate::cuFabricCpyBatchAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuFabricCpyBatchAsync_ptsz(
    numOps: usize,
    opList: *mut CUDA_FABRIC_COPY_BATCH_OP,
    flags: c_ulonglong,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuFabricCpyBatchAsync_ptsz(numOps, opList, flags, hStream))
}

/// Unified Addressing, in drivers since CUDA 12.2.
///
/// [CUDA_UNIFIED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html) in NVIDIA's documentation.
///
/// Versions: [`cuMemPrefetchAsync_ptsz`](fn@crate::cuMemPrefetchAsync_ptsz) (8.0) → **`cuMemPrefetchAsync_v2_ptsz`** (12.2)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemPrefetchAsync_v2`](fn@crate::cuMemPrefetchAsync_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemPrefetchAsync_v2_ptsz(
    devPtr: CUdeviceptr,
    count: usize,
    location: CUmemLocation,
    flags: c_uint,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemPrefetchAsync_v2_ptsz(devPtr, count, location, flags, hStream))
}

/// Unified Addressing, in drivers since CUDA 13.0.
///
/// [CUDA_UNIFIED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemPrefetchBatchAsync`](fn@crate::cuMemPrefetchBatchAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemPrefetchBatchAsync_ptsz(
    dptrs: *mut CUdeviceptr,
    sizes: *mut usize,
    count: usize,
    prefetchLocs: *mut CUmemLocation,
    prefetchLocIdxs: *mut usize,
    numPrefetchLocs: usize,
    flags: c_ulonglong,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemPrefetchBatchAsync_ptsz(
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
/// [`cuMemDiscardBatchAsync`](fn@crate::cuMemDiscardBatchAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemDiscardBatchAsync_ptsz(
    dptrs: *mut CUdeviceptr,
    sizes: *mut usize,
    count: usize,
    flags: c_ulonglong,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemDiscardBatchAsync_ptsz(dptrs, sizes, count, flags, hStream))
}

/// Unified Addressing, in drivers since CUDA 13.0.
///
/// [CUDA_UNIFIED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemDiscardAndPrefetchBatchAsync`](fn@crate::cuMemDiscardAndPrefetchBatchAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemDiscardAndPrefetchBatchAsync_ptsz(
    dptrs: *mut CUdeviceptr,
    sizes: *mut usize,
    count: usize,
    prefetchLocs: *mut CUmemLocation,
    prefetchLocIdxs: *mut usize,
    numPrefetchLocs: usize,
    flags: c_ulonglong,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemDiscardAndPrefetchBatchAsync_ptsz(
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

/// Stream Management, in drivers since CUDA 13.1.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamBeginCaptureToCig`](fn@crate::cuStreamBeginCaptureToCig) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamBeginCaptureToCig_ptsz(
    hStream: CUstream,
    streamCigCaptureParams: *mut CUstreamCigCaptureParams,
) -> CUresult {
    call!(per_thread.cuStreamBeginCaptureToCig_ptsz(hStream, streamCigCaptureParams))
}

/// Stream Management, in drivers since CUDA 13.1.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamEndCaptureToCig`](fn@crate::cuStreamEndCaptureToCig) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamEndCaptureToCig_ptsz(hStream: CUstream) -> CUresult {
    call!(per_thread.cuStreamEndCaptureToCig_ptsz(hStream))
}

/// Stream Management, in drivers since CUDA 7.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamGetPriority`](fn@crate::cuStreamGetPriority) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetPriority_ptsz(hStream: CUstream, priority: *mut c_int) -> CUresult {
    call!(per_thread.cuStreamGetPriority_ptsz(hStream, priority))
}

/// Stream Management, in drivers since CUDA 12.8.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamGetDevice`](fn@crate::cuStreamGetDevice) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetDevice_ptsz(hStream: CUstream, device: *mut CUdevice) -> CUresult {
    call!(per_thread.cuStreamGetDevice_ptsz(hStream, device))
}

/// Stream Management, in drivers since CUDA 7.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamGetFlags`](fn@crate::cuStreamGetFlags) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetFlags_ptsz(hStream: CUstream, flags: *mut c_uint) -> CUresult {
    call!(per_thread.cuStreamGetFlags_ptsz(hStream, flags))
}

/// Stream Management, in drivers since CUDA 12.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamGetId`](fn@crate::cuStreamGetId) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetId_ptsz(hStream: CUstream, streamId: *mut c_ulonglong) -> CUresult {
    call!(per_thread.cuStreamGetId_ptsz(hStream, streamId))
}

/// Stream Management, in drivers since CUDA 9.2.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Versions: **`cuStreamGetCtx_ptsz`** (9.2) → [`cuStreamGetCtx_v2_ptsz`](fn@crate::cuStreamGetCtx_v2_ptsz) (12.5)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamGetCtx`](fn@crate::cuStreamGetCtx) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetCtx_ptsz(hStream: CUstream, pctx: *mut CUcontext) -> CUresult {
    call!(per_thread.cuStreamGetCtx_ptsz(hStream, pctx))
}

/// Stream Management, in drivers since CUDA 12.5.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Versions: [`cuStreamGetCtx_ptsz`](fn@crate::cuStreamGetCtx_ptsz) (9.2) → **`cuStreamGetCtx_v2_ptsz`** (12.5)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamGetCtx_v2`](fn@crate::cuStreamGetCtx_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetCtx_v2_ptsz(
    hStream: CUstream,
    pCtx: *mut CUcontext,
    pGreenCtx: *mut CUgreenCtx,
) -> CUresult {
    call!(per_thread.cuStreamGetCtx_v2_ptsz(hStream, pCtx, pGreenCtx))
}

/// Stream Management, in drivers since CUDA 7.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamWaitEvent`](fn@crate::cuStreamWaitEvent) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamWaitEvent_ptsz(hStream: CUstream, hEvent: CUevent, Flags: c_uint) -> CUresult {
    call!(per_thread.cuStreamWaitEvent_ptsz(hStream, hEvent, Flags))
}

/// Stream Management, in drivers since CUDA 7.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamAddCallback`](fn@crate::cuStreamAddCallback) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamAddCallback_ptsz(
    hStream: CUstream,
    callback: CUstreamCallback,
    userData: *mut c_void,
    flags: c_uint,
) -> CUresult {
    call!(per_thread.cuStreamAddCallback_ptsz(hStream, callback, userData, flags))
}

/// Stream Management, in drivers since CUDA 10.1.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Versions: `cuStreamBeginCapture_ptsz` (10.0, not bound) → **`cuStreamBeginCapture_v2_ptsz`** (10.1)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamBeginCapture_v2`](fn@crate::cuStreamBeginCapture_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamBeginCapture_v2_ptsz(hStream: CUstream, mode: CUstreamCaptureMode) -> CUresult {
    call!(per_thread.cuStreamBeginCapture_v2_ptsz(hStream, mode))
}

/// Stream Management, in drivers since CUDA 13.3.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamBeginRecaptureToGraph`](fn@crate::cuStreamBeginRecaptureToGraph) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamBeginRecaptureToGraph_ptsz(
    hStream: CUstream,
    mode: CUstreamCaptureMode,
    hGraph: CUgraph,
    callbackFunc: CUgraphRecaptureCallback,
    userData: *mut c_void,
) -> CUresult {
    call!(per_thread.cuStreamBeginRecaptureToGraph_ptsz(hStream, mode, hGraph, callbackFunc, userData))
}

/// Stream Management, in drivers since CUDA 12.3.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamBeginCaptureToGraph`](fn@crate::cuStreamBeginCaptureToGraph) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamBeginCaptureToGraph_ptsz(
    hStream: CUstream,
    hGraph: CUgraph,
    dependencies: *const CUgraphNode,
    dependencyData: *const CUgraphEdgeData,
    numDependencies: usize,
    mode: CUstreamCaptureMode,
) -> CUresult {
    call!(per_thread.cuStreamBeginCaptureToGraph_ptsz(
        hStream,
        hGraph,
        dependencies,
        dependencyData,
        numDependencies,
        mode
    ))
}

/// Stream Management, in drivers since CUDA 10.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamEndCapture`](fn@crate::cuStreamEndCapture) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamEndCapture_ptsz(hStream: CUstream, phGraph: *mut CUgraph) -> CUresult {
    call!(per_thread.cuStreamEndCapture_ptsz(hStream, phGraph))
}

/// Stream Management, in drivers since CUDA 10.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamIsCapturing`](fn@crate::cuStreamIsCapturing) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamIsCapturing_ptsz(
    hStream: CUstream,
    captureStatus: *mut CUstreamCaptureStatus,
) -> CUresult {
    call!(per_thread.cuStreamIsCapturing_ptsz(hStream, captureStatus))
}

/// Stream Management, in drivers since CUDA 12.3.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Versions: [`cuStreamGetCaptureInfo_ptsz`](fn@crate::cuStreamGetCaptureInfo_ptsz) (10.1) → [`cuStreamGetCaptureInfo_v2_ptsz`](fn@crate::cuStreamGetCaptureInfo_v2_ptsz) (11.3) → **`cuStreamGetCaptureInfo_v3_ptsz`** (12.3)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamGetCaptureInfo_v3`](fn@crate::cuStreamGetCaptureInfo_v3) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetCaptureInfo_v3_ptsz(
    hStream: CUstream,
    captureStatus_out: *mut CUstreamCaptureStatus,
    id_out: *mut cuuint64_t,
    graph_out: *mut CUgraph,
    dependencies_out: *mut *const CUgraphNode,
    edgeData_out: *mut *const CUgraphEdgeData,
    numDependencies_out: *mut usize,
) -> CUresult {
    call!(per_thread.cuStreamGetCaptureInfo_v3_ptsz(
        hStream,
        captureStatus_out,
        id_out,
        graph_out,
        dependencies_out,
        edgeData_out,
        numDependencies_out
    ))
}

/// Stream Management, in drivers since CUDA 12.3.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Versions: [`cuStreamUpdateCaptureDependencies_ptsz`](fn@crate::cuStreamUpdateCaptureDependencies_ptsz) (11.3) → **`cuStreamUpdateCaptureDependencies_v2_ptsz`** (12.3)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamUpdateCaptureDependencies_v2`](fn@crate::cuStreamUpdateCaptureDependencies_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamUpdateCaptureDependencies_v2_ptsz(
    hStream: CUstream,
    dependencies: *mut CUgraphNode,
    dependencyData: *const CUgraphEdgeData,
    numDependencies: usize,
    flags: c_uint,
) -> CUresult {
    call!(per_thread.cuStreamUpdateCaptureDependencies_v2_ptsz(
        hStream,
        dependencies,
        dependencyData,
        numDependencies,
        flags
    ))
}

/// Stream Management, in drivers since CUDA 7.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamAttachMemAsync`](fn@crate::cuStreamAttachMemAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamAttachMemAsync_ptsz(
    hStream: CUstream,
    dptr: CUdeviceptr,
    length: usize,
    flags: c_uint,
) -> CUresult {
    call!(per_thread.cuStreamAttachMemAsync_ptsz(hStream, dptr, length, flags))
}

/// Stream Management, in drivers since CUDA 7.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamQuery`](fn@crate::cuStreamQuery) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamQuery_ptsz(hStream: CUstream) -> CUresult {
    call!(per_thread.cuStreamQuery_ptsz(hStream))
}

/// Stream Management, in drivers since CUDA 7.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamSynchronize`](fn@crate::cuStreamSynchronize) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamSynchronize_ptsz(hStream: CUstream) -> CUresult {
    call!(per_thread.cuStreamSynchronize_ptsz(hStream))
}

/// Stream Management, in drivers since CUDA 11.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamCopyAttributes`](fn@crate::cuStreamCopyAttributes) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamCopyAttributes_ptsz(dst: CUstream, src: CUstream) -> CUresult {
    call!(per_thread.cuStreamCopyAttributes_ptsz(dst, src))
}

/// Stream Management, in drivers since CUDA 11.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamGetAttribute`](fn@crate::cuStreamGetAttribute) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetAttribute_ptsz(
    hStream: CUstream,
    attr: CUstreamAttrID,
    value_out: *mut CUstreamAttrValue,
) -> CUresult {
    call!(per_thread.cuStreamGetAttribute_ptsz(hStream, attr, value_out))
}

/// Stream Management, in drivers since CUDA 11.0.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamSetAttribute`](fn@crate::cuStreamSetAttribute) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamSetAttribute_ptsz(
    hStream: CUstream,
    attr: CUstreamAttrID,
    value: *const CUstreamAttrValue,
) -> CUresult {
    call!(per_thread.cuStreamSetAttribute_ptsz(hStream, attr, value))
}

/// Event Management, in drivers since CUDA 7.0.
///
/// [CUDA_EVENT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuEventRecord`](fn@crate::cuEventRecord) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuEventRecord_ptsz(hEvent: CUevent, hStream: CUstream) -> CUresult {
    call!(per_thread.cuEventRecord_ptsz(hEvent, hStream))
}

/// Event Management, in drivers since CUDA 11.1.
///
/// [CUDA_EVENT](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuEventRecordWithFlags`](fn@crate::cuEventRecordWithFlags) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuEventRecordWithFlags_ptsz(hEvent: CUevent, hStream: CUstream, flags: c_uint) -> CUresult {
    call!(per_thread.cuEventRecordWithFlags_ptsz(hEvent, hStream, flags))
}

/// External Resource Interoperability, in drivers since CUDA 10.0.
///
/// [CUDA_EXTRES_INTEROP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuSignalExternalSemaphoresAsync`](fn@crate::cuSignalExternalSemaphoresAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuSignalExternalSemaphoresAsync_ptsz(
    extSemArray: *const CUexternalSemaphore,
    paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS,
    numExtSems: c_uint,
    stream: CUstream,
) -> CUresult {
    call!(per_thread.cuSignalExternalSemaphoresAsync_ptsz(extSemArray, paramsArray, numExtSems, stream))
}

/// External Resource Interoperability, in drivers since CUDA 10.0.
///
/// [CUDA_EXTRES_INTEROP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuWaitExternalSemaphoresAsync`](fn@crate::cuWaitExternalSemaphoresAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuWaitExternalSemaphoresAsync_ptsz(
    extSemArray: *const CUexternalSemaphore,
    paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS,
    numExtSems: c_uint,
    stream: CUstream,
) -> CUresult {
    call!(per_thread.cuWaitExternalSemaphoresAsync_ptsz(extSemArray, paramsArray, numExtSems, stream))
}

/// Stream Memory Operations, in drivers since CUDA 11.7.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: [`cuStreamWaitValue32_ptsz`](fn@crate::cuStreamWaitValue32_ptsz) (8.0) → **`cuStreamWaitValue32_v2_ptsz`** (11.7)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamWaitValue32_v2`](fn@crate::cuStreamWaitValue32_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamWaitValue32_v2_ptsz(
    stream: CUstream,
    addr: CUdeviceptr,
    value: cuuint32_t,
    flags: c_uint,
) -> CUresult {
    call!(per_thread.cuStreamWaitValue32_v2_ptsz(stream, addr, value, flags))
}

/// Stream Memory Operations, in drivers since CUDA 11.7.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: [`cuStreamWaitValue64_ptsz`](fn@crate::cuStreamWaitValue64_ptsz) (9.0) → **`cuStreamWaitValue64_v2_ptsz`** (11.7)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamWaitValue64_v2`](fn@crate::cuStreamWaitValue64_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamWaitValue64_v2_ptsz(
    stream: CUstream,
    addr: CUdeviceptr,
    value: cuuint64_t,
    flags: c_uint,
) -> CUresult {
    call!(per_thread.cuStreamWaitValue64_v2_ptsz(stream, addr, value, flags))
}

/// Stream Memory Operations, in drivers since CUDA 11.7.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: [`cuStreamWriteValue32_ptsz`](fn@crate::cuStreamWriteValue32_ptsz) (8.0) → **`cuStreamWriteValue32_v2_ptsz`** (11.7)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamWriteValue32_v2`](fn@crate::cuStreamWriteValue32_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamWriteValue32_v2_ptsz(
    stream: CUstream,
    addr: CUdeviceptr,
    value: cuuint32_t,
    flags: c_uint,
) -> CUresult {
    call!(per_thread.cuStreamWriteValue32_v2_ptsz(stream, addr, value, flags))
}

/// Stream Memory Operations, in drivers since CUDA 11.7.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: [`cuStreamWriteValue64_ptsz`](fn@crate::cuStreamWriteValue64_ptsz) (9.0) → **`cuStreamWriteValue64_v2_ptsz`** (11.7)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamWriteValue64_v2`](fn@crate::cuStreamWriteValue64_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamWriteValue64_v2_ptsz(
    stream: CUstream,
    addr: CUdeviceptr,
    value: cuuint64_t,
    flags: c_uint,
) -> CUresult {
    call!(per_thread.cuStreamWriteValue64_v2_ptsz(stream, addr, value, flags))
}

/// Stream Memory Operations, in drivers since CUDA 11.7.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: [`cuStreamBatchMemOp_ptsz`](fn@crate::cuStreamBatchMemOp_ptsz) (8.0) → **`cuStreamBatchMemOp_v2_ptsz`** (11.7)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamBatchMemOp_v2`](fn@crate::cuStreamBatchMemOp_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamBatchMemOp_v2_ptsz(
    stream: CUstream,
    count: c_uint,
    paramArray: *mut CUstreamBatchMemOpParams,
    flags: c_uint,
) -> CUresult {
    call!(per_thread.cuStreamBatchMemOp_v2_ptsz(stream, count, paramArray, flags))
}

/// Execution Control, in drivers since CUDA 7.0.
///
/// [CUDA_EXEC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuLaunchKernel`](fn@crate::cuLaunchKernel) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLaunchKernel_ptsz(
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
    call!(per_thread.cuLaunchKernel_ptsz(
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
/// [`cuLaunchKernelEx`](fn@crate::cuLaunchKernelEx) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLaunchKernelEx_ptsz(
    config: *const CUlaunchConfig,
    f: CUfunction,
    kernelParams: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> CUresult {
    call!(per_thread.cuLaunchKernelEx_ptsz(config, f, kernelParams, extra))
}

/// Execution Control, in drivers since CUDA 9.0.
///
/// [CUDA_EXEC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuLaunchCooperativeKernel`](fn@crate::cuLaunchCooperativeKernel) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLaunchCooperativeKernel_ptsz(
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
    call!(per_thread.cuLaunchCooperativeKernel_ptsz(
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

/// Execution Control, in drivers since CUDA 10.0.
///
/// [CUDA_EXEC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html) in NVIDIA's documentation.
///
/// Versions: **`cuLaunchHostFunc_ptsz`** (10.0) → [`cuLaunchHostFunc_v2_ptsz`](fn@crate::cuLaunchHostFunc_v2_ptsz) (13.1)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuLaunchHostFunc`](fn@crate::cuLaunchHostFunc) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLaunchHostFunc_ptsz(hStream: CUstream, fn_: CUhostFn, userData: *mut c_void) -> CUresult {
    call!(per_thread.cuLaunchHostFunc_ptsz(hStream, fn_, userData))
}

/// Execution Control, in drivers since CUDA 13.1.
///
/// [CUDA_EXEC](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html) in NVIDIA's documentation.
///
/// Versions: [`cuLaunchHostFunc_ptsz`](fn@crate::cuLaunchHostFunc_ptsz) (10.0) → **`cuLaunchHostFunc_v2_ptsz`** (13.1)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuLaunchHostFunc_v2`](fn@crate::cuLaunchHostFunc_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuLaunchHostFunc_v2_ptsz(
    hStream: CUstream,
    fn_: CUhostFn,
    userData: *mut c_void,
    syncMode: c_uint,
) -> CUresult {
    call!(per_thread.cuLaunchHostFunc_v2_ptsz(hStream, fn_, userData, syncMode))
}

/// Graph Management, in drivers since CUDA 12.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs a current context.
///
/// [`cuGraphInstantiateWithParams`](fn@crate::cuGraphInstantiateWithParams) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphInstantiateWithParams_ptsz(
    phGraphExec: *mut CUgraphExec,
    hGraph: CUgraph,
    instantiateParams: *mut CUDA_GRAPH_INSTANTIATE_PARAMS,
) -> CUresult {
    call!(per_thread.cuGraphInstantiateWithParams_ptsz(phGraphExec, hGraph, instantiateParams))
}

/// Graph Management, in drivers since CUDA 11.1.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuGraphUpload`](fn@crate::cuGraphUpload) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphUpload_ptsz(hGraphExec: CUgraphExec, hStream: CUstream) -> CUresult {
    call!(per_thread.cuGraphUpload_ptsz(hGraphExec, hStream))
}

/// Graph Management, in drivers since CUDA 10.0.
///
/// [CUDA_GRAPH](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuGraphLaunch`](fn@crate::cuGraphLaunch) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphLaunch_ptsz(hGraphExec: CUgraphExec, hStream: CUstream) -> CUresult {
    call!(per_thread.cuGraphLaunch_ptsz(hGraphExec, hStream))
}

/// Graphics Interoperability, in drivers since CUDA 7.0.
///
/// [CUDA_GRAPHICS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPHICS.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuGraphicsMapResources`](fn@crate::cuGraphicsMapResources) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphicsMapResources_ptsz(
    count: c_uint,
    resources: *mut CUgraphicsResource,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuGraphicsMapResources_ptsz(count, resources, hStream))
}

/// Graphics Interoperability, in drivers since CUDA 7.0.
///
/// [CUDA_GRAPHICS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPHICS.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuGraphicsUnmapResources`](fn@crate::cuGraphicsUnmapResources) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuGraphicsUnmapResources_ptsz(
    count: c_uint,
    resources: *mut CUgraphicsResource,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuGraphicsUnmapResources_ptsz(count, resources, hStream))
}

/// Green Contexts, in drivers since CUDA 13.1.
///
/// [CUDA_GREEN_CONTEXTS](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GREEN__CONTEXTS.html) in NVIDIA's documentation.
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamGetDevResource`](fn@crate::cuStreamGetDevResource) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetDevResource_ptsz(
    hStream: CUstream,
    resource: *mut CUdevResource,
    type_: CUdevResourceType,
) -> CUresult {
    call!(per_thread.cuStreamGetDevResource_ptsz(hStream, resource, type_))
}

/// Memory Management, in drivers since CUDA 12.8.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: **`cuMemcpyBatchAsync_ptsz`** (12.8) → [`cuMemcpyBatchAsync_v2_ptsz`](fn@crate::cuMemcpyBatchAsync_v2_ptsz) (13.0)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemcpyBatchAsync`](fn@crate::cuMemcpyBatchAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpyBatchAsync_ptsz(
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
    call!(
        per_thread
            .cuMemcpyBatchAsync_ptsz(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, failIdx, hStream)
    )
}

/// Memory Management, in drivers since CUDA 12.8.
///
/// [CUDA_MEM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html) in NVIDIA's documentation.
///
/// Versions: **`cuMemcpy3DBatchAsync_ptsz`** (12.8) → [`cuMemcpy3DBatchAsync_v2_ptsz`](fn@crate::cuMemcpy3DBatchAsync_v2_ptsz) (13.0)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemcpy3DBatchAsync`](fn@crate::cuMemcpy3DBatchAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemcpy3DBatchAsync_ptsz(
    numOps: usize,
    opList: *mut CUDA_MEMCPY3D_BATCH_OP,
    failIdx: *mut usize,
    flags: c_ulonglong,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemcpy3DBatchAsync_ptsz(numOps, opList, failIdx, flags, hStream))
}

/// Stream Memory Operations, in drivers since CUDA 8.0.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: **`cuStreamWriteValue32_ptsz`** (8.0) → [`cuStreamWriteValue32_v2_ptsz`](fn@crate::cuStreamWriteValue32_v2_ptsz) (11.7)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamWriteValue32`](fn@crate::cuStreamWriteValue32) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamWriteValue32_ptsz(
    stream: CUstream,
    addr: CUdeviceptr,
    value: cuuint32_t,
    flags: c_uint,
) -> CUresult {
    call!(per_thread.cuStreamWriteValue32_ptsz(stream, addr, value, flags))
}

/// Stream Memory Operations, in drivers since CUDA 8.0.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: **`cuStreamWaitValue32_ptsz`** (8.0) → [`cuStreamWaitValue32_v2_ptsz`](fn@crate::cuStreamWaitValue32_v2_ptsz) (11.7)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamWaitValue32`](fn@crate::cuStreamWaitValue32) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamWaitValue32_ptsz(
    stream: CUstream,
    addr: CUdeviceptr,
    value: cuuint32_t,
    flags: c_uint,
) -> CUresult {
    call!(per_thread.cuStreamWaitValue32_ptsz(stream, addr, value, flags))
}

/// Stream Memory Operations, in drivers since CUDA 9.0.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: **`cuStreamWriteValue64_ptsz`** (9.0) → [`cuStreamWriteValue64_v2_ptsz`](fn@crate::cuStreamWriteValue64_v2_ptsz) (11.7)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamWriteValue64`](fn@crate::cuStreamWriteValue64) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamWriteValue64_ptsz(
    stream: CUstream,
    addr: CUdeviceptr,
    value: cuuint64_t,
    flags: c_uint,
) -> CUresult {
    call!(per_thread.cuStreamWriteValue64_ptsz(stream, addr, value, flags))
}

/// Stream Memory Operations, in drivers since CUDA 9.0.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: **`cuStreamWaitValue64_ptsz`** (9.0) → [`cuStreamWaitValue64_v2_ptsz`](fn@crate::cuStreamWaitValue64_v2_ptsz) (11.7)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamWaitValue64`](fn@crate::cuStreamWaitValue64) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamWaitValue64_ptsz(
    stream: CUstream,
    addr: CUdeviceptr,
    value: cuuint64_t,
    flags: c_uint,
) -> CUresult {
    call!(per_thread.cuStreamWaitValue64_ptsz(stream, addr, value, flags))
}

/// Stream Memory Operations, in drivers since CUDA 8.0.
///
/// [CUDA_MEMOP](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html) in NVIDIA's documentation.
///
/// Versions: **`cuStreamBatchMemOp_ptsz`** (8.0) → [`cuStreamBatchMemOp_v2_ptsz`](fn@crate::cuStreamBatchMemOp_v2_ptsz) (11.7)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamBatchMemOp`](fn@crate::cuStreamBatchMemOp) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamBatchMemOp_ptsz(
    stream: CUstream,
    count: c_uint,
    paramArray: *mut CUstreamBatchMemOpParams,
    flags: c_uint,
) -> CUresult {
    call!(per_thread.cuStreamBatchMemOp_ptsz(stream, count, paramArray, flags))
}

/// Unified Addressing, in drivers since CUDA 8.0.
///
/// [CUDA_UNIFIED](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html) in NVIDIA's documentation.
///
/// Versions: **`cuMemPrefetchAsync_ptsz`** (8.0) → [`cuMemPrefetchAsync_v2_ptsz`](fn@crate::cuMemPrefetchAsync_v2_ptsz) (12.2)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuMemPrefetchAsync`](fn@crate::cuMemPrefetchAsync) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuMemPrefetchAsync_ptsz(
    devPtr: CUdeviceptr,
    count: usize,
    dstDevice: CUdevice,
    hStream: CUstream,
) -> CUresult {
    call!(per_thread.cuMemPrefetchAsync_ptsz(devPtr, count, dstDevice, hStream))
}

/// Stream Management, in drivers since CUDA 10.1.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Versions: **`cuStreamGetCaptureInfo_ptsz`** (10.1) → [`cuStreamGetCaptureInfo_v2_ptsz`](fn@crate::cuStreamGetCaptureInfo_v2_ptsz) (11.3) → [`cuStreamGetCaptureInfo_v3_ptsz`](fn@crate::cuStreamGetCaptureInfo_v3_ptsz) (12.3)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamGetCaptureInfo`](fn@crate::cuStreamGetCaptureInfo) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetCaptureInfo_ptsz(
    hStream: CUstream,
    captureStatus_out: *mut CUstreamCaptureStatus,
    id_out: *mut cuuint64_t,
) -> CUresult {
    call!(per_thread.cuStreamGetCaptureInfo_ptsz(hStream, captureStatus_out, id_out))
}

/// Stream Management, in drivers since CUDA 11.3.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Versions: [`cuStreamGetCaptureInfo_ptsz`](fn@crate::cuStreamGetCaptureInfo_ptsz) (10.1) → **`cuStreamGetCaptureInfo_v2_ptsz`** (11.3) → [`cuStreamGetCaptureInfo_v3_ptsz`](fn@crate::cuStreamGetCaptureInfo_v3_ptsz) (12.3)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamGetCaptureInfo_v2`](fn@crate::cuStreamGetCaptureInfo_v2) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamGetCaptureInfo_v2_ptsz(
    hStream: CUstream,
    captureStatus_out: *mut CUstreamCaptureStatus,
    id_out: *mut cuuint64_t,
    graph_out: *mut CUgraph,
    dependencies_out: *mut *const CUgraphNode,
    numDependencies_out: *mut usize,
) -> CUresult {
    call!(per_thread.cuStreamGetCaptureInfo_v2_ptsz(
        hStream,
        captureStatus_out,
        id_out,
        graph_out,
        dependencies_out,
        numDependencies_out
    ))
}

/// Stream Management, in drivers since CUDA 11.3.
///
/// [CUDA_STREAM](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html) in NVIDIA's documentation.
///
/// Versions: **`cuStreamUpdateCaptureDependencies_ptsz`** (11.3) → [`cuStreamUpdateCaptureDependencies_v2_ptsz`](fn@crate::cuStreamUpdateCaptureDependencies_v2_ptsz) (12.3)
///
/// Needs no current context: its arguments name what it works on.
///
/// [`cuStreamUpdateCaptureDependencies`](fn@crate::cuStreamUpdateCaptureDependencies) with the calling thread's own default stream for the null stream.
///
/// With the feature `ptds`.
///
/// # Safety
///
/// See [what a caller promises](crate#safety).
#[inline]
pub unsafe fn cuStreamUpdateCaptureDependencies_ptsz(
    hStream: CUstream,
    dependencies: *mut CUgraphNode,
    numDependencies: usize,
    flags: c_uint,
) -> CUresult {
    call!(per_thread.cuStreamUpdateCaptureDependencies_ptsz(hStream, dependencies, numDependencies, flags))
}
