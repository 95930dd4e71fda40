//! Runs a driver-API program with a mistake, on the driver that `CUDA_DRIVER` names.
//!
//! ```sh
//! CUDA_SIM=memcheck=on cargo run --example mistakes past-the-end
//! CUDA_DRIVER=real compute-sanitizer target/debug/examples/mistakes past-the-end
//! ```

#![allow(clippy::print_stdout)]

use cuda_suite::mistakes::{PROGRAMS, run};

fn main() {
    let Some(name) = std::env::args().nth(1) else {
        let names: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
        return println!("usage: mistakes PROGRAM\nprograms: {}", names.join(", "));
    };
    cuda_suite::driver();
    cuda_suite::call!(cuda_sys::cuInit(0));
    println!("{name}: {:?}", run(&name));
}
