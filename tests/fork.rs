//! After `fork` the driver is the parent's: in the child nothing is released, and nothing crashes.
//!
//! On hardware, destroying a stream in the child would crash it (measured, driver 580).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, unsafe_code)]

#[cfg(unix)]
fn main() {
    use cuda_rt::{DeviceBuf, Event, Module, Stream};

    // As the test harness names it, for those who count.
    println!("\nrunning 1 test");
    let context = cuda_suite::context();
    let guarded = context.clone();
    let stream = Stream::new(&context).unwrap();
    let event = Event::new(&context).unwrap();
    let buffer = DeviceBuf::from_host(&stream, &[1, 2, 3]).unwrap();
    let module = Module::from_ptx(&context, ".version 6.4 .target sm_50 .address_size 64").unwrap();
    event.record(&stream).unwrap();
    let entered = guarded.enter().unwrap();
    stream.synchronize().unwrap();

    // SAFETY: there is a single thread, so the child can do what a program can do.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork failed");
    if child == 0 {
        drop((entered, buffer, event, module, stream, context));
        // SAFETY: the child ends here, without the parent's exit handlers.
        unsafe { libc::_exit(7) };
    }
    let mut status = 0;
    // SAFETY: `status` is valid for a write.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 7, "the child ended with {status:#x}");

    // The parent's objects are what they were.
    assert_eq!(buffer.to_vec().unwrap(), [1, 2, 3]);
    assert!(event.is_done().unwrap());
    drop(entered);
    println!("test objects_survive_a_fork ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored");
}

#[cfg(not(unix))]
fn main() {}
