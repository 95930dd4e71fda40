//! Copies as futures.

#![allow(unsafe_code)] // the end of a context

use crate::busy::Busy;
use crate::executors::{counting, poll, wait_until};
use crate::{alone, apart, is_since};
use cuda_rt::completion::WakeBy;
use cuda_rt::error::ErrorKind;
use cuda_rt::memory::{PinnedFlags, PinnedPool, RegisterFlags, RegisteredBuf};
use cuda_rt::{Context, Device, DeviceBuf, PinnedBuf, Stream};
use cuda_sim::{CallRecord, FaultRule, Machine};
use cuda_suite::{Choice, context, skip, stream};
use cuda_sys::{CUresult, Symbol};
use std::future::IntoFuture;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::task::{Poll, Wake, Waker};

const BYTES: usize = 1 << 16;

#[test]
fn awaited_copy_gives_its_buffer_back() {
    let _alone = alone();
    for way in [WakeBy::HostFunction, WakeBy::Polling] {
        let stream = stream();
        let mut device = DeviceBuf::<u8>::zeroed(&stream, BYTES).unwrap();
        let busy = Busy::new(&stream);
        let host = PinnedBuf::from_fn(&context(), BYTES, |_| 7_u8).unwrap();
        let mut copied = device.copy_from_pinned(host).unwrap().into_future().wake_by(way);
        let (count, waker) = counting();
        assert!(poll(&mut copied, &waker).is_pending());
        busy.go();
        count.wait();
        let mut host = pollster::block_on(&mut copied).unwrap();
        host.fill(9);
        assert_eq!(device.to_vec().unwrap(), [7; BYTES]);
        assert!(matches!(poll(&mut copied, &waker), Poll::Ready(Err(_))), "the buffer is given back once");
    }
}

#[test]
fn awaited_copy_of_nothing_is_ready_at_once() {
    let _alone = alone();
    let device = DeviceBuf::<u8>::zeroed(&stream(), 0).unwrap();
    assert_eq!(pollster::block_on(device.to_pinned().unwrap().into_future()).unwrap()[..], []);
}

#[test]
fn copy_dropped_after_any_poll_keeps_its_buffer() {
    let _alone = alone();
    for polls in 0..3 {
        let stream = stream();
        let mut device = DeviceBuf::<u8>::zeroed(&stream, BYTES).unwrap();
        let host = RegisteredBuf::new(&context(), vec![7_u8; BYTES], RegisterFlags::empty()).unwrap();
        let busy = Busy::new(&stream);
        let mut copied = device.copy_from_pinned(host).unwrap().into_future();
        for _ in 0..polls {
            assert!(poll(&mut copied, Waker::noop()).is_pending());
        }
        drop(copied);
        assert_eq!(stream.is_done(), Ok(false), "dropping has not waited");
        // Freed memory would be reused for these.
        let others: Vec<Vec<u8>> = (0..8).map(|_| vec![1; BYTES]).collect();
        busy.go();
        assert_eq!(device.to_vec().unwrap(), [7; BYTES], "{}", others.len());
    }
}

#[test]
fn download_dropped_in_flight_overwrites_nothing() {
    let _alone = alone();
    let stream = stream();
    let device = DeviceBuf::from_host(&stream, &vec![7_u8; BYTES]).unwrap();
    let host = RegisteredBuf::new(&context(), vec![0_u8; BYTES], RegisterFlags::empty()).unwrap();
    let busy = Busy::new(&stream);
    let mut copied = device.copy_to_pinned(host).unwrap().into_future();
    assert!(poll(&mut copied, Waker::noop()).is_pending());
    drop(copied);
    let others: Vec<Vec<u8>> = (0..8).map(|_| vec![1; BYTES]).collect();
    busy.go();
    stream.synchronize().unwrap();
    assert!(others.iter().flatten().all(|byte| *byte == 1));
}

#[test]
fn copy_forgotten_in_flight_does_no_harm() {
    let _alone = alone();
    let stream = stream();
    let mut device = DeviceBuf::<u8>::zeroed(&stream, 4).unwrap();
    let busy = Busy::new(&stream);
    let host = PinnedBuf::from_slice(&context(), &[1, 2, 3, 4]).unwrap();
    let mut copied = device.copy_from_pinned(host).unwrap().into_future();
    assert!(poll(&mut copied, Waker::noop()).is_pending());
    #[allow(clippy::mem_forget)] // the subject of the test
    std::mem::forget(copied);
    busy.go();
    assert_eq!(device.to_vec().unwrap(), [1, 2, 3, 4]);
}

#[test]
fn thousand_cancelled_copies_do_not_delay_others() {
    let _alone = alone();
    let (held, free) = (stream(), stream());
    let mut device = DeviceBuf::<u8>::zeroed(&held, 1).unwrap();
    let host: Vec<PinnedBuf<u8>> = (0..1000).map(|_| PinnedBuf::zeroed(&context(), 1).unwrap()).collect();
    let other = DeviceBuf::from_host(&free, &[5_u8]).unwrap();
    let place = PinnedBuf::<u8>::zeroed(&context(), 1).unwrap();
    let busy = Busy::new(&held);
    for host in host {
        drop(device.copy_from_pinned(host).unwrap().into_future());
    }
    let copied = pollster::block_on(other.copy_to_pinned(place).unwrap().into_future()).unwrap();
    assert_eq!((copied[0], held.is_done()), (5, Ok(false)));
    busy.go();
    wait_until(|| held.is_done().unwrap());
}

/// A waker whose destructor panics.
struct Bomb;

impl Wake for Bomb {
    fn wake(self: Arc<Self>) {}
}

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "a destructor that panics, which a test wants");
    }
}

#[test]
fn buffer_outlives_a_waker_that_panics() {
    let _alone = alone();
    let stream = stream();
    let device = DeviceBuf::from_host(&stream, &vec![7_u8; BYTES]).unwrap();
    let pool = PinnedPool::new(&context(), PinnedFlags::empty());
    let host = PinnedBuf::<u8>::zeroed_in(&pool, BYTES).unwrap();
    let place = host.as_ptr();
    let busy = Busy::new(&stream);
    let mut copied = device.copy_to_pinned(host).unwrap().into_future();
    let waker = Waker::from(Arc::new(Bomb));
    assert!(poll(&mut copied, &waker).is_pending());
    drop(waker);
    catch_unwind(AssertUnwindSafe(|| drop(copied))).unwrap_err();
    assert_eq!(stream.is_done(), Ok(false));
    let other = PinnedBuf::from_slice_in(&pool, &[1_u8; BYTES]).unwrap();
    assert_ne!(other.as_ptr(), place, "the memory is in use");
    busy.go();
    stream.synchronize().unwrap();
    assert!(other.iter().all(|byte| *byte == 1));
}

#[test]
fn dropping_a_finished_copy_waits_for_no_other_stream() {
    let _alone = alone();
    let (held, free) = (stream(), stream());
    let device = DeviceBuf::from_host(&free, &vec![7_u8; BYTES]).unwrap();
    let host = PinnedBuf::<u8>::zeroed(&context(), BYTES).unwrap();
    let busy = Busy::new(&held);
    let copied = device.copy_to_pinned(host).unwrap().into_future();
    free.synchronize().unwrap();
    drop(copied);
    assert_eq!(held.is_done(), Ok(false));
    busy.go();
}

#[test]
fn copy_waits_without_changing_the_capture_mode() {
    apart("copies::copy_waits_without_changing_the_capture_mode", || {
        if cuda_suite::driver() != Choice::Sim {
            skip!("driver calls cannot be counted");
        }
        let stream = stream();
        let device = DeviceBuf::from_host(&stream, &[7_u8]).unwrap();
        let [first, second, third] = [(); 3].map(|()| device.to_pinned().unwrap());
        let machine = Machine::current();
        machine.record_calls();
        while !first.is_done().unwrap() {}
        assert_eq!(first.wait().unwrap()[..], [7]);
        assert_eq!(pollster::block_on(second.into_future()).unwrap()[..], [7]);
        let calls = machine.take_calls();
        let frees = calls.iter().filter(|call| call.function == Symbol::cuMemFreeHost).count();
        let changes = |calls: &[CallRecord]| {
            calls.iter().filter(|call| call.function == Symbol::cuThreadExchangeStreamCaptureMode).count()
        };
        assert_eq!(changes(&calls), 2 * frees, "only freeing changes it");
        machine.record_calls();
        drop(third);
        let calls = machine.take_calls();
        let frees = calls.iter().filter(|call| call.function == Symbol::cuMemFreeHost).count();
        assert_eq!((changes(&calls), frees), (2, 1));
    });
}

#[test]
fn future_asks_nothing_of_an_ended_context() {
    apart("copies::future_asks_nothing_of_an_ended_context", || {
        if cuda_suite::driver() != Choice::Sim {
            skip!("driver calls cannot be counted");
        }
        if !is_since(12, 0) {
            skip!("this driver does not tell whether a context has ended");
        }
        let device = cuda_suite::device();
        let context = Context::primary(device).unwrap();
        let stream = Stream::new(&context).unwrap();
        let buffer = DeviceBuf::from_host(&stream, &[7_u8; BYTES]).unwrap();
        let [done, dropped] = [(); 2].map(|()| buffer.to_pinned().unwrap().into_future());
        let mut finished = stream.finished().unwrap().wake_by(WakeBy::Polling);
        stream.synchronize().unwrap();
        let machine = Machine::current();
        machine.inject(
            FaultRule::new(Symbol::cuEventQuery, CUresult::CUDA_ERROR_NOT_READY).times(1_000_000_000),
        );
        let (count, waker) = counting();
        let mut asked = 0;
        let reports = cuda_suite::reports(|| {
            drop(dropped);
            assert!(poll(&mut finished, &waker).is_pending());
            // SAFETY: nothing in the context is used from here on, but dropped.
            unsafe { device.reset_primary_context() }.unwrap();
            machine.clear_faults();
            machine.record_calls();
            drop(done);
            count.wait();
            // Until the thread of this crate has no more queries to make.
            wait_until(|| {
                std::thread::sleep(std::time::Duration::from_millis(20));
                let calls = machine.take_calls();
                asked += calls.iter().filter(|call| call.function == Symbol::cuEventQuery).count();
                machine.record_calls();
                calls.is_empty()
            });
        });
        assert!(
            reports.iter().any(|report| report.starts_with("context: other code has reset")),
            "{reports:?}"
        );
        assert_eq!(asked, 0);
        let error = pollster::block_on(finished).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ContextLost);
        drop(cuda_suite::reports(|| drop((buffer, stream))));
    });
}

/// The thread that queries has entered no machine, and nothing has initialised the process's own one.
#[test]
fn copies_of_a_private_machine_are_given_up() {
    apart("copies::copies_of_a_private_machine_are_given_up", || {
        if cuda_suite::driver() != Choice::Sim {
            skip!("there are no machines");
        }
        let own = Machine::current();
        let machine = Machine::new(cuda_sim::Config::default());
        let _entered = machine.enter();
        let context = Context::primary(Device::get(0).unwrap()).unwrap();
        let stream = Stream::new(&context).unwrap();
        let buffer = DeviceBuf::from_host(&stream, &[1, 2, 3]).unwrap();
        let busy = Busy::new(&stream);
        own.record_calls();
        drop(buffer.to_pinned().unwrap().into_future());
        let is_query = |call: &CallRecord| call.function != Symbol::cuThreadExchangeStreamCaptureMode;
        wait_until(|| own.take_calls().iter().any(is_query));
        std::thread::sleep(std::time::Duration::from_millis(50));
        drop(own.take_calls());
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert!(own.take_calls().is_empty(), "the thread goes on");
        busy.go();
        stream.synchronize().unwrap();
    });
}
