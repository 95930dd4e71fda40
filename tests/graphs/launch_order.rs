//! The order of launches with the home streams of the memory of graphs.

use crate::setup::{capture, instantiate, is_since, kernel, module, place, words};
use cuda_rt::error::ErrorKind;
use cuda_rt::graph::{Graph, GraphExec};
use cuda_rt::launch::Arg;
use cuda_rt::{DeviceBuf, LaunchConfig, Stream};
use cuda_suite::{Choice, driver, skip};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

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

/// Sets its flag when it is dropped.
struct Canary(Arc<AtomicBool>);

impl Drop for Canary {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Waits until `stage` is at `value`, or for so long that a test must have failed.
fn until(stage: &AtomicU32, value: u32) {
    let start = Instant::now();
    while stage.load(Ordering::SeqCst) < value && start.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Returns whether a host function begins without a wait for it. If not, it does not wait either.
fn begins(stage: &AtomicU32) -> bool {
    let start = Instant::now();
    while stage.load(Ordering::SeqCst) == 0 && start.elapsed() < Duration::from_secs(3) {
        std::thread::sleep(Duration::from_millis(1));
    }
    stage.compare_exchange(0, 2, Ordering::SeqCst, Ordering::SeqCst).is_err()
}

/// A graph with a host function, and whether the function was dropped. The function sets the stage to 1, calls `inside`, and waits for
/// the stage 2. Then it sets the stage to 3, if the value that it owns is still there.
fn slow(stage: &Arc<AtomicU32>, inside: impl Fn() + Send + Sync + 'static) -> (Graph, Arc<AtomicBool>) {
    let dropped = Arc::new(AtomicBool::new(false));
    let (canary, seen, stage) = (Canary(Arc::clone(&dropped)), Arc::clone(&dropped), Arc::clone(stage));
    let graph = capture(|c| {
        c.host(move || {
            let _owned = &canary;
            inside();
            let _ = stage.compare_exchange(0, 1, Ordering::SeqCst, Ordering::SeqCst);
            until(&stage, 2);
            if !seen.load(Ordering::SeqCst) {
                stage.store(3, Ordering::SeqCst);
            }
        })
    });
    (graph, dropped)
}

/// Drops an executable graph whose host function runs: what it owns must stay.
fn drop_while_it_runs(program: GraphExec, stage: &AtomicU32, dropped: &AtomicBool) {
    drop(program);
    std::thread::sleep(Duration::from_millis(50));
    assert!(!dropped.load(Ordering::SeqCst), "the function that runs was dropped");
    stage.store(2, Ordering::SeqCst);
    until(stage, 3);
    assert_eq!(stage.load(Ordering::SeqCst), 3);
}

#[test]
fn refused_launch_is_not_the_last_one() {
    if driver() == Choice::Real {
        skip!("it would hold up the host functions of other tests");
    }
    let (context, stream) = place();
    let other = Stream::new(&context).unwrap();
    let stage = Arc::new(AtomicU32::new(0));
    let slot: Arc<Mutex<Option<GraphExec>>> = Arc::default();
    let (mut graph, dropped) = {
        let (slot, other) = (Arc::downgrade(&slot), other.clone());
        slow(&stage, move || {
            let slot = slot.upgrade().unwrap();
            let error = slot.lock().unwrap().as_mut().unwrap().launch(&other).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InsideHostFunction);
        })
    };
    let mut program = instantiate(&mut graph);
    drop(graph);
    let mut place = slot.lock().unwrap();
    program.launch(&stream).unwrap();
    *place = Some(program);
    drop(place);
    if !begins(&stage) {
        skip!("nothing runs before it is waited for");
    }
    let program = slot.lock().unwrap().take().unwrap();
    drop_while_it_runs(program, &stage, &dropped);
    stream.synchronize().unwrap();
}

#[test]
fn upload_elsewhere_does_not_end_a_launch() {
    if driver() == Choice::Real {
        skip!("it would hold up the host functions of other tests");
    }
    let (context, stream) = place();
    let other = Stream::new(&context).unwrap();
    let stage = Arc::new(AtomicU32::new(0));
    let (mut graph, dropped) = slow(&stage, || ());
    let mut program = instantiate(&mut graph);
    drop(graph);
    program.launch(&stream).unwrap();
    if !begins(&stage) {
        skip!("nothing runs before it is waited for");
    }
    match program.upload(&other) {
        Err(error) if !is_since(11, 1) => assert_eq!(error.kind(), ErrorKind::FunctionMissing),
        uploaded => uploaded.unwrap(),
    }
    if is_since(11, 1) {
        // Work behind the upload comes after the launch.
        assert!(!other.is_done().unwrap());
    }
    drop_while_it_runs(program, &stage, &dropped);
    stream.synchronize().unwrap();
    other.synchronize().unwrap();
}
