//! Helpers of the tests of the raw API.
//!
//! Tests run at the same time in one process. So captures here are local to their thread, or relaxed: nothing that another
//! test does disturbs them.

use cuda_suite::raw::{context, stream};
use cuda_suite::{call, code, driver};
use cuda_sys::{
    CUdeviceptr, CUevent, CUgraph, CUgraphExec, CUgraphNode, CUgraphNodeType, CUresult, CUstream,
    CUstreamCaptureMode_enum as Mode, CUstreamCaptureStatus_enum as Status, cuEventCreate, cuGraphGetNodes,
    cuGraphInstantiate_v2, cuGraphInstantiateWithFlags, cuGraphLaunch, cuGraphNodeGetType, cuInit,
    cuMemcpyDtoH_v2, cuStreamBeginCapture_v2, cuStreamEndCapture, cuStreamIsCapturing, cuStreamSynchronize,
    cuThreadExchangeStreamCaptureMode,
};
use std::ptr::null_mut;

/// Puts the driver into use, a new context, and the relaxed mode of the thread, in which nothing disturbs captures of other
/// tests.
pub(crate) fn begin_test() {
    driver();
    call!(cuInit(0));
    context(0);
    let mut mode = Mode::CU_STREAM_CAPTURE_MODE_RELAXED;
    call!(cuThreadExchangeStreamCaptureMode(&raw mut mode));
}

/// Begins a capture on a new stream that does not wait for the legacy stream.
pub(crate) fn begin_capture(mode: Mode) -> CUstream {
    let captured = stream(1);
    call!(cuStreamBeginCapture_v2(captured, mode));
    captured
}

/// Ends a capture.
pub(crate) fn end_capture(stream: CUstream) -> Result<CUgraph, CUresult> {
    let mut graph = std::ptr::without_provenance_mut(1);
    let code = code!(cuStreamEndCapture(stream, &raw mut graph));
    if code.is_success() {
        return Ok(graph);
    }
    assert!(graph.is_null() || graph.addr() == 1);
    Err(code)
}

/// Captures what `work` does on a stream.
pub(crate) fn capture(work: impl FnOnce(CUstream)) -> CUgraph {
    let captured = begin_capture(Mode::CU_STREAM_CAPTURE_MODE_RELAXED);
    work(captured);
    end_capture(captured).expect("nothing has disturbed the capture")
}

pub(crate) fn status(stream: CUstream) -> Result<u32, CUresult> {
    let mut status = Status(99);
    match code!(cuStreamIsCapturing(stream, &raw mut status)) {
        CUresult::CUDA_SUCCESS => Ok(status.0),
        code => Err(code),
    }
}

pub(crate) fn event() -> CUevent {
    let mut event = null_mut();
    call!(cuEventCreate(&raw mut event, 0));
    event
}

pub(crate) fn nodes(graph: CUgraph) -> Vec<CUgraphNode> {
    let mut count = 0;
    call!(cuGraphGetNodes(graph, null_mut(), &raw mut count));
    let mut nodes = vec![null_mut(); count];
    if count == 0 {
        // Room for none is refused.
        return nodes;
    }
    call!(cuGraphGetNodes(graph, nodes.as_mut_ptr(), &raw mut count));
    assert_eq!(count, nodes.len());
    nodes
}

/// The types of the nodes of a graph, in rising order.
pub(crate) fn types(graph: CUgraph) -> Vec<u32> {
    let mut types: Vec<u32> = nodes(graph).into_iter().map(|node| type_of(node).0).collect();
    types.sort_unstable();
    types
}

pub(crate) fn type_of(node: CUgraphNode) -> CUgraphNodeType {
    let mut found = cuda_sys::CUgraphNodeType_enum(99);
    call!(cuGraphNodeGetType(node, &raw mut found));
    found
}

pub(crate) fn instantiate(graph: CUgraph) -> CUgraphExec {
    let mut executable = null_mut();
    if is_since(11, 4) {
        call!(cuGraphInstantiateWithFlags(&raw mut executable, graph, 0));
    } else {
        call!(cuGraphInstantiate_v2(&raw mut executable, graph, null_mut(), null_mut(), 0));
    }
    executable
}

/// Launches an executable, and waits for it.
pub(crate) fn run(executable: CUgraphExec, stream: CUstream) {
    call!(cuGraphLaunch(executable, stream));
    call!(cuStreamSynchronize(stream));
}

pub(crate) fn word(address: CUdeviceptr) -> u32 {
    let mut value = 0_u32;
    call!(cuMemcpyDtoH_v2((&raw mut value).cast(), address, 4));
    value
}

/// Returns whether the driver is of this release or a later one.
pub(crate) fn is_since(major: u16, minor: u16) -> bool {
    driver();
    let mut version = 0;
    call!(cuda_sys::cuDriverGetVersion(&raw mut version));
    version >= i32::from(major) * 1000 + i32::from(minor) * 10
}
