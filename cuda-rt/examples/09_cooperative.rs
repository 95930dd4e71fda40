//! Lets all blocks of a grid wait for each other inside the kernel, as `cooperative_groups::this_grid().sync()` does. The launch is
//! cooperative: the driver runs all blocks at the same time, or refuses the launch.
//!
//! ```text
//! cargo run --release --example 09_cooperative
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, LaunchConfig, Module, Stream};

const BLOCK: u32 = 128;
const LEN: u32 = 4000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let device = Device::get(0)?;
    if !device.cooperative_launch()? {
        println!("this device has no cooperative launches");
        return Ok(());
    }
    let context = Context::primary(device)?;
    let stream = Stream::new(&context)?;
    let module = Module::from_ptx(&context, include_str!("09_cooperative.ptx"))?;
    type Args = (DevicePtr<u32>, DevicePtr<u32>, DevicePtr<u32>, DevicePtr<u32>, u32);
    let rest = module.function("rest")?.typed::<Args>()?;

    let config = LaunchConfig::for_elements(LEN as usize, BLOCK);
    let at_once = rest.function().max_active_blocks_per_multiprocessor(BLOCK, 0)?;
    let multiprocessors = u32::try_from(device.multiprocessor_count()?)?;
    println!("{} blocks; at once fit {at_once} on each of {multiprocessors} multiprocessors", config.grid[0]);

    // Each thread adds its number to a total, waits for all threads, and writes the sum of the other numbers.
    let x: Vec<u32> = (1..=LEN).collect();
    let input = DeviceBuf::from_host(&stream, &x)?;
    let out = DeviceBuf::<u32>::zeroed(&stream, x.len())?;
    let (total, arrived) = (DeviceBuf::<u32>::zeroed(&stream, 1)?, DeviceBuf::<u32>::zeroed(&stream, 1)?);
    let args = (input.ptr(), out.ptr(), total.ptr(), arrived.ptr(), LEN);
    // SAFETY: the kernel compares its index with LEN, which is the length of `input` and `out`. The counters are 0, and all buffers live
    // on the stream.
    unsafe { rest.with(config).cooperative().launch(&stream, args) }?;
    let sum = x.iter().sum::<u32>();
    println!("the sum is {:?}", total.to_vec()?);
    match out.to_vec()?.iter().zip(&x).find(|(rest, x)| **rest != sum - **x) {
        None => println!("{LEN} threads have seen it"),
        Some((rest, x)) => return Err(format!("without {x} the sum is {rest}").into()),
    }

    // More blocks than the device holds cannot wait for each other.
    let large = LaunchConfig::new(1_000_000, BLOCK);
    // SAFETY: as above, and the counters are not 0, so that no block would wait.
    match unsafe { rest.with(large).cooperative().launch(&stream, args) } {
        Ok(()) => Err("the device holds a million blocks".into()),
        Err(refused) => {
            println!("{refused}");
            Ok(())
        }
    }
}
