//! Work of one device that another device has a part in, when handles to contexts and memory end under it.

#![allow(clippy::unwrap_used)]
#![allow(unsafe_code)] // what others do

use cuda_rt::{Context, ContextFlags, Device, DeviceBuf, MemorySource, Stream};
use cuda_sim::{Config, FaultRule, Schedule};
use cuda_suite::raw::machine;
use cuda_suite::reports;
use cuda_sys::{CUresult, Symbol};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

const REFUSED: CUresult = CUresult::CUDA_ERROR_OUT_OF_MEMORY;

fn pair() -> (Context, Context) {
    let own = |device| Context::new(Device::get(device).unwrap(), ContextFlags::default()).unwrap();
    (own(0), own(1))
}

/// Gives a copy between devices away, so that no buffer of this crate waits for it. It goes on when the sender is used.
fn copy_given_away(first: &Context, second: &Context, done: &Arc<AtomicBool>) -> mpsc::Sender<()> {
    let (to, from) = (Stream::new(first).unwrap(), Stream::new(second).unwrap());
    let mut copied = DeviceBuf::<u32>::zeroed(&to, 1000).unwrap();
    let source = DeviceBuf::<u32>::zeroed(&from, 1000).unwrap();
    let (go, wait) = mpsc::channel();
    let done = done.clone();
    to.launch_host_function(move || {
        let _ = wait.recv();
        done.store(true, Ordering::SeqCst);
    })
    .unwrap();
    copied.copy_from_device(source.as_slice()).unwrap();
    let _ = (copied.into_raw(), source.into_raw());
    go
}

#[test]
fn the_last_handle_waits_for_copies_between_devices() {
    let (machine, _entered) = machine(Config::default());
    let primary = |device| Context::primary(Device::get(device).unwrap()).unwrap();
    let (first, second) = (primary(0), primary(1));
    // Others hold the contexts, too, so that the driver does not wait.
    for device in [0, 1] {
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write.
        assert!(unsafe { cuda_sys::cuDevicePrimaryCtxRetain(&raw mut raw, device) }.is_success());
    }
    let done = Arc::new(AtomicBool::new(false));
    let go = copy_given_away(&first, &second, &done);
    // Not the last one.
    drop(primary(0));
    assert!(!done.load(Ordering::SeqCst));
    let entered = machine.clone();
    let waker = thread::spawn(move || {
        let _entered = entered.enter();
        thread::sleep(Duration::from_millis(50));
        go.send(()).unwrap();
    });
    drop((first, second));
    assert!(done.load(Ordering::SeqCst), "the event of the copy is the context's");
    waker.join().unwrap();
    assert_eq!(machine.live().events, 0);
}

#[test]
fn a_context_stays_if_its_copies_cannot_be_waited_for() {
    let (machine, _entered) = machine(Config::default());
    let primary = |device| Context::primary(Device::get(device).unwrap()).unwrap();
    let (first, second) = (primary(0), primary(1));
    let done = Arc::new(AtomicBool::new(false));
    let go = copy_given_away(&first, &second, &done);
    machine.inject(FaultRule::new(Symbol::cuEventQuery, REFUSED).times(2));
    let told = reports(|| drop(first));
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(!done.load(Ordering::SeqCst));
    let is_active = || Device::get(0).unwrap().primary_context_state().unwrap().is_active;
    assert!(is_active());
    go.send(()).unwrap();
    let next = primary(0);
    next.synchronize().unwrap();
    // The next handle finds the copy done.
    drop(next);
    assert_eq!(machine.live().events, 0);
    drop(second);
}

#[test]
fn memory_is_freed_after_a_guard_on_another_device() {
    let (machine, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
    let (first, second) = pair();
    let (work, home) = (Stream::new(&first).unwrap(), Stream::new(&second).unwrap());
    let done = Arc::new(AtomicBool::new(false));
    let buffer = DeviceBuf::<u32>::zeroed_in(&home, 1000, MemorySource::Plain).unwrap();
    let guard = buffer.use_on(&work).unwrap();
    let at_end = done.clone();
    work.launch_host_function(move || at_end.store(true, Ordering::SeqCst)).unwrap();
    guard.close().unwrap();
    assert!(!done.load(Ordering::SeqCst), "the guard does not wait");
    // The driver would take the access of the other device away before it waits.
    drop(buffer);
    assert!(done.load(Ordering::SeqCst));
    drop((work, home, first, second));
    assert_eq!(machine.live().events, 0);
}
