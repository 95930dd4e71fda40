//! Events.

use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::event::EventFlags;
use cuda_rt::{Context, Device, Event, Stream};
use cuda_suite::{code, context, device, invalid, second_device, skip, stream};
use std::time::Duration;

#[test]
fn an_event_that_was_never_recorded_counts_as_done() {
    let event = Event::new(&context()).unwrap();
    assert!(event.is_done().unwrap());
    event.synchronize().unwrap();
}

#[test]
fn recording_and_waiting_can_be_chained() {
    let stream = stream();
    let event = Event::new(&context()).unwrap();
    assert!(event.record(&stream).unwrap().synchronize().unwrap().is_done().unwrap());
    event.close().unwrap();
}

#[test]
fn times_are_taken_in_both_directions() {
    let stream = stream();
    let (start, end) = (Event::new(&context()).unwrap(), Event::new(&context()).unwrap());
    start.record(&stream).unwrap();
    let mut buffer = cuda_rt::DeviceBuf::<u8>::zeroed(&stream, 1 << 20).unwrap();
    for _ in 0..50 {
        buffer.as_slice_mut().fill_zero().unwrap();
    }
    end.record(&stream).unwrap().synchronize().unwrap();
    let milliseconds = end.milliseconds_since(&start).unwrap();
    assert!(milliseconds > 0.0, "{milliseconds}");
    assert_eq!(end.elapsed_since(&start).unwrap(), start.elapsed_till(&end).unwrap());
    let seconds = f64::from(milliseconds) / 1e3;
    assert!((end.elapsed_since(&start).unwrap().as_secs_f64() - seconds).abs() < 1e-8);
    assert_eq!(start.elapsed_since(&start).unwrap(), Duration::ZERO);
}

/// The driver reports it as it does a wrong event (fact V1044).
#[test]
fn elapsed_time_without_a_place_is_an_invalid_handle() {
    let stream = stream();
    let events = [(); 2].map(|()| Event::new(&context()).unwrap());
    for event in &events {
        event.record(&stream).unwrap().synchronize().unwrap();
    }
    let [start, end] = [0, 1].map(|index| events[index].as_raw());
    let invalid = cuda_sys::CUresult::CUDA_ERROR_INVALID_HANDLE;
    assert_eq!(code!(cuda_sys::cuEventElapsedTime(std::ptr::null_mut(), start, end)), invalid);
    if crate::is_since(12, 8) {
        assert_eq!(code!(cuda_sys::cuEventElapsedTime_v2(std::ptr::null_mut(), start, end)), invalid);
    }
}

#[test]
fn negative_elapsed_time_is_refused_as_duration() {
    let stream = stream();
    let (start, end) = (Event::new(&context()).unwrap(), Event::new(&context()).unwrap());
    start.record(&stream).unwrap();
    drop(cuda_rt::DeviceBuf::<u8>::zeroed(&stream, 1 << 20).unwrap());
    end.record(&stream).unwrap().synchronize().unwrap();
    let negative = start.milliseconds_since(&end).unwrap();
    assert!(negative < 0.0, "{negative}");
    let refused = start.elapsed_since(&end).unwrap_err();
    assert_eq!(refused, invalid(format!("event: the end completed {} ms before the start;", -negative)));
}

#[test]
fn times_need_two_recorded_events_that_take_them() {
    let (context, stream) = (context(), stream());
    let recorded = Event::new(&context).unwrap();
    recorded.record(&stream).unwrap().synchronize().unwrap();
    let never = Event::new(&context).unwrap();
    let without = Event::with_flags(&context, EventFlags::DISABLE_TIMING).unwrap();
    without.record(&stream).unwrap().synchronize().unwrap();
    for other in [never, without] {
        let there = recorded.milliseconds_since(&other).unwrap_err();
        let back = other.milliseconds_since(&recorded).unwrap_err();
        assert_eq!((there.code(), back.code()), (Some(Code::InvalidHandle), Some(Code::InvalidHandle)));
    }
}

#[test]
fn flags_are_checked_by_the_driver() {
    let context = context();
    let all = EventFlags::BLOCKING_SYNC | EventFlags::DISABLE_TIMING | EventFlags::INTERPROCESS;
    for good in [EventFlags::DEFAULT, EventFlags::BLOCKING_SYNC, EventFlags::DISABLE_TIMING, all] {
        Event::with_flags(&context, good).unwrap();
    }
    for bad in [EventFlags::INTERPROCESS, EventFlags::from_bits_retain(8)] {
        let error = Event::with_flags(&context, bad).unwrap_err();
        assert_eq!(error.code(), Some(Code::InvalidValue), "{bad:?}");
    }
}

#[test]
fn event_records_only_in_streams_of_its_context() {
    let other = Context::new(device(), ContextFlags::default()).unwrap();
    let event = Event::new(&other).unwrap();
    let error = event.record(&stream()).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidHandle));
    assert!(error.to_string().ends_with("belongs to another context"), "{error}");
    event.record(&Stream::new(&other).unwrap()).unwrap();
}

#[test]
fn times_between_devices_are_refused() {
    let Some(second) = second_device() else { skip!("there is one device only") };
    let recorded_on = |device: Device| {
        let context = Context::primary(device).unwrap();
        let event = Event::new(&context).unwrap();
        event.record(&Stream::new(&context).unwrap()).unwrap().synchronize().unwrap();
        event
    };
    let (here, there) = (recorded_on(device()), recorded_on(second));
    assert_eq!(there.milliseconds_since(&here).unwrap_err().code(), Some(Code::InvalidHandle));
}

#[test]
fn handle_is_given_away_and_adopted_again() {
    let context = context();
    let raw = Event::new(&context).unwrap().into_raw();
    // SAFETY: live, and without an owner since `into_raw`.
    let event = unsafe { Event::from_raw(raw, &context) };
    event.record(&stream()).unwrap().synchronize().unwrap();
    assert_eq!(event.as_raw(), raw);
    assert_eq!(event.context(), &context);
}

#[test]
fn pending_events_drop_on_any_thread() {
    let stream = stream();
    for _ in 0..100 {
        let event = Event::new(&context()).unwrap();
        event.record(&stream).unwrap();
        std::thread::spawn(move || drop(event)).join().unwrap();
    }
    stream.synchronize().unwrap();
}
