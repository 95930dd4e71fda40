//! Questions about the nodes of graphs: adding, reading and changing them.

#![allow(non_snake_case)] // fields of the API are so called
use super::graph_scenes::*;
use super::memory::{managed, of_default_pool, page_locked_bytes};
use super::{Answers, PTX, Question};
use core::ffi::c_void;
use cuda_suite::raw::{allocate, context, current};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::{null, null_mut};

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "graph-node-null-graphs", devices: 1, ask: null_graphs },
    Question { name: "graph-node-null-nodes", devices: 1, ask: null_nodes },
    Question { name: "graph-node-null-adds", devices: 1, ask: null_adds },
    Question { name: "graph-node-null-execs", devices: 1, ask: null_execs },
    Question { name: "graph-node-null-update-result", devices: 1, ask: null_update_result },
    Question { name: "graph-node-null-places", devices: 1, ask: null_places },
    Question { name: "graph-node-stale-graph", devices: 1, ask: stale_graph },
    Question { name: "graph-node-stale-graph-again", devices: 1, ask: stale_graph_again },
    Question { name: "graph-node-stale-graph-add", devices: 1, ask: stale_graph_add },
    Question { name: "graph-node-stale-node", devices: 1, ask: stale_node },
    Question { name: "graph-node-stale-node-again", devices: 1, ask: stale_node_again },
    Question { name: "graph-node-stale-node-dependency", devices: 1, ask: stale_node_dependency },
    Question { name: "graph-node-stale-node-of-graph", devices: 1, ask: stale_node_of_graph },
    Question { name: "graph-node-stale-exec", devices: 1, ask: stale_exec },
    Question { name: "graph-node-stale-exec-again", devices: 1, ask: stale_exec_again },
    Question { name: "graph-node-dependencies", devices: 1, ask: dependencies },
    Question { name: "graph-node-kinds", devices: 1, ask: kinds },
    Question { name: "graph-node-kinds-set", devices: 1, ask: kinds_set },
    Question { name: "graph-node-kernel-read", devices: 1, ask: kernel_read },
    Question { name: "graph-node-kernel-refused", devices: 1, ask: kernel_refused },
    Question { name: "graph-node-kernel-without", devices: 1, ask: kernel_without },
    Question { name: "graph-node-copies-memory", devices: 1, ask: copies_memory },
    Question { name: "graph-node-copies-refused", devices: 1, ask: copies_refused },
    Question { name: "graph-node-node-contexts", devices: 1, ask: node_contexts },
    Question { name: "graph-node-fills", devices: 1, ask: fills },
    Question { name: "graph-node-host-nodes", devices: 1, ask: host_nodes },
    Question { name: "graph-node-children", devices: 1, ask: children },
    Question { name: "graph-node-child-itself", devices: 1, ask: child_itself },
    Question { name: "graph-node-child-destroyed", devices: 1, ask: child_destroyed },
    Question { name: "graph-node-child-moved", devices: 1, ask: child_moved },
    Question { name: "graph-node-clones", devices: 1, ask: clones },
    Question { name: "graph-node-event-nodes", devices: 1, ask: event_nodes },
    Question { name: "graph-node-semaphore-nodes", devices: 1, ask: semaphore_nodes },
    Question { name: "graph-node-memory-operation-nodes", devices: 1, ask: memory_operation_nodes },
    Question { name: "graph-node-generic", devices: 1, ask: generic },
    Question { name: "graph-node-generic-set", devices: 1, ask: generic_set },
    Question { name: "graph-node-attributes", devices: 1, ask: attributes },
    Question { name: "graph-node-attribute-values", devices: 1, ask: attribute_values },
    Question { name: "graph-node-identifiers", devices: 1, ask: identifiers },
    Question { name: "graph-node-dot", devices: 1, ask: dot },
    Question { name: "graph-node-module-unloaded", devices: 1, ask: module_unloaded },
    Question { name: "graph-node-module-unloaded-launch", devices: 1, ask: module_unloaded_launch },
];

fn null_graphs(answers: &mut Answers) {
    begun();
    let none: CUgraph = null_mut();
    let mut count = 0;
    answers.codes([
        code!(cuGraphGetNodes(none, null_mut(), &raw mut count)),
        code!(cuGraphGetRootNodes(none, null_mut(), &raw mut count)),
        code!(cuGraphGetEdges_v2(none, null_mut(), null_mut(), null_mut(), &raw mut count)),
        code!(cuGraphClone(&mut null_mut(), none)),
        code!(cuGraphDestroy(none)),
        code!(cuGraphDebugDotPrint(none, c"/dev/null".as_ptr(), 0)),
        try_instantiate(&mut null_mut(), none, 0),
        code!(cuGraphGetId(none, &mut 0)),
        code!(cuGraphCreate(null_mut(), 0)),
        code!(cuGraphCreate(&mut null_mut(), 1)),
    ]);
}

fn null_nodes(answers: &mut Answers) {
    begun();
    let none: CUgraphNode = null_mut();
    let mut count = 0;
    let mut value = CUlaunchAttributeValue::default();
    answers.codes([
        code!(cuGraphNodeGetType(none, &mut CUgraphNodeType_enum(0))),
        code!(cuGraphNodeGetDependencies_v2(none, null_mut(), null_mut(), &raw mut count)),
        code!(cuGraphNodeGetDependentNodes_v2(none, null_mut(), null_mut(), &raw mut count)),
        code!(cuGraphDestroyNode(none)),
        code!(cuGraphKernelNodeGetParams_v2(none, &mut CUDA_KERNEL_NODE_PARAMS::default())),
        code!(cuGraphMemcpyNodeGetParams(none, &mut CUDA_MEMCPY3D::default())),
        code!(cuGraphMemsetNodeGetParams(none, &mut CUDA_MEMSET_NODE_PARAMS::default())),
        code!(cuGraphHostNodeGetParams(none, &mut CUDA_HOST_NODE_PARAMS::default())),
        code!(cuGraphChildGraphNodeGetGraph(none, &mut null_mut())),
        code!(cuGraphEventRecordNodeGetEvent(none, &mut null_mut())),
        code!(cuGraphMemAllocNodeGetParams(none, &mut alloc_params(0))),
        code!(cuGraphMemFreeNodeGetParams(none, &mut 0)),
        code!(cuGraphKernelNodeGetAttribute(none, CUlaunchAttributeID_enum(8), &raw mut value)),
        code!(cuGraphNodeGetLocalId(none, &mut 0)),
        code!(cuGraphNodeGetContainingGraph(none, &mut null_mut())),
    ]);
}

fn null_adds(answers: &mut Answers) {
    begun();
    let (copy, at) = (copier(), allocate(64));
    let own = current();
    let cube = copy_params(at, at + 8, 4);
    let params = fill_params(at, 1, 1);
    let called = CUDA_HOST_NODE_PARAMS { fn_: Some(count_up), userData: null_mut() };
    let (event, child) = (event(answers, 2), new_graph(answers));
    let (none, mut node) = (null_mut(), null_mut());
    let place = &raw mut node;
    answers.codes([
        try_empty(place, none, &[]),
        with_kernel(copy, &[at, at], |params| code!(cuGraphAddKernelNode_v2(place, none, null(), 0, params))),
        code!(cuGraphAddMemcpyNode(place, none, null(), 0, &raw const cube, own)),
        code!(cuGraphAddMemsetNode(place, none, null(), 0, &raw const params, own)),
        code!(cuGraphAddHostNode(place, none, null(), 0, &raw const called)),
        code!(cuGraphAddChildGraphNode(place, none, null(), 0, child)),
        code!(cuGraphAddEventRecordNode(place, none, null(), 0, event)),
        code!(cuGraphAddEventWaitNode(place, none, null(), 0, event)),
        code!(cuGraphAddMemAllocNode(place, none, null(), 0, &mut alloc_params(64))),
        code!(cuGraphAddMemFreeNode(place, none, null(), 0, at)),
    ]);
    let graph = new_graph(answers);
    answers.codes([
        code!(cuGraphAddKernelNode_v2(place, graph, null(), 0, null())),
        code!(cuGraphAddMemcpyNode(place, graph, null(), 0, null(), own)),
        code!(cuGraphAddMemsetNode(place, graph, null(), 0, null(), own)),
        code!(cuGraphAddHostNode(place, graph, null(), 0, null())),
        code!(cuGraphAddMemAllocNode(place, graph, null(), 0, null_mut())),
        try_empty(null_mut(), graph, &[]),
        code!(cuGraphAddChildGraphNode(place, graph, null(), 0, null_mut())),
        code!(cuGraphAddEventRecordNode(place, graph, null(), 0, null_mut())),
        code!(cuGraphAddEventWaitNode(place, graph, null(), 0, null_mut())),
    ]);
    answers.value(shape(graph));
}

fn null_execs(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    let graph = new_graph(answers);
    let node = fill(answers, graph, &[], at, 1);
    let exec = instantiate(answers, graph);
    let params = fill_params(at, 1, 1);
    let none: CUgraphExec = null_mut();
    let mut info = CUgraphExecUpdateResultInfo::default();
    answers.codes([
        code!(cuGraphLaunch(none, on)),
        code!(cuGraphUpload(none, on)),
        code!(cuGraphExecDestroy(none)),
        code!(cuGraphExecUpdate_v2(none, graph, &raw mut info)),
        code!(cuGraphExecGetFlags(none, &mut 0)),
        code!(cuGraphNodeSetEnabled(none, node, 0)),
        code!(cuGraphNodeGetEnabled(none, node, &mut 0)),
        code!(cuGraphExecMemsetNodeSetParams(none, node, &raw const params, current())),
        code!(cuGraphExecMemsetNodeSetParams(exec, null_mut(), &raw const params, current())),
        code!(cuGraphNodeSetEnabled(exec, null_mut(), 0)),
        code!(cuGraphExecUpdate_v2(exec, null_mut(), &raw mut info)),
    ]);
}

fn null_update_result(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    empty(answers, graph, &[]);
    let exec = instantiate(answers, graph);
    answers.code(code!(cuGraphExecUpdate_v2(exec, graph, null_mut())));
}

fn null_places(answers: &mut Answers) {
    begun();
    let (copy, at) = (copier(), allocate(64));
    let graph = new_graph(answers);
    let node = kernel(answers, graph, &[], copy, &[at, at + 4]);
    let exec = instantiate(answers, graph);
    answers.codes([
        code!(cuGraphNodeGetType(node, null_mut())),
        code!(cuGraphKernelNodeGetParams_v2(node, null_mut())),
        code!(cuGraphGetNodes(graph, null_mut(), null_mut())),
        code!(cuGraphExecGetFlags(exec, null_mut())),
    ]);
}

fn stale_graph(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    answers.code(code!(cuGraphDestroy(graph)));
    let mut count = 0;
    answers.code(code!(cuGraphGetNodes(graph, null_mut(), &raw mut count)));
}

fn stale_graph_again(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    answers.code(code!(cuGraphDestroy(graph)));
    answers.code(code!(cuGraphDestroy(graph)));
}

fn stale_graph_add(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    answers.code(code!(cuGraphDestroy(graph)));
    answers.code(try_empty(&mut null_mut(), graph, &[]));
    answers.code(try_instantiate(&mut null_mut(), graph, 0));
}

fn stale_node(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    let node = empty(answers, graph, &[]);
    answers.code(code!(cuGraphDestroyNode(node)));
    answers.value(kind(node));
}

fn stale_node_again(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    let node = empty(answers, graph, &[]);
    answers.code(code!(cuGraphDestroyNode(node)));
    answers.code(code!(cuGraphDestroyNode(node)));
}

fn stale_node_dependency(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    let node = empty(answers, graph, &[]);
    answers.code(code!(cuGraphDestroyNode(node)));
    answers.code(try_empty(&mut null_mut(), graph, &[node]));
}

fn stale_node_of_graph(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    let node = empty(answers, graph, &[]);
    answers.code(code!(cuGraphDestroy(graph)));
    answers.value(kind(node));
}

fn stale_exec(answers: &mut Answers) {
    let on = begun();
    let graph = new_graph(answers);
    empty(answers, graph, &[]);
    let exec = instantiate(answers, graph);
    answers.code(code!(cuGraphExecDestroy(exec)));
    answers.code(code!(cuGraphExecGetFlags(exec, &mut 0)));
    answers.code(code!(cuGraphLaunch(exec, on)));
}

fn stale_exec_again(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    empty(answers, graph, &[]);
    let exec = instantiate(answers, graph);
    answers.code(code!(cuGraphExecDestroy(exec)));
    answers.code(code!(cuGraphExecDestroy(exec)));
}

fn dependencies(answers: &mut Answers) {
    begun();
    let (graph, other) = (new_graph(answers), new_graph(answers));
    let (own, foreign) = (empty(answers, graph, &[]), empty(answers, other, &[]));
    let mut node = null_mut();
    let place = &raw mut node;
    answers.codes([
        try_empty(place, graph, &[foreign]),
        try_empty(place, graph, &[own, own]),
        code!(cuGraphAddEmptyNode(place, graph, null(), 1)),
        try_empty(place, graph, &[null_mut()]),
        code!(cuGraphAddEmptyNode(place, graph, null(), 0)),
    ]);
    answers.value(shape(graph));
}

/// One node of each kind, in a graph.
pub(super) fn each_kind(answers: &mut Answers) -> (CUgraph, Vec<CUgraphNode>) {
    let (copy_function, at) = (copier(), allocate(64));
    let (graph, inner, event) = (new_graph(answers), new_graph(answers), event(answers, 2));
    empty(answers, inner, &[]);
    let mut all = vec![
        kernel(answers, graph, &[], copy_function, &[at, at + 4]),
        copy(answers, graph, &[], &copy_params(at, at + 8, 4)),
        fill(answers, graph, &[], at, 1),
        host(answers, graph, &[], counter()),
        child(answers, graph, &[], inner),
        empty(answers, graph, &[]),
        made(answers, |node| code!(cuGraphAddEventWaitNode(node, graph, null(), 0, event))),
        made(answers, |node| code!(cuGraphAddEventRecordNode(node, graph, null(), 0, event))),
    ];
    let mut operation = [super::memory_operations::write(at, 1, 0)];
    let params = CUDA_BATCH_MEM_OP_NODE_PARAMS {
        ctx: current(),
        count: 1,
        paramArray: operation.as_mut_ptr(),
        flags: 0,
    };
    all.push(made(answers, |node| {
        code!(cuGraphAddBatchMemOpNode(node, graph, null(), 0, &raw const params))
    }));
    let (node, address) = alloc(answers, graph, &[], 64);
    all.push(node);
    all.push(free(answers, graph, &[node], address));
    (graph, all)
}

fn kinds(answers: &mut Answers) {
    begun();
    let (_, all) = each_kind(answers);
    answers.value(all.iter().map(|node| kind(*node)).collect::<Vec<_>>().join(","));
    for node in all {
        let codes = [
            code!(cuGraphKernelNodeGetParams_v2(node, &mut CUDA_KERNEL_NODE_PARAMS::default())),
            code!(cuGraphMemcpyNodeGetParams(node, &mut CUDA_MEMCPY3D::default())),
            code!(cuGraphMemsetNodeGetParams(node, &mut CUDA_MEMSET_NODE_PARAMS::default())),
            code!(cuGraphHostNodeGetParams(node, &mut CUDA_HOST_NODE_PARAMS::default())),
            code!(cuGraphChildGraphNodeGetGraph(node, &mut null_mut())),
            code!(cuGraphEventWaitNodeGetEvent(node, &mut null_mut())),
            code!(cuGraphEventRecordNodeGetEvent(node, &mut null_mut())),
            code!(cuGraphBatchMemOpNodeGetParams(node, &mut CUDA_BATCH_MEM_OP_NODE_PARAMS::default())),
            code!(cuGraphMemAllocNodeGetParams(node, &mut alloc_params(0))),
            code!(cuGraphMemFreeNodeGetParams(node, &mut 0)),
        ];
        answers.value(codes.map(|code| code.0.to_string()).join(","));
    }
}

fn kinds_set(answers: &mut Answers) {
    begun();
    let (copy, at, own) = (copier(), allocate(64), event(answers, 2));
    let (cube, params) = (copy_params(at, at + 8, 4), fill_params(at, 1, 1));
    let called = CUDA_HOST_NODE_PARAMS { fn_: Some(count_up), userData: null_mut() };
    let (_, all) = each_kind(answers);
    let priority = CUlaunchAttributeID_enum(8);
    for node in all {
        let mut value = CUlaunchAttributeValue { priority: 0 };
        let mut operation = [super::memory_operations::write(at, 1, 0)];
        let batch = CUDA_BATCH_MEM_OP_NODE_PARAMS {
            ctx: current(),
            count: 1,
            paramArray: operation.as_mut_ptr(),
            flags: 0,
        };
        let codes = [
            with_kernel(copy, &[at, at], |params| code!(cuGraphKernelNodeSetParams_v2(node, params))),
            code!(cuGraphMemcpyNodeSetParams(node, &raw const cube)),
            code!(cuGraphMemsetNodeSetParams(node, &raw const params)),
            code!(cuGraphHostNodeSetParams(node, &raw const called)),
            code!(cuGraphEventWaitNodeSetEvent(node, own)),
            code!(cuGraphEventRecordNodeSetEvent(node, own)),
            code!(cuGraphBatchMemOpNodeSetParams(node, &raw const batch)),
            code!(cuGraphKernelNodeGetAttribute(node, priority, &raw mut value)),
            code!(cuGraphKernelNodeSetAttribute(node, priority, &raw const value)),
        ];
        answers.value(codes.map(|code| code.0.to_string()).join(","));
    }
}

fn kernel_read(answers: &mut Answers) {
    begun();
    let (copy, at) = (copier(), allocate(64));
    let graph = new_graph(answers);
    let node = kernel(answers, graph, &[], copy, &[at, at + 4]);
    let mut read = CUDA_KERNEL_NODE_PARAMS::default();
    let code = code!(cuGraphKernelNodeGetParams_v2(node, &raw mut read));
    answers.given(
        code,
        format_args!(
            "{},{},{},{},{}",
            read.func == copy,
            read.ctx == current(),
            read.kern.is_null(),
            read.kernelParams.is_null(),
            read.extra.is_null()
        ),
    );
    if !read.kernelParams.is_null() {
        // SAFETY: the driver's list of the two parameters, of eight bytes each.
        let first = unsafe { *read.kernelParams };
        // SAFETY: as above.
        let word = unsafe { first.cast::<u64>().read_unaligned() };
        answers.value(word == at);
    }
    let mut old = CUDA_KERNEL_NODE_PARAMS_v1::default();
    let code = code!(cuGraphKernelNodeGetParams(node, &raw mut old));
    answers.given(code, old.func == copy);
    let (mut library, mut kern) = (null_mut(), null_mut());
    let image = PTX.as_ptr().cast();
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
    answers.must(code!(cuLibraryGetKernel(&raw mut kern, library, c"copy".as_ptr())));
    let mut node = null_mut();
    let code = with_kernel(null_mut(), &[at, at + 4], |params| {
        params.kern = kern;
        code!(cuGraphAddKernelNode_v2(&raw mut node, graph, null(), 0, params))
    });
    if answers.code(code) {
        answers.code(code!(cuGraphKernelNodeGetParams_v2(node, &raw mut read)));
        answers.value(format_args!(
            "{},{},{}",
            read.func.is_null(),
            read.kern == kern,
            read.ctx == current()
        ));
    }
    let code = with_kernel(kern.cast(), &[at, at + 4], |params| {
        code!(cuGraphAddKernelNode_v2(&raw mut node, graph, null(), 0, params))
    });
    if answers.code(code) {
        answers.code(code!(cuGraphKernelNodeGetParams_v2(node, &raw mut read)));
        answers.value(format_args!("{},{}", read.func.is_null(), read.kern == kern));
    }
    let mut packed = [at, at + 4];
    let mut bytes = 16_usize;
    let mut extra: [*mut c_void; 5] =
        [handle(1), packed.as_mut_ptr().cast(), handle(2), (&raw mut bytes).cast(), null_mut()];
    let code = with_kernel(copy, &[], |params| {
        params.extra = extra.as_mut_ptr();
        code!(cuGraphAddKernelNode_v2(&raw mut node, graph, null(), 0, params))
    });
    if answers.code(code) {
        answers.code(code!(cuGraphKernelNodeGetParams_v2(node, &raw mut read)));
        answers.value(format_args!("{},{}", read.kernelParams.is_null(), read.extra.is_null()));
    }
}

fn kernel_refused(answers: &mut Answers) {
    begun();
    let (copy, at) = (copier(), allocate(64));
    let own = current();
    let other = context(0);
    call!(cuCtxSetCurrent(own));
    let graph = new_graph(answers);
    let add = |change: &dyn Fn(&mut CUDA_KERNEL_NODE_PARAMS)| {
        with_kernel(copy, &[at, at + 4], |params| {
            change(params);
            code!(cuGraphAddKernelNode_v2(&mut null_mut(), graph, null(), 0, params))
        })
    };
    let codes = [
        add(&|params| params.func = null_mut()),
        add(&|params| params.kernelParams = null_mut()),
        add(&|params| params.gridDimX = 0),
        add(&|params| params.blockDimX = 2000),
        add(&|params| params.blockDimX = 0),
        add(&|params| params.sharedMemBytes = 1 << 20),
        add(&|params| params.gridDimY = 70000),
        add(&|params| params.ctx = other),
        add(&|params| params.ctx = own),
    ];
    answers.codes(codes);
    answers.value(shape(graph));
    answers.code(try_instantiate(&mut null_mut(), graph, 0));
}

fn kernel_without(answers: &mut Answers) {
    begun();
    let (copy, at) = (copier(), allocate(64));
    let graph = new_graph(answers);
    let mut below = null_mut();
    while code!(cuCtxPopCurrent_v2(&raw mut below)).is_success() {}
    answers.code(with_kernel(copy, &[at, at + 4], |params| {
        code!(cuGraphAddKernelNode_v2(&mut null_mut(), graph, null(), 0, params))
    }));
    answers.value(shape(graph));
}

fn copies_memory(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    let pooled = of_default_pool(64, on);
    let shared = managed(64, 1);
    let pinned = page_locked_bytes(64, 0);
    let pageable = Box::leak(Box::new([0_u64; 8])).as_mut_ptr();
    let graph = new_graph(answers);
    let with_host = |host: *const c_void| CUDA_MEMCPY3D {
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_HOST,
        srcHost: host,
        srcDevice: 0,
        ..copy_params(at, 0, 8)
    };
    let unified = |from| CUDA_MEMCPY3D {
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_UNIFIED,
        dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_UNIFIED,
        ..copy_params(at, from, 8)
    };
    let all = [
        copy_params(at, at + 32, 8),
        copy_params(at, shared, 8),
        copy_params(at, pooled, 8),
        with_host(std::ptr::with_exposed_provenance(pinned as usize)),
        copy_params(at, pinned, 8),
        with_host(pageable.cast()),
        copy_params(at, pageable.expose_provenance() as u64, 8),
        unified(at + 32),
        unified(pinned),
        unified(pageable.expose_provenance() as u64),
    ];
    for params in all {
        add_copy(answers, graph, &params, current());
    }
}

fn add_copy(answers: &mut Answers, graph: CUgraph, params: &CUDA_MEMCPY3D, context: CUcontext) {
    let mut node = null_mut();
    let code = code!(cuGraphAddMemcpyNode(&raw mut node, graph, null(), 0, params, context));
    if !answers.code(code) {
        return;
    }
    let mut copy = CUDA_MEMCPY3D::default();
    let code = code!(cuGraphMemcpyNodeGetParams(node, &raw mut copy));
    let CUDA_MEMCPY3D { srcPitch, srcHeight, dstPitch, dstHeight, .. } = copy;
    let extent = format!("{}x{}x{}", copy.WidthInBytes, copy.Height, copy.Depth);
    answers.given(
        code,
        format_args!(
            "{}>{},{extent},{srcPitch}x{srcHeight},{dstPitch}x{dstHeight}",
            copy.srcMemoryType.0, copy.dstMemoryType.0
        ),
    );
}

fn copies_refused(answers: &mut Answers) {
    begun();
    let at = allocate(256);
    let graph = new_graph(answers);
    let own = current();
    let usual = copy_params(at, at + 128, 8);
    let described = CUDA_ARRAY3D_DESCRIPTOR {
        Width: 16,
        Height: 0,
        Depth: 0,
        Format: CUarray_format_enum::CU_AD_FORMAT_UNSIGNED_INT32,
        NumChannels: 1,
        Flags: 0,
    };
    let (array, other) = (super::images::array_of(&described), super::images::array_of(&described));
    let kind = CUmemorytype_enum::CU_MEMORYTYPE_ARRAY;
    let arrays = CUDA_MEMCPY3D {
        srcMemoryType: kind,
        srcArray: array,
        dstMemoryType: kind,
        dstArray: other,
        WidthInBytes: 16,
        Height: 1,
        Depth: 1,
        ..CUDA_MEMCPY3D::default()
    };
    let all = [
        CUDA_MEMCPY3D { WidthInBytes: 0, ..usual },
        CUDA_MEMCPY3D { Height: 0, ..usual },
        CUDA_MEMCPY3D { Depth: 0, ..usual },
        CUDA_MEMCPY3D { Height: 2, srcPitch: 4, ..usual },
        CUDA_MEMCPY3D { srcPitch: 0, dstPitch: 0, srcHeight: 0, dstHeight: 0, ..usual },
        CUDA_MEMCPY3D { Height: 2, Depth: 2, ..usual },
        CUDA_MEMCPY3D { srcLOD: 1, ..usual },
        CUDA_MEMCPY3D { srcMemoryType: CUmemorytype_enum(9), ..usual },
        CUDA_MEMCPY3D { srcDevice: 0, ..usual },
        CUDA_MEMCPY3D { WidthInBytes: 1 << 22, srcPitch: 1 << 22, dstPitch: 1 << 22, ..usual },
        CUDA_MEMCPY3D { reserved0: handle(8), ..usual },
        arrays,
        CUDA_MEMCPY3D { srcXInBytes: 60, ..arrays },
        CUDA_MEMCPY3D { srcArray: null_mut(), ..arrays },
        CUDA_MEMCPY3D { srcXInBytes: 8, dstXInBytes: 16, ..usual },
    ];
    for params in all {
        add_copy(answers, graph, &params, own);
    }
    answers.code(try_instantiate(&mut null_mut(), graph, 0));
}

fn node_contexts(answers: &mut Answers) {
    begun();
    let at = allocate(64);
    let own = current();
    let other = context(0);
    let gone = context(0);
    call!(cuCtxDestroy_v2(gone));
    call!(cuCtxSetCurrent(own));
    let graph = new_graph(answers);
    let (cube, params) = (copy_params(at, at + 32, 4), fill_params(at, 1, 1));
    for round in 0..4 {
        let context = [null_mut(), gone, other, null_mut()][round];
        if round == 3 {
            let mut below = null_mut();
            while code!(cuCtxPopCurrent_v2(&raw mut below)).is_success() {}
        }
        answers.codes([
            code!(cuGraphAddMemcpyNode(&mut null_mut(), graph, null(), 0, &raw const cube, context)),
            code!(cuGraphAddMemsetNode(&mut null_mut(), graph, null(), 0, &raw const params, context)),
        ]);
    }
}

fn fills(answers: &mut Answers) {
    begun();
    let (at, pinned) = (allocate(256), page_locked_bytes(64, 0));
    let graph = new_graph(answers);
    let usual = fill_params(at, 0x0102_0304, 4);
    let all = [
        CUDA_MEMSET_NODE_PARAMS { elementSize: 1, value: 4, ..usual },
        CUDA_MEMSET_NODE_PARAMS { elementSize: 2, value: 4, ..usual },
        usual,
        CUDA_MEMSET_NODE_PARAMS { elementSize: 3, ..usual },
        CUDA_MEMSET_NODE_PARAMS { elementSize: 8, ..usual },
        CUDA_MEMSET_NODE_PARAMS { elementSize: 0, ..usual },
        CUDA_MEMSET_NODE_PARAMS { width: 0, ..usual },
        CUDA_MEMSET_NODE_PARAMS { height: 0, ..usual },
        CUDA_MEMSET_NODE_PARAMS { height: 2, pitch: 64, ..usual },
        CUDA_MEMSET_NODE_PARAMS { height: 2, pitch: 0, ..usual },
        CUDA_MEMSET_NODE_PARAMS { height: 2, pitch: 8, ..usual },
        CUDA_MEMSET_NODE_PARAMS { elementSize: 1, ..usual },
        CUDA_MEMSET_NODE_PARAMS { dst: at + 1, ..usual },
        CUDA_MEMSET_NODE_PARAMS { dst: 0, ..usual },
        CUDA_MEMSET_NODE_PARAMS { width: 1 << 22, ..usual },
        CUDA_MEMSET_NODE_PARAMS { dst: pinned, ..usual },
        CUDA_MEMSET_NODE_PARAMS { pitch: 77, ..usual },
    ];
    for params in all {
        let mut node = null_mut();
        let code = code!(cuGraphAddMemsetNode(&raw mut node, graph, null(), 0, &raw const params, current()));
        if answers.code(code) {
            let mut read = CUDA_MEMSET_NODE_PARAMS::default();
            let code = code!(cuGraphMemsetNodeGetParams(node, &raw mut read));
            let CUDA_MEMSET_NODE_PARAMS { pitch, value, elementSize, width, height, .. } = read;
            answers.given(code, format_args!("{value:x},{elementSize},{width}x{height},{pitch}"));
        }
    }
}

fn host_nodes(answers: &mut Answers) {
    let on = begun();
    let graph = new_graph(answers);
    let none = CUDA_HOST_NODE_PARAMS { fn_: None, userData: null_mut() };
    answers.code(code!(cuGraphAddHostNode(&mut null_mut(), graph, null(), 0, &raw const none)));
    let word = counter();
    let node = host(answers, graph, &[], word);
    let mut read = CUDA_HOST_NODE_PARAMS::default();
    let code = code!(cuGraphHostNodeGetParams(node, &raw mut read));
    answers.given(code, format_args!("{},{}", read.fn_.is_some(), read.userData == address(word)));
    answers.code(code!(cuGraphHostNodeSetParams(node, &raw const none)));
    let mut below = null_mut();
    while code!(cuCtxPopCurrent_v2(&raw mut below)).is_success() {}
    let graph = new_graph(answers);
    let called = CUDA_HOST_NODE_PARAMS { fn_: Some(count_up), userData: address(word) };
    answers.code(code!(cuGraphAddHostNode(&mut null_mut(), graph, null(), 0, &raw const called)));
    let mut exec = null_mut();
    answers.code(try_instantiate(&mut exec, graph, 0));
    run(answers, exec, on);
    answers.value(counted(word));
}

fn children(answers: &mut Answers) {
    begun();
    let (graph, inner) = (new_graph(answers), new_graph(answers));
    let first = empty(answers, inner, &[]);
    empty(answers, inner, &[first]);
    let node = child(answers, graph, &[], inner);
    let mut given = null_mut();
    answers.code(code!(cuGraphChildGraphNodeGetGraph(node, &raw mut given)));
    answers.value(given == inner);
    answers.value(shape(given));
    empty(answers, inner, &[]);
    answers.value(shape(given));
    answers.code(try_empty(&mut null_mut(), given, &[]));
    answers.value(shape(given));
    answers.value(shape(inner));
    answers.code(code!(cuGraphDestroy(inner)));
    answers.value(shape(given));
    let mut again = null_mut();
    answers.code(code!(cuGraphChildGraphNodeGetGraph(node, &raw mut again)));
    answers.value(again == given);
    answers.code(try_instantiate(&mut null_mut(), graph, 0));
}

fn child_itself(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    empty(answers, graph, &[]);
    answers.code(code!(cuGraphAddChildGraphNode(&mut null_mut(), graph, null(), 0, graph)));
    answers.value(shape(graph));
}

fn child_destroyed(answers: &mut Answers) {
    begun();
    let (graph, inner) = (new_graph(answers), new_graph(answers));
    empty(answers, inner, &[]);
    let node = child(answers, graph, &[], inner);
    let mut given = null_mut();
    answers.code(code!(cuGraphChildGraphNodeGetGraph(node, &raw mut given)));
    answers.code(code!(cuGraphDestroy(given)));
    answers.value(nodes(graph).len());
    answers.code(code!(cuGraphDestroy(graph)));
}

fn child_moved(answers: &mut Answers) {
    begun();
    let (graph, other, inner) = (new_graph(answers), new_graph(answers), new_graph(answers));
    empty(answers, inner, &[]);
    let moving = |into, ownership| {
        let mut params = CUgraphNodeParams { type_: CUgraphNodeType_enum(4), ..CUgraphNodeParams::default() };
        params.__bindgen_anon_1.graph = CUDA_CHILD_GRAPH_NODE_PARAMS {
            graph: inner,
            ownership: CUgraphChildGraphNodeOwnership_enum(ownership),
        };
        let mut node = null_mut();
        (code!(cuGraphAddNode_v2(&raw mut node, into, null(), null(), 0, &raw mut params)), node)
    };
    answers.code(moving(graph, -1).0);
    answers.code(moving(graph, 7).0);
    let (code, node) = moving(graph, 1);
    answers.code(code);
    let mut given = null_mut();
    let code = code!(cuGraphChildGraphNodeGetGraph(node, &raw mut given));
    answers.given(code, given == inner);
    answers.code(try_instantiate(&mut null_mut(), inner, 0));
    answers.code(moving(other, 1).0);
    answers.code(moving(other, 0).0);
    answers.code(code!(cuGraphClone(&mut null_mut(), graph)));
    answers.code(try_instantiate(&mut null_mut(), graph, 0));
    answers.code(code!(cuGraphDestroy(inner)));
    answers.code(code!(cuGraphDestroy(graph)));
}

fn clones(answers: &mut Answers) {
    begun();
    let at = allocate(64);
    let (graph, other) = (new_graph(answers), new_graph(answers));
    let first = fill(answers, graph, &[], at, 1);
    let second = empty(answers, graph, &[first]);
    let (mut clone, mut found) = (null_mut(), null_mut());
    answers.code(code!(cuGraphClone(&raw mut clone, graph)));
    answers.value(shape(clone));
    for node in [first, second] {
        let code = code!(cuGraphNodeFindInClone(&raw mut found, node, clone));
        answers.given(code, kind(found));
    }
    let late = empty(answers, graph, &[]);
    answers.codes([
        code!(cuGraphNodeFindInClone(&raw mut found, late, clone)),
        code!(cuGraphNodeFindInClone(
            &raw mut found,
            nodes(clone).first().copied().unwrap_or_default(),
            clone
        )),
        code!(cuGraphNodeFindInClone(&raw mut found, first, graph)),
        code!(cuGraphNodeFindInClone(&raw mut found, first, other)),
    ]);
    let mut twice = null_mut();
    answers.code(code!(cuGraphClone(&raw mut twice, clone)));
    answers.code(code!(cuGraphNodeFindInClone(&raw mut found, first, twice)));
    answers.code(code!(cuGraphNodeFindInClone(&raw mut found, second, clone)));
    answers.code(code!(cuGraphDestroyNode(found)));
    answers.code(code!(cuGraphNodeFindInClone(&raw mut found, second, clone)));
    answers.code(code!(cuGraphDestroy(graph)));
    answers.value(shape(clone));
    answers.code(try_instantiate(&mut null_mut(), clone, 0));
}

fn event_nodes(answers: &mut Answers) {
    let on = begun();
    let own = current();
    context(0);
    let foreign = event(answers, 2);
    call!(cuCtxSetCurrent(own));
    let (first, second, shared) = (event(answers, 2), event(answers, 0), event(answers, 6));
    let graph = new_graph(answers);
    let mut node = null_mut();
    answers.code(code!(cuGraphAddEventRecordNode(&raw mut node, graph, null(), 0, first)));
    let mut read = null_mut();
    let code = code!(cuGraphEventRecordNodeGetEvent(node, &raw mut read));
    answers.given(code, read == first);
    answers.code(code!(cuGraphEventRecordNodeSetEvent(node, second)));
    let code = code!(cuGraphEventRecordNodeGetEvent(node, &raw mut read));
    answers.given(code, read == second);
    answers.code(code!(cuGraphEventRecordNodeSetEvent(node, null_mut())));
    let exec = instantiate(answers, graph);
    run(answers, exec, on);
    answers.codes([code!(cuEventQuery(first)), code!(cuEventQuery(second))]);
    let mut wait = null_mut();
    answers.codes([
        code!(cuGraphAddEventRecordNode(&raw mut node, graph, null(), 0, foreign)),
        code!(cuGraphAddEventWaitNode(&raw mut wait, graph, null(), 0, foreign)),
        code!(cuGraphAddEventRecordNode(&raw mut node, graph, null(), 0, shared)),
        code!(cuGraphAddEventWaitNode(&raw mut wait, graph, null(), 0, shared)),
    ]);
    answers.code(try_instantiate(&mut null_mut(), graph, 0));
    answers.code(code!(cuEventDestroy_v2(first)));
    answers.code(code!(cuGraphAddEventRecordNode(&raw mut node, graph, null(), 0, first)));
}

fn semaphore_nodes(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    let mut semaphores: [CUexternalSemaphore; 1] = [null_mut()];
    let signals = [CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS::default()];
    let waits = [CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS::default()];
    for count in [0, 1] {
        let signal = CUDA_EXT_SEM_SIGNAL_NODE_PARAMS {
            extSemArray: semaphores.as_mut_ptr(),
            paramsArray: signals.as_ptr(),
            numExtSems: count,
        };
        let wait = CUDA_EXT_SEM_WAIT_NODE_PARAMS {
            extSemArray: semaphores.as_mut_ptr(),
            paramsArray: waits.as_ptr(),
            numExtSems: count,
        };
        let mut node = null_mut();
        answers.codes([
            code!(cuGraphAddExternalSemaphoresSignalNode(&raw mut node, graph, null(), 0, &raw const signal)),
            code!(cuGraphAddExternalSemaphoresWaitNode(&raw mut node, graph, null(), 0, &raw const wait)),
        ]);
    }
    answers.value(shape(graph));
}

fn memory_operation_nodes(answers: &mut Answers) {
    let on = begun();
    let at = allocate(4096);
    let graph = new_graph(answers);
    let mut list = vec![super::memory_operations::write(at, 7, 0); 257];
    let array = list.as_mut_ptr();
    let params = |count, flags, ctx| CUDA_BATCH_MEM_OP_NODE_PARAMS { ctx, count, paramArray: array, flags };
    let own = current();
    let add = |graph, params: CUDA_BATCH_MEM_OP_NODE_PARAMS| {
        let mut node = null_mut();
        (code!(cuGraphAddBatchMemOpNode(&raw mut node, graph, null(), 0, &raw const params)), node)
    };
    let (code, node) = add(graph, params(1, 0, own));
    answers.code(code);
    let mut read = CUDA_BATCH_MEM_OP_NODE_PARAMS::default();
    let code = code!(cuGraphBatchMemOpNodeGetParams(node, &raw mut read));
    answers.given(
        code,
        format_args!("{},{},{},{}", read.count, read.flags, read.ctx == own, read.paramArray == array),
    );
    answers.code(code!(cuGraphBatchMemOpNodeSetParams(node, &params(2, 0, own))));
    let exec = instantiate(answers, graph);
    run(answers, exec, on);
    answers.word(at);
    for (count, flags, ctx) in [(0, 0, own), (256, 0, own), (257, 0, own), (1, 1, own), (1, 0, null_mut())] {
        let fresh = new_graph(answers);
        answers.code(add(fresh, params(count, flags, ctx)).0);
    }
    let mut bad = [super::memory_operations::write(64, 7, 0)];
    let params = CUDA_BATCH_MEM_OP_NODE_PARAMS { ctx: own, count: 1, paramArray: bad.as_mut_ptr(), flags: 0 };
    let (code, _) = add(graph, params);
    answers.code(code);
}

fn generic(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    let add = |params: *mut CUgraphNodeParams| {
        let mut node = null_mut();
        code!(cuGraphAddNode_v2(&raw mut node, graph, null(), null(), 0, params))
    };
    let codes = (0..=20).map(|kind| {
        let mut params =
            CUgraphNodeParams { type_: CUgraphNodeType_enum(kind), ..CUgraphNodeParams::default() };
        add(&raw mut params).0.to_string()
    });
    answers.value(codes.collect::<Vec<_>>().join(","));
    let mut params = CUgraphNodeParams { type_: CUgraphNodeType_enum(5), ..CUgraphNodeParams::default() };
    params.reserved2 = 1;
    answers.code(add(&raw mut params));
    params.reserved2 = 0;
    params.reserved0[1] = 1;
    answers.code(add(&raw mut params));
    params.reserved0[1] = 0;
    params.__bindgen_anon_1.reserved1 = [1; 29];
    answers.code(add(&raw mut params));
    answers.code(add(null_mut()));
    let at = allocate(64);
    let mut params = CUgraphNodeParams { type_: CUgraphNodeType_enum(2), ..CUgraphNodeParams::default() };
    params.__bindgen_anon_1.memset = CUDA_MEMSET_NODE_PARAMS_v2 {
        dst: at,
        pitch: 0,
        value: 1,
        elementSize: 4,
        width: 1,
        height: 1,
        ctx: null_mut(),
    };
    answers.code(add(&raw mut params));
    answers.value(shape(graph));
}

fn generic_set(answers: &mut Answers) {
    begun();
    let at = allocate(64);
    let graph = new_graph(answers);
    let (node, none) = (fill(answers, graph, &[], at, 1), empty(answers, graph, &[]));
    let mut params = CUgraphNodeParams { type_: CUgraphNodeType_enum(2), ..CUgraphNodeParams::default() };
    params.__bindgen_anon_1.memset = CUDA_MEMSET_NODE_PARAMS_v2 {
        dst: at,
        pitch: 0,
        value: 1,
        elementSize: 4,
        width: 1,
        height: 1,
        ctx: current(),
    };
    answers.code(code!(cuGraphNodeSetParams(node, &raw mut params)));
    for kind in [1, 5] {
        params.type_ = CUgraphNodeType_enum(kind);
        answers.code(code!(cuGraphNodeSetParams(node, &raw mut params)));
    }
    answers.code(code!(cuGraphNodeSetParams(node, null_mut())));
    answers.code(code!(cuGraphNodeSetParams(none, &raw mut params)));
}

fn attributes(answers: &mut Answers) {
    begun();
    let (copy, at) = (copier(), allocate(64));
    let graph = new_graph(answers);
    let node = kernel(answers, graph, &[], copy, &[at, at + 4]);
    let mut list = Vec::new();
    for id in 0..=18 {
        let mut value = CUlaunchAttributeValue::default();
        let id = CUlaunchAttributeID_enum(id);
        let got = code!(cuGraphKernelNodeGetAttribute(node, id, &raw mut value));
        let set = code!(cuGraphKernelNodeSetAttribute(node, id, &raw const value));
        list.push(format!("{}.{}", got.0, set.0));
    }
    answers.value(list.join(","));
}

fn attribute_values(answers: &mut Answers) {
    begun();
    let (copy, at) = (copier(), allocate(64));
    let graph = new_graph(answers);
    let node = kernel(answers, graph, &[], copy, &[at, at + 4]);
    let other = kernel(answers, graph, &[], copy, &[at, at + 4]);
    let plain = fill(answers, graph, &[], at, 1);
    let read = |answers: &mut Answers, node, id| {
        let mut value = CUlaunchAttributeValue { pad: [0; 64] };
        let code = code!(cuGraphKernelNodeGetAttribute(node, CUlaunchAttributeID_enum(id), &raw mut value));
        // SAFETY: all bytes are there.
        let words = unsafe { value.clusterDim };
        answers.given(code, format_args!("{}/{}/{}", words.x.cast_signed(), words.y, words.z));
    };
    let set = |answers: &mut Answers, id, value: CUlaunchAttributeValue| {
        answers.code(code!(cuGraphKernelNodeSetAttribute(
            node,
            CUlaunchAttributeID_enum(id),
            &raw const value
        )));
        read(answers, node, id);
    };
    read(answers, node, 8);
    for priority in [-1, 100, -100] {
        set(answers, 8, CUlaunchAttributeValue { priority });
    }
    read(answers, node, 2);
    for cooperative in [1, 2, 0] {
        set(answers, 2, CUlaunchAttributeValue { cooperative });
    }
    read(answers, node, 4);
    for (x, y, z) in [(2, 1, 1), (0, 0, 0), (3, 1, 1), (1, 1, 1)] {
        let clusterDim = CUlaunchAttributeValue_union__bindgen_ty_1 { x, y, z };
        set(answers, 4, CUlaunchAttributeValue { clusterDim });
    }
    read(answers, node, 10);
    for domain in [1, 2] {
        // The driver keeps all bytes.
        let mut value = CUlaunchAttributeValue { pad: [0; 64] };
        value.memSyncDomain = CUlaunchMemSyncDomain_enum(domain);
        set(answers, 10, value);
    }
    answers.code(code!(cuGraphKernelNodeCopyAttributes(other, node)));
    read(answers, other, 8);
    answers.codes([
        code!(cuGraphKernelNodeCopyAttributes(plain, node)),
        code!(cuGraphKernelNodeCopyAttributes(node, plain)),
        code!(cuGraphKernelNodeCopyAttributes(node, node)),
        code!(cuGraphKernelNodeCopyAttributes(null_mut(), node)),
    ]);
}

fn identifiers(answers: &mut Answers) {
    begun();
    let graph = new_graph(answers);
    let node = empty(answers, graph, &[]);
    let exec = instantiate(answers, graph);
    let (mut id, mut long, mut given) = (0, 0, null_mut());
    answers.code(code!(cuGraphGetId(graph, &raw mut id)));
    answers.code(code!(cuGraphExecGetId(exec, &raw mut id)));
    answers.code(code!(cuGraphNodeGetLocalId(node, &raw mut id)));
    answers.code(code!(cuGraphNodeGetToolsId(node, &raw mut long)));
    answers.code(code!(cuGraphNodeGetContainingGraph(node, &raw mut given)));
}

fn dot(answers: &mut Answers) {
    begun();
    let at = allocate(64);
    let graph = new_graph(answers);
    let first = fill(answers, graph, &[], at, 1);
    empty(answers, graph, &[first]);
    let path = std::env::temp_dir().join(format!("answers-{}.dot", std::process::id()));
    let name = std::ffi::CString::new(path.to_str().unwrap()).unwrap();
    let empty_graph = new_graph(answers);
    for (graph, flags) in [(graph, 0), (graph, 0x7fff), (graph, 1 << 30), (empty_graph, 0)] {
        let code = code!(cuGraphDebugDotPrint(graph, name.as_ptr(), flags));
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let _ = std::fs::remove_file(&path);
        answers.given(code, format_args!("{},{}", text.starts_with("digraph"), text.lines().count() > 3));
    }
    answers.code(code!(cuGraphDebugDotPrint(graph, c"/nowhere/at/all.dot".as_ptr(), 0)));
    answers.code(code!(cuGraphDebugDotPrint(graph, null(), 0)));
}

fn module_unloaded(answers: &mut Answers) {
    after_unloading(answers, false);
}

fn module_unloaded_launch(answers: &mut Answers) {
    after_unloading(answers, true);
}

fn after_unloading(answers: &mut Answers, launched: bool) {
    let on = begun();
    let at = allocate(64);
    let (mut module, mut copy) = (null_mut(), null_mut());
    answers.must(code!(cuModuleLoadData(&raw mut module, PTX.as_ptr().cast())));
    answers.must(code!(cuModuleGetFunction(&raw mut copy, module, c"copy".as_ptr())));
    let graph = new_graph(answers);
    kernel(answers, graph, &[], copy, &[at, at + 4]);
    if launched {
        let exec = instantiate(answers, graph);
        answers.code(code!(cuModuleUnload(module)));
        run(answers, exec, on);
    } else {
        answers.code(code!(cuModuleUnload(module)));
        answers.code(try_instantiate(&mut null_mut(), graph, 0));
    }
}
