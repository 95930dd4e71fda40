//! Turns a picture with a texture reference and with a texture object, and writes it as a PNG.
//!
//! `cargo run --release --example texture_rotate [DEGREES] [FILE]`. `CUDA_DRIVER` chooses the driver.

#![allow(clippy::print_stdout)]

mod picture;

use cuda_rt::{Context, Device};
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

fn main() -> Result<(), Box<dyn Error>> {
    cuda_suite::announce();
    let mut arguments = std::env::args().skip(1);
    let degrees: f32 = arguments.next().map_or(Ok(30.0), |degrees| degrees.parse())?;
    let path = arguments.next().unwrap_or_else(|| "texture_rotate.png".into());

    let context = Context::primary(Device::get(0)?)?;
    let [by_reference, by_object] = picture::turned(&context, degrees)?;
    assert_eq!(by_reference, by_object);
    println!("reference and object have turned {} pixels alike", by_object.len());

    let mut png = png::Encoder::new(BufWriter::new(File::create(&path)?), picture::SIZE, picture::SIZE);
    png.set_color(png::ColorType::Rgba);
    png.write_header()?.write_image_data(by_object.as_flattened())?;
    println!("written to {path}");
    Ok(())
}
