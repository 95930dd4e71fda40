//! Captures: nodes, forks and joins of streams, refused calls, and calls that invalidate a capture.

use crate::raw_setup::{
    begin_capture, begin_test, capture, end_capture, event, instantiate, is_since, nodes, run, status, types,
    word,
};
use cuda_suite::raw::{allocate, function, stream, try_launch};
use cuda_suite::{call, code, skip};
use cuda_sys::{
    CUgraph, CUresult, CUstream, CUstreamCaptureMode_enum as Mode, CUstreamCaptureStatus_enum as Status,
    cuCtxSynchronize, cuEventElapsedTime, cuEventElapsedTime_v2, cuEventQuery, cuEventRecord,
    cuEventRecordWithFlags, cuGraphCreate, cuGraphLaunch, cuLaunchHostFunc, cuMemAlloc_v2,
    cuMemcpyDtoDAsync_v2, cuMemcpyHtoDAsync_v2, cuMemsetD32_v2, cuMemsetD32Async, cuStreamAddCallback,
    cuStreamBeginCapture_v2, cuStreamBeginCaptureToGraph, cuStreamDestroy_v2, cuStreamGetCaptureInfo_v2,
    cuStreamQuery, cuStreamSynchronize, cuStreamUpdateCaptureDependencies, cuStreamWaitEvent,
};
use std::ptr::{null, null_mut};

const PTX: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
    .visible .entry add(.param .u64 to, .param .u32 more) {
        .reg .b64 %a; .reg .b32 %r, %m;
        ld.param.u64 %a, [to]; ld.param.u32 %m, [more];
        ld.global.u32 %r, [%a]; add.u32 %r, %r, %m; st.global.u32 [%a], %r; ret; }";

const UNSUPPORTED: CUresult = CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
const INVALIDATED: CUresult = CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;

unsafe extern "C" fn count(data: *mut core::ffi::c_void) {
    // SAFETY: the test's counter.
    unsafe { &*data.cast::<std::sync::atomic::AtomicU32>() }
        .fetch_add(1, std::sync::atomic::Ordering::SeqCst);
}

#[test]
fn captured_work_runs_at_each_launch_only() {
    begin_test();
    let (first, second) = (allocate(4), allocate(4));
    call!(cuMemsetD32_v2(first, 0, 1));
    call!(cuMemsetD32_v2(second, 0, 1));
    let add = function(PTX, c"add");
    let counter = std::sync::atomic::AtomicU32::new(0);
    let graph = capture(|captured| {
        assert_eq!(try_launch(add, 1, captured, &[first, 3]), CUresult::CUDA_SUCCESS);
        call!(cuMemcpyDtoDAsync_v2(second, first, 4, captured));
        call!(cuLaunchHostFunc(captured, Some(count), (&raw const counter).cast_mut().cast()));
    });
    assert_eq!(types(graph), [0, 1, 3]);
    assert_eq!(word(first), 0);
    let executable = instantiate(graph);
    let other = stream(1);
    for launch in 1..=3 {
        run(executable, other);
        assert_eq!((word(first), word(second)), (3 * launch, 3 * launch));
        assert_eq!(counter.load(std::sync::atomic::Ordering::SeqCst), launch);
    }
}

#[test]
fn pageable_source_is_read_at_each_launch() {
    begin_test();
    let to = allocate(4);
    let mut source = Box::new(1_u32);
    let graph = capture(|captured| {
        call!(cuMemcpyHtoDAsync_v2(to, (&raw const *source).cast(), 4, captured));
    });
    let executable = instantiate(graph);
    let other = stream(1);
    for value in [5, 6] {
        // SAFETY: no launch is under way.
        unsafe { (&raw mut *source).write_volatile(value) };
        run(executable, other);
        assert_eq!(word(to), value);
    }
}

#[test]
fn capture_status_follows_begin_and_end() {
    begin_test();
    let captured = stream(1);
    assert_eq!(status(captured), Ok(0));
    call!(cuStreamBeginCapture_v2(captured, Mode::CU_STREAM_CAPTURE_MODE_RELAXED));
    assert_eq!(status(captured), Ok(1));
    let again = code!(cuStreamBeginCapture_v2(captured, Mode::CU_STREAM_CAPTURE_MODE_RELAXED));
    assert_eq!(again, CUresult::CUDA_ERROR_ILLEGAL_STATE);
    let graph = end_capture(captured).unwrap();
    assert!(nodes(graph).is_empty());
    assert_eq!(status(captured), Ok(0));
    assert_eq!(end_capture(captured), Err(CUresult::CUDA_ERROR_ILLEGAL_STATE));
}

/// Has one stream wait for another.
fn order(before: CUstream, after: CUstream) {
    let event = event();
    call!(cuEventRecord(event, before));
    call!(cuStreamWaitEvent(after, event, 0));
}

#[test]
fn forked_stream_joins_the_same_graph() {
    begin_test();
    let words = allocate(8);
    let fork = stream(1);
    let graph = capture(|captured| {
        call!(cuMemsetD32Async(words, 1, 1, captured));
        order(captured, fork);
        assert_eq!(status(fork), Ok(1));
        call!(cuMemsetD32Async(words + 4, 2, 1, fork));
        call!(cuMemsetD32Async(words, 3, 1, captured));
        order(fork, captured);
    });
    assert_eq!(status(fork), Ok(0));
    assert_eq!(types(graph), [2, 2, 2]);
    run(instantiate(graph), fork);
    assert_eq!((word(words), word(words + 4)), (3, 2));
}

#[test]
fn unjoined_fork_fails_the_end() {
    begin_test();
    let words = allocate(4);
    let fork = stream(1);
    let captured = begin_capture(Mode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    order(captured, fork);
    call!(cuMemsetD32Async(words, 2, 1, fork));
    assert_eq!(end_capture(captured), Err(CUresult::CUDA_ERROR_STREAM_CAPTURE_UNJOINED));
    assert_eq!((status(captured), status(fork)), (Ok(0), Ok(0)));
    call!(cuMemsetD32Async(words, 4, 1, fork));
    call!(cuStreamSynchronize(fork));
    assert_eq!(word(words), 4);
}

#[test]
fn end_of_a_fork_invalidates() {
    begin_test();
    let fork = stream(1);
    let captured = begin_capture(Mode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    order(captured, fork);
    assert_eq!(end_capture(fork), Err(CUresult::CUDA_ERROR_STREAM_CAPTURE_UNMATCHED));
    assert_eq!((status(captured), status(fork)), (Ok(2), Ok(2)));
    assert_eq!(end_capture(captured), Err(INVALIDATED));
}

#[test]
fn outside_event_is_refused_in_a_capture() {
    begin_test();
    let other = stream(1);
    let outside = event();
    call!(cuEventRecord(outside, other));
    let captured = begin_capture(Mode::CU_STREAM_CAPTURE_MODE_RELAXED);
    let code = code!(cuStreamWaitEvent(captured, outside, 0));
    assert_eq!(code, CUresult::CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
    assert_eq!(end_capture(captured), Err(INVALIDATED));
}

#[test]
fn two_captures_cannot_be_merged() {
    begin_test();
    let first = begin_capture(Mode::CU_STREAM_CAPTURE_MODE_RELAXED);
    let second = begin_capture(Mode::CU_STREAM_CAPTURE_MODE_RELAXED);
    let shared = event();
    call!(cuEventRecord(shared, first));
    let code = code!(cuStreamWaitEvent(second, shared, 0));
    assert_eq!(code, CUresult::CUDA_ERROR_STREAM_CAPTURE_MERGE);
    let _ = (end_capture(first), end_capture(second));
}

#[test]
fn external_event_flags_make_event_nodes() {
    begin_test();
    if !is_since(11, 1) {
        skip!("needs CUDA 11.1");
    }
    let outside = event();
    let graph = capture(|captured| {
        call!(cuEventRecordWithFlags(outside, captured, 1));
        call!(cuStreamWaitEvent(captured, outside, 1));
    });
    assert_eq!(types(graph), [6, 7]);
    run(instantiate(graph), stream(1));
    call!(cuEventQuery(outside));
}

#[test]
fn query_of_a_captured_event_invalidates() {
    begin_test();
    let captured = begin_capture(Mode::CU_STREAM_CAPTURE_MODE_RELAXED);
    let inner = event();
    call!(cuEventRecord(inner, captured));
    assert_eq!(code!(cuEventQuery(inner)), CUresult::CUDA_ERROR_CAPTURED_EVENT);
    assert_eq!(end_capture(captured), Err(INVALIDATED));
}

unsafe extern "C" fn ignore(_: CUstream, _: CUresult, _: *mut core::ffi::c_void) {}

#[test]
fn waits_for_a_captured_stream_are_refused() {
    begin_test();
    let calls: [&dyn Fn(CUstream) -> CUresult; 4] = [
        &|captured| code!(cuStreamQuery(captured)),
        &|captured| code!(cuStreamSynchronize(captured)),
        &|_| code!(cuCtxSynchronize()),
        &|captured| code!(cuStreamAddCallback(captured, Some(ignore), null_mut(), 0)),
    ];
    for call in calls {
        let captured = begin_capture(Mode::CU_STREAM_CAPTURE_MODE_RELAXED);
        assert_eq!(call(captured), UNSUPPORTED);
        assert_eq!(status(captured), Ok(2));
        let words = code!(cuLaunchHostFunc(captured, Some(count), null_mut()));
        assert_eq!(words, INVALIDATED);
        assert_eq!(end_capture(captured), Err(INVALIDATED));
    }
    call!(cuCtxSynchronize());
}

#[test]
fn unsafe_call_is_refused_by_the_modes() {
    begin_test();
    let mut address = 0;
    let captured = begin_capture(Mode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    // The thread is in the relaxed mode.
    call!(cuMemAlloc_v2(&raw mut address, 4));
    assert!(end_capture(captured).is_ok());
    let mut mode = Mode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
    call!(cuda_sys::cuThreadExchangeStreamCaptureMode(&raw mut mode));
    assert_eq!(mode, Mode::CU_STREAM_CAPTURE_MODE_RELAXED);
    let captured = begin_capture(Mode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    assert_eq!(code!(cuMemAlloc_v2(&raw mut address, 4)), UNSUPPORTED);
    assert_eq!(status(captured), Ok(2));
    assert_eq!(end_capture(captured), Err(INVALIDATED));
    let captured = begin_capture(Mode::CU_STREAM_CAPTURE_MODE_RELAXED);
    call!(cuMemAlloc_v2(&raw mut address, 4));
    assert!(end_capture(captured).is_ok());
}

#[test]
fn legacy_stream_disturbs_blocking_captures_only() {
    begin_test();
    let words = allocate(4);
    let blocking = stream(0);
    call!(cuStreamBeginCapture_v2(blocking, Mode::CU_STREAM_CAPTURE_MODE_RELAXED));
    assert_eq!(status(null_mut()), Err(CUresult::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT));
    assert_eq!(status(blocking), Ok(1));
    let code = code!(cuMemsetD32Async(words, 1, 1, null_mut()));
    assert_eq!(code, CUresult::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    assert_eq!(end_capture(blocking), Err(INVALIDATED));
    let captured = begin_capture(Mode::CU_STREAM_CAPTURE_MODE_RELAXED);
    call!(cuMemsetD32Async(words, 1, 1, null_mut()));
    assert!(end_capture(captured).is_ok());
}

#[test]
fn end_on_another_thread_needs_the_relaxed_mode() {
    begin_test();
    let strict = begin_capture(Mode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    let relaxed = begin_capture(Mode::CU_STREAM_CAPTURE_MODE_RELAXED);
    let context = cuda_suite::raw::current().addr();
    let ends = [strict, relaxed].map(CUstream::addr);
    let answers = std::thread::spawn(move || {
        call!(cuda_sys::cuCtxSetCurrent(std::ptr::without_provenance_mut(context)));
        ends.map(|stream| end_capture(std::ptr::without_provenance_mut(stream)).err())
    });
    let answers = answers.join().unwrap();
    assert_eq!(answers, [Some(CUresult::CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD), None]);
    // The end by the wrong thread was the end all the same.
    assert_eq!(end_capture(strict), Err(CUresult::CUDA_ERROR_ILLEGAL_STATE));
}

#[test]
fn launch_into_a_capture_is_refused() {
    begin_test();
    let words = allocate(4);
    let executable = instantiate(capture(|captured| call!(cuMemsetD32Async(words, 1, 1, captured))));
    let captured = begin_capture(Mode::CU_STREAM_CAPTURE_MODE_RELAXED);
    assert_eq!(code!(cuGraphLaunch(executable, captured)), UNSUPPORTED);
    assert_eq!(end_capture(captured), Err(INVALIDATED));
}

#[test]
fn capture_info_names_graph_and_dependencies() {
    begin_test();
    if !is_since(11, 3) {
        skip!("needs CUDA 11.3");
    }
    let words = allocate(8);
    let captured = begin_capture(Mode::CU_STREAM_CAPTURE_MODE_RELAXED);
    let info = |captured: CUstream| {
        let (mut state, mut id, mut graph) = (Status(9), 0, null_mut());
        let (mut list, mut count): (*const cuda_sys::CUgraphNode, usize) = (null(), 9);
        call!(cuStreamGetCaptureInfo_v2(
            captured,
            &raw mut state,
            &raw mut id,
            &raw mut graph,
            &raw mut list,
            &raw mut count
        ));
        let list = if count == 0 {
            Vec::new()
        } else {
            // SAFETY: a list of the driver's, as long as it says.
            unsafe { std::slice::from_raw_parts(list, count) }.to_vec()
        };
        (state.0, id, graph, list)
    };
    let (state, id, graph, list) = info(captured);
    assert_eq!((state, list.len()), (1, 0));
    call!(cuMemsetD32Async(words, 1, 1, captured));
    let (_, same_id, same_graph, list) = info(captured);
    assert_eq!((same_id, same_graph), (id, graph));
    assert_eq!(list, nodes(graph));
    // The next node is beside the first one, not behind it.
    call!(cuStreamUpdateCaptureDependencies(captured, null_mut(), 0, 1));
    call!(cuMemsetD32Async(words + 4, 1, 1, captured));
    let mut first = [list[0]];
    call!(cuStreamUpdateCaptureDependencies(captured, first.as_mut_ptr(), 1, 0));
    assert_eq!(info(captured).3.len(), 2);
    assert_eq!(end_capture(captured).unwrap(), graph);
    let code = code!(cuStreamUpdateCaptureDependencies(captured, null_mut(), 0, 1));
    assert_eq!(code, CUresult::CUDA_ERROR_ILLEGAL_STATE);
}

#[test]
fn capture_into_a_graph_adds_to_it() {
    begin_test();
    if !is_since(12, 3) {
        skip!("needs CUDA 12.3");
    }
    let mut graph: CUgraph = null_mut();
    call!(cuGraphCreate(&raw mut graph, 0));
    let words = allocate(4);
    let captured = stream(1);
    let mode = Mode::CU_STREAM_CAPTURE_MODE_RELAXED;
    for value in [1, 2] {
        let after = nodes(graph);
        call!(cuStreamBeginCaptureToGraph(captured, graph, after.as_ptr(), null(), after.len(), mode));
        call!(cuMemsetD32Async(words, value, 1, captured));
        assert_eq!(end_capture(captured), Ok(graph));
    }
    assert_eq!(types(graph), [2, 2]);
    run(instantiate(graph), captured);
    assert_eq!(word(words), 2);
}

#[test]
fn captured_stream_can_be_destroyed() {
    begin_test();
    let captured = begin_capture(Mode::CU_STREAM_CAPTURE_MODE_RELAXED);
    call!(cuStreamDestroy_v2(captured));
    call!(cuCtxSynchronize());
}

/// Conformance fact V1203.
#[test]
fn times_of_captured_events_leave_the_capture() {
    begin_test();
    let (started, captured) = (event(), event());
    call!(cuEventRecord(started, null_mut()));
    call!(cuCtxSynchronize());
    let mut milliseconds = 0.0;
    for version in [1, 2] {
        if version == 2 && !is_since(12, 8) {
            continue;
        }
        let on = begin_capture(Mode::CU_STREAM_CAPTURE_MODE_RELAXED);
        call!(cuEventRecord(captured, on));
        let mut time = |start, end| match version {
            1 => code!(cuEventElapsedTime(&raw mut milliseconds, start, end)),
            _ => code!(cuEventElapsedTime_v2(&raw mut milliseconds, start, end)),
        };
        for (start, end) in [(started, captured), (captured, started)] {
            assert_eq!(time(start, end), CUresult::CUDA_ERROR_CAPTURED_EVENT);
            assert_eq!(status(on), Ok(Status::CU_STREAM_CAPTURE_STATUS_ACTIVE.0));
        }
        end_capture(on).unwrap();
        assert_eq!(time(started, captured), CUresult::CUDA_ERROR_INVALID_VALUE);
        // A query invalidates the capture.
        let on = begin_capture(Mode::CU_STREAM_CAPTURE_MODE_RELAXED);
        call!(cuEventRecord(captured, on));
        assert_eq!(code!(cuEventQuery(captured)), CUresult::CUDA_ERROR_CAPTURED_EVENT);
        assert_eq!(time(captured, started), CUresult::CUDA_ERROR_INVALID_VALUE);
        assert_eq!(end_capture(on), Err(INVALIDATED));
    }
}
