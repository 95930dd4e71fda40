//! Orders two streams by an event, and takes times between events. The first stream uploads, and the second one waits for that in the
//! device's queue: the host waits once, at the end.
//!
//! ```text
//! cargo run --release --example 10_streams_events
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::memory::MemorySource;
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, Event, LaunchConfig, Module, PinnedBuf, Stream};

const LEN: usize = 1 << 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let context = Context::primary(Device::get(0)?)?;
    let (uploads, kernels) = (Stream::new(&context)?, Stream::new(&context)?);
    let module = Module::from_ptx(&context, include_str!("vector_add.ptx"))?;
    type Args = (DevicePtr<f32>, DevicePtr<f32>, DevicePtr<f32>, u32);
    let add = module.function("vector_add")?.typed::<Args>()?;
    let (begin, uploaded, end) = (Event::new(&context)?, Event::new(&context)?, Event::new(&context)?);

    // Plain memory is freed when all work of the context is done. The free of other memory is ordered with its own stream alone.
    let mut input = DeviceBuf::<f32>::uninit_in(&uploads, LEN, MemorySource::Plain)?;
    let sums = DeviceBuf::<f32>::uninit(&kernels, LEN)?;
    let numbers = PinnedBuf::from_fn(&context, LEN, |i| i as f32)?;

    begin.record(&uploads)?;
    let copy = input.copy_from_pinned(numbers)?; // does not wait
    uploaded.record(&uploads)?;

    // Without this line the kernel might read before the copy has written.
    kernels.wait_event(&uploaded)?;
    let args = (input.ptr(), input.ptr(), sums.ptr(), u32::try_from(LEN)?);
    // SAFETY: the buffers have LEN elements. `input` was written before, and stays until the kernel is done. `sums` lives on the stream.
    unsafe { add.launch(LaunchConfig::for_elements(LEN, 256), &kernels, args) }?;
    end.record(&kernels)?;

    end.synchronize()?;
    drop(copy.wait()?);
    println!("upload: {:?}", uploaded.elapsed_since(&begin)?);
    println!("kernel: {:?}", end.elapsed_since(&uploaded)?);
    println!("done: {} and {}", uploads.is_done()?, kernels.is_done()?);
    match sums.to_vec()?.iter().zip(0..).find(|(sum, i)| **sum != 2.0 * *i as f32) {
        None => println!("{LEN} sums, all right"),
        Some((sum, i)) => return Err(format!("sum {i} is {sum}").into()),
    }
    Ok(())
}
