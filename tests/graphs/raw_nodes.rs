//! Nodes: each kind is added, asked for and set; edges and queries.

use crate::raw_setup::{begin_test, event, instantiate, is_since, nodes, run, type_of, word};
use cuda_suite::raw::{allocate, function, stream};
use cuda_suite::{call, code, skip};
use cuda_sys::{
    CUDA_HOST_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS, CUgraph,
    CUgraphEdgeData, CUgraphNode, CUmemorytype_enum as MemoryType, CUresult, cuGraphAddChildGraphNode,
    cuGraphAddDependencies, cuGraphAddEmptyNode, cuGraphAddEventRecordNode, cuGraphAddEventWaitNode,
    cuGraphAddHostNode, cuGraphAddKernelNode, cuGraphAddMemcpyNode, cuGraphAddMemsetNode,
    cuGraphChildGraphNodeGetGraph, cuGraphCreate, cuGraphDestroy, cuGraphDestroyNode,
    cuGraphEventRecordNodeGetEvent, cuGraphEventWaitNodeGetEvent, cuGraphEventWaitNodeSetEvent,
    cuGraphGetEdges, cuGraphGetEdges_v2, cuGraphGetRootNodes, cuGraphHostNodeGetParams,
    cuGraphInstantiate_v2, cuGraphKernelNodeGetParams, cuGraphKernelNodeSetParams,
    cuGraphMemcpyNodeGetParams, cuGraphMemcpyNodeSetParams, cuGraphMemsetNodeGetParams,
    cuGraphMemsetNodeSetParams, cuGraphNodeGetDependencies, cuGraphNodeGetDependentNodes,
    cuGraphRemoveDependencies,
};
use std::ptr::{null_mut, without_provenance_mut};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

const PTX: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
    .visible .entry add(.param .u64 to, .param .u32 more) {
        .reg .b64 %a; .reg .b32 %r, %m;
        ld.param.u64 %a, [to]; ld.param.u32 %m, [more];
        ld.global.u32 %r, [%a]; add.u32 %r, %r, %m; st.global.u32 [%a], %r; ret; }";

pub(crate) fn graph() -> CUgraph {
    let mut graph = null_mut();
    call!(cuGraphCreate(&raw mut graph, 0));
    graph
}

pub(crate) fn empty(graph: CUgraph, after: &[CUgraphNode]) -> CUgraphNode {
    let mut node = null_mut();
    call!(cuGraphAddEmptyNode(&raw mut node, graph, after.as_ptr(), after.len()));
    node
}

pub(crate) fn fill_params(to: u64, value: u32) -> CUDA_MEMSET_NODE_PARAMS {
    CUDA_MEMSET_NODE_PARAMS { dst: to, pitch: 0, value, elementSize: 4, width: 1, height: 1 }
}

pub(crate) fn fill(graph: CUgraph, after: &[CUgraphNode], to: u64, value: u32) -> CUgraphNode {
    let mut node = null_mut();
    let params = fill_params(to, value);
    let context = cuda_suite::raw::current();
    call!(cuGraphAddMemsetNode(
        &raw mut node,
        graph,
        after.as_ptr(),
        after.len(),
        &raw const params,
        context
    ));
    node
}

pub(crate) fn copy_params(to: u64, from: u64, bytes: usize) -> CUDA_MEMCPY3D {
    // SAFETY: all members may be zero.
    let zero: CUDA_MEMCPY3D = unsafe { std::mem::zeroed() };
    CUDA_MEMCPY3D {
        srcMemoryType: MemoryType::CU_MEMORYTYPE_DEVICE,
        srcDevice: from,
        dstMemoryType: MemoryType::CU_MEMORYTYPE_DEVICE,
        dstDevice: to,
        WidthInBytes: bytes,
        Height: 1,
        Depth: 1,
        ..zero
    }
}

pub(crate) fn copy(graph: CUgraph, after: &[CUgraphNode], params: &CUDA_MEMCPY3D) -> CUgraphNode {
    let mut node = null_mut();
    let context = cuda_suite::raw::current();
    call!(cuGraphAddMemcpyNode(&raw mut node, graph, after.as_ptr(), after.len(), params, context));
    node
}

/// The arguments of the kernel, and the list of their addresses.
pub(crate) struct Arguments {
    to: Box<u64>,
    more: Box<u32>,
    list: [*mut core::ffi::c_void; 2],
}

impl Arguments {
    pub(crate) fn new(to: u64, more: u32) -> Arguments {
        Arguments { to: Box::new(to), more: Box::new(more), list: [null_mut(); 2] }
    }

    pub(crate) fn params(&mut self, function: cuda_sys::CUfunction) -> CUDA_KERNEL_NODE_PARAMS_v1 {
        self.list = [(&raw mut *self.to).cast(), (&raw mut *self.more).cast()];
        CUDA_KERNEL_NODE_PARAMS_v1 {
            func: function,
            gridDimX: 1,
            gridDimY: 1,
            gridDimZ: 1,
            blockDimX: 1,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: 0,
            kernelParams: self.list.as_mut_ptr(),
            extra: null_mut(),
        }
    }
}

pub(crate) fn adder() -> cuda_sys::CUfunction {
    function(PTX, c"add")
}

pub(crate) fn kernel(graph: CUgraph, after: &[CUgraphNode], to: u64, more: u32) -> CUgraphNode {
    let (mut node, mut arguments) = (null_mut(), Arguments::new(to, more));
    let params = arguments.params(adder());
    call!(cuGraphAddKernelNode(&raw mut node, graph, after.as_ptr(), after.len(), &raw const params));
    node
}

#[test]
fn explicit_nodes_run_in_the_order_of_edges() {
    begin_test();
    let words = allocate(8);
    let graph = graph();
    // Added in the reverse order.
    let last = copy(graph, &[], &copy_params(words + 4, words, 4));
    let middle = kernel(graph, &[], words, 5);
    let first = fill(graph, &[], words, 7);
    let (from, to) = ([first, middle], [middle, last]);
    call!(cuGraphAddDependencies(graph, from.as_ptr(), to.as_ptr(), 2));
    assert_eq!([first, middle, last].map(|node| type_of(node).0), [2, 0, 1]);
    let executable = instantiate(graph);
    let other = stream(1);
    for _ in 0..2 {
        run(executable, other);
        assert_eq!((word(words), word(words + 4)), (12, 12));
    }
}

#[test]
fn circle_of_edges_cannot_be_instantiated() {
    begin_test();
    let graph = graph();
    let first = empty(graph, &[]);
    let second = empty(graph, &[first]);
    let code = code!(cuGraphAddDependencies(graph, &raw const second, &raw const first, 1));
    let mut executable = null_mut();
    let made = code!(cuGraphInstantiate_v2(&raw mut executable, graph, null_mut(), null_mut(), 0));
    assert!(!code.is_success() || !made.is_success());
}

#[test]
fn edges_are_listed_added_and_removed() {
    begin_test();
    let graph = graph();
    let first = empty(graph, &[]);
    let second = empty(graph, &[first]);
    let third = empty(graph, &[first]);
    assert_eq!(nodes(graph), [first, second, third]);
    let mut roots = [null_mut(); 2];
    let mut count = 2;
    call!(cuGraphGetRootNodes(graph, roots.as_mut_ptr(), &raw mut count));
    assert_eq!((count, roots), (1, [first, null_mut()]));
    let edges = || {
        let mut count = 0;
        call!(cuGraphGetEdges(graph, null_mut(), null_mut(), &raw mut count));
        let (mut from, mut to) = (vec![null_mut(); count], vec![null_mut(); count]);
        // Room for none is refused.
        if count > 0 {
            call!(cuGraphGetEdges(graph, from.as_mut_ptr(), to.as_mut_ptr(), &raw mut count));
        }
        let mut edges: Vec<_> = from.into_iter().zip(to).collect();
        edges.sort_unstable();
        edges
    };
    let sorted = |mut edges: Vec<(CUgraphNode, CUgraphNode)>| {
        edges.sort_unstable();
        edges
    };
    assert_eq!(edges(), sorted(vec![(first, second), (first, third)]));
    let again = code!(cuGraphAddDependencies(graph, &raw const first, &raw const second, 1));
    assert_eq!(again, INVALID);
    call!(cuGraphAddDependencies(graph, &raw const second, &raw const third, 1));
    call!(cuGraphRemoveDependencies(graph, &raw const first, &raw const third, 1));
    let missing = code!(cuGraphRemoveDependencies(graph, &raw const first, &raw const third, 1));
    assert_eq!(missing, INVALID);
    assert_eq!(edges(), sorted(vec![(first, second), (second, third)]));
    let (mut node, mut count) = (null_mut(), 1);
    call!(cuGraphNodeGetDependencies(third, &raw mut node, &raw mut count));
    assert_eq!((node, count), (second, 1));
    call!(cuGraphNodeGetDependentNodes(first, &raw mut node, &raw mut count));
    assert_eq!((node, count), (second, 1));
    call!(cuGraphDestroyNode(second));
    assert_eq!(edges(), []);
    assert_eq!(nodes(graph), [first, third]);
}

#[test]
fn edge_data_of_plain_edges_is_zero() {
    begin_test();
    if !is_since(12, 3) {
        skip!("needs CUDA 12.3");
    }
    let graph = graph();
    let first = empty(graph, &[]);
    let second = empty(graph, &[first]);
    let (mut from, mut to, mut count) = (null_mut(), null_mut(), 1);
    let mut data = CUgraphEdgeData { from_port: 9, to_port: 9, type_: 9, reserved: [9; 5] };
    call!(cuGraphGetEdges_v2(graph, &raw mut from, &raw mut to, &raw mut data, &raw mut count));
    assert_eq!((from, to, count), (first, second, 1));
    assert_eq!((data.from_port, data.to_port, data.type_, data.reserved), (0, 0, 0, [0; 5]));
}

#[test]
fn dependencies_must_be_of_the_graph_and_differ() {
    begin_test();
    let (one, other) = (graph(), graph());
    let foreign = empty(other, &[]);
    let own = empty(one, &[]);
    let mut node = null_mut();
    for after in [vec![foreign], vec![own, own]] {
        let code = code!(cuGraphAddEmptyNode(&raw mut node, one, after.as_ptr(), after.len()));
        assert_eq!(code, INVALID);
    }
    assert_eq!(nodes(one), [own]);
    call!(cuGraphDestroy(one));
    call!(cuGraphDestroy(other));
}

#[test]
fn kernel_params_are_shown_and_set() {
    begin_test();
    let words = allocate(4);
    let graph = graph();
    let start = fill(graph, &[], words, 1);
    let node = kernel(graph, &[start], words, 5);
    // SAFETY: all members may be zero.
    let mut shown: CUDA_KERNEL_NODE_PARAMS_v1 = unsafe { std::mem::zeroed() };
    call!(cuGraphKernelNodeGetParams(node, &raw mut shown));
    assert_eq!([shown.gridDimX, shown.blockDimX, shown.sharedMemBytes], [1, 1, 0]);
    // SAFETY: the driver's list of the addresses of two arguments.
    let (to, more) =
        unsafe { (*(*shown.kernelParams).cast::<u64>(), *(*shown.kernelParams.add(1)).cast::<u32>()) };
    assert_eq!((to, more), (words, 5));
    let mut arguments = Arguments::new(words, 8);
    let params = arguments.params(shown.func);
    call!(cuGraphKernelNodeSetParams(node, &raw const params));
    run(instantiate(graph), stream(1));
    assert_eq!(word(words), 9);
    let wrong = CUDA_KERNEL_NODE_PARAMS_v1 { blockDimX: 4096, ..arguments.params(shown.func) };
    assert_eq!(code!(cuGraphKernelNodeSetParams(node, &raw const wrong)), INVALID);
    assert_eq!(code!(cuGraphKernelNodeSetParams(start, &raw const params)), INVALID);
}

#[test]
fn fill_and_copy_params_are_shown_and_set() {
    begin_test();
    let words = allocate(8);
    let graph = graph();
    let filled = fill(graph, &[], words, 1);
    let copied = copy(graph, &[filled], &copy_params(words + 4, words, 4));
    let mut shown = fill_params(0, 0);
    call!(cuGraphMemsetNodeGetParams(filled, &raw mut shown));
    assert_eq!((shown.dst, shown.value, shown.elementSize, shown.width, shown.height), (words, 1, 4, 1, 1));
    shown.value = 6;
    call!(cuGraphMemsetNodeSetParams(filled, &raw const shown));
    let mut shown = copy_params(0, 0, 0);
    call!(cuGraphMemcpyNodeGetParams(copied, &raw mut shown));
    assert_eq!((shown.dstDevice, shown.srcDevice, shown.WidthInBytes), (words + 4, words, 4));
    call!(cuGraphMemcpyNodeSetParams(copied, &raw const shown));
    run(instantiate(graph), stream(1));
    assert_eq!((word(words), word(words + 4)), (6, 6));
    let wrong = CUDA_MEMSET_NODE_PARAMS { elementSize: 3, ..fill_params(words, 1) };
    assert_eq!(code!(cuGraphMemsetNodeSetParams(filled, &raw const wrong)), INVALID);
}

unsafe extern "C" fn nothing(_: *mut core::ffi::c_void) {}

#[test]
fn host_node_shows_its_function() {
    begin_test();
    let graph = graph();
    let params = CUDA_HOST_NODE_PARAMS { fn_: Some(nothing), userData: without_provenance_mut(8) };
    let mut node = null_mut();
    call!(cuGraphAddHostNode(&raw mut node, graph, std::ptr::null(), 0, &raw const params));
    let mut shown = CUDA_HOST_NODE_PARAMS { fn_: None, userData: null_mut() };
    call!(cuGraphHostNodeGetParams(node, &raw mut shown));
    assert!(shown.fn_.is_some());
    assert_eq!(shown.userData.addr(), 8);
    run(instantiate(graph), stream(1));
}

#[test]
fn event_nodes_show_their_events() {
    begin_test();
    if !is_since(11, 1) {
        skip!("needs CUDA 11.1");
    }
    let graph = graph();
    let (first, second) = (event(), event());
    let (mut recorded, mut awaited, mut shown) = (null_mut(), null_mut(), null_mut());
    call!(cuGraphAddEventRecordNode(&raw mut recorded, graph, std::ptr::null(), 0, first));
    call!(cuGraphAddEventWaitNode(&raw mut awaited, graph, &raw const recorded, 1, first));
    call!(cuGraphEventRecordNodeGetEvent(recorded, &raw mut shown));
    assert_eq!(shown, first);
    call!(cuGraphEventWaitNodeSetEvent(awaited, second));
    call!(cuGraphEventWaitNodeGetEvent(awaited, &raw mut shown));
    assert_eq!(shown, second);
    assert_eq!(code!(cuGraphEventRecordNodeGetEvent(awaited, &raw mut shown)), INVALID);
    run(instantiate(graph), stream(1));
}

#[test]
fn child_graph_is_a_copy_that_runs_inside() {
    begin_test();
    let words = allocate(8);
    let (parent, child) = (graph(), graph());
    let inner = fill(child, &[], words, 3);
    kernel(child, &[inner], words, 4);
    let before = fill(parent, &[], words, 9);
    let mut node = null_mut();
    call!(cuGraphAddChildGraphNode(&raw mut node, parent, &raw const before, 1, child));
    copy(parent, &[node], &copy_params(words + 4, words, 4));
    let mut copied = null_mut();
    call!(cuGraphChildGraphNodeGetGraph(node, &raw mut copied));
    assert_ne!(copied, child);
    assert_eq!(nodes(copied).len(), 2);
    call!(cuGraphDestroy(child));
    run(instantiate(parent), stream(1));
    assert_eq!((word(words), word(words + 4)), (7, 7));
}
