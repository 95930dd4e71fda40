//! Work that is still running.
#![allow(unsafe_code)]

use crate::busy::PTX;
use cuda_rt::error::Code;
use cuda_rt::{DeviceBuf, DevicePtr, Event, LaunchConfig, Module, Stream};
use cuda_suite::{context, stream};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// The word that the kernel waits for. It is set when the test ends, in any way.
struct Go(&'static AtomicU32);

impl Go {
    fn new() -> Go {
        let context = context();
        let _entered = context.enter().unwrap();
        let mut word = std::ptr::null_mut();
        // SAFETY: valid for a write; the context is current.
        assert!(unsafe { cuda_sys::cuMemHostAlloc(&raw mut word, 4, 0) }.is_success());
        // SAFETY: 4 bytes, aligned, zero at first, and never freed: both sides access them atomically.
        Go(unsafe { AtomicU32::from_ptr(word.cast()) })
    }

    fn say(&self) {
        self.0.store(1, Ordering::Release);
    }
}

impl Drop for Go {
    fn drop(&mut self) {
        self.say();
    }
}

#[test]
fn queries_say_not_yet_and_drops_do_not_wait() {
    // In a process of its own: unloading a module, as other tests do, would wait for the kernel with a lock held that
    // the calls here need.
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "unfinished_work::child", "--ignored", "--nocapture"])
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    assert!(child.status.success() && out.contains("1 passed"), "{out}\n{err}");
}

#[test]
#[ignore = "runs in a child process"]
fn child() {
    let (context, stream) = (context(), stream());
    let hold = Module::from_ptx(&context, PTX).unwrap().function("hold").unwrap();
    let hold = hold.typed::<(DevicePtr<u32>,)>().unwrap();
    let (start, end) = (Event::new(&context).unwrap(), Event::new(&context).unwrap());
    let (other, dropped) = (Stream::new(&context).unwrap(), Event::new(&context).unwrap());
    let buffer = DeviceBuf::<u8>::zeroed(&other, 1000).unwrap();
    other.synchronize().unwrap();
    let go = Go::new();

    start.record(&stream).unwrap();
    let at = DevicePtr::from_raw(go.0.as_ptr().addr() as u64);
    // SAFETY: one thread reads a word of page-locked memory, which is mapped at the same address and never freed.
    unsafe { hold.launch(LaunchConfig::new(1, 1), &stream, (at,)) }.unwrap();
    end.record(&stream).unwrap();

    assert!(!stream.is_done().unwrap());
    assert!(!end.is_done().unwrap());
    assert_eq!(end.milliseconds_since(&start).unwrap_err().code(), Some(Code::NotReady));
    // Destroyed with work pending, all of them.
    assert!(other.is_done().unwrap());
    other.wait_event(&end).unwrap();
    dropped.record(&other).unwrap();
    assert!(!other.is_done().unwrap(), "it waits for the event");
    drop((buffer, other, dropped));
    assert!(!end.is_done().unwrap(), "nothing has waited for the kernel");

    go.say();
    end.synchronize().unwrap();
    assert!(end.is_done().unwrap());
    assert!(end.milliseconds_since(&start).unwrap() > 0.0);
    stream.synchronize().unwrap();
}
