//! Answers that hardware gave, or must give, beyond what the documentation of the function lists.

use cuda_sys::{CUresult, Symbol};

/// The function, the code, and where it comes from.
pub(super) type Answer = (Symbol, CUresult, &'static str);

#[rustfmt::skip] // a table
pub(super) static ANSWERS: &[Answer] = &[
    (Symbol::cuInit, CUresult::CUDA_ERROR_NO_DEVICE, "measured: no device is visible"),
    (Symbol::cuCtxSetLimit, CUresult::CUDA_ERROR_NOT_PERMITTED, "measured: the limits 7 and 8"),
    (Symbol::cuMemcpy3D_v2, CUresult::CUDA_ERROR_INVALID_HANDLE, "measured: no array"),
    (Symbol::cuMemcpy2D_v2, CUresult::CUDA_ERROR_INVALID_HANDLE, "measured: no array"),
    (Symbol::cuParamSetTexRef, CUresult::CUDA_ERROR_INVALID_HANDLE, "measured: a reference of another context"),
    (Symbol::cuTexRefSetArray, CUresult::CUDA_ERROR_INVALID_HANDLE, "measured: no array"),
    (Symbol::cuTexRefSetArray, CUresult::CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "measured: an array of a peer out of reach"),
    (Symbol::cuTexRefSetMipmappedArray, CUresult::CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "as cuTexRefSetArray, measured"),
    (Symbol::cuSurfRefSetArray, CUresult::CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "as cuTexRefSetArray, measured"),
    (Symbol::cuTexObjectCreate, CUresult::CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "measured: an array out of reach"),
    (Symbol::cuSurfObjectCreate, CUresult::CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "measured: an array out of reach"),
    (Symbol::cuTexObjectCreate, CUresult::CUDA_ERROR_OUT_OF_MEMORY, "measured: as many objects as there can be"),
    (Symbol::cuSurfObjectCreate, CUresult::CUDA_ERROR_OUT_OF_MEMORY, "measured: as many objects as there can be"),
    (Symbol::cuCtxDestroy_v2, CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED, "measured: a context that was destroyed before"),
    (Symbol::cuCtxSetFlags, CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED, "in place of a crash, which was measured"),
    (Symbol::cuCtxGetApiVersion, CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED, "measured: the current context is gone"),
    (Symbol::cuDeviceCanAccessPeer, CUresult::CUDA_ERROR_INVALID_VALUE, "measured: no place for the answer"),
    (Symbol::cuMemPoolSetAccess, CUresult::CUDA_ERROR_INVALID_DEVICE, "measured: no device, or the owner"),
    (Symbol::cuCtxCreate_v3, CUresult::CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, "measured: an affinity without MPS"),
    (Symbol::cuCtxCreate_v4, CUresult::CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, "measured: an affinity without MPS"),
    (Symbol::cuCtxDetach, CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED, "measured: a primary context that was released"),
    (Symbol::cuStreamAttachMemAsync, CUresult::CUDA_ERROR_INVALID_VALUE, "measured: memory that cannot be attached, parts of it, and flags that there are not"),
    (Symbol::cuMemPrefetchBatchAsync, CUresult::CUDA_ERROR_INVALID_VALUE, "measured: the null stream, and lists that are wrong"),
    (Symbol::cuMemPrefetchBatchAsync, CUresult::CUDA_ERROR_INVALID_DEVICE, "as cuMemPrefetchAsync"),
    (Symbol::cuMemDiscardBatchAsync, CUresult::CUDA_ERROR_INVALID_VALUE, "measured: the null stream, and lists that are wrong"),
    (Symbol::cuMemDiscardAndPrefetchBatchAsync, CUresult::CUDA_ERROR_INVALID_VALUE, "as cuMemPrefetchBatchAsync"),
    (Symbol::cuMemDiscardAndPrefetchBatchAsync, CUresult::CUDA_ERROR_INVALID_DEVICE, "as cuMemPrefetchAsync"),
    (Symbol::cuModuleLoad, CUresult::CUDA_ERROR_INVALID_IMAGE, "measured: an empty file"),
    (Symbol::cuModuleLoadData, CUresult::CUDA_ERROR_INVALID_IMAGE, "measured: bytes that are no program"),
    (Symbol::cuModuleLoadDataEx, CUresult::CUDA_ERROR_INVALID_IMAGE, "as cuModuleLoadData"),
    (Symbol::cuModuleLoadFatBinary, CUresult::CUDA_ERROR_INVALID_IMAGE, "as cuModuleLoadData"),
    (Symbol::cuLinkAddData_v2, CUresult::CUDA_ERROR_INVALID_SOURCE, "measured: texts that do not go together"),
    (Symbol::cuLinkAddData_v2, CUresult::CUDA_ERROR_JIT_COMPILER_NOT_FOUND, "measured: NVVM"),
    (Symbol::cuLinkAddFile_v2, CUresult::CUDA_ERROR_INVALID_SOURCE, "as cuLinkAddData"),
    (Symbol::cuLinkAddFile_v2, CUresult::CUDA_ERROR_JIT_COMPILER_NOT_FOUND, "as cuLinkAddData"),
    (Symbol::cuLinkComplete, CUresult::CUDA_ERROR_INVALID_SOURCE, "measured: what is missing"),
    (Symbol::cuLinkComplete, CUresult::CUDA_ERROR_INVALID_VALUE, "measured: no place for the image"),
    (Symbol::cuLinkComplete, CUresult::CUDA_ERROR_INVALID_IMAGE, "measured: after an input with that answer"),
    (Symbol::cuLinkComplete, CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU, "measured: after an input with that answer"),
    (Symbol::cuLinkComplete, CUresult::CUDA_ERROR_JIT_COMPILER_NOT_FOUND, "measured: after an input with that answer"),
    (Symbol::cuModuleUnload, CUresult::CUDA_ERROR_INVALID_HANDLE, "measured: no module"),
    (Symbol::cuStreamWaitEvent, CUresult::CUDA_ERROR_INVALID_VALUE, "measured: flags that there are not"),
    (Symbol::cuStreamAddCallback, CUresult::CUDA_ERROR_INVALID_VALUE, "measured: flags that there are not"),
    (Symbol::cuEventSynchronize, CUresult::CUDA_ERROR_INVALID_VALUE, "measured: an event of a capture that was invalidated"),
    (Symbol::cuStreamBeginCapture_v2, CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "measured: the legacy stream"),
    (Symbol::cuStreamBeginCapture_v2, CUresult::CUDA_ERROR_ILLEGAL_STATE, "measured: a stream that is captured already"),
    (Symbol::cuStreamEndCapture, CUresult::CUDA_ERROR_ILLEGAL_STATE, "measured: a stream that is not captured"),
    (Symbol::cuStreamEndCapture, CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "measured: a capture that was invalidated"),
    (Symbol::cuStreamEndCapture, CUresult::CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "measured: another stream was not joined"),
    (Symbol::cuStreamEndCapture, CUresult::CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, "measured: a stream that joined the capture"),
    (Symbol::cuGetProcAddress, CUresult::CUDA_ERROR_NOT_FOUND, "documented for CUDA 11, whose version this is"),
];

/// Functions that tell of a failure which ended everything in some cases, measured: the first two when they are asked of
/// the current context, the third when it would have to make one.
pub(super) static SOMETIMES_STICKY: &[Symbol] =
    &[Symbol::cuCtxGetId, Symbol::cuCtxGetApiVersion, Symbol::cuDevicePrimaryCtxRetain];
