//! Random sequences of operations, compared with models of a few lines. The models cover current contexts, peer access, copies
//! with host memory, words that streams write and wait for, and drops in any order.

#![allow(clippy::unwrap_used, clippy::panic)]
#![allow(unsafe_code)] // the raw API, where a model is about what others do

mod drops;
mod mappings;
mod objects;
mod peers;
mod pools;
mod references;
mod stacks;
mod transfers;
mod words;

use cuda_rt::Error;
use cuda_sim::{Config, Machine, MachineGuard};
use proptest::test_runner::Config as Cases;
use std::cell::RefCell;
use std::sync::Once;

thread_local! {
    static TOLD: RefCell<Vec<Error>> = const { RefCell::new(Vec::new()) };
}

/// Returns the errors that the drop hook has received on this thread since the last call.
fn told() -> Vec<Error> {
    TOLD.take()
}

/// A machine of its own, which this thread is on.
fn machine(config: Config) -> (Machine, MachineGuard) {
    static ONCE: Once = Once::new();
    let entered = cuda_suite::raw::machine(config);
    ONCE.call_once(|| {
        cuda_rt::init().unwrap();
        cuda_rt::handle::set_drop_hook(|error| TOLD.with_borrow_mut(|told| told.push(error.clone())));
    });
    told();
    entered
}

/// The number of sequences, unless `PROPTEST_CASES` is set.
fn cases(count: u32) -> Cases {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    // Found failures are for their own test, not for a file.
    Cases { cases: wanted.unwrap_or(count), failure_persistence: None, ..Cases::default() }
}
