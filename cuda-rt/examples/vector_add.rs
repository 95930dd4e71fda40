//! Adds two vectors on the device and checks every element.
//!
//! ```text
//! cargo run --release --example vector_add
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::{Context, Device, DeviceBuf, Stream};

cuda_rt::kernels! {
    struct Kernels from ptx_file("vector_add.ptx");
    // SAFETY: if `i < n`, thread `i` reads element `i` of `a` and `b`, and writes element `i` of `sum`.
    unsafe extern {
        #[block(256)]
        safe fn vector_add(a: &[f32], b: &[f32], sum: &mut [f32], n: u32)
        where
            n <= a.len(),
            n <= b.len(),
            n <= sum.len();
    }
}

const LEN: usize = 1_000_003;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let device = Device::get(0)?;
    println!("device: {}", device.name()?);

    let context = Context::primary(device)?;
    let stream = Stream::new(&context)?;
    let kernels = Kernels::load(&context)?;

    let a: Vec<f32> = (0..LEN).map(|i| i as f32).collect();
    let b: Vec<f32> = (0..LEN).map(|i| 0.5 * i as f32).collect();
    let device_a = DeviceBuf::from_host(&stream, &a)?;
    let device_b = DeviceBuf::from_host(&stream, &b)?;
    let mut device_sum = DeviceBuf::<f32>::uninit(&stream, LEN)?;

    kernels
        .vector_add(&device_a, &device_b, &mut device_sum, u32::try_from(LEN)?)
        .launch_for(LEN, &stream)?;

    let sum = device_sum.to_vec()?;
    let wrong = (0..LEN).find(|&i| sum[i] != a[i] + b[i]);
    match wrong {
        None => println!("{LEN} sums, all right"),
        Some(i) => return Err(format!("sum {i} is {}, not {}", sum[i], a[i] + b[i]).into()),
    }
    Ok(())
}
