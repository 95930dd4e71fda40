//! Tests the error paths of a program: one call fails by a rule, then every call fails in turn. The program under test takes smaller
//! buffers if memory runs out. This runs on private machines of `cuda-sim`, also where there is a GPU.
//!
//! ```text
//! cargo run --release --example 25_fault_injection
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::error::Code;
use cuda_rt::sys::{CUresult, Symbol};
use cuda_rt::{Context, Device, DeviceBuf, Result, Stream};
use cuda_sim::sweep::Sweep;
use cuda_sim::{Config, FaultRule, Machine};

/// The code under test: fills a buffer part by part, and returns the length of a part.
fn fill(len: usize) -> Result<usize> {
    let stream = Stream::new(&Context::primary(Device::get(0)?)?)?;
    let mut part = len;
    let buffer = loop {
        match DeviceBuf::<u8>::zeroed(&stream, part) {
            Err(error) if error.code() == Some(Code::OutOfMemory) && part > 256 => part /= 2,
            other => break other?,
        }
    };
    stream.synchronize()?;
    buffer.close()?;
    stream.close()?;
    Ok(part)
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    cuda_sim::install_once()?;

    // A machine of this thread alone. The first two allocations fail.
    let machine = Machine::new(Config::default());
    let entered = machine.enter();
    let rule = FaultRule::new(Symbol::cuMemAllocAsync, CUresult::CUDA_ERROR_OUT_OF_MEMORY);
    machine.inject(rule.times(2));
    machine.record_calls();
    println!("parts of {} bytes", fill(1024)?);
    let refused = machine.take_calls().iter().filter(|call| call.code != CUresult::CUDA_SUCCESS).count();
    println!("{refused} calls failed, left: {}", machine.live());
    drop(entered);

    // Destructors that fail call this hook. Without it, they print a line.
    cuda_rt::handle::set_drop_hook(|_| {});
    // Each call fails once, in every way that CUDA documents for it, on a new machine each time.
    let report = Sweep::new(|| fill(1024))
        .check(|run| match (run.case(), run.result()) {
            (None, Ok(1024)) => Ok(()),
            // The program went on, or its error names the call that failed.
            (Some(_), Ok(_)) => Ok(()),
            (Some(case), Err(error)) if error.to_string().contains(case.function()) => Ok(()),
            // After a sticky error, other calls report it, too.
            (Some(_), Err(error)) if error.is_sticky() => Ok(()),
            (_, result) => Err(format!("it returned {result:?}")),
        })
        .run();
    println!("{report}");
    if report.is_ok() { Ok(()) } else { Err("the program has a mistake".into()) }
}
