//! The hooks: closures, and what happens inside them.

use crate::layer::{Fault, record};
use crate::{failing, primary};
use cuda_rt::error::Code;
use cuda_rt::handle::Hook;
use cuda_rt::handle::set_drop_hook;
use cuda_rt::memory::set_out_of_memory_hook;
use cuda_rt::{Context, DeviceBuf, Error, Stream};
use cuda_suite::reports;
use cuda_sys::Symbol;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Drops a stream whose destruction fails, on another thread. Returns whether the drop panicked.
fn fail(context: &Context) -> bool {
    let stream = Stream::new(context).unwrap();
    let plan = failing(Symbol::cuStreamDestroy_v2, 0, Fault::Late(Code::LaunchFailed));
    record(plan, move || catch_unwind(AssertUnwindSafe(|| drop(stream))).is_err()).0
}

#[test]
fn a_hook_has_captures_and_is_restored() {
    let context = primary();
    let told = reports(|| {
        let count = Arc::new(AtomicUsize::new(0));
        let before = set_drop_hook({
            let count = Arc::clone(&count);
            move |error| {
                assert_eq!(error.code(), Some(Code::LaunchFailed));
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
        assert!(!fail(&context) && !fail(&context));
        assert_eq!((count.load(Ordering::Relaxed), Arc::strong_count(&count)), (2, 2));
        before.restore();
        assert_eq!(Arc::strong_count(&count), 1, "the hook and its captures are gone");
        assert!(!fail(&context));
        assert_eq!(count.load(Ordering::Relaxed), 2);
    });
    assert_eq!(told.len(), 1, "by the hook that was restored: {told:?}");
}

#[test]
fn a_hook_passes_on_to_the_one_before() {
    let context = primary();
    let told = reports(|| {
        type DropHook = Hook<dyn Fn(&Error) + Send + Sync>;
        static BEFORE: Mutex<Option<DropHook>> = Mutex::new(None);
        let before = set_drop_hook(|error| {
            if let Some(before) = &*BEFORE.lock().unwrap() {
                before.function()(error);
            }
        });
        *BEFORE.lock().unwrap() = Some(before);
        assert!(!fail(&context));
        let before = BEFORE.lock().unwrap().take().unwrap();
        before.restore();
    });
    assert_eq!(told.len(), 1, "{told:?}");
}

/// Panics when it is dropped.
struct Panics;

impl Drop for Panics {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic!("a destructor that panics, which a test wants");
        }
    }
}

#[test]
fn a_hook_that_replaces_itself_is_contained() {
    let context = primary();
    let told = reports(|| {
        let panics = Panics;
        let before = set_drop_hook(move |_| {
            let _ = &panics;
            // This hook, and the value that it has captured, is dropped when it has returned.
            drop(set_drop_hook(|_| {}));
            panic!("a hook that panics, which a test wants");
        });
        assert!(!fail(&context), "neither panic comes out of the drop");
        assert!(!fail(&context));
        before.restore();
    });
    assert_eq!(told, [""; 0]);
}

#[test]
fn a_failure_inside_a_hook_does_not_call_it() {
    let context = primary();
    reports(|| {
        let calls = Arc::new(AtomicUsize::new(0));
        let streams =
            Arc::new(Mutex::new(vec![Stream::new(&context).unwrap(), Stream::new(&context).unwrap()]));
        let before = set_drop_hook({
            let (calls, streams) = (Arc::clone(&calls), Arc::clone(&streams));
            move |_| {
                calls.fetch_add(1, Ordering::Relaxed);
                // Held while what fails as well is dropped. The hook would wait for itself.
                let mut streams = streams.lock().unwrap();
                streams.clear();
            }
        });
        let stream = Stream::new(&context).unwrap();
        let plan =
            |_, called| (called == Symbol::cuStreamDestroy_v2).then_some(Fault::Late(Code::LaunchTimeout));
        record(plan, move || drop(stream));
        assert_eq!(calls.load(Ordering::Relaxed), 1);
        assert!(streams.lock().unwrap().is_empty());
        before.restore();
    });
}

#[test]
fn the_memory_hook_is_restored() {
    let stream = Stream::new(&primary()).unwrap();
    let asked = Arc::new(AtomicUsize::new(0));
    let refused = |stream: &Stream| {
        let stream = stream.clone();
        let plan = failing(Symbol::cuMemAllocAsync, 0, Fault::Refused(Code::OutOfMemory));
        record(plan, move || DeviceBuf::<u8>::uninit(&stream, 10).is_ok()).0
    };
    assert!(!refused(&stream));
    let before = set_out_of_memory_hook({
        let asked = Arc::clone(&asked);
        move |short| {
            asked.fetch_add(1, Ordering::Relaxed);
            short.bytes() == 10
        }
    });
    assert!(refused(&stream), "the second attempt is made");
    before.restore();
    assert!(!refused(&stream));
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}
