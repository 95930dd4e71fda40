//! Executables: launches, and changes of their nodes.

use crate::raw_nodes::{Arguments, adder, copy, copy_params, fill, fill_params, graph, kernel};
use crate::raw_setup::{begin_test, instantiate, is_since, nodes, run, type_of, word};
use cuda_suite::raw::{allocate, function, page_locked, stream, try_launch};
use cuda_suite::{call, code, skip};
use cuda_sys::{
    CUDA_MEMSET_NODE_PARAMS_v2, CUgraph, CUgraphExec, CUgraphExecUpdateResult_enum,
    CUgraphExecUpdateResultInfo, CUgraphNode, CUgraphNodeParams, CUgraphNodeType_enum,
    CUlaunchAttributeID_enum, CUlaunchAttributeValue, CUresult, cuGraphAddChildGraphNode, cuGraphAddNode,
    cuGraphClone, cuGraphDebugDotPrint, cuGraphDestroy, cuGraphExecChildGraphNodeSetParams,
    cuGraphExecDestroy, cuGraphExecKernelNodeSetParams, cuGraphExecMemcpyNodeSetParams,
    cuGraphExecMemsetNodeSetParams, cuGraphExecNodeSetParams, cuGraphExecUpdate, cuGraphExecUpdate_v2,
    cuGraphKernelNodeCopyAttributes, cuGraphKernelNodeGetAttribute, cuGraphKernelNodeSetAttribute,
    cuGraphLaunch, cuGraphMemsetNodeSetParams, cuGraphNodeFindInClone, cuGraphNodeGetEnabled,
    cuGraphNodeSetEnabled, cuGraphNodeSetParams, cuGraphUpload, cuStreamSynchronize,
};
use std::ptr::null_mut;

#[test]
fn launches_of_one_executable_do_not_overlap() {
    begin_test();
    let words = allocate(4);
    call!(cuda_sys::cuMemsetD32_v2(words, 0, 1));
    // The fill is asynchronous, and the streams do not wait for it.
    call!(cuda_sys::cuCtxSynchronize());
    let graph = graph();
    kernel(graph, &[], words, 1);
    let executable = instantiate(graph);
    let streams = [stream(1), stream(1)];
    for index in 0..20 {
        call!(cuGraphLaunch(executable, streams[index % 2]));
    }
    streams.into_iter().for_each(|stream| call!(cuStreamSynchronize(stream)));
    assert_eq!(word(words), 20);
}

#[test]
fn graph_can_be_destroyed_before_the_launch() {
    begin_test();
    let words = allocate(4);
    let graph = graph();
    fill(graph, &[], words, 4);
    let executable = instantiate(graph);
    call!(cuGraphDestroy(graph));
    let other = stream(1);
    if is_since(11, 1) {
        call!(cuGraphUpload(executable, other));
    }
    run(executable, other);
    call!(cuGraphExecDestroy(executable));
    assert_eq!(word(words), 4);
}

#[test]
fn executable_can_be_destroyed_in_flight() {
    begin_test();
    let words = allocate(4);
    let graph = graph();
    fill(graph, &[], words, 5);
    let executable = instantiate(graph);
    let other = stream(1);
    call!(cuGraphLaunch(executable, other));
    call!(cuGraphExecDestroy(executable));
    call!(cuStreamSynchronize(other));
    assert_eq!(word(words), 5);
}

/// A graph that sets a word and adds to it, and copies it to the next word: the graph and its nodes.
fn chain(words: u64, value: u32, more: u32) -> (CUgraph, [CUgraphNode; 3]) {
    let graph = graph();
    let first = fill(graph, &[], words, value);
    let middle = kernel(graph, &[first], words, more);
    let last = copy(graph, &[middle], &copy_params(words + 4, words, 4));
    (graph, [first, middle, last])
}

fn update(executable: CUgraphExec, graph: CUgraph) -> (CUresult, u32, CUgraphNode) {
    if is_since(12, 0) {
        let mut info = CUgraphExecUpdateResultInfo {
            result: CUgraphExecUpdateResult_enum(99),
            errorNode: null_mut(),
            errorFromNode: null_mut(),
        };
        let code = code!(cuGraphExecUpdate_v2(executable, graph, &raw mut info));
        return (code, info.result.0, info.errorNode);
    }
    let (mut node, mut result) = (null_mut(), CUgraphExecUpdateResult_enum(99));
    let code = code!(cuGraphExecUpdate(executable, graph, &raw mut node, &raw mut result));
    (code, result.0, node)
}

#[test]
fn update_takes_new_parameters_of_the_same_form() {
    begin_test();
    let words = allocate(8);
    let (first, _) = chain(words, 1, 2);
    let (second, _) = chain(words, 10, 20);
    let executable = instantiate(first);
    let other = stream(1);
    run(executable, other);
    assert_eq!(word(words + 4), 3);
    assert_eq!(update(executable, second), (CUresult::CUDA_SUCCESS, 0, null_mut()));
    run(executable, other);
    assert_eq!(word(words + 4), 30);
}

#[test]
fn update_to_another_form_is_refused_with_a_reason() {
    begin_test();
    const FAILURE: CUresult = CUresult::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    let words = allocate(8);
    let (first, _) = chain(words, 1, 2);
    let executable = instantiate(first);
    let shorter = graph();
    fill(shorter, &[], words, 5);
    let (code, reason, _) = update(executable, shorter);
    assert_eq!((code, reason), (FAILURE, 2));
    let other_types = graph();
    let start = fill(other_types, &[], words, 5);
    let next = fill(other_types, &[start], words, 6);
    copy(other_types, &[next], &copy_params(words + 4, words, 4));
    let (code, reason, _) = update(executable, other_types);
    assert_eq!((code, reason), (FAILURE, 3));
    let other = stream(1);
    run(executable, other);
    assert_eq!(word(words + 4), 3, "the executable is as it was");
}

#[test]
fn nodes_of_an_executable_are_set_one_by_one() {
    begin_test();
    let words = allocate(12);
    let (graph, [first, middle, last]) = chain(words, 1, 2);
    let executable = instantiate(graph);
    let (context, other) = (cuda_suite::raw::current(), stream(1));
    let params = fill_params(words, 7);
    call!(cuGraphExecMemsetNodeSetParams(executable, first, &raw const params, context));
    let mut arguments = Arguments::new(words, 30);
    let params = arguments.params(adder());
    call!(cuGraphExecKernelNodeSetParams(executable, middle, &raw const params));
    let params = copy_params(words + 8, words, 4);
    call!(cuGraphExecMemcpyNodeSetParams(executable, last, &raw const params, context));
    run(executable, other);
    assert_eq!(word(words + 8), 37);
    // The graph stays as it is, and a later executable is made of that.
    let later = instantiate(graph);
    run(later, other);
    assert_eq!(word(words + 4), 3);
    let wrong = code!(cuGraphExecMemcpyNodeSetParams(executable, first, &raw const params, context));
    assert_eq!(wrong, CUresult::CUDA_ERROR_INVALID_VALUE);
    call!(cuGraphDestroy(graph));
    let gone = code!(cuGraphExecMemcpyNodeSetParams(executable, last, &raw const params, context));
    assert_eq!(gone, CUresult::CUDA_ERROR_INVALID_VALUE);
    run(executable, other);
}

#[test]
fn disabled_node_is_left_out() {
    begin_test();
    if !is_since(11, 6) {
        skip!("needs CUDA 11.6");
    }
    let words = allocate(8);
    let (graph, [_, middle, _]) = chain(words, 1, 2);
    let (executable, other) = (instantiate(graph), stream(1));
    let enabled = || {
        let mut enabled = 9;
        call!(cuGraphNodeGetEnabled(executable, middle, &raw mut enabled));
        enabled
    };
    for (wanted, expected) in [(0, 1), (1, 3)] {
        call!(cuGraphNodeSetEnabled(executable, middle, wanted));
        assert_eq!(enabled(), wanted);
        run(executable, other);
        assert_eq!(word(words + 4), expected);
    }
}

#[test]
fn child_graph_of_an_executable_is_set() {
    begin_test();
    if !is_since(11, 1) {
        skip!("needs CUDA 11.1");
    }
    let words = allocate(8);
    let (first, _) = chain(words, 1, 2);
    let (second, _) = chain(words, 10, 20);
    let parent = graph();
    let start = fill(parent, &[], words, 0);
    let mut node = null_mut();
    call!(cuGraphAddChildGraphNode(&raw mut node, parent, &raw const start, 1, first));
    let (executable, other) = (instantiate(parent), stream(1));
    run(executable, other);
    assert_eq!(word(words + 4), 3);
    call!(cuGraphExecChildGraphNodeSetParams(executable, node, second));
    run(executable, other);
    assert_eq!(word(words + 4), 30);
    let shorter = graph();
    fill(shorter, &[], words, 5);
    let code = code!(cuGraphExecChildGraphNodeSetParams(executable, node, shorter));
    assert_eq!(code, CUresult::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
}

#[test]
fn running_launch_keeps_its_old_parameters() {
    begin_test();
    let words = allocate(8);
    let (graph, [first, ..]) = chain(words, 1, 2);
    let (executable, other) = (instantiate(graph), stream(1));
    let (go, flag) = page_locked(1);
    assert_eq!(try_launch(function(HOLD, c"hold"), 1, other, &[flag]), CUresult::CUDA_SUCCESS);
    call!(cuGraphLaunch(executable, other));
    let params = fill_params(words, 50);
    let context = cuda_suite::raw::current();
    call!(cuGraphExecMemsetNodeSetParams(executable, first, &raw const params, context));
    go[0].store(1, std::sync::atomic::Ordering::SeqCst);
    call!(cuStreamSynchronize(other));
    assert_eq!(word(words + 4), 3);
    run(executable, other);
    assert_eq!(word(words + 4), 52);
}

const HOLD: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
    .visible .entry hold(.param .u64 go) {
        .reg .b64 %a; .reg .b32 %r; .reg .pred %p;
        ld.param.u64 %a, [go];
        again: ld.volatile.global.u32 %r, [%a]; setp.eq.u32 %p, %r, 0; @%p bra again; ret; }";

#[test]
fn clone_has_nodes_of_its_own() {
    begin_test();
    let words = allocate(8);
    let (graph, [first, ..]) = chain(words, 1, 2);
    let (mut cloned, mut found) = (null_mut(), null_mut());
    call!(cuGraphClone(&raw mut cloned, graph));
    call!(cuGraphNodeFindInClone(&raw mut found, first, cloned));
    assert!(nodes(cloned).contains(&found) && found != first);
    let params = fill_params(words, 40);
    call!(cuGraphMemsetNodeSetParams(found, &raw const params));
    call!(cuGraphDestroy(graph));
    run(instantiate(cloned), stream(1));
    assert_eq!(word(words + 4), 42);
}

#[test]
fn kernel_node_attributes_are_set_and_copied() {
    begin_test();
    if !is_since(12, 0) {
        skip!("older drivers may not know the attribute");
    }
    let words = allocate(8);
    let (first, [_, node, _]) = chain(words, 1, 2);
    let (_, [start, other, _]) = chain(words, 1, 2);
    let cooperative = CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    let value = CUlaunchAttributeValue { cooperative: 1 };
    call!(cuGraphKernelNodeSetAttribute(node, cooperative, &raw const value));
    call!(cuGraphKernelNodeCopyAttributes(other, node));
    let mut shown = CUlaunchAttributeValue { cooperative: 0 };
    call!(cuGraphKernelNodeGetAttribute(other, cooperative, &raw mut shown));
    // SAFETY: the attribute says that this is what the value holds.
    assert_eq!(unsafe { shown.cooperative }, 1);
    // Values of programs for CUDA before 11.8 have 32 bytes.
    let mut short = [0x7f_u8; 64];
    call!(cuGraphKernelNodeGetAttribute(other, cooperative, short.as_mut_ptr().cast()));
    assert_eq!((short[0], &short[32..]), (1, &[0x7f; 32][..]));
    let code = code!(cuGraphKernelNodeSetAttribute(start, cooperative, &raw const value));
    assert!(!code.is_success());
    run(instantiate(first), stream(1));
    assert_eq!(word(words + 4), 3);
}

#[test]
fn dot_output_names_the_kinds_of_nodes() {
    begin_test();
    if !is_since(11, 3) {
        skip!("needs CUDA 11.3");
    }
    let words = allocate(8);
    let (graph, _) = chain(words, 1, 2);
    let path = std::env::temp_dir().join(format!("cuda-suite-{}.dot", std::process::id()));
    let text = std::ffi::CString::new(path.to_str().unwrap()).unwrap();
    call!(cuGraphDebugDotPrint(graph, text.as_ptr(), 0));
    let dot = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(dot.contains("digraph") && dot.contains("->"), "{dot}");
}

/// Parameters of a node that sets a word.
fn generic_fill(words: u64, value: u32) -> CUgraphNodeParams {
    // SAFETY: all members may be zero.
    let mut params: CUgraphNodeParams = unsafe { std::mem::zeroed() };
    params.type_ = CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_MEMSET;
    params.__bindgen_anon_1.memset = CUDA_MEMSET_NODE_PARAMS_v2 {
        dst: words,
        pitch: 0,
        value,
        elementSize: 4,
        width: 1,
        height: 1,
        ctx: cuda_suite::raw::current(),
    };
    params
}

#[test]
fn generic_functions_add_and_set_nodes() {
    begin_test();
    if !is_since(12, 2) {
        skip!("needs CUDA 12.2");
    }
    let words = allocate(4);
    let graph = graph();
    let mut node = null_mut();
    call!(cuGraphAddNode(&raw mut node, graph, std::ptr::null(), 0, &mut generic_fill(words, 3)));
    assert_eq!(type_of(node).0, 2);
    call!(cuGraphNodeSetParams(node, &mut generic_fill(words, 4)));
    let (executable, other) = (instantiate(graph), stream(1));
    run(executable, other);
    assert_eq!(word(words), 4);
    call!(cuGraphExecNodeSetParams(executable, node, &mut generic_fill(words, 5)));
    run(executable, other);
    assert_eq!(word(words), 5);
}
