// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

/// Calls the given macro with the functions that drivers export and the bindings lack: versions that were
/// superseded in CUDA 11.0 or earlier, and undocumented ones. Each with its release, and whether a header declares it.
macro_rules! for_each_unbound_export {
    ($($callback:tt)+) => {
        $($callback)+! {
            cuDeviceTotalMem, 2000, true;
            cuDevicePrimaryCtxRelease, 7000, true;
            cuDevicePrimaryCtxReset, 7000, true;
            cuDevicePrimaryCtxSetFlags, 7000, true;
            cuCtxCreate, 2000, true;
            cuCtxDestroy, 2000, true;
            cuCtxPopCurrent, 2000, true;
            cuCtxPushCurrent, 2000, true;
            cuLinkAddData, 5050, true;
            cuLinkAddFile, 5050, true;
            cuLinkCreate, 5050, true;
            cuModuleGetGlobal, 2000, true;
            cuArray3DCreate, 2000, true;
            cuArray3DGetDescriptor, 2000, true;
            cuArrayCreate, 2000, true;
            cuArrayGetDescriptor, 2000, true;
            cuIpcOpenMemHandle, 4010, true;
            cuMemAlloc, 2000, true;
            cuMemAllocHost, 2000, true;
            cuMemAllocPitch, 2000, true;
            cuMemFree, 2000, true;
            cuMemGetAddressRange, 2000, true;
            cuMemGetInfo, 2000, true;
            cuMemHostGetDevicePointer, 2020, true;
            cuMemHostRegister, 4000, true;
            cuMemcpy2D, 2000, true;
            cuMemcpy2DAsync, 2000, true;
            cuMemcpy2DUnaligned, 2000, true;
            cuMemcpy3D, 2000, true;
            cuMemcpy3DAsync, 2000, true;
            cuMemcpyAtoA, 2000, true;
            cuMemcpyAtoD, 2000, true;
            cuMemcpyAtoH, 2000, true;
            cuMemcpyAtoHAsync, 2000, true;
            cuMemcpyDtoA, 2000, true;
            cuMemcpyDtoD, 2000, true;
            cuMemcpyDtoDAsync, 3000, true;
            cuMemcpyDtoH, 2000, true;
            cuMemcpyDtoHAsync, 2000, true;
            cuMemcpyHtoA, 2000, true;
            cuMemcpyHtoAAsync, 2000, true;
            cuMemcpyHtoD, 2000, true;
            cuMemcpyHtoDAsync, 2000, true;
            cuMemsetD16, 2000, true;
            cuMemsetD2D16, 2000, true;
            cuMemsetD2D32, 2000, true;
            cuMemsetD2D8, 2000, true;
            cuMemsetD32, 2000, true;
            cuMemsetD8, 2000, true;
            cuStreamBeginCapture, 10000, true;
            cuStreamBeginCapture_ptsz, 10000, true;
            cuStreamDestroy, 2000, true;
            cuEventDestroy, 2000, true;
            cuGraphInstantiate, 10000, true;
            cuTexRefGetAddress, 2000, true;
            cuTexRefSetAddress, 2000, true;
            cuTexRefSetAddress2D, 2020, true;
            cuTexRefSetAddress2D_v2, 3020, true;
            cuGraphicsResourceGetMappedPointer, 3000, true;
            cuGraphicsResourceSetMapFlags, 3000, true;
            cuGLGetDevices, 4010, true;
            cuGLCtxCreate, 2000, true;
            cuGLMapBufferObject, 2000, true;
            cuGLMapBufferObjectAsync, 2030, true;
            cuVDPAUCtxCreate, 3010, true;
            cuMemGetAttribute, 10010, false;
            cuMemGetAttribute_v2, 10010, false;
            cuEGLApiInit, 10010, false;
        }
    };
}

pub(crate) use for_each_unbound_export;
