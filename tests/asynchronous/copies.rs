//! Copies as futures.

use crate::alone;
use crate::busy::Busy;
use crate::executors::{counting, poll, wait_until};
use cuda_rt::completion::WakeBy;
use cuda_rt::memory::{RegisterFlags, RegisteredBuf};
use cuda_rt::{DeviceBuf, PinnedBuf};
use cuda_suite::{context, stream};
use std::future::IntoFuture;
use std::task::{Poll, Waker};

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
        // Memory that was freed would be given to these.
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
    let busy = Busy::new(&stream);
    let host = RegisteredBuf::new(&context(), vec![0_u8; BYTES], RegisterFlags::empty()).unwrap();
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
