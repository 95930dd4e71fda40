//! Launches a kernel that is written in CUDA C++, in a file beside this one. NVRTC compiles it when the program runs, and compares the
//! declaration with the kernel. The crate `cuda-build` compiles such a file in a build script instead.
//!
//! ```text
//! cargo run --release --features nvrtc --example 05_cuda_cpp
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::{Context, Device, DeviceBuf, Stream};

cuda_rt::kernels! {
    struct Kernels from cuda_file("05_cuda_cpp.cu");
    // SAFETY: thread `i` reads element `i` of `x` and writes element `i` of `y`, if `i` is less than `n`.
    unsafe extern {
        #[block(256)]
        safe fn saxpy(a: f32, x: &[f32], y: &mut [f32], n: u32)
        where
            n <= x.len(),
            n <= y.len();
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let context = Context::primary(Device::get(0)?)?;
    let stream = Stream::new(&context)?;
    let kernels = Kernels::load(&context)?;

    let x = DeviceBuf::from_host(&stream, &[1.0, 2.0, 3.0, 4.0])?;
    let mut y = DeviceBuf::from_host(&stream, &[0.5; 4])?;
    kernels.saxpy(10.0, &x, &mut y, 4).launch_for(4, &stream)?;
    println!("{:?}", y.to_vec()?);
    Ok(())
}
