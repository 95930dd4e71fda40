//! The rules of every function, one line for each: [`Needs`], [`Capture`], [`Waits`], and [`Permitted`] if host functions
//! may call it.
//!
//! [`Permitted`]: InsideHostFunctions::Permitted
//!
//! In the order of the header, under the names of its documentation groups. Edit by hand. Measured rules are
//! those of the facts in `conformance/facts.tsv` that name this file, and of rows in `conformance/answers.tsv` such as
//! `capture-calls-*`. The other rules follow from the documentation, and from similar functions that were measured.

use super::{Capture, InsideHostFunctions, Needs, Rule, Waits};
use cuda_sys::{Symbol, Table};

macro_rules! rules {
    ($($name:ident: $needs:ident, $capture:ident, $waits:ident $(, $inside:ident)?;)*) => {
        /// Rules by symbol. A compile-time check ensures that every function has exactly one row.
        pub(super) static RULES: [Rule; Table::COUNT] = {
            let nothing = Rule::new(Needs::Nothing, Capture::Allowed, Waits::None);
            let (mut rules, mut known) = ([nothing; Table::COUNT], [false; Table::COUNT]);
            $(
                assert!(!known[Symbol::$name as usize], "a function has two rows");
                known[Symbol::$name as usize] = true;
                rules[Symbol::$name as usize] =
                    Rule::new(Needs::$needs, Capture::$capture, Waits::$waits)$(.inside(InsideHostFunctions::$inside))?;
            )*
            let mut index = 0;
            while index < known.len() {
                assert!(known[index], "a function has no row");
                index += 1;
            }
            rules
        };
    };
}

rules! {
    // CUDA_ERROR
    cuGetErrorString: Nothing, Allowed, None;
    cuGetErrorName: Nothing, Allowed, None;

    // CUDA_INITIALIZE
    cuInit: Nothing, Allowed, None;

    // CUDA_VERSION
    cuDriverGetVersion: Nothing, Allowed, None;

    // CUDA_DEVICE
    cuDeviceGet: Init, Allowed, None;
    cuDeviceGetCount: Init, Allowed, None;
    cuDeviceGetName: Init, Allowed, None;
    cuDeviceGetUuid_v2: Init, Allowed, None;
    cuDeviceGetLuid: Init, Allowed, None;
    cuDeviceTotalMem_v2: Init, Allowed, None;
    cuDeviceGetTexture1DLinearMaxWidth: Init, Allowed, None;
    cuDeviceGetAttribute: Init, Allowed, None;
    cuDeviceGetHostAtomicCapabilities: Init, Allowed, None;
    cuDeviceGetNvSciSyncAttributes: Init, Allowed, None;
    cuDeviceSetMemPool: Init, Unsafe, None;
    cuDeviceGetMemPool: Init, Allowed, None;
    cuDeviceGetDefaultMemPool: Init, Allowed, None;
    cuDeviceGetExecAffinitySupport: Init, Allowed, None;
    cuFlushGPUDirectRDMAWrites: Context, Allowed, None;

    // CUDA_DEVICE_DEPRECATED
    cuDeviceGetProperties: Init, Allowed, None;
    cuDeviceComputeCapability: Init, Allowed, None;

    // CUDA_PRIMARY_CTX
    cuDevicePrimaryCtxRetain: Init, Allowed, None;
    cuDevicePrimaryCtxRelease_v2: Init, Allowed, Frees;
    cuDevicePrimaryCtxSetFlags_v2: Init, Allowed, None;
    cuDevicePrimaryCtxGetState: Init, Allowed, None;
    cuDevicePrimaryCtxReset_v2: Init, Allowed, Frees;

    // CUDA_CTX
    cuCtxCreate_v4: Health, Allowed, None;
    cuCtxDestroy_v2: Init, Unsafe, Frees;
    cuCtxPushCurrent_v2: Init, Allowed, None;
    cuCtxPopCurrent_v2: Init, Allowed, None;
    cuCtxSetCurrent: Init, Allowed, None;
    cuCtxGetCurrent: Init, Allowed, None;
    cuCtxGetDevice: Current, Allowed, None;
    cuCtxGetDevice_v2: Init, Allowed, None;
    cuCtxGetFlags: Current, Allowed, None;
    cuCtxSetFlags: Current, Allowed, None;
    cuCtxGetId: Init, Allowed, None;
    cuCtxSynchronize: Context, Illegal, Context;
    cuCtxSynchronize_v2: Health, Illegal, Context;
    cuCtxSetLimit: Context, Unsafe, None;
    cuCtxGetLimit: Context, Allowed, None;
    cuCtxGetCacheConfig: Context, Allowed, None;
    cuCtxSetCacheConfig: Context, Unsafe, None;
    cuCtxGetApiVersion: Init, Allowed, None;
    cuCtxGetStreamPriorityRange: Context, Allowed, None;
    cuCtxResetPersistingL2Cache: Context, Allowed, None;
    cuCtxGetExecAffinity: Context, Allowed, None;
    cuCtxRecordEvent: Health, Illegal, None;
    cuCtxWaitEvent: Health, Illegal, None;

    // CUDA_CTX_DEPRECATED
    cuCtxAttach: Context, Allowed, None;
    cuCtxDetach: Init, Unsafe, Frees;
    cuCtxGetSharedMemConfig: Context, Allowed, None;
    cuCtxSetSharedMemConfig: Context, Unsafe, None;

    // CUDA_MODULE
    cuModuleLoad: Context, Allowed, None;
    cuModuleLoadData: Context, Allowed, None;
    cuModuleLoadDataEx: Context, Allowed, None;
    cuModuleLoadFatBinary: Context, Allowed, None;
    cuModuleUnload: Health, Unsafe, Frees;
    cuModuleGetLoadingMode: Init, Allowed, None;
    cuModuleGetFunction: Health, Allowed, None;
    cuModuleGetFunctionCount: Health, Allowed, None;
    cuModuleEnumerateFunctions: Health, Allowed, None;
    cuModuleGetGlobal_v2: Health, Allowed, None;
    cuLinkCreate_v2: Context, Allowed, None;
    cuLinkAddData_v2: Health, Allowed, None;
    cuLinkAddFile_v2: Health, Allowed, None;
    cuLinkComplete: Health, Allowed, None;
    cuLinkDestroy: Health, Allowed, None, Permitted;

    // CUDA_MODULE_DEPRECATED
    cuModuleGetTexRef: Health, Allowed, None;
    cuModuleGetSurfRef: Health, Allowed, None;

    // CUDA_LIBRARY
    cuLibraryLoadData: Init, Allowed, None;
    cuLibraryLoadFromFile: Init, Allowed, None;
    cuLibraryUnload: Init, Unsafe, Frees;
    cuLibraryGetKernel: Init, Allowed, None;
    cuLibraryGetKernelCount: Init, Allowed, None;
    cuLibraryEnumerateKernels: Init, Allowed, None;
    cuLibraryGetModule: Context, Allowed, None;
    cuKernelGetFunction: Context, Allowed, None;
    cuKernelGetLibrary: Init, Allowed, None;
    cuLibraryGetGlobal: Context, Allowed, None;
    cuLibraryGetManaged: Init, Allowed, None;
    cuLibraryGetUnifiedFunction: Init, Allowed, None;
    cuKernelGetAttribute: Init, Allowed, None;
    cuKernelSetAttribute: Init, Allowed, None;
    cuKernelSetCacheConfig: Init, Allowed, None;
    cuKernelGetName: Init, Allowed, None;
    cuKernelGetParamInfo: Context, Allowed, None;
    cuKernelGetParamCount: Context, Allowed, None;

    // CUDA_MEM
    cuMemGetInfo_v2: Context, Allowed, None;
    cuMemAlloc_v2: Context, Unsafe, None;
    cuMemAllocPitch_v2: Context, Unsafe, None;
    cuMemFree_v2: NotGone, Unsafe, Frees;
    cuMemGetAddressRange_v2: Context, Allowed, None;
    cuMemAllocHost_v2: Context, Unsafe, None;
    cuMemFreeHost: Health, Unsafe, Frees;
    cuMemHostAlloc: Context, Unsafe, None;
    cuMemHostGetDevicePointer_v2: Context, Allowed, None;
    cuMemHostGetFlags: Context, Allowed, None;
    cuMemAllocManaged: Context, Unsafe, None;
    cuDeviceRegisterAsyncNotification: Health, Allowed, None;
    cuDeviceUnregisterAsyncNotification: Health, Allowed, None;
    cuDeviceGetByPCIBusId: Init, Allowed, None;
    cuDeviceGetPCIBusId: Init, Allowed, None;
    cuIpcGetEventHandle: Context, Allowed, None;
    cuIpcOpenEventHandle: Context, Allowed, None;
    cuIpcGetMemHandle: Context, Allowed, None;
    cuIpcOpenMemHandle_v2: Context, Allowed, None;
    cuIpcCloseMemHandle: Context, Allowed, Frees;
    cuMemHostRegister_v2: Context, Unsafe, None;
    cuMemHostUnregister: Health, Unsafe, Frees;
    cuArrayCreate_v2: Context, Unsafe, None;
    cuArrayGetDescriptor_v2: Health, Allowed, None;
    cuArrayGetSparseProperties: Health, Allowed, None;
    cuMipmappedArrayGetSparseProperties: Health, Allowed, None;
    cuArrayGetMemoryRequirements: Health, Allowed, None;
    cuMipmappedArrayGetMemoryRequirements: Health, Allowed, None;
    cuArrayGetPlane: Health, Allowed, None;
    cuArrayDestroy: Health, Unsafe, Frees;
    cuArray3DCreate_v2: Context, Unsafe, None;
    cuArray3DGetDescriptor_v2: Health, Allowed, None;
    cuMipmappedArrayCreate: Context, Unsafe, None;
    cuMipmappedArrayGetLevel: Health, Allowed, None;
    cuMipmappedArrayDestroy: Health, Unsafe, Frees;
    cuMemGetHandleForAddressRange: Context, Allowed, None;

    // CUDA_VA
    cuMemAddressReserve: Init, Allowed, None;
    cuMemAddressFree: Init, Allowed, None;
    cuMemCreate: Health, Allowed, None;
    cuMemRelease: Health, Allowed, None;
    cuMemMap: Health, Allowed, None;
    cuMemUnmap: Health, Allowed, Frees;
    cuMemSetAccess: Health, Allowed, None;
    cuMemGetAccess: Health, Allowed, None;
    cuMemExportToShareableHandle: Health, Allowed, None;
    cuMemImportFromShareableHandle: Health, Allowed, None;
    cuMemGetAllocationGranularity: Init, Allowed, None;
    cuMemGetAllocationPropertiesFromHandle: Health, Allowed, None;
    cuMemRetainAllocationHandle: Health, Allowed, None;

    // CUDA_MALLOC_ASYNC
    cuMemPoolTrimTo: Health, Unsafe, None;
    cuMemPoolSetAttribute: Health, Unsafe, None;
    cuMemPoolGetAttribute: Health, Unsafe, None;
    cuMemPoolSetAccess: Init, Unsafe, None;
    cuMemPoolGetAccess: Init, Unsafe, None;
    cuMemPoolCreate: Health, Unsafe, None;
    cuMemPoolDestroy: Health, Unsafe, None;
    cuMemGetDefaultMemPool: Health, Allowed, None;
    cuMemGetMemPool: Health, Allowed, None;
    cuMemSetMemPool: Health, Allowed, None;
    cuMemPoolExportToShareableHandle: Health, Allowed, None;
    cuMemPoolImportFromShareableHandle: Health, Allowed, None;
    cuMemPoolExportPointer: Health, Allowed, None;
    cuMemPoolImportPointer: Health, Allowed, None;

    // CUDA_MULTICAST
    cuMulticastCreate: Health, Allowed, None;
    cuMulticastAddDevice: Health, Allowed, None;
    cuMulticastBindMem: Health, Allowed, None;
    cuMulticastBindMem_v2: Health, Allowed, None;
    cuMulticastBindAddr: Health, Allowed, None;
    cuMulticastBindAddr_v2: Health, Allowed, None;
    cuMulticastUnbind: Health, Allowed, None;
    cuMulticastGetGranularity: Init, Allowed, None;

    // CUDA_CLIQUE
    cuDeviceGetFabricClusterUuid: Init, Allowed, None;
    cuDeviceGetCliqueCount: Init, Allowed, None;
    cuDeviceGetCliqueInfo: Init, Allowed, None;

    // CUDA_LOGICAL_ENDPOINT
    cuLogicalEndpointIdReserve: Health, Allowed, None;
    cuLogicalEndpointIdRelease: Health, Allowed, None;
    cuLogicalEndpointCreate: Health, Allowed, None;
    cuLogicalEndpointAddDevice: Health, Allowed, None;
    cuLogicalEndpointDestroy: Health, Allowed, None;
    cuLogicalEndpointBindAddr: Health, Allowed, None;
    cuLogicalEndpointBindMem: Health, Allowed, None;
    cuLogicalEndpointUnbind: Health, Allowed, None;
    cuLogicalEndpointExport: Health, Allowed, None;
    cuLogicalEndpointImport: Health, Allowed, None;
    cuLogicalEndpointGetLimits: Init, Allowed, None;
    cuLogicalEndpointQuery: Health, Allowed, None;

    // CUDA_UNIFIED
    cuPointerGetAttribute: Init, Allowed, None;
    cuMemAdvise_v2: Context, Unsafe, None;
    cuMemGetLocationInfo: Health, Allowed, None;
    cuMemRangeGetAttribute: Context, Allowed, None;
    cuMemRangeGetAttributes: Context, Allowed, None;
    cuPointerSetAttribute: Health, Unsafe, Legacy;
    cuPointerGetAttributes: Init, Allowed, None;

    // CUDA_STREAM
    cuStreamCreate: Context, Allowed, None;
    cuStreamCreateWithPriority: Context, Allowed, None;
    cuThreadExchangeStreamCaptureMode: Init, Allowed, None, Permitted;
    cuStreamDestroy_v2: Health, Allowed, None, Permitted;

    // CUDA_EVENT
    cuEventCreate: Context, Allowed, None;
    cuEventQuery: Health, Unsafe, None, Permitted;
    cuEventSynchronize: Health, Unsafe, Event, Permitted;
    cuEventDestroy_v2: Health, Allowed, None, Permitted;
    cuEventElapsedTime_v2: Health, Allowed, None, Permitted;

    // CUDA_EXTRES_INTEROP
    cuImportExternalMemory: Context, Unsafe, None;
    cuExternalMemoryGetMappedBuffer: Health, Allowed, None;
    cuExternalMemoryGetMappedMipmappedArray: Health, Allowed, None;
    cuDestroyExternalMemory: Health, Unsafe, None;
    cuImportExternalSemaphore: Context, Unsafe, None;
    cuDestroyExternalSemaphore: Health, Unsafe, Frees;

    // CUDA_EXEC
    cuFuncGetAttribute: Health, Allowed, None;
    cuFuncSetAttribute: Health, Allowed, None;
    cuFuncSetCacheConfig: Health, Allowed, None;
    cuFuncGetModule: Health, Allowed, None;
    cuFuncGetName: Health, Allowed, None;
    cuFuncGetParamInfo: Health, Allowed, None;
    cuFuncGetParamCount: Health, Allowed, None;
    cuFuncIsLoaded: Health, Allowed, None;
    cuFuncLoad: Health, Allowed, None;

    // CUDA_EXEC_DEPRECATED
    cuFuncSetBlockShape: Context, Allowed, None;
    cuFuncSetSharedSize: Context, Allowed, None;
    cuParamSetSize: Context, Allowed, None;
    cuParamSeti: Context, Allowed, None;
    cuParamSetf: Context, Allowed, None;
    cuParamSetv: Context, Allowed, None;
    cuLaunch: Context, Legacy, None;
    cuLaunchGrid: Context, Legacy, None;
    cuLaunchGridAsync: Context, Queued, None;
    cuLaunchCooperativeKernelMultiDevice: Health, Queued, None;
    cuParamSetTexRef: Context, Allowed, None;
    cuFuncSetSharedMemConfig: Health, Allowed, None;

    // CUDA_GRAPH
    cuGraphCreate: Init, Allowed, None;
    cuGraphAddKernelNode_v2: Health, Allowed, None;
    cuGraphKernelNodeGetParams_v2: Init, Allowed, None;
    cuGraphKernelNodeSetParams_v2: Health, Allowed, None;
    cuGraphAddMemcpyNode: Health, Allowed, None;
    cuGraphMemcpyNodeGetParams: Init, Allowed, None;
    cuGraphMemcpyNodeSetParams: Health, Allowed, None;
    cuGraphAddMemsetNode: Health, Allowed, None;
    cuGraphMemsetNodeGetParams: Init, Allowed, None;
    cuGraphMemsetNodeSetParams: Health, Allowed, None;
    cuGraphAddHostNode: Health, Allowed, None;
    cuGraphHostNodeGetParams: Init, Allowed, None;
    cuGraphHostNodeSetParams: Health, Allowed, None;
    cuGraphAddChildGraphNode: Health, Allowed, None;
    cuGraphChildGraphNodeGetGraph: Init, Allowed, None;
    cuGraphAddEmptyNode: Health, Allowed, None;
    cuGraphAddEventRecordNode: Health, Allowed, None;
    cuGraphEventRecordNodeGetEvent: Init, Allowed, None;
    cuGraphEventRecordNodeSetEvent: Health, Allowed, None;
    cuGraphAddEventWaitNode: Health, Allowed, None;
    cuGraphEventWaitNodeGetEvent: Init, Allowed, None;
    cuGraphEventWaitNodeSetEvent: Health, Allowed, None;
    cuGraphAddExternalSemaphoresSignalNode: Health, Allowed, None;
    cuGraphExternalSemaphoresSignalNodeGetParams: Health, Allowed, None;
    cuGraphExternalSemaphoresSignalNodeSetParams: Health, Allowed, None;
    cuGraphAddExternalSemaphoresWaitNode: Health, Allowed, None;
    cuGraphExternalSemaphoresWaitNodeGetParams: Health, Allowed, None;
    cuGraphExternalSemaphoresWaitNodeSetParams: Health, Allowed, None;
    cuGraphAddBatchMemOpNode: Health, Allowed, None;
    cuGraphBatchMemOpNodeGetParams: Init, Allowed, None;
    cuGraphBatchMemOpNodeSetParams: Health, Allowed, None;
    cuGraphExecBatchMemOpNodeSetParams: Health, Allowed, None;
    cuGraphAddMemAllocNode: Health, Allowed, None;
    cuGraphMemAllocNodeGetParams: Init, Allowed, None;
    cuGraphAddMemFreeNode: Health, Allowed, None;
    cuGraphMemFreeNodeGetParams: Init, Allowed, None;
    cuDeviceGraphMemTrim: Health, Allowed, None;
    cuDeviceGetGraphMemAttribute: Health, Allowed, None;
    cuDeviceSetGraphMemAttribute: Health, Allowed, None;
    cuGraphClone: Health, Allowed, None;
    cuGraphNodeFindInClone: Health, Allowed, None;
    cuGraphNodeGetType: Init, Allowed, None;
    cuGraphNodeGetContainingGraph: Health, Allowed, None;
    cuGraphNodeGetLocalId: Health, Allowed, None;
    cuGraphNodeGetToolsId: Health, Allowed, None;
    cuGraphGetId: Health, Allowed, None;
    cuGraphExecGetId: Health, Allowed, None;
    cuGraphGetNodes: Health, Allowed, None;
    cuGraphGetRootNodes: Health, Allowed, None;
    cuGraphGetEdges_v2: Health, Allowed, None;
    cuGraphNodeGetDependencies_v2: Health, Allowed, None;
    cuGraphNodeGetDependentNodes_v2: Health, Allowed, None;
    cuGraphAddDependencies_v2: Health, Allowed, None;
    cuGraphRemoveDependencies_v2: Health, Allowed, None;
    cuGraphDestroyNode: Health, Allowed, None;
    cuGraphInstantiateWithFlags: Context, Unsafe, None;
    cuGraphExecGetFlags: Health, Allowed, None;
    cuGraphExecKernelNodeSetParams_v2: Health, Allowed, None;
    cuGraphExecMemcpyNodeSetParams: Health, Allowed, None;
    cuGraphExecMemsetNodeSetParams: Health, Allowed, None;
    cuGraphExecHostNodeSetParams: Health, Allowed, None;
    cuGraphExecChildGraphNodeSetParams: Health, Allowed, None;
    cuGraphExecEventRecordNodeSetEvent: Health, Allowed, None;
    cuGraphExecEventWaitNodeSetEvent: Health, Allowed, None;
    cuGraphExecExternalSemaphoresSignalNodeSetParams: Health, Allowed, None;
    cuGraphExecExternalSemaphoresWaitNodeSetParams: Health, Allowed, None;
    cuGraphNodeSetEnabled: Health, Allowed, None;
    cuGraphNodeGetEnabled: Health, Allowed, None;
    cuGraphExecDestroy: Init, Unsafe, None;
    cuGraphDestroy: Init, Allowed, None;
    cuGraphExecUpdate_v2: Health, Allowed, None;
    cuGraphKernelNodeCopyAttributes: Health, Allowed, None;
    cuGraphKernelNodeGetAttribute: Health, Allowed, None;
    cuGraphKernelNodeSetAttribute: Health, Allowed, None;
    cuGraphDebugDotPrint: Health, Allowed, None;
    cuUserObjectCreate: Health, Allowed, None;
    cuUserObjectRetain: Health, Allowed, None;
    cuUserObjectRelease: Health, Allowed, None;
    cuGraphRetainUserObject: Health, Allowed, None;
    cuGraphReleaseUserObject: Health, Allowed, None;
    cuGraphAddNode_v2: Health, Allowed, None;
    cuGraphAddNode_v3: Health, Allowed, None;
    cuGraphNodeSetParams: Health, Allowed, None;
    cuGraphNodeSetParams_v2: Health, Allowed, None;
    cuGraphNodeGetParams: Health, Allowed, None;
    cuGraphExecNodeSetParams: Health, Allowed, None;
    cuGraphConditionalHandleCreate: Health, Allowed, None;

    // CUDA_OCCUPANCY
    cuOccupancyMaxActiveBlocksPerMultiprocessor: Context, Allowed, None;
    cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags: Context, Allowed, None;
    cuOccupancyMaxPotentialBlockSize: Context, Allowed, None;
    cuOccupancyMaxPotentialBlockSizeWithFlags: Context, Allowed, None;
    cuOccupancyAvailableDynamicSMemPerBlock: Context, Allowed, None;
    cuOccupancyMaxPotentialClusterSize: Health, Allowed, None;
    cuOccupancyMaxActiveClusters: Health, Allowed, None;

    // CUDA_TEXREF_DEPRECATED
    cuTexRefSetArray: Health, Allowed, None;
    cuTexRefSetMipmappedArray: Health, Allowed, None;
    cuTexRefSetAddress_v2: Health, Allowed, None;
    cuTexRefSetAddress2D_v3: Health, Allowed, None;
    cuTexRefSetFormat: Health, Allowed, None;
    cuTexRefSetAddressMode: Health, Allowed, None;
    cuTexRefSetFilterMode: Health, Allowed, None;
    cuTexRefSetMipmapFilterMode: Health, Allowed, None;
    cuTexRefSetMipmapLevelBias: Health, Allowed, None;
    cuTexRefSetMipmapLevelClamp: Health, Allowed, None;
    cuTexRefSetMaxAnisotropy: Health, Allowed, None;
    cuTexRefSetBorderColor: Health, Allowed, None;
    cuTexRefSetFlags: Health, Allowed, None;
    cuTexRefGetAddress_v2: Health, Allowed, None;
    cuTexRefGetArray: Health, Allowed, None;
    cuTexRefGetMipmappedArray: Health, Allowed, None;
    cuTexRefGetAddressMode: Health, Allowed, None;
    cuTexRefGetFilterMode: Health, Allowed, None;
    cuTexRefGetFormat: Health, Allowed, None;
    cuTexRefGetMipmapFilterMode: Health, Allowed, None;
    cuTexRefGetMipmapLevelBias: Health, Allowed, None;
    cuTexRefGetMipmapLevelClamp: Health, Allowed, None;
    cuTexRefGetMaxAnisotropy: Health, Allowed, None;
    cuTexRefGetBorderColor: Health, Allowed, None;
    cuTexRefGetFlags: Health, Allowed, None;
    cuTexRefCreate: Context, Allowed, None;
    cuTexRefDestroy: Health, Allowed, None;

    // CUDA_SURFREF_DEPRECATED
    cuSurfRefSetArray: Health, Allowed, None;
    cuSurfRefGetArray: Health, Allowed, None;

    // CUDA_TEXOBJECT
    cuTexObjectCreate: Context, Unsafe, None;
    cuTexObjectDestroy: Context, Unsafe, None;
    cuTexObjectGetResourceDesc: Context, Allowed, None;
    cuTexObjectGetTextureDesc: Context, Allowed, None;
    cuTexObjectGetResourceViewDesc: Context, Allowed, None;

    // CUDA_SURFOBJECT
    cuSurfObjectCreate: Context, Unsafe, None;
    cuSurfObjectDestroy: Context, Unsafe, None;
    cuSurfObjectGetResourceDesc: Context, Allowed, None;

    // CUDA_TENSOR_MEMORY
    cuTensorMapEncodeTiled: Context, Allowed, None;
    cuTensorMapEncodeIm2col: Context, Allowed, None;
    cuTensorMapEncodeIm2colWide: Context, Allowed, None;
    cuTensorMapReplaceAddress: Context, Allowed, None;
    cuTensorMapSetAllocationClass: Context, Allowed, None;

    // CUDA_PEER_ACCESS
    cuDeviceCanAccessPeer: Init, Allowed, None;
    cuCtxEnablePeerAccess: Context, Unsafe, None;
    cuCtxDisablePeerAccess: Context, Unsafe, None;
    cuDeviceGetP2PAttribute: Init, Allowed, None;
    cuDeviceGetP2PAtomicCapabilities: Init, Allowed, None;

    // CUDA_GRAPHICS
    cuGraphicsUnregisterResource: Health, Unsafe, Frees;
    cuGraphicsSubResourceGetMappedArray: Health, Allowed, None;
    cuGraphicsResourceGetMappedMipmappedArray: Health, Allowed, None;
    cuGraphicsResourceGetMappedPointer_v2: Health, Allowed, None;
    cuGraphicsResourceSetMapFlags_v2: Health, Allowed, None;

    // CUDA_DRIVER_ENTRY_POINT
    cuGetProcAddress_v2: Nothing, Allowed, None;

    // CUDA_COREDUMP
    cuCoredumpGetAttribute: Context, Allowed, None;
    cuCoredumpGetAttributeGlobal: Nothing, Allowed, None;
    cuCoredumpSetAttribute: Context, Allowed, None;
    cuCoredumpSetAttributeGlobal: Nothing, Allowed, None;
    cuCoredumpRegisterStartCallback: Nothing, Allowed, None;
    cuCoredumpRegisterCompleteCallback: Nothing, Allowed, None;
    cuCoredumpDeregisterStartCallback: Nothing, Allowed, None;
    cuCoredumpDeregisterCompleteCallback: Nothing, Allowed, None;

    // CUDA_DRIVER
    cuGetExportTable: Nothing, Allowed, None;

    // CUDA_GREEN_CONTEXTS
    cuGreenCtxCreate: Health, Allowed, None;
    cuGreenCtxDestroy: Health, Allowed, Context;
    cuCtxFromGreenCtx: Health, Allowed, None;
    cuDeviceGetDevResource: Init, Allowed, None;
    cuCtxGetDevResource: Health, Allowed, None;
    cuGreenCtxGetDevResource: Health, Allowed, None;
    cuDevSmResourceSplitByCount: Init, Allowed, None;
    cuDevSmResourceSplit: Init, Allowed, None;
    cuDevResourceGenerateDesc: Init, Allowed, None;
    cuGreenCtxRecordEvent: Health, Queued, None;
    cuGreenCtxWaitEvent: Health, Queued, None;
    cuStreamGetGreenCtx: Health, Allowed, None;
    cuGreenCtxStreamCreate: Health, Allowed, None;
    cuGreenCtxGetId: Health, Allowed, None;

    // CUDA_LOGS
    cuLogsRegisterCallback: Nothing, Allowed, None;
    cuLogsUnregisterCallback: Nothing, Allowed, None;
    cuLogsCurrent: Nothing, Allowed, None;
    cuLogsDumpToFile: Nothing, Allowed, None;
    cuLogsDumpToMemory: Nothing, Allowed, None;

    // CUDA_CTX
    cuCtxCreate_v2: Health, Allowed, None;
    cuCtxCreate_v3: Health, Allowed, None;

    // CUDA_EVENT
    cuEventElapsedTime: Health, Allowed, None, Permitted;

    // CUDA_DEVICE
    cuDeviceGetUuid: Init, Allowed, None;

    // CUDA_MEM
    cuMemcpyHtoD_v2: Context, Legacy, Legacy;
    cuMemcpyDtoH_v2: Context, Legacy, Legacy;
    cuMemcpyDtoD_v2: Context, Legacy, Legacy;
    cuMemcpyDtoA_v2: Context, Legacy, Legacy;
    cuMemcpyAtoD_v2: Context, Legacy, Legacy;
    cuMemcpyHtoA_v2: Context, Legacy, Legacy;
    cuMemcpyAtoH_v2: Context, Legacy, Legacy;
    cuMemcpyAtoA_v2: Context, Legacy, Legacy;
    cuMemcpyHtoAAsync_v2: Health, Queued, Stream;
    cuMemcpyAtoHAsync_v2: Health, Queued, Stream;
    cuMemcpy2D_v2: Context, Legacy, Legacy;
    cuMemcpy2DUnaligned_v2: Context, Legacy, Legacy;
    cuMemcpy3D_v2: Context, Legacy, Legacy;
    cuMemcpyHtoDAsync_v2: NotGone, Queued, Stream;
    cuMemcpyDtoHAsync_v2: NotGone, Queued, Stream;
    cuMemcpyDtoDAsync_v2: NotGone, Queued, Stream;
    cuMemcpy2DAsync_v2: NotGone, Queued, Stream;
    cuMemcpy3DAsync_v2: NotGone, Queued, Stream;
    cuMemsetD8_v2: Context, Legacy, Legacy;
    cuMemsetD16_v2: Context, Legacy, Legacy;
    cuMemsetD32_v2: Context, Legacy, Legacy;
    cuMemsetD2D8_v2: Context, Legacy, Legacy;
    cuMemsetD2D16_v2: Context, Legacy, Legacy;
    cuMemsetD2D32_v2: Context, Legacy, Legacy;
    cuMemcpy: Context, Legacy, Legacy;
    cuMemcpyAsync: NotGone, Queued, Stream;
    cuMemcpyPeer: Context, Legacy, Legacy;
    cuMemcpyPeerAsync: NotGone, Queued, Stream;
    cuMemcpy3DPeer: Context, Legacy, Legacy;
    cuMemcpy3DPeerAsync: Health, Queued, Stream;
    cuMemcpyBatchAsync: NotGone, Illegal, Stream;
    cuMemcpy3DBatchAsync: Health, Illegal, Stream;
    cuMemcpyBatchAsync_v2: NotGone, Illegal, Stream;
    cuMemcpy3DBatchAsync_v2: Health, Illegal, Stream;
    cuMemcpyWithAttributesAsync: Health, Queued, Stream;
    cuMemcpy3DWithAttributesAsync: Health, Queued, Stream;
    cuMemsetD8Async: Health, Queued, None, Permitted;
    cuMemsetD16Async: Health, Queued, None, Permitted;
    cuMemsetD32Async: Health, Queued, None, Permitted;
    cuMemsetD2D8Async: Health, Queued, None;
    cuMemsetD2D16Async: Health, Queued, None;
    cuMemsetD2D32Async: Health, Queued, None;

    // CUDA_STREAM
    cuStreamGetPriority: Health, Allowed, None, Permitted;
    cuStreamGetId: Health, Illegal, None, Permitted;
    cuStreamGetFlags: Health, Illegal, None, Permitted;
    cuStreamGetDevice: Health, Illegal, None;

    // CUDA_GREEN_CONTEXTS
    cuStreamGetDevResource: Health, Allowed, None;

    // CUDA_STREAM
    cuStreamGetCtx: Health, Illegal, None, Permitted;
    cuStreamGetCtx_v2: Health, Allowed, None, Permitted;
    cuStreamWaitEvent: Health, Queued, None, Permitted;
    cuStreamAddCallback: Health, Illegal, None, Permitted;
    cuStreamAttachMemAsync: Health, IllegalUnsafe, None;
    cuStreamQuery: Health, IllegalUnsafe, None, Permitted;
    cuStreamSynchronize: Health, IllegalUnsafe, Stream, Permitted;

    // CUDA_EVENT
    cuEventRecord: Health, Queued, None, Permitted;
    cuEventRecordWithFlags: Health, Queued, None;

    // CUDA_EXEC
    cuLaunchKernel: Health, Queued, None;
    cuLaunchKernelEx: Health, Queued, None;
    cuLaunchHostFunc: Health, Queued, None, Permitted;
    cuLaunchHostFunc_v2: Health, Queued, None, Permitted;

    // CUDA_GRAPHICS
    cuGraphicsMapResources: Health, IllegalUnsafe, None;
    cuGraphicsUnmapResources: Health, IllegalUnsafe, None;

    // CUDA_MEMOP
    cuStreamWriteValue32: Health, Queued, None;
    cuStreamWaitValue32: Health, Queued, None;
    cuStreamWriteValue64: Health, Queued, None;
    cuStreamWaitValue64: Health, Queued, None;
    cuStreamBatchMemOp: Health, Queued, None;
    cuStreamWriteValue32_v2: Health, Queued, None;
    cuStreamWaitValue32_v2: Health, Queued, None;
    cuStreamWriteValue64_v2: Health, Queued, None;
    cuStreamWaitValue64_v2: Health, Queued, None;
    cuStreamBatchMemOp_v2: Health, Queued, None;

    // CUDA_UNIFIED
    cuMemPrefetchAsync: Health, Illegal, None;
    cuMemPrefetchAsync_v2: Health, Illegal, None;
    cuMemAdvise: Context, Unsafe, None;
    cuMemPrefetchBatchAsync: Health, Illegal, None;
    cuMemDiscardBatchAsync: Health, Illegal, None;
    cuMemDiscardAndPrefetchBatchAsync: Health, Illegal, None;

    // CUDA_EXEC
    cuLaunchCooperativeKernel: Health, Queued, None;

    // CUDA_EXTRES_INTEROP
    cuSignalExternalSemaphoresAsync: Health, Queued, None;
    cuWaitExternalSemaphoresAsync: Health, Queued, None;

    // CUDA_STREAM
    cuStreamBeginCapture_v2: Health, Allowed, None;
    cuStreamBeginCaptureToGraph: Health, Allowed, None;
    cuStreamBeginRecaptureToGraph: Health, Allowed, None;

    // CUDA_FABRIC_COPY
    cuFabricCpyBatchAsync: Health, Queued, None;

    // CUDA_STREAM
    cuStreamEndCapture: Health, Allowed, None;
    cuStreamIsCapturing: Health, Allowed, None, Permitted;
    cuStreamGetCaptureInfo: Health, Allowed, None;
    cuStreamGetCaptureInfo_v2: Health, Allowed, None;
    cuStreamGetCaptureInfo_v3: Health, Allowed, None;

    // CUDA_GRAPH
    cuGraphAddKernelNode: Health, Allowed, None;
    cuGraphKernelNodeGetParams: Init, Allowed, None;
    cuGraphKernelNodeSetParams: Health, Allowed, None;
    cuGraphExecKernelNodeSetParams: Health, Allowed, None;
    cuGraphInstantiateWithParams: Context, Allowed, None;
    cuGraphExecUpdate: Health, Allowed, None;
    cuGraphUpload: Health, Queued, None, Permitted;
    cuGraphLaunch: Health, Queued, None, Permitted;
    cuGraphGetEdges: Health, Allowed, None;
    cuGraphNodeGetDependencies: Health, Allowed, None;
    cuGraphNodeGetDependentNodes: Health, Allowed, None;
    cuGraphAddDependencies: Health, Allowed, None;
    cuGraphRemoveDependencies: Health, Allowed, None;
    cuGraphAddNode: Health, Allowed, None;

    // CUDA_STREAM
    cuStreamCopyAttributes: Health, Allowed, None;
    cuStreamGetAttribute: Health, Allowed, None;
    cuStreamSetAttribute: Health, Allowed, None;

    // CUDA_GRAPH
    cuGraphInstantiate_v2: Context, Unsafe, None;

    // CUDA_VA
    cuMemMapArrayAsync: Health, Illegal, None;

    // CUDA_MALLOC_ASYNC
    cuMemFreeAsync: Health, QueuedUnsafe, None;
    cuMemAllocAsync: Health, QueuedUnsafe, Frees;
    cuMemAllocFromPoolAsync: Health, QueuedUnsafe, Frees;

    // CUDA_STREAM
    cuStreamUpdateCaptureDependencies: Health, Allowed, None;
    cuStreamUpdateCaptureDependencies_v2: Health, Allowed, None;
    cuStreamBeginCaptureToCig: Health, Allowed, None;
    cuStreamEndCaptureToCig: Health, Allowed, None;

    // CUDA_MEM
    cuMemBatchDecompressAsync: Health, Illegal, None;

    // CUDA_DRIVER_ENTRY_POINT
    cuGetProcAddress: Nothing, Allowed, None;

    // CUDA_CHECKPOINT
    cuCheckpointProcessGetRestoreThreadId: Nothing, Allowed, None;
    cuCheckpointProcessGetState: Nothing, Allowed, None;
    cuCheckpointProcessLock: Nothing, Allowed, Context;
    cuCheckpointProcessCheckpoint: Nothing, Allowed, None;
    cuCheckpointProcessRestore: Nothing, Allowed, None;
    cuCheckpointOperationComplete: Nothing, Allowed, None;
    cuCheckpointProcessUnlock: Nothing, Allowed, None;

    // CUDA_PROFILER
    cuProfilerInitialize: Nothing, Allowed, None;
    cuProfilerStart: Context, Unsafe, None;
    cuProfilerStop: Context, Unsafe, None;
}
