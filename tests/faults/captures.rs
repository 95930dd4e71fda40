//! Captures of other code that meet calls of this crate half-way.

use crate::layer::{after, no_fault, record};
use crate::{primary, symbols};
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::launch::LaunchAttributes;
use cuda_rt::memory::PendingCopy;
use cuda_rt::stream::StreamFlags;
use cuda_rt::{DeviceBuf, DevicePtr, Event, LaunchConfig, Module, PinnedBuf, Stream};
use cuda_suite::reports;
use cuda_sys::*;
use std::future::IntoFuture;
use std::ptr::{null_mut, with_exposed_provenance_mut};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

static HAS_PAUSED: AtomicBool = AtomicBool::new(false);
static GO: AtomicBool = AtomicBool::new(false);

/// Waits until [`while_paused`] has ended.
fn pause() {
    HAS_PAUSED.store(true, Ordering::SeqCst);
    while !GO.load(Ordering::SeqCst) {
        std::thread::yield_now();
    }
}

/// Runs `first` on a thread that waits inside `call`, after the driver's work, and `second` meanwhile.
fn while_paused<R: Send, S>(
    call: Symbol,
    first: impl FnOnce() -> R + Send,
    second: impl FnOnce() -> S,
) -> (R, S) {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    HAS_PAUSED.store(false, Ordering::SeqCst);
    GO.store(false, Ordering::SeqCst);
    std::thread::scope(|threads| {
        let first = threads.spawn(move || {
            after(call, pause);
            first()
        });
        while !HAS_PAUSED.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        let second = second();
        GO.store(true, Ordering::SeqCst);
        (first.join().unwrap(), second)
    })
}

/// Begins a capture that other threads' calls leave intact.
fn begin(stream: CUstream) {
    // SAFETY: the stream is live.
    let begun =
        unsafe { cuStreamBeginCapture_v2(stream, CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED) };
    assert!(begun.is_success(), "{begun}");
}

fn end(stream: CUstream) {
    let mut graph: CUgraph = null_mut();
    // SAFETY: the stream is live, the graph valid for a write.
    let ended = unsafe { cuStreamEndCapture(stream, &raw mut graph) };
    assert!(ended.is_success(), "{ended}");
    // SAFETY: made just now.
    assert!(unsafe { cuGraphDestroy(graph) }.is_success());
}

fn event() -> Event {
    Event::new(&primary()).unwrap()
}

fn streams<const N: usize>() -> [Stream; N] {
    [(); N].map(|()| Stream::new(&primary()).unwrap())
}

#[test]
fn stream_counts_as_exposed_before_it_is_drawn_in() {
    let [captured, drawn, last] = streams();
    let device = [&drawn, &last].map(|stream| {
        let device = DeviceBuf::<u8>::zeroed(stream, 16).unwrap();
        stream.synchronize().unwrap();
        device
    });
    let host = [(); 2].map(|()| PinnedBuf::<u8>::zeroed(&primary(), 16).unwrap());
    let (entry, inner) = (event(), event());
    begin(captured.as_raw());
    entry.record(&captured).unwrap();
    let [first, second] = host;
    let (waited, (copied, recorded)) = while_paused(
        Symbol::cuStreamWaitEvent,
        || drawn.wait_event(&entry),
        || (device[0].copy_to_pinned(first).map(drop), inner.record(&drawn).map(drop)),
    );
    waited.unwrap();
    recorded.unwrap();
    last.wait_event(&inner).unwrap();
    let later = device[1].copy_to_pinned(second).map(drop);
    for stream in [&drawn, &last] {
        captured.wait_stream(stream).unwrap();
    }
    end(captured.as_raw());
    assert_eq!(copied.unwrap_err().error().kind(), ErrorKind::StreamCapturing);
    assert_eq!(later.unwrap_err().error().kind(), ErrorKind::StreamCapturing, "over the second event");
}

/// Makes a copy that a capture records, because its stream was drawn in when the copy had asked already. The capture is over.
fn recorded_copy() -> PendingCopy<PinnedBuf<u8>> {
    let [captured, drawn] = streams();
    let device = DeviceBuf::<u8>::zeroed(&drawn, 16).unwrap();
    let host = PinnedBuf::<u8>::zeroed(&primary(), 16).unwrap();
    drawn.synchronize().unwrap();
    let entry = event();
    begin(captured.as_raw());
    entry.record(&captured).unwrap();
    let (copied, waited) =
        while_paused(Symbol::cuEventCreate, || device.copy_to_pinned(host), || drawn.wait_event(&entry));
    waited.unwrap();
    captured.wait_stream(&drawn).unwrap();
    end(captured.as_raw());
    drawn.synchronize().unwrap();
    copied.unwrap()
}

#[test]
fn copy_of_a_capture_never_gives_its_buffer_back() {
    for failure in
        [recorded_copy().wait().unwrap_err(), pollster::block_on(recorded_copy().into_future()).unwrap_err()]
    {
        let (error, buffer) = failure.into_parts();
        // The event is invalid, since the capture has ended.
        assert_eq!((error.code(), buffer.is_none()), (Some(Code::InvalidValue), true));
    }
    let drops: [fn(PendingCopy<PinnedBuf<u8>>); 2] = [|copy| drop(copy), |copy| drop(copy.into_future())];
    for drop in drops {
        let (sender, receiver) = std::sync::mpsc::channel();
        let told = reports(|| {
            let copy = recorded_copy();
            let ((), calls) = record(no_fault, move || drop(copy));
            sender.send(symbols(&calls)).unwrap();
        });
        assert!(told.iter().any(|told| told.contains("CUDA_ERROR_INVALID_VALUE")), "{told:?}");
        let calls = receiver.recv().unwrap();
        assert!(!calls.contains(&Symbol::cuMemFreeHost), "{calls:?}");
    }
}

static CAPTURED: AtomicUsize = AtomicUsize::new(0);

/// Begins the capture of a stream that the test chose, as other code may at any time.
fn begin_chosen() {
    begin(with_exposed_provenance_mut(CAPTURED.load(Ordering::SeqCst)));
}

#[test]
fn launch_waits_if_memory_cannot_be_ordered_after_it() {
    let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry touch(.param .u64 data) { ret; }";
    let touch = Module::from_ptx(&primary(), ptx).unwrap().function("touch").unwrap();
    let [own] = streams();
    let blocking = Stream::with_flags(&primary(), StreamFlags::DEFAULT).unwrap();
    let legacy = Stream::legacy(&primary());
    for (home, captured, kind, code) in [
        (&own, &own, ErrorKind::StreamCapturing, None),
        // The legacy stream takes part in the capture of another stream.
        (&legacy, &blocking, ErrorKind::NotCalled, Some(Code::StreamCaptureImplicit)),
    ] {
        let kernel = touch.typed::<(DevicePtr<u8>,)>().unwrap();
        let mut buffer = DeviceBuf::<u8>::zeroed(home, 16).unwrap();
        let [stream] = streams();
        let captured = captured.as_raw();
        CAPTURED.store(captured.expose_provenance(), Ordering::SeqCst);
        let ((launched, buffer), calls) = record(no_fault, move || {
            // The streams have been checked by then.
            after(Symbol::cuLaunchKernel, begin_chosen);
            // SAFETY: the kernel touches nothing.
            let launched = unsafe { kernel.with(LaunchConfig::new(1, 1)).launch(&stream, (&mut buffer,)) };
            (launched, buffer)
        });
        end(captured);
        let error = launched.unwrap_err();
        assert_eq!((error.kind(), error.code()), (kind, code));
        let calls = symbols(&calls);
        let launch = calls.iter().position(|call| *call == Symbol::cuLaunchKernel).unwrap();
        // The borrow of the buffer ends with the launch, so the kernel has ended, too.
        assert!(calls[launch..].contains(&Symbol::cuStreamSynchronize), "{calls:?}");
        drop(buffer);
    }
}

#[test]
fn refused_free_on_an_unknown_capture_is_delayed() {
    let [stream] = streams();
    let buffer = DeviceBuf::<u8>::zeroed(&stream, 16).unwrap();
    stream.synchronize().unwrap();
    // A handle that this crate has not handed out.
    let shown = format!("{stream:?}");
    let number = shown.split("raw: 0x").nth(1).unwrap().split(',').next().unwrap();
    let raw: CUstream = with_exposed_provenance_mut(usize::from_str_radix(number, 16).unwrap());
    begin(raw);
    let told = reports(|| {
        let ((), calls) = record(no_fault, move || drop(buffer));
        let asked = symbols(&calls).contains(&Symbol::cuStreamIsCapturing);
        assert!(asked, "{calls:?}");
    });
    assert_eq!(told, [""; 0]);
    end(raw);
    let ((), calls) = record(no_fault, move || drop(stream));
    let calls = symbols(&calls);
    assert!(calls.contains(&Symbol::cuMemFreeAsync), "it is freed in the end: {calls:?}");
}

#[test]
fn event_of_launch_attributes_stays_unexposed() {
    let [stream] = streams();
    let event = event();
    let attributes = LaunchAttributes::new().programmatic_event(&event, true);
    drop(attributes.launch_completion_event(&event));
    let (waited, calls) = record(no_fault, move || {
        stream.wait_event(&event)?;
        stream.launch_host_function(|| {})
    });
    waited.unwrap();
    let calls = symbols(&calls);
    assert!(!calls.contains(&Symbol::cuStreamIsCapturing), "{calls:?}");
}
