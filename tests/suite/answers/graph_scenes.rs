//! Scenes that questions about graphs and captures share.

use super::{Answers, PTX, initialised};
use core::ffi::c_void;
use cuda_suite::raw::{context, function};
use cuda_suite::{code, raw};
use cuda_sys::*;
use std::ptr::{null, null_mut};

/// A new context with a stream that is apart from the legacy one.
pub(super) fn begun() -> CUstream {
    initialised();
    context(0);
    raw::stream(1)
}

pub(super) fn begin(on: CUstream, mode: u32) -> CUresult {
    code!(cuStreamBeginCapture_v2(on, CUstreamCaptureMode_enum(mode)))
}

pub(super) fn end(on: CUstream) -> (CUresult, CUgraph) {
    let mut graph = null_mut();
    (code!(cuStreamEndCapture(on, &raw mut graph)), graph)
}

/// Ends a capture: the code, and the graph's shape if there is one.
pub(super) fn ended(answers: &mut Answers, on: CUstream) -> CUgraph {
    let (code, graph) = end(on);
    if answers.code(code) {
        answers.value(shape(graph));
    }
    graph
}

/// The status of a stream, or the code in place of it: `c906`.
pub(super) fn status(on: CUstream) -> String {
    let mut status = CUstreamCaptureStatus_enum(9);
    let code = code!(cuStreamIsCapturing(on, &raw mut status));
    if code.is_success() { status.0.to_string() } else { format!("c{}", code.0) }
}

pub(super) fn new_graph(answers: &mut Answers) -> CUgraph {
    let mut graph = null_mut();
    answers.must(code!(cuGraphCreate(&raw mut graph, 0)));
    graph
}

/// A call that makes a node, with where to put it.
pub(super) fn made(answers: &mut Answers, add: impl FnOnce(*mut CUgraphNode) -> CUresult) -> CUgraphNode {
    let mut node = null_mut();
    answers.must(add(&raw mut node));
    node
}

pub(super) fn empty(answers: &mut Answers, graph: CUgraph, after: &[CUgraphNode]) -> CUgraphNode {
    made(answers, |node| try_empty(node, graph, after))
}

pub(super) fn try_empty(node: *mut CUgraphNode, graph: CUgraph, after: &[CUgraphNode]) -> CUresult {
    code!(cuGraphAddEmptyNode(node, graph, after.as_ptr(), after.len()))
}

/// Parameters of a kernel node of one thread.
pub(super) fn with_kernel<R>(
    function: CUfunction,
    arguments: &[u64],
    work: impl FnOnce(&mut CUDA_KERNEL_NODE_PARAMS) -> R,
) -> R {
    let mut places: Vec<*mut c_void> =
        arguments.iter().map(|argument| std::ptr::from_ref(argument).cast_mut().cast()).collect();
    work(&mut CUDA_KERNEL_NODE_PARAMS {
        func: function,
        gridDimX: 1,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: 1,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: 0,
        kernelParams: if places.is_empty() { null_mut() } else { places.as_mut_ptr() },
        extra: null_mut(),
        kern: null_mut(),
        ctx: null_mut(),
    })
}

pub(super) fn kernel(
    answers: &mut Answers,
    graph: CUgraph,
    after: &[CUgraphNode],
    function: CUfunction,
    arguments: &[u64],
) -> CUgraphNode {
    made(answers, |node| {
        with_kernel(function, arguments, |params| {
            code!(cuGraphAddKernelNode_v2(node, graph, after.as_ptr(), after.len(), params))
        })
    })
}

/// The kernel that copies a word.
pub(super) fn copier() -> CUfunction {
    function(PTX, c"copy")
}

pub(super) fn fill_params(at: CUdeviceptr, value: u32, words: usize) -> CUDA_MEMSET_NODE_PARAMS {
    CUDA_MEMSET_NODE_PARAMS { dst: at, pitch: 0, value, elementSize: 4, width: words, height: 1 }
}

pub(super) fn fill(
    answers: &mut Answers,
    graph: CUgraph,
    after: &[CUgraphNode],
    at: CUdeviceptr,
    value: u32,
) -> CUgraphNode {
    let params = fill_params(at, value, 1);
    made(answers, |node| {
        code!(cuGraphAddMemsetNode(
            node,
            graph,
            after.as_ptr(),
            after.len(),
            &raw const params,
            raw::current()
        ))
    })
}

/// A copy of bytes of one row between addresses of the device.
pub(super) fn copy_params(to: CUdeviceptr, from: CUdeviceptr, bytes: usize) -> CUDA_MEMCPY3D {
    CUDA_MEMCPY3D {
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
        srcDevice: from,
        srcPitch: bytes,
        srcHeight: 1,
        dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
        dstDevice: to,
        dstPitch: bytes,
        dstHeight: 1,
        WidthInBytes: bytes,
        Height: 1,
        Depth: 1,
        ..CUDA_MEMCPY3D::default()
    }
}

pub(super) fn copy(
    answers: &mut Answers,
    graph: CUgraph,
    after: &[CUgraphNode],
    params: &CUDA_MEMCPY3D,
) -> CUgraphNode {
    made(answers, |node| {
        code!(cuGraphAddMemcpyNode(node, graph, after.as_ptr(), after.len(), params, raw::current()))
    })
}

/// A host function that adds one to the word that it is given.
pub(super) unsafe extern "C" fn count_up(word: *mut c_void) {
    if !word.is_null() {
        // SAFETY: a word that is never freed.
        let word = unsafe { &*word.cast::<std::sync::atomic::AtomicU32>() };
        word.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
    }
}

/// A word of the host that is never freed.
pub(super) fn counter() -> &'static std::sync::atomic::AtomicU32 {
    Box::leak(Box::default())
}

pub(super) fn counted(word: &std::sync::atomic::AtomicU32) -> u32 {
    word.load(std::sync::atomic::Ordering::SeqCst)
}

pub(super) fn host(
    answers: &mut Answers,
    graph: CUgraph,
    after: &[CUgraphNode],
    word: &'static std::sync::atomic::AtomicU32,
) -> CUgraphNode {
    let params = CUDA_HOST_NODE_PARAMS { fn_: Some(count_up), userData: address(word) };
    made(answers, |node| {
        code!(cuGraphAddHostNode(node, graph, after.as_ptr(), after.len(), &raw const params))
    })
}

pub(super) fn address(word: &'static std::sync::atomic::AtomicU32) -> *mut c_void {
    std::ptr::from_ref(word).cast_mut().cast()
}

pub(super) fn alloc_params(bytes: usize) -> CUDA_MEM_ALLOC_NODE_PARAMS {
    let pool = CUmemPoolProps {
        allocType: CUmemAllocationType_enum(1),
        location: super::location(super::DEVICE, 0),
        ..CUmemPoolProps::default()
    };
    CUDA_MEM_ALLOC_NODE_PARAMS {
        poolProps: pool,
        accessDescs: null(),
        accessDescCount: 0,
        bytesize: bytes,
        dptr: 0,
    }
}

/// An allocation node, and the address that it was given.
pub(super) fn alloc(
    answers: &mut Answers,
    graph: CUgraph,
    after: &[CUgraphNode],
    bytes: usize,
) -> (CUgraphNode, CUdeviceptr) {
    let mut params = alloc_params(bytes);
    let node = made(answers, |node| {
        code!(cuGraphAddMemAllocNode(node, graph, after.as_ptr(), after.len(), &raw mut params))
    });
    (node, params.dptr)
}

pub(super) fn free(
    answers: &mut Answers,
    graph: CUgraph,
    after: &[CUgraphNode],
    at: CUdeviceptr,
) -> CUgraphNode {
    made(answers, |node| code!(cuGraphAddMemFreeNode(node, graph, after.as_ptr(), after.len(), at)))
}

pub(super) fn child(
    answers: &mut Answers,
    graph: CUgraph,
    after: &[CUgraphNode],
    of: CUgraph,
) -> CUgraphNode {
    made(answers, |node| code!(cuGraphAddChildGraphNode(node, graph, after.as_ptr(), after.len(), of)))
}

pub(super) fn event(answers: &mut Answers, flags: u32) -> CUevent {
    let mut event = null_mut();
    answers.must(code!(cuEventCreate(&raw mut event, flags)));
    event
}

pub(super) fn try_instantiate(exec: &mut CUgraphExec, graph: CUgraph, flags: u64) -> CUresult {
    code!(cuGraphInstantiateWithFlags(exec, graph, flags))
}

pub(super) fn instantiate(answers: &mut Answers, graph: CUgraph) -> CUgraphExec {
    let mut exec = null_mut();
    answers.must(try_instantiate(&mut exec, graph, 0));
    exec
}

/// Launches, and waits for the stream.
pub(super) fn run(answers: &mut Answers, exec: CUgraphExec, on: CUstream) {
    answers.codes([code!(cuGraphLaunch(exec, on)), code!(cuStreamSynchronize(on))]);
}

pub(super) fn nodes(graph: CUgraph) -> Vec<CUgraphNode> {
    let mut count = 0;
    if !code!(cuGraphGetNodes(graph, null_mut(), &raw mut count)).is_success() {
        return Vec::new();
    }
    let mut nodes = vec![null_mut(); count];
    let _ = code!(cuGraphGetNodes(graph, nodes.as_mut_ptr(), &raw mut count));
    nodes
}

pub(super) fn kind(node: CUgraphNode) -> String {
    let mut kind = CUgraphNodeType_enum(99);
    let code = code!(cuGraphNodeGetType(node, &raw mut kind));
    if code.is_success() { kind.0.to_string() } else { format!("c{}", code.0) }
}

/// The index of a node among others.
pub(super) fn place(nodes: &[CUgraphNode], node: CUgraphNode) -> String {
    nodes.iter().position(|other| *other == node).map_or("?".to_owned(), |place| place.to_string())
}

/// `/1.0.1` for edge data that is not zero.
pub(super) fn data(edge: &CUgraphEdgeData) -> String {
    let CUgraphEdgeData { from_port, to_port, type_, .. } = edge;
    if (*from_port, *to_port, *type_) == (0, 0, 0) {
        String::new()
    } else {
        format!("/{from_port}.{to_port}.{type_}")
    }
}

/// The types of the nodes and the edges between them, in the order that the driver gives: `0,2|0>1`.
pub(super) fn shape(graph: CUgraph) -> String {
    shape_among(graph, &nodes(graph))
}

/// The same, with the places of nodes in a list of the caller's.
pub(super) fn shape_among(graph: CUgraph, among: &[CUgraphNode]) -> String {
    let kinds: Vec<String> = among.iter().map(|node| kind(*node)).collect();
    format!("{}|{}", kinds.join(","), edges_among(graph, among))
}

pub(super) fn edges_among(graph: CUgraph, among: &[CUgraphNode]) -> String {
    let mut count = 0;
    let code = code!(cuGraphGetEdges_v2(graph, null_mut(), null_mut(), null_mut(), &raw mut count));
    if !code.is_success() {
        return format!("c{}", code.0);
    }
    let (mut from, mut to) = (vec![null_mut(); count], vec![null_mut(); count]);
    let mut edges = vec![CUgraphEdgeData::default(); count];
    let code = code!(cuGraphGetEdges_v2(
        graph,
        from.as_mut_ptr(),
        to.as_mut_ptr(),
        edges.as_mut_ptr(),
        &raw mut count
    ));
    if !code.is_success() {
        return format!("c{}", code.0);
    }
    let edge = |index: usize| {
        format!("{}>{}{}", place(among, from[index]), place(among, to[index]), data(&edges[index]))
    };
    (0..count).map(edge).collect::<Vec<_>>().join(",")
}

/// A handle on another thread.
pub(super) fn handle<T>(address: usize) -> *mut T {
    std::ptr::without_provenance_mut(address)
}

/// Runs on another thread, where a context is current.
pub(super) fn elsewhere<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> R {
    let context = raw::current().addr();
    std::thread::spawn(move || {
        let _ = code!(cuCtxSetCurrent(handle(context)));
        work()
    })
    .join()
    .unwrap()
}
