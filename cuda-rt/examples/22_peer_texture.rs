//! A kernel on one GPU samples an array of another: by a texture reference, and by a texture object.
//!
//! ```text
//! cargo run --release --example 22_peer_texture
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::array::Order;
use cuda_rt::texture::{TexHandle, TextureDescriptor};
use cuda_rt::{Array, Context, Device, DeviceBuf, DevicePtr, LaunchConfig, Module, Stream, TexObject};

const WIDTH: u32 = 8;
const HEIGHT: u32 = 4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let (Ok(first), Ok(second)) = (Device::get(0), Device::get(1)) else {
        println!("this example needs two devices");
        return Ok(());
    };
    // Access to plain memory does not imply access to arrays.
    let capabilities = first.peer_capabilities(second)?;
    if !capabilities.access || !capabilities.array_access {
        println!("{first} does not reach arrays of {second}: {capabilities:?}");
        return Ok(());
    }
    let (consumer, owner) = (Context::primary(first)?, Context::primary(second)?);

    // The array belongs to the owner's context.
    let texels: Vec<f32> = (0..WIDTH * HEIGHT).map(|index| index as f32 * 1.5).collect();
    let image =
        Array::from_matrix(&Stream::new(&owner)?, &texels, HEIGHT as usize, WIDTH as usize, Order::RowMajor)?;

    // The module, the reference and the object belong to the consumer's context.
    let module = Module::from_ptx(&consumer, include_str!("22_peer_texture.ptx"))?;
    let reference = module.tex_ref("image")?;
    if let Err(refused) = reference.set_array(&image) {
        println!("without access: {refused}");
    }

    let access = consumer.peer_access(&owner)?;
    reference.set_array(&image)?;
    let object = TexObject::new(&consumer, &image, &TextureDescriptor::default())?;
    // The reference and the object keep the access, so the guard can be dropped.
    drop(access);

    let stream = Stream::new(&consumer)?;
    let out = DeviceBuf::<f32>::zeroed(&stream, texels.len())?;
    let config = LaunchConfig { grid: [1; 3], block: [WIDTH, HEIGHT, 1], shared_bytes: 0 };
    let by_reference = module.function("by_reference")?.typed::<(DevicePtr<f32>,)>()?;
    // SAFETY: each thread writes one of the elements of `out`, which lives on the stream. The array was written before it was
    // bound, and stays.
    unsafe { by_reference.launch(config, &stream, (out.ptr(),)) }?;
    assert_eq!(out.to_vec()?, texels);
    println!("a texture reference of {first} read {} texels of {second}", texels.len());

    let by_object = module.function("by_object")?.typed::<(TexHandle, DevicePtr<f32>)>()?;
    // SAFETY: as above; the object is of the same context, and lives until `synchronize` has waited for the kernel.
    unsafe { by_object.launch(config, &stream, (object.handle(), out.ptr())) }?;
    stream.synchronize()?;
    assert_eq!(out.to_vec()?, texels);
    println!("a texture object of {first} read {} texels of {second}", texels.len());
    Ok(())
}
