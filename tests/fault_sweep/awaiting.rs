//! Programs that await the device.
//!
//! The thread that asks for futures is on no machine of the sweep, so tasks are polled without being woken.

use crate::scenarios::{Done, Scenario, own, plain};
use cuda_rt::completion::WakeBy;
use cuda_rt::{DeviceBuf, Event, Stream};
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

pub(crate) const SCENARIOS: &[Scenario] = &[plain("awaiting", awaited), plain(WOKEN, woken)];

/// The scenario in which another way to be woken is found if a call fails.
pub(crate) const WOKEN: &str = "awaiting with host functions";

fn finish<F: Future + Unpin>(mut future: F) -> F::Output {
    loop {
        match Pin::new(&mut future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(output) => return output,
            Poll::Pending => std::thread::yield_now(),
        }
    }
}

fn awaited() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let buffer = DeviceBuf::from_host(&stream, &[1, 2, 3])?;
    finish(stream.finished()?.wake_by(WakeBy::Polling))?;
    let event = Event::new(&context)?;
    finish(event.record(&stream)?.finished()?.wake_by(WakeBy::Polling))?;
    let host = finish(buffer.to_pinned()?.into_future().wake_by(WakeBy::Polling))?;
    assert_eq!(host[..], [1, 2, 3]);
    host.close()?;
    event.close()?;
    drop(buffer);
    stream.close()
}

fn woken() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    for number in 0..3_u8 {
        let buffer = DeviceBuf::from_host(&stream, &[number])?;
        finish(stream.finished()?)?;
        drop(buffer);
    }
    stream.close()
}
