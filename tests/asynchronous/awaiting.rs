//! Streams and events as futures.

use crate::busy::Busy;
use crate::executors::{counting, on_two_threads, poll, wait_until};
use crate::{alone, apart, has_pools};
use cuda_rt::completion::{Finished, WakeBy};
use cuda_rt::error::ErrorKind;
use cuda_rt::stream::PerThreadStream;
use cuda_rt::{DeviceBuf, DevicePtr, Event, LaunchConfig, Module, Stream};
use cuda_sim::Machine;
use cuda_suite::{Choice, context, skip, stream};
use cuda_sys::Symbol;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

const WAYS: [WakeBy; 2] = [WakeBy::HostFunction, WakeBy::Polling];

#[test]
fn idle_stream_is_finished_at_the_first_poll() {
    let _alone = alone();
    let stream = stream();
    stream.synchronize().unwrap();
    let mut finished = stream.finished().unwrap();
    wait_until(|| stream.is_done().unwrap());
    let (count, waker) = counting();
    assert_eq!(poll(&mut finished, &waker), Poll::Ready(Ok(())));
    assert_eq!(poll(&mut finished, &waker), Poll::Ready(Ok(())), "the same result again");
    assert_eq!(count.woken(), 0);
}

#[test]
fn busy_stream_wakes_its_task_when_it_is_done() {
    let _alone = alone();
    for way in WAYS {
        let stream = stream();
        let busy = Busy::new(&stream);
        let mut finished = stream.finished().unwrap().wake_by(way);
        let (count, waker) = counting();
        assert!(poll(&mut finished, &waker).is_pending());
        assert!(poll(&mut finished, &waker).is_pending());
        assert_eq!(count.woken(), 0, "{way:?}");
        busy.go();
        count.wait();
        assert_eq!(pollster::block_on(finished), Ok(()), "{way:?}");
    }
}

#[test]
fn later_work_does_not_delay_a_future() {
    let _alone = alone();
    for way in WAYS {
        let stream = stream();
        let first = Busy::new(&stream);
        let finished = stream.finished().unwrap().wake_by(way);
        let second = Busy::new(&stream);
        first.go();
        assert_eq!(pollster::block_on(finished), Ok(()));
        assert_eq!(stream.is_done(), Ok(false));
        second.go();
    }
}

#[test]
fn streams_of_every_kind_are_awaited() {
    let _alone = alone();
    let (context, stream) = (context(), stream());
    let buffer = DeviceBuf::from_host(&stream, &[7_u8; 1000]).unwrap();
    assert_eq!(pollster::block_on(Stream::legacy(&context).finished().unwrap()), Ok(()));
    assert_eq!(pollster::block_on(PerThreadStream::new(&context).finished().unwrap()), Ok(()));
    assert_eq!(pollster::block_on(stream.as_stream_ref().finished().unwrap()), Ok(()));
    let busy = Busy::new(&stream);
    let finished = stream.as_stream_ref().finished().unwrap();
    busy.go();
    assert_eq!(pollster::block_on(finished), Ok(()));
    assert_eq!(buffer.to_vec().unwrap(), [7; 1000]);
}

#[test]
fn event_is_awaited_as_it_was_recorded_last() {
    let _alone = alone();
    let (stream, other) = (stream(), stream());
    let event = Event::new(&context()).unwrap();
    assert_eq!(pollster::block_on(event.finished().unwrap()), Ok(()), "never recorded");
    for way in WAYS {
        let busy = Busy::new(&stream);
        event.record(&stream).unwrap();
        let mut finished = event.finished().unwrap().wake_by(way);
        let (count, waker) = counting();
        assert!(poll(&mut finished, &waker).is_pending());
        let still = Busy::new(&other);
        event.record(&other).unwrap();
        busy.go();
        count.wait();
        assert_eq!(pollster::block_on(finished), Ok(()), "of the first record");
        assert_eq!(event.is_done(), Ok(false));
        still.go();
        event.synchronize().unwrap();
    }
}

#[test]
fn many_streams_are_awaited_on_two_threads() {
    let _alone = alone();
    for way in WAYS {
        let futures = (0..20_u32).map(|number| async move {
            let stream = stream();
            let mut sum = 0_u64;
            for round in 0..10 {
                let buffer = DeviceBuf::from_host(&stream, &vec![number + round; 1000]).unwrap();
                stream.finished().unwrap().wake_by(way).await.unwrap();
                sum += buffer.to_pinned().unwrap().await.unwrap().iter().map(|n| u64::from(*n)).sum::<u64>();
            }
            sum
        });
        let sums = on_two_threads(futures);
        let expected: Vec<u64> = (0..20_u64).map(|number| 1000 * (10 * number + 45)).collect();
        assert_eq!(sums, expected, "{way:?}");
    }
}

#[test]
fn future_dropped_after_any_poll_does_not_wait() {
    let _alone = alone();
    for way in WAYS {
        for polls in 0..4 {
            let stream = stream();
            let busy = Busy::new(&stream);
            let mut finished = stream.finished().unwrap().wake_by(way);
            let (count, waker) = counting();
            for _ in 0..polls {
                assert!(poll(&mut finished, &waker).is_pending());
            }
            drop(finished);
            assert_eq!(stream.is_done(), Ok(false), "dropping has not waited");
            busy.go();
            stream.synchronize().unwrap();
            assert_eq!(count.woken(), 0, "nothing is woken for a future that is gone");
        }
    }
}

#[test]
fn forgotten_future_does_no_harm() {
    let _alone = alone();
    let stream = stream();
    let busy = Busy::new(&stream);
    let mut finished = stream.finished().unwrap();
    assert!(poll(&mut finished, Waker::noop()).is_pending());
    #[allow(clippy::mem_forget)] // the subject of the test
    std::mem::forget(finished);
    busy.go();
    assert_eq!(pollster::block_on(stream.finished().unwrap()), Ok(()));
}

#[test]
fn future_moved_between_executors_wakes_the_last_one() {
    let _alone = alone();
    for way in WAYS {
        let stream = stream();
        let busy = Busy::new(&stream);
        let mut finished = stream.finished().unwrap().wake_by(way);
        let (first, first_waker) = counting();
        assert!(poll(&mut finished, &first_waker).is_pending());
        let waiting = std::thread::spawn(move || pollster::block_on(finished));
        // The other thread has polled when nothing holds the first waker any more.
        wait_until(|| Arc::strong_count(&first) == 2);
        drop(first_waker);
        busy.go();
        assert_eq!(waiting.join().unwrap(), Ok(()));
        assert_eq!(first.woken(), 0);
    }
}

#[test]
fn future_outlives_its_stream() {
    let _alone = alone();
    let stream = stream();
    let busy = Busy::new(&stream);
    let finished = stream.finished().unwrap();
    drop(stream);
    busy.go();
    assert_eq!(pollster::block_on(finished), Ok(()));
}

/// A waker that polls the future itself, as some executors do.
struct Inline {
    future: Mutex<Option<Finished>>,
    results: Mutex<Vec<(bool, Poll<cuda_rt::Result<()>>)>>,
}

impl Wake for Inline {
    fn wake(self: Arc<Self>) {
        let waker = Waker::from(self.clone());
        let refused =
            Stream::new(&context()).is_err_and(|error| error.kind() == ErrorKind::InsideHostFunction);
        let mut place = self.future.lock().unwrap();
        if let Some(future) = &mut *place {
            let polled = poll(future, &waker);
            let is_ready = polled.is_ready();
            self.results.lock().unwrap().push((refused, polled));
            if is_ready {
                *place = None;
            }
        }
    }
}

#[test]
fn waker_that_polls_gets_the_result_in_the_end() {
    let _alone = alone();
    let stream = stream();
    let busy = Busy::new(&stream);
    let inline = Arc::new(Inline { future: Mutex::new(None), results: Mutex::default() });
    let mut finished = stream.finished().unwrap();
    assert!(poll(&mut finished, &Waker::from(inline.clone())).is_pending());
    *inline.future.lock().unwrap() = Some(finished);
    busy.go();
    wait_until(|| inline.future.lock().unwrap().is_none());
    let results = inline.results.lock().unwrap();
    assert_eq!(results.last(), Some(&(false, Poll::Ready(Ok(())))), "{results:?}");
    for (is_inside, polled) in results.iter() {
        assert_eq!(*is_inside, polled.is_pending(), "a host function makes no driver call");
    }
}

#[test]
fn panicking_waker_is_contained() {
    struct Panics;
    impl Wake for Panics {
        fn wake(self: Arc<Self>) {
            panic!("a waker");
        }
    }
    let _alone = alone();
    for way in WAYS {
        let stream = stream();
        let busy = Busy::new(&stream);
        let mut finished = stream.finished().unwrap().wake_by(way);
        assert!(poll(&mut finished, &Waker::from(Arc::new(Panics))).is_pending());
        let reports = cuda_suite::reports(|| {
            busy.go();
            stream.synchronize().unwrap();
            wait_until(|| poll(&mut finished, Waker::noop()).is_ready());
            assert_eq!(pollster::block_on(stream.finished().unwrap()), Ok(()));
        });
        assert!(reports.iter().all(|report| report.contains("panicked: a waker")), "{reports:?}");
    }
}

#[test]
fn fault_is_the_result_of_the_future() {
    apart("awaiting::fault_is_the_result_of_the_future", || {
        let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry faults(.param .u64 at) {
            .reg .b64 %at; ld.param.u64 %at, [at]; st.global.u64 [%at], %at; ret; }";
        let (stream, busy_stream) = (stream(), stream());
        let faults = Module::from_ptx(&context(), ptx).unwrap().function("faults").unwrap();
        let faults = crate::typed::<(DevicePtr<u64>,)>(&faults);
        let busy = Busy::new(&busy_stream);
        stream.wait_stream(&busy_stream).unwrap();
        // SAFETY: the fault is the subject of the test.
        unsafe { faults.launch(LaunchConfig::new(1, 1), &stream, (DevicePtr::from_raw(8),)) }.unwrap();
        let mut finished = WAYS.map(|way| stream.finished().unwrap().wake_by(way));
        let (count, waker) = counting();
        for finished in &mut finished {
            assert!(poll(finished, &waker).is_pending());
        }
        busy.go();
        count.wait();
        for finished in finished {
            let error = pollster::block_on(finished).unwrap_err();
            assert!(error.is_sticky(), "{error}");
        }
    });
}

#[test]
fn future_in_a_dropped_task_is_cancelled() {
    let _alone = alone();
    if !has_pools() {
        skip!("the device has no pools: dropping the buffer of the task waits for the stream");
    }
    let stream = stream();
    let busy = Busy::new(&stream);
    {
        let mut task = pin!(async {
            let buffer = DeviceBuf::<u8>::zeroed(&stream, 100).unwrap();
            stream.finished().unwrap().await.unwrap();
            drop(buffer);
        });
        assert!(task.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    assert_eq!(stream.is_done(), Ok(false));
    busy.go();
    stream.synchronize().unwrap();
}

/// Counts the calls of a function since the calls are recorded.
fn calls_of(function: Symbol) -> usize {
    Machine::current().take_calls().iter().filter(|call| call.function == function).count()
}

/// The largest number of polls by the crate's thread for one future that a host function wakes.
fn most_looks(since: Instant) -> usize {
    const BETWEEN: Duration = Duration::from_millis(2);
    usize::try_from(since.elapsed().as_micros() / BETWEEN.as_micros()).unwrap() + 2
}

#[test]
fn future_woken_by_a_function_is_asked_for_seldom() {
    apart("awaiting::future_woken_by_a_function_is_asked_for_seldom", || {
        if cuda_suite::driver() != Choice::Sim {
            skip!("driver calls cannot be counted");
        }
        let stream = stream();
        let busy = Busy::new(&stream);
        let machine = Machine::current();
        let start = Instant::now();
        machine.record_calls();
        let mut held = [(); 20].map(|()| stream.finished().unwrap());
        for future in &mut held {
            assert!(poll(future, Waker::noop()).is_pending());
        }
        let mut polls = held.len();
        while start.elapsed() < Duration::from_millis(300) {
            let mut other = stream.finished().unwrap();
            assert!(poll(&mut other, Waker::noop()).is_pending());
            polls += 1;
        }
        let asked = calls_of(Symbol::cuEventQuery);
        // Each poll adds two. The others exist one at a time.
        let most = 2 * polls + (held.len() + 1) * most_looks(start);
        assert!(asked <= most, "{asked} of {most}");
        busy.go();
    });
}

/// Threads that cannot be made.
#[cfg(target_os = "linux")]
mod no_threads {
    use core::ffi::{c_int, c_void};
    use std::sync::atomic::{AtomicBool, Ordering};

    pub(super) static FAILS: AtomicBool = AtomicBool::new(false);

    type Create = unsafe extern "C" fn(*mut c_void, *const c_void, *const c_void, *mut c_void) -> c_int;

    /// Takes the place of the function of the C library.
    #[allow(unsafe_code)]
    // SAFETY: the function does what its namesake does, or fails as it may.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn pthread_create(
        thread: *mut c_void,
        attributes: *const c_void,
        start: *const c_void,
        argument: *mut c_void,
    ) -> c_int {
        if FAILS.load(Ordering::SeqCst) {
            return libc::EAGAIN;
        }
        // SAFETY: the name is a C string.
        let real = unsafe { libc::dlsym(libc::RTLD_NEXT, c"pthread_create".as_ptr()) };
        // SAFETY: the C library has it, and this is its signature but for the types of pointers.
        let real = unsafe { core::mem::transmute::<*mut c_void, Create>(real) };
        // SAFETY: the caller's promise.
        unsafe { real(thread, attributes, start, argument) }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn polls_without_a_thread_leave_nothing_behind() {
    use std::sync::atomic::Ordering;
    apart("awaiting::polls_without_a_thread_leave_nothing_behind", || {
        if cuda_suite::driver() != Choice::Sim {
            skip!("driver calls cannot be counted");
        }
        let stream = stream();
        let busy = Busy::new(&stream);
        let mut finished = stream.finished().unwrap().wake_by(WakeBy::Polling);
        let (count, waker) = counting();
        no_threads::FAILS.store(true, Ordering::SeqCst);
        for _ in 0..1000 {
            assert!(poll(&mut finished, &waker).is_pending());
        }
        no_threads::FAILS.store(false, Ordering::SeqCst);
        assert_eq!(count.woken(), 1000, "the task asks by itself");
        let machine = Machine::current();
        let start = Instant::now();
        machine.record_calls();
        let mut finished = finished.wake_by(WakeBy::HostFunction);
        assert!(poll(&mut finished, &waker).is_pending());
        std::thread::sleep(Duration::from_millis(20));
        let asked = calls_of(Symbol::cuEventQuery);
        assert!(asked <= 2 + most_looks(start), "{asked}");
        busy.go();
        assert_eq!(pollster::block_on(finished), Ok(()));
    });
}
