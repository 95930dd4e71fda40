//! Memory nodes and conditional nodes.

use crate::raw_nodes::{fill, graph, kernel};
use crate::raw_setup::{begin_test, capture, instantiate, is_since, nodes, run, types, word};
use cuda_suite::raw::{allocate, current, function, stream};
use cuda_suite::{call, code, skip};
use cuda_sys::{
    CUDA_CONDITIONAL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1, CUDA_MEM_ALLOC_NODE_PARAMS, CUcontext,
    CUfunction, CUgraph, CUgraphConditionalNodeType_enum, CUgraphNode, CUgraphNodeParams,
    CUgraphNodeType_enum, CUmemAllocationType_enum, CUmemLocationType_enum, CUresult, cuCtxDestroy_v2,
    cuCtxSetCurrent, cuGraphAddKernelNode, cuGraphAddMemAllocNode, cuGraphAddMemFreeNode, cuGraphAddNode_v2,
    cuGraphClone, cuGraphConditionalHandleCreate, cuGraphDestroy, cuGraphExecDestroy,
    cuGraphInstantiateWithFlags, cuGraphLaunch, cuMemAllocAsync, cuMemFree_v2, cuMemFreeAsync,
    cuMemcpyDtoDAsync_v2, cuMemsetD32Async, cuStreamSynchronize,
};
use std::ptr::{null, null_mut};

pub(crate) fn allocation(graph: CUgraph, after: &[CUgraphNode], bytes: usize) -> (CUgraphNode, u64) {
    // SAFETY: all members may be zero.
    let mut params: CUDA_MEM_ALLOC_NODE_PARAMS = unsafe { std::mem::zeroed() };
    params.poolProps.allocType = CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED;
    params.poolProps.location.type_ = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE;
    params.bytesize = bytes;
    let mut node = null_mut();
    call!(cuGraphAddMemAllocNode(&raw mut node, graph, after.as_ptr(), after.len(), &raw mut params));
    assert_ne!(params.dptr, 0);
    (node, params.dptr)
}

#[test]
fn allocated_memory_lives_from_node_to_node() {
    begin_test();
    if !is_since(11, 4) {
        skip!("needs CUDA 11.4");
    }
    let result = allocate(4);
    let graph = graph();
    let (start, address) = allocation(graph, &[], 64);
    let filled = fill(graph, &[start], address, 6);
    let copied = crate::raw_nodes::copy(graph, &[filled], &crate::raw_nodes::copy_params(result, address, 4));
    let mut freed = null_mut();
    call!(cuGraphAddMemFreeNode(&raw mut freed, graph, &raw const copied, 1, address));
    let again = code!(cuGraphAddMemFreeNode(&raw mut freed, graph, &raw const copied, 1, address));
    assert_eq!(again, CUresult::CUDA_ERROR_INVALID_VALUE);
    let (executable, other) = (instantiate(graph), stream(1));
    for _ in 0..3 {
        run(executable, other);
        assert_eq!(word(result), 6);
    }
    let mut second = null_mut();
    assert!(!code!(cuGraphInstantiateWithFlags(&raw mut second, graph, 0)).is_success());
    assert!(!code!(cuGraphClone(&mut null_mut(), graph)).is_success());
    call!(cuGraphExecDestroy(executable));
    call!(cuGraphInstantiateWithFlags(&raw mut second, graph, 0));
    run(second, other);
}

#[test]
fn unfreed_allocation_refuses_the_next_launch() {
    begin_test();
    if !is_since(11, 4) {
        skip!("needs CUDA 11.4");
    }
    let graph = graph();
    let (start, address) = allocation(graph, &[], 64);
    fill(graph, &[start], address, 6);
    let (executable, other) = (instantiate(graph), stream(1));
    run(executable, other);
    assert_eq!(word(address), 6);
    assert_eq!(code!(cuGraphLaunch(executable, other)), CUresult::CUDA_ERROR_INVALID_VALUE);
    call!(cuMemFreeAsync(address, other));
    run(executable, other);
    call!(cuMemFree_v2(address));
    call!(cuGraphExecDestroy(executable));
    let mut freeing = null_mut();
    call!(cuGraphInstantiateWithFlags(&raw mut freeing, graph, 1));
    run(freeing, other);
    run(freeing, other);
    assert_eq!(word(address), 6);
    call!(cuMemFree_v2(address));
}

#[test]
fn captured_allocation_is_of_the_graph() {
    begin_test();
    if !is_since(11, 4) {
        skip!("needs CUDA 11.4");
    }
    let result = allocate(4);
    let graph = capture(|captured| {
        let mut address = 0;
        call!(cuMemAllocAsync(&raw mut address, 64, captured));
        call!(cuMemsetD32Async(address, 8, 1, captured));
        call!(cuMemcpyDtoDAsync_v2(result, address, 4, captured));
        call!(cuMemFreeAsync(address, captured));
    });
    assert_eq!(types(graph), [1, 2, 10, 11]);
    let (executable, other) = (instantiate(graph), stream(1));
    for _ in 0..2 {
        call!(cuGraphLaunch(executable, other));
    }
    call!(cuStreamSynchronize(other));
    assert_eq!(word(result), 8);
}

const PTX: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
    .extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);
    .visible .entry count_down(.param .u64 word, .param .u64 handle) {
        .reg .b64 %a, %h; .reg .b32 %r;
        ld.param.u64 %a, [word]; ld.param.u64 %h, [handle];
        ld.global.u32 %r, [%a]; sub.u32 %r, %r, 1; st.global.u32 [%a], %r;
        { .param .b64 p; .param .b32 q; st.param.b64 [p], %h; st.param.b32 [q], %r;
          call.uni cudaGraphSetConditional, (p, q); }
        ret; }";

/// Returns the parameters of a conditional node in the current context.
fn conditional_params(handle: u64, kind: u32, size: u32) -> CUgraphNodeParams {
    // SAFETY: all members may be zero.
    let mut params: CUgraphNodeParams = unsafe { std::mem::zeroed() };
    params.type_ = CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_CONDITIONAL;
    params.__bindgen_anon_1.conditional = CUDA_CONDITIONAL_NODE_PARAMS {
        handle,
        type_: CUgraphConditionalNodeType_enum(kind),
        size,
        phGraph_out: null_mut(),
        ctx: current(),
    };
    params
}

/// Adds a conditional node, and returns its bodies.
pub(crate) fn conditional(
    graph: CUgraph,
    after: &[CUgraphNode],
    handle: u64,
    kind: u32,
    size: u32,
) -> Vec<CUgraph> {
    let mut params = conditional_params(handle, kind, size);
    let mut node = null_mut();
    call!(cuGraphAddNode_v2(&raw mut node, graph, after.as_ptr(), null(), after.len(), &raw mut params));
    // SAFETY: the node is conditional, and the list is the driver's.
    let list = unsafe { params.__bindgen_anon_1.conditional.phGraph_out };
    // SAFETY: as many graphs as were asked for.
    unsafe { std::slice::from_raw_parts(list, size as usize) }.to_vec()
}

pub(crate) fn condition(graph: CUgraph, default: u32) -> u64 {
    let mut handle = 0;
    call!(cuGraphConditionalHandleCreate(&raw mut handle, graph, current(), default, 1));
    handle
}

/// Adds a kernel with a word and the handle of a condition as arguments.
pub(crate) fn setter(graph: CUgraph, kernel: CUfunction, word: u64, handle: u64) -> CUgraphNode {
    let (mut word, mut handle, mut node) = (word, handle, null_mut());
    let mut list = [(&raw mut word).cast(), (&raw mut handle).cast()];
    let params = CUDA_KERNEL_NODE_PARAMS_v1 {
        func: kernel,
        gridDimX: 1,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: 1,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: 0,
        kernelParams: list.as_mut_ptr(),
        extra: null_mut(),
    };
    call!(cuGraphAddKernelNode(&raw mut node, graph, null(), 0, &raw const params));
    node
}

#[test]
fn if_node_runs_its_body_by_the_default_value() {
    begin_test();
    if !is_since(12, 4) {
        skip!("needs CUDA 12.4");
    }
    let words = allocate(4);
    for (default, expected) in [(0, 1), (1, 2)] {
        let graph = graph();
        let start = fill(graph, &[], words, 1);
        let handle = condition(graph, default);
        let bodies = conditional(graph, &[start], handle, 0, 1);
        fill(bodies[0], &[], words, 2);
        let (executable, other) = (instantiate(graph), stream(1));
        for _ in 0..2 {
            run(executable, other);
            assert_eq!(word(words), expected);
        }
        let refused = code!(cuGraphDestroy(bodies[0]));
        assert_eq!(refused, CUresult::CUDA_ERROR_INVALID_VALUE);
        call!(cuGraphDestroy(graph));
    }
}

#[test]
fn executable_of_a_destroyed_graph_refuses_no_other() {
    begin_test();
    if !is_since(12, 4) {
        skip!("needs CUDA 12.4");
    }
    let words = allocate(4);
    let mut executables = Vec::new();
    for value in 0..8 {
        // A graph with a conditional node has one executable. The handle may be that of the graph before.
        let graph = graph();
        for body in conditional(graph, &[], condition(graph, 1), 0, 1) {
            fill(body, &[], words, value);
        }
        let executable = instantiate(graph);
        call!(cuGraphDestroy(graph));
        run(executable, stream(1));
        assert_eq!(word(words), value);
        executables.push(executable);
    }
    for executable in executables {
        call!(cuGraphExecDestroy(executable));
    }
}

#[test]
fn switch_node_runs_the_body_of_its_value() {
    begin_test();
    if !is_since(12, 8) {
        skip!("needs CUDA 12.8");
    }
    let words = allocate(4);
    for (default, expected) in [(0, 10), (2, 12), (3, 1)] {
        let graph = graph();
        let start = fill(graph, &[], words, 1);
        let handle = condition(graph, default);
        for (index, body) in (10..).zip(conditional(graph, &[start], handle, 2, 3)) {
            fill(body, &[], words, index);
        }
        run(instantiate(graph), stream(1));
        assert_eq!(word(words), expected);
    }
}

#[test]
fn while_node_repeats_until_a_kernel_ends_it() {
    begin_test();
    if !is_since(12, 4) {
        skip!("needs CUDA 12.4");
    }
    let words = allocate(8);
    let graph = graph();
    let start = fill(graph, &[], words, 5);
    let zero = fill(graph, &[start], words + 4, 0);
    let handle = condition(graph, 1);
    let bodies = conditional(graph, &[zero], handle, 1, 1);
    let node = setter(bodies[0], function(PTX, c"count_down"), words, handle);
    kernel(bodies[0], &[node], words + 4, 1);
    assert_eq!(nodes(bodies[0]).len(), 2);
    let (executable, other) = (instantiate(graph), stream(1));
    for _ in 0..2 {
        run(executable, other);
        assert_eq!((word(words), word(words + 4)), (0, 5));
    }
}

/// Conformance fact V1207.
#[test]
fn node_has_the_context_of_its_condition() {
    begin_test();
    if !is_since(12, 4) {
        skip!("needs CUDA 12.4");
    }
    let own = current();
    let other = cuda_suite::raw::context(0);
    call!(cuCtxSetCurrent(own));
    let ended = cuda_suite::raw::context(0);
    call!(cuCtxDestroy_v2(ended));
    call!(cuCtxSetCurrent(own));
    let graph = graph();
    let handle = condition(graph, 1);
    let add = |context: CUcontext| {
        let mut params = conditional_params(handle, 0, 1);
        params.__bindgen_anon_1.conditional.ctx = context;
        code!(cuGraphAddNode_v2(&mut null_mut(), graph, null(), null(), 0, &raw mut params))
    };
    assert_eq!(add(null_mut()), CUresult::CUDA_ERROR_INVALID_CONTEXT);
    assert_eq!(add(ended), CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED);
    assert_eq!(add(other), CUresult::CUDA_ERROR_INVALID_VALUE);
    assert_eq!(add(own), CUresult::CUDA_SUCCESS);
    call!(cuGraphDestroy(graph));
    call!(cuCtxDestroy_v2(other));
}

/// Conformance fact V1210: a kernel of a module in a body is of the current context.
#[test]
fn body_of_green_context_holds_its_kernels() {
    begin_test();
    if !is_since(12, 4) {
        skip!("needs CUDA 12.4");
    }
    let device = cuda_rt::Device::get(0).unwrap();
    let Ok(green) = device.sm_resource().and_then(|all| cuda_rt::green::GreenContext::new(&all)) else {
        skip!("green contexts cannot be created");
    };
    let own = current();
    call!(cuCtxSetCurrent(green.context().as_raw()));
    let (kernel, memory) = (function(PTX, c"count_down"), allocate(4));
    for is_green in [true, false] {
        call!(cuCtxSetCurrent(green.as_raw_context()));
        let graph = graph();
        let handle = condition(graph, 0);
        let bodies = conditional(graph, &[], handle, 0, 1);
        let current = if is_green { green.as_raw_context() } else { green.context().as_raw() };
        call!(cuCtxSetCurrent(current));
        setter(bodies[0], kernel, memory, handle);
        let mut executable = null_mut();
        let made = code!(cuGraphInstantiateWithFlags(&raw mut executable, graph, 0));
        assert_eq!(made.is_success(), is_green, "{made}");
        if is_green {
            call!(cuGraphExecDestroy(executable));
        }
        call!(cuGraphDestroy(graph));
    }
    call!(cuMemFree_v2(memory));
    call!(cuCtxSetCurrent(own));
}
