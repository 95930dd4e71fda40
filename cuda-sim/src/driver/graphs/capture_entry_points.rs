//! Functions that begin, end and query captures.

#![allow(unsafe_code)]

use crate::driver::graphs::capture::{IMPLICIT, UNSUPPORTED, exchange_thread_mode};
use crate::driver::graphs::graph::Owner;
use crate::driver::graphs::recapture::Recapture;
use crate::driver::graphs::topology::{dependencies_of, given_dependencies};
use crate::driver::handles::Handle;
use crate::driver::operations::StreamId;
use crate::driver::queues::dependency::Dependency;
use crate::driver::{Answer, Call, check_out, put, put_if_wanted};
use core::ffi::{c_uint, c_void};
use core::ptr::{null, null_mut};
use cuda_sys::{
    CUgraph, CUgraphEdgeData, CUgraphNode, CUgraphRecaptureCallback, CUresult, CUstream, CUstreamCaptureMode,
    CUstreamCaptureMode_enum as Mode, CUstreamCaptureStatus, CUstreamCaptureStatus_enum as Status,
    CUstreamUpdateCaptureDependencies_flags_enum as UpdateFlags,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const ILLEGAL_STATE: CUresult = CUresult::CUDA_ERROR_ILLEGAL_STATE;

/// Checks that a capture of a stream can begin.
fn capturable(call: &Call<'_>, stream: CUstream, mode: CUstreamCaptureMode) -> Answer<(StreamId, Handle)> {
    if mode.0 > Mode::CU_STREAM_CAPTURE_MODE_RELAXED.0 {
        return Err(INVALID);
    }
    let on = call.state.stream(stream)?;
    if matches!(on.0, StreamId::Legacy(_)) {
        return Err(UNSUPPORTED);
    }
    if call.state.captures.of_stream(on.0).is_some() {
        return Err(ILLEGAL_STATE);
    }
    Ok(on)
}

pub(crate) fn begin(call: &mut Call<'_>, stream: CUstream, mode: CUstreamCaptureMode) -> Answer {
    let on = capturable(call, stream, mode)?;
    let graph = call.state.make_graph(Owner::Program);
    let id = call.state.captures.begin(on, mode, graph, Vec::new());
    if let Some(graph) = call.state.graphs.get_mut(graph) {
        graph.owner = Owner::Capture(id);
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn begin_to_graph(
    call: &mut Call<'_>,
    stream: CUstream,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    data: *const CUgraphEdgeData,
    count: usize,
    mode: CUstreamCaptureMode,
) -> Answer {
    let on = capturable(call, stream, mode)?;
    call.state.graph(graph)?;
    if call.state.captures.has_graph(Handle::of(graph)) {
        return Err(ILLEGAL_STATE);
    }
    // SAFETY: the program's promise.
    let dependencies = unsafe { dependencies_of(call, Handle::of(graph), dependencies, data, count) }?;
    call.state.captures.begin(on, mode, Handle::of(graph), dependencies);
    Ok(())
}

/// Begins a recapture. Not measured, because no driver with it was available.
pub(crate) fn begin_recapture(
    call: &mut Call<'_>,
    stream: CUstream,
    mode: CUstreamCaptureMode,
    graph: CUgraph,
    function: CUgraphRecaptureCallback,
    data: *mut c_void,
) -> Answer {
    let on = capturable(call, stream, mode)?;
    call.state.graph(graph)?;
    let graph = Handle::of(graph);
    if call.state.captures.has_graph(graph) {
        return Err(ILLEGAL_STATE);
    }
    let id = call.state.captures.begin(on, mode, graph, Vec::new());
    call.state.begin_recapture(id, function, data);
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn end(call: &mut Call<'_>, stream: CUstream, to: *mut CUgraph) -> Answer {
    let (on_stream, _) = call.state.stream(stream)?;
    let capture = call.state.captures.of_stream(on_stream).ok_or(ILLEGAL_STATE)?;
    let is_relaxed = capture.mode == Mode::CU_STREAM_CAPTURE_MODE_RELAXED;
    if capture.origin != on_stream {
        call.state.invalidate_capture_of(on_stream);
        return Err(CUresult::CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    }
    let is_wrong_thread = !is_relaxed && capture.thread != crate::thread::number();
    let (id, graph) = (capture.id, capture.graph);
    // Each failure ends the capture (measured).
    let failure = if is_wrong_thread {
        Some(CUresult::CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD)
    } else if capture.is_invalidated {
        Some(CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED)
    } else if !call.state.is_joined(capture) {
        Some(CUresult::CUDA_ERROR_STREAM_CAPTURE_UNJOINED)
    } else if capture.recapture.as_ref().is_some_and(Recapture::has_nodes_left) {
        Some(CUresult::CUDA_ERROR_GRAPH_RECAPTURE_FAILURE)
    } else {
        None
    };
    if let Some(failure) = failure {
        call.state.abandon_capture(id);
        // SAFETY: the program's promise.
        unsafe { put_if_wanted(to, null_mut()) };
        return Err(failure);
    }
    call.state.captures.remove(id);
    if let Some(graph) = call.state.graphs.get_mut(graph)
        && graph.owner == Owner::Capture(id)
    {
        graph.owner = Owner::Program;
    }
    if to.is_null() {
        // No program can destroy a graph without its handle.
        call.state.destroy_graph(graph);
    }
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(to, graph.pointer()) };
    Ok(())
}

/// Returns the status of a stream, and the number of its capture. A query of the legacy stream is refused while a
/// stream that waits for it is being captured. It invalidates nothing (measured).
fn status_of(
    call: &Call<'_>,
    (on_stream, context): (StreamId, Handle),
) -> Answer<(CUstreamCaptureStatus, u64)> {
    if let Some(capture) = call.state.captures.of_stream(on_stream) {
        let status = if capture.is_invalidated {
            Status::CU_STREAM_CAPTURE_STATUS_INVALIDATED
        } else {
            Status::CU_STREAM_CAPTURE_STATUS_ACTIVE
        };
        return Ok((status, capture.id));
    }
    let is_disturbing =
        matches!(on_stream, StreamId::Legacy(_)) && !call.state.disturbed_by_legacy(context).is_empty();
    if is_disturbing { Err(IMPLICIT) } else { Ok((Status::CU_STREAM_CAPTURE_STATUS_NONE, 0)) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn is_capturing(
    call: &mut Call<'_>,
    stream: CUstream,
    status: *mut CUstreamCaptureStatus,
) -> Answer {
    let on = call.state.stream(stream)?;
    let (value, _) = status_of(call, on)?;
    // SAFETY: the program's promise.
    unsafe { put(status, value) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn info(
    call: &mut Call<'_>,
    stream: CUstream,
    status: *mut CUstreamCaptureStatus,
    id: *mut u64,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { info_with_graph(call, stream, status, id, null_mut(), null_mut(), null_mut()) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn info_with_graph(
    call: &mut Call<'_>,
    stream: CUstream,
    status: *mut CUstreamCaptureStatus,
    id: *mut u64,
    graph: *mut CUgraph,
    dependencies: *mut *const CUgraphNode,
    count: *mut usize,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { info_with_edges(call, stream, status, id, graph, dependencies, null_mut(), count) }
}

/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)] // the driver's own
pub(crate) unsafe fn info_with_edges(
    call: &mut Call<'_>,
    stream: CUstream,
    status: *mut CUstreamCaptureStatus,
    id: *mut u64,
    graph: *mut CUgraph,
    dependencies: *mut *const CUgraphNode,
    edges: *mut *const CUgraphEdgeData,
    count: *mut usize,
) -> Answer {
    let on = call.state.stream(stream)?;
    check_out(status)?;
    let (value, capture) = status_of(call, on)?;
    // SAFETY: the program's promise.
    unsafe { put(status, value) }?;
    if value != Status::CU_STREAM_CAPTURE_STATUS_ACTIVE {
        return Ok(());
    }
    let Some(capture) = call.state.captures.get_mut(capture) else { return Ok(()) };
    let (number, captured) = (capture.id, capture.graph);
    let Some(stream) = capture.streams.get_mut(&on.0) else { return Ok(()) };
    let has_data = stream.dependencies.iter().any(|dependency| !dependency.data.is_plain());
    if has_data && edges.is_null() && !dependencies.is_null() {
        return Err(CUresult::CUDA_ERROR_LOSSY_QUERY);
    }
    stream.shown.nodes = stream.dependencies.iter().map(|dependency| dependency.node.pointer()).collect();
    stream.shown.edges = stream.dependencies.iter().map(|dependency| dependency.data.shown()).collect();
    let shown = match stream.shown.nodes.len() {
        0 => (null(), null(), 0),
        count => (stream.shown.nodes.as_ptr(), stream.shown.edges.as_ptr(), count),
    };
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(id, number) };
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(graph, captured.pointer()) };
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(dependencies, shown.0) };
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(edges, shown.1) };
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(count, shown.2) };
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn update_dependencies(
    call: &mut Call<'_>,
    stream: CUstream,
    dependencies: *mut CUgraphNode,
    count: usize,
    flags: c_uint,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { update_dependencies_with_edges(call, stream, dependencies, null(), count, flags) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn update_dependencies_with_edges(
    call: &mut Call<'_>,
    stream: CUstream,
    dependencies: *mut CUgraphNode,
    data: *const CUgraphEdgeData,
    count: usize,
    flags: c_uint,
) -> Answer {
    let replaces = match UpdateFlags(flags) {
        UpdateFlags::CU_STREAM_ADD_CAPTURE_DEPENDENCIES => false,
        UpdateFlags::CU_STREAM_SET_CAPTURE_DEPENDENCIES => true,
        _ => return Err(INVALID),
    };
    let (on_stream, _) = call.state.stream(stream)?;
    let capture = call.state.captures.of_stream(on_stream).ok_or(ILLEGAL_STATE)?;
    if capture.is_invalidated {
        return Err(CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    }
    let (id, graph) = (capture.id, capture.graph);
    // SAFETY: the program's promise.
    let given = unsafe { given_dependencies(call, graph, dependencies.cast_const(), data, count) }?;
    let capture = call.state.captures.get_mut(id);
    if let Some(stream) = capture.and_then(|capture| capture.streams.get_mut(&on_stream)) {
        if replaces {
            stream.dependencies.clear();
        }
        // A dependency that is named twice counts once (measured).
        add(&mut stream.dependencies, &given);
    }
    Ok(())
}

/// Adds the dependencies that are not yet known.
pub(crate) fn add(known: &mut Vec<Dependency>, more: &[Dependency]) {
    for dependency in more {
        if !known.iter().any(|known| known.node == dependency.node) {
            known.push(*dependency);
        }
    }
}

/// Exchanges the capture mode of the thread, which determines the captures that its unsafe calls disturb.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn exchange_mode(_: &mut Call<'_>, mode: *mut CUstreamCaptureMode) -> Answer {
    if mode.is_null() {
        return Err(INVALID);
    }
    // SAFETY: not null, so valid for a read.
    let wanted = unsafe { mode.read() };
    // SAFETY: the program's promise. A number that is no mode is accepted, too (measured).
    unsafe { put(mode, exchange_thread_mode(wanted)) }
}
