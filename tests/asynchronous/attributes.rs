//! Attributes of streams, and queries of streams of other code.

#![allow(unsafe_code)]

use crate::{alone, is_since};
use cuda_rt::context::RemoteWritesScope;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::event::EventFlags;
use cuda_rt::launch::{AccessPolicyWindow, AccessProperty, MemSyncDomain, SynchronizationPolicy};
use cuda_rt::stream::{EventRecordFlags, EventWaitFlags, StreamInfo};
use cuda_rt::{DeviceBuf, Error, Event, Stream};
use cuda_suite::{context, skip, stream};

fn is_missing<T>(outcome: &Result<T, Error>) -> bool {
    outcome.as_ref().err().and_then(Error::code) == Some(Code::NotSupported)
}

#[test]
fn synchronization_policy_is_read_as_it_was_set() {
    let _alone = alone();
    let stream = stream();
    for policy in
        [SynchronizationPolicy::BLOCKING_SYNC, SynchronizationPolicy::SPIN, SynchronizationPolicy::AUTO]
    {
        let set = stream.set_synchronization_policy(policy);
        if is_missing(&set) {
            skip!("this driver has no attributes of streams");
        }
        set.unwrap();
        assert_eq!(stream.synchronization_policy(), Ok(policy));
    }
    let error = stream.set_synchronization_policy(SynchronizationPolicy(77)).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert!(
        error.to_string().ends_with("attribute SYNCHRONIZATION_POLICY of streams: SynchronizationPolicy(77)"),
        "{error}"
    );
}

#[test]
fn access_policy_window_is_read_as_it_was_set() {
    let _alone = alone();
    let stream = stream();
    let read = stream.access_policy_window();
    if is_missing(&read) {
        skip!("this driver has no attributes of streams");
    }
    assert_eq!(read.unwrap().bytes, 0);
    let table = DeviceBuf::<u8>::zeroed(&stream, 4096).unwrap();
    let window = AccessPolicyWindow {
        base: table.ptr(),
        bytes: 4096,
        hit_ratio: 1.0,
        hit: AccessProperty::PERSISTING,
        miss: AccessProperty::STREAMING,
    };
    stream.set_access_policy_window(window).unwrap();
    assert_eq!(stream.access_policy_window(), Ok(window));
    let limit = cuda_suite::device().max_access_policy_window_size().unwrap();
    let large = AccessPolicyWindow { bytes: limit as usize + 1, ..window };
    let error = stream.set_access_policy_window(large).unwrap_err().to_string();
    let text = format!(
        "ACCESS_POLICY_WINDOW of streams: {} bytes, where the device allows {limit}, hit ratio 1, hit PERSISTING, miss \
         STREAMING",
        large.bytes
    );
    assert!(error.ends_with(&text), "{error}");
}

#[test]
fn attributes_are_copied_between_streams() {
    let _alone = alone();
    let (first, second) = (stream(), stream());
    let set = first.set_synchronization_policy(SynchronizationPolicy::YIELD);
    if is_missing(&set) {
        skip!("this driver has no attributes of streams");
    }
    set.unwrap();
    second.copy_attributes_from(&first).unwrap();
    assert_eq!(second.synchronization_policy(), Ok(SynchronizationPolicy::YIELD));
    let apart =
        cuda_rt::Context::new(cuda_suite::device(), cuda_rt::context::ContextFlags::default()).unwrap();
    let error = Stream::new(&apart).unwrap().copy_attributes_from(&first).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}

#[test]
fn priority_set_later_is_the_priority_of_the_stream() {
    let _alone = alone();
    if !is_since(11, 7) {
        skip!("streams have no such attribute");
    }
    let stream = stream();
    let greatest = *context().stream_priority_range().unwrap().start();
    let set = stream.set_priority(greatest);
    if is_missing(&set) {
        skip!("this driver has no attributes of streams");
    }
    set.unwrap();
    assert_eq!(stream.priority(), Ok(greatest));
}

#[test]
fn domains_are_read_as_they_were_set() {
    let _alone = alone();
    if !is_since(12, 0) {
        skip!("streams have no such attributes");
    }
    let stream = stream();
    let set = stream.set_mem_sync_domain(MemSyncDomain::REMOTE);
    if is_missing(&set) {
        skip!("this driver has no attributes of streams");
    }
    set.unwrap();
    assert_eq!(stream.mem_sync_domain(), Ok(MemSyncDomain::REMOTE));
    assert_eq!(stream.mem_sync_domain_map().unwrap().len(), 2);
    stream.set_mem_sync_domain_map([0, 0]).unwrap();
    assert_eq!(stream.mem_sync_domain_map(), Ok([0, 0]));
}

#[test]
fn foreign_stream_is_described_by_the_driver() {
    let _alone = alone();
    let stream = stream();
    // SAFETY: the stream is live.
    let told = unsafe { StreamInfo::of_raw(stream.as_raw()) };
    if is_missing(&told) {
        skip!("this driver does not tell the green context of a stream");
    }
    let info = told.unwrap();
    assert_eq!((info.context, info.device), (context().as_raw(), context().device()));
    assert_eq!((info.id, info.green_context), (stream.id().ok(), None));
    if is_since(12, 8) {
        assert_eq!(stream.device(), Ok(context().device()));
    } else {
        assert_eq!(stream.device().unwrap_err().kind(), ErrorKind::FunctionMissing);
    }
}

#[test]
fn external_flags_are_refused_outside_captures() {
    let _alone = alone();
    if !is_since(11, 1) {
        skip!("events have no such flags");
    }
    let stream = stream();
    let event = Event::with_flags(&context(), EventFlags::DISABLE_TIMING).unwrap();
    event.record_with_flags(&stream, EventRecordFlags::DEFAULT).unwrap().synchronize().unwrap();
    stream.wait_event_with_flags(&event, EventWaitFlags::DEFAULT).unwrap();
    let error = event.record_with_flags(&stream, EventRecordFlags::from_bits_retain(1 << 9)).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert!(error.to_string().contains("flags 0x200"), "{error}");
    let error = stream.wait_event_with_flags(&event, EventWaitFlags::from_bits_retain(1 << 9)).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
}

#[test]
fn remote_writes_are_flushed_or_refused() {
    let _alone = alone();
    for scope in [RemoteWritesScope::Owner, RemoteWritesScope::AllDevices] {
        match context().flush_remote_writes(scope) {
            Ok(()) => {}
            Err(error) if !is_since(11, 3) => assert_eq!(error.kind(), ErrorKind::FunctionMissing),
            Err(error) => assert_eq!(error.code(), Some(Code::NotSupported), "{error}"),
        }
    }
}

#[test]
fn promised_context_takes_the_same_calls() {
    let _alone = alone();
    let context = context();
    let error = std::thread::spawn(|| {
        let context = cuda_suite::context();
        // SAFETY: nothing is promised: the context is not current.
        unsafe { context.promise_current() }.map(drop).unwrap_err()
    });
    assert_eq!(error.join().unwrap().kind(), ErrorKind::InvalidArgument);
    let entered = context.enter().unwrap();
    // SAFETY: the context stays current until the guard is dropped.
    let promise = unsafe { context.promise_current() }.unwrap();
    let stream = stream();
    let buffer = DeviceBuf::from_host(&stream, &[1, 2, 3]).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [1, 2, 3]);
    // Another context is made current by the calls that need it.
    let apart =
        cuda_rt::Context::new(cuda_suite::device(), cuda_rt::context::ContextFlags::default()).unwrap();
    let other = DeviceBuf::from_host(&Stream::new(&apart).unwrap(), &[4]).unwrap();
    assert_eq!(other.to_vec().unwrap(), [4]);
    assert!(context.is_current().unwrap());
    drop((buffer, other, promise));
    drop(entered);
}
