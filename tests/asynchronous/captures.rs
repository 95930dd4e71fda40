//! Captures of other code, and the way in which this crate avoids to disturb them.

#![allow(unsafe_code)]

use crate::busy::Busy;
use crate::executors::{counting, poll};
use crate::{alone, apart, is_since};
use cuda_rt::completion::WakeBy;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::stream::expect_foreign_captures;
use cuda_rt::{DeviceBuf, Event, Stream};
use cuda_suite::{context, skip, stream};
use cuda_sys::*;
use std::ptr::null_mut;
use std::time::Duration;

const GLOBAL: CUstreamCaptureMode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL;

/// Begins a capture. Returns `None` if the driver has no captures.
fn begin(stream: &Stream, mode: CUstreamCaptureMode) -> Option<()> {
    // SAFETY: the stream is live.
    let begun = unsafe { cuStreamBeginCapture_v2(stream.as_raw(), mode) };
    if Code::new(begun) == Some(Code::NotSupported) {
        return None;
    }
    assert!(begun.is_success(), "{begun}");
    Some(())
}

/// Ends the capture. Returns whether it was intact.
fn end(stream: &Stream) -> bool {
    let mut graph: CUgraph = null_mut();
    // SAFETY: the stream is live, the graph valid for a write.
    let ended = unsafe { cuStreamEndCapture(stream.as_raw(), &raw mut graph) };
    if !graph.is_null() {
        // SAFETY: made just now.
        assert!(unsafe { cuGraphDestroy(graph) }.is_success());
    }
    ended.is_success()
}

#[test]
fn capturing_stream_cannot_be_awaited() {
    let _alone = alone();
    expect_foreign_captures();
    let stream = stream();
    let Some(()) = begin(&stream, GLOBAL) else { skip!("this driver cannot capture") };
    assert_eq!(stream.finished().unwrap_err().kind(), ErrorKind::StreamCapturing);
    assert!(end(&stream), "the capture is intact");
    assert_eq!(pollster::block_on(stream.finished().unwrap()), Ok(()));
}

#[test]
fn stream_drawn_into_a_capture_is_known() {
    let _alone = alone();
    expect_foreign_captures();
    let (first, second, third) = (stream(), stream(), stream());
    let mut buffer = DeviceBuf::<u8>::zeroed(&third, 4).unwrap();
    third.synchronize().unwrap();
    let Some(()) = begin(&first, GLOBAL) else { skip!("this driver cannot capture") };
    // By two events of safe code.
    second.wait_event(Event::new(&context()).unwrap().record(&first).unwrap()).unwrap();
    third.wait_stream(&second).unwrap();
    assert_eq!(third.finished().unwrap_err().kind(), ErrorKind::StreamCapturing);
    assert_eq!(buffer.copy_from_host(&[1; 4]).unwrap_err().kind(), ErrorKind::StreamCapturing);
    first.wait_stream(&third).unwrap();
    first.wait_stream(&second).unwrap();
    assert!(end(&first));
    buffer.copy_from_host(&[1; 4]).unwrap();
}

#[test]
fn frees_leave_an_expected_capture_intact() {
    let _alone = alone();
    expect_foreign_captures();
    let (captured, other) = (stream(), stream());
    let buffers: Vec<DeviceBuf<u8>> = (0..100).map(|_| DeviceBuf::zeroed(&other, 100).unwrap()).collect();
    other.synchronize().unwrap();
    let Some(()) = begin(&captured, GLOBAL) else { skip!("this driver cannot capture") };
    std::thread::spawn(move || drop(buffers)).join().unwrap();
    drop((Event::new(&context()).unwrap(), other));
    assert!(end(&captured));
}

#[test]
fn first_refused_free_is_made_up_for() {
    apart("captures::first_refused_free_is_made_up_for", || {
        let (captured, other) = (stream(), stream());
        let mut lost = 0;
        for _ in 0..10 {
            let buffer = DeviceBuf::<u8>::zeroed(&other, 100).unwrap();
            other.synchronize().unwrap();
            let Some(()) = begin(&captured, GLOBAL) else { skip!("this driver cannot capture") };
            let reports = cuda_suite::reports(|| drop(buffer));
            assert_eq!(reports, [""; 0], "it is freed all the same");
            lost += u32::from(!end(&captured));
        }
        assert!(lost <= 1, "{lost} captures were lost");
    });
}

#[test]
fn context_waits_for_no_event_of_a_capture() {
    let _alone = alone();
    expect_foreign_captures();
    if !is_since(12, 5) {
        skip!("contexts wait for no events");
    }
    let other =
        cuda_rt::Context::new(cuda_suite::device(), cuda_rt::context::ContextFlags::default()).unwrap();
    for context in [other, context()] {
        let captured = stream();
        let event = Event::new(captured.context()).unwrap();
        let Some(()) = begin(&captured, GLOBAL) else { skip!("this driver cannot capture") };
        event.record(&captured).unwrap();
        let waited = context.wait_event(&event);
        // A query of the event ends the capture.
        end(&captured);
        assert_eq!(waited.unwrap_err().code(), Some(Code::CapturedEvent));
    }
}

#[test]
fn threads_of_this_crate_disturb_no_capture() {
    apart("captures::threads_of_this_crate_disturb_no_capture", || {
        let (stream, other) = (stream(), stream());
        let busy = Busy::new(&stream);
        let mut finished = stream.finished().unwrap().wake_by(WakeBy::Polling);
        let (_, waker) = counting();
        // The thread that polls begins.
        assert!(poll(&mut finished, &waker).is_pending());
        // Nothing announces this capture. One of this crate may also begin between the thread's check and its query.
        let Some(()) = begin(&other, GLOBAL) else { skip!("this driver cannot capture") };
        std::thread::sleep(Duration::from_millis(20));
        assert!(end(&other));
        busy.go();
        assert_eq!(pollster::block_on(finished), Ok(()));
    });
}
