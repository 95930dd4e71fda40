//! Turns a picture with a texture reference and with a texture object, and writes it as a PPM file.
//!
//! ```text
//! cargo run --release --example 19_texture_rotate -- [DEGREES] [FILE]
//! ```

#![allow(clippy::print_stdout)]

mod picture;

use cuda_rt::{Context, Device};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let mut arguments = std::env::args().skip(1);
    let degrees: f32 = arguments.next().map_or(Ok(30.0), |degrees| degrees.parse())?;
    let path = arguments.next().unwrap_or_else(|| "texture_rotate.ppm".into());

    let context = Context::primary(Device::get(0)?)?;
    let [by_reference, by_object] = picture::turned(&context, degrees)?;
    assert_eq!(by_reference, by_object);
    println!("reference and object have turned {} pixels alike", by_object.len());

    // A PPM file has no opacity. The border is black.
    let mut file = format!("P6 {0} {0} 255\n", picture::SIZE).into_bytes();
    file.extend(by_object.iter().flat_map(|[red, green, blue, _]| [red, green, blue]));
    std::fs::write(&path, file)?;
    println!("written to {path}");
    Ok(())
}
