//! Records an upload, a kernel and a download into a graph, and launches the graph three times. A launch is one driver call. The graph
//! keeps what it uses alive.
//!
//! ```text
//! cargo run --release --example 13_graph_capture
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::graph::{CaptureOptions, Graph, HostCell, InstantiateOptions};
use cuda_rt::launch::Arg;
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, LaunchConfig, Module, PinnedBuf, Stream};

const LEN: usize = 1000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let context = Context::primary(Device::get(0)?)?;
    let stream = Stream::new(&context)?;
    let module = Module::from_ptx(&context, include_str!("vector_add.ptx"))?;
    type Args = (DevicePtr<f32>, DevicePtr<f32>, DevicePtr<f32>, u32);
    let add = module.function("vector_add")?.typed::<Args>()?;

    // The program and the launches take turns with the cells.
    let input = HostCell::new(PinnedBuf::<f32>::zeroed(&context, LEN)?);
    let output = HostCell::new(PinnedBuf::<f32>::zeroed(&context, LEN)?);
    let mut numbers = DeviceBuf::<f32>::zeroed(&stream, LEN)?;
    let sums = DeviceBuf::<f32>::zeroed(&stream, LEN)?;

    let (mut graph, ()) = Graph::capture(&context, CaptureOptions::new(), |capture| {
        capture.upload(&mut numbers, &input)?;
        // The launch names the owner of each address, which the graph keeps.
        let read = Arg(numbers.ptr(), &numbers);
        let args = (read, read, Arg(sums.ptr(), &sums), LEN as u32);
        // SAFETY: the buffers have LEN elements, and the graph keeps them. The copies before and after are in order with the kernel.
        unsafe { add.with(LaunchConfig::for_elements(LEN, 256)).launch(capture, args) }?;
        capture.download(&output, &sums)
    })?;
    println!("{} nodes, {} edges", graph.node_count()?, graph.edges()?.len());

    let mut program = graph.instantiate(InstantiateOptions::new())?;
    drop((graph, module, numbers, sums)); // the executable graph keeps what it uses
    for round in 1..=3_u8 {
        input.lock()?.fill(f32::from(round));
        program.launch(&stream)?;
        let sums = output.lock()?; // waits for the launch
        println!("round {round}: {} sums of {}", sums.iter().filter(|sum| **sum == sums[0]).count(), sums[0]);
    }
    Ok(())
}
