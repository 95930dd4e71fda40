//! Memory that cannot be released in the usual way.

use crate::layer::{Call, Fault, record};
use crate::{primary, symbols};
use cuda_rt::array::Array;
use cuda_rt::error::Code;
use cuda_rt::memory::{CachingPool, MemoryRelease, MemorySource};
use cuda_rt::{DeviceBuf, Stream};
use cuda_suite::reports;
use cuda_sys::Symbol;
use std::sync::Arc;

const FREE: Symbol = Symbol::cuMemFree_v2;
const WAIT: Symbol = Symbol::cuStreamSynchronize;
const RECORD: Symbol = Symbol::cuEventRecord;

fn count(calls: &[Call], wanted: Symbol) -> usize {
    symbols(calls).into_iter().filter(|symbol| *symbol == wanted).count()
}

/// As the driver answers for the legacy stream while a blocking stream captures a graph.
fn capturing(_: usize, symbol: Symbol) -> Option<Fault> {
    (symbol == Symbol::cuStreamIsCapturing).then_some(Fault::Refused(Code::StreamCaptureImplicit))
}

/// Drops a buffer that another object owns, whose drop is counted by `owner`'s handles: what was reported, and the calls.
fn drop_of_others(
    home: &Stream,
    owner: Arc<()>,
    plan: impl FnMut(usize, Symbol) -> Option<Fault> + Send + 'static,
) -> (Vec<String>, Vec<Call>) {
    let memory = DeviceBuf::from_host(home, &[1_u8, 2]).unwrap();
    let ptr = memory.ptr();
    let release = MemoryRelease::Owner(Box::new((memory, owner)));
    // SAFETY: the owner keeps the memory, and does not use it.
    let buffer = unsafe { DeviceBuf::from_raw(ptr, 2, home, release) };
    let mut calls = Vec::new();
    let reports = reports(|| calls = record(plan, move || drop(buffer)).1);
    (reports, calls)
}

#[test]
fn an_owner_is_kept_if_its_memory_may_be_in_use() {
    let stream = Stream::new(&primary()).unwrap();
    let lost = |report: &&String| report.starts_with("cuStreamSynchronize: CUDA_ERROR_LAUNCH_TIMEOUT");
    let mine = |reports: &[String]| reports.iter().filter(lost).count();

    let owner = Arc::new(());
    let (reports, calls) = drop_of_others(&stream, owner.clone(), |_, _| None);
    assert_eq!((mine(&reports), Arc::strong_count(&owner)), (0, 1));
    assert_eq!(count(&calls, WAIT), 1);

    // Waiting fails once: the failure is reported, and the wait is tried again.
    let mut waits = 0;
    let once = move |_: usize, symbol: Symbol| {
        waits += usize::from(symbol == WAIT);
        (symbol == WAIT && waits == 1).then_some(Fault::Refused(Code::LaunchTimeout))
    };
    let (reports, calls) = drop_of_others(&stream, owner.clone(), once);
    assert_eq!((mine(&reports), Arc::strong_count(&owner)), (1, 1));
    assert_eq!(count(&calls, WAIT), 2);

    // Waiting fails, too. It is not known whether the device uses the memory, so it is kept.
    let always = |_: usize, symbol: Symbol| (symbol == WAIT).then_some(Fault::Refused(Code::LaunchTimeout));
    let (reports, calls) = drop_of_others(&stream, owner.clone(), always);
    assert_eq!((mine(&reports), Arc::strong_count(&owner)), (2, 2));
    assert_eq!((count(&calls, WAIT), count(&calls, Symbol::cuMemFreeAsync)), (2, 0));

    // Waiting would end the capture.
    let owner = Arc::new(());
    let (reports, calls) = drop_of_others(&Stream::legacy(&primary()), owner.clone(), capturing);
    assert!(reports.iter().any(|report| report.contains(" is being captured, ")), "{reports:?}");
    assert_eq!((Arc::strong_count(&owner), count(&calls, WAIT)), (2, 0));
}

/// Drops a buffer of a caching pool; the calls, what was reported, and how many blocks the pool holds.
fn drop_of_a_pool(
    home: &Stream,
    plan: impl FnMut(usize, Symbol) -> Option<Fault> + Send + 'static,
) -> (Vec<Symbol>, Vec<String>, [usize; 2]) {
    let pool = CachingPool::new(home.context());
    let buffer = DeviceBuf::from_host_in(home, &[1_u8, 2], &pool).unwrap();
    let mut calls = Vec::new();
    let reports = reports(|| calls = record(plan, move || drop(buffer)).1);
    let usage = pool.usage();
    (symbols(&calls), reports, [usage.held_blocks, usage.active_blocks])
}

#[test]
fn block_without_known_free_time_is_not_cached() {
    let (own, legacy) = (Stream::new(&primary()).unwrap(), Stream::legacy(&primary()));
    let is_mine = |report: &String| report.starts_with("cuEventRecord: CUDA_ERROR_LAUNCH_TIMEOUT");
    for stream in [&own, &legacy] {
        let (calls, _, blocks) = drop_of_a_pool(stream, |_, _| None);
        assert!(calls.contains(&RECORD) && !calls.contains(&FREE), "{calls:?}");
        assert_eq!(blocks, [1, 0]);

        let fails =
            |_: usize, symbol: Symbol| (symbol == RECORD).then_some(Fault::Refused(Code::LaunchTimeout));
        let (calls, reports, blocks) = drop_of_a_pool(stream, fails);
        assert!(calls.contains(&FREE) && reports.iter().any(is_mine), "{calls:?}, {reports:?}");
        assert_eq!(blocks, [0, 0]);
    }
    // A mark would be in the graph; freeing waits by itself.
    let (calls, _, blocks) = drop_of_a_pool(&legacy, capturing);
    assert!(calls.contains(&FREE) && !calls.contains(&RECORD), "{calls:?}");
    assert_eq!(blocks, [0, 0]);
}

#[test]
fn block_stays_cached_if_a_stream_cannot_wait_for_it() {
    let (first, second) = (Stream::new(&primary()).unwrap(), Stream::new(&primary()).unwrap());
    let pool = CachingPool::new(&primary());
    drop(DeviceBuf::from_host_in(&first, &[1_u8, 2], &pool).unwrap());
    let fails = |_: usize, symbol: Symbol| {
        (symbol == Symbol::cuStreamWaitEvent).then_some(Fault::Refused(Code::LaunchTimeout))
    };
    let (asked, on) = (pool.clone(), second.clone());
    let (made, _) = record(fails, move || DeviceBuf::<u8>::zeroed_in(&on, 2, &asked).map(drop));
    assert_eq!(made.unwrap_err().code(), Some(Code::LaunchTimeout));
    let usage = pool.usage();
    assert_eq!((usage.held_blocks, usage.active_blocks, usage.active_bytes), (1, 0, 0));
    let (asked, on) = (pool.clone(), second);
    let (made, calls) = record(|_, _| None, move || DeviceBuf::<u8>::zeroed_in(&on, 2, &asked).map(drop));
    made.unwrap();
    assert!(!symbols(&calls).contains(&Symbol::cuMemAlloc_v2), "it is used again");
}

#[test]
fn a_home_is_changed_only_if_the_order_is_kept() {
    for refused in [Symbol::cuEventCreate, RECORD, Symbol::cuStreamWaitEvent] {
        let (first, second) = (Stream::new(&primary()).unwrap(), Stream::new(&primary()).unwrap());
        let mut buffer = DeviceBuf::from_host_in(&first, &[1_u8, 2], MemorySource::Plain).unwrap();
        let to = second.clone();
        let fails = move |_: usize, symbol: Symbol| {
            (symbol == refused).then_some(Fault::Refused(Code::LaunchTimeout))
        };
        let ((moved, buffer), _) = record(fails, move || (buffer.move_to(&to), buffer));
        assert_eq!(moved.unwrap_err().code(), Some(Code::LaunchTimeout));
        assert_eq!(buffer.stream(), &first);
        assert_eq!(buffer.to_vec().unwrap(), [1, 2]);
    }
}

#[test]
fn owner_of_an_unknown_array_is_released_after_work() {
    let stream = Stream::new(&primary()).unwrap();
    let array = Array::from_line(&stream, &[1_u8, 2, 3]).unwrap();
    let owner = Arc::new(());
    let boxed = Box::new((array.clone(), owner.clone()));
    let unknown = |_: usize, symbol: Symbol| {
        (symbol == Symbol::cuArray3DGetDescriptor_v2).then_some(Fault::Refused(Code::LaunchTimeout))
    };
    let (failed, calls) = record(unknown, move || {
        let raw = array.as_raw();
        drop(array);
        // SAFETY: a live array of this stream, which its owner keeps.
        unsafe { Array::from_raw_with_owner(raw, &stream, boxed) }
    });
    assert_eq!(failed.unwrap_err().code(), Some(Code::LaunchTimeout));
    let calls = symbols(&calls);
    let at = |wanted: Symbol| calls.iter().position(|symbol| *symbol == wanted).unwrap();
    assert!(at(WAIT) < at(Symbol::cuArrayDestroy), "{calls:?}");
    assert_eq!(Arc::strong_count(&owner), 1);
}
