//! Host memory that the device may still be using, and memory that stays registered.

use crate::layer::{Fault, record};
use crate::{COPY, WAIT, exit_soon, in_child, primary, symbols};
use cuda_rt::error::Code;
use cuda_rt::memory::{RegisterFlags, RegisteredBuf, register_scoped};
use cuda_rt::{Device, DeviceBuf, Error, Event, PinnedBuf, Result, Stream};
use cuda_suite::reports;
use cuda_sys::Symbol;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

const EVENT_WAIT: Symbol = Symbol::cuEventSynchronize;
const UNREGISTER: Symbol = Symbol::cuMemHostUnregister;

/// Lets calls fail for which `fails` is true, by function and number, counted from 0.
fn failing(
    code: Code,
    fails: impl Fn(Symbol, usize) -> bool + Send + 'static,
) -> impl FnMut(usize, Symbol) -> Option<Fault> + Send + 'static {
    let mut seen = std::collections::BTreeMap::new();
    move |_, symbol| {
        let nth = seen.entry(symbol).or_insert(0);
        *nth += 1;
        fails(symbol, *nth - 1).then_some(Fault::Refused(code))
    }
}

fn only(calls: &[crate::layer::Call], wanted: &[Symbol]) -> Vec<Symbol> {
    symbols(calls).into_iter().filter(|symbol| wanted.contains(symbol)).collect()
}

/// Makes two copies in a scope. Waits fail if `fails` is true for their number.
fn scope(page_locked: bool, fails: impl Fn(usize) -> bool + Send + 'static) -> (Result<()>, Vec<Symbol>) {
    let plan = failing(Code::LaunchTimeout, move |symbol, nth| symbol == WAIT && fails(nth));
    let stream = Stream::new(&primary()).unwrap();
    let mut device = DeviceBuf::<u8>::zeroed(&stream, 16).unwrap();
    let locked = PinnedBuf::from_slice(&primary(), &[1_u8; 16]).unwrap();
    let (copied, calls) = record(plan, move || {
        let (locked, pageable) = (&locked[..], &[1_u8; 16][..]);
        let source = if page_locked { locked } else { pageable };
        stream.scope(|scope| {
            scope.copy_from_host(device.as_slice_mut(), source)?;
            scope.copy_from_host(device.as_slice_mut(), source)
        })
    });
    (copied, only(&calls, &[WAIT, COPY]))
}

#[test]
fn a_scope_ends_only_when_the_device_is_done() {
    let failed = |outcome: Result<()>| outcome.unwrap_err().code();
    let lost = Some(Code::LaunchTimeout);
    assert_eq!(scope(false, |_| false), (Ok(()), vec![COPY, COPY, WAIT]));
    let (outcome, calls) = scope(false, |_| true);
    assert_eq!((failed(outcome), calls), (lost, vec![COPY, COPY, WAIT]));
    // Pinned memory: earlier failures are noticed first.
    assert_eq!(scope(true, |_| false), (Ok(()), vec![WAIT, COPY, COPY, WAIT]));
    let (outcome, calls) = scope(true, |wait| wait == 0);
    assert_eq!((failed(outcome), calls), (lost, vec![WAIT]));
    let (outcome, calls) = scope(true, |wait| wait == 1);
    assert_eq!((failed(outcome), calls), (lost, vec![WAIT, COPY, COPY, WAIT, WAIT]));
    let child = in_child("scope");
    let said = String::from_utf8_lossy(&child.stderr);
    assert!(!child.status.success() && said.contains("a copy with page-locked host memory failed"), "{said}");
}

#[test]
fn scope_that_fails_twice_reports_the_second_failure() {
    for panics in [false, true] {
        let stream = Stream::new(&primary()).unwrap();
        let mut device = DeviceBuf::<u8>::zeroed(&stream, 16).unwrap();
        let plan = failing(Code::LaunchTimeout, |symbol, nth| symbol == WAIT && nth == 0);
        let told = reports(|| {
            record(plan, move || {
                let work = |scope: &cuda_rt::memory::Scope<'_>| {
                    scope.copy_from_host(device.as_slice_mut(), &[1; 16])?;
                    assert!(!panics);
                    Device::get(99).map(drop)
                };
                match catch_unwind(AssertUnwindSafe(|| stream.scope(work))) {
                    Ok(outcome) => assert_eq!(outcome.unwrap_err().call(), Some("cuDeviceGet")),
                    Err(_) => assert!(panics),
                }
            });
        });
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("cuStreamSynchronize: CUDA_ERROR_LAUNCH_TIMEOUT"), "{told:?}");
    }
}

#[test]
fn scope_does_not_wait_for_a_refused_copy() {
    let stream = Stream::new(&primary()).unwrap();
    let mut device = DeviceBuf::<u8>::zeroed(&stream, 16).unwrap();
    let registered = RegisteredBuf::new(&primary(), vec![1_u8; 16], RegisterFlags::empty()).unwrap();
    let plan = failing(Code::LaunchTimeout, |symbol, _| symbol == WAIT);
    let (copied, calls) = record(plan, move || {
        stream.scope(|scope| scope.copy_from_host(device.as_slice_mut(), &registered[..]))
    });
    assert_eq!(copied.unwrap_err().code(), Some(Code::LaunchTimeout));
    // The earlier failure is noticed before the copy.
    assert_eq!(only(&calls, &[WAIT, COPY]), [WAIT]);
}

/// A copy that takes its memory along, with failures; what came of it and of the memory.
fn handed_over(
    fails: impl Fn(Symbol, usize) -> bool + Send + 'static,
) -> (Result<(), (Error, bool)>, Vec<Symbol>) {
    let plan = failing(Code::LaunchTimeout, fails);
    let stream = Stream::new(&primary()).unwrap();
    let mut device = DeviceBuf::<u8>::zeroed(&stream, 16).unwrap();
    let locked = PinnedBuf::from_slice(&primary(), &[1_u8; 16]).unwrap();
    let (outcome, calls) = record(plan, move || {
        let pending = match device.copy_from_pinned(locked) {
            Ok(pending) => pending,
            Err(failure) => {
                let (error, buffer) = failure.into_parts();
                return Err((error, buffer.is_some()));
            }
        };
        pending.wait().map(drop).map_err(|failure| {
            let (error, buffer) = failure.into_parts();
            (error, buffer.is_some())
        })
    });
    (outcome, only(&calls, &[WAIT, EVENT_WAIT, COPY, Symbol::cuEventRecord, Symbol::cuMemFreeHost]))
}

#[test]
fn memory_comes_back_from_a_copy_that_is_over() {
    let (record, free) = (Symbol::cuEventRecord, Symbol::cuMemFreeHost);
    let lost = |back| Err((cuda_rt::error::Code::LaunchTimeout, back));
    let run = |fails: fn(Symbol, usize) -> bool| {
        let (outcome, calls) = handed_over(fails);
        (outcome.map_err(|(error, back)| (error.code().unwrap(), back)), calls)
    };
    assert_eq!(run(|_, _| false), (Ok(()), vec![COPY, record, EVENT_WAIT, free]));
    // The copy may have been queued, whatever the call returns.
    assert_eq!(run(|symbol, _| symbol == COPY), (lost(true), vec![COPY, WAIT, free]));
    assert_eq!(
        run(|symbol, _| symbol == Symbol::cuEventRecord),
        (lost(true), vec![COPY, record, WAIT, free])
    );
    let twice = |symbol, nth| symbol == COPY || symbol == WAIT && nth == 0;
    assert_eq!(run(twice), (lost(true), vec![COPY, WAIT, WAIT, free]));
    // Without proof, it is never freed.
    assert_eq!(run(|symbol, _| [COPY, WAIT].contains(&symbol)), (lost(false), vec![COPY, WAIT, WAIT]));
    let once = |symbol, _| symbol == EVENT_WAIT;
    assert_eq!(run(once), (lost(true), vec![COPY, record, EVENT_WAIT, WAIT, free]));
    let both = |symbol, _| [EVENT_WAIT, WAIT].contains(&symbol);
    assert_eq!(run(both), (lost(false), vec![COPY, record, EVENT_WAIT, WAIT]));
}

#[test]
fn a_dropped_copy_keeps_its_memory_if_it_may_go_on() {
    let (tx, rx) = std::sync::mpsc::channel();
    let told = reports(move || {
        let plan = failing(Code::LaunchTimeout, |symbol, _| [EVENT_WAIT, WAIT].contains(&symbol));
        let stream = Stream::new(&primary()).unwrap();
        let device = DeviceBuf::<u8>::zeroed(&stream, 16).unwrap();
        let locked = PinnedBuf::<u8>::zeroed(&primary(), 16).unwrap();
        let pending = device.copy_to_pinned(locked).unwrap();
        let ((), calls) = record(plan, move || drop(pending));
        tx.send(only(&calls, &[WAIT, EVENT_WAIT, Symbol::cuMemFreeHost])).unwrap();
    });
    assert_eq!(rx.recv().unwrap(), [EVENT_WAIT, WAIT]);
    assert!(told.iter().any(|told| told.starts_with("cuEventSynchronize: ")), "{told:?}");
}

#[test]
fn memory_that_stays_registered_is_never_freed() {
    let counted = Arc::new(());
    let registered = |counted: &Arc<()>| {
        RegisteredBuf::new(&primary(), vec![counted.clone(); 10], RegisterFlags::empty()).unwrap()
    };
    let plan = |fails: fn(usize) -> bool| {
        failing(Code::OutOfMemory, move |symbol, nth| symbol == UNREGISTER && fails(nth))
    };
    // One failure: the call is tried again.
    let first = registered(&counted);
    let (memory, calls) = record(plan(|nth| nth == 0), move || first.unregister());
    assert_eq!((memory.unwrap().len(), only(&calls, &[UNREGISTER])), (10, vec![UNREGISTER; 2]));
    assert_eq!(Arc::strong_count(&counted), 1);
    // Two failures: it is not.
    let second = registered(&counted);
    let (failure, calls) = record(plan(|_| true), move || second.unregister());
    let (error, memory) = failure.unwrap_err().into_parts();
    assert_eq!((error.code(), memory.is_none()), (Some(Code::OutOfMemory), true));
    assert_eq!(only(&calls, &[UNREGISTER]), [UNREGISTER; 2]);
    assert_eq!(Arc::strong_count(&counted), 11);
    let third = registered(&counted);
    let told = reports(move || record(plan(|_| true), move || drop(third)).0);
    assert!(told.iter().any(|told| told.starts_with("cuMemHostUnregister: ")), "{told:?}");
    assert_eq!(Arc::strong_count(&counted), 21);
}

/// Borrowed memory, and how unregistering it fails each time.
fn borrowed(code: Code) -> Result<usize> {
    borrowed_with([code; 2])
}

/// Borrowed memory, and how unregistering it fails at first, and then.
fn borrowed_with(codes: [Code; 2]) -> Result<usize> {
    let mut left = codes.into_iter();
    let plan = move |_: usize, symbol| {
        if symbol == UNREGISTER { left.next().map(Fault::Refused) } else { None }
    };
    let work = || {
        // Never freed, because it stays registered.
        let memory = vec![1_u8; 5000].leak();
        register_scoped(&primary(), memory, RegisterFlags::empty(), |registered| registered.len())
    };
    record(plan, work).0
}

#[test]
fn borrowed_memory_does_not_stay_registered() {
    // The driver copies nothing any more.
    assert_eq!(borrowed(Code::IllegalAddress).unwrap_err().code(), Some(Code::IllegalAddress));
    assert_eq!(
        borrowed_with([Code::Deinitialized, Code::NotInitialized]).unwrap_err().code(),
        Some(Code::NotInitialized)
    );
    assert_eq!(
        borrowed(Code::HostMemoryNotRegistered).unwrap_err().code(),
        Some(Code::HostMemoryNotRegistered)
    );
    let child = in_child("registered");
    let said = String::from_utf8_lossy(&child.stderr);
    assert!(
        !child.status.success() && said.contains("unregistering borrowed host memory failed twice"),
        "{said}"
    );
}

/// An event cannot be made before a copy: then there is none.
#[test]
fn failed_event_before_a_copy_prevents_the_copy() {
    let stream = Stream::new(&primary()).unwrap();
    drop(Event::new(&primary()).unwrap());
    let mut device = DeviceBuf::<u8>::zeroed(&stream, 16).unwrap();
    let locked = PinnedBuf::from_slice(&primary(), &[1_u8; 16]).unwrap();
    let plan = failing(Code::OutOfMemory, |symbol, _| symbol == Symbol::cuEventCreate);
    let (failure, calls) = record(plan, move || device.copy_from_pinned(locked));
    assert_eq!(failure.unwrap_err().into_buffer().unwrap()[..], [1; 16]);
    assert_eq!(only(&calls, &[COPY, WAIT]), []);
}

/// In a process of its own, which it ends.
pub(crate) fn child(case: &str) {
    match case {
        "scope" => drop(scope(true, |wait| wait > 0)),
        "registered" => drop(borrowed(Code::OutOfMemory)),
        "exit, registered" => {
            exit_soon();
            drop(borrowed(Code::Deinitialized));
        }
        other => panic!("{other}"),
    }
}
