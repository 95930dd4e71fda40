//! A kernel calls functions on the device: one of its own text, and one of another text, which a linker adds.
//!
//! ```text
//! cargo run --release --example 07_device_function
//! ```
//!
//! A `.func` of PTX is a `__device__` function of CUDA C. Only kernels can be looked up and launched.

#![allow(clippy::print_stdout)]

use cuda_rt::error::Code;
use cuda_rt::module::{JitOptions, Linker};
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, LaunchConfig, Module, Stream};

const KERNEL: &str = include_str!("07_device_function.ptx");

/// The other text.
const CUBE: &str = "
    .version 6.4
    .target sm_50
    .address_size 64
    .visible .func (.param .f32 result) cube(.param .f32 x) {
        .reg .f32 %x, %y;
        ld.param.f32 %x, [x];
        mul.f32 %y, %x, %x;
        mul.f32 %y, %y, %x;
        st.param.f32 [result], %y;
        ret;
    }";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let context = Context::primary(Device::get(0)?)?;
    let stream = Stream::new(&context)?;

    // The kernel's text declares `cube` and does not define it: alone it is refused.
    let Err(error) = Module::from_ptx(&context, KERNEL) else {
        return Err("`cube` is defined nowhere".into());
    };
    println!("without the other text: {error}");

    let mut linker = Linker::new(&context, &JitOptions::new())?;
    linker.add_ptx("kernel", KERNEL)?.add_ptx("cube", CUBE)?;
    let module = linker.complete()?.load(&context)?;

    // The module has the function, and no kernel of that name.
    let Err(error) = Module::from_ptx(&context, CUBE)?.function("cube") else {
        return Err("`cube` is no kernel".into());
    };
    println!("a function that is no kernel: {error}");
    if error.code() != Some(Code::NotFound) {
        return Err(error.into());
    }

    let kernel = module.function("squares_and_cubes")?.typed::<(DevicePtr<f32>, DevicePtr<f32>, u32)>()?;
    let numbers: Vec<f32> = (0..1000_u16).map(f32::from).collect();
    let squares = DeviceBuf::from_host(&stream, &numbers)?;
    let cubes = DeviceBuf::from_host(&stream, &numbers)?;
    let len = u32::try_from(numbers.len())?;
    // SAFETY: both buffers have `len` elements and live on this stream; the kernel compares its index with `len`.
    unsafe {
        kernel.launch(
            LaunchConfig::for_elements(numbers.len(), 256),
            &stream,
            (squares.ptr(), cubes.ptr(), len),
        )
    }?;

    let (squares, cubes) = (squares.to_vec()?, cubes.to_vec()?);
    match numbers
        .iter()
        .zip(squares.iter().zip(&cubes))
        .find(|(x, (y, z))| (**y, **z) != (*x * *x, *x * *x * *x))
    {
        None => println!("{len} squares and as many cubes, all right"),
        Some((x, (y, z))) => return Err(format!("the square and the cube of {x} are {y} and {z}").into()),
    }
    Ok(())
}
