//! Questions about functions that streams call.

use super::{Answers, Question, capturing_stream, initialised, synchronize};
use core::ffi::c_void;
use cuda_suite::raw::{allocate, context, stream};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;
use std::time::Duration;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "host-function-arguments", devices: 1, ask: arguments },
    Question { name: "host-function-context", devices: 1, ask: contexts },
    Question { name: "host-function-threads", devices: 1, ask: threads },
    Question { name: "host-function-meanwhile", devices: 1, ask: meanwhile },
    Question { name: "host-function-inside", devices: 1, ask: inside },
    Question { name: "host-function-outside", devices: 1, ask: outside },
    Question { name: "host-function-many", devices: 1, ask: many },
    Question { name: "host-function-stream", devices: 1, ask: of_a_stream },
    Question { name: "host-function-context-end", devices: 1, ask: |answers| of_a_context(answers, false) },
    Question { name: "host-function-primary-end", devices: 1, ask: |answers| of_a_context(answers, true) },
    Question { name: "host-function-capture", devices: 1, ask: capture },
    Question { name: "host-function-capture-callback", devices: 1, ask: capture_callback },
];

/// Longer than any function takes.
const LONG: Duration = Duration::from_secs(20);

/// A function of the program; what it returns is sent.
type Function = Box<dyn FnOnce(CUstream, CUresult) + Send>;

unsafe extern "C" fn call_back(on: CUstream, status: CUresult, data: *mut c_void) {
    // SAFETY: made by `leak`, and called once.
    let function = unsafe { Box::from_raw(data.cast::<Function>()) };
    function(on, status);
}

unsafe extern "C" fn call(data: *mut c_void) {
    // SAFETY: as above.
    unsafe { call_back(null_mut(), CUresult::CUDA_SUCCESS, data) };
}

fn leak<R: Send + 'static>(
    work: impl FnOnce(usize, CUresult) -> R + Send + 'static,
) -> (*mut c_void, Receiver<R>) {
    let (sender, receiver) = channel();
    let function: Function = Box::new(move |on, status| {
        let _ = sender.send(work(on.addr(), status));
    });
    (Box::into_raw(Box::new(function)).cast(), receiver)
}

/// Has a stream call a function.
fn launch<R: Send + 'static>(
    on: CUstream,
    work: impl FnOnce() -> R + Send + 'static,
) -> (CUresult, Receiver<R>) {
    let (data, receiver) = leak(|_, _| work());
    (code!(cuLaunchHostFunc(on, Some(call), data)), receiver)
}

/// The same with a callback, which is given the handle and the status.
fn add<R: Send + 'static>(
    on: CUstream,
    work: impl FnOnce(usize, CUresult) -> R + Send + 'static,
) -> (CUresult, Receiver<R>) {
    let (data, receiver) = leak(work);
    (code!(cuStreamAddCallback(on, Some(call_back), data, 0)), receiver)
}

/// A function that waits for a signal.
fn hold(on: CUstream) -> Sender<()> {
    let (go, wait) = channel();
    let (begun, here) = channel();
    let (code, _) = launch(on, move || {
        let _ = begun.send(());
        let _ = wait.recv_timeout(LONG);
    });
    assert!(code.is_success());
    here.recv_timeout(LONG).unwrap();
    go
}

fn is_called<R>(receiver: &Receiver<R>) -> bool {
    receiver.recv_timeout(Duration::from_millis(500)).is_ok()
}

/// Without a function; flags; the handles that callbacks are given for 0, 1, 2 and a stream.
fn arguments(answers: &mut Answers) {
    initialised();
    context(0);
    let own = stream(1);
    answers.code(code!(cuLaunchHostFunc(own, None, null_mut())));
    answers.code(code!(cuStreamAddCallback(own, None, null_mut(), 0)));
    answers.code(code!(cuStreamAddCallback(own, Some(call_back), null_mut(), 1)));
    let same = |handle: usize| std::ptr::without_provenance_mut(handle);
    for on in [null_mut(), same(1), same(2), own] {
        let (code, called) = add(on, |handle, status| (handle, status));
        answers.code(code);
        answers.code(synchronize());
        let (handle, status) = called.recv().unwrap();
        answers.value(if handle == own.addr() { "own".to_owned() } else { handle.to_string() });
        answers.code(status);
    }
}

/// On a stream of another context than the current one; with nothing current; on default streams with nothing current.
fn contexts(answers: &mut Answers) {
    initialised();
    context(0);
    let on = stream(1);
    context(0);
    let (first, called) = launch(on, || ());
    answers.code(first);
    let (second, told) = add(on, |_, status| status);
    answers.code(second);
    answers.value(is_called(&called));
    answers.code(told.recv().unwrap());
    call!(cuCtxSetCurrent(null_mut()));
    call!(cuCtxSetCurrent(null_mut()));
    let mut below = null_mut();
    while code!(cuCtxPopCurrent_v2(&raw mut below)).is_success() {}
    let (first, called) = launch(on, || ());
    answers.code(first);
    answers.value(is_called(&called));
    let (second, told) = add(on, |_, status| status);
    answers.code(second);
    answers.code(told.recv().unwrap());
}

/// Compares the threads of functions of a context's streams: with each other, with the caller's, and with another context's.
fn threads(answers: &mut Answers) {
    initialised();
    context(0);
    let id = || std::thread::current().id();
    let of = |on: CUstream| [launch(on, id).1, add(on, move |_, _| id()).1];
    // All of them wait behind one, since threads that have nothing to do may end.
    let go = hold(stream(1));
    let own = [of(stream(1)), of(stream(0)), of(null_mut()), of(std::ptr::without_provenance_mut(2))];
    context(0);
    let foreign = of(stream(1)).map(|called| called.recv().unwrap());
    drop(go);
    let [one, two, null, per_thread]: [[ThreadId; 2]; 4] =
        own.map(|both| both.map(|called| called.recv().unwrap()));
    answers.value(one[0] == one[1] && one == two);
    answers.value(null == one && per_thread == one);
    answers.value(one.contains(&id()));
    answers.value(foreign == one);
}

/// While a function does not return: its stream, an event behind it, another stream; work there; whether functions of another
/// stream and of another context are called.
fn meanwhile(answers: &mut Answers) {
    initialised();
    context(0);
    let (on, other, at) = (stream(1), stream(1), allocate(4));
    let mut event = null_mut();
    call!(cuEventCreate(&raw mut event, 0));
    let go = hold(on);
    call!(cuEventRecord(event, on));
    answers.codes([code!(cuStreamQuery(on)), code!(cuEventQuery(event)), code!(cuStreamQuery(other))]);
    answers.codes([code!(cuMemsetD32Async(at, 5, 1, other)), code!(cuStreamSynchronize(other))]);
    let (function, callback) = (launch(other, || ()).1, add(other, |_, _| ()).1);
    answers.value(is_called(&function) || is_called(&callback));
    drop(go);
    answers.code(synchronize());
    answers.value(is_called(&function) && is_called(&callback));
    context(0);
    let foreign = stream(1);
    let go = hold(on);
    answers.value(is_called(&launch(foreign, || ()).1));
    drop(go);
}

/// Calls inside a function, and inside a callback.
fn inside(answers: &mut Answers) {
    initialised();
    let own = context(0).addr();
    let (on, at) = (stream(1), allocate(4));
    let others = || {
        let (other, mut event) = (stream(1), null_mut());
        call!(cuEventCreate(&raw mut event, 0));
        call!(cuEventRecord(event, other));
        [other.addr(), event.addr(), stream(1).addr()]
    };
    let (first, second) = (others(), others());
    call!(cuCtxSynchronize());
    let address = on.addr();
    let (function, callback) = (
        launch(on, move || ask_inside(own, address, at, first)).1,
        add(on, move |_, _| ask_inside(own, address, at, second)).1,
    );
    let (first, second) = (function.recv().unwrap(), callback.recv().unwrap());
    answers.codes(first);
    answers.value(first == second);
    answers.code(synchronize());
    answers.code(code!(cuMemFree_v2(at)));
}

fn ask_inside(own: usize, on: usize, at: CUdeviceptr, [other, event, doomed]: [usize; 3]) -> [CUresult; 29] {
    let (mut pointer, mut number, mut long) = (null_mut::<c_void>(), 0, 0_u64);
    let (mut count, mut mode) = (0_u32, CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_RELAXED);
    let mut status = CUstreamCaptureStatus_enum::CU_STREAM_CAPTURE_STATUS_NONE;
    let (on, other) = (std::ptr::without_provenance_mut(on), std::ptr::without_provenance_mut(other));
    let (own, event) = (std::ptr::without_provenance_mut(own), std::ptr::without_provenance_mut(event));
    [
        code!(cuCtxGetCurrent((&raw mut pointer).cast())),
        code!(cuCtxGetId(own, &raw mut long)),
        code!(cuCtxPushCurrent_v2(own)),
        code!(cuCtxSynchronize()),
        code!(cuDevicePrimaryCtxGetState(0, &raw mut count, &raw mut number)),
        code!(cuStreamQuery(on)),
        code!(cuStreamQuery(other)),
        code!(cuStreamIsCapturing(other, &raw mut status)),
        code!(cuStreamSynchronize(other)),
        code!(cuStreamWaitEvent(other, event, 0)),
        code!(cuStreamGetFlags(other, &raw mut count)),
        code!(cuStreamGetId(other, &raw mut long)),
        code!(cuStreamCreate((&raw mut pointer).cast(), 0)),
        code!(cuEventQuery(event)),
        code!(cuEventRecord(event, other)),
        code!(cuEventSynchronize(event)),
        code!(cuEventCreate((&raw mut pointer).cast(), 0)),
        code!(cuThreadExchangeStreamCaptureMode(&raw mut mode)),
        code!(cuMemAlloc_v2(&raw mut long, 4)),
        code!(cuMemAllocAsync(&raw mut long, 4, other)),
        code!(cuMemsetD32Async(at, 1, 1, other)),
        code!(cuMemcpyDtoDAsync_v2(at, at, 4, other)),
        launch(other, || ()).0,
        add(other, |_, _| ()).0,
        code!(cuMemFree_v2(at)),
        code!(cuMemFreeAsync(at, other)),
        code!(cuEventDestroy_v2(event)),
        code!(cuStreamDestroy_v2(std::ptr::without_provenance_mut(doomed))),
        code!(cuCtxDestroy_v2(own)),
    ]
}

/// Calls on another thread, which a function waits for.
fn outside(answers: &mut Answers) {
    initialised();
    let own = context(0).addr();
    let (on, other) = (stream(1), stream(1).addr());
    let address = on.addr();
    let ask = move || {
        let (mut event, mut at) = (null_mut(), 0);
        let (on, other) =
            (std::ptr::without_provenance_mut(address), std::ptr::without_provenance_mut(other));
        [
            code!(cuCtxSetCurrent(std::ptr::without_provenance_mut(own))),
            code!(cuStreamQuery(on)),
            code!(cuMemAllocAsync(&raw mut at, 4, other)),
            code!(cuMemsetD32Async(at, 1, 1, other)),
            code!(cuStreamSynchronize(other)),
            code!(cuMemFreeAsync(at, other)),
            code!(cuEventCreate(&raw mut event, 0)),
            code!(cuEventRecord(event, on)),
            code!(cuEventDestroy_v2(event)),
            code!(cuStreamDestroy_v2(other)),
        ]
    };
    let (_, called) = launch(on, move || std::thread::spawn(ask).join().unwrap());
    answers.codes(called.recv().unwrap());
    answers.code(synchronize());
}

/// Functions behind one that does not return.
fn many(answers: &mut Answers) {
    initialised();
    context(0);
    let (on, calls) = (stream(1), Arc::new(AtomicU32::new(0)));
    let go = hold(on);
    for _ in 0..20_000 {
        let calls = Arc::clone(&calls);
        let _ = launch(on, move || drop(calls.fetch_add(1, Ordering::Relaxed).to_string()));
    }
    answers.value(calls.load(Ordering::Relaxed));
    drop(go);
    answers.code(synchronize());
    answers.value(calls.load(Ordering::Relaxed));
}

/// A stream is destroyed while a function runs and others wait.
fn of_a_stream(answers: &mut Answers) {
    initialised();
    context(0);
    let on = stream(1);
    let go = hold(on);
    let (function, callback) = (launch(on, || ()).1, add(on, |_, status| status).1);
    answers.code(code!(cuStreamDestroy_v2(on)));
    answers.value(is_called(&function));
    drop(go);
    answers.value(is_called(&function));
    answers.code(callback.recv().unwrap());
}

/// A context ends while a function runs and others wait.
fn of_a_context(answers: &mut Answers, is_primary: bool) {
    initialised();
    let mut own = null_mut();
    if is_primary {
        call!(cuDevicePrimaryCtxRetain(&raw mut own, 0));
        call!(cuCtxSetCurrent(own));
    } else {
        own = context(0);
    }
    let on = stream(1);
    let go = hold(on);
    let order = Arc::new(Mutex::new(Vec::new()));
    let (first, second) = (Arc::clone(&order), Arc::clone(&order));
    let _ = launch(on, move || first.lock().unwrap().push("function".to_owned()));
    let _ = add(on, move |_, status| second.lock().unwrap().push(status.0.to_string()));
    let waker = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        drop(go);
    });
    answers.code(if is_primary {
        code!(cuDevicePrimaryCtxRelease_v2(0))
    } else {
        code!(cuCtxDestroy_v2(own))
    });
    answers.value(order.lock().unwrap().join(","));
    waker.join().unwrap();
}

/// Functions on a stream that is captured, and on another one.
fn capture(answers: &mut Answers) {
    initialised();
    context(0);
    let other = stream(1);
    capturing_stream(answers, |answers, captured| {
        answers.code(launch(captured, || ()).0);
        answers.code(launch(other, || ()).0);
        answers.code(add(other, |_, _| ()).0);
    });
}

/// A callback on a stream that is captured.
fn capture_callback(answers: &mut Answers) {
    initialised();
    context(0);
    capturing_stream(answers, |answers, captured| {
        answers.code(add(captured, |_, _| ()).0);
    });
}
