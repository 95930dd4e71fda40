// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

structures! {
    CUuuid_st {
        bytes: [c_char; 16] = 0;
    }
    CUmemFabricHandle_st {
        data: [c_uchar; 64] = 0;
    }
    CUipcEventHandle_st {
        reserved: [c_char; 64] = 0;
    }
    CUipcMemHandle_st {
        reserved: [c_char; 64] = 0;
    }
    CUstreamBatchMemOpParams_union {
        operation: CUstreamBatchMemOpType = 0; waitValue: CUstreamMemOpWaitValueParams_st = 0;
        writeValue: CUstreamMemOpWriteValueParams_st = 0;
        flushRemoteWrites: CUstreamMemOpFlushRemoteWritesParams_st = 0;
        memoryBarrier: CUstreamMemOpMemoryBarrierParams_st = 0;
        atomicReduction: CUstreamMemOpAtomicReductionParams_st = 0; pad: [cuuint64_t; 6] = 0;
    }
    CUstreamMemOpWaitValueParams_st {
        operation: CUstreamBatchMemOpType = 0; address: CUdeviceptr = 8;
        __bindgen_anon_1: CUstreamMemOpWaitValueParams_st__bindgen_ty_1 = _;
        __bindgen_anon_1.value: cuuint32_t = _; __bindgen_anon_1.value64: cuuint64_t = _; flags: c_uint = 24;
        alias: CUdeviceptr = 32;
    }
    CUstreamMemOpWriteValueParams_st {
        operation: CUstreamBatchMemOpType = 0; address: CUdeviceptr = 8;
        __bindgen_anon_1: CUstreamMemOpWriteValueParams_st__bindgen_ty_1 = _;
        __bindgen_anon_1.value: cuuint32_t = _; __bindgen_anon_1.value64: cuuint64_t = _; flags: c_uint = 24;
        alias: CUdeviceptr = 32;
    }
    CUstreamMemOpFlushRemoteWritesParams_st {
        operation: CUstreamBatchMemOpType = 0; flags: c_uint = 4;
    }
    CUstreamMemOpMemoryBarrierParams_st {
        operation: CUstreamBatchMemOpType = 0; flags: c_uint = 4;
    }
    CUstreamMemOpAtomicReductionParams_st {
        operation: CUstreamBatchMemOpType = 0; flags: c_uint = 4;
        reductionOp: CUstreamAtomicReductionOpType = 8; dataType: CUstreamAtomicReductionDataType = 12;
        address: CUdeviceptr = 16; value: cuuint64_t = 24; alias: CUdeviceptr = 32;
    }
    CUDA_BATCH_MEM_OP_NODE_PARAMS_v1_st {
        ctx: CUcontext = 0; count: c_uint = 8; paramArray: *mut CUstreamBatchMemOpParams = 16;
        flags: c_uint = 24;
    }
    CUDA_BATCH_MEM_OP_NODE_PARAMS_v2_st {
        ctx: CUcontext = 0; count: c_uint = 8; paramArray: *mut CUstreamBatchMemOpParams = 16;
        flags: c_uint = 24;
    }
    CUasyncNotificationInfo_st {
        type_: CUasyncNotificationType = 0; info: CUasyncNotificationInfo_st__bindgen_ty_1 = 8;
        info.overBudget: CUasyncNotificationInfo_st__bindgen_ty_1__bindgen_ty_1 = 8;
        info.overBudget.bytesOverBudget: c_ulonglong = 8;
    }
    CUdevprop_st {
        maxThreadsPerBlock: c_int = 0; maxThreadsDim: [c_int; 3] = 4; maxGridSize: [c_int; 3] = 16;
        sharedMemPerBlock: c_int = 28; totalConstantMemory: c_int = 32; SIMDWidth: c_int = 36;
        memPitch: c_int = 40; regsPerBlock: c_int = 44; clockRate: c_int = 48; textureAlign: c_int = 52;
    }
    CUaccessPolicyWindow_st {
        base_ptr: *mut c_void = 0; num_bytes: usize = 8; hitRatio: f32 = 16; hitProp: CUaccessProperty = 20;
        missProp: CUaccessProperty = 24;
    }
    CUDA_KERNEL_NODE_PARAMS_st {
        func: CUfunction = 0; gridDimX: c_uint = 8; gridDimY: c_uint = 12; gridDimZ: c_uint = 16;
        blockDimX: c_uint = 20; blockDimY: c_uint = 24; blockDimZ: c_uint = 28; sharedMemBytes: c_uint = 32;
        kernelParams: *mut *mut c_void = 40; extra: *mut *mut c_void = 48;
    }
    CUDA_KERNEL_NODE_PARAMS_v2_st {
        func: CUfunction = 0; gridDimX: c_uint = 8; gridDimY: c_uint = 12; gridDimZ: c_uint = 16;
        blockDimX: c_uint = 20; blockDimY: c_uint = 24; blockDimZ: c_uint = 28; sharedMemBytes: c_uint = 32;
        kernelParams: *mut *mut c_void = 40; extra: *mut *mut c_void = 48; kern: CUkernel = 56;
        ctx: CUcontext = 64;
    }
    CUDA_KERNEL_NODE_PARAMS_v3_st {
        func: CUfunction = 0; gridDimX: c_uint = 8; gridDimY: c_uint = 12; gridDimZ: c_uint = 16;
        blockDimX: c_uint = 20; blockDimY: c_uint = 24; blockDimZ: c_uint = 28; sharedMemBytes: c_uint = 32;
        kernelParams: *mut *mut c_void = 40; extra: *mut *mut c_void = 48; kern: CUkernel = 56;
        ctx: CUcontext = 64;
    }
    CUDA_MEMSET_NODE_PARAMS_st {
        dst: CUdeviceptr = 0; pitch: usize = 8; value: c_uint = 16; elementSize: c_uint = 20;
        width: usize = 24; height: usize = 32;
    }
    CUDA_MEMSET_NODE_PARAMS_v2_st {
        dst: CUdeviceptr = 0; pitch: usize = 8; value: c_uint = 16; elementSize: c_uint = 20;
        width: usize = 24; height: usize = 32; ctx: CUcontext = 40;
    }
    CUDA_HOST_NODE_PARAMS_st {
        fn_: CUhostFn = 0; userData: *mut c_void = 8;
    }
    CUDA_HOST_NODE_PARAMS_v2_st {
        fn_: CUhostFn = 0; userData: *mut c_void = 8; syncMode: c_uint = 16;
        __bindgen_anon_1: CUDA_HOST_NODE_PARAMS_v2_st__bindgen_ty_1 = _; __bindgen_anon_1.ctx: CUcontext = _;
        __bindgen_anon_1.gCtx: CUgreenCtx = _;
    }
    CUDA_CONDITIONAL_NODE_PARAMS {
        handle: CUgraphConditionalHandle = 0; type_: CUgraphConditionalNodeType = 8; size: c_uint = 12;
        phGraph_out: *mut CUgraph = 16; ctx: CUcontext = 24;
    }
    CUgraphEdgeData_st {
        from_port: c_uchar = 0; to_port: c_uchar = 1; type_: c_uchar = 2; reserved: [c_uchar; 5] = 3;
    }
    CUDA_GRAPH_INSTANTIATE_PARAMS_st {
        flags: cuuint64_t = 0; hUploadStream: CUstream = 8; hErrNode_out: CUgraphNode = 16;
        result_out: CUgraphInstantiateResult = 24;
    }
    CUlaunchMemSyncDomainMap_st {
        default_: c_uchar = 0; remote: c_uchar = 1;
    }
    CUlaunchAttributeValue_union {
        pad: [c_char; 64] = 0; accessPolicyWindow: CUaccessPolicyWindow = 0; cooperative: c_int = 0;
        syncPolicy: CUsynchronizationPolicy = 0; clusterDim: CUlaunchAttributeValue_union__bindgen_ty_1 = 0;
        clusterDim.x: c_uint = 0; clusterDim.y: c_uint = 4; clusterDim.z: c_uint = 8;
        clusterSchedulingPolicyPreference: CUclusterSchedulingPolicy = 0;
        programmaticStreamSerializationAllowed: c_int = 0;
        programmaticEvent: CUlaunchAttributeValue_union__bindgen_ty_2 = 0;
        programmaticEvent.event: CUevent = 0; programmaticEvent.flags: c_int = 8;
        programmaticEvent.triggerAtBlockStart: c_int = 12;
        launchCompletionEvent: CUlaunchAttributeValue_union__bindgen_ty_3 = 0;
        launchCompletionEvent.event: CUevent = 0; launchCompletionEvent.flags: c_int = 8; priority: c_int = 0;
        memSyncDomainMap: CUlaunchMemSyncDomainMap = 0; memSyncDomain: CUlaunchMemSyncDomain = 0;
        preferredClusterDim: CUlaunchAttributeValue_union__bindgen_ty_4 = 0;
        preferredClusterDim.x: c_uint = 0; preferredClusterDim.y: c_uint = 4;
        preferredClusterDim.z: c_uint = 8;
        deviceUpdatableKernelNode: CUlaunchAttributeValue_union__bindgen_ty_5 = 0;
        deviceUpdatableKernelNode.deviceUpdatable: c_int = 0;
        deviceUpdatableKernelNode.devNode: CUgraphDeviceNode = 8; sharedMemCarveout: c_uint = 0;
        nvlinkUtilCentricScheduling: c_uint = 0;
        portableClusterSizeMode: CUlaunchAttributePortableClusterMode = 0;
        sharedMemoryMode: CUsharedMemoryMode = 0;
    }
    CUlaunchAttribute_st {
        id: CUlaunchAttributeID = 0; pad: [c_char; 4] = 4; value: CUlaunchAttributeValue = 8;
    }
    CUlaunchConfig_st {
        gridDimX: c_uint = 0; gridDimY: c_uint = 4; gridDimZ: c_uint = 8; blockDimX: c_uint = 12;
        blockDimY: c_uint = 16; blockDimZ: c_uint = 20; sharedMemBytes: c_uint = 24; hStream: CUstream = 32;
        attrs: *mut CUlaunchAttribute = 40; numAttrs: c_uint = 48;
    }
    CUexecAffinitySmCount_st {
        val: c_uint = 0;
    }
    CUexecAffinityParam_st {
        type_: CUexecAffinityType = 0; param: CUexecAffinityParam_st__bindgen_ty_1 = 4;
        param.smCount: CUexecAffinitySmCount = 4;
    }
    CUctxCigParam_st {
        sharedDataType: CUcigDataType = 0; sharedData: *mut c_void = 8;
    }
    CUctxCreateParams_st {
        execAffinityParams: *mut CUexecAffinityParam = 0; numExecAffinityParams: c_int = 8;
        cigParams: *mut CUctxCigParam = 16;
    }
    CUstreamCigParam_st {
        streamSharedDataType: CUstreamCigDataType = 0; streamSharedData: *mut c_void = 8;
    }
    CUstreamCigCaptureParams_st {
        streamCigParams: *mut CUstreamCigParam = 0;
    }
    CUlibraryHostUniversalFunctionAndDataTable_st {
        functionTable: *mut c_void = 0; functionWindowSize: usize = 8; dataTable: *mut c_void = 16;
        dataWindowSize: usize = 24;
    }
    CUDA_MEMCPY2D_st {
        srcXInBytes: usize = 0; srcY: usize = 8; srcMemoryType: CUmemorytype = 16;
        srcHost: *const c_void = 24; srcDevice: CUdeviceptr = 32; srcArray: CUarray = 40;
        srcPitch: usize = 48; dstXInBytes: usize = 56; dstY: usize = 64; dstMemoryType: CUmemorytype = 72;
        dstHost: *mut c_void = 80; dstDevice: CUdeviceptr = 88; dstArray: CUarray = 96; dstPitch: usize = 104;
        WidthInBytes: usize = 112; Height: usize = 120;
    }
    CUDA_MEMCPY3D_st {
        srcXInBytes: usize = 0; srcY: usize = 8; srcZ: usize = 16; srcLOD: usize = 24;
        srcMemoryType: CUmemorytype = 32; srcHost: *const c_void = 40; srcDevice: CUdeviceptr = 48;
        srcArray: CUarray = 56; reserved0: *mut c_void = 64; srcPitch: usize = 72; srcHeight: usize = 80;
        dstXInBytes: usize = 88; dstY: usize = 96; dstZ: usize = 104; dstLOD: usize = 112;
        dstMemoryType: CUmemorytype = 120; dstHost: *mut c_void = 128; dstDevice: CUdeviceptr = 136;
        dstArray: CUarray = 144; reserved1: *mut c_void = 152; dstPitch: usize = 160; dstHeight: usize = 168;
        WidthInBytes: usize = 176; Height: usize = 184; Depth: usize = 192;
    }
    CUDA_MEMCPY3D_PEER_st {
        srcXInBytes: usize = 0; srcY: usize = 8; srcZ: usize = 16; srcLOD: usize = 24;
        srcMemoryType: CUmemorytype = 32; srcHost: *const c_void = 40; srcDevice: CUdeviceptr = 48;
        srcArray: CUarray = 56; srcContext: CUcontext = 64; srcPitch: usize = 72; srcHeight: usize = 80;
        dstXInBytes: usize = 88; dstY: usize = 96; dstZ: usize = 104; dstLOD: usize = 112;
        dstMemoryType: CUmemorytype = 120; dstHost: *mut c_void = 128; dstDevice: CUdeviceptr = 136;
        dstArray: CUarray = 144; dstContext: CUcontext = 152; dstPitch: usize = 160; dstHeight: usize = 168;
        WidthInBytes: usize = 176; Height: usize = 184; Depth: usize = 192;
    }
    CUDA_MEMCPY_NODE_PARAMS_st {
        flags: c_int = 0; reserved: c_int = 4; copyCtx: CUcontext = 8; copyParams: CUDA_MEMCPY3D = 16;
    }
    CUDA_ARRAY_DESCRIPTOR_st {
        Width: usize = 0; Height: usize = 8; Format: CUarray_format = 16; NumChannels: c_uint = 20;
    }
    CUDA_ARRAY3D_DESCRIPTOR_st {
        Width: usize = 0; Height: usize = 8; Depth: usize = 16; Format: CUarray_format = 24;
        NumChannels: c_uint = 28; Flags: c_uint = 32;
    }
    CUDA_ARRAY_SPARSE_PROPERTIES_st {
        tileExtent: CUDA_ARRAY_SPARSE_PROPERTIES_st__bindgen_ty_1 = 0; tileExtent.width: c_uint = 0;
        tileExtent.height: c_uint = 4; tileExtent.depth: c_uint = 8; miptailFirstLevel: c_uint = 12;
        miptailSize: c_ulonglong = 16; flags: c_uint = 24; reserved: [c_uint; 4] = 28;
    }
    CUDA_ARRAY_MEMORY_REQUIREMENTS_st {
        size: usize = 0; alignment: usize = 8; reserved: [c_uint; 4] = 16;
    }
    CUDA_RESOURCE_DESC_st {
        resType: CUresourcetype = 0; res: CUDA_RESOURCE_DESC_st__bindgen_ty_1 = 8;
        res.array: CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_1 = 8; res.array.hArray: CUarray = 8;
        res.mipmap: CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_2 = 8;
        res.mipmap.hMipmappedArray: CUmipmappedArray = 8;
        res.linear: CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_3 = 8; res.linear.devPtr: CUdeviceptr = 8;
        res.linear.format: CUarray_format = 16; res.linear.numChannels: c_uint = 20;
        res.linear.sizeInBytes: usize = 24;
        res.pitch2D: CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_4 = 8;
        res.pitch2D.devPtr: CUdeviceptr = 8; res.pitch2D.format: CUarray_format = 16;
        res.pitch2D.numChannels: c_uint = 20; res.pitch2D.width: usize = 24; res.pitch2D.height: usize = 32;
        res.pitch2D.pitchInBytes: usize = 40;
        res.reserved: CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_5 = 8;
        res.reserved.reserved: [c_int; 32] = 8; flags: c_uint = 136;
    }
    CUDA_TEXTURE_DESC_st {
        addressMode: [CUaddress_mode; 3] = 0; filterMode: CUfilter_mode = 12; flags: c_uint = 16;
        maxAnisotropy: c_uint = 20; mipmapFilterMode: CUfilter_mode = 24; mipmapLevelBias: f32 = 28;
        minMipmapLevelClamp: f32 = 32; maxMipmapLevelClamp: f32 = 36; borderColor: [f32; 4] = 40;
        reserved: [c_int; 12] = 56;
    }
    CUDA_RESOURCE_VIEW_DESC_st {
        format: CUresourceViewFormat = 0; width: usize = 8; height: usize = 16; depth: usize = 24;
        firstMipmapLevel: c_uint = 32; lastMipmapLevel: c_uint = 36; firstLayer: c_uint = 40;
        lastLayer: c_uint = 44; reserved: [c_uint; 16] = 48;
    }
    CUtensorMap_st {
        opaque: [cuuint64_t; 16] = 0;
    }
    CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_st {
        p2pToken: c_ulonglong = 0; vaSpaceToken: c_uint = 8;
    }
    CUDA_LAUNCH_PARAMS_st {
        function: CUfunction = 0; gridDimX: c_uint = 8; gridDimY: c_uint = 12; gridDimZ: c_uint = 16;
        blockDimX: c_uint = 20; blockDimY: c_uint = 24; blockDimZ: c_uint = 28; sharedMemBytes: c_uint = 32;
        hStream: CUstream = 40; kernelParams: *mut *mut c_void = 48;
    }
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st {
        type_: CUexternalMemoryHandleType = 0; handle: CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st__bindgen_ty_1 = 8;
        handle.fd: c_int = 8;
        handle.win32: CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st__bindgen_ty_1__bindgen_ty_1 = 8;
        handle.win32.handle: *mut c_void = 8; handle.win32.name: *const c_void = 16;
        handle.nvSciBufObject: *const c_void = 8; size: c_ulonglong = 24; flags: c_uint = 32;
        reserved: [c_uint; 16] = 36;
    }
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC_st {
        offset: c_ulonglong = 0; size: c_ulonglong = 8; flags: c_uint = 16; reserved: [c_uint; 16] = 20;
    }
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st {
        offset: c_ulonglong = 0; arrayDesc: CUDA_ARRAY3D_DESCRIPTOR = 8; numLevels: c_uint = 48;
        reserved: [c_uint; 16] = 52;
    }
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st {
        type_: CUexternalSemaphoreHandleType = 0;
        handle: CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st__bindgen_ty_1 = 8; handle.fd: c_int = 8;
        handle.win32: CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st__bindgen_ty_1__bindgen_ty_1 = 8;
        handle.win32.handle: *mut c_void = 8; handle.win32.name: *const c_void = 16;
        handle.nvSciSyncObj: *const c_void = 8; flags: c_uint = 24; reserved: [c_uint; 16] = 28;
    }
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st {
        params: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st__bindgen_ty_1 = 0;
        params.fence: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st__bindgen_ty_1__bindgen_ty_1 = 0;
        params.fence.value: c_ulonglong = 0;
        params.nvSciSync: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st__bindgen_ty_1__bindgen_ty_2 = 8;
        params.nvSciSync.fence: *mut c_void = 8; params.nvSciSync.reserved: c_ulonglong = 8;
        params.keyedMutex: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st__bindgen_ty_1__bindgen_ty_3 = 16;
        params.keyedMutex.key: c_ulonglong = 16; params.reserved: [c_uint; 12] = 24; flags: c_uint = 72;
        reserved: [c_uint; 16] = 76;
    }
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st {
        params: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st__bindgen_ty_1 = 0;
        params.fence: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st__bindgen_ty_1__bindgen_ty_1 = 0;
        params.fence.value: c_ulonglong = 0;
        params.nvSciSync: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st__bindgen_ty_1__bindgen_ty_2 = 8;
        params.nvSciSync.fence: *mut c_void = 8; params.nvSciSync.reserved: c_ulonglong = 8;
        params.keyedMutex: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st__bindgen_ty_1__bindgen_ty_3 = 16;
        params.keyedMutex.key: c_ulonglong = 16; params.keyedMutex.timeoutMs: c_uint = 24;
        params.reserved: [c_uint; 10] = 32; flags: c_uint = 72; reserved: [c_uint; 16] = 76;
    }
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_st {
        extSemArray: *mut CUexternalSemaphore = 0;
        paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS = 8; numExtSems: c_uint = 16;
    }
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2_st {
        extSemArray: *mut CUexternalSemaphore = 0;
        paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS = 8; numExtSems: c_uint = 16;
        __bindgen_anon_1: CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2_st__bindgen_ty_1 = _;
        __bindgen_anon_1.ctx: CUcontext = _; __bindgen_anon_1.gCtx: CUgreenCtx = _;
    }
    CUDA_EXT_SEM_WAIT_NODE_PARAMS_st {
        extSemArray: *mut CUexternalSemaphore = 0;
        paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS = 8; numExtSems: c_uint = 16;
    }
    CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2_st {
        extSemArray: *mut CUexternalSemaphore = 0;
        paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS = 8; numExtSems: c_uint = 16;
        __bindgen_anon_1: CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2_st__bindgen_ty_1 = _;
        __bindgen_anon_1.ctx: CUcontext = _; __bindgen_anon_1.gCtx: CUgreenCtx = _;
    }
    CUarrayMapInfo_st {
        resourceType: CUresourcetype = 0; resource: CUarrayMapInfo_st__bindgen_ty_1 = 8;
        resource.mipmap: CUmipmappedArray = 8; resource.array: CUarray = 8;
        subresourceType: CUarraySparseSubresourceType = 16; subresource: CUarrayMapInfo_st__bindgen_ty_2 = 24;
        subresource.sparseLevel: CUarrayMapInfo_st__bindgen_ty_2__bindgen_ty_1 = 24;
        subresource.sparseLevel.level: c_uint = 24; subresource.sparseLevel.layer: c_uint = 28;
        subresource.sparseLevel.offsetX: c_uint = 32; subresource.sparseLevel.offsetY: c_uint = 36;
        subresource.sparseLevel.offsetZ: c_uint = 40; subresource.sparseLevel.extentWidth: c_uint = 44;
        subresource.sparseLevel.extentHeight: c_uint = 48; subresource.sparseLevel.extentDepth: c_uint = 52;
        subresource.miptail: CUarrayMapInfo_st__bindgen_ty_2__bindgen_ty_2 = 24;
        subresource.miptail.layer: c_uint = 24; subresource.miptail.offset: c_ulonglong = 32;
        subresource.miptail.size: c_ulonglong = 40; memOperationType: CUmemOperationType = 56;
        memHandleType: CUmemHandleType = 60; memHandle: CUarrayMapInfo_st__bindgen_ty_3 = 64;
        memHandle.memHandle: CUmemGenericAllocationHandle = 64; offset: c_ulonglong = 72;
        deviceBitMask: c_uint = 80; flags: c_uint = 84; reserved: [c_uint; 2] = 88;
    }
    CUmemLocation_st {
        type_: CUmemLocationType = 0; __bindgen_anon_1: CUmemLocation_st__bindgen_ty_1 = _;
        __bindgen_anon_1.id: c_int = _;
        __bindgen_anon_1.localized: CUmemLocation_st__bindgen_ty_1__bindgen_ty_1 = _;
        __bindgen_anon_1.localized.deviceId: c_uchar = _;
        __bindgen_anon_1.localized.localityDomainId: c_uchar = _;
    }
    CUmemAllocationProp_st {
        type_: CUmemAllocationType = 0; requestedHandleTypes: CUmemAllocationHandleType = 4;
        location: CUmemLocation = 8; win32HandleMetaData: *mut c_void = 16;
        allocFlags: CUmemAllocationProp_st__bindgen_ty_1 = 24; allocFlags.compressionType: c_uchar = 24;
        allocFlags.gpuDirectRDMACapable: c_uchar = 25; allocFlags.usage: c_ushort = 26;
        allocFlags.reserved: [c_uchar; 4] = 28;
    }
    CUmulticastObjectProp_st {
        numDevices: c_uint = 0; size: usize = 8; handleTypes: c_ulonglong = 16; flags: c_ulonglong = 24;
    }
    CUmemAccessDesc_st {
        location: CUmemLocation = 0; flags: CUmemAccess_flags = 8;
    }
    CUgraphExecUpdateResultInfo_st {
        result: CUgraphExecUpdateResult = 0; errorNode: CUgraphNode = 8; errorFromNode: CUgraphNode = 16;
    }
    CUmemPoolProps_st {
        allocType: CUmemAllocationType = 0; handleTypes: CUmemAllocationHandleType = 4;
        location: CUmemLocation = 8; win32SecurityAttributes: *mut c_void = 16; maxSize: usize = 24;
        usage: c_ushort = 32; gpuDirectRDMACapable: c_uchar = 34; reserved: [c_uchar; 53] = 35;
    }
    CUmemPoolPtrExportData_st {
        reserved: [c_uchar; 64] = 0;
    }
    CUmemcpyAttributes_st {
        srcAccessOrder: CUmemcpySrcAccessOrder = 0; srcLocHint: CUmemLocation = 4;
        dstLocHint: CUmemLocation = 12; flags: c_uint = 20;
    }
    CUoffset3D_st {
        x: usize = 0; y: usize = 8; z: usize = 16;
    }
    CUextent3D_st {
        width: usize = 0; height: usize = 8; depth: usize = 16;
    }
    CUmemcpy3DOperand_st {
        type_: CUmemcpy3DOperandType = 0; op: CUmemcpy3DOperand_st__bindgen_ty_1 = 8;
        op.ptr: CUmemcpy3DOperand_st__bindgen_ty_1__bindgen_ty_1 = 8; op.ptr.ptr: CUdeviceptr = 8;
        op.ptr.rowLength: usize = 16; op.ptr.layerHeight: usize = 24; op.ptr.locHint: CUmemLocation = 32;
        op.array: CUmemcpy3DOperand_st__bindgen_ty_1__bindgen_ty_2 = 8; op.array.array: CUarray = 8;
        op.array.offset: CUoffset3D = 16;
    }
    CUDA_MEMCPY3D_BATCH_OP_st {
        src: CUmemcpy3DOperand = 0; dst: CUmemcpy3DOperand = 40; extent: CUextent3D = 80;
        srcAccessOrder: CUmemcpySrcAccessOrder = 104; flags: c_uint = 108;
    }
    CUDA_MEM_ALLOC_NODE_PARAMS_v1_st {
        poolProps: CUmemPoolProps = 0; accessDescs: *const CUmemAccessDesc = 88; accessDescCount: usize = 96;
        bytesize: usize = 104; dptr: CUdeviceptr = 112;
    }
    CUDA_MEM_ALLOC_NODE_PARAMS_v2_st {
        poolProps: CUmemPoolProps = 0; accessDescs: *const CUmemAccessDesc = 88; accessDescCount: usize = 96;
        bytesize: usize = 104; dptr: CUdeviceptr = 112;
    }
    CUDA_MEM_FREE_NODE_PARAMS_st {
        dptr: CUdeviceptr = 0;
    }
    CUDA_CHILD_GRAPH_NODE_PARAMS_st {
        graph: CUgraph = 0; ownership: CUgraphChildGraphNodeOwnership = 8;
    }
    CUDA_EVENT_RECORD_NODE_PARAMS_st {
        event: CUevent = 0; __bindgen_anon_1: CUDA_EVENT_RECORD_NODE_PARAMS_st__bindgen_ty_1 = _;
        __bindgen_anon_1.ctx: CUcontext = _; __bindgen_anon_1.gCtx: CUgreenCtx = _;
    }
    CUDA_EVENT_WAIT_NODE_PARAMS_st {
        event: CUevent = 0;
    }
    CUDA_MEMCPY_BATCH_NODE_PARAMS_V1_st {
        count: usize = 0; dsts: *mut CUdeviceptr = 8; srcs: *mut CUdeviceptr = 16; sizes: *mut usize = 24;
        attrs: *mut CUmemcpyAttributes = 32; attrsIdxs: *mut usize = 40; numAttrs: usize = 48;
        __bindgen_anon_1: CUDA_MEMCPY_BATCH_NODE_PARAMS_V1_st__bindgen_ty_1 = _;
        __bindgen_anon_1.ctx: CUcontext = _; __bindgen_anon_1.gCtx: CUgreenCtx = _;
    }
    CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1_st {
        numOps: usize = 0; opList: *mut CUDA_FABRIC_COPY_BATCH_OP = 8; flags: c_ulonglong = 16;
        __bindgen_anon_1: CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1_st__bindgen_ty_1 = _;
        __bindgen_anon_1.ctx: CUcontext = _; __bindgen_anon_1.gCtx: CUgreenCtx = _;
    }
    CUgraphNodeParams_st {
        type_: CUgraphNodeType = 0; reserved0: [c_int; 3] = 4;
        __bindgen_anon_1: CUgraphNodeParams_st__bindgen_ty_1 = _;
        __bindgen_anon_1.reserved1: [c_longlong; 29] = _;
        __bindgen_anon_1.kernel: CUDA_KERNEL_NODE_PARAMS_v3 = _;
        __bindgen_anon_1.memcpy: CUDA_MEMCPY_NODE_PARAMS = _;
        __bindgen_anon_1.memset: CUDA_MEMSET_NODE_PARAMS_v2 = _;
        __bindgen_anon_1.host: CUDA_HOST_NODE_PARAMS_v2 = _;
        __bindgen_anon_1.graph: CUDA_CHILD_GRAPH_NODE_PARAMS = _;
        __bindgen_anon_1.eventWait: CUDA_EVENT_WAIT_NODE_PARAMS = _;
        __bindgen_anon_1.eventRecord: CUDA_EVENT_RECORD_NODE_PARAMS = _;
        __bindgen_anon_1.extSemSignal: CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2 = _;
        __bindgen_anon_1.extSemWait: CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 = _;
        __bindgen_anon_1.alloc: CUDA_MEM_ALLOC_NODE_PARAMS_v2 = _;
        __bindgen_anon_1.free: CUDA_MEM_FREE_NODE_PARAMS = _;
        __bindgen_anon_1.memOp: CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 = _;
        __bindgen_anon_1.conditional: CUDA_CONDITIONAL_NODE_PARAMS = _;
        __bindgen_anon_1.memcpyBatch: CUDA_MEMCPY_BATCH_NODE_PARAMS_V1 = _;
        __bindgen_anon_1.fabricCpyBatch: CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1 = _;
        __bindgen_anon_1.asBytes: [c_char; 232] = _; reserved2: c_longlong = 248;
    }
    CUcheckpointCustomStoragePerDeviceData_st {
        devPtr: CUdeviceptr = 0; size: usize = 8; stream: CUstream = 16;
    }
    CUcheckpointCustomStorageInfo_st {
        handle: CUcheckpointOperationHandle = 0;
        perDeviceData: *mut CUcheckpointCustomStoragePerDeviceData = 8; deviceCount: c_uint = 16;
    }
    CUcheckpointLockArgs_st {
        timeoutMs: c_uint = 0; reserved0: c_uint = 4; reserved1: [cuuint64_t; 7] = 8;
    }
    CUcheckpointCheckpointArgs_st {
        customStorageInfo_out: *mut *mut CUcheckpointCustomStorageInfo = 0; reserved: [c_char; 56] = 8;
    }
    CUcheckpointGpuPair_st {
        oldUuid: CUuuid = 0; newUuid: CUuuid = 16;
    }
    CUcheckpointRestoreArgs_st {
        gpuPairs: *mut CUcheckpointGpuPair = 0; gpuPairsCount: c_uint = 8; padding0: c_uint = 12;
        customStorageInfo_out: *mut *mut CUcheckpointCustomStorageInfo = 16; reserved: [c_char; 40] = 24;
    }
    CUcheckpointUnlockArgs_st {
        reserved: [cuuint64_t; 8] = 0;
    }
    CUmemDecompressParams_st {
        srcNumBytes: usize = 0; dstNumBytes: usize = 8; dstActBytes: *mut cuuint32_t = 16;
        src: *const c_void = 24; dst: *mut c_void = 32; algo: CUmemDecompressAlgorithm = 40;
        padding: [c_uchar; 20] = 44;
    }
    CUcliqueInfo_st {
        type_: CUcliqueType = 0; id: c_uint = 4;
    }
    CUlogicalEndpointFabricHandle_st {
        data: [c_uchar; 64] = 0;
    }
    CUlogicalEndpointProp_struct {
        type_: CUlogicalEndpointType = 0; __bindgen_anon_1: CUlogicalEndpointProp_struct__bindgen_ty_1 = _;
        __bindgen_anon_1.unicast: CUlogicalEndpointProp_struct__bindgen_ty_1__bindgen_ty_1 = _;
        __bindgen_anon_1.unicast.device: CUdevice = _;
        __bindgen_anon_1.multicast: CUlogicalEndpointProp_struct__bindgen_ty_1__bindgen_ty_2 = _;
        __bindgen_anon_1.multicast.numDevices: c_uint = _; size: c_ulonglong = 8; ipcHandleTypes: c_uint = 16;
        flags: c_uint = 20;
    }
    CUfabricCpyOperand_st {
        type_: CUfabricCpyOperandType = 0; op: CUfabricCpyOperand_st__bindgen_ty_1 = 8;
        op.ptr: CUfabricCpyOperand_st__bindgen_ty_1__bindgen_ty_1 = 8; op.ptr.ptr: CUdeviceptr = 8;
        op.ptr.locHint: CUmemLocation = 16; op.le: CUfabricCpyOperand_st__bindgen_ty_1__bindgen_ty_2 = 8;
        op.le.id: CUlogicalEndpointId = 8; op.le.offset: cuuint64_t = 16;
    }
    CUDA_FABRIC_COPY_BATCH_OP_st {
        src: CUfabricCpyOperand = 0; dst: CUfabricCpyOperand = 24; size: usize = 48; flags: c_uint = 56;
    }
    CUdevSmResource_st {
        smCount: c_uint = 0; minSmPartitionSize: c_uint = 4; smCoscheduledAlignment: c_uint = 8;
        flags: c_uint = 12; localityDomainId: c_uint = 16;
    }
    CUdevWorkqueueConfigResource_st {
        device: CUdevice = 0; wqConcurrencyLimit: c_uint = 4; sharingScope: CUdevWorkqueueConfigScope = 8;
    }
    CUdevWorkqueueResource_st {
        reserved: [c_uchar; 40] = 0;
    }
    CU_DEV_SM_RESOURCE_GROUP_PARAMS_st {
        smCount: c_uint = 0; coscheduledSmCount: c_uint = 4; preferredCoscheduledSmCount: c_uint = 8;
        flags: c_uint = 12; localityDomainId: c_uint = 16; reserved: [c_uint; 11] = 20;
    }
    CUdevResource_st {
        type_: CUdevResourceType = 0; _internal_padding: [c_uchar; 92] = 4;
        __bindgen_anon_1: CUdevResource_st__bindgen_ty_1 = _; __bindgen_anon_1.sm: CUdevSmResource = _;
        __bindgen_anon_1.wqConfig: CUdevWorkqueueConfigResource = _;
        __bindgen_anon_1.wq: CUdevWorkqueueResource = _; __bindgen_anon_1._oversize: [c_uchar; 40] = _;
        nextResource: *mut CUdevResource_st = 136;
    }
    CUDA_MEMCPY2D_v1_st {
        srcXInBytes: c_uint = 0; srcY: c_uint = 4; srcMemoryType: CUmemorytype = 8;
        srcHost: *const c_void = 16; srcDevice: CUdeviceptr_v1 = 24; srcArray: CUarray = 32;
        srcPitch: c_uint = 40; dstXInBytes: c_uint = 44; dstY: c_uint = 48; dstMemoryType: CUmemorytype = 52;
        dstHost: *mut c_void = 56; dstDevice: CUdeviceptr_v1 = 64; dstArray: CUarray = 72;
        dstPitch: c_uint = 80; WidthInBytes: c_uint = 84; Height: c_uint = 88;
    }
    CUDA_MEMCPY3D_v1_st {
        srcXInBytes: c_uint = 0; srcY: c_uint = 4; srcZ: c_uint = 8; srcLOD: c_uint = 12;
        srcMemoryType: CUmemorytype = 16; srcHost: *const c_void = 24; srcDevice: CUdeviceptr_v1 = 32;
        srcArray: CUarray = 40; reserved0: *mut c_void = 48; srcPitch: c_uint = 56; srcHeight: c_uint = 60;
        dstXInBytes: c_uint = 64; dstY: c_uint = 68; dstZ: c_uint = 72; dstLOD: c_uint = 76;
        dstMemoryType: CUmemorytype = 80; dstHost: *mut c_void = 88; dstDevice: CUdeviceptr_v1 = 96;
        dstArray: CUarray = 104; reserved1: *mut c_void = 112; dstPitch: c_uint = 120;
        dstHeight: c_uint = 124; WidthInBytes: c_uint = 128; Height: c_uint = 132; Depth: c_uint = 136;
    }
    CUDA_ARRAY_DESCRIPTOR_v1_st {
        Width: c_uint = 0; Height: c_uint = 4; Format: CUarray_format = 8; NumChannels: c_uint = 12;
    }
    CUDA_ARRAY3D_DESCRIPTOR_v1_st {
        Width: c_uint = 0; Height: c_uint = 4; Depth: c_uint = 8; Format: CUarray_format = 12;
        NumChannels: c_uint = 16; Flags: c_uint = 20;
    }
    CUeglFrame_st {
        frame: CUeglFrame_st__bindgen_ty_1 = 0; frame.pArray: [CUarray; 3] = 0;
        frame.pPitch: [*mut c_void; 3] = 0; width: c_uint = 24; height: c_uint = 28; depth: c_uint = 32;
        pitch: c_uint = 36; planeCount: c_uint = 40; numChannels: c_uint = 44; frameType: CUeglFrameType = 48;
        eglColorFormat: CUeglColorFormat = 52; cuFormat: CUarray_format = 56;
    }
}

aliases! {
    cuuint32_t = u32; cuuint64_t = u64; CUdeviceptr_v2 = c_ulonglong; CUdeviceptr = CUdeviceptr_v2;
    CUdevice_v1 = c_int; CUdevice = CUdevice_v1; CUcontext = *mut CUctx_st; CUmodule = *mut CUmod_st;
    CUfunction = *mut CUfunc_st; CUlibrary = *mut CUlib_st; CUkernel = *mut CUkern_st;
    CUarray = *mut CUarray_st; CUmipmappedArray = *mut CUmipmappedArray_st; CUtexref = *mut CUtexref_st;
    CUsurfref = *mut CUsurfref_st; CUevent = *mut CUevent_st; CUstream = *mut CUstream_st;
    CUgraphicsResource = *mut CUgraphicsResource_st; CUtexObject_v1 = c_ulonglong;
    CUtexObject = CUtexObject_v1; CUsurfObject_v1 = c_ulonglong; CUsurfObject = CUsurfObject_v1;
    CUexternalMemory = *mut CUextMemory_st; CUexternalSemaphore = *mut CUextSemaphore_st;
    CUgraph = *mut CUgraph_st; CUgraphNode = *mut CUgraphNode_st; CUgraphExec = *mut CUgraphExec_st;
    CUmemoryPool = *mut CUmemPoolHandle_st; CUuserObject = *mut CUuserObject_st;
    CUgraphConditionalHandle = cuuint64_t; CUgraphDeviceNode = *mut CUgraphDeviceUpdatableNode_st;
    CUasyncCallbackHandle = *mut CUasyncCallbackEntry_st; CUgreenCtx = *mut CUgreenCtx_st; CUuuid = CUuuid_st;
    CUmemFabricHandle_v1 = CUmemFabricHandle_st; CUmemFabricHandle = CUmemFabricHandle_v1;
    CUipcEventHandle_v1 = CUipcEventHandle_st; CUipcEventHandle = CUipcEventHandle_v1;
    CUipcMemHandle_v1 = CUipcMemHandle_st; CUipcMemHandle = CUipcMemHandle_v1;
    CUipcMem_flags = CUipcMem_flags_enum; CUmemAttach_flags = CUmemAttach_flags_enum;
    CUctx_flags = CUctx_flags_enum; CUevent_sched_flags = CUevent_sched_flags_enum;
    cl_event_flags = cl_event_flags_enum; cl_context_flags = cl_context_flags_enum;
    CUhostTaskSyncMode = CUhostTaskSyncMode_enum; CUstream_flags = CUstream_flags_enum;
    CUevent_flags = CUevent_flags_enum; CUevent_record_flags = CUevent_record_flags_enum;
    CUevent_wait_flags = CUevent_wait_flags_enum; CUatomicOperation = CUatomicOperation_enum;
    CUatomicOperationCapability = CUatomicOperationCapability_enum;
    CUstreamWaitValue_flags = CUstreamWaitValue_flags_enum;
    CUstreamWriteValue_flags = CUstreamWriteValue_flags_enum;
    CUstreamBatchMemOpType = CUstreamBatchMemOpType_enum;
    CUstreamMemoryBarrier_flags = CUstreamMemoryBarrier_flags_enum;
    CUstreamAtomicReductionOpType = CUstreamAtomicReductionOpType_enum;
    CUstreamAtomicReductionDataType = CUstreamAtomicReductionDataType_enum;
    CUstreamBatchMemOpParams_v1 = CUstreamBatchMemOpParams_union;
    CUstreamBatchMemOpParams = CUstreamBatchMemOpParams_v1;
    CUDA_BATCH_MEM_OP_NODE_PARAMS_v1 = CUDA_BATCH_MEM_OP_NODE_PARAMS_v1_st;
    CUDA_BATCH_MEM_OP_NODE_PARAMS = CUDA_BATCH_MEM_OP_NODE_PARAMS_v1;
    CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 = CUDA_BATCH_MEM_OP_NODE_PARAMS_v2_st;
    CUoccupancy_flags = CUoccupancy_flags_enum;
    CUstreamUpdateCaptureDependencies_flags = CUstreamUpdateCaptureDependencies_flags_enum;
    CUasyncNotificationType = CUasyncNotificationType_enum;
    CUasyncNotificationInfo = CUasyncNotificationInfo_st;
    CUasyncCallback = Option<unsafe extern "C" fn(*mut CUasyncNotificationInfo, *mut c_void, CUasyncCallbackHandle)>;
    CUarray_format = CUarray_format_enum; CUaddress_mode = CUaddress_mode_enum;
    CUfilter_mode = CUfilter_mode_enum; CUdevice_attribute = CUdevice_attribute_enum;
    CUdevprop_v1 = CUdevprop_st; CUdevprop = CUdevprop_v1; CUpointer_attribute = CUpointer_attribute_enum;
    CUfunction_attribute = CUfunction_attribute_enum; CUfunc_cache = CUfunc_cache_enum;
    CUsharedconfig = CUsharedconfig_enum; CUshared_carveout = CUshared_carveout_enum;
    CUmemorytype = CUmemorytype_enum; CUcomputemode = CUcomputemode_enum; CUmem_advise = CUmem_advise_enum;
    CUmem_range_attribute = CUmem_range_attribute_enum; CUjit_option = CUjit_option_enum;
    CUjit_target = CUjit_target_enum; CUjit_fallback = CUjit_fallback_enum;
    CUjit_cacheMode = CUjit_cacheMode_enum; CUjitInputType = CUjitInputType_enum;
    CUlinkState = *mut CUlinkState_st; CUgraphicsRegisterFlags = CUgraphicsRegisterFlags_enum;
    CUgraphicsMapResourceFlags = CUgraphicsMapResourceFlags_enum;
    CUarray_cubemap_face = CUarray_cubemap_face_enum; CUlimit = CUlimit_enum;
    CUresourcetype = CUresourcetype_enum; CUhostFn = Option<unsafe extern "C" fn(*mut c_void)>;
    CUaccessProperty = CUaccessProperty_enum; CUaccessPolicyWindow_v1 = CUaccessPolicyWindow_st;
    CUaccessPolicyWindow = CUaccessPolicyWindow_v1; CUDA_KERNEL_NODE_PARAMS_v1 = CUDA_KERNEL_NODE_PARAMS_st;
    CUDA_KERNEL_NODE_PARAMS_v2 = CUDA_KERNEL_NODE_PARAMS_v2_st;
    CUDA_KERNEL_NODE_PARAMS = CUDA_KERNEL_NODE_PARAMS_v2;
    CUDA_KERNEL_NODE_PARAMS_v3 = CUDA_KERNEL_NODE_PARAMS_v3_st;
    CUDA_MEMSET_NODE_PARAMS_v1 = CUDA_MEMSET_NODE_PARAMS_st;
    CUDA_MEMSET_NODE_PARAMS = CUDA_MEMSET_NODE_PARAMS_v1;
    CUDA_MEMSET_NODE_PARAMS_v2 = CUDA_MEMSET_NODE_PARAMS_v2_st;
    CUDA_HOST_NODE_PARAMS_v1 = CUDA_HOST_NODE_PARAMS_st; CUDA_HOST_NODE_PARAMS = CUDA_HOST_NODE_PARAMS_v1;
    CUDA_HOST_NODE_PARAMS_v2 = CUDA_HOST_NODE_PARAMS_v2_st;
    CUgraphConditionalNodeType = CUgraphConditionalNodeType_enum; CUgraphNodeType = CUgraphNodeType_enum;
    CUgraphDependencyType = CUgraphDependencyType_enum; CUgraphEdgeData = CUgraphEdgeData_st;
    CUgraphInstantiateResult = CUgraphInstantiateResult_enum;
    CUDA_GRAPH_INSTANTIATE_PARAMS = CUDA_GRAPH_INSTANTIATE_PARAMS_st;
    CUsynchronizationPolicy = CUsynchronizationPolicy_enum;
    CUclusterSchedulingPolicy = CUclusterSchedulingPolicy_enum;
    CUlaunchMemSyncDomain = CUlaunchMemSyncDomain_enum;
    CUlaunchMemSyncDomainMap = CUlaunchMemSyncDomainMap_st;
    CUlaunchAttributePortableClusterMode = CUlaunchAttributePortableClusterMode_enum;
    CUsharedMemoryMode = CUsharedMemoryMode_enum; CUlaunchAttributeID = CUlaunchAttributeID_enum;
    CUlaunchAttributeValue = CUlaunchAttributeValue_union; CUlaunchAttribute = CUlaunchAttribute_st;
    CUlaunchConfig = CUlaunchConfig_st; CUkernelNodeAttrID = CUlaunchAttributeID;
    CUkernelNodeAttrValue_v1 = CUlaunchAttributeValue; CUkernelNodeAttrValue = CUkernelNodeAttrValue_v1;
    CUstreamCaptureStatus = CUstreamCaptureStatus_enum; CUstreamAttrID = CUlaunchAttributeID;
    CUstreamCaptureMode = CUstreamCaptureMode_enum; CUstreamAttrValue_v1 = CUlaunchAttributeValue;
    CUstreamAttrValue = CUstreamAttrValue_v1; CUdriverProcAddress_flags = CUdriverProcAddress_flags_enum;
    CUdriverProcAddressQueryResult = CUdriverProcAddressQueryResult_enum;
    CUexecAffinityType = CUexecAffinityType_enum; CUexecAffinitySmCount_v1 = CUexecAffinitySmCount_st;
    CUexecAffinitySmCount = CUexecAffinitySmCount_v1; CUexecAffinityParam_v1 = CUexecAffinityParam_st;
    CUexecAffinityParam = CUexecAffinityParam_v1; CUcigDataType = CUcigDataType_enum;
    CUctxCigParam = CUctxCigParam_st; CUctxCreateParams = CUctxCreateParams_st;
    CUstreamCigDataType = CUstreamCigDataType_enum; CUstreamCigParam = CUstreamCigParam_st;
    CUstreamCigCaptureParams = CUstreamCigCaptureParams_st; CUlibraryOption = CUlibraryOption_enum;
    CUlibraryHostUniversalFunctionAndDataTable = CUlibraryHostUniversalFunctionAndDataTable_st;
    CUresult = cudaError_enum; CUdevice_P2PAttribute = CUdevice_P2PAttribute_enum;
    CUstreamCallback = Option<unsafe extern "C" fn(CUstream, CUresult, *mut c_void)>;
    CUoccupancyB2DSize = Option<unsafe extern "C" fn(c_int) -> usize>; CUDA_MEMCPY2D_v2 = CUDA_MEMCPY2D_st;
    CUDA_MEMCPY2D = CUDA_MEMCPY2D_v2; CUDA_MEMCPY3D_v2 = CUDA_MEMCPY3D_st; CUDA_MEMCPY3D = CUDA_MEMCPY3D_v2;
    CUDA_MEMCPY3D_PEER_v1 = CUDA_MEMCPY3D_PEER_st; CUDA_MEMCPY3D_PEER = CUDA_MEMCPY3D_PEER_v1;
    CUDA_MEMCPY_NODE_PARAMS = CUDA_MEMCPY_NODE_PARAMS_st; CUDA_ARRAY_DESCRIPTOR_v2 = CUDA_ARRAY_DESCRIPTOR_st;
    CUDA_ARRAY_DESCRIPTOR = CUDA_ARRAY_DESCRIPTOR_v2; CUDA_ARRAY3D_DESCRIPTOR_v2 = CUDA_ARRAY3D_DESCRIPTOR_st;
    CUDA_ARRAY3D_DESCRIPTOR = CUDA_ARRAY3D_DESCRIPTOR_v2;
    CUDA_ARRAY_SPARSE_PROPERTIES_v1 = CUDA_ARRAY_SPARSE_PROPERTIES_st;
    CUDA_ARRAY_SPARSE_PROPERTIES = CUDA_ARRAY_SPARSE_PROPERTIES_v1;
    CUDA_ARRAY_MEMORY_REQUIREMENTS_v1 = CUDA_ARRAY_MEMORY_REQUIREMENTS_st;
    CUDA_ARRAY_MEMORY_REQUIREMENTS = CUDA_ARRAY_MEMORY_REQUIREMENTS_v1;
    CUDA_RESOURCE_DESC_v1 = CUDA_RESOURCE_DESC_st; CUDA_RESOURCE_DESC = CUDA_RESOURCE_DESC_v1;
    CUDA_TEXTURE_DESC_v1 = CUDA_TEXTURE_DESC_st; CUDA_TEXTURE_DESC = CUDA_TEXTURE_DESC_v1;
    CUresourceViewFormat = CUresourceViewFormat_enum; CUDA_RESOURCE_VIEW_DESC_v1 = CUDA_RESOURCE_VIEW_DESC_st;
    CUDA_RESOURCE_VIEW_DESC = CUDA_RESOURCE_VIEW_DESC_v1; CUtensorMap = CUtensorMap_st;
    CUtensorMapDataType = CUtensorMapDataType_enum; CUtensorMapInterleave = CUtensorMapInterleave_enum;
    CUtensorMapSwizzle = CUtensorMapSwizzle_enum; CUtensorMapL2promotion = CUtensorMapL2promotion_enum;
    CUtensorMapFloatOOBfill = CUtensorMapFloatOOBfill_enum;
    CUtensorMapIm2ColWideMode = CUtensorMapIm2ColWideMode_enum;
    CUtensorMapAllocClass = CUtensorMapAllocClass_enum;
    CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_v1 = CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_st;
    CUDA_POINTER_ATTRIBUTE_P2P_TOKENS = CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_v1;
    CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS = CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS_enum;
    CUDA_LAUNCH_PARAMS_v1 = CUDA_LAUNCH_PARAMS_st; CUDA_LAUNCH_PARAMS = CUDA_LAUNCH_PARAMS_v1;
    CUexternalMemoryHandleType = CUexternalMemoryHandleType_enum;
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1 = CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st;
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC = CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1;
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC_v1 = CUDA_EXTERNAL_MEMORY_BUFFER_DESC_st;
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC = CUDA_EXTERNAL_MEMORY_BUFFER_DESC_v1;
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_v1 = CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st;
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC = CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_v1;
    CUexternalSemaphoreHandleType = CUexternalSemaphoreHandleType_enum;
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1 = CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st;
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC = CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1;
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1 = CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st;
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS = CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1;
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1 = CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st;
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS = CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1;
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1 = CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_st;
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS = CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1;
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2 = CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2_st;
    CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1 = CUDA_EXT_SEM_WAIT_NODE_PARAMS_st;
    CUDA_EXT_SEM_WAIT_NODE_PARAMS = CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1;
    CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 = CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2_st;
    CUmemGenericAllocationHandle_v1 = c_ulonglong;
    CUmemGenericAllocationHandle = CUmemGenericAllocationHandle_v1;
    CUmemAllocationHandleType = CUmemAllocationHandleType_enum; CUmemAccess_flags = CUmemAccess_flags_enum;
    CUmemLocationType = CUmemLocationType_enum; CUmemAllocationType = CUmemAllocationType_enum;
    CUmemAllocationGranularity_flags = CUmemAllocationGranularity_flags_enum;
    CUmemRangeHandleType = CUmemRangeHandleType_enum; CUmemRangeFlags = CUmemRangeFlags_enum;
    CUarraySparseSubresourceType = CUarraySparseSubresourceType_enum;
    CUmemOperationType = CUmemOperationType_enum; CUmemHandleType = CUmemHandleType_enum;
    CUarrayMapInfo_v1 = CUarrayMapInfo_st; CUarrayMapInfo = CUarrayMapInfo_v1;
    CUmemLocation_v1 = CUmemLocation_st; CUmemLocation = CUmemLocation_v1;
    CUmemAllocationCompType = CUmemAllocationCompType_enum; CUmemAllocationProp_v1 = CUmemAllocationProp_st;
    CUmemAllocationProp = CUmemAllocationProp_v1;
    CUmulticastGranularity_flags = CUmulticastGranularity_flags_enum;
    CUmulticastObjectProp_v1 = CUmulticastObjectProp_st; CUmulticastObjectProp = CUmulticastObjectProp_v1;
    CUmemAccessDesc_v1 = CUmemAccessDesc_st; CUmemAccessDesc = CUmemAccessDesc_v1;
    CUgraphExecUpdateResult = CUgraphExecUpdateResult_enum;
    CUgraphExecUpdateResultInfo_v1 = CUgraphExecUpdateResultInfo_st;
    CUgraphExecUpdateResultInfo = CUgraphExecUpdateResultInfo_v1;
    CUmemPool_attribute = CUmemPool_attribute_enum; CUmemPoolProps_v1 = CUmemPoolProps_st;
    CUmemPoolProps = CUmemPoolProps_v1; CUmemPoolPtrExportData_v1 = CUmemPoolPtrExportData_st;
    CUmemPoolPtrExportData = CUmemPoolPtrExportData_v1; CUmemcpyFlags = CUmemcpyFlags_enum;
    CUmemcpySrcAccessOrder = CUmemcpySrcAccessOrder_enum; CUmemcpyAttributes_v1 = CUmemcpyAttributes_st;
    CUmemcpyAttributes = CUmemcpyAttributes_v1; CUmemcpy3DOperandType = CUmemcpy3DOperandType_enum;
    CUoffset3D_v1 = CUoffset3D_st; CUoffset3D = CUoffset3D_v1; CUextent3D_v1 = CUextent3D_st;
    CUextent3D = CUextent3D_v1; CUmemcpy3DOperand_v1 = CUmemcpy3DOperand_st;
    CUmemcpy3DOperand = CUmemcpy3DOperand_v1; CUDA_MEMCPY3D_BATCH_OP_v1 = CUDA_MEMCPY3D_BATCH_OP_st;
    CUDA_MEMCPY3D_BATCH_OP = CUDA_MEMCPY3D_BATCH_OP_v1;
    CUDA_MEM_ALLOC_NODE_PARAMS_v1 = CUDA_MEM_ALLOC_NODE_PARAMS_v1_st;
    CUDA_MEM_ALLOC_NODE_PARAMS = CUDA_MEM_ALLOC_NODE_PARAMS_v1;
    CUDA_MEM_ALLOC_NODE_PARAMS_v2 = CUDA_MEM_ALLOC_NODE_PARAMS_v2_st;
    CUDA_MEM_FREE_NODE_PARAMS = CUDA_MEM_FREE_NODE_PARAMS_st;
    CUgraphMem_attribute = CUgraphMem_attribute_enum;
    CUgraphChildGraphNodeOwnership = CUgraphChildGraphNodeOwnership_enum;
    CUDA_CHILD_GRAPH_NODE_PARAMS = CUDA_CHILD_GRAPH_NODE_PARAMS_st;
    CUDA_EVENT_RECORD_NODE_PARAMS = CUDA_EVENT_RECORD_NODE_PARAMS_st;
    CUDA_EVENT_WAIT_NODE_PARAMS = CUDA_EVENT_WAIT_NODE_PARAMS_st;
    CUDA_MEMCPY_BATCH_NODE_PARAMS_V1 = CUDA_MEMCPY_BATCH_NODE_PARAMS_V1_st;
    CUDA_MEMCPY_BATCH_NODE_PARAMS = CUDA_MEMCPY_BATCH_NODE_PARAMS_V1;
    CUDA_FABRIC_COPY_BATCH_OP_v1 = CUDA_FABRIC_COPY_BATCH_OP_st;
    CUDA_FABRIC_COPY_BATCH_OP = CUDA_FABRIC_COPY_BATCH_OP_v1;
    CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1 = CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1_st;
    CUDA_FABRIC_CPY_BATCH_NODE_PARAMS = CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1;
    CUgraphNodeParams = CUgraphNodeParams_st;
    CUflushGPUDirectRDMAWritesOptions = CUflushGPUDirectRDMAWritesOptions_enum;
    CUGPUDirectRDMAWritesOrdering = CUGPUDirectRDMAWritesOrdering_enum;
    CUflushGPUDirectRDMAWritesScope = CUflushGPUDirectRDMAWritesScope_enum;
    CUflushGPUDirectRDMAWritesTarget = CUflushGPUDirectRDMAWritesTarget_enum;
    CUgraphDebugDot_flags = CUgraphDebugDot_flags_enum; CUuserObject_flags = CUuserObject_flags_enum;
    CUuserObjectRetain_flags = CUuserObjectRetain_flags_enum;
    CUgraphInstantiate_flags = CUgraphInstantiate_flags_enum; CUdeviceNumaConfig = CUdeviceNumaConfig_enum;
    CUprocessState = CUprocessState_enum;
    CUcheckpointCustomStoragePerDeviceData = CUcheckpointCustomStoragePerDeviceData_st;
    CUcheckpointOperationHandle = *mut CUIcheckpointOperation_st;
    CUcheckpointCustomStorageInfo = CUcheckpointCustomStorageInfo_st;
    CUcheckpointLockArgs = CUcheckpointLockArgs_st;
    CUcheckpointCheckpointArgs = CUcheckpointCheckpointArgs_st; CUcheckpointGpuPair = CUcheckpointGpuPair_st;
    CUcheckpointRestoreArgs = CUcheckpointRestoreArgs_st; CUcheckpointUnlockArgs = CUcheckpointUnlockArgs_st;
    CUmoduleLoadingMode = CUmoduleLoadingMode_enum; CUmemDecompressAlgorithm = CUmemDecompressAlgorithm_enum;
    CUmemDecompressParams = CUmemDecompressParams_st; CUcliqueType = CUcliqueType_enum;
    CUcliqueInfo = CUcliqueInfo_st; CUlogicalEndpointId = cuuint32_t;
    CUlogicalEndpointIpcHandleType = CUlogicalEndpointIpcHandleType_enum;
    CUlogicalEndpointFabricHandle = CUlogicalEndpointFabricHandle_st;
    CUlogicalEndpointType = CUlogicalEndpointType_enum; CUlogicalEndpointFlag = CUlogicalEndpointFlag_enum;
    CUlogicalEndpointProp = CUlogicalEndpointProp_struct;
    CUfabricCpyOperandType = CUfabricCpyOperandType_enum; CUfabricCpyOperand = CUfabricCpyOperand_st;
    CUgraphRecaptureStatus = CUgraphRecaptureStatus_enum;
    CUgraphRecaptureCallback = Option<unsafe extern "C" fn(*mut c_void, CUgraphNode, *const CUgraphNodeParams, *const CUgraphNodeParams, CUgraphRecaptureStatus) -> CUresult>;
    CUfunctionLoadingState = CUfunctionLoadingState_enum; CUcoredumpSettings = CUcoredumpSettings_enum;
    CUcoredumpCallbackHandle = *mut CUcoredumpCallbackEntry_st;
    CUcoredumpStatusCallback = Option<unsafe extern "C" fn(*mut c_void, c_int, CUdevice)>;
    CUdevResourceDesc = *mut CUdevResourceDesc_st; CUdevSmResource = CUdevSmResource_st;
    CUdevWorkqueueConfigResource = CUdevWorkqueueConfigResource_st;
    CUdevWorkqueueResource = CUdevWorkqueueResource_st;
    CU_DEV_SM_RESOURCE_GROUP_PARAMS = CU_DEV_SM_RESOURCE_GROUP_PARAMS_st; CUdevResource_v1 = CUdevResource_st;
    CUdevResource = CUdevResource_v1; CUlogLevel = CUlogLevel_enum;
    CUlogsCallbackHandle = *mut CUlogsCallbackEntry_st;
    CUlogsCallback = Option<unsafe extern "C" fn(*mut c_void, CUlogLevel, *mut c_char, usize)>;
    CUlogIterator = c_uint; CUdeviceptr_v1 = c_uint; CUDA_MEMCPY2D_v1 = CUDA_MEMCPY2D_v1_st;
    CUDA_MEMCPY3D_v1 = CUDA_MEMCPY3D_v1_st; CUDA_ARRAY_DESCRIPTOR_v1 = CUDA_ARRAY_DESCRIPTOR_v1_st;
    CUDA_ARRAY3D_DESCRIPTOR_v1 = CUDA_ARRAY3D_DESCRIPTOR_v1_st; GLuint = c_uint; GLenum = c_uint;
    CUGLDeviceList = CUGLDeviceList_enum; CUGLmap_flags = CUGLmap_flags_enum; EGLint = c_int;
    EGLImageKHR = *mut c_void; EGLStreamKHR = *mut c_void; EGLSyncKHR = *mut c_void;
    CUeglFrameType = CUeglFrameType_enum; CUeglResourceLocationFlags = CUeglResourceLocationFlags_enum;
    CUeglColorFormat = CUeglColorFormat_enum; CUeglFrame_v1 = CUeglFrame_st; CUeglFrame = CUeglFrame_v1;
    CUeglStreamConnection = *mut CUeglStreamConnection_st; VdpDevice = c_uint; VdpVideoSurface = c_uint;
    VdpOutputSurface = c_uint; VdpFuncId = c_uint; VdpStatus = c_int;
    VdpGetProcAddress = Option<unsafe extern "C" fn(VdpDevice, VdpFuncId, *mut *mut c_void) -> VdpStatus>;
}

constants! {
    CUDA_VERSION CU_IPC_HANDLE_SIZE CU_COMPUTE_ACCELERATED_TARGET_BASE CU_COMPUTE_FAMILY_TARGET_BASE
    CU_GRAPH_COND_ASSIGN_DEFAULT CU_GRAPH_KERNEL_NODE_PORT_DEFAULT CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC
    CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER CU_MEMHOSTALLOC_PORTABLE CU_MEMHOSTALLOC_DEVICEMAP
    CU_MEMHOSTALLOC_WRITECOMBINED CU_MEMHOSTREGISTER_PORTABLE CU_MEMHOSTREGISTER_DEVICEMAP
    CU_MEMHOSTREGISTER_IOMEMORY CU_MEMHOSTREGISTER_READ_ONLY CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL
    CU_TENSOR_MAP_NUM_QWORDS CUDA_EXTERNAL_MEMORY_DEDICATED
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_SKIP_NVSCIBUF_MEMSYNC CUDA_EXTERNAL_SEMAPHORE_WAIT_SKIP_NVSCIBUF_MEMSYNC
    CUDA_NVSCISYNC_ATTR_SIGNAL CUDA_NVSCISYNC_ATTR_WAIT CU_MEM_CREATE_USAGE_TILE_POOL
    CU_MEM_CREATE_USAGE_HW_DECOMPRESS CU_MEM_CREATE_USAGE_GPU_DIRECT_RDMA_OVER_PCIE
    CU_MEM_POOL_CREATE_USAGE_HW_DECOMPRESS CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC
    CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC CUDA_ARRAY3D_LAYERED CUDA_ARRAY3D_2DARRAY
    CUDA_ARRAY3D_SURFACE_LDST CUDA_ARRAY3D_CUBEMAP CUDA_ARRAY3D_TEXTURE_GATHER CUDA_ARRAY3D_DEPTH_TEXTURE
    CUDA_ARRAY3D_COLOR_ATTACHMENT CUDA_ARRAY3D_SPARSE CUDA_ARRAY3D_DEFERRED_MAPPING
    CUDA_ARRAY3D_VIDEO_ENCODE_DECODE CU_TRSA_OVERRIDE_FORMAT CU_TRSF_READ_AS_INTEGER
    CU_TRSF_NORMALIZED_COORDINATES CU_TRSF_SRGB CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION
    CU_TRSF_SEAMLESS_CUBEMAP CU_LAUNCH_KERNEL_REQUIRED_BLOCK_DIM CU_LAUNCH_PARAM_END_AS_INT
    CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT CU_PARAM_TR_DEFAULT
    CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_ID_ANY MAX_PLANES CUDA_EGL_INFINITE_TIMEOUT
}
