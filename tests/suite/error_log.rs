//! The driver's log of refusals.

use crate::is_since;
use cuda_rt::context::{ContextFlags, ContextGuard};
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::error_log::{LogLevel, LogPosition, on_message, read_all, write_all};
use cuda_rt::graph::{AddNodes, EdgeData, Graph};
use cuda_rt::{Context, Device, DeviceBuf, Result, Stream};
use cuda_suite::{call, context, device, second_device, skip};
use cuda_sys::{CUcontext, cuCtxGetCurrent};
use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

macro_rules! since_12_9 {
    () => {
        if !is_since(12, 9) {
            skip!("the log came with 12.9");
        }
        device();
    };
}

/// A message that each driver logs for the call below, and for no other call.
fn refuse(number: u32) -> String {
    let folder = format!("no/such/folder/of/this/test/{number}");
    let refused = write_all(&folder).unwrap_err();
    assert_eq!((refused.call(), refused.code()), (Some("cuLogsDumpToFile"), Some(Code::InvalidValue)));
    assert!(refused.to_string().ends_with(&format!("file `{folder}`")), "{refused}");
    format!("Unable to open file at {folder} for dumping logs")
}

const REFUSAL: &str = "Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuLogsDumpToFile";

#[test]
fn old_drivers_have_no_log() {
    if is_since(12, 9) {
        skip!("the driver has a log");
    }
    device();
    fn missing<T>(outcome: Result<T>, call: &str) {
        let error = outcome.map(drop).unwrap_err();
        assert_eq!((error.kind(), error.call()), (ErrorKind::FunctionMissing, Some(call)));
        assert!(error.to_string().contains("12.9"), "{error}");
    }
    missing(on_message(|_, _| ()), "cuLogsRegisterCallback");
    missing(LogPosition::current(), "cuLogsCurrent");
    missing(read_all(), "cuLogsDumpToMemory");
    missing(write_all("a file"), "cuLogsDumpToFile");
}

#[test]
fn functions_hear_failures_of_their_thread_first() {
    since_12_9!();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let to = Arc::clone(&heard);
    let own = std::thread::current().id();
    let guard = on_message(move |level, text| {
        if std::thread::current().id() == own {
            let inside = Device::count().unwrap_err().kind();
            to.lock().unwrap().push((level, text.to_owned(), inside));
        }
    });
    let guard = guard.unwrap();
    assert!(!guard.as_raw().is_null());
    let reason = refuse(1);
    // In the call that fails, before it returns.
    let told = |text: &str| (LogLevel::Error, text.to_owned(), ErrorKind::InsideHostFunction);
    assert_eq!(*heard.lock().unwrap(), [told(&reason), told(REFUSAL)]);
    guard.close().unwrap();
    refuse(2);
    assert_eq!(heard.lock().unwrap().len(), 2);
}

#[test]
fn a_guard_keeps_its_function() {
    since_12_9!();
    let kept = Arc::new(());
    let inner = Arc::clone(&kept);
    let (first, second) =
        (on_message(move |_, _| drop(Arc::clone(&inner))).unwrap(), on_message(|_, _| ()).unwrap());
    assert_ne!(first.as_raw(), second.as_raw());
    assert_eq!(Arc::strong_count(&kept), 2);
    drop(first);
    assert_eq!(Arc::strong_count(&kept), 1);
    second.close().unwrap();
}

#[test]
fn reads_go_on_where_they_ended() {
    since_12_9!();
    crate::alone("error_log::reads_go_on_where_they_ended", || {
        device();
        let mut position = LogPosition::current().unwrap();
        assert_eq!(position.read().unwrap(), "");
        let (first, second) = (refuse(1), refuse(2));
        let mut again = position.clone();
        assert_eq!(LogPosition::from_raw(position.as_raw()), position);
        let text = position.read().unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4, "{text}");
        for (line, end) in lines.iter().zip([&*first, REFUSAL, &second, REFUSAL]) {
            assert!(line.starts_with('[') && line.ends_with(&format!("][CUDA][E] {end}")), "{line}");
        }
        assert_eq!(position, LogPosition::current().unwrap());
        assert_eq!(position.read().unwrap(), "");
        assert_eq!(again.read().unwrap(), text);
        assert!(read_all().unwrap().ends_with(&text));
        assert_eq!(read_all().unwrap(), read_all().unwrap());
    });
}

#[test]
fn the_oldest_messages_are_lost() {
    since_12_9!();
    crate::alone("error_log::the_oldest_messages_are_lost", || {
        device();
        let mut position = LogPosition::current().unwrap();
        let texts: Vec<String> = (0..60).map(refuse).collect();
        let text = position.read().unwrap();
        assert!(text.starts_with("Log buffer has rolled over since the previous dump."), "{text}");
        // 100 messages, and the remark.
        assert_eq!(text.lines().count(), 101);
        assert!(!text.contains(&*texts[9]) && text.contains(&*texts[10]), "{text}");
        let mut beyond = LogPosition::from_raw(position.as_raw() + 1000);
        assert_eq!(beyond.read().unwrap_err().code(), Some(Code::InvalidValue));
    });
}

#[test]
fn files_have_what_reads_return() {
    since_12_9!();
    crate::alone("error_log::files_have_what_reads_return", || {
        device();
        let file: PathBuf = std::env::temp_dir().join(format!("error_log_{}", std::process::id()));
        let start = LogPosition::current().unwrap();
        refuse(1);
        let (mut position, mut read) = (start.clone(), start);
        for more in [2, 3] {
            position.write(&file).unwrap();
            assert_eq!(std::fs::read_to_string(&file).unwrap(), read.read().unwrap());
            assert_eq!(position, read);
            refuse(more);
        }
        write_all(&file).unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), read_all().unwrap());
        std::fs::remove_file(&file).unwrap();
    });
    let inner_nul = write_all("a\0b").unwrap_err();
    assert_eq!(inner_nul.kind(), ErrorKind::InvalidArgument);
}

#[test]
fn guard_dropped_by_a_function_leaves_with_the_next() {
    since_12_9!();
    thread_local! {
        static GUARD: RefCell<Option<ContextGuard<'static>>> = const { RefCell::new(None) };
    }
    let new = || Context::new(device(), ContextFlags::default()).unwrap();
    let (inner, outer): (&'static Context, Context) = (Box::leak(Box::new(new())), new());
    let reports = cuda_suite::reports(|| {
        let around = outer.enter().unwrap();
        GUARD.set(Some(inner.enter().unwrap()));
        let heard = on_message(|_, _| drop(GUARD.take())).unwrap();
        refuse(3);
        drop(heard);
        assert!(GUARD.take().is_none());
        drop(outer.enter().unwrap());
        assert_eq!(current(), outer.as_raw());
        drop(around);
        assert!(current().is_null());
    });
    assert!(reports.is_empty(), "{reports:?}");
}

#[test]
fn log_function_uses_the_graph_of_the_failed_call() {
    since_12_9!();
    crate::alone("error_log::log_function_uses_the_graph_of_the_failed_call", || {
        let context = context();
        let stream = Stream::new(&context).unwrap();
        let mut numbers = DeviceBuf::<u32>::zeroed(&stream, 4).unwrap();
        let mut graph = Graph::new(&context).unwrap();
        let first = graph.fill(&[], &mut numbers, 1).unwrap();
        let second = graph.fill(&[first.any()], &mut numbers, 2).unwrap();
        let executable = Mutex::new(Some(graph.instantiate(Default::default()).unwrap()));
        let heard = Arc::new(Mutex::new(Vec::new()));
        let to = Arc::clone(&heard);
        let guard = on_message(move |_, _| {
            // Its graph is locked by the call that fails.
            let executable = executable.lock().unwrap().take();
            let outcome = executable.map(|mut executable| executable.is_enabled(first));
            to.lock().unwrap().extend(outcome);
        })
        .unwrap();
        // The edge is there.
        let error = graph.add_edge(first.any(), second.any(), EdgeData::new()).unwrap_err();
        assert_eq!(error.code(), Some(Code::InvalidValue));
        guard.close().unwrap();
        let heard: Vec<_> =
            heard.lock().unwrap().drain(..).map(|outcome| outcome.unwrap_err().kind()).collect();
        assert_eq!(heard, [ErrorKind::InsideHostFunction]);
        assert_eq!(graph.node_count().unwrap(), 2);
    });
}

#[test]
fn log_function_asks_for_access_of_the_failed_call() {
    since_12_9!();
    let Some(second) = second_device().filter(|second| device().can_access_peer(*second).unwrap()) else {
        skip!("there are no two devices that reach each other");
    };
    crate::alone("error_log::log_function_asks_for_access_of_the_failed_call", || {
        let [own, peer] = [device(), second].map(|of| Context::new(of, ContextFlags::default()).unwrap());
        let access = Mutex::new(Some(own.peer_access(&peer).unwrap()));
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (to, contexts) = (Arc::clone(&heard), (own.clone(), peer.clone()));
        let guard = on_message(move |_, _| {
            // The record of access is locked by the call that fails.
            let Some(access) = access.lock().unwrap().take() else { return };
            let state = contexts.0.peer_access_state(&contexts.1);
            to.lock().unwrap().push((state.recorded(), state.is_enabled().map_err(|error| error.kind())));
            drop(access);
        })
        .unwrap();
        // The question enables what is enabled, and fails in the driver.
        assert!(own.peer_access_state(&peer).is_enabled().unwrap());
        guard.close().unwrap();
        assert_eq!(*heard.lock().unwrap(), [(None, Err(ErrorKind::InsideHostFunction))]);
    });
}

fn current() -> CUcontext {
    let mut current = std::ptr::null_mut();
    call!(cuCtxGetCurrent(&raw mut current));
    current
}
