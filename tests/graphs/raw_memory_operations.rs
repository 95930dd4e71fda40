//! Streams that wait for words of memory.

use cuda_sim::{Config, Schedule};
use cuda_suite::raw::{allocate, context, machine, page_locked, stream};
use cuda_suite::{Choice, call, code, driver, skip};
use cuda_sys::{
    CUresult, cuCtxSynchronize, cuMemsetD32_v2, cuMemsetD32Async, cuStreamQuery, cuStreamSynchronize,
    cuStreamWaitValue32_v2, cuStreamWriteValue32_v2,
};
use std::sync::atomic::Ordering;

/// All kinds of schedules of the software driver.
fn schedules() -> impl Iterator<Item = Schedule> {
    [Schedule::Eager, Schedule::Lazy].into_iter().chain((0..20).map(Schedule::Random))
}

#[test]
fn wait_for_another_stream_ends_on_every_schedule() {
    if driver() == Choice::Real {
        skip!("schedules are of the software driver");
    }
    if !crate::raw_setup::is_since(11, 7) {
        skip!("the functions are newer than the driver");
    }
    for schedule in schedules() {
        let (_machine, _entered) = machine(Config { schedule, ..Config::default() });
        context(0);
        let words = allocate(64);
        call!(cuMemsetD32_v2(words, 0, 16));
        call!(cuCtxSynchronize());
        let (waiting, writing) = (stream(1), stream(1));
        call!(cuStreamWaitValue32_v2(waiting, words, 7, 1));
        call!(cuMemsetD32Async(words + 8, 9, 1, waiting));
        call!(cuMemsetD32Async(words + 4, 1, 1, writing));
        call!(cuStreamWriteValue32_v2(writing, words, 7, 0));
        call!(cuStreamSynchronize(waiting));
        assert_eq!(cuda_suite::raw::read(words + 8), 9, "{schedule:?}");
    }
}

#[test]
fn waiting_stream_does_not_hold_up_other_streams() {
    if driver() == Choice::Real {
        skip!("schedules are of the software driver");
    }
    if !crate::raw_setup::is_since(11, 7) {
        skip!("the functions are newer than the driver");
    }
    for schedule in schedules() {
        let (_machine, _entered) = machine(Config { schedule, ..Config::default() });
        context(0);
        let (host, word) = page_locked(2);
        let (waiting, other) = (stream(1), stream(1));
        call!(cuStreamWaitValue32_v2(waiting, word, 1, 0));
        call!(cuMemsetD32Async(word + 4, 5, 1, waiting));
        let memory = allocate(64);
        call!(cuMemsetD32Async(memory, 3, 1, other));
        call!(cuStreamSynchronize(other));
        assert_eq!(code!(cuStreamQuery(waiting)), CUresult::CUDA_ERROR_NOT_READY, "{schedule:?}");
        assert_eq!(host[1].load(Ordering::Acquire), 0, "{schedule:?}");
        host[0].store(1, Ordering::Release);
        call!(cuStreamSynchronize(waiting));
        assert_eq!(host[1].load(Ordering::Acquire), 5, "{schedule:?}");
    }
}
