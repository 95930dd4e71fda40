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
        waitValue: CUstreamBatchMemOpParams_union_CUstreamMemOpWaitValueParams_st;
        waitValue.operation: CUstreamBatchMemOpType;
        waitValue.address: CUdeviceptr;
        waitValue.__bindgen_anon_1: CUstreamBatchMemOpParams_union_CUstreamMemOpWaitValueParams_st__bindgen_ty_1;
        waitValue.__bindgen_anon_1.value: cuuint32_t;
        waitValue.__bindgen_anon_1.value64: cuuint64_t;
        waitValue.flags: c_uint;
        waitValue.alias: CUdeviceptr;
        writeValue: CUstreamBatchMemOpParams_union_CUstreamMemOpWriteValueParams_st;
        writeValue.operation: CUstreamBatchMemOpType;
        writeValue.address: CUdeviceptr;
        writeValue.__bindgen_anon_1: CUstreamBatchMemOpParams_union_CUstreamMemOpWriteValueParams_st__bindgen_ty_1;
        writeValue.__bindgen_anon_1.value: cuuint32_t;
        writeValue.__bindgen_anon_1.value64: cuuint64_t;
        writeValue.flags: c_uint;
        writeValue.alias: CUdeviceptr;
        flushRemoteWrites: CUstreamBatchMemOpParams_union_CUstreamMemOpFlushRemoteWritesParams_st;
        flushRemoteWrites.operation: CUstreamBatchMemOpType;
        flushRemoteWrites.flags: c_uint;
        memoryBarrier: CUstreamBatchMemOpParams_union_CUstreamMemOpMemoryBarrierParams_st;
        memoryBarrier.operation: CUstreamBatchMemOpType;
        memoryBarrier.flags: c_uint;
        atomicReduction: CUstreamBatchMemOpParams_union_CUstreamMemOpAtomicReductionParams_st;
        atomicReduction.operation: CUstreamBatchMemOpType;
        atomicReduction.flags: c_uint;
        atomicReduction.reductionOp: CUstreamAtomicReductionOpType;
        atomicReduction.dataType: CUstreamAtomicReductionDataType;
        atomicReduction.address: CUdeviceptr;
        atomicReduction.value: cuuint64_t;
        atomicReduction.alias: CUdeviceptr;
        pad: [cuuint64_t; 6];
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
    CUipcMem_flags_enum {  }
    CUmemAttach_flags_enum {  }
    CUctx_flags_enum {  }
    CUevent_sched_flags_enum {  }
    cl_event_flags_enum {  }
    cl_context_flags_enum {  }
    CUhostTaskSyncMode_enum {  }
    CUstream_flags_enum {  }
    CUevent_flags_enum {  }
    CUevent_record_flags_enum {  }
    CUevent_wait_flags_enum {  }
    CUatomicOperation_enum {  }
    CUatomicOperationCapability_enum {  }
    CUstreamWaitValue_flags_enum {  }
    CUstreamWriteValue_flags_enum {  }
    CUstreamBatchMemOpType_enum {  }
    CUstreamMemoryBarrier_flags_enum {  }
    CUstreamAtomicReductionOpType_enum {  }
    CUstreamAtomicReductionDataType_enum {  }
    CUoccupancy_flags_enum {  }
    CUstreamUpdateCaptureDependencies_flags_enum {  }
    CUasyncNotificationType_enum {  }
    CUarray_format_enum {  }
    CUaddress_mode_enum {  }
    CUfilter_mode_enum {  }
    CUdevice_attribute_enum {  }
    CUpointer_attribute_enum {  }
    CUfunction_attribute_enum {  }
    CUfunc_cache_enum {  }
    CUsharedconfig_enum {  }
    CUshared_carveout_enum {  }
    CUmemorytype_enum {  }
    CUcomputemode_enum {  }
    CUmem_advise_enum {  }
    CUmem_range_attribute_enum {  }
    CUjit_option_enum {  }
    CUjit_target_enum {  }
    CUjit_fallback_enum {  }
    CUjit_cacheMode_enum {  }
    CUjitInputType_enum {  }
    CUgraphicsRegisterFlags_enum {  }
    CUgraphicsMapResourceFlags_enum {  }
    CUarray_cubemap_face_enum {  }
    CUlimit_enum {  }
    CUresourcetype_enum {  }
    CUaccessProperty_enum {  }
    CUgraphConditionalNodeType_enum {  }
    CUgraphNodeType_enum {  }
    CUgraphDependencyType_enum {  }
    CUgraphInstantiateResult_enum {  }
    CUsynchronizationPolicy_enum {  }
    CUclusterSchedulingPolicy_enum {  }
    CUlaunchMemSyncDomain_enum {  }
    CUlaunchAttributePortableClusterMode_enum {  }
    CUsharedMemoryMode_enum {  }
    CUlaunchAttributeID_enum {  }
    CUstreamCaptureStatus_enum {  }
    CUstreamCaptureMode_enum {  }
    CUdriverProcAddress_flags_enum {  }
    CUdriverProcAddressQueryResult_enum {  }
    CUexecAffinityType_enum {  }
    CUcigDataType_enum {  }
    CUstreamCigDataType_enum {  }
    CUlibraryOption_enum {  }
    cudaError_enum {  }
    CUdevice_P2PAttribute_enum {  }
    CUresourceViewFormat_enum {  }
    CUtensorMapDataType_enum {  }
    CUtensorMapInterleave_enum {  }
    CUtensorMapSwizzle_enum {  }
    CUtensorMapL2promotion_enum {  }
    CUtensorMapFloatOOBfill_enum {  }
    CUtensorMapIm2ColWideMode_enum {  }
    CUtensorMapAllocClass_enum {  }
    CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS_enum {  }
    CUexternalMemoryHandleType_enum {  }
    CUexternalSemaphoreHandleType_enum {  }
    CUmemAllocationHandleType_enum {  }
    CUmemAccess_flags_enum {  }
    CUmemLocationType_enum {  }
    CUmemAllocationType_enum {  }
    CUmemAllocationGranularity_flags_enum {  }
    CUmemRangeHandleType_enum {  }
    CUmemRangeFlags_enum {  }
    CUarraySparseSubresourceType_enum {  }
    CUmemOperationType_enum {  }
    CUmemHandleType_enum {  }
    CUmemAllocationCompType_enum {  }
    CUmulticastGranularity_flags_enum {  }
    CUgraphExecUpdateResult_enum {  }
    CUmemPool_attribute_enum {  }
    CUmemcpyFlags_enum {  }
    CUmemcpySrcAccessOrder_enum {  }
    CUmemcpy3DOperandType_enum {  }
    CUgraphMem_attribute_enum {  }
    CUgraphChildGraphNodeOwnership_enum {  }
    CUflushGPUDirectRDMAWritesOptions_enum {  }
    CUGPUDirectRDMAWritesOrdering_enum {  }
    CUflushGPUDirectRDMAWritesScope_enum {  }
    CUflushGPUDirectRDMAWritesTarget_enum {  }
    CUgraphDebugDot_flags_enum {  }
    CUuserObject_flags_enum {  }
    CUuserObjectRetain_flags_enum {  }
    CUgraphInstantiate_flags_enum {  }
    CUdeviceNumaConfig_enum {  }
    CUprocessState_enum {  }
    CUmoduleLoadingMode_enum {  }
    CUmemDecompressAlgorithm_enum {  }
    CUcliqueType_enum {  }
    CUlogicalEndpointIpcHandleType_enum {  }
    CUlogicalEndpointType_enum {  }
    CUlogicalEndpointFlag_enum {  }
    CUfabricCpyOperandType_enum {  }
    CUgraphRecaptureStatus_enum {  }
    CUfunctionLoadingState_enum {  }
    CUcoredumpSettings_enum {  }
    CUCoredumpGenerationFlags {  }
    CUgreenCtxCreate_flags {  }
    CUdevSmResourceGroup_flags {  }
    CUdevSmResourceSplitByCount_flags {  }
    CUdevResourceType {  }
    CUdevWorkqueueConfigScope {  }
    CUlogLevel_enum {  }
    CUGLDeviceList_enum {  }
    CUGLmap_flags_enum {  }
    CUeglFrameType_enum {  }
    CUeglResourceLocationFlags_enum {  }
    CUeglColorFormat_enum {  }
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
    CUstreamBatchMemOpParams_v1 = CUstreamBatchMemOpParams_union;
    CUstreamBatchMemOpParams = CUstreamBatchMemOpParams_v1;
    CUDA_BATCH_MEM_OP_NODE_PARAMS_v1 = CUDA_BATCH_MEM_OP_NODE_PARAMS_v1_st;
    CUDA_BATCH_MEM_OP_NODE_PARAMS = CUDA_BATCH_MEM_OP_NODE_PARAMS_v1;
    CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 = CUDA_BATCH_MEM_OP_NODE_PARAMS_v2_st;
    CUasyncNotificationInfo = CUasyncNotificationInfo_st;
    CUasyncCallback = Option<unsafe extern "C" fn(*mut CUasyncNotificationInfo, *mut c_void, CUasyncCallbackHandle)>;
    CUdevprop_v1 = CUdevprop_st;
    CUdevprop = CUdevprop_v1;
    CUlinkState = *mut CUlinkState_st;
    CUhostFn = Option<unsafe extern "C" fn(*mut c_void)>;
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
    CUgraphEdgeData = CUgraphEdgeData_st;
    CUDA_GRAPH_INSTANTIATE_PARAMS = CUDA_GRAPH_INSTANTIATE_PARAMS_st;
    CUlaunchMemSyncDomainMap = CUlaunchMemSyncDomainMap_st;
    CUlaunchAttributeValue = CUlaunchAttributeValue_union;
    CUlaunchAttribute = CUlaunchAttribute_st;
    CUlaunchConfig = CUlaunchConfig_st;
    CUkernelNodeAttrValue_v1 = CUlaunchAttributeValue;
    CUkernelNodeAttrValue = CUkernelNodeAttrValue_v1;
    CUstreamAttrValue_v1 = CUlaunchAttributeValue;
    CUstreamAttrValue = CUstreamAttrValue_v1;
    CUexecAffinitySmCount_v1 = CUexecAffinitySmCount_st;
    CUexecAffinitySmCount = CUexecAffinitySmCount_v1;
    CUexecAffinityParam_v1 = CUexecAffinityParam_st;
    CUexecAffinityParam = CUexecAffinityParam_v1;
    CUctxCigParam = CUctxCigParam_st;
    CUctxCreateParams = CUctxCreateParams_st;
    CUstreamCigParam = CUstreamCigParam_st;
    CUstreamCigCaptureParams = CUstreamCigCaptureParams_st;
    CUlibraryHostUniversalFunctionAndDataTable = CUlibraryHostUniversalFunctionAndDataTable_st;
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
    CUDA_RESOURCE_VIEW_DESC_v1 = CUDA_RESOURCE_VIEW_DESC_st;
    CUDA_RESOURCE_VIEW_DESC = CUDA_RESOURCE_VIEW_DESC_v1;
    CUtensorMap = CUtensorMap_st;
    CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_v1 = CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_st;
    CUDA_POINTER_ATTRIBUTE_P2P_TOKENS = CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_v1;
    CUDA_LAUNCH_PARAMS_v1 = CUDA_LAUNCH_PARAMS_st;
    CUDA_LAUNCH_PARAMS = CUDA_LAUNCH_PARAMS_v1;
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1 = CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st;
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC = CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1;
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC_v1 = CUDA_EXTERNAL_MEMORY_BUFFER_DESC_st;
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC = CUDA_EXTERNAL_MEMORY_BUFFER_DESC_v1;
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_v1 = CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st;
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC = CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_v1;
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
    CUarrayMapInfo_v1 = CUarrayMapInfo_st;
    CUarrayMapInfo = CUarrayMapInfo_v1;
    CUmemLocation_v1 = CUmemLocation_st;
    CUmemLocation = CUmemLocation_v1;
    CUmemAllocationProp_v1 = CUmemAllocationProp_st;
    CUmemAllocationProp = CUmemAllocationProp_v1;
    CUmulticastObjectProp_v1 = CUmulticastObjectProp_st;
    CUmulticastObjectProp = CUmulticastObjectProp_v1;
    CUmemAccessDesc_v1 = CUmemAccessDesc_st;
    CUmemAccessDesc = CUmemAccessDesc_v1;
    CUgraphExecUpdateResultInfo_v1 = CUgraphExecUpdateResultInfo_st;
    CUgraphExecUpdateResultInfo = CUgraphExecUpdateResultInfo_v1;
    CUmemPoolProps_v1 = CUmemPoolProps_st;
    CUmemPoolProps = CUmemPoolProps_v1;
    CUmemPoolPtrExportData_v1 = CUmemPoolPtrExportData_st;
    CUmemPoolPtrExportData = CUmemPoolPtrExportData_v1;
    CUmemcpyAttributes_v1 = CUmemcpyAttributes_st;
    CUmemcpyAttributes = CUmemcpyAttributes_v1;
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
    CUcheckpointCustomStoragePerDeviceData = CUcheckpointCustomStoragePerDeviceData_st;
    CUcheckpointOperationHandle = *mut CUIcheckpointOperation_st;
    CUcheckpointCustomStorageInfo = CUcheckpointCustomStorageInfo_st;
    CUcheckpointLockArgs = CUcheckpointLockArgs_st;
    CUcheckpointCheckpointArgs = CUcheckpointCheckpointArgs_st;
    CUcheckpointGpuPair = CUcheckpointGpuPair_st;
    CUcheckpointRestoreArgs = CUcheckpointRestoreArgs_st;
    CUcheckpointUnlockArgs = CUcheckpointUnlockArgs_st;
    CUmemDecompressParams = CUmemDecompressParams_st;
    CUcliqueInfo = CUcliqueInfo_st;
    CUlogicalEndpointId = cuuint32_t;
    CUlogicalEndpointFabricHandle = CUlogicalEndpointFabricHandle_st;
    CUlogicalEndpointProp = CUlogicalEndpointProp_struct;
    CUfabricCpyOperand = CUfabricCpyOperand_st;
    CUgraphRecaptureCallback = Option<unsafe extern "C" fn(*mut c_void, CUgraphNode, *const CUgraphNodeParams, *const CUgraphNodeParams, CUgraphRecaptureStatus) -> CUresult>;
    CUcoredumpCallbackHandle = *mut CUcoredumpCallbackEntry_st;
    CUcoredumpStatusCallback = Option<unsafe extern "C" fn(*mut c_void, c_int, CUdevice)>;
    CUdevResourceDesc = *mut CUdevResourceDesc_st;
    CUdevSmResource = CUdevSmResource_st;
    CUdevWorkqueueConfigResource = CUdevWorkqueueConfigResource_st;
    CUdevWorkqueueResource = CUdevWorkqueueResource_st;
    CU_DEV_SM_RESOURCE_GROUP_PARAMS = CU_DEV_SM_RESOURCE_GROUP_PARAMS_st;
    CUdevResource_v1 = CUdevResource_st;
    CUdevResource = CUdevResource_v1;
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
    EGLint = c_int;
    EGLImageKHR = *mut c_void;
    EGLStreamKHR = *mut c_void;
    EGLSyncKHR = *mut c_void;
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
}
