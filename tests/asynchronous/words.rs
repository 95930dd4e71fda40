//! Words that streams write and wait for.

#![allow(unsafe_code)]

use crate::busy::Busy;
use crate::{alone, apart, has_pools, is_since};
use cuda_rt::device::DeviceAttribute;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::memory::{BarrierScope, MemorySource, StreamWord, Until, WordReduction, WriteValueFlags};
use cuda_rt::{Context, Device, DeviceBuf, Error, PinnedBuf, Stream};
use cuda_sim::{Config, Machine, Profile};
use cuda_suite::{context, skip, stream};
use cuda_sys::{DriverVersion, Symbol};
use std::sync::{Mutex, MutexGuard, PoisonError};

const FLAGS: WriteValueFlags = WriteValueFlags::DEFAULT;

fn words<T: StreamWord>(stream: &Stream, words: &[T]) -> DeviceBuf<T> {
    DeviceBuf::from_host_in(stream, words, MemorySource::Plain).unwrap()
}

/// Returns whether this driver has no memory operations, or has not enabled them.
fn is_missing(outcome: &Result<(), Error>) -> bool {
    let code = outcome.as_ref().err().and_then(Error::code);
    code == Some(Code::NotSupported)
}

/// One test at a time: on hardware, freeing plain memory waits for all work of the context, also for a stream that waits for a word.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn written_words_come_in_the_order_of_the_stream() {
    let _turn = turn();
    let _alone = alone();
    let stream = stream();
    let mut small = words(&stream, &[0_u32, 0]);
    let mut large = words(&stream, &[0_u64]);
    let written = stream.write_value(small.slice_mut(1..).unwrap(), 7, FLAGS);
    if is_missing(&written) {
        skip!("this driver has no memory operations of streams");
    }
    written.unwrap();
    stream.write_value(large.as_slice_mut(), u64::MAX - 1, FLAGS).unwrap();
    assert_eq!(small.to_vec().unwrap(), [0, 7]);
    assert_eq!(large.to_vec().unwrap(), [u64::MAX - 1]);
}

#[test]
fn word_that_meets_its_condition_is_not_waited_for() {
    let _turn = turn();
    let _alone = alone();
    let stream = stream();
    let word = words(&stream, &[6_u32]);
    for until in [Until::at_least(6), Until::at_least(5), Until::equal(6), Until::any_bit(2), Until::nor(1)] {
        let waited = stream.wait_value(word.as_slice(), until);
        if is_missing(&waited) {
            skip!("this driver has no memory operations of streams, or not all");
        }
        waited.unwrap();
    }
    stream.synchronize().unwrap();
}

/// In a process of its own. Cancelled copies of other tests are released later. On hardware, their release waits for this stream
/// while this thread waits in the driver.
#[test]
fn stream_waits_until_the_host_writes_the_word() {
    apart("words::stream_waits_until_the_host_writes_the_word", || {
        let stream = stream();
        let word = PinnedBuf::<u32>::zeroed(&context(), 1).unwrap();
        let mut after = words(&stream, &[0_u32]);
        // Loading the driver's own kernel for the first fill would wait for the stream.
        after.as_slice_mut().fill(8).unwrap();
        stream.synchronize().unwrap();
        // SAFETY: the word is not dropped before the stream is done.
        let waited = unsafe { stream.wait_value_at(word.device_ptr().unwrap(), Until::at_least(3)) };
        if is_missing(&waited) {
            skip!("this driver has no memory operations of streams");
        }
        waited.unwrap();
        after.as_slice_mut().fill(9).unwrap();
        assert_eq!(stream.is_done(), Ok(false));
        let place = word.as_ptr().cast_mut();
        // SAFETY: aligned, and accessed atomically, or by the device.
        unsafe { std::sync::atomic::AtomicU32::from_ptr(place) }
            .store(3, std::sync::atomic::Ordering::Release);
        stream.synchronize().unwrap();
        assert_eq!(after.to_vec().unwrap(), [9]);
    });
}

#[test]
fn batch_does_its_operations_in_order() {
    let _turn = turn();
    let _alone = alone();
    let stream = stream();
    let ready = words(&stream, &[1_u32]);
    let mut done = words(&stream, &[0_u64]);
    let operations = stream.mem_ops().wait(ready.as_slice(), Until::equal(1)).unwrap();
    let operations = operations.write(done.as_slice_mut(), 5, FLAGS).unwrap();
    assert_eq!(operations.len(), 2);
    let submitted = operations.submit();
    if is_missing(&submitted) {
        skip!("this driver has no memory operations of streams");
    }
    submitted.unwrap();
    assert_eq!(done.to_vec().unwrap(), [5]);
    stream.mem_ops().submit().unwrap();
    if is_since(11, 7) {
        stream.mem_ops().barrier(BarrierScope::System).barrier(BarrierScope::Device).submit().unwrap();
        stream.synchronize().unwrap();
    }
}

/// In a process of its own, whose driver has only the first versions of the functions, and has them enabled.
#[test]
fn first_functions_do_the_same() {
    apart("words::first_functions_do_the_same", || {
        if std::env::var("CUDA_DRIVER").is_ok_and(|driver| driver != "sim") {
            skip!("the driver of the machine is not made older");
        }
        let enabled =
            [DeviceAttribute::CAN_USE_STREAM_MEM_OPS_V1, DeviceAttribute::CAN_USE_64_BIT_STREAM_MEM_OPS_V1];
        let profile = enabled.iter().fold(Profile::H200, |profile, one| profile.with_attribute(one.0, 1));
        let driver_version = DriverVersion::new(11, 4);
        let config = Config { profiles: vec![profile], driver_version, ..Config::default() };
        cuda_sim::install(config).unwrap();
        let stream = Stream::new(&Context::primary(Device::get(0).unwrap()).unwrap()).unwrap();
        let machine = Machine::current();
        machine.record_calls();
        let (mut small, mut large) = (words(&stream, &[0_u32]), words(&stream, &[0_u64]));
        stream.write_value(small.as_slice_mut(), 7, FLAGS).unwrap();
        stream.wait_value(small.as_slice(), Until::equal(7)).unwrap();
        stream.write_value(large.as_slice_mut(), 1 << 40, FLAGS).unwrap();
        stream.wait_value(large.as_slice(), Until::at_least(1 << 40)).unwrap();
        assert_eq!((small.to_vec().unwrap(), large.to_vec().unwrap()), (vec![7], vec![1 << 40]));
        let batch = stream.mem_ops().write(small.as_slice_mut(), 8, FLAGS).unwrap();
        batch.wait(large.as_slice(), Until::any_bit(1 << 40)).unwrap().submit().unwrap();
        assert_eq!(small.to_vec().unwrap(), [8]);
        let calls = machine.take_calls();
        for function in [
            Symbol::cuStreamWriteValue32,
            Symbol::cuStreamWaitValue32,
            Symbol::cuStreamWriteValue64,
            Symbol::cuStreamWaitValue64,
            Symbol::cuStreamBatchMemOp,
        ] {
            assert_eq!(calls.iter().filter(|call| call.function == function).count(), 1, "{function}");
        }
    });
}

#[test]
fn operations_that_the_device_lacks_are_refused() {
    let _turn = turn();
    let _alone = alone();
    let stream = stream();
    let mut word = words(&stream, &[1_u32]);
    let reduced = stream.mem_ops().reduce(word.as_slice_mut(), WordReduction::Add, 1).unwrap().submit();
    if let Err(error) = &reduced {
        assert!(matches!(error.code(), Some(Code::InvalidValue | Code::NotSupported)), "{error}");
    }
    let flushed = stream.mem_ops().flush_remote_writes().submit();
    if let Err(error) = &flushed {
        assert_eq!(error.code(), Some(Code::NotSupported), "{error}");
    }
    assert_eq!(word.to_vec().unwrap(), [1 + u32::from(reduced.is_ok())]);
}

#[test]
fn words_that_cannot_be_used_are_refused_by_name() {
    let _turn = turn();
    let _alone = alone();
    let (stream, other) = (stream(), stream());
    let mut two = words(&stream, &[0_u32, 0]);
    let error = stream.write_value(two.as_slice_mut(), 1, FLAGS).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("the slice has 2 elements; pass a slice of 1"), "{error}");
    let error = other.wait_value(two.slice(..1).unwrap(), Until::equal(0)).unwrap_err();
    let streams = [&stream, &other].map(|stream| format!("{:#x}", stream.as_raw().addr()));
    let text = format!("the word lives on another stream, {} and not {};", streams[0], streams[1]);
    assert!(error.to_string().contains(&text), "{error}");
    let error = other.mem_ops().write(two.slice_mut(..1).unwrap(), 1, FLAGS).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}

#[test]
fn word_of_a_pool_is_refused_by_the_driver() {
    let _turn = turn();
    let _alone = alone();
    let stream = stream();
    if !has_pools() {
        skip!("the device has no pools");
    }
    let mut word = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    let written = stream.write_value(word.as_slice_mut(), 1, FLAGS);
    if is_missing(&written) {
        skip!("this driver has no memory operations of streams");
    }
    let error = written.unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert!(error.to_string().contains("plain or page-locked memory"), "{error}");
}

#[test]
fn word_dropped_before_its_turn_stays_allocated() {
    let _turn = turn();
    let _alone = alone();
    let stream = stream();
    let busy = Busy::new(&stream);
    let mut word = words(&stream, &[0_u32; 0]);
    assert!(word.is_empty());
    word = DeviceBuf::zeroed_in(&stream, 1, MemorySource::Plain).unwrap();
    let written = stream.write_value(word.as_slice_mut(), 1, FLAGS);
    busy.go();
    drop(word);
    if is_missing(&written) {
        skip!("this driver has no memory operations of streams");
    }
    written.unwrap();
    stream.synchronize().unwrap();
}
