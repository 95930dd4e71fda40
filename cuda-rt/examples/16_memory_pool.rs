//! Allocates memory of a pool, in the order of a stream. The pool keeps freed memory up to its release threshold, so that the next
//! allocation costs no work of the operating system.
//!
//! ```text
//! cargo run --release --example 16_memory_pool
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::memory::{MemPool, MemPoolOptions};
use cuda_rt::{Context, Device, DeviceBuf, Stream};

fn show(when: &str, pool: &MemPool) -> cuda_rt::Result<()> {
    let usage = pool.usage()?;
    let mib = |bytes: u64| bytes >> 20;
    println!("{when:<42} {:>8} {:>12} {:>14}", mib(usage.used), mib(usage.used_high), mib(usage.reserved));
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let device = Device::get(0)?;
    if !device.memory_pools_supported()? {
        println!("this device has no memory pools");
        return Ok(());
    }
    let stream = Stream::new(&Context::primary(device)?)?;
    let pool = MemPool::new(device, MemPoolOptions::new())?;
    pool.set_release_threshold(1 << 30)?;
    println!("{:<42} {:>8} {:>12} {:>14}", "", "used MiB", "highest MiB", "reserved MiB");
    show("new", &pool)?;

    let buffer = DeviceBuf::<u8>::uninit_in(&stream, 64 << 20, &pool)?;
    show("a buffer of 64 MiB", &pool)?;
    drop(buffer); // does not wait: the memory is free when the stream is that far
    stream.synchronize()?;
    show("it is freed", &pool)?;

    // Every buffer of this loop has the same memory.
    for _ in 0..100 {
        DeviceBuf::<u8>::uninit_in(&stream, 32 << 20, &pool)?;
    }
    stream.synchronize()?;
    show("100 buffers of 32 MiB, one after the other", &pool)?;

    pool.trim_to(0)?;
    show("trimmed to 0", &pool)?;
    Ok(())
}
