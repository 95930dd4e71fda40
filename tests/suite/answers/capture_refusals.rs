//! Questions about which calls are refused while streams are captured, in which mode and on which thread.
//!
//! Each call gives five answers:
//!
//! - in a capture in the global mode that the same thread began
//! - in a capture in the global mode that another thread began
//! - in a capture in the thread-local mode that the same thread began
//! - in a capture in the thread-local mode that another thread began
//! - in a capture in the relaxed mode that the same thread began
//!
//! An answer is the code, a dot, and the status of the captured stream after the call.

use super::graph_scenes::*;
use super::memory::{managed, of_default_pool, page_locked_bytes, pages};
use super::{Answers, DEVICE, PTX, Question, READ_WRITE, access, location};
use core::ffi::c_void;
use cuda_suite::raw::{allocate, current, function, stream, try_launch};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::{null, null_mut};
use std::sync::mpsc::channel;
use std::time::Duration;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "capture-calls-memory", devices: 1, ask: memory },
    Question { name: "capture-calls-pools", devices: 1, ask: pools },
    Question { name: "capture-calls-virtual-memory", devices: 1, ask: virtual_memory },
    Question { name: "capture-calls-managed-memory", devices: 1, ask: managed_memory },
    Question { name: "capture-calls-other-stream", devices: 1, ask: other_stream },
    Question { name: "capture-calls-captured-stream", devices: 1, ask: captured_stream },
    Question { name: "capture-calls-streams-and-events", devices: 1, ask: streams_and_events },
    Question { name: "capture-calls-legacy-stream", devices: 1, ask: legacy_stream },
    Question { name: "capture-calls-legacy-copies", devices: 1, ask: legacy_copies },
    Question { name: "capture-calls-contexts", devices: 1, ask: contexts },
    Question { name: "capture-calls-modules", devices: 1, ask: modules },
    Question { name: "capture-calls-arrays", devices: 1, ask: arrays },
    Question { name: "capture-calls-graphs", devices: 1, ask: graphs },
    Question { name: "capture-calls-more-graphs", devices: 1, ask: more_graphs },
    Question { name: "capture-calls-first-launch", devices: 1, ask: first_launch },
];

/// The objects of the calls. Only the streams have a part in a capture.
struct Scene {
    /// The stream that is captured.
    captured: CUstream,
    other: CUstream,
    at: CUdeviceptr,
    pooled: CUdeviceptr,
    pinned: CUdeviceptr,
    /// Recorded on the other stream, and complete.
    event: CUevent,
    copy: CUfunction,
    module: CUmodule,
    pool: CUmemoryPool,
    graph: CUgraph,
    node: CUgraphNode,
    exec: CUgraphExec,
    context: CUcontext,
}

impl Scene {
    fn new(captured: CUstream) -> Self {
        let answers = &mut Answers::default();
        let other = stream(1);
        let (mut module, mut pool) = (null_mut(), null_mut());
        call!(cuModuleLoadData(&raw mut module, PTX.as_ptr().cast()));
        let mut copy = null_mut();
        call!(cuModuleGetFunction(&raw mut copy, module, c"copy".as_ptr()));
        let event = event(answers, 0);
        let properties = alloc_params(0).poolProps;
        let _ = code!(cuMemPoolCreate(&raw mut pool, &raw const properties));
        let at = allocate(1 << 12);
        answers.must(super::fill(at, 1));
        let graph = new_graph(answers);
        let node = fill(answers, graph, &[], at, 1);
        let exec = instantiate(answers, graph);
        let pooled = of_default_pool(64, other);
        let _ = code!(cuEventRecord(event, other));
        call!(cuCtxSynchronize());
        let pinned = page_locked_bytes(4096, 0);
        Self {
            captured,
            other,
            at,
            pooled,
            pinned,
            event,
            copy,
            module,
            pool,
            graph,
            node,
            exec,
            context: current(),
        }
    }

    fn host(&self) -> *mut c_void {
        std::ptr::with_exposed_provenance_mut(self.pinned as usize)
    }
}

type Ask = fn(&Scene) -> CUresult;

/// The cases: the mode, and whether another thread begins the capture.
const CASES: [(u32, bool); 5] = [(0, false), (0, true), (1, false), (1, true), (2, false)];

/// Asks for the answer of each call in each case. The captured stream has these flags.
fn each_of(answers: &mut Answers, flags: u32, calls: &[Ask]) {
    begun();
    for call in calls {
        let mut list = Vec::new();
        for (mode, is_foreign) in CASES {
            let captured = stream(flags);
            let scene = Scene::new(captured);
            let address = captured.addr();
            // The other thread lives as long as its capture does.
            let (begun, here) = channel();
            let (go, wait) = channel::<()>();
            let own = current().addr();
            let other = is_foreign.then(|| {
                std::thread::spawn(move || {
                    let _ = code!(cuCtxSetCurrent(handle(own)));
                    let _ = begun.send(begin(handle(address), mode));
                    let _ = wait.recv_timeout(Duration::from_secs(20));
                    let _ = end(handle(address));
                })
            });
            let code = if is_foreign { here.recv().unwrap() } else { begin(captured, mode) };
            answers.must(code);
            let code = call(&scene);
            list.push(format!("{}.{}", code.0, status(captured)));
            drop(go);
            if let Some(other) = other {
                other.join().unwrap();
            }
            let _ = end(captured);
        }
        answers.value(list.join(","));
    }
}

fn memory(answers: &mut Answers) {
    each_of(
        answers,
        1,
        &[
            |_| code!(cuMemAlloc_v2(&mut 0, 64)),
            |scene| code!(cuMemFree_v2(scene.at)),
            |_| code!(cuMemAllocPitch_v2(&mut 0, &mut 0, 64, 4, 4)),
            |_| code!(cuMemHostAlloc(&mut null_mut(), 4096, 0)),
            |scene| code!(cuMemFreeHost(scene.host())),
            |_| code!(cuMemHostRegister_v2(pages(1), 4096, 0)),
            |_| code!(cuMemAllocManaged(&mut 0, 4096, 1)),
            |_| code!(cuMemGetInfo_v2(&mut 0, &mut 0)),
            |scene| code!(cuMemGetAddressRange_v2(&mut 0, &mut 0, scene.at)),
            |scene| {
                code!(cuPointerGetAttribute(
                    std::ptr::from_mut(&mut 0_u32).cast(),
                    CUpointer_attribute(2),
                    scene.at
                ))
            },
            |scene| {
                code!(cuPointerSetAttribute(
                    std::ptr::from_ref(&1_u32).cast(),
                    CUpointer_attribute(6),
                    scene.at
                ))
            },
            |scene| code!(cuMemHostGetDevicePointer_v2(&mut 0, scene.host(), 0)),
            |scene| code!(cuMemHostGetFlags(&mut 0, scene.host())),
            |_| code!(cuMemHostUnregister(pages(1))),
        ],
    );
}

fn pools(answers: &mut Answers) {
    each_of(
        answers,
        1,
        &[
            |scene| code!(cuMemAllocAsync(&mut 0, 64, scene.other)),
            |scene| code!(cuMemFreeAsync(scene.pooled, scene.other)),
            |scene| code!(cuMemAllocFromPoolAsync(&mut 0, 64, scene.pool, scene.other)),
            |_| {
                let properties = alloc_params(0).poolProps;
                code!(cuMemPoolCreate(&mut null_mut(), &raw const properties))
            },
            |scene| code!(cuMemPoolDestroy(scene.pool)),
            |scene| code!(cuMemPoolTrimTo(scene.pool, 0)),
            |scene| {
                let attribute = CUmemPool_attribute_enum(4);
                code!(cuMemPoolGetAttribute(scene.pool, attribute, std::ptr::from_mut(&mut 0_u64).cast()))
            },
            |scene| {
                let attribute = CUmemPool_attribute_enum(4);
                code!(cuMemPoolSetAttribute(scene.pool, attribute, std::ptr::from_mut(&mut 0_u64).cast()))
            },
            |scene| code!(cuMemPoolSetAccess(scene.pool, &access(location(DEVICE, 0), READ_WRITE), 1)),
            |_| code!(cuDeviceGetDefaultMemPool(&mut null_mut(), 0)),
            |_| code!(cuDeviceGetMemPool(&mut null_mut(), 0)),
            |scene| code!(cuDeviceSetMemPool(0, scene.pool)),
            |scene| code!(cuMemFree_v2(scene.pooled)),
        ],
    );
}

fn virtual_memory(answers: &mut Answers) {
    each_of(
        answers,
        1,
        &[
            |_| code!(cuMemAddressReserve(&mut 0, 2 << 20, 0, 0, 0)),
            |_| {
                let properties = CUmemAllocationProp {
                    type_: CUmemAllocationType_enum(1),
                    location: location(DEVICE, 0),
                    ..CUmemAllocationProp::default()
                };
                code!(cuMemCreate(&mut 0, 2 << 20, &raw const properties, 0))
            },
            |scene| code!(cuIpcGetMemHandle(&mut CUipcMemHandle::default(), scene.at)),
            |scene| code!(cuIpcGetEventHandle(&mut CUipcEventHandle::default(), scene.event)),
        ],
    );
}

fn managed_memory(answers: &mut Answers) {
    fn at() -> CUdeviceptr {
        use std::sync::OnceLock;
        static AT: OnceLock<CUdeviceptr> = OnceLock::new();
        *AT.get_or_init(|| managed(1 << 16, 1))
    }
    begun();
    at();
    each_of(
        answers,
        1,
        &[
            |_| code!(cuMemAdvise_v2(at(), 1 << 16, CUmem_advise_enum(1), location(DEVICE, 0))),
            |scene| code!(cuMemPrefetchAsync_v2(at(), 1 << 16, location(DEVICE, 0), 0, scene.other)),
            |_| {
                let attribute = CUmem_range_attribute_enum(1);
                code!(cuMemRangeGetAttribute(
                    std::ptr::from_mut(&mut 0_u32).cast(),
                    4,
                    attribute,
                    at(),
                    1 << 16
                ))
            },
            |scene| code!(cuStreamAttachMemAsync(scene.other, at(), 0, 1)),
        ],
    );
}

fn other_stream(answers: &mut Answers) {
    unsafe extern "C" fn nothing(_: CUstream, _: CUresult, _: *mut c_void) {}
    each_of(
        answers,
        1,
        &[
            |scene| code!(cuMemcpyDtoDAsync_v2(scene.at, scene.at + 64, 4, scene.other)),
            |scene| code!(cuMemsetD32Async(scene.at, 1, 1, scene.other)),
            |scene| try_launch(scene.copy, 1, scene.other, &[scene.at, scene.at + 4]),
            |scene| code!(cuLaunchHostFunc(scene.other, Some(count_up), null_mut())),
            |scene| code!(cuStreamAddCallback(scene.other, Some(nothing), null_mut(), 0)),
            |scene| code!(cuEventRecord(scene.event, scene.other)),
            |scene| code!(cuStreamWaitEvent(scene.other, scene.event, 0)),
            |scene| code!(cuStreamWriteValue32_v2(scene.other, scene.at, 1, 0)),
            |scene| code!(cuStreamQuery(scene.other)),
            |scene| code!(cuStreamSynchronize(scene.other)),
            |scene| code!(cuStreamDestroy_v2(scene.other)),
            |scene| code!(cuGraphLaunch(scene.exec, scene.other)),
            |scene| code!(cuGraphUpload(scene.exec, scene.other)),
        ],
    );
}

fn captured_stream(answers: &mut Answers) {
    unsafe extern "C" fn nothing(_: CUstream, _: CUresult, _: *mut c_void) {}
    each_of(
        answers,
        1,
        &[
            |scene| code!(cuStreamQuery(scene.captured)),
            |scene| code!(cuStreamSynchronize(scene.captured)),
            |scene| code!(cuStreamGetFlags(scene.captured, &mut 0)),
            |scene| code!(cuStreamGetPriority(scene.captured, &mut 0)),
            |scene| code!(cuStreamGetId(scene.captured, &mut 0)),
            |scene| code!(cuStreamGetCtx(scene.captured, &mut null_mut())),
            |scene| code!(cuStreamGetDevice(scene.captured, &mut 0)),
            |scene| {
                let mut value = CUlaunchAttributeValue::default();
                code!(cuStreamGetAttribute(scene.captured, CUlaunchAttributeID_enum(3), &raw mut value))
            },
            |scene| {
                let value = CUlaunchAttributeValue { syncPolicy: CUsynchronizationPolicy_enum(2) };
                code!(cuStreamSetAttribute(scene.captured, CUlaunchAttributeID_enum(3), &raw const value))
            },
            |scene| code!(cuStreamCopyAttributes(scene.captured, scene.other)),
            |scene| code!(cuStreamAddCallback(scene.captured, Some(nothing), null_mut(), 0)),
            |scene| code!(cuGraphUpload(scene.exec, scene.captured)),
        ],
    );
}

fn streams_and_events(answers: &mut Answers) {
    each_of(
        answers,
        1,
        &[
            |_| code!(cuStreamCreate(&mut null_mut(), 1)),
            |_| code!(cuStreamCreateWithPriority(&mut null_mut(), 1, 0)),
            |_| code!(cuStreamQuery(null_mut())),
            |_| code!(cuStreamQuery(handle(2))),
            |_| code!(cuStreamSynchronize(null_mut())),
            |_| code!(cuStreamSynchronize(handle(2))),
            |scene| code!(cuStreamIsCapturing(scene.other, &mut CUstreamCaptureStatus_enum(0))),
            |_| code!(cuEventCreate(&mut null_mut(), 0)),
            |scene| code!(cuEventDestroy_v2(scene.event)),
            |scene| code!(cuEventQuery(scene.event)),
            |scene| code!(cuEventSynchronize(scene.event)),
            |scene| code!(cuEventElapsedTime(&mut 0.0, scene.event, scene.event)),
            |scene| code!(cuEventRecord(scene.event, null_mut())),
            |scene| code!(cuStreamWaitEvent(null_mut(), scene.event, 0)),
        ],
    );
}

fn legacy_stream(answers: &mut Answers) {
    each_of(
        answers,
        0,
        &[
            |scene| code!(cuMemcpyDtoD_v2(scene.at, scene.at + 64, 4)),
            |scene| code!(cuMemsetD32_v2(scene.at, 1, 1)),
            |scene| code!(cuMemcpyDtoDAsync_v2(scene.at, scene.at + 64, 4, null_mut())),
            |scene| try_launch(scene.copy, 1, null_mut(), &[scene.at, scene.at + 4]),
            |_| code!(cuLaunchHostFunc(null_mut(), Some(count_up), null_mut())),
            |scene| code!(cuEventRecord(scene.event, null_mut())),
            |scene| code!(cuStreamWaitEvent(null_mut(), scene.event, 0)),
            |_| code!(cuStreamQuery(null_mut())),
            |_| code!(cuStreamSynchronize(null_mut())),
            |_| code!(cuStreamIsCapturing(null_mut(), &mut CUstreamCaptureStatus_enum(0))),
            |_| code!(cuStreamGetFlags(null_mut(), &mut 0)),
            |_| code!(cuStreamGetId(null_mut(), &mut 0)),
            |_| code!(cuStreamGetCtx(null_mut(), &mut null_mut())),
            |scene| code!(cuGraphLaunch(scene.exec, null_mut())),
            |scene| code!(cuGraphUpload(scene.exec, null_mut())),
            |_| code!(cuMemAllocAsync(&mut 0, 64, null_mut())),
            |scene| code!(cuMemFreeAsync(scene.pooled, null_mut())),
            |scene| code!(cuStreamWriteValue32_v2(null_mut(), scene.at, 1, 0)),
            |_| code!(cuCtxSynchronize()),
            |scene| try_launch(scene.copy, 1, handle(2), &[scene.at, scene.at + 4]),
            |_| code!(cuStreamQuery(handle(2))),
        ],
    );
}

fn legacy_copies(answers: &mut Answers) {
    each_of(
        answers,
        0,
        &[
            |scene| code!(cuMemcpyHtoD_v2(scene.at, std::ptr::from_ref(&CASES).cast(), 4)),
            |scene| code!(cuMemcpyDtoH_v2(std::ptr::from_mut(&mut 0_u32).cast(), scene.at, 4)),
            |scene| code!(cuMemcpy(scene.at, scene.at + 64, 4)),
            |scene| {
                let copy = CUDA_MEMCPY2D {
                    srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
                    srcDevice: scene.at,
                    dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
                    dstDevice: scene.at + 256,
                    WidthInBytes: 16,
                    Height: 1,
                    ..CUDA_MEMCPY2D::default()
                };
                code!(cuMemcpy2D_v2(&raw const copy))
            },
            |scene| code!(cuMemcpy3D_v2(&copy_params(scene.at + 256, scene.at, 16))),
            |scene| code!(cuMemsetD8_v2(scene.at, 1, 4)),
            |scene| code!(cuMemsetD2D32_v2(scene.at, 64, 1, 2, 2)),
            |scene| code!(cuMemFree_v2(scene.at)),
            |_| code!(cuModuleLoadData(&mut null_mut(), PTX.as_ptr().cast())),
            |scene| code!(cuMemcpyDtoDAsync_v2(scene.at, scene.at + 64, 4, scene.other)),
        ],
    );
}

fn contexts(answers: &mut Answers) {
    each_of(
        answers,
        1,
        &[
            |_| code!(cuCtxSynchronize()),
            |scene| {
                let mut context = null_mut();
                let code = code!(cuCtxCreate_v2(&raw mut context, 0, 0));
                call!(cuCtxSetCurrent(scene.context));
                code
            },
            |_| {
                let mut bytes = 1024;
                let _ = code!(cuCtxGetLimit(&raw mut bytes, CUlimit_enum(0)));
                code!(cuCtxSetLimit(CUlimit_enum(0), bytes))
            },
            |_| code!(cuCtxGetLimit(&mut 0, CUlimit_enum(0))),
            |_| code!(cuCtxSetCacheConfig(CUfunc_cache_enum(0))),
            |_| code!(cuCtxGetStreamPriorityRange(&mut 0, &mut 0)),
            |scene| {
                let code = code!(cuCtxPushCurrent_v2(scene.context));
                let _ = code!(cuCtxPopCurrent_v2(&mut null_mut()));
                code
            },
            |scene| code!(cuCtxGetApiVersion(scene.context, &mut 0)),
            |_| code!(cuCtxResetPersistingL2Cache()),
            |_| code!(cuDevicePrimaryCtxRetain(&mut null_mut(), 0)),
            |_| code!(cuDevicePrimaryCtxGetState(0, &mut 0, &mut 0)),
            |_| code!(cuDevicePrimaryCtxReset_v2(0)),
            |_| code!(cuDeviceGetAttribute(&mut 0, CUdevice_attribute_enum(1), 0)),
        ],
    );
}

fn modules(answers: &mut Answers) {
    each_of(
        answers,
        1,
        &[
            |_| code!(cuModuleLoadData(&mut null_mut(), PTX.as_ptr().cast())),
            |scene| code!(cuModuleUnload(scene.module)),
            |scene| code!(cuModuleGetFunction(&mut null_mut(), scene.module, c"hold".as_ptr())),
            |scene| code!(cuModuleGetGlobal_v2(&mut 0, &mut 0, scene.module, c"none".as_ptr())),
            |scene| code!(cuFuncGetAttribute(&mut 0, CUfunction_attribute_enum(0), scene.copy)),
            |scene| code!(cuFuncSetAttribute(scene.copy, CUfunction_attribute_enum(8), 0)),
            |scene| code!(cuFuncSetCacheConfig(scene.copy, CUfunc_cache_enum(0))),
            |scene| code!(cuFuncGetModule(&mut null_mut(), scene.copy)),
            |scene| code!(cuFuncLoad(scene.copy)),
            |_| {
                let image = PTX.as_ptr().cast();
                let (options, values) = (null_mut(), null_mut());
                let mut library = null_mut();
                code!(cuLibraryLoadData(
                    &raw mut library,
                    image,
                    null_mut(),
                    null_mut(),
                    0,
                    options,
                    values,
                    0
                ))
            },
            |_| code!(cuLinkCreate_v2(0, null_mut(), null_mut(), &mut null_mut())),
            |scene| {
                let mut blocks = 0;
                code!(cuOccupancyMaxActiveBlocksPerMultiprocessor(&raw mut blocks, scene.copy, 32, 0))
            },
        ],
    );
}

fn arrays(answers: &mut Answers) {
    each_of(
        answers,
        1,
        &[
            |scene| {
                let lazy = {
                    let mut lazy = null_mut();
                    let _ = code!(cuModuleGetFunction(&raw mut lazy, scene.module, c"copy".as_ptr()));
                    lazy
                };
                try_launch(lazy, 1, scene.other, &[scene.at, scene.at + 4])
            },
            |_| {
                let described = CUDA_ARRAY_DESCRIPTOR {
                    Width: 16,
                    Height: 0,
                    Format: CUarray_format_enum::CU_AD_FORMAT_UNSIGNED_INT32,
                    NumChannels: 1,
                };
                code!(cuArrayCreate_v2(&mut null_mut(), &raw const described))
            },
            |_| {
                let described = CUDA_ARRAY3D_DESCRIPTOR {
                    Width: 16,
                    Height: 16,
                    Depth: 0,
                    Format: CUarray_format_enum::CU_AD_FORMAT_UNSIGNED_INT32,
                    NumChannels: 1,
                    Flags: 0,
                };
                code!(cuMipmappedArrayCreate(&mut null_mut(), &raw const described, 2))
            },
        ],
    );
}

fn graphs(answers: &mut Answers) {
    each_of(
        answers,
        1,
        &[
            |_| code!(cuGraphCreate(&mut null_mut(), 0)),
            |scene| try_empty(&mut null_mut(), scene.graph, &[]),
            |scene| {
                let params = fill_params(scene.at, 1, 1);
                let mut node = null_mut();
                code!(cuGraphAddMemsetNode(
                    &raw mut node,
                    scene.graph,
                    null(),
                    0,
                    &raw const params,
                    scene.context
                ))
            },
            |scene| {
                let mut params = alloc_params(64);
                code!(cuGraphAddMemAllocNode(&mut null_mut(), scene.graph, null(), 0, &raw mut params))
            },
            |scene| code!(cuGraphClone(&mut null_mut(), scene.graph)),
            |scene| code!(cuGraphGetNodes(scene.graph, null_mut(), &mut 0)),
            |scene| code!(cuGraphDestroyNode(scene.node)),
            |scene| code!(cuGraphDestroy(scene.graph)),
            |scene| try_instantiate(&mut null_mut(), scene.graph, 0),
            |scene| {
                let mut params = CUDA_GRAPH_INSTANTIATE_PARAMS {
                    flags: 2,
                    hUploadStream: scene.other,
                    ..CUDA_GRAPH_INSTANTIATE_PARAMS::default()
                };
                code!(cuGraphInstantiateWithParams(&mut null_mut(), scene.graph, &raw mut params))
            },
            |scene| {
                let mut info = CUgraphExecUpdateResultInfo::default();
                code!(cuGraphExecUpdate_v2(scene.exec, scene.graph, &raw mut info))
            },
            |scene| {
                let params = fill_params(scene.at, 2, 1);
                code!(cuGraphExecMemsetNodeSetParams(
                    scene.exec,
                    scene.node,
                    &raw const params,
                    scene.context
                ))
            },
            |scene| code!(cuGraphNodeSetEnabled(scene.exec, scene.node, 0)),
            |scene| code!(cuGraphExecGetFlags(scene.exec, &mut 0)),
            |scene| code!(cuGraphExecDestroy(scene.exec)),
            |_| code!(cuUserObjectCreate(&mut null_mut(), null_mut(), Some(count_up), 1, 1)),
            |_| code!(cuDeviceGraphMemTrim(0)),
            |_| {
                let mut value = 0_u64;
                code!(cuDeviceGetGraphMemAttribute(0, CUgraphMem_attribute_enum(0), (&raw mut value).cast()))
            },
            |scene| code!(cuGraphDebugDotPrint(scene.graph, c"/dev/null".as_ptr(), 0)),
        ],
    );
}

fn more_graphs(answers: &mut Answers) {
    each_of(
        answers,
        1,
        &[
            |scene| {
                with_kernel(scene.copy, &[scene.at, scene.at], |params| {
                    code!(cuGraphAddKernelNode_v2(&mut null_mut(), scene.graph, null(), 0, params))
                })
            },
            |scene| code!(cuGraphConditionalHandleCreate(&mut 0, scene.graph, scene.context, 0, 0)),
            |scene| {
                let mut child = null_mut();
                let _ = code!(cuGraphCreate(&raw mut child, 0));
                code!(cuGraphAddChildGraphNode(&mut null_mut(), scene.graph, null(), 0, child))
            },
            |scene| {
                let code = begin(scene.other, 0);
                let _ = end(scene.other);
                code
            },
            |scene| end(scene.other).0,
            |_| {
                let mut mode = CUstreamCaptureMode_enum(0);
                code!(cuThreadExchangeStreamCaptureMode(&raw mut mode))
            },
        ],
    );
}

fn first_launch(answers: &mut Answers) {
    each_of(
        answers,
        1,
        &[
            |scene| try_launch(scene.copy, 1, scene.captured, &[scene.at, scene.at + 4]),
            |scene| {
                let found = function_of(scene.module);
                try_launch(found, 1, scene.captured, &[scene.at, scene.at + 4])
            },
        ],
    );
    let _ = function(PTX, c"copy");
}

fn function_of(module: CUmodule) -> CUfunction {
    let mut function = null_mut();
    let _ = code!(cuModuleGetFunction(&raw mut function, module, c"late".as_ptr()));
    function
}
