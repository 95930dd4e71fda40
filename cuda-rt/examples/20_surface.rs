//! Reads and writes arrays in a kernel by surface objects: steps of Conway's game of life, from one array to the other and back. A read
//! outside of a surface is 0.
//!
//! ```text
//! cargo run --release --example 20_surface
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::array::{ArrayDescriptor, ArrayFormat};
use cuda_rt::surface::{SurfHandle, SurfObject};
use cuda_rt::{Array, Context, Device, LaunchConfig, Module, Stream};

const WIDTH: usize = 16;
const HEIGHT: usize = 8;
/// A glider, which moves by one cell to the right and down in 4 steps.
const GLIDER: [(usize, usize); 5] = [(2, 1), (3, 2), (1, 3), (2, 3), (3, 3)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let context = Context::primary(Device::get(0)?)?;
    let stream = Stream::new(&context)?;
    let module = Module::from_ptx(&context, include_str!("20_surface.ptx"))?;
    let life = module.function("life")?.typed::<(SurfHandle, SurfHandle)>()?;

    let mut cells = vec![0_u32; WIDTH * HEIGHT];
    for (x, y) in GLIDER {
        cells[y * WIDTH + x] = 1;
    }
    // Arrays for surfaces are made for that.
    let cell_array = ArrayDescriptor::plane(WIDTH, HEIGHT, ArrayFormat::UNSIGNED_INT32, 1).surface();
    let arrays = [Array::from_host(&stream, cell_array, &cells)?, Array::new(&stream, cell_array)?];
    let surfaces = [SurfObject::new(&context, &arrays[0])?, SurfObject::new(&context, &arrays[1])?];

    let config = LaunchConfig::new(1, 1).with_block(WIDTH as u32, HEIGHT as u32, 1);
    let launched = (0..16).try_for_each(|step| {
        let (from, to) = (&surfaces[step % 2], &surfaces[(step + 1) % 2]);
        // SAFETY: each thread reads cells of one array and writes its cell of the other one. The objects are of this context and live
        // until `synchronize` has waited for the kernels.
        unsafe { life.launch(config, &stream, (from.handle(), to.handle())) }
    });
    // Waits also if a launch has failed, because the kernels before it may be running.
    stream.synchronize()?;
    launched?;
    let after: Vec<u32> = arrays[0].to_vec()?;
    for (before, after) in cells.chunks(WIDTH).zip(after.chunks(WIDTH)) {
        let line =
            |cells: &[u32]| -> String { cells.iter().map(|cell| [".", "#"][*cell as usize]).collect() };
        println!("{}    {}", line(before), line(after));
    }
    Ok(())
}
