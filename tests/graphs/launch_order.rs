//! The order of launches with the home streams of what graphs use.

use crate::setup::{capture, instantiate, kernel, module, place, words};
use cuda_rt::graph::GraphExec;
use cuda_rt::launch::Arg;
use cuda_rt::{DeviceBuf, LaunchConfig, Stream};
use std::time::Duration;

/// Holds a stream up for a while.
fn hold_up(stream: &Stream) {
    stream.launch_host_function(|| std::thread::sleep(Duration::from_millis(20))).unwrap();
}

/// A graph that adds one to a number.
fn counter(buffer: &DeviceBuf<u32>) -> GraphExec {
    let module = module(buffer.stream().context());
    let add = kernel(&module, "add");
    let mut graph = capture(|c| {
        // SAFETY: one thread changes one number, which the graph keeps; launches are ordered with its home.
        unsafe { add.with(LaunchConfig::new(1, 1)).launch(c, (Arg(buffer.ptr(), buffer), 1_u32)) }
    });
    instantiate(&mut graph)
}

#[test]
fn launch_elsewhere_comes_after_the_home() {
    let (context, home) = place();
    let mut buffer = words(&home, &[0]);
    let mut program = counter(&buffer);
    let other = Stream::new(&context).unwrap();
    hold_up(&home);
    buffer.as_slice_mut().fill(10).unwrap();
    program.launch(&other).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [11]);
}

#[test]
fn home_comes_after_a_launch_elsewhere() {
    let (context, home) = place();
    let buffer = words(&home, &[0]);
    let mut program = counter(&buffer);
    let other = Stream::new(&context).unwrap();
    for round in 1..=5 {
        hold_up(&other);
        program.launch(&other).unwrap();
        assert_eq!(buffer.to_vec().unwrap(), [round]);
    }
    // So the release comes after the launch, too.
    hold_up(&other);
    program.launch(&other).unwrap();
    drop(buffer);
    drop(program);
    other.synchronize().unwrap();
}

#[test]
fn two_executables_meet_at_the_home() {
    let (context, home) = place();
    let buffer = words(&home, &[0]);
    let mut programs = [counter(&buffer), counter(&buffer)];
    let streams = [Stream::new(&context).unwrap(), Stream::new(&context).unwrap()];
    for round in 0..100 {
        for (program, stream) in programs.iter_mut().zip(&streams) {
            program.launch(stream).unwrap();
        }
        if round % 7 == 0 {
            assert_eq!(buffer.to_vec().unwrap(), [2 * (round + 1)]);
        }
    }
    assert_eq!(buffer.to_vec().unwrap(), [200]);
}

#[test]
fn memory_of_two_homes_waits_for_both() {
    let (context, first) = place();
    let second = Stream::new(&context).unwrap();
    let (mut from, mut to) = (words(&first, &[1; 4]), words(&second, &[0; 4]));
    let mut program = instantiate(&mut capture(|c| c.copy(&mut to, &from)));
    let third = Stream::new(&context).unwrap();
    for stream in [&first, &second, &third] {
        hold_up(&first);
        from.as_slice_mut().fill(5).unwrap();
        hold_up(&second);
        to.as_slice_mut().fill(0).unwrap();
        program.launch(stream).unwrap();
        from.as_slice_mut().fill(6).unwrap();
        assert_eq!(to.to_vec().unwrap(), [5; 4]);
    }
}
