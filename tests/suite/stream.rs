//! Streams.

use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::stream::{AsStream, PerThreadStream, StreamFlags, StreamInfo};
use cuda_rt::{Context, Event, Stream};
use cuda_suite::{context, device, stream};

#[test]
fn a_new_stream_is_idle_and_non_blocking() {
    let stream = stream();
    assert!(stream.is_done().unwrap());
    stream.synchronize().unwrap();
    assert_eq!(stream.flags().unwrap(), StreamFlags::NON_BLOCKING);
    assert_eq!(stream.priority().unwrap(), 0);
    assert!(!stream.is_capturing().unwrap());
    assert_eq!(stream.context(), &context());
    stream.close().unwrap();
}

#[test]
fn flags_are_kept_and_unknown_ones_refused() {
    let blocking = Stream::with_flags(&context(), StreamFlags::DEFAULT).unwrap();
    assert_eq!(blocking.flags().unwrap(), StreamFlags::DEFAULT);
    let unknown = StreamFlags::from_bits_retain(99);
    let error = Stream::with_flags(&context(), unknown).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
}

#[test]
fn priorities_are_moved_into_the_range() {
    let context = context();
    let range = context.stream_priority_range().unwrap();
    let with = |priority| Stream::with_priority(&context, StreamFlags::NON_BLOCKING, priority).unwrap();
    for priority in range.clone() {
        assert_eq!(with(priority).priority().unwrap(), priority);
    }
    assert_eq!(with(-1000).priority().unwrap(), *range.start());
    assert_eq!(with(1000).priority().unwrap(), *range.end());
}

#[test]
fn the_default_streams_can_be_used_like_others() {
    let context = context();
    let legacy = Stream::legacy(&context);
    let own = PerThreadStream::new(&context);
    let event = Event::new(&context).unwrap();
    event.record(&legacy).unwrap();
    own.wait_event(&event).unwrap();
    event.record(&own).unwrap();
    legacy.wait_event(&event).unwrap();
    own.synchronize().unwrap();
    assert!(own.is_done().unwrap());
    legacy.synchronize().unwrap();
    assert!(legacy.is_done().unwrap());
    assert_eq!(legacy.flags().unwrap(), StreamFlags::DEFAULT);
    assert_eq!(legacy, Stream::legacy(&context));
    assert_ne!(AsStream::as_raw(&own), AsStream::as_raw(&legacy));
    drop(legacy.clone());
    legacy.close().unwrap();
    assert!(Stream::legacy(&context).is_done().unwrap(), "it is never destroyed");
}

#[test]
fn the_legacy_streams_of_two_contexts_differ() {
    let (first, second) = (context(), Context::new(device(), ContextFlags::default()).unwrap());
    assert_ne!(Stream::legacy(&first), Stream::legacy(&second));
    let event = Event::new(&second).unwrap();
    let error = event.record(&Stream::legacy(&first)).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidHandle));
    event.record(&Stream::legacy(&second)).unwrap();
}

#[test]
fn streams_have_numbers_of_their_own() {
    let (first, second) = (stream(), stream());
    if !crate::is_since(12, 0) {
        assert_eq!(first.id().unwrap_err().kind(), cuda_rt::error::ErrorKind::FunctionMissing);
        return;
    }
    assert_ne!(first.id().unwrap(), second.id().unwrap());
    assert_eq!(first.id().unwrap(), first.clone().id().unwrap());
}

#[test]
fn stream_waits_for_events_of_other_contexts() {
    let waiting = stream();
    for device in cuda_rt::Device::all().unwrap() {
        let other = Context::new(device, ContextFlags::default()).unwrap();
        let there = Stream::new(&other).unwrap();
        let event = Event::new(&other).unwrap();
        event.record(&there).unwrap();
        waiting.wait_event(&event).unwrap();
    }
    waiting.synchronize().unwrap();
}

#[test]
fn a_stream_is_adopted_or_borrowed() {
    let context = context();
    let mut raw = std::ptr::null_mut();
    {
        let _entered = context.enter().unwrap();
        // SAFETY: valid for a write; the context is current.
        assert!(unsafe { cuda_sys::cuStreamCreate(&raw mut raw, 0) }.is_success());
    }
    // SAFETY: live, and destroyed only below.
    let borrowed = unsafe { Stream::from_raw_with_owner(raw, &context, Box::new(())) };
    borrowed.synchronize().unwrap();
    drop(borrowed);
    // SAFETY: live, and given away here.
    let adopted = unsafe { Stream::from_raw(raw, &context) };
    assert_eq!(adopted.flags().unwrap(), StreamFlags::DEFAULT);
    adopted.close().unwrap();
}

#[test]
fn closing_one_of_two_handles_destroys_nothing() {
    let stream = stream();
    let other = stream.clone();
    stream.close().unwrap();
    other.synchronize().unwrap();
    other.close().unwrap();
}

#[test]
fn stream_of_other_code_tells_its_context_and_device() {
    let context = Context::new(device(), ContextFlags::default()).unwrap();
    for stream in [Stream::new(&context).unwrap(), Stream::legacy(&context)] {
        let _current = context.enter().unwrap();
        // SAFETY: the stream is live, and the legacy one is that of the current context.
        let info = unsafe { StreamInfo::of_raw(stream.as_raw()) }.unwrap();
        assert_eq!((info.context, info.device), (context.as_raw(), context.device()));
        assert_eq!(info.green_context, None);
        assert_eq!(info.id, stream.id().ok());
    }
}
