// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

structures! {
    CUuuid_st {
        bytes: [c_char; 16];
    }
    CUmemFabricHandle_st {
        data: [c_uchar; 64];
    }
    CUipcEventHandle_st {
        reserved: [c_char; 64];
    }
    CUipcMemHandle_st {
        reserved: [c_char; 64];
    }
    CUstreamBatchMemOpParams_union {
        operation: CUstreamBatchMemOpType;
        waitValue: CUstreamMemOpWaitValueParams_st;
        writeValue: CUstreamMemOpWriteValueParams_st;
        flushRemoteWrites: CUstreamMemOpFlushRemoteWritesParams_st;
        memoryBarrier: CUstreamMemOpMemoryBarrierParams_st;
        atomicReduction: CUstreamMemOpAtomicReductionParams_st;
        pad: [cuuint64_t; 6];
    }
    CUstreamMemOpWaitValueParams_st {
        operation: CUstreamBatchMemOpType;
        address: CUdeviceptr;
        __bindgen_anon_1: CUstreamMemOpWaitValueParams_st__bindgen_ty_1;
        __bindgen_anon_1.value: cuuint32_t;
        __bindgen_anon_1.value64: cuuint64_t;
        flags: c_uint;
        alias: CUdeviceptr;
    }
    CUstreamMemOpWriteValueParams_st {
        operation: CUstreamBatchMemOpType;
        address: CUdeviceptr;
        __bindgen_anon_1: CUstreamMemOpWriteValueParams_st__bindgen_ty_1;
        __bindgen_anon_1.value: cuuint32_t;
        __bindgen_anon_1.value64: cuuint64_t;
        flags: c_uint;
        alias: CUdeviceptr;
    }
    CUstreamMemOpFlushRemoteWritesParams_st {
        operation: CUstreamBatchMemOpType;
        flags: c_uint;
    }
    CUstreamMemOpMemoryBarrierParams_st {
        operation: CUstreamBatchMemOpType;
        flags: c_uint;
    }
    CUstreamMemOpAtomicReductionParams_st {
        operation: CUstreamBatchMemOpType;
        flags: c_uint;
        reductionOp: CUstreamAtomicReductionOpType;
        dataType: CUstreamAtomicReductionDataType;
        address: CUdeviceptr;
        value: cuuint64_t;
        alias: CUdeviceptr;
    }
    CUDA_BATCH_MEM_OP_NODE_PARAMS_v1_st {
        ctx: CUcontext;
        count: c_uint;
        paramArray: *mut CUstreamBatchMemOpParams;
        flags: c_uint;
    }
    CUDA_BATCH_MEM_OP_NODE_PARAMS_v2_st {
        ctx: CUcontext;
        count: c_uint;
        paramArray: *mut CUstreamBatchMemOpParams;
        flags: c_uint;
    }
    CUasyncNotificationInfo_st {
        type_: CUasyncNotificationType;
        info: CUasyncNotificationInfo_st__bindgen_ty_1;
        info.overBudget: CUasyncNotificationInfo_st__bindgen_ty_1__bindgen_ty_1;
        info.overBudget.bytesOverBudget: c_ulonglong;
    }
    CUdevprop_st {
        maxThreadsPerBlock: c_int;
        maxThreadsDim: [c_int; 3];
        maxGridSize: [c_int; 3];
        sharedMemPerBlock: c_int;
        totalConstantMemory: c_int;
        SIMDWidth: c_int;
        memPitch: c_int;
        regsPerBlock: c_int;
        clockRate: c_int;
        textureAlign: c_int;
    }
    CUaccessPolicyWindow_st {
        base_ptr: *mut c_void;
        num_bytes: usize;
        hitRatio: f32;
        hitProp: CUaccessProperty;
        missProp: CUaccessProperty;
    }
    CUDA_KERNEL_NODE_PARAMS_st {
        func: CUfunction;
        gridDimX: c_uint;
        gridDimY: c_uint;
        gridDimZ: c_uint;
        blockDimX: c_uint;
        blockDimY: c_uint;
        blockDimZ: c_uint;
        sharedMemBytes: c_uint;
        kernelParams: *mut *mut c_void;
        extra: *mut *mut c_void;
    }
    CUDA_KERNEL_NODE_PARAMS_v2_st {
        func: CUfunction;
        gridDimX: c_uint;
        gridDimY: c_uint;
        gridDimZ: c_uint;
        blockDimX: c_uint;
        blockDimY: c_uint;
        blockDimZ: c_uint;
        sharedMemBytes: c_uint;
        kernelParams: *mut *mut c_void;
        extra: *mut *mut c_void;
        kern: CUkernel;
        ctx: CUcontext;
    }
    CUDA_KERNEL_NODE_PARAMS_v3_st {
        func: CUfunction;
        gridDimX: c_uint;
        gridDimY: c_uint;
        gridDimZ: c_uint;
        blockDimX: c_uint;
        blockDimY: c_uint;
        blockDimZ: c_uint;
        sharedMemBytes: c_uint;
        kernelParams: *mut *mut c_void;
        extra: *mut *mut c_void;
        kern: CUkernel;
        ctx: CUcontext;
    }
    CUDA_MEMSET_NODE_PARAMS_st {
        dst: CUdeviceptr;
        pitch: usize;
        value: c_uint;
        elementSize: c_uint;
        width: usize;
        height: usize;
    }
    CUDA_MEMSET_NODE_PARAMS_v2_st {
        dst: CUdeviceptr;
        pitch: usize;
        value: c_uint;
        elementSize: c_uint;
        width: usize;
        height: usize;
        ctx: CUcontext;
    }
    CUDA_HOST_NODE_PARAMS_st {
        fn_: CUhostFn;
        userData: *mut c_void;
    }
    CUDA_HOST_NODE_PARAMS_v2_st {
        fn_: CUhostFn;
        userData: *mut c_void;
        syncMode: c_uint;
        __bindgen_anon_1: CUDA_HOST_NODE_PARAMS_v2_st__bindgen_ty_1;
        __bindgen_anon_1.ctx: CUcontext;
        __bindgen_anon_1.gCtx: CUgreenCtx;
    }
    CUDA_CONDITIONAL_NODE_PARAMS {
        handle: CUgraphConditionalHandle;
        type_: CUgraphConditionalNodeType;
        size: c_uint;
        phGraph_out: *mut CUgraph;
        ctx: CUcontext;
    }
    CUgraphEdgeData_st {
        from_port: c_uchar;
        to_port: c_uchar;
        type_: c_uchar;
        reserved: [c_uchar; 5];
    }
    CUDA_GRAPH_INSTANTIATE_PARAMS_st {
        flags: cuuint64_t;
        hUploadStream: CUstream;
        hErrNode_out: CUgraphNode;
        result_out: CUgraphInstantiateResult;
    }
    CUlaunchMemSyncDomainMap_st {
        default_: c_uchar;
        remote: c_uchar;
    }
    CUlaunchAttributeValue_union {
        pad: [c_char; 64];
        accessPolicyWindow: CUaccessPolicyWindow;
        cooperative: c_int;
        syncPolicy: CUsynchronizationPolicy;
        clusterDim: CUlaunchAttributeValue_union__bindgen_ty_1;
        clusterDim.x: c_uint;
        clusterDim.y: c_uint;
        clusterDim.z: c_uint;
        clusterSchedulingPolicyPreference: CUclusterSchedulingPolicy;
        programmaticStreamSerializationAllowed: c_int;
        programmaticEvent: CUlaunchAttributeValue_union__bindgen_ty_2;
        programmaticEvent.event: CUevent;
        programmaticEvent.flags: c_int;
        programmaticEvent.triggerAtBlockStart: c_int;
        launchCompletionEvent: CUlaunchAttributeValue_union__bindgen_ty_3;
        launchCompletionEvent.event: CUevent;
        launchCompletionEvent.flags: c_int;
        priority: c_int;
        memSyncDomainMap: CUlaunchMemSyncDomainMap;
        memSyncDomain: CUlaunchMemSyncDomain;
        preferredClusterDim: CUlaunchAttributeValue_union__bindgen_ty_4;
        preferredClusterDim.x: c_uint;
        preferredClusterDim.y: c_uint;
        preferredClusterDim.z: c_uint;
        deviceUpdatableKernelNode: CUlaunchAttributeValue_union__bindgen_ty_5;
        deviceUpdatableKernelNode.deviceUpdatable: c_int;
        deviceUpdatableKernelNode.devNode: CUgraphDeviceNode;
        sharedMemCarveout: c_uint;
        nvlinkUtilCentricScheduling: c_uint;
        portableClusterSizeMode: CUlaunchAttributePortableClusterMode;
        sharedMemoryMode: CUsharedMemoryMode;
    }
    CUlaunchAttribute_st {
        id: CUlaunchAttributeID;
        pad: [c_char; 4];
        value: CUlaunchAttributeValue;
    }
    CUlaunchConfig_st {
        gridDimX: c_uint;
        gridDimY: c_uint;
        gridDimZ: c_uint;
        blockDimX: c_uint;
        blockDimY: c_uint;
        blockDimZ: c_uint;
        sharedMemBytes: c_uint;
        hStream: CUstream;
        attrs: *mut CUlaunchAttribute;
        numAttrs: c_uint;
    }
    CUexecAffinitySmCount_st {
        val: c_uint;
    }
    CUexecAffinityParam_st {
        type_: CUexecAffinityType;
        param: CUexecAffinityParam_st__bindgen_ty_1;
        param.smCount: CUexecAffinitySmCount;
    }
    CUctxCigParam_st {
        sharedDataType: CUcigDataType;
        sharedData: *mut c_void;
    }
    CUctxCreateParams_st {
        execAffinityParams: *mut CUexecAffinityParam;
        numExecAffinityParams: c_int;
        cigParams: *mut CUctxCigParam;
    }
    CUstreamCigParam_st {
        streamSharedDataType: CUstreamCigDataType;
        streamSharedData: *mut c_void;
    }
    CUstreamCigCaptureParams_st {
        streamCigParams: *mut CUstreamCigParam;
    }
    CUlibraryHostUniversalFunctionAndDataTable_st {
        functionTable: *mut c_void;
        functionWindowSize: usize;
        dataTable: *mut c_void;
        dataWindowSize: usize;
    }
    CUDA_MEMCPY2D_st {
        srcXInBytes: usize;
        srcY: usize;
        srcMemoryType: CUmemorytype;
        srcHost: *const c_void;
        srcDevice: CUdeviceptr;
        srcArray: CUarray;
        srcPitch: usize;
        dstXInBytes: usize;
        dstY: usize;
        dstMemoryType: CUmemorytype;
        dstHost: *mut c_void;
        dstDevice: CUdeviceptr;
        dstArray: CUarray;
        dstPitch: usize;
        WidthInBytes: usize;
        Height: usize;
    }
    CUDA_MEMCPY3D_st {
        srcXInBytes: usize;
        srcY: usize;
        srcZ: usize;
        srcLOD: usize;
        srcMemoryType: CUmemorytype;
        srcHost: *const c_void;
        srcDevice: CUdeviceptr;
        srcArray: CUarray;
        reserved0: *mut c_void;
        srcPitch: usize;
        srcHeight: usize;
        dstXInBytes: usize;
        dstY: usize;
        dstZ: usize;
        dstLOD: usize;
        dstMemoryType: CUmemorytype;
        dstHost: *mut c_void;
        dstDevice: CUdeviceptr;
        dstArray: CUarray;
        reserved1: *mut c_void;
        dstPitch: usize;
        dstHeight: usize;
        WidthInBytes: usize;
        Height: usize;
        Depth: usize;
    }
    CUDA_MEMCPY3D_PEER_st {
        srcXInBytes: usize;
        srcY: usize;
        srcZ: usize;
        srcLOD: usize;
        srcMemoryType: CUmemorytype;
        srcHost: *const c_void;
        srcDevice: CUdeviceptr;
        srcArray: CUarray;
        srcContext: CUcontext;
        srcPitch: usize;
        srcHeight: usize;
        dstXInBytes: usize;
        dstY: usize;
        dstZ: usize;
        dstLOD: usize;
        dstMemoryType: CUmemorytype;
        dstHost: *mut c_void;
        dstDevice: CUdeviceptr;
        dstArray: CUarray;
        dstContext: CUcontext;
        dstPitch: usize;
        dstHeight: usize;
        WidthInBytes: usize;
        Height: usize;
        Depth: usize;
    }
    CUDA_MEMCPY_NODE_PARAMS_st {
        flags: c_int;
        reserved: c_int;
        copyCtx: CUcontext;
        copyParams: CUDA_MEMCPY3D;
    }
    CUDA_ARRAY_DESCRIPTOR_st {
        Width: usize;
        Height: usize;
        Format: CUarray_format;
        NumChannels: c_uint;
    }
    CUDA_ARRAY3D_DESCRIPTOR_st {
        Width: usize;
        Height: usize;
        Depth: usize;
        Format: CUarray_format;
        NumChannels: c_uint;
        Flags: c_uint;
    }
    CUDA_ARRAY_SPARSE_PROPERTIES_st {
        tileExtent: CUDA_ARRAY_SPARSE_PROPERTIES_st__bindgen_ty_1;
        tileExtent.width: c_uint;
        tileExtent.height: c_uint;
        tileExtent.depth: c_uint;
        miptailFirstLevel: c_uint;
        miptailSize: c_ulonglong;
        flags: c_uint;
        reserved: [c_uint; 4];
    }
    CUDA_ARRAY_MEMORY_REQUIREMENTS_st {
        size: usize;
        alignment: usize;
        reserved: [c_uint; 4];
    }
    CUDA_RESOURCE_DESC_st {
        resType: CUresourcetype;
        res: CUDA_RESOURCE_DESC_st__bindgen_ty_1;
        res.array: CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_1;
        res.array.hArray: CUarray;
        res.mipmap: CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_2;
        res.mipmap.hMipmappedArray: CUmipmappedArray;
        res.linear: CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_3;
        res.linear.devPtr: CUdeviceptr;
        res.linear.format: CUarray_format;
        res.linear.numChannels: c_uint;
        res.linear.sizeInBytes: usize;
        res.pitch2D: CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_4;
        res.pitch2D.devPtr: CUdeviceptr;
        res.pitch2D.format: CUarray_format;
        res.pitch2D.numChannels: c_uint;
        res.pitch2D.width: usize;
        res.pitch2D.height: usize;
        res.pitch2D.pitchInBytes: usize;
        res.reserved: CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_5;
        res.reserved.reserved: [c_int; 32];
        flags: c_uint;
    }
    CUDA_TEXTURE_DESC_st {
        addressMode: [CUaddress_mode; 3];
        filterMode: CUfilter_mode;
        flags: c_uint;
        maxAnisotropy: c_uint;
        mipmapFilterMode: CUfilter_mode;
        mipmapLevelBias: f32;
        minMipmapLevelClamp: f32;
        maxMipmapLevelClamp: f32;
        borderColor: [f32; 4];
        reserved: [c_int; 12];
    }
    CUDA_RESOURCE_VIEW_DESC_st {
        format: CUresourceViewFormat;
        width: usize;
        height: usize;
        depth: usize;
        firstMipmapLevel: c_uint;
        lastMipmapLevel: c_uint;
        firstLayer: c_uint;
        lastLayer: c_uint;
        reserved: [c_uint; 16];
    }
    CUtensorMap_st {
        opaque: [cuuint64_t; 16];
    }
    CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_st {
        p2pToken: c_ulonglong;
        vaSpaceToken: c_uint;
    }
    CUDA_LAUNCH_PARAMS_st {
        function: CUfunction;
        gridDimX: c_uint;
        gridDimY: c_uint;
        gridDimZ: c_uint;
        blockDimX: c_uint;
        blockDimY: c_uint;
        blockDimZ: c_uint;
        sharedMemBytes: c_uint;
        hStream: CUstream;
        kernelParams: *mut *mut c_void;
    }
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st {
        type_: CUexternalMemoryHandleType;
        handle: CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st__bindgen_ty_1;
        handle.fd: c_int;
        handle.win32: CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st__bindgen_ty_1__bindgen_ty_1;
        handle.win32.handle: *mut c_void;
        handle.win32.name: *const c_void;
        handle.nvSciBufObject: *const c_void;
        size: c_ulonglong;
        flags: c_uint;
        reserved: [c_uint; 16];
    }
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC_st {
        offset: c_ulonglong;
        size: c_ulonglong;
        flags: c_uint;
        reserved: [c_uint; 16];
    }
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st {
        offset: c_ulonglong;
        arrayDesc: CUDA_ARRAY3D_DESCRIPTOR;
        numLevels: c_uint;
        reserved: [c_uint; 16];
    }
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st {
        type_: CUexternalSemaphoreHandleType;
        handle: CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st__bindgen_ty_1;
        handle.fd: c_int;
        handle.win32: CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st__bindgen_ty_1__bindgen_ty_1;
        handle.win32.handle: *mut c_void;
        handle.win32.name: *const c_void;
        handle.nvSciSyncObj: *const c_void;
        flags: c_uint;
        reserved: [c_uint; 16];
    }
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st {
        params: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st__bindgen_ty_1;
        params.fence: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st__bindgen_ty_1__bindgen_ty_1;
        params.fence.value: c_ulonglong;
        params.nvSciSync: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st__bindgen_ty_1__bindgen_ty_2;
        params.nvSciSync.fence: *mut c_void;
        params.nvSciSync.reserved: c_ulonglong;
        params.keyedMutex: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st__bindgen_ty_1__bindgen_ty_3;
        params.keyedMutex.key: c_ulonglong;
        params.reserved: [c_uint; 12];
        flags: c_uint;
        reserved: [c_uint; 16];
    }
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st {
        params: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st__bindgen_ty_1;
        params.fence: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st__bindgen_ty_1__bindgen_ty_1;
        params.fence.value: c_ulonglong;
        params.nvSciSync: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st__bindgen_ty_1__bindgen_ty_2;
        params.nvSciSync.fence: *mut c_void;
        params.nvSciSync.reserved: c_ulonglong;
        params.keyedMutex: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st__bindgen_ty_1__bindgen_ty_3;
        params.keyedMutex.key: c_ulonglong;
        params.keyedMutex.timeoutMs: c_uint;
        params.reserved: [c_uint; 10];
        flags: c_uint;
        reserved: [c_uint; 16];
    }
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_st {
        extSemArray: *mut CUexternalSemaphore;
        paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS;
        numExtSems: c_uint;
    }
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2_st {
        extSemArray: *mut CUexternalSemaphore;
        paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS;
        numExtSems: c_uint;
        __bindgen_anon_1: CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2_st__bindgen_ty_1;
        __bindgen_anon_1.ctx: CUcontext;
        __bindgen_anon_1.gCtx: CUgreenCtx;
    }
    CUDA_EXT_SEM_WAIT_NODE_PARAMS_st {
        extSemArray: *mut CUexternalSemaphore;
        paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS;
        numExtSems: c_uint;
    }
    CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2_st {
        extSemArray: *mut CUexternalSemaphore;
        paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS;
        numExtSems: c_uint;
        __bindgen_anon_1: CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2_st__bindgen_ty_1;
        __bindgen_anon_1.ctx: CUcontext;
        __bindgen_anon_1.gCtx: CUgreenCtx;
    }
    CUarrayMapInfo_st {
        resourceType: CUresourcetype;
        resource: CUarrayMapInfo_st__bindgen_ty_1;
        resource.mipmap: CUmipmappedArray;
        resource.array: CUarray;
        subresourceType: CUarraySparseSubresourceType;
        subresource: CUarrayMapInfo_st__bindgen_ty_2;
        subresource.sparseLevel: CUarrayMapInfo_st__bindgen_ty_2__bindgen_ty_1;
        subresource.sparseLevel.level: c_uint;
        subresource.sparseLevel.layer: c_uint;
        subresource.sparseLevel.offsetX: c_uint;
        subresource.sparseLevel.offsetY: c_uint;
        subresource.sparseLevel.offsetZ: c_uint;
        subresource.sparseLevel.extentWidth: c_uint;
        subresource.sparseLevel.extentHeight: c_uint;
        subresource.sparseLevel.extentDepth: c_uint;
        subresource.miptail: CUarrayMapInfo_st__bindgen_ty_2__bindgen_ty_2;
        subresource.miptail.layer: c_uint;
        subresource.miptail.offset: c_ulonglong;
        subresource.miptail.size: c_ulonglong;
        memOperationType: CUmemOperationType;
        memHandleType: CUmemHandleType;
        memHandle: CUarrayMapInfo_st__bindgen_ty_3;
        memHandle.memHandle: CUmemGenericAllocationHandle;
        offset: c_ulonglong;
        deviceBitMask: c_uint;
        flags: c_uint;
        reserved: [c_uint; 2];
    }
    CUmemLocation_st {
        type_: CUmemLocationType;
        __bindgen_anon_1: CUmemLocation_st__bindgen_ty_1;
        __bindgen_anon_1.id: c_int;
        __bindgen_anon_1.localized: CUmemLocation_st__bindgen_ty_1__bindgen_ty_1;
        __bindgen_anon_1.localized.deviceId: c_uchar;
        __bindgen_anon_1.localized.localityDomainId: c_uchar;
    }
    CUmemAllocationProp_st {
        type_: CUmemAllocationType;
        requestedHandleTypes: CUmemAllocationHandleType;
        location: CUmemLocation;
        win32HandleMetaData: *mut c_void;
        allocFlags: CUmemAllocationProp_st__bindgen_ty_1;
        allocFlags.compressionType: c_uchar;
        allocFlags.gpuDirectRDMACapable: c_uchar;
        allocFlags.usage: c_ushort;
        allocFlags.reserved: [c_uchar; 4];
    }
    CUmulticastObjectProp_st {
        numDevices: c_uint;
        size: usize;
        handleTypes: c_ulonglong;
        flags: c_ulonglong;
    }
    CUmemAccessDesc_st {
        location: CUmemLocation;
        flags: CUmemAccess_flags;
    }
    CUgraphExecUpdateResultInfo_st {
        result: CUgraphExecUpdateResult;
        errorNode: CUgraphNode;
        errorFromNode: CUgraphNode;
    }
    CUmemPoolProps_st {
        allocType: CUmemAllocationType;
        handleTypes: CUmemAllocationHandleType;
        location: CUmemLocation;
        win32SecurityAttributes: *mut c_void;
        maxSize: usize;
        usage: c_ushort;
        gpuDirectRDMACapable: c_uchar;
        reserved: [c_uchar; 53];
    }
    CUmemPoolPtrExportData_st {
        reserved: [c_uchar; 64];
    }
    CUmemcpyAttributes_st {
        srcAccessOrder: CUmemcpySrcAccessOrder;
        srcLocHint: CUmemLocation;
        dstLocHint: CUmemLocation;
        flags: c_uint;
    }
    CUoffset3D_st {
        x: usize;
        y: usize;
        z: usize;
    }
    CUextent3D_st {
        width: usize;
        height: usize;
        depth: usize;
    }
    CUmemcpy3DOperand_st {
        type_: CUmemcpy3DOperandType;
        op: CUmemcpy3DOperand_st__bindgen_ty_1;
        op.ptr: CUmemcpy3DOperand_st__bindgen_ty_1__bindgen_ty_1;
        op.ptr.ptr: CUdeviceptr;
        op.ptr.rowLength: usize;
        op.ptr.layerHeight: usize;
        op.ptr.locHint: CUmemLocation;
        op.array: CUmemcpy3DOperand_st__bindgen_ty_1__bindgen_ty_2;
        op.array.array: CUarray;
        op.array.offset: CUoffset3D;
    }
    CUDA_MEMCPY3D_BATCH_OP_st {
        src: CUmemcpy3DOperand;
        dst: CUmemcpy3DOperand;
        extent: CUextent3D;
        srcAccessOrder: CUmemcpySrcAccessOrder;
        flags: c_uint;
    }
    CUDA_MEM_ALLOC_NODE_PARAMS_v1_st {
        poolProps: CUmemPoolProps;
        accessDescs: *const CUmemAccessDesc;
        accessDescCount: usize;
        bytesize: usize;
        dptr: CUdeviceptr;
    }
    CUDA_MEM_ALLOC_NODE_PARAMS_v2_st {
        poolProps: CUmemPoolProps;
        accessDescs: *const CUmemAccessDesc;
        accessDescCount: usize;
        bytesize: usize;
        dptr: CUdeviceptr;
    }
    CUDA_MEM_FREE_NODE_PARAMS_st {
        dptr: CUdeviceptr;
    }
    CUDA_CHILD_GRAPH_NODE_PARAMS_st {
        graph: CUgraph;
        ownership: CUgraphChildGraphNodeOwnership;
    }
    CUDA_EVENT_RECORD_NODE_PARAMS_st {
        event: CUevent;
        __bindgen_anon_1: CUDA_EVENT_RECORD_NODE_PARAMS_st__bindgen_ty_1;
        __bindgen_anon_1.ctx: CUcontext;
        __bindgen_anon_1.gCtx: CUgreenCtx;
    }
    CUDA_EVENT_WAIT_NODE_PARAMS_st {
        event: CUevent;
    }
    CUDA_MEMCPY_BATCH_NODE_PARAMS_V1_st {
        count: usize;
        dsts: *mut CUdeviceptr;
        srcs: *mut CUdeviceptr;
        sizes: *mut usize;
        attrs: *mut CUmemcpyAttributes;
        attrsIdxs: *mut usize;
        numAttrs: usize;
        __bindgen_anon_1: CUDA_MEMCPY_BATCH_NODE_PARAMS_V1_st__bindgen_ty_1;
        __bindgen_anon_1.ctx: CUcontext;
        __bindgen_anon_1.gCtx: CUgreenCtx;
    }
    CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1_st {
        numOps: usize;
        opList: *mut CUDA_FABRIC_COPY_BATCH_OP;
        flags: c_ulonglong;
        __bindgen_anon_1: CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1_st__bindgen_ty_1;
        __bindgen_anon_1.ctx: CUcontext;
        __bindgen_anon_1.gCtx: CUgreenCtx;
    }
    CUgraphNodeParams_st {
        type_: CUgraphNodeType;
        reserved0: [c_int; 3];
        __bindgen_anon_1: CUgraphNodeParams_st__bindgen_ty_1;
        __bindgen_anon_1.reserved1: [c_longlong; 29];
        __bindgen_anon_1.kernel: CUDA_KERNEL_NODE_PARAMS_v3;
        __bindgen_anon_1.memcpy: CUDA_MEMCPY_NODE_PARAMS;
        __bindgen_anon_1.memset: CUDA_MEMSET_NODE_PARAMS_v2;
        __bindgen_anon_1.host: CUDA_HOST_NODE_PARAMS_v2;
        __bindgen_anon_1.graph: CUDA_CHILD_GRAPH_NODE_PARAMS;
        __bindgen_anon_1.eventWait: CUDA_EVENT_WAIT_NODE_PARAMS;
        __bindgen_anon_1.eventRecord: CUDA_EVENT_RECORD_NODE_PARAMS;
        __bindgen_anon_1.extSemSignal: CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2;
        __bindgen_anon_1.extSemWait: CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2;
        __bindgen_anon_1.alloc: CUDA_MEM_ALLOC_NODE_PARAMS_v2;
        __bindgen_anon_1.free: CUDA_MEM_FREE_NODE_PARAMS;
        __bindgen_anon_1.memOp: CUDA_BATCH_MEM_OP_NODE_PARAMS_v2;
        __bindgen_anon_1.conditional: CUDA_CONDITIONAL_NODE_PARAMS;
        __bindgen_anon_1.memcpyBatch: CUDA_MEMCPY_BATCH_NODE_PARAMS_V1;
        __bindgen_anon_1.fabricCpyBatch: CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1;
        __bindgen_anon_1.asBytes: [c_char; 232];
        reserved2: c_longlong;
    }
    CUcheckpointCustomStoragePerDeviceData_st {
        devPtr: CUdeviceptr;
        size: usize;
        stream: CUstream;
    }
    CUcheckpointCustomStorageInfo_st {
        handle: CUcheckpointOperationHandle;
        perDeviceData: *mut CUcheckpointCustomStoragePerDeviceData;
        deviceCount: c_uint;
    }
    CUcheckpointLockArgs_st {
        timeoutMs: c_uint;
        reserved0: c_uint;
        reserved1: [cuuint64_t; 7];
    }
    CUcheckpointCheckpointArgs_st {
        customStorageInfo_out: *mut *mut CUcheckpointCustomStorageInfo;
        reserved: [c_char; 56];
    }
    CUcheckpointGpuPair_st {
        oldUuid: CUuuid;
        newUuid: CUuuid;
    }
    CUcheckpointRestoreArgs_st {
        gpuPairs: *mut CUcheckpointGpuPair;
        gpuPairsCount: c_uint;
        padding0: c_uint;
        customStorageInfo_out: *mut *mut CUcheckpointCustomStorageInfo;
        reserved: [c_char; 40];
    }
    CUcheckpointUnlockArgs_st {
        reserved: [cuuint64_t; 8];
    }
    CUmemDecompressParams_st {
        srcNumBytes: usize;
        dstNumBytes: usize;
        dstActBytes: *mut cuuint32_t;
        src: *const c_void;
        dst: *mut c_void;
        algo: CUmemDecompressAlgorithm;
        padding: [c_uchar; 20];
    }
    CUcliqueInfo_st {
        type_: CUcliqueType;
        id: c_uint;
    }
    CUlogicalEndpointFabricHandle_st {
        data: [c_uchar; 64];
    }
    CUlogicalEndpointProp_struct {
        type_: CUlogicalEndpointType;
        __bindgen_anon_1: CUlogicalEndpointProp_struct__bindgen_ty_1;
        __bindgen_anon_1.unicast: CUlogicalEndpointProp_struct__bindgen_ty_1__bindgen_ty_1;
        __bindgen_anon_1.unicast.device: CUdevice;
        __bindgen_anon_1.multicast: CUlogicalEndpointProp_struct__bindgen_ty_1__bindgen_ty_2;
        __bindgen_anon_1.multicast.numDevices: c_uint;
        size: c_ulonglong;
        ipcHandleTypes: c_uint;
        flags: c_uint;
    }
    CUfabricCpyOperand_st {
        type_: CUfabricCpyOperandType;
        op: CUfabricCpyOperand_st__bindgen_ty_1;
        op.ptr: CUfabricCpyOperand_st__bindgen_ty_1__bindgen_ty_1;
        op.ptr.ptr: CUdeviceptr;
        op.ptr.locHint: CUmemLocation;
        op.le: CUfabricCpyOperand_st__bindgen_ty_1__bindgen_ty_2;
        op.le.id: CUlogicalEndpointId;
        op.le.offset: cuuint64_t;
    }
    CUDA_FABRIC_COPY_BATCH_OP_st {
        src: CUfabricCpyOperand;
        dst: CUfabricCpyOperand;
        size: usize;
        flags: c_uint;
    }
    CUdevSmResource_st {
        smCount: c_uint;
        minSmPartitionSize: c_uint;
        smCoscheduledAlignment: c_uint;
        flags: c_uint;
        localityDomainId: c_uint;
    }
    CUdevWorkqueueConfigResource_st {
        device: CUdevice;
        wqConcurrencyLimit: c_uint;
        sharingScope: CUdevWorkqueueConfigScope;
    }
    CUdevWorkqueueResource_st {
        reserved: [c_uchar; 40];
    }
    CU_DEV_SM_RESOURCE_GROUP_PARAMS_st {
        smCount: c_uint;
        coscheduledSmCount: c_uint;
        preferredCoscheduledSmCount: c_uint;
        flags: c_uint;
        localityDomainId: c_uint;
        reserved: [c_uint; 11];
    }
    CUdevResource_st {
        type_: CUdevResourceType;
        _internal_padding: [c_uchar; 92];
        __bindgen_anon_1: CUdevResource_st__bindgen_ty_1;
        __bindgen_anon_1.sm: CUdevSmResource;
        __bindgen_anon_1.wqConfig: CUdevWorkqueueConfigResource;
        __bindgen_anon_1.wq: CUdevWorkqueueResource;
        __bindgen_anon_1._oversize: [c_uchar; 40];
        nextResource: *mut CUdevResource_st;
    }
    CUDA_MEMCPY2D_v1_st {
        srcXInBytes: c_uint;
        srcY: c_uint;
        srcMemoryType: CUmemorytype;
        srcHost: *const c_void;
        srcDevice: CUdeviceptr_v1;
        srcArray: CUarray;
        srcPitch: c_uint;
        dstXInBytes: c_uint;
        dstY: c_uint;
        dstMemoryType: CUmemorytype;
        dstHost: *mut c_void;
        dstDevice: CUdeviceptr_v1;
        dstArray: CUarray;
        dstPitch: c_uint;
        WidthInBytes: c_uint;
        Height: c_uint;
    }
    CUDA_MEMCPY3D_v1_st {
        srcXInBytes: c_uint;
        srcY: c_uint;
        srcZ: c_uint;
        srcLOD: c_uint;
        srcMemoryType: CUmemorytype;
        srcHost: *const c_void;
        srcDevice: CUdeviceptr_v1;
        srcArray: CUarray;
        reserved0: *mut c_void;
        srcPitch: c_uint;
        srcHeight: c_uint;
        dstXInBytes: c_uint;
        dstY: c_uint;
        dstZ: c_uint;
        dstLOD: c_uint;
        dstMemoryType: CUmemorytype;
        dstHost: *mut c_void;
        dstDevice: CUdeviceptr_v1;
        dstArray: CUarray;
        reserved1: *mut c_void;
        dstPitch: c_uint;
        dstHeight: c_uint;
        WidthInBytes: c_uint;
        Height: c_uint;
        Depth: c_uint;
    }
    CUDA_ARRAY_DESCRIPTOR_v1_st {
        Width: c_uint;
        Height: c_uint;
        Format: CUarray_format;
        NumChannels: c_uint;
    }
    CUDA_ARRAY3D_DESCRIPTOR_v1_st {
        Width: c_uint;
        Height: c_uint;
        Depth: c_uint;
        Format: CUarray_format;
        NumChannels: c_uint;
        Flags: c_uint;
    }
    CUeglFrame_st {
        frame: CUeglFrame_st__bindgen_ty_1;
        frame.pArray: [CUarray; 3];
        frame.pPitch: [*mut c_void; 3];
        width: c_uint;
        height: c_uint;
        depth: c_uint;
        pitch: c_uint;
        planeCount: c_uint;
        numChannels: c_uint;
        frameType: CUeglFrameType;
        eglColorFormat: CUeglColorFormat;
        cuFormat: CUarray_format;
    }
}

enumerations! {
    CUipcMem_flags_enum { CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS }
    CUmemAttach_flags_enum { CU_MEM_ATTACH_GLOBAL CU_MEM_ATTACH_HOST CU_MEM_ATTACH_SINGLE }
    CUctx_flags_enum { CU_CTX_SCHED_AUTO CU_CTX_SCHED_SPIN CU_CTX_SCHED_YIELD CU_CTX_SCHED_BLOCKING_SYNC CU_CTX_BLOCKING_SYNC CU_CTX_SCHED_MASK CU_CTX_MAP_HOST CU_CTX_LMEM_RESIZE_TO_MAX CU_CTX_COREDUMP_ENABLE CU_CTX_USER_COREDUMP_ENABLE CU_CTX_SYNC_MEMOPS CU_CTX_FLAGS_MASK }
    CUevent_sched_flags_enum { CU_EVENT_SCHED_AUTO CU_EVENT_SCHED_SPIN CU_EVENT_SCHED_YIELD CU_EVENT_SCHED_BLOCKING_SYNC }
    cl_event_flags_enum { NVCL_EVENT_SCHED_AUTO NVCL_EVENT_SCHED_SPIN NVCL_EVENT_SCHED_YIELD NVCL_EVENT_SCHED_BLOCKING_SYNC }
    cl_context_flags_enum { NVCL_CTX_SCHED_AUTO NVCL_CTX_SCHED_SPIN NVCL_CTX_SCHED_YIELD NVCL_CTX_SCHED_BLOCKING_SYNC }
    CUhostTaskSyncMode_enum { CU_HOST_TASK_BLOCKING CU_HOST_TASK_SPINWAIT }
    CUstream_flags_enum { CU_STREAM_DEFAULT CU_STREAM_NON_BLOCKING }
    CUevent_flags_enum { CU_EVENT_DEFAULT CU_EVENT_BLOCKING_SYNC CU_EVENT_DISABLE_TIMING CU_EVENT_INTERPROCESS }
    CUevent_record_flags_enum { CU_EVENT_RECORD_DEFAULT CU_EVENT_RECORD_EXTERNAL }
    CUevent_wait_flags_enum { CU_EVENT_WAIT_DEFAULT CU_EVENT_WAIT_EXTERNAL }
    CUatomicOperation_enum { CU_ATOMIC_OPERATION_INTEGER_ADD CU_ATOMIC_OPERATION_INTEGER_MIN CU_ATOMIC_OPERATION_INTEGER_MAX CU_ATOMIC_OPERATION_INTEGER_INCREMENT CU_ATOMIC_OPERATION_INTEGER_DECREMENT CU_ATOMIC_OPERATION_AND CU_ATOMIC_OPERATION_OR CU_ATOMIC_OPERATION_XOR CU_ATOMIC_OPERATION_EXCHANGE CU_ATOMIC_OPERATION_CAS CU_ATOMIC_OPERATION_FLOAT_ADD CU_ATOMIC_OPERATION_FLOAT_MIN CU_ATOMIC_OPERATION_FLOAT_MAX CU_ATOMIC_OPERATION_MAX }
    CUatomicOperationCapability_enum { CU_ATOMIC_CAPABILITY_SIGNED CU_ATOMIC_CAPABILITY_UNSIGNED CU_ATOMIC_CAPABILITY_REDUCTION CU_ATOMIC_CAPABILITY_SCALAR_32 CU_ATOMIC_CAPABILITY_SCALAR_64 CU_ATOMIC_CAPABILITY_SCALAR_128 CU_ATOMIC_CAPABILITY_VECTOR_32x4 }
    CUstreamWaitValue_flags_enum { CU_STREAM_WAIT_VALUE_GEQ CU_STREAM_WAIT_VALUE_EQ CU_STREAM_WAIT_VALUE_AND CU_STREAM_WAIT_VALUE_NOR CU_STREAM_WAIT_VALUE_FLUSH }
    CUstreamWriteValue_flags_enum { CU_STREAM_WRITE_VALUE_DEFAULT CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER }
    CUstreamBatchMemOpType_enum { CU_STREAM_MEM_OP_WAIT_VALUE_32 CU_STREAM_MEM_OP_WRITE_VALUE_32 CU_STREAM_MEM_OP_WAIT_VALUE_64 CU_STREAM_MEM_OP_WRITE_VALUE_64 CU_STREAM_MEM_OP_BARRIER CU_STREAM_MEM_OP_ATOMIC_REDUCTION CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES }
    CUstreamMemoryBarrier_flags_enum { CU_STREAM_MEMORY_BARRIER_TYPE_SYS CU_STREAM_MEMORY_BARRIER_TYPE_GPU }
    CUstreamAtomicReductionOpType_enum { CU_STREAM_ATOMIC_REDUCTION_OP_OR CU_STREAM_ATOMIC_REDUCTION_OP_AND CU_STREAM_ATOMIC_REDUCTION_OP_ADD }
    CUstreamAtomicReductionDataType_enum { CU_STREAM_ATOMIC_REDUCTION_UNSIGNED_32 CU_STREAM_ATOMIC_REDUCTION_UNSIGNED_64 }
    CUoccupancy_flags_enum { CU_OCCUPANCY_DEFAULT CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE }
    CUstreamUpdateCaptureDependencies_flags_enum { CU_STREAM_ADD_CAPTURE_DEPENDENCIES CU_STREAM_SET_CAPTURE_DEPENDENCIES }
    CUasyncNotificationType_enum { CU_ASYNC_NOTIFICATION_TYPE_OVER_BUDGET }
    CUarray_format_enum { CU_AD_FORMAT_UNSIGNED_INT8 CU_AD_FORMAT_UNSIGNED_INT16 CU_AD_FORMAT_UNSIGNED_INT32 CU_AD_FORMAT_SIGNED_INT8 CU_AD_FORMAT_SIGNED_INT16 CU_AD_FORMAT_SIGNED_INT32 CU_AD_FORMAT_HALF CU_AD_FORMAT_FLOAT CU_AD_FORMAT_NV12 CU_AD_FORMAT_UNORM_INT8X1 CU_AD_FORMAT_UNORM_INT8X2 CU_AD_FORMAT_UNORM_INT8X4 CU_AD_FORMAT_UNORM_INT16X1 CU_AD_FORMAT_UNORM_INT16X2 CU_AD_FORMAT_UNORM_INT16X4 CU_AD_FORMAT_SNORM_INT8X1 CU_AD_FORMAT_SNORM_INT8X2 CU_AD_FORMAT_SNORM_INT8X4 CU_AD_FORMAT_SNORM_INT16X1 CU_AD_FORMAT_SNORM_INT16X2 CU_AD_FORMAT_SNORM_INT16X4 CU_AD_FORMAT_BC1_UNORM CU_AD_FORMAT_BC1_UNORM_SRGB CU_AD_FORMAT_BC2_UNORM CU_AD_FORMAT_BC2_UNORM_SRGB CU_AD_FORMAT_BC3_UNORM CU_AD_FORMAT_BC3_UNORM_SRGB CU_AD_FORMAT_BC4_UNORM CU_AD_FORMAT_BC4_SNORM CU_AD_FORMAT_BC5_UNORM CU_AD_FORMAT_BC5_SNORM CU_AD_FORMAT_BC6H_UF16 CU_AD_FORMAT_BC6H_SF16 CU_AD_FORMAT_BC7_UNORM CU_AD_FORMAT_BC7_UNORM_SRGB CU_AD_FORMAT_P010 CU_AD_FORMAT_P016 CU_AD_FORMAT_NV16 CU_AD_FORMAT_P210 CU_AD_FORMAT_P216 CU_AD_FORMAT_YUY2 CU_AD_FORMAT_Y210 CU_AD_FORMAT_Y216 CU_AD_FORMAT_AYUV CU_AD_FORMAT_Y410 CU_AD_FORMAT_Y416 CU_AD_FORMAT_Y444_PLANAR8 CU_AD_FORMAT_Y444_PLANAR10 CU_AD_FORMAT_YUV444_8bit_SemiPlanar CU_AD_FORMAT_YUV444_16bit_SemiPlanar CU_AD_FORMAT_UNORM_INT_101010_2 CU_AD_FORMAT_UINT8_PACKED_422 CU_AD_FORMAT_UINT8_PACKED_444 CU_AD_FORMAT_UINT8_SEMIPLANAR_420 CU_AD_FORMAT_UINT16_SEMIPLANAR_420 CU_AD_FORMAT_UINT8_SEMIPLANAR_422 CU_AD_FORMAT_UINT16_SEMIPLANAR_422 CU_AD_FORMAT_UINT8_SEMIPLANAR_444 CU_AD_FORMAT_UINT16_SEMIPLANAR_444 CU_AD_FORMAT_UINT8_PLANAR_420 CU_AD_FORMAT_UINT16_PLANAR_420 CU_AD_FORMAT_UINT8_PLANAR_422 CU_AD_FORMAT_UINT16_PLANAR_422 CU_AD_FORMAT_UINT8_PLANAR_444 CU_AD_FORMAT_UINT16_PLANAR_444 CU_AD_FORMAT_MAX }
    CUaddress_mode_enum { CU_TR_ADDRESS_MODE_WRAP CU_TR_ADDRESS_MODE_CLAMP CU_TR_ADDRESS_MODE_MIRROR CU_TR_ADDRESS_MODE_BORDER }
    CUfilter_mode_enum { CU_TR_FILTER_MODE_POINT CU_TR_FILTER_MODE_LINEAR }
    CUdevice_attribute_enum { CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY CU_DEVICE_ATTRIBUTE_WARP_SIZE CU_DEVICE_ATTRIBUTE_MAX_PITCH CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK CU_DEVICE_ATTRIBUTE_CLOCK_RATE CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT CU_DEVICE_ATTRIBUTE_GPU_OVERLAP CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT CU_DEVICE_ATTRIBUTE_INTEGRATED CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY CU_DEVICE_ATTRIBUTE_COMPUTE_MODE CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS CU_DEVICE_ATTRIBUTE_ECC_ENABLED CU_DEVICE_ATTRIBUTE_PCI_BUS_ID CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID CU_DEVICE_ATTRIBUTE_TCC_DRIVER CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1 CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1 CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1 CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS CU_DEVICE_ATTRIBUTE_NUMA_CONFIG CU_DEVICE_ATTRIBUTE_NUMA_ID CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED CU_DEVICE_ATTRIBUTE_MPS_ENABLED CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED CU_DEVICE_ATTRIBUTE_ATOMIC_REDUCTION_SUPPORTED CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_COUNT CU_DEVICE_ATTRIBUTE_MAX_OVERSIZED_SHARED_MEMORY_PER_BLOCK CU_DEVICE_ATTRIBUTE_D3D12_CIG_STREAMS_SUPPORTED CU_DEVICE_ATTRIBUTE_DMA_BUF_MMAP_SUPPORTED CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_SUPPORTED CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_MULTICAST_SUPPORTED CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_COUNTED_OPS_SUPPORTED CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_ACCESS_ON_OWNER_DEVICE_SUPPORTED CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_MULTIPROCESSOR_COUNT CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_SUPPORTED_HANDLE_TYPES CU_DEVICE_ATTRIBUTE_VULKAN_CIG_STREAMS_SUPPORTED CU_DEVICE_ATTRIBUTE_TENSOR_MAP_LARGE_TENSOR_MIN_SIZE CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_LOCALIZED_MEMORY_SUPPORTED CU_DEVICE_ATTRIBUTE_MAX }
    CUpointer_attribute_enum { CU_POINTER_ATTRIBUTE_CONTEXT CU_POINTER_ATTRIBUTE_MEMORY_TYPE CU_POINTER_ATTRIBUTE_DEVICE_POINTER CU_POINTER_ATTRIBUTE_HOST_POINTER CU_POINTER_ATTRIBUTE_P2P_TOKENS CU_POINTER_ATTRIBUTE_SYNC_MEMOPS CU_POINTER_ATTRIBUTE_BUFFER_ID CU_POINTER_ATTRIBUTE_IS_MANAGED CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE CU_POINTER_ATTRIBUTE_RANGE_START_ADDR CU_POINTER_ATTRIBUTE_RANGE_SIZE CU_POINTER_ATTRIBUTE_MAPPED CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE CU_POINTER_ATTRIBUTE_ACCESS_FLAGS CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE CU_POINTER_ATTRIBUTE_MAPPING_SIZE CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE CU_POINTER_ATTRIBUTE_LOCALITY_DOMAIN_ORDINAL }
    CUfunction_attribute_enum { CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES CU_FUNC_ATTRIBUTE_NUM_REGS CU_FUNC_ATTRIBUTE_PTX_VERSION CU_FUNC_ATTRIBUTE_BINARY_VERSION CU_FUNC_ATTRIBUTE_CACHE_MODE_CA CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE CU_FUNC_ATTRIBUTE_DEVICE_NODE_UPDATE_SUPPORTED CU_FUNC_ATTRIBUTE_SHARED_MEMORY_MODE CU_FUNC_ATTRIBUTE_MAX }
    CUfunc_cache_enum { CU_FUNC_CACHE_PREFER_NONE CU_FUNC_CACHE_PREFER_SHARED CU_FUNC_CACHE_PREFER_L1 CU_FUNC_CACHE_PREFER_EQUAL }
    CUsharedconfig_enum { CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE }
    CUshared_carveout_enum { CU_SHAREDMEM_CARVEOUT_DEFAULT CU_SHAREDMEM_CARVEOUT_MAX_SHARED CU_SHAREDMEM_CARVEOUT_MAX_L1 }
    CUmemorytype_enum { CU_MEMORYTYPE_HOST CU_MEMORYTYPE_DEVICE CU_MEMORYTYPE_ARRAY CU_MEMORYTYPE_UNIFIED }
    CUcomputemode_enum { CU_COMPUTEMODE_DEFAULT CU_COMPUTEMODE_PROHIBITED CU_COMPUTEMODE_EXCLUSIVE_PROCESS }
    CUmem_advise_enum { CU_MEM_ADVISE_SET_READ_MOSTLY CU_MEM_ADVISE_UNSET_READ_MOSTLY CU_MEM_ADVISE_SET_PREFERRED_LOCATION CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION CU_MEM_ADVISE_SET_ACCESSED_BY CU_MEM_ADVISE_UNSET_ACCESSED_BY }
    CUmem_range_attribute_enum { CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID }
    CUjit_option_enum { CU_JIT_MAX_REGISTERS CU_JIT_THREADS_PER_BLOCK CU_JIT_WALL_TIME CU_JIT_INFO_LOG_BUFFER CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES CU_JIT_ERROR_LOG_BUFFER CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES CU_JIT_OPTIMIZATION_LEVEL CU_JIT_TARGET_FROM_CUCONTEXT CU_JIT_TARGET CU_JIT_FALLBACK_STRATEGY CU_JIT_GENERATE_DEBUG_INFO CU_JIT_LOG_VERBOSE CU_JIT_GENERATE_LINE_INFO CU_JIT_CACHE_MODE CU_JIT_NEW_SM3X_OPT CU_JIT_FAST_COMPILE CU_JIT_GLOBAL_SYMBOL_NAMES CU_JIT_GLOBAL_SYMBOL_ADDRESSES CU_JIT_GLOBAL_SYMBOL_COUNT CU_JIT_LTO CU_JIT_FTZ CU_JIT_PREC_DIV CU_JIT_PREC_SQRT CU_JIT_FMA CU_JIT_REFERENCED_KERNEL_NAMES CU_JIT_REFERENCED_KERNEL_COUNT CU_JIT_REFERENCED_VARIABLE_NAMES CU_JIT_REFERENCED_VARIABLE_COUNT CU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES CU_JIT_POSITION_INDEPENDENT_CODE CU_JIT_MIN_CTA_PER_SM CU_JIT_MAX_THREADS_PER_BLOCK CU_JIT_OVERRIDE_DIRECTIVE_VALUES CU_JIT_SPLIT_COMPILE CU_JIT_BINARY_LOADER_THREAD_COUNT CU_JIT_NUM_OPTIONS }
    CUjit_target_enum { CU_TARGET_COMPUTE_30 CU_TARGET_COMPUTE_32 CU_TARGET_COMPUTE_35 CU_TARGET_COMPUTE_37 CU_TARGET_COMPUTE_50 CU_TARGET_COMPUTE_52 CU_TARGET_COMPUTE_53 CU_TARGET_COMPUTE_60 CU_TARGET_COMPUTE_61 CU_TARGET_COMPUTE_62 CU_TARGET_COMPUTE_70 CU_TARGET_COMPUTE_72 CU_TARGET_COMPUTE_75 CU_TARGET_COMPUTE_80 CU_TARGET_COMPUTE_86 CU_TARGET_COMPUTE_87 CU_TARGET_COMPUTE_89 CU_TARGET_COMPUTE_90 CU_TARGET_COMPUTE_100 CU_TARGET_COMPUTE_110 CU_TARGET_COMPUTE_103 CU_TARGET_COMPUTE_107 CU_TARGET_COMPUTE_120 CU_TARGET_COMPUTE_121 CU_TARGET_COMPUTE_90A CU_TARGET_COMPUTE_100A CU_TARGET_COMPUTE_110A CU_TARGET_COMPUTE_103A CU_TARGET_COMPUTE_107A CU_TARGET_COMPUTE_120A CU_TARGET_COMPUTE_121A CU_TARGET_COMPUTE_100F CU_TARGET_COMPUTE_110F CU_TARGET_COMPUTE_103F CU_TARGET_COMPUTE_107F CU_TARGET_COMPUTE_120F CU_TARGET_COMPUTE_121F }
    CUjit_fallback_enum { CU_PREFER_PTX CU_PREFER_BINARY }
    CUjit_cacheMode_enum { CU_JIT_CACHE_OPTION_NONE CU_JIT_CACHE_OPTION_CG CU_JIT_CACHE_OPTION_CA }
    CUjitInputType_enum { CU_JIT_INPUT_CUBIN CU_JIT_INPUT_PTX CU_JIT_INPUT_FATBINARY CU_JIT_INPUT_OBJECT CU_JIT_INPUT_LIBRARY CU_JIT_INPUT_NVVM CU_JIT_NUM_INPUT_TYPES }
    CUgraphicsRegisterFlags_enum { CU_GRAPHICS_REGISTER_FLAGS_NONE CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER }
    CUgraphicsMapResourceFlags_enum { CU_GRAPHICS_MAP_RESOURCE_FLAGS_NONE CU_GRAPHICS_MAP_RESOURCE_FLAGS_READ_ONLY CU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD }
    CUarray_cubemap_face_enum { CU_CUBEMAP_FACE_POSITIVE_X CU_CUBEMAP_FACE_NEGATIVE_X CU_CUBEMAP_FACE_POSITIVE_Y CU_CUBEMAP_FACE_NEGATIVE_Y CU_CUBEMAP_FACE_POSITIVE_Z CU_CUBEMAP_FACE_NEGATIVE_Z }
    CUlimit_enum { CU_LIMIT_STACK_SIZE CU_LIMIT_PRINTF_FIFO_SIZE CU_LIMIT_MALLOC_HEAP_SIZE CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT CU_LIMIT_MAX_L2_FETCH_GRANULARITY CU_LIMIT_PERSISTING_L2_CACHE_SIZE CU_LIMIT_SHMEM_SIZE CU_LIMIT_CIG_ENABLED CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED CU_LIMIT_PER_BLOCK_MEMORY_SIZE CU_LIMIT_MAX }
    CUresourcetype_enum { CU_RESOURCE_TYPE_ARRAY CU_RESOURCE_TYPE_MIPMAPPED_ARRAY CU_RESOURCE_TYPE_LINEAR CU_RESOURCE_TYPE_PITCH2D }
    CUaccessProperty_enum { CU_ACCESS_PROPERTY_NORMAL CU_ACCESS_PROPERTY_STREAMING CU_ACCESS_PROPERTY_PERSISTING }
    CUgraphConditionalNodeType_enum { CU_GRAPH_COND_TYPE_IF CU_GRAPH_COND_TYPE_WHILE CU_GRAPH_COND_TYPE_SWITCH }
    CUgraphNodeType_enum { CU_GRAPH_NODE_TYPE_KERNEL CU_GRAPH_NODE_TYPE_MEMCPY CU_GRAPH_NODE_TYPE_MEMSET CU_GRAPH_NODE_TYPE_HOST CU_GRAPH_NODE_TYPE_GRAPH CU_GRAPH_NODE_TYPE_EMPTY CU_GRAPH_NODE_TYPE_WAIT_EVENT CU_GRAPH_NODE_TYPE_EVENT_RECORD CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT CU_GRAPH_NODE_TYPE_MEM_ALLOC CU_GRAPH_NODE_TYPE_MEM_FREE CU_GRAPH_NODE_TYPE_BATCH_MEM_OP CU_GRAPH_NODE_TYPE_CONDITIONAL CU_GRAPH_NODE_TYPE_MEMCPY_BATCH CU_GRAPH_NODE_TYPE_RESERVED_16 CU_GRAPH_NODE_TYPE_EXTERNAL_ENGINE CU_GRAPH_NODE_TYPE_FABRIC_CPY_BATCH }
    CUgraphDependencyType_enum { CU_GRAPH_DEPENDENCY_TYPE_DEFAULT CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC }
    CUgraphInstantiateResult_enum { CUDA_GRAPH_INSTANTIATE_SUCCESS CUDA_GRAPH_INSTANTIATE_ERROR CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED }
    CUsynchronizationPolicy_enum { CU_SYNC_POLICY_AUTO CU_SYNC_POLICY_SPIN CU_SYNC_POLICY_YIELD CU_SYNC_POLICY_BLOCKING_SYNC }
    CUclusterSchedulingPolicy_enum { CU_CLUSTER_SCHEDULING_POLICY_DEFAULT CU_CLUSTER_SCHEDULING_POLICY_SPREAD CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING CU_CLUSTER_SCHEDULING_POLICY_RUBIN_DSMEM_LOCALITY }
    CUlaunchMemSyncDomain_enum { CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE }
    CUlaunchAttributePortableClusterMode_enum { CU_LAUNCH_PORTABLE_CLUSTER_MODE_DEFAULT CU_LAUNCH_PORTABLE_CLUSTER_MODE_REQUIRE_PORTABLE CU_LAUNCH_PORTABLE_CLUSTER_MODE_ALLOW_NON_PORTABLE }
    CUsharedMemoryMode_enum { CU_SHARED_MEMORY_MODE_DEFAULT CU_SHARED_MEMORY_MODE_REQUIRE_PORTABLE CU_SHARED_MEMORY_MODE_ALLOW_NON_PORTABLE CU_SHARED_MEMORY_MODE_ALLOW_OVERSIZED_SHARED_MEMORY CU_SHARED_MEMORY_MODE_PREFER_OVERSIZED_SHARED_MEMORY }
    CUlaunchAttributeID_enum { CU_LAUNCH_ATTRIBUTE_IGNORE CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW CU_LAUNCH_ATTRIBUTE_COOPERATIVE CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT CU_LAUNCH_ATTRIBUTE_PRIORITY CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE }
    CUstreamCaptureStatus_enum { CU_STREAM_CAPTURE_STATUS_NONE CU_STREAM_CAPTURE_STATUS_ACTIVE CU_STREAM_CAPTURE_STATUS_INVALIDATED }
    CUstreamCaptureMode_enum { CU_STREAM_CAPTURE_MODE_GLOBAL CU_STREAM_CAPTURE_MODE_THREAD_LOCAL CU_STREAM_CAPTURE_MODE_RELAXED }
    CUdriverProcAddress_flags_enum { CU_GET_PROC_ADDRESS_DEFAULT CU_GET_PROC_ADDRESS_LEGACY_STREAM CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM }
    CUdriverProcAddressQueryResult_enum { CU_GET_PROC_ADDRESS_SUCCESS CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT }
    CUexecAffinityType_enum { CU_EXEC_AFFINITY_TYPE_SM_COUNT CU_EXEC_AFFINITY_TYPE_MAX }
    CUcigDataType_enum { CIG_DATA_TYPE_D3D12_COMMAND_QUEUE CIG_DATA_TYPE_NV_BLOB }
    CUstreamCigDataType_enum { STREAM_CIG_DATA_TYPE_D3D12_COMMAND_LIST STREAM_CIG_DATA_TYPE_VULKAN_COMMAND_BUFFER_HANDLE_NV }
    CUlibraryOption_enum { CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE CU_LIBRARY_BINARY_IS_PRESERVED CU_LIBRARY_NUM_OPTIONS }
    cudaError_enum { CUDA_SUCCESS CUDA_ERROR_INVALID_VALUE CUDA_ERROR_OUT_OF_MEMORY CUDA_ERROR_NOT_INITIALIZED CUDA_ERROR_DEINITIALIZED CUDA_ERROR_PROFILER_DISABLED CUDA_ERROR_PROFILER_NOT_INITIALIZED CUDA_ERROR_PROFILER_ALREADY_STARTED CUDA_ERROR_PROFILER_ALREADY_STOPPED CUDA_ERROR_STUB_LIBRARY CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER CUDA_ERROR_DEVICE_UNAVAILABLE CUDA_ERROR_MULTICAST_RESOURCE_FULL CUDA_ERROR_NO_DEVICE CUDA_ERROR_INVALID_DEVICE CUDA_ERROR_DEVICE_NOT_LICENSED CUDA_ERROR_INVALID_IMAGE CUDA_ERROR_INVALID_CONTEXT CUDA_ERROR_CONTEXT_ALREADY_CURRENT CUDA_ERROR_MAP_FAILED CUDA_ERROR_UNMAP_FAILED CUDA_ERROR_ARRAY_IS_MAPPED CUDA_ERROR_ALREADY_MAPPED CUDA_ERROR_NO_BINARY_FOR_GPU CUDA_ERROR_ALREADY_ACQUIRED CUDA_ERROR_NOT_MAPPED CUDA_ERROR_NOT_MAPPED_AS_ARRAY CUDA_ERROR_NOT_MAPPED_AS_POINTER CUDA_ERROR_ECC_UNCORRECTABLE CUDA_ERROR_UNSUPPORTED_LIMIT CUDA_ERROR_CONTEXT_ALREADY_IN_USE CUDA_ERROR_PEER_ACCESS_UNSUPPORTED CUDA_ERROR_INVALID_PTX CUDA_ERROR_INVALID_GRAPHICS_CONTEXT CUDA_ERROR_NVLINK_UNCORRECTABLE CUDA_ERROR_JIT_COMPILER_NOT_FOUND CUDA_ERROR_UNSUPPORTED_PTX_VERSION CUDA_ERROR_JIT_COMPILATION_DISABLED CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC CUDA_ERROR_CONTAINED CUDA_ERROR_INSUFFICIENT_LOADER_VERSION CUDA_ERROR_INVALID_SOURCE CUDA_ERROR_FILE_NOT_FOUND CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND CUDA_ERROR_SHARED_OBJECT_INIT_FAILED CUDA_ERROR_OPERATING_SYSTEM CUDA_ERROR_INVALID_HANDLE CUDA_ERROR_ILLEGAL_STATE CUDA_ERROR_LOSSY_QUERY CUDA_ERROR_NOT_FOUND CUDA_ERROR_NOT_READY CUDA_ERROR_ILLEGAL_ADDRESS CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES CUDA_ERROR_LAUNCH_TIMEOUT CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED CUDA_ERROR_PEER_ACCESS_NOT_ENABLED CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE CUDA_ERROR_CONTEXT_IS_DESTROYED CUDA_ERROR_ASSERT CUDA_ERROR_TOO_MANY_PEERS CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED CUDA_ERROR_HARDWARE_STACK_ERROR CUDA_ERROR_ILLEGAL_INSTRUCTION CUDA_ERROR_MISALIGNED_ADDRESS CUDA_ERROR_INVALID_ADDRESS_SPACE CUDA_ERROR_INVALID_PC CUDA_ERROR_LAUNCH_FAILED CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE CUDA_ERROR_TENSOR_MEMORY_LEAK CUDA_ERROR_NOT_PERMITTED CUDA_ERROR_NOT_SUPPORTED CUDA_ERROR_SYSTEM_NOT_READY CUDA_ERROR_SYSTEM_DRIVER_MISMATCH CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE CUDA_ERROR_MPS_CONNECTION_FAILED CUDA_ERROR_MPS_RPC_FAILURE CUDA_ERROR_MPS_SERVER_NOT_READY CUDA_ERROR_MPS_MAX_CLIENTS_REACHED CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED CUDA_ERROR_MPS_CLIENT_TERMINATED CUDA_ERROR_CDP_NOT_SUPPORTED CUDA_ERROR_CDP_VERSION_MISMATCH CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED CUDA_ERROR_STREAM_CAPTURE_INVALIDATED CUDA_ERROR_STREAM_CAPTURE_MERGE CUDA_ERROR_STREAM_CAPTURE_UNMATCHED CUDA_ERROR_STREAM_CAPTURE_UNJOINED CUDA_ERROR_STREAM_CAPTURE_ISOLATION CUDA_ERROR_STREAM_CAPTURE_IMPLICIT CUDA_ERROR_CAPTURED_EVENT CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD CUDA_ERROR_TIMEOUT CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE CUDA_ERROR_EXTERNAL_DEVICE CUDA_ERROR_INVALID_CLUSTER_SIZE CUDA_ERROR_FUNCTION_NOT_LOADED CUDA_ERROR_INVALID_RESOURCE_TYPE CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION CUDA_ERROR_KEY_ROTATION CUDA_ERROR_STREAM_DETACHED CUDA_ERROR_GRAPH_RECAPTURE_FAILURE CUDA_ERROR_FABRIC_NOT_READY CUDA_ERROR_UNKNOWN }
    CUdevice_P2PAttribute_enum { CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED CU_DEVICE_P2P_ATTRIBUTE_ACCESS_ACCESS_SUPPORTED CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED }
    CUresourceViewFormat_enum { CU_RES_VIEW_FORMAT_NONE CU_RES_VIEW_FORMAT_UINT_1X8 CU_RES_VIEW_FORMAT_UINT_2X8 CU_RES_VIEW_FORMAT_UINT_4X8 CU_RES_VIEW_FORMAT_SINT_1X8 CU_RES_VIEW_FORMAT_SINT_2X8 CU_RES_VIEW_FORMAT_SINT_4X8 CU_RES_VIEW_FORMAT_UINT_1X16 CU_RES_VIEW_FORMAT_UINT_2X16 CU_RES_VIEW_FORMAT_UINT_4X16 CU_RES_VIEW_FORMAT_SINT_1X16 CU_RES_VIEW_FORMAT_SINT_2X16 CU_RES_VIEW_FORMAT_SINT_4X16 CU_RES_VIEW_FORMAT_UINT_1X32 CU_RES_VIEW_FORMAT_UINT_2X32 CU_RES_VIEW_FORMAT_UINT_4X32 CU_RES_VIEW_FORMAT_SINT_1X32 CU_RES_VIEW_FORMAT_SINT_2X32 CU_RES_VIEW_FORMAT_SINT_4X32 CU_RES_VIEW_FORMAT_FLOAT_1X16 CU_RES_VIEW_FORMAT_FLOAT_2X16 CU_RES_VIEW_FORMAT_FLOAT_4X16 CU_RES_VIEW_FORMAT_FLOAT_1X32 CU_RES_VIEW_FORMAT_FLOAT_2X32 CU_RES_VIEW_FORMAT_FLOAT_4X32 CU_RES_VIEW_FORMAT_UNSIGNED_BC1 CU_RES_VIEW_FORMAT_UNSIGNED_BC2 CU_RES_VIEW_FORMAT_UNSIGNED_BC3 CU_RES_VIEW_FORMAT_UNSIGNED_BC4 CU_RES_VIEW_FORMAT_SIGNED_BC4 CU_RES_VIEW_FORMAT_UNSIGNED_BC5 CU_RES_VIEW_FORMAT_SIGNED_BC5 CU_RES_VIEW_FORMAT_UNSIGNED_BC6H CU_RES_VIEW_FORMAT_SIGNED_BC6H CU_RES_VIEW_FORMAT_UNSIGNED_BC7 }
    CUtensorMapDataType_enum { CU_TENSOR_MAP_DATA_TYPE_UINT8 CU_TENSOR_MAP_DATA_TYPE_UINT16 CU_TENSOR_MAP_DATA_TYPE_UINT32 CU_TENSOR_MAP_DATA_TYPE_INT32 CU_TENSOR_MAP_DATA_TYPE_UINT64 CU_TENSOR_MAP_DATA_TYPE_INT64 CU_TENSOR_MAP_DATA_TYPE_FLOAT16 CU_TENSOR_MAP_DATA_TYPE_FLOAT32 CU_TENSOR_MAP_DATA_TYPE_FLOAT64 CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B }
    CUtensorMapInterleave_enum { CU_TENSOR_MAP_INTERLEAVE_NONE CU_TENSOR_MAP_INTERLEAVE_16B CU_TENSOR_MAP_INTERLEAVE_32B }
    CUtensorMapSwizzle_enum { CU_TENSOR_MAP_SWIZZLE_NONE CU_TENSOR_MAP_SWIZZLE_32B CU_TENSOR_MAP_SWIZZLE_64B CU_TENSOR_MAP_SWIZZLE_128B CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B }
    CUtensorMapL2promotion_enum { CU_TENSOR_MAP_L2_PROMOTION_NONE CU_TENSOR_MAP_L2_PROMOTION_L2_64B CU_TENSOR_MAP_L2_PROMOTION_L2_128B CU_TENSOR_MAP_L2_PROMOTION_L2_256B }
    CUtensorMapFloatOOBfill_enum { CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA }
    CUtensorMapIm2ColWideMode_enum { CU_TENSOR_MAP_IM2COL_WIDE_MODE_W CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128 }
    CUtensorMapAllocClass_enum { CU_TENSOR_MAP_ALLOC_CLASS_AUTO CU_TENSOR_MAP_ALLOC_CLASS_SMALL CU_TENSOR_MAP_ALLOC_CLASS_LARGE }
    CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS_enum { CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE }
    CUexternalMemoryHandleType_enum { CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32 CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD }
    CUexternalSemaphoreHandleType_enum { CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32 CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_KMT CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_FENCE CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX_KMT CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32 }
    CUmemAllocationHandleType_enum { CU_MEM_HANDLE_TYPE_NONE CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR CU_MEM_HANDLE_TYPE_WIN32 CU_MEM_HANDLE_TYPE_WIN32_KMT CU_MEM_HANDLE_TYPE_FABRIC CU_MEM_HANDLE_TYPE_MAX }
    CUmemAccess_flags_enum { CU_MEM_ACCESS_FLAGS_PROT_NONE CU_MEM_ACCESS_FLAGS_PROT_READ CU_MEM_ACCESS_FLAGS_PROT_READWRITE CU_MEM_ACCESS_FLAGS_PROT_MAX }
    CUmemLocationType_enum { CU_MEM_LOCATION_TYPE_INVALID CU_MEM_LOCATION_TYPE_NONE CU_MEM_LOCATION_TYPE_DEVICE CU_MEM_LOCATION_TYPE_HOST CU_MEM_LOCATION_TYPE_HOST_NUMA CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT CU_MEM_LOCATION_TYPE_INVISIBLE CU_MEM_LOCATION_TYPE_DEVICE_LOCALITY_DOMAIN CU_MEM_LOCATION_TYPE_MAX }
    CUmemAllocationType_enum { CU_MEM_ALLOCATION_TYPE_INVALID CU_MEM_ALLOCATION_TYPE_PINNED CU_MEM_ALLOCATION_TYPE_MANAGED CU_MEM_ALLOCATION_TYPE_MAX }
    CUmemAllocationGranularity_flags_enum { CU_MEM_ALLOC_GRANULARITY_MINIMUM CU_MEM_ALLOC_GRANULARITY_RECOMMENDED }
    CUmemRangeHandleType_enum { CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD CU_MEM_RANGE_HANDLE_TYPE_MAX }
    CUmemRangeFlags_enum { CU_MEM_RANGE_FLAG_DMA_BUF_MAPPING_TYPE_PCIE }
    CUarraySparseSubresourceType_enum { CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL }
    CUmemOperationType_enum { CU_MEM_OPERATION_TYPE_MAP CU_MEM_OPERATION_TYPE_UNMAP }
    CUmemHandleType_enum { CU_MEM_HANDLE_TYPE_GENERIC }
    CUmemAllocationCompType_enum { CU_MEM_ALLOCATION_COMP_NONE CU_MEM_ALLOCATION_COMP_GENERIC }
    CUmulticastGranularity_flags_enum { CU_MULTICAST_GRANULARITY_MINIMUM CU_MULTICAST_GRANULARITY_RECOMMENDED }
    CUgraphExecUpdateResult_enum { CU_GRAPH_EXEC_UPDATE_SUCCESS CU_GRAPH_EXEC_UPDATE_ERROR CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED }
    CUmemPool_attribute_enum { CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES CU_MEMPOOL_ATTR_RELEASE_THRESHOLD CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH CU_MEMPOOL_ATTR_USED_MEM_CURRENT CU_MEMPOOL_ATTR_USED_MEM_HIGH CU_MEMPOOL_ATTR_ALLOCATION_TYPE CU_MEMPOOL_ATTR_EXPORT_HANDLE_TYPES CU_MEMPOOL_ATTR_LOCATION_ID CU_MEMPOOL_ATTR_LOCATION_TYPE CU_MEMPOOL_ATTR_MAX_POOL_SIZE CU_MEMPOOL_ATTR_HW_DECOMPRESS_ENABLED CU_MEMPOOL_ATTR_LOCALITY_DOMAIN_ID }
    CUmemcpyFlags_enum { CU_MEMCPY_FLAG_DEFAULT CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE }
    CUmemcpySrcAccessOrder_enum { CU_MEMCPY_SRC_ACCESS_ORDER_INVALID CU_MEMCPY_SRC_ACCESS_ORDER_STREAM CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL CU_MEMCPY_SRC_ACCESS_ORDER_ANY CU_MEMCPY_SRC_ACCESS_ORDER_MAX }
    CUmemcpy3DOperandType_enum { CU_MEMCPY_OPERAND_TYPE_POINTER CU_MEMCPY_OPERAND_TYPE_ARRAY CU_MEMCPY_OPERAND_TYPE_MAX }
    CUgraphMem_attribute_enum { CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT CU_GRAPH_MEM_ATTR_USED_MEM_HIGH CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH }
    CUgraphChildGraphNodeOwnership_enum { CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE CU_GRAPH_CHILD_GRAPH_OWNERSHIP_INVALID }
    CUflushGPUDirectRDMAWritesOptions_enum { CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_HOST CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_MEMOPS }
    CUGPUDirectRDMAWritesOrdering_enum { CU_GPU_DIRECT_RDMA_WRITES_ORDERING_NONE CU_GPU_DIRECT_RDMA_WRITES_ORDERING_OWNER CU_GPU_DIRECT_RDMA_WRITES_ORDERING_ALL_DEVICES }
    CUflushGPUDirectRDMAWritesScope_enum { CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES }
    CUflushGPUDirectRDMAWritesTarget_enum { CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX }
    CUgraphDebugDot_flags_enum { CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_SIGNAL_NODE_PARAMS CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_WAIT_NODE_PARAMS CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS CU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS CU_GRAPH_DEBUG_DOT_FLAGS_EXTRA_TOPO_INFO CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_BATCH_NODE_PARAMS CU_GRAPH_DEBUG_DOT_FLAGS_FABRIC_CPY_BATCH_NODE_PARAMS }
    CUuserObject_flags_enum { CU_USER_OBJECT_NO_DESTRUCTOR_SYNC }
    CUuserObjectRetain_flags_enum { CU_GRAPH_USER_OBJECT_MOVE }
    CUgraphInstantiate_flags_enum { CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY }
    CUdeviceNumaConfig_enum { CU_DEVICE_NUMA_CONFIG_NONE CU_DEVICE_NUMA_CONFIG_NUMA_NODE }
    CUprocessState_enum { CU_PROCESS_STATE_RUNNING CU_PROCESS_STATE_LOCKED CU_PROCESS_STATE_CHECKPOINTED CU_PROCESS_STATE_FAILED CU_PROCESS_STATE_CHECKPOINTING CU_PROCESS_STATE_RESTORING }
    CUmoduleLoadingMode_enum { CU_MODULE_EAGER_LOADING CU_MODULE_LAZY_LOADING }
    CUmemDecompressAlgorithm_enum { CU_MEM_DECOMPRESS_UNSUPPORTED CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY CU_MEM_DECOMPRESS_ALGORITHM_LZ4 }
    CUcliqueType_enum { CU_CLIQUE_TYPE_UNICAST_POINTER CU_CLIQUE_TYPE_MULTICAST_POINTER CU_CLIQUE_TYPE_UNICAST_LOGICAL_ENDPOINT CU_CLIQUE_TYPE_MULTICAST_LOGICAL_ENDPOINT }
    CUlogicalEndpointIpcHandleType_enum { CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_NONE CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_FABRIC }
    CUlogicalEndpointType_enum { CU_LOGICAL_ENDPOINT_TYPE_INVALID CU_LOGICAL_ENDPOINT_TYPE_UNICAST CU_LOGICAL_ENDPOINT_TYPE_MULTICAST }
    CUlogicalEndpointFlag_enum { CU_LOGICAL_ENDPOINT_FLAG_NONE CU_LOGICAL_ENDPOINT_FLAG_COUNTED_OPS }
    CUfabricCpyOperandType_enum { CU_FABRIC_COPY_OPERAND_TYPE_POINTER CU_FABRIC_COPY_OPERAND_TYPE_LOGICAL_ENDPOINT CU_FABRIC_COPY_OPERAND_TYPE_MAX }
    CUgraphRecaptureStatus_enum { CU_GRAPH_RECAPTURE_ELIGIBLE_FOR_UPDATE CU_GRAPH_RECAPTURE_INELIGIBLE_FOR_UPDATE CU_GRAPH_RECAPTURE_ERROR }
    CUfunctionLoadingState_enum { CU_FUNCTION_LOADING_STATE_UNLOADED CU_FUNCTION_LOADING_STATE_LOADED CU_FUNCTION_LOADING_STATE_MAX }
    CUcoredumpSettings_enum { CU_COREDUMP_ENABLE_ON_EXCEPTION CU_COREDUMP_TRIGGER_HOST CU_COREDUMP_LIGHTWEIGHT CU_COREDUMP_ENABLE_USER_TRIGGER CU_COREDUMP_FILE CU_COREDUMP_PIPE CU_COREDUMP_GENERATION_FLAGS CU_COREDUMP_MAX }
    CUCoredumpGenerationFlags { CU_COREDUMP_DEFAULT_FLAGS CU_COREDUMP_SKIP_NONRELOCATED_ELF_IMAGES CU_COREDUMP_SKIP_GLOBAL_MEMORY CU_COREDUMP_SKIP_SHARED_MEMORY CU_COREDUMP_SKIP_LOCAL_MEMORY CU_COREDUMP_SKIP_ABORT CU_COREDUMP_SKIP_CONSTBANK_MEMORY CU_COREDUMP_GZIP_COMPRESS CU_COREDUMP_FAULTED_CONTEXTS_ONLY CU_COREDUMP_SKIP_TENSOR_MEMORY CU_COREDUMP_NO_ERRBAR_AT_EXIT CU_COREDUMP_LOG_ONLY CU_COREDUMP_LIGHTWEIGHT_FLAGS }
    CUgreenCtxCreate_flags { CU_GREEN_CTX_NONE CU_GREEN_CTX_DEFAULT_STREAM }
    CUdevSmResourceGroup_flags { CU_DEV_SM_RESOURCE_GROUP_DEFAULT CU_DEV_SM_RESOURCE_GROUP_BACKFILL CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_ID CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_SUPPLEMENTAL_SMS }
    CUdevSmResourceSplitByCount_flags { CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE }
    CUdevResourceType { CU_DEV_RESOURCE_TYPE_INVALID CU_DEV_RESOURCE_TYPE_SM CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG CU_DEV_RESOURCE_TYPE_WORKQUEUE }
    CUdevWorkqueueConfigScope { CU_WORKQUEUE_SCOPE_DEVICE_CTX CU_WORKQUEUE_SCOPE_GREEN_CTX_BALANCED }
    CUlogLevel_enum { CU_LOG_LEVEL_ERROR CU_LOG_LEVEL_WARNING }
    CUGLDeviceList_enum { CU_GL_DEVICE_LIST_ALL CU_GL_DEVICE_LIST_CURRENT_FRAME CU_GL_DEVICE_LIST_NEXT_FRAME }
    CUGLmap_flags_enum { CU_GL_MAP_RESOURCE_FLAGS_NONE CU_GL_MAP_RESOURCE_FLAGS_READ_ONLY CU_GL_MAP_RESOURCE_FLAGS_WRITE_DISCARD }
    CUeglFrameType_enum { CU_EGL_FRAME_TYPE_ARRAY CU_EGL_FRAME_TYPE_PITCH }
    CUeglResourceLocationFlags_enum { CU_EGL_RESOURCE_LOCATION_SYSMEM CU_EGL_RESOURCE_LOCATION_VIDMEM }
    CUeglColorFormat_enum { CU_EGL_COLOR_FORMAT_YUV420_PLANAR CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR CU_EGL_COLOR_FORMAT_YUV422_PLANAR CU_EGL_COLOR_FORMAT_YUV422_SEMIPLANAR CU_EGL_COLOR_FORMAT_RGB CU_EGL_COLOR_FORMAT_BGR CU_EGL_COLOR_FORMAT_ARGB CU_EGL_COLOR_FORMAT_RGBA CU_EGL_COLOR_FORMAT_L CU_EGL_COLOR_FORMAT_R CU_EGL_COLOR_FORMAT_YUV444_PLANAR CU_EGL_COLOR_FORMAT_YUV444_SEMIPLANAR CU_EGL_COLOR_FORMAT_YUYV_422 CU_EGL_COLOR_FORMAT_UYVY_422 CU_EGL_COLOR_FORMAT_ABGR CU_EGL_COLOR_FORMAT_BGRA CU_EGL_COLOR_FORMAT_A CU_EGL_COLOR_FORMAT_RG CU_EGL_COLOR_FORMAT_AYUV CU_EGL_COLOR_FORMAT_YVU444_SEMIPLANAR CU_EGL_COLOR_FORMAT_YVU422_SEMIPLANAR CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR CU_EGL_COLOR_FORMAT_Y10V10U10_444_SEMIPLANAR CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR CU_EGL_COLOR_FORMAT_Y12V12U12_444_SEMIPLANAR CU_EGL_COLOR_FORMAT_Y12V12U12_420_SEMIPLANAR CU_EGL_COLOR_FORMAT_VYUY_ER CU_EGL_COLOR_FORMAT_UYVY_ER CU_EGL_COLOR_FORMAT_YUYV_ER CU_EGL_COLOR_FORMAT_YVYU_ER CU_EGL_COLOR_FORMAT_YUV_ER CU_EGL_COLOR_FORMAT_YUVA_ER CU_EGL_COLOR_FORMAT_AYUV_ER CU_EGL_COLOR_FORMAT_YUV444_PLANAR_ER CU_EGL_COLOR_FORMAT_YUV422_PLANAR_ER CU_EGL_COLOR_FORMAT_YUV420_PLANAR_ER CU_EGL_COLOR_FORMAT_YUV444_SEMIPLANAR_ER CU_EGL_COLOR_FORMAT_YUV422_SEMIPLANAR_ER CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR_ER CU_EGL_COLOR_FORMAT_YVU444_PLANAR_ER CU_EGL_COLOR_FORMAT_YVU422_PLANAR_ER CU_EGL_COLOR_FORMAT_YVU420_PLANAR_ER CU_EGL_COLOR_FORMAT_YVU444_SEMIPLANAR_ER CU_EGL_COLOR_FORMAT_YVU422_SEMIPLANAR_ER CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR_ER CU_EGL_COLOR_FORMAT_BAYER_RGGB CU_EGL_COLOR_FORMAT_BAYER_BGGR CU_EGL_COLOR_FORMAT_BAYER_GRBG CU_EGL_COLOR_FORMAT_BAYER_GBRG CU_EGL_COLOR_FORMAT_BAYER10_RGGB CU_EGL_COLOR_FORMAT_BAYER10_BGGR CU_EGL_COLOR_FORMAT_BAYER10_GRBG CU_EGL_COLOR_FORMAT_BAYER10_GBRG CU_EGL_COLOR_FORMAT_BAYER12_RGGB CU_EGL_COLOR_FORMAT_BAYER12_BGGR CU_EGL_COLOR_FORMAT_BAYER12_GRBG CU_EGL_COLOR_FORMAT_BAYER12_GBRG CU_EGL_COLOR_FORMAT_BAYER14_RGGB CU_EGL_COLOR_FORMAT_BAYER14_BGGR CU_EGL_COLOR_FORMAT_BAYER14_GRBG CU_EGL_COLOR_FORMAT_BAYER14_GBRG CU_EGL_COLOR_FORMAT_BAYER20_RGGB CU_EGL_COLOR_FORMAT_BAYER20_BGGR CU_EGL_COLOR_FORMAT_BAYER20_GRBG CU_EGL_COLOR_FORMAT_BAYER20_GBRG CU_EGL_COLOR_FORMAT_YVU444_PLANAR CU_EGL_COLOR_FORMAT_YVU422_PLANAR CU_EGL_COLOR_FORMAT_YVU420_PLANAR CU_EGL_COLOR_FORMAT_BAYER_ISP_RGGB CU_EGL_COLOR_FORMAT_BAYER_ISP_BGGR CU_EGL_COLOR_FORMAT_BAYER_ISP_GRBG CU_EGL_COLOR_FORMAT_BAYER_ISP_GBRG CU_EGL_COLOR_FORMAT_BAYER_BCCR CU_EGL_COLOR_FORMAT_BAYER_RCCB CU_EGL_COLOR_FORMAT_BAYER_CRBC CU_EGL_COLOR_FORMAT_BAYER_CBRC CU_EGL_COLOR_FORMAT_BAYER10_CCCC CU_EGL_COLOR_FORMAT_BAYER12_BCCR CU_EGL_COLOR_FORMAT_BAYER12_RCCB CU_EGL_COLOR_FORMAT_BAYER12_CRBC CU_EGL_COLOR_FORMAT_BAYER12_CBRC CU_EGL_COLOR_FORMAT_BAYER12_CCCC CU_EGL_COLOR_FORMAT_Y CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR_2020 CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR_2020 CU_EGL_COLOR_FORMAT_YUV420_PLANAR_2020 CU_EGL_COLOR_FORMAT_YVU420_PLANAR_2020 CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR_709 CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR_709 CU_EGL_COLOR_FORMAT_YUV420_PLANAR_709 CU_EGL_COLOR_FORMAT_YVU420_PLANAR_709 CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_709 CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_2020 CU_EGL_COLOR_FORMAT_Y10V10U10_422_SEMIPLANAR_2020 CU_EGL_COLOR_FORMAT_Y10V10U10_422_SEMIPLANAR CU_EGL_COLOR_FORMAT_Y10V10U10_422_SEMIPLANAR_709 CU_EGL_COLOR_FORMAT_Y_ER CU_EGL_COLOR_FORMAT_Y_709_ER CU_EGL_COLOR_FORMAT_Y10_ER CU_EGL_COLOR_FORMAT_Y10_709_ER CU_EGL_COLOR_FORMAT_Y12_ER CU_EGL_COLOR_FORMAT_Y12_709_ER CU_EGL_COLOR_FORMAT_YUVA CU_EGL_COLOR_FORMAT_YUV CU_EGL_COLOR_FORMAT_YVYU CU_EGL_COLOR_FORMAT_VYUY CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_ER CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_709_ER CU_EGL_COLOR_FORMAT_Y10V10U10_444_SEMIPLANAR_ER CU_EGL_COLOR_FORMAT_Y10V10U10_444_SEMIPLANAR_709_ER CU_EGL_COLOR_FORMAT_Y12V12U12_420_SEMIPLANAR_ER CU_EGL_COLOR_FORMAT_Y12V12U12_420_SEMIPLANAR_709_ER CU_EGL_COLOR_FORMAT_Y12V12U12_444_SEMIPLANAR_ER CU_EGL_COLOR_FORMAT_Y12V12U12_444_SEMIPLANAR_709_ER CU_EGL_COLOR_FORMAT_UYVY_709 CU_EGL_COLOR_FORMAT_UYVY_709_ER CU_EGL_COLOR_FORMAT_UYVY_2020 CU_EGL_COLOR_FORMAT_MAX }
}

aliases! {
    cuuint32_t = u32;
    cuuint64_t = u64;
    CUdeviceptr_v2 = c_ulonglong;
    CUdeviceptr = CUdeviceptr_v2;
    CUdevice_v1 = c_int;
    CUdevice = CUdevice_v1;
    CUcontext = *mut CUctx_st;
    CUmodule = *mut CUmod_st;
    CUfunction = *mut CUfunc_st;
    CUlibrary = *mut CUlib_st;
    CUkernel = *mut CUkern_st;
    CUarray = *mut CUarray_st;
    CUmipmappedArray = *mut CUmipmappedArray_st;
    CUtexref = *mut CUtexref_st;
    CUsurfref = *mut CUsurfref_st;
    CUevent = *mut CUevent_st;
    CUstream = *mut CUstream_st;
    CUgraphicsResource = *mut CUgraphicsResource_st;
    CUtexObject_v1 = c_ulonglong;
    CUtexObject = CUtexObject_v1;
    CUsurfObject_v1 = c_ulonglong;
    CUsurfObject = CUsurfObject_v1;
    CUexternalMemory = *mut CUextMemory_st;
    CUexternalSemaphore = *mut CUextSemaphore_st;
    CUgraph = *mut CUgraph_st;
    CUgraphNode = *mut CUgraphNode_st;
    CUgraphExec = *mut CUgraphExec_st;
    CUmemoryPool = *mut CUmemPoolHandle_st;
    CUuserObject = *mut CUuserObject_st;
    CUgraphConditionalHandle = cuuint64_t;
    CUgraphDeviceNode = *mut CUgraphDeviceUpdatableNode_st;
    CUasyncCallbackHandle = *mut CUasyncCallbackEntry_st;
    CUgreenCtx = *mut CUgreenCtx_st;
    CUuuid = CUuuid_st;
    CUmemFabricHandle_v1 = CUmemFabricHandle_st;
    CUmemFabricHandle = CUmemFabricHandle_v1;
    CUipcEventHandle_v1 = CUipcEventHandle_st;
    CUipcEventHandle = CUipcEventHandle_v1;
    CUipcMemHandle_v1 = CUipcMemHandle_st;
    CUipcMemHandle = CUipcMemHandle_v1;
    CUipcMem_flags = CUipcMem_flags_enum;
    CUmemAttach_flags = CUmemAttach_flags_enum;
    CUctx_flags = CUctx_flags_enum;
    CUevent_sched_flags = CUevent_sched_flags_enum;
    cl_event_flags = cl_event_flags_enum;
    cl_context_flags = cl_context_flags_enum;
    CUhostTaskSyncMode = CUhostTaskSyncMode_enum;
    CUstream_flags = CUstream_flags_enum;
    CUevent_flags = CUevent_flags_enum;
    CUevent_record_flags = CUevent_record_flags_enum;
    CUevent_wait_flags = CUevent_wait_flags_enum;
    CUatomicOperation = CUatomicOperation_enum;
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
    CUarray_format = CUarray_format_enum;
    CUaddress_mode = CUaddress_mode_enum;
    CUfilter_mode = CUfilter_mode_enum;
    CUdevice_attribute = CUdevice_attribute_enum;
    CUdevprop_v1 = CUdevprop_st;
    CUdevprop = CUdevprop_v1;
    CUpointer_attribute = CUpointer_attribute_enum;
    CUfunction_attribute = CUfunction_attribute_enum;
    CUfunc_cache = CUfunc_cache_enum;
    CUsharedconfig = CUsharedconfig_enum;
    CUshared_carveout = CUshared_carveout_enum;
    CUmemorytype = CUmemorytype_enum;
    CUcomputemode = CUcomputemode_enum;
    CUmem_advise = CUmem_advise_enum;
    CUmem_range_attribute = CUmem_range_attribute_enum;
    CUjit_option = CUjit_option_enum;
    CUjit_target = CUjit_target_enum;
    CUjit_fallback = CUjit_fallback_enum;
    CUjit_cacheMode = CUjit_cacheMode_enum;
    CUjitInputType = CUjitInputType_enum;
    CUlinkState = *mut CUlinkState_st;
    CUgraphicsRegisterFlags = CUgraphicsRegisterFlags_enum;
    CUgraphicsMapResourceFlags = CUgraphicsMapResourceFlags_enum;
    CUarray_cubemap_face = CUarray_cubemap_face_enum;
    CUlimit = CUlimit_enum;
    CUresourcetype = CUresourcetype_enum;
    CUhostFn = Option<unsafe extern "C" fn(*mut c_void)>;
    CUaccessProperty = CUaccessProperty_enum;
    CUaccessPolicyWindow_v1 = CUaccessPolicyWindow_st;
    CUaccessPolicyWindow = CUaccessPolicyWindow_v1;
    CUDA_KERNEL_NODE_PARAMS_v1 = CUDA_KERNEL_NODE_PARAMS_st;
    CUDA_KERNEL_NODE_PARAMS_v2 = CUDA_KERNEL_NODE_PARAMS_v2_st;
    CUDA_KERNEL_NODE_PARAMS = CUDA_KERNEL_NODE_PARAMS_v2;
    CUDA_KERNEL_NODE_PARAMS_v3 = CUDA_KERNEL_NODE_PARAMS_v3_st;
    CUDA_MEMSET_NODE_PARAMS_v1 = CUDA_MEMSET_NODE_PARAMS_st;
    CUDA_MEMSET_NODE_PARAMS = CUDA_MEMSET_NODE_PARAMS_v1;
    CUDA_MEMSET_NODE_PARAMS_v2 = CUDA_MEMSET_NODE_PARAMS_v2_st;
    CUDA_HOST_NODE_PARAMS_v1 = CUDA_HOST_NODE_PARAMS_st;
    CUDA_HOST_NODE_PARAMS = CUDA_HOST_NODE_PARAMS_v1;
    CUDA_HOST_NODE_PARAMS_v2 = CUDA_HOST_NODE_PARAMS_v2_st;
    CUgraphConditionalNodeType = CUgraphConditionalNodeType_enum;
    CUgraphNodeType = CUgraphNodeType_enum;
    CUgraphDependencyType = CUgraphDependencyType_enum;
    CUgraphEdgeData = CUgraphEdgeData_st;
    CUgraphInstantiateResult = CUgraphInstantiateResult_enum;
    CUDA_GRAPH_INSTANTIATE_PARAMS = CUDA_GRAPH_INSTANTIATE_PARAMS_st;
    CUsynchronizationPolicy = CUsynchronizationPolicy_enum;
    CUclusterSchedulingPolicy = CUclusterSchedulingPolicy_enum;
    CUlaunchMemSyncDomain = CUlaunchMemSyncDomain_enum;
    CUlaunchMemSyncDomainMap = CUlaunchMemSyncDomainMap_st;
    CUlaunchAttributePortableClusterMode = CUlaunchAttributePortableClusterMode_enum;
    CUsharedMemoryMode = CUsharedMemoryMode_enum;
    CUlaunchAttributeID = CUlaunchAttributeID_enum;
    CUlaunchAttributeValue = CUlaunchAttributeValue_union;
    CUlaunchAttribute = CUlaunchAttribute_st;
    CUlaunchConfig = CUlaunchConfig_st;
    CUkernelNodeAttrID = CUlaunchAttributeID;
    CUkernelNodeAttrValue_v1 = CUlaunchAttributeValue;
    CUkernelNodeAttrValue = CUkernelNodeAttrValue_v1;
    CUstreamCaptureStatus = CUstreamCaptureStatus_enum;
    CUstreamAttrID = CUlaunchAttributeID;
    CUstreamCaptureMode = CUstreamCaptureMode_enum;
    CUstreamAttrValue_v1 = CUlaunchAttributeValue;
    CUstreamAttrValue = CUstreamAttrValue_v1;
    CUdriverProcAddress_flags = CUdriverProcAddress_flags_enum;
    CUdriverProcAddressQueryResult = CUdriverProcAddressQueryResult_enum;
    CUexecAffinityType = CUexecAffinityType_enum;
    CUexecAffinitySmCount_v1 = CUexecAffinitySmCount_st;
    CUexecAffinitySmCount = CUexecAffinitySmCount_v1;
    CUexecAffinityParam_v1 = CUexecAffinityParam_st;
    CUexecAffinityParam = CUexecAffinityParam_v1;
    CUcigDataType = CUcigDataType_enum;
    CUctxCigParam = CUctxCigParam_st;
    CUctxCreateParams = CUctxCreateParams_st;
    CUstreamCigDataType = CUstreamCigDataType_enum;
    CUstreamCigParam = CUstreamCigParam_st;
    CUstreamCigCaptureParams = CUstreamCigCaptureParams_st;
    CUlibraryOption = CUlibraryOption_enum;
    CUlibraryHostUniversalFunctionAndDataTable = CUlibraryHostUniversalFunctionAndDataTable_st;
    CUresult = cudaError_enum;
    CUdevice_P2PAttribute = CUdevice_P2PAttribute_enum;
    CUstreamCallback = Option<unsafe extern "C" fn(CUstream, CUresult, *mut c_void)>;
    CUoccupancyB2DSize = Option<unsafe extern "C" fn(c_int) -> usize>;
    CUDA_MEMCPY2D_v2 = CUDA_MEMCPY2D_st;
    CUDA_MEMCPY2D = CUDA_MEMCPY2D_v2;
    CUDA_MEMCPY3D_v2 = CUDA_MEMCPY3D_st;
    CUDA_MEMCPY3D = CUDA_MEMCPY3D_v2;
    CUDA_MEMCPY3D_PEER_v1 = CUDA_MEMCPY3D_PEER_st;
    CUDA_MEMCPY3D_PEER = CUDA_MEMCPY3D_PEER_v1;
    CUDA_MEMCPY_NODE_PARAMS = CUDA_MEMCPY_NODE_PARAMS_st;
    CUDA_ARRAY_DESCRIPTOR_v2 = CUDA_ARRAY_DESCRIPTOR_st;
    CUDA_ARRAY_DESCRIPTOR = CUDA_ARRAY_DESCRIPTOR_v2;
    CUDA_ARRAY3D_DESCRIPTOR_v2 = CUDA_ARRAY3D_DESCRIPTOR_st;
    CUDA_ARRAY3D_DESCRIPTOR = CUDA_ARRAY3D_DESCRIPTOR_v2;
    CUDA_ARRAY_SPARSE_PROPERTIES_v1 = CUDA_ARRAY_SPARSE_PROPERTIES_st;
    CUDA_ARRAY_SPARSE_PROPERTIES = CUDA_ARRAY_SPARSE_PROPERTIES_v1;
    CUDA_ARRAY_MEMORY_REQUIREMENTS_v1 = CUDA_ARRAY_MEMORY_REQUIREMENTS_st;
    CUDA_ARRAY_MEMORY_REQUIREMENTS = CUDA_ARRAY_MEMORY_REQUIREMENTS_v1;
    CUDA_RESOURCE_DESC_v1 = CUDA_RESOURCE_DESC_st;
    CUDA_RESOURCE_DESC = CUDA_RESOURCE_DESC_v1;
    CUDA_TEXTURE_DESC_v1 = CUDA_TEXTURE_DESC_st;
    CUDA_TEXTURE_DESC = CUDA_TEXTURE_DESC_v1;
    CUresourceViewFormat = CUresourceViewFormat_enum;
    CUDA_RESOURCE_VIEW_DESC_v1 = CUDA_RESOURCE_VIEW_DESC_st;
    CUDA_RESOURCE_VIEW_DESC = CUDA_RESOURCE_VIEW_DESC_v1;
    CUtensorMap = CUtensorMap_st;
    CUtensorMapDataType = CUtensorMapDataType_enum;
    CUtensorMapInterleave = CUtensorMapInterleave_enum;
    CUtensorMapSwizzle = CUtensorMapSwizzle_enum;
    CUtensorMapL2promotion = CUtensorMapL2promotion_enum;
    CUtensorMapFloatOOBfill = CUtensorMapFloatOOBfill_enum;
    CUtensorMapIm2ColWideMode = CUtensorMapIm2ColWideMode_enum;
    CUtensorMapAllocClass = CUtensorMapAllocClass_enum;
    CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_v1 = CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_st;
    CUDA_POINTER_ATTRIBUTE_P2P_TOKENS = CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_v1;
    CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS = CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS_enum;
    CUDA_LAUNCH_PARAMS_v1 = CUDA_LAUNCH_PARAMS_st;
    CUDA_LAUNCH_PARAMS = CUDA_LAUNCH_PARAMS_v1;
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
    CUmemAllocationHandleType = CUmemAllocationHandleType_enum;
    CUmemAccess_flags = CUmemAccess_flags_enum;
    CUmemLocationType = CUmemLocationType_enum;
    CUmemAllocationType = CUmemAllocationType_enum;
    CUmemAllocationGranularity_flags = CUmemAllocationGranularity_flags_enum;
    CUmemRangeHandleType = CUmemRangeHandleType_enum;
    CUmemRangeFlags = CUmemRangeFlags_enum;
    CUarraySparseSubresourceType = CUarraySparseSubresourceType_enum;
    CUmemOperationType = CUmemOperationType_enum;
    CUmemHandleType = CUmemHandleType_enum;
    CUarrayMapInfo_v1 = CUarrayMapInfo_st;
    CUarrayMapInfo = CUarrayMapInfo_v1;
    CUmemLocation_v1 = CUmemLocation_st;
    CUmemLocation = CUmemLocation_v1;
    CUmemAllocationCompType = CUmemAllocationCompType_enum;
    CUmemAllocationProp_v1 = CUmemAllocationProp_st;
    CUmemAllocationProp = CUmemAllocationProp_v1;
    CUmulticastGranularity_flags = CUmulticastGranularity_flags_enum;
    CUmulticastObjectProp_v1 = CUmulticastObjectProp_st;
    CUmulticastObjectProp = CUmulticastObjectProp_v1;
    CUmemAccessDesc_v1 = CUmemAccessDesc_st;
    CUmemAccessDesc = CUmemAccessDesc_v1;
    CUgraphExecUpdateResult = CUgraphExecUpdateResult_enum;
    CUgraphExecUpdateResultInfo_v1 = CUgraphExecUpdateResultInfo_st;
    CUgraphExecUpdateResultInfo = CUgraphExecUpdateResultInfo_v1;
    CUmemPool_attribute = CUmemPool_attribute_enum;
    CUmemPoolProps_v1 = CUmemPoolProps_st;
    CUmemPoolProps = CUmemPoolProps_v1;
    CUmemPoolPtrExportData_v1 = CUmemPoolPtrExportData_st;
    CUmemPoolPtrExportData = CUmemPoolPtrExportData_v1;
    CUmemcpyFlags = CUmemcpyFlags_enum;
    CUmemcpySrcAccessOrder = CUmemcpySrcAccessOrder_enum;
    CUmemcpyAttributes_v1 = CUmemcpyAttributes_st;
    CUmemcpyAttributes = CUmemcpyAttributes_v1;
    CUmemcpy3DOperandType = CUmemcpy3DOperandType_enum;
    CUoffset3D_v1 = CUoffset3D_st;
    CUoffset3D = CUoffset3D_v1;
    CUextent3D_v1 = CUextent3D_st;
    CUextent3D = CUextent3D_v1;
    CUmemcpy3DOperand_v1 = CUmemcpy3DOperand_st;
    CUmemcpy3DOperand = CUmemcpy3DOperand_v1;
    CUDA_MEMCPY3D_BATCH_OP_v1 = CUDA_MEMCPY3D_BATCH_OP_st;
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
    CUgraphDebugDot_flags = CUgraphDebugDot_flags_enum;
    CUuserObject_flags = CUuserObject_flags_enum;
    CUuserObjectRetain_flags = CUuserObjectRetain_flags_enum;
    CUgraphInstantiate_flags = CUgraphInstantiate_flags_enum;
    CUdeviceNumaConfig = CUdeviceNumaConfig_enum;
    CUprocessState = CUprocessState_enum;
    CUcheckpointCustomStoragePerDeviceData = CUcheckpointCustomStoragePerDeviceData_st;
    CUcheckpointOperationHandle = *mut CUIcheckpointOperation_st;
    CUcheckpointCustomStorageInfo = CUcheckpointCustomStorageInfo_st;
    CUcheckpointLockArgs = CUcheckpointLockArgs_st;
    CUcheckpointCheckpointArgs = CUcheckpointCheckpointArgs_st;
    CUcheckpointGpuPair = CUcheckpointGpuPair_st;
    CUcheckpointRestoreArgs = CUcheckpointRestoreArgs_st;
    CUcheckpointUnlockArgs = CUcheckpointUnlockArgs_st;
    CUmoduleLoadingMode = CUmoduleLoadingMode_enum;
    CUmemDecompressAlgorithm = CUmemDecompressAlgorithm_enum;
    CUmemDecompressParams = CUmemDecompressParams_st;
    CUcliqueType = CUcliqueType_enum;
    CUcliqueInfo = CUcliqueInfo_st;
    CUlogicalEndpointId = cuuint32_t;
    CUlogicalEndpointIpcHandleType = CUlogicalEndpointIpcHandleType_enum;
    CUlogicalEndpointFabricHandle = CUlogicalEndpointFabricHandle_st;
    CUlogicalEndpointType = CUlogicalEndpointType_enum;
    CUlogicalEndpointFlag = CUlogicalEndpointFlag_enum;
    CUlogicalEndpointProp = CUlogicalEndpointProp_struct;
    CUfabricCpyOperandType = CUfabricCpyOperandType_enum;
    CUfabricCpyOperand = CUfabricCpyOperand_st;
    CUgraphRecaptureStatus = CUgraphRecaptureStatus_enum;
    CUgraphRecaptureCallback = Option<unsafe extern "C" fn(*mut c_void, CUgraphNode, *const CUgraphNodeParams, *const CUgraphNodeParams, CUgraphRecaptureStatus) -> CUresult>;
    CUfunctionLoadingState = CUfunctionLoadingState_enum;
    CUcoredumpSettings = CUcoredumpSettings_enum;
    CUcoredumpCallbackHandle = *mut CUcoredumpCallbackEntry_st;
    CUcoredumpStatusCallback = Option<unsafe extern "C" fn(*mut c_void, c_int, CUdevice)>;
    CUdevResourceDesc = *mut CUdevResourceDesc_st;
    CUdevSmResource = CUdevSmResource_st;
    CUdevWorkqueueConfigResource = CUdevWorkqueueConfigResource_st;
    CUdevWorkqueueResource = CUdevWorkqueueResource_st;
    CU_DEV_SM_RESOURCE_GROUP_PARAMS = CU_DEV_SM_RESOURCE_GROUP_PARAMS_st;
    CUdevResource_v1 = CUdevResource_st;
    CUdevResource = CUdevResource_v1;
    CUlogLevel = CUlogLevel_enum;
    CUlogsCallbackHandle = *mut CUlogsCallbackEntry_st;
    CUlogsCallback = Option<unsafe extern "C" fn(*mut c_void, CUlogLevel, *mut c_char, usize)>;
    CUlogIterator = c_uint;
    CUdeviceptr_v1 = c_uint;
    CUDA_MEMCPY2D_v1 = CUDA_MEMCPY2D_v1_st;
    CUDA_MEMCPY3D_v1 = CUDA_MEMCPY3D_v1_st;
    CUDA_ARRAY_DESCRIPTOR_v1 = CUDA_ARRAY_DESCRIPTOR_v1_st;
    CUDA_ARRAY3D_DESCRIPTOR_v1 = CUDA_ARRAY3D_DESCRIPTOR_v1_st;
    GLuint = c_uint;
    GLenum = c_uint;
    CUGLDeviceList = CUGLDeviceList_enum;
    CUGLmap_flags = CUGLmap_flags_enum;
    EGLint = c_int;
    EGLImageKHR = *mut c_void;
    EGLStreamKHR = *mut c_void;
    EGLSyncKHR = *mut c_void;
    CUeglFrameType = CUeglFrameType_enum;
    CUeglResourceLocationFlags = CUeglResourceLocationFlags_enum;
    CUeglColorFormat = CUeglColorFormat_enum;
    CUeglFrame_v1 = CUeglFrame_st;
    CUeglFrame = CUeglFrame_v1;
    CUeglStreamConnection = *mut CUeglStreamConnection_st;
    VdpDevice = c_uint;
    VdpVideoSurface = c_uint;
    VdpOutputSurface = c_uint;
    VdpFuncId = c_uint;
    VdpStatus = c_int;
    VdpGetProcAddress = Option<unsafe extern "C" fn(VdpDevice, VdpFuncId, *mut *mut c_void) -> VdpStatus>;
}

constants! {
    CUDA_VERSION;
    CU_IPC_HANDLE_SIZE;
    CU_COMPUTE_ACCELERATED_TARGET_BASE;
    CU_COMPUTE_FAMILY_TARGET_BASE;
    CU_GRAPH_COND_ASSIGN_DEFAULT;
    CU_GRAPH_KERNEL_NODE_PORT_DEFAULT;
    CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC;
    CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER;
    CU_MEMHOSTALLOC_PORTABLE;
    CU_MEMHOSTALLOC_DEVICEMAP;
    CU_MEMHOSTALLOC_WRITECOMBINED;
    CU_MEMHOSTREGISTER_PORTABLE;
    CU_MEMHOSTREGISTER_DEVICEMAP;
    CU_MEMHOSTREGISTER_IOMEMORY;
    CU_MEMHOSTREGISTER_READ_ONLY;
    CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL;
    CU_TENSOR_MAP_NUM_QWORDS;
    CUDA_EXTERNAL_MEMORY_DEDICATED;
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_SKIP_NVSCIBUF_MEMSYNC;
    CUDA_EXTERNAL_SEMAPHORE_WAIT_SKIP_NVSCIBUF_MEMSYNC;
    CUDA_NVSCISYNC_ATTR_SIGNAL;
    CUDA_NVSCISYNC_ATTR_WAIT;
    CU_MEM_CREATE_USAGE_TILE_POOL;
    CU_MEM_CREATE_USAGE_HW_DECOMPRESS;
    CU_MEM_CREATE_USAGE_GPU_DIRECT_RDMA_OVER_PCIE;
    CU_MEM_POOL_CREATE_USAGE_HW_DECOMPRESS;
    CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC;
    CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC;
    CUDA_ARRAY3D_LAYERED;
    CUDA_ARRAY3D_2DARRAY;
    CUDA_ARRAY3D_SURFACE_LDST;
    CUDA_ARRAY3D_CUBEMAP;
    CUDA_ARRAY3D_TEXTURE_GATHER;
    CUDA_ARRAY3D_DEPTH_TEXTURE;
    CUDA_ARRAY3D_COLOR_ATTACHMENT;
    CUDA_ARRAY3D_SPARSE;
    CUDA_ARRAY3D_DEFERRED_MAPPING;
    CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;
    CU_TRSA_OVERRIDE_FORMAT;
    CU_TRSF_READ_AS_INTEGER;
    CU_TRSF_NORMALIZED_COORDINATES;
    CU_TRSF_SRGB;
    CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
    CU_TRSF_SEAMLESS_CUBEMAP;
    CU_LAUNCH_KERNEL_REQUIRED_BLOCK_DIM;
    CU_LAUNCH_PARAM_END_AS_INT;
    CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT;
    CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT;
    CU_PARAM_TR_DEFAULT;
    CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_ID_ANY;
    MAX_PLANES;
    CUDA_EGL_INFINITE_TIMEOUT;
}
