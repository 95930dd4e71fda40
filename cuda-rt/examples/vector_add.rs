//! Adds two vectors on the device and checks every element.
//!
//! ```text
//! cargo run --release --example vector_add
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, LaunchConfig, Module, Stream};

const PTX: &str = include_str!("vector_add.ptx");
const LEN: usize = 1_000_003;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let device = Device::get(0)?;
    println!("device: {}", device.name()?);

    let context = Context::primary(device)?;
    let stream = Stream::new(&context)?;
    let module = Module::from_ptx(&context, PTX)?;
    type Args = (DevicePtr<f32>, DevicePtr<f32>, DevicePtr<f32>, u32);
    let add = module.function("vector_add")?.typed::<Args>()?;

    let a: Vec<f32> = (0..LEN).map(|i| i as f32).collect();
    let b: Vec<f32> = (0..LEN).map(|i| 0.5 * i as f32).collect();
    let device_a = DeviceBuf::from_host(&stream, &a)?;
    let device_b = DeviceBuf::from_host(&stream, &b)?;
    let device_sum = DeviceBuf::<f32>::uninit(&stream, LEN)?;

    let args = (device_a.ptr(), device_b.ptr(), device_sum.ptr(), u32::try_from(LEN)?);
    // SAFETY: all three buffers have LEN elements and live on this stream; the kernel compares its
    // index with LEN, and writes only to the last one.
    unsafe { add.launch(LaunchConfig::for_elements(LEN, 256), &stream, args) }?;

    let sum = device_sum.to_vec()?;
    let wrong = (0..LEN).find(|&i| sum[i] != a[i] + b[i]);
    match wrong {
        None => println!("{LEN} sums, all right"),
        Some(i) => return Err(format!("sum {i} is {}, not {}", sum[i], a[i] + b[i]).into()),
    }
    Ok(())
}
