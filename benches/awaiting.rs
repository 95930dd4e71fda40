//! The time from the end of a kernel until a thread continues, for each way to wait.
//!
//! ```text
//! CUDA_DRIVER=real cargo bench --bench awaiting
//! ```
//!
//! A row is a way to wait: the median, and the tenth part of the rounds that took longest, in microseconds from the launch to the
//! return. The kernel runs for about 200 microseconds. The ways take turns, so that a change of the clock meets all of them.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::panic, unsafe_code)]

use cuda_rt::completion::WakeBy;
use cuda_rt::{DevicePtr, Event, Kernel, LaunchConfig, Module, Result, Stream};
use std::time::Instant;

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry spin(.param .u64 nanoseconds) {
        .reg .b64 %n; .reg .b64 %s; .reg .b64 %t; .reg .pred %p;
        ld.param.u64 %n, [nanoseconds]; mov.u64 %s, %globaltimer;
        again: mov.u64 %t, %globaltimer; sub.u64 %t, %t, %s; setp.lt.u64 %p, %t, %n; @%p bra again; ret; }";

const NANOSECONDS: u64 = 200_000;

type Spin = Kernel<(DevicePtr<u8>,)>;
type Wait = fn(&Stream, &Event) -> Result<()>;

const WAYS: [(&str, Wait); 5] = [
    ("Stream::synchronize", |stream, _| stream.synchronize()),
    ("Event::synchronize, blocking", |stream, event| event.record(stream)?.synchronize().map(drop)),
    ("Stream::is_done in a loop", |stream, _| {
        while !stream.is_done()? {
            std::hint::spin_loop();
        }
        Ok(())
    }),
    ("await, host function", |stream, _| {
        pollster::block_on(stream.finished()?.wake_by(WakeBy::HostFunction).into_future())
    }),
    ("await, polling thread", |stream, _| {
        pollster::block_on(stream.finished()?.wake_by(WakeBy::Polling).into_future())
    }),
];

fn main() {
    let rounds = std::env::var("ROUNDS").ok().and_then(|number| number.parse().ok()).unwrap_or(200_usize);
    let context = cuda_suite::context();
    let stream = Stream::new(&context).unwrap();
    let event = Event::with_flags(&context, cuda_rt::event::EventFlags::BLOCKING_SYNC).unwrap();
    let module = Module::from_ptx(&context, PTX).unwrap();
    let spin: Spin = module.function("spin").unwrap().typed().unwrap();
    println!("device: {}", context.device().name().unwrap());
    for busy in [false, true] {
        let other = Stream::new(&context).unwrap();
        let mut times = WAYS.map(|_| Vec::with_capacity(rounds));
        for round in 0..rounds + 10 {
            for (way, (_, wait)) in WAYS.iter().enumerate() {
                if busy {
                    // SAFETY: the kernel uses no memory.
                    unsafe {
                        spin.launch(LaunchConfig::new(1, 1), &other, (DevicePtr::from_raw(2 * NANOSECONDS),))
                    }
                    .unwrap();
                }
                let start = Instant::now();
                // SAFETY: as above.
                unsafe { spin.launch(LaunchConfig::new(1, 1), &stream, (DevicePtr::from_raw(NANOSECONDS),)) }
                    .unwrap();
                wait(&stream, &event).unwrap();
                if round >= 10 {
                    times[way].push(start.elapsed().as_secs_f64() * 1e6);
                }
                context.synchronize().unwrap();
            }
        }
        println!(
            "| {} | median, µs | 90th percentile, µs |\n|---|---|---|",
            if busy { "another stream busy" } else { "idle device" }
        );
        for ((name, _), mut times) in WAYS.iter().zip(times) {
            times.sort_by(f64::total_cmp);
            println!("| {name} | {:.1} | {:.1} |", times[rounds / 2], times[rounds * 9 / 10]);
        }
    }
}
