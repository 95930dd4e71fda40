//! Questions about the state of captures: beginning, ending, joining, and queries.

use super::graph_scenes::*;
use super::{Answers, Question};
use cuda_suite::raw::{allocate, context, current, stream};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::{null, null_mut};

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "capture-info", devices: 1, ask: info },
    Question { name: "capture-info-nulls", devices: 1, ask: info_nulls },
    Question { name: "capture-info-of-legacy", devices: 1, ask: info_of_legacy },
    Question { name: "capture-identifiers", devices: 1, ask: identifiers },
    Question { name: "capture-update-dependencies", devices: 1, ask: update_dependencies },
    Question { name: "capture-update-edge-data", devices: 1, ask: update_edge_data },
    Question { name: "capture-begin-errors", devices: 1, ask: begin_errors },
    Question { name: "capture-to-graph", devices: 1, ask: to_graph },
    Question { name: "capture-to-graph-invalidated", devices: 1, ask: to_graph_invalidated },
    Question { name: "capture-to-graph-unjoined", devices: 1, ask: to_graph_unjoined },
    Question { name: "capture-to-graph-meanwhile", devices: 1, ask: to_graph_meanwhile },
    Question { name: "capture-graph-destroyed", devices: 1, ask: graph_destroyed },
    Question { name: "capture-to-graph-destroyed", devices: 1, ask: to_graph_destroyed },
    Question { name: "capture-joined-begins", devices: 1, ask: joined_begins },
    Question { name: "capture-joined-invalidated", devices: 1, ask: joined_invalidated },
    Question { name: "capture-joined-destroyed", devices: 1, ask: joined_destroyed },
    Question { name: "capture-joined-afterwards", devices: 1, ask: joined_afterwards },
    Question { name: "capture-merge", devices: 1, ask: merge },
    Question { name: "capture-isolation", devices: 1, ask: isolation },
    Question { name: "capture-join", devices: 1, ask: join },
    Question { name: "capture-captured-event", devices: 1, ask: captured_event },
    Question { name: "capture-captured-event-gone", devices: 1, ask: captured_event_gone },
    Question { name: "capture-thread-modes", devices: 1, ask: thread_modes },
    Question { name: "capture-thread-modes-null", devices: 1, ask: thread_modes_null },
    Question { name: "capture-thread-modes-effect", devices: 1, ask: thread_modes_effect },
    Question { name: "capture-other-thread-ends", devices: 1, ask: other_thread_ends },
    Question { name: "capture-other-thread-records", devices: 1, ask: other_thread_records },
    Question { name: "capture-stream-destroyed", devices: 1, ask: stream_destroyed },
    Question { name: "capture-stream-destroyed-graph", devices: 1, ask: stream_destroyed_graph },
    Question { name: "capture-origin-destroyed", devices: 1, ask: origin_destroyed },
    Question { name: "capture-context-destroyed", devices: 1, ask: context_destroyed },
    Question { name: "capture-primary-reset", devices: 1, ask: primary_reset },
    Question { name: "capture-two-captures", devices: 1, ask: two_captures },
    Question { name: "capture-contexts", devices: 1, ask: contexts },
    Question { name: "capture-long", devices: 1, ask: long },
    Question { name: "capture-again", devices: 1, ask: again },
];

/// Asks each version of the function. Each returns the status, and an identifier, a graph, and dependencies.
fn asked(answers: &mut Answers, on: CUstream) {
    let (mut status, mut id) = (CUstreamCaptureStatus_enum(9), 0);
    let code = code!(cuStreamGetCaptureInfo(on, &raw mut status, &raw mut id));
    answers.given(code, format_args!("{},{}", status.0, id != 0));
    let (mut status, mut id, mut graph) = (CUstreamCaptureStatus_enum(9), 0, null_mut());
    let (mut nodes, mut count, mut edges) = (null::<CUgraphNode>(), 77, null::<CUgraphEdgeData>());
    let code = code!(cuStreamGetCaptureInfo_v2(
        on,
        &raw mut status,
        &raw mut id,
        &raw mut graph,
        &raw mut nodes,
        &raw mut count
    ));
    answers.given(code, format_args!("{},{},{},{count}", status.0, id != 0, !graph.is_null()));
    count = 77;
    let code = code!(cuStreamGetCaptureInfo_v3(
        on,
        &raw mut status,
        &raw mut id,
        &raw mut graph,
        &raw mut nodes,
        &raw mut edges,
        &raw mut count
    ));
    let is_there = !edges.is_null();
    answers.given(code, format_args!("{},{},{count},{is_there}", status.0, !graph.is_null()));
}

/// The identifier and the graph of a capture; zero and null without one.
fn capture_of(on: CUstream) -> (u64, CUgraph) {
    let (mut status, mut id, mut graph) = (CUstreamCaptureStatus_enum(9), 0, null_mut());
    let _ = code!(cuStreamGetCaptureInfo_v2(
        on,
        &raw mut status,
        &raw mut id,
        &raw mut graph,
        null_mut(),
        null_mut()
    ));
    (id, graph)
}

fn dependencies_of(on: CUstream) -> Vec<CUgraphNode> {
    let (mut status, mut nodes, mut count) = (CUstreamCaptureStatus_enum(9), null::<CUgraphNode>(), 0);
    let code = code!(cuStreamGetCaptureInfo_v2(
        on,
        &raw mut status,
        null_mut(),
        null_mut(),
        &raw mut nodes,
        &raw mut count
    ));
    if !code.is_success() || nodes.is_null() || count > 1000 {
        return Vec::new();
    }
    // SAFETY: the driver says that so many are there, until the next call on the stream.
    unsafe { std::slice::from_raw_parts(nodes, count) }.to_vec()
}

/// Another stream waits for an event recorded on the first.
fn joined(answers: &mut Answers, from: CUstream, to: CUstream) -> CUresult {
    let event = event(answers, 2);
    answers.must(code!(cuEventRecord(event, from)));
    code!(cuStreamWaitEvent(to, event, 0))
}

/// Has the capture of a stream fail.
fn invalidate(to: &mut Answers) {
    let code = code!(cuCtxSynchronize());
    to.must(if code.is_success() { CUresult::CUDA_ERROR_UNKNOWN } else { CUresult::CUDA_SUCCESS });
}

fn info(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    asked(answers, on);
    answers.must(begin(on, 0));
    asked(answers, on);
    answers.must(code!(cuMemsetD32Async(at, 1, 1, on)));
    asked(answers, on);
    invalidate(answers);
    asked(answers, on);
    answers.code(end(on).0);
    asked(answers, on);
}

fn info_nulls(answers: &mut Answers) {
    let on = begun();
    for round in 0..2 {
        if round == 1 {
            answers.must(begin(on, 0));
        }
        let (mut status, mut id) = (CUstreamCaptureStatus_enum(9), 0);
        let none = null_mut();
        answers.codes([
            code!(cuStreamIsCapturing(on, null_mut())),
            code!(cuStreamGetCaptureInfo(on, null_mut(), &raw mut id)),
            code!(cuStreamGetCaptureInfo(on, &raw mut status, null_mut())),
            code!(cuStreamGetCaptureInfo_v2(on, null_mut(), &raw mut id, none, null_mut(), null_mut())),
            code!(cuStreamGetCaptureInfo_v2(on, &raw mut status, null_mut(), none, null_mut(), null_mut())),
            code!(cuStreamGetCaptureInfo_v3(
                on,
                &raw mut status,
                null_mut(),
                none,
                null_mut(),
                null_mut(),
                null_mut()
            )),
        ]);
    }
    answers.code(end(on).0);
}

fn info_of_legacy(answers: &mut Answers) {
    let apart = begun();
    let blocking = stream(0);
    let handles = [0, 1, 2].map(handle::<CUstream_st>);
    let ask = |answers: &mut Answers, captured: CUstream| {
        for on in handles {
            let (mut status_of, mut id) = (CUstreamCaptureStatus_enum(9), 0);
            let first = status(on);
            let code = code!(cuStreamGetCaptureInfo(on, &raw mut status_of, &raw mut id));
            answers.value(format_args!("{first},{}.{}", code.0, status(captured)));
        }
    };
    ask(answers, apart);
    answers.must(begin(apart, 0));
    ask(answers, apart);
    answers.code(end(apart).0);
    for mode in 0..3 {
        answers.must(begin(blocking, mode));
        ask(answers, blocking);
        answers.code(end(blocking).0);
    }
}

fn identifiers(answers: &mut Answers) {
    let on = begun();
    let (other, at) = (stream(1), allocate(64));
    answers.must(begin(on, 0));
    let first = capture_of(on);
    let (code, graph) = end(on);
    answers.code(code);
    answers.value(graph == first.1);
    answers.must(begin(on, 0));
    let second = capture_of(on);
    answers.value(format_args!("{},{}", first.0 != second.0, first.1 != second.1));
    answers.must(code!(cuMemsetD32Async(at, 1, 1, on)));
    answers.code(joined(answers_of(), on, other));
    answers.value(capture_of(other) == second);
    answers.value(dependencies_of(other) == dependencies_of(on));
    answers.must(code!(cuMemsetD32Async(at, 1, 1, other)));
    answers.value(format_args!("{},{}", dependencies_of(on).len(), dependencies_of(other).len()));
    answers.code(joined(answers_of(), other, on));
    answers.value(dependencies_of(on).len());
    ended(answers, on);
}

/// Ignored answers.
fn answers_of() -> &'static mut Answers {
    Box::leak(Box::default())
}

fn update_dependencies(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    answers.code(code!(cuStreamUpdateCaptureDependencies(on, null_mut(), 0, 0)));
    let elsewhere = new_graph(answers);
    let mut foreign = [empty(answers, elsewhere, &[])];
    answers.must(begin(on, 0));
    let (_, graph) = capture_of(on);
    let mut both = [empty(answers, graph, &[]), empty(answers, graph, &[])];
    let update = |nodes: *mut CUgraphNode, count, flags| {
        code!(cuStreamUpdateCaptureDependencies(on, nodes, count, flags))
    };
    let first = both.as_mut_ptr();
    answers.code(update(first, 1, 0));
    answers.value(dependencies_of(on) == both[..1]);
    answers.code(update(first, 2, 1));
    answers.value(dependencies_of(on).len());
    let mut twice = [both[0], both[0]];
    answers.code(update(twice.as_mut_ptr(), 2, 1));
    answers.value(dependencies_of(on).len());
    answers.code(update(null_mut(), 0, 1));
    answers.value(dependencies_of(on).len());
    answers.codes([
        update(null_mut(), 1, 0),
        update(null_mut(), 0, 0),
        update(foreign.as_mut_ptr(), 1, 0),
        update(first, 1, 2),
        update([null_mut()].as_mut_ptr(), 1, 0),
    ]);
    answers.value(status(on));
    answers.code(update(first, 2, 1));
    answers.code(code!(cuMemsetD32Async(at, 1, 1, on)));
    ended(answers, on);
    answers.must(begin(on, 0));
    invalidate(answers);
    answers.code(update(null_mut(), 0, 0));
    answers.code(end(on).0);
}

fn update_edge_data(answers: &mut Answers) {
    let on = begun();
    let (copy, at) = (copier(), allocate(64));
    answers.must(begin(on, 0));
    let (_, graph) = capture_of(on);
    let mut none = [empty(answers, graph, &[])];
    let mut kernels = [kernel(answers, graph, &[], copy, &[at, at + 4])];
    let edge = [CUgraphEdgeData { from_port: 1, type_: 1, ..CUgraphEdgeData::default() }];
    let update = |nodes: &mut [CUgraphNode]| {
        code!(cuStreamUpdateCaptureDependencies_v2(on, nodes.as_mut_ptr(), edge.as_ptr(), 1, 1))
    };
    answers.code(update(&mut none));
    answers.code(update(&mut kernels));
    asked(answers, on);
    answers.code(cuda_suite::raw::try_launch(copy, 1, on, &[at, at + 4]));
    asked(answers, on);
    answers.code(update(&mut kernels));
    answers.code(code!(cuMemsetD32Async(at, 1, 1, on)));
    answers.value(status(on));
    ended(answers, on);
}

fn begin_errors(answers: &mut Answers) {
    let on = begun();
    let own = current();
    answers.codes([begin(handle(0), 0), begin(handle(1), 0), begin(handle(2), 0), end(handle(2)).0]);
    answers.code(begin(on, 3));
    answers.code(end(on).0);
    answers.codes([begin(on, 0), begin(on, 0), begin(on, 2)]);
    answers.value(status(on));
    answers.code(code!(cuStreamEndCapture(on, null_mut())));
    answers.value(status(on));
    answers.code(end(on).0);
    context(0);
    answers.codes([begin(on, 0), end(on).0]);
    let mut below = null_mut();
    while code!(cuCtxPopCurrent_v2(&raw mut below)).is_success() {}
    answers.codes([begin(on, 0), end(on).0]);
    call!(cuCtxSetCurrent(own));
    answers.code(begin(on, 0));
    ended(answers, on);
}

fn to_graph(answers: &mut Answers) {
    let on = begun();
    let (other, at) = (stream(1), allocate(64));
    let (graph, foreign) = (new_graph(answers), new_graph(answers));
    let both = [empty(answers, graph, &[]), empty(answers, graph, &[])];
    let elsewhere = [empty(answers, foreign, &[])];
    let into = |on, graph, nodes: *const CUgraphNode, data: *const CUgraphEdgeData, count, mode| {
        let mode = CUstreamCaptureMode_enum(mode);
        code!(cuStreamBeginCaptureToGraph(on, graph, nodes, data, count, mode))
    };
    let edge = [CUgraphEdgeData { type_: 1, from_port: 1, ..CUgraphEdgeData::default() }];
    for (count, data) in [(0, null()), (2, null()), (1, edge.as_ptr())] {
        answers.code(into(on, graph, both.as_ptr(), data, count, 0));
        answers.code(code!(cuMemsetD32Async(at, 1, 1, on)));
        let same = ended(answers, on);
        answers.value(same == graph);
    }
    answers.code(into(on, graph, elsewhere.as_ptr(), null(), 1, 0));
    answers.value(status(on));
    let _ = end(on);
    answers.codes([
        into(on, graph, null(), null(), 1, 0),
        into(on, null_mut(), null(), null(), 0, 0),
        into(null_mut(), graph, null(), null(), 0, 0),
        into(on, graph, null(), null(), 0, 3),
        into(on, graph, null(), null(), 0, 0),
        into(on, graph, null(), null(), 0, 0),
        into(other, graph, null(), null(), 0, 0),
    ]);
    answers.value(format_args!("{},{}", status(on), status(other)));
    answers.codes([end(on).0, end(other).0]);
}

fn to_graph_invalidated(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    let graph = new_graph(answers);
    empty(answers, graph, &[]);
    let mode = CUstreamCaptureMode_enum(0);
    answers.code(code!(cuStreamBeginCaptureToGraph(on, graph, null(), null(), 0, mode)));
    answers.code(code!(cuMemsetD32Async(at, 1, 1, on)));
    invalidate(answers);
    let (code, given) = end(on);
    answers.code(code);
    answers.value(given == graph);
    used(answers, graph);
}

/// A graph that may be gone: nodes, another node, an instance, the end.
fn used(answers: &mut Answers, graph: CUgraph) {
    let mut count = 0;
    let code = code!(cuGraphGetNodes(graph, null_mut(), &raw mut count));
    answers.given(code, count);
    let (mut node, mut exec) = (null_mut(), null_mut());
    answers.code(try_empty(&raw mut node, graph, &[]));
    answers.code(try_instantiate(&mut exec, graph, 0));
    answers.code(code!(cuGraphDestroy(graph)));
}

fn to_graph_unjoined(answers: &mut Answers) {
    let on = begun();
    let (other, at) = (stream(1), allocate(64));
    let graph = new_graph(answers);
    let mode = CUstreamCaptureMode_enum(0);
    answers.code(code!(cuStreamBeginCaptureToGraph(on, graph, null(), null(), 0, mode)));
    answers.code(code!(cuMemsetD32Async(at, 1, 1, on)));
    let joined = joined(answers, on, other);
    answers.code(joined);
    answers.code(code!(cuMemsetD32Async(at, 1, 1, other)));
    let (code, given) = end(on);
    answers.code(code);
    answers.value(given == graph);
    used(answers, graph);
}

fn to_graph_meanwhile(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    let graph = new_graph(answers);
    let node = empty(answers, graph, &[]);
    let mode = CUstreamCaptureMode_enum(2);
    answers.code(code!(cuStreamBeginCaptureToGraph(on, graph, null(), null(), 0, mode)));
    answers.code(code!(cuMemsetD32Async(at, 1, 1, on)));
    let (mut added, mut exec, mut clone) = (null_mut(), null_mut(), null_mut());
    answers.codes([
        try_empty(&raw mut added, graph, &[]),
        try_instantiate(&mut exec, graph, 0),
        code!(cuGraphClone(&raw mut clone, graph)),
        code!(cuGraphDestroyNode(node)),
    ]);
    answers.value(status(on));
    ended(answers, on);
}

fn graph_destroyed(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    answers.must(begin(on, 2));
    answers.code(code!(cuMemsetD32Async(at, 1, 1, on)));
    let (_, graph) = capture_of(on);
    answers.code(code!(cuGraphDestroy(graph)));
    answers.value(status(on));
    answers.code(code!(cuMemsetD32Async(at, 1, 1, on)));
    answers.code(end(on).0);
}

fn to_graph_destroyed(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    let graph = new_graph(answers);
    let mode = CUstreamCaptureMode_enum(2);
    answers.code(code!(cuStreamBeginCaptureToGraph(on, graph, null(), null(), 0, mode)));
    answers.code(code!(cuMemsetD32Async(at, 1, 1, on)));
    answers.code(code!(cuGraphDestroy(graph)));
    answers.value(status(on));
    answers.code(end(on).0);
}

fn joined_begins(answers: &mut Answers) {
    let on = begun();
    let other = stream(1);
    answers.must(begin(on, 0));
    let code = joined(answers, on, other);
    answers.code(code);
    let both = || format!("{},{}", status(on), status(other));
    answers.code(begin(other, 0));
    answers.value(both());
    answers.code(end(other).0);
    answers.value(both());
    answers.code(end(on).0);
    answers.value(both());
}

fn joined_invalidated(answers: &mut Answers) {
    let at = {
        begun();
        allocate(64)
    };
    for mode in 0..3 {
        let [on, other, third] = [stream(1), stream(1), stream(1)];
        answers.must(begin(on, mode));
        let code = joined(answers, on, other);
        answers.must(code);
        let captured = event(answers, 2);
        answers.must(code!(cuEventRecord(captured, other)));
        // Queries of a captured stream invalidate its capture in each mode.
        answers.code(code!(cuStreamQuery(on)));
        let all = || format!("{},{},{}", status(on), status(other), status(third));
        answers.value(all());
        answers.codes([
            code!(cuMemsetD32Async(at, 1, 1, other)),
            code!(cuLaunchHostFunc(other, Some(count_up), address(counter()))),
            code!(cuStreamWaitEvent(third, captured, 0)),
            code!(cuMemsetD32Async(at, 1, 1, third)),
            code!(cuEventRecord(captured, other)),
        ]);
        answers.value(all());
        answers.code(end(on).0);
        answers.value(all());
    }
}

fn joined_destroyed(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    for round in 0..3 {
        let other = stream(1);
        answers.must(begin(on, 0));
        let code = joined(answers, on, other);
        answers.must(code);
        if round > 0 {
            answers.must(code!(cuMemsetD32Async(at, 1, 1, other)));
        }
        if round > 1 {
            let code = joined(answers, other, on);
            answers.must(code);
        }
        answers.code(code!(cuStreamDestroy_v2(other)));
        answers.value(status(on));
        ended(answers, on);
    }
}

fn joined_afterwards(answers: &mut Answers) {
    let on = begun();
    let (other, at) = (stream(1), allocate(64));
    for back in [true, false] {
        answers.must(begin(on, 0));
        let code = joined(answers, on, other);
        answers.must(code);
        answers.must(code!(cuMemsetD32Async(at, 1, 1, other)));
        if back {
            let code = joined(answers, other, on);
            answers.must(code);
        }
        answers.code(end(on).0);
        answers.value(status(other));
        answers.code(code!(cuMemsetD32Async(at, 1, 1, other)));
        answers.code(code!(cuStreamSynchronize(other)));
    }
}

fn merge(answers: &mut Answers) {
    let on = begun();
    let (other, third) = (stream(1), stream(1));
    for between in [false, true] {
        answers.must(begin(on, 0));
        answers.must(begin(other, 0));
        if between {
            let code = joined(answers, other, third);
            answers.must(code);
        }
        let code = joined(answers, if between { third } else { other }, on);
        answers.code(code);
        answers.value(format_args!("{},{}", status(on), status(other)));
        answers.codes([end(on).0, end(other).0]);
        answers.value(status(third));
    }
}

fn isolation(answers: &mut Answers) {
    let on = begun();
    let other = stream(1);
    let (outside, own, captured) = (event(answers, 2), event(answers, 2), event(answers, 2));
    answers.must(code!(cuEventRecord(outside, other)));
    answers.must(code!(cuEventRecord(own, on)));
    answers.must(begin(on, 0));
    answers.must(code!(cuEventRecord(captured, on)));
    answers.must(end(on).0);
    for (event, mode) in [(outside, 0), (own, 0), (captured, 0), (outside, 2)] {
        answers.must(begin(on, mode));
        answers.code(code!(cuStreamWaitEvent(on, event, 0)));
        answers.value(status(on));
        answers.code(end(on).0);
    }
}

fn join(answers: &mut Answers) {
    let on = begun();
    let (other, at) = (stream(1), allocate(64));
    let own = current();
    answers.must(begin(on, 2));
    answers.must(code!(cuMemsetD32Async(at, 1, 1, on)));
    answers.must(code!(cuMemsetD32Async(at, 1, 1, other)));
    let out = event(answers, 2);
    answers.must(code!(cuEventRecord(out, on)));
    answers.code(code!(cuStreamWaitEvent(other, out, 0)));
    answers.value(status(other));
    answers.code(code!(cuMemsetD32Async(at, 1, 1, other)));
    answers.code(code!(cuEventDestroy_v2(out)));
    let code = joined(answers, other, on);
    answers.code(code);
    ended(answers, on);
    answers.must(begin(on, 2));
    let code = joined(answers, on, null_mut());
    answers.code(code);
    answers.value(format_args!("{},{}", status(on), status(null_mut())));
    answers.code(end(on).0);
    answers.must(begin(on, 2));
    let code = joined(answers, on, handle(2));
    answers.code(code);
    answers.value(format_args!("{},{}", status(on), status(handle(2))));
    answers.code(end(on).0);
    context(0);
    let foreign = stream(1);
    let memory = allocate(64);
    call!(cuCtxSetCurrent(own));
    answers.must(begin(on, 2));
    let code = joined(answers, on, foreign);
    answers.code(code);
    answers.value(status(foreign));
    answers.code(code!(cuMemsetD32Async(memory, 1, 1, foreign)));
    let code = joined(answers, foreign, on);
    answers.code(code);
    ended(answers, on);
}

fn captured_event(answers: &mut Answers) {
    let on = begun();
    let other = stream(1);
    let (captured, outside) = (event(answers, 0), event(answers, 0));
    answers.must(code!(cuEventRecord(outside, other)));
    answers.must(begin(on, 2));
    answers.must(code!(cuEventRecord(captured, on)));
    let mut time = 0.0;
    for round in 0..2 {
        answers.codes([
            code!(cuEventQuery(captured)),
            code!(cuEventSynchronize(captured)),
            code!(cuEventElapsedTime(&raw mut time, outside, captured)),
        ]);
        answers.value(status(on));
        if round == 0 {
            answers.code(end(on).0);
        }
    }
    answers.code(code!(cuStreamWaitEvent(other, captured, 0)));
    answers.value(status(other));
    answers.code(code!(cuEventRecord(captured, other)));
    answers.code(code!(cuStreamSynchronize(other)));
    answers.code(code!(cuEventQuery(captured)));
}

fn captured_event_gone(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    let own = event(answers, 2);
    answers.must(code!(cuEventRecord(own, on)));
    answers.must(begin(on, 0));
    answers.must(code!(cuEventRecord(own, on)));
    invalidate(answers);
    answers.codes([end(on).0, code!(cuEventQuery(own))]);
    answers.must(begin(on, 0));
    answers.must(code!(cuMemsetD32Async(at, 1, 1, on)));
    answers.code(code!(cuEventRecord(own, on)));
    answers.code(code!(cuEventDestroy_v2(own)));
    ended(answers, on);
}

fn thread_modes(answers: &mut Answers) {
    begun();
    let exchange = |answers: &mut Answers, mode| {
        let mut mode = CUstreamCaptureMode_enum(mode);
        let code = code!(cuThreadExchangeStreamCaptureMode(&raw mut mode));
        answers.given(code, mode.0);
    };
    for mode in [2, 1, 0, 3, 0] {
        exchange(answers, mode);
    }
    exchange(answers, 2);
    let (code, mode) = elsewhere(|| {
        let mut mode = CUstreamCaptureMode_enum(1);
        (code!(cuThreadExchangeStreamCaptureMode(&raw mut mode)), mode.0)
    });
    answers.given(code, mode);
    exchange(answers, 0);
}

fn thread_modes_null(answers: &mut Answers) {
    begun();
    answers.code(code!(cuThreadExchangeStreamCaptureMode(null_mut())));
}

fn thread_modes_effect(answers: &mut Answers) {
    let on = begun();
    let address = on.addr();
    let mut memory = 0;
    for thread in 0..3 {
        let mut list = Vec::new();
        for other in [true, false] {
            for mode in 0..3 {
                let code =
                    if other { elsewhere(move || begin(handle(address), mode)) } else { begin(on, mode) };
                answers.must(code);
                let mut exchanged = CUstreamCaptureMode_enum(thread);
                answers.must(code!(cuThreadExchangeStreamCaptureMode(&raw mut exchanged)));
                let code = code!(cuMemAlloc_v2(&raw mut memory, 64));
                answers.must(code!(cuThreadExchangeStreamCaptureMode(&raw mut exchanged)));
                list.push(format!("{}.{}", code.0, status(on)));
                if other {
                    let _ = elsewhere(move || end(handle(address)).0);
                }
                let _ = end(on);
            }
        }
        answers.value(list.join(","));
    }
}

fn other_thread_ends(answers: &mut Answers) {
    begun();
    for mode in 0..3 {
        let on = stream(1);
        let address = on.addr();
        answers.must(begin(on, mode));
        answers.code(elsewhere(move || end(handle(address)).0));
        answers.value(status(on));
        answers.code(end(on).0);
    }
    for mode in 0..3 {
        let on = stream(1);
        let address = on.addr();
        answers.must(elsewhere(move || begin(handle(address), mode)));
        answers.code(end(on).0);
        answers.value(status(on));
    }
}

fn other_thread_records(answers: &mut Answers) {
    let on = begun();
    let (address, at) = (on.addr(), allocate(64));
    for mode in 0..3 {
        answers.must(begin(on, mode));
        answers.code(elsewhere(move || code!(cuMemsetD32Async(at, 1, 1, handle(address)))));
        ended(answers, on);
    }
}

fn stream_destroyed(answers: &mut Answers) {
    begun();
    let (at, mut memory) = (allocate(64), 0);
    for mode in 0..3 {
        let on = stream(1);
        answers.must(begin(on, mode));
        answers.must(code!(cuMemsetD32Async(at, 1, 1, on)));
        answers.code(code!(cuStreamDestroy_v2(on)));
        answers.code(code!(cuMemAlloc_v2(&raw mut memory, 64)));
        let next = stream(1);
        answers.code(begin(next, mode));
        answers.code(end(next).0);
    }
}

fn stream_destroyed_graph(answers: &mut Answers) {
    let on = begun();
    answers.must(begin(on, 2));
    let (_, graph) = capture_of(on);
    empty(answers, graph, &[]);
    answers.code(code!(cuStreamDestroy_v2(on)));
    let mut count = 0;
    let code = code!(cuGraphGetNodes(graph, null_mut(), &raw mut count));
    answers.given(code, count);
    answers.code(code!(cuGraphDestroy(graph)));
}

fn origin_destroyed(answers: &mut Answers) {
    let on = begun();
    let (other, at) = (stream(1), allocate(64));
    answers.must(begin(on, 2));
    let code = joined(answers, on, other);
    answers.must(code);
    answers.code(code!(cuStreamDestroy_v2(on)));
    answers.value(status(other));
    answers.code(code!(cuMemsetD32Async(at, 1, 1, other)));
    answers.code(code!(cuStreamSynchronize(other)));
}

fn context_destroyed(answers: &mut Answers) {
    let on = begun();
    answers.must(begin(on, 2));
    answers.code(code!(cuCtxDestroy_v2(current())));
    let on = begun();
    answers.code(begin(on, 0));
    answers.code(end(on).0);
}

fn primary_reset(answers: &mut Answers) {
    super::initialised();
    let mut primary = null_mut();
    call!(cuDevicePrimaryCtxRetain(&raw mut primary, 0));
    call!(cuCtxSetCurrent(primary));
    let on = stream(1);
    answers.must(begin(on, 2));
    answers.code(code!(cuDevicePrimaryCtxReset_v2(0)));
    answers.code(code!(cuDevicePrimaryCtxRelease_v2(0)));
}

fn two_captures(answers: &mut Answers) {
    let on = begun();
    let (other, at) = (stream(1), allocate(64));
    answers.codes([begin(on, 0), begin(other, 0)]);
    answers.code(code!(cuMemsetD32Async(at, 1, 1, on)));
    ended(answers, on);
    ended(answers, other);
    answers.codes([begin(on, 0), begin(other, 2)]);
    answers.code(code!(cuStreamSynchronize(other)));
    answers.value(format_args!("{},{}", status(on), status(other)));
    answers.codes([end(on).0, end(other).0]);
    let third = stream(1);
    answers.codes([begin(on, 0), begin(other, 1), begin(third, 2)]);
    answers.code(code!(cuCtxSynchronize()));
    answers.value(format_args!("{},{},{}", status(on), status(other), status(third)));
    answers.codes([end(on).0, end(other).0, end(third).0]);
}

fn contexts(answers: &mut Answers) {
    let on = begun();
    context(0);
    let mut memory = 0;
    for mode in [0, 2] {
        answers.must(begin(on, mode));
        answers.code(code!(cuMemAlloc_v2(&raw mut memory, 64)));
        answers.value(status(on));
        let _ = end(on);
        answers.must(begin(on, mode));
        answers.code(code!(cuCtxSynchronize()));
        answers.value(status(on));
        let _ = end(on);
        answers.must(begin(on, mode));
        answers.code(code!(cuMemsetD32Async(memory, 1, 1, on)));
        answers.value(status(on));
        let _ = end(on);
    }
}

fn long(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    answers.must(begin(on, 0));
    for _ in 0..2000 {
        answers.must(code!(cuMemsetD32Async(at, 1, 1, on)));
        if !status(on).starts_with('1') {
            break;
        }
    }
    let (code, graph) = end(on);
    answers.code(code);
    answers.value(nodes(graph).len());
    let exec = instantiate(answers, graph);
    run(answers, exec, on);
}

fn again(answers: &mut Answers) {
    let on = begun();
    let at = allocate(64);
    answers.must(begin(on, 0));
    invalidate(answers);
    answers.code(code!(cuMemsetD32Async(at, 1, 1, on)));
    answers.codes([begin(on, 0), end(on).0, end(on).0, begin(on, 0)]);
    ended(answers, on);
    answers.codes([code!(cuMemsetD32Async(at, 1, 1, on)), code!(cuStreamSynchronize(on))]);
}
