//! Failures of driver calls, call by call, and the order in which objects are released.
//!
//! A layer in front of the software driver records every call and lets chosen ones fail.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, unsafe_code)]

mod allocation;
mod captures;
mod external;
mod graphs;
mod hooks;
mod host_memory;
mod host_memory_loans;
mod joins;
mod layer;
mod libraries;

use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::{Context, Device, DeviceBuf, Error, Event, Function, Module, Stream};
use cuda_suite::reports;
use cuda_sys::Symbol;
use layer::{Call, Fault, no_fault, record};
use std::collections::BTreeMap;
use std::process::Command;

/// The first device's primary context; one handle stays, so that releases do not end it.
fn primary() -> Context {
    layer::install();
    static CONTEXT: std::sync::OnceLock<Context> = std::sync::OnceLock::new();
    CONTEXT.get_or_init(|| Context::primary(Device::get(0).unwrap()).unwrap()).clone()
}

fn symbols(calls: &[Call]) -> Vec<Symbol> {
    calls.iter().map(|call| call.symbol).collect()
}

/// Lets the `nth` call of a function fail, counted from 0.
fn failing(symbol: Symbol, nth: usize, fault: Fault) -> impl FnMut(usize, Symbol) -> Option<Fault> {
    let mut seen = 0;
    move |_, called| {
        let is_it = called == symbol && seen == nth;
        seen += usize::from(called == symbol);
        is_it.then_some(fault)
    }
}

#[test]
fn releasing_goes_from_the_buffer_to_its_context() {
    let device = Device::get({
        primary();
        0
    })
    .unwrap();
    let buffer = {
        let own = Context::new(device, ContextFlags::default()).unwrap();
        DeviceBuf::from_host(&Stream::new(&own).unwrap(), &[1, 2, 3]).unwrap()
    };
    // On another thread, without a current context.
    let ((), calls) = record(no_fault, move || drop(buffer));
    let (alive, mode) = (Symbol::cuCtxGetId, Symbol::cuThreadExchangeStreamCaptureMode);
    let expected = [
        alive,
        Symbol::cuMemFreeAsync,
        alive,
        Symbol::cuStreamDestroy_v2,
        mode,
        Symbol::cuCtxDestroy_v2,
        mode,
    ];
    assert_eq!(symbols(&calls), expected);
}

#[test]
fn an_allocation_happens_in_its_own_context() {
    let (context, device) = (primary(), Device::get(0).unwrap());
    let work = move || {
        let foreign = Context::new(device, ContextFlags::default()).unwrap();
        let entered = foreign.enter().unwrap();
        let stream = Stream::new(&context).unwrap();
        let buffer = DeviceBuf::<u8>::zeroed(&stream, 16).unwrap();
        let mut owner = std::ptr::null_mut();
        // SAFETY: the stream is live, `owner` valid for a write.
        assert!(unsafe { cuda_sys::cuStreamGetCtx(stream.as_raw(), &raw mut owner) }.is_success());
        assert_eq!(owner, context.as_raw());
        drop(buffer);
        assert!(foreign.is_current().unwrap());
        drop(entered);
    };
    let ((), calls) = record(no_fault, work);
    // Around each of them the stack had the right context on top, and the other one afterwards.
    for making in [Symbol::cuStreamCreate, Symbol::cuMemsetD8Async] {
        let at = calls.iter().position(|call| call.symbol == making).unwrap();
        let pushes = |call: &&Call| call.symbol == Symbol::cuCtxPushCurrent_v2;
        let pops = |call: &&Call| call.symbol == Symbol::cuCtxPopCurrent_v2;
        let depth = |end: usize| {
            calls[..end].iter().filter(pushes).count() - calls[..end].iter().filter(pops).count()
        };
        // Making the foreign context popped it once without a push of ours: its creation pushed it.
        assert_eq!(depth(at) + 1, 2, "{making}: {calls:?}");
    }
}

#[test]
fn failed_drop_reaches_the_hook_not_the_next_call() {
    let context = primary();
    let stream = Stream::new(&context).unwrap();
    let buffer = DeviceBuf::from_host(&stream, &[1_u8]).unwrap();
    let reports = reports(|| {
        let plan = failing(Symbol::cuMemFreeAsync, 0, Fault::Late(Code::LaunchTimeout));
        let (after, _) = record(plan, move || {
            drop(buffer);
            (stream.is_done(), context.device().name(), context.memory_info())
        });
        assert_eq!(after.0, Ok(true));
        assert!(after.1.is_ok() && after.2.is_ok());
    });
    let expected = "cuMemFreeAsync: CUDA_ERROR_LAUNCH_TIMEOUT (702: the launch timed out and was terminated)";
    assert!(reports.iter().any(|report| report == expected), "{reports:?}");
}

#[test]
fn closing_reports_to_the_caller_instead() {
    let stream = Stream::new(&primary()).unwrap();
    let plan = failing(Symbol::cuStreamDestroy_v2, 0, Fault::Late(Code::LaunchFailed));
    let (closed, calls) = record(plan, move || stream.close());
    assert_eq!(closed.unwrap_err().code(), Some(Code::LaunchFailed));
    let destroyed = calls.iter().filter(|call| call.symbol == Symbol::cuStreamDestroy_v2);
    assert_eq!(destroyed.count(), 1, "and not again when dropped");
}

#[test]
fn a_panic_in_the_hook_is_contained() {
    let stream = Stream::new(&primary()).unwrap();
    // One test replaces the hook at a time.
    let mut outcome = None;
    reports(|| {
        let ours = cuda_rt::handle::set_drop_hook(|_| panic!("a hook that panics, which a test wants"));
        let plan = failing(Symbol::cuStreamDestroy_v2, 0, Fault::Late(Code::LaunchFailed));
        let (dropped, _) =
            record(plan, move || std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(stream))));
        outcome = Some(dropped.is_ok());
        ours.restore();
    });
    assert_eq!(outcome, Some(true));
}

#[test]
fn hook_may_change_the_setting_being_changed() {
    let context = primary();
    let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    let function = Module::from_ptx(&context, ptx).unwrap().function("nothing").unwrap();
    type Again = (Function, Option<Result<(), Error>>);
    static AGAIN: std::sync::Mutex<Option<Again>> = std::sync::Mutex::new(None);
    *AGAIN.lock().unwrap() = Some((function.clone(), None));
    reports(|| {
        let ours = cuda_rt::handle::set_drop_hook(|_| {
            let mut again = AGAIN.lock().unwrap();
            let (function, outcome) = again.as_mut().unwrap();
            *outcome = Some(function.set_max_dynamic_shared_bytes(60 << 10));
        });
        // Leaving the context is what is reported.
        let fault = Fault::Refused(Code::LaunchTimeout);
        let plan = move |_, called| (called == Symbol::cuCtxPopCurrent_v2).then_some(fault);
        let (grown, _) = record(plan, move || function.set_max_dynamic_shared_bytes(50 << 10));
        assert_eq!(grown, Ok(()));
        ours.restore();
    });
    assert_eq!(AGAIN.lock().unwrap().take().unwrap().1, Some(Ok(())));
}

#[test]
fn failed_query_is_not_taken_for_unfinished_work() {
    let context = primary();
    let (stream, event) = (Stream::new(&context).unwrap(), Event::new(&context).unwrap());
    for (code, expected) in
        [(Code::NotReady, Ok(false)), (Code::IllegalAddress, Err(Some(Code::IllegalAddress)))]
    {
        let (stream, event) = (stream.clone(), Event::new(event.context()).unwrap());
        let plan = move |_: usize, symbol| {
            matches!(symbol, Symbol::cuStreamQuery | Symbol::cuEventQuery).then_some(Fault::Refused(code))
        };
        let (answers, _) = record(plan, move || [stream.is_done(), event.is_done()]);
        for answer in answers {
            assert_eq!(answer.map_err(|error| error.code()), expected);
        }
    }
}

#[test]
fn externally_reset_context_leaks_its_objects() {
    // On the second device, so that no other test is affected.
    primary();
    let device = Device::get(1).unwrap();
    let context = Context::primary(device).unwrap();
    let stream = Stream::new(&context).unwrap();
    let buffer = DeviceBuf::from_host(&stream, &[1_u8]).unwrap();
    let event = Event::new(&context).unwrap();
    // SAFETY: it is what the API allows; the objects above are not used after it, only dropped.
    assert!(unsafe { cuda_sys::cuDevicePrimaryCtxReset_v2(device.as_raw()) }.is_success());
    let again = Context::primary(device).unwrap();
    assert_eq!(again.as_raw(), context.as_raw(), "the same handle");
    assert_ne!(again, context, "another context");
    let reports = reports(|| {
        let ((), calls) = record(no_fault, move || drop((buffer, event, stream)));
        let all_asked = calls.iter().all(|call| call.symbol == Symbol::cuCtxGetId);
        assert!(all_asked && calls.len() == 6, "asked again, to be sure: {calls:?}");
    });
    let lost = |report: &&String| report.starts_with("context: other code has reset or destroyed it");
    assert_eq!(reports.iter().filter(lost).count(), 3, "{reports:?}");
}

/// Copies with host memory, pinned or not. Waits, counted from 0, fail if `fails` is true for their number.
/// Returns the outcome, and the calls that copy or wait.
fn copy(
    page_locked: bool,
    fails: impl Fn(usize) -> bool + Send + 'static,
) -> (Result<(), Error>, Vec<Symbol>) {
    copy_failing(page_locked, Code::LaunchTimeout, fails)
}

fn copy_failing(
    page_locked: bool,
    code: Code,
    fails: impl Fn(usize) -> bool + Send + 'static,
) -> (Result<(), Error>, Vec<Symbol>) {
    let stream = Stream::new(&primary()).unwrap();
    let mut buffer = DeviceBuf::<u8>::zeroed(&stream, 16).unwrap();
    let mut host = [1_u8; 16];
    let mut pinned = std::ptr::null_mut();
    if page_locked {
        let _entered = stream.context().enter().unwrap();
        // SAFETY: valid for a write; the context is current.
        assert!(unsafe { cuda_sys::cuMemHostAlloc(&raw mut pinned, 16, 0) }.is_success());
    }
    let mut waits = 0;
    let plan = move |_: usize, symbol| {
        let is_wait = symbol == WAIT;
        let fault = (is_wait && fails(waits)).then_some(Fault::Refused(code));
        waits += usize::from(is_wait);
        fault
    };
    let address = pinned.expose_provenance();
    let (copied, calls) = record(plan, move || {
        let elements = if address == 0 {
            &mut host[..]
        } else {
            // SAFETY: 16 bytes allocated above, zero at first, which no other code uses.
            unsafe { std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut(address), 16) }
        };
        elements.fill(2);
        buffer.copy_from_host(elements)
    });
    (copied, symbols(&calls).into_iter().filter(|symbol| [WAIT, COPY].contains(symbol)).collect())
}

const WAIT: Symbol = Symbol::cuStreamSynchronize;
const COPY: Symbol = Symbol::cuMemcpyHtoDAsync_v2;

#[test]
fn borrowed_host_memory_returns_after_device_work() {
    let lost = Some(Code::LaunchTimeout);
    let failed = |outcome: Result<(), Error>| outcome.unwrap_err().code();
    // Pageable memory: the driver is done with it when its function returns.
    assert_eq!(copy(false, |_| false), (Ok(()), vec![COPY, WAIT]));
    let (outcome, calls) = copy(false, |_| true);
    assert_eq!((failed(outcome), calls), (lost, vec![COPY, WAIT]));
    // Pinned memory: an earlier failure is noticed before the device uses the memory...
    assert_eq!(copy(true, |_| false), (Ok(()), vec![WAIT, COPY, WAIT]));
    let (outcome, calls) = copy(true, |wait| wait == 0);
    assert_eq!((failed(outcome), calls), (lost, vec![WAIT]));
    // ...and a failure meanwhile does not end the wait.
    let (outcome, calls) = copy(true, |wait| wait == 1);
    assert_eq!((failed(outcome), calls), (lost, vec![WAIT, COPY, WAIT, WAIT]));
    // If there is no proof that the device is done, nothing else is left.
    let child = in_child("abort");
    let said = String::from_utf8_lossy(&child.stderr);
    assert!(!child.status.success());
    assert!(said.contains("waiting for its end failed too; the device may still be using memory"), "{said}");
}

/// Runs a case in a process of its own, which is this program again.
fn in_child(case: &str) -> std::process::Output {
    let program = std::env::current_exe().unwrap();
    Command::new(program)
        .args(["--exact", "child", "--ignored", "--nocapture"])
        .env(CASE, case)
        .output()
        .unwrap()
}

const CASE: &str = "CUDA_SUITE_FAULTS";
/// The exit status of a program that does not wait for its threads.
const STATUS: i32 = 7;

/// Exits while this thread continues.
fn exit_soon() {
    std::thread::spawn(|| {
        std::thread::sleep(std::time::Duration::from_millis(300));
        std::process::exit(STATUS);
    });
}

#[test]
fn programs_exit_while_a_thread_copies() {
    // Host memory is lent.
    for case in ["exit", "exit, registered"] {
        let child = in_child(case);
        assert_eq!(child.status.code(), Some(STATUS), "{case}: {}", String::from_utf8_lossy(&child.stderr));
    }
    // No host memory is lent.
    let (outcome, _) = copy_to_another_stream_failing(Code::Deinitialized, unordered);
    assert_eq!(outcome.unwrap_err().code(), Some(Code::Deinitialized));
}

/// The case that [`in_child`] names.
#[test]
#[ignore = "runs in a child process"]
fn child() {
    match &std::env::var(CASE).unwrap()[..] {
        "abort" => drop(copy(true, |wait| wait > 0)),
        "exit" => {
            exit_soon();
            drop(copy_failing(true, Code::Deinitialized, |wait| wait > 0));
        }
        "unordered" => drop(copy_to_another_stream(unordered)),
        other => host_memory::child(other),
    }
}

/// Lets the second order of a copy fail, and all waits.
fn unordered(symbol: Symbol, nth: usize) -> bool {
    symbol == WAIT || symbol == Symbol::cuStreamWaitEvent && nth == 1
}

/// Copies between buffers of two streams, lets calls fail by name and number; the outcome and the calls.
fn copy_to_another_stream(
    fails: impl FnMut(Symbol, usize) -> bool + Send + 'static,
) -> (Result<(), Error>, Vec<Symbol>) {
    copy_to_another_stream_failing(Code::OutOfMemory, fails)
}

fn copy_to_another_stream_failing(
    code: Code,
    mut fails: impl FnMut(Symbol, usize) -> bool + Send + 'static,
) -> (Result<(), Error>, Vec<Symbol>) {
    let context = primary();
    let buffer = || DeviceBuf::<u32>::zeroed(&Stream::new(&context).unwrap(), 4).unwrap();
    let (source, mut destination) = (buffer(), buffer());
    let mut seen = BTreeMap::new();
    let plan = move |_: usize, symbol| {
        let nth = seen.entry(symbol).or_insert(0);
        *nth += 1;
        fails(symbol, *nth - 1).then_some(Fault::Refused(code))
    };
    let (copied, calls) = record(plan, move || destination.copy_from_device(source.as_slice()));
    (copied, symbols(&calls))
}

#[test]
fn a_copy_between_streams_keeps_its_source() {
    let order = [Symbol::cuEventRecord, Symbol::cuStreamWaitEvent];
    let copy = Symbol::cuMemcpyDtoDAsync_v2;
    let of_interest = |calls: Vec<Symbol>| -> Vec<Symbol> {
        let interesting = [order[0], order[1], copy, WAIT, Symbol::cuEventCreate];
        calls.into_iter().filter(|symbol| interesting.contains(symbol)).collect()
    };
    let made = Symbol::cuEventCreate;
    let normal = [made, order[0], order[1], made, copy, order[0], order[1]];
    let (outcome, calls) = copy_to_another_stream(|_, _| false);
    assert_eq!((outcome, of_interest(calls)), (Ok(()), normal.to_vec()));
    // A failure before the copy: nothing is copied.
    for (symbol, nth) in [(made, 0), (made, 1), (order[0], 0), (order[1], 0)] {
        let (outcome, calls) =
            copy_to_another_stream(move |called, number| (called, number) == (symbol, nth));
        assert_eq!(outcome.unwrap_err().code(), Some(Code::OutOfMemory));
        assert!(!calls.contains(&copy), "{symbol}");
    }
    // A failure after the copy: the thread waits instead.
    for symbol in order {
        let (outcome, calls) = copy_to_another_stream(move |called, number| (called, number) == (symbol, 1));
        assert_eq!(outcome.unwrap_err().code(), Some(Code::OutOfMemory));
        assert_eq!(of_interest(calls).last(), Some(&WAIT), "{symbol}");
    }
    // And if that fails too, the source must not be freed.
    let child = in_child("unordered");
    let said = String::from_utf8_lossy(&child.stderr);
    assert!(!child.status.success() && said.contains("ordering a copy between two streams failed"), "{said}");
}

#[test]
fn legacy_stream_memory_is_freed_in_its_context_only() {
    let context = primary();
    let (tx, rx) = std::sync::mpsc::channel();
    let reports = reports(move || {
        // The first call is the test's own. A destructor tries its calls twice.
        let mut pushes = 0;
        let plan = move |_: usize, symbol| {
            pushes += usize::from(symbol == Symbol::cuCtxPushCurrent_v2);
            let fails = symbol == Symbol::cuCtxPushCurrent_v2 && (2..=3).contains(&pushes);
            fails.then_some(Fault::Refused(Code::OutOfMemory))
        };
        let legacy = DeviceBuf::<u8>::zeroed(&Stream::legacy(&context), 64).unwrap();
        let own = DeviceBuf::<u8>::zeroed(&Stream::new(&context).unwrap(), 64).unwrap();
        let other = Context::new(context.device(), ContextFlags::default()).unwrap();
        let ((), calls) = record(plan, move || {
            let entered = other.enter().unwrap();
            drop(legacy); // its context cannot be made current
            drop(entered);
            drop(own);
        });
        tx.send(symbols(&calls)).unwrap();
    });
    let calls = rx.recv().unwrap();
    let freed = calls.iter().filter(|symbol| **symbol == Symbol::cuMemFreeAsync).count();
    assert_eq!(freed, 1, "{calls:?}");
    let expected = "cuMemFreeAsync: not called, because the check before it failed: cuCtxPushCurrent_v2: ";
    assert!(reports.iter().any(|report| report.starts_with(expected)), "{reports:?}");
}

#[test]
fn refused_allocation_has_no_fallback() {
    primary();
    let plan =
        |_: usize, symbol| (symbol == Symbol::cuMemAllocAsync).then_some(Fault::Refused(Code::NotSupported));
    let (refused, _) = record(plan, || {
        let stream = Stream::new(&Context::primary(Device::get(0)?)?)?;
        DeviceBuf::<u8>::zeroed(&stream, 8).map(drop)
    });
    assert_eq!(refused.unwrap_err().code(), Some(Code::NotSupported), "never a silent fallback");
}
