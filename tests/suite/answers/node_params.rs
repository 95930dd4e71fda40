//! Questions about the parameters that nodes are read back with, and about the generic setter.

#![allow(non_snake_case)] // fields of the API are so called
use super::graph_nodes::each_kind;
use super::graph_scenes::*;
use super::memory::page_locked_bytes;
use super::{Answers, PTX, Question, READ_WRITE, access, capturing, fault, location};
use core::ffi::c_void;
use cuda_suite::raw::{allocate, context, current, function};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::{null, null_mut};

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "node-params-captured-kernels", devices: 1, ask: captured_kernels },
    Question { name: "node-params-packed", devices: 1, ask: packed },
    Question { name: "node-params-library", devices: 1, ask: library },
    Question { name: "node-params-library-unloaded", devices: 1, ask: library_unloaded },
    Question { name: "node-params-module-unloaded", devices: 1, ask: module_unloaded },
    Question { name: "node-params-captured-copies", devices: 1, ask: captured_copies },
    Question { name: "node-params-events", devices: 1, ask: events },
    Question { name: "node-params-host", devices: 1, ask: host_function },
    Question { name: "node-params-allocations", devices: 1, ask: allocations },
    Question { name: "node-params-operations", devices: 1, ask: operations },
    Question { name: "node-params-semaphores", devices: 1, ask: semaphores },
    Question { name: "node-params-sticky", devices: 1, ask: sticky },
    Question { name: "node-params-no-current", devices: 1, ask: no_current },
    Question { name: "node-params-no-current-set", devices: 1, ask: no_current_set },
    Question { name: "node-params-capturing", devices: 1, ask: while_capturing },
    Question { name: "node-params-null-places", devices: 1, ask: null_places },
    Question { name: "node-params-set-child", devices: 1, ask: set_child },
    Question { name: "node-params-set-fixed", devices: 1, ask: set_fixed },
    Question { name: "node-params-set-fill", devices: 1, ask: set_fill },
    Question { name: "node-params-set-kernel", devices: 1, ask: set_kernel },
    Question { name: "node-params-set-reserved", devices: 1, ask: set_reserved },
    Question { name: "device-scisync", devices: 1, ask: scisync },
    Question { name: "device-async-notification", devices: 1, ask: notification },
];

/// Reads a kernel node: whether function, kernel, context, parameters and further parameters are there.
fn kernel_of(node: CUgraphNode) -> (CUresult, CUDA_KERNEL_NODE_PARAMS) {
    let mut read = CUDA_KERNEL_NODE_PARAMS::default();
    (code!(cuGraphKernelNodeGetParams_v2(node, &raw mut read)), read)
}

fn shown(read: &CUDA_KERNEL_NODE_PARAMS, function: CUfunction) -> String {
    format!(
        "{},{},{},{},{},{}x{}",
        read.func == function,
        read.kern.is_null(),
        read.ctx == current(),
        read.kernelParams.is_null(),
        read.extra.is_null(),
        read.gridDimX,
        read.blockDimX
    )
}

/// The list of a launch whose arguments are so many bytes in one piece.
fn extra(bytes: &mut [u8], len: &mut usize) -> [*mut c_void; 5] {
    [
        CU_LAUNCH_PARAM_BUFFER_POINTER,
        bytes.as_mut_ptr().cast(),
        CU_LAUNCH_PARAM_BUFFER_SIZE,
        std::ptr::from_mut(len).cast(),
        CU_LAUNCH_PARAM_END,
    ]
}

fn launch(function: CUfunction, on: CUstream, params: *mut *mut c_void, extra: *mut *mut c_void) -> CUresult {
    code!(cuLaunchKernel(function, 2, 1, 1, 3, 1, 1, 0, on, params, extra))
}

fn captured_kernels(answers: &mut Answers) {
    let on = begun();
    let (copy, wrong, mut at) = (copier(), function(PTX, c"wrong"), allocate(64));
    let mut bytes = [at.to_ne_bytes(), at.to_ne_bytes()].concat();
    let mut len = bytes.len();
    let mut pointers: [*mut c_void; 2] = [(&raw mut at).cast(); 2];
    answers.must(begin(on, 0));
    answers.codes([
        launch(copy, on, pointers.as_mut_ptr(), null_mut()),
        launch(copy, on, null_mut(), extra(&mut bytes, &mut len).as_mut_ptr()),
        launch(wrong, on, null_mut(), null_mut()),
    ]);
    let (code, graph) = end(on);
    answers.must(code);
    for (node, function) in nodes(graph).into_iter().zip([copy, copy, wrong]) {
        let (code, read) = kernel_of(node);
        answers.given(code, shown(&read, function));
        let again = kernel_of(node).1;
        answers.value(again.kernelParams == read.kernelParams && again.extra == read.extra);
    }
}

fn packed(answers: &mut Answers) {
    begun();
    let (graph, at) = (new_graph(answers), allocate(64));
    let mut bytes = [at.to_ne_bytes(), at.to_ne_bytes(), [0; 8]].concat();
    for (name, given) in [(c"copy", 16), (c"copy", 24), (c"copy", 8), (c"wrong", 0)] {
        let (mut node, mut len) = (null_mut(), given);
        let mut list = extra(&mut bytes, &mut len);
        let code = with_kernel(function(PTX, name), &[], |params| {
            params.extra = list.as_mut_ptr();
            code!(cuGraphAddKernelNode_v2(&raw mut node, graph, null(), 0, params))
        });
        if !answers.code(code) {
            continue;
        }
        let read = kernel_of(node).1;
        if read.extra.is_null() {
            answers.value(format_args!("none,{}", read.kernelParams.is_null()));
            continue;
        }
        // SAFETY: the driver's list of two options and its end.
        let list = unsafe { std::slice::from_raw_parts(read.extra, 5) };
        let keys = [list[0].addr(), list[2].addr(), list[4].addr()];
        let size = if keys[0] == 2 { list[1] } else { list[3] };
        // SAFETY: the option points to the size.
        let size = unsafe { *size.cast::<usize>() };
        answers.value(format_args!("{keys:?}/{size}").to_string().replace(' ', ""));
    }
}

/// Loads the kernels as a library.
fn loaded(answers: &mut Answers) -> CUlibrary {
    let (mut library, image) = (null_mut(), PTX.as_ptr().cast());
    let none = null_mut();
    answers.must(code!(cuLibraryLoadData(
        &raw mut library,
        image,
        none,
        null_mut(),
        0,
        null_mut(),
        null_mut(),
        0
    )));
    library
}

fn library(answers: &mut Answers) {
    let on = begun();
    let library = loaded(answers);
    let (mut module, mut own, mut kernel_handle, mut of_kernel) =
        (null_mut(), null_mut(), null_mut(), null_mut());
    answers.must(code!(cuLibraryGetModule(&raw mut module, library)));
    answers.must(code!(cuModuleGetFunction(&raw mut own, module, c"copy".as_ptr())));
    let (graph, at) = (new_graph(answers), allocate(64));
    let node = kernel(answers, graph, &[], own, &[at, at]);
    let read = kernel_of(node).1;
    answers.must(code!(cuLibraryGetKernel(&raw mut kernel_handle, library, c"copy".as_ptr())));
    answers.must(code!(cuKernelGetFunction(&raw mut of_kernel, kernel_handle)));
    answers.value(format_args!("{},{}", read.func == own, read.kern == kernel_handle));
    for launched in [kernel_handle.cast(), of_kernel] {
        let mut at = at;
        let mut pointers: [*mut c_void; 2] = [(&raw mut at).cast(); 2];
        answers.must(begin(on, 0));
        answers.code(launch(launched, on, pointers.as_mut_ptr(), null_mut()));
        let (code, graph) = end(on);
        answers.must(code);
        let (code, read) = kernel_of(nodes(graph)[0]);
        answers.given(code, format_args!("{},{}", read.func == of_kernel, read.kern == kernel_handle));
        let mut old = CUDA_KERNEL_NODE_PARAMS_v1::default();
        let code = code!(cuGraphKernelNodeGetParams(nodes(graph)[0], &raw mut old));
        answers.given(code, old.func == of_kernel);
    }
}

fn library_unloaded(answers: &mut Answers) {
    begun();
    let library = loaded(answers);
    let (mut kernel_handle, mut of_kernel) = (null_mut(), null_mut());
    answers.must(code!(cuLibraryGetKernel(&raw mut kernel_handle, library, c"copy".as_ptr())));
    answers.must(code!(cuKernelGetFunction(&raw mut of_kernel, kernel_handle)));
    let (graph, at) = (new_graph(answers), allocate(64));
    let node = kernel(answers, graph, &[], of_kernel, &[at, at]);
    answers.codes([code!(cuLibraryUnload(library)), kernel_of(node).0]);
}

fn module_unloaded(answers: &mut Answers) {
    begun();
    let (mut module, mut own) = (null_mut(), null_mut());
    answers.must(code!(cuModuleLoadData(&raw mut module, PTX.as_ptr().cast())));
    answers.must(code!(cuModuleGetFunction(&raw mut own, module, c"copy".as_ptr())));
    let (graph, at) = (new_graph(answers), allocate(64));
    let node = kernel(answers, graph, &[], own, &[at, at]);
    answers.code(code!(cuModuleUnload(module)));
    let (code, read) = kernel_of(node);
    answers.given(code, shown(&read, own));
    answers.codes([
        code!(cuFuncGetName(&mut null(), read.func)),
        code!(cuGraphClone(&mut null_mut(), graph)),
        code!(cuGraphDebugDotPrint(graph, c"/dev/null".as_ptr(), 1)),
    ]);
}

fn captured_copies(answers: &mut Answers) {
    let on = begun();
    let (at, pinned) = (allocate(4096), page_locked_bytes(4096, 0));
    let host: *mut c_void = std::ptr::with_exposed_provenance_mut(pinned as usize);
    let pageable = Box::leak(Box::new([0_u8; 64]));
    let described = CUDA_ARRAY_DESCRIPTOR {
        Width: 64,
        Height: 64,
        Format: CUarray_format_enum::CU_AD_FORMAT_FLOAT,
        NumChannels: 1,
    };
    let mut array = null_mut();
    answers.must(code!(cuArrayCreate_v2(&raw mut array, &raw const described)));
    let to_array = CUDA_MEMCPY2D {
        srcXInBytes: 16,
        srcY: 1,
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
        srcDevice: at,
        srcPitch: 256,
        dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_ARRAY,
        dstArray: array,
        WidthInBytes: 64,
        Height: 2,
        ..CUDA_MEMCPY2D::default()
    };
    let to_any = CUDA_MEMCPY2D {
        dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_UNIFIED,
        dstDevice: pinned,
        dstPitch: 128,
        ..to_array
    };
    let calls: [&dyn Fn() -> CUresult; 10] = [
        &|| code!(cuMemcpyHtoDAsync_v2(at, host, 64, on)),
        &|| code!(cuMemcpyDtoHAsync_v2(host, at, 64, on)),
        &|| code!(cuMemcpyDtoDAsync_v2(at, at + 1024, 64, on)),
        &|| code!(cuMemcpyAsync(at, pinned, 64, on)),
        &|| code!(cuMemcpyAsync(at, at + 1024, 64, on)),
        &|| code!(cuMemcpyHtoDAsync_v2(at, pageable.as_ptr().cast(), 64, on)),
        &|| code!(cuMemcpyHtoAAsync_v2(array, 8, host, 64, on)),
        &|| code!(cuMemcpyAtoHAsync_v2(host, array, 8, 64, on)),
        &|| code!(cuMemcpy2DAsync_v2(&raw const to_array, on)),
        &|| code!(cuMemcpy2DAsync_v2(&raw const to_any, on)),
    ];
    for copy in calls {
        answers.must(begin(on, 2));
        answers.code(copy());
        let (code, graph) = end(on);
        answers.must(code);
        let mut read = CUDA_MEMCPY3D::default();
        let code = code!(cuGraphMemcpyNodeGetParams(nodes(graph)[0], &raw mut read));
        answers.given(
            code,
            format_args!(
                "{}.{}.{}.{}>{}.{}.{}.{}/{}x{}x{}",
                read.srcMemoryType.0,
                read.srcXInBytes,
                read.srcPitch,
                read.srcHeight,
                read.dstMemoryType.0,
                read.dstXInBytes,
                read.dstPitch,
                read.dstHeight,
                read.WidthInBytes,
                read.Height,
                read.Depth
            ),
        );
    }
}

fn events(answers: &mut Answers) {
    begun();
    let (graph, event) = (new_graph(answers), event(answers, 2));
    let record = made(answers, |node| code!(cuGraphAddEventRecordNode(node, graph, null(), 0, event)));
    let wait = made(answers, |node| code!(cuGraphAddEventWaitNode(node, graph, null(), 0, event)));
    answers.code(code!(cuEventDestroy_v2(event)));
    let mut read = null_mut();
    let code = code!(cuGraphEventRecordNodeGetEvent(record, &raw mut read));
    answers.given(code, read == event);
    let code = code!(cuGraphEventWaitNodeGetEvent(wait, &raw mut read));
    answers.given(code, read == event);
}

fn host_function(answers: &mut Answers) {
    let (on, word) = (begun(), counter());
    answers.must(begin(on, 0));
    answers.code(code!(cuLaunchHostFunc(on, Some(count_up), address(word))));
    let (code, graph) = end(on);
    answers.must(code);
    let mut read = CUDA_HOST_NODE_PARAMS::default();
    let code = code!(cuGraphHostNodeGetParams(nodes(graph)[0], &raw mut read));
    let same = read.fn_.is_some_and(|found| found as usize == count_up as *const () as usize);
    answers.given(code, format_args!("{same},{}", read.userData == address(word)));
}

fn allocations(answers: &mut Answers) {
    let on = begun();
    let graph = new_graph(answers);
    let own = access(location(super::DEVICE, 0), READ_WRITE);
    for count in [0, 1] {
        let mut given = alloc_params(100);
        (given.accessDescs, given.accessDescCount) = (&raw const own, count);
        let node =
            made(answers, |node| code!(cuGraphAddMemAllocNode(node, graph, null(), 0, &raw mut given)));
        let mut read = alloc_params(0);
        let code = code!(cuGraphMemAllocNodeGetParams(node, &raw mut read));
        answers.given(code, format_args!("{},{}", read.dptr == given.dptr, allocated(&read)));
        answers.value(read.accessDescs == &raw const own);
    }
    let mut at = 0;
    answers.must(begin(on, 0));
    answers.code(code!(cuMemAllocAsync(&raw mut at, 100, on)));
    let (code, graph) = end(on);
    answers.must(code);
    let mut read = alloc_params(0);
    let code = code!(cuGraphMemAllocNodeGetParams(nodes(graph)[0], &raw mut read));
    answers.given(code, format_args!("{},{}", read.dptr == at, allocated(&read)));
}

/// The size, the kind and place of the memory, and the access that was asked for.
fn allocated(read: &CUDA_MEM_ALLOC_NODE_PARAMS) -> String {
    let props = &read.poolProps;
    // SAFETY: places of devices hold a number.
    let place = unsafe { props.location.__bindgen_anon_1.id };
    let list = if read.accessDescCount == 0 {
        &[]
    } else {
        // SAFETY: the driver's list is this long.
        unsafe { std::slice::from_raw_parts(read.accessDescs, read.accessDescCount) }
    };
    let list: Vec<String> =
        list.iter().map(|access| format!("{}.{}", access.location.type_.0, access.flags.0)).collect();
    let (kind, at, handles) = (props.allocType.0, props.location.type_.0, props.handleTypes.0);
    format!("{},{kind}.{at}.{place}.{handles},{}", read.bytesize, list.join("+"))
}

fn operations(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    answers.must(begin(on, 0));
    answers.code(code!(cuStreamWriteValue32_v2(on, at, 3, 0)));
    let (code, graph) = end(on);
    answers.must(code);
    let node = nodes(graph)[0];
    let mut read = CUDA_BATCH_MEM_OP_NODE_PARAMS::default();
    let code = code!(cuGraphBatchMemOpNodeGetParams(node, &raw mut read));
    if answers.code(code) {
        // SAFETY: the driver's list of one operation.
        let first = unsafe { *read.paramArray };
        // SAFETY: each kind begins with its number.
        let operation = unsafe { first.operation };
        answers.value(format_args!("{},{},{}", read.count, operation.0, read.ctx == current()));
    }
    let mut again = CUDA_BATCH_MEM_OP_NODE_PARAMS::default();
    let code = code!(cuGraphBatchMemOpNodeGetParams(node, &raw mut again));
    answers.given(code, again.paramArray == read.paramArray);
}

fn semaphores(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    let other = empty(answers, graph, &[]);
    for node in [null_mut(), other] {
        answers.codes([
            code!(cuGraphExternalSemaphoresSignalNodeGetParams(
                node,
                &mut CUDA_EXT_SEM_SIGNAL_NODE_PARAMS::default()
            )),
            code!(cuGraphExternalSemaphoresWaitNodeGetParams(
                node,
                &mut CUDA_EXT_SEM_WAIT_NODE_PARAMS::default()
            )),
        ]);
    }
}

/// Reads each node by the function of its kind.
fn read_each(answers: &mut Answers, all: &[CUgraphNode]) {
    let codes = [
        code!(cuGraphKernelNodeGetParams_v2(all[0], &mut CUDA_KERNEL_NODE_PARAMS::default())),
        code!(cuGraphKernelNodeGetParams(all[0], &mut CUDA_KERNEL_NODE_PARAMS_v1::default())),
        code!(cuGraphMemcpyNodeGetParams(all[1], &mut CUDA_MEMCPY3D::default())),
        code!(cuGraphMemsetNodeGetParams(all[2], &mut CUDA_MEMSET_NODE_PARAMS::default())),
        code!(cuGraphHostNodeGetParams(all[3], &mut CUDA_HOST_NODE_PARAMS::default())),
        code!(cuGraphChildGraphNodeGetGraph(all[4], &mut null_mut())),
        code!(cuGraphNodeGetType(all[5], &mut CUgraphNodeType_enum(9))),
        code!(cuGraphEventWaitNodeGetEvent(all[6], &mut null_mut())),
        code!(cuGraphEventRecordNodeGetEvent(all[7], &mut null_mut())),
        code!(cuGraphBatchMemOpNodeGetParams(all[8], &mut CUDA_BATCH_MEM_OP_NODE_PARAMS::default())),
        code!(cuGraphMemAllocNodeGetParams(all[9], &mut alloc_params(0))),
        code!(cuGraphMemFreeNodeGetParams(all[10], &mut 0)),
    ];
    answers.value(codes.map(|code| code.0.to_string()).join(","));
}

fn sticky(answers: &mut Answers) {
    begun();
    let (_, all) = each_kind(answers);
    fault();
    read_each(answers, &all);
}

fn nothing_current() {
    while code!(cuCtxPopCurrent_v2(&mut null_mut())).is_success() {}
}

fn no_current(answers: &mut Answers) {
    begun();
    let (_, all) = each_kind(answers);
    nothing_current();
    read_each(answers, &all);
}

fn no_current_set(answers: &mut Answers) {
    begun();
    let (graph, copy, at) = (new_graph(answers), copier(), allocate(64));
    let node = kernel(answers, graph, &[], copy, &[at, at]);
    nothing_current();
    answers.code(with_kernel(copy, &[at, at], |params| code!(cuGraphKernelNodeSetParams_v2(node, params))));
}

fn while_capturing(answers: &mut Answers) {
    begun();
    let (_, all) = each_kind(answers);
    let copy = copier();
    capturing(answers, |answers| {
        read_each(answers, &all);
        answers.code(code!(cuFuncGetParamInfo(copy, 0, &mut 0, &mut 0)));
    });
}

fn null_places(answers: &mut Answers) {
    begun();
    let (_, all) = each_kind(answers);
    answers.codes([
        code!(cuGraphKernelNodeGetParams(all[0], null_mut())),
        code!(cuGraphMemcpyNodeGetParams(all[1], null_mut())),
        code!(cuGraphMemsetNodeGetParams(all[2], null_mut())),
        code!(cuGraphHostNodeGetParams(all[3], null_mut())),
        code!(cuGraphChildGraphNodeGetGraph(all[4], null_mut())),
        code!(cuGraphEventWaitNodeGetEvent(all[6], null_mut())),
        code!(cuGraphEventRecordNodeGetEvent(all[7], null_mut())),
        code!(cuGraphBatchMemOpNodeGetParams(all[8], null_mut())),
        code!(cuGraphMemAllocNodeGetParams(all[9], null_mut())),
        code!(cuGraphMemFreeNodeGetParams(all[10], null_mut())),
    ]);
}

/// Parameters of a node of any kind, by its number.
fn params(kind: u32, fill: impl FnOnce(&mut CUgraphNodeParams_st__bindgen_ty_1)) -> CUgraphNodeParams {
    let mut params = CUgraphNodeParams { type_: CUgraphNodeType_enum(kind), ..CUgraphNodeParams::default() };
    fill(&mut params.__bindgen_anon_1);
    params
}

fn child_params(graph: CUgraph) -> CUgraphNodeParams {
    params(4, |params| {
        params.graph =
            CUDA_CHILD_GRAPH_NODE_PARAMS { graph, ownership: CUgraphChildGraphNodeOwnership_enum(0) };
    })
}

fn set(node: CUgraphNode, mut params: CUgraphNodeParams) -> CUresult {
    code!(cuGraphNodeSetParams(node, &raw mut params))
}

fn set_child(answers: &mut Answers) {
    begun();
    let (graph, one, two) = (new_graph(answers), new_graph(answers), new_graph(answers));
    empty(answers, one, &[]);
    let first = empty(answers, two, &[]);
    empty(answers, two, &[first]);
    let node = child(answers, graph, &[], one);
    let inner = || {
        let mut inner = null_mut();
        call!(cuGraphChildGraphNodeGetGraph(node, &raw mut inner));
        inner
    };
    let before = inner();
    if answers.code(set(node, child_params(two))) {
        answers.value(format_args!("{},{}", inner() == before, inner() == two));
        answers.value(shape(inner()));
    }
    answers.code(set(node, child_params(null_mut())));
    answers.value(shape(inner()));
    answers.code(try_instantiate(&mut null_mut(), graph, 0));
}

fn set_fixed(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    let mut handle = 0;
    answers.must(code!(cuGraphConditionalHandleCreate(&raw mut handle, graph, current(), 0, 0)));
    let mut choice = params(13, |params| {
        params.conditional =
            CUDA_CONDITIONAL_NODE_PARAMS { handle, size: 1, ctx: current(), ..Default::default() };
    });
    let node =
        made(answers, |node| code!(cuGraphAddNode_v2(node, graph, null(), null(), 0, &raw mut choice)));
    answers.code(set(node, choice));
    let (node, at) = alloc(answers, graph, &[], 64);
    let given = alloc_params(64);
    answers.code(set(
        node,
        params(10, |params| {
            params.alloc = CUDA_MEM_ALLOC_NODE_PARAMS_v2 {
                poolProps: given.poolProps,
                accessDescs: null(),
                accessDescCount: 0,
                bytesize: 64,
                dptr: 0,
            };
        }),
    ));
    let freed = free(answers, graph, &[node], at);
    answers.code(set(freed, params(11, |params| params.free = CUDA_MEM_FREE_NODE_PARAMS { dptr: at })));
}

fn set_fill(answers: &mut Answers) {
    begun();
    let (own, at) = (current(), allocate(64));
    let other = context(0);
    let far = allocate(64);
    call!(cuCtxSetCurrent(own));
    let graph = new_graph(answers);
    let node = fill(answers, graph, &[], at, 1);
    let with = |dst, ctx| {
        params(2, |params| {
            params.memset = CUDA_MEMSET_NODE_PARAMS_v2 {
                dst,
                pitch: 0,
                value: 2,
                elementSize: 4,
                width: 1,
                height: 1,
                ctx,
            };
        })
    };
    let untidy = params(2, |params| {
        let CUgraphNodeParams { __bindgen_anon_1: usual, .. } = with(at, own);
        params.reserved1 = [1; 29];
        // SAFETY: it was written as such.
        params.memset = unsafe { usual.memset };
    });
    answers.codes([
        set(node, with(at, own)),
        set(node, with(at, null_mut())),
        set(node, with(far, other)),
        set(node, with(far, own)),
        set(node, with(at, other)),
        set(node, untidy),
    ]);
    nothing_current();
    answers.codes([set(node, with(at, own)), set(node, with(at, null_mut()))]);
}

fn kernel_params(function: CUfunction, at: &mut [*mut c_void; 2], ctx: CUcontext) -> CUgraphNodeParams {
    params(0, |params| {
        params.kernel = CUDA_KERNEL_NODE_PARAMS_v3 {
            func: function,
            gridDimX: 1,
            gridDimY: 1,
            gridDimZ: 1,
            blockDimX: 1,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: 0,
            kernelParams: at.as_mut_ptr(),
            extra: null_mut(),
            kern: null_mut(),
            ctx,
        };
    })
}

fn set_kernel(answers: &mut Answers) {
    begun();
    let (own, copy, mut at) = (current(), copier(), allocate(64));
    let mut pointers: [*mut c_void; 2] = [(&raw mut at).cast(); 2];
    let graph = new_graph(answers);
    let node = kernel(answers, graph, &[], copy, &[at, at]);
    answers.codes([
        set(node, kernel_params(copy, &mut pointers, null_mut())),
        set(node, kernel_params(copy, &mut pointers, own)),
        set(node, kernel_params(null_mut(), &mut pointers, own)),
    ]);
    let mut wide = kernel_params(copy, &mut pointers, own);
    // SAFETY: it was written as such.
    unsafe { &mut wide.__bindgen_anon_1.kernel }.gridDimX = 0;
    answers.code(set(node, wide));
    let (code, read) = kernel_of(node);
    answers.given(code, shown(&read, copy));
}

fn set_reserved(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    let word = counter();
    let node = host(answers, graph, &[], word);
    let given = params(3, |params| {
        params.host =
            CUDA_HOST_NODE_PARAMS_v2 { fn_: Some(count_up), userData: address(word), ..Default::default() };
    });
    answers.codes([
        set(node, given),
        set(node, CUgraphNodeParams { reserved2: 1, ..given }),
        set(node, CUgraphNodeParams { reserved0: [1, 0, 0], ..given }),
        set(node, CUgraphNodeParams { type_: CUgraphNodeType_enum(99), ..given }),
        set(null_mut(), given),
    ]);
}

fn scisync(answers: &mut Answers) {
    begun();
    let mut attributes = [0_u64; 64];
    let list: *mut c_void = attributes.as_mut_ptr().cast();
    answers.codes([
        code!(cuDeviceGetNvSciSyncAttributes(list, 0, 1)),
        code!(cuDeviceGetNvSciSyncAttributes(list, 0, 2)),
        code!(cuDeviceGetNvSciSyncAttributes(list, 0, 3)),
        code!(cuDeviceGetNvSciSyncAttributes(list, 0, 0)),
        code!(cuDeviceGetNvSciSyncAttributes(list, 0, 4)),
        code!(cuDeviceGetNvSciSyncAttributes(null_mut(), 0, 1)),
        code!(cuDeviceGetNvSciSyncAttributes(list, 99, 1)),
        code!(cuDeviceGetNvSciSyncAttributes(null_mut(), 99, 0)),
    ]);
}

unsafe extern "C" fn ignored(_: *mut CUasyncNotificationInfo, _: *mut c_void, _: CUasyncCallbackHandle) {}

fn notification(answers: &mut Answers) {
    begun();
    let (mut first, mut second) = (null_mut(), null_mut());
    let function: CUasyncCallback = Some(ignored);
    let none = null_mut();
    answers.codes([
        code!(cuDeviceRegisterAsyncNotification(0, function, none, &raw mut first)),
        code!(cuDeviceRegisterAsyncNotification(0, function, none, &raw mut second)),
    ]);
    answers.value(format_args!("{},{}", first.is_null(), first == second));
    answers.codes([
        code!(cuDeviceRegisterAsyncNotification(0, None, none, &mut null_mut())),
        code!(cuDeviceRegisterAsyncNotification(99, function, none, &mut null_mut())),
        code!(cuDeviceUnregisterAsyncNotification(99, second)),
        code!(cuDeviceUnregisterAsyncNotification(0, second)),
    ]);
    nothing_current();
    answers.codes([
        code!(cuDeviceUnregisterAsyncNotification(0, first)),
        code!(cuDeviceRegisterAsyncNotification(0, function, none, &raw mut first)),
    ]);
}
