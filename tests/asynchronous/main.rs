//! Streams beyond their queues: awaiting, attributes, values in memory, captures of other code; on the driver that `CUDA_DRIVER`
//! names.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod attributes;
mod awaiting;
#[path = "../suite/busy.rs"]
mod busy;
mod captures;
mod copies;
mod executors;
mod words;

use cuda_suite::apart;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A kernel with argument types that fit.
fn typed<A: cuda_rt::launch::KernelArgs>(function: &cuda_rt::Function) -> cuda_rt::Kernel<A> {
    function.typed().unwrap()
}

/// Returns whether the loaded driver is for this release or a newer one.
fn is_since(major: u16, minor: u16) -> bool {
    cuda_suite::driver();
    cuda_rt::driver_version().unwrap() >= cuda_rt::driver::DriverVersion::new(major, minor)
}

/// Returns whether the device has memory pools. Without pools, freeing device memory waits for all work of the context.
fn has_pools() -> bool {
    is_since(11, 2) && cuda_suite::device().memory_pools_supported().unwrap()
}

/// Lets one test run at a time: freeing page-locked memory waits for kernels of other tests.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    cuda_suite::driver();
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}
