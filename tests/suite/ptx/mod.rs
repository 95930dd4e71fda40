//! What PTX instructions compute, and the kernels of `tests/kernels`, compared with host arithmetic.
//!
//! Expected values come from the host, never from a driver: both drivers are judged by them.

mod approximate;
mod asynchronous;
mod atomics;
mod barriers;
mod calls;
mod conversions;
mod device;
mod families;
mod floats;
mod images;
mod integers;
mod kernels;
mod matrices;
mod memories;
mod narrow;
mod operation;
mod printing;
mod video;
mod warps;
mod wide;

use device::{Arg, Device};
use operation::{Operation, edges16, edges32, edges64, guards_are_right, numbers, pairs, triples};

/// Runs a test in a process of its own: after a fault nothing works any more, and handles of objects that are gone may
/// be given to those of other tests.
#[allow(clippy::print_stdout)]
fn alone(name: &str, work: fn()) {
    const CHILD: &str = "CUDA_SUITE_ALONE";
    if std::env::var_os(CHILD).is_some() {
        work();
        println!("done");
        // Nothing can be given back after a fault.
        std::process::exit(0);
    }
    cuda_suite::driver();
    let name = format!("ptx::{name}");
    let program = std::env::current_exe().unwrap();
    let child = std::process::Command::new(program)
        .args(["--exact", &name, "--nocapture"])
        .env(CHILD, "1")
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    assert!(child.status.success() && out.contains("done"), "{out}\n{err}");
}
