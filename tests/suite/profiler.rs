//! Starting and stopping a profiler: without one the calls only return codes.

use cuda_rt::Context;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::profiler::{self, OutputMode, ProfilerGuard};
use cuda_suite::context;

#[test]
fn starts_and_stops_work_in_any_order() {
    let context = context();
    for _ in 0..2 {
        profiler::start(&context).unwrap();
    }
    for _ in 0..3 {
        profiler::stop(&context).unwrap();
    }
}

#[test]
fn a_guard_needs_no_current_context() {
    let context = context();
    let outer = ProfilerGuard::new(&context).unwrap();
    let inner = std::thread::spawn(move || ProfilerGuard::new(&context).unwrap()).join().unwrap();
    outer.close().unwrap();
    drop(inner);
    assert_eq!(Context::current_raw().unwrap(), None);
}

#[test]
#[allow(deprecated)]
fn the_profiler_of_old_drivers_is_gone() {
    let context = context();
    for mode in [OutputMode::KeyValuePair, OutputMode::Csv] {
        let error = profiler::initialize(&context, "config", "output", mode).unwrap_err();
        assert_eq!(error.code(), Some(Code::NotSupported), "{error}");
        assert_eq!(error.call().unwrap(), "cuProfilerInitialize");
    }
    let error = profiler::initialize(&context, "a\0b", "output", OutputMode::Csv).unwrap_err();
    assert!(error.kind() == ErrorKind::InvalidArgument, "{error}");
}
