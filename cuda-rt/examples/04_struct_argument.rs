//! Passes a structure to a kernel by value. The compiler compares its size and alignment with the PTX. A launch can check fields.
//!
//! ```text
//! cargo run --release --example 04_struct_argument
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::launch::KernelArg;
use cuda_rt::{Context, Device, DeviceBuf, Stream};

/// As in CUDA C++, with the same padding: 4 bytes after `slope` and 4 bytes after `len`.
#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Ramp {
    slope: f32,
    start: f64,
    len: u32,
}

cuda_rt::kernels! {
    struct Kernels from ptx_file("04_struct_argument.ptx");
    // SAFETY: thread `i` writes element `i` of `out` if `i` is less than `ramp.len`.
    unsafe extern {
        #[block(128)]
        safe fn ramp(out: &mut [f32], ramp: Ramp)
        where
            ramp.len <= out.len();
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let context = Context::primary(Device::get(0)?)?;
    let stream = Stream::new(&context)?;
    let kernels = Kernels::load(&context)?;

    let ramp = Ramp { slope: 0.5, start: 10.0, len: 6 };
    let mut out = DeviceBuf::<f32>::zeroed(&stream, 6)?;
    kernels.ramp(&mut out, ramp).launch_for(6, &stream)?;
    println!("{:?}", out.to_vec()?);

    // The condition after `where` holds for each launch, so this one is refused.
    match kernels.ramp(&mut out, Ramp { len: 7, ..ramp }).launch_for(7, &stream) {
        Ok(()) => Err("the launch wrote past the end".into()),
        Err(refused) => {
            println!("{refused}");
            Ok(())
        }
    }
}
