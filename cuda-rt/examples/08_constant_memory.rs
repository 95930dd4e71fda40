//! Writes a variable in constant memory, which all threads of a kernel read. The declaration names the variable and its type, and the
//! compiler compares its size with the PTX.
//!
//! ```text
//! cargo run --release --example 08_constant_memory
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::{Context, Device, DeviceBuf, Stream};

cuda_rt::kernels! {
    struct Kernels from ptx_file("08_constant_memory.ptx");
    // SAFETY: thread `i` reads element `i` of `x` and writes element `i` of `y`, if `i` is less than `n`. It reads `coefficients`.
    unsafe extern {
        #[block(64)]
        safe fn polynomial(x: &[f32], y: &mut [f32], n: u32)
        where
            n <= x.len(),
            n <= y.len();
        static coefficients: [f32; 4];
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let context = Context::primary(Device::get(0)?)?;
    let stream = Stream::new(&context)?;
    let kernels = Kernels::load(&context)?;
    println!("{}: {} bytes", kernels.coefficients.name(), kernels.coefficients.size_bytes());

    let x = DeviceBuf::from_host(&stream, &[0.0, 1.0, 2.0, 3.0])?;
    let mut y = DeviceBuf::<f32>::zeroed(&stream, 4)?;
    // The lowest power first.
    for coefficients in [[1.0, 2.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]] {
        // The copy, the kernel and the next copy are on one stream, so they run in this order.
        kernels.coefficients.copy_from_host(&stream, &coefficients)?;
        kernels.polynomial(&x, &mut y, 4).launch_for(4, &stream)?;
        println!("{coefficients:?} gives {:?}", y.to_vec()?);
    }
    Ok(())
}
