// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

/// Calls the given macro with every function that has a second version, in which the per-thread default
/// stream stands for the null stream: the release that introduced it, its name, the function's name, and
/// the arguments of both.
#[doc(hidden)] // for the library that exports them
#[macro_export]
macro_rules! for_each_twin {
    ($($callback:tt)+) => {
        $($callback)+! {
            [since 7000] fn cuMemcpyHtoD_v2_ptds of cuMemcpyHtoD_v2(dstDevice: CUdeviceptr, srcHost: *const c_void, ByteCount: usize);
            [since 7000] fn cuMemcpyDtoH_v2_ptds of cuMemcpyDtoH_v2(dstHost: *mut c_void, srcDevice: CUdeviceptr, ByteCount: usize);
            [since 7000] fn cuMemcpyDtoD_v2_ptds of cuMemcpyDtoD_v2(dstDevice: CUdeviceptr, srcDevice: CUdeviceptr, ByteCount: usize);
            [since 7000] fn cuMemcpyDtoA_v2_ptds of cuMemcpyDtoA_v2(dstArray: CUarray, dstOffset: usize, srcDevice: CUdeviceptr, ByteCount: usize);
            [since 7000] fn cuMemcpyAtoD_v2_ptds of cuMemcpyAtoD_v2(dstDevice: CUdeviceptr, srcArray: CUarray, srcOffset: usize, ByteCount: usize);
            [since 7000] fn cuMemcpyHtoA_v2_ptds of cuMemcpyHtoA_v2(dstArray: CUarray, dstOffset: usize, srcHost: *const c_void, ByteCount: usize);
            [since 7000] fn cuMemcpyAtoH_v2_ptds of cuMemcpyAtoH_v2(dstHost: *mut c_void, srcArray: CUarray, srcOffset: usize, ByteCount: usize);
            [since 7000] fn cuMemcpyAtoA_v2_ptds of cuMemcpyAtoA_v2(dstArray: CUarray, dstOffset: usize, srcArray: CUarray, srcOffset: usize, ByteCount: usize);
            [since 7000] fn cuMemcpyHtoAAsync_v2_ptsz of cuMemcpyHtoAAsync_v2(dstArray: CUarray, dstOffset: usize, srcHost: *const c_void, ByteCount: usize, hStream: CUstream);
            [since 7000] fn cuMemcpyAtoHAsync_v2_ptsz of cuMemcpyAtoHAsync_v2(dstHost: *mut c_void, srcArray: CUarray, srcOffset: usize, ByteCount: usize, hStream: CUstream);
            [since 7000] fn cuMemcpy2D_v2_ptds of cuMemcpy2D_v2(pCopy: *const CUDA_MEMCPY2D);
            [since 7000] fn cuMemcpy2DUnaligned_v2_ptds of cuMemcpy2DUnaligned_v2(pCopy: *const CUDA_MEMCPY2D);
            [since 7000] fn cuMemcpy3D_v2_ptds of cuMemcpy3D_v2(pCopy: *const CUDA_MEMCPY3D);
            [since 7000] fn cuMemcpyHtoDAsync_v2_ptsz of cuMemcpyHtoDAsync_v2(dstDevice: CUdeviceptr, srcHost: *const c_void, ByteCount: usize, hStream: CUstream);
            [since 7000] fn cuMemcpyDtoHAsync_v2_ptsz of cuMemcpyDtoHAsync_v2(dstHost: *mut c_void, srcDevice: CUdeviceptr, ByteCount: usize, hStream: CUstream);
            [since 7000] fn cuMemcpyDtoDAsync_v2_ptsz of cuMemcpyDtoDAsync_v2(dstDevice: CUdeviceptr, srcDevice: CUdeviceptr, ByteCount: usize, hStream: CUstream);
            [since 7000] fn cuMemcpy2DAsync_v2_ptsz of cuMemcpy2DAsync_v2(pCopy: *const CUDA_MEMCPY2D, hStream: CUstream);
            [since 7000] fn cuMemcpy3DAsync_v2_ptsz of cuMemcpy3DAsync_v2(pCopy: *const CUDA_MEMCPY3D, hStream: CUstream);
            [since 7000] fn cuMemsetD8_v2_ptds of cuMemsetD8_v2(dstDevice: CUdeviceptr, uc: c_uchar, N: usize);
            [since 7000] fn cuMemsetD16_v2_ptds of cuMemsetD16_v2(dstDevice: CUdeviceptr, us: c_ushort, N: usize);
            [since 7000] fn cuMemsetD32_v2_ptds of cuMemsetD32_v2(dstDevice: CUdeviceptr, ui: c_uint, N: usize);
            [since 7000] fn cuMemsetD2D8_v2_ptds of cuMemsetD2D8_v2(dstDevice: CUdeviceptr, dstPitch: usize, uc: c_uchar, Width: usize, Height: usize);
            [since 7000] fn cuMemsetD2D16_v2_ptds of cuMemsetD2D16_v2(dstDevice: CUdeviceptr, dstPitch: usize, us: c_ushort, Width: usize, Height: usize);
            [since 7000] fn cuMemsetD2D32_v2_ptds of cuMemsetD2D32_v2(dstDevice: CUdeviceptr, dstPitch: usize, ui: c_uint, Width: usize, Height: usize);
            [since 7000] fn cuMemcpy_ptds of cuMemcpy(dst: CUdeviceptr, src: CUdeviceptr, ByteCount: usize);
            [since 7000] fn cuMemcpyAsync_ptsz of cuMemcpyAsync(dst: CUdeviceptr, src: CUdeviceptr, ByteCount: usize, hStream: CUstream);
            [since 7000] fn cuMemcpyPeer_ptds of cuMemcpyPeer(dstDevice: CUdeviceptr, dstContext: CUcontext, srcDevice: CUdeviceptr, srcContext: CUcontext, ByteCount: usize);
            [since 7000] fn cuMemcpyPeerAsync_ptsz of cuMemcpyPeerAsync(dstDevice: CUdeviceptr, dstContext: CUcontext, srcDevice: CUdeviceptr, srcContext: CUcontext, ByteCount: usize, hStream: CUstream);
            [since 7000] fn cuMemcpy3DPeer_ptds of cuMemcpy3DPeer(pCopy: *const CUDA_MEMCPY3D_PEER);
            [since 7000] fn cuMemcpy3DPeerAsync_ptsz of cuMemcpy3DPeerAsync(pCopy: *const CUDA_MEMCPY3D_PEER, hStream: CUstream);
            [since 12080] fn cuMemcpyBatchAsync_ptsz of cuMemcpyBatchAsync(dsts: *mut CUdeviceptr, srcs: *mut CUdeviceptr, sizes: *mut usize, count: usize, attrs: *mut CUmemcpyAttributes, attrsIdxs: *mut usize, numAttrs: usize, failIdx: *mut usize, hStream: CUstream);
            [since 12080] fn cuMemcpy3DBatchAsync_ptsz of cuMemcpy3DBatchAsync(numOps: usize, opList: *mut CUDA_MEMCPY3D_BATCH_OP, failIdx: *mut usize, flags: c_ulonglong, hStream: CUstream);
            [since 13000] fn cuMemcpyBatchAsync_v2_ptsz of cuMemcpyBatchAsync_v2(dsts: *mut CUdeviceptr, srcs: *mut CUdeviceptr, sizes: *mut usize, count: usize, attrs: *mut CUmemcpyAttributes, attrsIdxs: *mut usize, numAttrs: usize, hStream: CUstream);
            [since 13000] fn cuMemcpy3DBatchAsync_v2_ptsz of cuMemcpy3DBatchAsync_v2(numOps: usize, opList: *mut CUDA_MEMCPY3D_BATCH_OP, flags: c_ulonglong, hStream: CUstream);
            [since 13020] fn cuMemcpyWithAttributesAsync_ptsz of cuMemcpyWithAttributesAsync(dst: CUdeviceptr, src: CUdeviceptr, size: usize, attr: *mut CUmemcpyAttributes, hStream: CUstream);
            [since 13020] fn cuMemcpy3DWithAttributesAsync_ptsz of cuMemcpy3DWithAttributesAsync(op: *mut CUDA_MEMCPY3D_BATCH_OP, flags: c_ulonglong, hStream: CUstream);
            [since 7000] fn cuMemsetD8Async_ptsz of cuMemsetD8Async(dstDevice: CUdeviceptr, uc: c_uchar, N: usize, hStream: CUstream);
            [since 7000] fn cuMemsetD16Async_ptsz of cuMemsetD16Async(dstDevice: CUdeviceptr, us: c_ushort, N: usize, hStream: CUstream);
            [since 7000] fn cuMemsetD32Async_ptsz of cuMemsetD32Async(dstDevice: CUdeviceptr, ui: c_uint, N: usize, hStream: CUstream);
            [since 7000] fn cuMemsetD2D8Async_ptsz of cuMemsetD2D8Async(dstDevice: CUdeviceptr, dstPitch: usize, uc: c_uchar, Width: usize, Height: usize, hStream: CUstream);
            [since 7000] fn cuMemsetD2D16Async_ptsz of cuMemsetD2D16Async(dstDevice: CUdeviceptr, dstPitch: usize, us: c_ushort, Width: usize, Height: usize, hStream: CUstream);
            [since 7000] fn cuMemsetD2D32Async_ptsz of cuMemsetD2D32Async(dstDevice: CUdeviceptr, dstPitch: usize, ui: c_uint, Width: usize, Height: usize, hStream: CUstream);
            [since 7000] fn cuStreamGetPriority_ptsz of cuStreamGetPriority(hStream: CUstream, priority: *mut c_int);
            [since 12000] fn cuStreamGetId_ptsz of cuStreamGetId(hStream: CUstream, streamId: *mut c_ulonglong);
            [since 7000] fn cuStreamGetFlags_ptsz of cuStreamGetFlags(hStream: CUstream, flags: *mut c_uint);
            [since 12080] fn cuStreamGetDevice_ptsz of cuStreamGetDevice(hStream: CUstream, device: *mut CUdevice);
            [since 13010] fn cuStreamGetDevResource_ptsz of cuStreamGetDevResource(hStream: CUstream, resource: *mut CUdevResource, type_: CUdevResourceType);
            [since 9020] fn cuStreamGetCtx_ptsz of cuStreamGetCtx(hStream: CUstream, pctx: *mut CUcontext);
            [since 12050] fn cuStreamGetCtx_v2_ptsz of cuStreamGetCtx_v2(hStream: CUstream, pCtx: *mut CUcontext, pGreenCtx: *mut CUgreenCtx);
            [since 7000] fn cuStreamWaitEvent_ptsz of cuStreamWaitEvent(hStream: CUstream, hEvent: CUevent, Flags: c_uint);
            [since 7000] fn cuStreamAddCallback_ptsz of cuStreamAddCallback(hStream: CUstream, callback: CUstreamCallback, userData: *mut c_void, flags: c_uint);
            [since 7000] fn cuStreamAttachMemAsync_ptsz of cuStreamAttachMemAsync(hStream: CUstream, dptr: CUdeviceptr, length: usize, flags: c_uint);
            [since 7000] fn cuStreamQuery_ptsz of cuStreamQuery(hStream: CUstream);
            [since 7000] fn cuStreamSynchronize_ptsz of cuStreamSynchronize(hStream: CUstream);
            [since 7000] fn cuEventRecord_ptsz of cuEventRecord(hEvent: CUevent, hStream: CUstream);
            [since 11010] fn cuEventRecordWithFlags_ptsz of cuEventRecordWithFlags(hEvent: CUevent, hStream: CUstream, flags: c_uint);
            [since 7000] fn cuLaunchKernel_ptsz of cuLaunchKernel(f: CUfunction, gridDimX: c_uint, gridDimY: c_uint, gridDimZ: c_uint, blockDimX: c_uint, blockDimY: c_uint, blockDimZ: c_uint, sharedMemBytes: c_uint, hStream: CUstream, kernelParams: *mut *mut c_void, extra: *mut *mut c_void);
            [since 11060] fn cuLaunchKernelEx_ptsz of cuLaunchKernelEx(config: *const CUlaunchConfig, f: CUfunction, kernelParams: *mut *mut c_void, extra: *mut *mut c_void);
            [since 10000] fn cuLaunchHostFunc_ptsz of cuLaunchHostFunc(hStream: CUstream, fn_: CUhostFn, userData: *mut c_void);
            [since 13010] fn cuLaunchHostFunc_v2_ptsz of cuLaunchHostFunc_v2(hStream: CUstream, fn_: CUhostFn, userData: *mut c_void, syncMode: c_uint);
            [since 7000] fn cuGraphicsMapResources_ptsz of cuGraphicsMapResources(count: c_uint, resources: *mut CUgraphicsResource, hStream: CUstream);
            [since 7000] fn cuGraphicsUnmapResources_ptsz of cuGraphicsUnmapResources(count: c_uint, resources: *mut CUgraphicsResource, hStream: CUstream);
            [since 8000] fn cuStreamWriteValue32_ptsz of cuStreamWriteValue32(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint);
            [since 8000] fn cuStreamWaitValue32_ptsz of cuStreamWaitValue32(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint);
            [since 9000] fn cuStreamWriteValue64_ptsz of cuStreamWriteValue64(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint);
            [since 9000] fn cuStreamWaitValue64_ptsz of cuStreamWaitValue64(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint);
            [since 8000] fn cuStreamBatchMemOp_ptsz of cuStreamBatchMemOp(stream: CUstream, count: c_uint, paramArray: *mut CUstreamBatchMemOpParams, flags: c_uint);
            [since 11070] fn cuStreamWriteValue32_v2_ptsz of cuStreamWriteValue32_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint);
            [since 11070] fn cuStreamWaitValue32_v2_ptsz of cuStreamWaitValue32_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint);
            [since 11070] fn cuStreamWriteValue64_v2_ptsz of cuStreamWriteValue64_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint);
            [since 11070] fn cuStreamWaitValue64_v2_ptsz of cuStreamWaitValue64_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint);
            [since 11070] fn cuStreamBatchMemOp_v2_ptsz of cuStreamBatchMemOp_v2(stream: CUstream, count: c_uint, paramArray: *mut CUstreamBatchMemOpParams, flags: c_uint);
            [since 8000] fn cuMemPrefetchAsync_ptsz of cuMemPrefetchAsync(devPtr: CUdeviceptr, count: usize, dstDevice: CUdevice, hStream: CUstream);
            [since 12020] fn cuMemPrefetchAsync_v2_ptsz of cuMemPrefetchAsync_v2(devPtr: CUdeviceptr, count: usize, location: CUmemLocation, flags: c_uint, hStream: CUstream);
            [since 13000] fn cuMemPrefetchBatchAsync_ptsz of cuMemPrefetchBatchAsync(dptrs: *mut CUdeviceptr, sizes: *mut usize, count: usize, prefetchLocs: *mut CUmemLocation, prefetchLocIdxs: *mut usize, numPrefetchLocs: usize, flags: c_ulonglong, hStream: CUstream);
            [since 13000] fn cuMemDiscardBatchAsync_ptsz of cuMemDiscardBatchAsync(dptrs: *mut CUdeviceptr, sizes: *mut usize, count: usize, flags: c_ulonglong, hStream: CUstream);
            [since 13000] fn cuMemDiscardAndPrefetchBatchAsync_ptsz of cuMemDiscardAndPrefetchBatchAsync(dptrs: *mut CUdeviceptr, sizes: *mut usize, count: usize, prefetchLocs: *mut CUmemLocation, prefetchLocIdxs: *mut usize, numPrefetchLocs: usize, flags: c_ulonglong, hStream: CUstream);
            [since 9000] fn cuLaunchCooperativeKernel_ptsz of cuLaunchCooperativeKernel(f: CUfunction, gridDimX: c_uint, gridDimY: c_uint, gridDimZ: c_uint, blockDimX: c_uint, blockDimY: c_uint, blockDimZ: c_uint, sharedMemBytes: c_uint, hStream: CUstream, kernelParams: *mut *mut c_void);
            [since 10000] fn cuSignalExternalSemaphoresAsync_ptsz of cuSignalExternalSemaphoresAsync(extSemArray: *const CUexternalSemaphore, paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, numExtSems: c_uint, stream: CUstream);
            [since 10000] fn cuWaitExternalSemaphoresAsync_ptsz of cuWaitExternalSemaphoresAsync(extSemArray: *const CUexternalSemaphore, paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, numExtSems: c_uint, stream: CUstream);
            [since 10010] fn cuStreamBeginCapture_v2_ptsz of cuStreamBeginCapture_v2(hStream: CUstream, mode: CUstreamCaptureMode);
            [since 12030] fn cuStreamBeginCaptureToGraph_ptsz of cuStreamBeginCaptureToGraph(hStream: CUstream, hGraph: CUgraph, dependencies: *const CUgraphNode, dependencyData: *const CUgraphEdgeData, numDependencies: usize, mode: CUstreamCaptureMode);
            [since 13030] fn cuStreamBeginRecaptureToGraph_ptsz of cuStreamBeginRecaptureToGraph(hStream: CUstream, mode: CUstreamCaptureMode, hGraph: CUgraph, callbackFunc: CUgraphRecaptureCallback, userData: *mut c_void);
            [since 13050] fn cuFabricCpyBatchAsync_ptsz of cuFabricCpyBatchAsync(numOps: usize, opList: *mut CUDA_FABRIC_COPY_BATCH_OP, flags: c_ulonglong, hStream: CUstream);
            [since 10000] fn cuStreamEndCapture_ptsz of cuStreamEndCapture(hStream: CUstream, phGraph: *mut CUgraph);
            [since 10000] fn cuStreamIsCapturing_ptsz of cuStreamIsCapturing(hStream: CUstream, captureStatus: *mut CUstreamCaptureStatus);
            [since 10010] fn cuStreamGetCaptureInfo_ptsz of cuStreamGetCaptureInfo(hStream: CUstream, captureStatus_out: *mut CUstreamCaptureStatus, id_out: *mut cuuint64_t);
            [since 11030] fn cuStreamGetCaptureInfo_v2_ptsz of cuStreamGetCaptureInfo_v2(hStream: CUstream, captureStatus_out: *mut CUstreamCaptureStatus, id_out: *mut cuuint64_t, graph_out: *mut CUgraph, dependencies_out: *mut *const CUgraphNode, numDependencies_out: *mut usize);
            [since 12030] fn cuStreamGetCaptureInfo_v3_ptsz of cuStreamGetCaptureInfo_v3(hStream: CUstream, captureStatus_out: *mut CUstreamCaptureStatus, id_out: *mut cuuint64_t, graph_out: *mut CUgraph, dependencies_out: *mut *const CUgraphNode, edgeData_out: *mut *const CUgraphEdgeData, numDependencies_out: *mut usize);
            [since 12000] fn cuGraphInstantiateWithParams_ptsz of cuGraphInstantiateWithParams(phGraphExec: *mut CUgraphExec, hGraph: CUgraph, instantiateParams: *mut CUDA_GRAPH_INSTANTIATE_PARAMS);
            [since 11010] fn cuGraphUpload_ptsz of cuGraphUpload(hGraph: CUgraphExec, hStream: CUstream);
            [since 10000] fn cuGraphLaunch_ptsz of cuGraphLaunch(hGraph: CUgraphExec, hStream: CUstream);
            [since 11000] fn cuStreamCopyAttributes_ptsz of cuStreamCopyAttributes(dstStream: CUstream, srcStream: CUstream);
            [since 11000] fn cuStreamGetAttribute_ptsz of cuStreamGetAttribute(hStream: CUstream, attr: CUstreamAttrID, value: *mut CUstreamAttrValue);
            [since 11000] fn cuStreamSetAttribute_ptsz of cuStreamSetAttribute(hStream: CUstream, attr: CUstreamAttrID, param: *const CUstreamAttrValue);
            [since 11010] fn cuMemMapArrayAsync_ptsz of cuMemMapArrayAsync(mapInfoList: *mut CUarrayMapInfo, count: c_uint, hStream: CUstream);
            [since 11020] fn cuMemFreeAsync_ptsz of cuMemFreeAsync(dptr: CUdeviceptr, hStream: CUstream);
            [since 11020] fn cuMemAllocAsync_ptsz of cuMemAllocAsync(dptr: *mut CUdeviceptr, bytesize: usize, hStream: CUstream);
            [since 11020] fn cuMemAllocFromPoolAsync_ptsz of cuMemAllocFromPoolAsync(dptr: *mut CUdeviceptr, bytesize: usize, pool: CUmemoryPool, hStream: CUstream);
            [since 11030] fn cuStreamUpdateCaptureDependencies_ptsz of cuStreamUpdateCaptureDependencies(hStream: CUstream, dependencies: *mut CUgraphNode, numDependencies: usize, flags: c_uint);
            [since 12030] fn cuStreamUpdateCaptureDependencies_v2_ptsz of cuStreamUpdateCaptureDependencies_v2(hStream: CUstream, dependencies: *mut CUgraphNode, dependencyData: *const CUgraphEdgeData, numDependencies: usize, flags: c_uint);
            [since 13010] fn cuStreamBeginCaptureToCig_ptsz of cuStreamBeginCaptureToCig(hStream: CUstream, streamCigCaptureParams: *mut CUstreamCigCaptureParams);
            [since 13010] fn cuStreamEndCaptureToCig_ptsz of cuStreamEndCaptureToCig(hStream: CUstream);
            [since 12060] fn cuMemBatchDecompressAsync_ptsz of cuMemBatchDecompressAsync(paramsArray: *mut CUmemDecompressParams, count: usize, flags: c_uint, errorIndex: *mut usize, stream: CUstream);
        }
    };
}
