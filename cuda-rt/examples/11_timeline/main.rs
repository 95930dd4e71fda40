//! Overlaps copies and kernels by pinned memory and several streams, and takes times by events. The same work runs on one stream and
//! on three. The program draws both, as an SVG file: when each copy and each kernel ran.
//!
//! ```text
//! cargo run --release --example 11_timeline -- [FILE]
//! ```

#![allow(clippy::print_stdout)]

mod picture;

use cuda_rt::{Context, Device, DeviceBuf, Event, PinnedBuf, Result, Stream};

cuda_rt::kernels! {
    struct Kernels from ptx_file("smooth.ptx");
    // SAFETY: the threads change the first `n` elements of `data`, each element in one thread.
    unsafe extern {
        #[block(256)]
        safe fn smooth(data: &mut [f32], n: u32) where n <= data.len();
    }
}

const CHUNKS: usize = 6;
const LEN: usize = 1 << 18;

/// When the work on each chunk was at its four marks, in microseconds: the upload, the kernel and the download are in between.
fn run(kernels: &Kernels, streams: &[Stream]) -> Result<Vec<[f32; 4]>> {
    let context = kernels.module().context();
    let mark = |stream: &Stream| -> Result<Event> {
        let event = Event::new(context)?;
        event.record(stream)?;
        Ok(event)
    };
    let mut chunks = Vec::new();
    for (_, stream) in (0..CHUNKS).zip(streams.iter().cycle()) {
        let pinned = || PinnedBuf::<f32>::zeroed(context, LEN);
        chunks.push((DeviceBuf::<f32>::uninit(stream, LEN)?, pinned()?, pinned()?));
    }
    let (mut copies, mut marks) = (Vec::new(), Vec::new());
    for (mut buffer, input, output) in chunks {
        let stream = buffer.stream().clone();
        let begin = mark(&stream)?;
        copies.push(buffer.copy_from_pinned(input)?);
        let uploaded = mark(&stream)?;
        kernels.smooth(&mut buffer, LEN as u32).launch_blocks(8, &stream)?;
        let computed = mark(&stream)?;
        copies.push(buffer.copy_to_pinned(output)?);
        marks.push([begin, uploaded, computed, mark(&stream)?]);
    }
    // Everything is queued, and nothing has waited so far.
    copies.into_iter().try_for_each(|copy| copy.wait().map(drop))?;
    let mut times = Vec::new();
    for chunk in &marks {
        let mut at = [0.0; 4];
        for (at, mark) in at.iter_mut().zip(chunk) {
            *at = 1000.0 * mark.milliseconds_since(&marks[0][0])?;
        }
        times.push(at);
    }
    Ok(times)
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let simulated = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)?;
    if let Some(reason) = &simulated {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let device = Device::get(0)?;
    let driver =
        if simulated.is_some() { "cuda-sim, in its virtual time".to_owned() } else { device.name()? };
    let context = Context::primary(device)?;
    let kernels = Kernels::load(&context)?;
    let streams = [Stream::new(&context)?, Stream::new(&context)?, Stream::new(&context)?];
    run(&kernels, &streams)?; // the first run also loads code and grows the pool

    let runs = [(1, run(&kernels, &streams[..1])?), (3, run(&kernels, &streams)?)];
    for (streams, times) in &runs {
        println!("streams: {streams}, time of {CHUNKS} chunks: {:.0} us", picture::end(times));
    }
    let path = std::env::args().nth(1).unwrap_or_else(|| "timeline.svg".to_owned());
    std::fs::write(&path, picture::draw(&runs, &driver))?;
    println!("written to {path}");
    Ok(())
}
