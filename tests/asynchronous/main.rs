//! Streams beyond their queues: awaiting, attributes, values in memory, captures of other code; on whichever driver `CUDA_DRIVER`
//! names.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod awaiting;
#[path = "../suite/busy.rs"]
mod busy;
mod captures;
mod copies;
mod executors;

use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A kernel with argument types that fit.
fn typed<A: cuda_rt::launch::KernelArgs>(function: &cuda_rt::Function) -> cuda_rt::Kernel<A> {
    function.typed().unwrap()
}

/// Lets one test run at a time: freeing page-locked memory waits for kernels of other tests.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    cuda_suite::driver();
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a test in a process of its own, for example because nothing works after a fault.
fn apart(name: &str, test: impl FnOnce()) {
    const INSIDE: &str = "CUDA_TEST_APART";
    if std::env::var_os(INSIDE).is_some() {
        return test();
    }
    let program = std::env::current_exe().unwrap();
    let output =
        Command::new(program).args(["--exact", name, "--nocapture"]).env(INSIDE, "").output().unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    for line in text[1].lines().filter(|line| line.starts_with("SKIP")) {
        cuda_suite::say(line);
    }
    assert!(output.status.success(), "{}\n{}", text[0], text[1]);
}
