//! Asks which memory the kernels and the host can access in place, and prints a table. With these answers, a program uses memory
//! in place where that is possible, and copies it otherwise.
//! Without a GPU, `CUDA_SIM` describes the machine:
//!
//! ```text
//! CUDA_SIM=profile=gh200 cargo run --release --example 18_access_patterns
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::access::{Memory, Viewpoint, can_access};
use cuda_rt::memory::{MemAttach, MemorySource};
use cuda_rt::{Context, Device, DeviceBuf, ManagedBuf, PinnedBuf, Result, Stream};

fn show(name: &str, memory: &dyn Memory, context: &Context) -> Result<()> {
    let word = |reached| if reached { "in place" } else { "by a copy" };
    let (kernels, host) = (can_access(context, memory)?, can_access(Viewpoint::Host, memory)?);
    println!("{name:<38} {:<20} {}", word(kernels), word(host));
    Ok(())
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let device = Device::get(0)?;
    let context = Context::primary(device)?;
    let stream = Stream::new(&context)?;
    println!("{:<38} {:<20} the host", device.name()?, format!("kernels on {device}"));

    show("pageable", &vec![1_u32; 4].as_slice(), &context)?;
    show("pinned", &PinnedBuf::<u32>::zeroed(&context, 4)?, &context)?;
    show("device", &DeviceBuf::<u32>::zeroed(&stream, 4)?, &context)?;
    if device.managed_memory()? {
        show("managed", &ManagedBuf::from_host(&stream, &[1_u32; 4], MemAttach::Global)?, &context)?;
    }
    let Ok(other) = Device::get(1) else { return Ok(()) };
    let owner = Context::primary(other)?;
    let theirs = Stream::new(&owner)?;
    let pooled = DeviceBuf::<u32>::zeroed(&theirs, 4)?;
    let plain = DeviceBuf::<u32>::zeroed_in(&theirs, 4, MemorySource::Plain)?;
    show("device 1, of a pool", &pooled, &context)?;
    show("device 1, plain", &plain, &context)?;
    if device.can_access_peer(other)? {
        let _access = context.peer_access(&owner)?; // until the guard is dropped
        show("device 1, of a pool, with peer access", &pooled, &context)?;
        show("device 1, plain, with peer access", &plain, &context)?;
    }
    Ok(())
}
